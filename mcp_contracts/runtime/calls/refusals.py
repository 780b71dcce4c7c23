"""Errors for calls that end without a result from their function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from mcp_contracts.messages import MCPErrorDetail

_MOST_FAULTS = 20


class RefusedError(Exception):
    """Ends a call before its function starts, with this error."""

    def __init__(self, error: MCPErrorDetail) -> None:
        super().__init__(error.error_message)
        self.error = error


def detail(error_type: str, message: str, details: dict[str, Any] | None = None) -> MCPErrorDetail:
    """Create an error."""
    return MCPErrorDetail(error_type=error_type, error_message=message, error_details=details)


def above_limit(scope: Literal["overall", "tool", "caller"], limit: str, retry_after: float) -> MCPErrorDetail:
    """Return the error for an exceeded rate limit; the next call is allowed in `retry_after` seconds."""
    whose = {"overall": "of all calls", "tool": "of this tool", "caller": "of this caller"}[scope]
    message = f"the limit {whose} is {limit}: try again in {retry_after:g} s"
    return detail("ApiLimitExceeded", message, {"scope": scope, "limit": limit, "retry_after_seconds": retry_after})


def limits_unreachable() -> MCPErrorDetail:
    """Return the error for rate limits that cannot be checked; it does not disclose the name of their server."""
    return detail("ToolExecutionError", "the rate limits cannot be checked: try again later")


def unfit_arguments(faults: Sequence[tuple[str, str]]) -> MCPErrorDetail:
    """Return the error for arguments that the schema accepts but the function's types reject."""
    pointer, message = faults[0]
    rest = len(faults) - 1
    more = f", and {rest} more error{'' if rest == 1 else 's'}" if rest else ""
    shown = [{"pointer": pointer, "message": message} for pointer, message in faults[:_MOST_FAULTS]]
    return detail(
        "ValidationError",
        f"the tool does not take these arguments: `{pointer}` {message}{more}",
        {"faults": shown, "more": len(faults) - len(shown)},
    )


def deadline_error(seconds: float) -> MCPErrorDetail:
    """Return the error for a passed deadline."""
    message = f"the call did not finish within {seconds:g} s"
    return detail("TimeoutError", message, {"deadline_seconds": round(seconds, 3)})


def without_worker(why: str) -> MCPErrorDetail:
    """Return the error for the case that abandoned or deeply nested calls occupy all threads or loops."""
    return detail("ToolExecutionError", f"the call cannot be run now: {why}", {"reason": "no-worker"})


def waits_for_itself() -> MCPErrorDetail:
    """Return the error for a blocking call on the event loop that the tool itself needs."""
    message = "a blocking call would stop the event loop that answers it: use `acall`"
    return detail("ToolExecutionError", message)


def cancellation_error() -> MCPErrorDetail:
    """Return the error for a cancelled call."""
    return detail("ToolExecutionError", "the call was cancelled", {"reason": "cancelled"})
