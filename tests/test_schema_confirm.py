"""A witness is confirmed only if two independent validators agree, so no single error reaches a report."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.validation.validators import compile_schema, instance_errors
from mcp_contracts.witnesses.confirm import MAXIMUM_MESSAGE, Judgment, confirm, judge, quickly_judge, read_plainly
from mcp_contracts.witnesses.second_validator import UndecidedError, matches_pattern, second_error
from tests.inclusion_strategies import near_values, schemas, values
from tests.support_schemas import DRAFT_7
from tests.sweeps import size
from tests.tables import each

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
VALID, INVALID, UNKNOWN = Judgment


def recursive(value: JsonValue, depth: int) -> JsonValue:
    for _ in range(depth):
        value = {"next": value}
    return value


@each(
    ("schema", "value", "expected"),
    [
        ({"pattern": "^a$"}, "a\n", INVALID),
        ({"pattern": "^\\d$"}, "٣", INVALID),
        ({"pattern": "^\\w$"}, "é", INVALID),
        ({"pattern": "^(a+)+$"}, "a" * 40 + "!", INVALID),
        ({"patternProperties": {"^a$": False}}, {"a\n": 1}, VALID),
        ({"patternProperties": {"^a$": True}, "additionalProperties": False}, {"a\n": 1}, INVALID),
        ({"allOf": [{"patternProperties": {"^a$": True}}], "unevaluatedProperties": False}, {"a\n": 1}, INVALID),
        ({"allOf": [{"patternProperties": {"^a": True}}], "unevaluatedProperties": False}, {"ab": 1}, VALID),
        ({"anyOf": [{"properties": {"a": {"const": 1}}}, True], "unevaluatedProperties": False}, {"a": 2}, INVALID),
        ({"multipleOf": 0.1}, 0.3, VALID),
        ({"multipleOf": 0.01}, 19.99, VALID),
        ({"multipleOf": 0.1}, 0.35, INVALID),
        ({"type": "integer"}, 1.0, VALID),
        ({"type": "integer"}, 10**30, VALID),
        ({"maximum": 10**30}, 10**30 + 1, INVALID),
        ({"maximum": 9007199254740992}, 9007199254740993, INVALID),
        ({"const": 1}, True, INVALID),
        ({"const": 1}, 1.0, VALID),
        ({"enum": [True]}, 1, INVALID),
        ({"enum": [[0]]}, [False], INVALID),
        ({"uniqueItems": True}, [1, True], VALID),
        ({"uniqueItems": True}, [[1], [True], [1]], INVALID),
        ({"uniqueItems": True}, [{"a": 1}, {"a": 1.0}], INVALID),
        ({"format": "date"}, "no date", VALID),
        ({"$schema": DRAFT_7, "$ref": "#/definitions/a", "maximum": 1, "definitions": {"a": {}}}, 2, VALID),
        ({"$ref": "#/$defs/a", "maximum": 1, "$defs": {"a": {}}}, 2, INVALID),
        ({"dependencies": {"a": ["b"]}}, {"a": 1}, INVALID),
        ({"$dynamicRef": "#a", "$defs": {"a": {"$dynamicAnchor": "a", "type": "string"}}}, 1, INVALID),
    ],
)  # fmt: skip
def test_both_validators_read_a_schema_as_the_standard_does(
    schema: JsonValue, value: JsonValue, expected: Judgment
) -> None:
    opinion = judge(schema, value)

    assert opinion.judgment is expected


def test_a_schema_that_names_its_dialect_keeps_our_patterns_where_it_refers_to_itself() -> None:
    schema: JsonValue = {"$schema": DRAFT_7, "pattern": "^a$", "properties": {"next": {"$ref": "#"}}}

    opinion = judge(schema, {"next": {"next": "a\n"}})

    assert (opinion.judgment, opinion.pointer) == (INVALID, "/next/next")


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"$ref": "#"}, 1),
        ({"properties": {"next": {"$ref": "#"}}}, recursive(1, 190)),
        ({"properties": {"next": {"$ref": "#"}}}, recursive(1, 250)),
        ({"type": "number"}, float("inf")),
        ({"multipleOf": 3}, 10**1500),
        ({"multipleOf": 0.7}, 10**16),
        ({"pattern": "(?=a)(((a+)+)+)+$"}, "aaaaaaaaaaaaaaa!"),
        ({"pattern": "(?<=x)y{2}"}, "x" * 17),
        ({"$schema": "urn:unknown"}, 1),
        ({"$ref": "https://example.com/remote"}, 1),
        ({"pattern": "("}, "a"),
        (7, 7),
        ({"items": {"properties": {"a": {"$schema": DRAFT_7}}}}, [{"a": 1}]),
    ],
)
def test_what_a_validator_cannot_tell_is_unknown_and_never_raised(schema: JsonValue, value: JsonValue) -> None:
    opinion = judge(schema, value)

    assert opinion.judgment is UNKNOWN
    assert opinion.message


@settings(max_examples=size(1_000, 50), database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.booleans().flatmap(lambda draft_7: schemas(draft_7=draft_7)), st.lists(values, max_size=5))
def test_the_plain_validator_says_what_jsonschema_says_or_nothing(schema: JsonValue, more: list[Any]) -> None:
    assume(instance_errors(compile_schema(schema), None).unknown is None)
    for value in [*near_values(schema, schema), *more]:
        plain = read_plainly(schema, value, Budget(0))
        try:
            second = second_error(schema, value, Budget(0), is_wanted=False) is None
        except UndecidedError:
            continue
        assert plain is None or plain == second, (schema, value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"contains": {"const": 1}}, [1]),
        ({"multipleOf": 0.1}, 0.3),
        ({"multipleOf": 3}, 3 * 10**30),
        ({"pattern": "^(a)\\1$"}, "aa"),
        ({"$ref": "#/$defs/a%20b", "$defs": {"a b": {}}}, 1),
        ({"$ref": "#a", "$defs": {"a": {"$anchor": "a"}}}, 1),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$id": "https://a.b/c", "$ref": "#/$defs/d", "$defs": {"d": {}}}}}, 1),
        ({"allOf": [{"$id": "b", "$ref": "#/$defs/d", "$defs": {"d": {}}}], "$defs": {"d": False}}, 1),
        ({"properties": {"a": {"$schema": DRAFT_7}}}, {"a": 1}),
        ({"$ref": "#"}, 1),
        ({"$schema": "https://a.b/c"}, 1),
        ({"type": "string"}, "a" * 60_000),
    ],
)
def test_what_is_not_plain_is_left_to_jsonschema(schema: JsonValue, value: JsonValue) -> None:
    assert read_plainly(schema, value, Budget(0)) is None


def test_judging_ends_where_references_multiply() -> None:
    definitions: dict[str, JsonValue] = {
        f"d{index}": {"anyOf": [{"$ref": f"#/$defs/d{index + 1}"}] * 2} for index in range(13)
    }
    schema: JsonValue = {"$ref": "#/$defs/d0", "$defs": {**definitions, "d13": {"type": "string"}}}

    assert judge(schema, 1).judgment is UNKNOWN


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("^(?!ab)", "ac", True),
        ("^(?!ab)", "ab", False),
        ("(a)\\1", "aa", True),
        ("(a)\\1$", "a" * 17, None),
        ("^(c?)\\1((a*)*)*$", "aa!", None),
        ("^((a{0,50}){0,50}){0,50}$", "aa!", None),
        ("^(c?)\\1((a|){30}){30}$", "aa!", None),
    ],
)
def test_nonlinear_patterns_are_matched_only_on_short_texts(pattern: str, text: str, expected: bool | None) -> None:
    assert matches_pattern(pattern, text) is expected


def test_a_witness_is_confirmed_with_what_the_refusing_schema_says() -> None:
    days: JsonValue = {"type": "object", "properties": {"days": {"maximum": 10}}}
    fewer: JsonValue = {"type": "object", "properties": {"days": {"maximum": 7}}}

    confirmation = confirm(days, fewer, {"days": 8})

    assert confirmation.is_confirmed
    assert confirmation.error == "`days` is 8, greater than the maximum of 7"
    assert confirmation.pointer == "/days"


@pytest.mark.parametrize(
    ("value", "trouble"),
    [
        (11, "the accepting schema says: the value is 11, greater than the maximum of 10"),
        (5, "the rejecting schema accepts the value"),
    ],
)
def test_a_value_that_proves_nothing_is_not_confirmed(value: JsonValue, trouble: str) -> None:
    confirmation = confirm({"maximum": 10}, {"maximum": 7}, value)

    assert not confirmation.is_confirmed
    assert confirmation.trouble == trouble


def test_of_several_errors_the_most_telling_one_is_reported() -> None:
    schema: JsonValue = {"not": {"required": ["a"]}, "properties": {"a": {"properties": {"b": {"type": "string"}}}}}

    assert judge(schema, {"a": {"b": 1}}).message == "`a.b` is 1, not of type string"


def test_alternatives_that_all_fail_name_what_is_in_the_way() -> None:
    schema: JsonValue = {"anyOf": [{"required": ["b"]}, {"properties": {"a": {"type": "string"}}}]}

    message = judge(schema, {"a": 1}).message

    assert (
        message
        == 'the value is {"a": 1}, which matches none of the alternatives; nearest: `a` is 1, not of type string'
    )


def test_an_error_is_one_short_line() -> None:
    schema: JsonValue = {"enum": ["long " * 30, "longer " * 30, "x\ny" * 40]}

    message = judge(schema, "value\n" * 100).message

    assert len(message) <= MAXIMUM_MESSAGE
    assert message.isprintable()


def test_a_quick_judgment_uses_only_the_first_validator() -> None:
    schemas: list[JsonValue] = [{"maximum": 2}, {"maximum": 1}, {"pattern": "("}]

    judgments = [quickly_judge(schema, 2) for schema in schemas]

    assert judgments == [VALID, INVALID, UNKNOWN]


def evolutions() -> list[tuple[str, JsonValue, JsonValue, JsonValue]]:
    """Return witnesses that others found: values that one schema accepts and the other rejects."""
    keys = (("before", "after", "witness_s1_not_s2"), ("after", "before", "witness_s2_not_s1"),
            ("before", "after", "witness_old_not_new"), ("after", "before", "witness_new_not_old"))  # fmt: skip
    found = []
    for path in sorted(Path(CORPUS or "", "evolution").glob("*.jsonl")) if CORPUS else ():
        for line in path.read_text(encoding="utf-8").splitlines():
            record: dict[str, Any] = json.loads(line)
            for accepting, refusing, key in keys:
                if record.get(key) is not None:
                    sides = [record[side] for side in (accepting, refusing)]
                    if record["draft"] == "7":
                        sides = [{"$schema": DRAFT_7, **side} if isinstance(side, dict) else side for side in sides]
                    found.append((f"{record['id']} {key}", sides[0], sides[1], record[key]))
    return found


@pytest.mark.skipif(not CORPUS, reason="MCP_CONTRACTS_CORPUS does not say where the evolutions are")
def test_the_witnesses_of_others_are_confirmed() -> None:
    troubles = {name: confirm(old, new, value).trouble for name, old, new, value in evolutions()}

    assert len(troubles) > 300
    assert {name: trouble for name, trouble in troubles.items() if trouble} == {}


def test_the_automata_of_patterns_are_paid_for() -> None:
    def spent_on(text: str) -> float:
        budget = Budget(1_000)
        judge({"properties": {"a": {"pattern": text}}}, {"a": "b"}, budget)
        return 1_000 - budget.left

    assert spent_on("^b{1,900}$") > spent_on("^b{1,9}$") + 2
