"""A plain HTTP interface to the tools, for callers that do not speak MCP."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mcp_contracts.bundle import bundle_tool, to_bundle
from mcp_contracts.contract import Contracts, JsonValue, ToolContract, ToolListFile
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult, NotWritableError, ResultStatus
from mcp_contracts.records import dataclass
from mcp_contracts.runtime.calls.answers import limits_unreachable
from mcp_contracts.runtime.context import CallContext
from mcp_contracts.runtime.telemetry.redaction import visible
from mcp_contracts.serving.calls import ServedCalls
from mcp_contracts.serving.http.refusals import json_bytes
from mcp_contracts.serving.protocol import ServerName, Session
from mcp_contracts.tool_names import nearest_names

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route
from collections.abc import Iterable

_JSON = "application/json"
_PLACE = "#/components/schemas/"


def openapi_document(name: ServerName, contracts: Iterable[ToolContract]) -> dict[str, Any]:
    """Return the interface in OpenAPI 3.1, with the tools that can be called now, and an example call for each."""
    tools = sorted(contracts, key=lambda contract: contract.name)
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": name.name,
            "version": name.version or "0",
            "description": "Tools with their contracts. Every call is validated, and answered with a result message.",
        },
        "paths": {
            "/health": {"get": _health()},
            "/tools": {"get": _list()},
            "/tools/{name}": {"get": _one([tool.name for tool in tools])},
            "/tools/call": {"post": _call(tools)},
        },
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "responses": {key: _refusal(status, words) for key, (status, words) in _REFUSALS.items()},
        },
        "security": [{"bearer": []}, {}],
    }
    return document


_REFUSALS = {
    "Malformed": ("400", "A token is part of the URL, or the body is not a tool call."),
    "Unauthenticated": ("401", "The token is missing or not valid."),
    "ForeignOrigin": ("403", "The header `Origin` names a page that is not allowed to call this server."),
    "UnknownTool": (
        "404",
        "No such tool, or no version in the range; `error_details.nearest` lists similar names.",
    ),
    "TooSlow": ("408", "The request took too long to arrive."),
    "TooLarge": ("413", "The body is too large."),
    "WrongType": ("415", "The body is not of the type `application/json`."),
    "WrongHost": ("421", "The header `Host` does not name this server."),
    "Invalid": ("422", "The arguments do not match the contract; `error_details.faults` lists each error."),
    "Limited": ("429", "A rate limit is exceeded; the header `Retry-After` says when to try again."),
    "Broken": ("500", "An internal error, which the server's log describes."),
    "ShutDown": ("503", "The server shut down before it had a response, or cannot check its rate limits."),
    "Late": ("504", "The tool did not respond within its deadline."),
}
_OF_ALL = ("Malformed", "Unauthenticated", "ForeignOrigin", "TooSlow", "WrongHost", "Broken", "ShutDown")
_HEADERS = {"401": "WWW-Authenticate", "429": "Retry-After"}


def _query(name: str, description: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "query",
        "required": False,
        "description": description,
        "schema": {"type": "string"},
    }


_CHANNEL = _query(
    "channel", "The channel of the call, for tools that are limited to some channels or have a function for each one."
)


def _describe_refusal(*names: str) -> dict[str, Any]:
    return {_REFUSALS[name][0]: {"$ref": f"#/components/responses/{name}"} for name in names}


def _refusal(status: str, words: str) -> dict[str, Any]:
    answer = _answer(words, "MCPToolResult")
    if status in _HEADERS:
        answer["headers"] = {_HEADERS[status]: {"schema": {"type": "string"}}}
    return answer


def _answer(description: str, schema: str) -> dict[str, Any]:
    return {"description": description, "content": {_JSON: {"schema": {"$ref": _PLACE + schema}}}}


def _health() -> dict[str, Any]:
    return {
        "operationId": "health",
        "summary": "Whether the server accepts calls, and the number of its tools.",
        "security": [],
        "responses": {
            "200": _answer("The server accepts calls.", "Health"),
            **_describe_refusal("TooSlow", "Broken"),
            "503": _answer("The server is shutting down.", "Health"),
        },
    }


def _list() -> dict[str, Any]:
    category = _query("category", "Only tools in this category.")
    return {
        "operationId": "listTools",
        "summary": "The contracts of all tools.",
        "parameters": [_CHANNEL, category],
        "responses": {"200": _answer("The contracts, as a bundle.", "Bundle"), **_describe_refusal(*_OF_ALL)},
    }


def _one(names: list[str]) -> dict[str, Any]:
    parameter = {"name": "name", "in": "path", "required": True, "schema": {"type": "string", "examples": names[:3]}}
    return {
        "operationId": "getTool",
        "summary": "The contract of one tool.",
        "parameters": [parameter, _CHANNEL],
        "responses": {"200": _answer("The contract.", "Tool"), **_describe_refusal(*_OF_ALL, "UnknownTool")},
    }


def _call(tools: list[ToolContract]) -> dict[str, Any]:
    examples = {tool.name: {"value": value} for tool in tools if (value := _example(tool)) is not None}
    version = _query("version", "A range of versions, such as `^1.2`.")
    content: dict[str, Any] = {"schema": {"$ref": _PLACE + "MCPToolCall"}}
    if examples:
        content["examples"] = examples
    return {
        "operationId": "callTool",
        "summary": "Call a tool.",
        "parameters": [_CHANNEL, version],
        "requestBody": {"required": True, "content": {_JSON: content}},
        "responses": {
            "200": _answer("The tool returned a result; `status` says how the call ended.", "MCPToolResult"),
            **_describe_refusal(*_REFUSALS),
        },
    }


def _example(tool: ToolContract) -> Any:
    return next((one.value for one in tool.examples if one.kind == "call" and isinstance(one.value, dict)), None)


def _schemas() -> dict[str, Any]:
    schemas: dict[str, Any] = {
        "Health": {
            "type": "object",
            "properties": {"status": {"enum": ["ok", "closing"]}, "tools": {"type": "integer", "minimum": 0}},
            "required": ["status", "tools"],
        },
        "Tool": {
            "type": "object",
            "description": "One contract, as in a bundle.",
            "properties": {
                "name": {"type": "string"},
                "version": {"type": "string"},
                "description": {"type": "string"},
                "input_schema": {"description": "The JSON Schema of the arguments."},
                "output_schema": {"description": "The JSON Schema of the data of a result."},
            },
            "required": ["name"],
        },
        "Bundle": {
            "type": "object",
            "properties": {
                "format": {"const": "mcp-contracts/bundle"},
                "version": {"const": 1},
                "tools": {"type": "array", "items": {"$ref": _PLACE + "Tool"}},
            },
            "required": ["format", "version", "tools"],
        },
    }
    for model in (MCPToolCall, MCPToolResult, MCPErrorDetail):
        schema = model.model_json_schema(ref_template=_PLACE + "{model}")
        schemas.update(schema.pop("$defs", {}))
        schemas[model.__name__] = schema
    return schemas


_STATUSES = {"ValidationError": 422, "ApiLimitExceeded": 429, "TimeoutError": 504}
"""Failures of the request itself; any other result is sent with status 200."""
_CLIENT_CLOSED = 499


@dataclass(frozen=True, slots=True)
class PlainInterface:
    """`/health`, `/tools`, `/tools/{name}`, `/tools/call` and `/openapi.json`.

    `is_closing` says that the server shuts down, so that a load balancer sends no more requests.
    """

    calls: ServedCalls
    name: ServerName
    session_of: Callable[[Any], Session]
    is_closing: Callable[[], bool]

    def routes(self) -> list[Route]:
        """Return the routes, for Starlette."""
        from starlette.routing import Route  # comes with the SDK, an optional extra

        return [
            Route("/health", self._health, methods=["GET"]),
            Route("/openapi.json", self._openapi, methods=["GET"]),
            Route("/tools", self._tools, methods=["GET"]),
            Route("/tools/call", self._call, methods=["POST"]),
            Route("/tools/{name}", self._tool, methods=["GET"]),
        ]

    async def _health(self, request: Request) -> Response:
        state = "closing" if self.is_closing() else "ok"
        body: JsonValue = {"status": state, "tools": len(self.calls.catalog.contracts())}
        return _json(body, 503 if self.is_closing() else 200)

    async def _openapi(self, request: Request) -> Response:
        return _json(openapi_document(self.name, self.calls.catalog.contracts()))

    async def _tools(self, request: Request) -> Response:
        category = request.query_params.get("category")
        found = self.calls.catalog.contracts(self.session_of(request).channel)
        listed = tuple(one for one in found if category is None or one.category == category)
        return _json(to_bundle(Contracts((ToolListFile("", "", contracts=listed),))))

    async def _tool(self, request: Request) -> Response:
        name = request.path_params["name"]
        contract = self._contract(request, name)
        if contract is None:
            return self._unknown(request, name)
        return _json(bundle_tool(contract))

    async def _call(self, request: Request) -> Response:
        try:
            call = MCPToolCall.from_json(await request.body())
        except ValueError as error:
            return _write_failure(400, "ValidationError", f"the body is not a tool call: {_reason(error)}")
        if self._contract(request, call.tool_name) is None:
            return self._unknown(request, call.tool_name)
        session = self.session_of(request)
        context = CallContext(channel=session.channel, caller=session.caller, metadata={"transport": "http"})
        version = request.query_params.get("version")
        answer = asyncio.ensure_future(self.calls.answer(call.tool_name, call.arguments, context, version=version))
        gone = asyncio.ensure_future(_wait_for_disconnect(request))
        try:
            await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():  # its caller has gone
                return _write_failure(_CLIENT_CLOSED, "ToolExecutionError", "the client closed the connection")
            return _write_result(answer.result())
        finally:
            answer.cancel()
            gone.cancel()

    def _contract(self, request: Request, name: str) -> ToolContract | None:
        contracts = self.calls.catalog.contracts(self.session_of(request).channel)
        return next((contract for contract in contracts if contract.name == name), None)

    def _unknown(self, request: Request, name: str) -> Response:
        contracts = self.calls.catalog.contracts(self.session_of(request).channel)
        nearest: JsonValue = [*nearest_names(name, (contract.name for contract in contracts))]
        return _write_failure(404, "ResourceNotFound", "no such tool", {"nearest": nearest})


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _write_result(result: MCPToolResult) -> Response:
    error = result.error if result.status is ResultStatus.FAILURE else None
    status = 200 if error is None else _STATUSES.get(error.error_type, 200)
    if error == limits_unreachable():
        status = 503  # no tool has answered
    headers = {}
    details = None if error is None else error.error_details
    if isinstance(details, dict) and details.keys() == {"tool_name", "version", "versions"}:
        status = 404  # see `requests.find`
    if status == 429 and isinstance(details, dict) and isinstance(details.get("retry_after_seconds"), int | float):
        headers["retry-after"] = str(math.ceil(details["retry_after_seconds"]))
    return _json(result.to_dict(), status, headers)


def _write_failure(status: int, error_type: str, message: str, details: dict[str, JsonValue] | None = None) -> Response:
    error = MCPErrorDetail(error_type=error_type, error_message=message, error_details=details)
    return _json(MCPToolResult(status=ResultStatus.FAILURE, error=error).to_dict(), status)


def _json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    from starlette.responses import Response  # see routes

    return Response(json_bytes(value), status, headers, media_type="application/json")


def _reason(error: ValueError) -> str:
    """Describe the fault in a message without its value: the first line, or pydantic's first error."""
    errors = getattr(error, "errors", None)
    if errors is None:
        return str(error).partition("\n")[0][:200]
    first = errors()[0]
    place = visible("/".join(map(str, first["loc"])))
    cause = first.get("ctx", {}).get("error")
    fault = cause.fault if isinstance(cause, NotWritableError) else str(first["msg"])  # names may be secret
    return f"`{place}`: {fault}" if place else fault
