"""The report formats by name."""

from __future__ import annotations

from importlib import import_module

from mcp_contracts.diagnostics import Report
from mcp_contracts.errors import UsageError
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.visible import without_commands

FORMATS = ("text", "concise", "json", "github", "sarif", "junit")
"""The names of all formats; each is a module beside this one with `render(report, context) -> str`."""


_SAFE = ("json", "sarif", "github")
"""Formats in which no line begins with a text of the checked files; `github` writes commands of its own."""


def render(format_name: str, report: Report, context: RenderContext) -> str:
    """Render a report in a format.

    Every format ends with a newline. A format is imported when it is asked for: `text` does not pay for XML.
    Raises UsageError for a name that is none of `FORMATS`.
    """
    if format_name not in FORMATS:
        raise UsageError(f"unknown format `{format_name}`", hint=f"choose one of {', '.join(FORMATS)}")
    rendered: str = import_module(f"mcp_contracts.reporting.{format_name}").render(report, context)
    return rendered if format_name in _SAFE else without_commands(rendered)
