"""Convert two schemas to one dialect, if they have the same meaning in both."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts.comparison.notation import NOT_IN_DRAFT_7
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.dialects import Dialect, dialect_of
from mcp_contracts.schema.validation.unfit import misfit_refusal, size_refusal
from mcp_contracts.schema.validation.validators import compile_schema
from mcp_contracts.schema.walk import subschemas


def in_one_dialect(old: JsonValue, new: JsonValue) -> tuple[JsonValue, JsonValue]:
    """Return the schemas unchanged, or in the default dialect if only the name of the dialect differs.

    A server that changes its library often starts or stops stating `$schema` while the schema stays the same. A schema
    in draft-04, draft-06 or 2019-09 is read in the default dialect if all its keywords mean the same there.
    """
    old, new = _as_meant(_from_another_draft(old), _from_another_draft(new))
    dialects = {dialect_of(old), dialect_of(new)}
    if dialects != set(Dialect) or not (_is_plain(old) and _is_plain(new)):
        return old, new
    return _without_dialect(old), _without_dialect(new)


_OTHER_DRAFTS: Mapping[str, frozenset[str]] = {
    "http://json-schema.org/draft-04/schema": frozenset(("const", "contains", "propertyNames", "if", "id")),
    "http://json-schema.org/draft-06/schema": frozenset(("if",)),
    "https://json-schema.org/draft/2019-09/schema": frozenset(("$recursiveRef", "$recursiveAnchor")),
}
"""The drafts that are not supported, with the keywords that mean something else there, or nothing."""


def _from_another_draft(schema: JsonValue) -> JsonValue:
    named = schema.get("$schema") if isinstance(schema, dict) else None
    others = _OTHER_DRAFTS.get(named.removesuffix("#")) if isinstance(named, str) else None
    if others is None or misfit_refusal(schema) or size_refusal(schema):
        return schema
    is_same = _is_plain(schema) and all(others.isdisjoint(node.value) for node in subschemas(schema))
    return _without_dialect(schema) if is_same else schema


def _as_meant(old: JsonValue, new: JsonValue) -> tuple[JsonValue, JsonValue]:
    """Return the schemas unchanged, or as draft-07 if they name no dialect and are only valid in draft-07.

    A schema with a keyword that draft-07 does not have is not read as draft-07, which would ignore it.
    """
    unnamed = [isinstance(schema, dict) and "$schema" not in schema for schema in (old, new)]
    if not any(unnamed) or all(compile_schema(schema).refusal is None for schema in (old, new)):
        return old, new
    if any(misfit_refusal(schema) or size_refusal(schema) for schema in (old, new)):  # it may contain itself
        return old, new
    if not all(NOT_IN_DRAFT_7.isdisjoint(node.value) for schema in (old, new) for node in subschemas(schema)):
        return old, new
    meant = tuple(with_dialect(schema, is_draft_7=True) for schema in (old, new))
    is_valid = all(compile_schema(schema).refusal is None for schema in meant)
    return (meant[0], meant[1]) if is_valid else (old, new)


_OF_ONE_DIALECT = NOT_IN_DRAFT_7 | {"$anchor", "$dynamicAnchor", "$id", "additionalItems", "dependencies"}
_BESIDE_A_REFERENCE = frozenset(("$ref", "$comment", "title", "description", "default", "examples"))


def _is_plain(schema: JsonValue) -> bool:
    """Whether a schema means the same in both dialects."""
    return all(
        _OF_ONE_DIALECT.isdisjoint(node.value)
        and not isinstance(node.value.get("items"), list)
        and ("$ref" not in node.value or node.value.keys() <= _BESIDE_A_REFERENCE)
        for node in subschemas(schema)
    )


def _without_dialect(schema: JsonValue) -> JsonValue:
    if isinstance(schema, dict) and "$schema" in schema:
        return {keyword: value for keyword, value in schema.items() if keyword != "$schema"}
    return schema


def with_dialect(schema: JsonValue, *, is_draft_7: bool) -> JsonValue:
    if is_draft_7 and isinstance(schema, dict) and "$schema" not in schema:
        return {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
    return schema
