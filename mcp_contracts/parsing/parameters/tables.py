"""Reads parameter tables: joins rows torn by a pipe or a line break, recognizes columns, reads rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, PlacedText, Table, TableRow
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.markdown.blocks import TableBlock
from mcp_contracts.parsing.markdown.lines import MOST_CELLS, split_cells
from mcp_contracts.parsing.parameters.cells import (
    DASHES,
    default_in_text,
    is_plain_requirement,
    limit_in,
    listed_values,
    listed_words,
    only_values,
    plain_words,
    quoted_values,
    read_requirement,
    states_no_row,
)
from mcp_contracts.parsing.parameters.columns import (
    Columns,
    columns_by_cells,
    columns_of,
    is_type,
    rows_as_columns,
    with_own_titles,
)
from mcp_contracts.parsing.parameters.types import clean_type, read_type
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.records import NamedTuple
from mcp_contracts.schema.identity import cached_by_identity

_REQUIRED_WORD = re.compile(r"(yes|no|required|optional|true|false)\b[\s.,;:—–-]*", re.IGNORECASE)
_AFTER_REQUIRED = re.compile(r"[*_`]*(?:yes|no|required|optional)[*_`]* ?(?:[—–:,;]|-(?= )) ?(\S.*)", re.IGNORECASE)
_IN_REQUIRED = re.compile(
    r"[*_]*(?:(?:no|optional|❌(?: no)?|✗|✘)[*_]* ?\((?:default:? |=)?|(?:yes|required)[*_]* ?\(default:? )"
    r"(-?\d[\d._]*|`[^`]+`|\"[^\"]*\"|true|false|null)\)",
    re.IGNORECASE,
)
"""A cell with the default of a parameter: `no (100)`, `yes (default 100)`."""
_OF_PARAMETERS = re.compile(r"[|*_ ]*(?:param|arg)", re.IGNORECASE)
_NAME_IN_CODE = re.compile(r"[*_]*``?([^`]+)``?")
_ANOTHER_NAME = re.compile(r"[*_]*\s*(?:,|/|\||&|\+|\bor\b|\band\b)\s*[*_]*`")
_MOST_STEPS = 32
_STATED_AT_NAME = re.compile(r"[`*_] *[*_]?\((required|optional)\)[*_]?\s*$", re.IGNORECASE)
"""An obligation after a name, in its cell: `` `path` (required)``."""
_SAYS_REQUIRED = re.compile(r"\(required\)|^[*_(]*required[*_)]*(?:[.:,—–-]|$)", re.IGNORECASE)
"""A description that says that its parameter is required, in a table without a column for it."""
_NO_VALUE = frozenset(("", "-", "—", "–", "--", "---", "n/a", "none", "null", "nil", "required", "...", "…"))
_LIMIT = (
    r"(?:(?:one )?of|optional|required|nullable|defaults?|max\w*|min\w*|up to|at (?:least|most)|between|either|as"
    r"|in|e\.g\.|must be|non-?empty)\b|[\w-]+(?:, ?(?:and |or )?[\w-]+)+\)"
)
_REMARK_ON_TYPE = re.compile(rf"`?[\w.]+(?:\[[\w, |]*\])*`? ?\((?!{_LIMIT})(?=[^() ]+ )([^()\d`\"|]*)\)", re.IGNORECASE)
"""A description in the cell of a type, rather than a limit: `string (where the boat lies)`."""
_STATED_IN_TYPE = re.compile(r"\b(optional|required)\b", re.IGNORECASE)


class Cell(NamedTuple):
    """A cell's text and its place (row and columns from 0, the end exclusive)."""

    text: str
    column: int
    end: int
    row: int


class Row(NamedTuple):
    """A row's cells, with cells that a line break splits joined again; `lines` are all its lines."""

    lines: tuple[Line, ...]
    cells: list[Cell]


def cells_of(line: Line) -> list[Cell]:
    """Return the cells of a row."""
    whole, row, left = line
    cells = []
    if "\\" not in whole:
        written = whole.strip()
        column = left + len(whole) - len(whole.lstrip())
        if written[:1] == "|":
            written = written[1:]
            column += 1
        pieces = written.split("|", MOST_CELLS - 1)
        if len(pieces) > 1 and not pieces[-1]:
            pieces.pop()
        for piece in pieces:
            text = piece.strip()
            begin = column + piece.find(text)
            cells.append(Cell(text, begin, begin + len(text), row))
            column += len(piece) + 1
        return cells
    for start, end in split_cells(whole):
        text = whole[start:end].strip()
        column = left + (whole.find(text, start) if text else start)
        cells.append(Cell(text, column, column + len(text), row))
    return cells


def is_parameter_table(block: TableBlock, *, is_due: bool = False) -> bool:
    """Whether one column has names and another one their types.

    `is_due` says that parameters or fields are expected here: then the content of the cells determines columns with
    unknown titles.
    """
    columns = columns_of(block.lines[0].text)
    if columns.name != 0 and columns.are_of_parameters:
        # `Type | Name` may be about anything, but there are few types.
        kinds = [
            row.cells[columns.roles.index("type")].text
            for row in rows_of(block)
            if len(row.cells) == len(columns.roles)
        ]
        return bool(kinds) and sum(map(is_type, kinds)) * 2 >= len(kinds)
    if is_due and columns.name == 0 and {"required", "description"} <= set(columns.roles):
        return True
    if is_due and columns.roles == ("name", "description") and _OF_PARAMETERS.match(block.lines[0].text):
        return all(line.text.lstrip("| *").startswith("`") for line in block.lines[2:])
    return columns.are_of_parameters or (is_due and _grid(block)[0].are_of_parameters)


def read_table(source: SourceText, block: TableBlock) -> Table:
    """Return the rows of a parameter table."""
    columns, rows = _grid(block)
    read = (_row(source, rejoin_cells(cells, columns.roles), columns) for cells in rows)
    return Table(tuple(row for row in read if row is not None), place_of_table(source, block))


def _grid(block: TableBlock) -> tuple[Columns, Sequence[Sequence[Cell]]]:
    """Return the roles of the columns of a table, by titles or cells, and its rows. A transposed table is transposed
    back."""
    header = block.lines[0].text
    columns = columns_of(header)
    rows = [row.cells for row in rows_of(block)]
    if columns.are_of_parameters:
        return with_own_titles(columns, header, [[cell.text for cell in cells] for cells in rows]), rows
    whole = [cells_of(block.lines[0]), *rows]
    turned = rows_as_columns([cells[0].text for cells in whole])
    if turned is not None and len({len(cells) for cells in whole}) == 1:
        return turned, list(zip(*whole, strict=True))[1:]
    return columns_by_cells(header, [[cell.text for cell in cells] for cells in rows]), rows


def place_of_table(source: SourceText, block: TableBlock) -> Place:
    """Return the place of a table."""
    first, last = block.lines[0], block.lines[-1]
    return source.place(first.row, first.column, last.column + len(last.text), end_row=last.row)


def trailing_lines(block: TableBlock) -> Sequence[Line]:
    """Return the lines after the last row that the author meant as text, and that Markdown treats as rows."""
    taken = 2 + sum(len(row.lines) for row in rows_of(block))
    return block.lines[taken:]


def rows_of(block: TableBlock) -> Sequence[Row]:
    """Return the rows, up to text that follows the table without a blank line.

    If all other lines begin with a pipe, a line without one continues the row before it.
    """
    return _rows_of(block.lines)


@cached_by_identity(16)  # the rows of a table are read four times
def _rows_of(lines: Sequence[Line]) -> Sequence[Row]:
    is_piped = lines[0].text.lstrip().startswith("|")
    width = len(split_cells(lines[0].text))
    rows: list[tuple[list[Line], list[Cell]]] = []
    for line in lines[2:]:
        cells = cells_of(line)
        if not is_piped or line.text.lstrip().startswith("|"):
            rows.append(([line], [*cells]))
            continue
        is_whole = not rows or (len(rows[-1][1]) >= width and rows[-1][0][-1].text.rstrip().endswith("|"))
        if is_whole and "|" in line.text:
            rows.append(([line], [*cells]))
        elif is_whole or line.text.startswith("**"):
            break
        else:
            taken, before = rows[-1]
            taken.append(line)
            before[-1:] = [before[-1]._replace(text=f"{before[-1].text} {cells[0].text}".strip()), *cells[1:]]
    return [Row(tuple(taken), cells) for taken, cells in rows]


def rejoin_cells(cells: Sequence[Cell], roles: Sequence[str]) -> Sequence[Cell]:
    """Return the cells as the author meant them.

    An unescaped pipe inside a code span splits a cell and shifts the following ones; sometimes later columns were then
    merged to correct the count. Cells are joined from the one that opens a code span to the one that closes it. A cell
    that begins with the word of the `Required` column (or with a default in code) is split after it.
    """
    torn = [index for index, cell in enumerate(cells) if "`" in cell.text and cell.text.count("`") % 2]
    if len(torn) < 2:
        return cells
    joined: list[Cell] = []
    at = 0
    for opening, closing in zip(torn[::2], torn[1::2], strict=False):
        joined.extend(cells[at:opening])
        parts = [cell.text.rstrip("\\").rstrip() for cell in cells[opening:closing]]
        text = " | ".join([*parts, cells[closing].text])
        joined.append(Cell(text, cells[opening].column, cells[closing].end, cells[opening].row))
        at = closing + 1
    joined.extend(cells[at:])
    missing = len(roles) - len(joined)
    result: list[Cell] = []
    for cell in joined:
        cut = _find_cut(cell.text, roles[len(result) :]) if missing > 0 else 0
        if cut:
            text, rest = cell.text[:cut].rstrip(), cell.text[cut:].strip()
            result.append(Cell(text, cell.column, cell.end - len(cell.text) + len(text), cell.row))
            result.append(Cell(rest, cell.end - len(rest), cell.end, cell.row))
            missing -= 1
        else:
            result.append(cell)
    return result


def _find_cut(text: str, roles: Sequence[str]) -> int:
    """Return the offset at which a cell that contains its right neighbor must be split, or 0.

    `roles` are the roles of its column and of those to the right.
    """
    role, following = (*roles, "", "")[:2]
    if role == "required":
        match = _REQUIRED_WORD.match(text)
        return match.end() if match and match.end() < len(text) else 0
    if role in ("type", "default") and text.startswith("`"):
        close = text.find("`", 1)
        is_swallowed = following != "required" or _REQUIRED_WORD.match(text[close + 1 :].lstrip())
        return close + 1 if 0 < close < len(text) - 1 and is_swallowed else 0
    if role == "description" and text.endswith("`"):
        return max(text.rfind("`", 0, -1), 0)
    return 0


def _row(source: SourceText, cells: Sequence[Cell], columns: Columns) -> TableRow | None:
    by_role: dict[str, Cell] = {}
    for role, cell in zip(columns.roles, cells, strict=False):
        if role and role not in by_role:
            by_role[role] = cell
    name_cell = by_role.get("name")
    if name_cell is None:
        return None
    name = plain_name(name_cell.text)
    type_cell, required_cell = by_role.get("type"), by_role.get("required")
    type_text = clean_type(type_cell.text) if type_cell is not None else ""
    type_text = "" if type_text in DASHES else type_text
    if not name.strip("-:—–. ") or states_no_row(name, type_text):
        return None
    required = _read_required(by_role, states_optional=columns.states_optional)
    if required is None and required_cell is None and (stated := _STATED_IN_TYPE.search(type_text)):
        required = stated[1].lower() == "required"
    if required is None and required_cell is None and (stated := _STATED_AT_NAME.search(name_cell.text)):
        required = stated[1].lower() == "required"
    description = by_role.get("description")
    if description is None and required_cell is not None and (said := _AFTER_REQUIRED.match(required_cell.text)):
        description = required_cell._replace(text=said[1], column=required_cell.column + said.start(1))
    remark = _REMARK_ON_TYPE.fullmatch(type_cell.text) if type_cell is not None else None
    if type_cell is not None and remark is not None and (description is None or not description.text):
        description = type_cell._replace(text=remark[1], column=type_cell.column + remark.start(1))

    values = by_role.get("values")
    limits = values or by_role.get("limits")
    if limits is None and type_cell is not None and (limit := limit_in(type_text)):
        limits = type_cell._replace(text=limit)
    path, lines = source.path, source.lines

    def place(cell: Cell) -> Place:
        _, column, end, at = cell
        # A cell that a line break tore ends with its first line.
        end = min(max(end, column), len(lines[at]))
        return Place(path, at + 1, column + 1, at + 1, end + 1)

    def written(cell: Cell | None) -> PlacedText | None:
        return None if cell is None or plain_words(cell.text) in _NO_VALUE else PlacedText(cell.text, place(cell))

    default = written(by_role.get("default"))
    is_default = columns.gives_default and required_cell is not None and not is_plain_requirement(required_cell.text)
    if is_default:
        required, default = False, written(required_cell)
    if "default" not in by_role and required_cell is not None and (given := _IN_REQUIRED.fullmatch(required_cell.text)):
        start = required_cell.column + given.start(1)
        default = PlacedText(given[1], source.place(required_cell.row, start, start + len(given[1])))
    if default is None and description is not None and (span := default_in_text(description.text)):
        column = description.column + span[0]
        default_place = source.place(description.row, column, min(column + span[1] - span[0], description.end))
        default = PlacedText(description.text[span[0] : span[1]], default_place)
    name_place = place(name_cell)
    return TableRow(
        name=name,
        path=path_of(name),
        type=type_text or None,
        schema=_schema_of(
            type_cell.text if type_cell is not None and type_text else "",
            description,
            limits,
            values,
            None if default is None else default.text,
        ),
        required=required,
        description=_describe(description, limits),
        place=name_place,
        type_place=place(type_cell) if type_cell is not None else name_place,
        required_place=place(required_cell) if required_cell is not None else name_place,
        required_text="" if required_cell is None else "no" if is_default else required_cell.text,
        default=default,
        example=written(by_role.get("example")),
    )


def _describe(description: Cell | None, limits: Cell | None) -> str:
    """Return the description of a value in a row, with the limits that are in their own column."""
    said = "" if description is None else description.text.replace("\\|", "|")
    said = re.sub(" {2,}", " ", said) if "  " in said else said
    limited = "" if limits is None or limits.text in DASHES else limits.text.replace("\\|", "|")
    return f"{said} ({limited})".strip() if limited and said else said or limited


def _schema_of(
    type_text: str, description: Cell | None, limits: Cell | None, values: Cell | None, default: str | None
) -> Mapping[str, JsonValue] | None:
    """Return the schema of a type; for text, with the values that the description or the limits list."""
    schema = read_type(type_text) if type_text else None
    is_enum = type_text.strip("`").lower() == "enum"
    if schema is None and is_enum and limits is not None and (quoted := quoted_values(limits.text)):
        return {"enum": quoted}
    if schema is None and is_enum and description and description.text.count("`") > 2:
        schema = {"type": "string"}  # one of the values in the description
    elif schema is None and is_enum and description and (bare := listed_values(description.text, is_enum=True)):
        return {"enum": list(bare)}
    if values is not None and schema == {"type": "string"} and (listed := only_values(values.text)):
        return {"enum": listed}
    for cell in (description, limits) if schema == {"type": "string"} else ():
        if cell is not None and "`" in cell.text:
            found = listed_values(cell.text, is_enum="enum" in type_text.lower() or cell is limits)
            if found:
                return {"enum": list(found)}
    words = listed_words(description.text, default) if schema == {"type": "string"} and description else None
    return {"enum": list(words)} if words else schema


def path_of(name: str) -> tuple[str, ...]:
    """Return the steps of a dotted name: `issues[].line` is `("issues", "[]", "line")`."""
    if "." not in name and "[]" not in name:
        return (name,)
    steps = tuple(step for piece in name.replace("[]", ".[].").split(".") if (step := piece.strip()))
    return steps if 0 < len(steps) <= _MOST_STEPS else (name,)


def plain_name(text: str) -> str:
    """Return a name without code marks, emphasis and trailing notes such as `*` or `(required)`."""
    if text[:1] == text[-1:] == "`" and text.count("`") == 2 < len(text):
        return text[1:-1].strip()
    span = _NAME_IN_CODE.match(text)
    if span and _ANOTHER_NAME.match(text, span.end()):
        return text.replace("`", "").strip("*_ ")
    if span:
        return span[1].strip()
    text = text.replace("\\_", "_").strip("*_` ")
    if text.endswith(")"):
        text = text.partition("(")[0]
    return text.strip(" *?")


def _read_required(cells: Mapping[str, Cell], *, states_optional: bool) -> bool | None:
    """Whether a row says that it is required; None if it does not say, or is ambiguous."""
    flag = cells.get("required")
    if flag is not None:
        return read_requirement(flag.text, states_optional=states_optional).is_required
    default = cells.get("default")
    if default is not None:
        word = plain_words(default.text)
        if word.strip("()") == "required":
            return True
        if word not in DASHES or "`" in default.text:
            return False
    said = cells.get("description")
    return True if said is not None and _SAYS_REQUIRED.search(said.text) else None
