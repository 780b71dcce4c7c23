"""A mock of a specification: nearest examples, sampled values, failures, delays and recorded answers."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from mcp_contracts.cli.app import run
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.serving.mocking import Exchange, MockSettings, mocked_tools, read_exchanges, recorded_line
from mcp_contracts.serving.recording import record_calls
from mcp_contracts.sources.load import load
from mcp_contracts.witnesses.sampling import NoSampleError, sample
from tests.remote_servers import BLOCKS, honest_bench, over_http
from tests.serving_servers import DEMO, MODES, NAMES, SECONDS, client_of, program, running_http

SPECS = Path(__file__).parents[1] / "specs"


def answered(name: str, arguments: dict[str, Any], settings: MockSettings | None = None, source: Path = DEMO) -> Any:
    tools = mocked_tools(load(source), settings or MockSettings())
    return tools.registry.call({"tool_name": name, "arguments": arguments})


@pytest.mark.parametrize(
    ("arguments", "total"),
    [
        ({"a": 1, "b": 2}, 3),  # the first example
        ({"a": 10, "b": 20}, 30),  # the second
        ({"a": 10, "b": 7}, 30),  # nearest to the second
        ({"a": 5, "b": 6}, 3),  # near to none: the first
    ],
)
def test_the_nearest_example_answers(arguments: dict[str, Any], total: int) -> None:
    assert answered("demo.add", arguments).data == {"sum": total}


def test_calls_are_validated() -> None:
    result = answered("demo.add", {"a": "one", "b": 2})

    assert result.error.error_type == "ValidationError"


def test_a_specification_with_placeholders_is_mocked_and_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = (DEMO / "MCP_TOOL_SPECIFICATION.md").read_text(encoding="utf-8")
    specification = tmp_path / "MCP_TOOL_SPECIFICATION.md"
    specification.write_text(text.replace("Adds two", "{{what it is for}} Adds two"), encoding="utf-8")

    assert run(["call", str(specification), "add", "a=1", "b=2", "--mock"]) == 0
    captured = capfd.readouterr()
    assert captured.out == "sum: 3\n"
    assert captured.err == "warning: the specifications of `demo.add` still contain placeholders\n"
    with pytest.raises(UsageError, match="still contains the placeholder"):
        ToolRegistry(load(specification))


def test_every_tool_of_the_specifications_is_mocked() -> None:
    tools = mocked_tools(load(SPECS), MockSettings())

    for contract in tools.registry.tools(implemented=True):
        arguments = next(e.value["arguments"] for e in contract.examples if e.kind == "call")  # type: ignore[index, call-overload]
        result = tools.registry.call({"tool_name": contract.name, "arguments": arguments})
        assert result.error is None or result.status == "partial_success", (contract.name, result)


def test_without_examples_a_value_is_sampled_the_same_for_the_same_call_and_seed(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 0, "maximum": 100}, "s": {"type": "string"}},
        "required": ["n"],
    }
    tool = {"name": "demo.free", "inputSchema": {"type": "object"}, "outputSchema": schema}
    source = tmp_path / "tools.json"
    source.write_text(json.dumps({"tools": [tool]}), encoding="utf-8")

    def data(seed: int, word: str) -> Any:
        return answered("demo.free", {"word": word}, MockSettings(seed=seed), source).data

    assert data(0, "x") == data(0, "x")
    assert len({json.dumps(data(seed, word)) for seed in range(5) for word in "abcde"}) > 3


def test_a_failure_is_that_of_the_example_or_of_the_contract() -> None:
    alerts = {"weather.get_alerts": "ResourceNotFound"}

    declared = answered("demo.lookup", {"word": "x"}, MockSettings(failures={"demo.lookup": "ResourceNotFound"}))
    shown = answered("weather.get_alerts", {"area": "NO"}, MockSettings(failures=alerts), SPECS / "weather")
    standard = answered("demo.add", {"a": 1, "b": 2}, MockSettings(failures={"demo.add": "TimeoutError"}))

    assert (declared.error.error_type, declared.error.error_message) == (
        "ResourceNotFound",
        "when nobody knows the word.",
    )
    assert shown.error.error_type == "ResourceNotFound"
    assert standard.error.error_type == "TimeoutError"


@pytest.mark.parametrize(
    ("failures", "words"),
    [
        ({"demo.ad": "TimeoutError"}, "unknown tool `demo.ad`"),
        ({"demo.add": "TimeOutError"}, "the tool has no such error"),
    ],
)
def test_an_impossible_failure_is_refused(failures: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        mocked_tools(load(DEMO), MockSettings(failures=failures))


def test_latency_delays_the_answer() -> None:
    started = time.monotonic()

    answered("demo.add", {"a": 1, "b": 2}, MockSettings(latency=(0.05, 0.06)))

    assert time.monotonic() - started >= 0.05


def test_recorded_calls_answer_before_the_examples() -> None:
    recorded = Exchange("demo.add", {"a": 1, "b": 2}, MCPToolResult(data={"sum": 42}))
    lines = [recorded_line(recorded), "\n"]

    settings = MockSettings(exchanges=read_exchanges(lines, "calls.jsonl"))

    assert answered("demo.add", {"a": 1, "b": 2}, settings).data == {"sum": 42}
    assert answered("demo.add", {"a": 10, "b": 20}, settings).data == {"sum": 30}


@pytest.mark.parametrize("line", ["{", "[]", '{"tool_name": "a.b", "arguments": 1, "result": {}}', '"x"'])
def test_a_broken_recording_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(UsageError, match=r"calls.jsonl:2: this line is not a recorded call"):
        read_exchanges(["\n", line], "calls.jsonl")


@pytest.mark.parametrize("mode", MODES)
def test_a_mock_is_a_server_like_any_other(mode: str) -> None:
    async def call() -> Any:
        registry = mocked_tools(load(DEMO), MockSettings()).registry
        async with client_of(registry, mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            return names, (await client.call_tool("demo.add", {"a": 1, "b": 2})).structured_content

    assert asyncio.run(call()) == (NAMES, {"sum": 3})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--latency", "soon"), "`--latency soon` is not a valid delay"),
        (("--latency", "2-1"), "`--latency 2-1` is not a valid delay"),
        (("--fail", "demo.add"), "`--fail demo.add` is not `TOOL=ERROR`"),
        (("--fail", "demo.ad=TimeoutError"), "did you mean `demo.add`?"),
        (("--replay", "no/such/file"), "no/such/file"),
    ],
)
def test_wrong_options_are_usage_errors(
    options: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["mock", str(DEMO), "--transport", "http", "--port", "0", *options]) == 2
    assert words in capsys.readouterr().err


# Sampling

SCHEMAS: list[JsonValue] = [
    True,
    {},
    {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$"},
    {"type": "string", "minLength": 30, "maxLength": 31},
    {"type": "integer", "multipleOf": 7, "minimum": 50, "maximum": 60},
    {"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 3, "uniqueItems": True},
    {"type": "array", "contains": {"const": 5}, "minItems": 2},
    {"oneOf": [{"type": "null"}, {"type": "object", "properties": {"k": {"const": 1}}, "required": ["k"]}]},
    {"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}}},
    {"type": "object", "propertyNames": {"pattern": "^x-"}, "minProperties": 2},
    {"allOf": [{"type": "integer", "minimum": 3}, {"not": {"multipleOf": 2}}, {"maximum": 3.5}]},
    {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "type": "object", "required": ["a"]},
    {"properties": {"a": {"type": "integer"}}, "required": ["a", "z"], "additionalProperties": {"type": "null"}},
]  # fmt: skip


@pytest.mark.parametrize("schema", SCHEMAS)
def test_samples_are_valid_and_follow_the_seed(schema: JsonValue) -> None:
    compiled = compile_schema(schema)

    for seed in range(10):
        value = sample(schema, Random(seed))
        assert accepts(compiled, value) is True
        assert value == sample(schema, Random(seed))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 2, "maximum": 1},
        {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]},
        {"type": "array", "minItems": 100_000_000, "items": {"type": "string", "minLength": 1_000_000}},
    ],
    ids=["no number", "without end", "too long"],
)
def test_a_schema_that_accepts_nothing_has_no_sample(schema: JsonValue) -> None:
    with pytest.raises(NoSampleError):
        sample(schema, Random(0))


def test_samples_vary_and_have_optional_members() -> None:
    schema: JsonValue = {
        "type": "object",
        "properties": {"a": {"enum": [1, 2, 3]}, "b": {"type": "boolean"}, "c": {"type": "array", "items": {}}},
    }

    values = [sample(schema, Random(seed)) for seed in range(30)]

    assert len({json.dumps(value) for value in values}) > 5
    assert any(isinstance(value, dict) and value.keys() == {"a", "b", "c"} for value in values)


# Recording


def test_a_mock_replays_what_a_live_server_answered(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    calls: list[Any] = [
        {"tool_name": "demo.add", "arguments": {"a": 40, "b": 2}},
        {"tool_name": "demo.lookup", "arguments": {"word": "unknown"}},
        {"tool_name": "demo.add", "arguments": {"a": "refused here"}},
    ]

    async def record(address: str) -> list[MCPToolResult]:
        registry = ToolRegistry()
        async with record_calls(registry, address, {"timeout": 20, "server": "other"}, path):
            return [await registry.acall({**call, "tool_name": f"other.{call['tool_name']}"}) for call in calls]

    with running_http() as running:
        answers = asyncio.run(record(running.mcp))
    exchanges = read_exchanges(path.read_text(encoding="utf-8").splitlines(), "calls.jsonl")
    mock = mocked_tools(load(DEMO), MockSettings(exchanges=exchanges)).registry

    assert len(exchanges) == 2
    assert answers[0].data == {"sum": 42}
    assert answers[1].error is not None
    assert answers[1].error.error_type == "ResourceNotFound"
    assert [mock.call(call) for call in calls[:2]] == answers[:2]


REPLAYED = (*BLOCKS, "nothing", "all", "number", "rich", "failing", "failing_richly", "failing_in_form", "echo")


class Recording(NamedTuple):
    """The answers that a client received from a server, and the specification and calls recorded from it."""

    received: dict[str, Any]
    specification: Path
    calls: Path


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    folder = tmp_path_factory.mktemp("recording")
    path = folder / "calls.jsonl"

    async def record(address: str) -> None:
        registry = ToolRegistry()
        async with record_calls(registry, address, {"timeout": 20}, path):
            for name in REPLAYED:
                await registry.acall({"tool_name": f"bench.{name}", "arguments": ARGUMENTS})

    with over_http(honest_bench().server()) as address:
        asyncio.run(record(address))
        assert run(["import", address, "--into", str(folder), "--exclude", "*broken"]) == 0
        received = asyncio.run(blocks_of(address, "2026-07-28"))
    return Recording(received, folder / "bench" / "MCP_TOOL_SPECIFICATION.md", path)


ARGUMENTS: dict[str, Any] = {"deep": {"list": [1, None, "ü"], "none": None}}


async def blocks_of(server: Any, mode: str) -> dict[str, Any]:
    """Return the blocks that a client receives for each tool, without the `_meta` of the answer."""
    async with asyncio.timeout(SECONDS), Client(server, mode=mode) as client:
        answers = {name: await client.call_tool(name, ARGUMENTS) for name in REPLAYED}
    return {
        name: answer.model_dump(exclude={"meta", "result_type"}, exclude_unset=True) for name, answer in answers.items()
    }


@pytest.mark.parametrize("transport", ["http", "stdio"])
@pytest.mark.parametrize("mode", MODES)
def test_a_replay_gives_the_very_blocks_that_the_server_gave(
    mode: str, transport: str, recording: Recording, capfd: pytest.CaptureFixture[str]
) -> None:
    mock = ["mock", str(recording.specification), "--replay", str(recording.calls)]

    if transport == "stdio":
        replayed = asyncio.run(
            blocks_of(stdio_client(StdioServerParameters(command=program(), args=mock, env={**os.environ})), mode)
        )
    else:
        exchanges = read_exchanges(recording.calls.read_text(encoding="utf-8").splitlines(), "calls.jsonl")
        registry = mocked_tools(load(recording.specification), MockSettings(exchanges=exchanges)).registry
        with running_http(registry=registry) as running:
            replayed = asyncio.run(blocks_of(running.mcp, mode))

    assert replayed == recording.received


def test_calls_of_other_tools_are_no_recording() -> None:
    exchanges = (Exchange("weather.get_forecast", {}, MCPToolResult()),)

    with pytest.raises(UsageError, match=r"the first one is to `weather\.get_forecast`"):
        mocked_tools(load(DEMO), MockSettings(exchanges=exchanges))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([str(DEMO)], "`--record` requires one live server"),
        (["stdio:a", "stdio:b"], "`--record` requires one live server"),
        (["stdio:a", "--fail", "x=y"], "forwards every call to the live server"),
        (["stdio:no-such-command"], "the command `no-such-command` was not found"),
    ],
)
def test_what_cannot_be_recorded_is_reported(
    arguments: list[str], words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["mock", *arguments, "--record", str(tmp_path / "calls.jsonl")]) in (2, 3)
    assert words in capfd.readouterr().err
