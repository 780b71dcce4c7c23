"""A tool of a registry, to be called like a function."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, ParamSpec, Protocol

from mcp_contracts.contract import ToolContract
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult
from mcp_contracts.runtime.answers import failure
from mcp_contracts.runtime.context import CallContext, ToolContext
from mcp_contracts.runtime.outcomes import NotJsonError, as_json

_P = ParamSpec("_P")


class Registry(Protocol):
    """What takes the calls."""

    def call(
        self, call: Mapping[str, Any], *, version: str | None = None, context: CallContext | None = None
    ) -> MCPToolResult:
        """As `ToolRegistry.call`."""

    def acall(
        self, call: Mapping[str, Any], *, version: str | None = None, context: CallContext | None = None
    ) -> Awaitable[MCPToolResult]:
        """As `ToolRegistry.acall`."""


class RegisteredTool(Generic[_P]):
    """A tool that is called with its arguments by name and, like any call, always answers with a result.

    What `ToolRegistry.tool` returns takes what its function takes, so that a type checker knows it. Arguments may be
    Python values (dates, models, dataclasses): they go through JSON, as those of any caller.
    """

    __slots__ = ("_function", "_registry", "_version", "contract")

    def __init__(
        self,
        registry: Registry,
        contract: ToolContract,
        function: Callable[_P, Any] | None = None,
        version: str | None = None,
    ) -> None:
        self._registry = registry
        self._function = function
        self._version = version
        self.contract = contract

    def __repr__(self) -> str:
        return f"RegisteredTool({self.contract.name!r}, version={self.contract.version!r})"

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> MCPToolResult:
        """Call the tool and wait for the result (see `ToolRegistry.call`)."""
        call = self._message(args, kwargs)
        return call if isinstance(call, MCPToolResult) else self._registry.call(call, version=self._version)

    async def acall(self, *args: _P.args, **kwargs: _P.kwargs) -> MCPToolResult:
        """Call the tool and await the result (see `ToolRegistry.acall`)."""
        call = self._message(args, kwargs)
        return call if isinstance(call, MCPToolResult) else await self._registry.acall(call, version=self._version)

    def _message(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | MCPToolResult:
        name = self.contract.name
        if args:
            if self._function is None:
                raise TypeError(f"`{name}` takes its arguments by name")
            kwargs = dict(inspect.signature(self._function).bind(*args, **kwargs).arguments)
        given = {key: value for key, value in kwargs.items() if not isinstance(value, ToolContext)}
        try:
            return {"tool_name": name, "arguments": as_json(given)}
        except NotJsonError as error:
            message = f"the arguments are not JSON: {error}"
            return failure(MCPErrorDetail(error_type="ValidationError", error_message=message))
