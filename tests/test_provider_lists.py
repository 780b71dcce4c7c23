"""Tool lists in the formats of providers, and findings about such keys in MCP's lists."""

from __future__ import annotations

import json

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue
from mcp_contracts.sources.documents import read_source

SCHEMA: JsonValue = {
    "type": "object",
    "properties": {"city": {"type": "strng", "description": "The city."}},
    "required": ["town"],
}


def entries(key: str) -> list[JsonValue]:
    """Return two tools with their schema under a given key."""
    texts = {
        "get": "Gets the weather of one city for today.",
        "find": "Finds cities whose name begins with some letters.",
    }
    return [{"name": name, "description": text, key: SCHEMA} for name, text in texts.items()]


def plain() -> list[dict[str, JsonValue]]:
    """Return two tools with `parameters`."""
    return [entry for entry in entries("parameters") if isinstance(entry, dict)]


def wrapped() -> list[JsonValue]:
    """Return two tools in OpenAI's format for chat completions."""
    return [{"type": "function", "function": entry} for entry in entries("parameters")]


@pytest.mark.parametrize(
    "document",
    [
        entries("input_schema"),
        {"tools": entries("input_schema")},
        entries("parameters"),
        wrapped(),
        {"model": "any", "tools": wrapped()},
        [{"functionDeclarations": entries("parameters")}],
        {"tools": [{"function_declarations": entries("parametersJsonSchema")}]},
        wrapped()[:1],
        {"model": "any", "tools": [{"type": "function", **entry} for entry in plain()[:1]]},
        {"model": "any", "tools": [{"type": "web_search"}, *wrapped()]},
        {"functions": plain()[:1]},
    ],
)
def test_a_provider_s_list_is_read_and_linted(document: JsonValue) -> None:
    file = read_source("tools.json", json.dumps(document))

    found = lint(Contracts((file,))).shown()

    assert {contract.name for contract in file.contracts} <= {"get", "find"}
    assert all(contract.input_schema == SCHEMA for contract in file.contracts)
    assert [one.code for one in found] == ["MC308", "MC302"] * len(file.contracts)


PING: dict[str, JsonValue] = {"name": "ping", "description": "Answers, to show that the server can be reached."}
BESIDE_OTHERS: list[JsonValue] = [{"type": "function", "function": PING}, *wrapped()]


@pytest.mark.parametrize(
    "document",
    [
        [{"type": "function", "function": PING}],
        [{"type": "function", "function": PING | {"parameters": None}}],
        [{"type": "function", **PING}],
        [{"functionDeclarations": [PING]}],
        BESIDE_OTHERS,
    ],
)
def test_a_provider_s_tool_without_parameters_has_none(document: JsonValue) -> None:
    (ping, *_) = read_source("tools.json", json.dumps(document)).contracts

    assert ping.input_schema == {"type": "object", "properties": {}}


@pytest.mark.parametrize("document", [[PING], {"tools": [PING]}, [PING, *entries("input_schema")]])
def test_a_tool_of_mcp_or_anthropic_without_a_schema_is_reported(document: JsonValue) -> None:
    found = lint(Contracts((read_source("tools.json", json.dumps(document)),))).shown()

    assert "MC301" in {one.code for one in found}


@pytest.mark.parametrize(
    "document",
    [
        entries("input_schema")[:1],
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": entries("input_schema")}},
        {"tools": [*entries("inputSchema")[:1], *entries("input_schema")[1:]]},
    ],
)
def test_a_misspelled_key_in_a_list_of_mcp_is_reported_and_its_schema_is_linted(document: JsonValue) -> None:
    found = lint(Contracts((read_source("tools.json", json.dumps(document)),))).shown()

    codes = {one.code for one in found}
    assert codes == {"MC008", "MC302", "MC308"}


def test_two_hints_that_contradict_are_reported() -> None:
    hints: JsonValue = {"readOnlyHint": True, "destructiveHint": True}
    tool: JsonValue = {"name": "get", "description": "Gets the weather of one city for today.", "annotations": hints}
    assert isinstance(tool, dict)
    tool["inputSchema"] = {"type": "object", "properties": {}}

    found = lint(Contracts((read_source("tools.json", json.dumps([tool])),))).shown()

    assert [(one.code, one.message) for one in found if one.code == "MC511"] == [
        ("MC511", "effects `read-only` and `destructive` are mutually exclusive")
    ]


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        ("**Status**: deprecated\n**Deprecated since**: 1.2.0\n**Replacement**: `m.get`", []),
        ("**Status**: deprecated\n**Deprecated in**: 1.2.0\n**Replaced by**: m.get", []),
        ("**Status**: deprecated\n**Deprecated since**: 1.2.0\n**Use instead**: `m.gone`", ["MC205"]),
        ("**Status**: deprecated", ["MC203", "MC204"]),
    ],
)
def test_a_deprecation_may_be_in_lines_of_its_own(lines: str, codes: list[str]) -> None:
    text = f"# m\n\n## Tool: `m.get`\n\n**Version**: 2.0.0\n\n## Tool: `m.old`\n\n**Version**: 2.0.0\n{lines}\n"

    found = lint(Contracts((read_source("m/spec.md", text),))).shown()

    assert [one.code for one in found if one.code.startswith("MC20")] == codes


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("| adress.city | string |", "`adress.city` is a member of `adress`, which has no row"),
        ("| place.city | string |", "`place.city` is a member of `place`, which has no row"),
    ],
)
def test_a_member_of_something_without_a_row_is_reported(row: str, message: str) -> None:
    table = f"| Name | Type |\n|---|---|\n| address | object |\n| address.zip | string |\n{row}"
    text = f"# m: tool specification\n\n## `m_get`\n\nGets it.\n\n**Parameters**\n\n{table}\n\n**Returns** it.\n"

    found = lint(Contracts((read_source("spec.md", text),))).shown()

    assert [one.message for one in found if one.code == "MC334"] == [message]


def test_a_bad_name_in_section_2_is_reported_at_its_own_place() -> None:
    text = "# Mailer - MCP Tool Specification\n\n## Tool 1: Send Mail\n\n### 1. Tool Purpose and Description\n\n"
    text += "Sends it.\n\n"
    text += "### 2. Invocation Name\n\n`send mail`\n\n### 3. Input Schema (Parameters)\n\nNone.\n"

    found = lint(Contracts((read_source("spec.md", text),))).shown()

    assert [(one.place.line, one.message.partition(",")[0]) for one in found if one.code == "MC101"] == [
        (11, "name `send mail` contains a space")
    ]


def test_a_list_of_gemini_writes_types_in_capitals_and_sizes_as_strings() -> None:
    steps: JsonValue = {"type": "ARRAY", "nullable": True, "minItems": "1", "items": {"type": ["STRING"]}}
    names: JsonValue = {"type": "STRING", "maxLength": "many"}
    parameters: JsonValue = {"type": "OBJECT", "properties": {"steps": steps, "names": names}}

    file = read_source(
        "tools.json", json.dumps([{"functionDeclarations": [{"name": "plan", "parameters": parameters}]}])
    )

    assert [contract.input_schema for contract in file.contracts] == [
        {
            "type": "object",
            "properties": {
                "steps": {"type": ["array", "null"], "minItems": 1, "items": {"type": ["STRING"]}},
                "names": {"type": "string", "maxLength": "many"},
            },
        }
    ]


def test_the_examples_in_a_list_of_anthropic_are_checked_with_the_schema() -> None:
    schema = {"type": "object", "properties": {"phase": {"type": "integer", "maximum": 4}}, "required": ["phase"]}
    examples: list[JsonValue] = [{"phase": 4}, {"phase": 5}, {"phse": 1}, "none"]
    tool = {"name": "search_trials", "description": "Finds trials.", "input_schema": schema}

    file = read_source("tools.json", json.dumps([{**tool, "input_examples": examples}, {**tool, "name": "other"}]))

    assert [example.value for example in file.contracts[0].examples] == examples
    assert [one.message for one in lint(Contracts((file,))).shown() if one.code == "MC404"] == [
        "`phase` is 5, greater than the maximum of 4",
        "`phse` is not a parameter of the tool",
        'the arguments object is "none", not of type object',
    ]
