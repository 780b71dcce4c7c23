"""A schema that says nothing any more, although it did before: one fact instead of one for each part that is gone."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts.comparison import messages
from mcp_contracts.comparison.fact import Fact, FactKind
from mcp_contracts.comparison.notation import ANNOTATIONS, NAMING
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.wording import one_of

_INFORMING = frozenset(
    (FactKind.WORDS_CHANGED, FactKind.DEFAULT_CHANGED, FactKind.MARK_CHANGED, FactKind.FORMAT_CHANGED)
)
_SAYS_NOTHING: dict[str, tuple[JsonValue, ...]] = {
    "type": ("object", ["object"]),
    "properties": ({},),
    "required": ([],),
    "additionalProperties": (True, {}),
}


def is_empty(schema: JsonValue) -> bool:
    """Whether a schema allows every object and declares nothing about it, regardless of its other values."""
    if not isinstance(schema, dict):
        return schema is True
    stated = schema.keys() - ANNOTATIONS - NAMING
    return all(keyword in _SAYS_NOTHING and schema[keyword] in _SAYS_NOTHING[keyword] for keyword in stated)


def with_emptied(new: JsonValue, facts: Sequence[Fact], subject: str) -> Sequence[Fact]:
    """Return one fact for all facts about what is gone, if nothing is left in the new schema.

    A single fact remains as it is, because it says more. So do the facts about the annotations that are left.
    """
    if not is_empty(new):
        return facts
    gone = [fact for fact in facts if fact.kind not in _INFORMING]
    if len(gone) < 2 or any(fact.new_pointer or fact.is_cut for fact in gone):
        return facts
    removed = [fact.name for fact in gone if fact.kind is FactKind.PROPERTY_REMOVED and fact.name is not None]
    names = one_of([messages.shown_name(name) for name in removed], "and")
    said = f": {names} {'was' if len(removed) == 1 else 'were'} removed" if removed else ""
    emptied = Fact(FactKind.SCHEMA_REMOVED, f"the schema of {subject} is now empty{said}", "", "", "", "")
    return [emptied, *(fact for fact in facts if fact.kind in _INFORMING and fact.new_pointer is not None)]
