"""Writes the file of accepted changes: sorted, the same bytes for the same entries, and fit for review."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from mcp_contracts.config.accepted import AcceptedChange
from mcp_contracts.writing.files import write_atomically

_HEAD = """\
# Changes that break callers, accepted on purpose. `mcp-contracts diff --accept` writes this file and drops comments;
# reasons and last days (`until: 2027-03-01`) are yours to edit.
"""
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_WORDS_OF_YAML = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n"))


def write_accepted(path: Path, entries: Iterable[AcceptedChange]) -> None:
    """Write the entries, sorted; no file comes into being for none.

    Raises UsageError where the place cannot be written.
    """
    listed = tuple(entries)
    if listed or os.path.lexists(path):
        write_atomically(path, accepted_text(listed))


def accepted_text(entries: Iterable[AcceptedChange]) -> str:
    """The text of the file."""
    listed = sorted(entries, key=lambda entry: (entry.tool, entry.code, entry.pointer or "", entry.fingerprint))
    body = "".join(f"\n  - {'    '.join(_lines(entry))}" for entry in listed)
    return f"{_HEAD}accepted:{body}" if listed else f"{_HEAD}accepted: []\n"


def _lines(entry: AcceptedChange) -> Iterator[str]:
    """The lines of an entry; a missing reason is shown as one that is to be written."""
    yield f"tool: {_word(entry.tool)}\n"
    yield f"code: {entry.code}\n"
    yield f"direction: {entry.direction}\n"
    if entry.pointer:
        yield f"pointer: {_quoted(entry.pointer)}\n"
    if entry.change:
        yield f"change: {_quoted(entry.change)}\n"
    if entry.version:
        yield f"version: {_quoted(entry.version)}\n"
    yield f"fingerprint: {_quoted(entry.fingerprint)}\n"
    yield f"digest: {_quoted(entry.digest)}\n"
    yield f"reason: {_quoted(entry.reason or '')}\n"
    if entry.until is not None:
        yield f"until: {entry.until.isoformat()}\n"


def _word(text: str) -> str:
    """A text as YAML writes it: as it is where that has one reading only, else in quotes."""
    return text if _PLAIN.fullmatch(text) and text.lower() not in _WORDS_OF_YAML else _quoted(text)


def _quoted(text: str) -> str:
    """A text in double quotes, on one line: as JSON writes it, with what YAML may not hold as an escape."""
    return "".join(map(_visible, json.dumps(text, ensure_ascii=False)))


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:  # half a character, for which UTF-8 has no bytes
        return "\N{REPLACEMENT CHARACTER}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
