"""Laws of the tables of keywords for the search, the policies and the precedences, and their decisions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from mcp_contracts.comparison.declared import nodes, rewriter
from mcp_contracts.inclusion import atoms as formula_atoms
from mcp_contracts.inclusion import graph
from mcp_contracts.rules.running import reach
from mcp_contracts.rules.running.precedence import PRECEDENCES
from mcp_contracts.schema import simple, walk
from mcp_contracts.schema.dialects import Dialect
from mcp_contracts.schema.simple import atom_of, is_refused, is_surely_accepted, value_key
from mcp_contracts.schema.vocabulary import KEYWORDS
from tests.tables import each

Schema = Any
EVERY = KEYWORDS[Dialect.DRAFT_7] | KEYWORDS[Dialect.DRAFT_2020_12]
ANNOTATIONS = frozenset((
    "title", "description", "$comment", "default", "examples", "deprecated", "readOnly", "writeOnly",
))  # fmt: skip

TABLES: dict[str, Iterable[str]] = {
    "precedence, judging in place": reach.IN_PLACE,
    "precedence, annotations": reach.ANNOTATIONS,
    "walk, by name": walk.MAPS,
    "walk, lists": walk.LISTS,
    "walk, single": walk.SINGLE,
    "graph, assertions": graph.ASSERTIONS,
    "simple, annotations": simple.WITHOUT_EFFECT,
    "simple, decided": simple.DECIDED,
    "simple, of members": simple.OF_MEMBERS,
    "declared nodes, annotations": nodes.ANNOTATIONS,
    "rewriter, left out": rewriter.LEFT_OUT,
    "rewriter, of members": rewriter.OF_MEMBERS,
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_keywords_contains_only_keywords(name: str) -> None:
    assert sorted(set(TABLES[name]) - EVERY) == []


@pytest.mark.parametrize("table", [reach.ANNOTATIONS, simple.WITHOUT_EFFECT, nodes.ANNOTATIONS])
def test_annotations_are_annotations_everywhere(table: frozenset[str]) -> None:
    assert table >= ANNOTATIONS
    assert table.isdisjoint(graph.ASSERTIONS)


def test_what_says_how_a_text_is_written_asks_for_something() -> None:
    assert reach.ANNOTATIONS == ANNOTATIONS


def test_every_keyword_that_asserts_something_is_known_to_assert_or_names_what_another_one_reads() -> None:
    told = simple.WITHOUT_EFFECT | graph.ASSERTIONS
    read_by_another = {"then", "else", "minContains", "maxContains"}
    naming = {"$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary"}

    assert EVERY - told == read_by_another | naming


ATOMS: list[Any] = [
    one for one in vars(formula_atoms).values() if isinstance(one, type) and hasattr(one, "_field_defaults")
]


def test_atoms_of_the_same_content_differ() -> None:
    alike = [atom for atom in ATOMS if len(atom._fields) == 2]

    assert len({atom(1) for atom in alike}) == len(alike) > 10


def test_reasons_of_precedences_are_clauses() -> None:
    assert [one.reason for one in PRECEDENCES if not one.reason[0].islower()] == []


# Decisions without an engine

TYPED: list[tuple[Any, str]] = [
    (None, "null"), (True, "boolean"), (1, "integer"), (1.0, "integer"), (1.5, "fraction"), ("a", "string"),
    ([], "array"), ({}, "object"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "atom"), TYPED)
def test_a_value_has_only_the_type_of_its_kind(value: Any, atom: str) -> None:
    assert atom_of(value) == atom
    for name, atoms in simple.TYPE_ATOMS.items():
        assert is_refused(value, "type", name) == (atom not in atoms)
        assert is_refused(value, "type", [name]) == (atom not in atoms)


@each("count", [0, 1, 15, 16, 40])
def test_long_lists_are_equal_where_their_items_are(count: int) -> None:
    rows: list[Any] = [[{"a": member}, *([1] * count)] for member in (1, 1.0, True)]
    row, same, other = rows

    assert value_key(row) == value_key(same) != value_key(other)
    assert value_key(row) != value_key([*row, 1])


@pytest.mark.parametrize("stated", [[], ["string", "strnig"], "strnig", 5, None])
def test_an_unknown_type_rejects_nothing(stated: Any) -> None:
    assert not is_refused(1, "type", stated)


LIMITED: list[tuple[str, Any, Any, Any]] = [
    ("minimum", 2, 2, 1), ("maximum", 2, 2, 3), ("exclusiveMinimum", 2, 3, 2), ("exclusiveMaximum", 2, 1, 2),
    ("minimum", 0.1, 0.1, 0.05), ("maximum", 0.1, 0.1, 0.2), ("exclusiveMinimum", 0.1, 0.2, 0.1),
    ("exclusiveMaximum", 0.1, 0.05, 0.1), ("minLength", 2, "ab", "a"), ("maxLength", 1, "a", "ab"),
    ("minItems", 1, [1], []), ("maxItems", 1, [1], [1, 2]), ("minProperties", 1, {"a": 1}, {}),
    ("maxProperties", 0, {}, {"a": 1}), ("const", 1, 1.0, True), ("enum", ["a", None], None, False),
    ("enum", ["a"], "a", "b"), ("type", ["string", "null"], None, 1),
    ("enum", [*range(20), {"a": [1]}], {"a": [1.0]}, {"a": [True]}),
]  # fmt: skip


@each(("keyword", "asked", "right", "wrong"), LIMITED)
def test_a_value_at_a_limit_is_distinguished_from_the_one_after_it(
    keyword: str, asked: Any, right: Any, wrong: Any
) -> None:
    assert is_surely_accepted(right, {keyword: asked})
    assert not is_refused(right, keyword, asked)
    assert is_refused(wrong, keyword, asked)
    assert not is_surely_accepted(wrong, {keyword: asked})
    assert not is_refused(wrong, "x-unknown", asked)


@each("keyword", sorted(simple.WITHOUT_EFFECT))
def test_an_annotation_refuses_nothing(keyword: str) -> None:
    assert is_surely_accepted({"a": [1]}, {keyword: "text"})


@pytest.mark.parametrize("keyword", sorted(simple.OF_MEMBERS))
def test_what_has_no_members_is_plain_next_to_keywords_of_members(keyword: str) -> None:
    asked: Schema = {keyword: False}
    plain: list[Any] = [1, "a", [], {}]
    holding: list[Any] = [[1], {"a": 1}]

    assert all(is_surely_accepted(value, asked) for value in plain)
    assert not any(is_surely_accepted(value, asked) for value in holding)


def test_what_judges_the_value_itself_is_not_a_keyword_of_members() -> None:
    assert simple.OF_MEMBERS.isdisjoint(reach.IN_PLACE)
    assert not is_surely_accepted([], {"contains": {}})
