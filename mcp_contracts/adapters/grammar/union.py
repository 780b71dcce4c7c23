"""The JSON Schema of a call to one of several tools, with valid arguments."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from mcp_contracts.adapters.base import Loss
from mcp_contracts.adapters.grammar.calls import NO_ARGUMENTS, named_tools, refusal
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import replace
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.references import ReferenceState, references
from mcp_contracts.schema.validation.validators import compile_schema
from mcp_contracts.schema.walk import SchemaNode, subschemas
from mcp_contracts.tool_names import Tools

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NAMING = ("$id", "$anchor", "$dynamicAnchor", "$dynamicRef")


def schema_of(contracts: Tools, *, strict: bool = False) -> dict[str, JsonValue]:
    """Return the 2020-12 schema that accepts exactly the calls to one of the tools.

    Each tool's whole schema is under `$defs` by the tool's name. A schema that cannot be nested in another one is left
    out, with a warning. Raises the errors of `union_of`.
    """
    schema, losses = union_of(contracts, strict=strict)
    if losses:
        warnings.warn(f"the schema leaves out `{losses[0].tool}`: {losses[0].message}", stacklevel=2)
    return schema


def union_of(contracts: Tools, *, strict: bool = False) -> tuple[dict[str, JsonValue], tuple[Loss, ...]]:
    """Return the schema that `schema_of` returns, and why tools are left out.

    Raises NotPortableError if no tool's schema can be nested or, with `strict`, if any cannot; and UsageError as
    `calls.grammar_of` does.
    """
    calls: list[JsonValue] = []
    definitions: dict[str, JsonValue] = {}
    losses: list[Loss] = []
    for name, contract in named_tools(contracts).items():
        schema = NO_ARGUMENTS if contract.input_schema is None else contract.input_schema
        refused = [Loss(name, "input", *one) for one in _refusals(schema)]
        losses += refused
        if not refused:
            pointer = f"#/$defs/{escape(name)}"
            definitions[name] = _relocate(schema, pointer)
            calls.append(_call(name, pointer))
    if losses and (strict or not calls):
        raise refusal(losses)
    left_out = tuple(replace(loss, message=f"the tool is left out: {loss.message}") for loss in losses)
    return {"$schema": _DIALECT, "type": "object", "anyOf": calls, "$defs": definitions}, left_out


def _call(name: str, pointer: str) -> JsonValue:
    arguments: JsonValue = {"type": "object", "allOf": [{"$ref": pointer}]}
    return {
        "type": "object",
        "properties": {"tool_name": {"const": name}, "arguments": arguments},
        "required": ["tool_name", "arguments"],
        "additionalProperties": False,
    }


def _refusals(schema: JsonValue) -> Iterator[tuple[str, str, str]]:
    """Yield why a schema cannot be nested in another: pointer, keyword and message."""
    invalid = compile_schema(schema).refusal
    if invalid is not None:
        yield invalid.pointer, invalid.pointer.rpartition("/")[2] or "$schema", invalid.message
        return
    for node in subschemas(schema):
        for keyword in _NAMING:
            if keyword in node.value and not (keyword == "$id" and not node.pointer):
                yield f"{node.pointer}/{keyword}", keyword, f"a schema with `{keyword}` cannot be nested in another"
    for reference in references(schema):
        if reference.state is not ReferenceState.LOCAL or not reference.text.startswith("#"):
            yield reference.pointer, "$ref", f"the reference `{reference.text}` points outside the schema"


def _relocate(schema: JsonValue, pointer: str) -> JsonValue:
    """Return a copy of a schema with references to its new place, converted to 2020-12."""
    if not isinstance(schema, dict):
        return schema
    nodes = {id(node.value): node for node in subschemas(schema)}
    is_draft_7 = dialect_of(schema) is Dialect.DRAFT_7
    moved = _copy(schema, nodes, pointer, is_draft_7=is_draft_7)
    return {k: v for k, v in moved.items() if k not in ("$schema", "$id")} if isinstance(moved, dict) else moved


def _copy(value: JsonValue, nodes: dict[int, SchemaNode], pointer: str, *, is_draft_7: bool) -> JsonValue:
    if isinstance(value, list):
        return [_copy(item, nodes, pointer, is_draft_7=is_draft_7) for item in value]
    if not isinstance(value, dict):
        return value
    if id(value) in nodes:
        text = value.get("$ref")
        if is_draft_7:
            value = {"$ref": text, **_definitions(value)} if text is not None else _convert_draft_7(value)
        copied = {keyword: _copy(part, nodes, pointer, is_draft_7=is_draft_7) for keyword, part in value.items()}
        if isinstance(text, str):
            copied["$ref"] = pointer + text[1:]
        return copied
    return {name: _copy(part, nodes, pointer, is_draft_7=is_draft_7) for name, part in value.items()}


def _definitions(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {name: schema[name] for name in ("definitions", "$defs") if name in schema}


def _convert_draft_7(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    found = {keyword: part for keyword, part in schema.items() if keyword not in ("additionalItems", "dependencies")}
    if isinstance(schema.get("items"), list):
        found["prefixItems"] = found.pop("items")
        if "additionalItems" in schema:
            found["items"] = schema["additionalItems"]
    dependencies = schema.get("dependencies")
    if isinstance(dependencies, dict):
        lists: dict[str, JsonValue] = {name: part for name, part in dependencies.items() if isinstance(part, list)}
        others: dict[str, JsonValue] = {name: part for name, part in dependencies.items() if name not in lists}
        found |= {"dependentRequired": lists, "dependentSchemas": others}
    return found
