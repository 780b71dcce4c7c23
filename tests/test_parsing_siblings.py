"""Text next to the tools of a file, in the same form, that is not read as a tool."""

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
    (ITEMS + "### Return values\n\n- `tally_rows` - Count rows\n", ["tally_rows"]),
    (ITEMS + "### Return values\n\n- count_notes: Count notes\n", []),
    (ITEMS + "  - `note_id` (string): the note\n", []),
    # a table of tools below a title about tools
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
    # items with several names, lists of other titles, and lists next to a table
    ("- `find_notes`: Find\n- `get_notes`, `put_notes`: Get or put\n", "find_notes get_notes put_notes"),
    (
        "### Core\n\n- `find_notes` - Find\n\n### Parameters & Values\n\n- `find_words` - Find\n",
        "find_notes find_words",
    ),
    # items with the tools of a group, some of them again; a note among descriptions; what tools accept
    (
        "- **Words**: `find_words`, `get_words`\n- **Notes**: `put_notes`, `cut_notes`\n\n### Read-only tools\n\n"
        "- `get_words`\n",
        "find_words get_words put_notes cut_notes",
    ),
    ("- `find_notes`: Find\n- `get_notes`: required, and fast\n- `put_notes`: Put\n", "find_notes get_notes put_notes"),
    ("- `find_notes`: Find\n\n## Notes\n\nTools accept one of:\n\n- `note_id`\n- `word_id`\n", "find_notes"),
    # calls of one word, keys of a setting; groups of groups; words in bold, and steps that call tools
    (
        "### Core\n\n- `findNotes(word: string)`: Find\n\nAllowed keys:\n\n- `max_words`\n\n### Base\n\n- `ping()`\n"
        "- `getNotes(limit=3)`: Get\n",
        "findNotes ping getNotes",
    ),
    (
        "### Core\n\n- `findNotes(word: string)`: Find\n\n### Words\n\n#### Reading\n\n- `getWords`: Get\n",
        "findNotes getWords",
    ),
    (
        "- `find_notes`: Find\n\n## Why\n\n1. **`run(after)`**: Runs\n2. **Non-Blocking**: Soon\n3. **It is**: C\n"
        '\n## Test 1.1\n\n1. `get_notes(limit=3)`: 3 notes\n2. `put_note("a", "b")`\n3. `get_notes(word="a")`\n',
        "find_notes",
    ),
    ("### Core tools\n\n| Tool |\n|---|\n| `find_notes` |\n\n### Word tools\n\n1. `put_word`\n", "find_notes put_word"),
]


@each("text, names", READ)
def test_siblings_of_the_same_form_are_read_as_tools(text: str, names: str) -> None:
    file = read_spec("a.md", f"# Notes\n\n## Tools\n\n{text}")

    assert [tool.contract.name for tool in file.tools] == names.split()
    assert file.is_closed
