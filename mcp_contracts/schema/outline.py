"""A schema as a parameter table shows it: the properties and items at each place, in any branch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import dataclass
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.simple import atom_of, properties_of, strings

_MOST_SEEN = 50
ITEM = "[]"
"""The path step that leads into the items of an array."""


@dataclass(frozen=True)  # no slots, because cached_property needs a __dict__
class SchemaPlace:
    """A place in a schema: its pointer, its subschema, and all subschemas that apply there (targets and branches)."""

    pointer: str
    schema: JsonValue
    schemas: tuple[dict[str, JsonValue], ...]

    @property
    def is_open(self) -> bool:
        """Whether the schemas declare no properties."""
        return not any(map(properties_of, self.schemas))

    @cached_property
    def names(self) -> frozenset[str]:
        """The properties that the schemas declare."""
        return frozenset(name for schema in self.schemas for name in properties_of(schema))

    @cached_property
    def required(self) -> frozenset[str]:
        """The property names that the schemas require."""
        return frozenset(name for schema in self.schemas for name in strings(schema.get("required")))


def root_of(schema: JsonValue) -> SchemaPlace:
    """Return the place of a whole schema."""
    return place_of(schema, schema)


def place_of(root: JsonValue, schema: JsonValue) -> SchemaPlace:
    """Return the place of a subschema, with an empty pointer."""
    return SchemaPlace("", schema, tuple(_together(root, schema)))


def find_place(root: JsonValue, place: SchemaPlace, path: tuple[str, ...]) -> SchemaPlace | None:
    """Follow a path from a place, or return None if the schema declares no such place."""
    for step in path:
        found = child_of(root, place, step)
        if found is None:
            return None
        place = found
    return place


def child_of(root: JsonValue, place: SchemaPlace, step: str) -> SchemaPlace | None:
    """Return the place of a property or of the items of an array, or None if no schema declares it."""
    for schema in place.schemas:
        child = schema.get("items") if step == ITEM else properties_of(schema).get(step)
        if isinstance(child, dict | bool):
            pointer = f"{place.pointer}/items" if step == ITEM else f"{place.pointer}/properties/{escape(step)}"
            return SchemaPlace(pointer, child, tuple(_together(root, child)))
    return None


def stated_types(root: JsonValue, schema: JsonValue) -> frozenset[str]:
    """Return the types that a schema states by `type`, `const`, `enum` or its branches, or an empty set if unknown."""
    types: set[str] = set()
    seen: set[int] = set()
    pending = [schema]
    while pending:
        current = pending.pop()
        if not isinstance(current, dict) or len(seen) > _MOST_SEEN:
            return frozenset()
        if id(current) in seen:
            continue
        seen.add(id(current))
        stated = current.get("type")
        values = [current["const"]] if "const" in current else current.get("enum")
        if isinstance(stated, str | list):
            types.update([stated] if isinstance(stated, str) else strings(stated))
        elif isinstance(values, list):
            types.update("number" if atom == "fraction" else atom for atom in map(atom_of, values))
        elif not (branches := list(_alternatives(root, current))) or ("allOf" in current and len(branches) > 1):
            return frozenset()
        else:
            pending.extend(branches)
    return frozenset(types)


def _together(root: JsonValue, schema: JsonValue) -> Iterator[dict[str, JsonValue]]:
    """Yield a schema, the targets of its references, and its branches, which a table does not distinguish."""
    seen: set[int] = set()
    pending = [schema]
    while pending and len(seen) < _MOST_SEEN:
        current = pending.pop(0)
        if not isinstance(current, dict) or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        pending.extend(_alternatives(root, current))


def _alternatives(root: JsonValue, schema: dict[str, JsonValue]) -> Iterator[JsonValue]:
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        yield follow(root, reference[1:])
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = schema.get(keyword)
        if isinstance(branches, list):
            yield from branches
