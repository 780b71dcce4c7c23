"""`lint --target` on the command line: which portability rules run, and which targets they name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_contracts.checks.lint import rule_options
from mcp_contracts.cli.app import run
from mcp_contracts.cli.output import EXIT_FINDINGS, EXIT_USAGE
from mcp_contracts.config import Config
from mcp_contracts.diagnostics import RuleSelection
from mcp_contracts.rules.registry import PORTABILITY_ON_DEMAND, PORTABILITY_TARGETS

Captured = pytest.CaptureFixture[str]
TOOL = {
    "name": "notes.find",
    "description": "Finds the notes that hold a word, the newest first.",
    "inputSchema": {
        "type": "object",
        "properties": {"word": {"type": "string", "description": "The word to look for, in any case."}},
    },
    "outputSchema": {"type": "array", "items": {"type": "string"}},
}
COMBINING = {
    **TOOL,
    "name": "find",
    "inputSchema": {"type": "object", "properties": {}, "allOf": [{"minProperties": 1}]},
}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the list of one server, as the working directory."""
    (tmp_path / "tools.json").write_text(json.dumps({"tools": [TOOL]}))
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def codes(capsys: Captured, *arguments: str) -> list[str]:
    """Return the codes in the output of a lint of the list, in order."""
    run(["lint", "tools.json", "--format", "json", *arguments])
    return sorted(one["code"] for one in json.loads(capsys.readouterr().out)["diagnostics"])


def test_without_a_target_portability_is_not_reported(capsys: Captured) -> None:
    assert codes(capsys) == []


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("openai", ["MC601"]),
        ("anthropic", ["MC601"]),
        ("gemini", []),
        ("openai-strict", ["MC601", "MC608"]),
        ("mcp-2025-11-25", ["MC612"]),
        ("mcp-2026-07-28", []),
        ("mcp", ["MC612"]),
        ("gemini,mcp-2025-11-25", ["MC612"]),
        ("all", ["MC601", "MC608", "MC612"]),
    ],
)
def test_a_target_asks_for_the_rules_that_concern_it(target: str, expected: list[str], capsys: Captured) -> None:
    assert codes(capsys, "--target", target) == expected


def test_several_options_name_several_targets(capsys: Captured) -> None:
    assert codes(capsys, "--target", "anthropic", "--target", "mcp") == ["MC601", "MC612"]


def test_a_diagnostic_names_all_providers_that_it_concerns_and_how_sure_that_is(capsys: Captured) -> None:
    code = run(["lint", "tools.json", "--target", "openai,anthropic", "--format", "concise", "--color", "never"])

    out = capsys.readouterr().out
    assert code == EXIT_FINDINGS
    assert out.startswith(
        "tools.json:1:21: error MC601 name `notes.find` contains `.`, which is rejected (OpenAI, "
        "documented; Anthropic, "
        "reported)"
    )
    assert out.count("MC601") == 1


def test_a_family_that_is_selected_runs_for_all_targets(capsys: Captured) -> None:
    assert codes(capsys, "--select", "MC6") == ["MC601", "MC608", "MC612"]
    assert codes(capsys, "--extend-select", "MC612") == ["MC612"]
    assert codes(capsys, "--select", "output-root-not-object") == ["MC612"]


def test_a_target_narrows_a_family_that_is_selected(capsys: Captured) -> None:
    assert codes(capsys, "--select", "MC6", "--target", "mcp") == ["MC612"]


def test_a_selection_of_other_rules_overrides_a_target(capsys: Captured) -> None:
    assert codes(capsys, "--select", "MC3", "--target", "all") == []
    assert codes(capsys, "--ignore", "MC601", "--target", "openai") == []


def test_what_breaks_everywhere_needs_no_target(project: Path, capsys: Captured) -> None:
    (project / "tools.json").write_text(json.dumps({"tools": [COMBINING]}))

    assert codes(capsys) == ["MC602"]
    assert codes(capsys, "--target", "mcp-2026-07-28") == []


@pytest.mark.parametrize("words", ["opnai", "openai,opnai"])
def test_an_unknown_target_is_refused_with_the_nearest(words: str, capsys: Captured) -> None:
    code = run(["lint", "tools.json", "--target", words])

    captured = capsys.readouterr()
    assert code == EXIT_USAGE
    assert captured.out == ""
    assert "unknown target `opnai`" in captured.err
    assert "did you mean `openai`?" in captured.err


@pytest.mark.parametrize("words", ["", " , "])
def test_an_option_without_a_target_is_refused_with_all_of_them(words: str, capsys: Captured) -> None:
    code = run(["lint", "tools.json", "--target", words])

    assert code == EXIT_USAGE
    assert "openai-strict" in capsys.readouterr().err


def test_the_configuration_names_targets_and_the_command_line_others(project: Path, capsys: Captured) -> None:
    (project / "mcp-contracts.yaml").write_text("targets: [mcp]\n")

    assert codes(capsys) == ["MC612"]
    assert codes(capsys, "--target", "openai") == ["MC601"]


def test_a_part_of_the_files_can_ask_for_more(project: Path, capsys: Captured) -> None:
    (project / "more").mkdir()
    (project / "more" / "tools.json").write_text((project / "tools.json").read_text())
    (project / "mcp-contracts.yaml").write_text(
        "select: [MC]\noverrides:\n  - paths: [more/]\n    select: [MC, MC612]\n"
    )

    run(["lint", "tools.json", "more/tools.json", "--format", "json"])

    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [(one["path"], one["code"]) for one in found] == [("more/tools.json", "MC612")]


def test_a_suppression_of_an_unrequested_rule_is_not_unused(project: Path, capsys: Captured) -> None:
    (project / "mcp-contracts.yaml").write_text(
        "paths: [tools.json]\nsuppressions:\n  - {code: MC612, reason: the clients are new}\n"
    )

    silent, asked, of_others = (
        run(["lint", "--format", "concise", *options])
        for options in ((), ("--target", "mcp"), ("--target", "mcp-2026-07-28"))
    )

    assert (silent, asked, of_others) == (0, 0, 0)
    assert "MC011" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("targets", "selection", "asked"),
    [
        ((), RuleSelection(), set()),
        ((), RuleSelection(select=("MC",)), set()),
        ((), RuleSelection(select=("MC60",)), set(PORTABILITY_ON_DEMAND)),
        (("all",), RuleSelection(), set(PORTABILITY_ON_DEMAND)),
    ],
)
def test_unrequested_rules_do_not_run(targets: tuple[str, ...], selection: RuleSelection, asked: set[str]) -> None:
    options = rule_options(Config(None, Path(), targets=targets), selection)

    assert PORTABILITY_ON_DEMAND - options.unrequested_codes == asked
    assert options.unrequested_codes <= PORTABILITY_TARGETS.keys()


def test_an_unknown_target_of_a_configuration_is_refused_with_key_and_nearest(project: Path, capsys: Captured) -> None:
    (project / "mcp-contracts.yaml").write_text("targets: [openai_strict]\n")

    code = run(["lint", "tools.json"])

    assert code == EXIT_USAGE
    assert "did you mean `openai-strict`?" in capsys.readouterr().err
