"""A part of the exact law of the policy `declared` that `make fuzz` holds for every schema of its world."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.proofs.readings import PLACES, problems, schemas, values
from tests.sweeps import IS_WHOLE, share, sweep

# Of callers and of consumers: how many readings are the schema itself, are inexact, and differ on a value for that,
# as they are and where they prove.
NOTED: dict[str, tuple[list[int], list[int]]] = {
    "whole": ([3, 2, 1, 1, 11, 6, 2, 4], [35, 39, 25, 31, 235, 121, 32, 66]),
    "refused": ([0, 0, 0, 0, 0, 4, 3, 0], [0, 0, 0, 0, 25, 131, 88, 13]),
    "refused of what is declared": ([0, 0, 0, 0, 2, 5, 3, 3], [0, 0, 0, 0, 56, 154, 92, 42]),
    "exclusive": ([0, 2, 1, 2, 8, 6, 3, 4], [0, 47, 25, 42, 148, 139, 63, 72]),
    "member": ([0, 2, 0, 0, 0, 6, 1, 3], [0, 39, 0, 16, 0, 127, 6, 42]),
    "items": ([0, 2, 0, 0, 9, 6, 1, 3], [0, 39, 0, 0, 160, 127, 4, 21]),
    "bounded": ([3, 10, 2, 4, 4, 34, 19, 15], [32, 167, 42, 99, 56, 705, 300, 290]),
    "bounded and refused": ([0, 0, 0, 0, 0, 40, 24, 24], [0, 0, 0, 0, 0, 800, 564, 553]),
}
"""Of a share of the schemas, and of all that `make laws` takes."""
NOTED_OF_ONE_KEYWORD: dict[str, list[int]] = {
    "whole": [2, 4, 4, 4, 70, 11, 4, 8],
    "refused": [0, 0, 0, 0, 26, 13, 11, 2],
    "refused of what is declared": [0, 0, 0, 0, 42, 15, 11, 6],
    "exclusive": [0, 4, 4, 4, 64, 14, 8, 10],
    "member": [0, 4, 0, 4, 0, 13, 0, 6],
    "items": [0, 4, 0, 0, 33, 13, 0, 2],
    "bounded": [2, 21, 6, 15, 6, 142, 45, 46],
    "bounded and refused": [0, 0, 0, 0, 0, 152, 70, 69],
}


@sweep
@pytest.mark.parametrize("place", PLACES)
def test_readings_drop_the_names_that_no_place_declares(place: str) -> None:
    counts: Counter[str] = Counter()

    chosen = share(random.Random(1).sample(schemas(place), 800), 20)
    found = [(schema, told) for schema in chosen for told in problems(schema, values(), counts)]

    assert found == []
    assert [*counts.values()] == NOTED[place][IS_WHOLE]


@pytest.mark.parametrize("place", PLACES)
def test_readings_by_every_keyword_drop_the_names_that_it_does_not_declare(place: str) -> None:
    counts: Counter[str] = Counter()

    found = [(schema, told) for schema in schemas(place, 1) for told in problems(schema, values(), counts)]

    assert found == []
    assert [*counts.values()] == NOTED_OF_ONE_KEYWORD[place]
