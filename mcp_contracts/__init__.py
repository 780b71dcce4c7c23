"""Tool contracts for agents, governed by a spec.

The public door: everything here is imported on first use, so that `import mcp_contracts` costs next to nothing.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # as a type checker reads it; importing `typing` would double what `--version` costs

if TYPE_CHECKING:
    from mcp_contracts.change import Change, DiffReport, Verdict, Witness
    from mcp_contracts.changes.schemas import SchemaComparison, compare_schemas
    from mcp_contracts.checks.diff import diff
    from mcp_contracts.checks.lint import lint
    from mcp_contracts.contract import Contracts, ToolContract
    from mcp_contracts.diagnostics import Diagnostic, Report, Severity
    from mcp_contracts.errors import ContractError
    from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult
    from mcp_contracts.sources.load import load

_HOMES = {
    "Change": "mcp_contracts.change",
    "ContractError": "mcp_contracts.errors",
    "Contracts": "mcp_contracts.contract",
    "Diagnostic": "mcp_contracts.diagnostics",
    "DiffReport": "mcp_contracts.change",
    "MCPErrorDetail": "mcp_contracts.messages",
    "MCPToolCall": "mcp_contracts.messages",
    "MCPToolResult": "mcp_contracts.messages",
    "Report": "mcp_contracts.diagnostics",
    "SchemaComparison": "mcp_contracts.changes.schemas",
    "Severity": "mcp_contracts.diagnostics",
    "ToolContract": "mcp_contracts.contract",
    "Verdict": "mcp_contracts.change",
    "Witness": "mcp_contracts.change",
    "compare_schemas": "mcp_contracts.changes.schemas",
    "diff": "mcp_contracts.checks.diff",
    "lint": "mcp_contracts.checks.lint",
    "load": "mcp_contracts.sources.load",
}

__all__ = [
    "Change",
    "ContractError",
    "Contracts",
    "Diagnostic",
    "DiffReport",
    "MCPErrorDetail",
    "MCPToolCall",
    "MCPToolResult",
    "Report",
    "SchemaComparison",
    "Severity",
    "ToolContract",
    "Verdict",
    "Witness",
    "compare_schemas",
    "diff",
    "lint",
    "load",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
