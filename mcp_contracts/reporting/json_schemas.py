"""The JSON Schemas of the reports that `json` writes, made from their types."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

from mcp_contracts.change import DiffReportDict
from mcp_contracts.diagnostics import ReportDict

_TYPES = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}

_LINT_DESCRIPTIONS: Mapping[str, str] = {
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

_DIFF_DESCRIPTIONS = {
    **{path: text for path, text in _LINT_DESCRIPTIONS.items() if not path.startswith("summary.")},
    "policy": "How schemas are read; declared: as callers and consumers use them; sets: as sets; strict: both.",
    "summary.added": "How many tools are new.",
    "summary.removed": "How many tools are gone.",
    "summary.changed": "How many tools changed.",
    "summary.unchanged": "How many tools did not change.",
    "summary.breaking": "How many changes break, accepted and covered ones too.",
    "summary.unknown": "How many changes could not be decided.",
    "summary.accepted": "How many changes were accepted.",
    "summary.uncovered": "How many breaking changes of level error neither a version step nor an acceptance covers.",
    "modules": "The version step of each module.",
    "modules.module": "The name of the module.",
    "modules.old_version": "The version that it had; null where none is stated.",
    "modules.new_version": "The version that it has; null where none is stated.",
    "modules.owed_bump": "The version step that its changes owe.",
    "modules.covered": "Whether the version step taken covers what is owed; null where versions are not stated.",
    "tools": "All tools of either side, in order of name.",
    "tools.tool": "The name of the tool; the old one where it was removed.",
    "tools.state": "What became of the tool.",
    "tools.verdict": "The worst of the verdicts of its changes.",
    "tools.renamed_to": "The name that a removed tool probably has now.",
    "tools.old_version": "The version that it had; null where none is stated.",
    "tools.new_version": "The version that it has; null where none is stated.",
    "tools.owed_bump": "The version step that its changes owe.",
    "tools.covered": "Whether the version step taken covers what is owed; null where versions are not stated.",
    "tools.path": "The file that holds the tool, relative to the working folder, with `/`.",
    "tools.line": "The line of the tool's heading, from 1.",
    "tools.changes": "What changed.",
    "tools.changes.code": "The stable code of the rule, such as `BC207`.",
    "tools.changes.rule": "The name of the rule, such as `input-bounds-changed`.",
    "tools.changes.direction": "What the change concerns: what callers send, what they receive, or the whole tool.",
    "tools.changes.verdict": "breaking: with a witness or by its nature; compatible: proved; unknown: neither.",
    "tools.changes.level": "How much it counts: error fails the run; null where it is compatible.",
    "tools.changes.old_pointer": "The JSON pointer (RFC 6901) in the old schema; null where it has no such place.",
    "tools.changes.new_pointer": "The JSON pointer (RFC 6901) in the new schema; null where it has no such place.",
    "tools.changes.line": "The line, from 1, in the new text, or in the old where the new has no such place.",
    "tools.changes.message": "The change, on one line.",
    "tools.changes.hint": "What to do.",
    "tools.changes.accepted": "The reason for which the change was accepted; null where it was not.",
    "tools.changes.witness": "The proof of a break; null where there is none or the change needs none.",
    "tools.changes.witness.value": "All arguments of a call that worked before, or all data that may come now.",
    "tools.changes.witness.error": "What the schema that refuses the value says, on one line.",
    "tools.changes.reason": "What stopped the proof of a change that could not be decided.",
    "tools.changes.reason.keyword": "The keyword that stopped it.",
    "tools.changes.reason.pointer": "Where the keyword stands.",
    "tools.changes.reason.message": "Why, in words; may be empty.",
    "tools.changes.tags": "`open-content`, `words`, `guess`, or others yet to come.",
    "tools.changes.fingerprint": "Made of code, tool, part, pointer and ordinal: it survives moved lines.",
    "diagnostics": "What the sources, the version rules and the accepted changes have to say.",
}


def report_schema() -> dict[str, Any]:
    """The JSON Schema (draft-07) of the report, made from `ReportDict`.

    Its objects are open: a report may say more than this version knows, and a reader is to pass over it.
    """
    return _schema(ReportDict, _LINT_DESCRIPTIONS)


def diff_report_schema() -> dict[str, Any]:
    """The JSON Schema (draft-07) of the diff report, made from `DiffReportDict`; its objects are open."""
    return _schema(DiffReportDict, _DIFF_DESCRIPTIONS)


def _schema(kind: Any, descriptions: Mapping[str, str], path: str = "") -> dict[str, Any]:
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
        return {"type": "array", "items": _schema(arguments[0], descriptions, path)}
    if isinstance(kind, UnionType) or NoneType in arguments:
        if any(get_origin(argument) is dict for argument in arguments):
            return {}  # `JsonValue`, which refers to itself
        return _nullable(_schema(arguments[0], descriptions, path))
    return {"type": _TYPES[kind]}


def _described(kind: Any, descriptions: Mapping[str, str], path: str) -> dict[str, Any]:
    schema = _schema(kind, descriptions, path)
    description = descriptions.get(path)
    if description is None:
        return schema
    return {"description": description, **{key: value for key, value in schema.items() if key != "description"}}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    if "enum" in schema:
        return {"enum": [*schema["enum"], None]}
    return {**schema, "type": [schema["type"], "null"]}
