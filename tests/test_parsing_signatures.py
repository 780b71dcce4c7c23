"""Parameters in the signature of a Python function, in a heading or in a fence."""

from __future__ import annotations

from mcp_contracts.contract import SpecTool
from tests.texts import spec, tool


def parameters(read: SpecTool) -> dict[str, tuple[str | None, bool | None, str | None]]:
    """Return the type and the default of every parameter, and whether it is required."""
    assert read.input_table is not None
    return {
        row.name: (row.type, row.required, row.default.text if row.default else None) for row in read.input_table.rows
    }


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


def test_a_signature_in_a_fence_gives_the_parameters_with_the_comments_as_their_descriptions() -> None:
    read = tool("""
        ## Tool 1: `pages_search`

        **Purpose**: Searches pages.

        ### Signature

        ```python
        @tool
        async def pages_search(
            query: str,       # the words, separated by spaces
            limit: int = 5    # at most this many
        ) -> dict
        ```
        """)

    assert parameters(read) == {"query": ("str", True, None), "limit": ("int", False, "5")}
    assert read.input_table is not None
    assert [row.description for row in read.input_table.rows] == ["the words, separated by spaces", "at most this many"]


def test_a_declaration_anywhere_gives_the_parameters_but_a_call_does_not() -> None:
    text = "## `pages_search`\n\nSearches pages.\n\n### Notes\n\n```\npages_search({}){}\n```\n"

    declared = tool(text.format("query: str, limit: int = 5", " -> list[str]"))
    called = tool(text.format("query: word, limit: 5", ""))

    assert list(parameters(declared)) == ["query", "limit"]
    assert called.contract.input is None
