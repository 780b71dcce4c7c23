"""A model behind Gemini's `generateContent`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any

from mcp_contracts.adapters import gemini as adapter
from mcp_contracts.adapters.base import ProviderCall, RefusedCall
from mcp_contracts.adapters.wire import text_of
from mcp_contracts.agents import replies
from mcp_contracts.agents.messages import Message, instructions_of, used_ids
from mcp_contracts.agents.model import OnText, Reply, Stop, Usage, call_without_blocking
from mcp_contracts.agents.offering import ToolForms
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.json_values.text import read_json
from mcp_contracts.providers.limits.table import GEMINI
from mcp_contracts.providers.names import NameMap

_COMPLETE = ("STOP", "FINISH_REASON_UNSPECIFIED")
_UNREADABLE = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE", "OTHER", "")


class Gemini:
    """A model by its name, using a `google.genai.Client`: `Gemini("gemini-…", genai.Client())`.

    The client's async methods are used if it has them. `options` are added to the `config` of every request. A tool
    that Gemini would refuse is left out with a warning.
    """

    def __init__(self, model: str, client: Any, **options: Any) -> None:
        models = getattr(getattr(client, "aio", None), "models", None) or getattr(client, "models", None)
        if not callable(getattr(models, "generate_content", None)):
            raise UsageError(
                f"expected a Gemini client, got `{type(client).__name__}`", hint="pass `google.genai.Client()`"
            )
        self._model = model
        self._models: Any = models
        self._options = options
        self._forms = ToolForms(GEMINI, adapter.tools_out)

    async def __call__(
        self, messages: Sequence[Message], tools: Sequence[ToolContract], *, on_text: OnText | None = None
    ) -> Reply:
        offered = self._forms.of(tools)
        config: dict[str, Any] = {**self._options}
        instructions = instructions_of(messages)
        if instructions:
            config["system_instruction"] = instructions
        if offered.tools:
            config["tools"] = offered.tools
        request = {"model": self._model, "contents": messages_out(messages), "config": config}
        create = getattr(self._models, "generate_content_stream", None) if on_text is not None else None
        if create is None or on_text is None:
            found = replies.convert_reply(await call_without_blocking(self._models.generate_content, **request))
        else:
            streamed = await call_without_blocking(create, **request)
            found = await replies.collect(streamed, _read_stream, on_text)
        return read_reply(found, offered.names, used_ids(messages))


# Messages


def messages_out(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return messages as Gemini's contents, without system messages; adjacent messages of one role become one
    content."""
    return replies.join_by_role(messages, "model", "parts", _parts)


def _parts(message: Message) -> Iterator[dict[str, Any]]:
    if message["role"] == "tool":
        yield {"functionResponse": _response(message)}
        return
    echo: Any = message.get("echo", {}).get("gemini")
    if isinstance(echo, list):
        yield from echo
        return
    if message["content"]:
        yield {"text": message["content"]}
    for call in message.get("calls", ()):
        yield {
            "functionCall": {
                **adapter.id_member(call["id"]),
                "name": replies.sent_name(call["tool_name"], adapter.names_of),
                "args": call["arguments"],
            }
        }


def _response(message: Message) -> dict[str, Any]:
    try:
        result: JsonValue = read_json(message["content"])
    except ValueError:  # it was truncated
        result = message["content"]
    response: dict[str, Any] = {
        **adapter.id_member(message["id"]),
        "name": replies.sent_name(message["tool_name"], adapter.names_of),
        "response": {"error" if message.get("is_error") else "output": result},
    }
    images = [
        {"inlineData": {"mimeType": image["media_type"], "data": image["data"]}} for image in message.get("images", ())
    ]
    return {**response, "parts": images} if images else response


# Replies


def read_reply(value: Any, names: NameMap, used: set[str] | None = None) -> Reply:
    """Read a response that `plain` returned. A call without an identifier gets its position.

    `used` contains the identifiers of the conversation, which the position differs from.
    """
    candidate = next(iter(replies.items(value, "candidates")), None)
    usage = _either(value, "usageMetadata", "usage_metadata")
    tokens = Usage(
        replies.number(usage, "promptTokenCount") or replies.number(usage, "prompt_token_count"),
        replies.number(usage, "candidatesTokenCount") or replies.number(usage, "candidates_token_count"),
    )
    if candidate is None:
        feedback = _either(value, "promptFeedback", "prompt_feedback")
        blocked = text_of(feedback, "blockReason") or text_of(feedback, "block_reason")
        stop = Stop.REFUSED if blocked else Stop.MALFORMED
        return Reply(stop=stop, note=f"the prompt was blocked: {blocked}" if blocked else "no candidates", usage=tokens)
    parts = replies.items(replies.member(candidate, "content"), "parts")
    calls = tuple(_read_calls(parts, names, used))
    reason = text_of(candidate, "finishReason") or text_of(candidate, "finish_reason")
    stop = _stop_of(reason, is_partial=value.get("is_partial") is True)
    return Reply(
        text="".join(text_of(part, "text") for part in parts if part.get("thought") is not True),
        calls=replies.cut_last(calls) if stop is Stop.LENGTH and parts and _call_of(parts[-1]) else calls,
        stop=stop,
        note=text_of(candidate, "finishMessage") or f"the finish reason is {reason or 'missing'}",
        echo={"gemini": [_echo_part(part) for part in parts]},
        usage=tokens,
    )


def _stop_of(reason: str, *, is_partial: bool) -> Stop:
    if reason in _COMPLETE or (not reason and not is_partial):
        return Stop.END
    if reason == "MAX_TOKENS":
        return Stop.LENGTH
    return Stop.MALFORMED if reason in _UNREADABLE else Stop.REFUSED


def _read_calls(
    parts: Iterable[dict[str, Any]], names: NameMap, used: set[str] | None
) -> Iterator[ProviderCall | RefusedCall]:
    taken = set() if used is None else used
    position = 0 if used is None else len(taken)
    for part in parts:
        call = _call_of(part)
        if call:
            position += 1
            while used is not None and f"position:{position}" in taken:
                position += 1
            if used is not None and text_of(call, "id") in taken:
                call["id"] = f"position:{position}"  # a repeated identifier is not sent back
            read = adapter.call_in({"functionCall": call}, names, position=position)
            taken.add(read.id)
            yield replies.explain(read, names, None) if isinstance(read, RefusedCall) else read


def _call_of(part: dict[str, Any]) -> dict[str, Any]:
    return _either(part, "functionCall", "function_call")


def _either(value: object, *keys: str) -> dict[str, Any]:
    return next((found for key in keys if (found := replies.member(value, key))), {})


def _echo_part(part: dict[str, Any]) -> JsonValue:
    """Return a part for the next request, with its thought signature and a call that can be read again."""
    call = _call_of(part)
    if not call:
        return part
    given = call.get("args")
    kept = {key: value for key, value in call.items() if key != "id" or adapter.id_member(str(value))}
    written = {
        **kept,
        "name": replies.sent_name(text_of(call, "name"), adapter.names_of),
        "args": given if isinstance(given, dict) else {},
    }
    rest = {key: value for key, value in part.items() if key not in ("functionCall", "function_call")}
    return {**rest, "functionCall": written}


# Streams


async def _read_stream(stream: AsyncIterator[dict[str, Any]], on_text: OnText) -> dict[str, Any]:
    """Return the response that a stream of partial responses builds."""
    parts: list[dict[str, Any]] = []
    whole: dict[str, Any] = {}
    last: dict[str, Any] = {}
    async for response in stream:
        whole.update({key: value for key, value in response.items() if key != "candidates"})
        for candidate in replies.items(response, "candidates")[:1]:
            last.update({key: value for key, value in candidate.items() if value is not None})
            for part in replies.items(replies.member(candidate, "content"), "parts"):
                if text_of(part, "text") and part.get("thought") is not True:
                    await on_text(text_of(part, "text"))
                parts.append(part)
    if not last:
        return whole
    candidate = {**last, "content": {"role": "model", "parts": list(_join_texts(parts))}}
    return {**whole, "candidates": [candidate], "is_partial": True}


def _join_texts(parts: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield parts with adjacent text merged."""
    pieces: list[str] = []
    for part in parts:
        if part.keys() == {"text"}:
            pieces.append(text_of(part, "text"))
            continue
        if pieces:
            yield {"text": "".join(pieces)}
            pieces = []
        yield part
    if pieces:
        yield {"text": "".join(pieces)}
