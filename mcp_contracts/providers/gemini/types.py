"""Gemini's `Schema` for the values of one type: constraints, enumerated values, annotations, alternatives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.providers.changes import ChangeKind
from mcp_contracts.providers.keywords import ANNOTATIONS, SILENT, annotation_note, is_kept_string, type_of
from mcp_contracts.providers.merging import Schema
from mcp_contracts.providers.roots import add_note, quote
from mcp_contracts.providers.sentences import STRUCTURAL, WORDED, applies_to_type, words_for, words_for_values
from mcp_contracts.providers.skeleton import Skeleton
from mcp_contracts.schema.simple import as_list, one_or_more, value_key
from mcp_contracts.schema.validation.many_values import verdicts
from mcp_contracts.schema.validation.validators import compile_schema
from mcp_contracts.schema.walk import subschemas

_FORMATS: Mapping[str, tuple[str, ...]] = {
    "string": ("date-time",),
    "number": ("float", "double"),
    "integer": ("int32", "int64"),
}
_KEPT: Mapping[str, tuple[str, ...]] = {
    "string": ("pattern", "minLength", "maxLength"),
    "number": ("minimum", "maximum"),
    "integer": ("minimum", "maximum"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
KNOWN = frozenset((
    *SILENT, *ANNOTATIONS, "type", "enum", "const", "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf",
    *STRUCTURAL, *WORDED, *(name for kept in _KEPT.values() for name in kept),
))  # fmt: skip
"""All keywords that the subset has, that become other keywords or text, or that do not constrain values."""

_LARGEST = 2**63 - 1
_NOTE = ChangeKind.NOTE


def constraints(schema: Schema, name: str, pointer: str, skeleton: Skeleton) -> tuple[Schema, list[str]]:
    """Return the constraints on values of one type, except those on their parts, and sentences for the others."""
    form: Schema = {}
    notes: list[str] = []
    for key, value in schema.items():
        here = f"{pointer}/{key}"
        if key == "format":
            if isinstance(value, str) and value in _FORMATS.get(name, ()):
                form["format"] = value
        elif not applies_to_type(key, name):
            continue
        elif key in _KEPT.get(name, ()) and _is_kept(key, value):
            form[key] = value
        elif key in ("additionalProperties", "unevaluatedProperties") and value is False:
            message = f"`{key}` is left out: a model sends only declared names, and the contract rejects the rest"
            skeleton.change(here, key, message, ChangeKind.WIDENED)
        elif (exact := _as_inclusive(key, value, name)) is not None:
            other, number = exact
            bound = form.get(other, schema.get(other))
            if isinstance(bound, int | float) and not isinstance(bound, bool):
                number = max(number, bound) if other == "minimum" else min(number, bound)
            form[other] = number
            skeleton.change(here, key, f"`{key}` becomes `{other}`")
        elif note := words_for(key, schema):
            notes.append(note)
            skeleton.change(here, key, f"`{key}` moves into the description", ChangeKind.WIDENED)
        else:
            skeleton.change(here, key, f"`{key}` has no effect and is left out")
    return form, notes


def list_values(schema: Schema, types: list[str], pointer: str, skeleton: Skeleton) -> list[Schema]:
    """Return the forms of an `enum` or `const`, one for each type, without values that the schema rejects."""
    keyword = "enum" if "enum" in schema else "const"
    here = f"{pointer}/{keyword}"
    rest: Schema = {key: value for key, value in schema.items() if key not in (*SILENT, *ANNOTATIONS)}
    stated = schema["enum"] if "enum" in schema else [schema["const"]]
    values, is_sure = _accepted_values(rest, types, as_list(stated))
    if not is_sure:
        message = "the rest of the schema may reject a listed value"
        skeleton.change(here, keyword, message, ChangeKind.WIDENED)
    kinds = list(dict.fromkeys(type_of(value) for value in values if value is not None))
    if "number" in kinds and "integer" in kinds:
        kinds.remove("integer")
    if keyword == "const":
        skeleton.change(here, keyword, "`const` becomes an `enum` of one value")
    if [value_key(value) for value in as_list(stated)] != [value_key(value) for value in values]:
        skeleton.change(here, keyword, "duplicates and values that the rest of the schema rejects are left out")
    for key in (key for key in rest if key not in ("type", keyword)):
        skeleton.change(f"{pointer}/{escape(key)}", key, f"`{key}` is redundant next to the listed values")
    if not kinds:
        return [{"type": "NULL"}] if values else []
    if types != [*kinds, *(["null"] if None in values else [])] or isinstance(schema.get("type"), list) != (
        None in values
    ):
        skeleton.change(here, keyword, "the types of the listed values are added")
    if None in values and values[-1] is not None:
        skeleton.change(here, keyword, "null becomes `nullable`")
    if len(kinds) > 1:
        skeleton.change(here, keyword, "the values of each type become an alternative")
    return [_of_kind(kind, values, here, keyword, skeleton) for kind in kinds]


def _accepted_values(rest: Schema, types: list[str], stated: list[JsonValue]) -> tuple[list[JsonValue], bool]:
    """Return the values that a schema accepts, and whether they could all be judged without its definitions."""
    judged = {
        key: value for key, value in rest.items() if not any("$ref" in node.value for node in subschemas({key: value}))
    }
    compiled = compile_schema({**judged, **({"type": [*types]} if types else {})})
    is_sure = len(judged) == len(rest)
    found: dict[object, JsonValue] = {}
    for value, verdict in zip(stated, verdicts(compiled, stated), strict=True):
        is_sure = is_sure and verdict is not None
        if verdict is not False:
            found.setdefault(value_key(value), value)
    return list(found.values()), is_sure


def _of_kind(kind: str, values: list[JsonValue], here: str, keyword: str, skeleton: Skeleton) -> Schema:
    ours = [value for value in values if type_of(value) == kind or (kind == "number" and type_of(value) == "integer")]
    form: Schema = {"type": kind.upper()}
    if kind == "array":
        form["items"] = {"anyOf": scalars()}
    if kind == "string" and "" not in ours:  # the API rejects an empty string in an `enum`
        form["enum"] = ours
    elif kind == "boolean" and len(ours) == 2:
        skeleton.change(here, keyword, "both booleans are listed, so the type is enough")
    else:
        form["description"] = words_for_values(ours)
        skeleton.change(here, keyword, f"`{keyword}` moves into the description", ChangeKind.WIDENED)
    if kind == "array":
        skeleton.change(here, keyword, "nested arrays cannot be sent", ChangeKind.NARROWED)
    if None in values:
        form["nullable"] = True
    return form


def annotate(schema: Schema, pointer: str, skeleton: Skeleton, notes: Iterable[str] = ()) -> Schema:
    """Return title, description and default, with sentences for the other annotations and moved constraints."""
    result: Schema = {}
    description = schema.get("description")
    for note in notes:
        description = add_note(description, note)
    for key, value in schema.items():
        here = f"{pointer}/{escape(key)}"
        said: str | None = None
        if key == "default":
            if value is None:
                skeleton.change(here, key, "a default of null means the same as leaving it out", _NOTE)
            else:
                result["default"] = value
        elif key == "format":
            if not _keeps_format(schema, value):
                said = f"Format: {value}."
                skeleton.change(here, key, "`format` moves into the description", _NOTE)
        elif key in ("$defs", "definitions"):
            skeleton.change(here, key, "definitions are inlined where they are used")
        elif key in SILENT:
            skeleton.change(here, key, f"`{key}` is left out", _NOTE)
        elif key not in KNOWN:
            skeleton.change(here, key, f"`{key}` is not a keyword of the subset", _NOTE)
        elif key in ANNOTATIONS and key not in ("title", "description"):
            said = annotation_note(key, value)
            skeleton.change(here, key, f"`{key}` {'moves into the description' if said else 'is left out'}", _NOTE)
        if said:
            description = add_note(description, said)
    if isinstance(schema.get("title"), str):
        result["title"] = schema["title"]
    if isinstance(description, str) and description:
        result["description"] = description
    return result


def join_forms(forms: list[Schema], around: Schema, pointer: str, skeleton: Skeleton) -> Schema:
    """Join alternatives into one form. Keywords next to `anyOf` are not allowed, so common ones go to the first."""
    first = dict(forms[0])
    if len(forms) == 1:
        both = dict(around)
        if "description" in first and "description" in around:
            both["description"] = add_note(around["description"], str(first["description"]))
        return {**first, **both}
    for key, value in around.items():
        if key == "description":
            said = first.get("description")
            first["description"] = add_note(value, said) if isinstance(said, str) else value
            message = "the description of all alternatives moves to the first"
        elif key == "default":
            first["description"] = add_note(first.get("description"), f"Default: {quote(value)}.")
            message = "the default of all alternatives moves into the description of the first"
        else:
            message = f"`{key}` cannot be combined with alternatives and is left out"
        skeleton.change(f"{pointer}/{key}", key, message, _NOTE)
    return {"anyOf": [first, *forms[1:]]}


def alternatives(form: Schema) -> list[Schema]:
    """Return the alternatives of a form, or the form itself."""
    inner = form.get("anyOf")
    return [one for one in inner if isinstance(one, dict)] if isinstance(inner, list) else [form]


def scalars() -> list[JsonValue]:
    """Return scalar types and free-form objects, which represent any value in an array."""
    return [{"type": name} for name in ("STRING", "NUMBER", "BOOLEAN", "OBJECT")]


def _keeps_format(schema: Schema, value: JsonValue) -> bool:
    types = one_or_more(schema.get("type"))
    return "enum" not in schema and "const" not in schema and any(value in _FORMATS.get(str(one), ()) for one in types)


def _is_kept(key: str, value: JsonValue) -> bool:
    """Whether a constraint can be kept: a 64-bit size, a number within a double, a pattern without lookaround."""
    if key == "pattern":
        return is_kept_string(key, value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if key in ("minimum", "maximum"):
        return -(2**1000) < value < 2**1000
    return 0 <= value <= _LARGEST


def _as_inclusive(key: str, value: JsonValue, kind: str) -> tuple[str, int | float] | None:
    """Convert an exclusive bound of integers to the equivalent inclusive one."""
    if kind != "integer" or isinstance(value, bool) or not isinstance(value, int) or abs(value) > _LARGEST:
        return None
    found: Mapping[str, tuple[str, int | float]] = {
        "exclusiveMinimum": ("minimum", value + 1),
        "exclusiveMaximum": ("maximum", value - 1),
    }
    return found.get(key)
