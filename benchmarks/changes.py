"""`python -m benchmarks.changes`: the speed of the breaking-change engine, as ratios to floors of the same run.

Times are processor seconds, so that a busy machine has little effect. Parts that need the corpus are skipped, with a
message, if `MCP_CONTRACTS_CORPUS` is not set.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from benchmarks.comparisons import measure_repository, measure_servers, measure_start
from benchmarks.pairs import measure_pairs
from benchmarks.single_schemas import measure_edits, measure_unions


def main() -> int:
    """Measure, print tables, and return the number of missed goals."""
    named = os.environ.get("MCP_CONTRACTS_CORPUS")
    missed = 0
    print("\n## The realistic tool, edited: inclusion and compare_schemas, in times the floor")
    missed += measure_edits()
    print("\n## Twelve branches of five properties that lead back")
    missed += measure_unions()
    print("\n## Pairs of real schemas: median, 90 %, 99 %, most, and the median in medians of the floor")
    if named is None:
        print("skipped: MCP_CONTRACTS_CORPUS does not name the corpus")
    else:
        missed += measure_pairs(Path(named) / "evolution")
        print("\n## Consecutive versions of servers")
        measure_servers(Path(named) / "corpus" / "servers")
    with tempfile.TemporaryDirectory() as name:
        print("\n## A repository")
        measure_repository(Path(name))
        print("\n## The start of a command")
        missed += measure_start(Path(name))
    return missed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
