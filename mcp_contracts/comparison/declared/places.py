"""The places of a value that a schema describes, with the subschemas that apply at each and the names they declare."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations

from mcp_contracts.comparison.declared.matched_names import MatchedNames
from mcp_contracts.comparison.declared.name_schemas import names_matching
from mcp_contracts.comparison.declared.nodes import (
    DeclaredNames,
    TooLargeError,
    entries,
    is_anything,
    names_under,
)
from mcp_contracts.comparison.declared.schema_reader import FREE, SchemaReader
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.identity import cached_method
from mcp_contracts.schema.simple import strings
from mcp_contracts.schema.walk import reach


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a value, identified by the schemas that may apply to it.

    `roots` point to those schemas, and `sure` to those that apply to every value there. `=/const` is a value, and `*` a
    free-form map.
    """

    roots: frozenset[str]
    sure: frozenset[str]


@dataclass(frozen=True, slots=True)
class NameClass:
    """The names that some patterns of a place match and the others do not, without the `listed` ones, and their place.

    If the patterns cannot be distinguished (`is_exact` is False), other patterns may match the names as well.
    """

    place: Place
    pattern: str
    matching: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    is_exact: bool = True

    def part(self, wanted: Sequence[str], unwanted: Sequence[str], excluded: Sequence[str]) -> str | None:
        """Return a pattern for the subset of the names that further patterns match or do not match, or None."""
        listed = dict.fromkeys((*self.listed, *excluded))
        return names_matching((*self.matching, *wanted), (*self.others, *unwanted), tuple(listed))


_MOST_PLACES = 5_000
_MOST_OVERLAPPING = 3  # patterns: n of them have up to 2ⁿ - 1 classes of names
_MOST_MEMBERS = 20_000
_MOST_POSITIONS = 50
_NameIndex = tuple[Mapping[str, list[str]], list[str]]
"""The subschemas that list a name, by name, and those that may constrain any name."""
_Children = Callable[[str], Iterator[str]]


class PlaceTree(SchemaReader):
    """All places of one schema, found on demand.

    Raises TooLargeError if a reference cannot be followed: immediately or, if `is_partial`, only for a place that has
    it.
    """

    def __init__(
        self, schema: JsonValue, dialect: Dialect, matched: MatchedNames | None = None, *, is_partial: bool = False
    ) -> None:
        super().__init__(schema, dialect, MatchedNames() if matched is None else matched)
        lost = [f"{pointer}/{keyword}" for (pointer, keyword), target in self.targets.items() if target is None]
        if lost and not is_partial:
            raise TooLargeError(lost[0])
        self._budget, self._places_left = _MOST_MEMBERS, _MOST_PLACES
        root = frozenset({self._resolve("")})
        self.root = Place(root, root)

    @cached_method
    def members(self, place: Place) -> tuple[str, ...]:
        """Return the subschemas that may apply at a place, and `=` pointers to values that it may have to equal."""
        self._places_left -= 1
        if self._places_left < 0:
            raise TooLargeError
        return self._closure(place.roots, self._in_place)

    @cached_method
    def _surely(self, place: Place) -> tuple[str, ...]:
        return self._closure(place.sure, self._surely_in_place)

    def declares(self, place: Place, name: str) -> bool:
        """Whether a place declares a name."""
        declared = self.declared(place)
        return declared.every or name in self._names(place) or self.matches_any(declared.patterns, name)

    @cached_method
    def _names(self, place: Place) -> frozenset[str]:
        return frozenset(self.declared(place).names)

    @cached_method
    def overlapping_patterns(self, place: Place, pattern: str) -> tuple[str, ...]:
        """Return the other patterns of a place that may match a name which a pattern matches."""
        met = self._patterns.overlapping_patterns(pattern, self.declared(place).patterns)
        if met is None:
            raise TooLargeError
        return met

    # Places inside a place

    @cached_method
    def named(self, place: Place, name: str) -> Place:
        """Return the place of the property with a name."""
        members, sure = ([*listing.get(name, ()), *of_any] for listing, of_any in self._indexes(place))
        return self._with_free(place, self._place_below(members, sure, lambda pointer: self._of_name(pointer, name)))

    @cached_method
    def _indexes(self, place: Place) -> tuple[_NameIndex, _NameIndex]:
        return self._index(self.members(place)), self._index(self._surely(place), is_sure=True)

    def _index(self, pointers: Iterable[str], *, is_sure: bool = False) -> _NameIndex:
        listing: dict[str, list[str]] = defaultdict(list)
        of_any: list[str] = []
        for pointer in pointers:
            node = self.at(pointer.removeprefix("="))
            names: Iterable[str] = ()
            if pointer == FREE:
                of_any.append(pointer)
            elif isinstance(node, dict) and pointer.startswith("="):
                names = node
            elif isinstance(node, dict) and not self._hides(node):
                rest = next((node[keyword] for keyword in self.rest_keywords if keyword in node), None)
                # Rejecting other names only constrains a value if the schema always applies.
                if "patternProperties" in node or isinstance(rest, dict) or (is_sure and rest is not None):
                    of_any.append(pointer)
                else:
                    names = names_under(node, "properties")
            for name in names:
                listing[name].append(pointer)
        return listing, of_any

    def matched(self, place: Place, pattern: str) -> Place:
        """Return the place of properties whose names only one pattern matches and no schema lists."""
        found = self._below(place, lambda pointer: self._of_patterns(pointer, (pattern,)))
        return Place(found.roots, frozenset()) if self.overlapping_patterns(place, pattern) else found

    @cached_method
    def classes(self, place: Place) -> tuple[NameClass, ...]:
        """Return the classes of the names that patterns of a place match."""
        found: list[NameClass] = []
        seen = set[str]()
        for pattern in self.declared(place).patterns:
            if pattern not in seen:
                group = tuple(sorted(reach((pattern,), partial(self.overlapping_patterns, place))))
                seen.update(group)
                found.extend(self._classes_of(place, group))
        return tuple(found)

    def _classes_of(self, place: Place, group: tuple[str, ...]) -> Iterator[NameClass]:
        """Yield the classes of a group of patterns that overlap no others."""
        sizes = range(1, len(group) + 1) if len(group) <= _MOST_OVERLAPPING else ()
        choices = [matching for size in sizes for matching in combinations(group, size)]
        found = [self._class_of(place, matching, _without(group, matching)) for matching in choices]
        if found and None not in found:
            yield from filter(None, found)
        else:
            yield from (NameClass(self.matched(place, one), one, (one,), is_exact=False) for one in group)

    def _class_of(self, place: Place, matching: tuple[str, ...], others: tuple[str, ...]) -> NameClass | None:
        inner = self._below(place, lambda pointer: self._of_patterns(pointer, matching))
        listed = tuple(
            name
            for name in self.declared(place).names
            if all(self.matches(pattern, name) for pattern in matching)
            and not self.matches_any(others, name)
            and self.named(place, name) != inner
        )
        pattern = names_matching(matching, others, listed)
        return None if pattern is None else NameClass(inner, pattern, matching, others, listed)

    def others(self, place: Place) -> Place:
        """Return the place of properties that neither a name nor a pattern declares."""
        return self._with_free(place, self._below(place, lambda pointer: self._of_patterns(pointer, ())))

    def _with_free(self, place: Place, below: Place) -> Place:
        """Return a place below another one; below a free-form map, everything is declared."""
        return Place(below.roots | {FREE}, below.sure) if self.declared(place).is_free else below

    @cached_method
    def positions(self, place: Place) -> int:
        """Return the number of items at the beginning of an array that have their own places."""
        most = max((self._own_positions(pointer) for pointer in self.members(place)), default=0)
        if most > _MOST_POSITIONS:
            raise TooLargeError
        return most

    @cached_method
    def item(self, place: Place, index: int | None) -> Place:
        """Return the place of an item of an array; None for the items after `positions`."""
        return self._below(place, lambda pointer: self._of_item(pointer, index))

    def inner(self, place: Place) -> Iterator[Place]:
        """Yield all places directly inside a place."""
        if self.may_be(place, "object"):
            declared = self.declared(place)
            yield from (self.named(place, name) for name in declared.names)
            yield from (one.place for one in self.classes(place))
            if declared.every:
                yield self.others(place)
        if self.may_be(place, "array"):
            yield from (self.item(place, index) for index in (*range(self.positions(place)), None))

    @cached_method
    def may_be(self, place: Place, atom: str) -> bool:
        """Whether a place may have a value of a type: False only if a schema provably rejects it."""
        return all(self._may_be(pointer, atom) for pointer in place.sure)

    def is_closed(self, place: Place) -> bool:
        """Whether a schema that always applies there rejects names that the place does not declare."""
        nodes = (self.at(pointer) for pointer in self._surely(place))
        schemas = (node for node in nodes if isinstance(node, dict) and not self._hides(node))
        return any(schema.get("additionalProperties") is False for schema in schemas)

    def _closure(self, roots: Iterable[str], step: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
        found = []
        for pointer in reach(sorted(roots, reverse=True), lambda one: () if one.startswith(("=", FREE)) else step(one)):
            self._budget -= 1
            if self._budget < 0:
                raise TooLargeError
            found.append(pointer)
        return tuple(sorted(found))

    @cached_method
    def declared(self, place: Place) -> DeclaredNames:
        """Return the names that the schemas at a place declare together."""
        names, patterns = set[str](), set[str]()
        every, is_open = FREE in self.members(place), False
        for pointer in self.members(place):
            node = self.at(pointer.removeprefix("="))
            if pointer == FREE or not isinstance(node, dict):
                continue
            if pointer.startswith("="):
                names.update(node)
                continue
            if self._hides(node):
                continue
            names.update(names_under(node, "properties"), strings(node.get("required")))
            patterns.update(names_under(node, "patternProperties"))
            for keyword in self.dependents:
                for name, needed in entries(node, keyword):
                    names.update((name, *strings(needed)))
            for keyword in self.rest_keywords:
                if keyword in node:
                    if is_anything(node[keyword]):
                        is_open = True
                    elif isinstance(node[keyword], dict):
                        every = True
        is_free = is_open and not every and not names and not patterns
        return DeclaredNames(tuple(sorted(names)), tuple(sorted(patterns)), every or is_free, is_free)

    def _below(self, place: Place, children: _Children) -> Place:
        return self._place_below(self.members(place), self._surely(place), children)

    def _place_below(self, members: Collection[str], sure: Collection[str], children: _Children) -> Place:
        if not self._patterns.pay_for(len(members) + len(sure)):
            raise TooLargeError
        found = (self._resolve(child) for pointer in members for child in children(pointer))
        roots = frozenset(child for child in found if child.startswith(("=", FREE)) or isinstance(self.at(child), dict))
        surely = frozenset(
            self._resolve(child)
            for pointer in sure
            for child in children(pointer)
            if "/unevaluated" not in child[len(pointer) :] and not child[len(pointer) :].startswith("/contains")
        )
        return Place(roots, surely)


def _without(group: tuple[str, ...], some: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for one in group if one not in some)
