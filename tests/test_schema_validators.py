"""Schemas are compiled without the network, judge like the reference, and never stall or raise."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
import pytest
import referencing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema import effort
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.effort import Pattern
from mcp_contracts.schema.validation.compiled import Outcome, RefusalKind
from mcp_contracts.schema.validation.validators import (
    compile_schema,
    compile_shared,
    instance_errors,
    schema_errors,
    uncheckable_patterns,
)
from mcp_contracts.schema.wording import shown_value
from tests import schema_strategies
from tests.support_schemas import DRAFT_7
from tests.tables import each


def judge(schema: JsonValue, value: JsonValue) -> Outcome:
    return instance_errors(compile_schema(schema), value)


def message(schema: JsonValue, value: JsonValue) -> str:
    (error,) = judge(schema, value).errors
    return error.message


def nested(keyword: str, depth: int) -> dict[str, JsonValue]:
    schema: dict[str, JsonValue] = {"type": "string"}
    for _ in range(depth):
        inner: JsonValue = [schema] if keyword in ("allOf", "anyOf") else schema
        schema = {"properties": {"a": schema}} if keyword == "properties" else {keyword: inner}
    return schema


# Dialects


@pytest.mark.parametrize(
    ("schema", "dialect"),
    [
        ({}, Dialect.DRAFT_2020_12),
        (True, Dialect.DRAFT_2020_12),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema"}, Dialect.DRAFT_2020_12),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema#"}, Dialect.DRAFT_2020_12),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, Dialect.DRAFT_7),
        ({"$schema": "http://json-schema.org/draft-07/schema"}, Dialect.DRAFT_7),
        ({"$schema": "https://json-schema.org/draft-07/schema#"}, Dialect.DRAFT_7),
        ({"$schema": "http://json-schema.org/draft-04/schema#"}, None),
        ({"$schema": "https://example.com/mine"}, None),
        ({"$schema": 7}, None),
        ({"$schema": None}, None),
    ],
)
def test_the_dialect_is_the_one_that_the_schema_names(schema: JsonValue, dialect: Dialect | None) -> None:
    assert dialect_of(schema) is dialect


# Meta-schema


@pytest.mark.parametrize(
    ("schema", "pointer", "said"),
    [
        ({"minLength": -1}, "/minLength", "`minLength` is -1, less than the minimum of 0"),
        ({"properties": {"a": {"minimum": "x"}}}, "/properties/a/minimum", '`minimum` is "x", not of type number'),
        ({"properties": {"a": {"required": True}}}, "/properties/a/required", "`required` is true, not of type array"),
        ({"required": ["a", "a"]}, "/required", "`required` contains the same item twice"),
        ({"required": ["a", 1]}, "/required/1", "item 1 of `required` is 1, not of type string"),
        ({"properties": {"a": "text"}}, "/properties/a", '`a` is "text", not a schema (an object or a boolean)'),
        ({"type": "strnig"}, "/type", '`type` is "strnig", which is not a JSON type'),
        ({"exclusiveMinimum": True}, "/exclusiveMinimum", "`exclusiveMinimum` is true, not of type number"),
        ({"items": [{}]}, "/items", "`items` is [{}], not a schema (an object or a boolean)"),
        ({"multipleOf": 0}, "/multipleOf", "`multipleOf` is 0, not greater than 0"),
        ([], "", "the schema is [], not a schema (an object or a boolean)"),
        (None, "", "the schema is null, not a schema (an object or a boolean)"),
    ],
)
def test_an_invalid_schema_is_explained_at_its_place(schema: JsonValue, pointer: str, said: str) -> None:
    errors = schema_errors(schema)

    assert [(error.pointer, error.message) for error in errors] == [(pointer, said)]
    assert compile_schema(schema).refusal is not None


def test_a_list_of_items_is_valid_in_draft_07() -> None:
    assert schema_errors({"$schema": DRAFT_7, "items": [{}], "additionalItems": False}) == ()


def test_nothing_is_reported_about_an_unknown_dialect() -> None:
    assert schema_errors({"$schema": "https://example.com/mine", "type": "strnig"}) == ()


def test_a_message_never_contains_a_whole_schema() -> None:
    schema: JsonValue = {"properties": {"a": {"type": "object", "required": {f"p{i}": "x" * 50 for i in range(999)}}}}

    assert all(len(error.message) < 120 for error in schema_errors(schema))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(schema_strategies.schemas(), st.data())
def test_a_schema_is_valid_exactly_where_the_reference_says_so(schema: dict[str, Any], data: st.DataObject) -> None:
    keyword = data.draw(st.sampled_from(["type", "minLength", "required", "properties", "items", "enum", "allOf"]))
    mutated = {**schema, keyword: data.draw(schema_strategies.values)}

    expected = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA).is_valid(mutated)

    assert (not schema_errors(mutated)) is expected
    refusal = compile_schema(mutated).refusal
    assert (refusal is not None and refusal.kind is RefusalKind.INVALID) is not expected


# Compiling


@each(
    ("schema", "kind", "pointer"),
    [
        ({"$schema": "http://json-schema.org/draft-04/schema#"}, RefusalKind.DIALECT, "/$schema"),
        ([], RefusalKind.INVALID, ""),
        ("{}", RefusalKind.INVALID, ""),
        ({"properties": {"a": {"type": "strnig"}}}, RefusalKind.INVALID, "/properties/a/type"),
        ({"properties": {"a": {"pattern": "(["}}}, RefusalKind.PATTERN, "/properties/a/pattern"),
        ({"patternProperties": {"([": {}}}, RefusalKind.PATTERN, "/patternProperties/(["),
        ({"pattern": "(?=a)(["}, RefusalKind.PATTERN, "/pattern"),
        ({"pattern": r"(?<n>a)\k<n>"}, RefusalKind.PATTERN, "/pattern"),
        ({"pattern": "a" * (effort.PATTERN_CHARACTERS + 1)}, RefusalKind.PATTERN, "/pattern"),
        ({"pattern": r"\p{L}{1,100000}"}, RefusalKind.PATTERN, "/pattern"),
        ({"properties": {"a": {"$ref": "#/$defs/none"}}}, RefusalKind.UNRESOLVED, "/properties/a/$ref"),
        ({"properties": {"a": {"$ref": "https://example.com/a"}}}, RefusalKind.REMOTE, "/properties/a/$ref"),
        ({"$ref": "other.json"}, RefusalKind.REMOTE, "/$ref"),
        ({"const": "\ud800"}, RefusalKind.TOO_LARGE, ""),
    ],
)
def test_a_schema_that_cannot_be_compiled_says_why(schema: JsonValue, kind: RefusalKind, pointer: str) -> None:
    compiled = compile_schema(schema)

    assert compiled.refusal is not None
    assert (compiled.refusal.kind, compiled.refusal.pointer) == (kind, pointer)
    assert instance_errors(compiled, 1).unknown == compiled.refusal.message


@pytest.mark.parametrize("keyword", ["properties", "items", "not", "allOf", "anyOf"])
def test_a_schema_as_deep_as_the_reader_allows_is_compiled_or_refused(keyword: str) -> None:
    outcome = judge(nested(keyword, 63), [])

    assert outcome.unknown is None


@each("keyword", ["properties", "items", "not", "allOf", "anyOf"])
@each("depth", [128, 1_000, 20_000])
def test_a_schema_deeper_than_that_is_refused_at_worst(keyword: str, depth: int) -> None:
    refusal = compile_schema(nested(keyword, depth)).refusal

    assert refusal is None or refusal.kind is RefusalKind.TOO_LARGE


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"properties": {"a": {"$ref": "#/properties/a"}}},
        {
            "allOf": [{"$ref": "#/$defs/a"}],
            "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}},
        },
        {"$dynamicRef": "#x", "$dynamicAnchor": "x"},
    ],
)
def test_a_reference_that_leads_to_itself_ends(schema: JsonValue) -> None:
    assert judge(schema, {"a": 1}) == Outcome()


def test_errors_are_not_placed_where_definitions_refer_to_each_other_for_one_value() -> None:
    each: JsonValue = {"allOf": [{"$ref": f"#/$defs/{name}"} for name in "abcdef"]}
    schema: JsonValue = {"required": ["z"], "$ref": "#/$defs/a", "$defs": dict.fromkeys("abcdef", each)}

    outcome = judge(schema, {})

    assert [error.message for error in outcome.errors] == ["the value does not match, but is too large to say where"]


def test_a_value_is_not_judged_where_many_references_lead_back_to_it() -> None:
    other: JsonValue = {"$ref": "#/$defs/b"}
    again: JsonValue = {"anyOf": [{"not": other}, other, other, other, other]}
    last: JsonValue = {"anyOf": [{"$ref": "#/$defs/a"}] * 100}

    outcome = judge({"$ref": "#/$defs/a", "$defs": {"a": again, "b": last}}, 1)

    assert outcome == Outcome(unknown="validation takes too many steps")


def test_schemas_are_compiled_by_content_and_not_by_identity() -> None:
    schema: dict[str, JsonValue] = {"type": "string"}
    before = compile_schema(schema)
    schema["type"] = "integer"

    after = compile_schema(schema)

    assert instance_errors(before, "a").is_valid
    assert not instance_errors(after, "a").is_valid
    assert compile_schema(copy.deepcopy(schema)) is after


def test_an_unchanged_schema_is_found_by_identity() -> None:
    schema: JsonValue = {"type": "string"}

    compiled = compile_shared(schema)

    assert compile_shared(schema) is compiled is compile_schema({"type": "string"})


def test_the_first_patterns_of_a_schema_are_checked_where_all_are_too_large_together() -> None:
    patterns = [Pattern(rf"^\p{{L}}{{1,200}}{index}$", "") for index in range(20)]

    unchecked = list(uncheckable_patterns(patterns))

    assert 0 < len(unchecked) < 20
    assert unchecked == patterns[-len(unchecked) :]


@pytest.mark.parametrize("draft", [{}, {"$schema": DRAFT_7}])
@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"$ref": "#/$defs/word"}}, "$defs": {"word": {"maxLength": 2}}},
        {"properties": {"a": {"items": {"$ref": "#"}, "maxLength": 2}}},
        {"properties": {"a": {"$ref": "#/properties/b"}, "b": {"maxLength": 2}}},
        {
            "$id": "https://example.com/x",
            "properties": {"a": {"$ref": "x#/$defs/word"}},
            "$defs": {"word": {"maxLength": 2}},
        },
        {"properties": {"a": {"$ref": "#/$defs/1"}, "b": {"maxLength": 2}}, "$defs": {"1": {"$ref": "#/properties/b"}}},
        {
            "properties": {
                "a": {"$id": "here", "allOf": [{"$ref": "#/$defs/word"}], "$defs": {"word": {"maxLength": 2}}}
            }
        },
    ],
)
def test_a_subschema_has_what_its_references_need(draft: dict[str, Any], schema: dict[str, Any]) -> None:
    whole = {**draft, **schema}
    compiled = compile_schema(whole, "/properties/a")

    assert instance_errors(compiled, "ab").is_valid
    assert [error.keyword for error in instance_errors(compiled, "abc").errors] == ["maxLength"]


@pytest.mark.parametrize("draft", [{}, {"$schema": DRAFT_7}])
@pytest.mark.parametrize(
    ("name", "pointer"), [("plain", "/properties/plain"), ("a b/ü%", "/properties/a b~1ü%"), ("$x", "/properties/$x")]
)
def test_a_subschema_judges_with_the_references_of_the_whole(draft: dict[str, str], name: str, pointer: str) -> None:
    schema: dict[str, Any] = {
        **draft,
        "properties": {name: {"allOf": [{"$ref": "#/definitions/word"}]}},
        "definitions": {"word": {"type": "string", "maxLength": 2}},
    }

    compiled = compile_schema(schema, pointer)

    assert instance_errors(compiled, "ab").is_valid
    assert [error.schema_pointer for error in instance_errors(compiled, "abc").errors] == [
        "/definitions/word/maxLength"
    ]


def test_a_subschema_of_a_draft_07_root_that_is_a_reference_is_reached() -> None:
    schema: JsonValue = {
        "$schema": DRAFT_7,
        "$ref": "#/definitions/a",
        "definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"type": "string"}},
    }

    assert not instance_errors(compile_schema(schema, "/definitions/a"), 1).is_valid


@pytest.mark.parametrize("draft", [{}, {"$schema": DRAFT_7}])
@pytest.mark.parametrize(
    "keyword", [{"format": "date"}, {"contentEncoding": "base64"}, {"contentMediaType": "application/json"}]
)
def test_formats_and_contents_are_annotations(draft: dict[str, Any], keyword: dict[str, Any]) -> None:
    assert judge({**draft, "properties": {"a": keyword}}, {"a": "%{"}).is_valid


# Judging


@each(
    ("schema", "value", "said"),
    [
        ({"type": ["null", "string"]}, 1, "the value is 1, not of type string or null"),
        ({"type": "integer"}, 1.5, "the value is 1.5, not of type integer"),
        ({"enum": ["a", 2, None]}, "b", 'the value is "b", not "a", 2 or null'),
        ({"enum": [*range(9)]}, 10, "the value is 10, not 0, 1, 2, 3, 4 or one of 4 more"),
        ({"const": {"a": 1}}, {}, 'the value is {}, not {"a": 1}'),
        ({"properties": {"limit": {"maximum": 50}}}, {"limit": 51}, "`limit` is 51, greater than the maximum of 50"),
        ({"minimum": 1}, 0, "the value is 0, less than the minimum of 1"),
        ({"exclusiveMinimum": 0}, 0, "the value is 0, not greater than 0"),
        ({"exclusiveMaximum": 0}, 0, "the value is 0, not less than 0"),
        ({"multipleOf": 3}, 4, "the value is 4, not a multiple of 3"),
        ({"minLength": 2}, "a", 'the value is "a", which has 1 character, fewer than the minimum of 2'),
        ({"maxLength": 1}, "ab", 'the value is "ab", which has 2 characters, more than the maximum of 1'),
        ({"pattern": r"^\d+$"}, "x", r'the value is "x", which does not match the pattern `^\d+$`'),
        ({"minItems": 2}, [1], "the value has 1 item, fewer than the minimum of 2"),
        ({"maxItems": 1}, [1, 2], "the value has 2 items, more than the maximum of 1"),
        ({"uniqueItems": True}, [1, 1.0], "the value contains the same item twice"),
        ({"contains": {"const": 1}}, [], "the value contains too few items that match `contains`"),
        ({"contains": {}, "maxContains": 1}, [1, 2], "the value contains too many items that match `contains`"),
        ({"minProperties": 1}, {}, "the value has fewer properties than the minimum of 1"),
        ({"required": ["a"]}, {}, "the value lacks the required property `a`"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "the value lacks the required property `b`"),
        ({"additionalProperties": False}, {"x": 1}, "`x` is a property that the schema does not allow"),
        (
            {"properties": {"a": {}}, "additionalProperties": False},
            {"x": 1},
            "`x` is a property that the schema does not allow",
        ),
        (
            {"properties": {"additionalProperties": False}},
            {"additionalProperties": 1},
            "`additionalProperties` is a value that the schema does not allow",
        ),
        ({"propertyNames": False}, {"x": 1}, "the value has a property name that `propertyNames` rejects"),
        ({"unevaluatedProperties": False}, {"x": 1}, "`x` is a property that the schema does not allow"),
        (
            {"propertyNames": {"maxLength": 1}},
            {"ab": 1},
            'the name of a property is "ab", which has 2 characters, more than the maximum of 1',
        ),
        ({"properties": {"a": False}}, {"a": 1}, "`a` is a value that the schema does not allow"),
        ({"prefixItems": [{}], "items": False}, [1, 2], "`[1]` is a value that the schema does not allow"),
        ({"not": {"type": "string"}}, "a", 'the value is "a", which `not` forbids'),
        ({"oneOf": [{}, True]}, 1, "the value is 1, which matches more than one alternative of `oneOf`"),
        ({"if": {}, "then": {"type": "null"}}, 1, "the value is 1, not of type null"),
    ],
)
def test_an_error_names_the_value_and_what_was_asked(schema: JsonValue, value: JsonValue, said: str) -> None:
    assert message(schema, value) == said


@pytest.mark.parametrize(
    ("branches", "value", "said"),
    [
        ([{"type": "null"}, {"type": "string"}], 1, "the value is 1, not of type string or null"),
        ([{"const": "a"}, {"enum": ["b", "c"]}], "d", 'the value is "d", not "a", "b" or "c"'),
        ([{"type": "null"}, {"const": 2}], 1, "the value is 1, not 2, nor of type null"),
        ([{"type": "null"}, {"type": "integer", "maximum": 3}], 7, "the value is 7, greater than the maximum of 3"),
        (
            [
                {"properties": {"kind": {"const": "a"}, "x": {"type": "string"}}},
                {"properties": {"kind": {"const": "b"}, "x": {"type": "integer"}}},
            ],
            {"kind": "b", "x": "1"},
            '`x` is "1", not of type integer',
        ),
        ([{"minimum": 5}, {"multipleOf": 2}], 1, "the value is 1, which matches none of the alternatives"),
    ],
)
@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_of_alternatives_the_one_that_was_meant_is_explained(
    keyword: str, branches: list[JsonValue], value: JsonValue, said: str
) -> None:
    assert message({keyword: branches}, value) == said


def test_errors_have_their_places_in_the_value_and_in_the_schema() -> None:
    schema: JsonValue = {
        "properties": {"tags": {"items": {"$ref": "#/$defs/tag"}}},
        "$defs": {"tag": {"type": "string"}},
    }

    (error,) = judge(schema, {"tags": ["a", 2]}).errors

    assert (error.pointer, error.schema_pointer, error.keyword) == ("/tags/1", "/$defs/tag/type", "type")
    assert error.message == "`tags[1]` is 2, not of type string"


def test_a_property_that_is_not_allowed_is_placed_at_itself() -> None:
    (error,) = judge({"additionalProperties": False}, {"a/b": 1}).errors

    assert error.pointer == "/a~1b"


def test_at_most_twenty_errors_are_kept_in_a_fixed_order_and_the_rest_is_counted() -> None:
    outcome = judge({"items": {"type": "string"}}, list(range(50)))

    assert [error.pointer for error in outcome.errors] == [f"/{index}" for index in range(20)]
    assert outcome.more == 30


def test_the_value_as_a_whole_is_called_as_the_caller_likes() -> None:
    outcome = instance_errors(compile_schema({"required": ["a"]}), {}, subject="the example")

    assert outcome.errors[0].message == "the example lacks the required property `a`"


def test_a_long_value_is_shortened() -> None:
    assert len(message({"type": "integer"}, ["x" * 50] * 1000)) < 120


@given(st.data(), st.booleans())
def test_verdicts_agree_with_those_of_the_reference(data: st.DataObject, draft_7: bool) -> None:
    schema = data.draw(schema_strategies.schemas(draft_7=draft_7))
    values = data.draw(st.lists(schema_strategies.values, min_size=3, max_size=8))
    kind = jsonschema.Draft7Validator if draft_7 else jsonschema.Draft202012Validator
    reference = kind(schema, registry=referencing.Registry())

    for value in values:
        outcome = judge(schema, value)

        assert outcome.unknown is None
        assert outcome.is_valid is reference.is_valid(value), value


@pytest.mark.parametrize(
    "value", ["a" * 100, "a" * 56 + '"' * 10, "\\" * 100, "a" + "\\" * 100, "\x01" * 40, "b\x01" * 40]
)
def test_a_text_that_is_cut_keeps_both_its_quotes(value: str) -> None:
    shown = shown_value(value)

    assert len(shown) <= 60
    assert value.startswith(json.loads(shown).removesuffix("…"))


def test_few_validators_of_large_patterns_are_kept_since_their_automata_are_large() -> None:
    def schema_of(index: int, patterns: int) -> JsonValue:
        counted: JsonValue = {f"p{n}": {"pattern": f"^a{{{20 * n}}}$"} for n in range(patterns)}
        return {"title": str(index), "properties": counted}

    small, large = compile_schema(schema_of(0, 2)), compile_schema(schema_of(0, 60))
    for index in range(1, 20):
        compile_schema(schema_of(index, 60))

    assert compile_schema(schema_of(0, 2)) is small
    assert compile_schema(schema_of(0, 60)) is not large


@each("name", ["Page[int]", "Größe", "a b", "Foo<Bar>", "a|b", 'a"b', "a{b}", "a\\b", "plain"])
def test_a_reference_that_is_not_percent_encoded_resolves(name: str) -> None:
    assert_resolves(name, "$defs")
    assert_resolves(name, "definitions")


def assert_resolves(name: str, place: str) -> None:
    dialect = "http://json-schema.org/draft-07/schema#" if place == "definitions" else None
    schema: Any = {place: {name: {"type": "string"}}, "items": {"$ref": f"#/{place}/{name}"}}
    compiled = compile_schema({"$schema": dialect, **schema} if dialect else schema)

    assert compiled.refusal is None
    assert instance_errors(compiled, ["text"]).is_valid
    assert not instance_errors(compiled, [1]).is_valid
