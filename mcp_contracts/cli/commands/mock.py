"""`mcp-contracts mock`: a specification as a server before there is any code."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from mcp_contracts.cli.command_line.parameters import Argument, command_app, examples
from mcp_contracts.cli.options import SOURCE_FORMS
from mcp_contracts.cli.serving import options
from mcp_contracts.cli.serving.plan import ServePlan, read_rates, read_settings, watched_places
from mcp_contracts.cli.serving.running import run
from mcp_contracts.cli.serving.tools import load_contracts, load_mocked

app = command_app()


@app.command(
    epilog=examples(
        ("Mock a module for the client that starts this command", "mcp-contracts mock specs/weather"),
        ("Mock all modules over HTTP", "mcp-contracts mock specs --transport http --port 8000"),
        (
            "See how an agent deals with a slow tool and a failing one",
            "mcp-contracts mock specs --latency 0.5-2 --fail weather.get_alerts=ResourceNotFound",
        ),
    ),
)
def command(
    sources: Annotated[list[str], Argument(metavar="SPEC...", help=f"The contracts: {SOURCE_FORMS}.")],
    seed: options.Seed = 0,
    latency: options.Latency = None,
    fail: options.Failures = None,
    replay: options.Replay = None,
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
    """Serve specifications before there is any code.

    A call is validated, and answered with the result of the example whose arguments are nearest to it. A tool without
    examples answers with a value sampled from its output schema: the same for the same arguments and seed.
    """
    named = tuple(sources)
    plan = ServePlan(
        load=partial(load_mocked, named, seed, latency, tuple(fail or ()), replay),
        contracts=partial(load_contracts, named),
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
