"""Tells functions that a specification documents for programmers from its tools."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecTool
from mcp_contracts.parsing.locating.absence.vocabulary import LONGEST
from mcp_contracts.parsing.locating.listing.listed import IN_TABLE
from mcp_contracts.parsing.locating.odd_headings import denies_tools, says_none
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, Paragraph
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import NamedTuple
from mcp_contracts.sections import Mention

_OF_CODE = re.compile(
    r"\b(?:APIs?|functions?|class(?:es)?|methods?|reference|helpers?|util(?:s|ities)|components?|modules?|usage|library"
    r"|interfaces?|internals?|operations?|python|code|exports?|signatures?|contents|overview|features?|commands)\b",
    re.IGNORECASE,
)
"""Titles of sections that document code."""


class Division(NamedTuple):
    """The tools of a file, the functions that are not tools, and the block that says so unless it does so plainly."""

    tools: Sequence[SpecTool] = ()
    functions: tuple[Mention, ...] = ()
    denial: Block | None = None
    is_plain: bool = False
    denied: Sequence[SpecTool] = ()
    """Functions that text plainly denies to be tools by their names."""


def divide(blocks: Sequence[Block], tools: Sequence[SpecTool], module: str | None, *, lists_none: bool) -> Division:
    """Tell tools from functions in text that denies tools. What is shown as a tool remains one.

    `lists_none` says that the front matter has an empty list of tools.
    """
    # only files in an older dialect need it
    from mcp_contracts.parsing.locating.absence.claims import read_claims
    from mcp_contracts.parsing.locating.absence.shown import registers_tools, shown_as_tools

    if denied := _denied_by_name(blocks, tools):
        rest = [block for block in blocks if not any(one.lines[0] <= block.row + 1 <= one.lines[1] for one in denied)]
        others = [tool for tool in tools if tool not in denied]
        return divide(rest, others, module, lists_none=lists_none)._replace(denied=denied)
    rows = [tool.lines[0] - 1 for tool in tools]
    said = read_claims(blocks, module, rows)
    if said.direct is not None and _is_title_below(said.direct.block, tools):
        said = said._replace(direct=None)
    if said.plain is not None and tools and all(_is_pretended(blocks, tool) for tool in tools):
        return Division(is_plain=True)
    is_registered = registers_tools(blocks) and any(_is_in_code(blocks, tool) for tool in tools)
    plain = None if said.affirms or is_registered else said.plain
    shown = list(shown_as_tools(blocks, rows, is_plainly_denied=plain is not None))
    is_titled = any(shown) and (plain is not None or any(shown_as_tools(blocks, rows, is_plainly_denied=True)))
    others = [tool for tool, is_shown in zip(tools, shown, strict=True) if tool.is_legacy and not is_shown]
    are_listed = all(tool.is_listed_only or IN_TABLE in tool.deviations for tool in tools)
    if not others and not are_listed and is_titled:
        return Division(tools)
    if len(others) == len(tools) and (lists_none or plain is not None):
        return Division(is_plain=True)
    if plain is not None and are_listed:
        return Division(functions=_mentions(tools), denial=plain.block)  # those of other modules
    titles = _titles_above(blocks, tools)
    is_internal = all(tool.is_legacy and _is_internal(titles[tool.lines[0] - 1]) for tool in tools)
    is_clear = said.clear is not None and (said.clear.is_of_parts or all(_is_below_code(blocks, one) for one in tools))
    clear = None if is_registered else said.direct or (said.clear if is_clear else None)
    denial = plain or (None if said.affirms else said.vague if is_internal else clear)
    if denial is None:
        return Division(tools)
    if plain is None and not is_titled and not registers_tools(blocks) and all(tool.is_legacy for tool in tools):
        is_of_all = not denial.is_of_parts and (denial.names_module or not any(shown))
        if is_of_all and (is_internal or not said.may_affirm):
            return Division(functions=_mentions(tools), denial=denial.block)
    row = denial.block.row
    is_at_top = all(block.row > row for block in blocks if isinstance(block, Heading) and block.level > 1)
    removed = [
        tool
        for tool in others
        if (_is_function(blocks, tool) and (is_at_top or not _is_in_code(blocks, tool)))
        or _is_denied_above(blocks, tool, denial.block)
    ]
    if not removed:
        return Division(tools)
    return Division([tool for tool in tools if tool not in removed], _mentions(removed), denial.block)


def _is_title_below(block: Block, tools: Sequence[SpecTool]) -> bool:
    """Whether a block is a title after some tools, which says nothing of these."""
    return isinstance(block, Heading) and any(tool.lines[0] - 1 < block.row for tool in tools)


def _mentions(tools: Sequence[SpecTool]) -> tuple[Mention, ...]:
    return tuple(Mention(tool.contract.name, tool.contract.place) for tool in tools)


def fenced_instead(
    source: SourceText, blocks: Sequence[Block], tools: Sequence[SpecTool], module: str | None
) -> Sequence[SpecTool]:
    """Return the tools in fences below a title about tools, if those with headings come later and have no such title.

    The latter are functions then. Otherwise they are returned.
    """
    first = min(tool.lines[0] for tool in tools) - 1
    before = [block for block in blocks if block.row < first]
    if not any(isinstance(block, Fence) and '"name"' in block.content for block in before):
        return tools
    # few files have such fences
    from mcp_contracts.parsing.locating.absence.shown import shown_as_tools
    from mcp_contracts.parsing.locating.code.fenced import fenced_tools

    fenced = list(fenced_tools(source, before, module))
    is_shown = fenced and all(shown_as_tools(blocks, [tool.lines[0] - 1 for tool in fenced]))
    return fenced if is_shown and not any(shown_as_tools(blocks, [tool.lines[0] - 1 for tool in tools])) else tools


def explain_absence(
    blocks: Sequence[Block], unread: Sequence[Mention], module: str | None, *, lists_none: bool
) -> Division:
    """Return why a file without readable tools has none, if it says so. What is shown as a tool is not denied."""
    # few files have no tools
    from mcp_contracts.parsing.locating.absence import shown
    from mcp_contracts.parsing.locating.absence.claims import read_claims
    from mcp_contracts.parsing.locating.contract_parts import first_of_contract

    if shown.shows_functions(blocks):
        return Division()
    rows = [mention.place.line - 1 for mention in unread]
    said = read_claims(blocks, module, rows)
    is_shown = any(shown.shown_as_tools(blocks, rows))
    if (lists_none or said.plain is not None) and not is_shown:
        return Division(is_plain=True)
    is_bare = not (unread or said.affirms or first_of_contract(blocks) or shown.shows_content(blocks))
    has_calls = shown.describes_calls(blocks)
    clear = said.clear
    is_certain = clear is not None and (clear.names_module or clear.is_of_parts or clear is said.opening)
    if said.may_affirm and has_calls and not is_certain:
        clear = None  # it may be about other things than the module
    if is_bare and (clear is not None or shown.settings_without_tools(blocks)):
        return Division(is_plain=True)
    is_titled = said.plain is None and any(shown.shown_as_tools(blocks, rows, is_plainly_denied=True))
    denial: Block | None = None
    if clear is not None and not (said.affirms or is_titled or shown.registers_tools(blocks)):
        denial = clear.block
    elif is_bare and not has_calls and said.vague is not None:
        denial = said.vague.block
    elif is_bare and said.opening is not None and not said.may_affirm:
        denial = said.opening.block
    elif is_bare and not said.may_affirm:
        alone = (one for one in shown.lone_paragraphs(blocks) if not shown.describes_calls((one,)))
        denial = next(alone, None) or shown.empty_section(blocks)
        denial = denial or (None if said.mention is None or has_calls else said.mention.block)
    return Division(functions=tuple(unread), denial=denial) if denial is not None else Division()


def _denied_by_name(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> Sequence[SpecTool]:
    """Return the tools that a label, the first sentence of their sections or a title of internals denies, unless these
    are all.

    A function below a title about tools remains a tool.
    """
    from mcp_contracts.parsing.locating.absence.shown import shown_as_tools
    from mcp_contracts.parsing.locating.absence.statements import SENTENCE_END, without_markup

    names = _names_denied(blocks)
    firsts = {title.row: block for title, block in pairwise(blocks) if isinstance(block, Paragraph)}

    def is_denied(tool: SpecTool) -> bool:
        first = firsts.get(tool.lines[0] - 1)
        said = map(without_markup, SENTENCE_END.split(first.text[:LONGEST])[:2]) if first is not None else ()
        is_said = tool.contract.name in names or any(map(_DENIES_ITSELF.fullmatch, said))
        return tool.is_legacy and (is_said or _is_internal(titles[tool.lines[0] - 1]))

    titles = _titles_above(blocks, tools)
    of_others = {
        title.text
        for title, block in pairwise(blocks)
        if isinstance(title, Heading)
        and (denies_tools(title.text) or says_none(title.text) or _denies_these(title, block))
    }
    below = [tool for tool in tools if tool.is_legacy and not of_others.isdisjoint(titles[tool.lines[0] - 1])]
    if 0 < len(below) < len(tools):
        return below
    denied = [tool for tool in tools if is_denied(tool)]
    if not 0 < len(denied) < len(tools) or any(shown_as_tools(blocks, [tool.lines[0] - 1 for tool in denied])):
        return ()
    return denied


def _is_internal(titles: Sequence[str]) -> bool:
    """Whether one of the titles above a tool is that of the internals of a module: `## Internals`."""
    return any(_OF_INTERNALS.fullmatch(title.strip("*_: ")) for title in titles)


def _titles_above(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> dict[int, Sequence[str]]:
    """Return the titles of the sections that each tool is in, from the outermost, by the row of the tool."""
    rows = sorted({tool.lines[0] - 1 for tool in tools})
    found: dict[int, Sequence[str]] = {}
    above: dict[int, str] = {}
    headings = [block for block in blocks if isinstance(block, Heading)]
    at = 0
    for row in rows:
        while at < len(headings) and headings[at].row < row:
            above = {level: text for level, text in above.items() if level < headings[at].level}
            above[headings[at].level] = headings[at].text
            at += 1
        own = headings[at].level if at < len(headings) and headings[at].row == row else _DEEPEST
        found[row] = tuple(text for level, text in above.items() if level < own)
    return found


_DEEPEST = 7
"""More than the level of any heading."""


def _is_below_code(blocks: Sequence[Block], tool: SpecTool) -> bool:
    """Whether a tool is in a section about code, such as `## Python API`."""
    above: dict[int, str] = {}
    for block in blocks:
        if isinstance(block, Heading) and block.row < tool.lines[0] - 1:
            above = {level: text for level, text in above.items() if level < block.level} | {block.level: block.text}
    return any(_OF_CODE.search(title) for level, title in above.items() if level > 1)


_OF_INTERNALS = re.compile(
    r"(?:\d[\d.]*[.)]? )?(?:(?:module|implementation) )?"
    r"(?:internals|(?:internal|private|non-?public) (?:python )?(?:functions?|helpers?|class(?:es)?))",
    re.IGNORECASE,
)
"""Not `Private endpoints` and `Private methods`, which may be those that need a login."""


def _names_denied(blocks: Sequence[Block]) -> frozenset[str]:
    """Return the names that labels say are not tools: `Not MCP tools: a, b`."""
    from mcp_contracts.parsing.locating.absence.statements import statements_of

    lists = (one.text[label.end() :] for one in statements_of(blocks) if (label := _LISTS_OTHERS.match(one.text)))
    return frozenset(name for names in lists if _NAMES.fullmatch(names) for name in re.findall(r"\w+(?:\.\w+)*", names))


_NAMES = re.compile(r"\s*[\w.]+(?:\(\))?(?:(?:, (?:and |or )?| and | or )[\w.]+(?:\(\))?)*\s*")


def _denies_these(title: Heading, below: Block) -> bool:
    """Whether the text below a title about code says that what follows are no tools: `These are not tools.`"""
    from mcp_contracts.parsing.locating.absence.statements import without_markup

    said = without_markup(below.text[:LONGEST]) if isinstance(below, Paragraph) else ""
    found = _DENIES_THESE.match(said) if title.level > 1 else None
    if found is None or found["subject"] is None:
        return found is not None and _OF_CODE.search(title.text) is not None
    return found["subject"].lower() in title.text.lower().split()


_DENIES_THESE = re.compile(
    r"(?:(?:these|the following)(?: \w+)?|(?:the )?(?P<subject>\w+))"
    r" (?:are|is)(?: not|n[’']t| no) (?:(?:exposed|offered|registered|available"
    r"|callable) (?:to|over|via|through|as|by|for) )?(?:MCP|agents?|(?:MCP )?tools?)(?=\W*$|[.,;:])",
    re.IGNORECASE,
)
_DENIES_ITSELF = re.compile(
    r"\W*(?:(?:it|this(?: \w+)?) (?:is|was) )?not (?:(?:exposed|offered|registered|published|available|callable|meant)"
    r" (?:to|over|via|through|as|by|for) (?:an? )?(?:MCP|agents?|(?:MCP )?tools?)|an? (?:MCP |agent )?tool)"
    r"(?: either| any ?more)?(?:\W*|\s*[(,;–—-].{1,80})"
    r"|[^.,;]{1,60}, not an? (?:MCP )?tool\W*|\W*no (?:longer an? )?(?:MCP )?tool(?: any ?more)?\W*"
    r"|\W*(?:it|this (?:module|service|package)) (?:has|exposes|offers|provides) no (?:MCP )?tools\W*",
    re.IGNORECASE,
)
_LISTS_OTHERS = re.compile(
    r"(?:[\w ]{1,20}\()?no[nt][ -](?:\w+ (?:as|over|via|through) )?(?:(?:MCP|agent) )?tools?\)?(?::|$)", re.IGNORECASE
)
"""The title of a list of other things: `Not tools`, `CLI (not tools):`, `Not offered as tools: a, b`."""


def _is_function(blocks: Sequence[Block], tool: SpecTool) -> bool:
    """Whether a tool has no title, or only that of the file and no parameters, or a signature in or directly below its
    title, or is below a title about code."""
    at = next((index for index, block in enumerate(blocks) if block.row == tool.lines[0] - 1), len(blocks))
    title = blocks[at] if at < len(blocks) else None
    if not isinstance(title, Heading):
        return not isinstance(title, Fence)
    if title.level == 1:  # the title of the file
        schema = tool.contract.input_schema
        return not isinstance(schema, dict) or not schema.get("properties")
    first = blocks[at + 1] if at + 1 < len(blocks) else None
    if "(" in title.text or (isinstance(first, Paragraph) and _SIGNATURE.fullmatch(first.text)):
        return True
    level = title.level
    for block in reversed(blocks[:at]):
        if isinstance(block, Heading) and 1 < block.level < level:
            level = block.level
            if _OF_CODE.search(block.text):
                return True
    return False


def _is_in_code(blocks: Sequence[Block], tool: SpecTool) -> bool:
    """Whether a tool is shown by code, which may register it."""
    row = tool.lines[0] - 1
    return any(isinstance(block, Fence) and block.row <= row < block.end for block in blocks)


def _is_pretended(blocks: Sequence[Block], tool: SpecTool) -> bool:
    """Whether the text beside the code of a tool calls it a fixture, or a sketch of a tool to come."""
    row = tool.lines[0] - 1
    at = next((at for at, one in enumerate(blocks) if isinstance(one, Fence) and one.row <= row < one.end), None)
    beside = () if at is None else (*blocks[max(at - 1, 0) : at], *blocks[at + 1 : at + 2])
    return any(isinstance(one, Paragraph) and _PRETENDED.search(one.text[:LONGEST]) for one in beside)


_PRETENDED = re.compile(r"\b(?:fixture|sketch|mock-?up|dummy|fake|hypothetical|imaginary|future tool)\b", re.IGNORECASE)


def _is_denied_above(blocks: Sequence[Block], tool: SpecTool, denial: Block) -> bool:
    """Whether a denial is of the functions below it, and a tool is among these: it is in the same section."""
    if not isinstance(denial, Paragraph) or not _OF_FUNCTIONS_BELOW.search(denial.text[:LONGEST]):
        return False
    headings = [block for block in blocks if isinstance(block, Heading)]
    level = next((one.level for one in reversed(headings) if one.row < denial.row), 1)
    end = next((one.row for one in headings if one.row > denial.row and one.level <= level), tool.lines[0])
    return denial.row < tool.lines[0] - 1 < end


_OF_FUNCTIONS_BELOW = re.compile(r"\b(?:the following|these) \w+\b|\b\w+ (?:\w+ )?below\b", re.IGNORECASE)
_SIGNATURE = re.compile(r"`[\w.]+\((?=[^`]*\))[^`]*+`\s*")
