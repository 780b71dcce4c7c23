"""The calls of one reply: each is answered, in order, and valid ones run concurrently."""

from __future__ import annotations

import asyncio
import copy
import inspect
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mcp_contracts.adapters.base import ProviderCall, RefusedCall
from mcp_contracts.adapters.wire import unknown_tool_error
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.mcp_content.reading import failure
from mcp_contracts.messages import MCPToolCall, MCPToolResult, ResultStatus
from mcp_contracts.runtime.context import CallContext, Progress, ProgressReports
from mcp_contracts.runtime.registry import ToolRegistry

MOST_CALLS = 100
"""The maximum number of calls of one reply that are run; the others get an error."""

_CONCURRENCY = 16


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A call that waits for approval: the tool, its contract, and a copy of the arguments that will be sent."""

    tool_name: str
    arguments: dict[str, JsonValue]
    contract: ToolContract


Approve = Callable[[PendingCall], bool | Awaitable[bool]]
"""Decides whether a call may run."""

Report = Callable[[int, MCPToolCall | Progress | MCPToolResult], Awaitable[None]]
"""Receives the number of a call, and what happens to it: the call before it runs, its progress, or its result."""


async def answer_calls(
    registry: ToolRegistry,
    calls: Sequence[ProviderCall | RefusedCall],
    *,
    offered: Collection[str] | None = None,
    context: CallContext | None = None,
    approve: Approve | None = None,
    report: Report | None = None,
) -> list[MCPToolResult]:
    """Return the results of calls, in order. Approvals are requested one at a time before any call runs.

    A call to a tool that is not among those `offered` is refused. Cancelling the awaiting task cancels the calls.
    Raises what `approve` raises.
    """
    results: list[MCPToolResult | None] = []
    for index, call in enumerate(calls):
        refusal = await _refusal(registry, call, index, offered, approve)
        results.append(refusal)
        if refusal is not None and report is not None:
            await report(index, refusal)
    running = asyncio.Semaphore(_CONCURRENCY)

    async def run(index: int, call: MCPToolCall) -> None:
        async with running:
            own = call.model_copy(deep=True)  # a function may modify its arguments, which the conversation keeps
            if report is None:
                results[index] = await registry.acall(own, context=context)
                return
            await report(index, call)
            reports = ProgressReports(partial(report, index))
            result = await registry.acall(own, context=(context or CallContext()).reporting_to(reports.add))
            await reports.wait_until_sent()
            results[index] = result
            await report(index, result)

    async with asyncio.TaskGroup() as group:
        for index, call in enumerate(calls):
            if results[index] is None and isinstance(call, ProviderCall):
                group.create_task(run(index, call.call))
    return [result for result in results if result is not None]


async def _refusal(
    registry: ToolRegistry,
    call: ProviderCall | RefusedCall,
    index: int,
    offered: Collection[str] | None,
    approve: Approve | None,
) -> MCPToolResult | None:
    """Return the result of a call that is not run, or None for one that is."""
    if isinstance(call, RefusedCall):
        return MCPToolResult(status=ResultStatus.FAILURE, error=call.error)
    if index >= MOST_CALLS:
        return failure("ToolExecutionError", f"only the first {MOST_CALLS} calls of one reply are run")
    if offered is not None and call.call.tool_name not in offered:
        return MCPToolResult(status=ResultStatus.FAILURE, error=unknown_tool_error(call.call.tool_name, offered))
    contract = contract_of(registry, call.call.tool_name)
    if approve is None or contract is None:
        return None
    if contract.effects is not None and contract.effects.change in ("read-only", "additive"):
        return None
    asked: Any = approve(PendingCall(contract.name, copy.deepcopy(call.call.arguments), contract))
    allowed = await asked if inspect.isawaitable(asked) else asked
    if not isinstance(allowed, bool):
        raise UsageError(
            f"`approve` returned `{type(allowed).__name__}` for a call to `{contract.name}`",
            hint="return True or False",
        )
    return None if allowed else failure("PermissionError", "the user declined this call; do not repeat it")


def contract_of(registry: ToolRegistry, name: str) -> ToolContract | None:
    """Return the contract of a tool, or None if it has been removed."""
    return registry[name].contract if name in registry else None
