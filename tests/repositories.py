"""Real git repositories, and the specifications that tests commit to them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.contract import JsonValue
from mcp_contracts.parsing.discovery import SPEC_NAME

ROOT = Path(__file__).resolve().parents[1]
PATH = f"specs/notes/{SPEC_NAME}"
"""The path of the specification in most tests, from the root of its repository."""

_DESCRIPTION = "Returns the notes that hold some words, the newest first. It changes nothing."
_LIMIT: dict[str, JsonValue] = {
    "type": "integer",
    "description": "How many notes at most.",
    "minimum": 1,
    "maximum": 100,
}


def isolate(monkeypatch: pytest.MonkeyPatch, home: Path, ceiling: Path) -> None:
    """Use only the test's configuration of git, and the same author and time for every commit."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    settings = {
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(ceiling),
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
        "GIT_CONFIG_COUNT": "1",  # a commit starts no cleanup process
        "GIT_CONFIG_KEY_0": "maintenance.auto",
        "GIT_CONFIG_VALUE_0": "false",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)


def git(*arguments: str, cwd: Path | None = None) -> str:
    """Run git and return its output; the test fails if git fails."""
    ran = subprocess.run(("git", *arguments), cwd=cwd, capture_output=True, check=True, stdin=subprocess.DEVNULL)
    return ran.stdout.decode("utf-8", "replace").strip()


def new_repository(folder: Path, *, branch: str = "main") -> Path:
    """Create an empty repository."""
    git("init", "--quiet", "--template=", "--initial-branch", branch, str(folder))
    return folder


_built: dict[Callable[[], object], Path] = {}


def built_repository(folder: Path, build: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a repository with a function, as the working directory; after the first time, copy it.

    Call `isolate` first. The folder must be in a test's `tmp_path`.
    """
    if build in _built:
        shutil.copytree(_built[build], folder, symlinks=True)
        monkeypatch.chdir(folder)
    else:
        monkeypatch.chdir(new_repository(folder))
        build()
        beside_the_tests = folder.parents[1]  # pytest removes it
        _built[build] = shutil.copytree(folder, Path(tempfile.mkdtemp(dir=beside_the_tests)) / "copy", symlinks=True)
    return folder


def commit_one() -> None:
    """Commit a valid specification, version 1.0.0."""
    write(PATH, spec(tool(), version="1.0.0"))
    commit()


def commit(message: str = "change") -> str:
    """Commit everything in the working directory."""
    git("add", "--all")
    git("commit", "--quiet", "--allow-empty", "--message", message)
    return git("rev-parse", "HEAD")


def write(path: str | Path, text: str | bytes) -> Path:
    """Write a file, with its parent folders."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def edit(path: str | Path, old: str, new: str) -> None:
    """Replace text that occurs once in a file."""
    file = Path(path)
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


_RUNS = """\
import contextlib, io, json, sys
from mcp_contracts.cli.app import run

found = []
for arguments in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")) as out:
        code = run(arguments)
    out.flush()
    found.append((code, out.buffer.getvalue().decode("utf-8")))
json.dump(found, sys.stdout)
"""


def in_another_process(*runs: list[str], cwd: Path, **environment: str) -> list[tuple[int, str]]:
    """Return the exit codes and the output of several runs, in sequence in one other process."""
    ran = subprocess.run(
        [sys.executable, "-c", _RUNS, json.dumps(runs)],
        cwd=cwd,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        timeout=60,
        check=True,
    )
    return [(code, out) for code, out in json.loads(ran.stdout)]


def input_schema(**limit: JsonValue) -> dict[str, JsonValue]:
    """Return the input of the tool in most tests, with the given keywords of its limit, without those that are null."""
    changed: dict[str, JsonValue] = {name: value for name, value in {**_LIMIT, **limit}.items() if value is not None}
    words: JsonValue = {"type": "string", "description": "What the notes must hold.", "minLength": 1, "maxLength": 200}
    return {
        "type": "object",
        "properties": {"words": words, "limit": changed},
        "required": ["words"],
        "additionalProperties": False,
    }


_OUTPUT: JsonValue = {
    "type": "object",
    "properties": {
        "notes": {
            "type": "array",
            "description": "The notes that were found.",
            "items": {"type": "string", "description": "The text of a note."},
        }
    },
    "required": ["notes"],
}


def tool(
    name: str = "notes.find",
    version: str | None = "1.0.0",
    *,
    input: JsonValue = None,  # noqa: A002  # the name of the section, used in fifty places
    output: JsonValue = None,
    status: str = "stable",
    description: str = _DESCRIPTION,
    migration: str | None = None,
) -> str:
    """Return the canonical section of one valid tool."""
    schema = input_schema() if input is None else input
    call: JsonValue = {"tool_name": name, "arguments": {"words": "milk"}}
    answer: JsonValue = {
        "status": "success",
        "data": {"notes": ["Buy milk."]},
        "error": None,
        "explanation": "One was found.",
    }
    error: JsonValue = {
        "error_type": "TimeoutError",
        "error_message": "It took longer than 10 s.",
        "error_details": None,
    }
    failure: JsonValue = {"status": "failure", "data": None, "error": error, "explanation": "Nothing was read."}
    stated = "" if version is None else f"**Version**: {version}\n"
    note = "" if migration is None else f"\n### 9. Migration\n\n{migration}\n"
    return f"""\
## Tool: `{name}`

{stated}**Status**: {status}
**Effects**: read-only, closed-world
**Category**: notes
**Tags**: notes, search
**Use when**: the user asks for a note by its words, and {name} is the tool for it

### 1. Tool Purpose and Description

{description}

### 2. Invocation Name

`{name}`

### 3. Input Schema (Parameters)

{_fence(schema)}

### 4. Output Schema (Return Value)

{_fence(_OUTPUT if output is None else output)}

### 5. Error Handling

- `TimeoutError`: the notes could not be read within 10 seconds.

### 6. Idempotency

**Idempotent**: yes

### 7. Usage Examples

{_fence(call)}

{_fence(answer)}

{_fence(failure)}

### 8. Security Considerations

It reads notes of the user who asks, and no others. Words are compared, never executed.
{note}"""


def spec(*tools: str, module: str = "notes", version: str | None = None) -> str:
    """Return a specification of some tools."""
    stated = "" if version is None else f"version: {version}\n"
    return f"---\nmodule: {module}\n{stated}---\n\n# {module}: tool specification\n\n" + "\n".join(tools)


def tool_list(*tools: dict[str, Any]) -> str:
    """Return a JSON tool list."""
    return json.dumps({"tools": tools})


def listed(name: str = "find", schema: JsonValue = None, **others: JsonValue) -> dict[str, Any]:
    """Return one tool of a tool list."""
    return {
        "name": name,
        "description": _DESCRIPTION,
        "inputSchema": input_schema() if schema is None else schema,
        **others,
    }


def _fence(value: JsonValue) -> str:
    return f"```json\n{json.dumps(value, indent=2)}\n```"
