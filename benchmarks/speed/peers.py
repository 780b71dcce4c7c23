"""Other tools, each with the part of the job that it does: its input, and how it is started."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.speed.measuring import Command

_ONE = frozenset((0, 1))  # 1 for findings


@dataclass(frozen=True, slots=True)
class Peer:
    """Another tool: `words` builds its command from its executable and the folder of the inputs.

    `goal` is the minimum ratio of its time to ours; None if it is only listed for comparison.
    """

    name: str
    job: str
    package: str
    goal: float | None
    words: Callable[[str, Path], Sequence[str]]


def _schemas(folder: Path) -> list[str]:
    return sorted(str(path) for path in (folder / "schemas").glob("*.json"))


PEERS = (
    Peer(
        "check-jsonschema",
        "checks the schemas against their meta-schema",
        "check-jsonschema (pip)",
        5,
        lambda program, folder: [program, "--check-metaschema", *_schemas(folder)],
    ),
    Peer(
        "ajv",
        "compiles the schemas",
        "ajv-cli, ajv (npm)",
        5,
        lambda program, folder: [
            *(program, "compile", "--spec=draft2020", "--strict=false", "-s", str(folder / "schemas" / "*.json"))
        ],
    ),
    Peer(
        "markdownlint-cli2",
        "lints the Markdown",
        "markdownlint-cli2 (npm)",
        10,
        lambda program, folder: [program, f"{(folder / 'clean').relative_to(folder)}/**/*.md"],
    ),
    Peer(
        "spectral",
        "runs one rule over the schemas",
        "@stoplight/spectral-cli (npm)",
        30,
        lambda program, folder: [
            program,
            "lint",
            "-q",
            "-r",
            str(folder / "schemas" / "rules.yaml"),
            *_schemas(folder),
        ],
    ),
    Peer(
        "ruff",
        "lints the same number of Python files and lines",
        "ruff (pip)",
        None,
        lambda program, folder: [program, "check", "--isolated", "--no-cache", "python"],
    ),
)
"""Tools that check files, compared with a lint of the specifications."""

SERVER_PEERS = (
    Peer(
        "mcp-contract",
        "compares a live server with its record",
        "mcp-contract (pip)",
        None,
        lambda program, folder: [program, "check", "--file", "mcp-contract.json", "--", *server(folder, "new")],
    ),
    Peer(
        "mcp-diff",
        "compares a live server with its record",
        "mcp-diff (pip)",
        None,
        lambda program, folder: [program, "check", "--lockfile", "mcp-schema.lock", *server(folder, "new")],
    ),
)
"""Tools that compare a live MCP server with a record of it, compared with our `diff` of both."""

UNAVAILABLE = ("mcpdiff (neither pip nor npm has a package of this name)",)
"""Tools that cannot be installed by their name."""

_RECORDS = {
    "mcp-contract": ("snapshot", "--file", "mcp-contract.json", "--"),
    "mcp-diff": ("snapshot", "--output", "mcp-schema.lock"),
}


def server(folder: Path, side: str) -> list[str]:
    """Return the command of a server that lists the tools of one side."""
    return [sys.executable, str(folder / "pair" / "server.py"), str(folder / "pair" / f"{side}.json")]


def installed(peers: Sequence[Peer]) -> Iterator[tuple[Peer, str]]:
    """Yield each peer on the `PATH`, with its executable."""
    for peer in peers:
        program = shutil.which(peer.name)
        if program is not None:
            yield peer, program


def commands(peers: Sequence[Peer], folder: Path) -> Iterator[Command]:
    """Yield the command of each installed peer, after making the records that it needs."""
    for peer, program in installed(peers):
        if peer.name in _RECORDS:
            recording = [program, *_RECORDS[peer.name], *server(folder, "old")]
            subprocess.run(recording, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        yield Command(peer.name, peer.words(program, folder), codes=_ONE)


def version_of(program: str) -> str:
    """Return the version that an executable states, or an empty text."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"\d+\.\d+\.\d+", done.stdout)
    return found[0] if found is not None else ""
