"""What stands beside the tools of a file in the same form, and is not read as a tool."""

from __future__ import annotations

from mcp_contracts.parsing.spec import read_spec
from tests.tables import each

HEADING = (
    "# Notes\n\n## Tools\n\n### `find_notes`\n\nFinds notes.\n\n**Parameters:**\n\n- `query` (string, required)\n\n"
)
ITEMS = "# Notes\n\n## Tools\n\n### Reading\n\n- `find_notes` - Find notes\n- `get_notes` - Get notes\n\n"


BESIDE = [
    # a heading of another form, the name of a tool again, a deeper heading
    (HEADING + "### Retries and limits\n\nNone.\n", []),
    (HEADING + "### `find_notes`\n\nAgain.\n", []),
    (HEADING + "#### `dry_run`\n\nA mode.\n", []),
    # former tools, another list of the same form, one of another form, and parameters below an item
    (ITEMS + "### Removed tools\n\n- `old_notes` - Old notes\n", []),
    (ITEMS + "### Return values\n\n- `count_notes` - Count notes\n", ["count_notes"]),
    (ITEMS + "### Return values\n\n- count_notes: Count notes\n", []),
    (ITEMS + "  - `note_id` (string): the note\n", []),
]


@each("text, expected", BESIDE)
def test_siblings_of_the_same_form_are_named(text: str, expected: list[str]) -> None:
    file = read_spec("a.md", text)

    assert [mention.name for mention in file.unread_siblings] == expected
    assert file.is_closed is not bool(expected)
