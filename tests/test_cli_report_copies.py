"""`--report FORMAT=FILE`: one run writes its report in several formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.reporting.render import FORMATS
from tests.repositories import input_schema, spec, tool, write

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two versions of a specification; the second breaks callers."""
    monkeypatch.chdir(tmp_path)
    write("old.md", spec(tool()))
    write("new.md", spec(tool(input=input_schema(maximum=5))))


COMMANDS = [["lint", "new.md"], ["diff", "old.md", "new.md"]]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_copy_is_the_same_as_the_report_in_that_format(command: list[str], capsys: Captured) -> None:
    alone = {}
    for name in FORMATS:
        code = run([*command, "--format", name, "--output", "alone"])
        alone[name] = Path("alone").read_text("utf-8")
    capsys.readouterr()

    together = run([*command, *(f"--report={name}=copy.{name}" for name in FORMATS), "--color", "always"])

    assert together == code
    assert {name: Path(f"copy.{name}").read_text("utf-8") for name in FORMATS} == alone
    assert capsys.readouterr().out != ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--report", "sarif"], "`--report sarif` is not `FORMAT=FILE`"),
        (["--report", "sarif="], "`--report sarif=` is not `FORMAT=FILE`"),
        (["--report", "sarf=a"], "`--report sarf=a`: unknown format"),
        (["--report", "json=a", "--report", "sarif=./a"], "`./a` is used for two reports"),
        (["--report", "json=a", "--output", "a"], "`a` is used for two reports"),
        (["--report", "json=missing/a"], "`missing/a` cannot be written"),
    ],
)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_what_cannot_be_written_is_refused(
    command: list[str], options: list[str], message: str, capsys: Captured
) -> None:
    assert run([*command, *options]) == 2

    printed = capsys.readouterr()
    assert f"error: {message}" in printed.err
    assert printed.out == ""
    assert sorted(path.name for path in Path().iterdir()) == ["new.md", "old.md"]


def test_a_wrong_copy_stops_a_diff_before_it_accepts_anything(capsys: Captured) -> None:
    assert run(["diff", "old.md", "new.md", "--accept", "--reason", "why", "--report", "x"]) == 2

    assert not Path("mcp-contracts-accepted.yaml").exists()


def test_a_copy_lists_what_the_text_groups() -> None:
    run(["lint", "new.md", "--quiet", "--report", "json=a.json"])

    assert json.loads(Path("a.json").read_text("utf-8"))["format"] == "mcp-contracts/lint"
