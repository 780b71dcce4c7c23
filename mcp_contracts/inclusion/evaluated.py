"""The constraints of `unevaluatedItems` and `unevaluatedProperties`, from what each branch evaluates if it holds.

A node and its branches contribute names, patterns, positions or everything, each if its *guard* holds: the formula of
the branches that lead there. Each name or position then satisfies either the constraint, or a guard of something that
evaluates it. Only patterns of names and `contains` apply to values that are not known in advance, so combinations of
guards are distinguished only for these. The formula therefore grows with the number of branches rather than with that
of their combinations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from mcp_contracts.inclusion.atoms import Formula, Has, Items, Lacks, Members, Opaque, Value
from mcp_contracts.inclusion.formulas import conjunction, disjunction
from mcp_contracts.inclusion.graph import Graph
from mcp_contracts.inclusion.nodes import FALSE, TRUE, Node
from mcp_contracts.records import dataclass
from mcp_contracts.schema.identity import cached_method

_MOST_CONTRIBUTIONS = 300
_MOST_CASES = 256  # ways in which the guards of patterns, or of `contains`, hold
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class _Contribution:
    """The parts that a branch evaluates if its guard holds: names, patterns, a prefix, contained items, or all."""

    guard: Formula
    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    prefix: int = 0
    contained: int | None = None
    is_all: bool = False


class _TooManyError(Exception):
    """A node has more branches than the search follows."""


class Evaluation:
    """The parts that the nodes of a graph evaluate."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def constrain_unevaluated(self, node: Node, kind: str, rest: Formula) -> Formula:
        """Return the constraint of a node on the items or properties that none of its branches evaluates."""
        keyword = "unevaluatedItems" if kind == "array" else "unevaluatedProperties"
        try:
            found: list[_Contribution] = []
            for one in self._contributions(node, kind, TRUE, _DEEPEST, is_root=True):
                found.append(one)
                if len(found) > _MOST_CONTRIBUTIONS:
                    raise _TooManyError
            everything = [one.guard for one in found if one.is_all]
            parts = [one for one in found if not one.is_all]
            of_kind = _unevaluated_items if kind == "array" else _unevaluated_properties
            return disjunction([*everything, of_kind(parts, rest)])
        except _TooManyError:
            return Opaque(keyword, node.origin)

    def _contributions(
        self, node: Node, kind: str, guard: Formula, depth: int, *, is_root: bool = False
    ) -> Iterator[_Contribution]:
        if depth == 0:
            raise _TooManyError
        own = _own_contribution(node, kind, guard, is_root=is_root)
        if own is not None:
            yield own
            if own.is_all:
                return
        for branch in node.all_of:
            yield from self._of_branch(branch, kind, guard, depth)
        for branch in (*(one for branches in node.any_of for one in branches), *node.one_of):
            yield from self._of_branch(branch, kind, conjunction([guard, branch]), depth)
        for name, branch in sorted(node.dependent_schemas.items()):
            if kind == "object":
                yield from self._of_branch(branch, kind, conjunction([guard, Has(name)]), depth)
        if node.condition is not None:
            condition, then, otherwise = node.condition
            yield from self._of_branch(condition, kind, conjunction([guard, condition]), depth)
            yield from self._of_branch(then, kind, conjunction([guard, condition]), depth)
            yield from self._of_branch(otherwise, kind, conjunction([guard, -condition]), depth)

    def _of_branch(self, number: int, kind: str, guard: Formula, depth: int) -> Iterator[_Contribution]:
        if self._annotates(number, kind):
            yield from self._contributions(self._graph[number], kind, guard, depth - 1)

    @cached_method
    def _annotates(self, number: int, kind: str) -> bool:
        """Whether a node may evaluate items or properties, itself or through a branch. No branch leads back to
        itself."""
        if number <= TRUE:  # or a negation
            return False
        node = self._graph[number]
        below = [*node.all_of, *(one for branches in node.any_of for one in branches), *node.one_of]
        below += [*node.dependent_schemas.values(), *(node.condition or ())]
        is_own = _own_contribution(node, kind, TRUE, is_root=False) is not None
        return is_own or any(self._annotates(one, kind) for one in below)


def _own_contribution(node: Node, kind: str, guard: Formula, *, is_root: bool) -> _Contribution | None:
    """Return what the keywords of a node evaluate by themselves, if anything."""
    if kind == "array":
        if node.rest is not None or (node.unevaluated_items is not None and not is_root):
            return _Contribution(guard, is_all=True)
        contained = None if node.contains is None else node.contains[0]
        if not node.prefix and contained is None:
            return None
        return _Contribution(guard, prefix=len(node.prefix), contained=contained)
    if node.additional is not None or (node.unevaluated_properties is not None and not is_root):
        return _Contribution(guard, is_all=True)
    if not node.properties and not node.patterns:
        return None
    return _Contribution(guard, frozenset(node.properties), frozenset(node.patterns))


_Key = TypeVar("_Key", str, int)


def _guards(found: Iterable[tuple[_Key, Formula]]) -> dict[_Key, Formula]:
    """Return the combined guard of each key: the disjunction of its guards."""
    guards: dict[_Key, list[Formula]] = {}
    for key, guard in found:
        guards.setdefault(key, []).append(guard)
    return {key: disjunction(dict.fromkeys(held)) for key, held in guards.items()}


def _cases(guards: Mapping[_Key, Formula]) -> Iterator[tuple[list[Formula], list[_Key]]]:
    """Yield the combinations of keys that may apply, each with its condition. Keys whose guard is TRUE always apply."""
    always: list[_Key] = [key for key, guard in guards.items() if guard == TRUE]
    others: list[_Key] = [key for key, guard in guards.items() if guard != TRUE]
    if 2 ** len(others) > _MOST_CASES:
        raise _TooManyError
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            held: list[_Key] = list(chosen)
            yield [guards[key] for key in held], always + held


def _unevaluated_properties(found: Sequence[_Contribution], asked: Formula) -> Formula:
    of_names = _guards((name, one.guard) for one in found for name in sorted(one.names))
    of_patterns = _guards((pattern, one.guard) for one in found for pattern in sorted(one.patterns))
    ways = []
    for needed, patterns in _cases(of_patterns):
        applying = tuple((pattern, TRUE) for pattern in patterns)
        named = [
            disjunction([guard, _unevaluated_name(name, asked, of_names, applying)])
            for name, guard in of_names.items()
            if guard != TRUE
        ]
        rest = Members(tuple((name, TRUE) for name in of_names), applying, asked)
        ways.append(conjunction([*needed, *named, rest]))
    return disjunction(ways)


def _unevaluated_name(
    name: str, asked: Formula, names: Iterable[str], applying: tuple[tuple[str, Formula], ...]
) -> Formula:
    """Return the constraint on a name that no branch declares, unless one of the patterns matches it."""
    if applying:
        return Members(tuple((other, TRUE) for other in names if other != name), applying, asked)
    return Lacks(name) if asked == FALSE else disjunction([Lacks(name), Value(name, asked)])


def _unevaluated_items(found: Sequence[_Contribution], asked: Formula) -> Formula:
    of_contained = _guards((one.contained, one.guard) for one in found if one.contained is not None)
    ways = []
    for needed, contained in _cases(of_contained):
        item = disjunction([asked, *contained])
        zones = []
        for start in sorted({0, *(one.prefix for one in found)}):
            guards = dict.fromkeys(one.guard for one in found if one.prefix > start)
            zones.append(disjunction([*guards, Items((TRUE,) * start, item)]))
        ways.append(conjunction([*needed, *zones]))
    return disjunction(ways)
