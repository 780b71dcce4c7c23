"""Finds the placeholders of a specification: a template's braces, `TODO`, `<describe …>`, lorem ipsum."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Placeholder
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Html, Paragraph, TableBlock, flatten_blocks
from mcp_contracts.parsing.markdown.lines import code_spans
from mcp_contracts.parsing.parameters.tables import cells_of
from mcp_contracts.parsing.placeholder_texts import EMPHASIS, TEMPLATE_WORD, describes_itself, is_placeholder, traces_in
from mcp_contracts.parsing.schemas import is_data
from mcp_contracts.parsing.text import Line, SourceText, shorten

_BRACES_IN_CODE = re.compile(r"\{\{\w{1,60}: [^{}\n]{1,200}\}\}")
_BRACES = re.compile(r"(?<!=)\{\{(?! ?\w+(?:\([^(){}]*\)|\.[\w.]+) ?\}\})[^{}]++\}\}")
"""Braces that are not code: a call or a member, `{{ ref('a') }}`, or an attribute, `style={{ width: 3 }}`."""

_INSIDE = re.compile(
    r"[\[(<](?:TODO|TBD|TBA|TBC|FIXME|XXX)(?:\s*:[^\[\]()<>]{0,200})?[\])>]"
    r"|(?<=[.!?;:,)] )(?:TODO|FIXME)(?:\([\w.@ -]{1,40}\))?: +\w[^\n]{0,200}"
    r"|(?<=[.!?:;] )(?:TODO|FIXME|TBD|XXX)(?=[.!]?\s*$)"
    r"|(?<=[\w.)`] )XXX(?=:? [a-z])[^\n]{0,200}"
    r"|(?:\b(?:is|are|remains?|still)|[:=])\s+(?:TBD|TBA|TBC|FIXME)(?=[.!;,]?\s*$)"
    r"|(?i:\blorem ipsum\b[^\n.]{0,80})"
    r"|(?i:<(?:(?:describe|insert|your|fill in|enter|specify|explain|write|replace)\b[^<>]{0,100}"
    r"|(?:what|when|short|brief|tool|purpose|description|name of) [^<>]{1,100})>)"
    r"|(?i:\[(?:describe|insert|your|fill in|replace with)\b[^\[\]]{0,100}\](?![(\[:]))"
)
_LEAD = re.compile(r"(?:\*\*[^*]{1,60}\*\*:?|\*\*[^*]{1,60}:\*\*|`[^`]{1,100}`(?:\s*\([^()]{1,60}\))?\s*[:–—-])\s+")
_EXAMPLE_COLUMN = re.compile(r"(?i)example|default|sample")


def read_braces(source: SourceText, blocks: Sequence[Block]) -> Iterator[Placeholder]:
    """Yield each `{{…}}` on one line, outside code: text of the template that was not replaced.

    In JSON and YAML, only the form of the template counts (`{{name: what to write}}`), since data may contain braces,
    and only if the same text does not appear above: `new` writes one placeholder into table and schema.
    """
    if "{{" not in source.text:
        return
    fences = [block for block in flatten_blocks(blocks) if isinstance(block, Fence)]
    code = {row: is_data(block) for block in fences for row in range(block.row, block.end)}
    seen = set()
    for row, line in enumerate(source.lines):
        if "{{" not in line:
            continue
        if row in code:
            for match in _BRACES_IN_CODE.finditer(line) if code[row] else ():
                if match[0] not in seen:
                    seen.add(match[0])
                    yield Placeholder(shorten(match[0]), source.place(row, match.start(), match.end()))
            continue
        for start, end, text in _outside_of_code(line, _BRACES):
            seen.add(text)
            yield Placeholder(shorten(text), source.place(row, start, end))


def read_marks(source: SourceText, blocks: Sequence[Block], traces: Sequence[str]) -> Iterator[Placeholder]:
    """Yield the placeholders of some paragraphs, bullets and cells: `TODO`, `<describe …>`, lorem ipsum.

    `traces` are those of the whole text.
    """
    for block in flatten_blocks(blocks):
        if isinstance(block, Paragraph):
            if traces_in(block.text, traces):
                yield from _in_paragraph(source, block)
        elif isinstance(block, Html):
            # CommonMark treats `<describe what it does>` on its own line as an HTML tag.
            text = source.lines[block.row]
            is_closed = f"</{text.strip().strip('<>')}>" in source.text  # the tag of a component
            if block.end - block.row == 1 and not is_closed and is_placeholder(block.content):
                yield Placeholder(
                    shorten(text), source.place(block.row, len(text) - len(text.lstrip()), len(text.rstrip()))
                )
        elif isinstance(block, TableBlock):
            header = [cell.text for cell in cells_of(block.lines[0])]
            for line in block.lines[2:]:
                if traces_in(line.text, traces):
                    yield from _in_row(source, line, header)


def _in_paragraph(source: SourceText, block: Paragraph) -> Iterator[Placeholder]:
    if is_placeholder(block.text) and len(block.lines) > 1:
        first, last = block.lines[0], block.lines[-1]
        place = source.place(first.row, first.column, last.column + len(last.text), end_row=last.row)
        yield Placeholder(shorten(block.text), place)
        return
    for line in block.lines:
        found = _marks_in(line.text)
        for start, end in found:
            yield Placeholder(shorten(line.text[start:end]), source.place_in(line, start, end))


def _in_row(source: SourceText, line: Line, header: Sequence[str]) -> Iterator[Placeholder]:
    cells = cells_of(line)
    if (word := next((cell for cell in cells if TEMPLATE_WORD.fullmatch(cell.text)), None)) is not None:
        yield Placeholder(shorten(word.text.strip("`*")), source.place(line.row, word.column, word.end))
        return
    for index, cell in enumerate(cells):
        is_example = index < len(header) and _EXAMPLE_COLUMN.search(header[index])
        if is_example or describes_itself(cells[0].text.strip(EMPHASIS), cell.text):
            continue
        for start, end in _marks_in(cell.text):
            at = cell.column + start
            yield Placeholder(shorten(cell.text[start:end]), source.place(line.row, at, cell.column + end))


_BEGINS_WITH_MARK = re.compile(r"(?:TODO|FIXME|TBD|XXX)\s*[:(]")


def _marks_in(text: str) -> Sequence[tuple[int, int]]:
    """Return the offsets of the placeholders of a line or a cell: all of it, the text after its label, or words."""
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    while start < len(text) and text[start] in EMPHASIS:
        start += 1
    rest = text[start:].rstrip(EMPHASIS)
    if _BEGINS_WITH_MARK.match(text.lstrip(EMPHASIS)) and is_placeholder(text):
        return ((0, len(text)),)
    is_own = lead is not None and describes_itself(re.split(r"[`*: ]+", lead[0])[1], rest)
    if rest and not is_own and ("`" not in rest or _BEGINS_WITH_MARK.match(rest)) and is_placeholder(rest):
        return ((start, start + len(rest)),)
    return [(begin, end) for begin, end, _ in _outside_of_code(text, _INSIDE)]


def _outside_of_code(line: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the matches of a pattern in a line that do not begin in a code span."""
    spans = list(code_spans(line)) if "`" in line else []
    ends = [end for _, end in spans]
    for match in pattern.finditer(line):
        index = bisect_right(ends, match.start())
        if index == len(spans) or match.start() < spans[index][0]:
            yield match.start(), match.end(), match[0]


def inside(place: Place, extent: Place) -> bool:
    """Whether a place is in the lines of another."""
    return extent.line <= place.line <= extent.end_line
