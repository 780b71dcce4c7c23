"""Matches the branches of two `allOf`, `anyOf` or `oneOf`, and names them for messages."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

from mcp_contracts.comparison import messages as messages
from mcp_contracts.comparison.differences import Pair
from mcp_contracts.comparison.fact import Fact, FactKind
from mcp_contracts.comparison.views import Document, Part, View, types_of
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.schema.json_equality import json_key
from mcp_contracts.schema.simple import as_list, strings
from mcp_contracts.schema.wording import shown_value

_MAXIMUM_TRIES = 16


def pair_branches(
    old: Document, new: Document, lists: tuple[Part, Part], are_same: Callable[[str, str], bool]
) -> list[tuple[str | None, str | None]]:
    """Return the pointers of matching branches, in the order of the new list; None for a branch without a match.

    Equal branches match first, then those with the same value of a distinguishing property, the same definition, title,
    required and declared names, or types; finally, the last one on each side if only one is left.
    """
    left, right = _views(old, lists[0]), _views(new, lists[1])
    order = tuple(right)
    matches: dict[str, str] = {}

    def pair(first: str, second: str) -> None:
        matches[second] = first
        del left[first], right[second]

    for first, second in _pair_equal(left, right, are_same):
        pair(first, second)
    for keys in (_discriminators, _definition, _title, _shape, _types):
        for first, second in unique_pairs(
            {pointer: keys(old, view) for pointer, view in left.items()},
            {pointer: keys(new, view) for pointer, view in right.items()},
        ):
            pair(first, second)
    if len(left) == len(right) == 1:
        pair(next(iter(left)), next(iter(right)))
    found: list[tuple[str | None, str | None]] = [(matches.get(second), second) for second in order]
    return [*found, *((first, None) for first in left)]


def are_same_branches(
    old: Document, new: Document, lists: tuple[Part, Part], are_same: Callable[[str, str], bool]
) -> bool:
    """Whether the branches of two lists are equal in pairs."""
    left, right = _views(old, lists[0]), _views(new, lists[1])
    return len(left) == len(right) == sum(1 for _ in _pair_equal(left, right, are_same))


def is_null(view: View) -> bool:
    """Whether a branch accepts only null."""
    values = view.parts.get("enum")
    return types_of(view) == ["null"] or (values is not None and values.value == [None])


def find_null_wrapper(pair: Pair, old: Document, new: Document) -> tuple[tuple[str, str], Fact] | None:
    """Return the pointers of both sides without null, and the fact about null; None without such a pair.

    With such a pair, one side is the other one or null.
    """
    for side, other, document in ((pair.old, pair.new, old), (pair.new, pair.old, new)):
        keyword = next(iter(side.parts), "")
        if len(side.parts) != 1 or keyword not in ("anyOf", "oneOf") or keyword in other.parts or not other.parts:
            continue
        part = side.parts[keyword]
        size = len(part.value) if isinstance(part.value, list) else 0
        pointers = [f"{part.pointer}/{index}" for index in range(min(size, 3))]
        kept = [pointer for pointer in pointers if not is_null(document.view(pointer))]
        if size != 2 or len(kept) != 1 or "null" in types_of(other):
            continue
        is_gained = side is pair.new
        inner = (pair.old.pointer, kept[0]) if is_gained else (kept[0], pair.new.pointer)
        places = (None, part.pointer) if is_gained else (part.pointer, None)
        message = f"{pair.name} {messages.null_change(is_gained=is_gained)}"
        owners = (pair.old.pointer, pair.new.pointer)
        return inner, Fact(FactKind.TYPE_CHANGED, message, places[0], places[1], *owners, (keyword,))
    return None


def branch_name(document: Document, pointer: str) -> str:
    """Return the name of a branch: its distinguishing property, definition, title or type, or its position."""
    view = document.view(pointer)
    discriminator = next(_discriminators(document, view), None)
    if discriminator is not None:
        name, shown = discriminator
        return f"`{name}` {shown}"
    for found in (*_definition(document, view), *_title(document, view)):
        return f"`{found}`"
    asked = messages.summary(view)
    required = view.parts.get("required")
    if not types_of(view) and required is not None:
        return "that requires " + ", ".join(f"`{name}`" for name in strings(required.value)[:3])
    if asked and asked != "any value":
        return asked if "enum" in view.parts or not types_of(view) else f"of type {asked}"
    return f"at position {int(pointer.rpartition('/')[2]) + 1}"


def _views(document: Document, part: Part) -> dict[str, View]:
    pointers = (f"{part.pointer}/{index}" for index in range(len(as_list(part.value))))
    return {pointer: document.view(pointer) for pointer in pointers}


def _pair_equal(
    left: dict[str, View], right: dict[str, View], are_same: Callable[[str, str], bool]
) -> Iterator[tuple[str, str]]:
    waiting: dict[Hashable, list[str]] = {}
    for pointer, view in left.items():
        waiting.setdefault(_signature(view), []).append(pointer)
    for second, view in list(right.items()):
        candidates = waiting.get(_signature(view), [])
        first = next((first for first in candidates[:_MAXIMUM_TRIES] if are_same(first, second)), None)
        if first is not None:
            candidates.remove(first)
            yield first, second


def _signature(view: View) -> Hashable:
    """Return features that equal schemas always share."""
    properties, required, values = (view.parts.get(name) for name in ("properties", "required", "enum"))
    return (
        tuple(types_of(view)),
        frozenset(properties.value) if properties is not None and isinstance(properties.value, dict) else None,
        frozenset(strings(required.value)) if required is not None else None,
        frozenset(map(json_key, values.value)) if values is not None and isinstance(values.value, list) else None,
    )


def unique_pairs(
    left: Mapping[str, Iterable[Hashable]], right: Mapping[str, Iterable[Hashable]]
) -> Iterator[tuple[str, str]]:
    """Yield the names on both sides that share a key that no other name on either side has."""
    sides: list[dict[Hashable, list[str]]] = [{}, {}]
    for side, keys in zip(sides, (left, right), strict=True):
        for pointer, found in keys.items():
            for key in found:
                side.setdefault(key, []).append(pointer)
    used: set[tuple[int, str]] = set()
    for key, firsts in sides[0].items():
        seconds = sides[1].get(key, [])
        if len(firsts) == len(seconds) == 1 and not used & {(0, firsts[0]), (1, seconds[0])}:
            used |= {(0, firsts[0]), (1, seconds[0])}
            yield firsts[0], seconds[0]


def _discriminators(document: Document, view: View) -> Iterator[tuple[str, str]]:
    """Yield the properties with a single possible value, each with that value in words."""
    properties = view.parts.get("properties")
    if properties is None or not isinstance(properties.value, dict):
        return
    for name in properties.value:
        values = document.view(f"{properties.pointer}/{escape(name)}").parts.get("enum")
        if values is not None and isinstance(values.value, list) and len(values.value) == 1:
            yield name, shown_value(values.value[0])


def _definition(document: Document, view: View) -> Iterator[str]:
    text = _keyword_value(document, view, "$ref")
    if isinstance(text, str):
        yield text.rpartition("/")[2]


def _title(document: Document, view: View) -> Iterator[str]:
    title = _keyword_value(document, view, "title")
    if isinstance(title, str):
        yield title


def _shape(_: Document, view: View) -> Iterator[Hashable]:
    yield _signature(view)


def _types(_: Document, view: View) -> Iterator[Sequence[str]]:
    if types_of(view):
        yield tuple(types_of(view))


def _keyword_value(document: Document, view: View, keyword: str) -> JsonValue:
    node = document.at(view.pointer)
    return node.get(keyword) if isinstance(node, dict) else None
