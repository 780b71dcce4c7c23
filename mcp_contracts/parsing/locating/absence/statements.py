"""Splits a document into its statements: sentences and cells, with the text around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.absence.sentences import is_title_of_all
from mcp_contracts.parsing.locating.absence.words import LONGEST
from mcp_contracts.parsing.markdown.blocks import Block, Heading, Html, Paragraph, TableBlock, flatten_blocks
from mcp_contracts.parsing.parameters.tables import cells_of
from mcp_contracts.records import NamedTuple

_MARKUP = re.compile(
    r"!?\[([^\]]{0,300})\]\([^)]{0,2000}\)|\[!\w{1,20}\]|(?<!\w)[*_`]+|[*_`]+(?!\w)|`(?=-)|[>#]|&nbsp;|<[^<>]{0,300}>"
)
SENTENCE_END = re.compile(r"(?<=[.!?])[*_\"]{0,3}\s+|\n(?=\W{0,3}[\w ]{1,30}\W{0,3}:)|。|</t[hr]>|</td>\s*(?=</tr>)")
LABEL = re.compile(r"[^:|=]{2,60}?(?=[:|=]| [–—] )")
_NUMBERED = re.compile(r"^\d{1,3}(?:\.\d{1,3}){1,4}[.)]? (?=[A-Z`])")
"""The number of a sentence: `2.1 The module has no tools.`"""
_GENERAL = re.compile(
    r"\W*(?:\d+[.)]\s*)?(?:(?:current|module)\s)?(?:status|overview|summary|purpose|description|about|notes?"
    r"|invocation name|introduction|background|policy|scope|(?:about|for) agents|agents|remarks?)\W*",
    re.IGNORECASE,
)
_SUMMARY = re.compile(r"<summary\b[^<>]*>([^<>]{1,60})</summary>", re.IGNORECASE)
_OF_MODULES = re.compile(r"\W*(?:modules?|packages?|components?)\W*", re.IGNORECASE)
_MOST_CHARACTERS = 100_000
LONGEST_PASSAGE = 2_000
"""The maximum length of a text whose sentences are all read in its context; longer texts would take quadratic time."""


class Statement(NamedTuple):
    """A sentence or a cell, what stands before it, and the text around it."""

    block: Block
    text: str
    title: str
    """The heading, the label or the cell that the text belongs to."""
    before: str
    """The sentence before the text."""
    passage: str
    is_of_module: bool
    """Whether the text is not in a section about a part of the module."""


def statements_of(blocks: Sequence[Block]) -> Iterator[Statement]:
    under, before, title, level, read = "", "", "", 0, 0
    for block in flatten_blocks(blocks):
        if isinstance(block, Heading):
            under, level, title = without_markup(block.text), block.level, ""
        is_of_module = level < 2 or is_title_of_all(under) or _GENERAL.fullmatch(under) is not None
        for text, rest in _texts(block):
            read += len(text)
            if read > _MOST_CHARACTERS:
                return
            for part in SENTENCE_END.split(text):
                plain = _NUMBERED.sub("", without_markup(part[:LONGEST]), count=1)
                if not plain:
                    continue
                near = rest if len(rest) <= LONGEST_PASSAGE else f"{before} {plain}"
                passage = f"{under if level > 1 else ''}\n{near}"
                yield Statement(block, plain, title, before, passage, is_of_module)
                if (label := LABEL.match(plain)) is not None and not _PRIVATE.search(label[0]):
                    value = plain[label.end() + 1 :].strip()
                    yield Statement(block, value, label[0], before, passage, is_of_module)
                before = plain
                title = title if isinstance(block, Paragraph) else ""
            title = ""
        if isinstance(block, Heading):
            title = under
        elif isinstance(block, Html) and (summary := _SUMMARY.search(block.content)) is not None:
            title = without_markup(summary[1])


def is_below_label(one: Statement) -> bool:
    """Whether a line that is no sentence stands before a statement that has no title."""
    return one.before.endswith(":") or (one.title == "" and not one.before.endswith((".", "?", "!")))


def is_of_private_part(one: Statement) -> bool:
    """Whether a statement is about what a section about a part of the module contains."""
    return _OF_THESE.match(one.text) is not None and _PRIVATE.search(one.passage.partition("\n")[0]) is not None


_OF_THESE = re.compile(
    r"\W*(?:they|these|those|it)\b(?! \w*(?:functions|methods|helpers|operations|class))", re.IGNORECASE
)
_PRIVATE = re.compile(r"\b(?:private|hidden|internals?|helpers?|deprecated|legacy)\b", re.IGNORECASE)


def _texts(block: Block) -> Iterator[tuple[str, str]]:
    """Yield each text of a block with the text around it."""
    if isinstance(block, Heading | Paragraph):
        yield block.text, block.text
    elif isinstance(block, TableBlock):
        head, *rows = [[cell.text for cell in cells_of(line)] for line in (*block.lines[:1], *block.lines[2:])]
        for cells in (head, *rows):
            yield " | ".join(cells[:2]), " | ".join(cells)
            yield from ((cell, " | ".join(cells)) for cell in cells[2:])
        if len(rows) == 1:
            yield f"{head[0]} | {rows[0][0]}", ""
            if _OF_MODULES.fullmatch(head[0]):
                yield from ((f"{name} | {cell}", "") for name, cell in zip(head[1:], rows[0][1:], strict=False))
    elif isinstance(block, Html) and not block.is_comment:
        yield block.content, block.content


def without_markup(text: str) -> str:
    return " ".join(_MARKUP.sub(lambda match: match[1] or "", text).split())
