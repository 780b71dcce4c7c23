"""Text for a terminal that shows colors, rendered by Rich: styles, links, trees and tables. No other module here
imports Rich."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.style import Style
from rich.table import Table
from rich.text import Text
from rich.theme import Theme
from rich.tree import Tree

from mcp_contracts import lazy_re as re
from mcp_contracts.reporting.layout import LINK, MARK_END, MARK_START, MARK_TEXT, Node, flow_text, wrap

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
_GUIDE = 4  # cells of the guide that a level of a tree takes
_PREFIXES = ("help: ",)
"""The beginning of a line if only the beginning has the style."""


def paint_lines(text: str) -> str:
    """Render wrapped lines, with marks for styles and links, for a terminal."""
    console = _console(width=max(map(len, text.split("\n"))) + 1)
    for line in text.removesuffix("\n").split("\n"):
        console.print(_text(line), soft_wrap=True)
    written = _written(console)
    return written if text.endswith("\n") else written.removesuffix("\n")


def tree_text(node: Node, width: int) -> str:
    """Return a tree with guides, wrapped between words to a width in cells, without a final newline."""
    tree, widest = _tree(node, width)
    console = _console(max(width, widest))  # a word that is longer than a line, such as a path, is not broken
    console.print(tree)
    return re.sub(r"(?m)(?<![^\S\n])[^\S\n]++$", "", _written(console)).removesuffix("\n")


def table_text(titles: Sequence[str], rows: Iterable[Sequence[tuple[str, str | None]]], width: int) -> str:
    """Return a table of cells with a style each, wrapped to a width in cells, without a final newline."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="strong", show_edge=False)
    for title in titles:
        is_number = title == "count"
        table.add_column(title, justify="right" if is_number else "left", no_wrap=title in ("code", "count"))
    for row in rows:
        table.add_row(*(Text(text, style=style or "") for text, style in row))
    console = _console(width)
    console.print(table)
    return re.sub(r"(?m)(?<![^\S\n])[^\S\n]++$", "", _written(console)).strip("\n")


def _tree(node: Node, width: int) -> tuple[Tree, int]:
    """Return a tree with labels wrapped to a width, and the width of its longest line in cells."""
    label = _label(node, width)
    tree = Tree(label, guide_style="dim")
    widest = max(line.cell_len for line in label.split("\n", allow_blank=True))
    for child in node.children:
        branch, size = _tree(child, width - _GUIDE)
        tree.children.append(branch)
        widest = max(widest, size + _GUIDE)
    return tree, widest


def _label(node: Node, width: int) -> Text:
    if node.is_verbatim:
        return Text("\n").join(Text(text, style=style or "") for text, style in node.pieces)
    if len(node.pieces) > 1:
        lines = flow_text(node.pieces, width, "    ", color=True, link=node.link)
        return Text("\n").join(map(_text, lines))
    text, style = node.pieces[0]
    shown = Text("\n".join(wrap(text, width, "  ", "")))
    prefix = next((prefix for prefix in _PREFIXES if style is not None and text.startswith(prefix)), None)
    if style is not None:
        shown.stylize(style, 0, len(shown) if prefix is None else len(prefix) - 2)
    return shown


def _text(line: str, style: str | None = None) -> Text:
    """Return a line with its marks converted to styles."""
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
    """Return a console that writes the eight standard colors, regardless of the environment."""
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
