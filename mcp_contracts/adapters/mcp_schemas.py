"""The requirements of MCP's revisions for a tool's schemas, and schemas converted to meet them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from mcp_contracts.adapters.wire import json_fault
from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.types import find_misfit
from mcp_contracts.messages import json_value
from mcp_contracts.records import dataclass
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.identity import Same
from mcp_contracts.schema.references import follow, reference_targets, references
from mcp_contracts.schema.validation.compiled import RefusalKind
from mcp_contracts.schema.validation.validators import compile_schema, schema_errors
from mcp_contracts.schema.vocabulary import names
from mcp_contracts.schema.walk import subschemas

Era = Literal["2025-11-25", "2026-07-28"]
"""The revisions of MCP that differ in what they accept; 2025-11-25 clients also accept older forms."""

ERAS: tuple[Era, ...] = ("2025-11-25", "2026-07-28")
Schema = dict[str, JsonValue]

_OBJECT_KEYWORDS = frozenset(names(of="object")) - {"dependencies"}
_UNUSABLE = (RefusalKind.INVALID, RefusalKind.UNRESOLVED, RefusalKind.REMOTE)
_MAXIMUM_REFERENCES = 10_000
_DEEPEST = 50
_RESULT = "/properties/result"


class OutputForm(StrEnum):
    """How an output schema is sent: not at all, unchanged, with `"type": "object"` added, or under `result`."""

    ABSENT = "absent"
    AS_IS = "as-is"
    TYPED = "typed"
    WRAPPED = "wrapped"


@dataclass(frozen=True, slots=True)
class SentSchema:
    """A copy of a schema as it is sent, or None; and the change: where, by which keyword, and why."""

    schema: Schema | None
    message: str | None = None
    pointer: str = ""
    keyword: str = "type"
    form: OutputForm = OutputForm.AS_IS


def sent_input(schema: JsonValue) -> SentSchema:
    """Return an input schema with `"type": "object"` at the root, as every revision requires; None if impossible.

    Arguments are always an object, so a missing type is added, which changes nothing for callers.
    """
    if schema is None or schema is True:
        return SentSchema({"type": "object"}, "MCP requires an input schema, so one that accepts any object is sent")
    if not isinstance(schema, dict):
        return SentSchema(
            None, "the schema accepts nothing, and MCP does not allow a boolean schema", keyword="input_schema"
        )
    try:
        copied = _copy(schema)
    except ValueError as error:
        return SentSchema(None, json_fault(error, "the schema"), keyword="input_schema")
    for fault in schema_errors(copied):
        return SentSchema(
            None, f"the schema is invalid: {fault.message}", fault.pointer, fault.keyword or "input_schema"
        )
    if dialect_of(copied) is None and not _has_readable_root(copied):
        return SentSchema(None, "clients cannot read the root of the schema", keyword="input_schema")
    stated = copied.get("type")
    if stated == "object":
        return SentSchema(copied)
    typed: Schema = {"type": "object", **{key: value for key, value in copied.items() if key != "type"}}
    if stated is None:
        return SentSchema(typed, 'MCP requires `"type": "object"` at the root, so it is added')
    if isinstance(stated, list) and "object" in stated:
        return SentSchema(
            typed, 'MCP requires `"type": "object"` at the root, and arguments are always objects', "/type"
        )
    return SentSchema(None, 'the root is not an object, and MCP requires `"type": "object"`', "/type")


def _has_readable_root(schema: Schema) -> bool:
    """Whether clients can read the root of a schema in an unknown dialect; they do not read further."""
    properties, required = schema.get("properties", {}), schema.get("required", [])
    are_properties = isinstance(properties, dict) and all(isinstance(one, dict | bool) for one in properties.values())
    is_required = isinstance(required, list) and all(isinstance(name, str) for name in required)
    return are_properties and is_required and isinstance(schema["$schema"], str)


def sent_output(schema: JsonValue, era: Era) -> SentSchema:
    """Return an output schema in the form of a revision; one that cannot be sent is omitted, since it is optional.

    Through 2025-11-25 its root must be an object. If the data is always an object, or all constraints are about
    objects, the type is added; any other schema is put under `result`, and so is the tool's data. A 2025 client would
    otherwise drop the whole list because of one tool.
    """
    form, reason = _form(schema, era)
    if form is OutputForm.ABSENT:
        return SentSchema(None, reason, keyword="output_schema", form=form)
    try:
        copied = _copy(schema)
    except ValueError as error:
        reason = f"{json_fault(error, 'the schema')}, so none is sent"
        return SentSchema(None, reason, keyword="output_schema", form=OutputForm.ABSENT)
    if form is OutputForm.AS_IS:
        return SentSchema(copied)
    if form is OutputForm.TYPED:
        message = f'MCP {era} requires `"type": "object"` at the root, so it is added'
        return SentSchema({**copied, "type": "object"}, message, form=form)
    wrapped = _wrap(copied)
    if wrapped is None:
        reason = f"MCP {era} allows only objects, and the schema's references prevent wrapping it in one"
        return SentSchema(None, reason, keyword="output_schema", form=OutputForm.ABSENT)
    message = f"MCP {era} allows only objects, so the schema and the data are wrapped under `result`"
    return SentSchema(wrapped, message, keyword="output_schema", form=form)


def _copy(schema: JsonValue) -> Schema:
    """Return a copy of a schema. Raises ValueError for a part without a type of JSON, even if a message allows it."""
    copied: Schema = json_value(schema)
    misfit = find_misfit(schema)
    if misfit is not None:
        raise ValueError(f"`{misfit.pointer}` is {misfit.what}, {misfit.why}")
    return copied


def output_form(schema: JsonValue, era: Era) -> OutputForm:
    """Return how `sent_output` sends an output schema, cached by identity: contracts never change."""
    return _output_form(Same(schema), era)


@lru_cache(maxsize=256)
def _output_form(same: Same[JsonValue], era: Era) -> OutputForm:
    schema = same.thing
    form, _ = _form(schema, era)
    return sent_output(schema, era).form if form is OutputForm.WRAPPED else form


def _form(schema: JsonValue, era: Era) -> tuple[OutputForm, str | None]:
    """Return how an output schema can be sent, and the reason if it cannot."""
    if schema is None:
        return OutputForm.ABSENT, None
    if not isinstance(schema, dict):
        return OutputForm.ABSENT, "MCP does not allow a boolean schema, so none is sent"
    refusal = compile_schema(schema).refusal
    if refusal is not None and refusal.kind in (*_UNUSABLE, RefusalKind.TOO_LARGE):
        return OutputForm.ABSENT, f"clients cannot use the schema, so none is sent: {refusal.message}"
    if not schema:  # it says nothing, but clients would require structured content
        return OutputForm.ABSENT, "the schema is empty, so none is sent"
    if era == "2026-07-28" or schema.get("type") == "object":
        return OutputForm.AS_IS, None
    if schema.get("type") == ["object"]:
        return OutputForm.TYPED, None
    is_about_objects = "type" not in schema and not _OBJECT_KEYWORDS.isdisjoint(schema)
    return OutputForm.TYPED if is_about_objects or _is_object(schema) else OutputForm.WRAPPED, None


def _is_object(schema: Schema) -> bool:
    """Whether a schema provably accepts only objects, and states no other type that must be removed."""
    if "type" in schema:
        return False
    targets = reference_targets(schema, subschemas(schema))
    return _means_object(schema, targets, is_draft_7=dialect_of(schema) is Dialect.DRAFT_7, depth=0)


def _means_object(node: JsonValue, targets: Mapping[int, JsonValue], *, is_draft_7: bool, depth: int) -> bool:
    if not isinstance(node, dict) or depth > _DEEPEST:
        return False

    def means(inner: JsonValue) -> bool:
        return _means_object(inner, targets, is_draft_7=is_draft_7, depth=depth + 1)

    if "$ref" in node and means(targets.get(id(node))):
        return True
    if "$ref" in node and is_draft_7:  # its sibling keywords have no effect
        return False
    if node.get("type") in ("object", ["object"]) or isinstance(node.get("const"), dict):
        return True
    branches = {key: value for key in ("enum", "allOf", "anyOf", "oneOf") if isinstance(value := node.get(key), list)}
    if all(isinstance(value, dict) for value in branches.get("enum", [None])):
        return True
    if any(map(means, branches.get("allOf", ()))):
        return True
    return any(all(map(means, branches.get(key, [None]))) for key in ("anyOf", "oneOf"))


def _wrap(schema: Schema) -> Schema | None:
    """Return a schema of an object with this schema under `result`, or None if its references prevent that."""
    found = references(schema)
    if "$id" not in schema:
        has_resources = any("$id" in node.value for node in subschemas(schema))
        if found and (has_resources or len(found) >= _MAXIMUM_REFERENCES):
            return None
        for reference in found:
            if reference.text in ("", "#") or reference.text.startswith("#/"):
                holder, _, keyword = reference.pointer.rpartition("/")
                node = follow(schema, holder)
                if isinstance(node, dict):
                    node[keyword] = f"#{_RESULT}{reference.text[1:]}"
    head: Schema = {"$schema": schema.pop("$schema")} if "$schema" in schema else {}
    wrapped: Schema = {**head, "type": "object", "properties": {"result": schema}, "required": ["result"]}
    refusal = compile_schema(wrapped).refusal
    return None if refusal is not None and refusal.kind in _UNUSABLE else wrapped
