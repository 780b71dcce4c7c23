"""The diff report as workflow commands, which GitHub Actions turns into annotations of the changed files."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.change import Change, DiffReport, ToolDiff
from mcp_contracts.diagnostics import Report, Severity
from mcp_contracts.reporting import github
from mcp_contracts.reporting.changes.context import DiffContext
from mcp_contracts.reporting.changes.summary import (
    Standing,
    detail_lines,
    place_of,
    printed,
    printed_diagnostics,
    ranked,
    severity_of,
    summary_line,
)
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.visible import visible, without_commands

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: DiffReport, context: DiffContext) -> str:
    """Render a diff report as one workflow command for each change that breaks or is not decided, then what the
    sources say, and the summary as text. Accepted and compatible changes get no annotation.
    """
    lines = [
        _command(tool, change, stands, severity)
        for tool in ranked(report)
        for stands, change in printed(tool, context)
        if (severity := severity_of(change, stands, context)) is not None and change.accepted is None
    ]
    diagnostics = Report(printed_diagnostics(report, context))
    lines += github.render(diagnostics, RenderContext()).split("\n")[:-2]  # without its summary
    return "\n".join([*lines, without_commands(visible(summary_line(report, context)))]) + "\n"


def _command(tool: ToolDiff, change: Change, stands: Standing, severity: Severity) -> str:
    properties = {"title": f"{change.code} {change.rule}"}
    if (place := place_of(tool, change)) is not None:
        properties = {"file": place.path, "line": str(place.line), **properties}
    written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[severity]} {written}::{'%0A'.join(_message(tool, change, stands))}"


def _message(tool: ToolDiff, change: Change, stands: Standing) -> Iterator[str]:
    name = "" if tool.tool in change.message else f" ({tool.tool})"
    yield _data(f"{change.message}{name}")
    yield from map(_data, detail_lines(tool, change, stands))


def _data(text: str) -> str:
    """Text as the data of a command. Line breaks are written out by `visible` already; our own are `%0A`."""
    return visible(text).replace("%", "%25")


def _property(text: str) -> str:
    """Text as the value of a command's property, which a comma or a colon would end."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
