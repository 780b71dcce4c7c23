"""The diff report as SARIF 2.1.0: the log that `lint` writes of faults, with what only a change has."""

from __future__ import annotations

import json
from typing import Any

from mcp_contracts.change import Change, DiffReport, ToolDiff
from mcp_contracts.diagnostics import Diagnostic, Place, Report, Severity
from mcp_contracts.reporting import sarif
from mcp_contracts.reporting.changes.context import DiffContext
from mcp_contracts.reporting.changes.summary import (
    Standing,
    detail_lines,
    other_diagnostics,
    place_of,
    severity_of,
    standing,
)
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.visible import json_text, visible

_NOWHERE = Place("", 1, 1, 1, 1)


def render(report: DiffReport, context: DiffContext) -> str:
    """Render a diff report as a SARIF log of one run that holds every change and diagnostic.

    An uncovered break is an error, an undecided change a warning (an error or a note, as the context says), a covered
    or accepted one a note, an accepted one suppressed besides. A compatible change is informational, with no level.
    """
    changes = tuple(report.changes())
    faults = (*(_fault(tool, change, context) for tool, change in changes), *other_diagnostics(report))
    log: dict[str, Any] = json.loads(
        sarif.render(Report(faults), RenderContext(version=context.version, rules=context.rules))
    )
    for result, (tool, change) in zip(log["runs"][0]["results"], changes, strict=False):  # diagnostics come after
        _complete(result, tool, change)
    return json_text(log)


def _fault(tool: ToolDiff, change: Change, context: DiffContext) -> Diagnostic:
    """A change as the diagnostic that is nearest to it."""
    return Diagnostic(
        code=change.code,
        rule=change.rule,
        severity=severity_of(change, standing(tool, change), context) or Severity.NOTE,
        message=change.message,
        hint=None,
        place=place_of(tool, change) or _NOWHERE,
        tool=tool.tool,
        part=None if change.direction == "tool" else change.direction,
        pointer=change.old_pointer if change.new_pointer is None else change.new_pointer,
        fingerprint=change.fingerprint,
    )


def _complete(result: dict[str, Any], tool: ToolDiff, change: Change) -> None:
    """Add to the result of a change its proof, its verdict and the reason for which it was accepted."""
    stands = standing(tool, change)
    result["message"]["text"] = _unlinked("\n".join((visible(change.message), *detail_lines(tool, change, stands))))
    if place_of(tool, change) is None:
        del result["locations"]
    if stands in (Standing.COMPATIBLE, Standing.WORDS):
        result |= {"kind": "informational", "level": "none"}  # §3.27.10: what is no failure has no level
    if change.accepted is not None:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": change.accepted}]
    written = change.to_dict()
    properties = {
        "verdict": written["verdict"],
        "oldPointer": change.old_pointer,
        "newPointer": change.new_pointer,
        "witness": written["witness"],
        "reason": written["reason"],
        "tags": written["tags"] or None,
    }
    result["properties"] |= {name: value for name, value in properties.items() if value is not None}


def _unlinked(text: str) -> str:
    """Text for a message, in which `[words](target)` would be a link (§3.11.6) that an author chose."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]") if "](" in text else text
