"""Which of the judged facts of a schema are told one by one, and which of them breaks where only one can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mcp_contracts.change import Verdict
from mcp_contracts.changes.questions import Judged
from mcp_contracts.comparison.compare import Fact, FactKind

MOST_LISTED = 1_000
"""Facts that are told one by one, those that break before the others."""

ANNOTATIONS = frozenset(
    (FactKind.WORDS_CHANGED, FactKind.DEFAULT_CHANGED, FactKind.MARK_CHANGED, FactKind.FORMAT_CHANGED)
)
"""Facts about what validators let pass."""

Tagged = tuple[Judged, tuple[str, ...]]
"""The verdict on a fact, and the tags of the change."""


def listed(found: Sequence[Fact], judged: Sequence[Tagged], subject: str) -> tuple[Sequence[Fact], Sequence[Tagged]]:
    """As many facts as are told one by one, the worst ones first to be kept, and one for all that are left out."""
    if len(found) <= MOST_LISTED:
        return found, judged
    order = [Verdict.BREAKING, Verdict.UNKNOWN, Verdict.COMPATIBLE]
    numbers = sorted(range(len(found)), key=lambda number: order.index(judged[number][0].verdict))
    kept, left_out = sorted(numbers[:MOST_LISTED]), numbers[MOST_LISTED:]
    verdict, tags = judged[left_out[0]]
    breaking = sum(judged[number][0].is_breaking for number in left_out)
    some = f" ({breaking:,} of them breaking)" if breaking else ""
    message = f"{subject}: {len(left_out):,} more changes are not listed{some}"
    rest = Fact(FactKind.SCHEMA_CHANGED, message, "", "", "", "", is_cut=True)
    return (
        [*(found[number] for number in kept), rest],
        [*(judged[number] for number in kept), (replace(verdict, witness=None), tags)],
    )


def with_only_cause(found: Sequence[Fact], judged: Sequence[Tagged], whole: Judged) -> Sequence[Tagged]:
    """The verdicts; where the whole breaks, and a single fact can be why, that fact breaks."""
    causes = [index for index, fact in enumerate(found) if fact.kind not in ANNOTATIONS]
    if not whole.is_breaking or len(causes) != 1:
        return judged
    return [(whole, ()) if index == causes[0] and not one[0].is_breaking else one for index, one in enumerate(judged)]
