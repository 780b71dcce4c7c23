"""ECMA-262 regular expressions, which JSON Schema uses: their validity, and the meaning of their classes."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from mcp_contracts import lazy_re as re
from mcp_contracts.records import dataclass
from mcp_contracts.schema.effort import PATTERN_CHARACTERS


class PatternState(StrEnum):
    """The status of a pattern under ECMA-262."""

    VALID = "valid"
    UNICODE_REFUSED = "unicode-refused"  # valid, but not with the flag `u`
    INVALID = "invalid"
    UNKNOWN = "unknown"  # too long to check, or not valid text


@dataclass(frozen=True, slots=True)
class PatternVerdict:
    """The status of a pattern, and the reason if it is not valid."""

    state: PatternState
    reason: str | None = None


# The syntax of most patterns, all valid with and without `u`. Matching it avoids importing an engine, which takes half
# as long as Python's own startup. Possessive quantifiers keep this expression fast on every pattern.
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
    """Check a pattern under ECMA-262 with the flag `u` (as JSON Schema recommends) and without it."""
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
    """Return why a pattern is rejected, or None if it is valid."""
    from regress import Regex, RegressError  # takes 8 ms, and most schemas contain only plain patterns

    try:
        Regex(text, flags)
    except RegressError as error:
        message = str(error).rstrip(".")
        return _TOO_DEEP if "deeply nested" in message else message[:1].lower() + message[1:]
    except UnicodeEncodeError:
        return _NO_TEXT
    return None


_ASCII = {"w": "A-Za-z0-9_", "d": "0-9"}
_EVERY, _NONE = r"(?:.|[\n\r\u2028\u2029])", r"[^\s\S]"
_COUNTS = re.compile(r"\{[0-9]+(?:,[0-9]*)?\}")
_NAMED, _NAMING = re.compile(r"\{[^}]{0,200}\}"), (r"\p", r"\P", r"\u")
_PAIR = re.compile(r"\\u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})")


def expand_escapes(text: str) -> str:
    """Expand `\\w`, `\\W`, `\\d`, `\\D` and surrogate pairs (`\\uD83D\\uDE00`) in a pattern to their ECMA-262 meaning.

    Some notations are only valid in ECMA-262: `[^]`, `[]`, `[\\b]`, `\\0`, and a `{` that does not begin a quantifier.
    The backtracking engine uses the Unicode classes, which the author does not mean and which take 0.2 s to compile for
    `\\w{1,255}`. Negated ones inside a class cannot be expanded and are kept. No engine accepts surrogates.
    """
    written: list[str] = []
    in_class = False
    position = 0
    while position < len(text):
        character = text[position]
        if pair := _PAIR.match(text, position):
            written.append(rf"\u{{{(int(pair[1], 16) - 0xD800 << 10) + int(pair[2], 16) - 0xDC00 + 0x10000:X}}}")
            position = pair.end()
            continue
        if character == "\\":
            escape = text[position : position + 2]
            members = _ASCII.get(escape[1:].lower())
            position += 2
            if escape == "\\0" and not text[position : position + 1].isdigit():
                written.append(r"\x00")
            elif in_class and escape == "\\b":
                written.append(r"\x08")
            elif members is None or (in_class and escape[1:].isupper()):
                written.append(escape)
            elif in_class:
                if written[-1] == "-":  # not a range before a class
                    written[-1] = "\\-"
                written.append(members)
                if text[position : position + 1] == "-" and text[position + 1 : position + 2] != "]":
                    written.append("\\-")
                    position += 1
            else:
                written.append(f"[{members}]" if escape[1:].islower() else f"[^{members}]")
            continue
        if not in_class and text.startswith(("[]", "[^]"), position):
            written.append(_NONE if text[position + 1] == "]" else _EVERY)
            position = text.index("]", position) + 1
            continue
        if not in_class and character == "{":
            count = (_NAMED if written and written[-1] in _NAMING else _COUNTS).match(text, position)
            written.append(count[0] if count else r"\{")
            position = count.end() if count else position + 1
            continue
        in_class = character == "[" or (in_class and character != "]")
        written.append(character)
        position += 1
    return "".join(written)


def means_ascii_only(text: str, *, backtracks: bool) -> bool:
    """Whether our engines follow ECMA-262 for a pattern only in ASCII text.

    Both use Unicode word boundaries; the backtracking engine also uses Unicode for `\\s` and negated classes.
    """
    return bool(re.search(r"\\[bBsSWDwd]" if backtracks else r"\\[bB]", text))
