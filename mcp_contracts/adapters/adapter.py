"""The interface of a provider's module: tools, calls and results from contracts, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from mcp_contracts.adapters.base import ProviderCall, RefusedCall, ToolSet
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.providers.names import NameMap
from mcp_contracts.tool_names import Tools

_Known = TypeVar("_Known", contravariant=True)


class Adapter(Protocol[_Known]):
    """A module of functions. `_Known` is what the provider needs to read calls: a `NameMap`, or more.

    Every function may take more keyword arguments.
    """

    def tools_out(self, contracts: Tools) -> ToolSet:
        """Convert contracts to the provider's tools, with the names in both directions and the losses.

        Raises NotPortableError if a tool cannot be converted, and UsageError if two tools get the same name.
        """

    def tools_in(
        self, tools: object, *, names: NameMap | None = None, module: str | None = None
    ) -> tuple[ToolContract, ...]:
        """Convert the provider's tools to contracts, with their dotted names if `names` is given.

        Raises UsageError for a value that is not a tool of the provider.
        """

    def call_in(self, value: object, names: _Known, /) -> ProviderCall | RefusedCall:
        """Read one call that a model wrote. Never raises: a call that cannot be run is a RefusedCall."""

    def calls_in(self, message: object, names: _Known, /) -> tuple[ProviderCall | RefusedCall, ...]:
        """Read all calls of a model's message, in their order."""

    def call_out(self, call: ProviderCall, names: _Known, /) -> dict[str, JsonValue]:
        """Write a call as the model would have written it. Raises UsageError for an unknown tool."""

    @property
    def result_out(self) -> Callable[..., dict[str, JsonValue]]:
        """Return a function that converts a call's identifier and its result to the message that answers the call.

        A provider that needs more than the identifier takes it by keyword, as Gemini does with `tool_name`.
        """

    def result_in(self, value: object) -> tuple[str, MCPToolResult]:
        """Return the identifier and the result of an answer to a call. Raises UsageError for any other message."""
