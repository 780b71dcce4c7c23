"""Python functions read statically: the tool that each implements, its parameters and its result."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from mcp_contracts.diagnostics import Place
from mcp_contracts.implementation import CodeFault, Function, Implementation, Mark, PythonModule
from mcp_contracts.parsing.discovery import MAX_FILE_SIZE, show
from mcp_contracts.records import replace
from mcp_contracts.sources.python.annotations import words_of
from mcp_contracts.sources.python.marks import Marks, Registration
from mcp_contracts.sources.python.modules import Names, ReadModule, find_modules, read_module
from mcp_contracts.sources.python.signatures import Definition, Signatures, place_of


def read_implementation(named: Iterable[str], *, max_file_size: int = MAX_FILE_SIZE) -> Implementation:
    """Read the functions of the modules that some names or paths refer to (`package.module`, `src/tools.py`,
    `src/tools/`).

    Nothing is imported and nothing runs. Reads the functions that a mark connects to a tool
    (`@registry.implement("weather.get_forecast")`, `registry.tool(function, name="weather.get_forecast")`) or, without
    any mark, the public functions at the top of the modules. Raises `UsageError` for a missing module; faults inside a
    module are in the result.
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
    """The functions of one module."""

    def __init__(self, module: ReadModule, names: Names) -> None:
        self._module = module
        self._signatures = Signatures(module, names)
        self._marks = Marks(module, names, self._signatures)

    @property
    def unnamed(self) -> list[CodeFault]:
        """The marks with an unknown name, once `marked` has read them."""
        return self._marks.unnamed

    def public(self) -> Iterator[Function]:
        """Yield the public functions at the top of the module, or only those that its `__all__` lists."""
        exports = self._module.names.exports
        listed = None if exports is None else {str(name) for name in exports}
        for name, definition in self._marks.by_name.items():
            is_public = name in listed if listed is not None else not name.startswith("_")
            if not definition.enclosing and is_public and isinstance(definition.node, ast.stmt):
                yield self._signatures.function(definition, Mark.NAME)

    def marked(self) -> list[Function]:
        """Return the functions that are registered as tools, once for each tool."""
        found: dict[tuple[Place, str | None], Function] = {}
        for marked in self._marks.found():
            function = replace(self._function(marked.code, marked), tool=marked.tool)
            found.setdefault((function.place, function.tool), function)
        return list(found.values())

    def _function(self, code: Definition | ast.expr | None, marked: Registration) -> Function:
        """Return the function that is registered; its parameters are unknown if it cannot be found."""
        if isinstance(code, Definition):
            return self._signatures.function(code, marked.mark)
        if isinstance(code, ast.Lambda):
            return self._signatures.of_lambda(code, marked.enclosing, marked.mark)
        if isinstance(code, ast.Call) and code.args and words_of(code.func)[-1:] == ("partial",):
            inner = self._marks.definition(code.args[0], marked.enclosing) or code.args[0]
            return _bind(self._function(inner, marked), len(code.args) - 1, [word.arg for word in code.keywords])
        place = Place(self._module.source.path, 1, 1, 1, 1)
        if marked.call is not None:
            place = place_of(self._module.source, marked.call)
        return Function(marked.tool or "this", place, self._module.name, marked.mark, marked.tool)


def _bind(function: Function, positions: int, names: Sequence[str | None]) -> Function:
    """Return a function with some parameters bound, so that no call can pass them."""
    if function.parameters is None or None in names:
        return replace(function, parameters=None)
    rest = function.parameters[positions:]
    return replace(function, parameters=tuple(parameter for parameter in rest if parameter.name not in names))
