"""The rules about properties, references and patterns, and about the values that schemas allow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mcp_contracts.contract import (
    JsonValue,
    SchemaOrigin,
)
from mcp_contracts.rules.base import Rule, ToolSchema
from mcp_contracts.rules.schemas.names import name_of
from mcp_contracts.rules.schemas.properties import (
    array_without_items,
    property_without_description,
    property_without_type,
)
from mcp_contracts.rules.schemas.references import (
    invalid_pattern,
    pattern_not_checkable,
    pattern_refused_in_unicode_mode,
    remote_reference,
    unresolved_reference,
)
from mcp_contracts.rules.schemas.required import required_property_undefined
from mcp_contracts.rules.schemas.siblings import description_of_another_property
from mcp_contracts.rules.schemas.values import unsatisfiable_schema, value_refused_by_own_schema
from tests.support_schemas import (
    DRAFT_7,
    found,
    messages,
    one,
    pointers,
    schema_part,
    tool_schema,
    with_properties,
)
from tests.tables import each

TEXT: JsonValue = {"type": "string"}
NUMBER: JsonValue = {"type": "number"}
DATE: JsonValue = {"type": "string", "format": "date"}
OR_NULL: JsonValue = {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}
FLAG_OR_TEXT: JsonValue = {"type": ["boolean", "string"], "default": False}
BOAT: JsonValue = {"$ref": "#/$defs/boat"}
BOATS: JsonValue = {"type": "array", "items": {"anyOf": [BOAT, {"properties": {"raft": {"const": 1}}}]}}
SAID: JsonValue = {"type": "number", "description": "Said."}

# Properties


def test_a_required_name_that_nothing_defines_is_reported() -> None:
    schema = tool_schema({"type": "object", "properties": {"city": {}}, "required": ["citty", "days"]})

    assert messages(required_property_undefined, schema) == [
        "`citty` is required but not defined",
        "`days` is required but not defined",
    ]
    assert [finding.hint for finding in found(required_property_undefined, schema)] == [
        "write `city`",
        "define it under `properties`, or remove it from `required`",
    ]
    assert pointers(required_property_undefined, schema) == ["/required/0", "/required/1"]


@each(
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


def test_a_nested_required_name_is_reported_with_its_object() -> None:
    schema = with_properties(filter={"type": "array", "items": {"type": "object", "required": ["kind"]}})

    assert messages(required_property_undefined, schema) == ["`kind` is required but not defined in `filter[]`"]


def unclear(schema: ToolSchema) -> list[str]:
    """Return the messages of MC305, with a message for each property of a finding about most of a schema."""
    each_of = (
        [f"property {one.message} has no description" for one in finding.related] or [finding.message]
        for finding in found(property_without_description, schema)
    )
    return [message for several in each_of for message in several]


def test_parts_of_a_point_a_size_or_a_color_need_no_description() -> None:
    number: JsonValue = {"type": "number"}
    text: JsonValue = {"type": "string"}
    schema = with_properties(
        **dict.fromkeys(("x", "y", "z", "width", "height"), number),
        color={"description": "A color.", "properties": dict.fromkeys(("red", "green", "blue", "alpha"), number)},
    )
    others = with_properties(
        x=number,
        red=number,
        alpha=number,
        width=text,
        height=text,
        size={"description": "A size.", "properties": {"y": number}},
    )

    assert messages(property_without_description, schema) == []
    assert len(unclear(others)) == 6


def test_a_name_that_says_it_all_needs_no_description() -> None:
    text: JsonValue = {"type": "string"}
    number: JsonValue = {"type": "number"}
    flag: JsonValue = {"type": "boolean"}
    place: dict[str, JsonValue] = dict.fromkeys(("latitude", "longitude"), number)
    style: dict[str, JsonValue] = {
        "bold": flag,
        "backgroundColor": text,
        "paddingTop": number,
        "align": {"enum": ["start", "end"]},
    }
    cell: dict[str, JsonValue] = {
        "cell_id": text,
        "title": text,
        "style": {"properties": style},
        "titleColor": text,
        "value": text,
    }
    optional: dict[str, JsonValue] = {
        "include_old": flag,
        "page_size": number,
        "unit": {"enum": ["meter", "foot"], "default": "meter"},
    }
    codes: JsonValue = {"enum": ["a", "b"], "default": "a"}
    asked: dict[str, JsonValue] = {
        "cells": {"type": "array", "items": {"properties": cell}},
        "name": text,
        "page": number,
        "is_old": flag,
    }
    schema = tool_schema(
        {"properties": {**place, **optional, **asked, "force": flag, "mode": codes}, "required": [*place, *asked]}
    )
    result = tool_schema({"properties": {"total": number, "is_old": flag, "score": number, "a": SAID}}, "output")

    assert unclear(schema) == [
        f"property `{name}` has no description" for name in ("name", "page", "is_old", "force", "mode", "cells[].value")
    ]
    assert messages(property_without_description, result) == ["property `score` has no description"]


@pytest.mark.parametrize(
    ("place", "names"),
    [
        # a required argument
        ("required", {"url": {"type": "string", "format": "uri"}, "date": {"type": "string", "pattern": r"^\d+-"}}),
        # an optional argument
        ("optional", {"hull_kg": {"type": ["number", "null"]}, "mastCm": {"type": "integer"}, "maxWaitMs": NUMBER}),
        ("optional", {"sold_at": {"type": "string", "format": "date-time"}, "limit": {"enum": [5]}, "title": TEXT}),
        # a part of an object
        ("part", {"hull_kg": NUMBER, "berths": {"type": ["integer", "null"]}, "bunk_count": NUMBER, "notes": TEXT}),
        ("part", {"price_range": {"properties": {"min": NUMBER, "max": NUMBER}}, "sold_at": DATE}),
        # lists of values
        ("required", {"unit": {"enum": ["meter", "foot"]}, "days": {"items": {"enum": ["Mon", "Tue"]}}}),
        # both ends of a range
        ("optional", {"rank": SAID, "rank_from": NUMBER, "rank_to": NUMBER, "minWaitMs": NUMBER, "maxWaitMs": NUMBER}),
        ("part", {"berths_from": NUMBER, "berths_to": NUMBER, "cost": SAID, "maxCost": NUMBER, "minCost": NUMBER}),
        ("part", {"depth": {"description": "In meters.", "properties": {"gte": NUMBER, "lte": NUMBER}}}),
        ("part", {"tags": {"description": "The tags.", "properties": {"$in": {"type": "array"}}}}),
        # the meaning of a union with null or a reference
        ("optional", {"page_size": OR_NULL, "maxBoats": OR_NULL, "is_old": FLAG_OR_TEXT}),
        ("required", {"boat": {"anyOf": [BOAT, {"type": "null"}]}, "boats": BOATS}),
        # texts with names of several words, and arguments that the tool's description names
        ("part", {"logo_text": TEXT, "berthColors": {"type": "array", "items": TEXT}}),
        ("result", {"muscle_group": TEXT, "boats": {"type": "array"}, "source": TEXT}),
        ("part", {"position": {"type": "array", "items": NUMBER}, "opacity": NUMBER, "limit": NUMBER}),
        ("part", {"box": {"description": "Where.", "properties": {"minLongitude": NUMBER, "maxLongitude": NUMBER}}}),
        ("required", {"a": NUMBER, "b": NUMBER, "none": {"properties": {}, "additionalProperties": False}}),
        ("optional", {"boat_name": TEXT, "language": TEXT, "owner_email": TEXT}),
        ("required", {"tags": {"type": "array", "items": {"type": "string", "description": "A tag."}}}),
        # what people write
        ("required", {"title": TEXT, "body": TEXT, "fullName": TEXT}),
        # what callers do not send or receive
        ("required", {"owner": {"type": "string", "readOnly": True}}),
        ("result", {"secret": {"type": "string", "writeOnly": True}}),
        # a field of a result
        ("result", {"sold_at": TEXT, "bunk_count": NUMBER, "page": NUMBER, "hull_kg": NUMBER, "index": NUMBER}),
    ],
)  # fmt: skip
def test_a_unit_a_count_or_a_time_of_a_declared_form_needs_no_description(
    place: str, names: dict[str, JsonValue]
) -> None:
    assert messages(property_without_description, _placed(place, names)) == []


@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("required", {"url": TEXT, "date": TEXT, "hull_kg": NUMBER, "page": NUMBER}),
        ("optional", {"kg": NUMBER, "hull_kg": TEXT, "sold_at": TEXT, "berths": NUMBER, "start": NUMBER, "id": TEXT}),
        ("part", {"sold_at": TEXT, "status": NUMBER, "bias": NUMBER, "trip": {"properties": {"start": NUMBER}}}),
        ("result", {"mast": NUMBER, "boat_id": TEXT, "duration": TEXT, "kind": TEXT, "hull_kg": TEXT}),
        ("result", {"owner": {"type": "string", "readOnly": True}}),
        ("required", {"secret": {"type": "string", "writeOnly": True}, "unit": {"enum": ["m", "ft"]}}),
        ("optional", {"rank_from": NUMBER, "rank_to": NUMBER, "cost_from": NUMBER, "to": NUMBER}),
        ("part", {"trip_id": TEXT, "boatStatus": TEXT, "left_at": TEXT, "sort_order": NUMBER, "hull_kg": TEXT}),
        ("optional", {"folder_text": TEXT, "speed": OR_NULL, "raw": {"type": "boolean"}}),
        ("required", {"boat_name": TEXT, "language": TEXT, "boats": {"type": "array"}, "word": TEXT}),
        ("result", {"data": {"type": "array"}, "values": {"type": "array"}, "bus": {"type": "array"}, "status": TEXT}),
    ],
)
def test_a_name_without_a_unit_or_a_form_needs_a_description(place: str, names: dict[str, JsonValue]) -> None:
    assert len(unclear(_placed(place, {**names, "one": SAID} if place == "result" else names))) == len(names)


def test_one_list_of_values_or_end_of_a_range_that_lacks_a_description_is_reported() -> None:
    unit: JsonValue = {"enum": ["meter", "foot"]}
    titled = tool_schema({"properties": {"a": SAID, "b": SAID, "title": TEXT}, "required": ["title"]})
    assert messages(property_without_description, titled) == ["property `title` has no description"]

    schema = with_properties(a=SAID, b=SAID, unit=unit, cost={"properties": {"from": SAID, "to": NUMBER}})

    assert messages(property_without_description, schema) == [
        "property `unit` has no description",
        "property `cost.to` has no description",
    ]


def test_equal_objects_of_a_schema_have_one_finding_at_the_first_one() -> None:
    size: JsonValue = {"type": "object", "properties": {"hull": {"readOnly": True}, "mast": {"title": "Mast"}}}
    other: JsonValue = {"type": "object", "properties": {"mast": {"title": "Mast"}}}
    schema = with_properties(boat=size, boats={"type": "array", "items": size}, ship=other)

    for rule, lack in ((property_without_description, "description"), (property_without_type, "type")):
        findings = found(rule, schema)

        names = ("boat.mast", "ship.mast")
        assert [finding.message for finding in findings] == [f"property `{name}` has no {lack}" for name in names]
        assert [[one.message for one in finding.related] for finding in findings] == [
            ["`boats[].mast`, in an identical object"],
            [],
        ]
        assert findings[0].related[0].place.line == 23


def _placed(place: str, names: dict[str, JsonValue]) -> ToolSchema:
    if place == "part":
        return with_properties(boat={"properties": names})
    required: list[JsonValue] = [*names] if place == "required" else []
    value: JsonValue = {"properties": names, "required": required, "$defs": {"boat": {"properties": {"url": SAID}}}}
    return tool_schema(value, "output" if place == "result" else "input")


def test_a_result_repeats_what_the_input_describes() -> None:
    schema = tool_schema({"properties": {"word": TEXT, "score": NUMBER, "sum": SAID, "mean": SAID}}, "output")
    sent = replace(schema, tool=replace(schema.tool, input=schema_part({"properties": {"word": TEXT}})))

    assert messages(property_without_description, sent) == ["property `score` has no description"]


def test_a_shared_property_without_description_is_reported_once() -> None:
    margin: JsonValue = {"type": "string", "pattern": "px$"}
    box: JsonValue = {"properties": {"margin": {"$ref": "#/$defs/frame/properties/margin"}}}
    schema = tool_schema(
        {"properties": {"frame": {"$ref": "#/$defs/frame"}, "box": box}, "required": ["frame"],
         "$defs": {"frame": {"description": "A frame.", "properties": {"margin": margin}}}}
    )  # fmt: skip

    assert messages(property_without_description, schema) == ["property `frame.margin` has no description"]


def test_a_schema_that_describes_less_than_half_of_its_properties_has_one_finding() -> None:
    some = with_properties(a=SAID, b=TEXT, c=TEXT, d=TEXT, page_size=NUMBER)
    none = tool_schema({"properties": {"a": TEXT, "b": TEXT, "c": TEXT}, "required": ["a", "b", "c"]})

    assert messages(property_without_description, some) == ["4 of the 5 properties have no description"]
    assert messages(property_without_description, none) == ["none of the 3 properties has a description"]
    assert len(messages(property_without_description, with_properties(a=TEXT, b=TEXT))) == 2
    assert [one.message for one in found(property_without_description, some)[0].related] == ["`b`", "`c`", "`d`"]


def test_a_result_without_any_description_is_not_reported() -> None:
    schema = tool_schema({"properties": {"a": TEXT, "word": TEXT, "level": NUMBER}}, "output")
    sent = replace(schema, tool=replace(schema.tool, input=schema_part({"properties": {"word": TEXT}})))

    assert messages(property_without_description, schema) == messages(property_without_description, sent) == []


def test_each_property_without_description_is_a_note_at_its_name() -> None:
    schema = tool_schema(
        {
            "type": "object",
            "properties": {
                "a": {"type": "string"},
                "b": {"type": "string", "description": "Said."},
                "c": {"description": "Two.", "properties": {"d": True, "e": {"description": "  "}}},
                "f": SAID,
            },
        }
    )

    findings = found(property_without_description, schema)

    assert [finding.message for finding in findings] == [
        f"property `{name}` has no description" for name in ("a", "c.d", "c.e")
    ]
    assert (findings[0].pointer, findings[0].on_key) == ("/properties/a", True)


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
    schema = tool_schema({"properties": {"not": {"type": "object", "properties": {"a": {"type": "string"}}}}})

    assert messages(property_without_description, schema) == ["property `not.a` has no description"]


@pytest.mark.parametrize("anything", [{}, True])
def test_an_empty_schema_allows_any_value_on_purpose(anything: JsonValue) -> None:
    assert found(property_without_type, with_properties(a=anything)) == []
    assert messages(property_without_description, with_properties(a=anything)) == ["property `a` has no description"]


@pytest.mark.parametrize("property_schema", [{"title": "A"}, {"description": "The city."}, {"minLength": 1}])
def test_a_property_without_type_is_reported(property_schema: JsonValue) -> None:
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


@each(
    ("description", "is_told"),
    [
        ("Array of `{title, path}` objects", False),
        ("List of issue descriptions (empty if valid)", False),
        ("Per task: `task_id`, `output`", False),
        ("`[{name, role}]`", False),
        ("Extensions to exclude (such as ['.png'])", False),
        ("The list.", True),
        ("", True),
    ],
)
def test_a_row_may_say_in_words_what_the_items_of_an_array_are(description: str, is_told: bool) -> None:
    schema = with_properties(found={"type": "array", "description": description})

    assert bool(found(array_without_items, replace(schema, origin=SchemaOrigin.TABLE))) is is_told
    assert found(array_without_items, schema)


def test_a_row_of_a_table_has_a_cell_for_a_description() -> None:
    schema = with_properties(boat={"properties": {"mast": SAID}})

    assert messages(property_without_description, schema) == []
    assert messages(property_without_description, replace(schema, origin=SchemaOrigin.TABLE)) == [
        "property `boat` has no description"
    ]


def test_an_array_without_items_is_reported_at_its_name() -> None:
    finding = one(array_without_items, with_properties(tags={"type": ["array", "null"]}))

    assert finding.message == "array `tags` does not say what its items are"
    assert (finding.pointer, finding.on_key) == ("/properties/tags", True)


@pytest.mark.parametrize(
    "more", [{"items": {}}, {"items": False}, {"prefixItems": [{}]}, {"contains": {}}, {"$ref": "#"}, {"enum": [[1]]}]
)
def test_an_array_that_says_what_its_items_are_is_not(more: dict[str, JsonValue]) -> None:
    assert found(array_without_items, with_properties(tags={"type": "array", **more})) == []


# References and patterns


def test_each_unresolved_reference_is_reported() -> None:
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
        "the reference `#/definitions/city` of `a` does not resolve to a schema",
        "the reference `#/definitions/city` of `b` does not resolve to a schema",
        "the reference `#/$defs/none` of `c` does not resolve to a schema",
    ]
    assert found(unresolved_reference, schema)[0].hint == "write `#/$defs/city`"
    assert found(remote_reference, schema) == []


def test_a_remote_reference_is_reported_and_is_not_unresolved_as_well() -> None:
    schema = with_properties(a={"$ref": "https://example.com/a.json#/x"})

    assert messages(remote_reference, schema) == [
        "the reference `https://example.com/a.json#/x` of `a` points outside the schema"
    ]
    assert found(unresolved_reference, schema) == []


@pytest.mark.parametrize(
    ("pattern", "rule", "message"),
    [
        ("([", invalid_pattern, "pattern `([` of `a` is not a valid regular expression: unbalanced bracket"),
        (
            r"[\w-.]",
            pattern_refused_in_unicode_mode,
            r"pattern `[\w-.]` of `a` is invalid with the flag `u`: invalid character range",
        ),
        (r"(?<n>a)\k<n>", pattern_not_checkable, r"pattern `(?<n>a)\k<n>` of `a` is valid but cannot be checked"),
    ],
)
def test_a_pattern_gets_one_finding_at_each_place(pattern: str, rule: Rule, message: str) -> None:
    schema = with_properties(a={"type": "string", "pattern": pattern}, b={"type": "string", "pattern": pattern})

    rules = (invalid_pattern, pattern_refused_in_unicode_mode, pattern_not_checkable)

    assert [finding.message for each in rules for finding in found(each, schema)] == [
        message,
        message.replace("of `a`", "of `b`"),
    ]
    assert pointers(rule, schema) == ["/properties/a/pattern", "/properties/b/pattern"]


def test_a_pattern_for_names_is_placed_at_its_key() -> None:
    finding = one(invalid_pattern, tool_schema({"type": "object", "patternProperties": {"([": {}}}))

    assert (finding.pointer, finding.on_key) == ("/patternProperties/([", True)


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("(?i)a", "write both cases, such as `[Aa]`: ECMA-262 has no flags inside a pattern"),
        ("(?P<n>a)", "write a named group as `(?<name>…)`"),
        ("*.py", "write `.*` for any text: `*` is glob syntax"),
    ],
)
def test_an_invalid_pattern_of_a_known_kind_gets_its_cure(pattern: str, hint: str) -> None:
    assert one(invalid_pattern, with_properties(a={"pattern": pattern})).hint == hint


# Values


def test_an_unsatisfiable_property_is_reported() -> None:
    finding = one(unsatisfiable_schema, with_properties(limit={"type": "integer", "minimum": 5, "maximum": 1}))

    assert finding.message == "no integer satisfies both `minimum` 5 and `maximum` 1 in `limit`"
    assert finding.pointer == "/properties/limit/minimum"


@pytest.mark.parametrize(
    ("property_schema", "message", "pointer"),
    [
        ({"type": "integer", "default": "ten"}, 'the default of `a` is "ten", not of type integer', "/default"),
        (
            {"type": "array", "items": {"type": "string"}, "default": ["a", 1]},
            "the default of `a` is rejected by its own schema: `[1]` is 1, not of type string",
            "/default/1",
        ),
        ({"type": "string", "enum": ["a", 1]}, "the enum value of `a` is 1, not of type string", "/enum/1"),
        (
            {"pattern": "^a", "examples": ["a", "b"]},
            'the example of `a` is "b", which does not match the pattern `^a`',
            "/examples/1",
        ),
        (
            {"$ref": "#/$defs/short", "default": "long"},
            'the default of `a` is "long", which has 4 characters, more than the maximum of 2',
            "/default",
        ),
    ],
)
def test_a_value_that_its_own_schema_refuses_is_reported(
    property_schema: JsonValue, message: str, pointer: str
) -> None:
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


def test_a_default_next_to_a_reference_is_nothing_in_draft_07() -> None:
    schema: JsonValue = {
        "$schema": DRAFT_7,
        "properties": {"a": {"$ref": "#/definitions/b", "default": 1}},
        "definitions": {"b": {"type": "string"}},
    }

    assert found(value_refused_by_own_schema, tool_schema(schema)) == []


# Names


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


DOCSTRING = """Find the notes of a person.

    Args:
        word: The word that the notes hold.
        limit (int): How many notes at most.

    Returns:
        name: not a parameter.
    """


def test_a_parameter_that_the_description_of_the_tool_describes_is_described() -> None:
    properties: dict[str, JsonValue] = {"word": {}, "limit": {}, "name": {}, "at": {"properties": {"word": {}}}}
    schema = tool_schema({"type": "object", "properties": properties})
    described = replace(schema, tool=replace(schema.tool, description=DOCSTRING))

    assert messages(property_without_description, described) == [
        f"property `{name}` has no description" for name in ("name", "at.word")
    ]


@each("heading", ["Args:", "Parameters", "**Parameters:**", "## Parameters", "Parameters\n----------"])
def test_a_list_of_parameters_in_a_description_describes_them(heading: str) -> None:
    schema = tool_schema({"type": "object", "properties": {"word": {}, "start": {}, "end": {}, "path": {}}})
    text = f"Find notes.\n\n{heading}\n- word: What to find.\n- start | `end`: Where.\n\nReturns\n- path: no."

    described = replace(schema, tool=replace(schema.tool, description=text))

    assert messages(property_without_description, described) == ["property `path` has no description"]


@each(
    ("description", "names"),
    [
        ("Shows a note by name or by free text query, with the folder name.", []),
        ("Shows a note with a name that a query finds.", ["name", "query", "folder_name"]),
        ("Shows the note of a folder name.", ["name", "query"]),
    ],
)
def test_an_argument_that_the_description_of_the_tool_names_is_clear(description: str, names: list[str]) -> None:
    texts: dict[str, JsonValue] = dict.fromkeys(("name", "query", "folder_name"), TEXT)
    schema = tool_schema({"properties": texts, "required": [*texts]})
    described = replace(schema, tool=replace(schema.tool, description=description))

    assert unclear(described) == [f"property `{name}` has no description" for name in names]


@each(("description", "is_told"), [("Fetches one ticket by id.", False), ("Fetches one note by id.", True)])
def test_an_id_of_something_in_the_description_is_clear(description: str, is_told: bool) -> None:
    schema = tool_schema({"properties": {"ticket_id": TEXT}, "required": ["ticket_id"]})
    described = replace(schema, tool=replace(schema.tool, description=description))

    assert bool(messages(property_without_description, described)) is is_told


@each(
    ("description", "told"),
    [
        ("Moves a thing.", ["boat_id", "bays", "mode", "query", "blank", "part.blank"]),
        ("Moves a boat.", ["bays", "mode", "query", "blank", "part.blank"]),
        ("Moves the boat `boat_id` to one of several bays.", ["mode", "query", "blank", "part.blank"]),
        ("Searches the given bay for boats in a mode.", ["mode", "blank", "part.blank"]),
        ("Mode of the bays: `mode`.", ["boat_id", "query", "blank", "part.blank"]),
    ],
)
def test_a_tool_list_only_needs_descriptions_of_what_callers_must_send_and_cannot_know(
    description: str, told: list[str]
) -> None:
    blank: JsonValue = {"type": "string", "description": " "}
    sent: dict[str, JsonValue] = {
        "boat_id": TEXT,
        "bays": {"type": "array"},
        "mode": TEXT,
        "query": TEXT,
        "message": TEXT,
        "noteIdOrKey": TEXT,
        "password": TEXT,
        "page": NUMBER,
        "unit": {"enum": ["meter", "foot"]},
        "blank": blank,
        "part": {"description": "A part.", "properties": {"id": TEXT, "blank": blank}, "required": ["id"]},
    }
    said: dict[str, JsonValue] = {f"said_{number}": SAID for number in range(13)}
    value: JsonValue = {"properties": {**sent, **said, "note_id": TEXT}, "required": [*sent]}
    schema = replace(tool_schema(value), is_listed=True)

    listed = replace(schema, tool=replace(schema.tool, description=description))

    assert messages(property_without_description, listed) == [f"property `{name}` has no description" for name in told]


@each(
    ("tool", "name", "is_told"),
    [
        ("rent_boat", "boat_id", False),
        ("listBoatRentals", "boatName", False),
        ("boats.rent", "boatids", True),
        ("boats.rent", "boat_ids", False),
        ("rent_boat", "boatid", False),
        ("get_sailing_boat", "sailingBoatId", False),
        ("get_boat", "sailing_boat_id", True),
        ("rent_boat", "bay_id", True),
        ("rent_boat", "boat_length", True),
        ("boat", "id", True),
    ],
)
def test_an_id_or_a_name_of_what_a_tool_of_a_list_is_about_is_clear(tool: str, name: str, *, is_told: bool) -> None:
    schema = replace(tool_schema({"properties": {name: TEXT}, "required": [name]}), is_listed=True)
    named = replace(schema, tool=replace(schema.tool, name=tool, description="Does it."))

    assert bool(messages(property_without_description, named)) is is_told


@each(("title", "is_told"), [("Boat Length", True), ("Length", True), ("Length in meters", False), ("船的长度", False)])
def test_a_title_that_says_more_than_the_name_is_a_description(title: str, *, is_told: bool) -> None:
    schema = tool_schema({"properties": {"boat_length": {"type": "string", "title": title}}})

    assert bool(messages(property_without_description, schema)) is is_told


@each(("description", "told"), [(None, 0), ("", 1)])
def test_a_result_in_a_tool_list_is_only_told_of_empty_descriptions(description: str | None, told: int) -> None:
    field: JsonValue = {"type": "object"} if description is None else {"type": "object", "description": description}
    schema = tool_schema({"properties": {"data": field, "a": SAID, "b": SAID}, "required": ["data"]}, "output")

    assert len(found(property_without_description, schema)) == 1
    assert len(found(property_without_description, replace(schema, is_listed=True))) == told


@each(
    "line",
    [
        "@param word the word to find",
        "@param word 要查找的 词语",
        "@param {string} word - the one",
        "@param word: the one",
    ],
)
def test_parameters_in_the_words_of_a_documentation_comment_are_described(line: str) -> None:
    schema = tool_schema({"type": "object", "properties": {"word": {}, "name": {}}})

    described = replace(schema, tool=replace(schema.tool, description=f"Find notes.\n\n  {line}\n  @return the name"))

    assert messages(property_without_description, described) == ["property `name` has no description"]


def test_parameters_in_the_words_of_sphinx_are_described() -> None:
    schema = tool_schema({"type": "object", "properties": {"word": {}, "limit": {}, "name": {}}})
    text = "Find notes.\n\n:param word: the word\n:param int limit: how many\n:returns: name"

    described = replace(schema, tool=replace(schema.tool, description=text))

    assert messages(property_without_description, described) == ["property `name` has no description"]


@each(
    ("names", "description", "told"),
    [
        (["seed", "batch_size"], "Number of preference pairs", "`batch_size` has the same description as `seed`"),
        (["top_k", "top_p"], "Keep only top-k tokens (0=disabled)", "`top_p` has the same description as `top_k`"),
        (["top_p", "top_k"], "Keep only top-k tokens (0=disabled)", "`top_p` has the same description as `top_k`"),
        (["time_min", "time_max"], "RFC3339 lower bound", "`time_max` has the same description as `time_min`"),
        (["start_time", "end_time"], "The end time, in UTC", "`start_time` has the same description as `end_time`"),
        (["latitude", "longitude"], "Coordinate in degrees", None),
        (["source_file", "target_file"], "Path of the source or target file", None),
        (["path", "file_path"], "The file path to read", None),
        (["min_size", "max_size"], "A size in bytes", None),
    ],
)
def test_a_description_of_another_property_is_reported(names: list[str], description: str, told: str | None) -> None:
    properties: dict[str, JsonValue] = {name: {"description": description} for name in names}

    assert messages(description_of_another_property, with_properties(**properties)) == ([told] if told else [])


@each(
    "description",
    ["Rents a boat, limited to 'tax_year', 'rows' and 'path'.", "Rents one. Takes `tax_year`, and `rows` or a `path`."],
)
def test_arguments_that_the_description_of_the_tool_names_in_code_or_quotes_are_clear(description: str) -> None:
    schema = replace(tool_schema({"properties": {"tax_year": NUMBER, "rows": TEXT, "path": TEXT}}), is_listed=True)

    assert messages(property_without_description, schema)

    named = replace(schema, tool=replace(schema.tool, description=description))

    assert messages(property_without_description, named) == []


@each(
    ("tool", "name", "description", "is_told"),
    [
        ("db_plan", "sql", "Compila uma consulta SQL e extrai o plano de execução.", False),
        ("db_choose", "alias", "Escolhe um banco de dados já configurado, por alias.", False),
        ("db_choose", "alias", "Escolhe um banco de dados já configurado.", True),
        ("db_choose", "alias", "Escolhe um banco já configurado para a sessão atual. " * 4, False),
        ("db_choose", "alias", "Chooses a database in the café, from the configured ones. " * 4, True),
        ("db_run", "sql", "Runs a SELECT query.", False),
        ("classify_notice", "notice_text", "Classifies it.", False),
        ("classify_notice", "letter_text", "Classifies it.", True),
    ],
)
def test_a_description_in_another_language_needs_no_article_before_a_name(
    tool: str, name: str, description: str, *, is_told: bool
) -> None:
    schema = replace(tool_schema({"properties": {name: TEXT}, "required": [name]}), is_listed=True)
    named = replace(schema, tool=replace(schema.tool, name=tool, description=description))

    assert bool(messages(property_without_description, named)) is is_told
