"""How messages about a configuration show what it holds."""

from __future__ import annotations

_MOST_CHARACTERS = 120


def quoted(text: object) -> str:
    """A text in backticks; of a long one the beginning, with how many characters it has."""
    whole = str(text)
    if len(whole) <= _MOST_CHARACTERS:
        return f"`{whole}`"
    return f"`{whole[:_MOST_CHARACTERS]}…` ({len(whole):,} characters)"
