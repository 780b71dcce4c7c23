"""The replies of models in the wire format of each provider: whole, and as an equivalent stream."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.provider_server import Events, Whole

Calls = tuple[tuple[str, Any], ...]
"""Names and arguments: JSON, or text as the model wrote it."""


@dataclass(frozen=True)
class Says:
    """One reply of a model: text, calls, and how it ended; `cut` at its maximum length, or `refused`."""

    text: str = ""
    calls: Calls = ()
    end: str = ""


def _written(given: Any) -> str:
    return given if isinstance(given, str) else json.dumps(given)


def _pieces(text: str, size: int = 5) -> Iterator[str]:
    yield from (text[at : at + size] for at in range(0, len(text), size))


# Chat Completions


def chat(says: Says, number: int = 1) -> Whole:
    calls = [
        {"id": f"call_{number}_{at}", "type": "function", "function": {"name": name, "arguments": _written(given)}}
        for at, (name, given) in enumerate(says.calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": says.text or None, "refusal": None}
    if calls:
        message["tool_calls"] = calls
    if says.end == "refused":
        message.update(content=None, refusal=says.text)
    reason = {"": "tool_calls" if calls else "stop", "cut": "length", "refused": "stop"}[says.end]
    choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return Whole({**_CHAT, "object": "chat.completion", "choices": [choice], "usage": usage})


_CHAT = {"id": "chatcmpl-1", "created": 0, "model": "scripted"}


def chat_stream(says: Says, number: int = 1) -> Events:
    def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
        return {**_CHAT, "object": "chat.completion.chunk", "choices": [choice]}

    def chunks() -> Iterator[Any]:
        whole = chat(says, number).body["choices"][0]
        yield chunk({"role": "assistant", "content": ""})
        key = "refusal" if says.end == "refused" else "content"
        yield from (chunk({key: piece}) for piece in _pieces(says.text))
        for at, call in enumerate(whole["message"].get("tool_calls", ())):
            function = call["function"]
            yield chunk(
                {"tool_calls": [{**call, "index": at, "function": {"name": function["name"], "arguments": ""}}]}
            )
            for piece in _pieces(function["arguments"]):
                yield chunk({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
        yield chunk({}, whole["finish_reason"])
        yield {**_CHAT, "object": "chat.completion.chunk", "choices": [], "usage": chat(says).body["usage"]}

    return Events(tuple(chunks()), "data: [DONE]\n\n")


# Responses


def response(says: Says, number: int = 1) -> Whole:
    output: list[dict[str, Any]] = []
    if says.text:
        part: dict[str, Any] = {"type": "output_text", "text": says.text, "annotations": []}
        if says.end == "refused":
            part = {"type": "refusal", "refusal": says.text}
        output.append(
            {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed", "content": [part]}
        )
    for at, (name, given) in enumerate(says.calls):
        call = {"type": "function_call", "id": f"fc_{number}_{at}", "call_id": f"call_{number}_{at}", "name": name}
        output.append({**call, "arguments": _written(given), "status": "completed"})
    is_cut = says.end == "cut"
    body = {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "model": "scripted",
        "output": output,
        "status": "incomplete" if is_cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if is_cut else None,
        "error": None,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 11,
            "output_tokens": 7,
            "total_tokens": 18,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }
    return Whole(body)


def response_stream(says: Says, number: int = 1) -> Events:
    whole = response(says, number).body
    kind = "response.refusal.delta" if says.end == "refused" else "response.output_text.delta"
    place = {"item_id": f"msg_{number}", "output_index": 0, "content_index": 0}
    deltas = [{"type": kind, "delta": piece, **place, "logprobs": []} for piece in _pieces(says.text)]
    end = {"type": f"response.{whole['status']}", "response": whole}
    started = {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}
    events: list[dict[str, Any]] = [started, *deltas, end]
    return Events(tuple({**event, "sequence_number": at} for at, event in enumerate(events)))


# Anthropic


def anthropic(says: Says, number: int = 1) -> Whole:
    content: list[Any] = [{"type": "text", "text": says.text}] if says.text else []
    for at, (name, given) in enumerate(says.calls):
        content.append({"type": "tool_use", "id": f"toolu_{number}_{at}", "name": name, "input": given})
    reason = {"": "tool_use" if says.calls else "end_turn", "cut": "max_tokens", "refused": "refusal"}[says.end]
    return Whole(
        {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": content,
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": {"input_tokens": 11, "output_tokens": 7},
        }
    )


def anthropic_stream(says: Says, number: int = 1) -> Events:
    def events() -> Iterator[dict[str, Any]]:
        whole = anthropic(says, number).body
        start = {**whole, "content": [], "stop_reason": None, "usage": {"input_tokens": 11, "output_tokens": 1}}
        yield {"type": "message_start", "message": start}
        yield {"type": "ping"}
        for index, block in enumerate(whole["content"]):
            is_text = block["type"] == "text"
            empty = {**block, "text": ""} if is_text else {**block, "input": {}}
            yield {"type": "content_block_start", "index": index, "content_block": empty}
            for piece in _pieces(block["text"] if is_text else _written(block["input"])):
                delta = {"type": "text_delta", "text": piece} if is_text else {"type": "input_json_delta"}
                yield {
                    "type": "content_block_delta",
                    "index": index,
                    "delta": delta if is_text else {**delta, "partial_json": piece},
                }
            yield {"type": "content_block_stop", "index": index}
        ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 7}}
        yield {"type": "message_stop"}

    return Events(tuple(events()))


# Gemini


def gemini(says: Says, number: int = 1) -> Whole:
    parts: list[dict[str, Any]] = [{"text": says.text}] if says.text else []
    for name, given in says.calls:
        parts.append({"functionCall": {"name": name, "args": given}, "thoughtSignature": "c2lnbmVk"})
    reason = {"": "STOP", "cut": "MAX_TOKENS", "refused": "SAFETY"}[says.end]
    return Whole(_candidates(parts, reason))


def _candidates(parts: list[dict[str, Any]], reason: str | None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if reason is not None:
        candidate["finishReason"] = reason
    usage = {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}


def gemini_stream(says: Says, number: int = 1) -> Events:
    whole = gemini(says, number).body["candidates"][0]
    pieces = [{"text": piece} for piece in _pieces(says.text)]
    calls = [part for part in whole["content"]["parts"] if "functionCall" in part]
    parts = [*pieces, *calls] or [{"text": ""}]
    last = len(parts) - 1
    return Events(
        tuple(_candidates([part], whole["finishReason"] if at == last else None) for at, part in enumerate(parts))
    )


@dataclass(frozen=True)
class Wire:
    """A provider's replies, whole and streamed."""

    name: str
    whole: Callable[[Says, int], Whole]
    stream: Callable[[Says, int], Events]
    dot: str = "__"


WIRES = (
    Wire("chat", chat, chat_stream),
    Wire("responses", response, response_stream),
    Wire("anthropic", anthropic, anthropic_stream),
    Wire("gemini", gemini, gemini_stream, "."),
)
