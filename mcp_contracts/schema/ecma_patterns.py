"""Regular expressions by ECMA-262, which JSON Schema names: whether one is valid, and what its classes mean."""

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


_NO_TEXT = "it contains a lone surrogate, which is not valid text"
_TOO_DEEP = "its groups are nested too deeply"


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


_ASCII = {"w": "A-Za-z0-9_", "d": "0-9"}


def with_ascii_classes(text: str) -> str:
    """A pattern with `\\w`, `\\W`, `\\d` and `\\D` written out, as ECMA-262 means them.

    The backtracking engine takes them for those of Unicode, which is not what the author means, and for `\\w{1,255}`
    takes 0.2 s to compile. Inside a class the negated ones cannot be written out, and stay.
    """
    written: list[str] = []
    in_class = False
    position = 0
    while position < len(text):
        character = text[position]
        if character == "\\":
            escape = text[position : position + 2]
            members = _ASCII.get(escape[1:].lower())
            position += 2
            if members is None or (in_class and escape[1:].isupper()):
                written.append(escape)
            elif in_class:
                if written[-1] == "-":  # which is no range before a class of its own
                    written[-1] = "\\-"
                written.append(members)
                if text[position : position + 1] == "-" and text[position + 1 : position + 2] != "]":
                    written.append("\\-")
                    position += 1
            else:
                written.append(f"[{members}]" if escape[1:].islower() else f"[^{members}]")
            continue
        in_class = character == "[" or (in_class and character != "]")
        written.append(character)
        position += 1
    return "".join(written)


def means_ascii_only(text: str, *, backtracks: bool) -> bool:
    """Whether our engines read a pattern as ECMA-262 does in ASCII text alone: they take word boundaries from Unicode,
    and the backtracking one `\\s` and negated classes as well.
    """
    return bool(re.search(r"\\[bBsSWDwd]" if backtracks else r"\\[bB]", text))
