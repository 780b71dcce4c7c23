"""Values that a strict schema accepts, and whether a schema is in the strict subset."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from mcp_contracts.schema.walk import subschemas
from tests.schema_strategies import NAMES, patterns, required, scalars, sizes, types

_LEVELS = 4
_ITEMS = 3
_KEYWORDS = {
    "string": {"pattern", "format", "enum", "const"},
    "number": {"multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum", "const"},
    "integer": {"multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum", "const"},
    "boolean": {"enum", "const"},
    "null": {"enum", "const"},
    "array": {"items", "minItems", "maxItems"},
    "object": {"properties", "required", "additionalProperties", "$defs"},
}
_WORDS = {"title", "description"}


def faults(schema: dict[str, Any]) -> Iterator[str]:
    """Return the parts of a schema that are not in the strict subset."""
    if schema.get("type") != "object":
        yield "the root is no object"
    for node in subschemas(schema):
        value: dict[str, Any] = node.value
        if "$ref" in value:
            allowed = {"$ref"}
        elif "anyOf" in value:
            allowed = {"anyOf", *_WORDS}
        else:
            types: Any = value.get("type")
            named: list[Any] = types if isinstance(types, list) else [types]
            allowed = {"type", *_WORDS}.union(*(_KEYWORDS.get(name, set()) for name in named))
            if len(set(named) - {"null"}) > 1 or not set(named) <= _KEYWORDS.keys():
                yield f"{node.pointer}: the type is {types}"
        for keyword in value.keys() - allowed:
            yield f"{node.pointer}: `{keyword}`"
        if "properties" in value and (
            value.get("additionalProperties") is not False or value.get("required") != list(value["properties"])
        ):
            yield f"{node.pointer}: not closed, or something is optional"


def instances(schema: Any, root: Any = None, level: int = 0) -> st.SearchStrategy[Any]:
    """Values under a schema of the strict subset, most of them valid, except under narrow patterns and bounds."""
    root = schema if root is None else root
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        target = root if schema["$ref"] == "#" else root["$defs"][name]
        return st.deferred(lambda: instances(target, root, level + 1)) if level < 3 * _LEVELS else st.none()
    if "anyOf" in schema:
        branches = schema["anyOf"]
        if level > _LEVELS:
            branches = sorted(branches, key=lambda branch: "$ref" in branch or branch.get("type") == "object")[:1]
        return st.one_of([instances(branch, root, level + 1) for branch in branches])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "const" in schema:
        return st.just(schema["const"])
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return st.one_of([_of_type(name, schema, root, level) for name in types])


def _of_type(name: str, schema: Any, root: Any, level: int) -> st.SearchStrategy[Any]:
    match name:
        case "object":
            return st.fixed_dictionaries(
                {key: instances(value, root, level + 1) for key, value in schema["properties"].items()}
            )
        case "array":
            least = schema.get("minItems", 0)
            most = max(least, min(schema.get("maxItems", _ITEMS), _ITEMS) if level < _LEVELS else 0)
            return st.lists(instances(schema["items"], root, level + 1), min_size=least, max_size=most)
        case "string":
            return st.from_regex(schema["pattern"]) if "pattern" in schema else st.text(max_size=5)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case _:
            return _numbers(name, schema)


def _numbers(name: str, schema: Any) -> st.SearchStrategy[Any]:
    low = max(schema.get("minimum", -1e6), schema.get("exclusiveMinimum", -1e6))
    high = max(low, min(schema.get("maximum", 1e6), schema.get("exclusiveMaximum", 1e6)))
    whole = st.integers(math.ceil(low), max(math.ceil(low), math.floor(high)))
    return whole if name == "integer" else st.one_of(whole, st.floats(low, high, allow_nan=False))


def _leaves(*targets: str) -> st.SearchStrategy[Any]:
    whole = st.fixed_dictionaries(
        {"type": st.sampled_from(["integer", "number"])},
        optional={"minimum": st.integers(-2, 3), "maximum": st.integers(0, 6), "multipleOf": st.sampled_from([1, 2])},
    )
    text = st.fixed_dictionaries(
        {"type": st.sampled_from(["string", ["string", "null"]])},
        optional={"pattern": patterns, "format": st.sampled_from(["date", "uri"]), "default": st.none()},
    )
    plain = st.fixed_dictionaries({"type": types.filter(lambda named: not {"object", "array"} & {*_named(named)})})
    chosen = st.lists(scalars, min_size=1, max_size=3, unique_by=repr).map(lambda values: {"enum": values})
    links = [st.just({"$ref": target}) for target in targets]
    return st.one_of(whole, text, plain, chosen, scalars.map(lambda value: {"const": value}), *links)


def _named(types: Any) -> list[str]:
    return types if isinstance(types, list) else [types]


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {
            "type": st.sampled_from(["object", ["object", "null"]]),
            "properties": st.dictionaries(st.sampled_from(NAMES), inner, min_size=1, max_size=3),
        },
        optional={"required": required, "additionalProperties": st.just(False), "title": st.just("T")},
    )


def _trees(*targets: str) -> st.SearchStrategy[Any]:
    def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        branches = st.lists(inner, min_size=1, max_size=3)
        arrays = st.fixed_dictionaries({"type": st.just("array"), "items": inner}, optional={"maxItems": sizes})
        choices = st.sampled_from(["anyOf", "oneOf", "allOf"]).flatmap(
            lambda keyword: st.tuples(branches, st.one_of(st.just({}), inner)).map(
                lambda parts: {**parts[1], keyword: parts[0]}
            )
        )
        return st.one_of(_objects(inner), arrays, choices)

    return st.recursive(_leaves(*targets), grown, max_leaves=8)


def typed_schemas() -> st.SearchStrategy[Any]:
    """Tool inputs as people write them: most parts state a type. Some refer to definitions and to themselves."""
    first, second = "#/$defs/first", "#/$defs/second"
    roots = _objects(_trees(first, second, "#"))
    return st.tuples(roots, _trees(second), _trees(first, "#")).map(
        lambda parts: {**parts[0], "$defs": {"first": parts[1], "second": parts[2]}}
    )
