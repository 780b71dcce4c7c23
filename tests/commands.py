"""Commands as separate processes, forked by a process that has already imported the package (`command_server.py`).

A fork saves the imports, which take most of a command's time. Shell scripts, and clients that start servers, use the
program `mcp-contracts`, which passes on SIGINT and SIGTERM. Tests of the start itself, or of Python's settings, use a
fresh process.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_SERVER = Path(__file__).with_name("command_server.py")
_CLIENT = """\
#!{python} -IS
import json, os, signal, socket, sys
ENDS = (signal.SIGINT, signal.SIGTERM)
signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)  # until they can be handed on
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect({address!r})
    socket.send_fds(connection, [b"-"], [0, 1, 2])
    asked = {{"arguments": sys.argv[1:], "environment": dict(os.environ), "folder": os.getcwd()}}
    connection.sendall(json.dumps(asked).encode())
    connection.shutdown(socket.SHUT_WR)
    answer = connection.makefile()
    process = int(answer.readline())
    for number in ENDS:
        signal.signal(number, lambda number, _: os.kill(process, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDS)
    code = int(answer.readline())
sys.exit(code) if code >= 0 else os.kill(os.getpid(), -code)
"""

_SHARED = "MCP_CONTRACTS_TEST_COMMANDS"
"""The variable with the address and the settings of the server that all workers of a run share."""

Ran = subprocess.CompletedProcess[bytes]


def share_server() -> None:
    """Start a server for this process and those that it starts from now on."""
    if hasattr(os, "fork"):
        address, settings, _ = _server()
        os.environ[_SHARED] = json.dumps([address, settings])


def process(*arguments: str, cwd: Path | None = None, stdin: bytes = b"", **environment: str) -> Ran:
    """Run a command as a separate process, as a user's shell does."""
    variables = _environment(environment)
    can_fork = hasattr(os, "fork")  # not on Windows
    address, settings, _ = _server() if can_fork else ("", {}, None)
    if not can_fork or _settings(variables) != settings:
        return fresh_process(*arguments, cwd=cwd, stdin=stdin, **environment)
    (given, feed), (read_out, out), (read_err, err) = (os.pipe() for _ in range(3))
    with ThreadPoolExecutor(3) as pool:
        pool.submit(_write, feed, stdin)
        printed, complained = pool.submit(_read, read_out), pool.submit(_read, read_err)
        try:
            code = _run(address, (given, out, err), arguments, variables, Path(cwd or ".").absolute())
        finally:
            for descriptor in (given, out, err):
                os.close(descriptor)
        return subprocess.CompletedProcess(arguments, code, printed.result(), complained.result())


def fresh_process(*arguments: str, cwd: Path | None = None, stdin: bytes = b"", **environment: str) -> Ran:
    """Run a command in a process that shares nothing with others."""
    return subprocess.run(
        [sys.executable, "-m", "mcp_contracts", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        env=_environment(environment),
        timeout=60,
        check=False,
    )


@cache
def programs() -> Path:
    """Create a folder with a `python` and a program `mcp-contracts`, which work while this process lives."""
    address, *_ = _server()
    program = Path(address).with_name(str(os.getpid())) / "mcp-contracts"
    program.parent.mkdir()
    program.write_text(_CLIENT.format(python=sys.executable, address=address), encoding="utf-8")
    program.chmod(0o755)
    program.with_name("python").symlink_to(sys.executable)
    return program.parent


def process_in(file: Path) -> int:
    """Return the id of a process, once it has written it to a file."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if file.exists() and file.read_text().endswith("\n"):
            return int(file.read_text())
        time.sleep(0.01)
    raise AssertionError("the process did not start")


def is_alive(process: int) -> bool:
    """Whether a process still runs after a moment, because signals are delivered late; a zombie does not run."""
    deadline = time.monotonic() + 10
    with suppress(FileNotFoundError, ProcessLookupError):
        while Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X"):
            if time.monotonic() > deadline:
                return True
            time.sleep(0.01)
    return False


def _environment(others: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **others}


def _settings(variables: Mapping[str, str]) -> dict[str, str]:
    """The settings that Python reads at its start."""
    return {name: value for name, value in variables.items() if name.startswith(("PYTHON", "LANG", "LC_"))}


@cache
def _server() -> tuple[str, dict[str, str], subprocess.Popen[bytes] | None]:
    """Return the address and the settings of the shared server, or of this process's, which ends when its standard
    input does.
    """
    if _SHARED in os.environ:
        address, settings = json.loads(os.environ[_SHARED])
        return address, settings, None
    address = f"{tempfile.mkdtemp(prefix='mcp-contracts-')}/commands"
    variables = _environment({})
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        command = [sys.executable, str(_SERVER), str(listener.fileno())]
        server = subprocess.Popen(
            command, stdin=subprocess.PIPE, pass_fds=[listener.fileno()], env=variables, start_new_session=True
        )
    return address, _settings(variables), server


def _run(
    address: str, files: tuple[int, ...], arguments: tuple[str, ...], environment: Mapping[str, str], folder: Path
) -> int:
    """Return the exit code of a command; negative for a signal."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        socket.send_fds(connection, [b"-"], files)
        asked = {"arguments": arguments, "environment": environment, "folder": str(folder)}
        connection.sendall(json.dumps(asked).encode())
        connection.shutdown(socket.SHUT_WR)
        with connection.makefile() as answer:
            return int(answer.readlines()[1])


def _write(descriptor: int, content: bytes) -> None:
    with open(descriptor, "wb") as file:
        file.write(content)


def _read(descriptor: int) -> bytes:
    with open(descriptor, "rb") as file:
        return file.read()
