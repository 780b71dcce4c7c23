"""The output of diff for the examples that compare two files, in the form of their `expected` files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from mcp_contracts.change import Change, DiffReport
from mcp_contracts.changes.registry import change_rule_infos
from mcp_contracts.checks.catalog import CHANGE_EXAMPLES, EXAMPLES, example_source
from mcp_contracts.checks.diff import diff
from mcp_contracts.config.accepted import read_accepted
from mcp_contracts.config.files import ACCEPTED_FILE
from mcp_contracts.diagnostics import Diagnostic
from mcp_contracts.rules.releases import RELEASE_RULES
from mcp_contracts.sources.load import load

TODAY = date(2026, 11, 21)
HELP = "  help: "


def compared(old: Path, new: Path) -> DiffReport:
    """Compare two files of a change example."""
    return diff(load(old), load(new))


def compared_release(source: Path) -> DiffReport:
    """Compare `old.md` and `new.md` of an example, with its accepted changes."""
    accepted = read_accepted(source / ACCEPTED_FILE)
    return diff(load(source / "old.md"), load(source / "new.md"), accepted=accepted, today=TODAY)


def change_lines(report: DiffReport) -> Iterator[str]:
    """Yield all changes: code, verdict, both pointers and the message, followed by witness, reason and hint."""
    for _, change in report.changes():
        yield from _describe_change(change)


def diagnostic_lines(report: DiffReport) -> Iterator[str]:
    """Yield all diagnostics, in the form of lint's `bad.expected`."""
    for diagnostic in report.diagnostics:
        yield from _describe_diagnostic(diagnostic)


def expected_files() -> Iterator[tuple[Path, str]]:
    """Yield the path and the expected text of each change rule's example, and of each release rule's bad example."""
    for info in change_rule_infos():
        folder = CHANGE_EXAMPLES / info.code
        report = compared(example_source(folder, "old"), example_source(folder, "new"))
        yield folder / "expected", "".join(f"{line}\n" for line in change_lines(report))
    for info in RELEASE_RULES:
        folder = EXAMPLES / info.code
        lines = diagnostic_lines(compared_release(folder / "bad"))
        yield folder / "bad.expected", "".join(f"{line}\n" for line in lines)


def _describe_change(change: Change) -> Iterator[str]:
    pointers = f"{_pointer(change.old_pointer)} {_pointer(change.new_pointer)}"
    yield f"{change.code} {change.verdict} {pointers} {change.message}"
    if change.tags:
        yield f"  tags: {', '.join(change.tags)}"
    if change.witness is not None:
        word = "call" if change.direction == "input" else "result"
        yield f"  {word}: {json.dumps(change.witness.value, ensure_ascii=False)}"
        yield f"  error: {change.witness.error}"
    if change.reason is not None:
        words = (change.reason.keyword, change.reason.pointer, change.reason.message)
        yield f"  reason: {' '.join(word for word in words if word)}"
    if change.hint is not None:
        yield f"{HELP}{change.hint}"


def _pointer(pointer: str | None) -> str:
    """Return a pointer as a word: `-` for None, `""` for the whole."""
    return "-" if pointer is None else pointer or '""'


def _describe_diagnostic(diagnostic: Diagnostic) -> Iterator[str]:
    place = diagnostic.place
    where = f"{Path(place.path).name}:{place.line}:{place.column}"
    yield f"{where} {diagnostic.severity} {diagnostic.code} {diagnostic.message}"
    if diagnostic.hint is not None:
        yield f"{HELP}{diagnostic.hint}"
