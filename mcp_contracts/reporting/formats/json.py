"""A report as JSON; `schemas/` describes it."""

from __future__ import annotations

from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document
from mcp_contracts.reporting.visible import json_text


def render(document: Document, context: RenderContext) -> str:
    """Render a document as JSON that holds everything, suppressed diagnostics and whole witnesses; the context changes
    nothing.
    """
    return json_text(document.values())
