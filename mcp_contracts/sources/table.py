"""The table of sources: every kind that commands accept, one row for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from mcp_contracts.errors import ConfigurationError, UsageError
from mcp_contracts.parsing.discovery import Unreadable, show
from mcp_contracts.sources.documents import Blob
from mcp_contracts.sources.paths import Paths
from mcp_contracts.sources.python_functions import PythonFunctions
from mcp_contracts.sources.servers.access import is_server, server_of
from mcp_contracts.sources.source import Form, Found, Search, Source
from mcp_contracts.sources.standard_input import StandardInput

_REVISION = "git:"


class GitRevisions(Source):
    """The specifications and tool lists of a commit, read without a checkout."""

    forms = (Form("any of the files above at a git revision", "git:v1.2.0", "git:main:specs/"),)

    def recognizes(self, named: str) -> bool:
        return named.startswith(_REVISION)

    def find(self, named: Sequence[str], search: Search) -> Mapping[str, Iterable[Blob | Unreadable]]:
        """Return the files of each revision. A revision that is named twice is opened once."""
        from mcp_contracts.sources.git import find_named  # starts processes, and most runs name no revision

        return find_named(
            {one: one.removeprefix(_REVISION) for one in named},
            max_file_size=search.max_file_size,
            is_excluded=search.is_excluded,
        )

    def past_path(self, named: str) -> str:
        hint = "pass the file or folder, or compare two sources with `diff OLD NEW`"
        raise UsageError(f"`{show(named)}` is not a path that can exist in a git revision", hint=hint)


class LiveServers(Source):
    """Live servers, by their command or their URL."""

    forms: Sequence[Form] = (Form("a live MCP server", "stdio:python server.py", "https://host/mcp"),)

    def recognizes(self, named: str) -> bool:
        return is_server(named)

    def find(self, named: Sequence[str], search: Search) -> Mapping[str, Sequence[Found]]:
        """Return the tools that each server lists now."""
        servers = {one: server_of(one) for one in named}
        # Imported here, because pydantic and the SDK are slow, and the SDK is an extra.
        from mcp_contracts.runtime.remote.sessions import require_mcp

        require_mcp()
        from mcp_contracts.sources.servers.listing import listed_server

        return {one: (listed_server(server, search.servers),) for one, server in servers.items()}

    def in_project(self, named: str, root: Path) -> tuple[str, Path | None]:
        """Raise UsageError: a configuration, which a pull request may change, must not start or contact anything."""
        raise ConfigurationError(
            f"`paths` in the configuration names the live server `{server_of(named).shown}`",
            hint="name it on the command line, or commit its tools with `mcp-contracts lock`",
        )

    def past_path(self, named: str) -> str:
        raise UsageError(
            f"`{server_of(named).shown}` is a live server, which has no git revision",
            hint="commit its tools with `mcp-contracts lock`, and compare with `mcp-contracts lock --check`",
        )


SOURCES: tuple[Source, ...] = (
    StandardInput(),
    GitRevisions(),
    LiveServers(),
    PythonFunctions(),
    Paths(),  # recognizes everything else
)
"""All kinds. The first that recognizes a name is used."""


def source_of(named: str) -> Source:
    """Return the kind of a named source."""
    return next(source for source in SOURCES if source.recognizes(named))


def forms() -> tuple[Form, ...]:
    """Return the ways to name a source, the most common first."""
    return tuple(form for source in reversed(SOURCES) for form in source.forms)
