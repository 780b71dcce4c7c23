"""What a file shows beside its sentences: titles, lists and code of tools, and empty lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, zip_longest

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence.clauses import read_denial
from mcp_contracts.parsing.locating.absence.statements import (
    LONGEST_PASSAGE,
    SENTENCE_END,
    is_nothing,
    is_title_of_all,
    without_markup,
)
from mcp_contracts.parsing.locating.absence.vocabulary import LONGEST, names_of
from mcp_contracts.parsing.locating.headings import GROUP, OF_TOOLS_ELSEWHERE
from mcp_contracts.parsing.locating.other_languages import names_tools
from mcp_contracts.parsing.markdown.blocks import (
    Block,
    Fence,
    Heading,
    ListBlock,
    Paragraph,
    TableBlock,
    flatten_blocks,
)
from mcp_contracts.parsing.parameters.tables import cells_of

_COUNTS_NONE = re.compile(
    r"^[^\w\n]*+(?:(?:0|no) (?:MCP )?tools?(?: (?:registered|found|listed|available))?|none|n/a)[^\w\n]*+$",
    re.MULTILINE | re.I,
)
"""A line of a command's output that counts no tools."""
_LISTS_NONE = re.compile(
    r"\s*+(?:\{\s*+)?(?:\"\w+\"\s*+:\s*+\"[^\"\n]*\"\s*+,\s*+){0,9}\"tools\"\s*+:\s*+\[\s*+\]\s*+(?:\}\s*+)?"
    r"|(?:[\w-]+:[^\n]*\n)*tools:\s*+\[\s*+\]\s*+(?:#[^\n]*+)?\s*+"
)
_SETS_NONE = re.compile(
    r"^[^\w\n]*+(?:mcp[_ ]?)?tools?\"?[ \t]*+[:=.]*+[ \t]*+(?:\[ ?\]|\(\)|none|null|~|0|\"none\")[^\w\n#]*+(?:#.*)?$",
    re.MULTILINE | re.IGNORECASE,
)
_FUNCTION = re.compile(
    r"^[ \t]*+(?:export |async |public ){0,3}(?:(?:def|function|func|fn|fun) \w+ ?[(<]|[a-z]\w{0,60}\(\w+\??: ?\w)",
    re.MULTILINE,
)
_REGISTERS = re.compile(r"@(?:\w+\.)?tool\b|\bregister_tool\(|\badd_tool\(|\"(?:input_?schema|inputSchema)\"")
_TYPED = re.compile(
    r"`[a-z][\w.]*\(\w+\??: ?\w|`[a-z]\w*`:? ?\(?(?:string|integer|number|boolean|object|array|str|int|float|bool)\b"
)
"""A call with a typed parameter, or a parameter with its type."""
_LONGEST_CODE = 5_000
_HEADER = 2
"""The number of lines of a table without rows."""


def _is_of_all(block: Block) -> bool:
    return isinstance(block, Heading) and is_title_of_all(without_markup(block.text))


def empty_list(blocks: Sequence[Block]) -> Block | None:
    """Return the first table, code block or output that lists no tools."""
    for title, block in pairwise((None, *blocks)):
        if isinstance(block, Fence) and _LISTS_NONE.fullmatch(block.content[:LONGEST]):
            return block
        if title is None or not _is_of_all(title):
            continue
        if isinstance(block, TableBlock):
            rows = [[cell.text.strip("*_` ") for cell in cells_of(line)] for line in block.lines[_HEADER:]]
            are_counts = all(len(row) > 1 and row[1] in ("0", "none") and len(row) == _COUNTS for row in rows)
            if all(is_nothing(row[0]) for row in rows) or (rows and are_counts):
                return block
        if isinstance(block, Fence) and block.language in ("", "text", "console", "shell", "json"):
            said = block.content[:LONGEST].strip()
            if said == "[]" or _COUNTS_NONE.search(said):
                return block
    return None


_COUNTS = 2
"""The number of columns of a table that counts tools."""


def denied_table(blocks: Sequence[Block]) -> Block | None:
    """Return the first table that says of each of its rows that it is no tool."""
    for block in blocks:
        if isinstance(block, TableBlock) and re.search("tool|MCP", block.lines[0].text, re.IGNORECASE):
            header, _, *rows = ([cell.text.strip("*_` ") for cell in cells_of(line)] for line in block.lines)
            if rows and all(is_denied(header, row) for row in rows):
                return block
    return None


def is_denied(titles: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether a column about tools says `no` in a row: `| Function | MCP tool |` above `| unlock | no |`."""
    pairs = zip(titles, cells, strict=False)
    return any(_OF_TOOLS.fullmatch(title) and _NO.fullmatch(cell) for title, cell in pairs)


_OF_TOOLS = re.compile(
    r"(?:(?:an?|the|is|as|to|via|over|by|for|exposed|available|offered|registered|callable) )*+"
    r"(?:MCP|tools?|MCP tools?|agents?|LLMs?|models?|exposed|offered|registered|callable)\??",
    re.IGNORECASE,
)
_NO = re.compile(r"no|false|never|none|[-–—✗✘❌]\ufe0f?", re.IGNORECASE)


def settings_without_tools(blocks: Sequence[Block]) -> bool:
    """Whether a code block before the second section has a setting that there are no tools: `tools = []`."""
    sections = [block.row for block in blocks if isinstance(block, Heading) and block.level > 1]
    first = [block for block in blocks if not sections[1:] or block.row < sections[1]]
    return any(isinstance(block, Fence) and _SETS_NONE.search(block.content[:LONGEST]) for block in first)


def registers_tools(blocks: Sequence[Block]) -> bool:
    """Whether a code block registers tools."""
    return any(isinstance(block, Fence) and _REGISTERS.search(block.content[:_LONGEST_CODE]) for block in blocks)


def shows_content(blocks: Sequence[Block]) -> bool:
    """Whether a section about all tools has a list, a table or functions, or text shows parameters with types."""
    is_inside = False
    for block in flatten_blocks(blocks):
        if isinstance(block, Paragraph | Heading) and _TYPED.search(block.text[:LONGEST_PASSAGE]):
            return True
        if isinstance(block, Heading):
            is_inside = _is_of_all(block)
        elif is_inside and (_lists_any(block) or _shows_function(block)):
            return True
    return False


def _lists_any(block: Block) -> bool:
    """Whether a block is a table, or a list with a text."""
    return isinstance(block, TableBlock) or (isinstance(block, ListBlock) and any(item.blocks for item in block.items))


def shows_functions(blocks: Sequence[Block]) -> bool:
    """Whether code directly below a title about all tools has functions."""
    return any(_is_of_all(title) and _shows_function(block) for title, block in pairwise(blocks))


def _shows_function(block: Block) -> bool:
    return isinstance(block, Fence) and _FUNCTION.search(block.content[:_LONGEST_CODE]) is not None


def empty_section(blocks: Sequence[Block]) -> Heading | None:
    """Return the title of a section about all tools with nothing below it."""
    shown = [block for block in blocks if not isinstance(block, ListBlock) or _lists_any(block)]
    for title, after in zip_longest(shown, shown[1:]):
        if not isinstance(title, Heading) or title.level == 1 or not _is_of_all(title):
            continue
        if after is None or (isinstance(after, Heading) and after.level <= title.level):
            return title
    return None


_LISTED = re.compile(r"[^:|=.]{2,60}?(?:[:|=]| --? | [–—] )|\W*[a-z]\w*[_.(]\w", re.IGNORECASE)
"""The beginning of text that lists something: a label, or a name in code."""


def lone_paragraphs(blocks: Sequence[Block]) -> Iterator[Paragraph]:
    """Yield the paragraphs that are all that a section about tools contains."""
    for title, block, after in zip_longest(blocks, blocks[1:], blocks[2:]):
        if (
            isinstance(block, Paragraph)
            and isinstance(title, Heading)
            and title.level > 1
            and _is_of_all(title)
            and len(block.text) <= LONGEST
            and _LISTED.match(block.text) is None
            and (after is None or (isinstance(after, Heading) and after.level <= title.level))
        ):
            yield block


def shown_as_tools(blocks: Sequence[Block], rows: Sequence[int], *, is_plainly_denied: bool = False) -> Iterator[bool]:
    """Say for each row whether a title above it, the header of its table or the text before it speaks of tools.

    The title of the file only counts if it speaks of several tools, is the only one above, and the text does not
    plainly deny that there are tools.
    """
    above: list[Heading] = []
    lead, own_words = "", names_of(next((block.text for block in blocks if isinstance(block, Heading)), ""))
    starts: list[tuple[int, bool]] = []
    for block in blocks:
        own = ""
        if isinstance(block, Heading):
            above = [one for one in above if one.level < block.level]
            is_title = block.level == 1 and _OF_ONE.match(block.text) is None
            own, lead = "" if is_title else _IDENTIFIER.sub("", block.text.partition("(")[0]), ""
        elif isinstance(block, TableBlock):
            own = cells_of(block.lines[0])[0].text
        inner = [one.text for one in above if one.level > 1] or [
            one.text for one in above if not is_plainly_denied and _SEVERAL.search(one.text)
        ]
        if _announces_tools(own) or _announces_tools(lead, own_words):
            is_shown = OF_TOOLS_ELSEWHERE.search(" ".join(inner[-1:])) is None
        else:
            is_shown = _are_of_tools(inner)
        said = without_markup(block.text[:LONGEST]) if isinstance(block, Paragraph) else ""
        starts.append((block.row, is_shown and not (said and read_denial(said, own_words).certainty)))
        if isinstance(block, Heading):
            above.append(block)
        elif isinstance(block, Paragraph):
            ending = block.text[-LONGEST:].rstrip("*_ ")
            lead = SENTENCE_END.split(ending)[-1] if ending.endswith(":") else ""
            other = _OF_MODULE.search(lead)
            lead = lead if other is None or own_words.issuperset(names_of(other[1])) else ""
    for row in rows:
        yield next((is_among for start, is_among in reversed(starts) if start <= row), False)


def _are_of_tools(titles: Sequence[str]) -> bool:
    """Whether the innermost title about tools, and none below it, is about those of the file."""
    for title in reversed(titles):
        if OF_TOOLS_ELSEWHERE.search(title):
            return False
        if _announces_tools(title):
            return True
    return False


_OF_ONE = re.compile(r"\W*(?:MCP )?tool\b[ \w]{0,20}[:–—-]", re.IGNORECASE)
_SEVERAL = re.compile(r"\btools\b", re.IGNORECASE)
_OF_MODULE = re.compile(r"\btools (?:of|in|from|by) (?:the (?:\w+ )?)?`([\w./-]+)`", re.IGNORECASE)
"""Tools that may be those of another module: ``use the tools of `harbor`:``."""
_IDENTIFIER = re.compile(r"`[^`]*`|\b\w*_\w*\b")


@lru_cache(maxsize=256)  # files share their titles
def _announces_tools(text: str, own: frozenset[str] = frozenset()) -> bool:
    return (GROUP.search(text) is not None or names_tools(text)) and not read_denial(text, own).certainty


def describes_calls(blocks: Sequence[Block]) -> bool:
    """Whether text beside the title of a file names functions, or what a call takes or returns."""
    return any(
        _CALLS.search(_text_of(block)[:_LONGEST_CODE])
        for block in flatten_blocks(blocks)
        if not isinstance(block, Heading) or block.level > 1
    )


def _text_of(block: Block) -> str:
    if isinstance(block, Heading | Paragraph):
        return block.text
    if isinstance(block, TableBlock):
        return "\n".join(line.text for line in block.lines)
    return block.content if isinstance(block, Fence) else ""


_CALLS = re.compile(
    r"\b(?:param(?:eter)?s?|arg(?:ument)?s?|inputs?|outputs?|returns?|takes|accepts|gives|results?)\b\s*[:=|]"
    r"|\b(?:returns?|takes|accepts|needs)\b|(?<!@)\b(?!mcp_)[a-z][a-z0-9]*_\w+`|`[a-z][\w.]*\("
    r"|^[ \t\d.)*`-]{0,20}[a-z][a-z0-9]*_\w+[*`]*\s*(?:[:(–—-]|$)|\b[a-z]\w*\([a-z ,=?\w]*\)",
    re.IGNORECASE | re.MULTILINE,
)
"""The words for what a call takes or returns, a name of several words in code or at the start of a line, and a call."""
