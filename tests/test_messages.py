"""The messages follow the protocol, read what they write, and match their schemas exactly."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from pathlib import PurePosixPath
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mcp_contracts.json_values.text import MAXIMUM_DEPTH
from mcp_contracts.messages import (
    STANDARD_ERROR_TYPES,
    MCPCallContext,
    MCPErrorDetail,
    MCPToolCall,
    MCPToolResult,
    Message,
    ResultStatus,
    ToolError,
)
from tests.maintenance.message_schemas import message_schemas
from tests.tables import each

SCHEMAS = message_schemas()
MODELS: dict[str, type[Message]] = {
    "mcp_tool_call.schema.json": MCPToolCall,
    "mcp_tool_result.schema.json": MCPToolResult,
    "mcp_error_detail.schema.json": MCPErrorDetail,
    "mcp_call_context.schema.json": MCPCallContext,
}
CALL, RESULT, ERROR, CONTEXT = MODELS
VALIDATORS = {
    name: jsonschema_rs.validator_for(schema, offline=True, validate_formats=False) for name, schema in SCHEMAS.items()
}

A_DETAIL: dict[str, Any] = {"error_type": "TimeoutError", "error_message": "no answer after 30 s"}


def call_with(value: Any) -> MCPToolCall:
    return MCPToolCall(tool_name="files.read", arguments={"value": value})


def model_accepts(name: str, message: Any) -> bool:
    """Whether a model accepts a message from outside: only Python code may omit a status."""
    try:
        MODELS[name].model_validate(message)
    except ValidationError:
        return False
    return True


def text_is_accepted(name: str, message: Any) -> bool:
    try:
        MODELS[name].from_json(json.dumps(message))
    except ValueError:
        return False
    return True


# --- accepted and rejected by both model and schema

ACCEPTED: list[tuple[str, Any]] = [
    (CALL, {"tool_name": "a.b", "arguments": {}}),
    (CALL, {"tool_name": "git_hub.v2.list_1", "arguments": {"deep": [{"x": None, "y": 1.0}]}}),
    (RESULT, {"status": "success", "data": None, "error": None, "explanation": None}),
    (RESULT, {"status": "partial_success", "data": {}, "error": A_DETAIL}),
    (RESULT, {"status": "no_change_needed", "explanation": ""}),
    (RESULT, {"status": "success", "error": A_DETAIL}),
    (RESULT, {"status": "failure", "error": A_DETAIL}),
    (RESULT, {"status": "failure", "error": A_DETAIL, "data": None}),
    (ERROR, A_DETAIL),
    (ERROR, {"error_type": " ", "error_message": "", "error_details": None}),
    (ERROR, {**A_DETAIL, "error_details": ""}),
    (ERROR, {**A_DETAIL, "error_details": {}}),
    (CONTEXT, {}),
    (CONTEXT, {"channel": "sms", "caller": "ann", "deadline": 2.5, "metadata": {"session": [1]}}),
    (CONTEXT, {"channel": None, "caller": None, "deadline": -1}),
]

NO_TOOL_NAMES: list[Any] = ["", "a", "a.", ".a", "a..b", "A.b", "a.B", "a-b.c", "ä.b", "a.²", 1, 1.0, None, ["a.b"]]
NO_TOOL_NAMES += ["a.b\n", "a.b\r\n", "\na.b", "a\n.b", "a.b ", " a.b"]
NO_STATUSES: list[Any] = ["", "Success", "FAILURE", "success\n", " failure", "failures", "ok", None, 1, 1.0, True, []]
NO_OBJECTS: list[Any] = [None, [], "", 1, 1.0, True]
REFUSED: list[tuple[str, Any]] = [
    *((CALL, {"tool_name": name, "arguments": {}}) for name in NO_TOOL_NAMES),
    (CALL, {"tool_name": "a.b"}),
    (CALL, {"arguments": {}}),
    (CALL, {"tool_name": "a.b", "arguments": None}),
    (CALL, {"tool_name": "a.b", "arguments": []}),
    (CALL, {"tool_name": "a.b", "arguments": "{}"}),
    (CALL, {"tool_name": "a.b", "arguments": {}, "id": 1}),
    *((RESULT, {"status": status}) for status in NO_STATUSES),
    (RESULT, {}),
    (RESULT, {"data": {}}),
    (RESULT, {"status": "failure"}),
    (RESULT, {"status": "failure", "error": None}),
    (RESULT, {"status": "failure", "error": A_DETAIL, "data": {}}),
    (RESULT, {"status": "failure", "error": {**A_DETAIL, "code": 1}}),
    (RESULT, {"error": {"error_type": "TimeoutError"}}),
    (RESULT, {"error": "TimeoutError"}),
    (RESULT, {"data": []}),
    (RESULT, {"data": 1.0}),
    (RESULT, {"explanation": 1}),
    (RESULT, {"result": {}}),
    (ERROR, {**A_DETAIL, "error_type": ""}),
    (ERROR, {**A_DETAIL, "error_type": None}),
    (ERROR, {**A_DETAIL, "error_message": 1}),
    (ERROR, {**A_DETAIL, "error_message": None}),
    (ERROR, {**A_DETAIL, "error_details": []}),
    (ERROR, {**A_DETAIL, "error_details": 1.0}),
    (ERROR, {"error_message": ""}),
    *((CONTEXT, {key: []}) for key in ("channel", "caller", "deadline", "metadata", "on_progress")),
    (CONTEXT, {"deadline": "2"}),
    *((name, message) for name in MODELS for message in NO_OBJECTS),
]


@each(("name", "message"), ACCEPTED)
def test_model_and_schema_accept_a_valid_message(name: str, message: Any) -> None:
    verdicts = (model_accepts(name, message), text_is_accepted(name, message), VALIDATORS[name].is_valid(message))

    assert verdicts == (True, True, True)


@each(("name", "message"), REFUSED)
def test_model_and_schema_refuse_an_invalid_message(name: str, message: Any) -> None:
    verdicts = (model_accepts(name, message), text_is_accepted(name, message), VALIDATORS[name].is_valid(message))

    assert verdicts == (False, False, False)


def test_a_failure_without_an_error_says_what_is_missing() -> None:
    with pytest.raises(ValidationError, match="status `failure` requires `error`"):
        MCPToolResult(status=ResultStatus.FAILURE)


def test_a_failure_with_data_says_what_is_forbidden() -> None:
    with pytest.raises(ValidationError, match="status `failure` forbids `data`"):
        MCPToolResult(status=ResultStatus.FAILURE, error=MCPErrorDetail(**A_DETAIL), data={})


@pytest.mark.parametrize("status", list(ResultStatus))
def test_a_status_may_be_given_as_a_plain_string(status: ResultStatus) -> None:
    detail = MCPErrorDetail(**A_DETAIL)

    from_enum = MCPToolResult(status=status, error=detail)
    from_string = MCPToolResult.model_validate({"status": status.value, "error": detail})

    assert from_string == from_enum
    assert type(from_string.status) is ResultStatus


def test_a_status_given_as_bytes_is_refused() -> None:
    with pytest.raises(ValidationError, match="a status is a string"):
        MCPToolResult.model_validate({"status": b"success"})


@pytest.mark.parametrize("field", MCPErrorDetail.model_fields)
def test_bytes_are_no_string(field: str) -> None:
    with pytest.raises(ValidationError, match="should be a valid string"):
        MCPErrorDetail.model_validate({**A_DETAIL, field: b"text"})


def test_a_result_is_a_success_unless_it_says_otherwise() -> None:
    result = MCPToolResult()

    assert result.to_dict() == {"status": "success", "data": None, "error": None, "explanation": None}


def test_a_message_is_frozen() -> None:
    call = MCPToolCall(tool_name="a.b", arguments={})

    with pytest.raises(ValidationError, match="frozen"):
        call.tool_name = "c.d"


def test_every_standard_error_type_can_be_used() -> None:
    details = [MCPErrorDetail(error_type=error_type, error_message="") for error_type in STANDARD_ERROR_TYPES]

    assert [detail.error_type for detail in details] == sorted(
        set(STANDARD_ERROR_TYPES), key=STANDARD_ERROR_TYPES.index
    )


# --- writing


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (datetime(2025, 3, 1, 12, 30, tzinfo=UTC), "2025-03-01T12:30:00+00:00"),
        (datetime(2025, 3, 1, 12, 30, 0, 250), "2025-03-01T12:30:00.000250"),
        (date(2025, 3, 1), "2025-03-01"),
        (time(12, 30), "12:30:00"),
        (PurePosixPath("/srv/data/ü.txt"), "/srv/data/ü.txt"),
        (b"\xff\xfe\xfb", "//77"),
        (ResultStatus.SUCCESS, "success"),
        ((1, 2.0), [1, 2.0]),
    ],
)
def test_a_python_value_is_kept_and_written_as_json(value: Any, written: Any) -> None:
    call = call_with([{"nested": value}])

    assert call.arguments == {"value": [{"nested": value}]}
    assert call.to_dict()["arguments"] == {"value": [{"nested": written}]}
    assert json.loads(call.to_json()) == call.to_dict()
    assert json.loads(call.model_dump_json()) == call.to_dict()


def test_python_values_are_written_in_data_and_in_error_details_too() -> None:
    detail = MCPErrorDetail(error_type="X", error_message="", error_details={"at": date(2025, 3, 1)})

    result = MCPToolResult(data={"at": time(12, 30)}, error=detail)

    assert result.to_dict()["data"] == {"at": "12:30:00"}
    assert result.to_dict()["error"]["error_details"] == {"at": "2025-03-01"}


def test_json_is_compact_unless_an_indent_is_given() -> None:
    call = call_with([1])

    assert call.to_json() == '{"tool_name":"files.read","arguments":{"value":[1]}}'
    assert call.to_json(indent=1) == json.dumps(call.to_dict(), indent=1)


def test_characters_beyond_ascii_are_written_as_themselves() -> None:
    text = call_with("Größe 雪 🙂").to_json()

    assert "Größe 雪 🙂" in text
    assert MCPToolCall.from_json(text.encode("utf-8")) == call_with("Größe 雪 🙂")


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (float("nan"), "`/value/0` is nan, which JSON cannot represent"),
        (float("-inf"), "`/value/0` is -inf, which JSON cannot represent"),
        ("\ud800", "`/value/0` contains a lone surrogate, which UTF-8 cannot encode"),
        ({"\ud800": 1}, r"`/value/0/\\ud800` contains a lone surrogate"),
        ({1: 1}, "`/value/0` has the key `1`, which is not a string"),
        ({"a/b~": {1, 2}}, "`/value/0/a~1b~0` is a `set`, which JSON cannot represent"),
    ],
)
def test_a_value_that_json_cannot_write_is_refused_with_its_pointer(value: Any, fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        call_with([value])


def test_a_lone_surrogate_is_refused_outside_of_objects_too() -> None:
    with pytest.raises(ValidationError, match="lone surrogate"):
        MCPToolResult(explanation="\ud800")


def test_a_value_spoiled_after_its_check_is_refused_by_the_writer() -> None:
    call = call_with([])

    call.arguments["value"].append(float("nan"))

    with pytest.raises(ValueError, match="`/value/0` is nan, which JSON cannot represent"):
        call.to_json()


def test_a_value_that_contains_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)

    with pytest.raises(ValidationError, match="nested more than 100 levels deep"):
        call_with(endless)


# --- reading


def nested_call(depth: int) -> str:
    return '{"tool_name":"a.b","arguments":' + '{"a":' * depth + "0" + "}" * depth + "}"


def test_the_deepest_message_is_read_and_written() -> None:
    text = nested_call(MAXIMUM_DEPTH)

    assert MCPToolCall.from_json(text).to_json() == text


@pytest.mark.parametrize("depth", [MAXIMUM_DEPTH + 1, 500, 100_000])
def test_deeper_nesting_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="nested more than 100 levels deep"):
        MCPToolCall.from_json(nested_call(depth))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_numbers_beyond_json_are_refused(number: str) -> None:
    with pytest.raises(ValueError, match=r"is not valid JSON|^a number is too large \(the maximum is 1\.8e308\)$"):
        MCPToolCall.from_json(f'{{"tool_name":"a.b","arguments":{{"x":{number}}}}}')


@pytest.mark.parametrize(
    "text",
    [
        '{"tool_name":"a.b","tool_name":"c.d","arguments":{}}',
        '{"tool_name":"a.b","arguments":{"tool_name":1,"x":[{"tool_name":1,"\\u0074ool_name":1}]}}',
    ],
)
def test_a_repeated_key_is_refused_at_any_depth(text: str) -> None:
    with pytest.raises(ValueError, match="a key appears twice in one object"):
        MCPToolCall.from_json(text)


@pytest.mark.parametrize("text", ["", "{", "{} {}", "{'a': 1}", "\ufeff{}", b"\xff", "{}".encode("utf-16")])
def test_text_that_is_not_json_in_utf8_is_refused(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"line 1 column|codec can't decode"):
        MCPToolResult.from_json(text)


def test_a_lone_surrogate_written_as_an_escape_is_refused() -> None:
    with pytest.raises(ValidationError, match="lone surrogate"):
        MCPErrorDetail.from_json('{"error_type":"X","error_message":"\\ud800"}')


# --- the schemas


def subschemas(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from subschemas(child)


def test_each_message_and_batch_has_one_schema() -> None:
    batches = ["mcp_tool_calls.schema.json", "mcp_tool_results.schema.json"]
    a_batch = VALIDATORS[batches[0]]

    assert list(SCHEMAS) == [*MODELS, *batches]
    assert a_batch.is_valid([{"tool_name": "a.b", "arguments": {}}] * 2)
    assert not a_batch.is_valid([{"tool_name": "a.b"}])
    assert not a_batch.is_valid({"tool_name": "a.b", "arguments": {}})


def test_the_schema_of_an_error_names_the_standard_types() -> None:
    standard, declared = SCHEMAS[ERROR]["properties"]["error_type"]["anyOf"]

    assert (standard["enum"], declared["type"]) == (list(STANDARD_ERROR_TYPES), "string")


@pytest.mark.parametrize("name", MODELS)
def test_a_schema_is_valid_draft_07_and_knows_its_name(name: str) -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMAS[name])

    assert SCHEMAS[name]["$schema"] == jsonschema.Draft7Validator.META_SCHEMA["$id"]
    assert SCHEMAS[name]["$id"] == f"https://mcp-contracts.org/schemas/{name}"


@pytest.mark.parametrize("name", MODELS)
def test_a_schema_has_nothing_next_to_a_ref_which_draft_07_would_ignore(name: str) -> None:
    references = [schema for schema in subschemas(SCHEMAS[name]) if "$ref" in schema]

    assert all(len(reference) == 1 for reference in references)
    assert all(reference["$ref"].startswith("#/definitions/") for reference in references)


@pytest.mark.parametrize("name", MODELS)
def test_a_schema_describes_the_message_and_each_field(name: str) -> None:
    described = [SCHEMAS[name], *SCHEMAS[name]["properties"].values()]

    assert all(schema.get("description") for schema in described)


# --- laws: model and schema agree, and written messages can be read

JSON_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([0.0, -0.0, 1.0])
    | st.text(max_size=4)
)
JSON_VALUES = st.recursive(
    JSON_SCALARS,
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=3), values, max_size=3),
    max_leaves=5,
)
OBJECTS = st.dictionaries(st.text(max_size=4), JSON_VALUES, max_size=3)
TOOL_NAMES = st.lists(st.text("abz09_", min_size=1, max_size=4), min_size=2, max_size=4).map(".".join)
DETAILS = st.fixed_dictionaries(
    {"error_type": st.sampled_from(STANDARD_ERROR_TYPES) | st.text(min_size=1, max_size=4), "error_message": st.text()},
    optional={"error_details": OBJECTS | st.text(max_size=4) | st.none()},
)
EXPLANATIONS = st.text(max_size=4) | st.none()
FAILURES = st.fixed_dictionaries(
    {"status": st.just("failure"), "error": DETAILS}, optional={"data": st.none(), "explanation": EXPLANATIONS}
)
OTHER_RESULTS = st.fixed_dictionaries(
    {"status": st.sampled_from(["success", "no_change_needed", "partial_success"])},
    optional={
        "data": OBJECTS | st.none(),
        "error": DETAILS | st.none(),
        "explanation": EXPLANATIONS,
    },
)
VALID_MESSAGES: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    CALL: st.fixed_dictionaries({"tool_name": TOOL_NAMES, "arguments": OBJECTS}),
    RESULT: FAILURES | OTHER_RESULTS,
    ERROR: DETAILS,
    CONTEXT: st.fixed_dictionaries(
        {},
        optional={
            "channel": EXPLANATIONS,
            "caller": EXPLANATIONS,
            "deadline": st.none() | st.floats(-1, 1e9),
            "metadata": OBJECTS,
        },
    ),
}

# The likeliest disagreements at each field: the last valid value, and the first invalid ones.
EDGES: dict[str, list[Any]] = {
    "tool_name": ["a.b", *NO_TOOL_NAMES],
    "arguments": [{}, *NO_OBJECTS],
    "status": [*map(str, ResultStatus), *NO_STATUSES],
    "data": [{}, {"x": 1.0}, *NO_OBJECTS],
    "error": [A_DETAIL, {}, *NO_OBJECTS],
    "explanation": ["", "x", None, 1, 1.0, True, [], {}],
    "error_type": ["", " ", "X", None, 1, 1.0, True, [], {}],
    "error_message": ["", "x", None, 1, 1.0, True, [], {}],
    "error_details": [{}, *NO_OBJECTS],
    "channel": ["", None, 1, []],
    "caller": ["ann", None, 1, {}],
    "deadline": [0, 2.5, None, "1", True, []],
    "metadata": [{}, {"x": [1.0]}, *NO_OBJECTS],
}


ABSENT = object()


def messages_of_edges(name: str) -> Iterator[dict[str, Any]]:
    """Yield every combination of the edges of a message's fields, each field also absent."""
    fields = list(MODELS[name].model_fields)
    for values in itertools.product(*([ABSENT, *EDGES[field]] for field in fields)):
        yield {field: value for field, value in zip(fields, values, strict=True) if value is not ABSENT}


@pytest.mark.parametrize("name", MODELS)
def test_model_and_schema_agree_on_every_combination_of_edges(name: str) -> None:
    verdicts = [(message, model_accepts(name, message)) for message in messages_of_edges(name)]

    disagreements = [message for message, verdict in verdicts if VALIDATORS[name].is_valid(message) != verdict]

    assert disagreements == []
    assert {verdict for _, verdict in verdicts} == {True, False}


MUTATIONS = ["to an edge", "to an edge", "to an edge", "to an edge", "to anything", "dropped", "unknown", "no message"]


@st.composite
def messages_near_the_border(draw: st.DrawFn, name: str) -> Any:
    """Draw a valid message, and break or fix up to three places that the protocol defines."""
    message: Any = copy.deepcopy(draw(VALID_MESSAGES[name]))
    for _ in range(draw(st.sampled_from([1, 1, 0, 2, 3]))):
        target, model = message, MODELS[name]
        if isinstance(message.get("error"), dict) and draw(st.booleans()):
            target, model = message["error"], MCPErrorDetail
        field = draw(st.sampled_from(list(model.model_fields)))
        match draw(st.sampled_from(MUTATIONS)):
            case "to an edge":
                target[field] = copy.deepcopy(draw(st.sampled_from(EDGES[field])))
            case "to anything":
                target[field] = draw(JSON_VALUES)
            case "dropped":
                target.pop(field, None)
            case "unknown":
                target[draw(st.sampled_from([*EDGES, "", "Status", "unknown"]))] = draw(JSON_VALUES)
            case "no message":
                return draw(JSON_VALUES)
    return message


@pytest.mark.parametrize("name", MODELS)
@given(data=st.data())
def test_model_and_schema_give_every_message_the_same_verdict(name: str, data: st.DataObject) -> None:
    message = data.draw(messages_near_the_border(name))

    verdict = VALIDATORS[name].is_valid(message)

    assert model_accepts(name, message) == verdict
    assert text_is_accepted(name, message) == verdict


@pytest.mark.parametrize("name", MODELS)
@given(data=st.data())
def test_a_message_that_is_written_is_read_as_the_same_message(name: str, data: st.DataObject) -> None:
    message = MODELS[name].model_validate(data.draw(VALID_MESSAGES[name]))
    indent = data.draw(st.sampled_from([None, 0, 2]))

    text = message.to_json(indent=indent)

    assert MODELS[name].from_json(text) == message
    assert MODELS[name].from_json(text.encode("utf-8")) == message
    assert VALIDATORS[name].is_valid(json.loads(text))


def test_a_result_is_unwrapped_to_its_data_or_raises_its_error() -> None:
    failed = MCPToolResult(
        status=ResultStatus.FAILURE,
        error=MCPErrorDetail(error_type="RouteClosed", error_message="the pass is closed", error_details={"a": 1}),
    )

    with pytest.raises(ToolError, match="the pass is closed") as caught:
        failed.unwrap()

    assert (failed.ok, caught.value.error_type, caught.value.details) == (False, "RouteClosed", {"a": 1})
    assert MCPToolResult(data={"a": 1}).unwrap() == {"a": 1}
    assert MCPToolResult(status=ResultStatus.NO_CHANGE_NEEDED).ok


class _OwnError(ToolError):
    def __init__(self, place: str) -> None:
        super().__init__("Closed", f"{place} is closed", {"place": place})


@pytest.mark.parametrize("error", [ToolError("A", "b", {"c": 1}), ToolError("A", "b"), _OwnError("Oslo")])
def test_a_tool_error_survives_pickling_and_copying(error: ToolError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert (again.error_type, again.message, again.details, str(again)) == (
            *(error.error_type, error.message, error.details),
            str(error),
        )


def test_the_repr_of_a_result_is_short_and_names_what_is_there() -> None:
    assert repr(MCPToolResult(data={"a": 1})) == "MCPToolResult(status='success', data={'a': 1})"
    assert len(repr(MCPToolResult(data={str(number): "x" * 100 for number in range(1000)}))) < 300
