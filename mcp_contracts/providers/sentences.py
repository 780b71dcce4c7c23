"""Sentences in a description for constraints that a provider's subset cannot express."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.providers.keywords import MOVED, constraint_note
from mcp_contracts.providers.merging import Schema
from mcp_contracts.providers.roots import quote
from mcp_contracts.schema.vocabulary import Effect, names


def words_for(keyword: str, schema: Schema) -> str | None:
    """Return the sentence for a constraint, or None if it constrains nothing."""
    value = schema[keyword]
    if keyword in _SENTENCES:
        return _SENTENCES[keyword](value)
    if keyword == _OF_PATTERNS and isinstance(value, dict):
        said = (f"each name that matches `{name}` has a value that matches {quote(one)}" for name, one in value.items())
        text = "; ".join(said)
        return f"{text[0].upper()}{text[1:]}." if text else None
    return constraint_note(keyword, schema) if keyword in MOVED else None


def words_for_missing(names: list[str]) -> str:
    """Return the sentence for names that are required but not declared."""
    return f"It must also have {', '.join(f'`{name}`' for name in names)}."


def words_for_values(values: list[JsonValue]) -> str:
    """Return the sentence for enumerated values."""
    return f"Must be {quote(values[0])}." if len(values) == 1 else f"One of: {', '.join(quote(one) for one in values)}."


def words_for_places(places: list[JsonValue], rest: JsonValue) -> str:
    """Return the sentence for a tuple."""
    said = f"Its first items match, in this order: {', '.join(quote(place) for place in places)}."
    return f"{said} No additional items are allowed." if rest is False else said


def _of_other_names(value: JsonValue) -> str | None:
    if value is True or value == {}:
        return None
    return f"Additional properties are allowed; each value must match {quote(value)}."


_SENTENCES: Mapping[str, Callable[[JsonValue], str | None]] = {
    "minimum": lambda value: f"At least {value}.",
    "maximum": lambda value: f"At most {value}.",
    "exclusiveMinimum": lambda value: f"Greater than {value}.",
    "exclusiveMaximum": lambda value: f"Less than {value}.",
    "multipleOf": lambda value: f"A multiple of {value}.",
    "minItems": lambda value: f"At least {value} items.",
    "maxItems": lambda value: f"At most {value} items.",
    "additionalProperties": _of_other_names,
    "unevaluatedProperties": _of_other_names,
}

_OF_ANY = frozenset(("not", "if"))
_STRUCTURE: Mapping[str, frozenset[str]] = {
    "array": frozenset(("items", "prefixItems", "additionalItems", "minContains", "maxContains")),
    "object": frozenset(("properties", "required")),
}


_OF_PATTERNS = "patternProperties"
WORDED = frozenset((*_SENTENCES, _OF_PATTERNS, *MOVED))
"""The constraints that `words_for` supports."""

STRUCTURAL = frozenset().union(*_STRUCTURE.values(), ("then", "else"))
"""The keywords of `is_structure_of`."""

_OF_TYPE: Mapping[str, frozenset[str]] = {
    "string": frozenset(names(Effect.ASSERTS, of="string")),
    "number": frozenset(names(of="number")),
    "array": frozenset(names(of="array")) - _STRUCTURE["array"],
    "object": frozenset(names(of="object")) - _STRUCTURE["object"],
}


def applies_to_type(keyword: str, kind: str) -> bool:
    """Whether a constraint, other than those of `is_structure_of`, applies to values of a type."""
    return keyword in _OF_ANY or keyword in _OF_TYPE.get("number" if kind == "integer" else kind, ())


def is_structure_of(keyword: str, kind: str, schema: Schema) -> bool:
    """Whether a keyword describes the parts of a type's values, or belongs to another keyword that is present."""
    if keyword in ("then", "else"):
        return "if" in schema
    if keyword in ("minContains", "maxContains"):
        return kind == "array" and "contains" in schema
    if keyword == "additionalItems":
        return kind == "array" and isinstance(schema.get("items"), list)
    return keyword in _STRUCTURE.get(kind, ())


def spell_out(value: JsonValue, targets: Mapping[str, JsonValue]) -> JsonValue:
    """Inline the references of a subschema that becomes text, within limits of depth and size."""
    return _spell_out(value, targets, _FOLLOWED, [_MAXIMUM_SPELLED])


_FOLLOWED = 3
_MAXIMUM_SPELLED = 300


def _spell_out(value: JsonValue, targets: Mapping[str, JsonValue], levels: int, room: list[int]) -> JsonValue:
    room[0] -= 1
    if room[0] < 0:
        return value
    if isinstance(value, list):
        return [_spell_out(one, targets, levels, room) for one in value]
    if not isinstance(value, dict):
        return value
    target = targets.get(str(value.get("$ref")))
    if levels > 0 and isinstance(target, dict):
        beside = {key: one for key, one in value.items() if key != "$ref"}
        return _spell_out({**target, **beside}, targets, levels - 1, room)
    return {key: _spell_out(one, targets, levels, room) for key, one in value.items()}
