"""An agent on any server that supports OpenAI's chat completions.

    pip install 'mcp-contracts[oracles]'         # includes openai
    OPENAI_API_KEY=… python examples/agent.py gpt-5-mini "Do I need an umbrella in Oslo?"

With OPENAI_BASE_URL it uses another server. `--react` is for models that do not support tool calls.
"""

from __future__ import annotations

import argparse
import asyncio
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from mcp_contracts import ToolError, ToolRegistry
from mcp_contracts.agents import Agent, AgentError, AgentEvent, OpenAIChat

TODAY = date(2026, 11, 22)
OSLO = {"name": "Oslo", "country": "NO", "latitude": 59.91, "longitude": 10.75}
RAIN = {"summary": "Rain", "temperature_min": 2, "temperature_max": 5, "wind_speed": 4, "precipitation_probability": 90}

app = ToolRegistry.from_specs(Path(__file__).parents[1] / "specs" / "weather", deadline=10)


@app.implement("weather.get_forecast")
def get_forecast(place: str, country: str | None, days: int, units: str) -> dict[str, Any]:
    """Returns a forecast, which is always the same."""
    if place != OSLO["name"] or country not in (None, OSLO["country"]):
        raise ToolError("ResourceNotFound", f"no such place: {place}", {"candidates": [OSLO["name"]]})
    forecast = [{"date": str(TODAY + timedelta(day)), **RAIN} for day in range(days)]
    return {"place": OSLO, "issued_at": f"{TODAY}T06:00:00Z", "units": units, "days": forecast}


@app.tool(name="clock.today")
def today() -> date:
    """Returns today's date."""
    return TODAY


def show(event: AgentEvent) -> None:
    """Print the calls of a run and their results."""
    if event.call is not None and event.result is None:
        print("call:  ", event.tool_name, event.call.arguments)
    elif event.result is not None:
        print("result:", event.result.to_json()[:200])


async def main(model: str, task: str, *, is_react: bool) -> None:
    """Run the agent on the server that the environment selects."""
    from openai import AsyncOpenAI  # reads OPENAI_API_KEY and OPENAI_BASE_URL

    async with AsyncOpenAI() as client:
        agent = Agent(app, OpenAIChat(model, client), mode="react" if is_react else "native", on_event=show)
        try:
            print("answer:", await agent.run(task))
        except AgentError as error:
            print("no answer:", error.message)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("task")
    parser.add_argument("--react", action="store_true", help="for a model that does not support tool calls")
    given = parser.parse_args()
    asyncio.run(main(given.model, given.task, is_react=given.react))
