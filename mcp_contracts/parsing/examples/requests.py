"""Finds calls of tools in commands: in the bodies that `curl` sends, or after the name of a tool."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_contracts import lazy_re as re
from mcp_contracts.contract import Example, JsonValue
from mcp_contracts.faults import Fault
from mcp_contracts.parsing.data.comments import blank
from mcp_contracts.parsing.data.documents import Document, read_json
from mcp_contracts.parsing.examples.code_spans import LONGEST
from mcp_contracts.parsing.examples.json_calls import RenamedLocator, read_call
from mcp_contracts.parsing.markdown.blocks import Fence
from mcp_contracts.parsing.text import SourceText

_SHELLS = frozenset(("bash", "sh", "shell", "zsh", "console", "shell-session", "curl", "text", "txt", ""))
_BODY = re.compile(
    r"(?<!\S)(?:-d|--data(?:-raw|-binary|-ascii)?|--json)(?:=|[ \t]+(?:\\\n[ \t]*)?)?'([^']*)'(?![^\s;|&)>])"
)
"""The body of a request, in single quotes, which does not continue in other quotes."""
_ROUTE = re.compile(
    r"/tools?/(?:(?:call|run|invoke|execute)/)?(?!(?:call|run|invoke|execute|list)\b)(?P<name>[a-z][\w.-]*)"
    r"(?:/(?:call|run|invoke|execute))?[\"']?(?=\s)"
)
"""The address of one tool, to which its arguments are sent."""
_MOST = 20


def posts(fence: Fence) -> bool:
    """Whether a fence may contain a command that calls a tool: `curl`, or a program with the name of the tool."""
    return fence.language in _SHELLS and ("curl" in fence.content or _COMMAND.search(fence.content) is not None)


_COMMAND = re.compile(
    r"^[ \t]*(?:\$ )?[\w./-]+(?: [\w./-]+){0,3} (?:call|invoke|call-tool|call_tool|run-tool|tools/call)"
    r" (?P<name>[a-z][\w.-]*) (?:--?\w[\w-]* )?(?=')",
    re.MULTILINE,
)
"""A command that calls a tool by its name, before its arguments in quotes."""
_COMMAND_BODY = re.compile(rf"{_COMMAND.pattern}'(?P<body>\{{[^']*\}})'", re.MULTILINE)


def posted_faults(source: SourceText, fence: Fence, name: str) -> Iterator[Fault]:
    """Yield the faults of the bodies that `curl` commands send to call a tool, and that are meant to be whole JSON."""
    text = fence.content
    if not posts(fence) or not fence.is_closed or len(text) > LONGEST:
        return
    for body in list(_BODY.finditer(text))[:_MOST]:
        if f'"{name}"' in body[1] and '"tools/call"' in body[1] and _LEFT_OUT.search(body[1]) is None:
            yield from _read_body(source, fence, *body.span(1)).faults


def _read_body(source: SourceText, fence: Fence, start: int, end: int) -> Document:
    """Read the JSON between two offsets of a fence, in its place in the file."""
    text = fence.content
    only = f"{blank(text[:start])}{text[start:end]}{blank(text[end:])}".removesuffix("\n")
    return read_json(source, only, fence.first_row)


_LEFT_OUT = re.compile(r"\.\.\.|…|<[a-z]|\$\{?\w|\{\{")
"""What stands for other text in a body."""


def posted_calls(source: SourceText, fence: Fence) -> Iterator[Example]:
    """Yield the calls in the bodies that `curl` commands send. A body that is not JSON, or no call, is ignored."""
    text = fence.content
    if not posts(fence) or not fence.is_closed or len(text) > LONGEST:
        return
    for body in list(_COMMAND_BODY.finditer(text))[:_MOST]:
        document = _read_body(source, fence, *body.span("body"))
        if not document.faults and isinstance(document.value, dict):
            sent: JsonValue = {"tool_name": body["name"], "arguments": document.value}
            places = RenamedLocator(document, {"/tool_name": "", "/arguments": ""})
            yield Example("call", sent, places, arguments_key="")
    for body in list(_BODY.finditer(text))[:_MOST]:
        document = _read_body(source, fence, *body.span(1))
        value = document.value
        if document.faults or not isinstance(value, dict) or value.get("method", "tools/call") != "tools/call":
            continue
        call = read_call(value, document, frozenset())
        if call is None and (route := _ROUTE.search(text, 0, body.start())) is not None:
            sent = {"tool_name": route["name"], "arguments": value}
            places = RenamedLocator(document, {"/tool_name": "", "/arguments": ""})
            yield Example("call", sent, places, arguments_key="")
        elif call is not None and call.kind == "call" and call.arguments_key:
            yield call
