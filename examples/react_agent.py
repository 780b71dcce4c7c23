"""An agent's loop on a registry: think, choose, call, observe, until the finish tool or the step limit.

    pip install 'mcp-contracts[oracles]'         # brings openai
    OPENAI_API_KEY=… python examples/react_agent.py gpt-5-mini "Do I need an umbrella in Oslo?"

With OPENAI_BASE_URL it runs on any server that speaks OpenAI's chat completions. `run_agent` is what to copy.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_contracts import (
    CallContext,
    MCPErrorDetail,
    MCPToolResult,
    ResultStatus,
    ToolContract,
    ToolError,
    ToolRegistry,
    UsageError,
)
from mcp_contracts.messages import read_json

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import (
        ChatCompletionMessageFunctionToolCall,
        ChatCompletionMessageParam,
        ChatCompletionToolParam,
    )

SYSTEM = """You solve the user's task with the tools you are given. Before each call, think in one sentence.
A result whose status is `failure` says in `error` what was wrong: mend the call, or find another way.
You have {steps} steps. End by calling `{finish}`; a plain text does not reach the user."""
REMINDER = "Nobody reads a plain text. Call a tool, or end by calling `{finish}`."
LOOP = "You have made the same call {times} times with the same result. Do something else, or call `{finish}`."
MOST_REPEATS = 3
AGENT = CallContext(channel="agent")


class Reason(StrEnum):
    """Why a run has ended."""

    FINISHED = "finished"
    STEP_LIMIT = "step limit"
    LOOPED = "looped"  # the same call again with the same result, after the model was told
    NO_TOOL_CALL = "no tool call"  # a plain text again, after the model was reminded


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the model made, with its arguments as it wrote them, be they JSON or not."""

    tool: str
    arguments: str
    result: MCPToolResult


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of the model: what it thought, and its calls with their results, none for a plain text."""

    thought: str | None
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class AgentResult:
    """How a run ended, by which steps; `answer` is the data of the finish tool, None for any other reason."""

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
    """Let a model solve a task with the tools of a registry, asking it at most `max_steps` times.

    It is offered what has a function for the context's channel. Whatever it calls, the registry answers: an unknown
    tool, broken JSON, wrong arguments and a tool that raises are results that it sees, at most `longest_result`
    characters of each. `on_step` is told of each step. Raises `UsageError` where the finish tool is not in the registry
    or two tools would get one name, and `openai.OpenAIError` where the server fails more often than the client retries.
    """
    messages: list[ChatCompletionMessageParam] = [
        {"role": "system", "content": SYSTEM.format(steps=max_steps, finish=provider_name(finish))},
        {"role": "user", "content": task},
    ]
    steps: list[Step] = []
    for _ in range(max_steps):
        offered = provider_names(registry.tools(channel=context.channel))  # anew, since tools come and go
        if finish not in (contract.name for contract in offered.values()):
            raise UsageError(f"the registry has no tool `{finish}` to end by", hint="register it, or name another")
        tools = [_offer(name, contract) for name, contract in offered.items()]
        completion = await client.chat.completions.create(model=model, messages=messages, tools=tools)
        message = completion.choices[0].message
        asked = [call for call in message.tool_calls or () if call.type != "custom"]
        step = Step(message.content, await _observe(registry, asked, offered, context))
        steps.append(step)
        on_step(step)

        for call in step.calls:
            if call.tool == finish and call.result.status is not ResultStatus.FAILURE:
                return AgentResult(call.result.data, Reason.FINISHED, tuple(steps))
        repeats = _repeats(steps)
        if repeats > (MOST_REPEATS if step.calls else 1):
            return AgentResult(None, Reason.LOOPED if step.calls else Reason.NO_TOOL_CALL, tuple(steps))

        if step.calls:
            echoes = [_echo(made) for made in asked]
            messages.append({"role": "assistant", "content": message.content, "tool_calls": echoes})
            for made, call in zip(asked, step.calls, strict=True):
                seen = _cut(call.result.to_json(), longest_result)
                messages.append({"role": "tool", "tool_call_id": made.id, "content": seen})
        else:
            messages.append({"role": "assistant", "content": message.content or ""})
            messages.append({"role": "user", "content": REMINDER.format(finish=provider_name(finish))})
        if step.calls and repeats == MOST_REPEATS:
            loop = LOOP.format(times=repeats, finish=provider_name(finish))
            messages.append({"role": "user", "content": loop})
    return AgentResult(None, Reason.STEP_LIMIT, tuple(steps))


def provider_name(name: str) -> str:
    """A name as a provider takes it, up to 64 letters, digits, `_` and `-`; no dotted name holds a `-` of its own."""
    return re.sub(r"[^a-zA-Z0-9_-]", "-", name)[:64] or "-"


def provider_names(contracts: Iterable[ToolContract]) -> dict[str, ToolContract]:
    """Contracts by the names that the model calls them by. Raises `UsageError` where two get one, cut to 64."""
    names: dict[str, ToolContract] = {}
    for contract in contracts:
        other = names.setdefault(provider_name(contract.name), contract)
        if other is not contract:
            both = f"`{other.name}` and `{contract.name}`"
            raise UsageError(f"{both} begin with the same 64 characters", hint="shorten one of the names")
    return names


def _offer(name: str, contract: ToolContract) -> ChatCompletionToolParam:
    words = [contract.description, contract.use_when and f"Use when {contract.use_when}."]
    schema = contract.input_schema
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": _cut("\n".join(word for word in words if word), 1_000),  # OpenAI takes 1,024
            "parameters": {**schema} if isinstance(schema, dict) else {"type": "object", "properties": {}},
        },
    }


async def _observe(
    registry: ToolRegistry,
    asked: Sequence[ChatCompletionMessageFunctionToolCall],
    offered: Mapping[str, ToolContract],
    context: CallContext,
) -> tuple[Call, ...]:
    """Make the calls of one answer, side by side; only what is not even a JSON object is answered here."""
    known = [offered.get(provider_name(call.function.name)) for call in asked]
    names = [contract.name if contract else call.function.name for call, contract in zip(asked, known, strict=True)]
    read = [_arguments(call.function.arguments) for call in asked]
    sound = [(name, arguments) for name, arguments in zip(names, read, strict=True) if isinstance(arguments, dict)]
    calls = [{"tool_name": name, "arguments": arguments} for name, arguments in sound]
    results = iter(await registry.acall_many(calls, context=context))
    return tuple(
        Call(name, call.function.arguments, next(results) if isinstance(arguments, dict) else arguments)
        for name, call, arguments in zip(names, asked, read, strict=True)
    )


def _arguments(text: str) -> dict[str, Any] | MCPToolResult:
    """Arguments as the model wrote them, or what it is told where they are no JSON object."""
    try:
        value = read_json(text or "{}")
        if isinstance(value, dict):
            return value
        fault = "they are JSON, but not an object"
    except ValueError as error:
        fault = f"they are not JSON: {error}"
    words = f"the arguments cannot be read, {fault}; they were: {_cut(text, 1_000)}"
    error_detail = MCPErrorDetail(error_type="ValidationError", error_message=words)
    return MCPToolResult(status=ResultStatus.FAILURE, error=error_detail)


def _echo(call: ChatCompletionMessageFunctionToolCall) -> Any:
    """A call as the next request repeats it: many servers refuse their own model's broken JSON and invented names."""
    arguments = call.function.arguments if isinstance(_arguments(call.function.arguments), dict) else ""
    function = {"name": provider_name(call.function.name), "arguments": arguments or "{}"}
    return {**call.model_dump(exclude_none=True), "type": "function", "function": function}


def _repeats(steps: Sequence[Step]) -> int:
    """How many times in a row the last step did the same and saw the same; plain texts are all alike."""
    last = _likeness(steps[-1])
    return sum(1 for _ in takewhile(lambda step: _likeness(step) == last, reversed(steps)))


def _likeness(step: Step) -> list[tuple[object, ...]]:
    # An error by its words: its details may hold the identifier of the call, which is never the same.
    return [
        (call.tool, call.arguments, call.result.data, call.result.error and call.result.error.error_message)
        for call in step.calls
    ]


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}… (cut: {len(text) - longest} characters more)"


def assistant() -> ToolRegistry:
    """Tools to try it with: one by its specification, with canned data, and two of Python alone."""
    registry = ToolRegistry.from_specs(Path(__file__).parents[1] / "specs" / "weather")

    @registry.implement("weather.get_forecast")
    def get_forecast(place: str, country: str | None, days: int, units: str) -> dict[str, Any]:
        found = PLACES.get(place)
        if found is None or country not in (None, found["country"]):
            raise ToolError("ResourceNotFound", f"no such place: {place}", {"candidates": sorted(PLACES)})
        if units != "metric":
            raise ToolError("ToolExecutionError", "the service knows metric units alone")
        forecast = [{"date": str(TODAY + timedelta(day)), **DAYS[day % len(DAYS)]} for day in range(days)]
        return {"place": found, "issued_at": f"{TODAY}T06:00:00Z", "units": units, "days": forecast}

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
PLACES = {
    "Oslo": {"name": "Oslo", "country": "NO", "latitude": 59.91, "longitude": 10.75},
    "Tromsø": {"name": "Tromsø", "country": "NO", "latitude": 69.65, "longitude": 18.96},
}
DAYS: list[dict[str, Any]] = [
    {"summary": "Rain", "temperature_min": 2, "temperature_max": 5, "wind_speed": 4, "precipitation_probability": 90},
    {"summary": "Clear", "temperature_min": -3, "temperature_max": 1, "wind_speed": 2, "precipitation_probability": 5},
]


def show(step: Step) -> None:
    """Print a step."""
    if step.thought:
        print("think:  ", step.thought)
    for call in step.calls:
        print("call:   ", call.tool, _cut(call.arguments, 200))
        print("observe:", _cut(call.result.to_json(), 300))


async def main(model: str, task: str) -> None:
    """Run the agent on the server that the environment names."""
    from openai import AsyncOpenAI  # reads OPENAI_API_KEY and OPENAI_BASE_URL

    async with AsyncOpenAI() as client:
        result = await run_agent(client, model, assistant(), task, on_step=show)
    print(f"{result.reason}:", result.answer["answer"] if result.answer else f"no answer in {len(result.steps)} steps")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python examples/react_agent.py MODEL TASK")
    asyncio.run(main(sys.argv[1], sys.argv[2]))
