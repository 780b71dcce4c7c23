"""The report as JSON, and the JSON Schema that describes it."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

from mcp_contracts.diagnostics import Report, ReportDict
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.visible import json_text

_TYPES = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}

DESCRIPTIONS: Mapping[str, str] = {
    "format": "What this document is.",
    "version": "The version of this format: keys may join within a version, none leaves.",
    "summary.files": "How many files were linted.",
    "summary.tools": "How many tools they hold.",
    "summary.errors": "How many errors, without suppressed ones.",
    "summary.warnings": "How many warnings, without suppressed ones.",
    "summary.notes": "How many notes, without suppressed ones.",
    "summary.suppressed": "How many diagnostics a suppression silences.",
    "summary.skipped": "How many files and folders a search left out: ignored, excluded or a virtual environment.",
    "diagnostics": "All diagnostics, suppressed ones too, in order of path and place.",
    "diagnostics.code": "The stable code of the rule, such as `MC302`.",
    "diagnostics.rule": "The name of the rule, such as `required-property-undefined`.",
    "diagnostics.severity": "error: it cannot work; warning: it will hurt; note: it could be better.",
    "diagnostics.path": "The file, relative to the working folder, with `/`.",
    "diagnostics.line": "The first line, from 1.",
    "diagnostics.column": "The first column, from 1, in code points.",
    "diagnostics.end_line": "The last line.",
    "diagnostics.end_column": "The column after the last one, in code points.",
    "diagnostics.tool": "The name of the tool concerned.",
    "diagnostics.part": "What `pointer` is rooted in: the input schema, the output schema or an example.",
    "diagnostics.pointer": "The JSON pointer (RFC 6901) of the value concerned.",
    "diagnostics.message": "The fault, on one line.",
    "diagnostics.hint": "What to do.",
    "diagnostics.related": "Other places that the message speaks of.",
    "diagnostics.related.message": "What stands there.",
    "diagnostics.suppressed": "The reason given for silencing the diagnostic; null where nothing does.",
    "diagnostics.suppressed_in": "Where it is silenced: in the file itself or in the configuration.",
    "diagnostics.group": "Code and shape: the same for diagnostics that differ only in names, values and numbers.",
    "diagnostics.fixable": "Whether `fmt` or `migrate` fixes it.",
    "diagnostics.fingerprint": "Made of code, tool, part, pointer and ordinal: it survives moved lines.",
}
"""What the names and types of the fields do not say, by the path of the field."""


def render(report: Report, context: RenderContext) -> str:
    """Render a report as JSON, suppressed diagnostics included; the context changes nothing."""
    return json_text(report.to_dict())


def report_schema() -> dict[str, Any]:
    """The JSON Schema (draft-07) of the report, made from `ReportDict`.

    Its objects are open: a report may say more than this version knows, and a reader is to pass over it.
    """
    return document_schema(ReportDict, DESCRIPTIONS)


def document_schema(kind: Any, descriptions: Mapping[str, str], path: str = "") -> dict[str, Any]:
    """The JSON Schema (draft-07) of what a TypedDict describes, or a type that its fields have.

    `descriptions` say what names and types do not, by the path of a field from the outermost TypedDict, such as
    `diagnostics.code`; `path` is where `kind` stands. Objects are open, and a field that holds any JSON gets `{}`.
    """
    arguments = get_args(kind)
    if is_typeddict(kind):
        hints = get_type_hints(kind)
        fields = {name: (hint, f"{path}.{name}" if path else name) for name, hint in hints.items()}
        properties = {name: _described(hint, descriptions, place) for name, (hint, place) in fields.items()}
        return {"type": "object", "description": kind.__doc__, "properties": properties, "required": list(hints)}
    if get_origin(kind) is Literal:
        return {"const": arguments[0]} if len(arguments) == 1 else {"enum": list(arguments)}
    if get_origin(kind) is list:
        return {"type": "array", "items": document_schema(arguments[0], descriptions, path)}
    if isinstance(kind, UnionType) or NoneType in arguments:
        if any(get_origin(argument) is dict for argument in arguments):
            return {}  # `JsonValue`, which refers to itself
        return _nullable(document_schema(arguments[0], descriptions, path))
    return {"type": _TYPES[kind]}


def _described(kind: Any, descriptions: Mapping[str, str], path: str) -> dict[str, Any]:
    schema = document_schema(kind, descriptions, path)
    description = descriptions.get(path)
    if description is None:
        return schema
    return {"description": description, **{key: value for key, value in schema.items() if key != "description"}}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    if "enum" in schema:
        return {"enum": [*schema["enum"], None]}
    return {**schema, "type": [schema["type"], "null"]}
