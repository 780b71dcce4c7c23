"""Convert returned values to results that match the output schema, and describe calls that end without one."""

from __future__ import annotations

from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, ResultStatus, json_value, trusted_result
from mcp_contracts.runtime.arguments import detail, result_error
from mcp_contracts.runtime.limits import Exceeded
from mcp_contracts.runtime.outcomes import Answer, NotJsonError, answer_of, as_json, result_data
from mcp_contracts.runtime.telemetry.redaction import secret_pointers
from mcp_contracts.runtime.tools import Handler, Tool
from mcp_contracts.schema.validation.compiled import CompiledSchema
from mcp_contracts.schema.validation.validators import instance_errors


class RefusedError(Exception):
    """Ends a call before its function starts, with this error."""

    def __init__(self, error: MCPErrorDetail) -> None:
        super().__init__(error.error_message)
        self.error = error


def above_limit(exceeded: Exceeded) -> MCPErrorDetail:
    """Return the error for an exceeded rate limit."""
    scope, limit, seconds = exceeded.scope, exceeded.limit, exceeded.retry_after
    whose = {"overall": "for all calls", "tool": "for this tool", "caller": "for this caller"}[scope]
    message = f"the limit {whose} is {limit}: try again in {seconds:g} s"
    return detail("ApiLimitExceeded", message, {"scope": scope, "limit": limit, "retry_after_seconds": seconds})


def limits_unreachable() -> MCPErrorDetail:
    """Return the error for rate limits that cannot be checked; it does not disclose the name of their server."""
    return detail("ToolExecutionError", "the rate limits cannot be checked: try again later")


def cancellation_error() -> MCPErrorDetail:
    """Return the error for a cancelled call."""
    return detail("ToolExecutionError", "the call was cancelled", {"reason": "cancelled"})


def result_of(returned: object, tool: Tool, handler: Handler) -> MCPToolResult:
    """Return the result for any value that a function returned; never raises."""
    # Fast path: most calls return an object of plain JSON that the schema accepts.
    if type(returned) is dict and not handler.wraps_result and tool.is_valid_output(returned):
        return trusted_result(ResultStatus.SUCCESS, returned)
    if handler.is_judged and type(returned) is MCPToolResult:
        return returned
    try:
        answer = answer_of(returned)
        if answer.status is ResultStatus.FAILURE:
            return _without_data(answer)
        value = as_json(answer.value)
        # A message already contains its data, and a `NoChangeNeeded` may have none.
        is_whole = isinstance(returned, MCPToolResult) or (value is None and returned is not None)
        return _check_output(answer, value, tool.output, wraps=handler.wraps_result and not is_whole)
    except NotJsonError as error:
        return failure(
            detail("ToolExecutionError", f"the tool returned a value that JSON cannot represent: {error.fault}")
        )
    except ValueError:  # the function set an invalid status, error or explanation
        return failure(detail("ToolExecutionError", "the tool returned a result that does not follow the protocol"))


def failure(error: MCPErrorDetail) -> MCPToolResult:
    """Return the result of a failed call."""
    return trusted_result(ResultStatus.FAILURE, None, error)


def _check_output(answer: Answer, value: JsonValue, output: CompiledSchema, *, wraps: bool) -> MCPToolResult:
    data = result_data(value, wraps=wraps)
    if data is not None or answer.status is not ResultStatus.NO_CHANGE_NEEDED:
        outcome = instance_errors(output, data, subject="the data")
        # Since MCP 2026-07-28 an output may be any value; the schema then describes the value under `result`.
        is_bare = not wraps and data is not value
        if not outcome.is_valid and not (is_bare and instance_errors(output, value).is_valid):
            return failure(result_error(outcome, output.schema, data, secret=secret_pointers(data, output.schema)))
    if answer.error is None and answer.explanation is None and type(answer.status) is ResultStatus:
        return trusted_result(answer.status, data)
    checked = _without_data(answer)
    return trusted_result(checked.status, data, checked.error, checked.explanation)


def _without_data(answer: Answer) -> MCPToolResult:
    """Return an answer without its data, validated. Raises `ValueError` if it does not follow the protocol.

    A function may change a message after it was validated, or create one without validation.
    """
    if type(answer.status) is not ResultStatus:
        raise ValueError("the status is not a `ResultStatus`")
    error = answer.error
    if isinstance(error, MCPErrorDetail):
        error = MCPErrorDetail.model_validate(error.model_dump(mode="json", warnings="error"))
    result = MCPToolResult(status=answer.status, error=error, explanation=answer.explanation)
    explanation = result.explanation
    return trusted_result(result.status, None, error, None if explanation is None else str(json_value(explanation)))
