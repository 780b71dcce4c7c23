"""The entries that `--accept` writes: new, amended and kept ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date

from mcp_contracts.change import Change, ToolDiff, Verdict
from mcp_contracts.checks.acceptance import Acceptance, Digests, SinceRelease, pointer_of
from mcp_contracts.config.accepted import AcceptedChange
from mcp_contracts.contract import Contracts
from mcp_contracts.masking.mask import SecretMask
from mcp_contracts.records import dataclass, replace


def newly_accepted(
    tools: Iterable[ToolDiff],
    acceptance: Acceptance,
    accepted: Sequence[AcceptedChange],
    old: Contracts,
    new: Contracts,
    *,
    reason: str | None = None,
    until: date | None = None,
    is_unknown_included: bool = False,
    releases: Callable[[], Sequence[SinceRelease]] = tuple,
) -> tuple[AcceptedChange, ...]:
    """Return the entries after accepting everything that fails the run: valid ones, and one for each uncovered break.

    `tools` are the compared tools with their coverage, before masking, because digests are based on the content of the
    files; the entries are masked like reports. `acceptance` is the effect of `accepted` on the tools. Stale entries are
    removed, and entries about tools that were not compared are kept. An expired entry is renewed, and keeps its reason
    unless another is given. `is_unknown_included` also accepts undecided changes. If an earlier release shows another
    change at the place of a break, that change is accepted too.

    If nothing is new, `reason` and `until` are set on the entries that apply.
    """
    gone = {entry.key for entry in (*acceptance.stale, *acceptance.expired)}
    reasons = {entry.key: entry.reason for entry in acceptance.expired}
    kept = {entry.key: entry for entry in accepted if entry.key not in gone}
    digests = Digests(old, new)
    failing = _failing_changes(tools, is_unknown_included=is_unknown_included)
    fresh = [_NewEntry(tool, change, digests.of(tool, change)) for tool, change in failing]
    if fresh:
        fresh += _further_back(fresh, releases(), new)
    held = {entry.fingerprint for entry in acceptance.applied}
    kept = {key: _amend(entry, held, reason, until, is_all=not fresh) for key, entry in kept.items()}
    for one in fresh:
        entry = one.entry(until, acceptance.mask)
        kept.setdefault(entry.key, replace(entry, reason=reason or reasons.get(entry.key)))
    return tuple(kept.values())


@dataclass(frozen=True, slots=True)
class _NewEntry:
    tool: ToolDiff
    change: Change
    digest: str

    def entry(self, until: date | None, mask: SecretMask) -> AcceptedChange:
        pointer = pointer_of(self.change)
        return AcceptedChange(
            tool=self.tool.tool,
            code=self.change.code,
            direction=self.change.direction,
            fingerprint=self.change.fingerprint,
            digest=self.digest,
            pointer=None if pointer is None else mask.text(pointer),
            change=mask.text(self.change.message),
            version=self.tool.old_version,
            until=until,
        )


def _failing_changes(tools: Iterable[ToolDiff], *, is_unknown_included: bool) -> Iterator[tuple[ToolDiff, Change]]:
    """Yield the changes that fail the run."""
    for tool in tools:
        yield from ((tool, change) for change in tool.uncovered_breaks)
        if is_unknown_included:
            undecided = (change for change in tool.changes if change.verdict is Verdict.UNKNOWN)
            yield from (
                (tool, change) for change in undecided if change.accepted is None and change.level in (None, "error")
            )


def _further_back(accepted: Sequence[_NewEntry], releases: Sequence[SinceRelease], new: Contracts) -> list[_NewEntry]:
    """Return the changes that releases show at the places of accepted ones; these may be other steps to the same
    result."""
    known = {one.change.fingerprint: one.digest for one in accepted}
    found = []
    for release in releases:
        digests = Digests(release.old, new)
        for tool in release.tools:
            for change in tool.changes:
                digest = digests.of(tool, change) if change.fingerprint in known else None
                if digest not in (None, known.get(change.fingerprint)) and change.verdict is not Verdict.COMPATIBLE:
                    found.append(_NewEntry(tool, change, digest or ""))
    return found


def _amend(
    entry: AcceptedChange, held: set[str], reason: str | None, until: date | None, *, is_all: bool
) -> AcceptedChange:
    """Set the reason and the last day of an entry that applies; one without a reason always takes it."""
    if entry.fingerprint not in held:
        return entry
    if reason is not None and (is_all or entry.reason is None):
        entry = replace(entry, reason=reason)
    return replace(entry, until=until) if until is not None and is_all else entry
