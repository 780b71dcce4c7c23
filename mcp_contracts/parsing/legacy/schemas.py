"""Schemas in forms of older dialects: whole tool objects, and maps of properties without the object around them."""

from __future__ import annotations

from mcp_contracts.contract import JsonValue, SchemaOrigin, SchemaPart
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.parsing.data.documents import Document
from mcp_contracts.parsing.schemas import is_property_map, is_schema
from mcp_contracts.records import dataclass
from mcp_contracts.schema.walk import escape

_INPUT_KEYS = ("inputSchema", "input_schema", "parameters", "input", "arguments")
_SURE_KEYS = frozenset(_INPUT_KEYS[:3])
_OUTPUT_KEYS = ("outputSchema", "output_schema", "returns", "output", "return")


def tool_object(value: dict[str, JsonValue]) -> list[tuple[Part, str]] | None:
    """Where a whole tool's schemas stand, if the value is one: it has a name and a schema of its input."""
    key = next((key for key in _INPUT_KEYS if isinstance(value.get(key), dict)), None)
    if key is None or not ("name" in value or key in _SURE_KEYS):
        return None
    if value[key] and not (is_schema(value[key]) or is_property_map(value[key])):
        return None  # the arguments of a call
    found: list[tuple[Part, str]] = [("input", f"/{key}")]
    output = next((key for key in _OUTPUT_KEYS if isinstance(value.get(key), dict)), None)
    return [*found, ("output", f"/{output}")] if output else found


def located(document: Document, part: Part, pointer: str) -> SchemaPart:
    """The schema at a pointer of a document; a map of properties there is that of an object."""
    value: JsonValue = document.value
    if pointer and isinstance(value, dict):
        value = value[pointer[1:]]
    if pointer and part == "input" and isinstance(value, dict) and is_property_map(value):
        return property_map(document, value, pointer)
    return SchemaPart(part, value, SchemaOrigin.SCHEMA, document.at(pointer))


@dataclass(frozen=True, slots=True)
class _MapLocator:
    """Finds pointers of the object schema that a property map means; `required` holds the names of its list."""

    document: Document
    base: str
    required: tuple[str, ...]

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """The place of a pointer of the schema in the map."""
        steps = pointer.split("/")
        if steps[1:2] == ["required"] and steps[2:] and steps[2].isdecimal() and int(steps[2]) < len(self.required):
            return self.document.place(f"{self.base}/{escape(self.required[int(steps[2])])}/required")
        if steps[1:2] == ["properties"]:
            return self.document.place(self.base + pointer.removeprefix("/properties"), on_key=on_key)
        return self.document.place(self.base)


def property_map(document: Document, value: dict[str, JsonValue], base: str = "") -> SchemaPart:
    """`{"x": {"type": "string", "required": true}}` as the object schema that it means."""
    properties: dict[str, JsonValue] = {}
    required = []
    for name, member in value.items():
        if isinstance(member, dict):
            properties[name] = {key: inner for key, inner in member.items() if key != "required"}
            if member.get("required") is True:
                required.append(name)
    schema: dict[str, JsonValue] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return SchemaPart("input", schema, SchemaOrigin.PROSE, _MapLocator(document, base, tuple(required)))
