"""The options about a report that commands share, how a report is printed, and its exit code."""

# Annotations are evaluated here, where they are compiled, and not when a command line is read.
import os
from pathlib import Path
from typing import Annotated, Literal

from mcp_contracts.cli.command_line.parameters import EXIT, REPORT, Option
from mcp_contracts.cli.options import (
    ColorOption,
    complain_of_warnings,
    deliver,
    has_colors,
    is_terminal,
    terminal_width,
)
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
    """The conditions that fail a run: a diagnostic of severity `fail_on` or worse, or too many warnings."""

    fail_on: Severity = Severity.ERROR
    max_warnings: int | None = None

    def allows(self, warnings: int) -> bool:
        """Whether the gate permits a number of warnings."""
        return self.max_warnings is None or warnings <= self.max_warnings

    def failing(self, warnings: int) -> frozenset[Severity]:
        """Return the severities that fail a run with a number of warnings."""
        severities = tuple(Severity)
        failing = set(severities[: severities.index(self.fail_on) + 1])
        if not self.allows(warnings):
            failing.add(Severity.WARNING)
        return frozenset(failing)


MaxWarnings = Annotated[int | None, Option("--max-warnings N", "Fail if there are more than N warnings.", EXIT, min=0)]


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The options about a report: its formats, and where it is written."""

    format_name: Annotated[Format, Option("--format -f", "The format of the report.", REPORT)] = "text"
    output: Annotated[Path | None, Option("--output -o FILE", "Write the report to a file.", REPORT)] = None
    copies: Annotated[
        list[str] | None,
        Option("--report FORMAT=FILE", "Also write the report to a file in another format. Can be repeated.", REPORT),
    ] = None
    quiet: Annotated[bool, Option("--quiet -q", "Print only what fails the run (by default, errors).", REPORT)] = False
    color: ColorOption = "auto"
    no_color: Annotated[bool, Option("--no-color", "The same as `--color never`.", REPORT)] = False

    def read_copies(self) -> tuple[tuple[str, Path], ...]:
        """Return the format and the file of each `--report`.

        Raises UsageError for an unknown format, and for a file that is named twice.
        """
        copies = []
        files = set() if self.output is None else {os.path.abspath(self.output)}
        for word in self.copies or ():
            format_name, equals, name = word.partition("=")
            if not equals or not name:
                hint = "write, for example, `--report sarif=a.sarif`"
                raise UsageError(f"`--report {word}` is not `FORMAT=FILE`", hint=hint)
            if format_name not in FORMATS:
                raise UsageError(f"`--report {word}`: unknown format", hint=f"choose one of {', '.join(FORMATS)}")
            if os.path.abspath(name) in files:
                raise UsageError(f"`{name}` is used for two reports", hint="write each report to its own file")
            files.add(os.path.abspath(name))
            copies.append((format_name, Path(name)))
        return tuple(copies)


@dataclass(frozen=True, slots=True)
class ExitOptions:
    """The options about what fails a run. The configuration applies where no option is given."""

    max_warnings: MaxWarnings = None
    fail_on: Annotated[
        Literal["error", "warning", "note"] | None,
        Option("--fail-on", "Fail on findings of this severity or higher (default: error).", EXIT),
    ] = None
    exit_zero: Annotated[bool, Option("--exit-zero", "Exit with 0 even if there are findings.", EXIT)] = False

    def gate(self, config: Config) -> Gate:
        """Return the conditions that fail a run."""
        fail_on = config.fail_on if self.fail_on is None else Severity(self.fail_on)
        return Gate(fail_on, config.max_warnings if self.max_warnings is None else self.max_warnings)


def print_report(
    document: Document,
    context: RenderContext,
    options: ReportOptions,
    exits: ExitOptions,
    config: Config,
    *,
    is_beside_output: bool = False,
) -> tuple[int, str | None]:
    """Print a document or write it to a file.

    With `is_beside_output`, standard output contains something else, and the report goes to standard error. Returns the
    exit code, and the text if nothing else was printed and it went only to standard output.
    """
    gate = exits.gate(config)
    color = "never" if options.no_color else options.color
    copies = options.read_copies()
    warnings = document.count(Severity.WARNING)
    is_plain = is_beside_output and color == "auto"
    context = replace(
        context,
        version=__version__,
        color=options.output is None and has_colors("never" if is_plain else color),
        links_root=Path.cwd() if options.output is None and is_terminal() else None,
        width=terminal_width(),
        quiet=options.quiet,
        failing=gate.failing(warnings),
    )
    plain = replace(context, color=False, links_root=None)
    for format_name, file in copies:
        deliver(render(format_name, document, plain), file)
    text = render(options.format_name, document, context)
    deliver(text, options.output, is_error=is_beside_output)
    printed = None if copies or options.output is not None or is_beside_output else text
    if exits.exit_zero:
        return 0, printed
    if gate.max_warnings is not None and not gate.allows(warnings):
        complain_of_warnings(warnings, gate.max_warnings)
        printed = None
    has_failed = document.has_failed or any(document.count(severity) for severity in context.failing)
    return (EXIT_FINDINGS if has_failed else 0), printed
