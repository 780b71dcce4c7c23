"""The agent's loop of `examples/react_agent.py`, with the real `openai` package against a scripted server."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from examples.react_agent import AgentResult, Reason, Step, assistant, run_agent
from mcp_contracts import CallContext, MCPToolResult, PartialSuccess, ResultStatus, ToolRegistry, UsageError
from mcp_contracts.adapters.openai import names_of
from tests.scripted_model import Fails, Says, ScriptedModel, scripted_model

openai = pytest.importorskip("openai", reason="the agent needs openai: pip install 'mcp-contracts[oracles]'")

ROOT = Path(__file__).resolve().parents[1]
FINISH = Says("I know enough.", (("agent__finish", {"answer": "Take an umbrella."}),))


@dataclass
class Run:
    """What a run came to, and the server that it ran on."""

    result: AgentResult
    model: ScriptedModel
    seen: list[Step] = field(default_factory=list)

    @property
    def first(self) -> MCPToolResult:
        """The result of the first call."""
        return self.result.steps[0].calls[0].result


def run(
    *answers: Says | Fails,
    script: Iterable[Says | Fails] | None = None,
    registry: ToolRegistry | None = None,
    **options: Any,
) -> Run:
    """Run the agent on a script to its end, with the example's tools and some more where no others are given."""
    tools = workshop() if registry is None else registry
    seen: list[Step] = []

    async def on(model: ScriptedModel) -> AgentResult:
        async with openai.AsyncOpenAI(base_url=model.url, api_key=model.key, max_retries=2) as client:
            return await run_agent(client, "scripted", tools, "an umbrella?", on_step=seen.append, **options)

    with scripted_model(answers if script is None else script) as model:
        result = asyncio.run(asyncio.wait_for(on(model), 30))
        return Run(result, model, seen)


def workshop() -> ToolRegistry:
    registry = assistant()

    @registry.tool(name="test.double")
    async def double(number: int) -> int:
        """Double a number."""
        return 2 * number

    @registry.tool(name="test.explode")
    def explode() -> str:
        """Fail in a way that nobody foresaw."""
        raise RuntimeError("the password is hunter2")

    @registry.tool(name="test.recite")
    def recite(length: int) -> str:
        """Say much."""
        return "a" * length

    return registry


def get_alerts(area: str | list[str], minimum_severity: str = "minor") -> dict[str, Any]:
    return {"alerts": []}


def offers(done: Run) -> list[set[str]]:
    """The names of the tools that the model was offered, request by request."""
    return [{tool["function"]["name"] for tool in request["tools"]} for request in done.model.requests]


def test_a_task_is_solved_in_three_steps() -> None:
    done = run(
        Says("First the date.", (("clock__today", {}),)),
        Says(
            "Now the weather.",
            (("weather__get_forecast", {"place": "Oslo", "country": None, "days": 1, "units": "metric"}),),
        ),
        FINISH,
    )

    assert done.result.reason is Reason.FINISHED
    assert done.result.answer == {"answer": "Take an umbrella."}
    assert [step.thought for step in done.result.steps] == ["First the date.", "Now the weather.", "I know enough."]
    assert [call.tool for step in done.result.steps for call in step.calls] == [
        "clock.today",
        "weather.get_forecast",
        "agent.finish",
    ]
    today, forecast = done.model.tool_messages()
    assert today["data"] == {"result": "2026-11-22"}
    assert forecast["data"]["days"][0]["summary"] == "Rain"
    assert done.seen == list(done.result.steps)


def test_the_model_is_told_its_task_its_steps_and_its_way_to_end() -> None:
    done = run(FINISH, max_steps=4)

    system, user = done.model.requests[0]["messages"]
    assert "4 steps" in system["content"]
    assert "`agent__finish`" in system["content"]
    assert user == {"role": "user", "content": "an umbrella?"}


def test_only_tools_with_a_function_for_the_channel_are_offered_and_with_their_words() -> None:
    done = run(FINISH)

    offered = {tool["function"]["name"]: tool["function"] for tool in done.model.requests[0]["tools"]}
    assert "weather__get_alerts" not in offered
    forecast = offered["weather__get_forecast"]
    assert forecast["description"].endswith(
        "Use when the user asks what the weather will be at one place within the next two weeks."
    )
    assert forecast["parameters"]["required"] == ["place"]


def test_a_tool_of_another_channel_is_offered_there_alone() -> None:
    registry = workshop()
    registry.implement("weather.get_alerts", channel="chat")(get_alerts)

    by_channel = {name: run(FINISH, registry=registry, context=CallContext(channel=name)) for name in ("agent", "chat")}

    offered = {name: offers(done)[0] for name, done in by_channel.items()}
    assert offered["chat"] - offered["agent"] == {"weather__get_alerts"}


def test_a_tool_that_comes_during_the_run_is_offered_from_the_next_step_and_one_that_goes_no_more() -> None:
    registry = workshop()

    @registry.tool(name="test.trade")
    def trade() -> None:
        """Give a tool for another."""
        registry.remove("test.double")
        registry.tool(lambda: "here", name="test.late")

    done = run(
        Says(None, (("test__trade", {}),)),
        Says(None, (("test__late", {}), ("test__double", {"number": 2}))),
        FINISH,
        registry=registry,
    )

    before, after, _ = offers(done)
    assert (after - before, before - after) == ({"test__late"}, {"test__double"})
    _, late, gone = done.model.tool_messages()
    assert late["data"] == {"result": "here"}
    assert gone["error"]["error_type"] == "ResourceNotFound"


def test_an_unknown_tool_is_answered_and_the_model_recovers() -> None:
    done = run(
        Says(None, (("clock__todday", {}),)),
        Says(None, (("clock__today", {}),)),
        FINISH,
    )

    assert done.result.reason is Reason.FINISHED
    unknown, known = done.model.tool_messages()
    assert unknown["error"]["error_type"] == "ResourceNotFound"
    assert known["status"] == "success"


@pytest.mark.parametrize(
    ("name", "error_type"),
    [
        ("do it!", "ResourceNotFound"),
        ("", "ValidationError"),
        ("ü" * 90, "ResourceNotFound"),
        ("functions.clock__today", "ResourceNotFound"),
    ],
)
def test_a_name_that_no_provider_takes_back_does_not_break_the_next_request(name: str, error_type: str) -> None:
    done = run(Says(None, ((name, {}),)), FINISH)

    assert done.result.reason is Reason.FINISHED
    assert done.model.tool_messages()[0]["error"]["error_type"] == error_type


def test_a_dotted_name_is_answered_with_the_name_that_is_meant_and_the_model_recovers() -> None:
    done = run(Says(None, (("clock.today", {}),)), Says(None, (("clock__today", {}),)), FINISH)

    dotted, known = done.model.tool_messages()
    assert dotted["error"]["error_message"].endswith("did you mean `clock__today`?")
    assert known["status"] == "success"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ('{"number": 2', "the arguments are not JSON: Expecting"),
        ("{'number': 2}", "the arguments are not JSON: Expecting"),
        ('{"number": NaN}', "`NaN` is not JSON"),
        ('{"number": 1, "number": 2}', "appears twice"),
        ("[" * 100_000, "nested"),
        ("[2]", "not an object"),
        ("null", "not an object"),
    ],
)
def test_broken_arguments_are_answered_and_the_model_recovers(arguments: str, told: str) -> None:
    done = run(
        Says(None, (("test__double", arguments),)),
        Says(None, (("test__double", {"number": 2}),)),
        FINISH,
    )

    assert done.result.reason is Reason.FINISHED
    broken, fixed = done.model.tool_messages()
    assert broken["error"]["error_type"] == "ValidationError"
    assert told in broken["error"]["error_message"]
    assert broken["error"]["error_details"]["arguments"].startswith(arguments[:1_000])
    assert len(broken["error"]["error_details"]["arguments"]) < 1_100
    assert done.result.steps[0].calls[0].tool == "test.double"
    assert done.result.steps[0].calls[0].arguments == arguments
    assert fixed["data"] == {"result": 4}


def test_no_arguments_at_all_are_an_empty_object() -> None:
    done = run(Says(None, (("clock__today", ""),)), FINISH)

    assert done.first.status is ResultStatus.SUCCESS


def test_invalid_arguments_are_answered_with_their_pointers_and_the_model_recovers() -> None:
    done = run(
        Says(None, (("weather__get_forecast", {"place": "", "days": 15}),)),
        Says(None, (("weather__get_forecast", {"place": "Oslo", "days": 14}),)),
        FINISH,
    )

    assert done.result.reason is Reason.FINISHED
    refused, answered = done.model.tool_messages()
    pointers = [fault["pointer"] for fault in refused["error"]["error_details"]["faults"]]
    assert sorted(pointers) == ["/days", "/place"]
    assert len(answered["data"]["days"]) == 14


def test_several_calls_of_one_answer_are_answered_in_order_the_broken_ones_as_well() -> None:
    calls = [("test__double", {"number": number}) for number in range(20)]
    done = run(Says("All at once.", (*calls[:10], ("test__double", "{"), *calls[10:])), FINISH)

    results = done.model.tool_messages()
    assert [result["data"] and result["data"]["result"] for result in results] == [
        *range(0, 20, 2),
        None,
        *range(20, 40, 2),
    ]
    assert len(done.result.steps) == 2


@pytest.mark.parametrize("name", ["test__double", "test__explode", "no__such", "clock__today"])
def test_a_loop_is_told_once_and_then_ends_the_run(name: str) -> None:
    done = run(script=repeat(Says("Again.", ((name, {}),))), max_steps=50)

    assert done.result.reason is Reason.LOOPED
    assert done.result.answer is None
    assert len(done.result.steps) == 4
    told = [one for one in done.model.requests[-1]["messages"] if "made the same call" in (one["content"] or "")]
    assert [one["role"] for one in told] == ["user"]
    assert "3 times" in told[0]["content"]
    assert done.model.last_message() == told[0]


def test_a_model_that_heeds_the_warning_goes_on() -> None:
    again = Says(None, (("clock__today", {}),))
    done = run(again, again, again, FINISH)

    assert done.result.reason is Reason.FINISHED


def test_the_same_call_with_other_results_is_no_loop() -> None:
    registry = workshop()
    numbers = iter(range(100))
    registry.tool(lambda: next(numbers), name="test.count")

    done = run(script=repeat(Says(None, (("test__count", {}),))), registry=registry, max_steps=6)

    assert done.result.reason is Reason.STEP_LIMIT


def test_the_step_limit_ends_the_run() -> None:
    done = run(script=(Says(None, (("test__double", {"number": number}),)) for number in range(100)), max_steps=3)

    assert done.result.reason is Reason.STEP_LIMIT
    assert done.result.answer is None
    assert len(done.result.steps) == len(done.model.requests) == 3


@pytest.mark.parametrize("text", ["Take an umbrella.", None, ""])
def test_a_plain_text_is_reminded_once_and_then_ends_the_run(text: str | None) -> None:
    done = run(script=repeat(Says(text)))

    assert done.result.reason is Reason.NO_TOOL_CALL
    assert [step.calls for step in done.result.steps] == [(), ()]
    assert done.result.steps[-1].thought == text
    assert "`agent__finish`" in done.model.last_message()["content"]
    assert done.model.last_message()["role"] == "user"


def test_a_reminded_model_may_finish() -> None:
    done = run(Says("Take an umbrella."), FINISH)

    assert done.result.reason is Reason.FINISHED


def test_a_tool_that_raises_is_answered_without_its_secrets() -> None:
    done = run(Says(None, (("test__explode", {}),)), FINISH)

    assert done.result.reason is Reason.FINISHED
    (told,) = done.model.tool_messages()
    assert told["error"]["error_type"] == "ToolExecutionError"
    assert "hunter2" not in json.dumps(done.model.requests)


def test_a_long_result_is_cut_for_the_model_and_whole_in_the_steps() -> None:
    done = run(Says(None, (("test__recite", {"length": 5_000}),)), FINISH, longest_result=1_000)

    content = done.model.last_message()["content"]
    assert content.endswith("characters more)")
    assert len(content) < 1_100
    assert done.first.data == {"result": "a" * 5_000}


def test_a_server_that_fails_once_is_asked_again() -> None:
    done = run(Fails(500), Fails(429), FINISH)

    assert done.result.reason is Reason.FINISHED
    assert len(done.model.requests) == 3


def test_a_server_that_fails_for_good_raises_what_its_client_raises() -> None:
    with pytest.raises(openai.InternalServerError):
        run(script=repeat(Fails(500)))


def test_finishing_with_wrong_arguments_is_answered_and_the_run_goes_on() -> None:
    done = run(Says(None, (("agent__finish", {"reply": "Yes."}),)), FINISH)

    assert done.result.answer == {"answer": "Take an umbrella."}
    (told,) = done.model.tool_messages()
    assert told["status"] == "failure"
    assert "`answer`" in json.dumps(told["error"])


def test_finishing_in_part_is_finishing() -> None:
    registry = ToolRegistry()
    registry.tool(lambda: PartialSuccess({"done": 1}), name="task.end")

    done = run(Says(None, (("task__end", {}),)), registry=registry, finish="task.end")

    assert done.result.reason is Reason.FINISHED
    assert done.result.answer == {"done": 1}


def test_a_registry_without_the_finish_tool_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(UsageError, match=r"no tool `agent\.finish`"):
        run(registry=ToolRegistry())


def test_the_context_reaches_the_tools() -> None:
    registry = assistant()
    channels: list[str | None] = []
    registry.subscribe(lambda event: channels.append(event.context.channel))

    run(FINISH, registry=registry, context=CallContext(channel="chat"))

    assert set(channels) == {"chat"}


@pytest.mark.parametrize(
    "names",
    [("a.b.c", "a.b_c", "a_b.c", "a.b__c"), (f"long.{'a' * 70}x", f"long.{'a' * 70}y")],
    ids=["dots and underscores", "longer than a provider takes"],
)
def test_names_that_are_alike_go_to_the_provider_and_back(names: tuple[str, ...]) -> None:
    registry = assistant()
    for name in names:
        registry.tool(lambda name=name: name, name=name)
    sent = names_of(names).to_provider

    done = run(Says(None, tuple((sent[name], {}) for name in names)), FINISH, registry=registry)

    assert offers(done)[0] >= set(sent.values())
    assert [message["data"] for message in done.model.tool_messages()] == [{"result": name} for name in names]


def test_the_command_prints_the_steps_as_they_go() -> None:
    command = [sys.executable, str(ROOT / "examples" / "react_agent.py"), "scripted", "an umbrella?"]
    first = Says("First the date.", (("clock__today", {}),))

    with scripted_model([first, FINISH]) as model:
        variables = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": model.key, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, **variables}, timeout=60, check=False
        )

    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout.splitlines()[:2] == ["think:   First the date.", "call:    clock.today {}"]
    assert done.stdout.splitlines()[-1] == "finished: Take an umbrella."
