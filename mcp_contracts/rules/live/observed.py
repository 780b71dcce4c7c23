"""The observed lists and responses of a live server, with the contracts that they should match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from mcp_contracts.change import Change
from mcp_contracts.contract import Contracts, JsonValue, ToolContract
from mcp_contracts.diagnostics import Place
from mcp_contracts.records import dataclass, field

Purpose = Literal["example", "sample", "invalid", "case"]
"""Why a call was made: an example of the contract, a sampled call, one that must be refused, a case from a file."""
Outcome = Literal["success", "failure", "refused", "protocol-error", "none", "other"]
"""How a call ended: with a result, with `isError`, refused as invalid, with a JSON-RPC error, without an answer, or in
a way that this client cannot judge, such as a request for input."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's response to a call. `data` is the structured content; `error_type` is None if it is unknown."""

    outcome: Outcome
    message: str = ""
    error_type: str | None = None
    data: JsonValue = None
    has_data: bool = False
    needs_data: bool = True
    """Whether a success without data is an error. It is not if the server says that it has none."""


@dataclass(frozen=True, slots=True)
class ObservedCall:
    """A call and its answer. `is_valid` says whether the contract accepts the arguments."""

    arguments: JsonValue
    answer: Answer
    purpose: Purpose
    is_valid: bool


@dataclass(frozen=True, slots=True)
class LiveTool:
    """A contract and the tool that a server lists for it.

    `changes` lead from the contract to the tool; `calls` are the responses of the tool.
    """

    contract: ToolContract
    listed: ToolContract
    changes: tuple[Change, ...] = ()
    calls: tuple[ObservedCall, ...] = ()


@dataclass(frozen=True, slots=True)
class LiveContracts:
    """Contracts and a server, matched.

    `missing` are the contracts for which the server lists no tool, `extra` the tools that have no contract.
    `first_list` and `second_list` are the names in two listings, as the server states them. `unknown_tool` is the
    response to a call to a tool that does not exist. `stray_line` is a line on its standard output that is not a
    message.
    """

    contracts: Contracts
    listed: Contracts
    server: str
    tools: tuple[LiveTool, ...] = ()
    missing: tuple[ToolContract, ...] = ()
    extra: tuple[ToolContract, ...] = ()
    first_list: tuple[str, ...] = ()
    second_list: tuple[str, ...] = ()
    unknown_tool: Answer | None = None
    stray_line: str | None = None

    @property
    def place(self) -> Place:
        """The server itself, for findings that concern none of its tools."""
        return Place(self.server, 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class Matches:
    """The matching of a server's tools to contracts."""

    pairs: tuple[tuple[ToolContract, ToolContract], ...] = ()
    missing: tuple[ToolContract, ...] = ()
    extra: tuple[ToolContract, ...] = field(default=())


def match(contracts: Iterable[ToolContract], listed: Sequence[ToolContract]) -> Matches:
    """Return each contract with the tool that a server lists for it.

    A server may list a tool under its name, its original name at the source, its name with `_` in place of dots, or the
    last part of its name.
    """
    by_name: dict[str, ToolContract] = {}
    for tool in listed:
        by_name.setdefault(tool.name, tool)
    wanted = list(contracts)
    taken: dict[str, ToolContract] = {}
    for names in (_exact_names, _near_names):
        for contract in wanted:
            if any(one is contract for one in taken.values()):
                continue
            name = next((name for name in names(contract, by_name) if name not in taken), None)
            if name is not None:
                taken[name] = contract
    found = {id(contract): by_name[name] for name, contract in taken.items()}
    return Matches(
        pairs=tuple((contract, found[id(contract)]) for contract in wanted if id(contract) in found),
        missing=tuple(contract for contract in wanted if id(contract) not in found),
        extra=tuple(tool for name, tool in by_name.items() if name not in taken),
    )


def _exact_names(contract: ToolContract, listed: Mapping[str, ToolContract]) -> Iterable[str]:
    return (name for name in (contract.source_name, contract.name) if name in listed and name is not None)


def _near_names(contract: ToolContract, listed: Mapping[str, ToolContract]) -> Iterable[str]:
    last = contract.name.rpartition(".")[2]
    plain = {name.lower().replace("-", "_").replace(".", "_"): name for name in reversed(list(listed))}
    near = (plain.get(one.lower().replace("-", "_").replace(".", "_")) for one in (contract.name, last))
    return (name for name in near if name is not None)
