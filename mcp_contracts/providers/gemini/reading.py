"""Convert Gemini's `Schema` to an equivalent JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import json_value
from mcp_contracts.providers.merging import Schema
from mcp_contracts.schema.simple import as_list

_MAXIMUM_LEVELS = 100
_SIZES = frozenset(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"))
_NAMES: Mapping[str, str] = {
    "any_of": "anyOf",
    "additional_properties": "additionalProperties",
    "min_length": "minLength",
    "max_length": "maxLength",
    "min_items": "minItems",
    "max_items": "maxItems",
    "min_properties": "minProperties",
    "max_properties": "maxProperties",
    "property_ordering": "propertyOrdering",
}
"""The keys of Google's Python package for the keywords."""


def json_schema_of(value: JsonValue, levels: int = _MAXIMUM_LEVELS) -> JsonValue:
    """Convert a `Schema` to a JSON Schema, in new containers; keys may be those of the wire format or of Python.

    `nullable` becomes a type with null, numbers that came as text (such as 64-bit integers) become numbers, and `ref`
    and `defs` become `$ref` and `$defs`. The order of properties is not part of JSON Schema and is dropped. Raises
    UsageError if a schema is nested too deeply.
    """
    if levels <= 0:
        raise UsageError(f"the schema is nested more than {_MAXIMUM_LEVELS} levels deep")
    if not isinstance(value, dict):
        return value if isinstance(value, bool) else True
    result: Schema = {}
    for key, member in value.items():
        name = _NAMES.get(key, key)
        if member is None and name != "default":
            continue
        match name:
            case "type":
                kind = _type(member)
                if kind is not None:
                    result["type"] = kind
            case "properties" | "defs" | "$defs":
                if isinstance(member, dict):
                    each: Schema = {one: json_schema_of(schema, levels - 1) for one, schema in member.items()}
                    result["properties" if name == "properties" else "$defs"] = each
            case "items" | "additionalProperties":
                result[name] = json_schema_of(member, levels - 1)
            case "anyOf":
                result[name] = [json_schema_of(schema, levels - 1) for schema in as_list(member)]
            case "ref":
                result["$ref"] = str(member).replace("#/defs/", "#/$defs/", 1)
            case "example":
                result["examples"] = [json_value(member)]
            case "nullable" | "propertyOrdering":
                pass
            case _:
                result[name] = _parse_number(member) if name in _SIZES else json_value(member)
    if result.get("format") == "enum":
        del result["format"]
    values = result.get("enum")
    if isinstance(values, list) and result.get("type") in ("integer", "number"):
        result["enum"] = [_parse_number(one) for one in values]
    return _make_nullable(result) if value.get("nullable") is True else result


def _make_nullable(schema: Schema) -> Schema:
    kind = schema.get("type")
    if isinstance(kind, str):
        if kind != "null":
            schema["type"] = [kind, "null"]
        if isinstance(schema.get("enum"), list) and None not in as_list(schema["enum"]):
            schema["enum"] = [*as_list(schema["enum"]), None]
        return schema
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        return {**schema, "anyOf": [*branches, {"type": "null"}]}
    return schema


def _type(value: JsonValue) -> str | None:
    kind = value.lower() if isinstance(value, str) else ""
    return None if kind in ("", "type_unspecified") else kind


def _parse_number(value: JsonValue) -> JsonValue:
    if not isinstance(value, str):
        return json_value(value)  # type: ignore[no-any-return]  # JSON in, JSON out
    text = value.removeprefix("-")
    if text.isascii() and text.isdigit() and len(text) < 20:
        return int(value)
    try:
        number = float(value)
    except ValueError:
        return value
    return number if abs(number) < 1e300 else value
