"""Connections of an HTTP server: the time limit for the head of a request."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from mcp_contracts.serving.http.refusals import too_slow, wire_headers

HEAD_SECONDS = 10.0
_HEAD = b"HTTP/1.1 408 Request Timeout\r\n"


class TimedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 protocol with a deadline for the head of a request, which uvicorn does not have."""

    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._await_head()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._head is None:
            self._head = self.loop.call_later(HEAD_SECONDS, self._refuse)

    def _stop_waiting(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _refuse(self) -> None:
        self._head = None
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if not is_answering and not self.transport.is_closing():
            refusal = too_slow(HEAD_SECONDS)
            body = refusal.body()
            lines = (b"%s: %s\r\n" % header for header in wire_headers(body, refusal.headers))
            self.transport.write(b"".join((_HEAD, *lines, b"\r\n", body)))
            self.transport.close()
