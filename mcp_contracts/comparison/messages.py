"""The wording of facts about differences between two schemas."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts.comparison.views import Part, View, types_of
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.json_equality import json_key
from mcp_contracts.schema.wording import MAXIMUM_SHOWN, name_at, one_of, shown_value, type_names

_MARKS = {"deprecated": "deprecated", "readOnly": "read-only", "writeOnly": "write-only"}
_CLOSING = {"additionalProperties", "unevaluatedProperties"}
_SHOWN = 20


def name_value(path: str, subject: str) -> str:
    """Return the value at a path as people write it, such as `filter.tags[]`; `subject` for the whole value."""
    return name_at((path,) if path else (), subject)


def sentence(name: str, text: str) -> str:
    """Return a sentence such as "`x` is now closed" or "the arguments are now closed"."""
    if name.endswith("s") and not name.startswith("`"):
        for singular, plural in (("is ", "are "), ("no longer allows ", "no longer allow ")):
            if text.startswith(singular):
                text = plural + text.removeprefix(singular)
    return f"{name} {text}"


def member(path: str, name: str) -> str:
    """Return the path of a property of the value at a path."""
    return f"{path}.{name}" if path else name


def shown_name(name: str) -> str:
    """Return a property's name in backticks."""
    return name_at((name,), "")


def value_change(keyword: str, old: Part | None, new: Part | None) -> str:
    """Return words such as "`maximum` 100 became 50"."""
    if old is not None and new is not None:
        return f"`{keyword}` {_value(old.value)} became {_value(new.value)}"
    if new is not None:
        return f"`{keyword}` {_value(new.value)} is new"
    return f"`{keyword}` {_value(old.value) if old is not None else ''} was removed"


def respelled_bound(old: Part, new: Part) -> str:
    """Return words such as "`exclusiveMinimum` 0 became `minimum` 1"."""
    return f"`{old.keywords[0]}` {_value(old.value)} became `{new.keywords[0]}` {_value(new.value)}"


def flag_change(keyword: str, old: Part | None, new: Part | None) -> str:
    """Return words such as "`uniqueItems` is new"."""
    return f"`{keyword}` {_describe_change(old, new)}"


def type_change(old: View, new: View) -> str:
    """Return words such as "type string became integer"."""
    before, after = types_of(old), types_of(new)
    if not before:
        return f"must now be of type {type_names(after)}; any type was allowed before"
    if not after:
        return f"may now be of any type; type {type_names(before)} was required before"
    return f"type {type_names(before)} became {type_names(after)}"


def null_change(*, is_gained: bool) -> str:
    """Return "may now be null" or "may no longer be null"."""
    return "may now be null" if is_gained else "may no longer be null"


def values_change(old: Part | None, new: Part | None, *, without_null: bool = False, is_limited: bool = False) -> str:
    """Return words such as "`enum` lost "fast" and gained "slow"". Null is ignored if another fact covers it.

    `is_limited` says whether other keywords of the new schema limit the values.
    """
    before, after = _options(old), _options(new)
    keywords = {keyword for part in (old, new) if part is not None for keyword in part.keywords}
    if old is not None and new is not None and len(before) == len(after) == 1 and "enum" not in keywords:
        return f"`const` {_value(before[0])} became {_value(after[0])}"
    if old is None:
        return f"may now only be {_list(after, 'or')}"
    if new is None:
        listed = _list(before, "or")
        return f"`{min(keywords)}` {listed} was removed" if is_limited else f"is no longer limited to {listed}"
    lost, gained = missing_from(before, after), missing_from(after, before)
    if without_null:
        lost, gained = missing_from(lost, [None]), missing_from(gained, [None])
    steps = [f"lost {_list(lost)}"] if lost else []
    if gained:
        steps.append(f"gained {_list(gained)}")
    return f"`enum` {' and '.join(steps)}"


def missing_from(values: Sequence[JsonValue], others: Sequence[JsonValue]) -> list[JsonValue]:
    """Return the values that the others do not include."""
    known = {json_key(value) for value in others}
    return [value for value in values if json_key(value) not in known]


def words_change(keyword: str, old: Part | None, new: Part | None) -> str:
    """Return words such as "description reworded"."""
    if old is None or new is None:
        is_many = keyword == "examples"
        if old is None:
            return f"{keyword} {'are' if is_many else 'is'} new"
        return f"{keyword} {'were' if is_many else 'was'} removed"
    return f"{keyword} {'changed' if keyword == 'examples' else 'reworded'}"


def default_change(old: Part | None, new: Part | None) -> str:
    """Return words such as "default 10 became 20"."""
    return value_change("default", old, new).replace("`default`", "default", 1)


def mark_change(keyword: str, new: Part | None) -> str:
    """Return words such as "is now deprecated"."""
    return f"is now {_MARKS[keyword]}" if new is not None else f"is no longer {_MARKS[keyword]}"


def content_change(keyword: str, old: Part | None, new: Part | None) -> str:
    """Return words such as "is now closed (`additionalProperties: false`)"."""
    if new is not None and new.value is False:
        return (
            f"is now closed (`{keyword}: false`)"
            if keyword in _CLOSING
            else f"no longer allows additional items (`{keyword}`)"
        )
    if old is not None and old.value is False:
        opened = "is now open" if new is None else "is now partly open"
        return f"{opened} (`{keyword}: false` was removed)"
    return applied_change(keyword, old, new)


def applied_change(keyword: str, old: Part | None, new: Part | None) -> str:
    """Return words such as "`items` of type string is new"."""
    part = new if new is not None else old
    value = part.value if part is not None else None
    rest = ""
    if isinstance(value, list):
        rest = f" of {_count(value)}"
    elif isinstance(value, dict) and value.get("type") is not None:
        types = value["type"]
        rest = f" of type {type_names(map(str, types if isinstance(types, list) else [types]))}"
    return f"`{keyword}`{rest} {_describe_change(old, new)}"


def schema_change(old: View, new: View, difference: str) -> str:
    """Return words such as "string became `anyOf` of 2 branches", or else the difference in notation."""
    before, after = summary(old), summary(new)
    if before != after and before and after:
        return f"{before} became {after}"
    return difference or "the schema changed"


def summary(view: View) -> str:
    """Describe the requirements of a schema in a word or two; empty if they are more complex."""
    if "false" in view.parts:
        return "no value"
    for keyword, parts in (("enum", view.parts.get("enum")), ("type", view.parts.get("type"))):
        if parts is not None:
            options = _list(_options(parts), "or")
            return options if keyword == "enum" else type_names(types_of(view))
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in view.parts:
            return f"`{keyword}` of {_count(view.parts[keyword].value)}"
    return "" if view.parts else "any value"


def _describe_change(old: Part | None, new: Part | None) -> str:
    return "is new" if old is None else "was removed" if new is None else "changed"


def _count(value: JsonValue) -> str:
    size = len(value) if isinstance(value, list) else 0
    return f"{size} branch{'' if size == 1 else 'es'}"


def _options(part: Part | None) -> list[JsonValue]:
    return part.value if part is not None and isinstance(part.value, list) else []


def _value(value: JsonValue) -> str:
    return shown_value(value, limit=MAXIMUM_SHOWN)


def _list(values: Sequence[JsonValue], conjunction: str = "and") -> str:
    texts = [shown_value(value, limit=_SHOWN) for value in values[:6]]
    texts.extend("" for _ in values[6:])  # counted, not shown
    return one_of(texts, conjunction) or "nothing"


def path_in(path: str, keyword: str) -> str:
    """Return the path of the parts of a value that a keyword applies to."""
    match keyword:
        case "items" | "contains" | "unevaluatedItems":
            return f"{path}[]"
        case "additionalProperties" | "unevaluatedProperties" | "patternProperties":
            return member(path, "*")
        case "propertyNames":
            return member(path, "<name>")
    return path
