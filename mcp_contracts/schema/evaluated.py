"""What `unevaluatedItems` and `unevaluatedProperties` ask: a schema is split into the cases of which branches hold."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.schema.formulas import Formula, conjunction, disjunction, negation
from mcp_contracts.schema.graph import Graph
from mcp_contracts.schema.nodes import TRUE, Node

_MOST_CASES = 128
_CASE_DEPTH = 12


class Evaluation:
    """Says what the nodes of a graph evaluate."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._annotating: dict[int, bool] = {}

    def unevaluated(self, node: Node, kind: str) -> Formula:
        """What a node asks of the items or properties that none of its branches evaluates."""
        keyword = "unevaluatedItems" if kind == "array" else "unevaluatedProperties"
        cases = list(self._cases(node, kind, _CASE_DEPTH, is_root=True))
        if len(cases) > _MOST_CASES or any(case is None for case in cases):
            return ("opaque", keyword, node.origin)
        asked = []
        for case in cases:
            assert case is not None  # seen above
            formula, evaluated = case
            if not evaluated.is_all:
                if kind == "array":
                    rest = disjunction([*evaluated.contained, node.unevaluated_items or TRUE])
                    left: Formula = ("items", (TRUE,) * evaluated.prefix, rest)
                else:
                    names = tuple((name, TRUE) for name in sorted(evaluated.names))
                    patterns = tuple((pattern, TRUE) for pattern in sorted(evaluated.patterns))
                    left = ("members", names, patterns, node.unevaluated_properties)
                formula = conjunction([formula, left])
            asked.append(formula)
        return disjunction(asked)

    def _cases(
        self, node: Node, kind: str, depth: int, *, is_root: bool = False
    ) -> Iterator[tuple[Formula, _Evaluated] | None]:
        """The ways in which a value can satisfy a node, with what is evaluated in each; None if they are too many."""
        if depth == 0:
            yield None
            return
        own = _evaluated_by(node, kind, is_root=is_root)
        choices: list[list[tuple[Formula, _Evaluated]]] = []
        for branch in filter(self._annotates, node.all_of):
            choices.append(self._branch_cases(branch, kind, depth) or [])
            if not choices[-1]:
                yield None
                return
        optional = [branch for branches in node.any_of for branch in branches] + list(node.one_of)
        pairs = [(branch, branch) for branch in optional if self._annotates(branch)]
        if kind == "object":
            pairs += [(("has", name), s) for name, s in sorted(node.dependent_schemas.items()) if self._annotates(s)]  # type: ignore[misc]
        for guard, branch in pairs:
            found = self._branch_cases(branch, kind, depth)
            if not found:
                yield None
                return
            choices.append([*((conjunction([guard, f]), e) for f, e in found), (negation(guard), _Evaluated())])
        if node.condition is not None:
            condition, then, otherwise = node.condition
            if any(map(self._annotates, node.condition)):
                ways = []
                for guards in ((condition, then), (-condition, otherwise)):
                    held = [self._branch_cases(one, kind, depth) for one in guards]
                    if not held[0] or not held[1]:
                        yield None
                        return
                    ways += [(conjunction([f, g]), e.joined(d)) for f, e in held[0] for g, d in held[1]]
                choices.append(ways)
        total = 1
        for choice in choices:
            total *= len(choice)
        if total > _MOST_CASES:
            yield None
            return
        combined: list[tuple[Formula, _Evaluated]] = [(TRUE, own)]
        for choice in choices:
            combined = [(conjunction([f, g]), e.joined(d)) for f, e in combined for g, d in choice]
        yield from combined

    def _branch_cases(self, number: int, kind: str, depth: int) -> list[tuple[Formula, _Evaluated]] | None:
        if number < 0 or number == TRUE or not self._annotates(number):
            return [(number, _Evaluated())]
        found = []
        for case in self._cases(self._graph[number], kind, depth - 1):
            if case is None:
                return None
            found.append((conjunction([number, case[0]]), case[1]))
        return found

    def _annotates(self, number: int) -> bool:
        """Whether a node may evaluate items or properties, itself or by a branch."""
        if number < 0 or number == TRUE:
            return False
        if number not in self._annotating:
            self._annotating[number] = False  # while we look: a cycle adds nothing
            node = self._graph[number]
            below = [*node.all_of, *(one for branches in node.any_of for one in branches), *node.one_of]
            below += [*node.dependent_schemas.values(), *(node.condition or ())]
            self._annotating[number] = bool(
                node.properties or node.patterns or node.additional is not None or node.prefix
                or node.rest is not None or node.contains or node.unevaluated_items is not None
                or node.unevaluated_properties is not None or any(map(self._annotates, below))
            )  # fmt: skip
        return self._annotating[number]


class _Evaluated:
    """What a case evaluates: names, patterns of names, a prefix of items, what the items contain, or all there is."""

    __slots__ = ("contained", "is_all", "names", "patterns", "prefix")

    def __init__(
        self,
        names: frozenset[str] = frozenset(),
        patterns: frozenset[str] = frozenset(),
        prefix: int = 0,
        contained: frozenset[int] = frozenset(),
        *,
        is_all: bool = False,
    ) -> None:
        self.names, self.patterns, self.prefix = names, patterns, prefix
        self.contained, self.is_all = contained, is_all

    def joined(self, other: _Evaluated) -> _Evaluated:
        """What two schemas evaluate together."""
        return _Evaluated(
            self.names | other.names,
            self.patterns | other.patterns,
            max(self.prefix, other.prefix),
            self.contained | other.contained,
            is_all=self.is_all or other.is_all,
        )


def _evaluated_by(node: Node, kind: str, *, is_root: bool) -> _Evaluated:
    if kind == "array":
        is_all = node.rest is not None or (node.unevaluated_items is not None and not is_root)
        contained = frozenset({node.contains[0]}) if node.contains is not None else frozenset()
        return _Evaluated(prefix=len(node.prefix), contained=contained, is_all=is_all)
    is_all = node.additional is not None or (node.unevaluated_properties is not None and not is_root)
    return _Evaluated(frozenset(node.properties), frozenset(node.patterns), is_all=is_all)
