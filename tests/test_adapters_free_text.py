"""Tool calls in free text: written cases, laws for any text, and the cost of hostile text."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.adapters.free_text.parsed_calls import FoundCall, ParsedCalls
from mcp_contracts.adapters.free_text.reading import parse_tool_calls
from mcp_contracts.contract import SchemaOrigin, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolCall
from mcp_contracts.providers.names import NameMap
from tests.support_schemas import schema_part
from tests.sweeps import size, sweep
from tests.tables import each

CASES = Path(__file__).parent / "cases" / "free_text"
NAMES = sorted(path.stem for path in CASES.glob("*.txt"))

FRAGMENTS = (
    "{", "}", "[", "]", '"', "'", ":", ",", "\\", "\n", " ", "name", '"name"', '"tool":', '"arguments":', "args:",
    '"a.b"', "{}", "[]", "1", "-", "1e9", "null", "True", "<think>", "</think>", "<tool_call>", "</tool_call>",
    "[TOOL_CALLS]", "[ARGS]", "<function=a.b>", "```json\n", "\n```\n", "~~~", "//", "/*", "*/", "#", "“", "”", "é",
    "🌦️", '{"name": "a.b", "arguments": {}}',
    "{'name': 'a.b', 'args': {}}", '"{\\"x\\": 1}"', "\\ud800", "\ud800", "\x00",
    "\r", "\u2028", "<|channel|>analysis", "<|end|>", "◁think▷", "[THINK]", "`", '"input": "', "<tools>", "tools/call",
)  # fmt: skip


def contracts() -> tuple[ToolContract, ...]:
    """Return the tools that the cases call."""
    listed = json.loads((CASES / "tools.json").read_text("utf-8"))["tools"]
    return tuple(
        ToolContract(tool["name"], Place("tools.json", 1, 1, 1, 2), input=schema_part(tool["inputSchema"]))
        for tool in listed
    )


TOOLS = contracts()


def tool(name: str, schema: Any = None, *, version: str | None = None) -> ToolContract:
    """Return a contract with a name and an input schema."""
    part = None if schema is None else schema_part(schema, origin=SchemaOrigin.SCHEMA)
    return ToolContract(name, Place("t.json", 1, 1, 1, 2), version=version, input=part)


def expectation(name: str) -> dict[str, Any]:
    """Return the expected result of a case."""
    expected = json.loads((CASES / f"{name}.json").read_text("utf-8"))
    assert isinstance(expected, dict)
    return expected


def parsed(name: str) -> tuple[str, ParsedCalls]:
    """Return the text of a case and its result."""
    text = (CASES / f"{name}.txt").read_bytes().decode()
    expected = expectation(name)
    names = None
    if "names" in expected:
        names = NameMap(expected["names"], {wire: dotted for dotted, wire in expected["names"].items()})
    return text, parse_tool_calls(text, TOOLS if expected.get("tools", True) else None, names=names)


def told(call: FoundCall) -> list[str]:
    """Return the contract's objections to a call, one on each line."""
    return [
        f"{error.pointer}: {error.message}" + (f"; nearest {' '.join(error.nearest)}" if error.nearest else "")
        for error in call.errors
    ]


def test_the_number_of_cases_is_as_documented() -> None:
    assert len(NAMES) >= 70
    assert {path.stem for path in CASES.glob("*.json")} == {*NAMES, "tools"}


@each("name", NAMES)
def test_a_text_gives_the_calls_and_the_near_ones_that_its_case_names(name: str) -> None:
    expected = expectation(name)

    _, result = parsed(name)

    calls = [
        {"name": call.name, "arguments": call.arguments, **asdict(call.place), "errors": told(call)}
        for call in result.calls
    ]
    near = [{"fault": one.fault, **asdict(one.place), "is_cut_off": one.is_cut_off} for one in result.near]
    assert calls == expected["calls"]
    assert near == expected["near"]


def outputs() -> list[tuple[str, list[Any], int, str]]:
    """The outputs of models: a title, the calls in it, the number of failed attempts, and the text."""
    found = []
    for block in (CASES.parent / "model_outputs.txt").read_text("utf-8").split("=== ")[1:]:
        header, _, text = block.partition("\n")
        family, title, expected = header.split(" | ", 2)
        calls, end = json.JSONDecoder().raw_decode(expected)
        found.append((f"{family}: {title}", calls, int(expected[end:] or 0), text.removesuffix("\n")))
    return found


OUTPUTS = outputs()


def test_the_outputs_are_of_many_families() -> None:
    assert len(OUTPUTS) >= 120
    assert len({title.partition(":")[0] for title, *_ in OUTPUTS}) >= 12


@each(("title", "calls", "near", "text"), OUTPUTS)
def test_each_call_in_an_output_is_found_or_reported_as_near(
    title: str, calls: list[list[Any]], near: int, text: str
) -> None:
    result = parse_tool_calls(text, TOOLS)

    assert [[call.name, call.arguments] for call in result.calls] == calls
    assert [call.errors for call in result.calls if call.errors] == []
    assert len(result.near) == near, result.near
    assert_sound(text)


@sweep
@each("text", [text for title, *_, text in OUTPUTS if not title.startswith("prose")])
def test_every_beginning_of_an_output_gives_only_calls_of_the_whole(text: str) -> None:
    whole = [(call.name, call.arguments) for call in parse_tool_calls(text, TOOLS).calls]

    for end in range(0, len(text), max(1, len(text) // size(96, 16))):
        complete = [one for one in assert_sound(text[:end]).calls if not one.errors]
        assert all((one.name, one.arguments) in whole for one in complete)


def test_a_call_without_errors_is_a_message_and_one_with_errors_has_an_answer() -> None:
    for name in NAMES:
        _, result = parsed(name)
        for call in result.calls:
            assert (call.error is None) is not bool(call.errors), name
            if not call.errors:
                assert call.call is not None, name
                assert MCPToolCall.from_json(call.call.to_json()) == call.call, name
            else:
                assert call.error is not None, name
                assert call.error.error_message.startswith(call.errors[0].message), name
        for near in result.near:
            assert near.fault in near.error.error_message, name
            assert near.place.start <= near.fault_place.start <= near.place.end, name


@sweep
@each("name", NAMES)
def test_every_beginning_of_a_text_is_read_without_an_exception(name: str) -> None:
    text, _ = parsed(name)

    for end in range(0, len(text), max(1, len(text) // size(96, 16))):
        assert_sound(text[:end])


def assert_sound(text: str) -> ParsedCalls:
    """Check the laws for a text, and return its result."""
    result = parse_tool_calls(text, TOOLS)
    again = parse_tool_calls(text)
    found = [one.place for one in result.calls] + [one.place for one in result.near]
    places = sorted((place.start, place.end) for place in found)
    assert all(0 <= start <= end <= len(text) for start, end in places)
    assert all(first[1] <= second[0] for first, second in pairwise(places))
    for call in again.calls:
        if call.call is not None:
            assert MCPToolCall.from_json(call.call.to_json()) == call.call
    assert result.steps <= 4 * len(text) + 100
    assert parse_tool_calls(text, TOOLS) == result
    return result


@sweep
def test_thousands_of_random_texts_are_read_without_an_exception() -> None:
    source = random.Random(20261122)

    for _ in range(size(3_000, 6)):
        assert_sound("".join(source.choice(FRAGMENTS) for _ in range(source.randint(0, 40))))


@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=4), max_size=60).map("".join))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    assert_sound(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(st.text(), JSON, max_size=3), max_size=4), st.sampled_from((None, 2)), st.booleans())
def test_calls_that_are_written_come_back_at_their_places(
    many: list[dict[str, Any]], indent: int | None, ascii_only: bool
) -> None:
    written = [
        json.dumps({"name": "a.b", "arguments": arguments}, indent=indent, ensure_ascii=ascii_only)
        for arguments in many
    ]

    text = "Here you are:\n" + "\nand then\n".join(written)
    result = parse_tool_calls(text)

    assert result.near == ()
    assert [text[call.place.start : call.place.end] for call in result.calls] == written
    assert [call.arguments for call in result.calls] == many


@given(JSON)
def test_nothing_inside_a_string_or_of_arguments_is_a_call(value: Any) -> None:
    hidden = {"name": "files.delete", "arguments": {"path": "a"}}
    outer = {"name": "a.b", "arguments": {"text": json.dumps([hidden, value]), "value": [hidden, value]}}

    result = parse_tool_calls(json.dumps(outer))

    assert [call.name for call in result.calls] == ["a.b"]


HOSTILE = (
    "{", "[", '"', "```", "<tool_call>", "<tool_call></tool_call>", '{"', '["', '{"a":', "[{", "{{", "{'", "{x:", "\\",
    '{"name":"a.b","arguments":{', '{"name":"a.b","arguments":{}}', '{"a":1\n', "/*", "{a:/*", "{a:/*]", "{a://",
    "<think>", "</think>", "<", "[TOOL_CALLS]", "\n```\n", "{a:'x' ", "{a:“", '{"name": "x" ', "[1,", "{ ", '{"a":"\\',
    "`<think>`", '{"a":1}}', '"arguments":{}', "<tool_call>[{}]", '{a:"x" \n', "<function=a", "<|channel|>", "\r",
    "Action: files.write\nAction Input: x\n", "Action:\n", "files.write(", "[files.write(", "files.write('",
    "files.write {", "<files.write>", "<invoke name='a'><parameter name='b'>", "<tool_call>a<arg_key>",
    "<start_function_call>call:a{",
    "<|python_tag|>a(", "```tool_code\n", ">>>a\n{", "✿FUNCTION✿: a ✿ARGS✿:", "Tool: files.write\n",
    '<|open|>call tool="a"<|sep|>',
    'files.write {"path": "a"}\n', "`files.write()` ", "<FILES.write>", "Observation:\n", "<|im_start|>tool\n", "</",
)  # fmt: skip


@each("unit", HOSTILE)
def test_the_steps_grow_no_faster_than_a_hostile_text(unit: str) -> None:
    short = parse_tool_calls(unit * (2_000 // len(unit)), TOOLS)
    long = parse_tool_calls(unit * (8_000 // len(unit)), TOOLS)

    assert short.steps <= 3 * 2_000 + 100
    assert long.steps <= 4.2 * short.steps + 100


def test_a_text_past_the_bound_is_reported_and_not_read() -> None:
    result = parse_tool_calls('{"name": "a.b", "arguments": {}}' * 10, longest=100)

    assert result.calls == ()
    assert [one.fault for one in result.near] == ["the text is longer than 100 characters"]


def test_only_the_first_thousand_near_calls_are_reported_and_the_rest_counted() -> None:
    result = parse_tool_calls("<tool_call></tool_call>" * 1_500)

    assert (len(result.near), result.more_near) == (1_000, 500)


def test_a_text_is_clean_only_if_all_that_was_meant_may_run() -> None:
    good = '{"name": "calendar.list_events", "arguments": {}}'

    assert parse_tool_calls(good, TOOLS).is_clean
    assert not parse_tool_calls(good + "\n{'name': 'x', 'arguments': {}}", TOOLS).is_clean
    assert not parse_tool_calls('{"name": "no.such", "arguments": {}}', TOOLS).is_clean


def test_the_newest_version_of_a_tool_judges_a_call() -> None:
    old = tool("a.b", {"type": "object", "required": ["x"]}, version="1.0.0")
    new = tool("a.b", {"type": "object", "required": ["y"]}, version="2.0.0")

    (call,) = parse_tool_calls('{"name": "a.b", "arguments": {"x": 1}}', [new, old]).calls

    assert "`y`" in call.errors[0].message


def test_arguments_that_cannot_be_judged_are_no_valid_ones() -> None:
    remote = tool("a.b", {"$ref": "https://example.com/schema.json"})

    (call,) = parse_tool_calls('{"name": "a.b", "arguments": {}}', [remote]).calls

    assert call.error is not None
    assert call.error.error_type == "ToolExecutionError"


def test_a_tool_of_a_server_is_called_by_its_own_name_if_no_other_tool_has_it() -> None:
    listed = ToolContract("list-issues", Place("t.json", 1, 1, 1, 2), module="github-mcp-server")
    other = ToolContract("list-issues", Place("t.json", 2, 1, 2, 2), module="gitlab")
    text = '{"name": "list-issues", "arguments": {}}'

    (call,) = parse_tool_calls(text, [listed]).calls
    (ambiguous,) = parse_tool_calls(text, [listed, other]).calls

    assert call.call == MCPToolCall(tool_name="github_mcp_server.list_issues", arguments={})
    assert ambiguous.call is None
    assert ambiguous.errors[0].nearest == ("github_mcp_server.list_issues", "gitlab.list_issues")


def test_possible_data_is_not_a_call_because_of_the_last_word_of_a_tool_name() -> None:
    data = '{"name": "write", "age": 3} {"name": "example.com", "port": 80} {"tool": "find", "input": "text"}'

    assert parse_tool_calls(data, TOOLS).near == ()
    assert parse_tool_calls(data).near == ()


def test_the_example_of_the_page_runs() -> None:
    page = (Path(__file__).parents[1] / "docs" / "free_text.md").read_text("utf-8")

    exec(page.split("```python\n")[1].split("```")[0], {})


def test_two_tools_with_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="described twice"):
        parse_tool_calls("", [tool("a.b"), tool("a.b")])


def test_a_call_on_its_own_line_begins_again_unless_an_array_is_open() -> None:
    unfinished = '{"name": "a.b", "arguments": {"x": [%s\n{"name": "c.d", "arguments": {}}'

    assert [call.name for call in parse_tool_calls(unfinished % "1]}").calls] == ["c.d"]
    assert parse_tool_calls(unfinished % '{"y": 1}').calls == ()
