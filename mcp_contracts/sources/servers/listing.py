"""The tools of a live server as the text of a tool list. Import it only where the SDK is installed."""

from __future__ import annotations

import json
from collections.abc import Sequence

from mcp_contracts.contract import JsonValue, ToolListFile
from mcp_contracts.diagnostics import Place
from mcp_contracts.errors import SourceError
from mcp_contracts.faults import Fault, FaultKind
from mcp_contracts.records import dataclass, replace
from mcp_contracts.sources.servers.access import Server, ServerAccess
from mcp_contracts.sources.servers.connection import Connection, run, run_all
from mcp_contracts.sources.tool_lists import MOST_TOOLS, read_tool_list


@dataclass(frozen=True, slots=True)
class ListedServer:
    """The state of a server when it was queried. `text` is its tool list as JSON."""

    shown: str
    text: str
    name: str | None
    version: str | None
    protocol: str
    has_more: bool = False
    stray_line: str | None = None

    @property
    def identity(self) -> str:
        return self.shown

    @property
    def size(self) -> int:
        return len(self.text)

    def read(self, *, limit: int) -> ToolListFile:
        nowhere = Place(self.shown, 1, 1, 1, 1)
        if len(self.text) > limit:
            message = f"the tools of the server take {len(self.text):,} bytes of JSON, more than the {limit:,} allowed"
            hint = "raise `max_file_size` in the configuration if that is intended"
            return ToolListFile(self.shown, "", faults=(Fault(FaultKind.OVERSIZED, message, nowhere, hint),))
        file = read_tool_list(self.shown, self.text)
        if not self.has_more:
            return file
        message = f"the server lists more than {MOST_TOOLS:,} tools, and only the first {MOST_TOOLS:,} are read"
        hint = "serve fewer: no model can choose among that many tools"
        return replace(file, faults=(Fault(FaultKind.OVERSIZED, message, nowhere, hint), *file.faults))


def listed_server(server: Server, access: ServerAccess) -> ListedServer:
    """Ask a server for its tools. Raises SourceError if it cannot list them."""
    return run(server, listing_of, access)


def listed_servers(servers: Sequence[Server], access: ServerAccess) -> list[ListedServer | SourceError]:
    """Ask several servers for their tools, and return the list or the error of each."""
    return run_all(servers, listing_of, access)


async def listing_of(connection: Connection) -> ListedServer:
    """Return the tools of a server that is connected."""
    entries, has_more = await connection.entries(most=MOST_TOOLS)
    document: dict[str, JsonValue] = {"protocolVersion": connection.protocol}
    info: dict[str, JsonValue] = {"name": connection.name, "version": connection.version}
    if connection.name is not None:
        document["serverInfo"] = {key: value for key, value in info.items() if value is not None}
    document["tools"] = entries
    return ListedServer(
        shown=connection.server.shown,
        text=json.dumps(document, ensure_ascii=False, indent=2) + "\n",
        name=connection.name,
        version=connection.version,
        protocol=connection.protocol,
        has_more=has_more,
        stray_line=connection.stray_line,
    )
