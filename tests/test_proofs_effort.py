"""The cost and the result of questions have not changed: steps are the same on every machine."""

from __future__ import annotations

import pytest

from tests.proofs.effort import FILE, SEEDS, SOURCES, row
from tests.sweeps import share, sweep

KNOWN = {line.partition(":")[0]: line for line in FILE.read_text("utf-8").splitlines()}


@sweep
@pytest.mark.parametrize("source", SOURCES)
def test_a_question_costs_and_finds_what_it_did(source: str) -> None:
    seeds = share(SEEDS, 14)

    assert [row(source, seed) for seed in seeds] == [KNOWN[f"{source} {seed}"] for seed in seeds], (
        "if it should, run `python -m tests.proofs.effort`, and review what changes"
    )
