"""What the module of a provider gives: its tools, calls and results from contracts, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from mcp_contracts.adapters.base import ProviderCall, RefusedCall, ToolSet
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.providers.names import NameMap

_Known = TypeVar("_Known", contravariant=True)


class Adapter(Protocol[_Known]):
    """A module of functions. `_Known` is what it takes to read calls: a `NameMap`, or more where names do not do.

    Every function may have further options, by keyword.
    """

    def tools_out(self, contracts: Iterable[ToolContract]) -> ToolSet:
        """Contracts as the provider's tools, with the names both ways and what was lost.

        Raises NotPortableError where a tool has no such form, and UsageError where two tools get one name.
        """

    def tools_in(
        self, tools: object, *, names: NameMap | None = None, module: str | None = None
    ) -> tuple[ToolContract, ...]:
        """The provider's tools as contracts, under their dotted names if `names` is given.

        Raises UsageError for what is no tool of the provider.
        """

    def call_in(self, value: object, names: _Known, /) -> ProviderCall | RefusedCall:
        """One call that a model wrote. Never raises: what cannot be run is a RefusedCall."""

    def calls_in(self, message: object, names: _Known, /) -> tuple[ProviderCall | RefusedCall, ...]:
        """All calls of a model's message, in their order."""

    def call_out(self, call: ProviderCall, names: _Known, /) -> dict[str, JsonValue]:
        """A call as the model would have written it. Raises UsageError where the tool is not known."""

    @property
    def result_out(self) -> Callable[..., dict[str, JsonValue]]:
        """A call's identifier and its result → the message that answers the call.

        A provider that wants more than the identifier asks for it by keyword, as Gemini for `tool_name`.
        """

    def result_in(self, value: object) -> tuple[str, MCPToolResult]:
        """The identifier and the result of a message that answers a call. Raises UsageError for any other message."""
