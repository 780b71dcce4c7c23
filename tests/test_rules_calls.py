"""The rules about examples, with handmade examples (MC401 to MC408)."""

from __future__ import annotations

import copy
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from mcp_contracts import messages as protocol
from mcp_contracts.contract import ErrorType, Example, JsonValue
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.rules.base import Rule
from mcp_contracts.rules.behavior.calls import (
    example_arguments_refused,
    example_calls_another_tool,
    missing_call_example,
)
from mcp_contracts.rules.behavior.results import (
    ERROR_FIELDS,
    RESULT_FIELDS,
    STATUSES,
    example_data_refused,
    example_data_undeclared,
    example_error_type_unlisted,
    invalid_result_message,
    missing_failure_example,
)
from mcp_contracts.rules.schemas.reading import invalid_example_json
from tests import support_names
from tests.support_schemas import example, found, messages, one, tool
from tests.sweeps import size
from tests.tables import each

NAME = "weather.get_forecast"
INPUT: JsonValue = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1, "maximum": 14}},
    "required": ["city"],
    "additionalProperties": False,
}
OUTPUT: JsonValue = {"type": "object", "properties": {"highs": {"type": "array", "items": {"type": "number"}}}}
DETAIL: dict[str, JsonValue] = {"error_type": "TimeoutError", "error_message": "no answer"}
CHOICES = "`success`, `failure`, `no_change_needed` or `partial_success`"
RULES: tuple[Rule, ...] = (
    example_calls_another_tool, example_arguments_refused, invalid_result_message, example_data_refused,
    example_error_type_unlisted,
)  # fmt: skip


def call(arguments: JsonValue, name: JsonValue = NAME, **more: JsonValue) -> Example:
    return example("call", {"tool_name": name, "arguments": arguments, **more})


def unreadable(kind: Literal["call", "result"]) -> Example:
    return Example(kind, None, example(kind, 1).locator)


def calls(*examples: Example) -> Any:
    return tool(INPUT, OUTPUT, examples=examples)


def results(value: JsonValue, *errors: str) -> Any:
    listed = tuple(ErrorType(name, "sometimes", support_names.at(1)) for name in errors)
    return tool(INPUT, OUTPUT, examples=(example("result", value),), errors=listed)


def with_examples(*examples: Example, **more: Any) -> Any:
    return support_names.spec_tool(examples=examples, **more)


# Presence


def test_a_specification_without_a_call_is_reported_in_its_section() -> None:
    finding = one(missing_call_example, with_examples(example("result", {"status": "success"})))

    assert (finding.message, finding.place) == ("the usage examples contain no call", support_names.at(70))


@pytest.mark.parametrize(
    "shown", [call({}), example("arguments", {}), Example("call", None, example("call", 1).locator)]
)
def test_any_call_is_an_example_of_one(shown: Example) -> None:
    assert found(missing_call_example, with_examples(shown)) == []


@pytest.mark.parametrize("rule", [missing_call_example, missing_failure_example])
@pytest.mark.parametrize("texts", [None, ""])
def test_a_section_that_is_missing_or_empty_has_its_own_fault(rule: Rule, texts: str | None) -> None:
    sections = support_names.sections(leave_out=[7]) if texts is None else support_names.sections({7: texts})

    assert found(rule, support_names.spec_tool(sections=sections)) == []


def test_a_specification_without_a_failure_is_reported() -> None:
    spec_tool = with_examples(call({}), example("result", {"status": "success", "data": {}}))

    assert messages(missing_failure_example, spec_tool) == ["the usage examples show no failure"]


@pytest.mark.parametrize(
    "shown",
    [example("result", {"status": "failure", "error": DETAIL}), Example("result", None, example("data", 1).locator)],
)
def test_a_failure_or_what_may_be_one_is_enough(shown: Example) -> None:
    assert found(missing_failure_example, with_examples(call({}), shown)) == []


def test_without_any_example_only_the_call_is_requested() -> None:
    assert found(missing_failure_example, with_examples()) == []
    assert len(found(missing_call_example, with_examples())) == 1


def test_every_fault_of_an_example_is_reported() -> None:
    kinds = (FaultKind.INVALID_JSON, FaultKind.DUPLICATE_KEY, FaultKind.TOO_DEEP)
    faults = tuple(Fault(kind, kind.value, support_names.at(7), None, "example") for kind in kinds)
    of_schema = Fault(FaultKind.INVALID_JSON, "another", support_names.at(7), None, "input")

    spec_tool = support_names.spec_tool(faults=(*faults, of_schema))

    assert messages(invalid_example_json, spec_tool) == [kind.value for kind in kinds]


# Calls


@pytest.mark.parametrize(
    ("name", "message", "pointer"),
    [
        ("weather.get_history", f"the call names `weather.get_history`, not `{NAME}`", "/tool_name"),
        (7, f"the call names 7, not `{NAME}`", "/tool_name"),
        (None, "the call does not name a tool", ""),
    ],
)
def test_a_call_of_another_tool_is_reported(name: JsonValue, message: str, pointer: str) -> None:
    finding = one(example_calls_another_tool, calls(call({"city": "Oslo"}, name)))

    assert (finding.message, finding.pointer, finding.part) == (message, pointer, "example")
    assert finding.hint == (f'write `"tool_name": "{NAME}"`' if name is None else f"write `{NAME}`")


@each("called", ["getForecast", "weather:getForecast", "weather/getForecast", f"mcp__weather__{NAME}"])
def test_a_call_of_the_original_name_or_by_that_of_a_client_is_right(called: str) -> None:
    contract = tool(INPUT, source_name="getForecast", examples=(call({"city": "Oslo", "days": 30}, called),))

    assert found(example_calls_another_tool, contract) == []
    assert len(found(example_arguments_refused, contract)) == 1


def test_refused_arguments_are_reported_at_their_places_in_the_example() -> None:
    finding = one(example_arguments_refused, calls(call({"city": "Oslo", "days": 30})))

    assert finding.message == "`days` is 30, greater than the maximum of 14"
    assert finding.pointer == "/arguments/days"
    assert finding.place is not None
    assert (finding.place.line, finding.place.column) == (5, 11)


TRIP: JsonValue = {
    "type": "object",
    "properties": {
        "days": {"type": "array", "items": {"type": "string", "format": "date"}},
        "at": {"type": ["string", "null"], "format": "date-time"},
        "who": {"type": "string", "format": "email"},
        "page": {"type": "string", "format": "uri"},
        "odd": {"type": "string", "format": "duration"},
        "pair": {"prefixItems": [{"format": "date"}], "items": True, "contains": {"format": "email"}},
    },
    "allOf": [{"properties": {"who": {"format": "email"}, "from": {"format": "date"}}}],
}


@each(
    ("arguments", "told"),
    [
        ({"days": ["2026-01-31", "31.12.2026"]}, [("/arguments/days/1", '"31.12.2026" is not a date')]),
        ({"days": ["2026-02-30"]}, [("/arguments/days/0", '"2026-02-30" is not a date')]),
        ({"days": ["2000-02-29", "2024-02-29", "2100-02-29"]}, [("/arguments/days/2", '"2100-02-29" is not a date')]),
        ({"days": ["2026-02-29"]}, [("/arguments/days/0", '"2026-02-29" is not a date')]),
        ({"at": "tomorrow"}, [("/arguments/at", '"tomorrow" is not a date and time')]),
        ({"who": "anna"}, [("/arguments/who", '"anna" is not an email address')]),
        ({"page": "example.org/a"}, [("/arguments/page", '"example.org/a" is not a URI')]),
        ({"days": ["2026-01-31", "<a day>", ""], "at": None, "who": "a@b.c", "odd": "x"}, []),
        ({"at": "2026-01-31T12:00:00", "page": "urn:a:b"}, []),
        ({"at": "2026-01-31T12:00:00.5+01:00", "page": "https://…"}, []),
        ({"at": "2026-01-31"}, []),
        ({"pair": ["soon", "a@b.c"]}, [("/arguments/pair/0", '"soon" is not a date')]),
        ({"from": "soon"}, [("/arguments/from", '"soon" is not a date')]),
    ],
)
def test_a_text_that_is_surely_not_of_its_format_is_reported(arguments: JsonValue, told: list[tuple[str, str]]) -> None:
    both = (
        (example_arguments_refused, tool(TRIP, examples=(call(arguments),))),
        (example_data_refused, tool(None, TRIP, examples=(example("data", arguments),))),
    )
    for rule, contract in both:
        seen = [(finding.pointer, finding.message) for finding in found(rule, contract)]
        start = "/arguments" if rule is example_arguments_refused else ""
        assert [pointer for pointer, _ in seen] == [start + at.removeprefix("/arguments") for at, _ in told]
        assert all(message.startswith(said) for (_, message), (_, said) in zip(seen, told, strict=True))


def test_of_bare_arguments_the_whole_is_named() -> None:
    finding = one(example_arguments_refused, calls(example("arguments", {"days": 1})))

    assert finding.message == "the arguments object lacks the required property `city`"
    assert finding.pointer == ""


def test_each_fault_of_an_example_is_reported() -> None:
    arguments: JsonValue = {"city": 1, "days": 0, "a": 1, "b": 2}

    assert messages(example_arguments_refused, calls(call(arguments))) == [
        "`a` is a property that the schema does not allow",
        "`b` is a property that the schema does not allow",
        "`city` is 1, not of type string",
        "`days` is 0, less than the minimum of 1",
    ]


def test_faults_of_an_example_past_twenty_are_counted() -> None:
    arguments: JsonValue = {"city": "Oslo", **{f"a{index}": 1 for index in range(25)}}

    *listed, last = messages(example_arguments_refused, calls(call(arguments)))

    assert (len(listed), last) == (20, "5 more errors are not listed")


@pytest.mark.parametrize(
    ("value", "message", "pointer"),
    [
        ({"tool_name": NAME}, "the call has no `arguments`", ""),
        ({"tool_name": NAME, "arguments": [1]}, "`arguments` is [1], not an object", "/arguments"),
        ({"tool_name": NAME, "arguments": None}, "`arguments` is null, not an object", "/arguments"),
        ({"tool_name": NAME, "arguments": {"city": "Oslo"}, "id": 1}, "`id` is not a field of a call", "/id"),
    ],
)
def test_a_call_that_is_not_a_message_is_reported(value: JsonValue, message: str, pointer: str) -> None:
    finding = one(example_arguments_refused, calls(example("call", value)))

    assert (finding.message, finding.pointer) == (message, pointer)


def test_a_call_may_name_the_server_of_the_tool() -> None:
    value: JsonValue = {"server_name": "weather", "tool_name": NAME, "arguments": {"city": "Oslo"}}

    assert found(example_arguments_refused, calls(example("call", value))) == []


@pytest.mark.parametrize(
    "schema",
    [
        None,
        True,
        {},
        {"type": "strnig"},
        {"$ref": "https://example.com/a"},
        {"properties": {"city": {"pattern": "(["}}},
    ],
)
def test_without_a_schema_that_can_judge_nothing_is_refused(schema: JsonValue) -> None:
    contract = tool(schema, schema, examples=(call({"city": 1}), example("result", {"data": {"a": 1}})))

    assert found(example_arguments_refused, contract) == []
    assert found(example_data_refused, contract) == []


# Results


@each(
    ("value", "message", "pointer"),
    [
        (
            {"status": "ok"},
            '`status` is "ok", not `success`, `failure`, `no_change_needed` or `partial_success`',
            "/status",
        ),
        ({"status": 1}, "`status` is 1, not `success`, `failure`, `no_change_needed` or `partial_success`", "/status"),
        ({"status": "success", "result": {}}, "`result` is not a field of a result", "/result"),
        ({"data": [1]}, "`data` is [1], not an object or null", "/data"),
        ({"status": "failure"}, "status `failure` has no `error`", "/status"),
        ({"status": "failure", "error": None}, "status `failure` has no `error`", "/error"),
        ({"status": "failure", "error": DETAIL, "data": {}}, "status `failure` must not have `data`", "/data"),
        ({"error": "no"}, '`error` is "no", not an object or null', "/error"),
        ({"error": {"error_type": "A"}}, "`error` has no `error_message`", "/error"),
        ({"error": {**DETAIL, "error_type": ""}}, '`error_type` is "", not a non-empty string', "/error/error_type"),
        ({"error": {**DETAIL, "error_message": None}}, "`error_message` is null, not a string", "/error/error_message"),
        (
            {"error": {**DETAIL, "error_details": [1]}},
            "`error_details` is [1], not an object, a string or null",
            "/error/error_details",
        ),
        ({"error": {**DETAIL, "code": 1}}, "`code` is not a field of an error", "/error/code"),
        ({"explanation": 1}, "`explanation` is 1, not a string or null", "/explanation"),
    ],
)
def test_a_result_that_is_not_a_message_is_reported(value: dict[str, JsonValue], message: str, pointer: str) -> None:
    finding = one(invalid_result_message, results({"status": "success", **value}))

    assert (finding.message, finding.pointer, finding.part) == (message, pointer, "example")


@pytest.mark.parametrize(("value", "status"), [({"data": {}}, "success"), ({"error": DETAIL}, "failure")])
def test_a_result_without_a_status_is_reported(value: dict[str, JsonValue], status: str) -> None:
    finding = one(invalid_result_message, results(value))

    assert (finding.message, finding.pointer) == ("the result has no `status`", "")
    assert finding.hint == f'write `"status": "{status}"`'


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ({"status": "sucess"}, "write `success`"),
        ({"status": "error"}, "write `failure`"),
        ({"status": "42"}, "write one of these"),
        ({"explanaton": "x"}, "write `explanation`"),
        ({"x": 1}, "a result has only `status`, `data`, `error` and `explanation`"),
    ],
)
def test_what_was_meant_is_named(value: dict[str, JsonValue], hint: str) -> None:
    assert one(invalid_result_message, results({"status": "success", **value})).hint == hint


def test_the_fields_are_those_of_the_messages() -> None:
    assert tuple(status.value for status in protocol.ResultStatus) == STATUSES
    assert tuple(protocol.MCPToolResult.model_fields) == RESULT_FIELDS
    assert tuple(protocol.MCPErrorDetail.model_fields) == ERROR_FIELDS


_WORDS: st.SearchStrategy[Any] = st.sampled_from(
    ["success", "failure", "partial_success", "", "ok", 1, None, True, {}, {"a": 1}, [], "text"]
)
_ERRORS = st.one_of(_WORDS, st.dictionaries(st.sampled_from([*ERROR_FIELDS, "code"]), _WORDS, max_size=4))


@settings(max_examples=size(1_000, 30))
@given(
    st.dictionaries(st.sampled_from(["status", "data", "explanation", "more"]), _WORDS, max_size=4),
    st.one_of(st.none(), _ERRORS.map(lambda error: [error])),
)
def test_a_result_is_reported_exactly_where_the_model_refuses_it(
    value: dict[str, Any], error: list[Any] | None
) -> None:
    message = {**value, "error": error[0]} if error else value
    try:
        protocol.MCPToolResult.model_validate(copy.deepcopy(message))
    except ValidationError:
        is_message = False
    else:
        is_message = True

    assert (found(invalid_result_message, results(message)) == []) is is_message


def test_refused_data_is_reported_at_its_place() -> None:
    finding = one(example_data_refused, results({"status": "success", "data": {"highs": [1, "2"]}}))

    assert finding.message == '`highs[1]` is "2", not of type number'
    assert finding.pointer == "/data/highs/1"


@pytest.mark.parametrize(
    "value",
    [
        {"status": "no_change_needed", "data": None},
        {"status": "success"},
        {"data": {"highs": [1]}},
        {"data": [1]},
        {"status": "failure", "data": {"highs": 1}, "error": DETAIL},
    ],
)
def test_a_result_without_data_is_not_checked_against_the_output_schema(value: JsonValue) -> None:
    assert found(example_data_refused, results(value)) == []


def test_bare_data_is_checked_against_the_output_schema() -> None:
    contract = tool(INPUT, OUTPUT, examples=(example("data", {"highs": 1}),))

    assert messages(example_data_refused, contract) == ["`highs` is 1, not of type array"]


def test_what_is_not_an_object_travels_as_a_result() -> None:
    schema: JsonValue = {"type": "array", "items": {"type": "string"}}

    def said(data: JsonValue) -> list[str | None]:
        contract = tool(INPUT, schema, examples=(example("result", {"data": data}),))
        return [finding.pointer for finding in found(example_data_refused, contract)]

    assert said({"result": ["a"]}) == []
    assert said({"result": ["a", 1]}) == ["/data/result/1"]
    assert said({"items": ["a"]}) == ["/data"]


def test_an_error_type_that_is_not_listed_is_reported() -> None:
    finding = one(
        example_error_type_unlisted, results({"status": "failure", "error": DETAIL}, "ValidationError", "TimeOutError")
    )

    assert finding.message == "error type `TimeoutError` is not documented"
    assert (finding.hint, finding.pointer) == ("write `TimeOutError`, or list it", "/error/error_type")


@pytest.mark.parametrize("listed", [(), ("TimeoutError",)])
def test_an_error_type_that_is_listed_or_where_none_is_listed_is_fine(listed: tuple[str, ...]) -> None:
    assert found(example_error_type_unlisted, results({"status": "failure", "error": DETAIL}, *listed)) == []


# All


@each("kind", ["call", "result", "arguments", "data"])
@each(
    "value",
    [None, True, 7, "text", [], [{}], {}, {"tool_name": {}, "arguments": 7}, {"status": {}, "error": [], "data": 7},
     {"error": {"error_type": {}, "error_details": 7}}, {"": {"/~": []}}],
    ids=str,
)  # fmt: skip
def test_no_example_makes_a_rule_raise(kind: Any, value: JsonValue) -> None:
    contract = tool(INPUT, OUTPUT, examples=(example(kind, value),), errors=(ErrorType("A", "", support_names.at(1)),))

    for rule in RULES:
        for finding in found(rule, contract):
            assert finding.part == "example", rule.info.code
            assert finding.place is not None, rule.info.code
            assert "\n" not in finding.message, rule.info.code


def test_ordinary_examples_trigger_no_rule() -> None:
    contract = calls(
        call({"city": "Oslo", "days": 3}),
        example("result", {"status": "success", "data": {"highs": [1.5, 2]}, "explanation": "sunny"}),
        example("result", {"status": "failure", "data": None, "error": {**DETAIL, "error_details": {"after": 30}}}),
    )

    assert [rule.info.code for rule in RULES if found(rule, contract)] == []


def test_a_misspelled_argument_of_a_closed_object_is_one_finding_with_the_guess() -> None:
    contract = calls(call({"ctiy": "Oslo"}))

    finding = one(example_arguments_refused, contract)

    assert (finding.message, finding.hint, finding.pointer) == (
        "`ctiy` is a property that the schema does not allow",
        "write `city`",
        "/arguments/ctiy",
    )


def test_a_misspelled_optional_argument_of_a_closed_object_gets_the_guess_at_its_key() -> None:
    finding = one(example_arguments_refused, calls(call({"city": "Oslo", "dasy": 3})))

    assert (finding.hint, finding.on_key) == ("write `days`", True)


def test_a_misspelled_argument_of_an_open_object_is_one_finding_with_the_guess() -> None:
    schema: JsonValue = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    contract = tool(schema, examples=(call({"ctiy": "Oslo"}),))

    finding = one(example_arguments_refused, contract)

    assert (finding.message, finding.hint) == ("`ctiy` is not a parameter of the tool", "write `city`")


def test_an_argument_that_is_unlike_the_missing_one_is_its_own_fault() -> None:
    assert len(messages(example_arguments_refused, calls(call({"color": "red"})))) == 2


@pytest.mark.parametrize("key", ["aqrguments", "Arguments", "argument"])
def test_arguments_under_a_misspelled_key_are_judged(key: str) -> None:
    contract = calls(example("call", {"tool_name": NAME, key: {"city": 3}}))

    found_ = [(item.message, item.hint) for item in found(example_arguments_refused, contract)]

    assert (f"`{key}` is not a field of a call", "write `arguments`") in found_
    assert any(message == "`city` is 3, not of type string" for message, _ in found_)
    assert len(found_) == 2


def test_a_misspelled_key_of_the_name_is_reported_once() -> None:
    contract = calls(example("call", {"toolname": NAME, "arguments": {"city": "Oslo"}}))

    assert messages(example_calls_another_tool, contract) == []
    assert one(example_arguments_refused, contract).hint == "write `tool_name`"


def test_a_call_under_a_misspelled_name_is_judged() -> None:
    contract = calls(call({"city": 3}, name="weather.get_forcast"), call({"city": 3}, name="files.remove"))

    assert messages(example_arguments_refused, contract) == ["`city` is 3, not of type string"]


def test_for_too_large_arguments_the_error_says_that_only_the_first_fault_was_searched() -> None:
    schema: JsonValue = {"type": "object", "properties": {"words": {"type": "array", "items": {"type": "string"}}}}
    contract = tool(schema, examples=(call({"words": [*range(6_000)]}),))

    first, told = messages(example_arguments_refused, contract)

    assert first == "`words[0]` is 0, not of type string"
    assert told == "the value of `arguments` is too large to be checked for more errors"


FORECAST: JsonValue = {
    "type": "object",
    "properties": {
        "place": {"type": "string"},
        "units": {"type": "string"},
        "days": {"type": "array", "items": {"$ref": "#/$defs/Day"}},
        "extra": {"type": "object", "properties": {"a": {}, "b": {}}, "additionalProperties": True},
    },
    "$defs": {"Day": {"type": "object", "properties": {"date": {}, "high": {}, "low": {}, "wind": {}}}},
}


@each(
    ("data", "undeclared"),
    [
        ({"place": "Oslo", "units": "metric", "days": []}, []),
        ({"place": "Oslo", "units": "metric", "days": [], "source": "met"}, ["source"]),
        # An example of an older dialect may show something else, or more than the schema describes.
        ({"place": "Oslo", "source": "met"}, []),
        ({"place": "Oslo", "units": "metric", "source": "met", "model": "gfs"}, []),
        (
            {"days": [{"date": "x", "high": 1, "low": 0}, {"date": "y", "high": 1, "low": 0, "humidity": 4}]},
            ["humidity"],
        ),
        ({"days": [{"date": "x", "humidity": 4}]}, []),
        ({"days": [{"date": "x", "high": 1, "humidity": 4, "rain": 0}]}, []),
        ({"extra": {"a": 1, "b": 2, "c": 3}}, []),
    ],
)
def test_a_field_next_to_the_declared_ones_is_undeclared(data: JsonValue, undeclared: list[str]) -> None:
    subject = tool(INPUT, FORECAST, examples=(example("data", data),))

    assert messages(example_data_undeclared, subject) == [
        f"`{name}` is not declared in the output schema" for name in undeclared
    ]
