"""The diff report as a piece of release notes, for those who call the tools: https://keepachangelog.com."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts.change import Change, DiffReport, ModuleDiff, ToolDiff, Verdict
from mcp_contracts.contract import JsonValue
from mcp_contracts.reporting.changes.context import DiffContext
from mcp_contracts.reporting.changes.escaping import code_span, escaped, fenced
from mcp_contracts.reporting.changes.summary import owed, ranked, remarks
from mcp_contracts.reporting.changes.values import AMPLE, shown_value

_HEADINGS = ("Breaking", "Added", "Changed", "Deprecated", "Removed")
_REMOVALS = ("BC101", "BC103", "BC104")
_WIDTH = 88  # of values in blocks of code
_INLINE = 80  # characters of a value that stands within a sentence


def render(report: DiffReport, context: DiffContext) -> str:
    """Render a diff report as one heading a module with what its callers must know, the breaking changes first."""
    modules = {module.module: module for module in report.modules}
    by_module: dict[str | None, list[tuple[ToolDiff, Change]]] = {}
    for tool in ranked(report):
        for change in tool.changes:
            if change.verdict is not Verdict.UNKNOWN or context.unknown != "ignore":
                by_module.setdefault(tool.module, []).append((tool, change))
    blocks = [
        "\n\n".join((_heading(name, modules.get(name or "")), *_groups(by_module[name])))
        for name in sorted(by_module, key=lambda name: (name is None, name or ""))
    ]
    return "\n\n".join(blocks or ["Nothing changed."]) + "\n"


def fenced_value(value: JsonValue) -> str:
    """A value as a block of JSON that can be copied; one that is too long to be shown whole as a block of text."""
    shown = shown_value(value, AMPLE)
    return fenced("\n".join(shown.lines(_WIDTH)), "json" if shown.is_whole else "text")


def _heading(name: str | None, module: ModuleDiff | None) -> str:
    title = "Tools" if name is None else escaped(name)
    if module is None or module.new_version is None or module.new_version == module.old_version:
        return f"## {title} (unreleased)"
    heading = f"## {title} {escaped(module.new_version)}"
    return f"{heading}\n\n*These changes owe {owed(module)}.*" if owed(module) else heading


def _groups(changes: list[tuple[ToolDiff, Change]]) -> Iterator[str]:
    for heading in _HEADINGS:
        if entries := [_entry(tool, change) for tool, change in changes if _group(change) == heading]:
            yield f"### {heading}\n\n" + "\n".join(entries)


def _group(change: Change) -> str:
    """The heading that a change stands under. A removal stands under its own, although it breaks."""
    if change.code in _REMOVALS:
        return "Removed"
    if change.verdict is Verdict.BREAKING:
        return "Breaking"
    if change.code == "BC105":
        return "Deprecated"
    return "Added" if change.code == "BC102" or change.rule.endswith("-property-added") else "Changed"


def _entry(tool: ToolDiff, change: Change) -> str:
    """One change as sentences to those who call the tool."""
    where = {"input": " (arguments)", "output": " (results)", "tool": ""}[change.direction]
    sentence = f"- {code_span(tool.tool)}{where}: {escaped(change.message)}{escaped(remarks(change))}."
    if change.verdict is Verdict.UNKNOWN:
        sentence += " Whether callers are concerned could not be decided: check your calls."
    if change.witness is None:
        return sentence
    error = escaped(change.witness.error)
    shown = shown_value(change.witness.value, AMPLE)
    is_brief = shown.is_whole and len(shown.line()) <= _INLINE
    value = code_span(shown.line()) if is_brief else "the one below"
    if change.direction == "output":
        sentence += f" Be ready for results such as {value}, which were impossible before: {error}."
    else:
        sentence += f" Calls such as {value} worked before and fail now: {error}."
    if is_brief:
        return sentence
    block = "\n".join(f"  {line}" for line in fenced_value(change.witness.value).split("\n"))
    return f"{sentence}\n\n{block}"
