"""What a schema asks of the values of one type, as formulas: `and`, `or`, atoms, and other schemas by number.

A formula is a number (a node of the graph; negative: its negation), `("and", parts)`, `("or", parts)` or an atom, which
is a tuple whose first entry says what it asks. Negations are carried down to the atoms, and every atom but `opaque` has
an exact negation, so nothing is lost. The atoms:

| any type | `in`, `not-in` a set of keys of values (`simple.value_key`); `only`, `not-only` one value; `opaque`: what we cannot decide |
| numbers | `low`, `high` (limit, whether exclusive), `multiple`, `not-multiple` |
| strings | `longer`, `shorter` (inclusive), `pattern`, `not-pattern` |
| arrays | `longer`, `shorter`, `unique`, `repeating`, `items` (prefix, rest), `at` (index, formula), `some` (start, formula), `contains` (formula, least, most) |
| objects | `longer`, `shorter`, `has`, `lacks` a name, `members` (properties, patterns, rest), `names` (formula), `value` (name, formula), `some-member` (pattern or None, names and patterns that it is none of, formula), `some-name` (formula) |
"""  # noqa: E501 - a table

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.graph import FALSE, TRUE, Graph, Node, Origin
from mcp_contracts.schema.simple import atom_of, exact, value_key

Formula = int | tuple  # type: ignore[type-arg]  # recursive, and of a shape for each atom

TYPES = ("string", "number", "boolean", "null", "array", "object")
"""The types of values, which exclude each other; an integer is a number that is a multiple of one."""

_MOST_CASES = 128
_CASE_DEPTH = 12

_OPPOSITES = {
    "in": "not-in",
    "multiple": "not-multiple",
    "pattern": "not-pattern",
    "unique": "repeating",
    "has": "lacks",
    "only": "not-only",
}
_OPPOSITES.update({opposite: tag for tag, opposite in _OPPOSITES.items()})


def conjunction(parts: Iterator[Formula] | list[Formula] | tuple[Formula, ...]) -> Formula:
    """All of some formulas."""
    kept = []
    for part in parts:
        if part == FALSE:
            return FALSE
        if part != TRUE:
            kept.append(part)
    return TRUE if not kept else kept[0] if len(kept) == 1 else ("and", tuple(kept))


def disjunction(parts: Iterator[Formula] | list[Formula] | tuple[Formula, ...]) -> Formula:
    """At least one of some formulas."""
    kept = []
    for part in parts:
        if part == TRUE:
            return TRUE
        if part != FALSE:
            kept.append(part)
    return FALSE if not kept else kept[0] if len(kept) == 1 else ("or", tuple(kept))


def negation(formula: Formula) -> Formula:
    """The opposite of a formula."""
    if isinstance(formula, int):
        return -formula
    tag = formula[0]
    match tag:
        case "and":
            return disjunction([negation(part) for part in formula[1]])
        case "or":
            return conjunction([negation(part) for part in formula[1]])
        case "opaque":
            return formula
        case "low" | "high":
            return ("high" if tag == "low" else "low", formula[1], not formula[2])
        case "longer":
            return ("shorter", formula[1] - 1) if formula[1] > 0 else FALSE
        case "shorter":
            return ("longer", formula[1] + 1)
        case "at":
            return disjunction([("shorter", formula[1]), ("at", formula[1], negation(formula[2]))])
        case "value":
            return disjunction([("lacks", formula[1]), ("value", formula[1], negation(formula[2]))])
        case "items":
            prefix, rest = formula[1:]
            positions = [_at(index, negation(part)) for index, part in enumerate(prefix)]
            return disjunction([*positions, _some(len(prefix), negation(rest))])
        case "contains":
            return _not_contains(*formula[1:])
        case "members":
            return disjunction(list(_violations(*formula[1:])))
        case "names" | "some-name":
            return ("some-name" if tag == "names" else "names", negation(formula[1]))
        case "some":
            return ("items", (TRUE,) * formula[1], negation(formula[2]))
        case "some-member":
            _, pattern, names, patterns, part = formula
            if pattern is not None:
                return ("members", (), ((pattern, negation(part)),), TRUE)
            allowed = tuple((name, TRUE) for name in sorted(names))
            return ("members", allowed, tuple((one, TRUE) for one in patterns), negation(part))
        case _:
            return (_OPPOSITES[tag], *formula[1:])


def _at(index: int, part: Formula) -> Formula:
    return FALSE if part == FALSE else ("at", index, part)


def _some(start: int, part: Formula) -> Formula:
    if part == FALSE:
        return FALSE
    return ("longer", start + 1) if part == TRUE else ("some", start, part)


def _not_contains(part: Formula, least: int, most: int | None) -> Formula:
    fewer = ("contains", part, 0, least - 1) if least > 0 else FALSE
    more = ("contains", part, most + 1, None) if most is not None else FALSE
    return disjunction([fewer, more])


def _violations(
    properties: tuple[tuple[str, Formula], ...], patterns: tuple[tuple[str, Formula], ...], rest: Formula
) -> Iterator[Formula]:
    for name, part in properties:
        if part != TRUE:
            yield ("value", name, negation(part)) if part != FALSE else ("has", name)
    for pattern, part in patterns:
        if part != TRUE:
            yield ("some-member", pattern, frozenset(), (), negation(part))
    if rest != TRUE:
        names = frozenset(name for name, _ in properties)
        yield ("some-member", None, names, tuple(pattern for pattern, _ in patterns), negation(rest))


def exactly(value: JsonValue) -> Formula:
    """What asks for one value of its own type."""
    if isinstance(value, list):
        size = len(value)
        items = ("items", tuple(_one_value(item) for item in value), TRUE)
        return conjunction([("longer", size), ("shorter", size), items])
    if isinstance(value, dict):
        members = ("members", tuple((name, _one_value(member)) for name, member in value.items()), (), FALSE)
        return conjunction([*(("has", name) for name in value), members])
    return ("in", frozenset({value_key(value)}))


def _one_value(value: JsonValue) -> Formula:
    """What asks for one value among all types."""
    return ("only", Held(value))


class Held:
    """A JSON value that can be hashed as JSON Schema compares it."""

    __slots__ = ("key", "value")

    def __init__(self, value: JsonValue) -> None:
        self.value = value
        self.key = value_key(value)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and self.key == other.key


def type_of(value: JsonValue) -> str:
    """The one of `TYPES` that a value has."""
    atom = atom_of(value)
    return "number" if atom in ("integer", "fraction") else atom


class Formulas:
    """The formulas of a graph's nodes, made when they are asked for and kept.

    `are_disjoint` may tell that no value satisfies both of two nodes: a `oneOf` of such branches is as simple as `anyOf`.
    """

    def __init__(self, graph: Graph, are_disjoint: Callable[[int, int], bool] = lambda one, other: False) -> None:
        self.graph = graph
        self._are_disjoint = are_disjoint
        self.scalars: dict[Hashable, JsonValue] = {}
        self._made: dict[tuple[int, str], Formula] = {}
        self._annotating: dict[int, bool] = {}

    def of(self, number: int, kind: str) -> Formula:
        """What a node, or its negation, asks of values of one type."""
        if number in (TRUE, FALSE):
            return number
        found = self._made.get((number, kind))
        if found is None:
            found = self._asked(self.graph[number], kind) if number > 0 else negation(self.of(-number, kind))
            self._made[number, kind] = found
        return found

    def only(self, value: JsonValue, kind: str) -> Formula:
        """What asks for one value, as values of one type see it."""
        if type_of(value) != kind:
            return FALSE
        if not isinstance(value, list | dict):
            self.scalars.setdefault(value_key(value), value)
        return exactly(value)

    def _asked(self, node: Node, kind: str) -> Formula:
        return conjunction(list(self._assertions(node, kind)))

    def _assertions(self, node: Node, kind: str) -> Iterator[Formula]:
        if node.types is not None:
            if kind == "number" and "number" not in node.types and "integer" in node.types:
                yield ("multiple", Fraction(1))
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
                    yield ("pattern", node.pattern)
            case "array":
                yield from self._of_arrays(node)
            case "object":
                yield from self._of_objects(node)
        yield from node.all_of
        for branches in node.any_of:
            yield disjunction(branches)
        if node.one_of:
            yield disjunction(
                [
                    conjunction(
                        [
                            branch,
                            *(
                                -other
                                for j, other in enumerate(node.one_of)
                                if i != j and not self._are_disjoint(branch, other)
                            ),
                        ]
                    )
                    for i, branch in enumerate(node.one_of)
                ]
            )
        if node.negated is not None:
            yield -node.negated
        if node.condition is not None:
            condition, then, otherwise = node.condition
            yield disjunction([-condition, then])
            yield disjunction([condition, otherwise])
        for keyword in node.opaque:
            yield ("opaque", keyword, node.origin)

    def _one_of_values(self, values: tuple[JsonValue, ...], kind: str) -> Formula:
        own = [value for value in values if type_of(value) == kind]
        if kind in ("array", "object"):
            return disjunction([exactly(value) for value in own])
        for value in own:
            self.scalars.setdefault(value_key(value), value)
        return ("in", frozenset(map(value_key, own))) if own else FALSE

    def _of_arrays(self, node: Node) -> Iterator[Formula]:
        yield from _of_sizes(node.sizes, "Items")
        if node.is_unique:
            yield ("unique",)
        if node.prefix or node.rest not in (None, TRUE):
            yield ("items", node.prefix, TRUE if node.rest is None else node.rest)
        if node.contains is not None and not (node.contains[1] == 0 and node.contains[2] is None):
            yield ("contains", *node.contains)
        if node.unevaluated_items not in (None, TRUE):
            yield self._unevaluated(node, "array")

    def _of_objects(self, node: Node) -> Iterator[Formula]:
        yield from _of_sizes(node.sizes, "Properties")
        for name in sorted(node.required):
            yield ("has", name)
        rest = TRUE if node.additional is None else node.additional
        properties = tuple(node.properties.items())
        if rest == TRUE:
            properties = tuple(item for item in properties if item[1] != TRUE)
        patterns = tuple(node.patterns.items())
        if properties or patterns or rest != TRUE:
            yield ("members", properties, patterns, rest)
        if node.names not in (None, TRUE):
            yield ("names", node.names)
        for name, required in sorted(node.dependent_required.items()):
            for other in sorted(required):
                yield disjunction([("lacks", name), ("has", other)])
        for name, schema in sorted(node.dependent_schemas.items()):
            yield disjunction([("lacks", name), schema])
        if node.unevaluated_properties not in (None, TRUE):
            yield self._unevaluated(node, "object")

    # What is evaluated: a node is split into the cases of which of its branches hold

    def _unevaluated(self, node: Node, kind: str) -> Formula:
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
        """The ways in which a value can satisfy a node, with what is evaluated in each; None where they are too many."""
        if depth == 0:
            yield None
            return
        own = _evaluated_by(node, kind, is_root=is_root)
        choices: list[list[tuple[Formula, _Evaluated]]] = []
        groups = [
            *([(branch,)] for branch in node.all_of if self._annotates(branch)),
        ]
        for (branch,) in (group[0] for group in groups):
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
        for case in self._cases(self.graph[number], kind, depth - 1):
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
            node = self.graph[number]
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


def _of_numbers(numbers: Mapping[str, Fraction]) -> Iterator[Formula]:
    for keyword, limit in numbers.items():
        match keyword:
            case "minimum" | "exclusiveMinimum":
                yield ("low", limit, keyword == "exclusiveMinimum")
            case "maximum" | "exclusiveMaximum":
                yield ("high", limit, keyword == "exclusiveMaximum")
            case _:
                yield ("multiple", limit)


def _of_sizes(sizes: Mapping[str, int], noun: str) -> Iterator[Formula]:
    if f"min{noun}" in sizes:
        yield ("longer", sizes[f"min{noun}"])
    if f"max{noun}" in sizes:
        yield ("shorter", sizes[f"max{noun}"])


__all__ = ["FALSE", "TRUE", "TYPES", "Formula", "Formulas", "Origin", "conjunction", "disjunction", "exact", "negation"]
