"""The table of keywords: its rows agree with each other and with validators."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_contracts.adapters.grammar import facts
from mcp_contracts.comparison import differences, notation
from mcp_contracts.inclusion import graph
from mcp_contracts.providers import keywords
from mcp_contracts.providers.gemini import types as gemini
from mcp_contracts.runtime import arguments
from mcp_contracts.runtime.calls import coercion
from mcp_contracts.schema import applicable, vocabulary, walk
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.schema.vocabulary import TYPES, VOCABULARY, Effect, Judges, Keyword
from tests.tables import each

VALUES: dict[str, Any] = {
    "string": "a", "number": 1.5, "integer": 3, "boolean": True, "object": {"b": 1}, "array": [1, 1], "null": None,
}  # fmt: skip
STATED: dict[str, Any] = {"$id": "urn:example:x", "$anchor": "x", "$dynamicAnchor": "x", "$vocabulary": {}}


def identified(row: Keyword) -> str:
    return row.name


def test_each_keyword_has_one_row() -> None:
    assert len({row.name for row in VOCABULARY}) == len(VOCABULARY)


@each("row", VOCABULARY, ids=identified)
def test_a_row_agrees_with_itself(row: Keyword) -> None:
    known = {one.name: one for one in VOCABULARY}

    assert set(row.types) <= set(TYPES)
    assert row.dialects <= set(Dialect)
    assert (row.judges is not None) == (row.effect in (Effect.IN_PLACE, Effect.INSIDE))
    assert row.effect is not Effect.INSIDE or (row.types and row.holds)
    assert row.effect is not Effect.ASSERTS or not row.holds
    assert row.needs is None or known[row.needs].types == row.types


@pytest.mark.parametrize(
    "row", [row for row in VOCABULARY if row.judges is Judges.CERTAINLY and row.holds], ids=identified
)
def test_what_judges_certainly_refuses_what_its_subschema_refuses(row: Keyword) -> None:
    dialect = sorted(row.dialects)[-1]
    held: Any = {"one": False, "list": [False], "map": {"b": False}}[row.holds[0]]
    beside: dict[str, Any] = {"items": [True]} if row.name == "additionalItems" else {}
    schema = {**stated(dialect), **beside, row.name: held}

    assert [accepts(compile_schema(schema), VALUES[name]) for name in row.types or ("string",)] == [False]


@pytest.mark.parametrize("row", [row for row in VOCABULARY if row.effect is Effect.ANNOTATES], ids=identified)
def test_an_annotation_refuses_nothing(row: Keyword) -> None:
    value: Any = {"examples": ["x"], "contentSchema": False, "deprecated": True, "readOnly": True, "writeOnly": True}
    compiled = compile_schema({row.name: value.get(row.name, "text")})

    assert all(accepts(compiled, one) for one in VALUES.values())


def test_every_keyword_with_schemas_that_judge_the_value_is_walked() -> None:
    walked = {*walk.MAPS, *walk.LISTS, *walk.SINGLE}

    assert {row.name for row in VOCABULARY if row.holds} - walked == {"contentSchema"}
    assert walked <= {row.name for row in VOCABULARY if row.holds}


def test_sets_of_keywords_are_read_in_the_order_of_the_table() -> None:
    assert vocabulary.BRANCH_LISTS == ("allOf", "anyOf", "oneOf")
    assert vocabulary.ALTERNATIVES == ("anyOf", "oneOf")
    assert vocabulary.REFERENCES == ("$ref", "$dynamicRef")
    assert vocabulary.UNEVALUATED == ("unevaluatedProperties", "unevaluatedItems")
    assert {"then", "else", "minContains", "maxContains"} == vocabulary.DEPENDENT


CONSUMERS: dict[str, frozenset[str]] = {
    "the search (inclusion/graph.py, READ and OPAQUE)": graph.READ | graph.OPAQUE,
    "the comparison (comparison/notation.py, READERS and REWRITTEN)": frozenset(
        (*notation.READERS, *notation.REWRITTEN)
    ),
    "facts (comparison/differences.py, KINDS)": (
        frozenset((*differences.KINDS, "properties", "required")) | notation.REWRITTEN
    ),
    "grammars (adapters/grammar/facts.py, EXPRESSED and REFUSED)": facts.SETTLED,
    "strict mode (providers/keywords.py, KNOWN)": keywords.KNOWN,
    "Gemini (providers/gemini/types.py, KNOWN)": gemini.KNOWN,
    "coercion (runtime/calls/coercion.py, FOLLOWED, READ_ANEW and LEFT_ALONE)": (
        coercion.FOLLOWED | coercion.READ_ANEW | coercion.LEFT_ALONE
    ),
    "redaction (runtime/arguments.py, MAY_QUOTE_VALUE; schemas are followed by their rows)": frozenset(
        (*arguments.MAY_QUOTE_VALUE, *applicable.EVERY, *vocabulary.REFERENCES, *vocabulary.INSIDE)
    ),
}
"""Modules that read, rewrite or answer for keywords, with their tables, and the keywords in those."""


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_every_keyword_that_may_refuse_a_value_is_known_to(consumer: str) -> None:
    assert sorted(set(vocabulary.CONSTRAINTS) - CONSUMERS[consumer]) == []


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_nothing_but_keywords_is_known_to(consumer: str) -> None:
    others = {"falseSchema", ""}  # what validators call a schema `false`, and a value that is too large to be explained

    assert sorted(CONSUMERS[consumer] - {row.name for row in VOCABULARY} - others) == []


def test_every_constraint_that_moves_into_a_description_has_words() -> None:
    assert sorted(keywords.MOVED.keys() - keywords.WORDED) == []


def stated(dialect: Dialect) -> dict[str, Any]:
    """Return a schema that names a dialect."""
    return {"$schema": "http://json-schema.org/draft-07/schema#"} if dialect is Dialect.DRAFT_7 else {}
