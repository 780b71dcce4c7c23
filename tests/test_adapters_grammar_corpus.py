"""Grammars for the tools of published servers and specifications, which permit their calls and nothing else.

The tool lists belong to others and are not part of the project: `MCP_CONTRACTS_CORPUS` is the folder that contains
`corpus/servers/`.
"""

from __future__ import annotations

import copy
import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.adapters.base import NotPortableError
from mcp_contracts.adapters.grammar.calls import grammar_of, serialize_call
from mcp_contracts.adapters.grammar.lark import write_lark
from mcp_contracts.adapters.grammar.union import schema_of
from mcp_contracts.contract import ToolContract
from mcp_contracts.messages import MCPToolCall
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.schema.walk import subschemas
from mcp_contracts.sources.load import load
from mcp_contracts.tool_names import qualify
from mcp_contracts.witnesses.candidates import candidates
from tests.grammar_oracle import begins, reader, readers, takes
from tests.sweeps import share, sweep

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
FOLDER = Path(CORPUS or "/nowhere") / "corpus"
LISTS = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.glob("servers/*/*.json"))
ONE_EACH = sorted({path.rpartition("/")[0]: path for path in LISTS}.values())  # versions of a server differ little
SPECS = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.glob("specs/**/*.md"))
WRONG: tuple[Any, ...] = ([], {}, {"a": 1}, [{"zz": None}], 0, -1, 1.5, -(10**30), 10**30, True, None, "", "no such")
CALLS = 6

pytestmark = pytest.mark.skipif(not CORPUS, reason="MCP_CONTRACTS_CORPUS does not say where the servers are")


@cache
def tools(name: str) -> tuple[ToolContract, ...]:
    """Return the tools with parameters of one list or specification, under their dotted names."""
    return qualify(contract for contract in load(FOLDER / name) if isinstance(contract.input_schema, dict))


def closed(schema: Any) -> Any:
    """Return a schema whose objects have only declared properties, as a grammar reads them."""
    found = copy.deepcopy(schema)
    for node in subschemas(found):
        if "properties" in node.value or not node.pointer:
            node.value.setdefault("properties", {})
            node.value["additionalProperties"] = False
    return found


def valid_arguments(schema: Any) -> list[dict[str, Any]]:
    """Return some arguments that a schema accepts."""
    compiled = compile_schema(schema)
    found = (value for value in candidates(schema, {}, most=400) if accepts(compiled, value) is True)
    return [value for value in islice(found, CALLS) if isinstance(value, dict)]


def mutants(schema: Any, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return arguments that differ in one property, or in a part of one, and that the schema rejects."""
    compiled = compile_schema(schema)
    changed = [{**arguments, "no_such_property": 1}]
    for name, value in arguments.items():
        changed.append({other: item for other, item in arguments.items() if other != name})
        changed += [{**arguments, name: wrong} for wrong in WRONG]
        if isinstance(value, list) and value:
            changed += [{**arguments, name: [*value, wrong]} for wrong in WRONG]
        if isinstance(value, dict):
            changed += [{**arguments, name: {**value, part: wrong}} for part in value for wrong in WRONG]
    yield from (mutant for mutant in changed if accepts(compiled, mutant) is False)


@sweep
@pytest.mark.parametrize(
    ("name", "has_whitespace"),
    share([*((name, False) for name in (*ONE_EACH, *SPECS)), *((name, True) for name in ONE_EACH[::2])], 5),
)
def test_valid_calls_of_every_tool_are_taken_and_mutants_refused(name: str, has_whitespace: bool) -> None:
    indent = 2 if has_whitespace else None
    contracts = tools(name)
    if not contracts:
        return  # a specification without tools
    both = readers(grammar_of(contracts, has_whitespace=has_whitespace))
    taken = refused = 0
    for contract in contracts:
        schema = closed(contract.input_schema)
        samples = valid_arguments(schema)
        assert samples
        for arguments in samples:
            call = MCPToolCall(tool_name=contract.name, arguments=arguments)
            text = serialize_call(call, contract, indent=indent)
            unnamed = text.replace(contract.name, f"{contract.name}_x", 1)
            for matcher in both:
                assert takes(matcher, text), text
                assert begins(matcher, text[:-1])
                assert begins(matcher, text[: len(text) // 2])
                assert not takes(matcher, f"{text} ")
                assert not takes(matcher, unnamed)
            taken += 1
        for mutant in islice(mutants(schema, samples[-1]), 30):
            call = MCPToolCall(tool_name=contract.name, arguments=mutant)
            text = serialize_call(call, contract, indent=indent)
            assert not any(takes(matcher, text) for matcher in both), text
            refused += 1
    assert taken >= len(contracts)
    assert refused >= len(contracts)


def test_no_tool_of_the_corpus_is_outside_of_the_subset() -> None:
    refused: Counter[str] = Counter()
    count = 0
    for name in (*LISTS, *SPECS):
        for contract in tools(name):
            count += 1
            try:
                grammar_of([contract])
            except NotPortableError as error:
                refused.update({loss.keyword for loss in error.losses})

    assert count > 300
    assert refused == {}


def test_a_union_of_100_tools_takes_a_call_of_each_and_of_no_other() -> None:
    found = [contract for name in LISTS for contract in tools(name)]
    hundred = [replace(one, name=f"t{number}.{one.name.partition('.')[2]}") for number, one in enumerate(found[:100])]

    matcher = reader(write_lark(grammar_of(hundred).grammar))

    for contract in hundred:
        arguments = valid_arguments(closed(contract.input_schema))[0]
        call = MCPToolCall(tool_name=contract.name, arguments=arguments)
        assert takes(matcher, serialize_call(call, contract))
        assert not takes(matcher, serialize_call(replace_name(call, "t100.x"), contract))


def replace_name(call: MCPToolCall, name: str) -> MCPToolCall:
    """Return the same call of another tool."""
    return call.model_copy(update={"tool_name": name})


@pytest.mark.parametrize("name", ONE_EACH)
def test_the_union_of_the_schemas_accepts_only_the_calls_of_its_tools(name: str) -> None:
    contracts = tools(name)
    union = compile_schema(schema_of(contracts))

    assert union.refusal is None
    for contract in contracts:
        schema = closed(contract.input_schema)
        arguments = valid_arguments(schema)[-1]
        call: Any = json.loads(serialize_call(MCPToolCall(tool_name=contract.name, arguments=arguments), contract))
        assert accepts(union, call) is True
        assert accepts(union, {**call, "tool_name": "no.such_tool"}) is False
        for mutant in islice(mutants(schema, arguments), 30):
            if accepts(compile_schema(contract.input_schema), mutant) is False:
                assert accepts(union, {**call, "arguments": mutant}) is False
