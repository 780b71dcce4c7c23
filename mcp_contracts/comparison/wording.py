"""Describes the differences between two subschemas, keyword by keyword."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_contracts.comparison.messages import missing_from
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.schema.json_equality import same_json
from mcp_contracts.schema.wording import shown_text, shown_value

_LONGEST_VALUE = 40
_LONGEST_PATH = 80
_MOST_TOLD = 3
_DEEPEST = 12  # each level compares everything below it again


def differences_in_words(old: JsonValue, new: JsonValue, keywords: Iterable[str]) -> str:
    """Return words such as "`anyOf/1/required` gained "owner" and `not` was removed"; empty if nothing differs."""
    differing = [keyword for keyword in keywords if not same_json(*_values(old, new, keyword))]
    if not differing:
        return ""
    changes = [_change(*_values(old, new, keyword), escape(keyword)) for keyword in differing[:_MOST_TOLD]]
    others = len(differing) - len(changes)
    if others:
        changes.append(f"{others} more keyword{'' if others == 1 else 's'} changed")
    return f"{', '.join(changes[:-1])} and {changes[-1]}" if len(changes) > 1 else changes[0]


class _Missing:
    """A placeholder for a key or an item that one side lacks."""


_MISSING = _Missing()


def _values(old: JsonValue, new: JsonValue, key: str) -> tuple[JsonValue, JsonValue]:
    found = [side.get(key, _MISSING) if isinstance(side, dict) else _MISSING for side in (old, new)]
    return found[0], found[1]  # type: ignore[return-value]  # a missing value is recognized by its class


def _change(old: JsonValue, new: JsonValue, path: str) -> str:
    """Descend while the difference is inside a single key or item, and describe it there."""
    for _ in range(_DEEPEST):
        keys: list[str] = []
        if isinstance(old, dict) and isinstance(new, dict):
            keys = [key for key in {**old, **new} if not same_json(*_values(old, new, key))]
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            pairs = enumerate(zip(old, new, strict=True))
            keys = [str(index) for index, (before, after) in pairs if not same_json(before, after)]
            old, new = ({str(index): item for index, item in enumerate(side)} for side in (old, new))
        if len(keys) != 1:
            return _sentence(old, new, path, keys)
        old, new = _values(old, new, keys[0])
        path = f"{path}/{escape(keys[0])}"
    return _sentence(old, new, path, [])


def _sentence(old: JsonValue, new: JsonValue, path: str, keys: list[str]) -> str:
    name = f"`{shown_text(path, limit=_LONGEST_PATH)}`"
    if isinstance(old, _Missing):
        return f"{name} is new"
    if isinstance(new, _Missing):
        return f"{name} was removed"
    if isinstance(old, list) and isinstance(new, list):
        gained, lost = missing_from(new, old), missing_from(old, new)
        for values, verb in ((gained, "gained"), (lost, "lost")):
            if len(values) == 1 and len(gained) + len(lost) == 1:
                return f"{name} {verb} {shown_value(values[0], limit=_LONGEST_VALUE)}"
        return f"{name} has {len(new)} entries instead of {len(old)}" if len(old) != len(new) else f"{name} changed"
    if keys:
        return f"{name} changed in {len(keys)} places"
    return f"{name} {shown_value(old, limit=_LONGEST_VALUE)} became {shown_value(new, limit=_LONGEST_VALUE)}"
