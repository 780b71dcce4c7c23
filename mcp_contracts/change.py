"""Changes between two sets of contracts with their verdicts, the required version bumps, and the report."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Literal, get_args

from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Diagnostic, DiagnosticDict, Place, Severity
from mcp_contracts.records import TypedDict, as_dict, dataclass

Policy = Literal["declared", "sets", "strict"]
"""How schemas are read: as callers and consumers use them, as plain sets of values, or both."""

POLICIES: tuple[Policy, ...] = get_args(Policy)

UnknownPolicy = Literal["warn", "error", "ignore"]
"""The severity of an undecided change: a warning, an error, or nothing."""

Level = Literal["error", "warning", "note", "off"]
"""The severity of a change: it fails the run, is shown, or is hidden."""

LEVELS: tuple[Level, ...] = get_args(Level)

Direction = Literal["input", "output", "tool"]
"""The subject of a change: the input, the output, or the tool as a whole."""


class Verdict(StrEnum):
    """The effect of a change on the other side of the contract."""

    BREAKING = "breaking"  # with a witness, or by a structural fact that needs none
    COMPATIBLE = "compatible"  # with a proof
    UNKNOWN = "unknown"


class Bump(StrEnum):
    """A bump of a semantic version."""

    MAJOR = "major"
    MINOR = "minor"
    PATCH = "patch"
    NONE = "none"


class ToolState(StrEnum):
    """The state of a tool in a comparison."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Witness:
    """A value that proves a break, and the `error` of the schema that rejects it, on one line.

    The value is all arguments of a call that worked before and fails now, or data that a consumer may now receive and
    could not before.
    """

    value: JsonValue
    error: str


@dataclass(frozen=True, slots=True)
class Reason:
    """What prevented a proof: a keyword, its place and an explanation."""

    keyword: str
    pointer: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two contracts, with its verdict.

    `bump` is the bump that it requires on its own, before the rules for versions below 1.0.0. Pointers are relative to
    the schema that `direction` names; None if a side has no such place. `place` is in the new text, or in the old text
    if the new one has no such place. `accepted` is the reason for accepting it. `tags`: `open-content` (compatible only
    because callers only send declared names), `words` (text by which an agent chooses), `guess`. `level` is the level
    that the project sets for a break or an undecided change; see `level_of`.
    """

    code: str
    rule: str
    direction: Direction
    verdict: Verdict
    bump: Bump
    message: str
    hint: str | None = None
    old_pointer: str | None = None
    new_pointer: str | None = None
    place: Place | None = None
    witness: Witness | None = None
    reason: Reason | None = None
    tags: tuple[str, ...] = ()
    accepted: str | None = None
    fingerprint: str = ""
    level: Level | None = None

    @property
    def is_lowered(self) -> bool:
        """Whether the change breaks, but has a level below error in this project."""
        return self.verdict is Verdict.BREAKING and self.level not in (None, "error")

    def to_dict(self, *, is_covered: bool = False) -> ChangeDict:
        """Return the change as `diff --format json` writes it; `is_covered` means that its tool's version covers it."""
        level = level_of(self)
        is_settled = self.accepted is not None or (is_covered and self.verdict is Verdict.BREAKING)
        level = "note" if is_settled and level not in (None, "off") else level
        return as_dict(ChangeDict, self, self.place, level=level)


def level_of(change: Change, unknown: UnknownPolicy = "warn") -> Level | None:
    """Return the level of a change that is neither covered nor accepted; None if it is compatible.

    `unknown` sets the level of an undecided change without its own level.
    """
    if change.verdict is Verdict.COMPATIBLE:
        return None
    if change.level is not None:
        return change.level
    levels: dict[UnknownPolicy, Level] = {"warn": "warning", "error": "error", "ignore": "off"}
    return "error" if change.verdict is Verdict.BREAKING else levels[unknown]


@dataclass(frozen=True, slots=True)
class ToolDiff:
    """The changes of one tool. `tool` is its old name if it was removed, otherwise its new one.

    `module` groups tools for version bumps. `owed_bump` follows from the changes and the old version; `covered` says
    whether the declared version bump suffices, None if versions are not stated. `place` is the tool's heading in the
    new text, or in the old text if it was removed.
    """

    tool: str
    state: ToolState
    verdict: Verdict
    changes: tuple[Change, ...] = ()
    module: str | None = None
    renamed_to: str | None = None
    old_version: str | None = None
    new_version: str | None = None
    owed_bump: Bump = Bump.NONE
    covered: bool | None = None
    place: Place | None = None

    @property
    def open_breaks(self) -> tuple[Change, ...]:
        """The breaking changes of level `error` that are not accepted, regardless of the version."""
        return tuple(change for change in self._unaccepted_breaks if not change.is_lowered)

    @property
    def uncovered_breaks(self) -> tuple[Change, ...]:
        """The breaking changes that are neither accepted nor covered by the version bump; they fail the run."""
        return () if self.covered else self.open_breaks

    @property
    def lowered_breaks(self) -> tuple[Change, ...]:
        """The breaking changes that are neither covered nor accepted, but are only warnings or notes in this
        project."""
        lowered = (change for change in self._unaccepted_breaks if change.is_lowered and change.level != "off")
        return () if self.covered else tuple(lowered)

    @property
    def _unaccepted_breaks(self) -> tuple[Change, ...]:
        return tuple(
            change for change in self.changes if change.verdict is Verdict.BREAKING and change.accepted is None
        )

    def to_dict(self) -> ToolDiffDict:
        """Return the tool as `diff --format json` writes it."""
        changes = [change.to_dict(is_covered=bool(self.covered)) for change in self.changes]
        return as_dict(ToolDiffDict, self, self.place, changes=changes)


@dataclass(frozen=True, slots=True)
class ModuleDiff:
    """The version bump of one module; None if a version is not stated."""

    module: str
    old_version: str | None = None
    new_version: str | None = None
    owed_bump: Bump = Bump.NONE
    covered: bool | None = None

    def to_dict(self) -> ModuleDiffDict:
        """Return the module as `diff --format json` writes it."""
        return as_dict(ModuleDiffDict, self)


@dataclass(frozen=True, slots=True)
class DiffReport:
    """All changes between two sets of contracts.

    `tools` are sorted by name and include unchanged ones. `diagnostics` are the faults of the sources, of versions and
    of accepted changes.
    """

    policy: Policy = "declared"
    modules: tuple[ModuleDiff, ...] = ()
    tools: tuple[ToolDiff, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def changes(self) -> Iterator[tuple[ToolDiff, Change]]:
        """Yield every change with its tool."""
        for tool in self.tools:
            for change in tool.changes:
                yield tool, change

    def count(self, verdict: Verdict) -> int:
        """Return the number of changes with a verdict."""
        return sum(1 for _, change in self.changes() if change.verdict is verdict)

    @property
    def uncovered(self) -> int:
        """The number of breaking changes of level `error` that are neither accepted nor covered."""
        return sum(len(tool.uncovered_breaks) for tool in self.tools)

    @property
    def has_failed(self) -> bool:
        """Whether the run fails: because of an uncovered break, or a diagnostic that is an error."""
        return self.uncovered > 0 or any(
            diagnostic.severity is Severity.ERROR and diagnostic.suppressed is None for diagnostic in self.diagnostics
        )

    def to_dict(self) -> DiffReportDict:
        """Return the report as `diff --format json` writes it (`schemas/diff_report.schema.json`)."""
        states = [tool.state for tool in self.tools]
        summary: DiffSummaryDict = {
            "added": states.count(ToolState.ADDED),
            "removed": states.count(ToolState.REMOVED),
            "changed": states.count(ToolState.CHANGED),
            "unchanged": states.count(ToolState.UNCHANGED),
            "breaking": self.count(Verdict.BREAKING),
            "unknown": self.count(Verdict.UNKNOWN),
            "accepted": sum(1 for _, change in self.changes() if change.accepted is not None),
            "uncovered": self.uncovered,
        }
        return as_dict(DiffReportDict, self, format="mcp-contracts/diff", version=1, summary=summary)


class WitnessDict(TypedDict):
    """A value that proves a break, and the error of the schema that rejects it."""

    value: JsonValue
    error: str


class ReasonDict(TypedDict):
    """What prevented a proof."""

    keyword: str
    pointer: str
    message: str


class ChangeDict(TypedDict):
    """One change of a diff report."""

    code: str
    rule: str
    direction: Direction
    verdict: Literal["breaking", "compatible", "unknown"]
    level: Level | None
    old_pointer: str | None
    new_pointer: str | None
    line: int | None
    message: str
    hint: str | None
    accepted: str | None
    witness: WitnessDict | None
    reason: ReasonDict | None
    tags: list[str]
    fingerprint: str


class ToolDiffDict(TypedDict):
    """One tool of a diff report."""

    tool: str
    state: Literal["added", "removed", "changed", "unchanged"]
    verdict: Literal["breaking", "compatible", "unknown"]
    renamed_to: str | None
    old_version: str | None
    new_version: str | None
    owed_bump: Literal["major", "minor", "patch", "none"]
    covered: bool | None
    path: str | None
    line: int | None
    changes: list[ChangeDict]


class ModuleDiffDict(TypedDict):
    """One module of a diff report."""

    module: str
    old_version: str | None
    new_version: str | None
    owed_bump: Literal["major", "minor", "patch", "none"]
    covered: bool | None


class DiffSummaryDict(TypedDict):
    """The counts of a diff report: tools by state, then changes."""

    added: int
    removed: int
    changed: int
    unchanged: int
    breaking: int
    unknown: int
    accepted: int
    uncovered: int


class DiffReportDict(TypedDict):
    """What `diff --format json` prints."""

    format: Literal["mcp-contracts/diff"]
    version: Literal[1]
    policy: Policy
    summary: DiffSummaryDict
    modules: list[ModuleDiffDict]
    tools: list[ToolDiffDict]
    diagnostics: list[DiagnosticDict]
