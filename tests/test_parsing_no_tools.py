"""Files without tools: those that say so, in any words, and those that only seem to."""

from __future__ import annotations

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from tests.sweeps import size, sweep
from tests.tables import each
from tests.texts import PATH

STATED = (
    "This module is devoid of MCP tools.",
    "The MCP server answers `tools/list` with an empty array.",
    '```json\n{"tools": []}\n```',
    "There is nothing an agent can call here.",
    "It offers nothing that a model could call.",
    "The MCP interface for this module has been retired.",
    "For now the module remains tool-less.",
    "Callable surface for models: empty.",
    "Exposed tools: —",
    "Not exposed.",
    "Deprecated: all tools moved to `storage`.",
    "Dieses Modul stellt keine MCP-Werkzeuge bereit.",
    "Ce module n'expose aucun outil MCP.",
    "Este módulo no expone ninguna herramienta MCP.",
    "This module does **not** expose any MCP tools.",
    "This module exposes no functionalities as MCP tools.",
    "The module does not expose any functionalities as MCP tools.",
    "The module does not currently, at least in this release, expose any of its functionality as MCP tools.",
    "No MCP tools are provided by this module.",
    "N/A – internal module",
    "N/A - this is an internal library.",
    "Not applicable.",
    "None.",
    "*None at this time.*",
    "**No tools**",
    "There are no MCP tools in this module.",
    "There are currently no tools defined for this module.",
    "This package has no MCP surface.",
    "This module has no MCP-facing interface.",
    "MCP tools: none",
    "**MCP Tools**: None",
    "Tools: N/A",
    "This is an internal utility library and is not exposed through MCP.",
    "The classes here are not exposed via MCP.",
    "Nothing in this module is exposed to agents.",
    "No functions of this module are registered as tools.",
    "This module doesn't expose tools directly.",
    "It isn't exposed over MCP.",
    "This module is not MCP-enabled.",
    "No `@mcp_tool` decorators are present in this module.",
    "This module contains no `@mcp_tool` definitions.",
    "The `logging` module provides infrastructure only; it does not register MCP tools.",
    "MCP exposure: none.",
    "Tool count: 0",
    "0 tools",
    "This module exposes zero MCP tools.",
    "Currently there are no plans to expose tools from this module.",
    "This submodule provides no MCP tools of its own; see the parent module.",
    "This module does not itself define tools; tools are defined in the parent module.",
    "All MCP tools for this package live in the parent module.",
    "MCP tools for this submodule are defined in [`../MCP_TOOL_SPECIFICATION.md`](../MCP_TOOL_SPECIFICATION.md).",
    "The module is a library without any MCP tools.",
    "No tools are available yet.",
    "No tools yet.",
    "MCP tools have not been implemented for this module.",
    "MCP tools are not yet implemented.",
    "MCP integration is planned but not available.",
    "MCP tools will be added in a future release.",
    "Tool specifications will be added when the module exposes tools.",
    "This module intentionally exposes no tools to the Model Context Protocol.",
    "This module offers no agent-callable tools.",
    "It defines neither tools nor resources.",
    "The module never exposes tools to LLM agents.",
    "As of version 1.2, no public tool is offered by this module.",
    "No tool is exposed.",
    "This module does not provide Model Context Protocol (MCP) tools.",
    "This module does not define any Model Context Protocol (MCP) tools directly.",
    "This module is not intended to be called through the Model Context Protocol.",
    "The module is internal and has no tools.",
    "The functions are for internal use and are not available as MCP tools.",
    "These utilities are not suited for exposure as Model Context Protocol (MCP) tools.",
    "Direct MCP exposure is not supported.",
    "There is no MCP tool specification for this module.",
    "No specification needed: this module has no MCP tools.",
    "This document is intentionally empty: nothing here is exposed via MCP.",
    "The module does not have MCP tools at this time.",
    "The module does not ship with any MCP tools.",
    "We do not expose MCP tools here.",
    "MCP tools - none defined",
    "Status: not exposed via MCP",
    "**Status**: No MCP tools",
    "**Status**: Internal only",
    "This module lacks MCP tools.",
    "The module has not yet registered any tools with the MCP server.",
    "No MCP-exposed functionality.",
    "No MCP endpoints.",
    "The module is without MCP tools.",
    "This module operates without exposing MCP tools.",
    "This module currently does not implement MCP tools.",
    "Since it is a type library, there is nothing to call.",
    "This module provides shared types; it is not callable through MCP.",
    "The tool surface of this module is empty.",
    "The list of tools is empty.",
    "Keine.",
    "This module does not directly expose MCP tools, but its functions are used by other tools.",
    "Not MCP-exposed.",
    "This module only provides Python APIs and does not include tools for MCP.",
    "This module is consumed by others and doesn't surface tools.",
    "The module's tools were removed in 2.0.0.",
    "All tools of this module have been removed.",
    "This module has been deprecated and no longer exposes tools.",
    "This module no longer provides any MCP tools.",
    "The scheduler is a pure library: agents reach it only through the `jobs` module.",
    "At present, **no** callable tools are surfaced to MCP clients.",
    "MCP: not applicable (infrastructure module).",
    "This module's functionality is consumed programmatically and hasn't been wrapped as MCP tools.",
    "The `crypto` package deliberately keeps its API out of the MCP layer.",
    "Exposed tools: *(none)*",
    "| Tools | 0 |",
    "- **Tools**: none currently registered",
    "> This module has no tools to specify.",
    "Because these are base classes, they aren't something an agent would call.",
    "No tool definitions exist.",
    "This module, being a collection of type definitions, does not itself expose anything through MCP.",
    "Not available via MCP.",
    "MCP Tool Status: Not implemented",
    "Tool exposure is out of scope for this module.",
    "There are none.",
    "The module has been kept free of MCP tools by design.",
    "The templates in this folder are not tools.",
    "This directory holds test fixtures and provides no callable surface.",
    "As an abstract interface package, it registers nothing with the MCP bridge.",
    "No direct MCP integration.",
    "This module does not implement the MCP protocol.",
    "The package is a thin wrapper and leaves tool registration to `orchestrator`.",
    "No specific MCP tools are defined for the `utils` module at this moment.",
    "MCP tool support: No",
    "There's no MCP tool here.",
    "This module isn't MCP enabled; use the Python API.",
    "Tools will be documented here once they exist.",
    "This module is not yet integrated with MCP.",
    "*(No tools)*",
    '"No MCP tools"',
    "None of the functions in this module are exposed as MCP tools.",
    "None of these functions are tools.",
    "Only Python callers are supported; MCP is not.",
    "The MCP surface of this module is intentionally empty.",
    "The module does not have an `mcp_tools.py`.",
    "There is no `mcp_tools.py` in this module.",
    "`mcp_tools.py`: absent",
    "This module is exempt from tool specification.",
    "No public MCP API.",
    "We have decided against offering this module to agents.",
    "The codec has no operations for language models.",
    "Callers use the Python API; MCP access is blocked.",
    "This package's API is for developers, not for agents.",
    "No tool specification applies to this module.",
    "This module is a dependency of others and adds no tools of its own.",
    "Tools are not part of this package.",
    "The module registers 0 tools.",
    "Agents cannot call this module directly.",
    "This module (an abstract base) has, by its nature, no MCP tools.",
    "MCP tool definitions: pending.",
    "*This module currently has **no** MCP tool definitions.*",
    "There is nothing for an agent to call here.",
    "MCP exposure has been postponed.",
    "Exposure as MCP tools is not planned.",
    "No entries.",
    "Out of scope: MCP tools.",
    "These helpers stay private; the MCP bridge does not see them.",
    "This module does not participate in MCP tool discovery.",
    "Auto-discovery finds no tools here.",
    "Tools have been deliberately omitted: `cache` runs before the server is up.",
    "We removed the last tool (`cache_run`) in v1.3.",
    "We looked at the candidates below and exposed none of them as a tool.",
    "Agents cannot invoke anything in `cache`; it is imported by other code.",
    "It has yet to define its first MCP tool.",
    "This module's MCP tool list is intentionally left blank.",
    "All tools that used to live here now belong to [`jobs`](../jobs/MCP_TOOL_SPECIFICATION.md).",
    "The tools section is empty because the module is a pure data package.",
)
ABSENT = (
    "**Tools exposed**: 0",
    "Tool definitions: to come. At present the module offers none.",
    "The `@mcp_tool` decorator is not used anywhere in this module.",
    "Tools have been deliberately omitted: `cache` runs before the MCP server is up.",
)


NOT_STATED = (
    "There are no write tools.",
    "No tool mutates state.",
    "All tools are read-only; no write tools are exposed.",
    "It exposes exactly one tool, `cache_status`. The phase passed its tests without exposing mailbox tools.",
    "No tools other than a browser are needed.",
    "No special tools are required to build it.",
    "No power tools needed.",
    "Nothing has changed in the tools since last year.",
    "Lists free seats provided as MCP tools.",
    "The tool has no side effects.",
    "It does not modify the tool's state.",
    "This has no effect on other tools.",
    "The tool is not thread-safe.",
    "Do not call these tools in production.",
    "Tools must not be invoked without a token.",
    "Returns no data when the tool fails.",
    "This document specifies the MCP tools exposed by the cache module.",
    "All tools are auto-discovered via the decorator.",
    "The tool does not cache anything.",
    "If no city is given, the tool uses the default.",
    "The MCP server must be running; it is not started here.",
    "These tools require no authentication.",
    "No authentication is needed to call the tools.",
    "The tool returns nothing.",
    "Use this tool when no other tool fits.",
    "Exposes three tools to agents.",
    "Errors are not retried.",
    "The tools do not support pagination.",
    "The tool is not idempotent.",
    "MCP tools return JSON, never text.",
    "The tool fails if its list is empty because nothing matched.",
    "The tool returns an error when the queue is empty since it has nothing to do.",
    "Tools have deliberately omitted nulls.",
    "There is deliberately no signature, payment, or approval MCP tool.",
    "Do the tools return errors? They do not.",
    "Not a single tool needs the network.",
)


@each(
    "sentence",
    [
        "Not a single tool is registered by this package.",
        "As of today, MCP tools are absent from `tides`.",
        "Agent surface: none",
        "None of the classes carry the `@mcp_tool` decorator, so no tools are generated.",
        "You will not find a single tool in `tides`.",
    ],
)
def test_a_file_may_say_it_next_to_a_table_of_settings(sentence: str) -> None:
    settings = (
        "## Settings\n\n| Key | Type | Default | Description |\n|---|---|---|---|\n| `depth` | integer | 3 | Depth. |\n"
    )

    assert read_spec(PATH, f"# Tides tools\n\n## Tool list\n\n{sentence}\n\n{settings}").states_no_tools


def test_a_file_may_say_in_many_words_that_it_has_no_tools() -> None:
    text = (
        "# Cache - MCP Tool Specification\n\n**Version**: 1.0 | **Status**: Active\n\n## Overview\n\n"
        "The module keeps values for a while.\n\n## Available Tools\n\nSENTENCE\n\n"
        "## Navigation\n\n- [README](README.md)\n"
    )

    missed = [one for one in STATED if not read_spec(PATH, text.replace("SENTENCE", one)).states_no_tools]

    assert missed == []


@each("sentence", ABSENT)
def test_a_file_may_say_it_below_a_title_about_tools(sentence: str) -> None:
    assert read_spec(PATH, f"# Cache - MCP Tool Specification\n\n{sentence}\n").states_no_tools


@each(
    "table",
    [
        "| # | Name | What it does | Arguments |\n|---|---|---|---|\n| 1 | `box_open` | Opens it | – |\n",
        "| Tool | `arm_home` |\n|---|---|\n| Description | Moves it |\n| Inputs | none |\n",
    ],
)
def test_a_cell_of_a_tool_does_not_deny_all_tools(table: str) -> None:
    read = read_spec(PATH, f"# Tools\n\n{table}")

    assert not read.states_no_tools
    assert len(read.tools or read.unread_tools) > 0


@each(
    "text",
    [
        "## Tool Inventory\n\nThe inventory is empty.",
        "`tools/list` returns an empty array for this module.",
        "The server answers `tools/list` with `[]`.",
        "This module is excluded from MCP discovery.",
        "Tools are yet to be defined for this module.",
        "Tool support: ❌",
        "MCP integration is disabled for this module; no tools are advertised.",
        "1. Name: tides\n\n## Interface for agents\n\nDoes this module offer MCP tools? It does not.",
        "The specification of tools does not apply to this module.\n\n## Python\n\n```python\ndef open(path): ...\n```",
        '## Tools\n\nNone.\n\n## Format\n\n```json\n{"name": "tool_name", "inputSchema": {"type": "object"}}\n```',
    ],
)
def test_a_file_may_say_it_in_a_word_or_two(text: str) -> None:
    assert read_spec(PATH, f"# Tides\n\n{text}\n").states_no_tools


def test_the_content_of_a_table_of_tools_outranks_a_remark() -> None:
    text = "## Tools\n\n<table>\n<tr><th>Tool</th></tr>\n<tr><td><code>tide_next</code></td></tr>\n</table>\n\n"
    text += "`tides-mcp` is a project of its own and is not affiliated with the harbour, and provides no MCP for it.\n"

    read = read_spec(PATH, f"# Tides\n\n{text}")

    assert not read.states_no_tools
    assert [mention.name for mention in read.unread_tools] == ["tide_next"]


def test_no_other_tools_are_not_none() -> None:
    text = (
        "# Tides\n\n## MCP Tools\n\n| Name | Description |\n|---|---|\n| [`tide_next`](#a) | Finds the next tide. |\n\n"
    )

    assert not read_spec(PATH, f"{text}No other tools are planned.\n").states_no_tools


def test_the_tools_of_related_modules_are_not_those_of_the_file() -> None:
    text = "No tools.\n\n## Related modules\n\n- `gateway`: exposes the tools `gateway.run` and `gateway.stop`\n"

    assert read_spec(PATH, f"# Tides\n\n{text}").unread_tools == ()


PYTHON = """
## Python API

```python
from app.yarn import load
```

| Function | Description |
|---|---|
| `load` | Reads. |
"""


@each(
    ("heading", "sentences"),
    [
        (
            "Purpose",
            (
                "N/A. The module is consumed through Python imports only.",
                "None - consumed through imports.",
                "Does not apply: this is plumbing.",
                "Used by other modules only.",
                "Python imports only.",
                "This section intentionally left blank.",
                "This is a pure library.",
                "Not a single tool is defined here.",
                "`yarn` stays off MCP.",
                "❌",
            ),
        ),
        (
            "Tools",
            (
                "There aren't any.",
                "The list of tools is intentionally left blank.",
                "The module's `mcp_tools.py` is empty and no tools are discovered.",
                "No tools are shipped, documented or planned.",
                "An MCP client that lists the tools of this module receives `[]`.",
                "As of March 2026 no MCP tool has been written for `yarn`.",
                "It does not register anything.",
                "`tools = ()`",
            ),
        ),
        (
            "Status",
            (
                "We have yet to add any tools.",
                "Everything here is internal plumbing, so the MCP layer skips this module.",
                "`yarn` has been retired from the MCP surface. Callers use the REST API.",
                "`yarn` is consumed by `flows`, which owns the tools. Here, none are declared.",
                "None of the functions in `yarn` meets the criteria for a tool, so none is exposed.",
                "Calls from agents are refused.",
                "The former tools were folded into `billing`.",
                "For tools, see the `gateway` module.",
                "This page documents the absence of tools.",
                "Tool exposure is deferred to a later release.",
                "Tools would need a wire format, which `yarn` lacks; hence it offers none.",
                "`yarn` refrains from offering tools.",
                "No callable tools are associated with `yarn`.",
            ),
        ),
    ],
)
def test_any_negation_about_the_module_counts_where_nothing_looks_like_a_contract(
    heading: str, sentences: tuple[str, ...]
) -> None:
    texts = {one: f"# Yarn - MCP Tool Specification\n\n## {heading}\n\n{one}\n{PYTHON}" for one in sentences}

    assert [one for one, text in texts.items() if not read_spec(PATH, text).states_no_tools] == []
    contract = "\n### Input Schema\n\n```json\n{}\n```\n"
    assert not read_spec(PATH, f"# Yarn - MCP Tool Specification\n\n## Purpose\n\nPrivate.\n{contract}").states_no_tools


def test_the_functions_of_a_table_with_one_that_code_imports_are_no_tools() -> None:
    text = (
        "# MCP tools of `yarn`\n\n`pack()` is not an MCP tool.\n\n```python\n{}\n```\n\n"
        "| Function | Purpose |\n|---|---|\n| `open_store` | Opens it. |\n| `close_store` | Closes it. |\n"
    )

    assert read_spec(PATH, text.format("from yarn import open_store")).unread_tools == ()
    assert len(read_spec(PATH, text.format("yarn.start()")).unread_tools) == 2


ABROAD = (
    "Il modulo non espone strumenti MCP.",
    "Este módulo não expõe ferramentas MCP.",
    "Модуль не предоставляет инструментов MCP.",
    "このモジュールはMCPツールを提供しません。",
    "该模块不提供任何 MCP 工具。",
    "이 모듈은 MCP 도구를 제공하지 않습니다.",
    "Esta librería no registra herramientas.",
    "Ce paquet est interne ; il ne fournit pas d'outils.",
    "Das Modul hat keine Werkzeuge.",
    "Deze module biedt geen MCP-tools aan.",
    "Moduł nie udostępnia narzędzi MCP.",
    "Modulen har inga MCP-verktyg.",
    "Bu modül MCP araçları sunmuyor.",
    "Modulul nu are unelte MCP.",
    "Aucun.",
    "なし",
    "(intentionally left empty)",
    "The module re-exports `http` and has no MCP tools beyond those documented in [http](../http/SPEC.md).",
)


def test_a_file_may_say_it_in_other_languages() -> None:
    text = "# Cache - MCP Tool Specification\n\n## MCP Tools\n\nSENTENCE\n"

    missed = [one for one in ABROAD if not read_spec(PATH, text.replace("SENTENCE", one)).states_no_tools]

    assert missed == []


@each(
    "text",
    [
        "# 工具\n\n以下是 MCP 工具:\n\n- 查找笔记\n",
        "# 조회 MCP Tool 명세\n\n저장된 데이터를 조회한다.\n",
        "# 조회 MCP Tool 명세\n\n저장된 데이터를 MCP 로 조회할 수 있도록 노출한다. backend-spec.md 를 읽는다.\n",
    ],
)
def test_a_file_in_another_language_whose_tools_are_not_read_does_not_say_that_it_has_none(text: str) -> None:
    file = read_spec(PATH, text)

    assert not file.states_no_tools
    assert "MC004" in [one.code for one in lint(Contracts((file,))).shown()]


def test_a_sentence_about_a_tool_does_not_deny_all_tools() -> None:
    text = "# Cache - MCP Tool Specification\n\n## Overview\n\nIt keeps values.\n\n## Weather tool\n\nSENTENCE\n"

    misread = [one for one in NOT_STATED if read_spec(PATH, text.replace("SENTENCE", one)).plainly_has_none]

    assert misread == []


def test_a_weak_statement_does_not_hold_next_to_a_table_of_parameters() -> None:
    weak = "# a\n\nMore tools are planned.\n\n"

    assert read_spec(PATH, weak).states_no_tools
    assert not read_spec(
        PATH, f"{weak}## Weather\n\n| Parameter | Type |\n|---|---|\n| city | string |\n"
    ).states_no_tools


@sweep
@each("unit", ["no ", "tools not ", "not expos. ", "[a](", " *"])
def test_a_hostile_text_is_read_within_a_bound(unit: str) -> None:
    text = "#" * (unit == " *") + unit * size(20_000, 4)

    assert read_spec(PATH, f"# a\n\n{text}").tools == ()


@each(
    "sentence",
    [
        "No tools are deprecated.",
        "No tool needs the network.",
        "No tool writes to the disk.",
        "No tools are marked experimental in this release.",
        "No tool may be called without a token.",
        "You need no special tools to build this package.",
    ],
)
def test_a_sentence_about_existing_tools_does_not_deny_them(sentence: str) -> None:
    assert not read_spec(PATH, f"# Tides\n\n{sentence}\n").plainly_has_none


def test_a_table_may_deny_all_tools_below_any_heading() -> None:
    text = "# Fleet\n\nShared code.\n\n| Tool | Description |\n|---|---|\n| *none* | – |\n"

    assert read_spec(PATH, text).states_no_tools
    assert not read_spec(PATH, text.replace("*none*", "fleet list")).states_no_tools


@each(
    ("text", "names"),
    [
        (
            "# 视频\n\n## 工具\n\n| 工具 | 说明 |\n|---|---|\n| `video_get` | 读取 |\n| `video_ban` | 停用 |\n\n"
            "其他工具不受影响。\n",
            ["video_get", "video_ban"],
        ),
        (
            "# Libros\n\n## Herramientas\n\n| Herramienta | Qué hace |\n|---|---|\n| `libro_abrir` | Abre. |\n\n"
            "Los tests fijan cada herramienta para que no se rompan.\n",
            ["libro_abrir"],
        ),
        (
            "# Loft\n\nLoft exposes **79 MCP tools**. Its edge isn't the kernel: every operation is over MCP.\n",
            [],
        ),
        ("# 接口\n\n提供 80+ MCP 工具。\n\n预设环境，工具集 session 内不变。\n", []),
        (
            "# Loft\n\n## Template tools\n\n- `bale_add`: adds\n- `bale_get`: gets\n\n"
            "## Not exposed via MCP\n\n- uploads\n- mails\n",
            ["bale_add", "bale_get"],
        ),
        (
            "# Loft\n\n## MCP Tools\n\n- `bale_add(x)`: adds\n- `bale_get`: gets\n\nIt never hooks into MCP clients.\n",
            None,
        ),
    ],
)
def test_a_denial_of_something_else_does_not_count_if_the_text_counts_or_names_tools(
    text: str, names: list[str] | None
) -> None:
    read = read_spec(PATH, text)

    assert not read.states_no_tools
    assert names is None or [tool.contract.name for tool in read.tools] == names


def test_names_below_a_title_about_former_tools_are_not_those_of_the_file() -> None:
    former = "# Loft\n\n## Deprecated tools\n\n`bale_add`\n\n`bale_get`\n\n"
    text = f"{former}## Today\n\nThis module is excluded from MCP discovery.\n"

    assert read_spec(PATH, text).states_no_tools


@each(
    "text",
    [
        "# Tree: MCP Tool Specification\n\n## MCP Tools\n\nThere are no MCP tools here; see below.\n\n## API\n\n"
        "### `build_index(points)`\n\nBuilds a tree.\n\n### `find_nearest(point, k=5)`\n\nReturns points.\n",
        "# Geo: MCP Tool Specification\n\nThere are no MCP tools in this package.\n\n## Python Interface\n\n"
        "### `build_index(points)`\n\nBuilds a tree.\n\n### `find_nearest(point, k=5)`\n\nReturns points.\n",
        "# Vault: MCP Tool Specification\n\nNone of the functions in this package are available as MCP tools.\n\n"
        "## Functions\n\n- `seal(data: bytes) -> bytes`: seals\n- `open_seal(data: bytes) -> bytes`: opens\n",
    ],
)
def test_functions_below_a_plain_denial_are_not_tools(text: str) -> None:
    file = read_spec(PATH, text)

    assert file.states_no_tools
    assert not file.tools


@each(
    "text",
    [
        "# Notes\n\nIt exposes no tools that need a key.\n\n## `notes_find`\n\nFinds.\n\n- `word` (string): A word\n",
        "# Notes\n\nThe beta exposes no tools.\n\n## Tools\n\n### `notes_find`\n\nF.\n\n- `word` (string): A word\n",
    ],
)
def test_a_denial_of_some_tools_or_next_to_a_title_about_tools_removes_none(text: str) -> None:
    assert [tool.contract.name for tool in read_spec(PATH, text).tools] == ["notes_find"]


def test_a_long_list_of_names_is_not_denied_loosely() -> None:
    names = "".join(f"- `site_form_{number}`: write; hosted\n" for number in range(20))
    text = f"# Site: MCP Tool Specification\n\nThe two never appear on one page.\n\n{names}"

    assert not read_spec(PATH, text).plainly_has_none


FUNCTIONS = (
    "## Python API\n\n### `load_config(path: str) -> dict`\n\nLoads it.\n\n### `merge(a: dict)`\n\nMerges.\n",
    "## Functions\n\n- `load_config(path)`: Loads it.\n- `merge(a, b)`: Merges two.\n",
    "## API Reference\n\n**`load_config(path: str) -> dict`**\n\nLoads it.\n\n**`merge(a: dict)`**\n\nMerges.\n",
    "## `load_config`\n\n`load_config(path: str)`\n\nLoads it.\n\n## `merge`\n\n`merge(a: dict)`\n\nMerges.\n",
)


@each("functions", FUNCTIONS)
@each(
    "said",
    [
        "This module registers no tools with the MCP server.",
        "Does this module expose MCP tools? No.",
        "The module exposes no MCP tools, because every call would need a session.",
        "There are no tools; the module only reads configuration.",
        "No operation is offered as an MCP tool.",
        "## Tools\n\nNone.",
        "## MCP Tools\n\n- None",
        "## MCP\n\nAt the moment there are none.",
        "MCP support has not been added to this module.",
        "For now the MCP layer skips this module.",
        "Agents can't reach anything in this package.",
    ],
)
def test_functions_of_code_are_not_tools_where_tools_are_denied(said: str, functions: str) -> None:
    file = read_spec(PATH, f"# Settings\n\n{said}\n\n{functions}")

    assert (file.states_no_tools, file.tools, file.functions) == (True, (), ())


@each("functions", FUNCTIONS[:-1])
@each(
    "said",
    [
        "Other modules contribute tools to the server; this one contributes none.",
        "Exposing these helpers to agents was considered and rejected.",
        "Plugins may register tools at run time, but the plugin system itself does not define a single one.",
        "It stores the tools that other modules register. It doesn't register any itself.",
    ],
)
def test_functions_of_code_are_reported_as_such_where_tools_may_be_denied(said: str, functions: str) -> None:
    file = read_spec(PATH, f"# Settings\n\n{said}\n\n{functions}")

    assert [found.code for found in lint(Contracts((file,))).diagnostics] == ["MC028"]
    assert [mention.name for mention in file.functions] == ["load_config", "merge"]
    assert file.denial is not None
    assert file.denial.line == 3


@each(
    "text",
    [
        "# Search tools\n\nThere are no tools for deletion.\n\n| Tool | Description |\n|---|---|\n| `find_it` | F. |\n",
        "# Queue tools\n\nNo tools are available offline.\n\n## `find_it`\n\nFinds.\n\n- `word` (string): A word\n",
        "# Lamps\n\n## Lights\n\n### find_it\n\nFinds.\n\n**Input schema:**\n\n"
        '```json\n{"type": "object", "properties": {"word": {"type": "string"}}}\n```\n\n'
        "## Doors\n\nThere are no tools for doors yet.\n",
        "# Ledger\n\nThis module does not expose any tools other than `find_it`.\n\n## `find_it`\n\nFinds.\n\n"
        "Parameters:\n\n| name | type | required |\n|---|---|---|\n| word | string | yes |\n",
        "# Words\n\nAre there tools that change data? No.\n\n## Available tools\n\n"
        "- `find_it` - finds a word; parameters `word` (string)\n",
        "# Words\n\nNo tools are exposed to the public internet.\n\n## Available MCP Tools\n\n### Finding\n\n"
        "#### `find_it`\n\nFinds.\n\n**Parameters**\n\n- `word` (string): A word\n",
        "# Words\n\nThere is no tool for the volume.\n\n## Available MCP Tools\n\n* `find_it` — finds (`id`: string)\n",
        "# Words\n\n## Available MCP Tools\n\n- **`find_it`**: Finds. Parameters: a word\n\nOptional tools: none.\n",
        "# Stock MCP tools\n\nWrite operations are not exposed as tools.\n\n## `find_it`\n\nFinds.\n\n"
        "### Parameters\n\n| Name | Type | Required |\n|---|---|---|\n| `word` | string | yes |\n",
        "# Stock MCP tools\n\nThe core has no tools, the server exposes these:\n\n## `find_it`\n\nFinds.\n\n"
        "### Parameters\n\n| Name | Type | Required |\n|---|---|---|\n| `word` | string | yes |\n",
        "# Words\n\n## Tools\n\nNo key is needed.\n\n- `find_it`: finds a word\n",
    ],
)
def test_a_denial_of_something_else_removes_no_tool(text: str) -> None:
    assert [tool.contract.name for tool in read_spec(PATH, text).tools] == ["find_it"]


def test_a_section_about_tools_in_a_long_document_says_that_there_are_none() -> None:
    text = "It routes requests by their path.\n\n" * 80
    text = f"# Router\n\n{text}## MCP\n\nNothing in it is callable as a tool.\n"

    assert read_spec(PATH, text).states_no_tools


def test_planned_tools_below_a_denial_are_not_tools() -> None:
    text = "## Tools\n\nNo tools exist yet. The following are planned:\n\n- `a_draft`: drafts\n- `a_send`: sends\n"

    assert read_spec(PATH, f"# Mail\n\n{text}").states_no_tools


@each(
    "said",
    [
        "`quoin` is for browsers; the MCP server can't reach it and no tools are derived from it.",
        "Please note that the module is kept out of the tool catalog.",
        "The release bot starts it; you can't call it as a tool.",
        "Rather than exposing MCP tools, it supplies base classes.",
        "If you look for the tools of mail, see [mail](../mail/README.md). This package does not have any.",
    ],
)
def test_a_denial_that_may_be_misread_is_a_note_in_a_document_with_parameters(said: str) -> None:
    text = (
        "## API\n\n### `createClient(options?: Options): Client`\n\n#### Parameters\n\n- `url` (string): The address\n"
    )

    file = read_spec(PATH, f"# quoin\n\n{said}\n\n{text}")

    assert file.states_no_tools
    assert {found.code for found in lint(Contracts((file,))).diagnostics} <= {"MC028"}


def test_only_functions_below_titles_about_code_are_told_from_tools() -> None:
    tools = "## Tools\n\n### `robots.move`\n\nMoves.\n\n- `to` (string, required): A place\n\n"
    functions = "## Python API\n\n### `connect(url: str)`\n\nConnects.\n\n### `close_all(force: bool)`\n\nCloses.\n"

    file = read_spec(
        PATH, f"# Robots\n\nThe rest of the API is Python only and not available as tools.\n\n{tools}{functions}"
    )

    assert [tool.contract.name for tool in file.tools] == ["robots.move"]
    assert [mention.name for mention in file.functions] == ["connect", "close_all"]
    assert not file.states_no_tools


PLAIN = (
    "This module has no tools.",
    "The module does not define any MCP tools.",
    "No MCP tools are currently defined in this module.",
    "There are no tools in this package.",
    "Tools: none",
    "| MCP tools | none |\n|---|---|",
    '```json\n{"tools": []}\n```',
    "## Tools\n\nNone at the moment.",
    "Q: Which tools does this module have?\n\nA: None, it only converts units.",
    "Q: Does it expose any MCP tools?\nA: No.",
    "Which MCP tools are there? There are none.",
    "The module does not expose any functionalities as MCP tools.",
    "This module deliberately does **not** offer any MCP (Model Context Protocol) tools.",
    "This feature exposes no MCP tools of its own.",
    "This module does not expose tools to LLMs or agents.",
    "This module neither defines nor registers MCP tools.",
    "No MCP tool specifications exist for this module.",
    "There are no tools to document here.",
    "It doesn't register any tools with the MCP server.",
    "The module does not yet have any MCP tools defined, but may add some later.",
    "As a small library, it does not define tools that can be called by LLMs.",
    "Because the code only reads files, it does not offer any tool for use by agents.",
    "This file records that the module no longer exposes MCP tools.",
    "There's no MCP tool in this package; import it from Python.",
    "Please note: no MCP tools are exposed from here.",
    "## Tools Exposed via MCP\n\n_None_",
    "To be clear, this module has no MCP tools.",
    "At the time of writing there are no MCP tools for this module.",
    "This module doesn't define any tools for agents to call.",
    "No MCP tools are associated with this module.",
    "No MCP tools have been defined for this module, which is called by others.",
    "- Exposes no MCP tools; imported by others",
    "This module never registers tools with the server.",
    "It offers a Python API but no MCP tools.",
    "None of its functions can be called by an agent.",
    "All MCP tools of this module were removed in version 2.0.",
    "As of version 1.3, this module neither has nor needs MCP tools.",
    "The module cannot be invoked as an MCP tool.",
    "There are no tools that an agent can invoke.",
    "No tool contracts are defined for this module.",
    "## MCP tools\n\n```text\n(none)\n```",
    "## MCP tools of this module\n\nNone. Other modules import it.",
    "This package has no user-facing or agent-facing tools as it is internal.",
    "MCP tools have not been written for this module.",
    "For legal reasons, the functions of this module are not exposed as MCP tools.",
    "Q: Which tools does this module have?\n\nA: None whatsoever.",
    "- **Exposes MCP tools**: No",
    "> [!WARNING]\n> This module does not expose MCP tools.",
    "## MCP Tools\n\nNot implemented yet.",
    "**MCP tools:** This module does not define any.",
    "## Tool endpoints\n\nNot applicable to this module.",
    "## Tools\n\nNone are defined.",
    "## Tools\n\nNope.",
    "## MCP tools\n\n| Tool | Purpose |\n|---|---|",
    "```yaml\nmodule: units\ntools: []  # a library\n```",
    "Dieses Modul stellt keine MCP-Tools bereit.",
    "| Capability | Supported |\n|---|---|\n| Tools | ❌ |",
    "Mind that the unit helpers are deliberately kept out of the tool registry.",
    "We have not written any MCP tools for these units.",
    "It has no tool interface, sorry.",
    "The absence of MCP tools in this package is on purpose.",
    "`tools/list` yields an empty array.",
    "There is nothing for agents to call in it.",
    "For safety, it is kept off the MCP surface.",
    "## Tools\n\nDoes not apply: it is compiled into other programs.",
    "## Tools\n\nLeft out on purpose.",
    "Toolless module: import it.",
    "There is nothing in this module that an agent can call as a tool.",
    "None of the functions documented here can be invoked through MCP.",
    "The functions are Python-only; MCP tool wrappers do not exist.",
    "This document describes a module without MCP tools.",
    "Not a single function of this package has been made available as an MCP tool.",
    "We deliberately keep this module out of the MCP registry.",
    "MCP tool coverage: 0 of 4 functions.",
    "As a guest, it does not define any tools.",
)


@each("functions", ["", *FUNCTIONS])
@each("said", PLAIN)
def test_a_plain_denial_is_silent(said: str, functions: str) -> None:
    file = read_spec(PATH, f"# Units\n\n{said}\n\n{functions}")

    assert (file.plainly_has_none, file.denial, file.tools) == (True, None, ())
    assert lint(Contracts((file,))).diagnostics == ()


ITEMS = "## Key parts\n\n- `send_event(topic)`: sends\n- `stop_bus()`: stops\n"


@each("functions", [ITEMS, *FUNCTIONS])
@each(
    "said",
    [
        "## Why it has no tools\n\nUnits are converted by the callers.",
        "All tools that once were here moved to `scales`; this module has none left.",
        "While extensions may add tools, the core itself exposes none.",
        "In short, it is a small library without any MCP tools.",
        "This module isn't an MCP module.",
        "## MCP Tools\n\nTools may follow later. For now, there are none.",
        "All tools were removed from the package in spring.",
        "These conversions must be imported; they can't be called over MCP.",
    ],
)
def test_functions_next_to_any_other_denial_are_named(said: str, functions: str) -> None:
    file = read_spec(PATH, f"# Units\n\n{said}\n\n{functions}")

    assert [found.code for found in lint(Contracts((file,))).diagnostics] == ["MC028"]
    assert file.functions


@each(
    "said",
    [
        "The helpers are not exposed.",
        "No tool needs a key.",
        "This module has no tools.",
        "No tools are defined for scales.",
        "## Tools of the future\n\nNone.",
    ],
)
def test_a_tool_below_a_title_about_tools_is_never_removed(said: str) -> None:
    text = f"# Units\n\n{said}\n\n## Tools\n\n### `units_convert`\n\nConverts.\n\n- `value` (number): A value\n"

    assert [tool.contract.name for tool in read_spec(PATH, text).tools] == ["units_convert"]


def test_a_plain_denial_of_another_module_is_not_silent() -> None:
    text = "# Units\n\nThe `scales` module has no tools.\n\n## Convert\n\n### `convert(value: float)`\n\nConverts.\n"

    file = read_spec(PATH, text)

    assert not file.plainly_has_none
    assert len(file.tools) + len(file.functions) == 1


@each(
    "sentence",
    [
        "The tool has no side effects, and this module exposes no write tools.",
        "We do not expose the parser as a tool, because its output is too large.",
        "For now, the MCP server skips the admin part of this module.",
    ],
)
def test_a_sentence_about_other_functions_leaves_the_tools_below_plain_titles(sentence: str) -> None:
    text = f"# Ledger\n\n{sentence}\n\n## `ledger_run`\n\nRuns a query.\n\n- `query` (string, required): The query\n"

    file = read_spec(PATH, text)

    assert [tool.contract.name for tool in file.tools] == ["ledger_run"]


@each(
    "said",
    [
        "No tools are shipped with this package.",
        "## Outils\n\nAucun",
        "## Herramientas\n\nNinguna.",
        "**Status**: not exposed",
        "Only other jobs may call it, and an LLM cannot.",
        "It plays no role for agents.",
        "All in all, there are no functions in this package that qualify as MCP tools.",
        "Its entries are reached through the tools of `bank`, not through tools of its own.",
        "Unlike its neighbors, `ledger` has no agent-facing interface.",
        "## Related\n\n- `bank`: the tools for entries (this folder has none)",
        "## Changes\n\n- 1.2.0: removed the last two MCP tools; the module no longer has any",
        "<details><summary>Tools</summary>\n\nThere are none.\n\n</details>",
    ],
)
def test_a_denial_beside_functions_and_settings_is_never_a_file_without_an_explanation(said: str) -> None:
    table = "## Configuration\n\n| Parameter | Type | Default |\n|---|---|---|\n| `WAIT` | float | 5.0 |\n"
    text = f"# Ledger\n\n{said}\n\n## Python API\n\n### `Load(path str) (Entry, error)`\n\nReads an entry.\n\n{table}"

    file = read_spec(PATH, text)

    assert file.tools == ()
    assert "MC004" not in [one.code for one in lint(Contracts((file,))).shown()]


def test_no_tools_besides_the_following_are_not_none() -> None:
    text = "# Ledger\n\nNo tools besides these.\n\n| Name | Input |\n|---|---|\n| `add_entry` | `text` |\n"

    assert not read_spec(PATH, text).states_no_tools


def test_a_sentence_that_says_where_tools_are_registered_is_no_denial() -> None:
    text = "# Ledger: MCP tools\n\n- Tools are registered with `@mcp_tool` from `shop.decorators`.\n- Only tests do.\n"
    file = read_spec(PATH, text)

    assert [(one.code, one.message) for one in lint(Contracts((file,))).shown()] == [
        ("MC004", "no tools were found in the file")
    ]


def test_a_template_does_not_deny_that_it_has_tools() -> None:
    text = "# Tool specification\n\nTools need no other modules.\n\n## Tool: `[YourTool]`\n\n[What it does]\n"
    file = read_spec(PATH, text)

    assert [(one.code, one.place.line) for one in lint(Contracts((file,))).shown()] == [("MC007", 5)]


def test_an_empty_list_in_the_front_matter_also_denies_functions() -> None:
    text = "---\ntools: []\n---\n\n# Units\n\n## Python API\n\n### `to_miles(km: float)`\n\nConverts.\n"

    assert read_spec(PATH, text).plainly_has_none


def test_a_statement_about_the_past_denies_nothing() -> None:
    text = (
        "# Units: tool specification\n\nBefore 0.3 this module had no MCP tools.\n\n## Tools\n\nto_miles -- Converts.\n"
    )

    assert not read_spec(PATH, text).states_no_tools


def test_tools_that_text_announces_are_not_denied_by_their_descriptions() -> None:
    text = "# Units\n\n## MCP tools\n\nThe following tools are available:\n\n1. **Plan Later**: Plans a future trip.\n"

    assert not read_spec(PATH, text).states_no_tools


def test_a_heading_for_a_module_is_not_a_tool() -> None:
    text = """# MCP tool contracts

## sea-data

**Scope:** reads.

### `sea-data.read_tide`

- **Input:** `place` (string)

## sea-book

| Tool name | Input |
|---|---|
| `sea-book.add_trip` | `{ title }` |
"""

    assert [tool.contract.name for tool in read_spec(PATH, text).tools] == ["sea-data.read_tide"]


OF_OTHERS = (
    "The submodule `yarn.old` exposes no MCP tools.",
    "`_wind` is not a tool; it is a helper of both.",
    "A tool for many balls is planned, but a bulk variant is not a tool yet.",
    "Versions before 1.4 exposed no MCP tools.",
    "Not every function of this module is an MCP tool; those that are follow.",
    "Without a license key, no tools are registered.",
    "In read-only mode, no tools are exposed.",
    "On Windows, no tools are available.",
)


@each("said", OF_OTHERS)
def test_a_denial_of_something_else_leaves_headings_with_parameters(said: str) -> None:
    tools = "".join(
        f"## {number}. `yarn_{name}`\n\n{name} yarn.\n\n| Parameter | Type | Required |\n|---|---|---|\n"
        f"| `ball` | string | yes |\n\n"
        for number, name in enumerate(("wind", "cut"), 1)
    )
    file = read_spec(PATH, f"# Yarn\n\n{said}\n\n{tools}")

    assert [tool.contract.name for tool in file.tools] == ["yarn_wind", "yarn_cut"]


@each("said", OF_OTHERS[-3:])
def test_a_denial_under_a_condition_is_never_silent(said: str) -> None:
    assert not read_spec(PATH, f"# Yarn: tool specification\n\n{said}\n").plainly_has_none


def test_a_version_is_no_negation() -> None:
    text = "# Tool specification (v1.0)\n\nFinds boats.\n"

    assert not read_spec(PATH, text).states_no_tools


@each(
    "said",
    [
        "The MCP surface of this module is a figment.",
        "One may search for tools, and never stop.",
    ],
)
def test_a_remark_on_tools_that_does_not_say_that_there_are_any_may_deny_them(said: str) -> None:
    text = f"# Units: tool specification\n\nConverts units.\n\n{said}\n"

    assert [found.code for found in lint(Contracts((read_spec(PATH, text),))).diagnostics] == ["MC028"]


@each(
    "said",
    [
        "",
        "The module provides tools for units.",
        "The tools are described by the authors of the module in due course.",
        "## Tools\n\nto_miles -- Converts.",
        "Ferramentas MCP para converter unidades",
        "The MCP surface of this module is a figment. Two tools can be called from the outside.",
    ],
)
def test_text_that_does_not_deny_tools_leaves_a_file_without_any(said: str) -> None:
    text = f"# Units: tool specification\n\nConverts units.\n\n{said}\n"

    assert [found.code for found in lint(Contracts((read_spec(PATH, text),))).diagnostics] == ["MC004"]


@each(
    "said",
    [
        "## MCP tools\n\nAll of them return JSON. They do not need a key.",
        "## Tools\n\nTools described here do not write.",
        "## Tools\n\nNot exposed in read-only mode.",
        "## Tools\n\nThe following functions are tools. No key is needed.",
    ],
)
def test_a_section_with_remarks_on_existing_tools_removes_none(said: str) -> None:
    file = read_spec(PATH, f"# Units\n\n{said}\n\n{FUNCTIONS[0]}")

    assert file.tools
    assert file.denial is None


def test_a_file_without_headings_may_have_no_tools() -> None:
    assert read_spec(PATH, "The tools module, a part of which stays outside.\n").states_no_tools


def test_the_title_of_a_file_is_no_tool_where_tools_are_denied() -> None:
    said = "MCP tools are conspicuously absent from `units`."
    text = f"# units\n\n{said}\n\n## Input schema\n\nN/A\n\n## Output schema\n\nN/A\n"

    file = read_spec(PATH, text)

    assert (file.tools, file.states_no_tools) == ((), True)


def test_a_plain_denial_outranks_the_title_of_the_file() -> None:
    said = "This module has no tools."
    text = f"# Units MCP Tools\n\n{said}\n\n## to_miles\n\nConverts.\n\nInputs:\n\n- `km` (number): A length\n"

    assert read_spec(PATH, text).tools == ()
    assert read_spec(PATH, text.replace("has no tools", "has no state")).tools


@each(
    "said",
    [
        "The helpers in `units.scales` are internal and not exposed as MCP tools.",
        "## Deprecated tools\n\nNone.",
        "## Removed Tools\n\nNo tools have been removed so far.",
        "## Planned Tools\n\nNo tools are planned at the moment.",
        "## Other modules\n\n`scale_core` does not define any MCP tools.",
        "Apart from the tools below, nothing is exposed via MCP.",
        "The administration functions are not MCP tools.",
        "Without a key, the module registers no tools.",
    ],
)
def test_a_denial_of_other_things_leaves_objects_of_tools(said: str) -> None:
    tool = '{"name": "to_miles", "description": "Converts.", "inputSchema": {"type": "object"}}'
    signed = "## `to_miles(km)`\n\nConverts.\n\n- `km` (number, required): A length\n"

    assert read_spec(PATH, f"# Units: tool specification\n\n{said}\n\n```json\n{tool}\n```\n").tools
    assert "helpers" in said or read_spec(PATH, f"# Units: tool specification\n\n{said}\n\n{signed}").tools


@each("body", ("## Tools\n", "## MCP tools\n\n## Usage\n\nImport it.\n", "## Tools\n\n---\n\n## Usage\n\nImport it.\n"))
def test_an_empty_section_of_tools_may_be_unfinished(body: str) -> None:
    file = read_spec(PATH, f"# Units\n\n{body}")

    (found,) = lint(Contracts((file,))).diagnostics
    assert found.message == "no tools were found, and line 3 may say that the module has none"
