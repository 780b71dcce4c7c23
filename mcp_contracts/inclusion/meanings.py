"""The constraints of a graph's nodes on values of each type, as formulas."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.atoms import (
    AtLeast,
    AtMost,
    Contains,
    Dual,
    Formula,
    Has,
    In,
    Items,
    Lacks,
    Matches,
    Maximum,
    Members,
    Minimum,
    MultipleOf,
    Names,
    Opaque,
    Unique,
)
from mcp_contracts.inclusion.evaluated import Evaluation
from mcp_contracts.inclusion.formulas import conjunction, disjunction, exactly, negation, type_of
from mcp_contracts.inclusion.graph import Graph
from mcp_contracts.inclusion.nodes import FALSE, TRUE, Node
from mcp_contracts.schema.simple import value_key

_MOST_EXCLUSIVE = 300
"""The maximum number of branches of a `oneOf` that are compared in pairs."""


class Formulas:
    """The formulas of a graph's nodes, created on demand and cached.

    `are_disjoint` may prove that no value satisfies both of two nodes; a `oneOf` of such branches is as simple as
    `anyOf`.
    """

    def __init__(self, graph: Graph, are_disjoint: Callable[[int, int], bool] = lambda one, other: False) -> None:
        self.graph = graph
        self._are_disjoint = are_disjoint
        self.constants: dict[Hashable, JsonValue] = {}
        self._positions: dict[Hashable, int] = {}  # of the constants, in order of discovery
        self._exact: dict[Hashable, Formula] = {}
        self._made: dict[tuple[int, str], Formula] = {}
        self._evaluation = Evaluation(graph)

    def of(self, number: int, kind: str) -> Formula:
        """Return the constraint of a node, or of its negation, on values of one type."""
        if number in (TRUE, FALSE):
            return number
        found = self._made.get((number, kind))
        if found is None:
            if number > 0:
                found = conjunction(list(self._assertions(self.graph[number], kind)))
            else:
                found = negation(self.of(-number, kind))
            self._made[number, kind] = found
        return found

    def only(self, value: JsonValue, kind: str) -> Formula:
        """Return the formula for one value, restricted to one type."""
        return self._one_of_values((value,), kind)

    def exactly(self, key: Hashable) -> Formula:
        """Return the formula for one of the arrays and objects in an `In`, as constraints on its parts."""
        found = self._exact.get(key)
        if found is None:
            found = self._exact[key] = exactly(self.constants[key])
        return found

    def in_order(self, keys: Iterable[Hashable]) -> list[Hashable]:
        """Return the keys of constants in the order in which the schemas list them."""
        return sorted(keys, key=self._positions.__getitem__)

    def _assertions(self, node: Node, kind: str) -> Iterator[Formula]:
        if node.types is not None:
            if kind == "number" and "number" not in node.types and "integer" in node.types:
                yield MultipleOf(Fraction(1))
            elif kind not in node.types:
                yield FALSE
                return
        if node.values is not None:
            yield self._one_of_values(node.values, kind)
        match kind:
            case "number":
                yield from _of_numbers(node.numbers)
            case "string":
                yield from _of_sizes(node.sizes, "Length")
                if node.pattern is not None:
                    yield Matches(node.pattern)
            case "array":
                yield from self._of_arrays(node)
            case "object":
                yield from self._of_objects(node)
        yield from node.all_of
        for branches in node.any_of:
            yield disjunction(branches)
        if len(node.one_of) > _MOST_EXCLUSIVE:
            yield Opaque("oneOf", node.origin)
        elif node.one_of:
            yield self._exactly_one(node.one_of)
        if node.negated is not None:
            yield -node.negated
        if node.condition is not None:
            condition, then, otherwise = node.condition
            yield disjunction([-condition, then])
            yield disjunction([condition, otherwise])
        for keyword in node.opaque:
            yield Opaque(keyword, node.origin)

    def _exactly_one(self, branches: tuple[int, ...]) -> Formula:
        """Return the formula of `oneOf`, with its negation, because each has its own short form."""
        pairs = [
            (one, other)
            for index, one in enumerate(branches)
            for other in branches[index + 1 :]
            if not self._are_disjoint(one, other)
        ]
        others: dict[int, list[int]] = {branch: [] for branch in branches}
        for one, other in pairs:
            others[one].append(other)
            others[other].append(one)
        one_holds = disjunction(conjunction([one, *(-other for other in others[one])]) for one in branches)
        none_holds = conjunction(-one for one in branches)
        return Dual(one_holds, disjunction([none_holds, *map(conjunction, pairs)]))

    def _one_of_values(self, values: tuple[JsonValue, ...], kind: str) -> Formula:
        own = {value_key(value): value for value in values if type_of(value) == kind}
        for key, value in own.items():
            if key not in self.constants:
                self._positions[key] = len(self._positions)
                self.constants[key] = value
        return In(frozenset(own)) if own else FALSE

    def _of_arrays(self, node: Node) -> Iterator[Formula]:
        yield from _of_sizes(node.sizes, "Items")
        if node.is_unique:
            yield Unique()
        if node.prefix or node.rest not in (None, TRUE):
            yield Items(node.prefix, TRUE if node.rest is None else node.rest)
        if node.contains is not None and not (node.contains[1] == 0 and node.contains[2] is None):
            yield Contains(*node.contains)
        if node.unevaluated_items is not None and node.unevaluated_items != TRUE:
            yield self._evaluation.constrain_unevaluated(node, "array", node.unevaluated_items)

    def _of_objects(self, node: Node) -> Iterator[Formula]:
        yield from _of_sizes(node.sizes, "Properties")
        for name in sorted(node.required):
            yield Has(name)
        rest = TRUE if node.additional is None else node.additional
        properties = tuple(node.properties.items())
        if rest == TRUE:
            properties = tuple(item for item in properties if item[1] != TRUE)
        patterns = tuple(node.patterns.items())
        if properties or patterns or rest != TRUE:
            yield Members(properties, patterns, rest)
        if node.names not in (None, TRUE):
            yield Names(node.names)
        for name, required in sorted(node.dependent_required.items()):
            for other in sorted(required):
                yield disjunction([Lacks(name), Has(other)])
        for name, schema in sorted(node.dependent_schemas.items()):
            yield disjunction([Lacks(name), schema])
        if node.unevaluated_properties is not None and node.unevaluated_properties != TRUE:
            yield self._evaluation.constrain_unevaluated(node, "object", node.unevaluated_properties)


def _of_numbers(numbers: Mapping[str, Fraction]) -> Iterator[Formula]:
    for keyword, limit in numbers.items():
        match keyword:
            case "minimum" | "exclusiveMinimum":
                yield Minimum(limit, keyword == "exclusiveMinimum")
            case "maximum" | "exclusiveMaximum":
                yield Maximum(limit, keyword == "exclusiveMaximum")
            case _:
                yield MultipleOf(limit)


def _of_sizes(sizes: Mapping[str, int], noun: str) -> Iterator[Formula]:
    if f"min{noun}" in sizes:
        yield AtLeast(sizes[f"min{noun}"])
    if f"max{noun}" in sizes:
        yield AtMost(sizes[f"max{noun}"])
