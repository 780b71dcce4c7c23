"""A small evaluator of JSON Schema, written from the specification, that shares no code with the package.

It supports 2020-12, draft-07, and the policy `declared` as designed. It is slow and simple on purpose: every keyword
judges a value in turn. References are JSON pointers into the same document. Patterns are those that mean the same in
Python and in ECMA-262.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

Schema = Any
Value = Any

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
_TYPES = {
    "string": str, "boolean": bool, "null": type(None), "array": list, "object": dict,
}  # fmt: skip


class Seen(NamedTuple):
    """What a schema that accepts a value has evaluated: names of members, positions of items."""

    names: frozenset[str] = frozenset()
    items: frozenset[int] = frozenset()

    def __or__(self, other: Seen) -> Seen:
        return Seen(self.names | other.names, self.items | other.items)


NOTHING = Seen()


def freeze(value: Value) -> object:
    """Return a key that two values share if they are equal in JSON Schema: 1 is 1.0, and true is not 1."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return (type(value).__name__, value)
    if isinstance(value, int | float):
        return ("number", Fraction(str(value)) if isinstance(value, float) else Fraction(value))
    if isinstance(value, list):
        return ("array", tuple(freeze(item) for item in value))
    return ("object", frozenset((name, freeze(member)) for name, member in value.items()))


def _number(value: Value) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


@cache
def _matches(pattern: str, text: str) -> bool:
    ecma = re.sub(r"(?<!\\)\.", lambda found: r"[^\n\r\u2028\u2029]", pattern)
    ecma = re.sub(r"(?<!\\)\$", lambda found: r"\Z", ecma)
    return re.search(ecma, text, re.ASCII) is not None


class Oracle:
    """One schema that judges values."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.is_draft_7 = isinstance(schema, dict) and schema.get("$schema") == DRAFT_7

    def accepts(self, value: Value) -> bool:
        """Whether the schema accepts a value."""
        return self._judge(self.schema, value) is not None

    def accepts_part(self, schema: Schema, value: Value) -> bool:
        """Whether a subschema accepts a value."""
        return self._judge(schema, value) is not None

    def target(self, reference: str) -> Schema:
        """Return the target of a reference."""
        found = self.schema
        for part in reference.removeprefix("#").split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            found = found[int(name)] if isinstance(found, list) else found[name]
        return found

    def _judge(self, schema: Schema, value: Value) -> Seen | None:
        """Return what a subschema has evaluated of a value; None if it rejects the value."""
        if isinstance(schema, bool):
            return NOTHING if schema else None
        if "$ref" in schema and self.is_draft_7:
            return self._judge(self.target(schema["$ref"]), value)
        if not self._accepts_plain(schema, value):
            return None
        seen = NOTHING
        steps = [self._in_place]
        if isinstance(value, dict):
            steps += [self._members]
        elif isinstance(value, list):
            steps += [self._items]
        for step in steps:
            more = step(schema, value)
            if more is None:
                return None
            seen |= more
        return seen if self.is_draft_7 else self._unevaluated(schema, value, seen)

    # Keywords about the value as a whole

    def _accepts_plain(self, schema: dict[str, Any], value: Value) -> bool:
        if "type" in schema:
            stated = schema["type"]
            if not any(_is_of(name, value) for name in ([stated] if isinstance(stated, str) else stated)):
                return False
        if "enum" in schema and freeze(value) not in {freeze(option) for option in schema["enum"]}:
            return False
        if "const" in schema and freeze(value) != freeze(schema["const"]):
            return False
        number = _number(value)
        if number is not None:
            return _accepts_number(schema, number)
        if isinstance(value, str):
            size, least, most = len(value), "minLength", "maxLength"
            if "pattern" in schema and not _matches(schema["pattern"], value):
                return False
        elif isinstance(value, list):
            size, least, most = len(value), "minItems", "maxItems"
            if schema.get("uniqueItems") and len({freeze(item) for item in value}) < len(value):
                return False
        elif isinstance(value, dict):
            size, least, most = len(value), "minProperties", "maxProperties"
            if not all(name in value for name in schema.get("required", ())):
                return False
        else:
            return True
        return bool(schema.get(least, 0) <= size <= schema.get(most, size))

    # Keywords that apply schemas to the same value

    def _in_place(self, schema: dict[str, Any], value: Value) -> Seen | None:
        seen = NOTHING
        wanted = [self.target(schema["$ref"])] if "$ref" in schema else []
        wanted += schema.get("allOf", ())
        if isinstance(value, dict):
            for name, names in schema.get("dependentRequired", {}).items():
                if name in value and not all(other in value for other in names):
                    return None
            for name, needed in schema.get("dependencies", {}).items():
                if name in value:
                    wanted.append({"required": needed} if isinstance(needed, list) else needed)
            wanted += (one for name, one in schema.get("dependentSchemas", {}).items() if name in value)
        for part in wanted:
            found = self._judge(part, value)
            if found is None:
                return None
            seen |= found
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                held = [found for part in schema[keyword] if (found := self._judge(part, value)) is not None]
                if not held or (keyword == "oneOf" and len(held) > 1):
                    return None
                for found in held:
                    seen |= found
        if "not" in schema and self._judge(schema["not"], value) is not None:
            return None
        if "if" in schema:
            met = self._judge(schema["if"], value)
            then = self._judge(schema.get("else" if met is None else "then", True), value)
            if then is None:
                return None
            seen |= then | (met or NOTHING)
        return seen

    # Keywords that apply schemas to parts of the value

    def _members(self, schema: dict[str, Any], value: dict[str, Any]) -> Seen | None:
        seen: set[str] = set()
        for name, member in value.items():
            parts = _member_parts(schema, name)
            if any(self._judge(part, member) is None for part in parts):
                return None
            if parts:
                seen.add(name)
            if "propertyNames" in schema and self._judge(schema["propertyNames"], name) is None:
                return None
        return Seen(frozenset(seen))

    def _items(self, schema: dict[str, Any], value: list[Any]) -> Seen | None:
        seen: set[int] = set()
        first, rest = ("prefixItems", "items")
        if self.is_draft_7:
            first, rest = ("items", "additionalItems") if isinstance(schema.get("items"), list) else ("", "items")
        prefix = schema.get(first, ())
        for index, item in enumerate(value):
            part = prefix[index] if index < len(prefix) else schema.get(rest)
            if part is None:
                continue
            if self._judge(part, item) is None:
                return None
            seen.add(index)
        if "contains" in schema:
            held = [index for index, item in enumerate(value) if self._judge(schema["contains"], item) is not None]
            least, most = schema.get("minContains", 1), schema.get("maxContains", len(value))
            if self.is_draft_7:
                least, most = 1, len(value)
            if not least <= len(held) <= most:
                return None
            seen.update(held)
        return Seen(items=frozenset(seen))

    def _unevaluated(self, schema: dict[str, Any], value: Value, seen: Seen) -> Seen | None:
        if isinstance(value, dict) and "unevaluatedProperties" in schema:
            part = schema["unevaluatedProperties"]
            if any(self._judge(part, value[name]) is None for name in value if name not in seen.names):
                return None
            return seen | Seen(frozenset(value))
        if isinstance(value, list) and "unevaluatedItems" in schema:
            part = schema["unevaluatedItems"]
            if any(self._judge(part, item) is None for index, item in enumerate(value) if index not in seen.items):
                return None
            return seen | Seen(items=frozenset(range(len(value))))
        return seen


def _member_parts(schema: dict[str, Any], name: str) -> list[Schema]:
    """Return the subschemas for the member of a name, except for those that depend on evaluation."""
    parts = [schema["properties"][name]] if name in schema.get("properties", {}) else []
    parts += (part for pattern, part in schema.get("patternProperties", {}).items() if _matches(pattern, name))
    if not parts and "additionalProperties" in schema:
        parts = [schema["additionalProperties"]]
    return parts


def _is_of(name: str, value: Value) -> bool:
    if name == "number":
        return _number(value) is not None
    if name == "integer":
        number = _number(value)
        return number is not None and number.denominator == 1
    return isinstance(value, _TYPES[name])


def _accepts_number(schema: dict[str, Any], number: Fraction) -> bool:
    def bound(keyword: str) -> Fraction:
        found = _number(schema[keyword])
        assert found is not None
        return found

    return not (
        ("minimum" in schema and number < bound("minimum"))
        or ("maximum" in schema and number > bound("maximum"))
        or ("exclusiveMinimum" in schema and number <= bound("exclusiveMinimum"))
        or ("exclusiveMaximum" in schema and number >= bound("exclusiveMaximum"))
        or ("multipleOf" in schema and (number / bound("multipleOf")).denominator != 1)
    )


# The policy `declared`

_WORDS = frozenset(("title", "description", "$comment", "default", "examples", "deprecated", "readOnly", "writeOnly"))
_FREE = ("*", None)
"""Represents the content of a free-form map, where every name is declared."""
Place = list[Schema]
"""The subschemas that may apply to a value, and the listed values that it may equal, as pairs."""


class Names:
    """The names that a schema declares at each place, as in the section "Declared names" of `docs/changes.md`."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._below: dict[tuple[int, str | int], tuple[Place, Place | None]] = {}
        self._places: dict[frozenset[int], Place] = {}
        self._pairs: dict[int, tuple[str, Value]] = {}
        self.root = self._place([oracle.schema])
        """The place of the whole value."""

    def member(self, place: Place, name: str) -> Place | None:
        """Return the place of a member; None if the name is not declared."""
        return self._at(place, name, lambda: self._of_member(place, name))

    def item(self, place: Place, index: int) -> Place:
        """Return the place of an item."""
        found = self._at(place, index, lambda: self._of_item(place, index))
        assert found is not None
        return found

    def are_sent(self, value: Value) -> bool:
        """Whether all names in a value are declared at their places."""
        return freeze(self.read(value)) == freeze(value)

    def read(self, value: Value, place: Place | None = None) -> Value:
        """Return a value without the undeclared names."""
        place = self.root if place is None else place
        if isinstance(value, dict):
            inner = {name: self.member(place, name) for name in value}
            return {name: self.read(value[name], there) for name, there in inner.items() if there is not None}
        if isinstance(value, list):
            return [self.read(item, self.item(place, index)) for index, item in enumerate(value)]
        return value

    def _at(self, place: Place, step: str | int, inside: Callable[[], list[Schema] | None]) -> Place | None:
        key = (id(place), step)
        if key not in self._below:
            found = inside()
            self._below[key] = (place, None if found is None else self._place(found))
        return self._below[key][1]

    def _place(self, roots: list[Schema]) -> Place:
        found: dict[int, Schema] = {}
        pending = list(roots)
        while pending:
            node = pending.pop()
            if id(node) not in found and isinstance(node, dict | tuple):
                found[id(node)] = node
                if isinstance(node, dict):
                    pending.extend(self._in_place(node))
        place = [node for node in found.values() if isinstance(node, tuple) or not self._is_hidden(node)]
        return self._places.setdefault(frozenset(map(id, place)), place)

    def _is_hidden(self, node: dict[str, Any]) -> bool:
        return self._oracle.is_draft_7 and "$ref" in node

    def _in_place(self, node: dict[str, Any]) -> Iterator[Schema]:
        if "$ref" in node:
            yield self._oracle.target(node["$ref"])
            if self._oracle.is_draft_7:
                return
        for keyword in ("allOf", "anyOf", "oneOf"):
            yield from node.get(keyword, ())
        if "if" in node:
            yield from (node[keyword] for keyword in ("if", "then", "else") if keyword in node)
        yield from (dependent for _, dependent in self._dependents(node))
        for value in (*([node["const"]] if "const" in node else ()), *node.get("enum", ())):
            yield self._listed(value)

    def _listed(self, value: Value) -> tuple[str, Value]:
        """Return a listed value, always the same pair for the same value."""
        return self._pairs.setdefault(id(value), ("=", value))

    def _dependents(self, node: dict[str, Any]) -> Iterator[tuple[str, Schema]]:
        """Return the schemas and the lists of names that depend on names."""
        new = () if self._oracle.is_draft_7 else ("dependentRequired", "dependentSchemas")
        for keyword in ("dependencies", *new):
            yield from node.get(keyword, {}).items()

    def _rest(self, node: dict[str, Any]) -> list[Schema]:
        names = ("additionalProperties", *(() if self._oracle.is_draft_7 else ("unevaluatedProperties",)))
        return [node[name] for name in names if name in node]

    def _of_member(self, place: Place, name: str) -> list[Schema] | None:
        """Return the subschemas of the property of a name; None if the name is not declared."""
        if _FREE in place:
            return [_FREE]
        found: list[Schema] = []
        names: set[str] = set()
        patterns: set[str] = set()
        every = is_open = False
        for node in place:
            if isinstance(node, tuple):
                if isinstance(node[1], dict):
                    names.update(node[1])
                    found += [self._listed(node[1][name])] if name in node[1] else []
                continue
            names.update(node.get("properties", ()), node.get("required", ()))
            for key, held in self._dependents(node):
                names.update((key, *(held if isinstance(held, list) else ())))
            patterns.update(node.get("patternProperties", ()))
            for rest in self._rest(node):
                is_anything = rest is True or (isinstance(rest, dict) and rest.keys() <= _WORDS)
                is_open |= is_anything
                every |= isinstance(rest, dict) and not is_anything
            own = [node["properties"][name]] if name in node.get("properties", ()) else []
            own += (held for text, held in node.get("patternProperties", {}).items() if _matches(text, name))
            found += own or self._rest(node)[:1]
        if every or name in names or any(_matches(text, name) for text in patterns):
            return found
        return [_FREE] if is_open and not names and not patterns else None

    def _of_item(self, place: Place, index: int) -> list[Schema]:
        found: list[Schema] = []
        for node in place:
            if isinstance(node, tuple):
                if node[0] == "*":
                    found.append(node)
                elif isinstance(node[1], list) and index < len(node[1]):
                    found.append(self._listed(node[1][index]))
                continue
            is_old = self._oracle.is_draft_7 and isinstance(node.get("items"), list)
            first: list[Schema] = node.get("items" if is_old else "prefixItems", [])
            rest = ["additionalItems" if is_old else "items"]
            rest += [] if self._oracle.is_draft_7 else ["unevaluatedItems"]
            found += [first[index]] if index < len(first) else [node[name] for name in rest if name in node][:1]
            found += [node["contains"]] if "contains" in node else []
        return found
