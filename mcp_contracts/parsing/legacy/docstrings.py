"""Reads the docstring of a tool's function: the description, the parameters in `Args:`, and whether it has a result."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import TableRow
from mcp_contracts.parsing.legacy.reading import OUTPUT, Reading
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.parameters.typed_signatures import is_given_by_host
from mcp_contracts.parsing.text import Line

_DOCSTRING = re.compile(
    r"^[ \t]*(?:async[ \t]+)?def[ \t]+(?P<name>\w+)\b[^:]*(?::(?![ \t]*\n)[^:]*)*:[ \t]*\n[ \t]*"
    r"(?P<quotes>\"{3}|'{3})(?P<text>.*?)(?P=quotes)",
    re.MULTILINE | re.DOTALL,
)
_TITLE = re.compile(r"(?P<title>Args|Arguments|Parameters|Returns?|Yields|Raises|Examples?|Notes?):\s*(?P<rest>.*)")
_ENTRY = re.compile(r"\s+(?P<name>[A-Za-z_]\w*)(?:\s*\([^()]*\))?:\s+(?P<said>\S.*)")
_LONGEST = 20_000


def read_docstring(reading: Reading, fence: Fence) -> None:
    """Read the docstring of the function with the tool's name in a block of Python."""
    code = fence.content[:_LONGEST]
    own = reading.raw.name.rpartition(".")[2]
    found = next((match for match in _DOCSTRING.finditer(code) if match["name"] == own), None)
    if found is None:
        return
    row = fence.first_row + code.count("\n", 0, found.start("text"))
    lines = [Line(text.strip(), row + index, 0) for index, text in enumerate(found["text"].split("\n"))]
    lines = [line._replace(column=max(0, reading.source.lines[line.row].find(line.text))) for line in lines]
    first = next((index for index, line in enumerate(lines) if _TITLE.fullmatch(line.text)), len(lines))
    if not reading.description:
        reading.describe([line for line in lines[:first] if line.text])
    reading.untyped.extend(_entries(reading, lines[first:]))
    for line in lines[first:]:
        title = _TITLE.fullmatch(line.text)
        if title is not None and title["title"].startswith("Return"):
            reading.begin("Returns", reading.source.place_in(line), OUTPUT)
            reading.fill(title["title"])


def _entries(reading: Reading, lines: list[Line]) -> Iterator[TableRow]:
    """Yield the parameters that `Args:` describes, without their types."""
    is_of_parameters = False
    indent = 0
    for line in lines:
        written = reading.source.lines[line.row]
        if (title := _TITLE.fullmatch(line.text)) is not None:
            is_of_parameters = title["title"] in ("Args", "Arguments", "Parameters")
            indent = 0
        elif is_of_parameters and (entry := _ENTRY.fullmatch(written.rstrip())) is not None:
            indent = indent or entry.start("name")
            if entry.start("name") == indent:
                place = reading.source.place(line.row, *entry.span("name"))
                name, said = entry["name"], entry["said"]
                if is_given_by_host(name):
                    continue
                yield TableRow(name, (name,), None, None, None, said, place, place, place)
