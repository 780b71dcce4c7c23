"""Finding specifications below a folder, and reading untrusted files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mcp_contracts.faults import FaultKind
from mcp_contracts.files.looking import SearchRecord
from mcp_contracts.parsing.discovery import (
    MAX_FILE_SIZE,
    MAX_FOLDERS,
    SPEC_NAME,
    Skipped,
    Unreadable,
    decode,
    find_specs,
    read_text,
    show,
)

NOBODY = 65534


@contextmanager
def without_rights() -> Iterator[None]:
    """Run as a user who may not read everything: root gives up its rights temporarily."""
    is_superuser = os.geteuid() == 0
    if is_superuser:
        Path(".").chmod(0o755)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_superuser:
            os.seteuid(0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder outside any repository, as the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path | str, text: str = "") -> Path:
    """Write a file and its parent folders."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def found(folder: str = ".", **options: object) -> list[str]:
    """Return the paths that are found, including unreadable folders."""
    return [show(path) for path in paths(find_specs(Path(folder), **options))]  # type: ignore[arg-type]  # as given


def paths(items: Iterator[Path | Unreadable | Skipped]) -> Iterator[str]:
    """Return the path of each result."""
    for item in items:
        if not isinstance(item, Skipped):
            yield item.fault.place.path if isinstance(item, Unreadable) else str(item)


@pytest.mark.usefixtures("folder")
def test_specifications_are_found_in_order_whatever_their_case() -> None:
    write(f"b/{SPEC_NAME}")
    write(f"a/z/{SPEC_NAME.lower()}")
    write("a/Mcp_Tool_Specification.MD")
    write(f"a/{SPEC_NAME}.bak")
    write("README.md")

    assert found() == ["a/Mcp_Tool_Specification.MD", f"a/z/{SPEC_NAME.lower()}", f"b/{SPEC_NAME}"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", [".git", "node_modules", "__pycache__", ".venv", ".tox"])
def test_folders_that_hold_no_sources_are_passed_over(name: str) -> None:
    write(f"{name}/a/{SPEC_NAME}")

    assert found() == []


@pytest.mark.usefixtures("folder")
def test_excluded_files_and_folders_are_passed_over() -> None:
    write(f"a/{SPEC_NAME}")
    write(f"b/c/{SPEC_NAME}")
    write(f"d/{SPEC_NAME}")

    assert found(is_excluded=lambda path: path in (Path("b"), Path("d") / SPEC_NAME)) == [f"a/{SPEC_NAME}"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("ignores", "expected"),
    [
        ({".gitignore": "build/\n"}, ["a", "a/x"]),
        ({".gitignore": "# none\n\n"}, ["a", "a/x", "build"]),
        ({".gitignore": "*.md\n"}, []),
        ({".gitignore": "*.md\n", "a/.gitignore": f"!{SPEC_NAME}\n"}, ["a", "a/x"]),
        ({".gitignore": "a\n", "a/.gitignore": "!*\n"}, ["build"]),
        ({".gitignore": "/x\n"}, ["a", "a/x", "build"]),
        ({"a/.gitignore": "/x\n"}, ["a", "build"]),
        ({".gitignore": "a/*\n!a/x/\n"}, ["a/x", "build"]),
        ({".gitignore": f"**/x/{SPEC_NAME}\n"}, ["a", "build"]),
        ({".gitignore": "\ufeffbuild/\r\na/x\r\n"}, ["a"]),
        ({"build/.gitignore/x": ""}, ["a", "a/x", "build"]),
        ({".gitignore": "[\nbuild\n"}, ["a", "a/x"]),
    ],
)
def test_what_git_ignores_is_passed_over(ignores: dict[str, str], expected: list[str]) -> None:
    for name in ("a", "a/x", "build"):
        write(f"{name}/{SPEC_NAME}")
    for path, text in ignores.items():
        write(path, text)

    assert found() == [f"{name}/{SPEC_NAME}" for name in expected]


@pytest.mark.usefixtures("folder")
def test_ignore_files_above_the_folder_hold_within_a_repository() -> None:
    write("repo/.git/HEAD")
    write("repo/.gitignore", "build/\n/specs/old/\n")
    write(".gitignore", "*\n")
    for name in ("repo/specs/a", "repo/specs/build", "repo/specs/old"):
        write(f"{name}/{SPEC_NAME}")

    assert found("repo/specs") == [f"repo/specs/a/{SPEC_NAME}"]


@pytest.mark.usefixtures("folder")
def test_an_ignored_folder_that_is_named_is_searched() -> None:
    write("repo/.git/HEAD")
    write("repo/.gitignore", "build/\n")
    write(f"repo/build/a/{SPEC_NAME}")

    assert found("repo/build") == [f"repo/build/a/{SPEC_NAME}"]
    assert found("repo") == []


@pytest.mark.usefixtures("folder")
def test_links_lead_in_no_circle() -> None:
    write(f"a/{SPEC_NAME}")
    Path("a/loop").symlink_to("..")
    Path("a/self").symlink_to("self")
    Path("b").symlink_to("a")

    assert found() == [f"a/{SPEC_NAME}"]


@pytest.mark.usefixtures("folder")
def test_a_link_to_a_file_is_followed() -> None:
    write("real.md", "text")
    Path("a").mkdir()
    Path(f"a/{SPEC_NAME}").symlink_to("../real.md")

    assert found() == [f"a/{SPEC_NAME}"]
    assert read_text(Path(f"a/{SPEC_NAME}")) == "text"


@pytest.mark.usefixtures("folder")
def test_folders_may_nest_so_deep_and_no_deeper() -> None:
    deep = Path("/".join(["d"] * 70))
    write(deep / SPEC_NAME)

    (item,) = find_specs(Path("."))

    assert isinstance(item, Unreadable)
    assert item.fault.message == "folders are nested more than 64 levels deep"


@pytest.mark.usefixtures("folder")
def test_a_run_searches_a_limited_number_of_folders() -> None:
    for name in "abc":
        write(f"{name}/{SPEC_NAME}")
    looked = SearchRecord()
    looked.folders.extend(["elsewhere"] * (MAX_FOLDERS - 2))

    first, cut = find_specs(Path("."), looked=looked)

    assert first == Path(f"a/{SPEC_NAME}")
    assert isinstance(cut, Unreadable)
    assert cut.fault.message == "100,000 folders were searched, the maximum for one run"
    assert cut.fault.place.path == "b"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="the system has no `/proc`")
def test_the_folders_of_the_operating_system_are_skipped_in_a_search_of_its_root() -> None:
    looked = SearchRecord()

    found = find_specs(Path("/"), is_excluded=lambda path: path != Path("/proc"), looked=looked)

    assert [item.reason for item in found if isinstance(item, Skipped) and item.path == Path("/proc")] == [
        "a folder of the operating system"
    ]
    assert looked.folders == ["/"]


@pytest.mark.usefixtures("folder")
def test_a_folder_that_cannot_be_read_is_reported_and_the_search_continues() -> None:
    write(f"a/{SPEC_NAME}")
    write(f"b/{SPEC_NAME}")
    Path("a").chmod(0)

    with without_rights():
        first, second = find_specs(Path("."))
    Path("a").chmod(0o700)

    assert isinstance(first, Unreadable)
    assert first.fault.message == "the folder cannot be read: permission denied"
    assert second == Path("b") / SPEC_NAME


@pytest.mark.usefixtures("folder")
def test_a_path_that_is_not_a_folder_is_reported() -> None:
    (item,) = find_specs(Path("nowhere"))

    assert isinstance(item, Unreadable)
    assert item.fault.message == "the folder cannot be read: no such file or directory"


def message_of(path: Path | str, *, limit: int = MAX_FILE_SIZE) -> tuple[FaultKind, str]:
    """Return why a file cannot be read."""
    read = read_text(Path(path), limit=limit)
    assert isinstance(read, Unreadable)
    return read.fault.kind, read.fault.message


@pytest.mark.usefixtures("folder")
def test_a_file_without_permission_is_reported() -> None:
    write("a.md").chmod(0)

    with without_rights():
        found = message_of("a.md")

    assert found == (FaultKind.UNREADABLE, "the file cannot be read: permission denied")


@pytest.mark.usefixtures("folder")
def test_a_folder_above_that_may_not_be_searched_does_not_matter() -> None:
    write(f"b/{SPEC_NAME}")

    with without_rights():  # the superuser's own temporary folder is closed to others
        found = list(find_specs(Path(".")))

    assert found == [Path("b") / SPEC_NAME]


@pytest.mark.usefixtures("folder")
def test_patterns_that_take_too_long_to_compile_are_not_applied() -> None:
    write(".git/HEAD")
    write(".gitignore", "\n".join(f"*{index}*x*" for index in range(60_000)))  # 4 s for each path
    write(f"1x/{SPEC_NAME}")

    reported = [item for item in find_specs(Path()) if isinstance(item, Unreadable)]

    assert found() == [f"1x/{SPEC_NAME}", "."]
    assert "too many patterns" in reported[0].fault.message


@pytest.mark.usefixtures("folder")
def test_what_is_not_a_regular_file_is_reported_and_never_waited_for() -> None:
    os.mkfifo("pipe.md")
    Path("folder.md").mkdir()
    Path("loop.md").symlink_to("loop.md")
    Path("dangling.md").symlink_to("nowhere")

    assert message_of("pipe.md") == (FaultKind.UNREADABLE, "the file is a pipe or a device, not a regular file")
    assert message_of("/dev/zero") == message_of("pipe.md")
    assert message_of("folder.md") == (FaultKind.UNREADABLE, "a folder has the name of a specification file")
    assert message_of("loop.md")[1].startswith("the file cannot be read: too many levels of symbolic links")
    assert message_of("dangling.md")[1] == "the file cannot be read: no such file or directory"


@pytest.mark.usefixtures("folder")
def test_a_file_may_be_so_large_and_no_larger() -> None:
    write("a.md", "x" * 10)

    assert read_text(Path("a.md"), limit=10) == "x" * 10
    assert message_of("a.md", limit=9) == (FaultKind.OVERSIZED, "the file has 10 bytes, over the limit of 9")


@pytest.mark.usefixtures("folder")
def test_a_huge_file_is_not_read() -> None:
    with open("a.md", "wb") as file:
        file.truncate(50_000_000)

    assert message_of("a.md")[0] is FaultKind.OVERSIZED


@pytest.mark.parametrize(
    ("content", "what", "line", "column"),
    [
        (b"a\xffb", "byte 0xff on line 1", 1, 2),
        (b"a\r\n\xc3\xa9\xe2\x82", "byte 0xe2 on line 2", 2, 2),
        (b"a\rb\n\x80", "byte 0x80 on line 3", 3, 1),
        ("# a".encode("utf-16"), "it looks like UTF-16", 1, 1),
        (b"\xed\xa0\x80", "byte 0xed on line 1", 1, 1),
    ],
)
def test_what_is_not_utf_8_is_reported_at_its_first_byte(content: bytes, what: str, line: int, column: int) -> None:
    read = decode(content, Path("a.md"))

    assert isinstance(read, Unreadable)
    assert read.fault.message == f"the file is not UTF-8: {what}"
    assert (read.fault.place.line, read.fault.place.column) == (line, column)


@pytest.mark.parametrize(
    ("path", "shown"),
    [("a/./b//c.md", "a/b/c.md"), ("../a.md", "../a.md"), ("-", "<stdin>"), ("a b.md", "a b.md"), (".", ".")],
)
def test_a_path_is_shown_in_its_shortest_form(path: str, shown: str) -> None:
    assert show(path) == shown


def test_a_path_below_the_working_folder_is_shown_relative_to_it(folder: Path) -> None:
    assert show(folder / "a" / "b.md") == "a/b.md"
    assert show("/nowhere/a.md") == "/nowhere/a.md"


def test_a_name_that_is_not_utf_8_can_be_shown() -> None:
    assert show(os.fsdecode(b"a\xff.md")) == "a\ufffd.md"
