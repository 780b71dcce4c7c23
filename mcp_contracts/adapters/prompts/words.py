"""The parameters of an input schema in few words, and the keywords for which there are none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from mcp_contracts.adapters.prompts.limits import LIMITS, LONGEST, WORDLESS, ranges_in_words
from mcp_contracts.adapters.prompts.places import (
    Place,
    choice_of_required,
    has_fields,
    has_items,
    is_null,
    type_of,
)
from mcp_contracts.adapters.prompts.text import json_line, name_in_ticks
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.references import Reference, ReferenceState, references
from mcp_contracts.schema.simple import as_list
from mcp_contracts.schema.walk import escape
from mcp_contracts.schema.wording import type_names

MAXIMUM_LEVELS = 4
"""How deep nested fields are told."""
MAXIMUM_ROWS = 300
"""How many parameters and nested fields of one tool are told."""
_MAXIMUM_PARTS = 50
_MAXIMUM_OPTIONS = 40
_MAXIMUM_LISTED = 800  # characters of an enum
_INLINE_LEVELS = 2
_ANY = "any value"
_NOT_TOLD = "a prompt does not show it"
_TOO_DEEP = "it is nested deeper than a prompt shows"
_MAXIMUM_PLACES = 3_000  # that are looked at, since references may multiply them


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter, or a field of one at `level` 1 and deeper, in words. `limits` are what its values must keep to."""

    name: str
    level: int
    type: str
    is_required: bool
    limits: tuple[str, ...]
    description: str
    pointer: str


@dataclass(frozen=True, slots=True)
class OmittedConstraint:
    """What of a schema there are no words for."""

    pointer: str
    keyword: str
    message: str


@dataclass(frozen=True, slots=True)
class Wording:
    """A schema in words. `description` is of all parameters together, and so are the `rules`."""

    description: str
    parameters: tuple[Parameter, ...]
    rules: tuple[str, ...]
    untold: tuple[OmittedConstraint, ...]


def worded(schema: JsonValue) -> Wording:
    """An input schema in words. Bounded in depth and size; what is past the bounds is untold."""
    teller = _SchemaWriter(
        {reference.pointer: reference for reference in references(schema)}, dialect_of(schema) is Dialect.DRAFT_7
    )
    if not isinstance(schema, dict):
        return Wording("", (), (), ())
    place = teller.place(("", schema))
    description = teller.description(place)
    rules = tuple(teller.limits(place, is_root=True))
    teller.rows(place, 0)
    teller.tell_of_definitions()
    return Wording(description, tuple(teller.found), rules, tuple(dict.fromkeys(teller.untold)))


@dataclass(slots=True)
class _SchemaWriter:
    references: Mapping[str, Reference]
    is_draft_7: bool
    found: list[Parameter] = field(default_factory=list)
    untold: list[OmittedConstraint] = field(default_factory=list)
    reached: set[str] = field(default_factory=set)  # the pointers of all subschemas that were looked at
    definitions: dict[str, str] = field(default_factory=dict)  # the pointers of definitions, with their keywords
    room: int = _MAXIMUM_PLACES
    inline: int = 0  # how deep inside of one line

    def place(self, *starts: tuple[str, JsonValue]) -> Place:
        """What holds at a place: the schemas, what they refer to and combine, one alternative beside null."""
        nowhere = Place(((starts[0][0], {}),))
        self.room -= 1
        if self.room < 0:
            self._tell_not(starts[0][0], "$ref", "its schema is larger than a prompt shows")
            return nowhere
        parts: list[tuple[str, dict[str, JsonValue]]] = []
        alternatives = None
        is_nullable = False
        pending = list(starts)
        seen = set()
        while pending:
            at, node = pending.pop(0)
            if node is False:
                node = {"not": {}}
            if at in seen or not isinstance(node, dict):
                continue
            if len(parts) >= _MAXIMUM_PARTS:
                self._tell_not(at, "allOf", "it combines more schemas than a prompt shows")
                break
            seen.add(at)
            if "$ref" in node:
                reference = self.references.get(f"{at}/$ref")
                is_local = reference is not None and reference.state is ReferenceState.LOCAL
                if reference is not None and is_local and reference.target_pointer is not None:
                    pending.append((reference.target_pointer, reference.target))
                else:
                    self._tell_not(f"{at}/$ref", "$ref", "its reference does not resolve")
                if self.is_draft_7:
                    for keyword in (keyword for keyword in node if keyword != "$ref"):
                        self._leave(at, keyword, node[keyword], "draft-07 ignores keywords beside `$ref`")
                    continue
            parts.append((at, node))
            pending += [(f"{at}/allOf/{index}", branch) for index, branch in enumerate(as_list(node.get("allOf")))]
            for keyword in ("anyOf", "oneOf"):
                branches = as_list(node.get(keyword))
                others = [index for index, branch in enumerate(branches) if not is_null(branch)]
                for index in set(range(len(branches))).difference(others):
                    self._leave_of_null(f"{at}/{keyword}/{index}", branches[index])
                if len(others) == 1:
                    is_nullable = is_nullable or len(branches) > 1
                    pending.append((f"{at}/{keyword}/{others[0]}", branches[others[0]]))
                elif branches and alternatives is None:
                    alternatives = (at, keyword, tuple(branches))
                elif branches:
                    self._tell_not(f"{at}/{keyword}", keyword, "a prompt shows one set of alternatives for each value")
        self.reached |= seen
        return Place(tuple(parts), alternatives, is_nullable) if parts else nowhere

    def rows(self, place: Place, level: int) -> None:
        """Tell the properties of an object, each with the fields inside of it."""
        properties: dict[str, list[tuple[str, JsonValue]]] = {}
        required: set[str] = set()
        for pointer, part in place.parts:
            required.update(name for name in as_list(part.get("required")) if isinstance(name, str))
            named = part.get("properties")
            for name, schema in named.items() if isinstance(named, dict) else ():
                properties.setdefault(name, []).append((f"{pointer}/properties/{escape(name)}", schema))
        for name in sorted(required.difference(properties)):
            properties[name] = [(place.parts[0][0], True)]
        ordered = sorted(properties, key=lambda name: name not in required)  # required ones first, else as they stand
        if level >= MAXIMUM_LEVELS and ordered:
            self._tell_not(place.parts[0][0], "properties", "its fields are nested deeper than a prompt shows")
            return
        for name in ordered:
            if len(self.found) >= MAXIMUM_ROWS:
                self._tell_not(place.parts[0][0], "properties", f"a prompt shows at most {MAXIMUM_ROWS} fields")
                return
            self._row(name, properties[name], level, is_required=name in required)

    def _row(self, name: str, schemas: list[tuple[str, JsonValue]], level: int, *, is_required: bool) -> None:
        place = self.place(*schemas)
        description = self.description(place)
        limits = tuple(dict.fromkeys(self.limits(place, self.inline)))
        self.found.append(
            Parameter(name, level, self.type(place, self.inline), is_required, limits, description, schemas[0][0])
        )
        inside = self._inside(place)
        if inside is not None:
            self.rows(inside, level + 1)

    def _inside(self, place: Place) -> Place | None:
        """The place that has the fields of an object, of an array's items, or of their items; None without fields."""
        inside: Place | None = place
        found = None
        for _ in range(_INLINE_LEVELS + 1):
            if inside is not None and has_fields(inside):
                if found is not None:
                    self._tell_not(
                        inside.parts[0][0], "properties", "only the fields of the object beside it are shown"
                    )
                found = found or inside
            inside = self._items(inside) if inside is not None else None
        return found

    def _items(self, place: Place) -> Place | None:
        if not has_items(place) or "array" not in place.types():
            return None
        found = [(f"{pointer}/items", part["items"]) for pointer, part in place.parts if "items" in part]
        return self.place(*(one for one in found if isinstance(one[1], dict)))

    def type(self, place: Place, level: int = 0) -> str:
        """The type of a place's values in words."""
        words = self._own_type(place, level)
        if place.alternatives is not None and words == _ANY:
            at, keyword, branches = place.alternatives
            if level < _INLINE_LEVELS:
                told = [self._inline(f"{at}/{keyword}/{index}", branch, level) for index, branch in enumerate(branches)]
                words = " or ".join(dict.fromkeys(told)) if _ANY not in told else _ANY
            else:
                self._tell_not(f"{at}/{keyword}", keyword, _TOO_DEEP)
        return f"{words} or null" if place.is_nullable and not words.endswith("null") else words

    def _own_type(self, place: Place, level: int) -> str:
        types = place.types()
        if not types:
            for _, part in place.parts if "type" not in place else ():
                if "const" in part or isinstance(part.get("enum"), list):
                    values = [part["const"]] if "const" in part else as_list(part["enum"])
                    return type_names({type_of(value) for value in values}) or _ANY
            return _ANY
        items = self._items(place)
        if items is not None and level >= _INLINE_LEVELS:
            self._tell_not(items.parts[0][0], "items", _TOO_DEEP)
        if items is None or level >= _INLINE_LEVELS:
            return type_names(types)
        others = type_names(name for name in types if name != "array")
        self.description(items, is_told=False)
        limits = _in_brackets(self.limits(items, level + 1))
        return f"array of {self.type(items, level + 1)}{limits}{f' or {others}' if others else ''}"

    def _inline(self, pointer: str, branch: JsonValue, level: int) -> str:
        if is_null(branch):
            self._leave_of_null(pointer, branch)
            return "null"
        place = self.place((pointer, branch))
        self.description(place, is_told=False)
        words = f"{self.type(place, level + 1)}{_in_brackets(self.limits(place, level + 1))}"
        inside = self._inside(place)
        if inside is None:
            return words
        inner = replace(self, found=[], inline=level + 1)  # the rest is shared
        inner.rows(inside, MAXIMUM_LEVELS - 1)
        self.room = inner.room
        fields = ", ".join(_field_words(row) for row in inner.found)
        return f"{words} with {fields}" if fields else words

    def limits(self, place: Place, level: int = 0, *, is_root: bool = False) -> Iterator[str]:
        """What the values of a place must keep to, each in a few words."""
        for pointer, part in place.parts:
            yield from self._options(pointer, part)
            yield from ranges_in_words(part)
            for keyword in part:
                if not place.tells(part, keyword, is_root=is_root):
                    yield from self._limit(pointer, keyword, part[keyword], level)
        if place.alternatives is not None:
            at, keyword, branches = place.alternatives
            choice = choice_of_required(branches)
            if choice is not None:
                yield choice
            elif is_root or self._own_type(place, _INLINE_LEVELS) != _ANY:
                yield from self._as_schema(at, keyword, list(branches))

    def _limit(self, pointer: str, keyword: str, value: JsonValue, level: int) -> Iterator[str]:
        """One keyword in words, as JSON Schema, or not at all."""
        at = f"{pointer}/{escape(keyword)}"
        if keyword in LIMITS:
            words = list(LIMITS[keyword](value))
            if words and len(json_line(value)) <= LONGEST:
                yield from words
                return
            self._tell_not(at, keyword, "it is too long for a prompt" if words else _NOT_TOLD)
            yield from ["with a default"] if keyword == "default" else []
        elif keyword == "additionalProperties" and (isinstance(value, dict) or value is True):
            if level < _INLINE_LEVELS:
                yield f"other names: {self._inline(at, value, level)}"
            else:
                self._tell_not(at, keyword, _TOO_DEEP)
        elif keyword in WORDLESS:
            yield from self._as_schema(pointer, keyword, value)
        else:
            self._leave(pointer, keyword, value, _NOT_TOLD)

    def _options(self, pointer: str, part: dict[str, JsonValue]) -> Iterator[str]:
        if "const" in part:
            yield f"always {json_line(part['const'])}"
        options = part.get("enum")
        if not isinstance(options, list) or "const" in part:
            return
        told: list[str] = []
        for option in options[:_MAXIMUM_OPTIONS]:
            text = json_line(option)
            if told and sum(map(len, told)) + len(text) > _MAXIMUM_LISTED:
                break
            told.append(text)
        if len(told) < len(options):
            self._tell_not(f"{pointer}/enum", "enum", f"{len(told)} of its {len(options)} values are shown")
            yield f"one of {', '.join(told)} or {len(options) - len(told)} more"
        else:
            yield f"one of {', '.join(told)}"

    def _as_schema(self, pointer: str, keyword: str, value: JsonValue) -> Iterator[str]:
        """A rule for which there are no words, as the JSON Schema that it is, where that is short."""
        text = json_line({keyword: value})
        if 1 < len(text) <= LONGEST and '"$ref"' not in text and '"$dynamicRef"' not in text and "`" not in text:
            yield f"JSON Schema `{text}`"
        else:
            self._tell_not(f"{pointer}/{keyword}", keyword, "a prompt cannot express it")

    def description(self, place: Place, *, is_told: bool = True) -> str:
        """The first description of a place; what else describes it is not told, nor is the first one if it may not."""
        told = ""
        for pointer, part in place.parts:
            text = part.get("description", "")
            if is_told and not told and isinstance(text, str):
                told = text
            elif text not in ("", told):
                message = "only one description is shown" if told else "a prompt describes only parameters and fields"
                self._tell_not(f"{pointer}/description", "description", message)
        return told

    def tell_of_definitions(self) -> None:
        """List the definitions that nothing told refers to."""
        around = {""}
        for pointer in self.reached:
            while pointer not in around:
                around.add(pointer)
                pointer = pointer.rpartition("/")[0]
        for pointer, keyword in self.definitions.items():
            if pointer not in around:
                self._tell_not(pointer, keyword, "nothing that a prompt shows refers to it")

    def _leave_of_null(self, pointer: str, branch: JsonValue) -> None:
        for keyword, value in branch.items() if isinstance(branch, dict) else ():
            if keyword not in ("type", "enum"):
                self._leave(pointer, keyword, value, _NOT_TOLD)

    def _leave(self, pointer: str, keyword: str, value: JsonValue, message: str) -> None:
        at = f"{pointer}/{escape(keyword)}"
        if keyword in ("$defs", "definitions") and isinstance(value, dict):
            self.definitions.update((f"{at}/{escape(name)}", keyword) for name in value)
        else:
            self._tell_not(at, keyword, message)

    def _tell_not(self, pointer: str, keyword: str, message: str) -> None:
        self.untold.append(OmittedConstraint(pointer, keyword, message))


def _field_words(row: Parameter) -> str:
    need = "required" if row.is_required else "optional"
    return f"{name_in_ticks(row.name)} ({', '.join((row.type, need, *row.limits))})"


def _in_brackets(limits: Iterator[str]) -> str:
    words = ", ".join(dict.fromkeys(limits))
    return f" ({words})" if words else ""
