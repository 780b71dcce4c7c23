"""Findings that readers of other documents and tool lists judged to be missing or wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.sources.tool_lists import read_tool_list
from tests.said import said
from tests.tables import each

CELLS = """
# Harbor tools

### `find_boat`

Finds a boat, and returns its name.

| Parameter | Type | Required | Default | Description |
|---|---|---|---|---|
| `size` | {type} | No | {default} | How long |
"""


@each(
    "kind, default, shown",
    [
        ("integer", "`EN`", "EN"),
        ("boolean", "`EN`", "EN"),
        ("integer", "EN", None),
        ("integer", "`MAX`", None),
        ("integer", "`MOST_BOATS`", None),
        ("string", "`EN`", None),
    ],
)
def test_a_short_word_in_capitals_is_no_number(kind: str, default: str, shown: str | None) -> None:
    expected = [f'MC333 the default of `size` is "{shown}", not of type {kind}'] if shown else []

    assert said(CELLS.format(type=kind, default=default)) == expected


def of_openai(*parameters: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Return tools in the format of OpenAI, some of them without parameters."""
    functions: Iterator[dict[str, Any]] = (
        {"name": f"find_{index}", "description": f"Finds boats in harbor {index}."}
        | ({"parameters": one} if one else {})
        for index, one in enumerate(parameters)
    )
    return [{"type": "function", "function": one} for one in functions]


def codes(tools: object) -> list[str]:
    """Return the errors of a tool list: the code and the message."""
    found = lint(Contracts((read_tool_list("a.tools.json", json.dumps(tools)),))).shown()
    return [f"{one.code} {one.message}" for one in found if one.severity.name == "ERROR"]


def test_a_tool_without_parameters_leaves_a_list_in_its_format() -> None:
    schema = {"type": "object", "properties": {"size": {"type": "integer", "description": "How long"}}}

    assert codes(of_openai(schema, None, schema)) == []
    assert len(codes([one["function"] for one in of_openai(schema, None)])) == 2  # of MCP, and misspelled


def test_a_default_in_capitals_is_one_of_the_values() -> None:
    def told(default: str) -> list[str]:
        status = {"type": "string", "description": f"The state. Defaults to {default}", "enum": ["DUE", "DONE"]}
        tool = {
            "name": "add_task",
            "description": "Adds a task.",
            "inputSchema": {"type": "object", "properties": {"status": status}},
        }
        found = lint(Contracts((read_tool_list("a.tools.json", json.dumps({"tools": [tool]})),))).shown()
        return [one.message for one in found if one.code == "MC337"]

    assert told("DUE") == []
    assert told("OPEN") == ["the description of `status` says `Defaults to OPEN`, which the schema does not allow"]


@each(
    "errors, is_told",
    [
        ("It does not fail.", False),
        ("None.", False),
        ("This tool has no errors of its own.", False),
        ("- `NotFound`: no such boat", True),
        ("It fails without an answer.", True),
    ],
)
def test_a_tool_that_never_fails_needs_no_example_of_a_failure(errors: str, is_told: bool) -> None:
    text = f"""
        ## Tool: `harbor.find_boat`

        ### 5. Error Handling

        {errors}

        ### 7. Usage Examples

        ```json
        {{"tool_name": "harbor.find_boat", "arguments": {{}}}}
        ```
        """

    assert [one[:5] for one in said(text) if one.startswith("MC408")] == (["MC408"] if is_told else [])


NESTED = """
# Notes: tool specification

### `add_note`

Adds a note, and returns its number.

````python
text = '''
```python
print()
```
'''
````

### `find_note`

Finds a note, and returns it.

```python
find_note()
```
"""


def test_a_fence_around_text_with_a_fence_is_one_fault() -> None:
    def told(text: str) -> list[tuple[str, int]]:
        found = lint(Contracts((read_spec("notes.md", text),))).shown()
        return [(one.message, one.place.line) for one in found if one.code == "MC013" and one.place is not None]

    assert told(NESTED) == []
    assert told(NESTED.replace("````", "```")) == [
        ("the code fence that opens here is not closed before the next one opens", 8)
    ]


@each(
    ("example", "expected"),
    [
        ('{"name": "web", "version": 1.2.0}', ["MC333 the example of `config` is not valid JSON"]),
        ('{"name": "web", "sizes": [1, 2]}', []),
        ('{"name": "web", ...}', []),
        ('{"name": NAME}', []),
        ("{'name': 'web', 'is_new': True}", []),
    ],
)
def test_an_object_in_a_cell_is_valid_json(example: str, expected: list[str]) -> None:
    head = "# Shelves: tool specification\n\n## `build_shelf`\n\nBuilds a shelf, and returns it.\n\n"
    table = "| Parameter | Type | Required | Description | Example |\n|---|---|---|---|---|\n"
    text = f"{head}{table}| `config` | object | yes | Settings | `{example}` |\n"
    found = lint(Contracts((read_spec("a/MCP_TOOL_SPECIFICATION.md", text),))).shown()

    assert [f"{one.code} {one.message}" for one in found if one.code == "MC333"] == expected
