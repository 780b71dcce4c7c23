"""Which names the patterns of a schema match, remembered and counted."""

from __future__ import annotations

from mcp_contracts.patterns.automata import TooHardError
from mcp_contracts.patterns.languages import find_string
from mcp_contracts.schema.validation.validators import Compiled, accepts, compile_schema

_MOST_MATCHES = 50_000  # 10 µs each
_MOST_MEETINGS = 1_000  # pairs of patterns that are held against each other
_STATES = 2_000


class MatchedNames:
    """Patterns for names, each compiled once, and each asked once about a name."""

    def __init__(self) -> None:
        self._compiled: dict[str, Compiled] = {}
        self._matches: dict[tuple[str, str], bool | None] = {}
        self._meet: dict[tuple[str, str], bool] = {}

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

    def may_meet(self, one: str, other: str) -> bool:
        """Whether there may be a name that two patterns match; False is a proof."""
        key = (one, other) if one < other else (other, one)
        if key not in self._meet:
            try:
                self._meet[key] = len(self._meet) >= _MOST_MEETINGS or find_string(key, budget=_STATES) is not None
            except TooHardError:
                self._meet[key] = True
        return self._meet[key]
