"""Decide whether a string matches some patterns and not others, with a proof either way.

The automata of all patterns run in parallel over all strings at once, shorter ones first. The number of combined states
is finite, so the search ends.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol

from mcp_contracts import lazy_re as re
from mcp_contracts.patterns.automata import (
    DEAD,
    MATCHED,
    STATES_PER_STEP,
    Alphabet,
    Automaton,
    Condition,
    TooHardError,
    alphabet_of,
)
from mcp_contracts.patterns.matchers import matcher_of
from mcp_contracts.records import dataclass, field
from mcp_contracts.schema.budget import Budget, SpentError

__all__ = ["TooHardError", "find_string", "is_safe", "matches"]

LONGEST = 1_000_000
"""Maximum length of a string that is returned."""
MOST_STEPS = 8_000
"""Maximum number of steps for one question about patterns."""
_READ_PER_STEP = 80  # machine steps read
_MACHINES_PER_STEP = 2  # machines prepared
_SPENT = "comparing the patterns takes too many steps"

_ON_ONE_LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
# Every engine ends a line at a line feed, but only some at the others; for some, `$` matches before a last line feed.
_WITHIN_LINES = r"^[^\r\u2028\u2029]*[^\n\r\u2028\u2029]$"
_ON_PLAIN_LINES = r"^[^\r\u2028\u2029]*$"
_KINDS = (_ON_ONE_LINE, _WITHIN_LINES, _ON_PLAIN_LINES)
_ONE_LINE = re.compile(_ON_ONE_LINE)


def is_safe(pattern: str) -> bool:
    """Whether a pattern is in the supported subset."""
    try:
        matcher_of(pattern)
    except TooHardError:
        return False
    return True


def matches(pattern: str, text: str, budget: Budget | None = None) -> bool:
    """Whether a pattern matches somewhere in text.

    Raises TooHardError for an unsupported pattern. Raises SpentError if the given budget is spent.
    """
    if not text.isascii() and any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        raise TooHardError("the text contains a lone surrogate")
    try:
        return matcher_of(pattern).matches(text, Budget(MOST_STEPS) if budget is None else budget)
    except SpentError:
        if budget is not None:
            raise
        raise TooHardError(_SPENT) from None


def find_string(
    wanted: Sequence[str],
    unwanted: Sequence[str] = (),
    *,
    minimum: int = 0,
    maximum: int | None = None,
    excluded: Collection[str] = (),
    budget: Budget | None = None,
) -> str | None:
    """Return the shortest string that matches all `wanted` and no `unwanted` patterns, or None, which is a proof.

    The most readable of several shortest strings is returned. A longer string is preferred to one with line breaks or
    control characters, or at least to one that ends with a line feed or has other line breaks, because engines treat
    these differently. Lengths are in code points; strings in `excluded` are not returned. Explored states are charged
    to `budget`. Raises TooHardError if a string may exist, but a pattern is not supported or the budget is spent.
    """
    if (maximum is not None and maximum < max(minimum, 0)) or not set(wanted).isdisjoint(unwanted):
        return None
    refused: TooHardError | None = None
    required: dict[Condition, None] = {}
    forbidden: list[tuple[Condition, ...]] = []
    for pattern, is_wanted in [(text, True) for text in wanted] + [(text, False) for text in unwanted]:
        try:
            conditions = matcher_of(pattern).conditions
        except TooHardError as error:
            refused = refused or error  # without this pattern there are only more strings, so a proof remains valid
            continue
        if is_wanted:
            required.update(dict.fromkeys(conditions))
        elif len(conditions) == 1:
            required[Condition(conditions[0].machine, not conditions[0].is_wanted)] = None
        else:
            forbidden.append(conditions)
    paying = Budget(MOST_STEPS) if budget is None else budget
    words = sorted({text for text in excluded if len(text) >= minimum and (maximum is None or len(text) <= maximum)})
    try:
        found = _search(_query(required, forbidden, words, paying), max(minimum, 0), maximum)
    except (TooHardError, SpentError) as error:
        raise refused or (error if isinstance(error, TooHardError) else TooHardError(_SPENT)) from None
    if found is not None and refused is not None:
        raise refused
    if found is None or _ONE_LINE.fullmatch(found) or not set(_KINDS).isdisjoint(wanted):
        return found
    for kind in _KINDS:
        try:  # a longer string may be readable, and validators agree on it
            longer = find_string(
                (*wanted, kind), unwanted, minimum=minimum, maximum=maximum, excluded=excluded, budget=paying
            )
        except TooHardError:
            return found
        if longer is not None:
            return longer
    return found


# Searching


class _Runner(Protocol):
    """Reads a string symbol by symbol and decides whether to accept it; DEAD and MATCHED are states of every runner."""

    start: int

    def follow(self, state: int, symbol: int) -> int: ...
    def accepts(self, state: int) -> bool: ...


class _Words:
    """Accepts the given words, read character by character; each prefix is a state, from 2 on."""

    def __init__(self, words: Sequence[str], alphabet: Alphabet) -> None:
        self.start = 2
        self._readable = alphabet.readable  # each character of a word is a separate symbol
        self._next: dict[tuple[int, str], int] = {}
        self._ends: set[int] = set()
        for word in words:
            state = self.start
            for character in word:
                state = self._next.setdefault((state, character), len(self._next) + 3)
            self._ends.add(state)

    def follow(self, state: int, symbol: int) -> int:
        return self._next.get((state, self._readable[symbol]), DEAD)

    def accepts(self, state: int) -> bool:
        return state in self._ends


_State = tuple[int, ...]
_Level = dict[_State, tuple[_State, int] | None]
"""States in the order of their strings, each with its predecessor and the symbol that leads to it."""


@dataclass(slots=True)
class _Query:
    """Runners in parallel that must satisfy all of `required`, but not all of any list in `forbidden`.

    Both contain the number of a runner and whether it must accept.
    """

    runners: list[_Runner]
    required: list[tuple[int, bool]]
    forbidden: list[list[tuple[int, bool]]]
    alphabet: Alphabet
    budget: Budget
    known: dict[_State, tuple[tuple[_State, int], ...]] = field(default_factory=dict)

    def is_hopeless(self, state: _State) -> bool:
        """Whether no continuation can succeed: DEAD and MATCHED are final."""
        return any(state[n] == (DEAD if is_wanted else MATCHED) for n, is_wanted in self.required) or any(
            all(state[n] == (MATCHED if is_wanted else DEAD) for n, is_wanted in every) for every in self.forbidden
        )

    def is_right(self, state: _State) -> bool:
        """Whether a string that ends in this state is a solution."""
        return all(self.runners[n].accepts(state[n]) is is_wanted for n, is_wanted in self.required) and not any(
            all(self.runners[n].accepts(state[n]) is is_wanted for n, is_wanted in every) for every in self.forbidden
        )

    def following(self, state: _State) -> tuple[tuple[_State, int], ...]:
        """Return the successors of a state, each with the most readable symbol that leads to it."""
        known = self.known.get(state)
        if known is None:
            count = len(self.alphabet.readable)
            work = count * len(self.runners)
            self.budget.spend(1 + work // (16 if work < 256 else 4), STATES_PER_STEP)  # measured
            found: dict[_State, int] = {}
            for symbol in range(count):
                after = tuple(runner.follow(s, symbol) for runner, s in zip(self.runners, state, strict=True))
                if after not in found and not self.is_hopeless(after):
                    found[after] = symbol
            known = self.known[state] = tuple(found.items())
        return known

    def level_after(self, level: Iterable[_State], without: Collection[_State] = ()) -> _Level:
        """Return the states after another character."""
        after: _Level = {}
        for state in level:
            self.budget.spend(1, STATES_PER_STEP)
            for reached, symbol in self.following(state):
                if reached not in after and reached not in without:
                    after[reached] = (state, symbol)
        return after


def _query(
    required: Iterable[Condition],
    forbidden: Sequence[Sequence[Condition]],
    words: Sequence[str],
    budget: Budget,
) -> _Query:
    required = tuple(required)
    conditions = [*required, *(condition for every in forbidden for condition in every)]
    # Reading a machine again, and separating its characters from others, costs about as much as running it.
    machines = dict.fromkeys(condition.machine for condition in conditions)
    budget.spend(sum(len(machine.steps) for machine in machines), _READ_PER_STEP)
    budget.spend(len(machines), _MACHINES_PER_STEP)
    alphabet = alphabet_of(words, conditions)
    numbers = {machine: number for number, machine in enumerate(machines)}
    runners: list[_Runner] = [Automaton(machine, alphabet, budget) for machine in numbers]
    stated = [(numbers[machine], is_wanted) for machine, is_wanted in required]
    if words:
        budget.spend(sum(map(len, words)), 8 * STATES_PER_STEP)
        stated.append((len(runners), False))
        runners.append(_Words(words, alphabet))
    every = [[(numbers[machine], is_wanted) for machine, is_wanted in conditions] for conditions in forbidden]
    return _Query(runners, stated, every, alphabet, budget)


def _search(query: _Query, minimum: int, maximum: int | None) -> str | None:
    """Return the first solution with `minimum` to `maximum` characters."""
    start = tuple(runner.start for runner in query.runners)
    contradicts = any((number, not is_wanted) in query.required for number, is_wanted in query.required)
    if contradicts or query.is_hopeless(start):
        return None
    # Below the minimum, states may repeat; beyond it, only new states matter.
    levels: list[_Level] = [{start: None}]
    seen: dict[tuple[_State, ...], int] = {}
    first = last = 0
    for length in range(minimum):
        key = tuple(levels[-1])
        if key in seen:  # the levels repeat from here on
            first, last = seen[key], length
            break
        seen[key] = length
        levels.append(query.level_after(levels[-1]))
        if not levels[-1]:
            return None

    def level_at(length: int) -> _Level:
        return levels[length] if length < len(levels) else levels[first + 1 + (length - first - 1) % (last - first)]

    level: _Level = dict.fromkeys(level_at(minimum))
    reached = dict(level)
    length = minimum
    while level:
        for state in level:
            if query.is_right(state):
                if length > LONGEST:
                    raise TooHardError(f"the shortest string has more than {LONGEST:,} characters")
                below = map(level_at, range(minimum, 0, -1))
                return "".join(query.alphabet.readable[symbol] for symbol in _backtrack(state, reached, below))[::-1]
        if maximum is not None and length >= maximum:
            return None
        level = query.level_after(level, reached)
        reached.update(level)
        length += 1
    return None


def _backtrack(state: _State, reached: _Level, below: Iterable[_Level]) -> Iterator[int]:
    """Yield the symbols that lead to a state, from last to first."""
    came = reached[state]
    while came is not None:
        state, symbol = came
        yield symbol
        came = reached[state]
    for level in below:
        came = level[state]
        if came is not None:  # only the first level has no predecessor, and it is not in `below`
            state, symbol = came
            yield symbol
