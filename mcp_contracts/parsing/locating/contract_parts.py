"""Finds what looks like a part of a tool's contract in a file without readable tools."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.headings import OF_TOOLS_ELSEWHERE, PLACEHOLDER_NAMES, speaks_of_tools
from mcp_contracts.parsing.locating.odd_headings import without_tools
from mcp_contracts.parsing.locating.unread import ROUTE
from mcp_contracts.parsing.markdown.blocks import (
    Block,
    Fence,
    Heading,
    Paragraph,
    TableBlock,
    flatten_blocks,
)
from mcp_contracts.parsing.parameters.columns import columns_of
from mcp_contracts.parsing.parameters.tables import cells_of
from mcp_contracts.parsing.text import Line
from mcp_contracts.parsing.topics import about, label_of

_SCHEMA = re.compile(r"\"?(?:inputSchema|input_schema|parameters|tool_name|properties)\"?\s*:")
_TEMPLATE = re.compile(rf"\"(?:tool_)?name\"\s*:\s*\"(?:{'|'.join(map(re.escape, sorted(PLACEHOLDER_NAMES)))})\"")
_PARTS = (3, 4)
_CALL = re.compile(r"\w\([^()]*\)", re.ASCII)
_JOINED = re.compile(r"`[a-z](?:\w*\.|[^\W_]*_)\w+`")
_NAMES_TOOL = re.compile(
    r"\b(?:agents?|models?|MCP)\b[^.`]{0,40}`[\w.]+\(|^(?:\d+\. |[-*] )?`?\w+\([^()]*\w\s*:\s*\w[^()]*\)"
    r"|\btools?(?: named| called| is| are|:| \()? ?`[\w.-]+`|`[\w.-]+` (?:is an? )?tool\b",
    re.IGNORECASE,
)
"""A tool, or a function that agents call, and a call with types at the beginning of text."""
_LONGEST = 1_000


def first_of_contract(blocks: Sequence[Block]) -> Block | None:
    """Return the first block that looks like a part of a tool's contract, if any.

    Such a part is a table or a label of parameters or of a result, a schema, a heading that is a call, a tool named in
    a sentence, and a table of names in text about tools.
    """
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    is_titled = speaks_of_tools(title)
    under = ""
    for block in flatten_blocks(blocks):
        under = block.text if isinstance(block, Heading) else under
        if OF_TOOLS_ELSEWHERE.search(without_tools(under)) or ROUTE.match(under):
            continue
        if _has_parameters(block) or (isinstance(block, Heading) and _is_of_contract(block.text)):
            return block
        if isinstance(block, Paragraph) and (
            _NAMES_TOOL.search(block.text[:_LONGEST]) or any(_labels_contract(line) for line in block.lines)
        ):
            return block
        if is_titled and isinstance(block, TableBlock):
            names = [cell.text for line in block.lines[2:] for cell in cells_of(line)[:2]]
            if sum(_JOINED.match(name) is not None for name in names) > 1:
                return block
    return None


def _is_of_contract(heading: str) -> bool:
    return about(heading) in _PARTS or _CALL.search(heading) is not None


def _labels_contract(line: Line) -> bool:
    label = label_of(line)
    return label is not None and label.about in _PARTS


def _has_parameters(block: Block) -> bool:
    """Whether a block is a table of parameters, or a schema of a tool."""
    if isinstance(block, TableBlock):
        names = [cells_of(line)[0].text.strip("`* ") for line in block.lines[2:]]
        return columns_of(block.lines[0].text).are_of_parameters and not all(map(str.isupper, names))
    return (
        isinstance(block, Fence) and _SCHEMA.search(block.content) is not None and not _TEMPLATE.search(block.content)
    )
