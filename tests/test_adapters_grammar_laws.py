"""Laws of grammars: the schema accepts everything that a grammar permits, and both formats permit the same."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_contracts.adapters.base import NotPortableError
from mcp_contracts.adapters.grammar.calls import grammar_of, serialize_call
from mcp_contracts.adapters.grammar.union import schema_of
from mcp_contracts.messages import MCPToolCall
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from tests.grammar_oracle import permitted, readers, takes
from tests.schema_strategies import schemas, values
from tests.support_schemas import tool

law = settings(suppress_health_check=list(HealthCheck))


def around(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema of arguments with a schema for the property `x`."""
    holders: dict[str, Any] = {name: schema[name] for name in ("$schema", "$defs", "definitions") if name in schema}
    inner = {name: part for name, part in schema.items() if name not in holders}
    shape = {"type": "object", "properties": {"x": inner}, "required": ["x"], "additionalProperties": False}
    return {**holders, **shape}


@law
@given(st.booleans().flatmap(lambda draft_7: schemas(draft_7=draft_7)), st.integers(0, 2**32), st.booleans())
def test_what_a_grammar_permits_is_what_the_schema_accepts(
    schema: dict[str, Any], seed: int, has_whitespace: bool
) -> None:
    root = around(schema)
    try:
        grammar = grammar_of([tool(root)], has_whitespace=has_whitespace)
    except NotPortableError:
        return

    both = readers(grammar)
    chance = random.Random(seed)

    for matcher in both[:2]:  # llguidance returns the possible next tokens
        for _ in range(3):
            text = permitted(matcher, chance)
            if text is not None:
                call = json.loads(text)
                assert list(call) == ["tool_name", "arguments"]
                assert accepts(compile_schema(root), call["arguments"]) is True
                assert all(takes(other, text) for other in both)


@law
@given(schemas(), st.lists(values, min_size=1, max_size=5), st.booleans())
def test_a_value_without_objects_is_permitted_exactly_where_the_schema_accepts_it(
    schema: dict[str, Any], tried: list[Any], has_whitespace: bool
) -> None:
    root = around(schema)
    contract = tool(root)
    try:
        grammar = grammar_of([contract], has_whitespace=has_whitespace)
    except NotPortableError:
        return

    lark, gbnf, *engines = readers(grammar)

    for value in tried:
        call = MCPToolCall(tool_name=contract.name, arguments={"x": value})
        text = serialize_call(call, contract, indent=2 if has_whitespace else None)
        assert json.loads(text) == {"tool_name": contract.name, "arguments": {"x": value}}
        assert {takes(one, text) for one in (gbnf, *engines)} == {takes(lark, text)}
        if "{" not in text.partition('"x":')[2]:  # an open object permits less than the schema
            assert takes(lark, text) is accepts(compile_schema(root), {"x": value})


@law
@given(st.booleans().flatmap(lambda draft_7: schemas(draft_7=draft_7)), st.lists(values, min_size=1, max_size=5))
def test_the_union_of_schemas_accepts_the_calls_that_each_schema_accepts(
    schema: dict[str, Any], tried: list[Any]
) -> None:
    root = around(schema)
    try:
        union = compile_schema(
            schema_of([tool(root, name="a.one"), tool({"type": "object"}, name="a.two")], strict=True)
        )
    except NotPortableError:
        return

    assert union.refusal is None
    for value in tried:
        call: dict[str, Any] = {"tool_name": "a.one", "arguments": {"x": value}}
        assert accepts(union, call) is accepts(compile_schema(root), {"x": value})
        assert accepts(union, {**call, "tool_name": "a.three"}) is False
