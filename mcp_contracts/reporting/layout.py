"""Lines for people: colors, prose wrapped between words, pieces that flow from one line to the next, and trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.records import dataclass
from mcp_contracts.reporting.visible import cell_width

_GAP = "  "

# Marks within a line, which `terminal` converts to styles and links: control characters, which escaped text never
# contains. So Rich, the slowest import here, is only imported for terminals that show colors.
MARK_START, LINK, MARK_TEXT, MARK_END = "\x0e", "\x1d", "\x1e", "\x0f"


_WHOLE = re.compile(r"`mcp-contracts [^`]*`|\[[0-9,]+ times\]")
"""Pieces that stay on one line if they fit: commands to copy, and counts."""
_JOINT = "\x1f"  # a space at which lines are not broken; escaped text never contains it


def paint(text: str, style: str, *, color: bool, link: str = "") -> str:
    """Mark text with a style (a severity, `help`, `strong` or `dim`) and a link; without color, return it unchanged."""
    if not color or not text:
        return text
    return f"{MARK_START}{style}{LINK + link if link else ''}{MARK_TEXT}{text}{MARK_END}"


def wrap(text: str, width: int, indent: str = "", first: str | None = None) -> Iterator[str]:
    """Yield text in lines of `width` cells, broken only at spaces, so that names and paths remain whole.

    A command and a count stay whole if they fit on a line. Each line starts with `indent`, or the first one with
    `first`, if given.
    """
    room = width - cell_width(indent)
    text = _WHOLE.sub(lambda match: match[0].replace(" ", _JOINT) if cell_width(match[0]) <= room else match[0], text)
    line = indent if first is None else first
    is_empty = True
    for word in text.split(" "):
        if not is_empty and cell_width(line) + 1 + cell_width(word) > width:
            yield line.replace(_JOINT, " ")
            line, is_empty = indent, True
        line = f"{line}{word}" if is_empty else f"{line} {word}"
        is_empty = False
    yield line.replace(_JOINT, " ")


def flow_text(
    pieces: Iterable[tuple[str, str | None]], width: int, indent: str, *, color: bool, link: str = ""
) -> Iterator[str]:
    """Yield pieces of text, each with a style, two spaces apart. A piece that does not fit starts an indented line.

    The last of several pieces leads to `link`.
    """
    line, used = "", 0
    shown = [piece for piece in pieces if piece[0]]
    for number, (text, style) in enumerate(shown, start=1):
        size = cell_width(text)
        target = link if number == len(shown) > 1 else ""
        painted = paint(text, style, color=color, link=target) if style is not None else text
        if not used:
            line, used = painted, size
        elif used + len(_GAP) + size <= width:
            line, used = f"{line}{_GAP}{painted}", used + len(_GAP) + size
        else:
            yield line
            line, used = f"{indent}{painted}", len(indent) + size
    yield line


@dataclass(frozen=True, slots=True)
class Node:
    """Text and its children, in pieces with a style each. The last of several pieces may be a link.

    A `verbatim` node is never wrapped.
    """

    pieces: tuple[tuple[str, str | None], ...]
    children: tuple[Node, ...] = ()
    is_verbatim: bool = False
    link: str = ""


def leaf(text: str, style: str | None = None) -> Node:
    """Return a node without children."""
    return Node(((text, style),))


def node_lines(node: Node, width: int, indent: str = "") -> Iterator[str]:
    """Yield a tree without color, each level two spaces to the right."""
    rest = f"{indent}    "
    if node.is_verbatim:
        yield from (f"{indent}{text}" for text, _ in node.pieces)
    elif len(node.pieces) == 1:
        yield from wrap(node.pieces[0][0], width, f"{indent}  ", indent)
    else:
        (text, _), *others = node.pieces
        yield from flow_text(
            ((f"{indent}{text}", None), *((text, None) for text, _ in others)), width, rest, color=False
        )
    for child in node.children:
        yield from node_lines(child, width, f"{indent}  ")
