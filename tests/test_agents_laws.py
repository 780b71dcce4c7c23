"""Laws of an agent: for any reply, a run ends with an answer or an AgentError, and its memory is complete."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from mcp_contracts import ToolRegistry
from mcp_contracts.agents import Agent, AgentError, Message, ModelError
from mcp_contracts.agents.messages import check_messages, complete_messages
from mcp_contracts.errors import ContractError
from tests.provider_replies import WIRES, Says, Wire
from tests.scripted_model import request_faults
from tests.sweeps import size, sweep
from tests.test_agents_streams import Client, model_of

ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, float("inf"), float("nan"), 10**30, "", "x", "\ud800", "demo.add", "tool_use", "length"),
    *([], [[]], [None], {}, {"x": 1}, {"type": "tool_use"}, [{"type": "text", "text": 5}], {"error": 5}),
    *(b"x", object(), "x" * 5_000),
)


def mutate(value: Any, chance: random.Random, rate: float = 0.06) -> Any:
    """Return a value with some parts replaced, dropped, repeated or out of order."""
    if chance.random() < rate:
        return chance.choice(ODD)
    if isinstance(value, dict):
        return {key: mutate(item, chance, rate) for key, item in value.items() if chance.random() > rate / 2}
    if isinstance(value, list):
        items = [mutate(item, chance, rate) for item in value]
        if chance.random() < rate:
            chance.shuffle(items)
        return [*items, *items[:1]] if chance.random() < rate else items
    return value


def replies(wire: Wire, chance: random.Random, *, is_streamed: bool) -> Iterator[Any]:
    names = (f"demo{wire.dot}add", "demo.add", "no_such")
    arguments: tuple[Any, ...] = ({"a": 1, "b": 2}, {"a": "x"}, {})
    for number in range(12):
        calls = tuple((chance.choice(names), chance.choice(arguments)) for _ in range(chance.choice((0, 1, 1, 3))))
        text = chance.choice(("", "So.", "<tool_call>x", '{"name": "demo.add", "arguments": {}}'))
        says = Says(text, calls, chance.choice(("", "", "", "cut", "refused")))
        whole = wire.stream(says, number).events if is_streamed else wire.whole(says, number).body
        yield mutate(list(whole) if is_streamed else whole, chance)


@pytest.fixture(scope="module")
def app() -> ToolRegistry:
    registry = ToolRegistry("demo", deadline=10)

    @registry.tool
    async def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    return registry


async def run(app: ToolRegistry, wire: Wire, seed: int, *, is_streamed: bool) -> str:
    """Run an agent on mutated replies, check the laws, and return how it ended."""
    chance = random.Random(seed)
    client = Client(*replies(wire, chance, is_streamed=is_streamed))
    memory: list[Message] = []
    is_own = False
    mode: Any = chance.choice(("native", "native", "react"))
    agent = Agent(app, model_of(wire, client), memory=memory, max_steps=6, mode=mode)
    try:
        if is_streamed:
            ending = str([event.kind async for event in agent.stream("x")][-1])
        else:
            ending = "" if await agent.run("x") is None else "answered"
    except AgentError as error:
        ending = type(error).__name__
        is_own = isinstance(error, ModelError) and "server responded with an error" not in error.message
    assert not is_own  # an exception within the package is a ModelError, too
    assert json.loads(json.dumps(memory)) == memory
    assert list(complete_messages(check_messages(memory))) == memory
    if wire.name == "chat" and mode == "native":
        for request in client.requests:
            assert list(request_faults({**request, "model": "scripted"})) == []
    return ending


@sweep
@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
def test_a_run_ends_with_an_answer_or_an_agent_error(app: ToolRegistry, wire: Wire, is_streamed: bool) -> None:
    async def go() -> set[str]:
        return {await run(app, wire, seed, is_streamed=is_streamed) for seed in range(size(60, 4))}

    assert asyncio.run(asyncio.wait_for(go(), 60)) >= {"answered", "RefusalError", "CutReplyError"}


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_a_facade_answers_every_reply_or_reports_that_it_is_not_one(app: ToolRegistry, wire: Wire) -> None:
    facade = {"anthropic": app.anthropic, "gemini": app.gemini}.get(wire.name, app.openai)

    async def go() -> None:
        for seed in range(10):
            for reply in replies(wire, random.Random(seed), is_streamed=False):
                try:
                    json.dumps(await facade.answer(reply), allow_nan=False)
                except ContractError:
                    continue

    asyncio.run(asyncio.wait_for(go(), 60))
