"""Files that a search omits are counted and named, and files that git tracks are never omitted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_contracts.parsing.discovery import SPEC_NAME, Skipped
from mcp_contracts.sources.load import find_all
from mcp_contracts.sources.paths import NamedFile
from tests.commands import process
from tests.repositories import commit, git, isolate, new_repository, spec, tool, write


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository as the working directory."""
    isolate(monkeypatch, tmp_path, tmp_path)
    folder = new_repository(tmp_path / "repo")
    monkeypatch.chdir(folder)
    return folder


def found() -> tuple[list[str], list[str]]:
    """Search the working directory; return what is found and what is skipped."""
    items = list(find_all(["."]))
    return (
        [item.shown for item in items if isinstance(item, NamedFile)],
        [str(item.path) for item in items if isinstance(item, Skipped)],
    )


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("hiding", "text"),
    [
        (".gitignore", "*\n"),
        (".gitignore", "specs/\n"),
        (".gitignore", f"{SPEC_NAME}\n"),
        ("specs/.gitignore", "*\n"),
        ("specs/pyvenv.cfg", ""),
        ("specs/a/pyvenv.cfg", "home = /usr\n"),
    ],
)
def test_what_git_tracks_is_found_whatever_hides_it(hiding: str, text: str) -> None:
    write(f"specs/a/{SPEC_NAME}", "")
    write(f"specs/b/{SPEC_NAME.lower()}", "")
    write(hiding, text)
    git("add", "--force", "--all")

    assert found()[0] == [f"specs/a/{SPEC_NAME}", f"specs/b/{SPEC_NAME.lower()}"]


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("folder", ["node_modules/x", ".venv/lib", ".tox", "a/.nox/b"])
def test_tracked_files_in_folders_of_tools_are_found(folder: str) -> None:
    write(f"{folder}/{SPEC_NAME}", "")
    git("add", "--force", "--all")

    assert found()[0] == [f"{folder}/{SPEC_NAME}"]


@pytest.mark.usefixtures("repository")
def test_untracked_files_that_are_ignored_are_skipped_and_counted() -> None:
    write(f"specs/{SPEC_NAME}", spec(tool()))
    write(".gitignore", "build/\ndraft\n")
    git("add", "--all")
    write(f"build/{SPEC_NAME}", "")
    write(f"env/{SPEC_NAME}", "")
    write("env/pyvenv.cfg", "")
    write(f"draft/{SPEC_NAME}", "")

    assert found() == ([f"specs/{SPEC_NAME}"], ["build", "draft", "env"])


@pytest.mark.usefixtures("repository")
def test_a_link_among_tracked_files_must_stay_inside(tmp_path: Path) -> None:
    write(tmp_path / "env", "TOKEN")
    write(".gitignore", "specs\n")
    write("specs/x", "")
    Path(f"specs/{SPEC_NAME}").symlink_to("../../env")
    git("add", "--force", "--all")

    assert found() == ([], ["specs"])
    assert b"leads outside the tree through a symbolic link" in process("lint").stdout


@pytest.mark.usefixtures("repository")
def test_each_repository_is_asked_for_its_own_files() -> None:
    write(".gitignore", "hidden/\n")
    inner = new_repository(Path("inner"))
    write(inner / ".gitignore", "*\n")
    write(inner / f"hidden/{SPEC_NAME}", "")
    git("add", "--force", "--all", cwd=inner)

    assert found()[0] == [f"inner/hidden/{SPEC_NAME}"]


@pytest.mark.usefixtures("repository")
def test_the_summary_counts_what_was_skipped_and_verbose_names_it() -> None:
    write(f"specs/{SPEC_NAME}", spec(tool()))
    write("mcp-contracts.yaml", "exclude: [old/]")
    write(f"old/{SPEC_NAME}", "")
    write(f"env/{SPEC_NAME}", "")
    write("env/pyvenv.cfg", "")

    plain, verbose, machine = process("lint"), process("lint", "--verbose"), process("lint", "--format", "json")

    assert plain.stdout.rstrip().endswith(b"; 2 skipped")
    assert plain.stderr == b""
    assert verbose.stderr == b"skipped: env/: a virtual environment\nskipped: old/: excluded by the configuration\n"
    assert json.loads(machine.stdout)["summary"]["skipped"] == 2


@pytest.mark.usefixtures("repository")
def test_without_git_ignore_files_apply_and_a_note_says_so(tmp_path: Path) -> None:
    write(f"specs/{SPEC_NAME}", spec(tool()))
    write(f"hidden/{SPEC_NAME}", spec(tool()))
    write(".gitignore", "hidden\n")
    git("add", "--force", "--all")

    with_git, without = process("lint"), process("lint", PATH=str(tmp_path))

    assert b"in 2 files" in with_git.stdout
    assert b"in 1 file (1 tool); 1 skipped" in without.stdout
    assert b"note: git cannot list the files that the repository tracks" in without.stderr


@pytest.mark.usefixtures("repository")
def test_a_revision_contains_tracked_files_even_if_they_are_ignored() -> None:
    for folder in ("specs", "hidden", "env", "node_modules/x"):
        write(f"{folder}/{SPEC_NAME}", spec(tool()))
    write(".gitignore", "hidden\nnode_modules\n")
    write("env/pyvenv.cfg", "")
    git("add", "--force", "--all")
    commit()

    ran = process("lint", "git:HEAD", "--format", "json")

    assert json.loads(ran.stdout)["summary"]["files"] == 4


@pytest.mark.usefixtures("repository")
def test_nothing_is_asked_of_git_where_nothing_is_skipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write(f"specs/{SPEC_NAME}", "")
    monkeypatch.setenv("PATH", str(tmp_path))  # without git

    assert found() == ([f"specs/{SPEC_NAME}"], [])
