"""The document that every report becomes before a format renders it: sections of files and tools, and their entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from mcp_contracts.diagnostics import KNOWN_IN, Part, Place, Related, Severity, SuppressedIn, group_key
from mcp_contracts.records import dataclass, field
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.values import shown_value
from mcp_contracts.reporting.visible import visible

if TYPE_CHECKING:
    from mcp_contracts.change import ToolState, Verdict, Witness  # a lint needs none of them


class Urgency(StrEnum):
    """The urgency of an entry, the most urgent first."""

    OPEN = "open"  # a diagnostic, or a break that neither a version step nor an acceptance covers
    UNDECIDED = "undecided"
    SETTLED = "settled"  # a suppressed diagnostic, or a break or an undecided change that is covered or accepted
    COMPATIBLE = "compatible"
    WORDS = "words"


_ORDER = tuple(Urgency)


@dataclass(frozen=True, slots=True)
class Entry:
    """One diagnostic, or one change of a tool.

    `severity` is None for a change that requires nothing. `suppressed` is the reason why it was suppressed or accepted,
    and `suppressed_in` says where. `fingerprint` survives moved lines.

    Only changes have a `verdict` and its consequences: `remarks` are words to append to the message, `settled` says why
    a break requires nothing, `proof` is the witness, and `doubt` says what stopped the proof. `is_declared_only` says
    that it is compatible only because callers and consumers only use declared names. `properties` are other values for
    programs.
    """

    code: str
    rule: str
    severity: Severity | None
    message: str
    hint: str | None
    place: Place | None
    tool: str | None = None
    part: Part | None = None
    pointer: str | None = None
    related: tuple[Related, ...] = ()
    suppressed: str | None = None
    suppressed_in: SuppressedIn | Literal["accepted"] | None = None
    fingerprint: str = ""
    urgency: Urgency = Urgency.OPEN
    verdict: Verdict | None = None
    remarks: str = ""
    settled: str = ""
    proof: Witness | None = None
    doubt: str = ""
    is_declared_only: bool = False
    properties: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The severity of a diagnostic, or the verdict of a change."""
        if self.verdict is not None:
            return self.verdict.value
        return "" if self.severity is None else self.severity.value

    @property
    def lead(self) -> str:
        """The words that introduce the proof."""
        if self.part == "output":
            return "this result was impossible before and is possible now"
        return "this call worked before and fails now"

    @property
    def position(self) -> str:
        """The line and column, like `41:3`; empty without a place."""
        return "" if self.place is None else f"{self.place.line}:{self.place.column}"

    @property
    def is_known(self) -> bool:
        """Whether it was known before the run, by a baseline or a revision."""
        return self.suppressed_in in KNOWN_IN

    @property
    def group(self) -> str:
        """The code and shape of the message: the same for entries that differ only in names, values and numbers."""
        return group_key(self.code, self.message)

    @property
    def is_ignored(self) -> bool:
        """Whether the project turned it off: a break or an undecided change with the level `off`."""
        return self.severity is None and self.urgency in (Urgency.OPEN, Urgency.UNDECIDED, Urgency.SETTLED)

    def is_shown(self, context: RenderContext) -> bool:
        """Whether formats for people show it: not if ignored, if suppressed only on request, and with `quiet` only if
        it fails.
        """
        if self.is_ignored or (self.suppressed is not None and self.verdict is None and not context.show_all):
            return False
        return not context.quiet or self.severity in context.failing

    def detail_lines(self) -> Iterator[str]:
        """Yield the lines below the message, as plain text that is safe to show: the proof and the hint."""
        if self.remarks:
            yield self.remarks
        if self.is_declared_only:
            yield declared_only_words(self.part)
        if self.settled:
            yield self.settled
        if self.proof is not None:
            yield f"{self.lead}:"
            yield f"  {shown_value(self.proof.value).line()}"
            yield f"  {visible(self.proof.error)}"
        if self.doubt:
            yield self.doubt
        if self.hint is not None and not self.settled:
            yield f"help: {visible(self.hint)}"

    def related_lines(self) -> Iterator[str]:
        """Yield the other places that it mentions, as plain lines that are safe to show."""
        for related in self.related:
            where = f"{related.place.path}:{related.place.line}:{related.place.column}"
            yield f"note: {visible(where)}: {visible(related.message)}"


@dataclass(frozen=True, slots=True)
class FileSection:
    """The diagnostics of one file. `text` is the file's own, for excerpts; None without excerpts."""

    title: str
    entries: tuple[Entry, ...] = ()
    text: str | None = None

    @property
    def outcome(self) -> str:
        """The remark for a file without diagnostics."""
        return "no problems"

    def shown(self, context: RenderContext) -> tuple[Entry, ...]:
        """Return the diagnostics to show, sorted by place."""
        return tuple(entry for entry in self.entries if entry.is_shown(context))


@dataclass(frozen=True, slots=True)
class ToolSection:
    """The changes of one tool.

    `versions` are like `1.2.0 → 1.3.0`; `owed` is the bump that it requires, like `needs a major bump (2.0.0)`.
    """

    title: str
    state: ToolState
    entries: tuple[Entry, ...] = ()
    module: str | None = None
    versions: str = ""
    owed: str = ""
    renamed_to: str | None = None

    @property
    def outcome(self) -> str:
        """The remark for a tool without changes."""
        return self.state.value

    @property
    def is_plainly_added(self) -> bool:
        """Whether the only change is that the tool is new."""
        compatible = (Urgency.COMPATIBLE, Urgency.WORDS)
        return self.state == "added" and all(entry.urgency in compatible for entry in self.entries)

    def shown(self, context: RenderContext) -> tuple[Entry, ...]:
        """Return the changes to show, the most urgent first."""
        entries = (entry for entry in self.entries if entry.is_shown(context))
        return tuple(sorted(entries, key=lambda entry: _ORDER.index(entry.urgency)))


@dataclass(frozen=True, slots=True)
class ModuleStep:
    """The version step of a module.

    `versions` are like `1.2.0 → 1.3.0`, `version` is the new one. `owed` is the version that it should have, `words` is
    the remark after its versions.
    """

    name: str
    versions: str
    words: str
    owed: str
    version: str | None
    is_changed: bool


@dataclass(frozen=True, slots=True)
class Document:
    """A report, ready for every format.

    `values` gives what `json` writes. `tools` is sorted by name, and `files` by path. `headline` summarizes the report
    in a few words, `summary` in a line; `advice` says what to do. `compared` names the two sides of a diff.
    `has_failed` states that the run fails regardless of the gate, `has_baseline` that findings were compared with those
    that were known before.
    """

    command: Literal["lint", "diff"]
    values: Callable[[], Mapping[str, Any]]
    headline: str
    summary: str
    files: tuple[FileSection, ...] = ()
    tools: tuple[ToolSection, ...] = ()
    modules: tuple[ModuleStep, ...] = ()
    compared: tuple[str, str] | None = None
    advice: str = ""
    has_failed: bool = False
    has_baseline: bool = False

    def sections(self) -> tuple[ToolSection | FileSection, ...]:
        """Return all sections: tools by name, then files by path."""
        return (*self.tools, *self.files)

    def entries(self) -> Iterator[Entry]:
        """Yield all entries: changes by tool, then diagnostics by file."""
        for section in self.sections():
            yield from section.entries

    def shown(self, context: RenderContext) -> Iterator[Entry]:
        """Return the sections to show: the changes of the tools by urgency, then the diagnostics by file."""
        for tool in self.ranked_tools():
            yield from tool.shown(context)
        for file in self.files:
            yield from file.shown(context)

    def count(self, severity: Severity) -> int:
        """Count the entries of a severity that are neither suppressed nor accepted."""
        return sum(1 for entry in self.entries() if entry.severity is severity and entry.suppressed is None)

    def ranked_tools(self) -> list[ToolSection]:
        """Return the tools in order of their most urgent change, then by name; added and unchanged tools last."""
        return sorted(self.tools, key=lambda tool: (_rank(tool), tool.title))

    def statistics(self) -> list[tuple[int, str, str, str]]:
        """Return the number of findings of each rule, the most frequent first: count, code, name, severity."""
        counts = Counter(
            (entry.code, visible(entry.rule), entry.label) for entry in self.entries() if entry.suppressed is None
        )
        rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
        return [(count, *row) for row, count in rows]

    def statistics_lines(self) -> Iterator[str]:
        """Yield a plain-text table of the number of findings for each rule."""
        rows = self.statistics()
        digits = max((len(str(count)) for count, *_ in rows), default=0)
        width = max((len(name) for _, _, name, _ in rows), default=0)
        for count, code, name, label in rows:
            yield f"{count:{digits}}  {code}  {name:{width}}  {label}"


def declared_only_words(*parts: Part | None) -> str:
    """Explain why changes of some parts are compatible, although the policy `sets` calls them breaking."""
    who = [words for part, words in _KEEPING_TO_NAMES if part in parts]
    return f"compatible because {' and '.join(who)} declared names (policy `declared`)"


_KEEPING_TO_NAMES = (("input", "callers only send"), ("output", "consumers only read"))


def pluralize(count: int, noun: str) -> str:
    """Return a count and its noun: `1 tool`, `2 tools`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _rank(tool: ToolSection) -> int:
    most_urgent = min((_ORDER.index(entry.urgency) for entry in tool.entries), default=len(_ORDER) + 1)
    return len(_ORDER) if tool.is_plainly_added else most_urgent
