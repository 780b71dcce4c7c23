"""What is said about one call: by its caller before it (`CallContext`), and by its function while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call has come: `completed` of `total` (in a unit of the tool's own), in words, and what is there yet.

    `data` is a part of the result that is known already, or None.
    """

    completed: float | None = None
    total: float | None = None
    message: str | None = None
    data: JsonValue = None


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a caller says about a call beside its arguments; none of it is part of the contract.

    `channel` chooses the handler where a tool has several, `caller` is who limits are counted for, `deadline` is how
    many seconds the call may take from the moment it is taken (None: as long as the registry and the tool allow),
    `metadata` is anything the function or a subscriber should know, and `on_progress` is called with each report.
    Raises `UsageError` for a deadline that is no number; one that is not above 0 has passed before the call begins.
    """

    channel: str | None = None
    caller: str | None = None
    deadline: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    on_progress: Callable[[Progress], None] | None = None

    def __post_init__(self) -> None:
        seconds = self.deadline
        if seconds is not None and (not isinstance(seconds, int | float) or seconds != seconds):
            raise UsageError(f"a deadline must be a number of seconds, not {seconds!r}", hint="omit it for no deadline")


class ToolContext:
    """What a running function knows of its call, and the way to report from it.

    A function gets it in a parameter annotated `ToolContext`, which is never part of its schema. All methods may be
    called from any thread.
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
        """How many seconds are left until the deadline, at least 0; None where there is no deadline."""
        return None if self._ends_at is None else max(0.0, self._ends_at - time.monotonic())

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits for the result any more, since the call was cancelled or its deadline has passed.

        An async function is cancelled by asyncio; a sync one, which nothing can stop, should look here now and then.
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
        """Tell those who watch the call how far it is, and what of its result (`data`) is known already."""
        if self._report is not None and not self._gave_up:
            self._report(Progress(completed, total, message, data))

    def give_up(self) -> None:
        """Note that nobody waits for the result any more; called by the registry."""
        self._gave_up = True
