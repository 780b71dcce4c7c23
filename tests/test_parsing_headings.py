"""Headings of tools as many authors write them, and tables and files that represent one tool."""

from __future__ import annotations

from textwrap import dedent

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH, spec, standing_at, tool


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("### 1. vault_put", "vault_put"),
        ("## 3) `vault_put`", "vault_put"),
        ("## 2.1 vault_put", "vault_put"),
        ("#### Tool 1 – `vault.put`", "vault.put"),
        ("## Tool #2: `vault.put`", "vault.put"),
        ("## Tool `put`", "put"),
        ("## MCP Tool `vault_put`", "vault_put"),
        ("### ✂️ `vault_put`", "vault_put"),
        ("### ✂️ vault_put", "vault_put"),
        ("### `vault_put(key: str) -> dict`", "vault_put"),
        ("### `vault_put` -> dict", "vault_put"),
        ("### `probe(path: str) -> dict`", "probe"),
        ("### probe(path: str, depth: int = 2) -> dict", "probe"),
    ],
)
def test_a_name_may_have_a_number_a_symbol_or_the_word_tool_before_it(heading: str, name: str) -> None:
    text = f"# Vault\n\n{heading}\n\nStores a value.\n"

    (read,) = read_spec(PATH, text).tools

    assert read.contract.name == name
    assert standing_at(text, read.contract.place) == name


@pytest.mark.parametrize(
    "heading",
    ["### `vault_put` / `vault_get`", "### 2. `vault_put(key)`, `vault_get(key)`", "### `vault_put` and `vault_get`"],
)
def test_tools_that_share_a_heading_share_what_is_below_it(heading: str) -> None:
    text = f"# Vault\n\n{heading}\n\nPuts or gets.\n\n| Parameter | Type |\n|---|---|\n| `key` | string |\n"

    put, get = read_spec(PATH, text).tools

    assert (put.contract.name, get.contract.name) == ("vault_put", "vault_get")
    assert standing_at(text, get.contract.place) == "vault_get"
    assert put.contract.description == get.contract.description == "Puts or gets."
    assert put.contract.input_schema == get.contract.input_schema != {}


def test_a_module_before_a_name_in_a_heading_is_not_a_tool() -> None:
    (read,) = read_spec(PATH, "# Vault\n\n### `vault` / `vault_get`\n\nGets.\n").tools

    assert read.contract.name == "vault_get"


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("### 2. vault-get", "vault-get"),
        ("### 2. vault_get!", "vault_get!"),
        ("### 2. vault get", "vault get"),
        ("### ✂️ `vault-get`", "vault-get"),
        ("### `vault_get!(key: str) -> dict`", "vault_get!"),
    ],
)
def test_an_invalid_name_next_to_tools_is_still_that_of_a_tool(heading: str, name: str) -> None:
    text = f"# Vault\n\n### 1. vault_put\n\nStores.\n\n{heading}\n\nReads.\n\nReturns: the value\n"

    _, second = read_spec(PATH, text).tools

    assert second.contract.name == name
    assert standing_at(text, second.contract.place) == name


def test_an_only_tool_with_an_invalid_name_is_known_by_its_sections() -> None:
    read = tool("""
        # Ledger tools

        ## `ledger.post-entry`

        ### Purpose

        Posts an entry.

        ### Invocation Name

        `ledger.post_entry`

        ### Output

        The entry.
        """)

    assert read.contract.name == "ledger.post-entry"


@pytest.mark.parametrize("heading", ["## 1. overview", "## 2. Vault", "### ✂️ Notes", "## Tool 2", "### Tool 1 - setup"])
def test_a_number_or_a_symbol_makes_no_tool(heading: str) -> None:
    assert read_spec(PATH, f"# Vault\n\n{heading}\n\nStores a value.\n").tools == ()


def test_a_name_with_a_slash_is_that_of_a_tool() -> None:
    read = spec("""
        # Cards tools

        ## cards/add

        ```yaml
        parameters:
          front: {type: string, required: true}
          back: {type: string}
        returns: {id: integer}
        ```
        """)

    (only,) = read.tools
    assert only.contract.name == "cards/add"
    assert only.contract.input_schema == {
        "type": "object",
        "properties": {"front": {"type": "string"}, "back": {"type": "string"}},
        "required": ["front"],
    }


def test_a_file_whose_headings_are_the_numbered_sections_is_one_tool() -> None:
    text = dedent("""\
        # Paths

        ## 1. Tool Purpose and Description

        Finds paths.

        ## 2. Invocation Name

        `paths.find`

        ## 3. Input Schema (Parameters)

        | Parameter | Type | Required |
        |---|---|---|
        | `root` | string | Yes |

        ## 6. Idempotency

        - Idempotent: yes
        """)

    (read,) = read_spec(PATH, text).tools

    assert read.contract.name == "paths.find"
    assert standing_at(text, read.contract.place) == "paths.find"
    assert read.contract.idempotent == "yes"
    assert read.input_table is not None


def test_a_title_in_the_heading_gives_way_to_the_invocation_name_and_nested_numbers_to_titles() -> None:
    read = tool("""
        ## 1. Tool: Mix Colours

        ### 1.1 Purpose

        Mixes colours.

        ### 1.2 Invocation Name

        `mix_colours`

        ### 1.3 Input Schema

        | Parameter | Type | Required |
        |---|---|---|
        | `seed` | string | Yes |

        ### 1.6 Usage Example

        ```json
        {"seed": "#fff"}
        ```
        """)

    assert read.contract.name == "mix_colours"
    assert read.contract.description == "Mixes colours."
    assert [example.kind for example in read.contract.examples] == ["arguments"]
    assert {section.number for section in read.sections if section.number} <= {2, 3}


def test_a_table_of_tools_with_their_parameters_represents_sections() -> None:
    read = spec("""
        # Boards

        | Tool | Arguments | Summary |
        |---|---|---|
        | `board_list` | – | Lists boards |
        | `board_move` | `card` | Moves a card |
        """)

    assert [(one.contract.name, one.contract.description) for one in read.tools] == [
        ("board_list", "Lists boards"), ("board_move", "Moves a card"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("| Argument | Kind | Req? | Notes |", "| `tags` | `string[]` | ✓ | Labels |"),
        ("| | Type | Required? | What |", "| `tags` | `string[]` | Y | Labels |"),
        ("| Parameter | Typ | Pflicht | Beschreibung |", "| `tags` | `string[]` | ja | Schlagworte |"),
        ("| Parámetro | Tipo | Obligatorio | Descripción |", "| `tags` | `string[]` | sí | Etiquetas |"),
        ("| Property | Value type | Mandatory | Remarks |", "| `tags` | [`string[]`](#tags) | ✅ | Labels |"),
    ],
)
def test_columns_are_known_by_many_titles(header: str, row: str) -> None:
    read = spec(f"## `tag_add`\n\nAdds tags.\n\n{header}\n|---|---|---|---|\n{row}\n")

    schema = read.tools[0].contract.input_schema
    assert isinstance(schema, dict)
    properties: JsonValue = schema["properties"]
    assert isinstance(properties, dict)
    assert isinstance(properties["tags"], dict)
    assert properties["tags"]["type"] == "array"
    assert schema["required"] == ["tags"]


def test_plain_bullets_that_begin_with_a_type_are_parameters() -> None:
    read = tool("""
        ## `series_query`

        *Input:*

        - expr: string. The expression. **Required.**
        - labels: dict of str to str. Optional.
        - Note that this is slow.
        """)

    assert read.input_table is not None
    rows = [(row.name, row.type, row.required) for row in read.input_table.rows]
    assert rows == [("expr", "string", True), ("labels", "dict of str to str", False)]


@pytest.mark.parametrize(
    "body",
    [
        "Parameters\n:   `document` (str): what to sign",
        "<table><tr><td>name</td><td>string</td></tr></table>",
        "```rust\nstruct Params { pid: u32 }\n```",
        "Parameters:\n\n    pid : int\n        The process.",
    ],
)
def test_parameters_in_a_form_that_is_not_read_are_known_to_be_there(body: str) -> None:
    read = spec(f"## `doc_sign`\n\nSigns.\n\n{body}\n").tools[0]

    assert read.contract.input is None
    assert "unread_input" in read.contract.places


def test_the_arguments_of_a_call_are_no_schema() -> None:
    read = tool("""
        ## `job_add`

        ### Request

        ```json
        {"name": "job_add", "arguments": {"queue": "mail", "priority": 5}}
        ```

        ### Request fields

        | Name | Type | Description |
        |---|---|---|
        | queue | string | Queue |
        | priority | integer | Higher runs first |
        """)

    schema = read.contract.input_schema
    assert isinstance(schema, dict)
    assert isinstance(schema["properties"], dict)
    assert list(schema["properties"]) == ["queue", "priority"]


def test_an_error_type_of_two_words_is_read_unchanged() -> None:
    read = tool("""
        ## `job_add`

        ### Errors

        - `QueueFullError x`: no room
        - `not a type`: prose
        """)

    assert [error.name for error in read.contract.errors] == ["QueueFullError x"]


@pytest.mark.parametrize(
    "heading",
    [
        "tides_next (stable)",
        "Function: tides_next",
        "Werkzeug `tides_next`",
        "Outil : `tides_next`",
        "Herramienta: `tides_next`",
        "Command `tides_next`",
        "Tool `tides_next` [read-only]",
        "tides_next()",
        "tides_next: the next high water",
        "The `tides_next` tool",
        "tides_next tool",
        "<code>tides_next</code>",
    ],
)
def test_a_heading_above_parameters_begins_a_tool_with_any_text_around_the_name(heading: str) -> None:
    table = "| Name | Type | Required |\n|---|---|---|\n| `at` | string | yes |\n"
    text = f"# Harbour\n\n## {heading}\n\nTells when.\n\n{table}"

    (read,) = read_spec(PATH, text).tools

    assert read.contract.name == "tides_next"
    assert standing_at(text, read.contract.place) == "tides_next"
    assert read.contract.input is not None


def test_a_title_of_one_word_does_not_swallow_tools_with_numbers() -> None:
    one = (
        "## Tool {0}: {1} Mail\n\n### 1. Purpose\n\n{1}.\n\n### 2. Invocation Name\n\n`{2}`\n\n### 3. Input\n\nNo.\n\n"
    )
    text = "# Mailer\n\n" + one.format(1, "Send", "send_mail") + one.format(2, "Read", "read_mail")

    assert [read.contract.name for read in read_spec(PATH, text).tools] == ["send_mail", "read_mail"]


def test_a_version_below_release_notes_is_not_a_tool() -> None:
    text = "# Harbour MCP Tool Specification\n\n## Release notes\n\n### v3\n\nFaster.\n\n### v2.1\n\nFirst.\n"

    assert read_spec(PATH, text).tools == ()


@pytest.mark.parametrize("group", ["Prompts", "Resources", "MCP resource templates", "Available prompts", "可用提示"])
def test_what_a_server_offers_next_to_tools_is_not_a_tool(group: str) -> None:
    text = f"## {group}\n\n### `review_code`\n\n**Arguments:**\n\n- `language` (string)\n"
    beside = "## Tools\n\n### `find_code`\n\n- `language` (string)\n"

    assert read_spec(PATH, f"# Library\n\nThis server has no tools.\n\n{text}").tools == ()
    assert read_spec(PATH, text[1:]).tools == ()
    assert [tool.contract.name for tool in read_spec(PATH, f"# Library\n\n{beside}\n{text}").tools] == ["find_code"]
    assert [tool.contract.name for tool in read_spec(PATH, f"# {group}\n\n{beside}").tools] == ["find_code"]


def test_a_heading_of_several_tools_with_the_name_of_their_group_is_not_a_tool() -> None:
    text = (
        "# Harbor\n\n### 1. Boat Tools (`boat_data`)\n\n#### `get_boat`\n\nReads a boat.\n\n"
        "#### `list_boats`\n\nLists boats.\n"
    )

    read = read_spec(PATH, text).tools

    assert [one.contract.name for one in read] == ["get_boat", "list_boats"]


def test_names_below_several_headings_of_tools_are_siblings() -> None:
    text = (
        "# Boat Tools\n\n## find_boat()\n\nInput:\n\n- `name` (string): Whose.\n\n"
        "# Pier Tools\n\n## open_pier()\n\nOpens it.\n\n## close_pier()\n\n# Helpers\n\n## sort_piers()\n"
    )

    read = read_spec(PATH, text).tools

    assert [one.contract.name for one in read] == ["find_boat", "open_pier", "close_pier"]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Tool Contract: vault_put", "vault_put"),
        ("MCP Tool Specification: `put`", "put"),
        ("MCP Tool Contract — `vault-put`", "vault-put"),
        ("Tool Definition: vaultPut()", "vaultPut"),
        ("Tool Specification: vault_put (Cold Storage)", "vault_put"),
        ("MCP Tool Contract: `vault_put` (v3, draft)", "vault_put"),
        ("Tool Specification: vault_put — stores one value", "vault_put"),
        ("Tool Specification: `put`: stores one value", "put"),
    ],
)
@pytest.mark.parametrize(
    "parameters",
    [
        "## Input\n\n| Field | Type | Required | Notes |\n|---|---|---|---|\n| `key` | string | Yes | A key |\n",
        '## JSON Schema\n\n```json\n{"type": "object", "properties": {"key": {"type": "string"}}}\n```\n',
    ],
)
def test_the_title_of_a_file_about_one_tool_names_it(title: str, name: str, parameters: str) -> None:
    text = f"# {title}\n\n## Purpose\n\nStores a value.\n\n{parameters}\n## Related tools\n\n- `vault_get`: reads it\n"

    (read,) = read_spec(PATH, text).tools

    assert read.contract.name == name
    assert standing_at(text, read.contract.place) == name
    schema = read.contract.input_schema
    assert isinstance(schema, dict)
    assert isinstance(properties := schema["properties"], dict)
    assert list(properties) == ["key"]


@pytest.mark.parametrize(
    "text",
    [
        "# MCP Tool Specification: vault_core\n\n## Overview\n\nStores values.\n",
        "# MCP Tool Specification: Vault\n\n## Parameters\n\n- `root` (string): where values are\n",
        "# MCP Tool Specification: vault_core tools\n\n## Parameters\n\n- `root` (string): where values are\n",
        "# MCP Tool Specification: vault_core (5 tools)\n\n## Parameters\n\n- `root` (string): where values are\n",
        "# Tool contracts - vault_core\n\n## Parameters\n\n- `root` (string): where values are\n",
        "# MCP Tool Specification: vault_core\n\n## Input of put\n\n- `a` (string)\n\n## Input of get\n\n- `b` (int)\n",
    ],
)
def test_the_title_of_a_file_may_also_name_a_module(text: str) -> None:
    assert read_spec(PATH, text).tools == ()


@pytest.mark.parametrize("heading", ["`take example!`", "`error report`", "`usage notes`"])
def test_a_name_in_code_may_have_the_words_of_a_section(heading: str) -> None:
    first = f"### {heading}\n\n**Description**: Takes one.\n\n**Parameters**:\n\n- `seed` (integer): where it starts\n"
    text = f"# Lab\n\n## Tool Reference\n\n{first}\n---\n\n### `lab_search`\n\n**Description**: Searches.\n"

    assert [read.contract.name for read in read_spec(PATH, text).tools] == [heading.strip("`"), "lab_search"]


@each(
    "first, second",
    [
        ("### `depth` (required)", "### `unit` (optional)"),
        ("### `depth` (Required)", "### **unit** (Optional)"),
        ("### depth", "### unit (optional)"),
    ],
)
def test_headings_below_a_title_about_parameters_are_parameters_and_no_tools(first: str, second: str) -> None:
    text = (
        "# MCP Tool Contract: probe\n\n**Tool Name**: `probe`\n**Description**: Lowers it.\n\n## Input Parameters\n\n"
        f"{first}\n- **Type**: integer\n- **Description**: How deep\n- **Error if**: Below zero\n\n"
        f'{second}\n- **Type**: string\n- **Default**: `"m"`\n- **Description**: A unit\n\n## Errors\n\nNone.\n'
    )

    (read,) = read_spec(PATH, text).tools

    schema = read.contract.input_schema
    assert read.contract.name == "probe"
    assert isinstance(schema, dict)
    depth = {"type": "integer", "description": "How deep\n- **Error if**: Below zero"}
    unit = {"type": "string", "description": "A unit", "default": "m"}
    assert schema["properties"] == {"depth": depth, "unit": unit}
    assert ("required" in schema) is ("required" in first.lower())


def test_headings_of_tools_below_other_titles_stay_tools() -> None:
    body = "\n\nTakes one.\n\n- **Type**: query\n\n**Parameters:**\n\n- `id` (string): which\n\n"

    text = f"# Boats\n\n## Tools\n\n### `get_boat` (required){body}### `put_boat` (optional){body}"

    read = read_spec(PATH, text).tools

    assert [one.contract.name for one in read] == ["get_boat", "put_boat"]


def test_labels_below_the_headings_of_errors_are_their_content() -> None:
    errors = "".join(f"### {name} Error\n**Condition**: {name}\n**Response**: A text\n\n" for name in ("Lost", "Late"))
    text = f"# Boats\n\n## Tool: `get_boat`\n\nGets a boat.\n\n**Parameters:**\n\n- `id` (string): which\n\n{errors}"

    report = lint(Contracts((read_spec(PATH, text),)))

    assert not {"MC106", "MC107"} & {one.code for one in report.diagnostics}


@each(
    "section, type_of_lock",
    [
        ("| Parameter | Required | Behavior |\n|---|---|---|\n| `lock` | Yes | Which lock to open |\n", None),
        (
            "| Parameter | Type | Required | Behaviour |\n|---|---|---|---|\n"
            "| `lock` | string | Yes | Which lock to open |\n",
            "string",
        ),
        (
            "```python\nopen_lock(lock: str) -> Lock\n```\n\n"
            "| Parameter | Required | Behavior |\n|---|---|---|\n| `lock` | Yes | Which lock to open |\n",
            "string",
        ),
    ],
)  # fmt: skip
def test_a_table_below_the_contract_of_a_file_has_its_parameters(section: str, type_of_lock: str | None) -> None:
    text = f"# Tool Specification: `open_lock`\n\n## Purpose\n\nOpens a lock.\n\n## Contract\n\n{section}"

    (read,) = read_spec(PATH, text).tools

    lock = {"description": "Which lock to open"} | ({} if type_of_lock is None else {"type": type_of_lock})
    schema = read.contract.input_schema
    assert isinstance(schema, dict)
    assert (schema["properties"], schema["required"]) == ({"lock": lock}, ["lock"])
