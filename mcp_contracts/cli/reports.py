"""The options about a report that commands share, and how one is printed and becomes an exit code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from mcp_contracts import __version__
from mcp_contracts.cli.app import EXIT_FINDINGS
from mcp_contracts.cli.options import complain_of_warnings, deliver, has_colors, terminal_width
from mcp_contracts.config import Config
from mcp_contracts.diagnostics import Gate, Severity
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document
from mcp_contracts.reporting.render import FORMATS, render


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What a command line says about the report: its form, where it goes, and what of it fails the run."""

    format_name: str
    output: Path | None
    max_warnings: int | None
    fail_on: str | None
    exit_zero: bool
    quiet: bool
    color: str


_OPTIONS = (
    click.option(
        "--format", "format_name", type=click.Choice(FORMATS), default="text", help="The format of the report."
    ),
    click.option("--output", "-o", type=click.Path(path_type=Path), metavar="FILE", help="Write the report to a file."),
    click.option(
        "--max-warnings", type=click.IntRange(min=0), metavar="N", help="Fail if there are more warnings than this."
    ),
    click.option(
        "--fail-on",
        type=click.Choice([severity.value for severity in Severity]),
        help="Fail on everything of this severity or worse (default: error).",
    ),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings."),
    click.option(
        "--quiet", "-q", is_flag=True, help="Print only what fails the run: errors, unless other options add more."
    ),
    click.option(
        "--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Color the text output."
    ),
)


def report_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options about its report, which it receives as one `report`."""

    @wraps(command)
    def wrapper(**values: Any) -> int:
        report = ReportOptions(**{field.name: values.pop(field.name) for field in fields(ReportOptions)})
        return command(report=report, **values)

    decorated: Callable[..., int] = wrapper
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def print_report(document: Document, context: RenderContext, options: ReportOptions, config: Config) -> int:
    """Print a document or write it to a file, and return the exit code. The configuration says what no option does."""
    fail_on = config.fail_on if options.fail_on is None else Severity(options.fail_on)
    gate = Gate(fail_on, config.max_warnings if options.max_warnings is None else options.max_warnings)
    warnings = document.count(Severity.WARNING)
    context = replace(
        context,
        version=__version__,
        color=options.output is None and has_colors(options.color),
        width=terminal_width(),
        quiet=options.quiet,
        failing=gate.failing(warnings),
    )
    deliver(render(options.format_name, document, context), options.output)
    if options.exit_zero:
        return 0
    if gate.max_warnings is not None and not gate.allows(warnings):
        complain_of_warnings(warnings, gate.max_warnings)
    has_failed = document.has_failed or any(document.count(severity) for severity in context.failing)
    return EXIT_FINDINGS if has_failed else 0
