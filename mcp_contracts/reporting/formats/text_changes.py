"""The changes of a diff as trees of text: a fact with its tools and its proof, then the counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts.change import ToolState
from mcp_contracts.diagnostics import Severity
from mcp_contracts.records import replace
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.diff.review import (
    URGENT,
    Fact,
    compatible_counts,
    facts,
    footnote,
    in_tools,
    is_minor,
    listed_tools,
)
from mcp_contracts.reporting.document import Document, Urgency
from mcp_contracts.reporting.layout import Node, leaf
from mcp_contracts.reporting.values import BRIEF, shorten, shown_value
from mcp_contracts.reporting.visible import visible

_MESSAGE_LIMIT = 600
_TOOLS_LIMIT = 4000


def change_trees(document: Document, context: RenderContext) -> Iterator[Node]:
    """Yield the changes: breaks first, then undecided, accepted and compatible ones, and changes of wording."""
    for fact in facts(document, context, (*URGENT, Urgency.SETTLED)):
        yield _fact_tree(fact, context)
    title = "compatible changes" if context.show_all else "compatible changes (`--all` lists them)"
    yield from _put_below_title(title, _compatible_nodes(document, context))
    words = [fact for fact in facts(document, context, (Urgency.WORDS,)) if not is_minor(fact.first)]
    yield from _put_below_title("wording that guides agents", map(_summarize, words))
    if context.show_all and not context.quiet:
        unchanged = [tool for tool in document.tools if not tool.entries and tool.state is ToolState.UNCHANGED]
        names = [f"{visible(tool.title)}  {tool.versions}".rstrip() for tool in unchanged]
        yield from _put_below_title("unchanged", [leaf(name) for name in names])


def _fact_tree(fact: Fact, context: RenderContext) -> Node:
    """Return a breaking or undecided change with its proof; a settled one is dimmed."""
    first = fact.first
    is_settled = first.urgency is Urgency.SETTLED
    is_dim = is_settled or first.severity in (None, Severity.NOTE)
    is_loud = first.urgency is Urgency.UNDECIDED or (not is_settled and first.severity is Severity.ERROR)
    label = first.label.upper() if is_loud else first.label
    head = (
        (label, "dim" if is_dim else str(first.severity)),
        (f"{first.code} {visible(first.rule)}", "dim" if is_settled else "strong"),
        (_where(fact), "dim"),
    )
    link = context.link(first.place.path) if first.place is not None else ""
    style = "dim" if is_settled else None
    children = [leaf(_limit(fact.message), style)]
    children += [
        leaf(shorten(visible(text), _TOOLS_LIMIT), style) for text in in_tools(fact, is_whole=context.show_all)
    ]
    if is_settled:
        return Node(head, (*children, leaf(first.settled, "dim")), link=link)
    if fact.proved is not None:
        proof, lead = fact.proved
        limits = replace(BRIEF, characters=min(BRIEF.characters, context.width - 24))
        value = tuple((line, "strong") for line in shown_value(proof.value, limits).lines(context.width - 6))
        refusal = leaf(_limit(proof.error))
        children.append(Node(((f"{_limit(lead)}:", None),), (Node(value, is_verbatim=True), refusal)))
    if first.doubt:
        children.append(leaf(_limit(first.doubt)))
    if fact.hint is not None:
        children.append(leaf(f"help: {_limit(fact.hint)}", "help"))
    return Node(head, tuple(children), link=link)


def _where(fact: Fact) -> str:
    place = fact.first.place
    if place is None:
        return ""
    more = len({entry.place for entry in fact.entries if entry.place is not None}) - 1
    return f"{visible(place.path)}:{place.line}" + (f" and {more:,} more" if more else "")


def _compatible_nodes(document: Document, context: RenderContext) -> Iterator[Node]:
    if context.show_all:
        yield from map(_summarize, facts(document, context, (Urgency.COMPATIBLE,)))
        yield from (_summarize(fact) for fact in facts(document, context, (Urgency.WORDS,)) if is_minor(fact.first))
    for count in compatible_counts(document, context):
        is_listed = count.code == "BC102"
        if context.show_all and not is_listed:
            continue
        star = "*" if count.is_declared_only else ""
        names = f": {visible(listed_tools(count.tools, is_whole=context.show_all))}" if is_listed else ""
        yield leaf(f"{count.words}{star} ({count.code}){shorten(names, _TOOLS_LIMIT)}")
    if note := footnote(document, context):
        yield leaf(f"* {note}", "dim")


def _summarize(fact: Fact) -> Node:
    """Return a fact without a proof, as a line and the list of its tools."""
    star = "*" if any(entry.is_declared_only for entry in fact.entries) else ""
    where = "; ".join(in_tools(fact, is_whole=True))
    text = f"{fact.first.code} {_limit(fact.message)}{star}" + (f" ({visible(where)})" if where else "")
    return leaf(shorten(text, _TOOLS_LIMIT))


def _put_below_title(title: str, nodes: Iterator[Node] | Sequence[Node]) -> Iterator[Node]:
    children = tuple(nodes)
    if children:
        yield Node(((title, "strong"),), children)


def _limit(text: str) -> str:
    return shorten(visible(text), _MESSAGE_LIMIT)
