"""Sentences that deny tools in one case, of a part, or of something else remove none of the tools of a file."""

from __future__ import annotations

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH

FORMS = (
    "## `{name}`\n\nTurns it.\n\n| Parameter | Type | Required | Description |\n|---|---|---|---|\n"
    "| `angle` | `float` | yes | The angle. |\n",
    "## `{name}(angle: float) -> str`\n\nTurns it.\n",
    "## {name}\n\nTurns it.\n\n- `angle` (number, required): The angle.\n",
    '## {name}\n\nTurns it.\n\n```json\n{{"type": "object", "properties": {{"angle": {{"type": "number"}}}}}}\n```\n',
)
CASES = (
    "For visitors, the module has no tools.",
    "For visitors the module has no tools.",
    "On macOS no tools are registered.",
    "In offline mode this module has no tools.",
    "In the sandbox, agents cannot call anything.",
    "Without a license, nothing is exposed to agents.",
    "During a storm this module offers no tools to agents.",
    "While offline, there are no MCP tools.",
    "Before `open_dock` was called, there are no tools here.",
    "With `dry` set, this module registers no tools.",
    "No tools are registered by default.",
    "Tools are never started automatically: switch them on in the settings.",
    "Nothing is exposed over REST.",
)
SUBJECTS = (
    "Trainees get no tools here; they use the radio.",
    "Sub-agents have no tools from this module.",
    "Trial accounts have no access to the tools of this module.",
    "Other modules have no tools for rudders.",
    "The module `keel` has no tools; it only reads what this one writes.",
    "The lite edition of this module has no tools.",
    "The former `oars` package did not expose any tools to agents; this one does.",
    "Private helpers are not listed here, since agents cannot call them.",
    "## Private functions\n\nThe functions in `rudder.core` are internal. They are not MCP tools.",
    "The former tool `paint_hull` is no longer available.",
    "The function `paint_hull` is not a tool.",
    "Not offered as tools: `prime`, `coat`.",
    "Painting (`prime`, `coat`) isn't available as a tool.",
    "`hull_store` keeps the plans and doesn't have tools.",
    "## Internal helpers\n\nThese are not exposed to agents.",
)
LISTED = (
    "- [ ] `paint_hull` (not a tool yet)",
    "- `paint_hull` (no tool)",
    "| Who | Can use |\n|---|---|\n| mate | `turn_wheel` |\n| guest | no tools |",
    "| guest | no tools |\n|---|---|\n| trainee | no tools |",
    "- 0.1: no tools\n- 0.2: `turn_wheel`",
    "* v1 – no tools",
    "Version 1: no tools. Version 2: one tool.",
    "Planned, not tools yet: `prime`, `coat`.",
    "Later, not a tool now: `coat_hull`.",
    "Helpers, not tools: `prime`.",
    "Internal (no tools): `prime_hull`.",
    "gRPC service `Hull` (not exposed as tools):\n\n| rpc | what |\n|---|---|\n| `Paint` | paints |",
    "No function of this module is a tool except one:",
    "None of the functions is a tool but one:",
    "This module has no tools except one:",
    "Without a license: no tools.",
)
SECTIONS = (
    "## Module `hull_mail`\n\nIt has no tools.",
    "## Module `hull_mail`\n\nThis module has no tools.",
    "## `hull_mail`\n\nIt has no tools.",
    "## Passengers\n\nNo tools.",
    "## The plugin\n\nThe plugin does not provide tools.",
    "## Changelog\n\n### 1.0\n\nThis module has no tools yet.",
    "## Related modules\n\n`hull_mail` sends mails. It has no tools.",
    "## Mail\n\nThe mailer is separate. It exposes no tools.",
    "## Version 1\n\nNo tools.",
    "## Submodule: mail\n\nThis submodule exposes no tools.",
    "## Mail service\n\nThis service has no MCP tools.",
    "## When the license expires\n\nThe module has no tools then.",
    "## Functions not exposed to agents\n\n- `scrub(deck)`",
    "## Not available to the assistant\n\n- `scrub(deck)`",
    "## Internal functions\n\nNone of these is exposed as a tool.\n\n- `scrub(deck)`",
    "## Admin API\n\nThe functions below are not exposed as tools.\n\n- `scrub(deck)`",
    "## Tool: none for the anchor\n\nThe mate drops it.",
    "## Pump room\n\nThis part has no tools.",
    "## FAQ\n\n### Does the export have tools?\n\nNo. It is a batch job.",
    "### Does the rudder's export have tools?\n\nNo.",
    "## Pump room\n\nThis feature has no tools.",
    "## Pump room\n\nThis has no tools.",
    "## Pump room\n\nThere are no tools here.",
    "## Pump room\n\nNo tools here.",
    "## Pump room\n\nNone; this has no tools.",
    "## CLI\n\nThe CLI isn't exposed to agents.\n\n### `scrub deck`\n\nScrubs.",
    "## Autopilot disabled\n\nNo tools are registered.",
)
REMARKS = (
    "> The mail module is described elsewhere. It has no tools.",
    "The mail module is separate. It has no tools.",
    "Version 1 of this module has no tools.",
    "In version 1 there were no tools.",
    '"This module has no tools" was true until May.',
    "It is not true that this module has no tools.",
    "The module registers no tools when `RUDDER=off`.",
    "This section lists no tools.",
    "This module calls no tools.",
    "Tools for passengers: none.",
    "Tools that steer: none.",
    "The REST API below is not exposed to agents.",
    "> Passengers have no tools at all.",
    "The library part has no tools. The server part has some.",
    "While moored, the app has no tools. While sailing, it has.",
    "Before departure, no tools are registered. After it, two are.",
    "During a storm, the module exposes no tools.",
    "Without a captain this module has no tools.",
    "The public part of the page has no agent tools.",
    "The module `keel` isn't exposed and has no tools.",
    "- Functions (not tools)",
    "The `keel` package provides no tools.",
    "Moorings cannot be started by an agent; for them no tool exists.",
    "For them no tool exists.",
    "In the trial edition the module runs without tools.",
    "## Not a tool: `scrub_deck`\n\nIt is a route for the crew.",
    "Moorings are manual; no tool exists.",
    "Moorings are manual; for those, no tools exist.",
    "The library `rudder_core` below it has no tools.",
)
OF_ONE = (
    "A tool has no access to the wheelhouse.",
    "The tool is not called again after a refusal.",
    "The log covers tools that were added or removed.",
    "Names are never cut, and tools are never dropped.",
    "Neither tool steers.",
    "Give models without tool calls the text below.",
    "An older chart is accepted, but the tool ignores it.",
    "The headers of a call; {} if it has none.",
    "For a tool without its own license, that of the module counts.",
    "There are no tools for the bilge pump.",
    "The symbols `pump_init` and `pump_free` are no tools, you cannot call them over MCP.",
    "Lifeboats are not launched with a tool and not otherwise.",
    "What an agent cannot do: sail at night.",
    "See also the module of the harbor (which has no tools).",
    "| Prompts | We don't offer any. |",
    "`leakWatch` - no MCP tool, runs by itself.",
    "No tool steers; we don't want agents to drift.",
    "Tools: 3 / Resources: 0 / Prompts: 0",
    "Wracks meldet man nicht hier, Bergung nimmt kein Tool entgegen.",
    "We don't have a tool that reports leaks.",
    "No tool here predicts the swell.",
    "Tools in this module are not available to agents without the scope `crew`.",
    "The `ballast` module is without tools.",
    "`sink_boat` has been removed. It's not a tool any more.",
    "Coverage has no tool of its own.",
    "The module `sail_loft`, upon which it rests, offers no tools.",
    "Agents without the scope `crew` see no tools at all.",
    "Tools dropped in 4.0: `scrub_hull`, `tar_hull`.",
    "## No tool for\n\nAnchoring and mooring.",
    "## Why no tool to anchor\n\nAnchors drag.",
    "## Things that are no tools\n\nThe anchor.",
    "## What agents can't do\n\nAnchor and moor. These have no tools.",
    "## Non-tools\n\nAnchors (`anchor_store`) are not exposed; that module has no MCP tools.",
    "## Other functions\n\n`anchor` and `moor`. They are not tools.",
    "## Tools of submodules\n\n`rudder.trim`: no tools.",
)
AFFIRMED = (
    "Nothing is exposed over HTTP; the tools are served on stdio only.",
    "Agents cannot call the Python API directly; they use the tools.",
    "Agents cannot import this module; they call its tools.",
    "Nothing here is exposed to the web, but agents can call the tools.",
    "The module had no tools in 1.0; it does now.",
)


@each("text", (*CASES, *SUBJECTS, *LISTED, *SECTIONS, *REMARKS, *OF_ONE, *AFFIRMED))
def test_a_denial_in_a_case_or_of_a_part_removes_no_tool(text: str) -> None:
    for form in FORMS:
        tools = "\n".join(form.format(name=name) for name in ("turn_rudder", "lock_rudder"))
        texts = [f"{tools}\n{text}\n"]
        if not text.startswith("#"):
            texts.append(f"{text}\n\n{tools}")
        for body in texts:
            file = read_spec(PATH, f"# MCP Tool Specification: rudder\n\nSteers a boat.\n\n{body}")

            assert [tool.contract.name for tool in file.tools] == ["turn_rudder", "lock_rudder"], body


@each(
    "text",
    (
        "For security reasons, this module has no tools.",
        "For agents, this module has no tools.",
        "For now no tools are registered.",
        "In version 3 no tools are registered.",
        "In this module no tools are registered.",
        "On purpose, nothing here is exposed to agents.",
        "In the `rudder` module there are no tools.",
        "In contrast to `keel`, this module has no tools.",
    ),
)
def test_a_denial_without_a_case_is_of_the_module(text: str) -> None:
    functions = "\n".join(FORMS[1].format(name=name) for name in ("turn_rudder", "lock_rudder"))
    file = read_spec("rudder/MCP_TOOL_SPECIFICATION.md", f"# Rudder\n\nSteers a boat.\n\n{text}\n\n{functions}")

    assert not file.tools


@each(
    "text",
    (
        "Tools are unsupported in this module.",
        "Not exposed.",
        "Exposes: nothing",
        "Library only.",
        "`rudder` has been left out of the agent tool catalog.",
        "Agents don't interact with this module.",
        "No part of `rudder` can be driven by an agent.",
        "Calling any of these from an agent is not possible.",
        "| Module | MCP tools |\n|---|---|\n| rudder | – |",
    ),
)
def test_functions_of_a_module_without_tools_are_not_tools(text: str) -> None:
    for form in FORMS[:3]:
        functions = "\n".join(form.format(name=name) for name in ("turn_rudder", "lock_rudder"))
        file = read_spec("rudder/MCP_TOOL_SPECIFICATION.md", f"# Rudder\n\nSteers a boat.\n\n{text}\n\n{functions}")

        assert not file.tools, form


@each(
    "text",
    (
        "This module never registers a tool.",
        "The tool list of this module is empty.",
        "The number of MCP tools in this module is 0.",
        "## MCP Tools\n\nThere are currently none.",
        "**Q:** Which tools can an agent use from here?\n**A:** None at all.",
        "MCP exposure: disabled.",
        "## Tools\n\n```json\n[]\n```",
        "## Exposed tools\n\n| Name | Description |\n|---|---|\n| _none_ | |",
        "No tool, no plan for a tool.",
        "## Why we have no tools\n\nRudders are steered by people.",
        "The authors do not provide tools.",
        "Not an MCP module: it has no tools.",
        "## Rationale for No Tools\n\nIt is steered by people.",
        "## Why No Tools?\n\nA rudder is steered by people.",
        "## Not exposed\n\nNothing is exposed as a tool in this module.",
        "No function of this module may be offered to a model as a tool, and none is.",
        "The bridge scans for `@mcp_tool` and finds none in this package.",
        "It is not offered as a tool, and neither is anything else in this module.",
        "## MCP Tool Summary\n\n| Kind | Count |\n|---|---|\n| Reading | 0 |\n| Writing | 0 |",
        "By rule 12, boats never carry agent tools, and this module is no exception.",
    ),
)
def test_plain_sentences_say_that_a_module_has_no_tools(text: str) -> None:
    assert read_spec(PATH, f"# Rudder\n\nSteers a boat.\n\n{text}\n").states_no_tools


@each("text", ("None of the commands is available to agents.", "No command is a tool.", "Not available to agents."))
def test_functions_that_code_registers_are_tools(text: str) -> None:
    code = (
        "@mcp.tool()\ndef turn_rudder(angle: float) -> str:\n    ...\n\n@mcp.tool()\ndef lock_rudder() -> str:\n    ..."
    )
    file = read_spec(
        PATH, f"# Rudder\n\nSteers a boat.\n\n```python\n{code}\n```\n\n## Command line\n\n{text}\n\n- `rudder FILE`\n"
    )

    assert [tool.contract.name for tool in file.tools] == ["turn_rudder", "lock_rudder"]


@each(
    "text", ("The module registers none of these functions as a tool.", "None of these functions is exposed as a tool.")
)
def test_the_last_sentence_of_a_file_is_about_all_its_functions(text: str) -> None:
    for functions in (
        "## Functions\n\n- `turn_rudder(angle: float) -> str`: turns it.\n- `lock_rudder() -> None`: locks it.",
        "\n".join(FORMS[0].format(name=name) for name in ("turn_rudder", "lock_rudder")),
    ):
        file = read_spec(PATH, f"# Rudder\n\nSteers a boat.\n\n{functions}\n\n{text}\n")

        assert not file.tools, functions


def test_a_title_may_say_what_tools_do_not_need() -> None:
    tools = "\n".join(FORMS[1].format(name=name).replace("## ", "### ") for name in ("turn_rudder", "lock_rudder"))
    file = read_spec(PATH, f"# Rudder\n\n## Read-only tools (always allowed — no approval)\n\n{tools}")

    assert [tool.contract.name for tool in file.tools] == ["turn_rudder", "lock_rudder"]


@each(
    "title",
    (
        "Rudder MCP Ver.1.0 Tool Contract",
        "Rudder 2.0 tools: contract",
        "Rudder MCP tools 0.9",
        "MCP Phase 0 tools: contract",
    ),
)
def test_a_version_is_no_number_of_tools(title: str) -> None:
    functions = "### `turn_rudder(angle)`\n\nTurns it.\n\n## Part B\n\n### `lock_rudder()`\n\nLocks it."
    file = read_spec(
        PATH, f"# {title}\n\n## 1. Steering\n\n{functions}\n\n## More tools\n\n### `free_rudder()`\n\nFrees it.\n"
    )

    assert [tool.contract.name for tool in file.tools] == ["turn_rudder", "lock_rudder", "free_rudder"]


def test_an_informal_file_loses_no_functions_without_a_word() -> None:
    functions = "### `turn_rudder(angle)`\n\nTurns it.\n\n## More tools\n\n### `free_rudder(angle)`\n\nFrees it."
    text = f"# Rudder tool specification\n\nThe functions of the core are not MCP tools.\n\n## Core\n\n{functions}\n"
    file = read_spec(PATH, text)

    assert [one.name for one in file.functions] == ["turn_rudder"]
    assert {"MC006", "MC028"} <= {found.code for found in lint(Contracts((file,))).diagnostics}


@each(
    "title",
    (
        "Not tools",
        "Helpers (not tools)",
        "2. Not MCP tools",
        "Not exposed as tools",
        "Not exposed",
        "Not available to agents",
        "Unavailable tools",
        "No tools",
        "Functions without a tool",
        "3. Things that are no tools",
    ),
)
def test_functions_below_a_title_that_denies_tools_are_not_tools(title: str) -> None:
    for tools, others in (
        ("- `turn_rudder(angle: float)` - Turns it.", "- `paint(color: string)` - Paints it."),
        ("### `turn_rudder`\n\n- `angle` (number, required): How far.", "### `paint(color: str)`\n\nPaints it."),
    ):
        file = read_spec(PATH, f"# Rudder\n\n## Tools\n\n{tools}\n\n## {title}\n\n{others}\n")

        assert [tool.contract.name for tool in file.tools] == ["turn_rudder"], tools


_INTERNALS = "### `paint(color, coats)`\n\nPaints it.\n\n### `dry_dock(days)`\n\nDries it.\n"


@each("title", ("Internals", "Internal functions", "3. Private helpers"))
def test_internals_beside_tools_are_not_tools(title: str) -> None:
    tools = "### `turn_rudder`\n\n- `angle` (number, required): How far."
    for above in ("## Tools\n\n", "## Exposed as tools\n\n", ""):
        file = read_spec(PATH, f"# Rudder\n\n{above}{tools}\n\n## {title}\n\n{_INTERNALS}")

        assert [tool.contract.name for tool in file.tools] == ["turn_rudder"], above


@each(
    ("said", "expected"),
    (
        ("- expose `turn` as a tool,\n- expose nothing.\n\nWe chose the second option.", 0),
        ("The bridge ignores this folder.", 0),
        ("Steers a boat.", 2),
        ("It has two tools, and paint is unknown to the server.", 2),
    ),
)
def test_internals_alone_are_not_tools_if_text_may_deny_tools(said: str, expected: int) -> None:
    file = read_spec(PATH, f"# Rudder\n\n{said}\n\n## Internals\n\n{_INTERNALS}")

    assert len(file.tools) == expected
    assert len(file.functions) == len(("paint", "dry_dock")) - expected


@each("title", ("Internal tools", "Private endpoints", "Private methods"))
def test_tools_for_internal_use_and_behind_a_login_are_tools(title: str) -> None:
    file = read_spec(PATH, f"# Rudder\n\n## Tools\n\n### turn_rudder\n\n## {title}\n\n{_INTERNALS}")

    assert [tool.contract.name for tool in file.tools] == ["turn_rudder", "paint", "dry_dock"]


@each(
    ("said", "expected"),
    (
        ("`boat` has the tools, rudder_core has none.", True),
        ("The rudder has two tools, hull_core has none.", False),
    ),
)
def test_a_clause_that_names_the_module_plainly_denies_tools(said: str, expected: bool) -> None:
    file = read_spec(PATH, f"# rudder_core: tool specification\n\n{said}\n\n## Functions\n\n{_INTERNALS}")

    assert file.states_no_tools == expected


@each(
    ("text", "about"),
    (
        ("", "Not exposed over MCP."),
        ("", "This function is not a tool. The shipyard calls it."),
        ("**Tools**: `turn_rudder`\n**Not tools**: `paint_hull`, `dry_dock`", "Paints it."),
        ("Not available as tools: `dry_dock` and `paint_hull`.", "Paints it."),
    ),
)
def test_functions_that_are_denied_by_name_are_not_tools(text: str, about: str) -> None:
    for form in FORMS:
        tools = [form.format(name=name) for name in ("turn_rudder", "paint_hull", "lock_rudder")]
        sections = "\n".join((tools[0], tools[1].replace("Turns it.", about), tools[2]))
        file = read_spec(PATH, f"# Rudder\n\n{text}\n\n{sections}")

        assert [tool.contract.name for tool in file.tools] == ["turn_rudder", "lock_rudder"], form
        assert (*file.functions, *file.unread_siblings, *file.unread_tools) == ()


@each("about", ("Not exposed over REST.", "Not available to agents without a license.", "Not a tool that writes."))
def test_functions_that_are_denied_in_a_case_are_tools(about: str) -> None:
    for form in FORMS:
        tools = [form.format(name=name) for name in ("turn_rudder", "paint_hull", "lock_rudder")]
        sections = "\n".join((tools[0], tools[1].replace("Turns it.", about), tools[2]))
        file = read_spec(PATH, f"# Rudder\n\n{sections}")

        assert len(file.tools) == len(tools), form


def test_hidden_functions_without_tools_deny_no_other_tool() -> None:
    rows = "| Name | Type | Required |\n|---|---|---|\n| `boxes` | array | yes |\n"
    text = f"# Pallets\n\nMCP tool: `plan_pallet`\n\nParameters:\n\n{rows}"
    hidden = "\nHidden functions `_pack`, `_rotate`: no tools.\n"

    assert [tool.contract.name for tool in read_spec(PATH, text + hidden).tools] == ["plan_pallet"]
    assert read_spec(PATH, f"{text}\nThis module has no tools.\n").tools == ()


OTHERS = "### `trim(angle: float) -> str`\n\nTrims it.\n\n### `set_trim(angle: float) -> str`\n\nSets it.\n"


def test_a_section_about_something_else_leaves_functions_below_a_plain_title() -> None:
    for text in (*SECTIONS, *REMARKS):
        for form in FORMS:
            tools = "\n".join(f"#{form}".format(name=name) for name in ("turn_rudder", "lock_rudder"))
            file = read_spec(PATH, f"# Rudder\n\nSteers a boat.\n\n## Functions\n\n{tools}\n{text}\n")

            assert [tool.contract.name for tool in file.tools] == ["turn_rudder", "lock_rudder"], text


@each(
    "text",
    (
        "## scrub_deck\n\nRemoved. No tool any more.",
        "## `scrub_deck`\n\nRemoved in 3.0. Not a tool any more.",
        "Submodule `rudder.mail`: no tools.\nSubmodule `rudder.wheel`: two tools.",
    ),
)
def test_what_is_said_of_one_function_or_submodule_leaves_the_others(text: str) -> None:
    for form in FORMS:
        tools = "\n".join(form.format(name=name) for name in ("turn_rudder", "lock_rudder"))
        file = read_spec(PATH, f"# Rudder\n\nSteers a boat.\n\n{tools}\n{text}\n")

        assert [tool.contract.name for tool in file.tools] == ["turn_rudder", "lock_rudder"], form


@each(
    "said",
    (
        "Not a tool (library function).",
        "Not a tool, a library function only.",
        "This is not a tool (library function only).",
        "Mends it. Not a tool (library function only).",
        "Not an MCP tool; library function only.",
        "Internal function, not a tool.",
        "This is a library function only, not a tool.",
    ),
)
def test_a_section_may_say_in_more_words_that_its_function_is_no_tool(said: str) -> None:
    for title in ("## mend_rudder", "## Mending"):
        text = f"# Rudder\n\n{FORMS[0].format(name='turn_rudder')}\n{title}\n\n{said}\n"

        assert [tool.contract.name for tool in read_spec(PATH, text).tools] == ["turn_rudder"], title


@each(
    "title",
    (
        "## Python API\n\nThese are not tools.",
        "## Functions\n\nThe following functions are not exposed as tools.",
        "## Appendix A: no-tool functions",
        "## No tools",
        "## Not tools",
    ),
)
def test_functions_below_a_title_or_a_sentence_that_denies_them_are_no_tools(title: str) -> None:
    file = read_spec(
        PATH, f"# Rudder: tool specification\n\n## Tools\n\n#{FORMS[0].format(name='turn')}\n{title}\n\n{OTHERS}"
    )

    assert [tool.contract.name for tool in file.tools] == ["turn"]
    assert [one for one in lint(Contracts((file,))).shown() if one.code in ("MC016", "MC022")] == []


def test_names_below_a_title_that_denies_tools_are_not_missed() -> None:
    text = f"# Rudder\n\n## Tools\n\n#{FORMS[0].format(name='turn')}\n## No tools\n\n`trim_it` and `set_trim`.\n"

    assert not [one for one in lint(Contracts((read_spec(PATH, text),))).shown() if one.code == "MC016"]
