"""Determines the schemas of a tool in an older dialect, from a fence, a table, bullets or a signature."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SchemaOrigin, SchemaPart, Table, TableRow
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.parsing.canonical import empty_input
from mcp_contracts.parsing.leads import speaks_of_parameters
from mcp_contracts.parsing.legacy.reading import INPUT, OUTPUT, Reading
from mcp_contracts.parsing.parameters.code_text import Code
from mcp_contracts.parsing.parameters.derive import derive_schema
from mcp_contracts.parsing.parameters.signatures import meant_type
from mcp_contracts.parsing.parameters.typed_signatures import Signature, typed_signature
from mcp_contracts.records import replace


def settle_schemas(reading: Reading) -> None:
    """Determine the schemas that no fence states: from the table, from bullets and signatures, or none."""
    table = reading.tables.get("input")
    names = frozenset(row.name for row in reading.rows)
    is_in_prose = reading.has_prose_parameters and any(
        speaks_of_parameters(text, names) for text in reading.description
    )
    if (is_in_prose or reading.has_unread_prose) and not any(row.schema for row in reading.rows):
        reading.rows.clear()  # only a part of them is read
    reading.rows = _with_read_types(reading.rows)
    in_heading = _signature_in_heading(reading)
    for signature in (in_heading, reading.signature):
        _read_signature(reading, signature)
    reading.signature = in_heading or reading.signature
    if not reading.rows and not reading.sections and _TAKES_NOTHING.search(reading.raw.heading.text):
        reading.states_no_parameters = True
    if reading.signature is not None and reading.input is None and table is None:
        reading.rows = _merge(reading.rows, reading.signature.rows)
    elif reading.signature is not None and table is not None and not any(row.type for row in table.rows):
        table = reading.tables["input"] = replace(table, rows=tuple(_merge(table.rows, reading.signature.rows)))
    elif reading.signature is not None and table is not None and not any(row.required_text for row in table.rows):
        merged = _merge(table.rows, reading.signature.rows)[: len(table.rows)]  # the rules compare the names
        table = reading.tables["input"] = replace(table, rows=tuple(merged))
    if reading.input is None and table is None and reading.rows:
        place = reading.places.get("input", reading.raw.name_place)
        if _MARKING_HEADING.search(reading.source.text):
            reading.rows = _with_marks_of_heading(reading.rows, reading.raw.heading.text)
        reading.rows = _with_implied_requirements(reading.rows, reading.source.text)
        table = reading.tables["input"] = Table(tuple(reading.rows), place, "list")
        reading.input = derive_schema(table, "input", SchemaOrigin.PROSE)
        if reading.is_open and isinstance(reading.input.value, dict):
            reading.input = replace(reading.input, value={**reading.input.value, "additionalProperties": {}})
    elif reading.input is None and table is not None:
        reading.input = derive_schema(table, "input", SchemaOrigin.TABLE)
    elif reading.input is None and reading.states_no_parameters:
        reading.input = empty_input(reading.places.get("input", reading.raw.name_place))
    elif table is None and reading.input is not None and reading.input.origin is SchemaOrigin.SCHEMA:
        _read_beside(reading, reading.input)
    output = reading.tables.get("output")
    if reading.output is None and output is not None:
        origin = SchemaOrigin.PROSE if output.kind == "code" else SchemaOrigin.TABLE
        reading.output = derive_schema(output, "output", origin)
    if reading.output is None and output is None:
        _settle_output(reading)
    said = reading.places.pop("prose_input", None)
    if reading.input is None:
        shown = next((fence for fence, _, _ in reading.fences if fence.content.lstrip().startswith("{")), None)
        unread = reading.places.pop("input", None) or (reading.untyped[0].place if reading.untyped else None)
        is_result = any(_NOUN.match(text) for text in reading.description[:1])
        if unread is None and shown is not None and not reading.sections and not is_result:
            unread = reading.source.place(shown.row)
        is_filled = any(one.about == INPUT and any(map(str.strip, one.text)) for one in reading.sections)
        if reading.unread is not None or reading.is_partly_read:
            reading.places["unread_input"] = reading.places["open_input"] = unread or reading.raw.name_place
        elif (
            (said := said or unread) is not None
            or (is_filled and not reading.faults)
            or any(map(speaks_of_parameters, reading.description))
            or _NAMED_CALL.search(reading.raw.heading.text)
            or any(_mentions_names(reading, text) for one in reading.sections if one.about is None for text in one.text)
        ):
            reading.places["prose_input"] = said or reading.raw.name_place
    elif reading.unread is not None:
        what, place = reading.unread
        message = f"this {what} of parameters is in a form that is not supported, so it is not checked"
        reading.faults.append(Fault(FaultKind.PARTLY_READ, message, place, _HINT, "input"))


_NAMED_CALL = re.compile(r"\w\(\s*[\w{\[]")
"""A call in a heading that names its parameters, which gives no types."""
_HINT = "write a table with the columns Parameter, Type, Required and Description, or a JSON Schema"


_MENTIONED = re.compile(r"`(?:[\w.]*\((?=\s*[^\s)]))?[{\s]*(?P<name>[A-Za-z_]\w*)\??(?:`|\s*[:=,}){]|\s+[A-Z(])")


def _with_marks_of_heading(rows: Sequence[TableRow], heading: str) -> list[TableRow]:
    """Return rows with the requirements of a heading, in a file whose headings mark optional parameters with `?`."""
    call = _MARKED_CALL.search(heading)
    marks = {one[1]: not one[2] for one in _MARKED_NAME.finditer(call[1])} if call is not None else {}
    return [
        replace(row, required=marks[row.name] and row.default is None)
        if row.required is None and row.name in marks
        else row
        for row in rows
    ]


_MARKING_HEADING = re.compile(r"^#{1,6} [^(\n]{1,100}\w\((?:\w+\??, ?){0,30}\w+\?[,)]", re.MULTILINE)
"""A heading such as `## find(word, limit?)`."""
_MARKED_CALL = re.compile(r"\w\((\w+\??(?:, ?\w+\??){0,30})\)")
_MARKED_NAME = re.compile(r"(\w+)(\?)?")


def _with_implied_requirements(rows: Sequence[TableRow], text: str) -> list[TableRow]:
    """Return the rows of a list in which only some are marked, all of these alike: the others are the opposite.

    If another list in the file has `limit?: integer`, what has no question mark is required.
    """
    stated = {row.required for row in rows if len(row.path) == 1} - {None}
    if not stated and all(row.type for row in rows) and _MARKED_OPTIONAL.search(text):
        stated = {False}
    if len(stated) != 1:
        return list(rows)
    [is_required] = stated
    return [
        replace(row, required=not is_required)
        if row.required is None and len(row.path) == 1 and not _CONDITIONAL.search(row.description[:_SHORT])
        else row
        for row in rows
    ]


_MARKED_OPTIONAL = re.compile(r"^[ \t]*[-*+] `?[A-Za-z_]\w*\?`?:", re.MULTILINE)
_SHORT = 100
_CONDITIONAL = re.compile(
    r"\b(?:if|when|unless|only|either|one of|optional\w*|required|default\w*|omit\w*)\b", re.IGNORECASE
)


def _with_read_types(rows: list[TableRow]) -> list[TableRow]:
    """Return the items of a list. If most have no type, text in the place of a type describes the value."""
    readable = sum(row.schema is not None for row in rows)
    unreadable = sum(row.type is not None and row.schema is None for row in rows)
    if not unreadable or readable * 2 >= len(rows):
        return rows
    is_mixed = readable == 0 and any(row.type is None for row in rows)
    return [
        replace(row, type=None, description=f"{row.type} {row.description}".strip())
        if row.type is not None
        and row.schema is None
        and (" " in row.type or (is_mixed and meant_type(row.type) is None))
        else row
        for row in rows
    ]


def _mentions_names(reading: Reading, text: str) -> bool:
    """Whether text mentions names in code that may be parameters: bare, with a type or a value, or in a call."""
    own = reading.raw.name.rpartition(".")[2]
    return any(match["name"] != own for match in _MENTIONED.finditer(text[:2_000]))


_NOUN = re.compile(r"(?:The|An?|All|Your|Every|Each) ")
"""A description that states what the tool returns, like the object below it."""


def _read_beside(reading: Reading, part: SchemaPart) -> None:
    """Read the lines next to a schema as a list of its parameters, and as descriptions of them."""
    properties = part.value.get("properties") if isinstance(part.value, dict) else None
    if not isinstance(part.value, dict) or not isinstance(properties, dict):
        return
    rows = [row for row in reading.rows if row.name in properties]
    if not rows or len(rows) * 2 < len(reading.rows):
        return
    reading.tables["input"] = Table(tuple(reading.rows), rows[0].place, "list")
    described = dict(properties)
    for row in rows:
        own = properties[row.name]
        said = _SAYS_DEFAULT.sub("", row.description).strip(" .,;")  # the row has the default
        if said and isinstance(own, dict) and "description" not in own:
            described[row.name] = {**own, "description": said}
    reading.input = replace(part, value={**part.value, "properties": described})


_SAYS_DEFAULT = re.compile(r"[,;(]? ?\bdefaults?\b[^.;()]*\)?", re.IGNORECASE)


def _settle_output(reading: Reading) -> None:
    """Take the fields of the result from a list or a line, if each of them has a readable type."""
    rows = reading.output_rows
    if not rows:
        return
    if len({row.path for row in rows}) == len(rows) and all(row.schema is not None for row in rows):
        reading.output = derive_schema(Table(tuple(rows), rows[0].place, "list"), "output", SchemaOrigin.PROSE)
        reading.output_rows = []
    else:
        readable = sum(row.schema is not None and row.schema.keys().isdisjoint(("const", "enum")) for row in rows)
        has_types = readable > 0 and readable * 2 >= len(rows)
        reading.output_rows = [
            row
            for row in rows
            if row.type and row.schema is None and (meant_type(row.type) or (has_types and _WORD.fullmatch(row.type)))
        ]


_WORD = re.compile(r"[a-z][a-z0-9_]+")
"""A word that is a type if the other fields of the list have types; a capitalized one is that of a class."""


def _signature_in_heading(reading: Reading) -> Signature | None:
    """Return the signature in the heading of the tool, if it gives types."""
    heading = reading.raw.heading
    if (call := _TYPED_CALL.search(heading.text)) is None:
        return None
    code = Code.of(reading.source, call["call"], heading.line.row, column=heading.line.column + call.start("call"))
    return typed_signature(code, reading.raw.name)


_TAKES_NOTHING = re.compile(r"\w\(\)\s*(?:->|→|=>|:)\s*\w")
"""A signature with a result and without parameters: `list_all() -> list[str]`."""
_TYPED_CALL = re.compile(r"(?:`|\s|^|\*\*)(?P<call>[\w.]++\((?=[^`:]{0,300}+:[^`)]{0,1000}+\))(?:[^`*]|\*(?!\*))*+)")


def _read_signature(reading: Reading, signature: Signature | None) -> None:
    """Read a signature, if nothing else states parameters."""
    if signature is None:
        return
    names = {row.name for row in signature.rows}
    if reading.untyped and sum(row.name in names for row in reading.untyped) * 2 >= len(reading.untyped):
        reading.rows = reading.rows or _merge(reading.untyped, signature.rows)
    if not reading.rows and not reading.states_no_parameters and not reading.tables and reading.input is None:
        reading.rows.extend(signature.rows)
        reading.states_no_parameters = not signature.rows
        reading.places.setdefault("input", signature.place)
    if signature.returns and not any(section.about == OUTPUT for section in reading.sections):
        reading.begin("Returns", signature.place, OUTPUT)
        reading.fill(signature.returns)


def _merge(listed: Sequence[TableRow], declared: Sequence[TableRow]) -> list[TableRow]:
    """Return the parameters of a list, each completed with what only a signature states.

    Parameters that only one of the two has are unchanged.
    """
    by_path = {row.path: row for row in declared}
    merged = []
    own = {row.path for row in listed}
    for row in listed:
        known = by_path.get(row.path)
        if known is not None and known is not row:
            if row.type is None or (known.type is not None and known.schema is None):
                row = replace(row, type=known.type, schema=known.schema, type_place=known.type_place)
            row = replace(
                row,
                required=known.required if row.required is None else row.required,
                default=row.default or known.default,
                description=row.description or known.description,
            )
        merged.append(row)
    return [*merged, *(row for row in declared if row.path not in own)]


def tables_of(reading: Reading) -> tuple[Table, ...]:
    """Return the tables of the input and of the result, and the fields of the result without a readable type."""
    tables = [reading.tables[part] for part in ("input", "output") if part in reading.tables]
    if reading.output_rows:
        tables.append(Table(tuple(reading.output_rows), reading.output_rows[0].place))
    return tuple(tables)
