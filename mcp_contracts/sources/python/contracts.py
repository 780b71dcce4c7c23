"""Contracts of Python functions, read without running them."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from mcp_contracts.contract import Effects, PythonFile, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import UsageError
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.implementation import CodeFault, Mark
from mcp_contracts.json_values.pointers import unescape
from mcp_contracts.messages import TOOL_NAME_PATTERN
from mcp_contracts.parsing.discovery import show
from mcp_contracts.parsing.tool_entries import effects_of, idempotent_of
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.runtime.functions.contracts import function_contract
from mcp_contracts.runtime.functions.docstrings import read_docstring
from mcp_contracts.runtime.functions.parameters import Signature, read_signature
from mcp_contracts.runtime.tools import ToolFacts
from mcp_contracts.sources.limits import limit_tools
from mcp_contracts.sources.python.annotations import words_of
from mcp_contracts.sources.python.classes import build_class, finish_classes
from mcp_contracts.sources.python.index import definitions_in
from mcp_contracts.sources.python.marks import Marks, Registration
from mcp_contracts.sources.python.modules import ModuleFile, Names, ReadModule, read_module, silence_griffe
from mcp_contracts.sources.python.signatures import Definition, Signatures, extent_of, is_generator, place_of
from mcp_contracts.sources.python.types import Scope, Types, UnknownError
from mcp_contracts.tool_names import fit_name

MOST_TOOLS = 2_000
"""The maximum number of tools that are read from one module, as from a tool list."""

_REGISTRY = "ToolRegistry"
_TEXTS = ("title", "description", "version", "status", "category", "use_when", "idempotent")
_LISTS = ("tags", "channels")
_EMPTY = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class _Tool:
    """A function that is a tool, and the mark that says so (None: `__all__` says so)."""

    definition: Definition
    marked: Registration | None


@dataclass(frozen=True, slots=True)
class CodeLocator:
    """Maps pointers into a schema to its source code: a parameter, or else `whole`."""

    whole: Place
    properties: Mapping[str, Place] = field(default_factory=dict)

    def place(self, pointer: str = "", *, on_key: bool = False) -> Place:
        """Return the place of the parameter that a pointer leads into."""
        _, first, *rest = (*pointer.split("/"), "")
        name = unescape(rest[0]) if first == "properties" and rest else ""
        return self.properties.get(name, self.whole)


def read_python_files(files: Sequence[ModuleFile], *, limit: int) -> tuple[PythonFile, ...]:
    """Return the modules that contain tools or cannot be read, with their contracts; the first module if none does.

    Tools are the functions that a decorator or a call marks (`@mcp.tool()`, `@tool`, `registry.tool(function)`); if no
    module has marks, the functions in `__all__`.
    """
    read: list[ReadModule] = []
    unreadable: list[PythonFile] = []
    for file in files:
        module = read_module(file, limit=limit)
        if isinstance(module, CodeFault):
            kind = FaultKind.OVERSIZED if "limit of" in module.message else FaultKind.UNREADABLE
            fault = Fault(kind, module.message, module.place, module.hint)
            unreadable.append(PythonFile(show(file.path), "", file.name.rpartition(".")[2], faults=(fault,)))
        else:
            read.append(module)
    names = Names(read)
    types = Types(definitions_in(read), names, build_class)
    readings = [_Reading(module, names, types) for module in read]
    tools = [list(reading.marked()) for reading in readings]
    if not any(tools) and not any(reading.faults for reading in readings):
        tools = _exported_tools(readings)
    found = [reading.file(own) for reading, own in zip(readings, tools, strict=True)]
    unread = [Fault(FaultKind.UNREAD_CODE, one.message, one.place, _RUN) for one in types.unread]
    found = [
        replace(file, faults=(*file.faults, *(one for one in unread if one.place.path == file.path))) for file in found
    ]
    kept = [file for file in (*unreadable, *found) if file.contracts or file.faults]
    return tuple(sorted(kept or found[:1], key=lambda file: file.path))


_RUN = "write a literal value, or check what the running server lists: `mcp-contracts lint tools.json`"


def _exported_tools(readings: Sequence[_Reading]) -> list[list[_Tool]]:
    """Return the functions in any `__all__`, each once, with the module that defines it."""
    by_name = {reading.module.name: reading for reading in readings}
    found: dict[str, dict[str, _Tool]] = {name: {} for name in by_name}
    for reading in readings:
        for home, name in reading.exports(by_name):
            definition = by_name[home].definition(name)
            if definition is not None:
                found[home].setdefault(name, _Tool(definition, None))
    return [list(found[reading.module.name].values()) for reading in readings]


class _Reading:
    """The tools of one module."""

    def __init__(self, module: ReadModule, names: Names, types: Types) -> None:
        self.module, self.faults = module, list[Fault]()
        self._names, self._types = names, types
        self._signatures = Signatures(module, names)
        self._marks = Marks(module, names, self._signatures, is_bare_tool=True)

    def marked(self) -> Iterator[_Tool]:
        """Yield the functions that are marked as tools."""
        seen: set[tuple[int, str | None]] = set()
        for one in self._marks.found():
            if isinstance(one.code, Definition):
                key = (id(one.code.node), one.tool)
                if key not in seen:
                    seen.add(key)
                    yield _Tool(one.code, one)
            elif one.code is not None and one.call is not None:
                message = (
                    "this registers something other than a function of this module, so the contract cannot be read"
                )
                self._fault(message, place_of(self.module.source, one.call), "register a function that `def` defines")
        for unnamed in self._marks.unnamed:
            message = f"the name `{unnamed.message}` of a tool is only known at run time"
            self._fault(message, unnamed.place, unnamed.hint)

    def exports(self, known: Container[str]) -> Iterator[tuple[str, str]]:
        """Yield the module and the name of each member of `__all__`, if its module was read."""
        exports = self.module.names.exports
        for name in map(str, exports if exports is not None else ()):
            path = self._names.path_of(self.module, (name,))
            home, _, own = (path or "").rpartition(".")
            if home in known:
                yield home, own
            elif path is None and not self._names.has_stars(self.module):
                message = f"`__all__` names `{name}`, which the module does not define"
                place = Place(self.module.source.path, 1, 1, 1, 1)
                assigned = self._types.defined.get(f"{self.module.name}.__all__")
                if assigned is not None and isinstance(assigned.node, ast.expr):
                    place = place_of(self.module.source, assigned.node)
                self._fault(message, place, "define it, or remove it from `__all__`")

    def definition(self, name: str) -> Definition | None:
        """Return the function with a name at the top of the module."""
        return self._marks.by_name.get(name)

    def file(self, tools: Sequence[_Tool]) -> PythonFile:
        """Return the module with the contracts of some of its functions."""
        contracts = []
        for tool in tools[:MOST_TOOLS]:
            before = len(self._types.unread)
            try:
                with silence_griffe():
                    contracts.append(self._contract(tool))
            except UsageError as error:
                del self._types.unread[before:]
                self._fault(error.message, self._signatures.place_of_name(tool.definition.node), error.hint)
        if len(tools) > MOST_TOOLS:
            message = f"the module contains {len(tools):,} tools, and only the first {MOST_TOOLS:,} are read"
            place = self._signatures.place_of_name(tools[MOST_TOOLS].definition.node)
            self.faults.append(
                Fault(FaultKind.OVERSIZED, message, place, "split it: no model can choose among that many tools")
            )
        source = self.module.source
        return limit_tools(
            PythonFile(source.path, source.body, self._module_name, tuple(contracts), tuple(self.faults))
        )

    @property
    def _module_name(self) -> str:
        return self.module.name.rpartition(".")[2] or "main"

    def _fault(self, message: str, place: Place, hint: str | None) -> None:
        self.faults.append(Fault(FaultKind.UNUSABLE_FUNCTION, message, place, hint))

    # One tool

    def _contract(self, tool: _Tool) -> ToolContract:
        node, marked = tool.definition.node, tool.marked
        scope = self._scope(tool.definition)
        self._types.begin()
        signature = self._signature(tool.definition, scope)
        finish_classes(self._types)
        documentation = read_docstring(ast.get_docstring(node, clean=False))
        words, places = self._words(marked, scope)
        stated = marked.tool if marked is not None else None
        if stated is not None and re.fullmatch(TOOL_NAME_PATTERN, stated):
            words["name"] = stated
        own_name = stated or node.name
        place = self._signatures.place_of_name(node)
        locator = CodeLocator(place, self._properties(node, signature))
        version = words.pop("version", None)
        contract, _ = function_contract(
            signature, documentation, f"{self._registry_module(marked)}.{own_name}", place, locator, words
        )
        returned = place if node.returns is None else place_of(self.module.source, node.returns)
        output = None if contract.output is None else replace(contract.output, locator=CodeLocator(returned))
        is_ours = words.get("name") is not None or (marked is not None and self._is_registry(marked))
        return replace(
            contract,
            version=version,
            source_name=None if is_ours else own_name,
            output=output,
            places={**self._places(node, place, returned), **places},
        )

    def _scope(self, definition: Definition) -> Scope:
        around = tuple(one.name for one in definition.enclosing if isinstance(one, ast.ClassDef))
        functions = tuple(one for one in definition.enclosing if not isinstance(one, ast.ClassDef))
        own_types = {one.name for one in getattr(definition.node, "type_params", ())}  # since Python 3.12
        return Scope(self.module, self._signatures.hidden(functions) | own_types, around)

    def _signature(self, definition: Definition, scope: Scope) -> Signature:
        node = definition.node
        found = list(self._parameters(node.args, scope))
        is_method = bool(definition.enclosing) and isinstance(definition.enclosing[-1], ast.ClassDef)
        if is_method and not any(words_of(one)[-1:] == ("staticmethod",) for one in node.decorator_list):
            found = found[1:]
        returns = _EMPTY if node.returns is None else self._types.type_of(node.returns, scope)
        signature = read_signature(
            inspect.Signature(found, return_annotation=returns, __validate_parameters__=False),
            f"function `{node.name}`",
            lambda annotation: (annotation, None),
        )
        return replace(signature, is_generator=is_generator(node))

    def _parameters(self, arguments: ast.arguments, scope: Scope) -> Iterator[inspect.Parameter]:
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
        defaults += arguments.defaults
        for number, (argument, default) in enumerate(zip(positional, defaults, strict=True)):
            is_named = number >= len(arguments.posonlyargs)
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if is_named else inspect.Parameter.POSITIONAL_ONLY
            yield self._parameter(argument, default, kind, scope)
        if arguments.vararg is not None:
            yield self._parameter(arguments.vararg, None, inspect.Parameter.VAR_POSITIONAL, scope)
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            yield self._parameter(argument, default, inspect.Parameter.KEYWORD_ONLY, scope)
        if arguments.kwarg is not None:
            yield self._parameter(arguments.kwarg, None, inspect.Parameter.VAR_KEYWORD, scope)

    def _parameter(self, argument: ast.arg, default: ast.expr | None, kind: Any, scope: Scope) -> inspect.Parameter:
        annotation = _EMPTY if argument.annotation is None else self._types.type_of(argument.annotation, scope)
        value: Any = _EMPTY if default is None else self._types.default_of(default, scope, argument.arg)
        return inspect.Parameter(argument.arg, kind, default=value, annotation=annotation)

    # Places and words

    def _properties(self, node: ast.FunctionDef | ast.AsyncFunctionDef, signature: Signature) -> dict[str, Place]:
        arguments = {one.arg: one for one in (*node.args.args, *node.args.kwonlyargs)}
        return {
            one.property_name: place_of(self.module.source, arguments[one.name])
            for one in signature.parameters
            if one.name in arguments
        }

    def _places(self, node: ast.FunctionDef | ast.AsyncFunctionDef, place: Place, returned: Place) -> dict[str, Place]:
        lines = self.module.source.lines
        first = min((one.lineno for one in node.decorator_list), default=node.lineno)
        last = min(node.end_lineno or node.lineno, len(lines))
        places = {
            "name": place,
            "input": place,
            "output": returned,
            "extent": Place(self.module.source.path, first, 1, last, len(lines[last - 1]) + 1),
        }
        documented = node.body[0] if ast.get_docstring(node, clean=False) is not None else None
        if documented is not None:
            places["description"] = extent_of(self.module.source, documented)
        return places

    def _is_registry(self, marked: Registration) -> bool:
        """Whether a mark belongs to our registry, whose tools have only dotted names."""
        return marked.mark is Mark.IMPLEMENT if marked.on is None else self._registry(marked) is not None

    def _registry(self, marked: Registration) -> ast.Call | None:
        """Return the call that creates the registry of a mark, or None if it is not one of ours."""
        path = None if marked.on is None else self._types.path(marked.on, Scope(self.module))
        defined = None if path is None else self._types.defined.get(path)
        made = defined.node if defined is not None else None
        return made if isinstance(made, ast.Call) and words_of(made.func)[-1:] == (_REGISTRY,) else None

    def _registry_module(self, marked: Registration | None) -> str:
        """Return the module of a tool without a dotted name: the name of its registry, else the Python module."""
        made = None if marked is None else self._registry(marked)
        stated = [] if made is None else [*made.args[:1], *(word.value for word in made.keywords if word.arg == "name")]
        for node in stated:
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str):
                return fit_name(value)
        return self._module_name

    def _words(self, marked: Registration | None, scope: Scope) -> tuple[ToolFacts, dict[str, Place]]:
        """Return the properties of a tool that its mark states, with their places."""
        words: dict[str, Any] = {}
        places: dict[str, Place] = {}
        for word in marked.call.keywords if marked is not None and marked.call is not None else ():
            name = word.arg or ""
            if name not in (*_TEXTS, *_LISTS, "optional", "effects", "annotations"):
                continue
            found = self._word(name, word.value, scope)
            words.update(found)
            places.update(dict.fromkeys(found, place_of(self.module.source, word.value)))
        return ToolFacts(**words), places  # type: ignore[typeddict-item]  # each is of its type

    def _word(self, name: str, node: ast.expr, scope: Scope) -> dict[str, Any]:
        try:
            if name == "effects" and isinstance(node, ast.Call):
                return {
                    name: Effects(**{str(one.arg): self._types.value_of(one.value, scope) for one in node.keywords})
                }
            if name == "annotations":
                return self._hints(node, scope)
            value = self._types.value_of(node, scope)
        except (UnknownError, TypeError):
            self._types.note(node, scope, f"`{name}` of the tool is computed when the code runs")
            return {}
        if name in _LISTS and isinstance(value, list | tuple | set | frozenset):
            return {name: tuple(map(str, value)) if isinstance(value, list | tuple) else tuple(sorted(map(str, value)))}
        is_fit = isinstance(value, bool) if name == "optional" else isinstance(value, str) and name not in _LISTS
        return {name: value} if is_fit else {}

    def _hints(self, node: ast.expr, scope: Scope) -> dict[str, Any]:
        """Return the MCP annotations of a tool, given as `ToolAnnotations(…)` or as a dictionary."""
        if isinstance(node, ast.Call):
            hints = {str(one.arg): self._types.value_of(one.value, scope) for one in node.keywords}
        else:
            hints = self._types.value_of(node, scope)
        if not isinstance(hints, dict):
            raise UnknownError
        found = {"effects": effects_of(hints), "idempotent": idempotent_of(hints.get("idempotentHint"))}
        if isinstance(hints.get("title"), str):
            found["title"] = hints["title"]
        return {name: value for name, value in found.items() if value is not None}
