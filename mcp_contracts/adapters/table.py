"""The table of adapters: one row for each provider format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mcp_contracts.adapters import anthropic, gemini, mcp, openai, openai_strict
from mcp_contracts.adapters.adapter import Adapter
from mcp_contracts.adapters.base import ToolSet
from mcp_contracts.adapters.mcp_schemas import Era
from mcp_contracts.adapters.openai import Interface
from mcp_contracts.contract import JsonValue
from mcp_contracts.providers.limits.provider import Provider, Target
from mcp_contracts.providers.limits.table import ANTHROPIC, GEMINI, MCP, OPENAI
from mcp_contracts.records import dataclass, field
from mcp_contracts.tool_names import Tools


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


_INTERFACE = {"api": "the interface"}

ADAPTERS: tuple[AdapterRow, ...] = (
    AdapterRow(
        "mcp",
        MCP,
        mcp,
        lambda contracts, given: mcp.tools_out(contracts, era=given.era, with_contract=given.is_complete),
        mcp.list_result,
        {"era": "the revision of MCP", "complete": "include the whole contract"},
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
