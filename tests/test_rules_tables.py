"""The rules about parameter tables next to schemas (MC322, MC323)."""

from __future__ import annotations

import pytest

from mcp_contracts.contract import (
    JsonValue,
    PlacedText,
    SchemaOrigin,
    SpecTool,
    Table,
    TableRow,
)
from mcp_contracts.parsing.parameters.types import read_type
from mcp_contracts.records import replace
from mcp_contracts.rules.tables.cell_values import cell_value
from mcp_contracts.rules.tables.cells import cell_refused_by_type
from mcp_contracts.rules.tables.tables import schema_in_table_only, table_and_schema_disagree
from tests import support_names
from tests.support_schemas import (
    found,
    one,
    schema_part,
)
from tests.tables import each


def row(name: str, written: str | None = None, required: bool | None = None) -> TableRow:
    path = tuple(step for step in name.replace("[]", ".[]").split(".") if step)
    schema = read_type(written) if written else None
    first, second, third = (support_names.at(30, column) for column in (1, 10, 20))
    return TableRow(name, path, written, schema, required, "Said.", first, second, third)


def disagreements(schema: JsonValue, *rows: TableRow) -> list[tuple[str, int]]:
    table = Table(rows, support_names.at(29))
    spec_tool = support_names.spec_tool(input_table=table, input=schema_part(schema))
    return [
        (finding.message, finding.place.column if finding.place else 0)
        for finding in found(table_and_schema_disagree, spec_tool)
    ]


CITY: JsonValue = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([row("city", "string", True)], []),
        ([row("city")], []),
        ([], [("the table has no rows, but the input schema has `city`", 1)]),
        ([row("city", "int", True)], [("`city` is integer in the table but string in the schema", 10)]),
        ([row("city", "string", False)], [("`city` is optional in the table but required in the schema", 20)]),
        (
            [row("city", "number", False)],
            [("`city` is number and optional in the table but string and required in the schema", 10)],
        ),
        (
            [row("city", "string", True), row("days", "int")],
            [("`days` is in the table but not in the schema", 1)],
        ),
        (
            [row("citty", "string")],
            [("`citty` is in the table but not in the schema", 1)],
        ),
    ],
)
def test_a_row_that_disagrees_is_reported_with_both_sides(rows: list[TableRow], said: list[tuple[str, int]]) -> None:
    assert disagreements(CITY, *rows) == said


@each(
    ("property_schema", "written", "said"),
    [
        ({"type": "number"}, "int", "integer in the table but number in the schema"),
        ({"type": ["string", "null"]}, "string", "string in the table but string or null in the schema"),
        ({"type": ["string", "null"]}, "string or null", None),
        ({"type": "string"}, "string or null", "string or null in the table but string in the schema"),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "string",
            "string in the table but string or null in the schema",
        ),
        ({"anyOf": [{"type": "string"}, {}]}, "int", None),
        ({"$ref": "#/$defs/word"}, "string", None),
        ({"$ref": "#/$defs/word"}, "int", "integer in the table but string in the schema"),
        ({"enum": ["a", "b"]}, 'enum["b", "a"]', None),
        ({"enum": ["a", "b"]}, 'enum["a", "c"]', '"a" or "c" in the table but "a" or "b" in the schema'),
        ({"type": "string", "enum": ["a", "b"]}, "string", None),
        ({"type": "array", "items": {"type": "string"}}, "array[string]", None),
        (
            {"type": "array", "items": {"type": "string"}},
            "array[int]",
            "an array of integer in the table but one of string in the schema",
        ),
        ({"type": "array", "items": {"type": "string"}}, "array", None),
        ({"allOf": [{"$ref": "#/$defs/word"}]}, "int", "integer in the table but string in the schema"),
        ({"anyOf": [{"$ref": "#"}] * 9}, "string", None),
        ({}, "string", None),
    ],
)
def test_types_are_compared_as_far_as_both_state_them(
    property_schema: JsonValue, written: str, said: str | None
) -> None:
    schema: JsonValue = {"properties": {"a": property_schema}, "$defs": {"word": {"type": "string"}}}

    assert [message for message, _ in disagreements(schema, row("a", written))] == ([f"`a` is {said}"] if said else [])


def test_a_table_in_an_older_dialect_may_omit_null_unless_it_mentions_it() -> None:
    schema = schema_part({"properties": {name: {"type": ["string", "null"]} for name in "ab"}})

    def told(*rows: TableRow) -> list[str]:
        table = Table(rows, support_names.at(29))
        spec_tool = support_names.spec_tool(input_table=table, input=schema, deviations=("it has no version",))
        return [finding.message for finding in found(table_and_schema_disagree, spec_tool)]

    nullable = replace(row("b", "string"), description="Whose; null for all.")
    said = "string in the table but string or null in the schema"
    assert told(row("a", "string"), row("b", "string")) == []
    assert told(row("a", "string"), row("b", "string or null")) == [f"`a` is {said}"]
    assert told(row("a", "string"), nullable) == [f"`b` is {said}"]


@each(
    ("cell", "value", "said"),
    [
        ("`false`", {"type": "boolean"}, ["the default of `a` is false in the table but not stated in the schema"]),
        ("`true`", {"type": "boolean", "default": True}, []),
        ("", {"type": "boolean"}, []),
        ("none", {"type": "boolean"}, []),
        ("`null`", {"type": ["boolean", "null"]}, []),
        ("the last one", {"type": "string"}, []),
        ("`fast`", {"type": "string", "description": "How it sails. Default: fast."}, []),
        ("`fast`", {"type": "string", "description": "How it sails (default: `fast`)"}, []),
        ("`3`", {"type": "integer", "description": "How many, defaults to 3."}, []),
        (
            "`3`",
            {"type": "integer", "description": "How many. Default: 5."},
            ["the default of `a` is 3 in the table but 5 in the schema"],
        ),
        (
            "`fast`",
            {"type": "string", "description": "How it sails by default."},
            ['the default of `a` is "fast" in the table but not stated in the schema'],
        ),
    ],
)
def test_a_default_belongs_into_the_schema_as_well(cell: str, value: JsonValue, said: list[str]) -> None:
    default = PlacedText(cell, support_names.at(30)) if cell else None
    shown = replace(row("a"), default=default)

    assert [message for message, _ in disagreements({"properties": {"a": value}}, shown)] == said


@each(
    ("cell", "value", "said"),
    [
        ('`"NO12"`', {"type": "string", "pattern": "^[A-Z]{2}$"}, ["which does not match the pattern `^[A-Z]{2}$`"]),
        ('`"NO"`', {"type": "string", "pattern": "^[A-Z]{2}$"}, []),
        ("`500`", {"type": "string", "maxLength": 2}, []),
        ('`"mid"`', {"enum": ["low", "high"]}, ['not "low" or "high"']),
        ('`"low"`', {"$ref": "#/$defs/level"}, []),
        ('`"mid"`', {"$ref": "#/$defs/level"}, ['not "low" or "high"']),
        ("`null`", {"type": "string"}, []),
        ('`"1 June"`', {"type": "string", "format": "date"}, ["as `format` requires"]),
        ('`"2026-06-01"`', {"type": "string", "format": "date"}, []),
    ],
)
def test_an_example_in_a_cell_is_compared_with_the_schema_too(cell: str, value: JsonValue, said: list[str]) -> None:
    shown = replace(row("a", "string"), example=PlacedText(cell, support_names.at(30)))
    table = Table((shown,), support_names.at(29))
    schema: JsonValue = {"properties": {"a": value}, "$defs": {"level": {"enum": ["low", "high"]}}}
    spec_tool = support_names.spec_tool(input_table=table, tables=(table,), input=schema_part(schema))

    told = [finding.message for finding in found(cell_refused_by_type, spec_tool)]

    assert [message.partition(", ")[2].removesuffix(" in the schema") for message in told] == said


@each(
    ("written", "cell", "said"),
    [
        ("tuple[float, float]", "`wide`", ['the default of `a` is "wide", not of type array']),
        ("tuple[float, float]", "`(4, 3)`", []),
        ("tuple[float, float]", "`auto`", []),
        ("array[string]", "`wide`", []),
    ],
)
def test_a_word_in_code_is_not_a_list_of_numbers(written: str, cell: str, said: list[str]) -> None:
    shown = replace(row("a", written), default=PlacedText(cell, support_names.at(30)))
    table = Table((shown,), support_names.at(29))
    spec_tool = support_names.spec_tool(input_table=table, tables=(table,), input=schema_part({"type": "object"}))

    assert [finding.message for finding in found(cell_refused_by_type, spec_tool)] == said


def test_an_empty_table_is_reported_next_to_properties_and_only_there() -> None:
    many: JsonValue = {"type": "object", "properties": {name: {} for name in "abcd"}}

    assert disagreements(many) == [("the table has no rows, but the input schema has 4 properties", 1)]
    assert disagreements({"type": "object"}) == []


def test_nested_rows_are_compared_by_their_path() -> None:
    item: JsonValue = {"type": "object", "properties": {"line": {"type": "integer"}, "text": {"type": "string"}}}
    schema: JsonValue = {"properties": {"issues": {"type": "array", "items": item}}}

    assert disagreements(schema, row("issues", "array"), row("issues[].line", "string")) == [
        ("`issues[].line` is string in the table but integer in the schema", 10),
        ("`issues[].text` is in the schema but not in the table", 0),
    ]
    assert disagreements(schema, row("issues", "array")) == []


def test_an_object_that_describes_other_names_has_room_for_rows() -> None:
    schema: JsonValue = {"properties": {"city": {}}, "additionalProperties": {"type": "string"}}

    assert disagreements(schema, row("city"), row("other", "string")) == []


def test_a_schema_that_is_only_in_a_table_can_be_written() -> None:
    part = schema_part({"type": "object"}, origin=SchemaOrigin.TABLE)
    spec_tool = support_names.spec_tool(input=part, input_table=Table((), support_names.at(29)))

    finding = one(schema_in_table_only, spec_tool)

    assert finding.message == "the input schema exists only in a table"
    assert finding.fix is not None
    assert finding.fix.is_safe


def test_a_legacy_tool_is_not_asked_for_schemas() -> None:
    part = schema_part({"type": "object"}, origin=SchemaOrigin.PROSE)
    spec_tool = support_names.spec_tool(input=part, deviations=("it has no version",))

    assert found(schema_in_table_only, spec_tool) == []


def test_a_spec_tool_with_everything_disagreeing_never_raises() -> None:
    table = Table((row("a.b.c", "int", True), row("[]", "int"), row("a[][]", "x")), support_names.at(1))
    values: list[JsonValue] = [
        True,
        {},
        {"properties": {"a": True}},
        {"properties": {"a": {"$ref": "#"}}},
        {"$ref": "#"},
    ]
    for value in values:
        spec_tool: SpecTool = support_names.spec_tool(input_table=table, input=schema_part(value))

        assert all(finding.message for finding in found(table_and_schema_disagree, spec_tool))


@each(
    ("text", "value"),
    [("`[1, 2`", "[1, 2"), ("`{`", "{"), ("`[1, 2]`", [1, 2]), ("`[1, ...`", None), ('`["]"`', '["]"')],
)
def test_a_cell_with_an_unmatched_bracket_is_text_and_no_list(text: str, value: JsonValue) -> None:
    found = cell_value(text, {"type": ["array", "object"]}, "array", quotes=False)

    assert (None if found is None else found.value) == value
