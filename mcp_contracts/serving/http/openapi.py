"""The OpenAPI document that describes the plain HTTP interface."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mcp_contracts.contract import ToolContract
from mcp_contracts.messages import MCPErrorDetail, MCPToolCall, MCPToolResult
from mcp_contracts.serving.protocol import ServerName

_JSON = "application/json"
_PLACE = "#/components/schemas/"


def openapi_document(name: ServerName, contracts: Iterable[ToolContract]) -> dict[str, Any]:
    """Return the interface in OpenAPI 3.1, with the tools that can be called now and an example call to each."""
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
    "ShutDown": ("503", "The server shut down before it had an answer, or cannot check its rate limits."),
    "Late": ("504", "The tool did not answer within its deadline."),
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


_CHANNEL = _query("channel", "The channel of the call, for tools that serve only some or have a function for each.")


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
    category = _query("category", "Only tools of this category.")
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
            "200": _answer("The tool answered; `status` says how the call ended.", "MCPToolResult"),
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
