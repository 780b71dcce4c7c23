"""A part of the exact law that `make fuzz` checks for every pair of every world, and its judge."""

from __future__ import annotations

import random
from collections import Counter

import jsonschema
import jsonschema_rs
import pytest

from tests.proofs.exact import Judged, overlap_problem, problems
from tests.proofs.oracle import Names, Oracle
from tests.proofs.worlds import WORLDS
from tests.sweeps import size, sweep
from tests.tables import each

SCHEMAS, VALUES = 12, 10
MOST, PAIRS, JUDGED_PAIRS, TRIPLES = size(40, 4), size(600, 20), size(10, 10), size(300, 10)


@each("name", WORLDS)
def test_the_oracle_agrees_with_two_validators(name: str) -> None:
    rng = random.Random(1)
    world = WORLDS[name]()

    for schema in rng.sample(world.schemas, SCHEMAS):
        oracle = Oracle(schema)
        first, second = jsonschema_rs.Draft202012Validator, jsonschema.Draft202012Validator
        if oracle.is_draft_7:
            first, second = jsonschema_rs.Draft7Validator, jsonschema.Draft7Validator  # type: ignore[assignment]
        validators = (first(schema, validate_formats=False), second(schema))
        for value in rng.sample(world.values, min(VALUES, len(world.values))):
            said = {oracle.accepts(value), *(validator.is_valid(value) for validator in validators)}
            assert len(said) == 1, (schema, value)


@sweep
@pytest.mark.parametrize("name", WORLDS)
def test_no_value_contradicts_an_answer_or_a_verdict(name: str) -> None:
    rng = random.Random(1)
    world = WORLDS[name]()
    schemas = [Judged(schema, world.values) for schema in rng.sample(world.schemas, MOST)]
    counts: Counter[str] = Counter()

    pairs = [(rng.choice(schemas), rng.choice(schemas)) for _ in range(PAIRS)]
    found = [*problems(name, pairs[JUDGED_PAIRS:], counts, verdicts=False)]
    found += problems(name, pairs[:JUDGED_PAIRS], counts, verdicts=True)
    triples = [rng.sample(schemas, 3) for _ in range(TRIPLES)]
    triples += [[one, one, Judged(False, world.values)] for one in schemas]
    wrong = [
        ([one.schema for one in (*two, new)], told)
        for *two, new in triples
        if (told := overlap_problem(two, new, counts)) is not None
    ]

    assert found == []
    assert wrong == []
    assert counts["no, by a value that the world has not"] * 40 <= counts["no"]
    assert counts["unknown"] * 100 <= sum(counts[answer] for answer in ("yes", "no", "unknown"))


def test_what_a_caller_sends_and_a_consumer_reads_is_of_declared_names() -> None:
    names = Names(
        Oracle(
            {
                "properties": {"a": {"properties": {"b": True}}},
                "patternProperties": {"^x-": {"additionalProperties": {"type": "string"}}},
                "anyOf": [{"properties": {"c": True}}],
            }
        )
    )

    value = {"a": {"b": 1, "z": 1}, "x-1": {"any": "s"}, "c": [{"d": 1}], "e": 1}

    assert names.read(value) == {"a": {"b": 1}, "x-1": {"any": "s"}, "c": [{}]}
    assert not names.are_sent(value)
    assert names.are_sent(names.read(value))
