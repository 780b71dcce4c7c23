"""Runs the tests that reach a mutant's lines, each mutant in a fork of one process that has collected them.

The first run of each test records which lines of the mutated modules it executes and how long it takes. A mutant of
functions replaces their code in a fork; one of a module's top-level statements needs a process that imports the module
again. Both end with the first failing test. The fastest tests run first, and those that found a mutant before.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import importlib.util
import json
import os
import resource
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from inspect import CO_NEWLOCALS
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple, NoReturn

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[2]
_BYTES = 6_000_000_000
_LEAST_SECONDS = 5
_TIMES_LONGER = 10
"""How much longer a test may take with a mutant than when it was recorded, in processor seconds."""
_MOST_SECONDS = 1800
"""The maximum wall-clock time for a mutant, because code that waits forever uses no processor time."""


class Mutant(NamedTuple):
    """One changed file: its path from the root, the first changed line, the change there, and the whole new text."""

    path: Path
    line: int
    old: str
    new: str
    text: str

    @property
    def name(self) -> str:
        """The change on one line, which stays the same when lines move."""
        return f"{self.path.name}: {self.old} -> {self.new}"


class Record(NamedTuple):
    """The processor seconds of one test, and the lines of each mutated file that it executed."""

    seconds: float
    lines: dict[str, list[int]]


class Judge:
    """A pytest plugin that judges mutants instead of running the collected tests once.

    `told` is called with each mutant and whether a test failed with it, as soon as that is known.
    """

    def __init__(self, mutants: Sequence[Mutant], files: Sequence[Path], jobs: int) -> None:
        self._mutants = mutants
        self._files = [str(file) for file in files]
        self._jobs = jobs
        self._finds: dict[str, int] = defaultdict(int)
        self._is_child = False
        self.failing: list[str] = []
        """Tests that fail without a mutant."""
        self.judged: list[tuple[Mutant, bool, int]] = []
        """Each mutant, whether a test failed with it, and how many tests could have failed."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """End a judging process at the first failing test."""
        if report.failed and self._is_child:
            os._exit(1)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Record the new tests, then judge each mutant."""
        self._items = {item.nodeid: item for item in session.items}
        gc.unfreeze()  # the tests' settings freeze collected objects, which would not be found
        self._functions = [
            found
            for found in gc.get_objects()
            if isinstance(found, FunctionType) and found.__code__.co_filename in self._files
        ]
        gc.freeze()
        with tempfile.TemporaryDirectory() as folder:
            self._folder = Path(folder)
            self._records = self._recorded()
            if not self.failing:
                works = (partial(self._judge, place, mutant) for place, mutant in enumerate(self._mutants))
                for place, status in self._ended(works):
                    mutant = self._mutants[place]
                    chosen = self._chosen(mutant)
                    self.judged.append((mutant, status != 0, len(chosen)))
                    word = "killed" if status else "survived"
                    print(f"{word} {mutant.path}:{mutant.line}: {mutant.old} -> {mutant.new}", flush=True)
                    if (log := self._folder / f"{place}.log").exists() and status:
                        self._finds[log.read_text("utf-8")] += 1
        return True

    def _recorded(self) -> dict[str, Record]:
        """Return the time and the lines of each test: recorded once, and again after a relevant file changed."""
        helpers = sorted((ROOT / "tests" / "proofs").glob("[!m]*.py"))
        shared = [*map(Path, self._files), *helpers]
        keys = {name: _digest((*shared, item.path), name) for name, item in self._items.items()}
        kept = Path(tempfile.gettempdir()) / f"mcp-contracts-mutants-{os.getuid()}.jsonl"
        lines = kept.read_text("utf-8").splitlines() if kept.exists() else ()
        known = {key: Record(*found) for key, found in map(json.loads, lines)}
        missing = [name for name in self._items if keys[name] not in known]
        print(f"recording which lines {len(missing)} of {len(keys)} tests execute", flush=True)
        groups: dict[str, list[str]] = defaultdict(list)
        for name in missing:
            groups[name.partition("[")[0]].append(name)
        tests = list(groups.values())
        for place, status in self._ended(partial(self._record, names) for names in tests):
            if status:
                self.failing.append(tests[place][0])
                continue
            recorded = json.loads((self._folder / _digest((), tests[place][0])).read_text("utf-8"))
            with kept.open("a", encoding="utf-8") as file:
                for name, found in recorded.items():
                    file.write(f"{json.dumps([keys[name], found])}\n")
                    known[keys[name]] = Record(*found)
        return {name: known[key] for name, key in keys.items() if key in known}

    def _record(self, names: Sequence[str]) -> None:
        """Record one test with all of its parameters."""
        measured = coverage.Coverage(data_file=None, include=self._files, messages=False)
        measured.set_option("run:disable_warnings", ["no-data-collected"])  # most tests belong to one module
        measured.start()
        seconds = {}
        for name in names:
            measured.switch_context(name)
            began = _seconds_used()
            self._run([self._items[name]])
            seconds[name] = _seconds_used() - began
        measured.stop()
        data = measured.get_data()
        found = {}
        for name in names:
            data.set_query_context(name)
            lines = {file: data.lines(file) or [] for file in data.measured_files()}
            found[name] = Record(
                seconds[name], {str(Path(file).relative_to(ROOT)): sorted(at) for file, at in lines.items() if at}
            )
        (self._folder / _digest((), names[0])).write_text(json.dumps(found), "utf-8")

    def _chosen(self, mutant: Mutant) -> list[str]:
        """Return the tests that execute a changed line, or use or import a file with changed top-level statements."""
        path, wanted = str(mutant.path), _statement(mutant)
        found = []
        for name, record in self._records.items():
            lines = record.lines.get(path, ())
            if not wanted.isdisjoint(lines) if wanted is not None else lines or _imports(name, mutant.path):
                found.append(name)
        return sorted(found, key=lambda name: self._records[name].seconds / (1 + self._finds[name]))

    def _judge(self, place: int, mutant: Mutant) -> None:
        names = self._chosen(mutant)
        signal.alarm(_MOST_SECONDS)
        if self._place(mutant):
            self._run([self._items[name] for name in names], self._folder / f"{place}.log")
            return
        text = self._folder / f"{place}.py"
        text.write_text(mutant.text, "utf-8")
        _bound(sum(self._records[name].seconds for name in names) + _LEAST_SECONDS)
        command = [sys.executable, "-m", "tests.proofs.mutant_runs", str(mutant.path), str(text)]
        os.execv(sys.executable, [*command, *names])

    def _forked(self, work: Callable[[], None]) -> int:
        """Start work in a child process, whose status says whether a test failed."""
        if child := os.fork():
            return child
        try:
            self._is_child = True
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            work()
        except BaseException:  # must not continue in the fork
            os._exit(2)
        os._exit(0)

    def _ended(self, works: Iterable[Callable[[], None]]) -> Iterator[tuple[int, int]]:
        """Do work in several processes at a time; yield the index and the status of each that ends."""
        running: dict[int, int] = {}

        def wait() -> tuple[int, int]:
            child, status = os.wait()
            return running.pop(child), status

        for place, work in enumerate(works):
            if len(running) == self._jobs:
                yield wait()
            running[self._forked(work)] = place
        while running:
            yield wait()

    def _run(self, items: Sequence[pytest.Item], log: Path | None = None) -> None:
        for item, following in zip(items, [*items[1:], None], strict=True):
            if log is not None:
                log.write_text(item.nodeid, "utf-8")
                _bound(self._records[item.nodeid].seconds)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    def _place(self, mutant: Mutant) -> bool:
        """Whether the code of all functions of the mutant's file was replaced, and nothing else differs."""
        file = ROOT / mutant.path
        before = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
        after = compile(mutant.text, str(file), "exec", dont_inherit=True)
        if _own(before) != _own(after):
            return False
        exchanged = dict(zip(_functions(before), _functions(after), strict=True))
        for function in self._functions:
            if function.__code__ in exchanged:
                try:
                    function.__code__ = exchanged[function.__code__]
                except ValueError:  # it closes over other names
                    return False
        return True


def _imports(name: str, path: Path) -> bool:
    """Whether a test file names a module, whose tables it may read without executing a line of it."""
    return ".".join(path.with_suffix("").parts).encode() in _read(ROOT / name.partition("::")[0])


def _digest(files: Iterable[Path], name: str) -> str:
    return hashlib.sha256(b"\0".join([*map(_read, files), name.encode()])).hexdigest()


@cache
def _read(file: Path) -> bytes:
    return file.read_bytes()


def _bound(seconds: float) -> None:
    """Limit the processor time of this process to a multiple of the time that its next tests took without a mutant."""
    most = int(_seconds_used() + _LEAST_SECONDS + _TIMES_LONGER * seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def _seconds_used() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _parts(code: CodeType) -> Iterator[CodeType]:
    return (part for part in code.co_consts if isinstance(part, CodeType))


def _functions(code: CodeType) -> Iterator[CodeType]:
    """Yield all functions of a module or class, including nested ones, in order."""
    for part in _parts(code):
        if part.co_flags & CO_NEWLOCALS:
            yield part
        yield from _functions(part)


def _own(code: CodeType) -> list[object]:
    """Return the statements that a module or class itself executes, without their line numbers."""
    inner = [_own(part) if not part.co_flags & CO_NEWLOCALS else part.co_name for part in _parts(code)]
    constants = [repr(part) for part in code.co_consts if not isinstance(part, CodeType)]
    return [code.co_code, constants, code.co_names, inner]


def _statement(mutant: Mutant) -> set[int] | None:
    """Return the lines of the smallest statement of a function that contains a line; None outside functions.

    For a compound statement, these are the lines before its body.
    """
    found: set[int] | None = None
    for function in ast.walk(ast.parse((ROOT / mutant.path).read_text("utf-8"))):
        for node in ast.walk(function) if isinstance(function, ast.FunctionDef) else ():
            if isinstance(node, ast.stmt) and node is not function:
                body = getattr(node, "body", None)
                last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or node.lineno
                if node.lineno <= mutant.line <= last and (found is None or last - node.lineno < len(found)):
                    found = set(range(node.lineno, last + 1))
    return found


class _Loader(SourceFileLoader):
    """Loads a module from text instead of its file."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the text."""
        return compile(self._text, self.path, "exec", dont_inherit=True)


class _Finder:
    """Finds one module in text."""

    def __init__(self, path: Path, text: str) -> None:
        self._name = ".".join(path.with_suffix("").parts)
        self._path, self._text = str(ROOT / path), text

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Find the module."""
        if name != self._name:
            return None
        loader = _Loader(name, self._path, self._text)
        return importlib.util.spec_from_file_location(name, self._path, loader=loader)


def options() -> list[str]:
    """Return the options for pytest."""
    return ["-n", "0", "-s", "-x", "-q", "--no-header", "-p", "no:cacheprovider"]


def main() -> NoReturn:
    """Run tests with one module from another file: PATH TEXT TEST…"""
    path, text, *names = sys.argv[1:]
    sys.meta_path.insert(0, _Finder(Path(path), Path(text).read_text("utf-8")))
    sys.exit(pytest.main([*options(), *names]))


if __name__ == "__main__":
    main()
