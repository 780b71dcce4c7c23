"""The text of `mcp-contracts --help`, which is printed without importing the argument parser."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping

PURPOSE = "Tool contracts for agents: lint, compare and export MCP_TOOL_SPECIFICATION.md files and MCP tool lists."
EXIT_CODES = (
    "Exit codes: 0 no error; 1 errors, uncovered breaking changes or too many warnings; 2 invalid options or "
    "configuration, or a path that does not exist; 3 nothing to check, or an unknown revision or server; 70 an "
    "internal error; 141 the reader of the output closed the pipe."
)
OPTIONS = {
    "-V, --version": "Show the version and exit.",
    "--install-completion": "Install completion for the current shell.",
    "--show-completion": "Show completion for the current shell, to copy it or customize the installation.",
    "-h, --help": "Show this message and exit.",
}
COMMANDS = {
    "lint": "Check specifications and tool lists.",
    "diff": "Compare two versions, and prove which changes break callers.",
    "export": "Export contracts for a provider, or as a grammar or a prompt.",
    "lock": "Record the tools of servers in a lock file, and check for changes.",
    "verify": "Check a live server against its contracts.",
    "init": "Write a configuration, and a workflow for GitHub.",
    "import": "Write specifications from another source, or update them.",
    "new": "Create a specification, or add a tool to one.",
    "fmt": "Format specifications: headings, sections, tables and JSON.",
    "migrate": "Convert specifications in older dialects to the canonical form.",
    "serve": "Serve tools over MCP and HTTP, with validated arguments and results.",
    "mock": "Mock the tools of specifications before the code exists.",
    "call": "Call one tool of a specification or of a live server.",
    "rules": "List the rules of `lint` and `diff`.",
    "explain": "Explain one rule: what it finds, why, and how to fix it.",
    "cache": "Remove the cache of `lint` and `diff`.",
}
"""The commands. Each is a module (`module_of`) with an `app`: its declarations, and the function that runs."""

NAME = "mcp-contracts"
COMPLETION = "_MCP_CONTRACTS_COMPLETE"
"""The variable that a shell sets to request completions."""
WIDEST = 100
"""The maximum width of help in cells."""
_NARROWEST = 50
_MARGIN = 2
_USUAL = 80


def module_of(command: str) -> str:
    """Return the name of a command's module."""
    return f"mcp_contracts.cli.commands.{command}{'_' if command == 'import' else ''}"  # `import` is a keyword


def front_page(width: int) -> str:
    """Return the help of the application, in lines of at most a width."""
    return "\n".join(
        (
            "Usage: mcp-contracts [OPTIONS] COMMAND [ARGS]...",
            "",
            *_paragraph(PURPOSE, width),
            "",
            *_rows("Options", OPTIONS, width),
            "",
            *_rows("Commands", COMMANDS, width),
            "",
            *_paragraph(EXIT_CODES, width),
        )
    )


def help_width() -> int:
    """Return the width of this help, measured as for a command."""
    columns = os.environ.get("COLUMNS", "")
    width = int(columns) if columns.isdecimal() else 0
    if width <= 0:
        try:
            width = os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ is not None else 0
        except (OSError, ValueError):  # no terminal
            width = 0
    return max(min(width or _USUAL, WIDEST) - _MARGIN, _NARROWEST)


def _paragraph(text: str, width: int) -> Iterator[str]:
    return _wrap("  ", text, width, "  ")


def _rows(title: str, rows: Mapping[str, str], width: int) -> Iterator[str]:
    """Yield a title, and rows of a name and text in two columns."""
    yield f"{title}:"
    column = max(map(len, rows)) + 2 * _MARGIN
    for name, text in rows.items():
        yield from _wrap(f"  {name}".ljust(column), text, width, " " * column)


def _wrap(lead: str, text: str, width: int, indent: str) -> Iterator[str]:
    """Yield text after a lead, broken between words; `textwrap` takes longer to import than all of this."""
    line = lead
    is_empty = True
    for word in text.split():
        if not is_empty and len(line) + 1 + len(word) > width:
            yield line
            line, is_empty = indent, True
        line = f"{line}{word}" if is_empty else f"{line} {word}"
        is_empty = False
    yield line
