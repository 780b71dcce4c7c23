"""Runs a command on hostile input in a separate process, within ten processor seconds and a gigabyte."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from mcp_contracts import ToolRegistry, load
from mcp_contracts.checks.exporting.formats import FORMAT_NAMES
from mcp_contracts.cli.app import run
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import ContractError
from tests import hostile

SECONDS = 10
MEGABYTES = 1_000
_IMPLEMENTATION = '''
from typing import Any


def b(a: int, p0: str = "x", p1: list[str] | None = None) -> dict[str, Any]:
    """Adds a note.

    Args:
        a: What it is about.
    """
    return {"a": a}
'''


class Ended(NamedTuple):
    """How a process ended: its exit code (negative for a signal), processor seconds, megabytes, and output."""

    code: int
    seconds: float
    megabytes: int
    output: str

    @property
    def problem(self) -> str | None:
        """Its problem, if any."""
        if self.code not in (0, 1, 2, 3) or "Traceback" in self.output:
            return f"exit {self.code} after {self.seconds:.1f} s: {self.output[-2000:]}"
        if self.megabytes > MEGABYTES:
            return f"{self.megabytes} MB"
        return None


def ended(act: Callable[[], int], folder: Path) -> Ended:
    """Call a function in a child of this process, in a folder, and return how it ended."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        code = 99
        try:
            os.chdir(folder)
            written = os.open(folder / "written.txt", os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
            os.dup2(written, 1)
            os.dup2(written, 2)
            sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
            signal.signal(signal.SIGXCPU, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (4_000_000_000, 4_000_000_000))
            code = act()
            sys.stdout.flush()
            sys.stderr.flush()
        except BaseException:  # the parent reads the written output
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(code)
    _, status, usage = os.wait4(child, 0)
    with (folder / "written.txt").open(encoding="utf-8", errors="replace") as stream:
        output = stream.read(100_000)
    code = os.waitstatus_to_exitcode(status)
    return Ended(code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024, output)


def _command(*arguments: str) -> Callable[[], int]:
    return lambda: run(list(arguments))


def commands(source: str) -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield every command that reads one source, with its name."""
    yield "lint", _command("lint", "--target", "all", source)
    for form in ("json", "github", "gitlab", "sarif", "junit", "concise"):
        yield f"lint-{form}", _command("lint", "--format", form, source)
    yield "lint-implementation", _command("lint", "--implementation", "implementation.py", source)
    for form in FORMAT_NAMES:
        yield f"export-{form}", _command("export", "--to", form, source)


def comparisons() -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield every comparison of the prepared lists, with its name."""
    yield "diff", _command("diff", "tools.json", "edited.json")
    yield "diff-strict", _command("diff", "--policy", "strict", "--format", "json", "tools.json", "edited.json")
    yield "diff-output", _command("diff", "results.json", "edited-results.json")
    yield "diff-from-plain", _command("diff", "plain.json", "tools.json")
    yield "diff-to-plain", _command("diff", "tools.json", "plain.json")


def prepare(folder: Path, schema: hostile.Schema | None, text: str | None = None) -> None:
    """Write the lists that commands and comparisons read."""
    plain = {"type": "object", "properties": {"a": {"type": "string"}}}
    lists = {"plain.json": [hostile.tool(plain)]}
    if schema is not None:
        changed = hostile.edited(schema, random.Random(1))
        lists["tools.json"] = [hostile.tool(schema)]
        lists["edited.json"] = [hostile.tool(changed)]
        lists["results.json"] = [hostile.tool({"type": "object"}, outputSchema=schema)]
        lists["edited-results.json"] = [hostile.tool({"type": "object"}, outputSchema=changed)]
    for name, tools in lists.items():
        (folder / name).write_text(json.dumps({"tools": tools}), encoding="utf-8")
    if text is not None:
        (folder / "tools.json").write_text(text, encoding="utf-8")
        edited = text.replace("a.t", "a.u").replace("string", "integer")
        (folder / "edited.json").write_text(edited, encoding="utf-8")
    (folder / "implementation.py").write_text(_IMPLEMENTATION, encoding="utf-8")


def call(schema: hostile.Schema, arguments: JsonValue, *, is_watched: bool = False, is_result: bool = False) -> int:
    """Call a tool with a schema through a registry, watched or not; the arguments may be its result instead."""
    tool = hostile.tool({"type": "object"}, outputSchema=schema) if is_result else hostile.tool(schema)
    Path("called.json").write_text(json.dumps({"tools": [tool]}), encoding="utf-8")
    try:
        registry = ToolRegistry(load("called.json"))
    except ContractError as error:  # such as a schema that is too large to be checked
        print(error)
        return 2
    registry.implement("a.b")(lambda **given: arguments if is_result else {})
    if is_watched:
        registry.subscribe(lambda event: None)
    result = registry.call({"tool_name": "a.b", "arguments": {} if is_result else arguments})
    print(len(result.model_dump_json()))
    return 0


def everything(folder: Path, only: str, seeds: Iterable[int]) -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield every command, comparison and call on every hostile input, with its name; writes the input."""
    known = list(hostile.schemas())
    made = ((f"seed-{seed}", hostile.combined(random.Random(seed), known)) for seed in seeds)
    for name, schema in chain(known, made):
        if only not in name:
            continue
        prepare(folder, schema)
        for command, act in (*commands("tools.json"), *comparisons()):
            yield f"{name} {command}", act
        for kind, given in hostile.arguments():
            yield f"{name} call {kind}", partial(call, schema, given)
            yield f"{name} watched {kind}", partial(call, schema, given, is_watched=True)
            yield f"{name} result {kind}", partial(call, schema, given, is_result=True)
    for name, text in hostile.lists():
        if only in name:
            prepare(folder, None, text)
            for command, act in (*commands("tools.json"), ("diff", _command("diff", "tools.json", "edited.json"))):
                yield f"{name} {command}", act
    for name, text in hostile.specs():
        if only in name:
            prepare(folder, None)
            (folder / "MCP_TOOL_SPECIFICATION.md").write_text(text, encoding="utf-8")
            for command, act in commands("MCP_TOOL_SPECIFICATION.md"):
                yield f"{name} {command}", act
    for name, text in hostile.configurations():
        if only in name:
            prepare(folder, {"type": "object"})
            (folder / "mcp-contracts.yaml").write_text(text, encoding="utf-8")
            yield f"{name} lint", _command("lint", "--config", "mcp-contracts.yaml", "tools.json")
            yield f"{name} diff", _command("diff", "--config", "mcp-contracts.yaml", "tools.json", "edited.json")
