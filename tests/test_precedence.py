"""One fault, one diagnostic: each precedence proved with a file, and the legacy dialects of real ones."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from mcp_contracts.checks.lint import lint
from mcp_contracts.contract import Contracts, SpecFile
from mcp_contracts.diagnostics import Diagnostic
from mcp_contracts.rules.base import Rule, RuleOptions
from mcp_contracts.rules.engine import run_rules
from mcp_contracts.rules.precedence import ABSORBED_BY_LEGACY, ABSORBED_WHERE_LISTED, LEGACY, PRECEDENCES
from mcp_contracts.rules.registry import LINT_RULES, known_rules
from mcp_contracts.sources.load import load

CASES = sorted(
    path for path in (Path(__file__).parent / "cases" / "precedence").iterdir() if path.suffix in (".md", ".json")
)
RULES: dict[str, Rule] = {rule.info.code: rule for rule in LINT_RULES}
PAIRS = [(precedence.winner, loser) for precedence in PRECEDENCES for loser in precedence.losers]

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
SPECS = sorted(Path(CORPUS, "corpus", "specs").rglob("*.md")) if CORPUS else []
OF_REAL_SPECS = pytest.mark.skipif(not SPECS, reason="MCP_CONTRACTS_CORPUS names no corpus of specifications")


@cache
def contracts_of(path: Path) -> Contracts:
    return load(path)


def lines(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    """Diagnostics as `NAME.expected` has them."""
    return [f"{item.place.line}:{item.place.column} {item.severity} {item.code} {item.message}" for item in diagnostics]


def count(code: str, path: Path, *others: str) -> int:
    """How many diagnostics a rule gives where it runs beside some others only."""
    rules = [RULES[name] for name in (code, *others)]
    return sum(item.code == code for item in run_rules(contracts_of(path), rules, RuleOptions()))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_gives_the_diagnostics_that_are_expected(path: Path) -> None:
    report = lint(contracts_of(path))

    assert lines(report.shown()) == path.with_suffix(".expected").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("winner", "loser"), PAIRS)
def test_of_two_rules_that_name_one_fault_one_stays(winner: str, loser: str) -> None:
    proofs = [
        path.stem
        for path in CASES
        if count(winner, path) and count(winner, path, loser) and count(loser, path) > count(loser, path, winner)
    ]

    assert proofs, "no case shows both rules naming one fault: write one, or take the entry out of the table"


def test_every_code_in_the_tables_is_a_rule() -> None:
    named = {code for pair in PAIRS for code in pair} | ABSORBED_BY_LEGACY | ABSORBED_WHERE_LISTED | {LEGACY}

    assert named <= known_rules().keys()


def test_every_precedence_has_a_reason_and_is_said_once() -> None:
    assert all(precedence.reason for precedence in PRECEDENCES)
    assert max(Counter(PAIRS).values()) == 1


@OF_REAL_SPECS
def test_the_dialect_of_a_real_specification_is_one_diagnostic_that_names_its_tools() -> None:
    for path in SPECS:
        file = contracts_of(path).files[0]
        assert isinstance(file, SpecFile)

        found = [item for item in lint(contracts_of(path)).shown() if item.code == LEGACY]

        named = [related.message for item in found for related in item.related]
        assert len(found) <= 1, path.parent.name
        assert named == [tool.contract.name for tool in file.tools if tool.is_legacy], path.parent.name


@OF_REAL_SPECS
def test_no_place_of_a_real_specification_is_named_twice_by_one_rule() -> None:
    for path in SPECS:
        places = Counter((item.code, item.place, item.message) for item in lint(contracts_of(path)).shown())

        assert not [key for key, times in places.items() if times > 1], path.parent.name
