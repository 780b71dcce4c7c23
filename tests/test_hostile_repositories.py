"""A repository built to stall, deceive or execute something leads to a report or a message."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.sources import git as sources_git
from mcp_contracts.sources import git_objects
from mcp_contracts.sources import source as sources_bounds
from mcp_contracts.sources.git_process import GitProcess
from mcp_contracts.sources.load import load
from tests.commands import fresh_process, is_alive, process, process_in
from tests.repositories import ROOT, commit, git, isolate, new_repository, spec, tool, write

SPEC = "MCP_TOOL_SPECIFICATION.md"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository as the working directory."""
    isolate(monkeypatch, tmp_path, tmp_path)
    folder = new_repository(tmp_path / "repo")
    monkeypatch.chdir(folder)
    return folder


def stored(kind: str, content: bytes) -> str:
    """Store an object in the repository, however odd it is, and return its id."""
    whole = f"{kind} {len(content)}".encode() + b"\0" + content
    name = hashlib.sha1(whole).hexdigest()
    file = Path(".git", "objects", name[:2], name[2:])
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(zlib.compress(whole, 1))
    return name


def tree(*entries: tuple[str, str, str]) -> str:
    """Return a tree of entries: mode, name and object."""
    lines = (f"{mode} {name}".encode() + b"\0" + bytes.fromhex(object_id) for mode, name, object_id in entries)
    return stored("tree", b"".join(lines))


def committed(tree_id: str, branch: str = "bomb") -> str:
    """Commit a tree on a branch that is not checked out."""
    commit_id = git("commit-tree", tree_id, "-m", "x")
    git("update-ref", f"refs/heads/{branch}", commit_id)
    return commit_id


@pytest.mark.usefixtures("repository")
def test_a_tree_bomb_is_counted_while_it_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten trees, each ten times in the next one, represent ten billion files."""
    here = tree(*((("100644", f"{number}", stored("blob", b"x"))) for number in range(10)))
    for _ in range(9):
        here = tree(*((("40000", f"{number}", here)) for number in range(10)))
    committed(here)
    monkeypatch.setattr(git_objects, "_MOST_FILES", 50_000)

    with pytest.raises(SourceError, match="contains more than 50,000 files"):
        load("git:bomb")


@pytest.mark.usefixtures("repository")
def test_a_tree_bomb_of_empty_folders_is_counted_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    here = tree()
    for _ in range(6):
        here = tree(*((("40000", f"{number}", here)) for number in range(10)))
    committed(here)
    monkeypatch.setattr(git_objects, "_MOST_FILES", 50_000)

    with pytest.raises(SourceError, match="contains more than 50,000 files"):
        load("git:bomb")


@pytest.mark.usefixtures("repository")
def test_a_path_that_no_file_system_takes_is_named_as_too_long() -> None:
    here = tree(("100644", SPEC, stored("blob", spec(tool()).encode())))
    for _ in range(200):
        here = tree(("40000", "a" * 30, here))
    committed(here)

    (file,) = load("git:bomb").files

    assert "its path has more than 4,096 characters" in file.faults[0].message


@pytest.mark.usefixtures("repository")
def test_a_revision_that_git_would_fall_over_is_refused() -> None:
    with pytest.raises(UsageError, match="a git revision has at most 1,000 characters, and this one has 50,004"):
        load("git:HEAD" + "^" * 50_000)


@pytest.mark.usefixtures("repository")
def test_one_blob_under_many_paths_is_read_once() -> None:
    blob = stored("blob", spec(tool()).encode().ljust(1_000_000, b"\n"))
    module = tree(("100644", SPEC, blob))
    committed(tree(*(("40000", f"m{number:04}", module) for number in range(1000))))
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000,) * 2);"
        "from mcp_contracts.sources.load import load;"
        "files = load('git:bomb').files;"
        "print(len(files), files[-1].faults[0].message)"
    )

    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False
    )

    assert ran.stdout == (
        b"101 this file and all later files are not read: a run reads at most 20,000 files and 100,000,000 bytes\n"
    ), ran.stderr


def test_many_copies_of_a_file_are_not_all_read(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources_bounds, "MAX_TOTAL_SIZE", 100_000)
    write("first.md", "x" * 1_900)
    for number in range(60):
        folder = repository / f"m{number:02}"
        folder.mkdir()
        os.link("first.md", folder / SPEC)

    *files, last = load(".").files

    assert len(files) == 52
    assert last.faults[0].message.startswith("this file and all later files are not read")


@pytest.mark.parametrize("source", [".", "git:bomb"])
def test_small_files_are_counted_as_well(source: str, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tree(("100644", SPEC, stored("blob", b"")))
    committed(tree(*(("40000", f"m{number:02}", module) for number in range(9))))
    for number in range(9):
        write(repository / f"m{number:02}" / SPEC, "")
    monkeypatch.setattr(sources_bounds, "MAX_FILES", 5)
    monkeypatch.setattr(sources_git, "MAX_FILES", 5)

    *files, last = load(source).files

    assert [len(files), last.path.removeprefix("bomb:")] == [5, f"m05/{SPEC}"]
    assert last.faults[0].message.startswith("this file and all later files are not read: a run reads at most 5 files")


@pytest.mark.usefixtures("repository")
def test_no_object_is_replaced() -> None:
    write(f"specs/{SPEC}", spec(tool("notes.real")))
    commit()
    real = git("rev-parse", f"HEAD:specs/{SPEC}")
    git("update-ref", f"refs/replace/{real}", stored("blob", spec(tool("notes.other")).encode()))

    assert [contract.name for contract in load("git:HEAD")] == ["notes.real"]


@pytest.mark.usefixtures("repository")
def test_nothing_that_the_repository_configures_is_run(tmp_path: Path) -> None:
    script = write(tmp_path / "run.sh", f"#!/bin/sh\ntouch '{tmp_path}/ran'\ncat\n")
    script.chmod(0o755)
    write(f"specs/{SPEC}", spec(tool()))
    write(f"hidden/{SPEC}", spec(tool("other.find"), module="other"))
    write(".gitignore", "hidden\n")
    write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
    git("add", "--force", "--all")
    git("commit", "--quiet", "--message", "x")
    for name in (
        "core.fsmonitor", "core.pager", "pager.ls-tree", "filter.evil.smudge", "filter.evil.clean",
        "filter.evil.process", "diff.evil.textconv", "diff.evil.command", "diff.external", "core.sshCommand",
        "core.askPass", "core.editor", "alias.ls-tree", "alias.cat-file", "alias.ls-files", "gpg.program",
        "credential.helper", "interactive.diffFilter",
    ):  # fmt: skip
        git("config", name, f"!{script}" if name.startswith("alias") else str(script))
    git("config", "core.hooksPath", str(tmp_path))
    for hook in ("post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman"):
        (tmp_path / hook).symlink_to(script)

    ran = [process("lint"), process("lint", "git:HEAD"), process("diff", "--against", "HEAD")]

    assert [one.returncode for one in ran] == [0, 0, 0]
    assert not (tmp_path / "ran").exists()


@pytest.mark.usefixtures("repository")
def test_names_that_no_checkout_contains_are_only_names() -> None:
    blob = stored("blob", spec(tool()).encode())
    deep = tree(("100644", SPEC, blob))
    for _ in range(900):
        deep = tree(("40000", "deep-folder", deep))
    odd = [tree(("100644", SPEC, blob))] * 6
    names = ["..", ".git", "a\nb", "-rf", "\x1b[31m", "*"]
    committed(
        tree(
            *sorted((("40000", name, one) for name, one in zip(names, odd, strict=True)), key=str), ("40000", "z", deep)
        )
    )

    ran = process("lint", "git:bomb")

    assert ran.returncode == 1
    assert b"Traceback" not in ran.stderr
    assert b"\x1b[31m" not in ran.stdout


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    "target", [b"../../../../proc/self/environ", b"/etc/passwd", b".", b"x" * 5_000_000, b"", b"a\0b", b"../m0001"]
)
def test_a_link_of_a_revision_leads_to_nothing_outside_of_it(target: bytes) -> None:
    link = stored("blob", target)
    committed(
        tree(*(("120000", f"m{number:04}", link) for number in range(50)), ("40000", "z", tree(("120000", SPEC, link))))
    )

    files = load("git:bomb").files

    assert [file.faults[0].message for file in files] == [
        "the file is a symbolic link whose target is not in the revision"
    ]


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    "ref", ["--output=x", "-x", "--upload-pack=touch ran", "$(touch ran)", "HEAD;touch ran", "a\nb"]
)
def test_a_revision_is_never_an_option(ref: str) -> None:
    write(f"specs/{SPEC}", spec(tool()))
    commit()

    with pytest.raises((UsageError, SourceError)):
        load(f"git:{ref}")
    assert not Path("ran").exists()
    assert not Path("x").exists()


@pytest.mark.usefixtures("repository")
def test_a_git_that_starts_others_is_ended_with_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    fake = write(tmp_path / "bin" / "git", f"#!/bin/sh\n(cat '{tmp_path}/pipe') &\necho $! >'{tmp_path}/child'\nwait\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(fake.parent), prepend=os.pathsep)
    with GitProcess("ls-tree"):
        child = process_in(tmp_path / "child")
    assert not is_alive(child)

    monkeypatch.setattr("mcp_contracts.sources.git_process.TIMEOUT", 0.1)
    with pytest.raises(SourceError, match="did not finish"), GitProcess("ls-tree") as running:
        running.finish(b"".join(running.chunks()))


@pytest.mark.usefixtures("repository")
def test_python_modules_are_not_read_through_links(tmp_path: Path) -> None:
    write(f"specs/{SPEC}", spec(tool()))
    write(tmp_path / "secrets.py", "TOKEN = 'ghs_secret")
    write("tools/__init__.py", "")
    Path("tools/linked.py").symlink_to(tmp_path / "secrets.py")
    Path("single.py").symlink_to(tmp_path / "secrets.py")
    Path("package").symlink_to(tmp_path)

    for module in ("tools", "single", "package"):
        ran = process("lint", "specs", "--implementation", module)

        assert b"leads outside the tree through a symbolic link" in ran.stdout + ran.stderr
        assert b"ghs_secret" not in ran.stdout + ran.stderr


def test_the_module_of_a_stranger_is_not_imported(tmp_path: Path) -> None:
    for name in ("yaml", "typer", "regress", "jsonschema_rs", "mcp_content"):
        write(tmp_path / f"{name}.py", "raise SystemExit('ran')")
    write(tmp_path / "specs" / SPEC, spec(tool()))
    write(tmp_path / "mcp-contracts.yaml", "max_warnings: 3")

    ran = fresh_process("lint", cwd=tmp_path)

    assert ran.stdout == b"no problems in 1 file (1 tool)\n"
    assert ran.stderr == b""
