"""A few of the random pairs that `make fuzz` tests by the thousand."""

from __future__ import annotations

from collections import Counter

import pytest

from mcp_contracts.inclusion.decision import inclusion
from tests.proofs.families import FAMILIES, family_problems, pair_of

SEEDS = range(3)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_value_that_attacks_a_pair_contradicts_its_verdicts(family: str) -> None:
    counts: Counter[str] = Counter()

    assert list(family_problems(family, SEEDS, counts, values=40)) == []
    assert counts["pairs"] == len(SEEDS)


def test_objects_of_few_members_are_decided() -> None:
    answers = Counter(inclusion(*pair_of("few_members", seed)).answer for seed in range(20_000, 20_150))

    assert answers["unknown"] == 0
    assert min(answers["yes"], answers["no"]) > 30


def test_a_seed_gives_the_same_pair_again() -> None:
    assert [pair_of(family, 7) for family in FAMILIES] == [pair_of(family, 7) for family in FAMILIES]
