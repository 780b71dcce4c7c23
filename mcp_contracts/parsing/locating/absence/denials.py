"""Finds the text that denies that a file has tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence.foreign import denies_tools_of, is_of_others, names_other_module
from mcp_contracts.parsing.locating.absence.hint_words import OF_A_FEW
from mcp_contracts.parsing.locating.absence.remarks import (
    denies_all,
    is_of_other_use,
    may_affirm,
    may_deny,
    mentions_tools,
)
from mcp_contracts.parsing.locating.absence.sentences import (
    OF_ONE,
    TOOLS,
    asks_of_other,
    denies_clearly,
    denies_plainly,
    is_answered_with_no,
    is_nothing,
    is_title_of_all,
    without_asides,
)
from mcp_contracts.parsing.locating.absence.statements import (
    LABEL,
    LONGEST_PASSAGE,
    SENTENCE_END,
    is_below_label,
    is_of_private_part,
    statements_of,
    without_markup,
)
from mcp_contracts.parsing.locating.absence.subjects import (
    LISTS_OTHERS,
    affirms_tools,
    is_among,
    is_of_other_things,
    is_of_some,
    is_of_the_past,
)
from mcp_contracts.parsing.locating.absence.totals import denies_all_tools
from mcp_contracts.parsing.locating.absence.words import LONGEST
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

_FORMERLY = re.compile(
    r"\b(?:used to|formerly|once had|previously|(?:earlier|older|previous|former) (?:versions?|revisions?|drafts?"
    r"|editions?)|never (?:implemented|built|shipped|released)|taken out|fake|fictional|imaginary|dummy|mock)\b",
    re.IGNORECASE,
)
"""What is said of tools that a module does not have now, or of those that it only pretends to have."""
_COUNTS_NONE = re.compile(
    r"^[^\w\n]*+(?:0|no) (?:MCP )?tools?(?: (?:registered|found|listed|available))?[^\w\n]*+$", re.MULTILINE | re.I
)
"""A line of a command's output that counts no tools."""
_LISTS_NONE = re.compile(
    r"\s*+(?:\{\s*+)?(?:\"\w+\"\s*+:\s*+\"[^\"\n]*\"\s*+,\s*+){0,9}\"tools\"\s*+:\s*+\[\s*+\]\s*+(?:\}\s*+)?"
    r"|(?:[\w-]+:[^\n]*\n)*tools:\s*+\[\s*+\]\s*+(?:#[^\n]*+)?\s*+"
)
_NUMBER = r"(?:[2-9]|[1-9]\d{1,2}\+?|two|three|four|five|six|seven|eight|nine|ten)"
_OWNED = re.compile(
    rf"\b(?:expos|provid|offer|regist|defin|ha[sv])\w* (?:exactly |only )?(?:{_NUMBER}|1|one|these|the following)"
    rf" (?:[\w-]+ ){{0,2}}tools?\b|\bthe following (?:[\w-]+ ){{0,2}}tools (?:are|can)\b"
    rf"|(?<!no )\b(?:1|one|{_NUMBER}) (?:[\w-]+ ){{0,2}}tools? (?:is|are) (?:expos|provid|offer|regist|defin)\w*"
    r"|\b(?:functions|operations|methods|endpoints|calls) (?:\w+ ){0,2}are (?:exposed|offered|published|registered"
    r"|available) (?:\w+ ){0,3}(?:as|over|via|through) (?:MCP|tools)\b|[1-9]\d?\+? ?(?:MCP ?)?(?:工具|ツール|도구)",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"{_OWNED.pattern}|(?<!\blast )\b{_NUMBER} (?:[\w-]+ ){{0,2}}tools\b", re.IGNORECASE)
"""A sentence that counts or announces tools."""
_COUNT_IN = re.compile(r"[;:]\s|,\s(?:and|but|so)\s")
_REGISTERED = re.compile(
    r"^\W*(?:the |all |its )?(?:MCP )?tools are (?:registered|defined|exposed|provided|implemented|declared)\b"
    r"(?! (?:by|in) (?:the |an? )?(?:other|`)| by (?!this\b|it\b|us\b|the (?:module|package|server)\b))",
    re.IGNORECASE,
)
_BESIDES = re.compile(
    r"\bno (?:\w+ )?tools (?:besides|beyond|other than|except|apart from|aside from)"
    r" (?:these|the following|those below)\b",
    re.IGNORECASE,
)
_OTHER_TOOLS = re.compile(
    r"(?!.*\b(?:this|here)\b)[^\n:]*\b(?:other|related|former|removed|retired|deprecated|legacy|additional)\b.*:",
    re.IGNORECASE,
)
"""A title about other modules or tools, with text below it that does not mention this module."""
_OF_STATUS = re.compile(r"(?:current )?status", re.IGNORECASE)
_HEADER = 2
"""The number of lines of a table without rows."""


def plain_denial(blocks: Sequence[Block], module: str | None, *, is_bare: bool = False) -> Block | None:
    """Return the first block that plainly says that a module has no tools."""
    names = names_of(blocks, module)
    for one in statements_of(blocks):
        is_title = isinstance(one.block, Heading)
        if (
            (is_title_of_all(one.title) and is_nothing(one.text))
            or (is_below_label(one) and is_title_of_all(one.before.rstrip(":")) and is_nothing(one.text))
            or is_answered_with_no(one.before, one.text, names)
            or (
                (not is_title or _OF_STATUS.fullmatch(one.title))
                and not asks_of_other(one.before, names)
                and not (one.title and OF_ONE.search(one.text) and not is_title_of_all(one.title))
                and denies_plainly(
                    one.text, one.before, names, is_of_module=one.is_of_module or is_title, is_bare=is_bare
                )
            )
        ):
            return one.block
    below = (after for block, after in pairwise(blocks) if isinstance(block, Heading) and is_title_of_all(block.text))
    for after in below:
        if isinstance(after, TableBlock) and len(after.lines) <= _HEADER:
            return after
        if isinstance(after, Fence) and after.language in ("", "text", "console", "shell", "json"):
            said = after.content[:LONGEST].strip()
            if said == "[]" or is_nothing(said) or _COUNTS_NONE.search(said):
                return after
    return next(
        (block for block in blocks if isinstance(block, Fence) and _LISTS_NONE.fullmatch(block.content[:LONGEST])), None
    )


def settings_without_tools(blocks: Sequence[Block]) -> bool:
    """Whether a code block before the second section has a setting that there are no tools: `tools = []`."""
    sections = [block.row for block in blocks if isinstance(block, Heading) and block.level > 1]
    first = [block for block in blocks if not sections[1:] or block.row < sections[1]]
    return any(isinstance(block, Fence) and _SETS_NONE.search(block.content[:LONGEST]) for block in first)


_SETS_NONE = re.compile(
    r"^[ \t]*+\"?(?:mcp_?)?tools\"? ?[:=] ?(?:\[ ?\]|\(\)|none|null|~|0|\"none\"),?[ \t]*(?:#.*)?$",
    re.MULTILINE | re.IGNORECASE,
)


def names_of(blocks: Sequence[Block], module: str | None) -> str:
    """Return the names of a module: its own, and the title of its file."""
    return f"{module} {next((block.text for block in blocks if isinstance(block, Heading)), '')}"


def clear_denial(blocks: Sequence[Block], module: str | None, *, is_of_module: bool = False) -> Block | None:
    """Return the first block with a sentence that clearly denies something to be a tool.

    With `is_of_module`, sentences about something other than the module do not count.
    """
    names = names_of(blocks, module)
    found = (
        one.block
        for one in statements_of(blocks)
        if not _OTHER_TOOLS.match(one.passage.replace("\n", ": ", 1))
        and not affirms_tools(one.passage)
        and not _lacks_something_else(one.text)
        and not LISTS_OTHERS.match(one.text)
        and not names_other_module(one.text, names)
        and not (isinstance(one.block, TableBlock) and OF_ONE.search(one.text))
        and not (is_of_module and is_of_private_part(one))
        and denies_clearly(one.text, one.passage, names, is_of_module=is_of_module)
    )
    return next(found, None) or _denying_section(blocks)


def total_denial(blocks: Sequence[Block], module: str | None) -> Block | None:
    """Return the first block about the module with a sentence that denies tools, and names nothing else."""
    names = names_of(blocks, module)
    return next(
        (
            one.block
            for one in statements_of(blocks)
            if one.is_of_module
            and not isinstance(one.block, Heading)
            and not affirms_tools(one.passage)
            and (denies_all_tools(one.text, names) or denies_tools_of(one.text, names))
        ),
        None,
    )


def _lacks_something_else(text: str) -> bool:
    """Whether text consists of a label about something else and a word for nothing: `Errors: none`."""
    label = LABEL.match(text)
    if label is None or TOOLS.search(label[0]) is not None or is_title_of_all(label[0]):
        return False
    return is_nothing(text[label.end() + 1 :].strip())


def _denying_section(blocks: Sequence[Block]) -> Block | None:
    """Return the first paragraph of a section about tools that has nothing but a few sentences with a negation."""
    headings = [(at, block) for at, block in enumerate(blocks) if isinstance(block, Heading)]
    ends = [*((at, block.level) for at, block in headings[1:]), (len(blocks), 0)]
    for (at, title), (end, next_level) in zip(headings, ends, strict=False):
        if title.level == 1 or next_level > title.level or not is_title_of_all(without_markup(title.text)):
            continue
        parts = [block for block in blocks[at + 1 : end] if isinstance(block, Paragraph)]
        text = " ".join(without_markup(block.text) for block in parts)
        if parts and len(parts) == end - at - 1 and len(text) <= LONGEST and denies_all(text):
            return parts[0]
    return None


def possible_denial(blocks: Sequence[Block], *, is_bare: bool, is_loose: bool) -> Block | None:
    """Return the first block with any negation in a passage about tools.

    In a bare file, which has nothing that looks like a tool, the title of the file is part of the passages about the
    module, and a statement about some tools counts. If the file is not `is_loose`, it has parts of a contract but no
    names of tools; then only text about the module counts.
    """
    title = next((block.text for block in blocks if isinstance(block, Heading)), "") if is_bare else ""
    names, has_list = names_of(blocks, None), shows_content(blocks)
    for one in statements_of(blocks):
        passage = f"{title}\n{one.passage}" if one.is_of_module else one.passage
        is_other = is_of_some(one.text, title) if is_loose and not is_bare else not is_loose and not one.is_of_module
        is_other = is_other or (has_list and OF_A_FEW.search(one.text) is not None)
        if is_other or one.text.endswith("?") or is_of_the_past(one.text) or _BESIDES.search(one.text):
            continue
        if affirms_tools(one.text) or affirms_tools(one.passage) or is_of_others(one.text):
            continue
        if names_other_module(one.text, names) or (_OF_ARGUMENTS.search(one.text) and not TOOLS.search(one.text)):
            continue
        if has_list and is_of_other_things(one.text, names):
            continue
        if may_deny(one.text, passage):
            return one.block
    return _remark_on_tools(blocks) if is_bare else None


_OF_ARGUMENTS = re.compile(r"\b(?:arguments?|parameters?|fields?|options?|flags?|headers?)\b", re.IGNORECASE)


def shows_content(blocks: Sequence[Block]) -> bool:
    """Whether a section about all tools has a list, a table or functions, or code shows parameters with types."""
    is_inside = False
    for block in flatten_blocks(blocks):
        if isinstance(block, Paragraph | Heading) and _TYPED.search(block.text[:LONGEST_PASSAGE]):
            return True
        if isinstance(block, Heading):
            is_inside = is_title_of_all(without_markup(block.text))
        elif is_inside and (isinstance(block, ListBlock | TableBlock) or _shows_function(block)):
            return True
    return False


def shows_functions(blocks: Sequence[Block]) -> bool:
    """Whether code directly below a title about all tools has functions."""
    return any(
        isinstance(title, Heading) and is_title_of_all(without_markup(title.text)) and _shows_function(block)
        for title, block in pairwise(blocks)
    )


def _shows_function(block: Block) -> bool:
    return isinstance(block, Fence) and _FUNCTION.search(block.content[:_LONGEST_CODE]) is not None


_FUNCTION = re.compile(
    r"^[ \t]*+(?:export |async |public ){0,3}(?:(?:def|function|func|fn|fun) \w+ ?[(<]|[a-z]\w{0,60}\(\w+\??: ?\w)",
    re.MULTILINE,
)
_LONGEST_CODE = 5_000
_TYPED = re.compile(
    r"`[a-z][\w.]*\(\w+\??: ?\w|`[a-z]\w*`:? ?\(?(?:string|integer|number|boolean|object|array|str|int|float|bool)\b"
)
"""A call with a typed parameter, or a parameter with its type."""


def _remark_on_tools(blocks: Sequence[Block]) -> Block | None:
    """Return the first text that mentions tools or who calls them, if no text says that there are any.

    Otherwise, text that says what the module is for instead is returned. A paragraph that is all that a section about
    tools contains is such a text, whatever it says.
    """
    alone = _lone_paragraphs(blocks)
    found = other = None
    for one in statements_of(blocks):
        if isinstance(one.block, Heading):
            continue
        is_alone = one.block in alone
        title = one.passage.partition("\n")[0]
        is_content = not is_alone and title != "" and is_title_of_all(title) and TOOLS.search(one.text) is None
        if is_content or may_affirm(one.text) or is_of_the_past(one.text) or _BESIDES.search(one.text):
            return None
        if found is None and (is_alone or mentions_tools(one.text)):
            found = one.block
        elif other is None and is_of_other_use(one.text):
            other = one.block
    return found or other


def _lone_paragraphs(blocks: Sequence[Block]) -> list[Block]:
    """Return the short paragraphs without labels that are all that a section about tools contains."""
    ends = (*blocks[2:], None)
    return [
        block
        for title, block, after in zip(blocks, blocks[1:], ends, strict=False)
        if isinstance(title, Heading)
        and title.level > 1
        and is_title_of_all(without_markup(title.text))
        and isinstance(block, Paragraph)
        and len(block.text) <= LONGEST
        and _LISTED.match(block.text) is None
        and (after is None or (isinstance(after, Heading) and after.level <= title.level))
    ]


_LISTED = re.compile(rf"{LABEL.pattern}|[^.]{{1,60}}? --? |\W*[a-z]\w*[_.(]\w", re.IGNORECASE)
"""The beginning of text that lists something: a label, or a name in code."""


def speaks_of_own_tools(blocks: Sequence[Block], *, is_certain: bool = False) -> bool:
    """Whether a sentence counts or announces tools, other than in a clause about another module.

    If it must be certain, the sentence says who has them, or that they are exposed.
    """
    counted = _OWNED if is_certain else _COUNTED
    return any(
        any(
            counted.search(clause) and not _FORMERLY.search(clause) and not denies_clearly(clause, clause)
            for clause in _COUNT_IN.split(without_asides(one.text))
        )
        or (_REGISTERED.search(one.text) is not None and not may_deny(one.text, one.text))
        for one in statements_of(blocks)
    )


def shown_as_tools(blocks: Sequence[Block], rows: Sequence[int], *, is_plainly_denied: bool = False) -> Iterator[bool]:
    """Say for each row whether a title above it, the header of its table or the text before it speaks of tools.

    The title of the file only counts if it speaks of several tools, is the only one above, and the text does not
    plainly deny that there are tools.
    """
    above: list[Heading] = []
    lead, names = "", names_of(blocks, None)
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
        if _announces_tools(own) or _announces_tools(lead):
            is_shown = OF_TOOLS_ELSEWHERE.search(" ".join(inner[-1:])) is None
        else:
            is_shown = _are_of_tools(inner)
        said = block.text[:LONGEST_PASSAGE] if isinstance(block, Paragraph) else ""
        is_denied = bool(said) and may_deny(said, said)
        starts.append((block.row, is_shown and not is_denied))
        if isinstance(block, Heading):
            above.append(block)
        elif isinstance(block, Paragraph):
            ending = block.text[-LONGEST:].rstrip("*_ ")
            lead = SENTENCE_END.split(ending)[-1] if ending.endswith(":") else ""
            other = _OF_MODULE.search(lead)
            lead = lead if other is None or is_among(names, other[1]) else ""
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


_OF_MODULE = re.compile(r"\btools (?:of|in|from|by) (?:the (?:\w+ )?)?`([\w./-]+)`", re.IGNORECASE)
"""Tools that may be those of another module: ``use the tools of `harbor`:``."""
_IDENTIFIER = re.compile(r"`[^`]*`|\b\w*_\w*\b")


@lru_cache(maxsize=256)  # files share their titles
def _announces_tools(text: str) -> bool:
    return (GROUP.search(text) is not None or names_tools(text)) and not denies_clearly(text, text)


_OF_ONE = re.compile(r"\W*(?:MCP )?tool\b[ \w]{0,20}[:–—-]", re.IGNORECASE)
_SEVERAL = re.compile(r"\btools\b", re.IGNORECASE)
