"""Finds names that text or the header of a table calls tools, and words above the parameters of a call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, Paragraph, TableBlock
from mcp_contracts.parsing.text import Line
from mcp_contracts.parsing.topics import about, label_of

LAUNCHERS = frozenset(
    ("uv", "uvx", "npx", "npm", "pip", "pipx", "docker", "bun", "bunx", "yarn", "pnpm", "brew", "deno",
     "stdio", "sse")
)  # fmt: skip
"""Programs that install or start a server, and its transports; instructions often have a heading for each."""


def names_called(blocks: Sequence[Block]) -> frozenset[str]:
    """Return the names in code that the first paragraph, or the header of a table, calls tools: ``One tool, `x`.``

    A heading of one word above a table of required parameters is such a name as well, unless that paragraph names it.
    """
    first = next((block.text[:_LONGEST] for block in blocks if isinstance(block, Paragraph)), "")
    sentences = (one for one in re.split(r"(?<=[.!?;])\s", first) if not _NEGATED.search(one))
    found = (match["names"] or match["name"] for one in sentences for match in _CALLED_TOOLS.finditer(one))
    tables = (block for block in blocks if isinstance(block, TableBlock) and _OF_TOOLS.match(block.lines[0].text))
    rows = (
        match for block in tables for line in block.lines[2:] if (match := _FIRST_CELL.match(line.text)) is not None
    )
    return frozenset(
        [
            *(name for names in found for name in re.findall(r"`([\w.]+)[`(]", names)),
            *(row[1] for row in rows),
            *(name for name in _words_above_parameters(blocks) if f"`{name}" not in first),
        ]
    )


def _words_above_parameters(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield each word above a table of required parameters, and those beside it above a result."""
    certain: list[Heading] = []
    beside: list[Heading] = []
    heading: Heading | None = None
    for block in blocks:
        if isinstance(block, Heading):
            word = _REMARK.sub("", block.text)
            heading = block if _WORD.fullmatch(word) and about(word) is None else None
        elif heading is not None and _is_definition(block, _REMARK.sub("", heading.text)):
            certain.append(heading)
        elif heading is not None and isinstance(block, Paragraph) and any(map(_states_result, block.lines)):
            beside.append(heading)
    levels = {one.level for one in certain}
    yield from (_REMARK.sub("", one.text) for one in (*certain, *beside) if one.level in levels)


def _is_definition(block: Block, word: str) -> bool:
    """Whether a block is a table of required parameters, or JSON or YAML that defines or calls a tool with a name."""
    if isinstance(block, TableBlock):
        return _OF_PARAMETERS.match(block.lines[0].text) is not None
    key = r"[\"']?\b(?:name|tool|tool_name)[\"']?\s*:\s*[\"']?"
    return isinstance(block, Fence) and re.search(rf"{key}{word}\b", block.content[:_LONGEST]) is not None


_REMARK = re.compile(r" {1,3}[*_]{0,2}\([^()]{0,100}\)[*_]{0,2}$")


def _states_result(line: Line) -> bool:
    return (label := label_of(line)) is not None and label.about == _RESULT


_RESULT = 4
_OF_PARAMETERS = re.compile(
    r"[|*_ ]*(?:param(?:eter)?|arg(?:ument)?)s?\b[^|]*\|"
    r"(?=(?:.*\|)?[ *_]*type[ *_]*\|)(?=(?:.*\|)?[ *_]*required\??[ *_]*\|)",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?!(?:config|settings|options|environment|setup|fields)$)[a-z]{3,30}")


_OF_TOOLS = re.compile(r"[| ]*(?:#[| ]+)?(?:MCP )?[Tt]ools?(?: [Nn]ames?)?[ *]*\|")
_FIRST_CELL = re.compile(r"[| ]*(?:\d+[| ]+)?\[?`([a-z]\w*)`")


_LONGEST = 2_000
_NEGATED = re.compile(
    r"\b(?:no|not|never|without|nor|once|formerly|used to|was|were|had|will|would)\b|n[’']t\b", re.IGNORECASE
)
_CALLED_TOOLS = re.compile(
    r"\b(?:one|a|single|only|\d|two|three|four|five|six|the|MCP) tools?(?:[,:]| (?:named|called))? "
    r"(?P<names>`[\w.]+`(?:(?:, (?:and )?| and )`[\w.]+`)*)(?! (?:of|from|in) (?!this\b))"
    r"|(?P<name>`[\w.]+(?:\([^`]*\))?`) is (?:the|our|its|a|an)(?: only| single)?(?: MCP)? tool\b"
    r"(?! (?:of|from|in) (?!this\b))",
    re.IGNORECASE,
)
