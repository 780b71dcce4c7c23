"""Convert contracts, calls and results to MCP, in its revisions 2025-11-25 and 2026-07-28, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters import mcp_messages
from mcp_contracts.adapters.base import Loss, ToolSet
from mcp_contracts.adapters.mcp_schemas import ERAS, Era, SentSchema, sent_input, sent_output
from mcp_contracts.adapters.wire import dotted_name, dump_plain, json_fault, lost_fields, named_contracts, not_portable
from mcp_contracts.bundle import to_bundle
from mcp_contracts.contract import Contracts, JsonValue, ToolContract, ToolListFile
from mcp_contracts.errors import UsageError
from mcp_contracts.fixed_places import origin
from mcp_contracts.messages import json_value
from mcp_contracts.parsing.tool_entries import VERSION_KEY, bundle_contract, mcp_contract
from mcp_contracts.providers.names import NameMap, mangle_names
from mcp_contracts.records import replace
from mcp_contracts.tool_names import Tools

call_in, call_out, calls_in = mcp_messages.call_in, mcp_messages.call_out, mcp_messages.calls_in
result_in, result_out = mcp_messages.result_in, mcp_messages.result_out
answer_out, refusal_out = mcp_messages.answer_out, mcp_messages.refusal_out

CONTRACT_KEY = "org.mcp-contracts/contract"
"""The `_meta` key for fields that MCP has no place for, in the form of a bundle; only sent on request."""

_LONGEST_NAME = 128
_NAME = re.compile(rf"[A-Za-z0-9._-]{{1,{_LONGEST_NAME}}}")
_HINT = 'use `"type": "object"` at the root of every input schema'
_ATTRIBUTES = {"input_schema": "input", "output_schema": "output"}
"""Fields whose names differ from those of a bundle."""
_CARRIED = (
    *("module", "source_name", "title", "version", "status", "effects", "idempotent", "task_support", "category"),
    *("tags", "optional", "use_when", "channels", "input_schema", "output_schema", "errors", "security", "examples"),
    "migrations",
)
_READ_BACK = ("title", "version", "effects", "idempotent", "task_support")
_Tool = dict[str, JsonValue]


# Tools


def tools_out(
    contracts: Tools, *, era: Era = "2025-11-25", with_contract: bool = False, with_tasks: bool = True
) -> ToolSet:
    """Convert contracts to the tools of a `tools/list` result, in order; see `list_result` for the result itself.

    A tool has its server's own name, or else its dotted name, which MCP's alphabet allows. Effects and idempotency
    become annotations, but only if the contract states them; the version is in `_meta`. Task support becomes
    `execution` in 2025-11-25, the only revision that has it; a server that runs no tasks omits it (`with_tasks`).
    Fields without a place in MCP are losses or, with `with_contract`, are carried in `_meta`. Raises NotPortableError
    if a schema has no form in MCP, because clients then drop the whole list, and UsageError if two tools get the same
    name.
    """
    if era not in ERAS:
        raise UsageError(f"unknown era `{era}`", hint=f"use one of {', '.join(ERAS)}")
    named = named_contracts(contracts)
    names = _names(named)
    tools: list[_Tool] = []
    losses: list[Loss] = []
    refusals: list[Loss] = []
    for name, contract in named:
        sent_name = names.to_provider[name]
        given, returned = sent_input(contract.input_schema), sent_output(contract.output_schema, era)
        if given.schema is None:
            refusals.append(Loss(name, "input", given.pointer, given.keyword, str(given.message)))
            continue
        tool = _tool(sent_name, contract, given, returned)
        if contract.task_support is not None and with_tasks and era == "2025-11-25":
            tool["execution"] = {"taskSupport": contract.task_support}
        lost = tuple(_losses(name, contract, tool, given, returned))
        if with_contract:
            lost = _with_contract(tool, contract, lost)
        tools.append(tool)
        losses.extend(lost)
    if refusals:
        raise not_portable(refusals, provider="MCP", hint=_HINT)
    return ToolSet(f"mcp-{era}", tools, names, tuple(losses))


def list_result(
    tool_set: ToolSet, *, ttl_ms: int = 0, cache_scope: Literal["private", "public"] = "private"
) -> dict[str, JsonValue]:
    """Return the `tools/list` result for tools that `tools_out` created, in the form of its era.

    For 2026-07-28 it states how long (in ms) and for whom the list may be cached: by default not at all, and only
    privately.
    """
    tools: list[JsonValue] = [*tool_set.tools]
    match tool_set.format:
        case "mcp-2025-11-25":
            return {"tools": tools}
        case "mcp-2026-07-28":
            return {"resultType": "complete", "tools": tools, "ttlMs": ttl_ms, "cacheScope": cache_scope}
    raise UsageError(f"the tools are in the format `{tool_set.format}`", hint="create them with `mcp.tools_out`")


def _names(named: Sequence[tuple[str, ToolContract]]) -> NameMap:
    """Map each tool to its own name, or to its dotted name if that is not valid in MCP or used twice."""
    dotted = {name: name if len(name) <= _LONGEST_NAME else _shorten(name) for name, _ in named}
    if len(dotted) < len(named):
        twice = next(name for name, count in Counter(name for name, _ in named).items() if count > 1)
        raise UsageError(f"two tools are named `{twice}`", hint="pass one version of each tool")
    own = {name: contract.source_name or contract.name for name, contract in named}
    sent = {name: own[name] if _NAME.fullmatch(own[name]) else dotted[name] for name in dotted}
    while True:
        counts = Counter(sent.values())
        clashing = [name for name, used in sent.items() if counts[used] > 1 and used != dotted[name]]
        if not clashing:
            break
        sent.update((name, dotted[name]) for name in clashing)
    return NameMap(sent, {used: name for name, used in sent.items()})


def _shorten(name: str) -> str:
    return mangle_names((name,), extra="_-.", longest=_LONGEST_NAME).to_provider[name]


def _tool(name: str, contract: ToolContract, given: SentSchema, returned: SentSchema) -> _Tool:
    tool: _Tool = {"name": name}
    if contract.title:
        tool["title"] = contract.title
    if contract.description:
        tool["description"] = contract.description
    tool["inputSchema"] = given.schema
    if returned.schema is not None:
        tool["outputSchema"] = returned.schema
    annotations = dict(_annotations(contract))
    if annotations:
        tool["annotations"] = annotations
    if contract.version is not None:
        tool["_meta"] = {VERSION_KEY: contract.version}
    return tool


def _annotations(contract: ToolContract) -> Iterator[tuple[str, JsonValue]]:
    """Yield the hints that the contract states; others keep MCP's defaults, which assume the worst."""
    effects = contract.effects
    if effects is not None and effects.change is not None:
        yield "readOnlyHint", effects.change == "read-only"
        if effects.change != "read-only":  # it has no meaning for read-only tools
            yield "destructiveHint", effects.change == "destructive"
    if contract.idempotent in ("yes", "no"):
        yield "idempotentHint", contract.idempotent == "yes"
    if effects is not None and effects.world is not None:
        yield "openWorldHint", effects.world == "open-world"


def _losses(name: str, contract: ToolContract, tool: _Tool, given: SentSchema, returned: SentSchema) -> Iterator[Loss]:
    """Yield what converting back does not restore."""
    if given.message is not None:
        yield Loss(name, "input", given.pointer, given.keyword, given.message)
    if returned.message is not None:
        yield Loss(name, "output", returned.pointer, returned.keyword, returned.message)
    own = contract.source_name or contract.name
    if tool["name"] != own:
        message = f"the tool is sent as `{tool['name']}`, because its own name is taken or not valid in MCP"
        yield Loss(name, "tool", "", "source_name", message)
    back = mcp_contract(origin("mcp"), "", tool, None)
    carried = [key for key in _READ_BACK if getattr(back, key) == getattr(contract, key)]
    yield from lost_fields(contract, (*carried, "source_name", "output_schema"), provider="MCP")


def _with_contract(tool: _Tool, contract: ToolContract, losses: tuple[Loss, ...]) -> tuple[Loss, ...]:
    """Add to `_meta` what would be lost, in the form of a bundle; return what is still lost."""
    [stated] = to_bundle(Contracts((ToolListFile("", "", contracts=(contract,)),)))["tools"]
    fields: Mapping[str, object] = {**stated}
    kept: _Tool = {}
    left = []
    for loss in losses:
        field = loss.keyword if loss.part == "tool" else f"{loss.part}_schema"
        try:
            if _is_partly_dropped(contract, field):
                left.append(loss)
            # An absent input schema is null here: a schema that accepts any object was sent for it.
            kept[field] = json_value(fields.get(field) if field == "input_schema" else fields[field])
        except (KeyError, ValueError):  # not stated, or not representable in a message
            left.append(loss)
    if kept:
        meta = tool.get("_meta")
        tool["_meta"] = {**(meta if isinstance(meta, dict) else {}), CONTRACT_KEY: kept}
    return tuple(left)


def _is_partly_dropped(contract: ToolContract, field: str) -> bool:
    """Whether a bundle drops a part of a field: text of the author that could not be interpreted."""
    if field == "examples":
        return any(example.value is None and example.kind != "data" for example in contract.examples)
    return field == "effects" and contract.effects is not None and bool(contract.effects.unknown)


def tools_in(tools: object, *, names: NameMap | None = None, module: str | None = None) -> tuple[ToolContract, ...]:
    """Convert tools as an array, under `tools`, or in a JSON-RPC response to `tools/list`, to contracts, in order.

    With `names` they get their dotted names back, and keep their own as `source_name`; without, each keeps its name.
    `module` is their module, by default the first part of a dotted name. The version in `_meta` is ours or FastMCP's.
    Raises UsageError for an entry that is not a tool with a name.
    """
    listed = dump_plain(tools)
    if isinstance(listed, dict):
        result = listed.get("result")
        listed = (result if isinstance(result, dict) else listed).get("tools")
    if not isinstance(listed, list | tuple):
        raise UsageError("expected MCP tools", hint='pass an array of tools, or `{"tools": […]}`')
    return tuple(_contract(dump_plain(entry), number, names, module) for number, entry in enumerate(listed, 1))


def _contract(entry: object, number: int, names: NameMap | None, module: str | None) -> ToolContract:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str) or not entry["name"]:
        raise UsageError(f"tool {number} has no `name`", hint="pass tools as `tools/list` returns them")
    try:
        copied: _Tool = json_value(entry)
    except ValueError as error:
        raise UsageError(json_fault(error, f"tool {number}"), hint="pass JSON") from error
    text = origin("mcp")
    sent = str(copied["name"])
    name = dotted_name(sent, names)
    found = mcp_contract(text, "", copied, module or (name.partition(".")[0] if "." in name else None))
    if name != sent:
        found = replace(found, name=name, source_name=sent)
    meta = copied.get("_meta")
    kept = meta.get(CONTRACT_KEY) if isinstance(meta, dict) else None
    if not isinstance(kept, dict):
        return found
    stated = bundle_contract(text, "", {**kept, "name": name})
    fields = [field for field in _CARRIED if field in kept and (field != "module" or module is None)]
    changes: dict[str, Any] = {key: getattr(stated, key) for key in (_ATTRIBUTES.get(one, one) for one in fields)}
    return replace(found, **changes)
