"""Contracts, calls and results in OpenAI's two formats and back: no loss is silent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_contracts.adapters import openai
from mcp_contracts.adapters.base import NotPortableError, ProviderCall, RefusedCall
from mcp_contracts.adapters.openai import Interface
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult
from mcp_contracts.sources.tool_lists import read_tool_list
from tests.adapter_corpus import differences, lists, needs_corpus, newest
from tests.sweeps import size

INTERFACES: tuple[Interface, ...] = ("chat", "responses")
NO_ORACLE = "needs pip install 'mcp-contracts[oracles]'"
NESTED: dict[str, Any] = {"type": "string"}
for _ in range(60):
    NESTED = {"type": "object", "properties": {"a": NESTED}}

SCHEMA: dict[str, JsonValue] = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
RESULTS = (
    MCPToolResult(data={"temperature": 3.5, "text": "ä\n\"x\""}),
    MCPToolResult(status="no_change_needed", explanation="it was there"),
    MCPToolResult(status="partial_success", data={"done": [1]}, explanation="half",
                  error=MCPErrorDetail(error_type="TimeoutError", error_message="late", error_details={"s": 1})),
    MCPToolResult(status="failure", error=MCPErrorDetail(error_type="X", error_message="y")),
)  # fmt: skip


def contracts(*tools: JsonValue, server: str = "weather") -> tuple[ToolContract, ...]:
    text = json.dumps({"serverInfo": {"name": server}, "tools": tools})
    return read_tool_list("tools.json", text).contracts


def one(schema: JsonValue = None, **more: JsonValue) -> tuple[ToolContract, ...]:
    return contracts({"name": "get_forecast", "description": "Forecast.", "inputSchema": schema or SCHEMA, **more})


def test_a_tool_has_the_shape_of_each_interface() -> None:
    chat = openai.tools_out(one())
    responses = openai.tools_out(one(), interface="responses")

    function = {"name": "weather__get_forecast", "description": "Forecast.", "parameters": SCHEMA}
    assert chat.tools == [{"type": "function", "function": function}]
    assert responses.tools == [{"type": "function", **function, "strict": False}]
    assert (chat.format, responses.format) == ("openai", "openai-responses")
    assert not chat.losses


def test_what_a_tool_cannot_carry_is_listed() -> None:
    meta: JsonValue = {"org.mcp-contracts/version": "1.2.0"}
    found = openai.tools_out(
        one({"$schema": "https://json-schema.org/draft/2020-12/schema", **SCHEMA}, title="Forecast", _meta=meta,
            outputSchema={"type": "object"}, annotations={"readOnlyHint": True, "idempotentHint": True})
    )  # fmt: skip

    assert [(loss.tool, loss.part, loss.pointer, loss.keyword) for loss in found.losses] == [
        ("weather.get_forecast", "input", "/$schema", "$schema"),
        ("weather.get_forecast", "tool", "", "title"),
        ("weather.get_forecast", "tool", "", "version"),
        ("weather.get_forecast", "tool", "", "effects"),
        ("weather.get_forecast", "tool", "", "idempotent"),
        ("weather.get_forecast", "output", "", "output_schema"),
    ]


EITHER: JsonValue = [{"required": ["city"]}, {"properties": {"at": {"type": "string"}}, "required": ["at"]}]


@pytest.mark.parametrize(
    ("schema", "parameters", "keywords"),
    [
        ({"type": "object"}, {"type": "object", "properties": {}}, ["properties"]),
        ({"allOf": [SCHEMA, {"properties": {"days": {"type": "integer"}}}]},
         {**SCHEMA, "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}, ["allOf"]),
        ({**SCHEMA, "anyOf": EITHER},
         {"type": "object", "properties": {"city": {"type": "string"}, "at": {"type": "string"}}, "required": ["city"],
          "description": 'Must match at least one of: [{"required": ["city"]}, {"properties": {"at": {"type": '
                         '"string"}}, "required": ["at"]}].'}, ["anyOf", "anyOf"]),
        ({**SCHEMA, "not": {"required": ["x"]}, "description": "D."},
         {**SCHEMA, "description": 'D. Must not match: {"required": ["x"]}.'}, ["not"]),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
          "properties": {"at": {"type": "array", "items": [{"type": "number"}], "additionalItems": False}}},
         {"type": "object", "properties": {"at": {"type": "array", "prefixItems": [{"type": "number"}],
                                                  "items": False}}}, ["$schema", "items"]),
        ({"$ref": "#/$defs/in", "$defs": {"in": SCHEMA}}, {**SCHEMA, "$defs": {"in": SCHEMA}}, ["$ref"]),
    ],
)  # fmt: skip
def test_a_root_that_openai_refuses_is_made_plain_and_that_is_listed(
    schema: JsonValue, parameters: JsonValue, keywords: list[str]
) -> None:
    found = openai.tools_out(one(schema))

    function: Any = found.tools[0]["function"]
    assert function["parameters"] == parameters
    assert [loss.keyword for loss in found.losses] == keywords


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"type": "array"}, "/type"),
        ({"type": "object", "properties": {"a": {"$ref": "https://example.org/s"}}}, "/properties/a/$ref"),
        ({"allOf": [{"properties": {"a": {"type": "string"}}}, {"patternProperties": {"^a": {}}}]}, "/allOf"),
        (False, ""),
        ({"type": "object", "properties": {"a": {"type": "strng"}}}, "/properties/a/type"),
        ({"type": "object", "properties": {"a": NESTED}}, ""),
    ],
)
def test_a_tool_that_cannot_be_sent_is_refused_with_its_pointer(schema: JsonValue, pointer: str) -> None:
    tools = contracts({"name": "bad", "inputSchema": schema}, {"name": "good", "inputSchema": SCHEMA})

    with pytest.raises(NotPortableError) as caught:
        openai.tools_out(tools)

    assert [(loss.tool, loss.pointer) for loss in caught.value.losses] == [("weather.bad", pointer)]
    assert "`weather.bad`" in caught.value.message


def test_two_tools_of_one_name_are_refused_with_both_names() -> None:
    with pytest.raises(UsageError, match=r"`weather.Get`.*`weather.get`"):
        openai.tools_out(contracts({"name": "Get"}, {"name": "get"}))


def test_a_contract_is_never_changed_by_its_export() -> None:
    tools = one({"allOf": [SCHEMA]})
    before = json.dumps(tools[0].input_schema)

    found = openai.tools_out(tools)
    found.tools[0].clear()

    assert json.dumps(tools[0].input_schema) == before


@pytest.mark.parametrize("interface", INTERFACES)
def test_foreign_tools_come_in_under_the_name_they_have(interface: Interface) -> None:
    function: dict[str, JsonValue] = {"name": "lookup", "description": "Look up."}
    wrapped: JsonValue = {"type": "function", "function": function}

    (found,) = openai.tools_in([wrapped if interface == "chat" else {"type": "function", **function}], module="shop")

    assert (found.name, found.module, found.description) == ("lookup", "shop", "Look up.")
    assert found.input_schema == {"type": "object", "properties": {}}


@pytest.mark.parametrize("tools", [None, {"tools": 3}, [3], [{"type": "web_search"}], [{"type": "function"}]])
def test_what_is_not_a_function_tool_is_refused(tools: JsonValue) -> None:
    with pytest.raises(UsageError):
        openai.tools_in(tools)


@needs_corpus
@pytest.mark.parametrize("interface", INTERFACES)
@pytest.mark.parametrize("name", newest())
def test_a_published_list_comes_back_equal_except_for_what_is_listed(name: str, interface: Interface) -> None:
    sent = openai.tools_out(lists()[name], interface=interface)
    back = openai.tools_in(json.loads(json.dumps(sent.tools)), names=sent.names)

    assert len(back) == len(lists()[name])
    for contract, other in zip(lists()[name], back, strict=True):
        listed = {"input_schema" if loss.part == "input" else loss.keyword for loss in sent.losses
                  if loss.tool == other.name}  # fmt: skip
        assert differences(contract, other) == listed


@needs_corpus
@pytest.mark.parametrize("name", newest())
def test_the_schema_of_a_published_tool_differs_only_where_a_loss_points(name: str) -> None:
    sent = openai.tools_out(lists()[name])

    for contract, tool in zip(lists()[name], sent.tools, strict=True):
        function: Any = tool["function"]
        pointers = {loss.pointer for loss in sent.losses if loss.part == "input"}
        original: Any = contract.input_schema
        changed = {key for key in {*original, *function["parameters"]}
                   if original.get(key) != function["parameters"].get(key)}  # fmt: skip
        assert {f"/{key}" for key in changed} <= pointers | {"/properties" if "" in pointers else ""}


def call(arguments: object, name: str = "weather__get_forecast") -> dict[str, Any]:
    return {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}


NAMES = openai.names_of(["weather.get_forecast", "a.b_c"])


def test_a_call_comes_in_and_goes_out_the_same_in_both_interfaces() -> None:
    expected = ProviderCall("call_1", MCPToolCall(tool_name="weather.get_forecast", arguments={"city": "Zürich"}))

    for interface in INTERFACES:
        sent = openai.call_out(expected, NAMES, interface=interface)
        assert openai.call_in(sent, NAMES) == expected
    assert openai.call_out(expected, NAMES) == call('{"city":"Zürich"}')
    assert openai.calls_in(openai.calls_out([expected, expected], NAMES), NAMES) == (expected, expected)


@pytest.mark.parametrize("arguments", ["{}", "", " ", None, {}])
def test_no_arguments_are_an_empty_object(arguments: object) -> None:
    found = openai.call_in(call(arguments), NAMES)

    assert isinstance(found, ProviderCall)
    assert found.call.arguments == {}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ('{"city": "Bern"', "line 1, column 16"),
        ('{"city": 1, "city": 2}', "a key appears twice"),
        ('{"city": NaN}', "`NaN` is not valid JSON"),
        ('{"city": 1e999}', "a number is too large"),
        ("[1]", "not an object but an array"),
        ('"x"', "not an object but text"),
        ("[" * 100_000, "nested more than 100 levels"),
        ('{"a":' * 200 + "1" + "}" * 200, "nested more than 100 levels"),
        ("1" * 5_000, "a number is too long"),
        (7, "not an object but a number"),
        ({"a": float("nan")}, "`/a`"),
        ('{"city": "\\ud800"}', "`/city`"),
    ],
)
def test_broken_arguments_are_refused_with_what_is_wrong_and_where(arguments: object, words: str) -> None:
    found = openai.call_in(call(arguments), NAMES)

    assert isinstance(found, RefusedCall)
    assert (found.id, found.name, found.error.error_type) == ("call_1", "weather__get_forecast", "ValidationError")
    assert words in found.error.error_message


def test_an_unknown_name_is_refused_with_the_name_that_was_meant() -> None:
    found = openai.call_in(call("{}", "weather_get_forecast"), NAMES)

    assert isinstance(found, RefusedCall)
    assert found.error.error_type == "ResourceNotFound"
    assert "did you mean `weather__get_forecast`?" in found.error.error_message


@pytest.mark.parametrize("value", [None, 3, [], {}, {"type": "custom", "custom": {"name": "x"}}, {"function": 3}])
def test_what_is_not_a_call_is_refused_and_not_raised(value: object) -> None:
    assert isinstance(openai.call_in(value, NAMES), RefusedCall)


json_values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["id", "type", "function", "name", "arguments", "tool_calls", "choices", "message",
                             "output", "call_id", "role", "content", "text"]), inner, max_size=5,
        ),
    ),
    max_leaves=10,
)  # fmt: skip


@given(json_values)
@settings(max_examples=size(1_000, 40))
def test_no_message_of_a_model_raises(value: Any) -> None:
    openai.call_in(value, NAMES)
    openai.calls_in(value, NAMES)
    for wrapped in ({"role": "tool", "content": value}, {"type": "function_call_output", "output": value}):
        openai.result_in(wrapped)


def test_calls_are_found_in_messages_responses_and_items() -> None:
    chat = call("{}")
    item: dict[str, JsonValue] = {"type": "function_call", "id": "fc_1", "call_id": "call_1",
                                  "name": "weather__get_forecast", "arguments": "{}"}  # fmt: skip
    message = {"role": "assistant", "content": None, "tool_calls": [chat]}
    expected = openai.call_in(chat, NAMES)

    for value in (message, {"choices": [{"message": message}]}, {"output": [{"type": "reasoning"}, item]}, [item]):
        assert openai.calls_in(value, NAMES) == (expected,)
    assert openai.calls_in({"role": "assistant", "content": "no"}, NAMES) == ()


@pytest.mark.parametrize("interface", INTERFACES)
@pytest.mark.parametrize("result", RESULTS)
def test_a_result_keeps_status_error_and_explanation(result: MCPToolResult, interface: Interface) -> None:
    sent = openai.result_out("call_1", result, interface=interface)

    assert openai.result_in(json.loads(json.dumps(sent))) == ("call_1", result)


@pytest.mark.parametrize(
    ("content", "data"),
    [
        ("sunny", {"result": "sunny"}),
        ("{}", {"result": "{}"}),
        ('{"status": "success"}', {"result": '{"status": "success"}'}),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], {"result": "a\nb"}),
        ([{"type": "input_image", "image_url": "u"}], {"content": [{"type": "input_image", "image_url": "u"}]}),
    ],
)
def test_a_result_that_we_did_not_write_is_data(content: JsonValue, data: dict[str, Any]) -> None:
    message = {"role": "tool", "tool_call_id": "call_1", "content": content}

    assert openai.result_in(message) == ("call_1", MCPToolResult(data=data))


@pytest.mark.parametrize("interface", INTERFACES)
@pytest.mark.parametrize("name", newest() or ["-"])
def test_openais_own_types_take_what_we_emit(name: str, interface: Interface) -> None:
    types = pytest.importorskip("openai.types", reason=NO_ORACLE)
    from openai.types.chat import ChatCompletionFunctionToolParam
    from openai.types.responses import FunctionToolParam
    from pydantic import ConfigDict, TypeAdapter, with_config

    assert types is not None
    kind: Any = ChatCompletionFunctionToolParam if interface == "chat" else FunctionToolParam
    with_config(ConfigDict(extra="forbid"))(kind)
    adapter = TypeAdapter(kind)
    for tool in openai.tools_out(lists().get(name, one()), interface=interface).tools:
        assert adapter.validate_python(tool, strict=True) == tool


@pytest.mark.parametrize("result", RESULTS)
def test_openais_own_types_take_our_calls_and_results(result: MCPToolResult) -> None:
    pytest.importorskip("openai", reason=NO_ORACLE)
    from openai.types.chat import (
        ChatCompletionAssistantMessageParam,
        ChatCompletionMessageFunctionToolCall,
        ChatCompletionToolMessageParam,
    )
    from openai.types.responses import ResponseFunctionToolCall, ResponseFunctionToolCallParam
    from openai.types.responses.response_input_param import FunctionCallOutput
    from pydantic import TypeAdapter

    sent = ProviderCall("call_1", MCPToolCall(tool_name="a.b_c", arguments={"x": [1]}))
    item = openai.call_out(sent, NAMES, interface="responses")
    checks: list[tuple[Any, Any]] = [
        (ChatCompletionToolMessageParam, openai.result_out("call_1", result)),
        (FunctionCallOutput, openai.result_out("call_1", result, interface="responses")),
        (ChatCompletionAssistantMessageParam, openai.calls_out([sent], NAMES)),
        (ResponseFunctionToolCallParam, item),
    ]

    for kind, value in checks:
        TypeAdapter(kind).validate_python(value)
    chat_object = ChatCompletionMessageFunctionToolCall.model_validate(openai.call_out(sent, NAMES))
    assert openai.call_in(chat_object, NAMES) == sent
    assert openai.call_in(ResponseFunctionToolCall.model_validate(item), NAMES) == sent


def test_a_message_of_a_lenient_server_is_read_without_a_warning() -> None:
    chat = pytest.importorskip("openai.types.chat", reason="needs pip install 'mcp-contracts[oracles]'")
    models = pytest.importorskip("openai._models", reason="needs pip install 'mcp-contracts[oracles]'")
    call = {"id": "1", "type": "function", "function": {"name": "a__b", "arguments": {"x": 1}}}
    message = models.construct_type(value={"role": "assistant", "tool_calls": [call]}, type_=chat.ChatCompletionMessage)

    (read,) = openai.calls_in(message, openai.names_of(["a.b"]))

    assert read == ProviderCall("1", MCPToolCall(tool_name="a.b", arguments={"x": 1}))
