"""The hooks for pre-commit, installed by pre-commit itself and run by `git commit`, without a network.

As for a user, pre-commit clones our repository and installs it into a separate environment. pip stays offline: the
build backend and our dependencies are those of this Python, without our package.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from mcp_contracts.parsing.discovery import SPEC_NAME
from tests.offline_install import copy_package, keep_pip_offline, require
from tests.repositories import edit, git, isolate, new_repository, spec, tool, write

require("pre_commit", "virtualenv", "hatchling")

pytestmark = pytest.mark.installs

_NOTES = f"specs/notes/{SPEC_NAME}"
_OTHER = f"specs/other/{SPEC_NAME}"
_CONFIGURATION = "paths: [specs]\nexclude: [drafts/]\ndiff: {against: main}\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with pre-commit and our three hooks, on a branch next to `main`."""
    folder = tmp_path_factory.mktemp("pre-commit")
    with pytest.MonkeyPatch.context() as patch:
        _isolate(patch, folder)
        hooks = _clone_source(folder / "hooks")
        project = new_repository(folder / "project")
        patch.chdir(project)
        write(_NOTES, _formatted(spec(tool())))
        write("mcp-contracts.yaml", _CONFIGURATION)
        write(".pre-commit-config.yaml", _pre_commit_configuration(hooks))
        git("add", "--all")
        git("commit", "--quiet", "--message", "first")
        git("switch", "--quiet", "--create", "change")
        for command in (("install",), ("install-hooks",)):
            ran = subprocess.run([sys.executable, "-m", "pre_commit", *command], capture_output=True, check=False)
            assert ran.returncode == 0, ran.stdout.decode()
    return folder


@pytest.fixture
def project(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the repository as the working directory; the installed hooks are shared."""
    _isolate(monkeypatch, installed)
    copy = shutil.copytree(installed / "project", tmp_path / "project")
    monkeypatch.chdir(copy)
    return copy


def _isolate(patch: pytest.MonkeyPatch, folder: Path) -> None:
    isolate(patch, folder / "home", folder)
    keep_pip_offline(patch, folder / "dependencies")
    patch.setenv("PRE_COMMIT_HOME", str(folder / "cache"))
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        patch.delenv(name, raising=False)


def _clone_source(folder: Path) -> tuple[Path, str]:
    """Return a repository with the current package, and its revision."""
    new_repository(folder)
    copy_package(folder)
    git("add", "--all", cwd=folder)
    git("commit", "--quiet", "--message", "release", cwd=folder)
    return folder, git("rev-parse", "HEAD", cwd=folder)


def _pre_commit_configuration(hooks: tuple[Path, str]) -> str:
    folder, revision = hooks
    wanted = [{"id": f"mcp-contracts-{name}"} for name in ("lint", "fmt", "diff")]
    return yaml.safe_dump({"repos": [{"repo": str(folder), "rev": revision, "hooks": wanted}]})


def _formatted(text: str) -> str:
    from mcp_contracts.formatting.specs import format_spec

    return format_spec(SPEC_NAME, text).text


def committed(*paths: str) -> tuple[bool, str]:
    """Whether a commit of some paths passed the hooks, and their output."""
    git("add", "--all", "--", *paths)
    ran = subprocess.run(("git", "commit", "--message", "change"), capture_output=True, check=False)
    return ran.returncode == 0, (ran.stdout + ran.stderr).decode("utf-8")


def test_a_good_change_passes_all_hooks_which_respect_the_configuration(project: Path) -> None:
    write(_OTHER, _formatted(spec(tool("other.find"), module="other")))
    write(f"specs/drafts/{SPEC_NAME}", "# excluded, with all that lint and fmt complain of\n\n## Tool: `x`\n")
    write(f"elsewhere/{SPEC_NAME}", "# not among the paths\n\n## Tool: `x`\n")

    is_through, said = committed("specs", "elsewhere")

    assert is_through, said
    assert said.count("Passed") == 3


def test_a_tool_that_another_file_defines_too_is_found_though_only_one_file_is_committed(project: Path) -> None:
    write(_OTHER, _formatted(spec(tool("notes.find"), module="other")))

    is_through, said = committed(_OTHER)

    assert not is_through
    assert "error MC104" in said
    assert _NOTES in said


def test_an_unformatted_file_is_formatted_and_the_commit_stopped(project: Path) -> None:
    edit(_NOTES, "### 5. Error Handling", "### 5.  Errors")

    is_through, said = committed(_NOTES)

    assert not is_through
    assert "files were modified by this hook" in said
    assert "### 5. Error Handling" in Path(_NOTES).read_text("utf-8")


def test_a_removed_specification_is_a_break_though_no_file_is_left_to_check(project: Path) -> None:
    write("README.md", "The notes are gone.\n")
    Path(_NOTES).unlink()

    is_through, said = committed("README.md", _NOTES)

    assert not is_through
    assert said.count("(no files to check)Skipped") == 2
    assert "BREAKING  BC104 tool-removed-without-deprecation" in said


def test_without_a_revision_to_compare_with_the_hook_says_how_to_name_one(project: Path) -> None:
    write("mcp-contracts.yaml", "paths: [specs]\n")

    is_through, said = committed("mcp-contracts.yaml")

    assert not is_through
    assert "diff --against origin/main" in said
    assert "`against` in `[tool.mcp-contracts.diff]`" in said
