"""Which names the patterns of a schema match, remembered and counted."""

from __future__ import annotations

from mcp_contracts.schema.validation.validators import Compiled, accepts, compile_schema

_MOST_MATCHES = 50_000  # 10 µs each


class MatchedNames:
    """Patterns for names, each compiled once, and each asked once about a name."""

    def __init__(self) -> None:
        self._compiled: dict[str, Compiled] = {}
        self._matches: dict[tuple[str, str], bool | None] = {}

    def matches(self, pattern: str, name: str) -> bool | None:
        """Whether a pattern matches a name; None where that cannot be told, or too much was asked before."""
        key = (pattern, name)
        if key not in self._matches:
            if len(self._matches) >= _MOST_MATCHES:
                return None
            if pattern not in self._compiled:
                self._compiled[pattern] = compile_schema({"pattern": pattern})
            self._matches[key] = accepts(self._compiled[pattern], name)
        return self._matches[key]
