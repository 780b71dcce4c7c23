"""Help texts: arguments, options in groups, and examples, wrapped between words to the width of the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from typer.core import TyperArgument, TyperCommand

from mcp_contracts.cli.command_line.front_page import WIDEST
from mcp_contracts.reporting.layout import wrap

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

CONTEXT_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": WIDEST}

_ARGUMENTS = "Arguments"
_OPTIONS = "Options"
_NAMES_WIDTH = 32


class CommandWithExamples(TyperCommand):
    """A command whose help shows its options by group, and ends with examples of its use."""

    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        """The pieces of the usage line: the arguments as their `metavar` writes them."""
        arguments = (one for one in self.get_params(ctx) if isinstance(one, TyperArgument))
        return ["[OPTIONS]", *(one.metavar or one.human_readable_name for one in arguments)]

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """The help of the command."""
        write_help(self, ctx, formatter)


def write_help(command: TyperCommand, context: Context, formatter: HelpFormatter) -> None:
    """Write a help text: usage, purpose, arguments, options by group, then the examples."""
    command.format_usage(context, formatter)
    command.format_help_text(context, formatter)
    for title, rows in _groups(command.get_params(context), context).items():
        _write_section(title, _row_lines(rows, formatter.width), formatter)
    if command.epilog:
        _write_section("Examples", (f"  {line}" for line in command.epilog.splitlines()), formatter)


def _groups(parameters: Iterable[Any], context: Context) -> dict[str, list[tuple[str, str]]]:
    """The rows of each group: arguments first, then options in the order of their groups."""
    groups: dict[str, list[tuple[str, str]]] = {_ARGUMENTS: []}
    for parameter in parameters:
        if parameter.hidden:
            continue
        name, text = parameter.get_help_record(context)
        if isinstance(parameter, TyperArgument):
            groups[_ARGUMENTS].append((parameter.metavar or name, parameter.help or ""))
        else:
            groups.setdefault(parameter.rich_help_panel or _OPTIONS, []).append((name, text))
    return {title: rows for title, rows in groups.items() if rows}


def _row_lines(rows: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Yield rows of a name and a text in two columns; a long name has a line of its own."""
    column = min(max(len(name) for name, _ in rows), _NAMES_WIDTH - 4) + 4
    for name, text in rows:
        is_long = len(name) + 4 > column
        if is_long:
            yield f"  {name}"
        lead = " " * column if is_long else f"  {name}".ljust(column)
        yield from wrap(" ".join(text.split()), width, " " * column, lead)


def _write_section(title: str, lines: Iterable[str], formatter: HelpFormatter) -> None:
    formatter.write(f"\n{title}:\n")
    for line in lines:
        formatter.write(f"{line}\n")
