"""The server that a command line describes, with tokens and the Redis address from the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mcp_contracts.cli.serving.options import DEFAULT_PORT
from mcp_contracts.errors import UsageError
from mcp_contracts.records import dataclass, field, replace

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from mcp_contracts.contract import Contracts
    from mcp_contracts.runtime.limits import RateLimits
    from mcp_contracts.runtime.registry import ToolRegistry
    from mcp_contracts.serving.http.settings import HttpSettings
    from mcp_contracts.serving.implementations import ImplementedTools


@dataclass(frozen=True, slots=True)
class RatePlan:
    """The rates of a server, and where they are counted."""

    overall: str | None = None
    per_tool: str | None = None
    per_caller: str | None = None
    storage: str = field(default="memory://", repr=False)

    def limits(self) -> RateLimits | None:
        """The rates, or None if none is given."""
        if self.overall is None and self.per_tool is None and self.per_caller is None:
            return None
        from mcp_contracts.runtime.limits import RateLimits

        return RateLimits(
            overall=self.overall, per_tool=self.per_tool, per_caller=self.per_caller, storage=self.storage
        )


@dataclass(frozen=True, slots=True)
class ServePlan:
    """The server that a command line describes; it can be sent to another process.

    `load` is a function of a module, or a partial of one. `connect` adds tools to its registry while the server runs.
    `watched` are the paths whose changes reload the tools.
    """

    load: Callable[[], ImplementedTools]
    contracts: Callable[[], Contracts | None]
    settings: HttpSettings
    transport: Literal["stdio", "http"] = "stdio"
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    rates: RatePlan = field(default_factory=RatePlan)
    workers: int = 1
    deadline: float | None = None
    grace: float = 30.0
    channel: str | None = None
    has_access_log: bool = True
    connect: Callable[[ToolRegistry], AbstractAsyncContextManager[object]] | None = None
    watched: tuple[str, ...] = ()


def read_settings(
    host: str,
    token_variables: Sequence[str],
    allowed_hosts: Sequence[str],
    allowed_origins: Sequence[str],
    maximum_body: int,
) -> HttpSettings:
    """The HTTP settings of a command line, with the tokens of the environment."""
    from mcp_contracts.serving.http.settings import HttpSettings, hosts_for

    tokens = {name: _of_environment(name, "--token-env") for name in token_variables}
    hosts = tuple(name.lower() for name in allowed_hosts)
    return HttpSettings(
        tokens=tokens,
        allowed_hosts=hosts_for(host, hosts),
        allowed_origins=tuple(allowed_origins),
        maximum_body=maximum_body,
    )


def read_rates(overall: str | None, per_tool: str | None, per_caller: str | None, redis: str | None) -> RatePlan:
    """The rates of a command line, with the address of the Redis from the environment."""
    plan = RatePlan(overall, per_tool, per_caller)
    if redis is None:
        return plan
    return replace(plan, storage=_of_environment(redis, "--redis-env"))


def _of_environment(name: str, option: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise UsageError(
            f"`{option} {name}`: the environment variable is not set or is empty",
            hint=f"set it before the command: `export {name}=…`",
        )
    return value


def watched_places(sources: tuple[str, ...]) -> tuple[str, ...]:
    """The working folder, and named files and folders outside of it."""
    here = Path.cwd()
    others = [path for path in map(Path, sources) if path.exists() and not path.resolve().is_relative_to(here)]
    return (str(here), *map(str, others))
