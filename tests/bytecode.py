"""Bytecode of the package and its tests, written before the workers of pytest-xdist start.

In a new checkout, each worker would compile all modules, because they import them in the same order. Instead, one
process for each core compiles a share.
"""

from __future__ import annotations

import importlib.util
import os
import py_compile
from collections.abc import Sequence
from pathlib import Path

import pytest
from _pytest.assertion.rewrite import PYC_TAIL, _rewrite_test, _write_pyc, assertstate_key, get_cache_dir

_ROOT = Path(__file__).parents[1]
_BROKEN_ON_PURPOSE = ("mcp_contracts/rules/examples/", "tests/cases/")


def write_bytecode(config: pytest.Config) -> None:
    """Compile the modules whose bytecode is missing or old, in a process for each core."""
    if not hasattr(os, "fork"):  # on Windows, the workers compile
        return
    stale = [
        (source, compiled, is_rewritten)
        for source, compiled, is_rewritten in _modules()
        if not compiled.exists() or compiled.stat().st_mtime_ns < source.stat().st_mtime_ns
    ]
    cores = os.cpu_count() or 1
    children = [_forked(config, stale[first::cores]) for first in range(min(cores, len(stale)))]
    for child in children:
        os.waitpid(child, 0)


def _modules() -> list[tuple[Path, Path, bool]]:
    """Each module, its bytecode, and whether pytest rewrites its assertions."""
    found = []
    for folder in ("mcp_contracts", "tests"):
        for source in sorted((_ROOT / folder).rglob("*.py")):
            if source.relative_to(_ROOT).as_posix().startswith(_BROKEN_ON_PURPOSE):
                continue
            if source.name.startswith("test_"):
                found.append((source, get_cache_dir(source) / (source.stem + PYC_TAIL), True))
            else:
                found.append((source, Path(importlib.util.cache_from_source(source)), False))
    return found


def _forked(config: pytest.Config, modules: Sequence[tuple[Path, Path, bool]]) -> int:
    """Return the id of a new process that compiles modules. A worker compiles what this process cannot."""
    child = os.fork()
    if child:
        return child
    try:
        for source, compiled, is_rewritten in modules:
            if is_rewritten:
                source_hash, code = _rewrite_test(source, config)
                compiled.parent.mkdir(exist_ok=True)
                _write_pyc(config.stash[assertstate_key], code, source_hash, compiled)
            else:
                py_compile.compile(str(source))
    finally:
        os._exit(0)
