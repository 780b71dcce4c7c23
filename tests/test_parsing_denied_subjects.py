"""Denials of a tool for something else remove no tools, and plain forms of a denial of all are read as such."""

from __future__ import annotations

from itertools import product

import pytest

from mcp_contracts.parsing.spec import read_spec
from tests.said import said
from tests.tables import each
from tests.texts import PATH

HEADINGS = ("### get_berths", "### `harbor.get_berths`", "### Tool: `get_berths`", "## `fetch`")
PARAMETERS = (
    "Parameters: `boat_id` (string, required), `year` (integer, optional)",
    "| Parameter | Type | Required | Description |\n|---|---|---|---|\n| `boat_id` | string | yes | Which |",
    "- `boat_id` (string, required): Which",
)


@pytest.mark.parametrize(
    "remark",
    [
        "Moorings are separate, and there's no tool for them.",
        "Moorings are separate. There is no tool for that.",
        "Fees are confidential, so there is no tool.",
        "Fees: no tool.",
        "Fees aren't available to agents, and there's no tool for them. What we do have:",
        "No tool will ever open a lock.",
        "We have no tools for fees yet.",
        "The fee functions are not tools.",
        "The legacy fee tools are gone.",
        "The module has no tool that writes.",
    ],
)
def test_a_denial_of_a_tool_for_something_else_removes_no_tool(remark: str) -> None:
    for heading, parameters in product(HEADINGS, PARAMETERS):
        text = f"# Harbor\n\n{remark}\n\n{heading}\n\nThe berths of a boat.\n\n{parameters}\n"

        assert len(read_spec(PATH, text).tools) == 1, (heading, parameters)


FUNCTIONS = """
# Fee library

{denial}

### render_fee

Renders a fee.

**Parameters**

- `fee` (Fee): the fee
- `draft` (bool): prints a watermark
"""


@each(
    "denial, is_named",
    [
        ("This is an internal library without tools.", False),
        ("To be clear: none of the functions below are tools, they're what the tools call.", False),
        ("`fee-library` intentionally has an empty tool surface.", False),
        ("It isn't something an LLM can call.", False),
        ("No `@mcp.tool` decorators are used in this package.", False),
        ("There aren't any tools in `fee library`. The function below is imported by `cms`:", False),
        ("**Package**: fees\n**MCP tools**: —\n**Size**: 4 kB", False),
        (
            "## Functions\n\nOnly `ledger` may write, which is why this module keeps its functions away from agents.",
            True,
        ),
        ("## API\n\nThe library is documentation; you can't call anything.", True),
    ],
)
def test_functions_below_a_denial_in_other_words_are_no_tools(denial: str, is_named: bool) -> None:
    text = FUNCTIONS.format(denial=denial)

    assert read_spec(PATH, text).tools == ()
    assert [one[:5] for one in said(text)] == (["MC028"] if is_named else [])


def test_functions_with_tools_in_their_names_are_no_tools_below_a_plain_denial() -> None:
    text = (
        "# Registry\n\nThe registry itself provides no tools.\n\n## Python API\n\n### `list_tools()`\n\nLists them.\n"
    )

    assert read_spec(PATH, text).tools == ()


def test_other_functions_that_are_no_tools_leave_the_tools() -> None:
    table = "| Parameter | Type | Required |\n|---|---|---|\n| `survey` | string | yes |\n"
    text = f"# Surveys\n\nNone of the other functions in this package are tools.\n\n## surveys.results\n\n{table}"

    assert [tool.contract.name for tool in read_spec(PATH, text).tools] == ["surveys.results"]


@each("value, denies", [("0–100", False), ("0-100", False), ("0 to 100", False), ("0", True), ("10", False)])
def test_a_range_is_no_negation(value: str, denies: bool) -> None:
    text = f"# Lamps: tool specification\n\nThe tools dim lamps.\n\n- Tools: {value}\n"

    assert read_spec(PATH, text).states_no_tools is denies


@each(
    "text, names",
    [
        ("# ping\n\n## `ping`\n\nNo parameters, no result. It only proves that the server is up.\n", ["ping"]),
        (
            "# Home\n\n## Tools\n\n**lights_set** – switches a light\n\n- room: string, required\n\n"
            "**heat_set** – heats a room\n\n- room: string, required\n- celsius: number\n",
            ["lights_set", "heat_set"],
        ),
        (
            "# metrics-query\n\nFor agents.\n\nTools:\n\n- `get_rate` — reads a rate\n"
            "  - `at` (string): When\n- `get_sum` — reads a sum\n  - `at` (string): When\n",
            ["get_rate", "get_sum"],
        ),
        (
            "# Git\n\n## `git_tools.status`\n\nReads it.\n\n## `git_tools.log`\n\nReads it.\n\n## `a.json`\n\nIt.\n",
            ["git_tools.status", "git_tools.log"],
        ),
        (
            '# Zip\n\n## Tools\n\n- `iter_members(file, pattern="*")`: Lists\n- `open_zip(file)`: Opens\n',
            ["iter_members", "open_zip"],
        ),
        (
            "# Queues\n\n## Usage - with a client\n\n### Available MCP Tools\n\n#### Jobs\n\n"
            "- **get_jobs** - Reads jobs\n- **add_job** - Adds a job\n\n## Errors\n\n"
            '- **"No active connection"**: Use the `connect` tool first\n',
            ["get_jobs", "add_job"],
        ),
        (
            "# Формы\n\n| Файл | Форма |\n|---|---|\n| нет | `a` |\n\n## MCP-инструменты (2)\n\n### Генерация\n\n"
            "**`form_add`** — форма.\n\n```\nПараметры:\n  a: имя\n```\n\n**`form_get`** — форма.\n",
            ["form_add", "form_get"],
        ),
        (
            "# Shell tools\n\nEach server has a prefix for its tools. For example:\n\n- `local_query` - asks\n"
            "- `remote_query` - asks\n\n## `sql_query`\n\nAsks.\n\n- `sql` (string, required): What\n",
            ["sql_query"],
        ),
        (
            "# Shell tools\n\n### `shell_run`\n\nRuns it.\n\n- `a` (string, required): What\n\n"
            "### `shell_box_*`\n\nHelpers:\n\n- `shell_box_stop` - Stops it\n",
            ["shell_run", "shell_box_stop"],
        ),
        (
            "# Kite\n\nThere's exactly one tool, `fly`.\n\n### fly\n\nFlies it.\n\n- `height` (integer): How high\n",
            ["fly"],
        ),
        ("# Kite\n\nThis module has one tool, `fly`.\n\n## fly\n\nFlies it.\n", ["fly"]),
        (
            "# Kite\n\nTool `kite_fly`: flies it.\n\n| Parameter | Type | Required |\n|---|---|---|\n"
            "| `height` | integer | Yes |\n\nThe winding sub-module offers no tools.\n",
            ["kite_fly"],
        ),
        (
            "# Kites\n\n## fly\n\nFlies it.\n\n**Parameters**\n\n"
            "`height` (integer, required): in meters\n\n**Returns**\n\n"
            "boolean\n\n## land\n\nLands it.\n\n**Parameters**\n\n"
            "`at` (string, required): where\n\n**Returns**\n\nboolean\n",
            ["fly", "land"],
        ),
        (
            "# Kites\n\n## fly\n\nFlies it.\n\n**Parameters**\n\n"
            "`height` (integer, required): in meters\n\n**Returns**\n\n"
            "boolean\n\n## Wind\n\nIt needs wind.\n",
            [],
        ),
        (
            "# Kite\n\n"
            "| Field | Value |\n|---|---|\n| Name | `kite_fly` |\n| Description | Flies it |\n\n**Parameters**\n\n"
            "| Parameter | Type | Required |\n|---|---|---|\n| `height` | integer | Yes |\n",
            ["kite_fly"],
        ),
        (
            "# Kites\n\n"
            "| Tool | `kite_fly` |\n|---|---|\n| Description | Flies it |\n| Parameters | `height` (integer) |\n\n"
            "| Tool | `kite_land` |\n|---|---|\n| Purpose | Lands it |\n| Parameters | none |\n",
            ["kite_fly", "kite_land"],
        ),
        ("# Kite\n\n| Field | Value |\n|---|---|\n| Name | `kite_fly` |\n| Description | Kites for all |\n", []),
        (
            "# Kites\n\nWe offer two tools.\n\n**`kite_fly`** flies one.\n\n"
            "| Parameter | Type | Required |\n|---|---|---|\n"
            "| `height` | integer | Yes |\n\n**`kite_land`** lands one.\n\n"
            "| Parameter | Type | Required |\n|---|---|---|\n| `at` | string | Yes |\n",
            ["kite_fly", "kite_land"],
        ),
        *(
            (
                f"# {title}\n\n| Tool | Purpose | Cost |\n|---|---|---|\n| `kite_fly` | Flies it | none |\n\n"
                "### `kite_fly`\n\n| Parameter | Type | Required |\n|---|---|---|\n| `height` | integer | Yes |\n",
                ["kite_fly"],
            )
            for title in ("Flags (kites)", "Options", "Feature flags")
        ),
        ("# Cards tools\n\n### get\\_card 🆕\n\nReads a card.\n\n- `name` (string, required): Whose\n", ["get_card"]),
    ],
)
def test_tools_in_plain_forms_are_read(text: str, names: list[str]) -> None:
    assert [tool.contract.name for tool in read_spec(PATH, text).tools] == names


NOTES = "# Cards tools\n\n### `get_card`\n\nReads a card, and returns it.\n\n**Parameters:**\n\n- {}\n"


@each(
    "bullet, schema, required",
    [
        ("`lang`: The language (string, optional, CN only)", {"type": "string"}, False),
        ("`lang`: The language (string enum, required)", {"type": "string"}, True),
        ('`lang`: The language (enum: "DE", "EN", optional)', {"enum": ["DE", "EN"]}, False),
        ('`lang`: The language (enum: "DE", "EN", optional, CN only)', {"enum": ["DE", "EN"]}, False),
        ("`lang`: The language (string, requird)", {"type": "string"}, None),
        ("`lang`: The language (a string that is optional, say)", None, None),
    ],
)
def test_a_note_after_a_description_may_have_a_remark(
    bullet: str, schema: dict[str, object] | None, required: bool | None
) -> None:
    (tool,) = read_spec(PATH, NOTES.format(bullet)).tools
    rows = tool.input_table.rows if tool.input_table is not None else ()

    assert [(row.schema, row.required) for row in rows] == [(schema, required)]
    assert schema is None or rows[0].description.strip(" :") == "The language"
