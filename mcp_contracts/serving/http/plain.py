"""A plain HTTP interface to the tools, for callers that do not speak MCP."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mcp_contracts.bundle import bundle_tool, to_bundle
from mcp_contracts.contract import Contracts, JsonValue, ToolContract, ToolListFile
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult, NotWritableError, ResultStatus
from mcp_contracts.runtime.calls.refusals import limits_unreachable
from mcp_contracts.runtime.context import CallContext
from mcp_contracts.runtime.telemetry.redaction import visible
from mcp_contracts.serving.calls import ServedCalls
from mcp_contracts.serving.http.openapi import openapi_document
from mcp_contracts.serving.http.refusals import json_bytes
from mcp_contracts.serving.protocol import ServerName, Session
from mcp_contracts.tool_names import nearest_names

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

_STATUSES = {"ValidationError": 422, "ApiLimitExceeded": 429, "TimeoutError": 504}
"""Failures of the request itself; any other result is sent with status 200."""
_CLIENT_CLOSED = 499


class PlainInterface:
    """`/health`, `/tools`, `/tools/{name}`, `/tools/call` and `/openapi.json`.

    `is_closing` says that the server shuts down, so that a load balancer sends no more requests.
    """

    def __init__(
        self,
        calls: ServedCalls,
        name: ServerName,
        session_of: Callable[[Any], Session],
        is_closing: Callable[[], bool],
    ) -> None:
        self._calls = calls
        self._name = name
        self._session_of = session_of
        self._is_closing = is_closing

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
        state = "closing" if self._is_closing() else "ok"
        body: JsonValue = {"status": state, "tools": len(self._calls.catalog.contracts())}
        return _json(body, 503 if self._is_closing() else 200)

    async def _openapi(self, request: Request) -> Response:
        return _json(openapi_document(self._name, self._calls.catalog.contracts()))

    async def _tools(self, request: Request) -> Response:
        category = request.query_params.get("category")
        found = self._calls.catalog.contracts(self._session_of(request).channel)
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
        session = self._session_of(request)
        context = CallContext(channel=session.channel, caller=session.caller, metadata={"transport": "http"})
        version = request.query_params.get("version")
        answer = asyncio.ensure_future(self._calls.answer(call.tool_name, call.arguments, context, version=version))
        gone = asyncio.ensure_future(_wait_for_disconnect(request))
        try:
            await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():  # nobody is waiting for it anymore
                return _write_failure(_CLIENT_CLOSED, "ToolExecutionError", "the client closed the connection")
            return _write_result(answer.result())
        finally:
            answer.cancel()
            gone.cancel()

    def _contract(self, request: Request, name: str) -> ToolContract | None:
        contracts = self._calls.catalog.contracts(self._session_of(request).channel)
        return next((contract for contract in contracts if contract.name == name), None)

    def _unknown(self, request: Request, name: str) -> Response:
        contracts = self._calls.catalog.contracts(self._session_of(request).channel)
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
    """Describe the fault of a message without its value: the first line, or pydantic's first error."""
    errors = getattr(error, "errors", None)
    if errors is None:
        return str(error).partition("\n")[0][:200]
    first = errors()[0]
    place = visible("/".join(map(str, first["loc"])))
    cause = first.get("ctx", {}).get("error")
    fault = cause.fault if isinstance(cause, NotWritableError) else str(first["msg"])  # names may be secret
    return f"`{place}`: {fault}" if place else fault
