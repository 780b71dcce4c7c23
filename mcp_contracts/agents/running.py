"""One run of an agent: query the model, answer its calls, and repeat until it has an answer or a limit is reached."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

from mcp_contracts.adapters.base import ProviderCall, RefusedCall
from mcp_contracts.adapters.free_text.reading import parse_tool_calls
from mcp_contracts.agents import errors
from mcp_contracts.agents.calls import MOST_CALLS, Approve, answer_calls
from mcp_contracts.agents.context import ContextWindow, bound
from mcp_contracts.agents.messages import Message, complete_messages, observation, used_ids
from mcp_contracts.agents.model import Model, Reply, Stop, Usage
from mcp_contracts.agents.offering import ToolSelection, offered_contracts, select_tools
from mcp_contracts.agents.replies import with_fresh_ids
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import ContractError
from mcp_contracts.messages import MCPToolCall, MCPToolResult, ResultStatus
from mcp_contracts.runtime.context import CallContext, Progress
from mcp_contracts.runtime.registry import ToolRegistry


class AgentEventKind(StrEnum):
    """The kind of an agent event."""

    TEXT = "text"  # a piece of text arrived, in `Agent.stream` and if the provider streams
    REPLIED = "replied"  # the model's reply is complete; `text` is what it said
    CALLED = "called"  # a call is about to run
    PROGRESS = "progress"  # a running call reported progress, or a part of its result
    RESULT = "result"  # a call has its result; refused and declined calls have no `called` before it
    TOLD = "told"  # the model was told what was wrong with its reply; `text` is the message
    SHORTENED = "shortened"  # results of earlier calls were left out of the request, because the context was full
    ANSWERED = "answered"  # the run has ended; `text` is the answer


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """An event in a step of a run. Each step is one request to the model, and the first is step 1.

    `call_id` and `tool_name` identify a call, `call` is the call (None if it could not be read), and `result` is its
    result. `progress` is what a running call reported.
    """

    kind: AgentEventKind
    step: int
    text: str = ""
    call_id: str = ""
    tool_name: str = ""
    call: MCPToolCall | None = None
    result: MCPToolResult | None = None
    progress: Progress | None = None


Emit = Callable[[AgentEvent], Awaitable[None]]

_MOST_TOLD = 2
"""The number of consecutive unreadable replies that ends a run."""
_MOST_REPEATS = 3
_MOST_SHORTENED = 5
_LINES_OF_NAME = 3  # the name of a written call may be up to two lines above its arguments
_LAST_STEP = "This is your last step: answer now with what you know. Tool calls will not be run."
_EMPTY = "Your reply was empty. Call a tool, or answer."
_WRITTEN_CALL = (
    "Your reply contains what looks like a call to `{}`, written as text, so nothing was run. Make the call with the "
    "tools that you are given, or answer without it."
)
_TOO_MANY = "Only the first {} of your {:,} calls were run."
_UNREADABLE = "Your reply could not be read: {}. Try again, or answer without a call."
_LOOP = (
    "You have made the same call {} times, and it failed each time. Do something else, or answer with what you know."
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of an agent, documented at `Agent`."""

    registry: ToolRegistry
    model: Model
    instructions: str
    max_steps: int
    tools: ToolSelection | None
    approve: Approve | None
    context: CallContext | None
    max_context: int
    longest_result: int


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call that the model made, and its result. The arguments of a call that could not be read are empty."""

    step: int
    tool_name: str
    arguments: dict[str, JsonValue]
    result: MCPToolResult


@dataclass(slots=True)
class Run:
    """The state of one run. `new` are its messages; `kept`, the caller's memory, only gets whole steps."""

    settings: Settings
    memory: list[Message]
    kept: list[Message] | None
    tools: ToolSelection | None
    emit: Emit
    is_streamed: bool
    step: int = 0
    answer: str = ""
    new: list[Message] = field(default_factory=list)
    made: list[MadeCall] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    _saved: int = 0
    _told: int = 0
    _last: object = None
    _repeats: int = 0

    async def solve(self, task: str) -> None:
        """Run until the model answers. Raises AgentError, which has the messages so far."""
        self.new.append({"role": "user", "content": task})
        window = ContextWindow(self.settings.max_context)
        try:
            while self.step < self.settings.max_steps:
                self.step += 1
                if await self._take_step(window):
                    return
            steps = f"{self.step} step{'' if self.step == 1 else 's'}"
            raise errors.StepLimitError(f"no answer after {steps}", hint="raise `max_steps`, or assign a smaller task")
        except errors.AgentError as error:
            error.messages = tuple(self.new)
            raise

    async def _take_step(self, window: ContextWindow) -> bool:
        """Ask the model once and run its calls; return whether it answered."""
        offered = self._offer()
        reply = await self._ask(window, offered)
        self.usage += reply.usage
        await self._emit(AgentEventKind.REPLIED, reply.text)
        if reply.stop is Stop.REFUSED:
            note = reply.note or reply.text or "without a reason"
            raise errors.RefusalError(f"the model refused: {note[:500]}", text=reply.text)
        if reply.stop is Stop.LENGTH and not reply.calls:
            raise errors.CutReplyError(
                f"the reply was truncated after {len(reply.text):,} characters",
                hint="allow the model more tokens, for example with `max_tokens`",
                text=reply.text,
            )
        if reply.stop is Stop.PAUSED:
            self.new.append(self._shorten_message(reply))
            return False
        fault = _fault(reply, offered)
        if fault:
            await self._tell(reply, fault)
            return False
        if reply.calls:
            await self._answer_calls(reply, offered)
            return False
        self.answer = reply.text if reply.answer is None else reply.answer
        self.new.append(self._shorten_message(reply))
        self._save()
        await self._emit(AgentEventKind.ANSWERED, self.answer)
        return True

    def _offer(self) -> tuple[ToolContract, ...]:
        settings = self.settings
        selection = settings.tools if self.tools is None else self.tools
        channel = settings.context.channel if settings.context is not None else None
        return select_tools(offered_contracts(settings.registry, channel), selection, (*self.memory, *self.new))

    async def _ask(self, window: ContextWindow, offered: Sequence[ToolContract]) -> Reply:
        """Request one reply; if the provider says that the conversation is too long, shorten it and ask again."""
        for _ in range(_MOST_SHORTENED):
            messages, left_out = window.fit(self._messages())
            if left_out:
                await self._emit(AgentEventKind.SHORTENED, f"{left_out} results were left out")
            on_text = partial(self._emit, AgentEventKind.TEXT) if self.is_streamed else None
            try:
                return await self.settings.model(messages, offered, on_text=on_text)
            except ContractError as error:
                failure: ContractError = error
            except Exception as error:  # the client's own, of any class
                failure = errors.model_error(error)
                failure.__cause__ = error
            if not isinstance(failure, errors.ContextFullError):
                raise failure
            window.shrink()
        raise failure

    def _messages(self) -> list[Message]:
        messages = list(complete_messages([*self.memory, *self.new]))
        if self.settings.instructions:
            messages.insert(0, {"role": "system", "content": self.settings.instructions})
        if self.step == self.settings.max_steps > 1:
            messages.append({"role": "user", "content": _LAST_STEP})
        return messages

    async def _tell(self, reply: Reply, fault: str) -> None:
        """Tell the model what was wrong with its reply, or end the run after too many such replies."""
        self._told += 1
        if self._told > _MOST_TOLD:
            is_text = reply.stop is not Stop.MALFORMED and reply.answer is None and bool(reply.text.strip())
            raise errors.UnreadableReplyError(
                f"{self._told} replies in a row could not be used: {fault}",
                hint='if the model writes its calls as text, use `mode="react"`' if is_text else None,
                text=reply.text,
            )
        if reply.text.strip():
            self.new.append(self._shorten_message(replace(reply, echo={})))
        self.new.append({"role": "user", "content": fault})
        await self._emit(AgentEventKind.TOLD, fault)

    async def _answer_calls(self, reply: Reply, offered: Sequence[ToolContract]) -> None:
        """Run the calls of a reply and add their results. A call in the last step is not run."""
        if self.step == self.settings.max_steps:
            raise errors.StepLimitError(
                f"the model still calls `{_name(reply.calls[0])}` in step {self.step} of {self.step}",
                hint="raise `max_steps`, or assign a smaller task",
            )
        self._told = 0
        written = len(reply.calls)
        if written > MOST_CALLS:
            reply = replace(reply, calls=reply.calls[:MOST_CALLS], echo={})
        calls = with_fresh_ids(reply.calls, used_ids((*self.memory, *self.new)))
        if calls != reply.calls:
            reply = replace(reply, echo={}, calls=calls)

        async def report(index: int, what: MCPToolCall | Progress | MCPToolResult) -> None:
            call = calls[index]
            made = call.call if isinstance(call, ProviderCall) else None
            event = AgentEvent(AgentEventKind.CALLED, self.step, "", call.id, _name(call), made)
            if isinstance(what, Progress):
                event = replace(event, kind=AgentEventKind.PROGRESS, progress=what)
            elif isinstance(what, MCPToolResult):
                event = replace(event, kind=AgentEventKind.RESULT, result=what)
            await self.emit(event)

        settings = self.settings
        results = await answer_calls(
            settings.registry,
            calls,
            offered={tool.name for tool in offered},
            context=settings.context,
            approve=settings.approve,
            report=report,
        )
        self.new.append(self._shorten_message(reply, calls))
        for call, result in zip(calls, results, strict=True):
            name = _name(call)
            self.made.append(MadeCall(self.step, name, _arguments(call), result))
            self.new.append(observation(call.id, name, result, longest=settings.longest_result))
        if written > MOST_CALLS:
            self.new.append({"role": "user", "content": _TOO_MANY.format(MOST_CALLS, written)})
        await self._break_loop(calls, results)
        self._save()

    async def _break_loop(self, calls: Sequence[ProviderCall | RefusedCall], results: Sequence[MCPToolResult]) -> None:
        """Warn a model that repeats failing calls, and end the run if it repeats them again."""
        # Details may contain the identifier of a call, which is always different.
        seen = [
            (_name(call), _arguments(call), result.error and result.error.error_message)
            for call, result in zip(calls, results, strict=True)
            if result.status is ResultStatus.FAILURE
        ]
        self._repeats = self._repeats + 1 if seen and seen == self._last else 1
        self._last = seen
        if len(seen) < len(results) or self._repeats < _MOST_REPEATS:
            return
        if self._repeats > _MOST_REPEATS:
            self._save()
            raise errors.LoopError(f"the model repeats a failing call to `{_name(calls[0])}`: {str(seen[0][2])[:500]}")
        self.new.append({"role": "user", "content": _LOOP.format(self._repeats)})
        await self._emit(AgentEventKind.TOLD, _LOOP.format(self._repeats))

    def _shorten_message(self, reply: Reply, calls: Sequence[ProviderCall | RefusedCall] = ()) -> Message:
        """Return the message of a reply, bounded to leave room for the answers to its calls."""
        message: Message = {"role": "assistant", "content": reply.text}
        if calls:
            message["calls"] = [
                {"id": call.id, "tool_name": _name(call), "arguments": _arguments(call)} for call in calls
            ]
        if reply.echo and _is_json(reply.echo):
            message["echo"] = dict(reply.echo)
        return bound(message, self.settings.max_context // 2)

    def _save(self) -> None:
        """Add finished steps to the caller's memory, so that an interrupted run leaves it whole."""
        if self.kept is not None:
            self.kept.extend(self.new[self._saved :])
        self._saved = len(self.new)

    async def _emit(self, kind: AgentEventKind, text: str) -> None:
        await self.emit(AgentEvent(kind, self.step, text))


def _fault(reply: Reply, offered: Sequence[ToolContract]) -> str:
    """Return the message to the model about a reply that is neither calls nor an answer, or ""."""
    if reply.stop is Stop.MALFORMED:
        return _UNREADABLE.format(reply.note[:500])
    if reply.calls:
        return ""
    answer = reply.text if reply.answer is None else reply.answer
    if not answer.strip():
        return _EMPTY
    if reply.answer is not None or not offered:
        return ""
    name = _written_call(answer, offered)
    return _WRITTEN_CALL.format(name) if name else ""


def _written_call(text: str, offered: Sequence[ToolContract]) -> str:
    """Return the name of an offered tool that text calls, or tries to call; otherwise ""."""
    parsed = parse_tool_calls(text, offered)
    names = {tool.name for tool in offered}
    for found in parsed.calls:
        name = found.call.tool_name if found.call is not None else found.name
        if (name := name.replace("__", ".")) in names:
            return name
    for near in parsed.near:
        start = near.place.start
        for _ in range(_LINES_OF_NAME):
            start = max(0, text.rfind("\n", 0, start))
        written = text[start : near.place.end]
        named = next((name for name in sorted(names) if name in written or name.replace(".", "__") in written), None)
        if named is not None:
            return named
    return ""


def _is_json(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _name(call: ProviderCall | RefusedCall) -> str:
    return call.call.tool_name if isinstance(call, ProviderCall) else call.name[:200]


def _arguments(call: ProviderCall | RefusedCall) -> dict[str, JsonValue]:
    return call.call.arguments if isinstance(call, ProviderCall) else {}
