"""The keywords of JSON Schema, one row each; all sets of keyword names in the package are derived from these rows.

`schema.walk` and `schema.applicable` read a new row at once. `tests/test_schema_vocabulary.py` names the other modules
that must handle it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Literal

from mcp_contracts.records import dataclass
from mcp_contracts.schema.dialects import Dialect

TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
"""The values of `type`."""


class Effect(StrEnum):
    """The effect of a keyword on a value."""

    NAMES = "names"  # none: it identifies a schema, or contains schemas for references
    ANNOTATES = "annotates"  # none: it describes the value
    ASSERTS = "asserts"  # it rejects values by itself
    IN_PLACE = "in place"  # it applies subschemas to the same value
    INSIDE = "inside"  # it applies subschemas to the contents of the value


class Judges(StrEnum):
    """Whether the subschemas of a keyword accept every value that the keyword accepts."""

    CERTAINLY = "certainly"  # every value in their scope: `allOf`; `additionalProperties` for the names it covers
    POSSIBLY = "possibly"  # only some values or items, or under a condition
    CONTRARILY = "contrarily"  # the keyword rejects what they accept


Holding = Literal["one", "list", "map"]
"""One subschema, a list of them, or subschemas by name."""

Bound = Literal["least", "most"]


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword, with the properties that code walking, evaluating or rewriting schemas needs.

    `types` are the types that it constrains, empty for all. `holds` is the form of its subschemas; several if dialects
    differ. `needs` is the keyword without which it has no effect. `bound` says whether its number is a minimum or a
    maximum.
    """

    name: str
    effect: Effect
    types: tuple[str, ...] = ()
    holds: tuple[Holding, ...] = ()
    judges: Judges | None = None
    needs: str | None = None
    bound: Bound | None = None
    dialects: frozenset[Dialect] = frozenset(Dialect)


_NUMBER = ("number",)
_STRING = ("string",)
_ARRAY = ("array",)
_OBJECT = ("object",)
_DRAFT_7 = frozenset({Dialect.DRAFT_7})
_2020_12 = frozenset({Dialect.DRAFT_2020_12})


def _names(name: str, dialects: frozenset[Dialect] = frozenset(Dialect), holds: tuple[Holding, ...] = ()) -> Keyword:
    return Keyword(name, Effect.NAMES, holds=holds, dialects=dialects)


def _annotates(
    name: str,
    types: tuple[str, ...] = (),
    dialects: frozenset[Dialect] = frozenset(Dialect),
    holds: tuple[Holding, ...] = (),
) -> Keyword:
    return Keyword(name, Effect.ANNOTATES, types, holds, dialects=dialects)


def _asserts(
    name: str,
    types: tuple[str, ...] = (),
    bound: Bound | None = None,
    dialects: frozenset[Dialect] = frozenset(Dialect),
    needs: str | None = None,
) -> Keyword:
    return Keyword(name, Effect.ASSERTS, types, bound=bound, dialects=dialects, needs=needs)


def _in_place(
    name: str,
    judges: Judges,
    *holds: Holding,
    types: tuple[str, ...] = (),
    dialects: frozenset[Dialect] = frozenset(Dialect),
    needs: str | None = None,
) -> Keyword:
    return Keyword(name, Effect.IN_PLACE, types, holds, judges, needs, dialects=dialects)


def _inside(
    name: str,
    types: tuple[str, ...],
    judges: Judges,
    *holds: Holding,
    dialects: frozenset[Dialect] = frozenset(Dialect),
) -> Keyword:
    return Keyword(name, Effect.INSIDE, types, holds, judges, dialects=dialects)


_CERTAINLY, _POSSIBLY, _CONTRARILY = Judges

VOCABULARY: tuple[Keyword, ...] = (
    _names("$schema"),
    _names("$id"),
    _names("$anchor", _2020_12),
    _names("$dynamicAnchor", _2020_12),
    _names("$vocabulary", _2020_12),
    _names("$defs", _2020_12, ("map",)),
    _names("definitions", holds=("map",)),  # 2020-12 still reserves it
    _annotates("title"),
    _annotates("description"),
    _annotates("default"),
    _annotates("examples"),
    _annotates("$comment"),
    _annotates("deprecated", dialects=_2020_12),
    _annotates("readOnly"),
    _annotates("writeOnly"),
    _annotates("format"),
    _annotates("contentEncoding", _STRING),
    _annotates("contentMediaType", _STRING),
    _annotates("contentSchema", _STRING, _2020_12, ("one",)),
    _asserts("type"),
    _asserts("enum"),
    _asserts("const"),
    _asserts("minimum", _NUMBER, "least"),
    _asserts("maximum", _NUMBER, "most"),
    _asserts("exclusiveMinimum", _NUMBER, "least"),
    _asserts("exclusiveMaximum", _NUMBER, "most"),
    _asserts("multipleOf", _NUMBER),
    _asserts("minLength", _STRING, "least"),
    _asserts("maxLength", _STRING, "most"),
    _asserts("pattern", _STRING),
    _asserts("minItems", _ARRAY, "least"),
    _asserts("maxItems", _ARRAY, "most"),
    _asserts("uniqueItems", _ARRAY),
    _asserts("minContains", _ARRAY, "least", _2020_12, "contains"),
    _asserts("maxContains", _ARRAY, "most", _2020_12, "contains"),
    _asserts("minProperties", _OBJECT, "least"),
    _asserts("maxProperties", _OBJECT, "most"),
    _asserts("required", _OBJECT),
    _asserts("dependentRequired", _OBJECT, dialects=_2020_12),
    _in_place("$ref", _CERTAINLY),
    _in_place("$dynamicRef", _CERTAINLY, dialects=_2020_12),
    _in_place("allOf", _CERTAINLY, "list"),
    _in_place("anyOf", _POSSIBLY, "list"),
    _in_place("oneOf", _POSSIBLY, "list"),
    _in_place("not", _CONTRARILY, "one"),
    _in_place("if", _POSSIBLY, "one"),
    _in_place("then", _POSSIBLY, "one", needs="if"),
    _in_place("else", _POSSIBLY, "one", needs="if"),
    _in_place("dependentSchemas", _POSSIBLY, "map", types=_OBJECT, dialects=_2020_12),
    _in_place("dependencies", _POSSIBLY, "map", types=_OBJECT),  # validators of 2020-12 still support it
    _inside("properties", _OBJECT, _CERTAINLY, "map"),
    _inside("patternProperties", _OBJECT, _CERTAINLY, "map"),
    _inside("additionalProperties", _OBJECT, _CERTAINLY, "one"),
    _inside("unevaluatedProperties", _OBJECT, _POSSIBLY, "one", dialects=_2020_12),
    _inside("propertyNames", _OBJECT, _CERTAINLY, "one"),
    _inside("prefixItems", _ARRAY, _CERTAINLY, "list", dialects=_2020_12),
    _inside("items", _ARRAY, _CERTAINLY, "one", "list"),  # a list only in draft-07
    _inside("additionalItems", _ARRAY, _CERTAINLY, "one", dialects=_DRAFT_7),
    _inside("unevaluatedItems", _ARRAY, _POSSIBLY, "one", dialects=_2020_12),
    _inside("contains", _ARRAY, _POSSIBLY, "one"),
)
"""Every keyword of draft-07 and 2020-12, in the order of all derived sets."""

KEYWORDS: Mapping[Dialect, frozenset[str]] = {
    dialect: frozenset(row.name for row in VOCABULARY if dialect in row.dialects) for dialect in Dialect
}
"""The keywords of each dialect."""


def names(
    *effects: Effect,
    of: str | None = None,
    holds: Holding | None = None,
    judges: Judges | None = None,
    bound: Bound | None = None,
    only: Dialect | None = None,
) -> tuple[str, ...]:
    """Return the keywords that match all given criteria.

    The criteria are: one of some effects, a type, a form of subschemas, how those apply, a bound, and that only one
    dialect has the keyword.
    """
    return tuple(
        row.name
        for row in VOCABULARY
        if (not effects or row.effect in effects)
        and (of is None or of in row.types)
        and (holds is None or holds in row.holds)
        and (judges is None or row.judges is judges)
        and (bound is None or row.bound == bound)
        and (only is None or row.dialects == {only})
    )


NAMING = frozenset(names(Effect.NAMES))
"""Keywords that do not constrain values: they identify schemas, or contain them for references."""

ANNOTATIONS = frozenset(names(Effect.ANNOTATES))
"""Keywords that no value can violate."""

IN_PLACE = names(Effect.IN_PLACE)
"""Keywords whose subschemas apply to the same value."""

INSIDE = names(Effect.INSIDE)
"""Keywords whose subschemas apply to the contents of a value."""

CONSTRAINTS = (*names(Effect.ASSERTS), *IN_PLACE, *INSIDE)
"""Keywords that may reject a value, including those that only modify another one."""

DEPENDENT = frozenset(row.name for row in VOCABULARY if row.needs is not None)
"""Keywords that have no effect without another one."""

REFERENCES = tuple(row.name for row in VOCABULARY if row.effect is Effect.IN_PLACE and not row.holds)
"""Keywords whose subschema is elsewhere."""

BRANCH_LISTS = names(Effect.IN_PLACE, holds="list")
"""Keywords that list schemas for the same value."""

ALTERNATIVES = names(Effect.IN_PLACE, holds="list", judges=Judges.POSSIBLY)
"""Keywords that list schemas of which a value must match at least one."""


UNEVALUATED = names(Effect.INSIDE, judges=Judges.POSSIBLY, only=Dialect.DRAFT_2020_12)
"""Keywords for the contents that no other keyword has evaluated."""

REFUSING = frozenset(CONSTRAINTS) - DEPENDENT
"""Keywords that may reject a value without another keyword."""


def rows(*effects: Effect) -> Iterator[Keyword]:
    """Return the rows with one of some effects, in the order of the vocabulary."""
    return (row for row in VOCABULARY if row.effect in effects)
