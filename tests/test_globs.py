"""Globs have the same meaning as in git, and no glob can make the search run forever."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from mcp_contracts.files.globs import GlobError, read_globs, read_ignore_file
from tests.repositories import isolate, new_repository
from tests.sweeps import size, sweep

PARTS = (
    "a", "b", "ab", "*", "**", "***", "?", "[ab]", "[!a]", "[^b]", "/", "\\*", "\\a", "\\", "[", "[]a]", "[a-b]",
    "[[:alpha:]]", "[[:digit:]b]", "[[:x:]]", "[[::]]", "[\\]a]", " ", "-", "[b-a]", "[a-]", "é", "[[:a]", "[-a]",
    "[a\\-b]", "!", "#", "[a/b]", "**/", "/**", "\r",
)  # fmt: skip
NAMES = ("a", "b", "ab", "aa", "ba", "aab", "*", "-", "]", "é", "a b", "c1", "\\", "[", "abab", "!a", "#b", "a ")


@sweep
def test_a_gitignore_means_what_git_takes_it_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path, tmp_path)
    rng = random.Random(11)

    for number in range(size(60, 2)):
        folder = new_repository(tmp_path / str(number))
        text = "\n".join(_pattern(rng) for _ in range(rng.randrange(1, 4))) + "\n"
        paths = list(dict.fromkeys(_path(rng) for _ in range(40)))
        (folder / ".gitignore").write_text(text, "utf-8", newline="")
        for path in paths[::2]:
            (folder / path).mkdir(parents=True, exist_ok=True)

        ours = {path for path in paths if _is_ignored(folder, text, path)}

        assert ours == _ignored_by_git(folder, paths), text


def _pattern(rng: random.Random) -> str:
    return rng.choice(("", "", "", "!")) + "".join(rng.choice(PARTS) for _ in range(rng.randrange(1, 7)))


def _path(rng: random.Random) -> str:
    return "/".join(rng.choice(NAMES) for _ in range(rng.randrange(1, 5)))


def _is_ignored(root: Path, text: str, path: str) -> bool:
    """Search from the top, where an ignored folder is not entered."""
    globs = read_ignore_file(text)
    parts = path.split("/")
    folders = ("/".join(parts[:end]) for end in range(1, len(parts)))
    if any(globs.decide(folder, is_folder=True) for folder in folders):
        return True
    return bool(globs.decide(path, is_folder=(root / path).is_dir()))


def _ignored_by_git(root: Path, paths: list[str]) -> set[str]:
    ran = subprocess.run(
        ["git", "check-ignore", "--no-index", "-z", "--stdin"],
        input="\0".join(paths).encode() + b"\0",
        capture_output=True,
        cwd=root,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stderr
    return set(ran.stdout.decode().split("\0")[:-1])


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 7 + "b", "a" * 100),
        ("*a" * 1000 + "b", "a" * 2000),
        ("**/" * 650 + "x", "a/" * 1000 + "y"),
        ("**/" + "*a/" * 300 + "x", "a/" * 350 + "y"),
        ("**/*a*/" * 250 + "x", "aa/" * 650 + "y"),
        ("[a-z]*" * 250 + "b", "a" * 2000),
    ],
)
def test_no_pattern_is_searched_for_over_and_over(pattern: str, path: str) -> None:
    assert not read_globs([pattern]).cover(path)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a[b", "its `[` is never closed"),
        ("a\\", "it ends with a backslash that escapes nothing"),
        ("!", "it matches nothing"),
        ("/", "it matches nothing"),
        ("[[:odd:]]", "it has an unknown character class"),
        ("a" * 5000, "it is longer than 4096 bytes"),
    ],
)
def test_a_pattern_that_can_match_nothing_is_refused_with_the_reason(pattern: str, reason: str) -> None:
    with pytest.raises(GlobError, match=reason.replace("[", r"\[")):
        read_globs([pattern])


@pytest.mark.parametrize(
    ("patterns", "path", "is_covered"),
    [
        (["specs/drafts/"], "specs/drafts/a/b.md", True),
        (["drafts"], "specs/drafts/b.md", True),
        (["*.md", "!keep.md"], "a/keep.md", False),
        (["a/", "!a/b.md"], "a/b.md", True),
        (["a/*", "!a/b.md"], "a/b.md", False),
        (["/b.md"], "a/b.md", False),
    ],
)
def test_a_path_is_covered_with_all_that_is_in_it(patterns: list[str], path: str, is_covered: bool) -> None:
    assert read_globs(patterns).cover(path) is is_covered
