"""Strict tools stay in OpenAI's subset, and a model's arguments for them become a call of the contract."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_contracts.adapters import openai, openai_strict
from mcp_contracts.adapters.base import NotPortableError, ProviderCall, RefusedCall, ToolSet
from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPToolCall
from mcp_contracts.providers.changes import ChangeKind
from mcp_contracts.providers.strict.form import strict_form
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.tool_names import qualified_name
from tests.adapter_corpus import differences, lists, needs_corpus, newest
from tests.strict_instances import faults, instances, typed_schemas
from tests.sweeps import size
from tests.test_adapters_openai import INTERFACES, NO_ORACLE, contracts, one

OPTIONAL: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "default": 3}},
    "required": ["city"],
}
MAP: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"headers": {"type": "object", "additionalProperties": {"type": "string"}}},
}


def exported(name: str) -> ToolSet:
    return openai_strict.tools_out(lists()[name], plain_where_refused=True)


def parameters(tool: dict[str, JsonValue]) -> Any:
    function: Any = tool.get("function", tool)
    return function["parameters"]


def test_a_strict_tool_says_so_and_lists_its_losses() -> None:
    found = openai_strict.tools_out(one(OPTIONAL))
    responses = openai_strict.tools_out(one(OPTIONAL), interface="responses")

    schema = {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {"type": ["integer", "null"], "description": "Default: 3."},
        },
        "required": ["city", "days"],
        "additionalProperties": False,
    }
    function = {"name": "weather__get_forecast", "description": "Forecast.", "parameters": schema, "strict": True}
    assert found.tools == [{"type": "function", "function": function}]
    assert responses.tools == [{"type": "function", **function}]
    assert [(loss.part, loss.pointer, loss.keyword) for loss in found.losses] == [
        ("input", "/properties/days/default", "default")
    ]


def test_a_map_is_refused_with_tool_and_pointer() -> None:
    with pytest.raises(NotPortableError) as caught:
        openai_strict.tools_out(
            contracts({"name": "send", "inputSchema": MAP}, {"name": "ok", "inputSchema": OPTIONAL})
        )

    (loss,) = caught.value.losses
    assert (loss.tool, loss.pointer) == ("weather.send", "/properties/headers/additionalProperties")


def test_a_tool_without_a_strict_form_can_go_out_without_strict_mode() -> None:
    tools = contracts({"name": "send", "inputSchema": MAP}, {"name": "ok", "inputSchema": OPTIONAL})

    found = openai_strict.tools_out(tools, plain_where_refused=True)

    assert found.names.to_provider == {"weather.send": "weather__send", "weather.ok": "weather__ok"}
    assert parameters(found.tools[0]) == MAP
    assert "strict" not in str(found.tools[0])
    assert ("weather.send", "/properties/headers/additionalProperties") in {
        (loss.tool, loss.pointer) for loss in found.losses
    }


def test_a_null_that_means_left_out_is_left_out_of_the_call() -> None:
    tools = openai_strict.strict_tools(one(OPTIONAL))
    block = openai.call_block("1", "weather__get_forecast", '{"city": "Bern", "days": null}', "chat")

    found = openai_strict.call_in(block, tools)

    expected = ProviderCall("1", MCPToolCall(tool_name="weather.get_forecast", arguments={"city": "Bern"}))
    assert found == expected
    for interface in INTERFACES:
        sent = openai_strict.call_out(expected, tools, interface=interface)
        assert '"days":null' in json.dumps(sent).replace("\\", "")
        assert openai_strict.calls_in([sent] if interface == "responses" else {"tool_calls": [sent]}, tools) == (found,)
    assert openai_strict.calls_in(openai_strict.calls_out([expected], tools), tools) == (found,)


@pytest.mark.parametrize(("name", "arguments"), [("weather__get_forecast", '{"city"'), ("gone", "{}")])
def test_a_call_that_cannot_be_run_is_refused(name: str, arguments: str) -> None:
    found = openai_strict.call_in(
        openai.call_block("1", name, arguments, "responses"), openai_strict.strict_tools(one(OPTIONAL))
    )

    assert isinstance(found, RefusedCall)


@needs_corpus
@pytest.mark.parametrize("name", newest())
def test_a_published_list_comes_back_equal_except_for_what_is_listed(name: str) -> None:
    sent = exported(name)
    back = openai_strict.tools_in(json.loads(json.dumps(sent.tools)), names=sent.names)

    for contract, other in zip(lists()[name], back, strict=True):
        form = strict_form(contract.input_schema)
        listed = {loss.keyword for loss in sent.losses if loss.tool == other.name and loss.part != "input"}
        different = differences(contract, other)
        assert different - {"input_schema"} == listed
        assert ("input_schema" in different) <= bool(form.changes)
        if form.schema is not None:
            assert other.input_schema == form.schema


@needs_corpus
@pytest.mark.parametrize("name", newest())
def test_every_place_where_a_published_schema_changed_is_listed(name: str) -> None:
    for contract in lists()[name]:
        form = strict_form(contract.input_schema)
        if form.schema is None:
            continue
        pointers = {change.pointer for change in form.changes}
        for pointer in _different(contract.input_schema, form.schema, ""):
            assert any(pointer == known or pointer.startswith(f"{known}/") for known in pointers), pointer


def _different(one: Any, two: Any, pointer: str) -> list[str]:
    """Return where two schemas differ, except in descriptions and in `required`, which has all names."""
    if isinstance(one, dict) and isinstance(two, dict):
        found = []
        for key in {*one, *two} - {"description"}:
            if key == "required" and isinstance(two.get(key), list):
                continue
            if key not in one or key not in two:
                found.append(f"{pointer}/{key}")
            else:
                found.extend(_different(one[key], two[key], f"{pointer}/{key}"))
        return found
    return [] if one == two else [pointer]


@needs_corpus
@pytest.mark.parametrize("name", newest())
def test_a_published_tool_without_a_loss_turns_strict_values_into_valid_calls(name: str) -> None:
    tools = openai_strict.strict_tools(lists()[name])
    listed = {loss.tool for loss in exported(name).losses if loss.part == "input"}

    @given(st.data())
    @settings(max_examples=size(40, 10), suppress_health_check=list(HealthCheck))
    def hold(data: st.DataObject) -> None:
        for contract in lists()[name]:
            dotted = qualified_name(contract)
            schema = tools.forms[dotted].schema
            if dotted in listed or schema is None:
                continue
            assert not list(faults(schema))
            value = data.draw(instances(schema))
            assert accepts(compile_schema(schema), value)
            block = openai.call_block("1", tools.names.to_provider[dotted], json.dumps(value), "chat")
            found = openai_strict.call_in(block, tools)
            assert isinstance(found, ProviderCall)
            assert accepts(compile_schema(contract.input_schema), found.call.arguments)
            assert openai_strict.call_in(openai_strict.call_out(found, tools), tools) == found

    hold()


@needs_corpus
@pytest.mark.parametrize("name", newest())
def test_openais_own_package_has_nothing_to_change_in_a_published_strict_schema(name: str) -> None:
    oracle = pytest.importorskip("openai.lib._pydantic", reason=NO_ORACLE)

    for contract in lists()[name]:
        schema = strict_form(contract.input_schema).schema
        if schema is not None:
            theirs = copy.deepcopy(schema)
            assert oracle._ensure_strict_json_schema(theirs, path=(), root=theirs) == schema


@given(typed_schemas())
@settings(suppress_health_check=list(HealthCheck))
def test_openais_own_package_has_nothing_to_change_in_a_strict_schema(schema: Any) -> None:
    oracle = pytest.importorskip("openai.lib._pydantic", reason=NO_ORACLE)
    form = strict_form(schema)

    if form.schema is not None:
        theirs = copy.deepcopy(form.schema)
        assert oracle._ensure_strict_json_schema(theirs, path=(), root=theirs) == form.schema


def test_a_model_of_openais_own_helper_has_itself_for_its_strict_form() -> None:
    helper = pytest.importorskip("openai", reason=NO_ORACLE)
    from pydantic import BaseModel

    class Place(BaseModel):
        city: str
        days: int | None

    class Forecast(BaseModel):
        """Forecast."""

        places: list[Place]

    theirs = helper.pydantic_function_tool(Forecast)["function"]["parameters"]

    form = strict_form(theirs)

    assert form.schema == theirs
    assert not [change for change in form.changes if change.kind is not ChangeKind.FORM]
