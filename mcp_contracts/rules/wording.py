"""How findings show what an author wrote."""

from __future__ import annotations

from mcp_contracts.rules.hidden import HIDDEN_RUN
from mcp_contracts.schema.wording import MAXIMUM_SHOWN


def shown(text: str, *, limit: int = MAXIMUM_SHOWN) -> str:
    """A text for the inside of backticks: on one line, shortened, with what cannot be seen written as an escape."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(map(_visible, short))


def _visible(character: str) -> str:
    if character.isprintable() and not HIDDEN_RUN.match(character):
        return character
    code = ord(character)
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character)
    return short or (f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}")
