"""Any callable as a model: it returns text, calls, or a reply in OpenAI's format."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from mcp_contracts.adapters.base import ProviderCall, RefusedCall
from mcp_contracts.adapters.openai import names_of
from mcp_contracts.agents.messages import Message, used_ids
from mcp_contracts.agents.model import Model, OnText, Reply, call_without_blocking
from mcp_contracts.agents.models.openai import read_reply
from mcp_contracts.agents.replies import convert_reply
from mcp_contracts.contract import ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.messages import MCPToolCall
from mcp_contracts.providers.names import NameMap

_HINT = "return text, a `Reply`, an `MCPToolCall` or several, or a reply in the form of OpenAI's chat completions"


def as_model(model: Any) -> Model:
    """Return a model for a callable that takes the messages, and the tools if it has a parameter for them.

    A `LogitsModel` becomes a `LogitsChat`. Raises UsageError for another value that cannot be called.
    """
    if hasattr(model, "logits") and hasattr(model, "tokenizer"):
        from mcp_contracts.agents.models.logits import LogitsChat  # numpy and llguidance are optional

        return LogitsChat(model)
    if not callable(model) or isinstance(model, type):
        raise UsageError(
            f"expected a model, got `{type(model).__name__}`"
            if not callable(model)
            else f"`{model.__name__}` is a class",
            hint="pass `OpenAIChat(name, client)`, `Anthropic(…)`, `Gemini(…)`, or a function of messages and tools",
        )
    takes_tools, takes_text = _parameters(model)

    async def ask(
        messages: Sequence[Message], tools: Sequence[ToolContract], *, on_text: OnText | None = None
    ) -> Reply:
        given = (messages, tools) if takes_tools else (messages,)
        options: dict[str, Any] = {"on_text": on_text} if takes_text else {}
        returned = await call_without_blocking(model, *given, **options)
        return returned if isinstance(returned, Reply) else _reply(returned, tools, used_ids(messages))

    return ask


def _parameters(model: Callable[..., object]) -> tuple[bool, bool]:
    """Return whether a callable takes the tools as its second argument, and `on_text` by name."""
    try:
        parameters = inspect.signature(model).parameters.values()
    except (TypeError, ValueError):  # a callable written in C
        return True, False
    positional = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    takes_any = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    return len(positional) > 1 or takes_any, any(one.name == "on_text" for one in parameters)


def _reply(returned: object, tools: Iterable[ToolContract], used: set[str]) -> Reply:
    match returned:
        case None:
            return Reply()
        case str():
            return Reply(convert_reply(returned))
        case MCPToolCall() | ProviderCall() | RefusedCall():
            return Reply(calls=(_call(returned),))
        case [MCPToolCall() | ProviderCall() | RefusedCall(), *_]:
            return Reply(calls=tuple(map(_call, returned)))
    found = convert_reply(returned)
    if isinstance(found, Mapping) and ("role" in found or "tool_calls" in found) and "choices" not in found:
        found = {"choices": [{"message": found}]}
    if not isinstance(found, Mapping) or "choices" not in found:
        raise UsageError(f"the model returned `{type(returned).__name__}`, which is not a reply", hint=_HINT)
    names = names_of(tool.name for tool in tools)
    dotted = {name: name for name in names.to_provider}
    return read_reply(found, NameMap(names.to_provider, {**names.from_provider, **dotted}), used)


def _call(made: object) -> ProviderCall | RefusedCall:
    if isinstance(made, MCPToolCall):
        return ProviderCall("", made)
    if isinstance(made, ProviderCall | RefusedCall):
        return made
    raise UsageError(f"the model returned `{type(made).__name__}` among its calls", hint=_HINT)
