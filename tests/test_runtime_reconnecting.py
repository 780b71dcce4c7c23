"""A registry that owns its connections: real servers are killed, started again, and changed in between."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from mcp_contracts import Backoff, MCPToolResult, ReconnectingServer, ToolRegistry, UsageError
from mcp_contracts.errors import SourceError
from tests.remote_servers import Bench, answering, over_http, soon

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a server is killed with SIGKILL")

QUICK = Backoff(shortest=0.02, longest=0.1)
SCRIPT = Path(__file__).with_name("reconnecting_server.py")


def run(work: Awaitable[None]) -> None:
    async def bounded() -> None:
        async with soon(30):
            await work

    asyncio.run(bounded())


def command(folder: Path) -> str:
    """Return the command of a server over stdio that lists the tools in `folder/tools`, which must exist."""
    return f"stdio:{shlex.join([sys.executable, str(SCRIPT), str(folder)])}"


def offer(folder: Path, *names: str) -> Path:
    file = folder / "tools"
    file.write_text("\n".join(names), encoding="utf-8")
    return file


async def call(registry: ToolRegistry, name: str, **arguments: Any) -> MCPToolResult:
    return await registry.acall({"tool_name": name, "arguments": arguments})


async def process_of(registry: ToolRegistry, name: str) -> int:
    data = (await call(registry, name)).data
    assert data is not None
    return int(data["pid"])


async def until(holds: Callable[[], bool]) -> None:
    async with soon():
        while not holds():
            await asyncio.sleep(0.005)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_calls_fail_at_once_while_a_server_is_gone_and_succeed_when_it_is_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="mcp_contracts.runtime")
    tools = offer(tmp_path, "who")

    async def work() -> None:
        registry = ToolRegistry()
        async with registry.connect(command(tmp_path), server="files", backoff=QUICK) as remote:
            first = await process_of(registry, "files.who")
            tools.rename(tmp_path / "away")
            os.kill(first, signal.SIGKILL)
            await until(lambda: not remote.is_connected)
            began = time.perf_counter()
            gone = await call(registry, "files.who")
            took = time.perf_counter() - began
            assert "files.who" in registry
            (tmp_path / "away").rename(tools)
            await asyncio.wait_for(remote.until_connected(), 10)
            second = await process_of(registry, "files.who")

            assert remote.last_error is None

        assert gone.error is not None
        assert gone.error.error_type == "ToolExecutionError"
        assert gone.error.error_message == "the server `files` is not connected; reconnecting"
        assert isinstance(gone.error.error_details, dict)
        assert gone.error.error_details["retryable"] is True
        assert "since" in gone.error.error_details
        assert took < 0.2
        assert second != first
        assert not is_running(second)
        assert "files.who" not in registry

    run(work())

    assert any(line.startswith("the connection to the server `files` is lost: ") for line in caplog.messages)
    assert any(line.startswith("the server `files` is connected again (attempt ") for line in caplog.messages)


def test_a_running_call_fails_when_its_server_dies(tmp_path: Path) -> None:
    offer(tmp_path, "who", "wait")

    async def work() -> None:
        registry = ToolRegistry()
        async with registry.connect(command(tmp_path), server="files", backoff=QUICK):
            process = await process_of(registry, "files.who")
            waiting = asyncio.create_task(call(registry, "files.wait"))
            await asyncio.sleep(0.05)
            os.kill(process, signal.SIGKILL)
            result = await asyncio.wait_for(waiting, 5)

        assert result.error is not None
        assert result.error.error_message == "the connection to the server `files` is closed"

    run(work())


def test_the_reason_of_a_loss_is_what_the_process_left_behind(tmp_path: Path) -> None:
    tools = offer(tmp_path, "die")

    async def work() -> None:
        registry = ToolRegistry()
        async with registry.connect(command(tmp_path), server="files", backoff=Backoff(20, 30)) as remote:
            tools.unlink()
            result = await call(registry, "files.die")
            await until(lambda: remote.last_error is not None)

            assert result.status == "failure"
            assert "exited with code 1 before it responded to another request" in str(remote.last_error)
            assert str(remote.last_error).endswith("(its standard error says: error: the disk is full)")

    run(work())


def test_a_server_that_always_ends_at_once_is_started_ever_less_often(tmp_path: Path) -> None:
    offer(tmp_path, "brief")
    attempts: list[int] = []

    class Watched(Backoff):
        def pause(self, attempt: int) -> float:
            attempts.append(attempt)
            return 0.01

    async def work() -> None:
        registry = ToolRegistry()
        async with registry.connect(command(tmp_path), server="files", backoff=Watched(0.1, 30)):
            await until(lambda: len(attempts) >= 3)

    run(work())

    assert attempts[:3] == [1, 2, 3]


def test_the_pauses_start_again_after_a_connection_that_lasted(tmp_path: Path) -> None:
    offer(tmp_path, "who")
    attempts: list[int] = []

    class Watched(Backoff):
        def pause(self, attempt: int) -> float:
            attempts.append(attempt)
            return 0.01

    async def work() -> None:
        registry = ToolRegistry()
        async with registry.connect(command(tmp_path), server="files", backoff=Watched(0.001, 0.002)) as remote:
            for _ in range(2):
                process = await process_of(registry, "files.who")
                await asyncio.sleep(0.01)
                os.kill(process, signal.SIGKILL)
                await until(lambda: not remote.is_connected)
                await asyncio.wait_for(remote.until_connected(), 10)

    run(work())

    assert attempts == [1, 1]


def test_a_server_that_does_not_answer_is_given_up_in_time_and_left_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        registry = ToolRegistry()
        offer(tmp_path, "mute")
        with pytest.raises(SourceError, match=r"did not respond to `initialize` within 0\.2 s"):
            async with registry.connect(command(tmp_path), server="files", timeout=0.2):
                raise AssertionError("it does not answer")
        offer(tmp_path, "who")
        async with registry.connect(command(tmp_path), server="files", backoff=QUICK) as remote:
            process = await process_of(registry, "files.who")
            offer(tmp_path, "mute")
            os.kill(process, signal.SIGKILL)
            await until(lambda: (tmp_path / "starts").read_text(encoding="utf-8").count("started") == 3)
            assert not remote.is_connected
            assert (await call(registry, "files.who")).status == "failure"
            began = time.perf_counter()

        assert time.perf_counter() - began < 5
        assert list(registry) == []

    run(work())


def test_an_error_of_the_user_passes_unchanged_and_ends_the_server(tmp_path: Path) -> None:
    offer(tmp_path, "who")
    processes: list[int] = []

    async def work() -> None:
        registry = ToolRegistry()
        async with registry.connect(command(tmp_path), server="files"):
            processes.append(await process_of(registry, "files.who"))
            raise ZeroDivisionError("of the user")

    with pytest.raises(ZeroDivisionError, match="of the user"):
        run(work())

    assert not is_running(processes[0])


def test_the_list_of_a_server_that_comes_back_is_applied(tmp_path: Path) -> None:
    offer(tmp_path, "who", "old", "changed")

    async def work() -> None:
        registry = ToolRegistry()
        async with registry.connect(command(tmp_path), server="files", backoff=QUICK) as remote:
            process = await process_of(registry, "files.who")
            offer(tmp_path, "who", "new", "changed=now in another way")
            os.kill(process, signal.SIGKILL)
            await until(lambda: not remote.is_connected)
            await asyncio.wait_for(remote.until_connected(), 10)

            assert list(registry) == ["files.changed", "files.new", "files.who"]
            assert registry["files.changed"].contract.description == "now in another way"
            assert set(remote.tools) == set(registry)

    run(work())


def test_two_servers_join_under_their_own_names_and_one_name_is_refused_to_a_second(tmp_path: Path) -> None:
    offer(tmp_path, "who")

    async def work() -> None:
        registry = ToolRegistry()
        server = command(tmp_path)
        async with registry.connect(server, server="My Files") as one, registry.connect(server) as two:
            assert list(registry) == ["my_files.who", "reconnecting.who"]
            assert (one.server, two.server) == ("My Files", "reconnecting")
            with pytest.raises(UsageError, match=r"already have the prefix `my_files\.`"):
                async with registry.connect(server, server="my_files"):
                    raise AssertionError("it is refused")
            with pytest.raises(UsageError, match=r"already have the prefix `reconnecting\.`"):
                async with registry.connect(server):
                    raise AssertionError("it is refused")
            assert list(registry) == ["my_files.who", "reconnecting.who"]
        async with registry.connect(server, server="my_files"):
            assert list(registry) == ["my_files.who"]

    run(work())


def test_a_server_that_is_not_there_at_the_start_is_an_error(tmp_path: Path) -> None:
    async def work() -> None:
        registry = ToolRegistry()
        with pytest.raises(SourceError, match="before it responded"):
            async with registry.connect(command(tmp_path), server="files"):
                raise AssertionError("it is not there")
        with pytest.raises(SourceError, match="cannot be reached"):
            async with registry.connect(f"http://127.0.0.1:{free_port()}/mcp", server="files"):
                raise AssertionError("it is not there")
        assert len(registry) == 0

    run(work())


@pytest.mark.parametrize(
    ("address", "settings", "message"),
    [
        ("server.py", {}, "`server.py` is not a live server"),
        ("stdio:", {}, "has no command"),
        ("stdio:python x.py", {"token": "secret"}, "only for HTTP servers"),
        ("http://127.0.0.1/mcp", {"environment": {}}, "only for stdio servers"),
        ("http://127.0.0.1/mcp", {"headers": {"Host": "a"}}, "is set by the protocol"),
        ("http://127.0.0.1/mcp", {"server": " "}, "has no name"),
        ("http://127.0.0.1/mcp", {"timeout": 0}, "positive number"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(address: str, settings: Any, message: str) -> None:
    async def work() -> None:
        with pytest.raises(UsageError, match=message):
            async with ToolRegistry().connect(address, **settings):
                raise AssertionError("it is refused")

    run(work())


def test_leaving_while_the_server_is_gone_ends_at_once(tmp_path: Path) -> None:
    tools = offer(tmp_path, "who")

    async def work() -> None:
        registry = ToolRegistry()
        async with registry.connect(command(tmp_path), server="files", backoff=Backoff(20, 30)) as remote:
            process = await process_of(registry, "files.who")
            tools.unlink()
            os.kill(process, signal.SIGKILL)
            await until(lambda: not remote.is_connected)
            with pytest.raises(SourceError, match="`files` is not connected"):
                await remote.refresh()
            began = time.perf_counter()

        assert time.perf_counter() - began < 5
        assert list(registry) == []
        assert not [task for task in asyncio.all_tasks() if "files" in task.get_name()]

    run(work())


def test_pauses_double_up_to_the_longest_and_vary() -> None:
    backoff = Backoff(0.1, 30)

    assert all(0.05 <= backoff.pause(1) <= 0.1 for _ in range(50))
    assert all(0.4 <= backoff.pause(4) <= 0.8 for _ in range(50))
    assert all(15 <= backoff.pause(attempt) <= 30 for attempt in range(10, 5_000, 100))
    assert len({backoff.pause(4) for _ in range(50)}) > 1
    with pytest.raises(UsageError, match="not valid"):
        Backoff(0, 1)


# Over HTTP


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class HttpServer:
    """The server as a separate process, always on the same port."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    async def start(self) -> None:
        self.process = subprocess.Popen([sys.executable, str(SCRIPT), str(self.folder), str(self.port)])
        async with soon():
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                except OSError:
                    await asyncio.sleep(0.02)
                else:
                    writer.close()
                    return

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@pytest.mark.parametrize("is_noticed_by", ["a call", "a check"])
def test_a_server_over_http_is_connected_to_again(tmp_path: Path, is_noticed_by: str) -> None:
    offer(tmp_path, "who")
    server = HttpServer(tmp_path)

    async def work() -> None:
        await server.start()
        registry = ToolRegistry()
        every = 60.0 if is_noticed_by == "a call" else 0.05
        async with registry.connect(
            server.url, server="far", token="a-long-secret", backoff=QUICK, check_every=every
        ) as remote:
            first = await process_of(registry, "far.who")
            server.kill()
            if is_noticed_by == "a call":
                assert (await asyncio.wait_for(call(registry, "far.who"), 5)).status == "failure"
            await until(lambda: not remote.is_connected)
            result = await call(registry, "far.who")
            await until(lambda: remote.last_error is not None)
            assert "a-long-secret" not in str(remote.last_error)
            offer(tmp_path, "who", "new")
            await server.start()
            await asyncio.wait_for(remote.until_connected(), 10)

            assert result.error is not None
            assert result.error.error_message == "the server `far` is not connected; reconnecting"
            assert await process_of(registry, "far.who") != first
            assert list(registry) == ["far.new", "far.who"]

    try:
        run(work())
    finally:
        server.kill()


def test_a_session_that_the_server_forgot_is_opened_again(tmp_path: Path) -> None:
    offer(tmp_path, "who")
    server = HttpServer(tmp_path)

    async def work() -> None:
        await server.start()
        registry = ToolRegistry()
        async with registry.connect(server.url, server="far", backoff=QUICK, check_every=60) as remote:
            first = await process_of(registry, "far.who")
            server.kill()
            await server.start()
            assert remote.is_connected
            assert (await call(registry, "far.who")).status == "failure"
            await until(lambda: not remote.is_connected)
            await asyncio.wait_for(remote.until_connected(), 10)
            assert await process_of(registry, "far.who") != first

    try:
        run(work())
    finally:
        server.kill()


def test_a_server_of_the_sdk_that_stops_is_noticed() -> None:
    bench = Bench()
    bench.offer("one", answering())

    async def work() -> None:
        registry = ToolRegistry()
        with contextlib.ExitStack() as stack:
            url = stack.enter_context(over_http(bench.server()))
            async with registry.connect(url, backoff=QUICK, check_every=0.1) as remote:
                assert (await call(registry, "bench.one")).status == "success"
                await asyncio.to_thread(stack.close)
                await until(lambda: not remote.is_connected)
                result = await call(registry, "bench.one")

        assert result.error is not None
        assert result.error.error_message == "the server `bench` is not connected; reconnecting"

    run(work())


def test_a_tool_that_fails_does_not_cost_the_connection(tmp_path: Path) -> None:
    offer(tmp_path, "who", "fail")
    server = HttpServer(tmp_path)

    async def work() -> None:
        await server.start()
        registry = ToolRegistry()
        async with registry.connect(server.url, server="far", check_every=60) as remote:
            assert isinstance(remote, ReconnectingServer)
            for _ in range(3):
                assert (await call(registry, "far.fail")).status == "failure"
            await asyncio.sleep(0.1)
            assert remote.is_connected
            assert (await call(registry, "far.who")).status == "success"

    try:
        run(work())
    finally:
        server.kill()
