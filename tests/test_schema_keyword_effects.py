"""Every keyword that may reject a value has an effect where schemas are compared, searched and converted.

A table that lists a keyword without code that reads it would otherwise lose the constraint silently.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mcp_contracts.adapters.base import NotPortableError
from mcp_contracts.adapters.grammar.gbnf import gbnf_of
from mcp_contracts.comparison.compare import facts
from mcp_contracts.inclusion.decision import inclusion
from mcp_contracts.providers.gemini.form import gemini_form
from mcp_contracts.providers.strict.form import strict_form
from mcp_contracts.schema.vocabulary import CONSTRAINTS, DEPENDENT
from tests.support_schemas import DRAFT_7, tool
from tests.tables import each

STRING, NUMBER, ARRAY, OBJECT = ({"type": name} for name in ("string", "number", "array", "object"))
NAMED: Any = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
TEXTS: Any = {"type": "array", "items": {"type": "string"}}
CONDITION: Any = {"if": {"minLength": 2}}

CASES: dict[str, tuple[dict[str, Any], Any]] = {
    "type": ({}, "string"),
    "enum": (STRING, ["a"]),
    "const": (STRING, "a"),
    "minimum": (NUMBER, 1),
    "maximum": (NUMBER, 1),
    "exclusiveMinimum": (NUMBER, 1),
    "exclusiveMaximum": (NUMBER, 1),
    "multipleOf": (NUMBER, 2),
    "minLength": (STRING, 2),
    "maxLength": (STRING, 2),
    "pattern": (STRING, "^a"),
    "minItems": (TEXTS, 2),
    "maxItems": (TEXTS, 2),
    "uniqueItems": (TEXTS, True),
    "minContains": ({**ARRAY, "contains": STRING}, 2),
    "maxContains": ({**ARRAY, "contains": STRING}, 2),
    "minProperties": (NAMED, 1),
    "maxProperties": (NAMED, 1),
    "required": (NAMED, ["a"]),
    "dependentRequired": (NAMED, {"a": ["b"]}),
    "$ref": ({"$defs": {"short": {"type": "string", "maxLength": 2}}}, "#/$defs/short"),
    "$dynamicRef": ({"$defs": {"short": {"$dynamicAnchor": "short", "type": "string", "maxLength": 2}}}, "#short"),
    "allOf": (STRING, [{"maxLength": 2}]),
    "anyOf": (STRING, [{"maxLength": 2}, {"minLength": 4}]),
    "oneOf": (STRING, [{"maxLength": 2}, {"minLength": 4}]),
    "not": (STRING, {"maxLength": 2}),
    "if": ({**STRING, "then": {"maxLength": 4}}, {"minLength": 2}),
    "then": ({**STRING, **CONDITION}, {"maxLength": 4}),
    "else": ({**STRING, **CONDITION}, {"minLength": 1}),
    "dependentSchemas": (NAMED, {"a": {"required": ["b"]}}),
    "dependencies": (NAMED, {"a": ["b"]}),
    "properties": (OBJECT, {"a": {"type": "string"}}),
    "patternProperties": (OBJECT, {"^a": {"type": "string"}}),
    "additionalProperties": (NAMED, {"type": "string"}),
    "propertyNames": (OBJECT, {"maxLength": 2}),
    "unevaluatedProperties": (NAMED, {"type": "string"}),
    "prefixItems": (ARRAY, [{"type": "string"}]),
    "items": (ARRAY, {"type": "string"}),
    "additionalItems": ({"$schema": DRAFT_7, **ARRAY, "items": [{"type": "string"}]}, {"type": "string"}),
    "contains": (ARRAY, {"type": "string"}),
    "unevaluatedItems": (ARRAY, {"type": "string"}),
}
"""For each keyword, the keywords next to it, and a value with which the schema accepts fewer values."""


def sides(keyword: str) -> tuple[Any, Any]:
    """Return a schema without the keyword and with it."""
    around, value = CASES[keyword]
    return around, {**around, keyword: value}


def test_every_keyword_that_may_refuse_a_value_has_a_case() -> None:
    assert sorted(set(CONSTRAINTS) - CASES.keys()) == [], "add a case to `CASES`"
    assert sorted(CASES.keys() - set(CONSTRAINTS)) == []


@each("keyword", CASES)
def test_the_search_reads_every_keyword(keyword: str) -> None:
    assert inclusion(*sides(keyword)).answer != "yes", f"the search ignores `{keyword}`"


@each("keyword", CASES)
def test_the_comparison_reads_every_keyword(keyword: str) -> None:
    assert facts(*sides(keyword)) != (), f"the comparison ignores `{keyword}`"


def grammar(schema: Any) -> object:
    """Return the grammar of a parameter, or what it cannot express."""
    try:
        return gbnf_of([tool(schema)])
    except NotPortableError as error:
        return error.losses


CONVERSIONS: dict[str, Callable[[Any], object]] = {
    "a grammar": grammar,
    "the strict form": strict_form,
    "the form of Gemini": gemini_form,
}


@pytest.mark.parametrize("conversion", CONVERSIONS)
def test_every_keyword_changes(conversion: str) -> None:
    convert = CONVERSIONS[conversion]

    ignored = []
    for keyword in CASES.keys() - DEPENDENT:
        one, other = map(as_parameter, sides(keyword))
        if convert(one) == convert(other):
            ignored.append(keyword)

    assert sorted(ignored) == [], f"these keywords have no effect on {conversion}"


def as_parameter(schema: Any) -> Any:
    """Return input with a schema as its parameter; keywords of a schema's root move there."""
    root = {name: schema[name] for name in ("$schema", "$defs") if name in schema}
    rest = {name: value for name, value in schema.items() if name not in root}
    return {**root, "type": "object", "properties": {"x": rest}, "required": ["x"], "additionalProperties": False}
