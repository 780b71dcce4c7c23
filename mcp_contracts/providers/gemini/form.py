"""Gemini's `Schema`, a subset of OpenAPI 3.0, and the form that a JSON Schema has in it.

Which keywords there are: `google.genai.types.Schema` of google-genai 3.4. The API takes less than that, so the form is
held to what it was reported to refuse: `additionalProperties` (felinics/Memoh#620, June 2026), anything beside `anyOf`
(anomalyco/opencode#15795, lambda-alpha-labs/Graphenium#37, July 2026), a `format` of text but `date-time`
(google-gemini/gemini-cli#3178), an `enum` of anything but text (diegosouzapw/OmniRoute#760), a node without a `type`
(google-gemini/gemini-cli#4400) and an object without properties at the root (pipecat-ai/pipecat-flows#110).
"""

from __future__ import annotations

from dataclasses import dataclass

from mcp_contracts.contract import JsonValue
from mcp_contracts.providers.changes import SubsetChange
from mcp_contracts.providers.gemini.builder import GeminiBuilder
from mcp_contracts.providers.merging import Schema
from mcp_contracts.providers.roots import plain_root
from mcp_contracts.schema.dialects import Dialect, dialect_of


@dataclass(frozen=True, slots=True)
class GeminiForm:
    """A schema as Gemini's `Schema`, in the names of its JSON form, or None; and every change on the way.

    `schema` is None as well, without a refusal, for a tool without parameters: it is sent without any. Pointers of
    `changes` lead into the schema as it was.
    """

    schema: Schema | None
    changes: tuple[SubsetChange, ...] = ()

    @property
    def refusals(self) -> tuple[SubsetChange, ...]:
        """Why there is no form."""
        return tuple(change for change in self.changes if change.is_refusal)


def gemini_form(schema: JsonValue) -> GeminiForm:
    """An input schema, valid under its dialect and at most 100 levels deep, as Gemini's `Schema`.

    References are written out, `allOf` is merged, a type with null becomes `nullable`, and what the subset lacks moves
    into the description. Refused are a root that is no object, references that lead nowhere, out of the schema or into
    themselves, and a schema that is too large when they are written out. The schema is not changed.
    """
    root = plain_root(schema)
    if root.schema is None:
        return GeminiForm(None, root.changes)
    builder = GeminiBuilder(root.schema, schema, root.changes, is_draft_7=dialect_of(schema) is Dialect.DRAFT_7)
    found = builder.whole()
    return GeminiForm(found, tuple(dict.fromkeys(builder.changes)))
