"""Source code as text: the parts between brackets and commas, without comments, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, PlacedText, TableRow
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.parameters.cells import default_in_text
from mcp_contracts.parsing.parameters.types import clean_type, read_type
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import NamedTuple, dataclass

LONGEST = 20_000
"""The maximum length of code that is read, in characters."""

_STRING = r"(?<!\\)(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"
COMMENT = re.compile(rf"({_STRING})|//[^\n]*|(?<!\S)#\s[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_OPEN, _CLOSED = "([{<", ")]}>"
_CLASS = re.compile(r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:<[^<>]*>)?(?:\[\])*")


class Piece(NamedTuple):
    """A part of code and its start in the text."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Code:
    """Code with its comments replaced with spaces, and the comments by row.

    `column` is the column of the code's lines in the file, if it is the same for all of them.
    """

    source: SourceText
    text: str
    first_row: int
    comments: Mapping[int, tuple[str, bool]]
    column: int = 0

    @classmethod
    def of(cls, source: SourceText, text: str, first_row: int, *, column: int = 0) -> Code:
        """Return code that begins in a row of a file."""
        comments: dict[int, tuple[str, bool]] = {}

        def blank(match: re.Match[str]) -> str:
            if match[1] is not None:
                return match[0]
            row = text.count("\n", 0, match.end())
            begin = text.rfind("\n", 0, match.start()) + 1
            is_alone = not text[begin : match.start()].strip()
            lines = (line.strip(" \t*/#") for line in match[0].split("\n"))
            comments[row] = " ".join(line for line in lines if line), is_alone
            return re.sub(r"[^\n]", " ", match[0])

        return cls(source, COMMENT.sub(blank, text), first_row, comments, column)

    def row_of(self, at: int) -> int:
        """Return the row of an offset in the code."""
        return self.text.count("\n", 0, at)

    def place(self, piece: Piece) -> Place:
        """Return the place of the first line of a piece in the file."""
        row = self.row_of(piece.start)
        begin = self.text.rfind("\n", 0, piece.start) + 1
        line = self.source.lines[self.first_row + row]
        written = self.text[begin:].partition("\n")[0]
        shift = self.column if self.column else max(0, len(line) - len(written))  # the fence is indented
        start = piece.start - begin + shift
        return self.source.place(
            self.first_row + row, min(start, len(line)), min(start + len(piece.text.partition("\n")[0]), len(line))
        )

    def comment(self, piece: Piece) -> str:
        """Return the comment after a piece, or on the line above it."""
        row, last = self.row_of(piece.start), self.row_of(piece.start + len(piece.text))
        for here in (last, row):
            if here in self.comments and not self.comments[here][1]:
                return self.comments[here][0]
        said, is_alone = self.comments.get(row - 1, ("", False))
        begin = self.text.rfind("\n", 0, piece.start) + 1
        return said if is_alone and not self.text[begin : piece.start].strip() else ""


def parts(text: str, start: int, separators: str = ",") -> Iterator[Piece]:
    """Yield the parts between separators outside brackets and quotes, without surrounding space or empty parts."""
    depth, angles, quote, begin = 0, 0, "", 0
    for index, character in enumerate(text + separators[0]):
        if quote:
            quote = "" if character == quote and text[index - 1 : index] != "\\" else quote
        elif character in "\"'`" and index < len(text):
            quote = character
        elif character in _OPEN and (character != "<" or text[index - 1 : index].isidentifier()):
            depth += 1  # `<` opens the types of `Array<…>`; elsewhere it means less
            angles += character == "<"
        elif character in _CLOSED and (character != ">" or (angles and text[index - 1] not in "=-")):
            depth -= 1
            angles -= character == ">"
        elif character in separators and depth <= 0 and index >= begin:
            piece = text[begin:index]
            if piece.strip():
                yield Piece(piece.strip(), start + begin + len(piece) - len(piece.lstrip()))
            begin = index + 1


def inside(text: str, at: int) -> int | None:
    """Return the offset of the bracket that closes the one at an offset, or None."""
    opening = text[at]
    closing = _CLOSED[_OPEN.index(opening)]
    depth, quote = 0, ""
    for index in range(at, len(text)):
        character = text[index]
        if quote:
            quote = "" if character == quote and text[index - 1] != "\\" else quote
        elif character in "\"'`":
            quote = character
        elif character == opening:
            depth += 1
        elif character == closing:
            depth -= 1
            if depth == 0:
                return index
    return None


def code_row(
    code: Code,
    name: Piece,
    type_piece: Piece | None,
    *,
    path: tuple[str, ...] = (),
    required: bool | None = True,
    description: str = "",
    default: Piece | None = None,
    schema: dict[str, JsonValue] | None = None,
) -> TableRow:
    """Return a parameter that code declares. A class that is not declared with it accepts anything."""
    place = code.place(name)
    cleaned = clean_type(type_piece.text) if type_piece is not None else ""
    if schema is None and cleaned:
        schema = read_type(cleaned)
        if schema is None and _CLASS.fullmatch(cleaned):
            schema = {}
    stated = None if default is None else PlacedText(default.text, code.place(default))
    if stated is None and description and (span := default_in_text(description)):
        stated = PlacedText(description[span[0] : span[1]], place)
    steps = (*path, name.text)
    return TableRow(
        name=".".join(steps).replace(".[]", "[]"),
        path=steps,
        type=cleaned or None,
        schema=schema,
        required=required,
        description=description,
        place=place,
        type_place=place if type_piece is None else code.place(type_piece),
        required_place=place,
        default=stated,
    )
