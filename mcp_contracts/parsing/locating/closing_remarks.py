"""Tells the remarks that close a file, which are about the module, from the text of its last tool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.headings import ToolHeading
from mcp_contracts.parsing.locating.other_languages import TOOLS
from mcp_contracts.parsing.markdown.blocks import Block, Heading, Paragraph
from mcp_contracts.records import replace

_OTHER = r"(?!\W*(?:it|this)\b)[^.!?]*"
_CLOSING = re.compile(
    r"(?!\W*(?:it|this)\b)(?:[^.!?]*\b(?:not|no|nor|never)\b|[^.!?]*n[’']t\b)(?: (?:an?|as|[a-z]+ed|been|made|other"
    r"|further|more))* (?:MCP )?tools?(?! (?:\w+s|can|may|must|should|will)\b)\b"
    r"|\W*(?:both|all(?: of)?(?: these| them)?|these)(?: \w+)? are (?:MCP )?tools\b"
    r"|\W*(?:both|all(?: the| of the)?|these|none of the|neither of the) (?:MCP )?tools\b"
    rf"|{_OTHER}\b(?:expos|offer|publish|provid)\w* nothing (?:to (?:agents|models|LLMs)|(?:over|via|through) MCP)\b"
    rf"|{_OTHER}(?:\b(?:is|are) not|n[’']t) (?:possible|available|exposed|offered|supported) (?:over|via|through) MCP\b"
    rf"|{_OTHER}\b(?:is|are) (?:\w+ly )?not (?:exposed|offered|registered)\W*$"
    r"|\W*no other (?:function|tool|method|operation)s? (?:is|are) (?:exposed|offered|available|registered)\b"
    r"|\W*that (?:is|was) all\b|\W*that[’']s (?:all|it)\b"
    r"|\W*nothing else\b[^.!?]*\b(?:is|exposed|offered|available|tools?)\b",
    re.IGNORECASE,
)
_CLOSING_ELSEWHERE = re.compile(
    r"[^.!?]*\b(?:pas|aucun\w*|kein\w*|nessun\w*|geen|nenhum\w*|ning[uú]n\w*"
    r"|n(?:o|on|ão) (?:hay|es|son|è|sono|ci sono|é|são|há))"
    rf" (?:(?:une?|d[ei]|una|uma?|MCP) )*(?:d[’'])?(?:{TOOLS.pattern}|tools?\b)",
    re.IGNORECASE,
)
"""The same in other languages."""


def without_closing_remarks(blocks: Sequence[Block], found: Iterable[ToolHeading]) -> Iterator[ToolHeading]:
    """Yield the tools, the last one up to paragraphs that speak of the tools of the module.

    `Deleting boats is not a tool.` at the end of a file does not describe its last tool. A tool with sections keeps all
    its text.
    """
    for one in found:
        end = one.end
        if end == len(blocks) and not any(isinstance(block, Heading) for block in blocks[one.at + 1 : end]):
            while end > one.at + 2 and _is_closing(blocks[end - 1]):
                end -= 1
        yield one if end == one.end else replace(one, end=end)


def _is_closing(block: Block) -> bool:
    if not isinstance(block, Paragraph):
        return False
    return (_CLOSING.match(block.text) or _CLOSING_ELSEWHERE.match(block.text)) is not None
