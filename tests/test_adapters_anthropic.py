"""Contracts, calls and results in Anthropic's format and back: every loss is listed."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.adapters.anthropic import (
    call_in,
    call_out,
    calls_in,
    calls_out,
    names_of,
    result_in,
    result_out,
    results_in,
    results_out,
    tools_in,
    tools_out,
)
from mcp_contracts.adapters.base import NotPortableError, ProviderCall, RefusedCall
from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult, ResultStatus
from mcp_contracts.sources.load import load
from mcp_contracts.sources.tool_lists import read_tool_list
from mcp_contracts.tool_names import qualified_name
from tests.adapter_corpus import differences, lists, needs_corpus
from tests.adapter_messages import RESULTS, VALUES, calls

WORDS = st.sampled_from(
    ["type", "id", "name", "input", "content", "tool_use_id", "is_error", "tools", "input_examples"]
)
NAMES = names_of(["weather.get_forecast", "weather.list"])


def contracts_of(*tools: dict[str, Any]) -> tuple[ToolContract, ...]:
    return read_tool_list("weather.json", json.dumps({"serverInfo": {"name": "weather"}, "tools": tools})).contracts


def with_input(schema: Any) -> tuple[ToolContract, ...]:
    return contracts_of({"name": "get", "inputSchema": schema})


def assert_all_comes_back_but_losses(contracts: Iterable[ToolContract]) -> None:
    contracts = tuple(contracts)
    found = tools_out(contracts)

    back = tools_in(json.loads(json.dumps(found.tools)), names=found.names)

    assert len(back) == len(contracts)
    for contract, other in zip(contracts, back, strict=True):
        listed = [loss for loss in found.losses if loss.tool == qualified_name(contract)]
        lost = {"input_schema" if loss.part == "input" else loss.keyword for loss in listed}
        assert differences(contract, other) <= lost
        assert {loss.keyword for loss in listed if loss.part != "input"} <= differences(contract, other)


@needs_corpus
def test_every_published_server_comes_back_in_everything_but_the_losses() -> None:
    for contracts in lists().values():
        assert_all_comes_back_but_losses(contracts)


def test_our_own_specifications_come_back_in_everything_but_the_losses() -> None:
    assert_all_comes_back_but_losses(load("specs/"))


def test_tools_have_a_name_a_description_and_an_input_schema() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "additionalProperties": False}
    contracts = contracts_of({"name": "get", "description": "Gets it.", "inputSchema": schema})

    found = tools_out(contracts)

    assert found.tools == [{"name": "weather__get", "description": "Gets it.", "input_schema": schema}]
    assert found.losses == ()


def test_a_schema_with_a_plain_root_goes_out_unchanged() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/a"}, "b": {"oneOf": [{"type": "string"}, {"type": "null"}]}},
        "$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}},
    }

    found = tools_out(with_input(schema))

    assert found.tools[0]["input_schema"] == schema


def test_a_root_with_alternatives_becomes_a_plain_object_and_a_loss() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    contracts = with_input(schema)
    before = copy.deepcopy(contracts[0].input_schema)

    found = tools_out(contracts)

    sent = found.tools[0]["input_schema"]
    assert isinstance(sent, dict)
    assert not sent.keys() & {"anyOf", "oneOf", "allOf"}
    assert [(loss.part, loss.pointer) for loss in found.losses] == [("input", "/anyOf")]
    assert contracts[0].input_schema == before


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"type": "array"}, "/type"),
        ({"type": "object", "properties": {"a": {"$ref": "https://x.org/a"}}}, "/properties/a/$ref"),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}}, "/properties/a/$ref"),
        ({"type": "object", "properties": {"a": {"type": "text"}}}, "/properties/a/type"),
        ({"type": "object", "properties": {"a b/c": {}}}, "/properties/a b~1c"),
        ({"type": "object", "$schema": "http://json-schema.org/draft-04/schema#"}, "/$schema"),
    ],
)
def test_what_the_api_refuses_is_refused_with_tool_and_pointer(schema: Any, pointer: str) -> None:
    with pytest.raises(NotPortableError) as caught:
        tools_out(with_input(schema))

    assert [(loss.tool, loss.pointer) for loss in caught.value.losses] == [("weather.get", pointer)]
    assert caught.value.hint


def test_a_contract_without_an_input_is_sent_and_listed() -> None:
    contract = replace(with_input({"type": "object"})[0], input=None)

    found = tools_out([contract])

    assert found.tools == [{"name": "weather__get", "input_schema": {"type": "object", "properties": {}}}]
    assert [(loss.part, loss.keyword) for loss in found.losses] == [("input", "type")]


def test_a_tuple_of_draft_7_goes_out_in_the_words_of_2020_12() -> None:
    tuple_of_draft_7 = {"type": "array", "items": [{"type": "string"}]}
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"a": tuple_of_draft_7},
    }

    found = tools_out(with_input(schema))

    assert found.tools[0]["input_schema"] == {
        "type": "object",
        "properties": {"a": {"type": "array", "prefixItems": [{"type": "string"}]}},
    }
    assert "/properties/a/items" in [loss.pointer for loss in found.losses]


def test_a_schema_that_nests_too_deep_is_refused() -> None:
    schema: dict[str, Any] = {}
    for _ in range(150):
        schema = {"type": "object", "properties": {"a": schema}}

    contract = with_input({"type": "object"})[0]
    assert contract.input is not None
    deep = replace(contract, input=replace(contract.input, value=schema))

    with pytest.raises(NotPortableError, match="levels deep"):
        tools_out([deep])


def test_example_calls_go_out_as_input_examples_where_the_schema_accepts_them() -> None:
    contracts = load("specs/")
    found = tools_out(contracts, with_examples=True)

    assert any("input_examples" in tool for tool in found.tools)
    back = tools_in(found.tools, names=found.names)
    assert all(example.kind == "arguments" for contract in back for example in contract.examples)


@pytest.mark.parametrize(
    "tools", [{"name": "a"}, "x", [1], [{"name": ""}], [{"type": "web_search_20250305", "name": "web_search"}]]
)
def test_what_is_not_a_tool_is_a_usage_error(tools: Any) -> None:
    with pytest.raises(UsageError):
        tools_in(tools)


def test_tools_of_strangers_keep_their_names() -> None:
    entry = {"name": "get_weather", "input_schema": {"type": "object"}, "strict": True, "cache_control": None}

    (contract,) = tools_in({"tools": [entry]}, module="weather")

    assert (contract.name, contract.module, contract.input_schema) == ("get_weather", "weather", {"type": "object"})


# Calls and results


@given(st.text(max_size=10), calls("weather.get_forecast"))
def test_any_call_goes_out_and_comes_back(identifier: str, call: MCPToolCall) -> None:
    made = ProviderCall(identifier, call)

    assert call_in(call_out(made, NAMES), NAMES) == made
    assert calls_in(calls_out([made, made], NAMES), NAMES) == (made, made)


@given(st.text(max_size=10), RESULTS)
def test_any_result_goes_out_and_comes_back(identifier: str, result: MCPToolResult) -> None:
    assert result_in(result_out(identifier, result)) == (identifier, result)
    assert results_in(results_out([("1", result), ("2", result)])) == (("1", result), ("2", result))


PNG = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
TEXT = {"type": "text", "text": "a"}


def test_images_of_a_result_follow_as_blocks_and_come_back() -> None:
    result = MCPToolResult(data={"content": [TEXT, PNG, PNG], "n": 1})

    block = result_out("1", result)

    content: Any = block["content"]
    assert [one["type"] for one in content] == ["text", "image", "image"]
    assert PNG["data"] not in content[0]["text"]
    assert content[1]["source"] == {"type": "base64", "media_type": "image/png", "data": PNG["data"]}
    assert result_in(block) == ("1", result)
    oracle("ToolResultBlockParam").validate_python(block)


@pytest.mark.parametrize(
    "image",
    [
        {**PNG, "data": "image 1"},
        {**PNG, "data": "image 2"},
        {**PNG, "mimeType": "image/svg+xml"},
        {**PNG, "data": ""},
        {**PNG, "data": None},
        {"type": "image"},
    ],
)
@pytest.mark.parametrize("key", ["content", "_content"])
def test_any_block_comes_back_as_it_was(image: dict[str, Any], key: str) -> None:
    detail = MCPErrorDetail(error_type="X", error_message="y", error_details={key: [image, PNG]})
    for result in (
        MCPToolResult(data={key: [image]}),
        MCPToolResult(data={key: [image, PNG, TEXT]}),
        MCPToolResult(data={key: [PNG, image]}, explanation="image 1"),
        MCPToolResult(status=ResultStatus.FAILURE, error=detail),
    ):
        assert result_in(result_out("1", result)) == ("1", result)


def test_calls_are_found_among_text_thinking_and_calls_that_the_api_runs() -> None:
    use = {"type": "tool_use", "id": "1", "name": "weather__list", "input": {}}
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "…", "signature": ""},
            {"type": "text", "text": "I look."},
            use,
            {"type": "server_tool_use", "id": "2", "name": "web_search", "input": {}},
        ],
    }

    expected = (ProviderCall("1", MCPToolCall(tool_name="weather.list", arguments={})),)
    assert calls_in(message, NAMES) == expected
    assert calls_in([message], NAMES) == expected
    assert calls_in({"role": "user", "content": "hello"}, NAMES) == ()


@pytest.mark.parametrize(
    ("block", "identifier", "name"),
    [
        ({"type": "tool_use", "id": "1", "name": "weather__lost", "input": {}}, "1", "weather__lost"),
        ({"type": "tool_use", "id": "1", "name": "weather__list", "input": "{"}, "1", "weather__list"),
        ({"type": "tool_use", "id": "1", "name": "weather__list", "input": {"a": float("nan")}}, "1", "weather__list"),
        ({"type": "tool_use", "input": {}}, "", ""),
        ({"type": "text", "text": "a"}, "", ""),
        (None, "", ""),
        ([], "", ""),
    ],
)
def test_a_call_that_cannot_be_run_is_answered_and_not_raised(block: Any, identifier: str, name: str) -> None:
    found = call_in(block, NAMES)

    assert isinstance(found, RefusedCall)
    assert (found.id, found.name) == (identifier, name)
    answer = MCPToolResult(status=ResultStatus.FAILURE, error=found.error)
    assert result_out(found.id, answer)["is_error"] is True


@pytest.mark.parametrize(
    ("content", "data"),
    [
        ("sunny", {"result": "sunny"}),
        ("{}", {"result": "{}"}),
        ('{"status":"success"}', {"result": '{"status":"success"}'}),
        ([], {"result": ""}),
        (None, {"result": ""}),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], {"result": "a\nb"}),
        (
            [{"type": "text", "text": "a"}, {"type": "image", "source": {"type": "url", "url": "u"}}],
            {"content": [{"type": "text", "text": "a"}, {"type": "image", "source": {"type": "url", "url": "u"}}]},
        ),
        ("\ud800", {"result": "\\ud800"}),
    ],
)
def test_results_of_strangers_come_back_as_data(content: Any, data: dict[str, Any]) -> None:
    block = {"type": "tool_result", "tool_use_id": "1", "content": content}

    assert result_in(block) == ("1", MCPToolResult(data=data))


def test_an_error_of_a_stranger_is_a_failure_with_all_that_it_says() -> None:
    image = {"type": "image", "source": {"type": "url", "url": "u"}}
    content = [{"type": "text", "text": "no such city"}, image]

    _, found = result_in({"type": "tool_result", "tool_use_id": "1", "content": content, "is_error": True})

    assert found.status is ResultStatus.FAILURE
    assert found.error == MCPErrorDetail(
        error_type="ToolExecutionError", error_message="no such city", error_details={"content": [image]}
    )


def test_a_success_under_is_error_is_not_believed() -> None:
    block = result_out("1", MCPToolResult(data={}))

    _, found = result_in({**block, "is_error": True})

    assert found.status is ResultStatus.FAILURE


@pytest.mark.parametrize("value", [None, [], {"type": "text", "text": "a"}, {"tool_use_id": "1", "type": "tool_use"}])
def test_what_answers_no_call_is_a_usage_error(value: Any) -> None:
    with pytest.raises(UsageError):
        result_in(value)


def test_a_call_of_a_tool_that_was_not_sent_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        call_out(ProviderCall("1", MCPToolCall(tool_name="a.b", arguments={})), NAMES)


@given(VALUES | st.dictionaries(WORDS, VALUES | st.dictionaries(WORDS, VALUES)))
def test_whatever_comes_is_read_or_a_usage_error(value: Any) -> None:
    assert isinstance(call_in(value, NAMES), ProviderCall | RefusedCall)
    assert isinstance(calls_in(value, NAMES), tuple)
    for read in (result_in, results_in, tools_in):
        with contextlib.suppress(UsageError):
            read(value)


# Anthropic's own package


@cache
def oracle(name: str) -> Any:
    types = pytest.importorskip("anthropic.types", reason="needs pip install 'mcp-contracts[oracles]'")
    from pydantic import TypeAdapter  # of a type that only this package knows

    return TypeAdapter(getattr(types, name))


def test_the_package_takes_our_tools_calls_and_results() -> None:
    call = ProviderCall("1", MCPToolCall(tool_name="weather.list", arguments={"a": [1]}))
    failure = MCPToolResult(
        status=ResultStatus.FAILURE, error=MCPErrorDetail(error_type="TimeoutError", error_message="late")
    )

    for tool in tools_out(load("specs/"), with_examples=True).tools:
        oracle("ToolParam").validate_python(tool)
    read = oracle("ToolUseBlock").validate_python(call_out(call, NAMES))
    oracle("ToolUseBlockParam").validate_python(call_out(call, NAMES))
    for result in (MCPToolResult(data={"a": 1}), failure):
        oracle("ToolResultBlockParam").validate_python(result_out("1", result), strict=True)
    oracle("MessageParam").validate_python(results_out([("1", failure)]))

    assert call_in(read, NAMES) == call


@needs_corpus
def test_the_package_takes_the_tools_of_every_published_server() -> None:
    adapter = oracle("ToolParam")
    transform = pytest.importorskip("anthropic.lib._parse._transform").transform_schema

    for contracts in lists().values():
        for contract, tool in zip(contracts, tools_out(contracts).tools, strict=True):
            adapter.validate_python(tool)
            assert _fails(transform, tool["input_schema"]) <= _fails(transform, contract.input_schema)


def _fails(transform: Any, schema: Any) -> bool:
    try:
        transform(copy.deepcopy(schema))
    except Exception:  # any exception of a private function is compared
        return True
    return False
