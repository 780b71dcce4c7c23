"""A server at a URL: the SDK's Streamable HTTP transport with a bounded client.

Import it only where the SDK is installed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx2
from mcp.client.streamable_http import streamable_http_client

from mcp_contracts.records import dataclass
from mcp_contracts.sources.servers.access import MAX_MESSAGE, MAX_OUTPUT, ServerAccess, ServerAddress

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams


@dataclass(slots=True)
class HttpRecord:
    """Facts about the responses of a server: the status of the last refusal, and an exceeded bound.

    `is_lasting` lifts the limit on the total size of responses, and the deadline of each, because a stream may be
    silent.
    """

    address: ServerAddress
    refusal: int | None = None
    reason: str = ""
    excess: str | None = None
    read: int = 0
    is_lasting: bool = False


class ExcessError(Exception):
    """A server sends more than the bounds allow."""


@asynccontextmanager
async def http_streams(record: HttpRecord, access: ServerAccess) -> AsyncIterator[TransportStreams]:
    """Yield the two streams of messages that the SDK's dispatcher takes."""

    async def watch(response: httpx2.Response) -> None:
        if response.request.method == "POST" and response.status_code >= 300:
            record.refusal, record.reason = response.status_code, response.reason_phrase
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            record.excess = "compressed its response, although the client accepts no compression"
            raise ExcessError(record.excess)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            is_endless = record.is_lasting and response.headers.get("content-type", "").startswith("text/event-stream")
            response.stream = _BoundedBody(response.stream, record, is_endless=is_endless)

    headers = {**access.headers, **record.address.headers, "Accept-Encoding": "identity"}
    timeout = httpx2.Timeout(access.timeout, read=None if record.is_lasting else access.timeout)
    client = httpx2.AsyncClient(headers=headers, timeout=timeout, event_hooks={"response": [watch]})
    transport = streamable_http_client(
        record.address.url, http_client=client, max_sse_event_size=MAX_MESSAGE, terminate_on_close=True
    )
    async with client, transport as streams:
        yield streams


class _BoundedBody(httpx2.AsyncByteStream):
    """The body of a response, within the bounds."""

    def __init__(self, stream: httpx2.AsyncByteStream, record: HttpRecord, *, is_endless: bool) -> None:
        self._stream, self._record, self._is_endless = stream, record, is_endless

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            self._record.read += len(chunk)
            is_too_long = size > MAX_MESSAGE and not self._is_endless  # the SDK bounds each event of a stream
            if is_too_long or (self._record.read > MAX_OUTPUT and not self._record.is_lasting):
                most = MAX_MESSAGE if is_too_long else MAX_OUTPUT
                self._record.excess = f"sent more than {most:,} bytes"
                raise ExcessError(self._record.excess)
            yield chunk

    async def aclose(self) -> None:
        """Close the answer."""
        await self._stream.aclose()
