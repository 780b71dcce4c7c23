"""Seven published servers, each version compared with the previous one and with a person's reading.

Their tool lists belong to others and are not part of the project: `MCP_CONTRACTS_CORPUS` is the folder that contains
`corpus/servers/`. The record contains only names, codes and verdicts. A person has compared each break in it with both
lists.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from mcp_contracts.change import Policy, Verdict
from mcp_contracts.checks.diff import Comparison, compare
from mcp_contracts.sources.load import load
from tests.tables import each

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
RECORD = Path(__file__).parent / "golden" / "server_versions.json"
POLICIES: tuple[Policy, ...] = ("declared", "sets")
SERVERS = (
    "mcp-server-fetch",
    "mcp-server-git",
    "mcp-server-time",
    "server-everything",
    "server-filesystem",
    "server-memory",
    "server-sequential-thinking",
)

pytestmark = pytest.mark.skipif(not CORPUS, reason="MCP_CONTRACTS_CORPUS does not say where the servers are")


@cache
def comparisons(server: str, policy: Policy) -> tuple[tuple[str, Comparison], ...]:
    """Return each step of a server from one version to the next."""
    folder = Path(CORPUS or "") / "corpus" / "servers" / server
    versions = sorted(folder.glob("*.json"), key=lambda path: [int(part) for part in path.stem.split(".")])
    return tuple(
        (f"{old.stem} to {new.stem}", compare(load(old), load(new), policy=policy)) for old, new in pairwise(versions)
    )


def lines(server: str, policy: Policy) -> Iterator[str]:
    """Return the changes, with one line for each tool, code and verdict of a step."""
    for step, comparison in comparisons(server, policy):
        found = {(tool.tool, change.code, change.verdict.value) for tool, change in comparison.report.changes()}
        yield from (f"{step}: {tool} {code} {verdict}" for tool, code, verdict in sorted(found))


def test_every_server_of_the_corpus_is_recorded() -> None:
    folders = {path.name for path in (Path(CORPUS or "") / "corpus" / "servers").iterdir()}

    assert folders == set(SERVERS)


@each("policy", POLICIES)
@each("server", SERVERS)
def test_the_versions_of_a_server_differ_as_a_person_has_read(server: str, policy: Policy) -> None:
    expected = json.loads(RECORD.read_text("utf-8"))[policy][server]

    assert list(lines(server, policy)) == expected


@each("policy", POLICIES)
@each("server", SERVERS)
def test_every_change_of_a_server_is_decided(server: str, policy: Policy) -> None:
    for _, comparison in comparisons(server, policy):
        assert not comparison.troubles
        assert comparison.report.count(Verdict.UNKNOWN) == 0


@each("policy", POLICIES)
@each("server", SERVERS)
def test_the_witness_of_a_break_is_about_the_break(server: str, policy: Policy) -> None:
    for step, comparison in comparisons(server, policy):
        for tool, change in comparison.report.changes():
            if change.witness is None or change.new_pointer is None or "/properties/" not in change.new_pointer:
                continue
            name = change.new_pointer.split("/properties/")[1].split("/")[0]
            assert f"`{name}`" in change.witness.error, (step, tool.tool, change.message)


@each("policy", POLICIES)
@each("server", SERVERS)
def test_a_version_against_itself_is_silent(server: str, policy: Policy) -> None:
    for path in sorted((Path(CORPUS or "") / "corpus" / "servers" / server).glob("*.json")):
        report = compare(load(path), load(path), policy=policy).report

        assert not list(report.changes()), path.stem
