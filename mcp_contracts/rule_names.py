"""The ways to name rules (a code, a code prefix, a name), and suggestions for misspelled ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

SHORTEST_PREFIX = 2
"""The length of the shortest code prefix: the letters of a family, such as `MC`."""

CHANGE_CODES = "BC"
"""The prefix of change codes. They are not rules that can be selected, because a change either exists or does not."""


def rule_prefix(word: str, known: Mapping[str, str]) -> str | None:
    """Return the code or code prefix for a word, or None if it names no rule.

    `known` maps the code of every rule to its name.
    """
    if word in known or (len(word) >= SHORTEST_PREFIX and any(code.startswith(word) for code in known)):
        return word
    return next((code for code, name in known.items() if name == word), None)


def rule_suggestion(word: str, known: Mapping[str, str]) -> str:
    """Return a hint for a word that names no rule: the nearest code or name, or where to find them."""
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
    """Finds the nearest of some names, but only for the first words, because comparing all with all is too slow."""

    def __init__(self) -> None:
        self._left = _MOST_WORDS

    def of(self, word: str, choices: Collection[str]) -> str | None:
        """Return the result of `nearest`, or None if there are too many choices or calls."""
        self._left -= 1
        return nearest(word, choices) if self._left >= 0 and len(choices) <= _MOST_CHOICES else None


_MOST_WORDS = 20
_MOST_CHOICES = 500


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that a word was probably meant to be, or None if none is similar."""
    # importing it takes half as long as importing this package, and only errors need it
    from difflib import get_close_matches

    by_folded = {choice.casefold(): choice for choice in sorted(choices)}
    found = get_close_matches(word[:100].casefold(), list(by_folded), n=1, cutoff=0.7)
    return by_folded[found[0]] if found else None


def misspelled(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice with the letters of a word in another order. An added or missing letter may be another name."""
    letters = sorted(word)
    return next((choice for choice in choices if sorted(choice) == letters), None)


def shortened(word: str, choices: Iterable[str]) -> str | None:
    """Return the only choice that a word is a part or an abbreviation of: `tail_lines` for `tail`, `format` for `fmt`.

    Several choices are too many to tell which one was meant.
    """
    found = [choice for choice in choices if _shortens(word, choice)]
    return found[0] if len(found) == 1 else None


def _shortens(word: str, choice: str) -> bool:
    short, long = word.casefold(), choice.casefold()
    if f"_{short}_" in f"_{long}_":
        return True
    return len(short) >= _SHORTEST_ABBREVIATION and any(_abbreviates(short, whole) for whole in long.split("_"))


def _abbreviates(short: str, whole: str) -> bool:
    """Whether a word is the beginning of another one, or its first letter and some of its consonants."""
    are_plural = short.endswith("s") and whole.endswith("s") and len(short) > _SHORTEST_ABBREVIATION
    if whole.startswith(short) or (are_plural and whole.startswith(short[:-1])):
        return True
    letters = iter(whole)
    return short[0] == whole[:1] and _VOWELS.isdisjoint(short[1:]) and all(letter in letters for letter in short)


_SHORTEST_ABBREVIATION = 3
_VOWELS = frozenset("aeiou")
