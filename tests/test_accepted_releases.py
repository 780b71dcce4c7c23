"""Accepted changes over several pull requests: an entry remains until the release that contains its change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.cli.commands.diff import _write_accepted
from mcp_contracts.config.accepted import read_accepted
from mcp_contracts.config.files import ACCEPTED_FILE
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import UsageError
from mcp_contracts.sources.git_releases import last_releases
from tests.repositories import PATH, built_repository, commit, git, isolate, spec, tool, write

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose only commit is tagged as release 1.0.0, as the working directory."""
    isolate(monkeypatch, tmp_path_factory.mktemp("home"), tmp_path_factory.getbasetemp())
    return built_repository(tmp_path / "repository", release, monkeypatch)


def release() -> None:
    """Commit and tag the first release."""
    state()
    commit()
    git("tag", "v1.0.0")


def state(*, limit: int = 100, length: int = 200, description: str = "Returns notes.") -> None:
    """Write the specification in one of its states; a smaller number breaks callers."""
    schema: JsonValue = {
        "type": "object",
        "properties": {
            "words": {"type": "string", "description": "What the notes hold.", "maxLength": length},
            "limit": {"type": "integer", "description": "How many notes.", "maximum": limit},
        },
    }
    write(PATH, spec(tool(input=schema, description=description), version="1.0.0"))


def pull_request(capsys: Captured, *arguments: str, **change: Any) -> tuple[int, dict[str, Any], str]:
    """Make a change in a branch, compare it with main and merge it; return exit code, report and messages."""
    git("checkout", "--quiet", "-b", "topic")
    state(**change)
    capsys.readouterr()
    code = run(["diff", "--against", "main", "--format", "json", *arguments])
    told = capsys.readouterr()
    commit()
    git("checkout", "--quiet", "main")
    git("merge", "--quiet", "--ff-only", "topic")
    git("branch", "--quiet", "--delete", "topic")
    return code, json.loads(told.out), told.err


def gate(capsys: Captured, ref: str = "v1.0.0") -> tuple[int, list[str], int]:
    """Compare with a release; return the exit code, the diagnostics' codes, and the number of accepted changes."""
    capsys.readouterr()
    code = run(["diff", "--against", ref, "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    return code, faults(report), report["summary"]["accepted"]


def faults(report: dict[str, Any]) -> list[str]:
    """Return a report's messages about entries."""
    return [one["code"] for one in report["diagnostics"] if one["code"] in ("MC212", "MC213", "MC214")]


def entries() -> list[tuple[str, str | None]]:
    """Return what is accepted and why, in the order of the file."""
    return [(entry.pointer or "", entry.reason) for entry in read_accepted(Path(ACCEPTED_FILE))]


LIMIT, WORDS = "/properties/limit/maximum", "/properties/words/maxLength"


def test_three_pull_requests_in_a_row_keep_what_the_release_still_shows(capsys: Captured) -> None:
    pull_request(capsys, "--accept", "--reason", "first", limit=50)
    second = pull_request(capsys, "--accept", "--reason", "second", limit=50, length=100)
    before = Path(ACCEPTED_FILE).read_bytes()
    third = pull_request(capsys, "--accept", limit=50, length=100, description="Returns the notes of the user.")

    assert entries() == [(LIMIT, "first"), (WORDS, "second")]
    assert (second[0], faults(second[1])) == (0, [])
    assert (third[0], faults(third[1])) == (0, [])
    assert "nothing to accept" in third[2]
    assert Path(ACCEPTED_FILE).read_bytes() == before
    assert gate(capsys) == (0, [], 2)


def test_entries_that_the_release_needs_are_not_reported_in_a_pull_request(capsys: Captured) -> None:
    pull_request(capsys, "--accept", "--reason", "first", limit=50)
    write("README.md", "words")
    commit()

    lint = run(["lint", "--against", "main"])
    told = capsys.readouterr().out

    assert faults(pull_request(capsys, limit=50)[1]) == []
    assert (lint, "MC212" in told) == (0, False)


def test_after_the_release_the_entries_are_stale_and_the_next_acceptance_drops_them(capsys: Captured) -> None:
    pull_request(capsys, "--accept", "--reason", "first", limit=50)
    pull_request(capsys, "--accept", "--reason", "second", limit=50, length=100)
    git("tag", "v1.1.0")

    told = pull_request(capsys, limit=50, length=100, description="Returns the notes of the user.")
    accepting = pull_request(capsys, "--accept", "--reason", "third", limit=40, length=100)

    assert faults(told[1]) == ["MC212", "MC212"]
    assert "accepted 1 change, removed 2 entries whose change was released or reverted; commit" in accepting[2]
    assert entries() == [(LIMIT, "third")]
    assert gate(capsys, "v1.1.0") == (0, [], 1)


def test_a_break_that_continues_is_accepted_for_the_branch_and_for_the_release(capsys: Captured) -> None:
    pull_request(capsys, "--accept", "--reason", "first", limit=50)
    second = pull_request(capsys, limit=20)
    state(limit=50)
    commit()
    accepted = pull_request(capsys, "--accept", "--reason", "second", limit=20)
    quiet = pull_request(capsys, limit=20, description="Returns the notes of the user.")

    assert (second[0], faults(second[1])) == (1, ["MC212"])
    assert accepted[0] == 0
    assert entries() == [(LIMIT, "second"), (LIMIT, "second")]
    assert gate(capsys) == (0, [], 1)
    assert faults(quiet[1]) == []


def test_an_entry_whose_change_was_taken_back_is_stale(capsys: Captured) -> None:
    pull_request(capsys, "--accept", "--reason", "first", limit=50)

    told = pull_request(capsys, "--accept", limit=100)

    assert "removed 1 entry" in told[2]
    assert entries() == []


def test_a_change_that_only_the_release_shows_differently_is_no_longer_there(capsys: Captured) -> None:
    pull_request(capsys, "--accept", limit=50)

    _, report, _ = pull_request(capsys, limit=60)

    (stale,) = [one["message"] for one in report["diagnostics"] if one["code"] == "MC212"]
    assert stale.endswith("does not exist")


def test_each_line_of_tags_is_its_own_release(capsys: Captured) -> None:
    git("tag", "notes-1.0.0")
    pull_request(capsys, "--accept", "--reason", "first", limit=50)
    git("tag", "other-3.0.0")

    assert faults(pull_request(capsys, "--accept", limit=50)[1]) == []
    assert entries() == [(LIMIT, "first")]


def test_the_last_release_is_the_highest_version_that_the_commit_descends_from() -> None:
    for tag in ("v1.2.0", "v1.10.0", "v2.0.0-rc.1", "nightly", "pkg/v0.3.0", "pkg/v0.2.9", "other@4.0"):
        git("tag", tag)
    git("checkout", "--quiet", "-b", "maintenance")
    commit("later")
    git("tag", "v1.11.0")
    git("checkout", "--quiet", "main")

    assert set(last_releases()) == {"v1.10.0", "pkg/v0.3.0", "other@4.0"}


def test_a_prerelease_does_not_end_an_entry(capsys: Captured) -> None:
    pull_request(capsys, "--accept", "--reason", "first", limit=50)
    git("tag", "v1.1.0-rc.1")

    assert faults(pull_request(capsys, limit=50)[1]) == []


def test_without_a_release_the_compared_revision_decides(capsys: Captured) -> None:
    git("tag", "--delete", "v1.0.0")
    pull_request(capsys, "--accept", "--reason", "first", limit=50)

    assert faults(pull_request(capsys, limit=50)[1]) == ["MC212"]


# --- amending ---


def test_a_second_acceptance_of_the_same_break_changes_its_reason_and_its_last_day(capsys: Captured) -> None:
    git("checkout", "--quiet", "-b", "topic")
    state(limit=50)
    run(["diff", "--against", "main", "--accept", "--reason", "first"])
    capsys.readouterr()

    run(["diff", "--against", "main", "--accept", "--reason", "better"])
    reason = capsys.readouterr().err
    run(["diff", "--against", "main", "--accept", "--until", "2999-01-01"])
    day = capsys.readouterr().err

    (entry,) = read_accepted(Path(ACCEPTED_FILE))
    assert (entry.reason, str(entry.until)) == ("better", "2999-01-01")
    assert reason == f"changed the reason of `BC207` of `notes.find`; commit `{ACCEPTED_FILE}`\n"
    assert day == f"changed the last day of `BC207` of `notes.find`; commit `{ACCEPTED_FILE}`\n"


def test_a_new_acceptance_leaves_the_reasons_of_others_and_fills_a_missing_one(capsys: Captured) -> None:
    state(limit=50)
    run(["diff", "--against", "main", "--accept"])
    state(limit=50, length=100)
    run(["diff", "--against", "main", "--accept", "--reason", "both"])
    first = entries()
    state(limit=50, length=100, description="Returns the notes of the user.")
    write(PATH, Path(PATH).read_text("utf-8").replace("**Effects**: read-only", "**Effects**: additive"))
    run(["diff", "--against", "main", "--accept", "--reason", "third"])

    assert first == [(LIMIT, "both"), (WORDS, "both")]
    assert sorted(reason or "" for _, reason in entries()) == ["both", "both", "third"]
    assert "changed the reason of `BC207`" in capsys.readouterr().err


# --- the file ---


def test_nothing_is_written_where_the_file_was_changed_meanwhile() -> None:
    state(limit=50)
    run(["diff", "--against", "main", "--accept", "--reason", "why"])
    path = Path(ACCEPTED_FILE)
    before = path.read_bytes()
    accepted = read_accepted(path)
    path.write_bytes(before + b"# a remark\n")

    with pytest.raises(UsageError, match="changed in the meantime, so nothing was written"):
        _write_accepted(path, (), accepted, before)

    assert path.read_bytes() == before + b"# a remark\n"


@pytest.mark.parametrize("text", ["accepted: [", "accepted: [{tool: x}]", "acepted: []", "\ufeff- 1"])
def test_an_invalid_file_is_left_unchanged(text: str, capsys: Captured) -> None:
    state(limit=50)
    write(ACCEPTED_FILE, text)

    assert run(["diff", "--against", "main", "--accept", "--reason", "why"]) == 2
    assert ACCEPTED_FILE in capsys.readouterr().err
    assert Path(ACCEPTED_FILE).read_text("utf-8") == text


def test_remarks_stay_where_nothing_is_to_be_written() -> None:
    state(limit=50)
    run(["diff", "--against", "main", "--accept", "--reason", "why"])
    path = Path(ACCEPTED_FILE)
    path.write_bytes(path.read_bytes() + b"# a remark\n")

    run(["diff", "--against", "main", "--accept"])

    assert path.read_bytes().endswith(b"# a remark\n")
