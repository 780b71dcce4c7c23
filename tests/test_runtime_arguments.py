"""Arguments and results validated against their schemas: error messages, and the conversion of arguments."""

from __future__ import annotations

import copy
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPErrorDetail
from mcp_contracts.runtime.arguments import SUBJECT, PayloadBounds, argument_error, result_error, too_large
from mcp_contracts.runtime.calls.coercion import coerce, with_defaults
from mcp_contracts.runtime.whole_numbers import with_whole_numbers
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.validation.validators import compile_schema, instance_errors
from tests.schema_strategies import schemas, values
from tests.tables import each

SEARCH: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "limit": {"type": "integer", "maximum": 50},
        "password": {"type": "string", "minLength": 8, "pattern": "^[a-z]+$", "enum": ["correct horse"]},
        "login": {
            "type": "object",
            "properties": {"token": {"type": "string", "maxLength": 3}},
            "additionalProperties": False,
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
SECRET = "hunter-Zwei"


def refused(schema: Any, arguments: Any, *secret: str) -> MCPErrorDetail:
    """Return the error for arguments that their schema rejects."""
    outcome = instance_errors(compile_schema(schema), arguments, subject=SUBJECT)
    assert not outcome.is_valid
    return argument_error(outcome, schema, arguments, secret=frozenset(secret))


def details(error: MCPErrorDetail) -> dict[str, Any]:
    """Return the details of an error, which must be an object."""
    assert isinstance(error.error_details, dict)
    return error.error_details


def test_every_fault_is_reported_at_once_with_pointer_constraint_and_value() -> None:
    error = refused(SEARCH, {"limit": 51, "login": {"token": "abcd"}})

    assert error.error_type == "ValidationError"
    assert error.error_message == f"{SUBJECT} lacks the required property `query`, and 2 more errors"
    assert details(error) == {
        "faults": [
            {
                "pointer": "",
                "message": f"{SUBJECT} lacks the required property `query`",
                "keyword": "required",
                "schema_pointer": "/required",
                "constraint": ["query"],
            },
            {
                "pointer": "/limit",
                "message": "`limit` is 51, greater than the maximum of 50",
                "keyword": "maximum",
                "schema_pointer": "/properties/limit/maximum",
                "constraint": 50,
                "value": 51,
            },
            {
                "pointer": "/login/token",
                "message": '`login.token` is "abcd", which has 4 characters, more than the maximum of 3',
                "keyword": "maxLength",
                "schema_pointer": "/properties/login/properties/token/maxLength",
                "constraint": 3,
                "value": "abcd",
            },
        ],
        "more": 0,
    }


def test_faults_past_twenty_are_counted() -> None:
    schema: Any = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}

    error = refused(schema, {"a": list(range(30))})

    assert len(details(error)["faults"]) == 20
    assert details(error)["more"] == 10
    assert error.error_message.endswith(", and 29 more errors")


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"maxLength": 5}, "x" * 1_000_000),
        ({"type": "string"}, ["x" * 300] * 1_000),
        ({"type": "string"}, 10**4_000),
        ({"enum": ["y" * 1_000]}, "x"),
        ({"additionalProperties": False}, {"k" * 100_000: 1}),
        ({"type": "string"}, {"k" * 100_000: 1}),
        ({"additionalProperties": {"type": "string"}}, {"k" * 100_000: 1}),
    ],
)
def test_an_error_stays_short_whatever_was_sent(schema: Any, value: Any) -> None:
    error = refused({"properties": {"a": schema}}, {"a": value})

    assert len(error.to_json()) < 2_500


def test_an_error_about_deep_values_can_be_written() -> None:
    value: Any = []
    for _ in range(95):
        value = [value]

    error = refused({"properties": {"a": {"type": "string"}}}, {"a": value})

    assert MCPErrorDetail.from_json(error.to_json()) == error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"password": SECRET}, '`/password` does not match the schema (`enum` ["correct horse"])'),
        ({"password": [SECRET]}, '`/password` does not match the schema (`enum` ["correct horse"])'),
    ],
)
def test_a_secret_is_not_shown_but_what_is_asked_for_is(arguments: dict[str, Any], message: str) -> None:
    error = refused(SEARCH, {"query": "x", **arguments}, "/password")

    assert error.error_message.startswith(message)
    assert SECRET not in error.to_json()
    assert {fault["pointer"] for fault in details(error)["faults"]} == {"/password"}
    assert all("value" not in fault for fault in details(error)["faults"])


@each(
    ("schema", "arguments", "pointer"),
    [
        ({"minLength": 20}, SECRET, ""),
        ({"properties": {"a": {"const": 1}}}, {"a": SECRET}, "/a"),
        ({"const": 1}, {"a": SECRET}, "/a"),
        ({"enum": [1, 2]}, {"a": SECRET}, "/a"),
        ({"not": {}}, {"a": SECRET}, "/a"),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, {"a": SECRET}, "/a"),
        ({"oneOf": [{}, {}]}, {"a": SECRET}, "/a"),
        ({"properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}, {"a": SECRET}, "/a"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": SECRET}, "/a"),
        ({"properties": {"b": False}}, {"b": {"a": SECRET}}, "/b/a"),
        ({"properties": {"b": {"type": "string"}}}, {"b": {"a": SECRET}}, "/b/a"),
        ({"properties": {"b": {"type": "integer"}}}, {"b": SECRET}, "/b/a"),
        ({"properties": {"a": {"additionalProperties": False}}}, {"a": {SECRET: 1}}, "/a"),
        ({"properties": {"a": {"propertyNames": {"maxLength": 2}}}}, {"a": {SECRET: 1}}, "/a"),
        ({"properties": {"a": {"additionalProperties": {"type": "string"}}}}, {"a": {SECRET: 1}}, "/a"),
        ({"additionalProperties": False}, {"passwrod": SECRET}, "/password"),
        ({"unevaluatedProperties": False}, {"passwrod": SECRET}, "/password"),
        ({"properties": {"a/b": {"type": "null"}}}, {"a/b": SECRET}, "/a~1b"),
        ({"properties": {"a": {"items": {"type": "null"}}}}, {"a": [SECRET]}, "/a/0"),
        ({"properties": {"a": {"uniqueItems": True}}}, {"a": [SECRET, SECRET]}, "/a/0"),
        ({"properties": {"a": {"contains": {"const": 1}}}}, {"a": [SECRET]}, "/a/0"),
    ],
)
def test_no_message_about_a_place_around_a_secret_shows_it(schema: Any, arguments: Any, pointer: str) -> None:
    error = refused(schema, arguments, pointer)

    assert SECRET not in error.to_json()


@st.composite
def arguments_with_a_secret(draw: st.DrawFn) -> tuple[Any, str]:
    """Draw arguments with the secret at a place, and the pointer of that place or of one around it."""
    held: Any = draw(st.sampled_from([SECRET, [SECRET], {"a": SECRET}, {SECRET: 1}]))
    pointer = ""
    for _ in range(draw(st.integers(1, 3))):
        if draw(st.booleans()):
            name = draw(st.sampled_from("abc"))
            others = draw(st.dictionaries(st.sampled_from("abc"), values, max_size=2))
            held, pointer = {**others, name: held}, f"/{name}{pointer}"
        else:
            before = draw(st.lists(values, max_size=2))
            held, pointer = [*before, held], f"/{len(before)}{pointer}"
    return held, pointer


@given(schemas() | schemas(draft_7=True), arguments_with_a_secret())
def test_a_secret_never_leaves_whatever_the_schema_says(schema: Any, case: tuple[Any, str]) -> None:
    arguments, pointer = case
    outcome = instance_errors(compile_schema(schema), arguments, subject=SUBJECT)

    if not outcome.is_valid:
        error = argument_error(outcome, schema, arguments, secret=frozenset({pointer}))

        assert SECRET not in error.to_json()
        assert MCPErrorDetail.from_json(error.to_json()) == error


def test_arguments_past_the_bounds_of_judging_are_not_called_invalid() -> None:
    schema: Any = {"properties": {"a": {"pattern": "^(?=a)(a+)+$"}}}

    error = refused(schema, {"a": "a" * 2_000 + "!"})

    assert error.error_type == "ToolExecutionError"
    assert error.error_message.startswith("the arguments could not be validated: ")
    assert error.error_details == {"reason": "validation-bound"}


@pytest.mark.parametrize("value", [float("nan"), "\ud800", {1, 2}, object()])
def test_arguments_that_json_cannot_hold_are_the_callers_fault(value: object) -> None:
    error = refused({"properties": {"a": {"type": "string"}}}, {"a": value})

    assert error.error_type == "ValidationError"
    assert error.error_details == {"reason": "not-json"}
    assert error.to_json()


def test_data_that_a_contract_refuses_is_the_tools_fault_and_shows_no_value() -> None:
    schema: Any = {"type": "object", "properties": {"t": {"type": "number"}, "u": {"enum": ["C"]}}, "required": ["v"]}
    data: Any = {"t": SECRET, "u": SECRET}

    error = result_error(instance_errors(compile_schema(schema), data, subject="the data"), schema, data)

    assert error.error_type == "ToolExecutionError"
    assert error.error_message == (
        "the tool returned data that its contract rejects: the data lacks the required property `v`, and 2 more errors"
    )
    assert [fault["pointer"] for fault in details(error)["faults"]] == ["", "/t", "/u"]
    assert SECRET not in error.to_json()


def test_names_that_the_schema_does_not_declare_are_data_too() -> None:
    schema: Any = {
        "properties": {
            "users": {"additionalProperties": {"properties": {"age": {"type": "integer"}}}},
            "closed": {"additionalProperties": False},
            "short": {"propertyNames": {"maxLength": 3}},
            "list": {"items": {"type": "integer"}},
        }
    }
    data: Any = {"users": {SECRET: {"age": "x"}}, "closed": {SECRET: 1}, "short": {SECRET: 1}, "list": [1, "x"]}

    error = result_error(instance_errors(compile_schema(schema), data, subject="the data"), schema, data)

    assert SECRET not in error.to_json()
    assert [fault["pointer"] for fault in error.error_details["faults"]] == ["/closed", "/list/1", "/short", "/users"]  # type: ignore[index]


def test_data_that_cannot_be_judged_says_so() -> None:
    schema: Any = {"type": "string"}

    error = result_error(instance_errors(compile_schema(schema), float("inf"), subject="the data"), schema, None)

    assert error.error_message.startswith("the data that the tool returned could not be validated: ")


# Payload bounds


def nested(levels: int) -> Any:
    """Return a list with this number of levels."""
    value: Any = []
    for _ in range(levels - 1):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "bound"),
    [
        ("x" * 11, "characters"),
        ({"k" * 11: 1}, "characters"),
        ({"a": ["x" * 5, "y" * 5]}, "characters"),
        ({"a": b"x" * 9}, "characters"),
        ({"a": 10**40}, "characters"),
        ([0] * 10, "values"),
        ({"a": [1, 2, 3, 4, 5], "b": [1, 2, 3]}, "values"),
        (nested(5), "depth"),
        ({"a": {"a": {"a": {"a": {}}}}}, "depth"),
        (({}, ((((),),),)), "depth"),
    ],
)
def test_what_exceeds_a_bound_is_refused_by_its_name(value: object, bound: str) -> None:
    error = too_large(value, PayloadBounds(characters=10, values=10, depth=4))

    assert error is not None
    assert error.error_type == "ValidationError"
    assert details(error)["bound"] == bound
    assert "xxx" not in error.to_json()


@pytest.mark.parametrize("value", [{}, None, True, "x" * 10, {"k" * 10: 1}, [0] * 9, nested(4), {"a": [10**9, 1.5]}])
def test_what_is_within_the_bounds_is_let_in(value: object) -> None:
    assert too_large(value, PayloadBounds(characters=10, values=10, depth=4)) is None


def test_a_value_that_contains_itself_many_times_is_refused_quickly() -> None:
    cycle: list[Any] = []
    cycle += [cycle] * 3
    deep = nested(100_000)
    wide = {"a": [[0] * 1_000] * 1_000_000}

    started = time.process_time()
    errors = [too_large(value, PayloadBounds()) for value in (cycle, deep, wide)]

    assert [details(error)["bound"] for error in errors if error is not None] == ["values", "depth", "values"]
    assert time.process_time() - started < 10


# Defaults


@each(
    ("schema", "arguments", "expected"),
    [
        ({"properties": {"a": {"default": 1}}}, {}, {"a": 1}),
        ({"properties": {"a": {"default": 1}}}, {"a": None}, {"a": None}),
        ({"properties": {"a": {"default": None}}}, {}, {"a": None}),
        ({"properties": {"a": {}, "b": True}}, {}, {}),
        ({"properties": {"a": {"properties": {"b": {"default": 1}}}}}, {}, {}),
        ({"properties": {"a": {"properties": {"b": {"default": 1}}}}}, {"a": {}}, {"a": {"b": 1}}),
        ({"properties": {"a": {"default": {}, "properties": {"b": {"default": 1}}}}}, {}, {"a": {"b": 1}}),
        ({"properties": {"a": {"items": {"properties": {"b": {"default": 1}}}}}}, {"a": [{}, 2]}, {"a": [{"b": 1}, 2]}),
        ({"prefixItems": [{}, {"properties": {"b": {"default": 1}}}]}, [{}, {}, {}], [{}, {"b": 1}, {}]),
        ({"items": [{"properties": {"b": {"default": 1}}}]}, [{}, {}], [{"b": 1}, {}]),
        ({"allOf": [{"properties": {"a": {"default": 1}}}, {"properties": {"a": {"default": 2}}}]}, {}, {"a": 1}),
        ({"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"default": 1}}}, {}, {"a": 1}),
        ({"properties": {"a": {"$ref": "#/$defs/A", "default": 2}}, "$defs": {"A": {"default": 1}}}, {}, {"a": 2}),
        ({"properties": {"a": {"$ref": "#named"}}, "$defs": {"A": {"$anchor": "named", "default": 1}}}, {}, {"a": 1}),
        ({"properties": {"a": {"$ref": "https://example.com/x"}}}, {}, {}),
        ({"anyOf": [{"properties": {"a": {"default": 1}}}]}, {}, {}),
        ({"if": {}, "then": {"properties": {"a": {"default": 1}}}}, {}, {}),
        ({"properties": {"a": {"default": 1}}}, ["a"], ["a"]),
        ({"properties": {"a": {"default": 1}}}, "text", "text"),
        (True, {"a": 1}, {"a": 1}),
        ({"properties": {"child": {"$ref": "#", "default": {}}}}, {}, {"child": {}}),
        ({"properties": {"c": {"$ref": "#", "default": {}}}}, {"c": {"c": {}}}, {"c": {"c": {"c": {}}}}),
    ],
)  # fmt: skip
def test_defaults_of_absent_properties_are_filled_in(schema: Any, arguments: Any, expected: Any) -> None:
    assert with_defaults(schema, arguments) == expected


def test_neither_the_arguments_nor_the_schema_are_shared_or_changed() -> None:
    schema: Any = {"properties": {"a": {"default": {"x": []}}, "b": {}}}
    arguments: dict[str, Any] = {"b": [1]}

    found: Any = with_defaults(schema, arguments)
    found["a"]["x"].append(1)
    found["b"].append(2)

    assert arguments == {"b": [1]}
    assert with_defaults(schema, arguments) == {"a": {"x": []}, "b": [1]}


def test_defaults_that_multiply_come_to_an_end() -> None:
    definitions: Any = {
        f"d{level}": {"properties": {name: {"$ref": f"#/$defs/d{level + 1}", "default": {}} for name in "abcd"}}
        for level in range(40)
    }

    started = time.process_time()
    found = with_defaults({"$ref": "#/$defs/d0", "$defs": definitions}, {})

    assert found
    assert time.process_time() - started < 10


@given(schemas() | schemas(draft_7=True), values)
def test_a_schema_without_defaults_leaves_a_value_unchanged(schema: Any, value: Any) -> None:
    assert with_defaults(schema, value) == value


# Coercion


def types(**properties: Any) -> dict[str, Any]:
    """Return the schema of an object with properties of these types."""
    return {"type": "object", "properties": {name: {"type": kind} for name, kind in properties.items()}}


@each(
    ("kind", "value", "expected"),
    [
        ("integer", "5", 5),
        ("integer", "-0", 0),
        ("integer", "5.0", 5),
        ("integer", "1e3", 1000),
        ("number", "5", 5),
        ("number", "5.0", 5.0),
        ("number", "-1.5e-3", -0.0015),
        ("number", "0.0", 0.0),
        ("boolean", "true", True),
        ("boolean", "false", False),
        ("string", 5, "5"),
        ("string", 1.5, "1.5"),
        ("null", "null", None),
        ("object", '{"a": 1}', {"a": 1}),
        ("array", "[1, [2]]", [1, [2]]),
        (["integer", "null"], "5", 5),
        (["integer", "null"], "null", None),
        (["array", "object"], "[]", []),
    ],
)
def test_a_value_is_read_as_the_type_that_is_asked_for(kind: Any, value: Any, expected: Any) -> None:
    found: Any = coerce(compile_schema(types(x=kind)), {"x": value})

    assert found == {"x": expected}
    assert type(found["x"]) is type(expected)


@each(
    ("kind", "value"),
    [
        *(("integer", text) for text in ("1_000", " 5 ", "5 ", "0x10", "٣", "+5", "05", "5.", "", "5.5", "1e400")),
        *(("number", text) for text in ("1e400", "1e-400", ".5", "NaN", "1,5", "5\n", "1" * 101, "true")),
        ("integer", "12345678901234567.0"),
        ("integer", 5.5),
        ("integer", True),
        ("boolean", "True"),
        ("boolean", 1),
        ("boolean", "1"),
        ("string", True),
        ("string", None),
        ("string", ["a"]),
        ("null", ""),
        ("null", "None"),
        ("object", "[]"),
        ("object", '{"a": 1, "a": 2}'),
        ("object", '{"a": NaN}'),
        ("object", '{"a": 1e400}'),
        ("object", '{"a": "\\ud800"}'),
        ("object", "{'a': 1}"),
        ("array", "a"),
        ("array", "[" * 100_000),
        ("array", "[" * 90 + "]" * 90),
        ("array", 5),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_read_without_loss_is_left_as_it_was(kind: str, value: Any) -> None:
    found: Any = coerce(compile_schema(types(x=kind)), {"x": value})

    assert found == {"x": value}
    assert type(found["x"]) is type(value)


def test_valid_values_stay_unchanged() -> None:
    arguments: Any = {"a": 5.0, "b": "5", "c": "true"}
    schema = types(a="integer", b="string", c=["string", "boolean"])

    assert coerce(compile_schema(schema), arguments) is arguments


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_optional_values_as_pydantic_writes_them_are_read(keyword: str) -> None:
    schema: Any = {
        "properties": {"x": {keyword: [{"$ref": "#/$defs/Count"}, {"type": "null"}]}},
        "$defs": {"Count": {"type": "integer"}},
    }

    assert coerce(compile_schema(schema), {"x": "5"}) == {"x": 5}
    assert coerce(compile_schema(schema), {"x": "null"}) == {"x": None}
    assert coerce(compile_schema(schema), {"x": "five"}) == {"x": "five"}


def test_a_value_of_a_right_type_is_not_read_as_another_one() -> None:
    schema: Any = {"properties": {"x": {"oneOf": [{"type": "integer"}, {"type": "number"}, {"type": "string"}]}}}

    assert coerce(compile_schema(schema), {"x": 5}) == {"x": 5}


def test_what_is_in_a_text_of_json_is_read_as_well() -> None:
    schema: Any = {"type": "object", "properties": {"filter": types(limit="integer", tags="array")}}

    found = coerce(compile_schema(schema), '{"filter": "{\\"limit\\": \\"5\\", \\"tags\\": \\"[1]\\"}"}')

    assert found == {"filter": {"limit": 5, "tags": [1]}}


def test_more_values_are_read_than_an_outcome_reports_errors() -> None:
    schema: Any = {"properties": {"x": {"items": {"type": "integer"}}}}
    arguments: Any = {"x": [str(number) for number in range(100)]}

    assert coerce(compile_schema(schema), arguments) == {"x": list(range(100))}
    assert arguments["x"][0] == "0"


def test_a_value_that_still_fails_is_left_as_the_caller_sent_it_and_others_are_read() -> None:
    schema: Any = {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "maximum": 3},
            "b": {"type": "integer"},
            "c": types(d="integer"),
        },
        "required": ["e"],
    }

    found = coerce(compile_schema(schema), {"a": "5", "b": "6", "c": '{"d": "x"}'})

    assert found == {"a": "5", "b": 6, "c": '{"d": "x"}'}


def test_a_value_is_not_read_again_if_that_breaks_its_container() -> None:
    schema: Any = {"properties": {"x": {"items": {"type": "integer"}, "uniqueItems": True}}}

    assert coerce(compile_schema(schema), {"x": [1, "1"]}) == {"x": [1, "1"]}


def test_arguments_that_cannot_be_judged_come_back() -> None:
    arguments: Any = {"x": float("nan"), "y": "5"}

    assert coerce(compile_schema(types(y="integer")), arguments) is arguments


texts = st.recursive(
    values,
    lambda inner: inner.map(json.dumps) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=4,
)


@given(schemas() | schemas(draft_7=True), texts)
def test_coercion_helps_or_leaves_what_the_caller_sent(schema: Any, arguments: Any) -> None:
    compiled = compile_schema(schema)
    sent = copy.deepcopy(arguments)
    before = instance_errors(compiled, arguments)

    found = coerce(compiled, arguments)

    assert json.dumps(arguments) == json.dumps(sent)
    if before.is_valid or before.unknown is not None:
        assert found is arguments
    for error in instance_errors(compiled, found).errors:
        value = follow(found, error.pointer)
        if error.pointer and not isinstance(value, dict | list):
            assert value == follow(sent, error.pointer)


@pytest.mark.parametrize("count", [1_000, 8_000])
def test_too_many_values_of_a_wrong_type_come_back_soon(count: int) -> None:
    schema: Any = {"properties": {"x": {"items": {"type": "integer"}}}}
    arguments: Any = {"x": [str(number) for number in range(count)]}
    compiled = compile_schema(schema)
    started = time.process_time()
    outcome = instance_errors(compiled, arguments)
    judged = time.process_time() - started

    found = coerce(compiled, arguments, outcome)

    assert found == arguments
    assert time.process_time() - started < 10 + 20 * judged


def test_hostile_texts_cost_little() -> None:
    schema: Any = {"properties": {"x": {"items": {"type": "array"}}}}
    arguments: Any = {"x": ["[" * 2_000 + "0" + "]" * 2_000] * 400}

    started = time.process_time()
    found = coerce(compile_schema(schema), arguments)

    assert found == arguments
    assert time.process_time() - started < 10


def test_data_too_large_to_say_where_it_does_not_fit_says_so() -> None:
    schema: JsonValue = {"type": "array", "items": {"type": "integer"}}
    outcome = instance_errors(compile_schema(schema), [*range(110_000), "x"], subject="the data")

    error = result_error(outcome, schema, None)

    assert error.error_message.endswith("the data does not match, but is too large to say where")


@pytest.mark.parametrize(
    ("schema", "value", "whole"),
    [
        ({"properties": {"a": {"type": "integer"}}}, {"a": 2.0}, {"a": 2}),
        ({"properties": {"a": {"type": ["integer", "null"]}}}, {"a": 2.0}, {"a": 2}),
        ({"properties": {"a": {"type": "number"}}}, {"a": 2.0}, {"a": 2.0}),
        ({"properties": {"a": {"type": "integer"}}}, {"a": 2.5, "b": 2.0}, {"a": 2.5, "b": 2.0}),
        (
            {"properties": {"a": {"items": {"$ref": "#/$defs/n"}}}, "$defs": {"n": {"type": "integer"}}},
            {"a": [1.0]},
            {"a": [1]},
        ),
        (
            {"properties": {"a": {"prefixItems": [{}, {"type": "integer"}]}}},
            {"a": [1.0, 2.0, 3.0]},
            {"a": [1.0, 2, 3.0]},
        ),
    ],
)
def test_a_whole_number_is_an_integer_where_one_is_asked_for(schema: Any, value: Any, whole: Any) -> None:
    found: Any = with_whole_numbers(schema, value)

    assert found == whole
    assert json.dumps(found) == json.dumps(whole)  # which distinguishes 2 from 2.0
