"""The changes of a diff as a reviewer reads them: each fact once for all affected tools, and the rest counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts.change import Witness
from mcp_contracts.records import dataclass
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.diff.kinds import counted_kind
from mcp_contracts.reporting.document import (
    Document,
    Entry,
    ToolSection,
    Urgency,
    declared_only_words,
    pluralize,
)

URGENT = (Urgency.OPEN, Urgency.UNDECIDED)
_MOST_TOOLS = 30
_DESCRIPTIONS = ("BC111", "BC112")
"""Codes of wording changes of a whole tool, which are shown. Wording changes of parameters and results are counted."""
_ABOUT_VERSIONS = ("major step", "deprecated", "release ")
"""Phrases that mark a hint as useful only for tools with versions and statuses."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: what changed, the entries that say so, and their tools in order, each named once.

    `message` names no tool if several are affected. `hint` is what to do here, or None.
    """

    message: str
    entries: tuple[Entry, ...]
    tools: tuple[ToolSection, ...]
    hint: str | None

    @property
    def first(self) -> Entry:
        """The entry that represents the group."""
        return self.entries[0]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tools, a rename with its new name."""
        return tuple(
            f"{tool.title} → {tool.renamed_to}" if tool.renamed_to is not None else tool.title for tool in self.tools
        )

    @property
    def proved(self) -> tuple[Witness, str] | None:
        """One proof, and the sentence that introduces it, which names the tool if there are several."""
        for entry in self.entries:
            if entry.proof is not None:
                lead = entry.lead
                if len(self.tools) > 1:
                    lead = lead.replace("this call", f"this call to `{entry.tool}`", 1)
                    lead = lead.replace("this result", f"this result of `{entry.tool}`", 1)
                return entry.proof, lead
        return None


@dataclass(frozen=True, slots=True)
class Count:
    """The number of changes of one kind. `tools` are their names; `is_declared_only` states that some verdicts assume
    that callers and consumers only use declared names.
    """

    code: str
    words: str
    tools: tuple[str, ...]
    is_declared_only: bool


def listed_tools(names: Sequence[str], *, is_whole: bool = False) -> str:
    """List names: the first thirty and the number of the others, or all of them."""
    shown = names if is_whole else names[:_MOST_TOOLS]
    more = f" and {len(names) - len(shown):,} more" if len(shown) < len(names) else ""
    return f"{', '.join(shown)}{more}"


def facts(document: Document, context: RenderContext, urgencies: Sequence[Urgency]) -> list[Fact]:
    """Return the facts of some urgencies, the most urgent first, then by code: a change in many tools is one fact."""
    alike: dict[tuple[object, ...], list[tuple[ToolSection, Entry]]] = {}
    for tool in document.ranked_tools():
        for entry in () if tool.is_plainly_added else tool.shown(context):
            if entry.urgency in urgencies:
                key = (entry.urgency, entry.severity, entry.code, _general(entry.message, tool), entry.settled)
                alike.setdefault((*key, entry.remarks, _general(entry.doubt, tool)), []).append((tool, entry))
    found = [_fact(pairs) for pairs in alike.values()]
    return sorted(found, key=lambda fact: (urgencies.index(fact.first.urgency), fact.first.code))


def compatible_counts(document: Document, context: RenderContext) -> list[Count]:
    """Return the compatible changes by kind, including new tools and the wording of parameters and results."""
    by_code: dict[str, list[tuple[ToolSection, Entry]]] = {}
    for tool in document.ranked_tools():
        for entry in tool.shown(context):
            if entry.urgency is Urgency.COMPATIBLE or (is_minor(entry) and not tool.is_plainly_added):
                by_code.setdefault(entry.code, []).append((tool, entry))
    return [
        Count(
            code,
            counted_kind(code, len(pairs)),
            tuple(dict.fromkeys(tool.title for tool, _ in pairs)),
            any(entry.is_declared_only for _, entry in pairs),
        )
        for code, pairs in sorted(by_code.items())
    ]


def is_minor(entry: Entry) -> bool:
    """Whether it is a wording change that hardly affects which tool an agent chooses."""
    return entry.urgency is Urgency.WORDS and entry.code not in _DESCRIPTIONS


def footnote(document: Document, context: RenderContext) -> str:
    """Yield the meaning of `*` after a count, if any count has one."""
    entries = [entry for tool in document.tools for entry in tool.shown(context) if entry.is_declared_only]
    return declared_only_words(*(entry.part for entry in entries)) if entries else ""


def in_tools(fact: Fact, *, is_whole: bool = False) -> Iterator[str]:
    """Yield the names of the tools that a fact applies to, unless the message contains them."""
    if len(fact.tools) > 1:
        yield f"in {pluralize(len(fact.tools), 'tool')}: {listed_tools(fact.names, is_whole=is_whole)}"
    elif f"`{fact.tools[0].title}`" not in fact.message:
        yield f"in {fact.names[0]}"


def _fact(pairs: Sequence[tuple[ToolSection, Entry]]) -> Fact:
    tool, entry = pairs[0]
    tools = {one.title: one for one, _ in pairs}
    is_one = len(tools) == 1
    message = entry.message if is_one else _general(entry.message, tool)
    remarks = f" ({entry.remarks})" if entry.remarks else ""
    hints = {_general(one.hint or "", section) for section, one in pairs}
    hint = entry.hint if is_one else hints.pop() if len(hints) == 1 else None
    if hint is not None and (not hint or _is_about_versions(hint, tool) or entry.settled):
        hint = None
    return Fact(f"{message}{remarks}", tuple(one for _, one in pairs), tuple(tools.values()), hint)


def _general(text: str, tool: ToolSection) -> str:
    """Return text about one tool, without its name."""
    if tool.renamed_to is not None:
        text = text.replace(f" to `{tool.renamed_to}`", "").replace(tool.renamed_to, "…")
    return text.replace(f"`{tool.title}`", "the tool")


def _is_about_versions(hint: str, tool: ToolSection) -> bool:
    return not tool.versions and any(words in hint for words in _ABOUT_VERSIONS)
