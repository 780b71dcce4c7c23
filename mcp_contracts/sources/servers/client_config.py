"""The servers of an MCP client's configuration, such as `.mcp.json` or `claude_desktop_config.json`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.parsing.data.comments import without_comments, without_trailing_commas
from mcp_contracts.parsing.discovery import Unreadable, read_text, show
from mcp_contracts.parsing.text import shorten
from mcp_contracts.records import dataclass
from mcp_contracts.sources.servers.access import Server, ServerAddress, address_of, command_of, header_of

_KEYS = ("mcpServers", "servers", "mcp.servers", "context_servers")
"""The keys under which clients list their servers: most clients, VS Code, its settings, and Zed."""
_VARIABLE = re.compile(r"\$\{(?:env:)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^}]{0,1000}))?\}")
_ASKED = re.compile(r"\$\{input:[^}]{0,1000}\}")
_FOLDER = re.compile(r"\$\{workspaceFolder\}")
_HTTP_TYPES = ("http", "streamable-http", "streamableHttp", "streamable_http")


@dataclass(frozen=True, slots=True)
class ConfiguredServer:
    """A server of a configuration. `given` are the names of the variables or headers that it states.

    `source` is its command or URL in the file, before variables are resolved: the same on every machine.
    """

    name: str
    server: Server
    given: tuple[str, ...] = ()
    source: str = ""

    @property
    def shown(self) -> str:
        """The line that asks for confirmation: what is started or contacted, and the names of the passed values."""
        what = "headers" if isinstance(self.server, ServerAddress) else "environment"
        return f"{self.name}: {self.server.shown}" + (f" ({what}: {', '.join(self.given)})" if self.given else "")


def read_client_config(path: Path, environment: Mapping[str, str]) -> tuple[ConfiguredServer, ...]:
    """Return the servers of a client's configuration that are not disabled, by name.

    `environment` resolves `${NAME}`. Raises UsageError for a configuration that cannot be used, without showing its
    values.
    """
    shown = show(path)
    text = read_text(path)
    if isinstance(text, Unreadable):
        raise UsageError(f"`{shown}`: {text.fault.message}", hint="check the spelling of the path")
    try:
        document = json.loads(without_trailing_commas(without_comments(text)))
    except (ValueError, RecursionError) as error:
        at = f" at line {error.lineno}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise UsageError(f"`{shown}` is not valid JSON{at}", hint="fix the file") from error
    entries = _entries(document)
    if entries is None:
        raise UsageError(
            f"`{shown}` contains no MCP servers",
            hint='expected `{"mcpServers": {"NAME": {"command": …}}}`, as in `.mcp.json`',
        )
    return tuple(_servers(entries, path, environment))


def _entries(document: JsonValue) -> dict[str, JsonValue] | None:
    found = (document.get(key) for key in _KEYS) if isinstance(document, dict) else ()
    return next((value for value in found if isinstance(value, dict)), None)


def _servers(
    entries: Mapping[str, JsonValue], path: Path, environment: Mapping[str, str]
) -> Iterator[ConfiguredServer]:
    for name, entry in sorted(entries.items()):
        where = f"the server `{shorten(name)}` of `{show(path)}`"
        if not isinstance(entry, dict):
            raise UsageError(f"{where} is not an object", hint="add its `command` and `args`, or its `url`")
        if entry.get("disabled") is True or entry.get("enabled") is False:
            continue
        reading = _Reading(where, path, environment)
        if "url" in entry or "serverUrl" in entry or entry.get("type") in _HTTP_TYPES:
            yield _read_addressed_server(name, entry, reading)
        else:
            yield _read_started_server(name, entry, reading)


def _read_started_server(name: str, entry: Mapping[str, JsonValue], reading: _Reading) -> ConfiguredServer:
    command = reading.text(entry, "command")
    arguments = entry.get("args", [])
    if not isinstance(arguments, list) or not all(isinstance(one, str) for one in arguments):
        raise UsageError(
            f"`args` of {reading.where} is not an array of strings", hint="write each argument as a string"
        )
    variables = reading.texts(entry, "env")
    folder = reading.text(entry, "cwd") if "cwd" in entry else "."
    words = [command, *(reading.resolve(str(one)) for one in arguments)]
    where = os.path.normpath(reading.folder / folder)
    source = command_of([str(entry["command"]), *map(str, arguments)]).shown
    return ConfiguredServer(name, command_of(words, variables, where), tuple(sorted(variables)), source)


def _read_addressed_server(name: str, entry: Mapping[str, JsonValue], reading: _Reading) -> ConfiguredServer:
    if entry.get("type") == "sse":
        raise UsageError(
            f"{reading.where} uses the transport `sse`, which MCP has replaced",
            hint="use its Streamable HTTP URL, with the type `http`",
        )
    url = reading.text(entry, "url" if "url" in entry else "serverUrl")
    headers = reading.texts(entry, "headers")
    try:
        server = address_of(url, dict(header_of(f"{key}: {value}") for key, value in headers.items()))
    except UsageError as error:
        raise UsageError(f"{reading.where}: {error.message}", hint=error.hint) from error
    return ConfiguredServer(name, server, tuple(sorted(headers)), server.shown)


@dataclass(frozen=True, slots=True)
class _Reading:
    """One entry of the configuration. `where` names it in messages."""

    where: str
    path: Path
    environment: Mapping[str, str]

    @property
    def folder(self) -> Path:
        """The folder that relative paths refer to: the project's for `.vscode/mcp.json`."""
        folder = self.path.absolute().parent
        return folder.parent if folder.name in (".vscode", ".cursor") else folder

    def text(self, entry: Mapping[str, JsonValue], key: str) -> str:
        value = entry.get(key)
        if not isinstance(value, str) or not value.strip():
            raise UsageError(f"{self.where} has no `{key}`", hint=f"write `{key}` as a string")
        return self.resolve(value)

    def texts(self, entry: Mapping[str, JsonValue], key: str) -> dict[str, str]:
        values = entry.get(key) or {}
        if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
            raise UsageError(
                f"`{key}` of {self.where} is not an object of strings", hint="write each value as a string"
            )
        return {name: self.resolve(str(value)) for name, value in values.items()}

    def resolve(self, text: str) -> str:
        """Return text with its variables resolved."""
        if _ASKED.search(text):
            raise UsageError(
                f"{self.where} prompts the user for a value (`${{input:…}}`)",
                hint="write `${NAME}`, and set the variable NAME",
            )

        def value(match: re.Match[str]) -> str:
            found = self.environment.get(match["name"], match["default"])
            if found is None:
                raise UsageError(
                    f"{self.where} needs the environment variable `{match['name']}`, which is not set",
                    hint=f"set it, or write a default: `${{{match['name']}:-…}}`",
                )
            return found

        return _VARIABLE.sub(value, _FOLDER.sub(lambda match: str(self.folder), text))
