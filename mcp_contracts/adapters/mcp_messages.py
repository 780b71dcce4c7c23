"""Convert calls and results to and from MCP's `tools/call` requests and responses (JSON-RPC)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from mcp_contracts import lazy_re as re
from mcp_contracts.adapters.base import ProviderCall, RefusedCall
from mcp_contracts.adapters.mcp_schemas import Era, OutputForm, output_form
from mcp_contracts.adapters.wire import check_arguments, dump_plain, provider_call, refuse_call, sent_name, text_of
from mcp_contracts.contract import JsonValue, ToolContract
from mcp_contracts.errors import UsageError
from mcp_contracts.mcp_content.reading import failure, protocol_error_type, result_of
from mcp_contracts.mcp_content.writing import Shape, answer_of, without_blocks
from mcp_contracts.messages import MCPToolResult, ResultStatus
from mcp_contracts.providers.names import NameMap
from mcp_contracts.schema.validation.validators import accepts, compile_schema
from mcp_contracts.schema.wording import writable

_METHOD = "tools/call"
_INVALID_PARAMS = -32602
_MOST_BITS = 64
"""Maximum size of an integer identifier of a request; a larger number is sent as text."""
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,30})")


# Calls


def call_in(value: object, names: NameMap) -> ProviderCall | RefusedCall:
    """Read a call: a `tools/call` request in JSON-RPC, or only its `params`; as JSON or as the SDK's object.

    The identifier is the request's `id` as text: `7` for the number, `"7"` in quotes for the text of a number, other
    text unchanged, and empty if the request has none. A call that cannot be run is a RefusedCall; see `refusal_out`.
    """
    request = dump_plain(value)
    if not isinstance(request, dict):
        return refuse_call("", "", "the call is not an object")
    if "method" not in request and "params" not in request:
        return _call("", request, names)
    identifier = _text_of_id(request.get("id"))
    if request.get("method", _METHOD) != _METHOD:
        return refuse_call(identifier, "", f"the request is not `{_METHOD}`")
    return _call(identifier, request.get("params"), names)


def _call(identifier: str, params: object, names: NameMap) -> ProviderCall | RefusedCall:
    if not isinstance(params, dict):
        return refuse_call(identifier, "", "the `params` of the call are not an object")
    arguments = params.get("arguments")
    given = {} if arguments is None else check_arguments(arguments)
    return provider_call(identifier, text_of(params, "name"), names, given)


def calls_in(message: object, names: NameMap) -> tuple[ProviderCall | RefusedCall, ...]:
    """Read all calls of a request or an array of requests, in order. Requests for other methods contain none."""
    listed = message if isinstance(message, list | tuple) else (message,)
    requests = (dump_plain(value) for value in listed)
    return tuple(call_in(one, names) for one in requests if isinstance(one, dict) and one.get("method") == _METHOD)


def call_out(call: ProviderCall, names: NameMap) -> dict[str, JsonValue]:
    """Write a call as a `tools/call` request. The `_meta` that 2026-07-28 requires is added by the connection.

    Raises UsageError if the map does not contain the tool, or the call has no `id`.
    """
    sent = sent_name(call, names)
    if not call.id:
        raise UsageError("the call has no `id`", hint="add an `id`: the response to a request repeats it")
    params: JsonValue = {"name": sent, "arguments": call.call.to_dict()["arguments"]}
    return {"jsonrpc": "2.0", "id": _id_of_text(call.id), "method": _METHOD, "params": params}


def refusal_out(call: RefusedCall) -> dict[str, JsonValue]:
    """Write the response to a call that cannot be run: a JSON-RPC error, as MCP requires for unknown tools."""
    error: JsonValue = {"code": _INVALID_PARAMS, "message": call.error.error_message}
    return {"jsonrpc": "2.0", "id": _id_of_text(call.id) if call.id else None, "error": error}


# Results


def result_out(
    call_id: str, result: MCPToolResult, *, era: Era = "2025-11-25", contract: ToolContract | None = None
) -> dict[str, JsonValue]:
    """Write a result as the JSON-RPC response to a call; see `answer_out` for the response without JSON-RPC.

    Raises UsageError if the identifier is empty.
    """
    if not call_id:
        raise UsageError("the result has no `id`", hint="use `answer_out` for a response without JSON-RPC")
    return {"jsonrpc": "2.0", "id": _id_of_text(call_id), "result": answer_out(result, era=era, contract=contract)}


def answer_out(
    result: MCPToolResult,
    *,
    era: Era = "2025-11-25",
    contract: ToolContract | None = None,
    received: Mapping[str, JsonValue] | None = None,
) -> dict[str, JsonValue]:
    """Write a result as a `CallToolResult`: the data as `structuredContent` and, as MCP recommends, as JSON text.

    `contract` is the tool's contract, as given to `tools_out` in the same era: clients validate a response against the
    output schema that they received. Without one, data that consists of content blocks is sent as such. A status, an
    error (with `isError` for a failure) and an explanation are sent as text for the model, and exactly in `_meta`. A
    result without the data that the output schema requires, such as `no_change_needed`, has `isError`, because clients
    otherwise reject it; converting it back is still exact. `received` is the `CallToolResult` that the result was read
    from, if any, whose content blocks are then sent unchanged.
    """
    answer = answer_of(result, _shape(result, era, contract), received)
    return answer if era == "2025-11-25" else {"resultType": "complete", **answer}


def _shape(result: MCPToolResult, era: Era, contract: ToolContract | None) -> Shape:
    """Return the form of the data that matches the output schema that the client has."""
    schema = None if contract is None else contract.output_schema
    form = OutputForm.ABSENT if result.status is ResultStatus.FAILURE else output_form(schema, era)
    if form is OutputForm.ABSENT:
        return Shape.FREE
    if era == "2025-11-25" and form is not OutputForm.WRAPPED:
        return Shape.REQUIRED
    data = without_blocks(result.to_dict()["data"])
    if form is OutputForm.WRAPPED:
        stands_there = data is not None and "result" in data and _fits(schema, data["result"])
        return Shape.WRAPPED if not stands_there and _fits(schema, data) else Shape.REQUIRED
    if data is None:
        return Shape.BARE if _fits(schema, None) else Shape.REQUIRED
    if data.keys() != {"result"} or isinstance(data["result"], dict) or _fits(schema, data):
        return Shape.REQUIRED
    return Shape.BARE if _fits(schema, data["result"]) else Shape.REQUIRED


def _fits(schema: JsonValue, value: JsonValue) -> bool:
    return accepts(compile_schema(schema), value) is True


def result_in(value: object) -> tuple[str, MCPToolResult]:
    """Return the identifier and the result of a response to a call: a JSON-RPC response, or a `CallToolResult`.

    Results that `result_out` wrote are restored exactly. In other responses, `structuredContent` is the data and text
    is the explanation; without it, the data is `{"content": blocks}`. A JSON-RPC error, `isError`, or a request for
    more input is a failure. Raises UsageError if the value is not a response to a call.
    """
    message = dump_plain(value)
    if isinstance(message, dict):
        if "structured_content" in getattr(value, "model_fields_set", ()):  # the SDK's object shows a null only here
            message.setdefault("structuredContent", None)
        identifier = _text_of_id(message.get("id"))
        if isinstance(error := message.get("error"), dict):
            return identifier, _protocol_failure(error)
        answer = message.get("result") if "jsonrpc" in message else message
        if isinstance(answer, dict):
            if answer.get("resultType", "complete") != "complete":
                return identifier, _incomplete_failure(answer)
            if not {"content", "structuredContent", "isError"}.isdisjoint(answer):
                return identifier, result_of(answer)
    raise UsageError(
        "this is not a tool result", hint="pass a `CallToolResult`, or a JSON-RPC response that contains one"
    )


def _protocol_failure(error: Mapping[str, JsonValue]) -> MCPToolResult:
    code, message = error.get("code"), text_of(error, "message")
    number = code if isinstance(code, int) else 0
    details = {key: error[key] for key in ("code", "data") if error.get(key) is not None}
    return failure(
        protocol_error_type(number, message), message or "the server responded with an error", details or None
    )


def _incomplete_failure(answer: Mapping[str, JsonValue]) -> MCPToolResult:
    details = {key: value for key, value in answer.items() if key != "_meta"}
    return failure("ToolExecutionError", "the server did not complete the call: it asks for more input", details)


# Identifiers: JSON-RPC distinguishes the number 7 from the text "7", and a response must repeat the exact identifier.


def _text_of_id(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        text = str(value) if value.bit_length() <= _MOST_BITS else ""
        return text if _INTEGER.fullmatch(text) else ""
    if not isinstance(value, str):
        return ""
    text = writable(value)  # before quoting, which would hide characters that UTF-8 cannot encode
    return json.dumps(text) if not text or text[0] == '"' or _INTEGER.fullmatch(text) else text


def _id_of_text(text: str) -> JsonValue:
    if _INTEGER.fullmatch(text) and int(text).bit_length() <= _MOST_BITS:
        return int(text)
    if text[0] == '"':
        try:
            value = json.loads(text)
        except ValueError:
            return text
        return value if isinstance(value, str) else text
    return text
