"""Texts for parser tests, and the text at a place."""

from __future__ import annotations

from textwrap import dedent

from mcp_contracts.contract import SpecFile, SpecTool, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.parsing.text import SourceText

PATH = "specs/weather/MCP_TOOL_SPECIFICATION.md"
HEAD = "## Tool: `weather.get`\n\n**Version**: 1.2.3\n\n"


def standing_at(text: str, place: Place) -> str:
    """Return the text at a place, with its lines joined by LF."""
    lines = SourceText.of(PATH, text).lines[place.line - 1 : place.end_line]
    last = lines[-1][: place.end_column - 1]
    if len(lines) == 1:
        return last[place.column - 1 :]
    return "\n".join([lines[0][place.column - 1 :], *lines[1:-1], last])


def position(place: Place) -> tuple[int, int]:
    """Return the beginning of a place."""
    return place.line, place.column


def spec(text: str, *, path: str = PATH) -> SpecFile:
    """Parse a specification, without the indentation of its text."""
    return read_spec(path, dedent(text).removeprefix("\n"))


def tool(text: str) -> SpecTool:
    """Return the only tool of a specification."""
    (only,) = spec(text).tools
    return only


def contract(text: str) -> ToolContract:
    """Return the contract of the only tool of a specification."""
    return tool(text).contract


def with_section(number: int, body: str, *, line_end: str = "\n") -> str:
    """Return a specification of one tool with a version and one section."""
    text = f"{HEAD}### {number}. Title\n\n{dedent(body).strip(chr(10))}\n"
    return text.replace("\n", line_end)
