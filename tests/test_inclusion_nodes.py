"""Nodes of the graph: two with different constraints are never merged."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

from mcp_contracts.inclusion.nodes import FALSE, TRUE, Node, Origin, equal_classes
from tests.tables import each

VALUES: dict[str, tuple[Any, Any]] = {
    "types": (frozenset({"string"}), frozenset({"array"})),
    "values": ((1,), (2,)),
    "numbers": ({"minimum": Fraction(1)}, {"minimum": Fraction(2)}),
    "sizes": ({"minLength": 1}, {"minLength": 2}),
    "pattern": ("a", "b"),
    "is_unique": (True, False),
    "prefix": ((TRUE,), (FALSE,)),
    "rest": (TRUE, FALSE),
    "contains": ((TRUE, 1, None), (FALSE, 1, None)),
    "unevaluated_items": (TRUE, FALSE),
    "properties": ({"a": TRUE}, {"a": FALSE}),
    "patterns": ({"a": TRUE}, {"a": FALSE}),
    "additional": (TRUE, FALSE),
    "unevaluated_properties": (TRUE, FALSE),
    "names": (TRUE, FALSE),
    "required": (frozenset({"a"}), frozenset({"b"})),
    "dependent_required": ({"a": frozenset({"b"})}, {"a": frozenset({"c"})}),
    "dependent_schemas": ({"a": TRUE}, {"a": FALSE}),
    "all_of": ((TRUE,), (FALSE,)),
    "any_of": (((TRUE,),), ((FALSE,),)),
    "one_of": ((TRUE,), (FALSE,)),
    "negated": (TRUE, FALSE),
    "condition": ((TRUE, TRUE, TRUE), (TRUE, FALSE, TRUE)),
    "opaque": (("format",), ("pattern",)),
}
"""Two values of each field of a node."""


def test_every_field_of_a_node_is_tried() -> None:
    assert {field.name for field in fields(Node)} - VALUES.keys() == {"origin"}, "add two values to `VALUES`"


@each("name", VALUES)
def test_nodes_that_differ_in_one_field_are_not_merged(name: str) -> None:
    origin = Origin(0, "")
    one, other = (Node(origin, **{name: value}) for value in VALUES[name])

    classes = equal_classes({2: one, 3: other})

    assert classes[2] != classes[3], f"`Node.own` or `Node.ordered` leaves out `{name}`"
