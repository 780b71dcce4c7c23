"""Finds tools that begin with a list item, a name in bold, a label, or a function in code instead of a heading.

Each beginning is replaced with a heading, so that the blocks below it are read like those below any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.code.signed_fences import signed_tools
from mcp_contracts.parsing.locating.headings import GROUP, OF_TOOLS_ELSEWHERE, ToolHeading, is_no_name, speaks_of_tools
from mcp_contracts.parsing.locating.listing.definitions import (
    ALONE,
    tools_of_definitions,
    without_colon,
    without_colons,
)
from mcp_contracts.parsing.locating.listing.items import (
    CALL,
    MOST_ITEMS,
    NAME,
    Found,
    ImpliedTools,
    describes_interface,
    with_heading,
)
from mcp_contracts.parsing.locating.listing.lists import announces_tools, lists_of_tools
from mcp_contracts.parsing.locating.listing.property_tables import tool_of_table
from mcp_contracts.parsing.locating.odd_headings import PROSE, is_of_tool
from mcp_contracts.parsing.markdown.blocks import (
    Block,
    Fence,
    Heading,
    Html,
    ListBlock,
    Paragraph,
    TableBlock,
    lines_of,
)
from mcp_contracts.parsing.text import Line
from mcp_contracts.parsing.topics import about

_SUMMARY = re.compile(
    rf"<summary\b[^>]*>\s*(?:<(?:b|code|strong|a|h\d)\b[^>]*>\s*)*(?P<name>(?=[a-z])(?>{NAME}))"
    r"(?:\([^<)]*\))?\s*(?P<said><.*?|[:–—-].*?)?</summary>",
    re.DOTALL,
)
_LONGEST = 4_000
_LED = re.compile(
    rf"(?P<tool>(?:MCP )?[Tt]ool )?(?:\*\*`?|`)(?P<name>{NAME}){CALL}(?:`?\*\*|`)(?:\*\*)?"
    r"(?P<said>\s*(?::|[–—-](?=\s))[*]{0,2}\s+\S)"
)
"""A name followed by a sentence on the same line."""
_BEGUN = re.compile(rf"\*\*`(?P<name>{NAME}){CALL}`\*\*(?P<said> +[a-z])")
"""A name that begins a sentence: ``**`weigh_ball`** weighs a ball``."""
_LABELED = re.compile(
    r"[*_]{0,3}(?P<word>(?:MCP )?(?:tool|function|command|operation|method|invocation)(?: (?:name|id|#?\d{1,3}))?|name"
    r"|identifier)"
    rf"\s*+(?::\s*+[*_]{{0,3}}|[*_]{{1,3}}\s*+:)\s*+[*_]{{0,2}}`?(?P<name>{NAME})`?[*_]{{0,2}}\.?\s*+$",
    re.IGNORECASE,
)
_OF_DATA = re.compile(r"\bdata(?:base)? (?:models?|schemas?|tables?)\b|\bdatabase$", re.IGNORECASE)
_LABEL_WORDS = re.compile(
    r"(?:\d{1,3}[.)] )?(?:(?:(?:MCP )?tool|function|invocation)(?: (?:name|id))?|name|identifier)", re.IGNORECASE
)
_NAMEALONE = re.compile(rf"[*_]{{0,2}}`?(?P<name>{NAME})`?[*_]{{0,2}}\.?")
_SURE_WORDS = re.compile(r"tool|invocation", re.IGNORECASE)
_DECORATED = re.compile(
    r"^[ \t]*(?>@[\w.]*?tools?\b[^\n]*)(?:\n(?![ \t]*(?:async\s+)?def\b)[^\n]*+){0,30}?\n[ \t]*(?:async\s+)?def\s+"
    r"(?P<name>[A-Za-z_]\w*)",
    re.MULTILINE,
)


def implied_tools(blocks: Sequence[Block]) -> ImpliedTools | None:
    """Return the tools of a file without tool headings, or None if none is certain."""
    out: list[Block] = []
    headings: list[ToolHeading] = []
    listed: set[int] = set()
    above: dict[int, str] = {}
    at, lead = 0, ""
    taken = _find_labeled_names(blocks) or _below_labels(blocks) or _in_details(blocks) or _in_bold(blocks)
    lists = lists_of_tools(blocks)
    while at < len(blocks):
        block = blocks[at]
        if isinstance(block, Heading):
            above = {level: text for level, text in above.items() if level < block.level}
            above[block.level], lead = block.text, ""
        found: Sequence[Found] = ()
        end = at + 1
        if at in taken:
            found, end = [taken[at][0]], max(taken[at][1], end)
        elif isinstance(block, ListBlock):
            found, more = lists[at]
            end += more
        elif isinstance(block, Paragraph):
            found = tools_of_definitions(block, above, lead)
            lead = f"{lead}\n{block.text}"
        elif isinstance(block, Fence) and not _HYPOTHETICAL.search(lead[-_LONGEST_LEAD:]):
            is_elsewhere = OF_TOOLS_ELSEWHERE.search(" ".join(above.values())) is not None
            if registered := [] if is_elsewhere else _of_code(block):
                end = _next_beginning(blocks, at)  # the blocks after a fence belong to its last tool
                found = [*registered[:-1], registered[-1]._replace(content=tuple(blocks[at:end]))]
            else:
                found = signed_tools(block, above, lead)
        elif isinstance(block, TableBlock) and (described := tool_of_table(blocks, at)) is not None:
            found, end = [described[0]], described[1]
        if not found:
            out.append(block)
        are_whole = sum(one.is_whole for one in found) * 2 > len(found)  # the others lack their parameters
        for one in found:
            if not one.is_whole and not are_whole:
                listed.add(len(headings))
            headings.append(with_heading(one, min(max(above, default=0) + 1, 6), out))
        at = end
    return ImpliedTools(tuple(out), tuple(headings), frozenset(listed)) if headings else None


_LONGEST_LEAD = 400
_HYPOTHETICAL = re.compile(
    r"\b(?:would|could|might|planned|proposed|hypothetical|not yet)\b(?:[^.]|\.\w){0,200}:\W*$", re.IGNORECASE
)
"""A sentence that leads to code that does not exist: `A tool would be added like this:`."""


def _next_beginning(blocks: Sequence[Block], at: int) -> int:
    """Return the end of a code fence and its text: the next heading or fence that begins something else."""
    for index in range(at + 1, len(blocks)):
        block = blocks[index]
        if isinstance(block, Heading) or (isinstance(block, Fence) and _DECORATED.search(block.content[:20_000])):
            return index
    return len(blocks)


def _of_code(fence: Fence) -> list[Found]:
    """Return the functions that a fence of Python registers as tools."""
    if fence.language not in ("python", "py", "python3", "") or not fence.is_closed:
        return []
    found: list[Found] = []
    for match in list(_DECORATED.finditer(fence.content[:20_000]))[:MOST_ITEMS]:
        row = fence.first_row + fence.content.count("\n", 0, match.start("name"))
        begin = fence.content.rfind("\n", 0, match.start("name")) + 1
        line = Line(fence.content[begin:].partition("\n")[0], row, 0)
        found.append(Found(match["name"], line, match.start("name") - begin, row, (fence,), is_whole=True))
    return found


def _in_bold(blocks: Sequence[Block]) -> dict[int, tuple[Found, int]]:
    """Return the names that a paragraph begins with, in bold or in code, each up to the next name or heading."""
    starts: dict[int, re.Match[str]] = {}
    alike: dict[int, re.Match[str]] = {}  # names of one word, in bold and in code like others
    titles: dict[int, str] = {}
    titled = 0
    is_announced = False
    for index, block in enumerate(blocks):
        if isinstance(block, Heading):
            is_announced = False
            titles = {level: text for level, text in titles.items() if level < block.level} | {block.level: block.text}
        if titles and _OF_DATA.search(titles[max(titles)]):
            continue
        match = _begins_with_name(block.lines[0].text) if isinstance(block, Paragraph) else None
        if match is None and is_announced and isinstance(block, Paragraph):
            match = _BEGUN.match(block.lines[0].text)
        is_announced = is_announced or (isinstance(block, Paragraph) and announces_tools(block.text))
        led = _LED.match(block.lines[0].text) if isinstance(block, Paragraph) and match is None else None
        if led is not None and led[0].startswith("**`") and not is_no_name(led["name"]):
            alike[index] = led
        is_title = match is not None and not match["call"] and PROSE.fullmatch(match["name"]) and "`" not in match[0]
        if match is not None and not is_title and not is_no_name(match["name"]) and about(match["name"]) is None:
            starts[index] = match
            above = [text for level, text in titles.items() if level > 1]
            titled += any(map(speaks_of_tools, above)) and not any(map(OF_TOOLS_ELSEWHERE.search, above))
    if any(match[0].startswith("**`") for match in starts.values()):
        starts = dict(sorted({**starts, **alike}.items()))
    found: dict[int, tuple[Found, int]] = {}
    for index, match in starts.items():
        block = blocks[index]
        end = next(
            (at for at in range(index + 1, len(blocks)) if at in starts or isinstance(blocks[at], Heading)), len(blocks)
        )
        if isinstance(block, Paragraph):
            line = block.lines[0]
            said = match.end("said") - 1 if "said" in match.groupdict() else len(line.text)
            rest = [Line(line.text[said:], line.row, line.column + said), *map(without_colon, block.lines[1:])]
            rest = [one for one in rest if one.text.strip()]
            content: list[Block] = [Paragraph(rest, rest[0].row, rest[-1].row + 1)] if rest else []
            content.extend(map(without_colons, blocks[index + 1 : min(index + 2, end)]))
            content.extend(blocks[index + 2 : end])
            one = Found(match["name"], line, match.start("name"), line.row, tuple(content), is_whole=True)
            found[index] = one, end
    if titled > 1 or any(
        _is_called(match) or _is_tool(one) for (one, _), match in zip(found.values(), starts.values(), strict=True)
    ):
        return {
            index: one
            for index, one in found.items()
            if _is_called(starts[index]) or _is_tool(one[0]) or re.search(r"[_.]", one[0].name)
        }
    return {}


def _begins_with_name(text: str) -> re.Match[str] | None:
    """Return the match of a name on its own line, or of a name with several words before a sentence."""
    led = _LED.match(text)
    return led if led is not None and (led["tool"] or re.search(r"[_.-]", led["name"])) else ALONE.match(text)


def _in_details(blocks: Sequence[Block]) -> dict[int, tuple[Found, int]]:
    """Return the names in the summaries of collapsible blocks (`<details>`), each with the content of its block."""
    found: dict[int, tuple[Found, int]] = {}
    for index, block in enumerate(blocks):
        match = _SUMMARY.search(block.content[:_LONGEST]) if isinstance(block, Html) else None
        if match is None or not isinstance(block, Html) or is_no_name(match["name"]):
            continue
        end = next((at for at in range(index + 1, len(blocks)) if _ends_details(blocks[at])), len(blocks))
        row = block.row + block.content.count("\n", 0, match.start("name"))
        begin = block.content.rfind("\n", 0, match.start("name")) + 1
        line = Line(block.content[begin:].partition("\n")[0], row, 0)
        said = re.sub(r"<[^<>]*>", " ", match["said"] or "").strip(" :–—-")
        column = max(line.text.find(said), 0)
        purpose = [Paragraph([Line(said, row, column)], row, row + 1)] if re.search(r"\w \w", said) else []
        content = (*purpose, *blocks[index + 1 : end])
        found[index] = Found(match["name"], line, match.start("name") - begin, row, content, is_whole=True), end
    return found if any(_is_tool(one) for one, _ in found.values()) else {}


def _ends_details(block: Block) -> bool:
    if isinstance(block, Html):
        return "</details" in block.content or "<summary" in block.content
    return isinstance(block, Heading) and block.level < _SECTION_LEVEL


_SECTION_LEVEL = 4


def _is_called(match: re.Match[str]) -> bool:
    return bool(match["call"]) and (":" in match["call"] or "said" in match.groupdict())


def _is_tool(one: Found) -> bool:
    """Whether the blocks below a name describe parameters or a result."""
    heading = Heading(1, one.line, one.row, one.row + 1)
    return is_of_tool((heading, *one.content), 0) or describes_interface(one.content)


def _find_labeled_names(blocks: Sequence[Block]) -> dict[int, tuple[Found, int]]:
    """Return the names after a label (`**Tool name**: x`), each with the section that contains it."""
    lines = list(_label_lines(blocks))
    found: dict[int, tuple[Found, int]] = {}
    for number, (at, row, match) in enumerate(lines):
        before = lines[number - 1] if number else None
        after = lines[number + 1] if number + 1 < len(lines) else None
        start, end = _section(blocks, at, before[0] if before else -1, after[0] if after else len(blocks))
        block = blocks[at]
        if not isinstance(block, Paragraph | ListBlock):
            continue
        own = list(lines_of(block))
        last = next(
            (index for index, line in enumerate(own) if after and after[0] == at and line.row == after[1]), None
        )
        if last is not None and isinstance(block, ListBlock):
            return {}  # several tools in one list are reported, not read
        line = next(line for line in own if line.row == row)
        position = own.index(line)
        kept = [*(own[:position] if start < at else []), *own[position + 1 : last]]
        inner: list[Block] = [Paragraph(kept, kept[0].row, kept[-1].row + 1)] if kept else []
        if isinstance(block, ListBlock) and any(
            isinstance(one, ListBlock) for item in block.items for one in item.blocks
        ):
            nested = [one for item in block.items if item.row == row for one in item.blocks[1:]]
            others = tuple(item for item in block.items if item.row != row)
            inner = [*nested, *((ListBlock(others, others[0].row, block.end),) if others else ())]
        above = (one for one in blocks[start + 1 : at] if not isinstance(one, Heading))
        content = (*above, *inner, *(blocks[at + 1 : end] if last is None else ()))
        first_row = blocks[start].row if start < at else row
        one = Found(match["name"], line, match.start("name"), first_row, content, is_whole=True)
        if not content or (not _SURE_WORDS.search(match["word"]) and not _is_tool(one)):
            continue
        if start in found:
            return {}  # two tools in one paragraph are reported, not read
        found[start] = one, end
    return found


def _below_labels(blocks: Sequence[Block]) -> dict[int, tuple[Found, int]]:
    """Return the names that are the only content below a label heading (`## Tool name`), each with its sections."""
    starts = [at for at in range(len(blocks) - 1) if _label_heading(blocks[at], blocks[at + 1]) is not None]
    found: dict[int, tuple[Found, int]] = {}
    for number, at in enumerate(starts):
        heading, block = blocks[at], blocks[at + 1]
        match = _label_heading(heading, block)
        if match is None or not isinstance(heading, Heading) or not isinstance(block, Paragraph):
            continue
        end = starts[number + 1] if number + 1 < len(starts) else len(blocks)
        end = next((index for index in range(at + 2, end) if _is_above(blocks[index], heading.level)), end)
        line = block.lines[0]
        one = Found(match["name"], line, match.start("name"), heading.row, tuple(blocks[at + 2 : end]), is_whole=True)
        if _is_tool(one):
            found[at] = one, end
    return found


def _label_heading(heading: Block, block: Block) -> re.Match[str] | None:
    """Return the name below a heading such as `Tool name`, if nothing else is there."""
    is_label = isinstance(heading, Heading) and _LABEL_WORDS.fullmatch(heading.text.strip("*: "))
    match = _NAMEALONE.fullmatch(block.text.strip()) if is_label and isinstance(block, Paragraph) else None
    return None if match is None or is_no_name(match["name"]) else match


def _is_above(block: Block, level: int) -> bool:
    return isinstance(block, Heading) and block.level < level


def _label_lines(blocks: Sequence[Block]) -> Iterator[tuple[int, int, re.Match[str]]]:
    for index, block in enumerate(blocks):
        if isinstance(block, Paragraph | ListBlock):
            for line in lines_of(block):
                match = _LABELED.match(line.text.rstrip())
                if match is not None and not is_no_name(match["name"]):
                    yield index, line.row, match


def _section(blocks: Sequence[Block], at: int, before: int, after: int) -> tuple[int, int]:
    """Return the start and end of the tool that a label names; a heading with nothing else below it is the start."""
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
            return _with_sections_beside(blocks, heading, end, before, after)
        end = next((index for index in range(at + 1, len(blocks)) if isinstance(blocks[index], Heading)), len(blocks))
    return at, min(end, after)


def _with_sections_beside(blocks: Sequence[Block], start: int, end: int, before: int, after: int) -> tuple[int, int]:
    """Return the start and end of the section around one with only a name, if the next one has parameters or a result.

    `### Metadata` with the name is followed by `### Input schema`.
    """
    own, beside = blocks[start], blocks[end] if end < len(blocks) else None
    if not isinstance(own, Heading) or not isinstance(beside, Heading) or beside.level != own.level:
        return start, end
    outer = next((index for index in range(start - 1, before, -1) if _is_above(blocks[index], own.level)), None)
    heading = blocks[outer] if outer is not None else None
    if about(beside.text) not in (3, 4) or outer is None or not isinstance(heading, Heading) or heading.level == 1:
        return start, end
    last = next((at for at in range(end, len(blocks)) if _is_above(blocks[at], own.level)), len(blocks))
    return (outer, last) if last <= after else (start, end)
