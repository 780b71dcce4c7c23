"""Schemas with a part that cannot be read, in another draft, or for more than an object: what is still decided."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_contracts.changes.absent import as_arguments
from mcp_contracts.changes.policies import SchemaComparison
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.checks.diff import diff
from mcp_contracts.contract import Contracts
from mcp_contracts.sources.documents import read_source
from mcp_contracts.witnesses.confirm import confirm
from tests.tables import each

UNREAD: tuple[Any, ...] = (
    {"type": "any"},
    {"type": "string", "required": True},
    {"type": "string", "pattern": "\\A\\d+\\Z"},
    {"$ref": "#/$defs/nothing"},
    {"$ref": "https://example.com/beds.json"},
    {"type": "array", "items": {"properties": {"deep": {"type": "bed"}}}},
)
TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def beds(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    """Return an object schema."""
    return {"type": "object", "properties": properties, "required": [*required]}


def told(compared: SchemaComparison) -> list[str]:
    """Return the codes and verdicts of the changes."""
    return [f"{change.code} {change.verdict.value}" for change in compared.changes]


@pytest.mark.parametrize("unread", UNREAD)
@pytest.mark.parametrize("policy", ["declared", "sets"])
def test_what_breaks_next_to_a_property_that_cannot_be_read_is_reported(unread: Any, policy: Any) -> None:
    old, new = beds(bed=unread, row=TEXT), beds(("plot",), bed=unread, row=WHOLE, plot=WHOLE)
    found = compare_schemas(old, new, policy=policy)

    assert told(found) == ["BC205 breaking", "BC201 breaking", "BC231 unknown"]
    rest = (beds(row=TEXT), beds(("plot",), row=WHOLE, plot=WHOLE))
    for witness in (found.witness, *(change.witness for change in found.changes[:2])):
        assert witness is not None
        assert isinstance(witness.value, dict)
        assert "bed" not in witness.value
        assert confirm(*rest, witness.value).is_confirmed


@pytest.mark.parametrize("unread", UNREAD)
def test_removed_properties_next_to_one_that_cannot_be_read_are_reported_once(unread: Any) -> None:
    assert told(compare_schemas(beds(bed=unread, row=TEXT), beds(bed=unread))) == ["BC202 breaking", "BC231 unknown"]
    assert told(compare_schemas(beds(bed=unread, row=TEXT), beds(row=TEXT))) == ["BC202 breaking", "BC231 unknown"]
    output = compare_schemas(beds(("row",), bed=unread, row=TEXT), beds(bed=unread), direction="output")
    assert "BC302 breaking" in told(output)


@each(
    ("old", "new"),
    [
        (beds(bed={"type": "any"}), beds(bed={"type": "any"}, row={**TEXT, "description": "A row"})),
        (beds(bed={"type": "any"}), beds(bed=TEXT)),
        (beds(bed=TEXT), beds(bed={"type": "any"})),
        (beds(("bed",), bed={"type": "any"}, row=TEXT), beds(("bed",), bed={"type": "any"}, row=WHOLE)),
        ({"not": beds(bed={"type": "any"}, row=TEXT)}, {"not": beds(bed={"type": "any"})}),
        (
            beds(bed={"type": "any"}, row={"$ref": "#/properties/bed"}),
            beds(bed={"type": "bed"}, row={"$ref": "#/properties/bed"}),
        ),
        ({"properties": {"bed": {"type": "any"}}}, {"allOf": [{"properties": {"bed": TEXT}}]}),
    ],
)
def test_nothing_breaks_that_depends_on_what_cannot_be_read(old: Any, new: Any) -> None:
    assert told(compare_schemas(old, new)) == ["BC231 unknown"]


@each(
    ("draft", "old", "new", "expected"),
    [
        ("http://json-schema.org/draft-04/schema#", TEXT, WHOLE, "breaking"),
        ("http://json-schema.org/draft-06/schema", {"const": "a"}, {"const": "b"}, "breaking"),
        ("https://json-schema.org/draft/2019-09/schema", {"enum": ["a"]}, {"enum": ["a", "b"]}, "compatible"),
        ("https://json-schema.org/draft/2019-09/schema#", {"const": "a"}, {"enum": ["a", "b"]}, "compatible"),
        ("http://json-schema.org/draft-04/schema#", {"const": "a"}, {"const": "b"}, "unknown"),
        (
            "http://json-schema.org/draft-04/schema#",
            {"maximum": 3, "exclusiveMaximum": True},
            {"maximum": 3},
            "unknown",
        ),
        ("https://json-schema.org/draft/2019-09/schema", {"$recursiveRef": "#"}, TEXT, "unknown"),
        ("http://json-schema.org/draft-03/schema#", TEXT, WHOLE, "unknown"),
    ],
)
def test_a_schema_in_another_draft_is_read_if_its_keywords_mean_the_same(
    draft: str, old: Any, new: Any, expected: str
) -> None:
    schemas = ({"$schema": draft, "properties": {"row": one}} for one in (old, new))

    assert compare_schemas(*schemas).verdict.value == expected


def contracts(schema: Any) -> Contracts:
    """Return the contracts of a list of one tool."""
    tool = {"name": "find_bed", "description": "Finds a bed.", "inputSchema": schema}
    return Contracts((read_source("garden.tools.json", json.dumps({"tools": [tool]})),))


OF_ROWS = {"type": "object", "properties": {"row": TEXT}}


@each(
    ("old", "new"),
    [
        ({"properties": {"row": TEXT}}, OF_ROWS),
        ({**OF_ROWS, "type": ["object", "null"]}, OF_ROWS),
        ({"anyOf": [OF_ROWS, {"type": "null"}]}, OF_ROWS),
        (OF_ROWS, {**OF_ROWS, "not": {"type": "array"}}),
        (
            {"$ref": "#/$defs/rows", "$defs": {"rows": {}}},
            {"$ref": "#/$defs/rows", "$defs": {"rows": {"type": "object"}}},
        ),
        ({}, {"type": "object"}),
        (True, {"type": "object"}),
    ],
)
def test_arguments_are_always_an_object(old: Any, new: Any) -> None:
    for one, other in ((old, new), (new, old)):
        assert [*diff(contracts(one), contracts(other)).changes()] == []


@pytest.mark.parametrize("schema", [False, None, "text", {"type": "string"}, {"type": ["string", "null"]}])
def test_a_schema_without_objects_is_compared_as_it_is(schema: Any) -> None:
    assert as_arguments(schema) is schema
