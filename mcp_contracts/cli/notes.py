"""The notes and errors, with hints, that commands print on standard error."""

from __future__ import annotations

import sys
from contextlib import suppress

_LONGEST_MESSAGE = 2000


def say(line: str) -> None:
    """A line on standard error, as far as there is one that takes it."""
    with suppress(OSError, ValueError):
        if line and sys.stderr is not None:
            print(line, file=sys.stderr, flush=True)


def complain(message: str, hint: str | None) -> None:
    """Print an error and its hint on standard error."""
    from mcp_contracts.checks.masking import mask_text  # only a failing run needs these
    from mcp_contracts.reporting.visible import visible

    say(f"error: {visible(mask_text(_shorten(message)))}")
    if hint:
        say(f"  help: {visible(mask_text(_shorten(hint)))}")


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}… ({len(text):,} characters)"
