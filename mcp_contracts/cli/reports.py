"""The options about a report that commands share, how a report is printed, and the exit code that results from it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from mcp_contracts.cli.command_line.parameters import EXIT, REPORT, Option
from mcp_contracts.cli.options import complain_of_warnings, deliver, has_colors, is_terminal, terminal_width
from mcp_contracts.cli.output import EXIT_FINDINGS
from mcp_contracts.config import Config
from mcp_contracts.diagnostics import Severity
from mcp_contracts.errors import UsageError
from mcp_contracts.records import dataclass, replace
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document
from mcp_contracts.reporting.render import FORMATS, Format, render
from mcp_contracts.version import __version__


@dataclass(frozen=True, slots=True)
class Gate:
    """What fails a run: a diagnostic of `fail_on` or worse, or more than `max_warnings` warnings."""

    fail_on: Severity = Severity.ERROR
    max_warnings: int | None = None

    def allows(self, warnings: int) -> bool:
        """Whether a run may have a number of warnings."""
        return self.max_warnings is None or warnings <= self.max_warnings

    def failing(self, warnings: int) -> frozenset[Severity]:
        """The severities that fail a run with a number of warnings."""
        severities = tuple(Severity)
        failing = set(severities[: severities.index(self.fail_on) + 1])
        if not self.allows(warnings):
            failing.add(Severity.WARNING)
        return frozenset(failing)


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The options about the report: its format, where it is written, and which findings fail the run.

    `copies` are further formats, each with its file. `is_beside_output` states that standard output contains something
    else, so that the report goes to standard error.
    """

    format_name: str
    output: Path | None
    max_warnings: int | None
    fail_on: str | None
    exit_zero: bool
    quiet: bool
    color: str
    copies: tuple[tuple[str, Path], ...] = ()
    is_beside_output: bool = False


ReportFormat = Annotated[Format, Option("--format", "-f", help="The format of the report.", rich_help_panel=REPORT)]
ReportFile = Annotated[
    Path | None,
    Option("--output", "-o", metavar="FILE", help="Write the report to a file.", rich_help_panel=REPORT),
]
ReportCopies = Annotated[
    list[str] | None,
    Option(
        "--report",
        metavar="FORMAT=FILE",
        help="Also write the report to a file in another format. Can be repeated.",
        rich_help_panel=REPORT,
    ),
]
Quiet = Annotated[
    bool,
    Option(
        "--quiet",
        "-q",
        help="Print only what fails the run: errors, unless other options add more.",
        rich_help_panel=REPORT,
    ),
]
MaxWarnings = Annotated[
    int | None,
    Option(
        "--max-warnings", min=0, metavar="N", help="Fail if there are more warnings than this.", rich_help_panel=EXIT
    ),
]
FailOn = Annotated[
    Literal["error", "warning", "note"] | None,
    Option(
        "--fail-on",
        help="Fail on findings of this severity or worse (default: error).",
        rich_help_panel=EXIT,
    ),
]
ExitZero = Annotated[bool, Option("--exit-zero", help="Exit with 0 even if there are findings.", rich_help_panel=EXIT)]


def read_copies(named: Sequence[str], output: Path | None) -> tuple[tuple[str, Path], ...]:
    """Return the format and the file of each `--report`.

    Raises UsageError for an unknown format, and for a file that is named twice.
    """
    copies = []
    files = set() if output is None else {os.path.abspath(output)}
    for word in named:
        format_name, equals, name = word.partition("=")
        if not equals or not name:
            raise UsageError(
                f"`--report {word}` is not `FORMAT=FILE`", hint="write, for example, `--report sarif=a.sarif`"
            )
        if format_name not in FORMATS:
            raise UsageError(f"`--report {word}`: unknown format", hint=f"choose one of {', '.join(FORMATS)}")
        if os.path.abspath(name) in files:
            raise UsageError(f"`{name}` is used for two reports", hint="write each report to its own file")
        files.add(os.path.abspath(name))
        copies.append((format_name, Path(name)))
    return tuple(copies)


def print_report(
    document: Document, context: RenderContext, options: ReportOptions, config: Config
) -> tuple[int, str | None]:
    """Print a document or write it to a file. The configuration applies where no option is given.

    Returns the exit code, and the text if it is all that was printed, and only to standard output.
    """
    fail_on = config.fail_on if options.fail_on is None else Severity(options.fail_on)
    gate = Gate(fail_on, config.max_warnings if options.max_warnings is None else options.max_warnings)
    warnings = document.count(Severity.WARNING)
    is_plain = options.is_beside_output and options.color == "auto"
    context = replace(
        context,
        version=__version__,
        color=options.output is None and has_colors("never" if is_plain else options.color),
        links_root=Path.cwd() if options.output is None and is_terminal() else None,
        width=terminal_width(),
        quiet=options.quiet,
        failing=gate.failing(warnings),
    )
    plain = replace(context, color=False, links_root=None)
    for format_name, file in options.copies:
        deliver(render(format_name, document, plain), file)
    text = render(options.format_name, document, context)
    deliver(text, options.output, is_error=options.is_beside_output)
    printed = None if options.copies or options.output is not None or options.is_beside_output else text
    if options.exit_zero:
        return 0, printed
    if gate.max_warnings is not None and not gate.allows(warnings):
        complain_of_warnings(warnings, gate.max_warnings)
        printed = None
    has_failed = document.has_failed or any(document.count(severity) for severity in context.failing)
    return (EXIT_FINDINGS if has_failed else 0), printed
