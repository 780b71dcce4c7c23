"""Parameters in docstrings and fields."""

from __future__ import annotations

import pytest

from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.rules.tables.tables import table_and_schema_disagree
from tests.support_names import messages


def test_a_list_without_types_describes_the_parameters_of_a_signature_in_the_heading() -> None:
    text = "# Notes\n\n## Tools\n\n### `find(word: string, count?: number): string[]`\n\nFinds notes.\n\n{items}"
    good = text.format(items="- `word` – the word\n- `count` – how many\n")
    bad = text.format(items="- `word` – the word\n- `limit` – how many\n")

    read, wrong = (read_spec("notes/SPEC.md", one).tools[0] for one in (good, bad))

    assert read.input_table is not None
    assert [(row.name, row.type) for row in read.input_table.rows] == [("word", "string"), ("count", "number")]
    assert messages(table_and_schema_disagree, read) == []
    assert messages(table_and_schema_disagree, wrong) == ["`limit` is in the list but not in the signature"]


@pytest.mark.parametrize(
    ("bullet", "names"),
    [
        ("- `from` / `to` (string, optional): Days", ["from", "to"]),
        ("- `--max-count <number>` (integer): How many", ["max-count"]),
        ("- `-n, --count` (integer): How many", ["count"]),
        ("- `a`, `b` (string): Texts", ["a", "b"]),
    ],
)
def test_a_bullet_may_describe_several_parameters_or_an_option(bullet: str, names: list[str]) -> None:
    read = read_spec("notes/SPEC.md", f"# Notes\n\n## `find`\n\nFinds notes.\n\n**Parameters**:\n\n{bullet}\n").tools[0]

    assert read.input_table is not None
    assert [row.name for row in read.input_table.rows] == names


def test_a_list_below_the_description_may_leave_out_a_type() -> None:
    text = "# Notes\n\n## `find_notes`\n\n- `word` (string, required): The word\n"
    text += "- `count` (integer): How many\n- `at`: When\n"

    read = read_spec("notes/SPEC.md", text).tools[0]

    assert read.input_table is not None
    assert [row.name for row in read.input_table.rows] == ["word", "count", "at"]


def test_a_table_without_types_is_read_where_parameters_are_due() -> None:
    text = "# Notes\n\n## `find`\n\n**Parameters**:\n\n"
    text += "| Parameter | Required | Description |\n|---|---|---|\n| `word` | yes | The word |\n"

    read = read_spec("notes/SPEC.md", text).tools[0]

    assert read.contract.input_schema == {
        "type": "object",
        "properties": {"word": {"description": "The word"}},
        "required": ["word"],
    }
