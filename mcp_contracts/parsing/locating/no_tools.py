"""Whether a file without tools states that it has none on purpose."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.contract_parts import has_parameters, names_tools_in_code, shows_tools
from mcp_contracts.parsing.locating.denials import (
    CUES,
    NEGATED,
    OF_GROUP,
    SPEAKS_OF_TOOLS,
    clauses_of,
    denies,
    denies_loosely,
    denies_near,
    denies_plainly,
    implies_none,
    is_about_some,
    is_answered_with_no,
    is_empty_answer,
    is_nothing,
    may_deny,
    speaks_of_code,
)
from mcp_contracts.parsing.locating.headings import NOT_OF_TOOLS
from mcp_contracts.parsing.locating.other_languages import denies_tools, is_in_another_language
from mcp_contracts.parsing.markdown.blocks import (
    Block,
    Fence,
    Heading,
    Html,
    ListBlock,
    Paragraph,
    TableBlock,
    flatten_blocks,
)
from mcp_contracts.parsing.parameters.tables import cells_of

_MARKUP = re.compile(r"!?\[([^\]]{0,300})\]\([^)]{0,2000}\)|(?<!\w)[*_`]+|[*_`]+(?!\w)|[>#]|&nbsp;")
_SENTENCE_END = re.compile(r"(?<=[.!?;]) (?=[A-Z\"'(`*@])")
_MCP = "(?:MCP|model context protocol)"
_OF_A_SERVER = re.compile(
    rf"\b{_MCP}(?: \(MCP\))?(?:[ -][\w-]{{1,40}}(?: [\w-]{{1,40}}){{0,2}})?[ -]?servers?\b", re.IGNORECASE
)
_NO_SERVER = re.compile(
    rf"\b{NEGATED}\b[^.;]{{0,80}}\b{_MCP}\b|\b{_MCP}\b[^.;]{{0,40}}\b(?:skips?|ignores?|excludes?)\b", re.IGNORECASE
)
_OF_ALL = re.compile(
    r"\W*(?:\d+[.)]\s*)?(?:(?:available|exposed|registered|public|defined|provided|supported|current|agent|our|the|module"
    r"|list of)[ -])*(?:(?:MCP|model context protocol)[ -]?)?(?:(?:tools?|tooling)(?: (?:definitions?|inventory|list"
    r"|surface|specifications?|catalog(?:ue)?|overview|reference|exposure|support|count|summary|index|registry))?"
    r"|exposure|surface|integration|interface|support)?\W*"
    r"|(?:do|does|are|is|has|have)\b[^?]{0,60}\btools?\b[^?]{0,30}\?",
    re.IGNORECASE,
)
"""The title of a section about all tools."""
_LONGEST_ANSWER = 400
_LISTS_NONE = re.compile(r"\s*\{\s*\"tools\"\s*:\s*\[\s*\]\s*\}\s*")
_OPENING = 6
_WORDS = 4
"""A cell with at least this many words is a sentence, and is judged on its own."""
MOST_BLOCKS = 60
"""The maximum number of blocks of a file whose sentences may deny the tools that it appears to have."""
_MOST_CHARACTERS = 100_000
_LONGEST = 400
_SHORT = 70
"""The maximum length of a paragraph in another language that may deny having tools."""


def states_no_tools(blocks: Sequence[Block], *, only_plainly: bool = False, is_bare: bool = False) -> bool:
    """Whether text denies having tools: explicitly, or implicitly if nothing looks like a tool.

    In bare text, without anything like a part of a contract, any negation in a passage about tools counts. In text
    that is long, presents a server, or counts or names tools, only plain statements count, because its sentences deny
    many things.
    """
    if _has_empty_section(blocks):
        return True
    if _has_filled_section(blocks):
        return False
    is_sure = not any(map(_presents_server, blocks[:_OPENING])) and not shows_tools(blocks)
    is_sure = is_sure and len(blocks) <= MOST_BLOCKS
    only_plainly = only_plainly or not is_sure
    are_given = any(map(has_parameters, flatten_blocks(blocks)))
    is_bare = is_bare and not only_plainly
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    is_titled = OF_GROUP.search(title) is not None
    is_short = is_bare and not are_given and not any(isinstance(block, TableBlock | ListBlock) for block in blocks)
    under = ""
    read = 0
    for block in flatten_blocks(blocks):
        if isinstance(block, Heading):
            under = block.text  # a title, which is not a statement
        elif isinstance(block, Fence) and not only_plainly and _LISTS_NONE.fullmatch(block.content):
            return True
        for text in _texts(block):
            read += len(text)
            if read > _MOST_CHARACTERS:
                return False
            plain = _without_markup(text)
            if is_short and len(plain) <= _SHORT and denies_tools(plain, under):
                return True
            if not CUES.search(plain) and not OF_GROUP.search(under) and not (is_bare and is_titled):
                continue
            names_tools = SPEAKS_OF_TOOLS.search(plain) is not None
            for sentence in _sentences(text):
                if is_in_another_language(sentence):
                    continue
                if is_about_some(sentence):
                    continue
                if is_bare and denies_loosely(sentence, under, is_titled=is_titled, names_tools=names_tools):
                    return True
                if denies(sentence) and (not only_plainly or denies_plainly(sentence, is_sure=is_sure)):
                    return True
                if not only_plainly and not are_given and implies_none(sentence, under):
                    return True
    return False


def denies_listed_tools(blocks: Sequence[Block], *, are_functions: bool) -> bool:
    """Whether text states plainly that it has no tools, so what looks like them is former, elsewhere, or a function."""
    if any(map(_presents_server, blocks[:_OPENING])) or _has_filled_section(blocks):
        return False
    is_sure = are_functions and len(blocks) <= MOST_BLOCKS
    return _has_empty_section(blocks) or any(
        denies_plainly(sentence, is_sure=is_sure) and not is_about_some(sentence)
        for block in blocks
        if isinstance(block, Paragraph)
        for sentence in _sentences(block.text)
    )


def denying_block(
    blocks: Sequence[Block], *, are_read: bool = False, is_clear: bool = False, is_about_code: bool = False
) -> Block | None:
    """Return the first block that seems to say that a module has no tools.

    If tools are read, fewer sentences count: only a clear one if `is_clear`, and one about code if `is_about_code`.
    """
    read, under = 0, ""
    for block in flatten_blocks(blocks):
        under = block.text if isinstance(block, Heading) else under
        for text in _texts(block):
            read += len(text)
            passage = f"{under}\n{text}"
            if read > _MOST_CHARACTERS or not SPEAKS_OF_TOOLS.search(passage):
                continue
            for clause in (part for sentence in _sentences(text) for part in clauses_of(sentence)):
                is_meant = (not is_clear or denies(clause)) and (not is_about_code or speaks_of_code(clause))
                if not is_meant or is_in_another_language(clause):
                    continue
                if may_deny(clause, passage) if are_read else denies_near(clause, passage):
                    return block
    return None


def _has_empty_section(blocks: Sequence[Block]) -> bool:
    """Whether a section about all tools only says that there are none, or so does the text below the title."""
    for at, block in enumerate(blocks):
        is_title = isinstance(block, Heading) and at == 0 and OF_GROUP.search(block.text) is not None
        if not isinstance(block, Heading) or not (is_title or _OF_ALL.fullmatch(block.text.strip())):
            continue
        end = next((end for end in range(at + 1, len(blocks)) if isinstance(blocks[end], Heading)), len(blocks))
        below, after = blocks[at + 1 : end], blocks[end] if end < len(blocks) else None
        is_parent = isinstance(after, Heading) and after.level > block.level
        is_list_of_others = any(isinstance(one, Paragraph) and NOT_OF_TOOLS.search(one.text) for one in below)
        if (is_parent and not is_title) or (any(map(names_tools_in_code, below)) and not is_list_of_others):
            continue
        texts = [text for inner in flatten_blocks(below) for text in _texts(inner)]
        first = next((sentence for text in texts for sentence in _sentences(text)), "")
        is_short = sum(map(len, texts)) <= _LONGEST_ANSWER
        if is_short and (
            is_nothing(first) if is_title else is_empty_answer(first) or may_deny(first, f"{block.text}\n{first}")
        ):
            return True
    return False


def _has_filled_section(blocks: Sequence[Block]) -> bool:
    """Whether a section about all tools names some."""
    level = 0
    for block in blocks:
        if isinstance(block, Heading) and (not level or block.level <= level):
            level = block.level if _OF_ALL.fullmatch(block.text.strip()) and "?" not in block.text else 0
        elif level and names_tools_in_code(block):
            return True
    return False


def _without_markup(text: str) -> str:
    return " ".join(_MARKUP.sub(lambda match: match[1] or "", text).split())


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of text. A question whether there are tools, answered with no, is a statement."""
    parts = [_without_markup(part[:_LONGEST]) for part in _SENTENCE_END.split(text)]
    for question, answer in itertools.zip_longest(parts, parts[1:], fillvalue=""):
        yield "This module has no tools." if is_answered_with_no(question, answer) else question


def _presents_server(block: Block) -> bool:
    """Whether a title or a paragraph at the beginning of text presents an MCP server."""
    text = block.text[:_LONGEST] if isinstance(block, Heading | Paragraph) else ""
    return _OF_A_SERVER.search(text) is not None and not _NO_SERVER.search(text)


def _texts(block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield block.text
    elif isinstance(block, TableBlock):
        for line in (*block.lines[:1], *block.lines[2:]):
            cells = [cell.text for cell in cells_of(line)]
            yield ": ".join(cells[:2])
            yield f"{cells_of(block.lines[0])[0].text}: {cells[0]}"  # a row `none` in a table of tools
            yield from (cell for index, cell in enumerate(cells) if index == 0 or len(cell.split()) >= _WORDS)
    elif isinstance(block, Html) and not block.is_comment:
        yield re.sub(r"<[^<>]*>", " ", block.content)
