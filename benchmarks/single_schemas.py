"""Single schemas that must be compared within a second: the realistic tool after each edit, and a union of many branches.

The union has twelve branches of five properties each that all lead back to it; one of that shape once kept a schema
registry busy for hours. Branches are told apart by a constant, by the names that they require, or by nothing but
optional names. The floor is compiling both schemas and checking them against their meta-schemas.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks.pairs import Question, floor
from benchmarks.realistic_tool import EDITS, SEARCH
from benchmarks.timing import computed, forget
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.schema.inclusion import inclusion

_SECONDS = 1.0
_BRANCHES, _PROPERTIES = 12, 5
_ROUNDS = 3


def union(told_apart: str) -> dict[str, Any]:
    """The union whose branches are told apart by `constants`, by `required names` or by `optional names`."""
    return {"oneOf": [_branch(number, told_apart) for number in range(_BRANCHES)]}


def _branch(number: int, told_apart: str) -> dict[str, Any]:
    properties: dict[str, Any] = {f"part{index}": {"$ref": "#"} for index in range(_PROPERTIES)}
    own = "kind" if told_apart == "constants" else f"own{number}"
    properties[own] = {"const": f"kind {number}"} if told_apart == "constants" else {"type": "string"}
    branch = {"type": "object", "properties": properties}
    return branch if told_apart == "optional names" else {**branch, "required": [own]}


def edited(told_apart: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The union after each edit, the first of which changes nothing."""
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
    """The realistic tool against itself after each edit; return how many take too long."""
    return sum(_measure(name, Question(name, dict(SEARCH), dict(edit), None)) for name, edit in EDITS.items())


def measure_unions() -> int:
    """The union against itself after each edit; return how many take too long."""
    return sum(
        _measure(f"{told_apart}: {name}", Question(name, union(told_apart), schema, None))
        for told_apart in ("constants", "required names", "optional names")
        for name, schema in edited(told_apart)
    )


def _measure(name: str, question: Question) -> bool:
    """Print a line, and return whether it took too long."""
    old, new = question.left, question.right
    works = (partial(floor, question), partial(inclusion, old, new), partial(compare_schemas, old, new))
    least = [float("inf")] * len(works)
    for _ in range(_ROUNDS):
        for number, work in enumerate(works):
            forget()
            least[number] = min(least[number], computed(work)[0])
        if least[2] > _SECONDS:
            break
    found, compared = inclusion(old, new), compare_schemas(old, new)
    is_late = least[2] > _SECONDS
    print(
        f"{name:<38}{least[1] * 1000:>8.1f} ms{least[1] / least[0]:>7.0f} x  {found.answer:<8}{found.steps:>6} steps"
        f"{least[2] * 1000:>10.1f} ms{least[2] / least[0]:>8.0f} x  {compared.verdict.value:<11}"
        f"{'MISSED' if is_late else 'met'}"
    )
    return is_late
