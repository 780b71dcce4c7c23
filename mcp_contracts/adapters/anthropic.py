"""Convert contracts, calls and results to the form of Anthropic's Messages API, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_contracts.adapters import wire
from mcp_contracts.adapters.base import Loss, ProviderCall, RefusedCall, ToolSet
from mcp_contracts.adapters.result_images import Image, with_images, without_images
from mcp_contracts.adapters.schemas_out import json_schema_form, losses_of, refused_parameters
from mcp_contracts.contract import Example, JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.fixed_places import origin
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, ResultStatus, json_value
from mcp_contracts.providers.limits.table import ANTHROPIC
from mcp_contracts.providers.names import NameMap, mangle_names
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.tool_names import Tools

CARRIED: frozenset[str] = frozenset()
"""The fields of a contract that a tool includes in addition to its name, description and input."""

_LONGEST_NAME = 64
_NAME_CHARACTERS = "_-"
_HINT = (
    "use an object of 2020-12 at the root of the input schema, "
    "and only letters, digits, `_`, `-`, `.` in parameter names"
)
_ERROR = "is_error"


def names_of(names: Iterable[str], *, longest: int = _LONGEST_NAME) -> NameMap:
    """Map dotted names to names that Anthropic accepts: letters, digits, `_` and `-`.

    The API accepts 128 characters (reported in 2026: pi-mcp-adapter#190, coday#1239) and accepted 64 in 2025, so 64
    works everywhere. Raises UsageError if two names become the same.
    """
    return mangle_names(names, extra=_NAME_CHARACTERS, longest=longest)


def tools_out(contracts: Tools, *, with_examples: bool = False, longest_name: int = _LONGEST_NAME) -> ToolSet:
    """Convert contracts to Anthropic tools, in order: `name`, `description` and `input_schema`.

    The API rejects `anyOf`, `oneOf` and `allOf` at the root of a schema, so such a root becomes a plain object; all
    other schemas are sent unchanged. `with_examples` sends the arguments of the contract's example calls as
    `input_examples` if the schema accepts them. Raises NotPortableError if a tool cannot be sent (its root is not an
    object, a reference points outside the schema, the schema is invalid, or a parameter's name is not accepted), and
    UsageError if two tools get the same name.
    """
    named = wire.named_contracts(contracts)
    names = names_of((name for name, _ in named), longest=longest_name)
    tools: list[dict[str, JsonValue]] = []
    losses: list[Loss] = []
    refusals: list[Loss] = []
    for name, contract in named:
        form = json_schema_form(contract.input_schema, ANTHROPIC)
        changes = (*form.changes, *refused_parameters(form.schema, ANTHROPIC))
        refusals.extend(losses_of(name, (change for change in changes if change.is_refusal)))
        losses.extend(losses_of(name, (change for change in changes if not change.is_refusal)))
        tool: dict[str, JsonValue] = {"name": names.to_provider[name]}
        if contract.description:
            tool["description"] = contract.description
        tool["input_schema"] = form.schema
        carried = CARRIED
        if with_examples:
            found = list(_example_arguments(contract, form.schema))
            if found:
                tool["input_examples"] = found
            if len(found) == len(contract.examples) and all(one.kind == "arguments" for one in contract.examples):
                carried = carried | {"examples"}
        losses.extend(wire.lost_fields(contract, carried, provider="Anthropic"))
        tools.append(tool)
    if refusals:
        raise wire.not_portable(refusals, provider="Anthropic", hint=_HINT)
    return ToolSet("anthropic", tools, names, tuple(losses))


def _example_arguments(contract: ToolContract, schema: JsonValue) -> Iterator[JsonValue]:
    """Yield the example arguments that the API accepts: an invalid one would make the request fail."""
    compiled = compile_schema(schema)
    for example in contract.examples:
        value = example.value
        if example.kind == "call":
            value = value.get("arguments") if isinstance(value, dict) else None
        elif example.kind != "arguments":
            continue
        if isinstance(value, dict) and accepts(compiled, value):
            yield json_value(value)


def tools_in(tools: object, *, names: NameMap | None = None, module: str | None = None) -> tuple[ToolContract, ...]:
    """Convert Anthropic tools, as an array or under `tools`, to contracts, in order.

    With `names` they get their dotted names back; without, each keeps its name. `strict`, `cache_control` and other
    request options are not part of a contract. Raises UsageError for an entry that does not define a tool, such as one
    that the API runs itself, or that is not valid JSON.
    """
    entries = tools.get("tools") if isinstance(tools, dict) else tools
    if not isinstance(entries, list):
        raise UsageError("expected Anthropic tools", hint='pass an array of tools, or `{"tools": […]}`')
    return tuple(_contract(entry, number, names, module) for number, entry in enumerate(entries, 1))


def _contract(entry: object, number: int, names: NameMap | None, module: str | None) -> ToolContract:
    tool = f"tool {number}"
    sent = wire.wire_text(entry, "name", of=tool)
    kind = wire.text_of(entry, "type") or "custom"
    if not isinstance(entry, dict) or not sent or kind != "custom":
        what = f"is a `{kind}`, which the API runs itself" if sent and kind != "custom" else "has no `name`"
        raise UsageError(f"{tool} {what}", hint="pass only tools with `name` and `input_schema`")
    text = origin("anthropic")
    name = wire.dotted_name(sent, names)
    examples = wire.items_of(entry.get("input_examples"))
    return ToolContract(
        name=name,
        place=text.place(),
        module=module or (name.partition(".")[0] if "." in name else None),
        description=wire.wire_text(entry, "description", of=tool),
        input=wire.wire_schema(text, "input", entry.get("input_schema")),
        examples=tuple(
            Example("arguments", wire.wire_json(example, f"an example in the `input_examples` of {tool}"), text)
            for example in examples
        ),
    )


# Calls


def call_in(value: object, names: NameMap) -> ProviderCall | RefusedCall:
    """Read one `tool_use` block, as JSON or as Anthropic's object.

    A call that cannot be run (the input is not an object, the name is unknown) is a RefusedCall with an error for the
    model.
    """
    block = wire.dump_plain(value)
    if not isinstance(block, dict) or block.get("type", "tool_use") != "tool_use":
        return wire.refuse_call(
            wire.text_of(block, "id"), wire.text_of(block, "name"), "the block is not a `tool_use` block"
        )
    arguments = block.get("input")
    found = {} if arguments is None else wire.check_arguments(arguments, what="the `input`", verb="is")
    return wire.provider_call(wire.text_of(block, "id"), wire.text_of(block, "name"), names, found)


def calls_in(message: object, names: NameMap) -> tuple[ProviderCall | RefusedCall, ...]:
    """Read all `tool_use` blocks of a message, a response or a list of blocks, in order; there may be none.

    Calls that the API runs itself (`server_tool_use`) are not included.
    """
    return tuple(call_in(block, names) for block in _blocks(message, "tool_use"))


def call_out(call: ProviderCall, names: NameMap) -> dict[str, JsonValue]:
    """Write a call as the `tool_use` block that the model would have written.

    Raises UsageError if the map does not contain the tool.
    """
    sent = wire.sent_name(call, names)
    return {"type": "tool_use", "id": call.id, "name": sent, "input": json_value(call.call.arguments)}


def calls_out(calls: Iterable[ProviderCall], names: NameMap) -> dict[str, JsonValue]:
    """Write calls as one assistant message."""
    return {"role": "assistant", "content": [call_out(call, names) for call in calls]}


# Results


def result_out(call_id: str, result: MCPToolResult) -> dict[str, JsonValue]:
    """Write a result as the `tool_result` block that answers a call.

    The text is the whole result as JSON: status, data, error and explanation. Images in its MCP content blocks follow
    as separate blocks, so that the model sees them. A failure has `is_error`.
    """
    bare, images = without_images(result)
    content: JsonValue = wire.result_text(bare)
    if images:
        content = [{"type": "text", "text": content}, *(_image_block(image) for image in images)]
    block: dict[str, JsonValue] = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return {**block, _ERROR: True} if result.status is ResultStatus.FAILURE else block


def _image_block(image: Image) -> dict[str, JsonValue]:
    return {"type": "image", "source": {"type": "base64", "media_type": image.media_type, "data": image.data}}


def _image(block: object) -> Image | None:
    source = block.get("source") if isinstance(block, dict) and block.get("type") == "image" else None
    data = wire.text_of(source, "data")
    return (
        Image(wire.text_of(source, "media_type"), data) if wire.text_of(source, "type") == "base64" and data else None
    )


def results_out(results: Iterable[tuple[str, MCPToolResult]]) -> dict[str, JsonValue]:
    """Write results with the identifiers of their calls as one user message, which answers all calls of a turn."""
    return {"role": "user", "content": [result_out(call_id, result) for call_id, result in results]}


def result_in(value: object) -> tuple[str, MCPToolResult]:
    """Return the identifier and the result of a `tool_result` block.

    Text that we did not write becomes the data `{"result": text}`, several text blocks are joined with line breaks, and
    other blocks become the data `{"content": blocks}` unchanged. With `is_error` the text is the message of a
    `ToolExecutionError`, and other blocks are its details. Raises UsageError if the value does not answer a call.
    """
    block = wire.dump_plain(value)
    if not isinstance(block, dict) or block.get("type", "tool_result") != "tool_result" or "tool_use_id" not in block:
        raise UsageError("this block is not a tool result", hint="pass a block of the type `tool_result`")
    content = block.get("content")
    blocks: list[object] = [{"type": "text", "text": content}] if isinstance(content, str) else wire.items_of(content)
    texts = [wire.text_of(part, "text") for part in blocks if wire.text_of(part, "type") == "text"]
    text = "\n".join(texts)
    is_error = block.get(_ERROR) is True
    own = _read_own_result(blocks, is_error=is_error)
    return wire.text_of(block, "tool_use_id"), own or _foreign(text, texts, blocks, is_error=is_error)


def results_in(message: object) -> tuple[tuple[str, MCPToolResult], ...]:
    """Return the results of all `tool_result` blocks of a message or a list of blocks, in order."""
    return tuple(result_in(block) for block in _blocks(message, "tool_result"))


def _read_own_result(blocks: list[object], *, is_error: bool) -> MCPToolResult | None:
    """Return the result that `result_out` wrote, or None if the blocks come from someone else."""
    text = wire.text_of(blocks[0], "text") if blocks else ""
    images = [image for image in map(_image, blocks[1:]) if image is not None]
    found = wire.read_result_text(text)
    is_ours = (found.status is ResultStatus.FAILURE) == is_error and found.data != {"result": text}
    if not is_ours or len(images) + 1 != len(blocks):
        return None
    return with_images(found, images) if images else found


def _foreign(text: str, texts: list[str], blocks: list[object], *, is_error: bool) -> MCPToolResult:
    others = [block for block in blocks if wire.text_of(block, "type") != "text"]
    try:
        if is_error:
            return _failure(text or "the tool failed without an error message", {"content": others} if others else None)
        if others:
            return MCPToolResult(data={"content": blocks})
        return MCPToolResult(data={"result": text})
    except (ValueError, RecursionError):  # a message cannot represent it: NaN, a lone surrogate, nested too deeply
        said = wire.as_text(blocks if others else text)
        return _failure(said, None) if is_error else MCPToolResult(data={"result": said})


def _failure(message: str, details: dict[str, object] | None) -> MCPToolResult:
    error = MCPErrorDetail(error_type="ToolExecutionError", error_message=message, error_details=details)
    return MCPToolResult(status=ResultStatus.FAILURE, error=error)


def _blocks(message: object, kind: str, levels: int = 5) -> Iterator[object]:
    """Yield the blocks of one kind in a message, a list of messages or blocks, or the block itself."""
    value = wire.dump_plain(message)
    if isinstance(value, list) and levels > 0:
        for item in value:
            yield from _blocks(item, kind, levels - 1)
    elif isinstance(value, dict):
        if value.get("type") == kind:
            yield value
        elif isinstance(value.get("content"), list) and value.get("type", "message") == "message":
            yield from _blocks(value["content"], kind, levels - 1)
