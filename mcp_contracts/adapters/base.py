"""What all adapters share: what a format cannot carry, what it refuses, and a provider's call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mcp_contracts.contract import JsonValue
from mcp_contracts.errors import ContractError
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall
from mcp_contracts.providers.names import NameMap

Carried = Literal["tool", "input", "output"]


@dataclass(frozen=True, slots=True)
class Loss:
    """Something of a contract that a format cannot carry: what is lost, where, and where it went, if anywhere.

    `keyword` is the schema keyword or the contract's field (`version`, `output_schema`, …); `pointer` leads to it in
    the part, or is empty.
    """

    tool: str
    part: Carried
    pointer: str
    keyword: str
    message: str


class NotPortableError(ContractError):
    """Some tools cannot be put into a format at all; `losses` names each with its pointer and the reason."""

    def __init__(self, message: str, losses: Sequence[Loss], *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.losses = tuple(losses)


@dataclass(frozen=True, slots=True)
class ToolSet:
    """Contracts in the form of one provider: its list of tools, the names both ways, and what was lost on the way."""

    format: str
    tools: list[dict[str, JsonValue]]
    names: NameMap
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class ProviderCall:
    """A provider's call: its identifier, under which the result goes back, and the call itself."""

    id: str
    call: MCPToolCall


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """A call that a model made and that nobody can run: its identifier, the name it used, and what to answer.

    `id` is empty where the call brought none; `name` is as the provider wrote it, and empty where there was none. What
    UTF-8 cannot hold is escaped in both, so that an answer can be written. It goes back as
    `result_out(refused.id, MCPToolResult(status="failure", error=refused.error))`.
    """

    id: str
    name: str
    error: MCPErrorDetail
