"""The adapter for MCP: tools, calls and results in both revisions, checked with the SDK's types and client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mcp_contracts.adapters import mcp
from mcp_contracts.adapters.base import Loss, NotPortableError, ProviderCall, RefusedCall, ToolSet
from mcp_contracts.adapters.mcp_schemas import ERAS, Era, sent_output
from mcp_contracts.contract import (
    Contracts,
    Effects,
    ErrorType,
    Example,
    JsonValue,
    Migration,
    SchemaOrigin,
    SchemaPart,
    Status,
    ToolContract,
    ToolListFile,
)
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.errors import UsageError
from mcp_contracts.mcp_content.reading import CONTENT_KEY, RESULT_KEY, result_of
from mcp_contracts.mcp_content.writing import Shape, answer_of
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult, ResultStatus
from mcp_contracts.providers.names import NameMap
from mcp_contracts.records import replace
from mcp_contracts.runtime.context import CallContext, ToolContext
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.runtime.remote.tools import remote_tools
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.sources.load import load
from tests import schema_strategies
from tests.adapter_corpus import differences, lists, needs_corpus
from tests.tables import each

NO_PACKAGE = "needs pip install 'mcp-contracts[oracles]'"
both_eras = pytest.mark.parametrize("era", ERAS)
PLACE = Place("spec.md", 1, 1, 1, 1)
NAMES = NameMap({"weather.get": "get"}, {"get": "weather.get"})
IMAGE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
TEXT = {"type": "text", "text": "one"}
ERROR = MCPErrorDetail(error_type="CityUnknown", error_message="no such city", error_details={"near": ["Bern", None]})
FAILURE = MCPToolResult(status=ResultStatus.FAILURE, error=ERROR, explanation="try another")


class Nowhere:
    """A locator for values without a text."""

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        return PLACE


def part(name: Part, value: JsonValue) -> SchemaPart:
    return SchemaPart(name, value, SchemaOrigin.SCHEMA, Nowhere())


OBJECT: JsonValue = {"type": "object"}


def contract(name: str = "weather.get", given: JsonValue = OBJECT, returned: JsonValue = None, **fields: Any) -> Any:
    return ToolContract(
        name=name,
        place=PLACE,
        module=fields.pop("module", name.partition(".")[0]),
        input=None if given is None else part("input", given),
        output=None if returned is None else part("output", returned),
        **fields,
    )


FULL = contract(
    returned={"type": "object", "properties": {"degrees": {"type": "number"}}, "required": ["degrees"]},
    title="Weather",
    version="1.2.3",
    description="The weather of a city.",
    status=Status("deprecated", "1.1.0", "2.0.0", "weather.find"),
    effects=Effects("read-only", "open-world"),
    category="data",
    tags=("weather", "city"),
    optional=True,
    use_when="somebody asks for the weather",
    channels=("web",),
    errors=(ErrorType("CityUnknown", "no such city", PLACE),),
    idempotent="yes",
    security="None.",
    examples=(Example("arguments", {"city": "Bern"}, Nowhere()),),
    migrations=(Migration("1.x", "nothing"),),
)
UNCARRIED = {
    *("status", "category", "tags", "optional", "use_when", "channels", "errors", "security", "examples", "migrations"),
}


def lost(losses: Iterable[Loss]) -> set[str]:
    """Return the fields of a contract in some losses."""
    return {loss.keyword if loss.part == "tool" else f"{loss.part}_schema" for loss in losses}


def one_tool(one: ToolContract, era: Era = "2025-11-25") -> dict[str, Any]:
    [tool] = mcp.tools_out([one], era=era).tools
    return dict(tool)


def sent(result: MCPToolResult, one: ToolContract | None = None, era: Era = "2025-11-25") -> dict[str, Any]:
    return dict(mcp.answer_out(result, era=era, contract=one))


# Tools


def test_a_tool_says_what_its_contract_says() -> None:
    assert one_tool(FULL) == {
        "name": "weather.get",
        "title": "Weather",
        "description": "The weather of a city.",
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object", "properties": {"degrees": {"type": "number"}}, "required": ["degrees"]},
        "annotations": {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": True},
        "_meta": {"org.mcp-contracts/version": "1.2.3"},
    }


@each("support", ["optional", "required"])
def test_calls_as_tasks_are_in_2025_only_and_in_no_list_of_a_server_that_runs_none(support: Any) -> None:
    one = replace(FULL, task_support=support)
    tool = one_tool(one)

    assert tool["execution"] == {"taskSupport": support}
    assert mcp.tools_in([tool])[0].task_support == support
    assert "task_support" not in lost(mcp.tools_out([one]).losses)
    for without in (mcp.tools_out([one], era="2026-07-28"), mcp.tools_out([one], with_tasks=False)):
        assert "execution" not in without.tools[0]
        assert "task_support" in lost(without.losses)
    [carried] = mcp.tools_out([one], era="2026-07-28", with_contract=True).tools
    assert mcp.tools_in([carried])[0].task_support == support
    registry = ToolRegistry(Contracts((ToolListFile("", "", contracts=(one,)),)))
    registry.implement("weather.get")(lambda: {"degrees": 1.5})
    assert "execution" not in registry.mcp.tools[0]


@pytest.mark.parametrize(
    ("effects", "idempotent", "hints"),
    [
        (None, None, {}),
        (Effects("additive"), None, {"readOnlyHint": False, "destructiveHint": False}),
        (Effects("destructive"), "no", {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False}),
        (Effects(None, "closed-world"), None, {"openWorldHint": False}),
        (Effects("read-only"), "conditional", {"readOnlyHint": True}),
    ],
)
def test_hints_say_what_is_stated_and_nothing_else(effects: Any, idempotent: Any, hints: dict[str, bool]) -> None:
    assert one_tool(contract(effects=effects, idempotent=idempotent)).get("annotations", {}) == hints


@both_eras
def test_what_mcp_has_no_place_for_is_listed_as_lost(era: Era) -> None:
    tool_set = mcp.tools_out([FULL], era=era)

    assert lost(tool_set.losses) == UNCARRIED
    assert differences(FULL, mcp.tools_in(tool_set.tools)[0]) == UNCARRIED


def test_effects_and_idempotency_that_no_hint_can_say_are_lost() -> None:
    odd = contract(effects=Effects("read-only", unknown=("loud",)), idempotent="conditional")

    tool_set = mcp.tools_out([odd])

    assert lost(tool_set.losses) == {"effects", "idempotent"}


@both_eras
def test_a_tool_can_carry_its_whole_contract(era: Era) -> None:
    odd = contract(
        "Get-Weather",
        None,
        {"type": "array"},
        idempotent="conditional",
        module="Weather Service",
        source_name="not a name",
        status=Status("stable"),
    )

    tool_set = mcp.tools_out([FULL, odd], era=era, with_contract=True)

    assert tool_set.losses == ()
    back = mcp.tools_in(tool_set.tools, names=tool_set.names)
    assert [differences(one, other) for one, other in zip([FULL, odd], back, strict=True)] == [set(), set()]


def test_a_contract_that_cannot_be_carried_whole_says_so() -> None:
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    odd = contract(
        effects=Effects(None, None, ("loud",)), examples=(Example("data", deep, Nowhere()),), category="data"
    )

    tool_set = mcp.tools_out([odd], with_contract=True)

    assert lost(tool_set.losses) == {"effects", "examples"}
    assert mcp.tools_in(tool_set.tools)[0].category == "data"


def test_a_given_module_is_not_replaced_by_what_a_tool_says() -> None:
    tool_set = mcp.tools_out([contract("get", module="weather")], with_contract=True)
    tool_set.tools[0]["_meta"] = {mcp.CONTRACT_KEY: {"module": "bank", "tags": "no array", "other": 1}}

    [back] = mcp.tools_in(tool_set.tools, module="weather")

    assert (back.module, back.tags) == ("weather", ())


def test_a_contract_is_never_changed() -> None:
    schema: dict[str, Any] = {"properties": {"a": {"type": "string"}}}
    returned: dict[str, Any] = {"type": "array", "items": {"$ref": "#/$defs/X"}, "$defs": {"X": {"type": "string"}}}
    before = json.dumps([schema, returned])

    [tool] = mcp.tools_out([contract(given=schema, returned=returned)]).tools
    tool["inputSchema"]["properties"]["a"]["type"] = "number"  # type: ignore[index, call-overload]

    assert json.dumps([schema, returned]) == before


# Names


def test_a_tool_goes_out_under_the_name_of_its_own_server() -> None:
    tools = [contract("get-user", module="git hub"), contract("jira.list", source_name="listIssues"), FULL]

    tool_set = mcp.tools_out(tools)

    assert tool_set.names.to_provider == {
        "git_hub.get_user": "get-user",
        "jira.list": "listIssues",
        "weather.get": "weather.get",
    }
    assert tool_set.names.from_provider["listIssues"] == "jira.list"
    assert "source_name" not in lost(tool_set.losses)
    back = mcp.tools_in(tool_set.tools, names=tool_set.names)
    assert [one.name for one in back] == list(tool_set.names.to_provider)
    assert back[1].source_name == "listIssues"


def test_two_servers_with_one_name_give_way_to_dotted_names() -> None:
    tools = [
        contract("search", module="a"),
        contract("search", module="b"),
        contract("other.x", source_name="a.search"),
        contract("d.y", source_name="search it"),
    ]

    tool_set = mcp.tools_out(tools)

    assert tool_set.names.to_provider == {
        "a.search": "a.search",
        "b.search": "b.search",
        "other.x": "other.x",
        "d.y": "d.y",
    }
    assert [loss.tool for loss in tool_set.losses if loss.keyword == "source_name"] == list(tool_set.names.to_provider)


def test_a_dotted_name_past_the_limit_is_shortened_and_found_again() -> None:
    long = f"module.{'x' * 200}"

    tool_set = mcp.tools_out([contract(long)])

    assert len(tool_set.names.to_provider[long]) == 128
    assert mcp.tools_in(tool_set.tools, names=tool_set.names)[0].name == long


def test_two_versions_of_a_tool_are_refused() -> None:
    with pytest.raises(UsageError, match=r"two tools are named `a\.b`"):
        mcp.tools_out([contract("a.b", version="1.0.0"), contract("a.b", version="2.0.0")])


# Schemas


@both_eras
@pytest.mark.parametrize("schema", [None, True, {}, {"anyOf": [{"required": ["a"]}]}, {"type": ["object", "null"]}])
def test_the_type_of_an_input_is_added_where_that_changes_nothing(schema: JsonValue, era: Era) -> None:
    tool_set = mcp.tools_out([contract(given=schema)], era=era)

    assert tool_set.tools[0]["inputSchema"]["type"] == "object"  # type: ignore[index, call-overload]
    assert lost(tool_set.losses) == {"input_schema"}


@both_eras
@pytest.mark.parametrize(
    ("schema", "pointer", "words"),
    [
        (False, "", "accepts nothing"),
        ({"type": "array"}, "/type", "the root is not an object"),
        ({"type": "object", "properties": {"a": None}}, "/properties/a", "the schema is invalid: `a` is null"),
        ({"$schema": 5, "type": "object"}, "", "clients cannot read"),
        ({"$schema": "urn:own", "type": "object", "required": "a"}, "", "clients cannot read"),
        ({"type": "object", "default": "\ud800"}, "", "contains a lone surrogate"),
    ],
)
def test_an_input_schema_that_would_cost_the_whole_list_is_refused(
    schema: JsonValue, pointer: str, words: str, era: Era
) -> None:
    with pytest.raises(NotPortableError, match="cannot be sent to MCP") as caught:
        mcp.tools_out([FULL, contract("bad.tool", given=schema), contract("bad.too", given=False)], era=era)

    first = caught.value.losses[0]
    assert (first.tool, first.part, first.pointer) == ("bad.tool", "input", pointer)
    assert words in first.message
    assert [loss.tool for loss in caught.value.losses] == ["bad.tool", "bad.too"]


TREE: JsonValue = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "array",
    "items": {"$ref": "#/$defs/node"},
    "$defs": {
        "node": {"type": "object", "properties": {"below": {"$ref": "#"}, "a/b": {"type": "integer"}}},
        "leaf": {"$ref": "#/$defs/node/properties/a~1b"},
    },
}


@pytest.mark.parametrize(
    ("schema", "sent_2025"),
    [
        ({"type": "object", "title": "A"}, {"type": "object", "title": "A"}),
        ({"properties": {"a": {}}}, {"properties": {"a": {}}, "type": "object"}),
        ({"type": ["object"]}, {"type": "object"}),
        (
            {"$ref": "#/$defs/x", "$defs": {"x": {"type": "object"}}},
            {"$ref": "#/$defs/x", "$defs": {"x": {"type": "object"}}, "type": "object"},
        ),
        (
            {"oneOf": [{"type": "object"}, {"enum": [{}]}]},
            {"oneOf": [{"type": "object"}, {"enum": [{}]}], "type": "object"},
        ),
        ({"allOf": [{"title": "a"}, {"const": {}}]}, {"allOf": [{"title": "a"}, {"const": {}}], "type": "object"}),
        (
            {"type": ["object", "null"]},
            {"type": "object", "properties": {"result": {"type": ["object", "null"]}}, "required": ["result"]},
        ),
        (
            {"anyOf": [{"type": "object"}, {"type": "string"}]},
            {
                "type": "object",
                "properties": {"result": {"anyOf": [{"type": "object"}, {"type": "string"}]}},
                "required": ["result"],
            },
        ),
    ],
)
def test_an_output_schema_gets_the_object_that_2025_asks_for(schema: JsonValue, sent_2025: JsonValue) -> None:
    one = contract(returned=schema)

    assert one_tool(one).get("outputSchema") == sent_2025
    assert one_tool(one, "2026-07-28").get("outputSchema") == schema
    is_changed = schema != sent_2025
    assert lost(mcp.tools_out([one]).losses) == ({"output_schema"} if is_changed else set())
    assert lost(mcp.tools_out([one], era="2026-07-28").losses) == set()


def test_an_empty_output_schema_is_not_sent_since_it_would_require_structured_content() -> None:
    one = contract(returned={})

    for era in ("2025-11-25", "2026-07-28"):
        assert "outputSchema" not in one_tool(one, era)
        assert lost(mcp.tools_out([one], era=era).losses) == {"output_schema"}


@pytest.mark.parametrize("identifier", [{}, {"$id": "https://example.org/tree"}])
def test_a_wrapped_schema_judges_as_before(identifier: dict[str, JsonValue]) -> None:
    assert isinstance(TREE, dict)
    schema: JsonValue = {**TREE, **identifier}
    wrapped = compile_schema(sent_output(schema, "2025-11-25").schema)

    values: tuple[JsonValue, ...] = ([], [{"below": [{"a/b": 1}]}], [{"below": [{"a/b": "x"}]}], [{"below": {}}], 5)
    for value in values:
        assert accepts(wrapped, {"result": value}) is accepts(compile_schema(schema), value) is not None


@given(schema=schema_strategies.schemas(), value=schema_strategies.values)
def test_whatever_the_output_schema_says_it_judges_as_before(schema: JsonValue, value: JsonValue) -> None:
    found = sent_output(schema, "2025-11-25")
    if found.schema is None:
        return
    assert found.schema["type"] == "object"
    holder = {"result": value} if found.form == "wrapped" else value
    wanted = accepts(compile_schema(schema), value) is True
    if found.form != "wrapped":
        wanted = wanted and isinstance(value, dict)
    assert (accepts(compile_schema(found.schema), holder) is True) is wanted


@pytest.mark.parametrize(
    "schema",
    [
        True,
        False,
        {"type": "array", "minItems": "1"},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/gone"}}},
        {"$ref": "https://example.org/schema.json"},
    ],
)
@both_eras
def test_an_output_schema_that_clients_cannot_use_is_left_out(schema: JsonValue, era: Era) -> None:
    tool_set = mcp.tools_out([contract(returned=schema)], era=era)

    assert "outputSchema" not in tool_set.tools[0]
    assert lost(tool_set.losses) == {"output_schema"}


def test_a_schema_with_resources_inside_is_left_out_where_it_would_have_to_be_wrapped() -> None:
    schema: JsonValue = {"type": "array", "items": {"$id": "https://example.org/a", "anyOf": [{"$ref": "#"}]}}

    assert "outputSchema" not in one_tool(contract(returned=schema))
    assert one_tool(contract(returned=schema), "2026-07-28")["outputSchema"] == schema


# Lists


def test_a_list_of_2025_contains_only_tools() -> None:
    assert mcp.list_result(mcp.tools_out([])) == {"tools": []}


def test_a_list_of_2026_says_how_long_and_for_whom_it_may_be_kept() -> None:
    tool_set = mcp.tools_out([], era="2026-07-28")

    assert mcp.list_result(tool_set) == {"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "private"}
    assert mcp.list_result(tool_set, ttl_ms=60_000, cache_scope="public")["ttlMs"] == 60_000


def test_what_is_not_of_mcp_is_refused() -> None:
    with pytest.raises(UsageError, match="in the format `openai`"):
        mcp.list_result(ToolSet("openai", [], NAMES))
    with pytest.raises(UsageError, match="unknown era `2024`"):
        mcp.tools_out([], era="2024")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrap", [lambda tools: tools, lambda tools: {"tools": tools}, lambda tools: {"result": {"tools": tools}}]
)
def test_tools_come_in_as_an_array_a_list_or_an_answer(wrap: Any) -> None:
    entry = {"name": "get", "inputSchema": {"type": "object"}, "_meta": {"fastmcp": {"version": "2.0.0"}}}

    [found] = mcp.tools_in(wrap([entry]), module="weather")

    assert (found.name, found.module, found.version, found.input_schema) == ("get", "weather", "2.0.0", OBJECT)


@pytest.mark.parametrize(
    "value", [None, {}, {"tools": {}}, [1], [{}], [{"name": ""}], [{"name": "a", "_meta": {1: 2}}]]
)
def test_what_is_not_a_list_of_tools_is_refused(value: Any) -> None:
    with pytest.raises(UsageError):
        mcp.tools_in(value)


# Calls


@pytest.mark.parametrize("identifier", [7, -1, 0, "7", "a", '"', "", '"7"', "007", "ü 1"])
def test_a_call_and_its_answer_have_the_very_same_identifier(identifier: int | str) -> None:
    request = {
        "jsonrpc": "2.0",
        "id": identifier,
        "method": "tools/call",
        "params": {"name": "get", "arguments": {"a": 1}},
    }

    call = mcp.call_in(request, NAMES)

    assert isinstance(call, ProviderCall)
    assert call.call == MCPToolCall(tool_name="weather.get", arguments={"a": 1})
    assert mcp.call_out(call, NAMES) == request
    answer = mcp.result_out(call.id, FAILURE)
    assert (answer["jsonrpc"], answer["id"], type(answer["id"])) == ("2.0", identifier, type(identifier))
    assert mcp.result_in(answer) == (call.id, FAILURE)


@example("20000000000000000000")
@given(identifier=st.text(min_size=1))
def test_any_text_is_an_identifier(identifier: str) -> None:
    call = ProviderCall(identifier, MCPToolCall(tool_name="weather.get", arguments={}))

    request = mcp.call_out(call, NAMES)

    found = mcp.call_in(request, NAMES)
    assert isinstance(found, ProviderCall)
    assert mcp.call_out(found, NAMES) == request


def test_the_params_alone_are_a_call_without_identifier() -> None:
    assert mcp.call_in({"name": "get"}, NAMES) == ProviderCall("", MCPToolCall(tool_name="weather.get", arguments={}))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "not an object"),
        ([], "not an object"),
        ({"id": 1, "method": "tools/list"}, "is not `tools/call`"),
        ({"id": 1, "method": "tools/call"}, "`params` of the call"),
        ({"id": 1, "params": {"name": 5}}, "does not name a tool"),
        ({"id": 1, "params": {"name": "gett"}}, "unknown tool `gett`"),
        ({"id": 1, "params": {"name": "get", "arguments": [1]}}, "not an object but an array"),
        ({"id": 1, "params": {"name": "get", "arguments": {"a": float("nan")}}}, "cannot be read"),
    ],
)
def test_a_call_that_cannot_be_run_is_answered_with_a_protocol_error(value: Any, words: str) -> None:
    call = mcp.call_in(value, NAMES)

    assert isinstance(call, RefusedCall)
    assert words in call.error.error_message
    answer = mcp.refusal_out(call)
    assert answer["id"] == (value["id"] if isinstance(value, dict) else None)
    assert answer["error"] == {"code": -32602, "message": call.error.error_message}


def test_calls_of_several_requests_keep_their_order_and_other_requests_have_none() -> None:
    def request(number: int, method: str = "tools/call") -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": number, "method": method, "params": {"name": "get"}}

    calls = mcp.calls_in([request(1), request(2, "ping"), request(3), 5], NAMES)

    assert [call.id for call in calls] == ["1", "3"]
    assert mcp.calls_in({"jsonrpc": "2.0", "id": 1, "result": {}}, NAMES) == ()


def test_a_call_needs_a_tool_and_an_identifier_to_go_out() -> None:
    with pytest.raises(UsageError, match="not among the tools"):
        mcp.call_out(ProviderCall("1", MCPToolCall(tool_name="a.b", arguments={})), NAMES)
    with pytest.raises(UsageError, match="no `id`"):
        mcp.call_out(ProviderCall("", MCPToolCall(tool_name="weather.get", arguments={})), NAMES)
    with pytest.raises(UsageError, match="no `id`"):
        mcp.result_out("", FAILURE)


# Results


def test_a_plain_success_is_plain_mcp() -> None:
    assert sent(MCPToolResult(data={"degrees": 5, "ü": None})) == {
        "content": [{"type": "text", "text": '{"degrees":5,"ü":null}'}],
        "structuredContent": {"degrees": 5, "ü": None},
        "isError": False,
    }


def test_2026_says_that_a_result_is_complete() -> None:
    assert sent(MCPToolResult(data={}), era="2026-07-28")["resultType"] == "complete"


def test_a_failure_is_text_that_a_model_can_read() -> None:
    answer = sent(FAILURE)

    assert answer["isError"] is True
    assert [block["text"] for block in answer["content"]] == [
        'CityUnknown: no such city\n{"near":["Bern",null]}',
        "try another",
    ]
    assert "structuredContent" not in answer
    assert answer["_meta"][RESULT_KEY]["error"] == ERROR.to_dict()


def test_a_status_and_an_error_next_to_data_are_reported_in_text() -> None:
    partial = MCPToolResult(status=ResultStatus.PARTIAL_SUCCESS, data={"a": 1}, error=ERROR, explanation="half of it")
    unchanged = MCPToolResult(status=ResultStatus.NO_CHANGE_NEEDED, explanation="it is there")

    texts = [[block["text"] for block in sent(result)["content"]] for result in (partial, unchanged)]

    assert texts == [
        ['{"a":1}', 'partial success: CityUnknown: no such city\n{"near":["Bern",null]}', "half of it"],
        ["no change needed: it is there"],
    ]


def test_content_blocks_go_out_as_blocks_and_come_back() -> None:
    foreign = {"content": [TEXT, IMAGE], "isError": False}
    beside = {"content": [TEXT, IMAGE], "structuredContent": {"n": 1}, "isError": False}

    for answer in (foreign, beside):
        _, result = mcp.result_in(answer)
        again = sent(result)
        assert [block["type"] for block in again["content"] if block["type"] != "text"] == ["image"]
        assert mcp.result_in(again) == ("", result)
    assert sent(mcp.result_in(foreign)[1]) == foreign


@pytest.mark.parametrize(
    "block",
    [
        {"type": "text"},
        {"type": "video", "data": ""},
        {"type": "image", "data": "", "mimeType": None},
        {**TEXT, "annotations": None},
        {**TEXT, "annotations": {"priority": 2}},
        {**TEXT, "annotations": {"audience": ["all"]}},
        {**TEXT, "_meta": []},
        {"type": "resource", "resource": {"uri": "a:b"}},
        {"type": "resource_link", "uri": "a:b", "name": "n", "size": "1"},
        {"type": "resource_link", "uri": "a:b", "name": "n", "icons": [{}]},
        {"type": ["text"], "text": ""},
        5,
    ],
)
def test_what_is_not_a_block_of_mcp_stays_data(block: Any) -> None:
    result = MCPToolResult(data={"content": [TEXT, block]})

    answer = sent(result)

    assert answer["structuredContent"] == {"content": [TEXT, block]}
    assert mcp.result_in(answer) == ("", result)


def test_data_that_an_output_schema_asks_for_is_structured_even_where_it_looks_like_blocks() -> None:
    one = contract(returned={"type": "object", "properties": {"content": {"type": "array"}}})

    assert sent(MCPToolResult(data={"content": [TEXT]}), one)["structuredContent"] == {"content": [TEXT]}


LIST = contract(returned={"type": "array", "items": {"type": "integer"}})
EITHER = contract(returned={"anyOf": [{"type": "object", "required": ["a"]}, {"type": "integer"}, {"type": "null"}]})


@pytest.mark.parametrize(
    ("one", "data", "sent_2025", "sent_2026"),
    [
        (FULL, {"degrees": 1.5}, {"degrees": 1.5}, {"degrees": 1.5}),
        (LIST, {"result": [1, 2]}, {"result": [1, 2]}, [1, 2]),
        (EITHER, {"a": 1}, {"result": {"a": 1}}, {"a": 1}),
        (EITHER, {"result": 5}, {"result": 5}, 5),
        (EITHER, {"result": None}, {"result": None}, None),
        (EITHER, None, {"result": None}, None),
    ],
)
@pytest.mark.parametrize("status", [ResultStatus.SUCCESS, ResultStatus.PARTIAL_SUCCESS])
def test_structured_content_fits_the_schema_that_the_client_has(
    one: ToolContract, data: Any, sent_2025: JsonValue, sent_2026: JsonValue, status: ResultStatus
) -> None:
    result = MCPToolResult(status=status, data=data)

    for era, wanted in zip(ERAS, (sent_2025, sent_2026), strict=True):
        answer = sent(result, one, era)
        assert (answer["structuredContent"], answer["isError"]) == (wanted, False)
        assert accepts(compile_schema(one_tool(one, era)["outputSchema"]), wanted) is True
        assert mcp.result_in(answer) == ("", result)


@both_eras
def test_a_result_without_the_required_data_is_marked_so_that_clients_accept_it(era: Era) -> None:
    result = MCPToolResult(status=ResultStatus.NO_CHANGE_NEEDED)

    answer = sent(result, FULL, era)

    assert answer["isError"] is True
    assert answer["content"] == [{"type": "text", "text": "no change needed"}]
    assert mcp.result_in(answer) == ("", result)
    assert sent(result, era=era)["isError"] is False


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
BLOCKS = st.lists(st.sampled_from([TEXT, IMAGE, {**TEXT, "annotations": {"priority": 1}}, {"type": "odd"}]), max_size=3)
DATA = st.one_of(
    st.none(),
    st.dictionaries(st.text(), JSON, max_size=4),
    st.builds(lambda value: {"result": value}, JSON),
    st.builds(lambda blocks: {"content": blocks}, BLOCKS),
    st.builds(lambda data, blocks: {**data, CONTENT_KEY: blocks}, st.dictionaries(st.text(), JSON, max_size=2), BLOCKS),
)
ERRORS = st.builds(
    MCPErrorDetail,
    error_type=st.text(min_size=1),
    error_message=st.text(),
    error_details=st.none() | st.text() | st.dictionaries(st.text(), JSON, max_size=3),
)
NOTES = st.none() | st.text()
RESULTS = st.one_of(
    st.builds(MCPToolResult, status=st.just(ResultStatus.FAILURE), error=ERRORS, explanation=NOTES),
    st.builds(
        MCPToolResult,
        status=st.sampled_from([one for one in ResultStatus if one is not ResultStatus.FAILURE]),
        data=DATA,
        error=st.none() | ERRORS,
        explanation=NOTES,
    ),
)


@given(result=RESULTS, one=st.sampled_from([None, FULL, LIST, EITHER]), era=st.sampled_from(ERAS))
def test_any_result_comes_back_as_it_was(result: MCPToolResult, one: ToolContract | None, era: Era) -> None:
    wire = json.loads(json.dumps(sent(result, one, era)))

    assert mcp.result_in(wire)[1].to_json() == json.dumps(result.to_dict(), ensure_ascii=False, separators=(",", ":"))


@given(result=RESULTS)
def test_a_client_that_does_not_know_our_mark_reads_no_other_data(result: MCPToolResult) -> None:
    answer = {key: value for key, value in answer_of(result).items() if key != "_meta"}

    found = result_of(answer)

    assert (found.status is ResultStatus.FAILURE) is (result.status is ResultStatus.FAILURE)
    structured = {key: value for key, value in (result.data or {}).items() if key != CONTENT_KEY}
    assert {**structured, **(found.data or {})} == (found.data or {})


def test_any_shape_can_be_asked_for() -> None:
    assert answer_of(MCPToolResult(data={"result": 5}), Shape.BARE)["structuredContent"] == 5


@pytest.mark.parametrize(
    "mark",
    [
        5,
        {},
        {"status": "odd", "data": "none"},
        {"status": "failure", "data": "none", "error": ERROR.to_dict()},
        {"status": "success", "data": "result"},
        {"status": "success", "data": "content"},
        {"status": "success", "data": "structuredContent", "blocks": [0, 9]},
        {"status": "success", "data": "structuredContent", "blocks": 5},
        {"status": "success", "data": "structuredContent", "blocks": [True, 1]},
    ],
)
def test_a_mark_that_does_not_fit_its_answer_is_ignored(mark: Any) -> None:
    answer = {"content": [], "structuredContent": {"a": 1}, "isError": False, "_meta": {RESULT_KEY: mark}}

    assert mcp.result_in(answer) == ("", MCPToolResult(data={"a": 1}))


def test_an_error_that_is_marked_as_a_success_with_data_is_an_error() -> None:
    mark = {"status": "success", "data": "structuredContent"}
    answer = {"content": [TEXT], "structuredContent": {}, "isError": True, "_meta": {RESULT_KEY: mark}}

    assert mcp.result_in(answer)[1].status is ResultStatus.FAILURE


@pytest.mark.parametrize(
    ("value", "error_type"),
    [
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Unknown tool: x"}}, "ResourceNotFound"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no"}}, "ValidationError"),
        ({"jsonrpc": "2.0", "id": 1, "error": {}}, "ToolExecutionError"),
        ({"id": 1, "resultType": "input_required", "inputRequests": {}}, "ToolExecutionError"),
        ({"id": 1, "content": 5, "isError": True}, "ToolExecutionError"),
    ],
)
def test_an_answer_without_a_result_is_a_failure(value: Any, error_type: str) -> None:
    identifier, result = mcp.result_in(value)

    assert (identifier, result.error.error_type if result.error else None) == ("1", error_type)


@pytest.mark.parametrize("value", [None, 5, {}, {"jsonrpc": "2.0", "id": 1, "result": 5}, {"tools": []}])
def test_what_answers_no_call_is_refused(value: Any) -> None:
    with pytest.raises(UsageError, match="is not a "):
        mcp.result_in(value)


# The published servers


@needs_corpus
@both_eras
@pytest.mark.parametrize("with_contract", [False, True])
def test_all_servers_come_back_equal_in_all_that_is_not_lost(era: Era, with_contract: bool) -> None:
    for name, contracts in lists().items():
        tool_set = mcp.tools_out(contracts, era=era, with_contract=with_contract)
        server = next((one.module for one in contracts), None)

        for back in (
            mcp.tools_in(tool_set.tools, names=tool_set.names),
            mcp.tools_in(mcp.list_result(tool_set), module=server),
        ):
            for one, other, dotted in zip(contracts, back, tool_set.names.to_provider, strict=True):
                said = lost(loss for loss in tool_set.losses if loss.tool == dotted)
                found = differences(one, other)
                assert found <= said, (name, one.name)
                assert said - found <= {"module"}, (name, one.name)


@needs_corpus
@both_eras
def test_the_sdk_reads_all_that_we_emit(era: Era) -> None:
    types = pytest.importorskip("mcp_types", reason=NO_PACKAGE)
    methods = pytest.importorskip("mcp_types.methods", reason=NO_PACKAGE)

    for contracts in lists().values():
        listed = mcp.list_result(mcp.tools_out(contracts, era=era))
        parsed = methods.parse_server_result("tools/list", era, listed)
        written = types.ListToolsResult.model_validate(listed).model_dump(by_alias=True, exclude_none=True, mode="json")
        assert [tool.name for tool in parsed.tools] == [tool["name"] for tool in listed["tools"]]  # type: ignore[union-attr, index, call-overload]
        assert written["tools"] == listed["tools"]


@given(result=RESULTS, one=st.sampled_from([None, FULL, LIST, EITHER]), era=st.sampled_from(ERAS))
def test_the_sdk_reads_any_result_that_we_emit(result: MCPToolResult, one: ToolContract | None, era: Era) -> None:
    types = pytest.importorskip("mcp_types", reason=NO_PACKAGE)

    answer = types.CallToolResult.model_validate(sent(result, one, era))

    assert mcp.result_in(answer) == ("", result)


def _answers() -> Iterator[tuple[ToolContract, MCPToolResult]]:
    partial = MCPToolResult(status=ResultStatus.PARTIAL_SUCCESS, data={"degrees": 1}, error=ERROR, explanation="ü")
    yield FULL, partial
    yield contract("a.list", returned=LIST.output_schema), MCPToolResult(data={"result": [1, 2]}, explanation="two")
    yield contract("a.object", returned=EITHER.output_schema), MCPToolResult(data={"a": None})
    yield contract("a.null", returned=EITHER.output_schema), MCPToolResult(data=None)
    yield contract("a.number", returned=EITHER.output_schema), MCPToolResult(data={"result": 5})
    yield contract("a.tree", returned=TREE), MCPToolResult(data={"result": [{"below": []}]})
    yield contract("a.unchanged", returned=FULL.output_schema), MCPToolResult(status=ResultStatus.NO_CHANGE_NEEDED)
    yield contract("a.failing", returned=FULL.output_schema), FAILURE
    yield contract("a.blocks"), MCPToolResult(data={"content": [TEXT, IMAGE]}, explanation="an image")
    yield contract("a.rich", returned=FULL.output_schema), MCPToolResult(data={"degrees": 2, CONTENT_KEY: [IMAGE]})
    yield contract("a.plain"), MCPToolResult(data={"any": [None, {"thing": True}]})


@both_eras
def test_a_real_client_lists_our_tools_and_calls_through_them(era: Era) -> None:
    pytest.importorskip("mcp", reason=NO_PACKAGE)
    expected = {one.name: (one, result) for one, result in _answers()}
    if era == "2026-07-28":
        del expected["a.null"]  # the server of mcp 2.3.0 drops a `structuredContent` of null, and its client misses it
    tool_set = mcp.tools_out([one for one, _ in expected.values()], era=era)

    found = asyncio.run(_called(tool_set, expected, era))

    assert found == {name: result for name, (_, result) in expected.items()}


async def _called(
    tool_set: ToolSet, expected: dict[str, tuple[ToolContract, MCPToolResult]], era: Era
) -> dict[str, MCPToolResult]:
    from mcp import Client

    arguments = {"city": "Bern", "deep": {"none": None}}
    async with Client(_server(tool_set, expected, era), mode="legacy" if era == "2025-11-25" else era) as client:
        contracts = mcp.tools_in(await client.list_tools(), names=tool_set.names)
        return {
            one.name: mcp.result_in(await client.call_tool(tool_set.names.to_provider[one.name], arguments))[1]
            for one in contracts
        }


def _server(tool_set: ToolSet, expected: dict[str, tuple[ToolContract, MCPToolResult]], era: Era) -> Any:
    """Return a server of the SDK that lists our tools and returns our answers."""
    from mcp.server.lowlevel import Server

    async def on_list(context: Any, params: Any) -> Any:
        return mcp.list_result(tool_set)

    async def on_call(context: Any, params: Any) -> Any:
        call = mcp.call_in(params, tool_set.names)
        assert isinstance(call, ProviderCall)
        assert call.call.arguments == {"city": "Bern", "deep": {"none": None}}
        one, result = expected[call.call.tool_name]
        return mcp.answer_out(result, era=era, contract=one)

    return Server("ours", version="1", on_list_tools=on_list, on_call_tool=on_call)


@both_eras
def test_remote_tools_give_back_the_very_results_that_another_registry_sent(era: Era) -> None:
    pytest.importorskip("mcp", reason=NO_PACKAGE)
    expected = {one.name: (one, result) for one, result in _answers() if one.name != "a.null"}
    server = _server(mcp.tools_out([one for one, _ in expected.values()], era=era), expected, era)

    async def results() -> dict[str, MCPToolResult]:
        from mcp import Client

        async with Client(server, mode="legacy" if era == "2025-11-25" else era) as client:
            tools = await remote_tools(client, server="ours")
            arguments: dict[str, JsonValue] = {"city": "Bern", "deep": {"none": None}}
            return {
                str(tool.contract.source_name): await tool.call(
                    arguments, ToolContext(tool.contract, CallContext(), "1")
                )
                for tool in tools
            }

    assert asyncio.run(results()) == {name: result for name, (_, result) in expected.items()}


def test_our_own_specification_goes_out_whole() -> None:
    contracts: Contracts = load(Path(__file__).parent.parent / "specs")

    tool_set = mcp.tools_out(contracts, with_contract=True)

    assert tool_set.losses == ()
    back = mcp.tools_in(tool_set.tools, names=tool_set.names)
    assert [differences(one, other) for one, other in zip(contracts, back, strict=True)] == [set()] * len(contracts)
