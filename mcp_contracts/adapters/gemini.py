"""Convert contracts, calls and results to the form of Gemini's API, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Literal

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters import wire
from mcp_contracts.adapters.base import Loss, ProviderCall, RefusedCall, ToolSet
from mcp_contracts.adapters.schemas_out import json_schema_form, losses_of, refused_parameters
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.fixed_places import FixedLocator, origin
from mcp_contracts.messages import MCPErrorDetail, MCPToolResult, ResultStatus, json_value
from mcp_contracts.providers.changes import ChangeKind, SubsetChange
from mcp_contracts.providers.gemini.form import gemini_form
from mcp_contracts.providers.gemini.reading import json_schema_of
from mcp_contracts.providers.limits.table import GEMINI
from mcp_contracts.providers.names import NameMap, mangle_names
from mcp_contracts.providers.roots import foreign_references, unreadable
from mcp_contracts.tool_names import Tools

SchemaForm = Literal["subset", "json"]
"""`parameters` with Gemini's own `Schema`, or `parametersJsonSchema` with JSON Schema."""

CARRIED: frozenset[str] = frozenset(("output_schema",))
"""The fields of a contract that a declaration includes in addition to its name, description and input."""

_LONGEST_NAME = 64
_NAME_CHARACTERS = "_-."
_HINT = 'send the tool with `schemas="json"`, or remove the recursive references from its schema'
_JSON_HINT = "use an object at the root of the input schema, and only letters, digits and `_` in parameter names"
_FIELDS = MCPToolResult.model_fields.keys()
_POSITION = re.compile(r"position:\d{1,9}")


def names_of(names: Iterable[str], *, longest: int = _LONGEST_NAME) -> NameMap:
    """Map dotted names to names that Gemini accepts: letters, digits, `_`, `-` and `.`, with a letter or `_` first.

    The API accepts 128 characters (google-genai 3.4, FunctionDeclaration) and older versions 64, so 64 works
    everywhere. Raises UsageError if two names become the same.
    """
    return mangle_names(names, extra=_NAME_CHARACTERS, longest=longest, starts_with_letter=True)


def tools_out(
    contracts: Tools,
    *,
    schemas: SchemaForm = "subset",
    with_output: bool = True,
    longest_name: int = _LONGEST_NAME,
) -> ToolSet:
    """Convert contracts to one Gemini tool with a function declaration for each, in order.

    `schemas` selects the form of the input: Gemini's `Schema` (see `gemini_form`), or JSON Schema with a plain object
    as its root. A tool without parameters has neither. `with_output` sends the schema of the result's data as
    `responseJsonSchema`. Raises NotPortableError if a tool cannot be sent (its root is not an object, it is recursive,
    a reference points outside the schema, or a parameter's name is not accepted), and UsageError if two tools get the
    same name.
    """
    named = wire.named_contracts(contracts)
    names = names_of((name for name, _ in named), longest=longest_name)
    declarations: list[JsonValue] = []
    losses: list[Loss] = []
    refusals: list[Loss] = []
    for name, contract in named:
        declaration: dict[str, JsonValue] = {"name": names.to_provider[name]}
        if contract.description:
            declaration["description"] = contract.description
        key = "parameters" if schemas == "subset" else "parametersJsonSchema"
        schema, changes = _input(contract.input_schema, schemas)
        if schema is not None:
            declaration[key] = schema
        refusals.extend(losses_of(name, (change for change in changes if change.is_refusal)))
        losses.extend(losses_of(name, (change for change in changes if not change.is_refusal)))
        carried = CARRIED if with_output else CARRIED - {"output_schema"}
        if with_output and contract.output_schema is not None:
            output, faults = _output(contract.output_schema)
            losses.extend(losses_of(name, faults, part="output"))
            if not faults:
                declaration["responseJsonSchema"] = output
        losses.extend(wire.lost_fields(contract, carried, provider="Gemini"))
        declarations.append(declaration)
    if refusals:
        raise wire.not_portable(refusals, provider="Gemini", hint=_HINT if schemas == "subset" else _JSON_HINT)
    tools: list[dict[str, JsonValue]] = [{"functionDeclarations": declarations}] if declarations else []
    return ToolSet("gemini" if schemas == "subset" else "gemini-json", tools, names, tuple(losses))


def _input(schema: JsonValue, form: SchemaForm) -> tuple[JsonValue, tuple[SubsetChange, ...]]:
    """Return an input schema in the given form, None if nothing is sent, and the changes and refusals."""
    if form == "json":
        root = json_schema_form(schema, GEMINI)
        return root.schema, (*root.changes, *refused_parameters(root.schema, GEMINI))
    made = gemini_form(schema)
    try:
        found: JsonValue = json_value(made.schema)
    except ValueError:
        message = "the schema is too large or too deeply nested once its references are inlined"
        return None, (*made.changes, SubsetChange("", "", message, ChangeKind.REFUSED))
    return found, (*made.changes, *refused_parameters(found, GEMINI))


def _output(schema: JsonValue) -> tuple[JsonValue, tuple[SubsetChange, ...]]:
    """Return an output schema in the form that is sent, or the reasons for omitting it."""
    faults = (*unreadable(schema), *foreign_references(schema))
    left = tuple(
        SubsetChange(fault.pointer, "output_schema", f"the output schema is left out: {fault.message}", ChangeKind.NOTE)
        for fault in faults
    )
    return (None, left) if left else (json_value(schema), ())


def tools_in(tools: object, *, names: NameMap | None = None, module: str | None = None) -> tuple[ToolContract, ...]:
    """Convert the function declarations of Gemini tools to contracts, in order.

    Accepts tools as an array or under `tools`, one tool, or an array of declarations, with the keys of the wire format
    or of Google's Python package. With `names` they get their dotted names back; without, each keeps its name. Raises
    UsageError for an entry that does not declare a function, such as a tool that the API runs itself, or that is not
    valid JSON.
    """
    text = origin("gemini")
    declared = enumerate(_declarations(tools), 1)
    return tuple(_contract(text, entry, f"declaration {number}", names, module) for number, entry in declared)


def _declarations(tools: object) -> Iterator[dict[str, JsonValue]]:
    listed = tools.get("tools", [tools]) if isinstance(tools, dict) else tools
    hint = 'pass tools with `functionDeclarations`, or `{"tools": […]}`'
    if not isinstance(listed, list):
        raise UsageError("expected Gemini tools", hint=hint)
    for number, entry in enumerate(listed, 1):
        found = _either(entry, "functionDeclarations", "function_declarations")
        declared = found if isinstance(found, list) else [entry]
        for declaration in declared:
            if not isinstance(declaration, dict) or not wire.text_of(declaration, "name"):
                raise UsageError(f"tool {number} declares no function with a `name`", hint=hint)
            yield declaration


def _contract(
    text: FixedLocator, entry: dict[str, JsonValue], tool: str, names: NameMap | None, module: str | None
) -> ToolContract:
    name = wire.dotted_name(wire.wire_text(entry, "name", of=tool), names)
    schema = _either(entry, "parametersJsonSchema", "parameters_json_schema")
    if schema is None:
        parameters = entry.get("parameters")
        # "For function with no parameters, this can be left unset."
        schema = {"type": "object", "properties": {}}
        if parameters is not None:
            schema = json_schema_of(wire.wire_json(parameters, f"the `parameters` schema of {tool}"))
    output = _either(entry, "responseJsonSchema", "response_json_schema")
    if output is None and entry.get("response") is not None:
        output = json_schema_of(wire.wire_json(entry["response"], f"the `response` schema of {tool}"))
    return ToolContract(
        name=name,
        place=text.place(),
        module=module or (name.partition(".")[0] if "." in name else None),
        description=wire.wire_text(entry, "description", of=tool),
        input=wire.wire_schema(text, "input", schema),
        output=wire.wire_schema(text, "output", output),
    )


# Calls


def call_in(value: object, names: NameMap, *, position: int = 1) -> ProviderCall | RefusedCall:
    """Read one call: a part with `functionCall`, or its content; as JSON or as Google's object.

    A Gemini call without an `id` is identified by its position in the message, such as `position:1`, which `result_out`
    omits again. A call that cannot be run is a RefusedCall with an error for the model.
    """
    part = wire.dump_plain(value)
    block = _either(part, "functionCall", "function_call") or part
    identifier = wire.text_of(block, "id") or f"position:{position}"
    sent = wire.text_of(block, "name")
    if not isinstance(block, dict) or ("name" not in block and "args" not in block):
        return wire.refuse_call(identifier, sent, "the part is not a `functionCall`")
    if _either(block, "partialArgs", "partial_args") or _either(block, "willContinue", "will_continue") is True:
        return wire.refuse_call(identifier, sent, "the call is an incomplete part of a streamed call")
    arguments = block.get("args")
    found = {} if arguments is None else wire.check_arguments(arguments, what="the `args`", verb="is")
    return wire.provider_call(identifier, sent, names, found)


def calls_in(message: object, names: NameMap) -> tuple[ProviderCall | RefusedCall, ...]:
    """Read all calls of a response, a content or a list of parts, in order; there may be none.

    Includes the calls of all candidates of a response.
    """
    blocks = _parts(message, "functionCall", "function_call")
    return tuple(call_in(block, names, position=position) for position, block in enumerate(blocks, 1))


def call_out(call: ProviderCall, names: NameMap) -> dict[str, JsonValue]:
    """Write a call as the part that the model would have written.

    Raises UsageError if the map does not contain the tool.
    """
    sent = wire.sent_name(call, names)
    block: dict[str, JsonValue] = {"name": sent, "args": json_value(call.call.arguments)}
    return {"functionCall": {**id_member(call.id), **block}}


def calls_out(calls: Iterable[ProviderCall], names: NameMap) -> dict[str, JsonValue]:
    """Write calls as one content of the model."""
    return {"role": "model", "parts": [call_out(call, names) for call in calls]}


# Results


def result_out(
    call_id: str, result: MCPToolResult, *, tool_name: str, names: NameMap | None = None
) -> dict[str, JsonValue]:
    """Write a result as the part that answers a call.

    `tool_name` is the tool's dotted name, or the provider's name of a RefusedCall: Gemini requires it in addition to
    the identifier. The response is the whole result (status, data, error and explanation) under `output`, or under
    `error` for a failure, as `FunctionResponse` of google-genai 3.4 requires.
    """
    sent = tool_name if names is None else names.to_provider.get(tool_name, tool_name)
    key = "error" if result.status is ResultStatus.FAILURE else "output"
    return {"functionResponse": {**id_member(call_id), "name": sent, "response": {key: result.to_dict()}}}


def id_member(call_id: str) -> dict[str, JsonValue]:
    """Return the `id` of a call or a response; empty for a position."""
    return {} if not call_id or _POSITION.fullmatch(call_id) else {"id": call_id}


def result_in(value: object, *, position: int = 1) -> tuple[str, MCPToolResult]:
    """Return the identifier and the result of a part with `functionResponse`, or of its content.

    Without an `id` the identifier is `position:1`, as in `call_in`. In a response that we did not write, `output` is
    the data, `error` makes it a failure (with `output`, a partial success), and any other response is the data; a value
    that is not an object becomes the data `{"result": value}`. Media of the response are in the data under `parts`.
    Raises UsageError if the value does not answer a call.
    """
    part = wire.dump_plain(value)
    block = _either(part, "functionResponse", "function_response") or part
    if not isinstance(block, dict) or "response" not in block:
        raise UsageError("this part is not a function response", hint="pass a part with `functionResponse`")
    identifier = wire.text_of(block, "id") or f"position:{position}"
    response, media = block["response"], block.get("parts")
    own = None if media else _read_own_result(response)
    return identifier, own or _foreign(response, media)


def results_in(message: object) -> tuple[tuple[str, MCPToolResult], ...]:
    """Return all results of a content or a list of parts, in order."""
    blocks = _parts(message, "functionResponse", "function_response")
    return tuple(result_in(block, position=position) for position, block in enumerate(blocks, 1))


def _read_own_result(response: object) -> MCPToolResult | None:
    """Return the result that `result_out` wrote, or None if the response comes from someone else."""
    if not isinstance(response, dict) or len(response) != 1:
        return None
    ((key, value),) = response.items()
    if not isinstance(value, dict) or value.keys() != _FIELDS:
        return None
    try:
        found = MCPToolResult.model_validate(value)
    except ValueError:
        return None
    return found if key == ("error" if found.status is ResultStatus.FAILURE else "output") else None


def _foreign(response: object, media: object) -> MCPToolResult:
    try:
        return _read(json_value(response), json_value(media) if media else None)
    except (ValueError, RecursionError):  # a message cannot represent it: NaN, a lone surrogate, nested too deeply
        return MCPToolResult(data={"result": wire.as_text({"response": response, "parts": media})})


def _read(response: JsonValue, media: JsonValue) -> MCPToolResult:
    if not isinstance(response, dict) or response.keys() - {"output", "error"} or not response:
        return MCPToolResult(data=_with_media(response, media))
    error = response.get("error")
    if error is None:
        return MCPToolResult(data=_with_media(response.get("output"), media))
    message = error if isinstance(error, str) else json.dumps(error, ensure_ascii=False)
    if "output" in response:
        detail = MCPErrorDetail(error_type="ToolExecutionError", error_message=message)
        data = _with_media(response["output"], media)
        return MCPToolResult(status=ResultStatus.PARTIAL_SUCCESS, data=data, error=detail)
    details = {"parts": media} if media else None
    detail = MCPErrorDetail(error_type="ToolExecutionError", error_message=message, error_details=details)
    return MCPToolResult(status=ResultStatus.FAILURE, error=detail)


def _with_media(value: JsonValue, media: JsonValue) -> dict[str, JsonValue]:
    data: dict[str, JsonValue] = value if isinstance(value, dict) else {"result": value}
    key = "parts"
    while key in data:
        key += "_"
    return {**data, key: media} if media else data


def _parts(message: object, *keys: str, levels: int = 8) -> Iterator[object]:
    """Yield the values of a key in the parts of a content, a response or a list of those, or in the part itself."""
    value = wire.dump_plain(message)
    if isinstance(value, list) and levels > 0:
        for item in value:
            yield from _parts(item, *keys, levels=levels - 1)
    elif isinstance(value, dict) and levels > 0:
        found = _either(value, *keys)
        if found is not None:
            yield found
        for key in ("candidates", "content", "parts"):
            if isinstance(value.get(key), list | dict):
                yield from _parts(value[key], *keys, levels=levels - 1)


def _either(value: object, *keys: str) -> JsonValue:
    """Return the value of the first key that is present and not null."""
    found: Iterator[JsonValue] = (
        (value[key] for key in keys if value.get(key) is not None) if isinstance(value, dict) else iter(())
    )
    return next(found, None)
