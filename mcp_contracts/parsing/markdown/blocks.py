"""The blocks of a specification, each with its lines and rows, as CommonMark and GFM define them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts.parsing.text import Line
from mcp_contracts.records import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading outside lists and quotes. `line` is its (first) line without the marks."""

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

    `is_closed` is False if the file, or the list or quote around it, ends before the fence does.
    """

    language: str
    content: str
    row: int
    end: int
    first_row: int
    is_closed: bool


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of text. A heading inside a list or a quote is one too, because it does not structure the file."""

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
        """The item's own lines, up to its first block that is not a paragraph."""
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
        """Whether the block is a comment from beginning to end."""
        text = self.content.strip()
        return text.startswith("<!--") and text.find("-->", 2) in (-1, len(text) - 3)


Block = Heading | Fence | Paragraph | TableBlock | ListBlock | Html


def is_content(block: Block) -> bool:
    """Whether a block says something: not a comment, nor the header of a table without rows."""
    if isinstance(block, Html):
        return not block.is_comment
    return not isinstance(block, TableBlock) or len(block.lines) > _HEADER_ROWS


_HEADER_ROWS = 2


def flatten_blocks(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return blocks and, after each list, the blocks inside it."""
    if ListBlock not in map(type, blocks):
        return blocks
    found: list[Block] = []
    for block in blocks:
        found.append(block)
        if isinstance(block, ListBlock):
            for item in block.items:
                found.extend(flatten_blocks(item.blocks))
    return found


def end_of_details(blocks: Sequence[Block], start: int, end: int) -> int:
    """Return the index of the block that closes a `<details>` opened before `start`, or `end`."""
    depth = 0
    for index in range(start, end):
        block = blocks[index]
        if isinstance(block, Html):
            depth += block.content.count("<details") - block.content.count("</details")
            if depth < 0:
                return index
    return end


def items(blocks: Sequence[Block]) -> Iterator[Item]:
    """Yield the top-level items of all lists among some blocks."""
    for block in blocks:
        if isinstance(block, ListBlock):
            yield from block.items


def lines_of(block: Paragraph | ListBlock) -> Sequence[Line]:
    """Return the lines of a paragraph, or those of the items of a list without what is nested in them."""
    if isinstance(block, Paragraph):
        return block.lines
    return [line for item in block.items for line in item.lines]
