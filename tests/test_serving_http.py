"""A server over HTTP: real MCP clients, the plain interface, and access control."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from mcp import Client

from mcp_contracts.runtime.limits import RateLimits
from mcp_contracts.serving.http.application import SingleAnswers
from mcp_contracts.serving.http.plain import openapi_document
from mcp_contracts.serving.http.server import listen
from mcp_contracts.serving.http.settings import HttpSettings
from mcp_contracts.serving.protocol import ServerName
from tests.runtime_tools import eventually
from tests.serving_servers import DEMO, MODES, NAMES, Running, running_http
from tests.support_redis import free_port

TOKEN = "correct-horse-battery-staple"
JSON = {"content-type": "application/json"}
FORM = "content-type: application/json\r\n"
BEARER = {"authorization": f"Bearer {TOKEN}"}
CALL_STATUSES = openapi_document(ServerName(), ())["paths"]["/tools/call"]["post"]["responses"].keys()
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
ADD = {"tool_name": "demo.add", "arguments": {"a": 1, "b": 2}}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running_http() as running:
        yield running


@pytest.fixture(scope="module")
def guarded() -> Iterator[Running]:
    settings = HttpSettings(tokens={"API_TOKEN": TOKEN}, maximum_body=10_000, body_seconds=0.1)
    with running_http(settings) as running:
        yield running


# MCP


@pytest.mark.parametrize("mode", [*MODES, "auto"])
def test_the_sdk_client_lists_and_calls(server: Running, mode: str) -> None:
    seen: list[Any] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async def call() -> tuple[list[str], Any, Any]:
        async with asyncio.timeout(60), Client(server.mcp, mode=mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            sum_ = await client.call_tool("demo.add", {"a": 1, "b": 2})
            await client.call_tool("demo.wait", {"seconds": 0.01}, progress_callback=note)
            return names, sum_.structured_content, await client.call_tool("demo.add", {"a": "x", "b": 2})

    names, data, refused = asyncio.run(call())

    assert (names, data) == (NAMES, {"sum": 3})
    assert refused.is_error
    assert refused.content[0].text.startswith("ValidationError: `a` is")
    assert seen == [(1, 2, "half"), (2, 2, None)]


def test_fastmcp_lists_and_calls(server: Running) -> None:
    fastmcp = pytest.importorskip("fastmcp", reason="needs pip install fastmcp")

    async def call() -> tuple[list[str], Any]:
        async with asyncio.timeout(60), fastmcp.Client(server.mcp) as client:
            names = [tool.name for tool in await client.list_tools()]
            return names, (await client.call_tool("demo.add", {"a": 1, "b": 2})).structured_content

    assert asyncio.run(call()) == (NAMES, {"sum": 3})


@pytest.mark.parametrize("mode", MODES)
def test_the_address_names_the_channel(server: Running, mode: str) -> None:
    async def call() -> Any:
        async with asyncio.timeout(60), Client(f"{server.mcp}?channel=email", mode=mode) as client:
            return (await client.call_tool("demo.channel", {})).structured_content

    assert asyncio.run(call()) == {"channel": "email", "caller": None}


def test_a_client_that_wants_to_resume_a_stream_gets_a_new_one(server: Running) -> None:
    headers = {"accept": "application/json, text/event-stream", "last-event-id": "42"}

    session = httpx2.post(server.mcp, json=INITIALIZE, headers=headers).headers["mcp-session-id"]
    with httpx2.stream("GET", server.mcp, headers={**headers, "mcp-session-id": session}) as stream:
        answered = (stream.status_code, stream.headers["content-type"])

    assert answered == (200, "text/event-stream")


def test_clients_hear_of_changed_tools() -> None:
    async def change(running: Running) -> list[str]:
        told = asyncio.Event()

        async def note(message: Any) -> None:
            if getattr(message, "method", None) == "notifications/tools/list_changed":
                told.set()

        async with asyncio.timeout(60), Client(running.mcp, mode="legacy", message_handler=note) as client:
            await client.list_tools()
            while not told.is_set():  # the stream for notifications opens next to the first requests
                running.catalog.registry.remove("demo.wait") if "demo.wait" in running.catalog.registry else None
                running.catalog.show(running.catalog.registry)
                await asyncio.sleep(0.02)
            return [tool.name for tool in (await client.list_tools()).tools]

    with running_http() as running:
        assert asyncio.run(change(running)) == NAMES[:-1]


def test_without_sessions_both_eras_are_served() -> None:
    async def call(address: str, mode: str) -> Any:
        async with asyncio.timeout(60), Client(address, mode=mode) as client:
            return (await client.call_tool("demo.add", {"a": 2, "b": 2})).structured_content

    with running_http(HttpSettings(is_stateless=True)) as running:
        assert [asyncio.run(call(running.mcp, mode)) for mode in MODES] == [{"sum": 4}] * 2


@pytest.mark.parametrize(
    ("method", "params", "query", "kind"),
    [
        ("tools/call", {"name": "demo.add", "arguments": {"a": 1, "b": 2}}, "", "application/json"),
        ("tools/call", {"name": "demo.wait", "arguments": {"seconds": 0}}, "", "text/event-stream"),
        ("tools/call", {"name": "demo.nope"}, "", "text/event-stream"),
        ("tools/call", {"name": ["demo.add"]}, "", "text/event-stream"),
        ("tools/call", {"name": "demo.add", "arguments": {"a": 1, "b": 2}}, "?channel=sms", "text/event-stream"),
        ("tools/list", {}, "", "application/json"),
        ("initialize", {}, "", "text/event-stream"),
    ],
)
def test_earlier_clients_get_a_stream_where_more_than_the_answer_can_come(
    server: Running, method: str, params: dict[str, Any], query: str, kind: str
) -> None:
    with httpx2.Client(headers={"accept": "application/json, text/event-stream"}) as client:
        opened = client.post(server.mcp, json=INITIALIZE)
        session = {"mcp-session-id": opened.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
        message = {"jsonrpc": "2.0", "id": 2, "method": method, "params": params}
        answer = client.post(server.mcp + query, headers=session, json=message)

    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, kind)
    assert '"id":2' in answer.text


@pytest.mark.parametrize("version", [{}, {"mcp-protocol-version": "2025-06-18"}])
def test_a_batch_is_refused_clearly(server: Running, version: dict[str, str]) -> None:
    headers = {"accept": "application/json, text/event-stream", **version}

    answer = httpx2.post(server.mcp, headers=headers, json=[INITIALIZE])

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32600)
    assert answer.json()["error"]["message"].startswith("batches of messages are not supported")


@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28"])
def test_a_key_that_appears_twice_is_refused_in_both_interfaces(server: Running, version: str) -> None:
    arguments = b'"arguments":{"a":1,"b":2,"a":"2"}'
    message = b'{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"demo.add",%s}}' % arguments
    headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}

    mcp = httpx2.post(server.mcp, headers={**headers, "mcp-protocol-version": version}, content=message)
    call = b'{"tool_name":"demo.add",%s}' % arguments
    plain = httpx2.post(f"{server.address}/tools/call", headers=headers, content=call)

    reason = "a key appears twice in one object"
    error = {"code": -32700, "message": f"the message is unreadable: {reason}"}
    assert (mcp.status_code, mcp.json()) == (400, {"jsonrpc": "2.0", "id": "x", "error": error})
    assert plain.json()["error"]["error_message"] == f"the body is not a tool call: {reason}"


def test_white_space_comes_before_an_answer_that_takes_long(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_contracts.serving.http.application._KEEP_ALIVE", 0.01)
    call = b'{"method": "tools/call", "params": {"name": "demo.add"}}'
    scope = {"method": "POST", "headers": [(b"mcp-protocol-version", b"2025-06-18")], "query_string": b""}
    sent: list[Any] = []

    async def mcp(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(0.05)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    async def receive() -> Any:
        return {"type": "http.request", "body": call}

    async def send(message: Any) -> None:
        sent.append(message)

    async def answer() -> None:
        await SingleAnswers(server.catalog).around(mcp)(scope, receive, send)

    asyncio.run(answer())

    starts = [message for message in sent if message["type"] == "http.response.start"]
    body = b"".join(message.get("body", b"") for message in sent)
    assert [start["headers"][0] for start in starts] == [(b"content-type", b"application/json")]
    assert body.startswith(b"\n\n")
    assert json.loads(body) == {}


# The plain interface


def test_health_counts_the_tools_for_everybody(guarded: Running) -> None:
    answer = httpx2.get(f"{guarded.address}/health")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "tools": 4})


def test_tools_are_listed_as_a_bundle_by_category_and_channel(server: Running) -> None:
    def names(query: str) -> list[str]:
        return [tool["name"] for tool in httpx2.get(f"{server.address}/tools{query}").json()["tools"]]

    assert names("") == NAMES
    assert names("?category=math") == ["demo.add"]
    assert names("?channel=fax") == [name for name in NAMES if name != "demo.channel"]


def test_the_list_of_tools_is_a_source_of_every_command(server: Running) -> None:
    from mcp_contracts.checks.diff import diff
    from mcp_contracts.contract import Contracts
    from mcp_contracts.sources.load import load
    from mcp_contracts.sources.tool_lists import read_tool_list

    served = Contracts((read_tool_list("tools.json", httpx2.get(f"{server.address}/tools").text),))

    assert diff(load(DEMO), served).to_dict()["summary"]["changed"] == 0


def test_one_tool_is_shown_or_the_nearest_names(server: Running) -> None:
    found = httpx2.get(f"{server.address}/tools/demo.add")
    missing = httpx2.get(f"{server.address}/tools/demo.ad")

    assert (found.status_code, found.json()["version"]) == (200, "1.0.0")
    assert missing.status_code == 404
    assert missing.json()["error"]["error_details"]["nearest"][0] == "demo.add"


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (ADD, 200, '"sum":3'),
        ({"tool_name": "demo.lookup", "arguments": {"word": "unknown"}}, 200, "ResourceNotFound"),
        ({"tool_name": "demo.add", "arguments": {"a": 1}}, 422, "lacks the required property `b`"),
        ({"tool_name": "demo.nope", "arguments": {}}, 404, "no such tool"),
        ({"tool_name": "demo.add"}, 400, "`arguments`: Field required"),
        ({"tool_name": "demo.add", "arguments": [], "x": 1}, 400, "the body is not a tool call"),
        ([], 400, "the body is not a tool call"),
    ],
)
def test_a_call_is_answered_with_a_result_and_a_status(server: Running, body: object, status: int, words: str) -> None:
    answer = httpx2.post(f"{server.address}/tools/call", json=body)

    assert answer.status_code == status
    assert words in answer.text
    assert set(answer.json()) == {"status", "data", "error", "explanation"}


def test_a_call_of_an_unknown_version_is_not_found(server: Running) -> None:
    codes = [httpx2.post(f"{server.address}/tools/call?version={one}", json=ADD).status_code for one in ("^1", "^9")]

    assert codes == [200, 404]


def test_the_openapi_document_describes_every_path_and_status(server: Running) -> None:
    document = httpx2.get(f"{server.address}/openapi.json").json()

    assert document["openapi"] == "3.1.0"
    assert document["info"]["title"] == "demo"
    assert list(document["paths"]) == ["/health", "/tools", "/tools/{name}", "/tools/call"]
    call = document["paths"]["/tools/call"]["post"]
    assert "demo.add" in call["requestBody"]["content"]["application/json"]["examples"]
    assert _dangling(document) == []


@pytest.mark.parametrize(
    ("method", "path"), [("get", "/health"), ("get", "/tools"), ("get", "/tools/{name}"), ("post", "/tools/call")]
)
def test_the_openapi_document_lists_every_status_that_can_be_provoked(
    guarded: Running, monkeypatch: pytest.MonkeyPatch, method: str, path: str
) -> None:
    where = guarded.address + path.format(name="demo.add")
    body = json.dumps(ADD).encode() if method == "post" else None
    called: list[dict[str, Any]] = [
        {"headers": BEARER | JSON, "content": body},
        {"headers": JSON, "content": body},
        {"headers": BEARER | JSON, "content": body, "params": {"token": TOKEN}},
        {"headers": BEARER | JSON | {"host": "evil.example"}, "content": body},
        {"headers": BEARER | JSON | {"origin": "https://evil.example"}, "content": body},
    ]
    if method == "post":
        called += [{"headers": BEARER, "content": body}]
        contents = [b"{", b" " * 10_001, b'{"tool_name": "demo.nope", "arguments": {}}', body.replace(b"1", b"[]")]  # type: ignore[union-attr]
        called += [{"headers": BEARER | JSON, "content": content} for content in contents]
    answers = [httpx2.request(method, where, **request) for request in called]
    answers += [httpx2.get(f"{guarded.address}/tools/demo.nope", headers=BEARER)] if "{name}" in path else []
    broken = RuntimeError("of the registry")
    monkeypatch.setattr(guarded.catalog.__class__, "contracts", lambda *names: (_ for _ in ()).throw(broken))
    answers.append(httpx2.request(method, where, **called[0]))

    statuses = {str(answer.status_code) for answer in answers}
    listed = openapi_document(ServerName(), ())["paths"][path][method]["responses"]
    assert statuses <= listed.keys()
    assert (len(statuses), "500" in statuses) == (
        {"/health": 2, "/tools": 6, "/tools/{name}": 7, "/tools/call": 10}[path],
        True,
    )


def _dangling(document: Any) -> list[str]:
    text = json.dumps(document)
    found = []
    for part in text.split('"$ref": "')[1:]:
        node = document
        try:
            for step in part.partition('"')[0].removeprefix("#/").split("/"):
                node = node[step]
        except (KeyError, TypeError):
            found.append(part[:60])
    return found


def test_a_client_that_hangs_up_ends_its_call(server: Running, capfd: pytest.CaptureFixture[str]) -> None:
    body = json.dumps({"tool_name": "demo.wait", "arguments": {"seconds": 50, "tag": "hung up"}}).encode()
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        head = "POST /tools/call HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        connection.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        time.sleep(0.2)

    ends_at, shown = time.monotonic() + 20, ""
    while "cancelled hung up" not in shown and time.monotonic() < ends_at:
        shown += capfd.readouterr().err
        time.sleep(0.01)
    assert "cancelled hung up" in shown


def test_a_call_that_outlasts_a_shutdown_is_answered(caplog: pytest.LogCaptureFixture) -> None:
    body = b'{"tool_name": "demo.wait", "arguments": {"seconds": 50}}'
    head = f"POST /tools/call HTTP/1.1\r\nhost: localhost\r\n{FORM}content-length: {len(body)}\r\n\r\n"
    with running_http() as running, socket.create_connection(("127.0.0.1", running.port), timeout=20) as connection:
        connection.sendall(head.encode() + body)
        time.sleep(0.2)
        running.tell("requested")
        time.sleep(0.1)
        running.tell("urgent")
        answer = connection.makefile("rb").read()

    assert answer.startswith(b"HTTP/1.1 503 ")
    assert {"408", "429", "503", "504"} <= CALL_STATUSES  # which other tests here provoke
    assert b"the server shut down before the call was finished" in answer
    assert not [record for record in caplog.records if record.exc_info]


def test_a_rate_is_refused_with_the_time_to_wait() -> None:
    pytest.importorskip("limits", reason="needs pip install 'mcp-contracts[limits]'")
    with running_http(rates=RateLimits(overall="2/hour")) as running:
        answers = [httpx2.post(f"{running.address}/tools/call", json=ADD) for _ in range(3)]

        async def call() -> Any:
            async with asyncio.timeout(60), Client(running.mcp) as client:
                return await client.call_tool("demo.add", {"a": 1, "b": 2})

        limited = asyncio.run(call())

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 3500 < int(answers[2].headers["retry-after"]) <= 3601
    assert limited.is_error
    assert limited.content[0].text.startswith("ApiLimitExceeded: the limit for all calls")


def test_rates_that_cannot_be_checked_are_not_an_answer_of_the_tool() -> None:
    pytest.importorskip("redis", reason="needs pip install 'mcp-contracts[limits]'")
    with running_http(rates=RateLimits(overall="2/hour", storage=f"redis://127.0.0.1:{free_port()}/0")) as running:
        answer = httpx2.post(f"{running.address}/tools/call", json=ADD)

    assert answer.status_code == 503
    assert answer.json()["error"]["error_message"] == "the rate limits cannot be checked: try again later"


def test_a_call_over_its_deadline_is_ended() -> None:
    with running_http(deadline=0.05) as running:
        answer = httpx2.post(
            f"{running.address}/tools/call", json={"tool_name": "demo.wait", "arguments": {"seconds": 50}}
        )

    assert answer.status_code == 504
    assert answer.json()["error"]["error_type"] == "TimeoutError"


# The gate


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/tools", {}, 401),
        ("/tools", {"authorization": "Bearer wrong-token-of-somebody"}, 401),
        ("/tools", {"authorization": f"Basic {TOKEN}"}, 401),
        ("/tools", {"authorization": f"Bearer {TOKEN}x"}, 401),
        ("/tools", BEARER, 200),
        ("/tools", {"authorization": f"bearer {TOKEN}"}, 200),
        ("/mcp", {}, 401),
        ("/openapi.json", {}, 401),
        ("/no/such/path", {}, 401),
        (f"/tools?token={TOKEN}", {}, 400),
        (f"/tools?access_token={TOKEN}", BEARER, 400),
        (f"/tools?anything={TOKEN}", BEARER, 400),
        (f"/mcp?api_key={TOKEN}", BEARER, 400),
        (f"/{TOKEN}/tools", BEARER, 400),
        ("/health", {"host": "10.1.2.3:8000"}, 200),
        ("/tools", {**BEARER, "host": "evil.example"}, 421),
        ("/tools", {**BEARER, "host": "localhost.evil.example:8000"}, 421),
        ("/tools", {**BEARER, "host": "localhost:9999"}, 200),
        ("/tools", {**BEARER, "origin": "https://evil.example"}, 403),
        ("/tools", {**BEARER, "origin": "http://localhost:6274"}, 200),
        ("/tools", {**BEARER, "origin": "null"}, 403),
    ],
)
def test_who_is_let_in(guarded: Running, path: str, headers: dict[str, str], status: int) -> None:
    answer = httpx2.get(f"{guarded.address}{path}", headers=headers)

    assert answer.status_code == status
    if status == 401:
        assert answer.headers["www-authenticate"].startswith('Bearer realm="mcp-contracts"')
    assert TOKEN not in answer.text


@pytest.mark.parametrize("path", ["/tools/call", "/mcp"])
@pytest.mark.parametrize(
    ("headers", "content", "status"),
    [
        ({"content-type": "text/plain"}, b"{}", 415),
        ({"content-type": "application/jsonp"}, b"{}", 415),
        ({}, b"{}", 415),
        (JSON, b"{" + b" " * 10_000 + b"}", 413),
        ({"content-type": "application/json; charset=utf-8"}, b"{", 400),
    ],
)
def test_what_is_let_in(guarded: Running, path: str, headers: dict[str, str], content: bytes, status: int) -> None:
    accepted = {"accept": "application/json, text/event-stream"}

    answer = httpx2.post(f"{guarded.address}{path}", headers={**BEARER, **accepted, **headers}, content=content)

    assert answer.status_code == status


def test_a_body_without_a_length_is_counted(guarded: Running) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(30):
            yield b" " * 1_000

    answer = httpx2.post(f"{guarded.address}/tools/call", headers={**BEARER, **JSON}, content=parts())

    assert answer.status_code == 413


def test_a_body_that_does_not_come_is_given_up(guarded: Running) -> None:
    head = f"POST /tools/call HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {TOKEN}\r\n"
    with socket.create_connection(("127.0.0.1", guarded.port), timeout=20) as connection:
        connection.sendall(f"{head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{{".encode())
        answer = connection.recv(1000)

    assert answer.startswith(b"HTTP/1.1 408 ")


def test_a_head_that_does_not_come_is_given_up(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_contracts.serving.http.connections.HEAD_SECONDS", 0.05)
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nhost:")
        answer = connection.makefile("rb").read()

    assert answer.startswith(b"HTTP/1.1 408 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["error_type"] == "TimeoutError"


def test_the_holder_of_a_token_is_the_caller_whatever_a_header_says(guarded: Running) -> None:
    body = {"tool_name": "demo.channel", "arguments": {}}
    headers = {**BEARER, "x-caller": "somebody else", "x-channel": "sms"}

    answer = httpx2.post(f"{guarded.address}/tools/call", json=body, headers=headers)

    assert answer.json()["data"] == {"channel": "sms", "caller": "API_TOKEN"}


def test_a_session_belongs_to_the_caller_who_opened_it() -> None:
    settings = HttpSettings(tokens={"ONE": "token-of-the-one", "OTHER": "token-of-the-other"})
    start = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    accepted = {"accept": "application/json, text/event-stream"}
    with running_http(settings) as running:
        opened = httpx2.post(running.mcp, json=start, headers={**accepted, "authorization": "Bearer token-of-the-one"})
        session = {"mcp-session-id": opened.headers["mcp-session-id"], **accepted}
        ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        statuses = [
            httpx2.post(running.mcp, json=ping, headers={**session, "authorization": f"Bearer {token}"}).status_code
            for token in ("token-of-the-one", "token-of-the-other")
        ]

    assert statuses == [200, 404]


def test_a_function_of_ones_own_decides_who_may_call() -> None:
    async def authenticate(headers: Any) -> str | None:
        return "ada" if headers.get("x-key") == "open sesame" else None

    body = {"tool_name": "demo.channel", "arguments": {}}
    with running_http(HttpSettings(authenticate=authenticate)) as running:
        allowed = httpx2.post(f"{running.address}/tools/call?channel=sms", json=body, headers={"x-key": "open sesame"})
        refused = httpx2.post(f"{running.address}/tools/call?channel=sms", json=body)

    assert allowed.json()["data"]["caller"] == "ada"
    assert refused.status_code == 401


def test_the_log_has_a_line_for_each_request_and_no_secret(guarded: Running, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    httpx2.get(f"{guarded.address}/tools?token={TOKEN}")
    httpx2.get(f"{guarded.address}/{TOKEN}/x{TOKEN}", headers=BEARER)
    httpx2.get(f"{guarded.address}/tools?page=1", headers=BEARER)
    httpx2.get(f"{guarded.address}/tools", headers={"authorization": f"Bearer {TOKEN}wrong"})
    httpx2.post(f"{guarded.address}/tools/call", json=ADD, headers={**BEARER, "host": TOKEN})

    def lines() -> list[str]:
        return [record.getMessage() for record in caplog.records if record.name == "mcp_contracts.serving.access"]

    assert eventually(lambda: len(lines()) == 5)  # a line is written after its response is sent
    assert [" ".join(line.split()[:3]) for line in lines()] == [
        "GET /tools 400",
        "GET /***/x*** 400",
        "GET /tools 200",
        "GET /tools 401",
        "POST /tools/call 421",
    ]
    ours = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))]
    assert TOKEN not in "\n".join(record.getMessage() for record in ours)


def test_a_body_never_waits_for_the_client_to_acknowledge_its_head() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
