"""Tools without a heading: most forms are read, others are reported, and everything else is ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH, spec, standing_at


def test_a_call_in_a_code_block_is_not_a_tool() -> None:
    text = '# Tides\n\n```json\n{"name": "tides_next", "arguments": {"at": "Bremen"}}\n```\n'

    assert read_spec(PATH, text).tools == ()


@each(
    "text",
    [
        "| Tool | Description | Parameters |\n|---|---|---|\n| `tides_next` | Tells when. | `at` (string) |\n",
        "## Tools\n\n| # | Name | Inputs | Output |\n|---|---|---|---|\n| 1 | tides_next | at: string | object |\n",
        "## Tool Specification: `tides_next`\n\n| Attribute | Value |\n|---|---|\n| Parameters | `at` (string) |\n",
        "## tides: tides_next\n\n**Required:** `at` (string)\n\n**Optional:** none\n",
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


def test_names_with_remarks_on_one_line_are_named() -> None:
    read = read_spec(PATH, "# Tides\n\n## The 3 tools\n\n**Read** — `tide_next` (when) · `tide_all` (all, `utc`)\n")

    assert [(mention.name, mention.others) for mention in read.unread_tools] == [("tide_next", 1)]


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


def test_parameters_of_a_tool_that_nothing_names_are_named_too() -> None:
    read = spec("# Tides\n\n| Parameter | Type | Required |\n|---|---|---|\n| `at` | string | yes |\n")

    assert [mention.name for mention in read.unread_tools] == [""]


@pytest.mark.parametrize(
    "text",
    [
        "# Agents\n\n## `planner`\n\n- Model: large\n- Input: goal (string)\n- Output: list of steps\n",
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
