"""The tools of a registry as clients see them, with their names, for each era of the protocol and each channel."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

from mcp_contracts.adapters.base import ToolSet
from mcp_contracts.adapters.mcp import tools_out
from mcp_contracts.adapters.mcp_schemas import Era
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.records import dataclass
from mcp_contracts.runtime.registry import ToolRegistry

_MOST_LISTS = 64  # kept listings; clients name the channels


@dataclass(frozen=True, slots=True)
class Listing:
    """The tools of one channel in the form of one era.

    `contracts` and `schemas` (of inputs, as sent) are indexed by the name that clients use.
    """

    tool_set: ToolSet
    contracts: Mapping[str, ToolContract]
    schemas: Mapping[str, JsonValue]


class Catalog:
    """The tools of a registry that have a function, as clients list them.

    `only` restricts them to these names. A reload replaces `registry`. All methods may be called from any thread.
    """

    def __init__(self, registry: ToolRegistry, *, only: Collection[str] | None = None) -> None:
        self._listeners: list[Callable[[], object]] = []
        self._unsubscribe: Callable[[], None] = lambda: None
        self.show(registry, only=only)

    @property
    def registry(self) -> ToolRegistry:
        """The registry whose tools are shown."""
        return self._registry

    def show(self, registry: ToolRegistry, *, only: Collection[str] | None = None) -> None:
        """Show the tools of a registry from now on, and notify the listeners. If a tool cannot be sent to clients,
        raises `ContractError` and changes nothing.
        """
        listings = _listings(registry, only)
        for era in ("2025-11-25", "2026-07-28"):
            listings(era, None)
        self._unsubscribe()
        self._registry, self._only, self._listings = registry, only, listings
        self._unsubscribe = registry.on_change(lambda change: self._refresh())
        self._tell()

    def contracts(self, channel: str | None = None) -> tuple[ToolContract, ...]:
        """Return the contracts of a channel, by name."""
        return _contracts(self._registry, self._only, channel)

    def listing(self, era: Era, channel: str | None = None) -> Listing:
        """Return the tools as MCP clients of an era see them. Raises `ContractError` if one cannot be sent."""
        return self._listings(era, channel)

    def input_schema(self, name: str) -> Mapping[str, JsonValue] | None:
        """Return the input schema of a tool by the name that clients use; None for an unknown name."""
        schema = self._listings("2026-07-28", None).schemas.get(name)
        return schema if isinstance(schema, dict) else None

    def may_report(self, name: str) -> bool:
        """Whether a call without a channel may send anything before its result; True for an unknown tool."""
        contract = self._listings("2025-11-25", None).contracts.get(name)
        return contract is None or self._registry.uses_context(contract.name)

    def on_change(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call `listener` when the tools change, until the returned function is called."""
        self._listeners = [*self._listeners, listener]

        def stop() -> None:
            self._listeners = [kept for kept in self._listeners if kept is not listener]

        return stop

    def _refresh(self) -> None:
        self._listings = _listings(self._registry, self._only)
        self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()


def _listings(registry: ToolRegistry, only: Collection[str] | None) -> Callable[[Era, str | None], Listing]:
    @lru_cache(maxsize=_MOST_LISTS)
    def listing(era: Era, channel: str | None) -> Listing:
        contracts = _contracts(registry, only, channel)
        tool_set = tools_out(contracts, era=era, with_tasks=False)
        sent = tool_set.names.to_provider
        schemas = {str(tool["name"]): tool["inputSchema"] for tool in tool_set.tools}
        return Listing(tool_set, {sent[contract.name]: contract for contract in contracts}, schemas)

    return listing


def _contracts(registry: ToolRegistry, only: Collection[str] | None, channel: str | None) -> tuple[ToolContract, ...]:
    found = registry.tools(channel=channel, implemented=True)
    return found if only is None else tuple(contract for contract in found if contract.name in only)
