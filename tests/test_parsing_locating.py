"""Tools without a heading: most forms are read, others are reported, and everything else is ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.faults import FaultKind
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH, spec, standing_at

ENTRY = '{"name": "tides_next", "description": "Tells when.", "KEY": {"type": "object", "properties": {"at": {}}}}'


@pytest.mark.parametrize("key", ["inputSchema", "input_schema", "parameters"])
@pytest.mark.parametrize("form", ["{}", "[{}]", '{{"tools": [{}]}}', '[{{"type": "function", "function": {}}}]'])
def test_tool_objects_in_a_code_block_are_read(form: str, key: str) -> None:
    text = "# Tides\n\n```json\n" + form.format(ENTRY.replace("KEY", key)) + "\n```\n"

    (read,) = read_spec(PATH, text).tools

    assert (read.contract.name, read.contract.description) == ("tides_next", "Tells when.")
    assert read.contract.input_schema == {"type": "object", "properties": {"at": {}}}
    assert standing_at(text, read.contract.place) == '"tides_next"'


def test_tool_objects_in_yaml_are_read() -> None:
    text = "# Tides\n\n```yaml\ntools:\n  - name: tides_next\n    inputSchema:\n      type: object\n```\n"

    assert [read.contract.name for read in read_spec(PATH, text).tools] == ["tides_next"]


def test_a_call_in_a_code_block_is_not_a_tool() -> None:
    text = '# Tides\n\n```json\n{"name": "tides_next", "arguments": {"at": "Bremen"}}\n```\n'

    assert read_spec(PATH, text).tools == ()


@each(
    "text",
    [
        "- **tides_next**: Tells when.\n  - `at` (string): harbour\n",
        "- [x] `tides_next(at: string)` – Tells when.\n",
        "## Tools\n\n- **Next tide** (`tides_next`): tells when.\n  - Parameters:\n    - `at` (string): harbour\n",
        "1. `tides_next` – Tells when.\n   Arguments: `at` (string)\n",
        "## Commands\n\n1. **tides_next** Tells.\n\n   | Name | Type |\n   |---|---|\n   | `at` | string |\n",
        "**Tool name:** `tides_next`\n\n**Input:** `at` (string)\n",
        "Function: tides_next\n\nParameters:\n\n- `at` (string)\n",
        "**Name**: tides_next\n**Purpose**: Tells when.\n**Parameters**: at (string)\n",
        "## Next tide\n\nTells.\n\nInvocation name: `tides_next`\n\nParameters:\n- at: string (required)\n",
        "`tides_next`\n: Tells when.\n: Parameters: `at` (string)\n",
        "**tides_next**\n\nTells when.\n\n- `at` (string, required)\n",
        "> **tides_next**\n>\n> Tells when.\n>\n> - `at` (string, required)\n",
        "```python\n@mcp.tool()\nasync def tides_next(at: str) -> dict: ...\n```\n",
        '```python\n@mcp_tool(category="tides")\ndef tides_next(at: str) -> dict:\n    """Tells when."""\n```\n',
        "tides_next\n~~~~~~~~~~\n\nTells when.\n\n- ``at`` (string): harbour\n",
        "<h3><code>tides_next</code></h3>\n\nTells when.\n\n| Parameter | Type |\n|---|---|\n| at | string |\n",
        "| Tool | Description | Parameters |\n|---|---|---|\n| `tides_next` | Tells when. | `at` (string) |\n",
        "## Tools\n\n| # | Name | Inputs | Output |\n|---|---|---|---|\n| 1 | tides_next | at: string | object |\n",
        '```jsonc\n// the only tool\n{"name": "tides_next", "input_schema": {"type": "object", "properties": {"at": '
        '{"type": "string"}}}}\n```\n',
        "## Tool Specification: `tides_next`\n\n| Attribute | Value |\n|---|---|\n| Parameters | `at` (string) |\n",
        "## tides: tides_next\n\n**Required:** `at` (string)\n\n**Optional:** none\n",
        "## Tools\n\n**`tides_next`**: Tells when.\n- *at* (string, required): The day\n",
        "**tides_next** — Tells when.\n\n- `at` (string, required): The day\n",
        "## Tool: `tides_next`\n\n### Registration\n\n```json\n"
        '{"name": "tides_next", "inputSchema": {"type": "object", "properties": {"at": {}}}}\n```\n',
    ],
)
def test_a_tool_that_begins_with_something_else_than_a_heading_is_read(text: str) -> None:
    text = f"# Tides\n\n{text}"

    (read,) = read_spec(PATH, text).tools

    assert read.contract.name == "tides_next"
    assert "tides_next" in standing_at(text, read.contract.place)
    schema = read.contract.input_schema
    assert isinstance(schema, dict)
    assert isinstance(schema["properties"], dict)
    assert list(schema["properties"]) == ["at"]


@pytest.mark.parametrize(
    "text",
    [
        "## Features\n\n| Area | Tools |\n|---|---|\n| **Read** | `tide_next` (experimental), `tide_all` |\n"
        "| Write | `tide_log`† |\n",
        "## Features\n\n1. `tide_next`: Tells when.\n1. `tide_all` - Tells all.\n1. `tide_log`: Keeps one.\n",
        "## Tools\n\n| Area | Tool | Summary |\n|---|---|---|\n| a | `tide_next` | When. |\n| a | `tide_all` | All. |\n"
        "| b | `tide_log` | Keeps one. |\n",
    ],
)
def test_the_names_of_a_list_or_table_are_tools_without_more(text: str) -> None:
    read = read_spec(PATH, f"# Tides MCP Server\n\n{text}")

    assert [tool.contract.name for tool in read.tools] == ["tide_next", "tide_all", "tide_log"]
    assert all(tool.is_listed_only for tool in read.tools)


def test_a_word_in_bold_with_a_remark_is_not_a_tool() -> None:
    read = read_spec(
        PATH, "# Vault\n\n### The `unlock` tool\n\n- **macOS**: a dialog for input\n- **Windows**: an input\n"
    )

    assert (read.tools, read.unread_tools) == ((), ())


def test_terms_below_a_heading_about_tools_are_tools() -> None:
    text = "# Bees\n\n## Tools\n\n`hive_weight`\n: Weighs it.\n\n`hive_note`\n: Notes. Arguments: `text` (string).\n"

    assert [tool.contract.name for tool in read_spec(PATH, text).tools] == ["hive_weight", "hive_note"]


def test_kebab_case_names_below_a_category_are_tools() -> None:
    text = "# Bees\n\n## Tools\n\n### Reading\n\n#### `hive-weight`\n\nWeighs it.\n\n- `hive` (string): The label\n"

    assert [tool.contract.name for tool in read_spec(PATH, text).tools] == ["hive-weight"]
    assert read_spec(PATH, text.replace("## Tools", "# CLI tools").replace("### Reading\n", "")).tools == ()


@pytest.mark.parametrize(
    "text",
    [
        "# MCP Tool Specification: bees\n\n**Version**: v0.1.1 | **Status**: Active\n\nNo tool is here.\n",
        "# Meta-specification\n\n## 1. Purpose\n\nHow `TOOLS.md` is made.\n\n## 2. Template\n\nBase `TOOLS.md` on it.\n"
        "\n## 3. Structure\n\nA tool has eight sections.\n",
        "# Bees MCP Server\n\n## Tools\n\n### `claude_desktop_config.json`\n\nWhere the server is entered.\n",
        "# Bees: tool spec\n\n## Error Contract\n\n### `invalid_hive`\n\nOf a hive.\n\n### `hive_gone`\n\nNot there.\n",
        "# Bees: tool spec\n\n## 4. Common error codes\n\n### `invalid_hive`\n\nOf a hive.\n",
    ],
)
def test_modules_files_and_errors_are_no_tools(text: str) -> None:
    assert read_spec(PATH, text).tools == ()


@pytest.mark.parametrize(
    "text",
    [
        "## Tools\n\n- **Plans**: list, get, delete\n- **Logs**: what happened\n",
        "## Inspect\n\nThen call tools like:\n- `list_pages`, `select_page`\n- `take_snapshot` then `click_page`\n",
        "- `drawDocs(sources)` : the catalog.\n\n## Targeting a UI version\n\n`drawDocs` takes a field.\n\n"
        "```ts\ntype: { name: 'a', parameters: {} }\n```\n",
    ],
)
def test_groups_samples_and_sentences_are_no_tools(text: str) -> None:
    read = read_spec(PATH, f"# Pages MCP Server\n\n{text}")

    assert {tool.contract.name for tool in read.tools} <= {"drawDocs"}


def test_calls_that_paragraphs_begin_with_are_tools() -> None:
    text = "# Bar\n\n### Tools\n\n`list-items(state?)`: Lists the items.\n\nMore.\n\n`get-item(id)`: Gets an item.\n"

    assert [tool.contract.name for tool in read_spec(PATH, text).tools] == ["list-items", "get-item"]


def test_names_with_remarks_on_one_line_are_named() -> None:
    read = read_spec(PATH, "# Tides\n\n## The 3 tools\n\n**Read** — `tide_next` (when) · `tide_all` (all, `utc`)\n")

    assert [(mention.name, mention.others) for mention in read.unread_tools] == [("tide_next", 1)]


def test_every_tool_of_a_list_is_read_with_its_content_and_nothing_else() -> None:
    text = """
        ## Tools

        1. **`print_file`** - Puts a PDF into a queue.
           - Parameters:
             - `file` (string, required): the path
           - Returns:
             - `job` (integer): the number

        2. **`print_status`** - Tells where a job is.
           - Parameters:
             - `job` (integer, required): the number
           - Example:
             ```json
             {"tool": "print_status", "arguments": {"job": 4402}}
             ```

        Set `PRINT_HOST` first.
        """

    first, second = (tool.contract for tool in spec(text).tools)

    assert (first.name, first.description) == ("print_file", "Puts a PDF into a queue.")
    assert first.input_schema == {
        "type": "object",
        "properties": {"file": {"type": "string", "description": "the path"}},
        "required": ["file"],
    }
    assert (second.name, second.description) == ("print_status", "Tells where a job is.")
    assert [example.value for example in second.examples] == [{"tool_name": "print_status", "arguments": {"job": 4402}}]


@pytest.mark.parametrize(
    "text",
    [
        "| Name | `tides_next` |\n|---|---|\n| Input | `at` (string) |\n",
        '```typescript\nserver.registerTool("tides_next", { at: z.string() }, handler)\n```\n',
        '```go\nmcp.NewTool("tides_next", mcp.WithString("at"))\n```\n',
        "## Available tools\n\n**Reading**: `tides_next`, `tides_next`\n",
        "<table>\n<tr><th>Tool</th></tr>\n<tr><td><code>tides_next</code></td></tr>\n</table>\n",
        "<dl>\n<dt>tides_next(at)</dt><dd>Tells when.</dd>\n</dl>\n",
        "This module registers one MCP tool, `tides_next`, which takes `at` (a string).\n",
        "One tool is available to agents: **`tides_next`**, with the string `at`.\n",
        "## Tool List\n\n`tides_next` | Tells when.\n--- | ---\n`at` | string, required\n",
    ],
)
def test_a_tool_in_another_form_is_named_at_its_place(text: str) -> None:
    text = f"# Tides\n\n{text}"

    (mention,) = spec(text).unread_tools

    assert mention.name == "tides_next"
    assert standing_at(text, mention.place) == "tides_next"


def test_a_tool_in_broken_json_is_read_and_its_fault_reported() -> None:
    text = '```json\n{"name": "tides_next", "inputSchema": {"type": "object", "properties": {"at": {},}}}\n```\n'

    (tool,) = spec(f"# Tides\n\n{text}").tools

    assert tool.contract.name == "tides_next"
    assert [fault.kind for fault in tool.faults] == [FaultKind.INVALID_JSON]


def test_parameters_of_a_tool_that_nothing_names_are_named_too() -> None:
    read = spec("# Tides\n\n| Parameter | Type | Required |\n|---|---|---|\n| `at` | string | yes |\n")

    assert [mention.name for mention in read.unread_tools] == [""]


@pytest.mark.parametrize(
    "text",
    [
        "# Events\n\n## `order.created`\n\nEmitted.\n\n| Field | Type |\n|---|---|\n| `id` | string |\n",
        "# Configuration reference\n\n### `server.port`\n\nType: integer, default: `8080`\n",
        "# Hooks\n\n### `on_start`\n\nCalled at the start.\n",
        '# WebSocket messages\n\n## `note.changed`\n\n```json\n{"type": "note.changed", "id": "n1"}\n```\n',
        "# CLI\n\n## `app build`\n\n| Option | Type | Default |\n|---|---|---|\n| `--out` | path | `dist` |\n",
        "# Benchmarks\n\n| Tool | Calls | p50 |\n|---|---|---|\n| `notes.search` | 1000 | 4 ms |\n",
        "# Events\n\n## `order.created`\n\n| Field | Type | Required |\n|---|---|---|\n| `id` | string | Yes |\n",
        "# Python API Reference\n\n## `load_config(path: str) -> Config`\n\n**Parameters:**\n\n- `path` (str): Path.\n",
        "# Command line\n\n## `app verify`\n\n| Option | Type | Required |\n|---|---|---|\n| `--from` | date | No |\n",
        "# Agents\n\n## `planner`\n\n- Model: large\n- Input: goal (string)\n- Output: list of steps\n",
        "# Deployment\n\n| Parameter | Type | Required |\n|---|---|---|\n| `replicas` | integer | No |\n",
        "# GraphQL\n\n## Query `notes`\n\n| Argument | Type | Required |\n|---|---|---|\n| `first` | Int | no |\n",
        '# Test results of Tides\n\n```json\n{"name": "tides_next", "inputSchema": {"type": "object"}}\n```\n',
    ],
)
def test_what_a_file_about_other_things_describes_is_not_a_tool(text: str) -> None:
    read = spec(text)

    assert (read.tools, read.unread_tools, read.states_no_tools) == ((), (), False)
    of_tools = spec(text.replace("# ", "# MCP tools: ", 1))
    assert len(of_tools.tools + of_tools.unread_tools + spec(f"{text}\nAgents call it.\n").unread_tools) > 0


@pytest.mark.parametrize(
    "text",
    [
        "Run `ruff` with the option `--fix`.",
        "- `src`: the code\n- `docs`: the pages\n",
        "| Name | Type | Required | Description |\n|---|---|---|---|\n| `HOME` | string | yes | a folder |\n",
        "| Variable | Value |\n|---|---|\n| `HOME` | a folder |\n",
        "```python\ndef helper(at: str) -> dict: ...\n```\n",
        "## Data model\n\n**tide_rows**\n- `at` (string): when\n",
        "## Test plan of the tools\n\n| Tool | Input |\n|---|---|\n| `tide_next` | `1` |\n| `tide_all` | `2` |\n",
        "### Menu → Search (`search_tides`)\n\nThe same as the console.\n",
        '```ts\nconst next = createTool({\n  name: "tides_next",\n  parameters: z.object({}),\n});\n```\n',
        "This module exposes no tools. Use `tides_next` of the parent module.",
    ],
)
def test_what_describes_no_tool_names_none(text: str) -> None:
    read = spec(f"# Tides\n\n{text}\n")

    assert (read.tools, read.unread_tools) == ((), ())


def test_the_first_sentence_among_the_items_below_a_name_is_the_description() -> None:
    text = """
        ## Tools

        - **read_file**
          - Read the contents of a file as text
          - Input: `path` (string)
          - Returns: the text

        - **list_files**
          - List what a folder holds
          - Input: `path` (string)
        """

    assert [tool.contract.description for tool in spec(text).tools] == [
        "Read the contents of a file as text",
        "List what a folder holds",
    ]


def test_a_block_that_unfolds_is_a_tool_by_its_summary() -> None:
    text = (
        "# Tides\n\n<details>\n<summary><code>tides_next</code> – tells when</summary>\n\n"
        "| Parameter | Type | Required |\n|---|---|---|\n| `at` | string | yes |\n\n</details>\n\n"
        "<details>\n<summary><b>tides_all</b></summary>\n\n**Returns**: all.\n\n</details>\n"
    )

    first, second = spec(text).tools

    assert (first.contract.name, first.contract.description) == ("tides_next", "tells when")
    assert first.contract.input_schema == {
        "type": "object",
        "properties": {"at": {"type": "string"}},
        "required": ["at"],
    }
    assert second.contract.name == "tides_all"


@pytest.mark.parametrize(
    "title",
    ["Tools used", "Build tools", "CLI Tools", "Tools and technologies", "Command-line tools", "Required tools"],
)
def test_tools_that_an_author_works_with_are_no_tools_of_the_module(title: str) -> None:
    text = f"# Tides\n\n## {title}\n\n- `ripgrep`: searches files\n- `jq`: reads JSON\n"

    assert spec(text).tools == ()
    assert spec(text).unread_tools == ()


def test_a_table_of_parameters_below_a_heading_of_tools_is_not_a_list_of_tools() -> None:
    text = (
        "# Tides\n\n## Tools\n\nOne.\n\n| Name | Type | Required | Description |\n|---|---|---|---|\n"
        "| `at` | string | yes | When |\n"
    )

    assert spec(text).tools == ()


@pytest.mark.parametrize("name", ["module_name.tool_name", "{{name}}"])
def test_the_parameters_of_a_template_belong_to_its_placeholder(name: str) -> None:
    template = Path(__file__).parents[1] / "module_template" / "MCP_TOOL_SPECIFICATION.md"
    read = spec(template.read_text("utf-8").replace("module_name.tool_name", name))

    assert (read.tools, read.unread_tools) == ((), ())


def test_a_name_in_html_with_a_type_is_a_parameter_and_no_tool() -> None:
    items = "<li><code>id</code> (string, required): Which.</li><li><code>at</code> — integer, optional</li>"
    text = f"# Tide tools\n\n<dl>\n<dt><code>tide_next</code></dt>\n<dd>Tells.<ul>{items}</ul></dd>\n</dl>\n"

    assert [mention.name for mention in read_spec("tides/SPEC.md", text).unread_tools] == ["tide_next"]


def test_a_tool_object_with_broken_json_is_reported_where_it_is_broken_and_not_as_an_unsupported_form() -> None:
    text = """# MCP Tool Contract: close_task

## Tool specification

```json
{
  "name": "close_task",
  "description": "Closes a task"
  "parameters": {"type": "object", "properties": {"key": {"type": "string"}}}
}
```
"""

    report = lint(Contracts((read_spec(PATH, text),)))

    assert [(one.code, one.place.line) for one in report.diagnostics] == [("MC304", 9)]


@pytest.mark.parametrize(
    "text",
    [
        "# Metrics\n\n### `lamp_query` (read-only)\n\nReads.\n\n- `expr` *(string, required)*: An expression\n\n"
        "**Annotations:** readOnlyHint: true\n",
        "# Lamps\n\nMCP tool `lamp_query(room: str, count: int = 3) -> dict`: reads the lamps.\n",
        "# Lamps\n\nTool `lamp_query(room: str)`: reads the lamps.\n",
    ],
)
def test_annotations_and_the_word_tool_show_a_tool_below_a_plain_title(text: str) -> None:
    assert [tool.contract.name for tool in read_spec(PATH, text).tools] == ["lamp_query"]
