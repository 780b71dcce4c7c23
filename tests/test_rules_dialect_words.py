"""How MC006 says in what form the tools of a file are written."""

from __future__ import annotations

from tests.said import said
from tests.tables import each

LISTED = """
# Harbor: tool specification

## Tools

- `find_harbor`: Finds a harbor by its name
- `list_buoys`: Lists the buoys of a harbor
{typed}"""
TYPED = """
## Tool: plot_course

Plots a course.

### Parameters

- `start` (string, required): Harbor where it begins
"""
UNTYPED = """
## Tool: moor_ship

Moors a ship.

### Parameters

- `berth`: where to moor it
- `ropes`: how many to use
"""


ALL = "MC006 2 tools are read, but no parameter types, so only their names are checked"
MOST = "MC006 5 tools are read, but for most of them no parameter types, so only the names of those are checked"


@each("more, expected", [("", ALL), (f"{TYPED}{UNTYPED}{UNTYPED.replace('moor_', 'berth_')}", MOST)])
def test_most_tools_are_not_all_tools(more: str, expected: str) -> None:
    assert expected in said(LISTED.format(typed=more), ())


CODE = '''
# Harbor: tool specification

```python
@mcp.tool()
def find_harbor(name: str) -> dict:
    """Find a harbor by its name."""

@mcp.tool()
def list_buoys(harbor: str) -> list:
    """List the buoys of a harbor."""
```
'''


@each("text, words", [(CODE, "no heading"), (TYPED, "no `## Tool:` heading")])
def test_a_tool_in_code_has_no_heading(text: str, words: str) -> None:
    [found] = [one for one in said(text.replace("Tool: plot", "`plot_course`: plots"), ()) if one.startswith("MC006")]

    assert words in found
    assert ("heading" in found.replace(words, "")) is False


def test_an_item_that_is_only_listed_lacks_no_heading_besides() -> None:
    [found] = [one for one in said(LISTED.format(typed=TYPED), ()) if one.startswith("MC006")]

    assert "only listed (2)" in found
    assert "heading" not in found
