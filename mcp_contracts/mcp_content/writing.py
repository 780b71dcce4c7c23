"""Write a result as MCP's `CallToolResult`, from which `mcp_content.result_of` restores exactly the same result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum

from mcp_contracts.contract import JsonValue
from mcp_contracts.mcp_content.reading import CONTENT_KEY, RESULT_KEY, result_of
from mcp_contracts.messages import MCPToolResult, ResultStatus
from mcp_contracts.schema.simple import as_list

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_STATUS_WORDS = {ResultStatus.NO_CHANGE_NEEDED: "no change needed", ResultStatus.PARTIAL_SUCCESS: "partial success"}


class Shape(StrEnum):
    """The form of a result's data.

    `FREE`: structured content, or content blocks if it consists of them, since it has no output schema.
    `REQUIRED`: structured content unchanged, as the tool's output schema requires. `BARE`: the value under `result`, or
    null. `WRAPPED`: structured content with the data, or null, under `result`.
    """

    FREE = "free"
    REQUIRED = "required"
    BARE = "bare"
    WRAPPED = "wrapped"


def answer_of(
    result: MCPToolResult, shape: Shape = Shape.FREE, received: Mapping[str, JsonValue] | None = None
) -> dict[str, JsonValue]:
    """Write a result as a `CallToolResult`, without the `resultType` of 2026-07-28.

    Parts without a place in it (status, error, explanation) are sent as text for the model and exactly under `_meta`; a
    plain success needs neither. If the result was read from the response `received`, its content blocks are sent
    unchanged.
    """
    message = result.to_dict()
    data, blocks = _split_blocks(message["data"], shape)
    structured: dict[str, JsonValue] = {}
    match shape:
        case _ if result.status is ResultStatus.FAILURE:
            place = "none"
        case Shape.WRAPPED:
            structured["structuredContent"] = {"result": data}
            place = "none" if data is None else "result"
        case Shape.BARE:
            structured["structuredContent"] = None if data is None else data["result"]
            place = "none" if data is None else "structuredContent"
        case _ if data is not None:
            structured["structuredContent"] = data
            place = "structuredContent"
        case _:
            place = "none" if blocks is None else "content"
    content: list[JsonValue] = [_text(_write_json(value)) for value in structured.values()]
    mark: dict[str, JsonValue] = {"status": message["status"], "data": place}
    if blocks is not None:
        mark["blocks"] = [len(content), len(content) + len(blocks)]
        content.extend(blocks)
    content.extend(_text(note) for note in _notes(result, message))
    is_error = result.status is ResultStatus.FAILURE or (shape is Shape.REQUIRED and data is None)
    answer: dict[str, JsonValue] = {"content": content, **structured, "isError": is_error}
    mark.update({key: message[key] for key in ("error", "explanation") if message[key] is not None})
    if received is not None and _are_blocks(received.get("content")) and _is_read_as(message, received):
        kept = {"structuredContent"} if is_error else set()
        restated = {**answer, **{key: received[key] for key in received.keys() & {"content", *kept}}}
        if not _is_read_as(message, restated):
            restated["_meta"] = {RESULT_KEY: {key: value for key, value in mark.items() if key != "blocks"}}
        if _is_read_as(message, restated):
            return restated
    is_plain = result.status is ResultStatus.SUCCESS and result.error is None and result.explanation is None
    is_whole = place == "content" or (place == "structuredContent" and blocks is None)
    if not (is_plain and is_whole) and not _is_read_as(message, answer):
        answer["_meta"] = {RESULT_KEY: mark}
    return answer


def _is_read_as(message: Mapping[str, JsonValue], answer: Mapping[str, JsonValue]) -> bool:
    return result_of(answer).to_dict() == message


def without_blocks(data: dict[str, JsonValue] | None) -> dict[str, JsonValue] | None:
    """Return the data that an output schema describes: without additional content blocks."""
    return _split_blocks(data, Shape.REQUIRED)[0]


def _split_blocks(
    data: dict[str, JsonValue] | None, shape: Shape
) -> tuple[dict[str, JsonValue] | None, list[JsonValue] | None]:
    """Return the parts that become structured content and content blocks."""
    if data is None:
        return None, None
    if shape is Shape.FREE and data.keys() == {"content"} and _are_blocks(data["content"]):
        return None, as_list(data["content"])
    beside = data.get(CONTENT_KEY)
    if beside and _are_blocks(beside):
        return {key: value for key, value in data.items() if key != CONTENT_KEY}, as_list(beside)
    return data, None


def _notes(result: MCPToolResult, message: Mapping[str, JsonValue]) -> Iterator[str]:
    """Yield the text that a model must read in addition to the data."""
    error = message["error"]
    words = _STATUS_WORDS.get(result.status)
    if isinstance(error, dict):
        note = f"{error['error_type']}: {error['error_message']}"
        details = error["error_details"]
        if details is not None:
            note += f"\n{details if isinstance(details, str) else _write_json(details)}"
        yield note if words is None else f"{words}: {note}"
    if result.explanation:
        yield result.explanation if words is None or error else f"{words}: {result.explanation}"
    elif words is not None and error is None:
        yield words


def _text(text: str) -> JsonValue:
    return {"type": "text", "text": text}


def _write_json(value: JsonValue) -> str:
    return _ENCODER.encode(value)


# Blocks: an unknown block would invalidate the whole response, so only valid blocks are sent as such.


def _are_blocks(value: JsonValue) -> bool:
    return isinstance(value, list) and all(map(_is_block, value))


_REQUIRED: Mapping[str, tuple[str, ...]] = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
    "resource": (),
}
_OPTIONAL_TEXTS = ("title", "description", "mimeType")
_ROLES = ("user", "assistant")


def _is_block(block: JsonValue) -> bool:
    if not isinstance(block, dict):
        return False
    kind = block.get("type")
    if not isinstance(kind, str) or kind not in _REQUIRED:
        return False
    if not all(isinstance(block.get(key), str) for key in _REQUIRED[kind]):
        return False
    if kind == "resource" and not _is_resource(block.get("resource")):
        return False
    if kind == "resource_link" and not _is_link(block):
        return False
    return _is_meta(block) and ("annotations" not in block or _are_annotations(block["annotations"]))


def _is_resource(value: JsonValue) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("uri"), str) or not _is_meta(value):
        return False
    return isinstance(value.get("mimeType", ""), str) and any(
        isinstance(value.get(key), str) for key in ("text", "blob")
    )


def _is_link(block: Mapping[str, JsonValue]) -> bool:
    size = block.get("size", 0)
    icons = block.get("icons", [])
    if not isinstance(size, int) or isinstance(size, bool) or not isinstance(icons, list):
        return False
    return all(map(_is_icon, icons)) and all(isinstance(block.get(key, ""), str) for key in _OPTIONAL_TEXTS)


def _is_icon(value: JsonValue) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("src"), str):
        return False
    sizes = value.get("sizes", [])
    are_sizes = isinstance(sizes, list) and all(isinstance(size, str) for size in sizes)
    return are_sizes and isinstance(value.get("mimeType", ""), str) and value.get("theme", "dark") in ("light", "dark")


def _is_meta(holder: Mapping[str, JsonValue]) -> bool:
    return isinstance(holder.get("_meta", {}), dict)


def _are_annotations(value: JsonValue) -> bool:
    if not isinstance(value, dict):
        return False
    audience, priority = value.get("audience", []), value.get("priority", 0)
    is_audience = isinstance(audience, list) and all(role in _ROLES for role in audience)
    is_priority = isinstance(priority, int | float) and not isinstance(priority, bool) and 0 <= priority <= 1
    return is_audience and is_priority and isinstance(value.get("lastModified", ""), str)
