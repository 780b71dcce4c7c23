"""Tables and lists in a specification that name the values of a parameter, one per line or all on one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecFile, SpecTool
from mcp_contracts.diagnostics import Place
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.prose.choices import only_choices
from mcp_contracts.rules.prose.schema_limits import listed_texts, plain_schema
from mcp_contracts.rules.schemas.names import name_of
from mcp_contracts.rules.texts import blank_fences, line_starts, place_between
from mcp_contracts.schema.walk import shared_subschemas

_LINE = r"[ \t]*(?:\|[ \t]*|[-*+][ \t]+)`(?P<{0}>[\w+-]{{1,40}})`[ \t]*(?:\||[:=(–—-])"
_LINES = re.compile(rf"\n(?P<lines>(?:{_LINE.format('last')}[^\n]*(?:\n|\Z)){{2,}})")
"""Two or more lines, after a line break."""
_VALUE = re.compile(rf"^{_LINE.format('value')}", re.MULTILINE)


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
    worded = {
        name: listed.values
        for node in nodes
        if (name := name_of(node.pointer))
        and name not in enums
        and isinstance(said := node.value.get("description"), str)
        if (listed := only_choices(said, name)) is not None
    }
    if not enums and not worded:
        return
    names = {node.name for node in nodes}
    rows = {row.place.line for table in tool.tables for row in table.rows}
    starts = [*line_starts(file.text), len(file.text)]
    text = file.text[starts[tool.lines[0] - 1] : starts[min(tool.lines[1], len(starts) - 1)]]
    yield from _replaced_values(file, tool, {**enums, **worded}, (starts[tool.lines[0] - 1], text))
    for lines in _LINES.finditer(f"\n{text}") if "`" in text and enums else ():  # begins where the lines do
        first = tool.lines[0] + text.count("\n", 0, lines.start())
        count = lines["lines"].count("\n") + 1
        if not rows.isdisjoint(range(first, first + count)):
            continue  # these are parameters
        lead = " ".join(text[: lines.start()].rstrip().splitlines()[-2:])
        found = [(match["value"], match.span("value")) for match in _VALUE.finditer(lines["lines"])]
        for name, values in enums.items():
            known = set(values)
            shared = sum(value in known for value, _ in found)
            if not shared or shared * 2 < len(found):
                continue
            if shared == 1 and not re.search(rf"\b{re.escape(name)}\b", lead, re.IGNORECASE):
                continue
            for value, (start, end) in found:
                if value not in known and value not in names and value.islower() is values[0].islower():
                    base = starts[tool.lines[0] - 1] + lines.start()
                    yield UnknownValue(name, value, place_between(file.path, file.text, base + start, base + end))
            break


_MARKED = r"(\"|'|`[\"']?)([\w+-]{1,40})(?:[\"']`?|`)"
_INLINE = re.compile(rf"{_MARKED}(?:(?:,? (?:or|and) |, ?| ?\\?\| ?|/){_MARKED}){{2,}}")
_OF_A_ROW = re.compile(r"^[ \t]*(?:\||[-*+]) *[`*]*(\w+)")
_FEWEST_IN_LINE = 3


def _replaced_values(
    file: SpecFile, tool: SpecTool, known: Mapping[str, Sequence[str]], passage: tuple[int, str]
) -> Iterator[UnknownValue]:
    """Yield the only value of a one-line list that replaces a value of a parameter."""
    base, text = passage
    rows = {row.name for table in tool.tables for row in table.rows}
    text = blank_fences(text)
    for match in _INLINE.finditer(text):
        listed = [(one[2], match.start() + one.start(2)) for one in re.finditer(_MARKED, match[0])]
        values = {value for value, _ in listed}
        row = _OF_A_ROW.match(text[: match.start()].rpartition("\n")[2])
        for name, allowed in known.items():
            odd = [(value, at) for value, at in listed if value not in allowed]
            is_of_another = row is not None and row[1] in rows and row[1] in known and row[1] != name
            if len(values) == len(set(allowed)) >= _FEWEST_IN_LINE and len(odd) == 1 and not is_of_another:
                if not any(odd[0][0] in others for others in known.values()):
                    start = base + odd[0][1]
                    place = place_between(file.path, file.text, start, start + len(odd[0][0]))
                    yield UnknownValue(name, odd[0][0], place)
                break
