"""Many files read and checked, by several processes where that pays."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from mcp_contracts.contract import SourceFile, SpecFile, ToolContract
from mcp_contracts.rules.base import RuleOptions
from mcp_contracts.rules.engine import check_file
from mcp_contracts.rules.precedence import Found
from mcp_contracts.rules.registry import LINT_RULES
from mcp_contracts.sources.source import Readable, read_found

MANY = 200
"""From how many files on processes pay: two take about 50 ms to begin, a file 3 to 5 ms."""

_CHUNK = 20


class Checked(NamedTuple):
    """A file with what the rules found in it."""

    file: SourceFile
    found: Sequence[Found]


class _Task(NamedTuple):
    found: Sequence[Readable]
    options: RuleOptions
    max_file_size: int


def read_and_check(found: Sequence[Readable], options: RuleOptions, *, max_file_size: int) -> Iterator[Checked]:
    """Every file once, in order, with what the rules that look at one file alone found in it.

    From `MANY` files on, and where processes can be forked, each file holds only what is needed after that: names,
    places, comments and the text.
    """
    workers = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, 8)
    if len(found) < MANY or workers < 2 or "fork" not in multiprocessing.get_all_start_methods():
        for file in read_found(found, max_file_size=max_file_size):
            yield Checked(file, check_file(file, LINT_RULES, options))
        return
    items = iter(found)
    tasks = iter(lambda: _Task(tuple(islice(items, _CHUNK)), options, max_file_size), _Task((), options, max_file_size))
    with multiprocessing.get_context("fork").Pool(workers, initializer=_ignore_interrupts) as pool:
        seen = set()
        for checked in pool.imap(_work, tasks):
            for one in checked:
                if one.file.path not in seen:
                    seen.add(one.file.path)
                    yield one


def _ignore_interrupts() -> None:
    """Leave an interrupt to the parent, which ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _work(task: _Task) -> list[Checked]:
    return [
        _without_details(Checked(file, check_file(file, LINT_RULES, task.options)))
        for file in read_found(task.found, max_file_size=task.max_file_size)
    ]


def _without_details(checked: Checked) -> Checked:
    """What the parent needs of a file: handing over the rest costs more than the processes save."""
    file = checked.file
    slim = {id(contract): _slim(contract) for contract in file.contracts}
    found = [item if item.tool is None else replace(item, tool=slim[id(item.tool)]) for item in checked.found]
    if not isinstance(file, SpecFile):
        return Checked(replace(file, contracts=tuple(slim.values())), found)
    tools = tuple(
        replace(tool, contract=slim[id(tool.contract)], sections=(), input_table=None, output_table=None, faults=())
        for tool in file.tools
    )
    return Checked(replace(file, tools=tools), found)


def _slim(contract: ToolContract) -> ToolContract:
    return ToolContract(
        name=contract.name,
        place=contract.place,
        module=contract.module,
        version=contract.version,
        status=contract.status,
        places={name: contract.places[name] for name in ("extent", "status") if name in contract.places},
    )
