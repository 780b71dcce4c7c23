"""The loop of an agent: hostile replies, approval, memory, selections, events, limits and cancellation."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, count, repeat
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from mcp_contracts import CallContext, MCPToolCall, ToolRegistry, UsageError
from mcp_contracts.agents import (
    Agent,
    AgentError,
    AgentEvent,
    AgentEventKind,
    Answer,
    ContextFullError,
    LoopError,
    ModelError,
    OpenAIChat,
    Reply,
    StepLimitError,
    Stop,
    UnreadableReplyError,
)
from mcp_contracts.contract import Effects
from tests.scripted_model import request_faults


class Client:
    """A client of chat completions in this process, with scripted replies, which rejects invalid requests."""

    def __init__(self, *replies: object, script: Iterable[object] = ()) -> None:
        self._script: Iterator[object] = iter([*replies, *script]) if replies else iter(script)
        self.requests: list[dict[str, Any]] = []
        self.chat = SimpleNamespace(completions=self)

    async def create(self, **request: Any) -> object:
        self.requests.append(json.loads(json.dumps(request)))
        faults = list(request_faults(request))
        assert faults == []
        reply = next(self._script, None)
        assert reply is not None, "the script has no more replies"
        if isinstance(reply, Exception):
            raise reply
        return reply

    @property
    def told(self) -> list[dict[str, Any]]:
        """Return the results in the last request."""
        return [json.loads(one["content"]) for one in self.requests[-1]["messages"] if one["role"] == "tool"]

    def offered(self) -> list[set[str]]:
        return [{tool["function"]["name"] for tool in request["tools"]} for request in self.requests]


def says(content: object = None, *calls: object, reason: str = "stop") -> dict[str, Any]:
    made = [call(*one) if isinstance(one, tuple) else one for one in calls]
    return {"choices": [{"message": {"content": content, "tool_calls": made}, "finish_reason": reason}]}


def call(name: object, arguments: object = "{}", identifier: object = "") -> dict[str, Any]:
    return {"id": identifier, "type": "function", "function": {"name": name, "arguments": arguments}}


ADD = ("demo__add", '{"a": 2, "b": 3}')


@pytest.fixture
def app() -> ToolRegistry:
    registry = ToolRegistry(deadline=10)

    @registry.tool(name="demo.add", effects=Effects("read-only"))
    async def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    @registry.tool(name="demo.recite")
    async def recite(length: int) -> str:
        """Recites."""
        return "a" * length

    @registry.tool(name="demo.delete", effects=Effects("destructive"))
    async def delete(path: str) -> None:
        """Deletes a file."""

    return registry


def run(app: Any, client: Client, task: str = "What is 2 + 3?", **options: Any) -> Answer:
    agent = Agent(app, OpenAIChat("scripted", client), **options)
    return asyncio.run(asyncio.wait_for(agent.run(task), 30))


# Answers


def test_the_answer_is_text_that_knows_how_it_came_about(app: ToolRegistry) -> None:
    answer = run(app, Client(says("Adding.", ADD), says("5")))

    assert answer == "5"
    assert f"It is {answer}." == "It is 5."
    assert type(answer.text) is str
    assert (answer.steps, [made.result.data for made in answer.calls]) == (2, [{"result": 5}])
    assert [message["role"] for message in answer.messages] == ["user", "assistant", "tool", "assistant"]
    assert pickle.loads(pickle.dumps(answer)).steps == 2


def test_without_a_loop_run_sync_works(app: ToolRegistry) -> None:
    loops: list[Any] = []

    async def model(messages: Any) -> str:
        loops.append(asyncio.get_running_loop())
        return "5"

    agent = Agent(app, model)
    assert [agent.run_sync("x"), agent.run_sync("x")] == ["5", "5"]
    assert loops[0] is loops[1]  # the connections of a client may be kept from one run to the next

    async def inside() -> None:
        Agent(app, lambda messages: "5").run_sync("x")

    with pytest.raises(UsageError, match="already running"):
        asyncio.run(inside())


def double(number: int) -> int:
    """Doubles a number."""
    return 2 * number


@pytest.mark.parametrize(
    "pick", [lambda app: [double], lambda app: [app.tool(double)], lambda app: [(app.tool(double).contract, double)]]
)
def test_functions_decorated_tools_and_contracts_with_functions_are_tools(pick: Callable[[Any], list[Any]]) -> None:
    made = run(pick(ToolRegistry()), Client(says(None, ("test_agents_loop__double", '{"number": 4}')), says("8")))

    assert [one.result.data for one in made.calls] == [{"result": 8}]


@pytest.mark.parametrize("tools", ["x", 5, None, [5], [None]])
def test_what_is_no_tool_is_refused(tools: Any) -> None:
    with pytest.raises(UsageError, match="expected tools"):
        Agent(tools, lambda messages: "x")


def test_a_contract_without_a_function_is_refused(app: ToolRegistry) -> None:
    with pytest.raises(UsageError, match=r"`demo\.add` has no function"):
        Agent([app["demo.add"].contract], lambda messages: "x")


@pytest.mark.parametrize("model", [None, 5, "gpt-5", object(), OpenAIChat])
def test_what_is_not_a_model_is_refused(app: ToolRegistry, model: Any) -> None:
    with pytest.raises(UsageError, match=r"expected a model|`OpenAIChat` is a class"):
        Agent(app, model)


@pytest.mark.parametrize(
    "options",
    [
        *({"mode": "x"}, {"max_steps": 0}, {"max_steps": True}, {"max_context": -1}, {"memory": "x"}),
        *({"approve": True}, {"on_event": "log"}, {"tools": [print]}, {"tools": [5]}),
    ],
)
def test_settings_that_cannot_be_used_are_refused(app: ToolRegistry, options: Any) -> None:
    with pytest.raises(UsageError):
        Agent(app, lambda messages: "x", **options)


@pytest.mark.parametrize("task", ["", "  ", None, 5])
def test_a_task_is_text(app: ToolRegistry, task: Any) -> None:
    with pytest.raises(UsageError, match="the task is"):
        run(app, Client(), task)


# Any function as a model


@pytest.mark.parametrize(
    "model",
    [
        lambda messages: "5",
        lambda messages, tools: {"role": "assistant", "content": "5"},
        lambda messages, tools=(): Reply("5"),
        lambda *everything: SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content="5"))]),
    ],
)
def test_a_function_may_answer_in_many_forms(app: ToolRegistry, model: Any) -> None:
    assert Agent(app, model).run_sync("x") == "5"


@pytest.mark.parametrize(
    "made",
    [
        MCPToolCall(tool_name="demo.add", arguments={"a": 2, "b": 3}),
        [MCPToolCall(tool_name="demo.add", arguments={"a": 2, "b": 3})] * 2,
        {"tool_calls": [call("demo.add", '{"a": 2, "b": 3}')]},
        {"tool_calls": [call(*ADD)]},
    ],
)
def test_a_function_may_call_in_many_forms(app: ToolRegistry, made: Any) -> None:
    async def model(messages: Any, tools: Any) -> Any:
        return made if len(messages) == 1 else json.loads(messages[-1]["content"])["data"]["result"].__str__()

    answer = Agent(app, model).run_sync("x")

    assert answer == "5"
    assert {one.result.status for one in answer.calls} == {"success"}


@pytest.mark.parametrize("returned", [5, object(), {}, [5], b"x"])
def test_a_function_that_returns_no_reply_is_refused(app: ToolRegistry, returned: Any) -> None:
    with pytest.raises(UsageError, match="the model returned"):
        Agent(app, lambda messages: returned).run_sync("x")


def test_what_a_model_raises_is_a_model_error_with_its_cause(app: ToolRegistry) -> None:
    with pytest.raises(ModelError, match="the line is dead") as raised:
        run(app, Client(OSError("the line is dead")))

    assert isinstance(raised.value.__cause__, OSError)


class Message:
    """A reply of a fake client, written as briefly as possible."""

    content = "5"
    tool_calls = None


class Choice(NamedTuple):
    message: Message


def test_the_objects_of_a_fake_client_need_no_base_class(app: ToolRegistry) -> None:
    assert run(app, Client(SimpleNamespace(choices=(Choice(Message()),)))) == "5"


def test_a_reply_that_contains_itself_without_end_is_not_read_forever(app: ToolRegistry) -> None:
    itself: list[Any] = []
    itself += [itself, itself]

    assert run(app, Client({"choices": itself}, says("5"))) == "5"


# Hostile replies

LOOP: dict[str, Any] = {}
LOOP["a"] = LOOP


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (call("demo__add", '{"a": 2, "b":'), "the arguments are not valid JSON"),
        (call("demo__add", '{"a": NaN, "b": 1}'), "`NaN` is not valid JSON"),
        (call("demo__add", '{"a": 1, "a": 2, "b": 1}'), "appears twice"),
        (call("demo__add", "[" * 100_000), "nested"),
        (call("demo__add", '{"a": ' * 5_000 + "1" + "}" * 5_000), "nested"),
        (call("demo__add", LOOP), "levels deep"),
        (call("demo__add", "[2, 3]"), "not an object"),
        (call("demo__add", '{"a": "two", "b": 3}'), "not of type integer"),
        (call("demo__add", '{"a": 2}'), "`b`"),
        (call("demo__add", '{"a": 2, "b": ' + "9" * 10_000 + "}"), ""),
        (call("demo__add", '{"a": "' + "x" * 2_000_000 + '"}'), ""),
        (call("demo__ad"), "did you mean `demo__add`"),
        (call("demo.add", '{"a": 2, "b": 3}'), "did you mean `demo__add`?"),
        (call("do it!"), "unknown tool `do it!`"),
        (call("ü" * 100), "unknown tool"),
        (call("x" * 1_000_000), "unknown tool"),
        (call("\ud800", '{"a": "\\ud800"}'), "unknown tool"),
        (call(""), "does not name a tool"),
        (call(None), "does not name a tool"),
        (call("demo__add", identifier=7), "`a`"),
        ({"id": "c", "type": "custom", "custom": {"name": "demo__add", "input": "x"}}, "not a function call"),
        ({}, "not a function call"),
    ],
)
def test_a_call_that_cannot_be_run_is_answered_and_the_model_continues(
    app: ToolRegistry, written: Any, told: str
) -> None:
    client = Client(says(None, written, ADD), says("5"))

    assert run(app, client) == "5"
    refused, added = client.told
    assert refused["status"] == "failure"
    assert told in json.dumps(refused["error"], ensure_ascii=False)
    assert added["data"] == {"result": 5}
    assert len(json.dumps(client.requests[-1])) < 30_000


@pytest.mark.parametrize("identifier", ["", "call_1", 7, None])
def test_repeated_and_missing_identifiers_are_replaced(app: ToolRegistry, identifier: Any) -> None:
    same = call(*ADD, identifier)
    client = Client(says(None, same, same), says(None, same), says("5"))

    assert len(run(app, client).calls) == 3
    sent = [one["tool_call_id"] for one in client.requests[-1]["messages"] if one["role"] == "tool"]
    assert len(set(sent)) == 3


def test_a_thousand_calls_of_one_reply_are_not_all_run(app: ToolRegistry) -> None:
    client = Client(says(None, *[ADD] * 1_000), says("5"))

    assert len(run(app, client).calls) == 100
    assert client.requests[-1]["messages"][-1] == {
        "role": "user",
        "content": "Only the first 100 of your 1,000 calls were run.",
    }


@pytest.mark.parametrize(
    "reply", [{}, {"choices": None}, {"choices": []}, {"choices": [{}]}, says(""), says(" \n"), says(5), says([5])]
)
def test_a_reply_without_anything_is_reported_twice_and_then_ends_the_run(app: ToolRegistry, reply: Any) -> None:
    client = Client(script=repeat(reply))

    with pytest.raises(UnreadableReplyError):
        run(app, client)
    assert len(client.requests) == 3


def test_a_model_that_recovers_is_warned_again_later(app: ToolRegistry) -> None:
    empty = says("")

    assert run(app, Client(empty, empty, says(None, ADD), empty, empty, says("5"))) == "5"


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "demo.add", "arguments": {"a": 2, "b": 3}}</tool_call>',
        '{"name": "demo__add", "arguments": {"a": 2, "b": 3}}',
        "So: {'name': 'demo.add', 'arguments': {'a': 2, 'b': 3}}",
        '{"tool_name": "demo.add", "arguments": {"a": 2,',
        "```tool_code\nprint(default_api.demo.add(a=2, b=3))\n```",
        'demo.add -> {"a": 2, "b": 3}',
        'demo__add: {"a": 2, "b": 3}',
        '<tool_calls><tool_call>demo.add\n```json\n{"a": 2, "b": 3}\n```</tool_call></tool_calls>',
        '[[ ## next_tool_name ## ]]\ndemo.add\n\n[[ ## next_tool_args ## ]]\n{"a": 2, "b": 3}',
    ],
)
def test_a_call_that_is_written_as_text_is_never_taken_for_the_answer(app: ToolRegistry, text: str) -> None:
    client = Client(says(text), says("5"))

    answer = run(app, client)

    assert (answer, answer.calls) == ("5", ())
    assert "a call to `demo.add`, written as text" in client.requests[-1]["messages"][-1]["content"]
    with pytest.raises(UnreadableReplyError) as raised:
        run(app, Client(script=repeat(says(text))))
    assert raised.value.text == text


@pytest.mark.parametrize("text", ['{"name": "Ann", "input": {"age": 5}}', "[1, 2]", "Use `{}` here.", "{" * 5_000])
def test_an_answer_with_braces_is_an_answer(app: ToolRegistry, text: str) -> None:
    assert run(app, Client(says(text))) == text


@pytest.mark.parametrize("written", [("no_such",), ("demo__add", '{"a": "x", "b": 1}')])
def test_a_failing_call_that_is_repeated_is_reported_once_and_then_ends_the_run(
    app: ToolRegistry, written: Any
) -> None:
    client = Client(script=repeat(says("Again.", written)))

    with pytest.raises(LoopError, match="repeats a failing call"):
        run(app, client, max_steps=50)
    assert len(client.requests) == 4
    assert "3 times" in client.requests[-1]["messages"][-1]["content"]


def test_a_call_that_works_may_be_repeated(app: ToolRegistry) -> None:
    assert run(app, Client(*[says(None, ADD)] * 7, says("5"))) == "5"


# Steps


def test_the_last_step_is_announced_and_its_calls_are_not_run(app: ToolRegistry) -> None:
    calls: list[str] = []
    app.subscribe(lambda event: calls.append(event.tool))
    client = Client(script=(says(None, ("demo__add", json.dumps({"a": at, "b": 1}))) for at in count()))

    with pytest.raises(StepLimitError) as raised:
        run(app, client, max_steps=3)

    assert len(client.requests) == 3
    assert ["last step" in str(request["messages"]) for request in client.requests] == [False, False, True]
    assert len(raised.value.messages) == 5
    assert calls.count("demo.add") == 4  # two calls, each with two events


def test_an_announced_last_step_may_answer(app: ToolRegistry) -> None:
    memory: list[Any] = []

    assert run(app, Client(says(None, ADD), says("5")), max_steps=2, memory=memory) == "5"
    assert "last step" not in json.dumps(memory)


def test_one_step_is_enough_for_an_answer(app: ToolRegistry) -> None:
    client = Client(says("5"))

    assert run(app, client, max_steps=1) == "5"
    assert [message["role"] for message in client.requests[0]["messages"]] == ["user"]


# Tools


def test_a_selection_is_offered_and_other_tools_are_refused(app: ToolRegistry) -> None:
    client = Client(says(None, ("demo__delete", '{"path": "x"}')), says("5"))

    answer = run(app, client, tools=["*.add"])

    assert client.offered() == [{"demo__add"}, {"demo__add"}]
    assert answer.calls[0].result.error is not None
    assert answer.calls[0].result.error.error_type == "ResourceNotFound"


def test_a_function_as_a_model_calls_no_tool_that_was_not_offered(app: ToolRegistry) -> None:
    replies = iter([MCPToolCall(tool_name="demo.delete", arguments={"path": "x"}), "5"])

    answer = Agent(app, lambda messages: next(replies), tools=["*.add"]).run_sync("What is 2 + 3?")

    (made,) = answer.calls
    assert made.arguments == {"path": "x"}
    assert made.result.error is not None
    assert made.result.error.error_type == "ResourceNotFound"
    assert made.result.error.error_message == "unknown tool `demo.delete`, did you mean `demo.add`?"


def test_a_selection_may_differ_from_request_to_request(app: ToolRegistry) -> None:
    client = Client(says(None, ADD), says("5"))

    run(app, client, tools=lambda messages: ["demo.add"] if len(messages) == 1 else ["demo.recite"])

    assert client.offered() == [{"demo__add"}, {"demo__recite"}]


def test_a_selection_may_hold_tools_and_be_read_once(app: ToolRegistry) -> None:
    client = Client(says(None, ADD), says("5"))

    run(app, client, tools=iter([app["demo.add"], app["demo.add"].contract]))

    assert client.offered() == [{"demo__add"}, {"demo__add"}]


def test_a_selection_names_tools_that_exist(app: ToolRegistry) -> None:
    with pytest.raises(UsageError, match=r"unknown tool `demo\.ad`"):
        run(app, Client(), tools=["demo.ad"])


def test_tools_may_come_and_go_during_a_run(app: ToolRegistry) -> None:
    @app.tool(name="demo.trade")
    async def trade() -> None:
        """Gives a tool for another."""
        app.remove("demo.add")
        app.tool(lambda: "here", name="demo.late")

    client = Client(says(None, ("demo__trade",)), says(None, ("demo__late",), ADD), says("5"))

    answer = run(app, client)

    first, second, _ = client.offered()
    assert (second - first, first - second) == ({"demo__late"}, {"demo__add"})
    assert [one.result.status for one in answer.calls] == ["success", "success", "failure"]


def test_only_tools_of_the_channel_are_offered_and_called(app: ToolRegistry) -> None:
    channels: list[str | None] = []
    app.subscribe(lambda event: channels.append(event.context.channel))
    app.tool(lambda: "sms", name="demo.text", channels=["sms"])
    client = Client(says(None, ADD), says("5"))

    run(app, client, context=CallContext(channel="chat"))

    assert "demo__text" not in client.offered()[0]
    assert set(channels) == {"chat"}


def test_calls_of_one_reply_run_at_once_and_are_answered_in_their_order() -> None:
    app = ToolRegistry()
    met = asyncio.Event()

    @app.tool(name="demo.wait")
    async def wait() -> str:
        """Waits for the other."""
        await met.wait()
        return "waited"

    @app.tool(name="demo.meet")
    async def meet() -> str:
        """Meets the other."""
        met.set()
        return "met"

    client = Client(says(None, ("demo__wait",), ("demo__meet",)), says("Both."))

    run(app, client)

    assert [told["data"]["result"] for told in client.told] == ["waited", "met"]


def test_a_function_that_changes_its_arguments_does_not_change_the_conversation() -> None:
    def drain(items: list[str]) -> int:
        """Empties a list."""
        items.clear()
        return len(items)

    memory: list[Any] = []
    script = iter([MCPToolCall(tool_name="test_agents_loop.drain", arguments={"items": ["a"]}), "Done."])
    answer = Agent([drain], lambda messages: next(script), memory=memory).run_sync("x")

    assert answer.calls[0].result.status == "success"
    assert answer.calls[0].arguments == memory[1]["calls"][0]["arguments"] == {"items": ["a"]}


# Approval

DELETE = ("demo__delete", '{"path": "a"}')


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("allowed", [False, True])
def test_a_destructive_call_is_approved_or_declined(app: ToolRegistry, is_async: bool, allowed: bool) -> None:
    asked: list[Any] = []

    def approve(pending: Any) -> bool:
        asked.append(pending)
        pending.arguments["path"] = "changed"  # a copy, so this has no effect
        return allowed

    async def approve_later(pending: Any) -> bool:
        return approve(pending)

    client = Client(says(None, ADD, DELETE), says("Done."))
    answer = run(app, client, approve=approve_later if is_async else approve)

    assert [one.tool_name for one in asked] == ["demo.delete"]
    assert asked[0].contract.effects == Effects("destructive")
    _, deleted = answer.calls
    assert deleted.arguments == {"path": "a"}
    assert deleted.result.status == ("success" if allowed else "failure")
    if not allowed:
        assert client.told[1]["error"]["error_type"] == "PermissionError"


def test_a_tool_that_does_not_state_its_effects_is_asked_about(app: ToolRegistry) -> None:
    asked: list[str] = []

    def approve(pending: Any) -> bool:
        asked.append(pending.tool_name)
        return True

    run(app, Client(says(None, ("demo__recite", '{"length": 1}')), says("a")), approve=approve)

    assert asked == ["demo.recite"]


@pytest.mark.parametrize("returned", ["no", None, 1])
def test_an_unclear_approval_is_refused_and_nothing_runs(app: ToolRegistry, returned: Any) -> None:
    calls: list[str] = []
    app.subscribe(lambda event: calls.append(event.tool))

    with pytest.raises(UsageError, match="`approve` returned"):
        run(app, Client(says(None, ADD, DELETE)), approve=lambda pending: returned)
    assert calls == []


def test_an_approval_that_raises_ends_the_run(app: ToolRegistry) -> None:
    def approve(pending: Any) -> bool:
        raise ZeroDivisionError

    memory: list[Any] = []
    with pytest.raises(ZeroDivisionError):
        run(app, Client(says(None, DELETE)), approve=approve, memory=memory)
    assert memory == []


# Memory


def test_a_memory_is_continued_and_is_json(app: ToolRegistry) -> None:
    memory: list[Any] = []
    client = Client(says(None, ADD), says("5"), says("10"))
    agent = Agent(app, OpenAIChat("scripted", client), memory=memory, instructions="Compute.")

    agent.run_sync("What is 2 + 3?")
    agent.run_sync("And twice that?")

    roles = [message["role"] for message in client.requests[-1]["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert [message["role"] for message in memory] == [*roles[1:], "assistant"]
    assert json.loads(json.dumps(memory)) == memory


def test_a_trimmed_memory_is_still_a_valid_conversation(app: ToolRegistry) -> None:
    memory: list[Any] = []
    run(app, Client(says("So.", ADD, ("no_such",)), says(None, ADD), says("5")), memory=memory)

    for start, end in combinations(range(len(memory) + 1), 2):
        client = Client(says("Yes."))
        assert run(app, client, "Is it?", memory=memory[start:end]) == "Yes."
        assert client.requests[0]["messages"][-1] == {"role": "user", "content": "Is it?"}


@pytest.mark.parametrize(
    "message",
    [
        5,
        None,
        {},
        {"role": "x", "content": "x"},
        {"role": "user"},
        {"role": "user", "content": 5},
        {"role": "tool", "content": "x"},
        {"role": "tool", "content": "x", "id": "x"},
        {"role": "assistant", "content": "", "echo": 5},
        {"role": "tool", "content": "x", "id": "x", "tool_name": "x", "images": [{}]},
        {"role": "assistant", "content": "", "calls": [{"id": "x"}]},
    ],
)
def test_what_is_not_a_message_is_refused(app: ToolRegistry, message: Any) -> None:
    with pytest.raises(UsageError, match="message 1 of the memory"):
        run(app, Client(), memory=[message])


def test_a_run_that_fails_leaves_its_finished_steps(app: ToolRegistry) -> None:
    memory: list[Any] = []

    with pytest.raises(ModelError) as raised:
        run(app, Client(says(None, ADD), OSError("gone")), memory=memory)
    assert [message["role"] for message in memory] == ["user", "assistant", "tool"]
    assert list(raised.value.messages) == memory

    assert run(app, Client(says("5")), "Once more", memory=memory) == "5"


def test_one_run_may_have_another_memory(app: ToolRegistry) -> None:
    own: list[Any] = []
    other: list[Any] = []
    agent = Agent(app, lambda messages: str(len(messages)), memory=own)

    assert agent.run_sync("x", memory=other) == "1"
    assert (own, len(other)) == ([], 2)


# A full context


def test_the_results_of_the_oldest_calls_are_left_out_first_and_the_text_says_so(app: ToolRegistry) -> None:
    recite = ("demo__recite", '{"length": 1000}')
    memory: list[Any] = []
    client = Client(*[says(None, recite)] * 6, says("Done."))
    events: list[AgentEvent] = []

    run(app, client, memory=memory, max_context=3_500, on_event=events.append)

    sent = [one["content"] for one in client.requests[-1]["messages"] if one["role"] == "tool"]
    is_left_out = ["was left out to make room" in content for content in sent]
    assert is_left_out == sorted(is_left_out, reverse=True)
    assert is_left_out[0]
    assert not is_left_out[-1]
    assert all(len(json.dumps(request["messages"])) < 5_000 for request in client.requests)
    assert "left out" not in json.dumps(memory)
    assert AgentEventKind.SHORTENED in [event.kind for event in events]


def test_the_newest_results_are_shortened_if_nothing_else_is_left(app: ToolRegistry) -> None:
    recite = ("demo__recite", '{"length": 5000}')
    client = Client(says(None, recite, recite), says("Done."))

    run(app, client, max_context=4_000)

    sent = [one["content"] for one in client.requests[-1]["messages"] if one["role"] == "tool"]
    assert all("truncated to make room" in content for content in sent)


def test_a_long_result_is_cut_for_the_model_and_whole_in_the_answer(app: ToolRegistry) -> None:
    client = Client(says(None, ("demo__recite", '{"length": 5000}')), says("Done."))

    answer = run(app, client, longest_result=1_000)

    content = client.requests[-1]["messages"][-1]["content"]
    assert content.endswith("more characters)")
    assert len(content) < 1_100
    assert answer.calls[0].result.data == {"result": "a" * 5_000}


def test_a_task_that_does_not_fit_is_refused(app: ToolRegistry) -> None:
    with pytest.raises(ContextFullError, match="too long for the model"):
        run(app, Client(), "x" * 5_000, max_context=1_000)


def test_a_provider_that_always_finds_it_too_long_ends_the_run(app: ToolRegistry) -> None:
    with pytest.raises(ContextFullError, match="maximum context length"):
        run(app, Client(script=repeat(ValueError("This model's maximum context length is 10 tokens."))))


# Events and cancellation


def test_events_tell_what_happens_in_its_order(app: ToolRegistry) -> None:
    events: list[AgentEvent] = []

    async def watch(event: AgentEvent) -> None:
        events.append(event)

    run(app, Client(says("Adding.", ADD, ("no_such",)), says(""), says("5")), on_event=watch)

    kinds = [(event.kind, event.step, event.tool_name) for event in events]
    assert kinds == [
        ("replied", 1, ""),
        ("result", 1, "no_such"),
        ("called", 1, "demo.add"),
        ("result", 1, "demo.add"),
        ("replied", 2, ""),
        ("told", 2, ""),
        ("replied", 3, ""),
        ("answered", 3, ""),
    ]


def test_a_watcher_that_raises_does_not_end_the_run(app: ToolRegistry, caplog: pytest.LogCaptureFixture) -> None:
    def watch(event: AgentEvent) -> None:
        raise ZeroDivisionError

    assert run(app, Client(says("5")), on_event=watch) == "5"
    assert "a subscriber of an agent's events failed" in caplog.text


class Slow:
    """A tool, and a model, that start and then wait until they are cancelled."""

    def __init__(self) -> None:
        self.has_begun = asyncio.Event()
        self.was_cancelled = False

    async def wait(self) -> None:
        """Waits."""
        self.has_begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise


@pytest.mark.parametrize("is_tool", [False, True])
def test_cancelling_a_run_cancels_the_request_or_the_call_and_leaves_the_memory_whole(is_tool: bool) -> None:
    async def go() -> tuple[bool, list[Any], int]:
        slow = Slow()
        app = ToolRegistry()
        app.tool(slow.wait, name="demo.wait")
        app.tool(lambda: 1, name="demo.one")

        async def model(messages: Any, tools: Any) -> Any:
            if len(messages) == 1:
                return MCPToolCall(tool_name="demo.one", arguments={})
            if not is_tool:
                await slow.wait()
            return MCPToolCall(tool_name="demo.wait", arguments={})

        memory: list[Any] = []
        running = asyncio.create_task(Agent(app, model, memory=memory).run("x"))
        await slow.has_begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return slow.was_cancelled, memory, len(asyncio.all_tasks())

    was_cancelled, memory, tasks = asyncio.run(go())
    assert was_cancelled
    assert [message["role"] for message in memory] == ["user", "assistant", "tool"]
    assert tasks == 1


def test_closing_a_stream_cancels_the_run(app: ToolRegistry) -> None:
    async def go() -> tuple[bool, int]:
        slow = Slow()
        app.tool(slow.wait, name="demo.wait")
        stream = Agent(app, OpenAIChat("scripted", Client(says(None, ("demo__wait",))))).stream("x")
        async for event in stream:
            if event.kind is AgentEventKind.CALLED:
                await slow.has_begun.wait()
                break
        await stream.aclose()  # type: ignore[attr-defined]  # it is a generator
        return slow.was_cancelled, len(asyncio.all_tasks())

    assert asyncio.run(go()) == (True, 1)


def test_a_stream_raises_what_ends_its_run(app: ToolRegistry) -> None:
    async def go() -> None:
        async for _ in Agent(app, OpenAIChat("scripted", Client(OSError("gone")))).stream("x"):
            pass

    with pytest.raises(AgentError, match="gone"):
        asyncio.run(go())


def test_runs_may_overlap(app: ToolRegistry) -> None:
    async def model(messages: Any, tools: Any) -> Any:
        await asyncio.sleep(0)
        return messages[0]["content"]

    async def go() -> list[Answer]:
        agent = Agent(app, model)
        return await asyncio.gather(*(agent.run(f"task {number}") for number in range(20)))

    assert asyncio.run(go()) == [f"task {number}" for number in range(20)]


def test_a_paused_reply_is_continued(app: ToolRegistry) -> None:
    replies = iter([Reply("Searching.", stop=Stop.PAUSED), Reply("Found.")])
    asked: list[int] = []

    def model(messages: Any) -> Reply:
        asked.append(len(messages))
        return next(replies)

    assert Agent(app, model).run_sync("x") == "Found."
    assert asked == [1, 2]
