"""Findings below labels that are repeated, in another language, or over several values."""

from __future__ import annotations

import json
from textwrap import dedent

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, SchemaPart
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.sources.tool_lists import read_tool_list
from tests.said import Schema, said
from tests.tables import each

COUNTED = """
    ### `count_visits`

    {purpose}

    | {name} | {type} | {required} | {said} |
    |---|---|---|---|
    | site | string | {yes} | {words} |

    **{label}**:
    ```json
    {{"site": "north", "gates": {{"open": 4}}, "guests": {{"known": 3}}}}
    ```
    """
ENGLISH = {
    "purpose": "Counts the visits of a site.",
    "name": "Parameter",
    "type": "Type",
    "required": "Required",
    "said": "Description",
    "words": "Which site",
}
CHINESE = {
    "purpose": "统计某个站点的访问次数和来宾人数。",
    "name": "参数",
    "type": "类型",
    "required": "必填",
    "said": "说明",
    "words": "站点名称",
}
LABELS = (
    "返回",
    "レスポンス",
    "반환 값",
    "Rückgabewerte",
    "Valeur de retour",
    "Valor de retorno",
    "Saída",
    "Valori restituiti",
    "Resultaat",
    "Возвращаемое значение",
    "Wynik",
    "Dönüş değeri",
    "Kết quả",
    "Svar",
    "المخرجات",
    "Dabei kommt",
)


@each("returned", LABELS)
def test_json_below_a_label_of_results_in_any_language_is_not_a_call(returned: str) -> None:
    text = COUNTED.format(**CHINESE, yes="是", label=returned)

    assert said(text) == []


def test_json_below_a_label_of_no_meaning_is_a_call_if_it_has_the_arguments() -> None:
    text = COUNTED.format(**ENGLISH, yes="yes", label="North").replace('"north", "gates": {"open": 4}, "gu', '4, "si')

    assert "MC404 `site` is 4, not of type string" in said(text)


PAIRED = """
    ## 1. `book_seat` - simulated

    Books a seat of a train, and returns the booking.

    ```json
    // input  {"train": "T4", "seat": 12}
    // output {"booking": "b1",
    //         "state": "paid"}
    ```
    """


@each(
    ("old", "new"),
    [
        ("", ""),
        ("// input  ", "// input\n    "),
        ('"seat": 12}', '"seat": 12, "extra": { ... }}'),
        ("// input", "# input"),
        ('"state": "paid"', '"type": "paid"'),
        ('{"booking"', 'a booking, such as {"booking"'),
    ],
)
def test_values_in_comments_are_the_documents_of_a_block(old: str, new: str) -> None:
    assert said(PAIRED.replace(old, new)) == ["book_seat(…)"]


def test_arguments_in_comments_are_compared_with_the_parameters() -> None:
    table = "| Parameter | Type |\n    |---|---|\n    | `train` | string |\n\n    ```json"

    found = said(PAIRED.replace("```json", table).replace('"T4"', "4"))

    assert "MC404 `train` is 4, not of type string" in found


SAMPLED = """
    ### `find_pages`

    Finds the pages of a book that match a filter.

    **Parameters:**

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `filter` | object | no | Which pages |

    **`filter` format:**

    ```json
    { "chapter": "one" }
    { "chapter": "two", "page": 3 }
    ```

    **Returns:** the numbers of the pages.
    """


def test_sample_values_one_on_each_line_are_not_broken_json() -> None:
    assert said(SAMPLED) == []


def test_two_schemas_in_one_block_are_reported() -> None:
    schema = '{"type": "object", "properties": {}}'
    block = f"```json\n    {schema}\n    {schema}\n    ```"
    start, end = SAMPLED.index("|"), SAMPLED.index("    **Returns")

    found = said(f"{SAMPLED[:start]}{block}\n\n{SAMPLED[end:]}")

    assert any("several documents in one block" in one for one in found)


EXAMPLES = """
    ### `wash_coat`

    Washes a coat, and returns its state.

    **Parameters:**

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `coat` | string | yes | Which coat |

    **Output:** the state of the coat.

    #### Example 1: A raincoat

    **Input:**
    ```json
    {"coat": "rain"}
    ```

    **Output:**
    ```json
    {"state": "dry"}
    ```

    #### Example 2: A fur

    **Input:**
    ```json
    {"coat": "fur"}
    ```

    **Output:**
    ```json
    {"state": "wet"}
    ```
    """


def test_the_labels_of_several_examples_are_not_repeated_sections() -> None:
    assert said(EXAMPLES) == []


def test_a_label_that_one_example_has_twice_is_a_repeated_section() -> None:
    again = '    **Input:**\n    ```json\n    {"coat": "wool"}\n    ```\n'

    found = said(f"{EXAMPLES.rstrip()}\n\n{again}")

    assert found == ["MC107 section `Input` appears twice"]


HALVES = """
    # Mail tools

    ## send_mail

    Sends a mail.

    **Request**

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | to | string | yes | To whom |

    **Response**

    | Field | Type | Description |
    |---|---|---|
    | queued | boolean | Whether it waits |

    **Example**

    Request:
    ```json
    {"to": "lee@example.com"}
    ```

    Response:
    ```json
    {"queued": false}
    ```
    """


def test_the_labels_of_the_halves_of_an_example_are_not_repeated_sections() -> None:
    assert said(HALVES) == []


def test_a_section_that_is_repeated_below_the_only_example_is_reported() -> None:
    one = EXAMPLES[: EXAMPLES.index("    #### Example 2")]
    table = EXAMPLES[EXAMPLES.index("    **Parameters") : EXAMPLES.index("    **Output")]

    assert "MC107 section `Parameters` appears twice" in said(one + table)


CATALOG = """
    # Garden

    ## Tool: `plant_tree`

    Plants a tree, and returns where it stands.

    - **Category**: garden
    - **Parameters**:
      - `kind` (string, required): The kind of the tree.
    - **Returns**: `{"place": <string>}`

    ## Tool: `water_tree`

    Waters a tree that stands in the garden.

    - **Category**: garden
    - **Parameters**:
      - `place` (string, required): The place, as returned by `plant_tree`.
    - **Returns**: `{"litres": <number>}`

    ## Errors

    All tools fail if:
    - The garden is closed (`plant_tree`, `water_tree`)
    """
PLANTED = "    Plants a tree, and returns where it stands.\n"
EMPTY = "MC509 the description is empty"


def test_a_tool_that_begins_with_its_fields_has_no_description() -> None:
    assert said(CATALOG) == []
    assert said(CATALOG.replace(PLANTED, "")) == [EMPTY]


def test_an_item_that_begins_with_the_name_describes_the_tool() -> None:
    listed = "    # Garden\n\n    - `plant_tree`: plants a tree in the garden\n    - `water_tree`: waters a tree\n"

    assert said(CATALOG.replace(PLANTED, "").replace("    # Garden\n", listed)) == []


TERSE = """
    # Parcels

    ## parcel_list
    Input: {}
    Behavior:
    - Reads the parcels of the current depot
    Output data:
    - parcels (array of string)
    - depot

    ## parcel_find
    Input:
    - code (string, required; what to find)
    Behavior:
    - Opens the shelf of the parcel
    Output data:
    - shelf (string)
    """


def test_a_label_on_a_line_of_its_own_is_not_a_description() -> None:
    file = read_spec("MCP_TOOL_SPECIFICATION.md", dedent(TERSE).lstrip("\n"))

    assert said(TERSE) == []
    assert [_names(one.input) for one in file.contracts] == [[], ["code"]]
    assert [_names(one.output) for one in file.contracts] == [["parcels"], ["shelf"]]


def _names(part: SchemaPart | None) -> list[str]:
    return sorted(Schema.model_validate(part.value).properties) if part is not None else ["none"]


PURPOSES = """
    # Film

    ### `export_film`

    Purpose:

    - write the final film to a file

    Input:

    - film id
    - export format

    Output:

    - export record
    """


def test_an_item_below_a_label_of_the_purpose_is_the_description() -> None:
    file = read_spec("MCP_TOOL_SPECIFICATION.md", dedent(PURPOSES).lstrip("\n"))

    assert file.contracts[0].description == "write the final film to a file"
    assert not any(one.startswith(("MC308", "MC509")) for one in said(PURPOSES))


@each(
    "item",
    ["`format` flot", "**format** flot", "out_format flot", "format: flot", "format (flot)", "format flot, required"],
)
def test_a_word_next_to_a_name_that_resembles_a_type_is_a_type(item: str) -> None:
    assert "MC308 `flot` is not a type" in said(
        PURPOSES.replace("export format", item).replace("film id", "`id` (string)")
    )


NEEDED = """
    ### `send_note`

    Sends a note to a person.

    | Parameter | Type | Required | Description |
    |---|---|---|---|
    | `note` | string | Yes | What to send |
    | `person` | string | {cell} | Who receives it |

    **Returns:** the time of sending.
    """


def test_recommended_does_not_say_whether_a_parameter_is_required() -> None:
    assert said(NEEDED.format(cell="Recommended")) == ["MC332 `Recommended` does not say whether `person` is required"]


@each("cell", ["Required if new", "If paging", "Recommended if new", "When `note` is long", "No (recommended)"])
def test_a_condition_says_when_a_parameter_is_required(cell: str) -> None:
    assert said(NEEDED.format(cell=cell)) == []


def _described(description: str) -> list[str]:
    parameter = {"type": "string", "description": description}
    schema = {"type": "object", "properties": {"part": parameter}, "required": ["part"]}
    tool = {"name": "find_part", "description": "Finds a part of the machine.", "inputSchema": schema}
    lists = Contracts((read_tool_list("tools.json", json.dumps({"tools": [tool]})),))
    return [one.code for one in lint(lists).shown() if one.code == "MC337"]


@each(
    ("description", "codes"),
    [
        ("Which part. If not specified, you can use the whole machine.", []),
        ("Which part. If not specified, you should pass `all`.", []),
        ("Which part. If not specified, the whole machine is used.", ["MC337"]),
        ("Which part. If not specified, you get the whole machine.", ["MC337"]),
    ],
)
def test_what_a_user_does_not_specify_may_still_be_required(description: str, codes: list[str]) -> None:
    assert _described(description) == codes


SENT = """
    # Jobs

    ## submit_job

    Submits a job.

    **Request fields**

    | Field | Type | Required | Notes |
    |---|---|---|---|
    | source | string | yes | From where |
    | level | `"low"` or `"high"` | no | How well |

    **Response fields**

    | Field | Type | Notes |
    |---|---|---|
    | job_id | string | The job |

    ```json
    {"source": "a.mov", "level": "middle"}
    ```

    ## cancel_job

    Cancels a job.

    **Request fields**

    | Field | Type | Required | Notes |
    |---|---|---|---|
    | job_id | string | yes | The job |

    No response body.
    """


def test_json_of_parameters_below_the_fields_of_the_result_is_a_call() -> None:
    assert [one[:5] for one in said(SENT)] == ["MC404"]
