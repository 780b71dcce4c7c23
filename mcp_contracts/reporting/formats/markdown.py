"""A report as Markdown: a comment on a pull request, or release notes with `changelog`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts.change import ToolState
from mcp_contracts.records import dataclass
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.diff.review import URGENT, Fact, facts, footnote
from mcp_contracts.reporting.document import Document, Urgency, pluralize
from mcp_contracts.reporting.formats.escaping import code_span, escape, fence, fenced_value
from mcp_contracts.reporting.formats.release_notes import release_notes
from mcp_contracts.reporting.grouping import MOST_PLACES, Group, group_diagnostics

_LIMIT = 60_000  # characters: GitHub refuses a comment of more than 65,536
_MOST_TOOLS = 30
_ROWS = (
    ("breaking", (Urgency.OPEN,)),
    ("unknown", (Urgency.UNDECIDED,)),
    ("covered or accepted", (Urgency.SETTLED,)),
    ("compatible", (Urgency.COMPATIBLE,)),
    ("wording", (Urgency.WORDS,)),
)


_BREAKING = (
    "A change is *breaking* if calls that work today fail after it, or if results can take a form that consumers "
    "do not expect."
)
_REMOVALS = ("BC101", "BC103", "BC104")


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of the document: entries with `gap` between, after a head and before a tail.

    `noun` names the entries if they are part of the report; `sizes` are the numbers of items that they represent, if
    not one each.
    """

    head: str
    entries: Sequence[str]
    tail: str = ""
    gap: str = "\n\n"
    noun: str = ""
    sizes: Sequence[int] = ()


def render(document: Document, context: RenderContext) -> str:
    """Render a document as Markdown of at most 60,000 characters; the last line counts what is left out."""
    if context.changelog:
        return release_notes(document)
    compared = ""
    if document.compared is not None:
        old, new = document.compared
        here = "the working directory" if new == "." else code_span(new)
        compared = f"Compared {code_span(old)} with {here}.\n\n"
    table = "\n".join(_table(document, context))
    said = (f"{escape(_capital(document.summary))}.", table, _meaning(document, context), _explain_acceptance(document))
    head = f"## Tool contracts: {document.headline}\n\n{compared}" + "\n\n".join(filter(None, said))
    return _limit(head, tuple(_sections(document, context)), document.command) + "\n"


def _table(document: Document, context: RenderContext) -> Iterator[str]:
    """Yield the number of changes by meaning, as a table."""
    rows = []
    for title, urgencies in _ROWS:
        pairs = [(tool, one) for tool in document.tools for one in tool.shown(context) if one.urgency in urgencies]
        if pairs:
            rows.append(f"| {title} | {len(pairs):,} | {len({tool.title for tool, _ in pairs}):,} |")
    if rows:
        yield from ("| | changes | tools |", "|---|---:|---:|", *rows)


def _meaning(document: Document, context: RenderContext) -> str:
    """Explain what a break is, for reviewers who are new to this report."""
    is_broken = any(one.urgency is Urgency.OPEN for tool in document.tools for one in tool.shown(context))
    return _BREAKING if is_broken else ""


def _explain_acceptance(document: Document) -> str:
    """Explain how to accept intended breaks."""
    if not document.advice:
        return ""
    intended = f"{escape(document.advice)} and commit the file that it writes"
    return f"**To fix this**, undo the breaking changes below. **If they are intended**, {intended}."


def _sections(document: Document, context: RenderContext) -> Iterator[_Section]:
    if not context.quiet:
        yield _Section("", tuple(_module_items(document)), gap="\n")
    for urgencies, title in ((URGENT, ""), ((Urgency.SETTLED,), "covered or accepted")):
        found = facts(document, context, urgencies)
        entries = [_fact(fact) for fact in found]
        sizes = [len(fact.entries) for fact in found]
        head, tail = ("", "")
        if title and entries:
            head = f"<details>\n<summary>{pluralize(sum(sizes), 'change')} {title}</summary>"
            tail = "</details>"
        yield _Section(head, entries, tail, noun=title or "urgent", sizes=sizes)
    yield from _fold_compatible(document, context)
    if context.show_all and not context.quiet:
        unchanged = [f"- {code_span(tool.title)}" for tool in document.tools if tool.state is ToolState.UNCHANGED]
        yield _details(f"{pluralize(len(unchanged), 'tool')} unchanged", unchanged)
    for file in document.files:
        groups = group_diagnostics(file.shown(context), is_wanted=context.is_grouped)
        yield _Section(
            f"### {code_span(file.title)}",
            [_diagnostic(group) for group in groups],
            gap="\n",
            noun="finding",
            sizes=list(map(len, groups)),
        )
    if context.statistics:
        yield _details("Statistics", [fence("\n".join(document.statistics_lines()), "text")])


def _fold_compatible(document: Document, context: RenderContext) -> Iterator[_Section]:
    """Yield the changes that break nothing, folded: compatible ones, and wording that guides agents."""
    compatible = facts(document, context, (Urgency.COMPATIBLE,))
    new = [tool for tool in document.ranked_tools() if tool.is_plainly_added and not context.quiet]
    entries = [f"- new tool {code_span(tool.title)} {escape(tool.versions)}".rstrip() for tool in new]
    entries += map(_summarize, compatible)
    note = footnote(document, context)
    total = len(new) + sum(len(fact.entries) for fact in compatible)
    yield _details(
        f"{pluralize(total, 'compatible change')}",
        entries,
        sizes=[1] * len(new) + [len(fact.entries) for fact in compatible],
        note=f"\\* {escape(note)}" if note else "",
        noun="compatible",
    )
    words = facts(document, context, (Urgency.WORDS,))
    total = sum(len(fact.entries) for fact in words)
    sizes = [len(fact.entries) for fact in words]
    yield _details(
        f"{pluralize(total, 'change')} in wording that guides agents", list(map(_summarize, words)), sizes=sizes
    )


def _module_items(document: Document) -> Iterator[str]:
    """Yield the version bump of each module that has or needs one."""
    for module in document.modules:
        if module.words:
            words = f"**{module.words}**" if module.owed else module.words
            yield f"- {code_span(module.name)} {escape(module.versions)} {words}".replace("  ", " ")


def _fact(fact: Fact) -> str:
    """Return a breaking or undecided change with its tools and its proof, as a heading and paragraphs."""
    change = fact.first
    place = change.place
    named = [
        f"**{_capital(change.label)}**",
        f"{change.code} {escape(change.rule)}",
        code_span(f"{place.path}:{place.line}") if place is not None else "",
        escape(change.settled),
    ]
    paragraphs = [f"### {_capital(escape(fact.message))}", " · ".join(filter(None, named))]
    paragraphs += filter(None, (_tools(fact),))
    if change.code in _REMOVALS and not change.settled:
        paragraphs.append("Every call to it now fails." if len(fact.tools) == 1 else "Every call to them now fails.")
    if change.doubt:
        paragraphs.append(f"It {escape(change.doubt)}.")
    if fact.proved is not None:
        proof, lead = fact.proved
        paragraphs += [f"{_capital(escape(lead))}:", fenced_value(proof.value), escape(proof.error)]
    if fact.hint is not None:
        paragraphs.append(f"*Help:* {escape(fact.hint)}")
    return "\n\n".join(paragraphs)


def _tools(fact: Fact) -> str:
    """Return the tools that a fact applies to, with their versions and the bump that each needs."""
    shown = fact.tools[:_MOST_TOOLS]
    items = []
    for tool in shown:
        became = {ToolState.ADDED: "new", ToolState.REMOVED: "removed"}.get(tool.state, "")
        if tool.renamed_to is not None:
            became = f"possibly renamed to {code_span(tool.renamed_to)}"
        named = f"{code_span(tool.title)} {escape(tool.versions)}".rstrip()
        is_removal = tool.state is ToolState.REMOVED and tool.renamed_to is None
        items.append(", ".join(filter(None, (named, "" if is_removal else became, tool.owed))))
    more = f" and {len(fact.tools) - len(shown):,} more" if len(shown) < len(fact.tools) else ""
    if len(fact.tools) == 1:
        is_said = f"`{shown[0].title}`" in fact.message and items[0] == code_span(shown[0].title)
        return "" if is_said else f"In {items[0]}."
    return f"In {pluralize(len(fact.tools), 'tool')}: {'; '.join(items)}{more}."


def _summarize(fact: Fact) -> str:
    names = ", ".join(code_span(name) for name in fact.names[:_MOST_TOOLS])
    more = f" and {len(fact.names) - _MOST_TOOLS:,} more" if len(fact.names) > _MOST_TOOLS else ""
    star = "\\*" if any(entry.is_declared_only for entry in fact.entries) else ""
    return f"- {escape(fact.message)}{star} ({fact.first.code}): {names}{more}"


def _diagnostic(group: Group) -> str:
    """Return similar diagnostics as one item: the first in full, and the places of the others."""
    first = group.first
    tool = "" if first.tool is None or first.tool in first.message else f" ({code_span(first.tool)})"
    item = f"- {first.position} {first.label} {first.code}: {escape(first.message)}{tool}"
    if group.others:
        places = ", ".join(one.position for one in group.others[: MOST_PLACES - 1])
        more = len(group) - MOST_PLACES
        item += f"; also {places}" + (f" and {more:,} more" if more > 0 else "")
    if first.suppressed is not None:
        return f"{item}, suppressed: {escape(first.suppressed)}"
    return item if first.hint is None else f"{item}. *Help:* {escape(first.hint)}"


def _details(
    title: str, entries: Sequence[str], *, noun: str = "", sizes: Sequence[int] = (), note: str = ""
) -> _Section:
    tail = f"{note}\n\n</details>" if note else "</details>"
    return _Section(f"<details>\n<summary>{title}</summary>", entries, tail, "\n", noun, sizes)


def _limit(head: str, sections: Sequence[_Section], command: str) -> str:
    """Join the sections that fit, then count what is left out."""
    parts, used = [head], len(head)
    left: dict[str, int] = {}
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
        rest = sum(section.sizes[len(kept) :]) if section.sizes else len(section.entries) - len(kept)
        if section.noun and rest:
            left[section.noun] = left.get(section.noun, 0) + rest
    if left:
        counts = ", ".join(_count_omitted(noun, count) for noun, count in left.items())
        parts.append(f"**Omitted** to fit a comment: {counts}. `{command} --format json` shows all of them.")
    return "\n\n".join(parts)


def _count_omitted(noun: str, count: int) -> str:
    if noun == "finding":
        return f"{count:,} {'finding' if count == 1 else 'findings'}"
    changes = "change" if count == 1 else "changes"
    kinds = {"urgent": f"breaking or unknown {changes}", "compatible": f"compatible {changes}"}
    return f"{count:,} {kinds.get(noun, f'{changes} {noun}')}"


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
