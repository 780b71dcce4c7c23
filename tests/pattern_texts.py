"""Texts that a pattern matches, built from its syntax tree.

Most lookarounds, boundaries and anchors are ignored, and texts that the pattern does not find are omitted. If a pattern
has hundreds of alternatives, drawing one text from hypothesis takes as long as writing a hundred here.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]  # the parser of `re` has no public name
from typing import Any

_AROUND = ("", "", "", "", " ", "\n", "x ", "(", "- ", ". ", "\xe9", "\u212a ")
_PREFERRED = " abzAZ019_-.,:;/`'\"*()[]{}<>|=+\t\n!?#@%&\\\xe9\u2019\u2014\u5de5"
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_OF_ONE_CHARACTER = (_constants.IN, _constants.ANY, _constants.NOT_LITERAL)


def found_texts(pattern: str, flags: int, tries: int) -> Iterator[str]:
    """Yield those of so many texts that a search finds, the same in each run."""
    compiled = re.compile(pattern, flags)
    writer = _Writer(pattern, flags)
    for _ in range(tries):
        text = writer.text()
        if compiled.search(text):
            yield text


class _Writer:
    def __init__(self, pattern: str, flags: int) -> None:
        self._tree = _parser.parse(pattern, flags)
        self._random = random.Random(pattern)
        self._groups: dict[int, str] = {}
        self._characters: dict[int, Sequence[str]] = {}
        self._untried: dict[int, list[Any]] = {}

    def text(self) -> str:
        self._groups.clear()
        return self._random.choice(_AROUND) + self._all(self._tree) + self._random.choice(_AROUND)

    def _all(self, parts: Any) -> str:
        return "".join(self._one(kind, value) for kind, value in parts)

    def _one(self, kind: Any, value: Any) -> str:
        if kind is _constants.LITERAL:
            return chr(value)
        if kind in _OF_ONE_CHARACTER:
            return self._random.choice(self._fitting(kind, value))
        if kind is _constants.BRANCH:
            return self._all(self._alternative(value[1]))
        if kind in _REPEATS:
            least, most, inner = value
            count = self._random.randint(least, min(int(most), least + self._random.choice((0, 1, 1, 3))))
            return "".join(self._all(inner) for _ in range(count))
        if kind is _constants.SUBPATTERN:
            text = self._all(value[3])
            if value[0] is not None:
                self._groups[value[0]] = text
            return text
        if kind is _constants.GROUPREF:
            return self._groups.get(value, "")
        if kind is _constants.GROUPREF_EXISTS:
            return self._all(value[1] if value[0] in self._groups else value[2] or ())
        if kind is _constants.ASSERT and value[0] > 0:  # a text that follows, or one that starts the next part
            return self._random.choice((self._all(value[1]), ""))
        return self._all(value) if kind is _constants.ATOMIC_GROUP else ""

    def _alternative(self, alternatives: Sequence[Any]) -> Any:
        """Return each alternative once, in random order, before any of them again."""
        untried = self._untried.setdefault(id(alternatives), [])
        if not untried:
            untried += self._random.sample(alternatives, len(alternatives))
        return untried.pop()

    def _fitting(self, kind: Any, value: Any) -> Sequence[str]:
        """Return some characters that a class contains."""
        known = self._characters.get(id(value))
        if known is None:
            one = _compiler.compile(_parser.SubPattern(self._tree.state, [(kind, value)]))
            members = value if kind is _constants.IN else ()
            codes = [code for at, held in members for code in _codes(at, held)]
            known = [letter for letter in (*_PREFERRED, *map(chr, codes)) if one.match(letter)]
            self._characters[id(value)] = known
        return known


def _codes(kind: Any, value: Any) -> Sequence[int]:
    if kind is _constants.RANGE:
        return (value[0], sum(value) // 2, value[1])
    return (value,) if kind is _constants.LITERAL else ()
