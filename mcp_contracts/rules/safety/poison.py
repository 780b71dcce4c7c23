"""Text that steers a model beyond a tool's purpose, distinguished from text about such attacks.

An instruction that no honest description needs is a signal on its own. An instruction that an honest description may
contain counts only together with another of a different kind.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from mcp_contracts.masking.words import Summary, unusual_characters
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.hidden import holds_hidden
from mcp_contracts.rules.safety.poison_signals import SIGNALS, Signal
from mcp_contracts.rules.texts import LOOKALIKES

LONGEST_EXAMINED = 50_000
"""The maximum number of characters of one tool that are searched: honest text is far shorter."""


_BLOCK = 20_000
_OVERLAP = 2_000  # more than twice the length of a passage and its context


class Suspect(NamedTuple):
    """A signal that a file may contain, with the words of each of its sets that the file contains."""

    signal: Signal
    words: tuple[tuple[str, ...], ...]

    def may_stand_in(self, speech: FoldedText) -> bool:
        """Whether the text of a tool contains one word of each set."""
        return all(any(word in speech.folded for word in words) for words in self.words)


class FoldedText(NamedTuple):
    """The parts of a tool's text, folded, with the start of each.

    `text` is the original.
    """

    folded: str
    text: str
    starts: tuple[int, ...]


class Passage(NamedTuple):
    """A span of text that steers the model, by offsets, and what it does."""

    start: int
    end: int
    what: str


_ALL_SUSPECTS = tuple(
    Suspect(signal, tuple(tuple(word.decode() for word in words) for words in signal.words)) for signal in SIGNALS
)
_IN_NAMES = "_from_"  # a parameter's name without separators
_BETWEEN = "!\n"  # ends every sentence, so that no pattern matches across two parts
_GAP = r"\s{3,}"
_GAP_STARTS = ("  ", "\n\n", "\n ", " \n", "\t", "\r", "\f", "\v")
# Emphasis, typographic quotes and dashes; letters of other scripts that are drawn like Latin ones; full-width forms.
_SIMPLE = {
    **str.maketrans("*`\u00a0‘’‚“”„–—‐‑", "   '''\"\"\"----"),
    **LOOKALIKES,
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
}
_DISGUISE = (
    "[\u0370-\u058f\u1d2c-\u1d6a\u2070-\u209c\u2100-\u214f\u24b6-\u24e9\ufb00-\ufb06\uff01-\uff5e"
    "\U0001d400-\U0001d7ff\U0001f130-\U0001f189]"
)
# Characters that folding replaces by several, by none, or by one from Unicode's tables.
_INTRICATE = "[\u1d2c-\u1d6a\u2070-\u209c\u2100-\u214f\u24b6-\u24e9\ufb00-\ufb06\U0001d400-\U0001f189]"

# Before a match in the same sentence: the text speaks about such an instruction instead of giving it.
_SPEAKS_ABOUT = (
    r"\b(?:detect|reject|refus|neutrali|saniti|attempts?\s+to|attack|inject|jailbreak|malicious|adversarial|untrusted|"
    r"such\s+as|e\.g\.|for\s+(?:example|instance)|phrase|wording|advised|tricks?\b|trying\s+to|tries\s+to|instructing|"
    r"that\s+(?:say|tell|ask|instruct|order|urge)|mitigat|classif|recogni[sz])"
)
# After a match: the text says how such an instruction is handled.
_DEALS_WITH = (
    r"^[\"')\]\s]*(?:is|are|was|will\s+be|gets?|get)\s+(?:\w+ly\s+|never\s+)?(?:neutrali|reject|strip|remov|block|ignor|"
    r"flag|detect|refus|filter|escap|discard|drop|treated\s+as|not\s+(?:followed|obeyed|executed))"
)
_NEGATED = r"\b(?:not|never|no|cannot|without|refuses?|avoid|rather\s+than|instead\s+of|unable|\w+n't)\b[^.;:!?]{0,40}$"
_SENTENCE_END = r"[.!?;](?=\s)|\n\s*\n|\n\s*[-#>:,[{]|>\s|\]\s|\|\s"


def suspects(text: str, about: Summary) -> tuple[Suspect, ...]:
    """Return the signals that a file may contain; empty if none of its descriptions needs to be searched."""
    if "\\u" in text or (about.unusual and (re.search(_DISGUISE, about.unusual) or holds_hidden(about.unusual))):
        return _ALL_SUSPECTS  # disguised letters, which hide the words of the file
    found = []
    for signal in SIGNALS:
        if not signal.words and _IN_NAMES not in text:
            continue
        present = []
        for words in signal.words:
            if words.isdisjoint(about.words):
                break
            known = words & about.words
            present.append(tuple(word.decode() for word in known))
        else:
            found.append(Suspect(signal, tuple(present)))
    return tuple(found) if _are_enough(found) else ()


def suspects_in(speech: FoldedText, possible: Iterable[Suspect]) -> list[Suspect]:
    """Return the suspects of a file that the text of one tool may contain."""
    near = [suspect for suspect in possible if suspect.may_stand_in(speech)]
    return near if _are_enough(near) else []


def gather(texts: Sequence[str]) -> FoldedText:
    """Return the parts of one tool's text, folded and joined: most are short, so searching them together is faster."""
    text = _BETWEEN.join(texts)[:LONGEST_EXAMINED]
    return FoldedText(_fold(text), text, tuple(accumulate((len(text) + len(_BETWEEN) for text in texts), initial=0)))


def passages(speech: FoldedText, possible: Iterable[Suspect]) -> dict[int, list[Passage]]:
    """Return the passages that steer the model in order, one for each kind of instruction, by the index of their text.

    Weak signals are reported only without a strong one.
    """
    strong: dict[int, dict[str, Passage]] = {}
    weak: dict[int, dict[str, Passage]] = {}
    offsets: Sequence[int] = ()
    for signal, _ in possible:
        for first, last in _matches(signal, speech.folded):
            offsets = offsets or _offsets(speech.text)
            start, end = offsets[first], offsets[last - 1] + 1
            index = bisect_right(speech.starts, start) - 1
            passage = Passage(start - speech.starts[index], end - speech.starts[index], signal.what)
            (strong if signal.is_strong else weak).setdefault(index, {}).setdefault(signal.what, passage)
    together = {index: some for index, some in weak.items() if len(some) > 1} | strong
    return {index: sorted(some.values()) for index, some in sorted(together.items())}


def strong_passages(text: str, possible: Iterable[Suspect]) -> list[Passage]:
    """Return every passage of a whole file that steers the model on its own, in order."""
    strong = [suspect for suspect in possible if suspect.signal.is_strong]
    found = set()
    for start in range(0, len(text), _BLOCK) if strong else ():
        block = text[max(0, start - _OVERLAP) : start + _BLOCK]
        speech = gather([block])
        offsets: Sequence[int] = ()
        for signal, _ in suspects_in(speech, strong):
            for first, last in _matches(signal, speech.folded):
                offsets = offsets or _offsets(block)
                begin, end = (max(0, start - _OVERLAP) + at for at in (offsets[first], offsets[last - 1] + 1))
                # A passage at the start of this block may depend on the end of the previous one.
                if not start or begin >= start - _OVERLAP // 2:
                    found.add(Passage(begin, end, signal.what))
    return sorted(found)


def _are_enough(found: Sequence[Suspect]) -> bool:
    """Whether a strong signal was found, or two of different kinds."""
    return any(suspect.signal.is_strong for suspect in found) or len({suspect.signal.what for suspect in found}) > 1


@lru_cache(maxsize=len(SIGNALS))
def _compile(pattern: str) -> re.Pattern[str]:
    """Compile a signal's pattern on demand: little text needs one, and compiling all of them takes 40 ms."""
    return re.compile(pattern.replace(" ", r"\s{1,2}"))


def _matches(signal: Signal, text: str) -> Iterator[tuple[int, int]]:
    """Yield the matches of a signal that are neither quoted nor discussed, nor reversed by a negation."""
    for match in _compile(signal.pattern).finditer(text):
        start = match.start()
        before = text[max(0, start - 160) : start]
        ends = [end.end() for end in re.finditer(_SENTENCE_END, before)]
        sentence = before[ends[-1] if ends else 0 :]
        if sentence.rstrip()[-1:] in ("'", '"') or re.search(_SPEAKS_ABOUT, sentence):
            continue
        if re.search(_DEALS_WITH, text[match.end() : match.end() + 60]):
            continue
        if signal.is_negatable and re.search(_NEGATED, sentence):
            continue
        yield match.span()


def _fold(text: str) -> str:
    """Return text in lowercase and in Latin letters, without hidden characters, emphasis and wide gaps."""
    folded, offsets = _folded(text)
    return re.sub(_GAP, _narrow_gap, folded) if _may_have_gaps(folded, offsets) else folded


def _offsets(text: str) -> Sequence[int]:
    """Return the original offset of each character of a folded text; only needed for text with a passage."""
    folded, offsets = _folded(text)
    kept: list[int] = []
    end = 0
    for gap in re.finditer(_GAP, folded) if _may_have_gaps(folded, offsets) else ():
        kept += [*offsets[end : gap.start()], *offsets[gap.start() : gap.start() + len(_narrow_gap(gap))]]
        end = gap.end()
    return [*kept, *offsets[end:]]


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """Return text in lowercase and in Latin letters, with its whitespace unchanged, and the original offsets."""
    folded = text.lower().replace("*", " ").replace("`", " ")
    unusual = unusual_characters(text)
    if len(folded) == len(text) and not re.search(_INTRICATE, unusual) and not holds_hidden(unusual):
        has_others = any(ord(character) in _SIMPLE for character in unusual)
        return folded.translate(_SIMPLE) if has_others else folded, range(len(folded))
    plain = [_fold_character(character) for character in text]
    return "".join(plain), [offset for offset, characters in enumerate(plain) for _ in characters]


def _may_have_gaps(folded: str, offsets: Sequence[int]) -> bool:
    return not isinstance(offsets, range) or any(gap in folded for gap in _GAP_STARTS)


def _fold_character(character: str) -> str:
    """Return a character in lowercase and in Latin letters; nothing for a hidden one."""
    if character > "~":
        from unicodedata import normalize  # not needed by most files

        character = "" if holds_hidden(character) else normalize("NFKC", character)
    return character.lower().translate(_SIMPLE)


def _narrow_gap(gap: re.Match[str]) -> str:
    """Return a wide gap narrowed to a space, a line break or a blank line."""
    return "\n\n"[: gap[0].count("\n")] or " "
