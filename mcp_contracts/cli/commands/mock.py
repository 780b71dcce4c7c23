"""`mcp-contracts mock`: a specification as a server before the code exists."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from mcp_contracts.cli.command_line.parameters import Argument, command_app
from mcp_contracts.cli.options import SOURCE_FORMS
from mcp_contracts.cli.servers import Headers, ServerOptions, Timeout
from mcp_contracts.cli.serving.options import MockOptions, Record, ServerToken, ServingOptions
from mcp_contracts.cli.serving.plan import plan_server
from mcp_contracts.cli.serving.running import run
from mcp_contracts.cli.serving.tools import load_contracts, load_mocked, load_nothing, recorded_server
from mcp_contracts.errors import UsageError
from mcp_contracts.records import replace
from mcp_contracts.sources.servers.access import DEFAULT_TIMEOUT, is_server


@command_app(
    "Mock a module for the client that starts this command: mock specs/weather",
    "Mock all modules over HTTP: mock specs --transport http --port 8000",
    "Test how an agent handles slow and failing tools: mock specs --latency 0.5-2 --fail "
    "weather.get_alerts=ResourceNotFound",
    "Record the responses of a real server: mock 'stdio:python server.py' --record calls.jsonl",
    "Replay these responses: mock specs/weather --replay calls.jsonl",
)
def app(
    *,
    sources: Annotated[list[str], Argument("SPEC...", f"The contracts: {SOURCE_FORMS}.")],
    mock: MockOptions,
    record: Record = None,
    headers: Headers = None,
    server_token: ServerToken = None,
    timeout: Timeout = DEFAULT_TIMEOUT,
    server: ServingOptions,
) -> int:
    """Mock the tools of specifications before the code exists.

    The mock validates each call, and returns the result of the example with the most similar arguments. For a tool
    without examples, it returns a value sampled from the output schema: the same for the same arguments and seed.
    """
    named = tuple(sources)
    access = ServerOptions(headers, server_token, timeout).access(named, token_option="--server-token-env")
    load = partial(load_mocked, named, mock, access)
    plan = plan_server(server, named, load, partial(load_contracts, named, access))
    if record is None:
        return run(plan)
    if len(named) != 1 or not is_server(named[0]):
        raise UsageError(
            "`--record` requires one live server",
            hint="pass it as SPEC: `'stdio:COMMAND'`, or a URL; then mock any SPEC with `--replay FILE`",
        )
    if mock.replay or mock.latency or mock.failures or server.is_watching or server.workers > 1:
        raise UsageError(
            "`--record` forwards every call to the live server, with one worker",
            hint="omit `--replay`, `--latency`, `--fail`, `--watch` and `--workers`",
        )
    connect = partial(recorded_server, named[0], access, record)
    return run(replace(plan, load=load_nothing, contracts=partial(load_contracts, ()), connect=connect))
