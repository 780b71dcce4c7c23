"""The properties that one schema declares at a place and another one declares there in no branch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mcp_contracts.schema.places import FREE, Atlas, Place, TooLargeError
from mcp_contracts.schema.walk import escape

_MOST_PAIRS = 2_000
_INSIDE = frozenset((
    "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "items", "prefixItems",
    "additionalItems", "unevaluatedItems", "contains", "allOf", "anyOf", "oneOf", "if", "then", "else", "$ref",
    "$dynamicRef", "dependentSchemas", "dependencies",
))  # fmt: skip
"""Keywords through which a schema may declare a property of its value or of a value inside; most have none."""


class LostName(NamedTuple):
    """A property that is gone: `pointer` leads to it in the old schema, `path` is its name as messages write it."""

    pointer: str
    path: str


def lost_names(old: Atlas, new: Atlas) -> Iterator[LostName]:
    """Yield each property that `new` declares nowhere at the place where `old` declares it.

    Places are compared in pairs, from both roots, whatever applicators the schemas are written with. Raises
    TooLargeError past 2,000 pairs, and where a schema is too large to tell its places.
    """
    stack = [(old.root, new.root, "")]
    seen: set[tuple[Place, Place]] = set()
    while stack:
        was, now, path = stack.pop()
        if (was, now) in seen or not now.roots or not _has_inside(old, was):
            continue
        if len(seen) >= _MOST_PAIRS:
            raise TooLargeError
        seen.add((was, now))
        if old.may_be(was, "object") and new.may_be(now, "object"):
            for name, pointer in _properties(old, was):
                inner = f"{path}.{name}" if path else name
                if new.declares(now, name):
                    stack.append((old.named(was, name), new.named(now, name), inner))
                else:
                    yield LostName(pointer, inner)
        if old.may_be(was, "array") and new.may_be(now, "array"):
            for index in (*range(max(old.positions(was), new.positions(now))), None):
                there = f"{path}[{'' if index is None else index}]"
                stack.append((old.item(was, index), new.item(now, index), there))


def _has_inside(atlas: Atlas, place: Place) -> bool:
    """Whether a schema at a place may declare anything."""
    nodes = (atlas.at(pointer) for pointer in place.roots if pointer != FREE and not pointer.startswith("="))
    return any(isinstance(node, dict) and not _INSIDE.isdisjoint(node) for node in nodes)


def _properties(atlas: Atlas, place: Place) -> Iterator[tuple[str, str]]:
    """The properties that may be there by the schemas at a place, each once, with the pointer to its schema."""
    found: dict[str, str] = {}
    for pointer in atlas.members(place):
        node = atlas.at(pointer) if pointer != FREE and not pointer.startswith("=") else None
        if not isinstance(node, dict) or (atlas.is_draft_7 and "$ref" in node):
            continue  # what stands beside a reference says nothing in draft-07
        properties = node.get("properties")
        for name, schema in properties.items() if isinstance(properties, dict) else ():
            if schema is not False:
                found.setdefault(name, f"{pointer}/properties/{escape(name)}")
    yield from found.items()
