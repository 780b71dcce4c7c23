"""Match the patterns of the package with texts built to stall them: `python -m tests.fuzz_patterns`.

A text is derived from the syntax tree of a pattern: what leads up to a part of it, the part many times, and an end that
may not match. The time grows with the square of such a text if a search starts again at each character, and without end
if a text can be repeated in two ways. Times differ from run to run, so a pattern is measured again before it is
reported. Patterns that are built from the values of a call are not found. The exit code is 1 if any is reported.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import random
import re
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]  # the parser of `re` has no public name
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
CHARACTERS = 6_000
TIMES = 4
MOST_GROWTH = 2.2 * TIMES
LEAST_SECONDS = 0.01
"""Below this, a text takes too little time for a comparison."""
LIMIT_SECONDS = 2
"""Beyond this, a text may take forever. It is stopped, where the system has alarms."""
SECONDS_PER_PATTERN = 6
MOST_TEXTS = 60
PREFERRED = "_a1 -.A\t\n,:;`*|\"'()[]{}<>/\\=$@#~!?+é工"
"""Characters that are chosen for each part if they fit it, so that neighboring parts match the same text."""
ENDS = ("", "\0", " \n!")
WORDS = "| a | b | c | d | e | f"
"""An end with more words than most patterns allow."""
ANYWHERE = {"search", "finditer", "findall", "sub", "subn", "split"}
METHODS = {*ANYWHERE, "match", "fullmatch"}
AT_A_PLACE = ("adapters/free_text/mark_readers.py",)
"""Modules that match most of their patterns only at a place, although they search with others."""
LONGEST = {
    "cli/command_line/typer_app.py": 1_000, "mcp_content/reading.py": 300, "parsing/legacy/schemas.py": 6_000,
    "parsing/locating/absence/foreign.py": 400, "parsing/locating/absence/clauses.py": 400,
    "parsing/locating/absence/scopes.py": 400, "parsing/locating/implied.py": 4_000,
    "parsing/locating/unread.py": 4_000,
    "parsing/parameters/types.py": 300, "parsing/placeholder_texts.py": 400, "rules/prose/actions.py": 600,
    "rules/prose/amounts.py": 5_000, "rules/prose/contradictions.py": 600, "rules/prose/statements.py": 1_000,
    "rules/structure/overviews.py": 1_000, "rules/tables/cell_values.py": 500, "writing/template.py": 6_000,
    "reporting/terminal.py": 1_000,
}  # fmt: skip
"""Modules that cut texts, read only our own, or have patterns with bounds, and a length that must end in time."""
MEMBERS = (_constants.LITERAL, _constants.RANGE)
REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)


class Pattern(NamedTuple):
    """A pattern, the place where it is written, and the methods that may be called on it."""

    place: str
    text: str
    flags: int
    methods: frozenset[str]


def patterns(modules: str = "**/*.py") -> Iterator[Pattern]:
    """Yield the patterns in the modules of the package that match a glob, and those in its published schemas."""
    for path in sorted((ROOT / "mcp_contracts").glob(modules)):
        is_module = (path.parent / "__init__.py").exists() and path.name != "__main__.py"
        yield from _of_module(path) if is_module else ()
    for path in sorted((ROOT / "schemas").glob("*.json")):
        for text in sorted(set(_of_schema(json.loads(path.read_text(encoding="utf-8"))))):
            yield Pattern(path.name, text, 0, frozenset(("search",)))


def _of_module(path: Path) -> Iterator[Pattern]:
    source = path.read_text(encoding="utf-8")
    tree, methods = ast.parse(source), "|".join(METHODS)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    calls = [call for call in calls if re.fullmatch(rf"re\.(compile|{methods})", ast.unparse(call.func))]
    if not calls:
        return
    place = path.relative_to(ROOT / "mcp_contracts").with_suffix("")
    try:
        names = vars(importlib.import_module(".".join(("mcp_contracts", *place.parts)).removesuffix(".__init__")))
    except ImportError:  # of a package that is not installed
        names = {"re": re}
    assigned = {node.lineno: ast.unparse(node.targets[0]) for node in tree.body if isinstance(node, ast.Assign)}
    for call in calls:
        method = ast.unparse(call.func)[3:]
        name = assigned.get(call.lineno, "") if method == "compile" else ""
        first = {"compile": 1, "sub": 3, "subn": 3}.get(method, 2)
        flags = (*call.args[first:], *(keyword.value for keyword in call.keywords if keyword.arg == "flags"))
        text, *values = (_value(node, names) for node in (call.args[0], *flags))
        used = set(name and re.findall(rf"\b{name}\.({methods})\b", source))
        used = used or set(re.findall(rf"(?!re\b)\b[a-z]\w*\.({methods})\b", source))  # of a table, by another name
        used = used - ANYWHERE if f"{place.as_posix()}.py" in AT_A_PLACE else used or {"search", "fullmatch"}
        if isinstance(text, str):
            value = sum(int(value) for value in values if isinstance(value, re.RegexFlag))
            called = frozenset(used if method == "compile" else (method,))
            yield Pattern(f"{place.as_posix()}.py:{call.lineno}: {name}", text, value, called)


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """Return the value of an expression of a module, or None if it uses values of a call."""
    try:
        return eval(ast.unparse(node), dict(names))  # an expression of our own source
    except (NameError, AttributeError):
        return None


def _of_schema(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from (value for key, value in schema.items() if key == "pattern" and isinstance(value, str))
        yield from schema.get("patternProperties", ())
    for value in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _of_schema(value)


class _Sampler:
    """Builds texts from the parts of a pattern, with a preferred character wherever it fits."""

    def __init__(self, tree: Any, seed: int) -> None:
        self._state, self._random = tree.state, random.Random(seed)
        self._characters = (PREFERRED[seed], *self._random.sample(PREFERRED, len(PREFERRED)))

    def steps(self, parts: Sequence[Any]) -> list[Any]:
        """Return the parts of a path through a pattern. The parts of a repeated group may precede the group."""
        found: list[Any] = []
        for kind, value in parts:
            inner = self._inner(kind, value)
            is_chosen = self._random.random() < 0.5
            if inner is None:
                found.append((kind, value))
            elif kind in REPEATS:
                body = self.steps(inner)
                found += [*body, (kind, value)] if len(body) > 1 and is_chosen else [(kind, value)]
            elif kind is not _constants.ASSERT or is_chosen:
                found += self.steps(inner)
        return found

    def _inner(self, kind: Any, value: Any) -> Any:
        """Return the parts of a group, or None."""
        if kind is _constants.SUBPATTERN:
            return value[3]
        if kind is _constants.BRANCH:
            return self._random.choice(value[1])
        if kind is _constants.ASSERT and value[0] > 0:
            return value[1]
        return value if kind is _constants.ATOMIC_GROUP else value[2] if kind in REPEATS else None

    def text(self, parts: Sequence[Any], most: int = 1) -> str:
        """Return a text that the parts match, unless they assert more. A part is repeated at most `most` times."""
        written = ""
        for kind, value in parts:
            inner = self._inner(kind, value)
            if kind in REPEATS:
                count = max(value[0], min(int(value[1]), self._random.choice((0, 1, 1, most))))
                written += "".join(self.text(inner, most) for _ in range(min(count, 100)))
            elif inner is not None:
                written += "" if kind is _constants.ASSERT else self.text(inner, most)
            elif kind is _constants.LITERAL:
                written += chr(value)
            elif kind in (_constants.IN, _constants.ANY, _constants.NOT_LITERAL):
                one = _compiler.compile(_parser.SubPattern(self._state, [(kind, value)]))
                members = value if kind is _constants.IN else ()
                others = [chr(held if isinstance(held, int) else held[0]) for at, held in members if at in MEMBERS]
                written += next((character for character in (*self._characters, *others) if one.match(character)), "a")
        return written


def _shared(parts: Sequence[Any], state: Any = None) -> Iterator[tuple[str, str, str]]:
    """Yield each preferred character that two repeated parts match, with an end of many words."""
    state = state or parts.state  # type: ignore[attr-defined]  # only the whole pattern has one
    found: dict[str, int] = {}
    for one in _repeated(parts):
        compiled = _compiler.compile(_parser.SubPattern(state, [one]))
        for character in PREFERRED:
            found[character] = found.get(character, 0) + (compiled.match(character) is not None)
    yield from (("", character, WORDS) for character, count in found.items() if count > 1)


def _repeated(parts: Any) -> Iterator[Any]:
    """Yield the single characters that a pattern repeats without a narrow bound."""
    if isinstance(parts, _parser.SubPattern):
        parts = list(parts)
    is_step = isinstance(parts, tuple) and len(parts) == 2 and isinstance(parts[1], tuple)  # not a range of characters
    if is_step and parts[0] in REPEATS and parts[1][1] > 20:
        body = list(parts[1][2])
        if len(body) == 1 and body[0][0] in (_constants.IN, _constants.ANY, _constants.NOT_LITERAL, _constants.LITERAL):
            yield body[0]
            return
    for part in parts if isinstance(parts, list | tuple) else ():
        yield from _repeated(part)


def texts(pattern: Pattern) -> list[tuple[str, str, str]]:
    """Return what may stall a pattern: beginnings, parts to repeat, and ends."""
    tree = _parser.parse(pattern.text, pattern.flags)
    found: dict[tuple[str, str, str], None] = dict.fromkeys(_shared(tree))
    shared = len(found)
    for seed in range(len(PREFERRED)):
        sampler = _Sampler(tree, seed)
        steps = sampler.steps(list(tree))
        for at, (kind, value) in enumerate(steps):
            if at == len(steps) - 1 or (kind in REPEATS and value[1] > 20):
                before, part = sampler.text(steps[:at]), sampler.text(steps[at : at + 1], most=2)
                for beginning, repeated in ((before, part), ("", before + part)):
                    found.update({(beginning, repeated, ENDS[seed % len(ENDS)]): None} if repeated else {})
    first, others = list(found)[:shared], list(found)[shared:]
    return [*first, *random.Random(0).sample(others, min(MOST_TEXTS, len(others)))]


def stalls(pattern: Pattern) -> Iterator[tuple[float, str, str, str]]:
    """Yield the seconds and the texts for which a pattern is out of proportion, up to the first that is stopped."""
    longest = next((size for module, size in LONGEST.items() if pattern.place.startswith(f"{module}:")), None)
    began = time.process_time()
    for before, part, end in texts(pattern):
        if time.process_time() > began + SECONDS_PER_PATTERN:
            return
        few, many = (before + part * max(2, count // len(part)) + end for count in (CHARACTERS // TIMES, CHARACTERS))
        try:
            if longest is not None:
                _seconds(pattern, many[:longest])
                continue
            short = _seconds(pattern, few)
            long = _seconds(pattern, many) if short * 2 * TIMES**2 > LEAST_SECONDS else 0
            for _ in range(2):
                if long > max(LEAST_SECONDS, MOST_GROWTH * short):
                    short, long = max(short, _seconds(pattern, few)), min(long, _seconds(pattern, many))
            if long > max(LEAST_SECONDS, MOST_GROWTH * short):
                yield long, before, part, end
        except TimeoutError:
            yield LIMIT_SECONDS, before, part, end
            return


def _seconds(pattern: Pattern, text: str) -> float:
    """Return the seconds of a match, or raise `TimeoutError`."""

    def stop(*_: object) -> None:
        raise TimeoutError

    compiled = re.compile(pattern.text, pattern.flags)
    if has_alarms := hasattr(signal, "SIGALRM"):  # not on Windows
        outer = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, LIMIT_SECONDS)
    began = time.process_time()
    try:
        for _ in compiled.finditer(text) if pattern.methods & ANYWHERE else ():
            pass
        for method in pattern.methods - ANYWHERE:
            getattr(compiled, method)(text)
        return time.process_time() - began
    finally:
        if has_alarms:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, outer)


def main() -> int:
    """Measure the patterns whose places contain the given text, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz_patterns", description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="measure only patterns with this in their place")
    only = parser.parse_args().only
    measured = faults = 0
    for pattern in patterns():
        if only in pattern.place:
            measured += 1
            for seconds, before, part, end in sorted(stalls(pattern), reverse=True)[:1]:
                faults += 1
                print(f"{pattern.place} {seconds:.2f} s: {before!r}, {part!r} repeatedly, {end!r}", flush=True)
    print(f"{measured:,} patterns, {faults} out of proportion")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
