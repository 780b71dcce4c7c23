"""Convert a diff to a document: a section for each tool, with the meaning of each change in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from shlex import quote

from mcp_contracts.change import (
    Bump,
    Change,
    DiffReport,
    Level,
    ModuleDiff,
    ToolDiff,
    ToolState,
    UnknownPolicy,
    Verdict,
    level_of,
)
from mcp_contracts.diagnostics import Diagnostic, Severity
from mcp_contracts.reporting.document import Document, Entry, ModuleStep, ToolSection, Urgency, pluralize
from mcp_contracts.reporting.lint_document import file_sections
from mcp_contracts.reporting.visible import visible
from mcp_contracts.version_ranges import read_version


def version_step(diff: ToolDiff | ModuleDiff) -> str:
    """Return the versions of a tool or module as `1.2.0 → 1.2.1`: one if they are equal, nothing if none is stated."""
    versions = [visible(version) for version in (diff.old_version, diff.new_version) if version is not None]
    return " → ".join(dict.fromkeys(versions))


def next_version(version: str | None, bump: Bump) -> str | None:
    """Return the version after a bump, or None if `version` is not three numbers or no bump is required."""
    read = read_version(version)
    if read is None or str(read.release) != version or bump is Bump.NONE:
        return None
    return str(read.after(bump.value))


def describe_owed_version(diff: ToolDiff | ModuleDiff) -> str:
    """Return the version that a tool or module needs, as `2.0.0` or `a major bump`; empty if it needs none."""
    if diff.covered is not False or diff.owed_bump is Bump.NONE:
        return ""
    return next_version(diff.old_version, diff.owed_bump) or f"a {diff.owed_bump.value} bump"


def owed_words(diff: ToolDiff | ModuleDiff) -> str:
    """Return the bump that a tool or module needs as a phrase: `needs a major bump (2.0.0)`; empty if it needs none."""
    if not (what := describe_owed_version(diff)):
        return ""
    step = f"a {diff.owed_bump.value} bump"
    return f"needs {step}" if what == step else f"needs {step} ({what})"


def version_words(module: ModuleDiff) -> str:
    """Return the remark after the versions of a module: `should be 2.0.0`, or that the bump suffices."""
    if what := describe_owed_version(module):
        return f"{'needs' if what.startswith('a ') else 'should be'} {what}"
    if module.covered and module.owed_bump is not Bump.NONE:
        return f"covers the required {module.owed_bump.value} bump"
    return ""


_NAMED_MODULES = 3  # modules named in the summary
_SAID_BY_BREAKS = "MC207"  # an unannounced break
_SAID_BY_CHANGES = (_SAID_BY_BREAKS, "MC211")  # and an undecided change


def diff_document(
    report: DiffReport, old_name: str = "", new_name: str = "", *, unknown: UnknownPolicy = "warn"
) -> Document:
    """Return the document of a diff report.

    `old_name` and `new_name` name the two sides, such as `git:main` and `specs/`. `unknown` is the level of an
    undecided change without its own level. Its files contain the diagnostics that no change already reports.
    """
    diagnostics = [one for one in report.diagnostics if one.code not in _SAID_BY_CHANGES]
    return Document(
        command="diff",
        values=report.to_dict,
        headline=_headline(report, diagnostics, unknown),
        summary="; ".join((_counts(report, unknown), *_list_owed_versions(report), *_describe_changes(report))),
        files=file_sections(diagnostics, {}),
        tools=tuple(_section(tool, unknown) for tool in report.tools),
        modules=tuple(map(_step, report.modules)),
        compared=(old_name, new_name) if old_name and new_name else None,
        advice=_advice(report, old_name, new_name) if report.uncovered else "",
        has_failed=report.has_failed,
    )


def _advice(report: DiffReport, old_name: str, new_name: str) -> str:
    """Return what to do about the breaks; for a revision, with the command that accepts them in this comparison."""
    versions = "release the required versions, or " if any(tool.new_version for tool in report.tools) else ""
    revision = old_name.removeprefix("git:")
    paths = f"{visible(new_name)} " if new_name not in ("", ".") else ""
    against = f"--against {quote(visible(revision))} {paths}" if revision != old_name else ""
    return f"{versions}accept the breaking changes with `mcp-contracts diff {against}--accept --reason TEXT`"


def _section(tool: ToolDiff, unknown: UnknownPolicy) -> ToolSection:
    return ToolSection(
        title=tool.tool,
        state=tool.state,
        entries=tuple(_entry(tool, change, unknown) for change in tool.changes),
        module=tool.module,
        versions=version_step(tool),
        owed="" if tool.state is ToolState.REMOVED else owed_words(tool),  # its module needs the bump instead
        renamed_to=tool.renamed_to,
    )


def _step(module: ModuleDiff) -> ModuleStep:
    return ModuleStep(
        name=module.module,
        versions=version_step(module),
        words=version_words(module),
        owed=describe_owed_version(module),
        version=module.new_version,
        is_changed=module.old_version != module.new_version,
    )


def _entry(tool: ToolDiff, change: Change, unknown: UnknownPolicy) -> Entry:
    urgency = _judge(tool, change)
    written = change.to_dict()
    properties = {
        "verdict": written["verdict"],
        "oldPointer": change.old_pointer,
        "newPointer": change.new_pointer,
        "witness": written["witness"],
        "reason": written["reason"],
        "tags": written["tags"] or None,
    }
    return Entry(
        code=change.code,
        rule=change.rule,
        severity=_severity(change, urgency, unknown),
        message=change.message,
        hint=change.hint,
        place=change.place or tool.place,
        tool=tool.tool,
        part=None if change.direction == "tool" else change.direction,
        pointer=change.old_pointer if change.new_pointer is None else change.new_pointer,
        suppressed=change.accepted,
        suppressed_in=None if change.accepted is None else "accepted",
        fingerprint=change.fingerprint,
        urgency=urgency,
        verdict=change.verdict,
        remarks=_remarks(change),
        settled=_explain_settled(tool, change) if urgency is Urgency.SETTLED else "",
        proof=change.witness,
        doubt=_doubt(change),
        is_declared_only="open-content" in change.tags,
        properties={name: value for name, value in properties.items() if value is not None},
    )


def _judge(tool: ToolDiff, change: Change) -> Urgency:
    if change.verdict is Verdict.COMPATIBLE:
        return Urgency.WORDS if "words" in change.tags else Urgency.COMPATIBLE
    if change.accepted is not None:
        return Urgency.SETTLED
    if change.verdict is Verdict.UNKNOWN:
        return Urgency.UNDECIDED
    return Urgency.SETTLED if tool.covered else Urgency.OPEN


def _severity(change: Change, urgency: Urgency, unknown: UnknownPolicy) -> Severity | None:
    level = level_of(change, unknown)
    if level is None or level == "off":
        return None
    return Severity.NOTE if urgency is Urgency.SETTLED else Severity(level)


def _remarks(change: Change) -> str:
    """Return the level of a change in this project, if it is not the default one."""
    return f"a {change.level} in this project" if change.is_lowered and change.level != "off" else ""


def _explain_settled(tool: ToolDiff, change: Change) -> str:
    """Explain why a break requires nothing: the version bump that covers it, or the reason why it was accepted."""
    if change.accepted is not None:
        return f"accepted: {visible(change.accepted)}"
    step = version_step(tool)
    return f"covered by {step}" if " → " in step else "covered by the version of its module"


def _doubt(change: Change) -> str:
    """Return what stopped the proof of an undecided change; empty if that is unknown."""
    reason = change.reason
    if reason is None:
        return ""
    if not reason.keyword:  # the change itself may say why
        is_said = not reason.message or reason.message in change.message
        return "" if is_said else visible(f"could not be decided: {reason.message}")
    why = f": {reason.message}" if reason.message else ""
    where = f" at {reason.pointer}" if reason.pointer else ""
    return visible(f"could not be decided because of `{reason.keyword}`{where}{why}")


def _headline(report: DiffReport, diagnostics: list[Diagnostic], unknown: UnknownPolicy) -> str:
    urgencies = {_judge(tool, change) for tool, change in report.changes()}
    if report.uncovered:
        return "breaking changes"
    if any(one.severity is Severity.ERROR and one.suppressed is None for one in diagnostics):
        return "an error"
    if Urgency.UNDECIDED in urgencies and unknown != "ignore":
        return "not all could be decided"
    if Urgency.OPEN in urgencies:
        return "breaking changes, none of them an error in this project"
    if Urgency.SETTLED in urgencies:
        return "breaking changes, all covered or accepted"
    return "compatible changes" if urgencies else "nothing changed"


def _counts(report: DiffReport, unknown: UnknownPolicy) -> str:
    urgencies = Counter(_judge(tool, change) for tool, change in report.changes())
    breaks = [(tool, change) for tool, change in report.changes() if change.verdict is Verdict.BREAKING]
    total = pluralize(len(report.tools), "tool")
    ignored = " (ignored)" if unknown == "ignore" else ""
    others = (
        (report.count(Verdict.UNKNOWN), f"unknown{ignored}"),
        (urgencies[Urgency.COMPATIBLE], "compatible"),
        (urgencies[Urgency.WORDS], "in wording"),
    )
    named = [f"{count} {words}" for count, words in others if count]
    if breaks:
        tools = len({tool.tool for tool, _ in breaks})
        accepted = sum(1 for _, change in breaks if change.accepted is not None)
        covered = sum(1 for tool, change in breaks if change.accepted is None and tool.covered)
        lowered = Counter(
            change.level for tool, change in breaks if change.is_lowered and _judge(tool, change) is Urgency.OPEN
        )
        words: dict[Level, str] = {"warning": "as a warning", "note": "as a note", "off": "ignored"}
        counts = ((covered, "covered"), (accepted, "accepted"), *((lowered[one], words[one]) for one in words))
        kinds = [f"{count} {word}" for count, word in counts if count]
        settled = f" ({', '.join(kinds)})" if len(kinds) > 2 else f" ({' and '.join(kinds)})" if kinds else ""
        return ", ".join((f"{pluralize(len(breaks), 'breaking change')} in {tools} of {total}{settled}", *named))
    if named:
        tools = sum(1 for tool in report.tools if tool.changes)
        return f"no breaking changes in {total}, {tools} changed: {', '.join(named)}"
    if report.tools:
        return f"nothing changed in {total}"
    is_broken = any(one.severity is Severity.ERROR for one in report.diagnostics)
    return "nothing was compared" if is_broken else "nothing changed"


def _list_owed_versions(report: DiffReport) -> Iterator[str]:
    owing = [module for module in report.modules if describe_owed_version(module)]
    for module in owing[:_NAMED_MODULES]:
        yield f"{visible(module.module)} needs {describe_owed_version(module)}"
    if len(owing) > _NAMED_MODULES:
        yield f"{len(owing) - _NAMED_MODULES} more need a version bump"


def _describe_changes(report: DiffReport) -> Iterator[str]:
    severities = Counter(
        one.severity for one in report.diagnostics if one.code != _SAID_BY_BREAKS and one.suppressed is None
    )
    if counts := ", ".join(pluralize(severities[one], one.value) for one in Severity if severities[one]):
        yield counts
