"""What the formats of `diff` share: how a change stands, the order of tools, the versions owed, the summary line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum

from mcp_contracts.change import Bump, Change, DiffReport, Level, ModuleDiff, ToolDiff, ToolState, Verdict, level_of
from mcp_contracts.diagnostics import Diagnostic, Place, Severity
from mcp_contracts.reporting.changes.context import DiffContext
from mcp_contracts.reporting.changes.values import shown_value
from mcp_contracts.reporting.visible import visible

_VERSION = re.compile(r"(0|[1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,17})")
_NAMED_MODULES = 3  # in the summary line


class Standing(StrEnum):
    """What a change asks of its reader, the most urgent first."""

    OPEN = "open"  # breaks, and neither a version step nor an acceptance covers it
    UNDECIDED = "undecided"
    SETTLED = "settled"  # breaks or is undecided, and is covered or accepted
    COMPATIBLE = "compatible"
    WORDS = "words"


_ORDER = tuple(Standing)


def standing(tool: ToolDiff, change: Change) -> Standing:
    """How a change of a tool stands."""
    if change.verdict is Verdict.COMPATIBLE:
        return Standing.WORDS if "words" in change.tags else Standing.COMPATIBLE
    if change.accepted is not None:
        return Standing.SETTLED
    if change.verdict is Verdict.UNKNOWN:
        return Standing.UNDECIDED
    return Standing.SETTLED if tool.covered else Standing.OPEN


def printed(tool: ToolDiff, context: DiffContext) -> Iterator[tuple[Standing, Change]]:
    """Yield the changes of a tool that a person is to see, the most urgent first: what fails alone if quiet."""
    standings = ((standing(tool, change), change) for change in tool.changes)
    for stands, change in sorted(standings, key=lambda one: _ORDER.index(one[0])):
        if level_of(change, context.unknown) == "off":
            continue
        if not context.quiet or severity_of(change, stands, context) in context.failing:
            yield stands, change


def severity_of(change: Change, stands: Standing, context: DiffContext) -> Severity | None:
    """How severe a change is that stands so; None where it asks for nothing."""
    level = level_of(change, context.unknown)
    if level is None or level == "off":
        return None
    return Severity.NOTE if stands is Standing.SETTLED else Severity(level)


def severity_counts(report: DiffReport, context: DiffContext) -> Counter[Severity]:
    """How many changes and diagnostics of each severity are open: neither accepted nor suppressed."""
    changes = (
        severity_of(change, standing(tool, change), context)
        for tool, change in report.changes()
        if change.accepted is None
    )
    diagnostics = (one.severity for one in other_diagnostics(report) if one.suppressed is None)
    return Counter(severity for severity in (*changes, *diagnostics) if severity is not None)


def ranked(report: DiffReport) -> list[ToolDiff]:
    """The tools in the order of what is most urgent about them, then by name; added and unchanged ones last."""
    return sorted(report.tools, key=lambda tool: (_rank(tool), tool.tool))


_SAID_BY_BREAKS = "MC207"  # a break that is not announced
_SAID_BY_CHANGES = (_SAID_BY_BREAKS, "MC211")  # and a change that is not decided


def other_diagnostics(report: DiffReport) -> tuple[Diagnostic, ...]:
    """The diagnostics that say more than the changes themselves, which stand beside them."""
    return tuple(one for one in report.diagnostics if one.code not in _SAID_BY_CHANGES)


def printed_diagnostics(report: DiffReport, context: DiffContext) -> tuple[Diagnostic, ...]:
    """What the sources, the version rules and the accepted changes have to say to a person."""
    return tuple(
        diagnostic
        for diagnostic in other_diagnostics(report)
        if (diagnostic.suppressed is None or (context.show_all and not context.quiet))
        and (not context.quiet or diagnostic.severity in context.failing)
    )


def place_of(tool: ToolDiff, change: Change) -> Place | None:
    """Where a change stands: its own place, or its tool's heading."""
    return change.place or tool.place


def lead(change: Change) -> str:
    """What the witness of a change shows, as the line before it."""
    if change.direction == "output":
        return "this result was impossible before and can come now"
    return "this call worked before and fails now"


def reason_words(change: Change) -> str:
    """What stopped the proof of an undecided change; nothing where that is not known."""
    reason = change.reason
    if reason is None:
        return ""
    if not reason.keyword:  # the change says already why
        return (
            ""
            if not reason.message or reason.message in change.message
            else visible(f"could not be decided: {reason.message}")
        )
    why = f": {reason.message}" if reason.message else ""
    where = f" at {reason.pointer}" if reason.pointer else ""
    return visible(f"could not be decided because of `{reason.keyword}`{where}{why}")


def remarks(change: Change) -> str:
    """What the tags of a change mean, as words to put behind its message."""
    words = []
    if "open-content" in change.tags:
        words.append("it concerns undeclared names alone")
    if "guess" in change.tags:
        words.append("a guess")
    if change.is_lowered and change.level != "off":
        words.append(f"a {change.level} in this project")
    return f" ({'; '.join(words)})" if words else ""


def settled_words(tool: ToolDiff, change: Change) -> str:
    """Why a break asks for nothing: the version step that covers it, or the reason for which it was accepted."""
    if change.accepted is not None:
        return f"accepted: {visible(change.accepted)}"
    step = version_step(tool)
    return f"covered by {step}" if " → " in step else "covered by the version of its module"


def detail_lines(tool: ToolDiff, change: Change, stands: Standing) -> Iterator[str]:
    """Yield the proof of a change, how it stands and its hint, as plain lines that are safe to show."""
    if words := remarks(change):
        yield words.strip(" ()")
    if stands is Standing.SETTLED:
        yield settled_words(tool, change)
    if change.witness is not None:
        yield f"{lead(change)}:"
        yield f"  {shown_value(change.witness.value).line()}"
        yield f"  {visible(change.witness.error)}"
    if reason := reason_words(change):
        yield reason
    if change.hint is not None and stands is not Standing.SETTLED:
        yield f"help: {visible(change.hint)}"


def version_step(diff: ToolDiff | ModuleDiff) -> str:
    """The versions of a tool or module as `1.2.0 → 1.2.1`: one where they are equal, nothing where none is stated."""
    versions = [visible(version) for version in (diff.old_version, diff.new_version) if version is not None]
    return " → ".join(dict.fromkeys(versions))


def next_version(version: str | None, bump: Bump) -> str | None:
    """The version that follows by a step, or None where `version` is not three numbers or nothing is owed."""
    match = _VERSION.fullmatch(version or "")
    if match is None:
        return None
    major, minor, patch = map(int, match.groups())
    return {
        Bump.MAJOR: f"{major + 1}.0.0",
        Bump.MINOR: f"{major}.{minor + 1}.0",
        Bump.PATCH: f"{major}.{minor}.{patch + 1}",
        Bump.NONE: None,
    }[bump]


def owed(diff: ToolDiff | ModuleDiff) -> str:
    """The version that a tool or module owes, as `2.0.0` or `a major step`; nothing where it owes none."""
    if diff.covered is not False or diff.owed_bump is Bump.NONE:
        return ""
    return next_version(diff.old_version, diff.owed_bump) or f"a {diff.owed_bump.value} step"


def owed_words(diff: ToolDiff | ModuleDiff) -> str:
    """What a tool or module owes as a phrase: `owes a major step (2.0.0)`; nothing where it owes none."""
    if not (what := owed(diff)):
        return ""
    step = f"a {diff.owed_bump.value} step"
    return f"owes {step}" if what == step else f"owes {step} ({what})"


def version_words(module: ModuleDiff) -> str:
    """What is to be said behind the versions of a module: `should be 2.0.0`, or that its step suffices."""
    if what := owed(module):
        return f"should {'take' if what.startswith('a ') else 'be'} {what}"
    if module.covered and module.owed_bump is not Bump.NONE:
        return f"covers the {module.owed_bump.value} step owed"
    return ""


def summary_line(report: DiffReport, context: DiffContext) -> str:
    """The report in one line: `2 breaking changes in 1 of 12 tools, 1 unknown, 5 compatible; weather owes 2.0.0`."""
    parts = [_counts(report, context), *_owing(report)]
    severities = Counter(
        one.severity for one in report.diagnostics if one.code != _SAID_BY_BREAKS and one.suppressed is None
    )
    if found := ", ".join(counted(severities[one], one.value) for one in Severity if severities[one]):
        parts.append(found)
    return "; ".join(parts)


def _counts(report: DiffReport, context: DiffContext) -> str:
    standings = Counter(standing(tool, change) for tool, change in report.changes())
    breaks = [(tool, change) for tool, change in report.changes() if change.verdict is Verdict.BREAKING]
    total = counted(len(report.tools), "tool")
    ignored = " (ignored)" if context.unknown == "ignore" else ""
    others = (
        (report.count(Verdict.UNKNOWN), f"unknown{ignored}"),
        (standings[Standing.COMPATIBLE], "compatible"),
        (standings[Standing.WORDS], "in words"),
    )
    named = [f"{count} {words}" for count, words in others if count]
    if breaks:
        tools = len({tool.tool for tool, _ in breaks})
        accepted = sum(1 for _, change in breaks if change.accepted is not None)
        covered = sum(1 for tool, change in breaks if change.accepted is None and tool.covered)
        lowered = Counter(change.level for tool, change in breaks if change.is_lowered and _is_open(tool, change))
        words: dict[Level, str] = {"warning": "as a warning", "note": "as a note", "off": "ignored"}
        counts = ((covered, "covered"), (accepted, "accepted"), *((lowered[one], words[one]) for one in words))
        kinds = [f"{count} {word}" for count, word in counts if count]
        settled = f" ({', '.join(kinds)})" if len(kinds) > 2 else f" ({' and '.join(kinds)})" if kinds else ""
        return ", ".join((f"{counted(len(breaks), 'breaking change')} in {tools} of {total}{settled}", *named))
    if named:
        tools = sum(1 for tool in report.tools if tool.changes)
        return f"no breaking change in {total}, {tools} changed: {', '.join(named)}"
    if report.tools:
        return f"nothing changed in {total}"
    is_broken = any(one.severity is Severity.ERROR for one in report.diagnostics)
    return "nothing was compared" if is_broken else "nothing changed"


def _is_open(tool: ToolDiff, change: Change) -> bool:
    return standing(tool, change) is Standing.OPEN


def _owing(report: DiffReport) -> Iterator[str]:
    owing = [module for module in report.modules if owed(module)]
    for module in owing[:_NAMED_MODULES]:
        yield f"{visible(module.module)} owes {owed(module)}"
    if len(owing) > _NAMED_MODULES:
        yield f"{len(owing) - _NAMED_MODULES} more owe a step"


def _rank(tool: ToolDiff) -> int:
    ranks = [_ORDER.index(standing(tool, change)) for change in tool.changes]
    settled = _ORDER.index(Standing.SETTLED)
    if tool.state is ToolState.ADDED and min(ranks, default=len(_ORDER)) > settled:
        return len(_ORDER)
    return min(ranks, default=len(_ORDER) + 1)


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
