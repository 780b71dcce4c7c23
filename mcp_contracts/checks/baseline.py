"""Find the findings of a lint that a baseline or an earlier revision already contains, and stale entries."""

from __future__ import annotations

import os
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.checks.lint import Selections
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import Diagnostic, KnownFinding, Report
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.rules.listing import release_codes

NEVER_KNOWN = frozenset(("MC001", "MC002")) | release_codes()
"""Codes that are always new: a file that could not be read was not checked, and versions are judged per change."""

_NAME = (
    r'`[^`]*`|(?<!\\)"(?:[^"\\]|\\.)*"|\bsection \d+|\bU\+[0-9A-F]+|\b[\d,]{1,15} (?:or )?more findings of this rule'
)
_NAMES = re.compile(_NAME)
_NUMBER = re.compile(rf"({_NAME})|\d+(?:[.,]\d+)*")
_INDEX = re.compile(r"(?<=/)\d+(?=/|$)")
_NO_PATH = re.compile(r"[a-z]{2,}:|<")  # `https:`, `stdio:`, `<stdin>`

_Key = Callable[[KnownFinding], Hashable]


@dataclass(frozen=True, slots=True)
class KnownIndex:
    """Known findings, and how they are recognized.

    `stands_in` says whether a baseline or a revision contains them, and `reason` says the same for people.
    `is_same_version` means that this version of mcp-contracts found them; another one may word its messages
    differently. `renamed` maps old paths to new ones.
    """

    findings: Sequence[KnownFinding]
    stands_in: Literal["baseline", "revision"]
    reason: str
    is_same_version: bool = True
    renamed: Mapping[str, str] = field(default_factory=dict)


class LintedFiles:
    """The linted files, with paths relative to a folder, and their current tools.

    `code` are Python files, which define no tools.
    """

    def __init__(self, contracts: Contracts, folder: str, code: Iterable[str] = ()) -> None:
        self._folder = folder
        self._tools: dict[str, set[str]] = {self.relative(path): set() for path in code}
        self._tools |= {
            self.relative(file.path): {contract.name for contract in file.contracts} for file in contracts.files
        }

    @property
    def paths(self) -> AbstractSet[str]:
        return self._tools.keys()

    def relative(self, path: str) -> str:
        """Return a path of a report relative to the folder."""
        return os.path.relpath(path, self._folder).replace(os.sep, "/")

    def known(self, diagnostic: Diagnostic) -> KnownFinding:
        """Return a diagnostic without its lines."""
        return KnownFinding(
            self.relative(diagnostic.place.path),
            diagnostic.tool,
            diagnostic.code,
            diagnostic.part,
            diagnostic.pointer,
            diagnostic.message,
        )

    def has_moved(self, one: KnownFinding) -> bool:
        """Whether the tool of a finding has left its file, so that it may be in another one."""
        if one.tool is None:
            return False
        if one.path in self._tools:
            return one.tool not in self._tools[one.path]
        return not self.exists(one.path)

    def exists(self, path: str) -> bool:
        """Whether a file exists at a relative path; names that are not paths, such as servers, count as existing."""
        return _NO_PATH.match(path) is not None or os.path.lexists(self.absolute(path))

    def absolute(self, path: str) -> str:
        return os.path.normpath(os.path.join(self._folder, path))


@dataclass(frozen=True, slots=True)
class Scope:
    """The findings that a run would report: one that is missing was fixed.

    `codes` are those whose findings are complete. `folders` are the absolute paths that were searched; `is_whole` means
    that they contain the whole project.
    """

    linted: LintedFiles
    codes: AbstractSet[str]
    selections: Selections
    folders: tuple[str, ...]
    is_whole: bool

    def covers(self, one: KnownFinding) -> bool:
        """Whether the run would report an entry that still exists."""
        path = self.linted.absolute(one.path)
        if one.code not in self.codes or one.code not in self.selections.codes(path):
            return False
        if one.path in self.linted.paths or self.is_whole:
            return True
        is_below = any(path.startswith(f"{folder}{os.sep}") or path == folder for folder in self.folders)
        return is_below and not self.linted.exists(one.path)


def mark_known(report: Report, known: KnownIndex, linted: LintedFiles) -> tuple[Report, tuple[KnownFinding, ...]]:
    """Return the report with known findings marked, and the entries without a finding.

    Each entry matches one finding. A finding is recognized by its file, tool, code, part, pointer and message; then
    ignoring numbers in the message and indexes in the pointer, which change with the surrounding text; then in another
    file, if its tool has moved. Findings about whole files change with each of their tools, so only the names in their
    messages are compared. For entries of another version of mcp-contracts, messages are finally ignored.
    """
    entries = deque(_follow_rename(one, known.renamed, linted) for one in known.findings)
    found = {
        at: linted.known(one)
        for at, one in enumerate(report.diagnostics)
        if one.suppressed is None and one.code not in NEVER_KNOWN
    }
    stages: list[tuple[_Key, Callable[[KnownFinding], bool]]] = [
        (lambda one: one, lambda one: True),
        (lambda one: (one.path, *_but_path(one)), lambda one: True),
        (_but_path, linted.has_moved),
        (_of_file, lambda one: one.tool is None),
    ]
    if not known.is_same_version:
        stages += [(_but_message, lambda one: True)]
    matched: set[int] = set()
    for key, is_eligible in stages:
        waiting: dict[Hashable, deque[int]] = defaultdict(deque)
        for at, one in found.items():
            if at not in matched:
                waiting[key(one)].append(at)
        left: deque[KnownFinding] = deque()
        for entry in entries:
            candidates = waiting.get(key(entry)) if is_eligible(entry) else None
            if candidates:
                matched.add(candidates.popleft())
            else:
                left.append(entry)
        entries = left
    diagnostics = tuple(
        replace(one, suppressed=known.reason, suppressed_in=known.stands_in) if at in matched else one
        for at, one in enumerate(report.diagnostics)
    )
    return replace(report, diagnostics=diagnostics), tuple(entries)


def recordable(diagnostics: Iterable[Diagnostic], linted: LintedFiles) -> list[KnownFinding]:
    """Return the findings for a baseline: those that are neither suppressed nor always new, and known ones."""
    return [
        linted.known(one)
        for one in diagnostics
        if one.code not in NEVER_KNOWN and (one.suppressed is None or one.suppressed_in == "baseline")
    ]


def _follow_rename(one: KnownFinding, renamed: Mapping[str, str], linted: LintedFiles) -> KnownFinding:
    """Return a finding with the new path of its file, if that was renamed."""
    if one.path in renamed and one.path not in linted.paths:
        return replace(one, path=renamed[one.path])
    return one


def _but_path(one: KnownFinding) -> tuple[str | None, ...]:
    return one.tool, one.code, one.part, _without_indexes(one.pointer), _without_numbers(one.message)


def _of_file(one: KnownFinding) -> Hashable:
    return one.path, one.tool, one.code, tuple(sorted(_NAMES.findall(one.message)))


def _but_message(one: KnownFinding) -> Hashable:
    return one.path, one.tool, one.code, one.part, _without_indexes(one.pointer)


def _without_indexes(pointer: str | None) -> str | None:
    return None if pointer is None else _INDEX.sub("#", pointer)


def _without_numbers(message: str) -> str:
    """Remove the numbers in a message, except in names and quotations, and the numbers of sections and characters."""
    return _NUMBER.sub(lambda match: match[1] or "#", message)
