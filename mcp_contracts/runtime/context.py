"""Information about one call: from its caller (`CallContext`), and for its function while it runs (`ToolContext`).

Its progress is sent to an async reader in order, from any thread, and bounded.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPCallContext
from mcp_contracts.records import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a call: `completed` of `total` in a unit of the tool's choice, a message, and partial data.

    `data` is a part of the result that is already known, or None.
    """

    completed: float | None = None
    total: float | None = None
    message: str | None = None
    data: JsonValue = None


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a caller states about a call in addition to its arguments. None of it is part of the contract.

    `channel` selects the handler of a tool with several channels, and `caller` is the identity for rate limits.
    `deadline` is the number of seconds that the call may take from its acceptance (None: as long as the registry and
    the tool allow). `metadata` is for the function and subscribers, and `on_progress` is called with each report.
    `on_answer` is called with the `CallToolResult` that the result was read from, if the function is a tool of an MCP
    server; it must not raise. Raises `UsageError` for a deadline that is not a number. A deadline that is not positive
    has passed before the call starts.
    """

    channel: str | None = None
    caller: str | None = None
    deadline: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    on_progress: Callable[[Progress], None] | None = None
    on_answer: Callable[[Mapping[str, JsonValue]], None] | None = None

    def __post_init__(self) -> None:
        seconds = self.deadline
        if seconds is not None and (not isinstance(seconds, int | float) or seconds != seconds):
            raise UsageError(f"a deadline must be a number of seconds, not {seconds!r}", hint="omit it for no deadline")

    def reporting_to(self, callback: Callable[[Progress], None]) -> CallContext:
        """Return the context of a call whose progress is also reported to `callback`, first."""
        other = self.on_progress

        def report(progress: Progress) -> None:
            callback(progress)
            if other is not None:
                other(progress)

        return replace(self, on_progress=report)

    @classmethod
    def from_message(cls, message: MCPCallContext) -> CallContext:
        """Return the context that a message describes, as `MCPCallContext.from_json(text)` reads it."""
        return cls(message.channel, message.caller, message.deadline, message.metadata)

    def to_message(self) -> MCPCallContext:
        """Return the context as a message, without its functions. Raises ValueError if it has no JSON form."""
        metadata = dict(self.metadata)
        return MCPCallContext(channel=self.channel, caller=self.caller, deadline=self.deadline, metadata=metadata)


class ToolContext:
    """The context of a running function: facts about its call, and a way to report progress.

    A function receives it in a parameter annotated with `ToolContext`, which is not part of its schema. All methods are
    thread-safe.
    """

    __slots__ = ("_ends_at", "_gave_up", "_report", "call", "call_id", "contract")

    def __init__(
        self,
        contract: ToolContract,
        call: CallContext,
        call_id: str,
        *,
        ends_at: float | None = None,
        report: Callable[[Progress], None] | None = None,
    ) -> None:
        self.contract = contract
        self.call = call
        self.call_id = call_id
        self._ends_at = ends_at
        self._report = report
        self._gave_up = False

    @property
    def remaining(self) -> float | None:
        """The number of seconds until the deadline, at least 0; None without a deadline."""
        return None if self._ends_at is None else max(0.0, self._ends_at - time.monotonic())

    @property
    def is_cancelled(self) -> bool:
        """Whether the caller has stopped waiting for the result, because of cancellation or the deadline.

        asyncio cancels an async function. A sync function cannot be stopped, and should check this from time to time.
        """
        return self._gave_up or self.remaining == 0

    def report(
        self,
        completed: float | None = None,
        total: float | None = None,
        message: str | None = None,
        *,
        data: JsonValue = None,
    ) -> None:
        """Report the progress of the call to subscribers, and the part of the result that is known (`data`)."""
        if self._report is not None and not self._gave_up:
            self._report(Progress(completed, total, message, data))

    def give_up(self) -> None:
        """Record that the caller has stopped waiting for the result; called by the registry."""
        self._gave_up = True


_MOST_WAITING = 100
"""The maximum number of reports that wait for a slow reader. Past it, the oldest are dropped."""


class ProgressReports:
    """Sends reports of progress through `send`, on the event loop where it was created."""

    def __init__(self, send: Callable[[Progress], Awaitable[None]]) -> None:
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Progress] = deque(maxlen=_MOST_WAITING)
        self._task: asyncio.Task[None] | None = None

    def add(self, progress: Progress) -> None:
        """Send a report as soon as possible. May be called from any thread."""
        self._waiting.append(progress)
        self._loop.call_soon_threadsafe(self._start)

    async def wait_until_sent(self) -> None:
        """Wait until all reports are sent."""
        if self._waiting:
            self._start()
        if self._task is not None:
            await self._task

    def _start(self) -> None:
        if self._task is None or self._task.done():
            self._task = self._loop.create_task(self._send_all())

    async def _send_all(self) -> None:
        while self._waiting:
            await self._send(self._waiting.popleft())
