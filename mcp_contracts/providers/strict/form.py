"""The strict subset of JSON Schema that OpenAI enforces, and the form of a schema in it.

The keywords are those of https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas, as
https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai recorded them in February 2026. Neither list has `oneOf`,
`minLength`, `maxLength`, `default` and others. Requests with them have been rejected (jina-ai/node-DeepResearch#79,
567-labs/instructor#961), so they are not sent.
"""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import json_value
from mcp_contracts.providers.changes import ChangeKind, SubsetChange, SubsetForm
from mcp_contracts.providers.merging import Schema
from mcp_contracts.providers.roots import plain_root
from mcp_contracts.providers.strict.builder import ABSENT, StrictBuilder
from mcp_contracts.providers.strict.limits import exceeded_limits
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.simple import strings
from mcp_contracts.schema.walk import subschemas

__all__ = ["ChangeKind", "StrictForm", "SubsetChange", "strict_form"]


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
