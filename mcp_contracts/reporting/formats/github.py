"""A report as workflow commands, which GitHub Actions turns into annotations of the changed files.

GitHub shows the first ten errors, warnings and notices of a step as annotations; the others stay in the step's log.
"""

from __future__ import annotations

from mcp_contracts.diagnostics import Severity
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document, Entry
from mcp_contracts.reporting.visible import visible, without_commands

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(document: Document, context: RenderContext) -> str:
    """Render a document as one workflow command for each entry, then the summary as text.

    Suppressed, accepted and harmless entries get no command.
    """
    lines = [
        _command(entry, entry.severity)
        for entry in document.shown(context)
        if entry.severity is not None and entry.suppressed is None
    ]
    footer = [*(document.statistics_lines() if context.statistics else ()), document.summary]
    return "\n".join([*lines, *(without_commands(visible(line)) for line in footer)]) + "\n"


def _command(entry: Entry, severity: Severity) -> str:
    properties: dict[str, object] = {}
    if (place := entry.place) is not None:
        properties |= {"file": place.path, "line": place.line}
        if entry.verdict is None:  # a change is about more than the place where it shows
            properties["endLine"] = place.end_line
            if place.end_line == place.line:  # GitHub rejects columns if the lines differ
                properties |= {"col": place.column, "endColumn": place.end_column}
    properties["title"] = f"{entry.code} {entry.rule}"
    written = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    is_tool_said = entry.verdict is None or entry.tool is None or entry.tool in entry.message
    message = entry.message if is_tool_said else f"{entry.message} ({entry.tool})"
    lines = (message, *entry.detail_lines(), *entry.related_lines())
    return f"::{_COMMANDS[severity]} {written}::{'%0A'.join(map(_data, lines))}"


def _data(text: str) -> str:
    """Escape text as the data of a command. `visible` has already replaced line breaks of the text; ours are `%0A`."""
    return visible(text).replace("%", "%25")


def _property(text: str) -> str:
    """Escape text as the value of a command's property, which may not contain commas and colons."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
