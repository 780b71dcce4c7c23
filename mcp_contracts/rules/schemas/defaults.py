"""The rule about a default on a parameter that is required (MC325)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SchemaPart, SourceFile, SpecFile, SpecTool
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.schemas.names import name_of
from mcp_contracts.rules.tables.cell_values import stated_value
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.walk import escape, nodes_by_keyword


@rule("MC325", Severity.WARNING, since="0.1.0")
def required_property_with_default(file: SourceFile) -> Iterator[Finding]:
    """A required parameter has a default.

    The default suggests that the parameter may be omitted, but `required` rejects such a call. Models and clients
    follow one or the other. Only inputs are checked, because defaults have no meaning in a result.
    """
    for contract in file.contracts:
        if contract.input is not None:
            yield from _in_schema(contract.input)
    for tool in file.tools if isinstance(file, SpecFile) else ():
        yield from _in_table(tool)


def _in_schema(part: SchemaPart) -> Iterator[Finding]:
    keywords = nodes_by_keyword(part.value)
    for node in keywords.get("required", ()) if "default" in keywords else ():
        required, properties = node.value.get("required"), node.value.get("properties")
        if not isinstance(required, list) or not isinstance(properties, dict):
            continue
        for name in (name for name in required if isinstance(name, str)):
            value = properties.get(name)
            if isinstance(value, dict) and "default" in value and "const" not in value:
                pointer = f"{node.pointer}/properties/{escape(name)}"
                yield Finding(
                    f"`{name_of(pointer)}` is required but has a default",
                    "remove it from `required`, or remove the default",
                    part.locator.place(f"{pointer}/default", on_key=True),
                    part=part.part,
                    pointer=f"{pointer}/default",
                    on_key=True,
                )


_IN_CODE = re.compile(r"`[^`\s]+`")


def _in_table(tool: SpecTool) -> Iterator[Finding]:
    """Return the rows of a table or the items of a list that state both; a schema is checked on its own."""
    table, part = tool.input_table, tool.contract.input
    rows = [row for row in table.rows if row.required and row.default is not None] if table is not None else []
    told = {finding.pointer for finding in _in_schema(part)} if rows and part is not None else set()
    for row in rows:
        pointer = "".join("/items" if step == "[]" else f"/properties/{escape(step)}" for step in row.path)
        if row.default is None or f"{pointer}/default" in told:
            continue
        stated = stated_value(row.default.text)
        is_code = stated is None and _IN_CODE.fullmatch(row.default.text) is not None
        if is_code or (stated is not None and stated.value is not None):
            message = f"`{show(row.name)}` is required but has a default"
            hint = "make it optional, or remove the default"
            yield Finding(message, hint, row.default.place, part="input", pointer=f"{pointer}/default")
