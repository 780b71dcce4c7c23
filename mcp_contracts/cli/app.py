"""The application, and the border at which every error becomes a sentence and an exit code."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING, Annotated

import typer
from typer._click.exceptions import ClickException  # typer exports it from 0.28 on only, as `TyperException`
from typer.core import TyperCommand, TyperGroup

from mcp_contracts.cli.front_page import COMMANDS, front_page
from mcp_contracts.cli.help import CONTEXT_SETTINGS
from mcp_contracts.errors import ContractError, SourceError
from mcp_contracts.version import __version__

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_SOURCE = 3
EXIT_INTERNAL = 70
EXIT_INTERRUPTED = 130
_LONGEST_MESSAGE = 2000
_NAME = "mcp-contracts"


def module_of(command: str) -> str:
    """The name of a command's module."""
    return f"mcp_contracts.cli.commands.{command}{'_' if iskeyword(command) else ''}"


class LazyGroup(TyperGroup):
    """Imports a command's module when the command runs: `--help` needs none of them."""

    def list_commands(self, ctx: Context) -> list[str]:
        """The commands in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> TyperCommand | None:
        """One command, by its full name."""
        if cmd_name not in COMMANDS:
            return None
        command = typer.main.get_command(import_module(module_of(cmd_name)).app)
        assert isinstance(command, TyperCommand)
        return command

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, TyperCommand | None, list[str]]:
        """The command that was named, or a usage error that names the nearest one."""
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            ctx.fail(f"there is no command `{args[0]}`" + (f"; did you mean `{near[0]}`?" if near else ""))
        name, command, rest = super().resolve_command(ctx, args)
        assert command is None or isinstance(command, TyperCommand)
        return name, command, rest

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """The help of the application, with the commands by their one line each, without importing them."""
        formatter.write(f"{front_page(formatter.width)}\n")


app = typer.Typer(
    name=_NAME,
    cls=LazyGroup,
    context_settings=CONTEXT_SETTINGS,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"{_NAME} {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Take the options of the application itself."""


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code. Nothing gets past this border as a traceback."""
    with _ended_by_signals():
        return _run(arguments)


def _run(arguments: Sequence[str]) -> int:
    try:
        group = typer.main.get_command(app)
        code = group.main(list(arguments) or ["--help"], prog_name=_NAME, standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        if code == EXIT_INTERRUPTED:
            _say("interrupted")
        return EXIT_USAGE if not arguments else code if isinstance(code, int) else 0
    except ClickException as error:
        context = getattr(error, "ctx", None)
        if context is not None:
            _say(context.get_usage())
        complain(error.format_message(), None)
        return EXIT_USAGE
    except (typer.Abort, KeyboardInterrupt):
        _say("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # the reader (such as `head`) has seen enough; keep the interpreter from complaining when it flushes
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FINDINGS
    except ContractError as error:
        complain(error.message, error.hint)
        return EXIT_SOURCE if isinstance(error, SourceError) else EXIT_USAGE
    except OSError as error:
        unnamed = "the working folder" if isinstance(error, FileNotFoundError) else "standard output or a file"
        named = f"`{error.filename}`" if isinstance(error.filename, str) else unnamed
        complain(f"{named}: {(error.strerror or type(error).__name__).lower()}", None)
        return EXIT_USAGE
    except MemoryError:
        complain("out of memory", "pass fewer files or folders at once")
        return EXIT_USAGE
    except Exception as error:
        if os.environ.get("MCP_CONTRACTS_DEBUG"):
            raise
        complain(
            f"this is a bug in mcp-contracts: {type(error).__name__}: {str(error)[:200]}",
            "set MCP_CONTRACTS_DEBUG=1 for the traceback, and report it with the command and the file",
        )
        return EXIT_INTERNAL


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let a signal that ends the run unwind it first, so that no half-written file stays behind."""

    def end(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    before: dict[int, object] = {}
    try:
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, end)
    except ValueError:  # not in the main thread, to which signals are left
        pass
    try:
        yield
    finally:
        for number in before:
            signal.signal(number, signal.SIG_DFL)


def complain(message: str, hint: str | None) -> None:
    """Say on standard error what is wrong, and what to do about it."""
    from mcp_contracts.checks.masking import mask_text  # only a failing run needs these
    from mcp_contracts.reporting.visible import visible

    _say(f"error: {visible(mask_text(_cut(message)))}")
    if hint:
        _say(f"  help: {visible(mask_text(_cut(hint)))}")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}… ({len(text):,} characters)"


def _say(line: str) -> None:
    """A line on standard error, as far as there is one that takes it."""
    with suppress(OSError, ValueError):
        typer.echo(line, err=True)
