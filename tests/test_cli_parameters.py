"""Command lines are read the same way with and without Typer."""

from __future__ import annotations

import inspect
import random
from collections.abc import Sequence
from contextlib import redirect_stderr
from functools import cache, wraps
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from typer._click.exceptions import ClickException
from typer.core import TyperArgument, TyperCommand, TyperOption

from mcp_contracts.cli.app import run
from mcp_contracts.cli.command_line.front_page import COMMANDS, module_of
from mcp_contracts.cli.command_line.parameters import PLAIN, CommandApp
from mcp_contracts.cli.command_line.typer_app import typer_command
from mcp_contracts.cli.linting.options import LintOptions
from mcp_contracts.cli.reports import ExitOptions, ReportOptions
from tests.sweeps import size, sweep
from tests.tables import each

_ROUNDS = size(150, 3)
_WORDS = (
    *("a", "b.md", "-", "--", "", "1", "0", "-1", "2.5", "1e3", "nan", "x=y", "MC3", "text", "json", "auto", "error"),
    *("-x", "-v", "-q", "-h", "--help", "--nonsense", "--no", "=", "sets", "http", "é"),
)


@cache
def probe(name: str) -> tuple[CommandApp, TyperCommand, list[dict[str, Any]]]:
    """Declare a command in both ways, and return the values that Typer passes to its function."""
    declared: CommandApp = import_module(module_of(name)).app
    seen: list[dict[str, Any]] = []

    @wraps(declared.function)
    def keep(**values: Any) -> int:
        seen.append(values)
        return 0

    return declared, typer_command(CommandApp(keep, "")), seen


def both(name: str, arguments: Sequence[str]) -> tuple[Any, Any]:
    """Return the values that we read, with the defaults, and those of Typer; None for a rejected line."""
    declared, command, seen = probe(name)
    seen.clear()
    try:
        command.main(list(arguments), prog_name=name, standalone_mode=False)
    except (ClickException, SystemExit):
        seen.clear()
    values = declared.read(arguments)
    if values is not None:
        parameters = inspect.signature(declared.function).parameters.values()
        values = {one.name: values.get(one.name, one.default) for one in parameters}
    return values, seen[0] if seen else None


def shown(values: Any) -> str:
    """Return values in a form that distinguishes types, and in which nan equals nan."""
    return repr(None if values is None else sorted(values.items()))


def lines(name: str) -> list[list[str]]:
    """Valid and invalid command lines for a command."""
    chance = random.Random(name)
    names = [option for one in probe(name)[1].params for option in (*one.opts, *one.secondary_opts)]
    pieces = [option for option in names if option.startswith("-")]
    joined = [f"{option}={chance.choice(_WORDS)}" for option in pieces if option.startswith("--")]
    starts = [[], required(probe(name)[1])]
    return [
        chance.choice(starts)
        + [chance.choice(chance.choice((pieces, joined, _WORDS))) for _ in range(chance.randrange(5))]
        for _ in range(_ROUNDS)
    ]


@sweep
@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_read_without_typer_is_what_typer_reads(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    read = 0
    for arguments in lines(name):
        ours, typers = both(name, arguments)
        assert ours is None or shown(ours) == shown(typers), arguments
        read += ours is not None

    assert read > 5


@each("name", COMMANDS)
def test_each_option_is_declared_so_that_typer_is_not_needed(name: str) -> None:
    declared, command, _ = probe(name)
    words = required(command)

    for one in command.params:
        if isinstance(one, TyperOption) and one.name != "help":
            values = getattr(one.type, "choices", ("1", "a"))
            given = [[one.opts[0]]] if one.is_flag else [[one.opts[0], value] for value in values]
            assert any(declared.read([*words, *pair]) is not None for pair in given), one.opts


def required(command: TyperCommand) -> list[str]:
    """Return the shortest valid arguments of a command."""
    words = []
    for one in command.params:
        if one.required:
            words.extend([] if isinstance(one, TyperArgument) else one.opts[:1])
            words.append(getattr(one.type, "choices", "a")[0])
    return words


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["a", "b"], {"sources": ["a", "b"]}),
        (["--select", "MC3", "--select=MC5", "a"], {"sources": ["a"], "select": ["MC3", "MC5"]}),
        (
            ["-q", "-f", "json", "--", "-v"],
            {"sources": ["-v"], "report": ReportOptions("json", quiet=True)},
        ),
        (["--max-warnings", "3", "-"], {"sources": ["-"], "exits": ExitOptions(max_warnings=3)}),
        (["--against", "-x"], {"against": "-x"}),
        ([], {}),
        (["-qf", "json"], None),
        (["--max-warnings", "-1"], None),
        (["--format", "yaml"], None),
        (["--forma", "json"], None),
        (["--quiet=yes"], None),
        (["--select"], None),
        (["--help"], None),
    ],
)
def test_clear_command_lines_are_read_and_others_left_to_typer(
    arguments: list[str], expected: dict[str, Any] | None
) -> None:
    read = probe("lint")[0].read(arguments)

    assert read == (None if expected is None else {"options": LintOptions(**expected)})


def test_declarations_say_what_is_read_here() -> None:
    assert "callback" not in PLAIN
    assert "envvar" not in PLAIN


@each(
    ("arguments", "message", "hint"),
    [
        (["lint", "--fromat", "json"], "unknown option `--fromat`", "did you mean `--format`?"),
        (["lint", "--zzz"], "unknown option `--zzz`", "see `mcp-contracts lint --help`"),
        (["export", "--to", "openia"], "invalid value `openia` for `--to`", "did you mean `openai`?"),
        (["explain", "MC302", "--format", "x"], "invalid value `x` for `--format`", "write one of `text`, `json`"),
        (["export"], "`--to` is missing", "write one of `mcp`, `openai`"),
        (["cache"], "`clean` is missing", "write `clean`"),
        (["explain"], "`RULE...` is missing", "see `mcp-contracts explain --help`"),
        (["import", "x", "--into"], "`--into` requires a value", "see `mcp-contracts import --help`"),
        (["init", "--github=x"], "`--github` takes no value", "see `mcp-contracts init --help`"),
        (["lint", "--max-warnings", "many"], "`--max-warnings many` is not an integer", "see"),
        (["lint", "--jobs", "0"], "`--jobs`: 0 is not in the range x>=1", "see"),
        (["mock", "x", "--grace", "x"], "`--grace x` is not a number", "see"),
        (["rules", "x"], "unexpected argument `x`", "see `mcp-contracts rules --help`"),
        (["lnit"], "unknown command `lnit`; did you mean `lint`?", "see `mcp-contracts --help`"),
    ],
)
def test_an_error_in_a_command_line_is_reported_with_a_hint(arguments: list[str], message: str, hint: str) -> None:
    with redirect_stderr(StringIO()) as said:
        code = run(arguments)

    assert code == 2
    assert f"\nerror: {message}\n  help: {hint}" in f"\n{said.getvalue()}"
