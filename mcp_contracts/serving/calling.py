"""One call to one tool, for people: the tool that a name means, typed arguments, and live servers."""

from __future__ import annotations

import asyncio
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import SourceError, UsageError
from mcp_contracts.json_values.text import describe_fault, read_json
from mcp_contracts.messages import MCPToolResult
from mcp_contracts.runtime.context import CallContext
from mcp_contracts.runtime.registry import ToolRegistry
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.sources.servers.access import Server, ServerAccess
from mcp_contracts.tool_names import nearest_names
from mcp_contracts.witnesses.suggestions import outline_of

if TYPE_CHECKING:
    from mcp_contracts.sources.servers.connection import Connection

Arguments = dict[str, JsonValue]
_Called = tuple[str, Mapping[str, JsonValue], MCPToolResult]
ReadArguments = Callable[[ToolContract], Arguments]
"""Builds the arguments of a call for a given contract."""


def find_tool(contracts: Iterable[ToolContract], name: str) -> ToolContract:
    """Return the tool with a dotted name, the server's own name, or the last part of a name.

    Raises `UsageError` if no tool has that name, or several have that last part.
    """
    known = list(contracts)
    exact = [one for one in known if name in (one.name, one.source_name)]
    found = exact or [one for one in known if one.name.rpartition(".")[2] == name]
    if len(found) == 1:
        return found[0]
    if found:
        meant = ", ".join(f"`{one.name}`" for one in found)
        raise UsageError(f"`{name}` is ambiguous: it can mean {meant}", hint="write the whole name")
    names = {one.name if "." in name else one.name.rpartition(".")[2]: one.name for one in known}
    near = [names[one] for one in nearest_names(name, names, limit=1)]
    hint = f"did you mean `{near[0]}`?" if near else None
    if not near and known:
        shown = ", ".join(f"`{one.name}`" for one in known[:5])
        hint = f"there {'is' if len(known) == 1 else 'are'} {shown}" + (" and others" if len(known) > 5 else "")
    raise UsageError(f"unknown tool `{name}`", hint=hint)


def typed_arguments(contract: ToolContract, pairs: Sequence[str]) -> Arguments:
    """Read `name=value` pairs as arguments under the input schema of a contract.

    A value is JSON if the schema accepts it, otherwise text; a repeated name becomes an array. Raises `UsageError` for
    anything that is not a pair.
    """
    given: dict[str, list[str]] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"`{pair}` is not `name=value`", hint="pass JSON with `--arguments` for anything else")
        given.setdefault(name, []).append(text)
    schema = contract.input_schema
    if schema is None:
        schema = True
    outline = outline_of(schema)
    nodes = outline.applying((schema,))
    return {name: _convert(outline.members(nodes, name), texts) for name, texts in given.items()}


def _convert(schemas: Sequence[JsonValue], texts: Sequence[str]) -> JsonValue:
    def is_accepted(value: JsonValue) -> bool:
        return all(accepts(compile_schema(schema), value) is not False for schema in schemas)

    values = [_read(text) for text in texts]
    texts_again: list[JsonValue] = [*texts]
    candidates: list[JsonValue] = [values, texts_again]
    if len(texts) == 1:
        candidates = [values[0], texts[0], *candidates]
    return next((value for value in candidates if is_accepted(value)), candidates[0])


def _read(text: str) -> JsonValue:
    try:
        value: JsonValue = read_json(text)
    except ValueError:
        return text
    return value


def read_arguments(text: bytes, *, what: str) -> Arguments:
    """Read arguments from JSON in UTF-8, with or without a byte order mark.

    Raises `UsageError` if the text is not a JSON object; `what` names its origin.
    """
    hint = 'pass an object, such as `{"city": "Oslo"}`'
    try:
        value = read_json(text.removeprefix(BOM_UTF8))
    except ValueError as error:
        raise UsageError(f"{what} is {describe_fault(error)}", hint=hint) from error
    if not isinstance(value, dict):
        raise UsageError(f"{what} is not a JSON object", hint=hint)
    return value


async def call_tool(
    registry: ToolRegistry,
    name: str,
    arguments: ReadArguments,
    context: CallContext,
    *,
    version: str | None = None,
) -> tuple[str, Mapping[str, JsonValue], MCPToolResult]:
    """Call a tool of a registry by any of its names; return its dotted name, the arguments and the result."""
    contract = find_tool(registry.tools(), name)
    given = arguments(contract)
    result = await registry.acall({"tool_name": contract.name, "arguments": given}, version=version, context=context)
    return contract.name, given, result


def call_server(
    server: Server,
    access: ServerAccess,
    name: str,
    arguments: ReadArguments,
    context: CallContext,
    *,
    version: str | None = None,
) -> tuple[str, Mapping[str, JsonValue], MCPToolResult]:
    """Call a tool of a live server, which is started or contacted for this one call.

    Arguments are validated before they are sent, and the result is checked against the schema that the server declares.
    Raises `SourceError` if the server is not available or responds to another request than the call, and `UsageError`
    for an unknown tool.
    """
    from mcp_contracts.runtime.remote.sessions import require_mcp

    require_mcp()
    from mcp_contracts.runtime.remote.tools import connect  # the SDK, an optional extra
    from mcp_contracts.sources.servers.connection import run

    refusals: list[UsageError] = []

    async def work(connection: Connection) -> _Called | None:
        registry = ToolRegistry()
        connection.step[0] = "`tools/list`"
        async with asyncio.timeout(access.timeout):
            remote = await connect(registry, connection.client, server=connection.name or "server")
        async with remote:
            connection.step[0] = "`tools/call`"
            try:
                call = asyncio.ensure_future(call_tool(registry, name, arguments, context, version=version))
                return await _answer_in_time(call, connection)
            except UsageError as error:
                reason = next((why for tool, why in remote.refused.items() if tool.endswith(name)), None)
                refusals.append(error if reason is None else UsageError(f"`{name}` cannot be called: {reason}"))
                return None

    answer = run(server, work, access)
    if refusals:
        raise refusals[0]
    if answer is None:
        raise SourceError(f"the server `{server.shown}` sent no response")
    return answer


async def _answer_in_time(call: asyncio.Future[_Called], connection: Connection) -> _Called:
    """Wait for a call; once the server has responded to a request that was never sent, only until the timeout."""
    mismatch = asyncio.ensure_future(connection.answers.has_unmatched.wait())
    try:
        await asyncio.wait((call, mismatch), return_when=asyncio.FIRST_COMPLETED)
        async with asyncio.timeout(connection.access.timeout if mismatch.done() else None):
            return await call
    finally:
        mismatch.cancel()
        call.cancel()
