"""The tools of a source by the module that each belongs to, under their dotted names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.records import replace
from mcp_contracts.tool_names import qualify


def by_module(contracts: Iterable[ToolContract], *, module: str | None = None) -> Mapping[str, list[ToolContract]]:
    """The tools of each module, in order. `module` is that of the tools whose names do not state one.

    Raises UsageError if two tools get one name: a specification holds one version of each.
    """
    stated = [contract if module is None else replace(contract, module=module) for contract in contracts]
    found: dict[str, list[ToolContract]] = {}
    names: set[str] = set()
    for contract in qualify(stated):
        if contract.name in names:
            hint = "import one version at a time"
            raise UsageError(f"the source has several versions of `{contract.name}`", hint=hint)
        names.add(contract.name)
        found.setdefault(contract.name.rpartition(".")[0], []).append(contract)
    return found
