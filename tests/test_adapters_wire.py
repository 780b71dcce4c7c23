"""Common behavior of all adapters: they reject tools that are not JSON, and pass on a model's garbled arguments."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from mcp_contracts.adapters import anthropic, gemini, mcp, openai
from mcp_contracts.adapters.base import ProviderCall, RefusedCall
from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolCall, MCPToolResult, ResultStatus
from tests.tables import each

ODD = "a\ud800"
NAMES = openai.names_of(["weather.get"])
DEEP: dict[str, Any] = {"type": "string"}
for _ in range(60):
    DEEP = {"type": "object", "properties": {"a": DEEP}}

Read = Callable[[Any], tuple[ToolContract, ...]]


def openai_tool(**fields: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "get", **fields}}


def gemini_tool(**fields: Any) -> dict[str, Any]:
    return {"functionDeclarations": [{"name": "get", **fields}]}


@each(
    ("read", "tool", "words"),
    [
        (openai.tools_in, openai_tool(name=ODD), "the `name` of tool 1 contains a lone surrogate"),
        (openai.tools_in, openai_tool(description=ODD), "the `description` of tool 1 contains a lone surrogate"),
        (openai.tools_in, openai_tool(parameters={"const": math.inf}), "a tool's input schema cannot be written"),
        (openai.tools_in, openai_tool(parameters=DEEP), "a tool's input schema is nested more than 100 levels"),
        (anthropic.tools_in, {"name": ODD}, "the `name` of tool 1 contains a lone surrogate"),
        (anthropic.tools_in, {"name": "get", "description": ODD}, "the `description` of tool 1 contains"),
        (anthropic.tools_in, {"name": "get", "input_examples": [{"a": math.nan}]}, "`input_examples` of tool 1 cannot"),
        (anthropic.tools_in, {"name": "get", "input_schema": DEEP}, "a tool's input schema is nested more than 100"),
        (gemini.tools_in, gemini_tool(name=ODD), "the `name` of declaration 1 contains a lone surrogate"),
        (gemini.tools_in, gemini_tool(description=ODD), "the `description` of declaration 1 contains"),
        (gemini.tools_in, gemini_tool(parameters={"maximum": math.inf}), "`parameters` schema of declaration 1 cannot"),
        (gemini.tools_in, gemini_tool(parameters=DEEP), "`parameters` schema of declaration 1 is nested more than 100"),
        (gemini.tools_in, gemini_tool(response={"maximum": math.inf}), "`response` schema of declaration 1 cannot"),
        (gemini.tools_in, gemini_tool(parametersJsonSchema={"const": math.nan}), "a tool's input schema cannot"),
        (mcp.tools_in, {"name": ODD}, "tool 1 cannot be written: `/name` contains a lone surrogate"),
        (mcp.tools_in, {"name": "get", "inputSchema": DEEP}, "tool 1 is nested more than 100 levels deep"),
    ],
)
def test_a_tool_that_is_not_json_is_a_usage_error(read: Read, tool: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        read([tool])

    assert words in caught.value.message
    assert "/properties" not in caught.value.message


def openai_call(name: str) -> dict[str, Any]:
    return {"id": ODD, "type": "function", "function": {"name": name, "arguments": "{}"}}


def anthropic_call(name: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": ODD, "name": name, "input": {}}


def gemini_call(name: str) -> dict[str, Any]:
    return {"functionCall": {"id": ODD, "name": name, "args": {}}}


def mcp_call(name: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": f'"{ODD}', "method": "tools/call", "params": {"name": name}}


def answered(refused: RefusedCall) -> MCPToolResult:
    return MCPToolResult(status=ResultStatus.FAILURE, error=refused.error)


@pytest.mark.parametrize(
    ("call_in", "call", "answer"),
    [
        (openai.call_in, openai_call, lambda refused: openai.result_out(refused.id, answered(refused))),
        (openai.call_in, lambda name: {**openai_call(name), "type": "custom", "name": name},
         lambda refused: openai.result_out(refused.id, answered(refused), interface="responses")),
        (anthropic.call_in, anthropic_call, lambda refused: anthropic.result_out(refused.id, answered(refused))),
        (gemini.call_in, gemini_call,
         lambda refused: gemini.result_out(refused.id, answered(refused), tool_name=refused.name)),
        (mcp.call_in, mcp_call, mcp.refusal_out),
    ],
)  # fmt: skip
def test_the_answer_to_a_call_with_lone_surrogates_can_be_written(call_in: Any, call: Any, answer: Any) -> None:
    refused = call_in(call(ODD), NAMES)

    assert isinstance(refused, RefusedCall)
    assert refused.name == "a\\ud800"
    assert json.dumps(answer(refused), ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("call_in", "call", "result_out"),
    [
        (openai.call_in, openai_call("weather__get"), openai.result_out),
        (anthropic.call_in, anthropic_call("weather__get"), anthropic.result_out),
        (gemini.call_in, gemini_call("weather__get"),
         lambda call_id, result: gemini.result_out(call_id, result, tool_name="weather.get")),
        (mcp.call_in, mcp_call("weather__get"), mcp.result_out),
    ],
)  # fmt: skip
def test_the_identifier_of_a_call_can_be_written(call_in: Any, call: Any, result_out: Any) -> None:
    found = call_in(call, NAMES)

    assert isinstance(found, ProviderCall)
    assert json.dumps(result_out(found.id, MCPToolResult(data={})), ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (anthropic.call_in({"type": "tool_use", "name": "weather__get", "input": [1]}, NAMES),
         "the `input` is not an object but an array"),
        (gemini.call_in({"functionCall": {"name": "weather__get", "args": "x"}}, NAMES),
         "the `args` is not an object but text"),
        (openai.call_in({"function": {"name": "weather__get", "arguments": "[1]"}}, NAMES),
         "the arguments are not an object but an array"),
    ],
)  # fmt: skip
def test_arguments_that_are_no_object_are_refused_in_the_words_of_the_provider(found: Any, words: str) -> None:
    assert isinstance(found, RefusedCall)
    assert found.error.error_message == words


@pytest.mark.parametrize("call_out", [openai.call_out, anthropic.call_out, gemini.call_out, mcp.call_out])
def test_a_call_of_a_tool_that_was_not_sent_is_a_usage_error(call_out: Any) -> None:
    call = ProviderCall("1", MCPToolCall(tool_name="weather.set", arguments={}))

    with pytest.raises(UsageError, match=r"`weather\.set` is not among the tools that were sent"):
        call_out(call, NAMES)
