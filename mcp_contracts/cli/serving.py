"""What `serve` and `mock` share: their options, and a server that is run as they say."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mcp_contracts.errors import UsageError

if TYPE_CHECKING:
    from mcp_contracts.contract import Contracts
    from mcp_contracts.runtime.limits import RateLimits
    from mcp_contracts.serving.calls import ServedCalls
    from mcp_contracts.serving.http.settings import HttpSettings
    from mcp_contracts.serving.implementations import ImplementedTools
    from mcp_contracts.serving.protocol import ServerName

HTTP = "HTTP"
LIMITS = "Limits"
_DEFAULT_PORT = 8000

Transport = Annotated[
    Literal["stdio", "http"],
    typer.Option("--transport", help="Standard input and output for one client, or HTTP for many."),
]
Host = Annotated[str, typer.Option("--host", metavar="HOST", help="The address to listen on.", rich_help_panel=HTTP)]
Port = Annotated[
    int, typer.Option("--port", metavar="PORT", help="The port to listen on; 0 for a free one.", rich_help_panel=HTTP)
]
TokenVariables = Annotated[
    list[str] | None,
    typer.Option(
        "--token-env",
        metavar="NAME",
        help="An environment variable that holds a bearer token which callers must send. Repeat it for several; the "
        "variable's name is the caller's. Required on a host that is not loopback.",
        rich_help_panel=HTTP,
    ),
]
AllowedHosts = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="NAME",
        help="A name that the `Host` header may have. Default: the local names on loopback, any name elsewhere.",
        rich_help_panel=HTTP,
    ),
]
AllowedOrigins = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-origin",
        metavar="ORIGIN",
        help="An origin whose pages may call, such as https://app.example.com.",
        rich_help_panel=HTTP,
    ),
]
MaximumBody = Annotated[
    int,
    typer.Option("--max-body", metavar="BYTES", min=1, help="The largest request.", rich_help_panel=LIMITS),
]
Workers = Annotated[
    int,
    typer.Option(
        "--workers", metavar="N", min=1, help="Processes that serve one port, without sessions.", rich_help_panel=HTTP
    ),
]
OverallRate = Annotated[
    str | None,
    typer.Option("--rate", metavar="RATE", help="All calls together, such as 100/minute.", rich_help_panel=LIMITS),
]
ToolRate = Annotated[
    str | None,
    typer.Option("--rate-per-tool", metavar="RATE", help="The calls of each tool.", rich_help_panel=LIMITS),
]
CallerRate = Annotated[
    str | None,
    typer.Option("--rate-per-caller", metavar="RATE", help="The calls of each caller.", rich_help_panel=LIMITS),
]
RedisVariable = Annotated[
    str | None,
    typer.Option(
        "--redis-env",
        metavar="NAME",
        help="An environment variable that holds the URL of a Redis where all workers count together.",
        rich_help_panel=LIMITS,
    ),
]
Deadline = Annotated[
    float | None,
    typer.Option("--deadline", metavar="SECONDS", help="How long a call may take.", rich_help_panel=LIMITS),
]
Grace = Annotated[
    float,
    typer.Option(
        "--grace",
        metavar="SECONDS",
        min=0,
        help="How long running calls may take to finish after SIGTERM.",
        rich_help_panel=LIMITS,
    ),
]
Channel = Annotated[
    str | None,
    typer.Option("--channel", metavar="NAME", help="The channel of calls over stdio; over HTTP, `?channel=` names it."),
]
AccessLog = Annotated[
    bool,
    typer.Option("--access-log/--no-access-log", help="Log each request to standard error.", rich_help_panel=HTTP),
]


@dataclass(frozen=True, slots=True)
class RatePlan:
    """The rates of a server, and where they are counted."""

    overall: str | None = None
    per_tool: str | None = None
    per_caller: str | None = None
    storage: str = field(default="memory://", repr=False)

    def limits(self) -> RateLimits | None:
        """The rates, or None where none is given."""
        if self.overall is None and self.per_tool is None and self.per_caller is None:
            return None
        from mcp_contracts.runtime.limits import RateLimits

        return RateLimits(
            overall=self.overall, per_tool=self.per_tool, per_caller=self.per_caller, storage=self.storage
        )


@dataclass(frozen=True, slots=True)
class ServePlan:
    """A server as a command line describes it; it can be sent to another process.

    `load` is a function of a module, or a partial of one. `watched` are the places whose changes load the tools again.
    """

    load: Callable[[], ImplementedTools]
    contracts: Callable[[], Contracts | None]
    settings: HttpSettings
    transport: Literal["stdio", "http"] = "stdio"
    host: str = "127.0.0.1"
    port: int = _DEFAULT_PORT
    rates: RatePlan = field(default_factory=RatePlan)
    workers: int = 1
    deadline: float | None = None
    grace: float = 30.0
    channel: str | None = None
    has_access_log: bool = True
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
            f"`{option} {name}`: the environment has no variable of this name, or it is empty",
            hint=f"set it before the command: `export {name}=…`",
        )
    return value


def watched_places(sources: tuple[str, ...]) -> tuple[str, ...]:
    """The working folder, and named files and folders outside of it."""
    here = Path.cwd()
    others = [path for path in map(Path, sources) if path.exists() and not path.resolve().is_relative_to(here)]
    return (str(here), *map(str, others))


def run(plan: ServePlan) -> int:
    """Run a server until it is told to stop, and return the exit code."""
    from mcp_contracts.serving.running import require_server

    require_server()
    _start_logging(plan)
    plan.rates.limits()  # what is wrong with them is said before anything starts
    if plan.watched:
        from mcp_contracts.serving.watching import require_watching

        require_watching()
    return _run_stdio(plan) if plan.transport == "stdio" else _run_http(plan)


def _run_stdio(plan: ServePlan) -> int:
    from mcp_contracts.serving.running import run_stdio
    from mcp_contracts.serving.stdio import claimed_streams

    if plan.workers > 1:
        raise UsageError("several workers serve HTTP only", hint="add `--transport http`")
    with claimed_streams() as wire:  # before the code of a tool is imported, which may print
        served = _served(plan)
        run_stdio(
            served.calls,
            served.name,
            wire,
            channel=plan.channel,
            maximum_line=plan.settings.maximum_body,
            grace=plan.grace,
            beside=served.beside,
        )
    return 0


def _run_http(plan: ServePlan) -> int:
    from mcp_contracts.serving.http.server import listen, url_of
    from mcp_contracts.serving.http.settings import check_access

    check_access(plan.settings, plan.host)
    if plan.workers > 1:
        if plan.watched:
            raise UsageError("`--watch` serves with one worker", hint="omit `--workers` or `--watch`")
        if plan.rates.limits() is not None and plan.rates.storage == "memory://":
            raise UsageError("each worker would count rates for itself", hint="name a Redis with `--redis-env NAME`")
        plan = replace(plan, settings=replace(plan.settings, is_stateless=True))
    served = _served(plan)  # with several workers as well: what is wrong is said once, by this process
    tools = len(served.calls.catalogue.contracts())
    with listen(plan.host, plan.port) as listening:
        where = url_of(listening, plan.host)
        started = f"serving {tools} tool{'' if tools == 1 else 's'} at {where}"
        if plan.workers > 1:
            from mcp_contracts.serving.workers import run_workers

            _tell(f"{started} with {plan.workers} workers")
            return run_workers(_work, plan, listening, plan.workers, grace=plan.grace)
        _serve(plan, served, listening, lambda: _tell(started))
    return 0


def _work(plan: ServePlan, listening: socket.socket) -> None:
    """What one of several workers does."""
    _start_logging(plan)
    _serve(plan, _served(plan), listening, lambda: None)


def _serve(plan: ServePlan, served: _Served, listening: socket.socket, on_ready: Callable[[], object]) -> None:
    from mcp_contracts.serving.running import run_http

    run_http(
        served.calls,
        served.name,
        plan.settings,
        listening,
        grace=plan.grace,
        on_ready=on_ready,
        beside=served.beside,
    )


@dataclass(frozen=True, slots=True)
class _Served:
    calls: ServedCalls
    name: ServerName
    beside: Callable[[], Coroutine[object, object, None]] | None


def _served(plan: ServePlan) -> _Served:
    from mcp_contracts.serving.calls import ServedCalls
    from mcp_contracts.serving.catalogue import Catalogue
    from mcp_contracts.serving.watching import reload_on_change

    tools = plan.load()
    catalogue = Catalogue(tools.registry, only=tools.only)
    beside = None
    if plan.watched:
        beside = partial(
            reload_on_change, catalogue, [Path(place) for place in plan.watched], partial(_loaded_again, plan)
        )
    calls = ServedCalls(catalogue, rates=plan.rates.limits(), deadline=plan.deadline)
    return _Served(calls, _name_of(plan.contracts()), beside)


def _loaded_again(plan: ServePlan) -> ImplementedTools:
    from mcp_contracts.serving.implementations import forget_modules

    forget_modules(Path())
    return plan.load()


def _name_of(contracts: Contracts | None) -> ServerName:
    from mcp_contracts.contract import SpecFile
    from mcp_contracts.serving.protocol import ServerName

    files = () if contracts is None else contracts.files
    modules = {file.module for file in files if file.module}
    if len(modules) != 1 or len(files) != 1:
        return ServerName()
    [file] = files
    version = file.module_version if isinstance(file, SpecFile) else None
    return ServerName(modules.pop(), version or "")


def _start_logging(plan: ServePlan) -> None:
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("mcp_contracts.serving.access").setLevel(logging.INFO if plan.has_access_log else logging.ERROR)


def _tell(line: str) -> None:
    typer.echo(line, err=True)
