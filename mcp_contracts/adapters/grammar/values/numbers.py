"""Number ranges as digit patterns: exactly the integers or decimals between two limits.

Numbers have no leading zeros and no more digits than every JSON reader keeps, so that a model cannot write digits
endlessly.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from mcp_contracts.adapters.grammar.model import (
    EMPTY,
    NOTHING,
    Expression,
    Text,
    characters,
    choice,
    optional,
    repetition,
    sequence,
    span,
)
from mcp_contracts.records import dataclass

LONGEST = 40
"""Maximum number of digits of an integer, and of the integer or fractional part of a number."""
_EXACT = 15
"""Number of decimal digits that a double distinguishes."""
_DIGIT = span("0", "9")


@dataclass(frozen=True, slots=True)
class Limits:
    """A range of numbers, with None for no limit; a strict limit is excluded."""

    low: Fraction | None = None
    high: Fraction | None = None
    is_low_strict: bool = False
    is_high_strict: bool = False

    @property
    def is_open(self) -> bool:
        """Whether both ends are unlimited."""
        return self.low is None and self.high is None

    def negate(self) -> Limits:
        """Return the limits of the negated numbers."""
        low = None if self.high is None else -self.high
        high = None if self.low is None else -self.low
        return Limits(low, high, self.is_high_strict, self.is_low_strict)


class UnboundedDigitsError(Exception):
    """A limit has more digits than the grammar supports."""


def integers(limits: Limits) -> Expression:
    """Return an expression for the integers between two limits."""
    low, high = limits.low, limits.high
    least = None if low is None else floor(low) + 1 if limits.is_low_strict else ceil(low)
    most = None if high is None else ceil(high) - 1 if limits.is_high_strict else floor(high)
    if any(bound is not None and abs(bound) >= 10**LONGEST for bound in (least, most)):
        raise UnboundedDigitsError(f"a limit has more than {LONGEST} digits")
    negative: Expression = NOTHING
    if least is None or least < 0:
        positive_most = None if least is None else -least
        negative = _build_integers(max(1, -most) if most is not None and most < 0 else 1, positive_most)
    positive = _build_integers(max(0, least or 0), most) if most is None or most >= 0 else NOTHING
    return choice(positive, sequence(Text("-"), negative))


def decimals(limits: Limits) -> Expression:
    """Return an expression for the decimals between two limits.

    Without limits, it also permits exponents within the range of a double.
    """
    if limits.is_open:
        plain = sequence(_build_integers(0, None), optional(sequence(Text("."), repetition(_DIGIT, 1, LONGEST))))
        return sequence(optional(Text("-")), choice(plain, _scientific()))
    negative = sequence(Text("-"), _non_negative_decimals(limits.negate(), is_zero_out=True))
    return choice(_non_negative_decimals(limits, is_zero_out=False), negative)


def _scientific() -> Expression:
    """Return an expression for one digit before the point and an exponent that does not overflow a double."""
    power = choice(
        repetition(_DIGIT, 1, 2), sequence(characters("12"), _DIGIT, _DIGIT), sequence(Text("30"), span("0", "7"))
    )
    fraction = optional(sequence(Text("."), repetition(_DIGIT, 1, LONGEST)))
    return sequence(_DIGIT, fraction, characters("eE"), optional(characters("+-")), power)


def _non_negative_decimals(limits: Limits, *, is_zero_out: bool) -> Expression:
    low, is_low_strict = limits.low, limits.is_low_strict
    if low is None or low < 0 or (low == 0 and is_zero_out):
        low, is_low_strict = Fraction(0), is_zero_out
    high = limits.high
    if high is not None and (high < low or (high == low and (is_low_strict or limits.is_high_strict))):
        return NOTHING
    least, low_digits = _split(low)
    most, high_digits = (None, "") if high is None else _split(high)
    room = _room(len(str(max(least, most or 0))), low_digits, high_digits)
    low_fraction = _Fraction(low_digits, None, is_low_strict, False, room)
    if most == least:
        return sequence(
            Text(str(least)), _Fraction(low_digits, high_digits, is_low_strict, limits.is_high_strict, room).after()
        )
    parts = [sequence(Text(str(least)), low_fraction.after())]
    between = _build_integers(least + 1, None if most is None else most - 1)
    parts.append(sequence(between, _Fraction(None, None, False, False, room).after()))
    if most is not None:
        high_fraction = _Fraction(None, high_digits, False, limits.is_high_strict, room)
        parts.append(sequence(Text(str(most)), high_fraction.after()))
    return choice(*parts)


def _split(value: Fraction) -> tuple[int, str]:
    """Return the integer part of a decimal and the digits after the point."""
    whole, rest = divmod(value, 1)
    digits = ""
    while rest and len(digits) <= _EXACT:
        digit, rest = divmod(rest * 10, 1)
        digits += str(int(digit))
    if rest:
        raise UnboundedDigitsError(f"a limit has more than {_EXACT} digits after the decimal point")
    return int(whole), digits


def _room(whole: int, low: str, high: str) -> int:
    """Return the number of fractional digits with which a double still distinguishes the number from the limits."""
    room = _EXACT - whole
    if room < max(len(low), len(high), 1):
        raise UnboundedDigitsError(f"a limit has more than {_EXACT} digits")
    return room


@dataclass(frozen=True, slots=True)
class _Fraction:
    """The digits after a point, between those of two limits; None for no limit."""

    low: str | None
    high: str | None
    is_low_strict: bool
    is_high_strict: bool
    room: int

    def after(self) -> Expression:
        """Return the point and the digits, optional if the integer part is valid on its own."""
        digits = self._digits()
        fraction = NOTHING if digits == NOTHING else sequence(Text("."), digits)
        if not self._may_end():
            return fraction
        return EMPTY if fraction == NOTHING else optional(fraction)

    def _may_end(self) -> bool:
        is_high_enough = self.low is None or (not self.low.strip("0") and not self.is_low_strict)
        return is_high_enough and not (self.high is not None and self.is_high_strict and not self.high.strip("0"))

    def _digits(self) -> Expression:
        if self.room == 0:
            return NOTHING
        if self.low is not None and not self.low.strip("0") and not self.is_low_strict:
            return _Fraction(None, self.high, False, self.is_high_strict, self.room)._digits()
        if self.high is not None and self.is_high_strict and not self.high.strip("0"):
            return NOTHING
        if self.low is None and self.high is None:
            return repetition(_DIGIT, 1, self.room)
        low = "0" if self.low is None else (self.low or "0")[0]
        high = "9" if self.high is None else (self.high or "0")[0]
        options = []
        inner_low = low if self.low is None else chr(ord(low) + 1)
        inner_high = high if self.high is None else chr(ord(high) - 1)
        if inner_low <= inner_high:
            options.append(sequence(span(inner_low, inner_high), repetition(_DIGIT, 0, self.room - 1)))
        lower = None if self.low is None else self.low[1:]
        upper = None if self.high is None else self.high[1:]
        if self.low is not None and self.high is not None and low == high:
            options.append(self._behind(low, lower, upper))
        elif low <= high:
            if self.low is not None:
                options.append(self._behind(low, lower, None))
            if self.high is not None:
                options.append(self._behind(high, None, upper))
        return choice(*options)

    def _behind(self, digit: str, low: str | None, high: str | None) -> Expression:
        is_low_strict = self.is_low_strict and low is not None
        rest = _Fraction(low, high, is_low_strict, self.is_high_strict and high is not None, self.room - 1)
        more = rest._digits()
        if not rest._may_end():
            return NOTHING if more == NOTHING else sequence(Text(digit), more)
        return Text(digit) if more == NOTHING else sequence(Text(digit), optional(more))


def _build_integers(least: int, most: int | None) -> Expression:
    """Return an expression for the integers from `least` (not negative) to `most`, without leading zeros."""
    if most is not None and most < least:
        return NOTHING
    options: list[Expression] = []
    if least == 0:
        options.append(Text("0"))
        least = 1
    if most is None:
        digits = len(str(least))
        if least == 10 ** (digits - 1):
            options.append(sequence(span("1", "9"), repetition(_DIGIT, digits - 1, LONGEST - 1)))
        else:
            options.append(_same_length(str(least), "9" * digits))
            if digits < LONGEST:
                options.append(sequence(span("1", "9"), repetition(_DIGIT, digits, LONGEST - 1)))
        return choice(*options)
    while least <= most:
        digits = len(str(least))
        last = min(most, 10**digits - 1)
        if least == 10 ** (digits - 1) and last == 10**digits - 1:
            longest = len(str(most + 1)) - 1  # the longest length for which all numbers are in the range
            options.append(sequence(span("1", "9"), repetition(_DIGIT, digits - 1, longest - 1)))
            least = 10**longest
        else:
            options.append(_same_length(str(least), str(last)))
            least = last + 1
    return choice(*options)


def _same_length(low: str, high: str) -> Expression:
    """Return an expression for the numbers between two numbers of the same length."""
    if not low:
        return EMPTY
    size = len(low) - 1
    if not low.strip("0") and high == "9" * len(high):
        return repetition(_DIGIT, size + 1, size + 1)
    same = next((index for index in range(len(low)) if low[index] != high[index]), len(low))
    if same:
        return sequence(Text(low[:same]), _same_length(low[same:], high[same:]))
    options = []
    first, last = ord(low[0]), ord(high[0])
    if low[1:].strip("0"):
        options.append(sequence(Text(low[0]), _same_length(low[1:], "9" * size)))
        first += 1
    if high[1:].strip("9"):
        last -= 1
    if first <= last:
        options.append(sequence(span(chr(first), chr(last)), repetition(_DIGIT, size, size)))
    if high[1:].strip("9"):
        options.append(sequence(Text(high[0]), _same_length("0" * size, high[1:])))
    return choice(*options)
