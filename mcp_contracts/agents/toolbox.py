"""The registry of an agent: the caller's own, or one created from functions and contracts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.runtime.context import Progress, ToolContext
from mcp_contracts.runtime.registered import RegisteredTool
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.runtime.remote.tools import RemoteTool

_HINT = "pass a `ToolRegistry`, or a list of functions, decorated tools, and pairs of a contract and its function"


def registry_of(tools: ToolRegistry | Iterable[Any]) -> ToolRegistry:
    """Return a registry as it is, or one of the tools in a list.

    Raises UsageError for an entry that is not a tool, and for a contract without a function.
    """
    if isinstance(tools, ToolRegistry):
        return tools
    if isinstance(tools, str | bytes) or not isinstance(tools, Iterable):
        raise UsageError(f"expected tools, got `{type(tools).__name__}`", hint=_HINT)
    registry = ToolRegistry()
    for tool in tools:
        _add(registry, tool)
    return registry


def _add(registry: ToolRegistry, tool: Any) -> None:
    own = getattr(tool, "tool", tool)  # a decorated function has its tool as an attribute
    match tool:
        case _ if isinstance(own, RegisteredTool):
            registry.add([own.contract])
            registry.implement(own.contract.name)(_forward(own))
        case (ToolContract() as contract, function) if callable(function):
            registry.add([contract])
            registry.implement(contract.name)(function)
        case ToolContract():
            raise UsageError(
                f"the tool `{tool.name}` has no function",
                hint="pass `(contract, function)`, or the registry that has it",
            )
        case _ if callable(tool) or isinstance(tool, RemoteTool):
            registry.add([tool])
        case _:
            raise UsageError(f"expected tools, got a `{type(tool).__name__}` among them", hint=_HINT)


def _forward(tool: RegisteredTool[...]) -> Any:
    """Return a function that calls a tool of another registry, which validates, limits and watches the call."""

    async def call(calling_context: ToolContext, **arguments: Any) -> MCPToolResult:
        def report(progress: Progress) -> None:
            calling_context.report(progress.completed, progress.total, progress.message, data=progress.data)

        return await tool.with_context(on_progress=report).acall(**arguments)

    return call
