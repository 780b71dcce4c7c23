"""The 412 pairs of schemas that two other projects judged by hand, judged by us in both directions (a sweep).

They belong to others and are not part of the project: `MCP_CONTRACTS_CORPUS` is the folder that contains `evolution/`.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mcp_contracts.changes.absent import SchemaDirection
from mcp_contracts.changes.policies import SchemaComparison
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.witnesses.confirm import confirm
from tests.sweeps import share, sweep

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
CHUNKS = 12
KEYS: dict[SchemaDirection, tuple[str, str]] = {
    "input": ("old_subset_new", "s1_subset_s2"),
    "output": ("new_subset_old", "s2_subset_s1"),
}
"""The two projects' names for the answer to a direction."""


pytestmark = pytest.mark.skipif(not CORPUS, reason="MCP_CONTRACTS_CORPUS does not say where the evolutions are")


class Question(NamedTuple):
    """Whether one direction of a pair holds; `is_included` is None if the answer is unknown."""

    name: str
    direction: SchemaDirection
    old: Any
    new: Any
    is_included: bool | None


@cache
def questions() -> tuple[Question, ...]:
    """Every direction of every pair."""
    rows = [
        json.loads(line)
        for name in ("jsoncompat", "jsonsubschema")
        for line in (Path(CORPUS or "") / "evolution" / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    return tuple(
        Question(row["id"], direction, with_draft(row, "before"), with_draft(row, "after"), row[key])
        for row in rows
        for direction, keys in KEYS.items()
        for key in keys
        if key in row
    )


@cache
def asked() -> list[Question]:
    """Return a share of all questions, a smaller one of the first pairs of jsonsubschema, which take the longest."""
    slow = [question for question in questions() if "jsonsubschema/001" <= question.name <= "jsonsubschema/048"]
    slow_keys = {(question.name, question.direction) for question in slow}
    others = [question for question in questions() if (question.name, question.direction) not in slow_keys]
    return [*share(others, 5), *share(slow, 60)]


def with_draft(row: dict[str, Any], side: str) -> Any:
    """Return one side of a pair, with its dialect if that is not the default."""
    schema = row[side]
    if row["draft"] == "7" and isinstance(schema, dict):
        return {"$schema": DRAFT_7, **schema}
    return schema


def is_proved_again(question: Question, comparison: SchemaComparison) -> bool:
    """Whether validators that do not know the search confirm the witness of a break."""
    accepting, refusing = question.old, question.new
    if question.direction == "output":
        accepting, refusing = refusing, accepting
    assert comparison.witness is not None
    return confirm(accepting, refusing, comparison.witness.value).is_confirmed


def test_every_pair_is_asked_both_ways() -> None:
    known = [question for question in questions() if question.is_included is not None]

    assert Counter(question.name.split("/")[0] for question in questions()) == {
        "jsoncompat": 118,
        "jsonsubschema": 706,
    }
    assert sum(not question.is_included for question in known if question.name.startswith("jsonsub")) == 422


@sweep
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_question_is_decided_and_no_verdict_is_false(chunk: int) -> None:
    for question in asked()[chunk::CHUNKS]:
        comparison = compare_schemas(question.old, question.new, direction=question.direction, policy="sets")

        key = (question.name, question.direction)
        assert comparison.verdict in ("breaking", "compatible"), key
        if comparison.verdict == "breaking":
            assert question.is_included is not True, key
            assert is_proved_again(question, comparison), key
        else:
            assert question.is_included is not False, key
