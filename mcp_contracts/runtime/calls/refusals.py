"""Errors for calls that end without a result from their function."""

from __future__ import annotations

from mcp_contracts.messages import MCPErrorDetail
from mcp_contracts.runtime.arguments import detail
from mcp_contracts.runtime.limits import Exceeded


class RefusedError(Exception):
    """Ends a call before its function starts, with this error."""

    def __init__(self, error: MCPErrorDetail) -> None:
        super().__init__(error.error_message)
        self.error = error


def above_limit(exceeded: Exceeded) -> MCPErrorDetail:
    """Return the error for an exceeded rate limit."""
    scope, limit, seconds = exceeded.scope, exceeded.limit, exceeded.retry_after
    whose = {"overall": "of all calls", "tool": "of this tool", "caller": "of this caller"}[scope]
    message = f"the limit {whose} is {limit}: try again in {seconds:g} s"
    return detail("ApiLimitExceeded", message, {"scope": scope, "limit": limit, "retry_after_seconds": seconds})


def limits_unreachable() -> MCPErrorDetail:
    """Return the error for rate limits that cannot be checked; it does not disclose the name of their server."""
    return detail("ToolExecutionError", "the rate limits cannot be checked: try again later")


def cancellation_error() -> MCPErrorDetail:
    """Return the error for a cancelled call."""
    return detail("ToolExecutionError", "the call was cancelled", {"reason": "cancelled"})
