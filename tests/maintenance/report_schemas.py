"""The JSON Schemas of the reports that `json` writes, generated from their types."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from mcp_contracts.change import DiffReportDict
from mcp_contracts.diagnostics import ReportDict

_TYPES = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}

_LINT_DESCRIPTIONS: Mapping[str, str] = {
    "format": "The name of this document format.",
    "version": "The version of this format. Within a version, keys may be added but are never removed.",
    "summary.files": "The number of files that were linted.",
    "summary.tools": "The number of tools in these files.",
    "summary.errors": "The number of errors, without suppressed and known ones.",
    "summary.warnings": "The number of warnings, without suppressed and known ones.",
    "summary.notes": "The number of notes, without suppressed and known ones.",
    "summary.suppressed": "The number of diagnostics that a comment or the configuration suppresses.",
    "summary.known": "The number of diagnostics that a baseline or a revision already has.",
    "summary.skipped": "The number of files and folders that a search skipped, and of documents that are not checked.",
    "compared": "What the diagnostics were compared with (`--baseline`, `--only-new`), or null.",
    "compared.baseline": "The baseline file, relative to the working directory.",
    "compared.revision": "The git revision, as given.",
    "compared.stale": "The entries of the baseline whose findings no longer exist.",
    "compared.stale.path": "The file, relative to the folder of the baseline, with `/`.",
    "compared.stale.tool": "The name of the tool; null if the finding is not about a tool.",
    "compared.stale.code": "The code of the rule.",
    "compared.stale.part": "The root of `pointer`: the input schema, the output schema or an example.",
    "compared.stale.pointer": "The JSON pointer (RFC 6901) of the value.",
    "compared.stale.message": "The problem, on one line.",
    "diagnostics": "All diagnostics, including suppressed and known ones, sorted by path and place.",
    "diagnostics.code": "The stable code of the rule, such as `MC302`.",
    "diagnostics.rule": "The name of the rule, such as `required-property-undefined`.",
    "diagnostics.severity": "error: it cannot work; warning: it works but causes problems; note: it could be better.",
    "diagnostics.path": "The file's path, relative to the working directory, with forward slashes.",
    "diagnostics.line": "The first line, from 1.",
    "diagnostics.column": "The first column, from 1, in code points.",
    "diagnostics.end_line": "The last line.",
    "diagnostics.end_column": "The column after the last one, in code points.",
    "diagnostics.tool": "The name of the affected tool.",
    "diagnostics.part": "The root of `pointer`: the input schema, the output schema or an example.",
    "diagnostics.pointer": "The JSON pointer (RFC 6901) of the affected value.",
    "diagnostics.message": "The problem, on one line.",
    "diagnostics.hint": "What to do.",
    "diagnostics.related": "Other places that the message refers to.",
    "diagnostics.related.message": "A description of this place.",
    "diagnostics.suppressed": "Why the diagnostic does not count: the reason, or where it is known; null if it counts.",
    "diagnostics.suppressed_in": "Where it is suppressed (the file itself, the configuration) or known (the baseline, "
    "the revision of `--only-new`).",
    "diagnostics.group": "A group key: the same for diagnostics that differ only in names, values and numbers.",
    "diagnostics.fixable": "Whether `lint --fix` can fix it, possibly only with `--unsafe-fixes`.",
    "diagnostics.fingerprint": "A stable identifier, derived from code, tool, part, pointer and ordinal.",
}
"""Facts that the names and types of the fields do not state, by the path of the field."""

_DIFF_DESCRIPTIONS = {
    **{path: text for path, text in _LINT_DESCRIPTIONS.items() if not path.startswith(("summary.", "compared"))},
    "policy": "How schemas are read; declared: as callers and consumers use them; sets: as sets; strict: both.",
    "summary.added": "The number of added tools.",
    "summary.removed": "The number of removed tools.",
    "summary.changed": "The number of changed tools.",
    "summary.unchanged": "The number of unchanged tools.",
    "summary.breaking": "The number of breaking changes, including accepted and covered ones.",
    "summary.unknown": "The number of changes with the verdict unknown.",
    "summary.accepted": "The number of accepted changes.",
    "summary.uncovered": "The number of breaking changes of level error that are neither covered nor accepted.",
    "modules": "The version bump of each module.",
    "modules.module": "The name of the module.",
    "modules.old_version": "The old version; null if none is stated.",
    "modules.new_version": "The new version; null if none is stated.",
    "modules.owed_bump": "The version bump that its changes require.",
    "modules.covered": "Whether the version bump is as large as required; null if no versions are stated.",
    "tools": "The tools of both sides, sorted by name.",
    "tools.tool": "The name of the tool; the old name if it was removed.",
    "tools.state": "Whether the tool was added, removed, changed or unchanged.",
    "tools.verdict": "The worst verdict of its changes.",
    "tools.renamed_to": "The probable new name of a removed tool.",
    "tools.old_version": "The old version; null if none is stated.",
    "tools.new_version": "The new version; null if none is stated.",
    "tools.owed_bump": "The version bump that its changes require.",
    "tools.covered": "Whether the version bump is as large as required; null if no versions are stated.",
    "tools.path": "The path of the tool's file, relative to the working directory, with forward slashes.",
    "tools.line": "The line of the tool's heading, from 1.",
    "tools.changes": "The changes.",
    "tools.changes.code": "The stable code of the rule, such as `BC207`.",
    "tools.changes.rule": "The name of the rule, such as `input-bounds-changed`.",
    "tools.changes.direction": "What the change affects: the input, the output, or the whole tool.",
    "tools.changes.verdict": "breaking: with a witness or by its nature; compatible: proved; unknown: neither.",
    "tools.changes.level": "The severity: error fails the run; null if the change is compatible.",
    "tools.changes.old_pointer": "The JSON pointer (RFC 6901) in the old schema; null if it has no such place.",
    "tools.changes.new_pointer": "The JSON pointer (RFC 6901) in the new schema; null if it has no such place.",
    "tools.changes.line": "The line, from 1, in the new text; in the old text if the new one lacks the place.",
    "tools.changes.message": "The change, on one line.",
    "tools.changes.hint": "What to do.",
    "tools.changes.accepted": "The reason for accepting the change; null if it is not accepted.",
    "tools.changes.witness": "A value that proves a breaking change; null if the change needs none or is not breaking.",
    "tools.changes.witness.value": "The arguments of a call that used to work, or the data of a newly possible result.",
    "tools.changes.witness.error": "Why the other schema rejects the value, on one line.",
    "tools.changes.reason": "Why an unknown change could not be decided.",
    "tools.changes.reason.keyword": "The keyword that prevented a proof.",
    "tools.changes.reason.pointer": "The JSON pointer of the keyword.",
    "tools.changes.reason.message": "The explanation; may be empty.",
    "tools.changes.tags": "`open-content`, `words` or `guess`; more tags may be added.",
    "tools.changes.fingerprint": "A stable identifier, derived from code, tool, part, pointer and ordinal.",
    "diagnostics": "Diagnostics about the sources, the versions and the accepted changes.",
}


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft-07) of the report, generated from `ReportDict`.

    Its objects are open: a report may say more than this version knows, and a reader is to pass over it.
    """
    return _schema(ReportDict, _LINT_DESCRIPTIONS)


def diff_report_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft-07) of the diff report, generated from `DiffReportDict`; its objects are open."""
    return _schema(DiffReportDict, _DIFF_DESCRIPTIONS)


def _schema(kind: Any, descriptions: Mapping[str, str], path: str = "") -> dict[str, Any]:
    """Return the JSON Schema (draft-07) of a TypedDict or of a type of its fields.

    `descriptions` add what names and types do not state, by the path of a field from the outermost TypedDict, such as
    `diagnostics.code`; `path` is the path of `kind`. Objects are open, and a field of any JSON value gets `{}`.
    """
    arguments = get_args(kind)
    if isinstance(kind, type) and issubclass(kind, dict):  # a `TypedDict`
        hints = get_type_hints(kind)
        fields = {name: (hint, f"{path}.{name}" if path else name) for name, hint in hints.items()}
        properties = {name: _describe(hint, descriptions, place) for name, (hint, place) in fields.items()}
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


def _describe(kind: Any, descriptions: Mapping[str, str], path: str) -> dict[str, Any]:
    schema = _schema(kind, descriptions, path)
    description = descriptions.get(path)
    if description is None:
        return schema
    return {"description": description, **{key: value for key, value in schema.items() if key != "description"}}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    if "enum" in schema:
        return {"enum": [*schema["enum"], None]}
    return {**schema, "type": [schema["type"], "null"]}
