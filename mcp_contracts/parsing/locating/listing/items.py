"""Finds tools in the items of a list: the place of the list, and the content of each item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.headings import (
    GROUP,
    NOT_OF_TOOLS,
    OF_AUTHORS,
    OF_TOOLS_ELSEWHERE,
    ToolHeading,
    is_no_name,
)
from mcp_contracts.parsing.markdown.blocks import Block, Heading, Item, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.parameters.notes import read_note
from mcp_contracts.parsing.parameters.tables import is_parameter_table
from mcp_contracts.parsing.text import Line
from mcp_contracts.parsing.topics import about, label_of
from mcp_contracts.records import NamedTuple

NAME = r"[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9_]+(?:[.-][A-Za-z0-9_]+)*)?"
CALL = r"(?P<call>\((?:[^`*\"]|\"[^`\"]*\")*\)(?:\s*(?:->|→|:)[^`*]{0,300})?)?"
_MARKED = re.compile(
    rf"(?:\[[ x]\] )?(?:(?:\*\*)?(?:MCP )?[Tt]ool:? (?=`))?"
    rf"(?P<mark>\*\*`|`\*\*|\*\*|__|`)(?P<name>{NAME}){CALL}(?P<end>[`*_]{{1,9}})(?![A-Za-z0-9])"
    r":?(?:\*\*)?(?:`\([^`]*\)`)?"
)
_TITLED = re.compile(
    rf"(?:\*\*|__)[A-Z][^*_\n]{{1,40}}(?:\*\*|__) ?(?:\(|[–—-] |: ?)?(?P<mark>`)(?P<name>{NAME}){CALL}(?P<end>`)\)?"
)
BARE = re.compile(
    r"(?P<name>[a-z][A-Za-z0-9]*[_.][A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)(?P<call>\([^()]*\))?(?=\s*(?:[:(]|\s[–—-]\s|$))"
)
_PARAMETER = re.compile(rf"(?P<mark>\*{{1,3}}|_{{1,2}}|`){NAME}(?P=mark)|{BARE.pattern}")
_PLAIN_PARAMETER = re.compile(
    r"[a-z][A-Za-z0-9_]*: (?:string|integer|number|boolean|object|array|str|int|float|bool)"
    r"(?:, (?:required|optional)\b|$)"
)
"""A parameter without marks, with its type: `room: string, required`."""
_NO_TOOL = re.compile(
    r"(?:\*\*|__)[A-Z][a-z]+(?:-[A-Z]?[a-z]+)*(?:\*\*|__|:)+$|[^(]*\((?:[^()\n]*, )?[\"'\d]"
    r"|[^(]*\((?:\w+ ?= ?[\"'][^\"'\n]*[\"'](?:, )?)+\)"
)
"""An English word in bold, or a call with values."""
_UNBUILT = re.compile(r"\W*(?:not (?:yet )?(?:implemented|a tool\b)|planned\b|no (?:MCP )?tool\b)", re.IGNORECASE)
"""What follows the name of something that is not a tool, or not yet."""
_SEPARATOR = re.compile(r"\s*(?::|[–—-](?=\s)|→)?\s*")
MOST_ITEMS = 1_000
_MOST_FOLLOWED = 200


class ImpliedTools(NamedTuple):
    """The blocks of a file with a heading added for each tool without one, and the indices of those tools.

    `listed` has the indices of tools with only a name and a sentence.
    """

    blocks: tuple[Block, ...]
    headings: tuple[ToolHeading, ...]
    listed: frozenset[int]


class Found(NamedTuple):
    """A tool: its name with line and column, its rows and blocks, and whether it describes how to call it."""

    name: str
    line: Line
    column: int
    row: int
    content: tuple[Block, ...]
    is_whole: bool


def with_heading(one: Found, level: int, out: list[Block]) -> ToolHeading:
    """Append a heading for a tool, and the content of the tool, to other blocks."""
    heading = Heading(level, one.line, one.row, one.row + 1)
    first = len(out)
    out.extend((heading, *one.content))
    return ToolHeading(heading, first, len(out), one.name, one.column, is_canonical=False)


def tools_in_lists(blocks: Sequence[Block], headings: Sequence[ToolHeading]) -> Iterator[ImpliedTools]:
    """Yield the tools of each list outside the tools with headings, below a title about tools.

    All items of such a list begin with names like those of tools, none of which has a heading.
    """
    known = {heading.name.rpartition(".")[2] for heading in headings}
    inside = {index for heading in headings for index in range(heading.at, heading.end)}
    title = lead = ""
    for at, block in enumerate(blocks):
        if isinstance(block, Heading):
            title, lead = block.text, ""
        elif isinstance(block, Paragraph):
            lead = block.text
        elif isinstance(block, ListBlock) and at not in inside:
            prefix = _WILDCARD.fullmatch(title.strip())
            if prefix is None and not _leads_to_tools(title, lead):
                continue
            found = list(tools_of_items(block.items))
            named = [one for one in found if one is not None and _JOINED.search(one.name)]
            if prefix is not None and not all(one.name.startswith(prefix["name"]) for one in named):
                continue
            if len(named) == len(found) and known.isdisjoint(one.name.rpartition(".")[2] for one in named):
                out: list[Block] = []
                begun = tuple(with_heading(one, 6, out) for one in named)
                yield ImpliedTools((*out, *blocks[at + 1 : at + 2]), begun, frozenset())


_WILDCARD = re.compile(r"`?(?P<name>[a-z][a-z0-9_]*_)\*`?")
"""A title that names a group of tools by what their names begin with: `shelf_*`."""


def _leads_to_tools(title: str, lead: str) -> bool:
    """Whether a list below a title, and below its introduction, is a list of the file's tools."""
    both = f"{title}\n{lead}"
    by = title if _OF_GROUP.search(title) else both  # a sentence below `Search tools` says what these are used for
    is_of_others = any(pattern.search(by) for pattern in (OF_AUTHORS, OF_TOOLS_ELSEWHERE))
    is_of_others = is_of_others or NOT_OF_TOOLS.search(lead) is not None
    return bool(GROUP.search(both)) and not is_of_others and about(title) is None and about(lead) is None


_OF_GROUP = re.compile(r"\b[Tt]ools$")
_JOINED = re.compile(r"[A-Za-z0-9][_.][A-Za-z0-9]|[a-z][A-Z]")


_CODED = rf"`{NAME}(?:\([^`]*\))?`"
_SEVERAL = re.compile(
    rf"(?:\*\*[^*`\n]{{1,40}}\*\*:? ?(?:[–—-] )?)?"
    rf"(?:\*\*)?{_CODED}(?:(?:, ?(?:and )?| ?/ ?| and | & ){_CODED})+(?:\*\*)?"
)
_ONE = re.compile(rf"`(?P<name>{NAME})(?:\([^`]*\))?`")


def tools_of_items(
    items: Sequence[Item], *, is_titled: bool = False, is_certain: bool = False
) -> Iterator[Found | None]:
    """Yield the tool that each item begins with, or None; several names with one description are several tools."""
    for item in items[:MOST_ITEMS]:
        line = item.lines[0] if item.lines else None
        together = _SEVERAL.match(line.text) if line is not None else None
        separator = _SEPARATOR.match(line.text, together.end()) if together is not None and line is not None else None
        names = list(_ONE.finditer(together[0])) if together is not None else []
        if line is None or separator is None or not all(_JOINED.search(name["name"]) for name in names):
            yield tool_of_item(item, is_titled=is_titled, is_certain=is_certain)
            continue
        rest = [Line(line.text[separator.end() :], line.row, line.column + separator.end()), *item.lines[1:]]
        rest = [one for one in rest if one.text.strip()]
        said: list[Block] = [Paragraph(rest, rest[0].row, rest[-1].row + 1)] if rest else []
        for name in names:
            heading = Line(name[0], line.row, line.column + name.start())
            yield Found(name["name"], heading, 1, line.row, (*said, *item.blocks[1:]), is_whole=False)


def tool_of_item(item: Item, *, is_titled: bool = False, is_certain: bool = False) -> Found | None:
    """Return the tool that an item begins with; its content follows the name, which may follow a title.

    An item with a type is a parameter, unless it is certain that the list has tools.
    """
    if not item.lines or not isinstance(item.blocks[0], Paragraph):
        return None
    first = item.lines[0]
    match = _TITLED.match(first.text) if is_titled else None
    match = match or _MARKED.match(first.text) or BARE.match(first.text) or _TITLED.match(first.text)
    if match is None or is_no_name(match["name"]) or _NO_TOOL.match(match[0]):
        return None
    note = read_note(first.text, match.end())
    if not is_certain and (note.type is not None or note.required is not None or note.default is not None):
        return None  # a parameter
    rest = first.text[match.end() :]
    if _UNBUILT.match(rest):
        return None
    if re.match(r"\s*(?:=|\[|/|,|\bor\b|\band\b)", rest) or (match["name"][0].isupper() and re.match(r" [a-z]", rest)):
        return None  # a part of a sentence
    start = match.end() + (separator.end() if (separator := _SEPARATOR.match(rest)) else 0)
    lines = [Line(first.text[start:], first.row, first.column + start), *item.blocks[0].lines[1:]]
    lines = [line for line in lines if line.text.strip()]
    content: list[Block] = [Paragraph(lines, lines[0].row, lines[-1].row + 1)] if lines else []
    content.extend(item.blocks[1:])
    heading = Line(first.text[: match.end()], first.row, first.column)
    is_call = bool(match["call"]) and match["call"].strip("() ") != "" and match["call"].startswith("(")
    return Found(
        match["name"],
        heading,
        match.start("name"),
        first.row,
        tuple(content),
        is_whole=is_call or describes_interface(content),
    )


def misnamed_tool_of_item(item: Item) -> Found | None:
    """Return the tool of an item whose marked name has a space, if the item describes how to call it."""
    match = _SPACED.match(item.lines[0].text) if item.lines else None
    if match is None or not describes_interface(item.blocks[1:]):
        return None
    first = item.lines[0]
    rest = Line(first.text[match.end() :], first.row, first.column + match.end())
    said: list[Block] = [Paragraph([rest], rest.row, rest.row + 1)] if rest.text.strip() else []
    heading = Line(match[0], first.row, first.column)
    content = (*said, *item.blocks[1:])
    return Found(match["name"], heading, match.start("name"), first.row, content, is_whole=True)


_SPACED = re.compile(r"(?:\*\*`?|`)(?P<name>[A-Za-z][\w.-]*(?: [\w.-]+){1,3})(?:`?\*\*|`):?\s*(?:[–—-]\s|$)?")


_WITH_PARAMETERS = re.compile(
    r"(?<=[.;!] )(?:Arguments|Parameters|Params|Args|Inputs?): `\w+` ?\((?:string|str|int|number|bool|array|object)"
)
"""Parameters after a sentence: ``Lists all. Arguments: `service` (string)``."""


def describes_interface(blocks: Sequence[Block]) -> bool:
    """Whether blocks describe parameters or a result."""
    for block in blocks[:_MOST_FOLLOWED]:
        if isinstance(block, TableBlock) and is_parameter_table(block):
            return True
        if isinstance(block, Paragraph) and _WITH_PARAMETERS.search(block.text):
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
                match = _PARAMETER.match(line.text) if line is not None else None
                if match is not None and line is not None and read_note(line.text, match.end()).type is not None:
                    return True
                if line is not None and _PLAIN_PARAMETER.match(line.text):
                    return True
    return False
