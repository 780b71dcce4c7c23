"""A model behind OpenAI's Responses API."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from mcp_contracts.adapters import openai as adapter
from mcp_contracts.adapters.base import ProviderCall, RefusedCall
from mcp_contracts.adapters.wire import text_of
from mcp_contracts.agents import replies
from mcp_contracts.agents.messages import Message, data_url, instructions_of, used_ids
from mcp_contracts.agents.model import OnText, Reply, Stop, Usage
from mcp_contracts.agents.offering import ToolForms
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.providers.limits.table import OPENAI
from mcp_contracts.providers.names import NameMap

_ENDS = ("response.completed", "response.incomplete", "response.failed")


class OpenAIResponses:
    """A model by its name, using a sync or async OpenAI client: `OpenAIResponses("gpt-5-mini", AsyncOpenAI())`.

    `options` are added to every request. A tool that OpenAI would refuse is left out with a warning.
    """

    def __init__(self, model: str, client: Any, **options: Any) -> None:
        create = getattr(getattr(client, "responses", None), "create", None)
        if not callable(create):
            raise UsageError(
                f"expected an OpenAI client, got `{type(client).__name__}`", hint="pass `openai.AsyncOpenAI()`"
            )
        self._create: Callable[..., object] = create
        self._options = {"model": model, **options}
        self._forms = ToolForms(OPENAI, partial(adapter.tools_out, interface="responses"))

    async def __call__(
        self, messages: Sequence[Message], tools: Sequence[ToolContract], *, on_text: OnText | None = None
    ) -> Reply:
        offered = self._forms.of(tools)
        request: dict[str, Any] = {**self._options, "input": list(messages_out(messages))}
        instructions = instructions_of(messages)
        if instructions:
            request["instructions"] = instructions
        if offered.tools:
            request["tools"] = offered.tools
        found = await replies.ask(self._create, request, _read_stream, on_text)
        return read_reply(found, offered.names, used_ids(messages))


# Messages


def messages_out(messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    """Yield messages as the items of a request, without system messages."""
    for message in messages:
        match message["role"]:
            case "system":
                continue
            case "tool":
                yield {"type": "function_call_output", "call_id": message["id"], "output": _output(message)}
            case "assistant":
                yield from _assistant(message)
            case _:
                yield {"role": "user", "content": message["content"]}


def _output(message: Message) -> Any:
    images = message.get("images", [])
    if not images:
        return message["content"]
    shown = [{"type": "input_image", "image_url": data_url(image)} for image in images]
    return [{"type": "input_text", "text": message["content"]}, *shown]


def _assistant(message: Message) -> Iterator[dict[str, Any]]:
    echo: Any = message.get("echo", {}).get("openai-responses")
    if isinstance(echo, list):
        yield from echo
        return
    if message["content"]:
        yield {"role": "assistant", "content": message["content"]}
    for call in message.get("calls", ()):
        name = replies.sent_name(call["tool_name"], adapter.names_of)
        yield adapter.call_block(call["id"], name, adapter.arguments_text(call["arguments"]), "responses")


# Replies


def read_reply(value: Any, names: NameMap, used: set[str] | None = None) -> Reply:
    """Read a response that `plain` returned, or its items; with `used`, calls get identifiers that are not in it.

    Raises ModelError for an error instead of a response.
    """
    response: Any = {"output": value} if isinstance(value, list) else value
    replies.raise_error(response)
    if not isinstance(response, dict) or not isinstance(response.get("output"), list):
        return Reply(stop=Stop.MALFORMED, note="the reply has no `output`")
    output = replies.items(response, "output")
    blocks = [item for item in output if text_of(item, "type") == "function_call"]
    calls = replies.read_calls(blocks, names, used, "call_id", adapter.call_in, lambda block: block.get("arguments"))
    parts = [part for item in output if text_of(item, "type") == "message" for part in replies.items(item, "content")]
    refusal = "".join(text_of(part, "refusal") for part in parts)
    stop = _stop_of(response)
    echo: list[JsonValue] = [_echo_item(item, blocks, calls) for item in output if text_of(item, "type")]
    usage = replies.member(response, "usage")
    return Reply(
        text="".join(text_of(part, "text") for part in parts) or refusal,
        calls=replies.cut_last(calls) if stop is Stop.LENGTH and blocks and output[-1] is blocks[-1] else calls,
        stop=Stop.REFUSED if refusal else stop,
        note=refusal or ("the stream ended before the reply was complete" if stop is Stop.MALFORMED else ""),
        echo={"openai-responses": echo},
        usage=Usage(replies.number(usage, "input_tokens"), replies.number(usage, "output_tokens")),
    )


def _stop_of(response: dict[str, Any]) -> Stop:
    match text_of(response, "status"), text_of(replies.member(response, "incomplete_details"), "reason"):
        case "incomplete", "content_filter":
            return Stop.REFUSED
        case "incomplete", _:
            return Stop.LENGTH
        case "in_progress", _:
            return Stop.MALFORMED
    return Stop.END


def _echo_item(
    item: dict[str, Any], blocks: Sequence[dict[str, Any]], calls: Sequence[ProviderCall | RefusedCall]
) -> JsonValue:
    at = next((at for at, block in enumerate(blocks) if block is item), None)
    if at is None:
        return item
    call = calls[at]
    arguments = adapter.arguments_text(call.call.arguments) if isinstance(call, ProviderCall) else "{}"
    return {**item, "name": replies.sent_name(text_of(item, "name"), adapter.names_of), "arguments": arguments}


async def _read_stream(stream: AsyncIterator[dict[str, Any]], on_text: OnText) -> dict[str, Any]:
    """Return the response that a stream of events ends with."""
    async for event in stream:
        kind = text_of(event, "type")
        if kind in ("response.output_text.delta", "response.refusal.delta"):
            await on_text(text_of(event, "delta"))
        elif kind == "error":
            return {"error": replies.member(event, "error") or event}
        elif kind in _ENDS:
            return replies.member(event, "response")
    return {"output": [], "status": "in_progress"}
