"""The output of an earlier run, printed again if everything that the run read is unchanged.

This module answers before the options of a command are imported. It identifies a run by its command line,
folder, terminal and day, without interpreting them: `repeatable` decides which runs are cached and what they read.
Without a cached output, the command runs; tests compare cached outputs with such a run.
"""

from __future__ import annotations

import os
import sys
import time

from mcp_contracts.cli.cache_folder import cache_folder
from mcp_contracts.files.cache import KEY_SIZE, read_value
from mcp_contracts.files.hashing import blake2b
from mcp_contracts.files.installation import installation
from mcp_contracts.files.looking import look
from mcp_contracts.version import __version__

TYPE_CHECKING = False  # type checkers assume True; `collections.abc` is only imported for them
if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = ("lint", "diff")
DIGEST_SIZE = 32
_SIZES = 8
_VARIABLES = ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "PATH")
"""The variables that output and searches depend on, besides git's."""


def answer(arguments: Sequence[str]) -> tuple[int, bytes] | None:
    """Return the exit code and the output of the same command line, if nothing has changed since it ran."""
    if arguments[:1] and arguments[0] in COMMANDS and sys.stdout is not None:
        try:
            folder = _folder(arguments)
            value = None if folder is None else read_value(folder, run_key(arguments))
            return None if value is None else _read(value)
        except (OSError, ValueError, LookupError):
            pass
    return None


def run_key(arguments: Sequence[str]) -> bytes:
    """Return everything that a run depends on besides files. Raises OSError."""
    variables = sorted((name, value) for name, value in os.environ.items() if name in _VARIABLES or name[:4] == "GIT_")
    terminal = tuple(os.get_terminal_size(sys.stdout.fileno())) if sys.stdout.isatty() else ()
    is_watched = sys.stderr is not None and sys.stderr.isatty()
    known = (__version__, sys.version, installation(), time.localtime()[:3], os.getcwd(), variables, terminal)
    text = repr((known, is_watched, [*arguments]))
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=KEY_SIZE).digest()


def to_bytes(code: int, output: bytes, looks: Sequence[str]) -> bytes:
    """Return the cached form of a run. Raises OSError if something that it read cannot be read again."""
    paths = os.fsencode("\0".join(looks))
    return b"".join((_digest(looks), bytes([code]), len(paths).to_bytes(_SIZES, "big"), paths, output))


def _read(value: bytes) -> tuple[int, bytes] | None:
    start = DIGEST_SIZE + 1 + _SIZES
    end = start + int.from_bytes(value[DIGEST_SIZE + 1 : start], "big")
    looks = os.fsdecode(value[start:end]).split("\0")
    return (value[DIGEST_SIZE], value[end:]) if _digest(looks) == value[:DIGEST_SIZE] else None


def _digest(looks: Sequence[str]) -> bytes:
    digest = blake2b(digest_size=DIGEST_SIZE)
    for one in looks:
        seen = look(one)
        digest.update(b"%d " % len(seen))
        digest.update(seen)
    return digest.digest()


def _folder(arguments: Sequence[str]) -> str | None:
    """Return the folder of the cache, according to the options that name it or turn it off."""
    named = None
    for at, word in enumerate(arguments):
        if word == "--no-cache":
            return None
        if word == "--cache-dir":
            named = arguments[at + 1]
        elif word.startswith("--cache-dir="):
            named = word[len("--cache-dir=") :]
    return cache_folder(named)
