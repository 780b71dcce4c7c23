"""`python -m benchmarks [COUNT]`: measure every claim of speed, as a ratio to a floor of the same run.

The floor of a command is an empty Python process; the floor of a lint of many files is the time that markdown-it-py
needs to block-parse them, without tables and without the inline phase. Each figure is the best of several alternating
rounds, so that a busy machine affects both sides alike. `benchmarks.changes` follows, and can be run separately.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks import changes, grammars, runtime
from benchmarks.corpus import write_corpus
from benchmarks.timing import best_of

_ROUNDS = 9
_GOALS = {"--version": 3.0, "--help": 4.0, "lint of one clean file": 25.0, "lint of many files": 2.0}
_FLOOR = """
import sys
from pathlib import Path
from markdown_it import MarkdownIt
parser = MarkdownIt("commonmark")  # without tables and without the inline phase: the least that it can do
for path in sorted(Path(sys.argv[1]).rglob("MCP_TOOL_SPECIFICATION.md")):
    parser.block.parse(path.read_text(encoding="utf-8"), parser, {}, [])
"""


def main(count: int) -> int:
    """Measure, print a table, and return 1 if a goal is missed."""
    script = str(Path(sys.executable).with_name("mcp-contracts"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one = write_corpus(folder / "one", 1, seed=7)[0]
        write_corpus(folder / "many", count)
        commands = {
            "python -I -c pass": [sys.executable, "-I", "-c", "pass"],
            "--version": [script, "--version"],
            "--help": [script, "--help"],
            "lint of one clean file": [script, "lint", str(one)],
        }
        small = best_of(commands, folder, _ROUNDS)
        large = best_of(
            {
                "markdown-it-py, blocks only": [sys.executable, "-c", _FLOOR, str(folder / "many")],
                "lint of many files": [script, "lint", "--exit-zero", "--format", "json", "many"],
            },
            folder,
            3,
        )
    missed = report("python -I -c pass", small) + report("markdown-it-py, blocks only", large, f" ({count})")
    missed += changes.main()
    missed += runtime.main()
    missed += grammars.main()
    return 1 if missed else 0


def report(floor: str, seconds: dict[str, float], note: str = "") -> int:
    """Print each time as a ratio to the floor, with the goal; return the number of missed goals."""
    missed = 0
    for name, value in seconds.items():
        ratio = value / seconds[floor]
        goal = _GOALS.get(name)
        verdict = "" if goal is None else f"  goal {goal:g} x: {'met' if ratio <= goal else 'MISSED'}"
        missed += goal is not None and ratio > goal
        print(f"{name + note:<40}{value * 1000:>10.1f} ms{ratio:>8.2f} x{verdict}")
    return missed


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
