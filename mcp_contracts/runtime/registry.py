"""The registry: contracts, their functions, and the interface to call them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar, Unpack, overload

from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolCall, MCPToolResult
from mcp_contracts.runtime import registered
from mcp_contracts.runtime.arguments import PayloadBounds
from mcp_contracts.runtime.calls.background import BackgroundLoops
from mcp_contracts.runtime.calls.batches import answer_all
from mcp_contracts.runtime.calls.deadlines import check_deadline
from mcp_contracts.runtime.calls.handling import Calls, Settings
from mcp_contracts.runtime.calls.requests import ArgumentChecks
from mcp_contracts.runtime.calls.workers import Workers
from mcp_contracts.runtime.contents import Tools, handler_of, registry_name, tools_in
from mcp_contracts.runtime.context import CallContext
from mcp_contracts.runtime.facades import FacadeOf
from mcp_contracts.runtime.failures import ErrorTypes, check_error_types
from mcp_contracts.runtime.functions.binding import bind
from mcp_contracts.runtime.handles import CallHandle, CallHandles
from mcp_contracts.runtime.limits import RateLimits
from mcp_contracts.runtime.table import ToolTable
from mcp_contracts.runtime.telemetry.events import CallEvent, Subscribers, ToolsChanged
from mcp_contracts.runtime.telemetry.secret_names import DEFAULT_SECRET_NAMES
from mcp_contracts.runtime.telemetry.spans import CallSpans
from mcp_contracts.runtime.tools import Handler
from mcp_contracts.tool_names import fit_name

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager as AsyncContextManager

    from mcp_contracts.agents.facades import MCPFacade, ProviderFacade
    from mcp_contracts.runtime.remote.reconnecting import ReconnectingServer
    from mcp_contracts.serving.from_python import ApplicationSettings, ServerApplication, ServeSettings
    from mcp_contracts.sources.servers.connecting import ConnectSettings

_P = ParamSpec("_P")
_Result = TypeVar("_Result")
_Function = TypeVar("_Function", bound=Callable[..., Any])
_Call = MCPToolCall | Mapping[str, Any] | str | bytes


class ToolRegistry:
    """Contracts and their functions. Every call is validated against its contract, and returns a result.

    The first argument is a name or the contracts: what `load` returns, any contracts, functions, or a JSON tool list.
    In production, load a bundle, so that no Markdown is parsed.

    - `name`: the name of the server; it also qualifies the names of tools without a dot.
    - `deadline`: how many seconds a call may take, unless the tool or the caller allows less.
    - `errors`: maps exception classes of the functions to error types; their messages reach the caller.
    - `coerce`: whether an argument of the wrong type is converted if nothing is lost (`"5"` to 5).
    - `fill_defaults`: whether absent arguments get the `default` of their schema.
    - `bounds`: the maximum size of a call's arguments.
    - `rates`: how often tools may be called, in total, per tool and per caller.
    - `spans`: starts an OpenTelemetry span for each call.
    - `secret_names`: names of arguments whose values never appear in messages, in addition to those marked `writeOnly`.
    - `threads`: how many sync functions run at once under `acall` or a deadline; the same number again may exceed their
      deadline.

    All methods are thread-safe. Raises `UsageError` if a contract cannot be used: its schema is invalid, a part of its
    source could not be read, or its specification still contains a placeholder.
    """

    def __init__(
        self,
        name_or_contracts: str | Tools = (),
        /,
        contracts: Tools = (),
        *,
        name: str | None = None,
        deadline: float | None = None,
        errors: ErrorTypes | None = None,
        coerce: bool = False,
        fill_defaults: bool = False,
        bounds: PayloadBounds | None = None,
        rates: RateLimits | None = None,
        spans: CallSpans | None = None,
        secret_names: Iterable[str] = DEFAULT_SECRET_NAMES,
        threads: int = 32,
    ) -> None:
        kinds = (("bounds", bounds, PayloadBounds), ("rates", rates, RateLimits), ("spans", spans, CallSpans))
        for setting, given, kind in kinds:
            if given is not None and not isinstance(given, kind):
                raise UsageError(f"`{setting}` is of type `{type(given).__name__}`", hint=f"pass a `{kind.__name__}`")
        checks = ArgumentChecks(bounds or PayloadBounds(), coerce, fill_defaults, tuple(secret_names))
        settings = Settings(check_deadline(deadline), check_error_types(errors), checks, rates, spans)
        self._table = ToolTable(checks.bounds)
        self._events: Subscribers[CallEvent] = Subscribers()
        self._changes: Subscribers[ToolsChanged] = Subscribers()
        self._loops = BackgroundLoops()
        self._calls = Calls(settings, Workers(threads, abandoned=threads), self._loops, self._events)
        self._handles = CallHandles()
        self._servers: dict[str, ReconnectingServer] = {}
        stated = name_or_contracts if isinstance(name_or_contracts, str | Path) else name
        self.name = None if stated is None else registry_name(stated)
        self._module = None if self.name is None else fit_name(self.name)
        if not isinstance(name_or_contracts, str | Path):
            self.add(name_or_contracts)
        self.add(contracts)

    @classmethod
    def from_specs(cls, source: str | Path | Iterable[str | Path], **settings: Any) -> Self:
        """Create a registry of all contracts in a source, as `load` reads it; `settings` are those of the registry."""
        from mcp_contracts.sources.load import load  # parses Markdown, which production does not need

        return cls(load(source), **settings)

    # The tools for one provider each, and `await app.openai.answer(reply)`: see `agents.facades`.
    openai: FacadeOf[ProviderFacade] = FacadeOf()
    anthropic: FacadeOf[ProviderFacade] = FacadeOf()
    gemini: FacadeOf[ProviderFacade] = FacadeOf()
    mcp: FacadeOf[MCPFacade] = FacadeOf()

    # Contents

    def add(self, tools: Tools, *, replace: bool = False) -> None:
        """Add contracts, and tools that include their function (remote tools, functions), and notify subscribers.

        A tool may have several versions. Adding the same version with the same schemas has no effect; with other
        schemas, it is refused or, with `replace`, replaces the old one, whose functions must then be registered again.
        If it raises `UsageError`, nothing is added.
        """
        given = list(tools_in(tools, self._module, lambda function: self._from_function(function, {})))
        self._notify(self._table.add(given, replace=replace))

    def remove(self, name: str, version: str | None = None) -> None:
        """Remove a tool, or one version of it; running calls continue. Raises `UsageError` if it is not registered."""
        self._notify(self._table.remove(name, version))

    def disable(self, name: str) -> None:
        """Hide a tool from lists and calls until `enable`; running calls continue. Raises `UsageError` if unknown."""
        self._notify(self._table.disable(name))

    def enable(self, name: str) -> None:
        """Show a disabled tool again. Raises `UsageError` if it is unknown."""
        self._notify(self._table.enable(name))

    def connect(self, address: str, **settings: Unpack[ConnectSettings]) -> AsyncContextManager[ReconnectingServer]:
        """Connect to a live server, `stdio:COMMAND` or a URL, and add its tools for the duration of the `async
        with`.

        If the server is lost, the registry reconnects; until then, calls to its tools fail at once. The settings are
        those of `ConnectSettings`, such as `server="files"` and `token=…`. Raises `SourceError` if the server cannot be
        reached, and `UsageError` if another server has the same name.
        """
        from mcp_contracts.sources.servers.connecting import connect_to  # a higher layer, see from_specs

        return connect_to(self, self._servers, address, settings)

    def implement(
        self,
        name: str,
        *,
        channel: str | None = None,
        version: str | None = None,
        deadline: float | None = None,
        errors: ErrorTypes | None = None,
        replace: bool = False,
    ) -> Callable[[_Function], _Function]:
        """Decorate the function that implements a contract: sync or async, a method, a partial, any callable.

        `version` is a range such as `^1.2`, and the function implements every version that it allows; without it, the
        newest version. `channel` makes it the handler for one channel; without it, it is the default handler.
        `deadline` (in seconds) and `errors` override those of the registry. The function itself is not changed. Raises
        `UsageError` if the contract does not exist, the function cannot accept what it declares, or it already has a
        function and `replace` is not set.
        """
        if not isinstance(name, str):
            raise UsageError("no tool name was given", hint='write `@registry.implement("module.tool")`')
        seconds = check_deadline(deadline)

        def decorate(function: _Function) -> _Function:
            registered.refuse_registered(function)

            def handler(contract: ToolContract) -> Handler:
                return handler_of(bind(function, contract), seconds, errors)

            self._table.implement(name, version, channel, handler, replace=replace)
            return function

        self._table.find(name, version)  # report a wrong name where the decorator is applied
        return decorate

    @overload
    def tool(
        self, function: Callable[_P, _Result], /, **settings: Unpack[registered.ToolSettings]
    ) -> registered.ToolFunction[_P, _Result]: ...
    @overload
    def tool(
        self, name: str | None = None, /, **settings: Unpack[registered.ToolSettings]
    ) -> Callable[[Callable[_P, _Result]], registered.ToolFunction[_P, _Result]]: ...
    def tool(self, function: Any = None, /, **settings: Any) -> Any:
        """Create a tool from a function, or decorate it: schemas from type hints, descriptions from the docstring.

        The function remains a function: called directly, it returns its own value. `function.call(…)` calls the tool
        and returns a result. `name` defaults to the function's name, under the name of the registry or, without one, of
        its module. `ToolSettings` lists what else you can pass. A parameter annotated with `ToolContext` is not part of
        the contract. Raises `UsageError` if no contract can be derived from the function, or the tool is already
        registered and `replace` is not set.
        """
        if isinstance(function, str):
            function, settings = None, {"name": function, **settings}
        registered.refuse_unknown_settings(settings, registered.ToolSettings)

        def register(function: Any) -> Any:
            made = self._from_function(function, settings)
            tool = made.tool
            self._notify(self._table.add([(tool.contract, tool.handler)], replace=bool(settings.get("replace"))))
            return staticmethod(made) if isinstance(function, staticmethod) else made

        return register if function is None else register(function)

    def _from_function(self, function: Any, settings: Mapping[str, Any]) -> Any:
        from mcp_contracts.runtime.functions.python_tools import (
            python_tool,  # reads docstrings with griffe, slow to import
        )

        registered.refuse_registered(function)
        facts = {name: value for name, value in settings.items() if name not in ("deadline", "errors", "replace")}
        made = python_tool(function, module=self._module, **facts)
        handler = handler_of(made.binding, check_deadline(settings.get("deadline")), settings.get("errors"))
        contract, plain = made.contract, made.binding.function
        tool = registered.RegisteredTool(self, contract, plain, contract.version, handler)
        return registered.tool_function(plain, tool, is_async=made.binding.is_async)

    def tools(
        self,
        *,
        category: str | None = None,
        tag: str | None = None,
        status: str | None = None,
        optional: bool | None = None,
        channel: str | None = None,
        implemented: bool | None = None,
    ) -> tuple[ToolContract, ...]:
        """Return the contracts that match all given filters, sorted by name, each in its default version.

        `optional=False` omits tools that an agent can do without, `channel` omits those without a function for that
        channel, and `implemented=True` those without a function for a call over the channel (or, without `channel`, for
        a call without one).
        """
        return tuple(
            tool.contract
            for tool in self._table.defaults()
            if (category is None or tool.contract.category == category)
            and (tag is None or tag in tool.contract.tags)
            and (status is None or (tool.contract.status is not None and tool.contract.status.state == status))
            and (optional is None or bool(tool.contract.optional) is optional)
            and (channel is None or tool.serves(channel))
            and (implemented is None or (channel in tool.handlers or None in tool.handlers) is implemented)
        )

    def versions(self, name: str) -> tuple[ToolContract, ...]:
        """Return all versions of a tool, the newest first; empty for an unknown name."""
        family = self._table.families.get(name)
        return tuple(tool.contract for tool in family.tools) if family is not None else ()

    def uses_context(self, name: str) -> bool:
        """Whether a tool's function takes the context of its call or is a generator, so that it may report."""
        handlers = (handler for tool in self._table.family_of(name).tools for handler in tool.handlers.values())
        return any(handler.takes_context for handler in handlers)

    def __getitem__(self, name: str) -> registered.RegisteredTool[...]:
        """Return a tool that is called like a function: `registry["weather.get_forecast"](place="Oslo")`.

        Raises `UnknownToolError`, a `KeyError`, for an unknown name.
        """
        return registered.RegisteredTool(self, self._table.family_of(name).default.contract)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {len(self)} tool{'' if len(self) == 1 else 's'})"

    def __contains__(self, name: object) -> bool:
        return name in self._table.families

    def __len__(self) -> int:
        return len(self._table.families)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._table.families))

    # Calling

    def call(self, call: _Call, *, version: str | None = None, context: CallContext | None = None) -> MCPToolResult:
        """Handle a call (a message, its dict, or its JSON) and wait for the result.

        `version` is a range such as `^1.2`; without it, the newest version with a function handles the call. An async
        function runs on a background event loop, so this also works while a loop is running, but blocks it. Only
        `KeyboardInterrupt` propagates: all errors are in the result.
        """
        return self._calls.call(self._table.families, call, version, context)

    def acall(
        self, call: _Call, *, version: str | None = None, context: CallContext | None = None
    ) -> Coroutine[Any, Any, MCPToolResult]:
        """Handle a call like `call`, and await the result: an async function runs here, a sync one in a thread.

        Only `KeyboardInterrupt` propagates, and `asyncio.CancelledError` if the awaiting task is cancelled, which also
        cancels the function.
        """
        return self._calls.acall(self._table.families, call, version, context)

    async def acall_many(
        self,
        calls: Iterable[_Call] | str | bytes,
        *,
        concurrency: int = 16,
        version: str | None = None,
        context: CallContext | None = None,
    ) -> list[MCPToolResult]:
        """Handle many calls, at most `concurrency` at once; the results are in the order of the calls.

        `calls` may be a generator, read as calls start, or a JSON array. Cancelling the awaiting task cancels them.
        """
        return await answer_all(calls, partial(self.acall, version=version, context=context), concurrency)

    def call_many(
        self,
        calls: Iterable[_Call] | str | bytes,
        *,
        concurrency: int = 16,
        version: str | None = None,
        context: CallContext | None = None,
    ) -> list[MCPToolResult]:
        """Handle many calls like `acall_many`, and wait for the results; sync functions run in threads."""
        work = self.acall_many(calls, concurrency=concurrency, version=version, context=context)
        return self._loops.wait_for(work)

    def start(self, call: _Call, *, version: str | None = None, context: CallContext | None = None) -> CallHandle:
        """Start a call, and return a handle at once, to follow, await or cancel it.

        It runs on the running event loop, or else in the background. The registry keeps the handles of running calls,
        and the newest finished ones, 1,000 in total; `handle` finds them by `id`.
        """
        handle = CallHandle(self._calls.new_id())
        watched = (context or CallContext()).reporting_to(handle.note)
        self._handles.keep(handle)
        handle.begin(self._calls.acall(self._table.families, call, version, watched, handle.id), self._loops)
        return handle

    def handle(self, call_id: str) -> CallHandle | None:
        """Return the handle of a call that was started here, or None if it is unknown or was dropped."""
        return self._handles.get(call_id)

    # Serving

    def serve(self, transport: str | None = None, /, **settings: Unpack[ServeSettings]) -> None:
        """Serve the tools that have a function over MCP and HTTP until the client disconnects, SIGTERM or SIGINT.

        `transport` is `stdio` (the default) or `http`; the settings are those of `ServeSettings`, such as `port=8000`
        and `tokens={"ci": token}`. Raises `UsageError` if the package `mcp` is missing, or other hosts could call tools
        without authentication.
        """
        from mcp_contracts.serving.from_python import serve  # higher layers, which a registry does not need

        serve(self, settings, transport)

    def asgi(self, **settings: Unpack[ApplicationSettings]) -> ServerApplication:
        """Return the tools that have a function as an ASGI application, for another server or framework."""
        from mcp_contracts.serving.from_python import application  # see serve

        return application(self, settings)

    # Watching

    def subscribe(self, callback: Callable[[CallEvent], object]) -> Callable[[], None]:
        """Subscribe a callback to the events of all calls; the returned function unsubscribes it.

        It runs in the thread of the call, so it should be fast; a call with a deadline runs it in another thread, and
        does not wait for it beyond the deadline. Its exceptions are logged.
        """
        return self._events.add(callback)

    def on_change(self, callback: Callable[[ToolsChanged], object]) -> Callable[[], None]:
        """Subscribe a callback to added and removed tools; the returned function unsubscribes it."""
        return self._changes.add(callback)

    def _notify(self, change: ToolsChanged) -> None:
        if change.added or change.removed:
            self._changes.publish(change)
