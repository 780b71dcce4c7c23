"""The rules about schemas, on schemas that are built by hand; the files beside each rule show it to people."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_contracts.contract import (
    Fault,
    FaultKind,
    JsonValue,
    SchemaOrigin,
    SpecFile,
    SpecTool,
    Table,
    TableRow,
    ToolListFile,
)
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.parsing.types import read_type
from mcp_contracts.rules.base import Rule
from mcp_contracts.rules.properties import (
    array_without_items,
    property_without_description,
    property_without_type,
    required_property_undefined,
)
from mcp_contracts.rules.reading import (
    duplicate_key,
    example_instead_of_schema,
    invalid_json,
    missing_input_schema,
    missing_output_schema,
    too_deeply_nested,
)
from mcp_contracts.rules.references import (
    invalid_pattern,
    pattern_not_checkable,
    pattern_refused_in_unicode_mode,
    remote_reference,
    unresolved_reference,
)
from mcp_contracts.rules.schema_names import listing, name_of
from mcp_contracts.rules.schema_values import unsatisfiable_schema, value_refused_by_own_schema
from mcp_contracts.rules.schemas import (
    invalid_schema,
    root_not_object,
    unknown_keyword,
    unknown_type,
    unsupported_dialect,
)
from mcp_contracts.rules.tables import schema_in_table_only, table_and_schema_disagree
from tests import support_names
from tests.support_schemas import (
    DRAFT_7,
    PATH,
    found,
    messages,
    one,
    pointers,
    schema_part,
    tool,
    tool_schema,
    with_properties,
)

SCHEMA_RULES: tuple[Rule, ...] = (
    required_property_undefined, property_without_description, property_without_type, array_without_items,
    unresolved_reference, remote_reference, invalid_pattern, pattern_refused_in_unicode_mode, pattern_not_checkable,
    unsatisfiable_schema, value_refused_by_own_schema, invalid_schema, unknown_keyword, unsupported_dialect,
    root_not_object,
)  # fmt: skip


def listed(*schemas: JsonValue) -> ToolListFile:
    """A tool list, with one tool for each input schema."""
    return ToolListFile(PATH, "", contracts=tuple(tool(schema) for schema in schemas))


def fault(kind: FaultKind, part: Part | None = "input", pointer: str | None = None) -> Fault:
    return Fault(kind, "the fault", support_names.at(7), "the way out", part, pointer)


# What is there


def test_a_tool_without_an_input_schema_is_told() -> None:
    finding = one(missing_input_schema, tool())

    assert finding.message == "the tool has no input schema"
    assert finding.part == "input"


def test_an_input_schema_that_is_null_is_told_at_its_place() -> None:
    place = Place(PATH, 9, 1, 9, 5)

    finding = one(missing_input_schema, tool(places={"input": place}))

    assert (finding.message, finding.place) == ("the input schema is `null`", place)


@pytest.mark.parametrize("schema", [{"type": "object"}, True, {}])
def test_a_tool_with_an_input_schema_is_not(schema: JsonValue) -> None:
    assert found(missing_input_schema, tool(schema)) == []


def test_a_specification_without_an_output_schema_is_told_in_its_section() -> None:
    finding = one(missing_output_schema, support_names.spec_tool())

    assert (finding.message, finding.place) == ("the tool has no output schema", support_names.at(40))


@pytest.mark.parametrize(
    "given",
    [
        {"output": schema_part({}, "output")},
        {"faults": (fault(FaultKind.INVALID_JSON, "output"),)},
        {"sections": support_names.sections(leave_out=[4])},
        {"sections": support_names.sections({4: ""})},
    ],
)
def test_what_has_one_or_another_fault_in_its_place_is_not(given: dict[str, Any]) -> None:
    assert found(missing_output_schema, support_names.spec_tool(**given)) == []


# What cannot be read


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (invalid_json, FaultKind.INVALID_JSON),
        (duplicate_key, FaultKind.DUPLICATE_KEY),
        (too_deeply_nested, FaultKind.TOO_DEEP),
    ],
)
def test_faults_of_schemas_are_told_once_for_every_kind_of_file(rule: Rule, kind: FaultKind) -> None:
    for_schema, for_example = fault(kind, "output", "/a"), fault(kind, "example")
    spec = SpecFile(PATH, "", tools=(support_names.spec_tool(faults=(for_schema, for_example)),))
    tools = ToolListFile(PATH, "", faults=(fault(kind, None), fault(FaultKind.INVALID_TOOL_LIST, None)))

    finding = one(rule, spec)

    assert (finding.message, finding.hint, finding.place) == ("the fault", "the way out", support_names.at(7))
    assert (finding.part, finding.pointer) == ("output", "/a")
    assert messages(rule, tools) == ["the fault"]


def test_an_example_in_the_place_of_a_schema_is_told() -> None:
    spec_tool = support_names.spec_tool(faults=(fault(FaultKind.EXAMPLE_FOR_SCHEMA), fault(FaultKind.INVALID_JSON)))

    assert messages(example_instead_of_schema, spec_tool) == ["the fault"]


# Meta-schema, types, keywords, dialect, root


@pytest.mark.parametrize(
    ("property_schema", "message", "hint"),
    [
        ({"minLength": -1}, "`minLength` of `a` is -1, less than the minimum 0", None),
        (
            {"type": "string", "required": True},
            "`required` of `a` is true, not of type array",
            'list the name in `"required": ["a"]` of the object around it',
        ),
        ({"required": False}, "`required` of `a` is false, not of type array", "leave it out"),
        ("string", '`a` is "string", not a schema (an object or a boolean)', 'write `{"type": "string"}`'),
        (
            {"minimum": 1, "exclusiveMinimum": True},
            "`exclusiveMinimum` of `a` is true, not of type number",
            "write the limit itself (`exclusiveMinimum` instead of `minimum`): a boolean is draft-04's way",
        ),
        (
            {"items": [{}]},
            "`items` of `a` is [{}], not a schema (an object or a boolean)",
            "write `prefixItems`, as a list of schemas is called since 2020-12",
        ),
        ({"properties": {"b": {"enum": 7}}}, "`enum` of `a.b` is 7, not of type array", None),
    ],
)
def test_an_invalid_schema_is_told_with_its_cure(property_schema: JsonValue, message: str, hint: str | None) -> None:
    finding = one(invalid_schema, with_properties(a=property_schema))

    assert (finding.message, finding.hint) == (message, hint)


def test_an_unknown_type_is_not_said_twice() -> None:
    schema: JsonValue = {"type": "object", "properties": {"a": {"type": "strnig"}, "b": {"type": ["int", "null"]}}}

    assert found(invalid_schema, tool_schema(schema)) == []
    assert messages(unknown_type, listed(schema)) == [
        "type `strnig` of `a` is no JSON Schema type",
        "type `int` of `b` is no JSON Schema type",
    ]
    assert [finding.hint for finding in found(unknown_type, listed(schema))] == ["write `string`", "write `integer`"]
    assert pointers(unknown_type, listed(schema)) == ["/properties/a/type", "/properties/b/type/0"]


def test_an_unknown_type_is_placed_where_it_stands() -> None:
    (finding,) = found(unknown_type, listed({"type": "object", "properties": {"a": {"type": "strnig"}}}))

    assert finding.place is not None
    assert (finding.place.line, finding.place.column) == (5, 12)


@pytest.mark.parametrize(
    ("stated", "hint"),
    [
        ("any", "leave `type` out where any value is allowed"),
        ("thing", "write one of string, number, integer, boolean, object, array and null"),
    ],
)
def test_a_type_that_is_like_none_gets_another_hint(stated: str, hint: str) -> None:
    assert one(unknown_type, listed({"type": stated})).hint == hint


def test_an_unknown_type_in_a_table_is_told() -> None:
    spec_tool = support_names.spec_tool(faults=(fault(FaultKind.UNKNOWN_TYPE, "input", "/properties/a/type"),))

    assert pointers(unknown_type, SpecFile(PATH, "", tools=(spec_tool,))) == ["/properties/a/type"]


def test_an_unknown_keyword_is_told_at_its_name() -> None:
    finding = one(unknown_keyword, with_properties(a={"type": "string", "minLenght": 1}))

    assert finding.message == "keyword `minLenght` of `a` is unknown, and ignored"
    assert finding.hint == "write `minLength`"
    assert (finding.pointer, finding.on_key) == ("/properties/a/minLenght", True)


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"minLenght": {}, "requierd": {"type": "string"}}},
        {"patternProperties": {"titel": {}}, "$defs": {"typ": {}}, "dependentRequired": {"enums": []}},
        {"default": {"titel": 1}, "examples": [{"typ": 1}], "enum": [{"requierd": 1}], "const": {"minLenght": 1}},
        {"x-titel": 1, "nullable": True, "example": 1},
        {"$schema": "https://example.com/mine", "titel": 1},
        {"title": "a", "titel": 1},
    ],
)
def test_names_data_and_extensions_are_no_keywords(schema: JsonValue) -> None:
    assert found(unknown_keyword, tool_schema(schema)) == []


def test_a_keyword_without_effect_in_draft_07_is_told() -> None:
    schema = tool_schema({"$schema": DRAFT_7, "type": "object", "dependentRequired": {"a": ["b"]}})

    assert messages(unknown_keyword, schema) == ["keyword `dependentRequired` has no effect in draft-07"]


@pytest.mark.parametrize("stated", ["http://json-schema.org/draft-04/schema#", "https://example.com/mine", 7])
def test_an_unknown_dialect_is_told_and_nothing_else_is_judged_by_it(stated: JsonValue) -> None:
    schema = tool_schema({"$schema": stated, "type": "object", "titel": 1, "minLength": -1})

    assert messages(unsupported_dialect, schema) == [
        f"`$schema` is {json.dumps(stated)}, a dialect that is not supported"
    ]
    assert [rule.info.code for rule in SCHEMA_RULES if found(rule, schema)] == ["MC310"]


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (True, "the input schema is true, not that of an object"),
        ({}, 'the input schema does not say `"type": "object"`'),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}, 'the input schema does not say `"type": "object"`'),
        ({"type": "string"}, 'the type of the input schema is "string", not `object`'),
        ({"type": ["object"]}, 'the type of the input schema is ["object"], not `object`'),
        ({"type": ["object", "null"]}, 'the type of the input schema is ["object", "null"], not `object`'),
    ],
)
def test_the_root_of_an_input_schema_is_an_object(schema: JsonValue, message: str) -> None:
    assert messages(root_not_object, tool_schema(schema)) == [message]


@pytest.mark.parametrize("schema", [True, {}, {"type": "array", "items": {}}])
def test_the_root_of_an_output_schema_may_be_anything(schema: JsonValue) -> None:
    assert found(root_not_object, tool_schema(schema, "output")) == []


# Properties


def test_a_required_name_that_nothing_defines_is_told() -> None:
    schema = tool_schema({"type": "object", "properties": {"city": {}}, "required": ["citty", "days"]})

    assert messages(required_property_undefined, schema) == [
        "`citty` is required but not defined",
        "`days` is required but not defined",
    ]
    assert [finding.hint for finding in found(required_property_undefined, schema)] == [
        "write `city`",
        "define it under `properties`, or take it out of `required`",
    ]
    assert pointers(required_property_undefined, schema) == ["/required/0", "/required/1"]


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {}}, "required": ["a"]},
        {"properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"], "properties": {"b": {}}}]},
        {"allOf": [{"properties": {"a": {}}}], "required": ["a"]},
        {"allOf": [{"properties": {"a": {}}}, {"required": ["a"]}]},
        {"allOf": [{"$ref": "#/$defs/base"}], "required": ["a"], "$defs": {"base": {"properties": {"a": {}}}}},
        {"$ref": "#/$defs/mixin", "properties": {"a": {}}, "$defs": {"mixin": {"required": ["a"]}}},
        {"properties": {"a": {}}, "if": {"required": ["a"]}, "then": {"required": ["a"]}},
        {"properties": {"a": {}}, "dependentSchemas": {"a": {"required": ["a"]}}},
        {"additionalProperties": {"type": "string"}, "required": ["a"]},
        {"patternProperties": {"^a": {}}, "required": ["a"]},
        {"not": {"required": ["a", "b"]}},
        {"not": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}},
        {"$schema": DRAFT_7, "$ref": "#/definitions/a", "required": ["a"], "definitions": {"a": {}}},
        {"required": True},
        {"required": [1]},
    ],
)
def test_a_required_name_that_is_defined_where_schemas_meet_is_not(schema: JsonValue) -> None:
    assert found(required_property_undefined, tool_schema(schema)) == []


def test_a_nested_required_name_is_told_with_its_object() -> None:
    schema = with_properties(filter={"type": "array", "items": {"type": "object", "required": ["kind"]}})

    assert messages(required_property_undefined, schema) == ["`kind` is required but not defined in `filter[]`"]


def test_properties_without_description_are_one_note() -> None:
    schema = tool_schema(
        {
            "type": "object",
            "properties": {
                "a": {"type": "string"},
                "b": {"type": "string", "description": "Said."},
                "c": {"type": "object", "properties": {"d": True, "e": {"description": "  "}}},
            },
        }
    )

    finding = one(property_without_description, schema)

    assert finding.message == "4 properties have no description: `a`, `c`, `c.d` and `c.e`"
    assert (finding.pointer, finding.on_key) == ("/properties/a", True)


def test_of_many_properties_the_first_five_are_named() -> None:
    schema = with_properties(**{f"p{index}": {"type": "string"} for index in range(8)})

    assert messages(property_without_description, schema) == [
        "8 properties have no description: `p0`, `p1`, `p2`, `p3`, `p4` and 3 more"
    ]


@pytest.mark.parametrize(
    "property_schema",
    [
        {"description": "Said."},
        {"$ref": "#/$defs/said"},
        {"allOf": [{"$ref": "#/$defs/said"}]},
        {"anyOf": [{"type": "string", "description": "Said."}, {"type": "null"}]},
        {"const": "circle"},
        False,
    ],
)
def test_a_property_is_described_by_itself_or_by_what_it_is_made_of(property_schema: JsonValue) -> None:
    schema = tool_schema(
        {"properties": {"a": property_schema}, "$defs": {"said": {"type": "string", "description": "Said."}}}
    )

    assert found(property_without_description, schema) == []


def test_what_not_and_if_test_for_needs_no_description() -> None:
    inner: JsonValue = {"properties": {"a": {"minLength": 1}}}

    assert found(property_without_description, tool_schema({"not": inner, "if": {"allOf": [inner]}})) == []
    assert found(property_without_type, tool_schema({"not": inner, "if": {"allOf": [inner]}})) == []


def test_a_property_named_not_is_one_like_any_other() -> None:
    schema = with_properties(**{"not": {"type": "object", "properties": {"a": {"type": "string"}}}})

    assert messages(property_without_description, schema) == ["2 properties have no description: `not` and `not.a`"]


@pytest.mark.parametrize("property_schema", [{}, True, {"description": "The city."}, {"minLength": 1}])
def test_a_property_without_type_is_told(property_schema: JsonValue) -> None:
    assert messages(property_without_type, with_properties(a=property_schema)) == ["property `a` has no type"]


@pytest.mark.parametrize(
    "property_schema",
    [
        {"type": "string"},
        {"$ref": "#"},
        {"enum": ["a"]},
        {"const": 1},
        {"anyOf": [{"type": "string"}]},
        {"description": "Any JSON value."},
        {"typ": "string"},
        False,
    ],
)
def test_a_property_that_says_what_it_takes_is_not(property_schema: JsonValue) -> None:
    assert found(property_without_type, with_properties(a=property_schema)) == []


def test_an_array_without_items_is_told_at_its_name() -> None:
    finding = one(array_without_items, with_properties(tags={"type": ["array", "null"]}))

    assert finding.message == "array `tags` does not say what its items are"
    assert (finding.pointer, finding.on_key) == ("/properties/tags", True)


@pytest.mark.parametrize(
    "more", [{"items": {}}, {"items": False}, {"prefixItems": [{}]}, {"contains": {}}, {"$ref": "#"}, {"enum": [[1]]}]
)
def test_an_array_that_says_what_its_items_are_is_not(more: dict[str, JsonValue]) -> None:
    assert found(array_without_items, with_properties(tags={"type": "array", **more})) == []


# References and patterns


def test_an_unresolved_reference_is_told_once_for_each_text() -> None:
    schema = tool_schema(
        {
            "properties": {
                "a": {"$ref": "#/definitions/city"},
                "b": {"$ref": "#/definitions/city"},
                "c": {"$ref": "#/$defs/none"},
                "d": {"$ref": "#/$defs/city"},
            },
            "$defs": {"city": {"type": "string"}},
        }
    )

    assert messages(unresolved_reference, schema) == [
        "the reference `#/definitions/city` of `a` leads to no schema (and 1 more like it)",
        "the reference `#/$defs/none` of `c` leads to no schema",
    ]
    assert found(unresolved_reference, schema)[0].hint == "write `#/$defs/city`"
    assert found(remote_reference, schema) == []


def test_a_remote_reference_is_told_and_is_not_unresolved_as_well() -> None:
    schema = with_properties(a={"$ref": "https://example.com/a.json#/x"})

    assert messages(remote_reference, schema) == [
        "the reference `https://example.com/a.json#/x` of `a` leads out of the schema"
    ]
    assert found(unresolved_reference, schema) == []


@pytest.mark.parametrize(
    ("pattern", "rule", "message"),
    [
        ("([", invalid_pattern, "pattern `([` of `a` is no valid regular expression: unbalanced bracket"),
        (r"[\w-.]", pattern_refused_in_unicode_mode, r"pattern `[\w-.]` of `a` is refused with the flag `u`: invalid character range"),
        (r"(?<n>a)\k<n>", pattern_not_checkable, r"pattern `(?<n>a)\k<n>` of `a` is valid but cannot be checked here"),
    ],
)  # fmt: skip
def test_a_pattern_gets_one_finding(pattern: str, rule: Rule, message: str) -> None:
    schema = with_properties(a={"type": "string", "pattern": pattern}, b={"type": "string", "pattern": pattern})

    rules = (invalid_pattern, pattern_refused_in_unicode_mode, pattern_not_checkable)

    assert [finding.message for each in rules for finding in found(each, schema)] == [message]
    assert pointers(rule, schema) == ["/properties/a/pattern"]


def test_a_pattern_for_names_is_placed_at_its_key() -> None:
    finding = one(invalid_pattern, tool_schema({"type": "object", "patternProperties": {"([": {}}}))

    assert (finding.pointer, finding.on_key) == ("/patternProperties/([", True)


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("(?i)a", "write both cases, such as `[Aa]`: ECMA-262 has no flags inside a pattern"),
        ("(?P<n>a)", "write a named group as `(?<name>…)`"),
        ("*.py", "write `.*` where any text is meant: `*` alone is a file pattern's way"),
    ],
)
def test_an_invalid_pattern_of_a_known_kind_gets_its_cure(pattern: str, hint: str) -> None:
    assert one(invalid_pattern, with_properties(a={"pattern": pattern})).hint == hint


# Values


def test_an_unsatisfiable_property_is_told() -> None:
    finding = one(unsatisfiable_schema, with_properties(limit={"type": "integer", "minimum": 5, "maximum": 1}))

    assert finding.message == "no integer fits both `minimum` 5 and `maximum` 1 in `limit`"
    assert finding.pointer == "/properties/limit/minimum"


@pytest.mark.parametrize(
    ("property_schema", "message", "pointer"),
    [
        ({"type": "integer", "default": "ten"}, 'the default of `a` is "ten", not of type integer', "/default"),
        ({"type": "string", "default": None}, "the default of `a` is null, not of type string", "/default"),
        (
            {"type": "array", "items": {"type": "string"}, "default": ["a", 1]},
            "the default of `a` is refused by its own schema: `[1]` is 1, not of type string",
            "/default/1",
        ),
        ({"type": "string", "enum": ["a", 1]}, "the enum value of `a` is 1, not of type string", "/enum/1"),
        (
            {"pattern": "^a", "examples": ["a", "b", "c"]},
            'the example of `a` is "b", which does not match the pattern `^a` (and 1 more like it)',
            "/examples/1",
        ),
        ({"$ref": "#/$defs/short", "default": "long"}, 'the default of `a` is "long", 4 characters long and not at most 2', "/default"),
    ],
)  # fmt: skip
def test_a_value_that_its_own_schema_refuses_is_told(property_schema: JsonValue, message: str, pointer: str) -> None:
    schema = tool_schema({"properties": {"a": property_schema}, "$defs": {"short": {"maxLength": 2}}})

    finding = one(value_refused_by_own_schema, schema)

    assert (finding.message, finding.pointer) == (message, f"/properties/a{pointer}")


@pytest.mark.parametrize(
    "property_schema",
    [
        {"type": "boolean", "default": False},
        {"type": "string", "enum": ["a", "b"], "default": "a", "examples": ["b"]},
        {"type": ["string", "null"], "default": None},
        {"type": "object", "properties": {"b": {"type": "string"}}, "default": {}},
        {"type": "array", "items": {"$ref": "#/$defs/short"}, "default": ["ab"]},
        {"type": "integer", "minimum": 5, "maximum": 1, "default": 3},
        {"type": "strnig", "default": 3},
        {"pattern": "([", "default": "x"},
        {"pattern": r"(a*)*\1b", "default": "a" * 600},
    ],
)
def test_a_value_that_fits_or_cannot_be_judged_is_not(property_schema: JsonValue) -> None:
    schema = tool_schema({"properties": {"a": property_schema}, "$defs": {"short": {"maxLength": 2}}})

    assert found(value_refused_by_own_schema, schema) == []


def test_a_default_beside_a_reference_is_nothing_in_draft_07() -> None:
    schema: JsonValue = {
        "$schema": DRAFT_7,
        "properties": {"a": {"$ref": "#/definitions/b", "default": 1}},
        "definitions": {"b": {"type": "string"}},
    }

    assert found(value_refused_by_own_schema, tool_schema(schema)) == []


# Tables


def row(name: str, written: str | None = None, required: bool | None = None) -> TableRow:
    path = tuple(step for step in name.replace("[]", ".[]").split(".") if step)
    schema = read_type(written) if written else None
    places = [support_names.at(30, column) for column in (1, 10, 20)]
    return TableRow(name, path, written, schema, required, "Said.", *places)


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
        ([row("city", "int", True)], [("`city` is integer in the table but string in the schema", 10)]),
        ([row("city", "string", False)], [("`city` is optional in the table but required in the schema", 20)]),
        (
            [row("city", "number", False)],
            [("`city` is number in the table but string in the schema and optional in the table but required in the schema", 10)],
        ),
        (
            [row("city", "string", True), row("days", "int")],
            [("`days` is in the table and not in the schema", 1)],
        ),
        (
            [row("citty", "string")],
            [("`citty` is in the table and not in the schema", 1), ("`city` is in the schema and not in the table", 0)],
        ),
    ],
)  # fmt: skip
def test_a_row_that_disagrees_is_told_with_both_sides(rows: list[TableRow], said: list[tuple[str, int]]) -> None:
    assert disagreements(CITY, *rows) == said


@pytest.mark.parametrize(
    ("property_schema", "written", "said"),
    [
        ({"type": "number"}, "int", "integer in the table but number in the schema"),
        ({"type": ["string", "null"]}, "string", None),
        ({"type": "string"}, "string or null", "string or null in the table but string in the schema"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string", None),
        ({"anyOf": [{"type": "string"}, {}]}, "int", None),
        ({"$ref": "#/$defs/word"}, "string", None),
        ({"$ref": "#/$defs/word"}, "int", "integer in the table but string in the schema"),
        ({"enum": ["a", "b"]}, 'enum["b", "a"]', None),
        ({"enum": ["a", "b"]}, 'enum["a", "c"]', '"a" or "c" in the table but "a" or "b" in the schema'),
        ({"type": "string", "enum": ["a", "b"]}, "string", None),
        ({"type": "array", "items": {"type": "string"}}, "array[string]", None),
        ({"type": "array", "items": {"type": "string"}}, "array[int]", "an array of integer in the table but one of string in the schema"),
        ({"type": "array", "items": {"type": "string"}}, "array", None),
        ({}, "string", None),
    ],
)  # fmt: skip
def test_types_are_compared_as_far_as_both_state_them(
    property_schema: JsonValue, written: str, said: str | None
) -> None:
    schema: JsonValue = {"properties": {"a": property_schema}, "$defs": {"word": {"type": "string"}}}

    assert [message for message, _ in disagreements(schema, row("a", written))] == ([f"`a` is {said}"] if said else [])


def test_nested_rows_are_compared_by_their_path() -> None:
    item: JsonValue = {"type": "object", "properties": {"line": {"type": "integer"}, "text": {"type": "string"}}}
    schema: JsonValue = {"properties": {"issues": {"type": "array", "items": item}}}

    assert disagreements(schema, row("issues", "array"), row("issues[].line", "string")) == [
        ("`issues[].line` is string in the table but integer in the schema", 10),
        ("`issues[].text` is in the schema and not in the table", 0),
    ]
    assert disagreements(schema, row("issues", "array")) == []


def test_an_object_that_describes_other_names_has_room_for_rows() -> None:
    schema: JsonValue = {"properties": {"city": {}}, "additionalProperties": {"type": "string"}}

    assert disagreements(schema, row("city"), row("other", "string")) == []


def test_a_schema_that_stands_only_in_a_table_can_be_written_out() -> None:
    part = schema_part({"type": "object"}, origin=SchemaOrigin.TABLE)
    spec_tool = support_names.spec_tool(input=part, input_table=Table((), support_names.at(29)))

    finding = one(schema_in_table_only, spec_tool)

    assert finding.message == "the input schema stands only in a table"
    assert finding.fixable


def test_a_legacy_tool_is_not_asked_for_schemas() -> None:
    part = schema_part({"type": "object"}, origin=SchemaOrigin.PROSE)
    spec_tool = support_names.spec_tool(input=part, deviations=("it has no version",))

    assert found(schema_in_table_only, spec_tool) == []


# All


@pytest.mark.parametrize("rule", SCHEMA_RULES, ids=lambda rule: rule.info.code)
@pytest.mark.parametrize(
    "schema",
    [
        None, True, False, [], "text", 7, {"type": {}}, {"properties": []}, {"properties": {"a": None}}, {"required": 7},
        {"$ref": 7}, {"pattern": 7}, {"patternProperties": []}, {"allOf": {}}, {"items": 7}, {"enum": 7}, {"$id": 7},
        {"examples": 7}, {"type": ["a", 7, None]}, {"minimum": "a"}, {"minLength": {}}, {"$schema": None}, {"if": 7},
        {"properties": {"": {"properties": {"/~": {"type": "integer", "default": "x"}}}}}, {"$ref": "#", "default": 1},
        {"dependentRequired": 7, "dependencies": [], "dependentSchemas": 7}, {"required": [[], {}, None, "a"]},
    ],
    ids=str,
)  # fmt: skip
def test_no_schema_makes_a_rule_raise(rule: Rule, schema: JsonValue) -> None:
    for part in ("input", "output"):
        for finding in found(rule, tool_schema(schema, "input" if part == "input" else "output")):
            assert finding.message
            assert "\n" not in finding.message


def test_an_ordinary_schema_triggers_no_rule() -> None:
    schema: JsonValue = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where.", "minLength": 1, "pattern": "^[A-Z]", "examples": ["Oslo"]},
            "days": {"type": "integer", "description": "How long.", "minimum": 1, "maximum": 14, "default": 3},
            "units": {"description": "In what.", "enum": ["metric", "imperial"]},
            "tags": {"type": "array", "description": "Which.", "items": {"$ref": "#/$defs/tag"}, "uniqueItems": True},
            "near": {"anyOf": [{"$ref": "#/$defs/tag"}, {"type": "null"}], "default": None},
        },
        "required": ["city"],
        "additionalProperties": False,
        "$defs": {"tag": {"type": "string", "description": "A tag."}},
    }  # fmt: skip

    assert [rule.info.code for rule in SCHEMA_RULES if found(rule, tool_schema(schema))] == []
    assert found(unknown_type, listed(schema)) == []


@pytest.mark.parametrize(
    ("pointer", "name"),
    [
        ("", None),
        ("/properties/a", "a"),
        ("/properties/a/items/properties/b~1c", "a[].b/c"),
        ("/properties/a/prefixItems/1", "a[1]"),
        ("/properties/a/additionalProperties/properties/b", "a.*.b"),
        ("/$defs/city/properties/name", "city.name"),
        ("/properties/a/anyOf/0/properties/b/type", "a.b"),
        ("/allOf/0", None),
        ("/properties/properties/properties/items", "properties.items"),
    ],
)
def test_a_place_in_a_schema_has_a_name(pointer: str, name: str | None) -> None:
    assert name_of(pointer) == name


@pytest.mark.parametrize(
    ("names", "text"),
    [(["a"], "`a`"), (["a", "b"], "`a` and `b`"), (["a", "b", "c"], "`a`, `b` and `c`"), (list("abcdefg"), "`a`, `b`, `c`, `d`, `e` and 2 more")],
)  # fmt: skip
def test_names_are_listed(names: list[str], text: str) -> None:
    assert listing(names) == text


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
