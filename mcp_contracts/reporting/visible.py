"""Text made safe for output: control characters and invisible characters are escaped."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from mcp_contracts import lazy_re as re

# Listed here instead of taken from `unicodedata`, so that every Python writes the same bytes: C1 controls, soft hyphen,
# fillers, zero-width and bidirectional controls, separators, byte order mark, lone surrogates, musical controls, tags.
# The joiner of emoji is included, because terminals differ in how they display joined characters.
_UNSEEN = (
    "\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# `##[command]` anywhere in a line is a command for GitHub's and Azure's runners, and so are `##vso[…]` and
# `##teamcity[…]`.
_COMMAND = r"#(?=#\w*\[)"
_HIDDEN = re.compile(f"[\x00-\x1f{_UNSEEN}]|{_COMMAND}")
_HIDDEN_IN_JSON = re.compile(f"[{_UNSEEN}]|{_COMMAND}")  # the C0 controls are escaped already, and newlines indent
_COMMAND_LINE = re.compile(r"^([^\S\n]*):(?=:)", re.MULTILINE)


def visible(text: str) -> str:
    r"""Return text with control, invisible and bidirectional characters escaped, as in `\u{202e}`.

    Paths, messages and lines of source come from untrusted files: unescaped, they could color, move or erase text on
    the terminal, display different words, or give commands to a CI runner.
    """
    return text if _is_plain(text) else _HIDDEN.sub(_write_escape, text)


def _is_plain(text: str) -> bool:
    """Whether text definitely hides nothing; compiling the expression that finds hidden text takes milliseconds."""
    return text.isascii() and text.isprintable() and "#" not in text


def visible_characters(text: str) -> list[str]:
    """Return each character of text as `visible` writes it."""
    characters = list(text)
    if _is_plain(text):
        return characters
    for match in _HIDDEN.finditer(text):
        characters[match.start()] = _write_escape(match)
    return characters


def without_commands(text: str) -> str:
    r"""Escape finished lines so that no CI mistakes them for a workflow command: a leading `::` becomes `\u{3a}:`.

    GitHub's runner executes `::name::` at the start of a line, even after whitespace. Wrapping can put any text there,
    so this is the last step of a format for people.
    """
    return text if "::" not in text else _COMMAND_LINE.sub(r"\1\\u{3a}:", text)


def json_text(value: Any) -> str:
    r"""Return a value as indented JSON without invisible characters, with a final newline.

    Invisible characters become JSON's own escapes, so no value changes. A lone surrogate, which neither UTF-8 nor most
    JSON readers can represent, becomes the text `\u{d800}`.
    """
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return (text if _is_plain(text.replace("\n", "")) else _HIDDEN_IN_JSON.sub(_escape, text)) + "\n"


def cells(character: str) -> int:
    """Return the width of a visible character in cells: 0 if it combines with the one before, 2 if it is wide."""
    if character < "\u0300":
        return 1
    if unicodedata.category(character) in ("Mn", "Me") or "\u1161" <= character <= "\u11ff":  # and Hangul finals
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cell_width(text: str) -> int:
    """Return the width of text in terminal cells."""
    return len(text) if text.isascii() else sum(map(cells, text))


def _write_escape(match: re.Match[str]) -> str:
    return f"\\u{{{ord(match[0]):x}}}"


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xD800 <= code <= 0xDFFF:
        return f"\\\\u{{{code:x}}}"
    if code > 0xFFFF:  # JSON escapes are UTF-16
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"
