"""Connect a registry to a live server for the duration of an `async with` block, and reconnect when the server is lost.

Import it only where the SDK is installed, except `ConnectSettings`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TypedDict

from mcp_contracts.errors import UsageError
from mcp_contracts.records import replace
from mcp_contracts.runtime.remote.reconnecting import Backoff, OpenServer, ReconnectingServer
from mcp_contracts.runtime.remote.sessions import require_mcp
from mcp_contracts.runtime.remote.tools import ToolHolder
from mcp_contracts.sources.servers.access import (
    DEFAULT_TIMEOUT,
    ServerAccess,
    ServerCommand,
    header_of,
    is_server,
    server_of,
)


class ConnectSettings(TypedDict, total=False):
    """How a registry connects to a server."""

    server: str
    """The first part of the tools' names; by default, the name that the server states."""
    headers: Mapping[str, str]
    """HTTP headers for each request; never shown or logged."""
    token: str
    """A bearer token, for the header `Authorization`; never shown or logged."""
    environment: Mapping[str, str]
    """The environment variables of a command, in addition to the few that the SDK passes; by default, all of yours."""
    timeout: float
    """The maximum number of seconds each for the start, the handshake, and a list of tools; 60 by default."""
    backoff: Backoff
    """The pauses between attempts to connect again; from 0.1 s to 30 s by default."""
    check_every: float
    """How many seconds an HTTP server may be silent before its tools are listed again; 15 by default."""


@asynccontextmanager
async def connect_to(
    registry: ToolHolder, servers: dict[str, ReconnectingServer], address: str, settings: ConnectSettings
) -> AsyncIterator[ReconnectingServer]:
    """Connect a registry to a server and add its tools; on leaving, end the connection and remove them.

    `servers` are the servers of the registry by prefix. Raises UsageError for settings that cannot be used and for a
    prefix that another server has, SourceError if the server cannot be reached.
    """
    if not is_server(address):
        raise UsageError(
            f"`{address}` is not a live server", hint="write `stdio:python server.py` or `https://host/mcp`"
        )
    timeout, check_every = settings.get("timeout", DEFAULT_TIMEOUT), settings.get("check_every", 15.0)
    if not timeout > 0 or not check_every > 0:
        raise UsageError("`timeout` and `check_every` must be a positive number of seconds")
    given = settings.get("server")
    if given is not None and not given.strip():
        raise UsageError("the server has no name", hint="set `server`; each tool is then named `<server>.<tool>`")
    require_mcp()
    from mcp_contracts.sources.servers.connection import connect  # imports the SDK, an optional extra
    from mcp_contracts.sources.servers.processes import ProcessRecord

    place = server_of(address)
    if isinstance(place, ServerCommand):
        if "headers" in settings or "token" in settings:
            raise UsageError(
                "`headers` and `token` are only for HTTP servers", hint="for a command, pass `environment`"
            )
        place = replace(place, environment=settings.get("environment"))
    elif "environment" in settings:
        raise UsageError("`environment` is only for stdio servers", hint="for a URL, pass `headers` or `token`")
    access = ServerAccess(_headers(settings), timeout)
    records: list[ProcessRecord] = []

    @asynccontextmanager
    async def open_server() -> AsyncIterator[OpenServer]:
        records.clear()  # the previous process has exited
        async with connect(place, access, records=records, is_lasting=True) as connection:
            connection.step[0] = "another request"
            record = connection.record
            ended = record.ended if isinstance(record, ProcessRecord) else None
            yield OpenServer(connection.client, connection.name, ended)

    remote = ReconnectingServer(
        registry,
        servers,
        open_server,
        server=given,
        address=place.shown,
        backoff=settings.get("backoff", Backoff()),
        check_every=check_every,
        timeout=timeout,
    )
    try:
        await remote.open()
        yield remote
    finally:
        try:
            await remote.close()
        finally:
            for record in records:
                if record.exit_code is None:  # cancelled while it was being stopped
                    record.kill()


def _headers(settings: ConnectSettings) -> dict[str, str]:
    headers = dict(header_of(f"{name}: {value}") for name, value in settings.get("headers", {}).items())
    if "token" in settings:
        name, value = header_of(f"Authorization: Bearer {settings['token']}")
        headers[name] = value
    return headers
