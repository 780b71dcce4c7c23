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

CHARACTERS_A_STEP = 200
"""Characters that a pattern reads in the time of a step, if it has one active machine step at a time."""
_MOST_KEPT = 1_500_000  # machine and state steps, 50 to 100 bytes each
_STATES_KEPT = 1_000  # steps of the states of one pattern, in addition to _KEPT_A_STEP for each machine step
_KEPT_A_STEP = 4


class Matcher:
    """A pattern as conditions that must all be satisfied, and their automata with the states explored so far."""

    __slots__ = ("_alphabet", "_automata", "_room", "conditions", "weight")

    def __init__(self, pattern: str) -> None:
        self.conditions: tuple[Condition, ...] = read_conditions(pattern)
        size = sum(len(condition.machine.steps) for condition in self.conditions)
        self._room = _STATES_KEPT + _KEPT_A_STEP * size
        self.weight = size + self._room
        self._alphabet = alphabet_of((), self.conditions)
        self._automata: list[Automaton] = []

    def matches(self, text: str, budget: Budget) -> bool:
        """Whether the pattern matches somewhere in a text without surrogates. Raises SpentError.

        The cost depends only on the pattern and the text, so that a verdict does not depend on earlier questions.
        """
        with _kept.lock:  # automata grow while they run
            if not self._automata or sum(automaton.size for automaton in self._automata) > self._room:
                self._automata = [Automaton(one.machine, self._alphabet, Budget(math.inf)) for one in self.conditions]
            symbols = list(map(self._alphabet.symbol_of, text))
            return all(
                _is_found(automaton, symbols, budget) is condition.is_wanted
                for automaton, condition in zip(self._automata, self.conditions, strict=True)
            )


def _is_found(automaton: Automaton, symbols: list[int], budget: Budget) -> bool:
    state = automaton.start
    passed = 1
    for symbol in symbols:
        state = automaton.follow(state, symbol)
        if state <= MATCHED:
            break
        passed += 1 + automaton.width(state)
        if passed > CHARACTERS_A_STEP:
            budget.spend(passed, CHARACTERS_A_STEP)
            passed = 0
    budget.spend(passed, CHARACTERS_A_STEP)
    return automaton.accepts(state)


class _KeptMatchers:
    """A cache of the most recently used matchers, limited by their size."""

    def __init__(self) -> None:
        self.lock = RLock()
        self._found: OrderedDict[str, Matcher | TooHardError] = OrderedDict()
        self._weight = 0

    def of(self, pattern: str) -> Matcher | TooHardError:
        """Return the matcher of a pattern, or why there is none."""
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
            self._weight += _weight_of(found)
            while self._weight > _MOST_KEPT and len(self._found) > 1:
                _, dropped = self._found.popitem(last=False)
                self._weight -= _weight_of(dropped)
            return found


def _weight_of(kept: Matcher | TooHardError) -> int:
    return kept.weight if isinstance(kept, Matcher) else _STATES_KEPT


_kept = _KeptMatchers()


def matcher_of(pattern: str) -> Matcher:
    """Return the matcher of a pattern. Raises TooHardError if the pattern is not supported."""
    found = _kept.of(pattern)
    if isinstance(found, TooHardError):
        raise TooHardError(str(found), found.pattern)
    return found
