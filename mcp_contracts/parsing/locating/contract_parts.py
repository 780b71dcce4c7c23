"""Finds what looks like a part of a tool's contract in a file without readable tools."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.headings import GROUP, OF_TOOLS_ELSEWHERE, PLACEHOLDER_NAMES, speaks_of_tools
from mcp_contracts.parsing.locating.odd_headings import without_tools
from mcp_contracts.parsing.locating.other_languages import TITLE_OF_TOOLS, names_tools
from mcp_contracts.parsing.locating.unread import ROUTE
from mcp_contracts.parsing.markdown.blocks import (
    Block,
    Fence,
    Heading,
    ListBlock,
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
_CALL = re.compile(r"\w\([^()]*\)")
_JOINED = re.compile(r"`[a-z](?:\w*\.|[^\W_]*_)\w+`")
_NAMES_TOOL = re.compile(
    r"\b(?:agents?|models?|MCP)\b[^.`]{0,40}`[\w.]+\(|^(?:\d+\. |[-*] )?`?\w+\([^()]*\w\s*:\s*\w[^()]*\)"
    r"|\btools?(?: named| called| is| are|:| \()? ?`[\w.-]+`|`[\w.-]+` (?:is an? )?tool\b",
    re.IGNORECASE,
)
"""A tool, or a function that agents call, and a call with types at the beginning of text."""
_COUNTED = re.compile(
    r"\b(?:exposes?|provides?|offers?|registers?|ships?(?: with)?|all|with|following) (?:\w+ )?"
    r"(?:[2-9]|[1-9]\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\+? (?:[\w-]+ ){0,2}tools\b"
    r"|\b(?:exposes?|provides?|offers?|registers?|has) (?:exactly |only |just )?(?:one|a single|1) (?:MCP )?tool\b"
    r"|(?:[2-9]|[1-9]\d{1,2})\+? ?(?:个|個|種|개의?)? ?(?:MCP ?)?(?:工具|ツール|도구)",
    re.IGNORECASE,
)
_MANY = 13
"""The number of items in a list that may be tools, whatever the heading above them says."""
_NAME = re.compile(r"[*`]{1,3}[a-z][a-z0-9]*[_.-]\w+(?:[.-]\w+)*(?:\([^()]*\))?[*`]{1,3}")
_CODE_ONLY = re.compile(
    r"`[a-z][a-z0-9]*[_.-]\w+(?:[.-]\w+)*(?:\([^()`]*\))?`|[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+(?:\([^()`]*\))?"
)
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
        if has_parameters(block) or (isinstance(block, Heading) and _is_of_contract(block.text)):
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


def shows_tools(blocks: Sequence[Block]) -> bool:
    """Whether text counts its own tools, or names several in a table or list of tools."""
    under, is_elsewhere = "", False
    shown = 0  # headings and paragraphs with only a name or a call in code
    for block in flatten_blocks(blocks):
        names: list[str] = []
        if isinstance(block, Heading | Paragraph) and _CODE_ONLY.fullmatch(block.text.strip()):
            shown += (speaks_of_tools(under) or names_tools(under)) and not is_elsewhere
            if shown > 1:
                return True
        elif isinstance(block, Heading):
            under = block.text
            is_elsewhere = OF_TOOLS_ELSEWHERE.search(under) is not None
        elif isinstance(block, Paragraph) and _COUNTED.search(block.text[:_LONGEST].replace("*", "")):
            return True
        elif isinstance(block, TableBlock):
            titles = [cell.text.strip("*` ") for cell in cells_of(block.lines[0])[:2]]
            if any(TITLE_OF_TOOLS.fullmatch(title) or GROUP.fullmatch(title) for title in titles):
                names = [cell.text for line in block.lines[2:] for cell in cells_of(line)[:2]]
        elif isinstance(block, ListBlock):
            names = [item.lines[0].text for item in block.items if item.lines]
            if len(names) < _MANY and not speaks_of_tools(under) and not names_tools(under):
                names = []
        if not is_elsewhere and sum(_NAME.match(name) is not None for name in names) > 1:
            return True
    return False


def names_tools_in_code(block: Block) -> bool:
    """Whether a heading is a name of several words, or the items or rows of a block begin with one."""
    if isinstance(block, Heading):
        return _CODE_ONLY.fullmatch(block.text.strip()) is not None or _NAME.match(block.text) is not None
    if isinstance(block, TableBlock):
        return any(_NAME.match(cell.text) for line in block.lines[2:] for cell in cells_of(line)[:2])
    return isinstance(block, ListBlock) and any(_NAME.match(item.lines[0].text) for item in block.items if item.lines)


def _is_of_contract(heading: str) -> bool:
    return about(heading) in _PARTS or _CALL.search(heading) is not None


def _labels_contract(line: Line) -> bool:
    label = label_of(line)
    return label is not None and label.about in _PARTS


def has_parameters(block: Block) -> bool:
    """Whether a block is a table of parameters, or a schema of a tool."""
    if isinstance(block, TableBlock):
        names = [cells_of(line)[0].text.strip("`* ") for line in block.lines[2:]]
        return columns_of(block.lines[0].text).are_of_parameters and not all(map(str.isupper, names))
    return (
        isinstance(block, Fence) and _SCHEMA.search(block.content) is not None and not _TEMPLATE.search(block.content)
    )
