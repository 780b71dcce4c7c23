"""Images, audio and MCP's other content blocks, as functions take and return them."""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field

_KINDS = ("text", "image", "audio", "resource", "resource_link")
_PACKAGES = ("mcp_contracts", "mcp", "mcp_types", "fastmcp")
_UNIONS = (Union, types.UnionType)
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
    """Return a block, or a list of texts and blocks, as the data that represents it, and any other value unchanged."""
    if _is_block(type(value)):
        return {"content": [_block(value)]}
    if isinstance(value, list | tuple) and any(_is_block(type(item)) for item in value[:_MOST_SEEN]):
        return {"content": [_block(item) for item in value]}
    return value


def is_of_blocks(annotation: Any) -> bool:
    """Whether a function with this return type returns blocks, which have no schema: clients show them as they are."""
    items = get_args(annotation) if get_origin(annotation) in (list, tuple) else (annotation,)
    kinds = [kind for item in items for kind in (get_args(item) if get_origin(item) in _UNIONS else (item,))]
    return any(map(_is_block, kinds)) and all(kind in (str, ..., types.NoneType) or _is_block(kind) for kind in kinds)


def _is_block(kind: Any) -> bool:
    """Whether a class is a block: ours, one of MCP's SDK, or its or FastMCP's helper that makes one."""
    if not isinstance(kind, type):
        return False
    if hasattr(kind, "to_image_content") or hasattr(kind, "to_audio_content"):
        return True
    field = kind.model_fields.get("type") if issubclass(kind, BaseModel) else None
    return field is not None and field.default in _KINDS and kind.__module__.partition(".")[0] in _PACKAGES


def _block(value: Any) -> Any:
    if isinstance(value, str):
        return {"type": "text", "text": value}
    make = getattr(value, "to_image_content", None) or getattr(value, "to_audio_content", None)
    value = value if make is None else make()
    is_foreign = isinstance(value, BaseModel) and not isinstance(value, _Block)
    return value.model_dump(mode="json", by_alias=True, exclude_none=True) if is_foreign else value
