"""The places of a value that a schema describes, with the subschemas that apply at each, and the names they declare."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from mcp_contracts.comparison.declared.matched_names import MatchedNames
from mcp_contracts.comparison.declared.name_index import NameIndex
from mcp_contracts.comparison.declared.nodes import (
    DeclaredNames,
    TooLargeError,
    entries,
    holds_object,
    is_anything,
    names_under,
    targets_of,
)
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.simple import TYPE_ATOMS, atom_of, strings
from mcp_contracts.schema.walk import escape, subschemas


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a value, identified by the schemas that may apply to it.

    `roots` point to those schemas, and `sure` to the ones that apply to every value there. `=/const` is a value, and
    `*` a free-form map.
    """

    roots: frozenset[str]
    sure: frozenset[str]


FREE = "*"
_MOST_PLACES = 5_000
_MOST_MEMBERS = 20_000
_MOST_POSITIONS = 50
_Children = Callable[[str], Iterator[str]]
_REFERRING = frozenset({"$ref", "$schema", "$id", "$defs", "definitions"})


class PlaceTree:
    """All places of one schema, found on demand.

    Raises TooLargeError if a reference cannot be followed: at once, or if `is_partial`, where a place has it.
    """

    def __init__(
        self, schema: JsonValue, dialect: Dialect, matched: MatchedNames | None = None, *, is_partial: bool = False
    ) -> None:
        self.schema = schema
        self.is_draft_7 = dialect is Dialect.DRAFT_7
        # What applies where a name is present; validators of 2020-12 still read `dependencies`.
        self.dependents = ("dependencies", *(() if self.is_draft_7 else ("dependentRequired", "dependentSchemas")))
        # What applies to properties that no other keyword of a schema names.
        self.rest_keywords = ("additionalProperties", *(() if self.is_draft_7 else ("unevaluatedProperties",)))
        nodes = subschemas(schema)
        self.targets: Mapping[tuple[str, str], str | None] = targets_of(schema, nodes)
        if not is_partial and None in self.targets.values():
            raise TooLargeError
        self._nodes: dict[str, JsonValue] = {node.pointer: node.value for node in nodes}
        self._members: dict[Place, tuple[str, ...]] = {}
        self._sure_members: dict[Place, tuple[str, ...]] = {}
        self._declared: dict[Place, DeclaredNames] = {}
        self._names: dict[Place, frozenset[str]] = {}
        self._named: dict[tuple[Place, str], Place] = {}
        self._indexes: dict[Place, tuple[NameIndex, NameIndex]] = {}
        self._positions: dict[Place, int] = {}
        self._items: dict[tuple[Place, int | None], Place] = {}
        self._admitted: dict[tuple[Place, str], bool] = {}
        self._patterns = MatchedNames() if matched is None else matched
        self._met: dict[tuple[Place, str], tuple[str, ...]] = {}
        self._possible: dict[tuple[str, str], bool] = {}
        self._budget = _MOST_MEMBERS
        root = frozenset({self._resolve("")})
        self.root = Place(root, root)

    def at(self, pointer: str) -> JsonValue:
        """Return the subschema at a pointer."""
        if pointer not in self._nodes:
            self._nodes[pointer] = follow(self.schema, pointer)
        return self._nodes[pointer]

    def members(self, place: Place) -> tuple[str, ...]:
        """Return the subschemas that may apply at a place, and `=` pointers to values that it may have to equal."""
        if place not in self._members:
            if len(self._members) >= _MOST_PLACES:
                raise TooLargeError
            self._members[place] = self._closure(place.roots, self._in_place)
        return self._members[place]

    def _surely(self, place: Place) -> tuple[str, ...]:
        if place not in self._sure_members:
            self._sure_members[place] = self._closure(place.sure, self._surely_in_place)
        return self._sure_members[place]

    def declared(self, place: Place) -> DeclaredNames:
        """Return the names that the schemas at a place declare together."""
        if place not in self._declared:
            self._declared[place] = self._declares(place)
        return self._declared[place]

    def declares(self, place: Place, name: str) -> bool:
        """Whether a place declares a name."""
        declared = self.declared(place)
        if place not in self._names:
            self._names[place] = frozenset(declared.names)
        return declared.every or name in self._names[place] or self.matches_any(declared.patterns, name)

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a pattern matches a name."""
        matches = self._patterns.matches(pattern, name)
        if matches is None:
            raise TooLargeError
        return matches

    def matches_any(self, patterns: Iterable[str], name: str) -> bool:
        """Whether one of some patterns matches a name."""
        return any(self.matches(pattern, name) for pattern in patterns)

    def overlapping_patterns(self, place: Place, pattern: str) -> tuple[str, ...]:
        """Return the other patterns of a place that may match a name which a pattern matches."""
        key = (place, pattern)
        if key not in self._met:
            met = self._patterns.overlapping_patterns(pattern, self.declared(place).patterns)
            if met is None:
                raise TooLargeError
            self._met[key] = met
        return self._met[key]

    # Places inside a place

    def named(self, place: Place, name: str) -> Place:
        """Return the place of the property with a name."""
        key = (place, name)
        if key not in self._named:
            if place not in self._indexes:
                self._indexes[place] = self._index(self.members(place)), self._index(self._surely(place), is_sure=True)
            members, sure = (index.pointers(name) for index in self._indexes[place])
            found = self._place_below(members, sure, lambda pointer: self._of_name(pointer, name))
            self._named[key] = self._with_free(place, found)
        return self._named[key]

    def _index(self, pointers: Iterable[str], *, is_sure: bool = False) -> NameIndex:
        index = NameIndex()
        for pointer in pointers:
            node = self.at(pointer.removeprefix("="))
            if pointer == FREE:
                index.add_for_any(pointer)
            elif isinstance(node, dict) and pointer.startswith("="):
                index.add(pointer, node)
            elif isinstance(node, dict) and not self._hides(node):
                rest = next((node[keyword] for keyword in self.rest_keywords if keyword in node), None)
                # Rejecting other names only constrains a value if the schema certainly applies.
                is_of_any = "patternProperties" in node or isinstance(rest, dict) or (is_sure and rest is not None)
                index.add_schema(pointer, node, is_of_any=is_of_any)
        return index

    def matched(self, place: Place, pattern: str) -> Place:
        """Return the place of properties whose names match only one pattern and are not declared by name."""
        found = self._below(place, lambda pointer: self._of_pattern(pointer, pattern))
        return Place(found.roots, frozenset()) if self.overlapping_patterns(place, pattern) else found

    def others(self, place: Place) -> Place:
        """Return the place of properties that are declared by no name and no pattern."""
        return self._with_free(place, self._below(place, lambda pointer: self._of_pattern(pointer, None)))

    def _with_free(self, place: Place, below: Place) -> Place:
        """Return a place below another one; below a free-form map, everything is declared."""
        return Place(below.roots | {FREE}, below.sure) if self.declared(place).is_free else below

    def positions(self, place: Place) -> int:
        """Return the number of items at the beginning of an array that have their own places."""
        if place not in self._positions:
            most = max((self._own_positions(pointer) for pointer in self.members(place)), default=0)
            if most > _MOST_POSITIONS:
                raise TooLargeError
            self._positions[place] = most
        return self._positions[place]

    def item(self, place: Place, index: int | None) -> Place:
        """Return the place of an item of an array; None for the items after `positions`."""
        key = (place, index)
        if key not in self._items:
            self._items[key] = self._below(place, lambda pointer: self._of_item(pointer, index))
        return self._items[key]

    def inner(self, place: Place) -> Iterator[Place]:
        """Yield all places directly inside a place."""
        if self.may_be(place, "object"):
            declared = self.declared(place)
            yield from (self.named(place, name) for name in declared.names)
            yield from (self.matched(place, pattern) for pattern in declared.patterns)
            if declared.every:
                yield self.others(place)
        if self.may_be(place, "array"):
            yield from (self.item(place, index) for index in (*range(self.positions(place)), None))

    def may_be(self, place: Place, atom: str) -> bool:
        """Whether a place may have a value of a type: False only if a schema certainly rejects it."""
        key = (place, atom)
        if key not in self._admitted:
            self._admitted[key] = all(self._may_be(pointer, atom) for pointer in place.sure)
        return self._admitted[key]

    def is_closed(self, place: Place) -> bool:
        """Whether a schema that certainly applies there rejects names that the place does not declare."""
        nodes = (self.at(pointer) for pointer in self._surely(place))
        schemas = (node for node in nodes if isinstance(node, dict) and not self._hides(node))
        return any(schema.get("additionalProperties") is False for schema in schemas)

    # The constraints of one subschema

    def _closure(self, roots: Iterable[str], step: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        pending = sorted(roots, reverse=True)
        while pending:
            pointer = pending.pop()
            if pointer not in found:
                found[pointer] = None
                self._budget -= 1
                if self._budget < 0:
                    raise TooLargeError
                if not pointer.startswith(("=", FREE)):
                    pending.extend(step(pointer))
        return tuple(sorted(found))

    def _hides(self, node: Mapping[str, JsonValue]) -> bool:
        return self.is_draft_7 and "$ref" in node

    def _surely_in_place(self, pointer: str) -> Iterator[str]:
        node = self.at(pointer)
        if isinstance(node, dict):
            for keyword in ("$ref", "$dynamicRef"):
                if (pointer, keyword) in self.targets:
                    target = self.targets[pointer, keyword]
                    if target is None:
                        raise TooLargeError
                    yield target
            branches = node.get("allOf")
            if isinstance(branches, list) and not self._hides(node):
                yield from (f"{pointer}/allOf/{index}" for index in range(len(branches)))

    def _in_place(self, pointer: str) -> Iterator[str]:
        yield from self._surely_in_place(pointer)
        node = self.at(pointer)
        if not isinstance(node, dict) or self._hides(node):
            return
        for keyword in ("anyOf", "oneOf"):
            branches = node.get(keyword)
            if isinstance(branches, list):
                yield from (f"{pointer}/{keyword}/{index}" for index in range(len(branches)))
        if "if" in node:
            yield from (f"{pointer}/{keyword}" for keyword in ("if", "then", "else") if keyword in node)
        for keyword in self.dependents:
            for name, dependent in entries(node, keyword):
                if isinstance(dependent, dict | bool):
                    yield f"{pointer}/{keyword}/{escape(name)}"
        if holds_object(node.get("const")):
            yield f"={pointer}/const"
        options = node.get("enum")
        if isinstance(options, list):
            yield from (f"={pointer}/enum/{index}" for index, option in enumerate(options) if holds_object(option))

    def _declares(self, place: Place) -> DeclaredNames:
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

    def _resolve(self, pointer: str) -> str:
        """Return a pointer, or the target of a subschema that is only a reference."""
        for _ in range(20):
            node, target = self.at(pointer), self.targets.get((pointer, "$ref"))
            if target is None or not isinstance(node, dict):
                break
            if not self.is_draft_7 and not is_anything({name: node[name] for name in node.keys() - _REFERRING}):
                break
            pointer = target
        return pointer

    def _of_name(self, pointer: str, name: str) -> Iterator[str]:
        node = self.at(pointer.removeprefix("="))
        if pointer == FREE or not isinstance(node, dict) or (pointer[0:1] != "=" and self._hides(node)):
            yield from (FREE,) if pointer == FREE else ()
        elif pointer.startswith("="):
            yield from (f"{pointer}/{escape(name)}",) if holds_object(node.get(name)) else ()
        else:
            own = node.get("properties")
            found = [f"{pointer}/properties/{escape(name)}"] if isinstance(own, dict) and name in own else []
            found += (
                f"{pointer}/patternProperties/{escape(pattern)}"
                for pattern in names_under(node, "patternProperties")
                if self.matches(pattern, name)
            )
            yield from found or self._of_rest(pointer, node)

    def _of_pattern(self, pointer: str, pattern: str | None) -> Iterator[str]:
        node = self.at(pointer)
        if pointer.startswith(("=", FREE)) or not isinstance(node, dict) or self._hides(node):
            yield from (FREE,) if pointer == FREE else ()
        elif pattern is not None and pattern in names_under(node, "patternProperties"):
            yield f"{pointer}/patternProperties/{escape(pattern)}"
        else:
            yield from self._of_rest(pointer, node)

    def _of_rest(self, pointer: str, node: Mapping[str, JsonValue]) -> Iterator[str]:
        for keyword in self.rest_keywords:
            if keyword in node:
                yield f"{pointer}/{keyword}"
                return

    def _own_positions(self, pointer: str) -> int:
        node = self.at(pointer.removeprefix("="))
        if pointer.startswith("="):
            return len(node) if isinstance(node, list) else 0
        if pointer == FREE or not isinstance(node, dict) or self._hides(node):
            return 0
        items = node.get("items" if self.is_draft_7 else "prefixItems")
        return len(items) if isinstance(items, list) else 0

    def _of_item(self, pointer: str, index: int | None) -> Iterator[str]:
        node = self.at(pointer.removeprefix("="))
        own = self._own_positions(pointer)
        if pointer.startswith("="):
            if isinstance(node, list) and index is not None and index < own and holds_object(node[index]):
                yield f"{pointer}/{index}"
        elif pointer == FREE:
            yield FREE
        elif isinstance(node, dict) and not self._hides(node):
            first = "items" if self.is_draft_7 else "prefixItems"
            rest = "additionalItems" if self.is_draft_7 and isinstance(node.get("items"), list) else "items"
            if index is not None and index < own:
                yield f"{pointer}/{first}/{index}"
            elif rest in node:
                yield f"{pointer}/{rest}"
            elif "unevaluatedItems" in node and not self.is_draft_7:
                yield f"{pointer}/unevaluatedItems"
            if "contains" in node:
                yield f"{pointer}/contains"

    def _may_be(self, pointer: str, atom: str, depth: int = 0) -> bool:
        node = self.at(pointer)
        if not isinstance(node, dict) or depth > 20:
            return node is not False
        key = (pointer, atom)
        if key not in self._possible:
            self._possible[key] = True  # while it is being read: a cycle adds nothing
            self._possible[key] = self._says_it_may_be(node, pointer, atom, depth + 1)
        return self._possible[key]

    def _says_it_may_be(self, node: Mapping[str, JsonValue], pointer: str, atom: str, depth: int) -> bool:
        if not all(self._may_be(child, atom, depth) for child in self._surely_in_place(pointer)):
            return False
        if self._hides(node):
            return True
        stated = node.get("type")
        names = [stated] if isinstance(stated, str) else strings(stated)
        if names and not any(atom in TYPE_ATOMS.get(name, ()) for name in names):
            return False
        if "const" in node and atom_of(node["const"]) != atom:
            return False
        options = node.get("enum")
        if isinstance(options, list) and all(atom_of(option) != atom for option in options):
            return False
        return all(
            any(self._may_be(f"{pointer}/{keyword}/{index}", atom, depth) for index in range(len(branches)))
            for keyword in ("anyOf", "oneOf")
            if isinstance(branches := node.get(keyword), list)
        )
