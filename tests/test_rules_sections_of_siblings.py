"""Sections that the other tools of a file have, and entries of a server that are no tools."""

from __future__ import annotations

from typing import Any

from mcp_contracts.parsing.spec import read_spec
from tests.said import said
from tests.tables import each

TOOL = """
### `{name}`

{text}

**Parameters:**

| Parameter | Type | Required | Description |
|---|---|---|---|
| `{parameter}` | string | yes | The {parameter} |
{extra}{request}{response}"""
REQUEST = """
**Request Example:**

```json
{{"name": "{name}", "arguments": {{"{parameter}": "x"}}}}
```
"""
RESPONSE = """
**Response Example:**

```json
{"found": 4}
```
"""
TOOLS = ("find_boat", "find_harbor", "find_crew", "find_cargo", "find_route", "find_pilot")


def _document(lacking: str, *, extra: str = "", request: bool = True, response: bool = True) -> str:
    """Return a document whose tools have a request and a response; one of them lacks some, or has an extra part."""
    tools = []
    for name in TOOLS:
        parameter = name.partition("_")[2]
        is_odd = name == lacking
        tools.append(
            TOOL.format(
                name=name,
                text=f"Finds a {parameter}, and returns how many there are.",
                parameter=parameter,
                extra=extra if is_odd else "",
                request=REQUEST.format(name=name, parameter=parameter) if request or not is_odd else "",
                response=RESPONSE if response or not is_odd else "",
            )
        )
    return "# Harbor tools\n" + "".join(tools)


@each(
    "parts, missing",
    [
        ({}, None),
        ({"response": False}, "Response Example"),
        ({"request": False}, "Request Example"),
        (
            {"extra": '\n**Valid Crews:**\n- `"first"`, `"second"`\n', "response": False},
            "Response Example",
        ),
    ],
)
def test_one_of_two_examples_that_siblings_have_is_missing(parts: dict[str, Any], missing: str | None) -> None:
    expected = [f"MC109 section `{missing}`, which other tools of the file have, is missing"] if missing else []

    assert said(_document("find_crew", **parts)) == expected


def test_a_result_does_not_replace_the_example_call_that_siblings_have() -> None:
    text = _document("find_crew").replace("Response Example", "Output").replace("Request Example", "Example")
    call = REQUEST.format(name="find_crew", parameter="crew").replace("Request Example", "Example")

    assert said(text) == []
    assert said(text.replace(call, "")) == ["MC109 section `Example`, which other tools of the file have, is missing"]


def test_a_title_in_the_place_of_a_known_one_stands_for_it() -> None:
    text = _document("find_crew").replace("Response Example", "What the harbor says")
    odd = text.replace("What the harbor says", "Greetings", 3).replace("Greetings", "What the harbor says", 2)

    assert said(odd) == [
        "MC109 section `Greetings` is unknown; the other tools of the file have `What the harbor says`"
    ]


@each(("text", "is_missing"), (("Returns nothing.", False), ("Returns no more than 5.", True), ("", True)))
def test_a_tool_that_returns_nothing_needs_no_section_about_it(text: str, *, is_missing: bool) -> None:
    parts = (
        f"### `{name}`\n\nMoves a {name}. {text}\n\n| Parameter | Type | Required | Description |\n"
        f"|---|---|---|---|\n| `{name}` | string | yes | The {name} |\n\n"
        for name in ("boat_one", "boat_two", "boat_three")
    )
    one, two, three = parts
    tools = one.replace(text, "") + "Returns: a string\n\n" + two + three.replace(text, "") + "Returns: a string\n"

    assert any(line.startswith("MC109") for line in said(f"# Harbor tools\n\n{tools}")) is is_missing


SERVER = """
# What harbor-server offers

## 🛠️ Tools (1 available)

### 1. `find_boat`
**Description**: Finds a boat, and returns its name.

**Parameters**:
- `name` (string, required) - The name of the boat

## {title}

### 1. `greet_captain`
**Description**: Writes a greeting to a captain.

**Parameters**:
- `name` (string, required) - The name of the captain
"""


@each(
    "title, is_of_tools",
    [
        ("Prompts", False),
        ("💬 Prompts (2 available)", False),
        ("3. Available Prompts", False),
        ("📚 Resources & Prompts", False),
        ("MCP Prompts and Resource Templates:", False),
        ("プロンプト", False),
        ("Prompt Tools", True),
        ("Prompt engineering", True),
    ],
)
def test_prompts_and_resources_are_no_tools(title: str, is_of_tools: bool) -> None:
    file = read_spec("notes.md", SERVER.format(title=title))

    assert [tool.contract.name for tool in file.tools] == ["find_boat", *(["greet_captain"] if is_of_tools else [])]


def test_short_labels_in_chinese_are_those_of_parameters_and_results() -> None:
    text = """
        # MCP 工具

        ## 1. list_boats

        - 名称：`list_boats`
        - 功能：列出所有船。
        - 入参：无
        - 出参：`Boat[]`

        ## 2. find_boat

        - 名称：`find_boat`
        - 功能：查找一艘船。
        - 入参：
          - `boat_id: string` —— 船的 ID
          - `top_k: int = 5` —— 最多返回多少条
        - 出参：`Boat`
        """

    assert said(text) == []


CASES = """
# Harbor tools

### `check_in`

Checks in, and returns the name.

**Parameters:**
- `crew` (string, required) - The crew

**Returns** ({first}):
```json
{{"name": "x"}}
```

**Returns** ({second}):
```json
{{"error": "x"}}
```
"""


@each("second, is_reported", [("error", False), ("success", True)])
def test_labels_of_different_cases_are_no_repetition(second: str, is_reported: bool) -> None:
    expected = ["MC107 section `Returns` appears twice"] if is_reported else []

    assert said(CASES.format(first="success", second=second)) == expected
