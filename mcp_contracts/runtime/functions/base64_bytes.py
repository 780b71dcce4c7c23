"""Bytes as base64 text in arguments, wherever an annotation contains `bytes`: see `specs/serialization.md`."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

MARK = "mcp_contracts_base64"
"""The metadata key of a core schema whose JSON form is base64."""


class Base64Bytes:
    """An annotation that makes the JSON form of all `bytes` in a type base64 of RFC 4648, section 4, with padding.

    It reaches into containers, unions, dataclasses and typed dicts. Pydantic's own classes keep their configuration.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the type, changed."""
        changed: CoreSchema = _changed(handler(source), handler, set())
        return changed


def base64_length(count: int) -> int:
    """Return the number of base64 characters of some bytes."""
    return -(-count // 3) * 4


def _changed(node: Any, handler: GetCoreSchemaHandler, seen: set[str]) -> Any:
    """Return a copy of a core schema in which bytes are read from base64. Definitions are changed in place."""
    if isinstance(node, list | tuple):
        return type(node)(_changed(item, handler, seen) for item in node)
    if not isinstance(node, dict) or hasattr(node.get("cls"), "__pydantic_validator__"):
        return node
    if node.get("type") == "bytes":
        inner = {**node, "metadata": {**node.get("metadata", {}), MARK: True}}
        writer = core_schema.plain_serializer_function_ser_schema(_encode, when_used="json")
        return core_schema.no_info_before_validator_function(_decode, inner, serialization=writer)
    reference = str(node.get("schema_ref"))
    if node.get("type") == "definition-ref" and reference not in seen:
        seen.add(reference)
        target: Any = handler.resolve_ref_schema(node)  # made for this type only, unless its class has a validator
        changed = _changed(target, handler, seen)
        if changed is not target:
            target.clear()
            target.update(changed)
        return node
    return {key: item if key in _NO_SCHEMAS else _changed(item, handler, seen) for key, item in node.items()}


_NO_SCHEMAS = ("metadata", "serialization", "default", "expected", "config", "cls", "members")


def _decode(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("should be base64 with padding (RFC 4648, section 4)") from error


def _encode(value: object) -> object:
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else value
