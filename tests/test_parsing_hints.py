"""In a file in which nothing is called a tool, text that may deny tools is enough to read functions as functions."""

from __future__ import annotations

from mcp_contracts.parsing.spec import read_spec
from tests.said import said
from tests.tables import each
from tests.texts import PATH

TABLE = "| Parameter | Type | Required | Description |\n|---|---|---|---|\n| `sail` | string | yes | The sail. |\n"
SCHEMA = '```json\n{"type": "object", "properties": {"sail": {"type": "string"}}, "required": ["sail"]}\n```\n'
FUNCTIONS = (
    f"## `rigging.hoist`\n\n{TABLE}\n## `rigging.reef`\n\n{TABLE}",
    "## Interface\n\n**`hoist`**\n\nRaises.\n\nInput: `sail` (string)\n\n"
    "**`reef`**\n\nShortens.\n\nInput: `sail` (string)\n",
    f"## Functions\n\n### hoist_sail\n\nRaises:\n\n{SCHEMA}\n### reef_sail\n\nShortens:\n\n{SCHEMA}",
)
ODD_DENIALS = (
    "We took the tools out last winter.",
    "It is hidden from agents.",
    "Model access is denied.",
    "One day there may be tools. So far, there is not even one.",
    "## Tools\n\nWe never wrote any.",
)
DENIALS = (
    "This library has nothing that a model could call.",
    "Nobody has wired any of this to MCP.",
    "All tools were switched off after the storm.",
    "Per rule 12, no function may be surfaced to AI agents.",
    "The board ruled that rigging is never to be exposed through MCP.",
    '"Can I let an agent use this?" No: there is no tool to give it.',
    "## What an agent can call\n\n(nothing)",
    "## List of tools\n\nThe list is empty.",
    "## Herramientas\n\nNinguna por ahora.",
    "الوحدة لا توفّر أي أدوات للوكلاء.",
)
REMARKS = (
    "No tool lowers a sail.",
    "None of these tools writes.",
    "There is no tool for anchors.",
    "The winch has no tools.",
    "Version 1 had no tools.",
    "Agents cannot change the course.",
    "We do not expose the winch as a tool.",
    "Agents have no access to raw charts.",
    "The tools do not retry.",
    "This module has one tool and no others.",
    "There is no signing, mooring, or payment tool.",
    "The module exposes nothing but sails.",
    "The module exposes nothing secret.",
)
AFFIRMATIONS = (
    "These functions are exposed to agents as MCP tools.",
    "Tools for hoisting sails.",
    "Agents call these functions.",
)


@each("text", DENIALS)
@each("functions", FUNCTIONS)
def test_functions_below_text_that_may_deny_tools_are_not_read_as_tools(text: str, functions: str) -> None:
    file = read_spec("rigging/MCP_TOOL_SPECIFICATION.md", f"# Rigging\n\n{functions}\n## Policy\n\n{text}\n")

    assert not file.tools
    assert file.states_no_tools


@each("text", ODD_DENIALS)
def test_odd_denials_only_remove_functions_of_code(text: str) -> None:
    described, *of_code = (
        read_spec("rigging/MCP_TOOL_SPECIFICATION.md", f"# Rigging\n\n{functions}\n## Policy\n\n{text}\n")
        for functions in FUNCTIONS
    )

    assert len(described.tools) == len(FUNCTIONS) - 1
    assert not any(file.tools for file in of_code)


@each("text", REMARKS)
@each("functions", FUNCTIONS)
def test_a_remark_on_some_tools_or_on_other_things_denies_none(text: str, functions: str) -> None:
    file = read_spec(PATH, f"# Rigging\n\n{text}\n\n{functions}")

    assert file.tools


@each("text", AFFIRMATIONS)
def test_text_that_affirms_tools_beats_what_may_deny_them(text: str) -> None:
    file = read_spec(PATH, f"# Rigging\n\nIt is hidden from agents at night.\n\n{text}\n\n{FUNCTIONS[0]}")

    assert [tool.contract.name for tool in file.tools] == ["rigging.hoist", "rigging.reef"]


def test_a_title_of_the_file_about_tools_is_only_denied_by_text_that_names_the_module() -> None:
    kept = read_spec(PATH, f"# Rigging MCP tools\n\nAgents see nothing.\n\n{FUNCTIONS[0]}")
    denied = read_spec(
        PATH, f"# Rigging MCP tools\n\nSo this module is without tools for now, sadly.\n\n{FUNCTIONS[0]}"
    )

    assert kept.tools
    assert not denied.tools


@each("key", ("mcp:\n  enabled: false", "mcp:\n  tools: none", "mcp-tools: []", "tool_count: 0", "agent_access: none"))
def test_settings_in_front_matter_may_say_that_there_are_none(key: str) -> None:
    text = f"---\nmodule: rigging\n{key}\n---\n\n# Rigging\n\nKeeps the ropes in order.\n\n{FUNCTIONS[0]}"

    assert said(text) == []


@each("key", ("mcp:\n  enabled: true", "build_tools: none", "mcp:\n  port: 0"))
def test_other_settings_in_front_matter_deny_nothing(key: str) -> None:
    file = read_spec(PATH, f"---\nmodule: rigging\n{key}\n---\n\n# Rigging\n\n{FUNCTIONS[0]}")

    assert file.tools


@each("text", ("Agents without the role `reader` see no tools.", "No tools are planned beyond these."))
def test_functions_in_code_below_a_title_of_tools_are_never_denied(text: str) -> None:
    code = "```ts\nlist_bikes(station: string): Promise<object>\n```\n"

    file = read_spec(PATH, f"# Bikes\n\n{text}\n\n## Tools\n\n{code}")

    assert not file.states_no_tools


def test_a_plain_sentence_in_an_introduction_is_not_reported() -> None:
    text = f"# Rigging\n\n## 1. Introduction\n\nThere are no tools to describe.\n\n{FUNCTIONS[0]}"

    assert said(text) == []


def test_a_table_without_its_header_takes_no_time() -> None:
    rows = f"|{'-' * 40}|{'-' * 40}|{'-' * 40}|{'-' * 40}|\n| `sail` | Sail | Yes | The sail to hoist |"

    file = read_spec(PATH, f"# Rigging\n\n## Public API\n\n### `hoist_sail(sail: str)`\n\n{rows}\n")

    assert [tool.contract.name for tool in file.tools] == ["hoist_sail"]
