"""Schemas and examples of a tool for the tests of rules, with places from the parser."""

from __future__ import annotations

import json
from typing import Any, Literal

from mcp_contracts.contract import Example, JsonValue, SchemaOrigin, SchemaPart, ToolContract
from mcp_contracts.diagnostics import Finding, Part, Place
from mcp_contracts.parsing.data.documents import Document, read_json
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.rules.base import Rule, RuleOptions, ToolSchema
from mcp_contracts.schema.dialects import dialect_of
from mcp_contracts.schema.walk import subschemas

PATH = "tools.json"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def document(value: JsonValue) -> Document:
    """Parse JSON with one value or key on each line."""
    text = json.dumps(value, indent=1)
    return read_json(SourceText.of(PATH, text), text)


def schema_part(value: JsonValue, part: Part = "input", origin: SchemaOrigin = SchemaOrigin.SCHEMA) -> SchemaPart:
    """One schema of a tool."""
    return SchemaPart(part, value, origin, document(value))


def tool(
    input_schema: JsonValue = None, output_schema: JsonValue = None, name: str = "weather.get_forecast", **fields: Any
) -> ToolContract:
    """Return a contract with the given schemas."""
    return ToolContract(
        name,
        Place(PATH, 1, 1, 1, 2),
        input=schema_part(input_schema) if input_schema is not None else None,
        output=schema_part(output_schema, "output") if output_schema is not None else None,
        **fields,
    )


def tool_schema(value: JsonValue, part: Part = "input") -> ToolSchema:
    """Return one schema of a tool as the engine passes it to rules."""
    contract = tool(value) if part == "input" else tool({"type": "object"}, value)
    return ToolSchema(contract, part, value, SchemaOrigin.SCHEMA, subschemas(value), dialect_of(value))


def with_properties(**properties: JsonValue) -> ToolSchema:
    """Return an input schema with some properties."""
    return tool_schema({"type": "object", "properties": properties})


def example(kind: Literal["call", "result", "arguments", "data"], value: JsonValue) -> Example:
    """Return an example of a tool."""
    return Example(kind, value, document(value))


def found(rule: Rule, subject: object) -> list[Finding]:
    """Return the findings of a rule."""
    return list(rule.run(subject, RuleOptions()))


def messages(rule: Rule, subject: object) -> list[str]:
    """Return the messages of a rule's findings."""
    return [finding.message for finding in found(rule, subject)]


def one(rule: Rule, subject: object) -> Finding:
    """Return the only finding of a rule."""
    (finding,) = found(rule, subject)
    return finding


def pointers(rule: Rule, subject: object) -> list[str | None]:
    """Return the pointers of a rule's findings."""
    return [finding.pointer for finding in found(rule, subject)]
