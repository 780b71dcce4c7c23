"""Convert what a client or a callable returned to JSON: a package's model, a dataclass or a plain object."""

from __future__ import annotations

import base64
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any

from mcp_contracts.adapters.base import ProviderCall, RefusedCall
from mcp_contracts.adapters.wire import dump_plain, refuse_call, text_of
from mcp_contracts.agents.errors import ModelError
from mcp_contracts.agents.messages import Message
from mcp_contracts.agents.model import OnText, call_without_blocking
from mcp_contracts.providers.names import NameMap
from mcp_contracts.schema.wording import writable

LONGEST_REPLY = 4_000_000
"""The maximum number of characters that are read from a streamed reply."""

_TAKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
"""Names that every provider accepts unchanged. No dotted name is one of them."""
_MOST_LEVELS = 110  # more than a message allows, so that its own check reports the error
_MOST_VALUES = 100_000
_LONGEST_SHOWN = 1_000
_END = object()


def convert_reply(value: object) -> Any:
    """Return a reply as JSON; parts that have no JSON form become null, and text contains only what UTF-8 can encode.

    Parts nested more than 110 levels deep, or after 100,000 objects and arrays, become null too, because a value may
    contain itself.
    """
    return _convert(value, _MOST_LEVELS, iter(range(_MOST_VALUES)))


def _convert(value: object, levels: int, room: Iterator[int]) -> Any:
    if isinstance(value, str):
        return writable(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if levels <= 0 or next(room, None) is None:
        return None
    if hasattr(type(value), "model_dump"):
        return _convert(dump_plain(value), levels - 1, room)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, list | tuple):
        return [_convert(item, levels - 1, room) for item in value]
    if isinstance(value, Mapping):
        return {writable(str(key)): _convert(item, levels - 1, room) for key, item in value.items()}
    if callable(value) or type(value) is object:
        return None
    members = {name: getattr(value, name, None) for name in dir(value) if not name.startswith("_")}
    return {name: _convert(item, levels - 1, room) for name, item in members.items() if not callable(item)}


def items(value: object, key: str) -> list[dict[str, Any]]:
    """Return the objects in the array at a key."""
    found = value.get(key) if isinstance(value, dict) else None
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def member(value: object, key: str) -> dict[str, Any]:
    """Return the object at a key, or an empty one."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def number(value: object, key: str) -> int:
    """Return the integer at a key, or 0."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else 0


def raise_error(reply: object) -> None:
    """Raise ModelError for an error instead of a reply, which some servers return."""
    error = reply.get("error") if isinstance(reply, dict) else None
    if error:
        said = error if isinstance(error, str) else text_of(error, "message") or "without a message"
        raise ModelError(f"the model's server responded with an error: {said[:500]}")


def read_calls(
    blocks: Iterable[dict[str, Any]],
    names: NameMap,
    used: set[str] | None,
    key: str,
    call_in: Callable[[object, NameMap], ProviderCall | RefusedCall],
    written: Callable[[dict[str, Any]], object],
) -> tuple[ProviderCall | RefusedCall, ...]:
    """Read the calls of a reply. With `used`, their identifiers, under `key`, become ones that are not in it.

    `written` returns the arguments as the model wrote them.
    """
    calls = []
    for block in blocks:
        if used is not None:
            block[key] = _fresh_id(text_of(block, key), used)
        read = call_in(block, names)
        calls.append(explain(read, names, written(block)) if isinstance(read, RefusedCall) else read)
    return tuple(calls)


def explain(refused: RefusedCall, names: NameMap, written: object) -> RefusedCall:
    """Add the dotted name and the original arguments to a refused call, because the model may no longer see them."""
    named = replace(refused, name=names.from_provider.get(refused.name, refused.name))
    shown = written if isinstance(written, str) else ""
    if not shown:
        return named
    cut = shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}… (cut)"
    return replace(named, error=refused.error.model_copy(update={"error_details": {"arguments": cut}}))


def sent_name(name: str, names_of: Callable[[Iterable[str]], NameMap]) -> str:
    """Return a name that a provider accepts: a dotted name as it was offered, and a valid form of any other name."""
    return name if _TAKEN.fullmatch(name) else names_of([name]).to_provider[name]


def cut_last(calls: tuple[ProviderCall | RefusedCall, ...]) -> tuple[ProviderCall | RefusedCall, ...]:
    """Refuse the last call of a reply that was truncated at its maximum length, since it may be incomplete."""
    if not calls:
        return calls
    last = calls[-1]
    name = last.call.tool_name if isinstance(last, ProviderCall) else last.name
    message = "the reply reached its maximum length before this call was complete; write a shorter one"
    return (*calls[:-1], refuse_call(last.id, name, message))


def with_fresh_ids(
    calls: Iterable[ProviderCall | RefusedCall], used: set[str]
) -> tuple[ProviderCall | RefusedCall, ...]:
    """Return calls with identifiers that the conversation does not have yet."""
    return tuple(replace(call, id=_fresh_id(call.id, used)) for call in calls)


def _fresh_id(identifier: str, used: set[str]) -> str:
    """Return an identifier, or another one if it is empty or used, and add it to the used ones."""
    count = len(used) + 1
    while not identifier or identifier in used:
        identifier = f"call_{count}"
        count += 1
    used.add(identifier)
    return identifier


Collect = Callable[[AsyncIterator[dict[str, Any]], OnText], Awaitable[dict[str, Any]]]
"""Reads a stream of chunks and returns the reply that it builds."""


async def ask(create: Callable[..., object], request: dict[str, Any], read: Collect, on_text: OnText | None) -> Any:
    """Return the reply to a request as JSON: whole, or streamed with `stream=True` if someone reads its text."""
    if on_text is None:
        return convert_reply(await call_without_blocking(create, **request))
    return await collect(await call_without_blocking(create, **request, stream=True), read, on_text)


def join_by_role(
    messages: Iterable[Message], model_role: str, key: str, parts_of: Callable[[Message], Iterable[dict[str, Any]]]
) -> list[dict[str, Any]]:
    """Return messages with their parts under `key`, without system messages; adjacent messages of one role are
    merged."""
    written: list[dict[str, Any]] = []
    for message in messages:
        if message["role"] == "system":
            continue
        role = model_role if message["role"] == "assistant" else "user"
        parts = list(parts_of(message))
        if written and written[-1]["role"] == role:
            written[-1][key] += parts
        elif parts:
            written.append({"role": role, key: parts})
    return written


async def collect(returned: object, read: Collect, on_text: OnText) -> Any:
    """Return the reply of a client that was asked to stream, as JSON. The client may have returned a whole reply
    instead.

    The stream is always closed, even when the awaiting task is cancelled.
    """
    if isinstance(returned, Mapping | str | bytes) or hasattr(type(returned), "model_dump"):
        return convert_reply(returned)
    if not hasattr(returned, "__aiter__") and not hasattr(returned, "__iter__"):
        return convert_reply(returned)
    async with aclosing(_chunks(returned)) as chunks:
        return await read(chunks, on_text)


async def _chunks(stream: object) -> AsyncGenerator[dict[str, Any]]:
    total = 0
    try:
        async for chunk in _items(stream):
            found = convert_reply(chunk)
            total += len(str(found))
            if total > LONGEST_REPLY:
                return
            if isinstance(found, dict):
                yield found
    finally:
        close = getattr(stream, "close", None) or getattr(stream, "aclose", None)
        if close is not None:
            with suppress(Exception):  # a sync stream may still be waiting for its next chunk, in its thread
                await call_without_blocking(close)


async def _items(stream: Any) -> AsyncIterator[object]:
    if hasattr(stream, "__aiter__"):
        async for item in stream:
            yield item
        return
    iterator = iter(stream)
    while (item := await call_without_blocking(next, iterator, _END)) is not _END:
        yield item
