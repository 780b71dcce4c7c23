"""Every rule, checked with its examples: the bad one has exactly the expected findings, the good one has none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

import pytest

from mcp_contracts.changes.base import SINCE
from mcp_contracts.checks.catalog import (
    CONFIGURATION,
    EXAMPLES,
    IMPLEMENTATION,
    example_source,
    linted_files,
    read_example,
)
from mcp_contracts.checks.lint import lint
from mcp_contracts.cli.app import run
from mcp_contracts.cli.output import EXIT_FINDINGS
from mcp_contracts.config import Config, load_config
from mcp_contracts.diagnostics import Diagnostic, RuleInfo, Severity
from mcp_contracts.parsing.discovery import find_specs, show
from mcp_contracts.rules.listing import known_rules
from mcp_contracts.rules.registry import FAMILIES, LINT_RULES, all_rule_infos
from mcp_contracts.rules.releases import RELEASE_RULES
from mcp_contracts.sources.load import load
from mcp_contracts.sources.python.functions import read_implementation
from tests.maintenance.generate import ROOT
from tests.sweeps import share, sweep
from tests.tables import each

TODAY = date(2026, 11, 21)
# Rules about releases need two files: `test_changes_rules` checks those examples.
INFOS = [info for info in all_rule_infos() if info not in RELEASE_RULES]
# Rules about live servers need a server: `test_rules_live` checks those examples.
OF_FILES = [info for info in INFOS if not info.code.startswith("MC8")]
LINTED = pytest.mark.parametrize("info", OF_FILES, ids=lambda info: info.code)
_EXPECTED = re.compile(
    r"(?:(?P<file>[^:]+):)?(?P<place>\d+:\d+) (?P<words>(?P<severity>\w+) (?P<code>MC\d{3}) (?P<message>.+))"
)
_HELP = "  help: "


def found(source: Path) -> tuple[Diagnostic, ...]:
    """Return the findings in an example, with the configuration of its folder, if any."""
    own = source / CONFIGURATION
    config = load_config(source, known=known_rules(), file=own) if own.is_file() else Config(None, source)
    contracts = load(linted_files(source), max_file_size=config.limits.max_file_size)
    code = [str(path) for path in implementations(source)]
    implementation = read_implementation(code) if code else None
    return lint(contracts, config, today=TODAY, implementation=implementation).shown()


def implementations(source: Path) -> list[Path]:
    """Return the functions behind an example's contracts, if any."""
    return sorted(source.glob(IMPLEMENTATION))


def said(diagnostic: Diagnostic, source: Path) -> Iterator[str]:
    """Return the lines of `bad.expected` for a diagnostic; in a folder, they begin with the file's name."""
    place = diagnostic.place
    file = f"{place.path.removeprefix(show(source) + '/')}:" if source.is_dir() else ""
    yield f"{file}{place.line}:{place.column} {diagnostic.severity} {diagnostic.code} {diagnostic.message}"
    if diagnostic.hint is not None:
        yield f"{_HELP}{diagnostic.hint}"


def concise(expected: Iterable[str], source: Path) -> Iterator[str]:
    """Return the lines of `bad.expected` as `--format concise` prints them."""
    for line in expected:
        match = _EXPECTED.fullmatch(line)
        if match:
            file = source / match["file"] if match["file"] else source
            yield f"{show(file)}:{match['place']}: {match['words']}"


@sweep
@LINTED
def test_a_bad_example_triggers_exactly_what_is_expected(info: RuleInfo, capsys: pytest.CaptureFixture[str]) -> None:
    source = example_source(EXAMPLES / info.code, "bad")
    expected = read_example(info.code).expected.splitlines()

    diagnostics = found(source)

    lines = [line for diagnostic in diagnostics for line in said(diagnostic, source)]
    listed = "\n".join(lines) or "none"
    assert lines == expected, f"the diagnostics that were found:\n{listed}"
    if info not in share(OF_FILES, 5):
        return  # a command prints and counts the findings of each rule in the same way

    code = [f"--implementation={path}" for path in implementations(source)]
    exit_code = run(["lint", *map(str, linted_files(source)), *code, "--format", "concise", "--color", "never"])

    *printed, _ = capsys.readouterr().out.splitlines()
    assert [re.sub(r" \([\w.]+\)$", "", line) for line in printed] == list(concise(expected, source))
    assert exit_code == (EXIT_FINDINGS if info.severity is Severity.ERROR else 0)


@LINTED
def test_a_good_example_triggers_no_rule_at_all(info: RuleInfo) -> None:
    source = example_source(EXAMPLES / info.code, "good")

    assert found(source) == ()


@each("info", INFOS, ids=lambda info: info.code)
def test_a_rule_explains_itself_and_is_reported_as_it_says(info: RuleInfo) -> None:
    lines = [line for line in read_example(info.code).expected.splitlines() if not line.startswith(_HELP)]
    matches = [match for line in lines if (match := _EXPECTED.fullmatch(line))]

    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", info.name)
    assert re.fullmatch(r"\d+\.\d+\.\d+", info.since)
    assert re.fullmatch(r"[A-Z][^\n]*\.", info.summary)
    assert len(re.findall(r"[.!?](?:\s|$)", info.summary)) == 1, "the summary is one sentence"
    assert info.rationale.endswith(".")
    assert len(matches) == len(lines) > 0
    for code, severity, message in (match.group("code", "severity", "message") for match in matches):
        assert (code, severity) == (info.code, info.severity)
        assert re.match(r"[a-z0-9`]", message), "a message begins in lowercase or with a name in backticks"
        assert not message.endswith("."), "a message has no full stop"


def test_the_name_of_a_rule_is_that_of_its_function() -> None:
    named = [rule.check.__name__.replace("_", "-") for rule in LINT_RULES]

    assert [rule.info.name for rule in LINT_RULES] == named


def test_rules_are_registered_in_the_order_of_their_codes() -> None:
    codes = [rule.info.code for rule in LINT_RULES]

    assert codes == sorted(set(codes))


def test_no_code_and_no_name_is_given_twice() -> None:
    infos = all_rule_infos()

    assert len({info.code for info in infos}) == len({info.name for info in infos}) == len(infos)


def test_every_folder_of_examples_belongs_to_a_rule() -> None:
    folders = sorted(folder.name for folder in EXAMPLES.iterdir())

    assert folders == [info.code for info in all_rule_infos()]


def test_a_search_for_specifications_finds_no_example() -> None:
    assert list(find_specs(EXAMPLES)) == []


def test_an_example_contains_no_unused_file() -> None:
    for folder in (EXAMPLES / info.code for info in INFOS):
        read = {example_source(folder, "bad").name, example_source(folder, "good").name, "bad.expected"}
        assert {path.name for path in folder.iterdir()} == read, folder


def test_every_rule_has_a_family_and_every_family_is_in_the_changelog() -> None:
    changelog = " ".join((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split())

    used = {next(family for family in FAMILIES if info.code.startswith(family)) for info in INFOS}

    assert [family for family in sorted(used) if f"{family} ({FAMILIES[family]})" not in changelog] == []


def test_a_rule_is_added_in_the_release_of_its_line_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = changelog.partition("### Added")[2].partition("\n### ")[0]
    lines = set(re.findall(r"\b(MC\d{3})\s+`([^`]+)`", unreleased))

    assert lines <= {(info.code, info.name) for info in all_rule_infos() if info.since == SINCE}
    assert {info.since for info in all_rule_infos()} == {SINCE, "0.1.0"}
