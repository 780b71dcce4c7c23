"""Reads the parameters of a tool from the signature of a Python function, without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from textwrap import dedent

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import PlacedText, TableRow
from mcp_contracts.diagnostics import Place
from mcp_contracts.parsing.markdown.blocks import Fence, Heading
from mcp_contracts.parsing.parameters.types import clean_type, read_type
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import NamedTuple

_IN_HEADING = re.compile(r"`([A-Za-z_][\w.]*\(.*\)[^`]*)`")
_DESTRUCTURED = re.compile(r"\(\s*\{([\w\s,?]*)\}\s*\)")
"""The names that a JavaScript function destructures from its only argument: `find({ word, limit })`."""
_LONGEST = 20_000
_NOT_SENT = frozenset(("self", "cls"))


class Signature(NamedTuple):
    """The content of a signature: the parameters, the return type, and the function's docstring.

    `is_open` states that the function also accepts any other argument."""

    rows: tuple[TableRow, ...]
    returns: str
    docstring: str
    place: Place
    name: str = ""
    name_place: Place | None = None
    is_open: bool = False


def fence_signature(source: SourceText, fence: Fence, name: str) -> Signature | None:
    """Return the signature of a tool's function in a fence of Python."""
    text = dedent(fence.content)
    short = name.rpartition(".")[2]
    if re.match(rf"{re.escape(short)}\([^()]*\)\s*->", text):
        text = f"def {text}"
    if f"def {short}" not in text or len(text) > _LONGEST:
        return None
    return _signature(source, text, fence.first_row, name)


def lone_signature(source: SourceText, fence: Fence) -> Signature | None:
    """Return the signature of the only function of a fence, if it has no body: it represents the tool."""
    text = dedent(fence.content)
    if "def " not in text or len(text) > _LONGEST:
        return None
    tree = _parse(text)
    functions = [node for node in tree.body if isinstance(node, _FUNCTIONS)] if tree is not None else []
    if len(functions) != 1 or tree is None or len(tree.body) > 1 or not all(map(_is_stub, functions[0].body)):
        return None
    return _of_function(source, functions[0], fence.first_row)


def _is_stub(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def heading_signature(source: SourceText, heading: Heading, name: str) -> Signature | None:
    """Return the signature in a heading such as ``### `search(query: str, limit: int = 10) -> list` ``."""
    short = _call_in(heading)
    return _signature(source, f"def {short}", heading.line.row, name) if ":" in short else None


def heading_names(source: SourceText, heading: Heading, name: str) -> Signature | None:
    """Return the parameter names in a heading such as ``### `search(query, limit=10)` ``, which has no types."""
    short = _call_in(heading)
    if not short or ":" in short:
        return None
    signature = _signature(source, f"def {short}", heading.line.row, name)
    return signature if signature is not None else _plain_names(source, heading, short)


_PLAIN = re.compile(r"\w+\(([\w\s,|?]*)\)")


def _plain_names(source: SourceText, heading: Heading, call: str) -> Signature | None:
    """Return the names of parameters that Python does not allow: `rename(from, to)`, `load(path | url)`."""
    written = _PLAIN.fullmatch(call.replace("=None", "?").replace("[]", ""))
    if written is None:
        return None
    place = source.place(heading.line.row)
    rows = []
    for part in written[1].split(","):
        choices = [name.strip() for name in part.split("|") if name.strip()]
        for choice in choices:
            at = _place(source, choice.rstrip("?"), heading.line.row)
            is_required = len(choices) == 1 and not choice.endswith("?")
            rows.append(untyped_row(choice.rstrip("?"), at, required=is_required))
    return Signature(tuple(rows), "", "", place)


def untyped_row(name: str, place: Place, *, required: bool | None) -> TableRow:
    """Return a parameter with only a name."""
    return TableRow(name, (name,), None, None, required, "", place, place, place)


_IN_BRACKETS = re.compile(r"(\(\s*|,\s*|)(?:(?<=[(,\s])\[|\[\s*,)\s*(\w+)\s*\]")
"""An optional parameter as manuals write it: `f(a, [b])`, `f(a[, b])`."""


def _call_in(heading: Heading) -> str:
    written = _IN_HEADING.search(heading.text[:_LONGEST])
    if written is None:
        return ""
    call = written[1][written[1].partition("(")[0].rfind(".") + 1 :]
    call = _IN_BRACKETS.sub(lambda match: f"{match[1] or ', '}{match[2]}?", call)
    call = _DESTRUCTURED.sub(lambda match: f"({match[1].replace('?', '')})", call)
    return re.sub(r"(\w)\?(?=[,)])", r"\1=None", call)


def _signature(source: SourceText, text: str, row: int, name: str) -> Signature | None:
    tree = _parse(text)
    short = name.rpartition(".")[2]
    functions = (node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)) if tree is not None else iter(())
    function = next((function for function in functions if function.name == short), None)
    return None if function is None else _of_function(source, function, row)


def _of_function(source: SourceText, function: ast.FunctionDef | ast.AsyncFunctionDef, row: int) -> Signature:
    first = row + function.lineno - 1
    place = source.place(first, 0, len(source.lines[first]))
    returns = "" if function.returns is None else ast.unparse(function.returns)
    return Signature(
        tuple(_rows(source, function, row)),
        returns,
        ast.get_docstring(function) or "",
        place,
        function.name,
        _place(source, function.name, first),
        function.args.kwarg is not None,
    )


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _parse(text: str) -> ast.Module | None:
    for candidate in (text, f"{text.rstrip()}: ...", f"{text.rstrip()} ..."):
        try:
            return ast.parse(candidate)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def _rows(source: SourceText, function: ast.FunctionDef | ast.AsyncFunctionDef, row: int) -> Iterator[TableRow]:
    listed = function.args
    by_position = [*listed.posonlyargs, *listed.args]
    spare = len(by_position) - len(listed.defaults)
    given: Sequence[ast.expr | None] = [*([None] * spare), *listed.defaults, *listed.kw_defaults]
    for argument, default in zip([*by_position, *listed.kwonlyargs], given, strict=True):
        type_text = "" if argument.annotation is None else ast.unparse(argument.annotation)
        if argument.arg in _NOT_SENT or type_text.rpartition(".")[2].partition("[")[0] == "Context":
            continue
        place = _place(source, argument.arg, row + argument.lineno - 1)
        cleaned = clean_type(type_text) or None
        yield TableRow(
            name=argument.arg,
            path=(argument.arg,),
            type=cleaned,
            schema=read_type(cleaned) if cleaned else None,
            required=default is None,
            description="",
            place=place,
            type_place=place,
            required_place=place,
            default=None if default is None else PlacedText(ast.unparse(default), place),
        )


def _place(source: SourceText, name: str, row: int) -> Place:
    """Return the place of a parameter's name in its line, because an indented fence loses the columns."""
    line = source.lines[row]
    found = re.search(rf"(?<=[(,|\s*]){re.escape(name)}\b", line)
    start, end = found.span() if found else (0, len(line))
    return source.place(row, start, end)
