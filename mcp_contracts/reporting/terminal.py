"""Text for a terminal that shows colours, by Rich: styles, links, trees and tables. No other module here imports it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from io import StringIO

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text
from rich.theme import Theme
from rich.tree import Tree

from mcp_contracts.reporting.layout import LINK, MARK_END, MARK_START, MARK_TEXT, Node

_THEME = Theme(
    {
        "error": "bold red",
        "warning": "bold yellow",
        "note": "bold cyan",
        "help": "bold green",
        "strong": "bold",
        "dim": "dim",
    },
    inherit=True,
)
_MARKED = re.compile(f"{MARK_START}([a-z]+)(?:{LINK}([^{MARK_TEXT}]*))?{MARK_TEXT}([^{MARK_END}]*){MARK_END}")
_PREFIXES = ("help: ",)
"""How a line begins of which only the beginning has the style."""


def painted(text: str) -> str:
    """Lines with marks of styles and links as a terminal shows them. They are wrapped already."""
    console = _console(width=max(map(len, text.split("\n"))) + 1)
    for line in text.removesuffix("\n").split("\n"):
        console.print(_text(line), soft_wrap=True)
    written = _written(console)
    return written if text.endswith("\n") else written.removesuffix("\n")


def tree_text(node: Node, width: int) -> str:
    """A tree with guides, wrapped between words to a width in cells, without a final newline."""
    console = _console(width)
    console.print(_tree(node))
    return re.sub(r"(?m)[^\S\n]+$", "", _written(console)).removesuffix("\n")


def table_text(titles: Sequence[str], rows: Iterable[Sequence[tuple[str, str | None]]], width: int) -> str:
    """A table of cells with a style each, wrapped to a width in cells, without a final newline."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="strong", show_edge=False)
    for title in titles:
        is_number = title == "count"
        table.add_column(title, justify="right" if is_number else "left", no_wrap=title in ("code", "count"))
    for row in rows:
        table.add_row(*(Text(text, style=style or "") for text, style in row))
    console = _console(width)
    console.print(table)
    return re.sub(r"(?m)[^\S\n]+$", "", _written(console)).strip("\n")


def _tree(node: Node) -> Tree:
    tree = Tree(_label(node), guide_style="dim")
    _grow(tree, node.children)
    return tree


def _grow(tree: Tree, children: Iterable[Node]) -> None:
    for child in children:
        _grow(tree.add(_label(child)), child.children)


def _label(node: Node) -> RenderableType:
    if node.is_verbatim:
        return Text("\n", overflow="fold").join(Text(text, style=style or "") for text, style in node.pieces)
    if len(node.pieces) == 1:
        text, style = node.pieces[0]
        for prefix in _PREFIXES:
            if style is not None and text.startswith(prefix):
                return Text.assemble((prefix[:-2], style), text[len(prefix) - 2 :])
    pieces = [_text(text, style) for text, style in node.pieces if text]
    if node.link and len(pieces) > 1:
        pieces[-1].stylize(Style(link=node.link))
    return Text("  ").join(pieces)


def _text(line: str, style: str | None = None) -> Text:
    """A line with its marks made styles."""
    text = Text(style=style or "")
    end = 0
    for match in _MARKED.finditer(line):
        name, link, marked = match.groups()
        text.append(line[end : match.start()])
        text.append(marked, style=_THEME.styles[name] + Style(link=link) if link else name)
        end = match.end()
    text.append(line[end:])
    return text


def _console(width: int) -> Console:
    """A console that writes sequences of the eight colours that every terminal has, whatever the environment says."""
    return Console(
        file=StringIO(),
        width=width,
        force_terminal=True,
        color_system="standard",
        no_color=False,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        theme=_THEME,
        _environ={},
    )


def _written(console: Console) -> str:
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()
