"""Read a JSON value character by character: the place of everything in it, or why it is not valid JSON."""

from __future__ import annotations

from collections.abc import Mapping
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]  # unknown to typeshed
from typing import Final

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.parsing.data.json_causes import Cause
from mcp_contracts.records import NamedTuple

MAXIMUM_NESTING = 100
MOST_DIGITS = 4_300  # Python's default limit for reading and writing

SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
_LITERAL = re.compile(r"(true|false|null)\b")
_LITERALS: Final[Mapping[str, JsonValue]] = {"true": True, "false": False, "null": None}


class JsonFault(NamedTuple):
    """The text is not valid JSON at `at`: the message of Python's decoder, or one of ours."""

    message: str
    at: int
    cause: Cause | None = None


class BrokenError(Exception):
    """Stops reading, because the text is not valid JSON."""

    def __init__(self, message: str, at: int, cause: Cause | None = None) -> None:
        super().__init__(message)
        self.broken = JsonFault(message, at, cause)


class Reader:
    """Reads one value, and notes the place of every array and object in it."""

    __slots__ = ("_open", "duplicates", "position", "spans", "text")

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.spans: dict[int, tuple[int, int]] = {}
        self.duplicates: list[tuple[str, int]] = []
        self._open: list[list[JsonValue] | dict[str, JsonValue]] = []

    def read(self) -> JsonValue:
        character = self._next()
        text, position = self.text, self.position
        if character == '"':
            return self._read_string()
        if character in ("{", "["):
            if len(self._open) >= MAXIMUM_NESTING:
                words = f"more than {MAXIMUM_NESTING} levels of nesting"
                raise BrokenError("", position, Cause(words, "reduce the nesting", position))
            opened: dict[str, JsonValue] | list[JsonValue] = {} if character == "{" else []
            self._open.append(opened)
            self._fill(opened)
            self._open.pop()
            self.spans[id(opened)] = (position, self.position)
            return opened
        literal = _LITERAL.match(text, position)
        if literal is not None:
            self.position = literal.end()
            return _LITERALS[literal[1]]
        number = _NUMBER.match(text, position)
        if number is None:
            raise BrokenError("Expecting value", position)
        self.position = number.end()
        return finite_number(number[0], number[1], position)

    def is_in_objects(self) -> bool:
        """Whether all open containers are objects, so that no value can follow another without a key."""
        return all(isinstance(container, dict) for container in self._open)

    def _fill(self, container: list[JsonValue] | dict[str, JsonValue]) -> None:
        end = "}" if isinstance(container, dict) else "]"
        self.position += 1
        following = self._next()
        while following != end:
            if container:
                if following != ",":
                    raise BrokenError("Expecting ',' delimiter", self.position)
                self.position += 1
            if isinstance(container, dict):
                key = self._read_key(container)
                container[key] = self.read()
            else:
                container.append(self.read())
            following = self._next()
        self.position += 1

    def _next(self) -> str:
        match = SPACE.match(self.text, self.position)
        if match is not None:
            self.position = match.end()
        return self.text[self.position : self.position + 1]

    def _read_string(self) -> str:
        try:
            value, self.position = scanstring(self.text, self.position + 1, True)
        except JSONDecodeError as error:
            raise BrokenError(error.msg, error.pos) from error
        return str(value)

    def _read_key(self, container: dict[str, JsonValue]) -> str:
        if self._next() != '"':
            raise BrokenError("Expecting property name enclosed in double quotes", self.position)
        at = self.position
        key = self._read_string()
        if self._next() != ":":
            raise BrokenError("Expecting ':' delimiter", self.position)
        self.position += 1
        if key in container:
            self.duplicates.append((key, at))
        return key


def finite_number(text: str, fraction: str, at: int) -> int | float:
    if len(text) > MOST_DIGITS:
        raise BrokenError("", at, Cause("a number that is too long", "write fewer digits, or a string", at))
    if not fraction:
        return int(text)
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise BrokenError("", at, Cause("a number that is too large", "write it as a string", at))
    return value
