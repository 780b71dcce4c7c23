"""Guesses which removed property was renamed to which new one, and mentions it in the messages of both facts."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from unicodedata import normalize

from mcp_contracts.comparison.fact import Fact, FactKind
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import replace
from mcp_contracts.schema.json_equality import json_key
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.wording import shown_text

_WORDS = frozenset(("title", "description", "examples", "default", "$comment"))
_ALIKE = 0.6
"""The minimum similarity of two names, or of the words of two descriptions."""
_MOST = 30  # names of one object, on either side, that are compared with each other


def with_renames(old: JsonValue, new: JsonValue, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts; the message of a removed property mentions the only similar new property, and vice versa.

    Two properties are alike if they accept the same values and have similar names or descriptions.
    """
    kept = list(facts)
    places: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for number, fact in enumerate(kept):
        if fact.kind is FactKind.PROPERTY_REMOVED:
            places[fact.old_owner][0].append(number)
        elif fact.new_pointer is not None and fact.old_pointer is None and "properties" in fact.keywords:
            places[fact.old_owner][1].append(number)
    for gone, came in places.values():
        if not gone or not came or len(gone) > _MOST or len(came) > _MOST:
            continue
        every = [(one, other) for one in gone for other in came]
        same = [pair for pair in every if _are_same(*(kept[number].name for number in pair))]
        settled = {number for pair in same for number in pair}
        pairs = [pair for pair in every if settled.isdisjoint(pair)]
        alike = [(one, other) for one, other in pairs if _are_alike(old, new, kept[one], kept[other])]
        for one, other in _only_ones(same + alike):
            was, now = kept[one].name or "", kept[other].name or ""
            renamed, renames = f"possibly renamed to `{shown_text(now)}`", f"possibly renamed from `{shown_text(was)}`"
            if one in settled:
                difference = f"differs only in its Unicode normalization (`{_escaped(was)}` became `{_escaped(now)}`)"
                renamed = f"the new `{shown_text(now)}` {difference}"
                renames = f"the removed `{shown_text(was)}` {difference}"
            kept[one] = replace(kept[one], message=f"{kept[one].message}; {renamed}")
            kept[other] = replace(kept[other], message=f"{kept[other].message}; {renames}")
    return tuple(kept)


def _are_same(was: str | None, now: str | None) -> bool:
    """Whether two names look the same, because they differ only in their Unicode normalization."""
    return isinstance(was, str) and isinstance(now, str) and normalize("NFC", was) == normalize("NFC", now)


def _escaped(name: str) -> str:
    """Return a name with all characters beyond ASCII as escapes of JSON."""
    return shown_text(json.dumps(name)[1:-1])


def _only_ones(pairs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for one, other in pairs:
        if sum(one == first or other == second for first, second in pairs) == 1:
            yield one, other


def _are_alike(old: JsonValue, new: JsonValue, gone: Fact, came: Fact) -> bool:
    was, now = follow(old, gone.old_pointer or ""), follow(new, came.new_pointer or "")
    if not isinstance(was, dict) or not isinstance(now, dict) or gone.name is None or came.name is None:
        return False
    schemas: list[JsonValue] = [
        {name: value for name, value in side.items() if name not in _WORDS} for side in (was, now)
    ]
    if json_key(schemas[0]) != json_key(schemas[1]):
        return False
    from difflib import SequenceMatcher  # only needed where names changed

    names = [name.casefold().replace("-", "_") for name in (gone.name, came.name)]
    texts = [set(str(side.get("description", "")).casefold().split()) for side in (was, now)]
    shared, either = texts[0] & texts[1], texts[0] | texts[1]
    return (
        SequenceMatcher(None, names[0], names[1]).ratio() >= _ALIKE
        or bool(set(names[0].split("_")) & set(names[1].split("_")))
        or (bool(shared) and len(shared) >= _ALIKE * len(either))
    )
