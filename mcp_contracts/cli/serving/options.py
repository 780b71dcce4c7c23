"""The options of a server, and of a mock, on the command line."""

# Annotations are evaluated here, where they are compiled, and not when a command line is read.
from pathlib import Path
from typing import Annotated, Literal

from mcp_contracts.cli.command_line.parameters import Option
from mcp_contracts.cli.servers import SERVERS
from mcp_contracts.records import dataclass

HTTP = "HTTP"
LIMITS = "Limits"
ANSWERS = "Answers"

Record = Annotated[
    Path | None,
    Option(
        "--record",
        metavar="FILE",
        help="Forward calls to the live server that SPEC names, and append the calls and the answers to a file.",
        rich_help_panel=ANSWERS,
    ),
]
ServerToken = Annotated[
    str | None,
    Option(
        "--server-token-env",
        metavar="NAME",
        help="Send the value of this environment variable as a bearer token to live servers over HTTP.",
        rich_help_panel=SERVERS,
    ),
]


@dataclass(frozen=True, slots=True)
class MockOptions:
    """The options about the answers of a mock."""

    seed: Annotated[
        int, Option("--seed", metavar="N", help="The seed for sampled values.", rich_help_panel=ANSWERS)
    ] = 0
    latency: Annotated[
        str | None,
        Option(
            "--latency",
            metavar="SECONDS[-SECONDS]",
            help="The delay of each call, or a range of delays.",
            rich_help_panel=ANSWERS,
        ),
    ] = None
    failures: Annotated[
        list[str] | None,
        Option(
            "--fail",
            metavar="TOOL=ERROR",
            help="Make every call to a tool fail with an error type. Can be repeated.",
            rich_help_panel=ANSWERS,
        ),
    ] = None
    replay: Annotated[
        Path | None,
        Option(
            "--replay",
            metavar="FILE",
            help="Answer from recorded calls first. `mock --record FILE` and `call --record FILE` write them.",
            rich_help_panel=ANSWERS,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class ServingOptions:
    """The options about a server: how it is reached, and its limits."""

    transport: Annotated[
        Literal["stdio", "http"],
        Option("--transport", help="Standard input and output for one client, or HTTP for many."),
    ] = "stdio"
    channel: Annotated[
        str | None,
        Option("--channel", metavar="NAME", help="The channel of calls over stdio; over HTTP, `?channel=` names it."),
    ] = None
    is_watching: Annotated[bool, Option("--watch", help="Reload the tools when their files change.")] = False
    host: Annotated[str, Option("--host", metavar="HOST", help="The address to listen on.", rich_help_panel=HTTP)] = (
        "127.0.0.1"
    )
    port: Annotated[
        int, Option("--port", metavar="PORT", help="The port to listen on; 0 for a free one.", rich_help_panel=HTTP)
    ] = 8000
    token_variables: Annotated[
        list[str] | None,
        Option(
            "--token-env",
            metavar="NAME",
            help="An environment variable that contains a bearer token. Callers must send it, and are identified by "
            "the name of the variable. Repeat the option for several tokens. Required unless the host is loopback.",
            rich_help_panel=HTTP,
        ),
    ] = None
    allowed_hosts: Annotated[
        list[str] | None,
        Option(
            "--allow-host",
            metavar="NAME",
            help="A name that the `Host` header may have. Default: the local names on loopback, any name elsewhere.",
            rich_help_panel=HTTP,
        ),
    ] = None
    allowed_origins: Annotated[
        list[str] | None,
        Option(
            "--allow-origin",
            metavar="ORIGIN",
            help="An origin from which web pages may call, such as https://app.example.com.",
            rich_help_panel=HTTP,
        ),
    ] = None
    workers: Annotated[
        int,
        Option(
            "--workers",
            metavar="N",
            min=1,
            help="The number of processes that share the port. MCP sessions need a single process.",
            rich_help_panel=HTTP,
        ),
    ] = 1
    has_access_log: Annotated[
        bool,
        Option("--access-log/--no-access-log", help="Log each request to standard error.", rich_help_panel=HTTP),
    ] = True
    maximum_body: Annotated[
        int,
        Option("--max-body", metavar="BYTES", min=1, help="The maximum size of a request.", rich_help_panel=LIMITS),
    ] = 4 * 1024 * 1024
    rate: Annotated[
        str | None,
        Option(
            "--rate",
            metavar="RATE",
            help="The maximum rate of all calls together, such as 100/minute.",
            rich_help_panel=LIMITS,
        ),
    ] = None
    rate_per_tool: Annotated[
        str | None,
        Option(
            "--rate-per-tool", metavar="RATE", help="The maximum rate of calls to each tool.", rich_help_panel=LIMITS
        ),
    ] = None
    rate_per_caller: Annotated[
        str | None,
        Option(
            "--rate-per-caller",
            metavar="RATE",
            help="The maximum rate of calls from each caller.",
            rich_help_panel=LIMITS,
        ),
    ] = None
    redis_variable: Annotated[
        str | None,
        Option(
            "--redis-env",
            metavar="NAME",
            help="An environment variable that contains the URL of the Redis server that all workers share.",
            rich_help_panel=LIMITS,
        ),
    ] = None
    deadline: Annotated[
        float | None,
        Option("--deadline", metavar="SECONDS", help="How long a call may take.", rich_help_panel=LIMITS),
    ] = None
    grace: Annotated[
        float,
        Option(
            "--grace",
            metavar="SECONDS",
            min=0,
            help="How long running calls may take to finish after SIGTERM.",
            rich_help_panel=LIMITS,
        ),
    ] = 30.0
