"""Decides whether a schema accepts only what others accept: a proof, a counterexample, or the reason for a doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import ceil
from typing import Literal

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.answers import Doubt, Found
from mcp_contracts.inclusion.graph import MAXIMUM_NODES, ORIGIN, Graph, TooLargeError
from mcp_contracts.inclusion.meanings import Formulas
from mcp_contracts.inclusion.nodes import TRUE, Origin
from mcp_contracts.inclusion.prover import Prover
from mcp_contracts.records import dataclass, replace
from mcp_contracts.schema.budget import Budget, SpentError
from mcp_contracts.schema.simple import value_key
from mcp_contracts.schema.validation.validators import compile_schema
from mcp_contracts.schema.walk import subschemas

BUDGET = 20_000
"""The maximum number of steps for one question."""

_DISJOINTNESS_BUDGET = 200
_FOR_DISJOINTNESS = 0.5  # share of the remaining steps of a question
_QUESTION = 5  # the fixed cost of a question, in steps
_NODES_PER_STEP = 2  # subschemas read
_REFERRING_PER_STEP = 4  # subschemas read that only refer to another one
_VALUES_PER_STEP = 20  # listed values read
_BYTES_PER_STEP = 4_000


@dataclass(frozen=True, slots=True)
class Inclusion:
    """Whether every value that `left` accepts is accepted by one of `rights`.

    If the answer is no, `witness` is a value that none of them accepts; if it is unknown, a possible witness
    (`has_witness` distinguishes null from no value). `keyword`, `pointer` and `reason` say what stopped the proof;
    `document` is 0 for `left`, 1 for the first of `rights`, and so on. `steps` counts the work.
    """

    answer: Literal["yes", "no", "unknown"]
    witness: JsonValue = None
    has_witness: bool = False
    keyword: str = ""
    pointer: str = ""
    document: int = 0
    reason: str = ""
    steps: int = 0


def inclusion(left: JsonValue, *rights: JsonValue, budget: int = BUDGET) -> Inclusion:
    """Decide whether every value that `left` accepts is accepted by at least one of `rights`.

    Formats, and everything that a dialect allows a validator to ignore, are annotations. The answer is unknown for
    schemas that are invalid, are in another dialect, or refer to something outside. A `no` is only the result of the
    search; `confirm` checks it with validators.
    """
    return counterexample((left,), rights, Budget(budget))


def counterexample(accepting: Sequence[JsonValue], refusing: Sequence[JsonValue], budget: Budget) -> Inclusion:
    """Decide whether every value that all `accepting` schemas accept is accepted by one of the `refusing` ones.

    A `no` comes with a counterexample. `document` in the answer counts the accepting schemas first, then the refusing
    ones. Reading and searching are charged to the budget; past it, the answer is unknown.
    """
    before = budget.spent
    found = _answer(accepting, refusing, budget)
    return replace(found, steps=ceil(budget.spent - before))


def _answer(accepting: Sequence[JsonValue], refusing: Sequence[JsonValue], budget: Budget) -> Inclusion:
    schemas = (*accepting, *refusing)
    compiled = [compile_schema(schema) for schema in schemas]
    for number, one in enumerate(compiled):
        if one.refusal is not None:
            keyword = one.refusal.pointer.rpartition("/")[2] or "$schema"
            return Inclusion("unknown", None, False, keyword, one.refusal.pointer, number, one.refusal.message)
    if any(one is False for one in accepting) or any(one is True for one in refusing):
        return Inclusion("yes")
    too_long = Inclusion("unknown", reason=f"the proof takes more than {int(budget.total)} steps")
    try:
        budget.spend(_QUESTION + sum(one.length for one in compiled) / _BYTES_PER_STEP)
        graph = Graph(*schemas)
        # References are read like subschemas, but are not nodes.
        referring = sum(one.size for one in compiled) - len(graph)
        budget.spend(len(graph) / _NODES_PER_STEP + max(0, referring) / _REFERRING_PER_STEP)
        budget.spend(graph.listed, _VALUES_PER_STEP)
        prover = Prover(Formulas(graph, _disjointness(graph, budget)), budget)
        count = len(accepting)
        goal = [graph.root(number) if number < count else -graph.root(number) for number in range(len(schemas))]
        answer = prover.satisfy(goal)
    except TooLargeError:
        budget.pay(MAXIMUM_NODES, per_step=_NODES_PER_STEP)
        return Inclusion("unknown", reason="the schemas have too many subschemas")
    except SpentError:
        return too_long
    except RecursionError:
        return Inclusion("unknown", reason="the schemas are nested too deeply")
    if answer is None:
        return Inclusion("yes")
    doubt = answer if isinstance(answer, Doubt) else answer.doubt
    witness = answer.value if isinstance(answer, Found) else None
    has_witness = isinstance(answer, Found)
    if doubt is None:
        return Inclusion("no", witness, has_witness)
    origin = doubt.origin or _origin_of(doubt, schemas)
    return Inclusion(
        "unknown",
        witness,
        has_witness,
        doubt.keyword,
        "" if origin is None else origin.pointer,
        0 if origin is None else origin.document,
        doubt.message,
    )


def _origin_of(doubt: Doubt, schemas: Sequence[JsonValue]) -> Origin | None:
    """Return the place of the keyword that caused a doubt: the first one with the pattern or the keyword."""
    for document, schema in enumerate(schemas):
        for node in subschemas(schema):
            stated = node.value.get(doubt.keyword)
            if stated is not None and (doubt.keyword != "pattern" or doubt.subject in (None, stated)):
                original = node.value.get(ORIGIN)
                pointer = original if isinstance(original, str) else node.pointer
                return Origin(document, f"{pointer}/{doubt.keyword}")
    return None


def _disjointness(graph: Graph, budget: Budget) -> Callable[[int, int], bool]:
    """Whether a short search proves that no value satisfies both of two nodes."""
    formulas = Formulas(graph)
    searches = budget.part(budget.left * _FOR_DISJOINTNESS)

    @cache
    def are_disjoint(one: int, other: int) -> bool:
        if one > other:
            return are_disjoint(other, one)
        try:
            if _are_told_apart(graph, one, other, searches):
                return True
            return Prover(formulas, searches.part(_DISJOINTNESS_BUDGET)).satisfy((one, other)) is None
        except (SpentError, RecursionError):
            return False

    return are_disjoint


def _are_told_apart(graph: Graph, one: int, other: int, budget: Budget) -> bool:
    """Whether two nodes list different values for a property that a value of both must have."""
    if min(one, other) <= TRUE:
        return False
    first, second = graph[one], graph[other]
    if first.opaque or second.opaque or frozenset(("object",)) not in (first.types, second.types):
        return False
    for name in sorted(first.properties.keys() & second.properties.keys() & (first.required | second.required)):
        values, others = (_listed(graph, node.properties[name]) for node in (first, second))
        if values is None or others is None:
            continue
        budget.spend(len(values) + len(others), _VALUES_PER_STEP)
        if {*map(value_key, values)}.isdisjoint(map(value_key, others)):
            return True
    return False


def _listed(graph: Graph, number: int) -> tuple[JsonValue, ...] | None:
    """Return the only values that a node may accept, or None if it lists none."""
    node = graph[number] if number > TRUE else None
    return None if node is None or node.opaque else node.values
