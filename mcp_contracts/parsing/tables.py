"""Parameter tables: cells torn by a pipe rejoined, columns recognised, rows read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from mcp_contracts.contract import Table, TableRow
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.block_rules import split_cells
from mcp_contracts.parsing.markdown import TableBlock
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.parsing.types import clean_type, read_type

_COLUMNS = {
    "name": ("parameter", "parameters", "parameter name", "name", "field", "field name", "argument", "property", "key",
             "param", "input", "output", "option"),
    "type": ("type", "data type", "json type", "schema type", "types"),
    "required": ("required", "req", "required?", "mandatory", "requirement", "optional", "optional?"),
    "default": ("default", "default value", "defaults"),
    "description": ("description", "contract", "meaning", "notes", "details", "purpose", "summary", "desc"),
    "example": ("example value", "example", "examples", "sample", "example values"),
}  # fmt: skip
_ROLE_OF = {title: role for role, titles in _COLUMNS.items() for title in titles}
_YES = frozenset(("yes", "y", "true", "required", "✓", "✔", "✅", "x", "mandatory", "always", "●"))
_NO = frozenset(("no", "n", "false", "optional", "", "✗", "✘", "❌", "-", "—", "–", "--", "never", "☐"))
_DASHES = frozenset(("", "-", "—", "–", "--", "---", "n/a"))
_REQUIRED_WORD = re.compile(r"(yes|no|required|optional|true|false)\b[\s.,;:—–-]*", re.IGNORECASE)
_NAME_IN_CODE = re.compile(r"[*_]*`([^`]+)`")
_MOST_STEPS = 32
_STATED_IN_TYPE = re.compile(r"\b(optional|required)\b", re.IGNORECASE)


class Cell(NamedTuple):
    """A cell's text, and where it stands in its row (columns from 0, the end exclusive)."""

    text: str
    column: int
    end: int


class Columns(NamedTuple):
    """What the columns of a table are about.

    `roles` are name, type, required, default, description, example, or `""`. `states_optional` is for a column that
    says `Optional` where others say `Required`.
    """

    roles: tuple[str, ...]
    states_optional: bool


def cells_of(line: Line) -> list[Cell]:
    """The cells of a row."""
    cells = []
    for start, end in split_cells(line.text):
        text = line.text[start:end].strip()
        column = line.column + (line.text.find(text, start) if text else start)
        cells.append(Cell(text, column, column + len(text)))
    return cells


@lru_cache(maxsize=256)
def columns_of(header: str) -> Columns:
    """What the columns below a header are about."""
    titles = [re.sub(r"[*_`:]", "", header[start:end]).strip().lower() for start, end in split_cells(header)]
    roles = tuple(_ROLE_OF.get(title, "") for title in titles)
    return Columns(roles, any(title.startswith("optional") for title in titles))


def is_parameter_table(block: TableBlock) -> bool:
    """Whether the first column names things and another one gives their type."""
    roles = columns_of(block.lines[0].text).roles
    return roles[0] == "name" and "type" in roles


def read_table(source: SourceText, block: TableBlock) -> Table:
    """The rows of a parameter table."""
    columns = columns_of(block.lines[0].text)
    rows = []
    for line in block.lines[2:]:
        row = _row(source, line, rejoined(cells_of(line), columns.roles), columns)
        if row is not None:
            rows.append(row)
    first, last = block.lines[0], block.lines[-1]
    place = source.place(first.row, first.column, last.column + len(last.text), end_row=last.row)
    return Table(tuple(rows), place)


def rejoined(cells: Sequence[Cell], roles: Sequence[str]) -> Sequence[Cell]:
    """The cells as the author meant them.

    An unescaped pipe inside a code span tears a cell in two, and what follows moves one column to the left; then later
    columns were run together to make the count right. Cells are joined from one with an open code span to the one
    that closes it, and a cell that begins with the `Required` column's word (or a code span of a default) is cut after
    it.
    """
    torn = [index for index, cell in enumerate(cells) if cell.text.count("`") % 2]
    if len(torn) < 2:
        return cells
    joined: list[Cell] = []
    at = 0
    for opening, closing in zip(torn[::2], torn[1::2], strict=False):
        joined.extend(cells[at:opening])
        parts = [cell.text.rstrip("\\").rstrip() for cell in cells[opening:closing]]
        joined.append(Cell(" | ".join([*parts, cells[closing].text]), cells[opening].column, cells[closing].end))
        at = closing + 1
    joined.extend(cells[at:])
    missing = len(roles) - len(joined)
    result: list[Cell] = []
    for cell in joined:
        cut = _cut(cell.text, roles[len(result) :]) if missing > 0 else 0
        if cut:
            text, rest = cell.text[:cut].rstrip(), cell.text[cut:].strip()
            result.append(Cell(text, cell.column, cell.end - len(cell.text) + len(text)))
            result.append(Cell(rest, cell.end - len(rest), cell.end))
            missing -= 1
        else:
            result.append(cell)
    return result


def _cut(text: str, roles: Sequence[str]) -> int:
    """Where a cell that swallowed its right neighbour ends, or 0. `roles` are its own and those to the right."""
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


def _row(source: SourceText, line: Line, cells: Sequence[Cell], columns: Columns) -> TableRow | None:
    by_role: dict[str, Cell] = {}
    for role, cell in zip(columns.roles, cells, strict=False):
        if role and role not in by_role:
            by_role[role] = cell
    name_cell = by_role.get("name")
    if name_cell is None:
        return None
    name = plain_name(name_cell.text)
    if not name.strip("-:—–. "):
        return None
    type_cell, required_cell = by_role.get("type"), by_role.get("required")
    type_text = clean_type(type_cell.text) if type_cell is not None else ""
    required = _required(by_role, states_optional=columns.states_optional)
    if required is None and (stated := _STATED_IN_TYPE.search(type_text)):
        required = stated[1].lower() == "required"
    description = by_role.get("description")

    def place(cell: Cell) -> Place:
        return source.place(line.row, cell.column, cell.end)

    name_place = place(name_cell)
    return TableRow(
        name=name,
        path=path_of(name),
        type=type_text or None,
        schema=read_type(type_text) if type_text else None,
        required=required,
        description="" if description is None else description.text.replace("\\|", "|"),
        place=name_place,
        type_place=place(type_cell) if type_cell is not None else name_place,
        required_place=place(required_cell) if required_cell is not None else name_place,
    )


def path_of(name: str) -> tuple[str, ...]:
    """A dotted name in its steps: `issues[].line` is `("issues", "[]", "line")`."""
    if "." not in name and "[]" not in name:
        return (name,)
    steps = tuple(step for piece in name.replace("[]", ".[].").split(".") if (step := piece.strip()))
    return steps if 0 < len(steps) <= _MOST_STEPS else (name,)


def plain_name(text: str) -> str:
    """A name without code marks, emphasis and trailing notes such as `*` or `(required)`."""
    span = _NAME_IN_CODE.match(text)
    if span:
        return span[1].strip()
    text = text.replace("\\_", "_").strip("*_ ")
    if text.endswith(")"):
        text = text.partition("(")[0]
    return text.strip(" *?")


def _required(cells: Mapping[str, Cell], *, states_optional: bool) -> bool | None:
    """Whether a row says that it is required; None where it says nothing, or something that nobody can tell."""
    flag = cells.get("required")
    if flag is not None:
        word = _word(flag.text)
        first = re.split(r"[\s,.(;:]", word, maxsplit=1)[0]
        if word in _YES or first in _YES:
            return not states_optional
        return states_optional if word in _NO or first in _NO else None
    default = cells.get("default")
    if default is not None:
        word = _word(default.text)
        if word == "required":
            return True
        if word not in _DASHES or "`" in default.text:
            return False
    return None


def _word(text: str) -> str:
    """A cell's text without marks, in lower case."""
    return re.sub(r"[*_`]", "", text).strip().lower()
