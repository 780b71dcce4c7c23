"""Generate the picture of a lint run in the README from the real output of the command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.lint_document import lint_document
from mcp_contracts.reporting.render import render
from mcp_contracts.sources.documents import read_source

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = "examples/five_faults/MCP_TOOL_SPECIFICATION.md"
WIDTH = 108


def picture_files() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of the picture."""
    yield "docs/lint.svg", lint_picture()


def lint_picture() -> str:
    """only the picture needs it"""
    from rich.console import Console  # only the picture needs it
    from rich.text import Text

    file = read_source(SAMPLE, (ROOT / SAMPLE).read_text(encoding="utf-8"))
    context = RenderContext(color=True, width=WIDTH)
    output = render("text", lint_document(lint(Contracts((file,))), {file.path: file.text}), context)
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text("$ mcp-contracts lint examples/five_faults\n", style="bold"))
    console.print(Text.from_ansi(output))
    svg = console.export_svg(title="mcp-contracts lint", unique_id="lint")
    # A picture must not load anything: omit the web fonts, so that the reader's fonts are used.
    return re.sub(r"[ \t]*@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)
