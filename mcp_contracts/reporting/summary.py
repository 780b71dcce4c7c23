"""What formats share: which diagnostics a person sees, their details, the summary line, the statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mcp_contracts.diagnostics import Diagnostic, Report, Severity
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.visible import visible


def printed(report: Report, context: RenderContext) -> Iterator[Diagnostic]:
    """Yield the diagnostics that a person is to see: not what is suppressed unless asked for; what fails, if quiet."""
    for diagnostic in report.diagnostics:
        if diagnostic.suppressed is not None and not context.show_suppressed:
            continue
        if not context.quiet or diagnostic.severity in context.failing:
            yield diagnostic


def summary_line(report: Report) -> str:
    """The report in one line: `found 3 errors, 1 warning and 2 notes in 4 files (12 tools); 1 suppressed`."""
    counts = [(report.count(severity), severity.value) for severity in Severity]
    found = [_counted(count, noun) for count, noun in counts if count]
    what = f"found {_joined(found)}" if found else "no problems"
    line = f"{what} in {_counted(report.files, 'file')} ({_counted(report.tools, 'tool')})"
    suppressed = len(report.diagnostics) - len(report.shown())
    more = [f"{count} {what}" for count, what in ((suppressed, "suppressed"), (report.skipped, "skipped")) if count]
    return f"{line}; {', '.join(more)}" if more else line


def detail_lines(diagnostic: Diagnostic) -> Iterator[str]:
    """Yield the hint of a diagnostic and the other places it speaks of, as plain lines that are safe to show."""
    if diagnostic.hint is not None:
        yield f"help: {visible(diagnostic.hint)}"
    for related in diagnostic.related:
        where = f"{related.place.path}:{related.place.line}:{related.place.column}"
        yield f"note: {visible(where)}: {visible(related.message)}"


def statistics_lines(report: Report) -> Iterator[str]:
    """Yield a table of how often each rule spoke, the most frequent first: count, code, name, severity."""
    counts = Counter((item.code, visible(item.rule), item.severity.value) for item in report.shown())
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    digits = max((len(str(count)) for count in counts.values()), default=0)
    width = max((len(name) for _, name, _ in counts), default=0)
    for (code, name, severity), count in rows:
        yield f"{count:{digits}}  {code}  {name:{width}}  {severity}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _joined(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
