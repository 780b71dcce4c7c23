"""Numbers and strings that satisfy atoms: exact arithmetic, and regular languages."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.inclusion.answers import Answer, Doubt, Found, Search, UndecidedError
from mcp_contracts.inclusion.atoms import (
    AtLeast,
    AtMost,
    Atom,
    In,
    Matches,
    Maximum,
    Minimum,
    MultipleOf,
    NotIn,
    NotMatches,
    NotMultipleOf,
)
from mcp_contracts.patterns import languages
from mcp_contracts.schema.simple import EXACT, exact, value_key

if TYPE_CHECKING:
    from collections.abc import Hashable

_MOST_CANDIDATES = 20_000
_LONGEST = 20_000
_MOST_DIGITS = 30
_VALUES_PER_STEP = 40  # values that are checked
_ROUNDED = "validators round multiples of a fraction among such large numbers"


def find_constant(atoms: Sequence[Atom], options: Sequence[JsonValue]) -> Answer:
    """Return one of a few values, such as true and false, that satisfies atoms."""
    for value in options:
        key = value_key(value)
        if all((key in atom.keys) == isinstance(atom, In) for atom in atoms if isinstance(atom, In | NotIn)):
            return Found(value)
    return None


# Numbers


def find_number(search: Search, atoms: Sequence[Atom]) -> Answer:
    """Return a number that satisfies atoms, close to zero if possible."""
    asked = _Numbers(atoms)
    search.budget.spend(len(asked.excluded), _VALUES_PER_STEP)
    if asked.allowed is not None:
        search.budget.spend(len(asked.allowed), _VALUES_PER_STEP)
        values = sorted((search.formulas.constants[key] for key in asked.allowed), key=_nearness)
        numbers = {_exactly(value): value for value in values}
        found = next((Found(value) for number, value in numbers.items() if asked.accepts(number)), None)
        if found is not None or not any(map(asked.is_rounded, numbers)):
            return found
        return Doubt("multipleOf", _ROUNDED)
    if asked.is_empty():
        return None
    for number in asked.candidates():
        search.budget.spend(1, _VALUES_PER_STEP)
        if asked.accepts(number):
            value = _as_json(number)
            if value is not None and not asked.is_rounded(number):
                return Found(value)
            asked.is_partial = True
    if asked.is_exhausted and not asked.is_partial:
        return Doubt("multipleOf", _ROUNDED) if asked.reaches_rounding() else None
    return Doubt(asked.keyword, "none of the numbers that were tried is valid")


class _Numbers:
    """The constraints of atoms on a number."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        self.allowed: frozenset[Hashable] | None = None
        self.excluded: set[Fraction] = set()
        self.low: tuple[Fraction, bool] | None = None  # the limit, and whether it is exclusive
        self.high: tuple[Fraction, bool] | None = None
        self.step: Fraction | None = None  # of all steps
        self.steps: list[Fraction] = []
        self.not_steps: list[Fraction] = []
        self.is_exhausted = False  # whether the candidates include every number that may be valid
        self.is_partial = False  # whether a double cannot represent a candidate, or a validator rounds it
        for atom in atoms:
            match atom:
                case In(keys):
                    self.allowed = keys if self.allowed is None else self.allowed & keys
                case NotIn(keys):
                    self.excluded.update(map(_exactly, keys))
                case Minimum(limit, is_exclusive):
                    low = (limit, is_exclusive)
                    self.low = low if self.low is None else max(self.low, low)
                case Maximum(limit, is_exclusive):
                    if self.high is None or (limit, not is_exclusive) < (self.high[0], not self.high[1]):
                        self.high = (limit, is_exclusive)
                case MultipleOf(step):
                    self.step = step if self.step is None else _least_common(self.step, step)
                    self.steps.append(step)
                case NotMultipleOf(step):
                    self.not_steps.append(step)

    def accepts(self, number: Fraction) -> bool:
        """Whether a number satisfies all atoms except `in`."""
        if self.low is not None and (number < self.low[0] or (self.low[1] and number == self.low[0])):
            return False
        if self.high is not None and (number > self.high[0] or (self.high[1] and number == self.high[0])):
            return False
        if self.step is not None and (number / self.step).denominator != 1:
            return False
        return number not in self.excluded and all((number / step).denominator != 1 for step in self.not_steps)

    def is_empty(self) -> bool:
        """Whether the limits leave no number, or only multiples that are rejected."""
        if self.low is not None and self.high is not None:
            if self.low[0] > self.high[0]:
                return True
            if self.low[0] == self.high[0]:
                number = self.low[0]
                return self.low[1] or self.high[1] or not (self.accepts(number) or self.is_rounded(number))
        # A validator that rounds accepts too many numbers, so a rounded multiple proves nothing about an exact one.
        return any(
            (step / other).denominator == 1 and (other.denominator != 1 or step.denominator == 1)
            for step in self.steps
            for other in self.not_steps
        )

    @property
    def keyword(self) -> str:
        """The keyword that makes the search hard, if it is known."""
        return "multipleOf" if {*self.steps, *self.not_steps} - {1} else ""

    def is_rounded(self, number: Fraction) -> bool:
        """Whether some validators accept a number as a multiple of a step because they divide in doubles."""
        quotients = (number / step for step in (*self.steps, *self.not_steps) if step.denominator != 1)
        return any(one.denominator != 1 and abs(one) > EXACT for one in quotients)

    def reaches_rounding(self) -> bool:
        """Whether a number within the limits may be rounded."""
        fractions = [step for step in (*self.steps, *self.not_steps) if step.denominator != 1]
        if not fractions:
            return False
        return (
            self.low is None or self.high is None or max(abs(self.low[0]), abs(self.high[0])) > EXACT * min(fractions)
        )

    def candidates(self) -> Iterator[Fraction]:
        """Yield numbers that may be valid; with a step, enough to be certain if `is_exhausted` is set afterwards."""
        if self.step is None:
            yield from self.decimals()
            return
        yield from self.multiples(self.step)
        if self.step.denominator != 1 and (self.is_partial or not self.is_exhausted):
            # An integer may have any number of digits, so a multiple that is one can be written beyond all doubles.
            yield from self.multiples(_least_common(self.step, Fraction(1)))
            self.is_exhausted = False

    def multiples(self, step: Fraction) -> Iterator[Fraction]:
        """Yield the multiples of a step within the limits, those near zero first; enough to be certain."""
        first = None if self.low is None else math.ceil(self.low[0] / step)
        last = None if self.high is None else math.floor(self.high[0] / step)
        period = 1
        for other in self.not_steps:
            period = math.lcm(period, (_least_common(step, other) / step).numerator)
        needed = 2 * period * (len(self.excluded) + 3)  # each class of remainders occurs often enough among these
        start = 0 if last is None else min(0, last)
        if first is not None:
            start = max(start, first)
        for count, index in enumerate(_from(start, first, last)):
            if count > min(needed, _MOST_CANDIDATES):
                self.is_exhausted = needed <= _MOST_CANDIDATES
                return
            yield index * step
        self.is_exhausted = True

    def decimals(self) -> Iterator[Fraction]:
        """Yield numbers within the limits, integers first, then with more and more digits."""
        if self.low is not None and self.low[0] == (self.high or (None,))[0]:
            yield self.low[0]
            self.is_exhausted = True
            return
        for digits in range(_MOST_DIGITS):
            step = Fraction(1, 10**digits)
            first = None if self.low is None else math.ceil(self.low[0] / step)
            last = None if self.high is None else math.floor(self.high[0] / step)
            start = max(0, first if first is not None else 0)
            if last is not None:
                start = min(start, last)
            for index in islice(_from(start, first, last), 40 + len(self.excluded)):
                yield index * step


def _from(start: int, first: int | None, last: int | None) -> Iterator[int]:
    """Yield the integers from `first` to `last`, starting at one of them and moving out to both sides."""
    up, down = start, start - 1
    while True:
        has_up = (last is None or up <= last) and (first is None or up >= first)
        has_down = (first is None or down >= first) and (last is None or down <= last)
        if not has_up and not has_down:
            return
        if has_up:
            yield up
        if has_down:
            yield down
        up, down = up + 1, down - 1


def _least_common(one: Fraction, other: Fraction) -> Fraction:
    return Fraction(math.lcm(one.numerator, other.numerator), math.gcd(one.denominator, other.denominator))


def _exactly(value: Any) -> Fraction:
    number = exact(value)
    assert number is not None  # the key of a number
    return number


def _as_json(number: Fraction) -> int | float | None:
    """Return a number as Python's JSON represents it, or None if a double cannot."""
    if number.denominator == 1:
        return int(number)
    try:
        value = float(number)
    except OverflowError:
        return None
    return value if exact(value) == number else None


def _nearness(value: JsonValue) -> tuple[Fraction, bool]:
    number = _exactly(value)
    return abs(number), number < 0


# Strings


def find_string(search: Search, atoms: Sequence[Atom]) -> Answer:
    """Return a string that satisfies atoms, a short and readable one if possible."""
    shortest, longest = 0, None
    allowed: frozenset[Hashable] | None = None
    excluded: set[Hashable] = set()
    wanted: dict[str, None] = {}
    unwanted: dict[str, None] = {}
    for atom in atoms:
        match atom:
            case AtLeast(size):
                shortest = max(shortest, size)
            case AtMost(size):
                longest = size if longest is None else min(longest, size)
            case In(keys):
                allowed = keys if allowed is None else allowed & keys
            case NotIn(keys):
                excluded |= keys
            case Matches(pattern):
                wanted[pattern] = None
            case NotMatches(pattern):
                unwanted[pattern] = None
    if (longest is not None and shortest > longest) or not wanted.keys().isdisjoint(unwanted):
        return None
    search.budget.spend(len(allowed or ()) + len(excluded), _VALUES_PER_STEP)
    if allowed is not None:
        return _one_of(search, allowed - excluded, shortest, longest, wanted, unwanted)
    texts = {key for key in excluded if isinstance(key, str)}
    if shortest > _LONGEST:
        return Doubt("minLength", f"strings of {shortest} characters exceed the limit of the search")
    if not wanted and not unwanted:
        plain = _find_plain_string(shortest, longest, texts)
        if plain is not None:
            return plain
    unsafe = [one for one in (*wanted, *unwanted) if not languages.is_safe(one)]
    safe = [pattern for pattern in wanted if pattern not in unsafe]
    safely_not = [pattern for pattern in unwanted if pattern not in unsafe]
    hard = unsafe[0] if unsafe else None
    doubt = None if hard is None else Doubt("pattern", f"`{hard[:60]}` is not a plain regular expression", None, hard)
    try:
        part = search.budget.part(languages.MOST_STEPS)
        text = languages.find_string(safe, safely_not, minimum=shortest, maximum=longest, excluded=texts, budget=part)
    except languages.TooHardError as error:
        keyword = "pattern" if safe or safely_not or hard is not None else "enum"
        return Doubt(keyword, str(error), None, error.pattern or None)
    return None if text is None else Found(text, doubt)


def _one_of(
    search: Search,
    keys: Collection[Hashable],
    shortest: int,
    longest: int | None,
    wanted: Collection[str],
    unwanted: Collection[str],
) -> Answer:
    doubtful: Answer = None
    for text in sorted(
        (value for key in keys if isinstance(value := search.formulas.constants[key], str)),
        key=lambda one: (len(one), one),
    ):
        if len(text) < shortest or (longest is not None and len(text) > longest):
            continue
        try:
            if all(is_match(search, one, text) for one in wanted) and not any(
                is_match(search, one, text) for one in unwanted
            ):
                return Found(text)
        except UndecidedError as error:
            doubtful = doubtful or Found(text, error.doubt)
    return doubtful


def _find_plain_string(shortest: int, longest: int | None, excluded: set[str]) -> Found | None:
    """Return a string of some length that is not among a few excluded ones, if one is easy to find."""
    if longest == 0:
        return None
    if shortest <= len("text") and (longest is None or longest >= len("text")) and "text" not in excluded:
        return Found("text")
    size = max(shortest, 1)
    for ending in product("xyzabcdefghijklmnopqrstuvw0123456789", repeat=min(size, 2)):
        text = "x" * (size - len(ending)) + "".join(ending)
        if text not in excluded:
            return Found(text)
    return None


def is_match(search: Search, pattern: str, text: str) -> bool:
    """Whether a pattern matches somewhere in text. Raises UndecidedError for a pattern that cannot be read."""
    try:
        return languages.matches(pattern, text, search.budget)
    except languages.TooHardError as error:
        raise UndecidedError(Doubt("pattern", str(error), None, pattern)) from error
