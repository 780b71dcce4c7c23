"""Renders a document in a format, chosen by its name."""

from __future__ import annotations

from importlib import import_module
from typing import Literal, get_args

from mcp_contracts.errors import UsageError
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document
from mcp_contracts.reporting.visible import without_commands

Format = Literal["text", "concise", "json", "markdown", "github", "gitlab", "sarif", "junit"]
FORMATS: tuple[Format, ...] = get_args(Format)
"""The names of all formats; each is a module of `reporting/formats/` with `render(document, context) -> str`."""


_SAFE = ("json", "sarif", "github", "gitlab")
"""Formats in which no line begins with text from the checked files; `github` writes its own commands."""


def render(format_name: str, document: Document, context: RenderContext) -> str:
    """Render a document in a format.

    Every format ends with a newline. A format is imported when it is used: `text` does not import XML. Raises
    UsageError for a name that is not in `FORMATS`.
    """
    if format_name not in FORMATS:
        raise UsageError(f"unknown format `{format_name}`", hint=f"choose one of {', '.join(FORMATS)}")
    rendered: str = import_module(f"mcp_contracts.reporting.formats.{format_name}").render(document, context)
    return rendered if format_name in _SAFE else without_commands(rendered)
