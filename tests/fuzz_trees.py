"""Test the whole command line with hostile trees, configurations and arguments: `python -m tests.fuzz_trees`.

For any tree, a run ends with a report or a message, and neither prints nor writes anything outside the tree. The same
seed gives the same trees.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from mcp_contracts.cli.app import run

SECRET = "ghs_q9Z3secretsecretsecretsecret0123456"
MOST_SECONDS = 10.0
SPEC = "MCP_TOOL_SPECIFICATION.md"
_NAMES = (
    SPEC, SPEC, SPEC, SPEC.lower(), "tools.json", ".gitignore", "pyvenv.cfg", "mcp-contracts.yaml", "pyproject.toml",
    "mcp-contracts-accepted.yaml", "module.py", "a b", "\x1b[31m", "new\nline", "-x", "é", "\udcff", "##[error]", "*",
)  # fmt: skip
_FOLDERS = ("specs", "a", "node_modules", ".venv", "build", "linked", "..a", "\x1b]0;x\x07", "a" * 200, "-q")
_TARGETS = (
    "{outside}/env", "{outside}", "{outside}/" + SPEC, "/proc/self/environ", "/dev/zero", "/dev/stdin", "..", ".",
    "../..", ".git/config", "../.git", "loop", "nowhere", SPEC, "/", "/proc/self/fd/0", "/proc/self/cwd", "/etc/passwd",
)  # fmt: skip
_LINES = (
    "*", "**/", "specs/", "!specs/", "*a" * 40 + "b", "[", "[[:x:]]", "\\", "a" * 5000, "**/" * 500, "#x", "\udcff",
    "\0",
)  # fmt: skip
_VALUES: tuple[object, ...] = (
    None, True, -1, 0, 1.5, 10**30, float("nan"), float("inf"), "", " ", "x" * 100_000, "\x1b[31m", "\0", "(a+)+$", "(",
    "(?=a)", "../..", "/proc/self/environ", "-", "git:HEAD", "git:--output=x", "stdio:touch x", "http://127.0.0.1:1/",
    "python:os", "**/*", "[", "MC3", "MC", "all", "openai", [], [[]], ["a"] * 2000, {}, {"a": {}}, "2027-01-01", "a\nb",
    ["/proc/self/environ"], [".."], ["linked"], [SPEC], ["."], "off", "error", [{}], [{"code": "MC3", "reason": "x"}],
    [{"paths": ["*"], "ignore": ["MC3"]}], {"max_file_size": 10**12}, {"MC3": "off"}, "\u202e", "{outside}/env",
)  # fmt: skip
_KEYS = (
    "paths", "exclude", "select", "extend_select", "extend-select", "ignore", "severity", "overrides", "name_pattern",
    "targets", "limits", "max_warnings", "suppressions", "diff", "x" * 1000, "\x1b", "", "paths.a",
)  # fmt: skip
_RAW = (
    b"\xff\xfe\x00", b"\xef\xbb\xbfpaths: [specs]", b"a: &a [*a]", b"- " * 2000, b"{" * 5000, b"[" * 5000, b"\0",
    b"[tool.mcp-contracts]\nmax_warnings = " + b"9" * 5000, b"[tool.mcp-contracts]\n" + b"a." * 5000 + b"b = 1",
    b"[tool.mcp-contracts]\npaths = [" + b"[" * 3000, b"!!python/object/apply:os.system ['touch x']", b"? [a]\n: b",
    b"[tool]\nmcp-contracts = 3", b"a: 1\na: 2", b"%YAML 9.9\n---\na", b"accepted: [{tool: a}]", b"accepted: 3",
)  # fmt: skip
_SPEC_TEXT = """---
module: notes
---

# notes

## Tool: `notes.find`

**Version**: 1.0.0

### 3. Input Schema (Parameters)

```json
{"type": "object", "properties": {"a": {"type": "string"}}}
```
"""
_WORDS = (
    "json", "sarif", "markdown", "out", "linked", "linked/out", ".", "/dev/full", "MC3", "\x1b[31m", "MC3=off",
    "MC3=\x1b", "all", "x" * 5000, "mcp-contracts.yaml", "pyproject.toml", "9" * 5000, "-1", "0", "module.py",
    "linked/module.py", "specs", "HEAD", "HEAD^{tree}", "@{-1}", "--output=x", "tools.json", "-", "a" * 300,
    "2027-13-01", "2100-01-01", "",
    "a:b:c:" * 50, "limit:integer", "read-only", "new\nline", "strict", "error", "github", "Type:when", "\udcff", "/",
)  # fmt: skip
_SOURCES = (
    "specs", "specs", ".", "tools.json", "linked", "-", "git:HEAD", "git:HEAD:linked", "git:HEAD:" + SPEC, "git:@", "",
    "git:HEAD:../..", SPEC, "a", "-q", "a" * 300, "node_modules", "build", "/dev/null", "git:HEAD:.", "\x1b]0;x\x07",
)  # fmt: skip
_SHARED = "--output --ignore --config --max-warnings"
_OPTIONS = {
    "lint": f"{_SHARED} --format --select --severity --target --implementation --against --verbose! --quiet!",
    "diff": f"{_SHARED} --format --against --accept! --accepted --reason --until --policy --verbose! --all!",
    "export": f"{_SHARED} --to --check! --names --tool --exclude --budget",
    "new": "--into --param --returns --error --effects --idempotent --security --description",
    "rules": "--format",
    "explain": "--format",
    "nothing\x1b": "--help!",
}


def build(rng: random.Random, root: Path, outside: Path) -> None:
    """Build a hostile tree, and commit it as far as git allows."""
    root.mkdir()
    for _ in range(rng.randrange(2, 14)):
        folder = root.joinpath(*rng.choices(_FOLDERS, k=rng.randrange(3)))
        path = folder / rng.choice((*_NAMES, *_FOLDERS))
        with contextlib.suppress(OSError, ValueError):  # omit what the file system rejects
            if not folder.resolve().is_relative_to(root.resolve()):
                continue
            folder.mkdir(parents=True, exist_ok=True)
            if rng.random() < 0.4:
                path.symlink_to(rng.choice(_TARGETS).format(outside=outside))
            elif not path.is_symlink():
                path.write_bytes(_content(rng, path.name, outside))
                path.chmod(rng.choice((0o644, 0o4755, 0o600)))
    for arguments in (("init", "-q"), ("add", "-A", "-f"), ("commit", "-qm", "x")):
        if rng.random() < 0.9:
            subprocess.run(("git", *arguments), cwd=root, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    with contextlib.suppress(OSError):
        (root / ".git" / "config").open("a").write(f"[x]\n\ttoken = {SECRET}\n")


def _content(rng: random.Random, name: str, outside: Path) -> bytes:
    if rng.random() < 0.1:
        return rng.choice(_RAW)
    if name == ".gitignore":
        return "\n".join(rng.choices(_LINES, k=4)).encode("utf-8", "surrogateescape")
    if name.endswith((".yaml", ".toml")):
        if rng.random() < 0.2:
            return rng.choice(_RAW)
        values = {rng.choice(_KEYS): rng.choice(_VALUES) for _ in range(rng.randrange(1, 4))}
        text = json.dumps(values).replace("{outside}", str(outside))
        if name.endswith(".yaml"):
            return text.encode("utf-8", "surrogatepass")
        lines = (f"{json.dumps(key)} = {json.dumps(value)}" for key, value in values.items())
        return ("[tool.mcp-contracts]\n" + "\n".join(lines)).encode("utf-8", "surrogatepass")
    if name == "tools.json":
        return b'{"tools": [{"name": "find", "inputSchema": {"type": "object"}}]}'
    return _SPEC_TEXT.encode()


def arguments(rng: random.Random) -> list[str]:
    """Return a command line."""
    command = rng.choice((*_OPTIONS, "lint", "lint", "diff"))
    line = [command]
    if command == "export":
        line += ["--to", rng.choice(("openai", "mcp", "prompt", "gbnf", "bundle"))]
    if command == "new":
        line.append(rng.choice(("notes.find", "notes.find", "a." * 150 + "b", "é.b", "\x1b", "a" * 126 + ".b")))
    else:
        line += rng.choices(_SOURCES, k=2 if command == "diff" and rng.random() < 0.5 else rng.randrange(2))
    for option in rng.choices(_OPTIONS[command].split(), k=rng.choice((0, 0, 1, 1, 2, 3))):
        line += [option.rstrip("!")] if option.endswith("!") else [option, rng.choice(_WORDS)]
    return line


def broken(rng: random.Random, folder: Path) -> Iterator[str]:
    """Yield the rules that a run in a hostile tree breaks."""
    outside, root = folder / "outside", folder / "repo"
    outside.mkdir()
    for name in ("env", SPEC, "module.py"):
        (outside / name).write_text(f"TOKEN = '{SECRET}\n")
    before = {path.name: path.read_bytes() for path in outside.iterdir()}
    build(rng, root, outside)
    os.chdir(root)
    for _ in range(4):
        line = arguments(rng)
        streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape") for _ in range(3)]
        sys.stdin, sys.stdout, sys.stderr = streams
        begun = time.perf_counter()
        try:
            code = run(line)
        except BaseException as error:
            code = f"{type(error).__name__}: {error}"  # type: ignore[assignment]  # told as it is
        finally:
            sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__
        for stream in streams:
            with contextlib.suppress(ValueError):
                stream.flush()
        printed = b"".join(stream.buffer.getvalue() for stream in streams if not stream.closed)
        shown = " ".join(repr(word[:60]) for word in line)
        if code not in (0, 1, 2, 3):
            yield f"{shown}: exit {code}: {printed[-500:]!r}"
        if SECRET.encode() in printed or b"root:x:0" in printed:
            yield f"{shown}: prints what lies outside"
        if b"\x1b" in printed:
            yield f"{shown}: prints a raw escape: {printed[:300]!r}"
        if (took := time.perf_counter() - begun) > MOST_SECONDS:
            yield f"{shown}: takes {took:.1f} s"
    if {path.name: path.read_bytes() for path in outside.iterdir()} != before:
        yield "something outside the tree was written"


def main() -> int:
    """Build trees, run commands in them, and print each problem with its seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    os.environ.update(TOKEN=SECRET, GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a", GIT_COMMITTER_NAME="a")
    os.environ["GIT_COMMITTER_EMAIL"] = "a"
    bad = 0
    for seed in range(options.seed, options.seed + options.runs):
        bad += _run_one(seed)
    print(f"{options.runs} trees, {bad} of them broke something")
    return 1 if bad else 0


def _run_one(seed: int) -> bool:
    folder = Path(tempfile.mkdtemp())
    try:
        faults = list(broken(random.Random(seed), folder))
    finally:
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
    for fault in faults:
        print(f"seed {seed}: {fault}")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
