"""The report for people: grouped by file, each diagnostic with the line it speaks of and the way out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts.diagnostics import Diagnostic, Place, Report
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.excerpt import excerpt
from mcp_contracts.reporting.grouping import MOST_PLACES, Group, grouped, other_places
from mcp_contracts.reporting.layout import wrapped
from mcp_contracts.reporting.style import paint
from mcp_contracts.reporting.summary import printed, statistics_lines, summary_line
from mcp_contracts.reporting.visible import visible

_MINIMUM_WIDTH = 40


def render(report: Report, context: RenderContext) -> str:
    """Render a report with excerpts of the source, and in colour if the context says so."""
    by_path: dict[str, list[Diagnostic]] = {}
    for diagnostic in printed(report, context):
        by_path.setdefault(diagnostic.place.path, []).append(diagnostic)
    blocks = ["\n".join(_file_lines(path, diagnostics, context)) for path, diagnostics in by_path.items()]
    if context.statistics and report.shown():
        blocks.append("\n".join(statistics_lines(report)))
    return "\n\n".join([*blocks, paint(summary_line(report), "strong", color=context.color)]) + "\n"


def _file_lines(path: str, diagnostics: Sequence[Diagnostic], context: RenderContext) -> Iterator[str]:
    yield paint(visible(path), "strong", color=context.color)
    lines = SourceText.of(path, context.texts[path]).lines if path in context.texts else ()
    gutter = len(str(max(diagnostic.place.line for diagnostic in diagnostics)))
    previous: Place | None = None
    for group in grouped(diagnostics, is_wanted=context.is_grouped):
        if previous is not None:
            yield ""
        yield from _group_lines(group, lines, previous, gutter, context)
        previous = group.first.place


def _group_lines(
    group: Group, lines: Sequence[str], previous: Place | None, gutter: int, context: RenderContext
) -> Iterator[str]:
    """Yield the lines of a group; one at the very place of the previous does not show the source again."""
    diagnostic = group.first
    color = context.color
    width = max(context.width, _MINIMUM_WIDTH)
    indent = " " * (gutter + 5)
    margin = indent + paint("=", "dim", color=color)
    head = f"  {diagnostic.place.line}:{diagnostic.place.column} "
    severity = diagnostic.severity.value
    message = _message(diagnostic) + (f" [{len(group):,} times]" if group.others else "")
    first, *rest = wrapped(message, width, indent, f"{head}{severity} {diagnostic.code} ")
    if diagnostic.suppressed is not None:
        reason = wrapped(visible(diagnostic.suppressed), width, f"{indent}  ", f"{indent}= suppressed: ")
        for line in (first, *rest, *reason):
            yield paint(line, "dim", color=color)
    else:
        told = first.removeprefix(f"{head}{severity} {diagnostic.code}")
        yield f"{head}{paint(severity, severity, color=color)} {paint(diagnostic.code, 'strong', color=color)}{told}"
        yield from rest
        if diagnostic.place != previous:
            yield from _excerpt_lines(diagnostic, lines, gutter, context)
        if diagnostic.hint is not None:
            yield from _remark_lines("help", visible(diagnostic.hint), gutter, context)
        shown = diagnostic.related[:MOST_PLACES] if context.is_grouped else diagnostic.related
        for related in shown:
            file = "" if related.place.path == diagnostic.place.path else f"{visible(related.place.path)}:"
            place = f"{file}{related.place.line}:{related.place.column}"
            yield from _remark_lines("note", f"{place}: {visible(related.message)}", gutter, context)
        if len(diagnostic.related) > len(shown):
            yield from _remark_lines("note", f"and {len(diagnostic.related) - len(shown):,} more", gutter, context)
    if group.others:
        lead = f"{margin} also: "
        for line in other_places(group, width - gutter - len("     = also: ")):
            yield f"{lead}{line}"
            lead = " " * (gutter + len("     = also: "))


def _remark_lines(label: str, text: str, gutter: int, context: RenderContext) -> Iterator[str]:
    """Yield a help or a note, wrapped to the width."""
    indent = " " * (gutter + 5)
    head = f"{indent}= {label}:"
    first, *rest = wrapped(text, max(context.width, _MINIMUM_WIDTH), f"{indent}  ", f"{head} ")
    equals, painted = (paint(part, style, color=context.color) for part, style in (("=", "dim"), (label, label)))
    yield f"{indent}{equals} {painted}:{first.removeprefix(head)}"
    yield from rest


def _excerpt_lines(diagnostic: Diagnostic, lines: Sequence[str], gutter: int, context: RenderContext) -> Iterator[str]:
    """Yield the line of source and its carets; of a stretch over several lines the first; nothing for a blank one."""
    place = diagnostic.place
    line = lines[place.line - 1] if 1 <= place.line <= len(lines) else ""
    if not line.strip():
        return
    end = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    width = max(context.width, _MINIMUM_WIDTH) - gutter - 7
    shown = excerpt(line, place.column - 1, end, width)
    bar = paint("|", "dim", color=context.color)
    number = paint(f"    {place.line:>{gutter}}", "dim", color=context.color)
    yield f"{number} {bar} {shown.line}"
    yield f"{' ' * (gutter + 4)} {bar} {_painted_carets(shown.carets, diagnostic, context)}"


def _painted_carets(carets: str, diagnostic: Diagnostic, context: RenderContext) -> str:
    """The carets in the colour of the severity, the space before them in none."""
    marks = carets.lstrip()
    return carets[: len(carets) - len(marks)] + paint(marks, diagnostic.severity.value, color=context.color)


def _message(diagnostic: Diagnostic) -> str:
    """The message, with the tool's name where the message does not say it."""
    message = visible(diagnostic.message)
    tool = diagnostic.tool
    return message if tool is None or tool in diagnostic.message else f"{message} ({visible(tool)})"
