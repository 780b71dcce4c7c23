"""Text next to the tools of a file, in the same form, that is not read as a tool."""

from __future__ import annotations

from mcp_contracts.parsing.spec import read_spec
from tests.tables import each

HEADING = (
    "# Notes\n\n## Tools\n\n### `find_notes`\n\nFinds notes.\n\n**Parameters:**\n\n- `query` (string, required)\n\n"
)


BESIDE = [
    # a heading of another form, the name of a tool again, a deeper heading
    (HEADING + "### Retries and limits\n\nNone.\n", []),
    (HEADING + "### `find_notes`\n\nAgain.\n", []),
    (HEADING + "#### `dry_run`\n\nA mode.\n", []),
    (HEADING + "## Draft tools\n\n| Tool | Summary |\n|---|---|\n| `draft_notes` | Drafts |\n", ["draft_notes"]),
]


@each("text, expected", BESIDE)
def test_siblings_of_the_same_form_are_named(text: str, expected: list[str]) -> None:
    file = read_spec("a.md", text)

    assert [mention.name for mention in file.unread_siblings] == expected
    assert file.is_closed is not bool(expected)


READ = [
    # headings with numbers, and with one word; names without words in common have their own verb
    (
        "### 1. find_notes\n\nFinds.\n\n### 2. query\n\nAsks.\n\n### 3. put_notes\n\nPuts.\n",
        "find_notes query put_notes",
    ),
    ("### findNotes\n\n**Input:** `word` (string)\n\n### getNotes\n\nGets.\n", "findNotes getNotes"),
    ("### `find_notes` / `get_notes`\n\nFinds.\n", "find_notes get_notes"),
    ("### find_notes / get_notes\n\nFinds.\n", "find_notes get_notes"),
    ("### Reading — `find_notes`, `get_notes`\n\nFinds.\n", "find_notes get_notes"),
]


@each("text, names", READ)
def test_siblings_of_the_same_form_are_read_as_tools(text: str, names: str) -> None:
    file = read_spec("a.md", f"# Notes\n\n## Tools\n\n{text}")

    assert [tool.contract.name for tool in file.tools] == names.split()
    assert file.is_closed
