"""Many files are checked by several processes, and nobody can tell from the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.corpus import write_corpus
from mcp_contracts.checks import many
from mcp_contracts.cli.app import run


def report(arguments: list[str], capfdbinary: pytest.CaptureFixture[bytes]) -> object:
    run(["lint", *arguments, "--format", "json"])
    return json.loads(capfdbinary.readouterr().out)


def test_processes_and_one_process_write_the_same_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    write_corpus(tmp_path, 60, seed=3)
    twin = tmp_path / "twin" / "MCP_TOOL_SPECIFICATION.md"
    twin.parent.mkdir()
    twin.write_bytes(next(tmp_path.rglob("MCP_TOOL_SPECIFICATION.md")).read_bytes())
    (tmp_path / "mcp-contracts.yaml").write_text("limits: {max_file_size: 30000}\n", encoding="utf-8")

    monkeypatch.setattr(many, "MANY", 1)
    by_processes = report([str(tmp_path)], capfdbinary)
    monkeypatch.setattr(many, "MANY", 10_000)
    by_one = report([str(tmp_path)], capfdbinary)

    assert by_processes == by_one
    assert isinstance(by_one, dict)
    codes = {diagnostic["code"] for diagnostic in by_one["diagnostics"]}
    assert "MC104" in codes  # found across files, by the parent alone


def test_a_file_of_many_tools_takes_time_in_proportion(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = "\n".join(f"## Tool: `a.t{number}`" for number in range(10_000))
    (tmp_path / "MCP_TOOL_SPECIFICATION.md").write_text(text, encoding="utf-8")

    found = report([str(tmp_path)], capfdbinary)  # it was minutes while each finding searched all tools for its own

    assert isinstance(found, dict)
    assert found["summary"]["tools"] == 10_000
