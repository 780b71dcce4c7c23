"""Globs in the configured `paths`, for current files and folders and those of a revision."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.parsing.discovery import SPEC_NAME
from tests.repositories import commit, isolate, listed, new_repository, spec, tool, tool_list, write

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _repository(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path_factory.mktemp("home"), tmp_path_factory.getbasetemp())
    monkeypatch.chdir(new_repository(tmp_path / "repository"))
    write(f"services/a/specs/{SPEC_NAME}", spec(tool("a.find"), module="a", version="1.0.0"))
    write(f"services/b/specs/{SPEC_NAME}", spec(tool("b.find"), module="b", version="1.0.0"))
    write("services/README.md", "# Not a specification")
    write("lists/git.json", tool_list(listed("git")))
    write("lists/time.json", tool_list(listed("now")))
    write("node_modules/x/lists/other.json", tool_list(listed("other")))


def configure(*paths: str, **others: object) -> None:
    """Write a configuration and commit everything."""
    write("mcp-contracts.yaml", json.dumps({"paths": paths, **others}))
    commit()


def tools(capsys: Captured, *arguments: str) -> int:
    """Return the number of tools that a lint reads."""
    capsys.readouterr()
    run(["lint", *arguments, "--format", "json"])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return int(report["summary"]["tools"])


@pytest.mark.parametrize(
    ("paths", "count"),
    [
        (["services/*/specs"], 2),
        (["services/*"], 2),
        (["services/[ab]/specs/*.md"], 2),
        (["services/?/specs"], 2),
        (["services/b*"], 1),
        (["lists/*.json"], 2),
        (["**/*.json"], 2),
        (["lists/*.json", "lists/git.json", "services"], 4),
        ([f"**/{SPEC_NAME}"], 2),
    ],
)
def test_globs_represent_what_they_match(paths: list[str], count: int, capsys: Captured) -> None:
    configure(*paths)

    assert tools(capsys) == count


def test_they_are_relative_to_the_configuration(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    configure("lists/*.json")
    monkeypatch.chdir("services")

    assert tools(capsys) == 2


def test_what_is_excluded_is_not_matched(capsys: Captured) -> None:
    configure("lists/*.json", exclude=["lists/git.json"])

    assert tools(capsys) == 1


def test_a_file_of_that_very_name_is_meant_itself(capsys: Captured) -> None:
    write("lists/[ab].json", tool_list(listed("odd")))
    configure("lists/[ab].json")

    assert tools(capsys) == 1


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere/*.json", "mcp-contracts.yaml: `paths[0]` matches nothing: `nowhere/*.json`"),
        ("../*/lists", "mcp-contracts.yaml: `paths[0]` points outside the project"),
    ],
)
def test_a_glob_that_cannot_be_followed_is_an_error(path: str, message: str, capsys: Captured) -> None:
    write("../other/lists/x.json", "[]")
    configure(path)

    assert run(["lint"]) == 2
    assert message in capsys.readouterr().err


def test_a_removed_file_that_matched_then_breaks_callers(capsys: Captured) -> None:
    configure("lists/*.json", "services/*/specs")
    Path("lists/time.json").unlink()
    Path(f"services/b/specs/{SPEC_NAME}").unlink()
    capsys.readouterr()

    code = run(["diff", "--against", "HEAD", "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    assert code == 1
    assert [one["tool"] for one in report["tools"] if one["state"] == "removed"] == ["b.find", "now"]


def test_a_lint_against_a_revision_sees_the_same(capsys: Captured) -> None:
    configure("services/*/specs")
    Path(f"services/b/specs/{SPEC_NAME}").unlink()

    assert tools(capsys, "--against", "HEAD") == 1
