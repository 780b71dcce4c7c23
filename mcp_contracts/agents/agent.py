"""An agent: a model, tools, and the loop between them until the model answers."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, Self

from mcp_contracts.agents.calls import Approve
from mcp_contracts.agents.messages import Message, check_messages
from mcp_contracts.agents.model import Model, Usage
from mcp_contracts.agents.models.function import as_model
from mcp_contracts.agents.offering import ToolSelection, read_selection
from mcp_contracts.agents.react import ReActModel
from mcp_contracts.agents.running import AgentEvent, MadeCall, Run, Settings
from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.runtime.calls.background import BackgroundLoops, running_loop
from mcp_contracts.runtime.context import CallContext, Progress, ToolContext
from mcp_contracts.runtime.registered import RegisteredTool
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.runtime.remote.tools import RemoteTool
from mcp_contracts.runtime.telemetry.exceptions import log_exception

if TYPE_CHECKING:
    from mcp_contracts.generation.model import LogitsModel  # numpy and llguidance are optional

_HINT = "pass a `ToolRegistry`, or a list of functions, decorated tools, and pairs of a contract and its function"


def registry_of(tools: ToolRegistry | Iterable[Any]) -> ToolRegistry:
    """Return a registry unchanged, or a new one with the tools in a list.

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
    """Return a function that calls a tool of another registry, which validates, limits and monitors the call."""

    async def call(calling_context: ToolContext, **arguments: Any) -> MCPToolResult:
        def report(progress: Progress) -> None:
            calling_context.report(progress.completed, progress.total, progress.message, data=progress.data)

        return await tool.with_context(on_progress=report).acall(**arguments)

    return call


__all__ = ["Agent", "Answer", "MadeCall"]

OnEvent = Callable[[AgentEvent], object]

_LOG = logging.getLogger("mcp_contracts.agents")


class Answer(str):
    """The answer of a run: a string that can be printed, compared and returned like any other.

    `steps` is the number of requests to the model, `calls` are the calls with their results in order, `messages` all
    messages of the run beginning with the task, and `usage` its tokens.
    """

    steps: int = 0
    calls: tuple[MadeCall, ...] = ()
    messages: tuple[Message, ...] = ()
    usage: Usage = Usage()

    @classmethod
    def of(cls, run: Run) -> Self:
        """Return the answer of a run that has ended."""
        answer = cls(run.answer)
        answer.steps, answer.calls = run.step, tuple(run.made)
        answer.messages, answer.usage = tuple(run.new), run.usage
        return answer

    @property
    def text(self) -> str:
        """The answer as a plain string."""
        return str.__str__(self)


class Agent:
    """A model with tools: `run` lets it call them until it answers.

    - `app`: a registry, or a list of functions, decorated tools, remote tools, and pairs of a contract and its
      function.
    - `model`: `OpenAIChat`, `Anthropic`, `Gemini`, any `Model`, a `LogitsModel`, or a function of the messages (and the
      tools).
    - `instructions`: the system message.
    - `max_steps`: how many requests a run may make; the last one asks the model to answer.
    - `tools`: which tools are offered: names, globs, decorated functions, or a function of the messages that is called
      before each request.
    - `approve`: decides whether to run a call to a tool that is destructive or does not state its effects.
    - `mode`: `native` uses the provider's tool calls; `react` describes the tools in the prompt and reads the calls
      from the model's text, for models that have none.
    - `memory`: the caller's list of messages, which a run continues: each finished step is added to it.
    - `on_event`: called with each `AgentEvent`; its exceptions are logged.
    - `context`: the `CallContext` of all calls, such as the channel.
    - `max_context`: the maximum length of the messages of a request, in characters. The results of the oldest calls are
      the first to be replaced by a note to the model.
    - `longest_result`: the maximum length of one result in a message, in characters.

    An agent keeps no state, so runs may overlap if they have different memories. Raises `UsageError` for arguments that
    cannot be used.
    """

    def __init__(
        self,
        app: ToolRegistry | Iterable[Any],
        /,
        model: Model | LogitsModel | Callable[..., Any],
        *,
        instructions: str = "",
        max_steps: int = 10,
        tools: ToolSelection | None = None,
        approve: Approve | None = None,
        mode: Literal["native", "react"] = "native",
        memory: list[Message] | None = None,
        on_event: OnEvent | None = None,
        context: CallContext | None = None,
        max_context: int = 400_000,
        longest_result: int = 20_000,
    ) -> None:
        if mode not in ("native", "react"):
            raise UsageError(f"unknown mode `{mode}`", hint="use `native` or `react`")
        for name, value in (("max_steps", max_steps), ("max_context", max_context), ("longest_result", longest_result)):
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise UsageError(f"`{name}` must be a positive number, not {value!r}")
        for name, function in (("approve", approve), ("on_event", on_event)):
            if function is not None and not callable(function):
                raise UsageError(f"`{name}` must be a function, not {function!r}")
        asked = as_model(model)
        self._settings = Settings(
            registry=registry_of(app),
            model=ReActModel(asked) if mode == "react" else asked,
            instructions=instructions,
            max_steps=max_steps,
            tools=read_selection(tools),
            approve=approve,
            context=context,
            max_context=max_context,
            longest_result=longest_result,
        )
        if memory is not None:
            check_messages(memory)
        self._memory = memory
        self._on_event = on_event
        # One loop for all runs of `run_sync`: the connections of an async client belong to the loop that opened them.
        self._loops = BackgroundLoops()

    async def run(
        self, task: str, *, memory: list[Message] | None = None, tools: ToolSelection | None = None
    ) -> Answer:
        """Return the answer to a task; `memory` and `tools` replace those of the agent for this run.

        Cancelling the awaiting task cancels the request and the running calls. Raises `AgentError` if the model failed,
        refused, sent no readable reply, or did not answer within the steps.
        """
        return await self._run(task, memory, tools, None)

    def run_sync(self, task: str, *, memory: list[Message] | None = None, tools: ToolSelection | None = None) -> Answer:
        """Wait for the answer to a task outside an event loop; the run uses a loop in the background."""
        if running_loop() is not None:
            raise UsageError("an event loop is already running", hint="use `await agent.run(…)`")
        return self._loops.wait_for(self.run(task, memory=memory, tools=tools))

    async def stream(
        self, task: str, *, memory: list[Message] | None = None, tools: ToolSelection | None = None
    ) -> AsyncIterator[AgentEvent]:
        """Yield the events of a run, with text as it arrives, up to the answer. Raises the errors of `run`.

        Closing the iterator cancels the run.
        """
        events: asyncio.Queue[AgentEvent | None] = asyncio.Queue()

        async def run() -> None:
            try:
                await self._run(task, memory, tools, events.put)
            finally:
                events.put_nowait(None)

        running = asyncio.create_task(run())
        try:
            while (event := await events.get()) is not None:
                yield event
            await running
        finally:
            running.cancel()
            await asyncio.wait([running])
            if not running.cancelled():
                running.exception()  # already raised above, or of no interest to the caller

    async def _run(
        self,
        task: str,
        memory: list[Message] | None,
        tools: ToolSelection | None,
        put: Callable[[AgentEvent], Awaitable[None]] | None,
    ) -> Answer:
        if not isinstance(task, str) or not task.strip():
            raise UsageError("the task is empty" if isinstance(task, str) else "the task is not text")
        kept = self._memory if memory is None else memory

        async def emit(event: AgentEvent) -> None:
            if put is not None:
                await put(event)
            await _notify(self._on_event, event)

        run = Run(
            self._settings,
            [] if kept is None else check_messages(kept),
            kept,
            read_selection(tools),
            emit,
            put is not None,
        )
        await run.solve(task)
        return Answer.of(run)


async def _notify(on_event: OnEvent | None, event: AgentEvent) -> None:
    if on_event is None:
        return
    try:
        returned = on_event(event)
        if inspect.isawaitable(returned):
            await returned
    except Exception as error:  # a watcher must not end a run
        log_exception(_LOG, error, "a subscriber of an agent's events failed")
