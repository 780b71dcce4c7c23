"""A part of the exact law of the policy `declared` that `make fuzz` holds for every schema of its world."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.proofs.readings import PLACES, problems, schemas, values

# Of callers and of consumers: how many readings are the schema itself, are inexact, and differ on a value for that,
# as they are and where they prove.
NOTED: dict[str, list[int]] = {
    "whole": [3, 2, 1, 1, 17, 3, 1, 2],
    "refused": [0, 0, 0, 0, 4, 10, 6, 2],
    "refused of what is declared": [0, 0, 0, 0, 4, 11, 6, 5],
    "exclusive": [0, 4, 1, 4, 10, 6, 3, 3],
    "member": [0, 2, 0, 0, 0, 4, 1, 2],
    "items": [0, 2, 0, 0, 12, 4, 1, 2],
    "bounded": [3, 9, 3, 8, 5, 34, 17, 13],
    "bounded and refused": [0, 0, 0, 0, 0, 40, 26, 28],
}


@pytest.mark.parametrize("place", PLACES)
def test_readings_drop_the_names_that_no_place_declares(place: str) -> None:
    counts: Counter[str] = Counter()

    chosen = random.Random(1).sample(schemas(place), 40)
    found = [(schema, told) for schema in chosen for told in problems(schema, values(), counts)]

    assert found == []
    assert [*counts.values()] == NOTED[place]


def test_readings_by_every_keyword_drop_the_names_that_it_does_not_declare() -> None:
    counts: Counter[str] = Counter()

    chosen = [schema for schema in schemas("whole") if len(schema.keys() - {"$defs", "$schema"}) == 1][::3]
    found = [(schema, told) for schema in chosen for told in problems(schema, values(), counts)]

    assert len(chosen) > 40
    assert found == []
