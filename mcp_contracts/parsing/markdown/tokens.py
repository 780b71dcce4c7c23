"""Reads the blocks of any text from the tokens of markdown-it-py's rules."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

from mcp_contracts.parsing.markdown.block_rules import block_tokens
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, Html, Item, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.markdown.lines import language_of


def token_blocks(lines: Sequence[str], *, skip_rows: int = 0) -> list[Block]:
    """Return the blocks of some lines, the first `skip_rows` of them treated as blank."""
    blocks, _ = _read(block_tokens(lines, skip_rows=skip_rows), 0, is_inside=False)
    return blocks


def _read(tokens: Sequence[Token], at: int, *, is_inside: bool) -> tuple[list[Block], int]:
    """Return the blocks from token `at` to the end of the list item or quote around it, and the token after them."""
    blocks: list[Block] = []
    while at < len(tokens):
        token = tokens[at]
        kind = token.type
        row, end = token.map or (0, 0)
        if kind == "text" or (kind == "title" and is_inside):
            lines = token.meta["lines"]
            blocks.append(Paragraph(lines, lines[0].row, lines[-1].row + 1))
        elif kind == "title":
            lines, level = token.meta["lines"], token.meta["level"]
            blocks.append(Heading(level, lines[0], lines[0].row, lines[-1].row + 1))
        elif kind == "table":
            lines = token.meta["lines"]
            blocks.append(TableBlock(lines, lines[0].row, lines[-1].row + 1))
        elif kind == "fence":
            blocks.append(_fence(token, row, end))
        elif kind == "code_block":
            blocks.append(Fence("", token.content, row, end, row, True))
        elif kind in ("bullet_list_open", "ordered_list_open"):
            found, at = _items(tokens, at + 1)
            blocks.append(ListBlock(tuple(found), row, end))
        elif kind == "html_block":
            blocks.append(Html(token.content, row, end))
        elif kind == "blockquote_open":
            quoted, at = _read(tokens, at + 1, is_inside=True)
            blocks.extend(quoted)
        elif kind in ("list_item_close", "blockquote_close"):
            break
        at += 1
    return blocks, at


def _items(tokens: Sequence[Token], at: int) -> tuple[list[Item], int]:
    found = []
    while tokens[at].type == "list_item_open":
        row, end = tokens[at].map or (0, 0)
        blocks, at = _read(tokens, at + 1, is_inside=True)
        found.append(Item(row, end, tuple(blocks)))
        at += 1
    return found, at


def _fence(token: Token, row: int, end: int) -> Fence:
    content = token.content
    rows = content.count("\n") + (not content.endswith("\n") and content != "")
    return Fence(language_of(token.info, content), content, row, end, row + 1, is_closed=end - row == rows + 2)
