"""The server that a command line describes, with tokens and the Redis address from the environment."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_contracts.cli.serving.options import ServingOptions
from mcp_contracts.errors import UsageError
from mcp_contracts.records import dataclass, field

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from mcp_contracts.contract import Contracts
    from mcp_contracts.runtime.limits import RateLimits
    from mcp_contracts.runtime.registry import ToolRegistry
    from mcp_contracts.serving.http.settings import HttpSettings
    from mcp_contracts.serving.implementations import ImplementedTools


@dataclass(frozen=True, slots=True)
class ServePlan:
    """The server that a command line describes; it can be sent to another process.

    `load` is a module-level function, or a partial of one. `rates` are those of `RateLimits`. `connect` adds tools to
    its registry while the server runs. `watched` are the paths whose changes reload the tools.
    """

    load: Callable[[], ImplementedTools]
    contracts: Callable[[], Contracts | None]
    options: ServingOptions
    settings: HttpSettings
    rates: dict[str, Any] = field(repr=False)
    connect: Callable[[ToolRegistry], AbstractAsyncContextManager[object]] | None = None
    watched: tuple[str, ...] = ()

    def limits(self) -> RateLimits | None:
        """Return the rates, or None if none is given."""
        from mcp_contracts.runtime.limits import RateLimits

        return RateLimits(**self.rates) if self.rates.keys() - {"storage"} else None


def plan_server(
    options: ServingOptions,
    sources: tuple[str, ...],
    load: Callable[[], ImplementedTools],
    contracts: Callable[[], Contracts | None],
) -> ServePlan:
    """Return the server of a command line, with tokens and the address of the Redis server from the environment."""
    from mcp_contracts.serving.http.settings import HttpSettings, hosts_for

    settings = HttpSettings(
        tokens={name: _of_environment(name, "--token-env") for name in options.token_variables or ()},
        allowed_hosts=hosts_for(options.host, tuple(name.lower() for name in options.allowed_hosts or ())),
        allowed_origins=tuple(options.allowed_origins or ()),
        maximum_body=options.maximum_body,
    )
    given = {"overall": options.rate, "per_tool": options.rate_per_tool, "per_caller": options.rate_per_caller}
    rates = {name: rate for name, rate in given.items() if rate is not None}
    if options.redis_variable is not None:
        rates["storage"] = _of_environment(options.redis_variable, "--redis-env")
    watched = _watched_places(sources) if options.is_watching else ()
    return ServePlan(load, contracts, options, settings, rates, watched=watched)


def _of_environment(name: str, option: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise UsageError(
            f"`{option} {name}`: the environment variable is not set or is empty",
            hint=f"set it before the command: `export {name}=…`",
        )
    return value


def _watched_places(sources: tuple[str, ...]) -> tuple[str, ...]:
    """Return the working directory, and named files and folders outside it."""
    here = Path.cwd()
    others = [path for path in map(Path, sources) if path.exists() and not path.resolve().is_relative_to(here)]
    return (str(here), *map(str, others))
