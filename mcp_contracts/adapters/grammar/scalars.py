"""Strings and numbers of a schema as tokens, without the constraints that a grammar cannot express."""

from __future__ import annotations

from collections.abc import Callable

from mcp_contracts.adapters.grammar.conjuncts import Conjunct
from mcp_contracts.adapters.grammar.facts import Notes, limits_of, sizes_of
from mcp_contracts.adapters.grammar.model import NOTHING, Expression, Reference, Rule, sequence
from mcp_contracts.adapters.grammar.values.numbers import UnboundedDigitsError, decimals, integers
from mcp_contracts.adapters.grammar.values.string_automata import accepted_texts
from mcp_contracts.adapters.grammar.values.strings import (
    QUOTE,
    InexpressibleError,
    StringLimits,
    strings,
)
from mcp_contracts.patterns.languages import TooHardError
from mcp_contracts.records import dataclass
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.simple import exact


@dataclass(frozen=True, slots=True)
class Scalars:
    """The tokens of one schema. `name` creates the name of a rule; `known` are the tokens of all tools."""

    name: Callable[[str], str]
    known: dict[Expression, Rule]
    add: Callable[[Rule], None]
    notes: Notes
    budget: Budget

    def string(self, applying: tuple[Conjunct, ...]) -> Expression:
        """Return the strings at a place."""
        patterns = tuple(dict.fromkeys(str(c.get("pattern")) for c in applying if isinstance(c.get("pattern"), str)))
        low, high = sizes_of(applying, "minLength", "maxLength")
        return self._token(self._strings(StringLimits(low, high, patterns), applying), "string")

    def _strings(self, limits: StringLimits, applying: tuple[Conjunct, ...]) -> Expression:
        try:
            return strings(limits)
        except InexpressibleError as error:
            found = self._build_from_automaton(limits) if limits.patterns else None
            if found is not None:
                return found
            holder = next(conjunct for conjunct in reversed(applying) if error.keyword in conjunct.schema)
            self.notes.drop(f"{holder.pointer}/{error.keyword}", error.keyword, str(error))
            return self._strings(limits.without(error.keyword), applying)

    def _build_from_automaton(self, limits: StringLimits) -> Expression | None:
        """Return the strings that an automaton accepts; None if it needs too many states."""
        try:
            text, rules = accepted_texts(limits, lambda: self.name("string"), self.budget)
        except TooHardError:
            return None
        for rule in rules:
            self.add(rule)
        return sequence(QUOTE, text, QUOTE)

    def number(self, applying: tuple[Conjunct, ...], *, is_integer: bool) -> Expression:
        """Return the numbers at a place, or only its integers."""
        for conjunct in applying:
            step = exact(conjunct.get("multipleOf"))
            if step is None:
                continue
            if step == 1:
                is_integer = True
            elif not (is_integer and step > 0 and (1 / step).denominator == 1):
                message = "a grammar cannot express `multipleOf`"
                self.notes.drop(f"{conjunct.pointer}/multipleOf", "multipleOf", message)
        limits, place = limits_of(applying)
        kind = "integer" if is_integer else "number"
        if limits.is_open:
            return Reference(kind)
        try:
            found = integers(limits) if is_integer else decimals(limits)
        except UnboundedDigitsError as error:
            self.notes.drop(*place, str(error))
            return Reference(kind)
        return self._token(found, kind)

    def _token(self, body: Expression, kind: str) -> Expression:
        if isinstance(body, Reference) or body == NOTHING:
            return body
        known = self.known.get(body)
        if known is None:
            known = self.known[body] = Rule(self.name(kind), body, is_token=True)
        self.add(known)
        return Reference(known.name)
