"""The changes of a document as release notes for callers of the tools: https://keepachangelog.com."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts.change import Verdict
from mcp_contracts.reporting.document import Document, Entry, ModuleStep
from mcp_contracts.reporting.formats.escaping import code_span, escape, fenced_value
from mcp_contracts.reporting.values import AMPLE, shown_value

_HEADINGS = ("Breaking", "Added", "Changed", "Deprecated", "Removed")
_REMOVALS = ("BC101", "BC103", "BC104")
_INLINE = 80  # characters of a value inside a sentence


def release_notes(document: Document) -> str:
    """Return the changes that callers must know, with a heading for each module and breaking changes first."""
    modules = {module.name: module for module in document.modules}
    by_module: dict[str | None, list[Entry]] = {}
    for tool in document.ranked_tools():
        for change in tool.entries:
            if change.verdict is not Verdict.UNKNOWN or not change.is_ignored:
                by_module.setdefault(tool.module, []).append(change)
    blocks = [
        "\n\n".join((_heading(name, modules.get(name or "")), *_groups(by_module[name])))
        for name in sorted(by_module, key=lambda name: (name is None, name or ""))
    ]
    return "\n\n".join(blocks or ["Nothing changed."]) + "\n"


def _heading(name: str | None, module: ModuleStep | None) -> str:
    title = "Tools" if name is None else escape(name)
    if module is None or module.version is None or not module.is_changed:
        return f"## {title} (unreleased)"
    heading = f"## {title} {escape(module.version)}"
    return f"{heading}\n\n*These changes require {module.owed}.*" if module.owed else heading


def _groups(changes: Sequence[Entry]) -> Iterator[str]:
    for heading in _HEADINGS:
        if entries := [_entry(change) for change in changes if _group(change) == heading]:
            yield f"### {heading}\n\n" + "\n".join(entries)


def _group(change: Entry) -> str:
    """Return the heading for a change. A removal has its own heading, although it is a break."""
    if change.code in _REMOVALS:
        return "Removed"
    if change.verdict is Verdict.BREAKING:
        return "Breaking"
    if change.code == "BC105":
        return "Deprecated"
    return "Added" if change.code == "BC102" or change.rule.endswith("-property-added") else "Changed"


def _entry(change: Entry) -> str:
    """Return one change as sentences for the callers of the tool."""
    where = {"input": " (arguments)", "output": " (results)"}.get(change.part or "", "")
    remarks = escape(f" ({change.remarks})") if change.remarks else ""
    sentence = f"- {code_span(change.tool or '')}{where}: {escape(change.message)}{remarks}."
    if change.verdict is Verdict.UNKNOWN:
        sentence += " It is unknown whether callers are affected: check your calls."
    if change.proof is None:
        return sentence
    error = escape(change.proof.error)
    shown = shown_value(change.proof.value, AMPLE)
    is_brief = shown.is_whole and len(shown.line()) <= _INLINE
    value = code_span(shown.line()) if is_brief else "the one below"
    if change.part == "output":
        sentence += f" Expect results such as {value}, which were impossible before: {error}."
    else:
        sentence += f" Calls such as {value} worked before and fail now: {error}."
    if is_brief:
        return sentence
    block = "\n".join(f"  {line}" for line in fenced_value(change.proof.value).split("\n"))
    return f"{sentence}\n\n{block}"
