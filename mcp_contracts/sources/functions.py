"""Python functions read statically: which tool each implements, and what it takes and returns."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mcp_contracts.diagnostics import Place
from mcp_contracts.implementation import CodeFault, Function, Implementation, Mark, PythonModule
from mcp_contracts.parsing.discovery import MAX_FILE_SIZE, show
from mcp_contracts.sources.annotations import literal, words_of
from mcp_contracts.sources.python_modules import Names, ReadModule, find_modules, read_module
from mcp_contracts.sources.signatures import Definition, Enclosing, Signatures, place_of

_TOOL_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_IMPLEMENT = "implement"
_TOOL = "tool"
_LEAVES = (ast.expr_context, ast.operator, ast.Name, ast.Constant)


def read_implementation(named: Iterable[str], *, max_file_size: int = MAX_FILE_SIZE) -> Implementation:
    """What the modules hold that some names or paths stand for (`package.module`, `src/tools.py`, `src/tools/`).

    Nothing is imported and nothing runs. Functions are those that a mark ties to a tool
    (`@registry.implement("weather.get_forecast")`, `registry.tool(function, name="weather.get_forecast")`); where there
    is no mark at all, the public functions at the top of the modules. Raises `UsageError` for a module that is not
    there; what is wrong inside of one is in the result.
    """
    files = find_modules(named)
    read: list[ReadModule] = []
    modules: list[PythonModule] = []
    unreadable: list[CodeFault] = []
    for file in files:
        module = read_module(file, limit=max_file_size)
        if isinstance(module, CodeFault):
            unreadable.append(module)
            modules.append(PythonModule(show(file.path), ""))
        else:
            read.append(module)
            modules.append(PythonModule(module.source.path, module.source.text))
    names = Names(read)
    readings = [_Reading(module, names) for module in read]
    functions = [function for reading in readings for function in reading.marked()]
    unnamed = [fault for reading in readings for fault in reading.unnamed]
    if not functions and not unnamed:
        functions = [function for reading in readings for function in reading.public()]
    functions.sort(key=lambda function: (function.place, function.tool or ""))
    return Implementation(tuple(modules), tuple(functions), tuple(unreadable), tuple(unnamed))


class _Reading:
    """One module, and what its marks tie to tools. `unnamed` holds the marks whose name nobody can tell."""

    def __init__(self, module: ReadModule, names: Names) -> None:
        self.unnamed: list[CodeFault] = []
        self._module, self._names = module, names
        self._signatures = Signatures(module, names)
        self._definitions: list[Definition] = []
        self._calls: list[tuple[ast.Call, Enclosing]] = []
        for node, enclosing in _walked(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._definitions.append(Definition(node, enclosing))
            elif isinstance(node, ast.Call):
                self._calls.append((node, enclosing))
        self._by_name = {definition.name: definition for definition in self._definitions}

    def public(self) -> Iterator[Function]:
        """Yield the public functions at the top of the module, or those of them that its `__all__` lists."""
        exports = self._module.names.exports
        listed = None if exports is None else {str(name) for name in exports}
        for name, definition in self._by_name.items():
            is_public = name in listed if listed is not None else not name.startswith("_")
            if not definition.enclosing and is_public and isinstance(definition.node, ast.stmt):
                yield self._signatures.function(definition, Mark.NAME)

    def marked(self) -> list[Function]:
        """The functions that a mark ties to a tool, once for each tool."""
        found: dict[tuple[Place, str | None], Function] = {}
        decorators: set[int] = set()
        for definition in self._definitions:
            for decorator in definition.node.decorator_list:
                decorators.add(id(decorator))
                for mark, tool in self._of_decorator(decorator, definition.enclosing):
                    function = replace(self._signatures.function(definition, mark), tool=tool)
                    found.setdefault((function.place, tool), function)
        called = {id(call.func) for call, _ in self._calls}
        for call, enclosing in self._calls:
            if id(call) not in decorators:
                for function in self._of_call(call, enclosing, is_called=id(call) in called):
                    found.setdefault((function.place, function.tool), function)
        return list(found.values())

    def _of_decorator(self, node: ast.expr, enclosing: Enclosing) -> Iterator[tuple[Mark, str | None]]:
        call = node if isinstance(node, ast.Call) else None
        words = words_of(node if call is None else call.func)
        if not words or (call is None and (words[-1] != _TOOL or len(words) < 2)):
            return
        if words[-1] == _IMPLEMENT and call is not None:
            name = _argument(call, 0, "tool_name", "name")
            tool = self._text(name, enclosing)
            if tool is not None:
                yield Mark.IMPLEMENT, tool
            elif name is not None and not isinstance(name, ast.Constant):
                self._cannot_tell(name)
        elif words[-1] == _TOOL and len(words) > 1:
            name = None if call is None else _argument(call, 0, "name")
            tool = self._text(name, enclosing)
            if name is None or tool is not None:
                yield Mark.TOOL, tool
            elif not isinstance(name, ast.Constant):
                self._cannot_tell(name)

    def _of_call(self, call: ast.Call, enclosing: Enclosing, *, is_called: bool) -> Iterator[Function]:
        """The function of `registry.implement("a.b")(function)` or `registry.tool(function, name="a.b")`."""
        if isinstance(call.func, ast.Call) and words_of(call.func.func)[-1:] == (_IMPLEMENT,):
            name = _argument(call.func, 0, "tool_name", "name")
            tool = self._text(name, enclosing)
            if tool is not None and call.args:
                yield replace(self._function(call.args[0], enclosing, Mark.IMPLEMENT, call), tool=tool)
            elif tool is None and name is not None:
                self._cannot_tell(name)
        elif isinstance(call.func, ast.Attribute) and call.func.attr == _IMPLEMENT and not is_called:
            tool = self._text(_argument(call, 0, "tool_name", "name"), enclosing)
            if tool is not None and "." in tool:  # kept for later: that it is implemented is all that is known
                yield self._unknown(call, Mark.IMPLEMENT, tool)
        elif isinstance(call.func, ast.Attribute) and call.func.attr == _TOOL and call.args:
            name = _argument(call, 1, "name")
            tool = self._text(name, enclosing)
            if tool is not None:
                yield replace(self._function(call.args[0], enclosing, Mark.TOOL, call), tool=tool)
            elif name is not None and not isinstance(name, ast.Constant):
                self._cannot_tell(name)

    def _function(self, node: ast.expr, enclosing: Enclosing, mark: Mark, call: ast.Call) -> Function:
        """What an expression is that is given to a mark: a function, or something that cannot be told."""
        definition = self._definition(node, enclosing)
        if definition is not None:
            return self._signatures.function(definition, mark)
        if isinstance(node, ast.Lambda):
            return self._signatures.of_lambda(node, enclosing, mark)
        if isinstance(node, ast.Call) and node.args and words_of(node.func)[-1:] == ("partial",):
            whole = self._function(node.args[0], enclosing, mark, call)
            return _bound(whole, len(node.args) - 1, [word.arg for word in node.keywords])
        return self._unknown(call, mark, None)

    def _definition(self, node: ast.expr, enclosing: Enclosing) -> Definition | None:
        """The function of this module that an expression names: by itself, by its class, or as an object's call."""
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
            found = self._by_name.get(".".join((*around[:depth], *words)))
            if found is not None:
                return found
        return None

    def _text(self, node: ast.expr | None, enclosing: Enclosing) -> str | None:
        """The tool's name that an expression is, written out or as a constant of a module."""
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

    def _unknown(self, call: ast.Call, mark: Mark, tool: str | None) -> Function:
        place = place_of(self._module.source, call)
        return Function(tool or "this", place, self._module.name, mark, tool)

    def _cannot_tell(self, node: ast.expr) -> None:
        place = place_of(self._module.source, node)
        text = self._module.source.lines[place.line - 1][place.column - 1 : place.end_column - 1]
        fault = CodeFault(text, place, "write the tool's name here, or name a constant of the module")
        if fault not in self.unnamed:
            self.unnamed.append(fault)


def _walked(tree: ast.Module) -> Iterator[tuple[ast.AST, Enclosing]]:
    """Yield every node in order of the text. Iterative, so that no depth of nesting can exhaust the stack."""
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
    """An argument of a call by one of its names or by its position."""
    for word in call.keywords:
        if word.arg in names:
            return word.value
    return call.args[position] if len(call.args) > position else None


def _bound(function: Function, positions: int, names: Sequence[str | None]) -> Function:
    """A function of which some parameters are given, so that no call can give them."""
    if function.parameters is None or None in names:
        return replace(function, parameters=None)
    rest = function.parameters[positions:]
    return replace(function, parameters=tuple(parameter for parameter in rest if parameter.name not in names))
