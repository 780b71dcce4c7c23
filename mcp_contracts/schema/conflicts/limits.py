"""The combined limits of schemas on numbers, lengths and counts, and conflicts between them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import NamedTuple, dataclass
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.simple import exact, strings, value_key
from mcp_contracts.schema.wording import shown_value

if TYPE_CHECKING:
    from fractions import Fraction


class Conjunct(NamedTuple):
    """One of several schemas that a value must satisfy at the same time, with its pointer."""

    pointer: str
    value: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Limit:
    """A minimum or maximum, the pointer of its keyword, and its wording in messages."""

    value: Fraction
    pointer: str
    text: str
    is_exclusive: bool = False


class Clash(NamedTuple):
    """A lower and an upper limit that no value satisfies."""

    low: Limit
    high: Limit


# With a non-integer divisor, validators compute in doubles, so report only differences beyond the rounding error.
_ROUNDING = 10**9
_MOST_MULTIPLES = 2**40


def number_clash(conjuncts: Sequence[Conjunct], *, only_integers: bool) -> Clash | None:
    """Return two limits that exclude every number (or every integer)."""
    low = _highest(_numbers(conjuncts, "minimum", "exclusiveMinimum"))
    high = _lowest(_numbers(conjuncts, "maximum", "exclusiveMaximum"))
    if low is None or high is None:
        return None
    if low.value > high.value or (low.value == high.value and (low.is_exclusive or high.is_exclusive)):
        return Clash(low, high)
    if only_integers and _first(low, _to_fraction(1)) > _last(high, _to_fraction(1)):
        return Clash(low, high)
    for step in _numbers(conjuncts, "multipleOf"):
        if step.value > 0 and not _has_multiple(low, high, step.value):
            text = f"the range from {low.text} to {high.text}"
            return Clash(step, Limit(high.value, high.pointer, text))
    return None


def _has_multiple(low: Limit, high: Limit, step: Fraction) -> bool:
    if max(abs(low.value), abs(high.value)) / step > _MOST_MULTIPLES:
        return True
    if all(value.denominator == 1 for value in (low.value, high.value, step)):
        return _first(low, step) <= _last(high, step)
    slack = max(abs(low.value), abs(high.value), step) / _ROUNDING
    return math.ceil((low.value - slack) / step) <= math.floor((high.value + slack) / step)


def _first(low: Limit, step: Fraction) -> int:
    """Return n, where n × `step` is the first multiple of `step` at or above a limit."""
    number = math.ceil(low.value / step)
    return number + 1 if low.is_exclusive and number * step == low.value else number


def _last(high: Limit, step: Fraction) -> int:
    number = math.floor(high.value / step)
    return number - 1 if high.is_exclusive and number * step == high.value else number


def length_clash(conjuncts: Sequence[Conjunct]) -> Clash | None:
    """Return two limits that exclude every string length."""
    return _clash(_counts(conjuncts, "minLength"), _counts(conjuncts, "maxLength"))


def items_clash(conjuncts: Sequence[Conjunct], dialect: Dialect) -> Clash | None:
    """Return two limits that exclude every number of items."""
    if dialect is not Dialect.DRAFT_7:
        for conjunct in conjuncts:
            if "contains" in conjunct.value:
                clash = _clash(_counts([conjunct], "minContains"), _counts([conjunct], "maxContains"))
                if clash is not None:
                    return clash
    lows = [*_counts(conjuncts, "minItems"), *_contains_limits(conjuncts, dialect)]
    if not lows:
        return None
    return _clash(lows, [*_counts(conjuncts, "maxItems"), *_room(conjuncts, dialect), *_distinct(conjuncts, dialect)])


def _contains_limits(conjuncts: Iterable[Conjunct], dialect: Dialect) -> Iterator[Limit]:
    for pointer, value in conjuncts:
        if "contains" in value:
            least = next(iter(_counts([Conjunct(pointer, value)], "minContains")), None)
            if least is None or dialect is Dialect.DRAFT_7:
                yield Limit(_to_fraction(1), f"{pointer}/contains", "`contains`")
            else:
                yield least


def _room(conjuncts: Iterable[Conjunct], dialect: Dialect) -> Iterator[Limit]:
    """Yield the maximum number of items that follows from a `false` schema for the next item."""
    tuples, rest = ("items", "additionalItems") if dialect is Dialect.DRAFT_7 else ("prefixItems", "items")
    for pointer, value in conjuncts:
        first, others = value.get(tuples), value.get(rest)
        listed = first if isinstance(first, list) else []
        if others is False and (listed or dialect is not Dialect.DRAFT_7):
            yield Limit(_to_fraction(len(listed)), f"{pointer}/{rest}", f"`{rest}: false` (room for {len(listed)})")
        if first is False:
            yield Limit(_to_fraction(0), f"{pointer}/{tuples}", f"`{tuples}: false`")
        index = next((index for index, item in enumerate(listed) if item is False), None)
        if index is not None:
            yield Limit(_to_fraction(index), f"{pointer}/{tuples}/{index}", f"`{tuples}` (room for {index})")


def _distinct(conjuncts: Sequence[Conjunct], dialect: Dialect) -> Iterator[Limit]:
    """Yield the maximum number of items that follows from `uniqueItems` if the items have a finite number of values."""
    if not any(value.get("uniqueItems") is True for _, value in conjuncts):
        return
    for pointer, value in conjuncts:
        items = value.get("items")
        if isinstance(items, dict) and (dialect is Dialect.DRAFT_7 or "prefixItems" not in value):
            if dialect is Dialect.DRAFT_7 and "$ref" in items:
                continue
            count = _values_of(items)
            if count is not None:
                text = f"`uniqueItems` with {count} different {'items' if count != 1 else 'item'}"
                yield Limit(_to_fraction(count), f"{pointer}/items", text)


def _values_of(schema: dict[str, JsonValue]) -> int | None:
    """Return the maximum number of values of a schema, or None if `const`, `enum` and `type` do not bound it."""
    if "const" in schema:
        return 1
    options = schema.get("enum")
    if isinstance(options, list):
        return len({value_key(option) for option in options})
    types = schema.get("type")
    names = [types] if isinstance(types, str) else types if isinstance(types, list) else []
    sizes = {"null": 1, "boolean": 2}
    if names and all(isinstance(name, str) and name in sizes for name in names):
        return sum(sizes[str(name)] for name in {str(name) for name in names})
    return None


def properties_clash(conjuncts: Sequence[Conjunct]) -> Clash | None:
    """Return two limits that exclude every number of properties."""
    highs = _counts(conjuncts, "maxProperties")
    closed = []
    for pointer, value in conjuncts:
        named = value.get("properties", {})
        if (
            value.get("additionalProperties") is False
            and not value.get("patternProperties")
            and isinstance(named, dict)
        ):
            text = f"`additionalProperties: false` (room for {len(named)})"
            closed.append(Limit(_to_fraction(len(named)), f"{pointer}/additionalProperties", text))
    clash = _clash(_counts(conjuncts, "minProperties"), [*highs, *closed])
    required = {name for _, value in conjuncts for name in strings(value.get("required"))}
    if clash is None and required and highs:
        holder = max(conjuncts, key=lambda conjunct: len(strings(conjunct.value.get("required"))))
        text = f"`required` ({len(required)} {'names' if len(required) != 1 else 'name'})"
        return _clash([Limit(_to_fraction(len(required)), f"{holder.pointer}/required", text)], highs)
    return clash


def _clash(lows: Iterable[Limit], highs: Iterable[Limit]) -> Clash | None:
    low, high = _highest(lows), _lowest(highs)
    return Clash(low, high) if low is not None and high is not None and low.value > high.value else None


def _highest(limits: Iterable[Limit]) -> Limit | None:
    return max(limits, key=lambda limit: (limit.value, limit.is_exclusive), default=None)


def _lowest(limits: Iterable[Limit]) -> Limit | None:
    return min(limits, key=lambda limit: (limit.value, not limit.is_exclusive), default=None)


def _counts(conjuncts: Iterable[Conjunct], keyword: str) -> list[Limit]:
    return [limit for limit in _numbers(conjuncts, keyword) if limit.value >= 0]


def _numbers(conjuncts: Iterable[Conjunct], *keywords: str) -> list[Limit]:
    found = []
    for pointer, value in conjuncts:
        for keyword in keywords:
            number = exact(value.get(keyword))
            if number is not None:
                text = f"`{keyword}` {shown_value(value[keyword])}"
                found.append(Limit(number, f"{pointer}/{keyword}", text, keyword.startswith("exclusive")))
    return found


def _to_fraction(number: int) -> Fraction:
    from fractions import Fraction  # imported here for the reason given in simple.exact

    return Fraction(number)
