"""Finds parameters without types that a tool lists twice: in bullets, or in a call such as `find(limit?, limit?)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import SpecFile
from mcp_contracts.diagnostics import Place
from mcp_contracts.rules.texts import line_starts, place_between

_BULLET = re.compile(r"[ \t]*[-*+] +\*{0,2}`(?P<name>[A-Za-z_]\w*)\??`(?!\()")
_CALL = re.compile(r"[^\n(]*`[\w.-]+\((?P<names>[^()`\n]{1,1000})\)`")
_NAME = re.compile(r"(?:\A|(?<=,))\s*(?P<name>[A-Za-z_]\w*)\??(?=\s*(?:,|\Z))")


def repeated_names(file: SpecFile) -> Iterator[tuple[str, Place, Place]]:
    """Yield each name that a tool without types lists twice, with its place and that of the first."""
    starts = [*line_starts(file.text), len(file.text)]
    for tool in file.tools:
        if tool.contract.input is None and tool.is_legacy:
            for name, first, at in _repeated_in(file.text, starts[tool.lines[0] - 1 : tool.lines[1] + 1]):
                one, before = (place_between(file.path, file.text, start, start + len(name)) for start in (at, first))
                yield name, one, before


def _repeated_in(text: str, starts: Sequence[int]) -> Iterator[tuple[str, int, int]]:
    """Yield each name that occurs twice in the call or a list of a tool, with both offsets."""
    call = _CALL.match(text, starts[0])
    names = (
        [(name["name"], call.start("names") + name.start("name")) for name in _NAME.finditer(call["names"])]
        if call
        else []
    )
    yield from _repeated({}, names)
    lists: dict[int, dict[str, int]] = {}
    for start, end in pairwise(starts):
        line = text[start:end]
        if content := line.lstrip():
            indent = len(line) - len(content)
            is_item = content.startswith(("- ", "* ", "+ "))
            lists = {level: seen for level, seen in lists.items() if level < indent or (level == indent and is_item)}
            if (bullet := _BULLET.match(line)) is not None:
                yield from _repeated(lists.setdefault(indent, {}), [(bullet["name"], start + bullet.start("name"))])


def _repeated(seen: dict[str, int], names: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int, int]]:
    for name, at in names:
        if (first := seen.setdefault(name, at)) != at:
            yield name, first, at
