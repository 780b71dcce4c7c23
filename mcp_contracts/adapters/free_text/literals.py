"""Read calls in the notations of Python, `forecast(city="Paris")`, and of Gemma, `call:forecast{city:<escape>…}`.

Only literals are values. Nothing is evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.free_text.json_reader import MAXIMUM_NESTING
from mcp_contracts.adapters.free_text.notations import TOOL_NAME, NotationMatch, WrittenCall, ends_block
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass

_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,300})((?:\.[0-9]{1,300})?(?:[eE][+-]?[0-9]{1,3})?)(?![\w.])")
_WORD = re.compile(r"(True|true|False|false|None|null)\b(?![(\[.])")
_WORDS: Final[Mapping[str, JsonValue]] = {
    "True": True, "true": True, "False": False, "false": False, "None": None, "null": None
}  # fmt: skip
_PLAIN = {
    '"': re.compile(r'[^"\\\r\n]*'), "'": re.compile(r"[^'\\\r\n]*"),
    '"""': re.compile(r'(?:[^"\\]|"(?!""))*'), "'''": re.compile(r"(?:[^'\\]|'(?!''))*"),
}  # fmt: skip
_ESCAPES: Final[Mapping[str, str]] = {
    "\\": "\\", "'": "'", '"': '"', "n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"
}  # fmt: skip
_CODE_POINT = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5}|0010[0-9a-fA-F]{4})")
_KEYWORD = re.compile(r"([^\W\d]\w{0,127})[ \t]*=(?!=)")
_BARE_KEY = re.compile(r"([^\W\d][\w.\-]{0,127})[ \t]*:")
_CALLEE = re.compile(rf"({TOOL_NAME})\(")
_PRINT = re.compile(r"print\(\s*")
_GEMMA = re.compile(rf"call:({TOOL_NAME})\{{")
_GEMMA_QUOTES: Final = ("<escape>", '<|"|>')
_SEPARATOR = re.compile(r"[ \t]*(?:[;,]|\r?\n|(?=\Z|<|```|~~~))[ \t\r\n;]*")

# Tokens that matter in a broken call. Outside strings, a closing tag ends the call.
_TOKEN = re.compile(r"[\"'()\[\]{}]|</[A-Za-z_:]{1,40}>|<\|[\w/]{1,40}\|>|\n[ \t]{0,20}(?:```|~~~)")
_CONTINUES = re.compile(r"\s*[,)\]}]")
_STRING_TOKENS = {'"': re.compile(r'["\\\n]'), "'": re.compile(r"['\\\n]")}


class _BrokenError(Exception):
    def __init__(self, words: str, hint: str, at: int) -> None:
        super().__init__(words)
        self.words, self.hint, self.at = words, hint, at


@dataclass(slots=True)
class _Reader:
    text: str
    position: int
    is_gemma: bool = False

    def skip(self) -> None:
        match = _SPACE.match(self.text, self.position)
        if match is not None:
            self.position = match.end()

    def take(self, token: str) -> bool:
        """Skip whitespace, and the token if it follows."""
        self.skip()
        found = self.text.startswith(token, self.position)
        if found:
            self.position += len(token)
        return found

    def read_arguments(self, callee: re.Match[str]) -> WrittenCall:
        """Read `key=value, …)` after the opening bracket of a Python call."""
        self.position = callee.end()
        arguments: dict[str, JsonValue] = {}
        positional: list[JsonValue] = []
        while not self.take(")"):
            keyword = _KEYWORD.match(self.text, self.position)
            if keyword is not None:
                if keyword[1] in arguments:
                    raise _BrokenError(f"the repeated argument `{keyword[1]}`", "keep one of them", self.position)
                self.position = keyword.end()
                arguments[keyword[1]] = self.read_value(1)
            elif arguments:
                raise _BrokenError(
                    "an argument without a name after one with a name", "name every argument", self.position
                )
            else:
                positional.append(self.read_value(1))
            if not self.take(",") and self.text[self.position : self.position + 1] != ")":
                raise _BrokenError("a missing comma or bracket", "write `,` or `)`", self.position)
        return WrittenCall(callee[1], callee.start(), self.position, arguments, positional=tuple(positional))

    def read_value(self, depth: int) -> JsonValue:
        self.skip()
        if depth > MAXIMUM_NESTING:
            raise _BrokenError(f"more than {MAXIMUM_NESTING} levels of nesting", "reduce the nesting", self.position)
        character = self.text[self.position : self.position + 1]
        if character == "[":
            return self._read_list(depth)
        if character == "{":
            return self._read_object(depth)
        if self.is_gemma:
            for quote in _GEMMA_QUOTES:
                if self.text.startswith(quote, self.position):
                    return self._read_delimited(quote)
        elif character and character in "\"'":
            return self._read_string()
        for pattern in (_WORD, _NUMBER):
            if (match := pattern.match(self.text, self.position)) is not None:
                self.position = match.end()
                return _WORDS[match[0]] if pattern is _WORD else float(match[0]) if match[1] else int(match[0])
        raise _BrokenError("a value that is not a literal", "write a string, number, list or object", self.position)

    def _read_list(self, depth: int) -> JsonValue:
        self.position += 1
        items: list[JsonValue] = []
        while not self.take("]"):
            items.append(self.read_value(depth + 1))
            self._expect_comma("]")
        return items

    def _read_object(self, depth: int) -> dict[str, JsonValue]:
        self.position += 1
        members: dict[str, JsonValue] = {}
        while not self.take("}"):
            at = self.position
            key = self._read_key()
            if key in members:
                raise _BrokenError(f"the repeated key `{key[:60]}`", "keep one of them", at)
            members[key] = self.read_value(depth + 1)
            self._expect_comma("}")
        return members

    def _read_key(self) -> str:
        if self.is_gemma:
            match = _BARE_KEY.match(self.text, self.position)
            if match is not None:
                self.position = match.end()
                return match[1]
        elif self.text[self.position : self.position + 1] in ('"', "'"):
            key = self._read_string()
            if self.take(":"):
                return key
        raise _BrokenError("an object with a member that has no key", "write `key: value`", self.position)

    def _expect_comma(self, closing: str) -> None:
        if not self.take(",") and not self.text.startswith(closing, self.position):
            raise _BrokenError("a missing comma or bracket", f"write `,` or `{closing}`", self.position)

    def _read_delimited(self, quote: str) -> str:
        start = self.position + len(quote)
        end = self.text.find(quote, start)
        if end < 0:
            raise _BrokenError("a string that is never closed", f"close it with `{quote}`", self.position)
        self.position = end + len(quote)
        return self.text[start:end]

    def _read_string(self) -> str:
        text, start = self.text, self.position
        quote = text[start] * 3 if text.startswith(text[start] * 3, start) else text[start]
        self.position += len(quote)
        parts = []
        while True:
            plain = _PLAIN[quote].match(text, self.position)
            if plain is not None:
                parts.append(plain[0])
                self.position = plain.end()
            if text.startswith(quote, self.position):
                self.position += len(quote)
                break
            if text[self.position : self.position + 1] != "\\":
                raise _BrokenError("a string that is not closed", "write its line breaks as `\\n`", start)
            parts.append(self._read_escape())
        self.skip()
        if text[self.position : self.position + 1] in ('"', "'"):
            raise _BrokenError("two strings without a comma between them", "write one string", self.position)
        return "".join(parts)

    def _read_escape(self) -> str:
        escape = self.text[self.position + 1 : self.position + 2]
        code = _CODE_POINT.match(self.text, self.position + 1)
        if code is not None:
            self.position = code.end()
            return chr(int(code[1] or code[2] or code[3], 16))
        if escape not in _ESCAPES or not escape:
            raise _BrokenError("an escape that Python and JSON read differently", "write `\\\\`", self.position)
        self.position += 2
        return _ESCAPES[escape]


def first_callee(text: str, position: int) -> str | None:
    """Return the name of the Python call that begins after whitespace, possibly in a list; None without one."""
    match = _FIRST.match(text, position)
    return None if match is None else match[1]


_FIRST = re.compile(rf"\s*(?:\[\s*)?(?:print\(\s*)?({TOOL_NAME})\(")


def read_python(text: str, start: int, *, is_block: bool) -> NotationMatch:
    """Read the calls that begin at `start`: one, a list, or (`is_block`) several, one per line, until the block ends.

    A call that cannot be read extends to its closing bracket, or else to a tag, a fence or the end of the text.
    """
    reader = _Reader(text, start)
    reader.skip()
    start = reader.position
    calls: list[WrittenCall] = []
    try:
        if reader.take("["):
            while not reader.take("]"):
                calls.append(_read_call(reader))
                reader._expect_comma("]")
        else:
            calls.append(_read_call(reader))
            while is_block and not ends_block(text, reader.position):
                if (gap := _SEPARATOR.match(text, reader.position)) is None:
                    raise _BrokenError("something other than calls", "write one call per line", reader.position)
                reader.position = gap.end()
                calls.append(_read_call(reader))
        if is_block and not ends_block(text, reader.position):
            raise _BrokenError("something other than calls", "write only calls", reader.position)
    except _BrokenError as error:
        end, is_closed = _extent(text, start, error.at)
        return NotationMatch(start, end, (), error.words, error.hint, error.at, not is_closed and end == len(text))
    return NotationMatch(start, reader.position, tuple(calls))


def _read_call(reader: _Reader) -> WrittenCall:
    reader.skip()
    printed = _PRINT.match(reader.text, reader.position)
    if printed is not None:
        reader.position = printed.end()
    callee = _CALLEE.match(reader.text, reader.position)
    if callee is None:
        raise _BrokenError("something that is not a call", "write only calls", reader.position)
    call = reader.read_arguments(callee)
    if printed is not None and not reader.take(")"):
        raise _BrokenError("a call inside `print` next to other content", "write only the call", reader.position)
    return call


def read_gemma(text: str, start: int) -> NotationMatch | None:
    """Read `call:NAME{key:value}`, or return None if it does not begin at `start`, after whitespace."""
    reader = _Reader(text, start, is_gemma=True)
    reader.skip()
    callee = _GEMMA.match(text, reader.position)
    if callee is None:
        return None
    reader.position = callee.end() - 1
    try:
        arguments = reader._read_object(1)
    except _BrokenError as error:
        end, is_closed = _extent(text, callee.start(), error.at)
        return NotationMatch(
            callee.start(), end, (), error.words, error.hint, error.at, not is_closed and end == len(text)
        )
    call = WrittenCall(callee[1], callee.start(), reader.position, arguments)
    return NotationMatch(callee.start(), reader.position, (call,))


def _extent(text: str, start: int, broken: int) -> tuple[int, bool]:
    """Return the end of a call that cannot be read, at least at `broken`, and whether a bracket closes it there."""
    depth = 0
    position = start
    while (match := _TOKEN.search(text, position)) is not None:
        token = match[0]
        position = match.end()
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth <= 0 and position >= broken:
                return position, True
        elif token in "\"'":
            position = _string_end(text, position, token)
        elif match.start() >= broken:
            return match.start(), True
    return len(text), False


def _string_end(text: str, position: int, quote: str) -> int:
    """Return the end of an apparent string that opens before `position`; `position` itself for an apostrophe.

    A string that its line does not close ends at a quote after which a call can continue.
    """
    before = text[max(0, position - 20) : position - 1].rstrip()
    if before[-1:] not in "=([{,:":
        return position
    is_over_lines = False
    while (match := _STRING_TOKENS[quote].search(text, position)) is not None:
        position = match.end()
        if match[0] == "\n":
            is_over_lines = True
        elif match[0] == "\\":
            position += 1
        elif not is_over_lines or _CONTINUES.match(text, position) is not None:
            return position
    return len(text)
