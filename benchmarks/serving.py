"""Servers of one tool over loopback HTTP and stdio, side by side: `python -m benchmarks.serving`.

Three servers have the same tool: `mcp-contracts serve`, which validates arguments and results; the official SDK's
low-level server, which validates neither; and FastMCP, where it is installed. Each is a separate process that the SDK's
client calls, in alternating rounds. `python -m benchmarks.serving load` makes 1,000 calls at once over plain HTTP, and
stops the server during another 1,000.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

DEMO = Path(__file__).parents[1] / "tests" / "serving_demo"
HERE = Path(__file__).parent
OURS = (sys.executable, "-m", "mcp_contracts", "serve", str(DEMO), "--implementation", str(DEMO / "demo_tools.py"))
PEERS = (sys.executable, str(HERE / "serving_peers.py"))
ROUNDS, CALLS, AT_ONCE = 21, 60, 8
LOAD = 1_000
ARRIVAL, LONG = 18, 25  # seconds: until the last call has arrived on a busy machine, and the duration of a call


def servers(transport: str) -> dict[str, tuple[str, ...]]:
    """Return the command line of each server."""
    http = ("--transport", "http", "--port", "0", "--no-access-log") if transport == "http" else ()
    found = {"mcp-contracts serve": (*OURS, *http), "mcp, low-level server": (*PEERS, "sdk", transport)}
    if find_spec("fastmcp") is not None:
        found["FastMCP"] = (*PEERS, "fastmcp", transport)
    return found


@contextlib.contextmanager
def running(command: tuple[str, ...]) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run an HTTP server as a separate process; yield it and the address that it prints."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    try:
        line = next(line for line in process.stderr if line.startswith("serving "))
        yield process, next(word for word in line.split() if word.startswith("http"))
    finally:
        process.terminate()
        process.communicate()


@contextlib.asynccontextmanager
async def clients(transport: str, mode: str) -> AsyncIterator[dict[str, Client]]:
    """Yield an open client of each server."""
    async with contextlib.AsyncExitStack() as stack:
        found = {}
        for name, command in servers(transport).items():
            where: Any = StdioServerParameters(command=command[0], args=list(command[1:]))
            if transport == "http":
                where = stack.enter_context(running(command))[1]
            found[name] = await stack.enter_async_context(Client(where, mode=mode))
        yield found


async def timed(client: Client) -> list[float]:
    """Return how long each of some calls takes, several at once."""
    seconds: list[float] = []
    numbers = iter(range(CALLS))

    async def call() -> None:
        for number in numbers:
            started = time.perf_counter()
            result = await client.call_tool("demo.lookup", {"word": f"word {number}"})
            seconds.append(time.perf_counter() - started)
            assert result.structured_content == {"found": "yes"}, result

    await asyncio.gather(*(call() for _ in range(AT_ONCE)))
    return seconds


async def compare(transport: str, mode: str) -> None:
    """Print the calls per second of each server, its slowest hundredth, and our rate as a share of its rate.

    All are medians of the rounds. Shares are computed within a round, in which other work on the machine affects all
    alike.
    """
    print(f"\n{transport}, {mode}: {AT_ONCE} calls at once, medians of {ROUNDS} rounds of {CALLS}")
    async with clients(transport, mode) as found:
        rates: dict[str, list[float]] = {name: [] for name in found}
        slowest: dict[str, list[float]] = {name: [] for name in found}
        for client in found.values():
            await timed(client)
        for _ in range(ROUNDS):
            for name, client in found.items():
                started = time.perf_counter()
                seconds = await timed(client)
                rates[name].append(CALLS / (time.perf_counter() - started))
                slowest[name].append(statistics.quantiles(seconds, n=100)[98])
    ours = next(iter(rates.values()))
    for name, rate in rates.items():
        share = statistics.median(own / other for own, other in zip(ours, rate, strict=True))
        p99 = statistics.median(slowest[name]) * 1000
        print(f"  {name:24}{statistics.median(rate):8.0f} calls/s   p99 {p99:7.1f} ms   ours {share:5.2f} x")


async def load() -> None:
    """Make 1,000 calls at once, and another 1,000 that a signal interrupts."""
    import httpx2

    async with contextlib.AsyncExitStack() as stack:
        process, address = stack.enter_context(running(servers("http")["mcp-contracts serve"]))
        base = address.removesuffix("/mcp")
        limits = httpx2.Limits(max_connections=LOAD)
        client = await stack.enter_async_context(httpx2.AsyncClient(limits=limits, timeout=120, base_url=base))

        async def call(number: int, name: str, arguments: dict[str, Any]) -> Any:
            answer = await client.post("/tools/call", json={"tool_name": name, "arguments": arguments})
            return answer.status_code, answer.json()["data"]

        started = time.perf_counter()
        answers = await asyncio.gather(*(call(n, "demo.add", {"a": n, "b": n}) for n in range(LOAD)))
        wrong = sum(answer != (200, {"sum": 2 * number}) for number, answer in enumerate(answers))
        print(f"{LOAD} calls at once: {len(answers)} answers, {wrong} wrong, {time.perf_counter() - started:.1f} s")

        waiting = [asyncio.create_task(call(n, "demo.wait", {"seconds": LONG, "tag": str(n)})) for n in range(LOAD)]
        await asyncio.sleep(ARRIVAL)
        process.send_signal(signal.SIGTERM)
        late = await asyncio.gather(*waiting, return_exceptions=True)
        right = sum(answer == (200, {"waited": LONG, "tag": str(number)}) for number, answer in enumerate(late))
        code = await asyncio.to_thread(process.wait, 60)
        print(f"SIGTERM during {LOAD} calls: {right} finished, {LOAD - right} did not, exit code {code}")


async def main() -> None:
    """Compare the servers over both transports and in both eras."""
    for transport in ("http", "stdio"):
        for mode in ("legacy", "2026-07-28"):
            await compare(transport, mode)


if __name__ == "__main__":
    asyncio.run(load() if sys.argv[1:] == ["load"] else main())
