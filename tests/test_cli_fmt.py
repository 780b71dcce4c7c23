"""`fmt` rewrites files completely or not at all, and reports it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_contracts.cli import rewriting
from mcp_contracts.cli.app import run
from mcp_contracts.formatting.specs import format_spec
from mcp_contracts.parsing.discovery import SPEC_NAME
from tests.commands import process
from tests.repositories import new_repository, spec, tool, tool_list, write

UNFORMATTED = spec(tool()).replace("\n### 5", "\n\n\n### 5")
FORMATTED = format_spec("", UNFORMATTED).text
PATH = f"notes/{SPEC_NAME}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one unformatted file, as the working directory."""
    new_repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    write(PATH, UNFORMATTED)
    return tmp_path


def test_a_file_is_formatted_and_keeps_its_permissions(capsys: pytest.CaptureFixture[str]) -> None:
    Path(PATH).chmod(0o640)

    code = run(["fmt"])

    assert code == 0
    assert Path(PATH).read_bytes().decode() == FORMATTED
    assert stat.S_IMODE(Path(PATH).stat().st_mode) == 0o640
    assert capsys.readouterr() == ("", f"formatted: {PATH}\n1 file formatted\n")
    assert run(["fmt", "--check"]) == 0
    assert capsys.readouterr() == ("", "1 file unchanged\n")


def test_a_check_writes_nothing_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["fmt", "--check", "notes"])

    assert code == 1
    assert Path(PATH).read_bytes().decode() == UNFORMATTED
    assert capsys.readouterr() == ("", f"would be formatted: {PATH}\n1 file would be formatted\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_the_diff_is_a_patch(folder: Path, newline: str, end: str) -> None:
    before = (UNFORMATTED.rstrip("\n") + end).replace("\n", newline)
    Path(PATH).write_bytes(before.encode())

    ran = process("fmt", "--diff")
    subprocess.run(["git", "apply", "-"], input=ran.stdout, check=True)

    assert ran.returncode == 1
    assert Path(PATH).read_bytes().decode() == FORMATTED.replace("\n", newline)


def test_standard_input_goes_to_standard_output() -> None:
    ran = process("fmt", "-", stdin=f"\ufeff{UNFORMATTED}".encode())

    assert ran.returncode == 0
    assert ran.stdout.decode() == f"\ufeff{FORMATTED}"
    assert process("fmt", "--check", "-", stdin=UNFORMATTED.encode()).returncode == 1
    assert process("fmt", "-", stdin=b" \n").returncode == 3


def test_a_file_that_changes_meanwhile_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    def overtaken(path: str, text: str) -> rewriting.RewrittenFile:
        Path(PATH).write_text("# another text\n")
        return rewriting.RewrittenFile(FORMATTED)

    code = rewriting.rewrite(
        ["notes"], rewriting.RewriteSettings(overtaken, "formatted", is_check=False, is_diff=False)
    )

    assert code == 2
    assert Path(PATH).read_text() == "# another text\n"
    assert "changed after it was read" in capsys.readouterr().err


def test_unreadable_files_are_reported_and_the_rest_is_formatted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("latin/" + SPEC_NAME, "x").write_bytes(b"# caf\xe9\n")
    write("linked/.keep", "")
    os.symlink(f"../{PATH}", f"linked/{SPEC_NAME}")

    code = run(["fmt"])

    said = capsys.readouterr().err
    assert code == 2
    assert Path(PATH).read_bytes().decode() == FORMATTED
    assert f"error: latin/{SPEC_NAME}: the file is not UTF-8: byte 0xe9 on line 1" in said
    assert "is a symbolic link, and links are not followed for writing" in said
    assert said.endswith("1 file formatted, 1 file not read, 1 file not written\n")
    assert run(["fmt"]) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["fmt", "missing"], 2, "`missing`: no such file or directory"),
        (["fmt", "tools.json"], 2, "`tools.json` is a tool list, not a specification"),
        (["fmt", "git:HEAD"], 2, "`git:HEAD` cannot be rewritten"),
        (["fmt", "-", "notes"], 2, "`-` cannot be combined with other paths"),
        (["fmt", "empty"], 3, "no specification found in `empty`"),
    ],
)
def test_what_cannot_be_formatted_is_a_sentence(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("tools.json", tool_list())
    os.mkdir("empty")

    assert run(arguments) == code
    assert said in capsys.readouterr().err


def test_tools_in_an_older_dialect_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    write(PATH, "# Old\n\n## Tools\n\n### `find_it`\n\nFinds it.\n\n### `lose_it`\n\nLoses it.\n")

    assert run(["fmt", "--check"]) == 0
    assert "2 tools in an older dialect left unchanged" in capsys.readouterr().err


def test_a_closed_pipe_ends_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)

    ran = subprocess.run(
        [sys.executable, "-m", "mcp_contracts", "fmt", "--diff"], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)

    assert ran.returncode == 141
    assert b"Traceback" not in ran.stderr


OLD = "# Old\n\n## Tools\n\n### `find_it`\n\nFinds it.\n"


def test_migrate_rewrites_in_place_and_sums_up_what_to_fill(capsys: pytest.CaptureFixture[str]) -> None:
    write(PATH, OLD)

    assert run(["migrate", "--check"]) == 1
    assert Path(PATH).read_text() == OLD
    assert run(["migrate"]) == 0
    assert "placeholders to fill in: errors (1), examples (1)" in capsys.readouterr().err
    assert "## Tool: `notes.find_it`" in Path(PATH).read_text()
    assert run(["migrate", "--check"]) == 0


def test_migrate_into_another_folder_leaves_the_originals(capsys: pytest.CaptureFixture[str]) -> None:
    write(PATH, OLD)

    assert run(["migrate", "notes", "--into", "new"]) == 0
    assert Path(PATH).read_text() == OLD
    assert "## Tool: `notes.find_it`" in Path(f"new/{PATH}").read_text()
    assert run(["migrate", "notes", "--into", "new"]) == 2
    assert f"`new/{PATH}` exists and is not overwritten" in capsys.readouterr().err
