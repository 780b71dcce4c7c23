"""The last step of text output: style marks become terminal escape sequences, by Rich, which is imported only then."""

from __future__ import annotations


def finish(text: str, *, color: bool) -> str:
    """Return the final text: with color, the marks of `paint` become terminal escape sequences."""
    if not color:
        return text
    from mcp_contracts.reporting.terminal import paint_lines  # Rich

    return paint_lines(text)
