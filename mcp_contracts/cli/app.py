"""The command group, and the border at which every error becomes a sentence and an exit code."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module

import click

from mcp_contracts import __version__
from mcp_contracts.errors import ContractError, SourceError

EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_SOURCE = 3
EXIT_INTERNAL = 70
EXIT_INTERRUPTED = 130
_LONGEST_MESSAGE = 2000

COMMANDS = {
    "lint": "Check specifications and tool lists.",
    "diff": "Compare two versions, and prove which changes break callers.",
    "export": "Export contracts for a provider, or as a grammar or a prompt.",
    "new": "Create a specification, or add a tool to one.",
    "rules": "List the lint rules.",
    "explain": "Explain one rule: what, why, and how to fix it.",
}


class LazyGroup(click.Group):
    """Imports a command's module when the command runs: `--help` needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """One command, by its full name."""
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"mcp_contracts.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with their one line each, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was named, or a usage error that names the nearest one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            raise click.UsageError(
                f"there is no command `{args[0]}`" + (f"; did you mean `{near[0]}`?" if near else ""), ctx
            )
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 no error; 1 errors or uncovered breaks (or too many warnings); 2 wrong options or "
    "configuration, or a path that does not exist; 3 nothing to check, or no such revision; 70 an internal error.",
)
@click.version_option(__version__, "-V", "--version", message="mcp-contracts %(version)s")
def group() -> None:
    """Tool contracts for agents: lint, compare and export MCP_TOOL_SPECIFICATION.md files and MCP tool lists."""


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code. Nothing gets past this border as a traceback."""
    with _ended_by_signals():
        return _run(arguments)


def _run(arguments: Sequence[str]) -> int:
    try:
        code = group.main(list(arguments), prog_name="mcp-contracts", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        if isinstance(error, click.UsageError) and error.ctx is not None:
            _say(error.ctx.get_usage())
        _complain(error.format_message(), None)
        return EXIT_USAGE
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # the reader (such as `head`) has seen enough; keep the interpreter from complaining when it flushes
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FINDINGS
    except ContractError as error:
        _complain(error.message, error.hint)
        return EXIT_SOURCE if isinstance(error, SourceError) else EXIT_USAGE
    except OSError as error:
        unnamed = "the working folder" if isinstance(error, FileNotFoundError) else "standard output or a file"
        named = f"`{error.filename}`" if isinstance(error.filename, str) else unnamed
        _complain(f"{named}: {(error.strerror or type(error).__name__).lower()}", None)
        return EXIT_USAGE
    except MemoryError:
        _complain("out of memory", "pass fewer files or folders at once")
        return EXIT_USAGE
    except Exception as error:
        if os.environ.get("MCP_CONTRACTS_DEBUG"):
            raise
        _complain(
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


def _complain(message: str, hint: str | None) -> None:
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
        click.echo(line, err=True)
