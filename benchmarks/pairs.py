"""The engine on pairs of real schemas: the time of a question and the share of decided questions.

The pairs are third-party content outside the project: `MCP_CONTRACTS_CORPUS` is the folder that contains `evolution/`.
The floor of a question is compiling both schemas and checking them against their meta-schema, once, with jsonschema-rs.
All caches are emptied before each question; times are those of this process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import jsonschema_rs

from benchmarks.naive import naive_inclusion
from benchmarks.timing import Result, computed, forget, quantile
from mcp_contracts.change import Verdict
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.decision import Inclusion, inclusion
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.witnesses.confirm import confirm
from mcp_contracts.witnesses.counterexamples import sample_witness

_DRAFT_7 = "http://json-schema.org/draft-07/schema#"
_SHOWN = 20
_TRUTHS = (("old_subset_new", "s1_subset_s2"), ("new_subset_old", "s2_subset_s1"))  # one of the keys
_GOALS = {"inclusion": 20.0}
"""The maximum median, in medians of the floor."""


@dataclass(frozen=True, slots=True)
class Question:
    """Does `right` accept everything that `left` accepts? `truth` is the proved answer, or None."""

    name: str
    left: JsonValue
    right: JsonValue
    truth: bool | None


def questions(folder: Path) -> Iterator[Question]:
    """Yield both directions of every pair below a folder."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            pair = json.loads(line)
            old, new = (_with_dialect(pair[side], pair["draft"]) for side in ("before", "after"))
            forward, backward = (pair[one] if one in pair else pair[other] for one, other in _TRUTHS)
            yield Question(f"{pair['id']} forward", old, new, forward)
            yield Question(f"{pair['id']} backward", new, old, backward)


def _with_dialect(schema: JsonValue, draft: str) -> JsonValue:
    if draft == "7" and isinstance(schema, dict) and "$schema" not in schema:
        return {"$schema": _DRAFT_7, **schema}
    return schema


def floor(question: Question) -> None:
    """Do the minimum work: compile both schemas and check them against their meta-schemas."""
    for schema in (question.left, question.right):
        assert isinstance(schema, dict | bool)  # the corpus contains no other dialects
        is_draft_7 = dialect_of(schema) is Dialect.DRAFT_7
        kind = jsonschema_rs.Draft7Validator if is_draft_7 else jsonschema_rs.Draft202012Validator
        jsonschema_rs.meta.is_valid(schema)
        kind(schema, validate_formats=False, offline=True)


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a method: yes, no or None for unknown; `steps` if it counts them."""

    holds: bool | None
    steps: int = 0


def _decide(question: Question) -> Reply:
    return _reply(inclusion(question.left, question.right))


def _decide_naively(question: Question) -> Reply:
    return _reply(naive_inclusion(question.left, question.right))


def _reply(found: Inclusion) -> Reply:
    return Reply(None if found.answer == "unknown" else found.answer == "yes", found.steps)


def _compare(question: Question) -> Reply:
    verdict = compare_schemas(question.left, question.right, policy="sets").verdict
    return Reply(None if verdict is Verdict.UNKNOWN else verdict is Verdict.COMPATIBLE)


def _sample(question: Question) -> Reply:
    """Candidates can only prove a break."""
    value = sample_witness(question.left, question.right)
    return Reply(False if confirm(question.left, question.right, value).is_confirmed else None)


_WAYS: dict[str, Callable[[Question], Reply]] = {
    "inclusion": _decide,
    "compare_schemas, with witness": _compare,
    "the naive search": _decide_naively,
    "sampled values alone": _sample,
}


def measure_pairs(folder: Path) -> int:
    """Measure, print a table, and return the number of missed goals."""
    asked = list(questions(folder))
    floors = [_cold(partial(floor, question))[0] for question in asked]
    _row("floor: both schemas compiled and checked", floors, floors)
    missed = 0
    totals = {}
    for name, way in _WAYS.items():
        seconds, replies = zip(*(_cold(partial(way, question)) for question in asked), strict=True)
        totals[name] = sum(seconds)
        goal = _GOALS.get(name)
        ratio = quantile(seconds, 0.5) / quantile(floors, 0.5)
        missed += goal is not None and ratio > goal
        verdict = "" if goal is None else f"  goal {goal:g} x: {'met' if ratio <= goal else 'MISSED'}"
        _row(name, seconds, floors, verdict)
        _shares(asked, replies)
        slowest = max(range(len(asked)), key=seconds.__getitem__)
        print(f"  the slowest: {asked[slowest].name}")
    for name, total in totals.items():
        if name != "inclusion":
            print(f"  {name}: {total / totals['inclusion']:.1f} x the time of `inclusion` in all")
    return missed


def _cold(work: Callable[[], Result]) -> tuple[float, Result]:
    forget()
    return computed(work)


def _row(name: str, seconds: Sequence[float], floors: Sequence[float], note: str = "") -> None:
    parts = (0.5, 0.9, 0.99, 1.0)
    times = "".join(f"{quantile(seconds, part) * 1000:>10.2f}" for part in parts)
    print(f"{name:<42}{times} ms{quantile(seconds, 0.5) / quantile(floors, 0.5):>9.1f} x{note}")


def _shares(asked: Sequence[Question], replies: Sequence[Reply]) -> None:
    """Print the number of decided questions and detected breaks, and the wrong answers."""
    answered = [(question, reply.holds) for question, reply in zip(asked, replies, strict=True)]
    decided = sum(holds is not None for _, holds in answered)
    breaks = [holds for question, holds in answered if question.truth is False]
    wrong = [
        question.name
        for question, holds in answered
        if None not in (holds, question.truth) and holds is not question.truth
    ]
    steps = sum(reply.steps for reply in replies)
    counted = f", {steps} steps" if steps else ""
    open_names = [question.name for question, holds in answered if holds is None]
    print(
        f"  decided {decided} of {len(asked)} ({decided / len(asked):.1%}), {breaks.count(False)} of {len(breaks)} "
        f"breaks{counted}, {'WRONG: ' + ', '.join(wrong) if wrong else 'none wrong'}"
    )
    if 0 < len(open_names) <= _SHOWN:
        print(f"  undecided: {', '.join(open_names)}")
