"""Extract the images of a result so that a model sees them, and restore them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mcp_contracts import lazy_re as re
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.records import dataclass
from mcp_contracts.schema.simple import as_list, as_object

_MEDIA_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_NUMBERED = re.compile(r"image \d+")
_HOLDERS = ("content", "_content")
"""The keys of MCP's content blocks in the data of a result and in the details of an error."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image in base64."""

    media_type: str
    data: str


def without_images(result: MCPToolResult) -> tuple[MCPToolResult, tuple[Image, ...]]:
    """Replace the data of a result's images with `image 1`, `image 2`, …, and return those images.

    Images are MCP's blocks (`{"type": "image", "data", "mimeType"}`) under `content` or `_content`, in the formats that
    providers display: PNG, JPEG, GIF and WebP.
    """
    value = result.to_dict()
    blocks = list(_image_blocks(value))
    shown = [block for block in blocks if block["mimeType"] in _MEDIA_TYPES and _BASE64.fullmatch(block["data"])]
    if not shown or any(_NUMBERED.fullmatch(block["data"]) for block in blocks):
        return result, ()
    images = tuple(Image(block["mimeType"], block["data"]) for block in shown)
    for number, block in enumerate(shown, 1):
        block["data"] = f"image {number}"
    return MCPToolResult.model_validate(value), images


def with_images(result: MCPToolResult, images: Sequence[Image]) -> MCPToolResult | None:
    """Restore the images that `without_images` extracted from a result, or return None if it extracted none."""
    value = result.to_dict()
    numbered = [block for block in _image_blocks(value) if _NUMBERED.fullmatch(block["data"])]
    if len(numbered) != len(images):
        return None
    for number, (block, image) in enumerate(zip(numbered, images, strict=True), 1):
        if block["data"] != f"image {number}" or block["mimeType"] != image.media_type:
            return None
        block["data"] = image.data
    return MCPToolResult.model_validate(value)


def _image_blocks(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    error = value["error"]
    for holder in (value["data"], error["error_details"] if isinstance(error, dict) else None):
        for key in _HOLDERS:
            yield from filter(_is_image_block, as_list(as_object(holder).get(key)))


def _is_image_block(block: object) -> bool:
    if not isinstance(block, dict) or block.get("type") != "image":
        return False
    return isinstance(block.get("data"), str) and isinstance(block.get("mimeType"), str)
