"""Documents of others: what they leave open is not reported, and what they settle is."""

from __future__ import annotations

from tests.said import said
from tests.tables import each

TYPELESS = "MC335 none of the {} values has a type"


FINDINGS = [
    (  # calls outside every tool's section: one of a tool, and one of another
        """
        # Page tools

        ## Highlights

        ```javascript
        await client.callTool({ name: 'page_close', arguments: { force: true } });
        await client.callTool({ name: 'page_closer', arguments: { ref: 'e4' } });
        ```

        ## Tools

        ### `page_close`

        Closes the page, and returns its title.

        **Parameters:**
        - `forced` (boolean, required): whether to discard changes.
        """,
        ["MC404 `force` is not a parameter of the tool"],
    ),
    (  # most tools have a place for parameters, so the other has none
        """
        # Note tools

        ### `note_find`

        Returns notes.

        **Parameters:** `word` (string)

        ### `note_list`

        Returns all notes.
        """,
        ["MC025 the tool does not describe any parameters, unlike other tools of the file"],
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

        Returns notes.

        ```json
        {"word": "tea"}
        ```

        ### `note_read`

        Returns a note.

        ```json
        {"id": 4}
        ```

        ### `note_list`

        Returns all notes.

        ### `note_count`

        Returns their number.

        ```json
        {"name": "note_count", "arguments": {}}
        ```
        """,
        ["note_find(…)", "note_read(…)", "note_list(…)", "note_count(…)"],
    ),
    (  # the names in a cell, and statements about some of them
        """
        # Note tools

        ## Tools

        | Tool | Description | Key Parameters |
        |---|---|---|
        | note_find | Returns notes | word, limit (optional, enables paging), ... |
        | note_read | Returns a note | id (from note_find or note_list) |
        """,
        ["note_find(word, limit?)", "note_read(id?)"],
    ),
    (  # items without types, whatever their text begins with
        """
        # Note tools

        ### `note_find`

        Returns notes.

        **Parameters:**
        - `word`: The word to find
        - `formats`: List of formats (`["text", "html"]`)
        - `limit`: Number of notes
        """,
        ["note_find(word?, formats?, limit?)"],
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

        - **note_find**: Returns notes by their words
        - **note_read**: Returns one of the notes
        """,
        ["note_find(…)", "note_read(…)"],
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
    (  # a cell with content that is not read; a sentence about the results of all tools
        """
        # Note tools

        All 2 tools are listed (3 with drafts). Every tool returns JSON.

        | Tool | Input | Description |
        |---|---|---|
        | `note_find` | `word: string` | Finds notes |
        | `note_read` | common + `id` | Reads one |
        | `note_draft` | - | Writes a draft |
        """,
        ["MC025 the parameters of the tool are only in sentences or examples, which are not read"],
    ),
    (  # brackets of full width after a label, and the words of a user
        """
        # Notes

        ### `note_find`

        - **Request Schema**

        ```json
        {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
        ```

        **返回示例（成功）：**

        ```json
        {"notes": ["tea"]}
        ```

        ### `note_open`

        ```
        "Open my notes"
        ```

        **Returns:** the notes
        """,
        ["MC025 the tool does not describe any parameters, unlike other tools of the file"],
    ),
    (  # parameters that several tools have, below a word that is no name
        """
        # Note server

        The tools of this server find notes.

        ## Features

        ### Search Parameters

        All tools take these common parameters:

        | Parameter | Type | Required |
        |---|---|---|
        | `word` | string | yes |
        """,
        ["MC004 no tools were found in the file"],
    ),
    (  # a sentence about a tool, and prompts
        """
        # Note server

        ## Tools

        - `note_find` - Returns notes
        - `note_read` - Returns a note

        Notes:

        - `LastNote` has a tool of its own (`note_read`).

        ### Prompts

        - `note_story` - Returns a story
        """,
        ["note_find(…)", "note_read(…)"],
    ),
    (  # no parameters, in a sentence and in a row; a group that counts its tools; a result for one input
        """
        # Note tools

        ## All (5 tools)

        ### Note tools (4)

        #### `note_list`

        **Parameters:**

        (This tool currently takes no input parameters.)

        **Returns:** the notes

        #### `note_count`

        **Parameters:**

        | Name | Type | Required | Description |
        |---|---|---|---|
        | _(none)_ | | | This tool takes no parameters |

        **Returns:** their number

        #### `note_total`

        **Parameters:**

        | Name | Source | Type | Description |
        |---|---|---|---|
        | *(none from the caller)* | — | — | The model passes nothing |

        **Returns:** their number

        #### `note_sum`

        **Parameters:**

        | Name | Type | Description |
        |---|---|---|
        | _no parameters_ | — | The model passes nothing |

        **Returns:** their number

        ### Word tools (1)

        #### `note_find`

        **Parameters:**
        - `word` (string, required): the word

        **Output (`word="tea"`):**

        ```json
        {"word": "tea", "hits": []}
        ```
        """,
        [],
    ),
    (  # usage in words, next to the tools; a sentence that continues with names
        """
        # Note server

        ## Tools

        - `note_find` - Returns notes
        - `note_read` - Returns a note

        ## Fields

        The fields are `id`,
        `width`, and `height`.

        ## Usage

        ### Find All Notes

        - **Prompt**: "Find all notes"
        - **Result**: the notes
        """,
        ["note_find(…)", "note_read(…)"],
    ),
    (  # tools in a table below another title, and one in a sentence
        """
        # Notes

        ## `note_find`

        Returns notes.

        **Parameters:** `word` (string)

        ## Draft tools

        | Tool | Parameters |
        |---|---|
        | `note_draft` | `text` |

        ## Sending

        `note_send` accepts this object:
        """,
        ["MC016 the tool `note_send` is described in a form that is not supported"],
    ),
    (  # a heading in words below one that only mentions tools, metrics, and a call with the name of a server
        """
        # Note server for MCP

        ## 📦 Extend with the community

        ### Parameters

        Any.

        ## Tools

        - `note_find` - Returns notes
        - `note_read`, `note_send` (experimental) - Returns a note

        ### Available Metrics

        The server counts tool calls:

        - `note_calls_total` - Calls
        """,
        ["note_find(…)", "note_read(…)", "note_send(…)"],
    ),
    (  # a call with the name of a server, and parameters in JSON that is broken
        """
        # Note tools

        ### `note_find`

        Returns notes.

        **Parameters:**

        ```json
        {"word": "string", "limit": "integer",}
        ```

        **Example:**

        ```json
        {"tool_name": "notes:note_find", "arguments": {}}
        ```
        """,
        ["MC304 invalid JSON: a trailing comma (line 1, column 38 of the JSON)"],
    ),
]


@each("text, expected", FINDINGS)
def test_a_document_has_the_findings_that_it_settles(text: str, expected: list[str]) -> None:
    assert said(text, ("MC006", "MC305", "MC509")) == expected
