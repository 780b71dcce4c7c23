"""The properties that one schema declares at a place and another one declares there in no branch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from mcp_contracts.comparison.declared.nodes import TooLargeError
from mcp_contracts.comparison.declared.places import FREE, Atlas, Place
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.validation.validators import Dialect, dialect_of
from mcp_contracts.schema.walk import escape

_MOST_PAIRS = 2_000
_INSIDE = frozenset((
    "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "items", "prefixItems",
    "additionalItems", "unevaluatedItems", "contains", "allOf", "anyOf", "oneOf", "if", "then", "else", "$ref",
    "$dynamicRef", "dependentSchemas", "dependencies",
))  # fmt: skip
"""Keywords through which a schema may declare a property of its value or of a value inside; most have none."""


class LostName(NamedTuple):
    """A property that is gone: `path` is its name as messages write it, `pointers` lead to it in the old schema.

    There are several where several branches declare it.
    """

    path: str
    pointers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Losses:
    """The properties that are gone between two schemas; past our bounds `is_complete` is false, and more may be."""

    names: tuple[LostName, ...]
    pointers: frozenset[str]
    is_complete: bool


def find_losses(old: JsonValue, new: JsonValue) -> Losses:
    """Find the properties that `new` declares nowhere at the place where `old` declares them. Never raises."""
    found: list[LostName] = []
    is_complete = True
    try:
        atlases = (Atlas(schema, dialect_of(schema) or Dialect.DRAFT_2020_12) for schema in (old, new))
        found.extend(lost_names(*atlases))
    except TooLargeError:
        is_complete = False
    return Losses(tuple(found), frozenset(pointer for one in found for pointer in one.pointers), is_complete)


def lost_names(old: Atlas, new: Atlas) -> Iterator[LostName]:
    """Yield each property that `new` declares nowhere at the place where `old` declares it.

    Places are compared in pairs, from both roots, whatever applicators the schemas are written with. Raises
    TooLargeError past 2,000 pairs, and where a schema is too large to tell its places.
    """
    stack = [(old.root, new.root, "")]
    seen: set[tuple[Place, Place]] = set()
    while stack:
        was, now, path = stack.pop()
        if (was, now) in seen or not _has_inside(old, was):
            continue
        if len(seen) >= _MOST_PAIRS:
            raise TooLargeError
        seen.add((was, now))
        if old.may_be(was, "object") and new.may_be(now, "object"):
            for name, pointers in _properties(old, was).items():
                inner = f"{path}.{name}" if path else name
                if new.declares(now, name):
                    stack.append((old.named(was, name), new.named(now, name), inner))
                else:
                    yield LostName(inner, tuple(pointers))
        if old.may_be(was, "array") and new.may_be(now, "array"):
            for index in (*range(max(old.positions(was), new.positions(now))), None):
                there = f"{path}[{'' if index is None else index}]"
                stack.append((old.item(was, index), new.item(now, index), there))


def _has_inside(atlas: Atlas, place: Place) -> bool:
    """Whether a schema at a place may declare anything."""
    nodes = (atlas.at(pointer) for pointer in place.roots if pointer != FREE and not pointer.startswith("="))
    return any(isinstance(node, dict) and not _INSIDE.isdisjoint(node) for node in nodes)


def _properties(atlas: Atlas, place: Place) -> Mapping[str, list[str]]:
    """The properties that may be there by the schemas at a place, with the pointers to the schemas of each."""
    found: dict[str, list[str]] = {}
    for pointer in atlas.members(place):
        node = atlas.at(pointer) if pointer != FREE and not pointer.startswith("=") else None
        if not isinstance(node, dict) or (atlas.is_draft_7 and "$ref" in node):
            continue  # what stands beside a reference says nothing in draft-07
        properties = node.get("properties")
        for name, schema in properties.items() if isinstance(properties, dict) else ():
            if schema is not False:
                found.setdefault(name, []).append(f"{pointer}/properties/{escape(name)}")
    return found
