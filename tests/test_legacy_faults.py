"""Faults planted one at a time into specifications in older dialects are each found inside their tool.

`cases/dialects/` contains our own texts, and the corpus (`MCP_CONTRACTS_CORPUS`) real ones.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts
from mcp_contracts.diagnostics import Diagnostic
from mcp_contracts.parsing.spec import read_spec
from tests.legacy_faults import FRESH, KINDS, Kind, Planted, planted
from tests.sweeps import share, size, sweep

OWN = sorted((Path(__file__).parent / "cases" / "dialects").glob("*.md"))
CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
REAL = sorted(Path(CORPUS, "corpus", "specs").rglob("*.md")) if CORPUS else []
MOST_OF_A_KIND = size(3, 3)
"""The number of real specifications that a kind of fault is planted into: lint runs once for each."""
FOUND = 95
"""Per hundred."""


def shown(path: Path, text: str) -> tuple[Diagnostic, ...]:
    return lint(Contracts((read_spec(str(path), text),))).shown()


@cache
def before(path: Path) -> Counter[tuple[str, str, str | None]]:
    return Counter((found.code, found.message, found.tool) for found in shown(path, path.read_text("utf-8")))


def plants(path: Path, kinds: Mapping[str, Kind]) -> Iterator[Planted]:
    """Plant each kind once, into the first tool that has a place for it."""
    text = path.read_text("utf-8")
    tools = [(tool.contract.name, *tool.lines) for tool in read_spec(str(path), text).tools if not tool.is_listed_only]
    seen = set()
    for plant in planted(text, tools, kinds):
        if plant.kind not in seen:
            seen.add(plant.kind)
            yield plant


def is_found(path: Path, plant: Planted) -> bool:
    """Whether a diagnostic is new and inside the tool."""
    left = Counter(before(path))
    for found in shown(path, plant.text):
        key = found.code, found.message, found.tool
        if left[key]:
            left[key] -= 1
        elif plant.rows[0] <= found.place.line <= plant.rows[1]:
            return True
    return False


def taken(kinds: Mapping[str, Kind], first: int, one_in: int) -> dict[str, Kind]:
    """Return a share of the kinds, beginning with one of them."""
    rows = [*kinds.items()]
    return dict(share(rows[first:] + rows[:first], one_in))


@sweep
@pytest.mark.parametrize("number", range(len(OWN)), ids=[path.stem for path in OWN])
@pytest.mark.parametrize("kinds", [KINDS, FRESH], ids=["kinds", "fresh"])
def test_each_fault_planted_into_a_dialect_is_found_in_its_tool(number: int, kinds: Mapping[str, Kind]) -> None:
    path = OWN[number]  # each dialect gets different kinds in turn, so that some dialect gets each kind

    missed = [plant.kind for plant in plants(path, taken(kinds, number % 3, 3)) if not is_found(path, plant)]

    assert missed == []


@sweep
@pytest.mark.skipif(not REAL, reason="MCP_CONTRACTS_CORPUS names no corpus of specifications")
@pytest.mark.parametrize("kinds", [KINDS, FRESH], ids=["kinds", "fresh"])
def test_most_faults_planted_into_real_specifications_are_found(kinds: Mapping[str, Kind]) -> None:
    times: Counter[str] = Counter()
    missed = []
    chosen = taken(kinds, 0, 6)
    for path in REAL:
        wanted = {kind: plant for kind, plant in chosen.items() if times[kind] < MOST_OF_A_KIND}
        for plant in plants(path, wanted) if wanted else ():
            times[plant.kind] += 1
            if not is_found(path, plant):
                missed.append(f"{plant.kind} in {path.parent.name}, line {plant.line}")

    assert len(missed) * 100 <= times.total() * (100 - FOUND), missed


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_a_dialect_without_faults_has_hardly_any_other_finding(path: Path) -> None:
    codes = {found.code for found in shown(path, path.read_text("utf-8"))}

    assert "MC006" in codes
    assert codes <= {"MC006", "MC305", "MC316"}


def test_the_faults_cover_enough_kinds_and_dialects() -> None:
    assert len(KINDS) + len(FRESH) >= 100
    assert len(OWN) >= 6
