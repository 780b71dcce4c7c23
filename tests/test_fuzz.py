"""A few hundred of the texts that `python -m tests.fuzz` tries by the thousand."""

from __future__ import annotations

import random

import pytest

from tests.fuzz import mutated, problems, seeds

TEXTS = seeds()


def test_a_seed_gives_the_same_text_again() -> None:
    assert mutated(7, TEXTS) == mutated(7, TEXTS)


@pytest.mark.parametrize("seed", range(0, 300, 10))
def test_a_mutated_specification_is_read_and_linted_without_a_problem(seed: int) -> None:
    found = {number: list(problems(mutated(number, TEXTS), random.Random(number))) for number in range(seed, seed + 10)}

    assert {number: told for number, told in found.items() if told} == {}
