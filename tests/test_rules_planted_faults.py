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


FIELD_TAGS = """
    # Boats

    ## boat_find

    Finds the boats of a harbor.

    <ParamField body="harbor" type="string" required>
      Name of the harbor
    </ParamField>

    <ParamField body="length" type="number" default="12">
      Length in metres, for a boat that `boat_list` knows
    </ParamField>

    <ParamField header="X-Key" type="string">
      The key of the caller
    </ParamField>

    <ResponseField name="boats" type="array">
      The boats
      <Expandable title="members">
        <ResponseField name="name" type="string">
          Name of the boat
        </ResponseField>
      </Expandable>
    </ResponseField>

    <CodeGroup>
    ```json Request
    {"name": "boat_find", "arguments": {"harbor": "Linz", "length": 8}}
    ```
    </CodeGroup>

    ## boat_list

    Lists all boats. It takes no parameters.

    <ResponseField name="boats" type="string[]">
      Names of the boats
    </ResponseField>
    """


@each(
    ("right", "wrong", "expected"),
    [
        ('type="number"', 'type="numbr"', "MC308 `numbr` is not a type"),
        ('name="name" type="string"', 'name="name" type="strnig"', "MC308 `strnig` is not a type"),
        ('default="12"', 'default="long"', 'MC333 the default of `length` is "long", not of type number'),
        ('body="length"', 'body="harbor"', "MC331 the list has `harbor` twice"),
        ('{"harbor": "Linz"', '{"harbour": "Linz"', "MC404 `harbour` is not a parameter of the tool"),
    ],
)
def test_a_fault_in_the_tags_of_a_documentation_site_is_found(right: str, wrong: str, expected: str) -> None:
    assert said(FIELD_TAGS) == []

    assert expected in said(FIELD_TAGS.replace(right, wrong, 1))


DECLARED = """
    # Boats

    #### `boat_sell`

    Sells a boat.

    **Arguments**

    ```typescript
    export interface SellArgs {
      boatId: string;   // Identifier of the boat
      price?: number;   // Price in euros
    }
    ```

    **Returns**

    `{ sold: boolean }`

    **Example**

    ```typescript
    await client.callTool({ name: "boat_sell", arguments: { boatId: "b1", price: 9 } });
    ```
    """


@each(
    ("right", "wrong", "expected"),
    [
        ("price?: number", "price?: numbr", "MC308 `numbr` is not a type"),
        ('boatId: "b1"', 'boat: "b1"', "MC404 `boat` is not a parameter of the tool"),
    ],
)
def test_a_fault_in_a_declared_type_of_arguments_is_found(right: str, wrong: str, expected: str) -> None:
    assert said(DECLARED) == []

    assert expected in said(DECLARED.replace(right, wrong, 1))


FUNCTIONS = """
    # Functions

    ```json
    [
      {"name": "boat_rent", "description": "Rents a boat.",
       "parameters": {"type": "object", "properties": {"days": {"type": "integer", "description": "Days"}}}},
      {"name": "boat_find", "description": "Finds a boat.",
       "parameters": {"type": "object", "properties": {"name": {"type": "string", "description": "Its name"}}}}
    ]
    ```

    ## Example call

    ```json
    {"name": "boat_rent", "arguments": {"days": 2}}
    ```
    """


@each(
    ("right", "wrong", "expected"),
    [
        ('"days": 2', '"days": "two"', ['MC404 `days` is "two", not of type integer']),
        (
            '"name": "boat_rent", "arg',
            '"name": "lend_boat", "arg',
            ["MC403 the call names `lend_boat`, not `boat_rent`"],
        ),
    ],
)
def test_a_fault_in_a_call_below_a_list_of_functions_is_found(right: str, wrong: str, expected: list[str]) -> None:
    whole = said(FUNCTIONS)

    assert [one for one in said(FUNCTIONS.replace(right, wrong, 1)) if one not in whole] == expected


ABROAD = """
    # Boote: MCP-Werkzeuge

    ### `finde_boot`

    Sucht ein Boot.

    **Parameter:**

    | Name | Typ | Pflicht | Beschreibung |
    |---|---|---|---|
    | `name` | string | ja | Name |
    | `anzahl` | integer | nein | Treffer (Standard: 10) |
    | `echt` | boolean | nein | 実データ（デフォルト: true） |

    **Rückgabe:** Die Boote.
    """


@each(
    ("right", "wrong"),
    [("Standard: 10", "Standard: viele"), ("デフォルト: true", "デフォルト: 5")],
)
def test_a_default_in_another_language_is_compared_with_its_type(right: str, wrong: str) -> None:
    assert said(ABROAD) == []

    assert len(said(ABROAD.replace(right, wrong, 1))) == 1


CODES = """
    # Boats

    ## boat_rent

    Rents a boat, and returns its key.

    ### Parameters

    | Name | Type | Required | Description |
    |---|---|---|---|
    | `days` | integer | Yes | Number of days |

    ### Errors

    | Code | Description |
    |---|---|
    | `BOAT_UNKNOWN` | No boat has this name |
    | `BOAT_RENTED` | Someone else has it |

    ```json
    {"error": {"code": "BOAT_RENTED", "message": "Anna has it"}}
    ```
    """


def test_the_code_of_a_sample_error_is_one_that_the_tool_lists() -> None:
    assert said(CODES) == []

    assert said(CODES.replace('"BOAT_RENTED"', '"BOAT_LEAKY"')) == [
        "MC515 the text mentions the error `BOAT_LEAKY`, which the tool does not list"
    ]


CODES_LINES = """
    # Boats

    ## rent_boat

    Rents a boat, and returns its key.

    - `boat` (string, required): The name

    **Errors**: `BOAT_UNKNOWN`, `BOAT_RENTED`

    ## return_boat

    Returns a boat, and returns the price.

    - `boat` (string, required): The name

    **Errors**: `BOAT_UNKNOWN`, `%s`

    ## Error codes

    | Code | Meaning |
    |---|---|
    | `BOAT_UNKNOWN` | No such boat |
    | `BOAT_RENTED` | Someone else has it |
    | `BOAT_DAMAGED` | It leaks |
    """


def test_the_codes_on_lines_of_errors_are_in_the_table_of_codes() -> None:
    told = "MC515 the error `BOAT_SUNK` is not in the table of error codes of the file"

    assert [one for one in said(CODES_LINES % "BOAT_DAMAGED") if "MC515" in one] == []
    assert told in said(CODES_LINES % "BOAT_SUNK")
    assert told not in said(CODES_LINES.replace("BOAT_RENTED`\n", "BOAT_LENT`\n") % "BOAT_SUNK")  # two lists


BOLD = """
    # Terminal server

    ### Tools

    - **term_open**
      - Description: Open a session
      - Parameters:
        - `shell` (string): Path of the shell
    - **term_type**
      - Description: Type text
      - Parameters:
        - `text` (string): Text to type
    - **term_close**
      - Description: Close a session
      - Parameters:
        - `session` (string): Identifier of the session
    """


def test_the_only_tool_of_a_list_without_parameters_lacks_them() -> None:
    planted = BOLD.replace("      - Parameters:\n        - `text` (string): Text to type\n", "")

    assert [one for one in said(planted, ("MC006", "MC336")) if one not in said(BOLD)] == [
        "MC301 the tool has no input schema"
    ]


def test_the_only_name_with_a_space_in_a_list_of_tools_is_reported() -> None:
    told = "MC101 name `term type` contains a space, but only lowercase letters, digits, `_` and `.` are allowed"

    assert told in said(BOLD.replace("**term_type**", "**term type**"))


REPEATED = """
    # Mail server

    ## Tools

    {title}

    Sends a mail, and returns it.

    {input}

    ```json
    {{"type": "object", "properties": {{"to": {{"type": "{type}", "description": "Who gets it"}}}}, "required": ["to"]}}
    ```

    {output}

    ```json
    {{"type": "object", "properties": {{"key": {{"type": "string", "description": "The key of the mail"}}}}}}
    ```
    """


@each(
    ("title", "above", "below"),
    [
        ("### `send_mail`", "### `send_mail` input schema", "### `send_mail` output schema"),
        ("### send_mail", "### send_mail input schema", "### send_mail output"),
        ("### send_mail tool", "### send_mail parameters", "### send_mail response"),
        ("### `send_mail`", "### Input schema for `send_mail`", "### Output schema of `send_mail`"),
        ("### `send_mail`", "### `send_mail` — input", "### `send_mail` — output"),
    ],
)
def test_a_heading_that_repeats_the_name_of_a_tool_is_that_of_its_section(title: str, above: str, below: str) -> None:
    text = REPEATED.format(title=title, input=above, output=below, type="{type}")

    assert said(text.replace("{type}", "string")) == []
    assert said(text.replace("{type}", "strnig")) == ["MC308 type `strnig` of `to` is not a JSON Schema type"]


def test_tools_that_the_document_of_a_server_only_lists_in_bold_are_read() -> None:
    text = """
        # Docs

        An MCP server for documentation.

        - **search_docs** — searches the documentation for a phrase.
        - **read_page** — returns one page as Markdown.

        ## Install

        Run `npx docs-server`.
        """

    assert said(text, apart_from=()) == [
        "MC006 2 tools are read, but no parameter types, so only their names are checked",
        "search_docs(…)",
        "read_page(…)",
    ]


TITLED = """
    # send_mail

    Sends a mail to one person.

    ## MCP Tool Specification

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `to` | string | yes | Who gets it |
    | `subject` | string | no | The subject |

    ## Returns

    The key of the mail.
    """


def test_the_parameters_below_the_title_of_a_specification_are_those_of_the_tool_in_the_title() -> None:
    assert said(TITLED) == []

    assert said(TITLED.replace("| string | no", "| strng | no")) == ["MC308 `strng` is not a type"]


DOCSTRINGS = """
    # Notebooks

    ## Tools

    ### `run_cell`

    ```python
    @mcp.tool()
    def run_cell(notebook: str, index: int, timeout: float = 60.0) -> dict:
        \"\"\"Run one cell of a notebook.

        Args:
            notebook: Path of the notebook
            index: Number of the cell, from 0
            timeout: Seconds to wait

        Returns:
            The outputs of the cell
        \"\"\"
    ```

    ### `add_cell`

    ```python
    @mcp.tool()
    def add_cell(notebook: str, source: str) -> int:
        \"\"\"Append a cell to a notebook.

        Args:
            notebook: Path of the notebook
            source: Text of the cell

        Returns:
            The number of the new cell
        \"\"\"
    ```

    ## Usage

    ```python
    run_cell(notebook="a.ipynb", index=0)
    print(add_cell(notebook="a.ipynb", source="print(1)"))
    ```
    """


@each(
    ("right", "wrong", "expected"),
    [
        ("index: int", "index: itn", "MC308 `itn` is not a type"),
        ("index: Number", "number: Number", "MC322 `number` is in the list but not in the signature"),
        ("print(add_cell", "print(append_cell", "MC403 the call names `append_cell`, not `add_cell`"),
        ('"""Append a cell to a notebook.', '"""', "MC509 the description is empty"),
    ],
)
def test_a_fault_in_a_function_with_a_docstring_is_found(right: str, wrong: str, expected: str) -> None:
    assert said(DOCSTRINGS) == []

    assert expected in said(DOCSTRINGS.replace(right, wrong, 1))


def test_a_note_at_the_end_of_an_item_may_be_an_array() -> None:
    text = """
        # Forge MCP server

        ## Tools

        - **list_issues** - List the issues of a repository
          - `labels`: Labels that the issues have (string[], optional)
          - `repo`: Name of the repository (string, required)
        """

    assert said(text, ("MC006", "MC336")) == []


def test_a_call_elsewhere_is_one_of_the_first_of_two_tools_with_its_name() -> None:
    planted = FUNCTIONS.replace('"boat_find"', '"boat_rent"')

    assert [one for one in said(planted) if one not in said(FUNCTIONS)] == [
        "MC104 `boat_rent` is already the name of another tool"
    ]


def test_a_description_that_is_too_long_to_be_checked_is_reported_once() -> None:
    text = NOTES.replace("Finds notes by their text.", f"Finds notes. {'It reads the whole store. ' * 900}")

    assert [one[:5] for one in said(text)] == ["MC015"]


def test_a_tool_that_a_cell_names_in_german_exists() -> None:
    text = """
        # Fahrplan: MCP-Werkzeuge

        ### `suche_haltestelle`

        Sucht Haltestellen.

        **Parameter:**

        | Name | Typ | Pflicht | Beschreibung |
        |---|---|---|---|
        | `name` | string | ja | Name |

        **Rückgabe:** Die Haltestellen.

        ### `abfahrten`

        Liefert Abfahrten.

        **Parameter:**

        | Name | Typ | Pflicht | Beschreibung |
        |---|---|---|---|
        | `haltestelle` | string | ja | Kennung aus `suche_haltestelle` |

        **Rückgabe:** Die Abfahrten.
        """

    assert said(text) == []
    assert said(text.replace("aus `suche_haltestelle`", "aus `finde_haltestelle`")) == [
        "MC515 the description mentions the tool `finde_haltestelle`, which does not exist"
    ]


PYTHON_CALL = """
    # Boats

    ## `rent_boat`

    Rents a boat, and returns its key.

    - `boat` (string, required): The name
    - `hours` (integer, optional): How long

    Example call:

    ```python
    %s
    ```
    """


def test_a_function_with_a_word_of_the_tool_and_its_arguments_is_a_wrong_name() -> None:
    def told(code: str) -> list[str]:
        return [one for one in said(PYTHON_CALL % code) if one.startswith("MC403")]

    assert told('rent_ship(boat="Anna", hours=2)') == ["MC403 the call names `rent_ship`, not `rent_boat`"]
    assert told('rent_ship(boat="Anna", deck=2)') == told('show(boat="Anna", hours=2)') == []


def test_a_call_above_its_answer_is_judged_and_shows_the_result() -> None:
    answered = PYTHON_CALL.replace(", and returns its key", "").replace("%s", '%s\n    -> {"key": 7}')

    assert said(answered % 'rent_boat(boat="Anna", hours=2)') == []
    assert [one[:5] for one in said(answered % 'rent_boat(boat="Anna", hours="two")')] == ["MC404"]
