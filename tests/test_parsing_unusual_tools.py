"""Tools in unusual forms are found, and what only resembles them is not."""

from __future__ import annotations

from textwrap import dedent

from mcp_contracts.parsing.spec import read_spec
from tests.tables import each


def found(text: str) -> list[str]:
    """Return the names of the tools of a file, with a `?` if it is not read what they take."""
    file = read_spec("notes/MCP_TOOL_SPECIFICATION.md", dedent(text).lstrip("\n"))
    return [f"{one.name}{'' if one.input is not None else '?'}" for one in file.contracts]


ROUTES = """
    # phone tool contracts

    ## authentication

    send the secret in a header.

    ## post /tools/create_claim

    creates a claim of a caller.

    minimum required fields:

    - caller_name
    - loss_type

    success response:

    ```json
    {"success": true}
    ```

    ## POST /v1/tools/flag_claim

    flags a claim that is urgent.
    """


def test_a_route_of_tools_names_a_tool_and_its_fields_do_not() -> None:
    assert found(ROUTES) == ["create_claim?", "flag_claim?"]


DISABLED = """
    # Orders

    ## {all}

    | {tool} | {said} |
    |---|---|
    | `list_orders` | Lists the orders |
    | `find_order` | Finds an order |

    ## {disabled}

    | {tool} | {said} |
    |---|---|
    | `drop_orders` | Drops the orders |
    """


@each(
    ("all", "tool", "said", "disabled"),
    [
        ("Tools", "Tool", "Description", "Disabled tools"),
        ("Tools", "Tool", "Description", "Tools that are not enabled"),
        ("Tools", "Tool", "Description", "Unregistered tools"),
        ("工具总览", "工具名称", "说明", "未启用的工具"),
        ("ツール一覧", "ツール名", "説明", "無効なツール"),
        ("도구 목록", "도구", "설명", "비활성화된 도구"),
        ("Werkzeuge", "Werkzeug", "Beschreibung", "Deaktivierte Werkzeuge"),
        ("Outils", "Outil", "Description", "Outils désactivés"),
        ("Herramientas", "Herramienta", "Descripción", "Herramientas deshabilitadas"),
        ("Инструменты", "Инструмент", "Описание", "Отключённые инструменты"),
    ],
)
def test_tools_below_a_title_of_disabled_ones_are_not_tools(all: str, tool: str, said: str, disabled: str) -> None:  # noqa: A002 -- the name of the row
    assert found(DISABLED.format(all=all, tool=tool, said=said, disabled=disabled)) == ["list_orders?", "find_order?"]


KOREAN = """
    # 조회 서비스 명세

    ## 툴 목록

    | 툴 | 입력 | 출력 |
    |---|---|---|
    | `get_digest` | `date` | 요약 목록 |
    | `find_tasks` | 키워드 | 태스크 |
    """


def test_a_table_below_a_foreign_word_for_tools_lists_them() -> None:
    assert [name.rstrip("?") for name in found(KOREAN)] == ["get_digest", "find_tasks"]


COUNTED = """
    # Browser

    ## Inventory (3 tools)

    | Name | Purpose |
    |---|---|
    | `tabs` | Opens and closes tabs |
    | `read` | Reads a page |
    | `page_text` | Reads the text of a page |
    """


def test_a_table_with_as_many_rows_as_its_title_counts_tools_lists_them() -> None:
    assert found(COUNTED) == ["tabs?", "read?", "page_text?"]
    assert found(COUNTED.replace("3 tools", "4 pages")) == []


GROUPED = """
    # Reference of the MCP tools

    Implemented tools (file -> tools)

    - `tools/search.py`
      - `search_papers` - searches the papers of a field.
      - `paper_details` - returns a paper.

    - `tools/author.py`
      - `search_author` - searches an author by name.
    """


def test_a_list_below_the_file_of_each_group_lists_tools() -> None:
    assert found(GROUPED) == ["search_papers?", "paper_details?", "search_author?"]


METADATA = """
    # Search server: tool specification

    ## Overview

    The server exposes two tools:

    | Tool Name | Purpose |
    |---|---|
    | `search` | Searches the web |
    | `extract` | Extracts the text of a page |

    ## 1. Search Tool

    ### 1.1 Tool Metadata

    - **Name:** `search`
    - **Description:** Searches the web, and returns pages.

    ### 1.2 Input Schema (JSON Schema)

    ```json
    {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    ```

    ## 2. Extract Tool

    ### 2.1 Tool Metadata

    - **Name:** `extract`
    - **Description:** Extracts the text of a page.

    ### 2.2 Input Schema (JSON Schema)

    ```json
    {"type": "object", "properties": {"page": {"type": "string"}}, "required": ["page"]}
    ```
    """


def test_a_name_in_the_metadata_of_a_tool_belongs_to_the_schema_beside_it() -> None:
    assert found(METADATA) == ["search", "extract"]


def test_a_sentence_about_tools_leads_to_a_table_of_them() -> None:
    assert found(METADATA[: METADATA.index("    ## 1.")]) == ["search?", "extract?"]


SHELVES = """
    # Shelves

    {label}

    - **find_shelf** — finds a shelf. {takes}: `row` (integer), `depth` (number, optional).
    - **empty_shelf** — takes everything off a shelf. {takes}: `row` (integer).

    {remark}
    """


@each(
    ("label", "takes", "remark"),
    [
        ("Tools:", "Parameters", ""),
        ("## Tools", "Parameters", "Both are quick."),
        ("**MCP Tools:**", "Parameters", ""),
        ("## Ferramentas", "Parâmetros", ""),
        ("## Outils", "Paramètres", ""),
    ],
)
def test_a_list_below_a_title_of_tools_has_tools_whose_sentences_end_with_parameters(
    label: str, takes: str, remark: str
) -> None:
    assert found(SHELVES.format(label=label, takes=takes, remark=remark)) == ["find_shelf", "empty_shelf"]


NUMBERED = """
    # Shelves

    **Tool 1: `find_shelf`**

    Finds a shelf.

    | Parameter | Type | Required |
    |---|---|---|
    | `row` | integer | yes |

    **Tool 2: `empty_shelf`**

    Takes everything off a shelf.

    | Parameter | Type | Required |
    |---|---|---|
    | `row` | integer | yes |
    """


def test_a_label_of_a_tool_may_have_a_number() -> None:
    assert found(NUMBERED) == ["find_shelf", "empty_shelf"]


NESTED = """
    # Shelves

    ## MCP tools

    * `find_shelf`
      * Finds a shelf by its row.
      * `row` (integer, required)
      * `depth` (number, optional)
    * `empty_shelf`
      * `row` (integer, required)
    """


def test_a_sentence_may_be_the_first_item_above_parameters() -> None:
    finds, _ = read_spec("notes/MCP_TOOL_SPECIFICATION.md", dedent(NESTED).lstrip("\n")).contracts

    assert found(NESTED) == ["find_shelf", "empty_shelf"]
    assert finds.description == "Finds a shelf by its row."
    assert finds.input_schema == {
        "type": "object",
        "properties": {"row": {"type": "integer"}, "depth": {"type": "number"}},
        "required": ["row"],
    }


FENCED = """
    # Shelves

    ## {title}

    ```json
    [{{"name": "find_shelf", "description": "Finds a shelf.", "parameters": {{"type": "object", "properties": {{}}}}}}]
    ```

    ## {other}

    ### `load(path: str) -> Shelf`

    Loads a shelf.
    """


@each(
    ("title", "other", "expected"),
    [
        ("MCP Tools", "Python API", ["find_shelf"]),
        ("Example", "Python API", ["load"]),
        ("MCP Tools", "More MCP Tools", ["load"]),
    ],
)
def test_a_list_of_tools_in_json_is_preferred_to_functions_elsewhere(
    title: str, other: str, expected: list[str]
) -> None:
    assert found(FENCED.format(title=title, other=other)) == expected


FOLDED = """
    # Shelves

    <details><summary>Tools</summary>

    ### find_shelf

    Finds a shelf.

    - `row` (integer, required): where it is

    <details><summary>More</summary>

    It reads a cache.

    </details>

    Needs a few milliseconds.

    </details>

    Moving is excluded.
    """


def test_text_after_a_folded_section_is_not_part_of_the_tool_in_it() -> None:
    (finds,) = read_spec("notes/MCP_TOOL_SPECIFICATION.md", dedent(FOLDED).lstrip("\n")).tools

    assert finds.lines == (5, 18)
    assert "excluded" not in finds.contract.description


ROUTED = """
    # Shelves

    | MCP tool | Route | Parameters |
    |---|---|---|
    | `find_shelf` | `GET /shelves` | `row` (integer) |
    """


def test_a_cell_of_code_is_not_a_description() -> None:
    (finds,) = read_spec("notes/MCP_TOOL_SPECIFICATION.md", dedent(ROUTED).lstrip("\n")).contracts

    assert finds.description == ""
    assert finds.input is not None


def test_notes_of_parameters_may_have_brackets_of_full_width() -> None:
    items = "- `row`（integer，必填）：架子的行\n- `name`（string，可选）：名称\n"
    text = f"# 架子\n\n## 工具\n\n### `find_shelf`\n\n查询架子。\n\n{items}"
    (finds,) = read_spec("notes/MCP_TOOL_SPECIFICATION.md", text).contracts

    assert finds.input_schema == {
        "type": "object",
        "properties": {
            "row": {"type": "integer", "description": "架子的行"},
            "name": {"type": "string", "description": "名称"},
        },
        "required": ["row"],
    }


WITH_GROUP = """
    # Shelves

    ## Tools

    - `get_shelf`
      - Input: `{ row: number; note: string (<= 30k chars); depth?: number }`
    - Storage tools *(only with `--storage`)*
      - `get_store`: `{}` → `{ count }`
      - `fill_store`: fills it
    """


def test_a_group_of_tools_inside_their_list_is_reported_as_unread() -> None:
    file = read_spec("notes/MCP_TOOL_SPECIFICATION.md", dedent(WITH_GROUP).lstrip("\n"))

    assert [one.name for one in file.unread_siblings] == ["get_store", "fill_store"]
    assert [one.name for one in file.contracts] == ["get_shelf"]


def test_less_than_in_a_remark_is_no_bracket() -> None:
    (shelf,) = read_spec("notes/MCP_TOOL_SPECIFICATION.md", dedent(WITH_GROUP).lstrip("\n")).contracts

    assert isinstance(shelf.input_schema, dict)
    assert shelf.input_schema["required"] == ["row", "note"]
    assert "depth" in str(shelf.input_schema["properties"])


AGAIN = """
    # Shelves

    ### Tools

    - `list_shelves` - Lists all shelves.
    - `empty_shelf` - Takes everything off a shelf.
    - `fill_shelf` - Fills a shelf.

    ### Shelf Management

    Shelves can be managed with the following tools:

    - `list_shelves`: Gets what is there
    - `{other}`: Takes everything off
    """


@each(
    ("other", "expected"),
    [
        ("empty_shelf", ["list_shelves?", "empty_shelf?", "fill_shelf?"]),
        ("move_shelf", ["list_shelves?", "empty_shelf?", "fill_shelf?", "list_shelves?", "move_shelf?"]),
    ],
)
def test_a_list_of_tools_that_another_list_has_mentions_them(other: str, expected: list[str]) -> None:
    assert found(AGAIN.format(other=other)) == expected


WILDCARD = """
    # Shelves

    ## Tools

    ### `shelf_find`

    Finds a shelf.

    ### `shelf_box_*`

    Helpers for boxes:

    - `shelf_box_open` - Opens a box
    - `{last}` - Closes a box

    ### `shelf_move`

    Moves a shelf.
    """


@each(
    ("last", "expected"),
    [
        ("shelf_box_close", ["shelf_find?", "shelf_box_open?", "shelf_box_close?", "shelf_move?"]),
        ("size_limit", ["shelf_find?", "shelf_move?"]),
    ],
)
def test_a_title_with_a_wildcard_groups_the_tools_of_its_list(last: str, expected: list[str]) -> None:
    assert found(WILDCARD.format(last=last)) == expected


def test_a_list_of_labeled_names_ends_and_is_reported() -> None:
    items = "- name: shelf_find\n  description: Finds\n  parameters:\n    word: string\n- name: shelf_move\n"
    file = read_spec("notes/MCP_TOOL_SPECIFICATION.md", f"# Shelves\n\n## Tools\n\n{items}  description: Moves\n")

    assert not file.tools
    assert [mention.name for mention in file.unread_tools] == ["shelf_find", "shelf_move"]


def test_the_title_of_a_file_names_a_tool_that_its_json_calls() -> None:
    call = '```json\n{"tool": "price_lookup", "input": {}, "output": {"price": 0.0}}\n```\n'

    assert found(f"# Tool Spec: price_lookup\n\n## Purpose\n\nLooks up a price.\n\n## Interface\n\n{call}") == [
        "price_lookup?"
    ]
    assert not found('# Tool Spec: prices\n\n## Interface\n\n```json\n{"module": "prices"}\n```\n')


EVERYDAY_TABLE = (
    "| Parameter | Type | Required | Description |\n|---|---|---|---|\n| kind | string | yes | which kind |\n"
)
EVERYDAY_BULLETS = "* kind (string, required): which kind\n"
PROPERTIES = (
    "| Tool name | find_boats |\n|---|---|\n| Description | Finds boats of a kind. |\n"
    "| Parameters | `kind` (string, required): which kind |\n"
)
IN_ONE_LIST = (
    "* Tool: `find_boats`\n  * Finds boats of a kind.\n  * Parameters:\n    * `kind` (string, required): which kind\n"
    "  * Returns: list\n"
)


@each(
    "text",
    (
        f"## Find some boats (`find_boats`)\n\n{EVERYDAY_TABLE}",
        f"## 2 Tool find_boats\n\nFinds boats.\n\n{EVERYDAY_TABLE}",
        f"### Tool ID: `find_boats`\n\nFinds boats.\n\n{EVERYDAY_TABLE}",
        f"## find_boats ⟶ list\n\nFinds boats.\n\n{EVERYDAY_BULLETS}",
        f"## find_boats -> list\n\nFinds boats.\n\n{EVERYDAY_BULLETS}",
        f"## `find_boats` *(read only)*\n\nFinds boats.\n\n{EVERYDAY_TABLE}",
        f"## find (read only)\n\nFinds boats.\n\n{EVERYDAY_TABLE}",
        PROPERTIES,
        IN_ONE_LIST,
    ),
)
def test_a_tool_in_an_everyday_form_is_read_with_its_parameters(text: str) -> None:
    (tool,) = read_spec("MCP_TOOL_SPECIFICATION.md", f"# Harbor\n\n{text}").tools

    assert tool.contract.name in ("find_boats", "find")
    assert tool.contract.description.startswith("Find")
    assert tool.contract.input_schema == {
        "type": "object",
        "properties": {"kind": {"type": "string", "description": "which kind"}},
        "required": ["kind"],
    }


def test_a_heading_in_camel_case_above_its_typescript_signature_is_a_tool() -> None:
    code = "```typescript\nfindBoats(kind: string, limit?: number): Promise<Boat[]>\n```\n"

    text = f"## findBoats\n\nFinds boats.\n\n{code}\n## countBoats\n\nCounts.\n\n{code.replace('find', 'count')}"

    assert found(f"# Harbor\n\n{text}") == ["findBoats", "countBoats"]


def test_a_column_of_cardinalities_says_what_is_required() -> None:
    table = "| Parameter | Type | Cardinality |\n|---|---|---|\n| kind | string | 1 |\n| limit | integer | 0..1 |\n"
    (tool,) = read_spec("MCP_TOOL_SPECIFICATION.md", f"# Harbor tools\n\n## find_boats\n\nFinds.\n\n{table}").tools

    assert isinstance(tool.contract.input_schema, dict)
    assert tool.contract.input_schema["required"] == ["kind"]
