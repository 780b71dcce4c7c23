"""Reads a tool in an older dialect: tables, bullets, signatures, property maps, and tool objects in JSON or YAML."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecTool, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.faults import FaultKind
from mcp_contracts.parsing.canonical import error_types, named_errors, states_nothing
from mcp_contracts.parsing.examples.code_spans import DISPATCHED, MESSAGE
from mcp_contracts.parsing.fields import (
    FLAGS,
    REPLACEMENT_LINES,
    STATUS_LINES,
    annotated_effects,
    effects_of_flags,
    line_fields,
    plain_idempotency,
    read_idempotent,
    read_status,
    stated_effects,
    with_status_lines,
)
from mcp_contracts.parsing.leads import (
    find_announced_section,
    is_about_result,
    label_without_colon,
    names_result,
    names_type,
    says_no_parameters,
    without_remark,
)
from mcp_contracts.parsing.legacy.examples import read_calls, read_examples, shows_no_arguments
from mcp_contracts.parsing.legacy.fences import read_data
from mcp_contracts.parsing.legacy.inline import (
    SENTENCE,
    describes_row,
    is_title,
    listed_parameters,
    may_list_parameters,
    named_rows,
    read_inline,
    read_inline_output,
    read_properties,
    torn_at_labels,
    with_kind,
)
from mcp_contracts.parsing.legacy.parameter_code import (
    COMMANDS,
    SIGNATURE_TITLES,
    fence_signature,
    line_signature,
    may_give_parameters,
)
from mcp_contracts.parsing.legacy.reading import (
    DESCRIPTION,
    ERRORS,
    EXAMPLES,
    IDEMPOTENCY,
    INPUT,
    INTRO,
    OTHER,
    OUTPUT,
    SECURITY,
    Reading,
)
from mcp_contracts.parsing.legacy.settling import settle_schemas, tables_of
from mcp_contracts.parsing.legacy.table_blocks import read_request_table, read_table_block
from mcp_contracts.parsing.markdown.blocks import Block, Fence, Heading, Html, ListBlock, Paragraph, TableBlock
from mcp_contracts.parsing.parameters.field_tags import is_field, tag_rows
from mcp_contracts.parsing.parameters.notes import is_plain_type
from mcp_contracts.parsing.parameters.signatures import bullet_rows
from mcp_contracts.parsing.parameters.tables import trailing_lines
from mcp_contracts.parsing.raw import RawTool
from mcp_contracts.parsing.schemas import is_data
from mcp_contracts.parsing.text import Line, SourceText
from mcp_contracts.parsing.topics import Label, about, is_bare_title, label_of, split_at_labels
from mcp_contracts.sections import Section


def read_legacy(
    source: SourceText, raw: RawTool, deviations: tuple[str, ...], siblings: AbstractSet[str] = frozenset()
) -> SpecTool:
    """Read a tool that is not in the canonical form because of `deviations`; `siblings` are all names of the file."""
    reading = Reading(source, raw, places={"name": raw.name_place, "extent": raw.extent})
    _read_blocks(reading, raw.intro, siblings)
    for section in raw.sections:
        _read_heading(reading, section.title, source.place_in(section.heading.line), section.meaning)
        _read_blocks(reading, section.blocks, siblings)
        reading.note_blocks(source.place_in(section.heading.line), section.blocks)
    settle_schemas(reading)
    examples = read_examples(reading, siblings)
    is_broken = any(fault.kind is FaultKind.INVALID_JSON for fault in reading.faults)
    if reading.input is None and (is_broken or shows_no_arguments(examples)):
        reading.places.pop("prose_input", None)
        reading.places.pop("unread_input", None)
        reading.places["open_input"] = raw.name_place  # it may have optional ones
    elif reading.input is None and "unread_input" not in reading.places and examples:
        reading.places.setdefault("prose_input", raw.name_place)
    name, place = raw.name, raw.name_place
    if " " in name and reading.named is not None:  # a title in words above `Name: `find_shelf``
        name, place = reading.named
    security = "\n\n".join(text for one in reading.sections if one.about == SECURITY for text in one.text)
    contract = ToolContract(
        name=name,
        place=place,
        module=raw.module,
        version=reading.fields.get("version"),
        description="\n\n".join(reading.description),
        status=with_status_lines(read_status(reading.fields["status"]), reading.fields)
        if "status" in reading.fields
        else None,
        effects=stated_effects(reading.fields.get("effects")) or effects_of_flags(reading.fields) or reading.effects,
        idempotent=read_idempotent(reading.fields.get("idempotent", "")),
        category=reading.fields.get("category"),
        input=reading.input,
        output=reading.output,
        errors=tuple(reading.errors),
        security=security or None,
        examples=tuple(examples),
        places=reading.places,
    )
    if reading.named is not None:
        reading.places["invocation"] = reading.named[1]
    return SpecTool(
        contract=contract,
        lines=(raw.heading.row + 1, raw.end_row),
        heading=source.lines[raw.heading.row],
        sections=tuple(
            Section(None, one.title, one.place, one.is_empty, "\n\n".join(one.text), one.about)
            for one in reading.sections
        ),
        input_table=reading.tables.get("input"),
        output_table=reading.tables.get("output"),
        tables=tables_of(reading),
        signature=reading.signature.rows if reading.signature is not None else (),
        idempotency_text=reading.fields.get("idempotent"),
        invocation_name=None if reading.named is None else reading.named[0],
        deviations=deviations,
        faults=tuple(reading.faults),
    )


def _read_heading(reading: Reading, title: str, place: Place, meaning: int | None) -> None:
    number = about(title) if meaning is None else meaning
    reading.topic = OTHER if number is None else number
    reading.is_schema_section = "schema" in title.lower()
    reading.is_labeled = reading.is_aside = False
    reading.lead = title
    reading.begin(title.strip("*: "), place, number)
    reading.is_below_heading = True
    if number is not None and (said := title.partition(": ")[2]):
        reading.fill(said)  # `Output Schema: same as that of `find_notes``


def _read_blocks(reading: Reading, blocks: Sequence[Block], siblings: AbstractSet[str]) -> None:
    for index, block in enumerate(blocks):
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        if isinstance(block, Paragraph) and is_bare_title(block, following):
            _read_heading(reading, block.text.strip(), reading.source.place_in(block.lines[0]), None)
        elif isinstance(block, Paragraph):
            _read_paragraph(reading, block, is_before_list=isinstance(following, ListBlock))
        elif isinstance(block, Heading):
            above = blocks[index - 1] if index else None
            reading.note_content(is_certain=isinstance(above, Heading) and above.level < block.level)
            _read_heading(reading, block.text, reading.source.place_in(block.line), None)
        elif isinstance(block, ListBlock):
            for part in torn_at_labels(block):
                if isinstance(part, Paragraph):
                    _read_paragraph(reading, part, is_before_list=True)
                else:
                    _read_list(reading, part, siblings)
        elif isinstance(block, TableBlock):
            if read_request_table(reading, block) or (reading.topic == INTRO and read_properties(reading, block)):
                continue
            read_table_block(reading, block)
            if after := trailing_lines(block):
                _read_paragraph(reading, Paragraph(after, after[0].row, after[-1].row + 1))
        elif isinstance(block, Fence):
            reading.fill(block.content)
            if is_data(block):
                read_data(reading, block)
            else:
                reading.fences.append((block, reading.lead, False))
                is_call = any(pattern.search(block.content) for pattern in (DISPATCHED, MESSAGE))
                is_due = reading.topic in (INTRO, INPUT) and block.language not in COMMANDS and not is_call
                is_read = fence_signature(reading, block)
                are_given = bool(reading.rows)
                if is_due and not is_read and may_give_parameters(reading.raw.name, block.content, are_given=are_given):
                    reading.is_partly_read = True
                    reading.note_unread("block", block.row)
        elif isinstance(block, Html) and is_field(block):
            for is_result, row in tag_rows(reading.source, block):
                (reading.output_rows if is_result else reading.rows).append(row)
                topic = OUTPUT if is_result else INPUT
                if reading.topic != topic:
                    reading.begin("Returns" if is_result else "Parameters", row.place, topic)
                    reading.topic = topic
                reading.fill(row.name)
        elif isinstance(block, Html) and not block.is_comment:
            reading.is_partly_read = True


def _read_paragraph(reading: Reading, block: Paragraph, *, is_before_list: bool = False) -> None:
    prose: list[Line] = []
    reading.last = block.text
    for line in chain.from_iterable(map(split_at_labels, block.lines)):
        if _read_line(reading, line, is_item=False):
            continue
        reading.fill(line.text)
        read_calls(reading, line)
        if reading.topic in (INTRO, DESCRIPTION) and line_signature(reading, line):
            continue
        is_result = bool(reading.rows) and is_about_result(line.text)
        if reading.topic == INPUT and not is_result and (rows := named_rows(reading.source, line, block)):
            reading.rows.extend(rows)
            continue
        if reading.topic == INPUT and describes_row(reading, line):
            continue
        if reading.topic == INPUT and not reading.rows and _NAMES_ANY.search(line.text):
            reading.places.setdefault("prose_input", reading.source.place_in(line))
        reading.is_partly_read = reading.is_partly_read or line.text.startswith((": ", ":\t", ":param"))
        if reading.topic in (INTRO, DESCRIPTION, INPUT) and says_no_parameters(line.text):
            reading.states_no_parameters = True
            reading.places.setdefault("input", reading.source.place_in(line))
            if reading.topic != INPUT and not states_nothing(line.text):
                prose.append(line)
        elif reading.topic in (INTRO, INPUT) and states_nothing(without_remark(line.text)):
            reading.states_no_parameters = True
            reading.places.setdefault("input", reading.source.place_in(line))
        elif reading.topic in (INTRO, DESCRIPTION) or (
            reading.topic == INPUT and reading.is_labeled and (reading.rows or reading.states_no_parameters)
        ):
            prose.append(line)
    if reading.topic == EXAMPLES:
        reading.lead = block.text
    last = block.lines[-1]
    if is_before_list and prose[-1:] == [last] and is_title(last.text):
        prose.pop()  # of the list
    if reading.topic in (INTRO, DESCRIPTION, INPUT) and label_of(last) is None:
        has_inputs = bool(reading.rows) or reading.states_no_parameters
        follows = is_before_list and reading.topic == INPUT and bool(reading.rows)
        number = find_announced_section(last.text, is_followed=follows)
        if number is not None:
            prose = prose[:-1] if number == EXAMPLES else prose
            prose = prose if reading.topic != INPUT else []
            if number != EXAMPLES or last.text.rstrip("*_ ").endswith(":"):  # otherwise, it is no title
                reading.begin(last.text.strip(" :*_"), reading.source.place_in(last), number)
                reading.fill(last.text)
            reading.topic, reading.is_labeled, reading.lead = number, True, last.text
        elif reading.topic == INPUT and has_inputs and last.text.rstrip("*_ ").endswith((":", "：")):
            reading.is_aside = True  # what follows is something else
            if names_result(last.text) or names_type(last.text):
                number = OUTPUT if names_result(last.text) else None
                reading.begin(last.text.strip(" :*_"), reading.source.place_in(last), number)
                reading.topic = number or OTHER
    reading.describe(prose)


def _read_line(reading: Reading, line: Line, *, is_item: bool) -> bool:
    """Read a bold line or a label; return whether the line is one. Items that begin in bold are seldom labels."""
    is_read = False
    for name, value, place, _ in line_fields(reading.source, line):
        if is_item and name == "status" and " " in read_status(value).state:
            continue  # an item about a field of that name
        if name in ("version", "status", "category", "idempotent", "effects"):
            reading.fields[name] = value
            reading.places["idempotency" if name == "idempotent" else name] = place
            is_read = True
        elif name in FLAGS:
            reading.fields.setdefault(name, value)
            reading.places.setdefault("effects", place)
        elif name in STATUS_LINES:
            reading.fields.setdefault(name, value)
            reading.places.setdefault("replacement" if name in REPLACEMENT_LINES else name, place)
    if (annotated := annotated_effects(line.text)) is not None and "effects" not in reading.fields:
        reading.fields["effects"] = annotated
        reading.places["effects"] = reading.source.place_in(line)
        return True
    stated = plain_idempotency(reading.source, line)
    if stated is not None and (reading.topic == IDEMPOTENCY or not is_item):
        reading.fields.setdefault("idempotent", stated.value)
        reading.places.setdefault("idempotency", stated.place)
    label = label_of(line)
    if label is None and not is_item and (bare := label_without_colon(line.text)) is not None:
        label = Label(*bare)
    if label is None:
        if (plain := _PLAIN_NAME.fullmatch(line.text)) is not None:
            reading.named = reading.named or (plain[1], reading.source.place_in(line, *plain.span(1)))
        return is_read
    rest = Line(line.text[label.end :], line.row, line.column + label.end)
    is_plain_field = is_item and label.title.islower() and is_plain_type(rest.text.partition(" ")[0].strip("()` ,;"))
    if is_plain_field and (reading.topic == OUTPUT or (reading.topic == INPUT and label.about in (DESCRIPTION, INPUT))):
        return is_read  # `- summary: string`
    reading.note_content(is_certain=not is_item and reading.is_below_heading)
    if label.about is not None or not is_item or reading.topic in (INTRO, DESCRIPTION, OTHER):
        reading.begin(label.title, reading.source.place_in(line, 0, label.end), label.about)
        if rest.text.strip():
            reading.fill(rest.text)
    if label.about is None and label.title.lower() in SIGNATURE_TITLES and line_signature(reading, rest):
        return True
    if label.title.lower() in _NAME_TITLES and (alone := _NAME_ALONE.fullmatch(rest.text)) is not None:
        reading.named = reading.named or (alone[1], reading.source.place_in(rest, *alone.span(1)))
        if " " in reading.raw.name:
            return True  # the heading has a title, not a name
    if label.title.lower() in _NAME_TITLES and rest.text.strip(" `.") == reading.raw.name:
        return True
    if label.about is None or is_read:
        reading.is_aside = reading.is_aside or (not is_item and not rest.text.strip() and reading.topic == INPUT)
        return is_read
    is_remark = label.about in (IDEMPOTENCY, SECURITY) and bool(rest.text.strip()) and not is_item
    if is_remark and reading.topic == INTRO and not reading.description:
        return True  # a line about the tool, before its description
    reading.is_aside = False
    reading.topic, reading.is_labeled = label.about, True
    reading.is_schema_section = reading.is_schema_section and label.about in (INPUT, OUTPUT)
    reading.lead = label.title
    if label.about == DESCRIPTION:
        reading.describe([rest])
    elif label.about == INPUT and rest.text.strip():
        ends = _SENTENCE_AFTER.search(rest.text)
        read_inline(
            reading, label.title, rest if ends is None else Line(rest.text[: ends.start()], rest.row, rest.column)
        )
        if ends is not None:
            reading.topic = INTRO
            after = Line(rest.text[ends.end() :], rest.row, rest.column + ends.end())
            _read_paragraph(reading, Paragraph((after,), after.row, after.row + 1))
    elif label.about == ERRORS and rest.text.strip():
        reading.errors.extend(named_errors(reading.source, rest))
    elif label.about == OUTPUT and rest.text.strip():
        read_inline_output(reading, rest)
    read_calls(reading, rest, is_labeled=True)
    return True


_NAMES_ANY = re.compile(r"`[A-Za-z_]\w*`")
_NAME_TITLES = frozenset(
    ("name", "tool name", "tool", "tool id", "mcp name", "mcp tool", "call name", "invocation", "invocation name")
)
_PLAIN_NAME = re.compile(r" *(?:Tool )?[Nn]ame: `([a-z][a-z0-9]*(?:[_.][a-z0-9]+)+)`\.? *")
_NAME_ALONE = re.compile(r" *`([a-z][a-z0-9]*(?:[_.][a-z0-9]+)+)`\.? *")
_SENTENCE_AFTER = re.compile(r"(?<=[`)])[.;] +(?=[A-Z][a-z]+ |`\w+` [a-z])")
"""The start of a sentence after the parameters on a line: `` `id` (string). Closes it. ``"""


def _read_list(reading: Reading, block: ListBlock, siblings: AbstractSet[str]) -> None:
    reading.note_content(is_certain=reading.topic == OTHER)
    before = len(reading.rows), reading.states_no_parameters
    _read_items(reading, block, siblings)
    is_due = reading.topic == INPUT and reading.input is None and not reading.is_aside
    is_unread = is_due and before == (len(reading.rows), reading.states_no_parameters)
    if is_unread and may_list_parameters([item.text for item in block.items if item.lines]):
        reading.note_unread("list", block.row)


def _read_items(reading: Reading, block: ListBlock, siblings: AbstractSet[str]) -> None:
    taken: set[int] = set()
    is_described = bool(reading.description)
    if reading.topic == ERRORS:
        reading.errors.extend(error_types(reading.source, [block]))
    if reading.topic in (INTRO, DESCRIPTION) and reading.input is None and (rows := listed_parameters(reading, block)):
        reading.places.setdefault("input", reading.source.place_in(block.items[0].lines[0]))
        reading.rows.extend(rows)
        taken = {row.place.line - 1 for row in rows}
    for item in block.items:
        if not item.lines or item.lines[0].row in taken:
            continue
        if is_bare_title(item.blocks[0], item.blocks[1] if len(item.blocks) > 1 else None):
            _read_heading(reading, item.lines[0].text.strip(), reading.source.place_in(item.lines[0]), None)
            _read_blocks(reading, item.blocks[1:], siblings)
            continue
        if _read_line(reading, item.lines[0], is_item=True):
            _read_blocks(reading, [block for block in item.blocks if not isinstance(block, Paragraph)], siblings)
            continue
        reading.fill(item.text)
        for line in item.lines:
            read_calls(reading, line)
        is_early = reading.topic in (INTRO, DESCRIPTION) and not reading.rows
        is_nothing = states_nothing(item.text) or item.text.strip(" `.") == "{}"
        if (reading.topic == INPUT and is_nothing) or (is_early and says_no_parameters(item.text)):
            reading.states_no_parameters = True
            reading.places.setdefault("input", reading.source.place_in(item.lines[0]))
        elif reading.topic == INPUT and reading.input is None:
            rows = list(bullet_rows(reading.source, item))
            is_marked = not reading.is_aside or item.text.startswith(("`", "*", "_"))
            if not reading.is_aside or (is_marked and any(row.type or row.required is not None for row in rows)):
                reading.places.setdefault("input", reading.source.place_in(item.lines[0]))
                reading.rows.extend(with_kind(reading.lead, rows))
                reading.is_open = reading.is_open or not rows
        elif reading.topic == OUTPUT:
            reading.output_rows.extend(bullet_rows(reading.source, item))
        elif (reading.topic == DESCRIPTION and not is_described) or (
            reading.topic == INTRO and not reading.description and SENTENCE.match(item.text)
        ):
            reading.describe(item.lines)
