"""The tools of a server or a call: with functions, answered by a mock, or our own."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_contracts import lazy_re as re
from mcp_contracts.cli.output import say
from mcp_contracts.cli.serving.options import MockOptions
from mcp_contracts.errors import UsageError

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from mcp_contracts.contract import Contracts
    from mcp_contracts.runtime.registry import ToolRegistry
    from mcp_contracts.serving.implementations import ImplementedTools
    from mcp_contracts.serving.mocking import Exchange, MockSettings
    from mcp_contracts.sources.servers.access import ServerAccess
    from mcp_contracts.sources.servers.connecting import ConnectSettings

_LATENCY = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:-([0-9]+(?:\.[0-9]+)?|\.[0-9]+))?")
_LONGEST_LATENCY = 3600.0
_SHOWN_TOOLS = 5


def load_implemented(sources: tuple[str, ...], modules: tuple[str, ...]) -> ImplementedTools:
    """Return the contracts of some sources with the functions of some modules."""
    from mcp_contracts.serving.implementations import load_tools

    return load_tools(load_contracts(sources), modules)


def load_contracts(sources: tuple[str, ...], access: ServerAccess | None = None) -> Contracts | None:
    """Return the contracts of some sources, None if none is named."""
    from mcp_contracts.sources.load import load

    return load(sources, servers=access) if sources else None


def load_own(root: str) -> ImplementedTools:
    """Return the tools of mcp-contracts itself, confined to a folder, which becomes the working directory."""
    from mcp_contracts.serving.own.tools import own_tools

    try:
        os.chdir(root)
    except OSError as error:
        raise UsageError(f"`--root {root}`: {(error.strerror or str(error)).lower()}") from error
    return own_tools(Path())


def load_own_contracts() -> Contracts:
    """Return the contracts of our own tools."""
    from mcp_contracts.serving.own.tools import contracts

    return contracts()


def load_mocked(sources: tuple[str, ...], options: MockOptions, access: ServerAccess | None = None) -> ImplementedTools:
    """Return the mocked tools of some sources, and name unfinished ones on standard error."""
    from mcp_contracts.serving.mocking import mocked_tools
    from mcp_contracts.sources.load import load

    contracts = load(sources, servers=access)
    tools = mocked_tools(contracts, _read_mock_settings(options))
    if multiprocessing.parent_process() is None:  # not in each worker
        _name_unfinished([contract.name for contract in contracts if contract.placeholders])
    return tools


def _name_unfinished(names: list[str]) -> None:
    if names:
        shown = ", ".join(f"`{name}`" for name in names[:_SHOWN_TOOLS])
        others = f" and {len(names) - _SHOWN_TOOLS} more" if len(names) > _SHOWN_TOOLS else ""
        say(f"warning: the specifications of {shown}{others} still contain placeholders")


def load_nothing() -> ImplementedTools:
    """Return a registry to which a live server adds its tools."""
    from mcp_contracts.runtime.registry import ToolRegistry
    from mcp_contracts.serving.implementations import ImplementedTools

    return ImplementedTools(ToolRegistry())


def recorded_server(
    address: str, access: ServerAccess, path: Path, registry: ToolRegistry
) -> AbstractAsyncContextManager[None]:
    """Return the tools of a live server in a registry, and a file that records its responses."""
    from mcp_contracts.serving.recording import record_calls  # imports the SDK, an optional extra
    from mcp_contracts.sources.servers.access import HTTP

    settings: ConnectSettings = {"timeout": access.timeout}
    if address.startswith(HTTP):
        settings["headers"] = access.headers
    return record_calls(registry, address, settings, path)


def _read_mock_settings(options: MockOptions) -> MockSettings:
    """Return the settings of a mock from its options. Raises `UsageError` for an option that cannot be read."""
    from mcp_contracts.serving.mocking import MockSettings, read_exchanges

    exchanges: tuple[Exchange, ...] = ()
    if options.replay is not None:
        try:
            with options.replay.open(encoding="utf-8") as lines:
                exchanges = read_exchanges(lines, str(options.replay))
        except UnicodeDecodeError as error:
            raise UsageError(
                f"`{options.replay}` is not UTF-8", hint="pass a file that `call --record` wrote"
            ) from error
    return MockSettings(options.seed, _latency(options.latency), dict(map(_failure, options.failures or ())), exchanges)


def _latency(text: str | None) -> tuple[float, float]:
    if text is None:
        return 0.0, 0.0
    found = _LATENCY.fullmatch(text)
    shortest, longest = (float(found[1]), float(found[2] or found[1])) if found else (1.0, 0.0)
    if not shortest <= longest <= _LONGEST_LATENCY:
        raise UsageError(
            f"`--latency {text}` is not a valid delay",
            hint="write seconds, such as `0.5`, or a range, such as `0.2-1.5`",
        )
    return shortest, longest


def _failure(text: str) -> tuple[str, str]:
    name, equals, error_type = text.partition("=")
    if not equals or not name or not error_type:
        raise UsageError(
            f"`--fail {text}` is not `TOOL=ERROR`", hint="write, for example, `--fail weather.get_alerts=TimeoutError`"
        )
    return name, error_type
