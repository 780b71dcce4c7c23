"""Compiled patterns, cached as automata between questions."""

from __future__ import annotations

import math
from _thread import RLock  # `threading` takes as long to import as all of this module
from collections import OrderedDict

from mcp_contracts.patterns.automata import (
    MATCHED,
    Automaton,
    Condition,
    TooHardError,
    alphabet_of,
    read_conditions,
)
from mcp_contracts.schema.budget import Budget

CHARACTERS_PER_STEP = 200
"""Characters that a pattern with a single active machine step reads per step of the budget."""
_MOST_KEPT = 1_500_000  # machine and state steps, 50 to 100 bytes each
_LEAST_WEIGHT = 60  # of a matcher without any states
_STATES_KEPT = 1_000  # steps of the states of one pattern, in addition to _KEPT_PER_STEP for each machine step
_KEPT_PER_STEP = 4
_ANSWERS_KEPT = 150_000  # answers about short texts, 200 bytes each: many questions are about the same names
_SHORT = 64  # characters


class Matcher:
    """A pattern as conditions that must all be satisfied, and their automata with the states explored so far."""

    __slots__ = ("_alphabet", "_answers", "_automata", "_room", "_size", "conditions", "is_kept")

    def __init__(self, pattern: str) -> None:
        self.conditions: tuple[Condition, ...] = read_conditions(pattern)
        self._size = sum(len(condition.machine.steps) for condition in self.conditions)
        self._room = _STATES_KEPT + _KEPT_PER_STEP * self._size
        self._alphabet = alphabet_of((), self.conditions)
        self._automata: list[Automaton] = []
        self._answers: dict[str, tuple[bool, tuple[int, ...]]] = {}
        self.is_kept = False

    @property
    def weight(self) -> int:
        """The number of its steps and of those of its states, plus a constant."""
        return _LEAST_WEIGHT + self._size + self._explored

    @property
    def _explored(self) -> int:
        return sum(automaton.size for automaton in self._automata)

    def forget_answers(self) -> None:
        """Forget which short strings match."""
        self._answers.clear()

    def matches(self, text: str, budget: Budget) -> bool:
        """Whether the pattern matches somewhere in text without surrogates. Raises SpentError.

        The cost depends only on the pattern and the text, so verdicts do not depend on earlier questions.
        """
        with _kept.lock:  # automata grow while they run
            known = self._answers.get(text)
            if known is not None:
                for passed in known[1]:
                    budget.spend(passed, CHARACTERS_PER_STEP)
                return known[0]
            before = self.weight
            if not self._automata or self._explored > self._room:
                self._automata = [Automaton(one.machine, self._alphabet, Budget(math.inf)) for one in self.conditions]
            symbols = list(map(self._alphabet.symbol_of, text))
            spent: list[int] = []
            is_match = all(
                _is_found(automaton, symbols, budget, spent) is condition.is_wanted
                for automaton, condition in zip(self._automata, self.conditions, strict=True)
            )
            if self.is_kept:
                _kept.grow(self.weight - before)
            if len(text) <= _SHORT:
                _kept.make_room()
                self._answers[text] = is_match, tuple(spent)
            return is_match


def _is_found(automaton: Automaton, symbols: list[int], budget: Budget, spent: list[int]) -> bool:
    """Whether a condition is found. Adds what is spent from the budget to `spent`, in order."""
    state = automaton.start
    passed = 1
    for symbol in symbols:
        state = automaton.follow(state, symbol)
        if state <= MATCHED:
            break
        passed += 1 + automaton.width(state)
        if passed > CHARACTERS_PER_STEP:
            budget.spend(passed, CHARACTERS_PER_STEP)
            spent.append(passed)
            passed = 0
    budget.spend(passed, CHARACTERS_PER_STEP)
    spent.append(passed)
    return automaton.accepts(state)


class _KeptMatchers:
    """A cache of the most recently used matchers, limited by their size."""

    def __init__(self) -> None:
        self.lock = RLock()
        self._found: OrderedDict[str, Matcher | TooHardError] = OrderedDict()
        self._weight = 0
        self._answers = 0

    def make_room(self) -> None:
        """Count another kept answer, and forget all of them if there are too many."""
        self._answers += 1
        if self._answers > _ANSWERS_KEPT:
            self._answers = 1
            for matcher in self._found.values():
                if isinstance(matcher, Matcher):
                    matcher.forget_answers()

    def of(self, pattern: str) -> Matcher | TooHardError:
        """Return the matcher of a pattern, or why the pattern is not supported."""
        with self.lock:
            found = self._found.get(pattern)
            if found is not None:
                self._found.move_to_end(pattern)
                return found
            try:
                found = Matcher(pattern)
            except TooHardError as error:
                found = error
            self._found[pattern] = found
            if isinstance(found, Matcher):
                found.is_kept = True
            self.grow(_weight_of(found))
            return found

    def grow(self, weight: int) -> None:
        """Count the additions, and drop the least recently used matchers if the cache is too large."""
        self._weight += weight
        while self._weight > _MOST_KEPT and len(self._found) > 1:
            _, dropped = self._found.popitem(last=False)
            self._weight -= _weight_of(dropped)
            if isinstance(dropped, Matcher):
                dropped.is_kept = False


def _weight_of(kept: Matcher | TooHardError) -> int:
    return kept.weight if isinstance(kept, Matcher) else _LEAST_WEIGHT


_kept = _KeptMatchers()


def matcher_of(pattern: str) -> Matcher:
    """Return the matcher of a pattern. Raises TooHardError if the pattern is not supported."""
    found = _kept.of(pattern)
    if isinstance(found, TooHardError):
        raise TooHardError(str(found), found.pattern)
    return found
