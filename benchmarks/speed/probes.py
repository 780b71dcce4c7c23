"""`python -m benchmarks.speed.probes NAME …`: measure something inside one process, and print seconds.

It only uses names that all revisions have, and imports them here rather than in the process that starts it.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

_EDITS = 30
_ROUNDS = 7


def main(name: str, *paths: str) -> None:
    """Print what a probe measures, as JSON."""
    print(json.dumps(PROBES[name](*map(Path, paths))))


def measure_edit(path: Path) -> dict[str, float]:
    """Measure one rule over one specification after each edit, as in an editor, where the text is read again."""
    from mcp_contracts.parsing.spec import read_spec
    from mcp_contracts.rules.base import RuleOptions
    from mcp_contracts.rules.registry import LINT_RULES
    from mcp_contracts.rules.running.engine import check_file

    text = path.read_text(encoding="utf-8")
    rule = next(rule for rule in LINT_RULES if rule.info.code == "MC302")
    seconds = []
    for number in range(_EDITS + 1):
        edited = text.replace("Dependencies", f"Dependencies {number}", 1)
        start = time.perf_counter()
        check_file(read_spec(str(path), edited), [rule], RuleOptions())
        seconds.append(time.perf_counter() - start)
    return {"edit": median(seconds[1:]), "lines": text.count("\n")}


def measure_diff(old: Path, new: Path) -> dict[str, float]:
    """Measure the comparison of two tool lists against reading both, with empty caches."""
    from benchmarks.timing import forget
    from mcp_contracts.checks.diff import diff
    from mcp_contracts.sources.load import load

    diff(load(old), load(new))  # loads lazy imports
    reading, whole = [], []
    for _ in range(_ROUNDS):
        forget()
        gc.collect()
        start = time.process_time()
        contracts = load(old), load(new)
        read = time.process_time()
        diff(*contracts)
        whole.append(time.process_time() - start)
        reading.append(read - start)
    return {"reading": median(reading), "diff": median(whole)}


PROBES: dict[str, Callable[..., dict[str, float]]] = {"edit": measure_edit, "diff": measure_diff}

if __name__ == "__main__":
    main(*sys.argv[1:])
