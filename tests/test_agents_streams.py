"""Streams and replies as real servers send them: incomplete, repeated, malformed."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from mcp_contracts import ToolRegistry, UsageError
from mcp_contracts.agents import (
    Agent,
    AgentEvent,
    AgentEventKind,
    Anthropic,
    Gemini,
    ModelError,
    OpenAIChat,
    OpenAIResponses,
)
from tests.provider_replies import WIRES, Says, Wire
from tests.tables import each

ADD = {"a": 2, "b": 3}


@pytest.fixture
def app() -> ToolRegistry:
    registry = ToolRegistry(deadline=10)

    @registry.tool(name="demo.add")
    async def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    return registry


class Client:
    """The client of any provider: it returns scripted replies, and records the requests."""

    def __init__(self, *replies: Any) -> None:
        self._script = iter(replies)
        self.requests: list[dict[str, Any]] = []
        self.chat = SimpleNamespace(completions=self)
        self.messages = self.responses = self.models = self

    async def create(self, **request: Any) -> Any:
        self.requests.append(json.loads(json.dumps(request)))
        return next(self._script)

    generate_content = generate_content_stream = create


def streamed(app: ToolRegistry, model: Any) -> tuple[str, str]:
    """Return the answer of a streamed run, and all its text."""

    async def go() -> tuple[str, str]:
        events = [event async for event in Agent(app, model).stream("What is 2 + 3?")]
        pieces = [event.text for event in events if event.kind is AgentEventKind.TEXT]
        return events[-1].text, "".join(pieces)

    return asyncio.run(asyncio.wait_for(go(), 30))


def delta(reason: str | None = None, **members: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": members, "finish_reason": reason}]}


def part(arguments: Any, **members: Any) -> dict[str, Any]:
    name = members.pop("name", None)
    return {**members, "function": {"arguments": arguments, **({"name": name} if name else {})}}


SAYS_5 = [delta(content="5"), delta("stop")]
FIRST, REST = json.dumps(ADD)[:5], json.dumps(ADD)[5:]

CALLS_TWICE = {
    "by index": [
        delta(tool_calls=[part(FIRST, index=0, id="x", name="demo__add"), part("", index=1, id="y", name="demo__add")]),
        delta(tool_calls=[part(json.dumps(ADD), index=1), part(REST, index=0)]),
    ],
    "without an index": [
        delta(tool_calls=[part(FIRST, id="x", name="demo__add")]),
        delta(tool_calls=[part(REST)]),
        delta(tool_calls=[part(json.dumps(ADD), id="y", name="demo__add")]),
    ],
    "with the index 0 for all": [
        delta(tool_calls=[part(json.dumps(ADD), index=0, id="x", name="demo__add")]),
        delta(tool_calls=[part(json.dumps(ADD), index=0, id="y", name="demo__add")]),
    ],
    "with the name in every chunk": [
        delta(tool_calls=[part(FIRST, index=0, id="x", name="demo__add")]),
        delta(tool_calls=[part(REST, index=0, id="x", name="demo__add")]),
        delta(tool_calls=[part(json.dumps(ADD), index=1, id="y", name="demo__add")]),
    ],
    "with neither index nor identifier": [
        delta(tool_calls=[part(FIRST, name="demo__add")]),
        delta(tool_calls=[part(REST)]),
        delta(tool_calls=[part(json.dumps(ADD), name="demo__add")]),
    ],
    "with the name in parts": [
        delta(tool_calls=[part("", index=0, id="x", name="demo_")]),
        delta(tool_calls=[part(json.dumps(ADD), index=0, name="_add")]),
        delta(tool_calls=[part(json.dumps(ADD), index=1, id="y", name="demo__add")]),
    ],
    "with arguments that are not text": [
        delta(tool_calls=[part(ADD, index=0, id="x", name="demo__add"), part(ADD, index=1, id="y", name="demo__add")]),
    ],
    "as objects": [
        SimpleNamespace(
            choices=[
                SimpleNamespace(
                    finish_reason=None,
                    delta=SimpleNamespace(
                        content=None,
                        tool_calls=[
                            SimpleNamespace(
                                index=at, id=at, function=SimpleNamespace(name="demo__add", arguments=json.dumps(ADD))
                            )
                            for at in range(2)
                        ],
                    ),
                )
            ]
        )
    ],
}


@pytest.mark.parametrize("chunks", CALLS_TWICE.values(), ids=CALLS_TWICE)
@pytest.mark.parametrize("kind", [list, iter])
def test_calls_are_put_together_from_their_parts(app: ToolRegistry, chunks: list[Any], kind: Any) -> None:
    client = Client(kind([*chunks, delta("tool_calls")]), kind(SAYS_5))

    assert streamed(app, OpenAIChat("m", client)) == ("5", "5")
    told = [json.loads(one["content"]) for one in client.requests[-1]["messages"] if one["role"] == "tool"]
    assert [one["data"] for one in told] == [{"result": 5}] * 2


def test_what_else_a_server_streams_goes_back_to_it(app: ToolRegistry) -> None:
    call = {**part(json.dumps(ADD), index=0, id="x", name="demo__add"), "extra_content": {"signature": "s"}}
    client = Client([delta(reasoning_content="I "), delta("stop", reasoning_content="add.", tool_calls=[call])], SAYS_5)

    streamed(app, OpenAIChat("m", client))

    echo = client.requests[-1]["messages"][1]
    assert echo["reasoning_content"] == "I add."
    assert echo["tool_calls"][0]["extra_content"] == {"signature": "s"}


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_a_stream_that_ends_too_early_is_asked_for_again(wire: Wire, app: ToolRegistry) -> None:
    says = Says("So. ", ((f"demo{wire.dot}add", ADD),))
    whole = list(wire.stream(says, 1).events)
    end = {"chat": -2, "responses": -1, "anthropic": -2, "gemini": -1}[wire.name]
    client = Client(whole[:end], list(wire.stream(Says("5"), 2).events))

    assert streamed(app, model_of(wire, client)) == ("5", "So. 5")
    assert "before the reply was complete" in json.dumps(client.requests[-1]) or wire.name == "gemini"


def model_of(wire: Wire, client: Client) -> Any:
    kinds = {"chat": OpenAIChat, "responses": OpenAIResponses, "anthropic": Anthropic, "gemini": Gemini}
    return kinds[wire.name]("m", client)


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_a_server_that_does_not_stream_is_read_as_a_whole(wire: Wire, app: ToolRegistry) -> None:
    client = Client(wire.whole(Says("5"), 1).body)

    assert streamed(app, model_of(wire, client)) == ("5", "")


@pytest.mark.parametrize(
    ("wire", "event"),
    [
        (WIRES[0], {"error": {"message": "overloaded"}}),
        (WIRES[1], {"type": "error", "message": "overloaded", "code": "x"}),
        (WIRES[1], {"type": "response.failed", "response": {"error": {"message": "overloaded"}}}),
        (WIRES[2], {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}),
    ],
)
def test_an_error_within_a_stream_is_a_model_error(wire: Wire, event: Any, app: ToolRegistry) -> None:
    with pytest.raises(ModelError, match="overloaded"):
        streamed(app, model_of(wire, Client([event])))


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
@pytest.mark.parametrize("chunk", [None, 5, "x", {}, [], {"choices": 5}, {"type": []}, {"candidates": [5]}])
def test_a_stream_of_nonsense_is_not_an_answer(wire: Wire, app: ToolRegistry, chunk: Any) -> None:
    client = Client([chunk] * 3, list(wire.stream(Says("5"), 2).events))

    assert streamed(app, model_of(wire, client)) == ("5", "5")


def test_a_stream_without_end_is_read_no_further(app: ToolRegistry) -> None:
    def endless() -> Iterator[Any]:
        while True:
            yield delta(content="x" * 1_000_000)

    client = Client(endless(), SAYS_5)

    answer, text = streamed(app, OpenAIChat("m", client))

    assert answer == "5"
    assert len(text) < 5_000_000


def test_a_stream_is_closed_when_its_run_is_cancelled(app: ToolRegistry) -> None:
    class Stream:
        was_closed = False

        def __aiter__(self) -> Stream:
            return self

        async def __anext__(self) -> Any:
            await asyncio.sleep(0)
            return delta(content="x")

        async def close(self) -> None:
            self.was_closed = True

    async def go(stream: Stream) -> None:
        events = Agent(app, OpenAIChat("m", Client(stream))).stream("x")
        async for event in events:
            if event.kind is AgentEventKind.TEXT:
                break
        await events.aclose()  # type: ignore[attr-defined]  # it is a generator

    stream = Stream()
    asyncio.run(asyncio.wait_for(go(stream), 10))
    assert stream.was_closed


def test_a_sync_stream_that_waits_does_not_hold_up_the_cancellation(app: ToolRegistry) -> None:
    goes_on = threading.Event()

    def stream() -> Iterator[Any]:
        yield delta(content="x")
        goes_on.wait(30)

    async def go() -> None:
        waits = asyncio.Event()

        async def on_event(event: AgentEvent) -> None:
            waits.set()

        async def run() -> None:
            async for event in Agent(app, OpenAIChat("m", Client(stream())), on_event=on_event).stream("x"):
                assert event.text == "x"

        running = asyncio.create_task(run())
        await waits.wait()
        running.cancel()
        try:
            with pytest.raises(asyncio.CancelledError):
                await running
        finally:
            goes_on.set()

    asyncio.run(asyncio.wait_for(go(), 10))


BLOCKS: list[Any] = [
    {"type": "tool_use", "id": "x", "name": "demo__add", "input": "not an object"},
    {"type": "tool_use", "id": "x", "name": "no such", "input": {}},
    {"type": "tool_use", "name": None, "input": None},
    {"type": "text", "text": "  "},
    {"type": "thinking", "thinking": "hm", "signature": "s"},
    {"type": "tool_use", "id": "x", "name": "demo__add", "input": ADD},
    5,
]


def test_odd_blocks_of_anthropic_are_sent_back_as_it_takes_them(app: ToolRegistry) -> None:
    client = Client({"content": BLOCKS, "stop_reason": "tool_use"}, {"content": [{"type": "text", "text": "5"}]})

    assert Agent(app, Anthropic("m", client)).run_sync("x") == "5"
    _, said, told = client.requests[-1]["messages"]
    assert [block["type"] for block in said["content"]] == ["tool_use"] * 3 + ["thinking", "tool_use"]
    uses = [block for block in said["content"] if block["type"] == "tool_use"]
    assert [block["tool_use_id"] for block in told["content"]] == [block["id"] for block in uses]
    assert len({block["id"] for block in uses}) == 4
    assert [block["input"] for block in uses] == [{}, {}, {}, ADD]
    assert [block.get("is_error", False) for block in told["content"]] == [True, True, True, False]


PARTS: list[Any] = [
    {"text": "hm", "thought": True},
    {"text": "So."},
    {"functionCall": {"name": "demo.add", "args": "not an object"}},
    {"functionCall": {"name": "no such", "args": {}, "id": "same"}},
    {"functionCall": {"name": "demo.add", "args": ADD, "id": "same"}, "thoughtSignature": "s"},
    {"function_call": {"name": "demo.add", "args": ADD}},
    5,
]


def test_odd_parts_of_gemini_are_sent_back_as_it_takes_them(app: ToolRegistry) -> None:
    client = Client(
        {"candidates": [{"content": {"parts": PARTS}, "finishReason": "STOP"}]},
        {"candidates": [{"content": {"parts": [{"text": "5"}]}, "finishReason": "STOP"}]},
    )

    answer = Agent(app, Gemini("m", client)).run_sync("x")

    assert answer == "5"
    assert [made.result.status for made in answer.calls] == ["failure", "failure", "success", "success"]
    _, said, told = client.requests[-1]["contents"]
    calls = [one["functionCall"] for one in said["parts"] if "functionCall" in one]
    responses = [one["functionResponse"] for one in told["parts"]]
    assert [one["args"] for one in calls] == [{}, {}, ADD, ADD]
    assert [one.get("id") for one in calls] == [one.get("id") for one in responses] == [None, "same", None, None]
    assert [one["name"] for one in calls] == [one["name"] for one in responses]
    assert said["parts"][4]["thoughtSignature"] == "s"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "print("}]}, "print("),
        ({"candidates": []}, "no candidates"),
        ({}, "no candidates"),
    ],
)
def test_gemini_is_notified_of_its_malformed_reply(app: ToolRegistry, body: Any, told: str) -> None:
    client = Client(body, {"candidates": [{"content": {"parts": [{"text": "5"}]}, "finishReason": "STOP"}]})

    assert Agent(app, Gemini("m", client)).run_sync("x") == "5"
    assert told in client.requests[-1]["contents"][-1]["parts"][-1]["text"]


@each("kind", [OpenAIChat, OpenAIResponses, Anthropic, Gemini])
@each("client", [None, 5, "key", SimpleNamespace()])
def test_what_is_not_a_client_is_refused(kind: Any, client: Any) -> None:
    with pytest.raises(UsageError, match=r"expected an? "):
        kind("m", client)
