"""A registry's tools for one provider, and the answers to the calls in one of its replies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from mcp_contracts.adapters import anthropic, gemini, mcp, openai
from mcp_contracts.adapters.base import ProviderCall, RefusedCall, ToolSet
from mcp_contracts.adapters.mcp_schemas import Era
from mcp_contracts.agents.calls import Approve, answer_calls, contract_of
from mcp_contracts.agents.messages import Message, observation
from mcp_contracts.agents.model import Reply, Stop
from mcp_contracts.agents.models import anthropic as anthropic_messages
from mcp_contracts.agents.models import gemini as gemini_contents
from mcp_contracts.agents.models import openai as chat
from mcp_contracts.agents.models import responses
from mcp_contracts.agents.offering import ToolForms, ToolSelection, offered_contracts, select_tools
from mcp_contracts.agents.replies import convert_reply
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.providers.limits.provider import Provider
from mcp_contracts.providers.limits.table import ANTHROPIC, GEMINI, MCP, OPENAI
from mcp_contracts.providers.names import NameMap
from mcp_contracts.runtime.context import CallContext
from mcp_contracts.runtime.registry import ToolRegistry

_UNREADABLE = "Your reply could not be read: {}. Try again."


class Form(Protocol):
    """A module of `models`: how replies are read, and messages are written."""

    def read_reply(self, value: Any, names: NameMap) -> Reply:
        """Read a whole reply as JSON."""

    def messages_out(self, messages: Iterable[Message]) -> Iterable[dict[str, Any]]:
        """Write messages in the provider's format."""


@dataclass(frozen=True, slots=True)
class Replies:
    """The replies of one provider. `find_form` returns the whole reply for a part of one, and its form, or None."""

    provider: Provider
    tools_out: Callable[..., ToolSet]
    find_form: Callable[[Any], tuple[Any, Form] | None]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a facade: see `ProviderFacade.__call__`."""

    tools: ToolSelection | None = None
    strict: bool = False
    context: CallContext | None = None
    approve: Approve | None = None


class _Offer:
    """The tools that a registry offers one provider, and the answers to the calls that come back."""

    def __init__(
        self,
        registry: ToolRegistry,
        options: Options,
        provider: Provider,
        convert: Callable[[Sequence[ToolContract]], ToolSet],
    ) -> None:
        self._registry = registry
        self._options = options
        self._forms = ToolForms(provider, convert, is_strict=options.strict)

    @property
    def tools(self) -> list[dict[str, JsonValue]]:
        """The current tools for a request: those with a function, in the provider's form (for MCP, of `tools/list`)."""
        return list(self._tool_set().tools)

    def _tool_set(self) -> ToolSet:
        context = self._options.context
        contracts = offered_contracts(self._registry, None if context is None else context.channel)
        return self._forms.of(select_tools(contracts, self._options.tools, ()))

    async def _results(self, calls: Sequence[ProviderCall | RefusedCall]) -> list[MCPToolResult]:
        options = self._options
        return await answer_calls(self._registry, calls, context=options.context, approve=options.approve)


class ProviderFacade(_Offer):
    """The tools of a registry for one provider: pass `tools` in a request, and `answer` runs the calls of the reply."""

    def __init__(self, registry: ToolRegistry, replies: Replies, options: Options = Options(), **form: Any) -> None:
        super().__init__(registry, options, replies.provider, partial(replies.tools_out, **form))
        self._replies = replies

    def __call__(
        self,
        *,
        tools: ToolSelection | None = None,
        strict: bool = False,
        context: CallContext | None = None,
        approve: Approve | None = None,
        **form: Any,
    ) -> ProviderFacade:
        """Return a facade with other options, for one conversation.

        `tools` selects some of the tools by name or glob. `strict` raises `NotPortableError` for a tool that the
        provider refuses, instead of leaving it out with a `ToolLeftOutWarning`. `context` is the context of all calls,
        and `approve` decides whether to run a destructive one. `form` are the options of the adapter's `tools_out`,
        such as `interface="responses"`.
        """
        return ProviderFacade(self._registry, self._replies, Options(tools, strict, context, approve), **form)

    async def answer(self, reply: object) -> list[dict[str, Any]]:
        """Run the calls of a reply, and return the messages that answer them. A reply without calls needs none.

        `reply` is what the provider's package returned, or its JSON. Append it to the conversation first, then the
        answers. A call that cannot be run is answered with an error for the model. Raises `UsageError` for a value that
        is not a reply, and `ModelError` for an error instead of a reply.
        """
        found = self._replies.find_form(convert_reply(reply))
        if found is None:
            raise UsageError(
                f"expected a reply from {self._replies.provider.name}, got `{type(reply).__name__}`",
                hint="pass what the provider's package returned, as a whole",
            )
        whole, form = found
        read = form.read_reply(whole, self._tool_set().names)
        if read.stop is Stop.MALFORMED:
            return list(form.messages_out([{"role": "user", "content": _UNREADABLE.format(read.note)}]))
        observations = []
        for call, result in zip(read.calls, await self._results(read.calls), strict=True):
            name = call.call.tool_name if isinstance(call, ProviderCall) else call.name
            observations.append(observation(call.id, name, result, longest=sys.maxsize))
        return list(form.messages_out(observations))


class MCPFacade(_Offer):
    """The tools of a registry for MCP: `tools` are the tools for `tools/list`, and `answer` answers `tools/call`."""

    def __init__(self, registry: ToolRegistry, options: Options = Options(), *, era: Era = "2025-11-25") -> None:
        super().__init__(registry, options, MCP, partial(mcp.tools_out, era=era, with_tasks=False))
        self._era: Era = era

    def __call__(
        self,
        *,
        tools: ToolSelection | None = None,
        strict: bool = False,
        context: CallContext | None = None,
        approve: Approve | None = None,
        era: Era = "2025-11-25",
    ) -> MCPFacade:
        """Return a facade with other options, like `ProviderFacade`; `era` is the revision of MCP."""
        return MCPFacade(self._registry, Options(tools, strict, context, approve), era=era)

    async def answer(self, request: object) -> Any:
        """Run a call and return its answer: JSON-RPC for a request, a `CallToolResult` for its `params`.

        An array of requests gets an array of answers in the same order. A call that cannot be run is answered with a
        JSON-RPC error, as MCP requires.
        """
        found = convert_reply(request)
        requests = found if isinstance(found, list) else [found]
        names = self._tool_set().names
        calls = [mcp.call_in(one, names) for one in requests]
        results = await self._results(calls)
        answers = [self._answer(one, call, result) for one, call, result in zip(requests, calls, results, strict=True)]
        return answers if isinstance(found, list) else answers[0]

    def _answer(self, request: Any, call: ProviderCall | RefusedCall, result: MCPToolResult) -> dict[str, JsonValue]:
        is_request = isinstance(request, Mapping) and ("jsonrpc" in request or "method" in request)
        if isinstance(call, RefusedCall):
            return mcp.refusal_out(call) if is_request else mcp.answer_out(result, era=self._era)
        contract = contract_of(self._registry, call.call.tool_name)
        if not is_request or not call.id:
            return mcp.answer_out(result, era=self._era, contract=contract)
        return mcp.result_out(call.id, result, era=self._era, contract=contract)


# The providers


def _openai_form(value: Any) -> tuple[Any, Form] | None:
    if isinstance(value, list) or "output" in _keys(value):
        return value, responses
    if {"choices", "error"} & _keys(value):
        return value, chat
    return ({"choices": [{"message": value}]}, chat) if {"role", "tool_calls"} & _keys(value) else None


def _anthropic_form(value: Any) -> tuple[Any, Form] | None:
    if isinstance(value, list):
        return {"content": value}, anthropic_messages
    return (value, anthropic_messages) if {"content", "error"} & _keys(value) else None


def _gemini_form(value: Any) -> tuple[Any, Form] | None:
    if "parts" in _keys(value):
        return {"candidates": [{"content": value}]}, gemini_contents
    return (value, gemini_contents) if {"candidates", "promptFeedback", "usageMetadata"} & _keys(value) else None


def _keys(value: Any) -> set[str]:
    return set(value) if isinstance(value, Mapping) else set()


FACADES: Mapping[str, Callable[[ToolRegistry], ProviderFacade | MCPFacade]] = {
    "openai": lambda registry: ProviderFacade(registry, Replies(OPENAI, openai.tools_out, _openai_form)),
    "anthropic": lambda registry: ProviderFacade(registry, Replies(ANTHROPIC, anthropic.tools_out, _anthropic_form)),
    "gemini": lambda registry: ProviderFacade(registry, Replies(GEMINI, gemini.tools_out, _gemini_form)),
    "mcp": MCPFacade,
}
"""The facade of a registry for each provider, by the name of its attribute."""
