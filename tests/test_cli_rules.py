"""`rules` on the command line."""

from __future__ import annotations

import json

import pytest

from mcp_contracts.checks.catalog import CATALOG_FAMILIES, catalog
from mcp_contracts.cli.app import run
from mcp_contracts.cli.output import EXIT_USAGE
from mcp_contracts.reporting.rules.listing import rule_list_markdown, rule_list_text


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the output of `rules` with these arguments."""
    assert run(["rules", *arguments]) == 0
    return capsys.readouterr().out


def test_all_rules_are_listed_by_family(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = listed(capsys).rstrip("\n").split("\n\n")

    titles = [block.splitlines()[0] for block in blocks]
    codes = [line.split()[0] for block in blocks for line in block.splitlines()[1:]]
    assert titles == [f"{family}: {title}" for family, title in CATALOG_FAMILIES.items()]
    assert codes == [info.code for info in catalog()]


def test_a_line_says_code_severity_name_and_summary(capsys: pytest.CaptureFixture[str]) -> None:
    line = next(line for line in listed(capsys).splitlines() if "MC201" in line)

    assert line.split(maxsplit=3) == ["MC201", "error", "missing-version", "A tool has no version."]


def test_the_columns_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    summaries = {info.code: info.summary for info in catalog()}

    lines = [line for line in listed(capsys).splitlines() if line.startswith("  ")]

    assert len({line.index(summaries[line.split()[0]]) for line in lines}) == 1


def test_markdown_is_a_table_for_each_family(capsys: pytest.CaptureFixture[str]) -> None:
    text = listed(capsys, "--format", "markdown")

    assert text.count("| code | name | severity | what it finds |\n|---|---|---|---|\n") == len(CATALOG_FAMILIES)
    assert "\n| MC201 | `missing-version` | error | A tool has no version. |\n" in text
    assert text.count("\n| MC") + text.count("\n| BC") == len(catalog())


def test_json_contains_everything_about_each_rule(capsys: pytest.CaptureFixture[str]) -> None:
    rules = json.loads(listed(capsys, "--format", "json"))

    assert [rule["code"] for rule in rules] == [info.code for info in catalog()]
    assert {
        "code": "MC201",
        "name": "missing-version",
        "severity": "error",
        "since": "0.1.0",
        "summary": "A tool has no version.",
    } in rules


def test_a_family_without_rules_is_left_out() -> None:
    rules = [info for info in catalog() if info.code == "MC201"]

    assert rule_list_text(rules, CATALOG_FAMILIES).splitlines()[0] == "MC2: version and lifecycle"
    assert rule_list_markdown(rules, CATALOG_FAMILIES).count("## ") == 1


def test_a_list_with_pages_leads_to_them() -> None:
    rules = [info for info in catalog() if info.code == "MC201"]

    assert "| [MC201](MC201.md) | `missing-version` |" in rule_list_markdown(rules, CATALOG_FAMILIES, has_pages=True)


@pytest.mark.parametrize("option", ["--select", "--ignore", "--extend-select"])
@pytest.mark.parametrize("word", ["BC", "BC2", "bc207"])
def test_a_change_is_not_a_rule_that_lint_can_select(
    option: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exit_code = run(["lint", option, word])

    assert exit_code == EXIT_USAGE
    assert capsys.readouterr().err == (
        f"error: `{option} {word}`: no such rule\n"
        "  help: codes that begin with BC are changes: `[tool.mcp-contracts.diff]` sets their `levels`, and "
        "`diff --accept` accepts one\n"
    )


def test_lint_can_select_a_rule_about_releases(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "--select", "MC207", "specs"]) == 0
