"""A process that has imported the package and forks a process for each command, to save the imports.

`tests/commands.py` starts it and sends requests. A command gets the arguments, the environment, the working directory
and the open files of the client, and ends like any process.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import select
import shutil
import signal
import socket
import sys
import threading
from contextlib import suppress
from typing import Any, NoReturn

SECONDS = 60
"""The maximum duration of a command."""
_FILES = (0, 1, 2)


def main() -> None:
    """Serve on the listening socket whose descriptor is the argument, until standard input ends."""
    listener = socket.socket(fileno=int(sys.argv[1]))
    is_imported = False
    while True:
        ready, _, _ = select.select([listener.fileno(), 0], [], [])
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                """Forget those that have ended."""
        if 0 in ready:
            shutil.rmtree(os.path.dirname(listener.getsockname()))
            return
        if not is_imported:
            _import_package()
            is_imported = True
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            become(connection)
            break
        connection.close()
    from mcp_contracts.cli.main import main as run_command

    try:
        run_command()
    except SystemExit as ended:
        _end(ended.code)
        raise


def _end(code: object) -> None:
    """End the process as Python does, without tearing down all modules, which takes longer than most commands. Return
    if the code is not a number or the output cannot be written: Python reports that.
    """
    threading._shutdown()  # type: ignore[attr-defined]  # no public name
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
        sys.stderr.flush()
        if isinstance(code, int):
            os._exit(code)


def _import_package() -> None:
    """Import every module that can be imported; optional features need other packages."""
    import mcp_contracts

    for module in pkgutil.walk_packages(mcp_contracts.__path__, "mcp_contracts."):
        if not module.name.endswith("__main__") and ".examples" not in module.name:
            with suppress(ImportError):
                importlib.import_module(module.name)
    gc.collect()
    gc.freeze()


def become(connection: socket.socket) -> None:
    """Return in a process that replaces the client; another one waits for it and returns its exit code."""
    _, descriptors, _, _ = socket.recv_fds(connection, 1, len(_FILES))
    with connection.makefile("rb") as file:
        asked = json.load(file)
    command = os.fork()
    if command:
        _answer(connection, command, descriptors)
    connection.close()
    signal.alarm(SECONDS)
    for number, descriptor in zip(_FILES, descriptors, strict=True):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin, sys.stdout, sys.stderr = (
        _opened(number, stream) for number, stream in zip(_FILES, (sys.stdin, sys.stdout, sys.stderr), strict=True)
    )
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    sys.argv = ["mcp-contracts", *asked["arguments"]]


def _answer(connection: socket.socket, command: int, descriptors: list[int]) -> NoReturn:
    """Send the id of the process, and how it ended; end it if the client has gone."""
    for descriptor in descriptors:
        os.close(descriptor)
    with suppress(OSError):
        connection.sendall(f"{command}\n".encode())
        if hasattr(os, "pidfd_open"):  # Linux
            watched = select.poll()
            watched.register(connection, 0)  # that is, until the other side closes it
            watched.register(os.pidfd_open(command), select.POLLIN)
            if any(event & select.POLLHUP for _, event in watched.poll()):
                os.kill(command, signal.SIGKILL)
        _, status = os.waitpid(command, 0)
        connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _opened(number: int, stream: Any) -> Any:
    """Open a descriptor as Python does at its start; `stream` is the stream of this process."""
    return open(
        number,
        "w" if number else "r",
        buffering=1 if number == 2 or os.isatty(number) else -1,
        encoding=stream.encoding,
        errors=stream.errors,
        closefd=False,
    )


if __name__ == "__main__":
    del sys.path[0]  # the folder of this script
    main()
