"""The Python functions behind contracts, as a static reading knows them, and which contract each of them implements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from keyword import iskeyword

from mcp_contracts.contract import Contracts, JsonValue, ToolContract
from mcp_contracts.diagnostics import Place


class Mark(StrEnum):
    """How a function says which tool it implements."""

    IMPLEMENT = "implement"  # `registry.implement("weather.get_forecast")`: there is a contract
    TOOL = "tool"  # `registry.tool(function, name="weather.get_forecast")`: the contract is made of the function
    NAME = "name"  # by its own name, since no function of the modules says more


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that a call can fill.

    `name` is what callers say: the function's own name for it, or its alias. `annotation` is as written, `accepts` a
    JSON Schema that holds every value which the annotation takes (`True` where that cannot be told). `default` is the
    default where it is written out as a JSON value other than null, else None.
    """

    name: str
    place: Place
    annotation: str | None = None
    accepts: JsonValue = True
    is_required: bool = True
    default: JsonValue = None


@dataclass(frozen=True, slots=True)
class Function:
    """A function that implements a tool, or may.

    `name` is the function's, with its classes (`Weather.forecast`); `tool` the tool's name that stands at the mark, or
    None. `parameters` is None where they cannot be told. `takes_any_name` says that it has `**kwargs`. `returns` is a
    JSON Schema for each kind of value that it may return, results of the runtime's own left out; None where that cannot
    be told.
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
    """A file that was read. `text` is its content without the byte order mark, empty where it could not be read."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class CodeFault:
    """What keeps a part of the code from being read: the whole of a file, or the name that stands at a mark."""

    message: str
    place: Place
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Implementation:
    """What some modules hold: their functions in order of place, and what could not be read of them."""

    modules: tuple[PythonModule, ...] = ()
    functions: tuple[Function, ...] = ()
    unreadable: tuple[CodeFault, ...] = ()
    unnamed: tuple[CodeFault, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether a tool that nothing here implements has surely no function in these modules."""
        return not self.unreadable and not self.unnamed


@dataclass(frozen=True, slots=True)
class ImplementedTool:
    """A contract and one function that implements it; a tool with several channels or versions has several."""

    contract: ToolContract
    function: Function


@dataclass(frozen=True, slots=True)
class ImplementedContracts:
    """Contracts and an implementation, matched.

    `missing` are the contracts that surely have no function, `extra` the functions that have no contract.
    """

    contracts: Contracts
    implementation: Implementation
    tools: tuple[ImplementedTool, ...] = ()
    missing: tuple[ToolContract, ...] = ()
    extra: tuple[Function, ...] = ()


def matched(contracts: Contracts, implementation: Implementation) -> ImplementedContracts:
    """Each function with the contract that it implements.

    A mark names the tool. A function without a name at its mark, or without any mark, stands for the tool whose whole
    name it has (`weather_get_forecast`), or the last part of it (`get_forecast`), if that is one tool only.
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
            candidates = _nearest_module(by_function.get(_plain(function.name), ()), function.module)
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
    """The contracts by each name that a mark may call them: the dotted one as well where the contract's has no dot."""
    named: dict[str, list[ToolContract]] = defaultdict(list)
    for contract in contracts:
        names = {contract.name}
        if contract.module is not None and "." not in contract.name:
            names.add(f"{contract.module}.{contract.name}")
        for name in names:
            named[name].append(contract)
    return named


def _plain(name: str) -> str:
    """A function's name without its classes, and without the underscore that keeps it from being a keyword."""
    last = name.rpartition(".")[2]
    bare = last.removesuffix("_")
    return bare if iskeyword(bare) else last


def _nearest_module(candidates: Sequence[ToolContract], module: str) -> Sequence[ToolContract]:
    """Of several tools that a function may stand for, those whose module is named as a part of the function's is."""
    if len(candidates) < 2:
        return candidates
    parts = module.split(".")
    near = [one for one in candidates if (one.name.rpartition(".")[0] or one.module) in parts]
    return near or candidates
