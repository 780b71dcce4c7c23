"""Tools that only appear in lists, tables and rows of names."""

from __future__ import annotations

import pytest

from mcp_contracts.contract import SpecFile
from mcp_contracts.parsing.spec import read_spec


def spec(text: str) -> SpecFile:
    return read_spec("tides/SPEC.md", f"# Tides\n\n{text}")


def names(text: str) -> list[str]:
    return [tool.contract.name for tool in spec(text).tools]


TABLE = (
    "| Name | Description |\n|---|---|\n| add_item | Adds an item. |\n| fetch_item | Fetches one. |\n| pay | Pays. |\n"
)


@pytest.mark.parametrize(
    "lead", ["The following tools are available out of the box:", "The server exposes these tools:"]
)
def test_a_table_of_bare_names_that_a_sentence_calls_tools_lists_tools(lead: str) -> None:
    assert names(f"## Tools\n\n{lead}\n\n{TABLE}") == ["add_item", "fetch_item", "pay"]


@pytest.mark.parametrize(
    "text",
    [
        f"## Settings\n\nThe following are available:\n\n{TABLE}",
        f"## Build tools\n\nThe following tools are available:\n\n{TABLE}",
        f"## Tools\n\nThese settings change how they run:\n\n{TABLE}",
    ],
)
def test_a_table_of_other_things_lists_no_tools(text: str) -> None:
    assert names(text) == []


def test_a_remark_in_a_title_and_bare_names_of_arguments_are_read() -> None:
    text = (
        "### Tools — two, read-only\n\n| Tool (`ops_` namespace) | Arguments | Returns |\n|---|---|---|\n"
        "| `ops_logs` | `action_id`, `limit` | `{count}` |\n| `ops_live` | none | `{count}` |\n"
    )

    logs, live = spec(text).tools

    assert list(logs.contract.input_schema["properties"]) == ["action_id", "limit"]  # type: ignore[index,call-overload,arg-type]  # an object
    assert live.contract.input_schema == {"type": "object", "properties": {}}


def test_a_line_of_names_below_a_heading_of_tools_is_reported_once() -> None:
    read = spec(
        "## Available tools\n\n### Read tools (3)\n`a_one`, `a_two`, `a_three`\n\n### Write tools\n`b_one`, `b_two`\n"
    )

    assert [(mention.name, mention.others, mention.place.line) for mention in read.unread_tools] == [
        ("a_one", 2, 6),
        ("b_one", 1, 9),
    ]


@pytest.mark.parametrize("text", ["### MCP tools not working?\n", "Define tools in JSON without modifying code.\n"])
def test_words_about_how_tools_are_made_do_not_deny_all_tools(text: str) -> None:
    assert not spec(text).plainly_has_none


READ = "## Tool: `tides.next`\n\nTells when.\n\n**Parameters**: `place: str`\n\n## Notes\n\n"
OBJECT = '```json\n{"name": "tides_all", "inputSchema": {"type": "object"}}\n```\n'


@pytest.mark.parametrize(
    "text",
    [
        f"# More\n\n{OBJECT}",
        "# More\n\n**Tool name**: `tides_all`\n",
        "# More tools\n\n`tides_all`, `tides.next`\n",
        "# More\n\n<details><summary><code>tides_all</code></summary>\n\n| Name | Type |\n|---|---|\n| `a` | int |\n",
    ],
)
def test_a_tool_that_is_not_read_is_reported_next_to_others_that_are(text: str) -> None:
    read = spec(READ + text)

    assert [tool.contract.name for tool in read.tools] == ["tides.next"]
    assert [mention.name for mention in read.unread_tools] == ["tides_all"]


@pytest.mark.parametrize(
    "text",
    [
        f"# Adding a tool\n\n{OBJECT}",
        f"# Protocol messages\n\n{OBJECT}",
        "# More\n\n**Tool name**: `tides.next`\n",
        "# Related tools\n\n`weather_get`, `weather_set`\n",
        "# More\n\n`tides_all` is planned.\n",
    ],
)
def test_mentions_of_other_or_known_tools_are_not_reported(text: str) -> None:
    assert spec(READ + text).unread_tools == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("## Cursor backend\n\n| Tool | Purpose |\n|---|---|\n| `ide.open_file` | Opens one. |\n", ["ide.open_file"]),
        ("## Agents\n\n| Invocation | Required input |\n|---|---|\n| `run` | `name` |\n", ["run"]),
        (
            "## Tools and parameters\n\n1. `view_it` — Shows it.\n\n- `text` (string, required) — Any.\n\n"
            "2. `save_it` — Saves it.\n\n- `path` (string, required) — Where.\n",
            ["view_it", "save_it"],
        ),
        ("## MCP Tools\n\n### 3b. Say more (`say_more`)\n\nTells.\n", ["say_more"]),
        ("## MCP Tools\n\n### `listTables`\n\nLists all tables of the database.\n", ["listTables"]),
        ('## Tools\n\nNo MCP tools are defined.\n\n```json\n{"name": "tool_name", "parameters": {}}\n```\n', []),
    ],
)
def test_tools_are_found_by_what_only_tools_have(text: str, names: list[str]) -> None:
    read = spec(f"# Things\n\nMCP tools exposed by the `things` module.\n\n{text}")

    assert [tool.contract.name for tool in read.tools] == names
    assert read.unread_tools == ()


SERVER = "# Tides MCP Server\n\nIt needs no API key, and does not store what an MCP client sends.\n\n## Tools\n\n"


ONE = {"tides_next": ["place"]}
NAME = {"tides_next": None}
NPX = '### npx\n\n```json\n{"command": "npx", "args": []}\n```\n'


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("- `tides_next` - Tells.\n  - Required arguments:\n    - `place` (string): Where\n", ONE),
        ("- `tides_next` - Tells.\n  - `place` (string): Where\n  - Annotations: `readOnlyHint: true`\n", ONE),
        ("- **tides_next**\n  - Tells when\n  - Optional input: `place` (string): Where\n", ONE),
        ("1. `tides_next`\n   - Tells when\n   - Arguments: `{ place: string }`\n", ONE),
        ("10. `tides_next`\n   - Tells when\n   - Input:\n     - `place` (string): Where\n", ONE),
        ("<details><summary>tides_next</summary>\n\n**Parameters:**\n- `place` (string): Where\n", ONE),
        ("- `tides_next`\n\n### Reference\n\n- **`tides_next`**: Tells.\n  - `place` (string): Where\n", ONE),
        ("### Now\n\n- **`tides_next`** - Tells when\n", NAME),
        ("### Now\n\n| Tool | Description |\n|---|---|\n| **`tides_next`** | Tells when |\n", NAME),
        ("- `tides_next` - Tells when\n\n## Hooks\n\n- `on_call(context, next)` - Called\n", NAME),
        (f"- `tides_next` - Tells when\n\n## Installation\n\n{NPX}", NAME),
    ],
)
def test_the_tools_of_a_servers_own_page_are_read(text: str, read: dict[str, list[str] | None]) -> None:
    file = spec(SERVER + text)

    schemas = {tool.contract.name: tool.contract.input for tool in file.tools}
    found = {name: None if part is None else list(part.value["properties"]) for name, part in schemas.items()}  # type: ignore[index,call-overload,arg-type]  # an object
    assert found == read
    assert not file.states_no_tools


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "## Usage\n\n### All tools\n\n#### Connections\n\n- **connect** - Opens one.\n- **list_open** - Lists.\n"
            "\n#### Jobs\n\n- **get_job** - Gets one.\n- **add_job** - Adds one.\n",
            ["connect", "list_open", "get_job", "add_job"],
        ),
        (
            "## Features\n\n### Core\n\n- **Air** (`air_now`) - Tells.\n- **Height** (`height`) - Tells.\n"
            "- **Sea** (`sea_now`) - Tells.\n\n### Models\n\n- **GFS** (`gfs_forecast`) - Tells.\n\n"
            "### Settings\n\n- **Key** (`api_key`) - Opens.\n\n"
            "### Core tools\n\n- **Flood days** (`flood_forecast`) - Tells.\n- **Ice days** (`ice_forecast`) - Says.\n",
            ["air_now", "height", "sea_now", "gfs_forecast", "flood_forecast", "ice_forecast"],
        ),
        (
            "## Reference\n\n### Tools\n\n- `tide_next` - Tells.\n- `tide_last` - Tells.\n\n### Environment\n\n"
            "- `tide_key` - Opens.\n\n### Prompts\n\n- `tide_story` - Tells.\n\n### Usage\n\n- `tide_usage` - Tells.\n",
            ["tide_next", "tide_last"],
        ),
        (
            "## Tools\n\nIt has these tool namespaces:\n\n- **git_fs**: `read_it`, `write_it`\n"
            "- **fs_io**: `stat_it`, `a_b`\n",
            [],
        ),
        (
            "# Knots\n\n## Ropes (2 tools)\n\n- **tie_rope** ✏️: Ties a rope\n- **cut_rope**: Cuts a rope\n\n"
            "## Nets (2 tools)\n\n- **get_net**: Gets a net by number (integer) or name (string)\n"
            "- **sew_net** ✏️: Sews a net by name (string)\n",
            ["tie_rope", "cut_rope", "get_net", "sew_net"],
        ),
    ],
)
def test_lists_next_to_one_of_tools_are_read_where_they_have_its_form(text: str, names: list[str]) -> None:
    read = spec(f"# Things\n\n{text}")

    assert [tool.contract.name for tool in read.tools] == names
    assert bool(read.unread_tools) == (not names)


def test_the_tables_in_the_groups_of_a_list_of_tools_are_all_read_next_to_tools_with_headings() -> None:
    table = "| Tool | Description |\n|---|---|\n| `{}_tide` | Does it. |\n"
    groups = [("Files", "read"), ("Editing Tools", "edit"), ("Search", "find"), ("Planned", "sort")]
    text = "\n".join(f"### {title}\n\n{table.format(verb)}" for title, verb in groups)
    section = "## Editing\n\n#### `edit_tide`\n\nEdits a tide.\n\n**Parameters**:\n- `id` (string, required): Which.\n"

    listed = [f"{verb}_tide" for verb in ("read", "edit", "find")]

    assert names(f"## Available Tools\n\n{text}\n{section}") == listed
    assert names(f"## How to choose a tool\n\n{text}\n{section}") == ["edit_tide"]
