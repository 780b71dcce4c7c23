"""The parameters and the result of a function, read from its definition."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from mcp_contracts.contract import JsonValue
from mcp_contracts.diagnostics import Place
from mcp_contracts.implementation import Function, Mark, Parameter
from mcp_contracts.parsing.text import SourceText
from mcp_contracts.records import dataclass
from mcp_contracts.sources.python.annotations import (
    Scope,
    accepted_schema,
    alternatives,
    literal,
    metadata,
    names,
    words_of,
)
from mcp_contracts.sources.python.modules import Names, ReadModule

Enclosing = tuple[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda, ...]
"""The functions and classes around a node, the outermost first."""

_OWN_RESULTS = frozenset(("NoChangeNeeded", "PartialSuccess", "MCPToolResult", "ToolError", "NoReturn", "Never"))
_CONTEXT = "ToolContext"
_FIELD = "Field"
_ALIASES = ("validation_alias", "alias")
_NULL: JsonValue = {"type": "null"}
_LONGEST_ANNOTATION = 200


@dataclass(frozen=True, slots=True)
class Definition:
    """A function's definition with its context."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    enclosing: Enclosing

    @property
    def name(self) -> str:
        """The name, with the names of the functions and classes around it."""
        around = [one.name for one in self.enclosing if not isinstance(one, ast.Lambda)]
        return ".".join((*around, self.node.name))


class Signatures:
    """The signatures of one module's functions."""

    def __init__(self, module: ReadModule, known: Names) -> None:
        self._module, self._known = module, known
        self._hidden: dict[int, frozenset[str]] = {}

    def function(self, definition: Definition, mark: Mark) -> Function:
        """Return the signature of a function, without `self` or `cls`."""
        node, enclosing = definition.node, definition.enclosing
        decorators = {words_of(one)[-1:] for one in node.decorator_list}
        is_method = bool(enclosing) and isinstance(enclosing[-1], ast.ClassDef) and ("staticmethod",) not in decorators
        scope = self._scope((*enclosing, node), own=node)
        returns = None if is_generator(node) else alternatives(node.returns, scope)
        found = None if returns is None else tuple(one for one in returns if one != _NULL)
        classes = [one.name for one in enclosing if isinstance(one, ast.ClassDef)]
        return Function(
            ".".join((*classes, node.name)),
            self.place_of_name(node),
            self._module.name,
            mark,
            parameters=tuple(self._parameters(node.args, scope, skipped=1 if is_method else 0)),
            takes_any_name=node.args.kwarg is not None,
            return_annotation=_text(node.returns),
            returns=found or None,
        )

    def of_lambda(self, node: ast.Lambda, enclosing: Enclosing, mark: Mark) -> Function:
        """Return the signature of a lambda."""
        scope = self._scope((*enclosing, node))
        place = place_of(self._module.source, node)
        parameters = tuple(self._parameters(node.args, scope, skipped=0))
        any_name = node.args.kwarg is not None
        return Function("lambda", place, self._module.name, mark, parameters=parameters, takes_any_name=any_name)

    def hidden(self, enclosing: Enclosing) -> frozenset[str]:
        """Return the names that the functions and classes around a place redefine."""
        found: frozenset[str] = frozenset()
        for one in enclosing:
            if id(one) not in self._hidden:
                self._hidden[id(one)] = frozenset(_bound_in(one))
            found |= self._hidden[id(one)]
        return found

    def _scope(self, enclosing: Enclosing, own: ast.AST | None = None) -> Scope:
        """Return the lookup of names in a signature, where a function binds only its type parameters."""
        outer = enclosing if own is None else enclosing[:-1]
        own_types = {one.name for one in getattr(own, "type_params", ())}  # since Python 3.12
        return Scope(
            path_of=lambda words: self._known.path_of(self._module, words),
            definition=self._known.definition,
            hidden=self.hidden(outer) | own_types,
            ignored=_OWN_RESULTS,
        )

    def _parameters(self, arguments: ast.arguments, scope: Scope, *, skipped: int) -> Iterator[Parameter]:
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
        defaults += arguments.defaults
        pairs = list(zip(positional, defaults, strict=True))[skipped:]
        pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        for argument, default in pairs:
            if _CONTEXT not in names(argument.annotation, scope):
                yield self._parameter(argument, default, scope)

    def _parameter(self, argument: ast.arg, default: ast.expr | None, scope: Scope) -> Parameter:
        said = (default, *metadata(argument.annotation, scope))
        fields = [one for one in said if one is not None and _is_field(one)]
        name = next(filter(None, map(_alias, fields)), argument.arg)
        if default is None or _is_field(default):
            is_required = not any(map(_has_default, fields))
            default = next(filter(None, map(_default_of, fields)), None)
        else:
            is_required = False
        return Parameter(
            name,
            place_of(self._module.source, argument),
            _text(argument.annotation),
            accepted_schema(argument.annotation, scope),
            is_required,
            literal(default)[1],
        )

    def place_of_name(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Place:
        """Return the place of the name after `def`."""
        source = self._module.source
        row = node.lineno - 1
        begin = place_of(source, node).column - 1
        keyword = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
        start = source.lines[row].find(node.name, begin + len(keyword))
        return place_of(source, node) if start < 0 else source.place(row, start, start + len(node.name))


def place_of(source: SourceText, node: ast.expr | ast.arg | ast.stmt) -> Place:
    """Return the place of a node, or of its first line if it has several. Python counts columns in bytes of UTF-8."""
    row = node.lineno - 1
    line = source.lines[row] if row < len(source.lines) else ""
    content = line.encode("utf-8", "surrogatepass")
    start = len(content[: node.col_offset].decode("utf-8", "replace"))
    end = len(line)
    if node.end_lineno == node.lineno and node.end_col_offset is not None:
        end = len(content[: node.end_col_offset].decode("utf-8", "replace"))
    return source.place(min(row, len(source.lines) - 1), start, end)


def _text(node: ast.expr | None) -> str | None:
    """Return an annotation as written, on one line."""
    if node is None:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return " ".join(node.value.split())[:_LONGEST_ANNOTATION]
    try:
        return " ".join(ast.unparse(node).split())[:_LONGEST_ANNOTATION]
    except RecursionError:
        return "…"


def _is_field(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and words_of(node.func)[-1:] == (_FIELD,)


def _keyword(node: ast.expr, name: str) -> ast.expr | None:
    keywords: Sequence[ast.keyword] = node.keywords if isinstance(node, ast.Call) else ()
    return next((word.value for word in keywords if word.arg == name), None)


def _alias(field: ast.expr) -> str | None:
    for name in _ALIASES:
        value = literal(_keyword(field, name))[1]
        if isinstance(value, str):
            return value
    return None


def _default_of(field: ast.expr) -> ast.expr | None:
    """Return the default in a `Field(…)`, if it states one."""
    first = field.args[0] if isinstance(field, ast.Call) and field.args else None
    default = _keyword(field, "default") or first
    is_none = isinstance(default, ast.Constant) and default.value is Ellipsis
    return None if is_none else default


def _has_default(field: ast.expr) -> bool:
    return _default_of(field) is not None or _keyword(field, "default_factory") is not None


def extent_of(source: SourceText, node: ast.expr | ast.stmt) -> Place:
    """Return the place of a whole node, with all its lines."""
    start = place_of(source, node)
    row = min((node.end_lineno or node.lineno) - 1, len(source.lines) - 1)
    content = source.lines[row].encode("utf-8", "surrogatepass")
    end = len(content[: node.end_col_offset].decode("utf-8", "replace")) + 1
    return Place(start.path, start.line, start.column, row + 1, end)


def is_generator(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function yields, so that its annotation does not describe the result of a call."""
    return any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in _own_nodes(node.body))


def _own_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield nodes and those inside, except for the content of functions and classes."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))


def _bound_in(scope: ast.AST) -> Iterator[str]:
    """Yield the names that a function or class binds inside."""
    for node in _own_nodes(ast.iter_child_nodes(scope)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
    yield from (one.name for one in getattr(scope, "type_params", ()))
