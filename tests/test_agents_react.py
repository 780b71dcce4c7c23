"""ReAct: a model that only accepts text."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_contracts import MCPToolCall, ToolRegistry
from mcp_contracts.agents import Agent, Answer, Reply, Stop, UnreadableReplyError

ADD = '{"tool_name": "demo.add", "arguments": {"a": 2, "b": 3}}'


class Model:
    """A function of messages that returns scripted texts."""

    def __init__(self, *texts: Any) -> None:
        self._script = iter(texts)
        self.requests: list[list[dict[str, Any]]] = []

    def __call__(self, messages: Any, tools: Any) -> Any:
        assert list(tools) == []
        self.requests.append([dict(message) for message in messages])
        return next(self._script)


@pytest.fixture
def app() -> ToolRegistry:
    registry = ToolRegistry(deadline=10)

    @registry.tool(name="demo.add")
    async def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    return registry


def run(app: ToolRegistry, model: Model, **options: Any) -> Answer:
    return Agent(app, model, mode="react", **options).run_sync("What is 2 + 3?")


def test_a_thought_a_call_an_observation_and_the_answer(app: ToolRegistry) -> None:
    model = Model(f"Thought: I add.\n{ADD}", "Thought: I know.\nFinal Answer: It is 5.")
    memory: list[Any] = []

    answer = run(app, model, instructions="Be brief.", memory=memory)

    assert answer == "It is 5."
    assert answer.calls[0].result.data == {"result": 5}
    system, task, thought, observation = model.requests[-1]
    assert system["content"].startswith("Be brief.")
    assert "### demo.add" in system["content"]
    assert (task["content"], thought["content"]) == ("What is 2 + 3?", f"Thought: I add.\n{ADD}")
    assert observation["role"] == "user"
    assert observation["content"].startswith('Observation: {"status":"success","data":{"result":5}')
    assert [message["role"] for message in memory] == ["user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize(
    "text",
    [
        'Thought: x\nAction: demo.add\nAction Input: {"a": 2, "b": 3}\nObservation: 6\nFinal Answer: 6',
        'Action:\n```json\n{"action": "demo.add", "action_input": {"a": 2, "b": 3}}\n```\nObservation: 6',
        f"<think>6</think>{ADD}",
        f"{ADD}\nObservation: 6\nThought: So it is 6.\nFinal Answer: 6",
        f"{ADD}\nFinal Answer: 6",
        f"Thought: x\n```json\n{ADD}\n```\n**Final Answer:** 6",
    ],
)
def test_thinking_and_what_is_written_after_a_call_are_dropped(app: ToolRegistry, text: str) -> None:
    model = Model(text, "Final Answer: 5")

    answer = run(app, model)

    assert (answer, answer.calls[0].result.data) == ("5", {"result": 5})
    assert "6" not in model.requests[-1][2]["content"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Final Answer: 5", "5"),
        ("Thought: I know.\n**Final Answer:** **5**", "**5**"),
        ("## Final answer: 5\nor so", "5\nor so"),
        ("Final Answer: {}", "{}"),
        (f"Final Answer: Write {ADD}", f"Write {ADD}"),
        ("5", "5"),
        ("Action: Final Answer\nAction Input: 5", "5"),
        ('{"action": "Final Answer", "action_input": "5"}', "5"),
        ('Action:\n```json\n{"action": "final_answer", "action_input": {"sum": 5}}\n```', '{"sum": 5}'),
        ("<think>\nFinal Answer: 7\n</think>\nFinal Answer: 5", "5"),
        ("Final Answer: 7, or not\n</think>\n5", "5"),
    ],
)
def test_answers(app: ToolRegistry, text: str, answer: str) -> None:
    assert run(app, Model(text)) == answer


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Thought: I should add.", "neither a call nor"),
        ("Final Answer:", "empty"),
        ("", "empty"),
        ("<think>Final Answer: 7", "empty"),
        (f"<think>{ADD}", "empty"),
        ('{"tool_name": "demo.add", "arguments": {"a": 2,', "line 1"),
        ("{'tool_name': 'demo.add', 'arguments': {'a': 2, 'b': 3}}", "single quotes"),
        ("Thought: x\nAction: demo.add\nAction Input: 2 and 3", "not valid JSON"),
        ("Thought: x\nAction: demo.add(2, 3)", "not valid JSON"),
        (f"{ADD}\n{{'tool_name': 'demo.add', 'arguments': {{}}}}", "single quotes"),
    ],
)
def test_what_cannot_be_read_is_reported_and_nothing_runs(app: ToolRegistry, text: str, told: str) -> None:
    model = Model(text, "Final Answer: 5")

    answer = run(app, model)

    assert (answer, answer.calls) == ("5", ())
    assert told in model.requests[-1][-1]["content"]
    with pytest.raises(UnreadableReplyError) as caught:
        run(app, Model(text, text, text))
    assert caught.value.hint is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"tool_name": "demo.ad", "arguments": {}}', "demo.add"),
        ('{"name": "add", "arguments": {}}', "demo.add"),
        ('{"tool_name": "demo.add", "arguments": {"a": "x", "b": 3}}', "not of type integer"),
    ],
)
def test_a_call_that_the_contract_refuses_is_observed(app: ToolRegistry, text: str, told: str) -> None:
    model = Model(text, "Final Answer: 5")

    assert run(app, model).calls[0].result.status == "failure"
    assert told in model.requests[-1][-1]["content"]


def test_several_calls_are_observed_in_one_message(app: ToolRegistry) -> None:
    model = Model(f"{ADD}\n{ADD}", "Final Answer: 10")

    run(app, model)

    assert model.requests[-1][-1]["content"].count("Observation: ") == 2


def test_a_call_that_was_cut_is_refused(app: ToolRegistry) -> None:
    model = Model(Reply(ADD[:-5], stop=Stop.LENGTH), "Final Answer: 5")

    assert run(app, model) == "5"
    assert "before this call was complete" in model.requests[-1][-1]["content"]


def test_a_memory_of_native_calls_is_continued_as_text(app: ToolRegistry) -> None:
    memory: list[Any] = []
    script = iter([MCPToolCall(tool_name="demo.add", arguments={"a": 2, "b": 3}), "5"])
    Agent(app, lambda messages: next(script), memory=memory).run_sync("What is 2 + 3?")
    model = Model("Final Answer: Yes.")

    run(app, model, memory=memory)

    assert model.requests[0][2]["content"] == ADD
    assert all(message.keys() == {"role", "content"} for message in model.requests[0])
