"""`explain` on the command line."""

from __future__ import annotations

import compileall
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.checks import catalog as catalog_module
from mcp_contracts.checks.catalog import EXAMPLES, catalog, read_change_example, read_example, read_example_of
from mcp_contracts.cli.app import run
from mcp_contracts.cli.output import EXIT_USAGE
from mcp_contracts.reporting.rules.page import rule_page, rule_page_text

INFOS = {info.code: info for info in catalog()}


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use no colors and the default width, in any terminal."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def explained(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the output of `explain` with these arguments."""
    assert run(["explain", *arguments]) == 0
    return capsys.readouterr().out


def page(code: str) -> str:
    return rule_page_text(INFOS[code], read_example_of(INFOS[code]))


def test_a_code_prints_the_page_of_the_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(capsys, "MC504") == page("MC504")


@pytest.mark.parametrize(
    "word", ["mc504", "Mc504", "idempotency-contradicts-effects", "Idempotency-Contradicts-Effects"]
)
def test_a_rule_may_be_named_in_any_case(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(capsys, word) == page("MC504")


@pytest.mark.parametrize("word", ["BC207", "bc207", "input-bounds-changed"])
def test_a_change_has_a_page_as_well(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(capsys, word) == page("BC207")


def test_the_beginning_of_codes_lists_changes(capsys: pytest.CaptureFixture[str]) -> None:
    lines = explained(capsys, "BC2").splitlines()

    assert lines[0] == "BC2: input changes"
    assert [line.split()[0] for line in lines[1:]] == [code for code in INFOS if code.startswith("BC2")]


def test_json_contains_the_two_sides_of_a_change(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = json.loads(explained(capsys, "BC207", "--format", "json"))

    example = read_change_example("BC207")
    assert found["name"] == "input-bounds-changed"
    assert found["old"] == dict(example.old)
    assert found["new"] == dict(example.new)
    assert found["expected"] == example.expected


def test_explaining_a_change_loads_no_engine() -> None:
    code = (
        "import sys; from mcp_contracts.cli.app import run; run(['explain', 'BC207']); "
        "heavy = {'pydantic', 'jsonschema', 'jsonschema_rs', 'regress', 'yaml', 'markdown_it', 'semver'}; "
        "print(sorted(heavy.intersection(sys.modules)), file=sys.stderr)"
    )

    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)

    assert result.stdout.startswith("BC207: input-bounds-changed")
    assert result.stderr.strip() == "[]"


def test_several_rules_are_explained_in_turn_each_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(capsys, "MC504", "MC201", "missing-version") == f"{page('MC504')}\n\n{page('MC201')}"


def test_the_beginning_of_codes_lists_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    lines = explained(capsys, "mc20").splitlines()

    codes = [code for code in INFOS if code.startswith("MC20")]
    assert lines[0] == "MC2: version and lifecycle"
    assert [line.split()[0] for line in lines[1:]] == codes


def test_markdown_is_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(capsys, "MC504", "--format", "markdown") == rule_page(INFOS["MC504"], read_example("MC504"))


def test_the_beginning_of_codes_is_a_table_in_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, "MC2", "--format", "markdown")

    assert text.startswith("## MC2: version and lifecycle\n\n| code |")
    assert "| MC201 | `missing-version` | error |" in text


def test_json_contains_the_rule_and_its_examples(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = json.loads(explained(capsys, "MC002", "--format", "json"))

    info, example = INFOS["MC002"], read_example("MC002")
    assert found == {
        "code": "MC002",
        "name": "oversized-file",
        "severity": "error",
        "since": info.since,
        "summary": info.summary,
        "rationale": info.rationale,
        "bad": dict(example.bad),
        "good": dict(example.good),
        "expected": example.expected,
    }


def test_the_beginning_of_codes_is_each_of_its_rules_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    found: list[dict[str, Any]] = json.loads(explained(capsys, "MC2", "MC201", "--format", "json"))

    assert [rule["code"] for rule in found] == [code for code in INFOS if code.startswith("MC2")]
    assert all("expected" in rule for rule in found)


def test_json_hides_no_character_of_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, "hidden-characters", "--format", "json")

    assert "\u200b" not in text
    assert "\u200b" in json.loads(text)[0]["bad"]["bad.md"]


def test_headings_are_bold_where_colors_are_on(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, "MC504", "--color", "always")

    assert text == rule_page_text(INFOS["MC504"], read_example("MC504"), color=True)
    assert "\x1b[1mExample\x1b[0m" in text


def test_markdown_is_never_colored(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\x1b" not in explained(capsys, "MC504", "--format", "markdown", "--color", "always")


def test_a_page_is_wrapped_to_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")

    assert explained(capsys, "MC504") == rule_page_text(INFOS["MC504"], read_example("MC504"), width=60)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("missing-versoin", "did you mean `missing-version`?"),
        ("MC5O4", "did you mean `MC504`?"),
        ("qqqqqq", "`mcp-contracts rules` lists all codes and names"),
    ],
)
def test_an_unknown_rule_is_refused_with_the_nearest(word: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = run(["explain", "MC504", word])

    captured = capsys.readouterr()
    assert exit_code == EXIT_USAGE
    assert captured.out == ""
    assert captured.err == f"error: unknown rule `{word}`\n  help: {hint}\n"


def test_no_rule_at_all_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = run(["explain"])

    assert exit_code == EXIT_USAGE
    assert "RULE" in capsys.readouterr().err


def test_the_bytecode_that_an_installer_compiles_is_not_a_part_of_an_example(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    expected = read_example("MC701")
    shutil.copytree(EXAMPLES / "MC701", tmp_path / "MC701", ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(tmp_path, quiet=1)
    monkeypatch.setattr(catalog_module, "EXAMPLES", tmp_path)

    assert list((tmp_path / "MC701").rglob("*.pyc"))
    assert read_example("MC701") == expected
