"""The supported subset of JSON Schema as grammars, checked with llguidance in both formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.adapters.base import NotPortableError
from mcp_contracts.adapters.grammar.calls import grammar_of, serialize_call
from mcp_contracts.adapters.grammar.conjuncts import Document
from mcp_contracts.adapters.grammar.disjoint import are_disjoint
from mcp_contracts.adapters.grammar.facts import REFUSED
from mcp_contracts.adapters.grammar.gbnf import LARGEST, gbnf_of, write_gbnf
from mcp_contracts.adapters.grammar.lark import lark_of
from mcp_contracts.adapters.grammar.subset import arguments_rules
from mcp_contracts.adapters.grammar.union import schema_of
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolCall
from mcp_contracts.schema.budget import Budget
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from tests.grammar_oracle import begins, gbnf_to_lark, reader, readers, takes
from tests.llama_engine import LIBRARY, LlamaGrammar
from tests.support_schemas import DRAFT_7, tool
from tests.tables import each

DOCUMENT = Path(__file__).parent.parent / "docs" / "grammars.md"


def holder(schema: Any, **around: Any) -> dict[str, Any]:
    """Return a schema of arguments whose property `x` is required."""
    return {**around, "type": "object", "properties": {"x": schema}, "required": ["x"]}


def call(value: str) -> str:
    """Return a call with the given text for the argument `x`."""
    return '{"tool_name":"weather.get_forecast","arguments":{"x":' + value + "}}"


def text(value: str) -> str:
    """Return a string as JSON, in the form that patterns permit."""
    return json.dumps(value, ensure_ascii=False)


def refused(schema: Any) -> list[tuple[str, str]]:
    """Return the pointers and keywords that a grammar rejects."""
    with pytest.raises(NotPortableError) as caught:
        grammar_of([tool(schema)])
    assert all(loss.tool == "weather.get_forecast" and loss.part == "input" for loss in caught.value.losses)
    assert all(loss.message for loss in caught.value.losses)
    return [(loss.pointer, loss.keyword) for loss in caught.value.losses]


NODE: Any = {
    "type": "object",
    "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/n"}},
    "required": ["v"],
}
SOME = {name: {"type": "integer"} for name in "abcd"}
KINDS: Any = [
    {"type": "object", "properties": {"kind": {"const": "a"}, "v": {"type": "string"}}, "required": ["kind"]},
    {"type": "object", "properties": {"kind": {"const": "b"}, "w": {"type": "string"}}, "required": ["kind"]},
]
NAMED: Any = [
    {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
    {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
]
LIST: Any = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/n"}}]}
MAP: Any = {
    "type": "object",
    "additionalProperties": {"type": "integer"},
    "propertyNames": {"pattern": "^[a-z]+$"},
    "minProperties": 1,
    "maxProperties": 2,
}
CASES: list[tuple[Any, list[str], list[str]]] = [
    # Strings: lengths count characters, and every escape of JSON is one
    ({"type": "string"}, [r'"é\n\u0041\/"', r'"\ud83d\ude00"'], ['"\n"', r'"\ud83d"', r'"\ude00"', r'"\x"', '"']),
    ({"type": "string", "maxLength": 3}, [text("😀😀😀"), r'"\ud83d\ude00ab"', r'"\u0041\/\n"'], [text("abcd")]),
    (
        {"type": "string", "minLength": 2, "maxLength": 5_000},
        [text("a" * 5_000), text("a" * 501)],
        [text("a" * 5_001), '"a"'],
    ),
    ({"type": "string", "minLength": 1_200}, [text("a" * 1_200), text("a" * 1_900)], [text("a" * 1_199)]),
    ({"type": "string", "format": "date"}, ['"x"'], ["1"]),
    # Patterns: found anywhere, unless they are anchored
    ({"type": "string", "pattern": r"\S"}, ['"a"', '"  a "', r'"\n\"x\\"'], ['""', '"  "']),
    ({"type": "string", "pattern": r"\S", "minLength": 1}, ['"a"'], ['""']),
    (
        {"type": "string", "pattern": "^[A-Za-z_-]+$", "maxLength": 64},
        ['"a"', text("a" * 64)],
        ['""', text("a" * 65), '"a b"'],
    ),
    ({"type": "string", "pattern": "^$|^a+$"}, ['""', '"aa"'], ['"b"']),
    ({"type": "string", "pattern": "(^a|b$)"}, ['"ac"', '"cb"'], ['"ca"']),
    ({"type": "string", "pattern": "^(a|b)*c?$"}, ['"ababc"', '""'], ['"cc"']),
    ({"type": "string", "pattern": "^(a*)*$"}, ['"aaa"', '""'], ['"b"']),
    ({"type": "string", "pattern": "^(a?b?){2,}$"}, ['"abab"', '""'], ['"c"']),
    ({"type": "string", "pattern": "^[^/]+$"}, [r'"a\n"', r'"\""', r'"\\"', '"é😀"', r'"\u0001"'], ['"a/b"', '""']),
    ({"type": "string", "pattern": r"^\d{4}-\d{2}$"}, ['"2020-01"'], ['"2020-1"', '"x2020-01"']),
    ({"allOf": [{"pattern": "^a"}, {"pattern": "^ab"}], "type": "string"}, ['"abc"'], ['"ac"']),
    # Patterns with a length, and several patterns: counted by an automaton
    (
        {"type": "string", "pattern": r"\S", "maxLength": 10},
        ['"a"', '"  a "', text("é" * 10)],
        ['""', '"  "', text("a" * 11)],
    ),
    (
        {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "minLength": 3, "maxLength": 63},
        ['"a-b"', text("a-" * 31 + "b"), '"abc"'],
        ['"ab"', '"a--b"', '"-ab"', text("a-" * 32), text("a" * 64)],
    ),
    (
        {"type": "string", "pattern": "^(ab|c)+$", "minLength": 3},
        ['"abc"', '"ccc"', text("ab" * 40)],
        ['"ab"', '"cc"', '"abb"'],
    ),
    (
        {"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": 'b"?$'}]},
        ['"ab"', r'"axb\""', '"aab"'],
        ['"a"', '"b"', '"abx"'],
    ),
    ({"type": "string", "pattern": "^(?!-)[a-z-]{1,9}$"}, ['"a-"'], ['"-a"', '""', text("a" * 10)]),
    # Numbers: exactly those between the limits, without leading zeros
    ({"type": "integer"}, ["0", "-12", "9" * 40], ["-0", "01", "1.0", "1e2", "9" * 41]),
    ({"type": "integer", "minimum": -5, "maximum": 105}, ["-5", "0", "99", "105"], ["-6", "106", "1000"]),
    ({"type": "integer", "multipleOf": 1}, ["3"], ["1.5"]),
    ({"type": "number"}, ["1e5", "1.5E-300", "12.5", "-0"], ["1e999", "12e308", "1e308", ".5", "1.", "NaN"]),
    ({"type": "number", "exclusiveMinimum": 0}, ["0.1", "1", "12.5", "0.0000001"], ["0", "0.0", "-1"]),
    (
        {"type": "number", "minimum": -1.5, "maximum": 2.25},
        ["-1.5", "-1.50", "2.250", "2.2499", "0"],
        ["-1.51", "2.26", "2.2501", "3"],
    ),
    ({"type": "number", "maximum": -0.5}, ["-0.5", "-3", "-0.51"], ["-0.49", "0", "0.5"]),
    # Listed values
    (
        {"enum": ["a", 1, 1.5, None, True, {"k": [1, {}]}, []]},
        ['"a"', "1", "1.5", "null", "true", '{"k":[1,{}]}', "[]"],
        ['"b"', "false", "{}"],
    ),
    ({"const": 'é\u007f\u0085\u2028"\\\n'}, [text('é\u007f\u0085\u2028"\\\n')], ['"é"']),
    ({"enum": ["a", "bb", 3], "type": "string", "not": {"const": "a"}}, ['"bb"'], ['"a"', "3"]),
    # Types and alternatives
    ({"type": ["string", "null"], "maxLength": 1}, ['"a"', "null"], ['"ab"', "1"]),
    ({}, ['{"a":[1,{}]}', "null", "1e5"], [""]),
    ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, ['"a"', "1"], ["1.5"]),
    ({"oneOf": NAMED}, ['{"a":""}', '{"b":""}'], ["{}", '{"a":"","b":""}']),
    ({"oneOf": KINDS}, ['{"kind":"a","v":""}', '{"kind":"b"}'], ["{}", '{"kind":"a","w":""}']),
    (
        {"anyOf": [NAMED[0], {"type": "object", "additionalProperties": {"type": "integer"}}]},
        ['{"a":"x"}', '{"a":1,"ab":2}'],
        ['{"ab":"x"}'],
    ),
    (
        {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object", "properties": SOME},
        ['{"a":1}', '{"b":1,"c":1}'],
        ['{"c":1}'],
    ),
    ({"allOf": [NAMED[0], NAMED[1]]}, ['{"a":"","b":""}'], ['{"a":""}', '{"b":""}']),
    # Arrays
    (
        {"type": "array", "items": {"type": "null"}, "minItems": 1, "maxItems": 3},
        ["[null]", "[null,null,null]"],
        ["[]", "[null,null,null,null]", "[null,]"],
    ),
    (
        {"type": "array", "items": {"type": "string"}, "maxItems": 1_000},
        ["[" + ",".join(['"a"'] * 1_000) + "]"],
        ["[" + ",".join(['"a"'] * 1_001) + "]"],
    ),
    (
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False, "minItems": 1},
        ['["a"]', '["a",1]'],
        ["[]", '["a",1,2]'],
    ),
    (
        {"type": "array", "items": {"enum": ["a", "b", 3]}, "uniqueItems": True},
        ["[]", '["a"]', '[3,"a"]', '["b",3,"a"]'],
        ['["a","a"]', '["a",3,"a"]', '["a","b",3,"b"]', '["c"]'],
    ),
    (
        {"type": "array", "items": {"type": ["boolean", "null"]}, "uniqueItems": True, "minItems": 2, "maxItems": 2},
        ["[true,null]", "[null,false]"],
        ["[]", "[true]", "[null,null]", "[null,true,false]"],
    ),
    (
        {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 40}, "uniqueItems": True}
        | {"maxItems": 2},
        ["[]", "[7]", "[40,39]"],
        ["[7,7]", "[41]", "[1,2,3]"],
    ),
    (
        {"type": "array", "prefixItems": [{"const": "a"}, {"enum": ["a", "b"]}], "items": {"enum": ["b", "c"]}}
        | {"uniqueItems": True},
        ["[]", '["a"]', '["a","b","c"]'],
        ['["a","a"]', '["a","b","b"]', '["a","c"]'],
    ),
    # Objects: the order is the schema's, and open objects have only declared properties
    (
        {"type": "object", "properties": SOME, "required": ["c"]},
        ['{"c":1}', '{"a":1,"b":1,"c":1,"d":1}', '{"b":1,"c":1,"d":1}'],
        ["{}", '{"a":1}', '{"c":1,"a":1}', '{,"c":1}', '{"c":1,}', '{"c":1,"e":1}'],
    ),
    (
        {"type": "object", "properties": SOME},
        ["{}", '{"d":1}', '{"a":1,"d":1}', '{"a":1,"b":1,"c":1,"d":1}'],
        ['{"d":1,"a":1}', '{"a":1,"a":1}'],
    ),
    (
        {"type": "object", "properties": {"a": {}, **{n: SOME[n] for n in "bcd"}}},
        ["{}", '{"c":1}', '{"a":[{}],"b":1,"c":1,"d":1}', '{"b":1,"d":1}'],
        ['{"c":1,"a":1}'],
    ),
    ({"type": "object", "properties": SOME, "minProperties": 1}, ['{"c":1}'], ["{}"]),
    ({"type": "object"}, ['{"any":[1]}', "{}"], ["[]"]),
    ({"type": "object", "properties": {}}, ['{"any":[1]}', "{}"], ["[]"]),
    ({"type": "object", "properties": {}, "required": [], "additionalProperties": {}}, ['{"a":1}', "{}"], ["1"]),
    ({"type": "object", "properties": {}, "additionalProperties": {"type": "null"}}, ['{"a":null}'], ['{"a":1}']),
    ({"type": "object", "additionalProperties": False}, ["{}"], ['{"a":1}']),
    ({"type": "object", "properties": {}, "additionalProperties": False}, ["{}"], ['{"a":1}']),
    (
        {"type": "object", "required": ["a"], "additionalProperties": {"type": "null"}}
        | {"additionalProperties": True},
        ['{"a":[1]}'],
        ["{}"],
    ),
    (MAP, ['{"a":1}', '{"a":1,"b":2}'], ["{}", '{"A":1}', '{"a":1,"b":1,"c":1}']),
]


@each(("schema", "good", "bad"), CASES, ids=[json.dumps(case[0])[:60] for case in CASES])
def test_both_formats_permit_exactly_what_the_subset_says(schema: Any, good: list[str], bad: list[str]) -> None:
    root = holder(schema)

    for matcher in readers(grammar_of([tool(root)])):
        assert [value for value in good if not takes(matcher, call(value))] == []
        assert [value for value in bad if takes(matcher, call(value))] == []
    compiled = compile_schema(root)
    for value in good:
        assert accepts(compiled, {"x": json.loads(value)}) is True


RECURSIVE: list[tuple[Any, list[str], list[str]]] = [
    (NODE, ['{"v":1}', '{"v":1,"next":{"v":2}}'], ['{"v":1,"next":{}}']),
    (LIST, ['"s"', '[[],"s",[["t"]]]'], ["[1]"]),
]


@pytest.mark.parametrize(("definition", "good", "bad"), RECURSIVE, ids=["object", "list"])
def test_a_schema_may_hold_itself(definition: Any, good: list[str], bad: list[str]) -> None:
    schema = holder({"$ref": "#/$defs/n"}, **{"$defs": {"n": definition}})

    for matcher in readers(grammar_of([tool(schema)])):
        assert all(takes(matcher, call(value)) for value in good)
        assert not any(takes(matcher, call(value)) for value in bad)


def test_draft_7_is_read_as_draft_7() -> None:
    pair: Any = {
        "type": "array",
        "items": [{"type": "string"}, {"type": "integer"}],
        "additionalItems": {"type": "null"},
    }
    beside: Any = {"$ref": "#/definitions/s", "maxLength": 1}
    schema: Any = {
        "$schema": DRAFT_7,
        "type": "object",
        "required": ["x", "y"],
        "definitions": {"s": {"type": "string"}},
        "properties": {"x": pair, "y": beside},
    }

    for matcher in readers(grammar_of([tool(schema)])):
        assert takes(matcher, call('["a",1,null],"y":"long"'))
        assert not takes(matcher, call('["a",1,2],"y":"long"'))


UNPORTABLE: list[tuple[Any, list[tuple[str, str]]]] = [
    ({"not": {"type": "string"}}, [("/not", "not")]),
    (
        {"type": "array", "uniqueItems": True, "contains": True},
        [("/contains", "contains"), ("/uniqueItems", "uniqueItems")],
    ),
    ({"if": {"type": "string"}, "then": {"minLength": 1}}, [("/if", "if")]),
    ({"type": "number", "multipleOf": 0.01}, [("/multipleOf", "multipleOf")]),
    ({"type": "string", "pattern": "(?=a)b"}, [("/pattern", "pattern")]),
    ({"type": "string", "pattern": r"(a)\1"}, [("/pattern", "pattern")]),
    ({"type": "string", "pattern": r"\bfoo"}, [("/pattern", "pattern")]),
    ({"type": "string", "pattern": "^(ab|c)+$", "maxLength": 9_000}, [("/maxLength", "maxLength")]),
    (
        {"type": "string", "allOf": [{"pattern": "(a|b)c{30}"}, {"pattern": "a(b|c){90}$"}]},
        [("/allOf/1/pattern", "pattern")],
    ),
    ({"type": "string", "maxLength": 10_000_001}, [("/maxLength", "maxLength")]),
    ({"type": "string", "pattern": "^((a{100}){100}){100}$"}, [("/pattern", "pattern")]),
    ({"oneOf": [{"type": "number"}, {"type": "integer"}]}, [("/oneOf", "oneOf")]),
    (
        {"oneOf": [{"properties": {"b": {}}}, {"required": ["a"]}], "anyOf": [{"properties": {"a": {}}}, {}]},
        [("/oneOf", "oneOf")],
    ),
    (
        {"type": "object", "patternProperties": {"^a": {}}, "dependentRequired": {"a": ["b"]}},
        [("/patternProperties", "patternProperties"), ("/dependentRequired", "dependentRequired")],
    ),
    (
        {"type": "object", "properties": {"a/b": {"not": {}}, "c": {"not": {}}}},
        [("/properties/a~1b/not", "not"), ("/properties/c/not", "not")],
    ),
    (
        {"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "string"}},
        [("/additionalProperties", "additionalProperties")],
    ),
    ({"type": "object", "properties": {"a": {}, "b": {}}, "minProperties": 2}, [("/minProperties", "minProperties")]),
    ({"type": "object", "properties": {"a": {}, "b": {}}, "maxProperties": 1}, [("/maxProperties", "maxProperties")]),
    ({"type": "object", "additionalProperties": {}, "minProperties": 2}, [("/minProperties", "minProperties")]),
    (
        {"type": "object", "properties": {}, "unevaluatedProperties": False},
        [("/unevaluatedProperties", "unevaluatedProperties")],
    ),
    (
        {"type": "object", "dependentSchemas": {"a": {"required": ["b"]}}, "dependencies": {"a": ["b"]}},
        [("/dependentSchemas", "dependentSchemas"), ("/dependencies", "dependencies")],
    ),
    ({"type": "array", "unevaluatedItems": False}, [("/unevaluatedItems", "unevaluatedItems")]),
    ({"$dynamicRef": "#other"}, [("/$dynamicRef", "$dynamicRef")]),
    ({"type": "number", "minimum": 1e-16}, [("/minimum", "minimum")]),
    ({"type": "integer", "minimum": 10**41}, [("/minimum", "minimum")]),
]


@each(("schema", "expected"), UNPORTABLE, ids=[json.dumps(case[0])[:60] for case in UNPORTABLE])
def test_what_a_grammar_cannot_say_is_refused_with_every_pointer(schema: Any, expected: list[tuple[str, str]]) -> None:
    assert refused(holder(schema)) == [(f"/properties/x{pointer}", keyword) for pointer, keyword in expected]


def test_every_keyword_that_is_refused_has_a_case() -> None:
    tried = {keyword for _, expected in UNPORTABLE for _, keyword in expected}

    assert sorted(set().union(*REFUSED.values()) - tried) == [], "add a case to `UNPORTABLE`"


@each("keyword", sorted({keyword for _, expected in UNPORTABLE for _, keyword in expected}))
def test_what_is_refused_is_written_down(keyword: str) -> None:
    assert f"`{keyword}`" in DOCUMENT.read_text("utf-8")


def test_past_the_budget_no_branches_are_proved_to_exclude_each_other() -> None:
    branches: list[tuple[str, JsonValue]] = [("/oneOf/0", {"type": "string"}), ("/oneOf/1", {"type": "integer"})]

    proved = [are_disjoint(Document(True), (), branches, Budget(steps)) for steps in (30_000, 0)]

    assert proved == [True, False]


def test_past_the_budget_of_a_grammar_tools_are_refused() -> None:
    schema: JsonValue = {"type": "object", "properties": {"a": {"enum": [{"b": 1}, "c"]}}}
    budget = Budget(18)

    said = [[fault.message for fault in arguments_rules(schema, name, set(), {}, budget)[2].faults] for name in "ab"]

    assert said == [[], ["the tools of the grammar need more work than allowed"]]


def test_references_that_lead_nowhere_and_loops_are_refused() -> None:
    endless = {"type": "object", "properties": {"next": {"$ref": "#/$defs/n"}}, "required": ["next"]}
    own = {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/n"}]}

    assert refused(holder({"$ref": "#/$defs/no"})) == [("/properties/x/$ref", "$ref")]
    assert refused(holder({"$ref": "#/$defs/n"}, **{"$defs": {"n": endless}})) == [("", "")]
    assert refused(holder({"$ref": "#/$defs/n"}, **{"$defs": {"n": own}})) == [("/$defs/n", "$ref")]


def test_a_loop_of_alternatives_over_two_definitions_is_refused() -> None:
    definitions = {
        "a": {"anyOf": [{"$ref": "#/$defs/b"}, {"type": "string"}]},
        "b": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/a"}}, {"$ref": "#/$defs/a"}]},
    }

    assert {keyword for _, keyword in refused(holder({"$ref": "#/$defs/a"}, **{"$defs": definitions}))} == {"$ref"}


def test_all_tools_that_cannot_be_expressed_are_named() -> None:
    schema = holder({"not": {}})

    contracts = [tool(schema, name="a.one"), tool({"type": "object"}, name="a.fine"), tool(schema, name="a.two")]

    with pytest.raises(NotPortableError, match=r"`a\.one`, `a\.two`") as caught:
        grammar_of(contracts, strict=True)

    assert [loss.tool for loss in caught.value.losses] == ["a.one", "a.two"]


def test_a_tool_without_a_grammar_does_not_refuse_the_others() -> None:
    contracts = [tool(holder({"not": {}}), name="a.one"), tool(holder({"type": "null"}), name="a.fine")]

    found = grammar_of(contracts)

    assert list(found.tools) == ["a.fine"]
    assert [(loss.tool, loss.keyword) for loss in found.refused] == [("a.one", "not")]
    for matcher in readers(found):
        assert takes(matcher, call("null").replace("weather.get_forecast", "a.fine"))
        assert not begins(matcher, '{"tool_name":"a.o')
    with pytest.warns(UserWarning, match=r"leaves out `a\.one`: a grammar cannot express `not`"):
        assert gbnf_of(contracts) == write_gbnf(found.grammar)


LOSSY: list[tuple[Any, list[str], list[str]]] = [
    ({"type": "string", "not": {"const": "a"}}, ['"a"'], ["1"]),
    ({"type": "integer", "multipleOf": 5, "maximum": 9}, ["3"], ["10"]),
    ({"type": "string", "pattern": r"(a)\1", "maxLength": 2}, ['"b"'], ['"aaa"']),
    ({"type": "array", "items": {"type": "string"}, "uniqueItems": True, "maxItems": 2}, ['["a","a"]'], ["[1]"]),
    ({"oneOf": [{"type": "number"}, {"type": "integer"}]}, ["1", "1.5"], ['"a"']),
    ({"type": "object", "properties": SOME, "minProperties": 2}, ['{"a":1}'], ["{}", '{"e":1}']),
    ({"type": "object", "properties": SOME, "additionalProperties": {"type": "null"}}, ['{"a":1}'], ['{"e":null}']),
    ({"type": "number", "minimum": 1e-16}, ["-1"], ['"a"']),
    ({"type": "array", "items": {"type": "null"}, "maxItems": 10**9}, ["[null]"], ["[1]"]),
]


@pytest.mark.parametrize(("schema", "good", "bad"), LOSSY, ids=[json.dumps(case[0])[:60] for case in LOSSY])
def test_with_losses_what_cannot_be_expressed_is_not_enforced(schema: Any, good: list[str], bad: list[str]) -> None:
    found = grammar_of([tool(holder(schema))], lossy=True)

    assert [(loss.pointer, loss.keyword) for loss in found.losses] == refused(holder(schema))
    assert found.refused == ()
    for matcher in readers(found):
        assert [value for value in good if not takes(matcher, call(value))] == []
        assert [value for value in bad if takes(matcher, call(value))] == []


@pytest.mark.parametrize("schema", [{"type": "array"}, holder(False), holder({"$ref": "#/$defs/no"})])
def test_losses_do_not_help_where_nothing_is_valid(schema: Any) -> None:
    with pytest.raises(NotPortableError):
        grammar_of([tool(schema)], lossy=True)


@pytest.mark.parametrize("schema", [None, {"type": "object"}, {"type": "object", "properties": {}}, True])
def test_a_tool_that_declares_no_arguments_takes_none(schema: Any) -> None:
    for matcher in readers(grammar_of([tool(schema)])):
        assert takes(matcher, '{"tool_name":"weather.get_forecast","arguments":{}}')
        assert not takes(matcher, call("1"))
        assert not takes(matcher, '{"tool_name":"weather.get_forecast"}')


def test_that_no_parameters_are_declared_is_a_loss() -> None:
    losses = grammar_of([tool({"type": "object", "properties": {}}), tool(None, name="a.absent")]).losses

    assert [(loss.tool, loss.part, loss.keyword) for loss in losses] == [("weather.get_forecast", "tool", "properties")]


def test_a_tool_that_takes_any_arguments_says_so() -> None:
    matcher = reader(lark_of([tool({"type": "object", "additionalProperties": True})]))

    assert takes(matcher, call("[1]"))


@pytest.mark.parametrize("indent", [None, 0, 1, 2, 8])
def test_whitespace_is_permitted_where_it_is_asked_for_and_bounded(indent: int | None) -> None:
    contract = tool(holder({"type": "array", "items": {"type": "object", "properties": SOME}}))
    message = MCPToolCall(tool_name=contract.name, arguments={"x": [{"d": 1, "a": 2}, {}]})
    written = serialize_call(message, contract, indent=indent)

    for matcher in readers(grammar_of([contract], has_whitespace=True)):
        assert takes(matcher, written)
        assert takes(matcher, json.dumps(json.loads(written)))
        assert begins(matcher, "{\n" + 40 * " ")
        assert not begins(matcher, "{\n" + 41 * " ")
        assert not begins(matcher, "{  ")
        assert not takes(matcher, written + "\n")


def test_a_call_is_written_in_the_order_of_the_schema() -> None:
    kinds: Any = {
        "anyOf": [{"type": "object", "properties": {"b": {}, "a": {}}}, {"type": "object", "properties": SOME}]
    }
    contract = tool({"type": "object", "properties": {"z": kinds, "y": {"enum": [{"q": 1, "p": 2}]}, "x": {}}})
    arguments = {"more": 1, "x": 1.0, "y": {"p": 2, "q": 1}, "z": {"a": 1, "b": 2}}

    written = serialize_call(MCPToolCall(tool_name=contract.name, arguments=arguments), contract)

    assert written == (
        '{"tool_name":"weather.get_forecast","arguments":{"z":{"b":2,"a":1},"y":{"q":1,"p":2},"x":1,"more":1}}'
    )


def test_a_value_of_two_branches_is_written_as_the_one_that_declares_it() -> None:
    branches: Any = [{"type": "object", "properties": {"c": {}}}, {"type": "object", "properties": {"b": {}, "a": {}}}]
    contract = tool(holder({"anyOf": branches}))
    message = MCPToolCall(tool_name=contract.name, arguments={"x": {"a": 1, "b": 2}})

    matcher = reader(lark_of([contract]))

    assert takes(matcher, serialize_call(message, contract))


LIMITS = st.one_of(st.none(), st.integers(-1_200, 1_200))


@given(LIMITS, LIMITS, st.lists(st.integers(-1_300, 1_300), max_size=40))
def test_an_integer_is_permitted_exactly_between_its_limits(
    low: int | None, high: int | None, tried: list[int]
) -> None:
    limits = {k: v for k, v in (("minimum", low), ("exclusiveMaximum", high)) if v is not None}
    if low is not None and high is not None and low >= high:
        return

    matcher = reader(lark_of([tool(holder({"type": "integer", **limits}))]))

    near = {limit + step for limit in limits.values() for step in (-1, 0, 1)}
    for value in near.union(tried):
        is_inside = (low is None or value >= low) and (high is None or value < high)
        assert takes(matcher, call(str(value))) is is_inside


DECIMALS = st.decimals(min_value=-12, max_value=12, places=2).map(float)


@given(DECIMALS, DECIMALS, st.booleans(), st.lists(DECIMALS, min_size=5, max_size=40))
def test_a_number_is_permitted_exactly_between_its_limits(
    one: float, other: float, is_strict: bool, tried: list[float]
) -> None:
    low, high = sorted((one, other))
    keywords = ("exclusiveMinimum", "exclusiveMaximum") if is_strict else ("minimum", "maximum")
    if low == high and is_strict:
        return

    matcher = reader(lark_of([tool(holder({"type": "number", keywords[0]: low, keywords[1]: high}))]))

    for value in (low, high, *tried):
        is_inside = low < value < high or (not is_strict and value in (low, high))
        if value != 0 or not is_inside:
            assert takes(matcher, call(f"{value:.2f}")) is is_inside
            assert takes(matcher, call(f"{value:.4f}")) is is_inside


def test_gbnf_is_of_rules_that_llama_cpp_reads() -> None:
    contracts = [
        tool(holder({"type": "string", "maxLength": 60_000, "description": "é"}), name="a.long_name"),
        tool(holder({"type": "array", "items": {"type": "string", "pattern": "^[^é-ü]{2,900}$"}}), name="a.b"),
    ]

    lines = gbnf_of(contracts).splitlines()

    assert lines[0].startswith("root ::= ")
    for line in lines:
        name, _, body = line.partition(" ::= ")
        assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
        counts = [part.partition("}")[0] for part in body.split("{")[1:] if part[:1].isdigit()]
        assert all(int(number or 0) <= LARGEST for count in counts for number in count.split(","))


@pytest.mark.parametrize(("low", "high"), [(0, 40), (5, 33), (9, 10), (26, 28), (31, None), (0, 81), (3, 3)])
def test_a_repetition_made_of_smaller_ones_counts_the_same(low: int, high: int | None) -> None:
    limits = {"minLength": low} | ({} if high is None else {"maxLength": high})
    written = write_gbnf(grammar_of([tool(holder({"type": "string", **limits}))]).grammar, largest=3)
    matcher = reader(gbnf_to_lark(written))

    for length in range(100):
        assert takes(matcher, call(text("a" * length))) is (low <= length <= (length if high is None else high))


@pytest.mark.skipif(not LIBRARY, reason="MCP_CONTRACTS_LLAMA_ENGINE names no engine of llama.cpp; see docs/grammars.md")
def test_the_engine_of_llama_cpp_judges_the_same_texts() -> None:
    *_, engine = readers(grammar_of([tool(holder({"type": "string", "maxLength": 2_500}))]))

    assert takes(engine, call(text("a" * 2_500)))
    assert not takes(engine, call(text("a" * 2_501)))
    assert begins(engine, call(text(""))[:-2])
    with pytest.raises(AssertionError, match=r"llama\.cpp refuses"):
        LlamaGrammar("root ::= (((")


def test_the_same_contracts_give_the_same_bytes() -> None:
    contracts = [tool(holder({"anyOf": KINDS}), name="a.one"), tool(MAP, name="a.two")]

    assert gbnf_of(contracts) == write_gbnf(grammar_of(contracts).grammar)
    assert gbnf_of(contracts) == gbnf_of(contracts)
    assert lark_of(contracts) == lark_of(contracts)
    assert json.dumps(schema_of(contracts)) == json.dumps(schema_of(contracts))


def test_names_of_rules_stay_apart() -> None:
    names = ["a.b_c", "a_b.c", "a.b.c", "code.unit", "number.x", "1.2"]

    for matcher in readers(grammar_of([tool(holder({"const": name}), name=name) for name in names])):
        for name in names:
            for other in names:
                written = json.dumps({"tool_name": name, "arguments": {"x": other}}, separators=(",", ":"))
                assert takes(matcher, written) is (name == other)


@pytest.mark.parametrize("build", [gbnf_of, lark_of, schema_of])
def test_there_must_be_a_tool_and_each_name_once(build: Any) -> None:
    versions = [tool({"type": "object"}, version="1.0.0"), tool({"type": "object"}, version="2.0.0")]

    with pytest.raises(UsageError, match="no tool"):
        build([])
    with pytest.raises(UsageError, match="two versions"):
        build(versions)


def test_a_schema_that_represents_itself_cannot_are_in_a_union() -> None:
    with pytest.raises(NotPortableError) as caught:
        schema_of([tool(holder({"$id": "https://example.com/x", "type": "string"}))])

    assert [(loss.pointer, loss.keyword) for loss in caught.value.losses] == [("/properties/x/$id", "$id")]
    contracts = [tool(holder({"$id": "https://example.com/x"}), name="a.one"), tool(None, name="a.two")]
    with pytest.warns(UserWarning, match=r"leaves out `a\.one`"):
        union: Any = schema_of(contracts)
    assert list(union["$defs"]) == ["a.two"]
    with pytest.raises(NotPortableError):
        schema_of(contracts, strict=True)


def test_a_contract_is_not_changed() -> None:
    schema = holder({"$ref": "#/$defs/n"}, **{"$defs": {"n": NODE}})
    before = json.dumps(schema)

    schema_of([tool(schema)])
    grammar_of([tool(schema)])

    assert json.dumps(schema) == before


def test_a_schema_of_draft_7_that_is_a_reference_keeps_its_definitions_in_a_union() -> None:
    text = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    draft_7: Any = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$ref": "#/definitions/text",
        "definitions": {"text": text},
    }

    union = compile_schema(schema_of([tool(draft_7, name="a.one"), tool(draft_7, name="a.two")]))

    assert accepts(union, {"tool_name": "a.two", "arguments": {"a": "x"}}) is True
    assert accepts(union, {"tool_name": "a.two", "arguments": {}}) is False
