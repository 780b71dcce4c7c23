"""Facts state what differs between two schemas, and nothing if both mean the same in different notation."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.comparison.compare import Fact, FactKind, facts
from mcp_contracts.contract import JsonValue
from tests.schema_strategies import schemas, values
from tests.support_schemas import DRAFT_7
from tests.sweeps import size, sweep
from tests.tables import each

CORPUS = Path(os.environ.get("MCP_CONTRACTS_CORPUS", "/nowhere"))
NODE: Any = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "size": {"type": "integer"}}}


def of_x(schema: Any, **more: Any) -> Any:
    """Return a schema of an object with the property `x`."""
    return {"type": "object", "properties": {"x": schema}, **more}


def told(old: Any, new: Any) -> list[tuple[str, str]]:
    """Return the kinds and messages of the differences."""
    return [(fact.kind.value, fact.message) for fact in facts(old, new)]


REFACTORINGS: dict[str, tuple[Any, Any]] = {
    "an inlined reference": (
        of_x({"$ref": "#/$defs/A"}, **{"$defs": {"A": {"type": "string", "maxLength": 5}}}),
        of_x({"type": "string", "maxLength": 5}),
    ),
    "a renamed definition": (
        of_x({"$ref": "#/$defs/A"}, **{"$defs": {"A": {"type": "string"}}}),
        of_x({"$ref": "#/definitions/B"}, definitions={"B": {"type": "string"}}),
    ),
    "a reference by anchor": (
        of_x({"$ref": "#a"}, **{"$defs": {"A": {"$anchor": "a", "type": "string"}}}),
        of_x({"type": "string"}),
    ),
    "a reference by identifier": (
        of_x(
            {"$ref": "other.json"},
            **{"$id": "https://e.com/x.json", "$defs": {"A": {"$id": "other.json", "type": "string"}}},
        ),
        of_x({"type": "string"}),
    ),
    "a renamed recursive definition in a union": (
        {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/node"}], "$defs": {"node": NODE}},
        {
            "anyOf": [{"$ref": "#/$defs/item"}, {"type": "string"}],
            "$defs": {"item": json.loads(json.dumps(NODE).replace("node", "item"))},
        },
    ),
    "other keys first": ({"type": "object", "minProperties": 1}, {"minProperties": 1, "type": "object"}),
    "required in another order": ({"required": ["a", "b"]}, {"required": ["b", "a"]}),
    "values in another order": (of_x({"enum": [1, "a"]}), of_x({"enum": ["a", 1.0]})),
    "a list of one type": (of_x({"type": ["string"]}), of_x({"type": "string"})),
    "a constant as the only value": (of_x({"const": {"a": 1}}), of_x({"enum": [{"a": 1.0}]})),
    "a tuple of draft-07": (
        {"$schema": DRAFT_7, "items": [{"type": "string"}], "additionalItems": {"type": "integer"}},
        {"prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
    ),
    "dependencies of draft-07": (
        {"$schema": DRAFT_7, "dependencies": {"a": ["b"], "c": {"required": ["d"]}}},
        {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}}},
    ),
    "what stands beside a reference of draft-07": (
        {"$schema": DRAFT_7, "$ref": "#/definitions/A", "maximum": 3, "definitions": {"A": {"type": "integer"}}},
        {"$schema": DRAFT_7, "type": "integer"},
    ),
    "additional properties, said": (of_x({}, additionalProperties=True), of_x({})),
    "additional properties, as an empty schema": (of_x({}, additionalProperties={}), of_x({})),
    "keywords without effect": (
        of_x({"uniqueItems": False, "minItems": 0, "minLength": 0, "minProperties": 0, "required": []}),
        of_x({}),
    ),
    "a condition without consequence": (of_x({"if": {"type": "string"}}), of_x({})),
    "the only schema of a list": (of_x({"allOf": [{"type": "string"}]}), of_x({"type": "string"})),
    "a number written otherwise": (of_x({"maximum": 1.0}), of_x({"maximum": 1})),
    "number beside integer": (of_x({"type": ["number", "integer"]}), of_x({"type": "number"})),
    "null as a branch": (
        of_x({"type": ["string", "null"], "maxLength": 5}),
        of_x({"anyOf": [{"type": "string", "maxLength": 5}, {"type": "null"}]}),
    ),
    "null as a branch beside values": (
        of_x({"type": ["string", "null"], "enum": ["a", None]}),
        of_x({"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]}),
    ),
    "types as branches": (of_x({"oneOf": [{"type": "null"}, {"type": "string"}]}), of_x({"type": ["string", "null"]})),
    "malformed keywords": ({"required": True, "properties": [], "type": 7, "enum": 3, "maximum": "x"}, {}),
    "unknown keywords": ({"x-order": 1, "$comment": "a"}, {"x-order": 2}),
    "anything": (of_x(True), of_x({})),
}


@each("name", REFACTORINGS)
def test_what_is_merely_written_differently_is_not_a_fact(name: str) -> None:
    first, second = REFACTORINGS[name]

    found = facts(first, second) + facts(second, first)

    assert found == ()


PAIRS: list[tuple[Any, Any, list[tuple[str, str]]]] = [
    ({"maximum": 100}, {"maximum": 50}, [("bounds-changed", "`x`: `maximum` 100 became 50")]),
    (
        {"exclusiveMinimum": 0},
        {"minimum": 2},
        [("bounds-changed", "`x`: `exclusiveMinimum` 0 became `minimum` 2")],
    ),
    (
        {"enum": ["fast", "a"]},
        {"enum": ["a", "slow"]},
        [("values-changed", '`x`: `enum` lost "fast" and gained "slow"')],
    ),
    ({"const": "a"}, {"const": "b"}, [("values-changed", '`x`: `const` "a" became "b"')]),
    ({"type": "integer"}, {"type": "number"}, [("type-changed", "`x`: type integer became number")]),
    (
        {"type": "array", "items": {"type": "string"}},
        {"type": "array", "items": {"type": "integer"}},
        [("type-changed", "`x[]`: type string became integer")],
    ),
    (
        {"type": "integer", "minimum": 0},
        {"type": "string", "maxLength": 3},
        [("type-changed", "`x`: type integer became string")],
    ),
    (
        {"type": "object"},
        {"type": "object", "additionalProperties": False},
        [("content-changed", "`x` is now closed (`additionalProperties: false`)")],
    ),
    (
        {"enum": ["a"]},
        {"type": "string"},
        [
            ("values-changed", '`x` is no longer limited to "a"'),
        ],
    ),
    (
        {"enum": ["a", "A"]},
        {"pattern": "^a$"},
        [
            ("pattern-changed", '`x`: `pattern` "^a$" is new'),
            ("values-changed", '`x`: `enum` "a" or "A" was removed'),
        ],
    ),
    ({"maxLength": 5}, {}, [("length-changed", "`x`: `maxLength` 5 was removed")]),
    ({"pattern": "^a"}, {"pattern": "^b"}, [("pattern-changed", '`x`: `pattern` "^a" became "^b"')]),
    ({}, {"minItems": 1}, [("items-changed", "`x`: `minItems` 1 is new")]),
    ({}, {"minProperties": 1}, [("size-changed", "`x`: `minProperties` 1 is new")]),
    (
        {"patternProperties": {"^a": {}}},
        {"patternProperties": {"^a": {}, "^b": {}}},
        [("names-changed", "`x`: `patternProperties` `^b` is new")],
    ),
    ({"format": "date"}, {"format": "time"}, [("format-changed", '`x`: `format` "date" became "time"')]),
    ({"description": "a"}, {"description": "b"}, [("words-changed", "`x`: description reworded")]),
    ({"default": None}, {"default": 2}, [("default-changed", "`x`: default null became 2")]),
    ({}, {"deprecated": True}, [("mark-changed", "`x` is now deprecated")]),
    (
        {"type": "string", "maxLength": 5},
        {"type": ["string", "null"], "maxLength": 5},
        [("type-changed", "`x` may now be null")],
    ),
    (
        {"anyOf": [{"type": "string", "maxLength": 7}, {"type": "null"}]},
        {"type": "string", "maxLength": 5},
        [("type-changed", "`x` may no longer be null"), ("length-changed", "`x`: `maxLength` 7 became 5")],
    ),
    (
        {"oneOf": [{"type": "string", "maxLength": 5}, {"type": "integer"}]},
        {"oneOf": [{"type": "integer"}, {"type": "null"}, {"type": "string", "maxLength": 7}]},
        [("branches-changed", "`x` may now be null"), ("length-changed", "`x`: `maxLength` 5 became 7")],
    ),
    (
        {"type": ["string", "null"], "maxLength": 5},
        {"anyOf": [{"type": "string", "maxLength": 6}, {"type": "null"}, {"type": "integer"}]},
        [("schema-changed", "`x`: string or null became `anyOf` of 3 branches")],
    ),
    (
        {"if": {"type": "string"}, "then": {"maxLength": 3}},
        {},
        [("condition-changed", "`x`: a condition was removed (`if`)")],
    ),
    (True, {"type": "string"}, [("schema-changed", "`x`: any value became string")]),
    (
        {"$ref": "https://e.com/a"},
        {"$ref": "https://e.com/b"},
        [("schema-changed", '`x`: `$ref` "https://e.com/a" became "https://e.com/b"')],
    ),
    (
        {"not": {"required": ["a"]}, "minimum": 1},
        {"enum": [1, 2], "minimum": 1},
        [("schema-changed", "`x`: `enum` is new and `not` was removed")],
    ),
    ({"minimum": 1, "maxLength": 1}, {"minimum": 2, "maxLength": 1}, [("bounds-changed", "`x`: `minimum` 1 became 2")]),
]


@each(("old", "new", "expected"), PAIRS, ids=[pair[2][0][1] for pair in PAIRS])
def test_a_difference_is_reported_in_words(old: Any, new: Any, expected: list[tuple[str, str]]) -> None:
    found = told(of_x(old), of_x(new))

    assert found == expected


ONE = {"title": "one", "maxProperties": 3}
TWO = {"title": "two", "maxProperties": 4, "properties": {"x": {"type": "string"}}}
PROPERTIES: list[tuple[Any, Any, list[tuple[str, str]]]] = [
    (of_x({}), of_x({}, required=["x"]), [("property-required", "`x` is now required")]),
    (of_x({}, required=["x"]), of_x({}), [("property-optional", "`x` is now optional")]),
    (of_x({}, required=["x"]), {"type": "object"}, [("property-removed", "`x` was removed, and was required")]),
    ({"type": "object"}, of_x({}), [("property-added", "`x` is new and optional")]),
    (
        {"type": "object"},
        of_x({"default": 3}, required=["x"]),
        [("property-required", "`x` is new and required, with the default 3")],
    ),
    (of_x(of_x({})), of_x({"type": "object"}), [("property-removed", "`x.x` was removed")]),
    (
        {"allOf": [of_x({}), {"minProperties": 1}]},
        {"allOf": [{"minProperties": 1}, {"type": "object"}], "properties": {"x": {"type": "string"}}},
        [
            ("property-moved", "`x` is now declared elsewhere"),
            ("type-changed", "`x` must now be of type string; any type was allowed before"),
        ],
    ),
    (
        {"anyOf": [ONE, TWO]},
        {"anyOf": [ONE | {"properties": {"x": {"type": "integer"}}}, TWO]},
        [("property-added", "`x` is now also declared in the branch `one`")],
    ),
    (
        {"anyOf": [ONE | {"properties": {"x": {"type": "integer"}}}, TWO]},
        {"anyOf": [ONE, TWO]},
        [("property-moved", "`x` is no longer declared in the branch `one`")],
    ),
    (
        {"anyOf": [of_x({}), {"minProperties": 1}]},
        {"anyOf": [of_x({}), {"minProperties": 1}], "properties": {"x": {"type": "string"}}},
        [("property-added", "`x` is now also declared outside the branches")],
    ),
]


@pytest.mark.parametrize(("old", "new", "expected"), PROPERTIES, ids=[pair[2][0][1] for pair in PROPERTIES])
def test_a_property_is_one_fact(old: Any, new: Any, expected: list[tuple[str, str]]) -> None:
    found = told(old, new)

    assert sorted(found) == sorted(expected)


def test_the_places_of_a_fact_are_those_of_each_side() -> None:
    old = of_x({"type": "string", "maxLength": 5})
    new = of_x({"$ref": "#/$defs/name"}, **{"$defs": {"name": {"type": "string", "maxLength": 4}}})

    (found,) = facts(old, new)

    assert found == Fact(
        FactKind.LENGTH_CHANGED,
        "`x`: `maxLength` 5 became 4",
        "/properties/x/maxLength",
        "/$defs/name/maxLength",
        "/properties/x",
        "/$defs/name",
        ("maxLength",),
    )


def test_a_fact_of_a_recursive_definition_is_reported_once_by_its_first_way() -> None:
    other = {**NODE, "properties": {**NODE["properties"], "size": {"type": "string"}}}
    old: Any = {
        "properties": {"first": {"$ref": "#/$defs/node"}, "second": {"$ref": "#/$defs/node"}},
        "$defs": {"node": NODE},
    }

    found = facts(old, {**old, "$defs": {"node": other}})

    assert [(fact.message, fact.new_pointer) for fact in found] == [
        ("`first.size`: type integer became string", "/$defs/node/properties/size/type")
    ]


def test_branches_are_matched_by_what_distinguishes_them() -> None:
    def branch(kind: str, **more: Any) -> Any:
        return {"properties": {"kind": {"const": kind}, **more}}

    old: Any = {"anyOf": [branch("a", v={"type": "string"}), branch("b", w={"minimum": 1})]}
    new: Any = {"anyOf": [branch("b", w={"minimum": 2}), branch("c"), branch("a", v={"type": "integer"})]}

    found = told(old, new)

    assert found == [
        ("bounds-changed", "`w`: `minimum` 1 became 2"),
        ("branches-changed", 'the value: `anyOf` gained the branch `kind` "c"'),
        ("type-changed", "`v`: type string became integer"),
    ]


def test_branches_alike_except_for_their_titles_are_matched_and_named_by_them() -> None:
    def branch(title: str, **more: Any) -> Any:
        return {"title": title, "properties": {"v": {"type": "integer", **more}}}

    found = told(
        {"anyOf": [branch("Cat", maximum=3), branch("Dog", minimum=1)]},
        {"anyOf": [branch("Dog", minimum=2), branch("Cat", maximum=2), branch("Cow")]},
    )

    assert found == [
        ("bounds-changed", "`v`: `minimum` 1 became 2"),
        ("bounds-changed", "`v`: `maximum` 3 became 2"),
        ("branches-changed", "the value: `anyOf` gained the branch `Cow`"),
    ]


def test_a_branch_that_is_like_two_others_is_matched_with_one() -> None:
    one, other = {"k": {"const": 1}}, {"l": {"const": 2}}

    found = told(
        {"anyOf": [{"properties": one}, {"properties": other}]}, {"anyOf": [{"properties": one | other, "minimum": 1}]}
    )

    assert [kind for kind, _ in found].count("branches-changed") == 1


@each(
    ("one", "other"),
    [
        ({"properties": {"a": {}}}, {"properties": {"b": {}}}),
        ({"required": ["a"]}, {"required": ["b"]}),
        ({"enum": [1, 2]}, {"enum": [3, 4]}),
    ],
)
def test_branches_are_matched_by_the_names_and_values_that_they_list(one: Any, other: Any) -> None:
    found = told(
        {"anyOf": [{**one, "maximum": 7}, {**other, "minimum": 1}]},
        {"anyOf": [{**other, "minimum": 2}, {**one, "maximum": 6}]},
    )

    assert [kind for kind, _ in found] == ["bounds-changed", "bounds-changed"]


def test_branches_are_matched_and_named_by_their_definitions() -> None:
    def of(**definitions: Any) -> Any:
        members = {name: {"properties": {"v": said}} for name, said in definitions.items()}
        return {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in definitions], "$defs": members}

    found = told(
        of(Cat={"maximum": 3}, Dog={"minimum": 1}), of(Dog={"minimum": 2}, Cat={"maximum": 2}, Cow={"minimum": 0})
    )

    assert found == [
        ("bounds-changed", "`v`: `minimum` 1 became 2"),
        ("bounds-changed", "`v`: `maximum` 3 became 2"),
        ("branches-changed", "the value: `anyOf` gained the branch `Cow`"),
    ]


@each(
    ("branch", "message"),
    [
        ({"required": ["b", "c", "d", "e"]}, "the value: `anyOf` gained the branch that requires `b`, `c`, `d`"),
        ({"enum": [None]}, "the value may now be null"),
        ({"type": "null"}, "the value may now be null"),
    ],
)
def test_a_branch_is_named_by_what_it_requires_or_is_null(branch: Any, message: str) -> None:
    assert told({"anyOf": [{"minLength": 1}]}, {"anyOf": [{"minLength": 1}, branch]}) == [("branches-changed", message)]


def test_a_branch_that_takes_its_properties_with_it_says_so_by_name() -> None:
    old: Any = {"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}

    found = facts(old, {"anyOf": old["anyOf"][:1]})

    assert [(fact.kind, fact.name) for fact in found] == [
        (FactKind.BRANCHES_CHANGED, None),
        (FactKind.PROPERTY_REMOVED, "b"),
    ]


def test_properties_that_a_new_union_does_not_speak_of_stay_facts_of_their_own() -> None:
    old: Any = {"properties": {"x": {}, "y": {}}, "required": ["x"]}
    new: Any = {"properties": {"x": {}, "y": {}, "z": {}}, "anyOf": [{"required": ["x"]}, {"required": ["y"]}]}

    found = facts(old, new)

    assert [(fact.kind, fact.keywords) for fact in found] == [
        (FactKind.SCHEMA_CHANGED, ("anyOf", "required")),
        (FactKind.PROPERTY_ADDED, ("properties",)),
    ]


def test_the_prover_is_asked_only_where_keywords_differ_and_leaves_words_and_names() -> None:
    asked: list[tuple[str, str]] = []

    def are_equal(old: str, new: str) -> bool:
        asked.append((old, new))
        return True

    old: Any = {"properties": {"x": {"minimum": 1, "description": "a"}, "y": {}, "z": {"type": "string"}}}
    new: Any = {"properties": {"x": {"exclusiveMinimum": 0, "description": "b"}, "z": {"type": "string"}}, "title": "t"}

    found = facts(old, new, are_equal=are_equal)

    assert asked == [("", "")]
    assert [fact.message for fact in found] == [
        "the value: title is new",
        "`x`: description reworded",
        "`y` was removed",
    ]


def test_the_whole_value_is_called_as_the_caller_says() -> None:
    (found,) = facts({"type": "object"}, {"type": "object", "additionalProperties": False}, subject="the arguments")

    assert found.message == "the arguments are now closed (`additionalProperties: false`)"


@sweep
@pytest.mark.parametrize(
    ("keyword", "levels"), [("items", 3_000), ("not", 3_000), ("allOf", size(3_000, 10)), ("unknown", 3_000)]
)
def test_thousands_of_levels_end_in_one_fact_at_most(keyword: str, levels: int) -> None:
    def nested(leaf: Any) -> Any:
        for _ in range(levels):
            leaf = {keyword: [leaf, {}] if keyword == "allOf" else leaf}
        return leaf

    found = facts(nested({"type": "string"}), nested({"type": "integer"}))

    assert [fact.kind for fact in found] == [FactKind.SCHEMA_CHANGED] * (keyword != "unknown")


def test_twenty_thousand_listed_values_are_compared_by_their_keys() -> None:
    old: Any = {"enum": [*range(20_000)]}

    (found,) = facts(old, {"enum": [*range(1, 20_001)]})

    assert found.message == "the value: `enum` lost 0 and gained 20000"


def test_more_pairs_than_are_compared_end_in_a_fact_about_the_whole() -> None:
    def wide(limit: int) -> Any:
        return {
            "properties": {str(n): {"properties": {str(m): {"maximum": limit} for m in range(75)}} for n in range(75)}
        }

    *_, last = facts(wide(1), wide(2))

    assert (last.kind, last.old_pointer, last.new_pointer) == (FactKind.SCHEMA_CHANGED, "", "")


def corpus_schemas() -> list[JsonValue]:
    """Return all schemas of real tools and of known pairs."""
    tools = [json.loads(path.read_text("utf-8")) for path in sorted(CORPUS.glob("corpus/servers/**/*.json"))]
    lists = [found["tools"] if isinstance(found, dict) else found for found in tools]
    pairs = [
        json.loads(line) for path in CORPUS.glob("evolution/*.jsonl") for line in path.read_text("utf-8").splitlines()
    ]
    return [
        *(tool[part] for found in lists for tool in found for part in ("inputSchema", "outputSchema") if part in tool),
        *(pair[side] for pair in pairs for side in ("before", "after")),
    ]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="MCP_CONTRACTS_CORPUS does not say where the corpus is")
def test_no_real_schema_differs_from_its_copy_in_other_order() -> None:
    def reordered(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: reordered(value[name]) for name in reversed(value)}
        return [reordered(item) for item in value] if isinstance(value, list) else value

    differing = [schema for schema in corpus_schemas() if facts(schema, reordered(schema)) or facts(schema, schema)]

    assert differing == []


@pytest.mark.skipif(not CORPUS.is_dir(), reason="MCP_CONTRACTS_CORPUS does not say where the corpus is")
def test_pairs_with_other_values_always_have_a_fact() -> None:
    def judged(pair: Any) -> list[bool]:
        return [pair[name] for name in pair if "_subset_" in name]

    def sides(pair: Any) -> list[Any]:
        named = {"$schema": DRAFT_7} if pair["draft"] == "7" else {}
        return [{**named, **pair[side]} if isinstance(pair[side], dict) else pair[side] for side in ("before", "after")]

    lines = [line for path in sorted(CORPUS.glob("evolution/*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    pairs = [json.loads(line) for line in lines]

    silent = [pair["id"] for pair in pairs if False in judged(pair) and not facts(*sides(pair))]

    assert silent == []


@given(schemas(), schemas(draft_7=True))
def test_random_schemas_are_compared_both_ways_and_equal_themselves(old: Any, new: Any) -> None:
    found = (facts(old, old), facts(new, new))

    assert found == ((), ())
    assert bool(facts(old, new)) == bool(facts(new, old))


keywords = st.sampled_from(["type", "enum", "const", "properties", "required", "items", "anyOf", "$ref", "if", "not"])
nonsense = st.recursive(
    values,
    lambda inner: st.dictionaries(keywords, st.one_of(inner, st.lists(inner, max_size=2)), max_size=3),
    max_leaves=6,
)


@given(nonsense, nonsense)
def test_nothing_that_is_json_raises(old: Any, new: Any) -> None:
    found = facts(old, new)

    assert all(fact.message.isprintable() for fact in found)
