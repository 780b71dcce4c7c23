"""The cost and the result of questions, for pairs of each family and world: `python -m tests.proofs.effort` updates it.

Steps are the same on every machine, so `tests/golden/effort.txt` shows a lost shortcut, work that is not counted, and a
worse witness. Its rows only change on purpose.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mcp_contracts.comparison.declared.policy import as_callers_send, as_consumers_read
from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.decision import BUDGET, inclusion
from tests.proofs.families import FAMILIES, pair_of
from tests.proofs.worlds import WORLDS

FILE = Path(__file__).parents[1] / "golden" / "effort.txt"
SEEDS = range(40)
SOURCES = (*FAMILIES, *(f"world {name}" for name in WORLDS))
_SMALL_BUDGET = 28
_UNREADABLE = r"^(a|b)\1$"
_DROPPED = frozenset(("pattern", "minLength", "maxLength", "minimum", "multipleOf", "const", "enum"))


def row(source: str, seed: int) -> str:
    """Return the row of a pair: as sets, as sent and as read under `declared`, with doubts, and with few steps."""
    old, new = _pair(source, seed)
    sent, read = as_callers_send(old), as_consumers_read(old)
    answers = (
        _answered(old, new),
        _answered(sent.schema, new, sent.inexact),
        _answered(new, read.schema, read.inexact),
        _answered(_doubtful(old), _doubtful(new)),
        _answered(old, new, budget=_SMALL_BUDGET),
    )
    return f"{source} {seed}: {'; '.join(answers)}"


def rows() -> Iterator[str]:
    """All rows, in order."""
    return (row(source, seed) for source in SOURCES for seed in SEEDS)


def _pair(source: str, seed: int) -> tuple[Any, Any]:
    if source in FAMILIES:
        return pair_of(source, seed)
    schemas = WORLDS[source.removeprefix("world ")]().schemas
    old, new = random.Random(f"{source} {seed}").sample(schemas, 2)
    return old, new


def _answered(left: JsonValue, right: JsonValue, inexact: Sequence[str] = (), budget: int = BUDGET) -> str:
    found = inclusion(left, right, budget=budget)
    witness = [json.dumps(found.witness, ensure_ascii=False)] if found.has_witness else []
    stopped = [str(one) for one in (found.keyword, found.pointer, found.document, found.reason) if one]
    return " ".join((f"{found.steps} {found.answer}", *witness, *stopped, *(f"not {pointer}" for pointer in inexact)))


def _doubtful(schema: Any) -> Any:
    """A schema with patterns that the search does not support, for text and for names."""
    if isinstance(schema, list):
        return [_doubtful(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key if key != "^a" else _UNREADABLE: _doubtful(item) for key, item in schema.items() if key not in _DROPPED}
    is_of_texts = len(kept) < len(schema) or schema.get("type") == "string"
    return {**kept, "pattern": _UNREADABLE} if is_of_texts else kept


if __name__ == "__main__":
    FILE.write_text("".join(f"{line}\n" for line in rows()), "utf-8")
