"""Calls outside the sections of tools."""

from __future__ import annotations

from textwrap import dedent

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each

SHELVES = """
    # Shelves: tool specification

    ## Tools

    ### `shelves.read_file`

    Reads a file of a shelf, and returns its text.

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `path` | string | yes | The file |

    ## Usage example

    ```json
    {{"tool_name": "{called}", "arguments": {{"{argument}": "a.txt"}}}}
    ```
    """


@each(
    ("called", "argument", "expected"),
    [
        ("shelves.read_file", "path", []),
        ("shelves.read_fil", "path", ["MC403"]),
        ("shelves.readfile", "path", ["MC403"]),
        ("boxes.send_letter", "path", []),
        ("shelves.read_file", "pth", ["MC404"]),
    ],
)
def test_a_call_below_the_tools_names_one_of_them(called: str, argument: str, expected: list[str]) -> None:
    text = dedent(SHELVES.format(called=called, argument=argument)).lstrip("\n")
    found = lint(Contracts((read_spec("shelves/MCP_TOOL_SPECIFICATION.md", text),))).shown()

    assert [one.code for one in found if one.code in ("MC403", "MC404")] == expected
