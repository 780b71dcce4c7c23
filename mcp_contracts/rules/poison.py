"""Text that steers a model past a tool's purpose: found by what it asks for, and told from text that speaks about it.

An instruction that no honest description needs is a signal of its own. One that an honest description may hold counts
only together with another of a different kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from mcp_contracts.rules.hidden import HIDDEN_RUN
from mcp_contracts.rules.poison_signals import SIGNALS, TRIGGERS, Signal
from mcp_contracts.rules.texts import Summary, summarise

LONGEST_EXAMINED = 20_000
"""How many characters of one text are examined. No honest description is a tenth as long, and time stays bounded."""


class Passage(NamedTuple):
    """A stretch of a text that steers the model, by offsets, and what it does."""

    start: int
    end: int
    what: str


_IN_NAMES = (b"content_", b"contents_")
# Letters of other scripts that are drawn like Latin ones; typographic quotes and dashes.
_LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕԁһӏαεικνορτυχ‘’‚“”„–—‐‑", "abekmhopctyxijsdhlaeiknoptux'''\"\"\"----"
)  # fmt: skip
_MARKUP = str.maketrans("*`\u00a0", "   ")
_FOLDABLE = re.compile(
    "[\u0370-\u058f\u1d2c-\u1d6a\u2010-\u2011\u2018-\u201f\u2070-\u209c\u2100-\u214f\u24b6-\u24e9\ufb00-\ufb06"
    "\uff01-\uff5e\U0001d400-\U0001d7ff\U0001f130-\U0001f189]"
)

# Before a match in the same sentence: the text speaks about such an instruction instead of giving it.
_SPEAKS_ABOUT = re.compile(
    r"\b(?:detect|reject|refus|block|flag|strip|neutrali|saniti|prevent|filter|scan|attempt|attack|inject|jailbreak|"
    r"malicious|adversarial|untrusted|such\s+as|e\.g\.|for\s+(?:example|instance)|phrase|wording|advised|tricks?\b|"
    r"trying\s+to|tries\s+to|instructing|that\s+(?:say|tell|ask|instruct|order|urge)|mitigat|classif|recogni[sz]|guards?\b)"
)
# After it: the text says what becomes of such an instruction.
_DEALS_WITH = re.compile(
    r"^[\"')\]\s]*(?:is|are|was|will\s+be|gets?|get)\s+(?:\w+ly\s+|never\s+)?(?:neutrali|reject|strip|remov|block|ignor|"
    r"flag|detect|refus|filter|escap|discard|drop|treated\s+as|not\s+(?:followed|obeyed|executed))"
)
_NEGATED = re.compile(
    r"\b(?:not|never|no|cannot|without|refuses?|avoid|rather\s+than|instead\s+of|unable|\w+n't)\b[^.;:!?]{0,40}$"
)
_SENTENCE_END = re.compile(r"[.!?;](?=\s)|\n\s*\n|\n\s*[-#>]|>\s|\]\s")


def may_be_poisoned(about: Summary) -> bool:
    """Whether a text is worth the search: it holds a word that some signal needs, or letters in disguise."""
    return (
        not TRIGGERS.isdisjoint(about.words)
        or any(word.startswith(_IN_NAMES) for word in about.words)
        or bool(about.unusual and _is_disguise(about.unusual))
    )


def passages(text: str) -> list[Passage]:
    """The passages of a text that steer the model, one for each thing that it does, in order; empty where it is fair."""
    about = summarise(text)
    if not may_be_poisoned(about):
        return []
    folded, offsets = _fold(text[:LONGEST_EXAMINED], is_ascii=not about.unusual)
    words = summarise(folded).words if offsets else about.words
    found: dict[str, Passage] = {}
    is_strong = False
    for signal in SIGNALS:
        if signal.what in found and (is_strong or not signal.is_strong):
            continue
        if signal.words and words.isdisjoint(signal.words.encode().split()):
            continue
        span = next(_matches(signal, folded), None)
        if span is not None:
            start, end = (offsets[span[0]], offsets[span[1] - 1] + 1) if offsets else span
            found.setdefault(signal.what, Passage(start, end, signal.what))
            is_strong = is_strong or signal.is_strong
    return sorted(found.values()) if is_strong or len(found) > 1 else []


@lru_cache(maxsize=len(SIGNALS))
def _compiled(pattern: str) -> re.Pattern[str]:
    """A signal's pattern. Few texts need any, and all of them take 40 ms to compile."""
    return re.compile(pattern.replace(" ", r"\s+"))


def _matches(signal: Signal, text: str) -> Iterator[tuple[int, int]]:
    """Where a signal stands and is meant: not quoted, not spoken about, and not negated where that turns it round."""
    for match in _compiled(signal.pattern).finditer(text):
        start = match.start()
        before = text[max(0, start - 160) : start]
        ends = [end.end() for end in _SENTENCE_END.finditer(before)]
        sentence = before[ends[-1] if ends else 0 :]
        if sentence.rstrip()[-1:] in ("'", '"') or _SPEAKS_ABOUT.search(sentence):
            continue
        if _DEALS_WITH.search(text[match.end() : match.end() + 60]):
            continue
        if signal.is_negatable and _NEGATED.search(sentence):
            continue
        yield match.span()


def _is_disguise(unusual: str) -> bool:
    return bool(_FOLDABLE.search(unusual) or HIDDEN_RUN.search(unusual))


def _fold(text: str, *, is_ascii: bool) -> tuple[str, list[int] | None]:
    """A text in lower case and in Latin letters, without hidden characters and emphasis; and each one's old offset."""
    if is_ascii:
        return text.lower().translate(_MARKUP), None
    from unicodedata import normalize  # most files are ASCII

    characters: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        if character > "~":
            character = "" if HIDDEN_RUN.match(character) else normalize("NFKC", character)
        folded = character.casefold().translate(_LOOKALIKES).translate(_MARKUP)
        characters.append(folded)
        offsets.extend([offset] * len(folded))
    return "".join(characters), offsets
