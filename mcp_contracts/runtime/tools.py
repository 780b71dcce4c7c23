"""Registered tools: each has one or more versions, and each version has handlers for its calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, TypedDict

from mcp_contracts.contract import Effects, JsonValue, SchemaPart, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.records import dataclass, field, replace
from mcp_contracts.runtime.arguments import PayloadBounds
from mcp_contracts.runtime.context import ToolContext
from mcp_contracts.runtime.failures import ErrorTypes
from mcp_contracts.runtime.whole_numbers import without_whole_floats
from mcp_contracts.schema.validation.compiled import CompiledSchema
from mcp_contracts.schema.validation.quick import quick_check
from mcp_contracts.schema.validation.validators import compile_schema
from mcp_contracts.version_ranges import Version, read_range, read_version

_OBJECT: JsonValue = {"type": "object"}


class ToolFacts(TypedDict, total=False):
    """Properties of a tool that its function does not state: see `ToolContract`. `version` is a semantic version.

    A `name` without a dot is put under the registry's name. `annotations` are MCP's annotations, as a mapping or
    object; `effects`, `idempotent` and `title` take precedence over them.
    """

    name: str | None
    version: str | None
    title: str | None
    description: str | None
    status: Literal["experimental", "stable", "deprecated"] | None
    effects: Effects | None
    category: str | None
    tags: Sequence[str] | set[str]
    optional: bool | None
    use_when: str | None
    channels: Sequence[str]
    idempotent: Literal["yes", "no", "conditional"] | None
    annotations: object


@dataclass(frozen=True, slots=True)
class Handler:
    """A function, and how calls run it.

    `invoke` takes the arguments and, if `takes_context`, the context. `wraps_result` puts the returned value under
    `result`. `deadline` is in seconds. `home` is the event loop that an async function must run on, or None for any.
    `package` is the top-level package of the function, whose exceptions may be declared errors. `is_judged` means that
    its `MCPToolResult` was already validated against the output schema, in its original form.
    """

    invoke: Callable[[dict[str, JsonValue], ToolContext | None], object]
    is_async: bool
    takes_context: bool = False
    wraps_result: bool = False
    deadline: float | None = None
    errors: ErrorTypes = field(default_factory=dict)
    package: str = ""
    home: asyncio.AbstractEventLoop | None = None
    is_judged: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """One version of a tool: its contract, compiled schemas, and handlers by channel (None for all others).

    `is_valid_input` and `is_valid_output` quickly decide that arguments or data are valid; False proves nothing.
    """

    contract: ToolContract
    input: CompiledSchema
    output: CompiledSchema
    is_valid_input: Callable[[JsonValue], bool]
    is_valid_output: Callable[[JsonValue], bool]
    declared: frozenset[str]
    handlers: Mapping[str | None, Handler] = field(default_factory=dict)

    def serves(self, channel: str) -> bool:
        """Whether calls over a channel have a handler, and the contract allows that channel."""
        channels = self.contract.channels
        return channel in self.handlers or (None in self.handlers and (not channels or channel in channels))


@dataclass(frozen=True, slots=True)
class Family:
    """All versions of one tool, newest first. `default` handles calls without a version.

    `plain` is its handler if nothing must be selected or converted: one async function for every channel that takes no
    context, has no deadline, and returns the data unchanged.
    """

    tools: tuple[Tool, ...]
    default: Tool
    plain: Handler | None = None

    def fitting(self, range_text: str) -> tuple[Tool, ...]:
        """Return the versions that a range allows, newest first. Raises ValueError if the range cannot be read."""
        allowed = read_range(range_text)
        return tuple(tool for tool in self.tools if allowed.allows(tool.contract.version))


def family(tools: Iterable[Tool]) -> Family:
    """Create a family from versions of one tool. The default is the newest release that has a handler."""
    ordered = tuple(sorted(tools, key=_version_order, reverse=True))
    default = first_of(ordered)
    return Family(ordered, default, _plain_handler(default))


def _version_order(tool: Tool) -> tuple[bool, bool, Version]:
    """Return a sort key for versions: unreadable ones are the oldest, and pre-releases are older than others."""
    version = read_version(tool.contract.version)
    return version is not None, version is not None and version.prerelease is None, version or Version(0)


def _plain_handler(tool: Tool) -> Handler | None:
    handler = tool.handlers.get(None)
    if handler is None or len(tool.handlers) > 1 or not handler.is_async:
        return None
    if handler.takes_context or handler.wraps_result or handler.deadline is not None:
        return None
    return handler


def first_of(tools: Sequence[Tool]) -> Tool:
    """Return the newest of some versions, preferably one with a handler."""
    return next((tool for tool in tools if tool.handlers), tools[0])


def tool_of(contract: ToolContract, bounds: PayloadBounds) -> Tool:
    """Prepare a contract for validating calls within `bounds`.

    Raises `UsageError` if one of its schemas cannot be used, or its specification still contains a placeholder.
    """
    if contract.placeholders:
        first, more = contract.placeholders[0], len(contract.placeholders) - 1
        what = f"still contains the placeholder `{first.text}`" if first.text else "has an empty purpose"
        others = f" (and {more} more {'placeholders' if more > 1 else 'placeholder'})" if more else ""
        raise UsageError(
            f"{first.place.path}:{first.place.line}: `{contract.name}` {what}{others}",
            hint="write what is missing; `mcp-contracts lint` lists every placeholder",
        )
    arguments = _compile(contract, contract.input, _OBJECT)
    data = _compile(contract, contract.output, True)
    is_surely_valid = quick_check(arguments, min(bounds.characters, bounds.values), bounds.depth)
    is_valid_input = without_whole_floats(arguments.schema, is_surely_valid)
    declared = frozenset(error.name for error in contract.errors)
    return Tool(contract, arguments, data, is_valid_input, quick_check(data), declared)


def _compile(contract: ToolContract, part: SchemaPart | None, absent: JsonValue) -> CompiledSchema:
    compiled = compile_schema(absent if part is None else part.value)
    if compiled.refusal is not None and part is not None:
        refusal = compiled.refusal
        raise UsageError(
            f"the {part.part} schema of `{contract.name}` cannot be used: {refusal.message}"
            + (f" (at `{refusal.pointer}`)" if refusal.pointer else ""),
            hint="run `mcp-contracts lint` on its source and fix what it finds",
        )
    return compiled


def with_handler(tool: Tool, channel: str | None, handler: Handler, *, replaces: bool = False) -> Tool:
    """Return the tool with a handler added or replaced.

    Raises `UsageError` if the contract does not have the channel, or if the channel has a handler and `replaces` is
    false.
    """
    contract = tool.contract
    label = f"`{contract.name}`" + (f" {contract.version}" if contract.version else "")
    if channel is not None and contract.channels and channel not in contract.channels:
        names = ", ".join(f"`{name}`" for name in contract.channels)
        raise UsageError(
            f"the contract of {label} has no channel `{channel}`",
            hint=f"use one of {names}, or add it to the contract",
        )
    if channel in tool.handlers and not replaces:
        where = f" for the channel `{channel}`" if channel is not None else ""
        raise UsageError(
            f"{label} already has a function{where}",
            hint="give the second one its own `channel=` or `version=`, or pass `replace=True`",
        )
    return replace(tool, handlers={**tool.handlers, channel: handler})
