"""JSON values for people: on one line if they fit, otherwise on several, and truncated if they are too long."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from mcp_contracts.contract import JsonValue
from mcp_contracts.records import dataclass
from mcp_contracts.reporting.visible import cell_width, json_text

_DEPTH = 12
_KEPT = 3  # entries of a shortened array or object


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a value is shown: characters of a string, items of an array or object, and values in total."""

    characters: int
    items: int
    nodes: int


BRIEF = Limits(characters=72, items=8, nodes=120)
"""For a terminal or an annotation."""

AMPLE = Limits(characters=2000, items=100, nodes=1000)
"""For a document, where values should be whole so that they can be copied."""


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A value prepared for output: text (`opening`), or an opening and a closing with labeled values between them.

    A value that is not shortened is valid JSON in every layout.
    """

    opening: str
    entries: tuple[tuple[str, ShownValue], ...] = ()
    closing: str = ""
    is_whole: bool = True

    def line(self) -> str:
        """Return the value on one line."""
        between = ", ".join(f"{label}{entry.line()}" for label, entry in self.entries)
        return f"{self.opening}{between}{self.closing}"

    def lines(self, width: int, label: str = "") -> Iterator[str]:
        """Yield the value on one line if it fits `width` cells, else with each entry on its own lines."""
        line = f"{label}{self.line()}"
        if not self.entries or cell_width(line) <= width:
            yield line
            return
        yield f"{label}{self.opening}"
        for number, (name, entry) in enumerate(self.entries, start=1):
            comma = "," if number < len(self.entries) else ""
            *before, last = entry.lines(width - 2 - len(comma), name)
            yield from (f"  {part}" for part in before)
            yield f"  {last}{comma}"
        yield self.closing


def shown_value(value: JsonValue, limits: Limits = BRIEF) -> ShownValue:
    """Prepare a value for output: hidden characters are escaped, and long parts are shortened with a count."""
    return _show(value, limits, limits.nodes, 0)


def shorten(text: str, limit: int) -> str:
    """Return text whose middle is replaced by the number of missing characters if it exceeds a limit."""
    if len(text) <= limit:
        return text
    kept = max(limit - 16, 2)
    tail = kept // 3
    return f"{text[: kept - tail]}… {len(text) - kept} more …{text[-tail:] if tail else ''}"


def _show(value: JsonValue, limits: Limits, room: int, depth: int) -> ShownValue:
    """Show a value with at most `room` others inside, which its entries share."""
    if not isinstance(value, dict | list):
        return _atom(value, limits)
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    kept = len(value) if len(value) <= limits.items else _KEPT
    kept = 0 if depth >= _DEPTH else max(min(kept, room), 0)
    share = (room - kept) // max(kept, 1)
    is_whole = kept == len(value)
    if isinstance(value, dict):
        names = [_atom(name, limits) for name in islice(value, kept)]
        labels = [f"{name.opening}: " for name in names]
        items = islice(value.values(), kept)
        is_whole = is_whole and all(name.is_whole for name in names)
    else:
        labels = [""] * kept
        items = islice(value, kept)
    shown = [_show(item, limits, share, depth + 1) for item in items]
    entries = tuple(zip(labels, shown, strict=True))
    is_whole = is_whole and all(entry.is_whole for entry in shown)
    if kept < len(value):
        missing = f"… {len(value) - kept} more" if kept else f"… {len(value)}"
        entries = (*entries, ("", ShownValue(missing, is_whole=False)))
    return ShownValue(opening, entries, closing, is_whole)


def _atom(value: str | int | float | bool | None, limits: Limits) -> ShownValue:
    if isinstance(value, str):
        text = shorten(value, limits.characters)
        return ShownValue(json_text(text)[:-1], is_whole=text == value)
    written = json_text(value)[:-1]
    text = shorten(written, limits.characters)
    return ShownValue(text, is_whole=text == written)
