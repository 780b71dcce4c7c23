"""Read a call's message, find its tool, and validate its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, NotWritableError, json_value, read_json
from mcp_contracts.records import dataclass, field
from mcp_contracts.runtime.arguments import SUBJECT, PayloadBounds, argument_error, too_large
from mcp_contracts.runtime.calls.coercion import coerce, with_defaults
from mcp_contracts.runtime.calls.refusals import detail
from mcp_contracts.runtime.telemetry.redaction import secret_pointers, visible, visible_pointer
from mcp_contracts.runtime.tools import Family, Handler, Tool
from mcp_contracts.runtime.whole_numbers import with_whole_numbers
from mcp_contracts.schema.validation.validators import instance_errors
from mcp_contracts.schema.wording import writable
from mcp_contracts.tool_names import nearest_names

_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Request:
    """The name and arguments of a call."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ArgumentChecks:
    """How arguments are validated: bounds, changes before validation, and names whose values are never shown."""

    bounds: PayloadBounds = field(default_factory=PayloadBounds)
    coerce: bool = False
    fill_defaults: bool = False
    secret_names: tuple[str, ...] = ()


def read_request(call: object, bounds: PayloadBounds) -> Request | MCPErrorDetail:
    """Read a call from a message, its dict, or its JSON (text, or bytes in UTF-8).

    The name may be one that no tool can have; `find` reports unknown names.
    """
    if isinstance(call, str | bytes | bytearray):
        if len(call) > bounds.characters:
            return too_large(call, bounds) or _not_a_call("it is too large")
        try:
            call = read_json(bytes(call) if isinstance(call, bytearray) else call)
        except ValueError as error:
            why = f"not UTF-8 ({error.reason})" if isinstance(error, UnicodeDecodeError) else str(error)
            return _not_a_call(f"it is not JSON: {_printable(why)}")
    if isinstance(call, MCPToolCall):
        return Request(call.tool_name, call.arguments)
    if not isinstance(call, Mapping):
        return _not_a_call(f"it is of type `{type(call).__name__}`")
    try:
        members = dict(call)
    except Exception as error:  # a custom mapping may raise anything
        return _not_a_call(f"it cannot be read: `{type(error).__name__}`")
    faults = [fault for key, kind, name in _MEMBERS if (fault := _member_fault(members, key, kind, name))]
    faults += [
        f"`{_printable(str(key))}` is not a field of it" for key in members if key not in ("tool_name", "arguments")
    ]
    if faults:
        return _not_a_call("; ".join(faults[:_MOST_FAULTS]))
    return Request(members["tool_name"], members["arguments"])


_MEMBERS: tuple[tuple[str, type, str], ...] = (("tool_name", str, "text"), ("arguments", dict, "an object"))
_MOST_FAULTS = 5


def _member_fault(members: Mapping[Any, Any], key: str, kind: type, name: str) -> str | None:
    if key not in members:
        return f"`{key}` is missing"
    return None if isinstance(members[key], kind) else f"`{key}` is not {name}"


def find(
    families: Mapping[str, Family], name: str, version: str | None, channel: str | None
) -> tuple[Tool, Handler] | MCPErrorDetail:
    """Return the version of a tool for a call, and the handler for its channel."""
    family = families.get(name)
    if family is None:
        shown = _printable(name)
        near = nearest_names(name, families)
        hint = f"; did you mean {' or '.join(f'`{one}`' for one in near)}?" if near else ""
        return _not_found(f"unknown tool `{shown}`{hint}", {"tool_name": shown, "nearest": list(near)})
    tool = family.default
    if version is not None:
        versions = [one.contract.version or "unversioned" for one in family.tools]
        try:
            found = family.resolve(str(version))
        except ValueError as error:
            return detail(
                "ValidationError", f"the version cannot be read: {error}", {"version": _printable(str(version))}
            )
        if found is None:
            message = f"no version of `{name}` matches `{_printable(version)}`; available: {_listed(versions)}"
            return _not_found(message, {"tool_name": name, "version": _printable(version), "versions": versions})
        tool = found
    handler = tool.handlers.get(channel) or tool.handlers.get(None)
    if handler is not None:
        return tool, handler
    if not tool.handlers:
        stated = f" {tool.contract.version}" if tool.contract.version else ""
        return detail("ToolExecutionError", f"`{name}`{stated} has a contract, but no function", {"tool_name": name})
    channels = sorted(str(one) for one in tool.handlers)
    asked = f"for the channel `{_printable(channel)}`" if channel is not None else "without a channel"
    message = f"`{name}` has no function {asked}; available: {_listed(channels)}"
    return _not_found(message, {"tool_name": name, "channel": _printable(channel or ""), "channels": channels})


def check_arguments(
    tool: Tool, arguments: dict[str, Any], checks: ArgumentChecks
) -> dict[str, JsonValue] | MCPErrorDetail:
    """Return arguments as plain JSON that the tool's input schema accepts, or the error with all their faults."""
    fault = too_large(arguments, checks.bounds)
    if fault is not None:
        return fault
    try:
        plain: JsonValue = json_value(arguments)
    except NotWritableError as error:
        secret = secret_pointers(arguments, tool.input.schema, checks.secret_names)
        place = visible_pointer(error.pointer, secret)
        named = f"`{_printable(place)}` {error.reason}" if place else error.fault
        return detail("ValidationError", f"the arguments are not JSON: {named}")
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
    return argument_error(outcome, schema, plain, secret=secret)


def _not_found(message: str, details: dict[str, Any]) -> MCPErrorDetail:
    return detail("ResourceNotFound", message, details)


def _not_a_call(why: str) -> MCPErrorDetail:
    return detail("ValidationError", f"this is not a tool call: {why}", {"expected": _EXPECTED})


_EXPECTED = '{"tool_name": "module.tool", "arguments": {…}}'


def _printable(text: str) -> str:
    """Return external text in bounded, encodable form, without secrets."""
    text = visible(text)
    return writable(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names[:20]) + (" and more" if len(names) > 20 else "")
