"""A process that decides questions about pairs of schemas, one per line, and reports the time taken.

It runs the revision in `PYTHONPATH` and only uses names that all revisions have: `benchmarks.revisions` starts one
process for each.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

_INCLUSION = ("mcp_contracts.inclusion.decision", "mcp_contracts.schema.inclusion", "mcp_contracts.inclusion")
"""The modules in which revisions define the function `inclusion`."""
_FIRST: tuple[Any, Any] = ({"type": "array", "contains": {"type": "integer"}}, {"prefixItems": [True], "items": False})
"""A question whose answer is confirmed by jsonschema, which is imported once, at the first such question."""


def main() -> None:
    """Answer each line of standard input with a line of times and answers."""
    ways = {"inclusion": _inclusion(), "compare_schemas": _comparison()}
    for way in ways.values():
        way(*_FIRST)
    for line in sys.stdin:
        left, right = json.loads(line)
        taken = {}
        for name, way in ways.items():
            _forget()
            start = time.process_time()
            answer = way(left, right)
            taken[name] = (time.process_time() - start, answer)
        print(json.dumps(taken), flush=True)


def _inclusion() -> Callable[[Any, Any], str]:
    for name in _INCLUSION:
        try:
            found = getattr(importlib.import_module(name), "inclusion", None)
        except ImportError:
            continue
        if callable(found):
            return lambda left, right: str(found(left, right).answer)
    raise SystemExit("this revision has no `inclusion` where we look for it")


def _comparison() -> Callable[[Any, Any], str]:
    change, public = importlib.import_module("mcp_contracts.change"), importlib.import_module("mcp_contracts")
    policy = "sets" if "sets" in change.POLICIES else "strict"  # `sets` was called `strict` in older revisions
    compare = public.compare_schemas
    return lambda left, right: str(compare(left, right, policy=policy).verdict.value)


def _forget() -> None:
    """Empty all caches of the package, so that each question starts cold."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith("mcp_contracts."):
            for value in tuple(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


if __name__ == "__main__":
    main()
