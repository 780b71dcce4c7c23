"""Faults in the names of informal documents, whose tools have no parameter types."""

from __future__ import annotations

from tests.said import said
from tests.tables import each

TOOLS = """
# MCP tools

{count}

### `list_docs`

Lists the docs.

- `limit`: How many
- `{second}`: From where

Notes:

- `limit`: is often 10

### `get_doc`

Reads one. Use `{mentioned}` before.

- `doc_id`: Which

### `put_doc`

Writes one.

- `doc_id`: Which
"""


def _faults(**parts: str) -> list[str]:
    found = said(TOOLS.format(**{"count": "For docs.", "second": "offset", "mentioned": "list_docs", **parts}))
    return [one for one in found if not one.endswith("(…)")]


@each(
    "parts, expected",
    [
        ({}, []),
        ({"second": "limit"}, ["MC331 the tool lists `limit` twice"]),
        ({"mentioned": "list_dosc"}, ["MC515 the description mentions the tool `list_dosc`, which does not exist"]),
        ({"mentioned": "doc_id"}, []),
    ],
)
def test_names_are_checked_without_types(parts: dict[str, str], expected: list[str]) -> None:
    assert _faults(**parts) == expected


@each(
    "count, is_wrong",
    [
        ("Reached through 4 plain tools.", True),
        ("提供 3 个工具。", False),
        ("提供 4 个工具。", True),
        ("| 特性 | 值 |\n|---|---|\n| 查询工具 | ✅ 4 个 |", True),
        ("4種類のツールがあります。", True),
        ("3種類のツールがあります。", False),
        ("4개의 도구를 제공합니다.", True),
        ("每个工具返回 4 个值。", False),
    ],
)
def test_numbers_of_tools_are_read_in_other_languages(count: str, is_wrong: bool) -> None:
    expected = ["MC020 the text mentions 4 tools, but the file defines 3"] if is_wrong else []

    assert _faults(count=count) == expected


@each("title", ["## 工具（4 个）", "## ツール（4種）", "## 도구 (4개)", "## Tools (4)"])
def test_a_number_in_a_heading_is_reported_once(title: str) -> None:
    assert _faults(count=title) == ["MC020 the heading mentions 4 tools, but the group has 3"]


@each(
    "call, expected",
    [
        ("find_doc(limit?, offset?)", []),
        ("find_doc(limit?, limit?)", ["MC331 the tool lists `limit` twice"]),
        ("find_doc(name, path, name)", ["MC331 the tool lists `name` twice"]),
    ],
)
def test_names_in_a_call_differ(call: str, expected: list[str]) -> None:
    text = (
        f"# MCP tools\n\n- `{call}`: Lists the docs.\n- `get_doc(doc_id)`: Reads one.\n- `put_doc(doc_id)`: Writes.\n"
    )

    assert [one for one in said(text) if not one.endswith("(…)")] == expected


GROUPS = """
# Harbor MCP Server

## {title}

### 1. Boats
- `find_boat` - finds a boat
- `sell_boat` - sells a boat
- `paint_boat` - paints a boat

### 2. Crews
- `find_crew` - finds a crew
"""


@each("title", ["Tools", "Features", "工具列表", "功能模块", "ツール一覧", "機能", "Werkzeuge", "Funktionen"])
def test_lists_below_a_title_in_any_language_are_of_tools(title: str) -> None:
    assert said(GROUPS.format(title=title)) == ["find_boat(…)", "sell_boat(…)", "paint_boat(…)", "find_crew(…)"]


def test_an_example_that_calls_another_name_is_reported() -> None:
    text = TOOLS.format(count="For docs.", second="offset", mentioned="list_docs").replace(
        "Writes one.", 'Writes one.\n\n```json\n{"name": "putt_doc", "arguments": {"doc_id": "a"}}\n```'
    )

    assert [one[:5] for one in said(text) if not one.endswith("(…)")] == ["MC403"]
