"""Findings in tools in older dialects, except in tables and JSON: bullets, bold lines, signatures and code."""

from __future__ import annotations

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.parsing.spec import read_spec
from tests.said import as_specification

TABLE = """### Parameters

| Name | Type | Required | Description |
|---|---|---|---|
| word | string | yes | The word that the notes hold. |
| limit | integer | no | How many notes at most. |
"""


def said(text: str) -> list[tuple[str, int, str]]:
    """Return the findings in one tool in an older dialect, except for the dialect itself."""
    file = read_spec(
        "notes.md",
        f"# Notes: tool specification\n\n## find_notes\n\nFinds the notes of a person, and returns them.\n\n{text}",
    )
    found = lint(Contracts((file,))).shown()
    return [(one.code, one.place.line - 6, one.message) for one in found if one.code != "MC006"]


@pytest.mark.parametrize(
    ("row", "told"), [("| `box_open` | Opens a box. |", 6), ("| `box_open` | Opens. | `id` |", None)]
)
def test_a_row_of_a_tool_with_too_few_cells_is_reported(row: str, told: int | None) -> None:
    rows = f"| `box_move` | Moves a box. | `id` |\n{row}\n| `box_weigh` | Weighs a box. | `id` |\n"
    text = f"# Depot MCP tools\n\n| Tool | Description | Input |\n|---|---|---|\n{rows}"

    found = lint(Contracts((read_spec("depot.md", as_specification(text)),))).shown()

    assert [one.place.line for one in found if one.code == "MC330"] == ([told] if told else [])


@pytest.mark.parametrize(
    ("written", "is_told"),
    [
        *(
            ("[float x3]", False),
            ("[r, g, b]", False),
            ("enum or null", False),
            ("[Parcel]", False),
            ("Parcel", False),
            ("1..50", False),
        ),
        *(
            ("strng or null", True),
            ("[intger x3]", True),
            ("[Strng]", True),
            ("string integer", True),
            ("Strng", True),
            ("flag-ish", True),
            ("???", True),
        ),
    ],
)
def test_a_type_in_the_notation_of_its_author_is_not_reported(written: str, is_told: bool) -> None:
    found = said(TABLE.replace("| integer |", f"| {written} |"))

    assert ("MC308" in {code for code, *_ in found}) is is_told


@pytest.mark.parametrize("prose", ["a thing.", "the thing.", "some thing", "found thing"])
def test_prose_after_the_label_of_the_result_is_not_a_type(prose: str) -> None:
    assert said(f"{TABLE}\n**Returns:** {prose}\n") == []


@pytest.mark.parametrize(
    ("written", "description", "is_told"),
    [
        ("dict[str, list]", "The weights (key -> list of floats).", False),
        ("list", "[d, k] shape of the matrix.", False),
        ("array", "`Note` entries of the folder.", False),
        ("array", "Pairs of dates.", False),
        ("array", "What to keep.", True),
        ("array", "The pair to keep.", True),
        ("dict[str, list]", "The weights of the model.", True),
    ],
)
def test_an_array_whose_row_says_what_its_items_are_is_not_reported(
    written: str, description: str, is_told: bool
) -> None:
    found = said(TABLE.replace("| integer | no | How many notes at most. |", f"| {written} | no | {description} |"))

    assert ("MC313" in {code for code, *_ in found}) is is_told


@pytest.mark.parametrize(("cell", "is_told"), [("n/a", True), ("NA", True), ("none", False), ("-", False)])
def test_a_required_cell_that_does_not_apply_is_reported(cell: str, is_told: bool) -> None:
    found = said(TABLE.replace("| integer | no |", f"| integer | {cell} |"))

    assert ("MC332" in {code for code, *_ in found}) is is_told


def in_python(code: str) -> str:
    return f"{TABLE}\n### Example\n\n```python\n{code}\n```\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            f"{TABLE}\n### Returns\n\n- `count` (intger): how many.\n",
            ("MC308", 9, "`intger` is not a type"),
            id="a misspelled type of a returned field",
        ),
        pytest.param(
            f"{TABLE}\n### Returns\n\n| Field | Type |\n|---|---|\n| the count | integer |\n",
            ("MC334", 11, "`the count` is not the name of a single field"),
            id="a field whose name is none",
        ),
        pytest.param(
            f"Idempotent: Mostly\n\n{TABLE}",
            ("MC503", 0, "`Mostly` is not `yes`, `no` or `conditional`"),
            id="an odd word for idempotency",
        ),
        pytest.param(
            f"**Idempotent**: yes and no\n\n{TABLE}",
            ("MC503", 0, "`yes and no` is not `yes`, `no` or `conditional`"),
            id="two words for idempotency",
        ),
        pytest.param(
            in_python('found = find_notes(word="a"\nprint(found)'),
            ("MC402", 10, "the code of the example is not valid Python"),
            id="a call whose bracket is never closed",
        ),
    ],
)
def test_a_fault_of_an_older_dialect_is_found(text: str, expected: tuple[str, int, str]) -> None:
    code, row, message = expected

    assert (code, row + 1, message) in said(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{TABLE}\n### Returns\n\n- `error` (only on failure): why.\n", id="a remark is no type"),
        pytest.param(f"{TABLE}\n### Returns\n\n- `count` (integer): how many.\n", id="a known type"),
        pytest.param(f"Idempotent: yes\n\n{TABLE}", id="a plain yes"),
        pytest.param(f"**Idempotent**: a call with the same word finds the same\n\n{TABLE}", id="a sentence"),
        pytest.param("This tool has no parameters and no output.\n", id="neither parameters nor output"),
        pytest.param(in_python('>>> find_notes(word="a"'), id="a console"),
        pytest.param(in_python('find_notes(word="a", ...)'), id="code with something left out"),
        pytest.param(in_python('other(word="a"'), id="code that does not call the tool"),
        pytest.param(in_python('await find_notes(word="a")'), id="a call that waits"),
        pytest.param(
            f"{TABLE}\n### Usage\n\n```python\ndef find_notes(word: str, limit: float = 5) -> list: ...\n```\n",
            id="a signature of a wider type",
        ),
        pytest.param(
            f"{TABLE}\n### Returns\n\n- `count` (integer): how many.\n\n### Error Schema\n\n```json\n"
            '{"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}\n```\n',
            id="a schema of errors is no result",
        ),
        pytest.param(
            f"{TABLE}\n### Example request\n\n```json\n"
            '{"jsonrpc": "2.0", "method": "tool.run", "params": {"tool": "find_notes", "args": {"word": "a"}}}\n```\n',
            id="a request of another method",
        ),
        pytest.param(
            "### Parameters\n\n- `kind`: enum (`DAILY` | `WEEKLY`) (optional)\n", id="the values of an enum in brackets"
        ),
        *(
            pytest.param(
                f"{TABLE}\n### Usage\n\n```python\n{signature}\n```\n",
                id=f"a signature without a body: {signature}",
            )
            for signature in (
                "def find_notes(word: str, limit: int = 5) -> dict[str, Any]",
                "async def find_notes(word: str, limit: int = 5) -> Dict[str, int] | None:",
                "def find_notes(\n    word: str,\n    limit: int = 5,\n) -> dict[str, Any]",
                "def find_notes(word: str, limit: int = 5)",
            )
        ),
    ],
)
def test_what_an_older_dialect_may_state_is_not_reported(text: str) -> None:
    assert {code for code, _, _ in said(text)} <= {"MC336"}


def test_a_backslash_that_a_space_parts_from_its_pipe_is_reported() -> None:
    text = "# Notes: tool specification\n\n## find_notes\n\n" + TABLE.replace(
        "| word | string |", "| `word` | `str \\ | None` |"
    )

    found = lint(Contracts((read_spec("notes.md", text),))).shown()

    (hint,) = (one.hint for one in found if one.code == "MC330")
    assert hint == "write `\\|` for a `|` inside a cell, without a space between the two"
