"""A model behind OpenAI's chat completions, or any server or function with the same interface."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from mcp_contracts.adapters import openai as adapter
from mcp_contracts.adapters.base import ProviderCall, RefusedCall
from mcp_contracts.adapters.wire import text_of
from mcp_contracts.agents import replies
from mcp_contracts.agents.messages import Message, MessageImage, data_url, used_ids
from mcp_contracts.agents.model import OnText, Reply, Stop, Usage
from mcp_contracts.agents.offering import ToolForms
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.providers.limits.table import OPENAI
from mcp_contracts.providers.names import NameMap

_STOPS = {"length": Stop.LENGTH, "content_filter": Stop.REFUSED}
_NOT_SENT_BACK = frozenset(("role", "content", "tool_calls", "refusal", "annotations", "audio", "function_call"))
"""Fields of a reply's message that a request rejects, or that are rewritten."""


class OpenAIChat:
    """A model by its name, using a sync or async OpenAI client: `OpenAIChat("gpt-5-mini", AsyncOpenAI())`.

    The client comes from the package `openai`, for OpenAI or any server that supports its chat completions, or is a
    function with the parameters of `chat.completions.create`, such as `litellm.acompletion`. `options` are added to
    every request, such as `temperature=0`. A tool that OpenAI would refuse is left out with a warning.
    """

    def __init__(self, model: str, client: Any, **options: Any) -> None:
        found = getattr(getattr(getattr(client, "chat", None), "completions", None), "create", None)
        create = found or client
        if not callable(create):
            raise UsageError(
                f"expected an OpenAI client, got `{type(client).__name__}`",
                hint="pass `openai.AsyncOpenAI()`, or a function such as `litellm.acompletion`",
            )
        self._create: Callable[..., object] = create
        self._options = {"model": model, **options}
        self._forms = ToolForms(OPENAI, adapter.tools_out)

    async def __call__(
        self, messages: Sequence[Message], tools: Sequence[ToolContract], *, on_text: OnText | None = None
    ) -> Reply:
        offered = self._forms.of(tools)
        request: dict[str, Any] = {**self._options, "messages": list(messages_out(messages))}
        if offered.tools:
            request["tools"] = offered.tools
        found = await replies.ask(self._create, request, _read_stream, on_text)
        return read_reply(found, offered.names, used_ids(messages))


# Messages


def messages_out(messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    """Yield messages in OpenAI's format; the images of results follow in a user message, as OpenAI requires."""
    images: list[MessageImage] = []
    for message in messages:
        if message["role"] == "tool":
            yield {"role": "tool", "tool_call_id": message["id"], "content": message["content"]}
            images.extend(message.get("images", ()))
            continue
        if images:
            yield _image_message(images)
            images = []
        match message["role"]:
            case "assistant":
                yield _assistant(message)
            case role:
                yield {"role": role, "content": message["content"]}
    if images:
        yield _image_message(images)


def _assistant(message: Message) -> dict[str, Any]:
    echo = message.get("echo", {}).get("openai")
    if isinstance(echo, dict):
        return echo
    written: dict[str, Any] = {"role": "assistant", "content": message["content"]}
    calls = [
        adapter.call_block(
            call["id"],
            replies.sent_name(call["tool_name"], adapter.names_of),
            adapter.arguments_text(call["arguments"]),
            "chat",
        )
        for call in message.get("calls", ())
    ]
    return {**written, "tool_calls": calls} if calls else written


def _image_message(images: Sequence[MessageImage]) -> dict[str, Any]:
    said = {"type": "text", "text": "The images of the results above, in order:"}
    shown = [{"type": "image_url", "image_url": {"url": data_url(image)}} for image in images]
    return {"role": "user", "content": [said, *shown]}


# Replies


def read_reply(value: Any, names: NameMap, used: set[str] | None = None) -> Reply:
    """Read a completion that `plain` returned; with `used`, its calls get identifiers that are not in it.

    Raises ModelError for an error instead of a completion, which some servers return.
    """
    choice = next(iter(replies.items(value, "choices")), None)
    if choice is None:
        replies.raise_error(value)
        return Reply(stop=Stop.MALFORMED, note="the reply has no `choices`")
    message = replies.member(choice, "message")
    blocks = replies.items(message, "tool_calls")
    stop = _STOPS.get(text_of(choice, "finish_reason"), Stop.END)
    calls = replies.read_calls(
        blocks, names, used, "id", adapter.call_in, lambda block: replies.member(block, "function").get("arguments")
    )
    said = _content(message.get("content"))
    refusal = text_of(message, "refusal")
    usage = replies.member(value, "usage")
    return Reply(
        text=said or refusal,
        calls=replies.cut_last(calls) if stop is Stop.LENGTH else calls,
        stop=Stop.REFUSED if refusal else Stop.MALFORMED if choice.get("is_partial") else stop,
        note=refusal or ("the stream ended before the reply was complete" if choice.get("is_partial") else ""),
        echo={"openai": _echo(message, said, blocks, calls)},
        usage=Usage(replies.number(usage, "prompt_tokens"), replies.number(usage, "completion_tokens")),
    )


def _content(content: object) -> str:
    """Return text that is a string or a list of parts."""
    if isinstance(content, list):
        return "".join(text_of(part, "text") for part in content)
    return content if isinstance(content, str) else ""


def _echo(
    message: Mapping[str, Any], said: str, blocks: Sequence[dict[str, Any]], calls: Sequence[ProviderCall | RefusedCall]
) -> JsonValue:
    """Return the message for the next request, with readable calls and everything that a server added."""
    if not blocks:
        return {"role": "assistant", "content": said}
    kept = {key: value for key, value in message.items() if key not in _NOT_SENT_BACK and value is not None}
    written = [_echo_call(block, call) for block, call in zip(blocks, calls, strict=True)]
    return {**kept, "role": "assistant", "content": said or None, "tool_calls": written}


def _echo_call(block: dict[str, Any], call: ProviderCall | RefusedCall) -> JsonValue:
    # Many servers refuse their own model's broken JSON and invented names.
    name = replies.sent_name(text_of(replies.member(block, "function"), "name"), adapter.names_of)
    arguments = adapter.arguments_text(call.call.arguments) if isinstance(call, ProviderCall) else "{}"
    extras = {key: value for key, value in block.items() if key not in ("index", "custom")}
    return {**extras, "type": "function", "function": {"name": name, "arguments": arguments}}


# Streams


async def _read_stream(stream: AsyncIterator[dict[str, Any]], on_text: OnText) -> dict[str, Any]:
    """Return the completion that a stream of chunks builds."""
    said: list[str] = []
    message: dict[str, Any] = {}
    texts: dict[str, list[str]] = {}
    calls: list[dict[str, Any]] = []
    usage: dict[str, Any] = {}
    error: dict[str, Any] = {}
    reason = ""
    async for chunk in stream:
        usage = replies.member(chunk, "usage") or usage
        error = replies.member(chunk, "error") or error
        for choice in replies.items(chunk, "choices")[:1]:
            delta = replies.member(choice, "delta")
            reason = text_of(choice, "finish_reason") or reason
            piece = _content(delta.get("content"))
            if piece:
                said.append(piece)
                await on_text(piece)
            for part in replies.items(delta, "tool_calls"):
                _join(calls, part)
            for key, value in delta.items():
                if key in ("content", "tool_calls"):
                    continue
                if isinstance(value, str) and key != "role":
                    texts.setdefault(key, []).append(value)
                elif value is not None:
                    message[key] = value
    message.update({key: "".join(pieces) for key, pieces in texts.items()})
    message.update(content="".join(said), tool_calls=[_complete_call(call) for call in calls])
    if error and not said and not calls:
        return {"error": error}
    choices = [{"message": message, "finish_reason": reason, "is_partial": not reason}]
    return {"choices": choices, "usage": usage}


def _join(calls: list[dict[str, Any]], part: dict[str, Any]) -> None:
    """Merge a streamed fragment into the calls received so far.

    Some servers omit the index, or give every call the index 0 and its own identifier; some repeat the name in each
    part, and some send arguments as an object.
    """
    index, identifier = part.get("index"), text_of(part, "id")
    function = replies.member(part, "function")
    name = text_of(function, "name")
    call = next((call for call in reversed(calls) if index is None or call["index"] == index), None)
    is_named_again = index is None and not identifier and bool(name)
    if call is None or is_named_again or (identifier and call["id"] not in ("", identifier)):
        call = {"index": index, "id": "", "name": "", "arguments": []}
        calls.append(call)
    call["id"] = call["id"] or identifier
    call["name"] += "" if name == call["name"] else name
    arguments = function.get("arguments")
    call["arguments"].append(
        adapter.arguments_text(arguments) if isinstance(arguments, dict) else text_of(function, "arguments")
    )
    extras = {key: value for key, value in part.items() if key not in ("index", "id", "type", "function")}
    call.update({key: value for key, value in extras.items() if value is not None and key not in call})


def _complete_call(call: dict[str, Any]) -> dict[str, Any]:
    extras = {key: value for key, value in call.items() if key not in ("index", "id", "name", "arguments")}
    function = {"name": call["name"], "arguments": "".join(call["arguments"])}
    return {**extras, "id": call["id"], "type": "function", "function": function}
