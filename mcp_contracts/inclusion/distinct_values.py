"""Distinct values for goals: as many values of each goal as needed are listed, and assigned to positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mcp_contracts.inclusion.answers import Answer, Doubt, Found, Search
from mcp_contracts.inclusion.atoms import Constant, Formula, NotOnly

_EXCLUDED_PER_STEP = 8  # earlier values that another one must differ from

Goal = tuple[Formula, ...]


class DistinctValues:
    """The values of goals, each found once."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._found: dict[Goal, list[Constant]] = {}
        self._ends: dict[Goal, Doubt | None] = {}  # goals with no more values, or none that the search can find
        self._doubts: dict[Goal, Doubt] = {}

    def may_share(self, goals: Sequence[Goal]) -> bool:
        """Whether the last goal has at least as many known values as there are equal goals."""
        count = goals.count(goals[-1])
        self._list(goals[-1], count)
        return len(self._found[goals[-1]]) >= count or self._ends.get(goals[-1]) is not None

    def distribute(self, goals: Sequence[Goal]) -> Answer:
        """Return an array with a value of each goal, all distinct."""
        for enough in (Counter(goals), dict.fromkeys(goals, len(goals))):
            for goal, count in enough.items():
                self._list(goal, count)
            ends = (self._ends.get(goal) for goal in enough)
            doubt = next((one for one in ends if one is not None), None)
            shared = _assign([self._found[goal][: enough[goal]] for goal in goals])
            if shared is not None:
                doubts = (self._doubts[goal] for goal in enough if goal in self._doubts)
                return Found([held.value for held in shared], next(doubts, None))
            if doubt is not None:
                return doubt
        return None

    def _list(self, goal: Goal, count: int) -> None:
        """Find up to a number of values for a goal."""
        found = self._found.setdefault(goal, [])
        while len(found) < count and goal not in self._ends:
            self._search.budget.spend(1 + len(found) / _EXCLUDED_PER_STEP)
            answer = self._search.satisfy([*goal, *(NotOnly(held) for held in found)])
            if not isinstance(answer, Found):
                self._ends[goal] = answer
                return
            if answer.doubt is not None:
                self._doubts.setdefault(goal, answer.doubt)
            found.append(Constant(answer.value))


def _assign(options: Sequence[Sequence[Constant]]) -> list[Constant] | None:
    """Return a distinct value for each position; None if that is impossible (a matching by augmenting paths)."""
    taken: dict[Constant, int] = {}
    for position in range(len(options)):
        if not _give(position, options, taken):
            return None
    return sorted(taken, key=taken.__getitem__)


def _give(position: int, options: Sequence[Sequence[Constant]], taken: dict[Constant, int]) -> bool:
    """Assign a value to a position, if necessary one that another position can release."""
    came: dict[Constant, tuple[int, Constant | None]] = {}
    pending: list[tuple[int, Constant | None]] = [(position, None)]
    for place, before in pending:
        for value in options[place]:
            if value in came:
                continue
            came[value] = (place, before)
            if value in taken:
                pending.append((taken[value], value))
                continue
            step: Constant | None = value
            while step is not None:
                place, before = came[step]
                taken[step] = place
                step = before
            return True
    return False
