"""Circular references, and discriminators without a target."""

from __future__ import annotations

import json
from typing import Any

from mcp_contracts import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.sources.documents import read_source


def found(schema: dict[str, Any]) -> list[tuple[str, str | None]]:
    tool = {"name": "get", "description": "Gets one thing by its name.", "inputSchema": {"type": "object", **schema}}
    report = lint(Contracts((read_source("tools.json", json.dumps([tool])),)))
    return [(one.code, one.pointer) for one in report.shown()]


def test_a_reference_to_itself_is_reported() -> None:
    schema = {"properties": {"x": {"$ref": "#/properties/x", "description": "A thing."}}}

    assert found(schema) == [("MC314", "/properties/x/$ref")]


def test_references_to_each_other_are_reported_once() -> None:
    schema = {
        "properties": {"x": {"$ref": "#/$defs/a", "description": "A thing."}},
        "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
    }

    assert found(schema) == [("MC314", "/$defs/a/$ref")]


def test_a_schema_that_contains_itself_further_down_is_valid() -> None:
    tree = {"type": "object", "properties": {"child": {"$ref": "#/$defs/tree", "description": "A child."}}}
    schema = {"properties": {"x": {"$ref": "#/$defs/tree", "description": "A tree."}}, "$defs": {"tree": tree}}

    assert found(schema) == []


def test_a_discriminator_that_maps_to_a_schema_that_does_not_exist_is_reported() -> None:
    kind = {"type": "object", "description": "A kind.", "properties": {"k": {"const": "cat", "description": "Which."}}}
    pet = {
        "description": "A pet.",
        "oneOf": [{"$ref": "#/$defs/Cat"}],
        "discriminator": {"propertyName": "k", "mapping": {"cat": "#/$defs/Cat", "dog": "#/$defs/Dog"}},
    }

    assert found({"properties": {"pet": pet}, "$defs": {"Cat": kind}}) == [
        ("MC314", "/properties/pet/discriminator/mapping/dog")
    ]
