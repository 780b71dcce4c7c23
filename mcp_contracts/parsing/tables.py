"""Parameter tables: cells torn by a pipe rejoined, columns recognised, rows read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mcp_contracts.contract import Table, TableRow
from mcp_contracts.parsing.markdown import TableBlock, split_cells
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.parsing.types import clean_type, read_type

_COLUMNS = {
    "name": ("parameter", "parameters", "parameter name", "name", "field", "field name", "argument", "property", "key",
             "param", "input", "output", "option"),
    "type": ("type", "data type", "json type", "schema type", "types"),
    "required": ("required", "req", "required?", "mandatory", "requirement", "optional"),
    "default": ("default", "default value", "defaults"),
    "description": ("description", "contract", "meaning", "notes", "details", "purpose", "summary", "desc"),
    "example": ("example value", "example", "examples", "sample", "example values"),
}  # fmt: skip
_ROLE_OF = {title: role for role, titles in _COLUMNS.items() for title in titles}
_YES = ("yes", "y", "true", "required", "✓", "✔", "✅", "x", "mandatory", "always", "*", "●")
_NO = ("no", "n", "false", "optional", "", "✗", "✘", "❌", "-", "—", "–", "--", "never", "☐")
_DASHES = ("", "-", "—", "–", "--", "---", "n/a", "_none_")
_REQUIRED_WORD = re.compile(r"(yes|no|required|optional|true|false)\b[\s.,;:—–-]*", re.IGNORECASE)


class Cell(NamedTuple):
    """A cell's text and its column (from 0) in the line."""

    text: str
    column: int


def columns_of(source: SourceText, block: TableBlock) -> list[str]:
    """The role of each column of a table: name, type, required, default, description, example, or `""`."""
    titles = [re.sub(r"[*_`:]", "", text).strip().lower() for text, _ in split_cells(source.lines[block.row])]
    return [_ROLE_OF.get(title, "") for title in titles]


def header_of(source: SourceText, block: TableBlock) -> list[str]:
    """The titles of a table's columns, as written."""
    return [text for text, _ in split_cells(source.lines[block.row])]


def is_parameter_table(source: SourceText, block: TableBlock) -> bool:
    """Whether the first column names things and another one gives their type."""
    columns = columns_of(source, block)
    return columns[:1] == ["name"] and "type" in columns


def read_table(source: SourceText, block: TableBlock) -> Table:
    """The rows of a parameter table."""
    columns = columns_of(source, block)
    inverted = any(text.lower() == "optional" for text in header_of(source, block))
    rows = []
    for row in range(block.row + 2, block.end):
        line = source.lines[row]
        cells = rejoined([Cell(*cell) for cell in split_cells(line)], columns)
        read = _row(source, row, cells, columns, inverted=inverted)
        if read is not None:
            rows.append(read)
    return Table(tuple(rows), source.place(block.row, end_row=block.end - 1))


def rejoined(cells: Sequence[Cell], columns: Sequence[str]) -> list[Cell]:
    """The cells as the author meant them.

    An unescaped pipe inside a code span tears a cell in two, and what follows moves one column to the left; then later
    columns were run together to make the count right. Cells are joined while their backticks are unbalanced, and a
    cell that begins with the `Required` column's word (or a code span of a default) is cut after it.
    """
    joined: list[Cell] = []
    for cell in cells:
        if joined and joined[-1].text.count("`") % 2:
            before = joined[-1]
            joined[-1] = Cell(f"{before.text.rstrip(chr(92)).rstrip()} | {cell.text}", before.column)
        else:
            joined.append(cell)
    if len(joined) >= len(columns) or len(joined) == len(cells):
        return joined
    result: list[Cell] = []
    missing = len(columns) - len(joined)
    for cell in joined:
        cut = _cut(cell.text, columns[len(result)]) if missing and len(result) < len(columns) else 0
        if cut:
            rest = cell.text[cut:]
            result.append(Cell(cell.text[:cut].strip(), cell.column))
            result.append(Cell(rest.strip(), cell.column + cut + len(rest) - len(rest.lstrip())))
            missing -= 1
        else:
            result.append(cell)
    return result


def _cut(text: str, role: str) -> int:
    """Where a cell that swallowed its right neighbour ends, or 0."""
    if role == "required":
        match = _REQUIRED_WORD.match(text)
        return match.end() if match and match.end() < len(text) else 0
    if role in ("type", "default") and text.startswith("`"):
        close = text.find("`", 1)
        return close + 1 if 0 < close < len(text) - 1 else 0
    if role == "description":
        last = re.search(r"`[^`]*`$", text)
        return last.start() if last and last.start() > 0 else 0
    return 0


def _row(
    source: SourceText, row: int, cells: Sequence[Cell], columns: Sequence[str], *, inverted: bool
) -> TableRow | None:
    by_role: dict[str, Cell] = {}
    for role, cell in zip(columns, cells, strict=False):
        if role and role not in by_role:
            by_role[role] = cell
    name = by_role.get("name")
    plain = "" if name is None else plain_name(name.text)
    if name is None or not plain or set(plain) <= set("-:—–. "):
        return None
    path = tuple(part for piece in plain.replace("[]", ".[]").split(".") if (part := piece.strip()))
    written = by_role.get("type")
    type_text = clean_type(written.text) if written is not None else ""
    required = _required(by_role, inverted=inverted)
    if required is None and re.search(r"\boptional\b", type_text, re.IGNORECASE):
        required = False
    elif required is None and re.search(r"\brequired\b", type_text, re.IGNORECASE):
        required = True
    description = by_role.get("description")

    def at(cell: Cell | None) -> tuple[int, int] | None:
        return None if cell is None else (cell.column, cell.column + len(cell.text))

    name_place = source.place(row, *(at(name) or (0, 0)))
    type_at, required_at = at(written), at(by_role.get("required"))
    return TableRow(
        name=plain,
        path=path or (plain,),
        type=type_text or None,
        schema=read_type(type_text) if type_text else None,
        required=required,
        description="" if description is None else description.text,
        place=name_place,
        type_place=source.place(row, *type_at) if type_at else name_place,
        required_place=source.place(row, *required_at) if required_at else name_place,
    )


def plain_name(text: str) -> str:
    """A name without code marks, emphasis and trailing notes such as `*` or `(required)`."""
    span = re.match(r"[*_]*`([^`]+)`", text)
    if span:
        return span[1].strip()
    return re.sub(r"\s*\(.*\)$", "", text.replace("\\_", "_").strip("*_ ")).strip(" *?")


def _required(cells: dict[str, Cell], *, inverted: bool) -> bool | None:
    flag = cells.get("required")
    if flag is not None:
        word = re.sub(r"[*_`]", "", flag.text).strip().lower()
        first = re.split(r"[\s,(;]", word, maxsplit=1)[0] if word else ""
        if word in _YES or first in _YES:
            return not inverted
        if word in _NO or first in _NO:
            return inverted
        return None
    default = cells.get("default")
    if default is not None:
        word = re.sub(r"[*_`]", "", default.text).strip().lower()
        if word == "required":
            return True
        if word not in _DASHES or "`" in default.text:
            return False
    return None
