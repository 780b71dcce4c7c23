"""How tools in an older dialect differ from the canonical form, in the words of MC006."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import LISTED_ONLY, SpecFile, SpecTool
from mcp_contracts.faults import FaultKind
from mcp_contracts.rules.informal import states_types
from mcp_contracts.rules.wording import show


def without_types(tools: Sequence[SpecTool], *, has_html: bool) -> tuple[str, str]:
    """Return the message and the hint for an informal file, which may have tables in HTML."""
    hint = "list the parameters of each tool with their types, in a table or a JSON Schema"
    hint += "; tables in HTML are not read" if has_html else ""
    if len(tools) == 1:
        return f"`{show(tools[0].contract.name)}` is read, but no parameter types, so only its name is checked", hint
    if not any(map(states_types, tools)):
        return f"{len(tools)} tools are read, but no parameter types, so only their names are checked", hint
    read = f"{len(tools)} tools are read, but for most of them no parameter types"
    return f"{read}, so only the names of those are checked", hint


def differences(file: SpecFile, tools: Sequence[SpecTool]) -> tuple[str, str]:
    """Return how the tools in an older dialect differ from the canonical form, and the hint."""
    counts = Counter(lack for tool in tools for lack in _lacks(tool))
    shown_outputs = sum(map(_shows_output, tools))
    if shown_outputs:
        counts["an example in place of the output schema"] = shown_outputs
    open_parameters = sum(map(_leaves_required_open, tools))
    if open_parameters:
        counts["no statement of which parameters are required"] = open_parameters
    if len(tools) == 1:
        reasons = ", ".join(counts)
        subject = f"`{show(tools[0].contract.name)}` is in"
    else:
        reasons = ", ".join(
            lack if count == len(tools) else f"{lack} ({count})" for lack, count in counts.most_common()
        )
        others = "" if len(tools) == len(file.tools) else f"{len(file.tools)} tools are read, "
        subject = f"{others}{len(tools)} {'of them' if others else 'tools are read'} in"
    return f"{subject} an older dialect: {reasons}", "convert it with `mcp-contracts migrate`"


def _lacks(tool: SpecTool) -> Iterator[str]:
    """Yield the deviations of a tool in few words. An item, a row or a function in code has no heading at all."""
    lacks = [_LACKS.get(deviation, deviation) for deviation in tool.deviations]
    for lack in lacks:
        if lack != _OTHER_HEADING or not _NO_HEADING.match(tool.heading):
            yield lack
        elif not any(one.startswith("only ") for one in lacks):
            yield "no heading"


_OTHER_HEADING = "no `## Tool:` heading"
_NO_HEADING = re.compile(r"\s*(?:[-*+] |\d+[.)] |\||@|```|~~~|(?:async )?def |\w+\()")


def _leaves_required_open(tool: SpecTool) -> bool:
    """Whether nothing says of any parameter whether it is required."""
    rows = [row for row in tool.input_table.rows if len(row.path) == 1] if tool.input_table is not None else []
    return bool(rows) and all(row.required is None and not row.required_text for row in rows)


def _shows_output(tool: SpecTool) -> bool:
    """Whether an example is given instead of the output schema."""
    return any(fault.kind is FaultKind.EXAMPLE_FOR_SCHEMA and fault.part == "output" for fault in tool.faults)


_LACKS = {
    "the heading is not ``## Tool: `module.tool` ``": _OTHER_HEADING,
    "the name has no module prefix": "no module in the name",
    "it has no version": "no tool version",
    "its sections have other numbers": "other section numbers",
    "it lacks the numbered sections": "none of the eight numbered sections",
    "it has no JSON Schema block in sections 3 and 4": "no JSON Schema",
    LISTED_ONLY: "only listed",
    "it is only listed in a table": "only in a table",
    "it only appears in a code block": "only in a code block",
}
