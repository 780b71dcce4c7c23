"""The recipes in docs/ci.md: their shell lines run in bash, in a clone whose branch breaks callers.

The work of a CI server (clone, install, publish) is simulated: the environment variables are set, and a program of the
test replaces `pip install`, because `mcp-contracts` is already installed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from junitparser import JUnitXml

from mcp_contracts.cli.app import run
from mcp_contracts.parsing.discovery import SPEC_NAME
from mcp_contracts.version import __version__
from tests.commands import programs
from tests.documents import Block, blocks_of
from tests.github_action import ACTION, pull_request, run_action
from tests.repositories import ROOT, commit, edit, git, isolate, new_repository, spec, tool, write

_NOTES = f"specs/notes/{SPEC_NAME}"
_PIP = '#!/bin/sh\n[ "$*" = "install mcp-contracts" ]\n'
_OURS = "mcp-contracts/mcp-contracts@"


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The base of a pull request that breaks callers; its clone is the working directory, next to `origin`."""
    isolate(monkeypatch, tmp_path / "home", tmp_path)
    monkeypatch.chdir(new_repository(tmp_path / "origin"))
    write(_NOTES, spec(tool()))
    revision = commit()
    git("clone", "--quiet", str(tmp_path / "origin"), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    git("switch", "--quiet", "--create", "change")
    edit(_NOTES, '"maximum": 100', '"maximum": 50')
    commit()
    pip = write(tmp_path / "programs" / "pip", _PIP)
    pip.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join((str(pip.parent), str(programs()), os.environ["PATH"])))
    return revision


def blocks(heading: str) -> list[Block]:
    """Return the blocks of a chapter of the page, in order."""
    text = (ROOT / "docs" / "ci.md").read_text("utf-8")
    start = text[: text.index(f"\n## {heading}\n")].count("\n") + 2
    following = text.find("\n## ", text.index(f"\n## {heading}\n") + 1)
    end = text[:following].count("\n") if following > 0 else text.count("\n")
    return [block for block in blocks_of("docs/ci.md") if start < block.line < end + 1]


def shell(script: str, **environment: str) -> tuple[int, str]:
    """Run a script in bash, and return its exit code and its output."""
    ran = subprocess.run(
        ("bash", "-e", "-o", "pipefail", "-c", script),
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )
    return ran.returncode, (ran.stdout + ran.stderr).decode("utf-8")


def steps_of(workflow: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the steps of all jobs of a GitHub workflow."""
    for job in workflow["jobs"].values():
        yield from job["steps"]


def violations(path: str) -> list[str]:
    """Return the names of the checks in a code quality report."""
    return [one["check_name"] for one in json.loads(Path(path).read_text("utf-8"))]


def failures(path: Path) -> int:
    """Return the number of failed test cases in a JUnit report."""
    failed: int = JUnitXml.fromfile(str(path)).failures
    return failed


def test_the_workflow_of_the_page_is_the_one_that_init_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    run(["init", "--github"])

    written = (tmp_path / ".github" / "workflows" / "mcp-contracts.yml").read_text("utf-8")
    assert written.partition("\n")[2] == blocks("GitHub Actions")[0].source


def test_the_action_is_used_in_its_version_with_inputs_and_outputs_that_it_has() -> None:
    for block in blocks("GitHub Actions"):
        ours = [one for one in steps_of(yaml.safe_load(block.source)) if one.get("uses", "").startswith(_OURS)]
        outputs = re.findall(r"steps\.contracts\.outputs\.([a-z-]+)", block.source)

        assert all(one["uses"] == f"{_OURS}v{__version__}" for one in ours)
        assert all(one.get("with", {}).keys() <= ACTION["inputs"].keys() for one in ours)
        assert set(outputs) <= ACTION["outputs"].keys()


def test_the_page_describes_every_input_of_the_action() -> None:
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")

    assert re.findall(r"(?m)^\| `([a-z-]+)` \|", page) == list(ACTION["inputs"])


def test_the_recipe_with_the_action_fails_for_a_break_and_leaves_a_file_to_upload(base: str, tmp_path: Path) -> None:
    (step,) = [
        one for one in steps_of(yaml.safe_load(blocks("GitHub Actions")[1].source)) if one.get("id") == "contracts"
    ]

    job = run_action(tmp_path / "runner", event=pull_request(base), folder=programs(), **step["with"])

    assert job.code == 1
    assert json.loads(Path(job.outputs["check"]["lint-sarif"]).read_text("utf-8"))["runs"]


def test_the_recipe_without_the_action_annotates_and_fails(base: str) -> None:
    lines = [one["run"] for one in steps_of(yaml.safe_load(blocks("GitHub Actions")[2].source)) if "run" in one]

    ran = [shell(line, GITHUB_BASE_REF="main") for line in lines]

    assert [code for code, _ in ran] == [0, 0, 1]
    assert f"::error file={_NOTES}," in ran[2][1]


def test_the_recipe_for_gitlab_reports_code_quality_and_fails(base: str) -> None:
    jobs = yaml.safe_load(blocks("GitLab")[0].source)

    ran = {name: shell("\n".join(job["script"]), CI_MERGE_REQUEST_DIFF_BASE_SHA=base) for name, job in jobs.items()}

    assert {name: code for name, (code, _) in ran.items()} == {"lint-tools": 0, "compare-tools": 1}
    assert "BREAKING  BC207" in ran["compare-tools"][1]
    assert violations(jobs["compare-tools"]["artifacts"]["reports"]["codequality"])[0].startswith("BC207")
    assert Path(jobs["lint-tools"]["artifacts"]["reports"]["codequality"]).exists()


def test_the_recipe_for_jenkins_reports_junit_and_fails(base: str) -> None:
    source = blocks("Jenkins")[0].source
    lines = re.findall(r"\bsh '([^']*)'", source)

    codes = [shell(line, CHANGE_TARGET="main")[0] for line in lines]

    assert source.count("{") == source.count("}")
    assert codes == [0, 0, 0, 1]
    assert failures(Path("lint.xml")) == 0
    assert failures(Path("diff.xml")) == 1


@pytest.mark.parametrize("target", ["main", "refs/heads/main"])
def test_the_recipe_for_azure_reports_junit_and_a_summary_and_fails(base: str, tmp_path: Path, target: str) -> None:
    lines = [step["bash"] for step in yaml.safe_load(blocks("Azure Pipelines")[0].source)["steps"] if "bash" in step]

    ran = [shell(line, SYSTEM_PULLREQUEST_TARGETBRANCH=target, AGENT_TEMPDIRECTORY=str(tmp_path)) for line in lines]

    assert [code for code, _ in ran] == [0, 0, 1]
    assert f"##vso[task.uploadsummary]{tmp_path}/diff.md" in ran[2][1]
    assert "100 became 50" in (tmp_path / "diff.md").read_text("utf-8")
    assert failures(tmp_path / "diff.xml") == 1


def test_the_hooks_of_the_page_are_those_of_the_project_in_its_version() -> None:
    (repository,) = yaml.safe_load(blocks("pre-commit")[0].source)["repos"]
    ours = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))

    assert [hook["id"] for hook in repository["hooks"]] == [hook["id"] for hook in ours]
    assert repository["rev"] == f"v{__version__}"
