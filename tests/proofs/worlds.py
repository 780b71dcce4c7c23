"""Tiny worlds: all schemas with a few keywords, and all values that may distinguish two of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, permutations, product
from operator import or_
from typing import Any, NamedTuple

from tests.proofs.oracle import DRAFT_7

Schema = Any
Value = Any

TEXT, WHOLE, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}
Options = Mapping[str, Sequence[Any]]


class World(NamedTuple):
    """Schemas, and the values that judge them."""

    schemas: list[Schema]
    values: list[Value]


def written(options: Options, most: int, base: dict[str, Any] | None = None) -> Iterator[Schema]:
    """Return every schema with at most this number of keywords, each with one of its options, in addition to `base`."""
    yield base or {}
    for count in range(1, most + 1):
        for keywords in combinations(options, count):
            for chosen in product(*(options[keyword] for keyword in keywords)):
                yield {**(base or {}), **dict(zip(keywords, chosen, strict=True))}


def combined(parts: Sequence[Schema]) -> Iterator[Schema]:
    """Return every schema that combines one or two of the given ones."""
    for keyword in ("anyOf", "allOf", "oneOf"):
        yield from ({keyword: list(pair)} for pair in combinations(parts, 2))
    yield from ({"not": part} for part in parts)


def conditional(parts: Sequence[Schema]) -> Iterator[Schema]:
    """Return every `if` with a given schema, with `then`, with `else` and with both."""
    for condition, other in product(parts, repeat=2):
        if condition is not other:
            yield {"if": condition, "then": other}
            yield {"if": condition, "else": other}


def objects(names: Sequence[str], members: Sequence[Value], most: int | None = None) -> Iterator[dict[str, Value]]:
    """Return every object with some names and values."""
    for count in range((len(names) if most is None else most) + 1):
        for chosen in combinations(names, count):
            for held in product(members, repeat=count):
                yield dict(zip(chosen, held, strict=True))


def arrays(items: Sequence[Value], most: int) -> Iterator[list[Value]]:
    """Return every array of at most this number of some items."""
    for count in range(most + 1):
        yield from map(list, product(items, repeat=count))


def thinned(schemas: Iterator[Schema], most: int, seed: int = 1) -> list[Schema]:
    """Return some of many schemas, always the same."""
    found = list(schemas)
    return found if len(found) <= most else random.Random(seed).sample(found, most)


# The content of the worlds

_MEMBERS: Options = {
    "properties": [{"a": TEXT}, {"a": WHOLE}, {"a": False}, {"a": True}, {"a": TEXT, "b": WHOLE}],
    "required": [["a"], ["b"], ["a", "b"]],
    "additionalProperties": [False, TEXT, WHOLE],
    "patternProperties": [{"^a": WHOLE}, {"b$": TEXT}, {"^a": TEXT, "b$": WHOLE}, {"^a": False}],
    "propertyNames": [{"maxLength": 1}, {"enum": ["a", "b"]}, {"pattern": "b$"}],
    "minProperties": [1, 2],
    "maxProperties": [0, 1, 2],
    "dependentRequired": [{"a": ["b"]}, {"b": ["c"]}],
    "dependentSchemas": [{"a": {"maxProperties": 1}}, {"b": {"properties": {"a": WHOLE}}}],
}


def members() -> World:
    """Objects of few members."""
    return World(list(written(_MEMBERS, 2, {"type": "object"})), [*_small_objects(), 0])


def _small_objects() -> list[Value]:
    """Objects with names that no pattern treats alike, two of them unmentioned, and with three types of members."""
    found = [*objects(("a", "b", "ab", "c", "d"), ("s", 1, None), 3), *objects(("a", "b", "ab", "c", "d"), ("s", 1))]
    return [*found, *objects(("a", "b", "ab", "bb"), ("s", 1), 3)]


def chosen_members() -> World:
    """Branches with objects of few members: the chosen name must fit every branch."""
    options = {keyword: options[:3] for keyword, options in _MEMBERS.items() if keyword != "required"}
    leaves = list(written(options, 1))[1:]
    branches = thinned(combined(leaves), 200)
    few = [{"maxProperties": count, **branch} for branch in branches[:60] for count in (1, 2)]
    return World([{"type": "object", **schema} for schema in (*leaves, *branches, *few)], _small_objects())


_ITEMS: Options = {
    "items": [TEXT, WHOLE, False],
    "prefixItems": [[TEXT], [WHOLE], [True, TEXT], [False], [TEXT, False]],
    "contains": [TEXT, WHOLE, {"const": 1}, False],
    "minContains": [0, 2],
    "maxContains": [0, 1, 2],
    "uniqueItems": [True],
    "minItems": [1, 2],
    "maxItems": [0, 1, 2, 3],
}


def items() -> World:
    """Arrays of few items."""
    schemas = list(written(_ITEMS, 2, {"type": "array"}))
    counted = [schema | {"contains": TEXT} for schema in written({k: _ITEMS[k] for k in _ITEMS if k != "contains"}, 2)]
    return World(schemas + [{"type": "array", **schema} for schema in thinned(iter(counted), 150)], _short_arrays())


def _short_arrays() -> list[Value]:
    return [*arrays(("s", "t", 1, 2, None), 3), *arrays(("s", 1, None), 5)]


def counted_items() -> World:
    """Arrays with this number of some items, next to all constraints on their number."""
    options: list[Sequence[dict[str, Any]]] = [
        [{"contains": TEXT}, {"contains": {"const": 1}}],
        [{}, {"minContains": 0}, {"minContains": 2}],
        [{}, {"maxContains": 1}, {"maxContains": 2}, {"maxContains": 3}],
        [{"maxItems": 3}, {"minItems": 2}, {"minItems": 3}],
        [{}, {"items": TEXT}, {"items": {"enum": ["s", 1]}}, {"prefixItems": [TEXT]}],
        [{}, {"uniqueItems": True}],
    ]
    found = [reduce(or_, chosen, {"type": "array"}) for chosen in product(*options)]
    distinct = map(list, permutations(("s", "t", "u", "v", 1, 2), 4))
    return World(found, [*arrays(("s", "t", "u", 1, None), 3), *arrays(("s", 1), 6), *distinct])


def chosen_items() -> World:
    """Branches with arrays of few items."""
    leaves = list(written({keyword: options[:3] for keyword, options in _ITEMS.items()}, 1))[1:]
    branches = thinned(combined(leaves), 250)
    return World([{"type": "array", **schema} for schema in (*leaves, *branches)], _short_arrays())


def unevaluated_members() -> World:
    """The members of an object that branches leave unevaluated."""
    leaves: list[Schema] = [
        {"properties": {"a": True}}, {"properties": {"a": WHOLE}}, {"properties": {"b": TEXT}, "required": ["b"]},
        {"patternProperties": {"^a": True}}, {"additionalProperties": WHOLE}, {"required": ["a"]},
        {"unevaluatedProperties": TEXT}, {"maxProperties": 1}, {"additionalProperties": {}, "maxProperties": 2},
    ]  # fmt: skip
    branches = [*combined(leaves), *conditional(leaves[:5]), *({"if": leaf} for leaf in leaves)]
    branches += ({"dependentSchemas": {"b": leaf}} for leaf in leaves)
    branches += ({"anyOf": [{"allOf": [one]}, {"not": other}]} for one, other in combinations(leaves[:5], 2))
    asked = [branch | {"unevaluatedProperties": rest} for branch in branches for rest in (False, WHOLE)]
    plain: list[Schema] = [{}, {"maxProperties": 0}, {"maxProperties": 1}, {"additionalProperties": WHOLE}, *leaves]
    values = [*objects(("a", "ab", "aa", "b", "c"), ("s", 1, None), 3), *objects(("a", "ab", "b", "c"), ("s", 1))]
    return World([{"type": "object", **schema} for schema in (*plain, *thinned(iter(asked), 260))], values)


def unevaluated_items() -> World:
    """The items of an array that branches leave unevaluated."""
    leaves: list[Schema] = [
        {"prefixItems": [True]}, {"prefixItems": [WHOLE]}, {"prefixItems": [TEXT, True]}, {"items": WHOLE},
        {"contains": TEXT}, {"contains": WHOLE, "minContains": 0}, {"maxItems": 1}, {"unevaluatedItems": WHOLE},
        {"prefixItems": [True], "items": TEXT}, {"contains": TEXT, "maxContains": 1},
    ]  # fmt: skip
    branches = [*combined(leaves), *conditional(leaves[:6]), *({"if": leaf} for leaf in leaves)]
    branches += ({"allOf": [{"anyOf": [one, other]}]} for one, other in combinations(leaves[:6], 2))
    asked = [branch | {"unevaluatedItems": rest} for branch in branches for rest in (False, TEXT)]
    asked += [leaf | {"unevaluatedItems": False} for leaf in leaves if "unevaluatedItems" not in leaf]
    plain: list[Schema] = [{}, {"maxItems": 0}, {"maxItems": 1}, {"maxItems": 2}, *leaves]
    return World([{"type": "array", **schema} for schema in (*plain, *thinned(iter(asked), 260))], _short_arrays())


_HOLDERS: list[Callable[[Schema], Schema]] = [
    lambda leaf: {"allOf": [leaf, {"minProperties": 1}]},
    lambda leaf: {"anyOf": [leaf, {"required": ["b"]}]},
    lambda leaf: {"oneOf": [leaf, {"required": ["c"]}]},
    lambda leaf: {"if": {"required": ["b"]}, "then": leaf},
    lambda leaf: {"if": {"required": ["b"]}, "else": leaf},
    lambda leaf: {"if": leaf},
    lambda leaf: {"dependentSchemas": {"b": leaf}},
    lambda leaf: {"not": {"not": leaf}},
]


def nested_unevaluated() -> World:
    """What a branch of a branch evaluates, for each pair of kinds."""
    leaves: list[Schema] = [
        {"properties": {"a": True}}, {"patternProperties": {"^a": WHOLE}}, {"additionalProperties": WHOLE}, False,
    ]  # fmt: skip
    found: list[Schema] = [{}, {"maxProperties": 0}, {"maxProperties": 1}, {"required": ["b"]}, *leaves[:3]]
    for outer, inner, leaf, rest in product(_HOLDERS, _HOLDERS, leaves, (False, WHOLE)):
        found.append(outer(inner(leaf)) | {"unevaluatedProperties": rest})
    return World([{"type": "object", **schema} for schema in found], list(objects(("a", "ab", "b", "c"), ("s", 1), 3)))


_ATOMS: list[Schema] = [
    {"type": "string"}, {"type": "integer"}, {"type": ["null", "integer"]}, {"const": 1}, {"enum": [1, "s"]},
    {"minimum": 1}, {"maxLength": 1}, {"type": "object", "required": ["a"]}, {"type": "array", "maxItems": 0}, True,
]  # fmt: skip


def kinds() -> World:
    """Branches that list values of a property; some lists are disjoint, and some objects lack the property."""
    lists = ({"const": "s"}, {"const": 1}, {"const": 1.0}, {"enum": ["s", 1]}, {"enum": ["t", True]}, TEXT, True, False)
    options: Options = {"type": ["object"], "properties": [{"k": one} for one in lists], "required": [["k"]]}
    more = [{**leaf, "additionalProperties": False} for leaf in written(options, 3) if len(leaf) > 1]
    leaves = [*written(options, 3), *more]
    branches = [{"oneOf": list(chosen)} for count in (2, 3) for chosen in combinations(leaves, count)]
    found = thinned(iter(branches), 400)
    asked = [{**branch, "unevaluatedProperties": False} for branch in found[:60]]
    return World([*leaves, *found, *asked], [*objects(("k", "a"), ("s", "t", 1, True, None)), "s", None])


def logic() -> World:
    """Everything that combines schemas of the same value, two levels deep."""
    first = [*_ATOMS, *thinned(combined(_ATOMS), 90), *thinned(conditional(_ATOMS), 80)]
    second = thinned(combined(first[10:60]), 160, 2)
    values = [None, True, 0, 1, 2, 0.5, 1.5, "", "s", "tt", [], ["s"], {}, {"a": 1}, {"b": 1}, "st"]
    return World([*first, *second], values)


_BODIES: list[Schema] = [
    {"type": "object", "properties": {"g": "G"}}, {"type": "object", "properties": {"g": "G"}, "required": ["g"]},
    {"type": "object", "properties": {"h": "H"}, "required": ["h"]}, {"type": "string"},
    {"type": "object", "additionalProperties": "G"}, {"anyOf": ["G", {"type": "string"}]},
    {"anyOf": [{"type": "object", "properties": {"h": "H"}, "required": ["h"]}, {"maxProperties": 0}]},
    {"anyOf": [{"type": "object", "properties": {"h": "H"}, "required": ["h"], "additionalProperties": False}, TEXT]},
    {"type": "object", "properties": {"g": "G"}, "additionalProperties": False},
    {"type": "object", "properties": {"g": "G", "h": "H"}, "required": ["g", "h"], "additionalProperties": False},
]  # fmt: skip


def recursion() -> World:
    """Two definitions that refer to each other and to themselves through members, with several roots."""
    roots: list[Schema] = [
        {"$ref": "#/$defs/G"},
        {"type": "object", "properties": {"g": "G", "h": "H"}, "required": ["g", "h"], "additionalProperties": False},
        {"anyOf": ["G", "H"]},
        {"type": "object", "additionalProperties": "H", "minProperties": 1},
    ]
    found = []
    for root, first, second in product(roots, _BODIES, _BODIES):
        schema = _referring(root) | {"$defs": {"G": _referring(first), "H": _referring(second)}}
        if not _is_endless(schema):
            found.append(schema)
    level: list[Value] = ["s", 1]
    for _ in range(3):
        level = ["s", 1, *({name: one} for one in level for name in "gh"), {}]
    inner: list[Value] = ["s", 1, *objects(("g", "h", "c"), ("s", {}), 2)]
    deep: list[Value] = [{"g": "s"}, {"h": "s"}, {"h": {}}, {"h": {}, "g": "s"}]
    inner += ({name: one} for name in "gh" for one in deep)
    pairs = [{"g": one, "h": other} for one, other in product(inner, repeat=2)]
    return World(thinned(iter(found), 300), [*level, *pairs, *({"c": one} for one in inner)])


def _referring(schema: Schema) -> Schema:
    if schema in ("G", "H"):
        return {"$ref": f"#/$defs/{schema}"}
    if isinstance(schema, dict):
        return {key: item if key == "required" else _referring(item) for key, item in schema.items()}
    return [_referring(item) for item in schema] if isinstance(schema, list) else schema


def _is_endless(schema: Schema) -> bool:
    """Whether a definition judges the same value again by itself."""

    def led(part: Schema) -> set[str]:
        if "$ref" in part:
            return {part["$ref"][-1]}
        return set().union(*(led(one) for one in part.get("anyOf", ()))) if "anyOf" in part else set()

    ways = {name: led(part) for name, part in schema["$defs"].items()}
    return any(name in ways[name] or any(name in ways[other] for other in ways[name]) for name in ways)


def numbers() -> World:
    """Bounds and multiples."""
    options: Options = {
        "minimum": [0, 1, 1.5], "maximum": [2, 3], "exclusiveMinimum": [0, 1], "exclusiveMaximum": [2, 3, 2.5],
        "multipleOf": [1, 2, 3, 0.5, 1.5], "type": ["integer", "number"], "enum": [[1, 2], [0, 1.5, 3], [2, "s"]],
        "const": [1, 3.0], "not": [{"type": "integer"}, {"multipleOf": 2}, {"minimum": 2}],
    }  # fmt: skip
    values = [count / 12 for count in range(-14, 98)] + [12, 18, 30, -6, -12, 100, "s"]
    return World(list(written(options, 2)), values)


def texts() -> World:
    """Lengths, patterns and lists of texts."""
    options: Options = {
        "minLength": [1, 2], "maxLength": [0, 1, 2, 3],
        "pattern": ["^a", "b$", "^a*$", "^(ab)*$", "^[ab]{2}$", "^(a|bb)+$", "[^a]", "a.*b", "^$"],
        "enum": [["a", "b"], ["", "ab"], ["aab"]],
        "not": [{"pattern": "a"}, {"minLength": 2}, {"const": "a"}, {"pattern": "^a*$"}],
    }  # fmt: skip
    values = ["".join(letters) for count in range(7) for letters in product("ab", repeat=count)]
    values += ["".join(letters) for count in range(1, 5) for letters in product("abc", repeat=count) if "c" in letters]
    return World(list(written(options, 2, {"type": "string"})), values)


def old_members() -> World:
    """Objects and arrays in draft-07."""
    options: Options = {
        "properties": [{"a": TEXT}, {"a": WHOLE}], "required": [["a"]], "additionalProperties": [False, TEXT],
        "dependencies": [{"a": ["b"]}, {"a": {"maxProperties": 1}}, {"b": {"required": ["a"]}}, {"a": False}],
        "patternProperties": [{"^a": WHOLE}], "propertyNames": [{"maxLength": 1}], "maxProperties": [1],
        "if": [{"required": ["a"]}], "then": [{"required": ["b"]}], "else": [{"maxProperties": 0}],
        "$ref": ["#/definitions/d"],
    }  # fmt: skip
    held = {"$schema": DRAFT_7, "definitions": {"d": {"type": "object", "required": ["c"]}}}
    values = list(objects(("a", "b", "ab", "c"), ("s", 1)))
    return World([schema | held for schema in written(options, 2, {"type": "object"})], values)


def old_items() -> World:
    """Arrays in draft-07."""
    options: Options = {
        "items": [TEXT, False, [TEXT], [WHOLE, TEXT], [True, False]], "additionalItems": [False, TEXT, WHOLE],
        "contains": [TEXT, {"const": 1}, False], "minItems": [1, 2], "maxItems": [0, 1, 2], "uniqueItems": [True],
        "not": [{"contains": WHOLE}, {"items": TEXT}],
    }  # fmt: skip
    return World(list(written(options, 2, {"type": "array", "$schema": DRAFT_7})), _short_arrays())


def nested() -> World:
    """Objects in objects and arrays, as in tools: which names are declared at which place."""
    inner: list[Schema] = [
        TEXT, WHOLE, {}, {"type": "object"}, {"type": "object", "properties": {"b": TEXT}},
        {"type": "object", "properties": {"b": TEXT}, "additionalProperties": False},
        {"type": "object", "properties": {"b": TEXT}, "required": ["b"]},
        {"type": "object", "additionalProperties": TEXT}, {"type": "array", "items": TEXT},
        {"type": "array", "items": {"type": "object", "properties": {"b": WHOLE}}},
        {"anyOf": [TEXT, {"type": "object", "properties": {"b": WHOLE}}]},
    ]  # fmt: skip
    found: list[Schema] = []
    for part in inner:
        owners: list[Schema] = [
            {},
            {"required": ["a"]},
            {"additionalProperties": False},
            {"additionalProperties": TEXT},
        ]
        found += ({"type": "object", "properties": {"a": part}, **more} for more in owners)
        found.append({"type": "object", "properties": {"a": part, "b": WHOLE}})
        found.append({"type": "object", "properties": {"a": part}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})
        found.append({"allOf": [{"type": "object", "properties": {"a": part}}, {"properties": {"b": WHOLE}}]})
    found += [
        {"type": "object"},
        {},
        {"type": "object", "additionalProperties": True},
        {"type": "object", "properties": {}},
    ]
    small = list(objects(("b", "c"), ("s", 1)))
    values: list[Value] = ["s", 1, None, *small, *arrays(("s", 1), 2), *([one] for one in small)]
    whole: list[Value] = [*({"a": one} for one in values), *({"a": one, "c": "s"} for one in values)]
    whole += ({"a": one, "b": other} for one in values for other in ("s", 1))
    return World(found, [*whole, *objects(("b", "c"), ("s", 1)), "s", 1, []])


WORLDS: dict[str, Callable[[], World]] = {
    world.__name__: world
    for world in (
        members,
        chosen_members,
        items,
        counted_items,
        chosen_items,
        unevaluated_members,
        unevaluated_items,
        nested_unevaluated,
        kinds,
        logic,
        recursion,
        numbers,
        texts,
        old_members,
        old_items,
        nested,
    )
}
"""Every world by its name."""
