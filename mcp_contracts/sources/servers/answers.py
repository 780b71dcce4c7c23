"""Records the responses of a server that belong to no request, which the SDK silently drops.

Import it only where the SDK is installed.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

import mcp_types as types

from mcp_contracts.parsing.text import shorten
from mcp_contracts.records import dataclass, field

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

_Id = int | str | None
_MOST_WAITING = 10_000
_logger = logging.getLogger("mcp_contracts.runtime")


@dataclass(slots=True)
class AnswerRecord:
    """The requests that wait for a response, and the fault of the last response that belongs to none of them.

    `has_unmatched` is set with the first such response, which is logged if the record has the name of a `server`.
    Requests may be answered late or never, so only the last 10,000 are kept.
    """

    server: str | None = None
    waiting: dict[_Id, None] = field(default_factory=dict)
    unmatched: str | None = None
    has_unmatched: asyncio.Event = field(default_factory=asyncio.Event)

    def send(self, message: object) -> None:
        """Record a message to the server."""
        if isinstance(message, types.JSONRPCRequest):
            self.waiting[message.id] = None
            if len(self.waiting) > _MOST_WAITING:
                del self.waiting[next(iter(self.waiting))]

    def receive(self, message: object) -> None:
        """Record a message from the server."""
        if not isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            return
        if message.id in self.waiting:
            del self.waiting[message.id]
        elif str(message.id) in map(str, self.waiting):  # the SDK treats `"1"` as `1`
            self.waiting = {one: None for one in self.waiting if str(one) != str(message.id)}
        else:
            said = f": {shorten(message.error.message)}" if isinstance(message, types.JSONRPCError) else ""
            kind = "an error" if said else "a response"
            sent = f"it sent {kind} with the id {shorten(json.dumps(message.id))}"
            self.unmatched = f"{sent}, which matches no request{said}"
            if self.server is not None and not self.has_unmatched.is_set():
                _logger.warning("the server `%s` violates the protocol: %s", self.server, self.unmatched)
            self.has_unmatched.set()

    def describe_timeout(self, step: str, seconds: float) -> str:
        """Return what a server that did not respond to a request in time did instead."""
        return self.explain(f"did not respond to {step} within {seconds:g} s")

    def explain(self, failure: str) -> str:
        """Return the description of a missing response, followed by the last response that matches no request."""
        return failure if self.unmatched is None else f"{failure}: {self.unmatched}"


@asynccontextmanager
async def watch_answers(
    streams: AbstractAsyncContextManager[TransportStreams], record: AnswerRecord
) -> AsyncIterator[TransportStreams]:
    """Yield the two streams of a transport, and note which requests and responses go through them."""
    async with streams as (received, sent):
        yield _Received(received, record), _Sent(sent, record)


class _Stream:
    """A stream of the SDK."""

    def __init__(self, stream: Any, record: AnswerRecord) -> None:
        self._stream, self._record = stream, record

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Any:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        return await self._stream.__aexit__(*error)


class _Received(_Stream):
    @property
    def last_context(self) -> Any:
        """The context of the task that sent the last item, where the SDK's stream knows it."""
        return getattr(self._stream, "last_context", None)

    def __aiter__(self) -> _Received:
        return self

    async def __anext__(self) -> Any:
        return self._note(await self._stream.__anext__())

    async def receive(self) -> Any:
        return self._note(await self._stream.receive())

    def _note(self, item: Any) -> Any:
        self._record.receive(getattr(item, "message", None))
        return item


class _Sent(_Stream):
    async def send(self, item: Any) -> None:
        self._record.send(item.message)
        await self._stream.send(item)
