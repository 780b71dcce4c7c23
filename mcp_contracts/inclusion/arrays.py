"""Arrays that satisfy atoms: their length, and the constraints on the item at each position.

Every constraint on some items is a count: a minimum and a maximum number of items from a position on that satisfy a
formula. Positions are visited in order. At each, an item belongs to a *cell*, which says for each count whether the
item is counted. The counts so far are a state. Each state is explored once at each position, so many items of a few
kinds have few states. After the last position with specific constraints, all positions are alike, and a state that was
already explored is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.answers import Answer, Doubt, Found, Search, find_first
from mcp_contracts.inclusion.atoms import (
    AtLeast,
    AtMost,
    Atom,
    Contains,
    Formula,
    ItemAt,
    Items,
    Repeating,
    SomeItem,
    Unique,
)
from mcp_contracts.inclusion.distinct_values import DistinctValues, Goal
from mcp_contracts.inclusion.formulas import negation
from mcp_contracts.records import dataclass, field

_LONGEST = 100_000
_MOST_DISTINCT = 300
_FEW = 20  # distinct items without constraints that are searched for, because words are more readable than numbers
_MOVES_PER_STEP = 8  # measured: a transition takes about an eighth of a step

_Counts = tuple[int, ...]
"""The number of items that each count has found, up to where more make no difference."""


@dataclass(frozen=True, slots=True)
class _Count:
    """The minimum and maximum number of items from `start` on that satisfy a formula."""

    part: Formula
    start: int
    least: int
    most: int | None


@dataclass(slots=True)
class _ArrayLimits:
    """The constraints of atoms on an array."""

    least: int = 0
    most: int | None = None
    is_unique: bool = False
    repeats: bool = False
    tuples: list[tuple[tuple[Formula, ...], Formula]] = field(default_factory=list)
    at: dict[int, list[Formula]] = field(default_factory=dict)
    counts: dict[tuple[Formula, int], _Count] = field(default_factory=dict)

    def count(self, part: Formula, start: int, least: int, most: int | None = None) -> None:
        """Add a count; counts of the same formula are merged."""
        known = self.counts.get((part, start))
        if known is not None:
            least = max(least, known.least)
            most = known.most if most is None else most if known.most is None else min(most, known.most)
        self.counts[part, start] = _Count(part, start, least, most)

    @property
    def explicit(self) -> int:
        """The number of positions with specific constraints."""
        prefixes = (len(prefix) for prefix, _ in self.tuples)
        starts = (start for _, start in self.counts)
        return max((*prefixes, *starts, *(index + 1 for index in self.at)), default=0)


def find_array(search: Search, atoms: Sequence[Atom]) -> Answer:
    """Find a short array that satisfies atoms."""
    asked = _read(atoms)
    if asked.is_unique and asked.repeats:
        return None
    counts = tuple(asked.counts.values())
    if any(count.most is not None and count.least > count.most for count in counts):
        return None
    shortest = max((asked.least, *(index + 1 for index in asked.at), *(count.start + count.least for count in counts)))
    if asked.most is not None and shortest > asked.most:
        return None
    if shortest > _LONGEST:
        return Doubt("minItems", f"arrays of {shortest} items exceed the limit of the search")
    if asked.is_unique:
        if shortest > _FEW and not (asked.tuples or asked.at or counts):
            return Found([*range(shortest)])
        return find_first(_DistinctArrays(search, asked, counts).found(shortest))
    if not asked.repeats:
        return _Arrays(search, asked, counts).found(shortest)
    last = asked.explicit + 2
    pairs = ((first, second) for second in range(1, last) for first in range(second))
    return find_first(_Arrays(search, asked, counts, pair).found(shortest) for pair in pairs)


def _read(atoms: Sequence[Atom]) -> _ArrayLimits:
    asked = _ArrayLimits()
    for atom in atoms:
        match atom:
            case AtLeast(size):
                asked.least = max(asked.least, size)
            case AtMost(size):
                asked.most = size if asked.most is None else min(asked.most, size)
            case Unique():
                asked.is_unique = True
            case Repeating():
                asked.repeats = True
            case Items(prefix, rest):
                asked.tuples.append((prefix, rest))
            case ItemAt(index, part):
                asked.at.setdefault(index, []).append(part)
            case SomeItem(start, part):
                asked.count(part, start, 1)
            case Contains(part, least, 0):
                asked.tuples.append(((), negation(part)))
                asked.count(part, 0, least, 0)
            case Contains(part, least, most):
                asked.count(part, 0, least, most)
    return asked


@dataclass(frozen=True, slots=True)
class _Cell:
    """Items counted in the same way: the increment of each count, and their formula; None for an earlier item."""

    grows: _Counts
    goal: Goal | None
    is_sure: bool = True


_Level = dict[_Counts, tuple[_Counts, _Cell]]
"""The states after an item, each with the state before it and the cell of the item that leads there."""

_CellRuns = Sequence[tuple[_Cell, int]]
"""Cells of items, each with its number of consecutive items."""


class _Arrays:
    """The search for an array or, with a pair of positions, for one with equal items at both."""

    def __init__(
        self, search: Search, asked: _ArrayLimits, counts: Sequence[_Count], pair: tuple[int, int] | None = None
    ) -> None:
        self._search, self._asked, self._counts, self._pair = search, asked, counts, pair
        self._explicit = max(asked.explicit, 0 if pair is None else pair[1] + 1)
        self._known: dict[int, list[_Cell]] = {}
        self._moves = 0

    def found(self, shortest: int) -> Answer:
        """Return an array of at least some length."""
        if self._pair is not None:
            shortest = max(shortest, self._pair[1] + 1)
        for is_sure in (True, False):
            runs = self._find_cells(shortest, is_sure=is_sure)
            if runs is not None:
                return self._build(runs)
            if all(cell.is_sure for cells in self._known.values() for cell in cells):
                break
        return None

    def _find_cells(self, shortest: int, *, is_sure: bool) -> _CellRuns | None:
        """Return the cells of a solution's items, or None without one; with `is_sure`, only cells without a doubt."""
        levels: list[tuple[_Level, int]] = []
        reached: Iterable[_Counts] = ((0,) * len(self._counts),)
        seen: set[_Counts] = set()
        length = 0
        while reached:
            if length >= shortest:
                for state in reached:
                    if self._is_enough(state):
                        return _cells_to(state, levels)
            if length == self._asked.most:
                return None
            following: _Level = {}
            cells = [cell for cell in self.cells(length) if cell.is_sure or not is_sure]
            for state in reached:
                for cell in cells:
                    after = self.after(state, cell)
                    if after is not None and after not in following and after not in seen:
                        following[after] = (state, cell)
            if length >= max(self._explicit, shortest):
                seen.update(following)
            goes_on = self._explicit <= length < shortest and following.keys() == set(reached)
            levels.append((following, shortest - length if goes_on else 1))
            length += levels[-1][1]
            reached = following
        return None

    def after(self, state: _Counts, cell: _Cell) -> _Counts | None:
        """Return the state after another item; None if it exceeds a maximum or equals the previous one."""
        self._moves += 1
        if self._moves % _MOVES_PER_STEP == 0:
            self._search.budget.spend()
        after = []
        for count, had, more in zip(self._counts, state, cell.grows, strict=True):
            if more and count.most is None and had == count.least:
                return None  # there is a cell without this constraint
            had = had + more if count.most is not None else min(had + more, count.least)
            if count.most is not None and had > count.most:
                return None
            after.append(had)
        return tuple(after)

    def _is_enough(self, state: _Counts) -> bool:
        return all(had >= count.least for count, had in zip(self._counts, state, strict=True))

    def cells(self, position: int) -> list[_Cell]:
        """Return the possible cells of an item at a position."""
        position = min(position, self._explicit)
        if position not in self._known:
            if self._pair is not None and position == self._pair[1]:
                self._known[position] = [_Cell((0,) * len(self._counts), None)]
            else:
                places = self._pair if self._pair is not None and position == self._pair[0] else (position,)
                goal = tuple(part for place in places for part in self._formulas_at(place))
                self._known[position] = list(self._cells(places, goal, ()))
        return self._known[position]

    def _cells(self, places: tuple[int, ...], goal: Goal, grows: _Counts) -> Iterator[_Cell]:
        answer = self._search.satisfy(goal)
        if answer is None:
            return
        if len(grows) == len(self._counts):
            yield _Cell(grows, goal, isinstance(answer, Found) and answer.doubt is None)
            return
        count = self._counts[len(grows)]
        weight = sum(place >= count.start for place in places)
        if weight:
            yield from self._cells(places, (*goal, count.part), (*grows, weight))
            if count.most is not None:
                goal = (*goal, negation(count.part))
        yield from self._cells(places, goal, (*grows, 0))

    def _formulas_at(self, position: int) -> Iterator[Formula]:
        for prefix, rest in self._asked.tuples:
            yield prefix[position] if position < len(prefix) else rest
        yield from self._asked.at.get(position, ())

    def _build(self, runs: _CellRuns) -> Answer:
        items: list[JsonValue] = []
        doubt: Doubt | None = None
        for cell, count in runs:
            if cell.goal is None and self._pair is not None:
                items.append(items[self._pair[0]])
                continue
            answer = self._search.satisfy(cell.goal or ())
            if answer is None or isinstance(answer, Doubt):
                return answer
            items += [answer.value] * count
            doubt = doubt or answer.doubt
        return Found(items, doubt)


def _cells_to(state: _Counts, levels: Sequence[tuple[_Level, int]]) -> _CellRuns:
    """Return the cells that lead to a state, in the order of the items."""
    runs: list[tuple[_Cell, int]] = []
    for level, count in reversed(levels):
        while count:
            before, cell = level[state]
            same = count if before == state else 1
            runs.append((cell, same))
            state, count = before, count - same
    return runs[::-1]


class _DistinctArrays:
    """The search for an array of distinct items: each choice of cells is tried, but only once for equal positions."""

    def __init__(self, search: Search, asked: _ArrayLimits, counts: Sequence[_Count]) -> None:
        self._search, self._counts = search, counts
        self._arrays = _Arrays(search, asked, counts)
        self._values = DistinctValues(search)
        self._explicit, self._most = asked.explicit, asked.most

    def found(self, shortest: int) -> Iterator[Answer]:
        """Yield arrays of at least some length, or doubts about them."""
        start = (0,) * len(self._counts)
        stack: list[tuple[_Counts, int, tuple[Goal, ...]]] = [(start, 0, ())]
        while stack:
            state, first, goals = stack.pop()
            length = len(goals)
            if length >= shortest and all(had >= c.least for c, had in zip(self._counts, state, strict=True)):
                yield self._values.distribute(goals)
                if length >= self._explicit:
                    continue  # more items are only harder to keep distinct
            if length == self._most:
                continue
            if length >= _MOST_DISTINCT:
                yield Doubt("uniqueItems", f"more than {_MOST_DISTINCT} different items exceed the limit of the search")
                continue
            cells = self._arrays.cells(length)
            for number in range(len(cells) - 1, first - 1, -1):
                cell = cells[number]
                after = self._after(state, cell, shortest, length)
                if after is None or cell.goal is None:
                    continue
                self._search.budget.spend()
                if self._values.may_share((*goals, cell.goal)):
                    stack.append((after, number if length >= self._explicit else 0, (*goals, cell.goal)))

    def _after(self, state: _Counts, cell: _Cell, shortest: int, length: int) -> _Counts | None:
        """Return the state after another item; None if it exceeds a maximum or makes no progress."""
        after = []
        is_useful = length < max(shortest, self._explicit)
        for count, had, more in zip(self._counts, state, cell.grows, strict=True):
            if count.most is not None and had + more > count.most:
                return None
            is_useful = is_useful or (more > 0 and had < count.least)
            after.append(had + more if count.most is not None else min(had + more, count.least))
        return tuple(after) if is_useful else None
