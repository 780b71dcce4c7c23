"""The diff report for people at a terminal: by tool, the most urgent first, each break with the call that fails now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mcp_contracts.change import Change, DiffReport, ToolDiff, ToolState
from mcp_contracts.diagnostics import Report, Severity
from mcp_contracts.reporting import concise
from mcp_contracts.reporting.changes.context import DiffContext
from mcp_contracts.reporting.changes.summary import (
    Standing,
    lead,
    owed,
    owed_words,
    place_of,
    printed,
    printed_diagnostics,
    ranked,
    reason_words,
    remarks,
    settled_words,
    severity_of,
    standing,
    summary_line,
    version_step,
    version_words,
)
from mcp_contracts.reporting.changes.values import BRIEF, shortened, shown_value
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.layout import flowed, wrapped
from mcp_contracts.reporting.style import paint
from mcp_contracts.reporting.visible import cell_width, visible

_MINIMUM_WIDTH = 40
_ROOMY = 60  # cells from which on columns are aligned
_MESSAGE_LIMIT = 600

_LABELS = {
    Standing.OPEN: ("BREAKING", "error"),
    Standing.UNDECIDED: ("UNKNOWN", "warning"),
    Standing.SETTLED: ("breaking", "dim"),
    Standing.COMPATIBLE: ("compatible", "help"),
}


def render(report: DiffReport, context: DiffContext) -> str:
    """Render a diff report for a terminal, in colour if the context says so."""
    tools = ranked(report)
    blocks = (
        _compared_lines(context),
        *(_tool_lines(tool, context) for tool in tools if not _is_plainly_added(tool)),
        _added_lines(tools, context),
        _word_lines(tools, context),
        _unchanged_lines(tools, context),
        _module_lines(report, context),
        _diagnostic_lines(report, context),
        _last_lines(report, context),
    )
    written = ["\n".join(lines) for lines in map(list, blocks) if lines]
    return "\n\n".join(filter(None, written)) + "\n"


def _compared_lines(context: DiffContext) -> Iterator[str]:
    if context.old_name and context.new_name and not context.quiet:
        names = f"comparing {visible(context.old_name)} with {visible(context.new_name)}"
        yield from _painted(wrapped(names, _width(context), "  ", ""), "dim", context)


def _tool_lines(tool: ToolDiff, context: DiffContext) -> Iterator[str]:
    """Yield a tool's heading and its changes, but for its words, which stand with those of the others."""
    changes = [(stands, change) for stands, change in printed(tool, context) if stands is not Standing.WORDS]
    if not changes:
        return
    yield from _heading(tool, context)
    previous: Standing | None = None
    for stands, change in changes:
        is_brief = stands is Standing.COMPATIBLE
        if previous is not None and not (is_brief and previous is stands):
            yield ""
        previous = stands
        yield from _compatible_lines(change, context) if is_brief else _change_lines(tool, change, stands, context)


def _heading(tool: ToolDiff, context: DiffContext) -> Iterator[str]:
    is_open = bool(tool.uncovered_breaks)
    became = {ToolState.ADDED: "added", ToolState.REMOVED: "removed"}.get(tool.state, "")
    if tool.renamed_to is not None:
        became = f"perhaps renamed to {visible(tool.renamed_to)}"
    pieces = [(_name(tool), "strong"), (version_step(tool), None), (became, None)]
    if tool.state is not ToolState.REMOVED:  # what is gone takes no step, its module does
        pieces.append((owed_words(tool), "error" if is_open else "warning"))
    yield from flowed(pieces, _width(context), "  ", color=context.color)


def _change_lines(tool: ToolDiff, change: Change, stands: Standing, context: DiffContext) -> Iterator[str]:
    """Yield a change that breaks or is not decided, with its proof; one that is settled in a dim voice."""
    label, style = _LABELS[stands]
    severity = severity_of(change, stands, context)
    if stands in (Standing.OPEN, Standing.UNDECIDED) and severity is not None:
        style = "dim" if severity is Severity.NOTE else severity.value
        label = label if severity is Severity.ERROR or stands is Standing.UNDECIDED else change.verdict.value
    if stands is Standing.SETTLED:
        label = change.verdict.value
    is_dim = stands is Standing.SETTLED
    place = place_of(tool, change)
    where = f"{visible(place.path)}:{place.line}" if place is not None else ""
    named = f"{change.code} {visible(change.rule)}"
    padding = 12 if _width(context) >= _ROOMY else 0
    pieces = [(f"  {label}".ljust(padding), style), (named, "dim" if is_dim else "strong"), (where, "dim")]
    yield from flowed(pieces, _width(context), "    ", color=context.color)
    prose = _painted(
        _prose(f"{_limited(change.message)}{remarks(change)}", context), "dim" if is_dim else None, context
    )
    if is_dim:
        yield from prose
        yield from _painted(_prose(settled_words(tool, change), context), "dim", context)
        return
    yield from prose
    if change.witness is not None:
        yield from _prose(f"{lead(change)}:", context)
        limits = replace(BRIEF, characters=min(BRIEF.characters, _width(context) - 24))
        for line in shown_value(change.witness.value, limits).lines(_width(context) - 6):
            yield f"      {paint(line, 'strong', color=context.color)}"
        yield from wrapped(_limited(change.witness.error), _width(context), " " * 6)
    if reason := reason_words(change):
        yield from _prose(reason, context)
    if change.hint is not None:
        yield from _help(change.hint, context)


def _compatible_lines(change: Change, context: DiffContext) -> Iterator[str]:
    label, style = _LABELS[Standing.COMPATIBLE]
    lines = wrapped(
        f"{_limited(change.message)}{remarks(change)}", _width(context), " " * 4, f"  {label}  {change.code} "
    )
    for number, line in enumerate(lines):
        yield line if number else line.replace(label, paint(label, style, color=context.color), 1)


def _is_plainly_added(tool: ToolDiff) -> bool:
    """Whether a tool is new and nothing else is to be said of it."""
    return tool.state is ToolState.ADDED and all(
        standing(tool, change) in (Standing.COMPATIBLE, Standing.WORDS) for change in tool.changes
    )


def _added_lines(tools: Iterable[ToolDiff], context: DiffContext) -> Iterator[str]:
    added = [tool for tool in tools if _is_plainly_added(tool)]
    if added and not context.quiet:
        yield from _table("new tools", [(_name(tool), version_step(tool), "", "dim") for tool in added], context)


def _word_lines(tools: Iterable[ToolDiff], context: DiffContext) -> Iterator[str]:
    """Yield what changed in the words of all tools: nothing breaks by them, and an agent may choose another tool."""
    is_first = True
    for tool in tools:
        found = [] if _is_plainly_added(tool) else [one for one in printed(tool, context) if one[0] is Standing.WORDS]
        for number, (_, change) in enumerate(found):
            if is_first:
                yield paint("words that an agent chooses by", "strong", color=context.color)
            is_first = False
            if not number:
                yield f"  {_name(tool)}"
            yield from wrapped(_limited(change.message), _width(context), " " * 6, f"    {change.code} ")


def _unchanged_lines(tools: Iterable[ToolDiff], context: DiffContext) -> Iterator[str]:
    unchanged = [tool for tool in tools if not tool.changes and tool.state is ToolState.UNCHANGED]
    if unchanged and context.show_all and not context.quiet:
        yield from _table("unchanged", [(_name(tool), version_step(tool), "", "dim") for tool in unchanged], context)


def _module_lines(report: DiffReport, context: DiffContext) -> Iterator[str]:
    """Yield the version step of each module that took one or owes one."""
    told = [
        (visible(module.module), version_step(module), version_words(module), "warning" if owed(module) else "dim")
        for module in report.modules
        if version_words(module) or module.old_version != module.new_version
    ]
    if told and not context.quiet:
        yield from _table("versions", told, context)


def _table(title: str, rows: Sequence[tuple[str, str, str, str]], context: DiffContext) -> Iterator[str]:
    """Yield rows of a name, versions and words in a style, in columns where there is room."""
    yield paint(title, "strong", color=context.color)
    is_roomy = _width(context) >= _ROOMY
    widest = [min(max(cell_width(row[column]) for row in rows), 30) if is_roomy else 0 for column in (0, 1)]
    for name, step, words, style in rows:
        padding = " " * (widest[0] - cell_width(name)) if step or words else ""
        after = " " * (widest[1] - cell_width(step)) if words else ""
        pieces = ((f"  {name}{padding}", None), (f"{step}{after}", None), (words, style))
        yield from flowed(pieces, _width(context), "    ", color=context.color)


def _diagnostic_lines(report: DiffReport, context: DiffContext) -> Iterator[str]:
    """Yield what the sources and the version rules say as `lint` says it, each at its place."""
    if diagnostics := printed_diagnostics(report, context):
        shown = RenderContext(color=context.color, width=context.width, show_suppressed=context.show_all)
        yield from concise.render(Report(diagnostics), shown).split("\n")[:-2]  # without its summary


def _prose(text: str, context: DiffContext) -> Iterator[str]:
    return wrapped(text, _width(context), " " * 4)


def _help(hint: str, context: DiffContext) -> Iterator[str]:
    lines = wrapped(_limited(hint), _width(context), " " * 6, "    help: ")
    for number, line in enumerate(lines):
        yield line if number else line.replace("help", paint("help", "help", color=context.color), 1)


def _last_lines(report: DiffReport, context: DiffContext) -> Iterator[str]:
    """Yield the summary, and what to do where something breaks."""
    yield from _painted(wrapped(summary_line(report, context), _width(context)), "strong", context)
    if report.uncovered:
        versions = "" if not any(tool.new_version for tool in report.tools) else "release the versions owed, or "
        hint = f"help: {versions}accept the breaks with `mcp-contracts diff --accept --reason TEXT`"
        yield from wrapped(hint, _width(context), "  ")


def _painted(lines: Iterable[str], style: str | None, context: DiffContext) -> Iterator[str]:
    for line in lines:
        yield line if style is None else paint(line, style, color=context.color)


def _name(tool: ToolDiff) -> str:
    return shortened(visible(tool.tool), 200)


def _limited(text: str) -> str:
    return shortened(visible(text), _MESSAGE_LIMIT)


def _width(context: DiffContext) -> int:
    return max(context.width, _MINIMUM_WIDTH)
