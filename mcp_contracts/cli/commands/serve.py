"""`mcp-contracts serve`: a specification and its functions as a server."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from mcp_contracts.cli.command_line.parameters import Argument, Option, command_app, examples
from mcp_contracts.cli.options import SOURCE_FORMS
from mcp_contracts.cli.serving import options
from mcp_contracts.cli.serving.plan import ServePlan, read_rates, read_settings, watched_places
from mcp_contracts.cli.serving.running import run
from mcp_contracts.cli.serving.tools import load_contracts, load_implemented, load_own, load_own_contracts
from mcp_contracts.errors import UsageError

app = command_app()


@app.command(
    epilog=examples(
        (
            "Serve a module to the client that starts this command",
            "mcp-contracts serve specs/weather --implementation weather.tools",
        ),
        (
            "Serve HTTP on this machine, and reload changes",
            "mcp-contracts serve specs/weather --implementation weather.tools --transport http --watch",
        ),
        (
            "Serve others, with a token and shared limits",
            "mcp-contracts serve specs --implementation app:registry --transport http --host 0.0.0.0 --workers 4 "
            "--token-env API_TOKEN --rate-per-caller 60/minute --redis-env REDIS_URL",
        ),
        ("Serve the tools of mcp-contracts itself to a coding agent", "mcp-contracts serve --self --root ."),
    ),
)
def command(
    sources: Annotated[
        list[str] | None,
        Argument(metavar="[SPEC]...", help=f"The contracts: {SOURCE_FORMS}."),
    ] = None,
    implementation: Annotated[
        list[str] | None,
        Option(
            "--implementation",
            metavar="MODULE",
            help="The Python module or package of the functions, or MODULE:NAME for a registry in it. It is imported "
            "and runs.",
        ),
    ] = None,
    is_self: Annotated[
        bool, Option("--self", help="Serve the tools of mcp-contracts itself: lint, diff, explain, scaffold and fix.")
    ] = False,
    root: Annotated[
        Path | None,
        Option("--root", metavar="DIR", help="With --self: the folder that the tools are confined to."),
    ] = None,
    transport: options.Transport = "stdio",
    channel: options.Channel = None,
    watch: options.Watch = False,
    host: options.Host = "127.0.0.1",
    port: options.Port = 8000,
    token_env: options.TokenVariables = None,
    allow_host: options.AllowedHosts = None,
    allow_origin: options.AllowedOrigins = None,
    workers: options.Workers = 1,
    access_log: options.AccessLog = True,
    max_body: options.MaximumBody = 4 * 1024 * 1024,
    rate: options.OverallRate = None,
    rate_per_tool: options.ToolRate = None,
    rate_per_caller: options.CallerRate = None,
    redis_env: options.RedisVariable = None,
    deadline: options.Deadline = None,
    grace: options.Grace = 30.0,
) -> int:
    """Serve the tools of specifications over MCP and HTTP.

    Arguments and results are validated against the contracts. Over HTTP, MCP is at /mcp; callers that do not speak MCP
    use /tools and /tools/call, described in /openapi.json. SIGTERM ends the server after running calls have finished.
    """
    _check(sources or [], implementation or [], root, is_self=is_self)
    named = tuple(sources or ())
    modules = tuple(implementation or ())
    plan = ServePlan(
        load=partial(load_own, str(root or ".")) if is_self else partial(load_implemented, named, modules),
        contracts=load_own_contracts if is_self else partial(load_contracts, named),
        settings=read_settings(host, token_env or (), allow_host or (), allow_origin or (), max_body),
        transport=transport,
        host=host,
        port=port,
        rates=read_rates(rate, rate_per_tool, rate_per_caller, redis_env),
        workers=workers,
        deadline=deadline,
        grace=grace,
        channel=channel,
        has_access_log=access_log,
        watched=watched_places(named) if watch else (),
    )
    return run(plan)


def _check(sources: list[str], implementation: list[str], root: Path | None, *, is_self: bool) -> None:
    if is_self and (sources or implementation):
        raise UsageError("`--self` serves the tools of mcp-contracts itself", hint="omit SPEC and `--implementation`")
    if root is not None and not is_self:
        raise UsageError("`--root` requires `--self`", hint="omit it, or add `--self`")
    if is_self or implementation:
        return
    if sources:
        hint = "name their module, `--implementation MODULE`, or answer from examples: `mcp-contracts mock SPEC`"
        raise UsageError("nothing implements the tools", hint=hint)
    raise UsageError(
        "no specification is given", hint="write `mcp-contracts serve SPEC --implementation MODULE`, or `--self`"
    )
