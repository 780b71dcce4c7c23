"""The exit code of `lint` agrees with its reports, whatever fails the run."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from mcp_contracts.cli.app import run
from tests.test_findings_laws import spec

GATES: tuple[list[str], ...] = (
    [],
    ["--fail-on", "warning"],
    ["--fail-on", "note"],
    ["--max-warnings", "0"],
    ["--select", "MC308", "--severity", "MC308=note"],
    ["--select", "MC308", "--severity", "MC308=note", "--fail-on", "note"],
    ["--select", "MC308", "--severity", "MC308=warning", "--max-warnings", "0"],
    ["--select", "MC201"],
    ["--select", "MC509"],
)


FORMATS = ("text", "json", "sarif", "github", "gitlab")


@pytest.mark.parametrize("number", range(len(GATES)), ids=[" ".join(gate) for gate in GATES])
def test_the_exit_code_follows_the_failures_unless_it_is_to_be_zero(
    number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "MCP_TOOL_SPECIFICATION.md"
    path.write_text(spec([(0, 0), (1, 1)])[0], encoding="utf-8")

    gate = GATES[number]
    codes = {
        name: run(["lint", str(path), "--format", name, *gate])
        for name in (FORMATS[number % 5], FORMATS[(number + 2) % 5])  # each format meets gates of both kinds
    }
    capsys.readouterr()
    codes["junit"] = run(["lint", str(path), "--format", "junit", *gate])
    failures = int(ElementTree.fromstring(capsys.readouterr().out).attrib["failures"])

    assert set(codes.values()) == {1 if failures else 0}
    assert run(["lint", str(path), "--exit-zero", *gate]) == 0
