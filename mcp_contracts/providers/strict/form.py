"""The strict subset of JSON Schema that OpenAI enforces, and the form that a schema has in it.

What the subset holds: https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas, as
https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai records it of February 2026. `oneOf`, `minLength`,
`maxLength`, `default` and the rest stand in neither list; requests with them have been refused
(jina-ai/node-DeepResearch#79, 567-labs/instructor#961), so they are not sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import json_value
from mcp_contracts.providers.changes import ChangeKind, SubsetChange
from mcp_contracts.providers.merging import Schema
from mcp_contracts.providers.roots import plain_root
from mcp_contracts.providers.strict.builder import ABSENT, StrictBuilder
from mcp_contracts.providers.strict.limits import exceeded_limits
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.effort import UnfitValueError, size_of
from mcp_contracts.schema.simple import strings
from mcp_contracts.schema.validation.validators import schema_errors
from mcp_contracts.schema.walk import subschemas

__all__ = ["ChangeKind", "StrictForm", "SubsetChange", "strict_form"]

_MAXIMUM_LEVELS = 100


@dataclass(frozen=True, slots=True)
class StrictForm:
    """A schema in the strict subset, or None where it has no such form, and every change on the way.

    `absent` says for an object of the form, by its pointer, which properties are null where the contract leaves them
    out. Pointers of `changes` lead into the schema as it was.
    """

    schema: Schema | None
    changes: tuple[SubsetChange, ...] = ()
    absent: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def losses(self) -> tuple[SubsetChange, ...]:
        """The changes by which something is lost."""
        return tuple(change for change in self.changes if change.is_loss)

    @property
    def refusals(self) -> tuple[SubsetChange, ...]:
        """Why there is no form."""
        return tuple(change for change in self.changes if change.is_refusal)


def strict_form(schema: JsonValue) -> StrictForm:
    """An input schema in the strict subset.

    All properties become required, and what was optional a union with null; every object is closed; what the subset
    lacks moves into the description. A schema that some value satisfies only through names that nobody declares (a
    map, a free-form object, `{}`) has no form, nor has one past a limit of the provider. The schema is not changed.
    """
    reason = _find_fault(schema)
    if reason is not None:
        return StrictForm(None, (reason,))
    root = plain_root(schema)
    if root.schema is None:
        return StrictForm(None, root.changes)
    # What the form says means the same in every dialect, so nothing is lost with the dialect's name.
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


def _find_fault(schema: JsonValue) -> SubsetChange | None:
    """Why a schema cannot even be read, if so."""
    if not isinstance(schema, dict):
        return None
    try:
        depth = size_of(schema).depth
    except UnfitValueError as error:
        return SubsetChange("", "", f"the schema {error}", ChangeKind.REFUSED)
    if depth > _MAXIMUM_LEVELS:
        return SubsetChange("", "", f"the schema nests more than {_MAXIMUM_LEVELS} levels deep", ChangeKind.REFUSED)
    if dialect_of(schema) is None:
        return SubsetChange("/$schema", "$schema", "the schema's dialect is not known", ChangeKind.REFUSED)
    faults = schema_errors(schema)
    if faults:
        message = f"the schema is not valid: {faults[0].message}"
        return SubsetChange(faults[0].pointer, "", message, ChangeKind.REFUSED)
    return None


def _strip_marks(form: Schema) -> tuple[Schema, dict[str, frozenset[str]]]:
    """A form without marks, and what they say by pointer."""
    absent = {}
    for node in subschemas(form):
        names = strings(node.value.pop(ABSENT, None))
        if names:
            absent[node.pointer] = frozenset(names)
    return form, absent
