"""The offsets of the values of a JSON text."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.json_values.pointers import escape, unescape
from mcp_contracts.records import NamedTuple, dataclass, field

_TOKEN = re.compile(r'(?<!\\)"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],]|[^\s{}\[\],:"]++', re.DOTALL)

_SPACE = re.compile(r"[ \t\n\r]*+")


class Span(NamedTuple):
    """The offsets of a value and, for a member of an object, of its key (otherwise both -1)."""

    start: int
    end: int
    key_start: int = -1
    key_end: int = -1


class Member(NamedTuple):
    """A value's pointer and offsets, and whether its key is a duplicate."""

    pointer: str
    span: Span
    is_repeated: bool


@dataclass(slots=True)
class _OpenContainer:
    """An object or array that is not closed yet. `index` is the position in an array, or -1 in an object."""

    pointer: str
    start: int
    key: tuple[int, int]
    is_repeated: bool
    index: int
    keys: set[str] = field(default_factory=set)


def json_members(text: str) -> Iterator[Member]:
    """Yield every value of valid JSON, the whole last."""
    stack: list[_OpenContainer] = []
    key: tuple[str, int, int] | None = None
    for match in _TOKEN.finditer(text):
        token, (start, end) = match[0], match.span()
        if token == ",":
            key = None
            if stack[-1].index >= 0:
                stack[-1].index += 1
            continue
        if token in "}]":
            closed = stack.pop()
            yield Member(closed.pointer, Span(closed.start, end, *closed.key), closed.is_repeated)
            continue
        parent = stack[-1] if stack else None
        if parent is not None and parent.index < 0 and key is None:
            name = str(json.loads(token)) if "\\" in token else token[1:-1]
            key = (name, start, end)
            continue
        pointer, key_span, is_repeated = "", (-1, -1), False
        if parent is not None and key is not None and parent.index < 0:
            name, *_ = key
            pointer, key_span = f"{parent.pointer}/{escape(name)}", (key[1], key[2])
            is_repeated = name in parent.keys
            parent.keys.add(name)
        elif parent is not None:
            pointer = f"{parent.pointer}/{parent.index}"
        if token in "{[":
            stack.append(_OpenContainer(pointer, start, key_span, is_repeated, -1 if token == "{" else 0))
            key = None
        else:
            yield Member(pointer, Span(start, end, *key_span), is_repeated)


_DECODER = json.JSONDecoder()


def json_span(text: str, pointer: str) -> Span:
    """Return the offsets of the value at a pointer in valid JSON, or of the closest enclosing value that exists.

    Only the path to that value is read, and Python's decoder skips the rest. For one or two places, that is about
    twenty times faster than reading every token. The last of repeated keys counts.
    """
    start = _after_space(text, 0)
    span = Span(start, len(text.rstrip(" \t\n\r")))
    for token in pointer.split("/")[1:]:
        name = unescape(token)
        found = None
        for member, inner in _members_of(text, span.start):
            if member == name:
                found = inner
        if found is None:
            return span
        span = found
    return span


def _members_of(text: str, at: int) -> Iterator[tuple[str, Span]]:
    """Yield the members of the object, or the items of the array, that begins at an offset. Other values have none."""
    opening = text[at]
    if opening not in "{[":
        return
    index = 0
    at = _after_space(text, at + 1)
    while text[at] not in "}]":
        name, key_start, key_end = str(index), -1, -1
        if opening == "{":
            key_start = at
            name, key_end = _DECODER.raw_decode(text, at)
            at = _after_space(text, _after_space(text, key_end) + 1)
        end = _DECODER.raw_decode(text, at)[1]
        yield name, Span(at, end, key_start, key_end)
        index += 1
        at = _after_space(text, end)
        if text[at] == ",":
            at = _after_space(text, at + 1)


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
