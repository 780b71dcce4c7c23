"""A run answered from the cache prints the same as the command itself, whatever changed in between."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mcp_contracts.cli import repeatable
from mcp_contracts.cli.app import run
from mcp_contracts.cli.repeating import answer, run_key
from mcp_contracts.files.cache import Cache
from mcp_contracts.files.looking import FILE, FOLDER, KIND, REAL, is_found_name, look
from tests.commands import fresh_process
from tests.repositories import ROOT, edit, git, isolate, new_repository, spec, tool, write
from tests.sweeps import share, sweep

SPEC = "specs/a/MCP_TOOL_SPECIFICATION.md"
_SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"


@pytest.fixture(autouse=True)
def project(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A repository with specifications, a configuration, and files that a search omits, as the working directory.

    With the parameter `answered`, it is a copy of the first one in the same place, whose answers are cached.
    """
    is_answered_before = getattr(request, "param", None) == "answered"
    home = tmp_path_factory.getbasetemp() / "answered" if is_answered_before else tmp_path
    isolate(monkeypatch, home, home)
    monkeypatch.setattr(repeatable, "SETTLED", -(10**18))  # every run is cached
    folder, first = home / "runs" / "project", home / "first"
    if first.exists():
        shutil.rmtree(folder.parent)
        shutil.copytree(first, folder.parent, symlinks=True)
        monkeypatch.chdir(folder)
        return
    _build(folder, monkeypatch)
    if is_answered_before:
        for command in COMMANDS:
            answered(command, capsys)
        shutil.copytree(folder.parent, first, symlinks=True)


def _build(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(new_repository(folder))
    write(SPEC, spec(tool("a.b"), module="a"))
    write("specs/b/MCP_TOOL_SPECIFICATION.md", spec(tool("b.c"), module="b"))
    write("specs/c.tools.json", '{"tools": [{"name": "c"}]}')
    write("old/MCP_TOOL_SPECIFICATION.md", spec(tool("a.b"), module="a"))
    write("specs/built/MCP_TOOL_SPECIFICATION.md", spec(tool("built.a"), module="built"))
    write("specs/.gitignore", "built/\n")
    write("pyproject.toml", "[tool.mcp-contracts]\nexclude = ['specs/out/**']\nname_pattern = 'z.*'\n")
    Path("linked").symlink_to("specs")
    write("specs/out/MCP_TOOL_SPECIFICATION.md", spec(tool("out.a"), module="out"))
    git("add", "pyproject.toml", "specs/a")


def uncached(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Return the output of a command without the cache."""
    code = run([*arguments, "--no-cache"])
    return code, capsys.readouterr().out


def answered(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Return the output of a command with the cache, which answers if it can."""
    words = [*arguments, "--cache-dir", "../cache"]
    known = answer(words)
    if known is not None:
        return known[0], known[1].decode()
    return run(words), capsys.readouterr().out


def is_answered(*arguments: str) -> bool:
    """Whether the cache has an answer for a command line."""
    return answer([*arguments, "--cache-dir", "../cache"]) is not None


def _linked(path: str) -> None:
    target = Path(f"{path}.moved").absolute()
    Path(path).rename(target)
    Path(path).symlink_to(target)


def _replaced(path: str, make: Callable[[str], object]) -> None:
    Path(path).unlink()
    make(path)


def _retargeted() -> None:
    shutil.copytree("specs", "../elsewhere")
    Path("linked").unlink()
    Path("linked").symlink_to("../elsewhere")


CHANGES: tuple[Callable[[], object], ...] = (
    lambda: edit(SPEC, "notes that hold", "notes with"),
    lambda: write(SPEC, "# Nothing\n"),
    lambda: Path(SPEC).unlink(),
    lambda: write("specs/d/MCP_TOOL_SPECIFICATION.md", spec(tool("d.e"), module="d")),
    lambda: write("specs/a/mcp_tool_specification.md", spec(tool("a.b"), module="a")),
    lambda: write("specs/d/deep/x.TOOLS.json", "{}"),
    lambda: write("specs/.gitignore", ""),
    lambda: Path("specs/.gitignore").unlink(),
    lambda: write("specs/a/.gitignore", "*\n"),
    lambda: write(".gitignore", "a/\n"),
    lambda: write("pyproject.toml", ""),
    lambda: write("pyproject.toml", "[tool.mcp-contracts]\nignore = ['MC1', 'MC3']\n"),
    lambda: write("mcp-contracts.yaml", "select: [MC3]\n"),
    lambda: write("specs/mcp-contracts.yml", "exclude: ['a/**']\n"),
    lambda: write("specs/b/pyvenv.cfg", ""),
    lambda: git("add", "-f", "specs/built"),
    lambda: git("init", "specs/a"),
    lambda: git("init", "specs"),
    lambda: Path(".git").rename("moved"),
    lambda: Path("specs/b").rename("specs/e"),
    lambda: _linked("specs/b"),
    lambda: _linked("specs"),
    lambda: _linked(SPEC),
    lambda: _replaced(SPEC, os.mkfifo),
    lambda: _replaced(SPEC, os.mkdir),
    lambda: write("mcp-contracts-accepted.yaml", "x\n"),
    _retargeted,
    lambda: Path("old").rename("specs/older"),
)
COMMANDS = (
    ("lint", "--format", "concise", "specs"),
    ("lint",),
    ("lint", "--format", "json", SPEC, "specs/b"),
    ("lint", "linked"),
    ("diff", "--format", "json", "old", "specs/a"),
)


def test_an_answer_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        expected = uncached(command, capsys)

        assert answered(command, capsys) == expected
        assert is_answered(*command)
        assert answered(command, capsys) == expected


@sweep
@pytest.mark.parametrize("project", ["answered"], indirect=True)
@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_an_answer_is_what_the_command_prints_after_any_change(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert all(is_answered(*command) for command in COMMANDS)

    CHANGES[number]()

    for command in share([*COMMANDS[number % 5 :], *COMMANDS[: number % 5]], 2):
        assert answered(command, capsys) == uncached(command, capsys), command


def test_an_unrelated_change_keeps_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    answered(("lint", "specs"), capsys)

    write("specs/a/notes.txt", "x")
    write("README.md", "x")
    os.utime(SPEC)

    assert is_answered("lint", "specs")


def test_what_a_run_depends_on_besides_files_is_part_of_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["lint", "specs"]
    keys = [run_key(words), run_key([*words, "--quiet"]), run_key(["lint specs"])]

    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM", "GIT_DIR"):
        monkeypatch.setenv(name, "7")
        keys.append(run_key(words))
    monkeypatch.chdir("specs")
    keys.append(run_key(words))
    monkeypatch.setattr("time.localtime", lambda: (2026, 1, 2))
    keys.append(run_key(words))
    monkeypatch.setattr("mcp_contracts.cli.repeating.__version__", "9.9.9")
    keys.append(run_key(words))

    assert len({*keys}) == len(keys)
    assert all(len(key) == 16 for key in keys)


@pytest.mark.parametrize(
    "words",
    [
        ("lint", "-"),
        ("lint", "git:HEAD"),
        ("lint", "--verbose", "specs"),
        ("lint", "--fix", "specs"),
        ("lint", "--against", "HEAD"),
        ("lint", "--output", "report.txt", "specs"),
        ("lint", "--report", "json=report.json", "specs"),
        ("lint", "--write-baseline", "known.json", "specs"),
        ("lint", "--max-warnings", "0", "specs"),
        ("lint", "--show-settings"),
        ("diff", "git:HEAD", "specs"),
        ("diff", "--against", "HEAD", "specs"),
        ("diff", "--verbose", "old", "specs"),
        ("rules",),
    ],
)
def test_a_run_that_does_more_than_read_files_and_print_has_no_answer(words: Sequence[str]) -> None:
    git("commit", "-qm", "x")

    run([*words, "--cache-dir", "../cache"])

    assert not is_answered(*words)


def test_a_run_that_reads_a_secret_is_not_remembered(capsys: pytest.CaptureFixture[str]) -> None:
    edit("old/MCP_TOOL_SPECIFICATION.md", "notes that hold", f"{_SECRET} that hold")

    for words in (("lint", "old"), ("diff", "old", "specs/a")):
        answered(words, capsys)
        assert not is_answered(*words)


def test_a_run_is_not_remembered_while_its_files_may_still_change(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeatable, "SETTLED", 10**18)

    answered(("lint", "specs"), capsys)

    assert not is_answered("lint", "specs")


def test_a_forged_answer_is_ignored(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["lint", "specs", "--cache-dir", "../cache"]
    answered(words[:2], capsys)
    kept = Cache("../cache")
    honest = kept.get(run_key(words)) or b""
    chance = random.Random(1)

    for _ in range(20):
        at = chance.randrange(42)
        kept.add(run_key(words), honest[:at] if chance.random() < 0.3 else honest[:at] + b"\xff\0x" + honest[at:])
        kept.save()
        assert answer(words) in (None, answer(words))
        if at < 32:
            assert answer(words) is None


def test_an_answer_is_printed_without_the_options_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("lint", "--format", "concise", "specs", "--cache-dir", "../cache")
    run(words)
    capsys.readouterr()
    code = (
        "import sys, os\nos._exit = sys.exit\nbefore = set(sys.modules)\n"
        f"sys.argv = ['mcp-contracts', *{list(words)!r}]\nfrom mcp_contracts.cli.main import main\n"
        "from mcp_contracts.cli import repeatable\nrepeatable.SETTLED = -10**18\n"
        "for name in set(sys.modules) - before:\n    del sys.modules[name]\n"
        "from mcp_contracts.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\nprint(*sorted(set(sys.modules) - before), sep='\\n')"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code]
    for _ in range(2):
        ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    loaded = set(ran.stdout.splitlines())

    assert "mcp_contracts.cli.repeating" in loaded
    assert {name for name in loaded if name.startswith("mcp_contracts.")} <= {
        *("mcp_contracts.cli", "mcp_contracts.cli.main", "mcp_contracts.cli.repeating", "mcp_contracts.version"),
        *("mcp_contracts.cli.cache_folder", "mcp_contracts.cli.output", "mcp_contracts.files"),
        *(f"mcp_contracts.files.{name}" for name in ("cache", "hashing", "installation", "looking")),
    }
    assert not loaded & {"re", "typing", "enum", "pathlib", "json", "contextlib", "struct", "zlib", "hashlib"}


def test_an_answer_to_a_reader_that_is_gone_ends_as_the_command_does() -> None:
    words = ("lint", "specs", "--cache-dir", "../cache")
    run(words)
    program = [sys.executable, "-m", "mcp_contracts", *words]

    reading, writing = os.pipe()
    os.close(reading)
    code = subprocess.run(program, stdout=writing, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False).returncode
    os.close(writing)

    assert code == 141
    assert fresh_process(*words).stderr == b""


def test_a_look_distinguishes_each_kind_of_path(tmp_path: Path) -> None:
    folder = tmp_path / "looked"
    write(folder / "a.tools.json", "x")
    (folder / "link").symlink_to("a.tools.json")
    os.mkfifo(folder / "pipe")

    assert look(f"{FILE}{folder}/a.tools.json") == b"1 x"
    assert look(f"{FILE}{folder}/nothing") == look(f"{KIND}{folder}/nothing/more") == b"-"
    assert look(f"{FOLDER}{folder}") == b"a.tools.json."
    assert look(f"{REAL}{folder}/link") == os.fsencode(folder / "a.tools.json")
    assert len({look(f"{KIND}{folder}{name}") for name in ("", "/link", "/pipe", "/a.tools.json", "/none")}) == 5
    for name in ("link", "pipe", ""):
        with pytest.raises(OSError):  # noqa: PT011  # its text is that of the system, or empty
            look(f"{FILE}{folder}/{name}")


def test_a_listing_shows_all_that_a_search_may_find() -> None:
    for name in ("MCP_TOOL_SPECIFICATION.md", "mcp_tool_specification.MD", "x.tools.json", ".TOOLS.JSON"):
        write(f"listed-{name}/{name}", "")
        assert is_found_name(name)
        assert look(f"{FOLDER}listed-{name}") == f"{name}.".encode()
