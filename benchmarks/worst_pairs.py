"""`python -m benchmarks.worst_pairs [WORD]`: the slowest known pairs of schemas, with their steps and ratios.

Each is smaller than 1 MB. The floor is compiling both schemas. No pair may take more than about ten seconds.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

from mcp_contracts.changes.questions import COMPARISON_STEPS
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.validation.validators import compile_schema

Schema = dict[str, Any]
Pair = tuple[Schema, Schema]

_ENOUGH = 1_000_000_000


def an_object(count: int, member: Callable[[int], Any], **more: Any) -> Schema:
    """Return the schema of an object with some properties."""
    return {"type": "object", "properties": {f"p{index}": member(index) for index in range(count)}, **more}


def _wide(count: int, one: Schema, other: Schema) -> Pair:
    return an_object(count, lambda _: one), an_object(count, lambda _: other)


def _tree(depth: int, leaf: Schema, **more: Any) -> Schema:
    if depth == 0:
        return leaf
    return an_object(2, lambda _: _tree(depth - 1, leaf, **more), **more)


def _patterns(count: int, repeated: int) -> Schema:
    return {
        "type": "object",
        "patternProperties": {f"^(a|b)*{index}(a|b){{{repeated}}}$": {"minimum": index} for index in range(count)},
    }


def _branches(keyword: str, count: int, shift: int) -> Schema:
    return {
        keyword: [
            {"type": "object", "properties": {"kind": {"const": index}, f"p{index}": {"minimum": index + shift}}}
            for index in range(count)
        ]
    }


def _references(levels: int, width: int, leaf: Schema, keyword: str) -> Schema:
    definitions: Schema = {f"d{levels}": leaf}
    for level in range(levels):
        below = {"$ref": f"#/$defs/d{level + 1}"}
        held: Any = [dict(below) for _ in range(width)]
        if keyword == "properties":
            held = {f"p{index}": dict(below) for index in range(width)}
        definitions[f"d{level}"] = {keyword: held}
    return {"$ref": "#/$defs/d0", "$defs": definitions}


def _nested_branches(depth: int, width: int, leaf: Schema, path: str = "p") -> Schema:
    if depth == 0:
        return {"properties": {path: leaf}}
    below = [_nested_branches(depth - 1, width, leaf, f"{path}{index}") for index in range(width)]
    return {"type": "object", "anyOf": below, "unevaluatedProperties": False}


def _chain(depth: int, leaf: Schema) -> Schema:
    schema = leaf
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def _unions(depth: int, leaf: Schema) -> Schema:
    """Arrays of unions, or one of three objects that contain them: four times as many at each level."""
    if depth == 0:
        return leaf
    below = [_unions(depth - 1, leaf) for _ in range(4)]
    held = [{"type": "object", "properties": {f"k{n}": below[n]}, "required": [f"k{n}"]} for n in range(1, 4)]
    return {"anyOf": [{"type": "array", "items": below[0]}, {"oneOf": held}]}


def _cycle(count: int, leaf: Schema) -> Schema:
    """Definitions that each consist of the next one and refer to one far away."""
    to = [{"$ref": f"#/$defs/d{n % count}"} for n in range(2 * count)]
    definitions = {
        f"d{n}": {"allOf": [to[n + 1]], "properties": {f"k{n}": to[n + count // 2]}} for n in range(count - 1)
    }
    return {
        "type": "object",
        "$ref": "#/$defs/d0",
        "$defs": {**definitions, f"d{count - 1}": an_object(1, lambda _: leaf)},
    }


def _conditions(count: int, **more: Schema) -> Schema:
    """Return an object whose value of `a` requires one property, and forbids the others."""
    conditions = [
        {
            "if": {"properties": {"a": {"const": index}}},
            "then": {"required": [f"r{index}"]},
            "else": {"not": {"required": [f"r{index}"]}},
        }
        for index in range(count)
    ]
    return {"type": "object", "properties": {"a": True, **more}, "allOf": conditions}


def pairs() -> dict[str, Callable[[], Pair]]:
    """Return the pairs by name, each created on demand."""
    text, number, whole = {"type": "string"}, {"type": "number"}, {"type": "integer"}
    short, shorter = {"type": "string", "maxLength": 20}, {"type": "string", "maxLength": 10}
    return {
        "20,000 properties, other types": lambda: _wide(20_000, text, number),
        "20,000 properties, wider types": lambda: _wide(20_000, whole, number),
        "5,000 properties, other types": lambda: _wide(5_000, text, number),
        "5,000 properties, narrower": lambda: _wide(5_000, short, shorter),
        "5,000 properties, wider": lambda: _wide(5_000, shorter, short),
        "2,000 properties, narrower": lambda: _wide(2_000, short, shorter),
        "300 properties, narrower": lambda: _wide(300, short, shorter),
        "20,000 properties gone": lambda: (an_object(20_000, lambda _: text), an_object(0, lambda _: text)),
        "20,000 properties new": lambda: (an_object(0, lambda _: text), an_object(20_000, lambda _: text)),
        "20,000 properties renamed": lambda: (
            an_object(20_000, lambda _: text),
            {"type": "object", "properties": {f"q{index}": text for index in range(20_000)}},
        ),
        "20,000 properties required": lambda: (
            an_object(20_000, lambda _: text),
            an_object(20_000, lambda _: text, required=[f"p{index}" for index in range(20_000)]),
        ),
        "20,000 properties with new descriptions": lambda: (
            an_object(20_000, lambda index: {**text, "description": f"a {index}"}),
            an_object(20_000, lambda index: {**text, "description": f"b {index}"}),
        ),
        "a tree of 2,047, narrower": lambda: (_tree(10, short), _tree(10, shorter)),
        "a tree of 2,047, wider": lambda: (_tree(10, shorter), _tree(10, short)),
        "a tree of 8,191, narrower": lambda: (_tree(12, short), _tree(12, shorter)),
        "a tree of 8,191, closed": lambda: (_tree(12, text), _tree(12, text, additionalProperties=False)),
        "a tree of 8,191, opened": lambda: (_tree(12, text, additionalProperties=False), _tree(12, text)),
        "forty patterns": lambda: (_patterns(40, 5), _patterns(40, 6)),
        "300 patterns": lambda: (_patterns(300, 5), _patterns(300, 6)),
        "1,000 branches of `anyOf`": lambda: (_branches("anyOf", 1_000, 0), _branches("anyOf", 1_000, 1)),
        "1,000 branches of `oneOf`": lambda: (_branches("oneOf", 1_000, 0), _branches("oneOf", 1_000, 1)),
        "5,000 branches of `anyOf`": lambda: (_branches("anyOf", 5_000, 0), _branches("anyOf", 5_000, 1)),
        "1,000 branches of `allOf`": lambda: (_branches("allOf", 1_000, 0), _branches("allOf", 1_000, 1)),
        "7,776 closed branches within each other": lambda: (
            _nested_branches(5, 6, short),
            _nested_branches(5, 6, shorter),
        ),
        "60 lists of 300 objects": lambda: (
            an_object(60, lambda n: {"enum": [{"a": index, "k": n} for index in range(300)]}),
            an_object(60, lambda n: {"enum": [{"a": index, "k": n} for index in range(1, 300)]}),
        ),
        "references, `allOf`": lambda: (
            _references(12, 10, shorter, "allOf"),
            _references(12, 10, short, "allOf"),
        ),
        "references, `anyOf`": lambda: (
            _references(12, 10, short, "anyOf"),
            _references(12, 10, shorter, "anyOf"),
        ),
        "references, `properties`": lambda: (
            _references(12, 10, short, "properties"),
            _references(12, 10, shorter, "properties"),
        ),
        "2,000 references, `properties`": lambda: (
            _references(200, 10, short, "properties"),
            _references(200, 10, shorter, "properties"),
        ),
        "100,000 listed values": lambda: (
            {"enum": [f"v{index}" for index in range(80_000)]},
            {"enum": [f"v{index}" for index in range(1, 80_000)]},
        ),
        "30,000 listed objects": lambda: (
            {"enum": [{"a": index} for index in range(60_000)]},
            {"enum": [{"a": index} for index in range(1, 60_000)]},
        ),
        "a chain of 120": lambda: (_chain(120, short), _chain(120, shorter)),
        "10,000 names required": lambda: (
            {"type": "object", "required": [f"p{index}" for index in range(60_000)]},
            {"type": "object", "required": [f"p{index}" for index in range(1, 60_001)]},
        ),
        "dependencies of 3,000 names": lambda: (
            {"type": "object", "dependentRequired": {f"p{n}": [f"p{n + 1}"] for n in range(3_000)}},
            {"type": "object", "dependentRequired": {f"p{n}": [f"p{n + 2}"] for n in range(3_000)}},
        ),
        "3,000 conditions": lambda: (
            {"allOf": [{"if": {"required": [f"p{n}"]}, "then": {"required": [f"q{n}"]}} for n in range(3_000)]},
            {"allOf": [{"if": {"required": [f"p{n}"]}, "then": {"required": [f"r{n}"]}} for n in range(3_000)]},
        ),
        "a list of 5,000 items by position": lambda: (
            {"type": "array", "prefixItems": [short] * 5_000},
            {"type": "array", "prefixItems": [shorter] * 5_000},
        ),
        "2,000 wide objects": lambda: (
            an_object(500, lambda _: an_object(30, lambda _: short)),
            an_object(500, lambda _: an_object(30, lambda _: shorter)),
        ),
        "800 arrays of objects": lambda: (
            an_object(800, lambda _: {"type": "array", "items": an_object(5, lambda _: short, required=["p0"])}),
            an_object(800, lambda _: {"type": "array", "items": an_object(5, lambda _: shorter, required=["p1"])}),
        ),
        "2,000 patterns of strings": lambda: (
            an_object(2_000, lambda n: {"type": "string", "pattern": f"^[a-z]{{{n % 40}}}[0-9]+$"}),
            an_object(2_000, lambda n: {"type": "string", "pattern": f"^[a-z]{{{n % 40}}}[0-9]*$"}),
        ),
        "a large constant and 500 changes": lambda: (
            {**an_object(1, lambda _: {"const": list(range(60_000))}), "required": [f"r{n}" for n in range(500)]},
            an_object(1, lambda _: {"type": "string", "maxLength": 3}),
        ),
        "500 patterns of names": lambda: (
            {"type": "object", "patternProperties": {f"p.*{n}x?": {"minimum": n} for n in range(500)}},
            {"type": "object", "patternProperties": {f"p.*{n}x?": {"minimum": n + 1} for n in range(500)}},
        ),
        "1,500 patterns of names": lambda: (
            {"type": "object", "patternProperties": {f"a.*{n}$": text for n in range(1_500)}},
            {"type": "object", "patternProperties": {f"a.*{n}$": whole for n in range(1_500)}},
        ),
        "names that each depend on two others": lambda: (
            {"type": "object", "dependentRequired": {f"p{n}": [f"q{n}", f"r{n}"] for n in range(14_000)}},
            {"type": "object", "dependentRequired": {f"p{n}": [f"q{n}", f"r{n + 1}"] for n in range(14_000)}},
        ),
        "unions of unions": lambda: (_unions(6, {"minLength": 3}), _unions(6, {"minLength": 4})),
        "a cycle of 200 definitions": lambda: (_cycle(200, short), _cycle(200, shorter)),
        "2,000 unions": lambda: (
            an_object(2_000, lambda n: {"anyOf": [{"type": "string", "minLength": n}, {"type": "null"}]}),
            an_object(2_000, lambda n: {"anyOf": [{"type": "string", "minLength": n + 1}, {"type": "null"}]}),
        ),
        "100,000 integers and a range": lambda: (
            {"enum": list(range(100_000))},
            {"type": "integer", "minimum": 0, "maximum": 99_998},
        ),
        "a ring of 300 dependent schemas": lambda: (
            {"type": "object", "dependentSchemas": {f"p{n}": {"required": [f"p{(n + 1) % 300}"]} for n in range(300)}},
            {"type": "object", "dependentSchemas": {f"p{n}": {"required": [f"p{(n + 7) % 300}"]} for n in range(300)}},
        ),
        "400 conditions": lambda: (_conditions(400), _conditions(400, zz=text)),
        "300 different items": lambda: (
            {"type": "array", "uniqueItems": True, "items": {"enum": list(range(300))}, "minItems": 1},
            {"type": "array", "maxItems": 299},
        ),
        "3,000 closed objects": lambda: (
            an_object(3_000, lambda n: an_object(3, lambda _: short, additionalProperties=False)),
            an_object(3_000, lambda n: an_object(3, lambda _: shorter, unevaluatedProperties=False)),
        ),
    }


def main(word: str = "") -> None:
    """Print a row for each pair and policy."""
    print(f"{'pair':<38}{'policy':<10}{'KB':>6}{'verdict':>12}{'changes':>9}{'steps':>8}{'seconds':>9}{'ratio':>9}")
    for name, made in pairs().items():
        if word not in name:
            continue
        old, new = made()
        size = len(json.dumps(old)) + len(json.dumps(new))
        begun = time.process_time()
        compile_schema(old)
        compile_schema(new)
        floor = time.process_time() - begun
        for policy in ("declared", "sets", "strict"):
            for direction in ("input", "output"):
                budget = Budget(COMPARISON_STEPS)
                begun = time.process_time()
                found = compare_schemas(old, new, policy=policy, direction=direction, budget=budget)
                seconds = time.process_time() - begun
                print(
                    f"{name:<38}{policy:<10}{size // 1000:>6}{found.verdict:>12}{len(found.changes):>9}"
                    f"{budget.spent:>8.0f}{seconds:>9.2f}{seconds / floor:>9.0f}",
                    flush=True,
                )
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main(*sys.argv[1:2])
