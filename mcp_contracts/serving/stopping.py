"""Requests to stop a server: a first signal finishes running calls, and a second one ends them."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from mcp_contracts.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Stop:
    """A request to stop. Once `requested` is set, running calls finish; once `urgent` is set, they end at once."""

    requested: asyncio.Event = field(default_factory=asyncio.Event)
    urgent: asyncio.Event = field(default_factory=asyncio.Event)


@contextmanager
def stop_on_signals() -> Iterator[Stop]:
    """Return a stop that SIGTERM and SIGINT request; only the main thread receives signals."""
    stop = Stop()
    loop = asyncio.get_running_loop()
    is_main = threading.current_thread() is threading.main_thread()
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT) if is_main}
    is_requested = False

    def tell(number: int, frame: object) -> None:
        nonlocal is_requested
        # A terminal interrupts all workers, and then their parent ends them; only a second Ctrl-C is urgent.
        if not is_requested or number == signal.SIGINT:
            loop.call_soon_threadsafe((stop.urgent if is_requested else stop.requested).set)
            is_requested = True

    for number in before:
        signal.signal(number, tell)  # Windows has no `loop.add_signal_handler`
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
