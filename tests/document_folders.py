"""The folder in which the blocks of documents run, its states, and the names that their programs use."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

from mcp_contracts import MCPToolResult, ToolContext, ToolRegistry, load
from mcp_contracts.adapters import openai_strict
from mcp_contracts.adapters.base import RefusedCall
from mcp_contracts.contract import JsonValue
from mcp_contracts.parsing.discovery import SPEC_NAME
from tests.documents import invoked, working_in
from tests.repositories import (
    ROOT,
    commit,
    edit,
    git,
    input_schema,
    listed,
    new_repository,
    spec,
    tool,
    tool_list,
    write,
)

WEATHER = f"specs/weather/{SPEC_NAME}"
_MAXIMUM = '"maximum": 14,'


def build_folder(folder: Path) -> Path:
    """Create a repository with our own specifications, tagged v1.2.0, and the other files that documents name."""
    new_repository(folder)
    shutil.copytree(ROOT / "specs", folder / "specs")
    with working_in(folder):
        write(f"path/to/specs/{SPEC_NAME}", spec(tool(), version="1.0.0"))
        write("tools.json", tool_list(listed(schema=input_schema())))
        write("weather/tools.py", _IMPLEMENTATION)
        write("weather/__init__.py", "")
        write(".gitignore", "path/\n")
        write("tools/.gitkeep", "")
        commit()
        git("tag", "v1.2.0")
        git("update-ref", "refs/remotes/origin/main", "HEAD")
        git("repack", "-adq")  # each block runs in a copy, and one file is copied faster than each object
        git("prune-packed")
    return folder


_IMPLEMENTATION = '''\
"""The tools of the module weather."""


def get_forecast(place: str, country: str | None = None, days: int = 3, units: str = "metric") -> dict: ...


def get_alerts(area: str | list[str], minimum_severity: str = "minor") -> dict: ...


def forecast(city: str, days: int = 3) -> dict: ...
'''


def _narrowed() -> None:
    edit(WEATHER, _MAXIMUM, _MAXIMUM.replace("14", "10"))


def _narrowed_further() -> None:
    _narrowed()
    invoked("mcp-contracts diff --against v1.2.0 --accept --reason why")
    edit(WEATHER, _MAXIMUM.replace("14", "10"), _MAXIMUM.replace("14", "5"))


def _empty() -> None:
    shutil.rmtree("specs")
    os.mkdir("specs")


def _patterns() -> None:
    for name, pattern in (("old", r"^(a|b)\1$"), ("new", r"^(a|b|c)\1$")):
        schema: JsonValue = {"type": "object", "properties": {"id": {"type": "string", "pattern": pattern}}}
        write(f"{name}.json", tool_list(listed(schema=schema)))


def _two_lists() -> None:
    write("OLD", tool_list(listed()))
    write("NEW", tool_list(listed()))
    write("mcp-contracts.yaml", "diff: {against: origin/main}")


def _exported() -> None:
    invoked("mcp-contracts export specs --to openai --output tools.json")


def _stale() -> None:
    invoked("mcp-contracts export specs/weather --to openai --output tools.json")
    tools = json.loads(Path("tools.json").read_text("utf-8"))
    tools[0]["function"]["description"] = "another"
    Path("tools.json").write_text(json.dumps(tools[:1] + tools[2:]), encoding="utf-8")


STATES: Mapping[str, Callable[[], None]] = {
    "narrowed": _narrowed,
    "narrowed further": _narrowed_further,
    "empty": _empty,
    "patterns": _patterns,
    "two lists": _two_lists,
    "exported": _exported,
    "stale": _stale,
}
"""Changes to a folder before a block runs in it."""


@cache
def _contracts() -> Any:
    """Return the contracts of the specifications in the working directory, which all documents share."""
    return load("specs")


def names_for(path: str) -> dict[str, Any]:
    """Return the names that the programs of a document use without defining them: a client, a registry, contracts."""
    contracts = _contracts()
    registry = ToolRegistry(contracts)

    async def forecast(place: str, country: str | None = None, days: int = 3, units: str = "metric") -> dict[str, Any]:
        return {"place": place, "days": []}

    common: dict[str, Any] = {"contracts": contracts, "registry": registry, "messages": [], "contents": []}
    if path == "docs/adapters.md":
        registry.implement("weather.get_forecast")(forecast)
        return common | _models()
    if path == "docs/agents.md":
        return {"client": _adding_client()}
    if path == "docs/runtime.md":
        from pydantic import Field

        return common | {"Annotated": Annotated, "Field": Field, "ToolContext": ToolContext}
    if path == "docs/watching.md":
        return common | {"failures": Counter()}
    if path == "docs/grammars.md":
        text = iter(json.dumps({"tool_name": "weather.get_forecast", "arguments": {"place": "Oslo"}},
                               separators=(",", ":")).encode())  # fmt: skip
        return common | {"tokenizer": None, "sample": lambda allowed: next(text)}
    if path == "docs/generation.md":
        from tests.random_model import TOKENIZER, random_logits  # numpy and llguidance, which only this page needs

        return common | {"logits": random_logits(1), "tokenizer": TOKENIZER, "forecast": ToolRegistry(contracts[:1])}
    if path == "README.md":

        async def my_weather_service(*arguments: object) -> dict[str, Any]:
            return {}

        return {"my_weather_service": my_weather_service}
    if path == "docs/implementation.md":
        return common | {
            "ALERTS": "weather.get_alerts",
            "service": SimpleNamespace(alerts=lambda area, minimum_severity="minor": {}),
        }
    if path == "docs/changes.md":
        before = {"type": "object", "properties": {"limit": {"type": "integer", "maximum": 100}}}
        return {"before": before, "after": {**before, "properties": {"limit": {"type": "integer", "maximum": 50}}}}
    return common


def _adding_client() -> Any:
    """Return a client of chat completions whose model adds 2 and 3 with a tool, and then repeats the result."""

    def create(*, messages: list[dict[str, Any]], **request: Any) -> Any:
        call = {"id": "call_1", "type": "function", "function": {"name": "demo__add", "arguments": '{"a": 2, "b": 3}'}}
        said = {"role": "assistant", "content": None, "tool_calls": [call]}
        if messages[-1]["role"] == "tool":
            said = {"role": "assistant", "content": "2 + 3 is 5."}
        return SimpleNamespace(choices=[SimpleNamespace(message=said)])

    return SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))


def _models() -> dict[str, Any]:
    """Return clients that answer like the providers, with one call of a tool."""
    arguments = {"place": "Oslo"}
    call = {"id": "call_1", "type": "function", "function": {"name": "weather__get_forecast",
                                                             "arguments": json.dumps(arguments)}}  # fmt: skip
    chat = {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [call]}}]}
    message = SimpleNamespace(
        content=[{"type": "tool_use", "id": "toolu_1", "name": "weather_get_forecast", "input": arguments}]
    )
    part = {"functionCall": {"id": "call_1", "name": "weather.get_forecast", "args": arguments}}
    candidate = SimpleNamespace(content={"role": "model", "parts": [part]})
    return {
        "request": {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "weather.get_forecast", "arguments": arguments},
        },
        "client": SimpleNamespace(
            chat=SimpleNamespace(completions=SimpleNamespace(create=lambda **request: chat)),
            messages=SimpleNamespace(create=lambda **request: message),
            models=SimpleNamespace(generate_content=lambda **request: SimpleNamespace(candidates=[candidate])),
        ),
        "openai_strict": openai_strict,
        "RefusedCall": RefusedCall,
        "MCPToolResult": MCPToolResult,
        "model": "a-model",
    }
