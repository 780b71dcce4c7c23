"""Files are written where they were named: no link is followed, and permissions are not passed on."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_contracts.cli.app import run
from mcp_contracts.errors import UsageError
from mcp_contracts.parsing.discovery import SPEC_NAME
from mcp_contracts.writing.files import make_folder, write_atomically
from tests.commands import process
from tests.repositories import spec, tool, write


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository next to a folder outside it, as the working directory."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "victim").write_text("untouched")
    root = tmp_path / "repo"
    (root / ".git" / "hooks").mkdir(parents=True)
    monkeypatch.chdir(root)
    return root


def left(folder: Path) -> list[str]:
    """Return the names in a folder."""
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("target", ["../outside/victim", "../outside/new", ".git/hooks/pre-commit", "report.txt"])
def test_a_link_is_refused_wherever_it_leads(tree: Path, tmp_path: Path, target: str) -> None:
    (tree / "out").symlink_to(target)

    with pytest.raises(UsageError, match="`out` is a symbolic link, and links are not followed for writing"):
        write_atomically(Path("out"), "report")

    assert left(tmp_path / "outside") == ["victim"]
    assert (tmp_path / "outside" / "victim").read_text() == "untouched"
    assert left(tree) == [".git", "out"]
    assert left(tree / ".git" / "hooks") == []


@pytest.mark.parametrize("target", ["../outside", ".git/hooks", "../outside/../outside"])
@pytest.mark.parametrize("name", ["linked/report", "linked/sub/../report"])
def test_a_linked_folder_that_leads_out_of_the_tree_is_refused(tree: Path, target: str, name: str) -> None:
    (tree / "linked").symlink_to(target)

    with pytest.raises(UsageError, match=r"leads outside the tree through a symbolic link|no such file"):
        write_atomically(Path(name), "report")

    assert left(tree / ".git" / "hooks") == []
    assert left(tree.parent / "outside") == ["victim"]


@pytest.mark.usefixtures("tree")
def test_a_linked_folder_inside_the_tree_and_a_path_outside_are_written(tmp_path: Path) -> None:
    Path("real").mkdir()
    Path("linked").symlink_to("real")

    write_atomically(Path("linked/report"), "inside")
    write_atomically(tmp_path / "outside" / "report", "outside")

    assert Path("real/report").read_text() == "inside"
    assert (tmp_path / "outside" / "report").read_text() == "outside"


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize(("before", "after"), [(0o4755, 0o755), (0o2644, 0o644), (0o600, 0o600), (None, 0o640)])
def test_permissions_are_kept_except_for_set_uid(before: int | None, after: int) -> None:
    if before is not None:
        write("report", "").chmod(before)
    mask = os.umask(0o026)
    try:
        write_atomically(Path("report"), "text")
    finally:
        os.umask(mask)

    assert stat.S_IMODE(Path("report").stat().st_mode) == after


@pytest.mark.usefixtures("tree")
def test_a_hard_link_to_another_file_is_not_written_through(tmp_path: Path) -> None:
    os.link(tmp_path / "outside" / "victim", "report")

    write_atomically(Path("report"), "text")

    assert (tmp_path / "outside" / "victim").read_text() == "untouched"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_nothing_is_left_next_to_the_file_when_the_run_is_ended(
    tree: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    write(f"specs/{SPEC_NAME}", spec(tool()))
    monkeypatch.setattr(os, "fsync", lambda descriptor: os.kill(os.getpid(), number))
    usual = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
    before = signal.signal(number, usual)  # a runner in the background is started with some signals ignored

    try:
        code = run(["lint", "specs", "--output", "report.json", "--format", "json"])
    except SystemExit as error:
        code = int(str(error.code))
    finally:
        signal.signal(number, before)

    assert code == 128 + number
    assert left(tree) == [".git", "specs"]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("folder", "`folder` is a folder"),
        ("no/report", "`no/report` cannot be written: no such file or directory"),
        ("x" * 300, "cannot be written: file name too long"),
        ("/dev/full", "`/dev/full` cannot be written: no space left on device"),
        ("/proc/report", "`/proc/report` cannot be written"),
    ],
)
def test_what_cannot_be_written_is_reported(path: str, message: str) -> None:
    Path("folder").mkdir()

    with pytest.raises(UsageError, match=message):
        write_atomically(Path(path), "text")


@pytest.mark.usefixtures("tree")
def test_a_device_is_written_straight_to() -> None:
    write(f"specs/{SPEC_NAME}", spec(tool()))

    ran = process("lint", "specs", "--output", "/dev/stdout")

    assert ran.stdout == b"no problems in 1 file (1 tool)\n"
    write_atomically(Path("/dev/null"), "text")


@pytest.mark.usefixtures("tree")
def test_no_folder_is_made_outside_of_the_tree(tmp_path: Path) -> None:
    Path("specs").symlink_to("../outside")

    with pytest.raises(UsageError, match="leads outside the tree"):
        make_folder(Path("specs/notes"))
    ran = process("new", "notes.find")

    assert ran.returncode == 2
    assert left(tmp_path / "outside") == ["victim"]


@pytest.mark.usefixtures("tree")
def test_a_linked_specification_is_not_added_to(tmp_path: Path) -> None:
    write(tmp_path / "outside" / "notes.md", spec(tool()))
    Path("specs/notes").mkdir(parents=True)
    Path(f"specs/notes/{SPEC_NAME}").symlink_to(tmp_path / "outside" / "notes.md")

    ran = process("new", "notes.drop")

    assert ran.returncode == 2
    assert (tmp_path / "outside" / "notes.md").read_text("utf-8") == spec(tool())


def test_accept_writes_nothing_above_the_working_folder_without_a_repository(tmp_path: Path) -> None:
    write(tmp_path / "mcp-contracts.yaml", "max_warnings: 9")
    write(tmp_path / "inner" / "old" / SPEC_NAME, spec(tool(), tool("notes.drop")))
    write(tmp_path / "inner" / "new" / SPEC_NAME, spec(tool()))

    ran = process("diff", "old", "new", "--accept", cwd=tmp_path / "inner", GIT_CEILING_DIRECTORIES=str(tmp_path))

    assert ran.returncode == 2
    assert b"`--accept` would write `../mcp-contracts-accepted.yaml`, which is in a parent folder" in ran.stderr
    assert left(tmp_path) == ["inner", "mcp-contracts.yaml"]


@pytest.mark.usefixtures("tree")
def test_accept_writes_through_no_link(tmp_path: Path) -> None:
    write(f"old/{SPEC_NAME}", spec(tool(), tool("notes.drop")))
    write(f"new/{SPEC_NAME}", spec(tool()))
    write("mcp-contracts.yaml", "max_warnings: 9")
    Path("mcp-contracts-accepted.yaml").symlink_to("../outside/accepted")

    ran = process("diff", "old", "new", "--accept")

    assert ran.returncode == 2
    assert left(tmp_path / "outside") == ["victim"]


def test_one_may_stop_reading_at_any_time(tree: Path) -> None:
    for number in range(30):
        write(f"specs/{number}/{SPEC_NAME}", "# none")
    command = f"'{sys.executable}' -m mcp_contracts lint specs | head -c 10"

    ran = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        check=False,
    )

    assert ran.stderr == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ("lint", "specs"),
        ("lint", "specs", "-f", "sarif"),
        ("diff", "specs", "specs", "-f", "json"),
        ("rules",),
        ("lint", "--help"),
        ("--help",),
        ("--version",),
    ],
    ids=" ".join,
)
def test_a_closed_pipe_has_its_own_exit_code(tree: Path, arguments: tuple[str, ...]) -> None:
    write(f"specs/{SPEC_NAME}", spec(tool()))
    reading, writing = os.pipe()
    os.close(reading)

    ran = subprocess.run(
        [sys.executable, "-m", "mcp_contracts", *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        check=False,
    )
    os.close(writing)

    assert (ran.returncode, ran.stderr) == (141, b"")
