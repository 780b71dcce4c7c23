"""Subschemas in normal form, their equality, and how deeply they nest for one value."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.schema.simple import value_key

TRUE, FALSE = 1, -1
"""The node that accepts everything, and its negation."""

_MAXIMUM_PASSES = 5
_MAXIMUM_ROUNDS = 300
_MAXIMUM_REFINED = 300_000  # nodes in all rounds: a microsecond or two each


@dataclass(frozen=True, slots=True)
class Origin:
    """The first place of a node: the number of its document and the pointer in it."""

    document: int
    pointer: str


@dataclass(slots=True)
class Node:
    """One subschema in normal form: keywords of both dialects under one name each, subschemas as numbers of nodes.

    `properties`, `patterns`, `dependent_schemas` and `dependent_required` are maps; `values` are the values that `enum`
    and `const` permit; `contains` is a node with its minimum and maximum count; `opaque` names unsupported keywords.
    """

    origin: Origin
    types: frozenset[str] | None = None
    values: tuple[JsonValue, ...] | None = None
    numbers: Mapping[str, Fraction] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    pattern: str | None = None
    is_unique: bool = False
    prefix: tuple[int, ...] = ()
    rest: int | None = None
    contains: tuple[int, int, int | None] | None = None
    unevaluated_items: int | None = None
    properties: Mapping[str, int] = field(default_factory=dict)
    patterns: Mapping[str, int] = field(default_factory=dict)
    additional: int | None = None
    unevaluated_properties: int | None = None
    names: int | None = None
    required: frozenset[str] = frozenset()
    dependent_required: Mapping[str, frozenset[str]] = field(default_factory=dict)
    dependent_schemas: Mapping[str, int] = field(default_factory=dict)
    all_of: tuple[int, ...] = ()
    any_of: tuple[tuple[int, ...], ...] = ()
    one_of: tuple[int, ...] = ()
    negated: int | None = None
    condition: tuple[int, ...] | None = None  # if, then, else
    opaque: tuple[str, ...] = ()

    @property
    def has_subschemas(self) -> bool:
        """Whether the node leads to others."""
        return any(_leading(self))

    @property
    def in_place(self) -> Iterator[int]:
        """The subschemas that judge the same value as the node."""
        for numbers in (self.all_of, *self.any_of, self.one_of, self.condition or ()):
            yield from map(abs, numbers)
        yield from map(abs, self.dependent_schemas.values())
        if self.negated is not None:
            yield abs(self.negated)

    def map_classes(self, classes: Mapping[int, int]) -> Node:
        """Return the node with the number of every subschema replaced by the number of its class."""
        if not self.has_subschemas:
            return self

        def of(number: int) -> int:
            return classes[number] if number > 0 else -classes[-number]

        def maybe(number: int | None) -> int | None:
            return None if number is None else of(number)

        mapped: dict[str, Any] = {
            **{name: maybe(getattr(self, name)) for name in _SINGLE},
            **{name: {key: of(one) for key, one in getattr(self, name).items()} for name in _NAMED},
            **{name: tuple(map(of, getattr(self, name))) for name in _LISTED},
        }
        return replace(
            self,
            **mapped,
            any_of=tuple(tuple(map(of, numbers)) for numbers in self.any_of),
            contains=None if self.contains is None else (of(self.contains[0]), *self.contains[1:]),
            condition=None if self.condition is None else tuple(map(of, self.condition)),
        )

    def own(self) -> Hashable:
        """Return the constraints of a node without its subschemas, except for their names."""
        return (
            self.types,
            None if self.values is None else frozenset(map(value_key, self.values)),
            frozenset(self.numbers.items()) if self.numbers else None,
            frozenset(self.sizes.items()) if self.sizes else None,
            (self.pattern, self.is_unique, self.required),
            None if self.contains is None else self.contains[1:],
            (len(self.prefix), len(self.any_of), len(self.condition or ())),
            tuple(tuple(sorted(held)) if held else () for held in _named(self)),
            frozenset(self.dependent_required.items()) if self.dependent_required else None,
            (self.opaque, self.origin) if self.opaque else (),
        )

    def ordered(self) -> tuple[int, ...]:
        """Return the subschemas in a fixed order, with 0 for absent ones."""
        if not self.has_subschemas:
            return _NONE_IN_ORDER
        single = (*_single(self), self.contains[0] if self.contains is not None else None)
        return (
            *(held[name] for held in _named(self) for name in sorted(held)),
            *self.prefix,
            *(self.condition or ()),
            *(number or 0 for number in single),
        )


# The fields with subschemas: one, several by name, and several in order.
_SINGLE = ("rest", "additional", "negated", "names", "unevaluated_items", "unevaluated_properties")
_NAMED = ("properties", "patterns", "dependent_schemas")
_LISTED = ("prefix", "all_of", "one_of")
_single, _named = attrgetter(*_SINGLE), attrgetter(*_NAMED)
_leading = attrgetter(*_SINGLE, *_NAMED, *_LISTED, "any_of", "contains", "condition")
_NONE_IN_ORDER = (0,) * (len(_SINGLE) + 1)


def in_place_depth(nodes: Mapping[int, Node]) -> tuple[int, set[int]]:
    """Return the maximum nesting of subschemas that apply to one value, and those that refer to themselves."""
    leads = {number: {other for other in node.in_place if other in nodes} for number, node in nodes.items()}
    before: dict[int, list[int]] = {}
    for number, others in leads.items():
        for other in others:
            before.setdefault(other, []).append(number)
    settled = [number for number, others in leads.items() if not others]
    depths = dict.fromkeys(settled, 1)
    while settled:
        number = settled.pop()
        del leads[number]
        for other in before.get(number, ()):
            depths[other] = max(depths.get(other, 1), depths[number] + 1)
            leads[other].discard(number)
            if not leads[other]:
                settled.append(other)
    return max(depths.values(), default=1), set(leads)


_Asked = tuple[int, int, tuple[int, ...], tuple[tuple[int, ...], ...], tuple[int, ...]]
"""A node: its number, the number of its own constraints, and its subschemas in order, in sets, and in a bag."""

_FIXED = {0: 0, TRUE: TRUE, FALSE: FALSE}


def equal_classes(nodes: Mapping[int, Node]) -> dict[int, int]:
    """Return the class of every node: numbers from 2 in the order of the nodes, and TRUE for itself."""
    asked = asked_of(nodes)
    found = _classes_upwards(asked)
    return refined_classes(asked) if found is None else found


def asked_of(nodes: Mapping[int, Node]) -> list[_Asked]:
    """Return the constraints of each node, and of its subschemas."""
    owns: dict[Hashable, int] = {}
    return [
        (number, owns.setdefault(node.own(), len(owns)), node.ordered(), (node.all_of, *node.any_of), node.one_of)
        for number, node in nodes.items()
    ]


def _classes_upwards(asked: Sequence[_Asked]) -> dict[int, int] | None:
    """Return the classes, each derived from those of its subschemas; None if schemas are recursive or too irregular."""
    seen: dict[Hashable, int] = {}
    classes = dict(_FIXED)
    of = classes.__getitem__
    pending = list(reversed(asked))  # subschemas are almost always read after their parents
    for _ in range(_MAXIMUM_PASSES):
        waiting = []
        for node in pending:
            number, own, ordered, sets, one_of = node
            try:
                key = (
                    own,
                    tuple(map(of, ordered)),
                    *(frozenset(map(of, held)) for held in sets),
                    *sorted(map(of, one_of)),
                )
            except KeyError:
                waiting.append(node)
            else:
                classes[number] = seen.setdefault(key, len(seen) + 2)
        if not waiting:
            numbers: dict[int, int] = {}
            return {
                **{node[0]: numbers.setdefault(classes[node[0]], len(numbers) + 2) for node in asked},
                **_FIXED,
            }
        if len(waiting) == len(pending):
            return None
        pending = waiting
    return None


def refined_classes(asked: Sequence[_Asked]) -> dict[int, int]:
    """Return the classes of any nodes, including recursive ones: one class at first, split until nothing changes."""
    classes = {**dict.fromkeys((node[0] for node in asked), 2), **_FIXED}
    count = 1
    for _ in range(min(_MAXIMUM_ROUNDS, _MAXIMUM_REFINED // (len(asked) + 1) + 1)):
        of = classes.__getitem__
        seen: dict[Hashable, int] = {}
        refined = {
            number: seen.setdefault(
                (own, tuple(map(of, ordered)), *(frozenset(map(of, held)) for held in sets), *sorted(map(of, one_of))),
                len(seen) + 2,
            )
            for number, own, ordered, sets, one_of in asked
        }
        refined.update(_FIXED)
        if len(seen) == count:
            return refined
        classes, count = refined, len(seen)
    return {number: number for number in (*_FIXED, *(node[0] for node in asked))}
