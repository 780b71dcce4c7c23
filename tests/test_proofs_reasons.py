"""What mutants of the policy `declared` and of the reasons of an unknown verdict once got wrong unnoticed."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_contracts.changes.schemas import SchemaDirection, compare_schemas
from mcp_contracts.schema.inclusion import inclusion

Schema = Any
TEXT = {"type": "string"}


def closed(**members: Schema) -> Schema:
    """An object that has all of some members and no other."""
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def holding(**members: Schema) -> Schema:
    """An object that may have some members, and any other."""
    return {"type": "object", "properties": members}


JUDGED: dict[str, tuple[Schema, Schema, SchemaDirection, str]] = {
    "names are dropped inside of a constant": (
        {"const": {"a": {"b": 1}}},
        closed(a=closed(b={"const": 1}, z=TEXT), y=TEXT),
        "output",
        "compatible",
    ),
    "a name of another listed object is not dropped": (
        {"enum": [{"a": 1}, {"b": 1}]},
        closed(a={"const": 1}, b={"const": 1}),
        "output",
        "breaking",
    ),
    "names are dropped from a map beside names of a branch": (
        {"type": "object", "allOf": [holding(a=holding(x=TEXT))], "additionalProperties": holding(y=TEXT)},
        {"type": "object", "allOf": [holding(a=holding(x=TEXT))], "additionalProperties": holding(y=TEXT, w=TEXT)},
        "output",
        "compatible",
    ),
    "callers send declared names at each position of an array": (
        {"type": "array", "prefixItems": [holding(a=TEXT)]},
        {"type": "array", "prefixItems": [holding(a=TEXT) | {"additionalProperties": False}]},
        "input",
        "compatible",
    ),
    "callers send declared names after the positions of an array": (
        {"type": "array", "prefixItems": [TEXT], "items": holding(a=TEXT)},
        {"type": "array", "prefixItems": [TEXT], "items": holding(a=TEXT) | {"additionalProperties": False}},
        "input",
        "compatible",
    ),
}


@pytest.mark.parametrize("name", JUDGED)
def test_schemas_are_read_by_declared_names_at_every_place(name: str) -> None:
    old, new, direction, verdict = JUDGED[name]

    assert compare_schemas(old, new, direction=direction).verdict == verdict


UNDECIDED: dict[str, tuple[Schema, Schema]] = {
    "pattern": ({"type": "string", "pattern": "^(a|b)\\1$"}, {"type": "string", "pattern": "^(aa|bb)$"}),
    "$dynamicRef": (
        {"$dynamicRef": "#d", "$defs": {"one": {"$dynamicAnchor": "d", "type": "string"}, "two": {
            "$id": "other", "$defs": {"three": {"$dynamicAnchor": "d", "type": "integer"}}}}},
        {"type": "string", "minLength": 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize("keyword", UNDECIDED)
def test_what_is_not_decided_names_the_keyword(keyword: str) -> None:
    found = inclusion(*UNDECIDED[keyword])

    assert (found.answer, found.keyword) == ("unknown", keyword)
