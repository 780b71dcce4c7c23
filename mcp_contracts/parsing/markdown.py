"""CommonMark to the blocks a specification is made of, each with its rows.

markdown-it-py does the block structure; its inline phase is off, since a specification's meaning stands in blocks.
Tables are found here, in paragraphs: markdown-it-py cuts a row's surplus cells, and just those hold what an unescaped
pipe has torn apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mcp_contracts.parsing.text import SourceText


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading. `text` is as written, without the marks; rows count from 0, `end` is exclusive."""

    level: int
    text: str
    row: int
    end: int


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block. Its content starts at `first_row`; `is_closed` is False where the file ends inside it."""

    language: str
    content: str
    row: int
    end: int
    first_row: int
    is_closed: bool


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of text, each with its row."""

    lines: tuple[str, ...]
    row: int
    end: int

    @property
    def text(self) -> str:
        """The lines joined."""
        return "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table: the row of its header; the delimiter row follows, then `rows` up to `end`."""

    row: int
    end: int


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list, with the blocks in it."""

    row: int
    end: int
    blocks: tuple[Block, ...]

    @property
    def text(self) -> str:
        """The item's own text, up to its first nested list."""
        lines = []
        for block in self.blocks:
            if not isinstance(block, Paragraph):
                break
            lines.append(block.text)
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A bullet or ordered list."""

    row: int
    end: int
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Html:
    """A block of HTML, comments among it."""

    content: str
    row: int
    end: int


Block = Heading | Fence | Paragraph | TableBlock | ListBlock | Html

_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")


def parse_blocks(source: SourceText, *, skip_rows: int = 0) -> tuple[Block, ...]:
    """The blocks of a text in order. `skip_rows` leading rows (front matter) are passed over, rows keep their count."""
    text = "\n".join([""] * skip_rows + list(source.lines[skip_rows:])).replace("\0", "\ufffd")
    tokens: list[Token] = []
    _PARSER.block.parse(text, _PARSER, {}, tokens)
    blocks, _ = _read(tokens, 0, source)
    return tuple(blocks)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.options["maxNesting"] = 20
    return parser


_PARSER = _parser()


def _read(tokens: list[Token], at: int, source: SourceText) -> tuple[list[Block], int]:
    """Blocks from token `at` to the close of the enclosing list item, and the token after it."""
    blocks: list[Block] = []
    while at < len(tokens):
        token = tokens[at]
        kind = token.type
        row, end = token.map or (0, 0)
        if kind == "heading_open":
            blocks.append(Heading(int(token.tag[1]), tokens[at + 1].content.strip(), row, end))
            at += 3
        elif kind == "paragraph_open":
            blocks.extend(_paragraphs(tokens[at + 1].content, row, end, source))
            at += 3
        elif kind == "fence":
            is_closed = end - row == token.content.count("\n") + 2
            language = token.info.strip().partition(" ")[0].partition("{")[0].lower()
            blocks.append(Fence(language, token.content, row, end, row + 1, is_closed))
            at += 1
        elif kind in ("bullet_list_open", "ordered_list_open"):
            items, at = _items(tokens, at + 1, source)
            blocks.append(ListBlock(row, end, tuple(items)))
        elif kind == "html_block":
            blocks.append(Html(token.content, row, end))
            at += 1
        elif kind in ("list_item_close", "bullet_list_close", "ordered_list_close"):
            return blocks, at
        else:  # thematic breaks, indented code, and the borders of block quotes, whose content is read as if outside
            at += 1
    return blocks, at


def _items(tokens: list[Token], at: int, source: SourceText) -> tuple[list[Item], int]:
    items = []
    while at < len(tokens) and tokens[at].type == "list_item_open":
        row, end = tokens[at].map or (0, 0)
        blocks, at = _read(tokens, at + 1, source)
        items.append(Item(row, end, tuple(blocks)))
        at += 1
    return items, at + 1


def _paragraphs(content: str, row: int, end: int, source: SourceText) -> Iterator[Block]:
    """A paragraph, split at the table in it: as in GFM, a header row over a delimiter row of as many cells."""
    lines = content.split("\n")
    if "|" not in content or end - row != len(lines):
        yield Paragraph(tuple(lines), row, end)
        return
    start = index = 0
    while index + 1 < len(lines):
        header, delimiter = lines[index], lines[index + 1]
        if (
            "|" in header
            and "-" in delimiter
            and _DELIMITER.fullmatch(delimiter)
            and len(split_cells(header)) == len(split_cells(delimiter))
        ):
            if index > start:
                yield Paragraph(tuple(lines[start:index]), row + start, row + index)
            yield TableBlock(row + index, end)
            return
        index += 1
    yield Paragraph(tuple(lines[start:]), row + start, end)


def split_cells(line: str) -> list[tuple[str, int]]:
    """The cells of a table row with their columns (from 0), as GFM splits them: a backslash keeps a pipe."""
    cells = []
    start = len(line) - len(line.lstrip())
    end = len(line.rstrip())
    if line[start : start + 1] == "|":
        start += 1
    for match in _PIPE.finditer(line, start, end):
        cells.append((start, match.start()))
        start = match.end()
    if line[start:end].strip() or not cells:
        cells.append((start, end))
    found = []
    for left, right in cells:
        text = line[left:right]
        stripped = text.strip()
        found.append((stripped, left + len(text) - len(text.lstrip())))
    return found


_PIPE = re.compile(r"(?<!\\)\|")
