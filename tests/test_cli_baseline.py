"""`lint --baseline`, `--write-baseline` and `--only-new` from the command line, in real repositories."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.contract import JsonValue
from mcp_contracts.parsing.discovery import SPEC_NAME
from tests.commands import process
from tests.repositories import (
    PATH,
    commit,
    edit,
    git,
    isolate,
    listed,
    new_repository,
    spec,
    tool,
    tool_list,
    write,
)

Captured = pytest.CaptureFixture[str]

BASELINE = "known.json"
OLD = f"specs/old/{SPEC_NAME}"
FAULTY = spec(
    tool("old.find", version=None),  # MC201
    tool("old.week", description="Reads the calendar of a week, day by day, without empty days.").replace(
        "### 8. Security Considerations", "### Safety"
    ),  # MC105
    module="old",
).replace("module: old", "module: old\nownr: me")  # MC014, which is about the file
WITH_MORE = FAULTY.replace("**Idempotent**: yes", "It is.", 1)


@pytest.fixture(autouse=True)
def _repository(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Create a repository with a clean and a faulty specification, as the working directory."""
    isolate(monkeypatch, tmp_path_factory.mktemp("home"), tmp_path_factory.getbasetemp())
    monkeypatch.chdir(new_repository(tmp_path / "repository"))
    write(PATH, spec(tool()))
    write(OLD, FAULTY)
    commit()


def lint(capsys: Captured, *arguments: str) -> tuple[int, dict[str, Any], str]:
    """Return the exit code, the report and the standard error."""
    capsys.readouterr()
    code = run(["lint", *arguments, "--format", "json"])
    out, err = capsys.readouterr()
    return code, json.loads(out), err


def new(report: dict[str, Any]) -> list[str]:
    """Return the codes of the findings that count, in order."""
    return sorted(one["code"] for one in report["diagnostics"] if one["suppressed"] is None)


def written() -> list[dict[str, Any]]:
    """Return the findings in the baseline."""
    findings: list[dict[str, Any]] = json.loads(Path(BASELINE).read_text(encoding="utf-8"))["findings"]
    return findings


def record(*arguments: str) -> None:
    """Write the baseline, and commit it."""
    assert run(["lint", "--write-baseline", BASELINE, *arguments]) == 0
    commit()


def test_what_is_recorded_passes_and_is_counted(capsys: Captured) -> None:
    before = lint(capsys)

    record()
    code, report, _ = lint(capsys, "--baseline", BASELINE)

    assert before[0] == 1
    assert code == 0
    assert new(report) == []
    assert report["summary"]["known"] == len(before[1]["diagnostics"]) == len(written()) == 3
    assert report["compared"] == {"baseline": BASELINE, "revision": None, "stale": []}
    assert {one["suppressed_in"] for one in report["diagnostics"]} == {"baseline"}
    assert run(["lint", "--baseline", BASELINE]) == 0
    assert capsys.readouterr().out == "no new problems in 2 files (3 tools); 3 known\n"


def test_a_new_finding_fails_and_only_it_is_shown(capsys: Captured) -> None:
    record()
    write(
        OLD,
        f"\n\n{WITH_MORE}".lstrip() + "\n" + tool("old.more", version="x", description="Tells the weather of a city."),
    )

    code, report, _ = lint(capsys, "--baseline", BASELINE)
    run(["lint", "--baseline", BASELINE])
    text = capsys.readouterr().out

    assert code == 1
    assert new(report) == ["MC202", "MC503"]
    assert "MC201" not in text
    assert "new error" in text


def test_the_configuration_names_the_baseline_from_its_own_folder(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    record()
    write("mcp-contracts.yaml", f"baseline: {BASELINE}\n")

    assert lint(capsys)[0] == 0
    assert lint(capsys, "--isolated")[0] == 1
    monkeypatch.chdir("specs")
    code, report, _ = lint(capsys, ".")

    assert code == 0
    assert report["compared"]["baseline"] == f"../{BASELINE}"


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("missing.json", "`missing.json`: no such file"),
        ("../outside.json", "mcp-contracts.yaml: `baseline` points outside the project"),
        (".git/config", "mcp-contracts.yaml: `baseline` points outside the project"),
        ("3", "mcp-contracts.yaml: `baseline` must be a string, not a number"),
    ],
)
def test_a_configured_baseline_that_cannot_be_read_is_an_error(named: str, message: str, capsys: Captured) -> None:
    write("mcp-contracts.yaml", f"baseline: {named}\n")

    code = run(["lint"])

    assert code == 2
    assert message in capsys.readouterr().err


def test_moved_lines_and_renamed_files_stay_known(capsys: Captured) -> None:
    record()
    edit(OLD, "# old: tool specification", "# old: tool specification\n\nMoved.\n\nDown.")
    git("mv", "specs/old", "specs/renamed")

    staged = lint(capsys, "--baseline", BASELINE)
    commit()
    committed = lint(capsys, "--baseline", BASELINE)

    assert staged[0] == committed[0] == 0
    assert staged[1]["summary"]["known"] == committed[1]["summary"]["known"] == 3
    assert committed[1]["compared"]["stale"] == []


def test_an_unknown_rename_only_affects_findings_about_the_file(capsys: Captured) -> None:
    record()
    os.renames("specs/old", "specs/renamed")

    code, report, _ = lint(capsys, "--baseline", BASELINE)

    assert code == 0
    assert new(report) == ["MC014"]
    assert [one["code"] for one in report["compared"]["stale"]] == ["MC014"]


def test_without_git_a_baseline_works_as_well(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "plain"
    write(plain / OLD, FAULTY)
    monkeypatch.chdir(plain)

    assert run(["lint", "--write-baseline", BASELINE]) == 0
    os.renames("specs/old", "specs/renamed")

    assert new(lint(capsys, "--baseline", BASELINE)[1]) == ["MC014"]


def test_stale_entries_are_reported_and_writing_again_removes_them(capsys: Captured) -> None:
    record()
    edit(OLD, "### Safety", "### 8. Security Considerations")

    code, report, err = lint(capsys, "--baseline", BASELINE)
    run(["lint", "--baseline", BASELINE])
    summary = capsys.readouterr().out

    assert code == 0
    assert [one["code"] for one in report["compared"]["stale"]] == ["MC105"]
    assert f"note: 1 entry of the baseline `{BASELINE}` matches no finding" in err
    assert "MC105" in err
    assert f"`mcp-contracts lint --write-baseline {BASELINE}`" in err
    assert summary == "no new problems in 2 files (3 tools); 2 known, 1 stale in the baseline\n"

    run(["lint", "--write-baseline", BASELINE])

    assert "records 2 findings in 1 file: 1 removed" in capsys.readouterr().err
    assert [one["code"] for one in written()] == ["MC014", "MC201"]
    assert lint(capsys, "--baseline", BASELINE)[1]["compared"]["stale"] == []


def test_a_file_that_is_gone_leaves_stale_entries(capsys: Captured) -> None:
    record()
    Path(OLD).unlink()

    assert len(lint(capsys, "--baseline", BASELINE)[1]["compared"]["stale"]) == 3
    assert len(lint(capsys, "specs", "--baseline", BASELINE)[1]["compared"]["stale"]) == 3
    assert lint(capsys, "specs/notes", "--baseline", BASELINE)[1]["compared"]["stale"] == []


@pytest.mark.parametrize("narrowed", [("specs/notes",), ("--select", "MC3"), ("--ignore", "MC0,MC1,MC2")])
def test_what_a_run_does_not_look_at_is_neither_stale_nor_removed(narrowed: tuple[str, ...], capsys: Captured) -> None:
    record()
    before = written()

    _, report, err = lint(capsys, *narrowed, "--baseline", BASELINE)
    assert (report["compared"]["stale"], err) == ([], "")

    assert run(["lint", *narrowed, "--write-baseline", BASELINE]) == 0
    assert written() == before


def test_writing_again_without_a_change_leaves_the_same_bytes(capsys: Captured) -> None:
    record()
    before = Path(BASELINE).stat()

    assert run(["lint", "--write-baseline", BASELINE]) == 0

    assert Path(BASELINE).stat().st_mtime_ns == before.st_mtime_ns
    assert "records 3 findings in 1 file, as before" in capsys.readouterr().err


def test_what_cannot_be_recorded_still_fails(capsys: Captured) -> None:
    write(f"specs/broken/{SPEC_NAME}", "x").write_bytes(b"\xff")

    code = run(["lint", "--write-baseline", BASELINE])

    out = capsys.readouterr().out
    assert code == 1
    assert "MC001" in out
    assert "MC105" not in out
    assert {one["code"] for one in written()} == {"MC014", "MC105", "MC201"}


@pytest.mark.parametrize("content", ["# not ours\n", '{"tools": []}', "\x00"])
def test_a_file_that_is_not_a_baseline_is_never_overwritten(content: str, capsys: Captured) -> None:
    write("other.json", content)

    assert run(["lint", "--write-baseline", "other.json"]) == 2
    assert Path("other.json").read_text(encoding="utf-8") == content
    assert "`other.json` is not a baseline, and is not overwritten" in capsys.readouterr().err


def test_a_damaged_baseline_is_refused_and_can_be_written_again(capsys: Captured) -> None:
    record()
    text = Path(BASELINE).read_text(encoding="utf-8")
    write(BASELINE, f"<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> other\n")

    assert run(["lint", "--baseline", BASELINE]) == 2
    assert f"{BASELINE}: the file contains merge conflict markers" in capsys.readouterr().err
    assert run(["lint", "--write-baseline", BASELINE]) == 0
    assert "it is replaced" in capsys.readouterr().err
    assert Path(BASELINE).read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--write-baseline", "a.json", "--baseline", "b.json"], "cannot be combined"),
        (
            ["--write-baseline", "a.json", "--only-new", "--against", "HEAD"],
            "`--write-baseline` and `--only-new` cannot be combined",
        ),
        (["--write-baseline", "a.json", "--diff"], "`--write-baseline` and `--diff` cannot be combined"),
        (["--only-new"], "`--only-new` requires a git revision to compare with"),
        (["--only-new", "--against", "HEAD", "--implementation", "x"], "cannot read the Python functions"),
        (["--baseline", "specs"], "specs: not a regular file"),
        (["--write-baseline", "no/such/folder.json"], "cannot be written: no such file or directory"),
    ],
)
def test_options_that_cannot_be_followed_are_refused(options: list[str], message: str, capsys: Captured) -> None:
    assert run(["lint", *options]) == 2
    assert message in capsys.readouterr().err
    assert not Path("a.json").exists()


def test_tool_lists_of_one_tool_name_are_distinguished(capsys: Captured) -> None:
    undescribed: JsonValue = {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}
    write("a.json", tool_list(listed("search", undescribed)))
    write("b.json", tool_list(listed("search")))
    assert run(["lint", "a.json", "b.json", "--write-baseline", BASELINE]) == 0
    write("a.json", tool_list(listed("search")))
    write("b.json", tool_list(listed("search", undescribed)))

    _, report, _ = lint(capsys, "a.json", "b.json", "--baseline", BASELINE)

    assert [(one["path"], one["suppressed"]) for one in report["diagnostics"]] == [("b.json", None)]
    assert [one["path"] for one in report["compared"]["stale"]] == ["a.json"]


def test_known_findings_are_shown_on_request_and_fixed_like_others(capsys: Captured) -> None:
    record()

    run(["lint", "--baseline", BASELINE, "--show-suppressed"])

    assert capsys.readouterr().out.count(f"suppressed: recorded in the baseline `{BASELINE}`") == 3


class TestOnlyNew:
    def test_what_the_revision_has_is_known(self, capsys: Captured) -> None:
        edit(OLD, "# old: tool specification", "# old: tool specification\n\nMoved.")

        code, report, _ = lint(capsys, "--against", "HEAD", "--only-new")

        assert (code, new(report), report["summary"]["known"]) == (0, [], 3)
        assert report["compared"] == {"baseline": None, "revision": "HEAD", "stale": []}
        assert {one["suppressed"] for one in report["diagnostics"]} == {"already found at `HEAD`"}

    def test_what_is_new_since_the_revision_fails(self, capsys: Captured) -> None:
        write(OLD, WITH_MORE)

        code, report, _ = lint(capsys, "--against", "HEAD", "--only-new", "--fail-on", "warning")

        assert (code, new(report)) == (1, ["MC503"])

    def test_a_new_file_is_all_new(self, capsys: Captured) -> None:
        write(f"specs/other/{SPEC_NAME}", FAULTY.replace("old", "other"))

        code, report, _ = lint(capsys, "--against", "HEAD", "--only-new")

        assert (code, new(report)) == (1, ["MC014", "MC105", "MC201"])

    @pytest.mark.parametrize("sources", [(), ("specs",), ("specs/renamed",), (f"specs/renamed/{SPEC_NAME}",)])
    def test_renamed_files_are_known_by_their_old_names(self, sources: tuple[str, ...], capsys: Captured) -> None:
        git("mv", "specs/old", "specs/renamed")

        code, report, _ = lint(capsys, *sources, "--against", "HEAD", "--only-new")

        assert (code, new(report), report["summary"]["known"]) == (0, [], 3)

    def test_it_works_from_a_folder_below(self, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
        git("mv", "specs/old", "specs/renamed")
        monkeypatch.chdir("specs")

        code, report, _ = lint(capsys, "renamed", "--against", "HEAD", "--only-new")

        assert (code, report["summary"]["known"]) == (0, 3)

    def test_what_a_comment_suppressed_then_is_new_without_it(self, capsys: Captured) -> None:
        comment = "<!-- mcp-contracts: ignore-file MC201 -- later -->\n\n"
        edit(OLD, "## Tool: `old.find`", f"{comment}## Tool: `old.find`")
        commit()
        edit(OLD, comment, "")

        _, report, _ = lint(capsys, "--against", "HEAD", "--only-new")

        assert new(report) == ["MC201"]

    def test_the_rules_of_today_judge_both_sides(self, capsys: Captured) -> None:
        write("mcp-contracts.yaml", "overrides: [{paths: [specs/old/], severity: {MC201: note}}]\n")

        _, report, _ = lint(capsys, "--against", "HEAD", "--only-new")

        assert (new(report), report["summary"]["known"]) == ([], 3)

    def test_versions_are_judged_as_without_it(self, capsys: Captured) -> None:
        edit(PATH, '"maximum": 100', '"maximum": 50')

        code, report, _ = lint(capsys, "--against", "HEAD", "--only-new")

        assert (code, new(report)) == (1, ["MC207"])

    def test_the_configuration_may_name_the_revision(self, capsys: Captured) -> None:
        write("mcp-contracts.yaml", "diff: {against: HEAD}\n")

        assert lint(capsys, "--only-new")[0] == 0

    def test_a_baseline_and_a_revision_add_up(self, capsys: Captured) -> None:
        record()
        write(OLD, WITH_MORE)
        commit()
        write(f"specs/other/{SPEC_NAME}", FAULTY.replace("old", "other"))

        _, report, _ = lint(capsys, "--against", "HEAD", "--only-new", "--baseline", BASELINE)

        assert new(report) == ["MC014", "MC105", "MC201"]
        assert sorted(str(one["suppressed_in"]) for one in report["diagnostics"] if one["suppressed"]) == [
            *["baseline"] * 3,
            "revision",
        ]


def test_a_shallow_clone_reads_a_baseline(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    record()
    write("readme.md", "x")
    commit()
    git("clone", "--quiet", "--depth", "1", Path.cwd().as_uri(), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")

    assert lint(capsys, "--baseline", BASELINE)[0] == 0


def test_in_its_own_process_it_is_the_same() -> None:
    wrote = process("lint", "--write-baseline", BASELINE)
    read = process("lint", "--baseline", BASELINE)

    assert (wrote.returncode, read.returncode) == (0, 0)
    assert wrote.stdout == read.stdout == b"no new problems in 2 files (3 tools); 3 known\n"
    assert f"`{BASELINE}` records 3 findings in 1 file: 3 new".encode() in wrote.stderr
    assert read.stderr == b""
