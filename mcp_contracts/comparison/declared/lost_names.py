"""Finds the properties that one schema declares at a place, and no branch of another schema declares there."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from mcp_contracts.comparison.declared.matched_names import MatchedNames
from mcp_contracts.comparison.declared.nodes import TooLargeError
from mcp_contracts.comparison.declared.places import Place, PlaceTree
from mcp_contracts.comparison.declared.schema_reader import FREE
from mcp_contracts.comparison.declared.ways import Pair, Step, Ways
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import NamedTuple, dataclass
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.vocabulary import IN_PLACE, INSIDE

_MOST_PAIRS = 2_000
_INSIDE = frozenset((*IN_PLACE, *INSIDE))
"""Keywords through which a schema may declare a property of its value or of a value inside; most have none."""


class LostName(NamedTuple):
    """A removed property: `path` is its name in messages, and `pointers` lead to it in the old schema.

    There are several pointers if several branches declare it. `at` has the places of the object in both schemas.
    `has_object` is False if the new schema does not allow an object there.
    """

    path: str
    name: str
    pointers: tuple[str, ...]
    at: Pair
    has_object: bool


@dataclass(frozen=True, slots=True)
class Losses:
    """The properties that were removed between two schemas. Past the bounds, `is_complete` is False.

    `names` are the names of places that may still contain an object. `by_pointer` has the others as well: a comparison
    that lists such a property reports it as removed; otherwise, the changed type implies it. The root pointer has all
    `names`. `ways` lead to them.
    """

    names: tuple[LostName, ...]
    by_pointer: Mapping[str | None, Sequence[LostName]]
    ways: Ways
    is_complete: bool


def find_losses(old: JsonValue, new: JsonValue, matched: MatchedNames | None = None) -> Losses:
    """Find the properties that `new` declares nowhere at the place where `old` declares them. Never raises."""
    found: list[LostName] = []
    ways = Ways()
    is_complete = True
    try:
        was, now = (
            PlaceTree(schema, dialect_of(schema) or Dialect.DRAFT_2020_12, matched, is_partial=True)
            for schema in (old, new)
        )
        found.extend(lost_names(was, now, ways))  # if a place cannot be read, those before it are kept
    except TooLargeError:
        is_complete = False
    by_pointer: dict[str | None, list[LostName]] = {}
    for one in found:
        for pointer in one.pointers:
            by_pointer.setdefault(pointer, []).append(one)
    names = tuple(one for one in found if one.has_object)
    return Losses(names, {**by_pointer, "": names}, ways, is_complete)


def lost_names(old: PlaceTree, new: PlaceTree, ways: Ways) -> Iterator[LostName]:
    """Yield each property that `new` declares nowhere at the place where `old` declares it, and add the ways to `ways`.

    Places are compared in pairs, from both roots, the outer ones first, regardless of the applicators that lead there.
    Raises TooLargeError past 2,000 pairs, or if a schema is too large to determine its places.
    """
    ways.root = (old.root, new.root)
    pending: deque[tuple[Pair, str]] = deque([(ways.root, "")])
    seen: set[Pair] = set()
    while pending:
        pair, path = pending.popleft()
        was, now = pair
        if pair in seen or not _has_inside(old, was):
            continue
        if len(seen) >= _MOST_PAIRS:
            raise TooLargeError
        seen.add(pair)
        inner: list[tuple[Step, Pair]] = []
        if old.may_be(was, "object"):
            for name, pointers in _properties(old, was).items():
                if new.declares(now, name):
                    inner.append((name, (old.named(was, name), new.named(now, name))))
                else:
                    yield LostName(_inside(path, name), name, tuple(pointers), pair, new.may_be(now, "object"))
            inner.extend((None, other) for other in _of_maps(old, was, new, now))
        if old.may_be(was, "array") and new.may_be(now, "array"):
            for index in (*range(max(old.positions(was), new.positions(now))), -1):
                position = None if index < 0 else index
                inner.append((index, (old.item(was, position), new.item(now, position))))
        for step, other in inner:
            ways.add(pair, step, other)
            pending.append((other, _inside(path, step)))


def _inside(path: str, step: Step) -> str:
    if isinstance(step, int):
        return f"{path}[{'' if step < 0 else step}]"
    name = "*" if step is None else step
    return f"{path}.{name}" if path else name


def _of_maps(old: PlaceTree, was: Place, new: PlaceTree, now: Place) -> Iterator[tuple[Place, Place]]:
    """Yield the places of values under names that only patterns and maps of the old schema declare."""
    before, after = old.declared(was), new.declared(now)
    if not before.patterns and not before.every:
        return
    for name in after.names:
        if name not in before.names and old.declares(was, name):
            yield old.named(was, name), new.named(now, name)
    for pattern in before.patterns:
        if pattern in after.patterns:
            yield old.matched(was, pattern), new.matched(now, pattern)
        elif not new.overlapping_patterns(now, pattern):
            yield old.matched(was, pattern), new.others(now)
    if before.every:
        yield old.others(was), new.others(now)


def _has_inside(tree: PlaceTree, place: Place) -> bool:
    """Whether a schema at a place may declare anything."""
    nodes = (tree.at(pointer) for pointer in place.roots if pointer != FREE and not pointer.startswith("="))
    return any(isinstance(node, dict) and not _INSIDE.isdisjoint(node) for node in nodes)


def _properties(tree: PlaceTree, place: Place) -> Mapping[str, list[str]]:
    """Return the properties that the schemas at a place allow, each with the pointers to its schemas."""
    found: dict[str, list[str]] = {}
    for pointer in tree.members(place):
        node = tree.at(pointer) if pointer != FREE and not pointer.startswith("=") else None
        if not isinstance(node, dict) or (tree.is_draft_7 and "$ref" in node):
            continue  # draft-07 ignores keywords next to a reference
        properties = node.get("properties")
        for name, schema in properties.items() if isinstance(properties, dict) else ():
            if schema is not False:
                found.setdefault(name, []).append(f"{pointer}/properties/{escape(name)}")
    return found
