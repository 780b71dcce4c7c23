"""Single schemas that must be compared within a second: the realistic tool after each edit, and a wide union.

The union has twelve branches with five properties each, all of which refer back to it; such a schema once kept a schema
registry busy for hours. Branches differ in a constant, in the names that they require, or only in optional names. The
floor is compiling both schemas and checking them against their meta-schemas.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from benchmarks.naive import naive_inclusion
from benchmarks.pairs import Question, floor
from benchmarks.realistic_tool import EDITS, SEARCH
from benchmarks.timing import Result, computed, forget
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.inclusion.decision import inclusion

_SECONDS = 1.0
_BRANCHES, _PROPERTIES = 12, 5
_ROUNDS = 3


def union(told_apart: str) -> dict[str, Any]:
    """Return the union whose branches differ in `constants`, in `required names` or in `optional names`."""
    return {"oneOf": [_branch(number, told_apart) for number in range(_BRANCHES)]}


def _branch(number: int, told_apart: str) -> dict[str, Any]:
    properties: dict[str, Any] = {f"part{index}": {"$ref": "#"} for index in range(_PROPERTIES)}
    own = "kind" if told_apart == "constants" else f"own{number}"
    properties[own] = {"const": f"kind {number}"} if told_apart == "constants" else {"type": "string"}
    branch = {"type": "object", "properties": properties}
    return branch if told_apart == "optional names" else {**branch, "required": [own]}


def edited(told_apart: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the union after each edit, the first of which changes nothing."""
    for name in ("itself", "a property added", "a branch removed", "a type changed"):
        schema = copy.deepcopy(union(told_apart))
        properties = schema["oneOf"][7]["properties"]
        if name == "a property added":
            properties["extra"] = {"type": "string"}
        elif name == "a branch removed":
            schema["oneOf"].pop()
        elif name == "a type changed":
            properties["part2"] = {"type": "integer"}
        yield name, schema


def measure_edits() -> int:
    """Measure the realistic tool against itself after each edit; return the number of slow comparisons."""
    return _measure([Question(name, dict(SEARCH), dict(edit), None) for name, edit in EDITS.items()])


def measure_unions() -> int:
    """Measure the union against itself after each edit; return the number of slow comparisons."""
    return _measure(
        [
            Question(f"{told_apart}: {name}", union(told_apart), schema, None)
            for told_apart in ("constants", "required names", "optional names")
            for name, schema in edited(told_apart)
        ]
    )


def _measure(questions: Sequence[Question]) -> int:
    """Print a line for each question and one for all; return the number of slow comparisons."""
    print(f"{'':<33}{'inclusion':>30}{'the naive search':>38}{'compare_schemas':>38}")
    decided = {"inclusion": 0, "the naive search": 0}
    missed = 0
    for question in questions:
        old, new = question.left, question.right
        least, _ = _measure_best(partial(floor, question))
        line = f"{question.name:<33}"
        for name, way in (("inclusion", inclusion), ("the naive search", naive_inclusion)):
            seconds, found = _measure_best(partial(way, old, new))
            decided[name] += found.answer != "unknown"
            line += f"{seconds * 1000:>8.1f} ms{seconds / least:>6.0f} x {found.answer:<7}{found.steps:>6} steps"
        seconds, compared = _measure_best(partial(compare_schemas, old, new))
        missed += seconds > _SECONDS
        line += f"{seconds * 1000:>10.1f} ms{seconds / least:>7.0f} x  {compared.verdict.value:<11}"
        print(line + ("MISSED" if seconds > _SECONDS else "met"))
    print("  decided: " + ", ".join(f"{name} {count} of {len(questions)}" for name, count in decided.items()))
    return missed


def _measure_best(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return the shortest time of some rounds, each with empty caches, and the result."""
    least = float("inf")
    for _ in range(_ROUNDS):
        forget()
        seconds, result = computed(work)
        least = min(least, seconds)
        if seconds > _ROUNDS * _SECONDS:
            break  # another round would not change the verdict
    return least, result
