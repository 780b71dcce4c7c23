"""The combined constraints of subschemas for one value: enumerated values, types, sizes and limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import ceil, floor

from mcp_contracts.adapters.grammar.conjuncts import Conjunct
from mcp_contracts.adapters.grammar.values.numbers import Limits
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass
from mcp_contracts.schema.simple import TYPE_ATOMS, exact
from mcp_contracts.schema.vocabulary import DEPENDENT, REFUSING

ALL_TYPES: frozenset[str] = frozenset().union(*TYPE_ATOMS.values())
"""All types, as disjoint atoms; `fraction` is a number that is not an integer."""

EXPRESSED = frozenset((
    "type", "enum", "const", "$ref", "allOf", "anyOf", "oneOf", "properties", "required", "additionalProperties",
    "propertyNames", "minProperties", "maxProperties", "items", "prefixItems", "additionalItems", "minItems",
    "maxItems", "uniqueItems", "minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf",
))  # fmt: skip
"""The keywords that a grammar expresses, some only for certain values."""

REFUSED: Mapping[str, tuple[str, ...]] = {
    "any": ("not", "if"),
    "object": (
        "patternProperties", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties",
    ),
    "array": ("contains", "unevaluatedItems"),
    "string": (),
    "number": (),
    "reference": ("$dynamicRef",),
}  # fmt: skip
"""The keywords that a grammar cannot express, by the type of the values that they reject."""

SETTLED = EXPRESSED.union(*REFUSED.values(), DEPENDENT)
"""All keywords that a grammar handles; those without their own effect belong to another one."""

OF_ANY = (*REFUSED["any"], *sorted(REFUSING - SETTLED))
"""The keywords that are refused for every value: an unknown keyword is never dropped."""


@dataclass(frozen=True, slots=True)
class Inexpressible:
    """A part of a schema that a grammar cannot express: the keyword at a pointer, and why."""

    pointer: str
    keyword: str
    message: str


class Notes:
    """The parts of one schema that a grammar does not express, in the order in which they were found.

    `dropped` are parts that it does not enforce, `narrowed` are valid values that it does not permit, and `faults` are
    reasons why the schema has no grammar.
    """

    def __init__(self) -> None:
        self.narrowed: dict[Inexpressible, None] = {}
        self.dropped: dict[Inexpressible, None] = {}
        self.faults: dict[Inexpressible, None] = {}

    def drop(self, pointer: str, keyword: str, message: str) -> None:
        """Record a part that the grammar does not enforce."""
        self.dropped[Inexpressible(pointer, keyword, message)] = None

    def narrow(self, pointer: str, keyword: str, message: str) -> None:
        """Record valid values that the grammar does not permit."""
        self.narrowed[Inexpressible(pointer, keyword, message)] = None

    def refuse(self, pointer: str, keyword: str, message: str) -> None:
        """Record that the grammar could not be built."""
        self.faults[Inexpressible(pointer, keyword, message)] = None


def listed_values(conjunct: Conjunct) -> list[JsonValue] | None:
    """Return the values that a subschema enumerates, or None if it has neither `const` nor `enum`."""
    if "const" in conjunct.schema:
        return [conjunct.get("const")]
    listed = conjunct.get("enum")
    return listed if isinstance(listed, list) else None


def types_of(applying: Iterable[Conjunct]) -> frozenset[str]:
    """Return the atoms of types that remain at a place."""
    left = ALL_TYPES
    for conjunct in applying:
        stated = conjunct.get("type")
        names = [stated] if isinstance(stated, str) else stated
        if isinstance(names, list):
            left &= frozenset().union(*(TYPE_ATOMS.get(str(name), frozenset()) for name in names))
    return left


def sizes_of(applying: Iterable[Conjunct], least: str, most: str) -> tuple[int, int | None]:
    """Return the largest minimum and the smallest maximum, which is None without a limit."""
    low, high = 0, None
    for conjunct in applying:
        minimum, maximum = exact(conjunct.get(least)), exact(conjunct.get(most))
        low = low if minimum is None else max(low, ceil(minimum))
        if maximum is not None:
            high = floor(maximum) if high is None else min(high, floor(maximum))
    return low, high


def limits_of(applying: Iterable[Conjunct]) -> tuple[Limits, tuple[str, str]]:
    """Return the limits of a number, and the pointer and keyword of one of them."""
    low: tuple[Fraction, bool] | None = None
    high: tuple[Fraction, bool] | None = None
    place = ("", "")
    for conjunct in applying:
        for keyword in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"):
            limit = exact(conjunct.get(keyword))
            if limit is None:
                continue
            place = (f"{conjunct.pointer}/{keyword}", keyword)
            found = (limit, keyword.startswith("exclusive"))
            if keyword.endswith("inimum"):
                low = found if low is None else max(low, found)
            else:
                high = found if high is None else min(high, found, key=lambda pair: (pair[0], not pair[1]))
    return (
        Limits(
            low=None if low is None else low[0],
            high=None if high is None else high[0],
            is_low_strict=low is not None and low[1],
            is_high_strict=high is not None and high[1],
        ),
        place,
    )
