"""Tables with the parameters of several tools (`| Tool | Parameter | Type |`), divided among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.headings import is_no_name
from mcp_contracts.parsing.markdown.blocks import Block, TableBlock
from mcp_contracts.parsing.markdown.lines import split_cells
from mcp_contracts.parsing.parameters.columns import columns_of, plain_title
from mcp_contracts.parsing.parameters.tables import cells_of, plain_name
from mcp_contracts.parsing.text import Line

_TITLES = frozenset(("tool", "tools", "tool name", "mcp tool", "function", "command", "method", "operation"))
_NAME = re.compile(r"[a-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*")


def shared_tables(blocks: Sequence[Block]) -> Mapping[str, TableBlock]:
    """Return the rows of each tool as a separate table, by name. A row without a name belongs to the tool above."""
    found: dict[str, TableBlock] = {}
    for block in blocks:
        if not isinstance(block, TableBlock) or plain_title(cells_of(block.lines[0])[0].text) not in _TITLES:
            continue
        header, delimiter, *rows = map(_without_first_cell, block.lines)
        if not columns_of(header.text).are_of_parameters:
            continue
        of_tool: dict[str, list[Line]] = {}
        name = ""
        for whole, row in zip(block.lines[2:], rows, strict=True):
            written = plain_name(cells_of(whole)[0].text).partition("(")[0]
            name = written or name
            if _NAME.fullmatch(name) and not is_no_name(name):
                of_tool.setdefault(name, []).append(row)
        for name, own in of_tool.items():
            found.setdefault(name, TableBlock((header, delimiter, *own), own[0].row, own[-1].row + 1))
    return found


def _without_first_cell(line: Line) -> Line:
    cells = split_cells(line.text)
    start = cells[1][0] - 1 if len(cells) > 1 else len(line.text)
    return Line(line.text[start:], line.row, line.column + start)
