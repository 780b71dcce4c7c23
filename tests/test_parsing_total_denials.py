"""A sentence that denies tools and names nothing else is about the whole module; any other is about what it names."""

from __future__ import annotations

from mcp_contracts.parsing.spec import read_spec
from tests.said import said
from tests.tables import each
from tests.texts import PATH

TOTAL = (
    "For agents the module has no tools.",
    "Tools offered by this module: none at all, and that's final.",
    "Our agents use other modules. This one gives them no tools.",
    "We don't offer agents anything here.",
    "As of 4.0 this package is a pure library; its agent tools are gone.",
    "The list of tools is intentionally left blank.",
    "The module stays off the agents' tool list; everything in it is called by the planner.",
    "Tool support was dropped.",
    "The rigging hasn't got any tools.",
    "Agents can call nothing in rigging.",
)
OF_SOMETHING = (
    "No tool is offered for repairs.",
    "The dinghy has no tools.",
    "There is no tool for it.",
    "Nothing else is exposed to agents.",
    "No tools were removed.",
    "Agents should not call it directly.",
    "The tools do not call models.",
    "This module used to have no tools.",
    "Until spring comes, the module has no tools.",
    "None of the tools reefs a sail.",
)
TITLED = (
    "#### hoist_sail\n\nParameters: `sail` (string), `speed` (integer)\nReturns: a number\n\n"
    "#### reef_sail\n\nParameters: `sail` (string)\nReturns: nothing\n"
)


@each(
    "text",
    (
        "I looked for tools worth exposing in this module and found none, so none are exposed.",
        "Tools were considered and rejected (too slow, too risky).",
        "This module's contribution to the tool catalogue is nil.",
    ),
)
def test_it_leaves_functions_below_the_title_of_the_file(text: str) -> None:
    table = "| Function | Arguments | Returns |\n|---|---|---|\n| `hoist_sail` | `sail: str` | `int` |\n"
    [line] = said(f"# Tools of the rigging module\n\n{text}\n\n{table}")

    assert line.startswith("MC028 1 function is not read as a tool: `hoist_sail`; line 3 ")


@each(
    "text",
    (
        "> **For agents:** zero tools are published by this module.",
        "Nobody reefs over MCP, by design; the set of tools for this module is empty.",
        "Tools? Not in this module. Sailors reef by hand.",
        "I've not made any tools for it.",
        "See [the winch](../winch/) for tools. This one contains none.",
        "We have 0 (zero) tools.",
        "You'll find tools for ropes in `winch`; we don't have any ourselves.",
        "The rigging is plain rope and hence tool-free.",
        "The module keeps only the knots and has no tools any more.",
        "Sails, ropes. Tools: ❌",
        "MCP tool list for this module:\n\n(empty)",
        "Since the storm, the rigging refrains from offering tools to automated agents.\n\n"
        "The following are therefore excluded from MCP:\n\n1. Hoisting\n2. Reefing",
        "The rigging provides no tools. Use the tools of `winch`:\n\n- `winch.turn`\n- `winch.lock`",
        "Whoever expects tools in this module is wrong: there are none.",
        "TODO: write tools. Right now there are none.",
        "Nothing in here is offered via MCP.",
        "This sub-module has no tools of its own.",
        "Sailors decide; accordingly the module offers no tools.",
        "Which means that this module has no tools.",
        "The module as such has no tools, only knots.",
        "It exposes no real tools.",
        "**Tools exposed via MCP**\n\n> none so far",
        "## Current status: no MCP tools defined\n\n## API\n\n| Call | Input |\n|---|---|\n| `hoist` | a sail |",
    ),
)
def test_a_plain_denial_of_the_module_itself_needs_no_note(text: str) -> None:
    assert said(f"# Rigging\n\n{text}\n") == []


@each(
    "text",
    (
        "See the winch for keys. This one contains none.",
        "You'll find keys in `winch`; we don't have any ourselves.",
        "Other knots have faults. This one has none.",
        "Errors of the tools: there are none.",
        "Limits on tools that write? There are none.",
        "The tools of `winch` are slow. Winches expose nothing.",
        "The rigging provides tools. Use the tools of `rigging`:\n\n- `rigging.hoist`\n- `rigging.reef`",
    ),
)
def test_what_denies_something_else_is_no_plain_denial(text: str) -> None:
    file = read_spec(PATH, f"# Rigging\n\n{text}\n\n{TITLED}")

    assert not file.plainly_has_none
    assert file.tools


@each("text", TOTAL)
def test_it_is_enough_in_a_file_in_which_nothing_looks_like_a_tool(text: str) -> None:
    assert said(f"# Rigging\n\nKeeps the ropes in order.\n\n{text}\n") == []


@each("text", TOTAL)
def test_it_leaves_functions_that_are_not_below_a_title_about_tools(text: str) -> None:
    file = read_spec(PATH, f"# Rigging\n\n{text}\n\n{TITLED}")

    assert file.states_no_tools
    assert not file.tools


@each("text", OF_SOMETHING)
def test_a_sentence_that_names_something_else_removes_no_tool(text: str) -> None:
    file = read_spec(PATH, f"# Rigging\n\n{text}\n\n{TITLED}")

    assert [tool.contract.name for tool in file.tools] == ["hoist_sail", "reef_sail"]


def test_it_removes_no_tool_below_a_title_about_tools() -> None:
    file = read_spec(PATH, f"# Rigging\n\nThe module has no tools of its own.\n\n## Tools\n\n{TITLED}")

    assert [tool.contract.name for tool in file.tools] == ["hoist_sail", "reef_sail"]


@each(
    "text",
    (
        "Tämä moduuli ei tarjoa työkaluja agenteille.",
        "Ez a modul nem kínál eszközöket az ügynököknek.",
        "Modulul nu oferă niciun instrument agenților.",
        "Η ενότητα δεν προσφέρει κανένα εργαλείο στους πράκτορες.",
        "המודול הזה אינו מציע כלים לסוכנים.",
        "Das Modul rigging hat keine Werkzeuge.",
        "Es gibt hier keine Werkzeuge für Agenten; wer ein Segel setzen will, ruft den Kapitän und wartet auf Wind.",
        "Werkzeuge (Tools) für MCP: keine.",
        "Nástroje MCP: žádné. Plachty zvedá posádka.",
    ),
)
def test_a_short_sentence_in_another_language_may_deny_all_tools_of_the_module(text: str) -> None:
    assert said(f"# Rigging\n\n{text}\n\n```python\nhoist(sail)\n```\n") == []


@each(
    "text",
    (
        "Das Modul `wetter` hat keine Werkzeuge.",
        "Es gibt hier keine Werkzeuge zum Löschen; das macht der Kapitän.",
        "> Does the module `old_boat` have tools? No, it has none. This one has two.",
    ),
)
def test_a_denial_of_another_module_leaves_those_of_this_one(text: str) -> None:
    file = read_spec(PATH, f"# Rigging\n\n{text}\n\n{TITLED.replace('####', '##')}")

    assert [tool.contract.name for tool in file.tools] == ["hoist_sail", "reef_sail"]


@each(
    "text",
    (
        "### `hoist_sail` {#hoist}\n\nHoists.\n\n- **Arguments:** `sail` (string)\n\nThe helpers are not exposed.\n",
        "* **Tool `hoist_sail`** — hoists\n  * parameters: `sail: string`\n\nThe dinghy has no tools.\n",
        "Tool name: hoist_sail\nDescription: Hoists.\nParameters: none\n\nTool name: reef_sail\nDescription: Reefs.\n"
        "Parameters: none\n",
    ),
)
def test_tools_beside_a_denial_of_something_else_are_read(text: str) -> None:
    assert [tool.contract.name for tool in read_spec(PATH, f"# Rigging\n\n{text}").tools][:1] == ["hoist_sail"]


@each(
    "text",
    (
        "# Boat tools\n\n- `boat_hoist`, `boat_reef`: change the sails.\n- `boat_anchor`: drops the anchor.\n"
        "- `boat flag`: raises a flag.\n",
        "Other functions as tools:\n\n- `boat_hoist`: raises it.\n- `boat_reef`: reefs it.\n",
    ),
)
def test_a_list_with_several_names_in_an_item_or_without_a_title_is_read(text: str) -> None:
    assert read_spec(PATH, text).text == text
