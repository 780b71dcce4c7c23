"""A report as JSON; `schemas/` describes it."""

from __future__ import annotations

from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document
from mcp_contracts.reporting.visible import json_text


def render(document: Document, context: RenderContext) -> str:
    """Render a document as JSON with everything, including suppressed diagnostics and whole witnesses; ignores the
    context.
    """
    return json_text(document.values())
