"""Rates: what they allow, when they allow the next call, and that no name or server circumvents them."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import redis as redis_package
from hypothesis import given
from hypothesis import strategies as st

from mcp_contracts.errors import UsageError
from mcp_contracts.runtime import limits as limits_module
from mcp_contracts.runtime.limits import Exceeded, LimitsUnreachableError, RateLimits
from tests.support_redis import free_port, redis_server
from tests.tables import each

ROOT = Path(__file__).resolve().parents[1]


class Clock:
    """A clock that stops until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    with redis_server() as url:
        yield url


@pytest.fixture
def empty_redis(redis_url: str) -> str:
    client = redis_package.Redis.from_url(redis_url)
    client.flushdb()
    client.close()
    return redis_url


def passed(rates: RateLimits, calls: int, tool: str = "m.tool", caller: str | None = None) -> int:
    return sum(rates.take(tool, caller) is None for _ in range(calls))


# Allowed calls


def test_a_rate_allows_its_number_of_calls_and_the_next_error_states_the_rate() -> None:
    rates = RateLimits(overall="3/minute", clock=Clock())

    assert [rates.take("m.tool", None) for _ in range(4)] == [
        None,
        None,
        None,
        Exceeded("overall", "3 per 1 minute", 60.001),
    ]


@pytest.mark.parametrize("text", ["2/minute", "2 per minute", "2 per 1 minute", "2/60 seconds", "2/minute; 9/hour"])
def test_a_rate_is_written_as_the_library_reads_it(text: str) -> None:
    assert passed(RateLimits(overall=text), 5) == 2


def test_all_of_several_rates_hold_and_the_one_that_takes_longest_is_reported() -> None:
    clock = Clock()
    rates = RateLimits(overall="2/second; 2/hour", clock=clock)
    passed(rates, 2)

    exceeded = rates.take("m.tool", None)

    assert exceeded == Exceeded("overall", "2 per 1 hour", 3600.001)


def test_a_rate_given_twice_counts_once() -> None:
    assert passed(RateLimits(overall="4/minute; 4/minute"), 9) == 4


def test_no_moving_window_contains_more_calls_than_the_rate() -> None:
    clock = Clock()
    rates = RateLimits(overall="5/second", clock=clock)
    times = []

    for _ in range(400):
        clock.now += 0.03
        if rates.take("m.tool", None) is None:
            times.append(clock.now)

    assert len(times) > 50
    assert all(later - earlier > 1.0 for earlier, later in zip(times, times[5:], strict=False))


@given(
    steps=st.lists(st.floats(0, 0.7), min_size=1, max_size=40),
    rate=st.sampled_from(["1/second", "3/second", "2/second; 5/3 seconds", "1/second; 4/minute"]),
)
def test_the_stated_wait_allows_a_call_and_is_not_a_millisecond_too_long(steps: list[float], rate: str) -> None:
    clock = Clock()
    rates = RateLimits(overall=rate, per_caller="2/second", clock=clock)

    for step in steps:
        clock.now += step
        exceeded = rates.take("m.tool", "a")
        if exceeded is not None:
            assert exceeded.retry_after > 0
            assert round(exceeded.retry_after, 3) == exceeded.retry_after
            told_at = clock.now
            clock.now = told_at + exceeded.retry_after - 0.0012
            assert exceeded.retry_after <= 0.0012 or rates.take("m.tool", "a") is not None
            clock.now = told_at + exceeded.retry_after
            assert rates.take("m.tool", "a") is None


def test_a_refused_call_is_counted_against_no_rate() -> None:
    clock = Clock()
    rates = RateLimits(overall="3/minute", per_tool={"m.narrow": "1/minute"}, clock=clock)
    passed(rates, 9, "m.narrow")

    assert passed(rates, 9, "m.wide") == 2


# Whose calls are counted


def test_each_tool_has_its_own_counter() -> None:
    rates = RateLimits(per_tool="2/minute")

    assert [passed(rates, 3, "m.a"), passed(rates, 3, "m.b")] == [2, 2]


@pytest.mark.parametrize(
    ("tool", "calls"),
    [("weather.eu.now", 1), ("weather.eu.later", 2), ("weather.us", 3), ("weatherman.call", 4), ("weather", 4)],
)
def test_only_the_most_specific_entry_applies(tool: str, calls: int) -> None:
    entries = {
        "*": "4/minute",
        "weather.*": "3/minute",
        "weather.eu.*": "2/minute",
        "weather.eu.now": "1/minute",
    }

    assert passed(RateLimits(per_tool=entries), 9, tool) == calls


def test_tools_under_one_entry_are_counted_apart() -> None:
    rates = RateLimits(per_tool={"m.*": "1/minute"})

    assert [passed(rates, 2, "m.a"), passed(rates, 2, "m.b"), passed(rates, 2, "other.tool")] == [1, 1, 2]


def test_a_caller_is_counted_over_all_tools() -> None:
    rates = RateLimits(per_caller="2/minute")

    assert [passed(rates, 1, "m.a", "ann"), passed(rates, 9, "m.b", "ann"), passed(rates, 9, "m.a", "bob")] == [1, 1, 2]


def test_calls_without_caller_share_one_anonymous_caller_with_a_reserved_name() -> None:
    rates = RateLimits(per_caller="1/minute")

    assert [passed(rates, 2, "m.a", None), passed(rates, 2, "m.b", None)] == [1, 0]
    assert [passed(rates, 2, caller=name) for name in ("", "anonymous", "None")] == [1, 1, 1]


NAMES = st.text(st.characters(exclude_categories=()), max_size=5) | st.sampled_from(
    [
        "a/b",
        "a",
        "b/",
        "/b",
        "a%2Fb",
        "a/b/1/1/minute",
        "caller",
        "x" * 201,
        "x" * 202,
        "\ud800" * 300,
        "sha256:",
        "{a}*",
    ]
)


@given(st.lists(NAMES, unique=True, max_size=8))
def test_two_names_never_share_a_counter(names: list[str]) -> None:
    rates = RateLimits(per_tool="1/minute", per_caller="1/minute")

    assert [passed(rates, 2, tool=f"{name}", caller=f"{name}") for name in names] == [1] * len(names)


@given(NAMES)
def test_a_tool_and_a_caller_of_the_same_name_never_share_a_counter(name: str) -> None:
    rates = RateLimits(per_tool="7/minute", per_caller="7/minute")
    tool, caller = rates._tools["*"][0].item, rates._callers[0].item
    part = limits_module._key_part(name)

    keys = {tool.key_for("tool", part), caller.key_for("caller", part), caller.key_for("anonymous")}

    assert len(keys) == 3


def test_a_name_of_any_length_makes_a_short_key() -> None:
    rates = RateLimits(per_caller="1/minute")
    rates.take("m.tool", "é" * 1_000_000)

    assert len(next(iter(windows_of(rates)._calls))) < 1300


# Threads and memory


def test_threads_never_let_one_call_too_many_pass() -> None:
    rates = RateLimits(overall="500/hour", per_tool="450/hour", per_caller="100/hour")
    start = threading.Barrier(8)

    def calls(number: int) -> int:
        start.wait()
        return passed(rates, 400, caller=f"caller {number % 5}")

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # so that threads meet in the middle of a call
    try:
        with ThreadPoolExecutor(8) as pool:
            total = sum(pool.map(calls, range(8)))
    finally:
        sys.setswitchinterval(usual)

    assert total == 450
    assert passed(rates, 100, "m.other", caller="another") == 50


def windows_of(rates: RateLimits) -> limits_module._MemoryWindows:
    windows: Any = rates._callers[0].limiter.storage
    assert isinstance(windows, limits_module._MemoryWindows)
    return windows


def test_callers_are_forgotten_when_their_window_is_over() -> None:
    clock = Clock()
    rates = RateLimits(per_caller="2/second", clock=clock)
    for number in range(1000):
        rates.take("m.tool", f"caller {number}")
    assert len(windows_of(rates)) == 1000

    clock.now += 1.5
    rates.take("m.tool", "another")

    assert len(windows_of(rates)) == 1


def test_the_number_of_callers_within_one_window_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "_MOST_CALLERS", 10)
    rates = RateLimits(per_caller="1/hour", clock=Clock())

    for number in range(50):
        rates.take("m.tool", f"caller {number}")

    assert len(windows_of(rates)) == 10
    assert rates.take("m.tool", "caller 49") is not None


def test_no_thread_is_left_by_counting_in_memory() -> None:
    before = threading.active_count()

    passed(RateLimits(overall="5/second"), 3)

    assert threading.active_count() == before


# Misuse


@each("rate", ["", "ten/minute", "10", "10/fortnight", "-1/minute", "1.5/minute", "5/second;", "９/minute"])
@each("parameter", ["overall", "per_tool", "per_caller"])
def test_a_rate_that_cannot_be_read_is_refused_with_an_example(rate: str, parameter: str) -> None:
    arguments: dict[str, Any] = {"overall": "9/second", parameter: rate}

    with pytest.raises(UsageError) as refused:
        RateLimits(**arguments)

    assert refused.value.message == f"rate `{rate}` cannot be read"
    assert "10/minute" in (refused.value.hint or "")


@pytest.mark.parametrize("rate", ["0/minute", "5 per 0 minutes", "5/second; 00/hour"])
def test_a_zero_in_a_rate_is_refused(rate: str) -> None:
    with pytest.raises(UsageError, match="contains a zero"):
        RateLimits(overall=rate)


@pytest.mark.parametrize("rate", ["1/99999999999 years", "9" * 30 + "/second"])
def test_a_rate_past_what_can_be_counted_is_refused(rate: str) -> None:
    with pytest.raises(UsageError, match="is too large"):
        RateLimits(overall=rate)


@pytest.mark.parametrize("arguments", [{}, {"per_tool": {}}])
def test_limits_without_any_rate_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="no rate is given"):
        RateLimits(**arguments)


@pytest.mark.parametrize("entry", ["", ".*", "a*", "*.a", "a.*.*", "a.*b"])
def test_an_entry_that_names_no_tool_is_refused(entry: str) -> None:
    with pytest.raises(UsageError, match="is not a tool name"):
        RateLimits(per_tool={entry: "1/minute"})


@pytest.mark.parametrize(
    "storage", ["", "memory", "memcached://localhost:11211", "redsi://user:secret@host", "user:secret@host"]
)
def test_an_unknown_storage_is_refused_without_its_credentials(storage: str) -> None:
    with pytest.raises(UsageError, match="the storage of the rate limits") as refused:
        RateLimits(overall="1/minute", storage=storage)

    assert "secret" not in f"{refused.value.message}{refused.value.hint}"
    assert "redis://" in (refused.value.hint or "")


@pytest.mark.parametrize(
    "storage", ["redis://:secret@host:port/0", "redis://h/0?socket_timeout=secret", "redis://h/0?secret=1"]
)
def test_a_redis_url_that_cannot_be_used_is_refused_at_once_without_its_credentials(storage: str) -> None:
    with pytest.raises(UsageError, match="cannot be read") as refused:
        RateLimits(overall="1/minute", storage=storage)

    assert "secret" not in refused.value.message
    assert refused.value.__cause__ is None


def test_another_answer_to_an_unreachable_server_is_refused() -> None:
    answer: Any = "panic"

    with pytest.raises(UsageError, match="`when_unreachable` cannot be `panic`"):
        RateLimits(overall="1/minute", when_unreachable=answer)


@pytest.mark.parametrize(("missing", "storage"), [("limits", "memory://"), ("redis", "redis://localhost:1/0")])
def test_a_missing_package_is_refused_with_the_way_to_install_it(
    missing: str, storage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)

    with pytest.raises(UsageError, match=f"the package `{missing}`") as refused:
        RateLimits(overall="1/minute", storage=storage)

    assert refused.value.hint == "pip install 'mcp-contracts[limits]'"


# Redis


def test_only_a_server_makes_taking_a_call_wait() -> None:
    assert not RateLimits(overall="1/minute").is_blocking
    assert RateLimits(overall="1/minute", storage=f"redis://127.0.0.1:{free_port()}/0").is_blocking


def test_two_limits_on_one_redis_share_their_counters(empty_redis: str) -> None:
    one = RateLimits(overall="5/minute", per_tool="9/minute", per_caller="3/minute", storage=empty_redis)
    other = RateLimits(overall="5/minute", per_tool="9/minute", per_caller="3/minute", storage=empty_redis)

    assert [passed(one, 2, caller="ann"), passed(other, 9, caller="ann"), passed(one, 9), passed(other, 9)] == [
        2,
        1,
        2,
        0,
    ]
    exceeded = other.take("m.tool", None)
    assert exceeded is not None
    assert exceeded.scope == "overall"
    assert 59 < exceeded.retry_after <= 60.001


def test_processes_that_share_a_redis_never_let_one_call_too_many_pass(empty_redis: str) -> None:
    program = (
        "import sys; from mcp_contracts.runtime.limits import RateLimits\n"
        "rates = RateLimits(overall='60/hour', per_caller='50/hour', storage=sys.argv[1])\n"
        "print(sum(rates.take('m.tool', 'ann') is None for _ in range(60)))"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", program, empty_redis], stdout=subprocess.PIPE, cwd=ROOT)
        for _ in range(2)
    ]

    counts = [int(process.communicate(timeout=60)[0]) for process in processes]

    # One that gives back may cost the other a call that would have passed; never the other way round.
    assert 45 <= sum(counts) <= 50
    assert passed(RateLimits(overall="60/hour", storage=empty_redis), 60) == 60 - sum(counts)


def test_threads_on_one_redis_never_let_one_call_too_many_pass(empty_redis: str) -> None:
    rates = RateLimits(overall="30/hour", per_tool="25/hour", storage=empty_redis)

    with ThreadPoolExecutor(4) as pool:
        total = sum(pool.map(lambda _: passed(rates, 20), range(4)))

    assert 20 <= total <= 25
    assert passed(RateLimits(overall="30/hour", storage=empty_redis), 30) == 30 - total
    rates.close()


def test_a_call_overtaken_between_looking_and_counting_gives_back_what_it_had_counted(empty_redis: str) -> None:
    rates = RateLimits(overall="9/hour", per_tool="1/hour", per_caller="9/hour", storage=empty_redis)
    redis: Any = rates._redis
    counters = [
        limits_module._Counter(rates._overall[0], ("overall",)),
        limits_module._Counter(rates._tools["*"][0], ("tool", "m.tool")),
        limits_module._Counter(rates._callers[0], ("caller", "ann")),
    ]
    looks: list[float] = []

    def time_with_another_call_before_the_last_look() -> float:
        looks.append(time.time())
        if len(looks) == len(counters):
            assert counters[1].hit()
        return looks[-1]

    refused = limits_module._take(
        counters,
        time_with_another_call_before_the_last_look,
        lambda counter: limits_module._give_back(redis, counter),
    )

    assert refused is not None
    assert refused.scope == "tool"
    assert [redis.get_connection().llen(redis.prefixed_key(c.rate.item.key_for(*c.whose))) for c in counters] == [
        0,
        1,
        0,
    ]


def test_waiting_as_long_as_redis_says_allows_a_call(empty_redis: str) -> None:
    rates = RateLimits(overall="1/second", per_tool="5/hour", storage=empty_redis)
    client = redis_package.Redis.from_url(empty_redis)
    client.lpush("mcp-contracts:LIMITER/overall/1/1/second", time.time() - 0.8)  # as if it had passed a moment ago
    client.close()

    exceeded = rates.take("m.tool", None)

    assert exceeded is not None
    assert exceeded.limit == "1 per 1 second"
    assert 0 < exceeded.retry_after <= 0.201
    time.sleep(exceeded.retry_after)
    assert rates.take("m.tool", None) is None


@pytest.mark.parametrize("name", ["a/b", "\ud800", "x" * 10_000, "{a} *\r\n$1", "\x00"])
def test_any_name_is_counted_in_redis(empty_redis: str, name: str) -> None:
    rates = RateLimits(per_tool="3/minute", per_caller="2/minute", storage=empty_redis)

    assert passed(rates, 9, name, name) == 2


def test_what_redis_counts_goes_away_with_its_window(empty_redis: str) -> None:
    RateLimits(overall="3/minute", per_caller="5/hour", storage=empty_redis).take("m.tool", "ann")
    client: Any = redis_package.Redis.from_url(empty_redis)

    times = sorted(client.ttl(key) for key in client.keys("*"))

    client.close()
    assert times == pytest.approx([60, 3600], abs=5)


# A server that cannot be used


def test_an_unreachable_server_refuses_without_credentials(
    caplog: pytest.LogCaptureFixture,
) -> None:
    port = free_port()
    rates = RateLimits(overall="1/minute", storage=f"redis://ann:secret@127.0.0.1:{port}/0")

    with pytest.raises(LimitsUnreachableError) as refused:
        rates.take("m.tool", None)

    message = f"the storage of the rate limits, `redis://127.0.0.1:{port}/0`, is not reachable (ConnectionError)"
    assert str(refused.value) == message
    assert refused.value.__cause__ is None
    assert caplog.messages == [f"{message}, calls are refused"]


def test_an_unreachable_server_lets_calls_pass_with_one_warning_where_asked_to(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rates = RateLimits(
        overall="1/minute",
        storage=f"redis://ann:secret@127.0.0.1:{free_port()}/0",
        when_unreachable="allow",
        clock=Clock(),
    )

    with caplog.at_level(logging.WARNING, "mcp_contracts.runtime"):
        assert passed(rates, 50) == 50

    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "secret" not in caplog.text


def test_a_server_that_is_back_is_asked_again_after_a_second() -> None:
    clock, port = Clock(), free_port()
    rates = RateLimits(overall="1/minute", storage=f"redis://127.0.0.1:{port}/0", when_unreachable="allow", clock=clock)
    assert passed(rates, 5) == 5

    with redis_server(at=port):
        assert passed(rates, 5) == 5
        clock.now += 1.1
        assert passed(rates, 5) == 1


def test_a_server_that_restarts_between_two_calls_is_not_noticed() -> None:
    port = free_port()
    rates = RateLimits(overall="2/minute", storage=f"redis://127.0.0.1:{port}/0")
    with redis_server(at=port):
        assert passed(rates, 1) == 1

    with redis_server(at=port):
        assert passed(rates, 3) == 2


def test_a_server_that_never_answers_is_waited_for_once_a_second(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        storage = f"redis://127.0.0.1:{port}/0?socket_timeout=0.05"
        rates = RateLimits(overall="1/minute", storage=storage, clock=clock)

        for later in (0, 1.1):
            clock.now += later
            for _ in range(10):
                with pytest.raises(LimitsUnreachableError):
                    rates.take("m.tool", None)

    assert len(caplog.messages) == 2


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b":no number\r\n", b"*-5\r\n", b""])
def test_a_server_that_is_not_redis_is_unreachable(answer: bytes) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]

        def serve() -> None:
            while True:
                try:
                    connection, _ = other.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(4096)
                    connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        rates = RateLimits(overall="1/minute", storage=f"redis://127.0.0.1:{port}/0?socket_timeout=0.2")

        with pytest.raises(LimitsUnreachableError):
            rates.take("m.tool", None)

        other.shutdown(socket.SHUT_RDWR)
        thread.join(5)


def test_a_redis_that_asks_for_a_password_is_unreachable_without_it_and_counts_with_it() -> None:
    with redis_server("--requirepass", "secret") as url:
        with pytest.raises(LimitsUnreachableError, match="AuthenticationError"):
            RateLimits(overall="1/minute", storage=url).take("m.tool", None)

        assert passed(RateLimits(overall="1/minute", storage=url.replace("//", "//:secret@")), 3) == 1


def test_the_place_of_a_storage_never_shows_what_may_be_a_password() -> None:
    urls = [
        "redis://u:secret@h:1/0",
        "redis://u:1/secret@h:1/0",
        "redis://u:secret/x@h/0",
        "redis://h/0?password=secret",
    ]

    assert [limits_module._place(url) for url in urls] == ["redis://h:1/0", "redis://…", "redis://…", "redis://h/0"]
