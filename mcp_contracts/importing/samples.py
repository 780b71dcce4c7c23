"""A call sampled from a schema, for a specification without an example."""

from __future__ import annotations

from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.witnesses.counterexamples import readable, sample_witness


def sampled_call(contract: ToolContract) -> JsonValue:
    """A call of a tool that its input schema accepts; None where none is found within the bounds of a sample."""
    schema = contract.input_schema
    if not isinstance(schema, dict):
        return None
    arguments = sample_witness(schema, False)
    if not isinstance(arguments, dict):
        return None
    return {"tool_name": contract.name, "arguments": readable(arguments, schema, False)}
