"""Headings of single parameters, ``### `name` (required)`` below `## Parameters`, as items of a list of parameters."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.markdown.blocks import Block, Heading, Item, ListBlock, Paragraph

_OF_PARAMETERS = re.compile(
    r"(?:\d[\d.]*[.)]? )?(?:(?:input|tool|request|required|optional) )*(?:param(?:eter)?s?|arg(?:ument)?s?|inputs?)",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\*{0,3}`?[A-Za-z_]\w*`?\*{0,3}:? ?(?P<said>\((?:[^()]*, ?)?(?:required|optional)\b[^()]*\))?\*{0,3}",
    re.IGNORECASE,
)
_TYPE = re.compile(r"[*_]{0,3}(?:data )?type[*_]{0,3} ?:", re.IGNORECASE)


def with_parameter_items(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return blocks in which such headings, each with the blocks below it, are the items of one list.

    The heading says whether the parameter is required, or the list below it begins with its type.
    """
    kept: list[Block] = []
    above: list[Heading] = []
    joined: ListBlock | None = None
    at = 0
    while at < len(blocks):
        block = blocks[at]
        if isinstance(block, Heading):
            above = [*(one for one in above if one.level < block.level), block]
            if (item := _item(blocks, at, above[:-1])) is not None:
                at += len(item.blocks)
                items = (item,) if joined is None else (*joined.items, item)
                if joined is not None:
                    kept.pop()
                joined = ListBlock(items, items[0].row, item.end)
                kept.append(joined)
                continue
        joined = None
        kept.append(block)
        at += 1
    return tuple(kept)


def _item(blocks: Sequence[Block], at: int, above: Sequence[Heading]) -> Item | None:
    """Return a heading and the blocks below it as an item, if it is a parameter."""
    heading = blocks[at]
    if not isinstance(heading, Heading) or not above or not _OF_PARAMETERS.fullmatch(above[-1].text.strip("*: ")):
        return None
    match = _NAME.fullmatch(heading.text.strip())
    end = next((index for index in range(at + 1, len(blocks)) if isinstance(blocks[index], Heading)), len(blocks))
    following = blocks[end] if end < len(blocks) else None
    if match is None or (isinstance(following, Heading) and following.level > heading.level):
        return None
    first = next((block for block in blocks[at + 1 : end] if isinstance(block, ListBlock)), None)
    if not match["said"] and (first is None or not _TYPE.match(first.items[0].text)):
        return None
    own = (Paragraph((heading.line,), heading.row, heading.end), *blocks[at + 1 : end])
    return Item(heading.row, own[-1].end, own)
