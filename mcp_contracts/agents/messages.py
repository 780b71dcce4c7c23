"""The messages of a conversation: plain JSON objects, independent of providers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Required, TypedDict

from mcp_contracts.adapters.result_images import without_images
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolResult, ResultStatus

Role = Literal["system", "user", "assistant", "tool"]

_ROLES = ("system", "user", "assistant", "tool")
_INTERRUPTED = "No result: the run was interrupted. The call may or may not have taken effect."
_CALL = {"id": str, "tool_name": str, "arguments": dict}
_IMAGE = {"media_type": str, "data": str}
_HINT = 'pass messages such as {"role": "user", "content": "…"}'


class MessageCall(TypedDict):
    """A call in a message of the model: `tool_name` is dotted, or as the model wrote it if no such tool exists."""

    id: str
    tool_name: str
    arguments: dict[str, JsonValue]


class MessageImage(TypedDict):
    """An image in base64."""

    media_type: str
    data: str


class Message(TypedDict, total=False):
    """One message. A caller's list of messages is the memory of an agent: JSON that can be stored, trimmed and sent
    again.

    `calls` are the calls of an `assistant` message, and `echo` is that message in the format of the provider that wrote
    it (with signatures that the provider requires back). A `tool` message answers the call `id` of the tool
    `tool_name`: the result as JSON text, `is_error` for a failure, and the `images` of the result.
    """

    role: Required[Role]
    content: Required[str]
    calls: list[MessageCall]
    echo: dict[str, JsonValue]
    id: str
    tool_name: str
    is_error: bool
    images: list[MessageImage]


def check_messages(given: object) -> list[Message]:
    """Return the messages of a caller's list. Raises UsageError for a value that is not a message."""
    if not isinstance(given, list):
        raise UsageError(f"expected a list of messages, got `{type(given).__name__}`", hint="pass `memory=[]`")
    for number, message in enumerate(given, 1):
        fault = next(_faults(message), None)
        if fault is not None:
            raise UsageError(f"message {number} of the memory {fault}", hint=_HINT)
    return list(given)


def _faults(message: object) -> Iterator[str]:
    if not isinstance(message, Mapping):
        yield f"is of type `{type(message).__name__}`"
        return
    if message.get("role") not in _ROLES:
        yield f"has no valid `role`, expected one of {', '.join(_ROLES)}"
    if not isinstance(message.get("content"), str):
        yield "has no text in `content`"
    if message.get("role") == "tool" and not _has(message, {"id": str, "tool_name": str}):
        yield "does not answer a call: it has no `id` and `tool_name`"
    if not isinstance(message.get("echo", {}), dict):
        yield "has an `echo` that is not an object"
    images = message.get("images", [])
    if not isinstance(images, list) or not all(_has(image, _IMAGE) for image in images):
        yield "has `images` that are not images with `media_type` and `data`"
    calls = message.get("calls", [])
    if not isinstance(calls, list) or not all(_has(call, _CALL) for call in calls):
        yield "has `calls` that are not calls with `id`, `tool_name` and `arguments`"


def _has(value: object, members: Mapping[str, type]) -> bool:
    return isinstance(value, Mapping) and all(isinstance(value.get(key), kind) for key, kind in members.items())


def complete_messages(messages: Iterable[Message]) -> Iterator[Message]:
    """Yield messages that every provider accepts: each call with one answer after it, and a user's message first.

    A trimmed memory may begin with answers to removed calls, and an interrupted run may lack some answers.
    """
    waiting: dict[str, str] = {}
    has_begun = False
    for message in messages:
        if message["role"] == "tool":
            if waiting.pop(message["id"], None) is not None:
                yield message
            continue
        yield from _answer_missing_calls(waiting)
        waiting = {}
        has_begun = has_begun or message["role"] == "user"
        if has_begun or message["role"] == "system":
            yield message
            waiting = {call["id"]: call["tool_name"] for call in message.get("calls", ())}
    yield from _answer_missing_calls(waiting)


def _answer_missing_calls(waiting: Mapping[str, str]) -> Iterator[Message]:
    for identifier, name in waiting.items():
        yield {"role": "tool", "content": _INTERRUPTED, "id": identifier, "tool_name": name, "is_error": True}


def observation(identifier: str, tool_name: str, result: MCPToolResult, *, longest: int) -> Message:
    """Return the message that answers a call: its result as JSON text of at most `longest` characters, and images."""
    bare, images = without_images(result)
    text = bare.to_json()
    if len(text) > longest:
        text = f"{text[:longest]}… (truncated: {len(text) - longest:,} more characters)"
    message: Message = {"role": "tool", "content": text, "id": identifier, "tool_name": tool_name}
    if result.status is ResultStatus.FAILURE:
        message["is_error"] = True
    if images:
        message["images"] = [{"media_type": image.media_type, "data": image.data} for image in images]
    return message


def data_url(image: MessageImage) -> str:
    """Return an image as a data URL."""
    return f"data:{image['media_type']};base64,{image['data']}"


def used_ids(messages: Iterable[Message]) -> set[str]:
    """Return the identifiers of all calls in messages."""
    return {call["id"] for message in messages for call in message.get("calls", ())}


def instructions_of(messages: Sequence[Message]) -> str:
    """Return the text of all system messages, for providers that take it separately."""
    return "\n\n".join(message["content"] for message in messages if message["role"] == "system")


def size_of(message: Message) -> int:
    """Return the approximate number of characters of a message in a request; an image counts as 6,000."""
    calls: Any = message.get("calls", ())
    written = sum(len(json.dumps(call["arguments"], ensure_ascii=False)) + len(call["tool_name"]) for call in calls)
    return len(message["content"]) + written + 6_000 * len(message.get("images", ()))
