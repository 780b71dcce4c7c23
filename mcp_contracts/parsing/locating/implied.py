"""Tools that do not begin with a heading, but with a list item, a name in bold, a label, or a function in code.

Each beginning is replaced by a heading, so that the blocks below it are read like those below any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.headings import GROUP, OF_AUTHORS, ToolHeading, is_no_name
from mcp_contracts.parsing.locating.odd_headings import (
    OF_OTHER_THINGS,
    OF_TOOLS,
    is_of_tool,
    without_tools,
)
from mcp_contracts.parsing.markdown.blocks import (
    Block,
    Fence,
    Heading,
    Html,
    Item,
    ListBlock,
    Paragraph,
    TableBlock,
)
from mcp_contracts.parsing.parameters.notes import read_note
from mcp_contracts.parsing.parameters.tables import is_parameter_table
from mcp_contracts.parsing.text import Line
from mcp_contracts.parsing.topics import about, label_of
from mcp_contracts.records import NamedTuple, replace

_NAME = r"[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9_]+)*"
_CALL = r"(?P<call>\([^`*]*\)(?:\s*(?:->|→|:)[^`*]*)?)?"
_MARKED = re.compile(
    rf"(?:\[[ x]\] )?(?P<mark>\*\*`|`\*\*|\*\*|__|`)(?P<name>{_NAME}){_CALL}(?P<end>[`*_]+):?(?:\*\*)?"
)
_TITLED = re.compile(
    rf"(?:\*\*|__)[A-Z][^*_\n]{{1,40}}(?:\*\*|__) ?(?:\(|[–—-] |: ?)?(?P<mark>`)(?P<name>{_NAME}){_CALL}(?P<end>`)\)?"
)
_BARE = re.compile(r"(?P<name>[a-z][A-Za-z0-9]*(?:[_.][A-Za-z0-9_]+)+)(?P<call>\([^()]*\))?(?=\s*(?:[:(]|\s[–—-]\s|$))")
_SUMMARY = re.compile(
    r"<summary\b[^>]*>\s*(?:<(?:b|code|strong|a|h\d)\b[^>]*>\s*)*(?P<name>[a-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9_]+)*)"
    r"(?:\([^<)]*\))?\s*(?P<said><.*?|[:–—-].*?)?</summary>",
    re.DOTALL,
)
_LONGEST = 4_000
_SEPARATOR = re.compile(r"\s*(?::|[–—-](?=\s)|→)?\s*")
_ALONE = re.compile(
    rf"(?:(?:Tool|Function|Command)\s*:?\s*)?(?P<mark>\*\*`|`\*\*|\*\*|__|`)(?P<name>{_NAME}){_CALL}(?P<end>[`*_]+):?"
    r"(?:\*\*)?\s*(?:\([^()]*\))?\s*$",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"[*_]{0,3}(?P<word>(?:MCP )?(?:tool|function|command|operation|method|invocation)(?: (?:name|id))?|name"
    r"|identifier)"
    rf"\s*(?::\s*[*_]{{0,3}}|[*_]{{1,3}}\s*:)\s*[*_]{{0,2}}`?(?P<name>{_NAME})`?[*_]{{0,2}}\.?\s*$",
    re.IGNORECASE,
)
_SURE_WORDS = re.compile(r"tool|invocation", re.IGNORECASE)
_DECORATED = re.compile(
    r"^[ \t]*@[\w.]*tools?\b[\w.]*[^\n]*(?:\n(?![ \t]*(?:async\s+)?def\b)[^\n]*){0,30}?\n[ \t]*(?:async\s+)?def\s+"
    r"(?P<name>[A-Za-z_]\w*)",
    re.MULTILINE,
)
_MOST_ITEMS = 1_000
_MOST_FOLLOWED = 200


class Implied(NamedTuple):
    """The blocks of a file with a heading added for each tool without one, and the indices of those tools.

    `listed` are the indices of the tools with only a name and a sentence.
    """

    blocks: tuple[Block, ...]
    headings: tuple[ToolHeading, ...]
    listed: frozenset[int]


class _Found(NamedTuple):
    """A tool: its name, the name's line and column, its rows and blocks, and whether it says how to call it."""

    name: str
    line: Line
    column: int
    row: int
    content: tuple[Block, ...]
    is_whole: bool


def implied_tools(blocks: Sequence[Block]) -> Implied | None:
    """The tools of a file without tool headings, or None if nothing certainly begins a tool."""
    out: list[Block] = []
    headings: list[ToolHeading] = []
    listed: set[int] = set()
    above: dict[int, str] = {}
    lead = ""
    at = 0
    taken = _find_labelled_names(blocks) or _in_details(blocks) or _in_bold(blocks)
    while at < len(blocks):
        block = blocks[at]
        if isinstance(block, Heading):
            above = {level: text for level, text in above.items() if level < block.level}
            above[block.level], lead = block.text, ""
        found: Sequence[_Found] = ()
        end = at + 1
        if at in taken:
            found, end = [taken[at][0]], taken[at][1]
        elif isinstance(block, ListBlock):
            torn = _torn_off(block, blocks[at + 1 : at + 2])
            found = _of_list(block, above, lead, torn)
            end += len(torn) if found else 0
        elif isinstance(block, Paragraph):
            found = _of_definitions(block)
        elif isinstance(block, Fence):
            end = _next_beginning(blocks, at)
            found = _of_code(block, blocks[at + 1 : end])
            end = end if found else at + 1
        if not found:
            out.append(block)
        for one in found:
            level = min(max(above, default=0) + 1, 6)
            heading = Heading(level, one.line, one.row, one.row + 1)
            first = len(out)
            out.extend((heading, *one.content))
            if not one.is_whole:
                listed.add(len(headings))
            headings.append(ToolHeading(heading, first, len(out), one.name, one.column, is_canonical=False))
        lead = block.text if isinstance(block, Paragraph) else ""
        at = end
    return Implied(tuple(out), tuple(headings), frozenset(listed)) if headings else None


def _next_beginning(blocks: Sequence[Block], at: int) -> int:
    """The end of what belongs to a fence of code: the next heading or fence that begins something else."""
    for index in range(at + 1, len(blocks)):
        block = blocks[index]
        if isinstance(block, Heading) or (isinstance(block, Fence) and _DECORATED.search(block.content[:20_000])):
            return index
    return len(blocks)


def _of_code(fence: Fence, following: Sequence[Block]) -> Sequence[_Found]:
    """The functions that a fence of Python registers as tools. The blocks after the fence belong to the last one."""
    if fence.language not in ("python", "py", "python3", "") or not fence.is_closed:
        return []
    found = []
    for match in list(_DECORATED.finditer(fence.content[:20_000]))[:_MOST_ITEMS]:
        row = fence.first_row + fence.content.count("\n", 0, match.start("name"))
        begin = fence.content.rfind("\n", 0, match.start("name")) + 1
        line = Line(fence.content[begin:].partition("\n")[0], row, 0)
        found.append(_Found(match["name"], line, match.start("name") - begin, row, (fence,), is_whole=True))
    return [*found[:-1], found[-1]._replace(content=(fence, *following))] if found else []


def _torn_off(block: ListBlock, following: Sequence[Block]) -> Sequence[Block]:
    """The bullets that belong to the last item, a name alone, but are indented too little: those below `10. `x``."""
    last, after = block.items[-1], following[0] if following else None
    is_beside = isinstance(after, ListBlock) and after.row == block.end and len(last.blocks) == 1
    return following if is_beside and last.lines else ()


def _of_list(block: ListBlock, above: dict[int, str], lead: str, torn: Sequence[Block] = ()) -> Sequence[_Found]:
    """The tools that begin the items of what is certainly a list of tools; `torn` is more of its last item."""
    last = replace(block.items[-1], blocks=(*block.items[-1].blocks, *torn))
    named = [_of_item(item) for item in (*block.items[:-1][:_MOST_ITEMS], last)]
    found = [one for one in named if one is not None]
    nearest_title = above[max(above)] if above else ""
    titles = " ".join(title for level, title in above.items() if level > 1)
    if not found or len(found) * 2 < len(named) or (about(nearest_title) is not None and max(above) > 1):
        return []
    speaks_of_tools = bool(GROUP.search(lead) if lead else GROUP.search(nearest_title))
    if OF_OTHER_THINGS.search(without_tools(f"{titles} {lead}")) and not (speaks_of_tools and max(above) > 1):
        return []
    is_whole = any(one.is_whole and (speaks_of_tools or _says_more(one)) for one in found)
    is_marked = all("_" in one.name or "." in one.name for one in found)
    speaks_of_tools = speaks_of_tools or (is_marked and len(found) == len(named) and bool(GROUP.search(titles)))
    speaks_of_tools = speaks_of_tools and not OF_AUTHORS.search(f"{titles}\n{lead}")
    if is_whole or (speaks_of_tools and (is_marked or (max(above, default=0) > 1 and OF_TOOLS.search(nearest_title)))):
        return found
    return []


def _of_item(item: Item) -> _Found | None:
    """The tool that an item begins with; its content is what follows the name."""
    if not item.lines or not isinstance(item.blocks[0], Paragraph):
        return None
    first = item.lines[0]
    match = _MARKED.match(first.text) or _BARE.match(first.text) or _TITLED.match(first.text)
    if match is None or is_no_name(match["name"]):
        return None
    note = read_note(first.text, match.end())
    if note.type is not None or note.required is not None or note.default is not None:
        return None  # a parameter
    rest = first.text[match.end() :]
    if re.match(r"\s*(?:=|\[|/|,|\bor\b|\band\b)", rest):
        return None
    start = match.end() + (separator.end() if (separator := _SEPARATOR.match(rest)) else 0)
    lines = [Line(first.text[start:], first.row, first.column + start), *item.blocks[0].lines[1:]]
    lines = [line for line in lines if line.text.strip()]
    content: list[Block] = [Paragraph(lines, lines[0].row, lines[-1].row + 1)] if lines else []
    content.extend(item.blocks[1:])
    heading = Line(first.text[: match.end()], first.row, first.column)
    is_call = bool(match["call"]) and match["call"].strip("() ") != "" and match["call"].startswith("(")
    return _Found(
        match["name"], heading, match.start("name"), first.row, tuple(content), is_whole=is_call or _says_how(content)
    )


def _says_more(one: _Found) -> bool:
    """Whether a tool says how to call it in more than the bare names of its arguments."""
    return ":" in one.line.text.partition("(")[2] or _says_how(one.content)


def _says_how(blocks: Sequence[Block]) -> bool:
    """Whether blocks describe parameters or a result."""
    for block in blocks[:_MOST_FOLLOWED]:
        if isinstance(block, TableBlock) and is_parameter_table(block):
            return True
        if isinstance(block, Paragraph) and any(
            (label := label_of(line)) is not None and label.about in (3, 4) for line in block.lines
        ):
            return True
        if isinstance(block, ListBlock):
            for item in block.items:
                line = item.lines[0] if item.lines else None
                label = label_of(line) if line is not None else None
                if label is not None and label.about in (3, 4):
                    return True
                match = _MARKED.match(line.text) or _BARE.match(line.text) if line is not None else None
                if match is not None and line is not None and read_note(line.text, match.end()).type is not None:
                    return True
    return False


def _of_definitions(block: Paragraph) -> Sequence[_Found]:
    """The tools that are terms of a definition list, if their definitions describe a call."""
    found: list[_Found] = []
    starts = [
        index
        for index, line in enumerate(block.lines[:-1])
        if _is_definition(block.lines[index + 1]) and not _is_definition(line)
    ]
    for start, stop in zip(starts, [*starts[1:], len(block.lines)], strict=False):
        term = block.lines[start]
        match = _ALONE.match(term.text) or _BARE.fullmatch(term.text.strip())
        if match is None or is_no_name(match["name"]):
            return []
        lines = [
            Line(line.text[1:].lstrip(), line.row, line.column + len(line.text) - len(line.text[1:].lstrip()))
            if _is_definition(line)
            else line
            for line in block.lines[start + 1 : stop]
        ]
        if any(read_note(line.text).type is not None for line in lines[:1]):
            return []
        content = tuple(Paragraph([line], line.row, line.row + 1) for line in lines)
        is_whole = bool(match["call"]) or _says_how(content)
        found.append(_Found(match["name"], term, term.text.index(match["name"]), term.row, content, is_whole))
    return found if any(one.is_whole for one in found) else []


def _is_definition(line: Line) -> bool:
    return re.match(r":\s", line.text) is not None


def _in_bold(blocks: Sequence[Block]) -> dict[int, tuple[_Found, int]]:
    """The names that are alone on a line, in bold or in code, each with everything up to the next name or heading."""
    starts: dict[int, re.Match[str]] = {}
    for index, block in enumerate(blocks):
        match = _ALONE.match(block.lines[0].text) if isinstance(block, Paragraph) else None
        if match is not None and not is_no_name(match["name"]) and about(match["name"]) is None:
            starts[index] = match
    found: dict[int, tuple[_Found, int]] = {}
    for index, match in starts.items():
        block = blocks[index]
        end = next(
            (at for at in range(index + 1, len(blocks)) if at in starts or isinstance(blocks[at], Heading)), len(blocks)
        )
        if isinstance(block, Paragraph):
            rest = block.lines[1:]
            content: list[Block] = [Paragraph(rest, rest[0].row, rest[-1].row + 1)] if rest else []
            content.extend(blocks[index + 1 : end])
            line = block.lines[0]
            one = _Found(match["name"], line, match.start("name"), line.row, tuple(content), is_whole=True)
            found[index] = one, end
    if any(_is_called(match) or _is_tool(one) for (one, _), match in zip(found.values(), starts.values(), strict=True)):
        return {
            index: one
            for index, one in found.items()
            if _is_called(starts[index]) or _is_tool(one[0]) or re.search(r"[_.]", one[0].name)
        }
    return {}


def _in_details(blocks: Sequence[Block]) -> dict[int, tuple[_Found, int]]:
    """The names in the summaries of collapsible blocks (`<details>`), each with the content of its block."""
    found: dict[int, tuple[_Found, int]] = {}
    for index, block in enumerate(blocks):
        match = _SUMMARY.search(block.content[:_LONGEST]) if isinstance(block, Html) else None
        if match is None or not isinstance(block, Html) or is_no_name(match["name"]):
            continue
        end = next((at for at in range(index + 1, len(blocks)) if _ends_details(blocks[at])), len(blocks))
        row = block.row + block.content.count("\n", 0, match.start("name"))
        begin = block.content.rfind("\n", 0, match.start("name")) + 1
        line = Line(block.content[begin:].partition("\n")[0], row, 0)
        said = re.sub(r"<[^>]*>", " ", match["said"] or "").strip(" :–—-")
        column = max(line.text.find(said), 0)
        purpose = [Paragraph([Line(said, row, column)], row, row + 1)] if re.search(r"\w \w", said) else []
        content = (*purpose, *blocks[index + 1 : end])
        found[index] = _Found(match["name"], line, match.start("name") - begin, row, content, is_whole=True), end
    return found if any(_is_tool(one) for one, _ in found.values()) else {}


def _ends_details(block: Block) -> bool:
    if isinstance(block, Html):
        return "</details" in block.content or "<summary" in block.content
    return isinstance(block, Heading) and block.level < _SECTION_LEVEL


_SECTION_LEVEL = 4


def _is_called(match: re.Match[str]) -> bool:
    return bool(match["call"]) and ":" in match["call"]


def _is_tool(one: _Found) -> bool:
    """Whether the blocks below a name describe parameters or a result."""
    heading = Heading(1, one.line, one.row, one.row + 1)
    return is_of_tool((heading, *one.content), 0) or _says_how(one.content)


def _find_labelled_names(blocks: Sequence[Block]) -> dict[int, tuple[_Found, int]]:
    """The names after a label (`**Tool name**: x`), each with the section that contains it."""
    lines = list(_label_lines(blocks))
    found: dict[int, tuple[_Found, int]] = {}
    for number, (at, row, match) in enumerate(lines):
        before = lines[number - 1] if number else None
        after = lines[number + 1] if number + 1 < len(lines) else None
        start, end = _section(blocks, at, before[0] if before else -1, after[0] if after else len(blocks))
        block = blocks[at]
        if not isinstance(block, Paragraph | ListBlock):
            continue
        own = list(_lines(block))
        last = next(
            (index for index, line in enumerate(own) if after and after[0] == at and line.row == after[1]), None
        )
        line = next(line for line in own if line.row == row)
        position = own.index(line)
        kept = [*(own[:position] if start < at else []), *own[position + 1 : last]]
        inner: list[Block] = [Paragraph(kept, kept[0].row, kept[-1].row + 1)] if kept else []
        content = (*blocks[start + 1 : at], *inner, *(blocks[at + 1 : end] if last is None else ()))
        first_row = blocks[start].row if start < at else row
        one = _Found(match["name"], line, match.start("name"), first_row, content, is_whole=True)
        if not content or (not _SURE_WORDS.search(match["word"]) and not _is_tool(one)):
            continue
        if start in found:
            return {}  # two tools in one paragraph: they are told, not read
        found[start] = one, end
    return found


def _label_lines(blocks: Sequence[Block]) -> Iterator[tuple[int, int, re.Match[str]]]:
    for index, block in enumerate(blocks):
        if isinstance(block, Paragraph | ListBlock):
            for line in _lines(block):
                match = _LABELLED.match(line.text.rstrip())
                if match is not None and not is_no_name(match["name"]):
                    yield index, line.row, match


def _lines(block: Paragraph | ListBlock) -> Sequence[Line]:
    if isinstance(block, Paragraph):
        return block.lines
    return [line for item in block.items for line in item.lines]


def _section(blocks: Sequence[Block], at: int, before: int, after: int) -> tuple[int, int]:
    """Where the tool that a label names begins, at the heading above it if that is over nothing else, and ends."""
    end = next((index for index in range(at + 1, len(blocks)) if isinstance(blocks[index], Heading)), len(blocks))
    heading = next((index for index in range(at - 1, before, -1) if isinstance(blocks[index], Heading)), None)
    above = blocks[heading] if heading is not None else None
    if heading is not None and isinstance(above, Heading) and above.level > 1 and not GROUP.fullmatch(above.text):
        end = next(
            (
                index
                for index in range(heading + 1, len(blocks))
                if isinstance(one := blocks[index], Heading) and one.level <= above.level
            ),
            len(blocks),
        )
        if end <= after:
            return heading, end
        end = next((index for index in range(at + 1, len(blocks)) if isinstance(blocks[index], Heading)), len(blocks))
    return at, min(end, after)
