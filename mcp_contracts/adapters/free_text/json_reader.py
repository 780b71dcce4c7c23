"""Read a JSON value character by character: the place of everything in it, or why it is not JSON."""

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
    """The text is not JSON at `at`: the message of Python's decoder, or one of ours."""

    message: str
    at: int
    cause: Cause | None = None


class BrokenError(Exception):
    """Stops reading, because the text is not JSON."""

    def __init__(self, message: str, at: int, cause: Cause | None = None) -> None:
        super().__init__(message)
        self.broken = JsonFault(message, at, cause)


class Reader:
    """Reads one value with an explicit stack, so that nesting is cheap and every place is known."""

    __slots__ = ("_keys", "_open", "duplicates", "position", "spans", "text")

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.spans: dict[int, tuple[int, int]] = {}
        self.duplicates: list[tuple[str, int]] = []
        self._open: list[tuple[list[JsonValue] | dict[str, JsonValue], int]] = []
        self._keys: list[str] = []

    def read(self) -> JsonValue:
        text = self.text
        value = self._begin_value()
        while self._open:
            container, _ = self._open[-1]
            if value is container:  # just opened
                self._skip_space()
                is_closed = text[self.position : self.position + 1] == ("}" if isinstance(container, dict) else "]")
                if not is_closed and isinstance(container, dict):
                    self._read_key(container)
            else:
                self._keep(value)
                is_closed = self._read_separator(container)
            value = self._close() if is_closed else self._begin_value()
        return value

    def is_in_objects(self) -> bool:
        """Whether all open containers are objects, so that no value can follow another without a key."""
        return all(isinstance(container, dict) for container, _ in self._open)

    def _skip_space(self) -> None:
        match = SPACE.match(self.text, self.position)
        if match is not None:
            self.position = match.end()

    def _begin_value(self) -> JsonValue:
        """Read a string, a number or a literal, or open an array or object and return it empty."""
        self._skip_space()
        text, position = self.text, self.position
        character = text[position : position + 1]
        if character == '"':
            return self._read_string()
        if character in ("{", "["):
            if len(self._open) >= MAXIMUM_NESTING:
                words = f"more than {MAXIMUM_NESTING} levels of nesting"
                raise BrokenError("", position, Cause(words, "reduce the nesting", position))
            opened: dict[str, JsonValue] | list[JsonValue] = {} if character == "{" else []
            self._open.append((opened, position))
            self._keys.append("")
            self.position += 1
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

    def _read_string(self) -> str:
        try:
            value, self.position = scanstring(self.text, self.position + 1, True)
        except JSONDecodeError as error:
            raise BrokenError(error.msg, error.pos) from error
        return str(value)

    def _read_key(self, container: dict[str, JsonValue]) -> None:
        self._skip_space()
        if self.text[self.position : self.position + 1] != '"':
            raise BrokenError("Expecting property name enclosed in double quotes", self.position)
        at = self.position
        key = self._read_string()
        self._skip_space()
        if self.text[self.position : self.position + 1] != ":":
            raise BrokenError("Expecting ':' delimiter", self.position)
        self.position += 1
        if key in container:
            self.duplicates.append((key, at))
        self._keys[-1] = key

    def _read_separator(self, container: list[JsonValue] | dict[str, JsonValue]) -> bool:
        """Read a comma and the key after it; return True if the container ends instead."""
        self._skip_space()
        character = self.text[self.position : self.position + 1]
        if character == ("}" if isinstance(container, dict) else "]"):
            return True
        if character != ",":
            raise BrokenError("Expecting ',' delimiter", self.position)
        self.position += 1
        if isinstance(container, dict):
            self._read_key(container)
        return False

    def _keep(self, value: JsonValue) -> None:
        container, _ = self._open[-1]
        if isinstance(container, dict):
            container[self._keys[-1]] = value
        else:
            container.append(value)

    def _close(self) -> JsonValue:
        container, start = self._open.pop()
        self._keys.pop()
        self.position += 1
        self.spans[id(container)] = (start, self.position)
        return container


def finite_number(text: str, fraction: str, at: int) -> int | float:
    if len(text) > MOST_DIGITS:
        raise BrokenError("", at, Cause("a number that is too long", "write fewer digits, or a string", at))
    if not fraction:
        return int(text)
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise BrokenError("", at, Cause("a number that is too large", "write it as a string", at))
    return value
