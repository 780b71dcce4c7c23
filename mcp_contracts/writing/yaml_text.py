"""Strings as YAML on one line."""

from __future__ import annotations

import json

from mcp_contracts import lazy_re as re

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_WORDS_OF_YAML = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n"))


def yaml_word(text: str) -> str:
    """Return text unchanged if YAML reads it as the same text, otherwise in quotes."""
    return text if _PLAIN.fullmatch(text) and text.lower() not in _WORDS_OF_YAML else yaml_quoted(text)


def yaml_quoted(text: str) -> str:
    """Return text in double quotes on one line: like JSON, with escapes for characters that YAML does not allow."""
    return "".join(map(_visible, json.dumps(text, ensure_ascii=False)))


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:  # a lone surrogate, which UTF-8 cannot represent
        return "\N{REPLACEMENT CHARACTER}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
