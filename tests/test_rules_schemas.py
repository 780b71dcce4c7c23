"""The rules about missing and invalid schemas (MC301 to MC311, MC316, MC324)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue, SpecFile, ToolListFile
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.rules.base import Rule
from mcp_contracts.rules.schemas.alternatives import overlapping_alternatives
from mcp_contracts.rules.schemas.properties import (
    array_without_items,
    property_without_description,
    property_without_type,
)
from mcp_contracts.rules.schemas.reading import (
    duplicate_key,
    example_instead_of_schema,
    invalid_json,
    missing_input_schema,
    missing_output_schema,
    too_deeply_nested,
)
from mcp_contracts.rules.schemas.references import (
    invalid_pattern,
    pattern_not_checkable,
    pattern_refused_in_unicode_mode,
    remote_reference,
    unresolved_reference,
)
from mcp_contracts.rules.schemas.required import required_property_undefined
from mcp_contracts.rules.schemas.validity import (
    invalid_schema,
    keyword_without_effect,
    root_not_object,
    unknown_keyword,
    unknown_type,
    unsupported_dialect,
)
from mcp_contracts.rules.schemas.values import unsatisfiable_schema, value_refused_by_own_schema
from mcp_contracts.schema.vocabulary import VOCABULARY
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
from tests.sweeps import share, sweep
from tests.tables import each

SCHEMA_RULES: tuple[Rule, ...] = (
    required_property_undefined, property_without_description, property_without_type, array_without_items,
    unresolved_reference, remote_reference, invalid_pattern, pattern_refused_in_unicode_mode, pattern_not_checkable,
    unsatisfiable_schema, value_refused_by_own_schema, invalid_schema, unknown_keyword, unsupported_dialect,
    root_not_object, overlapping_alternatives,
)  # fmt: skip


def listed(*schemas: JsonValue) -> ToolListFile:
    """Return a tool list with one tool for each input schema."""
    return ToolListFile(PATH, "", contracts=tuple(tool(schema) for schema in schemas))


def fault(kind: FaultKind, part: Part | None = "input", pointer: str | None = None) -> Fault:
    return Fault(kind, "the fault", support_names.at(7), "the way out", part, pointer)


# Presence


def test_a_tool_without_an_input_schema_is_reported() -> None:
    finding = one(missing_input_schema, tool())

    assert finding.message == "the tool has no input schema"
    assert finding.part == "input"


def test_an_input_schema_that_is_null_is_reported_at_its_place() -> None:
    place = Place(PATH, 9, 1, 9, 5)

    finding = one(missing_input_schema, tool(places={"input": place}))

    assert (finding.message, finding.place) == ("the input schema is `null`", place)


@pytest.mark.parametrize("schema", [{"type": "object"}, True, {}])
def test_a_tool_with_an_input_schema_is_not(schema: JsonValue) -> None:
    assert found(missing_input_schema, tool(schema)) == []


def test_a_specification_without_an_output_schema_is_reported_in_its_section() -> None:
    finding = one(missing_output_schema, support_names.spec_tool())

    assert (finding.message, finding.place) == ("the tool has no output schema", support_names.at(40))


def test_an_empty_output_section_is_a_missing_schema() -> None:
    tool = support_names.spec_tool(sections=support_names.sections({4: ""}))

    assert [finding.message for finding in found(missing_output_schema, tool)] == ["the tool has no output schema"]


@pytest.mark.parametrize(
    "given",
    [
        {"output": schema_part({}, "output")},
        {"faults": (fault(FaultKind.INVALID_JSON, "output"),)},
        {"sections": support_names.sections(leave_out=[4])},
    ],
)
def test_what_has_one_or_another_fault_in_its_place_is_not(given: dict[str, Any]) -> None:
    assert found(missing_output_schema, support_names.spec_tool(**given)) == []


# Unreadable schemas


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (invalid_json, FaultKind.INVALID_JSON),
        (duplicate_key, FaultKind.DUPLICATE_KEY),
        (too_deeply_nested, FaultKind.TOO_DEEP),
    ],
)
def test_faults_of_schemas_are_reported_once_for_every_kind_of_file(rule: Rule, kind: FaultKind) -> None:
    for_schema, for_example = fault(kind, "output", "/a"), fault(kind, "example")
    spec = SpecFile(PATH, "", tools=(support_names.spec_tool(faults=(for_schema, for_example)),))
    tools = ToolListFile(PATH, "", faults=(fault(kind, None), fault(FaultKind.INVALID_TOOL_LIST, None)))

    finding = one(rule, spec)

    assert (finding.message, finding.hint, finding.place) == ("the fault", "the way out", support_names.at(7))
    assert (finding.part, finding.pointer) == ("output", "/a")
    assert messages(rule, tools) == ["the fault"]


def test_an_example_in_the_place_of_a_schema_is_reported() -> None:
    spec_tool = support_names.spec_tool(faults=(fault(FaultKind.EXAMPLE_FOR_SCHEMA), fault(FaultKind.INVALID_JSON)))

    assert messages(example_instead_of_schema, spec_tool) == ["the fault"]


# Meta-schema, types, keywords, dialect, root


@pytest.mark.parametrize(
    ("property_schema", "message", "hint"),
    [
        ({"minLength": -1}, "`minLength` of `a` is -1, less than the minimum of 0", None),
        (
            {"type": "string", "required": True},
            "`required` of `a` is true, not of type array",
            'list the name in `"required": ["a"]` of the enclosing object',
        ),
        ({"required": False}, "`required` of `a` is false, not of type array", "remove it"),
        ("string", '`a` is "string", not a schema (an object or a boolean)', 'write `{"type": "string"}`'),
        (
            {"minimum": 1, "exclusiveMinimum": True},
            "`exclusiveMinimum` of `a` is true, not of type number",
            "write the limit itself (`exclusiveMinimum` instead of `minimum`): a boolean is draft-04 syntax",
        ),
        (
            {"items": [{}]},
            "`items` of `a` is [{}], not a schema (an object or a boolean)",
            "write `prefixItems`, the keyword for a list of schemas since 2020-12",
        ),
        ({"properties": {"b": {"enum": 7}}}, "`enum` of `a.b` is 7, not of type array", None),
    ],
)
def test_an_invalid_schema_is_reported_with_its_cure(
    property_schema: JsonValue, message: str, hint: str | None
) -> None:
    finding = one(invalid_schema, with_properties(a=property_schema))

    assert (finding.message, finding.hint) == (message, hint)


def test_an_unknown_type_is_not_reported_twice() -> None:
    schema: JsonValue = {"type": "object", "properties": {"a": {"type": "strnig"}, "b": {"type": ["int", "null"]}}}

    assert found(invalid_schema, tool_schema(schema)) == []
    assert messages(unknown_type, listed(schema)) == [
        "type `strnig` of `a` is not a JSON Schema type",
        "type `int` of `b` is not a JSON Schema type",
    ]
    assert [finding.hint for finding in found(unknown_type, listed(schema))] == ["write `string`", "write `integer`"]
    assert pointers(unknown_type, listed(schema)) == ["/properties/a/type", "/properties/b/type/0"]


def test_an_unknown_type_is_placed_at_its_place() -> None:
    (finding,) = found(unknown_type, listed({"type": "object", "properties": {"a": {"type": "strnig"}}}))

    assert finding.place is not None
    assert (finding.place.line, finding.place.column) == (5, 12)


@pytest.mark.parametrize(
    ("stated", "hint"),
    [
        ("any", "omit `type` if any value is allowed"),
        ("thing", "use one of string, number, integer, boolean, object, array and null"),
    ],
)
def test_a_type_that_is_like_none_gets_another_hint(stated: str, hint: str) -> None:
    assert one(unknown_type, listed({"type": stated})).hint == hint


@pytest.mark.parametrize(
    ("schema", "hint"),
    [
        ({"type": "string", "nullable": True}, 'to accept null, write `"type": ["string", "null"]`'),
        ({"$ref": "#/$defs/x", "nullable": True}, "to accept null, add `null` to the allowed types"),
        ({"type": ["string", "null"], "nullable": True}, None),
        ({"anyOf": [{"type": "string"}, {"type": "null"}], "nullable": True}, None),
        ({"type": "string", "nullable": False}, None),
    ],
)
def test_a_flag_for_null_that_only_openapi_has_is_reported(schema: JsonValue, hint: str | None) -> None:
    root: JsonValue = {"type": "object", "properties": {"a": schema}, "$defs": {"x": {"type": "string"}}}

    expected = ["keyword `nullable` of `a` is unknown and ignored"] if hint is not None else []
    assert messages(unknown_keyword, tool_schema(root)) == expected
    if hint is not None:
        assert one(unknown_keyword, tool_schema(root)).hint == hint


@each(
    "schema, name, hint",
    [
        ({"b": {"type": "string"}}, "b", "put `b` in `properties`"),
        (
            {"type": "object", "b": {"type": "string"}, "c": {"type": "integer"}},
            "b",
            "put `b` and `c` in `properties`",
        ),
        ({"properties": {}, "b": {"type": "string"}}, None, None),
        ({"type": "string", "b": {"type": "string"}}, None, None),
        ({"b": {"type": "thing"}}, None, None),
        ({"x-b": {"type": "string"}}, None, None),
        ({"b": "string"}, None, None),
    ],
)
def test_a_property_beside_the_type_is_reported(schema: JsonValue, name: str | None, hint: str | None) -> None:
    told = found(unknown_keyword, with_properties(a=schema))

    assert [(one.message, one.hint) for one in told] == (
        [(f"`{name}` of `a` is not in `properties`, so it is ignored", hint)] if name else []
    )


def test_an_unknown_keyword_is_reported_at_its_name() -> None:
    finding = one(unknown_keyword, with_properties(a={"type": "string", "minLenght": 1}))

    assert finding.message == "keyword `minLenght` of `a` is unknown and ignored"
    assert finding.hint == "write `minLength`"
    assert (finding.pointer, finding.on_key) == ("/properties/a/minLenght", True)


@pytest.mark.parametrize(
    ("keyword", "value", "required", "hint"),
    [
        ("optional", True, [], "remove it: only properties in `required` must be sent"),
        ("optional", True, ["a"], "remove it, and remove `a` from `required` of the enclosing object"),
        ("optional", False, ["a"], "remove it: only properties in `required` must be sent"),
        ("optional", False, [], 'remove it, and list the name in `"required": ["a"]` of the enclosing object'),
        ("mandatory", True, [], 'remove it, and list the name in `"required": ["a"]` of the enclosing object'),
        ("isOptional", True, [], "remove it: only properties in `required` must be sent"),
    ],
)
def test_a_flag_for_optional_properties_is_no_keyword(
    keyword: str, value: bool, required: list[JsonValue], hint: str
) -> None:
    schema: JsonValue = {"properties": {"a": {"type": "string", keyword: value}}, "required": required}

    finding = one(unknown_keyword, tool_schema(schema))

    assert finding.message == f"keyword `{keyword}` of `a` is unknown and ignored"
    assert finding.hint == hint


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"optional": {"type": "boolean"}, "mandatory": True}},
        {"properties": {"a": {"optional": "when open"}}, "optional": True},
        {"properties": {"minLenght": {}, "requierd": {"type": "string"}}},
        {"patternProperties": {"titel": {}}, "$defs": {"typ": {}}, "dependentRequired": {"enums": []}},
        {"default": {"titel": 1}, "examples": [{"typ": 1}], "enum": [{"requierd": 1}], "const": {"minLenght": 1}},
        {"x-titel": 1, "nullable": False, "example": 1},
        {"$schema": "https://example.com/mine", "titel": 1},
    ],
)
def test_names_data_and_extensions_are_no_keywords(schema: JsonValue) -> None:
    assert found(unknown_keyword, tool_schema(schema)) == []


@pytest.mark.parametrize("value", [True, False])
def test_a_flag_in_place_of_required_names_is_only_reported_as_invalid(value: bool) -> None:
    schema = with_properties(a={"type": "string", "required": value})

    assert messages(keyword_without_effect, schema) == []
    assert len(messages(invalid_schema, schema)) == 1


def test_a_keyword_without_effect_in_draft_07_is_reported() -> None:
    schema = tool_schema({"$schema": DRAFT_7, "type": "object", "dependentRequired": {"a": ["b"]}})

    assert messages(unknown_keyword, schema) == ["keyword `dependentRequired` has no effect in draft-07"]


@sweep
@each("keyword", [row.name for row in VOCABULARY])
def test_no_value_of_a_keyword_ends_a_run(keyword: str) -> None:
    odd: tuple[JsonValue, ...] = (None, True, 1.5, "a", [], {}, [[]], [{}], ["a", "a"], {"a": []})
    of_type: tuple[JsonValue, ...] = ("string", "array", ["object", "null"])
    rows = [
        (value, kind)
        for number, value in enumerate(odd)
        for kind in share([*of_type[number % 3 :], *of_type[: number % 3]], 3)
    ]
    schemas = [{"type": kind, "description": "The name of it.", keyword: value} for value, kind in rows]

    report = lint(Contracts((listed(*schemas, {"type": "object", "properties": {"a": schemas[0]}}),)))

    assert report.tools == len(schemas) + 1


@pytest.mark.parametrize("stated", ["http://json-schema.org/draft-04/schema#", "https://example.com/mine", 7])
def test_an_unknown_dialect_is_reported_and_nothing_else_is_judged_by_it(stated: JsonValue) -> None:
    schema = tool_schema({"$schema": stated, "type": "object", "titel": 1, "minLength": -1})

    assert messages(unsupported_dialect, schema) == [
        f"`$schema` is {json.dumps(stated)}, a dialect that is not supported"
    ]
    assert [rule.info.code for rule in SCHEMA_RULES if found(rule, schema)] == ["MC310"]


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (True, "the input schema is true, not an object schema"),
        ({}, 'the input schema does not declare `"type": "object"`'),
        (
            {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}},
            'the input schema does not declare `"type": "object"`',
        ),
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


# All


@each(
    "schema",
    [
        None, True, False, [], "text", 7, {"type": {}}, {"properties": []}, {"properties": {"a": None}}, {"$ref": 7},
        {"required": 7}, {"pattern": 7}, {"patternProperties": []}, {"allOf": {}}, {"items": 7}, {"enum": 7},
        {"$id": 7}, {"examples": 7}, {"type": ["a", 7, None]}, {"minimum": "a"}, {"minLength": {}}, {"$schema": None},
        {"if": 7},
        {"properties": {"": {"properties": {"/~": {"type": "integer", "default": "x"}}}}}, {"$ref": "#", "default": 1},
        {"dependentRequired": 7, "dependencies": [], "dependentSchemas": 7}, {"required": [[], {}, None, "a"]},
    ],
    ids=str,
)  # fmt: skip
def test_no_schema_makes_a_rule_raise(schema: JsonValue) -> None:
    for rule in SCHEMA_RULES:
        for part in (tool_schema(schema, "input"), tool_schema(schema, "output")):
            for finding in found(rule, part):
                assert finding.message, rule.info.code
                assert "\n" not in finding.message, rule.info.code


def test_an_ordinary_schema_triggers_no_rule() -> None:
    schema: JsonValue = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where.", "pattern": "^[A-Z]", "examples": ["Oslo"]},
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
