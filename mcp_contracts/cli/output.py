"""Standard output, as bytes."""

from __future__ import annotations

import os
import sys


def write_output(content: bytes) -> None:
    """Write all of some bytes to standard output. Raises UsageError where it takes none."""
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
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left is not tried again at exit
        reason = (error.strerror or "it cannot be written").lower()
        raise _error(f"standard output: {reason}") from error


def _error(message: str) -> Exception:
    from mcp_contracts.errors import UsageError  # which a run that prints needs no more

    return UsageError(message, hint="write the report to a file with `--output FILE`")
