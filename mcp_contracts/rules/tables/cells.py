"""Rules about the rows and cells of parameter tables, and of bullets used as tables (MC330 to MC335)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue, PlacedText, SchemaOrigin, SchemaPart, SpecFile, SpecTool, Table, TableRow
from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.faults import FaultKind
from mcp_contracts.json_values.pointers import escape
from mcp_contracts.parsing.parameters.cells import default_in_text, read_requirement
from mcp_contracts.rule_names import nearest
from mcp_contracts.rules.base import findings_of, rule
from mcp_contracts.rules.tables.cell_values import CellValue, cell_value, may_reject, quotes_text
from mcp_contracts.rules.tables.repeated_names import repeated_names
from mcp_contracts.rules.wording import show
from mcp_contracts.schema.formats import wrong_formats
from mcp_contracts.schema.outline import child_of, find_place, root_of
from mcp_contracts.schema.vocabulary import ANNOTATIONS

_ODD_NAME = re.compile(r"[\s,;:/\\()'\"=<>|&%+!?{}]")


@rule("MC330", Severity.WARNING, since="0.2.0", needs=[FaultKind.MISSHAPEN_ROW])
def misshapen_row(tool: SpecTool) -> Iterator[Finding]:
    """A table row does not have one cell for each column.

    Markdown drops surplus cells and shows the others under the wrong headings. Usually, a `|` inside a cell is not
    escaped, a cell was forgotten, or a line break splits the row.
    """
    yield from findings_of(tool.faults, FaultKind.MISSHAPEN_ROW)


@rule("MC331", Severity.WARNING, since="0.2.0")
def duplicate_row(file: SpecFile) -> Iterator[Finding]:
    """A table or list names the same parameter twice.

    Only one of the two can be right, and readers cannot tell which.
    """
    for tool in file.tools:
        yield from _duplicate_rows(tool)
    for name, place, before in repeated_names(file):
        related = (Related(before, f"the first `{show(name)}`"),)
        yield Finding(f"the tool lists `{show(name)}` twice", "remove or rename one of the two", place, related=related)


def _duplicate_rows(tool: SpecTool) -> Iterator[Finding]:
    for table in tool.tables:
        first: dict[tuple[str, ...], TableRow] = {}
        for row in table.rows:
            before = first.setdefault(row.path, row)
            if before is not row:
                is_table = table.kind == "table"
                first_one = f"the first row of `{show(row.name)}`" if is_table else f"the first `{show(row.name)}`"
                message = f"the {table.kind} {'lists' if is_table else 'has'} `{show(row.name)}` twice"
                hint = f"remove or rename one of the two{' rows' if is_table else ''}"
                yield Finding(message, hint, row.place, related=(Related(before.place, first_one),))
    for section in tool.sections:
        if section.about == _RETURNS and tool.is_legacy:
            for name in dict.fromkeys(_find_repeated_names(section.text)):
                message = f"the result's fields list `{show(name)}` twice"
                yield Finding(message, "remove or rename one of the two", section.place)


def _find_repeated_names(text: str) -> Iterator[str]:
    """Return the names in code that occur twice in one list: between commas, or at the start of bullets."""
    runs = [re.findall(r"`([^`]+)`", match[0]) for match in _RUN.finditer(text)]
    runs.append([match[1] for part in text.split("\n\n") if (match := _LEADING.match(part)) is not None])
    for run in runs:
        yield from (name for index, name in enumerate(run) if name in run[:index])


_RETURNS = 4
_RUN = re.compile(r"`[A-Za-z_]\w*`(?: ?\([^()`]*\))?(?:(?:,| and|, and) `[A-Za-z_]\w*`(?: ?\([^()`]*\))?){2,}")
_LEADING = re.compile(r"(?:\*\*)?`([A-Za-z_]\w*)`(?:\*\*)? ?[(:–—-]")


@rule("MC332", Severity.WARNING, since="0.2.0")
def unreadable_required_cell(tool: SpecTool) -> Iterator[Finding]:
    """A cell of the `Required` column is neither yes nor no.

    Callers cannot tell whether to send the parameter. If that depends on another parameter, name the condition in the
    cell (`if …`, `unless …`). An empty cell means no, unless another cell of the column says no in words.
    """
    clear = {table.place for table, row in _whole_rows(tool) if row.required is False and row.required_text}
    for table, row in _whole_rows(tool):
        if not row.required_text and row.required_place != row.place and table.place in clear:
            message = f"the cell does not say whether `{show(row.name)}` is required, unlike other cells of the column"
            yield Finding(message, "write `yes` or `no`", row.required_place)
        elif not read_requirement(row.required_text).is_readable:
            said = row.required_text.strip("`* ") or row.required_text
            message = f"`{show(said)}` does not say whether `{show(row.name)}` is required"
            yield Finding(message, "write `yes` or `no`", row.required_place)


@rule("MC333", Severity.WARNING, since="0.2.0")
def cell_refused_by_type(tool: SpecTool) -> Iterator[Finding]:
    """A default or an example in a table or a signature does not match the type next to it, or the schema below it.

    One of the two is wrong. A model copies the example, and the call is rejected.
    """
    stated = [
        (table, row, subject, written)
        for table, row in _whole_rows(tool)
        if row.schema
        for subject, written in (("default", row.default), (_IN_WORDS, _default_in(row)), ("example", row.example))
        if written is not None
    ]
    quotes = quotes_text(row for _, row in _whole_rows(tool))
    for table, row, subject, written in stated:
        value = _value_in(row, written, quotes=quotes)
        if value is not None:
            found = list(_check_written_value(row, subject, written, value))
            yield from found or _against_schema(tool, table, row, subject, written, value)
        elif _is_broken_json(written.text):
            yield Finding(f"the {subject} of `{show(row.name)}` is not valid JSON", f"fix the {subject}", written.place)
    if not tool.signature:
        return
    rows = [row for table in tool.tables for row in table.rows]
    listed = {row.place for row in rows} | {row.default.place for row in rows if row.default is not None}
    for row in tool.signature:
        if row.default is not None and row.schema and listed.isdisjoint((row.place, row.default.place)):
            value = _value_in(row, row.default, quotes=True)
            yield from _check_written_value(row, "default", row.default, value) if value is not None else ()


def _is_broken_json(text: str) -> bool:
    """Whether text is meant as a JSON object or array, without placeholders, and can be read neither as JSON nor as
    Python."""
    plain = text.strip("` ")
    if _MEANT_AS_JSON.fullmatch(plain) is None or _WORD_OUTSIDE_STRINGS.search(_STRINGS.sub("", plain)):
        return False
    try:
        json.loads(plain)
    except ValueError:
        return True
    except RecursionError:
        return False
    return False


_MEANT_AS_JSON = re.compile(r"\{\s*\"[^`]*\}|\[\s*[\"{][^`]*\]")
_STRINGS = re.compile(r"\"(?:[^\"\\]|\\.)*\"")
_WORD_OUTSIDE_STRINGS = re.compile(r"(?!\b(?:true|false|null)\b)\b[A-Za-z_]\w*|\.\.\.|…|<|'|\d[eE]")
"""A placeholder, or a value in Python."""
_IN_WORDS = "default in the description"


def _default_in(row: TableRow) -> PlacedText | None:
    """Return the default that the description of a row states beside the column of defaults."""
    span = default_in_text(row.description)
    written = row.description[span[0] : span[1]] if span is not None else None
    is_same = written is None or (row.default is not None and row.default.text == written)
    return None if is_same or written is None else PlacedText(written, row.place)


def _whole_rows(tool: SpecTool) -> Iterator[tuple[Table, TableRow]]:
    """Yield the rows of a tool's tables, except those with cells under the wrong heading."""
    misshapen = _find_misshapen_rows(tool)
    for table in tool.tables:
        for row in table.rows:
            if row.place.line not in misshapen:
                yield table, row


def _find_misshapen_rows(tool: SpecTool) -> set[int]:
    """Return the lines of the rows that MC330 is about."""
    return {fault.place.line for fault in tool.faults if fault.kind is FaultKind.MISSHAPEN_ROW}


def _value_in(row: TableRow, written: PlacedText, *, quotes: bool) -> CellValue | None:
    return cell_value(written.text, row.schema, row.type or "", quotes=quotes) if row.schema else None


def _check_written_value(row: TableRow, subject: str, written: PlacedText, value: CellValue) -> Iterator[Finding]:
    schema = dict(row.schema or {})
    if schema.keys() == {"type"} and _is_plainly(schema["type"], value.value):
        return
    error = _find_error(schema, value.value, f"the {subject} of `{show(row.name)}`")
    if error is not None:
        yield Finding(error, f"fix the {subject} or the type", written.place)


def _find_error(schema: JsonValue, value: JsonValue, subject: str) -> str | None:
    """Return the first reason why a schema rejects a value, if it does."""
    from mcp_contracts.schema.validation.validators import compile_schema, instance_errors  # few tables state values

    errors = instance_errors(compile_schema(schema), value, subject=subject).errors
    return errors[0].message if errors else None


def _against_schema(
    tool: SpecTool, table: Table, row: TableRow, subject: str, written: PlacedText, value: CellValue
) -> Iterator[Finding]:
    """Yield a finding for a value in a cell that the schema below the table rejects, though its own type does not."""
    contract = tool.contract
    part = contract.input if table is tool.input_table else contract.output if table is tool.output_table else None
    root = part.value if part is not None and part.origin is SchemaOrigin.SCHEMA else None
    if not isinstance(root, dict):
        return
    properties = root.get("properties")
    schema = properties.get(row.name) if isinstance(properties, dict) else None
    pointer = f"/properties/{escape(row.name)}"
    if len(row.path) > 1:
        parent = find_place(root, root_of(root), row.path[:-1])
        found = child_of(root, parent, row.path[-1]) if parent is not None else None
        schema = found.schema if found is not None else None
        pointer = found.pointer if found is not None else pointer
    if not isinstance(schema, dict) or value.value is None:
        return
    for _, message in wrong_formats(schema, value.value):
        yield Finding(f"the {subject} of `{show(row.name)}` is wrong: {message}", None, written.place)
    if not may_reject(schema, value.value):
        return
    beside = ("$schema", "$defs", "definitions") if '"$ref"' in json.dumps(schema) else ("$schema",)
    whole: dict[str, JsonValue] = {key: root[key] for key in beside if key in root}
    whole |= {key: asked for key, asked in schema.items() if key not in ANNOTATIONS}
    error = _find_error(whole, value.value, f"the {subject} of `{show(row.name)}`")
    if error is not None and value.value != schema.get("default"):
        yield Finding(
            f"{error} in the schema",
            f"fix the {subject} or the schema",
            written.place,
            part.part if part else None,
            pointer,
        )


def _is_plainly(type_name: JsonValue, value: JsonValue) -> bool:
    """Whether a value definitely has a type, without compiling a schema that only states the type."""
    if isinstance(value, bool):
        return type_name == "boolean"
    kinds: dict[str, type | tuple[type, ...]] = {
        "string": str,
        "integer": int,
        "number": (int, float),
        "array": list,
        "object": dict,
    }
    return isinstance(type_name, str) and type_name in kinds and isinstance(value, kinds[type_name])


@rule("MC334", Severity.WARNING, since="0.2.0")
def odd_parameter_name(tool: SpecTool) -> Iterator[Finding]:
    """A table row does not name exactly one parameter or field.

    The name contains a space or punctuation, or it is a member (`address.city`) of something that has no row. Callers
    need an exact name for each argument and each field of a result, each in its own row.
    """
    for table, part in _find_derived_schemas(tool):
        what = "parameter" if part.part == "input" else "field"
        who = "a caller sends" if part.part == "input" else "a result has"
        for row in table.rows:
            if _ODD_NAME.search(row.name):
                message = f"`{show(row.name)}` is not the name of a single {what}"
                yield Finding(
                    message, f"write the name that {who}, with one row for each name", row.place, part=part.part
                )
        if table.kind == "table":
            yield from _without_parent(table, part)


def _without_parent(table: Table, part: SchemaPart) -> Iterator[Finding]:
    """Yield the rows of members whose parent has no row, if other parents have one."""
    rooted = {row.path[0] for row in table.rows if len(row.path) == 1}
    members = [row for row in table.rows if len(row.path) > 1]
    has_parents = any(row.path[0] in rooted for row in members)
    for parent in dict.fromkeys(row.path[0] for row in members if row.path[0] not in rooted):
        near = nearest(parent, rooted)
        if near is not None or has_parents:
            first = next(row for row in members if row.path[0] == parent)
            message = f"`{show(first.name)}` is a member of `{show(parent)}`, which has no row"
            hint = f"write `{show(near)}`" if near else f"add a row for `{show(parent)}`"
            yield Finding(message, hint, first.place, part=part.part)


@rule("MC335", Severity.NOTE, since="0.2.0")
def row_without_type(tool: SpecTool) -> Iterator[Finding]:
    """A parameter table or list states no type for a value.

    Without a type, every value is allowed and nothing is checked, so callers guess. A table or list without any types
    is reported once.
    """
    hint = "write its type (`string`, `integer`, …)"
    for table, part in _find_derived_schemas(tool):
        rows = [row for row in _untyped_rows(tool, table) if not _TYPE_IN_WORDS.match(row.description)]
        if len(rows) > 1 and len(rows) == len(table.rows):
            yield Finding(f"none of the {len(rows)} values has a type", hint, rows[0].type_place, part=part.part)
            continue
        for row in rows:
            yield Finding(f"`{show(row.name)}` has no type", hint, row.type_place, part=part.part)
        for row in table.rows:
            if not row.schema and row.type is not None and row.type.strip("`* ").lower() in _OF_VALUES:
                message = f"the type of `{show(row.name)}` is `{show(row.type)}`, and no values are listed"
                yield Finding(message, 'list them: `enum["a", "b"]`', row.type_place, part=part.part)


_OF_VALUES = frozenset(("enum", "enumeration", "choice", "select", "option"))
"""The types whose values are listed."""

_TYPE_IN_WORDS = re.compile(
    r"(?:an? )?(?:array|list) of \w"
    r"|an? (?:[\w-]+,? ){0,3}(?:string|integer|(?:whole )?number|boolean|object|array|list)s?\b(?! of the\b)",
    re.IGNORECASE,
)


def _untyped_rows(tool: SpecTool, table: Table) -> list[TableRow]:
    """Return the rows of a table that state neither a type nor values."""
    misshapen = _find_misshapen_rows(tool)
    rows = [row for row in table.rows if row.type is None and not row.schema and row.place.line not in misshapen]
    return [row for row in rows if not _has_members(row, table)]


def unreadable_types(tool: SpecTool) -> Iterator[Finding]:
    """Yield a finding for each type in a tool's tables that cannot be read (MC308)."""
    for table, row in _whole_rows(tool):
        if row.type is None or row.schema is not None or (tool.is_legacy and _is_notation(row.type)):
            continue
        near = nearest(row.type.lower(), _TYPES)
        hint = 'write a JSON Schema type (`string`, `array[string]`, `string or null`, `enum["a", "b"]`, …)'
        pointer = "".join("/items" if step == "[]" else f"/properties/{escape(step)}" for step in row.path)
        yield Finding(
            f"`{show(row.type)}` is not a type",
            f"write `{near}`" if near else hint,
            row.type_place,
            part="input" if table is tool.input_table else "output" if table is tool.output_table else None,
            pointer=f"{pointer}/type",
        )


def _is_notation(text: str) -> bool:
    """Whether a type may be written in a notation of its author: `[float x3]`, `enum or null`, `[Product]`, `1..50`."""
    match = _NOTATION.fullmatch(text)
    return match is not None and (match[1] is None or nearest(match[1].lower(), _TYPES) is None)


_NOTATION = re.compile(
    r"enum(?: or null| ?\| ?null)?|\[?([A-Z][a-z]\w*)\]?|\[(?:float|int|number|string) ?[x×*] ?\d+\]"
    r"|\[\d+ (?:float|int|integer|number|string)s\]"
    r"|\[[a-z]\w{0,2}(?:, ?[a-z]\w{0,2})+\]"
    r"|-?\d[\d.]{0,40} ?(?:\.{2,9}|[-~–]) ?-?\d[\d.]{0,40}"
)
_TYPES = ("string", "number", "integer", "boolean", "object", "array", "null", "float")


def _find_derived_schemas(tool: SpecTool) -> Iterator[tuple[Table, SchemaPart]]:
    """Return the tables used as a schema, each with the schema derived from it."""
    for table, part in ((tool.input_table, tool.contract.input), (tool.output_table, tool.contract.output)):
        if table is not None and part is not None and part.origin is not SchemaOrigin.SCHEMA:
            yield table, part


def _has_members(row: TableRow, table: Table) -> bool:
    """Whether other rows describe its members: `filter.tags` for `filter`."""
    return any(other.path[: len(row.path)] == row.path for other in table.rows if other is not row)
