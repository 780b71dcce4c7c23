"""Finds Markdown that does not render as intended: unmatched backticks, open blocks, headings without a space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, Html, Paragraph, TableBlock, flatten_blocks
from mcp_contracts.parsing.markdown.lines import code_spans, split_cells
from mcp_contracts.parsing.schemas import is_data
from mcp_contracts.parsing.text import Line, SourceText

_HEADING = re.compile(r"#{2,6}[A-Za-z`*]")
_FENCE = re.compile(r"``(?:[a-z]\w*)?\s*")
_CONFLICT = ("<<<<<<< ", ">>>>>>> ")
_BEGINNING = re.compile(r"#{2,6}[^\s#]|``(?!`)|<<<<<<< |>>>>>>> ")
_MARKS = ("#", "`", "<", ">")
_IN_FENCE = re.compile(r"[ \t>]*```")
_ESCAPED = re.compile(r"\\`")
_LONE = re.compile(r"(?<!`)`(?!`)")
_BESIDE_A_WORD = re.compile(r"(?<![`\\])`\w|[\w)\]]`(?!`)")


def broken_markup(source: SourceText, blocks: Sequence[Block]) -> Iterator[Fault]:
    """Yield a fault for each line of text that Markdown does not render as its author intended."""
    rows = {
        row
        for row, line in enumerate(source.lines)
        if ("`" in line and line.count("`") % 2 and not _IN_FENCE.match(line))
        or (line[:1] in _MARKS and _BEGINNING.match(line))
    }
    if not rows:
        return
    for block in flatten_blocks(blocks):
        if isinstance(block, Fence) or rows.isdisjoint(range(block.row, block.end)):
            continue
        if isinstance(block, Paragraph):
            yield from (_fault(source, line, *found) for line in block.lines if (found := _of_line(line.text)))
            yield from _of_spans(source, block.lines)
        elif isinstance(block, Heading):
            yield from _of_spans(source, [block.line])
        elif isinstance(block, TableBlock):
            widths = [len(split_cells(line.text)) for line in block.lines]
            for line, *own in zip(block.lines, widths, [*widths[1:], widths[0]], strict=True):
                if min(own) < widths[0]:
                    continue  # a row that a line break splits is reported as such
                odd = [line.text[start:end] for start, end in split_cells(line.text) if _is_odd(line.text[start:end])]
                if len(odd) == 1:  # a pipe in a code span leaves two
                    yield from _of_spans(source, [line])


def _of_line(text: str) -> tuple[str, str] | None:
    """Return the fault of a single line of a paragraph, and its fix."""
    if _HEADING.match(text):
        return "this heading has no space after the `#`, so it is rendered as text", "write a space after the `#`"
    if _FENCE.fullmatch(text):
        return "this code block begins with two backticks, so it is rendered as text", "write three backticks"
    if text.startswith(_CONFLICT):
        return "this line is a merge conflict marker", "resolve the conflict, and remove its markers"
    return None


def _of_spans(source: SourceText, lines: Sequence[Line]) -> Iterator[Fault]:
    """Yield a fault for the first line with an unmatched backtick in the paragraph, heading or row."""
    text = _ESCAPED.sub("  ", "\n".join(line.text for line in lines))
    at, is_open = 0, False
    for start, end in (*code_spans(text), (len(text), len(text))):
        is_open = is_open or _LONE.search(text, at, start) is not None
        at = end
    odd = next((line for line in lines if _is_odd(line.text)), None) if is_open else None
    if odd is not None and _BESIDE_A_WORD.search(odd.text) and not _FENCE.fullmatch(odd.text):
        yield _fault(source, odd, "this line has an unmatched backtick", "close the code span, or write `` \\` ``")


def _is_odd(text: str) -> bool:
    return "`" in text and len(_LONE.findall(_ESCAPED.sub("  ", text))) % 2 == 1


def _fault(source: SourceText, line: Line, message: str, hint: str) -> Fault:
    text = line.text
    place = source.place_in(line, len(text) - len(text.lstrip()), len(text.rstrip()))
    return Fault(FaultKind.BROKEN_MARKUP, message, place, hint)


_OPENS = re.compile(r"^ {0,3}```[a-z]+\s*$", re.MULTILINE)
"""A fence with a language, which cannot close another: an open fence before it is unclosed, unless it is longer."""
_SHORT_FENCE = re.compile(r" {0,3}```(?!`)")
_HIDDEN_HEADING = re.compile(r"^#{2,6} ", re.MULTILINE)


def unclosed_blocks(source: SourceText, blocks: Sequence[Block]) -> Iterator[Fault]:
    """Yield the last fence or comment if it is never closed and hides headings, and fences that the next fence closes.

    A fence with data has its own fault. The end of a fence that has another in it opens a fence without a language;
    that one is no further fault.
    """
    is_nested = False
    for block in blocks:
        if not isinstance(block, Fence) or "```" not in block.content or is_data(block):
            continue
        if is_nested and not block.language:
            continue
        if _OPENS.search(block.content) and _SHORT_FENCE.match(source.lines[block.row]):
            message = "the code fence that opens here is not closed before the next one opens"
            hint = "close it with a line of three backticks; around text that has a fence, write four"
            yield Fault(FaultKind.UNCLOSED, message, source.place(block.row), hint)
            is_nested = True
    last = blocks[-1] if blocks else None
    if isinstance(last, Fence) and not last.is_closed and not is_data(last):
        if is_nested and not last.language:
            return
        what, end, content = "code fence", "a line of three backticks", last.content
    elif isinstance(last, Html) and last.content.lstrip().startswith("<!--") and "-->" not in last.content:
        what, end, content = "comment", "`-->`", last.content
    else:
        return
    if _HIDDEN_HEADING.search(content):
        line = source.lines[last.row]
        place = source.place(last.row, len(line) - len(line.lstrip()), len(line.rstrip()))
        message = f"the {what} that opens here is never closed, and hides the headings after it"
        yield Fault(FaultKind.UNCLOSED, message, place, f"close it with {end}")
