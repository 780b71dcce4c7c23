"""Reads parameters in a line, or in a list directly below the description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Table, TableRow
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.parsing.canonical import states_nothing
from mcp_contracts.parsing.data.documents import read_json
from mcp_contracts.parsing.leads import says_no_parameters, without_remark
from mcp_contracts.parsing.legacy.reading import DESCRIPTION, INPUT, OTHER, OUTPUT, Reading
from mcp_contracts.parsing.legacy.schemas import locate_schema
from mcp_contracts.parsing.markdown.blocks import Item, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.parameters.cells import listed_values
from mcp_contracts.parsing.parameters.code_text import Code
from mcp_contracts.parsing.parameters.notes import is_plain_type
from mcp_contracts.parsing.parameters.object_types import object_rows
from mcp_contracts.parsing.parameters.signatures import bullet_rows, named_row, signature_rows
from mcp_contracts.parsing.parameters.tables import cells_of, is_parameter_table
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.parsing.topics import about
from mcp_contracts.records import replace

_NEXT = re.compile(
    r"(?:[,;.]\s+(?:and\s+(?:an?\s+|the\s+)?)?|(?<!\s)\s+and\s+(?:an?\s+|the\s+)?|(?<!\s)\s*<br\s*/?>\s*)"
    r"(?=(?:\*\*)?`[A-Za-z_$][\w$]*(?:[?:= ][^`]*)?`|\*\*[a-z]\w*\*\*"
    r"|[a-z]\w*\??\s*(?::\s*|\(\s*)(?:string|str|int|integer|number|float|bool|boolean|array|list|object|dict|required"
    r"|optional)\b)"
)
_ALL_OF_ONE_KIND = re.compile(
    r"(?:required|mandatory|(optional))(?: (?:parameter|argument|input|filter)s?)?"
    r"|(?:parameters|arguments|inputs) \(all required\)",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(r"[*_`]*(?:yes|no|true|false)\b.*", re.IGNORECASE | re.DOTALL)
_ALONE = re.compile(r"(?:\*\*)?``?[A-Za-z_$][\w$]*\??`(?:`|)(?:\*\*)?(?:[.,;]?|\s*[:(–—-].*)", re.DOTALL)
_MOST = 200


def read_inline(reading: Reading, title: str, rest: Line) -> None:
    """Read the parameters that follow a label on its line; `title` may say that all or none of them are required."""
    kind = _ALL_OF_ONE_KIND.fullmatch(title.strip("*: "))
    required = None if kind is None else kind[1] is None
    if required is not None and _YES_OR_NO.fullmatch(rest.text.strip()):
        return  # it is about something else
    reading.places.setdefault("input", reading.source.place_in(rest))
    if states_nothing(without_remark(rest.text)) or says_no_parameters(rest.text) or rest.text.strip(" `.") == "{}":
        reading.states_no_parameters = True
        return
    if _schema_in_code(reading, rest, "input"):
        return
    if re.match(r" *(?:the )?same(?: \w+)? as\b", rest.text, re.IGNORECASE):  # those of another tool
        reading.has_unread_prose = True
        return
    rows = _shape_rows(reading, rest, is_input=True) or tuple(signature_rows(reading.source, rest))
    rows = rows or tuple(_worded_rows(reading.source, rest)) or tuple(inline_rows(reading.source, rest, is_due=True))
    reading.has_prose_parameters = reading.has_prose_parameters or any(row.type is None for row in rows)
    reading.has_unread_prose = reading.has_unread_prose or not rows
    reading.rows.extend(row if required is None else replace(row, required=required) for row in rows)


def is_of_one_kind(title: str) -> bool:
    """Whether a title says that all parameters below it are required, or none."""
    return _ALL_OF_ONE_KIND.fullmatch(title.strip("*: ")) is not None


def with_kind(title: str, rows: Iterable[TableRow]) -> tuple[TableRow, ...]:
    """Return rows below a title that says that all or none of them are required."""
    kind = _ALL_OF_ONE_KIND.fullmatch(title.strip("*: "))
    return tuple(
        row if kind is None or row.required is not None else replace(row, required=not kind[1]) for row in rows
    )


def read_inline_output(reading: Reading, rest: Line) -> None:
    """Read the schema or the fields, each with its type, that follow a label of the result on its line."""
    if _schema_in_code(reading, rest, "output"):
        return
    if (opened := _OPENED.match(rest.text)) is not None and opened[1].count("{") > opened[1].count("}"):
        place = reading.source.place_in(rest, *opened.span(1))
        message = "the shape of the result has no closing bracket"
        reading.faults.append(Fault(FaultKind.INVALID_CODE, message, place, "add the missing bracket", "example"))
    if (listed := _FIELDS_IN_CODE.fullmatch(rest.text.strip())) is not None:
        start = rest.text.index(listed[1])
        rest = Line(f"`{{{listed[1]}}}`", rest.row, rest.column + start - len("`{"))
    if (shape := _SHAPE.fullmatch(rest.text.strip())) is not None:
        if not _NAMES_IN_BRACES.fullmatch(shape[1]) and (fields := _shape_rows(reading, rest)):
            reading.tables.setdefault("output", Table(fields, reading.source.place_in(rest), "code"))
        return
    rows = list(inline_rows(reading.source, rest))
    if rows and f"`{rows[0].name}" not in rest.text and (named := list(_fields_in_prose(reading, rest))):
        rows = named  # `an object with `berth` (string)`
    is_prose = not _MARK.search(rest.text) and all(row.schema is None for row in rows)  # `a thing.`
    if not is_prose and not any(is_plain_type(row.name) for row in rows):
        reading.output_rows.extend(rows)


def _fields_in_prose(reading: Reading, rest: Line) -> Iterator[TableRow]:
    """Yield the fields in code that a sentence names, each with its type in brackets."""
    for found in _TYPED_NAME.finditer(rest.text):
        row = named_row(reading.source, Line(found[0], rest.row, rest.column + found.start()), found[0])
        if row is not None and row.schema is not None:
            yield row


_TYPED_NAME = re.compile(r"`[A-Za-z_]\w*` \([^()]{1,60}\)")
_FIELDS_IN_CODE = re.compile(r"`([a-z]\w*\??: [^`{},]+(?:, [a-z]\w*\??: [^`{},]+)+)`\.?")
"""Fields with their types, without braces: `` `berth: string, days: number` ``."""


def _schema_in_code(reading: Reading, rest: Line, part: Part) -> bool:
    """Read the JSON Schema that a line consists of, in code; return whether it does."""
    found = _SCHEMA_IN_CODE.fullmatch(rest.text.strip())
    if found is None:
        return False
    column = rest.column + rest.text.index(found[1])
    document = read_json(reading.source, f"{' ' * column}{found[1]}", rest.row, part=part)
    reading.faults.extend(document.faults)
    if isinstance(document.value, dict):
        reading.take(part, locate_schema(document, part, ""))
    return True


_SCHEMA_IN_CODE = re.compile(
    r"`(\{\s*\"(?:\$schema\"[^`]*|type\"\s*:\s*\"object\"\s*(?:,\s*\"(?:properties|required|additionalProperties)\"[^`]*)?)\})`\.?"
)
"""A JSON Schema of an object."""


def _shape_rows(reading: Reading, rest: Line, *, is_input: bool = False) -> tuple[TableRow, ...]:
    """Return the members of an object type in code: `` `{ query: string, limit?: number }` ``."""
    if (shape := _SHAPE.fullmatch(rest.text.strip())) is None:
        return ()
    start = len(rest.text) - len(rest.text.lstrip())
    if _NAMES_IN_BRACES.fullmatch(shape[1]):
        return tuple(_bare_names(reading.source, rest))
    code = Code.of(reading.source, shape[1], rest.row, column=rest.column + start + 1)
    rows = object_rows(code, allows_bare=is_input) or ()
    said = shape[2] or shape[3]
    return (
        (replace(rows[0], description=said.strip()),) if said and len(rows) == 1 and not rows[0].description else rows
    )


_MARK = re.compile(r"[`:(\[]")
_OPENED = re.compile(r"\s*`(\{[^`]*)`")
_NAMES_IN_BRACES = re.compile(r"\{ ?[A-Za-z_]\w*\??(?:, ?[A-Za-z_]\w*\??)*,? ?\}")
_SHAPE = re.compile(r"`(\{[^`]*\})`(?:\.?|(?: ?:| +[–—-]) ++(.+)| *\(([^()]*)\)\.?)")
"""An object type in code, and the text about it."""
_NAMES_ONLY = re.compile(r"`[A-Za-z_]\w*\??`(?:(?:,| and|, and) `[A-Za-z_]\w*\??`)*\.?")


_SEVERAL_IN_CODE = re.compile(r"\s*`[A-Za-z_]\w*\??: ?[^`]+, ?[A-Za-z_]\w*\??: ?[^`]+`\.?\s*")


_EACH_IN_CODE = re.compile(r"`[A-Za-z_]\w*\??(?::[^`]+)?`(?:, ?`[A-Za-z_]\w*\??(?::[^`]+)?`)+\.?")
"""Names in code, each with or without a type: `` `id`, `limit?: int = 3` ``."""
_BARE_IN_CODE = re.compile(r"\s*`[A-Za-z_]\w*\??(?:, ?[A-Za-z_]\w*\??)+`\.?\s*")


def _untyped_row(name: str, place: Place, *, required: bool | None) -> TableRow:
    return TableRow(name, (name,), None, None, required, "", place, place, place)


def _bare_names(source: SourceText, line: Line) -> Iterator[TableRow]:
    """Yield the parameters of a line that contains only their names."""
    for name in re.finditer(r"(\w+)(\??)", line.text):
        yield _untyped_row(name[1], source.place_in(line, *name.span(1)), required=False if name[2] else None)


def named_rows(source: SourceText, line: Line, block: Paragraph) -> list[TableRow]:
    """Return the parameters of a line that should contain parameters: each with its type, or only names in code."""
    if _SEVERAL_IN_CODE.fullmatch(line.text) or (":" in line.text and _EACH_IN_CODE.fullmatch(line.text.strip())):
        return list(signature_rows(source, line))
    shape = _SHAPE.fullmatch(line.text.strip())
    if _BARE_IN_CODE.fullmatch(line.text) or (shape is not None and _NAMES_IN_BRACES.fullmatch(shape[1])):
        return list(_bare_names(source, line))
    is_definition = any(other.text.startswith(": ") for other in block.lines)
    is_due = not is_definition and _NAMES_ONLY.fullmatch(line.text.strip()) is not None
    worded = [] if is_definition else list(_worded_rows(source, line))
    return worded or list(inline_rows(source, line, is_due=is_due))


def describes_row(reading: Reading, line: Line) -> bool:
    """Read the definition of the last parameter, which is the term on the line before; return whether it is one."""
    said = _DEFINITION.fullmatch(line.text)
    row = reading.rows[-1] if reading.rows else None
    if said is None or row is None or row.description or row.place.line != line.row:
        return False
    description = said[1].rstrip()
    values = listed_values(description, is_enum=True) if row.schema == {"type": "string"} else None
    row = replace(row, description=description)
    reading.rows[-1] = row if values is None else replace(row, schema={"type": "string", "enum": [*values]})
    return True


_DEFINITION = re.compile(r":[ \t]+(\S.*)")


def inline_rows(source: SourceText, line: Line, *, is_due: bool = False) -> Iterator[TableRow]:
    """Yield the parameters of `` `a` (string, required), `b` (int): how many``; none if the first cannot be read.

    `is_due` says that the line can contain nothing else, so a name in code needs no type.
    """
    for piece in _pieces(line):
        row = named_row(source, piece, piece.text, is_sure=True) or (_bare_row(source, piece) if is_due else None)
        if row is None:
            return
        yield row
        is_due = True  # a name in code after a parameter is one


_WORDED = re.compile(
    r" *(?:[A-Za-z][\w-]* ){0,3}`(?P<name>[A-Za-z_]\w*)\??`(?: (?:from|between|up to|at most) [\w ]{1,20})?"
)


def _worded_rows(source: SourceText, line: Line) -> Iterator[TableRow]:
    """Yield the parameters of ``positive `a`, an optional `b`, and `c` ``; none if other text is between them."""
    found: list[tuple[re.Match[str], bool | None]] = []
    at, required = 0, None
    text = line.text.rstrip(" .")
    for separator in (*_AND.finditer(text), None):
        match = _WORDED.fullmatch(text, at, len(text) if separator is None else separator.start())
        if match is None:
            return
        said = _IN_WORDS.search(text, at, match.start("name"))
        required = (said[1] is None) if said is not None else required
        found.append((match, required))
        at = len(text) if separator is None else separator.end()
    for match, required in found:
        yield _untyped_row(match["name"], source.place_in(line, *match.span("name")), required=required)


_AND = re.compile(r"[,;] (?:and )?| and ")
_IN_WORDS = re.compile(r"\b(?:required|(optional))\b", re.IGNORECASE)


def _bare_row(source: SourceText, piece: Line) -> TableRow | None:
    """Return a parameter whose name is given in code, without a type."""
    if not _ALONE.fullmatch(piece.text.strip()):
        return None
    return named_row(source, piece, piece.text)


def _pieces(line: Line) -> Iterator[Line]:
    """Yield the parts of a line that each begin with a name, split outside brackets and code."""
    start = 0
    for match in list(_NEXT.finditer(line.text))[:_MOST]:
        before = line.text[start : match.start()]
        if before.count("(") == before.count(")") and before.count("`") % 2 == 0:
            yield Line(before, line.row, line.column + start)
            start = match.end()
    yield Line(line.text[start:], line.row, line.column + start)


def torn_at_labels(block: ListBlock) -> Iterator[ListBlock | Paragraph]:
    """Split a list at labels such as `RETURNS:` that follow an item without a blank line between them."""
    begun = 0
    for index, item in enumerate(block.items):
        lines = item.lines
        is_last = index + 1 == len(block.items)
        cut = next((at for at, line in enumerate(lines) if at and _tears(line, lines[0], is_last=is_last)), None)
        if cut is None:
            continue
        own = Paragraph(lines[:cut], lines[0].row, lines[cut].row)
        yield ListBlock((*block.items[begun:index], Item(item.row, lines[cut].row, (own,))), block.row, lines[cut].row)
        yield Paragraph(lines[cut:], lines[cut].row, lines[-1].row + 1)
        begun = index + 1
    if begun < len(block.items):
        yield ListBlock(block.items[begun:], block.items[begun].row, block.end)


def _tears(line: Line, first: Line, *, is_last: bool) -> bool:
    """Whether a line in the text of an item is a label, or a title of the items that follow it."""
    if _LABEL_ALONE.fullmatch(line.text):
        return about(line.text) is not None
    if line.column < first.column and (label := _LABEL_IN_BOLD.match(line.text)) is not None:
        return about(label[1]) is not None
    return not is_last and line.column < first.column and is_title(line.text)


def is_title(text: str) -> bool:
    """Whether a line consists of a few words and a colon."""
    return _TITLE.fullmatch(text) is not None


_TITLE = re.compile(r"(?:[A-Z][A-Za-z]+(?: [a-z]+){0,2}|[^\x00-\x7f]{1,12})[:：] *")
_LABEL_IN_BOLD = re.compile(r"[*_]{2}([A-Z][a-z ]{3,20}):[*_]{2} +\S")
_LABEL_ALONE = re.compile(r"(?:[A-Z]{4,12}|[*_]{2}[A-Z][a-z ]{3,20}:?[*_]{2}):?")


_ASIDE = re.compile(
    r"[*_]{0,2}[A-Z][A-Za-z -]{2,30}[*_]{0,2}:[*_]{0,2} +\S|[*_]{0,3}(?:[Rr]eturns|[Rr]aises|[Yy]ields)(?:[*_]{0,3}:)?"
    r"[*_]{0,3} +\S"
)
"""An item with a label, such as the result, or a sentence about it, among those of parameters."""
_FIELDS = re.compile(r"\b(?:fields|parameters|arguments|options|inputs):\**$", re.IGNORECASE)
_MARKED = re.compile(r"(?:\*\*|__|`)[a-z][A-Za-z0-9_]*")


_ITEM = re.compile(r"(?:\*\*|__|`)?[a-z][A-Za-z0-9]*(?:_\w+)?(?:\[\])?\??(?:\*\*|__|`)?\s*+(?:[:(=<|–—→-]|$)")


def may_list_parameters(texts: Sequence[str]) -> bool:
    """Whether most items of a list, or first cells of a table, begin with only a name, like those of parameters."""
    return sum(_ITEM.match(text) is not None for text in texts) * 2 > len(texts)


SENTENCE = re.compile(r"[A-Z][\w'’-]* +(?:[\w`]|\([a-z ]{1,40}\) (?:an?|the|all|its|each|every|one)\b)")
"""The beginning of a sentence, which is neither a name nor a label."""


def listed_parameters(reading: Reading, block: ListBlock) -> Sequence[TableRow]:
    """Return the parameters in a list directly below the description: most of its items give a name and a type."""
    rows: list[TableRow] = []
    typed = 0
    items = [item for item in block.items if not item.lines or not _ASIDE.match(item.lines[0].text)]
    sentences = [item for item in items if SENTENCE.match(item.text) and not any(bullet_rows(reading.source, item))]
    items = [item for item in items if item not in sentences] if len(sentences) < len(items) else items
    for item in items:
        of_item = tuple(bullet_rows(reading.source, item)) or _unread_row(reading.source, item)
        if not of_item:
            return ()
        typed += of_item[0].schema is not None
        rows.extend(of_item)
    is_of_others = reading.last.rstrip("*_ ").endswith(":") and about(reading.last) != INPUT
    is_said = any(row.required is not None or row.default is not None for row in rows) or _FIELDS.search(reading.last)
    if typed * 2 > len(items) or (
        items and not sentences and is_said and all(_MARKED.match(item.text) for item in items)
    ):
        return rows
    reading.untyped.extend(() if is_of_others or sentences else rows)
    return ()


def _unread_row(source: SourceText, item: Item) -> tuple[TableRow, ...]:
    """Return the parameter that an item names before something in code that cannot be read: ``- ids – `{id}[]` ``."""
    line = item.lines[0] if item.lines else None
    match = _NAMED.match(line.text) if line is not None else None
    if line is None or match is None:
        return ()
    place = source.place_in(line, *match.span(1))
    row = _untyped_row(match[1], place, required=False if match[2] else None)
    return (replace(row, description=line.text[match.end() :].strip()),)


_NAMED = re.compile(r"(?:\*\*|__|`)?([a-z][A-Za-z0-9_]*)(\??)(?:\*\*|__|`)?\s*(?::|[–—-]\s)\s*(?=`)")


def read_properties(reading: Reading, block: TableBlock) -> bool:
    """Read a table of a tool's properties (`| Parameters | … |`), each row as a label."""
    rows = [cells_of(line) for line in (*block.lines[:1], *block.lines[2:])]
    if any(len(cells) != _PAIR for cells in rows):
        return False
    if is_parameter_table(block, is_due=True) and not states_nothing(rows[0][1].text):
        return False
    titles = [name.text.strip("*_` :").lower() for name, _ in rows]
    if not any(about(title) in (INPUT, OUTPUT) for title in titles) and sum(map(_is_property, titles)) * 2 <= len(rows):
        return False
    for name, value in rows[0 if about(rows[0][0].text) is not None else 1 :]:
        number = about(name.text)
        reading.begin(name.text.strip("*_` :"), reading.source.place(name.row, name.column, name.end), number)
        reading.fill(value.text)
        rest = Line(value.text, value.row, value.column)
        if number == DESCRIPTION:
            reading.describe([rest])
        elif number == INPUT and value.text:
            read_inline(reading, name.text, rest)
        elif number == OUTPUT and value.text:
            read_inline_output(reading, rest)
        elif name.text.strip("*_` :").lower() in ("version", "status", "category", "idempotent"):
            reading.fields.setdefault(name.text.strip("*_` :").lower(), value.text.strip("`"))
    reading.topic = OTHER
    return True


def _is_property(title: str) -> bool:
    return title in _OWN_PROPERTIES or about(title) is not None


_OWN_PROPERTIES = frozenset(
    ("property", "name", "tool name", "category", "version", "status", "idempotent", "tags", "trust level")
)
_PAIR = 2
