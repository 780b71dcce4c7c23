"""`mcp-contracts mock`: a specification as a server before there is any code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcp_contracts.cli.help import CommandWithExamples, command_app, examples
from mcp_contracts.cli.options import SOURCE_FORMS
from mcp_contracts.cli.serving import options
from mcp_contracts.cli.serving.plan import ServePlan, read_rates, read_settings, watched_places
from mcp_contracts.cli.serving.running import run
from mcp_contracts.errors import UsageError

if TYPE_CHECKING:
    from mcp_contracts.contract import Contracts
    from mcp_contracts.serving.implementations import ImplementedTools
    from mcp_contracts.serving.mocking import Exchange, MockSettings

_ANSWERS = "Answers"
_LATENCY = re.compile(r"([0-9]*\.?[0-9]+)(?:-([0-9]*\.?[0-9]+))?")
_LONGEST_LATENCY = 3600.0

app = command_app()

Seed = Annotated[
    int, typer.Option("--seed", metavar="N", help="What sampled values depend on.", rich_help_panel=_ANSWERS)
]
Latency = Annotated[
    str | None,
    typer.Option(
        "--latency",
        metavar="SECONDS[-SECONDS]",
        help="How long a call takes, or between which two times.",
        rich_help_panel=_ANSWERS,
    ),
]
Failures = Annotated[
    list[str] | None,
    typer.Option(
        "--fail",
        metavar="TOOL=ERROR",
        help="Let every call of a tool fail with an error type. Can be repeated.",
        rich_help_panel=_ANSWERS,
    ),
]
Replay = Annotated[
    Path | None,
    typer.Option(
        "--replay",
        metavar="FILE",
        help="Answer from recorded calls first; `call --record FILE` writes them.",
        rich_help_panel=_ANSWERS,
    ),
]


@app.command(
    cls=CommandWithExamples,
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
    sources: Annotated[list[str], typer.Argument(metavar="SPEC...", help=f"The contracts: {SOURCE_FORMS}.")],
    seed: Seed = 0,
    latency: Latency = None,
    fail: Failures = None,
    replay: Replay = None,
    transport: options.Transport = "stdio",
    channel: options.Channel = None,
    watch: Annotated[bool, typer.Option("--watch", help="Load the tools again when their files change.")] = False,
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


def load_mocked(
    sources: tuple[str, ...], seed: int, latency: str | None, failures: tuple[str, ...], replay: Path | None
) -> ImplementedTools:
    """The contracts of some sources, answered by a mock."""
    from mcp_contracts.serving.mocking import mocked_tools

    return mocked_tools(load_contracts(sources), read_mock_settings(seed, latency, failures, replay))


def load_contracts(sources: tuple[str, ...]) -> Contracts:
    """The contracts of some sources."""
    from mcp_contracts.sources.load import load

    return load(sources)


def read_mock_settings(seed: int, latency: str | None, failures: Sequence[str], replay: Path | None) -> MockSettings:
    """The settings of a mock as a command line gives them. Raises `UsageError` for one that cannot be read."""
    from mcp_contracts.serving.mocking import MockSettings, read_exchanges

    exchanges: tuple[Exchange, ...] = ()
    if replay is not None:
        try:
            with replay.open(encoding="utf-8") as lines:
                exchanges = read_exchanges(lines, str(replay))
        except UnicodeDecodeError as error:
            raise UsageError(f"`{replay}` is not UTF-8", hint="name a file that `call --record` wrote") from error
    return MockSettings(seed, _latency(latency), dict(map(_failure, failures)), exchanges)


def _latency(text: str | None) -> tuple[float, float]:
    if text is None:
        return 0.0, 0.0
    found = _LATENCY.fullmatch(text)
    shortest, longest = (float(found[1]), float(found[2] or found[1])) if found else (1.0, 0.0)
    if not shortest <= longest <= _LONGEST_LATENCY:
        raise UsageError(
            f"`--latency {text}` is not a time", hint="write seconds, such as `0.5`, or a range, such as `0.2-1.5`"
        )
    return shortest, longest


def _failure(text: str) -> tuple[str, str]:
    name, equals, error_type = text.partition("=")
    if not equals or not name or not error_type:
        raise UsageError(
            f"`--fail {text}` is not `TOOL=ERROR`", hint="write for instance `--fail weather.get_alerts=TimeoutError`"
        )
    return name, error_type
