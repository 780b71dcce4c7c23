"""The strict subset of JSON Schema that OpenAI enforces, and the form of a schema in it.

The keywords are those of https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas, as
https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai recorded them in February 2026. Neither list has `oneOf`,
`minLength`, `maxLength`, `default` and others. Requests with them have been rejected (jina-ai/node-DeepResearch#79,
567-labs/instructor#961), so they are not sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import json_value
from mcp_contracts.providers.changes import ChangeKind, SubsetChange, SubsetForm
from mcp_contracts.providers.limits import table
from mcp_contracts.providers.limits.provider import CountLimit
from mcp_contracts.providers.merging import Schema
from mcp_contracts.providers.roots import plain_root
from mcp_contracts.providers.strict.builder import ABSENT, StrictBuilder
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.simple import as_list, as_object, properties_of, strings
from mcp_contracts.schema.walk import subschemas


def exceeded_limits(form: Schema) -> Iterator[SubsetChange]:
    """Yield a refusal for each published limit that a strict schema exceeds."""
    properties = values = characters = 0
    definitions = form.get("$defs")
    if isinstance(definitions, dict):
        characters += sum(len(name) for name in definitions)
    for node in subschemas(form):
        declared = properties_of(node.value)
        properties += len(declared)
        characters += sum(map(len, declared))
        stated = node.value.get("enum")
        texts = [len(value) for value in as_list(stated) if isinstance(value, str)]
        values += len(as_list(stated))
        constant = node.value.get("const")
        characters += sum(texts) + (len(constant) if isinstance(constant, str) else 0)
        if len(as_list(stated)) > table.STRICT_LARGE_ENUM.most and sum(texts) > table.STRICT_LARGE_ENUM_CHARACTERS.most:
            what = f"an enum of more than {table.STRICT_LARGE_ENUM.most} values has {sum(texts):,} characters"
            yield _too_much(node.pointer, "enum", what, table.STRICT_LARGE_ENUM_CHARACTERS)
    if properties > table.STRICT_PROPERTIES.most:
        yield _too_much("", "properties", f"the schema has {properties:,} properties", table.STRICT_PROPERTIES)
    if values > table.STRICT_ENUM_VALUES.most:
        yield _too_much("", "enum", f"the schema has {values:,} enum values", table.STRICT_ENUM_VALUES)
    if characters > table.STRICT_CHARACTERS.most:
        yield _too_much("", "", f"names and values have {characters:,} characters", table.STRICT_CHARACTERS)
    depth = depth_of(form)
    if depth > table.STRICT_DEPTH.most:
        yield _too_much("", "", f"objects are nested {depth} levels deep", table.STRICT_DEPTH)


def depth_of(form: Schema) -> int:
    """Return the nesting depth of objects in a strict schema; each reference is followed once."""
    known: dict[str, int] = {}
    definitions = as_object(form.get("$defs"))

    def depth_at(reference: str) -> int:
        if reference not in known:
            known[reference] = 0  # a recursive reference ends here
            known[reference] = deepest(definitions.get(reference.rpartition("/")[2]) if reference else form)
        return known[reference]

    def deepest(target: JsonValue) -> int:
        found = 0
        pending = [(target, 0)]
        while pending:
            node, level = pending.pop()
            if not isinstance(node, dict):
                continue
            level += isinstance(node.get("properties"), dict)
            found = max(found, level)
            if isinstance(node.get("$ref"), str):
                found = max(found, level + depth_at(str(node["$ref"]).removeprefix("#")))
            below = [*properties_of(node).values(), *as_list(node.get("anyOf")), node.get("items")]
            pending.extend((child, level) for child in below)
        return found

    return depth_at("")


def _too_much(pointer: str, keyword: str, what: str, limit: CountLimit) -> SubsetChange:
    return SubsetChange(
        pointer, keyword, f"{what}, and strict mode accepts at most {limit.most:,}", ChangeKind.EXCEEDED
    )


@dataclass(frozen=True, slots=True)
class StrictForm(SubsetForm):
    """A schema in the strict subset, if it has such a form.

    `absent` maps the pointer of an object in the form to the properties for which null means "omitted".
    """

    absent: Mapping[str, frozenset[str]] = field(default_factory=dict)


def strict_form(schema: JsonValue) -> StrictForm:
    """Convert an input schema to the strict subset.

    All properties become required, and optional ones a union with null; every object is closed; keywords outside the
    subset are moved to the description. A schema that requires undeclared names (a map, a free-form object, `{}`) or
    exceeds a limit of the provider has no form. The argument is not modified.
    """
    root = plain_root(schema)
    if root.schema is None:
        return StrictForm(None, root.changes)
    # The form means the same in every dialect, so dropping the dialect's name loses nothing.
    said = (replace(change, kind=ChangeKind.FORM) if change.keyword == "$schema" else change for change in root.changes)
    builder = StrictBuilder(root.schema, schema, is_draft_7=dialect_of(schema) is Dialect.DRAFT_7)
    found = builder.whole()
    changes = tuple(dict.fromkeys((*said, *builder.changes)))
    if found is None:
        return StrictForm(None, changes)
    clean, absent = _strip_marks(found)
    try:
        json_value(clean)
    except ValueError:
        message = "the schema is too large or nested too deeply in strict form"
        return StrictForm(None, (*changes, SubsetChange("", "", message, ChangeKind.REFUSED)))
    over = tuple(exceeded_limits(clean))
    return StrictForm(None, (*changes, *over)) if over else StrictForm(clean, changes, absent)


def _strip_marks(form: Schema) -> tuple[Schema, dict[str, frozenset[str]]]:
    """Remove the marks of a form; return it and the marked names by pointer."""
    absent = {}
    for node in subschemas(form):
        names = strings(node.value.pop(ABSENT, None))
        if names:
            absent[node.pointer] = frozenset(names)
    return form, absent
