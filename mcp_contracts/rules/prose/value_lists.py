"""Tables and lists in a specification that explain the values of a parameter, one in each line."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecFile, SpecTool
from mcp_contracts.diagnostics import Place
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.prose.schema_limits import listed_texts, plain_schema
from mcp_contracts.rules.schemas.names import name_of
from mcp_contracts.rules.texts import line_starts, place_between
from mcp_contracts.schema.walk import shared_subschemas

_LINE = r"^[ \t]*(?:\|[ \t]*|[-*+][ \t]+)`(?P<{0}>[\w+-]{{1,40}})`[ \t]*(?:\||[:=(–—-])"
_LINES = re.compile(rf"(?:{_LINE.format('last')}[^\n]*(?:\n|\Z)){{2,}}", re.MULTILINE)
_VALUE = re.compile(_LINE.format("value"), re.MULTILINE)


class UnknownValue(NamedTuple):
    """A value that a list explains and the schema of the parameter does not allow."""

    name: str
    value: str
    place: Place


def unknown_values(file: SpecFile, tool: SpecTool) -> Iterator[UnknownValue]:
    """Yield the values that the lists of a tool explain in addition to those of an `enum`."""
    parts = [part for part in (tool.contract.input, tool.contract.output) if part is not None]
    nodes = [node for part in parts for node in shared_subschemas(part.value)]
    enums = {
        (name_of(node.pointer) or "the value"): values
        for node in nodes
        if (values := listed_texts(plain_schema(node.value)))
    }
    if not enums:
        return
    names = {node.name for node in nodes}
    rows = {row.place.line for table in tool.tables for row in table.rows}
    starts = [*line_starts(file.text), len(file.text)]
    text = file.text[starts[tool.lines[0] - 1] : starts[min(tool.lines[1], len(starts) - 1)]]
    for lines in _LINES.finditer(text) if "`" in text else ():
        first = tool.lines[0] + text.count("\n", 0, lines.start())
        count = lines[0].count("\n") + 1
        if not rows.isdisjoint(range(first, first + count)):
            continue  # these are parameters
        lead = " ".join(text[: lines.start()].rstrip().splitlines()[-2:])
        found = [(match["value"], match.span("value")) for match in _VALUE.finditer(lines[0])]
        for name, values in enums.items():
            known = set(values)
            shared = sum(value in known for value, _ in found)
            is_named = re.search(rf"\b{re.escape(name)}\b", lead, re.IGNORECASE) is not None
            if shared < (1 if is_named else 2) or shared * 2 < len(found):
                continue
            for value, (start, end) in found:
                if value not in known and value not in names and value.islower() is values[0].islower():
                    base = starts[tool.lines[0] - 1] + lines.start()
                    yield UnknownValue(name, value, place_between(file.path, file.text, base + start, base + end))
            break
