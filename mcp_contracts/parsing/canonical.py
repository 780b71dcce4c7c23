"""A tool in the canonical form: `## Tool: `name``, bold lines, numbered sections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import (
    ErrorType,
    Example,
    JsonValue,
    Migration,
    SchemaOrigin,
    SchemaPart,
    SpecTool,
    Table,
    ToolContract,
)
from mcp_contracts.diagnostics import Part, Place
from mcp_contracts.faults import Fault
from mcp_contracts.parsing.examples.code_spans import call_spans, is_code, parameter_types
from mcp_contracts.parsing.fields import (
    REPLACEMENT_LINES,
    Field,
    fields,
    first_code,
    idempotency_in_prose,
    line_fields,
    plain_idempotency,
    read_effects,
    read_flag,
    read_idempotent,
    read_list,
    read_status,
    with_status_lines,
)
from mcp_contracts.parsing.leads import only_says_no_parameters, says_no_parameters
from mcp_contracts.parsing.markdown.blocks import (
    Block,
    Fence,
    Heading,
    Html,
    ListBlock,
    Paragraph,
    TableBlock,
    flatten_blocks,
    is_content,
    items,
)
from mcp_contracts.parsing.parameters.tables import cells_of, is_parameter_table, plain_name, read_table
from mcp_contracts.parsing.raw import RawSection, RawTool
from mcp_contracts.parsing.schemas import is_data, read_example, schema_part
from mcp_contracts.parsing.text import Line, MappedLocator, SourceText
from mcp_contracts.sections import PROPERTY_LINES, PropertyLine, Section

# If the first of two words is definitely a type, both are read, so that the second one can be reported.
_ERROR_TYPE = re.compile(
    r"(?:\*\*)?(?:(?:Error )?(?:Code|Type)s?:? )?`([A-Za-z_][\w.:-]*|[A-Z][a-z]+[A-Z]\w* \w+)`(?:\*\*)?\s*+[:—–-]*\s*+"
)
_BARE_ERROR = re.compile(
    r"(?:\*\*|__)?([A-Z][A-Za-z0-9]{1,60}(?:Error|Exception|NotFound|Exceeded|Denied))(?:\*\*|__)?\s*(?:[:(—–]|-\s)"
)
_NOTHING = re.compile(
    r"(?:there are |this tool |the tool |it )?(?:(?:takes|requires|has|accepts|needs) )?(?:no|none|zero|nothing|n/?a)"
    r"(?: (?:input|required|further|tool|call))*(?: (?:param(?:eter)?s?|arg(?:ument)?s?|inputs?|propert(?:y|ies)))?"
    r"(?: (?:are |is )?(?:required|needed|accepted|taken|necessary|expected))?[.!]?"
    r"|(?:keine?s?|aucune?|rien|ningun[ao]|nessun[oa]|nenhuma?|geen|brak|inga?|yok|нет|немає|なし|無し|无|無"
    r"|(?:입력 )?없음|không)\.?",
    re.IGNORECASE,
)


def read_canonical(source: SourceText, raw: RawTool, deviations: tuple[str, ...] = ()) -> SpecTool:
    """Read a tool that has the sections of the canonical form; `deviations` lists how it differs from that form."""
    stated: dict[str, Field] = {}
    found = tuple(fields(source, raw.intro))
    for field in found:
        stated.setdefault(field.name, field)
    values = {name: field.value for name, field in stated.items()}
    places = {"name": raw.name_place, "extent": raw.extent}
    places.update((name.replace(" ", "_"), stated[name].place) for name in PROPERTY_LINES if name in stated)
    places.update(("replacement", stated[name].place) for name in reversed(REPLACEMENT_LINES) if name in stated)
    sections = tuple(_section(source, section) for section in raw.sections)
    for section in reversed(sections):
        if section.number is not None:
            places[f"section:{section.number}"] = section.place
    invocation = find_invocation_name(raw)
    if invocation is not None:
        places["invocation"] = source.place_in(invocation[1], invocation[2], invocation[2] + len(invocation[0]))
    input_table, input_part, input_faults = _schema(source, raw.blocks(3), "input")
    output_table, output_part, output_faults = _schema(source, raw.blocks(4), "output")
    idempotency = _idempotency(source, raw.blocks(6))
    if input_part is None and (unread := _unread(raw.blocks(3))) is not None:
        places["unread_input"] = _first_place(source, (unread,))
    if idempotency is not None:
        places["idempotency"] = idempotency.place
    examples, example_faults = _examples(
        source, raw.blocks(7), raw.name, parameter_types(input_part), has_messages=not deviations
    )
    if raw.blocks(1):
        places["description"] = _first_place(source, raw.blocks(1))
    contract = ToolContract(
        name=raw.name,
        place=raw.name_place,
        module=raw.module,
        source_name=values.get("source name") or None,
        title=values.get("title") or None,
        version=values.get("version"),
        description=description_of(source, raw.blocks(1)),
        status=with_status_lines(read_status(values["status"]), values) if "status" in values else None,
        effects=read_effects(values["effects"]) if "effects" in values else None,
        category=values.get("category"),
        tags=read_list(values.get("tags", "")),
        optional=read_flag(values.get("optional", "")),
        use_when=values.get("use when"),
        channels=read_list(values.get("channels", "")),
        input=input_part,
        output=output_part,
        errors=tuple(error_types(source, raw.blocks(5))),
        idempotent=read_idempotent(idempotency.value) if idempotency else None,
        security=section_text(source, raw.blocks(8)) or None,
        examples=examples,
        migrations=tuple(_migrations(source, raw.blocks(9))),
        places=places,
    )
    return SpecTool(
        contract=contract,
        lines=(raw.heading.row + 1, raw.end_row),
        heading=source.lines[raw.heading.row],
        sections=sections,
        input_table=input_table,
        output_table=output_table,
        invocation_name=None if invocation is None else invocation[0],
        idempotency_text=idempotency.value if idempotency else None,
        property_lines=tuple(PropertyLine(field.name, field.value, field.name_place, field.place) for field in found),
        unread_errors=tuple(_unread_errors(source, raw.blocks(5))),
        deviations=deviations,
        faults=(*input_faults, *output_faults, *example_faults),
    )


def _idempotency(source: SourceText, blocks: Sequence[Block]) -> Field | None:
    """Return the line that states whether a call may be repeated, in bold or not."""
    for field in fields(source, blocks):
        if field.name == "idempotent":
            return field
    for block in flatten_blocks(blocks):
        for line in block.lines if isinstance(block, Paragraph) else ():
            if (stated := plain_idempotency(source, line)) is not None:
                return stated
    first = next((block for block in flatten_blocks(blocks) if isinstance(block, Paragraph)), None)
    return None if first is None else idempotency_in_prose(source, first.lines[0])


def description_of(source: SourceText, blocks: Sequence[Block]) -> str:
    """Return the text of section 1 as written; for a single code block of `text`, its exact content."""
    said = [block for block in blocks if not (isinstance(block, Html) and block.is_comment)]
    block = said[0] if len(said) == 1 else None
    if isinstance(block, Fence) and block.language == "text" and block.is_closed:
        return block.content.removesuffix("\n")
    return section_text(source, blocks)


def section_text(source: SourceText, blocks: Sequence[Block]) -> str:
    """Return the text of some blocks as written, without comments."""
    parts = []
    for block in blocks:
        if isinstance(block, Paragraph):
            parts.append(block.text)
        elif not (isinstance(block, Html) and block.is_comment):
            parts.append("\n".join(source.lines[block.row : block.end]).rstrip())
    return "\n\n".join(part for part in parts if part)


def states_nothing(text: str) -> bool:
    """Whether text says that a tool takes no parameters."""
    plain = _REMARK.sub("", text[:200]).strip("*_()` ")
    return (
        plain.lower() in ("-", "—", "–", "empty")
        or _NOTHING.fullmatch(plain) is not None
        or only_says_no_parameters(plain)
    )


_REMARK = re.compile(
    r"(?<=\w) \((?![^()]*(?:`|\b(?:except|others?|but|unless|if|when|optional|besides|only|required|plus)\b))"
    r"[^()]*\)\W*$",
    re.IGNORECASE,
)
"""A remark after the word for no parameters, which names none: `None (clears all notifications)`."""


def empty_input(place: Place) -> SchemaPart:
    """Return the schema of a tool that states that it takes no parameters."""
    return SchemaPart("input", {"type": "object", "properties": {}}, SchemaOrigin.PROSE, MappedLocator(place, {}))


def _section(source: SourceText, section: RawSection) -> Section:
    content = [block for block in section.blocks if not (isinstance(block, Html) and block.is_comment)]
    return Section(
        number=section.number,
        title=section.title,
        place=source.place_in(section.heading.line),
        is_empty=not any(map(is_content, content)),
        text=section_text(source, content),
        about=section.meaning,
        level=section.heading.level,
    )


def _first_place(source: SourceText, blocks: Sequence[Block]) -> Place:
    """Return the place of the first line of some blocks."""
    first = blocks[0]
    if isinstance(first, Paragraph):
        return source.place_in(first.lines[0])
    line = source.lines[first.row]
    return source.place(first.row, len(line) - len(line.lstrip()), len(line.rstrip()))


def find_invocation_name(raw: RawTool) -> tuple[str, Line, int] | None:
    """Return the name in section 2, with its line and column: in code, or on its own line."""
    for block in flatten_blocks(raw.blocks(2)):
        if isinstance(block, Paragraph) and block.lines:
            line = block.lines[0]
            code = first_code(line)
            if code is not None:
                return code[0], line, code[1]
            if not re.search(r"\s", line.text) and line.text:
                return line.text, line, 0
        elif isinstance(block, Fence):
            written = block.content.partition("\n")[0]
            name = written.strip()
            if name:
                return name, Line(written, block.first_row, 0), 0
    return None


def _schema(
    source: SourceText, blocks: Sequence[Block], part: Part
) -> tuple[Table | None, SchemaPart | None, tuple[Fault, ...]]:
    """Return the table and the schema of a section.

    They come from its fences, its table or its bullets, or from a statement that it has none.
    """
    table: Table | None = None
    whole: Table | None = None
    lead = ""
    fences = []
    for block in flatten_blocks(blocks):
        if isinstance(block, Fence):
            fences.append(block)
        elif isinstance(block, TableBlock) and is_parameter_table(block, is_due=table is None):
            read = read_table(source, block)
            table = table or read
            if whole is not None:
                from mcp_contracts.parsing.parameters.derive import with_members  # most sections have one table

                read = with_members(whole, lead, read)
            whole = read
        lead = block.text if isinstance(block, Paragraph | Heading) else ""
    schema, faults = schema_part(source, fences, whole, part)
    if schema is not None or faults or part != "input":
        return table, schema, faults
    from mcp_contracts.parsing.parameters.signatures import bullet_rows  # few inputs have no schema

    rows = tuple(row for item in items(blocks) for row in bullet_rows(source, item))
    if rows:
        from mcp_contracts.parsing.parameters.derive import derive_schema  # as above

        table = Table(rows, _first_place(source, blocks))
        return table, derive_schema(table, part, SchemaOrigin.PROSE), ()
    for block in blocks:
        if isinstance(block, Paragraph) and (states_nothing(said := block.lines[0].text) or says_no_parameters(said)):
            return None, empty_input(source.place_in(block.lines[0])), ()
    return None, None, ()


def _unread(blocks: Sequence[Block]) -> Block | None:
    """Return the first block that may list parameters, if none were read."""
    return next((block for block in blocks if isinstance(block, TableBlock | ListBlock | Fence)), None)


def error_types(source: SourceText, blocks: Sequence[Block]) -> Iterator[ErrorType]:
    """Yield the error types of a section: bullets and rows of tables that begin with one in code."""
    for block in blocks:
        for item in items([block]):
            match = _ERROR_TYPE.match(item.text)
            if match:
                place = source.place_in(item.lines[0], match.start(1), match.end(1))
                yield ErrorType(match[1], item.text[match.end() :].strip(), place)
        if isinstance(block, TableBlock):
            titles = [cell.text.strip("*_ ").lower() for cell in cells_of(block.lines[0])]
            said = next((at for at, title in enumerate(titles) if title in _WHEN), 1)
            for line in block.lines[2:]:
                cells = cells_of(line)
                if cells[0].text.startswith("`"):
                    name = plain_name(cells[0].text)
                    column = cells[0].column - line.column + max(cells[0].text.find(name), 0)
                    place = source.place_in(line, column, column + len(name))
                    yield ErrorType(name, cells[said].text if len(cells) > said else "", place)


_WHEN = frozenset(("when", "meaning", "condition", "description", "cause", "reason", "raised when", "trigger"))
"""Titles of the column that says when an error occurs."""


def named_errors(source: SourceText, line: Line) -> Iterator[ErrorType]:
    """Yield the error types that a line lists: `` `NotFound` if …, `ValidationError` if … ``."""
    for match in _IN_LINE.finditer(line.text):
        place = source.place_in(line, match.start(1), match.end(1))
        yield ErrorType(match[1], "", place)


_IN_LINE = re.compile(r"(?:^|[,;.] (?:and |or )?|\band |\bor )`([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)`")


def _unread_errors(source: SourceText, blocks: Sequence[Block]) -> Iterator[ErrorType]:
    """Yield names like error types at the start of a bullet or a row, without backticks."""
    for item in items(blocks):
        text = item.text
        match = None if text.startswith("`") else _BARE_ERROR.match(text)
        if match:
            place = source.place_in(item.lines[0], match.start(1), match.end(1))
            yield ErrorType(match[1], text[match.end() :].strip(), place)
    for block in blocks:
        for line in block.lines[2:] if isinstance(block, TableBlock) else ():
            cell = cells_of(line)[0]
            if _BARE_ERROR.fullmatch(f"{cell.text}:"):
                yield ErrorType(cell.text.strip("*_"), "", source.place(line.row, cell.column, cell.end))


def _examples(
    source: SourceText, blocks: Sequence[Block], name: str, types: Mapping[str, JsonValue], *, has_messages: bool
) -> tuple[tuple[Example, ...], tuple[Fault, ...]]:
    """Return the examples of a tool in JSON, in code, and in code spans; `types` are the schemas of its parameters."""
    parameters = list(types)
    examples: list[Example] = []
    faults: list[Fault] = []
    lead = ""
    for block in flatten_blocks(blocks):
        if isinstance(block, Fence):
            if is_data(block):
                example, found = read_example(source, block, lead, has_messages=has_messages)
                examples.append(example)
                faults.extend(found)
            elif is_code(block):
                from mcp_contracts.parsing.examples.code_examples import code_examples, code_faults  # few are code

                examples.extend(code_examples(source, block, name, frozenset(), parameters))
                faults.extend(code_faults(source, block, name))
            else:
                from mcp_contracts.parsing.examples.other_calls import other_calls  # as above

                examples.extend(other_calls(source, block, name))
            lead = ""
        elif isinstance(block, Paragraph | Heading):
            lead = block.text
            for line in block.lines if isinstance(block, Paragraph) else ():
                for span in call_spans(line, name):
                    from mcp_contracts.parsing.examples.code_examples import code_examples  # as above
                    from mcp_contracts.parsing.examples.other_calls import other_calls

                    is_read = is_code(span)
                    examples.extend(code_examples(source, span, name, frozenset(), parameters) if is_read else ())
                    examples.extend(other_calls(source, span, name))
    return tuple(examples), tuple(faults)


def _migrations(source: SourceText, blocks: Sequence[Block]) -> Iterator[Migration]:
    """Yield the paragraphs and bullets of section 9 that begin with `**From 1.x**:`."""
    for block in flatten_blocks(blocks):
        if isinstance(block, Paragraph):
            since = ""
            text: list[str] = []
            for line in block.lines:
                field = next(line_fields(source, line), None)
                if field is not None and field.name.startswith("from"):
                    if since:
                        yield Migration(since, "\n".join(text))
                    since, text = field.name.removeprefix("from").strip(), [field.value]
                else:
                    text.append(line.text)
            if since:
                yield Migration(since, "\n".join(text))
