"""Calls in TypeScript, curl requests and command lines, read as examples of a tool."""

from __future__ import annotations

import pytest

from mcp_contracts.contract import Example
from mcp_contracts.parsing.spec import read_spec

TOOL = """# Notes

## Tool: `find_notes`

| Name | Type | Required | Description |
|---|---|---|---|
| `word` | string | yes | The word |
| `max_count` | integer | no | How many |
| `deep` | boolean | no | Whether to look deep |

Example:

```{language}
{code}
```
"""


def examples(language: str, code: str) -> tuple[Example, ...]:
    return read_spec("notes/SPEC.md", TOOL.format(language=language, code=code)).tools[0].contract.examples


def call(language: str, code: str) -> object:
    (example,) = examples(language, code)
    assert example.kind == "call"
    return example.value


ARGUMENTS = {"tool_name": "find_notes", "arguments": {"word": "tea", "max_count": 3}}


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("ts", 'await client.callTool({ name: "find_notes", arguments: { word: "tea", max_count: 3 } });'),
        ("typescript", "const found = await callTool('find_notes', { word: 'tea', max_count: 3 });"),
        ("js", 'find_notes({ word: "tea", "max_count": 3 })'),
        ("ts", "notes.find_notes({\n  word: `tea`, // the word\n  max_count: 3,\n})"),
    ],
)
def test_a_call_in_other_code_than_python_is_an_example(language: str, code: str) -> None:
    value = call(language, code)

    assert value == ARGUMENTS or value == {**ARGUMENTS, "tool_name": "find-notes"}


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("bash", "npm install find_notes"),
        ("bash", "# find_notes --word tea"),
        ("bash", "mcp call find_notes --server http://localhost"),
        ("bash", "grep -r word ."),
        ("ts", "function find_notes({ word }: { word: string }) {}"),
        ("ts", "find_notes({ word })"),
        ("ts", "server.tool(name, { arguments: {} })"),
        ("text", "It calls find_notes(word)"),
    ],
)
def test_what_is_not_a_call_of_the_tool_is_not_an_example(language: str, code: str) -> None:
    assert examples(language, code) == ()


def test_values_that_code_computes_are_known_to_be_given() -> None:
    (example,) = examples("ts", 'callTool({ name: "find_notes", arguments: { word: wordOf(x), max_count, ...rest } })')

    assert example.value == {"tool_name": "find_notes", "arguments": {}}
    assert example.computed == {"word", "max_count"}
    assert not example.is_whole


@pytest.mark.parametrize(
    "code", ["{" * 20_000, 'x = {"method": "tools/call", ' * 600, "find_notes({" * 1_500, "'" * 20_000]
)
def test_hostile_code_is_read_in_a_bounded_time(code: str) -> None:
    for language in ("bash", "ts"):
        assert len(examples(language, code)) <= 20


@pytest.mark.parametrize("is_canonical", [False, True])
def test_object_literals_in_a_code_span_are_arguments_in_their_place(*, is_canonical: bool) -> None:
    heading = "### 7. Usage Examples" if is_canonical else "Example:"
    span = 'The call `find_notes({ word: "tea", max_count: 3 })` finds tea.'
    text = f"{TOOL.partition('Example:')[0]}{heading}\n\n{span}\n"
    if is_canonical:
        numbered = (
            "**Version**: 1.0.0\n\n### 1. Tool Purpose and Description\n\nFinds.\n\n### 3. Input Schema\n\n| Name |"
        )
        text = text.replace("`find_notes`", "`notes.find_notes`", 1).replace("| Name |", numbered, 1)

    (example,) = read_spec("notes/SPEC.md", text).tools[0].contract.examples

    assert isinstance(example.value, dict)
    assert example.value["arguments"] == ARGUMENTS["arguments"]
    place = example.locator.place("/arguments/word")
    assert span[place.column - 1 : (place.end_column or 0) - 1] == '"tea"'


def test_object_literals_in_a_block_without_a_language_are_arguments() -> None:
    assert call("", 'find_notes({ word: "tea", max_count: 3 })') == ARGUMENTS
