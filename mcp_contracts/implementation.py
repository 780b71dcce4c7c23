"""The Python functions that implement contracts, found by static analysis, and matched to the contracts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from keyword import iskeyword

from mcp_contracts.contract import Contracts, JsonValue, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.records import dataclass


class Mark(StrEnum):
    """How a function states which tool it implements."""

    IMPLEMENT = "implement"  # `registry.implement("weather.get_forecast")`: for an existing contract
    TOOL = "tool"  # `registry.tool(function, name="weather.get_forecast")`: derives the contract
    NAME = "name"  # by its own name, if it has no other mark


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that a call can fill.

    `name` is the name for callers: the function's own name for it, or its alias. `annotation` is as written. `accepts`
    is a JSON Schema that accepts every value which the annotation accepts (`True` if unknown). `default` is a literal
    default that is a JSON value other than null, else None.
    """

    name: str
    place: Place
    annotation: str | None = None
    accepts: JsonValue = True
    is_required: bool = True
    default: JsonValue = None


@dataclass(frozen=True, slots=True)
class Function:
    """A function that implements a tool, or may implement one.

    `name` is the function's, with its classes (`Weather.forecast`); `tool` is the tool's name in the mark, or None.
    `parameters` is None if they are unknown. `takes_any_name` means that it has `**kwargs`. `returns` is a JSON Schema
    for each kind of value that it may return, except for result types of the runtime; None if unknown.
    """

    name: str
    place: Place
    module: str
    mark: Mark
    tool: str | None = None
    parameters: tuple[Parameter, ...] | None = None
    takes_any_name: bool = False
    return_annotation: str | None = None
    returns: tuple[JsonValue, ...] | None = None


@dataclass(frozen=True, slots=True)
class PythonModule:
    """A parsed file. `text` is its content without the byte order mark, "" if it could not be read."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class CodeFault:
    """Why a part of the code could not be read: a whole file, or the name in a mark."""

    message: str
    place: Place
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Implementation:
    """The functions of some modules, sorted by place, and the parts that could not be read."""

    modules: tuple[PythonModule, ...] = ()
    functions: tuple[Function, ...] = ()
    unreadable: tuple[CodeFault, ...] = ()
    unnamed: tuple[CodeFault, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether a tool without a function here is known to have none in these modules."""
        return not self.unreadable and not self.unnamed


@dataclass(frozen=True, slots=True)
class ImplementedTool:
    """A contract and one function that implements it; a tool with several channels or versions has several."""

    contract: ToolContract
    function: Function


@dataclass(frozen=True, slots=True)
class ImplementedContracts:
    """Contracts matched to an implementation.

    `missing` are the contracts that are known to have no function, `extra` the functions that have no contract.
    """

    contracts: Contracts
    implementation: Implementation
    tools: tuple[ImplementedTool, ...] = ()
    missing: tuple[ToolContract, ...] = ()
    extra: tuple[Function, ...] = ()


def match_functions(contracts: Contracts, implementation: Implementation) -> ImplementedContracts:
    """Match each function to the contract that it implements.

    A mark names the tool. A function without a name in its mark, or without a mark, implements the tool with its name
    (`weather_get_forecast`), or with that last part of the name (`get_forecast`) if only one tool has it.
    """
    by_name = _by_name(contracts)
    by_function: dict[str, list[ToolContract]] = defaultdict(list)
    for contract in contracts:
        for name in {contract.name.rpartition(".")[2], contract.name.replace(".", "_")}:
            by_function[name].append(contract)
    tools: list[ImplementedTool] = []
    extra: list[Function] = []
    doubtful: set[int] = set()
    for function in implementation.functions:
        if function.tool is not None:
            candidates: Sequence[ToolContract] = by_name.get(function.tool, ())
        else:
            candidates = _nearest_module(by_function.get(_strip_name(function.name), ()), function.module)
            if len(candidates) > 1:
                doubtful.update(map(id, candidates))
                continue
        tools.extend(ImplementedTool(contract, function) for contract in candidates)
        if not candidates:
            extra.append(function)
    found = {id(tool.contract) for tool in tools} | doubtful
    missing = tuple(one for one in contracts if id(one) not in found) if implementation.is_complete else ()
    return ImplementedContracts(contracts, implementation, tuple(tools), missing, tuple(extra))


def _by_name(contracts: Iterable[ToolContract]) -> dict[str, list[ToolContract]]:
    """Map every name that a mark may use to its contracts, including the dotted one if a contract's name has no dot."""
    named: dict[str, list[ToolContract]] = defaultdict(list)
    for contract in contracts:
        names = {contract.name}
        if contract.module is not None and "." not in contract.name:
            names.add(f"{contract.module}.{contract.name}")
        for name in names:
            named[name].append(contract)
    return named


def _strip_name(name: str) -> str:
    """Return a function's name without its classes, and without a trailing underscore that avoids a keyword."""
    last = name.rpartition(".")[2]
    bare = last.removesuffix("_")
    return bare if iskeyword(bare) else last


def _nearest_module(candidates: Sequence[ToolContract], module: str) -> Sequence[ToolContract]:
    """Of several tools that a function may implement, return those whose module is a part of the function's module."""
    if len(candidates) < 2:
        return candidates
    parts = module.split(".")
    near = [one for one in candidates if (one.name.rpartition(".")[0] or one.module) in parts]
    return near or candidates
