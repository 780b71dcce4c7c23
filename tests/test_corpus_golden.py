"""The parser compared with a person's reading of 40 real specifications.

The specifications belong to others and are not part of the project: `MCP_CONTRACTS_CORPUS` is the folder that contains
`corpus/specs/`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TypedDict

import pytest

from mcp_contracts.contract import SchemaOrigin, SpecFile, SpecTool
from mcp_contracts.parsing.spec import read_spec

RECORDS = sorted((Path(__file__).parent / "golden" / "corpus").glob("*.json"))
CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")


class Parameter(TypedDict):
    """A parameter and whether it is required; None if its author does not say."""

    name: str
    required: bool | None


class Tool(TypedDict):
    """A tool; `parameters` is None if they are not described."""

    name: str
    version: str | None
    parameters: list[Parameter] | None


class Record(TypedDict):
    """The content of a specification."""

    module_version: str | None
    states_no_tools: bool
    tools: list[Tool]


def test_every_specification_has_a_record() -> None:
    assert len(RECORDS) == 40


@pytest.mark.skipif(not CORPUS, reason="MCP_CONTRACTS_CORPUS does not say where the specifications are")
@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_a_real_specification_is_read_as_a_person_reads_it(record: Path) -> None:
    path = Path(CORPUS or "") / "corpus" / "specs" / record.stem / "MCP_TOOL_SPECIFICATION.md"

    read = read_spec(str(path), path.read_bytes().decode("utf-8"))

    assert recorded(read) == json.loads(record.read_text("utf-8"))


def recorded(read: SpecFile) -> Record:
    """Return a specification in the form of a record."""
    return {
        "module_version": read.module_version,
        "states_no_tools": read.states_no_tools,
        "tools": [
            {"name": tool.contract.name, "version": tool.contract.version, "parameters": parameters(tool)}
            for tool in read.tools
        ],
    }


def parameters(tool: SpecTool) -> list[Parameter] | None:
    """Return the parameters of a tool. Without a schema, the rows say whether they are required."""
    schema = tool.contract.input_schema
    if tool.contract.input is None or not isinstance(schema, dict):
        return None
    rows = {}
    if tool.input_table is not None and tool.contract.input.origin is not SchemaOrigin.SCHEMA:
        rows = {row.name: row.required for row in tool.input_table.rows}
    properties, required = schema.get("properties"), schema.get("required")
    names = required if isinstance(required, list) else []
    return [
        {"name": name, "required": rows.get(name, name in names)}
        for name in (properties if isinstance(properties, dict) else {})
    ]
