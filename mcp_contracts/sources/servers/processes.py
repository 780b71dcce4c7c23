"""A server as a separate process over stdin and stdout: started, bounded, and terminated with its child processes.

The SDK's own transport reads lines of any length, discards standard error, and leaves orphaned child processes if a
server exits on its own. Import this only where the SDK is installed.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

from mcp_contracts import lazy_re as re
from mcp_contracts.errors import SourceError
from mcp_contracts.parsing.text import shorten
from mcp_contracts.records import dataclass, field
from mcp_contracts.sources.servers.access import MAX_MESSAGE, MAX_OUTPUT, ServerCommand

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

_KEPT_ERRORS = 16_384  # bytes of standard error
_MOST_STRAY_LINES = 1_000
_GRACE = 1.0  # seconds for a server to exit after its stdin is closed, and again after it is asked to exit
_POLL = 0.01
_TELLING = re.compile(r"error|exception|fail|not found|cannot|denied|usage|missing|required|invalid", re.IGNORECASE)
_ANSWER = re.compile(
    rb'\s*\{(?:\s*"jsonrpc"\s*:\s*"[^"]*"\s*,)?\s*"id"\s*:\s*(?P<id>\d{1,9}|"[\w-]{1,99}")\s*,(?!\s*"method")'
)
"""The beginning of a response that cannot be read as JSON, in the form that nearly every server writes."""
_NOISE = re.compile(
    r"^\s*(?:at\b|File \"|npm (?:error|ERR!) (?:A complete log|\S+ +\d{4}-)|Node\.js v|\^+\s*$|[{}]\s*$)"
)


@dataclass(slots=True)
class ProcessRecord:
    """Facts about a started process. `group` is the id of its process group, `was_ended` whether we terminated it.

    `is_lasting` lifts the bound on the total output; `ended` is set when no more messages can be exchanged.
    """

    command: ServerCommand
    group: int | None = None
    exit_code: int | None = None
    was_ended: bool = False
    errors: bytearray = field(default_factory=bytearray)
    stray_line: str | None = None
    stray_lines: int = 0
    excess: str | None = None
    is_lasting: bool = False
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def last_error(self) -> str | None:
        """Return the most informative of the last lines that the server wrote to its standard error."""
        lines = [line for line in self.errors.decode("utf-8", "replace").splitlines() if line.strip()]
        informative = [line for line in lines[-30:] if not _NOISE.search(line)]
        last = informative[-1] if informative else None
        best = next((line for line in reversed(informative) if _TELLING.search(line)), last)
        return None if best is None else " ".join(best.split())[:300]

    def kill(self) -> None:
        """Kill the whole process group at once, if it still exists."""
        if self.group is not None:
            _signal(self.group, signal.SIGKILL if os.name == "posix" else signal.SIGTERM)


@asynccontextmanager
async def process_streams(record: ProcessRecord) -> AsyncIterator[TransportStreams]:
    """Start a server, and yield the two streams of messages that the SDK's dispatcher takes.

    The server and the processes that it started are always terminated. Raises SourceError if it cannot start.
    """
    process = await _start(record)
    to_session, from_server = anyio.create_memory_object_stream[Any](0)
    to_server, from_session = anyio.create_memory_object_stream[Any](0)
    tasks = [
        asyncio.create_task(_read(process, record, to_session)),
        asyncio.create_task(_write(process, from_session, to_session)),
        asyncio.create_task(_keep_errors(process, record)),
    ]
    for task in tasks[:2]:
        task.add_done_callback(lambda _: record.ended.set())
    try:
        yield from_server, to_server
    finally:
        for stream in (from_server, to_server, to_session, from_session):
            stream.close()
        await asyncio.shield(asyncio.ensure_future(_end(process, record, tasks)))


async def _start(record: ProcessRecord) -> asyncio.subprocess.Process:
    command = record.command
    try:
        process = await asyncio.create_subprocess_exec(
            *command.words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=_environment(command),
            cwd=command.folder,
            limit=MAX_MESSAGE,
            start_new_session=os.name == "posix",
        )
    except OSError as error:
        name = shorten(command.words[0])
        if isinstance(error, FileNotFoundError) and (command.folder is None or os.path.isdir(command.folder)):
            message, hint = f"the command `{name}` was not found", "install it, or pass its full path"
        else:
            message, hint = f"the command `{name}` cannot be started: {(error.strerror or str(error)).lower()}", None
        raise SourceError(message, hint=hint) from error
    record.group = process.pid
    return process


def _environment(command: ServerCommand) -> dict[str, str] | None:
    if command.environment is None:
        return None
    return {**get_default_environment(), **command.environment}


# Messages


async def _read(process: asyncio.subprocess.Process, record: ProcessRecord, session: Any) -> None:
    assert process.stdout is not None
    total = 0
    async with session:
        while True:
            try:
                line = await process.stdout.readuntil(b"\n")
            except asyncio.IncompleteReadError as error:
                line = error.partial
            except asyncio.LimitOverrunError:
                record.excess = f"wrote a line of more than {MAX_MESSAGE:,} bytes to its standard output"
                return
            total += len(line)
            if total > MAX_OUTPUT and not record.is_lasting:
                record.excess = f"wrote more than {MAX_OUTPUT:,} bytes to its standard output"
                return
            if line.strip() and not await _deliver(line, record, session):
                return
            if not line.endswith(b"\n"):
                return


async def _deliver(line: bytes, record: ProcessRecord, session: Any) -> bool:
    """Pass a line of a server to the session, and return whether the session still listens."""
    messages = _batch(line) or [_message(line)]
    if None in messages:
        record.stray_lines += 1
        record.stray_line = record.stray_line or shorten(line[:200].decode("utf-8", "replace"))
        if record.stray_lines > _MOST_STRAY_LINES:
            record.excess = f"wrote more than {_MOST_STRAY_LINES:,} lines that are not JSON-RPC to its standard output"
        return record.excess is None
    try:
        for message in messages:
            await session.send(SessionMessage(message))
    except (anyio.ClosedResourceError, anyio.BrokenResourceError):
        return False
    return True


def _batch(line: bytes) -> list[Any]:
    """Return the messages of a JSON array, which servers of 2025-03-26 may write, or nothing for any other line."""
    if not line.lstrip().startswith(b"["):
        return []
    found = []
    with suppress(ValueError, RecursionError):
        for one in json.loads(line):
            found.append(_message(json.dumps(one).encode() + b"\n"))
            if found[-1] is None:
                break
    return found


def _message(line: bytes) -> Any:
    """Return a line as a JSON-RPC message; an invalid response as an error for its request; or None.

    A line without a line ending is the last line of a server. If it is not a message, the exit of the server explains
    more.
    """
    try:
        return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        pass
    fault = "the response is not a valid JSON-RPC message"
    try:
        value = json.loads(line)
        json.dumps(value, ensure_ascii=False).encode()  # half of a surrogate pair is not text
        return types.jsonrpc_message_adapter.validate_python(
            value, by_name=False
        )  # nested deeper than the JSON reader allows
    except RecursionError:
        fault = "the response is nested too deeply"
    except ValueError:
        pass
    found = _ANSWER.match(line) if line.endswith(b"\n") else None
    if found is None:
        return None
    error = types.ErrorData(code=types.PARSE_ERROR, message=fault)
    return types.JSONRPCError(jsonrpc="2.0", id=json.loads(found["id"]), error=error)


async def _write(process: asyncio.subprocess.Process, messages: Any, session: Any) -> None:
    assert process.stdin is not None
    async with messages:
        async for message in messages:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                process.stdin.write(f"{text}\n".encode("utf-8", "replace"))
                await process.stdin.drain()
            except OSError:  # it has exited, which the end of its output also shows
                await session.aclose()
                return


async def _keep_errors(process: asyncio.subprocess.Process, record: ProcessRecord) -> None:
    assert process.stderr is not None
    while chunk := await process.stderr.read(_KEPT_ERRORS):
        record.errors += chunk
        del record.errors[:-_KEPT_ERRORS]


# The end


async def _end(process: asyncio.subprocess.Process, record: ProcessRecord, tasks: list[asyncio.Task[None]]) -> None:
    """Close the server's stdin, wait, ask it to exit, wait, and kill the rest of its process group."""
    assert process.stdin is not None
    if process.returncode is None:
        process.stdin.close()
        if not await _has_ended(process):
            record.was_ended = True
            _signal(process.pid, signal.SIGTERM)
            await _has_ended(process)
    record.kill()
    await _has_ended(process)
    record.exit_code = process.returncode
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(tasks[2], return_exceptions=True), _POLL * 10)  # its last output
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    transport = getattr(process, "_transport", None)
    if transport is not None:  # a process that left the group may hold the pipes open
        transport.close()
    await asyncio.sleep(0)


async def _has_ended(process: asyncio.subprocess.Process) -> bool:
    """Whether a process exits soon. `Process.wait` also waits for pipes that its children hold."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + _GRACE
    while process.returncode is None and clock() < deadline:
        await asyncio.sleep(_POLL)
    return process.returncode is not None


def _signal(group: int, number: int) -> None:
    send: Callable[[int, int], None] = os.killpg if sys.platform != "win32" else os.kill
    with suppress(ProcessLookupError, PermissionError):
        send(group, number)
