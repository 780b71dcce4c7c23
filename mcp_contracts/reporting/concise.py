"""The report at one line a diagnostic, in the form that editors and terminals turn into links."""

from __future__ import annotations

from mcp_contracts.diagnostics import Diagnostic, Report
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.style import paint
from mcp_contracts.reporting.summary import printed, statistics_lines, summary_line
from mcp_contracts.reporting.visible import visible


def render(report: Report, context: RenderContext) -> str:
    """Render a report as lines of `path:line:column: error MC302 message (tool)`, and the summary."""
    lines = [_line(diagnostic, context) for diagnostic in printed(report, context)]
    if context.statistics:
        lines.extend(statistics_lines(report))
    return "\n".join([*lines, summary_line(report)]) + "\n"


def _line(diagnostic: Diagnostic, context: RenderContext) -> str:
    place = f"{visible(diagnostic.place.path)}:{diagnostic.place.line}:{diagnostic.place.column}"
    message = visible(diagnostic.message)
    tool = "" if diagnostic.tool is None else f" ({visible(diagnostic.tool)})"
    severity = diagnostic.severity.value
    if diagnostic.suppressed is not None:
        reason = visible(diagnostic.suppressed)
        line = f"{place}: {severity} {diagnostic.code} {message}{tool} [suppressed: {reason}]"
        return paint(line, "dim", color=context.color)
    return f"{place}: {paint(severity, severity, color=context.color)} {diagnostic.code} {message}{tool}"
