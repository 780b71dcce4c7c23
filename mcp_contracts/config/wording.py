"""Quote the content of a configuration in messages."""

from __future__ import annotations

_MOST_CHARACTERS = 120


def quote(text: object) -> str:
    """Return text in backticks; a long one is shortened and its length is added."""
    whole = str(text)
    if len(whole) <= _MOST_CHARACTERS:
        return f"`{whole}`"
    return f"`{whole[:_MOST_CHARACTERS]}…` ({len(whole):,} characters)"
