"""Whether a regular expression is one by ECMA-262, the standard that JSON Schema names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from mcp_contracts.schema.effort import PATTERN_CHARACTERS


class PatternState(StrEnum):
    """What ECMA-262 says of a pattern."""

    VALID = "valid"
    UNICODE_REFUSED = "unicode-refused"  # valid, but not with the flag `u`
    INVALID = "invalid"
    UNKNOWN = "unknown"  # too long to be read, or no text


@dataclass(frozen=True, slots=True)
class PatternVerdict:
    """What a pattern is, and the reason where something is wrong with it."""

    state: PatternState
    reason: str | None = None


# What most patterns are made of, all of it valid with and without `u`. Reading them so saves the import of an engine,
# which costs half as much as Python's own start. Possessive, so that no pattern can make this one slow.
_CHARACTER = r"[A-Za-z0-9 _@:,=#%&;<>~\"'!`/\-]|\\[dDwWsS.\\/^$*+?()\[\]{}|nrt]"
_CLASS = (
    r"\[\^?+(?:[A-Z]-Z|[a-z]-z|a-f|A-F|[0-9]-9|0-[0-9]|1-[1-9]|[A-Za-z0-9 _@:,=#%;<>~\"'!`/.*+?(){}$|](?!-[^\]])"
    r"|\\[dwsDWS.\\/\-\]\[^$*+?(){}|nrt](?!-[^\]]))++-?+\]"
)
_COUNT = r"\{(?:\d{1,4},?|[01],[1-9]|2,[2-9]|3,[3-9]|\d,[1-9]\d{1,3})\}"
_PIECE = rf"(?:{_CHARACTER}|{_CLASS}|\.)(?:(?:[*+?]|{_COUNT})\??)?+"
_PLAIN = rf"\^?+(?:{_PIECE}|\((?:\?:)?(?:{_PIECE}|\|)*+\)(?:[*+?]\??)?+|\|)*+\$?+"

_VALID = PatternVerdict(PatternState.VALID)


@lru_cache(maxsize=1024)
def judge_pattern(text: str) -> PatternVerdict:
    """What ECMA-262 says of a pattern, read with the flag `u` (as JSON Schema recommends) and without."""
    if len(text) > PATTERN_CHARACTERS:
        return PatternVerdict(PatternState.UNKNOWN, f"it has more than {PATTERN_CHARACTERS:,} characters")
    if re.fullmatch(_PLAIN, text):
        return _VALID
    with_unicode = _reason(text, "u")
    if with_unicode is None:
        return _VALID
    without = _reason(text, "")
    if without is None:
        return PatternVerdict(PatternState.UNICODE_REFUSED, with_unicode)
    if without in (_NO_TEXT, _TOO_DEEP):
        return PatternVerdict(PatternState.UNKNOWN, without)
    return PatternVerdict(PatternState.INVALID, without)


_NO_TEXT = "it holds a lone surrogate, which is no text"
_TOO_DEEP = "it nests its groups too deep"


def _reason(text: str, flags: str) -> str | None:
    """Why a pattern is refused, or None where it is not."""
    from regress import Regex, RegressError  # 8 ms, and most schemas hold only patterns that are plain

    try:
        Regex(text, flags)
    except RegressError as error:
        message = str(error).rstrip(".")
        return _TOO_DEEP if "deeply nested" in message else message[:1].lower() + message[1:]
    except UnicodeEncodeError:
        return _NO_TEXT
    return None
