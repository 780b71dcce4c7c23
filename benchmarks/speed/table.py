"""The rows of the table: what is measured, its baseline, and the goal."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import log
from pathlib import Path

from benchmarks.corpus import write_corpus
from benchmarks.speed.inputs import write_pair, write_python, write_schemas, write_specs
from benchmarks.speed.measuring import Command, Measured, measure
from benchmarks.speed.peers import PEERS, SERVER_PEERS, Peer, commands, server

_ROOT = Path(__file__).resolve().parents[2]
_FLOORS = str(Path(__file__).with_name("floors.py"))
_PASS = Command("pass", [sys.executable, "-I", "-c", "pass"])
_MOST_PARSED = 1_000  # files; block-parsing more would show nothing new
_MOST_MEMORY = 80  # MiB
_LINES = 400
_TOOLS, _CHANGED = 100, 5


_NEEDED = {
    "version": "The script that older versions of pip write imports `re`, which takes half as long as starting "
    "Python. pip 25.3 and uv write it without this import, and the ratio is then 1.1×. Our own script instead of "
    "an entry point would avoid the import as well, but a wheel would then have no command on Windows.",
    "first": "About half is the import of our 240 modules: finding and opening them, reading their code, and "
    "creating their classes. Compiling 60 regular expressions takes 5%. Meeting the goal would require fewer, "
    "larger modules.",
    "diff": "Nearly half is the import of our 240 modules, and a quarter is Python and its standard library. The "
    "rest is reading both files, the comparison, and a witness that two validators confirm. Meeting the goal would "
    "require fewer, larger modules. A repeated comparison is answered from the cache.",
    "tools": "A changed tool takes a search, a readable witness, and its confirmation. Meeting the goal would "
    "require one graph for all questions of a comparison.",
    "cold": "No rule or reader stands out: a file takes 13,000 function calls, half of them to read it, and no "
    "function takes more than 5%. Rules already share one walk over a schema, skip files that lack what they check, "
    "and search for words before they try patterns; titles, types and cells are evaluated once per run. An "
    "improvement requires a reader that passes over its blocks once instead of ten times; the goal itself requires "
    "compiled code.",
    "growth": "In one process, the exponent is 1.04. The rest is the cost of a second process, which is only "
    "started for many files: its pages are copied when they change, and it sends its results.",
    "memory": "The findings of all files are held until the report is written, so that the report is sorted "
    "and masked as a whole. Meeting the goal would require a report that is written file by file.",
}
"""What a missed goal would require, by command."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One row: a value in `unit`, also in processor time, and its maximum (its minimum if `is_least`).

    `words` is the command whose profile shows where the time goes, `needed` what the goal would require.
    """

    what: str
    value: float
    goal: float | None
    unit: str = "×"
    cpu: float | None = None
    is_least: bool = False
    detail: str = ""
    words: Sequence[str] = ()
    needed: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the goal is reached; also true without a goal."""
        if self.goal is None:
            return True
        return self.value >= self.goal if self.is_least else self.value <= self.goal


@dataclass
class Bench:
    """One run in a folder, with corpora of some sizes; `rounds` for small commands, fewer for large ones."""

    folder: Path
    sizes: Sequence[int]
    rounds: int
    script: str = field(default_factory=lambda: str(Path(sys.executable).with_name("mcp-contracts")))
    lines: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    @cached_property
    def _flags(self) -> str:
        return subprocess.run([self.script, "lint", "--help"], capture_output=True, text=True, check=True).stdout

    def lint(self, target: Path | str, *, cache: Path | None = None) -> list[str]:
        """Return the command that lints something, with its own cache or without one."""
        flags: list[str] = []
        if "--no-cache" in self._flags:
            flags = ["--no-cache"] if cache is None else ["--cache-dir", str(cache)]
        return [self.script, "lint", "--exit-zero", "--format", "json", *flags, str(target)]

    def figures(self) -> Iterator[Figure]:
        """Measure everything, and yield each row once it is known."""
        yield from self._start()
        yield from self._editor()
        yield from self._many()
        yield from self._comparison()
        yield from self._peers()

    def _start(self) -> Iterator[Figure]:
        one = write_specs(self.folder / "one", 1)[0]
        changed = self.folder / "changed.md"
        changed.write_text(one.read_text(encoding="utf-8").replace('"type": "string"', '"type": "null"', 1), "utf-8")
        fresh, kept = self.folder / ".fresh", self.folder / ".kept"
        sides = [str(one), str(changed)]
        diff = [self.script, "diff", "--exit-zero", "--no-cache", *sides]
        again = [self.script, "diff", "--exit-zero", "--cache-dir", str(kept), *sides]
        rows = (
            ("`--version`", Command("version", [self.script, "--version"]), 1.3),
            (
                "`lint` of one clean file, first run",
                Command("first", self.lint(one, cache=fresh), partial(shutil.rmtree, fresh, ignore_errors=True)),
                9,
            ),
            ("`lint` of one unchanged file", Command("again", self.lint(one, cache=kept)), 3.5),
            ("`diff` of two one-tool specifications, first run", Command("diff", diff), 8),
            ("`diff` of two unchanged specifications", Command("unchanged", again), None),
        )
        found = measure([_PASS, *(command for _, command, _ in rows)], self.folder, self.rounds)
        for what, command, goal in rows:
            ours = found[command.name]
            needed = _NEEDED.get(command.name, "")
            yield _ratio(f"{what} / `python -I -c pass`", ours, found["pass"], goal, command.words, needed=needed)

    def _editor(self) -> Iterator[Figure]:
        specs = write_specs(self.folder / "some", 30)
        path = min(specs, key=lambda spec: abs(spec.read_text(encoding="utf-8").count("\n") - _LINES))
        found = _probe(self.folder, "edit", path)
        what = f"one rule over a specification of {found['lines']:.0f} lines after an edit"
        yield Figure(what, found["edit"] * 1000, 20, "ms", words=self.lint(path))

    def _many(self) -> Iterator[Figure]:
        cold: dict[int, Measured] = {}
        for size in self.sizes:
            target = self.folder / f"many{size}"
            write_corpus(target, size)
            every = [
                Command("cold", self.lint(target)),
                Command("again", self.lint(target, cache=self.folder / f".cache{size}")),
                Command("hash", [sys.executable, _FLOORS, "hash", str(target)]),
            ]
            if size <= _MOST_PARSED:
                every.append(Command("parse", [sys.executable, _FLOORS, "parse", str(target)]))
            found = measure(every, self.folder, max(1, self.rounds // max(1, size // 100)))
            for name, title in (
                ("cold", "lint, cold"), ("again", "lint, unchanged"), ("parse", "markdown-it-py, blocks"),
                ("hash", "read and sha256"),
            ):  # fmt: skip
                if name in found:
                    self.lines.setdefault(title, []).append((size, found[name].wall))
            cold[size] = found["cold"]
            if size == max(one for one in self.sizes if one <= _MOST_PARSED):
                what = f"cold `lint` of {size:,} / block-parse them with markdown-it-py"
                yield _ratio(what, found["cold"], found["parse"], 0.6, every[0].words, needed=_NEEDED["cold"])
            if size == max(self.sizes):
                what = f"unchanged `lint` of {size:,} / read and sha256 all of them"
                yield _ratio(what, found["again"], found["hash"], 2, every[1].words)
        yield from self._growth(cold)

    def _growth(self, cold: dict[int, Measured]) -> Iterator[Figure]:
        few, many = ([size for size in self.sizes if size > 1] or [1])[0], max(self.sizes)
        for size in (100, 1_000):
            few = size if size in cold and size < many and few != 100 else few
        least = cold[min(cold)].cpu
        if many > few:
            grown = log((cold[many].cpu - least) / (cold[few].cpu - least)) / log(many / few)
            what = f"growth exponent of cold `lint` from {few:,} to {many:,}, CPU time minus that of one file"
            yield Figure(what, grown, 1.05, "", needed=_NEEDED["growth"])
        what = f"peak memory, {many:,} files"
        yield Figure(what, cold[many].peak, _MOST_MEMORY, "MiB", needed=_NEEDED["memory"])

    def _comparison(self) -> Iterator[Figure]:
        old, new = write_pair(self.folder / "pair", _TOOLS, _CHANGED)
        found = _probe(self.folder, "diff", old, new)
        what = f"`diff` of {_TOOLS} tools, {_CHANGED} of them changed, including reading / reading both, in one process"
        words = [self.script, "diff", "--exit-zero", str(old), str(new)]
        detail = f"{found['diff'] * 1000:.0f} ms / {found['reading'] * 1000:.0f} ms"
        yield Figure(what, found["diff"] / found["reading"], 1.5, detail=detail, words=words, needed=_NEEDED["tools"])

    def _peers(self) -> Iterator[Figure]:
        count = min(100, max(self.sizes))
        specs = write_specs(self.folder / "clean", count)
        write_schemas(specs, self.folder / "schemas")
        write_python(specs, self.folder / "python")
        ours = Command("ours", self.lint(self.folder / "clean"))
        yield from self._beside(ours, f"all of `lint` over {count} specifications", PEERS)
        live = " ".join(server(self.folder, "new"))
        words = [self.script, "diff", "--exit-zero", str(self.folder / "pair" / "old.json"), f"stdio:{live}"]
        yield from self._beside(
            Command("ours", words), f"`diff` of a record and a live server with {_TOOLS} tools", SERVER_PEERS
        )

    def _beside(self, ours: Command, what: str, peers: Sequence[Peer]) -> Iterator[Figure]:
        found = measure([ours, *commands(peers, self.folder)], self.folder, max(1, self.rounds // 3))
        mine = found["ours"]
        for peer in peers:
            if peer.name in found:
                row = f"{peer.name} ({peer.job}) / {what}"
                yield _ratio(row, found[peer.name], mine, peer.goal, ours.words, is_least=True, needed=_NEEDED["cold"])


def _ratio(
    what: str,
    one: Measured,
    floor: Measured,
    goal: float | None,
    words: Sequence[str],
    *,
    is_least: bool = False,
    needed: str = "",
) -> Figure:
    return Figure(
        what,
        one.wall / floor.wall,
        goal,
        cpu=one.cpu / floor.cpu,
        is_least=is_least,
        detail=f"{one.wall * 1000:,.0f} ms / {floor.wall * 1000:,.0f} ms",
        words=words,
        needed=needed,
    )


def _probe(folder: Path, name: str, *paths: Path) -> dict[str, float]:
    """Run a probe in a separate process, and return what it prints."""
    code = (
        f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from benchmarks.speed.probes import main; main(*sys.argv[1:])"
    )
    words = [sys.executable, "-c", code, name, *map(str, paths)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found
