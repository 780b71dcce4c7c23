"""An exact law: over tiny worlds, every answer of the comparison is checked against every value.

`python -m tests.proofs.exact` checks all pairs of schemas of every world; the suite checks some of them.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cached_property, reduce
from operator import and_, getitem
from typing import Any, NamedTuple

from mcp_contracts.change import Policy
from mcp_contracts.changes.absent import SchemaDirection
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.inclusion.decision import BUDGET, counterexample, inclusion
from mcp_contracts.schema.budget import Budget
from mcp_contracts.witnesses.confirm import confirm
from tests.proofs.oracle import Names, Oracle, Place
from tests.proofs.worlds import WORLDS

Schema = Any
SETS: Policy = "sets"
WAYS: tuple[tuple[SchemaDirection, Policy], ...] = (("input", "sets"), ("input", "declared"), ("output", "declared"))
"""For plain sets, both directions are the same question: the other one is the pair in reverse."""
_ITEMS = 4
_NOWHERE: Place = []


class Problem(NamedTuple):
    """An answer that a value contradicts."""

    world: str
    old: Schema
    new: Schema
    told: str


class Judged:
    """A schema of a world with the values that it accepts. Sets of values are the bits of a number."""

    def __init__(self, schema: Schema, values: list[Any]) -> None:
        self.schema = schema
        self.oracle = Oracle(schema)
        self._values = values
        self.accepted = self._bits(map(self.oracle.accepts, values))

    @staticmethod
    def _bits(held: Iterable[bool]) -> int:
        return sum(1 << index for index, one in enumerate(held) if one)

    def is_possible(self, part: Schema) -> bool:
        """Whether a value of the world matches a subschema."""
        return any(self.oracle.accepts_part(part, value) for value in self._values)

    @cached_property
    def names(self) -> Names:
        """The declared names."""
        return Names(self.oracle)

    @cached_property
    def sent(self) -> int:
        """The values that callers send: accepted, with only declared names."""
        return self.accepted & self._bits(map(self.names.are_sent, self._values))

    @cached_property
    def understood(self) -> int:
        """The values that consumers understand: accepted unchanged, or without the undeclared names."""
        return self.accepted | self._bits(self.oracle.accepts(self.names.read(value)) for value in self._values)

    def is_sent(self, value: Any) -> bool:
        """Whether callers may send a value."""
        return self.oracle.accepts(value) and self.names.are_sent(value)

    def is_misunderstood(self, value: Any) -> bool:
        """Whether consumers do not understand a value."""
        return not self.oracle.accepts(value) and not self.oracle.accepts(self.names.read(value))

    @cached_property
    def objects(self) -> set[tuple[str, ...]]:
        """The places of objects in all accepted values, by the names that lead to them."""
        return self._ways(self.accepted, _objects_in)

    @cached_property
    def held(self) -> set[tuple[str, ...]]:
        """The names of members, each with the names that lead to it, in values that callers are known to send."""
        return self._ways(self.sent, _members_in)

    @cached_property
    def all_held(self) -> set[tuple[str, ...]]:
        """The same for all values."""
        return self._ways(-1, _members_in)

    def _ways(self, values: int, inside: Callable[[Any], Iterable[tuple[str, ...]]]) -> set[tuple[str, ...]]:
        return {way for index, value in enumerate(self._values) if values >> index & 1 for way in inside(value)}


def _properties(schema: Schema) -> Collection[str]:
    return schema.get("properties", ()) if isinstance(schema, dict) else ()


def _objects_in(value: Any, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        yield before
        for name, member in value.items():
            yield from _objects_in(member, (*before, name))


def _members_in(value: Any) -> Iterator[tuple[str, ...]]:
    """Return the names in a value, each with the names that lead to it."""
    return ((*way, name) for way in _objects_in(value) for name in reduce(getitem, way, value))


def is_surely_lost(old: Judged, new: Judged) -> bool:
    """Whether the new schema lacks a property that the old one declares, and callers notice.

    The name is under `properties` and occurs in values, its schema and the enclosing one accept a value, and the new
    schema still allows an object there.
    """
    for way in old.held:
        if way[:-1] in new.objects:
            here: Place | None = old.names.root
            there: Place | None = new.names.root
            for name in way[:-1]:
                here, there = old.names.member(here or [], name), new.names.member(there or [], name)
            held = [one for one in here or () if way[-1] in _properties(one)]
            is_real = any(map(old.is_possible, held)) and any(map(old.is_possible, _parts(held, way[-1])))
            if is_real and new.names.member(there or [], way[-1]) is None:
                return True
    return False


def may_be_lost(old: Judged, new: Judged) -> bool:
    """Whether the new schema lacks a property that the old one declares at some place of a value."""
    names = {name for way in old.all_held for name in way} | {"no such name"}
    pending = [(old.names.root, new.names.root)]
    seen: set[tuple[int, int]] = set()
    while pending:
        here, there = pending.pop()
        if (id(here), id(there)) in seen:
            continue
        seen.add((id(here), id(there)))
        pending += ((old.names.item(here, index), new.names.item(there, index)) for index in range(_ITEMS))
        for name in names | {name for one in here for name in _properties(one)}:
            inner, other = old.names.member(here, name), new.names.member(there, name)
            if other is None and any(part is not False for part in _parts(here, name)):
                return True
            if inner is not None:
                pending.append((inner, _NOWHERE if other is None else other))
    return False


def _parts(place: Place, name: str) -> list[Schema]:
    """Return the schemas of a property at a place."""
    return [one["properties"][name] for one in place if name in _properties(one)]


def inclusion_problem(old: Judged, new: Judged, counts: Counter[str]) -> str | None:
    """Return the fault in the answer to whether the old schema accepts only values that the new one accepts."""
    found = inclusion(old.schema, new.schema)
    missed = old.accepted & ~new.accepted
    counts[found.answer] += 1
    if found.answer == "yes" and missed:
        return f"called included, and {_first(missed, old)} is not"
    if found.answer == "no":
        counts["no, by a value that the world has not"] += not missed
        if not old.oracle.accepts(found.witness) or new.oracle.accepts(found.witness):
            return f"refuted by {found.witness!r}, which does not"
    if found.answer == "unknown":
        counts[f"unknown: {found.keyword} {found.reason}"] += 1
    return None


def overlap_problem(olds: Sequence[Judged], new: Judged, counts: Counter[str]) -> str | None:
    """Return the fault in the answer to whether a third schema accepts all values that two schemas accept."""
    found = counterexample([old.schema for old in olds], [new.schema], Budget(BUDGET))
    missed = reduce(and_, (old.accepted for old in olds)) & ~new.accepted
    counts[found.answer] += 1
    if found.answer == "no":
        counts["no, by a value that the world has not"] += not missed
        if not all(old.oracle.accepts(found.witness) for old in olds) or new.oracle.accepts(found.witness):
            return f"refuted by {found.witness!r}, which does not"
    return f"called included, and {_first(missed, new)} is not" if found.answer == "yes" and missed else None


def _first(values: int, judged: Judged) -> str:
    index = (values & -values).bit_length() - 1
    return repr(judged._values[index])


def verdict_problem(
    old: Judged, new: Judged, direction: SchemaDirection, policy: Policy, counts: Counter[str]
) -> str | None:
    """Return the fault in a verdict."""
    found = compare_schemas(old.schema, new.schema, direction=direction, policy=policy)
    counts[found.verdict.value] += 1
    if policy == "sets":
        missed = old.accepted & ~new.accepted
    elif direction == "input":
        missed = old.sent & ~new.accepted
    else:
        missed = new.accepted & ~old.understood
    troubles = [trouble for trouble in found.troubles if "the validators disagree" not in trouble]
    if troubles:
        return f"{direction} {policy}: trouble: {troubles}"
    if found.verdict == "compatible":
        if missed:
            return f"{direction} {policy}: called compatible, and {_first(missed, old)} breaks"
        if policy == "declared" and is_surely_lost(old, new):
            return f"{direction} {policy}: called compatible, and a property is gone"
    if found.verdict == "breaking":
        for change in found.changes:
            if change.verdict == "breaking" and change.witness is None and not may_be_lost(old, new):
                return f"{direction} {policy}: called breaking without a witness: {change.message}"
            if change.witness is not None and (
                told := _witness_problem(old, new, direction, policy, change.witness.value)
            ):
                return f"{direction} {policy}: {told}"
        is_proved = any(change.witness is not None for change in found.changes)
        counts["breaking, by a value that the world has not"] += is_proved and not missed
    return None


def _witness_problem(old: Judged, new: Judged, direction: SchemaDirection, policy: Policy, value: Any) -> str | None:
    if policy == "sets":
        is_one = old.oracle.accepts(value) and not new.oracle.accepts(value)
        is_confirmed = confirm(old.schema, new.schema, value).is_confirmed
    elif direction == "input":
        is_one = old.is_sent(value) and not new.oracle.accepts(value)
        is_confirmed = confirm(old.schema, new.schema, value).is_confirmed
    else:
        is_one = new.oracle.accepts(value) and old.is_misunderstood(value)
        is_confirmed = confirm(new.schema, old.schema, value).is_confirmed
    if not is_one:
        return f"{value!r} is not a witness"
    return None if is_confirmed else f"validators do not confirm {value!r}"


def problems(
    world: str, pairs: Iterable[tuple[Judged, Judged]], counts: Counter[str], *, verdicts: bool
) -> Iterator[Problem]:
    """Yield the faults for some pairs: in the answers of the search and, if requested, in the verdicts."""
    for old, new in pairs:
        counts["pairs"] += 1
        told = [inclusion_problem(old, new, counts)]
        if verdicts:
            told += (verdict_problem(old, new, direction, policy, counts) for direction, policy in WAYS)
        yield from (Problem(world, old.schema, new.schema, one) for one in told if one is not None)


def judged_world(name: str) -> list[Judged]:
    """Return the schemas of a world with the values that they accept."""
    world = WORLDS[name]()
    return [Judged(schema, world.values) for schema in world.schemas]


def all_problems(name: str, part: int, parts: int, verdicts: int) -> tuple[list[Problem], Counter[str]]:
    """Return the problems of one world, or of a part of its pairs, and of the verdicts on a sample of them."""
    schemas = judged_world(name)
    pairs = [(old, new) for old in schemas for new in schemas][part::parts]
    counts: Counter[str] = Counter()
    found = list(problems(name, pairs, counts, verdicts=False))
    sampled = random.Random(part).sample(pairs, min(verdicts // parts, len(pairs)))
    asked: Counter[str] = Counter()
    found += problems(name, sampled, asked, verdicts=True)
    counts.update({f"verdict {key}": count for key, count in asked.items()})
    return found, counts


def told(name: str, tasks: Iterable[Future[tuple[list[Problem], Counter[str]]]], total: Counter[str]) -> int:
    """Print the problems that some tasks found and their counts, and return the number of problems."""
    began = time.monotonic()
    counts: Counter[str] = Counter()
    failed = 0
    for task in tasks:
        found, more = task.result()
        counts.update(more)
        failed += len(found)
        for problem in found[:10]:
            print(f"{problem.told}\n  old {problem.old!r}\n  new {problem.new!r}")
    print(f"{name}: {time.monotonic() - began:.0f} s, {dict(sorted(counts.items()))}", flush=True)
    total.update(counts)
    return failed


def main() -> int:
    """Check everything, and print the problems."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", action="append", choices=WORLDS, help="one world (default: all)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--parts", type=int, default=4)
    parser.add_argument("--verdicts", type=int, default=4000, help="how many pairs of a world get verdicts as well")
    options = parser.parse_args()
    failed = 0
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        for name in options.world or WORLDS:
            failed += told(
                name,
                [
                    pool.submit(all_problems, name, part, options.parts, options.verdicts)
                    for part in range(options.parts)
                ],
                total,
            )
    print(f"{total['pairs']} pairs, {failed} with problems, {total['unknown']} unknown")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
