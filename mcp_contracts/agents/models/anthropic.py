"""A model behind Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Any

from mcp_contracts.adapters import anthropic as adapter
from mcp_contracts.adapters.wire import text_of
from mcp_contracts.agents import replies
from mcp_contracts.agents.messages import Message, instructions_of, used_ids
from mcp_contracts.agents.model import OnText, Reply, Stop, Usage
from mcp_contracts.agents.offering import ToolForms
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.json_values.text import read_json
from mcp_contracts.providers.limits.table import ANTHROPIC
from mcp_contracts.providers.names import NameMap

_STOPS = {
    "max_tokens": Stop.LENGTH,
    "model_context_window_exceeded": Stop.LENGTH,
    "refusal": Stop.REFUSED,
    "pause_turn": Stop.PAUSED,
}


class Anthropic:
    """A model by its name, using a sync or async Anthropic client: `Anthropic("claude-…", AsyncAnthropic())`.

    `max_tokens` is the maximum length of one reply, in tokens, which the API requires. `options` are added to every
    request. A tool that Anthropic would refuse is left out with a warning.
    """

    def __init__(self, model: str, client: Any, *, max_tokens: int = 8_192, **options: Any) -> None:
        create = getattr(getattr(client, "messages", None), "create", None)
        if not callable(create):
            raise UsageError(
                f"expected an Anthropic client, got `{type(client).__name__}`", hint="pass `anthropic.AsyncAnthropic()`"
            )
        self._create: Callable[..., object] = create
        self._options = {"model": model, "max_tokens": max_tokens, **options}
        self._forms = ToolForms(ANTHROPIC, adapter.tools_out)

    async def __call__(
        self, messages: Sequence[Message], tools: Sequence[ToolContract], *, on_text: OnText | None = None
    ) -> Reply:
        offered = self._forms.of(tools)
        request: dict[str, Any] = {**self._options, "messages": messages_out(messages)}
        instructions = instructions_of(messages)
        if instructions:
            request["system"] = instructions
        if offered.tools:
            request["tools"] = offered.tools
        found = await replies.ask(self._create, request, _read_stream, on_text)
        return read_reply(found, offered.names, used_ids(messages))


# Messages


def messages_out(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return messages in Anthropic's format, without system messages; adjacent messages of one role are merged."""
    return replies.join_by_role(messages, "assistant", "content", _blocks)


def _blocks(message: Message) -> Iterator[dict[str, Any]]:
    if message["role"] == "tool":
        content: Any = message["content"]
        images = [
            {"type": "image", "source": {"type": "base64", "media_type": image["media_type"], "data": image["data"]}}
            for image in message.get("images", ())
        ]
        if images:
            content = [{"type": "text", "text": content}, *images]
        block = {"type": "tool_result", "tool_use_id": message["id"], "content": content}
        yield {**block, "is_error": True} if message.get("is_error") else block
        return
    echo: Any = message.get("echo", {}).get("anthropic")
    if isinstance(echo, list):
        yield from echo
        return
    if message["content"].strip():  # the API refuses empty text
        yield {"type": "text", "text": message["content"]}
    for call in message.get("calls", ()):
        yield {
            "type": "tool_use",
            "id": call["id"],
            "name": replies.sent_name(call["tool_name"], adapter.names_of),
            "input": call["arguments"],
        }


# Replies


def read_reply(value: Any, names: NameMap, used: set[str] | None = None) -> Reply:
    """Read a message that `plain` returned; with `used`, its calls get identifiers that are not in it.

    Raises ModelError for an error instead of a message.
    """
    replies.raise_error(value)
    if not isinstance(value, dict) or not isinstance(value.get("content"), list):
        return Reply(stop=Stop.MALFORMED, note="the reply has no `content`")
    blocks = replies.items(value, "content")
    uses = [block for block in blocks if text_of(block, "type") == "tool_use"]
    calls = replies.read_calls(uses, names, used, "id", adapter.call_in, lambda block: block.get("input"))
    stop = _STOPS.get(text_of(value, "stop_reason"), Stop.END)
    is_partial = value.get("is_partial") is True
    usage = replies.member(value, "usage")
    return Reply(
        text="".join(text_of(block, "text") for block in blocks if text_of(block, "type") == "text"),
        calls=replies.cut_last(calls) if stop is Stop.LENGTH and blocks and blocks[-1] in uses else calls,
        stop=Stop.MALFORMED if is_partial else stop,
        note="the stream ended before the reply was complete" if is_partial else "",
        echo={"anthropic": [_echo_block(block) for block in blocks if _is_sent_back(block)]},
        usage=Usage(replies.number(usage, "input_tokens"), replies.number(usage, "output_tokens")),
    )


def _is_sent_back(block: dict[str, Any]) -> bool:
    kind = text_of(block, "type")
    return bool(text_of(block, "text").strip()) if kind == "text" else bool(kind)


def _echo_block(block: dict[str, Any]) -> JsonValue:
    if text_of(block, "type") != "tool_use":
        return block
    given = block.get("input")
    name = replies.sent_name(text_of(block, "name"), adapter.names_of)
    return {**block, "name": name, "input": given if isinstance(given, dict) else {}}


# Streams


async def _read_stream(stream: AsyncIterator[dict[str, Any]], on_text: OnText) -> dict[str, Any]:
    """Return the message that a stream of events builds."""
    blocks: dict[int, dict[str, Any]] = {}
    pieces: dict[tuple[int, str], list[str]] = {}
    usage: dict[str, Any] = {}
    reason = ""
    async for event in stream:
        index = replies.number(event, "index")
        match text_of(event, "type"):
            case "message_start":
                usage.update(replies.member(replies.member(event, "message"), "usage"))
            case "content_block_start":
                blocks[index] = replies.member(event, "content_block")
                if text_of(blocks[index], "text"):
                    pieces[index, "text"] = [blocks[index]["text"]]
                    await on_text(blocks[index]["text"])
            case "content_block_delta":
                delta = replies.member(event, "delta")
                kind = text_of(delta, "type")
                key = "input" if kind == "input_json_delta" else kind.removesuffix("_delta")
                piece = text_of(delta, "partial_json" if key == "input" else key)
                pieces.setdefault((index, key), []).append(piece)
                if key == "text" and piece:
                    await on_text(piece)
            case "message_delta":
                reason = text_of(replies.member(event, "delta"), "stop_reason") or reason
                usage.update({key: value for key, value in replies.member(event, "usage").items() if value is not None})
            case "error":
                return {"error": replies.member(event, "error")}
    for (index, key), parts in pieces.items():
        whole = "".join(parts)
        blocks.setdefault(index, {"type": "text"})[key] = _input(whole) if key == "input" else whole
    content = [blocks[index] for index in sorted(blocks)]
    return {"content": content, "stop_reason": reason, "usage": usage, "is_partial": not reason}


def _input(written: str) -> JsonValue:
    """Return the input of a call; text that is not valid JSON remains text, and is refused."""
    try:
        found: JsonValue = read_json(written) if written.strip() else {}
        return found
    except ValueError:
        return written
