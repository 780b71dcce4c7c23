"""Block rules for markdown-it-py, chosen by the first character of a line, with the column of every line.

The rules of markdown-it-py try one after the other and lose columns. Here, the first character of a line determines
which rules can apply. Paragraphs, headings, breaks and tables have their own rules here; the others come from
markdown-it-py. The blocks are the same (a test compares them), except for four things: rows of tables are kept whole,
since markdown-it-py drops surplus cells, which an unescaped pipe creates; a table right below a list is a table; a
fence ends the tag of a component (`<Tabs>`), as in MDX; and past `MAX_LEVEL` everything is text, whereas markdown-it-py
would drop the rest of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote, code, fence, html_block, list_block, reference
from markdown_it.token import Token

from mcp_contracts.parsing.markdown.lines import BREAK, HEADING, UNDERLINE, is_delimiter, without_closing
from mcp_contracts.parsing.text import Line

MAX_LEVEL = 20
"""How deep lists and quotes may nest; a list counts twice, once for its item."""

MANY_TOKENS = 50_000
"""After this many tokens, the nesting limit is `LOW_LEVEL`: a line can open ten lists, and 20,000 of them take 7 s."""

LOW_LEVEL = 4


_Rule = Callable[[StateBlock, int, int, bool], bool]


def block_tokens(lines: Sequence[str], *, skip_rows: int = 0) -> list[Token]:
    """Return the block tokens of some lines, the first `skip_rows` of them treated as blank.

    Paragraphs, headings and tables are single tokens (`text`, `title`, `table`) with their lines in `meta["lines"]`.
    """
    rows = ["" if row < skip_rows else line for row, line in enumerate(lines)] if skip_rows else list(lines)
    state = StateBlock("", _PARSER, {}, [])
    # Does what `StateBlock` does with text, but from lines that are already split, because it reads blanks one by one.
    state.src = "\n".join(rows)
    if not rows[-1].strip(" \t"):
        rows.pop()
    state.lineMax = len(rows)
    after = list(accumulate(len(row) + 1 for row in rows))
    indents = [len(row) - len(row.lstrip(" \t")) for row in rows]
    state.bMarks = [0, *after]
    state.eMarks = [*(end - 1 for end in after), len(state.src)]
    state.tShift = [*indents, 0]
    state.sCount = [*indents, 0]
    if "\t" in state.src:
        widths = (len(row[:indent].expandtabs(4)) for row, indent in zip(rows, indents, strict=True))
        state.sCount = [*widths, 0]
    state.bsCount = [0] * (len(rows) + 1)
    _PARSER.block.tokenize(state, 0, state.lineMax)
    return state.tokens


def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 1000})
    ruler = parser.block.ruler
    ruler.enableOnly(["code"])
    ruler.before("code", "block", _block)
    ruler.push("interrupts_text", _interrupts_text, {"alt": ["paragraph", "reference", "blockquote"]})
    ruler.push("interrupts_list", _interrupts_list, {"alt": ["list"]})
    return parser


def _block(state: StateBlock, row: int, end_row: int, silent: bool) -> bool:
    """Add the block that begins in a row."""
    if state.level < (MAX_LEVEL if len(state.tokens) < MANY_TOKENS else LOW_LEVEL):
        if state.sCount[row] - state.blkIndent >= 4:
            return code(state, row, end_row, silent)
        for rule in _BEGINNING.get(state.src[state.bMarks[row] + state.tShift[row]], ()):
            if rule(state, row, end_row, silent):
                return True
    _text(state, row, end_row)
    return True


def _heading(state: StateBlock, row: int, _end_row: int, silent: bool) -> bool:
    """Add an ATX heading, if any; return whether one was added."""
    if state.sCount[row] - state.blkIndent >= 4:
        return False
    match = HEADING.match(state.src, state.bMarks[row] + state.tShift[row], state.eMarks[row])
    if match is None or silent:
        return match is not None
    line = Line(without_closing(state.src[match.end() : state.eMarks[row]]), row, match.end() - _start(state, row))
    _push(state, "title", [line], len(match[1]))
    state.line = row + 1
    return True


def _break(state: StateBlock, row: int, _end_row: int, silent: bool) -> bool:
    """Add a thematic break, if any; return whether one was added."""
    if state.sCount[row] - state.blkIndent >= 4:
        return False
    if not BREAK.fullmatch(state.src, state.bMarks[row] + state.tShift[row], state.eMarks[row]):
        return False
    if not silent:
        state.tokens.append(Token("hr", "hr", 0, map=[row, row + 1], level=state.level))
        state.line = row + 1
    return True


def _text(state: StateBlock, row: int, end_row: int) -> None:
    """Add a paragraph, a Setext heading, or a table and any paragraph before it."""
    parent_type, state.parentType = state.parentType, "paragraph"
    lines = [_line(state, row)]
    header = level = 0
    is_table = False
    while (row := row + 1) < state.lineMax:
        first = state.bMarks[row] + state.tShift[row]
        if first >= state.eMarks[row]:
            break
        indent = state.sCount[row] - state.blkIndent
        if indent < 0 and (is_table or _begins_table(state, row)):
            break
        if indent <= 3:
            character = state.src[first]
            may_be_underline = character in "-=" and indent >= 0 and row < end_row and not is_table
            if may_be_underline and UNDERLINE.fullmatch(state.src, first, state.eMarks[row]):
                level = 1 if character == "=" else 2
                row += 1
                break
            if character in _INTERRUPTING and state.sCount[row] >= 0 and _interrupts_text(state, row, end_row, True):
                break
            if (
                character in "|-:"
                and indent >= 0
                and not is_table
                and is_delimiter(state.src[first : state.eMarks[row]], lines[-1].text)
            ):
                is_table, header = True, len(lines) - 1
        lines.append(_line(state, row))
    state.parentType = parent_type
    state.line = row
    if is_table:
        if header:
            _push(state, "text", lines[:header])
        _push(state, "table", lines[header:])
    else:
        _push(state, "title" if level else "text", lines, level)


def _begins_table(state: StateBlock, row: int) -> bool:
    """Whether a row after a list that could only continue its last item is the header of a table.

    Markdown treats such a table as text of the item, which no author intends.
    """
    if state.sCount[row] < 0 or row + 1 >= state.lineMax:
        return False
    first = state.bMarks[row + 1] + state.tShift[row + 1]
    following = state.src[first : state.eMarks[row + 1]]
    return following[:1] in ("|", "-", ":") and "|" in following and is_delimiter(following, _line(state, row).text)


def _interrupts_text(state: StateBlock, row: int, end_row: int, silent: bool) -> bool:
    """Whether a row that could continue a paragraph or a quote begins another block."""
    return _is_any(_INTERRUPTING, state, row, end_row, silent)


def _interrupts_list(state: StateBlock, row: int, end_row: int, silent: bool) -> bool:
    """Whether a row that could continue a list begins another block."""
    return _is_any(_ENDING_LIST, state, row, end_row, silent)


def _is_any(rules: Mapping[str, Sequence[_Rule]], state: StateBlock, row: int, end_row: int, silent: bool) -> bool:
    first = state.bMarks[row] + state.tShift[row]
    if first >= state.eMarks[row]:
        return False
    return any(rule(state, row, end_row, silent) for rule in rules.get(state.src[first], ()))


def _line(state: StateBlock, row: int) -> Line:
    first = state.bMarks[row] + state.tShift[row]
    return Line(state.src[first : state.eMarks[row]].rstrip(), row, first - _start(state, row))


def _start(state: StateBlock, row: int) -> int:
    """Return the offset of a row in the text; `bMarks` has the offset of its content, after the marks of a quote."""
    return state.src.rfind("\n", 0, state.bMarks[row]) + 1


def _push(state: StateBlock, kind: str, lines: Sequence[Line], level: int = 0) -> None:
    state.tokens.append(Token(kind, "", 0, level=state.level, meta={"lines": lines, "level": level}))


def _html(state: StateBlock, row: int, end_row: int, silent: bool) -> bool:
    """Read HTML. A fence ends the tag of a component, whose content is Markdown on documentation sites."""
    first = state.bMarks[row] + state.tShift[row]
    if not silent and state.src[first + 1 : first + 2].isupper():
        below = row + 1
        while below < end_row and not state.isEmpty(below):
            begin = state.bMarks[below] + state.tShift[below]
            is_near = state.sCount[below] - state.blkIndent <= 3
            if is_near and state.src[begin : begin + 3] in ("```", "~~~") and fence(state, below, end_row, True):
                return html_block(state, row, below, silent)
            below += 1
    return html_block(state, row, end_row, silent)


_INTERRUPTING: Mapping[str, tuple[_Rule, ...]] = {
    "#": (_heading,),
    "`": (fence,),
    "~": (fence,),
    ">": (blockquote,),
    "<": (_html,),
    "-": (_break, list_block),
    "*": (_break, list_block),
    "+": (list_block,),
    "_": (_break,),
    **dict.fromkeys("0123456789", (list_block,)),
}
_BEGINNING: Mapping[str, tuple[_Rule, ...]] = {**_INTERRUPTING, "[": (reference,)}
_ENDING_LIST: Mapping[str, tuple[_Rule, ...]] = {
    "`": (fence,),
    "~": (fence,),
    ">": (blockquote,),
    "-": (_break,),
    "*": (_break,),
    "_": (_break,),
}
_PARSER = _make_parser()
