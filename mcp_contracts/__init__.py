"""Tool contracts for agents, governed by a specification.

The public interface: everything is imported lazily, on first use, so that `import mcp_contracts` is fast.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers assume True; importing `typing` would double the time of `--version`

if TYPE_CHECKING:
    from mcp_contracts.adapters.free_text.reading import parse_tool_calls
    from mcp_contracts.adapters.grammar.matcher import ToolCallMatcher
    from mcp_contracts.adapters.prompts.writing import prompt
    from mcp_contracts.change import Change, DiffReport, Verdict, Witness
    from mcp_contracts.changes.policies import SchemaComparison
    from mcp_contracts.changes.schemas import compare_schemas
    from mcp_contracts.checks.diff import diff
    from mcp_contracts.checks.lint import lint
    from mcp_contracts.contract import Contracts, Effects, ToolContract
    from mcp_contracts.diagnostics import Diagnostic, Report, Severity
    from mcp_contracts.errors import ContractError, UnknownToolError, UsageError
    from mcp_contracts.messages import (
        MCPCallContext,
        MCPErrorDetail,
        MCPToolCall,
        MCPToolResult,
        ResultStatus,
        ToolError,
    )
    from mcp_contracts.runtime.arguments import PayloadBounds
    from mcp_contracts.runtime.blocks import Audio, Image
    from mcp_contracts.runtime.context import CallContext, Progress, ToolContext
    from mcp_contracts.runtime.handles import CallHandle, HandleStatus
    from mcp_contracts.runtime.limits import RateLimits
    from mcp_contracts.runtime.outcomes import NoChangeNeeded, PartialSuccess
    from mcp_contracts.runtime.registered import RegisteredTool, ToolFunction
    from mcp_contracts.runtime.registry import ToolRegistry
    from mcp_contracts.runtime.remote.reconnecting import Backoff, ReconnectingServer
    from mcp_contracts.runtime.remote.tools import RemoteServer, RemoteTool, connect, remote_tools
    from mcp_contracts.runtime.telemetry.audit import AuditLog
    from mcp_contracts.runtime.telemetry.events import CallEvent, EventKind, ToolsChanged
    from mcp_contracts.runtime.telemetry.spans import CallSpans
    from mcp_contracts.sources.load import load
    from mcp_contracts.sources.servers.access import ServerAccess
    from mcp_contracts.version import __version__

_HOMES = {
    "Audio": "mcp_contracts.runtime.blocks",
    "AuditLog": "mcp_contracts.runtime.telemetry.audit",
    "Backoff": "mcp_contracts.runtime.remote.reconnecting",
    "CallContext": "mcp_contracts.runtime.context",
    "CallEvent": "mcp_contracts.runtime.telemetry.events",
    "CallHandle": "mcp_contracts.runtime.handles",
    "CallSpans": "mcp_contracts.runtime.telemetry.spans",
    "Change": "mcp_contracts.change",
    "ContractError": "mcp_contracts.errors",
    "Contracts": "mcp_contracts.contract",
    "Diagnostic": "mcp_contracts.diagnostics",
    "DiffReport": "mcp_contracts.change",
    "Effects": "mcp_contracts.contract",
    "EventKind": "mcp_contracts.runtime.telemetry.events",
    "HandleStatus": "mcp_contracts.runtime.handles",
    "Image": "mcp_contracts.runtime.blocks",
    "MCPCallContext": "mcp_contracts.messages",
    "MCPErrorDetail": "mcp_contracts.messages",
    "MCPToolCall": "mcp_contracts.messages",
    "MCPToolResult": "mcp_contracts.messages",
    "NoChangeNeeded": "mcp_contracts.runtime.outcomes",
    "PartialSuccess": "mcp_contracts.runtime.outcomes",
    "PayloadBounds": "mcp_contracts.runtime.arguments",
    "Progress": "mcp_contracts.runtime.context",
    "RateLimits": "mcp_contracts.runtime.limits",
    "ReconnectingServer": "mcp_contracts.runtime.remote.reconnecting",
    "RegisteredTool": "mcp_contracts.runtime.registered",
    "RemoteServer": "mcp_contracts.runtime.remote.tools",
    "RemoteTool": "mcp_contracts.runtime.remote.tools",
    "Report": "mcp_contracts.diagnostics",
    "ResultStatus": "mcp_contracts.messages",
    "SchemaComparison": "mcp_contracts.changes.policies",
    "ServerAccess": "mcp_contracts.sources.servers.access",
    "Severity": "mcp_contracts.diagnostics",
    "ToolCallMatcher": "mcp_contracts.adapters.grammar.matcher",
    "ToolContext": "mcp_contracts.runtime.context",
    "ToolContract": "mcp_contracts.contract",
    "ToolError": "mcp_contracts.messages",
    "ToolFunction": "mcp_contracts.runtime.registered",
    "ToolRegistry": "mcp_contracts.runtime.registry",
    "ToolsChanged": "mcp_contracts.runtime.telemetry.events",
    "UnknownToolError": "mcp_contracts.errors",
    "UsageError": "mcp_contracts.errors",
    "Verdict": "mcp_contracts.change",
    "Witness": "mcp_contracts.change",
    "compare_schemas": "mcp_contracts.changes.schemas",
    "connect": "mcp_contracts.runtime.remote.tools",
    "diff": "mcp_contracts.checks.diff",
    "lint": "mcp_contracts.checks.lint",
    "load": "mcp_contracts.sources.load",
    "parse_tool_calls": "mcp_contracts.adapters.free_text.reading",
    "__version__": "mcp_contracts.version",
    "prompt": "mcp_contracts.adapters.prompts.writing",
    "remote_tools": "mcp_contracts.runtime.remote.tools",
}

__all__ = [
    "Audio",
    "AuditLog",
    "Backoff",
    "CallContext",
    "CallEvent",
    "CallHandle",
    "CallSpans",
    "Change",
    "ContractError",
    "Contracts",
    "Diagnostic",
    "DiffReport",
    "Effects",
    "EventKind",
    "HandleStatus",
    "Image",
    "MCPCallContext",
    "MCPErrorDetail",
    "MCPToolCall",
    "MCPToolResult",
    "NoChangeNeeded",
    "PartialSuccess",
    "PayloadBounds",
    "Progress",
    "RateLimits",
    "ReconnectingServer",
    "RegisteredTool",
    "RemoteServer",
    "RemoteTool",
    "Report",
    "ResultStatus",
    "SchemaComparison",
    "ServerAccess",
    "Severity",
    "ToolCallMatcher",
    "ToolContext",
    "ToolContract",
    "ToolError",
    "ToolFunction",
    "ToolRegistry",
    "ToolsChanged",
    "UnknownToolError",
    "UsageError",
    "Verdict",
    "Witness",
    "__version__",
    "compare_schemas",
    "connect",
    "diff",
    "lint",
    "load",
    "parse_tool_calls",
    "prompt",
    "remote_tools",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
