"""Rules about parameter tables that accompany schemas (MC322, MC323)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaOrigin, SchemaPart, SpecTool, Table, TableRow
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.faults import FaultKind
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.parsing.parameters.cells import default_in_text
from mcp_contracts.records import replace
from mcp_contracts.rule_names import NearestNames
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.tables.cell_values import stated_value
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.outline import (
    ITEM,
    SchemaPlace,
    child_of,
    find_place,
    root_of,
    stated_types,
)
from mcp_contracts.schema.simple import properties_of, value_key
from mcp_contracts.schema.wording import one_of, shown_value, type_names

_MOST_NAMED = 3


@rule("MC322", Severity.WARNING, since="0.1.0")
def table_and_schema_disagree(tool: SpecTool) -> Iterator[Finding]:
    """The parameter table disagrees with the schema or signature next to it.

    People read the table and programs read the schema, so one of them is wrong about a name, a type, a default, or
    whether a parameter is required. Calls are validated against the schema.
    """
    for table, part in ((tool.input_table, tool.contract.input), (tool.output_table, tool.contract.output)):
        if table is not None and part is not None and part.origin is SchemaOrigin.SCHEMA:
            yield from (
                _drop_unsafe_fix(finding, tool) for finding in _disagreements(table, part, is_legacy=tool.is_legacy)
            )
    written = {row.path: row for row in tool.input_table.rows} if tool.input_table is not None else {}
    yield from _not_in_signature(tool)
    where = "list" if tool.input_table is not None and tool.input_table.kind == "list" else "table"
    for parameter in tool.signature:
        row = written.get(parameter.path)
        if row is not None and row.type and parameter.type and _exclude(row.schema, parameter.schema):
            name = show(row.name)
            message = f"`{name}` is {show(row.type)} in the {where} but {show(parameter.type)} in the signature"
            yield Finding(message, "make the two agree", row.type_place, part="input")
        elif row is not None and row is not parameter and row.default is not None and parameter.default is not None:
            own, other = stated_value(row.default.text), stated_value(parameter.default.text)
            if own is not None and other is not None and value_key(own.value) != value_key(other.value):
                message = f"the default of `{show(row.name)}` is {shown_value(own.value)} in the {where}"
                message += f" but {shown_value(other.value)} in the signature"
                yield Finding(message, "make the two agree", row.default.place, part="input")


def _drop_unsafe_fix(finding: Finding, tool: SpecTool) -> Finding:
    """Return a finding without its fix if the cells of the row may be under the wrong heading."""
    torn = {fault.place.line for fault in tool.faults if fault.kind is FaultKind.MISSHAPEN_ROW}
    is_torn = finding.fix is not None and any(edit.place.line in torn for edit in finding.fix.edits)
    return replace(finding, fix=None) if is_torn else finding


def _exclude(one: Mapping[str, JsonValue] | None, other: Mapping[str, JsonValue] | None) -> bool:
    """Whether the types of two schemas have no value in common."""
    types, others = (stated_types(dict(schema), dict(schema)) if schema else frozenset() for schema in (one, other))
    numbers = {"integer", "number"}
    return bool(types and others) and types.isdisjoint(others) and not (types & numbers and others & numbers)


@rule("MC323", Severity.NOTE, since="0.1.0")
def schema_in_table_only(tool: SpecTool) -> Iterator[Finding]:
    """A schema is only stated in a table or in prose.

    A schema is derived from it, but a table cannot express limits, nesting or alternatives. Programs can rely on a JSON
    Schema below the table.
    """
    if tool.is_legacy:
        return
    for part, table in ((tool.contract.input, tool.input_table), (tool.contract.output, tool.output_table)):
        if part is not None and part.origin is not SchemaOrigin.SCHEMA:
            from mcp_contracts.rules.tables.fixes import write_out_schema  # only needed for a finding, as below

            where = "a table" if table is not None else "words"
            yield Finding(
                f"the {part.part} schema exists only in {where}",
                "write it as JSON Schema in a `json` block below",
                part.locator.place(""),
                part=part.part,
                pointer="",
                fix=write_out_schema(part, table),
            )


def _not_in_signature(tool: SpecTool) -> Iterator[Finding]:
    """Yield the parameters that a table or a list has, but its signature does not."""
    table, declared = tool.input_table, {row.name for row in tool.signature} or _named_in_heading(tool)
    if table is None or not declared:
        return
    listed = {row.name for row in table.rows if row not in tool.signature}
    for row in table.rows:
        if len(row.path) == 1 and row.name not in declared and row not in tool.signature:
            near = NearestNames().of(row.name, declared - listed)
            where = "table" if table.kind == "table" else "list"
            message = f"`{show(row.name)}` is in the {where} but not in the signature"
            hint = f"use the same name in both; the signature has `{show(near)}`" if near else "make the two agree"
            yield Finding(message, hint, row.place, part="input")


_CALL_IN_HEADING = re.compile(r"\w\(([^()]*=[^()]*)\)`?\s*$")
_PARAMETER = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:=.*)?")


def _named_in_heading(tool: SpecTool) -> set[str]:
    """Return the parameters of a call without types in a heading that also has optional ones: `(path, pages=None)`.

    None unless the table or list has most of them. Without optional ones, the call may only have the required ones.
    """
    call = _CALL_IN_HEADING.search(tool.heading)
    parts = [_PARAMETER.fullmatch(part) for part in call[1].split(",")] if call is not None else []
    names = {part[1] for part in parts if part is not None}
    listed = {row.name for row in tool.input_table.rows} if tool.input_table is not None else set[str]()
    return names if len(names) == len(parts) and len(names & listed) * 2 > len(names) else set()


def _disagreements(table: Table, part: SchemaPart, *, is_legacy: bool) -> Iterator[Finding]:
    root = root_of(part.value)
    kinds = stated_types(part.value, part.value)
    if table.rows and kinds and "object" not in kinds and not any(map(properties_of, root.schemas)):
        if part.part == "input":
            return  # MC311 says it
        said = f"the table lists fields, but the root of the {part.part} schema is {type_names(kinds)}"
        hint = "describe an object, or remove the table"
        yield Finding(said, hint, part.locator.place("/type"), part=part.part, pointer="/type")
        return
    states_null = not is_legacy or any(row.type is not None and "null" in row.type.lower() for row in table.rows)
    names, where = NearestNames(), "list" if table.kind == "list" else "table"
    place_of = cache(partial(find_place, part.value, root))
    listed: dict[tuple[str, ...], list[TableRow]] = {}
    unknown_paths = {row.path for row in table.rows}
    for row in table.rows:
        parent = place_of(row.path[:-1])
        if parent is not None:
            listed.setdefault(row.path[:-1], []).append(row)
            if not _agrees_plainly(row, parent):
                yield from _about_row(part, row, parent, names, where, states_null=states_null)
        elif (unknown_path := _unknown_path(row.path, place_of)) is not None and unknown_path not in unknown_paths:
            unknown_paths.add(unknown_path)
            known = place_of(unknown_path[:-1])
            if known is not None:
                stray = replace(row, path=unknown_path)
                yield from _about_row(part, stray, known, names, where, states_null=states_null)
    if not table.rows:
        yield from _about_empty(table, part, root)
        return
    for path in {(): None, **listed}:
        parent = place_of(path)
        if parent is not None and table.kind == "table":  # text next to a schema is not a table
            yield from _about_missing(part, path, parent, table.rows, names)


def _unknown_path(
    path: tuple[str, ...], place_of: Callable[[tuple[str, ...]], SchemaPlace | None]
) -> tuple[str, ...] | None:
    """Return a path up to the first step that the schema lacks, if its parent has other properties."""
    for length in range(len(path)):
        parent = place_of(path[:length])
        if parent is not None and parent.names and path[length] != ITEM and path[length] not in parent.names:
            return path[: length + 1]
    return None


def _agrees_plainly(row: TableRow, parent: SchemaPlace) -> bool:
    """Whether a row matches a plain schema literally and needs no other check. Most rows do."""
    if len(parent.schemas) != 1 or not row.schema or row.default is not None:
        return False
    (schema,) = parent.schemas
    child = properties_of(schema).get(row.path[-1])
    if (
        not isinstance(child, dict)
        or "$ref" in child
        or any(child.get(key) != said for key, said in row.schema.items())
    ):
        return False
    return row.required is None or row.required == (row.path[-1] in parent.required)


def _about_row(
    part: SchemaPart, row: TableRow, parent: SchemaPlace, names: NearestNames, where: str, *, states_null: bool
) -> Iterator[Finding]:
    found = child_of(part.value, parent, row.path[-1])
    if found is None:
        if not _is_open(parent):
            near = names.of(row.path[-1], parent.names)
            yield Finding(
                f"`{show(row.name)}` is in the {where} but not in the schema",
                f"use the same name in both; the schema has `{show(near)}`"
                if near
                else "add it to the schema, or remove the row",
                row.place,
                part=part.part,
                pointer=parent.pointer,
                causes=(f"{parent.pointer}/properties", *_requirements(parent, row.path[-1])),
            )
        return
    is_exact = where == "table" and (states_null or _mentions_null(row))
    types = _type_difference(part.value, dict(row.schema or {}), found, is_exact=is_exact)
    required = _required_difference(row, parent)
    if types is None and (defaults := _default_difference(row, found)) is not None:
        yield Finding(
            f"the default of `{show(row.name)}` is {defaults[0]} in the {where} but {defaults[1]} in the schema",
            "fix the wrong one; calls are validated against the schema",
            row.default.place if row.default is not None else row.place,
            part=part.part,
            pointer=f"{found.pointer}/default",
        )
    differences = [difference for difference in (types, required) if difference is not None]
    if differences:
        from mcp_contracts.rules.tables.fixes import corrected_cells

        in_table, in_schema = (" and ".join(said) for said in zip(*differences, strict=True))
        yield Finding(
            f"`{show(row.name)}` is {in_table} in the {where} but {in_schema} in the schema",
            "fix the wrong one; calls are validated against the schema",
            row.type_place if types is not None else row.required_place,
            part=part.part,
            pointer=found.pointer,
            fix=corrected_cells(row, part, parent, found, type_=types is not None, required=required is not None),
            causes=(found.pointer,) if required is None else (f"{parent.pointer}/required",),
        )


def _requirements(parent: SchemaPlace, name: str) -> Iterator[str]:
    """Yield the pointers at which a schema requires a name."""
    for schema in parent.schemas if name in parent.required else ():
        required = schema.get("required")
        if isinstance(required, list) and name in required:
            yield f"{parent.pointer}/required/{required.index(name)}"


def _about_empty(table: Table, part: SchemaPart, root: SchemaPlace) -> Iterator[Finding]:
    """Yield a finding for an empty table if the schema has properties."""
    names = dict.fromkeys(f"`{show(name)}`" for schema in root.schemas for name in properties_of(schema))
    if names:
        listed = one_of([*names][:_MOST_NAMED], "and") if len(names) <= _MOST_NAMED else f"{len(names)} properties"
        message = f"the table has no rows, but the {part.part} schema has {listed}"
        yield Finding(message, "add a row for each, or remove the table", table.place, part=part.part, pointer="")


def _about_missing(
    part: SchemaPart, path: tuple[str, ...], parent: SchemaPlace, rows: Sequence[TableRow], names: NearestNames
) -> Iterator[Finding]:
    """Yield the properties of one place that the table does not list."""
    known = {row.path[len(path)] for row in rows if len(row.path) > len(path) and row.path[: len(path)] == path}
    undeclared = sorted(known - parent.names)  # a row with a misspelled name has been reported
    missing = {
        name: f"{parent.pointer}/properties/{escape(name)}"
        for schema in parent.schemas
        for name in properties_of(schema)
        if name not in known and (not undeclared or names.of(name, undeclared) is None)
    }
    prefix = ".".join(path).replace(f".{ITEM}", ITEM)
    for name, pointer in missing.items():
        yield Finding(
            f"`{show(f'{prefix}.{name}' if prefix else name)}` is in the schema but not in the table",
            "add a row to the table",
            part=part.part,
            pointer=pointer,
            on_key=True,
            causes=(f"{parent.pointer}/properties",),
        )


def _mentions_null(row: TableRow) -> bool:
    """Whether a row mentions null outside its type, and not as its default."""
    cells = (row.description, row.example.text if row.example is not None else "")
    is_default = row.default is not None and "null" in row.default.text
    return not is_default and any(re.search(r"\bnull\b", cell) for cell in cells)


def _type_difference(
    root: JsonValue, said: JsonValue, found: SchemaPlace, *, is_exact: bool = False
) -> tuple[str, str] | None:
    """Return the types or possible values in the table and in the schema, if they differ.

    The table of an older dialect may leave out null if it never mentions it; other tables are `is_exact`.
    """
    if not isinstance(said, dict):
        return None
    in_table, in_schema = stated_types(said, said), stated_types(root, found.schema)
    if in_table and in_schema:
        if in_table != in_schema and (is_exact or in_table != in_schema - {"null"}):
            return type_names(in_table), type_names(in_schema)
        if "array" in in_table:
            items = child_of(root, found, ITEM)
            inner = _type_difference(root, said.get("items"), items) if items is not None else None
            if inner is not None:
                return f"an array of {inner[0]}", f"one of {inner[1]}"
    return _enum_difference(said.get("enum"), next((s["enum"] for s in found.schemas if "enum" in s), None))


def _enum_difference(in_table: JsonValue, in_schema: JsonValue) -> tuple[str, str] | None:
    if not isinstance(in_table, list) or not isinstance(in_schema, list):
        return None
    first, second = ({value_key(item) for item in values if item is not None} for values in (in_table, in_schema))
    if first == second:
        return None
    return (
        one_of([shown_value(item, limit=20) for item in in_table]),
        one_of([shown_value(item, limit=20) for item in in_schema]),
    )


def _required_difference(row: TableRow, parent: SchemaPlace) -> tuple[str, str] | None:
    if row.required is None or row.path[-1] == ITEM:
        return None
    is_required = row.path[-1] in parent.required
    if is_required == row.required:
        return None
    words: dict[bool, Literal["required", "optional"]] = {True: "required", False: "optional"}
    return words[row.required], words[is_required]


def _default_difference(row: TableRow, found: SchemaPlace) -> tuple[str, str] | None:
    """Return the unambiguous default of a row and that of the schema, if they differ."""
    if row.default is None or not isinstance(found.schema, dict):
        return None
    stated = stated_value(row.default.text)
    if "default" not in found.schema:
        if stated is None or stated.value is None:
            return None
        described = _described_default(found.schema)
        if described is None:
            return shown_value(stated.value), "not stated"
        is_same = value_key(stated.value) == value_key(described)
        return None if is_same else (shown_value(stated.value), shown_value(described))
    default = found.schema["default"]
    if stated is None or value_key(stated.value) == value_key(default) or default is None:
        return None
    if isinstance(default, str) and not isinstance(stated.value, str) and row.default.text.strip("*_` ") == default:
        return None  # text without quotes
    return shown_value(stated.value), shown_value(default)


def _described_default(schema: Mapping[str, JsonValue]) -> JsonValue:
    """Return the default that the description of a property states: `How many. Default: 5.`"""
    description = schema.get("description")
    span = default_in_text(description) if isinstance(description, str) else None
    if span is None or not isinstance(description, str):
        return None
    written = description[slice(*span)]
    stated = stated_value(written)
    return written if stated is None else stated.value


def _is_open(place: SchemaPlace) -> bool:
    """Whether a schema describes names that it does not list."""
    return any(
        schema.get("patternProperties") or isinstance(schema.get("additionalProperties"), dict)
        for schema in place.schemas
    )
