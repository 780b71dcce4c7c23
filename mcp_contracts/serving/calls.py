"""Calls that a server receives: limited, counted while they run, and handled by its registry."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, ResultStatus
from mcp_contracts.records import replace
from mcp_contracts.runtime.calls.answers import above_limit, limits_unreachable
from mcp_contracts.runtime.context import CallContext
from mcp_contracts.runtime.limits import LimitsUnreachableError, RateLimits
from mcp_contracts.serving.catalog import Catalog


class ServedCalls:
    """Answers the calls of all transports of a server.

    `rates` apply to every call, even with invalid arguments. `deadline` in seconds applies unless a tool has a shorter
    one.
    """

    def __init__(self, catalog: Catalog, *, rates: RateLimits | None = None, deadline: float | None = None) -> None:
        self.catalog = catalog
        self._rates = rates
        self._deadline = deadline

    async def answer(
        self, name: str, arguments: Mapping[str, JsonValue], context: CallContext, *, version: str | None = None
    ) -> MCPToolResult:
        """Call a tool by its dotted name. Raises only `CancelledError`."""
        if self._rates is not None:
            refusal = await _refusal(self._rates, name, context.caller)
            if refusal is not None:
                return MCPToolResult(status=ResultStatus.FAILURE, error=refusal)
        if self._deadline is not None:
            context = replace(context, deadline=self._deadline)
        call = {"tool_name": name, "arguments": arguments}
        return await self.catalog.registry.acall(call, version=version, context=context)


async def _refusal(rates: RateLimits, name: str, caller: str | None) -> MCPErrorDetail | None:
    try:
        exceeded = await asyncio.to_thread(rates.take, name, caller) if rates.is_blocking else rates.take(name, caller)
    except LimitsUnreachableError:
        return limits_unreachable()
    return None if exceeded is None else above_limit(exceeded)
