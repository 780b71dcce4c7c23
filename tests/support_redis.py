"""A real redis-server for tests: on a random loopback port, in a temporary folder, ended with its test."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_SECONDS_TO_START = 10.0


@contextmanager
def redis_server(*options: str, at: int | None = None) -> Iterator[str]:
    """Yield the URL of an empty Redis that only this test uses; skip without `redis-server` on the PATH.

    `options` are additional options of the server, and `at` is its port if it must not be random.
    """
    executable = shutil.which("redis-server")
    if executable is None:
        pytest.skip("no `redis-server` on PATH (Debian: apt-get install redis-server)")
    with tempfile.TemporaryDirectory() as folder:
        process, port = _started(executable, folder, options, at)
        try:
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.kill()  # it contains nothing to save
            process.wait()


def free_port() -> int:
    """Return an unused loopback port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _started(
    executable: str, folder: str, options: tuple[str, ...], at: int | None
) -> tuple[subprocess.Popen[bytes], int]:
    for _ in range(5):  # another process may take the port before the server does
        port = at or free_port()
        command = [executable, "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""]
        command += ["--appendonly", "no", "--daemonize", "no", "--logfile", str(Path(folder, "log")), *options]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        if _answers(process, port):
            return process, port
        process.kill()
        process.wait()
    raise RuntimeError("redis-server did not start")


def _answers(process: subprocess.Popen[bytes], port: int) -> bool:
    ends_at = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < ends_at and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                if connection.recv(64).startswith((b"+PONG", b"-NOAUTH")):
                    return process.poll() is None
        except OSError:
            pass
        time.sleep(0.01)
    return False
