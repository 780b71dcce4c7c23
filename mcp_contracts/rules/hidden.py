"""Characters that models see but people do not: the list, their legitimate uses, and the text that they encode."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_contracts.records import NamedTuple

# Controls except tab, line feed, form feed and return; soft hyphen; fillers; zero-width and bidirectional characters;
# variation selectors; annotation anchors; shorthand and musical controls; tags; the selectors' supplement.
_HIDDEN = (
    "\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
_RUN = f"[{_HIDDEN}]+"

_SELECTORS = ("\ufe00", "\ufe0f")
_MORE_SELECTORS = ("\U000e0100", "\U000e01ef")
_TAGS = ("\U000e0020", "\U000e007e")
_LAST_TAG = "\U000e007f"
_BLACK_FLAG = "\U0001f3f4"
_NEAR = 60
_MARKS = "\u200e\u200f\u061c"
# Scripts in which a zero-width joiner or non-joiner changes how a word is written (Unicode, chapters 9 and 12 to 16).
_JOINING = "[\u0600-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]"
# Scripts without spaces between words, which mark a possible line break with a zero-width space.
_UNSPACED = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"
_RIGHT_TO_LEFT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
_PICTURE = "[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]"
_HAN = "[\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"


class HiddenRun(NamedTuple):
    """Adjacent hidden characters, by their offsets in the text."""

    start: int
    end: int
    characters: str


def holds_hidden(text: str) -> bool:
    """Whether text contains a hidden character, legitimate or not."""
    return not (text.isascii() and text.isprintable()) and re.search(_RUN, text) is not None


def hidden_runs(text: str) -> Iterator[HiddenRun]:
    """Return every run of hidden characters that no script or emoji requires."""
    for match in re.finditer(_RUN, text):
        start, end = match.span()
        if start == 0 and text[0] == "\ufeff":
            start = 1  # a byte order mark
        if start < end and not _is_fair(text, start, end):
            yield HiddenRun(start, end, text[start:end])


def describe(run: str) -> str:
    """Describe a run for a message: the text that it encodes, or its characters by code point and name."""
    spelled = spelled_text(run)
    if spelled is not None:
        return f"{len(run)} hidden characters encode text"
    from unicodedata import name  # the names are only needed for a finding

    counts: dict[str, int] = {}
    for character in run:
        counts[character] = counts.get(character, 0) + 1
    parts = []
    for character, count in list(counts.items())[:3]:
        title = name(character, "").lower() or "control character"
        times = f" ({count} times)" if count > 1 else ""
        parts.append(f"U+{ord(character):04X} {title}{times}")
    more = f" and {len(counts) - 3} more" if len(counts) > 3 else ""
    return f"hidden {'character' if len(run) == 1 else 'characters'} {', '.join(parts)}{more}"


def spelled_text(run: str) -> str | None:
    """Return the text that tags or variation selectors encode, or None.

    Tags mirror ASCII at U+E0000; each variation selector represents one byte (FE00 to FE0F for 0 to 15, E0100 to E01EF
    for 16 to 255).
    """
    tags = "".join(chr(ord(character) - 0xE0000) for character in run if _TAGS[0] <= character <= _TAGS[1])
    if len(tags) > 1:
        return tags
    data = bytearray()
    for character in run:
        if _SELECTORS[0] <= character <= _SELECTORS[1]:
            data.append(ord(character) - 0xFE00)
        elif _MORE_SELECTORS[0] <= character <= _MORE_SELECTORS[1]:
            data.append(ord(character) - 0xE0100 + 16)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if len(text) > 3 and text.isprintable() else None


def _is_fair(text: str, start: int, end: int) -> bool:
    before = text[start - 1] if start else ""
    after = text[end] if end < len(text) else ""
    run = text[start:end]
    if not before:
        return False
    is_picture = bool(re.match(_PICTURE, before))
    if _SELECTORS[0] <= run[0] <= _SELECTORS[1]:
        is_picture = is_picture or run[0] == "\ufe0f"
        run = run[1:]
    if run == "":
        return True  # a single selector chooses a variant of the character before it
    if run == "\u200d":
        return bool(re.match(_JOINING, before)) or (is_picture and bool(re.match(_PICTURE, after)))
    if run == "\u200c":
        return bool(re.match(_JOINING, before))
    if run == "\u200b":
        return bool(re.match(_UNSPACED, before) and re.match(_UNSPACED, after))
    if len(run) <= 2 and not run.strip(_MARKS):
        return bool(re.search(_RIGHT_TO_LEFT, _surroundings(text, start)))
    if len(run) == 1 and _MORE_SELECTORS[0] <= run <= _MORE_SELECTORS[1]:
        return bool(re.match(_HAN, before))
    if before == _BLACK_FLAG and run[-1] == _LAST_TAG and len(run) <= 8:
        return all(_TAGS[0] <= character <= _TAGS[1] for character in run[:-1])  # such as the flag of Scotland
    return False


def _surroundings(text: str, offset: int) -> str:
    """Return the nearby part of the line around an offset."""
    begin = max(text.rfind("\n", max(0, offset - _NEAR), offset) + 1, offset - _NEAR, 0)
    end = text.find("\n", offset, offset + _NEAR)
    return text[begin : end if end >= 0 else offset + _NEAR]
