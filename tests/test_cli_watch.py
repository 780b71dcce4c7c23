"""`lint --watch` in real processes that watch real files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from mcp_contracts.parsing.discovery import SPEC_NAME
from tests.commands import process
from tests.repositories import PATH, ROOT, edit, spec, tool, write

CLEAN = spec(tool())


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(PATH, CLEAN)


class Watched:
    """A run of `lint --watch`."""

    def __init__(self, running: subprocess.Popen[str]) -> None:
        self._running = running

    def said(self) -> list[str]:
        """The messages on standard error until it waits for a change."""
        return list(self._until(self._running.stderr, "press Ctrl-C to stop"))

    def reported(self) -> str:
        """The last line of the next report."""
        *_, last = self._until(self._running.stdout, " in ")
        return last

    def reports(self, summary: str) -> bool:
        """Whether a report ends in this summary; a change that is seen in two steps gives two reports."""
        return bool(list(self._until(self._running.stdout, summary)))

    def stop(self) -> tuple[int, str]:
        """Send Ctrl-C, and return the exit code and the last messages."""
        self._running.send_signal(signal.SIGINT)
        _, rest = self._running.communicate(timeout=30)
        return self._running.returncode, rest

    @staticmethod
    def _until(stream: IO[str] | None, end: str) -> Iterator[str]:
        assert stream is not None
        for line in stream:
            yield line.rstrip("\n")
            if end in line:
                return
        pytest.fail(f"it ended before it said `{end}`")


@contextmanager
def watched(*arguments: str) -> Iterator[Watched]:
    """Run a watching lint, and end it in any case."""
    running = subprocess.Popen(
        [sys.executable, "-m", "mcp_contracts", "lint", "--watch", "--format", "concise", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
    )
    timer = threading.Timer(60, running.kill)
    timer.start()
    try:
        yield Watched(running)
    finally:
        timer.cancel()
        running.kill()
        running.communicate()


def test_a_change_is_linted_and_an_interrupt_is_a_clean_end() -> None:
    with watched("specs") as run:
        assert run.said() == ["watching `specs`; press Ctrl-C to stop"]
        assert run.reported() == "no problems in 1 file (1 tool)"

        edit(PATH, "**Version**: 1.0.0", "**Version**: one")

        assert run.said()[0] == f"changed: {PATH}"
        assert run.reported() == "found 1 error in 1 file (1 tool)"
        assert run.stop() == (0, "stopped\n")


def test_new_files_and_the_configuration_count_as_changes() -> None:
    with watched("specs") as run:
        run.said()
        run.reported()

        write(f"specs/other/{SPEC_NAME}", spec(tool("other.find", version="x"), module="other"))
        assert run.reports("found 1 error in 2 files (2 tools)")

        write("mcp-contracts.yaml", "exclude: [specs/other/]\n")
        assert run.reports("no problems in 1 file (1 tool); 1 skipped")


def test_an_error_after_a_change_is_reported_and_watching_continues() -> None:
    with watched("specs") as run:
        run.said()
        run.reported()

        write("mcp-contracts.yaml", "colour: red\n")
        assert "error: mcp-contracts.yaml: unknown key `colour`" in run.said()

        write("mcp-contracts.yaml", "exclude: []\n")
        run.said()
        assert run.reported() == "no problems in 1 file (1 tool)"
        assert run.stop()[0] == 0


def test_one_file_is_watched_though_an_editor_replaces_it() -> None:
    with watched(PATH) as run:
        run.said()
        run.reported()

        write("beside", CLEAN.replace("1.0.0", "one"))
        os.replace("beside", PATH)

        assert run.said()[0] == f"changed: {PATH}"
        assert run.reported() == "found 1 error in 1 file (1 tool)"


def test_what_it_writes_itself_is_not_a_change() -> None:
    with watched("specs", ".", "--output", "report.json") as run:
        run.said()
        edit(PATH, "**Version**: 1.0.0", "**Version**: one")

        assert run.said()[0] == f"changed: {PATH}"
        assert run.stop()[0] == 0
        assert "found 1 error" in Path("report.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-"], 2, "standard input cannot be watched"),
        (["missing"], 2, "`missing`: no such file or directory"),
        (["specs", "--write-baseline", "b.json"], 2, "`--write-baseline` cannot be combined"),
        (["specs", "--baseline", "b.json"], 2, "`b.json`: no such file"),
        (["specs", "--select", "MC3O2"], 2, "did you mean `MC302`?"),
    ],
)
def test_a_wrong_command_line_ends_at_once(arguments: list[str], code: int, message: str) -> None:
    ran = process("lint", "--watch", *arguments)

    assert ran.returncode == code
    assert message in ran.stderr.decode()


def test_without_its_extra_one_sentence_says_how_to_install_it() -> None:
    without = (
        "import sys; sys.modules['watchfiles'] = None\n"
        "from mcp_contracts.cli.app import run; sys.exit(run(['lint', '--watch']))"
    )

    ran = subprocess.run(
        [sys.executable, "-c", without],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )

    assert ran.returncode == 2
    assert ran.stderr.splitlines() == [
        "error: `--watch` requires the package `watchfiles`",
        "  help: pip install 'mcp-contracts[watch]'",
    ]
