"""Python functions as sources, which this version cannot read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from mcp_contracts.errors import UsageError
from mcp_contracts.sources.source import Form, Found, Search

_PREFIX = "python:"


class PythonFunctions:
    """The functions of a module or package, read statically."""

    forms: Sequence[Form] = ()
    is_read_once = False

    def recognizes(self, named: str) -> bool:
        """By the prefix."""
        return named.startswith(_PREFIX)

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
        f"`{named}` names Python functions, which this version cannot read",
        hint="write their specification, or save their `tools/list` answer as JSON",
    )
