"""Which names the patterns of schemas match: cached, and charged to the budget."""

from __future__ import annotations

from mcp_contracts.patterns.automata import TooHardError
from mcp_contracts.patterns.languages import find_string
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.validation.compiled import CompiledSchema
from mcp_contracts.schema.validation.validators import accepts, compile_schema

_STEPS = 10_000
_MATCHES_PER_STEP = 5
_COMPILED_PER_STEP = 2  # patterns
_PAIRS_PER_STEP = 50
_LOOKED_AT_PER_STEP = 25  # subschemas whose constraints on a name are read
_LOOKED_AT_FREELY = 100_000  # subschemas read even without steps, so that removed names are found
_MEETING_STEPS = 800  # for two patterns that are compared
_FOR_MEETINGS = 0.25  # share of a budget


class MatchedNames:
    """Patterns for names. Each is compiled once, and matched against each name once.

    One instance serves all schemas that are compared with each other, and uses their budget.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = Budget(_STEPS) if budget is None else budget
        self._meetings = self._budget.part(self._budget.left * _FOR_MEETINGS)
        self._looked_at = 0
        self._compiled: dict[str, CompiledSchema] = {}
        self._matches: dict[tuple[str, str], bool | None] = {}
        self._meet: dict[tuple[str, str], bool] = {}
        self._met: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}

    def pay_for(self, subschemas: int) -> bool:
        """Pay for looking up one name in subschemas, and return whether the budget sufficed."""
        self._looked_at += subschemas
        return self._looked_at <= _LOOKED_AT_FREELY or self._budget.pay(subschemas, per_step=_LOOKED_AT_PER_STEP)

    def matches(self, pattern: str, name: str) -> bool | None:
        """Whether a pattern matches a name; None if it is unknown, or the budget is exhausted."""
        key = (pattern, name)
        if key not in self._matches:
            if not self._budget.pay(1 + len(name) / _LONG_NAME, per_step=_MATCHES_PER_STEP):
                return None
            if pattern not in self._compiled:
                self._budget.pay(1 + len(pattern) / _LONG_NAME, per_step=_COMPILED_PER_STEP)
                self._compiled[pattern] = compile_schema({"pattern": pattern})
            self._matches[key] = accepts(self._compiled[pattern], name)
        return self._matches[key]

    def overlapping_patterns(self, pattern: str, patterns: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return the other patterns that may match a name that one of them matches; None past the budget."""
        key = (pattern, patterns)
        if key not in self._met:
            if not self._budget.pay(len(patterns), per_step=_PAIRS_PER_STEP):
                return None
            self._met[key] = tuple(one for one in patterns if one != pattern and self.may_meet(pattern, one))
        return self._met[key]

    def may_meet(self, one: str, other: str) -> bool:
        """Whether two patterns may match the same name; False proves that they do not."""
        key = (one, other) if one < other else (other, one)
        if key not in self._meet:
            try:
                steps = self._meetings.part(_MEETING_STEPS)
                self._meet[key] = steps.is_spent or find_string(key, budget=steps) is not None
            except TooHardError:
                self._meet[key] = True
        return self._meet[key]


_LONG_NAME = 100  # characters
