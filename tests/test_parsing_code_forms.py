"""Parameters declared in code: signatures in any language, interfaces, classes and shapes, and the text around them."""

from __future__ import annotations

import json

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue, SpecTool, TableRow
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH, tool

INTRO = "# Weather\n\n## `get_forecast`\n\n"
EXPECTED = [("city", "string", True), ("days", "integer", False)]


def rows(read: SpecTool) -> list[tuple[str, JsonValue, bool | None]]:
    """Return the parameters of a tool: name, type, and whether each is required."""
    table = read.input_table
    return [] if table is None else [(row.name, dict(row.schema or {}).get("type"), row.required) for row in table.rows]


def bullet(text: str) -> tuple[TableRow, ...]:
    """Return the parameters of a tool."""
    table = tool(text).input_table
    return () if table is None else table.rows


def fenced(language: str, code: str) -> str:
    """Return a fence of code."""
    return f"```{language}\n{code}\n```\n"


@each(
    "body",
    [
        "**Signature:** `get_forecast(city: str, days: int = 5) -> dict`\n",
        "**Signature**: `get_forecast(city: string, days?: integer): object`\n",
        "Signature: `get_forecast(city: str, days: int = 5)`\n\nTells the weather.\n",
        "`get_forecast(city: string, days: int?)`\n",
    ],
)
def test_code_says_what_a_tool_takes(body: str) -> None:
    assert rows(tool(INTRO + body)) == EXPECTED


@pytest.mark.parametrize("language", ["", "python", "typescript", "text"])
@pytest.mark.parametrize("lead", ["", "Tells the weather.\n\n", "**Parameters:**\n\n"])
def test_a_fence_may_declare_one_parameter_on_each_line(language: str, lead: str) -> None:
    code = "city: str              # where\ndays: int = 5          # 1-10\nunit: str | None       # optional unit\n"
    text = f"{INTRO}{lead}{fenced(language, code)}"
    read = tool(text)

    assert rows(read) == [*EXPECTED, ("unit", ["string", "null"], False)]
    assert read.input_table is not None
    assert [row.description for row in read.input_table.rows] == ["where", "1-10", "optional unit"]
    first = text[: text.index("city:")].count("\n") + 1
    assert [row.place.line for row in read.input_table.rows] == [first, first + 1, first + 2]


@each("code", ["city: Bern\ndays: 5", "city: str\nSunny, 20 degrees", "city: string\ndays: 5\nunit: metric"])
def test_a_fence_with_other_lines_declares_nothing(code: str) -> None:
    assert rows(tool(f"{INTRO}Tells the weather.\n\n{fenced('', code)}")) == []


@pytest.mark.parametrize(
    "body",
    [
        "**Input:**\n\n" + fenced("ts", "interface A {\n  [key: string]: string;\n}"),
        "**Input:**\n\n" + fenced("ts", "interface A extends B {\n  city: string;\n}"),
        "**Input:**\n\n" + fenced("ts", "interface A { x: string }\ninterface B { y: string }"),
        "**Input:**\n\n" + fenced("ts", "z.object({ ...shape, city: z.string() })"),
        "**Input:**\n\n" + fenced("ruby", "def get_forecast(city)"),
        fenced("python", "def other(a: str): ..."),
        fenced("", "get_forecast city days"),
    ],
)
def test_code_that_cannot_be_read_beyond_doubt_is_reported(body: str) -> None:
    read = tool(INTRO + body)

    assert read.contract.input is None
    assert "unread_input" in read.contract.places


@pytest.mark.parametrize(
    "lead",
    ["**Returns** an object with", "Returns an object with:", "It returns:", "The result has these fields:",
     "**Output** is an object of", "This tool returns an object with the following fields:"],
)  # fmt: skip
def test_a_list_of_what_is_returned_is_not_a_list_of_parameters(lead: str) -> None:
    read = tool(f"{INTRO}Tells.\n\n**Arguments**\n\n- `city` (string, required): x\n\n{lead}\n\n- `city` (string): y\n")

    assert rows(read) == [("city", "string", True)]


@each(
    "text",
    ["Lists all. Takes no parameters.", "Lists all; takes no arguments.", "This tool has no parameters.",
     "Lists all (no parameters).", "No arguments are needed.", "It is called without arguments.",
     "Lists all — no input.",
     "**Parameters:** none", "**Parameters:**\n\n- None", "**Input**: *none*", "**Arguments**\n\n_None._",
     "Doesn't take any parameters.", "Keine Parameter.", "Aucun paramètre.", "Sin parámetros.", "Parameters: –",
     "The tool accepts no input parameters."],
)  # fmt: skip
def test_a_tool_says_that_it_takes_nothing(text: str) -> None:
    assert tool(f"{INTRO}{text}\n").contract.input_schema == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    "text",
    [
        "Takes no parameters other than the city.",
        "Has no optional parameters.",
        "The script that it runs takes no arguments.",
    ],
)
def test_a_tool_that_takes_something_does_not_say_that_it_takes_nothing(text: str) -> None:
    assert tool(f"{INTRO}{text}\n").contract.input is None


def test_labels_may_be_in_a_list() -> None:
    labels = (
        "- Description: Tells.\n- Parameters:\n    - `city`: Name (string, required)\n- Returns:\n    - `ok` (bool)\n"
    )
    read = tool(INTRO + labels)

    assert rows(read) == [("city", "string", True)]
    assert read.contract.description == "Tells."
    assert not any(section.is_empty for section in read.sections if section.about == 4)


@pytest.mark.parametrize("language", ["", "python", "typescript", "json", "text"])
def test_a_file_that_ends_where_code_begins_is_read(language: str) -> None:
    read = tool(f"{INTRO}**Parameters:**\n\n```{language}")

    assert rows(read) == []


@each(
    ("members", "expected"),
    [
        ('"city": "string", "days": "integer (optional)"', EXPECTED),
        ('"city": "string — the name", "days": "integer, optional"', EXPECTED),
        (
            '"city": ["string"], "at": {"hour": "number"}',
            [("city", "array", True), ("at", "object", True), ("at.hour", "number", True)],
        ),
        ('"city": "string | null"', [("city", ["string", "null"], True)]),
        ('"city": "Bern"', []),
    ],
)
def test_a_member_of_inline_json_describes_its_type_in_quotes(
    members: str, expected: list[tuple[str, JsonValue, bool | None]]
) -> None:
    assert rows(tool(f"{INTRO}Tells the weather.\n\n**Input:** `{{ {members} }}`\n")) == expected


def test_json_in_words_may_have_nested_objects() -> None:
    code = (
        '{\n  "city": "string - the name",\n  "days": "integer (optional, default: 5)",\n'
        '  "at": {\n    "hour": "number (optional)"\n  }\n}'
    )
    read = tool(f"{INTRO}Tells the weather.\n\n**Parameters:**\n\n{fenced('json', code)}")

    assert rows(read) == [("city", "string", True), EXPECTED[1], ("at", "object", True), ("at.hour", "number", False)]
    assert read.input_table is not None
    assert [row.place.line for row in read.input_table.rows] == [11, 12, 13, 14]


@each(
    ("schema", "expected"),
    [
        ('{"type": "object", "properties": {"city": {"type": "string"}}}', {"city": {"type": "string"}}),
        ('{"type": "object", "properties": {}}', {}),
        (
            '{"type": "object", "properties": {"days": {"type": "integer", "default": 5}}, "required": ["days"]}',
            {"days": {"type": "integer", "default": 5}},
        ),
    ],
)
def test_a_json_schema_may_follow_a_label_on_its_line(schema: str, expected: JsonValue) -> None:
    read = tool(f'{INTRO}**Description**: Tells.\n**Input Schema**: `{schema}`\n**Output**: `{{"sky": "..."}}`\n')

    assert isinstance(read.contract.input_schema, dict)
    assert read.contract.input_schema["properties"] == expected


def test_an_invalid_json_schema_after_a_label_is_reported_in_its_place() -> None:
    text = f'{INTRO}**Input Schema**: `{{"type": "object", "properties": {{"city": {{"type": "string"}}}}`\n'

    assert [fault.place.line for fault in tool(text).faults] == [5]


@each("shape", ['{"items": [...], "count": 42}', '{"items": [ … ], "count": 42}', '{"a": {...}, "count": 42}'])
def test_an_example_that_leaves_values_out_has_no_types(shape: str) -> None:
    read = tool(f"{INTRO}Tells.\n\n**Parameters**: None\n\n**Output**: `{shape}`\n")

    assert read.output_table is None
    assert read.tables == ()


def test_a_misspelled_type_may_follow_an_obligation() -> None:
    (row,) = bullet(f"{INTRO}**Inputs**\n\n- `days` (optional nubmer): how many\n")

    assert (row.type, row.required) == ("nubmer", False)


@each(
    ("change", "expected"),
    [
        (("string", "strng"), "MC308"),
        (('["id"]', '["idd"]'), "MC302"),
        (('"name": "book_get"', '"name": "book_got"'), "MC102"),
    ],
)
def test_the_form_of_openai_below_a_title_is_read(change: tuple[str, str], expected: str) -> None:
    schema = '{"type": "object", "properties": {"id": {"type": "string", "description": "Which."}}, "required": ["id"]}'
    function = f'{{"name": "book_get", "description": "Gets one.", "parameters": {schema}}}'
    code = f'{{"type": "function", "function": {function}}}'
    text = f"# Tool: book_get\n\n## Tool Specification\n\n{fenced('json', code)}"

    [read] = read_spec(PATH, text).tools
    assert read.contract.input_schema == json.loads(schema)
    found = lint(Contracts((read_spec(PATH, text.replace(*change)),))).diagnostics
    assert expected in {one.code for one in found}


INTERFACES = """# Harbor tools

## find_berth

```typescript
interface FindBerthInput {
  ship: string;            // its name
  kind?: "boat" | "yacht";
}

export type FindBerthResult = {
  berth: number;
};
```

Finds a berth.
"""


def test_typescript_types_that_are_called_input_and_result_are_read() -> None:
    (tool,) = read_spec("MCP_TOOL_SPECIFICATION.md", INTERFACES).tools
    schema, output = tool.contract.input, tool.contract.output

    assert tool.contract.description == "Finds a berth."
    assert schema is not None
    assert schema.value == {
        "type": "object",
        "properties": {"ship": {"type": "string", "description": "its name"}, "kind": {"enum": ["boat", "yacht"]}},
        "required": ["ship"],
    }
    assert (schema.locator.place("/properties/kind", on_key=True).line, output is not None) == (8, True)


def test_typescript_types_with_other_names_are_not_the_parameters() -> None:
    text = INTERFACES.replace("FindBerthInput", "Berth").replace("FindBerthResult", "Ship")
    (tool,) = read_spec("MCP_TOOL_SPECIFICATION.md", text).tools

    assert (tool.contract.input, tool.contract.output) == (None, None)
