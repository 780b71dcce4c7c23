"""A strict loopback server that speaks OpenAI's chat completions, with scripted answers."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.provider_server import serving

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_KEY = "a key that nobody checks"


@dataclass(frozen=True)
class Says:
    """An answer of the model: a text, and calls as names and arguments, which are a JSON value or raw text."""

    text: str | None = None
    calls: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Fails:
    """An error of the server with this status, to be retried at once."""

    status: int


@dataclass
class ScriptedModel:
    """A running server: its address, the requests, and their faults."""

    url: str = ""
    key: str = _KEY
    requests: list[dict[str, Any]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def tool_messages(self) -> list[dict[str, Any]]:
        """The results in the last request."""
        return [json.loads(one["content"]) for one in self.requests[-1]["messages"] if one["role"] == "tool"]

    def last_message(self) -> dict[str, Any]:
        """The last message of the last request."""
        message: dict[str, Any] = self.requests[-1]["messages"][-1]
        return message


@contextmanager
def scripted_model(answers: Iterable[Says | Fails]) -> Iterator[ScriptedModel]:
    """Run a server that gives these answers, one for each request, and an error for an invalid or surplus request.

    Fails at its end if a request had a fault.
    """
    model = ScriptedModel()
    script = iter(answers)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            with lock:
                status, answer = self.answer(body)
            written = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(written)))
            self.send_header("retry-after-ms", "1")
            self.end_headers()
            self.wfile.write(written)

        def answer(self, body: bytes) -> tuple[int, dict[str, Any]]:
            faults = list(_path_faults(self.path, self.headers.get("Authorization"))) or list(_faults(body))
            if not faults:
                model.requests.append(json.loads(body))
                answer = next(script, None)
                match answer:
                    case Says():
                        return 200, _completion(len(model.requests), answer)
                    case Fails():
                        return answer.status, {"error": {"message": "scripted", "type": "server_error"}}
                faults = ["the script has no more answers"]
            model.faults += faults
            return 400, {"error": {"message": "; ".join(faults), "type": "invalid_request_error"}}

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the base class's
            """Stay silent."""

    with serving(Handler) as url:
        model.url = f"{url}/v1"
        yield model
    assert model.faults == []


def _completion(number: int, says: Says) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": says.text, "refusal": None}
    if says.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number}_{index}",
                "type": "function",
                "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
                "extra_content": {"signature": f"of call_{number}_{index}"},
            }
            for index, (name, given) in enumerate(says.calls)
        ]
    finish = "tool_calls" if says.calls else "stop"
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    head = {"id": f"completion-{number}", "object": "chat.completion", "created": 0, "model": "scripted"}
    return {**head, "choices": [choice], "usage": usage}


# Requests that a strict server rejects


def _path_faults(path: str, authorization: str | None) -> Iterator[str]:
    if path != "/v1/chat/completions":
        yield f"there is nothing at {path}"
    if authorization != f"Bearer {_KEY}":
        yield "the key is missing"


def _faults(body: bytes) -> Iterator[str]:
    try:
        request = json.loads(body)
    except ValueError as error:
        yield f"the request is not valid JSON: {error}"
        return
    yield from request_faults(request)
    for call in [call for message in request["messages"] for call in message.get("tool_calls", ())]:
        if call.get("extra_content") != {"signature": f"of {call['id']}"}:  # Gemini's server signs its own calls
            yield f"the call `{call['id']}` has lost its signature"


def request_faults(request: dict[str, Any]) -> Iterator[str]:
    """Return the faults that a strict server finds in a request."""
    if request.get("model") != "scripted":
        yield "the model is unknown"
    yield from _tool_faults(request.get("tools"))
    yield from _message_faults(request.get("messages"))


def _tool_faults(tools: Any) -> Iterator[str]:
    if not isinstance(tools, list) or not tools:
        yield "`tools` is not a list of tools"
        return
    names = [tool["function"]["name"] for tool in tools]
    if len(set(names)) < len(names):
        yield "two tools have one name"
    for tool in tools:
        function = tool["function"]
        if tool.get("type") != "function" or not _NAME.fullmatch(function["name"]):
            yield f"`{function['name']}` is no name for a tool"
        description = function.get("description", "none")
        if not isinstance(description, str) or not 0 < len(description) <= 1024:
            yield f"the description of `{function['name']}` is too long, or empty"
        if function.get("parameters", {}).get("type") != "object":
            yield f"the parameters of `{function['name']}` are no object schema"


def _message_faults(messages: Any) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "`messages` is not a list of messages"
        return
    open_calls: set[str] = set()
    for message in messages:
        role, content = message.get("role"), message.get("content")
        if role == "tool":
            identifier = message.get("tool_call_id")
            if identifier not in open_calls:
                yield f"no call `{identifier}` waits for this tool message"
            open_calls.discard(identifier)
            if not isinstance(content, str):
                yield "a tool message has no content"
            continue
        if open_calls:
            yield f"the calls {sorted(open_calls)} are not answered"
        open_calls = set()
        if role not in ("system", "user", "assistant"):
            yield f"`{role}` is no role"
        if not isinstance(content, str) and not (role == "assistant" and message.get("tool_calls")):
            yield f"a message of `{role}` has no content"
        for call in message.get("tool_calls", ()):
            open_calls.add(call["id"])
            yield from _call_faults(call)
        if len(open_calls) < len(message.get("tool_calls", ())):
            yield "two calls have one identifier"
    if open_calls:
        yield f"the calls {sorted(open_calls)} are not answered"


def _call_faults(call: dict[str, Any]) -> Iterator[str]:
    """Return the faults that servers find that parse the model's earlier calls, such as vLLM."""
    if call.get("type") != "function" or not _NAME.fullmatch(call["function"]["name"]):
        yield f"`{call['function']['name']}` is no name for a tool"
    try:
        arguments = json.loads(call["function"]["arguments"], parse_constant=_refuse_constant)
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        yield f"the arguments of the call `{call['id']}` are no JSON object"


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"`{name}` is not valid JSON")
