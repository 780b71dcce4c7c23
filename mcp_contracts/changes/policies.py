"""The outcome of a schema comparison under a policy; `strict` combines the outcomes of the other two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from mcp_contracts.change import POLICIES, Change, Reason, Verdict, Witness
from mcp_contracts.changes.registry import ANNOTATIONS, NOT_COMPARABLE, WHOLE
from mcp_contracts.errors import UsageError
from mcp_contracts.records import dataclass

_ORDER = (Verdict.COMPATIBLE, Verdict.UNKNOWN, Verdict.BREAKING)
_OF_THE_WHOLE = frozenset((*WHOLE.values(), *NOT_COMPARABLE.values()))


@dataclass(frozen=True, slots=True)
class SchemaComparison:
    """The outcome of a schema comparison: the overall verdict, its proof if it breaks, and every change.

    `witness` is a value that shows the break (the first one if several changes break), `reason` what prevented a proof
    if the verdict is unknown. `troubles` describe witnesses that the validators do not confirm: internal errors.
    """

    verdict: Verdict
    witness: Witness | None = None
    reason: Reason | None = None
    changes: tuple[Change, ...] = ()
    troubles: tuple[str, ...] = ()


def check_policy(policy: str) -> None:
    """Raise UsageError for an unknown policy."""
    if policy not in POLICIES:
        raise UsageError(f"unknown policy `{policy}`", hint="choose `declared`, `sets` or `strict`")


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Combine several verdicts: breaking if one is breaking, compatible if all are."""
    return max(verdicts, key=_ORDER.index, default=Verdict.COMPATIBLE)


def strictest(as_sets: SchemaComparison, as_declared: Callable[[], SchemaComparison]) -> SchemaComparison:
    """Combine the policies `sets` and `declared`, overall and for every change.

    `as_declared` is called only if it can add something to the result of `sets`.
    """
    if _is_settled(as_sets):
        return as_sets
    declared = as_declared()
    changes = tuple(_without_doubles(_join(declared.changes, as_sets.changes)))
    return SchemaComparison(
        worst((as_sets.verdict, declared.verdict)),
        next((change.witness for change in changes if change.witness is not None), None),
        as_sets.reason or declared.reason,
        changes,
        (*as_sets.troubles, *declared.troubles),
    )


def _is_settled(as_sets: SchemaComparison) -> bool:
    """Whether the policy `declared` can find nothing more.

    It finds removed properties even if no value breaks, and regardless of how the schemas are written.
    """
    return as_sets.verdict is Verdict.BREAKING and all(
        change.verdict is Verdict.BREAKING or change.code in ANNOTATIONS for change in as_sets.changes
    )


def _join(declared: Sequence[Change], as_sets: Sequence[Change]) -> Iterator[Change]:
    """Yield each change once, from the policy that finds more; then the changes that only one policy reports."""
    others = dict(_number(declared))
    for key, change in _number(as_sets):
        yield max(others.pop(key, change), change, key=_weight)
    yield from others.values()


def _number(changes: Sequence[Change]) -> Iterator[tuple[tuple[object, ...], Change]]:
    seen: Counter[tuple[object, ...]] = Counter()
    for change in changes:
        key = (change.code, change.old_pointer, change.new_pointer)
        seen[key] += 1
        yield (*key, seen[key]), change


def _weight(change: Change) -> tuple[int, bool]:
    return _ORDER.index(change.verdict), change.witness is not None


def _without_doubles(changes: Iterable[Change]) -> Iterator[Change]:
    """Yield the changes, without the one about the whole schema if another change implies it."""
    found = Verdict.COMPATIBLE
    for change in sorted(changes, key=lambda one: one.code in _OF_THE_WHOLE):
        if change.code not in _OF_THE_WHOLE or _ORDER.index(change.verdict) > _ORDER.index(found):
            yield change
        found = worst((found, change.verdict))
