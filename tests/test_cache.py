"""The cache of files: a lint with the cache reports the same as one without it, whatever the cache contains."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts.cli import repeatable
from mcp_contracts.cli.app import run
from mcp_contracts.cli.repeating import answer
from mcp_contracts.files import cache
from mcp_contracts.files.cache import FILE_NAME, Cache, remove_cache
from mcp_contracts.reporting.render import FORMATS
from tests.repositories import ROOT, commit, new_repository, spec, tool, write
from tests.sweeps import share, size, sweep

CORPUS = os.environ.get("MCP_CONTRACTS_CORPUS")
_BAD = """\
## Tool: `a.b`
<!-- mcp-contracts: ignore MC201 -- old -->
### 3. Input Schema (Parameters)
```json
{"type": "object", "required": ["x"], "properties": {"y": {"type": "strnig"}, "y": {"type": "array"}}}
```
"""
_VIEWS = (
    *(("--format", name) for name in FORMATS),
    ("--select", "MC3"),
    ("--ignore", "MC1", "--severity", "MC305=error", "--statistics"),
    ("--show-suppressed", "--no-group", "--fail-on", "note"),
    ("--target", "openai,gemini"),
)


ALWAYS = 10**18


class Linter:
    """Runs `lint` with its own cache, and without."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.cache, self._capsys = folder / "cache", capsys

    def lint(self, *arguments: str, command: str = "lint") -> tuple[int, str, str]:
        """Return the exit code, the output and the notes."""
        known = answer([command, *arguments])
        if known is not None:
            return known[0], known[1].decode(), ""
        code = run([command, *arguments])
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err

    def agrees(self, *arguments: str, command: str = "lint") -> tuple[int, str, str]:
        """Return the output of a command without a cache, with the current cache, and once more."""
        expected = self.lint("--no-cache", *arguments, command=command)
        for _ in range(2):
            assert self.lint("--cache-dir", str(self.cache), *arguments, command=command) == expected
        return expected

    @property
    def file(self) -> Path:
        return self.cache / FILE_NAME


@pytest.fixture
def linter(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Linter:
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setattr(repeatable, "SETTLED", -ALWAYS)  # every run is remembered
    return Linter(tmp_path, capsys)


def mutated(text: str, chance: random.Random) -> str:
    """Return a text with some lines removed, duplicated and swapped."""
    lines = text.splitlines(keepends=True)
    for _ in range(4):
        at = chance.randrange(len(lines))
        lines[at : at + 1] = chance.choice(
            ([], [lines[at]] * 2, [chance.choice(lines)], [lines[at][: len(lines[at]) // 2]])
        )
        lines = lines or ["\n"]
    return "".join(lines)


def folders() -> Iterator[Any]:
    """Folders of specifications and tool lists."""
    yield pytest.param(ROOT / "specs", id="own")
    yield pytest.param(ROOT / "module_template", id="template")
    parts = ("specs", "lists") if CORPUS else ()
    for part in parts:
        if (found := Path(CORPUS or "") / "corpus" / part).is_dir():
            yield pytest.param(found, id=f"corpus-{part}")


def copied(folder: Path, to: Path, chance: random.Random) -> None:
    """Copy the specifications and lists of a folder, and add a randomly changed copy of each."""
    found = [path for path in sorted(folder.rglob("*")) if path.suffix in (".md", ".json") and path.is_file()]
    for path in chance.sample(found, min(len(found), size(2, 2))):
        text = path.read_text("utf-8")
        ending = "MCP_TOOL_SPECIFICATION.md" if path.suffix == ".md" else "a.tools.json"
        write(to / path.stem / path.parent.name / ending, text)
        write(to / path.stem / f"{path.parent.name}_" / ending, mutated(text, chance))


@sweep
@pytest.mark.parametrize("folder", list(folders()))
def test_a_lint_with_the_cache_says_what_one_without_it_says(folder: Path, linter: Linter) -> None:
    copied(folder, Path(), random.Random(folder.name))

    for view in share(_VIEWS, 8):
        linter.agrees(*view)


def test_views_of_the_same_findings_check_nothing_again(linter: Linter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeatable, "SETTLED", ALWAYS)  # no run is remembered
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), _BAD)
    write(Path("pyproject.toml"), "")
    linter.agrees()
    before = linter.file.stat()

    write(
        Path("pyproject.toml"),
        '[tool.mcp-contracts]\nignore = ["MC105"]\n[tool.mcp-contracts.severity]\nMC305 = "error"\n',
    )
    for view in _VIEWS[:-1]:
        linter.agrees(*view)
    linter.lint("--no-cache", "--write-baseline", "known.json")
    linter.agrees("--write-baseline", "known.json")
    linter.agrees("--baseline", "known.json")

    assert linter.file.stat() == before


@pytest.mark.parametrize(
    "option",
    [("--target", "openai"), ("--select", "MC601"), ("--config", "other.yaml")],
)
def test_options_that_rules_take_are_part_of_the_key(option: Sequence[str], linter: Linter) -> None:
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), _BAD)
    write(Path("other.yaml"), "name_pattern: '[a-z]+'\nlimits:\n  description_length: 300\n")
    linter.agrees()
    before = linter.file.read_bytes()

    linter.agrees(*option)

    assert linter.file.read_bytes() != before


def test_what_compares_all_files_sees_files_that_are_remembered(linter: Linter) -> None:
    deprecated = spec(tool("a.old")).replace(
        "**Version**", "**Status**: deprecated (since 1.0.0, use `b.new`)\n**Version**", 1
    )
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), deprecated)
    write(Path("b/MCP_TOOL_SPECIFICATION.md"), spec(tool("b.new")))
    _, first, _ = linter.agrees("--format", "concise")
    write(Path("b/MCP_TOOL_SPECIFICATION.md"), spec(tool("a.old"), tool("b.newer")))

    _, second, _ = linter.agrees("--format", "concise")

    assert "MC205" not in first
    assert "MC104" not in first
    assert "MC205" in second
    assert "MC104" in second


def test_a_file_is_known_by_its_content_and_its_path(linter: Linter) -> None:
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), spec(tool("a.b")))
    linter.agrees()
    stamp = os.stat("a/MCP_TOOL_SPECIFICATION.md")
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), spec(tool("a.c")))
    os.utime("a/MCP_TOOL_SPECIFICATION.md", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    write(Path("z/MCP_TOOL_SPECIFICATION.md"), spec(tool("a.b")))
    write(Path("c/x.tools.json"), '{"tools": [{"name": "a"}]}')
    write(Path("c/y.tools.json"), "\ufeff" + Path("c/x.tools.json").read_text("utf-8"))
    write(Path("e/x.tools.json"), "")
    Path("e/y.tools.json").write_bytes(b"\xff")

    linter.agrees()
    linter.agrees("z", "c")


def test_revisions_are_remembered_by_their_content(linter: Linter) -> None:
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), _BAD)
    new_repository(Path())
    commit()
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), _BAD.replace("strnig", "integre"))

    linter.agrees("git:HEAD")
    linter.agrees("--against", "HEAD")
    linter.agrees("--against", "HEAD", "--only-new")
    linter.agrees("--against", "HEAD", "--only-new")


@sweep
@pytest.mark.parametrize("folder", list(folders()))
def test_a_comparison_with_the_cache_says_what_one_without_it_says(folder: Path, linter: Linter) -> None:
    copied(folder, Path("old"), random.Random(folder.name))
    copied(folder, Path("new"), random.Random(1))
    for number, path in enumerate(sorted(Path("old").rglob("*.*"))):
        write(Path("new") / path.relative_to("old"), mutated(path.read_text("utf-8"), random.Random(number)))

    for arguments in (("old", "new"), ("new", "old", "--policy", "strict", "--all", "--format", "json")):
        linter.agrees(*arguments, command="diff")


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("diff", ("--against", "HEAD")),
        ("diff", ("git:HEAD", "git:HEAD~1", "--format", "json")),
        ("lint", ("git:HEAD~1",)),
    ],
)
def test_a_second_run_reads_nothing_of_a_revision_and_parses_nothing(
    command: str, arguments: Sequence[str], linter: Linter, monkeypatch: pytest.MonkeyPatch
) -> None:
    number: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "number"}}}
    new_repository(Path())
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), spec(tool("a.b", input=number), tool("a.c"), version="1.0.0"))
    write(Path("b.tools.json"), json.dumps({"tools": [{"name": "t", "inputSchema": number}]}, indent=1))
    commit()
    number["properties"]["a"]["type"] = "integer"
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), spec(tool("a.b", input=number), tool("a.c"), version="1.0.0"))
    write(Path("b.tools.json"), json.dumps({"tools": [{"name": "t", "inputSchema": number}]}, indent=1))
    commit()
    number["properties"]["a"]["maximum"] = 1
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), spec(tool("a.b", input=number), tool("a.c"), version="1.0.0"))
    expected = linter.agrees(*arguments, command=command)

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("read again")

    for place in ("sources.git.contents", "parsing.spec.read_spec", "sources.tool_lists.read_tool_list"):
        monkeypatch.setattr(f"mcp_contracts.{place}", refuse)

    assert linter.lint("--cache-dir", str(linter.cache), *arguments, command=command) == expected
    assert expected[1]


def test_a_file_with_a_secret_is_not_remembered(linter: Linter) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), spec(tool("a.b")) + f"\nThe token is `{secret}`.\n")

    _, output, _ = linter.agrees()

    assert "MC506" in output
    assert not linter.file.exists()


def test_a_secret_of_one_file_is_masked_in_others_that_are_remembered(linter: Linter) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), spec(tool("a.b")) + f"\nThe token is `{secret}`.\n")
    write(Path("z/MCP_TOOL_SPECIFICATION.md"), f"## Tool: `{secret[8:30]}`\n")

    for format_name in FORMATS:
        linter.agrees("--format", format_name)


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Return a truncated or changed cache file."""
    if chance.random() < 0.3:
        return content[: chance.randrange(len(content))]
    changed = bytearray(content)
    for _ in range(chance.randrange(1, 20)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


@sweep
def test_a_damaged_file_is_ignored_and_written_again(linter: Linter) -> None:
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), _BAD)
    expected = linter.agrees()
    content = linter.file.read_bytes()
    chance = random.Random(1)

    for odd in (
        b"",
        b"x",
        b"\0" * 5000,
        b"SQLite format 3\0",
        content * 2,
        *(damaged(content, chance) for _ in range(size(20, 4))),
    ):
        linter.file.write_bytes(odd)
        assert linter.agrees() == expected


def twisted(value: Any, chance: random.Random) -> Any:
    """Return a JSON value in which one part is replaced with something invalid."""
    if chance.random() < 0.1 or not isinstance(value, list | dict) or not value:
        return chance.choice((None, True, -1, 0, 10**30, 0.5, "", "x", "\ud800", [], {}, [[]], "MC305", {"a": 1}))
    if isinstance(value, list):
        at = chance.randrange(len(value))
        return [*value[:at], twisted(value[at], chance), *value[at + 1 :]] if chance.random() < 0.9 else value[:at]
    key = chance.choice(list(value))
    return {**value, key: twisted(value[key], chance)}


@sweep
def test_a_forged_file_stops_no_lint(linter: Linter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeatable, "SETTLED", ALWAYS)  # no run is remembered
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), _BAD)
    linter.agrees()
    kept = Cache(str(linter.cache))
    [key] = kept._rows
    honest = json.loads(kept.get(key) or b"")
    chance = random.Random(2)

    for _ in range(size(100, 4)):
        kept.add(key, json.dumps(twisted(honest, chance)).encode())
        kept.save()
        code, _, _ = linter.lint("--cache-dir", str(linter.cache), "--format", chance.choice(FORMATS))
        assert code in (0, 1)


def _a_file(folder: Path) -> None:
    folder.write_text("x")


def _a_folder_in_its_place(folder: Path) -> None:
    (folder / FILE_NAME).mkdir(parents=True)


def _a_link(folder: Path) -> None:
    folder.mkdir()
    (folder / FILE_NAME).symlink_to(folder.parent / "elsewhere")


def _a_pipe(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / FILE_NAME)


def _of_another_user(folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    folder.mkdir()
    (folder / FILE_NAME).write_bytes(b"x")
    os.chown(folder / FILE_NAME, 12345, 12345)
    os.chown(folder, 12345, 12345)


@pytest.mark.parametrize("prepare", [_a_file, _a_folder_in_its_place, _a_link, _a_pipe, _of_another_user])
def test_a_folder_that_cannot_be_used_stops_no_lint(prepare: Callable[[Path], None], linter: Linter) -> None:
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), _BAD)
    prepare(linter.cache)

    linter.agrees()

    assert not (linter.cache.parent / "elsewhere").exists()


def test_values_of_another_user_are_not_read(tmp_path: Path) -> None:
    _of_another_user(tmp_path / "cache")
    (tmp_path / "cache" / FILE_NAME).unlink()
    mine = Cache(str(tmp_path / "cache"))
    mine.add(b"k" * 16, b"value")
    mine.save()
    assert Cache(str(tmp_path / "cache")).get(b"k" * 16) == b"value"

    os.chown(mine.path, 12345, 12345)

    assert Cache(str(tmp_path / "cache")).get(b"k" * 16) is None


def test_two_processes_keep_what_both_found(tmp_path: Path) -> None:
    first, second = Cache(str(tmp_path / "cache")), Cache(str(tmp_path / "cache"))
    first.add(b"1" * 16, b"one")
    second.add(b"2" * 16, b"two")
    first.save()
    second.save()

    both = Cache(str(tmp_path / "cache"))

    assert (both.get(b"1" * 16), both.get(b"2" * 16), both.get(b"3" * 16)) == (b"one", b"two", None)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [FILE_NAME]


def test_the_oldest_values_are_dropped_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_VALUES", 5)
    monkeypatch.setattr(cache, "MOST_BYTES", 1_300)
    keys = [bytes([number]) * 16 for number in range(9)]

    for key in keys:
        kept = Cache(str(tmp_path))
        kept.add(key, b"x" * 30)
        kept.save()
    kept = Cache(str(tmp_path))

    assert [key for key in keys if kept.get(key)] == keys[5:] or [key for key in keys if kept.get(key)] == keys[4:]
    assert os.path.getsize(kept.path) <= 1_300
    monkeypatch.setattr(cache, "LONGEST_VALUE", 10)
    kept.add(b"long" * 4, b"x" * 11)
    kept.save()
    assert Cache(str(tmp_path)).get(b"long" * 4) is None


def test_the_cache_is_removed_by_a_command(linter: Linter, capsys: pytest.CaptureFixture[str]) -> None:
    write(Path("a/MCP_TOOL_SPECIFICATION.md"), _BAD)
    linter.agrees()
    clean = ["cache", "clean", "--cache-dir", str(linter.cache)]

    assert run(clean) == 0
    assert capsys.readouterr().out.startswith("removed ")
    assert not linter.cache.exists()
    assert run(clean) == 0
    assert capsys.readouterr().out.startswith("no cache found in ")
    assert remove_cache(str(linter.cache)) is None


def where(environment: dict[str, str]) -> str:
    """Return the folder where a lint in a separate process writes its cache; empty if it writes none."""
    code = "from mcp_contracts.cli.cache_folder import cache_folder; print(cache_folder(None) or '')"
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return result.stdout.strip()


@pytest.mark.skipif(sys.platform != "linux", reason="the conventions of Linux")
def test_the_folder_follows_the_conventions_of_the_system() -> None:
    assert where({"XDG_CACHE_HOME": "/x", "HOME": "/h"}) == "/x/mcp-contracts"
    assert where({"XDG_CACHE_HOME": "x", "HOME": "/h"}) == "/h/.cache/mcp-contracts"
    assert where({"MCP_CONTRACTS_CACHE_DIR": "/y", "XDG_CACHE_HOME": "/x"}) == "/y"
    assert where({"HOME": "h"}) == ""


def test_checksums_find_what_is_damaged(tmp_path: Path) -> None:
    kept = Cache(str(tmp_path))
    kept.add(b"k" * 16, b"value")
    kept.save()
    content = Path(kept.path).read_bytes()

    Path(kept.path).write_bytes(content.replace(b"value", b"valve"))

    assert Cache(str(tmp_path)).get(b"k" * 16) is None
