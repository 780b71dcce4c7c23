"""Rules that check the tools that a live server lists against its contracts (MC8); `verify` runs them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_contracts.diagnostics import Finding, Part, Severity
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.wording import nearest, show
from mcp_contracts.schema.wording import shown_value

if TYPE_CHECKING:
    # Only `verify` needs them.
    from mcp_contracts.change import Change
    from mcp_contracts.contract import ToolContract
    from mcp_contracts.rules.live.observed import LiveContracts, LiveTool

_MAXIMUM_CALL = 200  # characters of a call in a hint


@rule("MC801", Severity.ERROR, since="0.2.0")
def tool_not_served(live: LiveContracts) -> Iterator[Finding]:
    """A server does not list a tool that has a contract.

    Agents that were given the contract call a tool that does not exist. A server may list a tool under the last part of
    its name (`get_forecast` for `weather.get_forecast`), or with other characters between the parts. Some servers list
    a tool only to callers with certain permissions. Run `verify` with a token that has them.
    """
    names = [tool.name for tool in live.extra]
    for contract in live.missing:
        near = nearest(contract.name.rpartition(".")[2], names)
        hint = "serve it, or remove its contract" if near is None else f"did you mean `{show(near)}`?"
        yield Finding(f"the server does not list `{show(contract.name)}`", hint, contract.place)


@rule("MC802", Severity.WARNING, since="0.2.0")
def served_tool_undeclared(live: LiveContracts) -> Iterator[Finding]:
    """A server lists a tool that has no contract.

    Agents see the tool and call it, although nobody has reviewed its schemas or its safety.
    """
    for tool in live.extra:
        hint = "write its contract, pass the specification that contains it, or stop serving it"
        yield Finding(f"the server lists `{show(tool.name)}`, which has no contract", hint, tool.place)


@rule("MC803", Severity.ERROR, since="0.2.0")
def served_input_too_narrow(tool: LiveTool) -> Iterator[Finding]:
    """A server's input schema rejects calls that the contract allows.

    Clients validate arguments against the schema that the server lists, so a call that follows the contract fails. A
    server may accept more than the contract, but not less. The hint shows such a call.
    """
    yield from _report_break(tool, "input", "the server accepts less", "this call follows the contract but is rejected")


@rule("MC804", Severity.ERROR, since="0.2.0")
def served_output_too_wide(tool: LiveTool) -> Iterator[Finding]:
    """A server's output schema allows results that the contract rules out.

    Consumers that read results as the contract describes them fail on such a result. A server may return less than the
    contract allows, but not more. The hint shows such a result.
    """
    if tool.listed.output is not None:
        yield from _report_break(
            tool, "output", "the server returns more", "the server may return this, which the contract does not allow"
        )


@rule("MC805", Severity.WARNING, since="0.2.0")
def output_schema_not_served(tool: LiveTool) -> Iterator[Finding]:
    """A server declares no output schema for a tool whose contract has one.

    Clients then validate nothing, and a model does not know what the tool returns before it calls it. A contract whose
    output schema allows everything (`{}`) does not require one.
    """
    output = tool.contract.output
    if output is not None and output.value not in ({}, True) and tool.listed.output is None:
        message = "the server declares no output schema, but the contract has one"
        yield Finding(message, "serve `outputSchema`, and return structured content", part="output", pointer="")


@rule("MC806", Severity.WARNING, since="0.2.0")
def served_schema_not_comparable(tool: LiveTool) -> Iterator[Finding]:
    """The comparison cannot decide whether a server's schema fits the contract.

    A keyword that the comparison does not support, or a very large schema, prevented a proof. Review the two schemas by
    hand.
    """
    for change in tool.changes:
        if change.verdict == "unknown" and change.direction != "tool":
            part: Part = "input" if change.direction == "input" else "output"
            reason = "" if change.reason is None else f": {change.reason.message or change.reason.keyword}"
            yield Finding(
                f"the server's {part} schema differs, and it is unknown whether it is compatible{reason}",
                f"compare it by hand: {change.message}",
                part=part,
                pointer=change.old_pointer or "",
            )


@rule("MC807", Severity.WARNING, since="0.2.0")
def guarantee_not_served(tool: LiveTool) -> Iterator[Finding]:
    """A server's annotations do not declare a guarantee of the contract.

    The contract says that the tool is read-only, additive, closed-world or idempotent. Without the annotation, clients
    assume the opposite: that the tool is destructive, open-world, and not safe to repeat. They ask the user before each
    call.
    """
    lost = [word for word in _guarantees(tool.contract) if word not in _find_promises(tool.listed)]
    if lost:
        listed = " and ".join(f"`{word}`" for word in lost)
        hint = "serve the annotations of the contract, or fix the contract"
        yield Finding(f"the server's annotations do not declare {listed}", hint, tool.contract.place_of("effects"))


@rule("MC808", Severity.WARNING, since="0.2.0")
def served_version_differs(tool: LiveTool) -> Iterator[Finding]:
    """A server reports a different version of a tool than the contract.

    Either the server is not the release that the contract describes, or one of the two was not updated.
    """
    stated, served = tool.contract.version, tool.listed.version
    if stated is not None and served is not None and stated != served:
        message = f"the server reports version `{show(served)}`, but the contract has version `{show(stated)}`"
        yield Finding(message, "deploy the release that the contract describes", tool.contract.place_of("version"))


@rule("MC809", Severity.WARNING, since="0.2.0")
def served_description_differs(tool: LiveTool) -> Iterator[Finding]:
    """A server describes a tool differently from the contract.

    A model chooses tools by their descriptions, so a different description leads to different calls, and only the
    contract was reviewed. Differences in whitespace are ignored.
    """
    stated, served = (" ".join(one.description.split()) for one in (tool.contract, tool.listed))
    if stated == served:
        return
    message = "the server provides no description" if not served else f"the server's description is `{show(served)}`"
    yield Finding(
        message, "serve the description of the contract, or fix the contract", tool.contract.place_of("description")
    )


@rule("MC810", Severity.WARNING, since="0.2.0")
def unstable_tool_list(live: LiveContracts) -> Iterator[Finding]:
    """A server lists its tools in a different order each time.

    MCP asks for a stable order, because clients cache prompts that contain the tools. If the order changes, the cached
    prompt no longer matches, and each call costs more.
    """
    if live.second_list and live.first_list != live.second_list:
        is_order = sorted(live.first_list) == sorted(live.second_list)
        differs = "in a different order" if is_order else "with other tools"
        hint = (
            "sort the tools by name before they are listed" if is_order else "find out why tools appear and disappear"
        )
        yield Finding(f"the server lists its tools {differs} when it is queried again", hint, live.place)


@rule("MC811", Severity.ERROR, since="0.2.0")
def unknown_tool_accepted(live: LiveContracts) -> Iterator[Finding]:
    """A server does not respond to a call to an unknown tool with an error.

    An agent that misspells a name mistakes the response for a result. MCP asks for a JSON-RPC error with the code
    -32602; a result with `isError` is accepted too.
    """
    answer = live.unknown_tool
    if answer is not None and answer.outcome in ("success", "none"):
        message = (
            "the server returns a result for a call to an unknown tool"
            if answer.outcome == "success"
            else f"the server does not respond to a call to an unknown tool: {answer.message}"
        )
        yield Finding(message, "respond with the JSON-RPC error -32602 and the name of the tool", live.place)


@rule("MC812", Severity.WARNING, since="0.2.0")
def stray_output(live: LiveContracts) -> Iterator[Finding]:
    """A server writes something other than messages to its standard output.

    Over stdio, standard output may only contain JSON-RPC messages. Some clients close the connection; others log each
    such line.
    """
    if live.stray_line is not None:
        message = f"the server writes `{show(live.stray_line)}` to its standard output"
        yield Finding(message, "write logs to standard error", live.place)


def _report_break(tool: LiveTool, part: Part, what: str, witness: str) -> Iterator[Finding]:
    for change in tool.changes:
        if change.direction == part and change.verdict == "breaking":
            yield Finding(
                f"{what}: {change.message}",
                _hint(change, witness),
                part=part,
                pointer=change.old_pointer or "",
            )


def _hint(change: Change, witness: str) -> str:
    if change.witness is None:
        return "serve what the contract declares, or release a contract without it"
    return f"{witness}: {shown_value(change.witness.value, limit=_MAXIMUM_CALL)}"


def _guarantees(tool: ToolContract) -> Iterator[str]:
    """Return the promises of a contract that an annotation can state."""
    if tool.effects is not None and tool.effects.change in ("read-only", "additive"):
        yield tool.effects.change
    if tool.effects is not None and tool.effects.world == "closed-world":
        yield tool.effects.world
    if tool.idempotent == "yes":
        yield "idempotent"


def _find_promises(tool: ToolContract) -> frozenset[str]:
    """Return what the annotations of a tool promise; a read-only tool is also additive and idempotent."""
    stated = frozenset(_guarantees(tool))
    return stated | {"additive", "idempotent"} if "read-only" in stated else stated
