"""A tool of a registry that is called like a function, and the properties of a tool created from a function."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Generic, Literal, ParamSpec, Protocol, TypedDict

from mcp_contracts.contract import Effects, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult
from mcp_contracts.runtime.calls.answers import failure
from mcp_contracts.runtime.context import CallContext, ToolContext
from mcp_contracts.runtime.functions.parameters import signature_of
from mcp_contracts.runtime.outcomes import NotJsonError, as_json

_P = ParamSpec("_P")
_POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD


class ToolFacts(TypedDict, total=False):
    """Properties of a tool that its function does not state: see `ToolContract`. `version` is a semantic version."""

    name: str | None
    version: str | None
    title: str | None
    description: str | None
    status: Literal["experimental", "stable", "deprecated"] | None
    effects: Effects | None
    category: str | None
    tags: Sequence[str]
    optional: bool | None
    use_when: str | None
    channels: Sequence[str]
    idempotent: Literal["yes", "no", "conditional"] | None


class Registry(Protocol):
    """The part of a registry that handles calls."""

    def call(
        self, call: Mapping[str, Any], *, version: str | None = None, context: CallContext | None = None
    ) -> MCPToolResult:
        """Like `ToolRegistry.call`."""

    def acall(
        self, call: Mapping[str, Any], *, version: str | None = None, context: CallContext | None = None
    ) -> Awaitable[MCPToolResult]:
        """Like `ToolRegistry.acall`."""


class RegisteredTool(Generic[_P]):
    """A tool that is called with its arguments by name and always returns a result, like any call.

    The object that `ToolRegistry.tool` returns has the parameters of its function, for type checkers. Arguments may be
    Python values (dates, models, dataclasses): they are converted to JSON, like those of any caller.
    """

    __slots__ = ("_names", "_positional", "_registry", "_version", "contract")

    def __init__(
        self,
        registry: Registry,
        contract: ToolContract,
        function: Callable[_P, Any] | None = None,
        version: str | None = None,
    ) -> None:
        self._registry = registry
        self._version = version
        self._names: dict[str, str] = {}
        self._positional: tuple[str, ...] = ()
        if function is not None:
            written = inspect.signature(function).parameters
            takers = signature_of(function).parameters
            self._names = {taker.name: taker.property_name for taker in takers}
            by_position = [taker for taker in takers if written[taker.name].kind is _POSITIONAL]
            self._positional = tuple(taker.property_name for taker in by_position)
        self.contract = contract

    def __repr__(self) -> str:
        return f"RegisteredTool({self.contract.name!r}, version={self.contract.version!r})"

    def __call__(self, /, *args: _P.args, **kwargs: _P.kwargs) -> MCPToolResult:
        """Call the tool and wait for the result (see `ToolRegistry.call`)."""
        call = self._message(args, kwargs)
        return call if isinstance(call, MCPToolResult) else self._registry.call(call, version=self._version)

    async def acall(self, /, *args: _P.args, **kwargs: _P.kwargs) -> MCPToolResult:
        """Call the tool and await the result (see `ToolRegistry.acall`)."""
        call = self._message(args, kwargs)
        return call if isinstance(call, MCPToolResult) else await self._registry.acall(call, version=self._version)

    def _message(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | MCPToolResult:
        name = self.contract.name
        # A type checker requires the context as well; the call passes its own context to the function.
        values = [value for value in args if not isinstance(value, ToolContext)]
        if len(values) > len(self._positional):
            taken = f"{len(self._positional)} arguments by position, not {len(values)}"
            raise TypeError(f"`{name}` takes {taken if self._positional else 'its arguments by name'}")
        given = dict(zip(self._positional, values, strict=False))
        for key, value in kwargs.items():
            if isinstance(value, ToolContext):
                continue
            key = self._names.get(key, key)
            if key in given:
                raise TypeError(f"`{name}` is given `{key}` twice")
            given[key] = value
        try:
            return {"tool_name": name, "arguments": as_json(given)}
        except NotJsonError as error:
            message = f"the arguments are not JSON: {error}"
            return failure(MCPErrorDetail(error_type="ValidationError", error_message=message))


def refuse_registered(function: object) -> None:
    """Raise UsageError if the function is already a tool."""
    if isinstance(function, RegisteredTool):
        raise UsageError(
            f"`{function.contract.name}` is already a tool", hint="pass the function that it was created from"
        )
