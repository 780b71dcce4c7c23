"""Apply suppressions to diagnostics, and report invalid suppressions."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from typing import Protocol

from mcp_contracts.checks.suppressions.comments import CommentFault, read_comment
from mcp_contracts.config import ConfiguredSuppression
from mcp_contracts.contract import Comment, SpecFile, SpecTool, ToolContract
from mcp_contracts.diagnostics import Diagnostic, Finding, Place, RuleInfo, SuppressedIn
from mcp_contracts.records import dataclass, replace
from mcp_contracts.rules.suppressions import (
    SUPPRESSION_EXPIRED,
    SUPPRESSION_MALFORMED,
    SUPPRESSION_RULES,
    SUPPRESSION_UNUSED,
    SUPPRESSION_WITHOUT_REASON,
)
from mcp_contracts.schema.wording import one_of

_MAXIMUM_COUNT = 250  # each diagnostic of a file is compared with all of them
_OWN_CODES = frozenset(rule.code for rule in SUPPRESSION_RULES)


class LintedFile(Protocol):
    """A file that diagnostics may be in, and the contracts that they may be about."""

    @property
    def path(self) -> str:
        """The path, as reports write it."""

    @property
    def contracts(self) -> tuple[ToolContract, ...]:
        """The contracts that the file contains or implements."""


@dataclass(frozen=True, slots=True)
class _Suppression:
    """A suppression of any kind.

    `codes` are codes or code prefixes, `paths` the files that it applies to, and `covers` selects diagnostics in them.
    `place` and `tool` say where it is, and `remedy` is the hint if it has no effect. `is_complete` means that
    everything it applies to was linted, so that it can be reported as unused.
    """

    codes: tuple[str, ...]
    reason: str | None
    until: date | None
    paths: tuple[str, ...]
    covers: Callable[[Diagnostic], bool]
    place: Place
    tool: str | None = None
    malformed: CommentFault | None = None
    remedy: str = "remove it"
    is_complete: bool = True
    stands_in: SuppressedIn = "source"

    def code_for(self, diagnostic: Diagnostic) -> str | None:
        """Return the code that silences a diagnostic, or None."""
        if diagnostic.code in _OWN_CODES or not self.covers(diagnostic):
            return None
        return next((code for code in self.codes if diagnostic.code.startswith(code)), None)

    def has_expired(self, today: date | None) -> bool:
        """Whether its last day has passed."""
        return today is not None and self.until is not None and self.until < today


def apply_suppressions(
    diagnostics: Iterable[Diagnostic],
    files: Sequence[LintedFile],
    configured: Sequence[ConfiguredSuppression] = (),
    *,
    today: date | None,
    known: Mapping[str, str],
    looked_for: AbstractSet[str] | None = None,
    is_whole: bool = False,
) -> list[Diagnostic]:
    """Mark the diagnostics that a comment or the configuration silences, and add diagnostics about suppressions.

    `diagnostics` are all findings in `files`, whether selected or not: a suppression is used if it silences one of
    them. `today` decides whether suppressions with `until` have expired; without it, none have. `known` maps the code
    of every rule to its name. `looked_for` are the codes whose findings are complete (all if None): a suppression of
    another code is never reported as unused. The caller handles selection, severities and fingerprints. `is_whole`
    means that all files of the project were linted. If several suppressions apply, the narrowest provides the reason.
    """
    suppressions = [*_of_comments(files, known), *_of_configuration(configured, files, is_whole=is_whole)]
    by_path: dict[str, list[_Suppression]] = defaultdict(list)
    for suppression in suppressions:
        if not suppression.has_expired(today):
            for path in suppression.paths:
                by_path[path].append(suppression)
    used: set[tuple[int, str]] = set()
    result = []
    for diagnostic in diagnostics:
        codes = [(item, item.code_for(diagnostic)) for item in by_path.get(diagnostic.place.path, ())]
        silencing = [(item, code) for item, code in codes if code is not None]
        used.update((id(item), code) for item, code in silencing)
        if silencing and diagnostic.suppressed is None:
            narrowest, _ = silencing[0]
            reason = narrowest.reason or "no reason given"
            diagnostic = replace(diagnostic, suppressed=reason, suppressed_in=narrowest.stands_in)
        result.append(diagnostic)

    def is_unused(code: str, suppression: _Suppression) -> bool:
        if (id(suppression), code) in used or not suppression.is_complete or not suppression.paths:
            return False
        meant = {rule for rule in known if rule.startswith(code)} - _OWN_CODES
        return bool(meant) and (looked_for is None or meant <= looked_for)

    for suppression in suppressions:
        for rule, message, hint in _faults(suppression, today, is_unused):
            result.append(Diagnostic.of(rule, Finding(message, hint), suppression.place, suppression.tool))
    return sorted(result, key=lambda item: (item.place, item.code, item.message))


def _of_comments(files: Sequence[LintedFile], known: Mapping[str, str]) -> Iterator[_Suppression]:
    """Yield the suppressions in comments; in each file, those that cover the least first."""
    for file in files:
        if isinstance(file, SpecFile):
            found = [item for comment in file.comments for item in _of_comment(comment, file, known)]
            yield from (item for _, item in sorted(found[:_MAXIMUM_COUNT], key=lambda entry: entry[0]))
            if len(found) > _MAXIMUM_COUNT:
                place = found[_MAXIMUM_COUNT][1].place
                fault = CommentFault(f"more than {_MAXIMUM_COUNT} suppressions in one file", "use `ignore-file`")
                yield _Suppression((), None, None, (), lambda diagnostic: False, place, malformed=fault)


def _of_comment(comment: Comment, file: SpecFile, known: Mapping[str, str]) -> Iterator[tuple[int, _Suppression]]:
    """Yield the suppression in a comment, if any, with the number of lines that it covers."""
    read = read_comment(comment.text, known) if "mcp-contracts" in comment.text.casefold() else None
    if read is None:
        return
    tool = _tool_at(comment, file, may_follow=read.scope == "ignore-tool")
    ranges = {
        "ignore": comment.next_block,
        "ignore-tool": None if tool is None else tool.lines,
        "ignore-file": (1, sys.maxsize),
    }
    first, last = ranges.get(read.scope) or (1, 0)

    def covers(diagnostic: Diagnostic) -> bool:
        return first <= diagnostic.place.line <= last

    codes, malformed, remedy = read.codes, read.malformed, "remove it"
    if read.scope == "ignore" and comment.next_block is None:
        remedy = "no block follows it: move it before the block that it suppresses"
    elif read.scope == "ignore-tool" and tool is None:
        hint = "move it below the tool's heading, or directly before it"
        codes, malformed = (), malformed or CommentFault("`ignore-tool` is not inside a tool", hint)
    name = None if tool is None else tool.contract.name
    paths = (file.path,)
    suppression = _Suppression(codes, read.reason, read.until, paths, covers, comment.place, name, malformed, remedy)
    yield last - first, suppression


def _tool_at(comment: Comment, file: SpecFile, *, may_follow: bool) -> SpecTool | None:
    """Return the tool that contains a comment; if `may_follow`, prefer a tool whose heading directly follows."""
    row = comment.place.line
    below = comment.next_block[0] if may_follow and comment.next_block is not None else None
    following = next((tool for tool in file.tools if tool.lines[0] == below), None)
    return following or next((tool for tool in file.tools if tool.lines[0] <= row <= tool.lines[1]), None)


def _of_configuration(
    configured: Sequence[ConfiguredSuppression], files: Sequence[LintedFile], *, is_whole: bool
) -> Iterator[_Suppression]:
    """Yield the suppressions of the configuration, each for the files that it can apply to."""
    for entry in configured:
        paths = tuple(
            file.path
            for file in files
            if entry.tool is None or any(contract.name == entry.tool for contract in file.contracts)
            if entry.covers_path(file.path)
        )
        yield _Suppression(
            (entry.code,),
            entry.reason,
            entry.until,
            paths,
            _tool_filter(entry),
            entry.place,
            is_complete=is_whole or entry.tool is not None or any(_is_named(path, entry) for path in paths),
            stands_in="configuration",
        )


def _is_named(path: str, entry: ConfiguredSuppression) -> bool:
    """Whether an entry names exactly this file; a glob may cover files that were not linted this time."""
    return entry.path is not None and f"/{path}".endswith(f"/{entry.path.strip('/')}")


def _tool_filter(entry: ConfiguredSuppression) -> Callable[[Diagnostic], bool]:
    """Return a filter for diagnostics about the tool that an entry names, at its pointer or below."""
    tool, pointer = entry.tool, entry.pointer

    def covers(diagnostic: Diagnostic) -> bool:
        if tool is not None and diagnostic.tool != tool:
            return False
        return pointer is None or f"{diagnostic.pointer or ''}/".startswith(f"{pointer}/")

    return covers


def _faults(
    suppression: _Suppression, today: date | None, is_unused: Callable[[str, _Suppression], bool]
) -> Iterator[tuple[RuleInfo, str, str]]:
    """Yield the faults of a suppression: the rule, the message and the hint."""
    if suppression.malformed is not None:
        yield SUPPRESSION_MALFORMED, suppression.malformed.message, suppression.malformed.hint
    if not suppression.codes:
        return
    if suppression.has_expired(today):
        message = f"the suppression of {_code_list(suppression.codes)} expired on {suppression.until}"
        yield SUPPRESSION_EXPIRED, message, "fix the finding and remove the suppression, or set a later date"
        return
    if suppression.reason is None and suppression.malformed is None:
        message = f"the suppression of {_code_list(suppression.codes)} has no reason"
        yield SUPPRESSION_WITHOUT_REASON, message, "write the reason after ` -- `"
    unused = [code for code in suppression.codes if is_unused(code, suppression)]
    if unused:
        all_of_it = len(unused) == len(suppression.codes)
        hint = suppression.remedy if all_of_it else f"remove {_code_list(unused)} from it"
        yield SUPPRESSION_UNUSED, f"the suppression of {_code_list(unused)} has no effect", hint


def _code_list(codes: Sequence[str]) -> str:
    return one_of([f"`{code}`" for code in codes], "and")
