"""No path in a tree leads out of it, however it is spelled, linked or swapped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mcp_contracts.faults import FaultKind
from mcp_contracts.files.trees import IrregularError, OutsideError, is_inside, open_regular, search_root, tree_root
from mcp_contracts.parsing.discovery import SPEC_NAME, Skipped, Unreadable, find_specs, read_text
from mcp_contracts.sources.load import find_all
from tests.commands import process

SECRET = "TOKEN=ghs_secret"
OUTSIDE = "the path leads outside the tree through a symbolic link, and is not read"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository next to a file with a secret, as the working directory."""
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "env").write_text(SECRET)
    (tmp_path / "secrets" / SPEC_NAME).write_text(SECRET)
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "config").write_text(SECRET)
    (root / "specs" / "a").mkdir(parents=True)
    monkeypatch.chdir(root)
    return root


def link(path: str, target: str | Path) -> str:
    """Create a symbolic link and its parent folders."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).symlink_to(target)
    return path


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize(
    "target",
    ["../../../secrets/env", "/proc/self/environ", "../../.git/config", "../../.GIT/../.git/config", "/dev/stdin",
     "../../../repo/../secrets/env", "/proc/self/cwd/../secrets/env"],
)  # fmt: skip
def test_a_search_reads_nothing_outside_of_its_tree(target: str) -> None:
    link(f"specs/a/{SPEC_NAME}", target)

    (found,) = find_specs(Path("specs"))

    assert isinstance(found, Unreadable)
    assert found.fault.message == OUTSIDE
    assert found.fault.kind is FaultKind.UNREADABLE


@pytest.mark.usefixtures("tree")
def test_a_link_to_a_link_is_followed_to_its_end() -> None:
    link("one", "two")
    link("two", "../secrets/env")
    link(f"specs/a/{SPEC_NAME}", "../../one")

    assert [type(item) for item in find_specs(Path("specs"))] == [Unreadable]


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize("name", ["tools.json", "linked/tools.json", "specs/../tools.json"])
def test_a_named_path_of_the_tree_does_not_lead_out_of_it(name: str, tmp_path: Path) -> None:
    (tmp_path / "secrets" / "tools.json").write_text(SECRET)
    link("tools.json", "../secrets/tools.json")
    link("linked", tmp_path / "secrets")

    read = read_text(Path(name))

    assert isinstance(read, Unreadable)
    assert read.fault.message == OUTSIDE


@pytest.mark.usefixtures("tree")
def test_a_named_path_outside_of_the_tree_is_read() -> None:
    assert read_text(Path("../secrets/env")) == SECRET
    assert read_text(Path(".git/config")) == SECRET


@pytest.mark.usefixtures("tree")
def test_a_linked_folder_is_not_searched_where_it_leads_out_of_the_tree(tmp_path: Path) -> None:
    link("linked", tmp_path / "secrets")
    (tmp_path / "secrets" / ".git").mkdir()  # another checkout of the same machine is another tree

    (found,) = find_all(["linked"])

    assert isinstance(found, Unreadable)
    assert found.fault.message == OUTSIDE


def test_a_link_inside_the_tree_is_followed(tree: Path) -> None:
    (tree / "shared.md").write_text("text")
    link(f"specs/a/{SPEC_NAME}", "../../shared.md")

    assert [read_text(path) for path in find_specs(Path("specs")) if isinstance(path, Path)] == ["text"]


def test_a_file_that_becomes_a_link_after_the_search_is_not_read(tree: Path) -> None:
    file = tree / "specs" / "a" / SPEC_NAME
    file.write_text("text")
    (found,) = (item for item in find_specs(Path("specs")) if not isinstance(item, Skipped))
    file.unlink()
    link(str(file), "/proc/self/environ")

    assert isinstance(found, Path)
    assert isinstance(read_text(found), Unreadable)


def test_no_link_is_followed_while_a_file_is_opened(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder is replaced with a link between the check and the opening."""
    link("specs/b", "../../secrets")
    real = os.path.realpath
    monkeypatch.setattr(os.path, "realpath", lambda path: str(path) if "specs/b" in str(path) else real(path))

    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        open_regular(tree / "specs" / "b" / "env", str(tree))


def test_the_tree_of_a_path_is_its_repository_else_the_working_folder(tree: Path, tmp_path: Path) -> None:
    inner = tree / "inner"
    (inner / ".git").mkdir(parents=True)

    assert tree_root("specs/a") == str(tree)
    assert tree_root("inner/a") == str(inner)
    assert tree_root(tmp_path / "secrets") is None
    assert search_root(tmp_path / "secrets") == str(tmp_path / "secrets")


def test_a_search_outside_of_any_repository_stays_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "env").write_text(SECRET)
    (tmp_path / "a").mkdir()
    link(str(tmp_path / "a" / SPEC_NAME), "../env")
    monkeypatch.chdir("/")

    assert [type(item) for item in find_specs(tmp_path / "a")] == [Unreadable]


def test_what_is_not_there_yet_can_lie_inside(tree: Path) -> None:
    link("out", "../secrets")

    assert is_inside("new/report.md", str(tree))
    assert not is_inside("out/report.md", str(tree))
    assert not is_inside("../report.md", str(tree))


def test_only_regular_files_are_opened(tree: Path) -> None:
    os.mkfifo("pipe")

    with pytest.raises(IrregularError):
        open_regular("pipe", str(tree))
    with pytest.raises(IrregularError):
        open_regular("specs", str(tree))
    with pytest.raises(OutsideError):
        open_regular("../secrets/env", str(tree))


# --- paths in a configuration ---


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize(
    "source", ["/proc/self/environ", "../..", "../secrets", "linked", "linked/env", ".git/config", "specs/../.git", "/"]
)
def test_a_configuration_names_nothing_outside_of_its_project(source: str, tmp_path: Path) -> None:
    link("linked", tmp_path / "secrets")
    Path("mcp-contracts.yaml").write_text(f"paths: [{source!r}]")

    ran = process("lint")

    assert ran.returncode == 2
    assert SECRET.encode() not in ran.stdout + ran.stderr
    assert b"`paths[0]` points outside the project" in ran.stderr


@pytest.mark.usefixtures("tree")
def test_a_configuration_may_name_files_of_its_repository() -> None:
    Path("specs/a/tools.json").write_text('{"tools": []}')
    Path("service").mkdir()
    Path("service/mcp-contracts.yaml").write_text("paths: [../specs/a/tools.json]")

    assert b"(0 tools)" in process("lint", cwd=Path("service")).stdout


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize("name", ["mcp-contracts.yaml", "pyproject.toml", "mcp-contracts-accepted.yaml"])
def test_no_configuration_is_read_through_a_link_out_of_the_tree(name: str, tmp_path: Path) -> None:
    Path(f"specs/a/{SPEC_NAME}").write_text("# none")
    link(name, tmp_path / "secrets" / "env")

    ran = process("diff", "specs", "specs")

    assert ran.returncode == 2
    assert b"leads outside the tree through a symbolic link" in ran.stderr
    assert SECRET.encode() not in ran.stdout + ran.stderr
