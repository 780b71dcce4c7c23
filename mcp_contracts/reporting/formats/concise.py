"""A report with one line for each entry, in the form that editors and terminals turn into links."""

from __future__ import annotations

from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document, Entry
from mcp_contracts.reporting.finish import finish
from mcp_contracts.reporting.layout import paint
from mcp_contracts.reporting.visible import visible


def render(document: Document, context: RenderContext) -> str:
    """Render a document as lines of `path:line:column: error MC302 message (tool)`, and the summary."""
    lines = [_line(entry, context) for entry in document.shown(context)]
    if context.statistics:
        lines.extend(document.statistics_lines())
    return finish("\n".join([*lines, visible(document.summary)]) + "\n", color=context.color)


def _line(entry: Entry, context: RenderContext) -> str:
    place = "" if entry.place is None else f"{visible(entry.place.path)}:{entry.place.line}:{entry.place.column}: "
    tool = "" if entry.tool is None else f" ({visible(entry.tool)})"
    said = f"{entry.code} {visible(entry.message)}{tool}"
    if entry.suppressed is not None:
        how = "suppressed" if entry.verdict is None else "accepted"
        return paint(f"{place}{entry.label} {said} [{how}: {visible(entry.suppressed)}]", "dim", color=context.color)
    label = entry.label if entry.severity is None else paint(entry.label, entry.severity.value, color=context.color)
    return f"{place}{label} {said}"
