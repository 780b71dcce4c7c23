"""What a search for a value comes to, and what the searches for values of each type ask of each other."""

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
    """Why it is not known whether there is a value: the keyword that stopped the search, where known, and in words.

    `subject` is the pattern that it is about, if it is about one.
    """

    keyword: str
    message: str
    origin: Origin | None = None
    subject: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A value that satisfies what was asked; with a doubt, one that satisfies all of it that we understand."""

    value: JsonValue
    doubt: Doubt | None = None


Answer = Found | Doubt | None
"""A value, a doubt, or None: it is proved that there is no value."""


class UndecidedError(Exception):
    """A search that cannot go on here."""

    def __init__(self, doubt: Doubt) -> None:
        super().__init__(doubt.message)
        self.doubt = doubt


class Search(Protocol):
    """The search as the solvers of single types see it."""

    formulas: Formulas
    budget: Budget

    def satisfy(self, parts: Iterable[Formula]) -> Answer:
        """A value of any type that satisfies all of some formulas."""

    def satisfy_type(self, parts: Iterable[Formula], kind: str) -> Answer:
        """A value of one type that satisfies all of some formulas."""

    def index(self, pairs: tuple[tuple[str, Formula], ...]) -> Mapping[str, Formula]:
        """Formulas by name; made once for each tuple, since an object of many properties is looked at as often."""


def first_found(answers: Iterable[Answer]) -> Answer:
    """The first value without a doubt; else one with a doubt, else a doubt; None only if there is no value at all."""
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
