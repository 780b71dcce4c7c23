"""What an accepted change is tied to: the part of the schema that changed, on its side of the tool."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from mcp_contracts.change import ToolState
from mcp_contracts.checks.acceptance import Digests
from mcp_contracts.contract import Contracts, JsonValue, SchemaOrigin, SchemaPart, SpecFile, SpecTool, ToolContract
from tests.test_accepted_changes import LIMIT, NAME, PATH, PLACE, REMOVED, Locator, limited, narrowed, tool


def contracts(input_schema: JsonValue, output_schema: JsonValue) -> Contracts:
    """Return the contract of one tool with both schemas."""
    parts = (
        SchemaPart("input", input_schema, SchemaOrigin.SCHEMA, Locator()),
        SchemaPart("output", output_schema, SchemaOrigin.SCHEMA, Locator()),
    )
    contract = ToolContract(NAME, PLACE, "weather", version="1.2.0", input=parts[0], output=parts[1])
    return Contracts((SpecFile(PATH, "", "weather", tools=(SpecTool(contract, (7, 20), f"Tool: `{NAME}`"),)),))


@pytest.mark.parametrize("direction", ["input", "output"])
def test_a_digest_is_made_of_the_side_that_the_change_is_about(direction: Literal["input", "output"]) -> None:
    change = replace(narrowed(), direction=direction, old_pointer=LIMIT, new_pointer=LIMIT)
    old = contracts(limited(100), limited(100))

    digests = {
        name: Digests(old, contracts(*schemas)).of(tool(change), change)
        for name, schemas in {
            "same": (limited(100), limited(100)),
            "input": (limited(50), limited(100)),
            "output": (limited(100), limited(50)),
        }.items()
    }

    assert digests[direction] != digests["same"]
    assert digests["output" if direction == "input" else "input"] == digests["same"]


def test_a_digest_does_not_depend_on_the_order_of_keywords() -> None:
    at = replace(narrowed(), old_pointer="/properties", new_pointer="/properties")
    schema: JsonValue = {"type": "object", "properties": {"a": {"type": "integer", "maximum": 1}, "b": True}}
    turned: JsonValue = {"properties": {"b": True, "a": {"maximum": 1, "type": "integer"}}, "type": "object"}
    narrower: JsonValue = {"properties": {"b": True, "a": {"maximum": 0, "type": "integer"}}, "type": "object"}

    one, other, third = (Digests(contracts(old, True), contracts(old, True)) for old in (schema, turned, narrower))

    assert one.of(tool(at), at) == other.of(tool(at), at) != third.of(tool(at), at)


def test_a_digest_is_not_of_words_next_to_the_place_or_of_definitions_that_it_does_not_refer_to() -> None:
    at = replace(narrowed(), old_pointer="/maximum", new_pointer="/maximum")
    words: dict[str, JsonValue] = {"title": "t", "description": "d", "examples": [1], "default": 1, "$comment": "c"}
    schemas: list[JsonValue] = [{"maximum": 1}, *({"maximum": 1, name: word} for name, word in words.items())]
    schemas += [{"maximum": 1, keyword: {"a": True}} for keyword in ("$defs", "definitions")]
    others: list[JsonValue] = [{"maximum": 1, "minimum": 0}, {"maximum": 1, "enum": [1]}]

    of_one, of_others = (
        {Digests(contracts(one, True), contracts(one, True)).of(tool(at), at) for one in some}
        for some in (schemas, others)
    )

    assert (len(of_one), len(of_others)) == (1, 2)
    assert of_one.isdisjoint(of_others)


@pytest.mark.parametrize("holder", ["$defs", "definitions"])
def test_a_digest_is_of_the_definitions_that_the_place_refers_to(holder: str) -> None:
    at = replace(narrowed(), old_pointer="/items", new_pointer="/items")
    reference = {"$ref": f"#/{holder}/a"}
    schemas: list[JsonValue] = [
        {"items": {**reference}, holder: {"a": {"type": name}}} for name in ("string", "integer")
    ]

    digests = {Digests(contracts(one, True), contracts(one, True)).of(tool(at), at) for one in schemas}

    assert len(digests) == 2


def test_a_digest_of_a_change_to_the_tool_itself_is_of_its_message_and_a_removal_has_one_only() -> None:
    digests = Digests(contracts(True, True), contracts(True, True))
    changes = [replace(REMOVED, message=message) for message in ("no longer read-only", "no longer closed")]

    changed = {digests.of(tool(change), change) for change in changes}
    removed = {digests.of(tool(change, state=ToolState.REMOVED), change) for change in changes}

    assert (len(changed), len(removed)) == (2, 1)
    assert changed.isdisjoint(removed)


KEPT: dict[str, tuple[str, str]] = {
    "a keyword, with those beside it": ("/minimum", "fcf6c250153f4b33"),
    "a subschema, with the definitions that it refers to": ("/items", "f17cf9082e7b1188"),
    "nothing": ("/nowhere/at/all", "f73fe73804914a60"),
}


@pytest.mark.parametrize("case", KEPT)
def test_a_digest_stays_the_same_since_files_of_projects_hold_it(case: str) -> None:
    pointer, digest = KEPT[case]
    at = replace(narrowed(), old_pointer=pointer, new_pointer=pointer)
    old, new = (
        contracts({"minimum": number, "type": ["a", "b"], "items": {"$ref": "#/$defs/a"}, "$defs": {"a": True}}, True)
        for number in (0, 1)
    )

    assert Digests(old, new).of(tool(at), at) == digest
