"""The output of commands: bytes on standard output, notes and errors on standard error, and exit codes."""

from __future__ import annotations

import os
import sys

EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_SOURCE = 3
EXIT_INTERNAL = 70
EXIT_INTERRUPTED = 130
EXIT_CLOSED_PIPE = 141
"""What shells report for a program that SIGPIPE ends, as it ends git and grep."""
_LONGEST_MESSAGE = 2000


def say(line: str) -> None:
    """Print a line on standard error, if it is open."""
    if line and sys.stderr is not None:
        from mcp_contracts.masking.mask import mask_text  # not needed without output

        try:
            print(mask_text(line), file=sys.stderr, flush=True)
        except (OSError, ValueError):
            return  # it was closed


def complain(message: str, hint: str | None) -> None:
    """Print an error and its hint on standard error."""
    from mcp_contracts.reporting.visible import visible  # only a failing run needs it

    say(f"error: {visible(_shorten(message))}")
    if hint:
        say(f"  help: {visible(_shorten(hint))}")


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}… ({len(text):,} characters)"


def write_output(content: bytes) -> None:
    """Write bytes to standard output, all of them. Raises UsageError if that fails."""
    if sys.stdout is None:
        raise _error("standard output is closed")
    try:
        sys.stdout.flush()
        left = memoryview(content)
        while left:  # an unbuffered stream (PYTHONUNBUFFERED) may take a part at a time
            left = left[sys.stdout.buffer.write(left) :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that Python does not try again at exit
        reason = (error.strerror or "it cannot be written").lower()
        raise _error(f"standard output: {reason}") from error


def _error(message: str) -> Exception:
    from mcp_contracts.errors import UsageError  # not needed by a run that prints

    return UsageError(message, hint="write the report to a file with `--output FILE`")
