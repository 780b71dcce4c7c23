"""A part of the exact law of the policy `declared` that `make fuzz` holds for every schema of its world."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.proofs.readings import PLACES, problems, schemas, values

# Of callers and of consumers: how many readings are the schema itself, are inexact, and differ on a value for that,
# as they are and where they prove.
NOTED: dict[str, list[int]] = {
    "whole": [16, 13, 11, 12, 98, 41, 14, 27],
    "refused": [0, 0, 0, 0, 11, 56, 37, 5],
    "refused of what is declared": [0, 0, 0, 0, 20, 65, 39, 18],
    "exclusive": [0, 18, 11, 17, 61, 50, 24, 27],
    "member": [0, 13, 0, 9, 0, 44, 3, 16],
    "items": [0, 13, 0, 0, 71, 44, 1, 10],
    "bounded": [14, 59, 18, 40, 30, 260, 119, 107],
    "bounded and refused": [0, 0, 0, 0, 0, 300, 215, 214],
}


@pytest.mark.parametrize("place", PLACES)
def test_readings_drop_the_names_that_no_place_declares(place: str) -> None:
    counts: Counter[str] = Counter()

    chosen = random.Random(1).sample(schemas(place), 300)
    found = [(schema, told) for schema in chosen for told in problems(schema, values(), counts)]

    assert found == []
    assert [*counts.values()] == NOTED[place]


def test_readings_by_every_keyword_drop_the_names_that_it_does_not_declare() -> None:
    counts: Counter[str] = Counter()

    chosen = [schema for schema in schemas("whole") if len(schema.keys() - {"$defs", "$schema"}) == 1]
    found = [(schema, told) for schema in chosen for told in problems(schema, values(), counts)]

    assert len(chosen) > 100
    assert found == []
