"""Tool contracts for agents, governed by a spec.

The public door: everything here is imported on first use, so that `import mcp_contracts` costs next to nothing.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # as a type checker reads it; importing `typing` would double what `--version` costs

if TYPE_CHECKING:
    from mcp_contracts.checks.lint import lint
    from mcp_contracts.contract import Contracts, ToolContract
    from mcp_contracts.diagnostics import Diagnostic, Report, Severity
    from mcp_contracts.errors import ContractError
    from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult
    from mcp_contracts.sources.load import load

_HOMES = {
    "ContractError": "mcp_contracts.errors",
    "Contracts": "mcp_contracts.contract",
    "Diagnostic": "mcp_contracts.diagnostics",
    "MCPErrorDetail": "mcp_contracts.messages",
    "MCPToolCall": "mcp_contracts.messages",
    "MCPToolResult": "mcp_contracts.messages",
    "Report": "mcp_contracts.diagnostics",
    "Severity": "mcp_contracts.diagnostics",
    "ToolContract": "mcp_contracts.contract",
    "lint": "mcp_contracts.checks.lint",
    "load": "mcp_contracts.sources.load",
}

__all__ = [
    "ContractError",
    "Contracts",
    "Diagnostic",
    "MCPErrorDetail",
    "MCPToolCall",
    "MCPToolResult",
    "Report",
    "Severity",
    "ToolContract",
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
