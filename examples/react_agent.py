"""An agent loop with a registry: think, choose, call, observe, until the finish tool or the step limit.

    pip install 'mcp-contracts[oracles]'         # includes openai
    OPENAI_API_KEY=… python examples/react_agent.py gpt-5-mini "Do I need an umbrella in Oslo?"

With OPENAI_BASE_URL it uses any server that supports OpenAI's chat completions. Copy `run_agent` into your project.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_contracts import CallContext, MCPToolResult, ResultStatus, ToolContract, ToolError, ToolRegistry, UsageError
from mcp_contracts.adapters import openai as adapter
from mcp_contracts.adapters.base import RefusedCall
from mcp_contracts.providers.names import NameMap

if TYPE_CHECKING:
    from openai import AsyncOpenAI

SYSTEM = """You solve the user's task with the tools you are given. Before each call, think in one sentence.
A result whose status is `failure` says in `error` what was wrong: fix the call, or find another way.
You have {steps} steps. End by calling `{finish}`; a plain text does not reach the user."""
REMINDER = "Nobody reads a plain text. Call a tool, or end by calling `{finish}`."
LOOP = "You have made the same call {times} times with the same result. Do something else, or call `{finish}`."
MOST_REPEATS = 3
AGENT = CallContext(channel="agent")


class Reason(StrEnum):
    """Why a run has ended."""

    FINISHED = "finished"
    STEP_LIMIT = "step limit"
    LOOPED = "looped"  # the same call with the same result again, after a warning
    NO_TOOL_CALL = "no tool call"  # plain text again, after a reminder


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the model made, with its arguments as written; `echo` is the call for the next request."""

    tool: str
    arguments: str
    result: MCPToolResult
    echo: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of the model: its thought, and its calls with their results, none for plain text."""

    thought: str | None
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class AgentResult:
    """The outcome of a run and its steps; `answer` is the data of the finish tool, None for any other reason."""

    answer: dict[str, Any] | None
    reason: Reason
    steps: tuple[Step, ...]


async def run_agent(
    client: AsyncOpenAI,
    model: str,
    registry: ToolRegistry,
    task: str,
    *,
    max_steps: int = 10,
    finish: str = "agent.finish",
    context: CallContext = AGENT,
    on_step: Callable[[Step], object] = lambda step: None,
    longest_result: int = 20_000,
) -> AgentResult:
    """Let a model solve a task with the tools of a registry, in at most `max_steps` requests.

    It is offered the tools that have a function for the context's channel. Every call is answered: for an unknown tool,
    invalid JSON, wrong arguments or a tool that raises, the model sees an error, with at most `longest_result`
    characters of each result. `on_step` is called after each step. Raises `UsageError` if the finish tool is not in the
    registry, `NotPortableError` if OpenAI does not accept a tool, and `openai.OpenAIError` if the server fails more
    often than the client retries.
    """
    end = adapter.names_of([finish]).to_provider[finish]
    messages: list[Any] = [
        {"role": "system", "content": SYSTEM.format(steps=max_steps, finish=end)},
        {"role": "user", "content": task},
    ]
    steps: list[Step] = []
    last: object = None
    repeats = 0
    for _ in range(max_steps):
        # tools may be added and removed
        offered = adapter.tools_out(map(_with_use, registry.tools(channel=context.channel)))
        if finish not in offered.names.to_provider:
            raise UsageError(f"the registry has no tool `{finish}` to end by", hint="register it, or name another")
        tools: list[Any] = [*offered.tools]
        completion = await client.chat.completions.create(model=model, messages=messages, tools=tools)
        said = completion.choices[0].message
        made = [call.model_dump(exclude_none=True, warnings=False) for call in said.tool_calls or ()]
        calls = await asyncio.gather(*(_observe(registry, call, offered.names, context) for call in made))
        steps.append(Step(said.content, tuple(calls)))
        on_step(steps[-1])

        for call in calls:
            if call.tool == finish and call.result.status is not ResultStatus.FAILURE:
                return AgentResult(call.result.data, Reason.FINISHED, tuple(steps))
        # Compare errors by their messages: their details may contain the identifier of the call, which is always
        # different.
        seen = [
            (call.tool, call.arguments, call.result.data, call.result.error and call.result.error.error_message)
            for call in calls
        ]
        repeats = repeats + 1 if seen == last else 1
        last = seen
        if repeats > (MOST_REPEATS if calls else 1):
            return AgentResult(None, Reason.LOOPED if calls else Reason.NO_TOOL_CALL, tuple(steps))

        if calls:
            messages.append({"role": "assistant", "content": said.content, "tool_calls": [call.echo for call in calls]})
            for call in calls:
                told = adapter.result_out(call.echo["id"], call.result)
                messages.append({**told, "content": _cut(str(told["content"]), longest_result)})
            if repeats == MOST_REPEATS:
                messages.append({"role": "user", "content": LOOP.format(times=repeats, finish=end)})
        else:
            messages.append({"role": "assistant", "content": said.content or ""})
            messages.append({"role": "user", "content": REMINDER.format(finish=end)})
    return AgentResult(None, Reason.STEP_LIMIT, tuple(steps))


async def _observe(registry: ToolRegistry, made: dict[str, Any], names: NameMap, context: CallContext) -> Call:
    """Make one call; a call that the adapter refuses is answered with the error and with what the model wrote."""
    written = str(made.get("function", {}).get("arguments", ""))
    read = adapter.call_in(made, names)
    if isinstance(read, RefusedCall):
        error = read.error.model_copy(update={"error_details": {"arguments": _cut(written, 1_000)}})
        # Many servers reject their own model's invalid JSON and invented names.
        function = {"name": re.sub(r"[^a-zA-Z0-9_-]", "_", read.name)[:64] or "_", "arguments": "{}"}
        echo = {**made, "id": read.id, "type": "function", "function": function}
        result = MCPToolResult(status=ResultStatus.FAILURE, error=error)
        return Call(names.from_provider.get(read.name, read.name), written, result, echo)
    result = await registry.acall(read.call, context=context)
    echo = {**made, **adapter.call_out(read, names)}  # including all that the server added, such as a signature
    return Call(read.call.tool_name, written, result, echo)


def _with_use(contract: ToolContract) -> ToolContract:
    """Add the contract's `use_when` to its description, because OpenAI's tools have no other field for it."""
    words = [contract.description, contract.use_when and f"Use when {contract.use_when}."]
    return replace(contract, description="\n".join(filter(None, words)))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}… (cut: {len(text) - longest} characters more)"


def assistant() -> ToolRegistry:
    """Return tools to try it with: one from its specification, with fixed data, and two defined in Python."""
    registry = ToolRegistry.from_specs(Path(__file__).parents[1] / "specs" / "weather")

    @registry.implement("weather.get_forecast")
    def get_forecast(place: str, country: str | None, days: int, units: str) -> dict[str, Any]:
        if place != OSLO["name"] or country not in (None, OSLO["country"]):
            raise ToolError("ResourceNotFound", f"no such place: {place}", {"candidates": [OSLO["name"]]})
        if units != "metric":
            raise ToolError("ToolExecutionError", "the service knows metric units alone")
        forecast = [{"date": str(TODAY + timedelta(day)), **RAIN} for day in range(days)]
        return {"place": OSLO, "issued_at": f"{TODAY}T06:00:00Z", "units": units, "days": forecast}

    @registry.tool(name="clock.today")
    def today() -> date:
        """Tell today's date."""
        return TODAY

    @registry.tool(name="agent.finish")
    def finish(answer: str) -> dict[str, str]:
        """End with the answer.

        Args:
            answer: The answer to the user's task, in full sentences.
        """
        return {"answer": answer}

    return registry


TODAY = date(2026, 11, 22)
OSLO = {"name": "Oslo", "country": "NO", "latitude": 59.91, "longitude": 10.75}
RAIN = {"summary": "Rain", "temperature_min": 2, "temperature_max": 5, "wind_speed": 4, "precipitation_probability": 90}


def show(step: Step) -> None:
    """Print a step."""
    if step.thought:
        print("think:  ", step.thought)
    for call in step.calls:
        print("call:   ", call.tool, _cut(call.arguments, 200))
        print("observe:", _cut(call.result.to_json(), 300))


async def main(model: str, task: str) -> None:
    """Run the agent on the server that the environment selects."""
    from openai import AsyncOpenAI  # reads OPENAI_API_KEY and OPENAI_BASE_URL

    async with AsyncOpenAI() as client:
        result = await run_agent(client, model, assistant(), task, on_step=show)
    print(f"{result.reason}:", result.answer["answer"] if result.answer else f"no answer in {len(result.steps)} steps")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python examples/react_agent.py MODEL TASK")
    asyncio.run(main(sys.argv[1], sys.argv[2]))
