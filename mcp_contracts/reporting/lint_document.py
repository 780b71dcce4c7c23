"""Convert a lint report to a document: a section for each file, and a line with the counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcp_contracts.diagnostics import Diagnostic, Report, Severity
from mcp_contracts.records import fields_of
from mcp_contracts.reporting.document import Document, Entry, FileSection, Urgency, pluralize


def lint_document(report: Report, texts: Mapping[str, str] | None = None) -> Document:
    """Return the document of a lint report.

    `texts` maps the path of each linted file to its text, including files without findings: `text` takes its excerpts
    from it, and `junit` its passing test cases.
    """
    texts = texts or {}
    counts = [(report.count(severity), severity.value) for severity in Severity]
    new = "new " if report.compared is not None else ""
    found = _join([pluralize(count, f"{new}{noun}") for count, noun in counts if count])
    what = f"found {found}" if found else f"no {new}problems"
    line = f"{what} in {pluralize(report.files, 'file')} ({pluralize(report.tools, 'tool')})"
    stale = 0 if report.compared is None else len(report.compared.stale)
    apart = (
        (report.known, "known"),
        (report.suppressed, "suppressed"),
        (report.skipped, "skipped"),
        (stale, "stale in the baseline"),
    )
    more = [f"{count:,} {what}" for count, what in apart if count]
    return Document(
        command="lint",
        values=report.to_dict,
        headline=found or f"no {new}problems",
        summary=f"{line}; {', '.join(more)}" if more else line,
        files=file_sections(report.diagnostics, texts),
        has_baseline=report.compared is not None,
    )


def file_sections(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str]) -> tuple[FileSection, ...]:
    """Return a section for each file that has diagnostics or text, sorted by path."""
    by_path: dict[str, list[Entry]] = {path: [] for path in texts}
    for diagnostic in diagnostics:
        by_path.setdefault(diagnostic.place.path, []).append(diagnostic_entry(diagnostic))
    return tuple(FileSection(path, tuple(by_path[path]), texts.get(path)) for path in sorted(by_path))


def diagnostic_entry(diagnostic: Diagnostic) -> Entry:
    """Return a diagnostic as an entry. A suppressed one is settled."""
    values = fields_of(diagnostic)
    del values["fix"]  # of no use to a reader
    return Entry(**values, urgency=Urgency.OPEN if diagnostic.suppressed is None else Urgency.SETTLED)


def _join(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
