"""The kinds of changes in words, singular and plural, for counts."""

from __future__ import annotations

from mcp_contracts.reporting.document import pluralize

KINDS: dict[str, tuple[str, str]] = {
    "BC101": ("removed tool", "removed tools"),
    "BC102": ("new tool", "new tools"),
    "BC103": ("renamed tool", "renamed tools"),
    "BC104": ("removed tool", "removed tools"),
    "BC105": ("newly deprecated tool", "newly deprecated tools"),
    "BC106": ("changed status", "changed statuses"),
    "BC107": ("lost guarantee", "lost guarantees"),
    "BC108": ("new guarantee", "new guarantees"),
    "BC109": ("new error type", "new error types"),
    "BC110": ("removed error type", "removed error types"),
    "BC111": ("changed description", "changed descriptions"),
    "BC112": ("change in how agents choose the tool", "changes in how agents choose the tools"),
    "BC113": ("unreadable tool", "unreadable tools"),
    "BC114": ("change in how the tool can be called", "changes in how the tools can be called"),
    "BC201": ("new required parameter", "new required parameters"),
    "BC202": ("removed parameter", "removed parameters"),
    "BC203": ("new optional parameter", "new optional parameters"),
    "BC204": ("parameter that became optional", "parameters that became optional"),
    "BC205": ("changed parameter type", "changed parameter types"),
    "BC206": ("changed list of parameter values", "changed lists of parameter values"),
    "BC207": ("changed limit of a number parameter", "changed limits of number parameters"),
    "BC208": ("changed length limit of a parameter", "changed length limits of parameters"),
    "BC209": ("changed parameter pattern", "changed parameter patterns"),
    "BC210": ("changed parameter format", "changed parameter formats"),
    "BC211": ("changed array parameter", "changed array parameters"),
    "BC212": ("changed size limit of a parameter", "changed size limits of parameters"),
    "BC213": ("changed rule for additional parameter names", "changed rules for additional parameter names"),
    "BC214": ("parameter object opened or closed", "parameter objects opened or closed"),
    "BC215": ("changed alternative of a parameter", "changed alternatives of parameters"),
    "BC216": ("changed condition between parameters", "changed conditions between parameters"),
    "BC217": ("rewritten parameter schema", "rewritten parameter schemas"),
    "BC218": ("changed parameter default", "changed parameter defaults"),
    "BC219": ("changed parameter annotation", "changed parameter annotations"),
    "BC220": ("reworded parameter", "reworded parameters"),
    "BC221": ("moved parameter declaration", "moved parameter declarations"),
    "BC222": ("emptied input schema", "emptied input schemas"),
    "BC230": ("narrowed input", "narrowed inputs"),
    "BC231": ("input that could not be compared", "inputs that could not be compared"),
    "BC301": ("result field that became required", "result fields that became required"),
    "BC302": ("removed result field", "removed result fields"),
    "BC303": ("new result field", "new result fields"),
    "BC304": ("result field that became optional", "result fields that became optional"),
    "BC305": ("changed result type", "changed result types"),
    "BC306": ("changed list of result values", "changed lists of result values"),
    "BC307": ("changed limit of a number in results", "changed limits of numbers in results"),
    "BC308": ("changed length limit in results", "changed length limits in results"),
    "BC309": ("changed pattern in results", "changed patterns in results"),
    "BC310": ("changed format in results", "changed formats in results"),
    "BC311": ("changed array in results", "changed arrays in results"),
    "BC312": ("changed size limit in results", "changed size limits in results"),
    "BC313": ("changed rule for additional field names", "changed rules for additional field names"),
    "BC314": ("result object opened or closed", "result objects opened or closed"),
    "BC315": ("changed alternative in results", "changed alternatives in results"),
    "BC316": ("changed condition between result fields", "changed conditions between result fields"),
    "BC317": ("rewritten result schema", "rewritten result schemas"),
    "BC318": ("changed result default", "changed result defaults"),
    "BC319": ("changed result annotation", "changed result annotations"),
    "BC320": ("reworded result field", "reworded result fields"),
    "BC321": ("moved field declaration", "moved field declarations"),
    "BC322": ("removed output schema", "removed output schemas"),
    "BC330": ("widened result", "widened results"),
    "BC331": ("result that could not be compared", "results that could not be compared"),
}


def counted_kind(code: str, count: int) -> str:
    """Return the count of a kind of changes, as `12 new optional parameters`."""
    if code not in KINDS:
        return pluralize(count, f"{code} change")
    one, many = KINDS[code]
    return f"{count:,} {one if count == 1 else many}"
