"""The strict form of a schema stays in the subset, and its valid arguments make a valid call of the contract."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.providers.changes import ChangeKind
from mcp_contracts.providers.merging import merge
from mcp_contracts.providers.skeleton import Bounds
from mcp_contracts.providers.strict import builder
from mcp_contracts.providers.strict.form import StrictForm, strict_form
from mcp_contracts.providers.strict.values import with_nulls, without_nulls
from mcp_contracts.schema.validation.validators import accepts, compile_schema, schema_errors
from tests.adapter_corpus import lists, needs_corpus, newest
from tests.schema_strategies import NAMES, schemas
from tests.strict_instances import faults, instances, typed_schemas
from tests.sweeps import size
from tests.tables import each

QUICK = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def tool(required: tuple[str, ...] = (), **properties: JsonValue) -> dict[str, JsonValue]:
    return {"type": "object", "properties": properties, "required": [*required]}


def form_of(schema: JsonValue) -> dict[str, Any]:
    found = strict_form(schema)
    assert found.schema is not None, found.refusals
    return found.schema


def kinds(form: StrictForm) -> set[tuple[str, str, str]]:
    return {(change.pointer, change.keyword, change.kind.value) for change in form.changes if change.is_loss}


def test_an_optional_property_becomes_required_and_nullable() -> None:
    form = strict_form(tool(("a",), a={"type": "string"}, b={"type": "integer", "minimum": 1}))

    assert form.schema == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": ["integer", "null"], "minimum": 1}},
        "required": ["a", "b"],
        "additionalProperties": False,
    }
    assert not form.losses
    assert form.absent == {"": frozenset({"b"})}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"enum": ["a", "b"]}, {"type": ["string", "null"], "enum": ["a", "b", None]}),
        ({"const": 3}, {"type": ["integer", "null"], "enum": [3, None]}),
        ({"type": ["string", "null"], "default": None}, {"type": ["string", "null"]}),
        ({"type": "array", "items": {"type": "string"}, "description": "All."},
         {"description": "All.", "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
         {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"type": ["string", "integer"], "pattern": "^a"},
         {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "integer"}, {"type": "null"}]}),
        ({"allOf": [{"type": "integer"}, {"minimum": 1}, {"minimum": 3}]}, {"type": ["integer", "null"], "minimum": 3}),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]},
         {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}),
        ({"type": "string", "anyOf": [{"pattern": "^a"}, {"format": "date"}]},
         {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "format": "date"}, {"type": "null"}]}),
        ({"type": "string", "enum": ["a", "bcd", 4, None], "maxLength": 1},
         {"type": ["string", "null"], "enum": ["a", None]}),
        ({"enum": ["a", 1]},
         {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer", "enum": [1]}, {"type": "null"}]}),
    ],
)  # fmt: skip
def test_what_can_be_said_in_the_subset_is_not_a_loss(schema: JsonValue, expected: JsonValue) -> None:
    form = strict_form(tool(x=schema))

    assert form.schema is not None
    assert form.schema["properties"] == {"x": expected}
    assert not form.losses


@pytest.mark.parametrize(
    ("schema", "words", "kind"),
    [
        ({"type": "string", "minLength": 2}, "At least 2 characters.", "widened"),
        ({"type": "string", "maxLength": 1, "description": "D."}, "D. At most 1 character.", "widened"),
        ({"type": "string", "pattern": "^(?!a)"}, "Must match the pattern `^(?!a)`.", "widened"),
        ({"type": "string", "format": "uri"}, "Format: uri.", "note"),
        ({"type": "string", "default": "x"}, 'Default: "x".', "note"),
        ({"type": "string", "examples": ["x", "y"]}, 'Examples: "x", "y".', "note"),
        ({"type": "string", "not": {"const": "x"}}, 'Must not match {"const": "x"}.', "widened"),
        ({"type": "integer", "if": {"minimum": 3}, "then": {"multipleOf": 2}},
         'If it matches {"minimum": 3}, then it must match {"multipleOf": 2}.', "widened"),
    ],
)  # fmt: skip
def test_what_the_subset_lacks_moves_into_the_description(schema: dict[str, Any], words: str, kind: str) -> None:
    form = strict_form(tool(("x",), x=schema))

    assert form_of(tool(("x",), x=schema))["properties"]["x"]["description"] == words
    assert {found for _, _, found in kinds(form)} == {kind}


def test_a_choice_whose_branches_may_overlap_is_a_loss() -> None:
    schema: JsonValue = {"oneOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "b$"}]}

    assert kinds(strict_form(tool(x=schema))) == {("/properties/x/oneOf", "oneOf", "widened")}


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_open_alternatives_that_could_hold_each_others_properties_are_a_loss(keyword: str) -> None:
    choice: JsonValue = {keyword: [tool(("a",), a={"type": "string"}), tool(("b",), b={"type": "integer"})]}

    form = strict_form(tool(("x",), x=choice))

    assert (f"/properties/x/{keyword}", "additionalProperties", "narrowed") in kinds(form)


@pytest.mark.parametrize(
    "branches",
    [
        [{**tool(a={"type": "string"}), "additionalProperties": False}, tool(a={"type": "integer"})],
        [tool(("k",), k={"const": "a"}, a={"type": "string"}), tool(("k",), k={"const": "b"}, b={"type": "string"})],
    ],
)
def test_alternatives_that_are_closed_or_exclude_each_other_lose_nothing(branches: list[JsonValue]) -> None:
    form = strict_form(tool(("x",), x={"anyOf": branches}))

    assert kinds(form) == set()


def test_annotations_that_a_merger_drops_are_losses() -> None:
    choice: JsonValue = {"allOf": [{"type": "string", "title": "A", "x-k": 1}, {"title": "B", "x-k": 2, "default": ""}]}

    form = strict_form({**tool(x=choice), "title": "R", "allOf": [{"title": "S"}]})

    assert kinds(form) == {
        ("/allOf", "title", "note"),
        ("/properties/x/allOf/1/title", "title", "note"),
        ("/properties/x/allOf/1/x-k", "x-k", "note"),
        ("/properties/x/x-k", "x-k", "note"),
        ("/properties/x/default", "default", "note"),
    }


def test_the_positions_of_a_tuple_become_text() -> None:
    pair: JsonValue = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False}

    found = form_of(tool(("x",), x=pair))["properties"]["x"]

    assert found["description"] == 'Its first items match, in this order: {"type": "string"}, {"type": "integer"}.'
    assert found["maxItems"] == 2


def test_a_title_next_to_a_reference_precedes_that_of_its_definition() -> None:
    schema: dict[str, JsonValue] = {
        **tool(x={"$ref": "#/$defs/n", "title": "Mine", "minLength": 2}),
        "$defs": {"n": {"type": "string", "title": "N"}},
    }

    assert form_of(schema)["properties"]["x"]["title"] == "Mine"


def test_words_next_to_a_reference_of_draft_7_are_kept() -> None:
    schema: dict[str, JsonValue] = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **tool(("x",), x={"$ref": "#/definitions/n", "description": "Where to.", "minLength": 9}),
        "definitions": {"n": {"type": "string"}},
    }

    assert form_of(schema)["properties"]["x"] == {"description": "Where to.", "anyOf": [{"$ref": "#/$defs/n"}]}


def test_what_may_be_null_or_left_out_is_written_as_null() -> None:
    form = strict_form(tool(x={"type": ["string", "null"], "default": None}))

    assert with_nulls(form, {}) == {"x": None}


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"type": "object", "additionalProperties": {"type": "string"}}, "/properties/x/additionalProperties"),
        ({"type": "object", "additionalProperties": True}, "/properties/x/additionalProperties"),
        ({"type": "object", "patternProperties": {"^a": {}}}, "/properties/x/patternProperties"),
        ({"type": "object"}, "/properties/x"),
        ({"description": "Anything."}, "/properties/x"),
        ({}, "/properties/x"),
        (True, "/properties/x"),
        ({"type": "array"}, "/properties/x"),
        ({"type": "array", "items": {}}, "/properties/x"),
        ({"anyOf": [{"type": "string"}, {}]}, "/properties/x/anyOf/1"),
        ({"$ref": "https://example.org/schema"}, "/properties/x/$ref"),
        ({"$ref": "#/$defs/gone"}, "/properties/x/$ref"),
    ],
)
def test_a_map_or_free_form_value_is_refused_with_its_pointer(schema: JsonValue, pointer: str) -> None:
    form = strict_form(tool(x=schema))

    assert form.schema is None
    assert [change.pointer for change in form.refusals] == [pointer]


@pytest.mark.parametrize("schema", [None, True, {}, {"type": "object"}, {"type": "object", "properties": {}}])
def test_a_tool_without_parameters_has_a_form(schema: JsonValue) -> None:
    empty = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}

    assert form_of(schema) == empty


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/root", "$defs": {"root": tool(a={"type": "string"})}},
        {"allOf": [tool(a={"type": "string"}), {"type": "object"}]},
        {**tool(a={"type": "string"}), "anyOf": [{"type": "object"}]},
        {"type": ["object", "null"], "properties": {"a": {"type": "string"}}},
    ],
)
def test_a_root_that_is_written_otherwise_becomes_a_plain_object(schema: JsonValue) -> None:
    form = strict_form(schema)

    assert form.schema is not None
    assert form.schema["properties"] == {"a": {"type": ["string", "null"]}}
    assert not form.losses


def test_alternatives_of_a_root_become_one_wide_object_and_a_loss() -> None:
    schema: JsonValue = {
        "type": "object",
        "properties": {"body": {"type": "string"}},
        "required": ["body"],
        "oneOf": [
            {"properties": {"issue": {"type": "integer"}}, "required": ["issue"]},
            {"properties": {"discussion": {"type": "integer"}}, "required": ["discussion"]},
        ],
    }

    form = strict_form(schema)

    assert form.schema is not None
    assert list(form_of(schema)["properties"]) == ["body", "issue", "discussion"]
    assert str(form.schema["description"]).startswith("Must match exactly one of: [{")
    assert kinds(form) == {("/oneOf", "oneOf", "widened"), ("/oneOf", "oneOf", "narrowed")}


def test_closed_alternatives_of_a_root_are_not_narrowed() -> None:
    branches: list[JsonValue] = [
        {"properties": {name: {"type": "string"}}, "additionalProperties": False} for name in ("issue", "discussion")
    ]

    form = strict_form({"type": "object", "anyOf": branches})

    assert form.schema is not None
    assert kinds(form) == {("/anyOf", "anyOf", "widened")}


def test_recursion_stays_a_reference_and_old_definitions_get_their_new_place() -> None:
    node = tool(next={"$ref": "#/definitions/node"}, value={"type": "string"})
    schema: JsonValue = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **tool(("head",), head={"$ref": "#/definitions/node"}),
        "definitions": {"node": node},
    }

    found = form_of(schema)

    assert found["properties"] == {"head": {"$ref": "#/$defs/node"}}
    assert found["$defs"]["node"]["properties"]["next"] == {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}


NULLABLE_NODES: list[dict[str, Any]] = [
    {"anyOf": [{"type": "null"}, tool(next={"$ref": "#/$defs/n"})]},
    {"oneOf": [tool(next={"$ref": "#/$defs/n"}), {"const": None}]},
    {**tool(next={"$ref": "#/$defs/n"}), "type": ["object", "null"]},
    {"type": ["object", "null"], "anyOf": [{"type": "null"}, tool(next={"$ref": "#/$defs/n"})]},
    {"anyOf": [{"type": "null"}, tool(next={"$ref": "#/$defs/other"})]},
    {"anyOf": [{"type": "null"}, tool(next={"$ref": "#/$defs/n"}), {"$ref": "#/$defs/n"}]},
]


@pytest.mark.parametrize("node", NULLABLE_NODES)
def test_a_null_that_a_definition_takes_inside_itself_stays_and_is_listed(node: dict[str, Any]) -> None:
    definitions: JsonValue = {"n": node, "other": {"$ref": "#/$defs/n"}}

    form = strict_form({**tool(("head",), head={"$ref": "#/$defs/n"}), "$defs": definitions})

    assert form.schema is not None
    narrowed = [pointer for pointer, _, kind in kinds(form) if kind == "narrowed"]
    assert [pointer.rpartition("/")[2] for pointer in narrowed] == ["next"]
    assert without_nulls(form, {"head": {"next": None}}) == {"head": {"next": None}}
    assert with_nulls(form, {"head": {}}) == {"head": {"next": None}}


@pytest.mark.parametrize(
    "node",
    [
        tool(next={"$ref": "#/$defs/n"}),
        {"properties": {"next": {"$ref": "#/$defs/n"}}},
        {"type": ["object", "null"], "anyOf": [tool(next={"$ref": "#/$defs/n"})]},
        {"allOf": [{"type": ["object", "null"]}, tool(next={"$ref": "#/$defs/n"})]},
        {"anyOf": [tool(next={"$ref": "#/$defs/n"}), {"type": "integer"}, {"$ref": "#/$defs/n"}]},
    ],
)
def test_a_null_that_a_definition_refuses_inside_itself_means_left_out(node: dict[str, Any]) -> None:
    form = strict_form({**tool(("head",), head={"$ref": "#/$defs/n"}), "$defs": {"n": node}})

    assert form.schema is not None
    assert without_nulls(form, {"head": {"next": None}}) == {"head": {}}
    assert accepts(compile_schema(form.schema), {"head": {"next": {"next": None}}})


@pytest.mark.parametrize(
    ("schema", "description"),
    [
        ({"items": {"type": "string"}, "unevaluatedItems": False}, None),
        ({"prefixItems": [{"type": "string"}], "items": {"type": "string"}, "unevaluatedItems": False},
         'Its first items match, in this order: {"type": "string"}.'),
        ({"prefixItems": [{"type": "string"}], "unevaluatedItems": False},
         'Its first items match, in this order: {"type": "string"}.'),
        ({"prefixItems": [{"type": "string"}], "contains": {"const": "x"}, "unevaluatedItems": False},
         'Its first items match, in this order: {"type": "string"}. Must contain at least 1 of {"const": "x"}.'
         ' Additional items must match false.'),
    ],
)  # fmt: skip
def test_words_about_further_items_appear_only_if_items_are_possible(
    schema: dict[str, Any], description: str | None
) -> None:
    form = strict_form(tool(("x",), x={"type": "array", **schema}))

    assert form_of(tool(("x",), x={"type": "array", **schema}))["properties"]["x"].get("description") == description
    is_narrowed = any(change.kind is ChangeKind.NARROWED for change in form.changes)
    assert is_narrowed is ("contains" in schema)


def test_a_reference_next_to_words_is_wrapped() -> None:
    schema: JsonValue = {
        **tool(("a",), a={"$ref": "#/$defs/n", "description": "D."}),
        "$defs": {"n": {"type": "string"}},
    }

    assert form_of(schema)["properties"]["a"] == {"description": "D.", "anyOf": [{"$ref": "#/$defs/n"}]}


def names(count: int) -> dict[str, JsonValue]:
    return {f"p{index}": {"type": "string"} for index in range(count)}


def nested(levels: int) -> JsonValue:
    schema: JsonValue = {"type": "string"}
    for _ in range(levels):
        schema = tool(("a",), a=schema)
    return schema


@pytest.mark.parametrize(
    ("schema", "is_taken"),
    [
        (nested(10), True),
        (nested(11), False),
        (tool((), **names(5_000)), True),
        (tool((), **names(5_001)), False),
        (tool(("x",), x={"enum": [*range(1_000)]}), True),
        (tool(("x",), x={"enum": [*range(1_001)]}), False),
        (tool(x={"enum": ["x" * 100 + str(index) for index in range(250)]}), False),  # null makes it one more
        (tool(("x",), x={"enum": ["x" * 100 + str(index) for index in range(250)]}), True),
        (tool(("x",), x={"enum": ["x" * 70_000, "y" * 70_000]}), False),
    ],
)
def test_each_published_limit_is_a_refusal(schema: JsonValue, is_taken: bool) -> None:
    assert (strict_form(schema).schema is not None) == is_taken


def test_a_schema_that_nests_too_deep_or_branches_too_much_is_refused_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "_BOUNDS", Bounds(80, 2_000, "the schema is too large"))
    wide: JsonValue = {"type": "string"}
    for index in range(9):
        wide = {"anyOf": [wide, wide], "allOf": [{"anyOf": [{"minLength": index}, {"maxLength": index}]}]}

    assert strict_form(nested(2_000)).refusals
    assert strict_form(tool(x=wide)).refusals


def test_null_means_left_out_only_where_the_contract_takes_no_null() -> None:
    schema = tool(("c",), a={"type": "string"}, b={"type": ["string", "null"]}, c={"type": ["string", "null"]})
    form = strict_form(schema)

    assert without_nulls(form, {"a": None, "b": None, "c": None}) == {"b": None, "c": None}
    assert kinds(form) == {("/properties/b", "required", "narrowed")}


def test_nulls_are_left_out_below_the_root_in_the_alternative_that_fits() -> None:
    first = tool(("kind",), kind={"const": "a"}, x={"type": "string"})
    second = tool(("kind",), kind={"const": "b"}, x={"type": ["string", "null"]})
    form = strict_form(tool(("items",), items={"type": "array", "items": {"anyOf": [first, second]}}))

    found = without_nulls(form, {"items": [{"kind": "a", "x": None}, {"kind": "b", "x": None}]})

    assert found == {"items": [{"kind": "a"}, {"kind": "b", "x": None}]}
    assert with_nulls(form, found) == {"items": [{"kind": "a", "x": None}, {"kind": "b", "x": None}]}


def test_alternatives_inside_alternatives_are_each_filled_once() -> None:
    again: JsonValue = {"$ref": "#/$defs/n"}
    node: JsonValue = {"anyOf": [tool(("a",), a=again), tool(("a",), a=again, b=again), {"type": "null"}]}
    form = strict_form({**tool(t=again), "$defs": {"n": node}})
    value: JsonValue = None
    for _ in range(40):
        value = {"a": value}

    found = with_nulls(form, {"t": value})

    assert without_nulls(form, found) == {"t": value}


def test_what_is_not_declared_stays_for_the_contract_to_judge() -> None:
    form = strict_form(tool(a={"type": "string"}))

    assert without_nulls(form, {"z": None, "a": [1]}) == {"z": None, "a": [1]}
    assert with_nulls(form, {"z": 1}) == {"a": None, "z": 1}


def holds(schema: JsonValue, data: st.DataObject) -> None:
    """The contract accepts everything that the strict form accepts, unless a constraint became text."""
    before = copy.deepcopy(schema)
    form = strict_form(schema)

    assert json.dumps(schema) == json.dumps(before)
    if form.schema is None:
        assert form.refusals
        return
    assert not list(faults(form.schema))
    assert not schema_errors(form.schema)
    if any(change.kind is ChangeKind.WIDENED for change in form.changes):
        return
    value = data.draw(instances(form.schema))
    strict = compile_schema(form.schema)
    if accepts(strict, value) is not True:
        return
    call = without_nulls(form, value)
    assert accepts(compile_schema(schema), call) is not False
    assert accepts(strict, with_nulls(form, call)) is True


@given(st.dictionaries(st.sampled_from(NAMES), schemas(), max_size=3), st.data())
@QUICK
def test_a_value_under_the_strict_form_of_random_properties_is_a_valid_call(
    properties: dict[str, Any], data: st.DataObject
) -> None:
    flat = {name: {key: part for key, part in schema.items() if key != "$defs"} for name, schema in properties.items()}
    definitions = next((schema["$defs"] for schema in properties.values() if "$defs" in schema), None)
    shared = {"$defs": definitions} if definitions else {}

    holds({**tool(("a",) if "a" in flat else (), **flat), **shared}, data)


@given(schemas(), st.data())
@QUICK
def test_a_value_under_the_strict_form_of_a_random_root_is_a_valid_call(schema: Any, data: st.DataObject) -> None:
    holds(schema, data)


@given(schemas(draft_7=True), st.data())
@QUICK
def test_a_value_under_the_strict_form_of_a_draft_7_root_is_a_valid_call(schema: Any, data: st.DataObject) -> None:
    holds(schema, data)


@given(typed_schemas(), st.data())
@QUICK
def test_a_value_under_the_strict_form_of_a_tool_as_people_write_it_is_a_valid_call(
    schema: Any, data: st.DataObject
) -> None:
    holds(schema, data)


@needs_corpus
@pytest.mark.parametrize("name", newest())
def test_a_value_under_the_strict_form_of_a_published_tool_is_a_valid_call(name: str) -> None:
    @given(st.data())
    @settings(QUICK, max_examples=size(40, 10))
    def hold(data: st.DataObject) -> None:
        for contract in lists()[name]:
            holds(contract.input_schema, data)

    hold()


@each(
    ("first", "second", "merged"),
    [
        ({"enum": [1, 2, 3]}, {"enum": [2, 3, 4]}, {"enum": [2, 3]}),
        ({"enum": [1]}, {"enum": [2]}, None),
        ({"const": 1}, {"enum": [1, 2]}, {"enum": [1]}),
    ],
)
def test_listed_values_of_two_schemas_are_merged(first: Any, second: Any, merged: Any) -> None:
    assert merge(first, second) == merged
