"""Explains why text is not valid JSON: the likely cause of a parser's error, a hint, and a better place."""

from __future__ import annotations

from mcp_contracts import lazy_re as re
from mcp_contracts.records import NamedTuple

_LITERALS = re.compile(r"(True|False|None|undefined|NaN|-?Infinity)\b")
_SPELLED = {"True": "`true`", "False": "`false`", "None": "`null`", "undefined": "`null`"}
_JSON_SPACE = " \t\n\r"


class Cause(NamedTuple):
    """A cause in a few words, the fix, and the offset of the fault."""

    words: str
    hint: str | None
    at: int


_NOT_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+"|[^\[\]{}]')
_HEADING = re.compile(r"#{1,6} ")


def likely_cause(text: str, position: int, message: str) -> Cause:
    """Return the likely cause of an error that Python's JSON decoder reports with `message` at `position`."""
    at = position
    while at < len(text) and text[at] in _JSON_SPACE:
        at += 1
    rest = text[at : at + 40]
    before = text[:position].rstrip(_JSON_SPACE)
    if not text.strip():
        return Cause("the text is empty", "write the JSON, or remove the block", 0)
    if message.startswith("Invalid control character") and text[position] == "\t":
        return Cause("a raw tab inside a string", "write `\\t` instead", position)
    if message.startswith("Invalid control character") and _begins_member(text[position:]):
        return Cause("a string that is not closed before the end of its line", 'close it with `"`', position)
    if message.startswith("Invalid control character"):
        return Cause("a raw line break or control character inside a string", "write `\\n` instead", position)
    if message.startswith("Unterminated string"):
        return Cause("a string that is not closed", 'close it with `"`', position)
    if message.startswith("Invalid \\"):
        return Cause("an invalid escape in a string", "write `\\\\` for a backslash", position)
    if message == "Extra data" and _HEADING.match(rest):
        hint = "close it with a line of three backticks before the heading"
        return Cause("a heading, so the fence above is not closed where it should be", hint, at)
    if rest.startswith(("//", "/*", "#")):
        return Cause("a comment", "JSON has no comments: move it out of the block", at)
    if rest.startswith(("...", "…")):
        return Cause("`...` stands for omitted text", "write the complete JSON", at)
    if message.startswith("Illegal trailing comma") or (before.endswith(",") and rest[:1] in ("}", "]")):
        comma = len(before) - 1 if before.endswith(",") else position
        return Cause("a trailing comma", "remove the comma", comma)
    if not rest:
        return Cause("the text ends before the JSON does", "close every bracket and string", len(text.rstrip()) - 1)
    if message == "Extra data":
        return _extra(rest, at)
    if message.startswith("Expecting ',' delimiter") and rest[0] in "}]:":
        opened = _innermost(text[:position])
        if opened == "[" and rest[0] != "]":
            return Cause("an array that is not closed", f"close it with `]` before the `{rest[0]}`", at)
        if opened == "{" and rest[0] == "]":
            return Cause("an object that is not closed", "close it with `}` before the `]`", at)
    return _explain_unexpected(rest, at, message)


def _innermost(text: str) -> str:
    """Return the last bracket that text opens and does not close, or nothing."""
    opened: list[str] = []
    for bracket in _NOT_BRACKETS.sub("", text):
        if bracket in "[{":
            opened.append(bracket)
        elif opened:
            opened.pop()
    return opened[-1] if opened else ""


def _begins_member(text: str) -> bool:
    """Whether the next line begins with a key or a closing bracket, so the string before it is not closed."""
    return bool(re.match(r'\s*"[^"\n]*"\s*:|\s*[}\]]', text))


def _extra(rest: str, at: int) -> Cause:
    """Return the cause of text after a complete value."""
    if rest[0] in "}]":
        return Cause(f"an unmatched `{rest[0]}`", "remove it", at)
    if rest[0] == ":":
        return Cause("members without enclosing braces", "put `{` before and `}` after them", at)
    if rest[0] == ",":
        return Cause("text after the end of the JSON", "remove it, or put `[` and `]` around the values", at)
    return Cause("several documents in one block", "give each document its own block", at)


def _explain_unexpected(rest: str, at: int, message: str) -> Cause:
    """Return the cause of a character that is not allowed at its place."""
    if rest[0] == "'":
        return Cause("single quotes", 'write strings in double quotes: `"…"`', at)
    if rest[0] in "“”„‟«»":
        return Cause("typographic quotes", 'write strings in straight double quotes: `"…"`', at)
    if not rest[0].isprintable() or rest[0].isspace():
        return Cause(f"an invisible character (U+{ord(rest[0]):04X})", "remove it, or write a plain space", at)
    if rest.startswith("{{") or re.match(r"<[\w ./-]+>", rest):
        return Cause("a placeholder", "write a real value in its place", at)
    literal = _LITERALS.match(rest)
    if literal:
        hint = f"write {_SPELLED.get(literal[1], 'a value that JSON supports')}"
        return Cause(f"`{literal[1]}` is not a JSON literal", hint, at)
    if message.startswith("Expecting property name"):
        if rest[0] == ",":
            return Cause("an extra comma", "remove it", at)
        return Cause("a key without double quotes", 'write keys in double quotes: `"key"`', at)
    if rest[0] == "|":
        return Cause("alternatives separated by `|`", "write one value; a schema lists several in `enum`", at)
    if message.startswith("Expecting ',' delimiter"):
        return Cause("a missing comma or an extra character", "separate the values with commas", at)
    if message.startswith("Expecting ':' delimiter"):
        return Cause("a key without a value", 'write `"key": value`', at)
    if message.startswith("Expecting value"):
        if rest[0] in ",]}":
            return Cause("a missing value", "write the value, or `null`", at)
        return Cause("something that is not a JSON value", 'put strings in double quotes: `"…"`', at)
    return Cause(message[:1].lower() + message[1:], None, at)
