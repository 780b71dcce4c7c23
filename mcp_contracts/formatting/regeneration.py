"""The rows of a parameter table, regenerated from its schema, with the text that people wrote into its cells."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, SchemaPart
from mcp_contracts.parsing.parameters.cells import is_plain_requirement, read_requirement
from mcp_contracts.parsing.parameters.columns import columns_by_cells
from mcp_contracts.parsing.parameters.tables import path_of, plain_name
from mcp_contracts.parsing.spec import MAX_LINES
from mcp_contracts.records import dataclass, field
from mcp_contracts.schema.outline import ITEM, SchemaPlace, child_of, find_place, root_of
from mcp_contracts.schema.simple import properties_of
from mcp_contracts.writing.tables import table_cell
from mcp_contracts.writing.types import type_cell

_TITLES = {role: role.capitalize() for role in ("type", "required", "default", "description", "example")}
_ORDER = ("name", "type", "required", "default", "description", "example")
_PLAIN = re.compile(r"[A-Za-z_$][\w$-]*")
_DEEPEST = 3


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a table, the header first, and the alignments of its columns."""

    rows: list[list[str]]
    alignments: list[str] = field(default_factory=list)


@dataclass
class _Branch:
    """The content of a table at a path: its rows there, and the paths below."""

    rows: list[list[str]] = field(default_factory=list)
    below: dict[str, _Branch] = field(default_factory=dict)


@dataclass(frozen=True)  # without slots, for the cached property
class _Columns:
    """The roles of the columns of a table, and whether its part is the input."""

    roles: Sequence[str]
    part: SchemaPart

    @cached_property
    def at(self) -> Mapping[str, int]:
        """The first column of each role."""
        return {role: self.roles.index(role) for role in dict.fromkeys(self.roles) if role}


def new_grid(part: SchemaPart) -> Grid:
    """Return a new table for a schema."""
    name = "Parameter" if part.part == "input" else "Field"
    return regenerate_table(Grid([[name, "Type", "Required", "Description"]]), part, is_new=True)


def regenerate_table(grid: Grid, part: SchemaPart, *, is_new: bool = False) -> Grid:
    """Return a table with the names, types and requirements of the schema, in its order.

    Descriptions, examples and all other cells are kept; rows without a property stay at the end of their level. A table
    that is not plain (transposed, or with a column `Optional`) is returned unchanged, and no table has more rows than a
    file may have lines.
    """
    known = columns_by_cells(" | ".join(["", *grid.rows[0], ""]).strip(), grid.rows[1:])
    root = root_of(part.value)
    if known.name < 0 or "type" not in known.roles or known.states_optional or not root.names:
        return grid
    grid, roles = _complete(grid, [role if role in _ORDER else "" for role in known.roles], part)
    columns = _Columns(roles, part)
    tree = _Branch()
    for row in grid.rows[1:]:
        branch = tree
        for step in path_of(plain_name(row[columns.at["name"]])):
            branch = branch.below.setdefault(step, _Branch())
        branch.rows.append(row)
    rows = list(islice(_rows(tree, root, (), columns, is_whole=True, is_new=is_new), MAX_LINES))
    return Grid([_complete_header(grid.rows[0], columns), *rows], grid.alignments)


def update_table(grid: Grid, old: SchemaPart, new: SchemaPart) -> Grid:
    """Return the table of a schema, updated to a newer version of it.

    Cells that came from the old schema are taken from the new one, and rows of removed properties are removed. Cells
    that people wrote are kept.
    """
    if grid.rows == new_grid(old).rows:
        return new_grid(new)
    known = columns_by_cells(" | ".join(["", *grid.rows[0], ""]).strip(), grid.rows[1:])
    if known.name < 0:
        return regenerate_table(grid, new)
    described = [at for at, role in enumerate(known.roles) if role == "description"]
    rows = [grid.rows[0]]
    for row in grid.rows[1:]:
        path = path_of(plain_name(row[known.name]))
        before = find_place(old.value, root_of(old.value), path)
        if before is not None and find_place(new.value, root_of(new.value), path) is None:
            continue
        taken = "" if before is None else table_cell(_description(before))
        rows.append(["" if at in described and cell == taken else cell for at, cell in enumerate(row)])
    return regenerate_table(Grid(rows, grid.alignments), new)


def _complete(grid: Grid, roles: list[str], part: SchemaPart) -> tuple[Grid, list[str]]:
    """Return the table with the columns that the format requires, in its order unless the table has others."""
    rows = [list(row) for row in grid.rows]
    alignments = list(grid.alignments)
    due = [("description", True), ("required", part.part == "input")]
    for role, is_due in due:
        if is_due and role not in roles:
            at = max(index for index, known in enumerate(roles) if known and _ORDER.index(known) < _ORDER.index(role))
            roles.insert(at + 1, role)
            alignments.insert(at + 1, "---")
            for row in rows:
                row.insert(at + 1, "")
    if len(set(roles)) == len(roles) and "" not in roles:
        order = sorted(range(len(roles)), key=lambda index: _ORDER.index(roles[index]))
        rows = [[row[index] for index in order] for row in rows]
        alignments = [alignments[index] for index in order] if alignments else []
        roles = [roles[index] for index in order]
    return Grid(rows, alignments), roles


def _complete_header(header: Sequence[str], columns: _Columns) -> list[str]:
    titles = list(header)
    for role, at in columns.at.items():
        name = "Parameter" if columns.part.part == "input" else "Field"
        titles[at] = name if role == "name" else _TITLES[role]
    return titles


def _rows(
    branch: _Branch, place: SchemaPlace, path: tuple[str, ...], columns: _Columns, *, is_whole: bool, is_new: bool
) -> Iterator[list[str]]:
    """Yield the rows below a path, in the schema's order; with `is_whole`, one for every property."""
    if not (is_whole or branch.below):
        return
    root = columns.part.value
    declared = [name for schema in place.schemas for name in properties_of(schema)]
    missing = {name for name in declared if is_whole and name not in branch.below and _PLAIN.fullmatch(name)}
    known = [name for name in declared if name in branch.below or name in missing]
    for name in dict.fromkeys((*([ITEM] if ITEM in branch.below else []), *known, *branch.below)):
        inner = branch.below.get(name) or _Branch()
        child = child_of(root, place, name)
        here = (*path, name)
        if name in missing:
            yield _row([""] * len(columns.roles), here, child, place, columns)
        for row in inner.rows:
            yield _row(row, here, child, place, columns)
        if child is None:
            yield from _keep_rows(inner)
            continue
        steps = [step for step in inner.below if step != ITEM]
        is_deep = is_new and sum(step != ITEM for step in here) < _DEEPEST
        if is_new and is_deep and ITEM not in inner.below and _has_members(root, child):
            inner.below[ITEM] = _Branch()
        yield from _rows(inner, child, here, columns, is_whole=bool(steps) or is_deep, is_new=is_new)


def _has_members(root: JsonValue, place: SchemaPlace) -> bool:
    """Whether a place is an array whose items declare properties."""
    items = child_of(root, place, ITEM)
    return items is not None and not items.is_open


def _keep_rows(branch: _Branch) -> Iterator[list[str]]:
    """Yield the rows below a path that the schema does not mention."""
    for inner in branch.below.values():
        yield from inner.rows
        yield from _keep_rows(inner)


def _row(
    row: Sequence[str], path: tuple[str, ...], place: SchemaPlace | None, parent: SchemaPlace, columns: _Columns
) -> list[str]:
    """Return a row updated from the schema."""
    cells = list(row)
    name = cells[columns.at["name"]]
    said = plain_name(name)
    if not name or name == said:
        cells[columns.at["name"]] = f"`{said or '.'.join(path).replace(f'.{ITEM}', ITEM)}`"
    if place is None:
        return cells
    at = columns.at["type"]
    cells[at] = type_cell(cells[at], columns.part.value, place)
    if "required" in columns.at and path[-1] != ITEM:
        at = columns.at["required"]
        cells[at] = _requirement(cells[at], is_required=path[-1] in parent.required)
    at = columns.at["description"]
    if not cells[at]:
        cells[at] = table_cell(_description(place))
    return cells


def _requirement(cell: str, *, is_required: bool) -> str:
    """Return yes or no, unless the cell says more, such as a condition."""
    if cell and not is_plain_requirement(cell):
        stated = read_requirement(cell)
        if stated.is_required in (None, is_required):
            return cell
    return "yes" if is_required else "no"


def _description(place: SchemaPlace) -> str:
    said = next((schema["description"] for schema in place.schemas if isinstance(schema.get("description"), str)), "")
    text = said if isinstance(said, str) else json.dumps(said)
    return text.replace("{{", "{\\{")  # braces outside code are placeholders
