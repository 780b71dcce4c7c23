"""A file in which nothing looks like a tool, and that may say that it has none, is never said to lack tools."""

from __future__ import annotations

from mcp_contracts.parsing.spec import read_spec
from tests.said import said
from tests.tables import each
from tests.texts import PATH

HINTS = (
    "Off limits for assistants.",
    "Do not let a bot near the sails.",
    "MCP support was voted down.",
    "Everything callable is in `hull`.",
    "Schemas that the tools of other modules share.",
    "Privacy law forbids exposing the crew list to a model.",
    "Unregistered.",
    "This page would list tools if there were any.",
    "Were there tools, they would be listed here.",
    "Tools would be overkill.",
    "An assistant is a guest here.",
)
WITHOUT_TOOLS = (
    "Python only.",
    "Its API is for developers.",
    "For internal use.",
    "This file is left blank.",
    "Not applicable.",
    "Nothing to specify.",
)
WITHHELD = (
    "Tools are kept by the harbor. The ropes, listed on this page, register none.",
    "Tools are published by the harbor. The ropes, listed on this page, publish none.",
    "The gateway never loads this folder.",
    "The server ignores this folder.",
    "They raise sails and are unknown to the server.",
    "None of these functions is wired to the server.",
    "Winches are beyond the reach of a model.",
    "The wrappers live in `hull`; here, nothing is exported.",
    "The functions stay unpublished.",
    "Nobody but the mate calls these functions.",
    "The bridge has never heard of this folder.",
    "Remote callers get nothing.",
    "Winches are off-limits.",
    "There are no entry points.",
    "It has no public surface.",
)
LONE = ("The harbor master is the single caller.", "Left to `hull`.", "Sails and ropes.", "Were it so simple!")
FUNCTIONS = "## Python API\n\n- `hoist(sail, speed)`: raises a sail.\n- `Sail`: the class.\n"


@each("text", (*HINTS, *WITHOUT_TOOLS))
def test_any_text_on_tools_or_on_other_uses_may_say_that_there_are_none(text: str) -> None:
    [line] = said(f"# Rigging\n\nKeeps the ropes in order.\n\n{text}\n")

    assert line.startswith("MC028 no tools were found, and line ")


@each("text", WITHHELD)
def test_text_that_something_is_kept_from_agents_may_say_that_there_are_no_tools(text: str) -> None:
    file = read_spec(PATH, f"# Rigging\n\nKeeps the ropes in order. {text}\n")

    assert file.states_no_tools
    assert not file.tools


@each(
    "text",
    (
        "The boat has never been given a tool of any kind, as `hoist(sail)` is dangerous.",
        "We don't hand tools to the platform. `hoist(sail)` is for the crew.",
        "MCP surface: empty. Assistants that want to sail use the tools of `hull`, such as `hoist(sail)`.",
        "Calls `hoist(sail)` and is unknown to the MCP server.",
        "`hoist(sail)` raises a sail.\n\n## Not an MCP module\n\n`reef(sail)` reefs it.",
        "`hoist(sail)` raises a sail.\n\nIts functions cannot become tools, and the boat has nothing else.",
        "`hoist(sail)` raises a sail.\n\n## Tools\n\n-\n\n## Remarks\n\nThe dash is on purpose.",
    ),
)
def test_an_opening_a_title_or_a_total_may_deny_tools_beside_calls(text: str) -> None:
    assert not [line for line in said(f"# Rigging\n\n{text}\n") if not line.startswith("MC028 no tools were found")]


@each(
    "text",
    (
        "`hoist(sail)` raises a sail.\n\nThere is no tool for the anchor.",
        "The tools are `hoist(sail)` and one to reef. They never touch the anchor.",
    ),
)
def test_a_remark_on_one_tool_beside_calls_is_no_hint(text: str) -> None:
    assert "MC028" not in "".join(said(f"# Rigging\n\n{text}\n"))


@each(
    "text",
    (
        "While hulls may bring tools, the rigging itself does not add any.",
        "The rigging has not got any MCP tools; its functions are for the crew:",
        "This is the specification of the ocean rigging gear (ORG).\n\nORG exposes no MCP tools.",
        "If you want tools to sail with: sorry, we don't have any.",
    ),
)
def test_functions_below_these_denials_are_no_tools(text: str) -> None:
    functions = "- `hoist(sail)`\n- `reef(sail)`\n"

    assert not read_spec(PATH, f"# Ocean rigging\n\n{text}\n\n{functions}").tools


@each(
    "text",
    (
        "## Not included\n\n- a web page\n- MCP tools",
        "## What we don't have\n\n- MCP tools",
        "No tools within the meaning of the Model Context Protocol are provided hereunder.",
        "If you came for the tools: they moved to `hull`, and none remained.",
        "None of these ropes is exposed as an MCP tool.",
        "## MCP tools\n\nA rope has no such thing.",
        "## 2. Interfaces to AI systems\n\nNone exist.",
        "The drafts are gone; as things stand there's no way for an agent to call us.",
        "This is intentionally not on the agent platform.",
        "## Agent-facing API\n\nThere is no agent-facing API.",
        "The rigging has no MCP interface.",
        "이 모듈은 에이전트용 도구를 제공하지 않습니다.",
        "Its tools were switched off together with the last winch.",
        "For the record: no tools.",
        "Our MCP tools are listed below:\n\n(none)",
        "There is no MCP endpoint in front of this.",
        "The rigging is mechanical and doesn't speak MCP.",
        "An MCP bridge isn't included.",
        "This used to be an MCP server. It is now a rope.",
        "The API is a handbook, the tool API doesn't exist.",
        "## Tools\n\nThis section is intentionally left blank.",
        "Sin herramientas: la lleva una persona.",
        "The rigging has functions, not tools.",
        "*Q. Does it have tools?*\n\n*A.* It does not.",
        "mcp_tools: []",
        "The rigging has had no tools since.",
        "None of what follows is, or may become, an MCP tool.",
        "Knots aren't MCP tools and we have no others.",
        "No tool; see `rope.py`.",
        "Not interactive; no tools are defined for it.",
        "Dangerous, so tool access is ruled out.",
        "Tools for agents do not exist.",
        "Tools that would let an agent hoist or reef a sail do not exist.",
    ),
)
def test_everyday_words_for_no_tools_are_understood_beside_functions(text: str) -> None:
    codes = {line.partition(" ")[0] for line in said(f"# Rigging\n\n{FUNCTIONS}\n\n{text}\n")}

    assert codes <= {"MC028"}
    assert not read_spec(PATH, f"# Rigging\n\n{FUNCTIONS}\n\n{text}\n").tools


@each("word", ("a fixture for other tests", "a sketch, no more", "what a future tool may look like"))
def test_the_json_of_a_tool_that_text_calls_pretended_is_none_beside_a_plain_denial(word: str) -> None:
    code = '```json\n{"name": "hoist", "description": "Hoists.", "inputSchema": {"type": "object"}}\n```\n'

    assert said(f"# Rigging\n\n## Tools\n\nNo tools. Below is {word}:\n\n{code}") == []
    assert len(read_spec(PATH, f"# Rigging\n\n## Tools\n\nBelow is {word}:\n\n{code}").tools) == 1


@each(
    "text",
    (
        "Reefing takes a sail and gives nothing back.",
        "Reefing takes a sail. Nothing is written to disk.",
        "If the wind is missing, the server never starts. It has two tools.",
        "Before 2.0 the server had nothing to offer.",
    ),
)
def test_text_about_something_else_never_says_that_there_are_no_tools(text: str) -> None:
    file = read_spec(PATH, f"# Rigging\n\nKeeps the ropes in order.\n\n{text}\n")

    assert not file.states_no_tools


@each("text", (*HINTS, *LONE))
def test_a_paragraph_that_is_all_of_a_section_about_tools_may_say_that_there_are_none(text: str) -> None:
    lines = said(f"# Rigging\n\nKeeps the ropes in order.\n\n## MCP tools\n\n{text}\n\n{FUNCTIONS}")

    assert not {"MC004", "MC016"} & {line.partition(" ")[0] for line in lines}


@each(
    "text",
    (
        "",
        "Its tools can be called by any agent.",
        "Use the tools `hoist` and `reef` before a storm.",
        "Tool: Hoist Sails",
        "| Tool | Purpose |\n|---|---|\n| Hoist Sails | raises them |",
        "Die Werkzeuge setzen die Segel.",
        "Non ci sono altri strumenti.",
        "## Tools\n\nhoist -- raises a sail.",
        "## Tools\n\nHoisting: raises a sail.",
        "Contracts omit the token argument.",
    ),
)
def test_text_that_announces_tools_or_says_nothing_of_them_is_no_hint(text: str) -> None:
    assert said(f"# Rigging\n\nKeeps the ropes in order.\n\n{text}\n") == ["MC004 no tools were found in the file"]


@each("text", ("Three tools of earlier revisions were never built.", "A table of three fake tools is in the tests."))
def test_tools_that_never_existed_do_not_contradict_a_denial(text: str) -> None:
    file = read_spec(PATH, f"# Rigging\n\n{text} What you see is a module without tools.\n")

    assert file.states_no_tools


@each(
    "code",
    (
        "```yaml\nmodule: rigging\nowner: harbor\ntools: none\n```",
        "```toml\n[mcp]\nenabled = false\ntools = []  # none\n```",
        '```json\n{\n  "module": "rigging",\n  "tools": []\n}\n```',
    ),
)
def test_a_setting_without_tools_says_so(code: str) -> None:
    assert said(f"# Rigging\n\nKeeps the ropes in order.\n\n{code}\n") == []


def test_a_denial_of_something_else_is_never_silent_beside_what_may_be_tools() -> None:
    table = "| | Name | Exposed |\n|---|---|---|\n| tool | `hoist` | yes |\n"

    assert said(f"# Rigging\n\n{table}\nReefing was removed and is no longer a tool.\n")


def test_what_agents_may_call_is_a_title_of_tools() -> None:
    text = "## What agents may call\n\n**`hoist_sail`** – Raises.\n\n**`reef_sail`** – Shortens.\n"
    others = "## What agents may not call\n\nThe console exposes no tools; `reset()` is internal.\n"
    file = read_spec(PATH, f"# Rigging\n\n{text}\n{others}")

    assert [tool.contract.name for tool in file.tools] == ["hoist_sail", "reef_sail"]


def test_a_former_list_of_tools_may_be_empty_now() -> None:
    lines = said("# Rigging\n\nThe old tool list:\n\n~~`hoist`~~ ~~`reef`~~\n\nThe current list has no entries.\n")

    assert "MC004" not in {line.partition(" ")[0] for line in lines}


@each("key", ("agent_tools: none", "has_tools: no", "exposes_tools: false", "tools: []"))
def test_front_matter_may_say_that_there_are_none(key: str) -> None:
    assert said(f"---\nmodule: rigging\n{key}\n---\n\n# Rigging\n\nKeeps the ropes in order.\n") == []


def test_a_list_below_tools_for_agents_may_name_parameters_with_types_in_sentences() -> None:
    items = "1. **import_boat** – Imports a boat. Takes `url` (string).\n2. **list_boats** – Takes `harbor` (string).\n"
    file = read_spec(PATH, f"# Boats\n\n## Tools for agents\n\n{items}")

    assert [tool.contract.name for tool in file.tools] == ["import_boat", "list_boats"]


@each(
    "text",
    (
        "Agents without the role `reader` see no tools.\n\n## Tools\n\n```ts\nhoist(sail: string): object\n```\n",
        "## Tools\n\n```typescript\nfunction hoist(sail: string): object;\n```\n\nThe console exposes no tools.\n",
    ),
)
def test_signatures_below_a_title_of_tools_are_not_denied_by_text_about_something_else(text: str) -> None:
    assert [tool.contract.name for tool in read_spec(PATH, f"# Rigging\n\n{text}").tools] == ["hoist"]


def test_a_row_of_errors_may_have_several_names() -> None:
    table = "| Error | When |\n|---|---|\n| `NoWind`, `NoSail`, `NoBoat` | in the harbor |\n"
    text = f"# Boats\n\n## `boat_sail`\n\nSails.\n\n**Parameters:** none\n\n### Errors\n\n{table}"

    assert read_spec(PATH, text).tools
