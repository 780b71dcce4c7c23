"""The GitHub action: its steps run in bash, its comment is sent to a local API, and it is safe."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.parsing.discovery import SPEC_NAME
from tests.commands import programs
from tests.github_action import ACTION, Comments, Job, pull_request, run_action, serving_comments, write_comment
from tests.offline_install import keep_pip_offline
from tests.repositories import ROOT, commit, edit, git, isolate, new_repository, spec, tool, write

_NOTES = f"specs/notes/{SPEC_NAME}"
_MARKER = "<!-- mcp-contracts: default -->\n"
_HOSTILE = "$(touch owned) `touch owned` \"; touch owned; ' touch owned; # --output=owned"


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The base of a pull request whose branch is checked out in the working directory."""
    isolate(monkeypatch, tmp_path / "home", tmp_path)
    monkeypatch.chdir(new_repository(tmp_path / "project"))
    write(_NOTES, spec(tool()))
    revision = commit()
    git("switch", "--quiet", "--create", "change")
    return revision


@pytest.fixture
def comments() -> Iterator[Comments]:
    with serving_comments() as comments:
        yield comments


def run(tmp_path: Path, base: str, comments: Comments, **inputs: str) -> Job:
    """Commit the changes, and run the action for the pull request."""
    commit()
    return run_action(tmp_path / "runner", event=pull_request(base), api=comments.address, folder=programs(), **inputs)


def narrow() -> None:
    """Break callers of the tool."""
    edit(_NOTES, '"maximum": 100', '"maximum": 50')


# What is checked


def test_a_break_fails_the_job_with_an_annotation_a_summary_and_a_comment(
    tmp_path: Path, base: str, comments: Comments
) -> None:
    narrow()

    job = run(tmp_path, base, comments)

    assert job.code == 1
    assert f"::error file={_NOTES}," in job.log
    assert "`limit`: `maximum` 100 became 50" in job.summary
    assert comments.bodies() == [_MARKER + job.report()]
    assert job.summary == job.report()
    assert base[:7] in job.report()
    assert base not in job.report()


def test_findings_of_lint_are_below_the_comparison(tmp_path: Path, base: str, comments: Comments) -> None:
    edit(_NOTES, '"type": "integer"', '"type": "integr"')

    job = run(tmp_path, base, comments)

    assert job.code == 1
    body = comments.bodies()[0]
    assert body.count("\n## ") == 2
    assert "MC308" in body
    assert "`integr`" in body


def test_wrong_settings_fail_the_job_and_are_in_the_report(tmp_path: Path, base: str, comments: Comments) -> None:
    write("mcp-contracts.yaml", "pahts: [specs]\n")

    job = run(tmp_path, base, comments)

    assert job.code == 2
    assert "`diff` could not run" in comments.bodies()[0]
    assert "`pahts`" in comments.bodies()[0]


def test_paths_are_lines_and_a_compatible_change_fails_nothing(tmp_path: Path, base: str, comments: Comments) -> None:
    write(f"specs/my drafts/{SPEC_NAME}", spec(tool("drafts.find"), module="drafts"))
    narrow()

    job = run(tmp_path, base, comments, paths="specs/my drafts\r\n\n  \n", policy="strict", fail_on="warning")

    diff = json.loads(Path(job.outputs["check"]["diff-sarif"]).read_text("utf-8"))
    lint = json.loads(Path(job.outputs["check"]["lint-sarif"]).read_text("utf-8"))
    assert [one["properties"]["tool"] for one in diff["runs"][0]["results"]] == ["drafts.find"]
    assert lint["version"] == "2.1.0"
    assert job.code == 0
    assert "`drafts.find`" in comments.bodies()[0]


def test_a_shallow_clone_fetches_the_base(tmp_path: Path, base: str, comments: Comments) -> None:
    narrow()
    commit()
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    git("clone", "--quiet", "--depth", "1", "--branch", "change", f"file://{Path.cwd()}", str(tmp_path / "shallow"))

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path / "shallow")
        job = run_action(tmp_path / "runner", event=pull_request(base), folder=programs(), comment="false")

    assert job.code == 1
    assert "100 became 50" in job.report()


def test_a_branch_that_is_behind_is_compared_with_where_it_left(tmp_path: Path, base: str, comments: Comments) -> None:
    git("switch", "--quiet", "main")
    write(f"specs/other/{SPEC_NAME}", spec(tool("other.find"), module="other"))
    newer = commit()
    git("switch", "--quiet", "change")

    job = run(tmp_path, newer, comments)

    assert job.code == 0
    assert "Nothing changed" in job.report()
    assert comments.bodies() == []  # no news


def test_without_a_base_only_lint_runs(tmp_path: Path, base: str, comments: Comments) -> None:
    job = run_action(tmp_path / "runner", event={}, api=comments.address, folder=programs())

    assert job.code == 0
    assert "set the input `against` to a revision" in job.log
    assert "diff-sarif" not in job.outputs["check"]
    assert comments.asked == []


def test_no_input_is_program_text(tmp_path: Path, base: str, comments: Comments) -> None:
    job = run(tmp_path, base, comments, paths=_HOSTILE, against=_HOSTILE, policy="declared", comment_key=_HOSTILE)
    policy = run(tmp_path, base, comments, policy=_HOSTILE, fail_on=_HOSTILE, comment="false")

    assert not Path("owned").exists()
    assert (job.code, policy.code) == (3, 2)


def test_run_contains_no_expressions_and_no_other_action_is_used() -> None:
    steps: list[dict[str, Any]] = ACTION["runs"]["steps"]

    assert all("${{" not in step["run"] for step in steps)
    assert all("uses" not in step for step in steps)
    assert all(step["shell"] == "bash" for step in steps)


def test_every_input_is_used_and_every_used_one_exists() -> None:
    used = set(re.findall(r"inputs\.([a-z-]+)", (ROOT / "action.yml").read_text("utf-8")))

    assert used == ACTION["inputs"].keys()
    assert all(one["description"].strip() for one in (*ACTION["inputs"].values(), *ACTION["outputs"].values()))


# What is installed


@pytest.mark.installs
def test_it_installs_itself_from_its_own_checkout(
    tmp_path: Path, base: str, comments: Comments, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("hatchling", reason="the package is built without a network")
    keep_pip_offline(monkeypatch, tmp_path / "dependencies")
    write("venv.py", "raise SystemExit('a file of the checkout was imported')\n")
    write("pip/__init__.py", "raise SystemExit('a file of the checkout was imported')\n")
    commit()

    job = run_action(tmp_path / "runner", event=pull_request(base), python=sys.executable, comment="false")

    assert job.code == 0, job.log
    assert Path(job.outputs["install"]["folder"], "mcp-contracts").exists()
    assert "mcp-contracts 0." in job.log


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"version": "1.0; touch owned"}, "the input `version` is not a version"),
        ({"version": "--index-url=x"}, "the input `version` is not a version"),
        ({"python": "no-such-python"}, "no Python found"),
    ],
)
def test_a_failed_installation_is_reported(tmp_path: Path, base: str, inputs: dict[str, str], said: str) -> None:
    python, version = inputs.get("python", sys.executable), inputs.get("version", "")

    job = run_action(tmp_path / "runner", event=pull_request(base), python=python, version=version)

    assert job.code == 2
    assert f"::error title=mcp-contracts::{said}" in job.log
    assert not Path("owned").exists()


# The comment


def test_the_comment_is_updated_and_never_repeated(tmp_path: Path, comments: Comments) -> None:
    comments.add("a remark of a reviewer", "someone", "User")

    said = [write_comment(tmp_path, comments, report) for report in ("one break", "two breaks", "two breaks")]

    assert said == ["created the comment", "updated the comment", "the comment is up to date"]
    assert comments.bodies() == ["a remark of a reviewer", f"{_MARKER}two breaks"]


def test_a_comment_is_found_after_hundreds_of_others(tmp_path: Path, comments: Comments) -> None:
    for number in range(250):
        comments.add(f"remark {number}", "someone", "User")
    comments.add(f"{_MARKER}old")

    write_comment(tmp_path, comments, "new")

    assert len(comments.bodies()) == 251
    assert comments.bodies()[-1] == f"{_MARKER}new"


def test_a_marker_in_a_comment_of_someone_else_is_not_ours(tmp_path: Path, comments: Comments) -> None:
    comments.add(f"{_MARKER}nothing breaks, trust me", "someone", "User")

    write_comment(tmp_path, comments, "a break")

    assert comments.bodies() == [f"{_MARKER}nothing breaks, trust me", f"{_MARKER}a break"]


def test_the_token_of_a_person_finds_the_comment_of_that_person(tmp_path: Path, comments: Comments) -> None:
    comments.login = "robot-of-ours"
    comments.add(f"{_MARKER}of another bot")
    comments.add(f"{_MARKER}old", "robot-of-ours", "User")

    write_comment(tmp_path, comments, "new")

    assert comments.bodies() == [f"{_MARKER}of another bot", f"{_MARKER}new"]


def test_without_news_no_comment_is_created_but_an_old_one_is_updated(tmp_path: Path, comments: Comments) -> None:
    first = write_comment(tmp_path, comments, "nothing changed", is_news=False)
    comments.add(f"{_MARKER}a break")
    second = write_comment(tmp_path, comments, "nothing changed", is_news=False)

    assert first == "nothing to comment on"
    assert second == "updated the comment"
    assert comments.bodies() == [f"{_MARKER}nothing changed"]


def test_comments_are_distinguished_by_a_key_that_cannot_leave_its_marker(tmp_path: Path, comments: Comments) -> None:
    write_comment(tmp_path, comments, "one")
    write_comment(tmp_path, comments, "two", key="services/mail --> x\n")

    assert comments.bodies() == [f"{_MARKER}one", "<!-- mcp-contracts: services/mail _ x_ -->\ntwo"]


def test_a_fork_that_may_not_comment_fails_nothing(tmp_path: Path, comments: Comments) -> None:
    comments.may_write = False

    said = write_comment(tmp_path, comments, "a break")

    assert said.startswith("::warning title=mcp-contracts::GitHub responded to the comment with 403")
    assert "`pull-requests: write`" in said


def test_a_server_that_does_not_answer_fails_nothing(tmp_path: Path) -> None:
    said = write_comment(tmp_path, Comments(address="http://127.0.0.1:9"), "a break")

    assert said.startswith("::warning title=mcp-contracts::no comment on the pull request: ")
