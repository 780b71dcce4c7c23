"""The runtime from the perspective of a type checker: `mypy --strict examples/typed_use.py`. It can also be run.

`assert_type` states what the checker infers, and each `type: ignore` marks a call that it rejects.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Literal, assert_type

from mcp_contracts import (
    CallContext,
    CallEvent,
    CallHandle,
    EventKind,
    HandleStatus,
    MCPErrorDetail,
    MCPToolCall,
    MCPToolResult,
    RegisteredTool,
    ResultStatus,
    ToolContext,
    ToolContract,
    ToolRegistry,
)

registry = ToolRegistry(deadline=5)


@registry.tool(name="text.repeat", version="1.0.0")
def repeat(text: str, times: int = 2, *, join: Literal["", " "] = "") -> str:
    """Repeat text."""
    return join.join([text] * times)


@registry.tool(name="text.count", version="1.0.0")
async def count(text: str, context: ToolContext) -> dict[str, int]:
    """Count the letters of text, and report the progress."""
    counts: dict[str, int] = {}
    for place, letter in enumerate(text, 1):
        counts[letter] = counts.get(letter, 0) + 1
        context.report(place, len(text))
        await asyncio.sleep(0)
    return counts


def shout(text: str) -> str:
    """Say something in capitals."""
    return text.upper()


shouted = registry.tool(shout, name="text.shout")


def call_like_a_function() -> None:
    """A registered function can still be called directly; its `call` takes the same parameters and returns a result."""
    assert_type(repeat("ho", 3, join=" "), str)
    assert_type(repeat.call("ho", 3, join=" "), MCPToolResult)
    print("right:", repeat.call("ho", 3, join=" ").data)

    wrong = repeat.call("ho", times="three")  # type: ignore[arg-type]  # the checker rejects it, and so does the contract
    assert_type(wrong.status, ResultStatus)
    assert_type(wrong.error, MCPErrorDetail | None)
    print("wrong:", wrong.error.error_message if wrong.error is not None else None)

    missing = shouted.call()  # type: ignore[call-arg]
    print("missing:", missing.status)


def call_by_name() -> None:
    """A tool by name takes any arguments; so do messages, their dicts and their JSON."""
    named = registry["text.shout"]
    assert_type(named, RegisteredTool[...])
    assert_type(named(text="hello"), MCPToolResult)
    assert_type(named.contract, ToolContract)

    call = MCPToolCall(tool_name="text.shout", arguments={"text": "hello"})
    for one in (call, call.to_dict(), call.to_json()):
        result = registry.call(one, context=CallContext(caller="typed_use", deadline=1.5))
        assert_type(result.data, dict[str, Any] | None)
        print("by name:", result.data)


async def call_and_wait() -> None:
    """Await calls, make many at once, and follow a long call by its handle."""
    assert_type(await shouted.acall("hello"), MCPToolResult)
    results = await registry.acall_many({"tool_name": "text.shout", "arguments": {"text": text}} for text in "abc")
    assert_type(results, list[MCPToolResult])
    print("many:", [result.data for result in results])

    handle = registry.start({"tool_name": "text.count", "arguments": {"text": "banana"}})
    assert_type(handle, CallHandle)
    assert_type(handle.status, HandleStatus)
    assert_type(await handle, MCPToolResult)
    print("long:", handle.status, handle.result().data, handle.progress)


def watch(event: CallEvent) -> None:
    """Print how calls end."""
    if event.kind in (EventKind.FINISHED, EventKind.FAILED, EventKind.REFUSED):
        print(f"  {event.kind}: {event.tool} {event.version}")


stop = registry.subscribe(watch)
assert_type(stop, Callable[[], None])
call_like_a_function()
call_by_name()
stop()
asyncio.run(call_and_wait())
