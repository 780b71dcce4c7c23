"""A tool of a registry that is called like a function, and a function that is also a tool."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult
from mcp_contracts.runtime.calls.answers import failure
from mcp_contracts.runtime.context import CallContext, ToolContext
from mcp_contracts.runtime.failures import ErrorTypes
from mcp_contracts.runtime.functions.parameters import plain_function, signature_of
from mcp_contracts.runtime.outcomes import NotJsonError, as_json
from mcp_contracts.runtime.tools import Handler, ToolFacts

_P = ParamSpec("_P")
_R_co = TypeVar("_R_co", covariant=True)
_POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD


class ToolSettings(ToolFacts, total=False):
    """The properties of a tool, and how the registry calls its function: see `ToolRegistry.tool`."""

    deadline: float | None
    errors: ErrorTypes | None
    replace: bool


class Registry(Protocol):
    """The part of a registry that handles calls."""

    def call(
        self, call: Mapping[str, Any], *, version: str | None = None, context: CallContext | None = None
    ) -> MCPToolResult:
        """Handle a call like `ToolRegistry.call`."""

    def acall(
        self, call: Mapping[str, Any], *, version: str | None = None, context: CallContext | None = None
    ) -> Awaitable[MCPToolResult]:
        """Handle a call like `ToolRegistry.acall`."""


class RegisteredTool(Generic[_P]):
    """A tool that is called with its arguments by name and always returns a result, like any call.

    Arguments may be Python values (dates, models, dataclasses): they are converted to JSON, like those of any caller. A
    `CallContext` in the argument `context` is the context of the call, and not an argument of the tool.
    """

    __slots__ = ("_context", "_names", "_positional", "_registry", "_version", "contract", "handler")

    def __init__(
        self,
        registry: Registry,
        contract: ToolContract,
        function: Callable[_P, Any] | None = None,
        version: str | None = None,
        handler: Handler | None = None,
    ) -> None:
        self._registry = registry
        self._version = version
        self._context: CallContext | None = None
        self._names: dict[str, str] = {}
        self._positional: tuple[str, ...] = ()
        if function is not None:
            written = inspect.signature(function).parameters
            takers = signature_of(function).parameters
            self._names = {taker.name: taker.property_name for taker in takers}
            by_position = [taker for taker in takers if written[taker.name].kind is _POSITIONAL]
            self._positional = tuple(taker.property_name for taker in by_position)
        self.contract = contract
        self.handler = handler

    def __repr__(self) -> str:
        return f"RegisteredTool({self.contract.name!r}, version={self.contract.version!r})"

    def __call__(self, /, *args: _P.args, **kwargs: _P.kwargs) -> MCPToolResult:
        """Call the tool and wait for the result (see `ToolRegistry.call`)."""
        message, context = self._message(args, kwargs)
        if isinstance(message, MCPToolResult):
            return message
        return self._registry.call(message, version=self._version, context=context)

    def call(self, /, *args: _P.args, **kwargs: _P.kwargs) -> MCPToolResult:
        return self(*args, **kwargs)

    async def acall(self, /, *args: _P.args, **kwargs: _P.kwargs) -> MCPToolResult:
        """Call the tool and await the result (see `ToolRegistry.acall`)."""
        message, context = self._message(args, kwargs)
        if isinstance(message, MCPToolResult):
            return message
        return await self._registry.acall(message, version=self._version, context=context)

    def with_context(self, context: CallContext | None = None, /, **fields: Any) -> RegisteredTool[_P]:
        """Return the tool with a context for all its calls; `fields` are the fields of `CallContext` that differ."""
        changed = object.__new__(RegisteredTool)
        for name in self.__slots__:
            setattr(changed, name, getattr(self, name))
        changed._context = dataclasses.replace(context or self._context or CallContext(), **fields)
        return changed

    def _message(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[dict[str, Any] | MCPToolResult, CallContext | None]:
        """Return the call with these arguments, or its failure if they have no JSON form, and the context."""
        name = self.contract.name
        context = self._context
        # A type checker requires the context as well; the call passes its own context to the function.
        values = [value for value in args if not isinstance(value, ToolContext)]
        if len(values) > len(self._positional):
            taken = f"{len(self._positional)} positional arguments, not {len(values)}"
            raise TypeError(f"`{name}` takes {taken if self._positional else 'only keyword arguments'}")
        given = dict(zip(self._positional, values, strict=False))
        for key, value in kwargs.items():
            if isinstance(value, ToolContext):
                continue
            if key == "context" and isinstance(value, CallContext):
                context = value
                continue
            key = self._names.get(key, key)
            if key in given:
                raise TypeError(f"`{name}` is given `{key}` twice")
            given[key] = value
        try:
            return {"tool_name": name, "arguments": as_json(given)}, context
        except NotJsonError as error:
            message = f"the arguments are not valid JSON: {error}"
            return failure(MCPErrorDetail(error_type="ValidationError", error_message=message)), context


class ToolFunction(Protocol[_P, _R_co]):
    """A function that is also a tool. Called directly, it runs the function without any validation.

    `tool` is the tool, and `call`, `acall`, `with_context` and `contract` are the tool's.
    """

    __name__: str
    contract: ToolContract
    tool: RegisteredTool[_P]
    with_context: Callable[..., RegisteredTool[_P]]

    @property
    def __wrapped__(self) -> Callable[_P, _R_co]:
        """The function as it was written."""

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co:
        """Call the function itself."""

    def call(self, *args: _P.args, **kwargs: _P.kwargs) -> MCPToolResult:
        """Call the tool and wait for the result."""

    async def acall(self, *args: _P.args, **kwargs: _P.kwargs) -> MCPToolResult:
        """Call the tool and await the result."""


def tool_function(function: Callable[..., Any], tool: RegisteredTool[Any], *, is_async: bool) -> Any:
    """Return a function that calls `function`, looks like it, and has the tool as an attribute."""

    async def run_async(*args: Any, **kwargs: Any) -> Any:
        return await function(*args, **kwargs)

    def run(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    is_awaited = is_async and not inspect.isasyncgenfunction(plain_function(function))
    wrapper: Any = functools.update_wrapper(run_async if is_awaited else run, function, updated=())
    if not hasattr(function, "__name__"):  # a partial or a callable object
        wrapper.__name__ = wrapper.__qualname__ = tool.contract.name.rpartition(".")[2]
        wrapper.__annotations__ = dict(getattr(plain_function(function), "__annotations__", {}))
        wrapper.__doc__ = getattr(plain_function(function), "__doc__", None)
    for name in ("call", "acall", "with_context", "contract"):
        setattr(wrapper, name, getattr(tool, name))
    wrapper.tool = tool
    return wrapper


def refuse_unknown_settings(settings: Mapping[str, object], known: type) -> None:
    """Raise UsageError for a setting that a typed dict does not have."""
    names = sorted(known.__annotations__)
    for name in settings:
        if name not in names:
            raise UsageError(f"unknown setting `{name}`", hint=f"use {', '.join(f'`{one}`' for one in names)}")


def refuse_registered(function: object) -> None:
    """Raise UsageError for a tool that was looked up in a registry, because calling it returns a result, not data."""
    if isinstance(function, RegisteredTool):
        raise UsageError(
            f"`{function.contract.name}` is already a tool", hint="pass the function that it was created from"
        )
