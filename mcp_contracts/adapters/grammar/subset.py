"""The declared subset of JSON Schema: what of a schema becomes a grammar exactly, and what is refused with its pointer.

What the grammar permits, the schema accepts. It permits less in a few ways that `docs/grammars.md` lists: the order of
properties is the schema's, and an open object takes the declared ones alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from mcp_contracts.adapters.grammar.conjuncts import (
    Applying,
    Branch,
    Conjunct,
    Document,
    UnreadableError,
    branches_of,
    disjunction_of,
    is_map,
    items_of,
    properties_of,
    required_of,
)
from mcp_contracts.adapters.grammar.disjoint import overlapping
from mcp_contracts.adapters.grammar.model import (
    EMPTY,
    NOTHING,
    Expression,
    Reference,
    Rule,
    Text,
    choice,
    optional,
    repetition,
    sequence,
)
from mcp_contracts.adapters.grammar.numbers import Limits, UnboundedDigitsError, decimals, integers
from mcp_contracts.adapters.grammar.strings import LONGEST, InexpressibleError, StringLimits, strings, written
from mcp_contracts.adapters.grammar.values import SPACE, written_value
from mcp_contracts.contract import JsonValue
from mcp_contracts.schema.json_equality import same_json
from mcp_contracts.schema.simple import TYPE_ATOMS
from mcp_contracts.schema.validators import compile_schema

MAXIMUM_RULES = 5_000
"""How many rules one tool may have."""
_LEVELS = 60
_MAXIMUM_PREFIX = 50
_TYPES = frozenset().union(*TYPE_ATOMS.values())
_OF_ANY = ("not", "if")
_OF_OBJECTS = ("patternProperties", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties")
_OF_ARRAYS = ("contains", "unevaluatedItems")
_WITHOUT_EFFECT: tuple[JsonValue, ...] = (None, True, {}, [])

Key = frozenset[Conjunct]


@dataclass(frozen=True, slots=True)
class Inexpressible:
    """What of a schema a grammar cannot say: the keyword at a pointer, and why."""

    pointer: str
    keyword: str
    message: str


def arguments_rules(schema: JsonValue, prefix: str) -> tuple[Expression, tuple[Rule, ...], tuple[Inexpressible, ...]]:
    """The arguments of a tool as an expression with its rules, whose names begin with `prefix`; and all refusals.

    The rules of any string, number and value are those of `strings.RULES` and `values.RULES`.
    """
    refusal = compile_schema(schema).refusal
    if refusal is not None:
        keyword = refusal.pointer.rpartition("/")[2] or "$schema"
        return NOTHING, (), (Inexpressible(refusal.pointer, keyword, refusal.message),)
    builder = _Builder(Document(schema), prefix)
    expression = builder.arguments()
    return expression, tuple(builder.rules.values()), tuple(dict.fromkeys(builder.refusals))


class _TooLargeError(Exception):
    """A schema that has more rules than we write."""


class _Builder:
    """The rules of one schema, and what of it was refused. A place is known by the subschemas that apply to it."""

    def __init__(self, document: Document, prefix: str) -> None:
        self.rules: dict[str, Rule] = {}
        self.refusals: list[Inexpressible] = []
        self._document = document
        self._prefix = prefix
        self._known: dict[Key, Expression] = {}
        self._open: set[Key] = set()  # being built, with a token between each and the next
        self._names: set[str] = set()

    def arguments(self) -> Expression:
        schema = self._document.schema
        try:
            applying = self._document.applying("", schema)
            if applying is None:
                return NOTHING
            whole = (*applying, Conjunct("", {"type": "object"}, frozenset({"arguments"})))
            if is_map(whole) and all("additionalProperties" not in conjunct.schema for conjunct in applying):
                if disjunction_of(whole) is None:
                    whole = (*whole, Conjunct("", {"properties": {}}, frozenset({"no arguments"})))
            return self._value(whole, "", frozenset(), _LEVELS)
        except UnreadableError as error:
            self._refuse(error.pointer, error.keyword, str(error))
        except _TooLargeError:
            self._refuse("", "", f"the schema has more than {MAXIMUM_RULES:,} rules in a grammar")
        return NOTHING

    def _refuse(self, pointer: str, keyword: str, message: str) -> Expression:
        self.refusals.append(Inexpressible(pointer, keyword, message))
        return NOTHING

    # Places

    def _place(self, branches: Iterable[Branch], name: str, levels: int) -> Expression:
        """What is permitted where some subschemas apply, behind a token."""
        found: dict[Conjunct, None] = {}
        try:
            for branch in branches:
                applying = self._document.applying(*branch)
                if applying is None:
                    return NOTHING
                found.update(dict.fromkeys(applying))
            return self._value(tuple(found), name, frozenset(), levels - 1)
        except UnreadableError as error:
            return self._refuse(error.pointer, error.keyword, str(error))

    def _value(self, applying: tuple[Conjunct, ...], name: str, around: frozenset[Key], levels: int) -> Expression:
        """What is permitted at a place; `around` holds the places that it is an alternative of."""
        key = frozenset(applying)
        if key in around:
            return self._refuse(applying[0].pointer, "$ref", "the schema is an alternative of itself")
        if key in self._known:
            return self._known[key]
        if levels <= 0:
            return self._refuse(applying[0].pointer, "", f"the schema nests more than {_LEVELS} levels deep")
        rule_name = self._name(name)
        self._known[key] = Reference(rule_name)
        body = self._body(applying, name, around | {key}, levels)
        is_recursive = rule_name in self._names_used(body)
        if _is_short(body) and not is_recursive:
            self._known[key] = body
            self._names.discard(rule_name)
            self.rules.pop(rule_name, None)
            return body
        self._add(Rule(rule_name, body))
        return self._known[key]
