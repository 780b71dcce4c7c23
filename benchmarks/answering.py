"""A process that answers questions about pairs of schemas, one a line, and tells how long it took.

It runs on its own, with the revision on `PYTHONPATH` whose speed is asked for, and holds to names that all revisions
have: `benchmarks.revisions` starts one for each.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

_INCLUSION = ("mcp_contracts.inclusion.decision", "mcp_contracts.schema.inclusion", "mcp_contracts.inclusion")
"""Where revisions keep the function `inclusion`."""


def main() -> None:
    """Answer each line of standard input with a line of seconds and answers."""
    ways = {"inclusion": _inclusion(), "compare_schemas": _comparison()}
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
    policy = "sets" if "sets" in change.POLICIES else "strict"  # plain inclusion was called `strict` once
    compare = public.compare_schemas
    return lambda left, right: str(compare(left, right, policy=policy).verdict.value)


def _forget() -> None:
    """Empty all caches of the package: each question is the first one."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith("mcp_contracts."):
            for value in tuple(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


if __name__ == "__main__":
    main()
