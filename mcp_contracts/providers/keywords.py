"""The keywords that a provider's subset keeps, moves or drops, and the sentences for moved ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.providers.merging import Schema, merge
from mcp_contracts.providers.roots import quote
from mcp_contracts.schema import vocabulary
from mcp_contracts.schema.simple import as_list, atom_of, one_or_more, properties_of, strings, value_key
from mcp_contracts.schema.vocabulary import DEPENDENT, NAMING, Effect, names

SILENT = NAMING
"""Keywords that do not constrain values once references are resolved."""

ANNOTATIONS = vocabulary.ANNOTATIONS - {"format"}
"""Keywords that no value can violate."""

KEPT: Mapping[str, frozenset[str]] = {
    "string": frozenset(("pattern", "format")),
    "number": frozenset(("multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")),
    "integer": frozenset(("multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")),
    "array": frozenset(("minItems", "maxItems")),
}
"""The keywords that a type keeps, in addition to those that contain schemas."""

MOVED: Mapping[str, str] = {
    "pattern": "string",
    "format": "string",
    "minLength": "string",
    "maxLength": "string",
    "uniqueItems": "array",
    "contains": "array",
    "unevaluatedItems": "array",
    "minProperties": "object",
    "maxProperties": "object",
    "propertyNames": "object",
    "dependentRequired": "object",
    "dependentSchemas": "object",
    "dependencies": "object",
    "not": "any",
    "if": "any",
}
"""Constraints that the subset lacks (`pattern` and `format` only partly), with the type that they apply to."""

_STRUCTURE = frozenset((
    "type", "enum", "const", "properties", "required", "additionalProperties", "patternProperties",
    "unevaluatedProperties", "items", "prefixItems", "additionalItems", "anyOf", "oneOf", "allOf", "$ref",
    "$dynamicRef", "then", "else", "minContains", "maxContains",
))  # fmt: skip
KNOWN = _STRUCTURE | SILENT | ANNOTATIONS | frozenset(MOVED) | frozenset().union(*KEPT.values())
"""All known keywords."""

_FORMATS = frozenset(("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"))
_LOOK_AROUND = re.compile(r"\(\?<?[=!]|\\[1-9]|\\k<")

_OF_TYPE: Mapping[str, frozenset[str]] = {
    "object": frozenset(names(of="object")),
    "array": frozenset(names(of="array")) - DEPENDENT,
    "string": frozenset((*names(Effect.ASSERTS, of="string"), "format")),
    "number": frozenset(names(of="number")),
}


def is_kept_string(key: str, value: JsonValue) -> bool:
    """Whether the subset accepts a `format` or `pattern`: no lookaround, no back-references."""
    if key == "format":
        return isinstance(value, str) and value in _FORMATS
    return key == "pattern" and isinstance(value, str) and not _LOOK_AROUND.search(value)


def type_of(value: JsonValue) -> str:
    """Return the JSON Schema type of a value; a number without a fraction is an integer."""
    atom = atom_of(value)
    return "number" if atom == "fraction" else atom


def infer_types(schema: Schema) -> tuple[list[str], bool]:
    """Return the types that a schema without `type` implies (empty if unknown), and whether it accepts only these."""
    stated = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(stated, list):
        return list(dict.fromkeys(type_of(value) for value in stated)), True
    found = [name for name, keywords in _OF_TYPE.items() if not keywords.isdisjoint(schema)]
    return (found if len(found) == 1 else []), False


def words_of_type(types: Sequence[str]) -> str:
    """Write types for a message."""
    return " or ".join(f"`{name}`" for name in types)


def constraint_note(key: str, schema: Schema) -> str | None:
    """Return the description's sentence for a moved constraint, or None if it constrains nothing."""
    value = schema[key]
    if key == "if":
        branches = [(word, schema[word]) for word in ("then", "else") if schema.get(word, True) is not True]
        said = ", ".join(f"{word} it must match {quote(branch)}" for word, branch in branches)
        return f"If it matches {quote(value)}, {said}." if said else None
    if key == "contains":
        least, most = schema.get("minContains", 1), schema.get("maxContains")
        until = "" if most is None else f" and at most {quote(most)}"
        return f"Must contain at least {quote(least)}{until} of {quote(value)}." if least != 0 or until else None
    if key == "uniqueItems":
        return _SENTENCES[key](value) if value is True else None
    if key == "not":
        return _SENTENCES[key](value) if value is not False else None
    if key == "unevaluatedItems" and (isinstance(schema.get("items"), dict | bool) or is_closed_tuple(schema)):
        return None
    is_idle = value is True or value == {} or (key in ("minLength", "minProperties") and value == 0)
    return None if is_idle else _SENTENCES[key](value) or None


def is_closed_tuple(schema: Schema) -> bool:
    """Whether `unevaluatedItems` forbids items beyond the tuple, which its form expresses with `maxItems`."""
    return schema.get("unevaluatedItems") is False and "prefixItems" in schema and schema.keys().isdisjoint(_EVALUATE)


_EVALUATE = ("items", "contains", "if")


def _dependent_names(value: JsonValue) -> str:
    pairs = value.items() if isinstance(value, dict) else ()
    return " ".join(f"With `{name}` it must have {', '.join(f'`{other}`' for other in strings(needed))}."
                    if isinstance(needed, list) else f"With `{name}` it must match {quote(needed)}."
                    for name, needed in pairs if needed != [])  # fmt: skip


_SENTENCES: Mapping[str, Callable[[JsonValue], str]] = {
    "pattern": lambda value: f"Must match the pattern `{value}`.",
    "format": lambda value: f"Format: {value}.",
    "minLength": lambda value: f"At least {value} characters." if value != 1 else "At least 1 character.",
    "maxLength": lambda value: f"At most {value} characters." if value != 1 else "At most 1 character.",
    "uniqueItems": lambda value: "Items must be unique.",
    "unevaluatedItems": lambda value: f"Additional items must match {quote(value)}.",
    "minProperties": lambda value: f"At least {value} of its properties must be given.",
    "maxProperties": lambda value: f"At most {value} of its properties may be given.",
    "propertyNames": lambda value: f"Its names must match {quote(value)}.",
    "dependentRequired": _dependent_names,
    "dependentSchemas": _dependent_names,
    "dependencies": _dependent_names,
    "not": lambda value: f"Must not match {quote(value)}.",
}
WORDED = frozenset((*_SENTENCES, "if", "contains"))
"""The constraints that `constraint_note` supports."""


def annotation_note(key: str, value: JsonValue) -> str | None:
    """Return the description's sentence for an annotation, or None."""
    match key:
        case "default":
            return f"Default: {quote(value)}."
        case "examples" if isinstance(value, list) and value:
            return f"{'Example' if len(value) == 1 else 'Examples'}: {', '.join(quote(item) for item in value)}."
        case "deprecated" if value is True:
            return "Deprecated."
        case "readOnly" if value is True:
            return "Read-only."
        case "contentEncoding" | "contentMediaType":
            return f"Content: {value}."
        case _:
            return None


def make_nullable(form: Schema) -> Schema:
    """Add null to a schema of the strict subset."""
    null: Schema = {"type": "null"}
    if "anyOf" in form:
        return {**form, "anyOf": [*as_list(form["anyOf"]), null]}
    kind = form.get("type")
    if kind in ("object", "array") or "$ref" in form:
        words: Schema = {key: form[key] for key in ("title", "description") if key in form}
        return {**words, "anyOf": [{key: value for key, value in form.items() if key not in words}, null]}
    result = {**form, "type": [*one_or_more(kind), "null"]}
    if "const" in result:
        result["enum"] = [result.pop("const")]
    if "enum" in result:
        result["enum"] = [*as_list(result["enum"]), None]
    return result


def is_nullable(form: Schema, definitions: Mapping[str, JsonValue]) -> bool:
    """Whether a schema of the strict subset accepts null; a missing definition does not."""
    pending: list[JsonValue] = [form]
    seen: set[int] = set()
    while pending:
        part = pending.pop()
        if not isinstance(part, dict) or id(part) in seen:
            continue
        seen.add(id(part))
        kind, branches = part.get("type"), part.get("anyOf")
        if "$ref" in part:
            pending.append(definitions.get(str(part["$ref"]).rpartition("/")[2]))
        elif isinstance(branches, list):
            pending.extend(branches)
        elif "null" in one_or_more(kind):
            return True
    return False


def stand_in(schema: JsonValue, follow: Callable[[Schema], Schema]) -> Schema:
    """Return a placeholder for a definition while its form is built; it accepts null if the form will."""
    pending: list[tuple[JsonValue, bool]] = [(schema, False)]
    for _ in range(_MAXIMUM_COMPARED):
        if not pending:
            break
        branch, takes_null = pending.pop(0)  # a loop of references may precede the answer
        head = follow(branch) if isinstance(branch, dict) else {}
        stated = [_types(head), _values(head)]
        verdicts = [null in found for found, null in zip(stated, ("null", value_key(None)), strict=True) if found]
        takes_null = all(verdicts) if verdicts else takes_null
        options = head.get("anyOf", head.get("oneOf"))
        if isinstance(options, list) and (takes_null or not verdicts):
            pending.extend((option, takes_null) for option in options)
        elif takes_null:
            return {"type": "null"}
    return {}


def constants_by_type(values: Sequence[JsonValue], kinds: Sequence[str]) -> list[Schema]:
    """Split values into one `enum` for each type."""
    apart: dict[str, list[JsonValue]] = {kind: [] for kind in kinds}
    for value in values:
        own = type_of(value)
        apart["number" if own == "integer" and own not in apart else own].append(value)
    return [{"type": kind, "enum": found} for kind, found in apart.items()]


def definition_name(pointer: str, taken: Collection[str]) -> str:
    """Return an unused name for the definition at a pointer."""
    name = pointer.rpartition("/")[2] if pointer.startswith(("/$defs/", "/definitions/")) else pointer[1:]
    name = "".join(letter if letter.isalnum() or letter in "_-." else "_" for letter in name)
    while name in taken:
        name += "_"
    return name


def branches_exclude_each_other(branches: Sequence[Schema], follow: Callable[[Schema], Schema]) -> bool:
    """Whether no value can match two of the schemas: they differ in type, or in the constant of a required property."""
    if len(branches) > _MAXIMUM_COMPARED:
        return False
    each = [follow(branch) for branch in branches]
    return all(_are_apart(one, two) for index, one in enumerate(each) for two in each[:index])


def some_overlap_openly(branches: Sequence[Schema], follow: Callable[[Schema], Schema]) -> bool:
    """Whether a value of an open object may have a property that only another object declares, and match both.

    Once both are closed, as strict mode requires, they reject such a value.
    """
    objects = [each for each in map(follow, branches) if isinstance(each.get("properties"), dict)]
    if len(objects) > _MAXIMUM_COMPARED:
        return True
    return any(
        _is_open(one) and bool(properties_of(two).keys() - properties_of(one)) and not _are_apart(one, two)
        for one in objects
        for two in objects
    )


def are_of_other_types(one: Schema, two: JsonValue) -> bool:
    """Whether two schemas state types without common values."""
    if not isinstance(two, dict) or "type" not in one or "type" not in two:
        return False
    return merge({"type": one["type"]}, {"type": two["type"]}) is None


_MAXIMUM_COMPARED = 40


def _is_open(schema: Schema) -> bool:
    return schema.get("additionalProperties") is not False and schema.get("unevaluatedProperties") is not False


def _are_apart(one: Schema, two: Schema) -> bool:
    mine, theirs = _types(one), _types(two)
    if mine and theirs and mine.isdisjoint(theirs):
        return True
    if _values_apart(one, two):
        return True
    if mine != {"object"} or theirs != {"object"}:
        return False
    first, second = properties_of(one), properties_of(two)
    both = set(strings(one.get("required"))) & set(strings(two.get("required")))
    return any(_values_apart(first.get(name), second.get(name)) for name in sorted(both))


def _types(schema: Schema) -> set[str]:
    found = set(strings(one_or_more(schema.get("type"))))
    return found | {"integer"} if "number" in found else found


def _values_apart(one: JsonValue, two: JsonValue) -> bool:
    mine, theirs = _values(one), _values(two)
    return mine is not None and theirs is not None and mine.isdisjoint(theirs)


def _values(schema: JsonValue) -> set[object] | None:
    if not isinstance(schema, dict):
        return None
    stated = schema.get("enum", [schema["const"]] if "const" in schema else None)
    return {value_key(value) for value in stated} if isinstance(stated, list) else None
