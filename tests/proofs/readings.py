"""An exact law of the policy `declared`: what callers send and consumers read, computed on values, not schemas.

The oracle drops undeclared names from a value, and a validator judges the result. `python -m tests.proofs.readings`
compares this with the readings of every schema, the suite with those of some.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import jsonschema_rs

from mcp_contracts.comparison.declared.policy import as_callers_send, as_consumers_read
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.walk import subschemas
from tests.proofs.oracle import DRAFT_7, Names, Oracle
from tests.proofs.worlds import TEXT, WHOLE, Options, arrays, objects, written

Schema = Any
Value = Any

# What is read

_ASKING: Schema = {"required": ["a"]}
_CLOSED: Schema = {"properties": {"b": TEXT}, "additionalProperties": False}
_IN_A: Schema = {"properties": {"a": _CLOSED}, "required": ["a"]}
_LOOP: Schema = {"properties": {"a": {"$ref": "#/$defs/d"}}, "additionalProperties": False}
_COUNTED: Schema = {"patternProperties": {"b$": True}, "maxProperties": 1}
"""Keywords that cannot be read exactly; next to a rejection, everything is read with two bounds."""
_COMMON: Options = {
    "type": ["object", "array"],
    "properties": [{"a": _ASKING}, {"a": _CLOSED, "b": TEXT}, {"b": {}}, {"a": {"maxProperties": 0}}, {"a": False}],
    "required": [["a"], ["ab"]],
    "patternProperties": [
        {"^a": _ASKING},
        {"^a": {"minProperties": 1}, "b$": _ASKING},
        {"b$": _CLOSED, "^a": True},
        {"^a": False},
        {"b$": WHOLE},
        {"^a(?!c)": {"minProperties": 1}, "b$": _ASKING},  # cannot be distinguished
    ],
    "additionalProperties": [False, True, {"title": "any"}, _CLOSED, TEXT],
    "propertyNames": [{"maxLength": 1}, {"enum": ["a", "b"]}],
    "minProperties": [0, 1, 2],
    "maxProperties": [0, 1],
    "dependencies": [{"a": ["ab"]}, {"b": _ASKING}, {"a": _CLOSED}],
    "contains": [_ASKING, _CLOSED, _COUNTED, {"minProperties": 1}, {"type": "object", "maxProperties": 0}],
    "uniqueItems": [True],
    "maxItems": [1],
    "const": [{"a": {"b": 1}}, [{"a": 1}, {}]],
    "enum": [["s", 1], [{"b": "s"}, "s"], [{"a": 1, "b": {}}, {}]],
    "not": [
        _ASKING,
        _CLOSED,
        _COUNTED,
        {"items": _CLOSED},
        {"properties": {"a": {"uniqueItems": True}}},
        {"patternProperties": {"b$": _ASKING}},
        {"properties": {"a": {}}, "patternProperties": {"b$": {}}, "additionalProperties": _CLOSED},
    ],
    "allOf": [
        [_CLOSED, {"required": ["ab"]}],
        [{"items": _CLOSED}, {"items": _ASKING}],
        [{"patternProperties": {"b$": _CLOSED}}, {"properties": {"b": {}}, "additionalProperties": _ASKING}],
    ],
    "anyOf": [[_ASKING, _CLOSED], [{"type": "array", "items": _CLOSED}, _ASKING]],
    "oneOf": [[_ASKING, _CLOSED], [{"properties": {"a": _ASKING}}, {"required": ["b"]}], [_COUNTED, _ASKING]],
    "if": [_ASKING, _IN_A, _COUNTED],
    "then": [_CLOSED, {"required": ["b"]}],
    "else": [{"items": _CLOSED}, {"maxProperties": 0}],
}
_NEW: Options = {
    **_COMMON,
    "allOf": [
        *_COMMON["allOf"],
        [{"contains": _CLOSED, "maxContains": 1}],
        [{"contains": _COUNTED, "maxContains": 1, "minContains": 0}],
    ],
    "unevaluatedProperties": [False, _CLOSED, True],
    "dependentRequired": [{"a": ["b"]}, {"a": ["ab"]}, {"ab": ["a"]}],
    "dependentSchemas": [{"a": _CLOSED}, {"b": _ASKING}],
    "prefixItems": [[_ASKING], [TEXT, _CLOSED]],
    "items": [_ASKING, _CLOSED, False],
    "minContains": [0, 2],
    "maxContains": [0, 1],
    "unevaluatedItems": [_CLOSED, False],
    "$ref": ["#/$defs/d"],
}
_OLD: Options = {
    **_COMMON,
    "items": [_ASKING, _CLOSED, [_ASKING], [TEXT, _CLOSED], False],
    "additionalItems": [_CLOSED, False],
    "$ref": ["#/$defs/d"],
}
_HELD: dict[str, Any] = {"$defs": {"d": _LOOP}}


PLACES: dict[str, Callable[[Schema], dict[str, Any]]] = {
    "whole": lambda schema: {**schema},
    "refused": lambda schema: {"not": schema},
    "refused of what is declared": lambda schema: {"not": schema, "properties": {"a": {}, "b": {}}},
    "exclusive": lambda schema: {"oneOf": [schema, {"required": ["b"]}]},
    "member": lambda schema: {"properties": {"a": schema, "b": {}}, "additionalProperties": False},
    "items": lambda schema: {"items": schema, "not": {"items": _ASKING}},
    "bounded": lambda schema: {"allOf": [schema, {"anyOf": [_COUNTED, {"not": _ASKING}]}]},
    "bounded and refused": lambda schema: {"not": schema, "anyOf": [_COUNTED, _IN_A]},
}
"""The places of a schema with few keywords in a larger one."""


@cache
def schemas(place: str, most: int = 2) -> tuple[Schema, ...]:
    """Yield every schema with at most this number of keywords, in both dialects, at a place of a larger one."""
    return tuple(
        PLACES[place](schema) | more
        for options, more in ((_NEW, _HELD), (_OLD, _HELD | {"$schema": DRAFT_7}))
        for schema in written(options, most)
    )


@cache
def values() -> tuple[Value, ...]:
    """Return values with declared and undeclared names, three levels deep."""
    inner: list[Value] = ["s", 1, {}, {"a": 1}, {"b": "s"}, {"b": "s", "z": 1}, {"a": {"z": 1}}, [], [{"z": 1}]]
    found = ["s", *inner[2:], *objects(("a", "b", "ab", "z"), inner, 1)]
    found += objects(("a", "b", "ab", "z"), ("s", 1, {"b": "s", "z": 1}), 2)
    found += arrays(("s", {"a": 1}, {"b": "s", "z": 1}, {"z": 1}, {"a": {"z": 1}}, [{"z": 1}]), 2)
    found += [{"a": 1, "b": "s", "ab": {}, "z": 1}, {"a": {"b": "s"}, "b": "s", "ab": {}}, [{"a": 1}, {"z": 1}, "s"]]
    return tuple({repr(value): value for value in found}.values())


# The law


def _judge(schema: Schema, root: Schema) -> Any:
    is_draft_7 = isinstance(root, dict) and "$schema" in root
    kind = jsonschema_rs.Draft7Validator if is_draft_7 else jsonschema_rs.Draft202012Validator
    return kind(schema, validate_formats=False).is_valid


def problems(schema: Schema, some: Iterable[Value], counts: Counter[str]) -> Iterator[str]:
    """Yield the faults in the readings of a schema. `counts` counts the exact and the changing ones."""
    accepts, projected = _judge(schema, schema), Names(Oracle(schema)).read
    known = [(value, projected(value)) for value in some]
    yield from _misjudged_names(schema, known)
    for read, expected in (
        (as_callers_send, [accepts(value) and value == kept for value, kept in known]),
        (as_consumers_read, [accepts(value) or accepts(kept) for value, kept in known]),
    ):
        name = read.__name__
        found = read(schema)
        counts[f"{name}: unchanged"] += found.schema is schema
        counts[f"{name}: inexact"] += bool(found.inexact)
        yield from (f"{name}: {told}" for told in _misplaced(schema, found))
        said = list(map(_judge(found.schema, schema), (value for value, _ in known)))
        proves = list(map(_judge(found.proving, schema), (value for value, _ in known))) if found.inexact else said
        counts[f"{name}: too narrow or too wide"] += said != expected
        counts[f"{name}: too narrow or too wide to prove"] += proves != expected
        is_caller = read is as_callers_send
        for (value, _), one, other, right in zip(known, said, proves, expected, strict=True):
            least, most = (one, other) if is_caller else (other, one)
            if not least <= right <= most or (not found.inexact and one != right):
                yield f"{name}: {value!r} is {right}, said {one}, proved by {other}"


def _misjudged_names(schema: Schema, known: list[tuple[Value, Value]]) -> Iterator[str]:
    """Yield the faults where names are judged apart: others may pass only if the schema rejects the value anyway."""
    found = as_callers_send(schema, is_judged_apart=True)
    accepts, says = _judge(schema, schema), _judge(found.schema, schema)
    for value, kept in known:
        is_right = value == kept or not accepts(kept) if says(value) else value != kept or found.inexact
        if not is_right:
            yield f"names alone: {value!r}, read as {kept!r}"


def _misplaced(schema: Schema, found: Any) -> Iterator[str]:
    """Yield the places that a reading reports but the schema lacks."""
    for pointer in found.inexact:
        holder, _, keyword = pointer.rpartition("/")
        if pointer and keyword not in (follow(schema, holder) or ()):  # type: ignore[operator]
            yield f"{pointer} is inexact, and is not there"
    for one in (found.schema, found.proving):
        for node in subschemas(one):
            origin = node.value.get("x-origin")
            if isinstance(origin, str) and not isinstance(follow(schema, origin), dict):
                yield f"{origin} is an origin, and is not there"


def main() -> int:
    """Compare the readings of all schemas, and print the problems."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=10_000, help="how many schemas of each place")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = 0
    for place in PLACES:
        chosen = random.Random(options.seed).sample(schemas(place), min(options.most, len(schemas(place))))
        counts: Counter[str] = Counter()
        for schema in chosen:
            found = list(problems(schema, values(), counts))
            failed += bool(found)
            for told in found[:3]:
                print(f"{told}\n  {schema!r}")
        print(f"{place}: {len(chosen)} schemas, {dict(sorted(counts.items()))}", flush=True)
    print(f"{failed} schemas with problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
