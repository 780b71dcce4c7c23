"""Tables that say of what kind each row is."""

from __future__ import annotations

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH


@each(
    "table",
    [
        "| Kind | Name | For agents |\n|---|---|---|\n| tool | `pick_fruit` | yes |\n| tool | `prune_tree` | yes |\n"
        "| tool | `burn_tree` | no |\n| class | `Tree` | no |\n",
        "| Name | Type | Description |\n|---|---|---|\n| pick_fruit | tool | Picks. |\n| prune_tree | Tool | Cuts. |\n"
        "| orchard_prompt | prompt | Asks. |\n",
        "| | Symbol | Purpose |\n|---|---|---|\n| MCP tool | `pick_fruit` | Picks. |\n| MCP tool | `prune_tree` | – |\n"
        "| constant | `MAX_TREES` | 9 |\n",
    ],
)
def test_the_rows_of_tools_are_tools(table: str) -> None:
    file = read_spec(PATH, f"# Orchard\n\nTrees and fruit.\n\n{table}")

    assert [tool.contract.name for tool in file.tools] == ["pick_fruit", "prune_tree"]
    assert not [one for one in lint(Contracts((file,))).shown() if "not read" in one.message]


@each(
    "table",
    [
        "| Kind | Name |\n|---|---|\n| class | `Tree` |\n| function | `pick_fruit` |\n",
        "| Kind | Name | Exposed |\n|---|---|---|\n| tool | `pick_fruit` | no |\n",
        "| Type | Id |\n|---|---|\n| tool | `pick_fruit` |\n",
    ],
)
def test_rows_of_other_kinds_are_no_tools(table: str) -> None:
    assert not read_spec(PATH, f"# Orchard\n\nTrees and fruit.\n\n{table}").tools
