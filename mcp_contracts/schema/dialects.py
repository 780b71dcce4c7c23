"""The supported dialects of JSON Schema, and how a schema states its dialect."""

from __future__ import annotations

from enum import StrEnum

from mcp_contracts.contract import JsonValue


class Dialect(StrEnum):
    """A supported dialect of JSON Schema."""

    DRAFT_7 = "draft-07"
    DRAFT_2020_12 = "2020-12"


_DIALECTS = {
    "http://json-schema.org/draft-07/schema": Dialect.DRAFT_7,
    "https://json-schema.org/draft-07/schema": Dialect.DRAFT_7,
    "http://json-schema.org/draft/2020-12/schema": Dialect.DRAFT_2020_12,
    "https://json-schema.org/draft/2020-12/schema": Dialect.DRAFT_2020_12,
}


def dialect_of(schema: JsonValue) -> Dialect | None:
    """Return the dialect of a schema, 2020-12 if it states none (MCP, SEP-1613), or None if it is not supported."""
    if not isinstance(schema, dict) or "$schema" not in schema:
        return Dialect.DRAFT_2020_12
    named = schema["$schema"]
    return _DIALECTS.get(named.removesuffix("#")) if isinstance(named, str) else None
