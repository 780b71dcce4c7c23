"""A part of the exact law of the policy `declared` that `make fuzz` holds for every schema of its world."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.proofs.readings import PLACES, problems, schemas, values

# Of callers and of consumers: how many readings are the schema itself, are inexact, and differ on a value for that,
# as they are and where they prove.
NOTED: dict[str, list[int]] = {
    "whole": [5, 4, 3, 3, 36, 14, 5, 10],
    "refused": [0, 0, 0, 0, 5, 22, 13, 3],
    "refused of what is declared": [0, 0, 0, 0, 5, 25, 14, 9],
    "exclusive": [0, 6, 3, 6, 22, 17, 10, 9],
    "member": [0, 4, 0, 2, 0, 15, 1, 8],
    "items": [0, 4, 0, 0, 26, 15, 1, 5],
    "bounded": [5, 21, 8, 19, 11, 86, 39, 34],
    "bounded and refused": [0, 0, 0, 0, 0, 100, 69, 71],
}


@pytest.mark.parametrize("place", PLACES)
def test_readings_drop_the_names_that_no_place_declares(place: str) -> None:
    counts: Counter[str] = Counter()

    chosen = random.Random(1).sample(schemas(place), 100)
    found = [(schema, told) for schema in chosen for told in problems(schema, values(), counts)]

    assert found == []
    assert [*counts.values()] == NOTED[place]


def test_readings_by_every_keyword_drop_the_names_that_it_does_not_declare() -> None:
    counts: Counter[str] = Counter()

    chosen = [schema for schema in schemas("whole") if len(schema.keys() - {"$defs", "$schema"}) == 1]
    found = [(schema, told) for schema in chosen for told in problems(schema, values(), counts)]

    assert len(chosen) > 100
    assert found == []
