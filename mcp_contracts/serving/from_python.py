"""`registry.serve()` and `registry.asgi()`: a server that Python code starts, with its settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from mcp_contracts.errors import UsageError
from mcp_contracts.runtime.limits import RateLimits
from mcp_contracts.runtime.registered import refuse_unknown_settings
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.serving.calls import ServedCalls
from mcp_contracts.serving.catalog import Catalog
from mcp_contracts.serving.http.application import ServerApplication
from mcp_contracts.serving.http.server import listen
from mcp_contracts.serving.http.settings import Authenticate, HttpSettings, check_access, hosts_for
from mcp_contracts.serving.protocol import ServerName
from mcp_contracts.serving.running import GRACE, Served, require_server, run_http, run_stdio
from mcp_contracts.serving.stdio import claim_streams

__all__ = ["ApplicationSettings", "ServeSettings", "ServerApplication", "application", "serve"]

_HTTP, _NAME = HttpSettings(), ServerName()
_HOST = "127.0.0.1"
_PORT = 8000


class ApplicationSettings(TypedDict, total=False):
    """Settings of `registry.asgi()`.

    - `name`, `version`, `instructions`: what the server tells clients about itself.
    - `tokens`: bearer tokens by the name of their caller; read them from the environment.
    - `authenticate`: instead of tokens, a function (sync or async) that takes the headers of a request, with lowercase
      names, and returns the caller's name, or None to refuse it.
    - `allowed_hosts`: names that the `Host` header may have; by default the local ones, and any name for an empty list.
    - `allowed_origins`: origins whose pages may call.
    - `maximum_body`: how many bytes a request may have, by default 4 MiB.
    - `body_seconds`: how long a client may take to send a request, by default 20.
    - `stateless`: whether to keep no sessions, so that several processes can serve one address.
    - `rates`: how often tools may be called; invalid calls count as well.
    - `deadline`: how many seconds a call may take.
    """

    name: str
    version: str
    instructions: str
    tokens: Mapping[str, str]
    authenticate: Authenticate
    allowed_hosts: Sequence[str]
    allowed_origins: Sequence[str]
    maximum_body: int
    body_seconds: float
    stateless: bool
    rates: RateLimits
    deadline: float


class ServeSettings(ApplicationSettings, total=False):
    """Settings of `registry.serve()`: those of an application, and these.

    - `transport`: `stdio` (the default) for one client, `http` for many.
    - `host`, `port`: where to listen, by default `127.0.0.1` and 8000. Any host that is not loopback requires `tokens`
      or `authenticate`.
    - `channel`: the channel of calls over stdio; over HTTP, `?channel=` names it.
    - `grace`: how many seconds running calls have to finish, by default 30.
    """

    transport: Literal["stdio", "http"]
    host: str
    port: int
    channel: str
    grace: float


def serve(registry: ToolRegistry, settings: ServeSettings, transport: str | None = None) -> None:
    """Serve a registry until the client disconnects or a signal arrives."""
    refuse_unknown_settings(settings, ServeSettings)
    transport = transport or settings.get("transport", "stdio")
    if transport not in ("stdio", "http"):
        raise UsageError(f"unknown transport `{transport}`", hint="use `stdio` or `http`")
    require_server()
    served = Served(_calls(registry, settings), _name(registry, settings))
    grace = settings.get("grace", GRACE)
    if transport == "stdio":
        with claim_streams() as wire:
            maximum = settings.get("maximum_body", _HTTP.maximum_body)
            run_stdio(served, wire, channel=settings.get("channel"), maximum_line=maximum, grace=grace)
        return
    host = settings.get("host", _HOST)
    http = _http(settings, host)
    check_access(http, host)
    with listen(host, settings.get("port", _PORT)) as listening:
        run_http(served, http, listening, grace=grace)


def application(registry: ToolRegistry, settings: ApplicationSettings) -> ServerApplication:
    """Return a registry as an ASGI application."""
    refuse_unknown_settings(settings, ApplicationSettings)
    require_server()
    http = _http(settings, _HOST)
    check_access(http, _HOST)
    return ServerApplication(_calls(registry, settings), _name(registry, settings), http)


def _calls(registry: ToolRegistry, settings: ApplicationSettings) -> ServedCalls:
    return ServedCalls(Catalog(registry), rates=settings.get("rates"), deadline=settings.get("deadline"))


def _name(registry: ToolRegistry, settings: ApplicationSettings) -> ServerName:
    return ServerName(
        settings.get("name", registry.name or _NAME.name), settings.get("version", ""), settings.get("instructions")
    )


def _http(settings: ApplicationSettings, host: str) -> HttpSettings:
    hosts = settings.get("allowed_hosts")
    return HttpSettings(
        tokens=settings.get("tokens", {}),
        authenticate=settings.get("authenticate"),
        allowed_hosts=hosts_for(host) if hosts is None else tuple(one.lower() for one in hosts),
        allowed_origins=tuple(settings.get("allowed_origins", ())),
        maximum_body=settings.get("maximum_body", _HTTP.maximum_body),
        body_seconds=settings.get("body_seconds", _HTTP.body_seconds),
        is_stateless=settings.get("stateless", False),
    )
