"""Query a live server: list its tools twice, call a tool that does not exist, and make the planned calls.

Import it only where the SDK is installed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from mcp import MCPError

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import SourceError
from mcp_contracts.mcp_content.reading import RESULT_KEY, result_of
from mcp_contracts.records import dataclass
from mcp_contracts.rules.live.observed import Answer
from mcp_contracts.sources.servers.access import Server, ServerAccess
from mcp_contracts.sources.servers.connection import Connection, run
from mcp_contracts.sources.servers.listing import ListedServer, listing_of
from mcp_contracts.sources.tool_lists import MOST_TOOLS

NO_SUCH_TOOL = "mcp_contracts_no_such_tool"
_MOST_ENDS = 20  # the number of times that calls of one tool may terminate the server
_COST_OF_SILENCE = 10  # an unanswered call counts as this many terminations, since it waits for the deadline
_MOST_FAILED_STARTS = 3  # for one batch of calls
_LATE = "the server did not respond"
_NOT_CALLED = "not called, because the server exited or failed to respond too often"
_INVALID_PARAMS, _CLOSED = -32602, -32000
_REFUSAL = re.compile(
    r"\b(?:input )?validation error|\binvalid (?:arguments?|input|parameters?|params)\b|\bInvalid arguments\b"
    r"|field required|missing required|is a required property|-32602",
    re.IGNORECASE,
)
_VALIDATION = "ValidationError"
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Listing:
    """The tools that a server listed, and its responses to a second request and to a call to an unknown tool."""

    server: ListedServer
    first_list: tuple[str, ...]
    second_list: tuple[str, ...]
    unknown_tool: Answer


Call = tuple[str, JsonValue]
"""A tool's name at the server, and the arguments."""


def probe(server: Server, access: ServerAccess) -> Listing:
    """Ask a server for its tools. Raises SourceError if it does not list them."""

    async def ask(connection: Connection) -> Listing:
        listed = await listing_of(connection)
        again, _ = await connection.entries(most=MOST_TOOLS)
        first = _names(json.loads(listed.text)["tools"])
        return Listing(listed, first, _names(again), await _call_tool(connection, NO_SUCH_TOOL, {}))

    return run(server, ask, access)


def _names(entries: Iterable[JsonValue]) -> tuple[str, ...]:
    return tuple(str(entry["name"]) for entry in entries if isinstance(entry, dict) and entry.get("name"))


class Caller:
    """Calls the tools of a server, which is restarted after a call that terminates it.

    `count` is the number of calls made, and `tools` are their tools. A tool that too often terminated the server or did
    not respond is not called again.
    """

    def __init__(self, server: Server, access: ServerAccess) -> None:
        self.count = 0
        self.tools: set[str] = set()
        self._server, self._access = server, access
        self._ends: Counter[str] = Counter()

    def answers(self, calls: Iterable[Call]) -> list[Answer]:
        """Return the response to each call, in order."""
        wanted = list(calls)
        found: list[Answer] = []
        failed_starts = 0
        while len(found) < len(wanted) and failed_starts < _MOST_FAILED_STARTS:
            before = len(found)
            try:
                run(self._server, lambda connection: self._call(connection, wanted, found), self._access)
            except SourceError as error:
                if len(found) == before:
                    failed_starts += 1
                    found.append(Answer("none", error.message))
        return found + [Answer("other", _NOT_CALLED)] * (len(wanted) - len(found))

    async def _call(self, connection: Connection, wanted: list[Call], found: list[Answer]) -> None:
        while len(found) < len(wanted):
            tool, arguments = wanted[len(found)]
            if self._ends[tool] >= _MOST_ENDS:
                found.append(Answer("other", _NOT_CALLED))
                continue
            answer = await _call_tool(connection, tool, arguments)
            self.count += 1
            self.tools.add(tool)
            found.append(answer)
            if answer.outcome == "none":
                self._ends[tool] += _COST_OF_SILENCE if answer.message.startswith(_LATE) else 1
                return


async def _call_tool(connection: Connection, tool: str, arguments: JsonValue) -> Answer:
    try:
        return answer_of(await connection.request("tools/call", {"name": tool, "arguments": arguments}))
    except MCPError as error:
        return error_answer(error.code, error.message)
    except TimeoutError:
        return Answer(
            "none", f"the server {connection.answers.describe_timeout('`tools/call`', connection.access.timeout)}"
        )


# Answers on the wire


def answer_of(wire: Any) -> Answer:
    """Read a `CallToolResult` on the wire. Never raises, regardless of its content."""
    if not isinstance(wire, dict):
        return Answer("none", "the result is not an object")
    if wire.get("resultType", "complete") != "complete":
        return Answer("other", f"the server responds with `{wire['resultType']}`")
    if wire.get("isError"):
        return _failure(wire)
    if "structuredContent" in wire:
        return Answer("success", data=wire["structuredContent"], has_data=True)
    meta = wire.get("_meta")
    is_marked = isinstance(meta, dict) and RESULT_KEY in meta
    found, data = _data_in_text(wire)
    return Answer("success", data=data, has_data=found, needs_data=not is_marked)


def error_answer(code: int, message: str) -> Answer:
    """Read a JSON-RPC error."""
    words = " ".join(message.split())[:_LONGEST]
    if code == _INVALID_PARAMS:
        return Answer("refused", words)
    if code == _CLOSED and "closed" in message.lower():
        return Answer("none", "the server closed the connection")
    return Answer("protocol-error", f"the JSON-RPC error {code}: {words}")


def _failure(wire: dict[str, Any]) -> Answer:
    result = result_of(wire)
    error = result.error
    message = "" if error is None else " ".join(error.error_message.split())[:_LONGEST]
    structured = wire.get("structuredContent")
    is_stated = isinstance(structured, dict) and isinstance(structured.get("error"), dict)
    meta = wire.get("_meta")
    is_stated = is_stated or (isinstance(meta, dict) and RESULT_KEY in meta)
    error_type = error.error_type if error is not None and is_stated else None
    if error_type == _VALIDATION or (error_type is None and _REFUSAL.search(message)):
        return Answer("refused", message, _VALIDATION)
    return Answer("failure", message, error_type)


def _data_in_text(wire: dict[str, Any]) -> tuple[bool, JsonValue]:
    """Return the data of an older server, which returns an object or an array as the text of its only block."""
    content = wire.get("content")
    if not isinstance(content, list) or len(content) != 1 or not isinstance(content[0], dict):
        return False, None
    text = content[0].get("text")
    if not isinstance(text, str) or text.lstrip()[:1] not in ("{", "["):
        return False, None
    try:
        return True, json.loads(text)
    except (ValueError, RecursionError):
        return False, None
