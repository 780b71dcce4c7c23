"""The settings of an HTTP server: who has access, how much callers may send, and how long they may take."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from ipaddress import ip_address

from mcp_contracts.errors import UsageError
from mcp_contracts.records import dataclass, field

Authenticate = Callable[[Mapping[str, str]], Awaitable[str | None] | str | None]
"""Takes the headers of a request, with lowercase names, and returns the caller's name, or None to refuse it."""

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
MAXIMUM_BODY = 4 * 1024 * 1024
_SHORTEST_TOKEN = 8


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """How requests are checked.

    - `tokens`: bearer tokens by the name of the caller who holds each.
    - `authenticate`: your own function instead of tokens.
    - `allowed_hosts`: names that the `Host` header may have, with or without a port; empty for any.
    - `allowed_origins`: origins of browser pages that may call, such as `https://app.example.com`.
    - `maximum_body`: how many bytes a request may have.
    - `body_seconds`: how long a client may take to send a request.
    - `is_stateless`: whether to keep no sessions, so that any worker can answer any request.
    """

    tokens: Mapping[str, str] = field(default_factory=dict, repr=False)
    authenticate: Authenticate | None = None
    allowed_hosts: tuple[str, ...] = LOCAL_HOSTS
    allowed_origins: tuple[str, ...] = ()
    maximum_body: int = MAXIMUM_BODY
    body_seconds: float = 20.0
    is_stateless: bool = False

    @property
    def is_authenticated(self) -> bool:
        """Whether callers must authenticate."""
        return bool(self.tokens) or self.authenticate is not None


def check_access(settings: HttpSettings, host: str) -> None:
    """Raise `UsageError` if other machines could call without authentication."""
    for name, token in settings.tokens.items():
        if len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
            raise UsageError(
                f"the token `{name}` cannot be used",
                hint=f"use at least {_SHORTEST_TOKEN} visible ASCII characters: `openssl rand -hex 32` generates one",
            )
    if settings.maximum_body < 1 or settings.body_seconds <= 0:
        raise UsageError("the limits of a request must be above 0")
    if not settings.is_authenticated and not is_loopback(host):
        raise UsageError(
            f"a server on `{host}` is reachable from other machines, so it requires authentication",
            hint="put a token into an environment variable and name it: `--token-env NAME`",
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def hosts_for(host: str, named: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the names that the `Host` header may have: the given ones, or by default the local names on loopback and
    any name elsewhere.
    """
    return named or (LOCAL_HOSTS if is_loopback(host) else ())
