"""The old schema with one difference applied judges values as the new one does."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given

from mcp_contracts.comparison.compare import FactKind, facts
from mcp_contracts.comparison.edits import Edits
from mcp_contracts.schema.validation.validators import compile_schema, instance_errors
from tests.schema_strategies import schemas
from tests.support_schemas import DRAFT_7
from tests.tables import each

VALUES: list[Any] = [
    None, 1, 2, 7, 1.5, "a", "b", "abcdef", True, [], ["a"], [1, 2], ["a", 1], {}, {"x": 1}, {"x": None}, {"x": "a"},
    {"x": "abcdef"}, {"x": ["a"]}, {"x": [1]}, {"x": {}}, {"x": {"y": 1}}, {"x": {"y": "a"}}, {"z": 1},
    {"x": 1, "z": 1}, {"x": 7, "z": "a"}, {"x": {"next": {"next": 1}}}, {"x": {"next": {"size": 9}}},
    {"x": {"size": 9}},
]  # fmt: skip
NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "size": {"maximum": 10}}}
SMALL = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "size": {"maximum": 5}}}


def of_x(schema: Any, **more: Any) -> Any:
    """Return a schema of an object with the property `x`."""
    return {"type": "object", "properties": {"x": schema}, **more}


def verdicts(schema: Any) -> list[bool]:
    """Return which of the values a schema accepts."""
    compiled = compile_schema(schema)
    assert compiled.refusal is None
    return [instance_errors(compiled, value).is_valid for value in VALUES]


EDITS: list[tuple[Any, Any]] = [
    (of_x({"maximum": 5}), of_x({"maximum": 1})),
    (of_x({"exclusiveMinimum": 1}), of_x({"minimum": 2})),
    (of_x({"enum": [1, "a"]}), of_x({"enum": ["b", "a"]})),
    (of_x({"const": 1}), of_x({"enum": [1, "a"]})),
    (of_x({"type": "string"}), of_x({"type": "integer"})),
    (of_x({"type": "integer", "maximum": 1}), of_x({"type": "string", "maxLength": 3})),
    (of_x({"type": "string", "maxLength": 2}), of_x({"type": ["string", "null"], "maxLength": 2})),
    (of_x({"type": "string", "maxLength": 2}), of_x({"anyOf": [{"type": "string", "maxLength": 2}, {"type": "null"}]})),
    (of_x({"anyOf": [{"type": "string", "maxLength": 2}, {"type": "null"}]}), of_x({"type": "string", "maxLength": 2})),
    (of_x({"type": "string", "enum": ["a"]}), of_x({"type": ["string", "null"], "enum": ["a", None]})),
    (of_x({"type": "string"}), of_x({"anyOf": [{"type": "string"}, {"type": "integer"}]})),
    (of_x({"oneOf": [{"type": "string"}, {"minimum": 2, "type": "number"}]}), of_x({"oneOf": [{"type": "string"}]})),
    (
        of_x({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        of_x({"anyOf": [{"type": "null"}, {"type": "string"}, {"type": "array"}]}),
    ),
    (of_x({}), of_x({}, required=["x"])),
    (of_x({}, required=["x"]), of_x({})),
    (of_x({}), {"type": "object", "properties": {"x": {}, "z": {"type": "integer"}}, "required": ["z"]}),
    (of_x({}), {"type": "object", "properties": {"x": {}, "z": {"type": "integer"}}}),
    (of_x({"type": "string"}), {"type": "object"}),
    (of_x({"type": "object"}), of_x({"type": "object"}, additionalProperties=False)),
    (of_x({"patternProperties": {"^y": {"type": "string"}}}), of_x({})),
    (of_x({"patternProperties": {}}), of_x({"patternProperties": {"^y": {"type": "string"}}})),
    (of_x({"prefixItems": [{"type": "string"}]}), of_x({"prefixItems": [{"type": "string"}, {"type": "string"}]})),
    (of_x({"not": {"type": "string"}}), of_x({})),
    (of_x({}), of_x({"if": {"type": "string"}, "then": {"maxLength": 2}})),
    (of_x({"dependentRequired": {"y": ["q"]}}), of_x({})),
    (of_x(True), of_x({"type": "string"})),
    (of_x({"type": "string"}), of_x(False)),
    (of_x({"uniqueItems": True}), of_x({"$ref": "#/$defs/none"}, **{"$defs": {"none": False}})),
    (of_x({"$ref": "#/$defs/A"}, **{"$defs": {"A": {"type": "string"}}}), of_x({"type": "string", "maxLength": 2})),
    (of_x({"type": "string"}), of_x({"$ref": "#/$defs/A", "maxLength": 2}, **{"$defs": {"A": {"type": "string"}}})),
    (
        of_x({"$ref": "#/$defs/node"}, **{"$defs": {"node": NODE}}),
        of_x({"$ref": "#/$defs/node"}, **{"$defs": {"node": SMALL}}),
    ),
    ({"type": "object"}, of_x({"$ref": "#/$defs/node"}, **{"$defs": {"node": NODE}})),
    (
        {"type": "object", "$defs": {"new-1": {}}},
        of_x({"$ref": "#n"}, **{"$defs": {"n": {**NODE, "$anchor": "n"}, "node": {}}}),
    ),
    ({"type": "object"}, of_x({"type": "object", "properties": {"y": {"$ref": "#"}}})),
    (
        {"$schema": DRAFT_7, "type": "object"},
        {
            "$schema": DRAFT_7,
            **of_x({"$ref": "#/definitions/A"}),
            "definitions": {"A": {"type": "string", "$id": "#a"}},
        },
    ),
    (
        {"$schema": DRAFT_7, **of_x({"items": [{"type": "string"}]})},
        {"$schema": DRAFT_7, **of_x({"items": [{"type": "string"}], "additionalItems": False})},
    ),
]


@each(("old", "new"), EDITS, ids=[facts(old, new)[0].message for old, new in EDITS])
def test_the_only_difference_applied_judges_as_the_new_schema_does(old: Any, new: Any) -> None:
    before = copy.deepcopy((old, new))
    (fact,) = facts(old, new)

    edited = Edits(old, new).isolate(fact)

    assert edited is not None
    assert verdicts(edited) == verdicts(new)
    assert (old, new) == before


def test_two_differences_are_applied_one_at_a_time() -> None:
    old = of_x({"type": "string", "maxLength": 5})
    new = of_x({"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]}, additionalProperties=False)

    edited = {fact.kind: Edits(old, new).isolate(fact) for fact in facts(old, new)}

    assert edited == {
        FactKind.TYPE_CHANGED: of_x({"anyOf": [{"type": "string", "maxLength": 5}, {"type": "null"}]}),
        FactKind.LENGTH_CHANGED: of_x({"type": "string", "maxLength": 3}),
        FactKind.CONTENT_CHANGED: of_x({"type": "string", "maxLength": 5}, additionalProperties=False),
    }


def test_what_a_new_property_refers_to_comes_along_under_a_fresh_name() -> None:
    old: Any = {"properties": {"a": {"$ref": "#/$defs/node"}}, "$defs": {"node": {"type": "string"}, "new-1": {}}}
    new: Any = {"properties": {"a": {"type": "string"}, "b": {"$ref": "#/$defs/node"}}, "$defs": {"node": NODE}}

    (fact,) = facts(old, new)

    assert Edits(old, new).isolate(fact) == {
        "properties": {"a": {"$ref": "#/$defs/node"}, "b": {"$ref": "#/$defs/new-2"}},
        "$defs": {
            "node": {"type": "string"},
            "new-1": {},
            "new-2": {**NODE, "properties": {"next": {"$ref": "#/$defs/new-2"}, "size": {"maximum": 10}}},
        },
    }


def test_an_edit_in_a_definition_edits_the_definition() -> None:
    old = of_x({"$ref": "#/$defs/node"}, **{"$defs": {"node": NODE}})
    new = of_x({"$ref": "#/$defs/node"}, **{"$defs": {"node": SMALL}})

    (fact,) = facts(old, new)

    assert Edits(old, new).isolate(fact) == new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"$schema": DRAFT_7, "minimum": 1}, {"minimum": 2}),
        ({"$schema": "https://e.com/own", "minimum": 1}, {"minimum": 2}),
        ({"type": "object"}, of_x({"$ref": "https://e.com/x"})),
        ({"type": "object"}, of_x({"$ref": "#/nowhere"})),
        ({"properties": {"a": {"$id": "https://e.com/a", "properties": {"c": {}}}}},
         {"properties": {"a": {"properties": {"c": {}, "b": {"$ref": "#"}}}}}),
    ],
)  # fmt: skip
def test_what_cannot_be_applied_by_itself_is_nothing(old: Any, new: Any) -> None:
    (fact,) = facts(old, new)

    assert Edits(old, new).isolate(fact) is None


@given(schemas(), schemas())
def test_every_edit_of_random_schemas_is_a_schema_that_compiles(old: Any, new: Any) -> None:
    before = repr((old, new))

    edits = [Edits(old, new).isolate(fact) for fact in facts(old, new)]

    assert all(compile_schema(edited).refusal is None for edited in edits if edited is not None)
    assert repr((old, new)) == before
