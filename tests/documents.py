"""Runs what documents show: blocks of code, found by sybil, each in its own folder.

A comment directly above a block describes it:

- `<!-- not run: REASON -->`
- `<!-- in: STATE -->`: the folder is in a state of `document_folders.STATES`.
- `<!-- exits with: 1 -->`: the exit code of the block's last command.
- `<!-- printed by: COMMAND -->`: the block is the whole output of the command; `make generate` updates it.
- `<!-- part of: COMMAND -->`: the block is a part of the command's output, or of the value that a path after ` at `
  leads to, in which the name of a tool represents its index in a list.
- `<!-- part of file: NAME after: COMMAND -->`: the block is a part of a file that the command wrote.
"""

from __future__ import annotations

import ast
import asyncio
import io
import json
import os
import re
import shlex
import sys
import tokenize
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from sybil import Document
from sybil.parsers.markdown.lexers import FencedCodeBlockLexer

from mcp_contracts.changes.registry import change_rule_infos
from mcp_contracts.checks.catalog import CATALOG_FAMILIES  # noqa: F401  # loaded before the working directory changes
from mcp_contracts.cli.app import run
from mcp_contracts.config import load_config
from mcp_contracts.config.accepted import read_accepted
from mcp_contracts.config.files import ACCEPTED_FILE
from mcp_contracts.messages import MCPToolCall, MCPToolResult
from mcp_contracts.parsing.discovery import SPEC_NAME
from mcp_contracts.rules.listing import known_rules
from mcp_contracts.sources.load import load
from tests.repositories import ROOT, spec, tool

DOCUMENTS = tuple(
    sorted(
        path.relative_to(ROOT).as_posix()
        for pattern in ("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/decisions/*.md", "specs/*.md",
                        "examples/*.md", "module_template/README.md")
        for path in ROOT.glob(pattern)
    )
)  # fmt: skip
"""The documents whose blocks run: all prose, except for pages of rules and specs."""

NOT_OURS = ("pip", "pytest", "python", "make", "bash", ".", "git")
"""Other programs in commands that documents show. `.ci/run` runs those that install or test this project."""

_NOTES = re.compile(r"((?:^<!-- [^\n]* -->\n)+)\Z", re.MULTILINE)
_NOTE = re.compile(r"<!-- ([a-z ]+): (.*) -->")
_FAR_AHEAD = ("2027-03-01", "2999-03-01")  # a day that documents name, and one that never passes
_KINDS = frozenset(("not run", "in", "exits with", "printed by", "part of", "part of file"))
_FENCE = re.compile(r"^ *```", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its place, its language, its text, and the comments above it.

    `start` and `end` are the offsets of its text in the document.
    """

    path: str
    line: int
    language: str
    source: str
    notes: Mapping[str, str]
    start: int
    end: int


class Printed(NamedTuple):
    """The output of a command."""

    code: int
    out: str
    err: str


def blocks_of(path: str) -> list[Block]:
    """Return all blocks of a document."""
    document = Document.parse(str(ROOT / path))
    text = document.text
    found = []
    for region in FencedCodeBlockLexer(r"[a-z]*")(document):
        above = _NOTES.search(text[: region.start])
        notes = dict(_NOTE.findall(above[1])) if above is not None else {}
        line = text.count("\n", 0, region.start) + 1
        start, end = text.index("\n", region.start) + 1, text.rindex("\n", region.start, region.end) + 1
        found.append(Block(path, line, region.lexemes["language"], text[start:end], notes, start, end))
    assert 2 * len(found) == len(_FENCE.findall(text)), f"{path}: a fence that sybil does not read"
    return found


def invoked(command: str) -> Printed:
    """Run a command in this process; in `a | b`, the second one reads the output of the first."""
    stdin = b""
    for part in command.split(" | "):
        words = [os.path.expandvars(word) for word in shlex.split(part.replace(*_FAR_AHEAD), comments=True)]
        if words[0] == "some-server-dump":
            stdin = Path("tools.json").read_bytes()
            continue
        assert words[0] == "mcp-contracts", f"not one of our commands: {part}"
        printed = _captured(words[1:], stdin)
        stdin = printed.out.encode()
    return printed


def _captured(arguments: list[str], stdin: bytes) -> Printed:
    written = (io.BytesIO(), io.BytesIO())
    out, err = (io.TextIOWrapper(one, encoding="utf-8", write_through=True) for one in written)
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = run(arguments)
    finally:
        sys.stdin = before
    return Printed(code, *(text.getvalue().decode() for text in written))


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Use the folder as the working directory, from which its modules can be imported."""
    before = Path.cwd()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        os.chdir(before)


class Runner:
    """Runs the blocks of one document, whose programs share their names."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names
        self._loop = asyncio.Runner()

    def close(self) -> None:
        """End the event loop of the programs, and close the files that they opened."""
        self._loop.close()
        for value in self._names.values():
            if isinstance(value, io.IOBase):
                value.close()

    def run(self, block: Block) -> None:
        """Run a block in the working directory, and compare what it shows."""
        assert block.notes.keys() <= _KINDS, f"a note is one of {', '.join(sorted(_KINDS))}"
        if "not run" in block.notes:
            assert len(block.notes["not run"]) > 10, "a block that is not run needs a reason"
            return
        if "printed by" in block.notes:
            assert block.source.rstrip() == printed_by(block).rstrip()
        elif "part of" in block.notes or "part of file" in block.notes:
            assert_part(block)
        else:
            by_language: dict[str, Callable[[Block], None]] = {
                "python": self._run_python,
                "sh": run_commands,
                "json": read_json,
                "yaml": read_yaml,
                "toml": read_toml,
                "markdown": read_markdown,
            }
            assert block.language in by_language, "a block needs a language, and `text` a note that says what prints it"
            by_language[block.language](block)

    def _run_python(self, block: Block) -> None:
        """Run each statement; a comment after a value or a `print` shows its output."""
        comments = {
            token.start[0]: token.string.removeprefix("#").strip()
            for token in tokenize.generate_tokens(io.StringIO(block.source).readline)
            if token.type == tokenize.COMMENT
        }
        for statement in ast.parse(block.source).body:
            shown = comments.get(statement.end_lineno or 0)
            is_value = isinstance(statement, ast.Expr)
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            where = f"{block.path}:{block.line}"
            if isinstance(statement, ast.Expr):
                code = compile(ast.Expression(statement.value), where, "eval", flags=flags)
            else:
                code = compile(ast.Module([statement], type_ignores=[]), where, "exec", flags=flags)
            with redirect_stdout(io.StringIO()) as printed:
                value = eval(code, self._names)
                if asyncio.iscoroutine(value):
                    value = self._loop.run(value)
            if shown is not None and is_value:
                if printed.getvalue():
                    assert printed.getvalue().rstrip("\n") == shown
                elif isinstance(value, bool | int | float | str | list | dict):
                    assert shown in (str(value), repr(value))


def run_commands(block: Block) -> None:
    """Run each command. All must succeed, except for the last one of a block that states its exit code."""
    commands = [
        part for line in block.source.replace("\\\n", " ").splitlines() if line.strip() for part in line.split(" && ")
    ]
    ours = [command for command in commands if shlex.split(command, comments=True)[0] not in NOT_OURS]
    for number, command in enumerate(ours, 1):
        printed = invoked(command)
        expected = int(block.notes.get("exits with", "0")) if number == len(ours) else 0
        assert printed.code == expected, f"`{command}` exits with {printed.code}: {printed.out}{printed.err}"


def printed_by(block: Block) -> str:
    """Return what the command of a block prints: its report or, without one, its messages."""
    printed = invoked(block.notes["printed by"])
    return printed.out or printed.err


def assert_part(block: Block) -> None:
    """Compare a block with the part of an output, a value or a file that it shows."""
    if "part of file" in block.notes:
        name, _, command = block.notes["part of file"].partition(" after: ")
        invoked(command)
        assert block.source.strip().replace(*_FAR_AHEAD) in Path(name).read_text("utf-8")
        return
    command, _, pointer = block.notes["part of"].partition(" at ")
    printed = invoked(command)
    if pointer:
        value = json.loads(printed.out)
        for key in pointer.removeprefix("/").split("/"):
            value = value[key] if isinstance(value, dict) else next(one for one in value if one["tool"] == key)
        assert_within(json.loads(block.source), value)
    else:
        whole = f"{printed.out}\n{printed.err}"
        assert block.source.strip("\n") in whole, whole


def assert_within(shown: Any, actual: Any) -> None:
    """Compare a shown JSON value with the actual one, which may have more keys."""
    if isinstance(shown, dict):
        assert isinstance(actual, dict)
        for key, value in shown.items():
            assert_within(value, actual.get(key, "a key that is not there"))
    elif isinstance(shown, list):
        assert isinstance(actual, list)
        assert len(shown) == len(actual)
        for one, other in zip(shown, actual, strict=True):
            assert_within(one, other)
    else:
        assert shown == actual


def read_json(block: Block) -> None:
    """Read a JSON value; a message of the protocol must be valid."""
    value = json.loads(block.source)
    if "tool_name" in value:
        MCPToolCall.model_validate(value)
    elif "status" in value:
        MCPToolResult.model_validate(value)


def read_toml(block: Block) -> None:
    """Read a configuration."""
    Path("pyproject.toml").write_text(block.source, encoding="utf-8")
    assert load_config(Path(), known=known_rules(), changes=change_rule_infos).path is not None


def read_yaml(block: Block) -> None:
    """Read a configuration, accepted changes, front matter, hooks, or steps of a workflow, whose commands are run."""
    if block.source.startswith("---"):
        Path(SPEC_NAME).write_text(f"{block.source}\n{tool('weather.find')}", encoding="utf-8")
        assert not load(SPEC_NAME).files[0].faults
        return
    value = yaml.safe_load(block.source)
    if isinstance(value, dict) and "accepted" in value:
        Path(ACCEPTED_FILE).write_text(block.source, encoding="utf-8")
        assert read_accepted(Path(ACCEPTED_FILE))
    elif isinstance(value, dict) and "suppressions" in value:
        Path("mcp-contracts.yaml").write_text(block.source, encoding="utf-8")
        load_config(Path(), known=known_rules(), changes=change_rule_infos)
    else:
        steps = [value] if isinstance(value, dict) and "run" in value else _jobs(value)
        for step in steps:
            _run_step(block, step)


def _jobs(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [{"run": job["script"]} for job in value.values()]


def _run_step(block: Block, step: Mapping[str, Any]) -> None:
    """Run a step of GitHub or GitLab, or a hook of pre-commit; an action of others is not run."""
    if "hooks" in step:
        ours = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
        assert {hook["id"] for hook in step["hooks"]} <= ours
    elif "run" in step:
        run_commands(Block(block.path, block.line, "sh", step["run"], block.notes, 0, 0))
    else:
        assert re.fullmatch(r"[\w-]+/[\w/-]+@v\d+", step["uses"])


def read_markdown(block: Block) -> None:
    """Put a piece of a specification into its context, and lint the result."""
    if block.source.startswith("<!-- mcp-contracts:"):
        pieces = tool().replace("### 5. Error Handling\n", f"### 5. Error Handling\n\n{block.source}")
        codes = ["MC012"]
    elif block.source.startswith("## Tool"):
        head, _, _ = block.source.partition("### 1.")
        pieces = f"{head}### 1.{tool('weather.get_forecast').partition('### 1.')[2]}"
        pieces = pieces.replace('"tool_name": "notes.find"', '"tool_name": "weather.get_forecast"')
        codes = ["MC201", "MC202", "MC006"]
    elif "**From" in block.source:
        note = block.source.removeprefix("### 9. Migration").strip()
        contract = _loaded(tool(migration=note)).contracts[0]
        assert contract.migrations
        return
    elif block.source.startswith("| Parameter"):
        pieces = tool().replace(
            "### 3. Input Schema (Parameters)\n", f"### 3. Input Schema (Parameters)\n\n{block.source}"
        )
        assert _loaded(pieces).tools[0].input_table is not None
        return
    else:
        before, _, after = tool().partition("- `TimeoutError`")
        contract = _loaded(f"{before}{block.source}{after[after.index(chr(10) * 2) :]}").contracts[0]
        assert contract.errors
        return
    Path(SPEC_NAME).write_text(spec(pieces), encoding="utf-8")
    report = json.loads(invoked(f"mcp-contracts lint {SPEC_NAME} --format json").out)
    assert [one for one in report["diagnostics"] if one["code"] in codes] == []


def _loaded(text: str) -> Any:
    Path(SPEC_NAME).write_text(spec(text), encoding="utf-8")
    return load(SPEC_NAME).files[0]
