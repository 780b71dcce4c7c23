"""Places for values outside files: a function, or a schema that Python code passes."""

from __future__ import annotations

from mcp_contracts.diagnostics import Place
from mcp_contracts.records import dataclass

NOWHERE = Place("<python>", 1, 1, 1, 1)
"""The place of a contract that Python code created."""


@dataclass(frozen=True, slots=True)
class FixedLocator:
    """Locates every pointer at one place."""

    fixed: Place = NOWHERE

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        return self.fixed

    def at(self, base: str) -> FixedLocator:
        """Return this locator: all parts have the same place."""
        return self


def origin(name: str) -> FixedLocator:
    """Return the locator of something that has a name but no lines, such as a server or a format of JSON."""
    return FixedLocator(Place(name, 1, 1, 1, 1))
