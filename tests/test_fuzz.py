"""Fifty of the texts and a few of the pairs that `python -m tests.fuzz` tests by the thousand."""

from __future__ import annotations

import random

import pytest

from tests.fuzz import mutated, mutated_lists, mutated_pair, pair_problems, problems, seeds

TEXTS = seeds()
OWN = tuple(text for text in TEXTS if len(text) < 20_000)[:8]
"""The texts whose mutations are compared: short ones, because each pair is compared eight times."""


def test_a_seed_gives_the_same_text_again() -> None:
    assert mutated(7, TEXTS) == mutated(7, TEXTS)


@pytest.mark.parametrize("seed", range(0, 300, 60))
def test_a_mutated_specification_is_read_and_linted_without_a_problem(seed: int) -> None:
    found = {number: list(problems(mutated(number, TEXTS), random.Random(number))) for number in range(seed, seed + 5)}

    assert {number: told for number, told in found.items() if told} == {}


@pytest.mark.parametrize("seed", range(0, 300, 60))
def test_a_mutated_tool_list_is_read_and_linted_without_a_problem(seed: int) -> None:
    lists = {number: mutated_lists(number, OWN)[1] for number in range(seed, seed + 5)}

    found = {number: list(problems(text, random.Random(number), "tools.json")) for number, text in lists.items()}

    assert {number: told for number, told in found.items() if told} == {}


def test_a_seed_gives_the_same_pair_again() -> None:
    assert mutated_pair(7, TEXTS) == mutated_pair(7, TEXTS)
    assert mutated_lists(7, TEXTS) == mutated_lists(7, TEXTS)


@pytest.mark.parametrize("seed", range(2))
def test_mutated_specifications_are_compared_without_a_problem(seed: int) -> None:
    assert list(pair_problems("MCP_TOOL_SPECIFICATION.md", *mutated_pair(seed, OWN))) == []


@pytest.mark.parametrize("seed", range(2))
def test_mutated_tool_lists_are_compared_without_a_problem(seed: int) -> None:
    assert list(pair_problems("tools.json", *mutated_lists(seed, OWN))) == []
