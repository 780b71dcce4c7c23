"""Marks, which connect a Python function to a tool, read from decorators and calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from mcp_contracts import lazy_re as re
from mcp_contracts.implementation import CodeFault, Mark
from mcp_contracts.records import dataclass
from mcp_contracts.sources.python.annotations import literal, words_of
from mcp_contracts.sources.python.modules import Names, ReadModule
from mcp_contracts.sources.python.signatures import Definition, Enclosing, Signatures, place_of

_TOOL_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_IMPLEMENT = "implement"
_TOOL = "tool"
_LEAVES = (ast.expr_context, ast.operator, ast.Name, ast.Constant)


@dataclass(frozen=True, slots=True)
class Registration:
    """The connection of a function to a tool.

    `code` is the function: its definition, or the expression that is passed. It is None if the mark is stored for later
    use. `tool` is the name in the mark, or None; `call` is the mark, or None for a decorator that is not called. `on`
    is the object whose `tool` or `implement` is used, such as a registry.
    """

    code: Definition | ast.expr | None
    mark: Mark
    tool: str | None
    call: ast.Call | None
    enclosing: Enclosing
    on: ast.expr | None = None


class Marks:
    """The definitions and the marks of one module. `unnamed` contains the marks whose name cannot be determined.

    `is_bare_tool` says that a bare `@tool` is a mark as well, as in some frameworks.
    """

    def __init__(self, module: ReadModule, names: Names, signatures: Signatures, *, is_bare_tool: bool = False) -> None:
        self.unnamed: list[CodeFault] = []
        self._module, self._names, self._signatures = module, names, signatures
        self._fewest_words = 1 if is_bare_tool else 2
        self._definitions: list[Definition] = []
        self._calls: list[tuple[ast.Call, Enclosing]] = []
        for node, enclosing in _walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._definitions.append(Definition(node, enclosing))
            elif isinstance(node, ast.Call):
                self._calls.append((node, enclosing))
        self.by_name = {definition.name: definition for definition in self._definitions}

    def found(self) -> Iterator[Registration]:
        """Yield the marks of the module, decorators first."""
        decorators: set[int] = set()
        for definition in self._definitions:
            for decorator in definition.node.decorator_list:
                decorators.add(id(decorator))
                for mark, tool, call in self._of_decorator(decorator, definition.enclosing):
                    marker = decorator if call is None else call.func
                    on = marker.value if isinstance(marker, ast.Attribute) else None
                    yield Registration(definition, mark, tool, call, definition.enclosing, on)
        called = {id(call.func) for call, _ in self._calls}
        for call, enclosing in self._calls:
            if id(call) not in decorators:
                yield from self._of_call(call, enclosing, is_called=id(call) in called)

    def _of_decorator(self, node: ast.expr, enclosing: Enclosing) -> Iterator[tuple[Mark, str | None, ast.Call | None]]:
        call = node if isinstance(node, ast.Call) else None
        words = words_of(node if call is None else call.func)
        if not words or (call is None and (words[-1] != _TOOL or len(words) < self._fewest_words)):
            return
        is_implementation = words[-1] == _IMPLEMENT and call is not None
        if is_implementation or (words[-1] == _TOOL and len(words) >= self._fewest_words):
            names = ("tool_name", "name") if is_implementation else ("name",)
            name = None if call is None else _argument(call, 0, *names)
            tool = self._text(name, enclosing)
            if tool is not None or (name is None and not is_implementation):
                yield Mark.IMPLEMENT if is_implementation else Mark.TOOL, tool, call
            elif name is not None and not isinstance(name, ast.Constant):
                self._cannot_tell(name)

    def _of_call(self, call: ast.Call, enclosing: Enclosing, *, is_called: bool) -> Iterator[Registration]:
        """Yield the function of `registry.implement("a.b")(function)` or `registry.tool(function, name="a.b")`."""
        if isinstance(call.func, ast.Call) and words_of(call.func.func)[-1:] == (_IMPLEMENT,):
            name = _argument(call.func, 0, "tool_name", "name")
            tool = self._text(name, enclosing)
            if tool is not None and call.args:
                yield Registration(self._code(call.args[0], enclosing), Mark.IMPLEMENT, tool, call, enclosing)
            elif tool is None and name is not None:
                self._cannot_tell(name)
        elif isinstance(call.func, ast.Attribute) and call.func.attr == _IMPLEMENT and not is_called:
            tool = self._text(_argument(call, 0, "tool_name", "name"), enclosing)
            if tool is not None and "." in tool:  # stored for later use: it is only known that the tool is implemented
                yield Registration(None, Mark.IMPLEMENT, tool, call, enclosing)
        elif isinstance(call.func, ast.Attribute) and call.func.attr == _TOOL and call.args:
            name = _argument(call, 1, "name")
            tool = self._text(name, enclosing)
            if tool is not None:
                yield Registration(
                    self._code(call.args[0], enclosing), Mark.TOOL, tool, call, enclosing, call.func.value
                )
            elif name is not None and not isinstance(name, ast.Constant):
                self._cannot_tell(name)

    def _code(self, node: ast.expr, enclosing: Enclosing) -> Definition | ast.expr:
        return self.definition(node, enclosing) or node

    def definition(self, node: ast.expr, enclosing: Enclosing) -> Definition | None:
        """Return the function of this module that an expression names: directly, through its class, or as an object's
        call.
        """
        is_object = isinstance(node, ast.Call) and not node.args
        words = words_of(node.func if isinstance(node, ast.Call) and is_object else node)
        if not words:
            return None
        if is_object:
            words = (*words, "__call__")
        around = [one.name for one in enclosing if not isinstance(one, ast.Lambda)]
        classes = [one.name for one in enclosing if isinstance(one, ast.ClassDef)]
        if words[0] in ("self", "cls") and len(words) == 2 and classes:
            words = (classes[-1], words[1])
        for depth in range(len(around), -1, -1):
            found = self.by_name.get(".".join((*around[:depth], *words)))
            if found is not None:
                return found
        return None

    def _text(self, node: ast.expr | None, enclosing: Enclosing) -> str | None:
        """Return the name of a tool from an expression: a literal, or a constant of a module."""
        if node is None:
            return None
        value: object = literal(node)[1]
        words = words_of(node)
        if words and words[0] not in self._signatures.hidden(enclosing):
            value = self._constant(words)
        return value if isinstance(value, str) and _TOOL_NAME.fullmatch(value) else None

    def _constant(self, words: Sequence[str]) -> object:
        path = self._names.path_of(self._module, words)
        defined = None if path is None else self._names.definition(path)
        if defined is None or not defined.is_attribute:
            return None
        try:
            return ast.literal_eval(str(defined.value))  # type: ignore[attr-defined]  # attributes have one
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return None

    def _cannot_tell(self, node: ast.expr) -> None:
        place = place_of(self._module.source, node)
        text = self._module.source.lines[place.line - 1][place.column - 1 : place.end_column - 1]
        fault = CodeFault(text, place, "write the tool's name here, or name a constant of the module")
        if fault not in self.unnamed:
            self.unnamed.append(fault)


def _walk(tree: ast.Module) -> Iterator[tuple[ast.AST, Enclosing]]:
    """Yield every node in source order. Iterative, so that deep nesting cannot exhaust the stack."""
    stack: list[tuple[ast.AST, Enclosing]] = [(tree, ())]
    while stack:
        node, enclosing = stack.pop()
        yield node, enclosing
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            enclosing = (*enclosing, node)
        children = [(child, enclosing) for child in ast.iter_child_nodes(node) if not isinstance(child, _LEAVES)]
        children.reverse()
        stack += children


def _argument(call: ast.Call, position: int, *names: str) -> ast.expr | None:
    """Return an argument of a call by one of its names or by its position."""
    for word in call.keywords:
        if word.arg in names:
            return word.value
    return call.args[position] if len(call.args) > position else None
