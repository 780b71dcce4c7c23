"""Denials of all tools of a module remove its functions; remarks on anything else leave its tools."""

from __future__ import annotations

from itertools import product

import pytest

from mcp_contracts.parsing.spec import read_spec
from tests.said import said
from tests.sweeps import share, sweep
from tests.tables import each
from tests.texts import PATH

TABLE = "| Parameter | Type | Required | Description |\n|---|---|---|---|\n| `ball` | string | yes | Which |\n"
SIGNED = "### `wind_ball(ball: str, times: int = 1) -> str`\n\nWinds a ball.\n\n### `cut_ball(ball: str)`\n\nCuts it.\n"
LISTED = "- `wind_ball(ball: string)`: Winds a ball.\n- `cut_ball(ball: string, at: integer)`: Cuts it.\n"
TITLED = f"### wind_ball\n\nWinds a ball.\n\n{TABLE}\n### cut_ball\n\nCuts it.\n\n{TABLE}"
FUNCTIONS = ("", f"## Functions\n\n{SIGNED}", LISTED, f"## Python API\n\n{TITLED}")
TOOLS = (
    *(SIGNED, LISTED, TITLED, f"## Tools\n\n{LISTED}"),
    "| Tool | Parameters | Description |\n|---|---|---|\n| `wind_ball` | `ball` (string) | Winds. |\n"
    "| `cut_ball` | `ball` (string) | Cuts. |\n",
)

DENIALS = (
    "Agent tools? Nope.",
    "MCP? Not here.",
    "Agents? Not supported.",
    "Is yarn available to agents? No, it isn't.",
    "Not a tool provider.",
    "Model access: not offered.",
    "This is where the tools would be listed, but yarn has none.",
    "The tools of this module were discontinued; use the REST API.",
    "Every tool of this module has been removed. Do not add new ones; use `knit`.",
    "We removed the last MCP tool (`spin`) in 2.0 and nothing has replaced it.",
    "The package lost its last tool in 3.0.",
    "Its tools have all been folded into `knit`.",
    "Its three tools were switched off in January, which leaves the module with none.",
    "Spinning takes hours, and we decided against offering it to agents.",
    "The functions below are for Python callers; they aren't MCP tools.",
    "No function below should be mistaken for a tool.",
    "The module offers agents nothing at all.",
    "An LLM has no way of calling any of this.",
    "Nil return: this module declares no tools under policy ENG-114.",
    "| Art | Vorhanden |\n|---|---|\n| MCP-Tools | nein |",
    "Mit Version 5 sind sämtliche Werkzeuge entfallen.",
    "Este módulo no define herramientas.",
    "The module is a module without tools.",
    "Le module n'a plus d'outils.",
    "出于安全考虑，没有任何接口开放给智能体调用。",
    "MCP tools:\n\n*none*",
    "Für Agenten ist hier nichts verfügbar, das Garn wird nur im Laden verkauft.",
    "Die MCP-Tools wurden mit Version 3 entfernt; seither bietet der Kern keine mehr an.",
    "Agenten haben keinen Zugriff auf dieses Paket.",
    "Solo contiene plantillas, así que no hay nada que un agente pueda invocar.",
    "Por motivos de seguridad, el módulo carece de herramientas MCP.",
    "Las herramientas MCP se eliminaron en la versión 2.",
    "Este paquete no ofrece nada a los agentes.",
    "Outils MCP : néant.",
    "La passerelle n'offre rien aux agents : tout passe par des fichiers.",
    "Les outils MCP de ce module ont été retirés.",
    "Ce paquet est dépourvu d'outils MCP.",
    "Todas as ferramentas foram removidas na versão 2.",
    "Il pacchetto non offre nulla agli agenti.",
    "Questo modulo è privo di strumenti MCP.",
    "Dit pakket biedt niets aan voor agents.",
    "このパッケージにはエージェントが呼び出せるものはありません。",
    "本モジュールのツールはすべて削除されました。",
    "本包不向智能体提供任何功能。",
    "该包的工具已全部移除。",
    "Пакет не предоставляет агентам никаких функций.",
    "Pakiet nie udostępnia żadnych narzędzi.",
)
REMARKS = (
    "Only two tools are exposed; the spinner has no tools.",
    "This module has two tools, and none of them writes.",
    "Agents cannot change prices; there's no tool for that.",
    "Agents may not sell wool. No tool exists for that.",
    "Undo isn't possible: there is no such tool.",
    "Prices: no tool.",
    "For dyeing there is no tool; ask the dyers.",
    "Dyeing has no tool so far.",
    "Dyeing is not part of this module and it has no tool.",
    "An undo tool does not exist.",
    "Nothing else in this module is a tool.",
    "This is the only tool; cutting is not a tool.",
    "No tool in this document changes the yarn.",
    "It cannot cut anything; no such tool exists.",
    "No further tools.",
    "**CLI (not tools):** `yarn start`",
    "This is the one and only tool; cutting isn't a tool.",
    "Only `wind_ball(ball: str)` is exposed as a tool; everything else here is not.",
    "Not a single one of these tools changes the yarn.",
    "Non ci sono altri strumenti.",
    "Cutting back is not available to agents.",
    "Except for these two, nothing is callable by agents.",
    "None of the private helpers is a tool.",
    "The helpers in `yarn.util` are not tools.",
    "Admin functions are not exposed to agents.",
    "This module does not expose price functions as tools.",
    "Prices are never exposed to agents.",
    "The dyeing module has no tools.",
    "The dye works have no MCP server.",
    "We removed the price tools.",
    "The `spin` tool no longer exists.",
    "The old `dye` tool was removed in 2.0.",
    "Agents have no access to raw wool.",
    "Is the loom available to agents? No, only these are.",
    "No agent uses more than one ball.",
    "Agents get nothing back from a cut.",
    "The loom stays outside MCP.",
    "The dyer lost its last tool.",
    "We decided against a tool for dyeing.",
    "We declined to offer prices to agents.",
    "Ohne Garn ist kein Werkzeug nutzbar.",
    "Kein Werkzeug ändert den Bestand.",
    "Es gibt kein Werkzeug zum Färben.",
    "Für Farben gibt es kein Werkzeug.",
    "Es gibt keine Tools, die schreiben.",
    "Weitere Tools gibt es nicht.",
    "Agenten dürfen keine Preise ändern.",
    "Il n'y a pas d'outil pour teindre la laine.",
    "Aucun outil ne modifie le stock.",
    "Les outils ne modifient pas le stock.",
    "Les prix ne sont pas accessibles aux agents.",
    "No hay ninguna herramienta para teñir.",
    "Las herramientas no guardan datos.",
    "Los agentes no pueden cambiar los precios.",
    "Não há ferramenta para tingir a lã.",
    "Nenhuma ferramenta apaga dados.",
    "染色用のツールはありません。",
    "価格を変更するツールはありません。",
    "没有用于染色的工具。",
    "工具不会修改库存。",
    "Без ключа LLM не знает цен.",
)


@each("denial", DENIALS)
def test_a_denial_of_all_tools_removes_functions_and_explains_their_absence(denial: str) -> None:
    for functions in FUNCTIONS:
        file = read_spec(PATH, f"# Yarn\n\nSpins wool.\n\n{denial}\n\n{functions}")

        assert file.states_no_tools, functions
        assert file.tools == (), functions


PLACES = ("# Yarn\n\nSpins wool.\n\n{0}\n\n{1}", "# Yarn\n\nSpins wool.\n\n{1}\n{0}\n")


@sweep
@each(("number", "remark"), enumerate(REMARKS))
def test_a_remark_on_anything_else_removes_no_tool(number: int, remark: str) -> None:
    forms = [*product(TOOLS, PLACES)]
    for tools, form in share([*forms[number % 4 :], *forms[: number % 4]], 4):
        text = form.format(remark, tools)

        assert [tool.contract.name for tool in read_spec(PATH, text).tools] == ["wind_ball", "cut_ball"], text


@pytest.mark.parametrize(
    "text",
    [
        "We removed the last MCP tool (`spin_all`) in 2.0 and nothing has replaced it.\n\n## History\n\n"
        "| Tool | Added | Removed |\n|---|---|---|\n| `spin_all` | 1.0 | 2.0 |\n| `dye_all` | 1.1 | 1.8 |\n",
        "Every tool has been removed.\n\n## Removed in 4.0\n\n### `spin_all`\n\nReplaced by `knit`.\n",
        "Its two tools were switched off, which leaves the module with none.\n\n## Tools (switched off)\n\n"
        "| Tool | Replacement |\n|---|---|\n| `spin_all` | `knit.all` |\n| `dye_all` | `knit.dye` |\n",
        "## Outils MCP\n\nCe module n'offre rien aux agents.\n\n## Messages\n\n- ORDERS\n- DESADV\n",
    ],
)
def test_removed_tools_are_no_tools(text: str) -> None:
    file = read_spec(PATH, f"# Yarn\n\n{text}")

    assert (file.tools, file.states_no_tools) == ((), True)
    assert {one[:5] for one in said(file.text)} <= {"MC028"}


def test_functions_that_are_denied_above_end_with_their_section() -> None:
    text = (
        f"# Yarn\n\n## Helpers\n\nThe helpers below are not tools.\n\n### spin_all\n\nSpins.\n\n{TABLE}\n"
        f"## wind_ball\n\nWinds.\n\n{TABLE}"
    )

    file = read_spec(PATH, text)

    assert [tool.contract.name for tool in file.tools] == ["wind_ball"]
    assert [mention.name for mention in file.functions] == ["spin_all"]


def test_the_count_of_the_tools_of_another_module_is_no_reason_to_keep_functions() -> None:
    text = (
        f"# Yarn\n\nUnlike its neighbors, yarn has, alas, no tools.\n\n{SIGNED}\n## See also\n\n- `knit` – 14 tools\n"
    )

    assert read_spec(PATH, text).tools == ()


@each("title", ["Tools", "Ferramentas", "Herramientas MCP", "Outils", "Werkzeuge"])
def test_a_numbered_list_below_the_word_for_tools_is_one_of_tools(title: str) -> None:
    items = (
        "1. **list_rooms** — free rooms. Parameters: `day` (string).\n2. **book_room** — books. Parameters: `day`.\n"
    )

    assert len(read_spec(PATH, f"# Rooms\n\n## {title}\n\n{items}").tools) == 2


@each(
    "text",
    [
        "## Tools\n\nN/A for writes. For reads:\n\n### `wind_ball`\n\nWinds.\n\n- `ball` (string, required): x\n",
        "The following tools are available to agents:\n\n* **wind_ball** – Winds a ball. Params: `ball` (string).\n",
        "## Tools\n\n- `wind_ball(ball: string)`: Winds.\n- [ ] `cut_ball` – not implemented, not a tool yet\n",
        "## Tools\n\n### Wind ball\n\n- Name: `wind_ball`\n- Description: Winds\n- Input: `ball` (string)\n",
    ],
)
def test_one_tool_is_read(text: str) -> None:
    assert [contract.name for contract in read_spec(PATH, f"# Yarn\n\n{text}").contracts] == ["wind_ball"]


@each(
    "text",
    [
        "## Removed tools\n\n- `wind_ball` – removed in 3.0\n\nSince 3.0 the module no longer registers any tool.\n",
        "## Werkzeuge (entfallen)\n\nZuvor gab es:\n\n- `wind_ball`\n- `cut_ball`\n",
        "## Old tools\n\n| Tool | Deprecated in | Removed in |\n|---|---|---|\n| `wind_ball` | 1.8 | 2.0 |\n",
        "## Tools\n\nNot yet. Later we intend to offer:\n\n- `wind_ball()`: Winds\n- `cut_ball()`: Cuts\n",
    ],
)
def test_former_and_planned_tools_are_not_read(text: str) -> None:
    assert read_spec(PATH, f"# Yarn\n\n{text}").tools == ()


@each(
    "text",
    [
        "## 2 Tools\n\n2.1 The yarn module provides no tools of its own.",
        "## Tools\n\n```\n$ mcp list\n(0 tools)\n```",
        "## Tools\n\nThe hub used to have two tools. Both moved to `knit`, leaving this module with none.",
    ],
)
def test_a_section_about_tools_may_say_that_there_are_none(text: str) -> None:
    assert "MC004" not in [line.partition(" ")[0] for line in said(f"# Yarn\n\n{text}\n")]


def test_names_in_bold_and_in_code_below_a_label_of_tools_are_tools() -> None:
    first = "**`wind_ball`**: winds a ball. Arguments: `ball` (string, required).\n\n"
    second = "**`cut`**: cuts a ball. Arguments: `ball` (string, required). Needs approval.\n\n"
    file = read_spec(PATH, f"# Yarn\n\n**Tools**\n\n{first}{second}**CLI (not tools):** `yarn start`, `yarn stop`\n")

    assert [contract.name for contract in file.contracts] == ["wind_ball", "cut"]


@each(
    ("text", "expected"),
    [
        ("- **wind a ball** — `wind_ball(ball: string)`\n\nIt cannot cut anything; no such tool exists.\n", {"MC004"}),
        ("## Tools\n\n| Tool | Status |\n|---|---|\n| `wind` | removed in 2.0 |\n\nIt has no tools.\n", {"MC028"}),
        ('```json\n{"module": "yarn", "tools": []}\n```\n', set()),
    ],
)
def test_a_file_is_silent_only_if_it_denies_tools(text: str, expected: set[str]) -> None:
    assert {line.partition(" ")[0] for line in said(f"# Yarn\n\n{text}") if line.startswith("MC")} == expected
