"""Sets of characters: the members of character classes, and the most readable character of a set."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, islice, takewhile

Ranges = tuple[tuple[int, int], ...]
"""A set of code points as sorted, disjoint ranges with both ends included. It never contains surrogates."""

LAST = 0x10FFFF
SURROGATES = (0xD800, 0xDFFF)


def unite(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the union of some ranges, without surrogates."""
    result: list[tuple[int, int]] = []
    for low, high in sorted(_without_surrogates(ranges)):
        if result and low <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(high, result[-1][1]))
        else:
            result.append((low, high))
    return tuple(result)


def _without_surrogates(ranges: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    before, after = SURROGATES
    for low, high in ranges:
        if low < before:
            yield low, min(high, before - 1)
        if high > after:
            yield max(low, after + 1), high


def complement(ranges: Ranges) -> Ranges:
    """Return all characters that are not in a set."""
    gaps = []
    position = 0
    for low, high in ranges:
        if position < low:
            gaps.append((position, low - 1))
        position = high + 1
    if position <= LAST:
        gaps.append((position, LAST))
    return unite(gaps)


ANY: Ranges = complement(())
NEWLINES = unite([(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)])
_DIGITS = unite([(0x30, 0x39)])
_WORD = unite([(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)])
_SPACE: Ranges = (
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
    (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
CLASSES = {
    "d": _DIGITS, "D": complement(_DIGITS), "w": _WORD, "W": complement(_WORD), "s": _SPACE, "S": complement(_SPACE),
}  # fmt: skip
_LONG_NAMES = {
    "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn",
    "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd",
    "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc",
    "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl",
    "Paragraph_Separator": "Zp", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Private_Use": "Co",
}  # fmt: skip
_ASSIGNED = ((0, 0x40000), (0xE0000, 0xE1000))  # where Unicode has characters, except those for private use


@lru_cache(maxsize=1)
def _categories() -> Mapping[str, Ranges]:
    """Map the short name of each general category to its characters in the interpreter's version of Unicode.

    `Cn` and `C`, which contains it, are omitted, because every version of Unicode assigns some of its characters.
    """
    found: dict[str, list[tuple[int, int]]] = {"Co": [(0xF0000, 0xFFFFD), (0x100000, 0x10FFFD)]}
    for position, end in _ASSIGNED:
        for name, run in groupby(map(unicodedata.category, map(chr, range(position, end)))):
            after = position + len(list(run))
            for key in {name, name[0], "LC" if name in ("Lu", "Ll", "Lt") else name} - {"Cn", "Cs", "C"}:
                found.setdefault(key, []).append((position, after - 1))
            position = after
    return {name: unite(ranges) for name, ranges in found.items()}


def property_members(expression: str) -> Ranges | None:
    """Return the characters of `\\p{expression}`, or None if they are unknown."""
    if expression == "Any":
        return ANY
    if expression == "ASCII":
        return ((0, 0x7F),)
    name = re.sub(r"^(?:gc|General_Category)=", "", expression)
    return _categories().get(_LONG_NAMES.get(name, name))


# Readability

_PREFERRED = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-. /"
_ORDER = _PREFERRED + "".join(c for c in map(chr, range(0x20, 0x7F)) if c not in _PREFERRED) + "\n\t"
_RANKS = {character: rank for rank, character in enumerate(_ORDER)}
_ODD = frozenset("\r\x85\u2028\u2029\ufeff")
_SAMPLES = (16, 1000)  # characters of each range, and in total


def readability(character: str) -> tuple[int, int]:
    """Return a sort key that puts readable characters first, on which all engines agree."""
    if character in _RANKS:
        return 0, _RANKS[character]
    category = unicodedata.category(character)
    if category in ("Cn", "Co", "Cs"):
        return 5, ord(character)
    if character in _ODD or category in ("Zl", "Zp"):
        return 4, ord(character)
    if category in ("Cc", "Cf"):
        return 3, ord(character)
    return 1 if category.startswith("L") else 2, ord(character)


def most_readable(ranges: Sequence[tuple[int, int]]) -> str:
    """Return the most readable character of some ranges, among the first ones of each."""
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return chr(ranges[0][0])
    in_ascii = list(takewhile(lambda pair: pair[0] < 0x7F, ranges))
    for character in _ORDER if in_ascii else "":
        if any(low <= ord(character) <= high for low, high in in_ascii):
            return character
    samples = (chr(code) for low, high in ranges for code in range(low, min(high, low + _SAMPLES[0]) + 1))
    return min(islice(samples, _SAMPLES[1]), key=readability)
