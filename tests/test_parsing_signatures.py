"""Parameters in the signature of a Python function, in a heading or in a fence."""

from __future__ import annotations

from mcp_contracts.contract import SpecTool
from mcp_contracts.parsing.spec import read_spec
from tests.texts import PATH, position, spec, standing_at, tool


def parameters(read: SpecTool) -> dict[str, tuple[str | None, bool | None, str | None]]:
    """Return the type and the default of every parameter, and whether it is required."""
    assert read.input_table is not None
    return {
        row.name: (row.type, row.required, row.default.text if row.default else None) for row in read.input_table.rows
    }


def test_a_signature_in_a_heading_gives_the_parameters_and_the_result() -> None:
    text = (
        "## Tools\n\n### `pages_crawl(url: str, depth: int = 2, *, deep: bool = True) -> list[str]`\n\nCrawls a site.\n"
    )

    (read,) = read_spec(PATH, text).tools

    assert read.contract.name == "pages_crawl"
    assert parameters(read) == {
        "url": ("str", True, None), "depth": ("int", False, "2"), "deep": ("bool", False, "True"),
    }  # fmt: skip
    assert read.input_table is not None
    assert [standing_at(text, row.place) for row in read.input_table.rows] == ["url", "depth", "deep"]
    assert any(section.about == 4 and not section.is_empty for section in read.sections)


def test_a_function_in_a_fence_gives_the_parameters_and_the_docstring() -> None:
    read = tool('''
        ## `pages_store`

        ```python
        @mcp_tool(category="pages")
        def pages_store(
            self,
            texts: list[str],
            metadata: dict[str, str] | None = None,
            ctx: Context = None,
        ) -> dict[str, int]:
            """Stores pages in the index."""
        ```
        ''')

    assert parameters(read) == {
        "texts": ("list[str]", True, None), "metadata": ("dict[str, str] | None", False, "None"),
    }  # fmt: skip
    assert read.contract.description == "Stores pages in the index."
    assert read.input_table is not None
    assert position(read.input_table.rows[0].place) == (7, 5)


def test_a_table_next_to_a_signature_takes_precedence() -> None:
    read = tool("""
        ## `pages_search`

        - **Side effects**: none

        ```python
        def pages_search(query: str, k: int = 5) -> list: ...
        ```

        | Param | Type | Description |
        |---|---|---|
        | `query` | `str` | What to search for |
        """)

    assert list(parameters(read)) == ["query"]


def test_a_function_without_parameters_says_that_the_tool_takes_none() -> None:
    read = tool("""
        ## `pages_list`

        Lists the pages.

        ```python
        async def pages_list() -> list[str]: ...
        ```
        """)

    assert read.contract.input_schema == {"type": "object", "properties": {}}


def test_code_that_is_not_python_has_no_examples() -> None:
    read = tool("""
        ## `pages_list`

        ```python
        def pages_list(: oops
        ```
        """)

    assert read.contract.input is None
    assert "unread_input" in read.contract.places


def test_another_function_is_not_the_tool_s() -> None:
    (read,) = spec("""
        ## `pages_list`

        ```python
        def pages_list_all(root: str): ...
        ```
        """).tools

    assert read.contract.input is None
