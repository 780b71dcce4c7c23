"""One call for each reply of a provider: `app.openai.tools` and `await app.openai.answer(reply)`, for all providers."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from mcp_contracts import ToolRegistry, UsageError
from mcp_contracts.adapters.base import NotPortableError
from mcp_contracts.agents import ModelError, ToolLeftOutWarning
from mcp_contracts.agents.facades import ProviderFacade
from mcp_contracts.contract import Effects
from tests.provider_replies import WIRES, Says, Wire

IMAGE = "iVBORw0KGgo="
every_wire = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)


@pytest.fixture
def app() -> ToolRegistry:
    registry = ToolRegistry(deadline=10)

    @registry.tool(name="demo.add", use_when="numbers are to be added")
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    @registry.tool(name="demo.draw", effects=Effects("read-only"))
    def draw() -> dict[str, Any]:
        """Draws a picture."""
        return {"content": [{"type": "image", "data": IMAGE, "mimeType": "image/png"}]}

    return registry


def facade_of(app: ToolRegistry, wire: Wire) -> ProviderFacade:
    return {
        "chat": app.openai,
        "responses": app.openai(interface="responses"),
        "anthropic": app.anthropic,
        "gemini": app.gemini,
    }[wire.name]


def answers(facade: ProviderFacade, reply: object) -> list[dict[str, Any]]:
    return asyncio.run(facade.answer(reply))


@every_wire
def test_the_tools_are_those_of_a_request_as_they_are_now(wire: Wire, app: ToolRegistry) -> None:
    facade = facade_of(app, wire)

    before = json.dumps(facade.tools)
    app.remove("demo.draw")

    assert f"demo{wire.dot}add" in before
    assert "Use when numbers are to be added." in before
    assert "draw" in before
    assert "draw" not in json.dumps(facade.tools)


@every_wire
def test_each_call_of_a_reply_is_answered_in_order(wire: Wire, app: ToolRegistry) -> None:
    name = f"demo{wire.dot}add"
    says = Says("", ((name, {"a": 2, "b": 3}), ("demo_ad", {}), (name, {"a": "x"}), (f"demo{wire.dot}draw", {})))

    answered = answers(facade_of(app, wire), wire.whole(says, 1).body)

    text = json.dumps(answered)
    found = [text.find(part) for part in ("5", "unknown tool `demo_ad`", "ValidationError", "image 1")]
    assert -1 not in found
    assert found == sorted(found)
    assert IMAGE in text
    if wire.name != "gemini":
        assert text.find("_1_0") < text.find("_1_1") < text.find("_1_2") < text.find("_1_3")


@every_wire
def test_a_reply_without_calls_needs_no_answer(wire: Wire, app: ToolRegistry) -> None:
    assert answers(facade_of(app, wire), wire.whole(Says("Five."), 1).body) == []


@every_wire
def test_a_call_that_was_cut_is_refused(wire: Wire, app: ToolRegistry) -> None:
    says = Says("", ((f"demo{wire.dot}add", {"a": 2, "b": 3}),), "cut")

    assert "before this call was complete" in json.dumps(answers(facade_of(app, wire), wire.whole(says, 1).body))


@every_wire
@pytest.mark.parametrize("reply", [None, "five", 5, {}, {"text": "five"}, object()])
def test_what_is_not_a_reply_is_refused(wire: Wire, app: ToolRegistry, reply: object) -> None:
    with pytest.raises(UsageError, match="expected a reply from"):
        answers(facade_of(app, wire), reply)


def test_an_error_in_the_place_of_a_reply_is_raised(app: ToolRegistry) -> None:
    with pytest.raises(ModelError, match="overloaded"):
        answers(app.openai, {"error": {"message": "overloaded"}})


def test_a_part_of_a_reply_is_enough(app: ToolRegistry) -> None:
    chat = WIRES[0].whole(Says("", (("demo__add", {"a": 2, "b": 3}),)), 1).body
    claude = WIRES[2].whole(Says("", (("demo__add", {"a": 2, "b": 3}),)), 1).body
    gemini = WIRES[3].whole(Says("", (("demo.add", {"a": 2, "b": 3}),)), 1).body

    for facade, part in (
        (app.openai, chat["choices"][0]["message"]),
        (app.anthropic, claude["content"]),
        (app.gemini, gemini["candidates"][0]["content"]),
    ):
        assert "5" in json.dumps(answers(facade, part))


def test_the_objects_of_a_fake_client_are_read_like_those_of_a_real_one(app: ToolRegistry) -> None:
    function = SimpleNamespace(name="demo__add", arguments='{"a": 2, "b": 3}')
    call = SimpleNamespace(id="c", type="function", function=function)
    message = SimpleNamespace(role="assistant", content=None, tool_calls=[call])
    reply = SimpleNamespace(choices=[SimpleNamespace(message=message, finish_reason="tool_calls")])

    [answer] = answers(app.openai, reply)

    assert answer["tool_call_id"] == "c"
    assert json.loads(answer["content"])["data"] == {"result": 5}


def objects() -> dict[str, Any]:
    """The providers' own types for a reply."""
    reason = "needs the providers' packages: pip install 'mcp-contracts[oracles]'"
    openai = pytest.importorskip("openai", reason=reason)
    anthropic = pytest.importorskip("anthropic", reason=reason)
    genai = pytest.importorskip("google.genai", reason=reason)
    return {
        "chat": openai.types.chat.ChatCompletion,
        "responses": openai.types.responses.Response,
        "anthropic": anthropic.types.Message,
        "gemini": genai.types.GenerateContentResponse,
    }


@every_wire
def test_the_objects_of_a_providers_package_are_read(wire: Wire, app: ToolRegistry) -> None:
    body = wire.whole(Says("So.", ((f"demo{wire.dot}add", {"a": 2, "b": 3}),)), 1).body

    reply = objects()[wire.name].model_validate(body)

    assert answers(facade_of(app, wire), reply) == answers(facade_of(app, wire), body)


def test_more_tools_than_a_provider_takes_are_warned_about_or_refused() -> None:
    app = ToolRegistry()
    for number in range(129):
        app.tool(lambda: 1, name=f"demo.tool_{number}")

    with pytest.warns(ToolLeftOutWarning, match="OpenAI accepts 128 tools, and 129 are offered"):
        assert len(app.openai.tools) == 129
    with pytest.raises(UsageError, match="accepts 128 tools"):
        _ = app.openai(strict=True).tools
    assert len(app.openai(tools=["demo.tool_1*"], strict=True).tools) == 40


def test_gemini_is_notified_of_its_malformed_call(app: ToolRegistry) -> None:
    reply = {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "print(add(2,"}]}

    assert "print(add(2," in answers(app.gemini, reply)[0]["parts"][0]["text"]


@pytest.fixture
def recursive(app: ToolRegistry) -> ToolRegistry:
    schema = {"type": "array", "items": {"type": "string"}}
    app.add(_contracts("demo.listed", schema))
    app.implement("demo.listed")(lambda **arguments: None)
    return app


def _contracts(name: str, schema: Any) -> Any:
    from mcp_contracts.adapters.mcp import tools_in

    return tools_in([{"name": name, "description": "Takes a list.", "inputSchema": schema}])


def test_a_tool_that_a_provider_refuses_is_left_out_with_a_warning(recursive: ToolRegistry) -> None:
    with pytest.warns(ToolLeftOutWarning, match=r"demo\.listed"):
        tools = recursive.openai.tools

    assert [tool["function"]["name"] for tool in tools] == ["demo__add", "demo__draw"]  # type: ignore[index,call-overload]


def test_or_refused_if_strict(recursive: ToolRegistry) -> None:
    with pytest.raises(NotPortableError, match=r"demo\.listed"):
        _ = recursive.openai(strict=True).tools


def test_a_face_offers_a_selection_and_refuses_the_others(app: ToolRegistry) -> None:
    facade = app.anthropic(tools=["*.draw"])
    reply = WIRES[2].whole(Says("", (("demo__add", {"a": 2, "b": 3}),)), 1).body

    assert [tool["name"] for tool in facade.tools] == ["demo__draw"]
    assert "unknown tool `demo__add`" in json.dumps(answers(facade, reply))


def test_a_name_that_no_tool_has_is_refused(app: ToolRegistry) -> None:
    with pytest.raises(UsageError, match=r"unknown tool `demo\.ad`") as raised:
        _ = app.openai(tools=["demo.ad"]).tools

    assert raised.value.hint == "did you mean `demo.add`?"


def test_approval_is_asked_for_what_may_destroy(app: ToolRegistry) -> None:
    asked = []

    def approve(call: Any) -> bool:
        asked.append((call.tool_name, call.arguments))
        return False

    says = Says("", (("demo__add", {"a": 2, "b": 3}), ("demo__draw", {})))
    declined, drawn, _ = answers(app.openai(approve=approve), WIRES[0].whole(says, 1).body)

    assert asked == [("demo.add", {"a": 2, "b": 3})]
    assert json.loads(declined["content"])["error"]["error_type"] == "PermissionError"
    assert json.loads(drawn["content"])["status"] == "success"


# MCP


def request(name: str, arguments: Any, identifier: Any = 1) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": identifier, "method": "tools/call", "params": params}


def test_mcp_requests_are_answered(app: ToolRegistry) -> None:
    [answer, unknown] = asyncio.run(
        app.mcp.answer([request("demo.add", {"a": 2, "b": 3}), request("demo.ad", {}, "two")])
    )

    assert [tool["name"] for tool in app.mcp.tools] == ["demo.add", "demo.draw"]
    assert (answer["id"], answer["result"]["structuredContent"]) == (1, {"result": 5})
    assert (unknown["id"], unknown["error"]["code"]) == ("two", -32602)
    assert "did you mean `demo.add`" in unknown["error"]["message"]


def test_only_mcp_params_are_answered_without_json_rpc_in_the_form_of_the_era(app: ToolRegistry) -> None:
    facade = app.mcp(era="2026-07-28")

    answer = asyncio.run(facade.answer({"name": "demo.add", "arguments": {"a": 2, "b": 3}}))
    refused = asyncio.run(facade.answer({"name": "demo.add", "arguments": [2, 3]}))

    assert answer["resultType"] == "complete"
    assert answer["structuredContent"] == {"result": 5}
    assert refused["isError"] is True


@pytest.mark.parametrize("value", [None, 5, "x", {}, {"method": "tools/list"}, {"jsonrpc": "2.0", "params": 5}])
def test_mcp_answers_whatever_it_is_asked(app: ToolRegistry, value: object) -> None:
    answer = asyncio.run(app.mcp.answer(value))

    assert answer.get("isError") is True or answer["error"]["code"] == -32602
