"""The last step of text for people: marks become what a terminal obeys, by Rich, which only then is imported."""

from __future__ import annotations


def finished(text: str, *, color: bool) -> str:
    """Finished lines as they are written: with colour, what `paint` marked becomes what a terminal obeys."""
    if not color:
        return text
    from mcp_contracts.reporting.terminal import painted  # Rich

    return painted(text)
