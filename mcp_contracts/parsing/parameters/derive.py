"""Derives a JSON Schema from a parameter table, with the places of its rows."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaOrigin, SchemaPart, Table, TableRow
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.parsing.parameters.defaults import with_default
from mcp_contracts.parsing.text import MappedLocator
from mcp_contracts.records import replace


def with_members(table: Table, lead: str, members: Table) -> Table:
    """Return a table in which the rows of `members` are below one row, which the text before `members` names.

    Such text is ``The `circuit` object schema:``, or `Each result object:` for a row `results`.
    """
    words = lead.lower()
    for row in table.rows if len(table.rows) < _MOST_ROWS else ():
        kind = (row.schema or {}).get("type")
        if kind not in ("object", "array") or len(row.path) > 1 or len(row.name) < _SHORTEST:
            continue
        spoken = re.escape(row.name.lower().removesuffix("s")).replace("_", "[ _]")
        if f"`{row.name}`" in lead or re.search(rf"\b{spoken}s?\b", words):
            base = (*row.path, "[]") if kind == "array" else row.path
            inner = (replace(one, name=f"{row.name}.{one.name}", path=(*base, *one.path)) for one in members.rows)
            return replace(table, rows=(*table.rows, *inner))
    return table


_MOST_ROWS = 500
_SHORTEST = 3


def derive_schema(table: Table, part: Part, origin: SchemaOrigin) -> SchemaPart:
    """Return the schema that a table's rows describe: an object with a property for each row."""
    root: dict[str, JsonValue] = {"type": "object", "properties": {}}
    places: dict[str, tuple[Place, Place]] = {"": (table.place, table.place)}
    for row in table.rows:
        _add(root, row, places)
    return SchemaPart(part, root, origin, MappedLocator(table.place, places))


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
    with_default(leaf, row)
    if row.description:
        leaf["description"] = row.description
    places[leaf_pointer] = (row.type_place, row.place)
    if row.required and name != "[]":
        required = parent.setdefault("required", [])
        if isinstance(required, list) and name not in required:
            required.append(name)
            places[f"{pointer}/required/{len(required) - 1}"] = (row.required_place, row.required_place)


def _holder(parent: dict[str, JsonValue], pointer: str, step: str) -> tuple[dict[str, JsonValue], str]:
    """Return the schema that contains a step's properties.

    For `issues.line` below an array `issues`, it is the schema of the items.
    """
    stated = parent.get("type")
    is_array = stated == "array" or (isinstance(stated, list) and "array" in stated)
    return _child(parent, pointer, "[]") if is_array and step != "[]" else (parent, pointer)


def _child(parent: dict[str, JsonValue], pointer: str, step: str) -> tuple[dict[str, JsonValue], str]:
    """Return the schema one step below, created if it is missing. The first of contradictory rows counts."""
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
