"""Rules' metadata, their findings, and the report that collects them.

A *rule* yields *findings*. The engine adds the place, the rule's code and its severity to each: a *diagnostic*. All
diagnostics of a run are the *report*.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.records import TypedDict, as_dict, dataclass

Part = Literal["input", "output", "example"]
"""The root of a JSON pointer: a tool's input schema, its output schema, or one of its examples."""

SuppressedIn = Literal["source", "configuration", "baseline", "revision"]
"""The place of a suppression: a comment in the file itself, or the project's configuration.

A known finding is suppressed too: in the baseline that records it, or in the revision that contains it.
"""
KNOWN_IN: tuple[SuppressedIn, ...] = ("baseline", "revision")
"""The kinds of suppression for known findings."""

_VARIES = re.compile(r'`[^`]*`|(?<!\\)"(?:[^"\\]|\\.)*"|\d+(?:[.,]\d+)*')


class Severity(StrEnum):
    """The severity of a fault: it does not work, it will cause problems, or it could be better."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A span of a file. Lines and columns count from 1, columns in code points; the end column is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that a finding refers to, such as the first definition of a duplicate name."""

    place: Place
    message: str

    def to_dict(self) -> RelatedDict:
        """Return it as reports write it."""
        return as_dict(RelatedDict, self, self.place)


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Text that replaces a span of a file; an empty span is an insertion."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """An automatic fix of a finding.

    A safe fix does not change a tool's meaning beyond the finding itself; an unsafe fix makes a decision that only the
    author can make with certainty.
    """

    edits: tuple[TextEdit, ...]
    is_safe: bool = True


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """The metadata of a rule.

    `code` is stable and never reused, `name` names the fault, `since` is the version that introduced the rule,
    `summary` is one sentence and `rationale` says why it matters (both from the check's docstring).
    """

    code: str
    name: str
    severity: Severity
    since: str
    summary: str
    rationale: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault or weakness that a rule found.

    Its place is `place` if the rule knows it; else the place of `part` and `pointer`, which the engine looks up in the
    tool's text (`on_key` selects the property's name instead of its value); else the tool's heading. `message` states
    the fault on one line, `hint` how to fix it. For findings that explain others, `causes` are pointers into the schema
    at which a fault would explain this one, and `names` are the names of tools or sections that it compares with the
    tool's own.
    """

    message: str
    hint: str | None = None
    place: Place | None = None
    part: Part | None = None
    pointer: str | None = None
    on_key: bool = False
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    causes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding with its place.

    `suppressed` is the reason for silencing it, and `suppressed_in` says where; None if it is not suppressed.
    """

    code: str
    rule: str
    severity: Severity
    message: str
    hint: str | None
    place: Place
    tool: str | None = None
    part: Part | None = None
    pointer: str | None = None
    related: tuple[Related, ...] = ()
    suppressed: str | None = None
    suppressed_in: SuppressedIn | None = None
    fix: Fix | None = None
    fingerprint: str = ""

    @classmethod
    def of(cls, rule: RuleInfo, finding: Finding, place: Place, tool: str | None = None) -> Diagnostic:
        """Create a diagnostic from a finding, with the rule's default severity."""
        return cls(
            code=rule.code,
            rule=rule.name,
            severity=rule.severity,
            message=finding.message,
            hint=finding.hint,
            place=place,
            tool=tool,
            part=finding.part,
            pointer=finding.pointer,
            related=finding.related,
            fix=finding.fix,
        )

    @property
    def is_known(self) -> bool:
        """Whether a baseline or a revision already contains it."""
        return self.suppressed_in in KNOWN_IN

    @property
    def group(self) -> str:
        """The code and shape: the same for diagnostics that differ only in names, quoted values and numbers."""
        return group_key(self.code, self.message)

    def to_dict(self) -> DiagnosticDict:
        """Return the diagnostic as the `lint --format json` report writes it."""
        return as_dict(DiagnosticDict, self, self.place, fixable=self.fix is not None)


def group_key(code: str, message: str) -> str:
    """Return a code and the shape of a message, which ignores names, quoted values and numbers."""
    return f"{code} {_VARIES.sub('…', message)}"


@dataclass(frozen=True, slots=True)
class KnownFinding:
    """A known finding: a diagnostic without its lines.

    `path` is relative to the folder in which the findings are compared.
    """

    path: str
    tool: str | None
    code: str
    part: Part | None
    pointer: str | None
    message: str

    def to_dict(self) -> KnownDict:
        """Return the finding as baselines and reports write it."""
        return as_dict(KnownDict, self)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the findings of a run were compared with: a baseline, a git revision, or both.

    `stale` are the entries of the baseline whose findings are gone.
    """

    baseline: str | None = None
    revision: str | None = None
    stale: tuple[KnownFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """All diagnostics of a lint run, sorted by path and place, with counts.

    `files` and `tools` count what was linted, `skipped` the files and folders that a search skipped and the files that
    are not checked for a reason that is not selected (MC027). Suppressed diagnostics are kept, and counted separately.
    `compared` says what known findings were compared with, if anything.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    files: int = 0
    tools: int = 0
    skipped: int = 0
    compared: Comparison | None = None

    def shown(self) -> tuple[Diagnostic, ...]:
        """Return the diagnostics that are not suppressed."""
        return tuple(diagnostic for diagnostic in self.diagnostics if diagnostic.suppressed is None)

    def count(self, severity: Severity) -> int:
        """Return the number of unsuppressed diagnostics with this severity."""
        return sum(1 for diagnostic in self.shown() if diagnostic.severity is severity)

    @property
    def known(self) -> int:
        """The number of known diagnostics."""
        return sum(1 for diagnostic in self.diagnostics if diagnostic.is_known)

    @property
    def suppressed(self) -> int:
        """The number of diagnostics that a comment or the configuration suppresses."""
        return len(self.diagnostics) - len(self.shown()) - self.known

    def to_dict(self) -> ReportDict:
        """Return the report as `lint --format json` writes it (`schemas/lint_report.schema.json`)."""
        counts = {f"{severity}s": self.count(severity) for severity in Severity}
        summary = as_dict(SummaryDict, self, **counts)
        return as_dict(ReportDict, self, format="mcp-contracts/lint", version=1, summary=summary)


class RelatedDict(TypedDict):
    """A second place that a diagnostic mentions."""

    path: str
    line: int
    column: int
    message: str


class DiagnosticDict(TypedDict):
    """One diagnostic of a lint report."""

    code: str
    rule: str
    severity: Literal["error", "warning", "note"]
    path: str
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    tool: str | None
    part: Part | None
    pointer: str | None
    message: str
    hint: str | None
    related: list[RelatedDict]
    suppressed: str | None
    suppressed_in: SuppressedIn | None
    fixable: bool
    group: str
    fingerprint: str


class SummaryDict(TypedDict):
    """The counts of a lint report; errors, warnings and notes exclude suppressed and known findings."""

    files: int
    tools: int
    errors: int
    warnings: int
    notes: int
    suppressed: int
    known: int
    skipped: int


class KnownDict(TypedDict):
    """A finding that a baseline records."""

    path: str
    tool: str | None
    code: str
    part: Part | None
    pointer: str | None
    message: str


class ComparisonDict(TypedDict):
    """What the findings of a run were compared with."""

    baseline: str | None
    revision: str | None
    stale: list[KnownDict]


class ReportDict(TypedDict):
    """What `lint --format json` prints."""

    format: Literal["mcp-contracts/lint"]
    version: Literal[1]
    summary: SummaryDict
    compared: ComparisonDict | None
    diagnostics: list[DiagnosticDict]


@dataclass(frozen=True, slots=True)
class RuleSelection:
    """The rules to run and their severities. Codes are matched by prefix (`MC3` selects a family)."""

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, Severity], ...] = ()

    def includes(self, code: str) -> bool:
        """Whether a rule runs. The longest matching prefix wins; at equal length, `ignore` wins."""
        selected = _longest_match(code, (*self.select, *self.extend_select), default=-1 if self.select else 0)
        return selected > _longest_match(code, self.ignore, default=-1)

    def level(self, code: str, default: Severity) -> Severity:
        """Return the severity of a rule after overrides; the longest matching prefix wins, then the later one."""
        best = -1
        level = default
        for prefix, severity in self.severity:
            if code.startswith(prefix) and len(prefix) >= best:
                best, level = len(prefix), severity
        return level


def _longest_match(code: str, prefixes: Iterable[str], *, default: int) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=default)
