"""Reads which subschemas of a schema apply to the value of another subschema, to its properties and to its items."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from mcp_contracts.comparison.declared.matched_names import MatchedNames
from mcp_contracts.comparison.declared.nodes import (
    TooLargeError,
    entries,
    holds_object,
    is_anything,
    names_under,
    targets_of,
)
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.simple import TYPE_ATOMS, atom_of, strings
from mcp_contracts.schema.walk import subschemas

FREE = "*"
"""Represents everything inside a free-form map."""

_REFERRING = frozenset({"$ref", "$schema", "$id", "$defs", "definitions"})


class SchemaReader:
    """The subschemas of one schema by their pointers. `=/const` is a value, and `*` a free-form map."""

    def __init__(self, schema: JsonValue, dialect: Dialect, patterns: MatchedNames) -> None:
        self.schema = schema
        self.is_draft_7 = dialect is Dialect.DRAFT_7
        self.holder = "definitions" if self.is_draft_7 else "$defs"
        # What applies to the first items of an array, and to the items after them.
        self.first, self.after = ("items", "additionalItems") if self.is_draft_7 else ("prefixItems", "items")
        # What applies where a name is present; validators of 2020-12 still read `dependencies`.
        self.dependents = ("dependencies", *(() if self.is_draft_7 else ("dependentRequired", "dependentSchemas")))
        # What applies to properties that no other keyword of a schema names.
        self.rest_keywords = ("additionalProperties", *(() if self.is_draft_7 else ("unevaluatedProperties",)))
        nodes = subschemas(schema)
        self.targets: Mapping[tuple[str, str], str | None] = targets_of(schema, nodes)
        self._nodes: dict[str, JsonValue] = {node.pointer: node.value for node in nodes}
        self._patterns = patterns
        self._possible: dict[tuple[str, str], bool] = {}

    def at(self, pointer: str) -> JsonValue:
        """Return the subschema at a pointer."""
        if pointer not in self._nodes:
            self._nodes[pointer] = follow(self.schema, pointer)
        return self._nodes[pointer]

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a pattern matches a name."""
        matches = self._patterns.matches(pattern, name)
        if matches is None:
            raise TooLargeError
        return matches

    def matches_any(self, patterns: Iterable[str], name: str) -> bool:
        """Whether one of some patterns matches a name."""
        return any(self.matches(pattern, name) for pattern in patterns)

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

    def _of_patterns(self, pointer: str, patterns: Collection[str]) -> Iterator[str]:
        node = self.at(pointer)
        if pointer.startswith(("=", FREE)) or not isinstance(node, dict) or self._hides(node):
            yield from (FREE,) if pointer == FREE else ()
        else:
            own = names_under(node, "patternProperties")
            found = [f"{pointer}/patternProperties/{escape(pattern)}" for pattern in own if pattern in patterns]
            yield from found or self._of_rest(pointer, node)

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
        items = node.get(self.first)
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
            rest = self.after if isinstance(node.get(self.first), list) else "items"
            if index is not None and index < own:
                yield f"{pointer}/{self.first}/{index}"
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
