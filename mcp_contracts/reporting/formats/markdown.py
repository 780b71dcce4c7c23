"""A report as Markdown: a comment on a pull request, or with `changelog` a piece of release notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcp_contracts.change import ToolState
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document, Entry, Standing, ToolSection, counted
from mcp_contracts.reporting.formats.escaping import code_span, escaped, fenced, fenced_value
from mcp_contracts.reporting.formats.release_notes import release_notes
from mcp_contracts.reporting.grouping import MOST_PLACES, Group, grouped

_LIMIT = 60_000  # characters: GitHub refuses a comment of more than 65,536
_URGENT = (Standing.OPEN, Standing.UNDECIDED, Standing.SETTLED)


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of the document: entries with `gap` between, after a head and before a tail.

    `counts` says whether they are entries of the report.
    """

    head: str
    entries: Sequence[str]
    tail: str = ""
    gap: str = "\n\n"
    counts: bool = True


def render(document: Document, context: RenderContext) -> str:
    """Render a document as Markdown of at most 60,000 characters; what is past that is counted in a last line."""
    if context.changelog:
        return release_notes(document)
    compared = ""
    if document.compared is not None:
        old, new = map(code_span, document.compared)
        compared = f"Compared {old} with {new}.\n\n"
    summary = escaped(_capital(document.summary))
    head = f"## Tool contracts: {document.headline}\n\n{compared}{summary}."
    return _limited(head, tuple(_sections(document, context)), document.command) + "\n"


def _sections(document: Document, context: RenderContext) -> Iterator[_Section]:
    tools = document.ranked_tools()
    if not context.quiet:
        yield _Section("", tuple(_module_items(document)), gap="\n", counts=False)
    for tool in tools:
        yield _Section(_heading(tool), [_entry(one) for one in tool.shown(context) if one.standing in _URGENT])
    found = [one for tool in tools for one in tool.shown(context)]
    compatible = [_brief(one) for one in found if one.standing is Standing.COMPATIBLE]
    yield _details(counted(len(compatible), "compatible change"), compatible)
    words = [_brief(one) for one in found if one.standing is Standing.WORDS]
    yield _details(f"{counted(len(words), 'change')} in words that an agent chooses by", words)
    if context.show_all and not context.quiet:
        unchanged = [f"- {code_span(tool.title)}" for tool in tools if tool.state is ToolState.UNCHANGED]
        yield _details(f"{counted(len(unchanged), 'tool')} unchanged", unchanged, counts=False)
    for file in document.files:
        groups = grouped(file.shown(context), is_wanted=context.is_grouped)
        yield _Section(f"### {code_span(file.title)}", [_diagnostic(group) for group in groups], gap="\n")
    if context.statistics:
        yield _details("Statistics", [fenced("\n".join(document.statistics_lines()), "text")], counts=False)


def _module_items(document: Document) -> Iterator[str]:
    """Yield the version step of each module that took one or owes one."""
    for module in document.modules:
        if module.words:
            words = f"**{module.words}**" if module.owed else module.words
            yield f"- {code_span(module.name)} {escaped(module.versions)} {words}".replace("  ", " ")


def _heading(tool: ToolSection) -> str:
    became = {ToolState.ADDED: "new", ToolState.REMOVED: "removed"}.get(tool.state, "")
    if tool.renamed_to is not None:
        became = f"perhaps renamed to {code_span(tool.renamed_to)}"
    heading = f"### {code_span(tool.title)} {escaped(tool.versions)}".rstrip()
    return ", ".join(filter(None, (heading, became, tool.owed)))


def _entry(change: Entry) -> str:
    """A change that breaks or is not decided, with its proof, as paragraphs."""
    place = change.place
    named = [
        f"**{_capital(change.label)}**",
        f"{change.code} {escaped(change.rule)}",
        code_span(f"{place.path}:{place.line}") if place is not None else "",
        escaped(change.settled),
    ]
    paragraphs = [" · ".join(filter(None, named))]
    said = f"{_message(change)}."
    if change.doubt:
        said += f" It {escaped(change.doubt)}."
    if change.proof is not None:
        paragraphs.append(f"{said} {_capital(change.proof.lead)}:")
        paragraphs.append(fenced_value(change.proof.value))
        said = escaped(change.proof.error)
    paragraphs.append(said)
    if change.hint is not None and not change.settled:
        paragraphs.append(f"*Help:* {escaped(change.hint)}")
    return "\n\n".join(paragraphs)


def _brief(change: Entry) -> str:
    return f"- {code_span(change.tool or '')}: {_message(change)} ({change.code})"


def _message(change: Entry) -> str:
    return escaped(change.message) + (escaped(f" ({change.remarks})") if change.remarks else "")


def _diagnostic(group: Group) -> str:
    """Diagnostics that are alike as one item: the first in full, and where the others are."""
    first = group.first
    tool = "" if first.tool is None or first.tool in first.message else f" ({code_span(first.tool)})"
    item = f"- {first.position} {first.label} {first.code}: {escaped(first.message)}{tool}"
    if group.others:
        places = ", ".join(one.position for one in group.others[: MOST_PLACES - 1])
        more = len(group) - MOST_PLACES
        item += f"; also {places}" + (f" and {more:,} more" if more > 0 else "")
    if first.suppressed is not None:
        return f"{item}, suppressed: {escaped(first.suppressed)}"
    return item if first.hint is None else f"{item}. *Help:* {escaped(first.hint)}"


def _details(title: str, entries: Sequence[str], *, counts: bool = True) -> _Section:
    return _Section(f"<details>\n<summary>{title}</summary>", entries, "</details>", "\n", counts)


def _limited(head: str, sections: Sequence[_Section], command: str) -> str:
    """Join the sections as long as there is room, then say how many entries are left out."""
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
        parts.append(f"**{left} more** entries are left out here: `{command} --format json` holds them all.")
    return "\n\n".join(parts)


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
