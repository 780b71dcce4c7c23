"""How people name rules: by code, by the beginning of codes, or by name; and what they probably meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

SHORTEST_PREFIX = 2
"""The least of a code that names rules: the letters of a family, such as `MC`."""

CHANGE_CODES = "BC"
"""How the codes of changes begin. They are no rules that can be selected: a change is there or not."""


def rule_prefix(word: str, known: Mapping[str, str]) -> str | None:
    """The code, or beginning of codes, that a word stands for, or None where it stands for no rule.

    `known` maps the code of every rule to its name.
    """
    if word in known or (len(word) >= SHORTEST_PREFIX and any(code.startswith(word) for code in known)):
        return word
    return next((code for code, name in known.items() if name == word), None)


def rule_suggestion(word: str, known: Mapping[str, str]) -> str:
    """A hint for a word that stands for no rule: the nearest code or name, or where to find them."""
    if word.upper().startswith(CHANGE_CODES) and not any(code.startswith(CHANGE_CODES) for code in known):
        return (
            f"codes that begin with {CHANGE_CODES} are changes: `[tool.mcp-contracts.diff]` sets their `levels`, "
            "and `diff --accept` accepts one"
        )
    digits = word.upper()[SHORTEST_PREFIX:].replace("O", "0").replace("I", "1").replace("L", "1")
    code = word.upper()[:SHORTEST_PREFIX] + digits
    meant = code if code in known else nearest(word, (*known, *known.values()))
    return "`mcp-contracts rules` lists all codes and names" if meant is None else f"did you mean `{meant}`?"


class NearestNames:
    """Finds the nearest of some names for the first words that ask, since a comparison of all with all has no end."""

    def __init__(self) -> None:
        self._left = _MOST_WORDS

    def of(self, word: str, choices: Collection[str]) -> str | None:
        """As `nearest`; None where there are too many choices, or too many words have asked."""
        self._left -= 1
        return nearest(word, choices) if self._left >= 0 and len(choices) <= _MOST_CHOICES else None


_MOST_WORDS = 20
_MOST_CHOICES = 500


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that a word was most likely meant as, or None where none is near."""
    from difflib import get_close_matches  # costs as much to import as half of this package, and only a fault needs it

    by_folded = {choice.casefold(): choice for choice in sorted(choices)}
    found = get_close_matches(word[:100].casefold(), list(by_folded), n=1, cutoff=0.7)
    return by_folded[found[0]] if found else None
