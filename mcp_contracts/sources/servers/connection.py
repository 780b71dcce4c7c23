"""An open connection to a live server: the handshake in either era, raw requests, and one message for each failure.

Import it only where the SDK is installed.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from http import HTTPStatus
from typing import Any, TypeVar

import httpx2
import mcp_types as types
from mcp import Client, MCPError
from mcp.client.session import ClientRequestContext
from pydantic import ValidationError

from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import ContractError, SourceError
from mcp_contracts.parsing.text import shorten
from mcp_contracts.records import dataclass, field
from mcp_contracts.runtime.remote.sessions import inner_session, list_pages, page_entries, raw_request
from mcp_contracts.sources.servers.access import Server, ServerAccess, ServerCommand, without_secrets
from mcp_contracts.sources.servers.answers import AnswerRecord, watch_answers
from mcp_contracts.sources.servers.http import HttpRecord, http_streams
from mcp_contracts.sources.servers.processes import ProcessRecord, process_streams
from mcp_contracts.version import __version__

for _name in ("mcp", "client"):  # the SDK's loggers: the errors here already report what they log
    logging.getLogger(_name).addHandler(logging.NullHandler())

_AT_ONCE = 4  # servers
_CLOSED = -32000
_NO_METHOD = -32601
_PATH_HINT = "check the path of the URL: many servers respond at `/mcp`"
_T = TypeVar("_T")


@dataclass(slots=True)
class Connection:
    """A server that is ready for requests. `step` describes the last request in messages."""

    server: Server
    access: ServerAccess
    record: ProcessRecord | HttpRecord
    client: Client
    answers: AnswerRecord
    step: list[str] = field(default_factory=lambda: ["`initialize`"])

    @property
    def name(self) -> str | None:
        """The name that the server states."""
        return None if self.client.server_info is None else self.client.server_info.name

    @property
    def version(self) -> str | None:
        """The version that the server states."""
        return None if self.client.server_info is None else self.client.server_info.version

    @property
    def protocol(self) -> str:
        """The version of MCP that both sides use."""
        return self.client.protocol_version

    @property
    def stray_line(self) -> str | None:
        """The first line on the server's standard output that is not JSON-RPC."""
        return self.record.stray_line if isinstance(self.record, ProcessRecord) else None

    async def entries(self, *, most: int) -> tuple[list[JsonValue], bool]:
        """Return the entries of all pages of `tools/list` in their original form, and whether there are more than
        `most`.
        """
        self.step[0] = "`tools/list`"
        found: list[JsonValue] = []
        async with asyncio.timeout(self.access.timeout):
            async for page in list_pages(inner_session(self.client), self.server.shown):
                found += page_entries(page, self.server.shown)
                if len(found) > most:
                    return found[:most], True
        return found, False

    async def request(self, method: str, params: dict[str, Any]) -> Any:
        """Return the raw result of a request. Raises MCPError for a JSON-RPC error, and TimeoutError after the
        deadline.
        """
        self.step[0] = f"`{method}`"
        async with asyncio.timeout(self.access.timeout):
            return await raw_request(inner_session(self.client), method, params)


def run(server: Server, work: Callable[[Connection], Awaitable[_T]], access: ServerAccess) -> _T:
    """Connect to a server, use it, and stop it, from synchronous code.

    `access.timeout` bounds the handshake and each request. Raises SourceError with a one-line message for any fault of
    the server. Ends every process that the server started.
    """
    outcome = run_all((server,), work, access)[0]
    if isinstance(outcome, SourceError):
        raise outcome
    return outcome


def run_all(
    servers: Sequence[Server], work: Callable[[Connection], Awaitable[_T]], access: ServerAccess
) -> list[_T | SourceError]:
    """Do the same as `run` for several servers, a few at a time, and return the result or the error of each."""
    records: list[ProcessRecord] = []

    async def all_of_them() -> list[_T | SourceError]:
        turns = asyncio.Semaphore(_AT_ONCE)

        async def one(server: Server) -> _T | SourceError:
            try:
                async with turns, connect(server, access, records=records) as connection:
                    return await work(connection)
            except SourceError as error:
                return error

        with _cancelled_on_signals():
            return await asyncio.gather(*map(one, servers))

    try:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(all_of_them())
        with ThreadPoolExecutor(1) as thread:  # a notebook or a test has its own loop
            return thread.submit(asyncio.run, all_of_them()).result()
    finally:
        for record in records:
            if record.exit_code is None:  # a second interrupt, or SIGTERM, came while it was being stopped
                record.kill()


@contextmanager
def _cancelled_on_signals() -> Iterator[None]:
    """Let a handled SIGTERM or SIGHUP cancel this task, as asyncio does for SIGINT, and call its handler afterwards.

    A handler that raises in the middle of the loop could do so before the process of a server is known.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    before: dict[int, Any] = {}
    received: list[int] = []

    def cancel(number: int) -> None:
        received.append(number)
        if task is not None:
            task.cancel()

    for number in (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")):
        handler = None if number is None else signal.getsignal(number)
        if number is not None and callable(handler):
            with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
                loop.add_signal_handler(number, cancel, number)
                before[number] = handler
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
        for number in received:
            before[number](number, None)


@asynccontextmanager
async def connect(
    server: Server, access: ServerAccess, *, records: list[ProcessRecord] | None = None, is_lasting: bool = False
) -> AsyncIterator[Connection]:
    """Connect to a server. `records` notes the process that is started.

    With `is_lasting`, the total size and duration of the server's output are not limited. Raises SourceError for any
    fault of the server, even while the connection is in use.
    """
    record: ProcessRecord | HttpRecord
    if isinstance(server, ServerCommand):
        record = ProcessRecord(server, is_lasting=is_lasting)
    else:
        record = HttpRecord(server, is_lasting=is_lasting)
    if records is not None and isinstance(record, ProcessRecord):
        records.append(record)
    answers = AnswerRecord(server.shown if is_lasting else None)
    step = ["`initialize`"]
    try:
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(access.timeout):
                client = await stack.enter_async_context(_client(record, access, answers))
            yield Connection(server, access, record, client, answers, step)
    except (Exception, BaseExceptionGroup) as error:
        for cause in _leaves(error):
            if isinstance(cause, SystemExit | KeyboardInterrupt):
                raise cause from error  # a signal, not a fault of the server
        raise _source_error(error, record, access, step[0], answers) from error


@asynccontextmanager
async def _client(
    record: ProcessRecord | HttpRecord, access: ServerAccess, answers: AnswerRecord
) -> AsyncIterator[Client]:
    """Open the SDK's client, which by default declares the capabilities of an interactive client."""
    streams = process_streams(record) if isinstance(record, ProcessRecord) else http_streams(record, access)
    client = Client(
        watch_answers(streams, answers),
        cache=None,
        client_info=types.Implementation(name="mcp-contracts", version=__version__),
        list_roots_callback=_no_roots if "roots" in access.capabilities else None,
        sampling_callback=_no_sampling if "sampling" in access.capabilities else None,
        elicitation_callback=_no_elicitation if "elicitation" in access.capabilities else None,
    )
    async with client:
        yield client


async def _no_roots(context: ClientRequestContext) -> types.ListRootsResult:
    return types.ListRootsResult(roots=[])


async def _no_sampling(context: ClientRequestContext, params: types.CreateMessageRequestParams) -> types.ErrorData:
    return types.ErrorData(code=types.INVALID_REQUEST, message="no user is available to approve it")


async def _no_elicitation(context: ClientRequestContext, params: types.ElicitRequestParams) -> types.ElicitResult:
    return types.ElicitResult(action="decline")


# Failures


def _source_error(
    error: BaseException, record: ProcessRecord | HttpRecord, access: ServerAccess, step: str, answers: AnswerRecord
) -> SourceError:
    """Return the error for a failure, with a hint."""
    server: Server = record.command if isinstance(record, ProcessRecord) else record.address
    causes = list(_leaves(error))
    known = next((cause for cause in causes if isinstance(cause, ContractError)), None)
    if known is not None and record.excess is None:
        return known if isinstance(known, SourceError) else SourceError(known.message, hint=known.hint)
    if isinstance(record, ProcessRecord):
        message, hint = _process_failure(causes, record, access, step, answers)
    else:
        message, hint = _http_failure(causes, record, access, step, answers)
    message = f"the server `{server.shown}` {message}"
    return SourceError(
        without_secrets(message, server, access), hint=None if hint is None else without_secrets(hint, server, access)
    )


def _process_failure(
    causes: list[BaseException], record: ProcessRecord, access: ServerAccess, step: str, answers: AnswerRecord
) -> tuple[str, str | None]:
    last = record.last_error()
    said = None if last is None else f"its standard error says: {last}"
    if record.excess is not None:
        return record.excess, said
    stray = (
        None
        if record.stray_line is None
        else f"it wrote `{record.stray_line}` to its standard output, where only JSON-RPC is allowed"
    )
    if any(isinstance(cause, TimeoutError) for cause in causes):
        return answers.describe_timeout(
            step, access.timeout
        ), stray or said or "raise `--timeout`, or run the command directly to see why"
    if _is_closed(causes):
        hint = said or stray or "run the command directly to see why"
        return answers.explain(f"{_ending(record)} before it responded to {step}"), hint
    return _answer_failure(causes, step), stray or said


def _ending(record: ProcessRecord) -> str:
    code = record.exit_code
    if code is None or record.was_ended:
        return "closed its output"
    if code >= 0:
        return f"exited with code {code}"
    with suppress(ValueError):
        return f"was terminated by signal {signal.Signals(-code).name}"
    return f"was terminated by signal {-code}"


def _http_failure(
    causes: list[BaseException], record: HttpRecord, access: ServerAccess, step: str, answers: AnswerRecord
) -> tuple[str, str | None]:
    if record.excess is not None:
        return record.excess, None
    if any(isinstance(cause, TimeoutError | httpx2.TimeoutException) for cause in causes):
        return answers.describe_timeout(step, access.timeout), "raise `--timeout`, or check the URL"
    refused = next((cause for cause in causes if isinstance(cause, httpx2.TransportError)), None)
    if refused is not None:
        said = shorten(str(refused)) or type(refused).__name__
        if isinstance(refused, httpx2.ReadError | httpx2.RemoteProtocolError):
            return f"closed the connection before it responded to {step}: {said}", None
        return f"cannot be reached: {said}", "check the URL"
    error = next((cause for cause in causes if isinstance(cause, MCPError)), None)
    status = record.refusal
    if status is not None and (error is None or error.code in (types.INTERNAL_ERROR, types.METHOD_NOT_FOUND, -32600)):
        return _status_failure(status, record.reason, step, error, has_headers=bool(access.headers))
    if _is_closed(causes):
        return answers.explain(f"closed the connection before it responded to {step}"), None
    if error is not None and error.message.startswith("Unexpected content type"):  # the wording of the SDK
        kind = shorten(error.message.partition(":")[2].strip()) or "no content type"
        return f"responded to {step} with `{kind}`, not with JSON", _PATH_HINT
    if error is not None and error.message.startswith(("Failed to parse JSON response", "Failed to parse SSE message")):
        return f"responded to {step} with something that is not JSON-RPC", _PATH_HINT
    return _answer_failure(causes, step), None


def _status_failure(
    status: int, reason: str, step: str, error: MCPError | None, *, has_headers: bool
) -> tuple[str, str | None]:
    with suppress(ValueError):
        reason = reason or HTTPStatus(status).phrase
    said = f"responded to {step} with HTTP status {status}" + (f" ({reason})" if reason else "")
    match status:
        case 401 | 403:
            if has_headers:
                return said, "check the token and the headers: the server does not accept them"
            return said, "pass a token with `--token-env NAME`, or the headers that it expects with `--header`"
        case 429:
            return said, "wait, and run the command again"
        case 404 | 405:
            return said, _PATH_HINT if step == "`initialize`" else "its session has ended: run the command again"
        case _ if 300 <= status < 400:
            where = "" if error is None else f": {shorten(error.message)}"
            return said + where, "use the URL that it redirects to, if you trust it"
    return said, "check the server's log" if status >= 500 else None


def _is_closed(causes: list[BaseException]) -> bool:
    return any(
        isinstance(cause, MCPError) and cause.code == _CLOSED and "closed" in cause.message.lower() for cause in causes
    )


def _answer_failure(causes: list[BaseException], step: str) -> str:
    """Describe what is wrong with a response."""
    for cause in causes:
        if isinstance(cause, MCPError):
            if cause.code == _NO_METHOD and step == "`tools/list`":
                return "offers no tools: it does not support `tools/list`"
            return f"responded to {step} with the error {cause.code}: {shorten(cause.message)}"
        if isinstance(cause, ValidationError):
            first = cause.errors()[0]
            at = "/".join(map(str, first["loc"]))
            return f"sent an invalid response to {step}: {f'`{shorten(at)}`: ' if at else ''}{first['msg'].lower()}"
    first_cause = causes[0]
    return f"failed at {step}: {shorten(str(first_cause)) or type(first_cause).__name__}"


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the exceptions of a group, and the causes of each that the SDK wraps."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
        return
    yield error
    if isinstance(error.__cause__, Exception):
        yield from _leaves(error.__cause__)
