"""Whole comparisons: `diff` of tool lists and of a repository, against `lint` of the same files, and the startup
cost."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

from benchmarks.corpus import write_corpus
from benchmarks.timing import best_of, computed, environment, forget, of_children
from mcp_contracts.change import DiffReport
from mcp_contracts.changes.schemas import compare_schemas
from mcp_contracts.checks.diff import diff
from mcp_contracts.checks.lint import lint
from mcp_contracts.sources.load import load

_FILES = 200
_ONE_IN = 10
_ROUNDS = 3
_SHOWN_IMPORTS = 8
_NEVER_IMPORTED = ("pydantic", "rich", "hypothesis", "typer")
_ONLY_FOR_A_BREAK = ("jsonschema", "referencing")
_COMMAND = [sys.executable, "-m", "mcp_contracts"]


def measure_servers(folder: Path) -> None:
    """Measure all consecutive versions of each server below a folder of tool lists, in this process."""
    for path in sorted(folder.glob("*/*.json")):  # load lazy imports, so that no server pays for them
        _lint_both(path, path)
    compare_schemas({"type": "string"}, {"type": "string", "maxLength": 1})
    for server in sorted(path for path in folder.iterdir() if path.is_dir()):
        paths = sorted(server.glob("*.json"), key=_release)
        spent = {"diff": 0.0, "lint": 0.0}
        tools, breaking, unknown, slowest = 0, 0, 0, (0.0, "")
        for old, new in pairwise(paths):
            forget()
            seconds, report = computed(partial(_differences, old, new))
            spent["diff"] += seconds
            slowest = max(slowest, (seconds, f"{old.stem} -> {new.stem}"))
            forget()
            spent["lint"] += computed(partial(_lint_both, old, new))[0]
            tools += len(report.tools)
            verdicts = [change.verdict.value for tool in report.tools for change in tool.changes]
            breaking += verdicts.count("breaking")
            unknown += verdicts.count("unknown")
        print(
            f"{server.name:<28}{tools:>4} tools"
            f"{spent['diff'] * 1000:>9.1f} ms{spent['diff'] / spent['lint']:>7.2f} x lint"
            f"  {breaking} breaking, {unknown} unknown, slowest {slowest[0] * 1000:.1f} ms ({slowest[1]})"
        )


def _release(path: Path) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", path.stem)))


def _differences(old: Path, new: Path) -> DiffReport:
    return diff(load(old), load(new))


def _lint_both(old: Path, new: Path) -> None:
    for path in (old, new):
        lint(load(path))


def measure_repository(folder: Path) -> None:
    """Measure a repository against a copy in which one in ten specifications has an edit, as commands."""
    write_corpus(folder / "old", _FILES)
    for number, path in enumerate(write_corpus(folder / "new", _FILES)):
        if number % _ONE_IN == 0:
            path.write_text(edited(path.read_text(encoding="utf-8")), encoding="utf-8")
    common = ["--exit-zero", "--format", "json"]
    seconds = best_of(
        {
            "lint of old and new": [*_COMMAND, "lint", *common, "old", "new"],
            "diff of old against old": [*_COMMAND, "diff", *common, "old", "old"],
            "diff of old against new": [*_COMMAND, "diff", *common, "old", "new"],
        },
        folder,
        _ROUNDS,
        clock=of_children,
    )
    for name, value in seconds.items():
        print(f"{f'{name} ({_FILES})':<40}{value * 1000:>10.1f} ms{value / seconds['lint of old and new']:>8.2f} x")


def edited(text: str) -> str:
    """Change the type of the first parameter in a specification whose type is easy to change."""
    head, fence, rest = text.partition("```json")
    return head + fence + re.sub(r'"type": "(string|integer|number|boolean)"', '"type": "null"', rest, count=1)


def measure_start(folder: Path) -> int:
    """Measure a small `diff` in its own process; return the number of modules that it should not import."""
    one = write_corpus(folder / "start", 1, seed=7)[0]
    changed = folder / "changed.md"
    changed.write_text(edited(one.read_text(encoding="utf-8")), encoding="utf-8")
    commands = {
        "same": [*_COMMAND, "diff", "--exit-zero", str(one), str(one)],
        "broken": [*_COMMAND, "diff", "--exit-zero", str(one), str(changed)],
    }
    seconds = best_of(
        {
            "python -I -c pass": [sys.executable, "-I", "-c", "pass"],
            "lint of one file": [*_COMMAND, "lint", "--exit-zero", str(one)],
            "diff of one file, the same": commands["same"],
            "diff of one file, a break": commands["broken"],
        },
        folder,
        2 * _ROUNDS,
        clock=of_children,
    )
    for name, value in seconds.items():
        print(f"{name:<40}{value * 1000:>10.1f} ms{value / seconds['python -I -c pass']:>8.2f} x")
    imported = {name: dict(_imports(command, folder)) for name, command in commands.items()}
    for name, modules in imported.items():
        dearest = sorted(modules.items(), key=lambda item: -item[1])[:_SHOWN_IMPORTS]
        print(
            f"  {name}: {len(modules)} modules, {sum(modules.values()) / 1000:.0f} ms; the slowest by themselves: ",
            end="",
        )
        print(", ".join(f"{module} {cost / 1000:.1f}" for module, cost in dearest))
    surplus = sorted(
        f"{module} ({name})"
        for name, modules in imported.items()
        for module in (*_NEVER_IMPORTED, *(_ONLY_FOR_A_BREAK if name == "same" else ()))
        if module in modules
    )
    print(f"  not to be imported: {', '.join(surplus) or 'none'}  {'MISSED' if surplus else 'met'}")
    return len(surplus)


def _imports(command: list[str], folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the modules that a command imports, each with its own import time in microseconds."""
    timed = [command[0], "-X", "importtime", *command[1:]]
    done = subprocess.run(timed, cwd=folder, env=environment(folder), capture_output=True, text=True, check=True)
    for own, name in re.findall(r"^import time:\s+(\d+) \|\s+\d+ \|\s*(\S+)$", done.stderr, re.MULTILINE):
        yield name, int(own)
