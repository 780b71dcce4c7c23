"""A small evaluator of JSON Schema, written from the specification, that shares no code with the package.

It reads 2020-12 and draft-07, and knows the policy `declared` as the design states it. It is slow and plain on purpose:
a value is judged by every keyword in turn. References are JSON pointers into the same document. Patterns are those that
mean the same in Python and in ECMA-262.
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
    """What a schema that accepts a value has evaluated of it: names of members, positions of items."""

    names: frozenset[str] = frozenset()
    items: frozenset[int] = frozenset()

    def __or__(self, other: Seen) -> Seen:
        return Seen(self.names | other.names, self.items | other.items)


NOTHING = Seen()


def freeze(value: Value) -> object:
    """A key that two values share if JSON Schema calls them equal: 1 is 1.0, and true is not 1."""
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
    """One schema, ready to judge values."""

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
        """What a reference leads to."""
        found = self.schema
        for part in reference.removeprefix("#").split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            found = found[int(name)] if isinstance(found, list) else found[name]
        return found

    def _judge(self, schema: Schema, value: Value) -> Seen | None:
        """What a subschema has evaluated of a value, or None where it refuses it."""
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

    # Keywords that look at the value as a whole

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

    # Keywords that apply schemas to what is inside

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
    """What a schema asks of the member of a name, but for what it has not evaluated."""
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
FREE = {"x-free": True}
"""Stands for what is inside of a free-form map, where every name is declared."""


class Place(NamedTuple):
    """The subschemas that may apply to a value at one place."""

    schemas: tuple[Schema, ...]


class Names:
    """Which names a schema declares at each place.

    The design says: `properties`, `patternProperties` and a schema-valued `additionalProperties` declare. It leaves
    open whether the names of `required`, `enum` and the like do, those of a condition, and an explicit
    `additionalProperties: true`. So there are two readings: the narrow one holds what surely declares, the wide one
    (`is_wide`) all that may.
    """

    def __init__(self, oracle: Oracle, *, is_wide: bool) -> None:
        self._oracle = oracle
        self._is_wide = is_wide
        self._below: dict[tuple[int, str | int], Place] = {}
        self.root = self._place([oracle.schema])
        """The place of the whole value."""

    def _place(self, roots: list[Schema]) -> Place:
        found: list[Schema] = []
        pending = list(roots)
        while pending:
            schema = pending.pop()
            if any(schema is other for other in found):
                continue
            found.append(schema)
            if isinstance(schema, dict):
                pending.extend(self._applied(schema))
        return Place(tuple(found))

    def _applied(self, schema: dict[str, Any]) -> Iterator[Schema]:
        if "$ref" in schema:
            yield self._oracle.target(schema["$ref"])
            if self._oracle.is_draft_7:
                return
        for keyword in ("allOf", "anyOf", "oneOf"):
            yield from schema.get(keyword, ())
        if "if" in schema:
            yield from (schema[keyword] for keyword in ("then", "else") if keyword in schema)
            if self._is_wide:
                yield schema["if"]
        for keyword in ("dependentSchemas", "dependencies"):
            yield from (part for part in schema.get(keyword, {}).values() if not isinstance(part, list))
        if self._is_wide and "not" in schema:
            yield schema["not"]

    def declares(self, place: Place, name: str) -> bool:
        """Whether a name is declared at a place."""
        return any(self._declares(schema, name) for schema in place.schemas if isinstance(schema, dict))

    def _declares(self, schema: dict[str, Any], name: str) -> bool:
        if schema is FREE:
            return True
        if self._oracle.is_draft_7 and "$ref" in schema:
            return False
        if name in schema.get("properties", {}):
            return True
        if any(_matches(pattern, name) for pattern in schema.get("patternProperties", {})):
            return True
        rest = schema.get("additionalProperties", False)
        if isinstance(rest, dict) and not rest.keys() <= _WORDS:
            return True
        if not self._is_wide:
            return False
        rests = (rest, schema.get("unevaluatedProperties", False))
        if any(one is not False for one in rests):
            return True
        held = [schema["const"]] if "const" in schema else []
        held += schema.get("enum", ())
        if any(isinstance(one, dict) and name in one for one in held):
            return True
        asked = {*schema.get("required", ()), *schema.get("dependentSchemas", {})}
        for keyword in ("dependentRequired", "dependencies"):
            for other, names in schema.get(keyword, {}).items():
                asked |= {other, *(names if isinstance(names, list) else ())}
        return name in asked

    def member(self, place: Place, name: str) -> Place:
        """The place of a member."""
        key = (id(place), name)
        if key not in self._below:
            self._below[key] = self._place(self._of_member(place, name))
        return self._below[key]

    def item(self, place: Place, index: int) -> Place:
        """The place of an item."""
        key = (id(place), index)
        if key not in self._below:
            self._below[key] = self._place(self._of_item(place, index))
        return self._below[key]

    def _of_member(self, place: Place, name: str) -> list[Schema]:
        def parts(schema: dict[str, Any]) -> list[Schema]:
            found = _member_parts(schema, name)
            return [*found, *([schema["unevaluatedProperties"]] if "unevaluatedProperties" in schema else [])]

        return self._inside(
            place, parts, lambda value: [value[name]] if isinstance(value, dict) and name in value else []
        )

    def _of_item(self, place: Place, index: int) -> list[Schema]:
        def parts(schema: dict[str, Any]) -> list[Schema]:
            first = schema.get("items") if self._oracle.is_draft_7 else schema.get("prefixItems")
            prefix = first if isinstance(first, list) else []
            rest = "additionalItems" if self._oracle.is_draft_7 and prefix else "items"
            found = [prefix[index]] if index < len(prefix) else [schema[rest]] if rest in schema else []
            return [*found, *(schema[keyword] for keyword in ("contains", "unevaluatedItems") if keyword in schema)]

        return self._inside(place, parts, lambda value: value[index : index + 1] if isinstance(value, list) else [])

    def _inside(
        self, place: Place, parts: Callable[[dict[str, Any]], list[Schema]], held: Callable[[Value], list[Value]]
    ) -> list[Schema]:
        """What the schemas at a place say of a value inside: `held` is that value in one that is listed."""
        found: list[Schema] = []
        for schema in place.schemas:
            if schema is FREE:
                found.append(FREE)
            elif isinstance(schema, dict):
                found += self._kept(parts(schema))
                found += ({"enum": [inner]} for one in self._listed(schema) for inner in held(one))
        return found

    def _kept(self, parts: list[Schema]) -> Iterator[Schema]:
        for part in parts:
            is_open = part is True or (isinstance(part, dict) and part.keys() <= _WORDS)
            yield FREE if is_open and self._is_wide else part

    def _listed(self, schema: dict[str, Any]) -> list[Value]:
        if not self._is_wide:
            return []
        return [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ())]

    def are_sent(self, value: Value, place: Place | None = None) -> bool:
        """Whether a value holds only names that are declared at their places."""
        place = place or self.root
        if isinstance(value, dict):
            return all(
                self.declares(place, name) and self.are_sent(member, self.member(place, name))
                for name, member in value.items()
            )
        if isinstance(value, list):
            return all(self.are_sent(item, self.item(place, index)) for index, item in enumerate(value))
        return True

    def read(self, value: Value, place: Place | None = None) -> Value:
        """A value without the names that are not declared at their places."""
        place = place or self.root
        if isinstance(value, dict):
            return {
                name: self.read(member, self.member(place, name))
                for name, member in value.items()
                if self.declares(place, name)
            }
        if isinstance(value, list):
            return [self.read(item, self.item(place, index)) for index, item in enumerate(value)]
        return value
