"""Rules that check the answers of a live server against its contracts (MC8); `verify` runs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mcp_contracts import lazy_re as re
from mcp_contracts.diagnostics import Finding, Severity
from mcp_contracts.rules.base import Rule, rule
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.wording import shown_value

if TYPE_CHECKING:
    # Only `verify` needs them.
    from mcp_contracts.rules.live.observed import LiveTool, ObservedCall

_MAXIMUM_CALL = 300  # characters
_MAXIMUM_MESSAGE = 200
_OF_THE_SERVER = frozenset(("TimeoutError", "ApiLimitExceeded", "AuthenticationError", "PermissionError"))
"""Error types that a server may return before a tool runs, even if its contract does not list them."""
_NAMED_TYPE = re.compile(
    r"^\W*(?P<name>[A-Z][A-Za-z0-9]*(?:Error|Exception|Failure|Exceeded|NotFound)\b|(?:[A-Z][a-z0-9]+){2,}(?=: ))"
)


@rule("MC813", Severity.ERROR, since="0.2.0")
def invalid_call_accepted(tool: LiveTool) -> Iterator[Finding]:
    """A server accepts arguments that the contract rejects.

    What a tool does with arguments that it does not expect is undefined: it may ignore a misspelled filter and delete
    everything. MCP asks servers to validate all inputs, and to respond with `isError` (since 2025-11-25) or with the
    JSON-RPC error -32602.
    """
    for call in tool.calls:
        if not call.is_valid and call.answer.outcome == "success":
            yield _finding(tool, call, "the server accepts a call that the contract rejects")


@rule("MC814", Severity.ERROR, since="0.2.0")
def valid_call_refused(tool: LiveTool) -> Iterator[Finding]:
    """A server rejects arguments that the contract accepts.

    Callers that follow the contract fail. Either the server checks more than its contract says, or the contract belongs
    to a different release.
    """
    for call in tool.calls:
        if call.is_valid and call.answer.outcome == "refused":
            yield _finding(
                tool, call, f"the server rejects a valid call: {show(call.answer.message, limit=_MAXIMUM_MESSAGE)}"
            )


@rule("MC815", Severity.ERROR, since="0.2.0")
def undeclared_error(tool: LiveTool) -> Iterator[Finding]:
    """A tool fails with an error type that its contract does not list.

    Callers handle the errors that the contract lists, and treat any other as a bug. The type is known if the server
    states it in the form of this protocol, or if its text begins with it, as in `DiskFull: no space left`. Errors of
    the server itself (TimeoutError, ApiLimitExceeded, AuthenticationError, PermissionError) need not be listed. The
    rule does not apply to contracts without a list of errors.
    """
    declared = {error.name for error in tool.contract.errors}
    for call in tool.calls:
        name = error_type_of(call)
        known = declared | _OF_THE_SERVER
        if declared and call.is_valid and name is not None and name not in known | _words_of(tool):
            yield _finding(tool, call, f"the tool fails with `{show(name)}`, which its contract does not list")


@rule("MC816", Severity.ERROR, since="0.2.0")
def served_result_refused(tool: LiveTool) -> Iterator[Finding]:
    """A tool returns a result that the output schema of its contract rejects.

    Consumers that read the result as the contract describes it fail, and clients that validate results reject it.
    """
    output = tool.contract.output
    if output is None:
        return
    from mcp_contracts.schema.validation.validators import compile_shared, instance_errors  # only `verify` needs them

    compiled = compile_shared(output.value)
    for call in tool.calls:
        answer = call.answer
        if answer.outcome != "success" or not call.is_valid:
            continue
        if not answer.has_data:
            if answer.needs_data and tool.listed.output is not None:
                yield _finding(
                    tool, call, "the tool returns no structured content, although its contract has an output schema"
                )
            continue
        outcome = instance_errors(compiled, answer.data, subject="the result")
        if outcome.errors:
            error = outcome.errors[0]
            yield _finding(tool, call, f"the tool returns a result that its contract rejects: {error.message}")


@rule("MC817", Severity.ERROR, since="0.2.0")
def call_without_answer(tool: LiveTool) -> Iterator[Finding]:
    """A call terminates the server, gets no response, or gets an internal error.

    Callers cannot tell what happened or whether the call may be repeated. A tool that fails must respond with `isError`
    and say why; the JSON-RPC error -32603 only says that the server is broken.
    """
    for call in tool.calls:
        if call.answer.outcome in ("none", "protocol-error"):
            yield _finding(
                tool,
                call,
                f"a call gets no result: {show(call.answer.message, limit=_MAXIMUM_MESSAGE)}",
            )


ANSWER_RULES: Sequence[Rule] = (
    invalid_call_accepted,
    valid_call_refused,
    undeclared_error,
    served_result_refused,
    call_without_answer,
)
"""The rules that check each call on its own."""


def error_type_of(call: ObservedCall) -> str | None:
    """Return the error type of a failed call, if the server states it."""
    if call.answer.outcome != "failure":
        return None
    if call.answer.error_type is not None:
        return call.answer.error_type
    named = _NAMED_TYPE.match(call.answer.message)
    return None if named is None else named["name"]


def _words_of(tool: LiveTool) -> frozenset[str]:
    """Return the words that describe a tool. A name such as `GitHub` among them is not an error type."""
    return frozenset(re.compile(r"\w+").findall(tool.contract.description))


def _finding(tool: LiveTool, call: ObservedCall, message: str) -> Finding:
    name = show(tool.listed.name)
    return Finding(
        message, f"the call: `{name}` with {shown_value(call.arguments, limit=_MAXIMUM_CALL)}", tool.contract.place
    )
