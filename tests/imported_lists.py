"""Tool lists imported in memory, and the laws of every import: the export returns what was imported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from mcp_contracts.adapters.mcp_schemas import ERAS, Era
from mcp_contracts.adapters.table import ExportOptions
from mcp_contracts.checks.exporting.export import export
from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, JsonValue, ToolContract
from mcp_contracts.diagnostics import Severity
from mcp_contracts.formatting.specs import format_spec
from mcp_contracts.importing.parts import Parts, parts_of
from mcp_contracts.importing.specs import ImportedSpec, by_module, import_module
from mcp_contracts.parsing.discovery import SPEC_NAME
from mcp_contracts.parsing.spec import read_spec
from mcp_contracts.sources.tool_lists import read_tool_list
from mcp_contracts.tool_names import qualified_name

Tool = dict[str, JsonValue]
MODULE = "notes"
PATH = f"specs/{MODULE}/{SPEC_NAME}"
UNCHANGED = frozenset(("name", "title", "description", "inputSchema", "outputSchema", "annotations"))
"""The keys of a tool that an export preserves; all others are lost."""


def tool_of(name: JsonValue = "find", **members: JsonValue) -> Tool:
    """A tool of a list."""
    schema: JsonValue = {
        "type": "object",
        "properties": {"query": {"type": "string", "description": "What to look for."}},
        "required": ["query"],
    }
    return {"name": name, "description": "Finds the notes that hold a text.", "inputSchema": schema, **members}


def listed(*tools: Tool) -> Contracts:
    """Tools as the contracts of a file."""
    document: JsonValue = {"tools": [*tools]}
    return Contracts((read_tool_list("tools.json", json.dumps(document)),))


def imported(
    contracts: Contracts, old: Mapping[str, str] | None = None, *, module: str | None = MODULE, is_pruning: bool = False
) -> dict[str, ImportedSpec]:
    """The specification of each module, given the existing ones."""
    return {
        name: import_module(path_of(name), name, (old or {}).get(name), members, is_pruning=is_pruning)
        for name, members in by_module(contracts, module=module).items()
    }


def path_of(module: str) -> str:
    return f"specs/{module}/{SPEC_NAME}"


def texts(found: Mapping[str, ImportedSpec]) -> dict[str, str]:
    return {name: one.text for name, one in found.items()}


def read(found: Mapping[str, str]) -> Contracts:
    """The contracts of some specifications."""
    return Contracts(tuple(read_spec(path_of(name), text) for name, text in found.items()))


def stated(found: Mapping[str, str]) -> dict[str, Parts]:
    """All parts of all tools."""
    return {contract.name: parts_of(contract) for contract in read(found)}


def exported(contracts: Contracts, era: Era = "2025-11-25") -> list[Tool]:
    """The tools in an export to MCP."""
    found = export(contracts, "mcp", options=ExportOptions(era=era))
    assert found.text is not None, [one.message for one in found.report.shown()]
    tools: list[Tool] = json.loads(found.text)["tools"]
    return tools


def check_laws(contracts: Contracts, tools: list[Tool], *, module: str | None = MODULE) -> dict[str, str]:
    """Check all laws for the import of a list, and return the specifications."""
    found = imported(contracts, module=module)
    written = texts(found)
    assert all(outcome.state == "added" and not outcome.lost for one in found.values() for outcome in one.outcomes)
    assert all(format_spec(path_of(name), text).text == text for name, text in written.items())
    assert texts(imported(contracts, written, module=module)) == written
    again = read(written)
    for targets in ((), ("mcp",)):
        assert not _errors(again, targets) - _errors(contracts, targets)
    sent = [_sent(tool) for tool in tools]
    for era in ERAS:
        assert [_sent(tool) for tool in exported(again, era)] == sent
    return written


def _errors(contracts: Contracts, targets: tuple[str, ...]) -> Counter[tuple[str, str]]:
    names = {contract.name: qualified_name(contract).rpartition(".")[2] for contract in contracts}
    found = lint(contracts, targets=targets).shown()
    return Counter((one.code, names.get(one.tool or "", "")) for one in found if one.severity is Severity.ERROR)


def _sent(tool: Tool) -> Tool:
    """A tool as an export returns it: with the hints that have a meaning, and without an empty output schema."""
    kept = {key: value for key, value in tool.items() if key in UNCHANGED}
    hints = kept.pop("annotations", None)
    stated = hints if isinstance(hints, dict) else {}
    read_only = stated.get("readOnlyHint") is True
    destructive = stated.get("destructiveHint", None if read_only else True)
    kept["annotations"] = {
        "readOnlyHint": read_only,
        "destructiveHint": False if read_only else destructive is not False,
        "idempotentHint": stated.get("idempotentHint", False),
        "openWorldHint": stated.get("openWorldHint", True),
    }
    kept.setdefault("title", stated.get("title"))
    if kept.get("outputSchema") == {}:
        del kept["outputSchema"]
    return kept


def named(contracts: Contracts, name: str) -> ToolContract:
    return next(contract for contract in contracts if contract.name == name)
