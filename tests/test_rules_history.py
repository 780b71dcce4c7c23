"""Names and numbers in a changelog are those of earlier versions."""

from __future__ import annotations

from textwrap import dedent

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each

SHELVES = """
    # Shelves: tool specification

    ## {title}

    ### 0.2.0

    - All {count} tools work.
    - Added the `{name}` tool, after `empty_shelf`.

    ## Tools

    ### `list_shelves`

    Lists all shelves, and returns their names.

    ### `empty_shelf`

    Takes everything off a shelf, and returns how much that is.
    """


@each(
    ("title", "count", "name", "expected"),
    [
        ("Changelog", 3, "list_shelfs", []),
        ("Release notes", 3, "fill_shelf", []),
        ("What's new", 3, "list_shelfs", []),
        ("Overview", 2, "list_shelves", []),
        ("Overview", 3, "list_shelves", ["MC020"]),
        ("Overview", 2, "list_shelfs", ["MC515"]),
        ("Overview", 3, "list_shelfs", ["MC020"]),  # the third may be that one
    ],
)
def test_a_changelog_is_about_earlier_versions(title: str, count: int, name: str, expected: list[str]) -> None:
    text = dedent(SHELVES.format(title=title, count=count, name=name)).lstrip("\n")
    found = lint(Contracts((read_spec("shelves/MCP_TOOL_SPECIFICATION.md", text),))).shown()

    assert [one.code for one in found if one.code in ("MC020", "MC515")] == expected
