"""Parameters of a list without a mark are the opposite of those with one, if all marks are alike."""

from __future__ import annotations

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH

LIST = "# Boat: tool specification\n\n## `boat_sail`\n\nSails.\n\n**Parameters:**\n\n"


def required_of(items: str) -> object:
    [tool] = read_spec(PATH, LIST + items).tools
    schema = tool.contract.input_schema
    assert isinstance(schema, dict)
    return schema.get("required", [])


@each(
    ("items", "expected"),
    [
        (
            "- `from` (string): Where\n- `to` (string): Where to\n- `knots` (integer, optional): How fast\n",
            ["from", "to"],
        ),
        ("- `from` (string): Where\n- `knots` (integer, default: 4): How fast\n", ["from"]),
        ("- `from` (string, required): Where\n- `knots` (integer): How fast\n", ["from"]),
        ("- `from` (string): Only if the boat moves\n- `knots` (integer, optional): How fast\n", []),
        ("- `a` (string, required): A\n- `b` (string, optional): B\n- `c` (string): C\n", ["a"]),
        ("- `a` (string): A\n- `b` (string): B\n", []),
    ],
)
def test_unmarked_parameters_beside_marked_ones(items: str, expected: list[str]) -> None:
    assert required_of(items) == expected


def test_a_list_in_which_some_are_marked_states_which_are_required() -> None:
    items = "- `from` (string): Where\n- `knots` (integer, optional): How fast\n"

    assert "which parameters are required" not in dialect_of(LIST + items)
    assert "which parameters are required" in dialect_of(LIST + items.replace(", optional", ""))


def dialect_of(text: str) -> str:
    found = lint(Contracts((read_spec(PATH, text),))).diagnostics
    return next(one.message for one in found if one.code == "MC006")
