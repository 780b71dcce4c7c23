"""MCP over standard input and output, until the input ends or a signal arrives and running calls have finished.

The SDK's own transport cancels running calls when the input ends, and its reader keeps a process alive after a signal.
This one bounds the length of lines, and redirects everything that a tool prints to standard error.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from math import inf
from typing import Any

from pydantic import ValidationError

from mcp_contracts.serving.incoming import (
    INVALID_REQUEST,
    UnreadableMessageError,
    error_response,
    explain_refusal,
    read_message,
)
from mcp_contracts.serving.protocol import ProtocolServer
from mcp_contracts.serving.stopping import Stop

_CHUNK = 65_536
_MOST_LINES = 100  # read ahead of the server
_PAUSE, _LATEST = 0.1, 1.0  # a stopped server reads until no line arrives for, or at most for, these seconds


async def serve_stdio(
    server: ProtocolServer, wire: tuple[int, int], *, stop: Stop, maximum_line: int, grace: float
) -> None:
    """Serve one client over two file descriptors, input and output, until the input ends or `stop` is requested.

    Earlier messages are still read, and calls get `grace` seconds to finish. A line over `maximum_line` bytes is
    answered with an error.
    """
    import anyio  # comes with the SDK, an optional extra
    from mcp.shared.message import SessionMessage

    exchange = _Exchange(*wire, maximum_line)
    incoming, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    answers, outgoing = anyio.create_memory_object_stream[SessionMessage](0)

    async def read() -> None:
        async with incoming:
            async with _lines(wire[0], maximum_line, stop.requested) as lines:
                async for line in lines:
                    message = exchange.receive(line)
                    if message is not None:
                        await incoming.send(SessionMessage(message))
            server.close()
            await exchange.wait_until_answered(grace, stop.urgent)

    async def write() -> None:
        async with outgoing:
            async for message in outgoing:
                await asyncio.to_thread(exchange.send, message.message)

    async with anyio.create_task_group() as group:
        group.start_soon(read)
        group.start_soon(write)
        await server.server.run(messages, answers, server.server.create_initialization_options())
        group.cancel_scope.cancel()


@contextmanager
def claim_streams() -> Iterator[tuple[int, int]]:
    """Reserve standard input and output for the protocol, as two file descriptors. For other code, standard input is
    empty meanwhile, and prints go to standard error.
    """
    sys.stdout.flush()
    wire = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    try:
        yield wire
    finally:
        sys.stdout.flush()
        for number, kept in enumerate(wire):
            os.dup2(kept, number)
            os.close(kept)


class _Exchange:
    """The messages of one client: its unanswered requests, and its output."""

    def __init__(self, source: int, target: int, maximum_line: int) -> None:
        self._target = target
        self._maximum_line = maximum_line
        self._pending: set[str | int] = set()
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self._lock = threading.Lock()
        self._loop = asyncio.get_running_loop()

    def receive(self, line: bytes | None) -> Any:
        """Read a line as a message. If it is not one, send the client an error and return None."""
        from mcp_types import JSONRPCNotification, JSONRPCRequest, jsonrpc_message_adapter

        try:
            if line is None:
                reason = f"the message is longer than {self._maximum_line:,} bytes"
                raise UnreadableMessageError(INVALID_REQUEST, reason)
            read_message(line)
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except UnreadableMessageError as error:
            self._write(error_response(error, line or b"") + b"\n")
            return None
        except ValidationError as error:
            self._write(error_response(explain_refusal(error), line or b"") + b"\n")
            return None
        if isinstance(message, JSONRPCRequest):
            self._pending.add(message.id)
            self._is_idle.clear()
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))  # a cancelled request is never answered
        return message

    def send(self, message: Any) -> None:
        """Write a message; blocks while the client does not read."""
        self._write(message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
        if hasattr(message, "id") and not hasattr(message, "method"):
            self._loop.call_soon_threadsafe(self._settle, message.id)

    async def wait_until_answered(self, seconds: float, urgent: asyncio.Event) -> None:
        """Wait until every request is answered, for at most the given time, or until `urgent` is set."""
        waiting = [asyncio.ensure_future(event.wait()) for event in (self._is_idle, urgent)]
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()

    def _settle(self, request: object) -> None:
        self._pending.discard(request)
        if not self._pending:
            self._is_idle.set()

    def _write(self, line: bytes) -> None:
        with self._lock:
            left = memoryview(line)
            while left:
                left = left[os.write(self._target, left) :]


@asynccontextmanager
async def _lines(source: int, maximum: int, requested: asyncio.Event) -> AsyncIterator[AsyncIterator[bytes | None]]:
    """Yield the lines of a file descriptor to its end, or those available when `requested` is set; None for a long one.

    A daemon thread reads them, because a blocking read cannot be interrupted.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[bytes | EOFError | None] = asyncio.Queue()
    room = threading.Semaphore(_MOST_LINES)

    def put(item: bytes | EOFError | None) -> None:
        room.acquire()
        loop.call_soon_threadsafe(queue.put_nowait, item)

    def read() -> None:
        try:
            for line in _split(source, maximum):
                put(line)
            put(EOFError())
        except RuntimeError:  # the loop was closed in the meantime
            return

    async def items() -> AsyncIterator[bytes | None]:
        stopped = asyncio.ensure_future(requested.wait())
        ends_at = inf
        try:
            while loop.time() < ends_at:
                following = asyncio.ensure_future(queue.get())
                await asyncio.wait((following, stopped), return_when=asyncio.FIRST_COMPLETED)
                if stopped.done():
                    ends_at = min(ends_at, loop.time() + _LATEST)
                    await asyncio.wait((following,), timeout=_PAUSE)
                if not following.done():
                    following.cancel()
                    return
                item = following.result()
                room.release()
                if isinstance(item, EOFError):
                    return
                yield item
        finally:
            stopped.cancel()

    threading.Thread(target=read, name="stdio", daemon=True).start()
    yield items()


def _split(source: int, maximum: int) -> Iterator[bytes | None]:
    buffer = bytearray()
    is_skipping = False
    while True:
        try:
            chunk = os.read(source, _CHUNK)
        except OSError:  # closed by the client
            chunk = b""
        *whole, rest = (buffer + chunk).split(b"\n")
        for line in whole:
            if is_skipping or len(line) > maximum:
                yield None
            elif line.strip():
                yield bytes(line)
            is_skipping = False
        if not chunk:
            if rest.strip() and not is_skipping and len(rest) <= maximum:
                yield bytes(rest)
            return
        is_skipping = is_skipping or len(rest) > maximum
        buffer = bytearray() if is_skipping else rest
