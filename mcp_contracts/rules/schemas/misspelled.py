"""Find the keyword or type of JSON Schema that a misspelled one was meant to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from mcp_contracts.rules.schemas.names import fold_name
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.vocabulary import KEYWORDS, TYPES, Effect, names

# Keywords that a validator of this dialect ignores silently.
_SILENT = {
    Dialect.DRAFT_7: frozenset(
        (
            *names(Effect.ASSERTS, Effect.IN_PLACE, Effect.INSIDE, only=Dialect.DRAFT_2020_12),
            "$dynamicAnchor",  # a `$dynamicRef` without it resolves to nothing
        )
    ),
    Dialect.DRAFT_2020_12: frozenset[str](),
}

# Keywords of other vocabularies (OpenAPI, editors, form builders) that resemble a JSON Schema keyword.
_OTHER_VOCABULARIES = frozenset({"anchor", "cost", "enumNames", "example", "requiredIf", "schema", "when"})
_MEANT = {
    "additionalProperty": "additionalProperties",
    "desc": "description",
    "property": "properties",
    "ref": "$ref",
    "regex": "pattern",
    "typ": "type",
}
_SHORTEST = 4

_TYPE_SYNONYMS = {
    "any": None,
    "arr": "array",
    "bool": "boolean",
    "bytes": "string",
    "char": "string",
    "date": "string",
    "datetime": "string",
    "dict": "object",
    "dictionary": "object",
    "double": "number",
    "email": "string",
    "enum": "string",
    "file": "string",
    "float": "number",
    "hash": "object",
    "hashmap": "object",
    "int": "integer",
    "int32": "integer",
    "int64": "integer",
    "json": "object",
    "list": "array",
    "long": "integer",
    "map": "object",
    "mapping": "object",
    "nil": "null",
    "none": "null",
    "num": "number",
    "numeric": "number",
    "path": "string",
    "record": "object",
    "sequence": "array",
    "set": "array",
    "str": "string",
    "struct": "object",
    "text": "string",
    "time": "string",
    "timestamp": "string",
    "tuple": "array",
    "undefined": "null",
    "uri": "string",
    "url": "string",
    "uuid": "string",
    "void": "null",
}


@lru_cache(maxsize=1024)
def nearest_keyword(name: str, dialect: Dialect) -> str | None:
    """Return the keyword that an unknown one was probably meant to be, or None if it is known or resembles none.

    Extensions (`x-…`, and names with a colon or a dash, which no keyword has) are never matched.
    """
    known = KEYWORDS[dialect]
    if name in known or name in _OTHER_VOCABULARIES or not 1 < len(name) <= _LONGEST or "-" in name or ":" in name:
        return None
    if name in _MEANT:
        return _MEANT[name]
    folded = fold_name(name)
    same = next((keyword for keyword in sorted(known) if fold_name(keyword) == folded), None)
    if same is not None or len(name) < _SHORTEST:
        return same
    return _nearest(name.lower(), {keyword.lower(): keyword for keyword in known if len(keyword) >= _SHORTEST})


def is_silently_ignored(name: str, dialect: Dialect) -> bool:
    """Whether a keyword constrains values in another dialect but has no effect in this one."""
    return name in _SILENT[dialect]


FORMATS = frozenset(
    ("date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri",
     "uri-reference", "uri-template", "iri", "iri-reference", "uuid", "json-pointer", "relative-json-pointer", "regex")
)  # fmt: skip
"""The formats of JSON Schema (2020-12, validation, section 7.3), all of which are for strings."""
_FORMATS_MEANT = {"guid": "uuid", "mail": "email", "url": "uri"}
_OTHER_FORMATS = frozenset(("byte", "double", "float", "int8", "int16", "int32", "int64", "uint32", "uint64"))


@lru_cache(maxsize=256)
def nearest_format(name: str) -> str | None:
    """Return the format that an unknown one was probably meant to be, or None if it is known or resembles none."""
    if name in FORMATS or name in _OTHER_FORMATS or not 1 < len(name) <= _LONGEST:
        return None
    folded = fold_name(name)
    same = _FORMATS_MEANT.get(folded) or next((known for known in sorted(FORMATS) if fold_name(known) == folded), None)
    return same or (_nearest(name.lower(), {known: known for known in FORMATS}) if len(name) >= _SHORTEST else None)


def nearest_type(name: str) -> str | None:
    """Return the type that an unknown one was probably meant to be, or None if none is close."""
    folded = name.strip().lower()
    if folded in TYPES:
        return folded
    if folded in _TYPE_SYNONYMS:
        return _TYPE_SYNONYMS[folded]
    if folded.endswith("[]") or folded.startswith(("array", "list")):
        return "array"
    return _nearest(folded, {known: known for known in TYPES}) if 2 < len(folded) <= _LONGEST else None


_LONGEST = 40


def _nearest(word: str, choices: Mapping[str, str]) -> str | None:
    """Return the closest choice within the distance that is plausible for the word's length."""
    limit = 1 if len(word) < 8 else 2
    near = ((distance, choice[:2] != word[:2], choice) for distance, choice in near_words(word, choices, limit))
    best = min(near, default=None)
    return choices[best[2]] if best is not None else None


def near_words(word: str, choices: Iterable[str], limit: int) -> Iterator[tuple[int, str]]:
    """Yield the choices within an edit distance of a word, in their order, each after its distance."""
    letters = set(word)
    for choice in choices:
        # Comparing letter sets first is much faster than computing the distance: an edit adds at most one new letter.
        if abs(len(choice) - len(word)) <= limit and len(letters.symmetric_difference(choice)) <= 2 * limit:
            distance = edit_distance(word, choice)
            if distance <= limit:
                yield distance, choice


def edit_distance(first: str, second: str) -> int:
    """Count the insertions, deletions, substitutions and swaps of neighbors that turn one word into the other."""
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        last_but_one, before, row = before, row, [i]
        for j, other in enumerate(second, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                best = min(best, last_but_one[j - 2] + 1)
            row.append(best)
    return row[-1]
