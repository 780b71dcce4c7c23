"""Reads the tables of a tool in an older dialect, by the section that they are in."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.parsing.canonical import error_types
from mcp_contracts.parsing.examples.code_spans import call_spans
from mcp_contracts.parsing.legacy.inline import is_of_one_kind, may_list_parameters, with_kind
from mcp_contracts.parsing.legacy.reading import DESCRIPTION, ERRORS, INPUT, INTRO, OUTPUT, Reading
from mcp_contracts.parsing.markdown.blocks import TableBlock, is_content
from mcp_contracts.parsing.parameters.columns import columns_of
from mcp_contracts.parsing.parameters.derive import with_members
from mcp_contracts.parsing.parameters.tables import cells_of, is_parameter_table, read_table
from mcp_contracts.parsing.text import Line
from mcp_contracts.records import replace

_OF_OUTPUT = re.compile(r"[|*_ ]*(?:output|return(?:ed|s)?|response|result)\b", re.IGNORECASE)
"""The title of a column with the fields of a result, under any heading."""
_OF_A_FIELD = re.compile(r"(?: *\|)? *`(?!(?:param|arg|name|field|error|code|key)\w*`)[a-z]\w*` *\|", re.IGNORECASE)
"""The title of a column with the values of the field that it names."""


def read_table_block(reading: Reading, block: TableBlock) -> None:
    """Read a table of parameters, fields or errors, depending on the section that it is in."""
    reading.fill(block.lines[0].text, is_header=not is_content(block))
    if _OF_A_FIELD.match(block.lines[0].text):
        return
    titles = [cells_of(line)[0].text for line in block.lines[2:]]
    if reading.topic in (INTRO, INPUT) and columns_of(f"| Parameter | {' | '.join(titles)} |").are_of_parameters:
        reading.is_partly_read = True  # the parameters are columns
    roles = columns_of(block.lines[0].text).roles
    is_of_parameters = block.lines[0].text.strip("|*_ ").lower().startswith(("param", "arg"))
    is_of_parameters = is_of_parameters or (reading.topic in (INTRO, DESCRIPTION) and {"name", "required"} <= {*roles})
    if is_parameter_table(block, is_due=is_of_parameters or reading.topic in (INPUT, OUTPUT)):
        is_output = reading.topic == OUTPUT or _OF_OUTPUT.match(block.lines[0].text) is not None
        part = "output" if is_output else "input"
        is_input = part == "input" and (reading.topic == INPUT or "required" in roles or is_of_parameters)
        read = read_table(reading.source, block)
        read = replace(read, rows=with_kind(reading.lead, read.rows)) if part == "input" else read
        first = reading.tables.get(part)
        if first is None and (is_input or part == "output" or reading.topic == INTRO):
            reading.tables[part] = read
        elif first is not None and is_input and is_of_one_kind(reading.lead):
            reading.tables[part] = replace(first, rows=(*first.rows, *read.rows))
        elif first is not None and is_input:
            reading.tables[part] = with_members(first, reading.last, read)
    elif reading.topic == ERRORS:
        reading.errors.extend(error_types(reading.source, [block]))
    elif reading.topic == INPUT:
        reading.places.setdefault("input", reading.source.place_in(block.lines[0]))  # it is not read
        if not reading.tables and may_list_parameters([cells_of(line)[0].text for line in block.lines[2:]]):
            reading.note_unread("table", block.row)


def read_request_table(reading: Reading, block: TableBlock) -> bool:
    """Read the calls in a table of calls and answers, `| Request | Response |`; return whether it is one."""
    titles = [cell.text.strip("*_` ") for cell in cells_of(block.lines[0])]
    at = next((index for index, title in enumerate(titles) if _OF_CALLS.fullmatch(title)), None)
    if at is None or not any(map(_OF_ANSWERS.fullmatch, titles[at + 1 :])):
        return False
    calls = [cells[at] for line in block.lines[2:] if at < len(cells := cells_of(line))]
    found = [
        fence
        for cell in calls
        for fence in call_spans(Line(cell.text, cell.row, cell.column), reading.raw.name, is_labeled=True)
    ]
    reading.fences.extend((fence, "Example call", True) for fence in found)
    return bool(found)


_OF_CALLS = re.compile(r"(?:example )?(?:request|call|input|arguments|invocation)s?", re.IGNORECASE)
_OF_ANSWERS = re.compile(r"(?:expected |example )?(?:response|result|output|return|answer)s?", re.IGNORECASE)
