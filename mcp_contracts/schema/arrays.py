"""Arrays that satisfy atoms: how long they are, and what the item at each position must be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.answers import Answer, Doubt, Found, Search, first_found
from mcp_contracts.schema.formulas import Formula, Held, negation

_LONGEST = 100_000
_MOST_DISTINCT = 300
_MOST_WANTED = 300

_Position = tuple[Formula, ...]
"""What the item at a position must satisfy beside what is asked of that position."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """An item that must be there at some position from `start` on; those of one `group` are different items."""

    start: int
    part: Formula
    group: int | None = None


@dataclass(slots=True)
class _Asked:
    """What atoms ask of an array. `counted` are formulas that at least and at most so many items satisfy."""

    least: int = 0
    most: int | None = None
    is_unique: bool = False
    repeats: bool = False
    tuples: list[tuple[tuple[Formula, ...], Formula]] = field(default_factory=list)
    at: dict[int, list[Formula]] = field(default_factory=dict)
    wanted: list[_Wanted] = field(default_factory=list)
    counted: list[tuple[Formula, int, int]] = field(default_factory=list)

    @property
    def explicit(self) -> int:
        """How many positions must be looked at one by one: all further ones are alike, and none of them is needed."""
        prefixes = (len(prefix) for prefix, _ in self.tuples)
        starts = (wanted.start for wanted in self.wanted)
        fixed = max((*prefixes, *starts, *(index + 1 for index in self.at)), default=0)
        return fixed + len(self.wanted) + 2 * self.repeats + sum(least for _, least, _ in self.counted)


def find_array(search: Search, atoms: Sequence[Any]) -> Answer:
    """An array that satisfies atoms, a short one."""
    asked = _read(atoms)
    if asked.is_unique and asked.repeats:
        return None
    shortest = max(asked.least, max((index + 1 for index in asked.at), default=0))
    longest = max(shortest, asked.explicit)
    if asked.most is not None:
        longest = min(longest, asked.most)
    if shortest > longest:
        return None
    if shortest > _LONGEST or asked.explicit > max(_MOST_WANTED, 2 * len(asked.at)):
        return Doubt("minItems", f"arrays of {longest} items are longer than we build")
    arrays = _Arrays(search, asked)
    return first_found(arrays.of_length(size) for size in range(shortest, longest + 1))


def _read(atoms: Sequence[Any]) -> _Asked:
    asked = _Asked()
    for number, atom in enumerate(atoms):
        match atom[0]:
            case "longer":
                asked.least = max(asked.least, atom[1])
            case "shorter":
                asked.most = atom[1] if asked.most is None else min(asked.most, atom[1])
            case "unique":
                asked.is_unique = True
            case "repeating":
                asked.repeats = True
            case "items":
                asked.tuples.append((atom[1], atom[2]))
            case "at":
                asked.at.setdefault(atom[1], []).append(atom[2])
            case "some":
                asked.wanted.append(_Wanted(atom[1], atom[2]))
            case "contains":
                _, part, least, most = atom
                if most is not None and least > most:
                    asked.most = -1
                elif most == 0:
                    asked.tuples.append(((), negation(part)))
                elif most is None:
                    asked.wanted.extend(_Wanted(0, part, number) for _ in range(min(least, _MOST_WANTED + 1)))
                else:
                    asked.counted.append((part, least, most))
    return asked


@dataclass(frozen=True, slots=True)
class _Draft:
    """An array in the making: what the items at the first positions must satisfy beside what is asked of them, and the
    same for all `more` items after these, which are alike."""

    positions: tuple[_Position, ...]
    filler: _Position = ()
    more: int = 0

    def with_part(self, index: int, part: Formula) -> _Draft:
        """The draft with one more thing asked of one position, or of all the further items."""
        if index >= len(self.positions):
            return _Draft(self.positions, (*self.filler, part), self.more)
        positions = (*self.positions[:index], (*self.positions[index], part), *self.positions[index + 1 :])
        return _Draft(positions, self.filler, self.more)


class _Arrays:
    """The search for one array."""

    def __init__(self, search: Search, asked: _Asked) -> None:
        self._search, self._asked = search, asked

    def of_length(self, size: int) -> Answer:
        """An array of one length."""
        self._search.step()
        explicit = min(size, self._asked.explicit)
        return self._place(0, _Draft(((),) * explicit, (), size - explicit), {})

    def _place(self, index: int, draft: _Draft, last: dict[int, int]) -> Answer:
        """The array in which the members that are still wanted have found a position."""
        if index == len(self._asked.wanted):
            return self._count(0, draft, [0] * len(self._asked.counted))
        return first_found(self._placed(index, draft, last, self._asked.wanted[index]))

    def _placed(self, index: int, draft: _Draft, last: dict[int, int], wanted: _Wanted) -> Iterator[Answer]:
        start = wanted.start if wanted.group is None else max(wanted.start, last.get(wanted.group, -1) + 1)
        for position in range(start, len(draft.positions)):
            with_it = draft.with_part(position, wanted.part)
            if self._search.satisfy(self._goal(with_it, position)) is not None:
                ends = last if wanted.group is None else {**last, wanted.group: position}
                yield self._place(index + 1, with_it, ends)

    def _count(self, position: int, draft: _Draft, counts: list[int]) -> Answer:
        """The array in which each item is counted in or out by each formula that counts."""
        counted = self._asked.counted
        if any(count > most for count, (_, _, most) in zip(counts, counted, strict=True)):
            return None
        is_filler = position == len(draft.positions)
        if not counted or position > len(draft.positions) or (is_filler and not draft.more):
            if any(count < least for count, (_, least, _) in zip(counts, counted, strict=True)):
                return None
            return self._finish(draft)
        answer = first_found(self._counted(position, draft, counts, draft.more if is_filler else 1))
        if answer is None and is_filler and (len(counted) > 1 or self._asked.is_unique):
            return Doubt("contains", "too many items are counted in too many ways")
        return answer

    def _counted(self, position: int, draft: _Draft, counts: list[int], weight: int) -> Iterator[Answer]:
        for choice in range(2 ** len(counts)):
            changed, new_counts = draft, list(counts)
            for number, (part, _, _) in enumerate(self._asked.counted):
                is_in = bool(choice >> number & 1)
                changed = changed.with_part(position, part if is_in else negation(part))
                new_counts[number] += is_in * weight
            if self._search.satisfy(self._goal(changed, position)) is not None:
                yield self._count(position + 1, changed, new_counts)

    def _finish(self, draft: _Draft) -> Answer:
        goals = [self._goal(draft, index) for index in range(len(draft.positions))]
        filler = self._goal(draft, len(draft.positions))
        if self._asked.repeats:
            return first_found(self._repeating(goals, filler, draft.more))
        if self._asked.is_unique and len(goals) + draft.more > 1:
            if len(goals) + draft.more > _MOST_DISTINCT:
                return Doubt("uniqueItems", f"more than {_MOST_DISTINCT} different items are more than we build")
            return self._distinct([*goals, *[filler] * draft.more])
        return self._built(goals, filler, draft.more)

    def _repeating(self, goals: list[frozenset[Formula]], filler: frozenset[Formula], more: int) -> Iterator[Answer]:
        for second in range(1, len(goals)):
            for first in range(second):
                equal = list(goals)
                equal[first] = equal[second] = goals[first] | goals[second]
                yield self._built(equal, filler, more)

    def _built(self, goals: Sequence[frozenset[Formula]], filler: frozenset[Formula], more: int) -> Answer:
        items: list[JsonValue] = []
        doubt: Doubt | None = None
        for goal in (*goals, *[filler] * bool(more)):
            answer = self._search.satisfy(goal)
            if answer is None or isinstance(answer, Doubt):
                return answer
            items.append(answer.value)
            doubt = doubt or answer.doubt
        return Found([*items, *items[-1:] * (more - 1)], doubt)

    def _distinct(self, goals: Sequence[frozenset[Formula]]) -> Answer:
        """An array of different items: each goal's values are listed, as many as could be taken, and shared out."""
        same = {goal: goals.count(goal) for goal in goals}
        for enough in (same, dict.fromkeys(same, len(goals))):
            values = {goal: self._values(goal, enough[goal]) for goal in same}
            doubt = next((one for _, one in values.values() if one is not None), None)
            shared = _shared_out([values[goal][0] for goal in goals])
            if shared is not None:
                return Found([held.value for held in shared], doubt)
            if doubt is not None:
                return doubt
        return None

    def _values(self, goal: frozenset[Formula], count: int) -> tuple[list[Held], Doubt | None]:
        """Up to `count` different values of a goal, and what kept us from all of them."""
        found: list[Held] = []
        doubt = None
        parts = set(goal)
        while len(found) < count:
            self._search.step()
            answer = self._search.satisfy(parts)
            if answer is None:
                break
            if isinstance(answer, Doubt):
                return found, answer
            doubt = doubt or answer.doubt
            held = Held(answer.value)
            found.append(held)
            parts.add(("not-only", held))
        return found, doubt

    def _goal(self, draft: _Draft, index: int) -> frozenset[Formula]:
        parts = [prefix[index] if index < len(prefix) else rest for prefix, rest in self._asked.tuples]
        own = draft.positions[index] if index < len(draft.positions) else draft.filler
        return frozenset((*parts, *self._asked.at.get(index, ()), *own))


def _shared_out(options: Sequence[Sequence[Held]]) -> list[Held] | None:
    """One value for each position, all different, or None where that cannot be (a matching by augmenting paths)."""
    taken: dict[Held, int] = {}

    def give(position: int, tried: set[Held]) -> bool:
        for value in options[position]:
            if value not in tried:
                tried.add(value)
                if value not in taken or give(taken[value], tried):
                    taken[value] = position
                    return True
        return False

    if not all(give(position, set()) for position in range(len(options))):
        return None
    return sorted(taken, key=taken.__getitem__)
