"""Splits a document into its statements: sentences and cells, with the text around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating import other_languages
from mcp_contracts.parsing.locating.absence.vocabulary import LONGEST, kinds_of
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


_ASKER = re.compile(r"(?:Q|A|Question|Answer)[.:]", re.IGNORECASE)
"""What is before a question or an answer: `Q.`."""


def statements_of(blocks: Sequence[Block]) -> Iterator[Statement]:
    under, before, title, level, read = "", "", "", 0, 0
    for block in flatten_blocks(blocks):
        if isinstance(block, Heading):
            under, level, title = without_markup(block.text), block.level, ""
        is_of_module = level < 2 or is_title_of_all(under) or is_general(under)
        for text, rest in _texts(block):
            read += len(text)
            if read > _MOST_CHARACTERS:
                return
            for part in SENTENCE_END.split(text):
                plain = _NUMBERED.sub("", without_markup(part[:LONGEST]), count=1)
                if not plain or _ASKER.fullmatch(plain):
                    continue
                near = rest if len(rest) <= LONGEST_PASSAGE else f"{before} {plain}"
                passage = f"{under if level > 1 else ''}\n{near}"
                yield Statement(block, plain, title, before, passage, is_of_module)
                if (label := LABEL.match(plain)) is not None and is_title_of_all(label[0]):
                    value = plain[label.end() + 1 :].strip()
                    yield Statement(block, value, label[0], before, passage, is_of_module)
                before = plain
                title = title if isinstance(block, Paragraph) else ""
            title = ""
        if isinstance(block, Heading):
            title = under
        elif isinstance(block, Html) and (summary := _SUMMARY.search(block.content)) is not None:
            title = without_markup(summary[1])


def is_general(title: str) -> bool:
    """Whether a title says nothing of what its section is about: `Overview`, `Notes`."""
    return _GENERAL.fullmatch(title) is not None


def is_below_label(one: Statement) -> bool:
    """Whether a line that is no sentence stands before a statement that has no title."""
    return one.before.endswith(":") or (one.title == "" and not one.before.endswith((".", "?", "!")))


_NONE = re.compile(
    r"[\W_]*+(?:(?:keine|aucune?|keins|néant|rien|niente|nichts|nada|ning[uú]n[oa]?|nessun[oa]?|nenhuma?|geen|žádn[éáý]"
    r"|brak|inga|nein|não|nee|нет|n\.?/?a)\b(?! param)|なし|无|無|いいえ|否)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\W*0 ?(?:to|and|[-–]) ?\d")
_NOTHING = re.compile(r"(?:[gmitco]*v+)?g*(?:[nz]|e(?![tcpmo]))[gmivojtcp]*")
_CLAUSE_END = re.compile(r"[,;:(!?]|\.(?!\d)|\s[-–—]")


def is_nothing(text: str) -> bool:
    """Whether an answer, a cell or the text of a section begins with a clause that says that there are none."""
    if _RANGE.match(text):
        return False
    if text.strip() in ("[]", "{}", "()"):
        return True
    bare = text.strip("*_ .|()[]")
    if _NONE.match(text) or (bare and (bare[0] in "∅❌✗✘" or not bare.strip("-–—"))):
        return True
    first = next(filter(str.strip, _CLAUSE_END.split(text.strip("*_ .()[]<>"))), "")
    return _NOTHING.fullmatch(kinds_of(first, frozenset())[1]) is not None


@lru_cache(maxsize=256)  # asked of the title of each sentence
def is_title_of_all(title: str) -> bool:
    """Whether a heading, a label or a cell is about all tools of a module, and not about some."""
    last = re.split(r"\s[-–—]\s|:\s", title)[-1].strip()
    if other_languages.TITLE_OF_TOOLS.fullmatch(last) is not None:
        return True
    words, kinds = kinds_of(last, frozenset())
    if last.lower() in ("mcp", "agents", "model context protocol"):
        return True
    if words[:1] in (["what"], ["which"]):
        return re.fullmatch("[gmiojpctv]*", kinds) is not None
    return _OF_ALL.fullmatch(kinds) is not None and not _OF_USE.intersection(words)


_OF_ALL = re.compile(r"(?=[gmiojpc]*(?:t|o\Z|o.*c|c.*o))[gmiojpct]{1,8}")
_OF_USE = frozenset(["use", "uses", "used", "call", "calls", "called", "calling", "run", "runs", "access", "exports"])


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
