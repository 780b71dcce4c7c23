"""Attacks that broke the engine once: each break is found, each limit is reported, and each comparison ends."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from mcp_contracts.change import POLICIES, Policy, Verdict
from mcp_contracts.changes import schemas
from mcp_contracts.changes.absent import SchemaDirection
from mcp_contracts.changes.policies import SchemaComparison
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.decision import inclusion
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.validation.validators import compile_schema, instance_errors
from tests.sweeps import size, sweep
from tests.tables import each

DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def accepts(schema: Any, value: Any) -> bool:
    return instance_errors(compile_schema(schema), value).is_valid


def an_object(count: int, words: str, **more: Any) -> dict[str, Any]:
    """Return properties with descriptions."""
    described = {f"p{index}": {"type": "string", "description": f"{words} {index}"} for index in range(count)}
    return {"type": "object", "properties": {**described, **more}}


def judged(comparison: SchemaComparison, words: str) -> list[Verdict]:
    """Return the verdicts on the changes whose message contains some words."""
    return [change.verdict for change in comparison.changes if words in change.message]


BREAKS: dict[str, tuple[Any, Any]] = {
    "an integer beyond 2**53 whose binary number is smaller": (
        {"type": "object", "properties": {"a": {"maximum": 10**23}}},
        {"type": "object", "properties": {"a": {"maximum": 1e23}}},
    ),
    "a constant beyond 2**53 that no binary number equals": (
        {"type": "object", "properties": {"a": {"const": 10**23}}},
        {"type": "object", "properties": {"a": {"const": 1e23}}},
    ),
    "words that a reference leads to": (
        {"properties": {"a": {"$ref": "#/default"}}, "default": {"type": "string"}},
        {"properties": {"a": {"$ref": "#/default"}}, "default": {"type": "integer"}},
    ),
    "a part of words that a reference leads to": (
        {"properties": {"a": {"$ref": "#/examples/0"}}, "examples": [{"type": "string"}]},
        {"properties": {"a": {"$ref": "#/examples/0"}}, "examples": [{"type": "integer"}]},
    ),
    "a name that two patterns ask for, where one member is allowed": (
        {"type": "object", "maxProperties": 1},
        {
            "anyOf": [
                {"patternProperties": {"b$": {"type": "string"}}},
                {"patternProperties": {"^a": {"type": "integer"}}},
            ]
        },
    ),
    "a name that a pattern and `propertyNames` ask for, where one member is allowed": (
        {"type": "object", "maxProperties": 1},
        {"anyOf": [{"patternProperties": {"b$": {"type": "string"}}}, {"propertyNames": {"maxLength": 1}}]},
    ),
    "`if` without `then` evaluates": (
        {"type": "object", "if": {"properties": {"a": True}}, "unevaluatedProperties": False},
        {"type": "object", "maxProperties": 0},
    ),
    "`if` without `then` evaluates items": (
        {"type": "array", "if": {"prefixItems": [True]}, "unevaluatedItems": False},
        {"type": "array", "maxItems": 0},
    ),
    "names that a pattern without line breaks does not match": (
        {"type": "object", "patternProperties": {"^.*$": False}, "minProperties": 2},
        {"type": "object", "additionalProperties": {"type": "string"}},
    ),
    "`dependencies` where no dialect is named": (
        {"type": "object"},
        {"type": "object", "dependencies": {"a": ["b"]}},
    ),
    "`dependencies` beside `dependentRequired`": (
        {"type": "object", "dependentRequired": {"a": ["b"]}},
        {"type": "object", "dependentRequired": {"a": ["b"]}, "dependencies": {"a": ["c"]}},
    ),
    "`dependencies` beside `dependentSchemas`": (
        {"type": "object", "dependentSchemas": {"a": {"minProperties": 2}}},
        {
            "type": "object",
            "dependentSchemas": {"a": {"minProperties": 2}},
            "dependencies": {"a": {"maxProperties": 2}},
        },
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_that_was_missed_is_found(name: str) -> None:
    old, new = BREAKS[name]

    found = inclusion(old, new)

    assert found.answer == "no"
    assert accepts(old, found.witness)
    assert not accepts(new, found.witness)
    assert compare_schemas(old, new, policy="sets").verdict is Verdict.BREAKING


def test_dependencies_of_2020_12_evaluate_nothing() -> None:
    old: Any = {"type": "object", "dependencies": {"a": {"properties": {"b": True}}}, "unevaluatedProperties": False}

    assert inclusion(old, {"maxProperties": 0}).answer == "yes"


@pytest.mark.parametrize("policy", POLICIES)
def test_a_dynamic_reference_in_draft_7_has_no_effect(policy: Any) -> None:
    new: Any = {
        "$dynamicAnchor": "node",
        "type": "object",
        "properties": {"a": {"type": "array", "contains": {"$dynamicRef": "#node"}}},
        "additionalProperties": False,
    }

    found = compare_schemas({"$schema": DRAFT_7, **new}, new, policy=policy)

    assert found.verdict is Verdict.BREAKING


@pytest.mark.parametrize("direction", ["input", "output"])
def test_a_property_removed_after_a_hundred_reworded_ones_breaks(direction: Any) -> None:
    old, new = an_object(150, "old", last={"type": "string"}), an_object(150, "new")

    found = compare_schemas(old, new, direction=direction)

    assert found.verdict is Verdict.BREAKING
    assert judged(found, "`last` was removed") == [Verdict.BREAKING]


def test_each_of_three_hundred_removed_properties_breaks() -> None:
    found = compare_schemas(an_object(300, "old"), {"type": "object", "properties": {"other": {}}})

    assert judged(found, "was removed") == [Verdict.BREAKING] * 300


def test_a_narrowing_after_a_hundred_reworded_properties_breaks() -> None:
    old, new = an_object(150, "old", last={"type": "string"}), an_object(150, "new", last={"type": "integer"})

    assert judged(compare_schemas(old, new), "became integer") == [Verdict.BREAKING]


def test_places_that_are_not_compared_are_unknown_under_declared() -> None:
    old: dict[str, Any] = {"type": "object", "properties": {"gone": {"type": "string"}}}
    new: dict[str, Any] = {"type": "object", "properties": {}}
    for _ in range(60):
        old, new = {"type": "object", "properties": {"a": old}}, {"type": "object", "properties": {"a": new}}
    for _ in range(60):
        old, new = {"properties": {"a": old}}, {"properties": {"a": new}}

    assert compare_schemas(old, new).verdict is not Verdict.COMPATIBLE


@each("number", [math.nan, math.inf, -math.inf])
@each("keyword", ["minimum", "enum", "const", "multipleOf", "default"])
def test_a_number_that_json_has_not_is_unknown_with_a_reason(number: float, keyword: str) -> None:
    schema = {"type": "number", keyword: [number] if keyword == "enum" else number}

    for old, new in ((schema, {"type": "number"}), ({"type": "number"}, schema)):
        found = compare_schemas(old, new)

        assert found.verdict is Verdict.UNKNOWN
        assert "not finite" in json.dumps(found.reason.message if found.reason else "")


@pytest.mark.parametrize("items", [True, False, {"type": "string"}])
def test_additional_items_of_draft_7_say_nothing_next_to_items_that_are_no_list(items: Any) -> None:
    old = {"$schema": DRAFT_7, "type": "array", "items": items, "additionalItems": False}
    new = {"$schema": DRAFT_7, "type": "array", "items": items, "additionalItems": {"type": "integer"}, "minItems": 1}

    assert compare_schemas(old, new).verdict is Verdict.BREAKING
    assert compare_schemas(new, old).verdict is Verdict.COMPATIBLE


def strings(**more: Any) -> dict[str, Any]:
    return {"type": "array", "contains": {"type": "string"}, **more}


DECIDED: dict[str, tuple[Any, Any, str]] = {
    "thirty items that are counted": (strings(maxContains=30), strings(maxContains=29), "no"),
    "thirty items that are counted, one more": (strings(maxContains=29), strings(maxContains=30), "yes"),
    "six `contains`": (
        {"type": "array", "allOf": [{"contains": {"minimum": n}, "maxContains": n + 3} for n in range(6)]},
        {"type": "array", "allOf": [{"contains": {"minimum": n}, "maxContains": n + 4} for n in range(6)]},
        "yes",
    ),
    "six `contains`, one item less": (
        {"type": "array", "allOf": [{"contains": {"const": n}} for n in range(6)]},
        {"type": "array", "minItems": 7},
        "no",
    ),
    "a `contains` exchanged over items of two values": (
        {"type": "array", "items": {"enum": [1, 2]}, "contains": {"const": 1}, "maxContains": 2, "minItems": 3},
        {"type": "array", "contains": {"const": 2}, "minContains": 1},
        "yes",
    ),
    "counts and different items": (
        {"items": {"enum": [1, 2, 3]}, "contains": {"minimum": 2}, "maxContains": 1, "uniqueItems": True},
        {"type": ["object", "string", "number", "boolean", "null", "array"], "maxItems": 2},
        "yes",
    ),
    "equal items": ({"type": "array", "not": {"uniqueItems": True}}, {"minItems": 2}, "yes"),
    "equal items that are counted": (
        {
            "type": "array",
            "not": {"uniqueItems": True},
            "contains": {"type": "string"},
            "maxContains": 2,
            "maxItems": 2,
        },
        {"maxItems": 0},
        "no",
    ),
    "`unevaluatedProperties` beside many branches": (
        {
            "type": "object",
            "anyOf": [{"properties": {f"a{n}": {"type": "string"}}} for n in range(10)],
            "unevaluatedProperties": False,
        },
        {"type": "object", "properties": {"b": False}},
        "yes",
    ),
    "`unevaluatedProperties` beside conditions": (
        {
            "type": "object",
            "allOf": [{"if": {"required": [f"a{n}"]}, "then": {"properties": {f"b{n}": True}}} for n in range(8)],
            "unevaluatedProperties": False,
        },
        {"type": "object", "maxProperties": 0},
        "yes",
    ),
    "`unevaluatedItems` beside branches": (
        {"type": "array", "anyOf": [{"prefixItems": [True] * n} for n in range(1, 9)], "unevaluatedItems": False},
        {"type": "array", "maxItems": 7},
        "no",
    ),
    "`unevaluatedItems` in a branch": (
        {"allOf": [{"items": {"type": "integer"}}], "unevaluatedItems": False, "type": "array"},
        {"maxItems": 0},
        "no",
    ),
}


@pytest.mark.parametrize("name", DECIDED)
def test_what_took_forever_or_was_unknown_is_decided(name: str) -> None:
    left, right, answer = DECIDED[name]

    found = inclusion(left, right)

    assert found.answer == answer
    assert found.steps < 2_000
    if answer == "no":
        assert accepts(left, found.witness)
        assert not accepts(right, found.witness)


PATTERNS: dict[str, tuple[str, Any, Any, Verdict]] = {
    "`unevaluatedProperties` beside a pattern": (
        "output",
        {"patternProperties": {"^x-": {"type": "string"}}, "unevaluatedProperties": False},
        {"patternProperties": {"^x-": {"type": "string"}}},
        Verdict.COMPATIBLE,
    ),
    "a pattern in `not`": (
        "output",
        {"not": {"patternProperties": {"^x": {"type": "number"}}}},
        {"not": {"patternProperties": {"^x": {"type": "integer"}}}},
        Verdict.BREAKING,
    ),
    "a listed name that a pattern matches": (
        "input",
        {
            "properties": {"ab": {"oneOf": [{}, {"additionalProperties": {"const": "a"}}]}},
            "anyOf": [{"patternProperties": {"a": {}}}],
        },
        {"properties": {"ab": {"oneOf": [{}, {}]}}},
        Verdict.BREAKING,
    ),
    "a surrogate pair": ("input", {"pattern": r"^\uD83D\uDE00$"}, {"pattern": r"^\u{1F600}$"}, Verdict.COMPATIBLE),
    "a range of surrogate pairs": (
        "input",
        {"pattern": r"^[\uD83D\uDE00-\uD83D\uDE4F]$"},
        {"pattern": r"^[\u{1F600}-\u{1F64E}]$"},
        Verdict.BREAKING,
    ),
    "two patterns for one name": (
        "input",
        {"patternProperties": {"^a": {"required": ["a"]}, "b$": {"required": ["b"]}}},
        {"additionalProperties": {"type": ["object", "string"], "maxProperties": 2}},
        Verdict.BREAKING,
    ),
}


@each("name", PATTERNS)
def test_patterns_that_were_undecided_are_decided_by_the_policy_declared(name: str) -> None:
    direction, old, new, verdict = PATTERNS[name]

    assert compare_schemas(old, new, direction=direction).verdict is verdict  # type: ignore[arg-type]  # of literals


def test_a_witness_has_no_more_digits_than_it_needs() -> None:
    old, new = {"type": "number", "maximum": 1.7000000000000002}, {"type": "number", "maximum": 1.5}

    witness = compare_schemas(old, new).witness

    assert witness is not None
    assert len(repr(witness.value)) <= 4


def wide(count: int, **member: Any) -> dict[str, Any]:
    """Return many equal properties."""
    return {"type": "object", "properties": {f"p{index}": {"type": "string", **member} for index in range(count)}}


WIDE: dict[str, tuple[Any, Any, Policy]] = {
    "more than are read": (wide(1_100, maxLength=20), wide(1_100, maxLength=10), "declared"),
    "gone": (wide(1_100), wide(1), "strict"),
    "new": (wide(0), wide(1_100), "sets"),
}
STEPS = 10_000


@cache
def thousands(name: str) -> tuple[SchemaComparison, float]:
    """Compare more properties than are listed, and return the number of steps."""
    old, new, policy = WIDE[name]
    budget = Budget(STEPS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schemas, "_MOST_READ", 1_000)
        return compare_schemas(old, new, policy=policy, budget=budget), budget.spent


@pytest.mark.parametrize(("name", "verdict"), [("gone", "breaking"), ("more than are read", "unknown")])
def test_thousands_of_changes_are_listed_up_to_a_limit_and_paid_in_steps(name: str, verdict: str) -> None:
    found, steps = thousands(name)

    assert found.verdict == verdict
    assert len(found.changes) == 1_001
    assert judged(found, "more changes are not listed") == [found.verdict]
    assert steps < 1.6 * STEPS


def test_what_is_not_judged_names_its_keyword_and_place() -> None:
    first = thousands("more than are read")[0].changes[0]

    assert first.verdict is Verdict.UNKNOWN
    assert first.reason is not None
    assert first.reason.keyword == "maxLength"
    assert first.reason.pointer == "/properties/p0/maxLength"


def test_new_properties_past_the_limit_are_counted() -> None:
    found, _ = thousands("new")

    assert len(found.changes) == 1_001
    assert len(judged(found, "100 more changes are not listed")) == 1


def test_what_is_gone_or_required_breaks_after_thousands_of_changes() -> None:
    old, new = wide(1_200, maxLength=10), wide(1_200, maxLength=20)
    new["required"] = ["p7", "p1198"]
    del new["properties"]["p1199"]

    found = compare_schemas(old, new, budget=Budget(STEPS))

    assert judged(found, "is now required") == [Verdict.BREAKING] * 2
    assert judged(found, "`p1199` was removed") == [Verdict.BREAKING]
    assert found.witness is not None
    assert accepts(old, found.witness.value)
    assert not accepts(new, found.witness.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ({"not": {"required": ["a"]}}, {"not": {"required": ["a", "b"]}}, "the schema in `not` now requires `b`"),
        ({"not": {"required": ["a", "b"]}}, {"not": {"required": ["a"]}}, "the schema in `not` no longer requires `b`"),
        (
            {"if": {"required": ["a"]}, "then": {"maxProperties": 2}},
            {"if": {"required": ["a", "b"]}, "then": {"maxProperties": 2}},
            "the schema in `if` now requires `b`",
        ),
        (
            {"properties": {"not": {"type": "object"}}},
            {"properties": {"not": {"type": "object", "required": ["a"]}}},
            "`not.a` is now required, although it is not declared",
        ),
        (
            {"not": {"$ref": "#/$defs/k"}, "$defs": {"k": {"required": ["a", "b"]}}},
            {"not": {"$ref": "#/$defs/k"}, "$defs": {"k": {"required": ["a"]}}},
            "the schema in `not` no longer requires `b`",
        ),
        (
            {"not": {"$ref": "#/$defs/k"}, "$defs": {"k": {"properties": {"a": {"type": "string"}}}}},
            {"not": {"$ref": "#/$defs/k"}, "$defs": {"k": {"properties": {"a": {"type": "integer"}}}}},
            "`a` in `not`: type string became integer",
        ),
        (
            {"properties": {"a": {"not": {"type": "string"}}}},
            {"properties": {"a": {"not": {"type": "object"}}}},
            "`a` in `not`: type string became object",
        ),
        (
            {"if": {"maxProperties": 2}, "then": {"required": ["a"]}},
            {"if": {"maxProperties": 3}, "then": {"required": ["a"]}},
            "the arguments object in `if`: `maxProperties` 2 became 3",
        ),
        (  # the name for additional requirements of a value
            {"not": {"$ref": "#/$defs/k"}, "properties": {"q": {"$ref": "#/$defs/k"}}, "$defs": {"k": {"minimum": 1}}},
            {"not": {"$ref": "#/$defs/k"}, "properties": {"q": {"$ref": "#/$defs/k"}}, "$defs": {"k": {"minimum": 2}}},
            "`q`: `minimum` 1 became 2",
        ),
    ],
)
def test_what_a_condition_requires_is_not_called_required(old: Any, new: Any, message: str) -> None:
    found = compare_schemas({"type": "object", **old}, {"type": "object", **new})

    assert [change.message for change in found.changes] == [message]


def parameter(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "description": description, **more}


def renamed(before: dict[str, Any], after: dict[str, Any], **more: Any) -> list[str]:
    old, new = {"type": "object", "properties": before}, {"type": "object", "properties": after, **more}
    return [change.message for change in compare_schemas(old, new).changes]


def test_a_parameter_that_was_renamed_is_reported_with_the_guess_and_breaks_still() -> None:
    old = {"type": "object", "properties": {"max_results": parameter("How many results to return.")}}
    new = {
        "type": "object",
        "properties": {"limit": parameter("How many results to return.")},
        "required": ["limit"],
    }

    found = compare_schemas(old, new)

    assert judged(found, "`max_results` was removed; possibly renamed to `limit`") == [Verdict.BREAKING]
    assert judged(found, "`limit` is new and required; possibly renamed from `max_results`") == [Verdict.BREAKING]


def test_parameters_with_similar_names_are_reported_with_the_guess() -> None:
    messages = renamed({"user_id": {"type": "string"}}, {"userId": {"type": "string"}})

    assert any("possibly renamed to `userId`" in message for message in messages)


def test_parameters_whose_names_look_alike_are_reported_with_the_difference() -> None:
    composed, decomposed = "\u00e9", "e\u0301"

    messages = renamed({composed: {"type": "string"}, "x": {}}, {decomposed: {"type": "integer"}, "x": {}})

    became = r"differs only in its Unicode normalization (`\u00e9` became `e\u0301`)"
    assert messages == [
        f"`{decomposed}` is new and optional; the removed `{composed}` {became}",
        f"`{composed}` was removed; the new `{decomposed}` {became}",
    ]


@pytest.mark.parametrize(
    "after",
    [
        {"limit": parameter("How many results to return.", maximum=9)},
        {"path": parameter("Where the file is.")},
        {"limit": parameter("How many results to return."), "most": parameter("How many results to return.")},
    ],
    ids=["another schema", "other words", "two candidates"],
)
def test_parameters_that_are_not_surely_alike_are_reported_without_a_guess(after: dict[str, Any]) -> None:
    messages = renamed({"max_results": parameter("How many results to return.")}, after)

    assert not any("possibly" in message for message in messages)


def test_a_short_string_is_compared_with_letters_that_are_listed() -> None:
    letters: Any = {"enum": [chr(97 + index) for index in range(26)]}
    short: Any = {"type": "string", "maxLength": 1}

    assert inclusion(short, letters).answer == "no"
    assert inclusion(letters, short).answer == "yes"


def test_hundreds_of_members_are_counted() -> None:
    fewer: Any = {"type": "object", "minProperties": 119}
    more: Any = {"type": "object", "minProperties": 120}

    assert inclusion(more, fewer).answer == "yes"
    assert inclusion(fewer, more).answer == "no"


EVALUATED: dict[str, tuple[Any, Any]] = {
    "by `contains`": (
        {
            "type": "array",
            "prefixItems": [{"type": "string"}],
            "contains": {"type": "integer"},
            "unevaluatedItems": False,
        },
        {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}, "minItems": 2},
    ),
    "by `unevaluatedItems` of a branch": (
        {
            "type": "array",
            "allOf": [{"prefixItems": [True], "unevaluatedItems": {"type": "object"}}],
            "prefixItems": [True],
            "unevaluatedItems": False,
        },
        {"type": "array", "prefixItems": [True], "items": {"type": "object"}},
    ),
}


@pytest.mark.parametrize("name", EVALUATED)
def test_items_that_cannot_be_read_by_their_names_are_evaluated_still(name: str) -> None:
    old, new = EVALUATED[name]

    assert compare_schemas(old, new, direction="output").verdict is Verdict.COMPATIBLE


def test_an_unknown_comparison_and_each_unknown_change_say_why() -> None:
    def numbers(count: int) -> Any:
        return {"type": "array", "allOf": [{"contains": {"const": index}} for index in range(count)]}

    found = compare_schemas(numbers(14), numbers(15), policy="sets")

    assert found.verdict is Verdict.UNKNOWN
    assert found.reason is not None
    assert [change.reason.keyword for change in found.changes if change.reason] == ["allOf"]


@sweep
def test_a_change_in_one_of_many_branches_that_a_property_distinguishes_is_decided() -> None:
    def branches(least: int) -> Any:
        return {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"const": index}, f"p{index}": {"type": "string", "minLength": least}},
                    "required": ["kind"],
                    "additionalProperties": False,
                }
                for index in range(size(60, 2))
            ]
        }

    assert compare_schemas(branches(0), branches(1), policy="sets").verdict is Verdict.BREAKING
    assert compare_schemas(branches(1), branches(0), policy="sets").verdict is Verdict.COMPATIBLE


ALIKE: dict[str, tuple[Any, Any, Any]] = {
    "a number and its decimal": ({"const": 1}, {"const": 1.0}, {"k": 1}),
    "lists that share a value": ({"enum": ["a", "b"]}, {"enum": ["b", "c"]}, {"k": "b"}),
    "values that are not required": ({"const": "a"}, {"const": "b"}, {}),
    "values of an object alone": ({"const": "a"}, {"const": "b"}, "text"),
    "a list that the other branch lacks": ({"const": "a"}, True, {"k": "a"}),
    "a list beside what nothing satisfies": ({"const": "a"}, {"type": "string"}, {"k": "a"}),
}


@each("one, other, value", ALIKE.values())
def test_branches_that_share_a_value_are_not_distinguished(one: Any, other: Any, value: Any) -> None:
    def branch(kind: Any) -> Any:
        types = {} if isinstance(value, str) else {"type": "object"}
        return {**types, "properties": {"k": kind}, "required": ["k"] if value else []}

    for dialect in ("https://json-schema.org/draft/2020-12/schema", DRAFT_7):
        branches = [branch(one), branch(other)]
        found = inclusion({"$schema": dialect, "anyOf": branches}, {"$schema": dialect, "oneOf": branches})

        assert found.answer == "no"
        assert not accepts({"$schema": dialect, "oneOf": branches}, value)


@each(
    "pattern, alike, value, other",
    [
        ("^[^]$", r"^[\s\S]$", "\n", ""),
        (r"^[\b]$", r"^\x08$", "\b", "b"),
        (r"^\0$", r"^\x00$", "\0", "0"),
        ("^a{,2}$", r"^a\{,2\}$", "a{,2}", "aa"),
        ("^{a}{2}$", r"^\{a\}{2}$", "{a}}", "{a}"),
    ],
)
def test_notations_that_only_ecma_262_has_are_supported(pattern: str, alike: str, value: str, other: str) -> None:
    old, new = {"type": "string", "pattern": pattern}, {"type": "string", "pattern": alike}

    assert (accepts(old, value), accepts(old, other)) == (True, False)
    if pattern == "^a{,2}$":  # Python interprets it differently
        assert compare_schemas(old, new, policy="sets").verdict is Verdict.UNKNOWN
        return
    assert compare_schemas(old, new, policy="sets").verdict is Verdict.COMPATIBLE
    assert compare_schemas(new, old, policy="sets").verdict is Verdict.COMPATIBLE
    assert compare_schemas({"type": "string"}, old, policy="sets").verdict is Verdict.BREAKING


def test_a_reference_that_leads_nowhere_is_named_by_the_policy_declared() -> None:
    lost = {"anyOf": [{"$ref": "#/$defs/t"}, False]}
    old = {
        "type": "object",
        "required": ["v"],
        "properties": {"n": {"$ref": "#", "$defs": {"u": lost}}},
        "additionalProperties": {"$ref": "#"},
    }
    new = {"type": "object", "properties": {"v": {"type": "string"}}, "required": ["v"]}

    reason = compare_schemas(old, new, direction="output", policy="declared").reason

    assert reason is not None
    assert (reason.keyword, reason.pointer) == ("$ref", "/properties/n/$defs/u/anyOf/0/$ref")


def test_the_fault_of_an_invalid_schema_is_named_with_what_to_do() -> None:
    (change,) = compare_schemas({"type": "string"}, {"type": "strng"}).changes

    assert '`type` is "strng", which is not a JSON type' in change.message
    assert change.hint == "fix the schema, then compare again"


@each("wrap", [lambda number: {"id": number}, lambda number: [number, "a"], lambda number: {"id": [number], "of": {}}])
def test_a_value_that_a_long_enum_of_objects_or_arrays_loses_is_found_in_few_steps(
    wrap: Callable[[int], JsonValue],
) -> None:
    values = [wrap(number) for number in range(4_000)]

    found = inclusion({"enum": values}, {"enum": values[:3_000] + values[3_001:]})

    assert (found.answer, found.witness) == ("no", wrap(3_000))
    assert found.steps < 8_000


_WIDE: dict[str, JsonValue] = {"name": "n", "tags": ["a"], "of": {"kind": "b", "more": {"c": [1, 2]}}}
LISTED: dict[str, tuple[JsonValue, JsonValue]] = {
    "many objects": (
        {"enum": [{"id": number, **_WIDE} for number in range(300)]},
        {"enum": [{"id": number, **_WIDE} for number in range(1, 300)]},
    ),
    "a long array": ({"const": [*range(100), 100]}, {"const": [*range(100), 101]}),
    "a long array of objects": (
        {"const": [{"id": number} for number in range(100)]},
        {"const": [{"id": number} for number in range(1, 101)]},
    ),
}


@pytest.mark.parametrize("direction", ["input", "output"])
@pytest.mark.parametrize("name", LISTED)
def test_what_a_long_list_of_values_loses_or_gains_is_a_break(direction: SchemaDirection, name: str) -> None:
    required: JsonValue = {"type": "string", "minLength": 2}
    accepting, refusing = (
        {
            "type": "object",
            "properties": {"a": {"properties": {"b": {"items": listed}}}, "c": required},
            "required": ["c"],
        }
        for listed in LISTED[name]
    )

    sides = (accepting, refusing) if direction == "input" else (refusing, accepting)
    found = compare_schemas(*sides, direction=direction, budget=Budget(600))

    assert found.verdict is Verdict.BREAKING
    assert found.witness is not None
    assert accepts(accepting, found.witness.value)
    assert not accepts(refusing, found.witness.value)


def test_a_listed_object_with_a_new_name_is_no_proof_for_consumers_that_ignore_it() -> None:
    old, new = ({"const": [*range(100), last]} for last in ({"a": 1}, {"a": 1, "b": 2}))

    found = compare_schemas(old, new, direction="output")

    assert found.verdict is Verdict.UNKNOWN
