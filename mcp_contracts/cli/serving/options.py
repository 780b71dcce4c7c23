"""The options of a server, and of a mock, on the command line."""

# Annotations are evaluated here, where they are compiled, and not when a command line is read.
from pathlib import Path
from typing import Annotated, Literal

from mcp_contracts.cli.command_line.parameters import Option
from mcp_contracts.cli.servers import SERVERS
from mcp_contracts.records import dataclass

HTTP = "HTTP"
LIMITS = "Limits"
RESPONSES = "Responses"

Record = Annotated[
    Path | None,
    Option(
        "--record FILE",
        "Forward calls to the live server that SPEC names, and append the calls and the responses to a file.",
        RESPONSES,
    ),
]
ServerToken = Annotated[
    str | None,
    Option(
        "--server-token-env NAME",
        "Send the value of this environment variable as a bearer token to live HTTP servers.",
        SERVERS,
    ),
]


@dataclass(frozen=True, slots=True)
class MockOptions:
    """The options about the responses of a mock."""

    seed: Annotated[int, Option("--seed N", "The seed for sampled values.", RESPONSES)] = 0
    latency: Annotated[
        str | None,
        Option("--latency SECONDS[-SECONDS]", "The delay before each response, or a range of delays.", RESPONSES),
    ] = None
    failures: Annotated[
        list[str] | None,
        Option("--fail TOOL=ERROR", "Make every call to a tool fail with an error type. Can be repeated.", RESPONSES),
    ] = None
    replay: Annotated[
        Path | None,
        Option(
            "--replay FILE",
            "Return recorded results first. `mock --record FILE` and `call --record FILE` record them.",
            RESPONSES,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class ServingOptions:
    """The options about a server: how it is reached, and its limits."""

    transport: Annotated[
        Literal["stdio", "http"], Option("--transport", "Standard input and output for one client, or HTTP for many.")
    ] = "stdio"
    channel: Annotated[
        str | None, Option("--channel NAME", "The channel of calls over stdio; over HTTP, `?channel=` names it.")
    ] = None
    is_watching: Annotated[bool, Option("--watch", "Reload the tools when their files change.")] = False
    host: Annotated[str, Option("--host HOST", "The address to listen on.", HTTP)] = "127.0.0.1"
    port: Annotated[int, Option("--port PORT", "The port to listen on; 0 for a free one.", HTTP)] = 8000
    token_variables: Annotated[
        list[str] | None,
        Option(
            "--token-env NAME",
            "An environment variable that contains a bearer token. Callers must send it, and are identified by "
            "the name of the variable. Repeat the option for several tokens. Required unless the host is loopback.",
            HTTP,
        ),
    ] = None
    allowed_hosts: Annotated[
        list[str] | None,
        Option(
            "--allow-host NAME",
            "A name that the `Host` header may have. Default: the local names on loopback, any name elsewhere.",
            HTTP,
        ),
    ] = None
    allowed_origins: Annotated[
        list[str] | None,
        Option(
            "--allow-origin ORIGIN",
            "An origin whose web pages may call the server, such as https://app.example.com.",
            HTTP,
        ),
    ] = None
    workers: Annotated[
        int,
        Option(
            "--workers N",
            "The number of worker processes that share the port. MCP sessions need a single process.",
            HTTP,
            min=1,
        ),
    ] = 1
    has_access_log: Annotated[
        bool, Option("--access-log/--no-access-log", "Log each request to standard error.", HTTP)
    ] = True
    maximum_body: Annotated[int, Option("--max-body BYTES", "The maximum size of a request.", LIMITS, min=1)] = (
        4 * 1024 * 1024
    )
    rate: Annotated[
        str | None, Option("--rate RATE", "The maximum rate of all calls together, such as 100/minute.", LIMITS)
    ] = None
    rate_per_tool: Annotated[
        str | None, Option("--rate-per-tool RATE", "The maximum rate of calls to each tool.", LIMITS)
    ] = None
    rate_per_caller: Annotated[
        str | None, Option("--rate-per-caller RATE", "The maximum rate of calls from each caller.", LIMITS)
    ] = None
    redis_variable: Annotated[
        str | None,
        Option(
            "--redis-env NAME",
            "An environment variable that contains the URL of the Redis server that all workers share.",
            LIMITS,
        ),
    ] = None
    deadline: Annotated[float | None, Option("--deadline SECONDS", "The maximum duration of a call.", LIMITS)] = None
    grace: Annotated[
        float, Option("--grace SECONDS", "The maximum time for running calls to finish after SIGTERM.", LIMITS, min=0)
    ] = 30.0
