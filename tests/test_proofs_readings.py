"""A part of the exact law of the policy `declared` that `make fuzz` holds for every schema of its world."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.proofs.readings import PLACES, problems, schemas, values

# Of callers and of consumers: how many readings are the schema itself, are inexact, and differ on a value for that,
# as they are and where they prove.
NOTED: dict[str, list[int]] = {
    "whole": [10, 9, 5, 8, 78, 52, 11, 18],
    "refused": [0, 0, 0, 0, 8, 47, 21, 6],
    "refused of what is declared": [0, 0, 0, 0, 26, 56, 23, 10],
    "exclusive": [0, 12, 6, 12, 53, 65, 29, 21],
    "member": [0, 9, 0, 2, 0, 55, 4, 19],
    "items": [0, 9, 0, 0, 56, 55, 3, 9],
    "bounded": [10, 9, 0, 6, 25, 75, 19, 5],
    "bounded and refused": [0, 0, 0, 0, 0, 47, 0, 0],
}


@pytest.mark.parametrize("place", PLACES)
def test_readings_drop_the_names_that_no_place_declares(place: str) -> None:
    counts: Counter[str] = Counter()

    chosen = random.Random(1).sample(schemas(place), 300)
    found = [(schema, told) for schema in chosen for told in problems(schema, values(), counts)]

    assert found == []
    assert [*counts.values()] == NOTED[place]
