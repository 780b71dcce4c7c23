"""The lists of a file whose items are tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.alike import is_joined, outer_words
from mcp_contracts.parsing.locating.headings import NOT_OF_TOOLS, OF_AUTHORS, OF_TOOLS_ELSEWHERE, speaks_of_tools
from mcp_contracts.parsing.locating.listing.items import (
    MOST_ITEMS,
    Found,
    describes_interface,
    misnamed_tool_of_item,
    tools_of_items,
)
from mcp_contracts.parsing.locating.listing.listed import are_not_offered
from mcp_contracts.parsing.locating.odd_headings import OF_OTHER_THINGS, PROSE, names_other_group, without_tools
from mcp_contracts.parsing.locating.other_languages import TITLE_OF_TOOLS
from mcp_contracts.parsing.markdown.blocks import Block, Heading, Item, ListBlock, Paragraph
from mcp_contracts.parsing.topics import about
from mcp_contracts.records import NamedTuple, replace

_FEATURES = re.compile(
    r"\b(?:features|capabilities|functions|commands|operations|funktionen|fonctions|fonctionnalités|funciones"
    r"|funcionalidades|funções|funzioni|funkcje|функции|возможности)\b|功能|機能|기능",
    re.IGNORECASE,
)
_MCP = re.compile(r"\bMCP\b")
_STEPS = re.compile(r"\W*(?:test|case|scenario|step|example)s?(?: case)? #?\d", re.IGNORECASE)
"""A title of steps that call tools, such as `Test 1.2`."""
_CERTAIN = re.compile(
    r".*\(\d+ tools?\)\W*|(?:\d+\W+)?(?:(?:available|provided|exposed|supported|list of|the|MCP|agent)[ -])*tools"
    r"(?: (?:for|to) (?:the )?(?:agents?|models?|LLMs?|assistants?))?\W*",
    re.IGNORECASE,
)
"""A title of a list of tools, or one that counts them, so an item with the word `(string)` is not a parameter."""
_SEVERAL = re.compile(r"\b(?:tools|functions|commands|operations|methods|api|endpoints|mcp)\b", re.IGNORECASE)


class _Titled(NamedTuple):
    """A list with the titles above it by level, the paragraph that leads to it, and its group.

    The group is the title about tools above it, or else the parent heading and the level.
    """

    at: int
    above: dict[int, str]
    lead: str
    group: tuple[int, int]


def lists_of_tools(blocks: Sequence[Block]) -> dict[int, tuple[Sequence[Found], int]]:
    """Return the tools of each list by its index, and the number of blocks after the list that belong to its last item.

    If one section has a list of tools, a list of the same form in a sibling section is also a list of tools."""
    blocks = [_without_groups(block) if isinstance(block, ListBlock) else block for block in blocks]
    lists = list(_titled_lists(blocks))
    found: dict[int, tuple[Sequence[Found], int]] = {}
    for one in lists:
        block = blocks[one.at]
        if isinstance(block, ListBlock):
            torn = _underindented_items(block, blocks[one.at + 1 : one.at + 2])
            tools = _tools_of_list(block, one.above, one.lead, torn)
            found[one.at] = tools, len(torn) if tools else 0
    proven: dict[tuple[int, int], list[Found]] = {}
    for one in lists:
        if one.group[0] >= 0:
            proven.setdefault(one.group, []).extend(found[one.at][0])
    for one in (*lists, *lists):  # again, with the words of all lists that were found
        block, beside = blocks[one.at], proven.get(one.group)
        if beside and not found[one.at][0] and isinstance(block, ListBlock):
            found[one.at] = _tools_beside(block, one, beside), 0
            beside.extend(found[one.at][0])
    known: set[str] = set()
    for at, (tools, more) in found.items():
        names = {tool.name for tool in tools}
        is_again = names <= known and not any(tool.is_whole for tool in tools)  # mentions of the tools of other lists
        found[at] = [tool for tool in tools if not is_again and (tool.content or tool.name not in known)], more
        known |= names
    return found


_OF_GROUP = re.compile(
    r"`[\w./-]+\.(?:py|[jt]sx?|rs|go|java|cs|rb|php|kt|swift)`:?|\*\*[A-Z][^*`_]{2,60}\*\*:?|[A-Z][\w &/-]{2,60}:"
)


def _without_groups(block: ListBlock) -> ListBlock:
    """Return the items of lists below files or titles, if all items of a list are such groups."""
    inner: list[Item] = []
    for item in block.items:
        if len(item.blocks) != 2 or not isinstance(below := item.blocks[1], ListBlock):
            return block
        title = item.lines[0].text.strip() if len(item.lines) == 1 else ""
        if not _OF_GROUP.fullmatch(title) or about(title) is not None:
            return block
        inner.extend(below.items)
    return replace(block, items=tuple(inner))


def _titled_lists(blocks: Sequence[Block]) -> Iterator[_Titled]:
    above: dict[int, str] = {}
    indices: dict[int, int] = {}
    lead = ""
    for at, block in enumerate(blocks):
        if isinstance(block, Heading):
            above = {level: text for level, text in above.items() if level < block.level}
            indices = {level: index for level, index in indices.items() if level < block.level}
            above[block.level], indices[block.level] = block.text, at
        elif isinstance(block, ListBlock):
            level = max(above, default=0)
            parents = [other for other in above if 1 < other < level]
            of_tools = [other for other in parents if speaks_of_tools(above[other])]
            parent = indices.get(max(of_tools or parents, default=0), -1)
            yield _Titled(at, above, lead, (parent, 0 if of_tools else level))
        lead = block.text if isinstance(block, Paragraph) else ""


def _tools_beside(block: ListBlock, one: _Titled, beside: Sequence[Found]) -> Sequence[Found]:
    """Return the tools of a list of the same form as in sibling sections, by names or below a title about tools."""
    forms = set(map(_form, beside))
    is_titled = all(form.has_title for form in forms)
    named = list(tools_of_items(block.items, is_titled=is_titled))
    found = [tool for tool in named if tool is not None]
    title = one.above[max(one.above)]
    of_all = " ".join(one.above[level] for level in sorted(one.above)[-2:])
    is_alike = len(found) == len(named) and forms.issuperset(map(_form, found))
    if not is_alike or about(one.lead) is not None or names_other_group(title):
        return []
    if any(pattern.search(f"{of_all}\n{one.lead}") for pattern in (OF_AUTHORS, OF_TOOLS_ELSEWHERE, NOT_OF_TOOLS)):
        return []
    akin = {word for tool in beside for word in outer_words(tool.name)}
    joined = sum(is_joined(tool.name) or "(" in tool.line.text for tool in found)
    are_akin = joined == len(found) and all(not akin.isdisjoint(outer_words(tool.name)) for tool in found)
    if are_akin and not _OF_NO_TOOLS.search(title):
        return found
    are_joined = joined == len(found) or (is_titled and joined * 2 > len(found))
    is_of_others = _is_of_section(title) or OF_OTHER_THINGS.search(without_tools(f"{title} {one.lead}")) is not None
    return found if not is_of_others and (are_joined or speaks_of_tools(of_all)) else []


_OF_NO_TOOLS = re.compile(
    r"\b(?:environment|variables?|settings|prompts?|resources?|events?|errors?|metrics?)\b", re.IGNORECASE
)
"""Titles of lists whose names may have the words of tools."""


class _Form(NamedTuple):
    """The marks around a name, and whether a title is before it."""

    is_bold: bool
    is_code: bool
    has_title: bool


def _form(one: Found) -> _Form:
    text = one.line.text
    return _Form(text.startswith(("**", "__")), "`" in text, " " in text.partition(one.name)[0])


def _underindented_items(block: ListBlock, following: Sequence[Block]) -> Sequence[Block]:
    """Return the bullets that belong to the last item, but are indented too little: below `10. `x``.

    The item is only a name, or the only one of its list above parameters with types.
    """
    last, after = block.items[-1], following[0] if following else None
    if not isinstance(after, ListBlock) or len(last.blocks) != 1 or not last.lines:
        return ()
    return following if after.row == block.end or (len(block.items) == 1 and describes_interface(following)) else ()


def _tools_of_list(block: ListBlock, above: dict[int, str], lead: str, torn: Sequence[Block] = ()) -> Sequence[Found]:
    """Return the tools that begin the items of what is definitely a list of tools; `torn` continues its last item."""
    last = replace(block.items[-1], blocks=(*block.items[-1].blocks, *torn))
    nearest_title = above[max(above)] if above else ""
    items = (*block.items[:-1][:MOST_ITEMS], last)
    named = list(tools_of_items(items, is_certain=_is_title_of_list(nearest_title) or _is_title_of_list(lead)))
    if 0 < named.count(None) * 2 < len(named):  # most are tools, so a note of another is its description
        named = list(tools_of_items(items, is_certain=True))
    if named.count(None) == 1 and 1 < len(named) <= len(items):  # more if an item names several tools
        at = named.index(None)
        named[at] = misnamed_tool_of_item(items[at])
    found = [one for one in named if one is not None]
    titles = " ".join(title for level, title in above.items() if level > 1)
    if (
        NOT_OF_TOOLS.search(lead)
        or _STEPS.match(nearest_title)
        or are_not_offered(nearest_title)
        or names_other_group(nearest_title)
        or (_OF_NO_TOOLS.search(nearest_title) and not speaks_of_tools(nearest_title) and not _CERTAIN.fullmatch(lead))
        or not found
        or len(found) * 2 < len(named)
        or (_is_of_section(nearest_title) and max(above) > 1 and not (torn and speaks_of_tools(nearest_title)))
    ):
        return []
    is_of_tools = speaks_of_tools(lead or nearest_title)
    if OF_OTHER_THINGS.search(without_tools(f"{titles} {lead}")) and not (is_of_tools and max(above, default=0) > 1):
        return []
    is_marked = all(re.search("[_.-]", one.name) for one in found)
    are_calls = is_marked and len(found) == len(named) and all("(" in one.line.text for one in found)
    is_akin = len(found) > 1 and len({re.split(r"[_.]", one.name)[0] for one in found}) == 1
    is_of_tools = is_of_tools or (are_calls and (is_akin or speaks_of_tools(above.get(1, ""))))
    is_whole = any(one.is_whole and (is_of_tools or _says_more(one)) for one in found)
    is_of_server = len(found) > 2 and bool(_FEATURES.search(titles)) and bool(_MCP.search(above.get(1, "")))
    is_of_server = is_of_server or (
        len(found) > 1 and max(above, default=0) == 1 and _MCP_SERVER.search(f"{above[1]}. {lead}") is not None
    )
    are_listed = is_marked and len(found) == len(named)
    is_of_tools = is_of_tools or (are_listed and (is_of_server or speaks_of_tools(titles)))
    is_of_tools = is_of_tools and not OF_AUTHORS.search(f"{titles}\n{lead}")
    are_words = all(PROSE.fullmatch(one.name) for one in found)
    if is_whole or (
        is_of_tools
        and not are_words
        and (
            is_marked
            or _counted(lead) == len(found) == len(named)
            or (max(above, default=0) > 1 and _SEVERAL.search(nearest_title))
        )
    ):
        return found
    return []


def announces_tools(text: str) -> bool:
    """Whether text ends with a sentence that counts the tools that follow: `Two tools:`."""
    return _counted(text) > 0


def _counted(text: str) -> int:
    """Return the number of tools that the last sentence of text announces, or zero."""
    match = _COUNTED.search(text)
    if match is None:
        return 0
    return int(match[1]) if match[1].isdecimal() else _NUMBERS.index(match[1].lower()) + 1


_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTED = re.compile(
    r"(?:^|[.!?]\s+|\b(?:has|have|offers?|exposes?|provides?|defines?|are|is) (?:exactly |only )?|the following )"
    rf"({'|'.join(_NUMBERS)}|\d{{1,2}}) (?:MCP )?tools?[:.]\W*$",
    re.IGNORECASE,
)


def _is_title_of_list(text: str) -> bool:
    plain = text.strip("*_: ")
    return any(title.fullmatch(plain) for title in (_CERTAIN, TITLE_OF_TOOLS, _ANNOUNCED))


_ANNOUNCED = re.compile(
    r"(?:[^.:]{0,40} )?(?:following|these|available) (?:[\w-]+ ){0,2}tools\b[^.:]{0,60}", re.IGNORECASE
)
"""A sentence before a list of tools: `The following tools are available to agents:`."""


_MCP_SERVER = re.compile(r"\bMCP\b[^.]{0,40}\bserver\b|\bserver\b[^.]{0,40}\b(?:MCP|Model Context Protocol)\b")


def _is_of_section(title: str) -> bool:
    """Whether a title is that of a tool's section, unlike `Security (8 tools)`."""
    return about(title) is not None and not _CERTAIN.fullmatch(title)


def _says_more(one: Found) -> bool:
    """Whether a tool describes how to call it in more than the bare names of its arguments."""
    return ":" in one.line.text.partition("(")[2] or describes_interface(one.content)
