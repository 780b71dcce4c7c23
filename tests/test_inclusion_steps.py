"""The cost of a question in counted steps: always the same, proportional to the schemas, and bounded."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest

from mcp_contracts.change import Verdict
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.inclusion.answers import Answer, Doubt, Found, find_first
from mcp_contracts.inclusion.atoms import Formula
from mcp_contracts.inclusion.decision import BUDGET, Inclusion, inclusion
from mcp_contracts.inclusion.graph import Graph
from mcp_contracts.inclusion.meanings import Formulas
from mcp_contracts.inclusion.prover import Prover
from mcp_contracts.schema.budget import Budget
from tests.tables import each

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
ENDLESS = 50 * BUDGET
"""A budget that no question here may approach: each question ends by itself."""


def a_tool(count: int, *, last: dict[str, Any]) -> dict[str, Any]:
    """Return an object with many properties, of which the last one is given."""
    kinds: list[dict[str, Any]] = [
        {"type": "string", "minLength": 1},
        {"type": "integer", "minimum": 0, "maximum": 100},
        {"type": "array", "items": {"type": "string"}},
        {"enum": ["one", "two", "three"]},
    ]
    properties = {f"property_{index}": kinds[index % len(kinds)] for index in range(count - 1)}
    return {
        "type": "object",
        "properties": {**properties, "last": last},
        "required": list(properties)[: count // 2],
        "additionalProperties": False,
    }


def circular_branches(*, discriminated: bool, limit: int = 10) -> dict[str, Any]:
    """Return twelve branches with five properties that lead back to the union, which stalled another tool for hours."""
    branches = []
    for index in range(12):
        properties: dict[str, Any] = {f"child_{number}": {"$ref": "#/$defs/node"} for number in range(5)}
        properties[f"size_{index}"] = {"type": "integer", "maximum": limit if index == 11 else 10}
        required = [f"size_{index}"]
        if discriminated:
            properties["kind"] = {"const": f"kind_{index}"}
            required.append("kind")
        branches.append({"type": "object", "properties": properties, "required": required})
    return {"$ref": "#/$defs/node", "$defs": {"node": {"oneOf": branches}}}


def growth(costs: list[int]) -> list[float]:
    """Return the ratios of consecutive costs, where each question is twice as large as the one before."""
    return [later / earlier for earlier, later in pairwise(costs)]


def compared_both_ways(old: Any, new: Any) -> list[Verdict]:
    """Return the verdicts in both directions and under both policies; an exception fails the test."""
    return [
        compare_schemas(old, new, direction=direction, policy=policy).verdict
        for direction in ("input", "output")
        for policy in ("declared", "sets")
    ]


@pytest.mark.parametrize("discriminated", [True, False])
def test_the_same_question_twice_takes_the_same_steps(discriminated: bool) -> None:
    old = circular_branches(discriminated=discriminated)
    new = circular_branches(discriminated=discriminated, limit=9)

    assert inclusion(old, new) == inclusion(old, new)


@pytest.mark.parametrize("discriminated", [True, False])
def test_twelve_branches_of_five_circular_properties_end_within_the_budget(discriminated: bool) -> None:
    old = circular_branches(discriminated=discriminated)
    wider = circular_branches(discriminated=discriminated, limit=11)

    same, widened = inclusion(old, old, budget=BUDGET), inclusion(old, wider, budget=BUDGET)

    assert same.answer == "yes"
    assert widened.steps <= BUDGET
    if discriminated:
        assert widened.answer == "yes"
    else:  # two branches now accept what only one accepted
        assert (widened.answer, widened.witness) == ("no", {"size_0": 0, "size_11": 11})


def test_a_break_in_one_of_twelve_circular_branches_is_found() -> None:
    old = circular_branches(discriminated=True)
    new = circular_branches(discriminated=True, limit=9)

    found = inclusion(old, new)

    assert (found.answer, found.witness) == ("no", {"kind": "kind_11", "size_11": 10})


def test_a_choice_of_satisfied_formulas_costs_only_the_reading() -> None:
    held: dict[str, Any] = {"type": "object", "required": ["a"]}
    choices: list[Any] = [
        {"anyOf": [held, {"required": [f"b{index}"]}, {"required": [f"c{index}"]}]} for index in range(32)
    ]

    rights: tuple[dict[str, Any], ...] = ({"required": ["z"]}, {"type": "object"})

    refuted, proved = (inclusion({"allOf": [held, *choices]}, right) for right in rights)

    assert (refuted.answer, proved.answer) == ("no", "yes")
    assert refuted.steps - proved.steps < 10


@pytest.mark.parametrize(("maximum", "answer"), [(11, "yes"), (9, "no")])
def test_steps_grow_in_proportion_to_the_properties(maximum: int, answer: str) -> None:
    found = [
        inclusion(
            a_tool(count, last={"type": "integer", "maximum": 10}),
            a_tool(count, last={"type": "integer", "maximum": maximum}),
            budget=ENDLESS,
        )
        for count in (100, 200, 400)
    ]

    assert {one.answer for one in found} == {answer}
    assert all(ratio < 2.5 for ratio in growth([one.steps for one in found]))


def test_a_name_is_compared_with_the_schemas_that_may_constrain_it() -> None:
    def steps(count: int, **more: Any) -> int:
        members: list[Any] = [{"properties": {f"p{index}": {"minimum": index}}, **more} for index in range(count)]
        asked: Any = {"type": "object", "required": [f"p{index}" for index in range(count)], "allOf": members}
        return inclusion(asked, {"minProperties": count + 1}).steps

    assert growth([steps(100), steps(200), steps(400)]) == pytest.approx([2, 2], abs=0.05)
    assert steps(400, additionalProperties={"minimum": -1}) - steps(400) > 500  # 160,000 schemas of one name


def test_steps_grow_no_faster_than_the_values_of_an_enum() -> None:
    found: list[Inclusion] = []
    for count in (1_000, 2_000, 4_000):
        values: list[Any] = [f"value-{index}" for index in range(count)]
        found += [inclusion({"enum": values}, {"enum": [*values, "more"]}, budget=ENDLESS)]

    assert {one.answer for one in found} == {"yes"}
    assert all(ratio < 2.5 for ratio in growth([one.steps for one in found]))


class CountingProver(Prover):
    """A search that counts its questions, including those with known answers."""

    asked = 0

    def satisfy(self, parts: Iterable[Formula]) -> Answer:
        self.asked += 1
        return super().satisfy(parts)


def test_like_items_of_a_long_array_are_searched_once() -> None:
    graph = Graph({"type": "array", "minItems": 30_000, "prefixItems": [{}, {"type": "null"}], "items": {"minimum": 1}})
    prover = CountingProver(Formulas(graph), Budget(ENDLESS))

    found = prover.satisfy((graph.root(0),))

    assert isinstance(found, Found)
    assert isinstance(found.value, list)
    assert len(found.value) == 30_000
    assert prover.asked < 20


def test_what_judges_one_value_nests_as_deeply_as_it_is_written() -> None:
    text: Any = {"type": "string"}
    nested: Any = {"allOf": [{"anyOf": [text, {"minLength": 1}]}, {"not": text}]}

    assert [Graph(schema).in_place_depth for schema in (text, nested, {"items": nested})] == [1, 3, 3]


def test_formulas_and_their_indexes_are_made_once() -> None:
    graph = Graph({"type": "object", "properties": {"a": {"type": "string"}}})
    formulas, number = Formulas(graph), graph.root(0)
    prover = Prover(formulas, Budget(ENDLESS))
    pairs: tuple[tuple[str, Formula], ...] = (("a", number),)
    others: tuple[tuple[str, Formula], ...] = (("b", number),)

    assert formulas.of(number, "object") is formulas.of(number, "object")
    assert prover.index(pairs) is prover.index(pairs)
    assert prover.index(others) == {"b": number}


def test_past_its_budget_a_question_is_unknown_and_says_so() -> None:
    old = a_tool(100, last={"type": "integer", "maximum": 10})
    new = a_tool(100, last={"type": "integer", "maximum": 9})

    found = inclusion(old, new, budget=150)

    assert (found.answer, found.reason) == ("unknown", "the proof takes more than 150 steps")
    assert found.steps <= 280


def test_two_thousand_properties_are_judged() -> None:
    old = a_tool(2_000, last={"type": "integer", "maximum": 10})
    new = a_tool(2_000, last={"type": "integer", "maximum": 9})

    comparison = compare_schemas(old, new, policy="sets")

    assert comparison.verdict == "breaking"
    assert [change.code for change in comparison.changes] == ["BC207"]


def test_an_enum_of_five_megabytes_is_judged() -> None:
    values: list[Any] = [f"value-{index:04d}-{'x' * 2_500}" for index in range(2_000)]

    comparison = compare_schemas({"enum": values}, {"enum": values[:-1]}, policy="sets")

    assert comparison.verdict == "breaking"
    assert comparison.witness is not None
    assert comparison.witness.value == values[-1]


@pytest.mark.parametrize("keyword", ["not", "items", "additionalProperties", "allOf", "anyOf", "properties"])
def test_thousands_of_levels_end_in_a_verdict_or_a_reason(keyword: str) -> None:
    def nested(inner: Any) -> Any:
        for _ in range(4_000):
            held: Any = [inner] if keyword in ("allOf", "anyOf") else {"a": inner} if keyword == "properties" else inner
            inner = {keyword: held}
        return inner

    comparison = compare_schemas(nested({"type": "string"}), nested({"type": "integer"}))

    assert comparison.verdict == "unknown"
    assert comparison.reason is not None
    assert comparison.reason.message


IN_PLACE: dict[str, Any] = {
    "each the other": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    "itself": {"$ref": "#"},
    "any of itself": {"anyOf": [{"$ref": "#"}, {"type": "string"}]},
    "all of itself": {"allOf": [{"$ref": "#"}]},
    "one of itself": {"oneOf": [{"$ref": "#"}, {"type": "string"}]},
    "not itself": {"not": {"$ref": "#"}},
    "if itself": {"if": {"$ref": "#"}, "then": {"type": "string"}},
}


@pytest.mark.parametrize("name", IN_PLACE)
@pytest.mark.parametrize("other", [{"type": "string"}, True, False, {"type": "object", "properties": {"a": {}}}])
def test_a_reference_to_its_own_place_never_runs_on(name: str, other: Any) -> None:
    found = [inclusion(IN_PLACE[name], other), inclusion(other, IN_PLACE[name])]

    assert all(one.steps <= 1_000 for one in found)
    assert all(one.reason for one in found if one.answer == "unknown")
    if isinstance(other, dict):
        assert len(compared_both_ways(IN_PLACE[name], other)) == 4


UNREADABLE: dict[str, Any] = {
    "unresolved": {"$ref": "#/$defs/nowhere"},
    "remote": {"$ref": "https://example.com/schema.json"},
    "unsupported dialect": {"$schema": "http://json-schema.org/draft-03/schema#", "type": "string"},
    "malformed dialect": {"$schema": 5},
    "unknown type": {"type": "strnig"},
    "malformed properties": {"properties": []},
    "malformed required": {"required": "name"},
    "malformed enum": {"enum": "a"},
    "malformed bound": {"minimum": "1"},
    "malformed pattern": {"pattern": "("},
    "a string": "string",
    "a number": 5,
    "an array": [],
}


@each("name", UNREADABLE)
def test_an_unreadable_schema_is_unknown_with_a_reason(name: str) -> None:
    text: Any = {"type": "string"}
    for old, new in ((text, UNREADABLE[name]), (UNREADABLE[name], text)):
        comparison = compare_schemas(old, new)
        found = inclusion(old, new)

        assert (comparison.verdict, found.answer) == ("unknown", "unknown")
        assert comparison.reason is not None
        assert comparison.reason.message
        assert found.reason
        assert found.keyword in found.pointer or found.keyword == "$schema"
        assert [change.code for change in comparison.changes] == ["BC231"]


def test_the_search_does_not_know_null_which_a_comparison_reads_as_a_schema_that_is_not_stated() -> None:
    assert inclusion(None, {"type": "string"}).answer == inclusion({"type": "string"}, None).answer == "unknown"
    assert compare_schemas(None, {"type": "object"}).verdict == "compatible"


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        (True, False, "breaking"),
        (False, True, "compatible"),
        (True, True, "compatible"),
        (False, False, "compatible"),
        (True, {}, "compatible"),
        ({}, True, "compatible"),
        ({"not": {}}, False, "compatible"),
        (False, {"type": "string"}, "compatible"),
    ],
)
def test_booleans_are_schemas(old: Any, new: Any, verdict: str) -> None:
    assert compare_schemas(old, new, policy="sets").verdict == verdict


DOUBTS = Doubt("pattern", "one"), Doubt("pattern", "another")
SURE, UNSURE = Found(1), Found(2, DOUBTS[0])


@each(
    ("answers", "first"),
    [
        ((), None),
        ((None, None), None),
        ((None, *DOUBTS), DOUBTS[0]),
        ((DOUBTS[0], None, UNSURE, Found(3, DOUBTS[1])), UNSURE),
        ((UNSURE, DOUBTS[1], None), UNSURE),
        ((DOUBTS[1], UNSURE, SURE, Found(4)), SURE),
    ],
)
def test_of_several_answers_the_surest_is_the_first(answers: tuple[Answer, ...], first: Answer) -> None:
    assert find_first(answers) is first
