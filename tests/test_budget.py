"""One budget pays for the whole comparison, and each part of it pays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mcp_contracts.change import Verdict
from mcp_contracts.changes.absent import SchemaDirection
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.checks.diff import MOST_RUN_STEPS, RUN_STEPS, run_steps
from mcp_contracts.comparison.compare import facts
from mcp_contracts.comparison.declared.matched_names import MatchedNames
from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.decision import counterexample
from mcp_contracts.patterns.languages import find_string, matches
from mcp_contracts.patterns.matchers import matcher_of
from mcp_contracts.schema.budget import Budget, SpentError
from mcp_contracts.witnesses.confirm import confirm, judge
from mcp_contracts.witnesses.counterexamples import make_readable, sample_witness


def test_what_a_part_pays_the_whole_pays() -> None:
    whole = Budget(100)
    part = whole.part(30)
    inner = part.part(10)

    inner.pay(20, per_step=4)

    assert (inner.left, part.left, whole.left) == (5, 25, 95)


def test_a_part_has_no_larger_budget_than_the_rest_of_the_whole() -> None:
    whole = Budget(100)
    early = whole.part(80)

    whole.pay(90)

    assert whole.part(50).total == 10
    assert early.left == 10


def test_work_that_is_more_than_is_left_is_not_begun() -> None:
    whole = Budget(10)
    part = whole.part(10)
    whole.pay(8)

    with pytest.raises(SpentError):
        part.spend(3)

    assert part.is_spent


def test_patterns_are_read_once_though_there_are_hundreds() -> None:
    first = matcher_of("^first$")

    for index in range(600):
        matcher_of(f"^p{index}$")

    assert matcher_of("^first$") is first


def test_a_pattern_costs_the_same_whether_it_was_asked_before_or_not() -> None:
    budgets = [Budget(1_000), Budget(1_000)]

    for budget in budgets:
        matches("^(?:a|ab|abc){3,40}x$", "abcab" * 20, budget)

    assert budgets[0].spent == budgets[1].spent > 0


def test_every_kind_of_work_is_paid() -> None:
    old: JsonValue = {"type": "string", "pattern": "^[a-z]+$", "maxLength": 9}
    new: JsonValue = {"type": "string", "pattern": "^[a-z]+$", "maxLength": 8}
    acts: dict[str, Callable[[Budget], object]] = {
        "search": lambda budget: counterexample((old,), (new,), budget),
        "states": lambda budget: find_string(["^a+$"], ["^aa?$"], budget=budget),
        "sampling": lambda budget: sample_witness(old, new, budget=budget),
        "shaping": lambda budget: make_readable("abcdefghi", old, new, budget=budget),
        "confirming": lambda budget: confirm(old, new, "abcdefghi", budget),
        "names": lambda budget: MatchedNames(budget).matches("^a", "ab"),
    }
    spent = {}

    for name, act in acts.items():
        budget = Budget(10_000)
        act(budget)
        spent[name] = budget.spent

    assert all(0 < steps < 2_000 for steps in spent.values()), spent


def test_judging_by_a_large_listed_value_costs_what_reading_it_costs() -> None:
    small, large = Budget(0), Budget(0)

    judge({"const": [1]}, [2], small)
    judge({"const": list(range(60_000))}, [2], large)

    assert large.spent > 100 * max(1, small.spent)


def test_taking_hundreds_of_lost_properties_out_of_a_schema_is_paid() -> None:
    properties = {f"p{index}": {"$ref": "#/$defs/d"} for index in range(300)}
    budget = Budget(50_000)

    found = compare_schemas(
        {"type": "object", "properties": properties, "$defs": {"d": {"type": "string"}}},
        {"type": "object", "properties": {"other": {}}},
        budget=budget,
    )

    assert found.verdict is Verdict.BREAKING
    assert len(found.changes) == 301
    assert 7_000 < budget.spent < 20_000  # 4,500 for the 300 times 300 subschemas that are looked at


def test_a_pattern_is_compared_with_the_same_others_once() -> None:
    budget = Budget(10_000)
    patterns = tuple(f"^{letter}" for letter in "abcdefghij")
    names = MatchedNames(budget)

    first = [names.overlapping_patterns(pattern, patterns) for pattern in patterns]
    before = budget.spent

    assert [names.overlapping_patterns(pattern, patterns) for pattern in patterns] == first == [()] * 10
    assert budget.spent == before


@pytest.mark.parametrize("direction", ["input", "output"])
def test_a_share_of_a_run_with_600_tools_decides_five_changes(direction: SchemaDirection) -> None:
    texts: dict[str, JsonValue] = {f"p{index}": {"type": "string", "maxLength": 50 + index} for index in range(8)}
    levels: dict[str, JsonValue] = {
        "n": {"type": "integer", "minimum": 0, "maximum": 100},
        "e": {"enum": ["a", "b", "c"]},
    }
    narrowed: dict[str, JsonValue] = {"n": {"type": "integer", "minimum": 0, "maximum": 50}, "e": {"enum": ["a", "b"]}}
    shorter: dict[str, JsonValue] = {"p1": {"type": "string", "maxLength": 10}, "p9": {"type": "string"}}
    kept = {name: schema for name, schema in texts.items() if name != "p3"}
    wide: dict[str, JsonValue] = {"type": "object", "properties": {**texts, **levels}, "required": ["p0"]}
    narrow: dict[str, JsonValue] = {
        "type": "object",
        "properties": {**kept, **narrowed, **shorter},
        "required": ["p0"],
    }
    old, new = (wide, narrow) if direction == "input" else (narrow, wide)

    compared = compare_schemas(old, new, direction=direction, budget=Budget(MOST_RUN_STEPS / 600))

    assert len(compared.changes) == 5
    assert Verdict.UNKNOWN not in {change.verdict for change in compared.changes}


def test_what_a_run_reads_shortens_its_comparisons() -> None:
    small, large, huge = (run_steps(600, characters) for characters in (400_000, 4_000_000, 400_000_000))

    assert MOST_RUN_STEPS > small > large > huge == RUN_STEPS


def _nested(depth: int, inner: JsonValue) -> JsonValue:
    schema = inner
    for _ in range(depth):
        schema = {"allOf": [schema, {"type": "integer"}]}
    return schema


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"anyOf": [{"$ref": "#"}] * 20}, {"anyOf": [{"$ref": "#"}] * 20 + [{"maximum": 3}]}),
        (_nested(60, {"type": "string"}), _nested(60, {"type": "string", "maxLength": 3})),
    ],
    ids=["recursive", "nested"],
)
def test_branches_that_lead_to_the_same_place_are_tried_once(old: JsonValue, new: JsonValue) -> None:
    budget = Budget(50_000)

    found = facts(old, new, budget=budget)

    assert found
    assert 0 < budget.spent < 2_000
