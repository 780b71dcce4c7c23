"""The interface of a model, the reply that it returns, and any callable as a model."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from mcp_contracts.adapters.base import ProviderCall, RefusedCall
from mcp_contracts.agents.messages import Message
from mcp_contracts.contract import JsonValue, ToolContract

OnText = Callable[[str], Awaitable[None]]
"""Receives the text of a reply, piece by piece."""


class Stop(StrEnum):
    """Why a reply ended."""

    END = "end"  # the reply is complete, with or without calls
    LENGTH = "length"  # the maximum length was reached: the text or the last call is truncated
    REFUSED = "refused"  # by the model, or by a filter of its provider
    MALFORMED = "malformed"  # the provider, or the reader, could not read what the model wrote
    PAUSED = "paused"  # the provider must be asked again, with the reply so far


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, as counted by the provider; 0 if it does not count them."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of a model: its text, and its calls in order. A reply without calls is the answer.

    Call tools by their dotted names; a call that cannot be read is a `RefusedCall` with the error for the model.
    `answer` is the answer if it is not the whole text. `note` says what was wrong if `stop` is refused or malformed.
    `echo` is the message to send back in the next request, by the name of the provider.
    """

    text: str = ""
    calls: tuple[ProviderCall | RefusedCall, ...] = ()
    stop: Stop = Stop.END
    answer: str | None = None
    note: str = ""
    echo: Mapping[str, JsonValue] = field(default_factory=dict)
    usage: Usage = Usage()


class Model(Protocol):
    """A model: given the conversation and the tools that it may call now, it returns one reply."""

    async def __call__(
        self, messages: Sequence[Message], tools: Sequence[ToolContract], *, on_text: OnText | None = None
    ) -> Reply:
        """Return the reply to messages. The first message may be a system message.

        With `on_text`, the text is passed on as it arrives, if the provider streams. Any exception ends the run; the
        errors in `mcp_contracts.agents.errors` are passed on unchanged.
        """


def is_async(function: object) -> bool:
    """Whether calling the function always returns a coroutine."""
    unwrapped = inspect.unwrap(function) if callable(function) else function
    return inspect.iscoroutinefunction(unwrapped) or inspect.iscoroutinefunction(getattr(unwrapped, "__call__", None))  # noqa: B004  the method itself is inspected


async def call_without_blocking(function: Callable[..., object], /, *args: object, **kwargs: object) -> object:
    """Call a sync or async function; a sync one runs in a thread, to keep the event loop free."""
    if is_async(function):
        value = function(*args, **kwargs)
    else:
        value = await asyncio.to_thread(function, *args, **kwargs)
    return await value if inspect.isawaitable(value) else value
