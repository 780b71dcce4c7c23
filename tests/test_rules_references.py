"""Findings in references of tools: what is in their tables, results and contents is not mistaken for something else."""

from __future__ import annotations

from textwrap import dedent

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, SpecFile
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.sources.tool_lists import read_tool_list
from tests.tables import each

HEAD = "# Shelves: tool specification\n\n## Tools\n\n"
FIND = "### find_shelf\n\nReturns a shelf.\n\n- `row` (integer, required): its row\n\n"


def read(text: str) -> SpecFile:
    """Return a specification."""
    return read_spec("shelves/MCP_TOOL_SPECIFICATION.md", dedent(text))


def codes(text: str) -> list[str]:
    """Return the findings of a specification, except that it is in an older dialect."""
    return [f"{one.code} {one.message}" for one in lint(Contracts((read(text),))).shown() if one.code != "MC006"]


@each("title", ["Annotations", "Annot.", "Access", "**Read-only**", "Since", "Category", "Side effects"])
def test_a_column_of_properties_does_not_describe_tools(title: str) -> None:
    row = "| `row: int` | a shelf | not readOnly |\n"
    rows = f"| `find_shelf` {row}| `move_shelf` {row}"
    text = f"{HEAD}| Tool | Parameters | Returns | {title} |\n|---|---|---|---|\n{rows}"

    assert [contract.description for contract in read(text).contracts] == ["", ""]
    assert codes(text) == []


def test_a_name_in_a_cell_may_leave_out_what_the_one_before_begins_with() -> None:
    row = "| `shelf_script_start` / `_stop` | `row: int` | Starts or stops a script |\n"
    start, stop = read(f"{HEAD}| Tool | Parameters | Description |\n|---|---|---|\n{row}").contracts

    assert (start.name, stop.name) == ("shelf_script_start", "shelf_script_stop")
    assert (stop.place.column, stop.place.end_column) == (27, 33)


@each(
    ("cell", "expected"),
    [
        ("`row`, `is_new: bool`", ["row", "is_new"]),
        ("`row: int`, `depth?: int=0`, `name?`", ["row", "depth", "name"]),
    ],
)
def test_only_some_names_in_a_cell_may_have_types(cell: str, expected: list[str]) -> None:
    text = f"{HEAD}| Tool | Inputs | Description |\n|---|---|---|\n| `find_shelf` | {cell} | Finds one |\n"
    table = read(text).tools[0].input_table

    assert table is not None
    assert [row.name for row in table.rows] == expected


@each("label", ["Output (no callers)", "Output (empty)", "Response"])
def test_a_result_without_callers_is_no_call(label: str) -> None:
    assert codes(f'{HEAD}{FIND}**{label}:**\n\n```json\n{{"shelf": "a", "count": 0}}\n```\n') == []


@each(
    "example",
    [
        '{"element": {"id": "a"}, "properties": [{"name": "size", "type": "System.String"}]}',
        '{"id": "x", "type": "page", "properties": {"Name": {"title": []}}}',
    ],
)
def test_a_result_with_a_field_called_properties_is_no_schema(example: str) -> None:
    file = read(f"{HEAD}{FIND}**Returns:**\n\n```json\n{example}\n```\n")

    assert codes(file.text) == []
    assert file.contracts[0].output is None


def test_a_misspelled_type_of_a_result_is_reported() -> None:
    schema = '{"type": "objct", "properties": {"size": {"type": "string", "description": "its size"}}}'

    assert codes(f"{HEAD}{FIND}**Returns:**\n\n```json\n{schema}\n```\n") == [
        "MC308 type `objct` is not a JSON Schema type"
    ]


def test_values_in_brackets_at_the_end_are_no_type() -> None:
    text = f'{HEAD}{FIND}- `kinds` (optional): Which kinds to list ("a", "b", "c")\n'
    table = read(text).tools[0].input_table

    assert table is not None
    assert [(row.name, row.type) for row in table.rows] == [("row", "integer"), ("kinds", None)]


@each(
    ("default", "expected"),
    [
        ("default 0.75 when omitted", []),
        ("default: 0.75.", ["MC337 the description of `strength` says `default: 0.75`, but its default is 0.5"]),
        ("default: 0.5", []),
    ],
)
def test_a_default_in_a_description_is_a_whole_number(default: str, expected: list[str]) -> None:
    table = "| Parameter | Type | Default | Description |\n|---|---|---|---|\n"
    cell = "`null`" if not default.startswith("default:") else "`0.5`"
    row = f"| `strength` | float | {cell} | How strong (0.0 to 1.0, {default}) |\n"

    assert codes(f"{HEAD}### `paint_shelf`\n\nReturns a shelf that is painted.\n\n{table}{row}") == expected


def test_a_default_that_sounds_like_a_condition_is_a_default() -> None:
    found = codes(f"{HEAD}{FIND}- `is_new` (bool, default `sometimes`): whether it is new\n")

    assert found == ['MC333 the default of `is_new` is "sometimes", not of type boolean']


def test_a_field_of_a_result_beside_one_with_the_name_of_a_tool_is_no_tool() -> None:
    fields = "**Returns:**\n\n- `success`: status\n- `move_shelf`: the shelf\n- `input_shelf`: where it was\n"

    move = "### move_shelf\n\nMoves a shelf, and returns it.\n\n- `row` (integer, required): its row\n"

    assert codes(f"{HEAD}{FIND}{fields}\n{move}") == []


@each(("title", "expected"), [("MCP Resources", 0), ("MCP Tools, more of them", 1)])
def test_the_contents_may_list_resources(title: str, expected: int) -> None:
    contents = f"- [MCP Tools](#tools)\n  - [find_shelf](#find_shelf)\n- [{title}](#tools)\n  - [shelf_log](#tools)\n\n"
    found = codes(f"# Shelves: tool specification\n\n{contents}## Tools\n\n{FIND}")

    assert len([one for one in found if one.startswith("MC022")]) == expected


def test_a_column_may_give_a_default_or_say_that_a_value_is_required() -> None:
    rows = "| `id` | string | required |\n| `lines` | integer | `100` |\n| `path` | string | null |\n"
    file = read(
        f"{HEAD}### `read_shelf`\n\nReturns it.\n\n| Parameter | Type | Required/default |\n|---|---|---|\n{rows}"
    )
    table = file.tools[0].input_table

    assert table is not None
    assert [(row.name, row.required, row.default and row.default.text) for row in table.rows] == [
        ("id", True, None),
        ("lines", False, "`100`"),
        ("path", False, None),
    ]
    assert not [one for one in codes(file.text) if one.startswith("MC332")]


def test_nothing_may_have_a_remark() -> None:
    text = f"{HEAD}### `empty_shelf`\n\nReturns it.\n\n**Parameters:** None (empties all of them)\n"

    assert read(text).contracts[0].input_schema == {"type": "object", "properties": {}}


@each(
    "said",
    ["None (except `row`)", "None (optional: limit)", "No parameters (other than the row)", "None (unless given)"],
)
def test_nothing_with_an_exception_is_not_nothing(said: str) -> None:
    text = f"{HEAD}### `empty_shelf`\n\nReturns it.\n\n**Parameters:** {said}\n"

    assert read(text).contracts[0].input_schema != {"type": "object", "properties": {}}


def test_two_names_in_a_title_may_have_a_remark() -> None:
    text = f"{HEAD}{FIND}### list_boxes / read_box (automatic)\n\nReturns boxes.\n"

    assert [contract.name for contract in read(text).contracts] == ["find_shelf", "list_boxes", "read_box"]


@each(
    ("signature", "args", "expected"),
    [
        ("ctx: Context, row: int", "        ctx: MCP context\n        row: The row\n", ["row"]),
        ("context: Context, row: int", "        context: MCP context\n        row: The row\n", ["row"]),
        ("session: RunContext[Shop], row: int", "        row: The row\n", ["row"]),
        ("context: Context", "        context: MCP context\n", []),
    ],
)
def test_a_context_is_no_parameter(signature: str, args: str, expected: list[str]) -> None:
    code = f'async def find_shelf({signature}) -> str:\n    """\n    Find a shelf.\n\n    Args:\n{args}    """\n'
    file = read(f"{HEAD}### `find_shelf`\n\nReturns a shelf by its row.\n\n```python\n{code}```\n")
    schema = file.contracts[0].input_schema

    assert isinstance(schema, dict)
    assert list(schema["properties"] or ()) == expected  # type: ignore[arg-type]
    assert codes(file.text) == []


def test_a_label_may_follow_a_sentence_at_the_end_of_a_paragraph() -> None:
    sentence = "Input fields: `row` (integer). Both must exist; others are rejected. Output:"
    result = '```json\n{"id": "a", "status": "NEW"}\n```\n'

    assert not [one for one in codes(f"{HEAD}### `find_shelf`\n\n{sentence}\n\n{result}") if one.startswith("MC404")]


def test_json_with_values_shows_no_types() -> None:
    file = read(
        f'{HEAD}### `find_shelf`\n\nInput: `{{ "row": "uuid", "offset": 0, "is_new": false }}`. Both are optional.\n'
    )

    assert file.contracts[0].input is None


def test_a_shape_may_have_names_without_types() -> None:
    table = (
        read(f"{HEAD}### `find_shelf`\n\nFinds it.\n\n**Input:** `{{ row, depth?: number }}`\n").tools[0].input_table
    )

    assert table is not None
    assert [(row.name, row.type, row.required) for row in table.rows] == [
        ("row", None, True),
        ("depth", "number", False),
    ]


def test_examples_may_have_inputs_and_outputs_of_their_own() -> None:
    example = 'Input: `{ "row": 4 }`\n\nOutput:\n\n```json\n{"id": "a"}\n```\n\n'
    text = f"{HEAD}{FIND}**Input:** a row\n\n**Read example:**\n\n{example}**Write example:**\n\n{example}"

    assert not [one for one in codes(text) if one.startswith("MC107")]


def test_sentences_may_be_among_parameters() -> None:
    items = '- `row`: int (required)\n- `name`: str (default: "")\n- Creates a row in `shelves`.\n- Updates it, too.\n'
    table = read(f"{HEAD}### `add_shelf`\n\n{items}").tools[0].input_table

    assert table is not None
    assert [row.name for row in table.rows] == ["row", "name"]


def test_names_after_one_with_a_note_are_parameters() -> None:
    row = "| `send_note` | Sends a note | `target` (required), `note` (required), `priority`, `kind` |\n"
    table = read(f"{HEAD}| Tool | Description | Parameters |\n|---|---|---|\n{row}").tools[0].input_table

    assert table is not None
    assert [one.name for one in table.rows] == ["target", "note", "priority", "kind"]


def test_a_signature_without_parameters_takes_none() -> None:
    text = f'{HEAD}### `list_shelves() -> list[Shelf]`\n\nReturns all shelves.\n\n```json\n{{"name": "a"}}\n```\n'

    assert codes(text) == []
    assert read(text).contracts[0].input_schema == {"type": "object", "properties": {}}


def test_a_sample_of_an_answer_is_no_tool() -> None:
    row = "| `shelf_status` | Shows all shelves | `is_new` (bool, optional) |\n"
    table = f"| Tool | Description | Parameters |\n|---|---|---|\n{row}"
    sample = '## Example Responses\n\n### `shelf_status`\n\n```json\n{"a": {"row": 4}}\n```\n'
    (status,) = read(f"{HEAD}{table}\n{sample}").contracts

    assert status.description == "Shows all shelves"


@each("call", ['find_shelf(path="/a", topic="testing")', 'find_shelf(path="/a")'])
def test_a_call_with_values_in_a_list_is_no_tool(call: str) -> None:
    assert read(f"# Shelves: tool specification\n\n## Namespaces\n\n- `{call}` for testing\n").tools == ()


def test_adding_what_exists_changes_nothing_else() -> None:
    tool = '"name": "add_task", "description": "Add existing task as a sub-task."'
    rest = '"annotations": {"destructiveHint": false}, "inputSchema": {"type": "object", "properties": {}}'
    found = lint(Contracts((read_tool_list("a.tools.json", f"[{{{tool}, {rest}}}]"),))).shown()

    assert "MC516" not in [one.code for one in found]


def test_a_call_in_code_names_a_tool() -> None:
    more = "### find_shelfes\n\nReturns more.\n\n- `row` (integer, required): x\n"

    found = codes(f"{HEAD}{FIND}Use `find_shelfs(row)` for all.\n\n{more}")

    assert "MC515" in [one.partition(" ")[0] for one in found]
