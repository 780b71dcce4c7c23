"""The Typer application, built from the declarations of commands: it parses command lines that are not simple, and
writes help."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer._click.exceptions import ClickException  # typer exports it only since 0.28, as `TyperException`
from typer.core import TyperArgument, TyperCommand, TyperGroup

from mcp_contracts.cli.command_line.front_page import COMMANDS, NAME, WIDEST, front_page, module_of
from mcp_contracts.cli.command_line.parameters import Argument, CommandApp, Option, gather, hints_of, is_group
from mcp_contracts.cli.output import EXIT_INTERRUPTED, EXIT_USAGE, complain, say
from mcp_contracts.reporting.layout import wrap
from mcp_contracts.version import __version__

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter
import re
from difflib import get_close_matches

from typer._click.exceptions import (  # typer exports none of them
    BadOptionUsage,
    BadParameter,
    MissingParameter,
    NoSuchOption,
)

_NAMED = re.compile(r"'([^']*)'")
_REFUSED = re.compile(r"'(?P<value>.*)' is not (?:one of (?P<choices>'.*')|a valid (?P<kind>[a-z ]+))\.?", re.DOTALL)
_EXTRA = re.compile(r"Got unexpected extra argument[()s]* \((.*)\)", re.DOTALL)
_KINDS = {
    "int": "an integer",
    "integer": "an integer",
    "int range": "an integer",
    "float": "a number",
    "float range": "a number",
}


def describe_usage_error(error: ClickException, command: str) -> tuple[str, str]:
    """Return the message and the hint for a usage error of a command."""
    usage = f"see `{command} --help`"
    if isinstance(error, NoSuchOption):
        near = get_close_matches(error.option_name, error.possibilities or (), n=1, cutoff=0.5)
        return f"unknown option `{error.option_name}`", f"did you mean `{near[0]}`?" if near else usage
    if isinstance(error, MissingParameter):
        choices = getattr(getattr(error.param, "type", None), "choices", ())
        return f"`{_name_of(error)}` is missing", _one_of(choices) if choices else usage
    if isinstance(error, BadParameter):
        return _refusal(error, usage)
    if isinstance(error, BadOptionUsage):
        return f"`{error.option_name}` {'requires a' if 'requires' in error.message else 'takes no'} value", usage
    if extra := _EXTRA.match(error.message):
        return f"unexpected argument `{extra[1]}`", usage
    message = error.format_message().rstrip(".")
    return message[:1].lower() + message[1:], usage


def _refusal(error: BadParameter, usage: str) -> tuple[str, str]:
    name = _name_of(error)
    found = _REFUSED.fullmatch(error.message)
    if found is None:
        return f"`{name}`: {error.message.rstrip('.')}", usage
    value = found["value"]
    if found["choices"] is None:
        kind = found["kind"]
        return f"`{name} {value}` is not {_KINDS.get(kind, f'a valid {kind}')}", usage
    choices = _NAMED.findall(found["choices"])
    near = get_close_matches(value, choices, n=1)
    return f"invalid value `{value}` for `{name}`", f"did you mean `{near[0]}`?" if near else _one_of(choices)


def _name_of(error: BadParameter) -> str:
    """Return the first name of an option, or an argument as in the usage line."""
    stated = error.param_hint or ""
    if error.param is not None and error.ctx is not None and not stated:
        stated = error.param.get_error_hint(error.ctx) or ""
    names = [stated] if isinstance(stated, str) else stated
    found = _NAMED.search(" ".join(names))
    return found[1] if found else " ".join(names)


def _one_of(choices: Sequence[str]) -> str:
    return f"write {'one of ' if len(choices) > 1 else ''}{', '.join(f'`{choice}`' for choice in choices)}"


CONTEXT_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": WIDEST}

_ARGUMENTS = "Arguments"
_OPTIONS = "Options"
_NAMES_WIDTH = 32


class CommandWithExamples(TyperCommand):
    """A command whose help shows its options by group, and ends with examples."""

    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        """Return the pieces of the usage line: the arguments as their `metavar` writes them."""
        arguments = (one for one in self.get_params(ctx) if isinstance(one, TyperArgument))
        return ["[OPTIONS]", *(one.metavar or one.human_readable_name for one in arguments)]

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help of the command."""
        write_help(self, ctx, formatter)


def write_help(command: TyperCommand, context: Context, formatter: HelpFormatter) -> None:
    """Write the help of a command: usage, purpose, arguments, options by group, then the examples."""
    command.format_usage(context, formatter)
    command.format_help_text(context, formatter)
    for title, rows in _groups(command.get_params(context), context).items():
        _write_section(title, _row_lines(rows, formatter.width), formatter)
    if command.epilog:
        _write_section("Examples", (f"  {line}" for line in command.epilog.splitlines()), formatter)


def _groups(parameters: Iterable[Any], context: Context) -> dict[str, list[tuple[str, str]]]:
    """Return the rows of each group: arguments first, then options in the order of their groups."""
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
    """Yield rows of a name and text in two columns; a long name is on its own line."""
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


class LazyGroup(TyperGroup):
    """Imports a command's module when the command runs; `--help` needs none of them."""

    def list_commands(self, ctx: Context) -> list[str]:
        """Return the commands in the order in which a new user needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> TyperCommand | None:
        """Return a command by its full name."""
        if cmd_name not in COMMANDS:
            return None
        return typer_command(import_module(module_of(cmd_name)).app)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, TyperCommand | None, list[str]]:
        """Return the named command. Raises a usage error that suggests the nearest one."""
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            ctx.fail(f"unknown command `{args[0]}`" + (f"; did you mean `{near[0]}`?" if near else ""))
        name, command, rest = super().resolve_command(ctx, args)
        assert command is None or isinstance(command, TyperCommand)
        return name, command, rest

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help of the application, with one line for each command, without importing them."""
        formatter.write(f"{front_page(formatter.width)}\n")


app = typer.Typer(
    name=NAME,
    cls=LazyGroup,
    context_settings=CONTEXT_SETTINGS,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"{NAME} {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Read the options of the application itself."""


def typer_command(declared: CommandApp) -> TyperCommand:
    """Return the command as a Typer command."""
    function: Callable[..., Any] = declared.function

    hints = hints_of(function)

    def call(**values: Any) -> Any:
        return function(**gather(hints, values))

    defaults = {one.name: one.default for one in inspect.signature(function).parameters.values()}
    parameters = list(_parameters(hints, defaults))
    call.__doc__, call.__annotations__ = function.__doc__, {one.name: one.annotation for one in parameters}
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # read by `inspect`
    made = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    made.command(cls=CommandWithExamples, epilog=declared.epilog)(call)
    command = typer.main.get_command(made)
    assert isinstance(command, TyperCommand)
    return command


def _parameters(hints: Mapping[str, Any], defaults: Mapping[str, Any]) -> Iterator[inspect.Parameter]:
    """Yield the parameters of a command for Typer, with those of each group in its place."""
    for name, hint in hints.items():
        if is_group(hint):
            own, group = hint.__annotations__, hint()
            yield from _parameters(own, {inner: getattr(group, inner) for inner in own})
        else:
            kind = inspect.Parameter.KEYWORD_ONLY
            yield inspect.Parameter(name, kind, default=defaults[name], annotation=_with_typer(hint))


def _with_typer(hint: Any) -> Any:
    """Convert an annotation to one with Typer's own declaration."""
    declared = getattr(hint, "__metadata__", (None,))[0]
    if not isinstance(declared, Option | Argument):
        return hint
    said = {name: value() if callable(value) else value for name, value in declared.said.items()}
    names = declared.names if isinstance(declared, Option) else ()
    return Annotated[hint.__origin__, (typer.Option if names else typer.Argument)(*names, **said)]


def call(arguments: Sequence[str]) -> Any:
    """Run a command line, and report usage errors."""
    try:
        code = typer.main.get_command(app).main(list(arguments) or ["--help"], prog_name=NAME, standalone_mode=False)
    except ClickException as error:
        context = getattr(error, "ctx", None)
        if context is not None:
            say(context.get_usage())
        named = next((one for one in arguments if one in COMMANDS), None)
        complain(*describe_usage_error(error, NAME if named is None else f"{NAME} {named}"))
        return EXIT_USAGE
    except typer.Abort:
        say("interrupted")
        return EXIT_INTERRUPTED
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # Typer exits with 1, as for findings
            raise ended.__context__ from None
        raise
    if code == EXIT_INTERRUPTED:
        say("interrupted")
    return EXIT_USAGE if not arguments else 0 if code is None else code
