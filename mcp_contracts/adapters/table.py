"""The table of adapters: one row for each provider format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from mcp_contracts.adapters import anthropic, gemini, mcp, openai, openai_strict
from mcp_contracts.adapters.base import ProviderCall, RefusedCall, ToolSet
from mcp_contracts.adapters.mcp_schemas import Era
from mcp_contracts.adapters.openai import Interface
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.providers.limits.provider import Provider, Target
from mcp_contracts.providers.limits.table import ANTHROPIC, GEMINI, MCP, OPENAI
from mcp_contracts.providers.names import NameMap
from mcp_contracts.records import dataclass, field
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
        """Return the identifier and the result of a response to a call. Raises UsageError for any other message."""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of `export` that only some formats support; see `options` of each row.

    `is_complete` includes everything that the format can express: the whole contract in `_meta` for `mcp`, examples for
    `anthropic`. `plain_where_refused` sends tools without a strict form without strict mode, `has_whitespace` permits
    whitespace in a grammar's JSON, `budget` is the maximum length of a prompt in characters. `call_form` is the form of
    a call in grammars and prompts; with `is_lossy`, a grammar does not enforce what it cannot express, and with
    `is_strict`, a tool without a grammar fails the export.
    """

    era: Era = "2025-11-25"
    interface: Interface = "chat"
    is_complete: bool = False
    plain_where_refused: bool = False
    has_whitespace: bool = False
    budget: int | None = None
    call_form: str = "protocol"
    is_lossy: bool = False
    is_strict: bool = False


@dataclass(frozen=True, slots=True)
class AdapterRow:
    """A provider's format: its name in `export --to`, and its adapter.

    `tools_out` calls the adapter's function with the options of a command, `document` converts the result to the
    written document, and `options` describes each option of the command by name.
    """

    name: str
    provider: Provider
    adapter: Adapter[Any]
    tools_out: Callable[[Tools, ExportOptions], ToolSet]
    document: Callable[[ToolSet], JsonValue] = lambda tool_set: [*tool_set.tools]
    options: Mapping[str, str] = field(default_factory=dict)

    def target(self, options: ExportOptions) -> Target:
        """Return the target whose limits apply to these tools."""
        names = (self.name, f"{self.name}-{options.era}")
        return next(target for target in self.provider.targets if target.name in names)


_INTERFACE = {"api": "the OpenAI API to use"}

ADAPTERS: tuple[AdapterRow, ...] = (
    AdapterRow(
        "mcp",
        MCP,
        mcp,
        lambda contracts, given: mcp.tools_out(contracts, era=given.era, with_contract=given.is_complete),
        mcp.list_result,
        {"era": "the MCP revision", "complete": "include the whole contract"},
    ),
    AdapterRow(
        "openai",
        OPENAI,
        openai,
        lambda contracts, given: openai.tools_out(contracts, interface=given.interface),
        options=_INTERFACE,
    ),
    AdapterRow(
        "openai-strict",
        OPENAI,
        openai_strict,
        lambda contracts, given: openai_strict.tools_out(
            contracts, interface=given.interface, plain_where_refused=given.plain_where_refused
        ),
        options={**_INTERFACE, "plain-where-refused": "send tools without a strict form in non-strict mode"},
    ),
    AdapterRow(
        "anthropic",
        ANTHROPIC,
        anthropic,
        lambda contracts, given: anthropic.tools_out(contracts, with_examples=given.is_complete),
        options={"complete": "examples"},
    ),
    AdapterRow("gemini", GEMINI, gemini, lambda contracts, given: gemini.tools_out(contracts)),
)
"""All provider formats, in the order of `export --help`."""
