"""Every change rule, checked with its example, and the symmetry of inputs and outputs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from mcp_contracts.change import DiffReport, Verdict
from mcp_contracts.changes import guarantees, tools
from mcp_contracts.changes.base import ChangeRule, SchemaRule
from mcp_contracts.changes.registry import (
    CHANGE_FAMILIES,
    NOT_COMPARABLE,
    SCHEMA_RULES,
    TOOL_RULES,
    WHOLE,
    change_rule_infos,
    hint_for,
    incomparable_rule,
    known_changes,
    rule_of,
    whole_rule,
)
from mcp_contracts.checks.catalog import CHANGE_EXAMPLES, EXAMPLES, example_source, read_change_example, read_example
from mcp_contracts.checks.diff import diff
from mcp_contracts.comparison.fact import FactKind
from mcp_contracts.diagnostics import RuleInfo, Severity
from mcp_contracts.parsing.discovery import find_specs
from mcp_contracts.rules.listing import known_rules
from mcp_contracts.rules.releases import RELEASE_RULES
from mcp_contracts.sources.load import load
from tests.maintenance.change_examples import change_lines, compared_release, diagnostic_lines
from tests.maintenance.generate import ROOT
from tests.tables import each

CHANGES = pytest.mark.parametrize("info", change_rule_infos(), ids=lambda info: info.code)
EACH_CHANGE = each("info", change_rule_infos(), ids=lambda info: info.code)
RELEASES = pytest.mark.parametrize("info", RELEASE_RULES, ids=lambda info: info.code)
BREAKS_BOTH_WAYS = {
    "BC103": "for those who call it, a tool that is renamed back is gone as well",
    "BC114": "each of the two kinds of calls has its callers",
}
"""Examples whose swapped pair breaks under the mirrored code, each with the reason."""

_CHANGE = re.compile(r'(?P<code>BC\d{3}) (?P<verdict>\w+) (?:-|""|/\S*) (?:-|""|/\S*) (?P<message>.+)')

MIRRORS: Mapping[str, str] = {
    "BC101": "BC102",
    "BC102": "BC104",
    "BC103": "BC103",
    "BC104": "BC102",
    "BC105": "BC106",
    "BC106": "BC106",
    "BC107": "BC108",
    "BC108": "BC107",
    "BC109": "BC110",
    "BC110": "BC109",
    "BC111": "BC111",
    "BC112": "BC112",
    "BC113": "BC113",
    "BC114": "BC114",
    "BC201": "BC204",
    "BC202": "BC203",
    "BC203": "BC202",
    "BC204": "BC201",
    "BC222": "BC203",
    "BC301": "BC304",
    "BC302": "BC303",
    "BC303": "BC302",
    "BC304": "BC301",
    "BC322": "BC317",
}
"""The rule that applies if old and new are swapped. Schema rules that are not listed apply in both directions."""

ONE_WAY = {"BC222": "each parameter of a new schema is reported", "BC322": "a new output schema breaks nobody"}
"""Rules whose reverse change has a rule with another mirror, each with the reason."""


@cache
def compared(old: Path, new: Path) -> DiffReport:
    """Compare two files."""
    return diff(load(old), load(new))


def sides(info: RuleInfo) -> tuple[Path, Path]:
    folder = CHANGE_EXAMPLES / info.code
    return example_source(folder, "old"), example_source(folder, "new")


def breaks_somebody(info: RuleInfo) -> bool:
    """Whether the example of a rule should break under that rule."""
    expected = (CHANGE_EXAMPLES / info.code / "expected").read_text(encoding="utf-8")
    return f"{info.code} breaking " in expected


def codes(report: DiffReport, verdict: Verdict | None = None) -> set[str]:
    """Return the codes of all changes, or of those with one verdict."""
    return {change.code for _, change in report.changes() if verdict in (None, change.verdict)}


@CHANGES
def test_an_example_changes_exactly_what_is_expected(info: RuleInfo) -> None:
    report = compared(*sides(info))

    lines = list(change_lines(report))
    listed = "\n".join(lines)
    assert lines == read_change_example(info.code).expected.splitlines(), f"the changes that were found:\n{listed}"
    assert info.code in codes(report)


@EACH_CHANGE
def test_the_same_against_the_same_is_silent(info: RuleInfo) -> None:
    for side in ("old", "new"):
        source = example_source(CHANGE_EXAMPLES / info.code, side)

        assert list(compared(source, source).changes()) == []


@each(
    "info",
    # If single facts explain the swapped pair, no rule about the whole schema is needed.
    [info for info in change_rule_infos() if info.code not in WHOLE.values()],
    ids=lambda info: info.code,
)
def test_swapping_the_sides_triggers_the_mirrored_rule(info: RuleInfo) -> None:
    old, new = sides(info)

    assert MIRRORS.get(info.code, info.code) in codes(compared(new, old))


@each("info", [*filter(breaks_somebody, change_rule_infos())], ids=lambda info: info.code)
def test_swapped_nothing_breaks_under_the_mirrored_rule(info: RuleInfo) -> None:
    old, new = sides(info)

    breaks = MIRRORS.get(info.code, info.code) in codes(compared(new, old), Verdict.BREAKING)

    assert breaks is (info.code in BREAKS_BOTH_WAYS)


@EACH_CHANGE
def test_a_rule_that_can_break_has_an_example_of_a_break_or_is_only_compatible_by_default(info: RuleInfo) -> None:
    verdicts = {change.verdict for _, change in compared(*sides(info)).changes() if change.code == info.code}

    match info.severity:
        case Severity.ERROR:
            assert Verdict.BREAKING in verdicts or info.name.endswith("-property-added")
        case Severity.WARNING:
            assert verdicts == {Verdict.UNKNOWN}
        case _:
            assert verdicts == {Verdict.COMPATIBLE}


@EACH_CHANGE
def test_a_broken_schema_is_shown_with_a_witness(info: RuleInfo) -> None:
    for _, change in compared(*sides(info)).changes():
        is_structural = change.direction == "tool" or change.rule.endswith("-removed")
        if change.verdict is Verdict.BREAKING and not is_structural:
            assert change.witness is not None
        if change.verdict is Verdict.BREAKING:
            assert change.hint is not None


@EACH_CHANGE
def test_a_change_rule_explains_itself(info: RuleInfo) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", info.name)
    assert re.fullmatch(r"\d+\.\d+\.\d+", info.since)
    assert re.fullmatch(r"[A-Z][^\n]*\.", info.summary)
    assert len(re.findall(r"[.!?](?:\s|$)", info.summary)) == 1, "the summary is one sentence"
    assert info.rationale.endswith(".")


@EACH_CHANGE
def test_an_expected_change_is_a_message(info: RuleInfo) -> None:
    lines = [line for line in read_change_example(info.code).expected.splitlines() if not line.startswith("  ")]

    for line in lines:
        match = _CHANGE.fullmatch(line)
        assert match, line
        assert re.match(r"[a-z0-9`]", match["message"]), "a message begins in lowercase or with a name in backticks"
        assert not match["message"].endswith(".")


@EACH_CHANGE
def test_an_example_contains_no_unused_file(info: RuleInfo) -> None:
    names = {path.name for path in (CHANGE_EXAMPLES / info.code).iterdir()}

    assert names - {"expected"} == {path.name for path in sides(info)}


def test_every_folder_of_examples_belongs_to_a_change_rule() -> None:
    assert sorted(folder.name for folder in CHANGE_EXAMPLES.iterdir()) == list(known_changes())


def test_a_search_for_specifications_finds_no_example() -> None:
    assert list(find_specs(CHANGE_EXAMPLES)) == []


@pytest.mark.parametrize("family", CHANGE_FAMILIES)
def test_the_family_of_a_change_rule_is_in_the_changelog(family: str) -> None:
    changelog = " ".join((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split())

    assert f"{family} ({CHANGE_FAMILIES[family]})" in changelog


def test_change_rules_are_registered_in_the_order_of_their_codes() -> None:
    listed = [info.code for info in change_rule_infos()]

    assert listed == sorted(set(listed))


@pytest.mark.parametrize("module", [guarantees, tools], ids=lambda module: module.__name__)
def test_every_rule_of_a_module_is_registered(module: ModuleType) -> None:
    written = [rule.info.code for rule in vars(module).values() if isinstance(rule, ChangeRule)]

    assert sorted(set(written) - set(known_changes())) == [], "add the rule to `TOOL_RULES` in `changes/registry.py`"


def test_no_name_is_given_twice_nor_to_a_rule_of_lint() -> None:
    names = [*known_changes().values(), *known_rules().values()]

    assert len(set(names)) == len(names)


@pytest.mark.parametrize("rule", TOOL_RULES, ids=lambda rule: rule.info.code)
def test_the_name_of_a_rule_is_that_of_its_function(rule: ChangeRule) -> None:
    assert rule.info.name == rule.compare.__name__.replace("_", "-")


@each("kind", FactKind)
def test_every_fact_has_a_rule_in_both_directions(kind: FactKind) -> None:
    named = {(rule.kind, rule.info.name) for rule in SCHEMA_RULES}

    assert (kind, f"input-{kind.value}") in named, "add a pair to `changes/schema_rules.py`"
    assert (kind, f"output-{kind.value}") in named, "add a pair to `changes/schema_rules.py`"
    assert rule_of(kind, "input").name == f"input-{kind.value}"
    assert rule_of(kind, "output").name == f"output-{kind.value}"


def test_a_mirror_is_a_rule_of_the_same_family() -> None:
    for code, mirror in MIRRORS.items():
        assert {code, mirror} <= set(known_changes())
        assert code[:3] == mirror[:3]
    assert {rule.info.code for rule in TOOL_RULES} - set(MIRRORS) == set(), "rules without a mirror in MIRRORS"


def test_the_decision_about_breaking_changes_has_every_rule() -> None:
    """Codes are listed one by one; those of inputs and outputs by their last two digits, also as a range."""
    text = (ROOT / "docs/decisions/0005-breaking-table.md").read_text(encoding="utf-8")
    found = set(re.findall(r"BC\d{3}", text))
    for cell in re.findall(r"^\| (\d\d[\d, to]*) \|", text, re.MULTILINE):
        for first, last in re.findall(r"(\d\d)(?: to (\d\d))?", cell):
            digits = range(int(first), int(last or first) + 1)
            found |= {f"BC{side}{number:02}" for side in (2, 3) for number in digits}

    assert set(known_changes()) - found == set(), "rules without a row"


def test_the_mirror_of_a_schema_rule_leads_back() -> None:
    for code, mirror in MIRRORS.items():
        if code[:3] != "BC1" and code not in ONE_WAY:
            assert MIRRORS[mirror] == code


def test_waivers_of_breaks_both_ways_are_of_rules() -> None:
    assert set(BREAKS_BOTH_WAYS) <= set(known_changes())


def test_two_rules_speak_of_a_whole_schema_in_each_direction() -> None:
    assert whole_rule("input").code == WHOLE["input"] == "BC230"
    assert whole_rule("output").code == WHOLE["output"] == "BC330"
    assert incomparable_rule("input").code == NOT_COMPARABLE["input"] == "BC231"
    assert incomparable_rule("output").code == NOT_COMPARABLE["output"] == "BC331"
    assert {rule.info.code for rule in SCHEMA_RULES if rule.kind is None} == {"BC230", "BC231", "BC330", "BC331"}


@each("rule", SCHEMA_RULES, ids=lambda rule: rule.info.code)
def test_what_can_break_has_a_way_out(rule: SchemaRule) -> None:
    assert (rule.way_out is None) is (rule.info.severity is Severity.NOTE)
    assert hint_for(rule.info, Verdict.COMPATIBLE) is None
    assert hint_for(rule.info, Verdict.BREAKING) == rule.way_out
    assert hint_for(rule.info, Verdict.UNKNOWN) is not None


@RELEASES
@pytest.mark.parametrize("side", ["bad", "good"])
def test_an_example_of_a_release_says_exactly_what_is_expected(info: RuleInfo, side: str) -> None:
    report = compared_release(EXAMPLES / info.code / side)

    expected = read_example(info.code).expected if side == "bad" else ""
    assert list(diagnostic_lines(report)) == expected.splitlines()
    assert (info.code in {diagnostic.code for diagnostic in report.diagnostics}) is (side == "bad")


@RELEASES
def test_an_example_of_a_release_contains_no_unused_file(info: RuleInfo) -> None:
    folder = EXAMPLES / info.code

    assert {path.name for path in folder.iterdir()} - {"bad.expected"} == {"bad", "good"}
    for side in ("bad", "good"):
        names = {path.name for path in (folder / side).iterdir()}
        assert names - {"mcp-contracts-accepted.yaml"} == {"old.md", "new.md"}
