"""Headings of a tool's sections that repeat its name: ``## `find` input schema`` beside ``## `find` ``."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.markdown.blocks import Block, Heading
from mcp_contracts.parsing.topics import about
from mcp_contracts.records import replace

_NAME = r"`?(?P<name>[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*)`?"
_AFTER = re.compile(rf"{_NAME}(?:['’]s| ?[:–—-]| ?/)? +(?P<words>[A-Za-z][A-Za-z ]{{3,30}})")
_BEFORE = re.compile(rf"(?P<words>[A-Za-z][A-Za-z ]{{3,30}}?) +(?:for|of) +(?:the +)?{_NAME}(?: tool)?")
_WORDS = re.compile(
    r"(?:(?:input|output|return|response|request|usage|call|error)s? )?"
    r"(?:schemas?|parameters?|arguments?|inputs?|outputs?|returns?|return value|responses?|results?|errors?|examples?)",
    re.IGNORECASE,
)


def with_own_sections(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return blocks in which such a heading is a level below that of its tool, and consists of the other words."""
    kept: list[Block] = []
    above: Heading | None = None
    for block in blocks:
        section = _section(block, above) if isinstance(block, Heading) else None
        if isinstance(block, Heading) and section is None:
            above = block
        kept.append(section or block)
    return tuple(kept)


def _section(block: Heading, above: Heading | None) -> Heading | None:
    """Return a heading as a section of the tool whose heading is the last one above it."""
    if above is None or above.level != block.level or block.level == 1:
        return None
    text = block.text.strip()
    match = _AFTER.fullmatch(text) or _BEFORE.fullmatch(text)
    if match is None or not _WORDS.fullmatch(match["words"]) or about(match["words"]) is None:
        return None
    if not re.search(rf"(?<![\w.-])`?{re.escape(match['name'])}`?(?![\w.-])", above.text):
        return None
    if len(match["name"]) < _SHORTEST or about(match["name"]) is not None:
        return None
    start = block.text.index(match["words"])
    words = match["words"][0].upper() + match["words"][1:]
    line = block.line._replace(text=words, column=block.line.column + start)
    return replace(block, level=block.level + 1, line=line)


_SHORTEST = 3
