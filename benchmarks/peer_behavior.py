"""`python -m benchmarks.peer_behavior`: how each library handles errors in the same three tools.

Prints the table of `docs/peers.md`. A library that is not installed is left out, and named.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import sys
import time
import warnings
from collections.abc import Awaitable, Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchmarks.peer_tools import LIBRARIES, SECRET, Call

_CASES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("bad argument", "search", {"query": "a", "limit": "many"}),
    ("unknown argument", "search", {"query": "a", "limt": 1}),
    ("timeout", "search", {"query": "slow"}),
    ("secret in an exception", "connect", {"host": "h"}),
    ("`SystemExit`", "connect", {"host": "exit"}),
    ("wrong output", "count", {"text": ""}),
)
_LATE = 0.8  # seconds; the slow tool takes one


def main() -> int:
    """Print the table; return 1 if no library but this one is installed."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    columns: list[tuple[str, list[str]]] = []
    for package, define, call in LIBRARIES:
        try:
            title = f"{package} {version(package)}"
            columns.append((title, [str(_lines_of(define)), *_behavior(define(), call)]))
        except (PackageNotFoundError, ImportError) as error:
            print(f"left out: {package} ({error})", file=sys.stderr)
    print("| | " + " | ".join(title for title, _ in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for index, row in enumerate(("lines of code", *(case for case, _, _ in _CASES))):
        print(f"| {row} | " + " | ".join(cells[index] for _, cells in columns) + " |")
    return int(len(columns) < 2)


def _lines_of(define: Callable[[], Any]) -> int:
    """Return the lines of a definition without its head, docstring and blank lines."""
    lines = inspect.getsource(define).splitlines()[2:]
    return sum(bool(line.strip()) for line in lines)


def _behavior(app: Any, call: Call) -> list[str]:
    _outcome(app, call, "search", {"query": "a"})  # imports what the first call needs
    return [_outcome(app, call, name, arguments) for _, name, arguments in _CASES]


def _outcome(app: Any, call: Call, name: str, arguments: dict[str, Any]) -> str:
    """Describe how a call ended: with an answer for the model, or an exception in the program."""
    begun = time.monotonic()
    try:
        answer = asyncio.run(_awaited(call(app, name, arguments)))
    except BaseException as error:  # whatever a library raises
        ended = f"raises `{type(error).__name__}`"
        shown = "".join(map(str, _causes(error)))
    else:
        is_error = _is_error(answer)
        ended = "an error for the model" if is_error else "returns a result"
        shown = str(getattr(answer, "to_json", lambda: answer)())
    if time.monotonic() - begun > _LATE:
        ended += ", late"
    return ended + (", with the secret" if SECRET in shown else "")


async def _awaited(work: Awaitable[Any]) -> Any:
    return await work


def _causes(error: BaseException) -> list[BaseException]:
    found = [error]
    while found[-1].__cause__ is not None and len(found) < 10:
        found.append(found[-1].__cause__)
    return found


def _is_error(answer: Any) -> bool:
    if hasattr(answer, "ok"):
        return not answer.ok
    return bool(getattr(answer, "is_error", False)) or getattr(answer, "outcome", "success") != "success"


if __name__ == "__main__":
    sys.exit(main())
