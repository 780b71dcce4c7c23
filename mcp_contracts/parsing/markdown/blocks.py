"""The blocks that a specification is made of, each with its lines and rows, as CommonMark and GFM see them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from mcp_contracts.parsing.markdown.block_rules import block_tokens
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.records import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading outside of lists and quotes. `line` is its (first) line without the marks."""

    level: int
    line: Line
    row: int
    end: int

    @property
    def text(self) -> str:
        """The heading as written, without the marks."""
        return self.line.text


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block, or an indented one, which has no language. Its content starts in `first_row`.

    `is_closed` is False where the file, or the list or quote around it, ends before the fence does.
    """

    language: str
    content: str
    row: int
    end: int
    first_row: int
    is_closed: bool


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of text. A heading inside a list or a quote is one too: it structures nothing."""

    lines: Sequence[Line]
    row: int
    end: int

    @property
    def text(self) -> str:
        """The lines joined."""
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table: its header, the delimiter row, and the rows."""

    lines: Sequence[Line]
    row: int
    end: int


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list, with the blocks in it."""

    row: int
    end: int
    blocks: tuple[Block, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """The item's own lines, up to its first block that is no paragraph."""
        lines: list[Line] = []
        for block in self.blocks:
            if not isinstance(block, Paragraph):
                break
            lines.extend(block.lines)
        return tuple(lines)

    @property
    def text(self) -> str:
        """The item's own lines, joined."""
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A bullet or ordered list."""

    items: tuple[Item, ...]
    row: int
    end: int


@dataclass(frozen=True, slots=True)
class Html:
    """A block of HTML, such as a comment."""

    content: str
    row: int
    end: int

    @property
    def is_comment(self) -> bool:
        """Whether it shows nothing: it is a comment from beginning to end."""
        text = self.content.strip()
        return text.startswith("<!--") and text.find("-->", 2) in (-1, len(text) - 3)


Block = Heading | Fence | Paragraph | TableBlock | ListBlock | Html


def parse_blocks(source: SourceText, *, skip_rows: int = 0) -> tuple[Block, ...]:
    """The blocks of a text in order. `skip_rows` leading rows (front matter) are passed over, rows keep their count."""
    blocks, _ = _read(block_tokens(source.lines, skip_rows=skip_rows), 0, is_inside=False)
    return tuple(blocks)


def nested(blocks: Sequence[Block]) -> Iterator[Block]:
    """Some blocks and, after each list, the blocks inside it."""
    for block in blocks:
        yield block
        if isinstance(block, ListBlock):
            for item in block.items:
                yield from nested(item.blocks)


def items(blocks: Sequence[Block]) -> Iterator[Item]:
    """The top-level items of all lists among some blocks."""
    for block in blocks:
        if isinstance(block, ListBlock):
            yield from block.items


def _read(tokens: Sequence[Token], at: int, *, is_inside: bool) -> tuple[list[Block], int]:
    """The blocks from token `at` to the end of the list item or quote around it, and the token after them."""
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
    words = token.info.split()
    language = words[0].partition("{")[0].lower() if words else ""
    return Fence(language, content, row, end, row + 1, is_closed=end - row == rows + 2)
