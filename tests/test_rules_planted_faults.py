"""One fault at a time in documents of others: the document has no finding, and the fault has its own."""

from __future__ import annotations

from textwrap import dedent

from tests.said import said
from tests.tables import each

NOTES = dedent(
    """
    # Notes

    ## Tools

    ### notes_find

    Finds notes by their text.

    **Parameters:**
    - `query` (string, required): Words to look for
    - `limit` (integer, optional): Most notes to return

    **Returns:**
    - `notes` (array): The notes found
    - `count` (integer): Number of notes

    ### notes_add

    Adds a note to the store.

    **Parameters:**
    - `text` (string, required): Text of the note

    **Returns:**
    - `id` (string): Identifier of the new note

    ## Usage Example

    ```python
    found = mcp_server.call_tool("notes_find", {"query": "tea", "limit": 3})
    ```

    ```javascript
    await client.callTool({ name: "notes_add", arguments: { text: "tea" } });
    ```
    """
)


@each(
    ("right", "wrong", "expected"),
    [
        (
            'call_tool("notes_find"',
            'call_tool("notes_seek"',
            ["MC403 the call names `notes_seek`, not `notes_find`"],
        ),
        (
            'name: "notes_add"',
            'name: "notes_write"',
            ["MC403 the call names `notes_write`, not `notes_add`"],
        ),
        ("`count` (integer)", "`count` (wholecount)", ["MC308 `wholecount` is not a type"]),
        ("`id` (string)", "`id` (identifier)", []),  # nothing says that words in brackets are types
        ("`count` (integer)", "`count` (only with `limit`)", []),
    ],
)
def test_a_fault_in_a_list_or_in_a_call_elsewhere_is_found(right: str, wrong: str, expected: list[str]) -> None:
    assert said(NOTES) == []

    assert said(NOTES.replace(right, wrong, 1)) == expected


def test_a_type_that_is_unknown_is_the_only_fault_of_its_row() -> None:
    text = """
        # Notes

        ## Tools

        ### notes_find

        Returns the notes that contain some words.

        | Parameter | Type | Required | Description |
        |---|---|---|---|
        | `query` | string | yes | Words to look for |
        | `include_archived` | boolean | no | |
        """

    assert said(text) == []

    assert said(text.replace("boolean", "yesno")) == ["MC308 `yesno` is not a type"]


CANONICAL = """
    ---
    module: {module}
    version: 1.0.0
    protocol: 1.0.0
    ---

    ## Tool: `notes.find`

    **Version**: 1.0.0

    ### 1. Tool Purpose and Description

    Finds notes by their text.

    ## Tool: `notes.add`

    **Version**: 1.0.0

    ### 1. Tool Purpose and Description

    Adds a note to the store of the user.
    """


def test_a_module_that_no_tool_has_is_reported_once() -> None:
    planted = said(CANONICAL.format(module="nots"), apart_from=("MC105", "MC301", "MC303"))
    right = said(CANONICAL.format(module="notes"), apart_from=("MC105", "MC301", "MC303"))

    assert [one for one in planted if one not in right] == [
        "MC103 the front matter says module `nots`, but both tools are in module `notes`"
    ]
