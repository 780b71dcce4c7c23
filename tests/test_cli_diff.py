"""`diff` on the command line: its sources, its output, and its exit codes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mcp_contracts import load
from mcp_contracts.bundle import to_bundle
from mcp_contracts.cli.app import run
from mcp_contracts.config.files import ACCEPTED_FILE
from mcp_contracts.contract import JsonValue
from mcp_contracts.parsing.discovery import SPEC_NAME
from tests.commands import process
from tests.repositories import (
    PATH,
    ROOT,
    built_repository,
    commit,
    commit_one,
    edit,
    git,
    in_another_process,
    input_schema,
    isolate,
    listed,
    new_repository,
    spec,
    tool,
    tool_list,
    write,
)

Captured = pytest.CaptureFixture[str]

NARROWED = input_schema(maximum=50)
NARROWER = input_schema(maximum=20)
MIGRATION = "**From 1.x**: ask for at most 50 notes."
UNDECIDABLE = (input_schema(type="string", maximum=None, minimum=None, pattern=r"^(a|b)\1$"),
               input_schema(type="string", maximum=None, minimum=None, pattern=r"^(a|b|c)\1$"))  # fmt: skip


@pytest.fixture(autouse=True)
def _settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path_factory.mktemp("home"), tmp_path_factory.getbasetemp())
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder outside any repository and configuration, as the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit of a specification, version 1.0.0, as the working directory."""
    return built_repository(tmp_path / "repository", commit_one, monkeypatch)


@pytest.fixture
def pair(folder: Path) -> Path:
    """Two specifications, `old.md` and `new.md`; the second breaks callers of the first."""
    write("old.md", spec(tool(), version="1.0.0"))
    write("new.md", spec(tool(input=NARROWED), version="1.0.0"))
    return folder


def report_of(capsys: Captured, *arguments: str) -> dict[str, Any]:
    """Return the report of a run as JSON; earlier output is dropped."""
    capsys.readouterr()
    run([*arguments, "--format", "json"])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def codes(report: dict[str, Any]) -> list[str]:
    """Return the codes of a report's diagnostics."""
    return [one["code"] for one in report["diagnostics"]]


# --- a history ---


@pytest.mark.usefixtures("repository")
def test_a_break_without_a_step_fails_and_names_tool_version_and_call(capsys: Captured) -> None:
    write(PATH, spec(tool(input=NARROWED), version="1.0.0"))
    commit()

    code = run(["diff", "--against", "HEAD~1"])

    out, err = capsys.readouterr()
    assert (code, err) == (1, "")
    assert "notes.find  1.0.0  needs a major bump (2.0.0)" in out
    assert "this call worked before and fails now" in out
    assert '"limit": 51' in out
    assert codes(report_of(capsys, "diff", "--against", "HEAD~1")) == ["MC208", "MC207"]


@pytest.mark.usefixtures("repository")
def test_a_break_with_a_step_and_a_note_passes(capsys: Captured) -> None:
    write(PATH, spec(tool(input=NARROWED), version="1.0.0"))
    commit()
    write(PATH, spec(tool(version="2.0.0", input=NARROWED, migration=MIGRATION), version="2.0.0"))
    commit()

    code = run(["diff", "--against", "HEAD~2"])

    out = capsys.readouterr().out
    assert code == 0
    assert "1.0.0 → 2.0.0" in out
    assert "MC2" not in out


@pytest.mark.usefixtures("repository")
def test_what_is_not_committed_yet_counts(capsys: Captured) -> None:
    write(PATH, spec(tool(input=NARROWED), version="1.0.0"))

    assert run(["diff", "--against", "HEAD"]) == 1
    assert run(["diff", "git:HEAD", "git:HEAD"]) == 0


@pytest.mark.usefixtures("repository")
def test_a_fence_that_no_longer_parses_is_unknown_and_fails(capsys: Captured) -> None:
    edit(PATH, '"maximum": 100', '"maximum": 100,,')

    code = run(["diff", "--against", "HEAD"])

    out = capsys.readouterr().out
    assert code == 1
    assert "UNKNOWN  BC113 tool-unreadable" in out
    assert "MC304" in out


@pytest.mark.usefixtures("repository")
def test_the_reason_for_an_unreadable_tool_has_no_empty_name(capsys: Captured) -> None:
    edit(PATH, '"maximum": 100', '"maximum": 100,,')

    run(["diff", "--against", "HEAD"])

    assert "``" not in capsys.readouterr().out


@pytest.mark.usefixtures("repository")
def test_an_unreadable_tool_is_in_the_report_with_its_fault(capsys: Captured) -> None:
    edit(PATH, '"maximum": 100', '"maximum": 100,,')

    report = report_of(capsys, "diff", "--against", "HEAD")

    assert report["tools"][0]["verdict"] == "unknown"
    assert "MC304" in codes(report)


@pytest.mark.usefixtures("repository")
def test_what_cannot_be_read_asks_for_no_other_version(capsys: Captured) -> None:
    edit(PATH, '"maximum": 100', '"maximum": 100,,')

    assert "MC208" not in codes(report_of(capsys, "diff", "--against", "HEAD"))


@pytest.mark.usefixtures("repository")
def test_a_run_without_changes_says_so_and_passes(capsys: Captured) -> None:
    code = run(["diff", "--against", "HEAD"])

    assert code == 0
    assert "nothing changed in 1 tool" in capsys.readouterr().out


# --- sources ---


def both_ways() -> dict[str, str]:
    """The same breaking change as each kind of source, by file name."""
    return {
        "old.md": spec(tool(), version="1.0.0"),
        "new.md": spec(tool(input=NARROWED), version="1.0.0"),
        "old/specs/notes/MCP_TOOL_SPECIFICATION.md": spec(tool()),
        "new/specs/notes/MCP_TOOL_SPECIFICATION.md": spec(tool(input=NARROWED)),
        "old.json": tool_list(listed("notes.find")),
        "new.json": tool_list(listed("notes.find", NARROWED)),
        "old_array.json": json.dumps([listed("notes.find")]),
        "new_rpc.json": json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": [listed("notes.find", NARROWED)]}}),
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("old.md", "new.md"),
        ("old", "new"),
        ("old.json", "new.json"),
        ("old_array.json", "new_rpc.json"),
        ("old.md", "new.json"),
        ("old.json", "new.md"),
        ("old", "new_rpc.json"),
    ],
)
def test_each_kind_of_source_is_compared_with_each_other(folder: Path, capsys: Captured, old: str, new: str) -> None:
    for name, text in both_ways().items():
        write(name, text)

    report = report_of(capsys, "diff", old, new)

    assert report["summary"]["breaking"] >= 1
    assert "BC207" in {change["code"] for tool in report["tools"] for change in tool["changes"]}
    assert [one["tool"] for one in report["tools"]] == ["notes.find"]


def test_a_list_that_says_less_than_a_spec_has_not_changed(folder: Path, capsys: Captured) -> None:
    write("old.md", spec(tool()))
    write("new.json", tool_list(listed("notes.find", outputSchema=None)))

    report = report_of(capsys, "diff", "old.md", "new.json")

    told = {change["code"] for one in report["tools"] for change in one["changes"]}
    assert not told & {"BC105", "BC106", "BC109", "BC110", "BC112"}


def test_a_bundle_is_a_source(folder: Path, capsys: Captured) -> None:
    write("old.md", spec(tool()))
    write("new.md", spec(tool(input=NARROWED)))
    write("old.json", json.dumps(to_bundle(load("old.md"))))

    same = run(["diff", "old.json", "old.md"])
    broken = run(["diff", "old.json", "new.md"])

    assert (same, broken) == (0, 1)


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("git:HEAD~1", "git:HEAD"),
        (f"git:HEAD~1:{PATH}", f"git:HEAD:{PATH}"),
        ("git:HEAD~1:specs", "specs"),
        (f"git:v1:{PATH}", PATH),
    ],
)
def test_a_revision_is_compared_with_a_revision_and_with_files(capsys: Captured, old: str, new: str) -> None:
    git("tag", "v1")
    write(PATH, spec(tool(input=NARROWED), version="1.0.0"))
    commit()

    assert run(["diff", old, new]) == 1
    assert "BC207" in capsys.readouterr().out


def test_standard_input_is_either_side(pair: Path) -> None:
    new = (pair / "new.md").read_bytes()
    old = (pair / "old.md").read_bytes()

    forwards = process("diff", "old.md", "-", cwd=pair, stdin=new)
    backwards = process("diff", "-", "old.md", cwd=pair, stdin=new)
    same = process("diff", "-", "old.md", cwd=pair, stdin=old)

    assert [one.returncode for one in (forwards, backwards, same)] == [1, 0, 0]
    assert b"BC207" in forwards.stdout


def test_a_folder_that_is_empty_now_has_lost_its_tools(folder: Path, capsys: Captured) -> None:
    write(f"old/notes/{SPEC_NAME}", spec(tool()))
    Path("new").mkdir()

    assert run(["diff", "old", "new"]) == 1
    assert "BC104" in capsys.readouterr().out
    assert run(["diff", "new", "old"]) == 3


# --- forms of repositories ---


@pytest.mark.usefixtures("repository")
def test_a_renamed_file_is_compared_with_what_it_was(capsys: Captured) -> None:
    git("mv", "specs/notes", "specs/memos")
    commit()

    report = report_of(capsys, "diff", "--against", "HEAD~1", "specs/memos")

    assert report["summary"]["unchanged"] == 1
    assert report["summary"]["added"] == 0


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("named", [PATH, "specs", "specs/notes", "."])
def test_a_deleted_file_or_folder_has_lost_its_tools(capsys: Captured, named: str) -> None:
    shutil.rmtree("specs")

    code = run(["diff", "--against", "HEAD", named])

    assert code == 1
    assert "BC104" in capsys.readouterr().out


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(("version", "code"), [("1.0.0", 1), ("1.1.0", 1), ("2.0.0", 0)])
def test_a_removed_tool_is_covered_by_a_major_step_of_its_module(version: str, code: int) -> None:
    write(PATH, spec(tool(), tool("notes.old"), version="1.0.0"))
    commit()
    write(PATH, spec(tool(), version=version))

    assert run(["diff", "--against", "HEAD"]) == code


@pytest.mark.usefixtures("repository")
def test_a_new_file_brings_new_tools(capsys: Captured) -> None:
    write(f"specs/memos/{SPEC_NAME}", spec(tool("memos.find"), module="memos"))

    assert run(["diff", "--against", "HEAD"]) == 0
    assert run(["diff", "--against", "HEAD", "specs/memos"]) == 0
    assert "1 new tool (BC102): memos.find" in capsys.readouterr().out


@pytest.mark.usefixtures("repository")
def test_a_file_that_was_no_specification_then_brings_new_tools(capsys: Captured) -> None:
    write("tools.json", '{"name": "something else"}')
    commit()
    write("tools.json", tool_list(listed("memos.find")))

    code = run(["diff", "--against", "HEAD", "tools.json"])

    out, err = capsys.readouterr()
    assert code in (0, 1)
    assert err == ""
    assert "memos.find" in out


def test_a_submodule_is_reported_and_not_read(repository: Path, tmp_path: Path, capsys: Captured) -> None:
    other = new_repository(tmp_path / "other")
    write(other / SPEC_NAME, spec(tool("memos.find"), module="memos"))
    git("add", "--all", cwd=other)
    git("commit", "--quiet", "--message", "one", cwd=other)
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "specs/memos")
    commit()

    code = run(["diff", "--against", "HEAD", "specs"])

    out, err = capsys.readouterr()
    assert "`specs/memos` is a submodule" in err
    assert code == 0, out


def test_an_unchanged_submodule_adds_no_tools(repository: Path, tmp_path: Path, capsys: Captured) -> None:
    other = new_repository(tmp_path / "other")
    write(other / SPEC_NAME, spec(tool("memos.find"), module="memos"))
    git("add", "--all", cwd=other)
    git("commit", "--quiet", "--message", "one", cwd=other)
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "specs/memos")
    commit()

    report = report_of(capsys, "diff", "--against", "HEAD", "specs")

    assert report["summary"]["added"] == 0


def test_a_shallow_clone_is_reported_with_the_way_to_more(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    write(PATH, spec(tool(input=NARROWED)))
    commit()
    git("clone", "--quiet", "--depth", "1", f"file://{repository}", str(tmp_path / "shallow"))
    monkeypatch.chdir(tmp_path / "shallow")

    code = run(["diff", "--against", "HEAD~1"])

    assert code == 3
    assert "fetch" in capsys.readouterr().err


def test_any_branch_and_a_detached_head_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    root = new_repository(tmp_path / "repository", branch="trunk")
    monkeypatch.chdir(root)
    write(PATH, spec(tool()))
    first = commit()
    write(PATH, spec(tool(input=NARROWED)))
    commit()

    on_branch = run(["diff", "--against", "trunk~1"])
    git("checkout", "--quiet", "--detach")
    detached = run(["diff", "--against", first[:12]])
    capsys.readouterr()
    other = run(["diff", "--against", "main"])

    assert (on_branch, detached, other) == (1, 1, 3)
    assert "trunk" in capsys.readouterr().err


@pytest.mark.parametrize("below", ["specs", "specs/notes"])
def test_a_sub_folder_is_compared_with_itself_then(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, below: str
) -> None:
    write(f"elsewhere/memos/{SPEC_NAME}", spec(tool("memos.find"), module="memos"))
    write(PATH, spec(tool(input=NARROWED)))
    monkeypatch.chdir(repository / below)

    report = report_of(capsys, "diff", "--against", "HEAD")

    assert [one["tool"] for one in report["tools"]] == ["notes.find"]
    assert report["summary"]["breaking"] == 1


def test_the_paths_of_the_configuration_are_compared(repository: Path, capsys: Captured) -> None:
    write("mcp-contracts.yaml", "paths: [specs]\n")
    write(f"drafts/memos/{SPEC_NAME}", spec(tool("memos.find"), module="memos"))

    report = report_of(capsys, "diff", "--against", "HEAD")

    assert [one["tool"] for one in report["tools"]] == ["notes.find"]


# --- versions, end to end ---


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("versions", "old", "new", "code", "told"),
    [
        (("1.0.0", "1.0.0"), input_schema(), NARROWED, 1, ["MC207"]),
        (("1.0.0", "1.0.1"), input_schema(), NARROWED, 1, ["MC207"]),
        (("1.0.0", "1.9.0"), input_schema(), NARROWED, 1, ["MC207"]),
        (("1.0.0", "2.0.0"), input_schema(), NARROWED, 0, ["MC210"]),
        (("1.2.0", "2.0.0-rc.1"), input_schema(), NARROWED, 0, ["MC210"]),
        (("2.0.0-rc.1", "2.0.0-rc.2"), input_schema(), NARROWED, 0, []),
        (("2.0.0-rc.1", "2.0.0-rc.1"), input_schema(), NARROWED, 1, ["MC207"]),
        (("0.3.0", "0.3.1"), input_schema(), NARROWED, 1, ["MC207"]),
        (("0.3.0", "0.4.0"), input_schema(), NARROWED, 0, ["MC210"]),
        (("1.0.0", "0.9.0"), input_schema(), input_schema(), 1, ["MC209"]),
        (("2.0.0", "1.0.0"), input_schema(), NARROWED, 1, ["MC209"]),
        (("1.0.0", "1.0.1"), NARROWED, input_schema(), 0, ["MC208"]),
        (("1.0.0", "1.1.0"), NARROWED, input_schema(), 0, []),
        (("0.3.0", "0.3.1"), NARROWED, input_schema(), 0, []),
        (("1.0.0", "1.0.0"), NARROWED, input_schema(), 0, ["MC208"]),
        (("1.0.0", None), input_schema(), NARROWED, 1, ["MC207"]),
        ((None, None), input_schema(), NARROWED, 1, ["MC207"]),
        ((None, None), NARROWED, input_schema(), 0, []),
        ((None, "1.0.0"), NARROWED, input_schema(), 0, []),
    ],
)
def test_a_step_is_checked_against_what_changed(
    capsys: Captured,
    versions: tuple[str | None, str | None],
    old: JsonValue,
    new: JsonValue,
    code: int,
    told: list[str],
) -> None:
    write("old.md", spec(tool(version=versions[0], input=old)))
    write("new.md", spec(tool(version=versions[1], input=new)))

    found = run(["diff", "old.md", "new.md"])

    assert found == code
    assert codes(report_of(capsys, "diff", "old.md", "new.md")) == told


@pytest.mark.usefixtures("folder")
def test_without_versions_nothing_is_covered_or_uncovered(capsys: Captured) -> None:
    write("old.md", spec(tool(version=None)))
    write("new.md", spec(tool(version=None, input=NARROWED)))

    report = report_of(capsys, "diff", "old.md", "new.md")

    assert report["tools"][0]["covered"] is None
    assert report["modules"][0]["covered"] is None
    assert report["summary"]["uncovered"] == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("key", ["org.mcp-contracts/version", "fastmcp", "_fastmcp"])
@pytest.mark.parametrize(("version", "code"), [("1.0.0", 1), ("1.1.0", 1), ("2.0.0", 0)])
def test_versions_of_tool_lists_are_checked_against_what_changed(key: str, version: str, code: int) -> None:
    def meta(stated: str) -> JsonValue:
        return {key: stated if "/" in key else {"version": stated}}

    write("old.json", tool_list(listed(_meta=meta("1.0.0"))))
    write("new.json", tool_list(listed(schema=NARROWED, _meta=meta(version))))

    assert run(["diff", "old.json", "new.json"]) == code


@pytest.mark.usefixtures("folder")
def test_a_tool_without_a_version_is_covered_by_its_module(capsys: Captured) -> None:
    write("old.md", spec(tool(version=None), version="1.0.0"))
    write("new.md", spec(tool(version=None, input=NARROWED, migration=MIGRATION), version="2.0.0"))

    assert run(["diff", "old.md", "new.md"]) == 0


# --- options ---


@pytest.mark.usefixtures("folder")
def test_the_policy_decides_whether_a_new_optional_property_breaks_an_open_object() -> None:
    opened: dict[str, JsonValue] = {"type": "object", "properties": {"words": {"type": "string"}}}
    grown: dict[str, JsonValue] = {**opened, "properties": {"words": {"type": "string"}, "folder": {"type": "string"}}}
    write("old.json", tool_list(listed(schema=opened)))
    write("new.json", tool_list(listed(schema=grown)))

    assert run(["diff", "old.json", "new.json"]) == 0
    assert run(["diff", "old.json", "new.json", "--policy", "declared"]) == 0
    assert run(["diff", "old.json", "new.json", "--policy", "sets"]) == 1
    assert run(["diff", "old.json", "new.json", "--policy", "strict"]) == 1


@pytest.mark.parametrize(("policy", "code"), [("declared", 1), ("sets", 0), ("strict", 1)])
def test_an_optional_property_gone_from_an_open_object_breaks_unless_schemas_are_plain_sets(
    folder: Path, capsys: Captured, policy: str, code: int
) -> None:
    write("old.json", tool_list(listed(schema={"type": "object", "properties": {"a": {}, "b": {"type": "string"}}})))
    write("new.json", tool_list(listed(schema={"type": "object", "properties": {"a": {}}})))

    report = report_of(capsys, "diff", "old.json", "new.json", "--policy", policy)

    assert run(["diff", "old.json", "new.json", "--policy", policy]) == code
    assert (report["policy"], report["summary"]["breaking"]) == (policy, code)


@pytest.mark.parametrize(
    ("unknown", "code", "severities"), [("warn", 0, ["warning"]), ("error", 1, ["error"]), ("ignore", 0, [])]
)
def test_undecided_changes_count_as_configured(
    folder: Path, capsys: Captured, unknown: str, code: int, severities: list[str]
) -> None:
    write("old.md", spec(tool(input=UNDECIDABLE[0])))
    write("new.md", spec(tool(version="1.1.0", input=UNDECIDABLE[1])))

    found = run(["diff", "old.md", "new.md", "--unknown", unknown])

    out = capsys.readouterr().out
    report = report_of(capsys, "diff", "old.md", "new.md", "--unknown", unknown)
    assert found == code
    assert ("UNKNOWN  BC209" in out) is bool(severities)
    assert [one["severity"] for one in report["diagnostics"] if one["code"] == "MC211"] == severities
    assert report["summary"]["unknown"] == 1


def test_what_counts_against_the_allowed_warnings_is_counted_in_the_summary(folder: Path, capsys: Captured) -> None:
    write("old.md", spec(tool(input=UNDECIDABLE[0])))
    write("new.md", spec(tool(version="1.1.0", input=UNDECIDABLE[1])))

    code = run(["diff", "old.md", "new.md", "--max-warnings", "0"])

    assert code == 1
    assert "1 warning" in capsys.readouterr().out


def test_the_json_report_is_as_its_schema_says(pair: Path, capsys: Captured) -> None:
    schema = json.loads((ROOT / "schemas" / "diff_report.schema.json").read_text(encoding="utf-8"))

    report = report_of(capsys, "diff", "old.md", "new.md")

    jsonschema.Draft202012Validator(schema).validate(report)
    assert report["format"] == "mcp-contracts/diff"


def test_each_machine_format_can_be_read(pair: Path, capsys: Captured) -> None:
    printed = {}
    for name in ("sarif", "junit", "github", "markdown"):
        assert run(["diff", "old.md", "new.md", "--format", name]) == 1
        printed[name] = capsys.readouterr().out

    sarif = json.loads(printed["sarif"])
    assert {result["ruleId"] for result in sarif["runs"][0]["results"]} >= {"BC207", "MC208"}
    assert ElementTree.fromstring(printed["junit"]).get("failures") != "0"
    assert printed["github"].startswith("::error file=new.md")
    assert printed["markdown"].startswith("## Tool contracts")


def test_a_changelog_is_a_form_of_markdown(pair: Path, capsys: Captured) -> None:
    code = run(["diff", "old.md", "new.md", "--format", "markdown", "--changelog"])

    out = capsys.readouterr().out
    assert code == 1
    assert "### Breaking" in out
    assert "`limit`" in out


def test_a_report_goes_whole_to_a_file(pair: Path, capsys: Captured) -> None:
    code = run(["diff", "old.md", "new.md", "--output", "report.txt", "--color", "always"])

    assert code == 1
    assert capsys.readouterr().out == ""
    text = Path("report.txt").read_text(encoding="utf-8")
    assert "BC207" in text
    assert "\x1b[" not in text
    assert sorted(path.name for path in Path().iterdir()) == ["new.md", "old.md", "report.txt"]


def test_exit_zero_reports_and_passes(pair: Path, capsys: Captured) -> None:
    assert run(["diff", "old.md", "new.md", "--exit-zero"]) == 0
    assert "BREAKING  BC207" in capsys.readouterr().out


def test_more_warnings_than_allowed_fail(folder: Path, capsys: Captured) -> None:
    write("old.md", spec(tool(input=NARROWED)))
    write("new.md", spec(tool()))

    assert run(["diff", "old.md", "new.md"]) == 0
    assert run(["diff", "old.md", "new.md", "--max-warnings", "1"]) == 0
    assert run(["diff", "old.md", "new.md", "--max-warnings", "0"]) == 1
    assert "more than the 0 allowed" in capsys.readouterr().err
    assert run(["diff", "old.md", "new.md", "--max-warnings", "0", "--exit-zero"]) == 0


def test_quiet_prints_what_fails_and_all_prints_what_did_not_change(folder: Path, capsys: Captured) -> None:
    write("old.md", spec(tool(), tool("notes.same"), tool("notes.wider", input=NARROWED)))
    write("new.md", spec(tool(input=NARROWED), tool("notes.same"), tool("notes.wider", "1.1.0")))

    run(["diff", "old.md", "new.md"])
    usual = capsys.readouterr().out
    run(["diff", "old.md", "new.md", "--quiet"])
    quiet = capsys.readouterr().out
    run(["diff", "old.md", "new.md", "--all"])
    everything = capsys.readouterr().out

    assert ["notes.same" in out for out in (usual, quiet, everything)] == [False, False, True]
    assert ["notes.wider" in out for out in (usual, quiet, everything)] == [False, False, True]
    assert ["compatible changes" in out for out in (usual, quiet, everything)] == [True, False, True]
    assert all("notes.find" in out for out in (usual, quiet, everything))


def test_quiet_says_one_line_where_nothing_fails(folder: Path, capsys: Captured) -> None:
    write("old.md", spec(tool()))

    assert run(["diff", "old.md", "old.md", "--quiet"]) == 0
    assert capsys.readouterr().out == "nothing changed in 1 tool\n"


def test_the_configuration_decides_how_severe_a_rule_is(pair: Path, capsys: Captured) -> None:
    write("other.yaml", "severity: {MC207: note}\n")
    write("new2.md", spec(tool(version="1.0.0", input=NARROWED)))

    report = report_of(capsys, "diff", "old.md", "new2.md", "--config", "other.yaml")

    assert [(one["code"], one["severity"]) for one in report["diagnostics"]] == [("MC207", "note")]


@pytest.mark.parametrize(
    ("environment", "options", "is_colored"),
    [
        ({}, (), False),
        ({"FORCE_COLOR": "1"}, (), True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (), False),
        ({"NO_COLOR": "1"}, ("--color", "always"), True),
        ({"FORCE_COLOR": "1"}, ("--color", "never"), False),
    ],
)
@pytest.mark.usefixtures("pair")
def test_colors_follow_the_option_and_the_environment(
    environment: dict[str, str],
    options: tuple[str, ...],
    is_colored: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    run(["diff", "old.md", "new.md", *options])

    assert ("\x1b[" in capsys.readouterr().out) is is_colored


def test_a_narrow_terminal_gets_narrow_lines(pair: Path) -> None:
    ran = process("diff", "old.md", "new.md", cwd=pair, COLUMNS="40")

    assert max(len(line) for line in ran.stdout.decode().splitlines()) <= 40


@pytest.mark.parametrize("reader", ["head -1", "true"])
def test_a_closed_pipe_ends_quietly(pair: Path, reader: str) -> None:
    command = f"{sys.executable} -m mcp_contracts diff old.md new.md | {reader}"

    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=pair,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )

    assert ran.stderr == b""


def test_verbose_has_no_fault_of_ours_to_tell(pair: Path, capsys: Captured) -> None:
    assert run(["diff", "old.md", "new.md", "--verbose"]) == 1
    assert capsys.readouterr().err == ""


def test_the_same_sources_give_the_same_bytes_in_every_format_and_process(pair: Path) -> None:
    runs = [
        ["diff", "old.md", "new.md", "--format", name]
        for name in ("text", "json", "sarif", "junit", "github", "markdown")
    ]

    first, second = (in_another_process(*runs, cwd=pair, PYTHONHASHSEED=seed) for seed in "12")

    assert first == second
    assert [code for code, _ in first] == [1] * len(runs)


# --- the configuration ---


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("arguments", [[], ["specs"], ["specs", "specs/notes", PATH]])
def test_the_revision_of_the_configuration_is_compared_with_where_none_is_named(
    capsys: Captured, arguments: list[str]
) -> None:
    write("mcp-contracts.yaml", "diff: {against: HEAD}")
    write(PATH, spec(tool(input=NARROWED), version="1.0.0"))

    report = report_of(capsys, "diff", *arguments)

    assert report["summary"]["uncovered"] == 1


def test_two_sources_are_compared_with_each_other_whatever_is_configured(pair: Path) -> None:
    write("mcp-contracts.yaml", "diff: {against: no-such-revision}")

    assert run(["diff", "old.md", "new.md"]) == 1


@pytest.mark.usefixtures("repository")
def test_the_command_line_decides_over_the_configured_revision_and_policy(capsys: Captured) -> None:
    write("mcp-contracts.yaml", "diff: {against: no-such-revision, policy: strict}")

    report = report_of(capsys, "diff", "--against", "HEAD", "--policy", "sets")

    assert (run(["diff"]), report["policy"]) == (3, "sets")
    assert report_of(capsys, "diff", "--against", "HEAD")["policy"] == "strict"


@pytest.mark.usefixtures("folder")
def test_without_a_configured_revision_two_sources_are_asked_for(capsys: Captured) -> None:
    assert run(["diff"]) == 2
    assert "`against` in `[tool.mcp-contracts.diff]` sets the revision permanently" in capsys.readouterr().err


@pytest.mark.usefixtures("repository")
def test_lint_reads_schemas_by_the_configured_policy(capsys: Captured) -> None:
    schema = input_schema()
    opened: dict[str, JsonValue] = {name: value for name, value in schema.items() if name != "additionalProperties"}
    write(PATH, spec(tool(input=opened)))
    commit()
    write(PATH, spec(tool(input=schema)))
    declared = run(["lint", "--against", "HEAD"])

    write("mcp-contracts.yaml", "diff: {policy: strict}")

    assert (declared, run(["lint", "--against", "HEAD"])) == (0, 1)
    assert "MC207" in capsys.readouterr().out


LOWERED = [("error", 1, "error"), ("warning", 0, "warning"), ("note", 0, "note"), ("off", 0, None)]


@pytest.mark.parametrize(("level", "code", "severity"), LOWERED)
def test_a_level_changes_how_much_a_break_counts_and_not_what_it_is(
    pair: Path, capsys: Captured, level: str, code: int, severity: str | None
) -> None:
    write("mcp-contracts.yaml", f"diff: {{levels: {{BC207: {level}}}}}")

    report = report_of(capsys, "diff", "old.md", "new.md")

    assert run(["diff", "old.md", "new.md"]) == code
    (change,) = report["tools"][0]["changes"]
    assert (change["code"], change["verdict"], change["level"]) == ("BC207", "breaking", level)
    assert (report["tools"][0]["verdict"], report["summary"]["breaking"]) == ("breaking", 1)
    assert (report["summary"]["uncovered"], report["tools"][0]["owed_bump"]) == (code, "major" if code else "minor")
    told = [one["severity"] for one in report["diagnostics"] if one["tool"] is not None]
    assert told == ([severity] if severity else ["warning"])  # a minor bump is required nevertheless


@pytest.mark.parametrize(("level", "shown"), [("warning", True), ("note", True), ("off", False)])
def test_a_break_that_is_lowered_is_shown_and_counted(pair: Path, capsys: Captured, level: str, shown: bool) -> None:
    write("mcp-contracts.yaml", f"diff: {{levels: {{input-bounds-changed: {level}}}}}")

    run(["diff", "old.md", "new.md"])
    out = capsys.readouterr().out
    run(["diff", "old.md", "new.md", "--quiet"])
    quiet = capsys.readouterr().out

    assert ("BC207" in out, "BC207" in quiet) == (shown, False)
    assert f"1 breaking change in 1 of 1 tool (1 {'as a ' + level if shown else 'ignored'})" in out
    assert (f"a {level} in this project" in out) is shown


@pytest.mark.parametrize(
    ("levels", "code"),
    [
        ("{BC: warning, BC207: error}", 1),
        ("{BC207: warning, BC: error}", 0),
        ("{BC2: note}", 0),
        ("{BC206: warning}", 1),
        ("{BC207: error, input-bounds-changed: warning}", 0),
    ],
)
def test_the_longest_matching_level_decides(pair: Path, levels: str, code: int) -> None:
    write("mcp-contracts.yaml", f"diff: {{levels: {levels}}}")

    assert run(["diff", "old.md", "new.md"]) == code


def test_a_lowered_break_counts_as_a_warning_for_max_warnings(pair: Path, capsys: Captured) -> None:
    write("mcp-contracts.yaml", "diff: {levels: {BC207: warning}}")

    write("old.md", spec(tool()))
    write("new.md", spec(tool(input=NARROWED)))

    assert run(["diff", "old.md", "new.md", "--max-warnings", "1"]) == 0
    assert run(["diff", "old.md", "new.md", "--max-warnings", "0"]) == 1
    assert "1 warning is more than the 0 allowed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("level", "unknown", "code", "expected"),
    [
        ("error", "warn", 0, "warning"),
        ("error", "error", 1, "error"),
        ("warning", "error", 0, "warning"),
        ("note", "warn", 0, "note"),
        ("off", "error", 0, "off"),
        ("warning", "ignore", 0, "off"),
    ],
)
def test_an_undecided_change_counts_at_most_as_much_as_a_break(
    folder: Path, capsys: Captured, level: str, unknown: str, code: int, expected: str
) -> None:
    write("old.md", spec(tool(input=UNDECIDABLE[0]), version="1.0.0"))
    write("new.md", spec(tool(version="1.1.0", input=UNDECIDABLE[1]), version="1.1.0"))
    write("mcp-contracts.yaml", f"diff: {{levels: {{BC209: {level}}}}}")

    report = report_of(capsys, "diff", "old.md", "new.md", "--unknown", unknown)

    assert run(["diff", "old.md", "new.md", "--unknown", unknown]) == code
    assert report["tools"][0]["changes"][0]["level"] == expected
    told = [one["severity"] for one in report["diagnostics"] if one["code"] == "MC211"]
    assert told == ([] if expected == "off" else [expected])


def test_a_lowered_break_is_covered_by_a_minor_step_and_needs_no_migration_note(pair: Path, capsys: Captured) -> None:
    write("new.md", spec(tool(version="1.1.0", input=NARROWED), version="1.1.0"))
    write("mcp-contracts.yaml", "diff: {levels: {BC207: warning}}")

    report = report_of(capsys, "diff", "old.md", "new.md", "--max-warnings", "0")

    assert (report["tools"][0]["covered"], report["diagnostics"]) == (True, [])
    assert report["tools"][0]["changes"][0]["level"] == "note"


def test_an_error_next_to_a_lowered_break_still_fails_and_is_the_only_one_accepted(pair: Path) -> None:
    write("new.md", spec(tool(input=NARROWED, output={"type": "object"}), version="1.0.0"))
    write("mcp-contracts.yaml", "diff: {levels: {BC207: warning}}")
    failed = run(["diff", "old.md", "new.md"])

    accepted = run(["diff", "old.md", "new.md", "--accept", "--reason", "why"])

    assert (failed, accepted) == (1, 0)
    assert "BC207" not in Path(ACCEPTED_FILE).read_text("utf-8")


@pytest.mark.parametrize("format_name", ["markdown", "github", "sarif", "junit"])
def test_no_format_calls_a_lowered_break_an_error(pair: Path, capsys: Captured, format_name: str) -> None:
    write("mcp-contracts.yaml", "diff: {levels: {BC207: warning}}")

    run(["diff", "old.md", "new.md", "--format", format_name])
    out = capsys.readouterr().out

    results = json.loads(out)["runs"][0]["results"] if format_name == "sarif" else []
    assert not any(word in out for word in ("::error", "<failure", "breaking changes\n"))
    assert not any(result["level"] == "error" for result in results)
    assert "BC207" in out


@pytest.mark.usefixtures("folder")
def test_a_level_of_an_unknown_change_is_refused_by_every_command(capsys: Captured) -> None:
    write(PATH, spec(tool()))
    write("mcp-contracts.yaml", "diff: {levels: {BC299: warning}}")

    codes = [run([command, PATH]) for command in ("lint", "diff")]

    assert codes == [2, 2]
    assert capsys.readouterr().err.count("`diff.levels` names an unknown change `BC299`") == 2


# --- accepted changes ---


def test_what_is_accepted_passes_from_then_on(pair: Path, capsys: Captured) -> None:
    accepted = run(["diff", "old.md", "new.md", "--accept", "--reason", "nobody asks for more"])
    told = capsys.readouterr()
    again = run(["diff", "old.md", "new.md"])

    assert (accepted, again) == (0, 0)
    assert f"accepted 1 change; commit `{ACCEPTED_FILE}`" in told.err
    out = capsys.readouterr().out
    assert "nobody asks for more" in out
    assert "MC21" not in out


def test_accepting_twice_writes_the_same_bytes(pair: Path, capsys: Captured) -> None:
    run(["diff", "old.md", "new.md", "--accept", "--reason", "why", "--until", "2999-01-01"])
    first = Path(ACCEPTED_FILE).read_bytes()
    capsys.readouterr()

    code = run(["diff", "old.md", "new.md", "--accept", "--reason", "why"])

    assert code == 0
    assert Path(ACCEPTED_FILE).read_bytes() == first
    assert "nothing to accept" in capsys.readouterr().err


def test_a_further_change_at_the_same_place_fails_again(pair: Path, capsys: Captured) -> None:
    run(["diff", "old.md", "new.md", "--accept", "--reason", "why"])
    write("new.md", spec(tool(input=NARROWER), version="1.0.0"))

    code = run(["diff", "old.md", "new.md"])

    assert code == 1
    assert "MC212" in capsys.readouterr().out


def test_an_acceptance_that_expired_fails_again(pair: Path, capsys: Captured) -> None:
    run(["diff", "old.md", "new.md", "--accept", "--reason", "why", "--until", "2999-01-01"])
    edit(ACCEPTED_FILE, "2999-01-01", "2020-01-01")
    capsys.readouterr()

    code = run(["diff", "old.md", "new.md"])

    assert code == 1
    assert "MC213" in capsys.readouterr().out


def test_an_acceptance_without_a_reason_is_a_warning(pair: Path, capsys: Captured) -> None:
    run(["diff", "old.md", "new.md", "--accept"])

    assert run(["diff", "old.md", "new.md"]) == 0
    assert "MC214" in capsys.readouterr().out


def test_a_last_day_that_is_over_is_refused_when_it_is_given(pair: Path, capsys: Captured) -> None:
    code = run(["diff", "old.md", "new.md", "--accept", "--reason", "why", "--until", "2020-01-01"])

    assert code == 2
    assert "2020-01-01" in capsys.readouterr().err
    assert not Path(ACCEPTED_FILE).exists()


def test_another_file_of_accepted_changes_can_be_named(pair: Path) -> None:
    run(["diff", "old.md", "new.md", "--accept", "--reason", "why", "--accepted", "other.yaml"])

    assert Path("other.yaml").is_file()
    assert not Path(ACCEPTED_FILE).exists()
    assert run(["diff", "old.md", "new.md"]) == 1
    assert run(["diff", "old.md", "new.md", "--accepted", "other.yaml"]) == 0


def test_a_broken_file_of_accepted_changes_is_named_with_its_line(pair: Path, capsys: Captured) -> None:
    run(["diff", "old.md", "new.md", "--accept", "--reason", "why"])
    edit(ACCEPTED_FILE, "code: BC207", "code: MC1")
    capsys.readouterr()

    code = run(["diff", "old.md", "new.md"])

    err = capsys.readouterr().err
    assert code == 2
    assert f"{ACCEPTED_FILE}:4" in err
    assert "Traceback" not in err


def test_what_is_undecided_is_accepted_where_it_would_fail(folder: Path) -> None:
    write("old.md", spec(tool(input=UNDECIDABLE[0])))
    write("new.md", spec(tool(version="1.1.0", input=UNDECIDABLE[1])))

    accepted = run(["diff", "old.md", "new.md", "--unknown", "error", "--accept", "--reason", "why"])

    assert accepted == 0
    assert run(["diff", "old.md", "new.md", "--unknown", "error"]) == 0


@pytest.mark.usefixtures("repository")
def test_a_removed_tool_can_be_accepted() -> None:
    shutil.rmtree("specs/notes")

    accepted = run(["diff", "--against", "HEAD", "--accept", "--reason", "nobody called it"])

    assert accepted == 0
    assert run(["diff", "--against", "HEAD"]) == 0


@pytest.mark.usefixtures("repository")
def test_a_covered_break_is_not_accepted_on_top() -> None:
    write(PATH, spec(tool(version="2.0.0", input=NARROWED, migration=MIGRATION), version="2.0.0"))

    run(["diff", "--against", "HEAD", "--accept", "--reason", "why"])

    assert not Path(ACCEPTED_FILE).exists()


@pytest.mark.usefixtures("repository")
def test_stale_entries_are_dropped_when_accepting_again(capsys: Captured) -> None:
    write(PATH, spec(tool(input=NARROWED), version="1.0.0"))
    run(["diff", "--against", "HEAD", "--accept", "--reason", "why"])
    git("checkout", "--quiet", "--", PATH)
    capsys.readouterr()

    report = report_of(capsys, "diff", "--against", "HEAD")
    run(["diff", "--against", "HEAD", "--accept"])

    assert codes(report) == ["MC212"]
    assert codes(report_of(capsys, "diff", "--against", "HEAD")) == []


@pytest.mark.usefixtures("repository")
def test_an_entry_about_a_tool_that_no_longer_exists_is_stale_where_all_is_compared(capsys: Captured) -> None:
    write(PATH, spec(tool(input=NARROWED), version="1.0.0"))
    run(["diff", "--against", "HEAD", "--accept", "--reason", "why"])
    edit(ACCEPTED_FILE, "tool: notes.find", "tool: memos.find")
    git("checkout", "--quiet", "--", PATH)

    assert codes(report_of(capsys, "diff", "--against", "HEAD")) == ["MC212"]
    assert codes(report_of(capsys, "diff", "--against", "HEAD", "specs")) == []
    assert run(["diff", "--against", "HEAD", "--accept"]) == 0
    assert codes(report_of(capsys, "diff", "--against", "HEAD")) == []


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("sources", [[], ["specs"], [PATH]], ids=["all", "folder", "file"])
def test_without_a_configuration_accepted_changes_are_in_the_root_of_the_repository(sources: list[str]) -> None:
    write(PATH, spec(tool(input=NARROWED), version="1.0.0"))

    run(["diff", "--against", "HEAD", *sources, "--accept", "--reason", "why"])

    assert [path.as_posix() for path in Path().rglob(ACCEPTED_FILE)] == [ACCEPTED_FILE]
    assert [run(["diff", "--against", "HEAD", *some]) for some in ([], ["specs"], [PATH])] == [0, 0, 0]
    assert run(["lint", "--against", "HEAD", "specs"]) == 0


@pytest.mark.usefixtures("repository")
def test_a_run_that_accepts_reports_what_the_next_run_does(capsys: Captured) -> None:
    write(PATH, spec(tool(input=NARROWED), version="1.0.0"))

    accepting = report_of(capsys, "diff", "--against", "HEAD", "--accept", "--reason", "why")
    after = report_of(capsys, "diff", "--against", "HEAD")

    assert accepting == after


# --- errors ---


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([], 2, "compares two sources"),
        (["old.md"], 2, "one source is given"),
        (["old.md", "new.md", "old.md"], 2, "3 sources are given"),
        (["-", "-"], 2, "standard input"),
        (["old.md", "new.md", "--changelog"], 2, "add `--format markdown`"),
        (["old.md", "new.md", "--reason", "why"], 2, "add `--accept`"),
        (["old.md", "new.md", "--until", "2027-01-01"], 2, "add `--accept`"),
        (["old.md", "new.md", "--accept", "--until", "soon"], 2, "write it as 2027-03-01"),
        (["old.md", "new.md", "--accept", "--until", "2026-02-30"], 2, "is not a date"),
        (["nowhere", "new.md"], 2, "no such file or directory"),
        (["old.md", "nowhere"], 2, "no such file or directory"),
        (["", "new.md"], 2, "a source is empty"),
        (["old.md", "new.md", "--policy", "lax"], 2, "invalid value `lax` for"),
        (["old.md", "new.md", "--unknown", "lax"], 2, "invalid value `lax` for"),
        (["old.md", "new.md", "--format", "xml"], 2, "invalid value `xml` for"),
        (["old.md", "new.md", "--config", "nowhere.yaml"], 2, "nowhere.yaml"),
        (["old.md", "new.md", "--accepted", "empty"], 2, "not a regular file"),
        (["old.md", "new.md", "--output", "no/such/folder/x"], 2, "cannot be written"),
        (["old.md", "new.md", "--nothing"], 2, "unknown option `--nothing`"),
        (["stdio:no-such-server", "new.md"], 3, "was not found"),
        (["empty", "empty"], 3, "nothing to compare"),
        (["old.md", "git:HEAD"], 3, "not in a git repository"),
        (["--against", "HEAD"], 3, "not in a git repository"),
    ],
)
def test_what_cannot_work_says_why_and_exits_as_documented(
    pair: Path, capsys: Captured, arguments: list[str], code: int, words: str
) -> None:
    (pair / "empty").mkdir()

    found = run(["diff", *arguments])

    out, err = capsys.readouterr()
    assert found == code
    assert words in err
    assert out == ""
    assert "Traceback" not in err


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--against", "nowhere"], 3, "unknown revision `nowhere`"),
        (["--against", "--upload-pack=touch x"], 2, "a revision cannot begin with `-`"),
        (["--against=-h"], 2, "a revision cannot begin with `-`"),
        (["--against", ""], 2, "is empty"),
        (["--against", "HEAD:specs"], 2, "a revision cannot contain `:`"),
        (["--against", "HEAD", "-"], 2, "standard input has no earlier version"),
        (["--against", "HEAD", "git:HEAD"], 2, "not a path that can exist in a git revision"),
        (["--against", "HEAD", "nowhere"], 2, "no such file or directory"),
        (["--against", "HEAD", "/"], 2, "outside the repository"),
        (["git:HEAD:nowhere", "specs"], 2, "does not contain `nowhere`"),
        (["git:nowhere", "specs"], 3, "unknown revision `nowhere`"),
        (["--against"], 2, "requires a value"),
    ],
)
def test_a_revision_that_cannot_be_had_says_why(capsys: Captured, arguments: list[str], code: int, words: str) -> None:
    found = run(["diff", *arguments])

    out, err = capsys.readouterr()
    assert found == code
    assert words in err
    assert out == ""


def test_one_source_is_described_in_the_singular(pair: Path, capsys: Captured) -> None:
    run(["diff", "old.md"])

    assert "1 sources" not in capsys.readouterr().err


def test_an_empty_repository_has_nothing_to_compare_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(new_repository(tmp_path / "repository"))
    write(PATH, spec(tool()))

    assert run(["diff", "--against", "HEAD"]) == 3
    assert "no commits yet" in capsys.readouterr().err


@pytest.mark.usefixtures("repository")
def test_a_machine_without_git_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    assert run(["diff", "--against", "HEAD"]) == 3
    assert "requires the `git` command" in capsys.readouterr().err


def test_no_hostile_name_reaches_the_terminal_or_the_build(folder: Path, capsys: Captured) -> None:
    name = "find\x1b[31m\u202e\r::error::x"
    hostile = listed(name, input_schema(), description="\x1b[2J::error file=x::gone\n::set-output name=a::b")
    write("old.json", tool_list(hostile))
    write("new.json", tool_list({**hostile, "inputSchema": NARROWED, "description": "%0A::error::<script>]]>"}))

    for format_name in ("text", "markdown", "github", "gitlab", "junit", "sarif", "json"):
        code = run(["diff", "old.json", "new.json", "--format", format_name])

        out = capsys.readouterr().out
        assert code == 1
        assert not set(out) & {"\x1b", "\u202e", "\r"}
        assert all(line.startswith(("::error file=new.json", "::warning file=new.json")) for line in out.splitlines()
                   if format_name == "github" and "::" in line[:3])  # fmt: skip


@pytest.mark.parametrize("sides", [("twice", "once"), ("once", "twice"), ("twice", "twice")])
@pytest.mark.parametrize("format_name", ["text", "json", "markdown", "github", "gitlab", "sarif", "junit"])
def test_a_tool_name_that_occurs_twice_on_a_side_is_reported_and_fails(
    folder: Path, capsys: Captured, sides: tuple[str, str], format_name: str
) -> None:
    other: dict[str, Any] = {"name": "find", "description": "Finds another.", "inputSchema": {"type": "string"}}
    first: dict[str, Any] = {"name": "find", "description": "Finds a note.", "inputSchema": {"type": "object"}}
    (folder / "once.json").write_text(json.dumps({"tools": [first]}))
    (folder / "twice.json").write_text(json.dumps({"tools": [first, other]}))

    code = run(["diff", *(f"{side}.json" for side in sides), "--format", format_name])

    told = capsys.readouterr().out
    assert code == 1
    for side, name in zip(("old", "new"), sides, strict=True):
        assert (f"defined twice on the {side} side" in told.replace("\n", " ")) is (name == "twice")


def test_a_name_in_two_files_of_one_side_is_reported_with_both_places(folder: Path, capsys: Captured) -> None:
    for name in ("old", "new"):
        for number in (1, 2):
            write(folder / name / f"m{number}" / SPEC_NAME, spec(tool()))

    code = run(["diff", "old", "new", "--format", "json"])

    found = [one for one in json.loads(capsys.readouterr().out)["diagnostics"] if one["code"] == "MC104"]
    assert code == 1
    assert [(one["path"], one["related"][0]["path"]) for one in found] == [
        (f"{name}/m2/{SPEC_NAME}", f"{name}/m1/{SPEC_NAME}") for name in ("new", "old")
    ]


@pytest.mark.parametrize("option", [["--max-warnings", "0"], ["--fail-on", "warning"]])
def test_warnings_that_fail_the_run_fail_in_every_format(folder: Path, capsys: Captured, option: list[str]) -> None:
    write("old.md", spec(tool(input=UNDECIDABLE[0])))
    write("new.md", spec(tool(version="1.1.0", input=UNDECIDABLE[1])))

    passed = run(["diff", "old.md", "new.md", "--format", "junit"])
    before = ElementTree.fromstring(capsys.readouterr().out)
    failed = run(["diff", "old.md", "new.md", "--format", "junit", *option])
    after = ElementTree.fromstring(capsys.readouterr().out)
    run(["diff", "old.md", "new.md", "--quiet", *option])
    quiet = capsys.readouterr().out

    assert (passed, before.get("failures")) == (0, "0")
    assert (failed, after.get("failures")) == (1, "1")
    assert "unknown" in quiet.lower()


def test_lists_of_which_nothing_is_read_are_not_reported_as_unchanged(tmp_path: Path, capsys: Captured) -> None:
    broken = tmp_path / "tools.json"
    broken.write_text('{"tools": 3}', "utf-8")

    code = run(["diff", str(broken), str(broken)])

    assert code == 1
    shown = capsys.readouterr().out
    assert "nothing was compared; 2 errors" in shown
    assert "nothing changed" not in shown
