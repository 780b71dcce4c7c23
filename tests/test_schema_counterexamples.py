"""Witnesses are found if the prover finds none, and are small and natural for people."""

from __future__ import annotations

import json

import pytest

from mcp_contracts.contract import JsonValue
from mcp_contracts.patterns import languages
from mcp_contracts.patterns.automata import STATES_PER_STEP
from mcp_contracts.schema.budget import Budget
from mcp_contracts.witnesses.confirm import confirm
from mcp_contracts.witnesses.counterexamples import candidates, make_readable, sample_witness
from tests.sweeps import share, sweep
from tests.tables import each
from tests.test_schema_confirm import CORPUS, evolutions


def search(**properties: JsonValue) -> JsonValue:
    """Return a tool's input, with some properties declared differently."""
    declared: dict[str, JsonValue] = {
        "repo": {"type": "string", "examples": ["a/b"]},
        "query": {"type": "string"},
        "limit": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "at": {"type": "string", "format": "date-time"},
    }
    return {"type": "object", "properties": {**declared, **properties}, "required": ["repo", "query"]}


def with_filter(value: JsonValue) -> JsonValue:
    """Return a recursive filter around a value."""
    items: JsonValue = {"type": "array", "items": {"$ref": "#/$defs/filter"}}
    return {
        "type": "object",
        "properties": {"filter": {"$ref": "#/$defs/filter"}},
        "$defs": {"filter": {"type": "object", "properties": {"and": items, "value": value}}},
    }


def shape(kind: str, size: str) -> JsonValue:
    return {
        "type": "object",
        "properties": {"kind": {"const": kind}, size: {"type": "number"}},
        "required": ["kind", size],
    }


UGLY: JsonValue = {"zz5": {"a": [1]}, "limit": 1000, "tags": ["", "8", "", "q"], "query": "12-34 Ä\n", "repo": "zz5/q"}


@each(
    ("accepting", "refusing", "ugly", "nice"),
    [
        (search(), search(limit={"maximum": 50}), UGLY, {"repo": "a/b", "query": "text", "limit": 51}),
        (search(), search(limit={"type": "string"}), UGLY, {"repo": "a/b", "query": "text", "limit": 1}),
        (search(), search(tags={"maxItems": 1}), UGLY, {"repo": "a/b", "query": "text", "tags": ["text", "text"]}),
        (search(), search(query={"maxLength": 5}), UGLY, {"repo": "a/b", "query": "xxxxxx"}),
        (search(), search(query={"pattern": "^[a-z]+$"}), UGLY, {"repo": "a/b", "query": "A"}),
        (search(), search(query={"enum": ["on", "off"]}), UGLY, {"repo": "a/b", "query": "text"}),
        (search(), search(at={"type": "integer"}), {"query": "", "repo": "", "at": ""},
         {"repo": "a/b", "query": "text", "at": "2026-01-31T12:00:00Z"}),
        (search(), {"required": ["at"]}, UGLY, {"repo": "a/b", "query": "text"}),
        (search(), {"properties": {"repo": {}, "query": {}}, "additionalProperties": False}, {**UGLY, "repo": "r"},  # type: ignore[dict-item] # UGLY is an object
         {"repo": "a/b", "query": "text", "extra": "text"}),
        ({"type": "number"}, {"type": "integer"}, -3.25, 1.5),
        ({"type": "integer"}, {"minimum": 0}, -99, -1),
        ({"type": "integer"}, {"multipleOf": 5}, 10007, 1),
        ({"enum": ["a", "b", "c"]}, {"enum": ["a", "b"]}, "c", "c"),
        ({"type": ["string", "null"]}, {"type": "string"}, None, None),
        ({"items": {"type": "integer"}, "type": "array"}, {"uniqueItems": True}, [5, 6, 7, 8, 7, 99], [1, 1]),
        ({"anyOf": [shape("circle", "radius"), shape("box", "width")]}, shape("circle", "radius"),
         {"x": [[]], "width": -8.25, "kind": "box"}, {"kind": "box", "width": 1}),
        (with_filter({"type": "string"}), with_filter({"type": "integer"}),
         {"filter": {"and": [{"and": [{"value": "zzz"}, {}]}, {"value": "q"}]}}, {"filter": {"value": "text"}}),
    ],
)  # fmt: skip
def test_an_ugly_witness_becomes_one_that_people_can_read(
    accepting: JsonValue, refusing: JsonValue, ugly: JsonValue, nice: JsonValue
) -> None:
    shaped = make_readable(ugly, accepting, refusing)

    assert json.dumps(shaped) == json.dumps(nice)
    assert confirm(accepting, refusing, shaped).is_confirmed


def test_a_value_that_proves_nothing_is_left_unchanged() -> None:
    assert make_readable({"b": 1}, {"type": "object"}, {"type": "object"}) == {"b": 1}


@pytest.mark.parametrize("steps", [0, 1, 5, 20])
def test_shaping_stops_at_its_budget_with_what_still_proves(steps: int) -> None:
    refusing = search(limit={"maximum": 50})

    shaped = make_readable(UGLY, search(), refusing, budget=Budget(steps))

    assert confirm(search(), refusing, shaped).is_confirmed


def test_shaping_is_deterministic() -> None:
    refusing = search(limit={"maximum": 50})

    assert make_readable(UGLY, search(), refusing) == make_readable(UGLY, search(), refusing)


@pytest.mark.parametrize(
    ("accepting", "refusing"),
    [
        ({"type": "integer", "maximum": 100}, {"type": "integer", "maximum": 50}),
        ({"type": "string", "pattern": "^[a-z]{3}-[0-9]+$"}, {"type": "string", "maxLength": 6}),
        ({"type": "object"}, {"type": "object", "patternProperties": {"^x$": {"type": "integer"}}}),
        ({"type": "object"}, {"type": "object", "propertyNames": {"maxLength": 3}}),
        ({"type": "array"}, {"type": "array", "uniqueItems": True}),
        (search(), search(tags={"type": "array", "items": {"type": "string", "maxLength": 8}})),
        ({"type": "string"}, {"not": {"enum": ["secret"]}}),
        (with_filter({"type": "string"}), with_filter({"type": "integer"})),
        (
            {"properties": {"a": {"enum": ["x", "y"]}}},
            {"if": {"required": ["a"], "properties": {"a": {"const": "y"}}}, "then": {"required": ["b"]}},
        ),
    ],
)
def test_sampling_finds_a_witness_at_the_limits_of_both_schemas(accepting: JsonValue, refusing: JsonValue) -> None:
    witness = sample_witness(accepting, refusing)

    assert confirm(accepting, refusing, witness).is_confirmed


def test_sampling_equal_schemas_finds_nothing() -> None:
    assert sample_witness(search(), search(), most=300) is None


def test_candidates_are_as_many_as_are_asked_for_and_the_same_each_time() -> None:
    first = list(candidates(search(), search(limit={"maximum": 5}), most=50))

    assert len(first) == 50
    assert first == list(candidates(search(), search(limit={"maximum": 5}), most=50))


@sweep
@pytest.mark.skipif(not CORPUS, reason="MCP_CONTRACTS_CORPUS does not say where the evolutions are")
def test_shaped_witnesses_of_others_are_confirmed() -> None:
    shaped = [
        (name, old, new, make_readable(value, old, new, budget=Budget(70)))
        for name, old, new, value in share(evolutions(), 21)
    ]

    assert [name for name, old, new, value in shaped if not confirm(old, new, value).is_confirmed] == []


def test_objects_with_as_many_members_as_a_limit_requires_are_tried() -> None:
    few: JsonValue = {"type": "object", "minProperties": 3, "additionalProperties": {"type": "integer"}}

    tried = list(candidates(few, {"type": "object", "maxProperties": 2}, most=50))

    assert any(isinstance(value, dict) and len(value) == 3 for value in tried)


def test_strings_that_are_found_for_patterns_are_paid_from_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    # Long repetitions before different ends: no string matches both, which takes long to prove.
    accepting: JsonValue = {"type": "string", "pattern": r"^[a-k]{1,300}(-[a-z0-9]{2,80})*x$"}
    refusing: JsonValue = {"type": "string", "pattern": r"^[a-k]{1,300}(-[a-z0-9]{2,80})*y$"}
    states: list[object] = []
    follow = languages._Query.following

    def following(query: languages._Query, state: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
        states.append(state)
        return follow(query, state)

    monkeypatch.setattr(languages._Query, "following", following)
    budget = Budget(60)

    make_readable("kkkkx", accepting, refusing, budget=budget)

    assert len(states) < 2 * budget.total * STATES_PER_STEP
