"""The functions behind the specification next to this file."""

import asyncio
import os
import sys

from mcp_contracts import ToolContext, ToolError

print("a module that prints while it is imported")


async def add(a: int, b: int) -> dict[str, object]:
    """Add; a sum over a million breaks the contract."""
    print("a tool that prints")
    os.write(1, b"and a program that it starts\n")
    return {"sum": a + b if a + b < 1_000_000 else "a lot"}


async def wait(context: ToolContext, seconds: float, tag: str = "") -> dict[str, object]:
    """Wait in two steps; a cancellation is written to standard error."""
    try:
        context.report(1, 2, "half")
        await asyncio.sleep(seconds)
        context.report(2, 2)
    except asyncio.CancelledError:
        print(f"cancelled {tag}", file=sys.stderr, flush=True)
        raise
    return {"waited": seconds, "tag": tag}


def lookup(word: str) -> dict[str, object]:
    """Find a word."""
    if word == "unknown":
        raise ToolError("ResourceNotFound", f"nobody knows {word}", {"nearest": ["known"]})
    if word == "crash":
        raise RuntimeError("s3cret internals")
    return {"found": "yes"}


def channel(context: ToolContext) -> dict[str, object]:
    """Say what the server knows of the call."""
    return {"channel": context.call.channel or "none", "caller": context.call.caller}
