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
