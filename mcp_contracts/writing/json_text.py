"""JSON for people: indented, with short values on one line. Values are not interpreted, so they cannot change."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass

WIDTH = 120
"""The maximum length of a line. A longer array or object has one line for each member."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
_UNFIT = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that JSON may contain and a file should not: control characters, line ends of some programs, halves of
characters."""
_CLOSING = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class _Node:
    """A value as written: the text of a scalar, or the bracket and the members of a container.

    `key` is the member's key with its quotes; `is_broken` says that each member has its own line."""

    text: str
    key: str | None
    members: tuple[_Node, ...] = ()
    is_broken: bool = False

    @property
    def is_container(self) -> bool:
        return self.text in _CLOSING


def json_fence(value: JsonValue) -> str:
    """Return a Markdown code block of JSON."""
    return f"```json\n{pretty_json(value)}\n```"


def pretty_json(value: JsonValue) -> str:
    """Return a value as indented JSON: a line for each member of an object, and plain lists on one line if they fit."""
    text = json.dumps(value, ensure_ascii=False)
    return _lay_out(_UNFIT.sub(lambda match: f"\\u{ord(match[0]):04x}", text), breaks_objects=True)


def format_json(text: str) -> str:
    """Return valid JSON in a new layout, with every scalar and key as written.

    An object, or a list of objects or lists, whose first member is on a new line keeps one line for each member;
    anything else that fits is put on one line. The text may not nest deeper than the parser allows.
    """
    return _lay_out(text, breaks_objects=False)


def _lay_out(text: str, *, breaks_objects: bool) -> str:
    tokens = _Tokens(text, breaks_objects=breaks_objects)
    return "\n".join(_lines(tokens.node(None), 0, ""))


class _Tokens:
    """The tokens of a JSON text, read as nodes."""

    def __init__(self, text: str, *, breaks_objects: bool) -> None:
        self._text = text
        self._tokens = [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text)]
        self._breaks_objects = breaks_objects
        self._at = 0

    def node(self, key: str | None) -> _Node:
        """Return the value that begins at the current token."""
        token, _, end = self._tokens[self._at]
        self._at += 1
        if token not in _CLOSING:
            return _Node(token, key)
        is_object = token == "{"
        next_start = self._tokens[self._at][1]
        members = []
        while self._tokens[self._at][0] != _CLOSING[token]:
            name = None
            if is_object:
                name = self._tokens[self._at][0]
                self._at += 2
            members.append(self.node(name))
            if self._tokens[self._at][0] == ",":
                self._at += 1
        self._at += 1
        holds_more = is_object or any(member.is_container for member in members)
        is_written_so = "\n" in self._text[end:next_start] or (is_object and self._breaks_objects)
        is_broken = bool(members) and ((holds_more and is_written_so) or any(member.is_broken for member in members))
        return _Node(token, key, tuple(members), is_broken)


def _lines(node: _Node, depth: int, after: str) -> Iterator[str]:
    """Yield the lines of a value; `after` is the comma after it, if any."""
    indent = "  " * depth
    start = indent if node.key is None else f"{indent}{node.key}: "
    if not node.is_container or not node.members:
        yield f"{start}{_inline(node)}{after}"
        return
    if not node.is_broken:
        line = f"{start}{_inline(node)}{after}"
        if len(line) <= WIDTH:
            yield line
            return
    yield f"{start}{node.text}"
    for index, member in enumerate(node.members):
        yield from _lines(member, depth + 1, "," if index + 1 < len(node.members) else "")
    yield f"{indent}{_CLOSING[node.text]}{after}"


def _inline(node: _Node) -> str:
    if not node.is_container:
        return node.text
    inner = ", ".join(
        _inline(member) if member.key is None else f"{member.key}: {_inline(member)}" for member in node.members
    )
    return f"{node.text}{inner}{_CLOSING[node.text]}"
