"""Tells functions that a specification documents for programmers from its tools."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, zip_longest

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecTool
from mcp_contracts.parsing.locating.absence.words import DONE, KIND, LONGEST, PART, TO
from mcp_contracts.parsing.locating.listing.listed import IN_TABLE
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
    from mcp_contracts.parsing.locating.absence.denials import (
        clear_denial,
        plain_denial,
        shown_as_tools,
        speaks_of_own_tools,
        total_denial,
    )
    from mcp_contracts.parsing.locating.absence.hints import hinted_denial
    from mcp_contracts.parsing.locating.absence.withheld import withheld_from_agents

    if denied := _denied_by_name(blocks, tools):
        rest = [block for block in blocks if not any(one.lines[0] <= block.row + 1 <= one.lines[1] for one in denied)]
        others = [tool for tool in tools if tool not in denied]
        return divide(rest, others, module, lists_none=lists_none)._replace(denied=denied)
    denial = plain_denial(blocks, module)
    rows = [tool.lines[0] - 1 for tool in tools]
    shown = list(shown_as_tools(blocks, rows, is_plainly_denied=denial is not None))
    others = [tool for tool, is_shown in zip(tools, shown, strict=True) if tool.is_legacy and not is_shown]
    are_listed = all(tool.is_listed_only or IN_TABLE in tool.deviations for tool in tools)
    is_titled = any(shown) and (denial is not None or any(shown_as_tools(blocks, rows, is_plainly_denied=True)))
    if not others and not are_listed and is_titled:
        return Division(tools)
    are_all = len(others) == len(tools)
    if are_all and (lists_none or denial is not None):
        return Division(is_plain=True)
    if denial is not None and are_listed:
        others = list(tools)  # those of other modules
    else:
        if denial is None and not speaks_of_own_tools(blocks, is_certain=True):
            total = total_denial(blocks, module) if are_all and not speaks_of_own_tools(blocks) else None
            if total is None and not is_titled and all(tool.is_legacy for tool in tools):
                total = hinted_denial(blocks, module or "", is_titled=any(shown))
            if total is not None:
                return Division(functions=_mentions(tools), denial=total)
        if denial is None and not speaks_of_own_tools(blocks, is_certain=True):
            denial = clear_denial(blocks, module, is_of_module=True)
        if denial is None and tools and all(tool.is_legacy and _is_internal(blocks, tool) for tool in tools):
            hint = withheld_from_agents(blocks)
            return Division(functions=_mentions(tools), denial=hint) if hint is not None else Division(tools)
        if denial is None:
            return Division(tools)
        is_of_all = all(block.row > denial.row for block in blocks if isinstance(block, Heading) and block.level > 1)
        others = [
            tool
            for tool in others
            if (_is_function(blocks, tool) and (is_of_all or not _is_in_code(blocks, tool)))
            or _is_denied_above(blocks, tool, denial)
        ]
    if not others:
        return Division(tools)
    removed = set(map(id, others))
    return Division([tool for tool in tools if id(tool) not in removed], _mentions(others), denial)


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
    from mcp_contracts.parsing.locating.absence.denials import shown_as_tools
    from mcp_contracts.parsing.locating.code.fenced import fenced_tools

    fenced = list(fenced_tools(source, before, module))
    is_shown = fenced and all(shown_as_tools(blocks, [tool.lines[0] - 1 for tool in fenced]))
    return fenced if is_shown and not any(shown_as_tools(blocks, [tool.lines[0] - 1 for tool in tools])) else tools


def explain_absence(
    blocks: Sequence[Block], unread: Sequence[Mention], module: str | None, *, lists_none: bool
) -> Division:
    """Return why a file without readable tools has none, if it says so. What is shown as a tool is not denied."""
    # few files have no tools
    from mcp_contracts.parsing.locating.absence.denials import (
        clear_denial,
        plain_denial,
        possible_denial,
        settings_without_tools,
        shown_as_tools,
        shows_content,
        shows_functions,
        speaks_of_own_tools,
        total_denial,
    )
    from mcp_contracts.parsing.locating.absence.hints import hinted_denial
    from mcp_contracts.parsing.locating.absence.withheld import withheld_from_agents
    from mcp_contracts.parsing.locating.contract_parts import first_of_contract

    if shows_functions(blocks):
        return Division()
    rows = [mention.place.line - 1 for mention in unread]
    is_shown = any(shown_as_tools(blocks, rows))
    is_counted = speaks_of_own_tools(blocks)
    is_loose = not is_counted and first_of_contract(blocks) is None
    has_content = shows_content(blocks)
    is_bare = is_loose and not unread
    denial = plain_denial(blocks, module, is_bare=is_bare and not has_content)
    if (lists_none or denial is not None) and not is_shown:
        return Division(is_plain=True)
    total = total_denial(blocks, module) if denial is None and not is_counted else None
    if is_bare and not has_content and (total is not None or (denial is None and settings_without_tools(blocks))):
        return Division(is_plain=True)
    if total is not None and not any(shown_as_tools(blocks, rows, is_plainly_denied=True)):
        return Division(functions=tuple(unread), denial=total)
    if denial is None and not is_shown and not is_counted:
        denial = clear_denial(blocks, module, is_of_module=has_content)
        if denial is None and (is_loose or not unread):
            denial = possible_denial(blocks, is_bare=is_bare, is_loose=is_loose)
    if denial is None and not any(shown_as_tools(blocks, rows, is_plainly_denied=True)):
        denial = hinted_denial(blocks, module or "", is_titled=is_shown)
    if denial is None and is_bare:
        denial = _empty_section(blocks) or (None if has_content else withheld_from_agents(blocks))
    return Division(functions=tuple(unread), denial=denial) if denial is not None else Division()


def _empty_section(blocks: Sequence[Block]) -> Heading | None:
    """Return the title of a section about all tools with nothing below it."""
    from mcp_contracts.parsing.locating.absence.sentences import is_title_of_all
    from mcp_contracts.parsing.locating.absence.statements import without_markup

    for title, after in zip_longest(blocks, blocks[1:]):
        if not isinstance(title, Heading) or title.level == 1:
            continue
        is_empty = after is None or (isinstance(after, Heading) and after.level <= title.level)
        if is_empty and is_title_of_all(without_markup(title.text)):
            return title
    return None


def _denied_by_name(blocks: Sequence[Block], tools: Sequence[SpecTool]) -> Sequence[SpecTool]:
    """Return the tools that a label, the first sentence of their sections or a title of internals denies, unless these
    are all.

    A function below a title about tools remains a tool.
    """
    from mcp_contracts.parsing.locating.absence.denials import shown_as_tools
    from mcp_contracts.parsing.locating.absence.statements import SENTENCE_END, without_markup

    names = _names_denied(blocks)
    firsts = {title.row: block for title, block in pairwise(blocks) if isinstance(block, Paragraph)}

    def is_denied(tool: SpecTool) -> bool:
        first = firsts.get(tool.lines[0] - 1)
        said = without_markup(SENTENCE_END.split(first.text[:LONGEST])[0]) if first is not None else ""
        is_said = tool.contract.name in names or _DENIES_ITSELF.fullmatch(said) is not None
        return tool.is_legacy and (is_said or _is_internal(blocks, tool))

    denied = [tool for tool in tools if is_denied(tool)]
    if not 0 < len(denied) < len(tools) or any(shown_as_tools(blocks, [tool.lines[0] - 1 for tool in denied])):
        return ()
    return denied


def _is_internal(blocks: Sequence[Block], tool: SpecTool) -> bool:
    """Whether a tool is below a title of the internals of a module: `## Internals`, `## Private functions`."""
    above: dict[int, str] = {}
    for block in blocks:
        if isinstance(block, Heading) and block.row < tool.lines[0]:
            above = {level: text for level, text in above.items() if level < block.level}
            if block.row == tool.lines[0] - 1:
                break
            above[block.level] = block.text
    return any(_OF_INTERNALS.fullmatch(title.strip("*_: ")) for title in above.values())


_OF_INTERNALS = re.compile(
    r"(?:\d[\d.]*[.)]? )?(?:(?:module|implementation) )?"
    r"(?:internals|(?:internal|private|non-?public) (?:python )?(?:functions?|helpers?|class(?:es)?))",
    re.IGNORECASE,
)
"""Not `Private endpoints` and `Private methods`, which may be those that need a login."""


def _names_denied(blocks: Sequence[Block]) -> frozenset[str]:
    """Return the names that labels say are not tools: `Not MCP tools: a, b`."""
    from mcp_contracts.parsing.locating.absence.statements import statements_of
    from mcp_contracts.parsing.locating.absence.subjects import LISTS_OTHERS

    lists = (one.text[label.end() :] for one in statements_of(blocks) if (label := LISTS_OTHERS.match(one.text)))
    return frozenset(name for names in lists if _NAMES.fullmatch(names) for name in re.findall(r"\w+(?:\.\w+)*", names))


_NAMES = re.compile(r"\s*[\w.]+(?:\(\))?(?:(?:, (?:and |or )?| and | or )[\w.]+(?:\(\))?)*\s*")


_DENIES_ITSELF = re.compile(
    rf"\W*(?:(?:it|this(?: {PART})?) (?:is|was) )?not (?:{DONE} {TO}|an? {KIND}tool)(?: either)?\W*", re.IGNORECASE
)


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


def _is_denied_above(blocks: Sequence[Block], tool: SpecTool, denial: Block) -> bool:
    """Whether a denial is of the functions below it, and a tool is among these: it is in the same section."""
    if not isinstance(denial, Paragraph) or not _OF_FUNCTIONS_BELOW.search(denial.text[:LONGEST]):
        return False
    headings = [block for block in blocks if isinstance(block, Heading)]
    level = next((one.level for one in reversed(headings) if one.row < denial.row), 1)
    end = next((one.row for one in headings if one.row > denial.row and one.level <= level), tool.lines[0])
    return denial.row < tool.lines[0] - 1 < end


_OF_FUNCTIONS_BELOW = re.compile(rf"\b(?:the following|these) {PART}\b|\b{PART} (?:\w+ )?below\b", re.IGNORECASE)
_SIGNATURE = re.compile(r"`[\w.]+\((?=[^`]*\))[^`]*+`\s*")
