"""Reads tables and lists in HTML like those of Markdown, if each row or entry is on its own line."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.markdown.blocks import Html, Item, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.text import Line

_LONGEST = 50_000
_LONGEST_LINE = 4_000
_ROW = re.compile(
    r"\s*<tr\b[^>]*>\s*(?:<t[hd]\b[^>]*>[^<]*+(?:<(?!/?t[hdr]\b)[^<]*+)*+</t[hd]>\s*+)++</tr>\s*", re.IGNORECASE
)
_CELL = re.compile(r"</?t[hd]\b[^>]*>|</?code\b[^>]*>|</?[a-z][^>]*>", re.IGNORECASE)
_AROUND = re.compile(r"\s*(?:</?(?:table|thead|tbody|div|p)\b[^>]*>\s*)*", re.IGNORECASE)
_FEWEST_ROWS = 2


def html_table(block: Html) -> TableBlock | None:
    """Return the table in a block of HTML, or None. The content of its cells keeps its line and column."""
    if "<tr" not in block.content[:_LONGEST].lower() or len(block.content) > _LONGEST:
        return None
    rows = []
    for index, text in enumerate(block.content.split("\n")):
        if len(text) <= _LONGEST_LINE and _ROW.fullmatch(text):
            rows.append(Line(_CELL.sub(_mark, text.replace("|", "/")).rstrip(), block.row + index, 0))
        elif not _AROUND.fullmatch(text):
            return None
    if len(rows) < _FEWEST_ROWS:
        return None
    rows = [row._replace(text=row.text[at:], column=at) for row in rows for at in (row.text.index("|"),)]
    delimiter = Line("|---" * (rows[0].text.count("|") - 1) + "|", rows[0].row, 0)
    return TableBlock((rows[0], delimiter, *rows[1:]), block.row, block.end)


_ENTRY = re.compile(r"\s*(?:<dt\b[^>]*>.*</dt>\s*<dd\b[^>]*>.*</dd>|<li\b[^>]*>.*</li>)\s*", re.IGNORECASE)
_AROUND_ENTRIES = re.compile(r"\s*(?:</?(?:dl|ul|ol|div|p)\b[^>]*>\s*)*", re.IGNORECASE)
_TAG = re.compile(r"</dt>\s*<dd\b[^>]*>|</?[a-z][^>]*>", re.IGNORECASE)


def html_list(block: Html) -> ListBlock | None:
    """Return the list, or definition list, in a block of HTML, or None. Its content keeps its line and column."""
    if not re.search(r"<(?:dt|li)\b", block.content[:_LONGEST]) or len(block.content) > _LONGEST:
        return None
    items = []
    for index, text in enumerate(block.content.split("\n")):
        if len(text) <= _LONGEST_LINE and _ENTRY.fullmatch(text):
            plain = _TAG.sub(_mark, text).rstrip()
            start = len(plain) - len(plain.lstrip())
            row = block.row + index
            items.append(Item(row, row + 1, (Paragraph((Line(plain[start:], row, start),), row, row + 1),)))
        elif not _AROUND_ENTRIES.fullmatch(text):
            return None
    return ListBlock(tuple(items), block.row, block.end) if items else None


def _mark(match: re.Match[str]) -> str:
    """Return a replacement of the same length for a tag: a pipe at the border of a cell, or a mark of code."""
    tag, size = match[0].lower(), len(match[0])
    if tag.startswith("</dt"):
        return ":".ljust(size)
    if re.match(r"<t[hd]\b", tag):
        return "|".ljust(size)
    if tag.startswith(("<code", "</code")):
        return "`".rjust(size) if tag[1] != "/" else "`".ljust(size)
    return "|".rjust(size) if tag == "</tr>" else " " * size
