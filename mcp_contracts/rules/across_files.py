"""Rules that compare all files of a run (MC104 and MC205). They run even where no file is checked again."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Contracts, SpecFile, ToolContract
from mcp_contracts.diagnostics import Finding, Related, Severity
from mcp_contracts.faults import FaultKind
from mcp_contracts.rules.base import rule
from mcp_contracts.rules.wording import nearest, show


@rule("MC104", Severity.ERROR, since="0.1.0")
def duplicate_tool_name(contracts: Contracts) -> Iterator[Finding]:
    """Two tools have the same name.

    Callers reach only one of them, depending on the order in which files are read. All specifications are compared with
    each other. A tool list is only compared with itself, because two lists may show the same server at different times.
    """
    specified: dict[tuple[str, str], ToolContract] = {}
    for file in contracts.files:
        first_by_name = specified if isinstance(file, SpecFile) else {}
        for contract in file.contracts:
            name = contract.name
            if not name:
                continue
            # A name without a dot is made unique by its module, or by its file if no module is known.
            key = ("", name) if "." in name else (contract.module or file.path, name)
            first = first_by_name.setdefault(key, contract)
            if first is not contract:
                yield Finding(
                    f"`{show(name)}` is already the name of another tool",
                    "rename or remove one of them",
                    contract.place_of("name"),
                    related=(Related(first.place_of("name"), "the first tool with this name"),),
                )


@rule("MC205", Severity.ERROR, since="0.1.0")
def unknown_replacement(contracts: Contracts) -> Iterator[Finding]:
    """The replacement of a deprecated tool does not exist.

    Callers that follow the advice find no tool. Names in modules that are not among the linted files are not checked.
    """
    names = {contract.name for contract in contracts} | _invocation_names(contracts)
    folded = {_fold(name) for name in names}  # another rule reports a misspelled name
    modules: set[str] | None = None
    for contract in contracts:
        replacement = contract.status.replacement if contract.status else None
        if replacement is None:
            continue
        written = show(replacement)
        place = contract.place_of("replacement" if "replacement" in contract.places else "status")
        module, dot, _ = replacement.rpartition(".")
        if replacement == contract.name:
            yield Finding(f"`{written}` is its own replacement", "name the tool to use instead", place)
            continue
        own = contract.module or contract.name.rpartition(".")[0]
        if _fold(replacement) in folded or (not dot and f"{own}.{replacement}" in names):
            continue
        modules = _known_modules(contracts) if modules is None else modules
        if (module or own) not in modules:
            continue
        near = nearest(replacement, names - {contract.name})
        hint = f"did you mean `{show(near)}`?" if near else "name a tool that exists"
        yield Finding(f"the replacement `{written}` does not exist", hint, place, names=(replacement,))


def _invocation_names(contracts: Contracts) -> set[str]:
    """Return the names in section 2 of each tool that differ from the heading."""
    specs = (file for file in contracts.files if isinstance(file, SpecFile))
    return {tool.invocation_name for spec in specs for tool in spec.tools if tool.invocation_name}


def _fold(name: str) -> str:
    return re.sub(r"[^a-z0-9.]", "", name.lower())


def _known_modules(contracts: Contracts) -> set[str]:
    """Return the modules whose tools are all known: those of the linted files, unless a file could not be read."""
    modules: set[str] = set()
    unread: set[str] = set()
    for file in contracts.files:
        if any(fault.kind in (FaultKind.UNREADABLE, FaultKind.OVERSIZED) for fault in file.faults):
            if file.module is None:
                return set()
            unread.add(file.module)
        for contract in file.contracts:
            modules.add(contract.module or "")
            modules.add(contract.name.rpartition(".")[0])
    return modules - unread - {""}


ACROSS_FILES = (duplicate_tool_name, unknown_replacement)
"""The rules of this module."""
