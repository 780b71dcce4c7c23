"""The results of a search for a value, and the interface between the solvers for the types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.atoms import Formula
from mcp_contracts.inclusion.meanings import Formulas
from mcp_contracts.inclusion.nodes import Origin
from mcp_contracts.records import dataclass
from mcp_contracts.schema.budget import Budget


@dataclass(frozen=True, slots=True)
class Doubt:
    """The reason why a search is undecided: the keyword that stopped it, if known, and an explanation.

    `subject` is the pattern that caused it, if any.
    """

    keyword: str
    message: str
    origin: Origin | None = None
    subject: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A value that satisfies the formulas or, with a doubt, only those that the search supports."""

    value: JsonValue
    doubt: Doubt | None = None


Answer = Found | Doubt | None
"""A value, a doubt, or None, which proves that no value exists."""


class UndecidedError(Exception):
    """The search cannot continue."""

    def __init__(self, doubt: Doubt) -> None:
        super().__init__(doubt.message)
        self.doubt = doubt


class Search(Protocol):
    """The search, as seen by the solvers for single types."""

    formulas: Formulas
    budget: Budget

    def satisfy(self, parts: Iterable[Formula]) -> Answer:
        """Return a value of any type that satisfies all of some formulas."""

    def satisfy_type(self, parts: Iterable[Formula], kind: str) -> Answer:
        """Return a value of one type that satisfies all of some formulas."""

    def index(self, pairs: tuple[tuple[str, Formula], ...]) -> Mapping[str, Formula]:
        """Return formulas by name; cached for each tuple, because an object needs them for each property."""


def find_first(answers: Iterable[Answer]) -> Answer:
    """Return the first value without a doubt, else one with a doubt, else a doubt; None only if no value exists."""
    best: Answer = None
    for answer in answers:
        if isinstance(answer, Found):
            if answer.doubt is None:
                return answer
            if not isinstance(best, Found):
                best = answer
        elif answer is not None and best is None:
            best = answer
    return best
