"""Write the file of accepted changes: sorted, and with the same bytes for the same entries."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from mcp_contracts.config.accepted import AcceptedChange
from mcp_contracts.writing.files import write_atomically
from mcp_contracts.writing.yaml_text import yaml_quoted, yaml_word

_HEAD = """\
# Accepted breaking changes. `mcp-contracts diff --accept` rewrites this file without your comments.
# You can edit each `reason`, and add the last day of an acceptance (`until: 2027-03-01`).
"""


def write_accepted(path: Path, entries: Iterable[AcceptedChange]) -> None:
    """Write the entries, sorted. Creates no file for none. Raises UsageError if the file cannot be written."""
    listed = tuple(entries)
    if listed or os.path.lexists(path):
        write_atomically(path, accepted_text(listed))


def accepted_text(entries: Iterable[AcceptedChange]) -> str:
    """Return the text of the file."""
    listed = sorted(entries, key=lambda entry: (entry.tool, entry.code, entry.pointer or "", entry.fingerprint))
    body = "".join(f"\n  - {'    '.join(_lines(entry))}" for entry in listed)
    return f"{_HEAD}accepted:{body}" if listed else f"{_HEAD}accepted: []\n"


def _lines(entry: AcceptedChange) -> Iterator[str]:
    """Yield the lines of an entry; a missing reason becomes a placeholder."""
    yield f"tool: {yaml_word(entry.tool)}\n"
    yield f"code: {entry.code}\n"
    yield f"direction: {entry.direction}\n"
    if entry.pointer:
        yield f"pointer: {yaml_quoted(entry.pointer)}\n"
    if entry.change:
        yield f"change: {yaml_quoted(entry.change)}\n"
    if entry.version:
        yield f"version: {yaml_quoted(entry.version)}\n"
    yield f"fingerprint: {yaml_quoted(entry.fingerprint)}\n"
    yield f"digest: {yaml_quoted(entry.digest)}\n"
    yield f"reason: {yaml_quoted(entry.reason or '')}\n"
    if entry.until is not None:
        yield f"until: {entry.until.isoformat()}\n"
