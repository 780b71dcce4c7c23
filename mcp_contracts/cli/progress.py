"""A progress bar on standard error, with counts and the remaining time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_SECONDS = 0.1  # between two updates of the bar

Item = TypeVar("Item")


def show_progress(items: Iterable[Item], total: int, title: str) -> Iterator[Item]:
    """Yield items while a bar shows their number; it disappears at the end. It is drawn between items rather than by a
    thread, because worker processes are forked meanwhile.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True) as progress:
        task = progress.add_task(title, total=total)
        shown = 0.0
        for item in items:
            progress.advance(task)
            if time.monotonic() - shown > _SECONDS:
                progress.refresh()
                shown = time.monotonic()
            yield item
