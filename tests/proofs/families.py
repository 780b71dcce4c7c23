"""Random pairs of schemas, family by family, and values chosen to contradict the answers about them.

`python -m tests.proofs.families` runs each family for many seeds; the suite runs a few seeds of each. The search and
both policies judge each pair, and the oracle in `proofs/oracle.py` checks each answer with the values; two validators
also check the witness of a break.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from tests.proofs.exact import Judged, Problem, problems, told
from tests.proofs.oracle import DRAFT_7, Oracle

Schema = Any
Value = Any
Keywords = dict[str, Callable[[random.Random, int], Any]]

NAMES = ("a", "b", "ab", "ba", "c")
PATTERNS = ("^a", "b$", "^[ab]*$", "^.$", "^a+$", "a.*b", "^(ab)+$", "[0-9]", "^[^a]", "^$", "^(a|b|ab)$", "^x-")
_NUMBERS = (0, 1, 2, 3, 5, -1, 1.5, 0.5, 10)
_COUNTS = (0, 1, 1, 2, 2, 3)
_SCALARS = (None, True, False, 0, 1, 2, 1.5, -1, 3, "", "a", "b", "ab", "ba", "aab", "x-1", "7")
_TYPES = ("string", "integer", "number", "boolean", "null", "array", "object")


def _one_of(options: tuple[Any, ...]) -> Callable[[random.Random, int], Any]:
    return lambda rng, depth: rng.choice(options)


class Family:
    """The schemas of one kind: keywords with their possible values, and the number of keywords in a schema."""

    def __init__(self, keywords: Keywords, *, types: tuple[str, ...] = (), most: int = 3, loops: bool = False) -> None:
        self.keywords, self.types, self.most, self.loops = keywords, types, most, loops

    def schema(self, rng: random.Random, depth: int = 2) -> Schema:
        """One schema."""
        if depth < 2 and rng.random() < 0.12:
            return rng.random() < 0.5
        if self.loops and depth < 2 and rng.random() < 0.3:
            return {"$ref": f"#/$defs/{rng.choice('GH')}"}
        found: Schema = {"type": rng.choice(self.types)} if self.types and rng.random() < 0.75 else {}
        for keyword in rng.sample(list(self.keywords), rng.randint(1, min(self.most, len(self.keywords)))):
            if depth or keyword not in _NESTING:
                found[keyword] = self.keywords[keyword](rng, depth)
        return found

    def whole(self, rng: random.Random) -> Schema:
        """Return a whole schema, with its definitions."""
        found = self.schema(rng)
        if self.loops and isinstance(found, dict):
            found["$defs"] = {name: self.definition(rng) for name in "GH"}
        return found

    def definition(self, rng: random.Random) -> Schema:
        """Return a schema that refers to definitions only below a member or an item, so that it ends with the value."""
        inner: Schema = {"$ref": f"#/$defs/{rng.choice('GH')}"}
        held: list[Schema] = [
            {"type": "object", "properties": {rng.choice("ab"): inner}},
            {"type": "object", "properties": {"a": inner, "b": inner}, "required": [rng.choice("ab")]},
            {"type": "object", "additionalProperties": inner, "maxProperties": rng.choice((1, 2))},
            {"type": "array", "items": inner, "minItems": rng.choice((0, 1))},
            {"type": "string"},
        ]
        found = rng.choice(held)
        if rng.random() < 0.3:
            found = {**found, "additionalProperties": False} if found["type"] == "object" else found
        return {"anyOf": [found, rng.choice(held)]} if rng.random() < 0.4 else found

    def edited(self, rng: random.Random, schema: Schema) -> Schema:
        """Return a schema with one edit at any depth."""
        changed = copy.deepcopy(schema)
        nodes = [node for node in _subschemas(changed) if node]
        if not nodes:
            return self.whole(rng)
        node = rng.choice(nodes)
        keyword = rng.choice([one for one in node if one != "$defs"] or [""])
        match rng.randrange(5):
            case 0 if keyword:
                del node[keyword]
            case 1 if isinstance(node.get(keyword), int | float) and not isinstance(node[keyword], bool):
                node[keyword] = max(node[keyword] + rng.choice((1, -1)), 0.5 if keyword == "multipleOf" else 0)
            case 2 if "$defs" not in node:
                body = dict(node)
                node.clear()
                node[rng.choice(("anyOf", "allOf"))] = [body, self.schema(rng, 0)]
            case _:
                added = rng.choice([one for one in self.keywords if one not in _NESTING] or list(self.keywords))
                node[added] = self.keywords[added](rng, 0)
        return changed

    def pair(self, rng: random.Random) -> tuple[Schema, Schema]:
        """Return an old and a new schema."""
        old = self.whole(rng)
        if not isinstance(old, dict) or rng.random() < 0.3:
            return old, self.whole(rng)
        new = self.edited(rng, old)
        while not _ends(new):
            new = self.edited(rng, old)
        return (old, new) if rng.random() < 0.5 else (new, old)


def _ends(schema: Schema) -> bool:
    """Whether no reference leads back to the value that it applies to, which JSON Schema leaves undefined."""
    try:
        for kind in (dict, list, str):
            Oracle(schema).accepts(kind())
    except RecursionError:
        return False
    return True


def _subschemas(schema: Schema) -> Iterator[dict[str, Any]]:
    """Return every schema in a schema that is an object, and anything that resembles one, which is seldom edited."""
    if not isinstance(schema, dict):
        return
    yield schema
    for keyword, held in schema.items():
        if keyword in ("properties", "patternProperties", "dependentSchemas", "$defs"):
            for part in held.values():
                yield from _subschemas(part)
        elif isinstance(held, list):
            for part in held:
                yield from _subschemas(part) if keyword in _LISTS else ()
        elif keyword in _NESTING:
            yield from _subschemas(held)


_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_NESTING = frozenset(
    (
        *_LISTS,
        "not",
        "if",
        "then",
        "else",
        "properties",
        "patternProperties",
        "additionalProperties",
        "propertyNames",
        "unevaluatedProperties",
        "unevaluatedItems",
        "contains",
        "dependentSchemas",
        "additionalItems",
    )
)


# The families


def _logic(child: Callable[[random.Random, int], Schema]) -> Keywords:
    def branches(rng: random.Random, depth: int) -> list[Schema]:
        return [child(rng, depth - 1) for _ in range(rng.choice((1, 2, 2, 3)))]

    return {
        **dict.fromkeys(("allOf", "anyOf", "oneOf"), branches),
        **dict.fromkeys(("not", "if", "then", "else"), lambda rng, depth: child(rng, depth - 1)),
    }


def _family(own: Keywords, *, types: tuple[str, ...] = (), most: int = 3, nested: bool = True) -> Family:
    family = Family(own, types=types, most=most)
    if nested:
        family.keywords = {**own, **_logic(family.schema)}
    return family


def _member(rng: random.Random, depth: int) -> Schema:
    """Return a schema for a member or an item."""
    options: list[Schema] = [
        {"type": "string"},
        {"type": "integer"},
        {"type": ["string", "null"]},
        {"const": "a"},
        {"enum": [1, "a"]},
        True,
        False,
        {"minimum": 1},
        {"type": "array", "items": {"type": "integer"}},
    ]
    return copy.deepcopy(rng.choice(options))


def _listed(rng: random.Random, depth: int) -> list[Value]:
    options: list[Value] = [*_SCALARS, [], [1], ["a", 1], {}, {"a": 1}, {"a": "b", "b": 1}]
    found: list[Value] = []
    for value in rng.sample(options, rng.randint(1, 4)):
        if not any(value == other and type(value) is type(other) for other in found):
            found.append(value)
    return found


def _map(rng: random.Random, depth: int) -> dict[str, Schema]:
    return {name: _member(rng, depth) for name in rng.sample(NAMES[:3], rng.randint(1, 2))}


def _pattern_map(rng: random.Random, depth: int) -> dict[str, Schema]:
    return {pattern: _member(rng, depth) for pattern in rng.sample(PATTERNS[:5], rng.randint(1, 2))}


def _required(rng: random.Random, depth: int) -> list[str]:
    return rng.sample(NAMES[:4], rng.randint(1, 2))


def _names(rng: random.Random, depth: int) -> Schema:
    return rng.choice(
        [
            {"pattern": rng.choice(PATTERNS)},
            {"maxLength": rng.choice((1, 2))},
            {"enum": rng.sample(NAMES, 2)},
            {"not": {"pattern": rng.choice(PATTERNS)}},
        ]
    )


_OBJECT: Keywords = {
    "properties": _map,
    "patternProperties": _pattern_map,
    "required": _required,
    "propertyNames": _names,
    "additionalProperties": _member,
    "minProperties": _one_of(_COUNTS),
    "maxProperties": _one_of(_COUNTS),
    "dependentRequired": lambda rng, depth: {rng.choice(NAMES[:3]): [rng.choice(NAMES[:4])]},
    "dependentSchemas": lambda rng, depth: {rng.choice(NAMES[:3]): {"properties": _map(rng, depth)}},
}
_ARRAY: Keywords = {
    "items": _member,
    "prefixItems": lambda rng, depth: [_member(rng, depth) for _ in range(rng.randint(1, 2))],
    "contains": _member,
    "minContains": _one_of(_COUNTS),
    "maxContains": _one_of(_COUNTS),
    "uniqueItems": _one_of((True,)),
    "minItems": _one_of(_COUNTS),
    "maxItems": _one_of(_COUNTS),
}
_OLD: Keywords = {
    "items": lambda rng, depth: [_member(rng, depth)] if rng.random() < 0.6 else _member(rng, depth),
    "additionalItems": _member,
    "contains": _member,
    "properties": _map,
    "required": _required,
    "additionalProperties": _member,
    "patternProperties": _pattern_map,
    "propertyNames": _names,
    "dependencies": lambda rng, depth: {
        rng.choice(NAMES[:3]): [rng.choice(NAMES)] if rng.random() < 0.5 else {"properties": _map(rng, depth)}
    },
    "minProperties": _one_of(_COUNTS),
    "maxItems": _one_of(_COUNTS),
    "const": _one_of(_SCALARS),
    "type": _one_of(_TYPES),
}


def _recursive() -> Family:
    return Family(
        {
            **_logic(lambda rng, depth: _LOOPS.schema(rng, depth)),
            "properties": _map,
            "required": _required,
            "additionalProperties": _member,
            "maxProperties": _one_of(_COUNTS),
        },
        types=("object",),
        loops=True,
    )


_LOOPS = _recursive()
FAMILIES: dict[str, Family] = {
    "numbers": _family(
        {
            **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _one_of(_NUMBERS)),
            "multipleOf": _one_of((1, 2, 3, 0.5, 1.5)),
            "enum": lambda rng, depth: rng.sample(_NUMBERS, 3),
        },
        types=("number", "integer"),
    ),
    "patterns": _family(
        {
            "pattern": _one_of(PATTERNS),
            "minLength": _one_of(_COUNTS),
            "maxLength": _one_of(_COUNTS),
            "enum": lambda rng, depth: rng.sample(["", "a", "b", "ab", "ba", "aab", "x-1"], 3),
        },
        types=("string",),
    ),
    "names": _family(
        {
            name: _OBJECT[name]
            for name in (
                "patternProperties",
                "propertyNames",
                "properties",
                "additionalProperties",
                "required",
                "minProperties",
            )
        },
        types=("object",),
    ),
    "arrays": _family(_ARRAY, types=("array",), most=4),
    "few_members": _family(
        {
            name: _OBJECT[name]
            for name in (
                "patternProperties",
                "propertyNames",
                "properties",
                "maxProperties",
                "minProperties",
                "required",
                "additionalProperties",
            )
        },
        types=("object",),
        most=4,
    ),
    "unevaluated_members": _family({**_OBJECT, "unevaluatedProperties": _member}, types=("object",)),
    "unevaluated_items": _family({**_ARRAY, "unevaluatedItems": _member}, types=("array",)),
    "recursion": _LOOPS,
    "listed": _family({"enum": _listed, "const": lambda rng, depth: _listed(rng, depth)[0], "type": _one_of(_TYPES)}),
    "combinators": _family(
        {
            "type": _one_of(_TYPES),
            "const": _one_of(_SCALARS),
            "minimum": _one_of(_NUMBERS),
            "maxLength": _one_of(_COUNTS),
            "required": _required,
            "maxItems": _one_of(_COUNTS),
        }
    ),
    "draft_7": _family(_OLD),
}
"""Every family by its name."""


def pair_of(family: str, seed: int) -> tuple[Schema, Schema]:
    """Return the pair of a seed."""
    rng = random.Random(f"{family} {seed}")
    old, new = FAMILIES[family].pair(rng)
    if family == "draft_7":
        old, new = ({"$schema": DRAFT_7, **schema} if isinstance(schema, dict) else schema for schema in (old, new))
    return old, new


# The attack


class Attacker:
    """Generates values that may distinguish two schemas: values of one, some with a small change."""

    def __init__(self, rng: random.Random, old: Schema, new: Schema) -> None:
        self._rng = rng
        self._sides = (old, new)
        found = {json.dumps(value): value for schema in self._sides for value in _constants(schema)}
        numbers = [one for one in found.values() if isinstance(one, int | float) and not isinstance(one, bool)]
        near = [one + step for one in numbers for step in (1, -1, 0.5)]
        self._scalars: list[Value] = [*_SCALARS, *(one for one in found.values() if not isinstance(one, list | dict))]
        self._scalars += near
        self._strings = [one for one in self._scalars if isinstance(one, str)] + ["bb", "aaa", "abab", "aXb", "z"]
        self._whole = [one for one in found.values() if isinstance(one, list | dict)]

    def values(self, count: int) -> list[Value]:
        """Return this number of distinct values."""
        found: dict[str, Value] = {}
        made: list[Value] = [*self._scalars, *self._whole, [], {}, {"z": 1}, ["z"]]
        for index in range(count):
            value = self._of(self._sides[index % 2], self._sides[index % 2], 5)
            made += (value, self._changed(copy.deepcopy(value)))
        for value in made:
            found.setdefault(json.dumps(value, sort_keys=True), value)
        return list(found.values())

    def _of(self, schema: Schema, root: Schema, depth: int) -> Value:
        """Return a value that matches a schema, judging by one look at each keyword."""
        rng = self._rng
        if not isinstance(schema, dict) or depth == 0 or rng.random() < 0.03:
            return rng.choice(self._scalars)
        if "$ref" in schema:
            return self._of(root[schema["$ref"].split("/")[1]][schema["$ref"].split("/")[2]], root, depth - 1)
        if "const" in schema and rng.random() < 0.8:
            return copy.deepcopy(schema["const"])
        if "enum" in schema and rng.random() < 0.8:
            return copy.deepcopy(rng.choice(schema["enum"]))
        parts = [part for keyword in ("allOf", "anyOf", "oneOf") for part in schema.get(keyword, ())]
        parts += [schema[keyword] for keyword in ("if", "then", "else", "not") if keyword in schema]
        inner = self._of(rng.choice(parts), root, depth - 1) if parts and rng.random() < 0.7 else None
        stated = schema.get("type")
        kind = rng.choice(stated) if isinstance(stated, list) else stated
        if kind is None:
            if parts and rng.random() < 0.7:
                return inner
            kind = rng.choice([keyword for keyword in schema if keyword in _KINDS] or ["type"])
            kind = _KINDS.get(kind) or rng.choice(_TYPES)
        if kind == "object":
            return self._object(schema, root, depth, inner if isinstance(inner, dict) else {})
        if kind == "array":
            return self._array(schema, root, depth, inner if isinstance(inner, list) else [])
        if kind == "string":
            return rng.choice(self._strings)
        if kind in ("number", "integer"):
            return rng.choice([one for one in self._scalars if isinstance(one, int | float) and one is not True])
        return rng.choice((True, False)) if kind == "boolean" else None

    def _object(self, schema: Schema, root: Schema, depth: int, inner: dict[str, Any]) -> dict[str, Any]:
        rng = self._rng
        found = dict(inner)
        rest = schema.get("additionalProperties", schema.get("unevaluatedProperties", True))
        for name in schema.get("required", ()):
            found.setdefault(name, self._of(schema.get("properties", {}).get(name, rest), root, depth - 1))
        for name, part in schema.get("properties", {}).items():
            if rng.random() < 0.5:
                found[name] = self._of(part, root, depth - 1)
        for _ in range(rng.choice((0, 0, 1, schema.get("minProperties", 1), schema.get("maxProperties", 2)))):
            name = rng.choice((*NAMES, "bb", "z", "aa", "x-1", "extra"))
            parts = [*schema.get("patternProperties", {}).values(), rest]
            found.setdefault(name, self._of(rng.choice(parts), root, depth - 1))
        return found

    def _array(self, schema: Schema, root: Schema, depth: int, inner: list[Any]) -> list[Any]:
        rng = self._rng
        found = list(inner)
        items = schema.get("items", True)
        prefix = items if isinstance(items, list) else schema.get("prefixItems", ())
        rest = schema.get("additionalItems", True) if isinstance(items, list) else items
        sizes = [0, 1, 2, 3, schema.get("minItems", 1), schema.get("maxItems", 1) + 1, len(prefix)]
        for index in range(len(found), rng.choice(sizes)):
            parts = [prefix[index]] if index < len(prefix) else [rest]
            parts += [schema["contains"]] if "contains" in schema else []
            found.append(self._of(rng.choice(parts), root, depth - 1))
        return found

    def _changed(self, value: Value) -> Value:
        """Return a value with one small change."""
        rng = self._rng
        holders = [one for one in _holders(value) if one]
        if not holders:
            return {rng.choice(NAMES): value} if rng.random() < 0.5 else [value]
        holder = rng.choice(holders)
        other = copy.deepcopy(rng.choice([*self._scalars, *self._whole]))
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
        match rng.randrange(4):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[rng.choice((*NAMES, "bb", "z"))] = holder.pop(key)
            case 2 if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[key]))
            case _:
                holder[key] = other
        return value


_KINDS = {
    **dict.fromkeys(
        (
            "properties",
            "required",
            "patternProperties",
            "propertyNames",
            "additionalProperties",
            "minProperties",
            "maxProperties",
            "unevaluatedProperties",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
        ),
        "object",
    ),
    **dict.fromkeys(
        (
            "items",
            "prefixItems",
            "contains",
            "minItems",
            "maxItems",
            "uniqueItems",
            "unevaluatedItems",
            "additionalItems",
        ),
        "array",
    ),
    **dict.fromkeys(("pattern", "minLength", "maxLength"), "string"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "number"),
}


def _constants(schema: Schema) -> Iterator[Value]:
    if isinstance(schema, dict):
        for keyword, held in schema.items():
            if keyword == "enum":
                yield from held
            elif keyword == "const" or isinstance(held, int | float):
                yield held
            else:
                yield from _constants(held)
    elif isinstance(schema, list):
        for part in schema:
            yield from _constants(part)


def _holders(value: Value) -> Iterator[Any]:
    if isinstance(value, dict | list):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _holders(inner)


# The run


def family_problems(name: str, seeds: range, counts: Counter[str], *, values: int = 60) -> Iterator[Problem]:
    """Return the faults in the answers and verdicts on the pairs of some seeds."""
    for seed in seeds:
        old, new = pair_of(name, seed)
        attacking = Attacker(random.Random(seed), old, new).values(values)
        try:
            pair = (Judged(old, attacking), Judged(new, attacking))
        except RecursionError:  # an edit made a reference lead to itself, which has no meaning
            counts["endless"] += 1
            continue
        for problem in problems(f"{name} {seed}", [pair], counts, verdicts=True):
            yield problem._replace(told=f"{problem.world}: {problem.told}")


def _run(name: str, seeds: range) -> tuple[list[Problem], Counter[str]]:
    counts: Counter[str] = Counter()
    return list(family_problems(name, seeds, counts)), counts


def main() -> int:
    """Attack, and print the problems."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", action="append", choices=FAMILIES, help="one family (default: all)")
    parser.add_argument("--runs", type=int, default=2000, help="how many pairs of each family")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    failed = 0
    total: Counter[str] = Counter()
    step, end = max(options.runs // 8, 1), options.seed + options.runs
    with ProcessPoolExecutor(options.jobs) as pool:
        for name in options.family or FAMILIES:
            parts = [range(at, min(at + step, end)) for at in range(options.seed, end, step)]
            failed += told(name, [pool.submit(_run, name, part) for part in parts], total)
    pairs, unknown = total["pairs"], total["unknown"]
    print(f"{pairs} pairs, {failed} problems, {unknown} of {4 * pairs} answers unknown")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
