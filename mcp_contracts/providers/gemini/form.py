"""Gemini's `Schema`, a subset of OpenAPI 3.0, and the form of a JSON Schema in it.

The keywords are those of `google.genai.types.Schema` in google-genai 3.4. The API accepts less, so the form avoids what
users reported as rejected: `additionalProperties` (felinics/Memoh#620, June 2026), anything next to `anyOf`
(anomalyco/opencode#15795, lambda-alpha-labs/Graphenium#37, July 2026), a string `format` other than `date-time`
(google-gemini/gemini-cli#3178), an `enum` of values other than strings (diegosouzapw/OmniRoute#760), a node without a
`type` (google-gemini/gemini-cli#4400) and an object without properties at the root (pipecat-ai/pipecat-flows#110).
"""

from __future__ import annotations

from mcp_contracts.contract import JsonValue
from mcp_contracts.providers.changes import SubsetForm
from mcp_contracts.providers.gemini.builder import GeminiBuilder
from mcp_contracts.providers.roots import plain_root
from mcp_contracts.schema.dialects import Dialect, dialect_of


def gemini_form(schema: JsonValue) -> SubsetForm:
    """Convert an input schema to Gemini's `Schema`.

    References are inlined, `allOf` is merged, a type with null becomes `nullable`, and keywords outside the subset are
    moved to the description. A root that is not an object, unresolved, external or recursive references, and a schema
    that is too large once they are inlined are refused. The argument is not modified.
    """
    root = plain_root(schema)
    if root.schema is None:
        return SubsetForm(None, root.changes)
    builder = GeminiBuilder(root.schema, schema, root.changes, is_draft_7=dialect_of(schema) is Dialect.DRAFT_7)
    found = builder.whole()
    return SubsetForm(found, tuple(dict.fromkeys(builder.changes)))
