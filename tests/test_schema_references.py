"""A reference leads to a schema of the document, to nothing, or out of it, which is never followed."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
import referencing
import referencing.exceptions
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.schema.references import Reference, ReferenceState, follow, reference_targets, references
from mcp_contracts.schema.validation.validators import compile_schema
from mcp_contracts.schema.walk import subschemas
from tests.support_schemas import DRAFT_7
from tests.sweeps import size
from tests.tables import each

LOCAL, UNRESOLVED, REMOTE = ReferenceState.LOCAL, ReferenceState.UNRESOLVED, ReferenceState.REMOTE

WHOLE: dict[str, JsonValue] = {
    "$defs": {
        "city": {"type": "string"},
        "a b": {"type": "integer"},
        "a/b~c": {"type": "null"},
        "100%": {"type": "boolean"},
        "named": {"$anchor": "town"},
        "dynamic": {"$dynamicAnchor": "node"},
        "anything": True,
    },
    "definitions": {"old": {"$id": "#old-name"}},
    "components": {"schemas": {"Pet": {"properties": {"tail": {"$ref": "#/components/schemas/Tail"}}}}},
    "allOf": [{"type": "object"}],
}


def resolved(text: str, *, keyword: str = "$ref", base: str | None = None) -> Reference:
    """Return the target of a reference in the whole schema."""
    schema: dict[str, JsonValue] = {**WHOLE, "properties": {"here": {keyword: text}}, **({"$id": base} if base else {})}
    (reference,) = [found for found in references(schema) if found.pointer == f"/properties/here/{keyword}"]
    return reference


@each(
    ("text", "target"),
    [
        ("#", ""),
        ("#/$defs/city", "/$defs/city"),
        ("#/$defs/a%20b", "/$defs/a b"),
        ("#/$defs/a b", "/$defs/a b"),
        ("#/$defs/a~1b~0c", "/$defs/a~1b~0c"),
        ("#/$defs/100%25", "/$defs/100%"),
        ("#/%24defs/city", "/$defs/city"),
        ("#/definitions/old", "/definitions/old"),
        ("#/components/schemas/Pet", "/components/schemas/Pet"),
        ("#/allOf/0", "/allOf/0"),
        ("#/$defs/anything", "/$defs/anything"),
        ("#town", "/$defs/named"),
        ("#old-name", "/definitions/old"),
        ("#node", "/$defs/dynamic"),
    ],
)
def test_a_reference_into_the_document_leads_to_its_schema(text: str, target: str) -> None:
    reference = resolved(text)

    assert (reference.state, reference.target_pointer) == (LOCAL, target)


@pytest.mark.parametrize(
    "text",
    ["#/$defs/none", "#/$defs", "#/allOf/1", "#/allOf/x", "#/allOf", "#nowhere", "#/$defs/city/type", "#$defs/city"],
)
def test_a_reference_to_nothing_that_is_a_schema_is_unresolved(text: str) -> None:
    state = resolved(text).state

    # `#/$defs` and `#/allOf` are a map and a list, but a map is also an object, and so a schema without requirements.
    assert state is (LOCAL if text == "#/$defs" else UNRESOLVED)


@pytest.mark.parametrize(
    "text",
    ["https://example.com/a", "http://localhost/a#/b", "other.json", "other.json#/$defs/a", "file:///etc/passwd",
     "urn:a:b", "/absolute", "../up", "http://["],
)  # fmt: skip
def test_a_reference_out_of_the_document_is_remote(text: str) -> None:
    assert resolved(text).state is REMOTE


@pytest.mark.parametrize(
    ("draft", "text"),
    [
        ({"$schema": DRAFT_7}, "http://json-schema.org/draft-07/schema#"),
        ({}, "https://json-schema.org/draft/2020-12/schema"),
        ({}, "https://json-schema.org/draft/2020-12/meta/core"),
    ],
)
def test_the_meta_schema_of_the_dialect_is_at_hand_for_everyone(draft: dict[str, JsonValue], text: str) -> None:
    schema: JsonValue = {**draft, "properties": {"schema": {"$ref": text}}}

    assert [reference.state for reference in references(schema)] == [LOCAL]
    assert compile_schema(schema).refusal is None


def test_the_meta_schema_of_another_dialect_is_remote() -> None:
    schema: JsonValue = {"$ref": "http://json-schema.org/draft-07/schema#"}

    assert [reference.state for reference in references(schema)] == [REMOTE]
    assert compile_schema(schema).refusal is not None


def test_identifiers_set_the_base_of_what_is_below_them() -> None:
    schema: JsonValue = {
        "$id": "https://example.com/root",
        "properties": {
            "relative": {"$ref": "part"},
            "absolute": {"$ref": "https://example.com/part#/$defs/x"},
            "self": {"$ref": "https://example.com/root#/$defs/part"},
            "away": {"$ref": "https://example.com/else"},
        },
        "$defs": {"part": {"$id": "part", "items": {"$ref": "#/$defs/x"}, "$defs": {"x": {"$anchor": "here"}}}},
    }

    found = {reference.pointer: (reference.state, reference.target_pointer) for reference in references(schema)}

    assert found == {
        "/properties/relative/$ref": (LOCAL, "/$defs/part"),
        "/properties/absolute/$ref": (LOCAL, "/$defs/part/$defs/x"),
        "/properties/self/$ref": (LOCAL, "/$defs/part"),
        "/properties/away/$ref": (REMOTE, None),
        "/$defs/part/items/$ref": (LOCAL, "/$defs/part/$defs/x"),
    }


def test_an_anchor_belongs_to_the_nearest_identifier() -> None:
    schema: JsonValue = {"$ref": "#x", "$defs": {"a": {"$id": "a", "$defs": {"b": {"$anchor": "x"}}}}}

    assert [reference.state for reference in references(schema)] == [UNRESOLVED]


def test_a_dynamic_reference_finds_any_dynamic_anchor() -> None:
    schema: JsonValue = {"$dynamicRef": "#x", "$defs": {"a": {"$id": "a", "$dynamicAnchor": "x"}}}

    assert [(found.state, found.target_pointer) for found in references(schema)] == [(LOCAL, "/$defs/a")]


def test_a_property_named_like_a_keyword_is_not_a_reference() -> None:
    schema: JsonValue = {"properties": {"$ref": {"type": "string"}}, "required": ["$ref"], "enum": [{"$ref": "#/none"}]}

    assert references(schema) == ()


def test_a_reference_that_is_not_text_is_the_meta_schemas_matter() -> None:
    assert references({"$ref": {"type": "string"}}) == ()


def test_what_a_reference_leads_to_is_searched_as_well() -> None:
    schema: JsonValue = {**WHOLE, "$ref": "#/components/schemas/Pet"}

    assert [(found.pointer, found.state) for found in references(schema)] == [
        ("/$ref", LOCAL),
        ("/components/schemas/Pet/properties/tail/$ref", UNRESOLVED),
    ]


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("#/definitions/city", "#/$defs/city"),
        ("#/$defs/City", "#/$defs/city"),
        ("#/defs/old", "#/definitions/old"),
        ("#city", "#/$defs/city"),
        ("#/$defs/nothing", None),
        ("#", None),
    ],
)
def test_what_was_probably_meant_is_named(text: str, near: str | None) -> None:
    assert resolved(text).near == near


def test_targets_are_found_by_the_subschema_that_refers() -> None:
    schema: dict[str, Any] = {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"type": "string"}}, "not": {"$ref": "x"}}

    assert reference_targets(schema, subschemas(schema)) == {id(schema["items"]): {"type": "string"}}


def test_many_references_are_found_in_time() -> None:
    schema: JsonValue = {
        "properties": {f"p{index}": {"$ref": "#/$defs/a"} for index in range(3_000)},
        "$defs": {"a": {}},
    }

    assert len(references(schema)) == 3_000


@settings(max_examples=size(1_000, 40))
@given(st.text(max_size=6), st.text("#/$~%defsab01", max_size=12))
def test_a_reference_resolves_where_the_reference_implementation_resolves_it(name: str, text: str) -> None:
    schema: dict[str, Any] = {"$defs": {name: {"type": "string"}, "a": {}}, "properties": {"x": {"$ref": f"#{text}"}}}
    resolver = (
        referencing.Registry().with_resource("", referencing.jsonschema.DRAFT202012.create_resource(schema)).resolver()
    )
    try:
        expected = isinstance(resolver.lookup(f"#{text}").contents, dict | bool)
    except (referencing.exceptions.Unresolvable, ValueError, TypeError):
        expected = False

    (reference,) = references(schema)

    assert (reference.state is LOCAL) is expected


@pytest.mark.parametrize("draft", [{}, {"$schema": DRAFT_7}])
@pytest.mark.parametrize("text", ["#/$defs/a", "#/$defs/none", "#", "https://example.com/x", "other.json"])
def test_what_resolves_here_resolves_in_the_validators(draft: dict[str, Any], text: str) -> None:
    schema: dict[str, Any] = {**draft, "properties": {"x": {"$ref": text}}, "$defs": {"a": {}}}

    (reference,) = references(schema)

    assert (reference.state is LOCAL) is (compile_schema(schema).refusal is None)
    if reference.state is LOCAL:
        assert jsonschema.validators.validator_for(schema)(schema, registry=referencing.Registry()).is_valid({})


@given(
    st.recursive(st.none(), lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)), max_leaves=9)
)
def test_a_pointer_leads_to_every_member(value: Any) -> None:
    members = value.items() if isinstance(value, dict) else enumerate(value or ())

    for token, member in members:
        assert follow(value, f"/{escape(str(token))}") is member
