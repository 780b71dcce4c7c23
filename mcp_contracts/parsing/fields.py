"""The bold lines of a tool (`**Version**: 1.2.3`) and what their values mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from mcp_contracts.contract import Effects, Status
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.markdown import Block, Item, ListBlock, Paragraph
from mcp_contracts.parsing.text import SourceText


class Field(NamedTuple):
    """A bold line: its name in lower case, its value, the value's place and the line's row."""

    name: str
    value: str
    place: Place
    row: int


_FIELD = re.compile(r"\s*(?:[-*+]\s+)?\*\*\s*([A-Za-z][A-Za-z /_-]{0,40}?)\s*(?::\s*\*\*|\*\*\s*:)\s*(.*?)\s*$")


def fields(source: SourceText, blocks: Iterable[Block]) -> Iterator[Field]:
    """The bold lines among some blocks. One line may hold several, parted by ` | `."""
    for block in blocks:
        if isinstance(block, Paragraph):
            for row in range(block.row, block.end):
                yield from line_fields(source, row)
        elif isinstance(block, ListBlock):
            for item in block.items:
                yield from line_fields(source, item.row)


def line_fields(source: SourceText, row: int) -> Iterator[Field]:
    """The bold parts of one line."""
    line = source.lines[row] if row < len(source.lines) else ""
    if "**" not in line:
        return
    start = 0
    for part in re.split(r"\s\|\s(?=\*\*)", line):
        at = line.index(part, start)
        start = at + len(part)
        match = _FIELD.fullmatch(part)
        if match:
            value = match[2]
            column = at + match.start(2)
            yield Field(match[1].strip().lower(), value, source.place(row, column, column + len(value)), row)


def plain(value: str) -> str:
    """A value without the code marks around it."""
    value = value.strip()
    return value[1:-1].strip() if len(value) > 1 and value[0] == value[-1] == "`" else value


def read_status(value: str) -> Status:
    """`deprecated (since 1.2.0, removed in 2.0.0, use `other.tool`)` in its parts."""
    state, _, rest = plain(value).partition("(")
    rest = rest.replace("`", "")
    since = re.search(r"\bsince:?\s+([^\s,;)]+)", rest, re.IGNORECASE)
    removed = re.search(r"\bremov(?:ed|al) in:?\s+([^\s,;)]+)", rest, re.IGNORECASE)
    replacement = re.search(r"\b(?:use|replaced by|see)\s+([^\s,;)]+)", rest, re.IGNORECASE)
    return Status(
        state=state.replace("`", "").strip().lower(),
        since=since[1] if since else None,
        removed_in=removed[1] if removed else None,
        replacement=replacement[1].rstrip(".") if replacement else None,
    )


def read_effects(value: str) -> Effects:
    """`read-only, closed-world` in its parts; unknown words are kept apart."""
    change: Literal["read-only", "additive", "destructive"] | None = None
    world: Literal["open-world", "closed-world"] | None = None
    unknown = []
    for written in re.split(r"[,;/]|\band\b", value.replace("`", "")):
        word = re.sub(r"[\s_]+", "-", written.strip().lower()).rstrip(".")
        if word in ("read-only", "readonly") and change in (None, "read-only"):
            change = "read-only"
        elif word == "additive" and change in (None, "additive"):
            change = "additive"
        elif word == "destructive" and change in (None, "destructive"):
            change = "destructive"
        elif word in ("open-world", "openworld") and world in (None, "open-world"):
            world = "open-world"
        elif word in ("closed-world", "closedworld") and world in (None, "closed-world"):
            world = "closed-world"
        elif word:
            unknown.append(written.strip())
    return Effects(change, world, tuple(unknown))


def read_list(value: str) -> tuple[str, ...]:
    """`a`, b, c as its members."""
    return tuple(plain(part) for part in value.split(",") if plain(part))


def read_flag(value: str) -> bool | None:
    """Yes or no, or None."""
    word = plain(value).split(" ", 1)[0].rstrip(".,;").lower()
    return {"yes": True, "true": True, "no": False, "false": False}.get(word)


def read_idempotent(value: str) -> Literal["yes", "no", "conditional"] | None:
    """The word that says whether a call may be repeated."""
    word = re.split(r"[\s.,;:(—–]", plain(value).replace("*", ""), maxsplit=1)[0].lower()
    if word in ("yes", "true"):
        return "yes"
    if word in ("no", "false", "non-idempotent"):
        return "no"
    return "conditional" if word in ("conditional", "conditionally", "partially", "partial", "depends") else None


def first_code(text: str) -> str | None:
    """The first code span of a text."""
    match = re.search(r"`([^`]+)`", text)
    return match[1].strip() if match else None


def items(blocks: Iterable[Block]) -> Iterator[Item]:
    """The top-level items of all lists among some blocks."""
    for block in blocks:
        if isinstance(block, ListBlock):
            yield from block.items
