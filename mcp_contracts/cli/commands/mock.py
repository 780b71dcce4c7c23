"""`mcp-contracts mock`: a specification as a server before the code exists."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from mcp_contracts.cli.command_line.parameters import Argument, command_app, examples
from mcp_contracts.cli.options import SOURCE_FORMS
from mcp_contracts.cli.servers import Headers, Timeout, read_access
from mcp_contracts.cli.serving import options
from mcp_contracts.cli.serving.plan import ServePlan, read_rates, read_settings, watched_places
from mcp_contracts.cli.serving.running import run
from mcp_contracts.cli.serving.tools import load_contracts, load_mocked, load_nothing, recorded_server
from mcp_contracts.errors import UsageError
from mcp_contracts.records import replace
from mcp_contracts.sources.servers.access import DEFAULT_TIMEOUT, is_server

app = command_app()


@app.command(
    epilog=examples(
        ("Mock a module for the client that starts this command", "mcp-contracts mock specs/weather"),
        ("Mock all modules over HTTP", "mcp-contracts mock specs --transport http --port 8000"),
        (
            "See how an agent deals with a slow tool and a failing one",
            "mcp-contracts mock specs --latency 0.5-2 --fail weather.get_alerts=ResourceNotFound",
        ),
        ("Record the answers of a real server", "mcp-contracts mock 'stdio:python server.py' --record calls.jsonl"),
        ("Replay these answers", "mcp-contracts mock specs/weather --replay calls.jsonl"),
    ),
)
def command(
    sources: Annotated[list[str], Argument(metavar="SPEC...", help=f"The contracts: {SOURCE_FORMS}.")],
    seed: options.Seed = 0,
    latency: options.Latency = None,
    fail: options.Failures = None,
    replay: options.Replay = None,
    record: options.Record = None,
    headers: Headers = None,
    server_token: options.ServerToken = None,
    timeout: Timeout = DEFAULT_TIMEOUT,
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
    """Serve specifications before the code exists.

    A call is validated, and answered with the result of the example with the most similar arguments. A tool without
    examples answers with a value sampled from its output schema: the same for the same arguments and seed.
    """
    named = tuple(sources)
    access = read_access(named, headers, server_token, timeout, token_option="--server-token-env")
    plan = ServePlan(
        load=partial(load_mocked, named, seed, latency, tuple(fail or ()), replay, access),
        contracts=partial(load_contracts, named, access),
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
    if record is None:
        return run(plan)
    if len(named) != 1 or not is_server(named[0]):
        raise UsageError(
            "`--record` requires one live server",
            hint="pass it as SPEC: `'stdio:COMMAND'`, or an address; then mock any SPEC with `--replay FILE`",
        )
    if replay or latency or fail or watch or workers > 1:
        raise UsageError(
            "`--record` forwards every call to the live server, with one worker",
            hint="omit `--replay`, `--latency`, `--fail`, `--watch` and `--workers`",
        )
    return run(
        replace(
            plan, load=load_nothing, contracts=no_contracts, connect=partial(recorded_server, named[0], access, record)
        )
    )


def no_contracts() -> None:
    """A recorded server keeps its own contracts."""
