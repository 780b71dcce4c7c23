"""Contracts, calls and results in Gemini's format and back: every loss is listed."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.adapters.base import NotPortableError, ProviderCall, RefusedCall
from mcp_contracts.adapters.gemini import (
    SchemaForm,
    call_in,
    call_out,
    calls_in,
    calls_out,
    names_of,
    result_in,
    result_out,
    results_in,
    tools_in,
    tools_out,
)
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult, ResultStatus
from mcp_contracts.providers.changes import ChangeKind
from mcp_contracts.providers.gemini.form import gemini_form
from mcp_contracts.providers.gemini.reading import json_schema_of
from mcp_contracts.schema.references import follow
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.sources.load import load
from mcp_contracts.sources.tool_lists import read_tool_list
from mcp_contracts.tool_names import qualified_name
from tests.adapter_corpus import differences, lists, needs_corpus
from tests.adapter_messages import RESULTS, VALUES, calls
from tests.schema_strategies import schemas, values
from tests.tables import each

NAMES = names_of(["weather.get_forecast", "weather.list"])
FORMS: tuple[SchemaForm, ...] = ("subset", "json")
WORDS = st.sampled_from(
    ["functionCall", "functionResponse", "response", "name", "args", "id", "parts", "content", "candidates", "tools",
     "functionDeclarations", "parameters", "type", "properties", "anyOf", "output", "error"]
)  # fmt: skip
IN_EACH_FORM = pytest.mark.parametrize("form", FORMS)


def contracts_of(*tools: dict[str, Any]) -> tuple[ToolContract, ...]:
    return read_tool_list("weather.json", json.dumps({"serverInfo": {"name": "weather"}, "tools": tools})).contracts


def with_input(schema: Any) -> tuple[ToolContract, ...]:
    return contracts_of({"name": "get", "inputSchema": schema})


def with_property(schema: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": schema}, **more}


def declared(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [declaration for tool in tools for declaration in tool["functionDeclarations"]]


def form_of(schema: Any) -> tuple[Any, list[tuple[str, str]]]:
    """Return the form of a property, and the kinds of the changes with their keywords."""
    found = gemini_form(with_property(schema))
    assert found.schema is not None
    properties: Any = found.schema["properties"]
    return properties["x"], [(change.keyword, change.kind.value) for change in found.changes]


def assert_all_comes_back_but_losses(contracts: Iterable[ToolContract], form: SchemaForm) -> None:
    contracts = tuple(contracts)
    found = tools_out(contracts, schemas=form)

    back = tools_in(json.loads(json.dumps(found.tools)), names=found.names)

    assert len(back) == len(contracts)
    for contract, other in zip(contracts, back, strict=True):
        listed = [loss for loss in found.losses if loss.tool == qualified_name(contract)]
        lost = {"input_schema" if loss.part == "input" else loss.keyword for loss in listed}
        assert differences(contract, other) <= lost
        assert {loss.keyword for loss in listed if loss.part != "input"} <= differences(contract, other)


@needs_corpus
@IN_EACH_FORM
def test_every_published_server_comes_back_in_everything_but_the_losses(form: SchemaForm) -> None:
    for contracts in lists().values():
        assert_all_comes_back_but_losses(contracts, form)


@IN_EACH_FORM
def test_our_own_specifications_come_back_in_everything_but_the_losses(form: SchemaForm) -> None:
    assert_all_comes_back_but_losses(load("specs/"), form)


# Schemas in the subset


@pytest.mark.parametrize("is_draft_7", [False, True])
def test_only_listed_changes_change_what_a_schema_accepts(*, is_draft_7: bool) -> None:
    @given(schemas(draft_7=is_draft_7), st.lists(values, min_size=5, max_size=15))
    def law(inner: dict[str, Any], some: list[Any]) -> None:
        around = {key: inner.pop(key) for key in ("$defs", "definitions", "$schema") if key in inner}
        schema = with_property(inner, required=["x"], **around)
        before = copy.deepcopy(schema)

        found = gemini_form(schema)

        assert schema == before
        assert (found.schema is None) == bool(found.refusals)
        if found.schema is None:
            return
        back = json_schema_of(found.schema)
        kinds = {change.kind for change in found.changes}
        assert found.changes or back == schema
        ours, theirs = compile_schema(schema), compile_schema(back)
        for value in some:
            asked, sent = accepts(ours, {"x": value}), accepts(theirs, {"x": value})
            assert ChangeKind.NARROWED in kinds or not asked or sent is not False
            assert ChangeKind.WIDENED in kinds or not sent or asked is not False

    law()


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "string", "title": "X", "description": "An x.", "default": "a", "enum": ["a", "b"]},
        {"type": "string", "pattern": "^a", "minLength": 1, "maxLength": 3},
        {"type": "string", "format": "date-time"},
        {"type": ["string", "null"]},
        {"type": ["string", "null"], "enum": ["a", None]},
        {"type": "integer", "minimum": 1, "maximum": 9, "format": "int32"},
        {"type": "number", "default": 0.5},
        {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2},
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "minProperties": 1},
        {"type": "object"},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    ],
)
def test_what_the_subset_has_comes_back_word_for_word(schema: Any) -> None:
    found = gemini_form(with_property(schema))

    assert found.changes == ()
    assert found.schema is not None
    assert json_schema_of(found.schema) == with_property(schema)


@each(
    ("schema", "form", "changes"),
    [
        ({"type": "string", "format": "uri", "description": "An x."},
         {"type": "STRING", "description": "An x. Format: uri."}, [("format", "note")]),
        ({"type": "integer", "exclusiveMinimum": 0}, {"type": "INTEGER", "minimum": 1}, [("exclusiveMinimum", "form")]),
        ({"type": "number", "exclusiveMinimum": 0, "multipleOf": 2},
         {"type": "NUMBER", "description": "Greater than 0. A multiple of 2."},
         [("exclusiveMinimum", "widened"), ("multipleOf", "widened")]),
        ({"type": "integer", "enum": [1, 2]},
         {"type": "INTEGER", "description": "One of: 1, 2."}, [("enum", "widened")]),
        ({"type": "string", "const": "a"}, {"type": "STRING", "enum": ["a"]}, [("const", "form")]),
        ({"type": "string", "enum": ["", "a"]},
         {"type": "STRING", "description": 'One of: "", "a".'}, [("enum", "widened")]),
        ({"type": "array", "items": {"type": "string"}, "uniqueItems": True},
         {"type": "ARRAY", "items": {"type": "STRING"}, "description": "Items must be unique."},
         [("uniqueItems", "widened")]),
        ({"type": "object", "additionalProperties": {"type": "string"}},
         {"type": "OBJECT", "description": 'Additional properties are allowed; each value must match '
          '{"type": "string"}.'}, [("additionalProperties", "widened")]),
        ({"type": "object", "required": ["a"]},
         {"type": "OBJECT", "description": "It must also have `a`."}, [("required", "widened")]),
        ({"anyOf": [{"type": "string"}, {"type": "null"}], "title": "X", "default": None},
         {"type": "STRING", "nullable": True, "title": "X"},
         [("default", "note"), ("anyOf", "form"), ("anyOf", "form")]),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}], "description": "An x."},
         {"anyOf": [{"type": "STRING", "nullable": True, "description": "An x."},
                    {"type": "INTEGER", "nullable": True}]},
         [("anyOf", "form"), ("description", "note")]),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]},
         {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]}, [("oneOf", "form")]),
        ({"type": ["string", "integer"], "minLength": 2, "minimum": 3},
         {"anyOf": [{"type": "STRING", "minLength": 2}, {"type": "INTEGER", "minimum": 3}]}, [("type", "form")]),
        ({"allOf": [{"type": "string"}, {"maxLength": 3}]},
         {"type": "STRING", "maxLength": 3}, [("allOf", "form")]),
        ({"type": "string", "x-order": 1}, {"type": "STRING"}, [("x-order", "note")]),
    ],
)  # fmt: skip
def test_what_the_subset_lacks_is_expressed_differently_or_in_words(
    schema: Any, form: Any, changes: list[tuple[str, str]]
) -> None:
    assert form_of(schema) == (form, changes)


def test_any_value_is_spelled_out_as_all_types() -> None:
    form, changes = form_of({"description": "Anything."})

    assert [branch["type"] for branch in form["anyOf"]] == ["STRING", "NUMBER", "BOOLEAN", "OBJECT", "ARRAY"]
    assert form["anyOf"][0]["description"] == "Anything."
    assert ("type", "narrowed") in changes


def test_references_are_written_out() -> None:
    schema = with_property(
        {"$ref": "#/$defs/city", "description": "Where."},
        **{"$defs": {"city": {"type": "object", "properties": {"name": {"$ref": "#/$defs/name"}}},
                     "name": {"type": "string"}}},
    )  # fmt: skip

    found = gemini_form(schema)

    assert found.schema == {
        "type": "OBJECT",
        "properties": {
            "x": {"type": "OBJECT", "properties": {"name": {"type": "STRING"}}, "description": "Where."},
        },
    }
    pointers = [change.pointer for change in found.changes]
    assert pointers == ["/properties/x/$ref", "/$defs/city/properties/name/$ref", "/$defs"]
    assert all(follow(schema, pointer) is not None for pointer in pointers)


def test_what_goes_into_words_can_be_read_without_its_definitions() -> None:
    schema = with_property(
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/a"}}, **{"$defs": {"a": {"type": "string"}}}
    )

    found: Any = gemini_form(schema).schema

    said = 'Additional properties are allowed; each value must match {"type": "string"}.'
    assert found["properties"]["x"] == {"type": "OBJECT", "description": said}


def test_a_form_that_json_cannot_represent_is_refused() -> None:
    default: Any = "a"
    for _ in range(80):
        default = [default]
    schema: dict[str, Any] = {"type": "string", "default": default}
    for number in range(3):
        schema = {"type": "object", "properties": {f"p{number}": schema}}
    definitions: dict[str, Any] = {"a0": schema}
    for number in range(1, 9):
        definitions[f"a{number}"] = {"type": "object", "properties": {"p": {"$ref": f"#/$defs/a{number - 1}"}}}
    whole = with_property({"type": "array", "items": {"$ref": "#/$defs/a8"}}, **{"$defs": definitions})

    with pytest.raises(NotPortableError, match="too deeply nested"):
        tools_out(with_input(whole))


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        (with_property({"$ref": "#"}), "/properties/x/$ref"),
        (with_property({"$ref": "#/$defs/a"}, **{"$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}}}),
         "/$defs/a/items/$ref"),
        (with_property({"$ref": "https://x.org/a"}), "/properties/x/$ref"),
        (with_property({"$ref": "#/$defs/none"}), "/properties/x/$ref"),
        (with_property({"type": "string", "const": None, "additionalProperties": {"$ref": "#/$defs/a"}},
                       **{"$defs": {"a": {}}}), "/properties/x/const"),
        ({"type": "string"}, "/type"),
        ({"type": "object", "properties": {"x-y": {}}}, "/properties/x-y"),
        (with_property(False, required=["x"]), "/properties/x"),
        ({"type": "object", "properties": {"x": {"type": "text"}}}, "/properties/x/type"),
    ],
)  # fmt: skip
def test_what_has_no_form_is_refused_with_tool_and_pointer(schema: Any, pointer: str) -> None:
    with pytest.raises(NotPortableError) as caught:
        tools_out(with_input(schema))

    assert [(loss.tool, loss.pointer) for loss in caught.value.losses] == [("weather.get", pointer)]
    assert caught.value.hint


def test_references_that_grow_without_bound_are_refused() -> None:
    definitions: dict[str, Any] = {"a0": {"type": "string"}}
    for number in range(1, 30):
        link = {"$ref": f"#/$defs/a{number - 1}"}
        definitions[f"a{number}"] = {"type": "object", "properties": {"l": link, "r": link}}

    with pytest.raises(NotPortableError, match="too large"):
        tools_out(with_input(with_property({"$ref": "#/$defs/a29"}, **{"$defs": definitions})))


def test_a_schema_that_refers_to_itself_goes_out_as_json_schema() -> None:
    schema = with_property({"$ref": "#/$defs/a"}, **{"$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}}})

    found = tools_out(with_input(schema), schemas="json")

    assert declared(found.tools) == [{"name": "weather.get", "parametersJsonSchema": schema}]
    assert found.losses == ()


# Tools


def test_a_declaration_has_a_name_a_description_parameters_and_the_schema_of_the_data() -> None:
    output = {"type": "object", "properties": {"t": {"type": "number", "multipleOf": 0.1}}}
    found = tools_out(
        contracts_of(
            {"name": "get", "description": "Gets.", "inputSchema": with_property({"type": "string"}),
             "outputSchema": output}
        )
    )  # fmt: skip

    assert found.tools == [
        {
            "functionDeclarations": [
                {
                    "name": "weather.get",
                    "description": "Gets.",
                    "parameters": {"type": "OBJECT", "properties": {"x": {"type": "STRING"}}},
                    "responseJsonSchema": output,
                }
            ]
        }
    ]
    assert found.losses == ()


def test_a_tool_without_parameters_is_sent_without_any() -> None:
    found = tools_out(with_input({"type": "object", "properties": {}}))

    assert declared(found.tools) == [{"name": "weather.get"}]
    assert found.losses == ()
    assert tools_in(found.tools)[0].input_schema == {"type": "object", "properties": {}}


@IN_EACH_FORM
def test_a_contract_without_an_input_is_sent_and_listed(form: SchemaForm) -> None:
    contract = replace(with_input({"type": "object"})[0], input=None)

    found = tools_out([contract], schemas=form)

    assert [(loss.part, loss.keyword) for loss in found.losses] == [("input", "type")]


def test_an_output_schema_can_be_left_out_and_is_a_loss_then() -> None:
    contracts = contracts_of({"name": "get", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}})

    found = tools_out(contracts, with_output=False)

    assert ("output", "output_schema") in [(loss.part, loss.keyword) for loss in found.losses]
    assert "responseJsonSchema" not in declared(found.tools)[0]


def test_no_contracts_are_no_tools() -> None:
    assert tools_out([]).tools == []


def test_declarations_in_the_words_of_googles_package_are_read() -> None:
    tools = {
        "tools": [
            {
                "function_declarations": [
                    {
                        "name": "a",
                        "parameters": {
                            "type": "OBJECT",
                            "property_ordering": ["n"],
                            "properties": {
                                "n": {"type": "INTEGER", "format": "enum", "enum": ["1", "2"], "nullable": True},
                                "s": {"type": "STRING", "min_length": "3", "example": "abc"},
                                "u": {"any_of": [{"type": "STRING"}, {"ref": "#/defs/d"}], "nullable": True},
                            },
                            "defs": {"d": {"type": "NUMBER"}},
                        },
                        "response": {"type": "STRING"},
                    }
                ]
            }
        ]
    }

    (contract,) = tools_in(tools)

    assert contract.output_schema == {"type": "string"}
    assert contract.input_schema == {
        "type": "object",
        "properties": {
            "n": {"type": ["integer", "null"], "enum": [1, 2, None]},
            "s": {"type": "string", "minLength": 3, "examples": ["abc"]},
            "u": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/d"}, {"type": "null"}]},
        },
        "$defs": {"d": {"type": "number"}},
    }


@pytest.mark.parametrize("tools", ["x", [1], [{"googleSearch": {}}], [{"functionDeclarations": [{"name": ""}]}]])
def test_what_declares_no_function_is_a_usage_error(tools: Any) -> None:
    with pytest.raises(UsageError):
        tools_in(tools)


# Calls and results


@given(st.text(min_size=1, max_size=10), calls("weather.get_forecast"))
def test_any_call_goes_out_and_comes_back(identifier: str, call: MCPToolCall) -> None:
    made = ProviderCall(identifier, call)

    assert call_in(call_out(made, NAMES), NAMES) == made
    assert calls_in(calls_out([made, made], NAMES), NAMES) == (made, made)


@given(st.text(min_size=1, max_size=10), RESULTS)
def test_any_result_goes_out_and_comes_back(identifier: str, result: MCPToolResult) -> None:
    sent = result_out(identifier, result, tool_name="weather.list", names=NAMES)

    assert result_in(json.loads(json.dumps(sent))) == (identifier, result)


def test_a_call_without_an_identifier_is_named_by_its_place_and_answered_without_one() -> None:
    part = {"functionCall": {"name": "weather.list"}}
    response = {"candidates": [{"content": {"role": "model", "parts": [{"text": "I look."}, part, part]}}]}

    found = calls_in(response, NAMES)

    assert [call.id for call in found] == ["position:1", "position:2"]
    answers = [result_out(call.id, MCPToolResult(data={}), tool_name="weather.list", names=NAMES) for call in found]
    assert all("id" not in str(answer.keys()) for answer in answers)
    assert answers[0]["functionResponse"] == {
        "name": "weather.list",
        "response": {"output": {"status": "success", "data": {}, "error": None, "explanation": None}},
    }
    assert [identifier for identifier, _ in results_in({"role": "user", "parts": answers})] == [
        "position:1",
        "position:2",
    ]


@pytest.mark.parametrize(
    "part",
    [
        {"functionCall": {"id": "1", "name": "weather.lost", "args": {}}},
        {"functionCall": {"id": "1", "name": "weather.list", "args": "{"}},
        {"functionCall": {"id": "1", "name": "weather.list", "args": {"a": float("inf")}}},
        {"functionCall": {"id": "1", "name": "weather.list", "willContinue": True}},
        {"functionCall": {}},
        {"text": "a"},
        None,
        [],
    ],
)
def test_a_call_that_cannot_be_run_is_answered_and_not_raised(part: Any) -> None:
    found = call_in(part, NAMES)

    assert isinstance(found, RefusedCall)
    answer = MCPToolResult(status=ResultStatus.FAILURE, error=found.error)
    sent: Any = result_out(found.id, answer, tool_name=found.name, names=NAMES)
    assert sent["functionResponse"]["response"].keys() == {"error"}


@pytest.mark.parametrize(
    ("response", "data"),
    [
        ({"output": "sunny"}, {"result": "sunny"}),
        ({"output": {"t": 1}}, {"t": 1}),
        ({"result": 1}, {"result": 1}),
        ({}, {}),
        (None, {"result": None}),
        ({"output": 1, "more": 2}, {"output": 1, "more": 2}),
    ],
)
def test_results_of_strangers_come_back_as_data(response: Any, data: dict[str, Any]) -> None:
    assert result_in({"functionResponse": {"id": "1", "name": "a", "response": response}}) == (
        "1",
        MCPToolResult(data=data),
    )


def test_errors_and_media_of_strangers_are_kept() -> None:
    media = [{"inlineData": {"mimeType": "image/png", "data": "AA=="}}]

    _, failed = result_in({"name": "a", "response": {"error": {"code": 5}}, "parts": media})
    _, partial = result_in({"name": "a", "response": {"output": {"parts": 1}, "error": "late"}, "parts": media})

    assert failed.status is ResultStatus.FAILURE
    assert failed.error == MCPErrorDetail(
        error_type="ToolExecutionError", error_message='{"code": 5}', error_details={"parts": media}
    )
    assert (partial.status, partial.data) == (ResultStatus.PARTIAL_SUCCESS, {"parts": 1, "parts_": media})


def test_a_response_that_no_message_can_contain_is_text() -> None:
    _, found = result_in({"name": "a", "response": {"a": float("nan")}})

    assert found.data == {"result": '{"response": {"a": NaN}, "parts": null}'}


@pytest.mark.parametrize("value", [None, [], {"text": "a"}])
def test_what_answers_no_call_is_a_usage_error(value: Any) -> None:
    with pytest.raises(UsageError):
        result_in(value)


@given(VALUES | st.dictionaries(WORDS, VALUES | st.dictionaries(WORDS, VALUES)))
def test_whatever_comes_is_read_or_a_usage_error(value: Any) -> None:
    assert isinstance(call_in(value, NAMES), ProviderCall | RefusedCall)
    assert isinstance(calls_in(value, NAMES), tuple)
    for read in (result_in, results_in, tools_in):
        with contextlib.suppress(UsageError):
            read(value)


# Google's own package


def oracle(name: str) -> Any:
    types = pytest.importorskip("google.genai.types", reason="needs pip install 'mcp-contracts[oracles]'")
    return getattr(types, name)


@IN_EACH_FORM
def test_the_package_takes_our_tools_calls_and_results(form: SchemaForm) -> None:
    call = ProviderCall("1", MCPToolCall(tool_name="weather.list", arguments={"a": [1]}))
    found = tools_out(load("specs/"), schemas=form)

    tools = [oracle("Tool").model_validate(tool) for tool in found.tools]
    part = oracle("Part").model_validate(call_out(call, NAMES))
    response = oracle("Part").model_validate(
        result_out("1", MCPToolResult(data={"a": 1}), tool_name="weather.list", names=NAMES)
    )

    assert call_in(part, NAMES) == call
    assert call_in(part.function_call, NAMES) == call
    assert result_in(response) == ("1", MCPToolResult(data={"a": 1}))
    again = tools_in(
        [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools], names=found.names
    )
    direct = tools_in(found.tools, names=found.names)
    assert [contract.input_schema for contract in again] == [contract.input_schema for contract in direct]


@needs_corpus
@IN_EACH_FORM
def test_the_package_takes_the_tools_of_every_published_server(form: SchemaForm) -> None:
    declaration = oracle("FunctionDeclaration")

    for contracts in lists().values():
        for tool in declared(tools_out(contracts, schemas=form).tools):
            declaration.model_validate(tool)


def test_the_package_takes_the_form_of_any_schema() -> None:
    schema_type = oracle("Schema")

    @given(schemas())
    def law(inner: dict[str, Any]) -> None:
        definitions = {"$defs": inner.pop("$defs")} if "$defs" in inner else {}
        schema = with_property(inner, **definitions)
        found = gemini_form(schema).schema
        if found is not None:
            schema_type.model_validate(found)
            assert_held_to_what_was_reported(found)

    law()


def assert_held_to_what_was_reported(form: dict[str, Any]) -> None:
    """Require nothing next to `anyOf`, a type everywhere else, items for arrays, and only text in `enum`."""
    if "anyOf" in form:
        assert form.keys() == {"anyOf"}
    else:
        assert isinstance(form["type"], str)
        assert "additionalProperties" not in form
        assert form["type"] != "ARRAY" or "items" in form
        assert "properties" not in form or form["type"] == "OBJECT"
        assert "enum" not in form or (form["type"] == "STRING" and all(form["enum"]))
        assert form["type"] != "STRING" or form.get("format", "date-time") == "date-time"
    inner = [
        *form.get("properties", {}).values(),
        *form.get("anyOf", []),
        *([form["items"]] if "items" in form else []),
    ]
    for one in inner:
        assert_held_to_what_was_reported(one)


def test_what_listed_values_make_needless_is_reported_in_the_order_of_the_schema() -> None:
    needless: dict[str, JsonValue] = {
        "pattern": "a",
        "minLength": 1,
        "maxLength": 9,
        "x-own": 1,
        "minItems": 2,
        "not": {"const": "b"},
    }
    form = gemini_form({"type": "object", "properties": {"a": {"enum": ["a"], **needless}}})

    redundant = "is redundant next to the listed values"
    told = [change.keyword for change in form.changes if change.message.endswith(redundant)]

    assert told == [*needless]
