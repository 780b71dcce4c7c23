"""Finds tools whose headings do not look like names: the title of a file about one tool, and sections alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecTool
from mcp_contracts.parsing.locating.odd_headings import LIKE_A_NAME, Beginning, names_other_group
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, Paragraph, TableBlock
from mcp_contracts.parsing.parameters.tables import is_parameter_table
from mcp_contracts.parsing.raw import RawSection, number_of_title, split_sections
from mcp_contracts.parsing.text import Line
from mcp_contracts.parsing.topics import about, label_of
from mcp_contracts.records import replace


def tools_of_whole_file(blocks: Sequence[Block]) -> list[Beginning]:
    """Return the heading of a file that is one tool, or those of sections alike."""
    return list(_whole_file(blocks)) or list(_sections_alike(blocks))


def _whole_file(blocks: Sequence[Block]) -> Iterator[Beginning]:
    """Yield the first heading of a file that is one tool: below it are the numbered sections, with a name to call.

    Alternatively, the heading is a name, or says `Tool Contract: name`, with its parameters below.
    """
    first = next((index for index, block in enumerate(blocks) if isinstance(block, Heading)), None)
    if first is None:
        return
    heading = blocks[first]
    _, sections = split_sections(blocks[first + 1 :])
    title = re.sub(r" (?:MCP )?tool$", "", heading.text.strip("* ")) if isinstance(heading, Heading) else ""
    is_name = False
    numbers = [number_of_title(section.title) for section in sections]
    is_one = numbers.count(2) == 1 and _PARAMETERS in numbers  # several tools, each with its own sections, are not one
    if isinstance(heading, Heading) and heading.level == 1 and not is_one:
        is_name = re.fullmatch(r"`?[a-z][a-z0-9]*(?:[_.][a-z0-9]+)+`?", title) is not None
        is_one = is_name and sum(map(_has_parameters, sections)) == 1
        if (stated := _stated_name(heading.text, blocks[first + 1 :], sections)) is not None:
            title, is_name, is_one = stated, True, True
    if isinstance(heading, Heading) and heading.level == 1 and is_one:
        name = title.strip("*` ") if is_name else heading.text.strip("*` ")
        yield heading, first, name, heading.text.index(name)


def _sections_alike(blocks: Sequence[Block]) -> Iterator[Beginning]:
    """Yield the headings of the second level if there are several, and each is a word above parameters and a result."""
    starts = [at for at, block in enumerate(blocks) if isinstance(block, Heading) and block.level == _OF_SECTION]
    found: list[Beginning] = []
    for at, end in zip_longest(starts, starts[1:]):
        heading = blocks[at]
        if not isinstance(heading, Heading) or _WORD.fullmatch(heading.text) is None or about(heading.text) is not None:
            return
        if not set(_meanings(blocks[at + 1 : end])) >= _LABELS:
            return
        found.append((heading, at, heading.text, 0))
    if len(found) > 1:
        yield from found


def _meanings(blocks: Sequence[Block]) -> Iterator[int | None]:
    for block in blocks:
        if isinstance(block, Heading):
            yield about(block.text)
        elif isinstance(block, Paragraph):
            yield from (label.about for line in block.lines if (label := label_of(line)) is not None)


_OF_SECTION = 2
_WORD = re.compile(r"[a-z][a-z0-9]*")
_LABELS = frozenset((3, 4))


def _has_parameters(section: RawSection) -> bool:
    """Whether a section is that of the parameters, or has them directly below `Tool Specification`."""
    if about(section.title) == _PARAMETERS:
        return True
    is_specification = _OF_SPECIFICATION_ONLY.fullmatch(section.title.strip("*: ")) is not None
    return (
        is_specification
        and sum(isinstance(block, TableBlock) and _is_of_parameters(block) for block in section.blocks) == 1
    )


def _is_of_parameters(block: TableBlock) -> bool:
    return is_parameter_table(block, is_due=_PARAMETER.match(block.lines[0].text) is not None)


_PARAMETERS = 3
_PARAMETER = re.compile(r"[|*_ ]*(?:param(?:eter)?|arg(?:ument)?)s?\b", re.IGNORECASE)
_OF_SPECIFICATION_ONLY = re.compile(
    r"(?:(?:MCP )?Tool )?(?:Specification|Spec|Contract|Definition|Reference)", re.IGNORECASE
)
_TOOL = re.compile(r"\btool\b", re.IGNORECASE)
_OF_SPECIFICATION = (
    r"(?i:(?:(?:the|an?|of|for|MCP|API|tool|contract|spec(?:ification)?|definition|reference|schema)\b[ :*()—–-]*)*+)"
)
_STATED = re.compile(
    rf"{_OF_SPECIFICATION}(?P<code>`)?(?P<name>[A-Za-z][\w.-]{{0,79}})(?:\(\))?`?"
    rf"(?:[ :*()—–-]*{_OF_SPECIFICATION}|\**(?P<remark> ?\([^()]+\)|(?: +[—–-]+|:) +\S.*))"
)
"""A title of words for a specification, a name, and a remark: `Contract of the tool find_table (beta)`."""
_OF_SEVERAL = re.compile(r"\b(?:tools|modules?|servers?|packages?|librar(?:y|ies)|services?)\b", re.IGNORECASE)


def _stated_name(title: str, blocks: Sequence[Block], sections: Sequence[RawSection]) -> str | None:
    """Return the name in a title such as `Tool Contract: name`; only a tool's file has one list of parameters."""
    match = _STATED.fullmatch(title.strip())
    if match is None or not _TOOL.search(title):
        return None
    is_name = match["code"] or LIKE_A_NAME.search(match["name"]) is not None
    if not is_name and not _is_labeled(match["name"], blocks):
        return None
    if match["remark"] and (not _TOOL.search(title[: match.start("name")]) or _OF_SEVERAL.search(match["remark"])):
        return None
    lists = sum(_has_parameters(section) or section.title == "JSON Schema" for section in sections)
    name = re.escape(match["name"])
    call = re.compile(rf"\b{name}\(|[\"'](?:tool|tool_name)[\"']\s*:\s*[\"']{name}[\"']")
    is_called = any(isinstance(block, Fence) and call.search(block.content) for block in blocks)
    return match["name"] if lists == 1 or (lists == 0 and is_called) else None


def _is_labeled(name: str, blocks: Sequence[Block]) -> bool:
    """Whether a label at the beginning of a line says that a name in code is that of a tool."""
    label = re.compile(rf"[*_]*(?:MCP )?Tool name[*_]*: ?[*_]* ?`{re.escape(name)}`", re.IGNORECASE)
    return any(isinstance(block, Paragraph) and any(label.match(line.text) for line in block.lines) for block in blocks)


def titled_by_path(path: str, blocks: Sequence[Block]) -> Sequence[Block] | None:
    """Return the blocks with `tools` in their title, if the name of the file says that it specifies tools.

    None if it does not, if the title says so as well, if it is about something else, or if there is none.
    """
    if _NAME_OF_FILE.search(path.rpartition("/")[2]) is None:
        return None
    at = next((at for at, block in enumerate(blocks) if isinstance(block, Heading)), None)
    title = blocks[at] if at is not None else None
    if at is None or not isinstance(title, Heading) or title.level > 1 or "tool" in title.text.lower():
        return None
    if _OF_A_LIBRARY.search(title.text) or names_other_group(title.text):
        return None
    line = title.line
    titled = replace(title, line=Line(f"{line.text} tools", line.row, line.column))
    return [*blocks[:at], titled, *blocks[at + 1 :]]


def is_plainly_tool(tool: SpecTool) -> bool:
    """Whether a tool has a name of several words, and is a call, has typed parameters, or says that it has none."""
    schema = tool.contract.input_schema
    properties = schema.get("properties") if isinstance(schema, dict) else None
    is_typed = isinstance(properties, dict) and all(
        isinstance(one, dict) and "type" in one for one in properties.values()
    )
    return (is_typed or "(" in tool.heading) and _SEVERAL_WORDS.fullmatch(tool.contract.name) is not None


_SEVERAL_WORDS = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_OF_A_LIBRARY = re.compile(
    r"\b(?:api|python|reference|hooks?|plugins?|cli|commands?|functions?|internals?)\b", re.IGNORECASE
)
_NAME_OF_FILE = re.compile(r"tools?[ _-]+(?:spec|contract)", re.IGNORECASE)
