"""A report for people at a terminal: changes by tool with their proof, diagnostics by file with the line they mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mcp_contracts.change import ToolState
from mcp_contracts.diagnostics import Place, Severity
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document, Entry, FileSection, Standing, ToolSection
from mcp_contracts.reporting.excerpt import excerpt
from mcp_contracts.reporting.grouping import MOST_PLACES, Group, grouped, other_places
from mcp_contracts.reporting.layout import flowed, paint, wrapped
from mcp_contracts.reporting.values import BRIEF, shortened, shown_value
from mcp_contracts.reporting.visible import cell_width, visible

_MINIMUM_WIDTH = 40
_ROOMY = 60  # cells from which on columns are aligned
_MESSAGE_LIMIT = 600


def render(document: Document, context: RenderContext) -> str:
    """Render a document for a terminal, in colour if the context says so: tools by urgency, then files by path."""
    context = replace(context, width=max(context.width, _MINIMUM_WIDTH))
    tools = document.ranked_tools()
    blocks = (
        _compared_lines(document, context),
        *(_tool_lines(tool, context) for tool in tools if not tool.is_plainly_added),
        _added_lines(tools, context),
        _word_lines(tools, context),
        _unchanged_lines(tools, context),
        _module_lines(document, context),
        *(_file_lines(file, context) for file in document.files),
        document.statistics_lines() if context.statistics else (),
        _last_lines(document, context),
    )
    return "\n\n".join(filter(None, map("\n".join, blocks))) + "\n"


def _compared_lines(document: Document, context: RenderContext) -> Iterator[str]:
    if document.compared is not None and not context.quiet:
        old, new = map(visible, document.compared)
        yield from _painted(wrapped(f"comparing {old} with {new}", context.width, "  ", ""), "dim", context)


def _last_lines(document: Document, context: RenderContext) -> Iterator[str]:
    """Yield the summary, and what to do about all of it."""
    yield from _painted(wrapped(document.summary, context.width), "strong", context)
    if document.advice:
        yield from wrapped(f"help: {document.advice}", context.width, "  ")


# Changes


def _tool_lines(tool: ToolSection, context: RenderContext) -> Iterator[str]:
    """Yield a tool's heading and its changes, but for its words, which stand with those of the others."""
    changes = [entry for entry in tool.shown(context) if entry.standing is not Standing.WORDS]
    if not changes:
        return
    yield from _heading(tool, context)
    previous: Standing | None = None
    for entry in changes:
        is_brief = entry.standing is Standing.COMPATIBLE
        if previous is not None and not (is_brief and previous is entry.standing):
            yield ""
        previous = entry.standing
        yield from _compatible_lines(entry, context) if is_brief else _change_lines(entry, context)


def _heading(tool: ToolSection, context: RenderContext) -> Iterator[str]:
    is_open = any(entry.standing is Standing.OPEN and entry.severity is Severity.ERROR for entry in tool.entries)
    became = {ToolState.ADDED: "added", ToolState.REMOVED: "removed"}.get(tool.state, "")
    if tool.renamed_to is not None:
        became = f"perhaps renamed to {visible(tool.renamed_to)}"
    owed = (tool.owed, "error" if is_open else "warning")
    pieces = ((_name(tool), "strong"), (tool.versions, None), (became, None), owed)
    yield from flowed(pieces, context.width, "  ", color=context.color)


def _change_lines(change: Entry, context: RenderContext) -> Iterator[str]:
    """Yield a change that breaks or is not decided, with its proof; one that is settled in a dim voice."""
    is_settled = change.standing is Standing.SETTLED
    is_dim = is_settled or change.severity in (None, Severity.NOTE)
    style = "dim" if is_dim else str(change.severity)
    is_loud = change.standing is Standing.UNDECIDED or (not is_settled and change.severity is Severity.ERROR)
    label = change.label.upper() if is_loud else change.label
    place = change.place
    where = f"{visible(place.path)}:{place.line}" if place is not None else ""
    named = f"{change.code} {visible(change.rule)}"
    padding = 12 if context.width >= _ROOMY else 0
    pieces = ((f"  {label}".ljust(padding), style), (named, "dim" if is_settled else "strong"), (where, "dim"))
    yield from flowed(pieces, context.width, "    ", color=context.color)
    prose = wrapped(_message(change), context.width, " " * 4)
    if is_settled:
        yield from _painted((*prose, *wrapped(change.settled, context.width, " " * 4)), "dim", context)
        return
    yield from prose
    if change.proof is not None:
        yield from wrapped(f"{change.proof.lead}:", context.width, " " * 4)
        limits = replace(BRIEF, characters=min(BRIEF.characters, context.width - 24))
        for line in shown_value(change.proof.value, limits).lines(context.width - 6):
            yield f"      {paint(line, 'strong', color=context.color)}"
        yield from wrapped(_limited(change.proof.error), context.width, " " * 6)
    if change.doubt:
        yield from wrapped(change.doubt, context.width, " " * 4)
    if change.hint is not None:
        yield from _remark_lines("    ", "help", _limited(change.hint), " " * 6, context)


def _compatible_lines(change: Entry, context: RenderContext) -> Iterator[str]:
    rest = f"  {change.code} "
    for number, line in enumerate(wrapped(_message(change), context.width, " " * 4, f"  {change.label}{rest}")):
        painted = f"  {paint(change.label, 'help', color=context.color)}"
        yield line if number else f"{painted}{line.removeprefix(f'  {change.label}')}"


def _added_lines(tools: Iterable[ToolSection], context: RenderContext) -> Iterator[str]:
    added = [tool for tool in tools if tool.is_plainly_added]
    if added and not context.quiet:
        yield from _table("new tools", [(_name(tool), tool.versions, "", "dim") for tool in added], context)


def _word_lines(tools: Iterable[ToolSection], context: RenderContext) -> Iterator[str]:
    """Yield what changed in the words of all tools: nothing breaks by them, and an agent may choose another tool."""
    is_first = True
    for tool in tools:
        found = [entry for entry in tool.shown(context) if entry.standing is Standing.WORDS]
        for number, change in enumerate(() if tool.is_plainly_added else found):
            if is_first:
                yield paint("words that an agent chooses by", "strong", color=context.color)
            is_first = False
            if not number:
                yield f"  {_name(tool)}"
            yield from wrapped(_limited(change.message), context.width, " " * 6, f"    {change.code} ")


def _unchanged_lines(tools: Iterable[ToolSection], context: RenderContext) -> Iterator[str]:
    unchanged = [tool for tool in tools if not tool.entries and tool.state is ToolState.UNCHANGED]
    if unchanged and context.show_all and not context.quiet:
        yield from _table("unchanged", [(_name(tool), tool.versions, "", "dim") for tool in unchanged], context)


def _module_lines(document: Document, context: RenderContext) -> Iterator[str]:
    """Yield the version step of each module that took one or owes one."""
    steps = [
        (visible(module.name), module.versions, module.words, "warning" if module.owed else "dim")
        for module in document.modules
        if module.words or module.is_changed
    ]
    if steps and not context.quiet:
        yield from _table("versions", steps, context)


def _table(title: str, rows: Sequence[tuple[str, str, str, str]], context: RenderContext) -> Iterator[str]:
    """Yield rows of a name, versions and words in a style, in columns where there is room."""
    yield paint(title, "strong", color=context.color)
    is_roomy = context.width >= _ROOMY
    widest = [min(max(cell_width(row[column]) for row in rows), 30) if is_roomy else 0 for column in (0, 1)]
    for name, step, words, style in rows:
        padding = " " * (widest[0] - cell_width(name)) if step or words else ""
        after = " " * (widest[1] - cell_width(step)) if words else ""
        pieces = ((f"  {name}{padding}", None), (f"{step}{after}", None), (words, style))
        yield from flowed(pieces, context.width, "    ", color=context.color)


def _message(change: Entry) -> str:
    remarks = f" ({change.remarks})" if change.remarks else ""
    return f"{_limited(change.message)}{remarks}"


def _name(tool: ToolSection) -> str:
    return shortened(visible(tool.title), 200)


def _limited(text: str) -> str:
    return shortened(visible(text), _MESSAGE_LIMIT)


# Diagnostics


def _file_lines(file: FileSection, context: RenderContext) -> Iterator[str]:
    if not (diagnostics := file.shown(context)):
        return
    yield paint(visible(file.title), "strong", color=context.color)
    lines = SourceText.of(file.title, file.text).lines if file.text is not None else ()
    gutter = max(len(entry.position.partition(":")[0]) for entry in diagnostics)
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
    indent = " " * (gutter + 5)
    position, label = f"  {diagnostic.position} ", diagnostic.label
    head = f"{position}{label} {diagnostic.code} "
    first, *rest = wrapped(_group_message(group), context.width, indent, head)
    if diagnostic.suppressed is not None:
        reason = wrapped(visible(diagnostic.suppressed), context.width, f"{indent}  ", f"{indent}= suppressed: ")
        yield from _painted((first, *rest, *reason), "dim", context)
    else:
        message = first.removeprefix(head)
        yield f"{position}{paint(label, label, color=color)} {paint(diagnostic.code, 'strong', color=color)} {message}"
        yield from rest
        if diagnostic.place is not None and diagnostic.place != previous:
            yield from _excerpt_lines(diagnostic.place, label, lines, gutter, context)
        for kind, text in _remarks(diagnostic, context):
            yield from _remark_lines(f"{indent}= ", kind, text, f"{indent}  ", context)
    if group.others:
        margin = indent + paint("=", "dim", color=color)
        lead = f"{margin} also: "
        for line in other_places(group, context.width - gutter - len("     = also: ")):
            yield f"{lead}{line}"
            lead = " " * (gutter + len("     = also: "))


def _group_message(group: Group) -> str:
    """The message, with the tool's name where the message does not say it, and how often it is said."""
    tool, message = group.first.tool, visible(group.first.message)
    named = "" if tool is None or tool in group.first.message else f" ({visible(tool)})"
    return f"{message}{named}" + (f" [{len(group):,} times]" if group.others else "")


def _remarks(diagnostic: Entry, context: RenderContext) -> Iterator[tuple[str, str]]:
    """Yield what stands below a diagnostic, as a label and a text: the hint and the other places it speaks of."""
    if diagnostic.hint is not None:
        yield "help", visible(diagnostic.hint)
    shown = diagnostic.related[:MOST_PLACES] if context.is_grouped else diagnostic.related
    for related in shown:
        is_here = diagnostic.place is not None and related.place.path == diagnostic.place.path
        file = "" if is_here else f"{visible(related.place.path)}:"
        yield "note", f"{file}{related.place.line}:{related.place.column}: {visible(related.message)}"
    if len(diagnostic.related) > len(shown):
        yield "note", f"and {len(diagnostic.related) - len(shown):,} more"


def _excerpt_lines(
    place: Place, style: str, lines: Sequence[str], gutter: int, context: RenderContext
) -> Iterator[str]:
    """Yield the line of source and its carets; of a stretch over several lines the first; nothing for a blank one."""
    line = lines[place.line - 1] if 1 <= place.line <= len(lines) else ""
    if not line.strip():
        return
    end = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    shown = excerpt(line, place.column - 1, end, context.width - gutter - 7)
    bar = paint("|", "dim", color=context.color)
    number = paint(f"    {place.line:>{gutter}}", "dim", color=context.color)
    marks = shown.carets.lstrip()
    before = shown.carets[: len(shown.carets) - len(marks)]
    yield f"{number} {bar} {shown.line}"
    yield f"{' ' * (gutter + 4)} {bar} {before}{paint(marks, style, color=context.color)}"


def _remark_lines(margin: str, label: str, text: str, indent: str, context: RenderContext) -> Iterator[str]:
    """Yield a text behind a margin and a label in its colour, wrapped to the width."""
    head = f"{margin}{label}: "
    first, *rest = wrapped(text, context.width, indent, head)
    margin = margin.replace("=", paint("=", "dim", color=context.color))
    yield f"{margin}{paint(label, label, color=context.color)}: {first.removeprefix(head)}"
    yield from rest


def _painted(lines: Iterable[str], style: str, context: RenderContext) -> Iterator[str]:
    for line in lines:
        yield paint(line, style, color=context.color)
