"""Live MCP servers as sources, which this version cannot read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from mcp_contracts.errors import UsageError
from mcp_contracts.sources.source import Form, Found, Search

_PREFIXES = ("stdio:", "http://", "https://")


class LiveServers:
    """Servers that run, by their command or their address."""

    forms: Sequence[Form] = ()
    is_read_once = False

    def recognizes(self, named: str) -> bool:
        """By the prefix."""
        return named.startswith(_PREFIXES)

    def find(self, named: Sequence[str], search: Search) -> Mapping[str, Iterable[Found]]:
        """Nothing yet."""
        raise _refusal(named[0])

    def folder(self, named: str) -> str | None:
        """None."""
        return None

    def in_project(self, named: str, root: Path) -> tuple[str, Path | None]:
        """The same everywhere."""
        return named, None

    def past_path(self, named: str) -> str:
        """None."""
        raise _refusal(named)


def _refusal(named: str) -> UsageError:
    return UsageError(
        f"`{named}` is a live server, which this version does not support",
        hint="save its `tools/list` response as JSON and pass that file",
    )
