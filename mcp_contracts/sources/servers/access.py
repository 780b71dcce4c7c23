"""The name of a live server and how to reach it: its command or URL, with headers, deadline and environment."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit, urlunsplit

from mcp_contracts import lazy_re as re
from mcp_contracts.errors import UsageError
from mcp_contracts.records import dataclass, field

STDIO = "stdio:"
HTTP = ("http://", "https://")
DEFAULT_TIMEOUT = 60.0
"""Seconds for starting a server and listing its tools. On their first start, `npx` and `uvx` download a package."""
MAX_MESSAGE = 32_000_000
"""The maximum size of one message of a server in bytes: a list of 2,000 large tools takes a tenth."""
MAX_OUTPUT = 4 * MAX_MESSAGE
"""The maximum number of bytes that a server may write in total."""

CAPABILITIES = ("roots", "sampling", "elicitation")
"""The capabilities that the client can declare; servers offer some tools only to clients that declare one."""

_SHORTEST_SECRET = 6  # characters; a shorter value is too common to be hidden in messages
_HIDDEN = "***"
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_PROTECTED_HEADERS = ("content-type", "content-length", "accept", "host", "mcp-session-id", "mcp-protocol-version")
_PLAIN = re.compile(r"[\w@%+=:,./${}-]+")


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """The settings of a run for its servers. `headers` are sent to HTTP servers, and are never shown.

    `capabilities` are the members of `CAPABILITIES` that the client declares.
    """

    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout: float = DEFAULT_TIMEOUT
    capabilities: Collection[str] = CAPABILITIES


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """A stdio server. `environment` is added to the variables that the SDK passes; None passes all variables."""

    words: tuple[str, ...]
    environment: Mapping[str, str] | None = field(default=None, repr=False)
    folder: str | None = None

    @property
    def shown(self) -> str:
        """The command as messages and reports show it, without anything that looks like a secret."""
        return STDIO + " ".join(_without_secrets(self.words))

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that no message may contain."""
        return tuple((self.environment or {}).values())


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A server over Streamable HTTP. `headers` are sent to this server in addition to those of the run."""

    url: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def shown(self) -> str:
        """The URL as messages and reports show it: without user, password, query and fragment."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that no message may contain."""
        parts = urlsplit(self.url)
        return (*self.headers.values(), *filter(None, (parts.username, parts.password, parts.query)))


Server = ServerCommand | ServerAddress


def is_server(named: str) -> bool:
    """Whether a named source is a live server."""
    return named.startswith((STDIO, *HTTP))


def server_of(named: str) -> Server:
    """Return the named server. Raises UsageError if its command or URL cannot be read."""
    if named.startswith(HTTP):
        return address_of(named)
    import shlex  # few sources are servers

    try:
        words = shlex.split(named.removeprefix(STDIO), posix=os.name != "nt")
    except ValueError as error:
        raise UsageError(f"the command of `{STDIO}` has an unclosed quote", hint="add the missing quote") from error
    if not words:
        raise UsageError(f"`{STDIO}` has no command", hint="write it in quotes: `'stdio:python server.py'`")
    return command_of(words)


def command_of(
    words: list[str], environment: Mapping[str, str] | None = None, folder: str | None = None
) -> ServerCommand:
    """Return the server of a command, given as words. Raises UsageError for a command that no system can start."""
    if any("\0" in word for word in words):
        raise UsageError("the command of a server cannot contain a null character")
    return ServerCommand(tuple(words), environment, folder)


def address_of(url: str, headers: Mapping[str, str] | None = None) -> ServerAddress:
    """Return the server at a URL. Raises UsageError for an invalid URL."""
    try:
        parts = urlsplit(url)
        is_complete = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_complete = False
    if not is_complete or re.search(r"[\s\0-\x1f\x7f]", url):
        raise UsageError("the URL of a server is invalid", hint="write it as `https://host/mcp`")
    return ServerAddress(url, headers or {})


def header_of(text: str) -> tuple[str, str]:
    """Return the name and value of a header written as `Name: value`. Raises UsageError, which shows no value."""
    name, colon, value = text.partition(":")
    name, value = name.strip(), value.strip()
    if not colon or not _HEADER_NAME.fullmatch(name):
        raise UsageError("a header has no name", hint="write it as `--header 'Name: value'`")
    if name.lower() in _PROTECTED_HEADERS:
        raise UsageError(f"the header `{name}` is set by the protocol", hint="remove it")
    if not value.isprintable() or not value.isascii():
        raise UsageError(
            f"the value of the header `{name}` contains characters that a header cannot carry",
            hint="write printable ASCII",
        )
    return name, value


def without_secrets(text: str, server: Server, access: ServerAccess) -> str:
    """Remove the values that were passed to reach a server from text that it may have sent."""
    values = {*server.secrets, *access.headers.values()}
    values |= {value.partition(" ")[2] for value in values}  # the token of `Bearer TOKEN`
    for value in sorted((value for value in values if len(value) >= _SHORTEST_SECRET), key=len, reverse=True):
        text = text.replace(value, _HIDDEN)
    return text


def _without_secrets(words: tuple[str, ...]) -> list[str]:
    """Return the words of a command, without the values of options and variables whose names denote secrets."""
    from shlex import quote  # as above

    from mcp_contracts.runtime.telemetry.secret_names import DEFAULT_SECRET_NAMES, is_secret_name, secret_words

    secret_names = secret_words(DEFAULT_SECRET_NAMES | {"key", "auth"})
    shown: list[str] = []
    is_next_secret = False
    for word in words:
        name, equals, _ = word.partition("=")
        is_secret = bool(name.lstrip("-")) and is_secret_name(name.lstrip("-"), secret_names)
        is_option = word.startswith("-")
        if is_next_secret and not is_option:
            shown.append(_HIDDEN)
        elif equals and is_secret:
            shown.append(f"{name}={_HIDDEN}")
        else:
            shown.append(word if _PLAIN.fullmatch(word) else quote(word))
        is_next_secret = is_option and not equals and is_secret
    return shown
