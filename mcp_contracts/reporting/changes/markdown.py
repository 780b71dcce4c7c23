"""The diff report as Markdown: a comment on a pull request, or with `changelog` a piece of release notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcp_contracts.change import Change, DiffReport, ToolDiff, ToolState, Verdict
from mcp_contracts.diagnostics import Diagnostic, Severity
from mcp_contracts.reporting.changes import changelog
from mcp_contracts.reporting.changes.changelog import fenced_value
from mcp_contracts.reporting.changes.context import DiffContext
from mcp_contracts.reporting.changes.escaping import code_span, escaped
from mcp_contracts.reporting.changes.summary import (
    Standing,
    counted,
    lead,
    other_diagnostics,
    owed,
    owed_words,
    place_of,
    printed,
    printed_diagnostics,
    ranked,
    reason_words,
    remarks,
    settled_words,
    standing,
    summary_line,
    version_step,
    version_words,
)

_LIMIT = 60_000  # characters: GitHub refuses a comment of more than 65,536
_URGENT = (Standing.OPEN, Standing.UNDECIDED, Standing.SETTLED)


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of the document: entries with `gap` between, after a head and before a tail.

    `counts` says whether the entries are changes.
    """

    head: str
    entries: Sequence[str]
    tail: str = ""
    gap: str = "\n\n"
    counts: bool = True


def render(report: DiffReport, context: DiffContext) -> str:
    """Render a diff report as Markdown of at most 60,000 characters; what is past that is counted in a last line."""
    if context.changelog:
        return changelog.render(report, context)
    compared = ""
    if context.old_name and context.new_name:
        compared = f"Compared {code_span(context.old_name)} with {code_span(context.new_name)}.\n\n"
    summary = escaped(_capital(summary_line(report, context)))
    head = f"## Tool contracts: {_headline(report, context)}\n\n{compared}{summary}."
    return _limited(head, tuple(_sections(report, context))) + "\n"


def _headline(report: DiffReport, context: DiffContext) -> str:
    standings = {standing(tool, change) for tool, change in report.changes()}
    if report.uncovered:
        return "breaking changes"
    if any(one.severity is Severity.ERROR and one.suppressed is None for one in other_diagnostics(report)):
        return "an error"
    if Standing.UNDECIDED in standings and context.unknown != "ignore":
        return "not all could be decided"
    if Standing.OPEN in standings:
        return "breaking changes, none of them an error in this project"
    if Standing.SETTLED in standings:
        return "breaking changes, all covered or accepted"
    return "compatible changes" if standings else "nothing changed"


def _sections(report: DiffReport, context: DiffContext) -> Iterator[_Section]:
    tools = ranked(report)
    if not context.quiet:
        yield _Section("", tuple(_module_items(report)), gap="\n", counts=False)
    for tool in tools:
        shown = [one for one in printed(tool, context) if one[0] in _URGENT]
        yield _Section(_heading(tool), [_entry(tool, change, stands) for stands, change in shown])
    found = [(tool, *one) for tool in tools for one in printed(tool, context)]
    compatible = [_brief(tool, change) for tool, stands, change in found if stands is Standing.COMPATIBLE]
    yield _details(counted(len(compatible), "compatible change"), compatible)
    words = [_brief(tool, change) for tool, stands, change in found if stands is Standing.WORDS]
    yield _details(f"{counted(len(words), 'change')} in words that an agent chooses by", words)
    if context.show_all and not context.quiet:
        unchanged = [f"- {code_span(tool.tool)}" for tool in tools if tool.state is ToolState.UNCHANGED]
        yield _details(f"{counted(len(unchanged), 'tool')} unchanged", unchanged, counts=False)
    diagnostics = [_diagnostic(one) for one in printed_diagnostics(report, context)]
    yield _Section("### Sources and versions", diagnostics, gap="\n", counts=False)


def _module_items(report: DiffReport) -> Iterator[str]:
    """Yield the version step of each module that took one or owes one."""
    for module in report.modules:
        if words := version_words(module):
            stated = f"**{words}**" if owed(module) else words
            yield f"- {code_span(module.module)} {escaped(version_step(module))} {stated}".replace("  ", " ")


def _heading(tool: ToolDiff) -> str:
    became = {ToolState.ADDED: "new", ToolState.REMOVED: "removed"}.get(tool.state, "")
    if tool.renamed_to is not None:
        became = f"perhaps renamed to {code_span(tool.renamed_to)}"
    owes = "" if tool.state is ToolState.REMOVED else owed_words(tool)
    return ", ".join(filter(None, (f"### {code_span(tool.tool)} {escaped(version_step(tool))}".rstrip(), became, owes)))


def _entry(tool: ToolDiff, change: Change, stands: Standing) -> str:
    """A change that breaks or is not decided, with its proof, as paragraphs."""
    place = place_of(tool, change)
    named = [
        f"**{'Breaking' if change.verdict is Verdict.BREAKING else 'Unknown'}**",
        f"{change.code} {escaped(change.rule)}",
        code_span(f"{place.path}:{place.line}") if place is not None else "",
        escaped(settled_words(tool, change)) if stands is Standing.SETTLED else "",
    ]
    paragraphs = [" · ".join(filter(None, named))]
    said = f"{escaped(change.message)}{escaped(remarks(change))}."
    if reason := reason_words(change):
        said += f" It {escaped(reason)}."
    if change.witness is not None:
        paragraphs.append(f"{said} {_capital(lead(change))}:")
        paragraphs.append(fenced_value(change.witness.value))
        said = escaped(change.witness.error)
    paragraphs.append(said)
    if change.hint is not None and stands is not Standing.SETTLED:
        paragraphs.append(f"*Help:* {escaped(change.hint)}")
    return "\n\n".join(paragraphs)


def _brief(tool: ToolDiff, change: Change) -> str:
    return f"- {code_span(tool.tool)}: {escaped(change.message)}{escaped(remarks(change))} ({change.code})"


def _diagnostic(diagnostic: Diagnostic) -> str:
    place = code_span(f"{diagnostic.place.path}:{diagnostic.place.line}")
    suppressed = "" if diagnostic.suppressed is None else f", suppressed: {escaped(diagnostic.suppressed)}"
    return f"- {diagnostic.severity.value} {diagnostic.code}: {escaped(diagnostic.message)} ({place}){suppressed}"


def _details(title: str, entries: Sequence[str], *, counts: bool = True) -> _Section:
    return _Section(f"<details>\n<summary>{title}</summary>", entries, "</details>", "\n", counts)


def _limited(head: str, sections: Sequence[_Section]) -> str:
    """Join the sections as long as there is room, then say how many changes are left out."""
    parts, used, left = [head], len(head), 0
    for section in sections:
        kept: list[str] = []
        size = used + len(section.head) + len(section.tail) + 6
        for entry in section.entries:
            size += len(entry) + len(section.gap)
            if left or size > _LIMIT:
                break
            kept.append(entry)
            used = size
        if kept:
            parts += filter(None, (section.head, section.gap.join(kept), section.tail))
        if section.counts:
            left += len(section.entries) - len(kept)
    if left:
        parts.append(f"**{counted(left, 'more change')}** left out here: `diff --format json` holds them all.")
    return "\n\n".join(parts)


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
