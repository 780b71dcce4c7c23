"""Git revisions as a source, in real repositories: the content of a commit, and the errors."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from mcp_contracts.contract import SpecFile, ToolListFile
from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.faults import FaultKind
from mcp_contracts.parsing.discovery import SPEC_NAME, specs_among
from mcp_contracts.sources import git_process
from mcp_contracts.sources.git import Revision, load_revision
from mcp_contracts.sources.load import find_all, load
from mcp_contracts.sources.paths import NamedFile
from tests.repositories import built_repository, commit, git, isolate, new_repository, write

ROOT = Path(__file__).parents[1]


def spec(name: str, version: str = "1.0.0") -> str:
    """Return a specification of one tool, with enough words for git to recognize it after a rename."""
    module = name.partition(".")[0]
    words = "".join(f"The {module} module, sentence {number}.\n" for number in range(20))
    return f"# {module}\n\n{words}\n## Tool: `{name}`\n\n**Version**: {version}\n"


LIST = '{"tools": [{"name": "get", "inputSchema": {"type": "object"}}]}'


def names(loaded: Revision) -> list[str]:
    """Return the names of the tools in a revision."""
    return [contract.name for contract in loaded.contracts]


@pytest.fixture(autouse=True)
def _settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path_factory.mktemp("home"), tmp_path_factory.getbasetemp())


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository with the branch `main`, as the working directory."""
    folder = new_repository(tmp_path / "repository")
    monkeypatch.chdir(folder)
    return folder


def two_commits() -> None:
    """Commit `weather` 1.0.0, tagged `v1`, then 2.0.0 together with `notes` and a tool list."""
    write(f"specs/weather/{SPEC_NAME}", spec("weather.get"))
    commit()
    git("tag", "v1")
    write(f"specs/weather/{SPEC_NAME}", spec("weather.get", "2.0.0"))
    write(f"specs/notes/{SPEC_NAME}", spec("notes.get"))
    write("tools.json", LIST)
    commit()


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with these two commits, as the working directory."""
    return built_repository(tmp_path / "repository", two_commits, monkeypatch)


# --- the grammar ---


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize(
    ("source", "tools"),
    [
        ("git:HEAD", ["notes.get", "weather.get"]),
        ("git:main:", ["notes.get", "weather.get"]),
        ("git:v1", ["weather.get"]),
        ("git:main~1:specs", ["weather.get"]),
        ("git:main^:specs/", ["weather.get"]),
        ("git:HEAD@{0}:./specs/notes", ["notes.get"]),
        (f"git:main:specs/weather/{SPEC_NAME}", ["weather.get"]),
        ("git:main:tools.json", ["get"]),
        (["git:v1", "git:main:tools.json", "tools.json", "git:main:tools.json"], ["weather.get", "get", "get"]),
    ],
)
def test_a_file_a_folder_or_all_of_a_revision_is_loaded(source: str | list[str], tools: list[str]) -> None:
    contracts = load(source)

    assert [contract.name for contract in contracts] == tools


@pytest.mark.usefixtures("history")
def test_the_files_are_as_they_were_then_and_named_as_git_names_them() -> None:
    git("branch", "topic/one", "v1")

    (file,) = load("git:topic/one:specs").files

    assert isinstance(file, SpecFile)
    assert (file.path, file.module) == (f"topic/one:specs/weather/{SPEC_NAME}", "weather")
    assert file.contracts[0].version == "1.0.0"
    assert file.contracts[0].place.path == file.path
    assert git("show", file.path) == file.text.strip()


@pytest.mark.parametrize("folder", ["specs", "specs/weather", "."])
def test_a_path_is_relative_to_the_working_folder_and_so_is_the_name_of_a_module(
    history: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(SPEC_NAME, spec("root.get"))
    write(f"specs/stated/{SPEC_NAME}", "---\nmodule: specs\n---\n" + spec("stated.get"))
    commit()
    monkeypatch.chdir(history / folder)

    then, now = load("git:HEAD:."), load(".")

    assert [(one.name, one.module) for one in then] == [(one.name, one.module) for one in now]
    assert [file.module for file in then.files if isinstance(file, SpecFile)] == [
        file.module for file in now.files if isinstance(file, SpecFile)
    ]
    assert len(load("git:HEAD")) == 4  # without a path, the whole repository, from any folder
    assert [one.name for one in load(f"git:HEAD:{history}/specs/notes")] == ["notes.get"]
    assert [one.name for one in load(f"git:HEAD:{os.path.relpath(history / 'tools.json')}")] == ["get"]


def test_an_absolute_path_may_lead_over_a_link_to_the_repository(history: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(history)

    loaded = load_revision("v1", [tmp_path / "link" / "specs"])

    assert names(loaded) == ["weather.get"]


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("git:", "the git revision is empty"),
        ("git::specs", "the git revision is empty"),
        (
            "git:--upload-pack=touch x",
            "`--upload-pack=touch x` is not a git revision: a revision cannot begin with `-`",
        ),
        ("git:^main", "`^main` is not a git revision: a revision cannot begin with `^`"),
        ("git:main..v1", "`main..v1` is a range of commits, not a single commit"),
        ("git:ma\nin", "a git revision cannot contain control characters"),
        ("git:main:a\0b", "a path of a git revision cannot contain a null character"),
        ("git:main:../..", "`../..` is outside the repository"),
        ("git:main:/", "`/` is outside the repository"),
        ("git:main:tools.py", "`main` does not contain `tools.py`"),
        ("git:main:python:tools", "`python:tools` is not a path that can exist in a git revision"),
        ("git:main:-", "`<stdin>` is not a path that can exist in a git revision"),
        ("git:main:specs/nots", "`main` does not contain `specs/nots`"),
    ],
)
def test_a_source_that_is_written_wrong_is_a_usage_error_with_a_way_out(source: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(source)

    assert caught.value.message == message
    assert caught.value.hint


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("git:main:specs/nots", "did you mean `git:main:specs/notes`?"),
        ("git:v1:tools.json", "it was added later: pass `tools.json` to read the current version"),
    ],
)
def test_a_path_that_a_revision_does_not_hold_says_what_may_be_meant(source: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(source)

    assert caught.value.hint == hint


@pytest.mark.usefixtures("history")
def test_a_separate_ref_contains_no_path() -> None:
    with pytest.raises(UsageError):
        load_revision("main:specs", ["."])


@pytest.mark.usefixtures("history")
def test_a_folder_without_a_specification_is_nothing_to_read() -> None:
    write("empty/readme.md", "")
    commit()

    with pytest.raises(SourceError) as caught:
        load("git:HEAD:empty")

    assert caught.value.message == "no specification found in `git:HEAD:empty`"


# --- what never changes ---


def fingerprint(folder: Path) -> dict[str, tuple[str, int]]:
    """Return the content and the time of every file below a folder, including those of git."""
    return {
        str(path.relative_to(folder)): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_checkout_index_and_refs_are_untouched(history: Path) -> None:
    write(f"specs/weather/{SPEC_NAME}", spec("weather.get", "3.0.0"))
    write("untracked.md", "")
    git("mv", "tools.json", "moved.json")
    os.utime(history / f"specs/notes/{SPEC_NAME}", (0, 0))  # an index that git would refresh
    before = fingerprint(history)

    load("git:v1")
    load_revision("HEAD~1", ["specs", "moved.json", "untracked.md"])

    assert fingerprint(history) == before


@pytest.mark.usefixtures("history")
def test_no_filter_and_no_fsmonitor_of_the_repository_runs() -> None:
    git("config", "filter.spy.smudge", "touch spied; cat")
    git("config", "filter.spy.clean", "touch spied; cat")
    git("config", "core.fsmonitor", "touch spied; false")
    git("config", "diff.spy.textconv", "touch spied; cat")
    write(".gitattributes", "*.md filter=spy diff=spy\n*.json filter=spy diff=spy\n")
    Path("tools.json").rename("moved.json")

    load_revision("HEAD", [".", "moved.json"])

    assert not Path("spied").exists()


# --- the same paths at a revision ---


def test_a_file_that_was_renamed_since_is_found_by_its_old_name(history: Path) -> None:
    git("mv", "tools.json", "list.json")

    loaded = load_revision("main", ["list.json"])

    assert names(loaded) == ["get"]
    assert loaded.commit == git("rev-parse", "main", cwd=history)
    assert (loaded.renamed, loaded.missing) == ((("tools.json", "list.json"),), ())
    assert loaded.contracts.files[0].path == "main:tools.json"


@pytest.mark.parametrize("named", ["specs/climate", f"specs/climate/{SPEC_NAME}"])
@pytest.mark.usefixtures("history")
def test_a_module_whose_folder_was_renamed_is_found_by_folder_and_by_file(named: str) -> None:
    git("mv", "specs/weather", "specs/climate")
    write(f"specs/climate/{SPEC_NAME}", spec("weather.get", "2.1.0"))
    commit()

    loaded = load_revision("v1", [named])

    assert names(loaded) == ["weather.get"]
    assert loaded.renamed == ((f"specs/weather/{SPEC_NAME}", f"specs/climate/{SPEC_NAME}"),)


@pytest.mark.usefixtures("history")
def test_a_file_that_moved_into_a_folder_is_read_once() -> None:
    git("mv", "specs/weather", "specs/notes/weather")

    into = load_revision("HEAD", ["specs/notes"])
    whole = load_revision("HEAD", ["specs", "specs/notes", f"specs/notes/weather/{SPEC_NAME}"])

    assert names(into) == ["notes.get", "weather.get"]
    assert names(whole) == ["notes.get", "weather.get"]


@pytest.mark.usefixtures("history")
def test_a_path_missing_in_the_revision_is_reported_without_an_error() -> None:
    write("new.json", LIST)

    loaded = load_revision("v1", ["tools.json", "new.json", "specs/notes", "specs"])

    assert names(loaded) == ["weather.get"]
    assert loaded.missing == ("tools.json", "new.json", "specs/notes")


@pytest.mark.usefixtures("history")
def test_a_file_that_is_deleted_now_is_found_then() -> None:
    git("rm", "--quiet", "tools.json")

    assert names(load_revision("HEAD", ["tools.json"])) == ["get"]
    assert load_revision("HEAD", ["tools.json"]).renamed == ()


@pytest.mark.usefixtures("history")
def test_a_file_that_was_something_else_then_is_read_as_what_it_was() -> None:
    write("thing", LIST)
    write("broken.json", "{")
    commit()
    write("thing", spec("thing.get"))
    write("broken.json", LIST)

    loaded = load_revision("HEAD", ["thing", "broken.json"])

    assert [type(file) for file in loaded.contracts.files] == [ToolListFile, ToolListFile]
    assert [(fault.kind, fault.place.path) for fault in loaded.contracts.faults] == [
        (FaultKind.INVALID_JSON, "HEAD:broken.json")
    ]


def test_no_path_is_the_working_folder(history: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(history / "specs" / "notes")

    assert names(load_revision("main")) == ["notes.get"]


# --- folders are searched as they are in the working directory ---


def test_a_search_of_a_revision_finds_what_a_search_of_its_checkout_finds(history: Path) -> None:
    for folder in ("a", "a-b", "a/b", "node_modules/x", "env/lib", "built/x", "a/kept", "a/dropped", "excluded/x", "é"):
        write(f"{folder}/{SPEC_NAME}", spec("x.get"))
    write("a/mcp_tool_specification.MD", spec("x.get"))
    write("env/pyvenv.cfg", "")
    write(".gitignore", "\ufeff# all of it\r\nbuilt/\r\ndropped\r\n*.MD\r\n")
    write("a/.gitignore", "!*.MD\n")
    git("add", "--all", "--force")
    commit()

    for folder in (".", "a", "built", "specs", "env", "node_modules"):
        found = find_all([folder], is_excluded=lambda path: "excluded" in str(path))
        now = [file.shown for file in found if isinstance(file, NamedFile)]
        then = load_revision("HEAD", [folder], is_excluded=lambda path: "excluded" in str(path))
        assert [file.path for file in then.contracts.files] == [f"HEAD:{path}" for path in now]
        assert now


def test_excluded_paths_are_given_relative_to_the_working_folder(
    history: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(history / "specs")
    asked = set()

    def is_excluded(path: Path) -> bool:
        asked.add(path.as_posix())
        return False

    load_revision("HEAD", [".", "../specs/notes"], is_excluded=is_excluded)

    assert asked == {"notes", "weather", f"notes/{SPEC_NAME}", f"weather/{SPEC_NAME}"}


def test_specifications_of_a_revision_are_found_however_deep() -> None:
    deep = "/".join("d" * 70)

    found = specs_among([f"{deep}/{SPEC_NAME}", f"d/{SPEC_NAME}"], "")

    assert list(found) == [f"d/{SPEC_NAME}", f"{deep}/{SPEC_NAME}"]


@pytest.mark.parametrize("name", ["ä ö", 'quo"te', "new\nline", "tab\t", os.fsdecode(b"\xff")])
@pytest.mark.usefixtures("repository")
def test_names_of_any_bytes_are_read(name: str) -> None:
    write(f"{name}/{SPEC_NAME}", spec("odd.get"))
    commit()

    assert names(load_revision("HEAD", ["."])) == ["odd.get"]
    assert names(load_revision("HEAD", [name])) == ["odd.get"]


# --- other entries in place of a file ---


@pytest.mark.parametrize(
    ("content", "kind", "words"),
    [
        (b"caf\xe9", FaultKind.UNREADABLE, "the file is not UTF-8: byte 0xe9 on line 1"),
        (b"x" * 2000, FaultKind.OVERSIZED, "the file has 2,000 bytes, over the limit of 1,000"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n",
            FaultKind.UNREADABLE,
            "the file is a Git LFS pointer, and its content is stored elsewhere",
        ),
    ],
)
@pytest.mark.usefixtures("repository")
def test_content_that_is_not_text_is_a_fault_as_it_is_of_a_file(content: bytes, kind: FaultKind, words: str) -> None:
    write(f"a/{SPEC_NAME}", content)
    write("ok.json", LIST)
    commit()

    loaded = load_revision("HEAD", ["a", "ok.json"], max_file_size=1000)

    (fault,) = loaded.contracts.faults
    assert (fault.kind, fault.message, fault.place.path) == (kind, words, f"HEAD:a/{SPEC_NAME}")
    assert names(loaded) == ["get"]


@pytest.mark.usefixtures("repository")
def test_line_ends_are_as_they_were_committed() -> None:
    write(f"a/{SPEC_NAME}", spec("a.get").replace("\n", "\r\n"))
    write(f"b/{SPEC_NAME}", "")
    commit()

    loaded = load_revision("HEAD", ["."])

    assert names(loaded) == ["a.get"]
    assert "\r\n" in loaded.contracts.files[0].text
    assert loaded.contracts.files[1].text == ""


@pytest.mark.usefixtures("history")
def test_links_are_followed_only_inside_the_repository() -> None:
    Path("linked").symlink_to("specs/weather")
    Path("list.json").symlink_to("./tools.json")
    for name, target in (("out", "../../x.md"), ("absolute", "/etc/hosts"), ("circle", SPEC_NAME), ("gone", "nothing")):
        Path(name).mkdir()
        Path(name, SPEC_NAME).symlink_to(target)
    Path("near").mkdir()
    Path("near", SPEC_NAME).symlink_to(f"../linked/{SPEC_NAME}")
    commit()

    assert names(load_revision("HEAD", ["linked"])) == ["weather.get"]
    assert names(load_revision("HEAD", [f"linked/{SPEC_NAME}", "list.json"])) == ["weather.get", "get"]
    assert names(load_revision("HEAD", ["near"])) == ["weather.get"]
    loaded = load_revision("HEAD", ["out", "absolute", "circle", "gone"])
    assert {fault.message for fault in loaded.contracts.faults} == {
        "the file is a symbolic link whose target is not in the revision"
    }
    assert len(loaded.contracts.faults) == 4


def test_a_submodule_is_reported_and_not_read(history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("clone", "--quiet", str(history), str(tmp_path / "other"))
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "other"), "libs/other")
    commit()

    loaded = load_revision("HEAD", ["."])

    assert names(loaded) == ["notes.get", "weather.get"]
    assert loaded.submodules == ("libs/other",)
    for path in ("libs/other", "libs/other/specs"):
        with pytest.raises(SourceError) as caught:
            load(f"git:HEAD:{path}")
        assert caught.value.message == f"`{path}` is in a submodule, whose files `HEAD` does not contain"
        assert caught.value.hint == "run the command inside the submodule: `cd libs/other`"
    monkeypatch.chdir("libs/other")
    assert names(load_revision("HEAD", ["specs"])) == ["notes.get", "weather.get"]


# --- repositories of other kinds ---


def test_a_bare_repository_is_read_from_its_root(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("clone", "--quiet", "--bare", str(history), str(tmp_path / "bare.git"))
    monkeypatch.chdir(tmp_path / "bare.git")

    assert [one.name for one in load(["git:main:specs", "git:v1:specs/weather"])] == [
        "notes.get", "weather.get", "weather.get",
    ]  # fmt: skip
    assert load_revision("main", ["specs", "nowhere"]).missing == ("nowhere",)
    with pytest.raises(UsageError):
        load(f"git:main:{history}")


def test_a_further_worktree_is_read(history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("worktree", "add", "--quiet", str(tmp_path / "tree"), "v1")
    monkeypatch.chdir(tmp_path / "tree" / "specs")

    assert [one.version for one in load("git:HEAD:weather")] == ["1.0.0"]
    assert [one.version for one in load("git:main:weather")] == ["2.0.0"]


def test_the_environment_names_the_repository_as_it_does_for_git(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_DIR", str(history / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(history))

    assert names(load_revision("v1", ["repository/specs"])) == ["weather.get"]
    with pytest.raises(UsageError):
        load_revision("v1", ["specs"])


@pytest.mark.usefixtures("history")
def test_a_detached_head_is_read() -> None:
    git("checkout", "--quiet", "--detach", "v1")

    assert [one.version for one in load("git:HEAD:specs/weather")] == ["1.0.0"]


@pytest.mark.usefixtures("repository")
def test_a_repository_with_objects_of_sha256_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "--quiet", "--object-format=sha256", str(tmp_path / "long"))
    monkeypatch.chdir(tmp_path / "long")
    write("tools.json", LIST)
    commit()

    assert names(load_revision("HEAD", ["tools.json"])) == ["get"]


# --- unavailable revisions ---


@dataclass(frozen=True, slots=True)
class Refusal:
    """The error for a revision that is not available."""

    message: str
    hint: str


def refusal(ref: str) -> Refusal:
    """Return why a revision is not available, for both ways to request it."""
    with pytest.raises(SourceError) as caught:
        load_revision(ref, ["."])
    with pytest.raises(SourceError) as again:
        load(f"git:{ref}:.")
    assert again.value.message == caught.value.message
    assert "\n" not in caught.value.message
    return Refusal(caught.value.message, caught.value.hint or "")


def test_a_folder_outside_of_any_repository_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert refusal("main") == Refusal(
        "the working directory is not in a git repository",
        "run it inside the repository, or pass files and folders instead of a revision",
    )


@pytest.mark.usefixtures("repository")
def test_a_repository_without_commits_is_reported() -> None:
    assert refusal("HEAD") == Refusal(
        "unknown revision `HEAD`: the repository has no commits yet",
        "commit something first, so that there is a revision to compare with",
    )


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize(
    ("ref", "message", "hint"),
    [
        ("mian", "unknown revision `mian` in this repository", "did you mean `main`?"),
        ("mian~2", "unknown revision `mian~2` in this repository", "did you mean `main`?"),
        (
            "zzz",
            "unknown revision `zzz` in this repository",
            "`git branch --all` and `git tag` list the available names",
        ),
        (
            "HEAD~9",
            "unknown revision `HEAD~9`: `HEAD` does not go back that far",
            "`git log HEAD` lists the available commits",
        ),
        (
            "main@{upstream}",
            "unknown revision `main@{upstream}`: no upstream configured for branch 'main'",
            "`git rev-parse` shows what a name refers to",
        ),
        (
            "HEAD^{tree}",
            "unknown revision `HEAD^{tree}`: HEAD^{tree}^{commit}: expected commit type, but the object "
            "dereferences to tree type",
            "`git rev-parse` shows what a name refers to",
        ),
        (
            "0" * 40,
            f"unknown revision `{'0' * 40}` in this repository",
            "`git branch --all` and `git tag` list the available names",
        ),
    ],
)
def test_a_missing_revision_is_reported_with_the_nearest(ref: str, message: str, hint: str) -> None:
    assert refusal(ref) == Refusal(message, hint)


@pytest.mark.parametrize(("branch", "asked"), [("master", "main"), ("trunk", "master"), ("work", "main")])
def test_a_default_branch_of_another_name_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, branch: str, asked: str
) -> None:
    git("init", "--quiet", "--initial-branch", branch, str(tmp_path / "upstream"))
    monkeypatch.chdir(tmp_path / "upstream")
    write("tools.json", LIST)
    commit()
    git("clone", "--quiet", str(tmp_path / "upstream"), str(tmp_path / "clone"))

    assert refusal(asked).hint == f"the default branch of this repository is `{branch}`"
    monkeypatch.chdir(tmp_path / "clone")
    assert refusal(asked).hint.startswith(f"the default branch of this repository is `origin/{branch}`")
    assert refusal(f"origin/{asked}").hint.startswith(f"the default branch of this repository is `origin/{branch}`")


@pytest.fixture
def clone(history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone as CI creates it: one commit of one branch, `topic`, without tags."""
    git("branch", "topic")
    folder = tmp_path / "clone"
    git("clone", "--quiet", "--depth=1", "--no-tags", "--branch=topic", f"file://{history}", str(folder))
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.usefixtures("clone")
def test_a_shallow_clone_is_reported_with_the_way_to_more() -> None:
    assert refusal("HEAD~1") == Refusal(
        "unknown revision `HEAD~1`: `HEAD` does not go back that far",
        "the clone is shallow: fetch the rest with `git fetch --unshallow`, or `fetch-depth: 0` for actions/checkout",
    )
    assert "`fetch-depth: 0` for actions/checkout" in refusal("v1").hint
    assert "`git fetch origin --tags`" in refusal("v1").hint


@pytest.mark.parametrize("ref", ["origin/main", "main"])
@pytest.mark.usefixtures("clone")
def test_a_branch_that_was_not_fetched_is_reported_with_the_command_that_helps(ref: str) -> None:
    found = refusal(ref)

    assert "`git fetch origin main:refs/remotes/origin/main`" in found.hint
    git("-c", "protocol.file.allow=always", "fetch", "--quiet", "origin", "main:refs/remotes/origin/main")
    assert names(load_revision("origin/main", ["tools.json"])) == ["get"]


@pytest.mark.usefixtures("clone")
def test_a_commit_that_was_not_fetched_is_reported_with_the_command_that_helps() -> None:
    absent = "1" * 40

    assert f"`git fetch origin {absent}`" in refusal(absent).hint


def test_a_branch_that_only_the_remote_has_is_suggested(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("branch", "feature")
    git("clone", "--quiet", str(history), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")

    assert refusal("feature").hint == "did you mean `origin/feature`?"


def test_a_partial_clone_fetches_nothing_behind_the_back(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("config", "uploadpack.allowFilter", "true")
    git("clone", "--quiet", "--no-checkout", "--filter=blob:none", f"file://{history}", str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    before = fingerprint(tmp_path / "clone")

    assert refusal("v1") == Refusal(
        "the clone is partial, and does not contain all files of `v1`",
        "fetch the rest with `git fetch --refetch --no-filter`, or clone without `--filter`",
    )
    assert fingerprint(tmp_path / "clone") == before
    git("fetch", "--quiet", "--refetch", "--no-filter")
    assert names(load_revision("v1", ["specs"])) == ["weather.get"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can give a repository to somebody else")
def test_a_repository_of_somebody_else_is_refused_in_git_s_own_words(history: Path) -> None:
    os.chown(history, 65534, 65534)

    found = refusal("main")

    assert found.message.startswith("git rejects the repository: detected dubious ownership in repository at ")
    assert found.hint == f"if you trust it, run `git config --global --add safe.directory {history}`"


@pytest.mark.usefixtures("history")
def test_a_repository_that_git_cannot_use_is_reported_in_its_words() -> None:
    write(".git/config", "[broken\n")

    assert refusal("main").message.startswith("git cannot use the repository: bad config line ")


@pytest.mark.usefixtures("history")
def test_an_object_that_is_lost_is_reported() -> None:
    lost = git("rev-parse", "HEAD:tools.json")
    Path(".git/objects", lost[:2], lost[2:]).unlink()

    with pytest.raises(SourceError) as caught:
        load("git:HEAD:tools.json")

    assert caught.value.message == "git cannot read `HEAD`: its output is incomplete"


def test_a_machine_without_git_is_reported(history: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(history))

    assert refusal("main").message == "a git revision requires the `git` command, which was not found"


@pytest.fixture
def other_git(history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script in place of git; a test writes it, and can call the real one as `$REAL`."""
    monkeypatch.setenv("REAL", shutil.which("git") or "")
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    script = folder / "git"
    script.touch(mode=0o755)
    return script


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("kill -9 $$", "`git rev-parse` was terminated by signal 9"),
        ("exit 1", "git cannot use the repository: it gave no reason"),
        (
            'case "$*" in *--batch) exit 0;; *) exec "$REAL" "$@";; esac',
            "git cannot read `v1`: its output is incomplete",
        ),
        (
            'case "$*" in *--batch) exec <&-; "$REAL" cat-file blob v1:x; exit 3;; *) exec "$REAL" "$@";; esac',
            "git cannot read `v1`: path 'x' does not exist in 'v1'",
        ),
        (
            'case "$*" in *ls-tree*) echo "error: a \033[1m word" >&2; exit 2;; *) exec "$REAL" "$@";; esac',
            "git cannot read `v1`: a \ufffd[1m word",
        ),
    ],
)
def test_a_git_that_breaks_off_is_reported(other_git: Path, script: str, message: str) -> None:
    other_git.write_text(f"#!/bin/sh\n{script}\n")

    with pytest.raises(SourceError) as caught:
        load("git:v1:specs")

    assert caught.value.message == message


def test_a_git_that_never_ends_is_ended(other_git: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(other_git.parent / "pipe")
    other_git.write_text(f"#!/bin/sh\nexec cat '{other_git.parent / 'pipe'}'\n")
    monkeypatch.setattr(git_process, "TIMEOUT", 0.05)

    assert refusal("v1").message == "`git rev-parse` did not finish within 0.05 seconds"


@pytest.mark.usefixtures("history")
def test_a_lint_without_a_revision_imports_nothing_of_git() -> None:
    script = (
        "import sys; from mcp_contracts.sources.load import load; load('specs'); "
        "sys.exit('mcp_contracts.sources.git' in sys.modules or 'mcp_contracts.sources.git_objects' in sys.modules)"
    )

    ran = subprocess.run([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)

    assert ran.returncode == 0
