"""The keywords of JSON Schema, one row each. All sets of keyword names in the package are derived from these rows.

`schema.walk` and `schema.applicable` read a new row at once. `tests/test_schema_vocabulary.py` names the other modules
that must handle it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import partial
from typing import Literal

from mcp_contracts.records import dataclass
from mcp_contracts.schema.dialects import Dialect

TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
"""The values of `type`."""


class Effect(StrEnum):
    """The effect of a keyword on a value."""

    NAMES = "names"  # none: it identifies a schema, or contains schemas for references
    ANNOTATES = "annotates"  # none: it describes the value
    ASSERTS = "asserts"  # it rejects values on its own
    IN_PLACE = "in place"  # it applies subschemas to the same value
    INSIDE = "inside"  # it applies subschemas to the contents of the value


class Judges(StrEnum):
    """Whether the subschemas of a keyword accept all values that the keyword accepts."""

    CERTAINLY = "certainly"  # every value in their scope: `allOf`; `additionalProperties` for the names it covers
    POSSIBLY = "possibly"  # only some values or items, or under a condition
    CONTRARILY = "contrarily"  # the keyword rejects what they accept


Holding = Literal["one", "list", "map"]
"""One subschema, a list of them, or subschemas by name."""

Bound = Literal["least", "most"]


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword, with the properties that are needed to walk, evaluate or rewrite schemas.

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


_names = partial(Keyword, effect=Effect.NAMES)
_annotates = partial(Keyword, effect=Effect.ANNOTATES)
_asserts = partial(Keyword, effect=Effect.ASSERTS)
_in_place = partial(Keyword, effect=Effect.IN_PLACE)
_inside = partial(Keyword, effect=Effect.INSIDE)

_CERTAINLY, _POSSIBLY, _CONTRARILY = Judges

VOCABULARY: tuple[Keyword, ...] = (
    _names("$schema"),
    _names("$id"),
    _names("$anchor", dialects=_2020_12),
    _names("$dynamicAnchor", dialects=_2020_12),
    _names("$vocabulary", dialects=_2020_12),
    _names("$defs", holds=("map",), dialects=_2020_12),
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
    _annotates("contentEncoding", types=_STRING),
    _annotates("contentMediaType", types=_STRING),
    _annotates("contentSchema", types=_STRING, holds=("one",), dialects=_2020_12),
    _asserts("type"),
    _asserts("enum"),
    _asserts("const"),
    _asserts("minimum", types=_NUMBER, bound="least"),
    _asserts("maximum", types=_NUMBER, bound="most"),
    _asserts("exclusiveMinimum", types=_NUMBER, bound="least"),
    _asserts("exclusiveMaximum", types=_NUMBER, bound="most"),
    _asserts("multipleOf", types=_NUMBER),
    _asserts("minLength", types=_STRING, bound="least"),
    _asserts("maxLength", types=_STRING, bound="most"),
    _asserts("pattern", types=_STRING),
    _asserts("minItems", types=_ARRAY, bound="least"),
    _asserts("maxItems", types=_ARRAY, bound="most"),
    _asserts("uniqueItems", types=_ARRAY),
    _asserts("minContains", types=_ARRAY, needs="contains", bound="least", dialects=_2020_12),
    _asserts("maxContains", types=_ARRAY, needs="contains", bound="most", dialects=_2020_12),
    _asserts("minProperties", types=_OBJECT, bound="least"),
    _asserts("maxProperties", types=_OBJECT, bound="most"),
    _asserts("required", types=_OBJECT),
    _asserts("dependentRequired", types=_OBJECT, dialects=_2020_12),
    _in_place("$ref", judges=_CERTAINLY),
    _in_place("$dynamicRef", judges=_CERTAINLY, dialects=_2020_12),
    _in_place("allOf", holds=("list",), judges=_CERTAINLY),
    _in_place("anyOf", holds=("list",), judges=_POSSIBLY),
    _in_place("oneOf", holds=("list",), judges=_POSSIBLY),
    _in_place("not", holds=("one",), judges=_CONTRARILY),
    _in_place("if", holds=("one",), judges=_POSSIBLY),
    _in_place("then", holds=("one",), judges=_POSSIBLY, needs="if"),
    _in_place("else", holds=("one",), judges=_POSSIBLY, needs="if"),
    _in_place("dependentSchemas", types=_OBJECT, holds=("map",), judges=_POSSIBLY, dialects=_2020_12),
    _in_place("dependencies", types=_OBJECT, holds=("map",), judges=_POSSIBLY),  # validators of 2020-12 read it too
    _inside("properties", types=_OBJECT, holds=("map",), judges=_CERTAINLY),
    _inside("patternProperties", types=_OBJECT, holds=("map",), judges=_CERTAINLY),
    _inside("additionalProperties", types=_OBJECT, holds=("one",), judges=_CERTAINLY),
    _inside("unevaluatedProperties", types=_OBJECT, holds=("one",), judges=_POSSIBLY, dialects=_2020_12),
    _inside("propertyNames", types=_OBJECT, holds=("one",), judges=_CERTAINLY),
    _inside("prefixItems", types=_ARRAY, holds=("list",), judges=_CERTAINLY, dialects=_2020_12),
    _inside("items", types=_ARRAY, holds=("one", "list"), judges=_CERTAINLY),  # a list only in draft-07
    _inside("additionalItems", types=_ARRAY, holds=("one",), judges=_CERTAINLY, dialects=_DRAFT_7),
    _inside("unevaluatedItems", types=_ARRAY, holds=("one",), judges=_POSSIBLY, dialects=_2020_12),
    _inside("contains", types=_ARRAY, holds=("one",), judges=_POSSIBLY),
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

    The criteria are effects, a type, a form of subschemas, how those apply, a bound, and the only dialect that has the
    keyword.
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
"""Keywords that list schemas, at least one of which a value must match."""


UNEVALUATED = names(Effect.INSIDE, judges=Judges.POSSIBLY, only=Dialect.DRAFT_2020_12)
"""Keywords for the contents that no other keyword has evaluated."""

REFUSING = frozenset(CONSTRAINTS) - DEPENDENT
"""Keywords that may reject a value without another keyword."""


def rows(*effects: Effect) -> Iterator[Keyword]:
    """Return the rows with one of some effects, in the order of the vocabulary."""
    return (row for row in VOCABULARY if row.effect in effects)
