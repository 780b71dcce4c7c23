"""Suppressions at work: which diagnostics they silence, and which suppressions are at fault themselves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from mcp_contracts.checks.suppression_comments import SuppressionComment, read_comment
from mcp_contracts.config import ConfiguredSuppression
from mcp_contracts.contract import Comment, SourceFile, SpecFile, SpecTool
from mcp_contracts.diagnostics import Diagnostic, Place, RuleInfo, RuleSelection
from mcp_contracts.rules.suppressions import (
    SUPPRESSION_EXPIRED,
    SUPPRESSION_MALFORMED,
    SUPPRESSION_RULES,
    SUPPRESSION_UNUSED,
    SUPPRESSION_WITHOUT_REASON,
)
from mcp_contracts.rules.wording import listed

_NO_REASON = "no reason given"
_OWN_CODES = frozenset(rule.code for rule in SUPPRESSION_RULES)


@dataclass(frozen=True, slots=True)
class _Suppression:
    """A comment at its place: it covers the `lines` of a file, and stands in a tool or not."""

    comment: SuppressionComment
    place: Place
    tool: str | None
    lines: tuple[int, int]

    def silences(self, diagnostic: Diagnostic) -> str | None:
        """The code, as the comment names it, by which it silences a diagnostic; None where it does not."""
        first, last = self.lines
        if not first <= diagnostic.place.line <= last or diagnostic.code in _OWN_CODES:
            return None
        return next((code for code in self.comment.codes if diagnostic.code.startswith(code)), None)


def apply_suppressions(
    diagnostics: Iterable[Diagnostic],
    files: Sequence[SourceFile],
    configured: Sequence[ConfiguredSuppression] = (),
    *,
    today: date,
    known: Mapping[str, str],
    ran: Collection[str] | None = None,
    selection_for: Callable[[str], RuleSelection] = lambda path: RuleSelection(),
) -> list[Diagnostic]:
    """The diagnostics, those that a comment or the configuration silences marked so, and those about suppressions.

    `diagnostics` are what the selection has left of a run over `files`. `known` maps the code of every rule to its
    name, `ran` holds the codes of those that ran (all where it is None), and `selection_for` says for a path which of
    them are selected there and how loud they are: it decides on the diagnostics about suppressions, and spares
    suppressions of rules that are not selected the reproach of being unused.
    A diagnostic that several suppressions cover has the reason of the one that covers the least.
    """
    ran = known.keys() if ran is None else ran
    by_path = {file.path: _suppressions(file, known) for file in files if isinstance(file, SpecFile)}
    standing = [item for item in configured if item.until is None or today <= item.until]
    used: set[tuple[int, str]] = set()
    result = []
    for diagnostic in diagnostics:
        reasons = [*_reasons(diagnostic, by_path.get(diagnostic.place.path, ()), today, used)]
        reasons += _configured_reasons(diagnostic, standing, used)
        is_new = reasons and diagnostic.suppressed is None
        result.append(replace(diagnostic, suppressed=reasons[0]) if is_new else diagnostic)

    def runs(code: str, path: str) -> bool:
        """Whether a rule that a suppression names ran on a file."""
        selection = selection_for(path)
        meant = (rule for rule in ran if rule.startswith(code) and rule not in _OWN_CODES)
        return any(selection.includes(rule) for rule in meant)

    for suppressions in by_path.values():
        for suppression in suppressions:
            result.extend(_faults(suppression, today, used, runs))
    for entry in configured:
        result.extend(_configured_faults(entry, files, today, used, runs))
    selected = (item for item in result if _is_chosen(item, selection_for))
    placed = [_with_level(item, selection_for) for item in selected]
    return sorted(placed, key=lambda item: (item.place, item.code, item.message))


def _suppressions(file: SpecFile, known: Mapping[str, str]) -> list[_Suppression]:
    """The suppressions of a file; those that cover the least first."""
    found = []
    for comment in file.comments:
        read = read_comment(comment.text, known) if "mcp-contracts" in comment.text.casefold() else None
        if read is not None:
            found.append(_placed(read, comment, file))
    return sorted(found, key=lambda item: item.lines[1] - item.lines[0])


def _placed(read: SuppressionComment, comment: Comment, file: SpecFile) -> _Suppression:
    ...
