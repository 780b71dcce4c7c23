"""What a function returned, held to the output schema and made a result."""

from __future__ import annotations

from pydantic import ValidationError

from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, ResultStatus, trusted_result
from mcp_contracts.runtime.arguments import result_error
from mcp_contracts.runtime.outcomes import Answer, NotJsonError, answer_of, as_json, result_data
from mcp_contracts.runtime.refusals import detail
from mcp_contracts.runtime.tools import Handler, Tool
from mcp_contracts.schema.validators import Compiled, instance_errors, surely_accepts


def result_of(returned: object, tool: Tool, handler: Handler) -> MCPToolResult:
    """The result of a call whose function returned something, whatever that is; never raises."""
    # What most calls return: an object of plain JSON that the schema accepts.
    if type(returned) is dict and not handler.wraps_result and surely_accepts(tool.output, returned):
        return trusted_result(ResultStatus.SUCCESS, returned)
    if handler.is_judged and type(returned) is MCPToolResult:
        return returned
    try:
        answer = answer_of(returned)
        if answer.status is ResultStatus.FAILURE:
            return MCPToolResult(status=answer.status, error=answer.error, explanation=answer.explanation)
        value = as_json(answer.value)
        # A message holds its data already, and a `NoChangeNeeded` without data has none.
        is_whole = isinstance(returned, MCPToolResult) or (value is None and returned is not None)
        return _held(answer, value, tool.output, wraps=handler.wraps_result and not is_whole)
    except NotJsonError as error:
        return failure(detail("ToolExecutionError", f"the tool returned what JSON cannot hold: {error}"))
    except ValidationError:  # a status, an error or an explanation of the function's own that is not one
        return failure(detail("ToolExecutionError", "the tool returned a result that does not follow the protocol"))


def failure(error: MCPErrorDetail) -> MCPToolResult:
    """The result of a call that failed."""
    return trusted_result(ResultStatus.FAILURE, None, error)


def _held(answer: Answer, value: JsonValue, output: Compiled, *, wraps: bool) -> MCPToolResult:
    data = result_data(value, wraps=wraps)
    if data is not None or answer.status is not ResultStatus.NO_CHANGE_NEEDED:
        outcome = instance_errors(output, data, subject="the data")
        # MCP lets an output be anything since 2026-07-28: then the schema speaks of what stands under `result`.
        is_bare = not wraps and data is not value
        if not outcome.is_valid and not (is_bare and instance_errors(output, value).is_valid):
            return failure(result_error(outcome, output.schema))
    if answer.error is None and answer.explanation is None:
        return trusted_result(answer.status, data)
    result = MCPToolResult(status=answer.status, error=answer.error, explanation=answer.explanation)
    return trusted_result(answer.status, data, result.error, result.explanation)
