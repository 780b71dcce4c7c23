"""Select the facts of a schema that are listed individually, and write them as changes."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts.change import Bump, Change, Verdict
from mcp_contracts.changes.absent import SchemaDirection
from mcp_contracts.changes.questions import QuestionVerdict
from mcp_contracts.changes.registry import hint_for
from mcp_contracts.comparison.compare import Fact, FactKind
from mcp_contracts.diagnostics import RuleInfo
from mcp_contracts.records import replace

MOST_LISTED = 1_000
"""The maximum number of facts that are listed individually; breaking facts come first."""

ANNOTATIONS = frozenset(
    (FactKind.WORDS_CHANGED, FactKind.DEFAULT_CHANGED, FactKind.MARK_CHANGED, FactKind.FORMAT_CHANGED)
)
"""Facts about keywords that validators ignore."""

Tagged = tuple[QuestionVerdict, tuple[str, ...]]
"""The verdict on a fact, and the tags of the change."""


def select_listed(
    found: Sequence[Fact], judged: Sequence[Tagged], subject: str
) -> tuple[Sequence[Fact], Sequence[Tagged]]:
    """Return the facts that are listed individually, the worst ones if there are too many, and one for all others."""
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


def with_only_cause(found: Sequence[Fact], judged: Sequence[Tagged], whole: QuestionVerdict) -> Sequence[Tagged]:
    """Return the verdicts; if the whole breaks and only one fact can be the cause, that fact breaks."""
    causes = [index for index, fact in enumerate(found) if fact.kind not in ANNOTATIONS]
    if not whole.is_breaking or len(causes) != 1:
        return judged
    return [(whole, ()) if index == causes[0] and not one[0].is_breaking else one for index, one in enumerate(judged)]


def schema_change(
    direction: SchemaDirection,
    rule: RuleInfo,
    judged: QuestionVerdict,
    message: str,
    old_pointer: str | None = "",
    new_pointer: str | None = "",
    tags: tuple[str, ...] = (),
    bump: Bump = Bump.MINOR,
) -> Change:
    """Return the change that a rule reports about a schema, with its verdict."""
    reason = judged.reason
    pointer = new_pointer if new_pointer is not None else old_pointer or ""
    holder, _, keyword = pointer.rpartition("/")
    if keyword.isdigit():
        keyword = holder.rpartition("/")[2]  # an entry of a list
    if reason is not None and reason.keyword in ("", keyword):  # the budget, or the change itself
        reason = replace(reason, pointer=pointer, keyword=keyword)
    return Change(
        rule.code,
        rule.name,
        direction,
        judged.verdict,
        {Verdict.BREAKING: Bump.MAJOR, Verdict.UNKNOWN: Bump.MINOR}.get(judged.verdict, bump),
        message,
        hint_for(rule, judged.verdict),
        old_pointer,
        new_pointer,
        witness=judged.witness,
        reason=reason if judged.verdict is Verdict.UNKNOWN else None,
        tags=tags,
    )
