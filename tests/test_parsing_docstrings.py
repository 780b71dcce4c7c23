"""Parameters in docstrings and fields."""

from __future__ import annotations

import pytest

from mcp_contracts.contract import SpecTool
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.rules.tables.tables import table_and_schema_disagree
from tests.support_names import messages

CODE = '''# Notes

## Tool: `find`

```python
def find(word: str, count: int = 3) -> list[str]:
    """Find notes.

{docstring}
    """
```
'''
GOOGLE = """    Args:
        word: The word.
        count (int): How many, (default: 3).
            At most 9.

    Returns:
        notes: The notes."""
NUMPY = """    Parameters
    ----------
    word : str
        The word.
    count : int, optional
        How many.

    Returns
    -------
    list
        The notes."""
SPHINX = "    :param word: The word.\n    :param int count: How many.\n    :returns: the notes"


def tool(docstring: str) -> SpecTool:
    return read_spec("notes/SPEC.md", CODE.format(docstring=docstring)).tools[0]


@pytest.mark.parametrize("docstring", [GOOGLE, SPHINX, NUMPY])
def test_a_docstring_describes_the_parameters_of_the_signature(docstring: str) -> None:
    read = tool(docstring)

    assert read.input_table is not None
    described = {row.name: (row.type, row.required, bool(row.description)) for row in read.input_table.rows}
    assert described == {"word": ("str", True, True), "count": ("int", False, True)}
    assert messages(table_and_schema_disagree, read) == []


@pytest.mark.parametrize(
    ("docstring", "told"),
    [
        (GOOGLE.replace("count (int)", "limit (int)"), "`limit` is in the list but not in the signature"),
        (SPHINX.replace("param word", "param words"), "`words` is in the list but not in the signature"),
        (
            GOOGLE.replace("default: 3", "default: 5"),
            "the default of `count` is 5 in the table but 3 in the signature",
        ),
    ],
)
def test_a_docstring_that_disagrees_with_the_signature_is_reported(docstring: str, told: str) -> None:
    assert messages(table_and_schema_disagree, tool(docstring)) == [told]


def test_a_list_without_types_describes_the_parameters_of_a_signature_in_the_heading() -> None:
    text = "# Notes\n\n## Tools\n\n### `find(word: string, count?: number): string[]`\n\nFinds notes.\n\n{items}"
    good = text.format(items="- `word` – the word\n- `count` – how many\n")
    bad = text.format(items="- `word` – the word\n- `limit` – how many\n")

    read, wrong = (read_spec("notes/SPEC.md", one).tools[0] for one in (good, bad))

    assert read.input_table is not None
    assert [(row.name, row.type) for row in read.input_table.rows] == [("word", "string"), ("count", "number")]
    assert messages(table_and_schema_disagree, read) == []
    assert messages(table_and_schema_disagree, wrong) == ["`limit` is in the list but not in the signature"]


def test_fields_of_javascript_are_parameters() -> None:
    text = "# Notes\n\n## `find_notes`\n\nFinds notes.\n\n@param word {string} The word.\n"
    text += "@param {integer} count How many.\n@param [since] {string} The first day.\n"
    text += "@param {string} [until=now] The last.\n"

    read = read_spec("notes/SPEC.md", text).tools[0]

    assert read.input_table is not None
    assert [(row.name, row.type, row.required) for row in read.input_table.rows] == [
        ("word", "string", None),
        ("count", "integer", None),
        ("since", "string", False),
        ("until", "string", False),
    ]


def test_fields_in_the_text_are_parameters() -> None:
    text = "# Notes\n\n## `find_notes`\n\nFinds notes.\n\n:param word: The word\n:type word: str\n"
    text += ":param count: How many\n:type count: int, optional\n:returns: the notes\n"

    read = read_spec("notes/SPEC.md", text).tools[0]

    assert read.contract.input_schema == {
        "type": "object",
        "properties": {
            "word": {"type": "string", "description": "The word"},
            "count": {"type": "integer", "description": "How many"},
        },
    }
    assert [section.title for section in read.sections] == ["Returns"]
    assert read.contract.description == "Finds notes."


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
