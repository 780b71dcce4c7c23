"""Reads the fields of a Python class for the parameters of a tool: a dataclass, a `TypedDict`, a pydantic model."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from textwrap import dedent

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import TableRow
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.parameters.code_text import LONGEST, Code, Piece, code_row
from mcp_contracts.parsing.text import SourceText

_BASES = frozenset(("BaseModel", "TypedDict", "NamedTuple", "Struct", "SQLModel"))
_DECORATORS = frozenset(("dataclass", "dataclasses", "attrs", "define", "frozen", "s"))
_COMMENT = re.compile(r"#\s*(.+)$")
_WRAPPED = re.compile(r"(Optional|NotRequired|list|List)\[(\w+)\]|(\w+) \| None")
_MOST_NESTING = 6


def class_rows(source: SourceText, fence: Fence) -> tuple[TableRow, ...] | None:
    """Return the fields of the only class of a fence that no other one refers to; None if that cannot be determined."""
    text = dedent(fence.content)
    if "class " not in text or len(text) > LONGEST:
        return None
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef) and _is_model(node)}
    roots = [
        node
        for node in classes.values()
        if not any(_mentions(other, node.name) for other in classes.values() if other is not node)
    ]
    if len(roots) != 1:
        return None
    code = Code(source, text, fence.first_row, {})
    return tuple(_fields(code, roots[0], classes, (), ()))


def _is_model(node: ast.ClassDef) -> bool:
    bases = {_last(base) for base in node.bases}
    decorators = {_last(one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list}
    return bool(bases & _BASES or decorators & _DECORATORS) and not bases - _BASES


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _mentions(node: ast.ClassDef, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node))


def _fields(
    code: Code, node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], path: tuple[str, ...], seen: Sequence[str]
) -> Iterator[TableRow]:
    is_partial = any(
        keyword.arg == "total" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        for keyword in node.keywords
    )
    for index, field in enumerate(node.body):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        annotation = ast.unparse(field.annotation)
        if annotation.startswith("ClassVar") or field.target.id.startswith("_"):
            continue
        name = Piece(field.target.id, _offset(code, field.target))
        described, default, is_required = _value(field.value)
        after = node.body[index + 1] if index + 1 < len(node.body) else None
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
            described = described or " ".join(after.value.value.split())
        line = code.text.split("\n")[(field.end_lineno or field.lineno) - 1]
        if not described and (comment := _COMMENT.search(line[field.end_col_offset or 0 :])):
            described = comment[1].strip()
        required = is_required and not is_partial and not annotation.startswith("NotRequired[")
        typed = Piece(annotation, _offset(code, field.annotation))
        inner, is_array = _class_of(annotation, classes)
        yield code_row(
            code,
            name,
            typed,
            path=path,
            required=required,
            description=described,
            default=None if default is None else Piece(default, name.start),
            schema=None if inner is None else {"type": "array" if is_array else "object"},
        )
        if inner is not None and inner.name not in seen and len(path) < _MOST_NESTING:
            below = (*path, name.text, "[]") if is_array else (*path, name.text)
            yield from _fields(code, inner, classes, below, (*seen, inner.name))


def _class_of(annotation: str, classes: Mapping[str, ast.ClassDef]) -> tuple[ast.ClassDef | None, bool]:
    """Return the class of the fence that an annotation names, or that of its items."""
    if annotation in classes:
        return classes[annotation], False
    match = _WRAPPED.fullmatch(annotation)
    named = "" if match is None else match[2] or match[3]
    is_optional = match is not None and match[1] not in ("list", "List", "NotRequired")
    if match is None or named not in classes or is_optional:
        return None, False
    return classes[named], match[1] in ("list", "List")


def _value(value: ast.expr | None) -> tuple[str, str | None, bool]:
    """Return the content of the right side of a field: a description, a default, and whether the field is required."""
    if value is None:
        return "", None, True
    if not (isinstance(value, ast.Call) and _last(value.func) in ("Field", "field", "attrib")):
        return "", ast.unparse(value), False
    stated: ast.expr | None = value.args[0] if value.args else None
    described, is_made = "", False
    for keyword in value.keywords:
        if keyword.arg == "description" and isinstance(keyword.value, ast.Constant):
            described = str(keyword.value.value)
        elif keyword.arg == "default":
            stated = keyword.value
        elif keyword.arg in ("default_factory", "factory"):
            is_made = True
    if stated is None or (isinstance(stated, ast.Constant) and stated.value is ...):
        return described, None, not is_made
    return described, ast.unparse(stated), False


def _offset(code: Code, node: ast.expr) -> int:
    lines = code.text.split("\n")[: node.lineno]
    column = len(lines[-1].encode("utf-8", "surrogatepass")[: node.col_offset].decode("utf-8", "ignore"))
    return sum(len(line) + 1 for line in lines[:-1]) + column
