"""The text of `--help`, and shell completion."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import cast

import pytest
import typer
from typer.core import TyperGroup, TyperOption

from mcp_contracts.cli.app import run
from mcp_contracts.cli.command_line.front_page import COMMANDS, OPTIONS
from mcp_contracts.cli.command_line.typer_app import CONTEXT_SETTINGS, app
from tests.commands import process
from tests.maintenance.commands_page import help_text
from tests.tables import each

GROUP = cast(TyperGroup, typer.main.get_command(app))
CONTEXT = GROUP.make_context("mcp-contracts", [], resilient_parsing=True, **CONTEXT_SETTINGS)


def completed(folder: Path, *words: str, **environment: str) -> str:
    """Return the shell's completions for the last of some words."""
    result = process(*words, cwd=None, stdin=b"", HOME=str(folder), **environment)
    assert result.stderr == b""
    return result.stdout.decode()


@each("name", COMMANDS)
def test_each_help_ends_with_examples_that_the_command_accepts(name: str) -> None:
    _, _, examples = help_text(name).partition("\nExamples:\n")

    lines = [line for line in examples.splitlines() if line.startswith("    ")]
    assert lines
    command = GROUP.get_command(CONTEXT, name)
    assert command is not None
    for line in lines:
        program, named, *arguments = shlex.split(line)
        assert (program, named) == ("mcp-contracts", name)
        command.make_context(name, arguments, parent=CONTEXT, **CONTEXT_SETTINGS)


@each("name", COMMANDS)
def test_each_option_has_a_help_text(name: str) -> None:
    command = GROUP.get_command(CONTEXT, name)

    assert command is not None
    options = [one for one in command.get_params(CONTEXT) if isinstance(one, TyperOption)]
    assert [one.opts for one in options if not (one.help or "").endswith(".")] == []


@each("name", [None, *COMMANDS])
@each("width", [70, 80, 100])
def test_a_help_text_fits_the_width(name: str | None, width: int) -> None:
    prose, _, _ = help_text(name, width).partition("\nExamples:\n")

    options = re.compile(r"^  (-|\[)[^ ]* .*[>\]]$")  # a separate line that cannot be broken
    assert [line for line in prose.splitlines() if len(line) > width and not options.match(line)] == []


@pytest.mark.parametrize("columns", ["", "0", "20", "52", "66", "80", "100", "300", "x"])
def test_the_front_page_is_the_same_whoever_writes_it(
    tmp_path: Path, columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)

    run(["--help"])

    assert capsys.readouterr().out == completed(tmp_path, "--help", COLUMNS=columns)


def test_the_front_page_lists_all_options_and_commands() -> None:
    options = [one.get_help_record(CONTEXT) for one in GROUP.get_params(CONTEXT)]

    assert [*OPTIONS.items()] == [one for one in options if one is not None]
    assert [*COMMANDS] == GROUP.list_commands(CONTEXT)
    for name, summary in COMMANDS.items():
        command = GROUP.get_command(CONTEXT, name)
        assert command is not None
        assert summary.endswith(".")


def test_options_are_in_groups() -> None:
    titles = re.findall(r"(?m)^(\w[\w ]*):$", help_text("lint"))

    assert titles == [
        "Arguments",
        "Additional checks",
        "Known findings",
        "Rules",
        "Fixes",
        "Report",
        "Live servers",
        "Exit code",
        "Configuration",
        "Cache",
        "Options",
        "Examples",
    ]


def test_no_command_prints_the_help_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2

    assert "Commands:\n  lint " in capsys.readouterr().out


def test_a_shell_completes_commands_options_and_values(tmp_path: Path) -> None:
    for words, found in (("li", "lint"), ("lint --form", "--format"), ("lint --format sa", "sarif")):
        environment = {
            "_MCP_CONTRACTS_COMPLETE": "complete_bash",
            "COMP_WORDS": f"mcp-contracts {words}",
            "COMP_CWORD": str(len(words.split())),
        }
        assert completed(tmp_path, **environment).split() == [found]


def test_completion_is_installed_for_a_shell(tmp_path: Path) -> None:
    said = completed(tmp_path, "--install-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")

    assert "bash completion installed in" in said
    (script,) = (tmp_path / ".bash_completions").iterdir()
    assert "complete_bash" in script.read_text("utf-8")
