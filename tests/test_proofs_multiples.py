"""The exact law over multiples of fractions where doubles are coarse: no validator contradicts a verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import jsonschema
import jsonschema_rs

from mcp_contracts import compare_schemas
from mcp_contracts.change import Verdict
from mcp_contracts.inclusion.decision import inclusion
from tests.sweeps import share, sweep
from tests.tables import each

STEPS = (0.01, 0.1, 0.05, 0.7, 1e-6, 2.5, 7, 1e16)
LIMITS = (10**13, 10**17, 1e22)


def edges() -> Iterator[Any]:
    """Yield integers and doubles at the limits and at the multiples of 2**53."""
    for limit in (0, *LIMITS, *(int(step * 2**53) for step in STEPS), 10**30):
        for number in (limit, -limit):
            yield from (int(number) + offset for offset in (-7, -2, -1, 0, 1, 3, 7))
            double = float(number)
            yield from (double, math.nextafter(double, math.inf), math.nextafter(double, -math.inf))
            yield from (double + offset for offset in (0.1, 0.25, 0.5, 0.7))


VALUES = list(edges())


def bounds() -> Iterator[dict[str, Any]]:
    yield {}
    yield {"type": "integer"}
    for limit in LIMITS:
        yield {"maximum": limit}
        yield {"exclusiveMinimum": limit}
        yield {"minimum": -limit}
        yield {"minimum": 0, "exclusiveMaximum": 2 * limit}


def accepted(schema: dict[str, Any]) -> list[tuple[bool, bool]]:
    """Return what the two validators say about each value."""
    first, second = jsonschema_rs.Draft202012Validator(schema), jsonschema.Draft202012Validator(schema)
    return [(first.is_valid(value), second.is_valid(value)) for value in VALUES]


def disputes(before: list[tuple[bool, bool]], after: list[tuple[bool, bool]]) -> Iterator[Any]:
    """Yield the values that a validator accepts before and rejects after.

    Up to 2**53, a value counts only if both do, because jsonschema rejects 19.99 as a multiple of 0.01.
    """
    for value, (one, other), (one_after, other_after) in zip(VALUES, before, after, strict=True):
        lost = (one and not one_after, other and not other_after)
        if all(lost) or (abs(value) > 2**53 and any(lost)):
            yield value


def contradictions(schemas: list[dict[str, Any]]) -> Iterator[tuple[Any, ...]]:
    said = [accepted(schema) for schema in schemas]
    pairs = list(product(zip(schemas, said, strict=True), repeat=2))
    for (old, before), (new, after) in share(pairs, 11):
        answer = inclusion(old, new)
        if answer.answer == "yes" and (lost := next(disputes(before, after), None)) is not None:
            yield old, new, lost


@sweep
@each("step", STEPS)
def test_no_value_contradicts_a_proof_about_one_step(step: float) -> None:
    schemas = [{"type": "number", "multipleOf": step, **bound} for bound in bounds()]

    assert list(contradictions(schemas)) == []


@sweep
@each("bound", list(bounds()))
def test_no_value_contradicts_a_proof_about_two_steps(bound: dict[str, Any]) -> None:
    schemas = [{"type": "number", **bound, **more} for more in ({}, *({"multipleOf": step} for step in STEPS))]

    assert list(contradictions(schemas)) == []


@each("step, limit", list(product((0.01, 0.1, 0.05, 0.001, 1e-6), ({"maximum": 10**15}, {"minimum": -(10**15)}))))
def test_a_limit_among_coarse_doubles_breaks(step: float, limit: dict[str, Any]) -> None:
    old = {"type": "number", "multipleOf": step}

    comparison = compare_schemas(old, {**old, **limit}, policy="sets")

    assert comparison.verdict is Verdict.BREAKING


@each("step", [0.01, 0.7, 7])
def test_equal_steps_are_still_compatible(step: float) -> None:
    old = {"type": "number", "multipleOf": step, "maximum": 10**16}

    assert compare_schemas(old, {**old, "maximum": 10**17}, policy="sets").verdict is Verdict.COMPATIBLE
