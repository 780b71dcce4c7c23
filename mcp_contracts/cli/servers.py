"""The options about live servers that commands share: headers, a token, a deadline."""

# Annotations are evaluated here, where they are compiled, and not when a command line is read.
import os
from collections.abc import Sequence
from typing import Annotated

from mcp_contracts.cli.command_line.parameters import Option
from mcp_contracts.errors import UsageError
from mcp_contracts.records import dataclass
from mcp_contracts.sources.servers.access import CAPABILITIES, DEFAULT_TIMEOUT, HTTP, ServerAccess, header_of

SERVERS = "Live servers"
_LONGEST_TIMEOUT = 3600

Headers = Annotated[
    list[str] | None, Option("--header 'NAME: VALUE'", "Send this header to HTTP servers. Can be repeated.", SERVERS)
]
Timeout = Annotated[
    float,
    Option(
        "--timeout SECONDS",
        f"Maximum time to start a server and list its tools (default: {DEFAULT_TIMEOUT:g}).",
        SERVERS,
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The options about live servers."""

    headers: Headers = None
    token_variable: Annotated[
        str | None,
        Option(
            "--token-env NAME",
            "Send the value of this environment variable as a bearer token to HTTP servers.",
            SERVERS,
        ),
    ] = None
    timeout: Timeout = DEFAULT_TIMEOUT
    capabilities: Annotated[
        str | None,
        Option(
            "--client-capabilities LIST",
            f"Declare only these capabilities: any of {', '.join(CAPABILITIES)}, or `none` (default: all). Some "
            "servers list tools only for clients that can use them.",
            SERVERS,
        ),
    ] = None

    def access(self, sources: Sequence[str], *, token_option: str = "--token-env") -> ServerAccess:
        """Return the settings for reaching servers. Raises UsageError, whose text contains no header or variable
        value."""
        if not 0 < self.timeout <= _LONGEST_TIMEOUT:
            hint = f"pass a number of seconds, at most {_LONGEST_TIMEOUT:,}"
            raise UsageError(f"`--timeout {self.timeout:g}` is not a valid timeout", hint=hint)
        given = dict(map(header_of, self.headers or ()))
        if self.token_variable is not None:
            if any(name.lower() == "authorization" for name in given):
                message = f"`{token_option}` and the header `Authorization` are both given"
                raise UsageError(message, hint="omit one of the two")
            given["Authorization"] = f"Bearer {_token(self.token_variable, token_option)}"
        if given and not any(source.startswith(HTTP) for source in sources):
            option = "--header" if self.headers else token_option
            hint = "pass one, such as `https://host/mcp`"
            raise UsageError(f"`{option}` has no effect: no source is an HTTP server", hint=hint)
        return ServerAccess(given, self.timeout, _capabilities(self.capabilities))


def _capabilities(listed: str | None) -> tuple[str, ...]:
    if listed is None or listed == "none":
        return () if listed else CAPABILITIES
    names = tuple(name.strip() for name in listed.split(","))
    for name in names:
        if name not in CAPABILITIES:
            raise UsageError(
                f"`--client-capabilities {listed}`: unknown capability `{name}`",
                hint=f"list some of {', '.join(f'`{one}`' for one in CAPABILITIES)}, or write `none`",
            )
    return names


def _token(variable: str, option: str) -> str:
    value = os.environ.get(variable, "").strip()
    if not value:
        raise UsageError(
            f"the environment variable `{variable}` of `{option}` is not set or is empty",
            hint="name the variable that holds the token, not the token",
        )
    return header_of(f"Authorization: {value}")[1]
