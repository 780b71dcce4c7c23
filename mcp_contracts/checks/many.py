"""Read and check many files, in several processes if that is faster."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import islice

from mcp_contracts.checks.remembering import (
    CheckedFile,
    Memory,
    digest_without_secrets,
    from_bytes,
    to_bytes,
)
from mcp_contracts.contract import SourceFile, SpecFile
from mcp_contracts.diagnostics import RuleInfo
from mcp_contracts.files.cache import Cache
from mcp_contracts.masking.mask import secrets_of
from mcp_contracts.parsing.discovery import show, unreadable
from mcp_contracts.records import NamedTuple
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.listing import all_rule_infos
from mcp_contracts.rules.running.engine import check_file
from mcp_contracts.schema.budget import Budget
from mcp_contracts.sources.limits import RUN_STEPS, STEPS_PER_FILE
from mcp_contracts.sources.source import Readable, read_each

MANY = 50
"""The minimum number of files for which forked processes are faster: two take about 50 ms to start, and a file takes 2
to 5 ms."""
FIRST = 8
"""The number of files that are checked before processes are forked, so that they share imports and compiled patterns.

With 1,000 files or more it is zero: this process holds the findings of all files, and rules take 12 MB more.
"""
_MANY_SPAWNED = 1_000  # where processes cannot be forked: each imports everything again
_MOST_PROCESSES = 8
_CHUNK = 20

_MOST_OF_A_FILE = 100_000
# Measured: the cost of checking a file also grows with these.
_BYTES_PER_STEP = 100
_OF_A_FINDING = 20


class _Task(NamedTuple):
    found: Sequence[Readable]
    options: RuleOptions
    max_file_size: int
    is_whole: bool
    jobs: int | None


def read_and_check(
    found: Sequence[Readable],
    options: RuleOptions,
    *,
    max_file_size: int,
    cache: Cache | None = None,
    is_whole: bool = False,
    jobs: int | None = None,
) -> Iterator[CheckedFile]:
    """Yield every file once, in order, with the findings of the rules that check one file at a time.

    The budget of a run grows with the number of its files. Once it is spent, a final file is yielded, with a fault that
    reports all remaining files as unchecked. Unless `is_whole`, a file may contain only what is needed afterwards:
    names, places, comments and the text; files whose findings are in `cache` are then not checked. `jobs` is the number
    of processes; None means one per CPU if there are many files.
    """
    budget = Budget(RUN_STEPS + STEPS_PER_FILE * len(found))
    memory = Memory(None if is_whole else cache, options, max_file_size)
    checked = _recall_or_check(_Task(found, options, max_file_size, is_whole, jobs), memory)
    try:
        for one in checked:
            yield one
            if not budget.pay(one.steps):
                yield from _report_unchecked(found, one.file.path, options)
                return
    finally:
        checked.close()  # ends the processes
        memory.save()


def _recall_or_check(task: _Task, memory: Memory) -> Generator[CheckedFile]:
    """Yield every file once, in order: from the cache, or checked."""
    recalled: dict[str, CheckedFile | None] = {}
    left = []
    for item in task.found:
        if item.identity not in recalled:
            known = memory.recall(item)
            if known is None:
                left.append(item)
            recalled[item.identity] = known
    with closing(_check_all(task._replace(found=left), memory)) as checked:
        for known in recalled.values():
            one = next(checked, None) if known is None else known
            if one is not None:
                yield one


def _check_all(task: _Task, memory: Memory) -> Generator[CheckedFile]:
    found = task.found
    workers = _processes(len(found), task.jobs)
    rules = {info.code: info for info in all_rule_infos()}
    first = len(found) if workers < 2 else FIRST if _CAN_FORK and len(found) < _MANY_SPAWNED else 0
    for file in read_each(found[:first], max_file_size=task.max_file_size):
        one = _check(file, task.options)
        yield _keep(one if task.is_whole or len(found) < MANY else _pack(one), memory, rules)  # few files fit in memory
    if first >= len(found):
        return
    items = iter(found[first:])
    chunk = max(1, min(_CHUNK, (len(found) - first) // (4 * workers)))
    tasks = iter(lambda: task._replace(found=tuple(islice(items, chunk))), task._replace(found=()))
    import multiprocessing  # slow to import, and few runs need processes

    context = multiprocessing.get_context("fork" if _CAN_FORK else "spawn")
    gc.freeze()  # so that the processes share these objects as long as possible
    with _hold_signals():
        started = context.Pool(workers, initializer=_start_worker)
    with started as pool:
        seen = set()
        for checked in pool.imap(_work, tasks):
            for item in checked:
                one = _keep(item, memory, rules)
                if one.file.path not in seen:
                    seen.add(one.file.path)
                    yield one


_CAN_FORK = sys.platform == "linux"
"""Whether a process can be copied safely: macOS has `fork`, but its libraries do not survive it."""


def _processes(files: int, jobs: int | None) -> int:
    """Return the number of processes that check the files; 1 means only this one."""
    if jobs is not None:
        return min(jobs, -(-files // _CHUNK))
    if files < (MANY if _CAN_FORK else max(MANY, _MANY_SPAWNED)):
        return 1
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(processors, _MOST_PROCESSES)


def _report_unchecked(found: Sequence[Readable], last: str, options: RuleOptions) -> Iterator[CheckedFile]:
    """Yield the first unchecked file, with a fault that represents all remaining files."""
    paths = list(dict.fromkeys(item.shown for item in found))
    left = paths[paths.index(last) + 1 :] if last in paths else []
    if not left:
        return
    message = "this file is not checked: the previous files used up the work limit of the run"
    if len(left) > 1:
        message = message.replace("this file is", f"this file and {len(left) - 1:,} after it are")
    unread = unreadable(left[0], message, "pass fewer files or folders at once")
    file = SpecFile(show(left[0]), "", faults=(unread.fault,))
    yield CheckedFile(file, _check(file, options).found)


def _check(file: SourceFile, options: RuleOptions) -> CheckedFile:
    from mcp_contracts.rules.registry import LINT_RULES  # slow to import, and a run may check nothing again
    from mcp_contracts.schema.work import tool_steps

    found = check_file(file, LINT_RULES, options)
    steps = len(file.text) / _BYTES_PER_STEP + len(found) * _OF_A_FINDING + sum(map(tool_steps, file.contracts))
    return CheckedFile(file, found, min(steps, _MOST_OF_A_FILE))


@contextmanager
def _hold_signals() -> Iterator[None]:
    """Block SIGTERM while processes and the threads of a pool are started. A forked process loses a signal that arrives
    while it starts, and the parent would wait for it forever.
    """
    if not _CAN_FORK:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    """Leave interrupts to the parent, which ends the workers."""
    gc.set_threshold(100_000)  # like the parent: a fork inherits its handlers
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if _CAN_FORK:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM,))


class _CachedFile(NamedTuple):
    """A checked file in its cached form, which is sent and read several times as fast as the objects."""

    path: str
    value: bytes
    secrets: tuple[str, ...]
    digest: bytes


def _keep(item: CheckedFile | _CachedFile, memory: Memory, rules: Mapping[str, RuleInfo]) -> CheckedFile:
    """Store a checked file in the cache, and return it."""
    if isinstance(item, CheckedFile):
        memory.keep(item)
        return item
    one = from_bytes(item.value, item.path, rules)
    one = one._replace(is_remembered=False, secrets=item.secrets, digest=item.digest)
    memory.keep(one, item.value)
    return one


def _work(task: _Task) -> list[CheckedFile | _CachedFile]:
    checked = (_check(file, task.options) for file in read_each(task.found, max_file_size=task.max_file_size))
    return [one if task.is_whole else _pack(one) for one in checked]


def _pack(checked: CheckedFile) -> _CachedFile:
    file = checked.file
    return _CachedFile(file.path, to_bytes(checked), tuple(secrets_of(file.text)), digest_without_secrets(file.text))
