"""The rule about values that are listed twice (MC328)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.rules.base import ToolSchema, rule
from mcp_contracts.rules.schemas.names import name_of
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.simple import value_key
from mcp_contracts.schema.wording import shown_value


@rule("MC328", Severity.WARNING, since="0.1.0", needs=["enum"])
def repeated_enum_value(schema: ToolSchema) -> Iterator[Finding]:
    """An `enum` lists a value twice.

    The duplicate has no effect. Usually it replaced another value by mistake, and calls with that value are rejected.
    The values of an `enum` should be unique (JSON Schema 2020-12, validation, section 6.1.2).
    """
    for node in schema.having("enum"):
        values = node.value["enum"]
        if not isinstance(values, list):
            continue
        seen = set()
        for index, value in enumerate(values):
            key = value_key(value)
            if key in seen:
                name = name_of(node.pointer)
                of = f" of `{show(name)}`" if name else ""
                yield Finding(
                    f"the `enum`{of} lists {shown_value(value)} twice",
                    "remove it, or write the value that was meant",
                    part=schema.part,
                    pointer=f"{node.pointer}/enum/{index}",
                )
            seen.add(key)
