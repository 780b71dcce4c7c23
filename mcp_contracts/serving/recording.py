"""A proxy for a live server, which forwards calls, and records each with its response for a mock to replay.

Import it only where the SDK is installed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TextIO

from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.records import dataclass, replace
from mcp_contracts.runtime.context import ToolContext
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.runtime.remote.reconnecting import ReconnectingServer
from mcp_contracts.runtime.remote.sessions import connection_closed
from mcp_contracts.runtime.remote.tools import RemoteTool
from mcp_contracts.serving.mocking import Exchange, recorded_line
from mcp_contracts.sources.servers.connecting import ConnectSettings, connect_to


@asynccontextmanager
async def record_calls(
    registry: ToolRegistry, address: str, settings: ConnectSettings, path: Path
) -> AsyncIterator[None]:
    """Add the tools of a live server to a registry, and append each call and its response to a file.

    Raises the errors of `registry.connect`, and OSError for a file that cannot be written.
    """
    with path.open("a", encoding="utf-8", newline="\n") as file:
        recorder = _Recorder(registry, file)
        async with connect_to(recorder, {}, address, settings) as remote:
            recorder.remote = remote
            yield


@dataclass(slots=True)
class _Recorder:
    """A registry that records the responses of the remote tools added to it."""

    registry: ToolRegistry
    file: TextIO
    remote: ReconnectingServer | None = None

    def add(self, tools: Iterable[RemoteTool], /, *, replace: bool = False) -> None:
        self.registry.add([_keep_calls(tool, self._keep) for tool in tools], replace=replace)

    def remove(self, name: str, version: str | None = None, /) -> None:
        self.registry.remove(name, version)

    def _keep(self, exchange: Exchange) -> None:
        if self.remote is None or not self.remote.is_connected:
            return
        if exchange.result == connection_closed(self.remote.server):
            return  # the server has not responded
        self.file.write(recorded_line(exchange))
        self.file.flush()


def _keep_calls(tool: RemoteTool, keep: Callable[[Exchange], None]) -> RemoteTool:
    async def call(arguments: dict[str, JsonValue], context: ToolContext) -> MCPToolResult:
        received: list[Mapping[str, JsonValue]] = []
        tell = context.call.on_answer

        def on_answer(answer: Mapping[str, JsonValue]) -> None:
            received.append(answer)
            if tell is not None:
                tell(answer)

        context.call = replace(context.call, on_answer=on_answer)
        result = await tool.call(arguments, context)
        keep(Exchange(tool.contract.name, arguments, result, received[-1] if received else None))
        return result

    return replace(tool, call=call)
