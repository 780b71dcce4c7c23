"""A fact: one difference between two schemas, with its places in both, but without a verdict."""

from __future__ import annotations

from enum import StrEnum

from mcp_contracts.records import dataclass


class FactKind(StrEnum):
    """The kind of a fact."""

    PROPERTY_REQUIRED = "property-required"  # was optional or absent, is required
    PROPERTY_OPTIONAL = "property-optional"  # was required, is optional
    PROPERTY_ADDED = "property-added"  # and is optional
    PROPERTY_REMOVED = "property-removed"  # from all branches
    PROPERTY_MOVED = "property-moved"  # declared elsewhere at the same place, such as in another branch
    TYPE_CHANGED = "type-changed"
    VALUES_CHANGED = "values-changed"  # enum, const
    BOUNDS_CHANGED = "bounds-changed"  # minimum, maximum, exclusive…, multipleOf
    LENGTH_CHANGED = "length-changed"  # minLength, maxLength
    PATTERN_CHANGED = "pattern-changed"
    FORMAT_CHANGED = "format-changed"  # an annotation, like contentEncoding and contentMediaType
    ITEMS_CHANGED = "items-changed"  # minItems, maxItems, uniqueItems, contains, tuple positions
    SIZE_CHANGED = "size-changed"  # minProperties, maxProperties
    NAMES_CHANGED = "names-changed"  # propertyNames, patternProperties
    CONTENT_CHANGED = "content-changed"  # additionalProperties, unevaluated…: closed, opened, or another schema
    BRANCHES_CHANGED = "branches-changed"  # anyOf, oneOf, allOf
    CONDITION_CHANGED = "condition-changed"  # if, then, else, not, dependent…
    SCHEMA_CHANGED = "schema-changed"  # written so differently that keywords cannot be matched
    SCHEMA_REMOVED = "schema-removed"  # the whole schema, or everything that it said
    DEFAULT_CHANGED = "default-changed"
    MARK_CHANGED = "mark-changed"  # deprecated, readOnly, writeOnly
    WORDS_CHANGED = "words-changed"  # title, description, examples


@dataclass(frozen=True, slots=True)
class Fact:
    """One difference between two schemas.

    `old_pointer` and `new_pointer` lead to what differs (a keyword, a property's schema, an entry of `required`); None
    if a side lacks it. `old_owner` and `new_owner` are the subschemas that contain the difference, and `keywords` are
    their keywords that differ. `name` is the property that the fact is about, if any. `message` says what differs, the
    same in both directions of use, such as "`limit`: `maximum` 100 became 50". `condition` is the `not` or `if` whose
    schema differs; a value there need not be valid. `is_cut` marks a fact that represents places past our bounds, which
    were not compared.
    """

    kind: FactKind
    message: str
    old_pointer: str | None
    new_pointer: str | None
    old_owner: str
    new_owner: str
    keywords: tuple[str, ...] = ()
    name: str | None = None
    is_cut: bool = False
    condition: str | None = None
