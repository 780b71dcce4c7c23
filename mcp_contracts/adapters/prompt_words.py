"""The parameters of an input schema in few words, and the keywords for which there are none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mcp_contracts.adapters.prompt_limits import LIMITS, LONGEST, WORDLESS, ranges_in_words
from mcp_contracts.adapters.prompt_text import json_line, name_in_ticks
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.references import Reference, ReferenceState, references
from mcp_contracts.schema.validators import Dialect, dialect_of
from mcp_contracts.schema.walk import escape
from mcp_contracts.schema.wording import type_names

MAXIMUM_LEVELS = 4
"""How deep nested fields are told."""
MAXIMUM_ROWS = 300
"""How many parameters and nested fields of one tool are told."""
_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
_MAXIMUM_PARTS = 50
_MAXIMUM_OPTIONS = 40
_MAXIMUM_LISTED = 800  # characters of an enum
_INLINE_LEVELS = 2
_ANY = "any value"
_TOO_DEEP = "it is nested deeper than a prompt tells"
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
class Untold:
    """What of a schema there are no words for."""

    pointer: str
    keyword: str
    message: str


@dataclass(frozen=True, slots=True)
class Wording:
    """A schema in words. `rules` are those about all parameters together."""

    parameters: tuple[Parameter, ...]
    rules: tuple[str, ...]
    untold: tuple[Untold, ...]


def worded(schema: JsonValue) -> Wording:
    """An input schema in words. Bounded in depth and size; what is past the bounds is untold."""
    teller = _Teller(
        {reference.pointer: reference for reference in references(schema)}, dialect_of(schema) is Dialect.DRAFT_7
    )
    if not isinstance(schema, dict):
        return Wording((), (), ())
    place = teller.place("", schema)
    rules = tuple(teller.limits(place, is_root=True))
    teller.rows(place, 0)
    return Wording(tuple(teller.found), rules, tuple(dict.fromkeys(teller.untold)))


@dataclass(frozen=True, slots=True)
class _Place:
    """The subschemas that hold at one place, with their pointers; `alternatives` if it has some that matter."""

    parts: tuple[tuple[str, dict[str, JsonValue]], ...]
    alternatives: tuple[str, str, tuple[JsonValue, ...]] | None = None
    is_nullable: bool = False

    def first(self, keyword: str) -> JsonValue:
        return next((part[keyword] for _, part in self.parts if keyword in part), None)


@dataclass(slots=True)
class _Teller:
    references: Mapping[str, Reference]
    is_draft_7: bool
    found: list[Parameter] = field(default_factory=list)
    untold: list[Untold] = field(default_factory=list)
    room: int = _MAXIMUM_PLACES
    inline: int = 0  # how deep inside of one line

    def place(self, pointer: str, schema: JsonValue) -> _Place:
        """What holds at a place: the schema, what it refers to and combines, one alternative beside null."""
        self.room -= 1
        if self.room < 0:
            self._tell_not(pointer, "$ref", "its schema holds more than a prompt tells")
            return _Place(((pointer, {}),))
        parts: list[tuple[str, dict[str, JsonValue]]] = []
        alternatives = None
        is_nullable = False
        pending = [(pointer, schema)]
        seen = set()
        while pending:
            at, node = pending.pop(0)
            if at in seen or not isinstance(node, dict):
                continue
            if len(parts) >= _MAXIMUM_PARTS:
                self._tell_not(at, "allOf", "it combines more schemas than a prompt tells")
                break
            seen.add(at)
            reference = self.references.get(f"{at}/$ref")
            if reference is not None:
                if reference.state is ReferenceState.LOCAL and reference.target_pointer is not None:
                    pending.append((reference.target_pointer, reference.target))
                else:
                    self._tell_not(f"{at}/$ref", "$ref", "it leads nowhere that a prompt could tell of")
                if self.is_draft_7:
                    continue
            parts.append((at, node))
            pending += [(f"{at}/allOf/{index}", branch) for index, branch in enumerate(_list(node.get("allOf")))]
            for keyword in ("anyOf", "oneOf"):
                branches = _list(node.get(keyword))
                others = [index for index, branch in enumerate(branches) if not _is_null(branch)]
                if len(others) == 1:
                    is_nullable = is_nullable or len(branches) > 1
                    pending.append((f"{at}/{keyword}/{others[0]}", branches[others[0]]))
                elif branches and alternatives is None:
                    alternatives = (at, keyword, tuple(branches))
                elif branches:
                    self._tell_not(f"{at}/{keyword}", keyword, "a prompt tells one set of alternatives at a place")
        return _Place(tuple(parts) or ((pointer, {}),), alternatives, is_nullable)

    def rows(self, place: _Place, level: int) -> None:
        """Tell the properties of an object, each with the fields inside of it."""
        properties: dict[str, tuple[str, JsonValue]] = {}
        required: set[str] = set()
        for pointer, part in place.parts:
            required.update(name for name in _list(part.get("required")) if isinstance(name, str))
            named = part.get("properties")
            for name, schema in named.items() if isinstance(named, dict) else ():
                properties.setdefault(name, (f"{pointer}/properties/{escape(name)}", schema))
        for name in sorted(required.difference(properties)):
            properties[name] = (place.parts[0][0], True)
        ordered = sorted(properties, key=lambda name: name not in required)  # required ones first, else as they stand
        if level >= MAXIMUM_LEVELS and ordered:
            self._tell_not(place.parts[0][0], "properties", "its fields are nested deeper than a prompt tells")
            return
        for name in ordered:
            if len(self.found) >= MAXIMUM_ROWS:
                self._tell_not(place.parts[0][0], "properties", f"a prompt tells no more than {MAXIMUM_ROWS} fields")
                return
            pointer, schema = properties[name]
            self._row(name, pointer, schema, level, is_required=name in required)

    def _row(self, name: str, pointer: str, schema: JsonValue, level: int, *, is_required: bool) -> None:
        place = self.place(pointer, schema)
        described = place.first("description")
        description = described if isinstance(described, str) else ""
        limits = tuple(dict.fromkeys(self.limits(place, self.inline)))
        self.found.append(
            Parameter(name, level, self.type(place, self.inline), is_required, limits, description, pointer)
        )
        inside: _Place | None = place
        for _ in range(_INLINE_LEVELS):  # an array of arrays of objects as well
            if inside is not None and _has_fields(inside):
                self.rows(inside, level + 1)
                return
            inside = self._items(inside) if inside is not None else None
        if inside is not None and _has_fields(inside):
            self.rows(inside, level + 1)

    def _items(self, place: _Place) -> _Place | None:
        for pointer, part in place.parts:
            if isinstance(part.get("items"), dict):
                return self.place(f"{pointer}/items", part["items"])
        return None

    def type(self, place: _Place, level: int = 0) -> str:
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

    def _own_type(self, place: _Place, level: int) -> str:
        stated = place.first("type")
        if stated is None:
            for _, part in place.parts:
                if "const" in part or isinstance(part.get("enum"), list):
                    values = [part["const"]] if "const" in part else _list(part["enum"])
                    return type_names({_type_of(value) for value in values}) or _ANY
            if _has_fields(place):
                stated = "object"
        types = [name for name in (stated if isinstance(stated, list) else [stated]) if name in _TYPES]
        if not types:
            return _ANY
        items = self._items(place) if "array" in types else None
        if items is not None and level >= _INLINE_LEVELS:
            self._tell_not(items.parts[0][0], "items", _TOO_DEEP)
        if items is None or level >= _INLINE_LEVELS:
            return type_names(str(name) for name in types)
        others = type_names(str(name) for name in types if name != "array")
        self._tell_no_description(items)
        limits = "" if _has_fields(items) else _in_brackets(self.limits(items, level + 1))
        return f"array of {self.type(items, level + 1)}{limits}{f' or {others}' if others else ''}"

    def _inline(self, pointer: str, branch: JsonValue, level: int) -> str:
        if _is_null(branch):
            return "null"
        place = self.place(pointer, branch)
        self._tell_no_description(place)
        words = f"{self.type(place, level + 1)}{_in_brackets(self.limits(place, level + 1))}"
        if not _has_fields(place):
            return words
        inner = _Teller(self.references, self.is_draft_7, room=self.room, inline=level + 1)
        inner.rows(place, MAXIMUM_LEVELS - 1)
        self.room = inner.room
        self.untold += inner.untold
        fields = ", ".join(_field_words(row) for row in inner.found)
        return f"{words} with {fields}" if fields else words

    def limits(self, place: _Place, level: int = 0, *, is_root: bool = False) -> Iterator[str]:
        """What the values of a place must keep to, each in a few words."""
        for pointer, part in place.parts:
            yield from self._options(pointer, part)
            yield from ranges_in_words(part)
            for keyword, value in part.items():
                if keyword in LIMITS:
                    if isinstance(value, str) and len(value) > LONGEST:
                        self._tell_not(f"{pointer}/{keyword}", keyword, "it is too long for a prompt")
                    else:
                        yield from LIMITS[keyword](value)
                elif keyword == "additionalProperties" and isinstance(value, dict) and value:
                    if level < _INLINE_LEVELS:
                        yield f"other names: {self._inline(f'{pointer}/{keyword}', value, level)}"
                    else:
                        self._tell_not(f"{pointer}/{keyword}", keyword, _TOO_DEEP)
                elif keyword in WORDLESS or (keyword == "items" and isinstance(value, list)):
                    yield from self._as_schema(pointer, keyword, value)
        if place.alternatives is not None:
            at, keyword, branches = place.alternatives
            choice = _choice_of_required(branches)
            if choice is not None:
                yield choice
            elif is_root or self._own_type(place, _INLINE_LEVELS) != _ANY:
                yield from self._as_schema(at, keyword, list(branches))

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
            self._tell_not(f"{pointer}/enum", "enum", f"{len(told)} of its {len(options)} values are told")
            yield f"one of {', '.join(told)} or {len(options) - len(told)} more"
        else:
            yield f"one of {', '.join(told)}"

    def _as_schema(self, pointer: str, keyword: str, value: JsonValue) -> Iterator[str]:
        """A rule for which there are no words, as the JSON Schema that it is, where that is short."""
        text = json_line({keyword: value})
        if 1 < len(text) <= LONGEST and '"$ref"' not in text and "`" not in text:
            yield f"JSON Schema `{text}`"
        else:
            self._tell_not(f"{pointer}/{keyword}", keyword, "a prompt has no words for it")

    def _tell_no_description(self, place: _Place) -> None:
        for pointer, part in place.parts:
            if isinstance(part.get("description"), str):
                self._tell_not(
                    f"{pointer}/description", "description", "a prompt describes parameters and fields alone"
                )

    def _tell_not(self, pointer: str, keyword: str, message: str) -> None:
        self.untold.append(Untold(pointer, keyword, message))


def _choice_of_required(branches: tuple[JsonValue, ...]) -> str | None:
    """Alternatives that only say which fields must be there, in words."""
    told = []
    for branch in branches:
        if not isinstance(branch, dict) or not set(branch) <= {"required", "type"} or "required" not in branch:
            return None
        names = [name_in_ticks(name) for name in _list(branch["required"]) if isinstance(name, str)]
        told.append(" and ".join(names))
    return f"give {', or '.join(told)}" if told and all(told) else None


def _field_words(row: Parameter) -> str:
    need = "required" if row.is_required else "optional"
    return f"{name_in_ticks(row.name)} ({', '.join((row.type, need, *row.limits))})"


def _in_brackets(limits: Iterator[str]) -> str:
    words = ", ".join(dict.fromkeys(limits))
    return f" ({words})" if words else ""


def _has_fields(place: _Place) -> bool:
    return any(isinstance(part.get("properties"), dict) and part["properties"] for _, part in place.parts)


def _is_null(schema: JsonValue) -> bool:
    return isinstance(schema, dict) and (schema.get("type") == "null" or schema.get("enum") == [None])


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _type_of(value: JsonValue) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "integer" if isinstance(value, int) else "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"
