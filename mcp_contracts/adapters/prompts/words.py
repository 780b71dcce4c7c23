"""Describe the parameters of an input schema in a few words, and list the keywords without a wording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_contracts.adapters.prompts import places
from mcp_contracts.adapters.prompts.limits import LIMITS, LONGEST, WORDLESS, ranges_in_words
from mcp_contracts.adapters.prompts.text import json_line, name_in_ticks
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.references import Reference, ReferenceState, references
from mcp_contracts.schema.simple import as_list, properties_of
from mcp_contracts.schema.wording import type_names

MAXIMUM_LEVELS = 4
"""Maximum depth of nested fields in a prompt."""
MAXIMUM_ROWS = 300
"""Maximum number of parameters and nested fields of one tool in a prompt."""
_MAXIMUM_PARTS = 50
_MAXIMUM_OPTIONS = 40
_MAXIMUM_LISTED = 800  # characters in an enum
_INLINE_LEVELS = 2
_ANY = "any value"
_NOT_SHOWN = "a prompt does not show it"
_TOO_DEEP = "it is nested deeper than a prompt shows"
_MAXIMUM_PLACES = 3_000  # visited places, since references may multiply them


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter, or a field of one at `level` 1 and deeper, in words. `limits` are the constraints on its values."""

    name: str
    level: int
    type: str
    is_required: bool
    limits: tuple[str, ...]
    description: str
    pointer: str


@dataclass(frozen=True, slots=True)
class OmittedConstraint:
    """A constraint of a schema that the prompt does not express."""

    pointer: str
    keyword: str
    message: str


@dataclass(frozen=True, slots=True)
class Wording:
    """A schema in words. `description` and `rules` are about all parameters together."""

    description: str
    parameters: tuple[Parameter, ...]
    rules: tuple[str, ...]
    omitted: tuple[OmittedConstraint, ...]


def describe_parameters(schema: JsonValue) -> Wording:
    """Describe an input schema in words.

    Depth and size are bounded; parts beyond the bounds are omitted constraints.
    """
    writer = _SchemaWriter(
        {reference.pointer: reference for reference in references(schema)}, dialect_of(schema) is Dialect.DRAFT_7
    )
    if not isinstance(schema, dict):
        return Wording("", (), (), ())
    place = writer.place(("", schema))
    description = writer.description(place)
    rules = tuple(writer.limits(place, is_root=True))
    writer.rows(place, 0)
    writer.omit_unused_definitions()
    return Wording(description, tuple(writer.found), rules, tuple(dict.fromkeys(writer.omitted)))


@dataclass(slots=True)
class _SchemaWriter:
    references: Mapping[str, Reference]
    is_draft_7: bool
    found: list[Parameter] = field(default_factory=list)
    omitted: list[OmittedConstraint] = field(default_factory=list)
    reached: set[str] = field(default_factory=set)  # the pointers of all visited subschemas
    definitions: dict[str, str] = field(default_factory=dict)  # the pointers of definitions, with their keywords
    room: int = _MAXIMUM_PLACES
    inline: int = 0  # nesting depth inside one line

    def place(self, *starts: tuple[str, JsonValue]) -> places.Place:
        """Return a place: the given schemas, those that they refer to and combine, and one alternative besides null."""
        nowhere = places.Place(((starts[0][0], {}),))
        self.room -= 1
        if self.room < 0:
            self._omit(starts[0][0], "$ref", "its schema is larger than a prompt shows")
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
                self._omit(at, "allOf", "it combines more schemas than a prompt shows")
                break
            seen.add(at)
            if "$ref" in node:
                reference = self.references.get(f"{at}/$ref")
                is_local = reference is not None and reference.state is ReferenceState.LOCAL
                if reference is not None and is_local and reference.target_pointer is not None:
                    pending.append((reference.target_pointer, reference.target))
                else:
                    self._omit(f"{at}/$ref", "$ref", "its reference does not resolve")
                if self.is_draft_7:
                    for keyword in (keyword for keyword in node if keyword != "$ref"):
                        self._omit_keyword(at, keyword, node[keyword], "draft-07 ignores keywords next to `$ref`")
                    continue
            parts.append((at, node))
            pending += [(f"{at}/allOf/{index}", branch) for index, branch in enumerate(as_list(node.get("allOf")))]
            for keyword in ("anyOf", "oneOf"):
                branches = as_list(node.get(keyword))
                others = [index for index, branch in enumerate(branches) if not places.is_null(branch)]
                for index in set(range(len(branches))).difference(others):
                    self._omit_null_branch(f"{at}/{keyword}/{index}", branches[index])
                if len(others) == 1:
                    is_nullable = is_nullable or len(branches) > 1
                    pending.append((f"{at}/{keyword}/{others[0]}", branches[others[0]]))
                elif branches and alternatives is None:
                    alternatives = (at, keyword, tuple(branches))
                elif branches:
                    self._omit(f"{at}/{keyword}", keyword, "a prompt shows one set of alternatives for each value")
        self.reached |= seen
        return places.Place(tuple(parts), alternatives, is_nullable) if parts else nowhere

    def rows(self, place: places.Place, level: int) -> None:
        """Describe the properties of an object, each with its nested fields."""
        properties: dict[str, list[tuple[str, JsonValue]]] = {}
        required: set[str] = set()
        for pointer, part in place.parts:
            required.update(name for name in as_list(part.get("required")) if isinstance(name, str))
            for name, schema in properties_of(part).items():
                properties.setdefault(name, []).append((f"{pointer}/properties/{escape(name)}", schema))
        for name in sorted(required.difference(properties)):
            properties[name] = [(place.parts[0][0], True)]
        # required ones first, otherwise in schema order
        ordered = sorted(properties, key=lambda name: name not in required)
        if level >= MAXIMUM_LEVELS and ordered:
            self._omit(place.parts[0][0], "properties", "its fields are nested deeper than a prompt shows")
            return
        for name in ordered:
            if len(self.found) >= MAXIMUM_ROWS:
                self._omit(place.parts[0][0], "properties", f"a prompt shows at most {MAXIMUM_ROWS} fields")
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

    def _inside(self, place: places.Place) -> places.Place | None:
        """Return the place with the fields of an object, or of an array's items at any level; None without fields."""
        inside: places.Place | None = place
        found = None
        for _ in range(_INLINE_LEVELS + 1):
            if inside is not None and places.has_fields(inside):
                if found is not None:
                    self._omit(inside.parts[0][0], "properties", "only the fields of the object next to it are shown")
                found = found or inside
            inside = self._items(inside) if inside is not None else None
        return found

    def _items(self, place: places.Place) -> places.Place | None:
        if not places.has_items(place) or "array" not in place.types():
            return None
        found = [(f"{pointer}/items", part["items"]) for pointer, part in place.parts if "items" in part]
        return self.place(*(one for one in found if isinstance(one[1], dict)))

    def type(self, place: places.Place, level: int = 0) -> str:
        """Return the type of a place's values in words."""
        words = self._own_type(place, level)
        if place.alternatives is not None and words == _ANY:
            at, keyword, branches = place.alternatives
            if level < _INLINE_LEVELS:
                shown = [
                    self._inline(f"{at}/{keyword}/{index}", branch, level) for index, branch in enumerate(branches)
                ]
                words = " or ".join(dict.fromkeys(shown)) if _ANY not in shown else _ANY
            else:
                self._omit(f"{at}/{keyword}", keyword, _TOO_DEEP)
        return f"{words} or null" if place.is_nullable and not words.endswith("null") else words

    def _own_type(self, place: places.Place, level: int) -> str:
        types = place.types()
        if not types:
            for _, part in place.parts if "type" not in place else ():
                if "const" in part or isinstance(part.get("enum"), list):
                    values = [part["const"]] if "const" in part else as_list(part["enum"])
                    return type_names({places.type_of(value) for value in values}) or _ANY
            return _ANY
        items = self._items(place)
        if items is not None and level >= _INLINE_LEVELS:
            self._omit(items.parts[0][0], "items", _TOO_DEEP)
        if items is None or level >= _INLINE_LEVELS:
            return type_names(types)
        others = type_names(name for name in types if name != "array")
        self.description(items, is_shown=False)
        limits = _in_brackets(self.limits(items, level + 1))
        return f"array of {self.type(items, level + 1)}{limits}{f' or {others}' if others else ''}"

    def _inline(self, pointer: str, branch: JsonValue, level: int) -> str:
        if places.is_null(branch):
            self._omit_null_branch(pointer, branch)
            return "null"
        place = self.place((pointer, branch))
        self.description(place, is_shown=False)
        words = f"{self.type(place, level + 1)}{_in_brackets(self.limits(place, level + 1))}"
        inside = self._inside(place)
        if inside is None:
            return words
        inner = replace(self, found=[], inline=level + 1)  # the rest is shared
        inner.rows(inside, MAXIMUM_LEVELS - 1)
        self.room = inner.room
        fields = ", ".join(_field_words(row) for row in inner.found)
        return f"{words} with {fields}" if fields else words

    def limits(self, place: places.Place, level: int = 0, *, is_root: bool = False) -> Iterator[str]:
        """Yield the constraints on the values of a place, each in a few words."""
        for pointer, part in place.parts:
            yield from self._options(pointer, part)
            yield from ranges_in_words(part)
            for keyword in part:
                if not place.expresses(part, keyword, is_root=is_root):
                    yield from self._limit(pointer, keyword, part[keyword], level)
        if place.alternatives is not None:
            at, keyword, branches = place.alternatives
            choice = places.choice_of_required(branches)
            if choice is not None:
                yield choice
            elif is_root or self._own_type(place, _INLINE_LEVELS) != _ANY:
                yield from self._as_schema(at, keyword, list(branches))

    def _limit(self, pointer: str, keyword: str, value: JsonValue, level: int) -> Iterator[str]:
        """Express one keyword in words or as JSON Schema, or record it as omitted."""
        at = f"{pointer}/{escape(keyword)}"
        if keyword in LIMITS:
            words = list(LIMITS[keyword](value))
            if words and len(json_line(value)) <= LONGEST:
                yield from words
                return
            self._omit(at, keyword, "it is too long for a prompt" if words else _NOT_SHOWN)
            yield from ["with a default"] if keyword == "default" else []
        elif keyword == "additionalProperties" and (isinstance(value, dict) or value is True):
            if level < _INLINE_LEVELS:
                yield f"other names: {self._inline(at, value, level)}"
            else:
                self._omit(at, keyword, _TOO_DEEP)
        elif keyword in WORDLESS:
            yield from self._as_schema(pointer, keyword, value)
        else:
            self._omit_keyword(pointer, keyword, value, _NOT_SHOWN)

    def _options(self, pointer: str, part: dict[str, JsonValue]) -> Iterator[str]:
        if "const" in part:
            yield f"always {json_line(part['const'])}"
        options = part.get("enum")
        if not isinstance(options, list) or "const" in part:
            return
        shown: list[str] = []
        for option in options[:_MAXIMUM_OPTIONS]:
            text = json_line(option)
            if shown and sum(map(len, shown)) + len(text) > _MAXIMUM_LISTED:
                break
            shown.append(text)
        if len(shown) < len(options):
            self._omit(f"{pointer}/enum", "enum", f"{len(shown)} of its {len(options)} values are shown")
            yield f"one of {', '.join(shown)} or {len(options) - len(shown)} more"
        else:
            yield f"one of {', '.join(shown)}"

    def _as_schema(self, pointer: str, keyword: str, value: JsonValue) -> Iterator[str]:
        """Express a rule without a wording as JSON Schema if that is short."""
        text = json_line({keyword: value})
        if 1 < len(text) <= LONGEST and '"$ref"' not in text and '"$dynamicRef"' not in text and "`" not in text:
            yield f"JSON Schema `{text}`"
        else:
            self._omit(f"{pointer}/{keyword}", keyword, "a prompt cannot express it")

    def description(self, place: places.Place, *, is_shown: bool = True) -> str:
        """Return the first description of a place, or "" if not `is_shown`; record the others as omitted."""
        shown = ""
        for pointer, part in place.parts:
            text = part.get("description", "")
            if is_shown and not shown and isinstance(text, str):
                shown = text
            elif text not in ("", shown):
                message = "only one description is shown" if shown else "a prompt describes only parameters and fields"
                self._omit(f"{pointer}/description", "description", message)
        return shown

    def omit_unused_definitions(self) -> None:
        """Record the definitions that nothing in the prompt refers to."""
        around = {""}
        for pointer in self.reached:
            while pointer not in around:
                around.add(pointer)
                pointer = pointer.rpartition("/")[0]
        for pointer, keyword in self.definitions.items():
            if pointer not in around:
                self._omit(pointer, keyword, "nothing that a prompt shows refers to it")

    def _omit_null_branch(self, pointer: str, branch: JsonValue) -> None:
        for keyword, value in branch.items() if isinstance(branch, dict) else ():
            if keyword not in ("type", "enum"):
                self._omit_keyword(pointer, keyword, value, _NOT_SHOWN)

    def _omit_keyword(self, pointer: str, keyword: str, value: JsonValue, message: str) -> None:
        at = f"{pointer}/{escape(keyword)}"
        if keyword in ("$defs", "definitions") and isinstance(value, dict):
            self.definitions.update((f"{at}/{escape(name)}", keyword) for name in value)
        else:
            self._omit(at, keyword, message)

    def _omit(self, pointer: str, keyword: str, message: str) -> None:
        self.omitted.append(OmittedConstraint(pointer, keyword, message))


def _field_words(row: Parameter) -> str:
    need = "required" if row.is_required else "optional"
    return f"{name_in_ticks(row.name)} ({', '.join((row.type, need, *row.limits))})"


def _in_brackets(limits: Iterator[str]) -> str:
    words = ", ".join(dict.fromkeys(limits))
    return f" ({words})" if words else ""
