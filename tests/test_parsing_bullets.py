"""Parameters as bullets, in the forms that people use."""

from __future__ import annotations

import pytest

from mcp_contracts.contract import JsonValue, SpecTool
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH, standing_at, tool


def tool_with(text: str) -> SpecTool:
    """Return a tool whose parameters are a list."""
    return tool(f"# Weather\n\n## `get_forecast`\n\nTells the weather.\n\n**Parameters**\n\n{text}\n")


def rows(text: str) -> list[tuple[str, JsonValue, bool | None]]:
    """Return the parameters of a list: name, type, and whether each is required."""
    table = tool_with(text).input_table
    return [] if table is None else [(row.name, dict(row.schema or {}).get("type"), row.required) for row in table.rows]


@each(
    "bullet",
    [
        "- `city` (string, required): The city",
        "- required `city` (string): The city",
        "- `city` (required, string) – The city",
        "- `city` (string; required) — The city",
        "- `city` [string, required]: The city",
        "- `city` {string} (required) The city",
        "- `city` <string> **required** – The city",
        "- `city`: string, required. The city",
        "- `city`: string (required) - The city",
        "- `city`: `string`, required - The city",
        "- `city`: *string*, **required** - The city",
        "- `city` — string — required — The city",
        "- `city` - string - required - The city",
        "- `city` · string · required · The city",
        "- `city` *string* **required** – The city",
        "- `city` *(string, required)* – The city",
        "- `city` _(required)_ `string`: The city",
        "- `city`, string, required: The city",
        "- `city` | string | required | The city",
        "- `city`: The city (string, required)",
        "- `city` – The city [required, string].",
        "- `city: string` (required) – The city",
        "- `string city` – required; The city",
        "- `city string` – required. The city",
        "- **city** (string, required): The city",
        "- **`city`** (`string`, *required*): The city",
        "- **city**: string, required – The city",
        "- **city:** string (required). The city",
        "- **city** — *string*, required — The city",
        "- __city__ (string) **required** The city",
        "- *city* (string, required): The city",
        "- city (string, required): The city",
        "- city: string (required) - The city",
        "- city - string, required - The city",
        "- city: required string. The city",
        "1. `city` (string, mandatory): The city",
        "* `city` (string, Pflicht): Die Stadt",
        "+ `city` → string, required: The city",
        "- `city`\n  - Type: string\n  - Required: yes\n  - Description: The city",
        "- **city**\n  - **Type**: `string`\n  - **Optional**: no",
    ],
)
def test_a_bullet_says_name_type_and_whether_it_is_required(bullet: str) -> None:
    assert rows(bullet) == [("city", "string", True)]


@each(
    ("bullet", "default"),
    [
        ("- `days` (integer, optional, default 5): How many", "5"),
        ("- `days` (integer, default: 5): How many", "5"),
        ("- `days` (int = 5): How many", "5"),
        ("- `days: int = 5` – How many", "5"),
        ("- `days` (optional integer; defaults to `5`): How many", "`5`"),
        ("- `days`: integer, default 5. How many", "5"),
        ("- `days` — integer — How many (default: 5)", "5"),
        ("- `days` (integer, optional) – How many; defaults to `5`", "`5`"),
        ("- `days` (integer) – How many. Default: 5.", "5"),
        ("- `days`: int, optional - How many, default `5`", "`5`"),
        ("- `days` (integer, optional, default: never) – How many", "never"),
        ("- `days` (integer, optional) – How many (default: never)", "never"),
        ("- `days` (integer, optional) – How many; defaults to `never`", "`never`"),
        ("- `days?: integer` – How many, default: `5`.", "`5`"),
        ("- `days` (integer, optional) – Default: `5`", "`5`"),
        ("- `days`\n  - Type: integer\n  - Required: no\n  - Default: `5`", "`5`"),
    ],
)
def test_a_bullet_says_its_default(bullet: str, default: str) -> None:
    table = tool_with(bullet).input_table

    assert table is not None
    (row,) = table.rows
    assert (row.name, dict(row.schema or {}).get("type"), row.required) == ("days", "integer", False)
    assert row.default is not None
    assert row.default.text == default


@pytest.mark.parametrize(
    ("bullet", "expected"),
    [
        ("- `city`: The city (see below)", ("city", None, None)),
        ("- optional `city` of the stay", ("city", None, False)),
        ("- `city` (string, optioneel): De stad", ("city", "string", False)),
        ("- `city` (string, 可选): 城市", ("city", "string", False)),
        ("- `path`: file to inspect", ("path", None, None)),
        ("- `path`: file to inspect (required, default: a)", ("path", None, True)),
        ("- `path`: date of the file to inspect", ("path", None, None)),
        ("- **city**: The city", ("city", None, None)),
        ("- `city` (required if `zip` is absent, string): The city", ("city", "string", None)),
        ("- `filter.city` (string): The city", ("filter.city", "string", None)),
        ("- `cities[]` (string): The city", ("cities[]", "string", None)),
        ("- `city` (strng, required): The city", ("city", None, True)),
        ("- `city` — strng — The city", ("city", None, None)),
        ("- `city`: strng, required. The city", ("city", None, True)),
        ('- `mode` ("a" | "b", optional): How', ("mode", None, False)),
        ("- `tags` (list[str], optional): Which", ("tags", "array", False)),
        ("- `tags`: array of strings. Which", ("tags", "array", None)),
    ],
)
def test_what_a_bullet_does_not_say_is_not_guessed(bullet: str, expected: tuple[str, JsonValue, bool | None]) -> None:
    assert rows(bullet) == [expected]


@each("bullet, said", [("- `from` or `to`", ""), ("- `from` or `to`: The day", "`from` or `to`: The day")])
def test_parameters_that_share_a_bullet_share_its_description(bullet: str, said: str) -> None:
    table = tool_with(bullet).input_table

    assert table is not None
    assert [(row.name, row.description) for row in table.rows] == [("from", said), ("to", said)]


@pytest.mark.parametrize(
    "bullet",
    [
        "- Note: the city is looked up first",
        "- All of these are optional.",
        "- city names are in English",
        "- **Note**: x",
    ],
)
def test_a_bullet_of_prose_is_not_a_parameter(bullet: str) -> None:
    assert rows(bullet) == []


@pytest.mark.parametrize(
    "bullet", ["- `city`: strng, required. Name", "- `city` — strng — Name", "- city (strng, required)"]
)
def test_a_misspelled_type_has_its_place(bullet: str) -> None:
    text = f"# W\n\n## `get_forecast`\n\nTells.\n\n**Parameters**\n\n{bullet}\n"
    table = tool(text).input_table

    assert table is not None
    assert standing_at(text, table.rows[0].type_place) == "strng"
    assert table.rows[0].type == "strng"


def test_bullets_in_bullets_are_properties() -> None:
    assert rows(
        "- `filter` (object, required): Which\n  - `city` (string): The city\n    - `zip`: string, optional"
    ) == [
        ("filter", "object", True),
        ("filter.city", "string", None),
        ("filter.city.zip", "string", False),
    ]


@each("said", ["*returns* The sky.", "**Returns** the sky.", "_returns_ — The sky.", "*raises* An error."])
def test_a_verb_in_marks_represents_a_label_among_parameters(said: str) -> None:
    text = (
        f"# Weather tools\n\n1. **get_forecast** — Tells it.\n   - `city` (string, required): The city.\n   - {said}\n"
    )

    read = tool(text)

    assert [row.name for row in (read.input_table or pytest.fail("no table")).rows] == ["city"]
    assert [section.about for section in read.sections] == [5 if "raises" in said else 4]


def test_a_sentence_about_the_result_among_parameters_is_not_a_parameter() -> None:
    text = "# Weather tools\n\n- **get_forecast** — Tells it.\n  - `city` (string): The city.\n  - returns the sky.\n"

    assert [row.name for row in (tool(text).input_table or pytest.fail("no table")).rows] == ["city"]


@each(
    "said",
    ["`{ city: string }` — The city", "`{ city: string }`: The city", "`{ city: string }` (The city)"],
)
def test_what_follows_an_object_type_of_one_parameter_describes_it(said: str) -> None:
    table = tool(f"# Weather\n\n## `get_forecast`\n\nTells the weather.\n\n- **Params**: {said}\n").input_table

    assert table is not None
    assert [(row.name, row.required, row.description) for row in table.rows] == [("city", True, "The city")]


def test_bullets_below_one_of_several_types_are_read() -> None:
    text = (
        "# Files\n\n## Tools\n\n### `files.append(data[, options])`\n\n"
        "- `options` {Object|string}\n  - `encoding` {string|null} **Default:** `'utf8'`\n"
    )

    (read,) = read_spec(PATH, text).tools

    assert read.contract.name == "files.append"


def test_values_after_the_type_of_a_parameter_are_its_only_values() -> None:
    (row,) = tool_with('- `fruit: str` — `"apple" | "pear"`').tables[0].rows

    assert row.schema == {"enum": ["apple", "pear"]}


def test_values_in_parentheses_are_the_only_values_of_a_parameter() -> None:
    (row,) = tool_with("- `fruit` (one of `apple`, `pear`) – which fruit").tables[0].rows

    assert row.schema == {"enum": ["apple", "pear"]}


def test_types_in_the_strings_of_a_sketch_are_those_of_the_parameters() -> None:
    sketch = '{\n  "city": "string (required) — The city.",\n  "days": "integer|null (optional) — How many."\n}'

    read = tool_with(f"```json\n{sketch}\n```")

    assert rows(f"```json\n{sketch}\n```") == [("city", "string", True), ("days", ["integer", "null"], False)]
    assert read.input_table is not None
    assert [row.place.line for row in read.input_table.rows] == [11, 12]


def test_strings_in_an_example_are_not_types() -> None:
    assert rows('```json\n{"city": "Oslo", "days": "integer (required)"}\n```') == []


@each(
    "below, schema, description, default",
    [
        (
            '  - Allowed values: `"fine"`, `"rough"`',
            {"enum": ["fine", "rough"]},
            '- Allowed values: `"fine"`, `"rough"`',
            None,
        ),
        (
            "  - **Options:**\n    - `fine`\n    - `rough`",
            {"enum": ["fine", "rough"]},
            "- **Options:**\n  - `fine`\n  - `rough`",
            None,
        ),
        ("  - Spoken to the user.", {"type": "string"}, "- Spoken to the user.", None),
        ("  - Default: `rough`\n  - Spoken to the user.", {"type": "string"}, "- Spoken to the user.", "`rough`"),
    ],
)
def test_bullets_below_a_text_describe_it(below: str, schema: JsonValue, description: str, default: str | None) -> None:
    table = tool_with(f"- `mode` (string) - How\n{below}\n- `city` (string) - Where").input_table

    assert table is not None
    assert [row.name for row in table.rows] == ["mode", "city"]
    assert table.rows[0].schema == schema
    assert table.rows[0].description == f"How\n{description}"
    found = table.rows[0].default
    assert (found.text if found is not None else None) == default


def test_values_in_words_are_the_description_of_a_parameter() -> None:
    text = "# Orchard tools\n\n## spray_row\n\nSprays.\n\nParameters:\n\n* `agent` — `sulfur` or `copper`\n"
    (tool,) = read_spec("MCP_TOOL_SPECIFICATION.md", text).tools

    assert tool.contract.input_schema == {
        "type": "object",
        "properties": {"agent": {"enum": ["sulfur", "copper"], "description": "`sulfur` or `copper`"}},
    }


@each(
    ("said", "schema", "is_required"),
    (
        ("(enum: open, shipped; optional)", {"enum": ["open", "shipped"]}, False),
        ("(string, obligatorisk)", {"type": "string"}, True),
        ("(integer, valfri)", {"type": "integer"}, False),
        ("(array von string, required)", {"type": "array", "items": {"type": "string"}}, True),
    ),
)
def test_values_and_obligations_in_brackets_are_read(said: str, schema: JsonValue, *, is_required: bool) -> None:
    text = f"# Orders tools\n\n## list_orders\n\nLists them.\n\n- `state` {said}: which\n- `n` (integer): how many\n"
    (one,) = read_spec("MCP_TOOL_SPECIFICATION.md", text).tools
    row = one.input_table.rows[0] if one.input_table is not None else None

    assert row is not None
    assert (row.schema, row.required) == (schema, is_required)


def test_the_fields_that_a_sentence_names_are_those_of_the_result() -> None:
    text = (
        "# Lab tools\n\n## find_sample\n\nFinds it.\n\n**Retour** : un objet avec `id` (string) et `total` (integer).\n"
    )
    (one,) = read_spec("MCP_TOOL_SPECIFICATION.md", text).tools

    assert one.contract.output is not None
    assert one.contract.output.value == {
        "type": "object",
        "properties": {"id": {"type": "string"}, "total": {"type": "integer"}},
    }


HOTELS = """# Hotel tools

## 1 find_hotels(city, from_day, guests?, level?)

Finds hotels.

- **city** – *string* – The city
- **from_day** – *string (date)* – The first night
- **guests** – *integer* – How many. Default: 2.
- **level** – *Level* – At least

## 2 book_room(hotel, room)

Books one.

- **hotel** – *string* – Which hotel
- **room** – *string* – Which room
"""


def test_headings_may_mark_the_optional_parameters_of_lists_with_types_in_italics() -> None:
    finds, books = read_spec("MCP_TOOL_SPECIFICATION.md", HOTELS).tools

    assert finds.input_table is not None
    assert books.input_table is not None
    assert [(row.name, row.type, row.required) for row in finds.input_table.rows] == [
        ("city", "string", True),
        ("from_day", "string (date)", True),
        ("guests", "integer", False),
        ("level", "Level", False),
    ]
    assert [row.required for row in books.input_table.rows] == [True, True]


def test_an_obligation_may_stand_after_a_name_in_its_cell() -> None:
    rows = "| `path` (required) | string | Where |\n| `mode` | string | How |\n"
    table = f"| Parameter | Type | Description |\n|---|---|---|\n{rows}"
    (one,) = read_spec("MCP_TOOL_SPECIFICATION.md", f"# File tools\n\n## read_file\n\nReads it.\n\n{table}").tools

    assert isinstance(one.contract.input_schema, dict)
    assert one.contract.input_schema["required"] == ["path"]


def test_a_label_may_say_that_all_parameters_are_required() -> None:
    listed = "Parameters (all required):\n\n- `form` string – which\n- `year` integer – when\n"
    (one,) = read_spec("MCP_TOOL_SPECIFICATION.md", f"# Tax tools\n\n## find_form\n\nFinds it.\n\n{listed}").tools

    assert isinstance(one.contract.input_schema, dict)
    assert one.contract.input_schema["required"] == ["form", "year"]
