"""A report as GitLab code quality, which merge requests and pipelines show.

It only contains the fields that GitLab documents:
https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from mcp_contracts.diagnostics import Severity
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document, Entry
from mcp_contracts.reporting.visible import json_text, visible

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render(document: Document, context: RenderContext) -> str:
    """Render a document as a list of the same entries as `github`: none that is suppressed, accepted or compatible."""
    return json_text(list(_violations(document, context)))


def _violations(document: Document, context: RenderContext) -> Iterator[dict[str, Any]]:
    seen: Counter[str] = Counter()
    for entry in document.shown(context):
        if entry.severity is None or entry.suppressed is not None:
            continue
        path = visible(entry.place.path) if entry.place is not None else "."
        identity = f"{entry.fingerprint or entry.code}\n{path}"
        seen[identity] += 1  # GitLab treats violations with the same fingerprint as one
        yield {
            "description": _description(entry),
            "check_name": visible(f"{entry.code} {entry.rule}"),
            "fingerprint": sha256(f"{identity}\n{seen[identity]}".encode("utf-8", "surrogatepass")).hexdigest(),
            "severity": _SEVERITIES[entry.severity],
            "location": {
                "path": path,  # GitLab requires a line; findings about a whole file get the first
                "lines": {"begin": max(1, entry.place.line if entry.place is not None else 1)},
            },
        }


def _description(entry: Entry) -> str:
    """Return the whole description, on one line: GitLab shows no other text of a violation."""
    is_tool_said = entry.tool is None or entry.tool in entry.message
    message = visible(entry.message if is_tool_said else f"{entry.message} ({entry.tool})")
    lead = "" if entry.verdict is None else f"{entry.label}: "
    return " | ".join((f"{lead}{message}", *map(str.strip, entry.detail_lines()))).replace(": | ", ": ")
