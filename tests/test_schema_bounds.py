"""No schema, pattern or value stalls, crashes or sends a request; beyond the bounds, the answer is unknown."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.contract import JsonValue
from mcp_contracts.schema import effort
from mcp_contracts.schema.references import references
from mcp_contracts.schema.validation.compiled import Outcome, RefusalKind
from mcp_contracts.schema.validation.validators import compile_schema, compiles_pattern, instance_errors, schema_errors
from tests import schema_strategies
from tests.support_schemas import DRAFT_7
from tests.tables import each

WORST = "a" * 32 + "!"


def judge(schema: JsonValue, value: JsonValue) -> Outcome:
    return instance_errors(compile_schema(schema), value)


def doubling(levels: int) -> dict[str, JsonValue]:
    """Return a schema whose definitions each refer twice to the next one."""
    definitions: dict[str, JsonValue] = {
        f"d{level}": {"allOf": [{"$ref": f"#/$defs/d{level + 1}"}, {"$ref": f"#/$defs/d{level + 1}"}]}
        for level in range(levels)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{levels}": {"type": "integer"}}}


# Bounds


def test_a_catastrophic_pattern_is_judged_in_linear_time() -> None:
    compiled = compile_schema({"pattern": "^(a+)+$"})

    assert compiled.probes == ()
    assert [error.keyword for error in instance_errors(compiled, WORST).errors] == ["pattern"]


@each("pattern", [r"(a*)*\1b", r"(?:(?=.*!)a)*b"])
@each(
    "around",
    [
        lambda schema: schema,
        lambda schema: {"not": schema},
        lambda schema: {"anyOf": [schema, {"type": "null"}]},
        lambda schema: {"if": schema, "then": False},
        lambda schema: {"properties": {"a": {"items": schema}}},
    ],
)
def test_a_pattern_past_its_limit_is_unknown_at_any_place(pattern: str, around: Any) -> None:
    schema = around({"pattern": pattern})
    text = "a" * 600 + "!"

    outcome = judge(schema, {"a": [text]} if "properties" in schema else text)

    assert outcome.errors == ()
    assert outcome.unknown == "a pattern takes too many steps"


def test_a_pattern_for_names_past_its_limit_is_unknown() -> None:
    outcome = judge({"patternProperties": {r"(a*)*\1b": {"type": "null"}}}, {"a" * 600: 1})

    assert outcome.unknown is not None


@pytest.mark.parametrize("pattern", [r"^(a+)\1+$", r"(?=.*(a|a)*$)b", r"^(?:(a+)+)\1$"])
def test_a_string_of_a_megabyte_is_not_given_to_the_backtracking_engine(pattern: str) -> None:
    assert judge({"pattern": pattern}, "a" * 1_000_000).unknown is not None


def test_a_string_of_a_megabyte_is_judged_by_a_plain_pattern() -> None:
    assert judge({"pattern": "^a+$"}, "a" * 1_000_000).is_valid


def test_a_pattern_of_many_states_is_not_run_over_a_long_string() -> None:
    assert judge({"pattern": "[ab]*a[ab]{2000}c"}, "ab" * 4_000).unknown is not None


def test_ordinary_patterns_with_look_around_are_judged() -> None:
    schema: JsonValue = {"pattern": r"^(?!.*\.\.)(?!/)[\w./-]{1,255}$"}

    assert judge(schema, "src/main.py").is_valid
    assert judge(schema, "../secret").errors


def test_many_large_patterns_are_refused_together() -> None:
    properties: JsonValue = {f"p{index}": {"pattern": rf"^\p{{L}}{{{index},250}}$"} for index in range(200)}

    refusal = compile_schema({"properties": properties}).refusal

    assert refusal is not None
    assert refusal.kind is RefusalKind.PATTERN


@pytest.mark.parametrize("value", [1, "x"])
def test_references_that_multiply_past_the_bound_are_unknown(value: JsonValue) -> None:
    assert judge(doubling(30), value).unknown == "validation takes too many steps"


def test_references_that_multiply_a_little_are_judged_with_few_errors() -> None:
    assert judge(doubling(8), 1).is_valid
    assert len(judge(doubling(12), "x").errors) == 1


def test_recursion_that_doubles_with_the_depth_of_the_value_is_unknown() -> None:
    value: JsonValue = {}
    for _ in range(60):
        value = {"a": value}

    assert judge({"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}}, value).unknown is not None


def test_a_recursive_schema_judges_ordinary_values() -> None:
    schema: JsonValue = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
        "additionalProperties": {"$ref": "#"},
    }
    value: JsonValue = {"name": "a", "children": [{"name": "b", "children": [{"name": 3}]}]}

    assert [error.pointer for error in judge(schema, value).errors] == ["/children/0/children/0/name"]


@pytest.mark.parametrize(
    "value",
    [
        "\ud800",
        {"\ud800": 1},
        ["\udfff\ud800"],
        math.inf,
        -math.inf,
        math.nan,
        {1: 2},
        object(),
        {"a": b""},
        {"a": {1}},
        (1,),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_json_is_unknown(value: Any) -> None:
    outcome = judge({"type": "object", "properties": {"a": {"type": "string"}}}, value)

    assert outcome.errors == ()
    assert outcome.unknown is not None


@pytest.mark.parametrize("value", [10**400, -(10**400), 2**64, 1e308, 5e-324, -0.0, "\x00", "😀", "\u202e"], ids=repr)
def test_odd_values_are_judged(value: JsonValue) -> None:
    assert judge({}, value).is_valid
    assert len(judge({"type": "null"}, value).errors) == 1


def test_a_value_of_any_depth_is_survived() -> None:
    value: JsonValue = 1
    for _ in range(50_000):
        value = [value]

    outcome = judge({"type": "array", "items": {"$ref": "#"}}, value)

    assert outcome.unknown == "the value is nested more than 200 levels deep"


def test_references_that_nest_too_deep_for_a_stack_are_unknown() -> None:
    definitions: dict[str, JsonValue] = {
        f"d{level}": {"allOf": [{"$ref": f"#/$defs/d{level + 1}"}]} for level in range(5_000)
    }
    schema: JsonValue = {"$ref": "#/$defs/d0", "$defs": {**definitions, "d5000": {"type": "integer"}}}

    assert judge(schema, "x").unknown == "validation takes too many steps"


@given(
    schema_strategies.schemas(),
    st.recursive(
        st.one_of(st.none(), st.integers(), st.floats(), st.text(st.characters(codec=None)), st.binary(max_size=2)),
        lambda inner: st.one_of(
            st.lists(inner), st.dictionaries(st.text(st.characters(codec=None), max_size=2), inner)
        ),
        max_leaves=4,
    ),
)
def test_no_value_makes_it_raise(schema: JsonValue, value: Any) -> None:
    outcome = judge(schema, value)

    assert all("\n" not in error.message and error.message.isprintable() for error in outcome.errors)


def test_patterns_are_compiled_one_by_one() -> None:
    assert compiles_pattern("^a$")
    assert compiles_pattern(r"(?=a)\w")
    assert not compiles_pattern("([")
    assert not compiles_pattern("a" * (effort.PATTERN_CHARACTERS + 1))


# The network


@pytest.fixture
def requests() -> Iterator[tuple[str, list[str]]]:
    """Yield a loopback server's address, and the requested paths."""
    asked: list[str] = []

    class Counting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"type": "string"}')

        def log_message(self, *arguments: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Counting)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "{server}/a"},
        {"properties": {"a": {"$ref": "{server}/a#/b"}}},
        {"$schema": DRAFT_7, "properties": {"a": {"$ref": "{server}/a"}}},
        {"$id": "{server}/root", "$ref": "a"},
        {"$id": "{server}/root", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"$id": "b", "$ref": "c"}}},
        {"$dynamicRef": "{server}/a#x"},
        {"$schema": "{server}/dialect", "type": "object"},
        {"$defs": {"a": {"$id": "{server}/a", "$schema": "{server}/dialect", "type": "string"}}, "$ref": "{server}/a"},
        {"$schema": "{server}/dialect", "$vocabulary": {"{server}/v": True}},
        {"allOf": [{"$schema": "{server}/dialect", "type": "strnig"}]},
    ],
)
def test_no_schema_makes_it_ask_the_network(schema: Any, requests: tuple[str, list[str]]) -> None:
    server, asked = requests

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {filled(key): filled(item) for key, item in value.items()}
        if isinstance(value, list):
            return [filled(item) for item in value]
        return value.replace("{server}", server) if isinstance(value, str) else value

    whole = filled(schema)
    schema_errors(whole)
    references(whole)
    for pointer in ("", "/properties/a", "/$defs/a", "/allOf/0"):
        instance_errors(compile_schema(whole, pointer), {"a": 1})

    assert asked == []
