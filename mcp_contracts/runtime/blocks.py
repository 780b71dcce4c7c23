"""Images, audio and MCP's other content blocks, as arguments and results of functions."""

from __future__ import annotations

import json
import types
from collections.abc import Collection, Iterable, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field

_KINDS = ("text", "image", "audio", "resource", "resource_link")
_PACKAGES = ("mcp_contracts", "mcp", "mcp_types", "fastmcp")
_UNIONS = (Union, types.UnionType)
_LISTS = (list, tuple, Sequence, Collection, Iterable)
_MOST_SEEN = 100


class _Block(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Image(_Block):
    """An image as a parameter or a result: its bytes, and their media type."""

    type: Literal["image"] = "image"
    data: bytes = Field(repr=False)
    mime_type: str = Field(default="image/png", validation_alias="mimeType", serialization_alias="mimeType")


class Audio(_Block):
    """A recording as a parameter or a result: its bytes, and their media type."""

    type: Literal["audio"] = "audio"
    data: bytes = Field(repr=False)
    mime_type: str = Field(default="audio/wav", validation_alias="mimeType", serialization_alias="mimeType")


def with_blocks(value: Any) -> Any:
    """Return a block, or a list of strings and blocks, as the data that represents it; other values unchanged."""
    if _is_block(type(value)):
        return {"content": [_block(value)]}
    if isinstance(value, list | tuple) and any(_is_block(type(item)) for item in value[:_MOST_SEEN]):
        return {"content": [_block(item) for item in value]}
    return value


def may_be_blocks(annotation: Any) -> bool:
    """Whether a function with this return type may return blocks, which have no schema: clients show them unchanged.

    A list whose items may be anything may contain blocks.
    """
    origin, members = get_origin(annotation) or annotation, get_args(annotation)
    if origin is Annotated:
        return may_be_blocks(members[0])
    if origin in _UNIONS:
        return any(map(may_be_blocks, members))
    if origin in _LISTS:
        return not members or any(member in (Any, object) or may_be_blocks(member) for member in members)
    return _is_block(annotation)


def _is_block(kind: Any) -> bool:
    """Whether a class is a block: ours, one from MCP's SDK, or a helper of the SDK or FastMCP that creates one."""
    if not isinstance(kind, type):
        return False
    if hasattr(kind, "to_image_content") or hasattr(kind, "to_audio_content"):
        return True
    field = kind.model_fields.get("type") if issubclass(kind, BaseModel) else None
    return field is not None and field.default in _KINDS and kind.__module__.partition(".")[0] in _PACKAGES


def _block(value: Any) -> Any:
    if isinstance(value, str):
        return {"type": "text", "text": value}
    if not _is_block(type(value)):
        return value if isinstance(value, dict) and value.get("type") in _KINDS else _text_block(value)
    make = getattr(value, "to_image_content", None) or getattr(value, "to_audio_content", None)
    value = value if make is None else make()
    is_foreign = isinstance(value, BaseModel) and not isinstance(value, _Block)
    return value.model_dump(mode="json", by_alias=True, exclude_none=True) if is_foreign else value


def _text_block(value: Any) -> Any:
    """Return a value next to blocks as text; unchanged if JSON cannot represent it."""
    try:
        return {"type": "text", "text": json.dumps(value, ensure_ascii=False, allow_nan=False)}
    except (TypeError, ValueError, RecursionError):
        return value
