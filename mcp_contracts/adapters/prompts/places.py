"""A value's place with all subschemas that apply there, and their combined meaning."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts.adapters.prompts.limits import is_bound
from mcp_contracts.adapters.prompts.text import name_in_ticks
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass
from mcp_contracts.schema.simple import as_list, atom_of, one_or_more, properties_of
from mcp_contracts.schema.vocabulary import TYPES


@dataclass(frozen=True, slots=True)
class Place:
    """The subschemas that apply at one place, with their pointers; `alternatives` is set if there are relevant ones."""

    parts: tuple[tuple[str, dict[str, JsonValue]], ...]
    alternatives: tuple[str, str, tuple[JsonValue, ...]] | None = None
    is_nullable: bool = False

    def first(self, keyword: str) -> JsonValue:
        """Return the value of a keyword in the first subschema that has it."""
        return next((part[keyword] for _, part in self.parts if keyword in part), None)

    def types(self) -> tuple[str, ...]:
        """Return the types that a place states, or that its fields or items imply; empty if unknown."""
        stated = self.first("type")
        if stated is None and ("enum" in self or "const" in self):
            return ()
        if stated is None:
            stated = "object" if has_fields(self) else "array" if has_items(self) else None
        return tuple(name for name in one_or_more(stated) if isinstance(name, str) and name in TYPES)

    def expresses(self, part: Mapping[str, JsonValue], keyword: str, *, is_root: bool) -> bool:
        """Whether the row of a place expresses a keyword of a part, or the keyword says nothing."""
        value = part[keyword]
        match keyword:
            case "type" if is_root:
                return value == "object"
            case "type":
                return value == self.first("type") and len(self.types()) == len(one_or_more(value))
            case "items":
                return value is True or (isinstance(value, dict) and not is_root and "array" in self.types())
            case "required":
                return value == [] or (isinstance(value, list) and (is_root or has_fields(self)))
            case "properties":
                return isinstance(value, dict)
            case "enum":
                return isinstance(value, list) and "const" not in part
            case "allOf" | "anyOf" | "oneOf":
                return isinstance(value, list)
            case "additionalProperties":
                return value is False  # the prompt's head says so for all tools
            case "uniqueItems" | "deprecated" | "readOnly" | "writeOnly":
                return value is False
        return keyword in ("$ref", "const", "description") or is_bound(keyword, value)

    def __contains__(self, keyword: str) -> bool:
        return any(keyword in part for _, part in self.parts)


def choice_of_required(branches: tuple[JsonValue, ...]) -> str | None:
    """Describe alternatives that only require fields."""
    parts = []
    for branch in branches:
        if not isinstance(branch, dict) or not set(branch) <= {"required", "type"} or "required" not in branch:
            return None
        names = [name_in_ticks(name) for name in as_list(branch["required"]) if isinstance(name, str)]
        parts.append(" and ".join(names))
    return f"give {', or '.join(parts)}" if parts and all(parts) else None


def has_fields(place: Place) -> bool:
    """Whether a place declares properties."""
    return any(properties_of(part) for _, part in place.parts)


def has_items(place: Place) -> bool:
    """Whether a place has one schema for all items."""
    return any(isinstance(part.get("items"), dict) for _, part in place.parts)


def is_null(schema: JsonValue) -> bool:
    """Whether a schema only permits null."""
    return isinstance(schema, dict) and (schema.get("type") == "null" or schema.get("enum") == [None])


def type_of(value: JsonValue) -> str:
    """Return the type of a value."""
    return "number" if isinstance(value, float) else atom_of(value)
