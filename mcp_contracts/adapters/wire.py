"""Functions shared by the adapters of all providers: lost fields, names, arguments and results as text."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from types import NoneType
from typing import Literal

from mcp_contracts.adapters.base import Carried, Loss, NotPortableError, ProviderCall, RefusedCall
from mcp_contracts.contract import JsonValue, SchemaOrigin, SchemaPart, ToolContract
from mcp_contracts.diagnostics import Part
from mcp_contracts.errors import UsageError
from mcp_contracts.fixed_places import FixedLocator
from mcp_contracts.json_values.text import MAXIMUM_DEPTH, describe_fault, read_json
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult, json_value
from mcp_contracts.providers.names import NameMap
from mcp_contracts.schema.wording import writable
from mcp_contracts.tool_names import Tools, contracts_of, nearest_names, qualified_name, qualify

# Contracts


_FIELDS: tuple[tuple[str, str], ...] = (
    ("source_name", "the tool's name at its source"),
    ("title", "the title"),
    ("version", "the version"),
    ("status", "the status"),
    ("effects", "the effects"),
    ("idempotent", "the idempotency"),
    ("task_support", "calls as tasks"),
    ("category", "the category"),
    ("tags", "the tags"),
    ("optional", "whether the tool is optional"),
    ("use_when", "when to use the tool"),
    ("channels", "the channels"),
    ("output_schema", "the output schema"),
    ("errors", "the documented errors"),
    ("security", "the security considerations"),
    ("examples", "the examples"),
    ("migrations", "the migration notes"),
)
"""The fields of a contract besides name, description and input, in the order in which losses list them."""


def lost_fields(
    contract: ToolContract, carried: Collection[str], *, provider: str = "", carrier: str = ""
) -> Iterator[Loss]:
    """Yield the contract fields that a format does not carry; `carried` names those that it does.

    Every format handles name, description and input itself. `provider` is the format's name in messages, such as
    `OpenAI`; `carrier` replaces it if the format is not a provider's tool.
    """
    by = carrier or provider
    name = qualified_name(contract)
    for field_name, what in _FIELDS:
        if field_name not in carried and getattr(contract, field_name) not in (None, "", ()):
            part: Carried = "output" if field_name == "output_schema" else "tool"
            yield Loss(name, part, "", field_name, f"{by} has no field for {what}")
    if contract.module is not None and "module" not in carried and contract.module != name.partition(".")[0]:
        yield Loss(name, "tool", "", "module", f"{by} has no field for the module name")


def named_contracts(contracts: Tools) -> tuple[tuple[str, ToolContract], ...]:
    """Return contracts with their dotted names, in order. Raises UsageError if two tools get the same name."""
    every = contracts_of(contracts)
    qualify(every)
    return tuple((qualified_name(contract), contract) for contract in every)


def not_portable(losses: Iterable[Loss], *, provider: str, hint: str) -> NotPortableError:
    """Return the error for tools that a provider cannot accept; the message names the first of them."""
    found = tuple(losses)
    tools = dict.fromkeys(loss.tool for loss in found)
    others = f", and {len(tools) - 1} more of its tools cannot be sent" if len(tools) > 1 else ""
    at = f" (at `{found[0].pointer}`)" if found[0].pointer else ""
    message = f"the tool `{found[0].tool}` cannot be sent to {provider}: {found[0].message}{at}{others}"
    return NotPortableError(message, found, hint=hint)


def wire_schema(text: FixedLocator, part: Part, value: object) -> SchemaPart | None:
    """Return a copy of a schema that came as JSON, for a contract; None if it is not a schema.

    Raises UsageError if it is not a JSON value.
    """
    if not isinstance(value, dict | bool):
        return None
    return SchemaPart(part, wire_json(value, f"a tool's {part} schema"), SchemaOrigin.SCHEMA, text)


def json_fault(error: ValueError, what: str) -> str:
    """Rephrase an error of `json_value` for a message; `what` names the value (a singular noun)."""
    text, whole = str(error), "the value "
    return f"{what} {text.removeprefix(whole)}" if text.startswith(whole) else f"{what} cannot be written: {text}"


def wire_json(value: object, what: str) -> JsonValue:
    """Return a copy of a JSON value; `what` names it (a singular noun). Raises UsageError if it is not a JSON value."""
    try:
        found: JsonValue = json_value(value)
    except ValueError as error:
        raise UsageError(json_fault(error, what), hint="pass JSON") from error
    return found


def wire_text(tool: object, key: str, *, of: str) -> str:
    """Return the text at a key of a tool, or "".

    Raises UsageError, naming the tool by `of`, if UTF-8 cannot encode it.
    """
    text = text_of(tool, key)
    wire_json(text, f"the `{key}` of {of}")
    return text


def dotted_name(sent: str, names: NameMap | None) -> str:
    """Return the dotted name for a provider's name, or the name itself if the map does not contain it."""
    return sent if names is None else names.from_provider.get(sent, sent)


# Calls


def dump_plain(value: object) -> object:
    """Convert an object of a provider's package, which is a pydantic model, to JSON; return other values unchanged."""
    dump: Callable[..., object] | None = getattr(value, "model_dump", None)
    # A lenient server may have filled it with values of other types.
    return value if dump is None else dump(mode="json", by_alias=True, exclude_none=True, warnings=False)


def as_text(value: object) -> str:
    """Convert a value to text for a message: text unchanged (escaped if needed), anything else as JSON if possible."""
    if isinstance(value, str):
        return writable(value)
    try:
        return json.dumps(value, default=str)
    except (ValueError, RecursionError):
        return "a value that cannot be written"


def items_of(value: object) -> list[object]:
    """Return the items of an array; empty for other values."""
    return value if isinstance(value, list) else []


def text_of(value: object, key: str) -> str:
    """Return the text at a key of an object, or ""."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def read_arguments(text: str, *, what: str = "the arguments") -> dict[str, JsonValue] | MCPErrorDetail:
    """Parse the arguments that a model wrote as JSON text, or return the error for the model.

    Empty text is an empty object, because some OpenAI-compatible servers send it for no arguments.
    """
    if not text.strip():
        return {}
    try:
        value = read_json(text)
    except ValueError as error:
        return _validation_error(f"{what} are {_shorten(describe_fault(error))}")
    return check_arguments(value, what=what)


def check_arguments(
    value: object, *, what: str = "the arguments", verb: Literal["are", "is"] = "are"
) -> dict[str, JsonValue] | MCPErrorDetail:
    """Return a copy of arguments that came as a JSON object, or the error for the model.

    `what` is the provider's name for them, and `verb` agrees with it.
    """
    if not isinstance(value, dict):
        return _validation_error(f"{what} {verb} not an object but {_kind(value)}")
    try:
        found: dict[str, JsonValue] = json_value(value)
    except ValueError as error:
        return _validation_error(f"{what} cannot be read: {_shorten(str(error))}")
    except RecursionError:
        return _validation_error(f"{what} {verb} nested more than {MAXIMUM_DEPTH} levels deep")
    return found


def provider_call(
    identifier: str, sent: str, names: NameMap, arguments: dict[str, JsonValue] | MCPErrorDetail
) -> ProviderCall | RefusedCall:
    """Return a call of the tool with a provider's name, or why the call is refused.

    In both, characters of the identifier that UTF-8 cannot encode are escaped, so that it can be sent.
    """
    name = names.from_provider.get(sent)
    if name is None:
        return _refuse(identifier, sent, unknown_tool_error(sent, names.from_provider))
    if isinstance(arguments, MCPErrorDetail):
        return _refuse(identifier, sent, arguments)
    try:
        return ProviderCall(writable(identifier), MCPToolCall(tool_name=name, arguments=arguments))
    except ValueError as error:
        return refuse_call(identifier, sent, f"the call cannot be read: {_shorten(str(error))}")


def sent_name(call: ProviderCall, names: NameMap) -> str:
    """Return the provider's name of the called tool. Raises UsageError if the map does not contain the tool."""
    sent = names.to_provider.get(call.call.tool_name)
    if sent is None:
        raise UsageError(f"the tool `{call.call.tool_name}` is not among the tools that were sent")
    return sent


def unknown_tool_error(sent: str, known: Iterable[str]) -> MCPErrorDetail:
    """Return the error for a call to a tool that is not among the `known` ones, with similar names."""
    if not sent:
        return _validation_error("the call does not name a tool")
    near = nearest_names(sent, known)
    meant = f", did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
    return MCPErrorDetail(error_type="ResourceNotFound", error_message=f"unknown tool `{_shorten(sent)}`{meant}")


def refuse_call(identifier: str, sent: str, message: str) -> RefusedCall:
    """Return a call that cannot be read, with a ValidationError."""
    return _refuse(identifier, sent, _validation_error(message))


def _refuse(identifier: str, sent: str, error: MCPErrorDetail) -> RefusedCall:
    return RefusedCall(writable(identifier), writable(sent), error)


# Results


def result_text(result: MCPToolResult) -> str:
    """Write a whole result as JSON text, for a provider that only accepts text."""
    return result.to_json()


def read_result_text(text: str) -> MCPToolResult:
    """Read a result that `result_text` wrote; other text is a success with the data `{"result": text}`."""
    try:
        value = read_json(text)
        if isinstance(value, dict) and value.keys() == MCPToolResult.model_fields.keys():
            return MCPToolResult.model_validate(value)
    except ValueError:
        pass
    return MCPToolResult(data={"result": writable(text)})


_LONGEST_SHOWN = 200


def _validation_error(message: str) -> MCPErrorDetail:
    return MCPErrorDetail(error_type="ValidationError", error_message=message)


def _shorten(text: str) -> str:
    line = " ".join(writable(text).split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 1]}…"


def _kind(value: object) -> str:
    kinds = ((bool, "a boolean"), (int | float, "a number"), (str, "text"), (list, "an array"), (NoneType, "null"))
    return next((name for kind, name in kinds if isinstance(value, kind)), f"a `{type(value).__name__}`")
