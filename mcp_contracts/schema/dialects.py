"""The dialects of JSON Schema that are supported, and which one a schema is written in."""

from __future__ import annotations

from enum import StrEnum

from mcp_contracts.contract import JsonValue


class Dialect(StrEnum):
    """A dialect of JSON Schema that we support."""

    DRAFT_7 = "draft-07"
    DRAFT_2020_12 = "2020-12"


_DIALECTS = {
    "http://json-schema.org/draft-07/schema": Dialect.DRAFT_7,
    "https://json-schema.org/draft-07/schema": Dialect.DRAFT_7,
    "http://json-schema.org/draft/2020-12/schema": Dialect.DRAFT_2020_12,
    "https://json-schema.org/draft/2020-12/schema": Dialect.DRAFT_2020_12,
}


def dialect_of(schema: JsonValue) -> Dialect | None:
    """The dialect of a schema, 2020-12 where it names none (MCP, SEP-1613), or None where it names another."""
    if not isinstance(schema, dict) or "$schema" not in schema:
        return Dialect.DRAFT_2020_12
    named = schema["$schema"]
    return _DIALECTS.get(named.removesuffix("#")) if isinstance(named, str) else None
