"""A part of the exact law of the policy `declared` that `make fuzz` checks for every schema of its world."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.proofs.readings import PLACES, problems, schemas, values
from tests.sweeps import IS_WHOLE, share, sweep

# Of callers and of consumers: how many readings are the schema itself, are inexact, and differ on a value for that,
# as they are and where they prove.
NOTED: dict[str, tuple[list[int], list[int]]] = {
    "whole": ([0, 1, 1, 1, 8, 6, 2, 3], [24, 22, 17, 18, 214, 108, 40, 56]),
    "refused": ([0, 0, 0, 0, 1, 2, 1, 1], [0, 0, 0, 0, 31, 38, 25, 17]),
    "refused of what is declared": ([0, 0, 0, 0, 2, 4, 1, 1], [0, 0, 0, 0, 54, 49, 25, 17]),
    "exclusive": ([0, 1, 1, 1, 5, 7, 4, 4], [0, 23, 19, 23, 141, 131, 66, 66]),
    "member": ([0, 1, 0, 1, 0, 7, 0, 3], [0, 22, 0, 15, 0, 121, 3, 39]),
    "items": ([0, 1, 0, 0, 5, 7, 0, 2], [0, 22, 0, 0, 134, 121, 3, 19]),
    "bounded": ([0, 1, 1, 1, 1, 36, 16, 14], [24, 22, 17, 17, 47, 693, 300, 279]),
    "bounded and refused": ([0, 0, 0, 0, 0, 40, 31, 30], [0, 0, 0, 0, 0, 800, 581, 582]),
}
"""The counts for a share of the schemas, and for all that `make laws` checks."""
NOTED_OF_ONE_KEYWORD: dict[str, tuple[list[int], list[int]]] = {
    "whole": ([0, 0, 0, 0, 18, 2, 1, 1], [2, 2, 2, 2, 72, 9, 4, 6]),
    "refused": ([0, 0, 0, 0, 6, 0, 0, 0], [0, 0, 0, 0, 26, 3, 3, 2]),
    "refused of what is declared": ([0, 0, 0, 0, 10, 2, 2, 2], [0, 0, 0, 0, 42, 5, 3, 2]),
    "exclusive": ([0, 1, 1, 1, 15, 3, 3, 2], [0, 2, 2, 2, 64, 12, 8, 8]),
    "member": ([0, 1, 0, 1, 0, 5, 0, 4], [0, 2, 0, 2, 0, 11, 0, 6]),
    "items": ([0, 1, 0, 0, 7, 1, 0, 0], [0, 2, 0, 0, 33, 11, 0, 2]),
    "bounded": ([0, 0, 0, 0, 1, 37, 6, 9], [2, 2, 2, 2, 6, 148, 46, 47]),
    "bounded and refused": ([0, 0, 0, 0, 0, 40, 17, 17], [0, 0, 0, 0, 0, 160, 76, 77]),
}


@sweep
@pytest.mark.parametrize("place", PLACES)
def test_readings_drop_the_names_that_no_place_declares(place: str) -> None:
    counts: Counter[str] = Counter()

    chosen = share(random.Random(1).sample(schemas(place), 800), 20)
    found = [(schema, told) for schema in chosen for told in problems(schema, values(), counts)]

    assert found == []
    assert [*counts.values()] == NOTED[place][IS_WHOLE]


@sweep
@pytest.mark.parametrize("place", PLACES)
def test_readings_by_every_keyword_drop_the_names_that_it_does_not_declare(place: str) -> None:
    counts: Counter[str] = Counter()

    every = schemas(place, 1)
    chosen = share(random.Random(place).sample(every, len(every)), 4)  # another quarter for each place
    found = [(schema, told) for schema in chosen for told in problems(schema, values(), counts)]

    assert found == []
    assert [*counts.values()] == NOTED_OF_ONE_KEYWORD[place][IS_WHOLE]
