"""Measure the time from 100 contracts to a ready matcher, compared to compiling their schemas.

`python -m benchmarks.grammars`
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from time import perf_counter

from benchmarks.runtime_tool import INPUT, contracts
from mcp_contracts.adapters.grammar.lark import lark_of
from mcp_contracts.adapters.grammar.matcher import ToolCallMatcher
from mcp_contracts.schema.validation.validators import compile_schema

_TOOLS = 100
_ROUNDS = 5
_GOAL = 1.0  # seconds


def main() -> int:
    """Print the times, and return the number of missed goals."""
    if find_spec("llguidance") is None:
        print("grammars: left out, since `llguidance` is not installed")
        return 0
    tool = contracts()[0]
    tools = [replace(tool, name=f"bench.tool_{number}") for number in range(_TOOLS)]
    compiled = _best(lambda: [compile_schema({**INPUT, "title": str(number)}) for number in range(_TOOLS)])
    written = _best(lambda: lark_of(tools))
    ready = _best(lambda: ToolCallMatcher(tools))
    print(f"\n## A grammar of {_TOOLS} tools\n")
    for name, seconds in (("their schemas compiled", compiled), ("written as Lark", written), ("a matcher", ready)):
        print(f"{name:<40}{seconds * 1000:>10.1f} ms{seconds / compiled:>8.1f} x")
    print(f"goal: a matcher of {_TOOLS} tools within {_GOAL:g} s: {'met' if ready <= _GOAL else 'MISSED'}")
    return int(ready > _GOAL)


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(_ROUNDS):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    sys.exit(main())
