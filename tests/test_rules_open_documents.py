"""What a document of others leaves open is not held against its tools, and what it settles is."""

from __future__ import annotations

from textwrap import dedent

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each

TYPELESS = "MC335 none of the {} values has a type"


def said(text: str) -> list[str]:
    """What is found in a file, with its code, but for the dialect itself and for results and descriptions."""
    file = read_spec("notes.md", dedent(text).lstrip("\n"))
    found = [one for one in lint(Contracts((file,))).shown() if one.code not in ("MC006", "MC305", "MC336", "MC509")]
    return [f"{one.code} {one.message}" for one in found]


FINDINGS = [
    (  # calls outside of the sections of tools: one of a tool, and one of another
        """
        # Page tools

        ## Highlights

        ```javascript
        await client.callTool({ name: 'page_close', arguments: { force: true } });
        await client.callTool({ name: 'page_closer', arguments: { ref: 'e4' } });
        ```

        ## Tools

        ### `page_close`

        Closes the page.

        **Parameters:**
        - `forced` (boolean, required): whether to discard changes.
        """,
        ["MC404 `force` is not a parameter of the tool"],
    ),
    (  # most tools have a place for parameters, so the other has none
        """
        # Note tools

        ### `note_find`

        Finds notes.

        **Parameters:** `word` (string)

        ### `note_list`

        Lists notes.
        """,
        ["MC301 the tool has no input schema"],
    ),
    (  # a place for parameters without any
        """
        # Note tools

        ### `note_list`

        Lists notes.

        **Parameters:**

        **Returns:** the notes
        """,
        ["MC301 the tool has no input schema", "MC106 section `Parameters` is empty"],
    ),
    (  # no tool has a place for parameters: most show arguments
        """
        # Note tools

        ### `note_find`

        Finds notes.

        ```json
        {"word": "tea"}
        ```

        ### `note_read`

        Reads a note.

        ```json
        {"id": 4}
        ```

        ### `note_list`

        Lists notes.
        """,
        ["MC025 the parameters of 2 tools are only in sentences or examples, which are not read"],
    ),
    (  # the names in a cell, and what is said of some
        """
        # Note tools

        ## Tools

        | Tool | Description | Key Parameters |
        |---|---|---|
        | note_find | Finds notes | word, limit (optional, enables paging), ... |
        | note_read | Reads a note | id (from note_find or note_list) |
        """,
        [TYPELESS.format(2), "MC335 `id` has no type"],
    ),
    (  # items without types have none, whatever their text begins with
        """
        # Note tools

        ### `note_find`

        Finds notes.

        **Parameters:**
        - `word`: The word to find
        - `formats`: List of formats (`["text", "html"]`)
        - `limit`: Number of notes
        """,
        [TYPELESS.format(3)],
    ),
    (  # a call in a fence is not a definition, and neither is a sample response: the list is
        """
        # Note tools

        ## Examples

        ```json
        {"result": {"tools": [{"name": "note_find", "inputSchema": {"type": "object"}}]}, "jsonrpc": "2.0"}
        ```

        ```json
        {"name": "note_count", "arguments": {}}
        ```

        ## Available tools

        - **note_find**: Finds notes by their words
        - **note_read**: Reads one of the notes
        """,
        [],
    ),
    (  # an entry that is commented out, and one in an example
        """
        # Note tools

        The server provides these tools:

        <ul>
        <li><code>note_find</code></li>
        <!-- <li><code>note_old</code></li> -->
        <li><code>note_read</code></li>
        </ul>
        """,
        ["MC016 2 tools are described in a form that is not supported: `note_find`, `note_read`"],
    ),
]


@each("text, expected", FINDINGS)
def test_a_document_has_the_findings_that_it_settles(text: str, expected: list[str]) -> None:
    assert said(text) == expected
