"""Fenced blocks with schemas and examples: read, distinguished, and converted to parts of a contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Example, JsonValue, Locator, SchemaOrigin, SchemaPart, Table
from mcp_contracts.diagnostics import Part
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.parsing.data.comments import without_comments, without_omissions
from mcp_contracts.parsing.data.documents import Document, read_json
from mcp_contracts.parsing.markdown.blocks import Block, Fence
from mcp_contracts.parsing.text import SourceText

_JSON = frozenset(("json", "jsonc", "json5", "jsonschema", "json-schema"))
_COMMENTED = frozenset(("jsonc", "json5"))
# An unclosed part is matched to the end of the text; otherwise the search would restart at each of its characters.
_YAML = frozenset(("yaml", "yml"))
_TYPES = frozenset(("string", "number", "integer", "boolean", "object", "array", "null"))
_SURE = ("$schema", "properties", "$defs", "definitions", "anyOf", "oneOf", "allOf", "$ref", "additionalProperties",
         "patternProperties", "prefixItems", "enum", "const")  # fmt: skip


def is_from(locator: Locator, block: Block | None) -> bool:
    """Whether a value was read from a code block."""
    return isinstance(block, Fence) and block.row < locator.place("").line <= block.end


def holds_schema(block: Block | None, part: SchemaPart | None) -> bool:
    """Whether a block is the code block of a schema."""
    return part is not None and part.origin is SchemaOrigin.SCHEMA and is_from(part.locator, block)


def is_data(fence: Fence) -> bool:
    """Whether a fence contains JSON or YAML, by its language or, without one, by its first character."""
    if fence.language == "":
        return fence.content.lstrip()[:1] in ("{", "[") and not _TEMPLATE.match(fence.content)
    return fence.language in _JSON or fence.language in _YAML


_TEMPLATE = re.compile(
    r"\s*(?:(?:\[[^\]\n\",:]+\]|\{\w+\})[ \t]*[^\s/#,\]}]|\[(?!true|false|null)[A-Za-z][\w -]*\][ \t]*$)", re.MULTILINE
)
"""Text after a bracket, or a word in brackets: `[id={id}] {time}`, `[INFO] done`, `[stderr]`."""


def is_yaml(fence: Fence) -> bool:
    """Whether the language of a fence is YAML."""
    return fence.language in _YAML


def read_fence(source: SourceText, fence: Fence, part: Part | None) -> Document:
    """Return the content of a fence. A fence that is never closed contains the rest of the file, which is a fault."""
    if not fence.is_closed:
        line = source.lines[fence.row]
        place = source.place(fence.row, len(line) - len(line.lstrip()), len(line.rstrip()))
        hint = "close it with a line of three backticks"
        fault = Fault(FaultKind.INVALID_JSON, "the code fence that opens here is never closed", place, hint, part)
        return Document(source, fence.row, line.lstrip(), "json", None, (fault,))
    text = fence.content.removesuffix("\n")
    if is_yaml(fence):
        from mcp_contracts.parsing.data.yaml_documents import read_yaml  # most files contain no YAML, which costs 20 ms

        return read_yaml(source, text, fence.first_row, part=part)
    if fence.language in _COMMENTED:
        text = without_comments(text)
    read = read_json(source, text, fence.first_row, part=part)
    if fence.language == "json5" and read.faults:
        from mcp_contracts.parsing.data.yaml_documents import read_yaml

        flow = read_yaml(source, text, fence.first_row, part=part)  # keys without quotes are those of YAML as well
        return read if flow.faults else flow
    return read


def is_schema(value: JsonValue) -> bool:
    """Whether JSON is a JSON Schema rather than an example of a value."""
    if isinstance(value, bool):
        return True
    if not isinstance(value, dict):
        return False
    if not value:
        return True
    stated = value.get("type")
    properties = value.get("properties")
    if stated is None and "required" not in value and not _may_be_properties(properties):
        return False  # a field with that name
    if (
        isinstance(stated, str)
        and stated not in _TYPES
        and isinstance(properties, dict)
        and not _of_schemas(properties)
    ):
        return False  # a value with a type of its own
    if any(isinstance(value.get(keyword), dict) for keyword in ("properties", "$defs", "definitions")):
        return True
    if isinstance(stated, list):
        return bool(stated) and all(isinstance(member, str) for member in stated)
    if isinstance(stated, str) and stated in _TYPES:
        return True
    return any(keyword in value for keyword in _SURE) and all(
        isinstance(value.get(keyword, []), list) for keyword in ("anyOf", "oneOf", "allOf", "enum")
    )


def _may_be_properties(properties: JsonValue) -> bool:
    """Whether a value may be the properties of a schema, or there is none."""
    if isinstance(properties, dict):
        return not properties or any(isinstance(member, dict) for member in properties.values())
    return not isinstance(properties, list)


def _of_schemas(properties: dict[str, JsonValue]) -> bool:
    """Whether a member of an object has a keyword of JSON Schema."""
    return not properties or any(
        isinstance(member, dict) and not member.keys().isdisjoint(_OF_MEMBERS) for member in properties.values()
    )


_OF_MEMBERS = ("type", "description", "$ref", *_SURE)


def is_property_map(value: JsonValue) -> bool:
    """Whether JSON maps names to schemas without the object around them: `{"x": {"type": "string"}}`."""
    return (
        isinstance(value, dict)
        and bool(value)
        and "properties" not in value
        and all(isinstance(member, dict) and ("type" in member or "enum" in member) for member in value.values())
    )


def schema_part(
    source: SourceText, fences: Sequence[Fence], table: Table | None, part: Part
) -> tuple[SchemaPart | None, tuple[Fault, ...]]:
    """Return the schema of a section: its first fence with a schema, otherwise that of its table.

    Faults: an unreadable fence, an example in place of the schema, an unknown type in a table that represents the
    schema. Next to a table, an example may leave things out.
    """
    read = [_read_abridged(source, fence, part) for fence in fences if is_data(fence)]
    documents = [document for document, is_abridged in read if table is None or not is_abridged]
    at = next((index for index, document in enumerate(documents) if is_schema(document.value)), None)
    until = len(documents) if at is None else at + 1
    # Blocks after the schema are not read, so only those before it or in its place have faults.
    faults = [fault for document in documents[:until] for fault in document.faults]
    if at is not None:
        return SchemaPart(part, documents[at].value, SchemaOrigin.SCHEMA, documents[at]), tuple(faults)
    if documents and not faults:
        faults.append(_example_for_schema(documents[0], part))
    if table is None:
        return None, tuple(faults)
    from mcp_contracts.parsing.parameters.derive import derive_schema  # most tools have a schema

    return derive_schema(table, part, SchemaOrigin.TABLE), tuple(faults)


def _read_abridged(source: SourceText, fence: Fence, part: Part) -> tuple[Document, bool]:
    """Return the content of a fence, and whether it is an example that leaves things out.

    An abridged schema, or an example with other faults, is not read as one.
    """
    document = read_fence(source, fence, part)
    text = fence.content.removesuffix("\n")
    if not document.faults or is_yaml(fence) or not fence.is_closed or (shorter := without_omissions(text)) == text:
        return document, False
    abridged = read_json(source, shorter, fence.first_row, part=part)
    is_example = not abridged.faults and not is_schema(abridged.value)
    return (abridged if is_example or abridged.faults else document), is_example


def _example_for_schema(document: Document, part: Part) -> Fault:
    if is_property_map(document.value):
        message = f"the {part} schema is a bare map of properties"
        hint = 'put it under `"properties"` of `{"type": "object", …}`, and required names into `"required": […]`'
    else:
        message = f"an example is given instead of the {part} schema"
        hint = "write the JSON Schema of the value here, and move the example to section 7"
    return Fault(FaultKind.EXAMPLE_FOR_SCHEMA, message, document.place(), hint, part)


_CALL_WORDS = re.compile(r"\b(call|request|invocation|invoke|arguments|input)", re.IGNORECASE)
_RESULT_WORDS = re.compile(r"\b(result|response|returns?|output|answer)", re.IGNORECASE)
_Kind = Literal["call", "result", "arguments", "data"]


def read_example(
    source: SourceText, fence: Fence, lead: str, *, has_messages: bool = True
) -> tuple[Example, tuple[Fault, ...]]:
    """Return one example. `lead` is the text before it, which decides if the JSON itself does not.

    Without `has_messages`, as in older dialects, a result is the data itself unless it has the form of the protocol.
    """
    document = read_fence(source, fence, "example")
    kind = _kind(document.value, fence.content, lead)
    if kind == "result" and not has_messages and isinstance(document.value, dict):
        kind = "result" if is_protocol_result(document.value) else "data"
    return Example(kind, document.value, document), document.faults


def is_protocol_result(value: Mapping[str, JsonValue]) -> bool:
    """Whether a result has the form of the protocol: its own members next to `status`."""
    error = value.get("error")
    return isinstance(value.get("status"), str) and (
        "explanation" in value or "data" in value or (isinstance(error, dict) and "error_type" in error)
    )


def _kind(value: JsonValue, text: str, lead: str) -> _Kind:
    speaks_of_result = bool(_RESULT_WORDS.search(lead))
    if isinstance(value, dict):
        if "tool_name" in value or ("arguments" in value and "status" not in value):
            return "call"
        if isinstance(value.get("status"), str) or ("error" in value and "data" in value) or set(value) == {"data"}:
            return "result"
    if value is None:
        if '"tool_name"' in text or '"arguments"' in text:
            return "call"
        return "result" if '"status"' in text or speaks_of_result else "call"
    return "data" if speaks_of_result and not _CALL_WORDS.search(lead) else "arguments"
