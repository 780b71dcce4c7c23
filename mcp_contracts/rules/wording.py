"""How findings show what an author wrote, and what was most likely meant."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_contracts.rules.hidden import HIDDEN_RUN
from mcp_contracts.schema.wording import MAXIMUM_SHOWN


def shown(text: str, *, limit: int = MAXIMUM_SHOWN) -> str:
    """A text for the inside of backticks: on one line, shortened, with what cannot be seen written as an escape."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(map(_visible, short))


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that `word` was most likely meant as, or None where none is near."""
    from difflib import get_close_matches  # costs as much to import as half of this package, and only a fault needs it

    by_folded = {choice.casefold(): choice for choice in sorted(choices)}
    found = get_close_matches(word.casefold(), list(by_folded), n=1, cutoff=0.7)
    return by_folded[found[0]] if found else None


def _visible(character: str) -> str:
    if character.isprintable() and not HIDDEN_RUN.match(character):
        return character
    code = ord(character)
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character)
    return short or (f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}")
