"""Run a planned server, in this process or in several."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_contracts.cli.output import say
from mcp_contracts.cli.serving.plan import ServePlan
from mcp_contracts.errors import UsageError, require_package
from mcp_contracts.records import replace

if TYPE_CHECKING:
    from mcp_contracts.contract import Contracts
    from mcp_contracts.serving.implementations import ImplementedTools
    from mcp_contracts.serving.protocol import ServerName
    from mcp_contracts.serving.running import Beside, Served


def run(plan: ServePlan) -> int:
    """Run a server until it is stopped, and return the exit code."""
    from mcp_contracts.serving.running import require_server

    require_server()
    _start_logging(plan)
    plan.limits()  # their errors are reported before anything starts
    if plan.watched:
        require_package("watchfiles", "watching requires", extra="watch")
    return _run_stdio(plan) if plan.options.transport == "stdio" else _run_http(plan)


def _run_stdio(plan: ServePlan) -> int:
    from mcp_contracts.serving.running import run_stdio
    from mcp_contracts.serving.stdio import claim_streams

    if plan.options.workers > 1:
        raise UsageError("several workers require HTTP", hint="add `--transport http`")
    with claim_streams() as wire:  # before importing the tools, whose code may print
        served = _load_served_tools(plan)
        options, maximum = plan.options, plan.settings.maximum_body
        run_stdio(served, wire, channel=options.channel, maximum_line=maximum, grace=options.grace)
    return 0


def _run_http(plan: ServePlan) -> int:
    from mcp_contracts.serving.http.server import listen, url_of
    from mcp_contracts.serving.http.settings import check_access

    check_access(plan.settings, plan.options.host)
    if plan.options.workers > 1:
        if plan.watched:
            raise UsageError("`--watch` requires a single worker", hint="omit `--workers` or `--watch`")
        if plan.limits() is not None and "storage" not in plan.rates:
            raise UsageError(
                "several workers share rates only through Redis",
                hint="pass the URL of a Redis server with `--redis-env NAME`",
            )
        plan = replace(plan, settings=replace(plan.settings, is_stateless=True))
    served = _load_served_tools(plan)  # with several workers as well, so that errors are reported once, by this process
    with listen(plan.options.host, plan.options.port) as listening:
        where = url_of(listening, plan.options.host)

        def tell(more: str = "") -> None:
            tools = len(served.calls.catalog.contracts())
            say(f"serving {tools} tool{'' if tools == 1 else 's'} at {where}{more}")

        if plan.options.workers > 1:
            from mcp_contracts.serving.workers import run_workers

            tell(f" with {plan.options.workers} workers")
            return run_workers(_work, plan, listening, plan.options.workers, grace=plan.options.grace)
        _serve(plan, served, listening, tell)
    return 0


def _work(plan: ServePlan, listening: socket.socket) -> None:
    """Run one of several workers."""
    _start_logging(plan)
    _serve(plan, _load_served_tools(plan), listening, lambda: None)


def _serve(plan: ServePlan, served: Served, listening: socket.socket, on_ready: Callable[[], object]) -> None:
    from mcp_contracts.serving.running import run_http

    run_http(served, plan.settings, listening, grace=plan.options.grace, on_ready=on_ready)


def _load_served_tools(plan: ServePlan) -> Served:
    from mcp_contracts.serving.calls import ServedCalls
    from mcp_contracts.serving.catalog import Catalog
    from mcp_contracts.serving.running import Served
    from mcp_contracts.serving.watching import reload_on_change

    tools = plan.load()
    catalog = Catalog(tools.registry, only=tools.only)
    beside: Beside = nullcontext
    if plan.watched:
        beside = partial(reload_on_change, catalog, [Path(place) for place in plan.watched], partial(_reload, plan))
    if plan.connect is not None:
        beside = partial(plan.connect, tools.registry)
    calls = ServedCalls(catalog, rates=plan.limits(), deadline=plan.options.deadline)
    return Served(calls, _name_of(plan.contracts()), beside)


def _reload(plan: ServePlan) -> ImplementedTools:
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
    logging.getLogger("mcp_contracts.serving.access").setLevel(
        logging.INFO if plan.options.has_access_log else logging.ERROR
    )
