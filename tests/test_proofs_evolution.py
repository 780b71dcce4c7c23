"""Our own suite of evolutions: pairs of schemas whose verdicts were determined by reasoning, each with the reason.

A line of `proofs/evolutions.jsonl` is a pair, with its verdict as an input and as an output under both policies. Every
pair is also listed in reverse.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.changes.absent import SchemaDirection
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.witnesses.confirm import confirm
from tests.sweeps import share, sweep

FILE = Path(__file__).parent / "proofs" / "evolutions.jsonl"
CHUNKS = 14
DIRECTIONS: tuple[SchemaDirection, SchemaDirection] = ("input", "output")


@cache
def evolutions() -> tuple[dict[str, Any], ...]:
    """Every pair."""
    return tuple(json.loads(line) for line in FILE.read_text("utf-8").splitlines())


def test_all_four_hundred_pairs_have_a_name_and_a_reason() -> None:
    names = [row["name"] for row in evolutions()]

    assert len(set(names)) == len(names) >= 400
    assert all(row["why"] for row in evolutions())


def test_plain_sets_of_values_are_judged_alike_the_other_way_round() -> None:
    by_name = {row["name"]: row for row in evolutions()}

    for name, row in by_name.items():
        if f"{name}, the other way round" in by_name:
            back = by_name[f"{name}, the other way round"]
            assert (back["old"], back["new"]) == (row["new"], row["old"])
            assert (back["sets"]["output"], back["sets"]["input"]) == (row["sets"]["input"], row["sets"]["output"])


@sweep
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_evolution_is_judged_as_its_reason_says(chunk: int) -> None:
    for row in share(evolutions()[chunk::CHUNKS], 8):
        found = compare_schemas(row["old"], row["new"], direction="input", policy="sets")  # outputs mirror it

        assert found.verdict == row["sets"]["input"], (row["name"], found)
        if found.verdict == "breaking":
            assert found.witness is not None, row["name"]
            assert confirm(row["old"], row["new"], found.witness.value).is_confirmed, row["name"]
        for direction in DIRECTIONS:
            found = compare_schemas(row["old"], row["new"], direction=direction, policy="declared")
            assert found.verdict == row["declared"][direction], (row["name"], direction, found)


def test_strict_finds_what_either_policy_finds() -> None:
    for row in evolutions()[::12]:
        for direction in DIRECTIONS:
            found = compare_schemas(row["old"], row["new"], direction=direction, policy="strict")

            assert (found.verdict == "breaking") == ("breaking" in (row["sets"][direction], row["declared"][direction]))
