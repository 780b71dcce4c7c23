"""The table of adapters: every format in which a provider takes tools, one row each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_contracts.adapters import anthropic, gemini, mcp, openai, openai_strict
from mcp_contracts.adapters.adapter import Adapter
from mcp_contracts.adapters.base import ToolSet
from mcp_contracts.adapters.mcp_schemas import Era
from mcp_contracts.adapters.openai import Interface
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.providers.limits.anthropic import ANTHROPIC
from mcp_contracts.providers.limits.gemini import GEMINI
from mcp_contracts.providers.limits.mcp import MCP
from mcp_contracts.providers.limits.openai import OPENAI
from mcp_contracts.providers.limits.provider import Provider, Target


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """The options of `export` that only some formats take; see `options` of each row.

    `is_complete` includes what a format has a place for besides: all of the contract in `_meta` of `mcp`, examples with
    `anthropic`. `plain_where_refused` sends what has no strict form without strict mode, `has_whitespace` lets the JSON
    that a grammar permits hold whitespace, `budget` is the most characters that a prompt may have.
    """

    era: Era = "2025-11-25"
    interface: Interface = "chat"
    is_complete: bool = False
    plain_where_refused: bool = False
    has_whitespace: bool = False
    budget: int | None = None


def _array(tool_set: ToolSet) -> JsonValue:
    return [*tool_set.tools]


@dataclass(frozen=True, slots=True)
class AdapterRow:
    """A format of a provider: its name in `export --to`, and the adapter that reads and writes it.

    `tools_out` is that of the adapter with the options of a command, `document` makes of its answer what is written,
    and `options` says what each option of the command does, by its name.
    """

    name: str
    provider: Provider
    adapter: Adapter[Any]
    tools_out: Callable[[Iterable[ToolContract], ExportOptions], ToolSet]
    document: Callable[[ToolSet], JsonValue] = _array
    options: Mapping[str, str] = field(default_factory=dict)

    def target(self, options: ExportOptions) -> Target:
        """The target whose limits hold for such tools."""
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
        {"era": "the revision of MCP", "complete": "carry the whole contract"},
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
        options={**_INTERFACE, "plain-where-refused": "send tools without a strict form plainly"},
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
"""All formats of providers, in the order of `export --help`."""
