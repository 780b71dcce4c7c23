"""Convert contracts, calls and results to the form of OpenAI's Chat Completions and Responses, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from mcp_contracts.adapters import wire
from mcp_contracts.adapters.base import Loss, ProviderCall, RefusedCall, ToolSet
from mcp_contracts.adapters.schemas_out import losses_of
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.fixed_places import origin
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, json_value
from mcp_contracts.providers.names import NameMap, mangle_names
from mcp_contracts.providers.roots import plain_root
from mcp_contracts.tool_names import Tools

Interface = Literal["chat", "responses"]
"""Chat Completions or Responses: the same tools, calls and results, wrapped differently."""

CARRIED: frozenset[str] = frozenset()
"""The fields of a contract that a tool includes in addition to its name, description and input."""

_LONGEST_NAME = 64
_NAME_CHARACTERS = "_-"
_HINT = "use an object at the root of the input schema, without `anyOf`, `oneOf` and `allOf`"


def names_of(names: Iterable[str]) -> NameMap:
    """Map dotted names to names that OpenAI accepts: letters, digits, `_` and `-`, at most 64 characters.

    The limit comes from openai 3.54, FunctionDefinition. Raises UsageError if two names become the same.
    """
    return mangle_names(names, extra=_NAME_CHARACTERS, longest=_LONGEST_NAME)


def tools_out(contracts: Tools, *, interface: Interface = "chat") -> ToolSet:
    """Convert contracts to OpenAI tools, in order and without strict mode; see `openai_strict` for strict mode.

    The root of a schema becomes a plain object with `properties`, as OpenAI requires; the rest is unchanged. Raises
    NotPortableError if a tool cannot be converted or its schema is invalid, and UsageError if two tools get the same
    name.
    """
    named = wire.named_contracts(contracts)
    names = names_of(name for name, _ in named)
    tools = []
    losses: list[Loss] = []
    refusals: list[Loss] = []
    for name, contract in named:
        root = plain_root(contract.input_schema)
        refusals.extend(losses_of(name, (change for change in root.changes if change.is_refusal)))
        losses.extend(losses_of(name, (change for change in root.changes if not change.is_refusal)))
        losses.extend(wire.lost_fields(contract, CARRIED, provider="OpenAI"))
        if root.schema is not None:
            tools.append(tool(names.to_provider[name], contract, root.schema, interface, is_strict=False))
    if refusals:
        raise wire.not_portable(refusals, provider="OpenAI", hint=_HINT)
    return ToolSet(format_name("openai", interface), tools, names, tuple(losses))


def format_name(name: str, interface: Interface) -> str:
    """Return the format name of tools for an interface: Chat Completions is the default, without a suffix."""
    return name if interface == "chat" else f"{name}-responses"


def tool(
    sent: str, contract: ToolContract, parameters: dict[str, JsonValue], interface: Interface, *, is_strict: bool
) -> dict[str, JsonValue]:
    """Return one tool for an interface. Its schema is copied.

    Responses uses strict mode if `strict` is missing, so `strict` is always set there.
    """
    copied: dict[str, JsonValue] = json_value(parameters)
    function: dict[str, JsonValue] = {"name": sent}
    if contract.description:
        function["description"] = contract.description
    function["parameters"] = copied
    if is_strict or interface == "responses":
        function["strict"] = is_strict
    return {"type": "function", "function": function} if interface == "chat" else {"type": "function", **function}


def tools_in(tools: object, *, names: NameMap | None = None, module: str | None = None) -> tuple[ToolContract, ...]:
    """Convert tools of either interface, as an array or under `tools`, to contracts, in order.

    With `names` they get their dotted names back; without, each keeps its name. The schema of a strict tool is used
    unchanged. Raises UsageError for an entry that is not a function tool, or not valid JSON.
    """
    entries = tools.get("tools") if isinstance(tools, dict) else tools
    if not isinstance(entries, list):
        raise UsageError("expected OpenAI tools", hint='pass an array of tools, or `{"tools": […]}`')
    return tuple(_contract(entry, index, names, module) for index, entry in enumerate(entries, 1))


def _contract(entry: object, number: int, names: NameMap | None, module: str | None) -> ToolContract:
    function = entry.get("function", entry) if isinstance(entry, dict) else None
    sent = wire.wire_text(function, "name", of=f"tool {number}")
    if not isinstance(entry, dict) or not isinstance(function, dict) or not sent or entry.get("type") != "function":
        kind = wire.text_of(entry, "type")
        what = (
            f"is not a function but of the type `{kind}`"
            if kind and kind != "function"
            else "is not a function with a `name`"
        )
        raise UsageError(f"tool {number} {what}", hint="pass only function tools")
    text = origin("openai")
    name = wire.dotted_name(sent, names)
    parameters = function.get("parameters")
    if parameters is None:
        # "Omitting `parameters` defines a function with an empty parameter list."
        parameters = {"type": "object", "properties": {}}
    return ToolContract(
        name=name,
        place=text.place(),
        module=module or (name.partition(".")[0] if "." in name else None),
        description=wire.wire_text(function, "description", of=f"tool {number}"),
        input=wire.wire_schema(text, "input", parameters),
        output=wire.wire_schema(text, "output", function.get("output_schema")),
    )


# Calls


def call_in(value: object, names: NameMap) -> ProviderCall | RefusedCall:
    """Read one call: an entry of `tool_calls`, or a Responses item `function_call`; as JSON or as OpenAI's object.

    A call that cannot be run (arguments that are not valid JSON, an unknown name) is a RefusedCall with an error for
    the model.
    """
    block = wire.dump_plain(value)
    if not isinstance(block, dict):
        return wire.refuse_call("", "", "the call is not an object")
    identifier = wire.text_of(block, "call_id") or wire.text_of(block, "id")
    kind = block.get("type", "function")
    function = block if kind == "function_call" else block.get("function")
    if kind not in ("function", "function_call") or not isinstance(function, dict):
        sent = wire.text_of(block, "name") or wire.text_of(block.get("custom"), "name")
        return wire.refuse_call(identifier, sent, "the call is not a function call")
    return wire.provider_call(identifier, wire.text_of(function, "name"), names, _read(function.get("arguments")))


def _read(arguments: object) -> dict[str, JsonValue] | MCPErrorDetail:
    """Read arguments from JSON text, or from the object that some OpenAI-compatible servers send."""
    if arguments is None:
        return {}
    return wire.read_arguments(arguments) if isinstance(arguments, str) else wire.check_arguments(arguments)


def calls_in(message: object, names: NameMap) -> tuple[ProviderCall | RefusedCall, ...]:
    """Read all calls of an assistant message, of a whole response or of its items, in order.

    Includes the calls of all choices of a response. A message may contain none.
    """
    return tuple(call_in(block, names) for block in call_blocks(message))


def call_blocks(message: object) -> Iterator[object]:
    """Yield the calls of a message, a response or a list of items, unchanged."""
    value = wire.dump_plain(message)
    if isinstance(value, list):
        for item in value:
            found = wire.dump_plain(item)
            if wire.text_of(found, "type") == "function_call":
                yield found
            elif isinstance(found, dict) and "tool_calls" in found:
                yield from call_blocks(found)
    elif isinstance(value, dict):
        for choice in wire.items_of(value.get("choices")):
            yield from call_blocks(choice.get("message") if isinstance(choice, dict) else None)
        yield from wire.items_of(value.get("tool_calls"))
        yield from call_blocks(wire.items_of(value.get("output")))
        if value.get("type") == "function_call":
            yield value


def call_out(call: ProviderCall, names: NameMap, *, interface: Interface = "chat") -> dict[str, JsonValue]:
    """Write a call as the model would have written it: an entry of `tool_calls`, or a Responses item.

    Raises UsageError if the map does not contain the tool.
    """
    sent = wire.sent_name(call, names)
    return call_block(call.id, sent, arguments_text(call.call.arguments), interface)


def call_block(identifier: str, sent: str, arguments: str, interface: Interface) -> dict[str, JsonValue]:
    """Write a call for an interface."""
    if interface == "responses":
        return {"type": "function_call", "call_id": identifier, "name": sent, "arguments": arguments}
    return {"id": identifier, "type": "function", "function": {"name": sent, "arguments": arguments}}


def arguments_text(arguments: Mapping[str, object]) -> str:
    """Write arguments as compact JSON text, without escaping non-ASCII characters."""
    return json.dumps(json_value(dict(arguments)), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def calls_out(calls: Iterable[ProviderCall], names: NameMap) -> dict[str, JsonValue]:
    """Write calls as one assistant message of Chat Completions. In Responses each call is an item: see `call_out`."""
    return {"role": "assistant", "content": None, "tool_calls": [call_out(call, names) for call in calls]}


# Results


def result_out(call_id: str, result: MCPToolResult, *, interface: Interface = "chat") -> dict[str, JsonValue]:
    """Write a result as the message or item that answers a call.

    OpenAI accepts text, so the text is the whole result as JSON: status, data, error and explanation.
    """
    if interface == "responses":
        return {"type": "function_call_output", "call_id": call_id, "output": wire.result_text(result)}
    return {"role": "tool", "tool_call_id": call_id, "content": wire.result_text(result)}


def result_in(value: object) -> tuple[str, MCPToolResult]:
    """Return the identifier and the result of a message or item that answers a call.

    Text that we did not write becomes the data `{"result": text}`; parts other than text become the data `{"content":
    parts}` unchanged. Raises UsageError if the value does not answer a call.
    """
    message = wire.dump_plain(value)
    if isinstance(message, dict) and message.get("type") == "function_call_output" and "output" in message:
        return wire.text_of(message, "call_id"), _result(message["output"])
    if isinstance(message, dict) and message.get("role") == "tool":
        return wire.text_of(message, "tool_call_id"), _result(message.get("content"))
    raise UsageError("this message is not a tool result", hint="pass a message of the role `tool`, or an output item")


def _result(content: object) -> MCPToolResult:
    if isinstance(content, str):
        return wire.read_result_text(content)
    parts = wire.items_of(content)
    texts = [
        wire.text_of(part, "text")
        for part in parts
        if wire.text_of(part, "type") in ("text", "input_text", "output_text")
    ]
    if len(texts) == len(parts):
        return wire.read_result_text("\n".join(texts))
    try:
        return MCPToolResult(data={"content": parts})
    except ValueError:  # JSON cannot represent it
        return wire.read_result_text(str(parts))
