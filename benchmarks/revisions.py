"""`python -m benchmarks.revisions REVISION [ROUNDS]`: compare a revision and the working tree in one run.

Both answer the same questions about pairs of real schemas in turn, each in its own process, so that a busy machine
affects both alike. The time of a question is its best of all rounds, in processor seconds. The pairs are outside the
project: `MCP_CONTRACTS_CORPUS` is the folder that contains `evolution/`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from benchmarks.pairs import Question, questions
from benchmarks.timing import environment, quantile

_HERE = Path(__file__).resolve().parent
_SHARES = (0.5, 0.9, 0.99, 1.0)
_GOAL = 1.2
"""The maximum median of `inclusion` and of `compare_schemas`, in medians of the revision."""
_SLOWEST = 8


class _Answer(NamedTuple):
    """The time in seconds, and the answer."""

    seconds: float
    answer: str


class _Side:
    """The process of one revision, with its best times."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._asked: IO[str] = process.stdin
        self._answered: IO[str] = process.stdout
        self.best: dict[tuple[str, str], _Answer] = {}

    def ask(self, question: Question) -> None:
        """Ask once, and keep the best time of each method."""
        self._asked.write(json.dumps([question.left, question.right]) + "\n")
        self._asked.flush()
        taken: Mapping[str, Any] = json.loads(self._answered.readline())
        for way, found in taken.items():
            key = (way, question.name)
            self.best[key] = min(_Answer(*found), self.best.get(key, _Answer(*found)))


def main(revision: str, rounds: int) -> int:
    """Measure, print tables, and return 1 if a median exceeds the goal."""
    named = os.environ.get("MCP_CONTRACTS_CORPUS")
    if named is None:
        print("MCP_CONTRACTS_CORPUS does not name the corpus")
        return 2
    asked = list(questions(Path(named) / "evolution"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with _side(extract_tree(revision, folder), folder) as old, _side(_HERE.parent, folder) as new:
            for number in range(rounds):
                for question in asked:
                    for side in (old, new) if number % 2 else (new, old):
                        side.ask(question)
            missed = [_table(way, revision, old, new, asked) for way in ("inclusion", "compare_schemas")]
    return 1 if any(missed) else 0


def extract_tree(revision: str, folder: Path) -> Path:
    path = folder / "before"
    path.mkdir()
    archive = subprocess.run(["git", "archive", revision], cwd=_HERE.parent, capture_output=True, check=True)
    subprocess.run(["tar", "-x"], cwd=path, input=archive.stdout, check=True)
    return path


@contextmanager
def _side(tree: Path, folder: Path) -> Iterator[_Side]:
    process = subprocess.Popen(
        [sys.executable, str(_HERE / "answering.py")],
        env={**environment(folder), "PYTHONPATH": str(tree)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield _Side(process)


def _table(way: str, revision: str, old: _Side, new: _Side, asked: Sequence[Question]) -> bool:
    """Print the times of one method on both sides; return whether the median exceeds the goal."""
    print(f"\n{way}, ms: median, 90 %, 99 %, most, and all together")
    for name, side in ((revision, old), ("working tree", new)):
        seconds = [side.best[way, question.name].seconds for question in asked]
        columns = "".join(f"{quantile(seconds, share) * 1000:>11.2f}" for share in _SHARES)
        print(f"  {name:<20}{columns}{sum(seconds) * 1000:>13.1f}")
    medians = [quantile((side.best[way, one.name].seconds for one in asked), 0.5) for side in (old, new)]
    ratio = medians[1] / medians[0]
    print(f"  the median is {ratio:.2f} x that of {revision}, goal {_GOAL} x: {'met' if ratio <= _GOAL else 'MISSED'}")
    slowest = sorted(asked, key=lambda one: -new.best[way, one.name].seconds)[:_SLOWEST]
    for question in slowest:
        times = [side.best[way, question.name].seconds * 1000 for side in (old, new)]
        print(f"  {question.name:<40}{times[0]:>11.1f}{times[1]:>11.1f} ms")
    others = [one for one in asked if old.best[way, one.name].answer != new.best[way, one.name].answer]
    for question in others:
        answers = (side.best[way, question.name].answer for side in (old, new))
        print(f"  {question.name} was {' and is '.join(answers)}")
    return ratio > _GOAL


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3))
