"""Schemas with the keywords that the prover supports, values near theirs, and edits that keep or change a meaning."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from tests.schema_strategies import NAMES, numbers, required, scalars, sizes, types, values

__all__ = ["NAMES", "edits", "near_values", "refactorings", "scalars", "schemas", "values"]

SAFE_PATTERNS = ("^a", "b$", "^[ab]*$", "^.{2}$", "[0-9]")
patterns = st.sampled_from(SAFE_PATTERNS)
Schema = dict[str, Any]

_LEAVES: dict[str, st.SearchStrategy[Any]] = {
    "type": types,
    "enum": st.lists(st.one_of(scalars, values), min_size=1, max_size=3, unique_by=repr),
    "const": values,
    "minimum": numbers,
    "maximum": numbers,
    "exclusiveMinimum": numbers,
    "exclusiveMaximum": numbers,
    "multipleOf": st.sampled_from([1, 2, 3, 0.5]),
    "minLength": sizes,
    "maxLength": sizes,
    "pattern": patterns,
    "minItems": sizes,
    "maxItems": sizes,
    "uniqueItems": st.just(True),
    "minProperties": sizes,
    "maxProperties": sizes,
    "required": required,
    "dependentRequired": st.dictionaries(st.sampled_from(NAMES), required, max_size=2),
}
_OF_TYPE: dict[str, tuple[str, ...]] = {
    "string": ("minLength", "maxLength", "pattern", "enum"),
    "integer": ("minimum", "maximum", "multipleOf", "enum", "exclusiveMinimum"),
    "number": ("minimum", "exclusiveMaximum", "multipleOf", "maximum"),
    "array": ("items", "prefixItems", "contains", "minContains", "maxContains", "uniqueItems", "minItems", "maxItems"),
    "object": (
        "properties", "required", "additionalProperties", "patternProperties", "propertyNames", "dependentRequired",
        "dependentSchemas", "minProperties", "maxProperties", "unevaluatedProperties",
    ),
}  # fmt: skip
_BRANCHES = ("allOf", "anyOf", "oneOf", "not", "if")
_SUBSCHEMAS = frozenset((
    "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames", "items",
    "dependentSchemas", "prefixItems", "contains", *_BRANCHES,
))  # fmt: skip
_LEAVES |= {"minContains": sizes, "maxContains": sizes}
_RENAMED = {"dependentRequired": "dependencies", "dependentSchemas": "dependencies"}
_ONLY_2020_12 = frozenset({"prefixItems", "minContains", "maxContains", "unevaluatedProperties", "unevaluatedItems"})


def _choices(keywords: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(sorted(keywords)), max_size=3, unique=True)


# Schemas of one type with keywords of that type, or of branches, mostly: others seldom say anything of each other.
_KINDS = st.sampled_from([*_OF_TYPE, "object", "object", "any"])
_CHOSEN = {kind: _choices((*own, *_BRANCHES)) for kind, own in _OF_TYPE.items()}
_CHOSEN |= {"any": _choices((*_LEAVES, *_SUBSCHEMAS))}
_CHOSEN_LEAVES = {
    kind: _choices(tuple(keyword for keyword in own if keyword in _LEAVES)) for kind, own in _OF_TYPE.items()
}
_CHOSEN_LEAVES |= {"any": _choices(tuple(_LEAVES))}
_names = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True)
_pattern_lists = st.lists(patterns, min_size=1, max_size=2, unique=True)
_counts = st.integers(1, 2)
_rare = st.sampled_from([False, False, False, True])
_flags = st.booleans()


class _Builder:
    """Builds one schema from random choices, many times as fast as nested strategies."""

    def __init__(self, draw: st.DrawFn, *, draft_7: bool) -> None:
        self._draw = draw
        self._draft_7 = draft_7
        self._holder = "definitions" if draft_7 else "$defs"
        self._left = 7

    def whole(self) -> Any:
        body = self.schema(3, ("first", "second", "loop"))
        if not isinstance(body, dict):
            return body
        named = {"$schema": "http://json-schema.org/draft-07/schema#"} if self._draft_7 else {}
        if "$ref" not in repr(body):
            return {**named, **body}
        self._left = 5
        held = {"first": self.schema(1, ()), "second": self.schema(2, ("first",)), "loop": self._loop()}
        return {**named, **body, self._holder: held}

    def schema(self, depth: int, targets: tuple[str, ...]) -> Any:
        self._left -= 1
        if targets and depth < 3 and self._draw(_rare):
            return self._refers(self._draw(st.sampled_from(targets)))
        if depth < 3 and self._draw(_rare):
            return self._draw(_flags)
        kind = self._draw(_KINDS)
        chosen = self._draw((_CHOSEN if depth > 0 and self._left > 0 else _CHOSEN_LEAVES)[kind])
        found: Schema = {"type": kind} if kind != "any" and self._draw(_flags) else {}
        for keyword in (*chosen, *(("then", "else") if "if" in chosen else ())):
            if self._draft_7 and keyword in _ONLY_2020_12:
                continue
            asked = self._draw(_LEAVES[keyword]) if keyword in _LEAVES else self._below(keyword, depth - 1, targets)
            name = _RENAMED.get(keyword, keyword) if self._draft_7 else keyword
            found[name] = {**found.get(name, {}), **asked} if name == "dependencies" else asked
        return found

    def _below(self, keyword: str, depth: int, targets: tuple[str, ...]) -> Any:
        if keyword in ("properties", "patternProperties"):
            names = self._draw(_names if keyword == "properties" else _pattern_lists)
            return {name: self.schema(depth, targets) for name in names}
        if keyword == "dependentSchemas":
            return {self._draw(st.sampled_from(NAMES)): self.schema(depth, targets)}
        if keyword in ("allOf", "anyOf", "oneOf", "prefixItems"):
            return [self.schema(depth, targets) for _ in range(self._draw(_counts))]
        if keyword == "propertyNames" and self._draw(_flags):
            return {"pattern": self._draw(patterns)}
        if keyword in ("additionalProperties", "unevaluatedProperties", "items") and self._draw(_flags):
            return False
        return self.schema(depth, targets)

    def _loop(self) -> Schema:
        """A schema that refers to itself through a property or items, so that it ends with the value."""
        found: Schema = self.schema(0, ())
        found = found if isinstance(found, dict) else {}
        refers = self._refers("loop")
        return {**found, "properties": {"a": refers}} if self._draw(_flags) else {**found, "items": refers}

    def _refers(self, name: str) -> Schema:
        return {"$ref": f"#/{self._holder}/{name}"}


@st.composite
def schemas(draw: st.DrawFn, *, draft_7: bool = False) -> Any:
    """Small schemas, valid under their meta-schema, some with references to definitions that may loop."""
    return _Builder(draw, draft_7=draft_7).whole()


# Values


def near_values(*schemas: Any) -> list[Any]:
    """Values that schemas name, and their neighbors: each listed value, limit and length, also inside others."""
    found: list[Any] = [None, True, False, 0, 1, 0.5, "", "a", "ab", [], {}]
    for schema in schemas:
        for keyword, asked in _keywords(schema):
            if keyword == "const":
                found.append(asked)
            elif keyword in ("enum", "examples") and isinstance(asked, list):
                found.extend(asked)
            elif isinstance(asked, int | float) and not isinstance(asked, bool):
                found += (asked, asked + 1, asked - 1, asked + 0.5)
                count = int(asked) if 0 <= asked <= 4 else 0
                found += ("a" * count, "b" * (count + 1), [0] * count, list(range(count + 1)))
                found.append(dict.fromkeys(NAMES[:count], 1))
    found = list({repr(value): copy.deepcopy(value) for value in found}.values())[:40]
    inside = [{name: value} for value in found[:12] for name in NAMES] + [[value] for value in found[:12]]
    return found + inside + [dict.fromkeys(NAMES, value) for value in found[:8]] + [{"z": 1}, {"a": 1, "z": 1}]


def _keywords(schema: Any) -> Iterator[tuple[str, Any]]:
    pending = [schema]
    while pending:
        held = pending.pop()
        if isinstance(held, dict):
            for keyword, asked in held.items():
                yield keyword, asked
                pending.append(asked)
        elif isinstance(held, list):
            pending.extend(held)


# Edits

Edit = Callable[[Any], Any]


def _mapped(schema: Any, change: Edit) -> Any:
    """Change every subschema of a schema, the inner ones first."""
    if not isinstance(schema, dict):
        return schema
    found: Schema = {}
    for keyword, asked in schema.items():
        if keyword in ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "dependencies"):
            found[keyword] = {name: _mapped(held, change) for name, held in asked.items()}
        elif keyword in ("allOf", "anyOf", "oneOf", "prefixItems") or (keyword == "items" and isinstance(asked, list)):
            found[keyword] = [_mapped(held, change) for held in asked]
        elif keyword in _SINGLE:
            found[keyword] = _mapped(asked, change)
        else:
            found[keyword] = asked
    return change(found)


_SINGLE = frozenset((
    "not", "if", "then", "else", "items", "contains", "additionalProperties", "propertyNames", "unevaluatedProperties",
    "additionalItems",
))  # fmt: skip


def _reordered(node: Schema) -> Schema:
    found = dict(reversed(node.items()))
    for keyword in ("required", "enum", "anyOf", "oneOf", "allOf"):
        if keyword in found:
            found[keyword] = found[keyword][::-1]
    return found


def _types_apart(node: Schema) -> Schema:
    if isinstance(node.get("type"), list) and "anyOf" not in node and "$ref" not in node:
        return {**_without(node, "type"), "anyOf": [{"type": kind} for kind in node["type"]]}
    return node


def _const_listed(node: Schema) -> Schema:
    return {**_without(node, "const"), "enum": [node["const"]]} if "const" in node and "enum" not in node else node


def _listed_const(node: Schema) -> Schema:
    if len(node.get("enum", ())) == 1 and "const" not in node:
        return {**_without(node, "enum"), "const": node["enum"][0]}
    return node


def _annotated(node: Schema) -> Schema:
    return {"title": "t", "description": "some words", **node, "examples": [1]} if "$ref" not in node else node


def _without(node: Schema, keyword: str) -> Schema:
    return {name: asked for name, asked in node.items() if name != keyword}


def _wrapped(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return {"allOf": [schema]}
    outer = {name: schema[name] for name in ("$schema", "$defs", "definitions") if name in schema}
    return {**outer, "allOf": [{name: asked for name, asked in schema.items() if name not in outer}]}


def _definitions(schema: Any) -> tuple[str, dict[str, Any]]:
    holder = "definitions" if isinstance(schema, dict) and "definitions" in schema else "$defs"
    return holder, schema.get(holder, {}) if isinstance(schema, dict) else {}


def _inlined(schema: Any) -> Any:
    """Replace each reference to `first`, which has no references, with its target."""
    holder, held = _definitions(schema)
    return _mapped(schema, lambda node: held["first"] if node == {"$ref": f"#/{holder}/first"} else node)


def _extracted(schema: Any) -> Any:
    """Move the schema of the first property into a definition."""
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict) or not schema["properties"]:
        return schema
    holder = "definitions" if "$schema" in schema else "$defs"
    name, held = next(iter(schema["properties"].items()))
    return {
        **schema,
        "properties": {**schema["properties"], name: {"$ref": f"#/{holder}/extracted"}},
        holder: {**schema.get(holder, {}), "extracted": held},
    }


def _renamed(schema: Any) -> Any:
    holder, held = _definitions(schema)
    if not held:
        return schema

    def renamed(node: Schema) -> Schema:
        return {**node, "$ref": f"{node['$ref']}-renamed"} if "$ref" in node else node

    found = _mapped(schema, renamed)
    return {**found, holder: {f"{name}-renamed": inner for name, inner in found[holder].items()}}


_REFACTORINGS: dict[str, Edit] = {
    "reorder": lambda schema: _mapped(schema, _reordered),
    "type list as anyOf": lambda schema: _mapped(schema, _types_apart),
    "const as enum": lambda schema: _mapped(schema, _const_listed),
    "enum as const": lambda schema: _mapped(schema, _listed_const),
    "annotate": lambda schema: _mapped(schema, _annotated),
    "wrap": _wrapped,
    "inline": _inlined,
    "extract": _extracted,
    "rename": _renamed,
}
refactorings: st.SearchStrategy[tuple[str, Edit]] = st.sampled_from(sorted(_REFACTORINGS.items()))
"""Edits that preserve the meaning of a schema, with their names."""


def edits(schema: Any) -> st.SearchStrategy[Any]:
    """Remove, change or add one keyword at the root of a schema."""
    if not isinstance(schema, dict):
        return st.sampled_from([True, False, {"type": "string"}])
    kept = sorted(set(schema) - {"$schema", "$defs", "definitions"})
    added = st.sampled_from(sorted(set(_LEAVES) - {"dependentRequired"})).flatmap(
        lambda keyword: _LEAVES[keyword].map(lambda asked: {**schema, keyword: asked})
    )
    if not kept:
        return added
    return st.one_of(added, st.sampled_from(kept).map(lambda keyword: _without(schema, keyword)))
