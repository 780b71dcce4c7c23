"""Contracts and functions for the tests of the runtime, and the rules for every result."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import jsonschema
from jsonschema.protocols import Validator

from mcp_contracts import CallContext, MCPToolResult, ToolRegistry
from mcp_contracts.contract import ErrorType, JsonValue, ToolContract
from mcp_contracts.diagnostics import Place
from tests.support_schemas import tool

ROOT = Path(__file__).resolve().parents[1]
NAME = "notes.add"
ANYTHING: JsonValue = {"type": "object"}
_T = TypeVar("_T")


def contract(
    input_schema: JsonValue = None,
    output_schema: JsonValue = None,
    name: str = NAME,
    *,
    errors: tuple[str, ...] = (),
    **fields: Any,
) -> ToolContract:
    """Return a contract that accepts any object, unless a schema is given."""
    declared = tuple(ErrorType(error, "It happens.", Place("tools.json", 1, 1, 1, 2)) for error in errors)
    return tool(ANYTHING if input_schema is None else input_schema, output_schema, name, errors=declared, **fields)


def closed(*required: str, **properties: JsonValue) -> JsonValue:
    """Return the schema of a closed object with some properties, some of them required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def registry_of(
    function: Callable[..., Any],
    input_schema: JsonValue = None,
    output_schema: JsonValue = None,
    *,
    errors: tuple[str, ...] = (),
    errors_of: Mapping[type[Exception], str] | None = None,
    **settings: Any,
) -> ToolRegistry:
    """Return a registry with one tool, `notes.add`, and its function; its contract declares `errors`."""
    registry = ToolRegistry([contract(input_schema, output_schema, errors=errors)], errors=errors_of, **settings)
    registry.implement(NAME)(function)
    return registry


def nothing() -> dict[str, Any]:
    """Return an empty result."""
    return {}


def call_of(name: str = NAME, /, **arguments: Any) -> dict[str, Any]:
    """Return a call as an agent sends it."""
    return {"tool_name": name, "arguments": arguments}


def write_bundle(path: Path, *tools: dict[str, Any]) -> Path:
    """Write a bundle of some tools."""
    path.write_text(json.dumps({"format": "mcp-contracts/bundle", "version": 1, "tools": tools}), encoding="utf-8")
    return path


def bundled(name: str = NAME, version: str | None = None, **fields: JsonValue) -> dict[str, Any]:
    """Return one tool of a bundle."""
    stated = {} if version is None else {"version": version}
    return {"name": name, "description": "Adds a note.", "input_schema": ANYTHING, **stated, **fields}


def require_valid(result: object) -> MCPToolResult:
    """Require that a result matches its schema, and is read as it was written."""
    assert isinstance(result, MCPToolResult)
    as_dict = result.to_dict()
    text = result.to_json()
    text.encode("utf-8")
    result_validator().validate(as_dict)
    assert json.loads(text) == as_dict
    assert MCPToolResult.from_json(text) == result
    return result


@cache
def result_validator() -> Validator:
    """Return a validator of results, from the published schema."""
    schema = json.loads((ROOT / "schemas" / "mcp_tool_result.schema.json").read_text(encoding="utf-8"))
    return jsonschema.Draft7Validator(schema)


def error_type(result: MCPToolResult) -> str:
    """Return the type of a failure's error."""
    assert result.error is not None, result
    return result.error.error_type


def details_of(result: MCPToolResult) -> dict[str, Any]:
    """Return the details of a failure."""
    assert result.error is not None, result
    assert isinstance(result.error.error_details, dict), result
    return result.error.error_details


def message_of(result: MCPToolResult) -> str:
    """Return the message of a failure."""
    assert result.error is not None, result
    return result.error.error_message


def within(seconds: float) -> CallContext:
    """Return the context of a call with a deadline."""
    return CallContext(deadline=seconds)


def both_ways(registry: ToolRegistry, call: Any, **options: Any) -> tuple[MCPToolResult, MCPToolResult]:
    """Return the results of `call` and `acall`."""

    async def ask() -> MCPToolResult:
        return await registry.acall(call, **options)

    return registry.call(call, **options), run(ask())


def run(work: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine, and require that it leaves no task behind."""

    async def watched() -> _T:
        try:
            return await work
        finally:
            left = asyncio.all_tasks() - {asyncio.current_task()}
            assert not left, left

    # In a separate task, because `asyncio.run` passes the main one, with a whole result of 10 MB, to `signal`.
    async def main() -> list[_T]:
        return [await watched()]

    return asyncio.run(main())[0]


def eventually(is_so: Callable[[], bool]) -> bool:
    """Whether something becomes true within five seconds."""
    ends_at = time.monotonic() + 5
    while not is_so() and time.monotonic() < ends_at:
        time.sleep(0.001)
    return is_so()
