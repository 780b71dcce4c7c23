"""Tool contracts for agents, governed by a specification.

The public interface: everything is imported lazily, on first use, so that `import mcp_contracts` is fast.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers assume True; importing `typing` would double the time of `--version`

if TYPE_CHECKING:
    from mcp_contracts.adapters.free_text.reading import parse_tool_calls as parse_tool_calls
    from mcp_contracts.adapters.grammar.matcher import ToolCallMatcher as ToolCallMatcher
    from mcp_contracts.adapters.prompts.writing import prompt as prompt
    from mcp_contracts.change import Change as Change
    from mcp_contracts.change import DiffReport as DiffReport
    from mcp_contracts.change import Verdict as Verdict
    from mcp_contracts.change import Witness as Witness
    from mcp_contracts.changes.policies import SchemaComparison as SchemaComparison
    from mcp_contracts.changes.schemas import compare_schemas as compare_schemas
    from mcp_contracts.checks.diff import diff as diff
    from mcp_contracts.checks.lint import lint as lint
    from mcp_contracts.contract import Contracts as Contracts
    from mcp_contracts.contract import Effects as Effects
    from mcp_contracts.contract import ToolContract as ToolContract
    from mcp_contracts.diagnostics import Diagnostic as Diagnostic
    from mcp_contracts.diagnostics import Report as Report
    from mcp_contracts.diagnostics import Severity as Severity
    from mcp_contracts.errors import ContractError as ContractError
    from mcp_contracts.errors import UnknownToolError as UnknownToolError
    from mcp_contracts.errors import UsageError as UsageError
    from mcp_contracts.messages import MCPCallContext as MCPCallContext
    from mcp_contracts.messages import MCPErrorDetail as MCPErrorDetail
    from mcp_contracts.messages import MCPToolCall as MCPToolCall
    from mcp_contracts.messages import MCPToolResult as MCPToolResult
    from mcp_contracts.messages import ResultStatus as ResultStatus
    from mcp_contracts.messages import ToolError as ToolError
    from mcp_contracts.runtime.arguments import PayloadBounds as PayloadBounds
    from mcp_contracts.runtime.blocks import Audio as Audio
    from mcp_contracts.runtime.blocks import Image as Image
    from mcp_contracts.runtime.context import CallContext as CallContext
    from mcp_contracts.runtime.context import Progress as Progress
    from mcp_contracts.runtime.context import ToolContext as ToolContext
    from mcp_contracts.runtime.handles import CallHandle as CallHandle
    from mcp_contracts.runtime.handles import HandleStatus as HandleStatus
    from mcp_contracts.runtime.limits import RateLimits as RateLimits
    from mcp_contracts.runtime.outcomes import NoChangeNeeded as NoChangeNeeded
    from mcp_contracts.runtime.outcomes import PartialSuccess as PartialSuccess
    from mcp_contracts.runtime.registered import RegisteredTool as RegisteredTool
    from mcp_contracts.runtime.registered import ToolFunction as ToolFunction
    from mcp_contracts.runtime.registry import ToolRegistry as ToolRegistry
    from mcp_contracts.runtime.remote.reconnecting import Backoff as Backoff
    from mcp_contracts.runtime.remote.reconnecting import ReconnectingServer as ReconnectingServer
    from mcp_contracts.runtime.remote.tools import RemoteServer as RemoteServer
    from mcp_contracts.runtime.remote.tools import RemoteTool as RemoteTool
    from mcp_contracts.runtime.remote.tools import connect as connect
    from mcp_contracts.runtime.remote.tools import remote_tools as remote_tools
    from mcp_contracts.runtime.telemetry.audit import AuditLog as AuditLog
    from mcp_contracts.runtime.telemetry.events import CallEvent as CallEvent
    from mcp_contracts.runtime.telemetry.events import EventKind as EventKind
    from mcp_contracts.runtime.telemetry.events import ToolsChanged as ToolsChanged
    from mcp_contracts.runtime.telemetry.spans import CallSpans as CallSpans
    from mcp_contracts.sources.load import load as load
    from mcp_contracts.sources.servers.access import ServerAccess as ServerAccess
    from mcp_contracts.version import __version__ as __version__

_NAMES = {
    "adapters.free_text.reading": "parse_tool_calls",
    "adapters.grammar.matcher": "ToolCallMatcher",
    "adapters.prompts.writing": "prompt",
    "change": "Change DiffReport Verdict Witness",
    "changes.policies": "SchemaComparison",
    "changes.schemas": "compare_schemas",
    "checks.diff": "diff",
    "checks.lint": "lint",
    "contract": "Contracts Effects ToolContract",
    "diagnostics": "Diagnostic Report Severity",
    "errors": "ContractError UnknownToolError UsageError",
    "messages": "MCPCallContext MCPErrorDetail MCPToolCall MCPToolResult ResultStatus ToolError",
    "runtime.arguments": "PayloadBounds",
    "runtime.blocks": "Audio Image",
    "runtime.context": "CallContext Progress ToolContext",
    "runtime.handles": "CallHandle HandleStatus",
    "runtime.limits": "RateLimits",
    "runtime.outcomes": "NoChangeNeeded PartialSuccess",
    "runtime.registered": "RegisteredTool ToolFunction",
    "runtime.registry": "ToolRegistry",
    "runtime.remote.reconnecting": "Backoff ReconnectingServer",
    "runtime.remote.tools": "RemoteServer RemoteTool connect remote_tools",
    "runtime.telemetry.audit": "AuditLog",
    "runtime.telemetry.events": "CallEvent EventKind ToolsChanged",
    "runtime.telemetry.spans": "CallSpans",
    "sources.load": "load",
    "sources.servers.access": "ServerAccess",
    "version": "__version__",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
