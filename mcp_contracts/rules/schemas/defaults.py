"""The rule about a default on a parameter that is required (MC325)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.rules.base import ToolSchema, rule
from mcp_contracts.rules.schemas.names import name_of
from mcp_contracts.schema.walk import escape


@rule("MC325", Severity.WARNING, since="0.1.0")
def required_property_with_default(schema: ToolSchema) -> Iterator[Finding]:
    """A required parameter has a default.

    The default suggests that the parameter may be omitted, but `required` rejects such a call. Models and clients
    follow one or the other. Only inputs are checked, because defaults have no meaning in a result.
    """
    if schema.part != "input":
        return
    for node in schema.nodes:
        required, properties = node.value.get("required"), node.value.get("properties")
        if not isinstance(required, list) or not isinstance(properties, dict):
            continue
        for name in (name for name in required if isinstance(name, str)):
            value = properties.get(name)
            if isinstance(value, dict) and "default" in value and "const" not in value:
                pointer = f"{node.pointer}/properties/{escape(name)}"
                yield Finding(
                    f"`{name_of(pointer)}` is required, and has a default",
                    "remove it from `required`, or remove the default",
                    part=schema.part,
                    pointer=f"{pointer}/default",
                    on_key=True,
                )
