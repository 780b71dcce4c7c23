"""Forms in documents of others that were once read as something else."""

from __future__ import annotations

from textwrap import dedent

from mcp_contracts.parsing.spec import read_spec
from tests.said import said
from tests.tables import each


def inputs(text: str) -> dict[str, list[str]]:
    """Return the names of the parameters of each tool of a file."""
    file = read_spec("notes/MCP_TOOL_SPECIFICATION.md", dedent(text).lstrip("\n"))
    return {
        tool.contract.name: [row.name for row in tool.input_table.rows] if tool.input_table is not None else []
        for tool in file.tools
    }


SHOWN = """
# Tool specification

## `judge_harbor`

Judges a harbor.

Input fields:

```json
{{"harbor": "string", "rigor": "low | high"}}
```

{label}

- `depthLabel`: a label of the depth
- `storms`: optional report of the storms
"""


@each("label", ["Output includes:", "Narrative output includes:", "Response fields:"])
def test_fields_below_a_label_of_the_output_are_no_parameters(label: str) -> None:
    text = SHOWN.format(label=label)

    assert inputs(text) == {"judge_harbor": ["harbor", "rigor"]}
    assert not [one for one in said(text) if one.startswith("MC404")]


CHINESE = """
# Tool specification

## 1. read_plate
职责：读取船名。

输入：
- image_path: string
- operations?: string[]

支持操作（MVP）：
- grayscale
- denoise

输出 data：
- summary: string
- answer: string
"""


def test_lists_with_chinese_labels_are_those_of_the_output_and_of_values() -> None:
    found = said(CHINESE)

    assert inputs(CHINESE) == {"read_plate": ["image_path", "operations"]}
    assert not [one for one in found if one.startswith(("MC015", "MC106", "MC336"))]


REPEATED = """
# Tool specification

## `read_chart`

Reads a chart.

| Parameter | Type | Required | Description |
|---|---|---|---|
| `path` | string | Yes | File of the chart |

## `find_chart`

Finds a chart.

| Parameter | Type | Required | Description |
|---|---|---|---|
| `words` | string | Yes | Words of the title |

## {title}

### `read_chart`

- **First call:** 50 to 200 ms

### `find_chart`

- **First call:** 20 ms
"""


@each("title", ["Performance Characteristics", "Error handling", "Usage examples", "Comparison", "Security"])
def test_a_heading_that_repeats_a_name_in_another_section_is_no_second_tool(title: str) -> None:
    assert inputs(REPEATED.format(title=title)) == {"read_chart": ["path"], "find_chart": ["words"]}
    assert {one[:5] for one in said(REPEATED.format(title=title))} <= {"MC336"}


def test_a_name_that_is_repeated_among_the_tools_is_reported() -> None:
    assert [one[:5] for one in said(REPEATED.format(title="More charts")) if "MC104" in one] == ["MC104", "MC104"]


def test_a_name_that_only_a_section_about_something_else_contains_is_kept() -> None:
    text = REPEATED.format(title="Workflows") + "\n### `draw_chart`\n\nDraws a chart.\n"

    assert set(inputs(text)) == {"read_chart", "find_chart", "draw_chart"}


CALLED = """
# Tool specification

## `read_chart`

Reads a chart.

| Parameter | Type | Required | Description |
|---|---|---|---|
| `path` | string | Yes | File of the chart |

### Example request

```json
{{
  "method": "{method}",
  "params": {{"name": "read_chart", "arguments": {{"{sent}": "north.md"}}}}
}}
```
"""


@each("method", ["tools/call", "tools/run", "tools/invoke", "call_tool", "tool.call"])
@each("sent, codes", [("path", []), ("depth", ["MC404", "MC404"])])
def test_a_message_with_any_method_contains_a_call(method: str, sent: str, codes: list[str]) -> None:
    found = said(CALLED.format(method=method, sent=sent))

    assert [one[:5] for one in found] == codes


STATED = """
# Tool specification

## `open_request(title)`

Opens a request.

| Field | Type | Required | Description |
|---|---|---|---|
| `title` | string | Yes | Title of it |

Output:

- Identifier of the request.
- `status: {status}`.
- `is_new: {is_new}`.
"""


@each("status, is_new, codes", [("waiting_for_review", "true", []), ("strng", "boolean", ["MC308"])])
def test_a_value_in_a_list_of_the_output_is_no_type(status: str, is_new: str, codes: list[str]) -> None:
    assert [one[:5] for one in said(STATED.format(status=status, is_new=is_new))] == codes


ITEMS = """
# Tool specification

1. **drop_chart**
   - Drop (delete) a chart of the harbor
   - Usage: `drop_chart(chart, is_forced)`

2. **read_chart**
   - Read the chart
   - Usage: `read_chart(chart)`
"""


def test_an_item_with_a_remark_after_its_verb_is_a_description() -> None:
    file = read_spec("MCP_TOOL_SPECIFICATION.md", ITEMS.lstrip())

    assert [one.description for one in file.contracts] == ["Drop (delete) a chart of the harbor", "Read the chart"]


FILTERED = """
# Tool specification

## `find_chart`

Finds a chart.

| Parameter | Type | Default | Description |
|---|---|---|---|
| `words` | string | required | Words of the title |
| `limit` | int | `10` | How many |
| {name} | | | The same as of `list_charts` |
"""


@each("name, codes", [("*(filters)*", []), ("", ["MC330"])])
def test_a_row_for_several_parameters_has_a_name(name: str, codes: list[str]) -> None:
    assert [one[:5] for one in said(FILTERED.format(name=name)) if one.startswith("MC330")] == codes


TEMPLATE = """
# Tool specification

## `find_chart`

Finds a chart.

Input fields:

```json
{json}
```
"""


@each(
    "json, expected",
    [
        (
            '{"words": "string", "kind": "sea | river", "limit": 10}',
            [("string", None), ('"sea" | "river"', None), ("number", None)],
        ),
        ('{"words": "string", "kind": "string optional"}', [("string", True), ("string", False)]),
        ('{"words": "north of the pier", "limit": 10}', []),
        ('{"words": "string", "near": {"limit": 10}}', []),
    ],
)
def test_the_strings_in_a_template_of_the_input_are_types(json: str, expected: list[tuple[str, bool | None]]) -> None:
    [tool] = read_spec("MCP_TOOL_SPECIFICATION.md", TEMPLATE.format(json=json).lstrip()).tools

    rows = tool.input_table.rows if tool.input_table is not None else ()
    assert [(row.type, row.required) for row in rows] == expected


SERVERS = """
# Tool contracts

## harbor-data

Only reads.

| Tool | Input | Output |
|---|---|---|
| `read_chart` | `path` | the chart |
| `list_charts` | none | `rows` |

## harbor-search

Only searches.

| Tool | Input | Output |
|---|---|---|
| `find_chart` | `words` | `rows` |
"""


def test_a_heading_above_a_table_of_tools_names_their_server() -> None:
    assert list(inputs(SERVERS)) == ["read_chart", "list_charts", "find_chart"]


def test_a_heading_with_names_that_its_table_repeats_names_tools() -> None:
    text = SERVERS.replace("## harbor-data", "## `read_chart` / `list_charts`").replace("harbor-search", "`find_chart`")

    assert list(inputs(text)) == ["read_chart", "list_charts", "find_chart"]
    assert not [one for one in said(text) if one.startswith("MC104")]


MARKED = """
# Harbor: tool specification

## Tools

- `add_buoy` — WRITE — args: `harbor`, `line`, `buoy`, `name`. {added}
- `drop_buoy` — WRITE — args: `harbor`, `line`, `buoy`, `name`. {dropped}
- `open_harbor` / `close_harbor` — WRITE (`harbor-write`).
- `open_pier` / `close_pier` — WRITE (`harbor-write`).
"""


@each(
    "added, dropped, codes",
    [
        ("Appends a buoy to it.", "Removes a buoy.", []),
        ("Changes a buoy of it.", "Changes a buoy of it.", ["MC514"]),
    ],
)
def test_a_mark_and_a_list_of_arguments_are_no_description(added: str, dropped: str, codes: list[str]) -> None:
    found = said(MARKED.format(added=added, dropped=dropped))

    assert [one[:5] for one in found if one.startswith("MC514")] == codes


def test_optional_keys_in_json_are_no_error() -> None:
    text = """\
    # Files: tool contract

    ### `list_files`

    - Purpose: Lists files.
    - Input:

      ```json
      {
        "path"?: "string",
        "depth"?: "integer, 1..4"
      }
      ```
    """

    assert [one for one in said(text) if one.startswith("MC")] == [
        "MC025 the parameters of the tool are in a form that is not supported"
    ]


def test_a_number_of_tools_of_one_kind_is_not_the_number_of_all() -> None:
    tools = "".join(
        f"### `{name}_goal`\n\n- Purpose: Does it.\n- Input: `{{}}`\n\n" for name in ("find", "read", "send")
    )

    miscounted = "MC020 the text mentions 2 tools, but the file defines 3"
    for sentence, found in (
        ("Two tools are read-only, and `send_goal` is not.", []),
        ("Two tools are exposed.", [miscounted]),
    ):
        told = said(f"# Goals: tool contract\n\n{sentence}\n\n{tools}")
        assert [one for one in told if one.startswith("MC020")] == found, sentence
