"""A naive implementation of inclusion for comparison: our own search without its optimizations.

Every subschema is a separate node, even if several are equal; options are split in order, and nothing is excluded or
decided early; branches of a `oneOf` are never recognized as exclusive. The formulas, the solvers of single types, the
cache of goals and the budget are those of the engine, so that the answers are sound.
"""

from __future__ import annotations

from typing import Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.answers import Answer, find_first
from mcp_contracts.inclusion.atoms import Formula
from mcp_contracts.inclusion.decision import BUDGET, Inclusion
from mcp_contracts.inclusion.graph import Graph, TooLargeError, _Reader  # private: this is not a product
from mcp_contracts.inclusion.meanings import Formulas
from mcp_contracts.inclusion.prover import Prover
from mcp_contracts.schema.budget import Budget, SpentError
from mcp_contracts.schema.validation.validators import compile_schema


class PlainGraph(Graph):
    """A graph that does not merge equal subschemas."""

    def __init__(self, *documents: JsonValue) -> None:
        self._nodes = {}
        readers = [_Reader(number, document, self._nodes) for number, document in enumerate(documents)]
        self._roots = [reader.target("") for reader in readers]
        for reader in readers:
            reader.read_pending()
        self._by_class = dict(self._nodes)


class PlainProver(Prover):
    """A search that tries every option of every choice in turn."""

    def _search(
        self, kind: str, seen: set[int], atoms: list[Any], choices: list[list[Formula]], pending: list[Formula]
    ) -> Answer:
        self.budget.spend()
        seen, atoms, choices = set(seen), list(atoms), list(choices)
        if not self._take_in(kind, seen, atoms, choices, pending):
            return None
        if not choices:
            return self._solve(kind, atoms)
        first, *others = choices
        return find_first(self._search(kind, seen, atoms, others, [part]) for part in first)


def naive_inclusion(left: JsonValue, right: JsonValue, *, budget: int = BUDGET) -> Inclusion:
    """Like `inclusion` of two schemas; the reason of an unknown answer is one word."""
    if any(compile_schema(schema).refusal is not None for schema in (left, right)):
        return Inclusion("unknown", reason="refused")
    try:
        graph = PlainGraph(left, right)
    except TooLargeError:
        return Inclusion("unknown", reason="large")
    paying = Budget(budget)
    prover = PlainProver(Formulas(graph), paying)
    try:
        answer = prover.satisfy((graph.root(0), -graph.root(1)))
    except (SpentError, RecursionError):
        return Inclusion("unknown", reason="exhausted", steps=int(paying.spent))
    if answer is None:
        return Inclusion("yes", steps=int(paying.spent))
    if getattr(answer, "doubt", answer) is None:
        return Inclusion("no", getattr(answer, "value", None), True, steps=int(paying.spent))
    return Inclusion("unknown", reason="undecided", steps=int(paying.spent))
