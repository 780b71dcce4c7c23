"""What an accepted change is bound to: the part of the schema that it is about, on its own side of the tool."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from mcp_contracts.checks.acceptance import Digests
from mcp_contracts.contract import Contracts, JsonValue, SchemaOrigin, SchemaPart, SpecFile, SpecTool, ToolContract
from tests.test_accepted_changes import LIMIT, NAME, PATH, PLACE, Locator, limited, narrowed, tool


def contracts(input_schema: JsonValue, output_schema: JsonValue) -> Contracts:
    """The contract of one tool with both schemas."""
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
