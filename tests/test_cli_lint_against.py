"""`lint --against` on the command line: versions compared with the changes since a git revision."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.checks import many
from mcp_contracts.cli.app import run
from mcp_contracts.config.files import ACCEPTED_FILE
from mcp_contracts.contract import JsonValue
from mcp_contracts.parsing.discovery import SPEC_NAME
from tests.commands import process
from tests.repositories import (
    PATH,
    built_repository,
    commit,
    commit_one,
    edit,
    input_schema,
    isolate,
    listed,
    spec,
    tool,
    tool_list,
    write,
)

Captured = pytest.CaptureFixture[str]

NARROWED = input_schema(maximum=50)
BACK_REFERENCE = r"^(a|b)\1$"
OTHER_BACK_REFERENCE = r"^(a|b|c)\1$"
MIGRATION = "**From 1.x**: ask for at most 50 notes."


@pytest.fixture(autouse=True)
def _settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path_factory.mktemp("home"), tmp_path_factory.getbasetemp())


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit of a valid specification, version 1.0.0, as the working directory."""
    return built_repository(tmp_path / "repository", commit_one, monkeypatch)


def found(capsys: Captured, *arguments: str) -> list[dict[str, Any]]:
    """Return the diagnostics of a lint against the last commit."""
    capsys.readouterr()
    run(["lint", "--against", "HEAD", *arguments, "--format", "json"])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    diagnostics: list[dict[str, Any]] = report["diagnostics"]
    return diagnostics


def codes(diagnostics: list[dict[str, Any]]) -> list[str]:
    """Return the codes of the diagnostics that are not suppressed, in order."""
    return sorted(one["code"] for one in diagnostics if one["suppressed"] is None)


def test_nothing_changed_is_nothing_found(capsys: Captured) -> None:
    assert run(["lint", "--against", "HEAD"]) == 0
    assert "no problems" in capsys.readouterr().out


def test_a_break_without_a_step_fails_at_the_version(capsys: Captured) -> None:
    write(PATH, spec(tool(input=NARROWED)))

    code = run(["lint", "--against", "HEAD"])

    out = " ".join(capsys.readouterr().out.split())
    assert code == 1
    assert "error MC207 `notes.find` breaks callers, but its version stays 1.0.0 where 2.0.0 is required" in out
    assert '"limit": 51}` worked before and fails now' in out
    assert "| **Version**: 1.0.0" in out


def test_many_files_are_judged_by_their_whole_contracts(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "MANY", 1)
    monkeypatch.setattr(many, "FIRST", 0)

    assert found(capsys) == []


def test_a_break_with_a_step_and_a_note_is_clean(capsys: Captured) -> None:
    write(PATH, spec(tool(version="2.0.0", input=NARROWED, migration=MIGRATION), version="2.0.0"))

    assert run(["lint", "--against", "HEAD", "--max-warnings", "0"]) == 0
    assert "no problems" in capsys.readouterr().out


def test_a_fence_that_no_longer_parses_fails(capsys: Captured) -> None:
    edit(PATH, '"maximum": 100', '"maximum": 100,,')

    assert "MC304" in codes(found(capsys))
    assert run(["lint", "--against", "HEAD"]) == 1


def test_what_cannot_be_read_asks_for_no_other_version(capsys: Captured) -> None:
    edit(PATH, '"maximum": 100', '"maximum": 100,,')

    assert "MC208" not in codes(found(capsys))


def test_one_fault_is_reported_once(capsys: Captured) -> None:
    edit(PATH, '"maximum": 100', '"maximum": 100,,')

    messages = [one["message"] for one in found(capsys)]

    assert sum(message.count("invalid JSON") for message in messages) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (spec(tool(input=NARROWED)), ["MC207"]),
        (spec(tool(input=input_schema(maximum=200)), version="1.0.0"), ["MC208", "MC208"]),
        (spec(tool(version="0.9.0"), version="1.0.0"), ["MC209"]),
        (spec(tool(), version="0.9.0"), ["MC209"]),
        (spec(tool(version="2.0.0", input=NARROWED), version="2.0.0"), ["MC210"]),
        (spec(tool(version="1.1.0", description="Returns notes by their words."), version="1.0.1"), []),
        (spec(tool(), tool("notes.count", description="Counts the notes of one user."), version="1.1.0"), []),
        (spec(tool(), tool("notes.count", description="Counts the notes of one user."), version="1.0.0"), ["MC208"]),
    ],
)
def test_versions_are_checked_against_what_changed(capsys: Captured, text: str, told: list[str]) -> None:
    write(PATH, text)

    assert codes(found(capsys)) == told


def test_what_could_not_be_decided_is_a_warning(capsys: Captured) -> None:
    write(PATH, spec(tool(input=input_schema(type="string", maximum=None, minimum=None, pattern=BACK_REFERENCE))))
    commit()
    changed = input_schema(type="string", maximum=None, minimum=None, pattern=OTHER_BACK_REFERENCE)
    write(PATH, spec(tool(version="1.1.0", input=changed)))

    assert codes(found(capsys)) == ["MC211"]


def test_a_removed_tool_is_found_where_its_module_is(capsys: Captured) -> None:
    write(PATH, spec(tool(), tool("notes.old"), version="1.0.0"))
    commit()
    write(PATH, spec(tool(), version="1.0.0"))

    (diagnostic,) = [one for one in found(capsys) if one["code"] == "MC207"]

    assert diagnostic["tool"] == "notes.old"
    assert diagnostic["path"] == PATH


def test_a_deleted_module_is_found(capsys: Captured) -> None:
    write(f"specs/memos/{SPEC_NAME}", spec(tool("memos.find"), module="memos"))
    commit()
    shutil.rmtree("specs/memos")

    assert codes(found(capsys)) == ["MC207"]
    assert run(["lint", "--against", "HEAD", "specs"]) == 1


def test_a_deleted_file_that_is_named_is_found_as_diff_finds_it(capsys: Captured) -> None:
    write(f"specs/memos/{SPEC_NAME}", spec(tool("memos.find"), module="memos"))
    commit()
    shutil.rmtree("specs/memos")

    assert run(["diff", "--against", "HEAD", "specs/notes", "specs/memos"]) == 1
    assert run(["lint", "--against", "HEAD", "specs/notes", "specs/memos"]) == 1


def test_a_tool_list_is_checked_against_what_changed(capsys: Captured) -> None:
    version: JsonValue = {"org.mcp-contracts/version": "1.0.0"}
    write("tools.json", tool_list(listed(_meta=version)))
    commit()
    write("tools.json", tool_list(listed(schema=NARROWED, _meta=version)))

    assert "MC207" in codes(found(capsys, "tools.json"))


# --- accepted changes ---


def accept(*options: str) -> None:
    """Accept the breaking changes."""
    assert run(["diff", "--against", "HEAD", "--accept", *options]) == 0


def test_what_diff_accepted_is_accepted_here(capsys: Captured) -> None:
    write(PATH, spec(tool(input=NARROWED)))
    accept("--reason", "why")

    assert codes(found(capsys)) == []


@pytest.mark.parametrize(
    ("options", "change", "told"),
    [
        (["--reason", "why"], ("BC207", "BC208"), ["MC207", "MC212"]),
        (["--reason", "why", "--until", "2999-01-01"], ("2999-01-01", "2020-01-01"), ["MC207", "MC213"]),
        (["--reason", "why"], ('reason: "why"', 'reason: ""'), ["MC214"]),
    ],
)
def test_an_entry_at_fault_is_found_at_its_line(
    capsys: Captured, options: list[str], change: tuple[str, str], told: list[str]
) -> None:
    write(PATH, spec(tool(input=NARROWED)))
    accept(*options)
    edit(ACCEPTED_FILE, *change)

    diagnostics = found(capsys)

    assert codes(diagnostics) == told
    assert {(one["path"], one["line"]) for one in diagnostics if one["code"] > "MC211"} == {(ACCEPTED_FILE, 4)}


def test_a_broken_file_of_accepted_changes_is_named_with_its_line(capsys: Captured) -> None:
    write(ACCEPTED_FILE, "accepted:\n  - tool: [\n")

    assert run(["lint", "--against", "HEAD"]) == 2
    assert f"{ACCEPTED_FILE}:" in capsys.readouterr().err


# --- selection and suppression ---


def test_one_rule_can_be_selected(capsys: Captured) -> None:
    write(PATH, spec(tool(input=NARROWED, description="Short."), version="1.0.0"))

    assert codes(found(capsys, "--select", "MC207")) == ["MC207"]
    assert codes(found(capsys, "--select", "breaking-change-not-announced")) == ["MC207"]
    assert "MC207" not in codes(found(capsys, "--ignore", "MC207"))


def test_a_severity_can_be_chosen(capsys: Captured) -> None:
    write(PATH, spec(tool(input=NARROWED)))

    assert run(["lint", "--against", "HEAD", "--severity", "MC207=warning"]) == 0
    assert run(["lint", "--against", "HEAD", "--severity", "MC207=off", "--max-warnings", "0"]) == 0


def test_a_comment_suppresses(capsys: Captured) -> None:
    text = spec(tool(input=NARROWED))
    comment = "<!-- mcp-contracts: ignore MC207 -- nobody calls it yet -->\n"
    write(PATH, text.replace("**Version**: 1.0.0", f"{comment}**Version**: 1.0.0"))

    diagnostics = found(capsys)

    assert codes(diagnostics) == []
    assert [one["code"] for one in diagnostics if one["suppressed"]] == ["MC207"]


def test_a_comment_is_not_unused_where_nothing_was_compared(capsys: Captured) -> None:
    text = spec(tool(input=NARROWED))
    comment = "<!-- mcp-contracts: ignore MC207 -- nobody calls it yet -->\n"
    write(PATH, text.replace("**Version**: 1.0.0", f"{comment}**Version**: 1.0.0"))

    assert run(["lint", "--max-warnings", "0"]) == 0
    assert "no problems" in capsys.readouterr().out


def test_a_comment_is_unused_where_nothing_broke(capsys: Captured) -> None:
    comment = "<!-- mcp-contracts: ignore MC207 -- nobody calls it yet -->\n"
    edit(PATH, "**Version**: 1.0.0", f"{comment}**Version**: 1.0.0")

    assert codes(found(capsys)) == ["MC011"]


def test_the_configuration_suppresses(capsys: Captured) -> None:
    write("mcp-contracts.yaml", "paths: [specs]\nsuppressions:\n  - {code: MC207, reason: nobody calls it yet}\n")
    write(PATH, spec(tool(input=NARROWED)))

    diagnostics = found(capsys)
    run(["lint", "--format", "concise"])

    assert codes(diagnostics) == []
    assert "MC011" not in capsys.readouterr().out


def test_a_diff_honours_what_lint_suppresses(capsys: Captured) -> None:
    write("mcp-contracts.yaml", "paths: [specs]\nsuppressions:\n  - {code: MC208, reason: we step at releases}\n")
    write(PATH, spec(tool(input=input_schema(maximum=200)), version="1.0.0"))

    assert run(["lint", "--against", "HEAD", "--max-warnings", "0"]) == 0
    assert run(["diff", "--against", "HEAD", "--max-warnings", "0"]) == 0


# --- errors ---


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--against", "nowhere"], 3, "unknown revision `nowhere`"),
        (["--against", "--help"], 2, "a revision cannot begin with `-`"),
        (["--against", ""], 2, "is empty"),
        (["--against", "HEAD", "nowhere"], 2, "no such file or directory"),
        (["--against", "HEAD", "git:HEAD"], 2, "not a path that can exist in a git revision"),
        (["--against", "HEAD", "empty"], 3, "nothing to check"),
        (["--against"], 2, "requires a value"),
    ],
)
def test_what_cannot_work_says_why_and_exits_as_documented(
    capsys: Captured, arguments: list[str], code: int, words: str
) -> None:
    Path("empty").mkdir()

    exit_code = run(["lint", *arguments])

    out, err = capsys.readouterr()
    assert exit_code == code
    assert words in err
    assert out == ""


def test_standard_input_has_no_past(repository: Path) -> None:
    ran = process("lint", "--against", "HEAD", "-", cwd=repository, stdin=(repository / PATH).read_bytes())

    assert ran.returncode == 2
    assert b"standard input has no earlier version" in ran.stderr


def test_a_revision_is_a_source_of_lint(capsys: Captured) -> None:
    edit(PATH, '"maximum": 100', '"maximum": 100,,')

    assert run(["lint"]) == 1
    assert run(["lint", "git:HEAD"]) == 0
    assert run(["lint", f"git:HEAD:{PATH}"]) == 0


def test_the_same_repository_gives_the_same_bytes(repository: Path) -> None:
    write(PATH, spec(tool(input=NARROWED), tool("notes.count", description="Counts the notes of one user.")))

    first, second = (
        process("lint", "--against", "HEAD", "--format", "sarif", cwd=repository, PYTHONHASHSEED=seed) for seed in "12"
    )

    assert first.stdout == second.stdout
    assert first.returncode == 1
