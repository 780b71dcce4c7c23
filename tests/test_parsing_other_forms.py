"""Tools without a heading: objects in code blocks are read, other forms are named, and what has no tool is neither."""

from __future__ import annotations

import pytest

from mcp_contracts.parsing.spec import read_spec
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


def test_a_call_in_a_code_block_is_no_tool() -> None:
    text = '# Tides\n\n```json\n{"name": "tides_next", "arguments": {"at": "Bremen"}}\n```\n'

    assert read_spec(PATH, text).tools == ()


@pytest.mark.parametrize(
    "text",
    [
        "- **tides_next**: Tells when.\n  - `at` (string): harbour\n",
        "1. `tides_next` – Tells when.\n   Arguments: `at` (string)\n",
        "**Tool name:** `tides_next`\n",
        "Function: tides_next\n",
        "`tides_next`\n: Tells when.\n: Parameter `at`: harbour\n",
        "| Name | `tides_next` |\n|---|---|\n| Input | `at` (string) |\n",
        "```python\n@mcp.tool()\nasync def tides_next(at: str) -> dict: ...\n```\n",
        '```typescript\nserver.registerTool("tides_next", { at: z.string() }, handler)\n```\n',
        "<details><summary><code>tides_next</code></summary>\n\n| Parameter | Type |\n|---|---|\n| `at` | string |\n",
        "This module registers one MCP tool, `tides_next`, which takes `at` (a string).\n",
    ],
)
def test_a_tool_in_another_form_is_named_at_its_place(text: str) -> None:
    text = f"# Tides\n\n{text}"

    read = spec(text)

    assert read.unread_tool is not None
    assert read.unread_tool.name == "tides_next"
    assert standing_at(text, read.unread_tool.place) == "tides_next"


def test_parameters_of_a_tool_that_nothing_names_are_named_too() -> None:
    read = spec("# Tides\n\n| Parameter | Type | Required |\n|---|---|---|\n| `at` | string | yes |\n")

    assert read.unread_tool is not None
    assert read.unread_tool.name == ""


@pytest.mark.parametrize(
    "text",
    [
        "Run `ruff` with the option `--fix`.",
        "- `src`: the code\n- `docs`: the pages\n",
        "| Name | Type | Required | Description |\n|---|---|---|---|\n| `HOME` | string | yes | a folder |\n",
        "| Variable | Value |\n|---|---|\n| `HOME` | a folder |\n",
        "```python\ndef helper(at: str) -> dict: ...\n```\n",
        "This module exposes no tools. Use `tides_next` of the parent module.",
    ],
)
def test_what_describes_no_tool_names_none(text: str) -> None:
    assert spec(f"# Tides\n\n{text}\n").unread_tool is None
