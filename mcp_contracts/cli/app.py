"""Run a command line, and convert every error to a message and an exit code."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from time import time_ns
from typing import TYPE_CHECKING

from mcp_contracts.cli import output
from mcp_contracts.cli.command_line.front_page import COMMANDS, COMPLETION, module_of
from mcp_contracts.cli.command_line.parameters import CommandApp
from mcp_contracts.errors import ContractError, SourceError

if TYPE_CHECKING:
    from mcp_contracts.cli.repeatable import FinishedRun


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code. No traceback is ever printed."""
    with _end_on_signals():
        return _guard(partial(_call, arguments))


def fail(error: BaseException) -> int:
    """Report an error that ends a run, and return the exit code."""
    return _guard(partial(_raise, error))


def _raise(error: BaseException) -> int:
    raise error


def _call(arguments: Sequence[str]) -> int:
    started = time_ns()
    ended = _end(arguments)
    if isinstance(ended, int):
        return ended
    from mcp_contracts.cli.repeatable import remember_run  # only `lint` and `diff` need it

    remember_run(arguments, ended, started)
    return ended.code


def _end(arguments: Sequence[str]) -> int | FinishedRun:
    """Run a command line, which is parsed without Typer if it is unambiguous. Nearly all are."""
    ended: int | FinishedRun
    is_plain = COMPLETION not in os.environ and os.name != "nt"  # where Typer expands globs
    if is_plain and arguments and arguments[0] in COMMANDS:
        declared: CommandApp = import_module(module_of(arguments[0])).app
        values = declared.read(arguments[1:])
        _collect_garbage()
        if values is not None:
            ended = declared.function(**values)
            return ended
    _collect_garbage()
    from mcp_contracts.cli.command_line.typer_app import call  # slow to import

    ended = call(arguments)
    return ended


def _collect_garbage() -> None:
    """Enable garbage collection again, but not for the imported modules."""
    gc.freeze()
    gc.enable()


def _guard(call: Callable[[], int]) -> int:
    try:
        code = call()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        output.say("interrupted")
        return output.EXIT_INTERRUPTED
    except BrokenPipeError:
        # the reader (such as `head`) closed the pipe; prevents an error when the interpreter flushes
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return output.EXIT_CLOSED_PIPE
    except ContractError as error:
        output.complain(error.message, error.hint)
        return output.EXIT_SOURCE if isinstance(error, SourceError) else output.EXIT_USAGE
    except OSError as error:
        unnamed = "the working directory" if isinstance(error, FileNotFoundError) else "standard output or a file"
        named = f"`{error.filename}`" if isinstance(error.filename, str) else unnamed
        output.complain(f"{named}: {(error.strerror or type(error).__name__).lower()}", None)
        return output.EXIT_USAGE
    except MemoryError:
        output.complain("out of memory", "pass fewer files or folders at once")
        return output.EXIT_USAGE
    except Exception as error:
        if os.environ.get("MCP_CONTRACTS_DEBUG"):
            raise
        missing = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
        if missing and missing != "mcp_contracts":
            output.complain(
                f"the package `{missing}`, which mcp-contracts needs, is not installed for {sys.executable}",
                "install mcp-contracts again with this Python, with its dependencies",
            )
            return output.EXIT_USAGE
        output.complain(
            f"this is a bug in mcp-contracts: {type(error).__name__}: {str(error)[:200]}",
            "set MCP_CONTRACTS_DEBUG=1 for the traceback, and report it with the command and the file",
        )
        return output.EXIT_INTERNAL


@contextmanager
def _end_on_signals() -> Iterator[None]:
    """Unwind the stack before a signal ends the run, so that no half-written file remains."""

    def end(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    before: dict[int, object] = {}
    try:
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, end)
    except ValueError:  # only the main thread can handle signals
        pass
    try:
        yield
    finally:
        for number in before:
            signal.signal(number, signal.SIG_DFL)
