"""A JSON Schema derived from a parameter table, with the way back to the rows."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts.contract import JsonValue, SchemaOrigin, SchemaPart, Table, TableRow
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.records import dataclass
from mcp_contracts.schema.walk import escape


@dataclass(frozen=True, slots=True)
class RowLocator:
    """Finds a derived schema's pointers in the table's cells. `places` holds (value, key) by pointer."""

    table_place: Place
    places: Mapping[str, tuple[Place, Place]]

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """The cell that a pointer comes from, or the nearest one above it."""
        while pointer and pointer not in self.places:
            pointer = pointer.rpartition("/")[0]
        found = self.places.get(pointer, (self.table_place, self.table_place))
        return found[1] if on_key else found[0]


def derive_schema(table: Table, part: Part, origin: SchemaOrigin) -> SchemaPart:
    """The schema that a table's rows describe: an object with a property for each row."""
    root: dict[str, JsonValue] = {"type": "object", "properties": {}}
    places: dict[str, tuple[Place, Place]] = {"": (table.place, table.place)}
    for row in table.rows:
        _add(root, row, places)
    return SchemaPart(part, root, origin, RowLocator(table.place, places))


def _add(root: dict[str, JsonValue], row: TableRow, places: dict[str, tuple[Place, Place]]) -> None:
    parent, pointer = root, ""
    for step in row.path[:-1]:
        parent, pointer = _holder(parent, pointer, step)
        parent, pointer = _child(parent, pointer, step)
    name = row.path[-1]
    parent, pointer = _holder(parent, pointer, name)
    leaf, leaf_pointer = _child(parent, pointer, name)
    from copy import deepcopy  # few schemas are derived

    leaf.update(deepcopy(dict(row.schema or {})))
    if row.description:
        leaf["description"] = row.description
    places[leaf_pointer] = (row.type_place, row.place)
    if row.required and name != "[]":
        required = parent.setdefault("required", [])
        if isinstance(required, list) and name not in required:
            required.append(name)
            places[f"{pointer}/required/{len(required) - 1}"] = (row.required_place, row.required_place)


def _holder(parent: dict[str, JsonValue], pointer: str, step: str) -> tuple[dict[str, JsonValue], str]:
    """The schema that has a step's properties: for `issues.line` under an array `issues`, that of its items."""
    stated = parent.get("type")
    is_array = stated == "array" or (isinstance(stated, list) and "array" in stated)
    return _child(parent, pointer, "[]") if is_array and step != "[]" else (parent, pointer)


def _child(parent: dict[str, JsonValue], pointer: str, step: str) -> tuple[dict[str, JsonValue], str]:
    """The schema one step below, made where it is missing; an odd mixture of rows keeps what came first."""
    if step == "[]":
        parent.setdefault("type", "array")
        child = parent.setdefault("items", {})
        pointer = f"{pointer}/items"
    else:
        parent.setdefault("type", "object")
        properties = parent.setdefault("properties", {})
        if not isinstance(properties, dict):
            return {}, pointer
        child = properties.setdefault(step, {})
        pointer = f"{pointer}/properties/{escape(step)}"
    return (child if isinstance(child, dict) else {}), pointer
