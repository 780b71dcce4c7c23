"""`init` on the command line: the files that it writes, and what it rejects."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from mcp_contracts.cli.app import run
from mcp_contracts.version import __version__
from tests.repositories import isolate, spec, tool, write


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with one clean specification."""
    isolate(monkeypatch, tmp_path / "home", tmp_path)
    project = tmp_path / "project"
    write(project / "specs" / "notes" / "MCP_TOOL_SPECIFICATION.md", spec(tool()))
    monkeypatch.chdir(project)
    return project


def test_a_configuration_is_written_that_lint_reads(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init"]) == 0
    assert run(["lint", "--max-warnings", "0"]) == 0

    assert "wrote mcp-contracts.yaml" in capsys.readouterr().out
    assert yaml.safe_load((folder / "mcp-contracts.yaml").read_text("utf-8")) == {"paths": ["specs"]}
    assert not (folder / ".github").exists()


def test_each_example_in_the_configuration_is_one_that_lint_reads(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["init"])
    run(["lint", "--write-baseline", "mcp-contracts-baseline.json"])
    path = folder / "mcp-contracts.yaml"
    lines = path.read_text("utf-8").splitlines()
    keys = [line.removeprefix("# ") if ": " in line or line.startswith(("# diff", "#   ")) else line for line in lines]
    path.write_text("\n".join(line for line in keys if not line[:1].isupper()) + "\n", encoding="utf-8")

    assert run(["lint"]) == 0, capsys.readouterr().err

    assert yaml.safe_load(path.read_text("utf-8")).keys() == {
        *("paths", "exclude", "ignore", "severity", "baseline", "targets", "max_warnings", "diff")
    }


def test_the_workflow_is_written_when_it_is_asked_for(folder: Path) -> None:
    assert run(["init", "--github"]) == 0

    workflow = yaml.safe_load((folder / ".github" / "workflows" / "mcp-contracts.yml").read_text("utf-8"))
    checkout, check = workflow["jobs"]["contracts"]["steps"]
    assert checkout["with"] == {"fetch-depth": 0}
    assert check == {"uses": f"mcp-contracts/mcp-contracts@v{__version__}"}
    assert workflow[True] == "pull_request"  # YAML 1.1 reads `on` as true
    assert workflow["permissions"] == {"contents": "read", "pull-requests": "write"}


def test_nothing_is_overwritten_and_nothing_half_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / ".github" / "workflows" / "mcp-contracts.yml", "mine\n")

    assert run(["init", "--github"]) == 2

    assert "`.github/workflows/mcp-contracts.yml` already exists" in capsys.readouterr().err
    assert not (folder / "mcp-contracts.yaml").exists()


def test_a_path_that_does_not_exist_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", "elsewhere"]) == 2

    assert "`elsewhere`: no such file or directory" in capsys.readouterr().err


def test_a_configured_project_is_not_changed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "pyproject.toml", '[tool.mcp-contracts]\npaths = ["specs"]\n')

    assert run(["init"]) == 2

    assert "`pyproject.toml` is already a configuration file" in capsys.readouterr().err
    assert not (folder / "mcp-contracts.yaml").exists()
