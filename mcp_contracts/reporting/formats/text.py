"""A report for people at a terminal: changes by tool with their proof, diagnostics by file with their source line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import replace
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document, Entry, FileSection, ToolSection
from mcp_contracts.reporting.finish import finish
from mcp_contracts.reporting.grouping import MOST_PLACES, Group, group_diagnostics, other_places
from mcp_contracts.reporting.layout import flow_text, node_lines, paint, wrap
from mcp_contracts.reporting.values import shorten
from mcp_contracts.reporting.visible import cell_width, visible

_MINIMUM_WIDTH = 40
_ROOMY = 60  # the width in cells from which columns are aligned


def render(document: Document, context: RenderContext) -> str:
    """Render a document for a terminal, in color if the context says so: tools by urgency, then files by path."""
    context = replace(context, width=max(context.width, _MINIMUM_WIDTH))
    blocks = (
        _compared_lines(document, context),
        *_change_blocks(document, context),
        _version_lines(document, context),
        *(_file_lines(file, context) for file in document.files),
        _statistics_lines(document, context) if context.statistics else (),
        _last_lines(document, context),
    )
    text = "\n\n".join(filter(None, map("\n".join, blocks))) + "\n"
    return finish(text, color=context.color)


def _change_blocks(document: Document, context: RenderContext) -> Iterator[Iterable[str]]:
    """Yield the lines of each tree of changes, with guides where a terminal shows colors."""
    if not document.tools:
        return
    from mcp_contracts.reporting.formats.text_changes import change_trees  # for `diff`

    trees = tuple(change_trees(document, context))
    if not context.color:
        yield from (node_lines(tree, context.width) for tree in trees)
        return
    from mcp_contracts.reporting.terminal import tree_text  # Rich

    for tree in trees:
        yield [tree_text(tree, context.width)]


def _statistics_lines(document: Document, context: RenderContext) -> Iterator[str]:
    """Yield the number of findings of each rule, as a table on a terminal with colors."""
    if not context.color:
        yield from document.statistics_lines()
        return
    from mcp_contracts.reporting.terminal import table_text  # Rich

    rows = [
        ((f"{count:,}", None), (code, "strong"), (name, None), (label, label))
        for count, code, name, label in document.statistics()
    ]
    yield table_text(("count", "code", "rule", "severity"), rows, context.width)


def _compared_lines(document: Document, context: RenderContext) -> Iterator[str]:
    if document.compared is not None and not context.quiet:
        old, new = map(visible, document.compared)
        whole = f"comparing {old} with {new}"
        lines = [whole] if cell_width(whole) <= context.width else [f"comparing {old}", f"     with {new}"]
        yield from _paint(lines, "dim", context)


def _last_lines(document: Document, context: RenderContext) -> Iterator[str]:
    """Yield the summary, and what to do about it."""
    yield from _paint(wrap(document.summary, context.width), "strong", context)
    if document.advice:
        yield from _remark_lines("  ", "help", document.advice, "  ", context)


# Versions


def _version_lines(document: Document, context: RenderContext) -> Iterator[str]:
    """Yield the version bump of each module that has or needs one, and of each tool that needs one."""
    steps = [
        (visible(module.name), module.versions, module.words, "warning" if module.owed else "dim")
        for module in document.modules
        if module.words or module.is_changed
    ]
    steps += [(_name(tool), tool.versions, tool.owed, "warning") for tool in document.ranked_tools() if tool.owed]
    if steps and not context.quiet:
        yield from _table("versions", steps, context)


def _table(title: str, rows: Sequence[tuple[str, str, str, str]], context: RenderContext) -> Iterator[str]:
    """Yield rows of a name, versions and words in a style, in columns if there is room."""
    yield paint(title, "strong", color=context.color)
    is_roomy = context.width >= _ROOMY
    widest = [min(max(cell_width(row[column]) for row in rows), 30) if is_roomy else 0 for column in (0, 1)]
    for name, step, words, style in rows:
        padding = " " * (widest[0] - cell_width(name)) if step or words else ""
        after = " " * (widest[1] - cell_width(step)) if words else ""
        pieces = ((f"  {name}{padding}", None), (f"{step}{after}", None), (words, style))
        yield from flow_text(pieces, context.width, "    ", color=context.color)


def _name(tool: ToolSection) -> str:
    return shorten(visible(tool.title), 200)


# Diagnostics


def _file_lines(file: FileSection, context: RenderContext) -> Iterator[str]:
    if not (diagnostics := file.shown(context)):
        return
    yield paint(visible(file.title), "strong", color=context.color, link=context.link(file.title))
    lines = SourceText.of(file.title, file.text).lines if file.text is not None else ()
    gutter = max(len(entry.position.partition(":")[0]) for entry in diagnostics)
    previous: Place | None = None
    for group in group_diagnostics(diagnostics, is_wanted=context.is_grouped):
        if previous is not None:
            yield ""
        yield from _group_lines(group, lines, previous, gutter, context)
        previous = group.first.place


def _group_lines(
    group: Group, lines: Sequence[str], previous: Place | None, gutter: int, context: RenderContext
) -> Iterator[str]:
    """Yield the lines of a group. A group at the same place as the previous one does not show the source again."""
    diagnostic = group.first
    color = context.color
    indent = " " * (gutter + 5)
    position, label = f"  {diagnostic.position} ", diagnostic.label
    head = f"{position}{label} {diagnostic.code} "
    first, *rest = wrap(_group_message(group), context.width, indent, head)
    if diagnostic.suppressed is not None:
        reason = wrap(visible(diagnostic.suppressed), context.width, f"{indent}  ", f"{indent}= suppressed: ")
        yield from _paint((first, *rest, *reason), "dim", context)
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
    """Return the message, with the tool's name unless the message has it, and the number of occurrences."""
    tool, message = group.first.tool, visible(group.first.message)
    named = "" if tool is None or tool in group.first.message else f" ({visible(tool)})"
    return f"{message}{named}" + (f" [{len(group):,} times]" if group.others else "")


def _remarks(diagnostic: Entry, context: RenderContext) -> Iterator[tuple[str, str]]:
    """Yield the lines below a diagnostic, as label and text: the hint and the related places."""
    if diagnostic.hint is not None:
        yield "help", visible(diagnostic.hint)
    shown = diagnostic.related[:MOST_PLACES] if context.is_grouped else diagnostic.related
    if context.is_grouped and _are_names(diagnostic):
        named = [f"{one.place.line}:{one.place.column} {visible(one.message)}" for one in shown]
        more = len(diagnostic.related) - len(shown)
        yield "note", ", ".join(named) + (f" and {more:,} more" if more else "")
        return
    for related in shown:
        is_here = diagnostic.place is not None and related.place.path == diagnostic.place.path
        file = "" if is_here else f"{visible(related.place.path)}:"
        yield "note", f"{file}{related.place.line}:{related.place.column}: {visible(related.message)}"
    if len(diagnostic.related) > len(shown):
        yield "note", f"and {len(diagnostic.related) - len(shown):,} more"


def _are_names(diagnostic: Entry) -> bool:
    """Whether a diagnostic mentions several places in its own file, each with only a name."""
    path = diagnostic.place.path if diagnostic.place is not None else None
    return len(diagnostic.related) > 1 and all(
        one.place.path == path and " " not in one.message for one in diagnostic.related
    )


def _excerpt_lines(
    place: Place, style: str, lines: Sequence[str], gutter: int, context: RenderContext
) -> Iterator[str]:
    """Yield the source line and its carets: the first line of several, and nothing for a blank one."""
    line = lines[place.line - 1] if 1 <= place.line <= len(lines) else ""
    if not line.strip():
        return
    end = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    from mcp_contracts.reporting.excerpt import excerpt  # for findings

    shown = excerpt(line, place.column - 1, end, context.width - gutter - 7)
    bar = paint("|", "dim", color=context.color)
    number = paint(f"    {place.line:>{gutter}}", "dim", color=context.color)
    marks = shown.carets.lstrip()
    before = shown.carets[: len(shown.carets) - len(marks)]
    yield f"{number} {bar} {shown.line}"
    yield f"{' ' * (gutter + 4)} {bar} {before}{paint(marks, style, color=context.color)}"


def _remark_lines(margin: str, label: str, text: str, indent: str, context: RenderContext) -> Iterator[str]:
    """Yield text after a margin and a colored label, wrapped to the width."""
    head = f"{margin}{label}: "
    first, *rest = wrap(text, context.width, indent, head)
    margin = margin.replace("=", paint("=", "dim", color=context.color))
    yield f"{margin}{paint(label, label, color=context.color)}: {first.removeprefix(head)}"
    yield from rest


def _paint(lines: Iterable[str], style: str, context: RenderContext) -> Iterator[str]:
    for line in lines:
        yield paint(line, style, color=context.color)
