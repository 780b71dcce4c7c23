"""Reads schemas in forms of older dialects: whole tool objects, and property maps without the object around them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeGuard

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaOrigin, SchemaPart
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.json_values.pointers import escape, unescape
from mcp_contracts.parsing.data.documents import Document
from mcp_contracts.parsing.parameters.types import read_type
from mcp_contracts.parsing.schemas import is_property_map, is_schema
from mcp_contracts.records import dataclass

_FLAGS: dict[JsonValue, bool] = {True: True, False: False, "true": True, "false": False, "yes": True, "no": False}
_INPUT_KEYS = ("inputSchema", "input_schema", "parameters", "input", "arguments", "params", "args", "inputs")
_OF_CALLS = ("arguments", "params", "args", "inputs")
_SURE_KEYS = frozenset(_INPUT_KEYS[:3])
_OUTPUT_KEYS = ("outputSchema", "output_schema", "returns", "output", "return")


TOOL_OBJECT = re.compile(
    r"[\"']?(?:inputSchema|input_schema)[\"']?\s*:|[\"']name[\"']\s*:[^{}]{0,2000}[\"']parameters[\"']\s*:\s*\{"
)


SCHEMA_WORDS = re.compile(r"[\"'](?:properties|type|inputSchema|input_schema|parameters)[\"']\s*:")


def tool_object(value: dict[str, JsonValue]) -> list[tuple[Part, str]] | None:
    """Return the places of the schemas in a value that is a complete tool: it has a name and an input schema, or a map
    of schemas for its parameters.
    """
    key = next((key for key in _INPUT_KEYS if isinstance(held := value.get(key), dict) or is_list_of(held)), None)
    if key is None or not ("name" in value or key in _SURE_KEYS or is_property_map(value[key])):
        return None
    is_call = key in _OF_CALLS and value.keys().isdisjoint(("description", "summary"))
    is_call = is_call and not (value[key] and is_schema(value[key]))
    if is_call or (value[key] and not (is_schema(value[key]) or maps_parameters(value[key]))):
        return None
    return [("input", f"/{key}"), *output_of(value)]


def output_of(value: dict[str, JsonValue]) -> list[tuple[Part, str]]:
    """Return the place of the output schema in a value that is a complete tool, if it has one."""
    output = next((key for key in _OUTPUT_KEYS if isinstance(value.get(key), dict)), None)
    return [("output", f"/{output}")] if output else []


def describes_no_input(value: dict[str, JsonValue]) -> bool:
    """Whether a value is a tool in words only: it has a name, a description and no member for parameters."""
    is_described = isinstance(value.get("name"), str) and isinstance(value.get("description"), str)
    return is_described and value.keys().isdisjoint(_INPUT_KEYS)


def is_list_of(value: JsonValue) -> bool:
    """Whether JSON is a list of parameters, `[{"name": "x", "type": "string"}]`, or an empty list."""
    return isinstance(value, list) and all(
        isinstance(one, dict) and isinstance(one.get("name"), str) and "type" in one for one in value
    )


def maps_parameters(value: JsonValue) -> bool:
    """Whether JSON describes parameters by name: a map of schemas or types, or a list of objects with names."""
    return is_map_of_types(value) or is_list_of(value)


def is_map_at(value: JsonValue, key: str) -> TypeGuard[dict[str, JsonValue] | list[JsonValue]]:
    """Whether the value of a key describes parameters by name. No parameters at all are such a description, except for
    the keys of MCP: `parameters: {}`.
    """
    if value == {}:
        return key in _INPUT_KEYS[2:]
    return isinstance(value, dict | list) and maps_parameters(value)


def is_map_of_types(value: JsonValue) -> bool:
    """Whether JSON maps names to schemas or to types in words: `{"x": {"type": "string"}, "y": "integer"}`."""
    if not isinstance(value, dict) or is_property_map(value):
        return isinstance(value, dict)
    if is_schema(value):
        return False
    typed = [one for one in value.values() if is_property_map({"": one}) or _is_type(one)]
    return len(typed) * 2 >= len(value) > 0 and all(isinstance(one, dict | str) for one in value.values())


def _is_type(value: JsonValue) -> bool:
    return isinstance(value, str) and read_type(value) is not None


def locate_schema(document: Document, part: Part, pointer: str) -> SchemaPart:
    """Return the schema at a pointer of a document; a property map is read as an object."""
    value: JsonValue = document.value
    for step in pointer.split("/")[1:]:
        value = value[step] if isinstance(value, dict) else None
    if pointer and is_map_at(value, pointer.rpartition("/")[2]):
        return property_map(document, value, pointer, part)
    return SchemaPart(part, _with_named_items(value), SchemaOrigin.SCHEMA, document.at(pointer))


def _with_named_items(value: JsonValue) -> JsonValue:
    """Return an array schema whose items are named by a type or a class, `items: Match`, with a schema for them."""
    named = value.get("items") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(named, str):
        return value
    items = {} if _CLASS.fullmatch(named) else read_type(named)
    return value if items is None else {**value, "items": items}


_CLASS = re.compile(r"[A-Z][a-z]\w*")


@dataclass(frozen=True, slots=True)
class _MapLocator:
    """Finds pointers of the object schema that a property map represents; `required` has the names in its list.

    `steps` has the step in the document for each name: the name itself, or its index in a list.
    """

    document: Document
    base: str
    required: tuple[str, ...]
    steps: Mapping[str, str]

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """Return the place in the map of a pointer of the schema."""
        steps = pointer.split("/")
        if steps[1:2] == ["required"] and steps[2:] and steps[2].isdecimal() and int(steps[2]) < len(self.required):
            return self.document.place(f"{self.base}/{self.steps[self.required[int(steps[2])]]}/required")
        if steps[1:2] == ["properties"]:
            rest = steps[2:]
            name = unescape(rest[0]) if rest else ""
            if rest and self.steps.get(name, rest[0]) != rest[0]:  # of a list
                on_name = len(rest) == 1 and on_key
                rest = [self.steps[name], *rest[1:], *(("name",) if on_name else ())]
                on_key = on_key and not on_name
            return self.document.place("/".join((self.base, *rest)), on_key=on_key)
        return self.document.place(self.base)


def property_map(
    document: Document, value: dict[str, JsonValue] | list[JsonValue], base: str = "", part: Part = "input"
) -> SchemaPart:
    """Return the object schema that parameters by name represent, in a map or in a list.

    `{"x": {"type": "string", "required": true}, "y": "string"}`, or `[{"name": "x", "type": "string"}]`.
    """
    properties: dict[str, JsonValue] = {}
    required = []
    steps: dict[str, str] = {}
    for name, step, member in _members(value):
        steps.setdefault(name, step)
        if isinstance(member, str):
            properties[name] = dict(read_type(member) or {"type": member})
        if isinstance(member, dict):
            said = _FLAGS.get(member["required"]) if isinstance(member.get("required"), bool | str) else None
            schema = {key: inner for key, inner in member.items() if key != "required" or said is None}
            written = schema.get("type")
            if isinstance(value, list) and isinstance(written, str) and (meant := read_type(written)) is not None:
                schema = {**schema, **meant}  # a list is not JSON Schema, so its types may be in words
            properties[name] = schema
            if said and name not in required:
                required.append(name)
    whole: dict[str, JsonValue] = {"type": "object", "properties": properties}
    if required:
        whole["required"] = list(required)
    return SchemaPart(part, whole, SchemaOrigin.PROSE, _MapLocator(document, base, tuple(required), steps))


def _members(value: dict[str, JsonValue] | list[JsonValue]) -> Iterator[tuple[str, str, JsonValue]]:
    """Yield the name of each parameter, the step to it in the document, and what describes it."""
    if isinstance(value, dict):
        yield from ((name, escape(name), member) for name, member in value.items())
        return
    for index, one in enumerate(value):
        if isinstance(one, dict):
            yield str(one.get("name")), str(index), {key: inner for key, inner in one.items() if key != "name"}
