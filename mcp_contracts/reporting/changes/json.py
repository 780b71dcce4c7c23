"""The diff report as JSON, and the JSON Schema that describes it."""

from __future__ import annotations

from typing import Any

from mcp_contracts.change import DiffReport, DiffReportDict
from mcp_contracts.reporting.changes.context import DiffContext
from mcp_contracts.reporting.json import DESCRIPTIONS, document_schema
from mcp_contracts.reporting.visible import json_text

_DESCRIPTIONS = {
    **{path: text for path, text in DESCRIPTIONS.items() if not path.startswith("summary.")},
    "policy": "How schemas are read; declared: as callers and consumers use them; sets: as sets; strict: both.",
    "summary.added": "How many tools are new.",
    "summary.removed": "How many tools are gone.",
    "summary.changed": "How many tools changed.",
    "summary.unchanged": "How many tools did not change.",
    "summary.breaking": "How many changes break, accepted and covered ones too.",
    "summary.unknown": "How many changes could not be decided.",
    "summary.accepted": "How many changes were accepted.",
    "summary.uncovered": "How many breaking changes of level error neither a version step nor an acceptance covers.",
    "modules": "The version step of each module.",
    "modules.module": "The name of the module.",
    "modules.old_version": "The version that it had; null where none is stated.",
    "modules.new_version": "The version that it has; null where none is stated.",
    "modules.owed_bump": "The version step that its changes owe.",
    "modules.covered": "Whether the version step taken covers what is owed; null where versions are not stated.",
    "tools": "All tools of either side, in order of name.",
    "tools.tool": "The name of the tool; the old one where it was removed.",
    "tools.state": "What became of the tool.",
    "tools.verdict": "The worst of the verdicts of its changes.",
    "tools.renamed_to": "The name that a removed tool probably has now.",
    "tools.old_version": "The version that it had; null where none is stated.",
    "tools.new_version": "The version that it has; null where none is stated.",
    "tools.owed_bump": "The version step that its changes owe.",
    "tools.covered": "Whether the version step taken covers what is owed; null where versions are not stated.",
    "tools.path": "The file that holds the tool, relative to the working folder, with `/`.",
    "tools.line": "The line of the tool's heading, from 1.",
    "tools.changes": "What changed.",
    "tools.changes.code": "The stable code of the rule, such as `BC207`.",
    "tools.changes.rule": "The name of the rule, such as `input-bounds-changed`.",
    "tools.changes.direction": "What the change concerns: what callers send, what they receive, or the whole tool.",
    "tools.changes.verdict": "breaking: with a witness or by its nature; compatible: proved; unknown: neither.",
    "tools.changes.level": "How much it counts: error fails the run; null where it is compatible.",
    "tools.changes.old_pointer": "The JSON pointer (RFC 6901) in the old schema; null where it has no such place.",
    "tools.changes.new_pointer": "The JSON pointer (RFC 6901) in the new schema; null where it has no such place.",
    "tools.changes.line": "The line, from 1, in the new text, or in the old where the new has no such place.",
    "tools.changes.message": "The change, on one line.",
    "tools.changes.hint": "What to do.",
    "tools.changes.accepted": "The reason for which the change was accepted; null where it was not.",
    "tools.changes.witness": "The proof of a break; null where there is none or the change needs none.",
    "tools.changes.witness.value": "All arguments of a call that worked before, or all data that may come now.",
    "tools.changes.witness.error": "What the schema that refuses the value says, on one line.",
    "tools.changes.reason": "What stopped the proof of a change that could not be decided.",
    "tools.changes.reason.keyword": "The keyword that stopped it.",
    "tools.changes.reason.pointer": "Where the keyword stands.",
    "tools.changes.reason.message": "Why, in words; may be empty.",
    "tools.changes.tags": "`open-content`, `words`, `guess`, or others yet to come.",
    "tools.changes.fingerprint": "Made of code, tool, part, pointer and ordinal: it survives moved lines.",
    "diagnostics": "What the sources, the version rules and the accepted changes have to say.",
}


def render(report: DiffReport, context: DiffContext) -> str:
    """Render a diff report as JSON, witnesses whole; the context changes nothing."""
    return json_text(report.to_dict())


def diff_report_schema() -> dict[str, Any]:
    """The JSON Schema (draft-07) of the diff report, made from `DiffReportDict`; its objects are open."""
    return document_schema(DiffReportDict, _DESCRIPTIONS)
