"""Finds tools that are only signatures in a block of code: `find_bike(station: string, limit?: number): Bike[]`."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.locating.headings import (
    OF_TOOLS_ELSEWHERE,
    is_no_name,
    is_of_authors,
    speaks_of_tools,
)
from mcp_contracts.parsing.locating.listing.items import MOST_ITEMS, Found
from mcp_contracts.parsing.locating.odd_headings import OF_OTHER_THINGS, without_tools
from mcp_contracts.parsing.markdown.blocks import Fence, Paragraph
from mcp_contracts.parsing.parameters.code_text import COMMENT, LONGEST, inside, parts
from mcp_contracts.parsing.parameters.typed_signatures import is_given_by_host
from mcp_contracts.parsing.text import Line
from mcp_contracts.records import NamedTuple
from mcp_contracts.records import replace as with_values

_READABLE = frozenset(("", "ts", "typescript", "js", "javascript", "tsx", "py", "python", "python3", "pyi", "text"))
"""Languages whose signatures say what a caller sends."""
_OTHERS = frozenset(("go", "golang", "rust", "rs", "kotlin", "kt", "swift", "java", "csharp", "cs", "c#", "scala"))
_SIGNATURE = re.compile(
    r"[ \t]*+(?P<words>(?:(?:export|default|declare|async|public|static|abstract|suspend|pub|def|function|func|fn|fun"
    r"|const|tool)[ \t]+){0,5})(?P<name>[A-Za-z_]\w*+(?:\.\w++)*+)[ \t]*+"
    r"(?:=[ \t]*+(?:async[ \t]*+)?)?(?:<[^<>()]*+>)?\("
)
_DECLARES = re.compile(r"\b(?:def|function|func|fn|fun|const|tool)\b")
_WRAPPER = re.compile(
    r"[ \t]*+(?:export[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:interface|class|namespace|protocol|trait)[ \t]+"
    r"\w+[^\n]*[{:][ \t]*+"
)
_BESIDE = re.compile(
    r"[ \t]*+(?:[})\]].*|@.*|\.{3}|import\b.*|from\b.*\bimport\b.*|(?:export[ \t]+)?(?:type|interface|enum)\b.*)"
)
"""Lines beside signatures: the ends of bodies, decorators, imports and types."""
_RESULT = re.compile(r"\s*+(?:->|=>|→|:)\s*+\w")
_TYPED = re.compile(r"(?:\.\.\.|\*{1,2})?[A-Za-z_$][\w$]*\s*+\??\s*+:\s*+(?![\s\"'{\d\[]).", re.DOTALL)
_NO_TOOLS = frozenset(("main", "constructor", "if", "for", "while", "switch", "catch", "print", "return", "describe"))
_REGISTERS = re.compile(
    r"(?:\b|_)(?:register|create|build|setup|init|load|make|list|call|get|run)\w*?_?tools?\b", re.IGNORECASE
)


def signed_tools(fence: Fence, above: Mapping[int, str], lead: str) -> list[Found]:
    """Return the functions of a block of code that has nothing but signatures, below a title about tools.

    `lead` is the text between the title and the code.
    """
    language = fence.language.lower()
    if (language not in _READABLE and language not in _OTHERS) or not fence.is_closed or not _are_tools(above):
        return []
    if _OF_OTHERS.search(lead):
        return []
    code = fence.content[:LONGEST]
    plain = COMMENT.sub(lambda found: found[0] if found[1] else re.sub(r"[^\n]", " ", found[0]), code)
    pieces = _pieces(plain) or []
    names = [piece.name for piece in pieces]
    if len(set(names)) != len(names) or any(_REGISTERS.fullmatch(name) for name in names):
        return []
    written, bare = code.split("\n"), plain.split("\n")
    return [_found(fence, piece, written, bare, is_read=language in _READABLE) for piece in pieces[:MOST_ITEMS]]


def _are_tools(above: Mapping[int, str]) -> bool:
    """Whether the titles above a block of code say that its functions are tools."""
    title = above.get(1, "")
    below = [above[level] for level in sorted(above) if level > 1]
    if any(OF_TOOLS_ELSEWHERE.search(text) for text in below):
        return False
    if any(is_of_authors(text) for text in below) and not speaks_of_tools(title):
        return False
    named = [number for number, text in enumerate(below) if _SEVERAL.search(text)]
    if not named and (below or not _SEVERAL.search(title)):
        return False
    rest = below[named[-1] + 1 :] if named else below
    return not any(OF_OTHER_THINGS.search(without_tools(text)) for text in rest)


_SEVERAL = re.compile(
    r"\btools\b|\btool (?:signatures|functions|interfaces?|list|catalog(?:ue)?|API|methods)\b", re.IGNORECASE
)
_OF_OTHERS = re.compile(
    r"\b(?:no|none|not|never|nothing|without|internal\w*|helpers?|removed|deprecated|planned|example|usage)\b|n[’']t\b",
    re.IGNORECASE,
)
"""Words of text that may say that the functions below it are not tools."""


class _Signed(NamedTuple):
    """A function: its name with line and column, and the lines of its comment and of itself."""

    name: str
    column: int
    row: int
    comment: int
    end: int


def _pieces(plain: str) -> list[_Signed] | None:
    """Return the functions of code without comments, or None if it has anything else."""
    lines = plain.split("\n")
    filled = [line for line in lines if line.strip()]
    if filled and _WRAPPER.fullmatch(filled[0]) and len(filled) > 1:
        filled = filled[1:]
        first = lines.index(filled[0])
    else:
        first = 0
    indent = min((len(line) - len(line.lstrip()) for line in filled if not _BESIDE.fullmatch(line)), default=0)
    starts: list[tuple[int, re.Match[str]]] = []
    last = -1
    for row in range(first, len(lines)):
        line = lines[row]
        if row <= last or not line.strip() or len(line) - len(line.lstrip()) > indent or _BESIDE.fullmatch(line):
            continue
        match = _SIGNATURE.match(line)
        end = None if match is None else _end(lines, row, match)
        if match is None or end is None:
            return None
        if not match["name"].startswith("_"):
            starts.append((row, match))
        last = end
    found = []
    for number, (row, match) in enumerate(starts):
        before = starts[number - 1][0] + 1 if number else first
        comment = row
        while comment > before and not lines[comment - 1].strip():
            comment -= 1
        end = starts[number + 1][0] if number + 1 < len(starts) else len(lines)
        found.append(_Signed(match["name"], match.start("name"), row, comment, end))
    return found


def _end(lines: list[str], row: int, match: re.Match[str]) -> int | None:
    """Return the last row of the signature that begins in a row; None if it is a call, or says no types."""
    name = match["name"]
    if name in _NO_TOOLS or is_no_name(name):
        return None
    text = "\n".join([lines[row][match.end() - 1 :], *lines[row + 1 : row + _MOST_LINES]])
    close = inside(text, 0)
    if close is None:
        return None
    taken = [part.text for part in parts(text[1:close], 0)]
    own = [part for part in taken if not is_given_by_host(part.partition(":")[0].strip()) and part not in ("*", "/")]
    is_declared = _DECLARES.search(match["words"]) is not None
    has_result = _RESULT.match(text, close + 1) is not None
    if not is_declared and not all(_TYPED.match(part) for part in own):
        return None
    return row + text.count("\n", 0, close) if is_declared or own or has_result else None


_MOST_LINES = 60


def _found(fence: Fence, piece: _Signed, written: list[str], bare: list[str], *, is_read: bool) -> Found:
    """Return a tool with its comment as its description and, if its language can be read, its code.

    `bare` are the lines without comments. The comment is that above the signature, or after one in a single line.
    """
    first = fence.first_row
    own = bare[piece.row].rstrip()
    said = [
        Line(text, first + row, written[row].index(text))
        for row in range(piece.comment, piece.row)
        if (text := written[row].strip(" \t/*#"))
    ]
    if (
        not said
        and inside(own, own.index("(")) is not None
        and (text := written[piece.row][len(own) :].strip(" \t/*#"))
    ):
        said = [Line(text, first + piece.row, written[piece.row].rindex(text))]
    content: list[Paragraph | Fence] = [Paragraph(said, said[0].row, said[-1].row + 1)] if said else []
    code = "\n".join(written[piece.row : piece.end]) + "\n"
    start = first + piece.row
    if is_read:
        content.append(with_values(fence, content=code, row=start, first_row=start, end=first + piece.end))
    line = Line(written[piece.row] if is_read else piece.name, start, 0 if is_read else piece.column)
    return Found(piece.name, line, piece.column if is_read else 0, start, tuple(content), is_whole=is_read)
