"""The wording of findings: authors' text made safe, and likely corrections."""

from __future__ import annotations

from collections import Counter

from mcp_contracts.rule_names import nearest
from mcp_contracts.rules.hidden import holds_hidden
from mcp_contracts.schema.wording import MAXIMUM_SHOWN

__all__ = ["is_misspelled", "nearest", "show"]


def show(text: str, *, limit: int = MAXIMUM_SHOWN) -> str:
    """Return text for use between backticks: on one line, shortened, with invisible characters as escapes."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return short if short.isprintable() and not holds_hidden(short) else "".join(map(_visible, short))


def is_misspelled(name: str, meant: str) -> bool:
    """Whether two names differ by one or two letters."""
    most = _MOST_WRONG_LETTERS
    if name == meant or abs(len(name) - len(meant)) > most or (Counter(name) - Counter(meant)).total() > most:
        return False
    from difflib import SequenceMatcher  # only errors need it

    blocks = SequenceMatcher(None, name, meant, autojunk=False).get_matching_blocks()
    return max(len(name), len(meant)) - sum(block.size for block in blocks) <= most


_MOST_WRONG_LETTERS = 2


def _visible(character: str) -> str:
    if character.isprintable() and not holds_hidden(character):
        return character
    code = ord(character)
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character)
    return short or (f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}")
