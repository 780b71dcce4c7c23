"""Asks a live server: for its tools, twice, for a tool that does not exist, and for calls.

Import it only where the SDK is installed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcp import MCPError

from mcp_contracts.checks.verification.answers import answer_of, error_answer
from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import SourceError
from mcp_contracts.observed import Answer
from mcp_contracts.sources.servers.access import Server, ServerAccess
from mcp_contracts.sources.servers.connection import Connection, run
from mcp_contracts.sources.servers.listing import ListedServer, listing_of
from mcp_contracts.sources.tool_lists import MOST_TOOLS

NO_SUCH_TOOL = "mcp_contracts_no_such_tool"
_MOST_RESTARTS = 40  # of one batch of calls
_MOST_TIMEOUTS = 2
_LATE = "the server did not answer within"
_ENDED = "not called, since the server ended or did not answer too often"


@dataclass(frozen=True, slots=True)
class Listing:
    """What a server listed, and what it did when it was asked again and for a tool that does not exist."""

    server: ListedServer
    second_list: tuple[str, ...]
    unknown_tool: Answer


Call = tuple[str, JsonValue]
"""A tool's name at the server, and the arguments."""


def probe(server: Server, access: ServerAccess) -> Listing:
    """Ask a server for its tools. Raises SourceError where they cannot be had."""

    async def ask(connection: Connection) -> Listing:
        listed = await listing_of(connection)
        again, _ = await connection.entries(most=MOST_TOOLS)
        names = tuple(str(entry.get("name")) for entry in again if isinstance(entry, dict) and entry.get("name"))
        return Listing(listed, names, await _called(connection, NO_SUCH_TOOL, {}))

    return run(server, ask, access)


class Caller:
    """Calls the tools of a server, which is started anew after a call that ends it."""

    def __init__(self, server: Server, access: ServerAccess) -> None:
        self._server, self._access = server, access
        self.count = 0
        self._timeouts = 0

    def answers(self, calls: Iterable[Call]) -> list[Answer]:
        """The answer to each call, in order."""
        wanted = list(calls)
        found: list[Answer] = []
        restarts = 0
        while len(found) < len(wanted) and restarts <= _MOST_RESTARTS and self._timeouts < _MOST_TIMEOUTS:
            before = len(found)
            try:
                run(self._server, lambda connection: self._call(connection, wanted, found), self._access)
            except SourceError as error:
                if len(found) == before:  # it does not even start, or ends with the first call
                    found.append(Answer("none", error.message))
            restarts += 1
        found += [Answer("other", _ENDED)] * (len(wanted) - len(found))
        self.count += len(wanted)
        return found

    async def _call(self, connection: Connection, wanted: list[Call], found: list[Answer]) -> None:
        while len(found) < len(wanted):
            tool, arguments = wanted[len(found)]
            answer = await _called(connection, tool, arguments)
            found.append(answer)
            if answer.outcome == "none":
                self._timeouts += answer.message.startswith(_LATE)
                return


async def _called(connection: Connection, tool: str, arguments: JsonValue) -> Answer:
    try:
        return answer_of(await connection.request("tools/call", {"name": tool, "arguments": arguments}))
    except MCPError as error:
        return error_answer(error.code, error.message)
    except TimeoutError:
        return Answer("none", f"{_LATE} {connection.access.timeout:g} s")
