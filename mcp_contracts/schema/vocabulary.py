"""The keywords of JSON Schema, one row each: every set of keyword names in the package comes from here.

A keyword that is added here is read by `schema.walk` and `schema.applicable` at once. What else has to know it,
`tests/test_schema_vocabulary.py` names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from mcp_contracts.schema.dialects import Dialect

TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
"""What `type` may say."""


class Effect(StrEnum):
    """What a keyword does to a value."""

    NAMES = "names"  # nothing: it names a schema, or keeps some for references
    ANNOTATES = "annotates"  # nothing: it says something about the value
    ASSERTS = "asserts"  # it refuses the value by itself
    IN_PLACE = "in place"  # it has subschemas judge the same value
    INSIDE = "inside"  # it has subschemas judge what the value holds


class Judges(StrEnum):
    """Whether the subschemas of a keyword accept every value that the keyword accepts."""

    CERTAINLY = "certainly"  # as far as they reach: `allOf`; `additionalProperties` for the names it is meant for
    POSSIBLY = "possibly"  # only some of them, under a condition, or only some items
    CONTRARILY = "contrarily"  # what they accept is refused


Holding = Literal["one", "list", "map"]
"""One subschema, a list of them, or subschemas by name."""

Bound = Literal["least", "most"]


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword, and what it means for those that walk, judge or rewrite schemas.

    `types` are those whose values it concerns, none for all. `holds` says how its subschemas stand there; several ways
    where dialects differ. `needs` is the keyword without which it has no effect, `bound` says that its number is the
    least or the most of something.
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
    _names("definitions", holds=("map",)),  # which 2020-12 still keeps
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
    _in_place("dependencies", _POSSIBLY, "map", types=_OBJECT),  # which validators of 2020-12 still read
    _inside("properties", _OBJECT, _CERTAINLY, "map"),
    _inside("patternProperties", _OBJECT, _CERTAINLY, "map"),
    _inside("additionalProperties", _OBJECT, _CERTAINLY, "one"),
    _inside("unevaluatedProperties", _OBJECT, _POSSIBLY, "one", dialects=_2020_12),
    _inside("propertyNames", _OBJECT, _CERTAINLY, "one"),
    _inside("prefixItems", _ARRAY, _CERTAINLY, "list", dialects=_2020_12),
    _inside("items", _ARRAY, _CERTAINLY, "one", "list"),  # a list in draft-07 alone
    _inside("additionalItems", _ARRAY, _CERTAINLY, "one", dialects=_DRAFT_7),
    _inside("unevaluatedItems", _ARRAY, _POSSIBLY, "one", dialects=_2020_12),
    _inside("contains", _ARRAY, _POSSIBLY, "one"),
)
"""Every keyword of draft-07 and 2020-12, in the order in which sets of them are read."""

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
    """The keywords with one of some effects, or with any: those of a type's values, that hold subschemas in one way,
    that judge or bound so, or that a dialect has and the other has not."""
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
"""Keywords that say nothing of values: they name schemas, or keep them for references."""

ANNOTATIONS = frozenset(names(Effect.ANNOTATES))
"""Keywords that no value can violate."""

IN_PLACE = names(Effect.IN_PLACE)
"""Keywords whose subschemas judge the same value."""

INSIDE = names(Effect.INSIDE)
"""Keywords whose subschemas judge what a value holds."""

CONSTRAINTS = (*names(Effect.ASSERTS), *IN_PLACE, *INSIDE)
"""Keywords that may refuse a value, those included that only change what another one says."""

DEPENDENT = frozenset(row.name for row in VOCABULARY if row.needs is not None)
"""Keywords that have no effect without another one."""

REFERENCES = tuple(row.name for row in VOCABULARY if row.effect is Effect.IN_PLACE and not row.holds)
"""Keywords whose subschema stands elsewhere."""

BRANCH_LISTS = names(Effect.IN_PLACE, holds="list")
"""Keywords that list schemas for the same value."""

ALTERNATIVES = names(Effect.IN_PLACE, holds="list", judges=Judges.POSSIBLY)
"""Keywords that list schemas of which a value needs one."""


UNEVALUATED = names(Effect.INSIDE, judges=Judges.POSSIBLY, only=Dialect.DRAFT_2020_12)
"""Keywords for what no other keyword has judged."""

REFUSING = frozenset(CONSTRAINTS) - DEPENDENT
"""Keywords that may refuse a value without another keyword's help."""


def rows(*effects: Effect) -> Iterator[Keyword]:
    """The rows of some effects, in the order of the vocabulary."""
    return (row for row in VOCABULARY if row.effect in effects)
