"""A part of the exact law of the policy `declared` that `make fuzz` holds for every schema of its world."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.proofs.readings import PLACES, problems, schemas, values

# Of callers and of consumers: how many readings are the schema itself, are inexact, and differ on a value for that,
# as they are and where they prove.
NOTED: dict[str, list[int]] = {
    "whole": [10, 10, 7, 9, 79, 50, 8, 23],
    "refused": [0, 0, 0, 0, 13, 44, 25, 6],
    "refused of what is declared": [0, 0, 0, 0, 23, 49, 28, 12],
    "exclusive": [0, 12, 9, 12, 60, 62, 19, 31],
    "member": [0, 10, 0, 6, 0, 52, 7, 8],
    "items": [0, 10, 0, 0, 57, 52, 1, 6],
    "bounded": [10, 72, 14, 39, 22, 257, 114, 108],
    "bounded and refused": [0, 0, 0, 0, 0, 300, 218, 216],
}


@pytest.mark.parametrize("place", PLACES)
def test_readings_drop_the_names_that_no_place_declares(place: str) -> None:
    counts: Counter[str] = Counter()

    chosen = random.Random(1).sample(schemas(place), 300)
    found = [(schema, told) for schema in chosen for told in problems(schema, values(), counts)]

    assert found == []
    assert [*counts.values()] == NOTED[place]
