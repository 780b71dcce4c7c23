"""The rows of a table that lists tools with their own sections."""

from __future__ import annotations

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from tests.tables import each
from tests.texts import PATH

SECTIONS = "".join(
    f"### `{name}`\n\nDoes it.\n\n- `word` (string, required): the word\n\nReturns a list.\n\n"
    for name in ("note_find", "note_move", "note_drop")
)


def said(table: str) -> list[tuple[int, str]]:
    """Return the lines and the messages of MC330 for a table above three tools."""
    file = read_spec(PATH, f"# Notes\n\n## Tools\n\n{table}\n{SECTIONS}")
    return [(one.place.line, one.message) for one in lint(Contracts((file,))).shown() if one.code == "MC330"]


def test_a_row_with_too_few_cells_and_a_repeated_tool_are_reported() -> None:
    head = "| Name | Job | Output |\n|---|---|---|\n"

    assert said(
        f"{head}| `note_find` | Finds. | text |\n| `note_find` | Moves. | text |\n| `note_drop` | Drops. |\n"
    ) == [
        (8, "the table lists the tool `note_find` twice"),
        (9, "the row has 2 cells, but the table has 3 columns"),
    ]


@each(
    "table",
    [
        "| Tool | Job |\n|---|---|\n| `note_find` | Finds. |\n| `note_move` | Moves. |\n| `note_drop` | Drops. |\n",
        "| Tool | Error |\n|---|---|\n| `note_find` | none |\n| `note_find` | lost |\n| `note_move` | lost |\n",
        "| Name | Job |\n|---|---|\n| `Note` | A note. |\n| `Note` | A note. |\n| `note_find` | Finds. |\n",
    ],
)
def test_other_tables_are_not(table: str) -> None:
    assert said(table) == []
