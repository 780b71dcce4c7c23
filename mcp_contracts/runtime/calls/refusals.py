"""What a caller is told where a call ends without an answer of its function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from mcp_contracts.messages import MCPErrorDetail

_MOST_FAULTS = 20


class RefusedError(Exception):
    """A call ends before its function begins, with this error."""

    def __init__(self, error: MCPErrorDetail) -> None:
        super().__init__(error.error_message)
        self.error = error


def detail(error_type: str, message: str, details: dict[str, Any] | None = None) -> MCPErrorDetail:
    """An error in our own words."""
    return MCPErrorDetail(error_type=error_type, error_message=message, error_details=details)


def above_limit(scope: Literal["overall", "tool", "caller"], limit: str, retry_after: float) -> MCPErrorDetail:
    """A rate is exceeded; one more call passes in `retry_after` seconds."""
    whose = {"overall": "of all calls", "tool": "of this tool", "caller": "of this caller"}[scope]
    message = f"the limit {whose} is {limit}: try again in {retry_after:g} s"
    return detail("ApiLimitExceeded", message, {"scope": scope, "limit": limit, "retry_after_seconds": retry_after})


def limits_unreachable() -> MCPErrorDetail:
    """The rates could not be looked up; which server holds them is nobody's business outside."""
    return detail("ToolExecutionError", "the rate limits cannot be checked: try again later")


def unfit_arguments(faults: Sequence[tuple[str, str]]) -> MCPErrorDetail:
    """What the types of a function have against arguments that the schema let pass: pointers and messages."""
    pointer, message = faults[0]
    rest = len(faults) - 1
    more = f", and {rest} more fault{'' if rest == 1 else 's'}" if rest else ""
    shown = [{"pointer": pointer, "message": message} for pointer, message in faults[:_MOST_FAULTS]]
    return detail(
        "ValidationError",
        f"the tool does not take these arguments: `{pointer}` {message}{more}",
        {"faults": shown, "more": len(faults) - len(shown)},
    )


def late(seconds: float) -> MCPErrorDetail:
    """A deadline has passed."""
    message = f"the call did not end within {seconds:g} s"
    return detail("TimeoutError", message, {"deadline_seconds": round(seconds, 3)})


def without_worker(why: str) -> MCPErrorDetail:
    """No thread or loop is left: calls past their deadline hold them, or calls are nested too deep."""
    return detail("ToolExecutionError", f"the call cannot be run now: {why}", {"reason": "no-worker"})


def waits_for_itself() -> MCPErrorDetail:
    """A blocking call on the event loop that its answer would have to come over."""
    message = "this tool answers over the event loop of this thread, which cannot wait for it: use `acall`"
    return detail("ToolExecutionError", message)


def cancelled() -> MCPErrorDetail:
    """Somebody cancelled the call."""
    return detail("ToolExecutionError", "the call was cancelled", {"reason": "cancelled"})
