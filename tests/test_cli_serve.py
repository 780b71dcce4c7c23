"""`mcp-contracts serve`: what it rejects before it starts, and several workers on one port."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from mcp_contracts.cli.app import run
from tests.serving_servers import DEMO, TOOLS, line_with, serve_process
from tests.support_redis import redis_server

SPEC = (str(DEMO), "--implementation", TOOLS)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "no specification is given"),
        ((str(DEMO),), "nothing implements the tools"),
        (("no/such/folder", "--implementation", TOOLS), "no/such/folder"),
        ((*SPEC, "--transport", "http", "--host", "0.0.0.0"), "requires authentication"),
        ((*SPEC, "--transport", "http", "--token-env", "NO_SUCH_VARIABLE"), "is not set or is empty"),
        ((*SPEC, "--transport", "http", "--token-env", "SHORT_TOKEN"), "the token `SHORT_TOKEN` cannot be used"),
        ((*SPEC, "--transport", "http", "--host", "203.0.113.7", "--token-env", "GOOD_TOKEN"), "cannot listen on"),
        ((*SPEC, "--transport", "http", "--workers", "2", "--rate", "1/second"), "share rates only through Redis"),
        ((*SPEC, "--transport", "http", "--workers", "2", "--watch"), "`--watch` requires a single worker"),
        ((*SPEC, "--workers", "2"), "several workers require HTTP"),
        ((*SPEC, "--rate", "often"), "rate `often` cannot be read"),
    ],
)
def test_what_cannot_be_served_is_a_usage_error(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHORT_TOKEN", "abc")
    monkeypatch.setenv("GOOD_TOKEN", "long-enough-to-be-a-token")

    code = run(["serve", *arguments])

    output = capsys.readouterr()
    assert code == 2
    assert words in output.err
    assert "long-enough" not in output.err


@pytest.fixture
def two_workers() -> Iterator[str]:
    pytest.importorskip("limits", reason="needs pip install 'mcp-contracts[limits]'")
    with redis_server() as redis:
        environment = {"REDIS_URL": redis, "API_TOKEN": "secret-of-the-test"}
        options = ("--transport", "http", "--port", "0", "--workers", "2", "--token-env", "API_TOKEN")
        limits = ("--rate", "7/hour", "--redis-env", "REDIS_URL")
        with serve_process(*options, *limits, environment=environment) as process:
            yield line_with(process.stderr, "serving 4 tools at ").split()[4].removesuffix("/mcp")
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
            assert process.stderr is not None
            assert b"Traceback" not in process.stderr.read()


def test_two_workers_never_exceed_one_limit(two_workers: str) -> None:
    headers = {"authorization": "Bearer secret-of-the-test"}

    def call(number: int) -> int:
        body = {"tool_name": "demo.add", "arguments": {"a": number, "b": 1}}
        return httpx2.post(f"{two_workers}/tools/call", json=body, headers=headers, timeout=60).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(call, range(16)))

    assert statuses.count(200) == 7
    assert set(statuses) == {200, 429}
