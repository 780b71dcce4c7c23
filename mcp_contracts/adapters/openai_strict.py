"""Convert contracts to OpenAI's strict tools, and read a model's calls to those tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcp_contracts.adapters import openai
from mcp_contracts.adapters.base import Loss, ProviderCall, RefusedCall, ToolSet
from mcp_contracts.adapters.openai import Interface
from mcp_contracts.adapters.schemas_out import losses_of
from mcp_contracts.adapters.wire import lost_fields, named_contracts, not_portable
from mcp_contracts.contract import JsonValue
from mcp_contracts.messages import MCPToolCall, json_value
from mcp_contracts.providers.names import NameMap
from mcp_contracts.providers.strict.form import StrictForm, strict_form
from mcp_contracts.providers.strict.values import with_nulls, without_nulls
from mcp_contracts.records import dataclass
from mcp_contracts.tool_names import Tools

_HINT = (
    "declare every property and the items of every array, or send the tool without strict mode (`plain_where_refused`)"
)


# These do not depend on strict mode.
tools_in, result_in, result_out = openai.tools_in, openai.result_in, openai.result_out


@dataclass(frozen=True, slots=True)
class StrictTools:
    """The data for reading calls to strict tools: names in both directions, and strict forms by dotted name.

    A tool without a strict form is included without one: its calls are read unchanged.
    """

    names: NameMap
    forms: Mapping[str, StrictForm]


def strict_tools(contracts: Tools) -> StrictTools:
    """Return what is needed to read calls to these contracts' strict tools. Create it once for all calls.

    Raises UsageError if two tools get the same name.
    """
    named = named_contracts(contracts)
    forms = {name: strict_form(contract.input_schema) for name, contract in named}
    return StrictTools(openai.names_of(name for name, _ in named), forms)


def tools_out(contracts: Tools, *, interface: Interface = "chat", plain_where_refused: bool = False) -> ToolSet:
    """Convert contracts to strict OpenAI tools, in order.

    Optional properties become required, and null represents omitted ones: `call_in` reverts that, so it is not a loss.
    Keywords outside the strict subset are moved to descriptions, which is a loss at each place. Raises NotPortableError
    with each place if a tool has no strict form (a map, a free-form object, a limit); with `plain_where_refused`, such
    a tool is sent without strict mode instead, which is also a loss.
    """
    named = named_contracts(contracts)
    names = openai.names_of(name for name, _ in named)
    tools = []
    losses: list[Loss] = []
    refusals: list[Loss] = []
    for name, contract in named:
        form = strict_form(contract.input_schema)
        found = losses_of(name, form.refusals if form.schema is None else form.losses)
        if form.schema is not None:
            tools.append(openai.tool(names.to_provider[name], contract, form.schema, interface, is_strict=True))
            losses.extend((*found, *lost_fields(contract, openai.CARRIED, provider="OpenAI")))
        elif plain_where_refused:
            one = openai.tools_out([contract], interface=interface)
            tools.extend(one.tools)
            losses.extend((*found, *one.losses))
        else:
            refusals.extend(found)
    if refusals:
        raise not_portable(refusals, provider="OpenAI in strict mode", hint=_HINT)
    return ToolSet(openai.format_name("openai-strict", interface), tools, names, tuple(losses))


def call_in(value: object, tools: StrictTools) -> ProviderCall | RefusedCall:
    """Read one call to a strict tool, and remove the nulls that represent omitted properties.

    The contract accepts all arguments that the strict schema accepts, except for the losses of `tools_out`. A call that
    cannot be run is a RefusedCall, as in `openai.call_in`.
    """
    found = openai.call_in(value, tools.names)
    if isinstance(found, RefusedCall):
        return found
    form = tools.forms.get(found.call.tool_name)
    if form is None or form.schema is None:
        return found
    arguments = without_nulls(form, found.call.arguments)
    return ProviderCall(found.id, MCPToolCall(tool_name=found.call.tool_name, arguments=arguments))


def calls_in(message: object, tools: StrictTools) -> tuple[ProviderCall | RefusedCall, ...]:
    """Read all calls of an assistant message, of a whole response or of its items, in order."""
    return tuple(call_in(block, tools) for block in openai.call_blocks(message))


def call_out(call: ProviderCall, tools: StrictTools, *, interface: Interface = "chat") -> dict[str, JsonValue]:
    """Write a call as the model would have written it for the strict schema, with null for omitted properties.

    Raises UsageError for an unknown tool.
    """
    form = tools.forms.get(call.call.tool_name)
    if form is not None and form.schema is not None:
        arguments = with_nulls(form, json_value(call.call.arguments))
        call = ProviderCall(call.id, MCPToolCall(tool_name=call.call.tool_name, arguments=arguments))
    return openai.call_out(call, tools.names, interface=interface)


def calls_out(calls: Iterable[ProviderCall], tools: StrictTools) -> dict[str, JsonValue]:
    """Write calls as one assistant message of Chat Completions. In Responses each call is an item: see `call_out`."""
    return {"role": "assistant", "content": None, "tool_calls": [call_out(call, tools) for call in calls]}
