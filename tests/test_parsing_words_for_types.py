"""A word in parentheses after a name is a type only where other names have types, or if it resembles one."""

from __future__ import annotations

from tests.said import said
from tests.tables import each

LIST = "# Boat: tool specification\n\n## `boat_list`\n\nReturns the boats.\n\n**Parameters:**\n\n"


@each(
    ("items", "is_reported"),
    [
        ("- Optional: `harbor`, `sail` (filter)\n", False),
        ("- `harbor`\n- `sail` (filter)\n", False),
        ("- `harbor`\n- `sail` (strnig)\n", True),
        ("- `harbor` (string)\n- `sail` (filter)\n", True),
        ("- `sail` (filter)\n", True),
    ],
)
def test_a_word_after_a_name(items: str, *, is_reported: bool) -> None:
    assert any(line.startswith("MC308") for line in said(LIST + items)) is is_reported
