"""Answers of one JSON object to clients up to 2025-11-25, if nothing else can follow: half the cost of a stream.

From 2026-07-28 on, the SDK itself opens a stream only when it is needed.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar

from mcp_contracts.serving.catalog import Catalog
from mcp_contracts.serving.http.gate import Application, Message, Receive, Scope, Send, replay_body
from mcp_contracts.serving.http.refusals import json_bytes, wire_headers
from mcp_contracts.serving.protocol import NO_BATCHES

_KEEP_ALIVE = 15.0
"""The seconds after which whitespace is sent before an answer: proxies close silent connections."""
_START: Message = {
    "type": "http.response.start",
    "status": 200,
    "headers": [(b"content-type", b"application/json"), (b"cache-control", b"no-cache, no-transform")],
}
_SPACE: Message = {"type": "http.response.body", "body": b"\n", "more_body": True}
_NO_BATCHES = json_bytes({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": NO_BATCHES}})
_is_single: ContextVar[bool] = ContextVar("mcp_contracts_single_answer", default=False)


class SingleAnswers:
    """The SDK's setting `json_response`, which is true during a request that needs no stream of events.

    The first request of a session is excluded: its setting applies to everything that the server sends in the session.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def __bool__(self) -> bool:
        return _is_single.get()

    def around(self, mcp: Application) -> Application:
        """Return the SDK's application, with the setting for each request."""
        from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS  # comes with the SDK, an optional extra

        versions = {None, *(version.encode() for version in HANDSHAKE_PROTOCOL_VERSIONS)}

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            headers = dict(scope["headers"])
            version = headers.get(b"mcp-protocol-version")
            if scope["method"] != "POST" or version not in versions:
                await mcp(scope, receive, send)
                return
            body = (await receive())["body"]
            if body.lstrip().startswith(b"["):
                await send({"type": "http.response.start", "status": 400, "headers": wire_headers(_NO_BATCHES)})
                await send({"type": "http.response.body", "body": _NO_BATCHES})
                return
            has_channel = scope["query_string"] or b"x-channel" in headers
            if version is None or has_channel or not self._is_enough(body):
                await mcp(scope, replay_body(body, receive), send)
                return
            token = _is_single.set(True)
            try:
                await _keep_alive(mcp, scope, replay_body(body, receive), send)
            finally:
                _is_single.reset(token)

        return answer

    def _is_enough(self, body: bytes) -> bool:
        """Whether the server can send only the answer to a message."""
        from pydantic_core import from_json  # like the SDK

        try:
            message = from_json(body)
            if message["method"] != "tools/call":
                return bool(message["method"] != "initialize")
            return not self._catalog.may_report(message["params"]["name"])
        except (ValueError, KeyError, TypeError):  # the SDK reports the error
            return False


async def _keep_alive(mcp: Application, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request, with whitespace before a slow answer."""
    keeping: asyncio.Task[None] | None = None

    def start() -> None:
        nonlocal keeping
        keeping = asyncio.create_task(keep())

    async def keep() -> None:
        await send(_START)
        while True:
            await send(_SPACE)
            await asyncio.sleep(_KEEP_ALIVE)

    async def send_answer(message: Message) -> None:
        timer.cancel()
        if keeping is not None:
            keeping.cancel()
            if message["type"] == "http.response.start":
                return
        await send(message)

    timer = asyncio.get_running_loop().call_later(_KEEP_ALIVE, start)
    try:
        await mcp(scope, receive, send_answer)
    finally:
        timer.cancel()
        if keeping is not None:
            keeping.cancel()
