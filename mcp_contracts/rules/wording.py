"""How findings show what an author wrote: shortened, with hidden characters made visible, near misses named."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from mcp_contracts.rules.hidden import HIDDEN_RUN

MAXIMUM_SHOWN = 60
"""How many characters of a value a message shows."""


def shown(text: str, *, limit: int = MAXIMUM_SHOWN) -> str:
    """A text for the inside of backticks: one line, shortened, with what cannot be seen written as an escape."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(character if _is_visible(character) else _escape(character) for character in short)


def quoted(text: str, *, limit: int = MAXIMUM_SHOWN) -> str:
    """A text as JSON writes it, shortened, with what cannot be seen written as an escape."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    written = json.dumps(short, ensure_ascii=False)
    return "".join(character if _is_visible(character) else _escape(character) for character in written)


def listed(words: Sequence[str], *, conjunction: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that `word` was most likely meant as, or None where none is near."""
    from difflib import get_close_matches  # costs as much to import as half of this package, and only a fault needs it

    by_folded = {choice.casefold(): choice for choice in sorted(choices)}
    found = get_close_matches(word.casefold(), list(by_folded), n=1, cutoff=0.7)
    return by_folded[found[0]] if found else None


def _is_visible(character: str) -> bool:
    if character <= "~":
        return character >= " "
    return character.isprintable() and not HIDDEN_RUN.match(character)


def _escape(character: str) -> str:
    code = ord(character)
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character)
    if short is not None:
        return short
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
