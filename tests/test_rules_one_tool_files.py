"""The contract of one tool may be one of a set, and a title in another language says what a file is."""

from __future__ import annotations

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from tests.said import said
from tests.tables import each

TOOL = (
    "# Tool: `boat_get`\n\nReturns a boat.\n\n## Parameters\n\n| Parameter | Type | Required | Description |\n"
    "|---|---|---|---|\n| `boat_id` | string | yes | Which boat |\n\n## Notes\n\n{note}\n"
)


@each(
    ("note", "is_reported"),
    [
        ("Use the IDs of the result in `boat_change`.", False),
        ("Call `boat_gett` again after a storm.", True),
    ],
)
def test_only_a_misspelled_tool_is_unknown_beside_a_single_one(note: str, *, is_reported: bool) -> None:
    assert any(line.startswith("MC515") for line in said(TOOL.format(note=note))) is is_reported


def test_a_field_of_a_shown_answer_is_no_missing_parameter() -> None:
    answer = '```json\n{\n  "boat": "Anna",\n  "isMoored": true,\n  "tide": 2\n}\n```\n\n'
    note = answer + "1. `isMoored=true` if the boat is in the harbor.\n2. `boat_id` must be known."

    assert not [line for line in said(TOOL.format(note=note)) if line.startswith("MC515")]
    assert [line for line in said(TOOL.format(note=note.replace('"isMoored"', '"moored"'))) if line.startswith("MC515")]


@each(
    "title",
    (
        "Tool-Spezifikation: `boat_get`",
        "Спецификация инструментов",
        "MCP 도구 명세",
        "MCP ツール仕様",
        "Especificación de herramientas",
        "工具规范",
    ),
)
def test_a_title_in_another_language_makes_a_specification(title: str) -> None:
    file = read_spec(
        "docs/boats.md", f"# {title}\n\n## `boat_get`\n\nx\n\n| Parameter | Type |\n|---|---|\n| `a` | string |\n"
    )

    assert "MC027" not in {one.code for one in lint(Contracts((file,))).diagnostics}
