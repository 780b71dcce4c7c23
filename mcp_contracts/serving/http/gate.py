"""The gate of an HTTP server, which checks each request before anything else sees it, and logs it without secrets."""

from __future__ import annotations

import asyncio
import inspect
import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from hmac import compare_digest
from typing import Any
from urllib.parse import parse_qsl

from mcp_contracts.runtime.telemetry.exceptions import log_exception
from mcp_contracts.serving.http import refusals
from mcp_contracts.serving.http.refusals import Refusal, wire_headers
from mcp_contracts.serving.http.settings import LOCAL_HOSTS, HttpSettings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

CALLER = "mcp_contracts.caller"
"""The key of a request's scope for the caller's name, or None."""

_OPEN_PATHS = ("/health",)
_SECRET_NAMES = frozenset(("token", "access_token", "api_key", "apikey", "key", "auth", "authorization", "bearer"))
_LONGEST_PATH = 200
_logger = logging.getLogger("mcp_contracts.serving.access")
_faults = logging.getLogger("mcp_contracts.serving")


class Gate:
    """Passes requests to `application` if their host, origin and token are accepted and their form is valid.

    A request's body is read here, within limits of size and time.
    """

    def __init__(self, application: Application, settings: HttpSettings) -> None:
        self._application = application
        self._settings = settings
        self._tokens = {name: token.encode() for name, token in settings.tokens.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.monotonic()
        status = 0

        async def note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            refusal = await self._answer(scope, receive, note)
        except asyncio.CancelledError:  # a shutdown, since nothing else cancels a request
            if not status:
                await _send(refusals.SHUT_DOWN, note)
            raise
        except Exception as error:
            log_exception(_faults, error, "`%s %s` failed", scope["method"], self._shown_path(scope))
            refusal = refusals.BROKEN
        if refusal is not None and not status:
            await _send(refusal, note)
        if not _logger.isEnabledFor(logging.INFO):
            return
        caller = scope.get(CALLER)
        milliseconds = (time.monotonic() - started) * 1000
        _logger.info(
            "%s %s %d %.1f ms%s",
            scope["method"],
            self._shown_path(scope),
            status,
            milliseconds,
            f" {caller}" if caller else "",
        )

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> Refusal | None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if path_of(scope) not in _OPEN_PATHS:
            refusal = self._wrong_place(headers) or self._secret_in_url(scope)
            if refusal is None:
                refusal = await self._authenticate(scope, headers)
            if refusal is not None:
                return refusal
        if scope["method"] in ("POST", "PUT", "PATCH"):
            body = await self._body(headers, receive)
            if isinstance(body, Refusal):
                return body
            receive = replay_body(body, receive)
        await self._application(scope, receive, send)
        return None

    def _wrong_place(self, headers: dict[str, str]) -> Refusal | None:
        hosts = self._settings.allowed_hosts
        if hosts and not _is_among(headers.get("host", ""), hosts):
            return refusals.WRONG_HOST
        origin = headers.get("origin")
        if origin is None or origin in self._settings.allowed_origins:
            return None
        scheme, _, host = origin.partition("://")
        # Pages of this machine may call a server on this machine, such as the inspector's.
        is_local = hosts == LOCAL_HOSTS and scheme in ("http", "https") and _is_among(host, LOCAL_HOSTS)
        return None if is_local else refusals.WRONG_ORIGIN

    def _secret_in_url(self, scope: Scope) -> Refusal | None:
        if not self._settings.is_authenticated:
            return None
        lengths = {len(token) for token in self._tokens.values()}
        named = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        values = [value for _, value in named] + [part for part in scope["path"].split("/") if len(part) in lengths]
        if any(name.lower() in _SECRET_NAMES for name, _ in named) or any(map(self._holder, values)):
            return refusals.TOKEN_IN_URL
        return None

    async def _authenticate(self, scope: Scope, headers: dict[str, str]) -> Refusal | None:
        settings = self._settings
        if not settings.is_authenticated:
            scope[CALLER] = headers.get("x-caller", "")[:_LONGEST_PATH] or None
            return None
        stated = headers.get("authorization", "")
        if settings.authenticate is not None:
            answer = settings.authenticate(headers)
            caller = await answer if inspect.isawaitable(answer) else answer
        else:
            kind, _, token = stated.partition(" ")
            caller = self._holder(token.strip()) if kind.lower() == "bearer" else None
        if caller is None:
            return refusals.unauthenticated(was_given=bool(stated))
        scope[CALLER] = caller
        scope["user"] = _user(caller)  # the SDK binds a session to it, so that no other caller can use it
        return None

    def _shown_path(self, scope: Scope) -> str:
        """Return the path without the query or a token; characters that could break a line of the log are escaped."""
        path: str = scope["path"]
        for token in self._settings.tokens.values():
            path = path.replace(token, "***")
        return ascii(path[:_LONGEST_PATH])[1:-1]

    def _holder(self, token: str) -> str | None:
        """Return the caller of a token. All tokens are compared, so that timing reveals nothing."""
        given = token.encode("utf-8", "surrogateescape")
        holders = [name for name, known in self._tokens.items() if compare_digest(given, known)]
        return holders[0] if holders else None

    async def _body(self, headers: dict[str, str], receive: Receive) -> bytes | Refusal:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return refusals.WRONG_CONTENT_TYPE
        maximum = self._settings.maximum_body
        stated = headers.get("content-length", "")
        if stated.isdecimal() and int(stated) > maximum:
            return refusals.too_large(maximum)
        body = bytearray()
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                while True:
                    message = await receive()
                    body += message.get("body", b"")
                    if len(body) > maximum:
                        return refusals.too_large(maximum)
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            return refusals.too_slow(self._settings.body_seconds)


def path_of(scope: Scope) -> str:
    """Return the path of a request below this application, which may be mounted in another one."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


def _is_among(host: str, allowed: tuple[str, ...]) -> bool:
    """Whether a `Host` is one of some names, with or without a port."""
    name, colon, port = host.rpartition(":")
    if not colon or not port.isdecimal():
        name = host
    return host.lower() in allowed or name.lower() in allowed


def _user(caller: str) -> object:
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser  # an optional extra, and slow to import
    from mcp.server.auth.provider import AccessToken

    return AuthenticatedUser(AccessToken(token="", client_id=caller, scopes=[]))


def replay_body(body: bytes, receive: Receive) -> Receive:
    """Receive a body that has already been read, and then everything after it."""
    is_sent = False

    async def replay() -> Message:
        nonlocal is_sent
        if is_sent:
            return await receive()
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def _send(refusal: Refusal, send: Send) -> None:
    body = refusal.body()
    await send(
        {"type": "http.response.start", "status": refusal.status, "headers": wire_headers(body, refusal.headers)}
    )
    await send({"type": "http.response.body", "body": body})
