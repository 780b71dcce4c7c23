"""Write a baseline: sorted, with one line for each finding, so that a diff shows which were added and removed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from mcp_contracts.config.baseline import BASELINE_FORMAT, BASELINE_VERSION
from mcp_contracts.diagnostics import KnownFinding
from mcp_contracts.writing.files import write_atomically


def write_baseline(path: Path, findings: Iterable[KnownFinding], *, written_by: str) -> None:
    """Write the findings. Raises UsageError if the file cannot be written."""
    write_atomically(path, baseline_text(findings, written_by=written_by))


def baseline_text(findings: Iterable[KnownFinding], *, written_by: str) -> str:
    """Return the text of the file."""
    lines = [f"    {_line(one)}" for one in sorted(findings, key=_order)]
    listed = "[\n" + ",\n".join(lines) + "\n  ]" if lines else "[]"
    return (
        f'{{\n  "format": "{BASELINE_FORMAT}",\n  "version": {BASELINE_VERSION},\n'
        f'  "written_by": {json.dumps(written_by)},\n  "findings": {listed}\n}}\n'
    )


def _order(one: KnownFinding) -> tuple[str, ...]:
    return one.path, one.tool or "", one.code, one.part or "", one.pointer or "", one.message


def _line(one: KnownFinding) -> str:
    """Return a finding as JSON on one line, with escapes for characters that are invisible or that UTF-8 cannot
    represent.
    """
    text = json.dumps(one.to_dict(), ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text)
