"""Examples of calls in any form, as messages of the protocol."""

from __future__ import annotations

from mcp_contracts.contract import Example, JsonValue, SpecTool


def message_of(example: Example, tool: SpecTool, name: str) -> JsonValue:
    """Return a call as a message of the protocol; None for anything else, or an incomplete call."""
    if example.computed or not example.is_whole:
        return None
    if example.kind == "arguments":
        return {"tool_name": name, "arguments": example.value}
    if example.kind == "call" and isinstance(example.value, dict):
        arguments = example.value.get("arguments", {})
        called = example.value.get("tool_name")
        called = name if isinstance(called, str) and called in old_names(tool) else called
        return {"tool_name": called, "arguments": arguments if isinstance(arguments, dict) else {}}
    return None


def old_names(tool: SpecTool) -> set[str]:
    """Return the names that calls in a specification may use for a tool."""
    names = (tool.contract.name, tool.contract.name.rpartition(".")[2], tool.invocation_name)
    return {name for name in names if name is not None}
