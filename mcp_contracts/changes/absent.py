"""The meaning of schemas that are absent or too general, and the changes of a tool that gains or loses a schema."""

from __future__ import annotations

from typing import Literal

from mcp_contracts.change import Bump, Change, Verdict
from mcp_contracts.changes.policies import SchemaComparison
from mcp_contracts.changes.registry import hint_for, rule_of
from mcp_contracts.comparison.edits import differ_only_in_words
from mcp_contracts.comparison.fact import FactKind
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.validation.compiled import RefusalKind
from mcp_contracts.schema.validation.validators import compile_schema

SchemaDirection = Literal["input", "output"]
ABSENT_INPUT: JsonValue = {"type": "object"}
ABSENT_OUTPUT: JsonValue = True
"""The meaning of a schema that is not stated."""


def stated_schema(schema: JsonValue, direction: SchemaDirection) -> JsonValue:
    """Return a schema, or the meaning of one that is not stated (None)."""
    if schema is not None:
        return schema
    return ABSENT_INPUT if direction == "input" else ABSENT_OUTPUT


def as_arguments(schema: JsonValue) -> JsonValue:
    """Return an input schema that says that arguments are an object, as they are in every call.

    A schema for other values, or whose `type` does not apply (next to a `$ref` in draft-07), is returned unchanged.
    """
    if schema is True:
        return {"type": "object"}
    if not isinstance(schema, dict) or ("$ref" in schema and dialect_of(schema) is not Dialect.DRAFT_2020_12):
        return schema
    stated = schema.get("type", "object")
    is_object = stated == "object" or (isinstance(stated, list) and "object" in stated)
    return {**schema, "type": "object"} if is_object else schema


def compare_with_absent(old: JsonValue, new: JsonValue, direction: SchemaDirection) -> SchemaComparison | None:
    """Return the change of an output schema that only one side states; None if the two must be compared.

    A tool without one does not guarantee structured content, so the verdict does not depend on what the schema
    requires. A schema that allows everything guarantees nothing either.
    """
    if direction == "input" or (old is None) is (new is None):
        return None
    if differ_only_in_words(True, new if old is None else old):
        return None
    if old is None:
        refusal = compile_schema(new).refusal
        if refusal is not None and refusal.kind is RefusalKind.INVALID:
            return None
        rule, verdict, bump = rule_of(FactKind.SCHEMA_CHANGED, "output"), Verdict.COMPATIBLE, Bump.MINOR
        message = "the output schema is new; any result was possible before"
    else:
        rule, verdict, bump = rule_of(FactKind.SCHEMA_REMOVED, "output"), Verdict.BREAKING, Bump.MAJOR
        message = "the output schema was removed, so structured content is no longer guaranteed"
    change = Change(
        rule.code,
        rule.name,
        "output",
        verdict,
        bump,
        message,
        hint_for(rule, verdict),
        None if old is None else "",
        None if new is None else "",
    )
    return SchemaComparison(verdict, changes=(change,))
