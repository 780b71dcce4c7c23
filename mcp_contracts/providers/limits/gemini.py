"""The limits of Gemini."""

from __future__ import annotations

from mcp_contracts.providers.limits.provider import Basis, KeywordLimit, NameLimit, Provider, Target

_TARGETS = (Target("gemini", "function declarations"),)
_DECLARATION = Basis("Gemini", _TARGETS, "documented", "google-genai 3.4, `FunctionDeclaration`")

GEMINI = Provider(
    "gemini",
    _TARGETS,
    tool_names=NameLimit(_DECLARATION, "_-.:", 128, starts_with_letter=True),
    parameter_names=(NameLimit(_DECLARATION, "_", 64, starts_with_letter=True),),
    root_keywords=(
        KeywordLimit(
            Basis("Gemini", _TARGETS, "reported", "one report, of Vertex AI"),
            ("anyOf", "oneOf", "allOf"),
        ),
    ),
    lacking_keywords=(
        KeywordLimit(
            Basis("Gemini", _TARGETS, "documented", "google-genai 3.4, `Schema`"),
            (
                *("oneOf", "allOf", "not", "if", "const", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
                *("uniqueItems", "prefixItems", "additionalItems", "contains", "unevaluatedItems", "propertyNames"),
                *("patternProperties", "dependentRequired", "dependentSchemas", "dependencies"),
                "unevaluatedProperties",
            ),
        ),
    ),
)
