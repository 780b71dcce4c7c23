"""What a question costs and what it finds, for pairs of each family: `python -m tests.proofs.effort` writes it anew.

Steps are the same on every machine, so a shortcut that is lost, work that nobody pays for, and a witness that is worse
than before show in `tests/golden/effort.txt`. Its rows change on purpose only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from mcp_contracts.comparison.declared.policy import as_callers_send, as_consumers_read
from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.decision import inclusion
from tests.proofs.families import FAMILIES, pair_of

FILE = Path(__file__).parents[1] / "golden" / "effort.txt"
SEEDS = range(60)


def row(family: str, seed: int) -> str:
    """One pair: as sets of values, as callers send the old one, and as consumers read it."""
    old, new = pair_of(family, seed)
    sent, read = as_callers_send(old), as_consumers_read(old)
    answers = (
        _answered(old, new),
        _answered(sent.schema, new, sent.inexact),
        _answered(new, read.schema, read.inexact),
    )
    return f"{family} {seed}: {'; '.join(answers)}"


def rows() -> Iterator[str]:
    """All rows, in order."""
    return (row(family, seed) for family in FAMILIES for seed in SEEDS)


def _answered(left: JsonValue, right: JsonValue, inexact: Sequence[str] = ()) -> str:
    found = inclusion(left, right)
    witness = [json.dumps(found.witness, ensure_ascii=False)] if found.has_witness else []
    stopped = [f"{found.pointer} {found.reason}"] if found.answer == "unknown" else []
    return " ".join((f"{found.steps} {found.answer}", *witness, *stopped, *(f"not {pointer}" for pointer in inexact)))


if __name__ == "__main__":
    FILE.write_text("".join(f"{line}\n" for line in rows()), "utf-8")
