"""Our commands at a revision and in the working tree, side by side."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.revisions import extract_tree
from benchmarks.speed.inputs import write_pair, write_specs
from benchmarks.speed.measuring import Command, measure

_ROOT = Path(__file__).resolve().parents[2]
_SIZES = (1, 100)
_START = "import sys; sys.path.insert(0, {tree!r}); from mcp_contracts.cli.main import main; main()"


def compare_revision(revision: str, folder: Path, rounds: int) -> int:
    """Print the median times of our commands on both sides; return 1 if any takes 1.2 times as long as before."""
    trees = {revision: extract_tree(revision, folder), "now": _ROOT}
    targets = {size: folder / f"clean{size}" for size in _SIZES}
    for size, path in targets.items():
        write_specs(path, size)
    old, new = write_pair(folder / "pair", 100, 5)
    asked = {
        "--version": ["--version"],
        **{f"lint of {size}": ["lint", "--exit-zero", "--format", "json", str(path)] for size, path in targets.items()},
        "diff of 100 tools": ["diff", "--exit-zero", "--format", "json", str(old), str(new)],
    }
    every = [
        Command(f"{side}: {name}", [*_start(tree), *words])
        for name, words in asked.items()
        for side, tree in trees.items()
    ]
    found = measure(every, folder, rounds)
    slower = 0
    for name in asked:
        before, now = (found[f"{side}: {name}"] for side in trees)
        ratio = now.cpu / before.cpu
        slower += ratio > 1.2
        print(
            f"{name:<24}{before.wall * 1000:>9.0f} ms{now.wall * 1000:>9.0f} ms{now.wall / before.wall:>7.2f} x"
            f"{ratio:>7.2f} x in CPU time"
        )
    return 1 if slower else 0


def _start(tree: Path) -> list[str]:
    return [sys.executable, "-c", _START.format(tree=str(tree))]
