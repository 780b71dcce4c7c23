"""A schema read by its declared names accepts what callers send and consumers read, and states where it is inexact."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_contracts import compare_schemas
from mcp_contracts.comparison.declared.bounds import survives_dropping
from mcp_contracts.comparison.declared.matched_names import MatchedNames
from mcp_contracts.comparison.declared.places import PlaceTree
from mcp_contracts.comparison.declared.policy import Reading, as_callers_send, as_consumers_read
from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.decision import inclusion
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.validation.validators import compile_schema, instance_errors
from mcp_contracts.schema.walk import subschemas
from mcp_contracts.witnesses.confirm import confirm
from tests import inclusion_strategies
from tests.proofs.oracle import Names, Oracle
from tests.support_schemas import DRAFT_7
from tests.tables import each

TEXT: JsonValue = {"type": "string"}


def accepts(schema: JsonValue, value: JsonValue) -> bool | None:
    outcome = instance_errors(compile_schema(schema), value)
    return None if outcome.unknown is not None else outcome.is_valid


# Tables

LOOP: dict[str, JsonValue] = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "additionalProperties": False}
    },
}
CALLS: list[tuple[JsonValue, list[JsonValue], list[JsonValue]]] = [
    ({"type": "object"}, [{}], [{"a": 1}]),
    (True, [{}, 1, [{}]], [{"a": 1}, [{"a": 1}]]),
    ({"properties": {"a": TEXT}}, [{}, {"a": "x"}, 7], [{"b": 1}, {"a": 1}]),
    ({"required": ["a"], "dependentRequired": {"b": ["c"]}}, [{"a": 1, "b": 1, "c": 1}], [{"a": 1, "d": 1}]),
    ({"patternProperties": {"^x-": TEXT}}, [{"x-a": "b"}], [{"a": "b"}]),
    ({"type": "object", "additionalProperties": True}, [{"a": {"b": [{"c": 1}]}}], [1]),
    ({"type": "object", "additionalProperties": {"description": "free"}}, [{"a": {"b": 1}}], [1]),
    ({"properties": {"a": TEXT}, "additionalProperties": True}, [{"a": "x"}], [{"b": 1}]),
    ({"properties": {"a": TEXT}, "additionalProperties": {"type": "integer"}}, [{"a": "x", "b": 1}], [{"b": "x"}]),
    ({"additionalProperties": {"type": "object"}}, [{"a": {}}], [{"a": {"b": 1}}]),
    ({"anyOf": [{"properties": {"a": TEXT}}, {"properties": {"b": TEXT}}]}, [{"a": "x", "b": "y"}], [{"c": 1}]),
    ({"allOf": [{"properties": {"a": {"properties": {"b": TEXT}}}}, {"properties": {"a": {"required": ["c"]}}}]},
     [{"a": {"b": "x", "c": 1}}], [{"a": {"c": 1, "d": 1}}]),
    ({"not": {"required": ["z"]}}, [{}], [{"a": 1}, {"z": 1}]),
    ({"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}}, [{"a": 1, "b": 1}], [{"c": 1}]),
    ({"items": {"properties": {"a": TEXT}}}, [[{"a": "x"}]], [[{"b": 1}]]),
    ({"prefixItems": [{"required": ["a"]}], "items": {"required": ["b"]}},
     [[{"a": 1}, {"b": 1}]], [[{"a": 1, "b": 1}], [{"a": 1}, {"a": 1, "b": 1}]]),
    ({"const": {"a": {"b": 1}}}, [{"a": {"b": 1}}], [{"a": {}}]),
    ({**LOOP, "unevaluatedProperties": True}, [{}, {"next": {}}], [{"next": {"b": 1}}]),
    ({"$schema": DRAFT_7, "$ref": "#/definitions/a", "properties": {"b": True}, "definitions": {"a": {"properties": {
        "c": {"items": [{"required": ["d"]}], "additionalItems": {"required": ["e"]}}}}}},
     [{"c": [{"d": 1}, {"e": 1}]}], [{"b": 1}, {"c": [{"d": 1, "e": 1}]}]),
    ({"$ref": "#/components/b", "components": {"b": {"properties": {"c": TEXT}}}}, [{"c": "x"}], [{"d": 1}]),
    ({"patternProperties": {"^a": {"required": ["a"]}, "b$": {"required": ["b"]}}},
     [{"a": {"a": 1}}, {"ab": {"a": 1, "b": 1}}], [{"a": {"a": 1, "b": 1}}, {"b": {"a": 1, "b": 1}}, {"c": {}}]),
    ({"properties": {"ab": {"required": ["c"]}}, "patternProperties": {"^a": {}}},
     [{"ab": {"c": 1}, "a": {}}], [{"a": {"c": 1}}, {"ab": {"c": 1, "d": 1}}]),
    ({"properties": {"a": {"$ref": "#"}, "b": TEXT}}, [{"a": {"a": {"b": "x"}}}], [{"a": {"a": {"c": "x"}}}]),
]  # fmt: skip


@each(("schema", "sent", "not_sent"), CALLS)
def test_callers_send_the_names_that_a_place_declares(
    schema: JsonValue, sent: list[JsonValue], not_sent: list[JsonValue]
) -> None:
    reading = as_callers_send(schema)

    assert reading.inexact == ()
    assert [value for value in sent if not accepts(reading.schema, value)] == []
    assert [value for value in not_sent if accepts(reading.schema, value)] == []


READS: list[tuple[JsonValue, list[JsonValue], list[JsonValue]]] = [
    ({"properties": {"a": TEXT}, "additionalProperties": False}, [{"b": 1}, {"a": "x", "b": 1}], [{"a": 1}]),
    ({"properties": {"a": TEXT}, "unevaluatedProperties": False}, [{"b": 1}, {"ab": 1, "": 1}], [{"a": 1}]),
    ({"oneOf": [{"properties": {"a": TEXT}, "required": ["a"], "additionalProperties": False},
                {"properties": {"b": TEXT}, "required": ["b"], "additionalProperties": False}]},
     [{"a": "x", "c": 1}], [{"a": "x", "b": "y"}, {"c": 1}]),
    ({"properties": {"a": {"properties": {"b": TEXT}, "additionalProperties": False}}},
     [{"a": {"c": 1}}, {"c": 1}], [{"a": {"b": 1}}]),
    ({"properties": {"a": TEXT, "b": TEXT}, "propertyNames": {"const": "a"}}, [{"c": 1}], [{"b": "x"}]),
    ({"properties": {"a": TEXT, "b": TEXT}, "maxProperties": 1}, [{"a": "x", "c": 1, "d": 1}], [{"a": "x", "b": "y"}]),
    ({"properties": {"a": TEXT}, "additionalProperties": False, "minProperties": 1}, [{"a": "x", "c": 1}], [{"c": 1}]),
    ({"properties": {"a": TEXT}, "minProperties": 1}, [{"a": "x"}, {"c": 1}], [{}]),
    ({"const": {"a": 1}}, [{"a": 1, "b": 1}], [{"a": 2}, {"b": 1}]),
    ({"enum": [{"a": 1}, {}], "unevaluatedProperties": False}, [{"b": 1}], [{"a": 1}]),
    ({"enum": [{"a": 1}, [{"b": 1}], "x"]}, [{"a": 1, "b": 1}, [{"b": 1, "c": 1}], "x"], [[], [{"c": 1}], "y"]),
    ({"additionalProperties": {"type": "integer"}, "maxProperties": 1}, [{"a": 1}], [{"a": "x"}, {"a": 1, "b": 1}]),
    ({"type": "object", "additionalProperties": True, "maxProperties": 1}, [{"a": 1}], [{"a": 1, "b": 1}]),
    ({"patternProperties": {"^x": TEXT}, "additionalProperties": False}, [{"a": 1}], [{"x": 1}]),
    ({"allOf": [{"patternProperties": {"^x": True}}, {"properties": {"a": True}, "additionalProperties": False}]},
     [{"a": 1, "b": 1}], [{"x": 1}]),
    ({"$schema": DRAFT_7, "items": [{}], "additionalItems": {"properties": {"a": TEXT}, "additionalProperties": False}},
     [[1, {"b": 1}]], [[1, {"a": 1}]]),
    (LOOP, [{"next": {"b": 1}, "c": 1}], [{"next": 1}]),
    ({"$id": "https://example.com/a", "items": {"$ref": "a#b"}, "$defs": {
        "b": {"$anchor": "b", "properties": {"c": TEXT}, "additionalProperties": False}}}, [[{"d": 1}]], [[{"c": 1}]]),
    ({"items": {"$dynamicRef": "#b"}, "$defs": {
        "b": {"$dynamicAnchor": "b", "properties": {"c": TEXT}, "additionalProperties": False}}},
     [[{"c": "x", "d": 1}]], [[{"c": 1}]]),
    ({"$ref": "#/components/b", "components": {"b": {"properties": {"c": TEXT}, "additionalProperties": False}}},
     [{"d": 1}], [{"c": 1}]),
    ({"patternProperties": {"^a": TEXT}, "properties": {"b": TEXT}, "unevaluatedProperties": False},
     [{"c": 1}, {"a": "x", "b": "y", "ba": 1}], [{"a": 1}, {"b": 1}]),
    ({"patternProperties": {"^a": {"required": ["a"], "maxProperties": 1}, "b$": {"required": ["b"]}}},
     [{"a": {"a": 1, "b": 1}}], [{"ab": {"a": 1, "b": 1}}, {"a": {"b": 1}}]),
    ({"anyOf": [{"properties": {"a": TEXT}, "additionalProperties": False},
                {"additionalProperties": {"minLength": 1}, "required": ["a"]},
                {"properties": {"b": {"required": ["c"]}}, "required": ["a", "b"]}]},
     [{"a": "x", "b": "y"}], [{"b": {}}]),
    ({"not": {"patternProperties": {"^x": TEXT}}}, [{"x": 1}], [1, {}, {"y": 1}, {"x": "y"}]),
    ({"not": {"patternProperties": {"^x": TEXT}}, "properties": {"xy": {}}}, [{"xy": 1}], [{"xy": "z"}]),
    ({"$schema": DRAFT_7, "definitions": {"a": {"properties": {"b": TEXT}, "additionalProperties": False}},
      "items": [{"$ref": "#/definitions/a", "maxProperties": 0}]}, [[{"c": 1, "b": "x"}]], [[{"b": 1}]]),
]  # fmt: skip


@each(("schema", "read", "not_read"), READS)
def test_consumers_read_past_the_names_that_a_place_does_not_declare(
    schema: JsonValue, read: list[JsonValue], not_read: list[JsonValue]
) -> None:
    reading = as_consumers_read(schema)

    assert reading.inexact == ()
    assert [value for value in read if not accepts(reading.schema, value)] == []
    assert [value for value in not_read if accepts(reading.schema, value)] == []


def test_both_validators_read_the_pattern_of_names_that_are_not_declared() -> None:
    closed: JsonValue = {"properties": {"a-b": TEXT, "😀": TEXT}, "unevaluatedProperties": False}

    read = as_consumers_read(closed).schema

    assert confirm(read, False, {"a-": 1, "-": 1, "😀😀": 1}).is_confirmed
    assert confirm(True, read, {"😀": 1}).is_confirmed


@pytest.mark.parametrize(
    "schema",
    [
        True,
        False,
        7,
        TEXT,
        {"type": "array", "items": TEXT},
        {"properties": {"a": TEXT}, "propertyNames": {"description": "any name"}},
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"type": "strnig"},
        {"properties": {"a": TEXT}, "minProperties": 1},
        {"type": "array", "items": {"required": ["a"]}, "uniqueItems": True},
        {"$ref": "#/nowhere"},
        {"$ref": "https://example.com/a"},
        {"$schema": "http://json-schema.org/draft-04/schema#"},
        {"properties": 7},
    ],
)
def test_what_need_not_change_or_cannot_be_read_stays_unchanged(schema: JsonValue) -> None:
    assert as_consumers_read(schema).schema is schema
    if compile_schema(schema).refusal is not None:
        assert as_callers_send(schema).schema is schema


def test_closed_objects_need_not_change_for_callers() -> None:
    closed: JsonValue = {"type": "object", "properties": {"a": TEXT, "b": LOOP}, "additionalProperties": False}

    assert as_callers_send(closed) == Reading(closed)


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"items": {"required": ["a"], "maxProperties": 0}, "uniqueItems": True}, "/uniqueItems"),
        ({"patternProperties": {"^a": True, "b$": True}, "maxProperties": 3}, "/maxProperties"),
        ({"patternProperties": {"^(?!b)a": True}, "unevaluatedProperties": False}, "/unevaluatedProperties"),
        ({"prefixItems": [{"required": ["a"]}], "contains": {"required": ["b"]}}, "/contains"),
        (
            {
                "anyOf": [
                    {"properties": {"a": TEXT}, "additionalProperties": False},
                    {"additionalProperties": {"minLength": 1}, "required": ["a"]},
                    {"patternProperties": {"^(?!c)b": {}, "b$": {}}, "required": ["a"]},
                ]
            },
            "/anyOf/1/additionalProperties",
        ),
    ],
)
def test_what_consumers_cannot_be_read_exactly_by_is_named(schema: JsonValue, pointer: str) -> None:
    assert as_consumers_read(schema).inexact == (pointer,)


def test_what_could_not_be_expressed_is_bounded_from_both_sides_under_a_negation() -> None:
    schema: JsonValue = {"not": {"items": {"required": ["a"]}, "uniqueItems": True}, "items": {"required": ["a"]}}
    equal_once_dropped: JsonValue = [{"a": 1, "z": 1}, {"a": 1, "z": 2}]

    reading = as_consumers_read(schema)

    assert reading.inexact == ("/not/uniqueItems",)
    assert accepts(reading.schema, equal_once_dropped)
    assert not accepts(reading.schema, [{"a": 1}])
    assert not accepts(reading.proving, equal_once_dropped)


INEXACT: dict[str, tuple[JsonValue, JsonValue, JsonValue]] = {
    # a schema, a value that it accepts once names are dropped, and one that it still rejects
    "items equal but for what is dropped": (
        {"items": {"required": ["a"], "maxProperties": 1}, "uniqueItems": True},
        [{"a": 1, "z": 1}], [{"a": 1}, {"a": 1}],
    ),
    "counts beside a pattern": (
        {"patternProperties": {"^a": True, "b$": True}, "maxProperties": 1}, {"ab": 1}, {"a": 1, "ab": 1},
    ),
    "at least so many beside a pattern": (
        {"patternProperties": {"^a": True}, "minProperties": 2, "maxProperties": 3}, {"a": 1, "aa": 1}, {"a": 1},
    ),
    "unevaluated beside a pattern": (
        {"patternProperties": {"^(?!b)a": True}, "unevaluatedProperties": False, "required": ["a"]}, {"a": 1}, {},
    ),
    "contains beside a position": (
        {"prefixItems": [{"required": ["a"]}], "contains": {"required": ["b"]}}, [{"a": 1, "b": 1}], [{"b": 1}],
    ),
    "contains at most so many beside a position": (
        {"prefixItems": [{"required": ["a"]}], "contains": {"required": ["b"]}, "maxContains": 1},
        [{"a": 1}, {"b": 1}], [{"b": 1}],
    ),
    "two patterns that cannot be told apart": (
        {"patternProperties": {"^(?!b)a": {"required": ["a"]}, "b$": {"required": ["b"]}}, "required": ["ab"]},
        {"ab": {"a": 1, "b": 1}}, {},
    ),
    "more branches than are held against each other": (
        {
            "patternProperties": {"^b": True, "c$": True}, "maxProperties": 3,
            "oneOf": [{"required": [f"a{index}"]} for index in range(17)],
        },
        {"a0": 1}, {"a0": 1, "a1": 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", INEXACT)
def test_an_inexact_reading_has_one_that_proves_what_is_compatible(case: str) -> None:
    schema, accepted, refused = INEXACT[case]

    reading = as_consumers_read(schema)

    assert reading.inexact
    assert accepts(reading.schema, accepted)
    assert accepts(reading.proving, accepted)
    assert not accepts(reading.proving, refused)


@each("keyword", ["minProperties", "uniqueItems", "not", "if", "oneOf", "maxContains", None])
def test_only_counts_and_negations_may_refuse_what_is_left_of_a_value(keyword: str | None) -> None:
    tree = PlaceTree({"items": {} if keyword is None else {keyword: 1}}, Dialect.DRAFT_2020_12)

    assert survives_dropping(tree, "") is (keyword is None)


def test_patterns_that_no_name_matches_together_are_read_exactly() -> None:
    schema: JsonValue = {"patternProperties": {"^a": {"required": ["a"]}, "^b": {"required": ["b"]}}}

    assert as_callers_send(schema).inexact == ()
    assert as_consumers_read(schema).inexact == ()
    assert as_consumers_read(schema).proving is None


def test_equal_items_may_differ_once_names_are_dropped_at_their_positions() -> None:
    reading = as_consumers_read({"prefixItems": [{"required": ["a"]}], "uniqueItems": True})

    assert reading.inexact == ("/uniqueItems",)
    assert accepts(reading.schema, [{"a": 1}, {"a": 1}])
    assert not accepts(reading.proving, [{"a": 1}, {"a": 1}])


@each("patterns", [["^(?!b)a", "b$"], ["^a", "b$", "c", "d"], [r"^(a)\1", "b$"]])
def test_indistinguishable_overlapping_patterns_are_inexact_for_callers(patterns: list[str]) -> None:
    schema: JsonValue = {"patternProperties": {pattern: {"required": ["a"]} for pattern in patterns}}

    assert as_callers_send(schema).inexact == tuple(sorted(f"/patternProperties/{pattern}" for pattern in patterns))


def test_past_the_bounds_no_break_can_be_shown() -> None:
    deep: JsonValue = {"properties": {"a": TEXT}, "additionalProperties": False}
    for _ in range(110):
        deep = {"properties": {"a": deep}, "additionalProperties": False}
    open_below: JsonValue = {"items": deep, "required": ["b"]}

    assert as_callers_send(open_below) == Reading(False, ("",))
    assert as_consumers_read(open_below) == Reading(True, ("",))


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"properties": {"a": {"$ref": "https://json-schema.org/draft/2020-12/schema"}}}, "/properties/a/$ref"),
        (
            {"$dynamicRef": "#a", "$defs": {"b": {"$dynamicAnchor": "a"}, "c": {"$id": "c", "$dynamicAnchor": "a"}}},
            "/$dynamicRef",
        ),
        ({"items": {"properties": {f"a{index}": TEXT for index in range(6_000)}}}, ""),
        ({"prefixItems": [{"required": ["a"]}] * 60}, ""),
    ],
)
def test_what_cannot_be_followed_shows_no_break_either(schema: JsonValue, pointer: str) -> None:
    assert as_callers_send(schema) == Reading(False, (pointer,))
    assert as_consumers_read(schema) == Reading(True, (pointer,))


def test_names_that_a_closed_object_refuses_itself_are_refused_where_names_are_judged_apart() -> None:
    closed: JsonValue = {"type": "object", "properties": {"b": TEXT}, "additionalProperties": False}

    read = as_callers_send({"type": "object", "properties": {"a": closed}}, is_judged_apart=True).schema

    assert accepts(read, {"a": {"b": 1}})
    assert not accepts(read, {"a": {"b": 1, "c": 1}})


@pytest.mark.parametrize(
    ("old", "new", "answer"),
    [
        ({"properties": {"a": TEXT}}, {"properties": {"a": TEXT, "b": TEXT}}, "yes"),
        ({"properties": {"a": TEXT}}, {"properties": {"a": TEXT}, "additionalProperties": False}, "yes"),
        ({"properties": {"a": TEXT}}, {"properties": {"b": TEXT}, "additionalProperties": False}, "no"),
        ({"properties": {"a": TEXT}}, {"properties": {"a": TEXT, "b": TEXT}, "required": ["b"]}, "no"),
        ({"properties": {"a": {}}}, {"properties": {"a": {"properties": {"b": TEXT}}}}, "yes"),
    ],
)
def test_an_input_is_compared_by_what_callers_send(old: JsonValue, new: JsonValue, answer: str) -> None:
    assert inclusion(as_callers_send(old).schema, new).answer == answer


@pytest.mark.parametrize(
    ("old", "new", "answer"),
    [
        ({"properties": {"a": TEXT}, "additionalProperties": False}, {"properties": {"a": TEXT, "b": TEXT}}, "yes"),
        ({"properties": {"a": TEXT}, "required": ["a"]}, {"properties": {"a": TEXT}}, "no"),
        ({"properties": {"a": TEXT}, "additionalProperties": False}, {"properties": {"a": {"type": "null"}}}, "no"),
        ({"items": {"const": {"a": 1}}}, {"items": {"required": ["a", "b"], "properties": {"a": {"const": 1}}}}, "no"),
    ],
)
def test_an_output_is_compared_by_what_consumers_read(old: JsonValue, new: JsonValue, answer: str) -> None:
    assert inclusion(new, as_consumers_read(old).schema).answer == answer


def test_every_subschema_names_its_origin() -> None:
    schema: JsonValue = {
        "properties": {"a/b": {"$ref": "#/$defs/c"}},
        "$defs": {"c": {"required": ["d"], "additionalProperties": False, "properties": {"d": TEXT}}},
    }

    found = {
        node.value["x-origin"]: node.value.get("type")
        for reading in (as_callers_send(schema), as_consumers_read(schema))
        for node in subschemas(reading.schema)
        if "x-origin" in node.value
    }

    assert found["/$defs/c/properties/d"] == "string"
    assert {"", "/properties/a~1b", "/$defs/c"} <= set(found)


def test_a_recursive_schema_gives_few_definitions() -> None:
    reading = as_consumers_read(LOOP)

    assert isinstance(reading.schema, dict)
    assert len(reading.schema["$defs"]) == 1  # type: ignore[arg-type]


DECLARING: list[tuple[str, JsonValue]] = [
    ("a b", {"properties": {"a": TEXT, "b": False}}),
    ("a ab", {"patternProperties": {"^a": TEXT}}),
    ("a b", {"required": ["a"], "allOf": [{"required": ["b"]}]}),
    ("a b", {"dependentRequired": {"a": ["b"]}}),
    ("a b", {"dependentSchemas": {"a": {"properties": {"b": TEXT}}}}),
    ("a b ab", {"dependencies": {"a": ["b"], "b": {"required": ["ab"]}}}),
    ("a b", {"anyOf": [{"const": {"a": 1}}, {"enum": [1, {"b": 1}]}]}),
    ("a b ab c", {"properties": {"a": TEXT}, "additionalProperties": {"type": "integer"}}),
    ("a b ab c", {"allOf": [{"properties": {"a": TEXT}}, {"unevaluatedProperties": {"type": "string"}}]}),
    ("a b ab c", {"additionalProperties": True}),
    ("a", {"required": ["a"], "additionalProperties": True}),
    ("a b ab", {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["ab"]}}),
    ("", {"then": {"required": ["b"]}, "else": {"required": ["ab"]}}),
    ("", {"not": {"required": ["a"], "properties": {"b": TEXT}}}),
    ("", {"propertyNames": {"enum": ["a"]}, "minProperties": 1, "maxProperties": 2}),
    ("a", {"not": {"required": ["b"]}, "minProperties": 1, "allOf": [{"required": ["a"]}]}),
]


@each(("names", "schema"), DECLARING)
def test_each_keyword_declares_the_names_that_the_documentation_says(names: str, schema: JsonValue) -> None:
    found = [name for name in ("a", "b", "ab", "c") if Names(Oracle(schema)).read({name: 1})]
    tree = PlaceTree(schema, Dialect.DRAFT_2020_12)

    assert found == names.split()
    assert [name for name in ("a", "b", "ab", "c") if tree.declares(tree.root, name)] == found


NOT_B: dict[str, JsonValue] = {"required": ["a"], "not": {"required": ["b"]}, "minProperties": 1}


@each(
    ("old", "new", "verdict"),
    [
        ({"required": ["a"]}, {}, "breaking"),
        (NOT_B, {"required": ["a"], "not": {"required": ["c"]}, "minProperties": 1}, "compatible"),
        (NOT_B, {"required": ["a"]}, "compatible"),
        (NOT_B, {"not": {"required": ["b"]}, "minProperties": 1}, "breaking"),
        ({**NOT_B, "properties": {"b": {}}}, {"required": ["a"], "minProperties": 1}, "breaking"),
        (
            {"properties": {"a": {"unevaluatedItems": {"properties": {"b": TEXT}}}}},
            {"properties": {"a": {"unevaluatedItems": {"properties": {"b": {}}}}}},
            "breaking",
        ),
        (
            {"properties": {"a": {}}, "additionalProperties": {"type": "string"}},
            {"additionalProperties": {"anyOf": [{"type": ["object"], "required": ["b"]}]}},
            "breaking",
        ),
    ],
)
def test_consumers_rely_on_what_is_required_and_not_on_what_is_negated(
    old: dict[str, JsonValue], new: dict[str, JsonValue], verdict: str
) -> None:
    schemas = ({"type": "object", **one} for one in (old, new))

    assert compare_schemas(*schemas, direction="output", policy="declared").verdict == verdict


# Laws

MODEST = settings(suppress_health_check=[HealthCheck.too_slow], database=None)
NAMES = (*inclusion_strategies.NAMES, "z")
wide_values: st.SearchStrategy[Any] = st.recursive(
    inclusion_strategies.scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)),
    max_leaves=6,
)
pairs = st.booleans().flatmap(
    lambda draft_7: st.tuples(inclusion_strategies.schemas(draft_7=draft_7), st.lists(wide_values, max_size=6))
)


def projected(schema: Any, value: Any) -> Any:
    return Names(Oracle(schema)).read(value)


def judged(schema: Any, more: list[Any]) -> Iterator[tuple[Any, bool]]:
    """Return values with the verdicts of a schema, if known."""
    for value in inclusion_strategies.near_values(schema) + more:
        said = accepts(schema, value)
        if said is not None:
            yield value, said


@MODEST
@given(pairs)
def test_callers_send_what_the_schema_accepts_with_only_declared_names(pair: tuple[Any, list[Any]]) -> None:
    schema, more = pair
    reading = as_callers_send(schema)

    for value, is_accepted in judged(schema, more):
        expected = is_accepted and projected(schema, value) == value
        found = accepts(reading.schema, value)
        assert found is None or (found <= expected if reading.inexact else found == expected), (value, found)


@MODEST
@given(pairs)
def test_consumers_read_what_the_schema_accepts_without_other_names(pair: tuple[Any, list[Any]]) -> None:
    schema, more = pair
    reading = as_consumers_read(schema)

    for value, is_accepted in judged(schema, more):
        expected = is_accepted or bool(accepts(schema, projected(schema, value)))
        found = accepts(reading.schema, value)
        assert found is None or (found >= expected if reading.inexact else found == expected), (value, found)


@MODEST
@given(pairs, st.sampled_from([as_callers_send, as_consumers_read]))
def test_a_reading_read_again_means_the_same(pair: tuple[Any, list[Any]], read: Any) -> None:
    schema, more = pair
    once = read(schema)
    again = read(once.schema)

    if not once.inexact and not again.inexact:
        for value, is_accepted in judged(once.schema, more):
            assert accepts(again.schema, value) in (is_accepted, None), value


@MODEST
@given(pairs)
def test_most_readings_are_exact_and_all_of_them_compile(pair: tuple[Any, list[Any]]) -> None:
    schema, _ = pair
    if compile_schema(schema).refusal is None:
        for reading in (as_callers_send(schema), as_consumers_read(schema)):
            assert compile_schema(reading.schema).refusal is None
            assert reading.inexact != ("",)


@pytest.mark.parametrize(("count", "is_read"), [(1_000, True), (2_000, False)])
def test_listed_objects_are_read_up_to_a_number_of_subschemas(count: int, is_read: bool) -> None:
    schema: JsonValue = {"enum": [{f"p{name}": index for name in range(10)} for index in range(count)]}

    read = as_consumers_read(schema)

    assert (read.inexact == ()) is is_read
    assert (read == Reading(True, ("",))) is not is_read


def branches(count: int, **more: JsonValue) -> JsonValue:
    """Return branches with one property each, and their statements about others."""
    return {"anyOf": [{"properties": {f"p{index}": TEXT}, **more} for index in range(count)]}


def test_closed_branches_are_not_asked_for_the_names_of_others() -> None:
    budget = Budget(1_000)

    read = as_callers_send(branches(1_000, unevaluatedProperties=False), MatchedNames(budget))

    assert read.inexact == ()
    assert budget.spent == 0


def test_branches_that_may_say_something_of_all_names_are_asked_within_a_budget() -> None:
    schema = branches(400, patternProperties={"^x": TEXT})

    assert as_callers_send(schema, MatchedNames(Budget(1_000))) == Reading(False, ("",))
    assert as_callers_send(schema, MatchedNames(Budget(20_000))).inexact == ()


@pytest.mark.parametrize("keyword", ["properties", "patternProperties"])
@pytest.mark.parametrize("read", [as_callers_send, as_consumers_read])
def test_references_inside_a_negation_lead_to_schemas_of_the_reading(
    read: Callable[[Any], Reading], keyword: str
) -> None:
    held: dict[str, Any] = {keyword: {"x": {"$ref": "#/$defs/A"}}, "required": ["x"]}
    schema = {"type": "object", "properties": {"a": True}, "not": held, "$defs": {"A": {"type": "integer"}}}

    found = read(schema).schema

    assert found != schema
    assert compile_schema(found).refusal is None
