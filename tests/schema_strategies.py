"""Small random JSON Schemas and values of the same few letters and numbers, so that they often meet."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = ("a", "b", "c")
TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")

numbers = st.one_of(st.integers(-2, 6), st.sampled_from([0.5, 1.5, 2.0, -0.5, 0.1, 0.3]))
texts = st.sampled_from(["", "a", "b", "ab", "abc", "é", "1"])
sizes = st.integers(0, 3)
scalars: st.SearchStrategy[Any] = st.one_of(st.none(), st.booleans(), numbers, texts)
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)),
    max_leaves=6,
)
patterns = st.sampled_from(["^a", "b$", "^[ab]*$", "^.{2}$", "(?=a)a", "[0-9]"])
types = st.one_of(
    st.sampled_from(TYPES), st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True).map(list)
)
required = st.lists(st.sampled_from(NAMES), max_size=3, unique=True)

_LEAVES: dict[str, st.SearchStrategy[Any]] = {
    "type": types,
    "enum": st.lists(values, max_size=3, unique_by=repr),
    "const": values,
    "minimum": numbers,
    "maximum": numbers,
    "exclusiveMinimum": numbers,
    "exclusiveMaximum": numbers,
    "multipleOf": st.sampled_from([1, 2, 3, 0.5, 7]),
    "minLength": sizes,
    "maxLength": sizes,
    "pattern": patterns,
    "minItems": sizes,
    "maxItems": sizes,
    "uniqueItems": st.booleans(),
    "minProperties": sizes,
    "maxProperties": sizes,
    "required": required,
}


def _with_subschemas(inner: st.SearchStrategy[Any], *, draft_7: bool) -> st.SearchStrategy[Any]:
    branches = st.lists(inner, min_size=1, max_size=3)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        **_LEAVES,
        "properties": st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
        "patternProperties": st.dictionaries(patterns, inner, max_size=1),
        "additionalProperties": inner,
        "propertyNames": inner,
        "contains": inner,
        "allOf": branches,
        "anyOf": branches,
        "oneOf": branches,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "items": inner,
    }
    if draft_7:
        keywords |= {"items": st.one_of(inner, branches), "additionalItems": inner}
        return _some_of(keywords).map(_without_idle_additional_items)
    keywords |= {"prefixItems": branches, "minContains": sizes, "maxContains": sizes}
    return _some_of(keywords)


def _without_idle_additional_items(schema: dict[str, Any]) -> dict[str, Any]:
    """Remove an `additionalItems` without effect: jsonschema fails on one next to `"items": false`."""
    idle = not isinstance(schema.get("items"), list)
    return {keyword: value for keyword, value in schema.items() if not idle or keyword != "additionalItems"}


def _some_of(keywords: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    return st.lists(st.sampled_from(sorted(keywords)), max_size=5, unique=True).flatmap(
        lambda chosen: st.fixed_dictionaries({keyword: keywords[keyword] for keyword in chosen})
    )


def schemas(*, draft_7: bool = False) -> st.SearchStrategy[Any]:
    """Schemas of a few levels, valid under their meta-schema, some with references to definitions (no loops)."""
    holder = "definitions" if draft_7 else "$defs"

    def tree(*targets: str) -> st.SearchStrategy[Any]:
        leaves = st.one_of(st.booleans(), _some_of(_LEAVES))
        for target in targets:
            leaves = st.one_of(leaves, st.just({"$ref": f"#/{holder}/{target}"}))
        return st.recursive(leaves, lambda inner: _with_subschemas(inner, draft_7=draft_7), max_leaves=6)

    def whole(parts: tuple[Any, Any, Any]) -> dict[str, Any]:
        root, first, second = parts
        named = {"$schema": "http://json-schema.org/draft-07/schema#"} if draft_7 else {}
        definitions = {holder: {"first": first, "second": second}} if "$ref" in repr(root) else {}
        return {**named, **root, **definitions}

    roots = tree("first", "second").filter(lambda schema: isinstance(schema, dict))
    return st.tuples(roots, tree(), tree("first")).map(whole)
