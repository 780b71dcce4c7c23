"""Headings in markup other than Markdown: `<h3>name</h3>`, and names that reStructuredText underlines with `~`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.markdown.blocks import Block, Heading, Html, Paragraph
from mcp_contracts.parsing.markdown.reading import parse_blocks
from mcp_contracts.parsing.text import Line, SourceText

_UNDERLINE = re.compile(r"([~^\"'+*.:#])\1{2,}[ \t]*")
_TITLE = re.compile(r"\s{0,3}[`*\w][^|\n]{0,100}")
_LOOSE = 3
# Each search ends where the next heading or tag begins, so an unclosed one costs no more than any other.
_HTML = re.compile(r"<h([1-6])\b[^<>]*>((?:[^<]|<(?!h[1-6]\b))*?)</h\1>", re.IGNORECASE)
_PARAGRAPH = re.compile(r"\s*<p\b[^<>]*>([^<>]+)</p>\s*", re.IGNORECASE)
_TAGS = re.compile(r"</?(?:a|b|strong|em|i|span)\b[^<>]*>", re.IGNORECASE)
_CODE = re.compile(r"</?code\b[^<>]*>", re.IGNORECASE)


def with_foreign_headings(source: SourceText, blocks: Sequence[Block], *, skip_rows: int) -> tuple[Block, ...] | None:
    """Return the blocks of a file with these headings converted, or None if it has none."""
    lines = list(source.lines)
    for row in range(max(skip_rows, 0) + 1, len(lines)):
        title, line = lines[row - 1], lines[row]
        if (
            _UNDERLINE.fullmatch(line)
            and _TITLE.fullmatch(title)
            and abs(len(line.rstrip()) - len(title.strip())) <= _LOOSE
            and (row < 2 or not lines[row - 2].strip())
        ):
            lines[row] = re.sub(r"\S", "-", line)
    is_underlined = lines != list(source.lines)
    if is_underlined:
        blocks = parse_blocks(SourceText(source.path, source.text, tuple(lines)), skip_rows=skip_rows)
    headed = tuple(found for block in blocks for found in _of_html(block))
    return headed if is_underlined or len(headed) != len(blocks) or headed != tuple(blocks) else None


def _of_html(block: Block) -> Iterator[Block]:
    """Yield a block of HTML with each heading in it converted; any other block unchanged."""
    matches = list(_HTML.finditer(block.content)) if isinstance(block, Html) and not block.is_comment else []
    if not isinstance(block, Html) or not matches:
        yield block
        return
    if (before := block.content[: matches[0].start()]).strip():
        yield from _between(block, 0, before)
    for match, following in zip(matches, [*matches[1:], None], strict=True):
        row = block.row + block.content.count("\n", 0, match.start(2))
        begin = block.content.rfind("\n", 0, match.start(2)) + 1
        # Marks of the same length keep the columns of the text between them.
        inner = _CODE.sub(
            lambda tag: f"{' ' * (len(tag[0]) - 1)}`" if tag[0][1] != "/" else f"`{' ' * (len(tag[0]) - 1)}",
            _TAGS.sub(lambda tag: " " * len(tag[0]), match[2]),
        )
        text = " ".join(inner.split("\n"))
        shift = len(text) - len(text.lstrip())
        line = Line(text.strip(), row, match.start(2) - begin + shift)
        yield Heading(int(match[1]), line, row, row + 1)
        yield from _between(block, match.end(), block.content[match.end() : following.start() if following else None])


def _between(block: Html, start: int, text: str) -> Iterator[Block]:
    """Yield the content between two headings: lines of text as paragraphs, and the rest as HTML."""
    first = block.row + block.content.count("\n", 0, start)
    rest: list[str] = []
    lines = text.split("\n")
    for index, line in enumerate([*lines, "<p>"]):
        paragraph = _PARAGRAPH.fullmatch(line)
        if (paragraph is not None or index == len(lines)) and any(one.strip() for one in rest):
            yield Html("\n".join(rest), first + index - len(rest), first + index)
        rest = [] if paragraph is not None else [*rest, line]
        if paragraph is not None:
            said = Line(paragraph[1].strip(), first + index, paragraph.start(1) if index else 0)
            yield Paragraph((said,), first + index, first + index + 1)
