"""Types shared by all adapters: losses, errors, tool sets and a provider's calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import ContractError
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall
from mcp_contracts.providers.names import NameMap
from mcp_contracts.records import dataclass

Carried = Literal["tool", "input", "output"]


@dataclass(frozen=True, slots=True)
class Loss:
    """A part of a contract that a format cannot express, and where it is sent instead, if anywhere.

    `keyword` is the schema keyword or the contract's field (`version`, `output_schema`, …); `pointer` leads to it in
    the part, or is empty.
    """

    tool: str
    part: Carried
    pointer: str
    keyword: str
    message: str


class NotPortableError(ContractError):
    """Some tools cannot be converted to a format; `losses` lists each with its pointer and the reason."""

    def __init__(self, message: str, losses: Sequence[Loss], *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.losses = tuple(losses)


@dataclass(frozen=True, slots=True)
class ToolSet:
    """Contracts converted for one provider: its list of tools, the names in both directions, and the losses."""

    format: str
    tools: list[dict[str, JsonValue]]
    names: NameMap
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class ProviderCall:
    """A provider's call: the identifier for its result, and the call itself."""

    id: str
    call: MCPToolCall


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """A model's call that cannot be run: its identifier, the name that it used, and the error to answer.

    `id` is empty if the call has none; `name` is as the provider wrote it, or empty. Characters that UTF-8 cannot
    encode are escaped in both, so that a response can be written. Send it back as `result_out(refused.id,
    MCPToolResult(status="failure", error=refused.error))`.
    """

    id: str
    name: str
    error: MCPErrorDetail
