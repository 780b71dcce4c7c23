"""The tools that the official conformance suite of MCP calls."""

import asyncio
from collections.abc import Sequence
from typing import Any

from mcp_contracts import ToolContext, ToolError

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
TONE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
_PAUSE = 0.05


def test_simple_text() -> Any:
    """A text."""
    return content(text("This is a simple text response for testing."))


def test_image_content() -> Any:
    """An image."""
    return content(IMAGE)


def test_audio_content() -> Any:
    """A sound."""
    return content({"type": "audio", "data": TONE, "mimeType": "audio/wav"})


def test_embedded_resource() -> Any:
    """A resource."""
    return content(resource("test://embedded-resource", "text/plain", "This is an embedded resource content."))


def test_multiple_content_types() -> Any:
    """Three kinds of content."""
    data = resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    return content(text("Multiple content types test:"), IMAGE, data)


async def test_tool_with_logging(context: ToolContext) -> Any:
    """Log messages, through the session of the SDK."""
    session = context.call.metadata["session"]
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await session.send_log_message("info", message, related_request_id="this one")
        await asyncio.sleep(_PAUSE)
    return content(text("Three messages were logged."))


def test_error_handling() -> Any:
    """A failure."""
    raise ToolError("ToolExecutionError", "This tool intentionally returns an error for testing")


async def test_tool_with_progress(context: ToolContext) -> Any:
    """Progress."""
    for done in (0, 50, 100):
        context.report(done, 100)
        await asyncio.sleep(_PAUSE)
    return content(text("Progress was reported."))


async def test_sampling(context: ToolContext, prompt: str) -> Any:
    """A question to the model of the client."""
    import mcp_types as types

    message = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=prompt))
    answer = await context.call.metadata["session"].create_message([message], max_tokens=100, related_request_id=0)
    return content(text(f"LLM response: {answer.content.text}"))


async def test_elicitation(context: ToolContext, message: str) -> Any:
    """A question to the user of the client."""
    wanted = {"username": {"type": "string"}, "email": {"type": "string"}}
    return await ask(context, message, wanted, required=list(wanted))


async def test_elicitation_sep1034_defaults(context: ToolContext) -> Any:
    """A question whose values have defaults."""
    wanted = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await ask(context, "Who is it?", wanted)


async def test_elicitation_sep1330_enums(context: ToolContext) -> Any:
    """A question with a choice in each form."""
    values = ["option1", "option2", "option3"]
    titled = [{"const": value, "title": value.title()} for value in values]
    wanted = {
        "untitledSingle": {"type": "string", "enum": values},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": values, "enumNames": ["One", "Two", "Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": values}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await ask(context, "Which ones?", wanted)


def json_schema_2020_12_tool(name: str = "", address: Any = None) -> Any:
    """What it got."""
    return content(text(f"{name} {address}"))


async def ask(context: ToolContext, message: str, wanted: dict[str, Any], *, required: Sequence[str] = ()) -> Any:
    """What the user of the client answers, as content."""
    schema = {"type": "object", "properties": wanted, "required": list(required)}
    answer = await context.call.metadata["session"].elicit_form(message, schema, related_request_id=0)
    return content(text(f"User response: <action: {answer.action}, content: {answer.content}>"))


def content(*blocks: dict[str, Any]) -> dict[str, Any]:
    """A result that consists of content blocks."""
    return {"content": list(blocks)}


def text(words: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": words}


def resource(uri: str, kind: str, words: str) -> dict[str, Any]:
    """A block that holds a resource."""
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": words}}


__all__ = [
    "json_schema_2020_12_tool",
    "test_audio_content",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_embedded_resource",
    "test_error_handling",
    "test_image_content",
    "test_multiple_content_types",
    "test_sampling",
    "test_simple_text",
    "test_tool_with_logging",
    "test_tool_with_progress",
]
