"""Live MCP servers as sources: `stdio:COMMAND`, or the address of a server over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from mcp_contracts.errors import ConfigurationError, UsageError
from mcp_contracts.sources.servers.access import is_server, server_of
from mcp_contracts.sources.source import Form, Found, Search, Source


class LiveServers(Source):
    """Live servers, by their command or their address."""

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
            f"`paths` of the configuration names the live server `{server_of(named).shown}`",
            hint="name it on the command line, or commit its tools with `mcp-contracts lock`",
        )

    def past_path(self, named: str) -> str:
        raise UsageError(
            f"`{server_of(named).shown}` is a live server, which has no git revision",
            hint="commit its tools with `mcp-contracts lock`, and compare with `mcp-contracts lock --check`",
        )
