"""The report as workflow commands, which GitHub Actions turns into annotations of the changed files.

GitHub shows the first ten errors, warnings and notices of a step as annotations; the others stay in the step's log.
"""

from __future__ import annotations

from mcp_contracts.diagnostics import Diagnostic, Report, Severity
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.summary import detail_lines, printed, statistics_lines, summary_line
from mcp_contracts.reporting.visible import visible, without_commands

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report, context: RenderContext) -> str:
    """Render a report as one workflow command a diagnostic, none for what is suppressed, and the summary as text."""
    lines = [_command(diagnostic) for diagnostic in printed(report, context) if diagnostic.suppressed is None]
    told = [*(statistics_lines(report) if context.statistics else ()), summary_line(report)]
    return "\n".join([*lines, *map(without_commands, told)]) + "\n"


def _command(diagnostic: Diagnostic) -> str:
    place = diagnostic.place
    properties: dict[str, object] = {"file": place.path, "line": place.line, "endLine": place.end_line}
    if place.end_line == place.line:  # GitHub refuses columns where the lines differ
        properties |= {"col": place.column, "endColumn": place.end_column}
    properties["title"] = f"{diagnostic.code} {diagnostic.rule}"
    written = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    message = "%0A".join(_data(line) for line in (diagnostic.message, *detail_lines(diagnostic)))
    return f"::{_COMMANDS[diagnostic.severity]} {written}::{message}"


def _data(text: str) -> str:
    """Text as the data of a command. Line breaks are written out by `visible` already; our own are `%0A`."""
    return visible(text).replace("%", "%25")


def _property(text: str) -> str:
    """Text as the value of a command's property, which a comma or a colon would end."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
