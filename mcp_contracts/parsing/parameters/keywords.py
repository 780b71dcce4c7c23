"""Reads the parameters from a call that lists all of them: `find(word="tea", # Required: what to look for`."""

from __future__ import annotations

import ast
from textwrap import dedent

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import TableRow
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.parameters.signatures import named_row
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.records import replace

_LONGEST = 20_000
_COMMENT = re.compile(r"#\s*(.*?)\s*$")


def call_keywords(source: SourceText, fence: Fence, name: str) -> tuple[TableRow, ...]:
    """Return the arguments of the only call in a fence, if it is one of the tool, with the comment next to each."""
    text = dedent(fence.content)
    try:
        tree = ast.parse(text) if len(text) <= _LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree is not None else []
    if len(calls) != 1 or calls[0].args or ast.unparse(calls[0].func).rpartition(".")[2] != name.rpartition(".")[2]:
        return ()
    rows: list[TableRow] = []
    for keyword in calls[0].keywords:
        row = fence.first_row + keyword.lineno - 1
        written = source.lines[row]
        comment = _COMMENT.search(written)
        text = f"`{keyword.arg}`: {comment[1] if comment is not None else ''}"
        found = named_row(source, Line(text, row, 0), text)
        at = written.find(keyword.arg) if keyword.arg is not None else -1
        if found is None or keyword.arg is None or at < 0:
            return ()
        place = source.place(row, at, at + len(keyword.arg))
        is_none = isinstance(keyword.value, ast.Constant) and keyword.value.value is None
        required = False if is_none and found.required is None else found.required
        rows.append(
            replace(found, place=place, type_place=place, required_place=place, required=required, default=None)
        )
    return tuple(rows)
