"""Runs the `git` command, which only reads, has a time limit, and runs nothing that a repository configures.

No hook, filter, pager or file system monitor runs, no object is replaced, nothing is fetched, and git never prompts.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType
from typing import IO, Self

from mcp_contracts.errors import SourceError

TIMEOUT = 60.0
"""The maximum number of seconds for one git command. Listing a checkout of a million files takes two."""

_CHUNK = 1 << 20
_MOST_COMPLAINTS = 64_000
# git reads its environment (GIT_DIR, GIT_WORK_TREE, HOME, PATH). In addition: no locks, no prompts, nothing fetched or
# replaced behind the user's back, and messages that we can parse.
_SETTINGS = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # replaces GIT_NO_LAZY_FETCH in git before 2.45
    "LC_ALL": "C",
}
_BEARINGS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")


class GitProcess:
    """A running git command.

    Leaving the block terminates it and every process that it started. With a `repository`, it runs only there,
    regardless of the environment. Raises `SourceError` if git cannot be run.
    """

    def __init__(self, *arguments: str, stdin: bytes | None = None, repository: str | None = None) -> None:
        self._name = arguments[0]
        environment = {**os.environ, **_SETTINGS}
        for name in _BEARINGS if repository is not None else ():
            environment.pop(name, None)
        command = ("git", "--no-pager", "-c", "core.fsmonitor=false", *arguments)
        try:
            self._process = subprocess.Popen(
                command,
                # Without input, it must not read ours, which may be a piped specification.
                stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=repository,
                env=environment,
                start_new_session=True,
            )
        except FileNotFoundError as error:
            raise SourceError(
                "a git revision requires the `git` command, which was not found",
                hint="install git, or check out the revision elsewhere and pass its folder",
            ) from error
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise SourceError(f"`git` cannot be run: {reason}", hint="check that `git --version` works here") from error
        self._is_late = False
        self._complaints = bytearray()
        self._timer = threading.Timer(TIMEOUT, self._end, (True,))
        self._timer.daemon = True
        self._timer.start()
        self._threads = [threading.Thread(target=self._listen, daemon=True)]
        if stdin is not None:
            self._threads.append(threading.Thread(target=self._write_input, args=(stdin,), daemon=True))
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._timer.cancel()
        self._timer.join()
        self._end()
        self._process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def chunks(self) -> Iterator[bytes]:
        """Yield the output of git as it arrives."""
        stream = _pipe(self._process.stdout)
        while chunk := stream.read1(_CHUNK):  # type: ignore[attr-defined]  # a pipe is buffered, and has it
            yield chunk

    def finish(self, answer: bytes) -> subprocess.CompletedProcess[bytes]:
        """Return the exit code after reading all output. Raises SourceError if the process did not exit on its own."""
        code = self._process.wait()
        self._threads[0].join()
        if self._is_late:
            raise SourceError(
                f"`git {self._name}` did not finish within {TIMEOUT:g} seconds",
                hint=f"run `git {self._name}` yourself to see what it waits for",
            )
        if code < 0:
            raise SourceError(f"`git {self._name}` was terminated by signal {-code}", hint="run the command again")
        return subprocess.CompletedProcess((), code, answer, bytes(self._complaints))

    def _end(self, is_late: bool = False) -> None:
        """Terminate the process and everything that it started, unless it has exited."""
        if self._process.poll() is None:
            self._is_late = is_late
            with suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()

    def _listen(self) -> None:
        """Keep the beginning of its error output and discard the rest, so that it never blocks."""
        stream = _pipe(self._process.stderr)
        with suppress(OSError, ValueError):
            while chunk := stream.read(4096):
                self._complaints += chunk[: max(0, _MOST_COMPLAINTS - len(self._complaints))]

    def _write_input(self, text: bytes) -> None:
        stream = _pipe(self._process.stdin)
        with suppress(OSError, ValueError):
            stream.write(text)
            stream.close()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None, "all streams that are used are pipes"
    return stream
