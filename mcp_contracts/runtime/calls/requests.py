"""Read a call's message, find its tool, and validate its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.json_values.text import describe_fault, read_json
from mcp_contracts.messages import MCPToolCall, NotWritableError, json_value
from mcp_contracts.records import dataclass, field
from mcp_contracts.runtime.arguments import SUBJECT, PayloadBounds, argument_error, detail, too_large
from mcp_contracts.runtime.calls.answers import RefusedError
from mcp_contracts.runtime.calls.coercion import coerce, with_defaults
from mcp_contracts.runtime.telemetry.redaction import secret_pointers, visible, visible_pointer
from mcp_contracts.runtime.tools import Family, Handler, Tool, first_of
from mcp_contracts.runtime.whole_numbers import with_whole_numbers
from mcp_contracts.schema.validation.validators import instance_errors
from mcp_contracts.schema.wording import writable
from mcp_contracts.tool_names import nearest_names

_SHOWN = 200
_MOST_FAULTS = 5


@dataclass(frozen=True, slots=True)
class ArgumentChecks:
    """How arguments are validated: bounds, changes before validation, and names whose values are never shown."""

    bounds: PayloadBounds = field(default_factory=PayloadBounds)
    coerce: bool = False
    fill_defaults: bool = False
    secret_names: tuple[str, ...] = ()


def read_request(call: object, bounds: PayloadBounds) -> tuple[str, dict[str, Any]]:
    """Return the name and arguments of a call: a message, its dict, or its JSON (text, or bytes in UTF-8).

    The name may be one that no tool can have; `find` reports unknown names. Raises RefusedError.
    """
    if isinstance(call, str | bytes | bytearray):
        if len(call) > bounds.characters:
            fault = too_large(call, bounds)
            raise _not_a_call("it is too large") if fault is None else RefusedError(fault)
        try:
            call = read_json(bytes(call) if isinstance(call, bytearray) else call)
        except ValueError as error:
            raise _not_a_call(f"it is {_printable(describe_fault(error))}") from error
    if isinstance(call, MCPToolCall):
        return call.tool_name, call.arguments
    if not isinstance(call, Mapping):
        raise _not_a_call(f"it is of type `{type(call).__name__}`")
    try:
        members = dict(call)
    except Exception as error:  # a custom mapping may raise anything
        raise _not_a_call(f"it cannot be read: `{type(error).__name__}`") from error
    wanted: dict[str, tuple[type, str]] = {"tool_name": (str, "text"), "arguments": (dict, "an object")}
    faults = [
        f"`{key}` is {f'not {name}' if key in members else 'missing'}"
        for key, (kind, name) in wanted.items()
        if not isinstance(members.get(key), kind)
    ]
    faults += [f"`{_printable(str(key))}` is not a field of it" for key in members if key not in wanted]
    if faults:
        raise _not_a_call("; ".join(faults[:_MOST_FAULTS]))
    return members["tool_name"], members["arguments"]


def find(families: Mapping[str, Family], name: str, version: str | None, channel: str | None) -> tuple[Tool, Handler]:
    """Return the version of a tool that a call gets, and the handler for its channel. Raises RefusedError."""
    family = families.get(name)
    if family is None:
        shown = _printable(name)
        near = nearest_names(name, families)
        hint = f"; did you mean {' or '.join(f'`{one}`' for one in near)}?" if near else ""
        raise _not_found(f"unknown tool `{shown}`{hint}", {"tool_name": shown, "nearest": list(near)})
    tool = family.default
    if version is not None:
        versions = [one.contract.version or "unversioned" for one in family.tools]
        try:
            fitting = family.fitting(str(version))
        except ValueError as error:
            details = {"version": _printable(str(version))}
            raise RefusedError(detail("ValidationError", f"the version cannot be read: {error}", details)) from error
        if not fitting:
            message = f"no version of `{name}` matches `{_printable(version)}`; available: {_listed(versions)}"
            raise _not_found(message, {"tool_name": name, "version": _printable(version), "versions": versions})
        tool = first_of(fitting)
    handler = tool.handlers.get(channel) or tool.handlers.get(None)
    if handler is not None:
        return tool, handler
    if not tool.handlers:
        stated = f" {tool.contract.version}" if tool.contract.version else ""
        message = f"`{name}`{stated} has a contract, but no function"
        raise RefusedError(detail("ToolExecutionError", message, {"tool_name": name}))
    channels = sorted(str(one) for one in tool.handlers)
    asked = f"for the channel `{_printable(channel)}`" if channel is not None else "without a channel"
    message = f"`{name}` has no function {asked}; available: {_listed(channels)}"
    raise _not_found(message, {"tool_name": name, "channel": _printable(channel or ""), "channels": channels})


def check_arguments(tool: Tool, arguments: dict[str, Any], checks: ArgumentChecks) -> dict[str, JsonValue]:
    """Return arguments as plain JSON that the input schema accepts. Raises RefusedError with all their faults."""
    fault = too_large(arguments, checks.bounds)
    if fault is not None:
        raise RefusedError(fault)
    try:
        plain: JsonValue = json_value(arguments)
    except NotWritableError as error:
        secret = secret_pointers(arguments, tool.input.schema, checks.secret_names)
        place = visible_pointer(error.pointer, secret)
        named = f"`{_printable(place)}` {error.reason}" if place else error.fault
        raise RefusedError(detail("ValidationError", f"the arguments are not valid JSON: {named}")) from error
    schema = tool.input.schema
    if checks.fill_defaults:
        plain = with_defaults(schema, plain)
    plain = with_whole_numbers(schema, plain)
    outcome = instance_errors(tool.input, plain, subject=SUBJECT)
    if checks.coerce and not outcome.is_valid:
        plain = coerce(tool.input, plain, outcome)
        outcome = instance_errors(tool.input, plain, subject=SUBJECT)
    if outcome.is_valid and isinstance(plain, dict):
        return plain
    # otherwise the value is too large to locate errors, or the outcome is unknown
    shows_values = any(error.keyword for error in outcome.errors)
    secret = secret_pointers(plain, schema, checks.secret_names) if shows_values else frozenset()
    raise RefusedError(argument_error(outcome, schema, plain, secret=secret))


def _not_found(message: str, details: dict[str, Any]) -> RefusedError:
    return RefusedError(detail("ResourceNotFound", message, details))


def _not_a_call(why: str) -> RefusedError:
    return RefusedError(detail("ValidationError", f"this is not a tool call: {why}", {"expected": _EXPECTED}))


_EXPECTED = '{"tool_name": "module.tool", "arguments": {…}}'


def _printable(text: str) -> str:
    """Return external text in bounded, encodable form, without secrets."""
    text = visible(text)
    return writable(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names[:20]) + (" and more" if len(names) > 20 else "")
